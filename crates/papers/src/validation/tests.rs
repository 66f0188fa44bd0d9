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

const NAMES: (&str, &str) = ("scenario", "metric");

#[test]
fn welchs_interval_of_a_worked_example() {
    // Means 12 and 10, variances 4 and 1 (n = 3): 4/3 + 1/3 = 5/3, √ = 1.29099;
    // freedom (5/3)² / ((4/3)²/2 + (1/3)²/2) = 2.7778 / 0.94444 = 2.941: a quantile between
    // t(2) = 4.303 and t(3) = 3.182, so a half width between 4.108 and 5.555.
    let samples = (moments(&[10.0, 12.0, 14.0]), moments(&[9.0, 10.0, 11.0]));
    let alone = row(NAMES, (&samples.0, &samples.1), 1, None);
    assert_eq!(alone.difference, 2.0);
    let [low, high] = alone.interval.unwrap();
    assert!((4.108..=5.555).contains(&(high - 2.0)), "{high}");
    assert!((high - 2.0 - (2.0 - low)).abs() < 1e-12);
    assert_eq!(alone.verdict, Verdict::Agrees);
    // Of ten together each must be of 99.5 %: t(2) = 14.09, t(3) = 7.453.
    let [_, high] = row(NAMES, (&samples.0, &samples.1), 10, None)
        .interval
        .unwrap();
    assert!((9.62..=18.19).contains(&(high - 2.0)), "{high}");
}

#[test]
fn a_difference_beyond_its_interval_differs_unless_it_is_explained() {
    let (ours, theirs) = (moments(&[20.0, 20.1, 19.9]), moments(&[10.0, 10.1, 9.9]));
    assert_eq!(
        row(NAMES, (&ours, &theirs), 1, None).verdict,
        Verdict::Differs
    );
    let explained = row(NAMES, (&ours, &theirs), 1, Some("why"));
    assert_eq!(explained.verdict, Verdict::Explained);
    assert_eq!(explained.deviation.as_deref(), Some("why"));
}

#[test]
fn values_without_spread_are_compared_as_they_are() {
    let same = row(NAMES, (&moments(&[5.0, 5.0]), &moments(&[5.0])), 1, None);
    assert_eq!((same.verdict, same.interval), (Verdict::Agrees, None));
    let other = row(NAMES, (&moments(&[5.0, 5.0]), &moments(&[5.1])), 1, None);
    assert_eq!(other.verdict, Verdict::Differs);
}

#[test]
fn every_deviation_named_stands_in_the_document() {
    let document = include_str!("../../../../docs/deviations.md");
    let mut names = vec![micro::TIES];
    for family in FAMILIES {
        for group in statistical::groups(family) {
            let metrics = family.metrics.iter();
            names.extend(metrics.filter_map(|metric| (family.explained)(&group.name, metric.name)));
        }
    }
    for name in names {
        assert!(document.contains(&format!("- **{name}**:")), "{name}");
    }
}

/// The deterministic scenarios: those that are not explained are identical with ns-2 to the last
/// packet, and those with ties at least as far as before the first tie that decides.
#[test]
fn micro_scenarios_agree_with_ns2_packet_by_packet() {
    let registry = Registry::standard();
    let mut identical = 0;
    for trace in micro::traces() {
        let rows = micro::compare(&trace, &run_job(&trace.job(), &registry).unwrap());
        for row in rows {
            assert_ne!(row.verdict, Verdict::Differs, "{row:?}");
            assert!(row.ours >= 86.0, "{row:?}");
            identical += usize::from(row.verdict == Verdict::Agrees);
        }
    }
    assert_eq!(identical, 34);
}

/// Periodic loss: rates to the third decimal, for four recoveries and two round trips.
#[test]
fn periodic_loss_gives_ns2s_rates() {
    let registry = Registry::standard();
    let family = FAMILIES
        .iter()
        .find(|family| family.name == "periodic-loss")
        .unwrap();
    for group in statistical::groups(family)
        .iter()
        .filter(|group| group.name.contains("k=20 "))
    {
        let run = group.measure(&run_job(&group.jobs[0], &registry).unwrap());
        for row in group.compare(&[run.clone(), run]) {
            assert_eq!(row.verdict, Verdict::Agrees, "{row:?}");
        }
    }
}
