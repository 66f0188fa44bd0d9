//! The tail loss probe: after two round trips of silence one segment leaves, so that its ACK tells
//! what the end of a flight missed, before the retransmission timer would.
//!
//! Follows RFC 8985 §7. It needs [`super::rack`] to find losses by the probe's ACK.
//!
//! Choice: what §7.3 asks when the timer expires (no other probe out, a round trip measured since
//! the last) is asked when it is set. Nothing can change the answer between; and the retransmission
//! timer is not put off for a probe that does not leave.

use units::Duration;

use crate::SackBlock;

/// The probes of a connection.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TailLossProbe {
    /// The probe that is out.
    probe: Option<Probe>,
    /// A round trip was measured since the last probe, or at all.
    measured: bool,
}

#[derive(Clone, Copy, Debug)]
struct Probe {
    /// `TLP.end_seq`: one past the highest segment sent, the probe included.
    end: u64,
    /// `TLP.is_retrans`.
    retransmission: bool,
}

/// An ACK, as far as it tells of a probe.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProbeAck<'a> {
    /// The next segment that the receiver expects.
    pub(super) number: u64,
    /// The one that was expected before.
    pub(super) una: u64,
    pub(super) blocks: &'a [SackBlock],
    /// The segment reported as a duplicate.
    pub(super) duplicate: Option<SackBlock>,
}

impl TailLossProbe {
    /// A round trip was measured.
    pub(super) fn measure(&mut self) {
        self.measured = true;
    }

    /// Whether a probe may be sent (§7.3).
    pub(super) fn may_leave(self) -> bool {
        self.probe.is_none() && self.measured
    }

    /// PTO (§7.2), its limit by the retransmission timer aside. `srtt` is zero before the first
    /// sample.
    pub(super) fn timeout(srtt: Duration, in_flight: u64) -> Duration {
        if srtt.is_zero() {
            return UNKNOWN_TIMEOUT;
        }
        let timeout = srtt.saturating_mul(2);
        if in_flight == 1 {
            timeout.saturating_add(MAX_ACK_DELAY)
        } else {
            timeout
        }
    }

    /// A probe leaves (§7.3).
    pub(super) fn send(&mut self, end: u64, retransmission: bool) {
        self.probe = Some(Probe {
            end,
            retransmission,
        });
        self.measured = false;
    }

    /// Recovery begins, which does what is left to do (§7.1).
    pub(super) fn forget(&mut self) {
        self.probe = None;
    }

    /// `TLP_process_ack` (§7.4.2). Returns whether the probe repaired a loss that nothing else told
    /// of.
    pub(super) fn on_ack(&mut self, ack: &ProbeAck<'_>) -> bool {
        let Some(probe) = self.probe.filter(|probe| ack.number >= probe.end) else {
            return false;
        };
        let reported = ack.duplicate.is_some_and(|block| block.end == probe.end);
        let beyond = ack.number > probe.end;
        let repeats = ack.number == ack.una && ack.blocks.is_empty();
        if !probe.retransmission || reported || beyond || repeats {
            self.probe = None;
        }
        probe.retransmission && !reported && beyond
    }
}

/// PTO without a round trip (§7.2).
const UNKNOWN_TIMEOUT: Duration = Duration::from_secs(1);
/// `TLP.max_ack_delay`: how long a receiver may delay the ACK of a segment that comes alone. The
/// RFC leaves the value open; 200 ms as in Linux.
const MAX_ACK_DELAY: Duration = Duration::from_millis(200);

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: SackBlock = SackBlock { start: 9, end: 10 };

    /// A retransmission of segment 9, the highest sent, is out.
    fn probing() -> TailLossProbe {
        let mut probe = TailLossProbe::default();
        probe.measure();
        assert!(probe.may_leave());
        probe.send(10, true);
        assert!(!probe.may_leave());
        probe.measure();
        probe
    }

    fn ack(una: u64, number: u64) -> ProbeAck<'static> {
        ProbeAck {
            number,
            una,
            blocks: &[],
            duplicate: None,
        }
    }

    /// RFC 8985 §7.2: 2·SRTT, for one segment the delay of its ACK besides, 1 s without SRTT.
    #[test]
    fn the_timeout_is_two_round_trips() {
        let srtt = Duration::from_millis(40);
        let timeout = TailLossProbe::timeout;
        assert_eq!(timeout(srtt, 2), Duration::from_millis(80));
        assert_eq!(timeout(srtt, 1), Duration::from_millis(280));
        assert_eq!(timeout(Duration::ZERO, 1), Duration::from_secs(1));
    }

    #[test]
    fn one_probe_for_each_round_trip_measured() {
        let mut probe = TailLossProbe::default();
        assert!(!probe.may_leave(), "nothing measured");
        probe.measure();
        probe.send(10, false);
        assert!(!probe.on_ack(&ack(8, 10)));
        assert!(!probe.may_leave(), "nothing measured since");
        probe.measure();
        assert!(probe.may_leave());
    }

    /// §7.4.2: the last segment was lost, the probe was its repair; the ACK of the next data shows
    /// that nothing came twice.
    #[test]
    fn an_ack_beyond_the_probe_tells_of_a_repaired_loss() {
        let mut probe = probing();
        assert!(!probe.on_ack(&ack(9, 10)), "it may have been the original");
        assert!(!probe.may_leave());
        assert!(probe.on_ack(&ack(10, 11)));
        assert!(probe.may_leave());
        assert!(!probe.on_ack(&ack(11, 12)), "once");
    }

    /// Case 1: both came and the receiver reports it. The ACK of the original was late.
    #[test]
    fn a_report_of_the_duplicate_tells_that_nothing_was_lost() {
        let mut probe = probing();
        assert!(!probe.on_ack(&ack(9, 10)));
        let report = ProbeAck {
            blocks: &[ONE],
            duplicate: Some(ONE),
            ..ack(10, 10)
        };
        assert!(!probe.on_ack(&report));
        assert!(probe.may_leave());
        assert!(!probe.on_ack(&ack(10, 11)));
    }

    /// A report of another segment says nothing of the probe.
    #[test]
    fn a_report_of_another_segment_does_not_count() {
        let mut probe = probing();
        let other = SackBlock { start: 3, end: 4 };
        let report = ProbeAck {
            blocks: &[other],
            duplicate: Some(other),
            ..ack(10, 10)
        };
        assert!(!probe.on_ack(&report));
        assert!(probe.on_ack(&ack(10, 11)));
    }

    /// Case 2: both came, and the receiver reports no duplicates: its second ACK is empty.
    #[test]
    fn an_empty_duplicate_ack_tells_that_nothing_was_lost() {
        let mut probe = probing();
        assert!(!probe.on_ack(&ack(9, 10)));
        assert!(!probe.on_ack(&ack(10, 10)));
        assert!(!probe.on_ack(&ack(10, 11)));
    }

    #[test]
    fn new_data_as_a_probe_repairs_nothing() {
        let mut probe = TailLossProbe::default();
        probe.measure();
        probe.send(10, false);
        assert!(!probe.on_ack(&ack(8, 9)));
        assert!(!probe.on_ack(&ack(9, 11)));
    }

    #[test]
    fn recovery_forgets_the_probe() {
        let mut probe = probing();
        probe.forget();
        assert!(!probe.on_ack(&ack(9, 11)));
    }
}
