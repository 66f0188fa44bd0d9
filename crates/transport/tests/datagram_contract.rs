//! What every datagram protocol must do over a channel that loses, reorders, duplicates, marks and
//! goes dark: send each packet once and in order, never stand still, believe honest feedback, and
//! not care where its packet numbers begin.

mod datagrams;

use datagrams::{Family, Faults, Flow, Outcome, Path, Tfrc, Tfwc, run};
use proptest::prelude::*;
use transport::datagram::{FeedbackCounts, Sequence};
use transport::tfrc::TfrcConfig;
use transport::tfwc::TfwcConfig;
use units::Duration;

const TFWC: [&[(&str, &str)]; 6] = [
    &[],
    &[("rate_mode", "false")],
    &[("intervals", "16"), ("rounding", "down")],
    &[("first_loss", "scan")],
    &[("tick", "100 ms")],
    &[("damping", "true")],
];
const TFRC: [(Family, &[(&str, &str)]); 5] = [
    (Family::Rfc, &[]),
    (Family::Rfc, &[("damping", "false")]),
    (Family::Rfc, &[("timeout_term", "measured")]),
    (Family::Ns2, &[]),
    (Family::Ns2, &[("conservative", "true")]),
];

struct Result {
    name: String,
    outcome: Outcome,
    feedback: FeedbackCounts,
    lost: u64,
}

fn drive<F: Flow>(name: String, mut flow: F, path: Path, seconds: u64) -> Result {
    flow.supply(u64::MAX);
    let outcome = run(&mut flow, path, Duration::from_secs(seconds), |_, _| {});
    let (feedback, lost) = (flow.feedback(), flow.lost());
    Result {
        name,
        outcome,
        feedback,
        lost,
    }
}

/// Runs every protocol with every option.
fn for_each_protocol(path: Path, first: Sequence, seconds: u64) -> Vec<Result> {
    let tfwc = TFWC.iter().map(|given| {
        let config = TfwcConfig {
            first,
            ..TfwcConfig::default()
        };
        let name = format!("tfwc {given:?} {path:?}");
        drive(name, Tfwc::new(config, given), path, seconds)
    });
    let tfrc = TFRC.iter().map(|(family, given)| {
        let config = TfrcConfig {
            first,
            ecn: path.faults.mark > 0,
            ..TfrcConfig::default()
        };
        let name = format!("tfrc {family:?} {given:?} {path:?}");
        drive(name, Tfrc::new(*family, config, given), path, seconds)
    });
    tfwc.chain(tfrc).collect()
}

/// What holds whatever goes wrong.
fn is_sound(result: &Result, first: Sequence) {
    let Result {
        name,
        outcome,
        feedback,
        lost,
    } = result;
    for (index, (_, number)) in outcome.sent.iter().enumerate() {
        let expected = first.0.wrapping_add(index as u32);
        assert_eq!(*number, expected, "{name}: once each, in order");
    }
    let sent = outcome.sent.len() as u64;
    assert!(outcome.delivered <= sent, "{name}");
    assert!(outcome.delivered + outcome.dropped <= sent, "{name}");
    assert_eq!(feedback.refused(), 0, "{name}: {feedback:?}");
    assert!(*lost <= sent, "{name}");
}

/// Sent in the last third of the time: at least so many.
fn is_alive(result: &Result, seconds: u64, packets: usize) {
    assert!(result.feedback.accepted > 0, "{}", result.name);
    let from = 1e12 * (seconds as f64) * 2.0 / 3.0;
    let late = |at: units::Time| at.as_picos() as f64 > from;
    let sent = result
        .outcome
        .sent
        .iter()
        .filter(|(at, _)| late(*at))
        .count();
    assert!(sent >= packets, "{}: {sent} packets", result.name);
}

#[test]
fn a_clean_path_is_filled() {
    // 1000 packets a second pass, for 20 s.
    let first = Sequence::default();
    let path = Path {
        queue: 100,
        ..Path::default()
    };
    for result in for_each_protocol(path, first, 20) {
        is_sound(&result, first);
        assert!(result.outcome.delivered > 14_000, "{}", result.name);
        assert_eq!(result.outcome.duplicates, 0);
    }
}

#[test]
fn losses_on_both_ways_are_survived() {
    let first = Sequence::default();
    for (loss, packets) in [(2, 150), (10, 60), (30, 2)] {
        let faults = Faults {
            loss,
            report_loss: loss,
            ..Faults::default()
        };
        for seed in 1..4 {
            let path = Path {
                faults,
                seed,
                ..Path::default()
            };
            for result in for_each_protocol(path, first, 30) {
                is_sound(&result, first);
                is_alive(&result, 30, packets);
                assert!(result.lost > 0, "{}", result.name);
            }
        }
    }
}

#[test]
fn reordering_and_duplication_are_survived() {
    let first = Sequence::default();
    let faults = Faults {
        loss: 1,
        reorder: 20,
        duplicate: 10,
        ..Faults::default()
    };
    let path = Path {
        faults,
        ..Path::default()
    };
    for result in for_each_protocol(path, first, 30) {
        is_sound(&result, first);
        is_alive(&result, 30, 50);
        let duplicates = result.outcome.duplicates as f64 / result.outcome.delivered as f64;
        assert!((0.04..=0.2).contains(&duplicates), "{}", result.name);
    }
}

#[test]
fn outages_are_survived() {
    let first = Sequence::default();
    let faults = Faults {
        outages: true,
        ..Faults::default()
    };
    let path = Path {
        faults,
        ..Path::default()
    };
    for result in for_each_protocol(path, first, 60) {
        is_sound(&result, first);
        is_alive(&result, 60, 100);
    }
}

#[test]
fn marks_are_signs_of_congestion_where_the_protocol_has_them() {
    let first = Sequence::default();
    let faults = Faults {
        mark: 5,
        ..Faults::default()
    };
    let path = Path {
        faults,
        ..Path::default()
    };
    for result in for_each_protocol(path, first, 20) {
        is_sound(&result, first);
        if result.name.starts_with("tfrc") {
            // Below the path's 1000 packets a second, with nothing lost.
            assert!(result.outcome.sent.len() < 4_000, "{}", result.name);
            assert_eq!(result.outcome.dropped, 0);
        }
    }
}

#[test]
fn packet_numbers_may_wrap() {
    let faults = Faults {
        loss: 3,
        report_loss: 3,
        reorder: 5,
        duplicate: 5,
        ..Faults::default()
    };
    let path = Path {
        faults,
        ..Path::default()
    };
    let plain = for_each_protocol(path, Sequence(0), 10);
    for first in [
        Sequence(u32::MAX - 20),
        Sequence(u32::MAX),
        Sequence(1 << 31),
    ] {
        let wrapped = for_each_protocol(path, first, 10);
        for (plain, wrapped) in plain.iter().zip(wrapped) {
            is_sound(&wrapped, first);
            let times = |result: &Result| {
                let sent = &result.outcome.sent;
                sent.iter().map(|(at, _)| *at).collect::<Vec<_>>()
            };
            assert_eq!(times(plain), times(&wrapped), "{}", wrapped.name);
            assert_eq!(plain.outcome.delivered, wrapped.outcome.delivered);
            assert_eq!(plain.feedback, wrapped.feedback);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_packets() {
    let faults = Faults {
        loss: 5,
        reorder: 5,
        ..Faults::default()
    };
    let outcomes = |seed| {
        let path = Path {
            faults,
            seed,
            ..Path::default()
        };
        let results = for_each_protocol(path, Sequence(0), 5);
        results.into_iter().map(|it| it.outcome).collect::<Vec<_>>()
    };
    assert_eq!(outcomes(1), outcomes(1));
    assert_ne!(outcomes(1), outcomes(2));
}

#[test]
fn a_finite_transfer_ends() {
    for loss in [0, 10, 30] {
        let faults = Faults {
            loss,
            report_loss: loss,
            ..Faults::default()
        };
        let path = Path {
            faults,
            ..Path::default()
        };
        let end = Duration::from_secs(5_000);
        let mut tfwc = Tfwc::new(TfwcConfig::default(), &[]);
        tfwc.supply(200);
        assert_eq!(run(&mut tfwc, path, end, |_, _| {}).sent.len(), 200);
        assert!(tfwc.sender.is_complete());
        let mut tfrc = Tfrc::new(Family::Rfc, TfrcConfig::default(), &[]);
        tfrc.supply(200);
        assert_eq!(run(&mut tfrc, path, end, |_, _| {}).sent.len(), 200);
        assert!(tfrc.is_complete());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever goes wrong, and wherever numbers begin.
    #[test]
    fn any_channel_is_survived(
        seed in any::<u64>(),
        first in any::<u32>(),
        percent in (0..40_u64, 0..40_u64, 0..40_u64, 0..20_u64, 0..20_u64, any::<bool>()),
        queue in 1..60_usize,
    ) {
        let faults = Faults {
            loss: percent.0,
            report_loss: percent.1,
            reorder: percent.2,
            duplicate: percent.3,
            mark: percent.4,
            outages: percent.5,
        };
        let path = Path { queue, faults, seed, ..Path::default() };
        for result in for_each_protocol(path, Sequence(first), 10) {
            is_sound(&result, Sequence(first));
        }
    }
}
