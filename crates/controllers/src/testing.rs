//! Signals for the unit tests of controllers: packets of 1000 bytes.

use std::collections::BTreeMap;

use units::{Bytes, Duration, Time};

use crate::parameters::Given;
use crate::{Ack, Congestion, CongestionController, Controller, Episode, PacketRef, Setup, Signal};

const SEGMENT: Bytes = Bytes(1_000);

pub(crate) fn setup(initial_window_packets: u64) -> Setup {
    Setup::new(SEGMENT, SEGMENT * initial_window_packets)
}

/// An ACK for one packet.
pub(crate) fn ack() -> Ack {
    Ack {
        now: Time::ZERO,
        acked: SEGMENT,
        acked_packets: 1,
        newly_delivered: SEGMENT,
        delivered_total: SEGMENT,
        newly_lost: Bytes::ZERO,
        rtt: None,
        smoothed_rtt: Duration::ZERO,
        min_rtt: Duration::ZERO,
        one_way_delay: None,
        in_flight: SEGMENT,
        delivered: None,
        app_limited: false,
        window_limited: true,
        newest: PacketRef {
            number: 0,
            sent_at: Time::ZERO,
        },
        in_recovery: false,
        ecn_ce: 0,
        report: None,
    }
}

/// A loss that opens an episode while `flight` packets are outstanding.
pub(crate) fn loss(flight: u64) -> Congestion {
    Congestion {
        now: Time::ZERO,
        signal: Signal::Loss,
        episode: Episode::Begins,
        lost: SEGMENT,
        lost_packets: 1,
        newest: PacketRef {
            number: 0,
            sent_at: Time::ZERO,
        },
        flight_size: SEGMENT * flight,
        lost_total: SEGMENT,
        range_begins: true,
        sent: None,
    }
}

pub(crate) fn timeout(flight: u64) -> Congestion {
    Congestion {
        signal: Signal::Timeout,
        ..loss(flight)
    }
}

/// The window in packets, as the controller reports it.
pub(crate) fn window(controller: &dyn CongestionController) -> f64 {
    let mut window = None;
    controller.variables(&mut |name, value| {
        if name == "window" {
            window = Some(value);
        }
    });
    window.expect("every controller reports its window")
}

/// A controller with these parameters, numbers and words as text.
pub(crate) fn build(
    controller: &Controller,
    given: &[(&str, &str)],
    setup: &Setup,
) -> Box<dyn CongestionController> {
    let given: BTreeMap<_, _> = given
        .iter()
        .map(|(name, value)| {
            let value = match (value.parse(), *value) {
                (Ok(number), _) => Given::Number(number),
                (_, "true") => Given::Flag(true),
                (_, "false") => Given::Flag(false),
                (_, word) => Given::Text(word.to_owned()),
            };
            ((*name).to_owned(), value)
        })
        .collect();
    let parameters = controller.resolve(&given).expect("valid");
    (controller.build)(&parameters, setup)
}

/// The highest and the lowest window of the last of `losses` intervals, where every so many packets
/// one is lost.
pub(crate) fn saw_teeth(
    controller: &mut dyn CongestionController,
    packets: u64,
    losses: u64,
) -> (f64, f64) {
    let mut highest = 0.0;
    for _ in 0..losses {
        for _ in 1..packets {
            controller.on_ack(&ack());
        }
        highest = window(controller);
        controller.on_congestion(&Congestion {
            flight_size: Bytes((highest * SEGMENT.as_f64()) as u64),
            ..loss(0)
        });
    }
    (highest, window(controller))
}
