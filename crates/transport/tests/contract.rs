//! What every combination of loss recovery, window law and receiver must do: over a channel that
//! loses, reorders, duplicates, marks and goes dark, all data arrives once and in order, and the
//! sender finishes.

mod channel;

use std::collections::BTreeMap;

use channel::{Channel, Faults, Transfer};
use controllers::parameters::Given;
use controllers::{CongestionController, Kind, Parameter, Registry};
use proptest::prelude::*;
use transport::{
    Compat, ReceiverConfig, Recovery, RtoConfig, SenderConfig, SpuriousDetection,
    ThresholdAdaptation,
};
use units::Duration;

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

fn controller(name: &str, config: &SenderConfig) -> Box<dyn CongestionController> {
    let registry = Registry::standard();
    let controller = registry.get(name).expect("a standard controller");
    let mut given = BTreeMap::new();
    let follows_ns2 = |parameter: &Parameter| {
        parameter.name == "reading"
            && matches!(parameter.kind, Kind::Choice(words) if words.contains(&"ns-2"))
    };
    if config.compat == Compat::Ns2 && controller.parameters.iter().any(follows_ns2) {
        given.insert("reading".to_owned(), Given::Text("ns-2".to_owned()));
    }
    let parameters = controller.resolve(&given).expect("valid");
    (controller.build)(&parameters, &config.setup())
}

/// ns-2 has no genie.
fn readings(recovery: Recovery) -> &'static [Compat] {
    match recovery {
        Recovery::Genie => &[Compat::Rfc],
        _ => &[Compat::Rfc, Compat::Ns2],
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

/// Runs `check` over all combinations.
fn for_each_combination(faults: Faults, check: impl Fn(&str, Transfer)) {
    let flags = [false, true];
    for (index, recovery) in RECOVERIES.into_iter().enumerate() {
        for (law_index, law) in laws().into_iter().enumerate() {
            for &compat in readings(recovery) {
                for timestamps in flags {
                    for delayed in flags {
                        let seed = (law_index * RECOVERIES.len() + index) as u64 * 8
                            + u64::from(timestamps) * 4
                            + u64::from(delayed) * 2
                            + u64::from(compat == Compat::Ns2);
                        let sender = SenderConfig {
                            recovery,
                            timestamps,
                            compat,
                            ecn: faults.mark_percent > 0,
                            handshake: seed.is_multiple_of(3),
                            max_window: Some(64),
                            spurious: detection(timestamps, delayed),
                            threshold_adaptation: adaptation((law_index + index) as u64),
                            ..SenderConfig::default()
                        };
                        let receiver = ReceiverConfig {
                            delayed_ack: delayed.then_some(Duration::from_millis(100)),
                            sack: matches!(recovery, Recovery::Sack | Recovery::Rack),
                            d_sack: timestamps != delayed,
                            ecn: sender.ecn,
                            compat,
                            ..ReceiverConfig::default()
                        };
                        let law_of_sender = controller(law, &sender);
                        let name = format!(
                            "{recovery:?} {law} {compat:?} timestamps {timestamps} delayed ACKs \
                             {delayed}, seed {seed}"
                        );
                        let transfer = Channel::new(faults, seed).run(
                            sender,
                            law_of_sender,
                            receiver,
                            SEGMENTS,
                        );
                        check(&name, transfer);
                    }
                }
            }
        }
    }
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
        // At least what was lost is sent again: about 20 of 400, 8 or more but for one in 10⁴.
        assert!(transfer.retransmits >= 8, "{name}: {transfer:?}");
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
        // A genie knows when nothing but ACKs was lost.
        let silent = name.starts_with("Genie");
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
        let law = controller("reno", &sender);
        Channel::new(faults, seed).run(sender, law, ReceiverConfig::default(), SEGMENTS)
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

fn settings() -> impl Strategy<Value = SenderConfig> {
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
            let readings = readings(recovery);
            let compat = readings[usize::from(bit(0)) % readings.len()];
            SenderConfig {
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
                compat,
                ..SenderConfig::default()
            }
        },
    )
}

proptest! {
    /// Whatever is set, and whatever goes wrong.
    #[test]
    fn any_settings_deliver_all_data(
        sender in settings(),
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
            compat: sender.compat,
            ..ReceiverConfig::default()
        };
        let law_of_sender = controller(law, &sender);
        let name = format!("{law} {sender:?} {faults:?} {seed}");
        all_arrives(&name, Channel::new(faults, seed).run(sender, law_of_sender, receiver, SEGMENTS));
    }
}
