//! What every combination of loss recovery, window law and receiver must do: over a channel that
//! loses, reorders, duplicates, marks and goes dark, all data arrives once and in order, and the
//! sender finishes.

mod audit;
mod channel;

use std::collections::BTreeMap;

use audit::{Audit, Tally};
use channel::{Channel, Ends, Faults, Transfer};
use controllers::{CongestionController, Properties, Registry, Setup};
use proptest::prelude::*;
use transport::{
    Pacing, ReceiverConfig, Recovery, RtoConfig, SenderConfig, SpuriousDetection, TcpReceiver,
    TcpSender, ThresholdAdaptation, ns2,
};
use units::{Bytes, Duration};

const RECOVERIES: [Recovery; 8] = [
    Recovery::OldTahoe,
    Recovery::Tahoe,
    Recovery::Reno,
    Recovery::NewReno,
    Recovery::Sack,
    Recovery::Vegas,
    Recovery::Rack,
    Recovery::Genie,
];
const SEGMENTS: u64 = 400;
/// Not meant for TCP: tests of their own protocols cover them.
const OF_DATAGRAMS: [&str; 2] = ["tfrc", "tfwc"];

/// Whose endpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Rfc,
    Ns2,
}

impl Family {
    fn ends(self, law: &str, sender: SenderConfig, receiver: ReceiverConfig) -> Ends {
        match self {
            Self::Rfc => rfc_ends(controller(law, &sender.setup()), sender, receiver),
            Self::Ns2 => {
                let registry = Registry::standard();
                let law = registry.get(law).expect("a standard controller");
                let parameters = law.resolve(&BTreeMap::new()).expect("valid");
                let window = ns2::Window::new(law, &parameters, &ns2::setup(&sender));
                Ends::Ns2(ns2::Sender::new(sender, window), ns2::Sink::new(receiver))
            }
        }
    }
}

fn rfc_ends(
    controller: Box<dyn CongestionController>,
    sender: SenderConfig,
    receiver: ReceiverConfig,
) -> Ends {
    Ends::Rfc(
        TcpSender::new(sender, controller),
        TcpReceiver::new(receiver),
    )
}

fn controller(law: &str, setup: &Setup) -> Box<dyn CongestionController> {
    let registry = Registry::standard();
    let law = registry.get(law).expect("a standard controller");
    let parameters = law.resolve(&BTreeMap::new()).expect("valid");
    (law.build)(&parameters, setup)
}

/// Whose ends follow such a recovery: ns-2 has no genie.
fn families(recovery: Recovery) -> &'static [Family] {
    match recovery {
        Recovery::Genie => &[Family::Rfc],
        _ => &[Family::Rfc, Family::Ns2],
    }
}

/// Each way to find retransmissions without cause, and none.
fn detection(timestamps: bool, other: bool) -> SpuriousDetection {
    match (timestamps, other) {
        (true, true) => SpuriousDetection::Eifel,
        (true, false) => SpuriousDetection::Ignore,
        (false, true) => SpuriousDetection::DSack,
        (false, false) => SpuriousDetection::FRto,
    }
}

/// Each law by which the threshold D adapts, and none.
fn adaptation(number: u64) -> ThresholdAdaptation {
    let all = [
        ThresholdAdaptation::Fixed,
        ThresholdAdaptation::Increment,
        ThresholdAdaptation::Average,
        ThresholdAdaptation::Ewma,
    ];
    all[number as usize % all.len()]
}

/// Every controller there is but those for protocols that never send anything again.
fn laws() -> Vec<&'static str> {
    let registry = Registry::standard();
    let names = registry.iter().map(|controller| controller.name);
    names.filter(|name| !OF_DATAGRAMS.contains(name)).collect()
}

/// Chance for a combination comes from its name: a new law changes no other's (FNV-1a).
fn seed_of(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Runs `check` over all combinations. What each controller is told is held against itself; every
/// other one reads rate samples.
fn for_each_combination(faults: Faults, check: impl Fn(&str, Transfer)) {
    let flags = [false, true];
    for recovery in RECOVERIES {
        for law in laws() {
            for &family in families(recovery) {
                for timestamps in flags {
                    for delayed in flags {
                        let name = format!(
                            "{recovery:?} {law} {family:?} timestamps {timestamps} delayed ACKs \
                             {delayed}"
                        );
                        let seed = seed_of(&name);
                        let properties = Properties {
                            rate_samples: seed.is_multiple_of(2),
                            ..Properties::WINDOW
                        };
                        let sender = SenderConfig {
                            recovery,
                            timestamps,
                            ecn: faults.mark_percent > 0,
                            handshake: seed.is_multiple_of(3),
                            max_window: Some(64),
                            spurious: detection(timestamps, delayed),
                            threshold_adaptation: adaptation(seed >> 8),
                            properties,
                            pacing: (seed >> 16).is_multiple_of(4).then_some(Pacing::LINUX),
                            ..SenderConfig::default()
                        };
                        let receiver = ReceiverConfig {
                            delayed_ack: delayed.then_some(Duration::from_millis(100)),
                            sack: matches!(recovery, Recovery::Sack | Recovery::Rack),
                            d_sack: timestamps != delayed,
                            ecn: sender.ecn,
                            ..ReceiverConfig::default()
                        };
                        let ecn = sender.ecn;
                        let audit = Audit::new(controller(law, &sender.setup()), &sender);
                        let tally = audit.tally();
                        let ends = match family {
                            Family::Rfc => rfc_ends(Box::new(audit), sender, receiver),
                            // Its own arithmetic goes by other rules.
                            Family::Ns2 => family.ends(law, sender, receiver),
                        };
                        let transfer = Channel::new(faults, seed).run(ends, SEGMENTS);
                        if family == Family::Rfc {
                            let tally = *tally.lock().unwrap();
                            adds_up(&name, &tally, properties.rate_samples);
                            assert!(ecn || tally.marks + tally.echoes == 0, "{name}: {tally:?}");
                            let selective = matches!(recovery, Recovery::Sack | Recovery::Rack);
                            assert!(selective || tally.selections == 0, "{name}: {tally:?}");
                        }
                        check(&name, transfer);
                    }
                }
            }
        }
    }
}

/// At the end everything was told to have arrived, once.
fn adds_up(name: &str, tally: &Tally, rate_samples: bool) {
    let all = Bytes(1_000) * SEGMENTS;
    assert_eq!(
        (tally.acked, tally.delivered),
        (all, all),
        "{name}: {tally:?}"
    );
    assert_eq!(tally.samples > 0, rate_samples, "{name}: {tally:?}");
}

fn all_arrives(name: &str, transfer: Transfer) {
    assert!(transfer.complete, "{name}: {transfer:?}");
    assert_eq!(transfer.delivered, SEGMENTS, "{name}: {transfer:?}");
    assert_eq!(transfer.acknowledged, SEGMENTS, "{name}: {transfer:?}");
    // Every segment was sent once as new data, the rest were retransmissions.
    assert_eq!(
        transfer.packets_sent,
        SEGMENTS + transfer.retransmits,
        "{name}: {transfer:?}"
    );
}

#[test]
fn a_clean_channel_needs_no_retransmission() {
    for_each_combination(Faults::NONE, |name, transfer| {
        all_arrives(name, transfer);
        assert_eq!(transfer.retransmits, 0, "{name}: {transfer:?}");
        assert_eq!(transfer.timeouts, 0, "{name}: {transfer:?}");
    });
}

#[test]
fn lost_packets_and_lost_acks_are_repaired() {
    let faults = Faults {
        loss_percent: 5,
        ack_loss_percent: 5,
        ..Faults::NONE
    };
    for_each_combination(faults, |name, transfer| {
        all_arrives(name, transfer);
        // What was lost is sent again: of about 20 of 400 segments.
        assert!(transfer.lost_segments > 0, "{name}: {transfer:?}");
        assert!(
            transfer.retransmits >= transfer.lost_segments,
            "{name}: {transfer:?}"
        );
    });
}

#[test]
fn heavy_loss_is_survived() {
    let faults = Faults {
        loss_percent: 30,
        ack_loss_percent: 30,
        ..Faults::NONE
    };
    for_each_combination(faults, all_arrives);
}

#[test]
fn reordering_and_duplication_are_survived() {
    let faults = Faults {
        loss_percent: 2,
        reorder_percent: 20,
        duplicate_percent: 10,
        ..Faults::NONE
    };
    for_each_combination(faults, all_arrives);
}

#[test]
fn outages_are_survived() {
    let faults = Faults {
        loss_percent: 1,
        outages: true,
        ..Faults::NONE
    };
    for_each_combination(faults, |name, transfer| {
        all_arrives(name, transfer);
        // A genie knows when nothing but ACKs was lost; after a lost SYN nothing may have been out.
        let silent = name.starts_with("Genie") || transfer.dark_segments == 0;
        assert!(silent || transfer.timeouts > 0, "{name}: {transfer:?}");
    });
}

#[test]
fn marks_are_survived() {
    let faults = Faults {
        loss_percent: 2,
        mark_percent: 10,
        reorder_percent: 2,
        ..Faults::NONE
    };
    for_each_combination(faults, all_arrives);
}

#[test]
fn the_same_seed_gives_the_same_transfer() {
    let faults = Faults {
        loss_percent: 5,
        reorder_percent: 5,
        ..Faults::NONE
    };
    let run = |seed| {
        let sender = SenderConfig {
            recovery: Recovery::Sack,
            ..SenderConfig::default()
        };
        let ends = Family::Rfc.ends("reno", sender, ReceiverConfig::default());
        Channel::new(faults, seed).run(ends, SEGMENTS)
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

fn settings() -> impl Strategy<Value = (Family, SenderConfig)> {
    let protocol = (0..RECOVERIES.len(), 1..8_u32, 1..20_u64, any::<u8>());
    let limits = (
        proptest::option::of(1..100_u64),
        proptest::option::of(1..6_u32),
        1..500_u64,
    );
    (protocol, limits).prop_map(
        |((recovery, duplicate_ack_threshold, initial_window, bits), (window, burst, tick))| {
            let bit = |index: u32| bits >> index & 1 == 1;
            let recovery = RECOVERIES[recovery];
            let families = families(recovery);
            let family = families[usize::from(bit(0)) % families.len()];
            let config = SenderConfig {
                recovery,
                duplicate_ack_threshold,
                limited_transmit: bit(1),
                initial_window,
                max_window: window,
                rto: RtoConfig {
                    minimum: Duration::from_millis(2 * tick),
                    granularity: Duration::from_millis(tick),
                    ..if bit(2) {
                        RtoConfig::ns2()
                    } else {
                        RtoConfig::default()
                    }
                },
                timestamps: bit(3),
                max_burst: burst,
                ecn: bit(4),
                handshake: bit(5),
                spurious: detection(bit(3), bit(6)),
                threshold_adaptation: adaptation(initial_window),
                ..SenderConfig::default()
            };
            (family, config)
        },
    )
}

proptest! {
    /// Whatever is set, and whatever goes wrong.
    #[test]
    fn any_settings_deliver_all_data(
        (family, sender) in settings(),
        delayed in any::<bool>(),
        law in proptest::sample::select(laws()),
        seed in any::<u64>(),
        percent in (0..20_u64, 0..20_u64, 0..40_u64, 0..20_u64, 0..20_u64, any::<bool>()),
    ) {
        let faults = Faults {
            loss_percent: percent.0,
            ack_loss_percent: percent.1,
            reorder_percent: percent.2,
            duplicate_percent: percent.3,
            mark_percent: percent.4,
            outages: percent.5,
        };
        let receiver = ReceiverConfig {
            delayed_ack: delayed.then_some(Duration::from_millis(100)),
            sack: matches!(sender.recovery, Recovery::Sack | Recovery::Rack),
            d_sack: sender.spurious == SpuriousDetection::DSack || seed % 2 == 0,
            ecn: sender.ecn,
            ..ReceiverConfig::default()
        };
        let name = format!("{law} {family:?} {sender:?} {faults:?} {seed}");
        let ends = family.ends(law, sender, receiver);
        all_arrives(&name, Channel::new(faults, seed).run(ends, SEGMENTS));
    }
}
