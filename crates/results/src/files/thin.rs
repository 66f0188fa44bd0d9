//! Long series made short enough for a page, peaks and troughs kept.

/// A point of a band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BandPoint {
    pub(super) time: f64,
    pub(super) mean: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The lowest and the highest point of each of equal stretches, in order of time; all points where
/// they are [`MOST_POINTS`] or fewer. A stretch without a number stays a gap.
pub(super) fn thin(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let stretch = 2 * stretch(points.len());
    if stretch == 2 {
        return points;
    }
    let mut kept = Vec::with_capacity(MOST_POINTS);
    for points in points.chunks(stretch) {
        let numbers = || (0..points.len()).filter(|at| !points[*at].1.is_nan());
        let lowest = numbers().min_by(|a, b| points[*a].1.total_cmp(&points[*b].1));
        let highest = numbers().max_by(|a, b| points[*a].1.total_cmp(&points[*b].1));
        match (lowest, highest) {
            (Some(low), Some(high)) if low != high => {
                kept.extend([points[low.min(high)], points[low.max(high)]]);
            }
            (Some(only), _) => kept.push(points[only]),
            _ => kept.push(points[0]),
        }
    }
    kept
}

/// One point for each of equal stretches, with the lowest low, the highest high and the mean of the
/// means; all points where they are [`MOST_POINTS`] or fewer.
pub(super) fn thin_band(points: Vec<BandPoint>) -> Vec<BandPoint> {
    let stretch = stretch(points.len());
    if stretch == 1 {
        return points;
    }
    let one = |points: &[BandPoint]| {
        let numbers = || points.iter().filter(|point| !point.mean.is_nan());
        let count = numbers().count() as f64;
        BandPoint {
            time: points[0].time,
            mean: numbers().map(|point| point.mean).sum::<f64>() / count,
            // `f64::min` and `max` pass over what is not a number.
            low: points
                .iter()
                .map(|point| point.low)
                .fold(f64::NAN, f64::min),
            high: points
                .iter()
                .map(|point| point.high)
                .fold(f64::NAN, f64::max),
        }
    };
    points.chunks(stretch).map(one).collect()
}

/// How many points become one, so that at most [`MOST_POINTS`] remain.
pub(super) fn stretch(points: usize) -> usize {
    points.div_ceil(MOST_POINTS).max(1)
}

/// Most points of a series on a page; a screen is about half as wide in pixels.
pub(super) const MOST_POINTS: usize = 4_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_series_stays_as_it_is() {
        let points: Vec<_> = (0..MOST_POINTS).map(|i| (i as f64, 1.0)).collect();
        assert_eq!(thin(points.clone()), points);
    }

    #[test]
    fn one_sample_peaks_and_troughs_stay() {
        // 20,000 points: stretches of 5 × 2 = 10 points, 2 kept of each: 4000.
        let mut points: Vec<_> = (0..20_000).map(|i| (i as f64, f64::from(i % 10))).collect();
        points[7_777].1 = 1_000.0;
        points[12_345].1 = -1_000.0;
        let thinned = thin(points);
        assert_eq!(thinned.len(), 4_000);
        assert!(thinned.contains(&(7_777.0, 1_000.0)) && thinned.contains(&(12_345.0, -1_000.0)));
        assert_eq!(thinned[..2], [(0.0, 0.0), (9.0, 9.0)]);
        assert!(thinned.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn a_gap_stays_a_gap() {
        let points: Vec<_> = (0..8_001)
            .map(|i| (i as f64, if i < 6 { f64::NAN } else { 1.0 }))
            .collect();
        // 8001 points: stretches of 3 × 2 = 6; the first has no number.
        let thinned = thin(points);
        assert!(thinned[0].1.is_nan());
        assert_eq!(thinned[1], (6.0, 1.0));
    }

    #[test]
    fn a_band_keeps_its_ends() {
        let mut points: Vec<_> = (0..8_000)
            .map(|i| BandPoint {
                time: i as f64,
                mean: f64::from(i % 2),
                low: 0.0,
                high: 1.0,
            })
            .collect();
        points[1].high = 9.0;
        points[0].low = -9.0;
        let thinned = thin_band(points);
        // 8000 points: stretches of 2; means 0 and 1 give 0.5.
        assert_eq!(thinned.len(), 4_000);
        assert_eq!(
            thinned[0],
            BandPoint {
                time: 0.0,
                mean: 0.5,
                low: -9.0,
                high: 9.0
            }
        );
        assert_eq!(
            thinned[1],
            BandPoint {
                time: 2.0,
                mean: 0.5,
                low: 0.0,
                high: 1.0
            }
        );
    }
}
