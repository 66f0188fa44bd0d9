//! When a single step of the round trip makes a sender believe in a loss that there was none.
//!
//! The paper leaves its conditions out "due to space considerations" (§III.A); these are derived
//! for its setting: one flow sends rounds of w packets over a link of rate μ, w ≤ μ T₁, each packet
//! is acknowledged at once, and a packet keeps the delay it left with. The round in question begins
//! at 0 with the first ACK of the round before; its packet i leaves at i/μ, and the ACKs of the round
//! before end at (w − 1)/μ.

use units::Duration;

/// A step of the round trip from `before` to `after`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Packets in a round, w.
    pub window: u64,
    /// Time of a packet on the link, 1/μ.
    pub packet: Duration,
    /// Round trip before the step, T₁, a packet's time on the link included; at least w/μ.
    pub before: Duration,
    /// Round trip after it, T₂.
    pub after: Duration,
}

/// When the step comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// In the idle time before the round, or just as it begins.
    Idle,
    /// In the busy time, just before packet k of the round leaves; 1 ≤ k < w.
    Packet(u64),
}

impl Step {
    /// Whether the retransmission timer, which waits for `timeout` (Y₁), expires before an ACK that
    /// is only late.
    ///
    /// It restarts at every new ACK. After a step in the idle time the last one in time comes at
    /// (w − 1)/μ and the first late one at T₂. After a step in the busy time they come at
    /// T₁ + (k − 1)/μ and T₂ + k/μ.
    pub fn times_out(&self, moment: Moment, timeout: Duration) -> bool {
        let (last, late) = match moment {
            Moment::Idle => (self.busy(), self.after),
            Moment::Packet(_) => (self.before, self.after + self.packet),
        };
        late.saturating_sub(last) > timeout
    }

    /// How many duplicate ACKs come in a row.
    ///
    /// They are of the packets that left after the step and arrive when the ACKs of the round before
    /// have ended and before the first packet that left before the step. Those that arrive earlier
    /// or later alternate with packets in order, which reset the count.
    pub fn duplicates_in_a_row(&self, moment: Moment) -> u64 {
        let Moment::Packet(first) = moment else {
            return 0; // nothing that left before is still under way
        };
        let arrival = |packet: u64| self.after.saturating_add(self.packet * packet);
        let alone =
            |packet: &u64| (self.busy() < arrival(*packet)) && arrival(*packet) < self.before;
        (first..self.window).filter(alone).count() as u64
    }

    /// Whether `threshold` (D) duplicate ACKs come in a row, so that a packet which is only
    /// overtaken is sent again.
    pub fn retransmits_fast(&self, moment: Moment, threshold: u64) -> bool {
        let overtakes =
            matches!(moment, Moment::Packet(_)) && self.after + self.packet < self.before;
        // A single duplicate suffices for D = 1, whatever it alternates with.
        self.duplicates_in_a_row(moment) >= threshold || (threshold == 1 && overtakes)
    }

    /// How long the packets of a round take to leave, without the last: (w − 1)/μ.
    fn busy(&self) -> Duration {
        self.packet * self.window.saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    /// A link of 125 packets/s: 8 ms each.
    fn step(window: u64, before: u64, after: u64) -> Step {
        Step {
            window,
            packet: ms(8),
            before: ms(before),
            after: ms(after),
        }
    }

    /// Figure 1: 300 − 25 × 8 = 100 ms. Figure 2: 300 − 12 × 8 = 204 ms. The timeout is 200 ms.
    #[test]
    fn figure_2_times_out_and_figure_1_does_not() {
        assert!(!step(26, 200, 300).times_out(Moment::Idle, ms(200)));
        assert!(step(13, 200, 300).times_out(Moment::Idle, ms(200)));
    }

    /// Idle, w = 13: T₂ − 96 > 200, so beyond 296 ms. Busy: T₂ − 200 + 8 > 200, so beyond 392 ms.
    #[test]
    fn the_thresholds_of_a_timeout_with_a_window_of_13() {
        for (after, idle, busy) in [
            (295, false, false),
            (297, true, false),
            (391, true, false),
            (393, true, true),
        ] {
            let step = step(13, 200, after);
            assert_eq!(step.times_out(Moment::Idle, ms(200)), idle, "{after} ms");
            assert_eq!(
                step.times_out(Moment::Packet(9), ms(200)),
                busy,
                "{after} ms"
            );
        }
    }

    /// Figure 4: packets 9 to 12 arrive at 172, 180, 188, 196 ms, all after 96 and before 200 ms:
    /// four. With w = 24 they must come after 184 and before 200 ms: only 188 and 196.
    #[test]
    fn figure_4_retransmits_with_a_window_of_13_and_not_with_24() {
        let (small, large) = (step(13, 200, 100), step(24, 200, 100));
        assert_eq!(small.duplicates_in_a_row(Moment::Packet(9)), 4);
        assert!(small.retransmits_fast(Moment::Packet(9), 3));
        assert!(!small.retransmits_fast(Moment::Packet(9), 5));
        assert_eq!(large.duplicates_in_a_row(Moment::Packet(9)), 2);
        assert!(!large.retransmits_fast(Moment::Packet(9), 3));
        assert!(!small.retransmits_fast(Moment::Idle, 1));
    }

    /// From 200 to 191 ms packet 1 overtakes packet 0 by 1 ms; to 193 ms it does not.
    #[test]
    fn with_a_threshold_of_one_any_overtaking_does() {
        assert!(step(25, 200, 191).retransmits_fast(Moment::Packet(24), 1));
        assert!(!step(25, 200, 191).retransmits_fast(Moment::Packet(24), 2));
        assert!(!step(25, 200, 193).retransmits_fast(Moment::Packet(24), 1));
    }
}
