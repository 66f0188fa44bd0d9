//! Reno: one packet more each round trip, half the window on congestion.
//!
//! Follows RFC 5681 §3.1 and §3.2; the window law itself is [`Aimd`].

use crate::ack_clocked::AckClocked;
use crate::aimd::Aimd;
use crate::parameters::COUNTING;
use crate::slow_start::LIMITED_SLOW_START;
use crate::{Carrier, CongestionController, Controller, Parameters, Properties, Setup};

/// Reno, by name.
pub const CONTROLLER: Controller = Controller {
    name: "reno",
    summary: "One packet more each round trip, half the window on congestion.",
    source: "RFC 5681 §3.1, §3.2",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[COUNTING, LIMITED_SLOW_START],
    build: &build,
};

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    AckClocked::boxed(LAW, parameters, setup)
}

/// One packet more each round trip, half kept (RFC 5681 §3.1 (3), (4)).
pub const LAW: Aimd = Aimd {
    alpha: 1.0,
    beta: 0.5,
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use units::Bytes;

    use super::*;
    use crate::Ack;
    use crate::testing::{ack, loss, setup, timeout, window};

    fn reno() -> Box<dyn CongestionController> {
        let parameters = CONTROLLER.resolve(&BTreeMap::new()).unwrap();
        (CONTROLLER.build)(&parameters, &setup(10))
    }

    #[test]
    fn slow_start_adds_a_packet_for_each_ack() {
        let mut reno = reno();
        for _ in 0..10 {
            reno.on_ack(&ack());
        }
        assert_eq!(reno.limits().window, Bytes(20_000));
    }

    #[test]
    fn acks_that_say_nothing_of_the_path_open_no_window() {
        let mut reno = reno();
        for ack in [
            Ack {
                app_limited: true,
                ..ack()
            },
            Ack {
                in_recovery: true,
                ..ack()
            },
            Ack {
                acked_packets: 0,
                ..ack()
            },
        ] {
            reno.on_ack(&ack);
            assert_eq!(window(&*reno), 10.0, "{ack:?}");
        }
    }

    #[test]
    fn a_loss_halves_the_outstanding_data() {
        let mut reno = reno();
        reno.on_congestion(&loss(9));
        // 9 packets outstanding: half is 4.5, below the window of 10.
        assert_eq!(window(&*reno), 4.5);
    }

    #[test]
    fn a_timeout_starts_again_from_one_packet() {
        let mut reno = reno();
        reno.on_congestion(&timeout(10));
        assert_eq!(window(&*reno), 1.0);
        for _ in 0..4 {
            reno.on_ack(&ack());
        }
        // Slow start to the threshold of 5 packets, then 1/5 for the next ACK.
        assert_eq!(window(&*reno), 5.0);
        reno.on_ack(&ack());
        assert_eq!(window(&*reno), 5.2);
    }

    #[test]
    fn a_spurious_signal_is_undone_in_full() {
        let mut reno = reno();
        reno.on_congestion(&timeout(10));
        reno.on_spurious_congestion();
        assert_eq!(window(&*reno), 10.0);
    }
}
