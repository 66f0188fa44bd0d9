use super::super::patterns::{GROWTH, INTERVALS, RANDOM, SPACED, WINDOWS};
use super::{point, point_around, verdict};
use crate::claim::{Claim, Verdict};
use crate::tfwc::patterns::{self, Pattern};

#[test]
fn growth_is_judged_by_the_slope() {
    let of = |slope| {
        verdict(
            &GROWTH,
            point(
                &patterns::key(patterns::GROWTH),
                &[(patterns::SLOPE, slope)],
            ),
        )
    };
    assert_eq!(of(0.125), Verdict::Reproduced);
    assert_eq!(of(0.2), Verdict::NotReproduced);
}

/// Intervals and windows as `of` says for each pattern: (least and mean, greatest, window).
fn with(claim: &Claim, of: impl Fn(usize, &Pattern) -> (f64, f64, f64)) -> Verdict {
    let mut runs = Vec::new();
    for (number, pattern) in patterns::PATTERNS.iter().enumerate() {
        let (least, greatest, window) = of(number, pattern);
        let values = [
            (patterns::MEAN, least),
            (patterns::LEAST, least),
            (patterns::GREATEST, greatest),
            (patterns::WINDOW, window),
        ];
        runs.extend(point_around(&patterns::key(pattern.name), &values, 0.0));
    }
    verdict(claim, runs)
}

/// As expected, but for `wrong` of the patterns from `first` on, whose interval wanders by `off` and
/// whose window is a packet too large.
fn wandering(claim: &Claim, first: usize, wrong: usize, off: f64) -> Verdict {
    with(claim, |number, pattern| {
        let interval = pattern.interval;
        let window = pattern.window.unwrap_or(1.0);
        if (first..first + wrong).contains(&number) {
            (interval, interval + off, window + 1.0)
        } else {
            (interval, interval, window)
        }
    })
}

/// Patterns 0 to 5 are judged.
#[test]
fn an_interval_that_differs_once_is_not_exact() {
    assert_eq!(wandering(&INTERVALS, 0, 0, 0.5), Verdict::Reproduced);
    assert_eq!(wandering(&INTERVALS, 2, 2, 0.5), Verdict::Partly);
    assert_eq!(wandering(&INTERVALS, 1, 4, 0.5), Verdict::NotReproduced);
    assert_eq!(wandering(&INTERVALS, 6, 6, 0.5), Verdict::Reproduced);
}

/// Patterns 0 to 3 are judged.
#[test]
fn a_window_must_be_that_of_the_equation() {
    assert_eq!(wandering(&WINDOWS, 4, 8, 0.0), Verdict::Reproduced);
    assert_eq!(wandering(&WINDOWS, 0, 2, 0.0), Verdict::Partly);
    assert_eq!(wandering(&WINDOWS, 0, 3, 0.0), Verdict::NotReproduced);
}

/// Patterns 6 to 9 are judged: a mean 4 % off is near, one 10 % off is not.
#[test]
fn the_mean_interval_of_drawn_losses_must_be_near_the_periodic_one() {
    let of = |wrong: usize, off: f64| {
        with(&RANDOM, |number, pattern| {
            let is_off = (6..6 + wrong).contains(&number);
            let interval = if is_off {
                off * pattern.interval
            } else {
                pattern.interval
            };
            (interval, interval, 1.0)
        })
    };
    assert_eq!(of(4, 1.04), Verdict::Reproduced);
    assert_eq!(of(2, 1.1), Verdict::Partly);
    assert_eq!(of(4, 1.1), Verdict::NotReproduced);
}

/// The report has 50 for the last two; grouped losses make 100.
#[test]
fn two_spaced_losses_are_judged_by_the_reports_interval() {
    let of = |last: [f64; 2]| {
        with(&SPACED, |number, pattern| {
            let interval = match number {
                10 => last[0],
                11 => last[1],
                _ => pattern.interval,
            };
            (interval, interval, 1.0)
        })
    };
    assert_eq!(of([50.0, 50.0]), Verdict::Reproduced);
    assert_eq!(of([100.0, 50.0]), Verdict::Partly);
    assert_eq!(of([100.0, 100.0]), Verdict::NotReproduced);
}
