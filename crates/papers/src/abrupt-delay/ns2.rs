//! What ns-2.35 gives at the points of Figures 5, 6 and 8: means of ten runs of 1000 s.

use crate::validation::table::Table;

/// Goodput in packets a second over the number in column `over`, of the rows whose columns have
/// these texts.
pub(super) fn goodput(rows: &[(&str, &str)], over: &str) -> Vec<(f64, f64)> {
    let mut sums: Vec<(f64, f64, f64)> = Vec::new();
    for row in Table::read(DATA).rows() {
        if rows.iter().any(|(column, text)| row.text(column) != *text) {
            continue;
        }
        let (x, y) = (row.number(over), row.number("goodput_pkts_per_s"));
        match sums.iter_mut().find(|sum| sum.0 == x) {
            Some(sum) => *sum = (x, sum.1 + y, sum.2 + 1.0),
            None => sums.push((x, y, 1.0)),
        }
    }
    sums.sort_by(|a, b| a.0.total_cmp(&b.0));
    sums.into_iter()
        .map(|(x, sum, runs)| (x, sum / runs))
        .collect()
}

const DATA: &str = include_str!("../../../../references/ns2/data/abrupt_delay.csv");

#[cfg(test)]
mod tests {
    use super::*;

    /// OldTahoe at h = 1 has ten rows; Figure 5 has four values of h.
    #[test]
    fn the_reference_has_the_points_of_figure_5() {
        let points = goodput(&[("set", "fig5"), ("kind", "oldtahoe")], "h");
        let h: Vec<f64> = points.iter().map(|(h, _)| *h).collect();
        assert_eq!(h, [0.1, 1.0, 10.0, 100.0]);
        assert!(
            points
                .iter()
                .all(|(_, goodput)| (40.0..70.0).contains(goodput))
        );
    }
}
