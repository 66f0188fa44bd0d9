use experiments::metrics::Moments;

use super::statistical::row;
use super::*;

fn moments(samples: &[f64]) -> Moments {
    let mut moments = Moments::default();
    for sample in samples {
        moments.add(*sample);
    }
    moments
}

#[test]
fn welchs_interval_of_a_worked_example() {
    // Means 12 and 10, variances 4 and 1 (n = 3): 4/3 + 1/3 = 5/3, √ = 1.29099;
    // freedom (5/3)² / ((4/3)²/2 + (1/3)²/2) = 2.7778 / 0.94444 = 2.94, cut to 2: t = 4.303.
    let row = row(
        "x",
        "y",
        (&moments(&[10.0, 12.0, 14.0]), &moments(&[9.0, 10.0, 11.0])),
        None,
    );
    assert_eq!(row.difference, 2.0);
    let [low, high] = row.interval.unwrap();
    assert!(
        (low - (2.0 - 4.303 * 1.290_99)).abs() < 1e-3
            && (high - (2.0 + 4.303 * 1.290_99)).abs() < 1e-3
    );
    assert_eq!(row.verdict, Verdict::Agrees);
}

#[test]
fn a_difference_beyond_its_interval_differs_unless_it_is_explained() {
    let (ours, theirs) = (moments(&[20.0, 20.1, 19.9]), moments(&[10.0, 10.1, 9.9]));
    assert_eq!(
        row("x", "y", (&ours, &theirs), None).verdict,
        Verdict::Differs
    );
    let explained = row("x", "y", (&ours, &theirs), Some("why"));
    assert_eq!(explained.verdict, Verdict::Explained);
    assert_eq!(explained.deviation.as_deref(), Some("why"));
}

#[test]
fn values_without_spread_are_compared_as_they_are() {
    let same = row("x", "y", (&moments(&[5.0, 5.0]), &moments(&[5.0])), None);
    assert_eq!((same.verdict, same.interval), (Verdict::Agrees, None));
    let other = row("x", "y", (&moments(&[5.0, 5.0]), &moments(&[5.1])), None);
    assert_eq!(other.verdict, Verdict::Differs);
}
