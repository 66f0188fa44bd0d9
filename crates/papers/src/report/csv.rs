//! The data of a figure as CSV (RFC 4180): all digits, one line for each point.

use std::fmt::Write as _;

use crate::data::{Data, Estimate};
use crate::paper::Key;

/// Every number kept: for each point the mean over the seeds, and half the width of the 95 %
/// interval (`…_ci95`).
pub(super) fn values(data: &Data) -> String {
    let axes = axes(data);
    let names = data.value_names();
    let mut header: Vec<String> = axes.iter().map(|axis| (*axis).to_owned()).collect();
    header.push("seeds".to_owned());
    for name in &names {
        header.extend([(*name).to_owned(), format!("{name}_ci95")]);
    }
    let mut text = line(&header);
    for point in &data.points {
        let mut cells = key_cells(&point.key);
        cells.push(point.runs.len().to_string());
        for name in &names {
            cells.extend(estimate_cells(point.samples(name).estimate()));
        }
        text += &line(&cells);
    }
    text
}

/// Every series kept, one line for each place in it; none where the figure keeps no series.
pub(super) fn curves(data: &Data) -> Option<String> {
    let names = data.curve_names();
    if names.is_empty() {
        return None;
    }
    let mut header: Vec<String> = axes(data).iter().map(|axis| (*axis).to_owned()).collect();
    header.extend(["series", "x", "y", "y_ci95"].map(str::to_owned));
    let mut text = line(&header);
    for point in &data.points {
        for name in &names {
            for (x, estimate) in point.curve(name) {
                let mut cells = key_cells(&point.key);
                cells.extend([(*name).to_owned(), x.to_string()]);
                cells.extend(estimate_cells(Some(estimate)));
                text += &line(&cells);
            }
        }
    }
    Some(text)
}

fn axes(data: &Data) -> Vec<&'static str> {
    data.points.first().map_or_else(Vec::new, |point| {
        point.key.iter().map(|(axis, _)| axis).collect()
    })
}

fn key_cells(key: &Key) -> Vec<String> {
    key.iter().map(|(_, value)| value.to_string()).collect()
}

fn estimate_cells(estimate: Option<Estimate>) -> [String; 2] {
    let text = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    [
        text(estimate.map(|e| e.mean)),
        text(estimate.and_then(|e| e.half_width)),
    ]
}

fn line(cells: &[String]) -> String {
    let mut text = String::new();
    for (index, cell) in cells.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        if cell.contains(['"', ',', '\n', '\r']) {
            let _ = write!(text, "{comma}\"{}\"", cell.replace('"', "\"\""));
        } else {
            let _ = write!(text, "{comma}{cell}");
        }
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Measured;
    use crate::paper::Run;

    fn run(seed: u64) -> Run {
        let key = Key::new().with("protocol", "TCP(1, 0.5)").with("flows", 10);
        Run {
            key,
            seed,
            scenario: String::new(),
            work: 1.0,
        }
    }

    /// 7 and 9: mean 8, half width 12.706 (t with one degree of freedom) × √2 / √2.
    #[test]
    fn means_and_half_widths_stand_beside_each_other() {
        let goodput = |value: f64| Measured::default().value("goodput_mbps", value);
        let data = Data::gather([(run(1), goodput(7.0)), (run(2), goodput(9.0))]);
        let text = values(&data);
        let mut lines = text.lines();
        assert_eq!(
            lines.next(),
            Some("protocol,flows,seeds,goodput_mbps,goodput_mbps_ci95")
        );
        let half = lines
            .next()
            .unwrap()
            .strip_prefix("\"TCP(1, 0.5)\",10,2,8,")
            .unwrap();
        assert!((half.parse::<f64>().unwrap() - 12.706).abs() < 1e-9);
        assert_eq!(curves(&data), None);
    }

    #[test]
    fn series_have_a_line_for_each_place() {
        let window = Measured::default().curve("window_packets", vec![(0.0, 1.0), (0.5, 2.0)]);
        let text = curves(&Data::gather([(run(1), window)])).unwrap();
        assert_eq!(
            text,
            "protocol,flows,series,x,y,y_ci95\n\
             \"TCP(1, 0.5)\",10,window_packets,0,1,\n\
             \"TCP(1, 0.5)\",10,window_packets,0.5,2,\n"
        );
    }
}
