//! HyStart++: slow start that ends before the queue is full, when round trips grow.
//!
//! Follows RFC 9406. Once the smallest round trip of a round is clearly longer than that of the round
//! before, the window grows at a quarter of the speed (conservative slow start); if round trips fall
//! again it was a false alarm; after five such rounds slow start is over.
//!
//! A part for window laws: it says by how much an ACK lets the window grow, and when slow start ends.
//! For the first slow start of a connection only (§4.3); a loss ends it for good, which the law sees.

use units::Duration;

use crate::Ack;

/// What an ACK in slow start does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Packets that the window grows by.
    pub packets: f64,
    /// Slow start is over: the window is the threshold now.
    pub ends: bool,
}

/// Watches the round trips of a slow start.
#[derive(Clone, Copy, Debug)]
pub struct HyStart {
    /// Most packets that one ACK grows the window by (L).
    limit: f64,
    phase: Phase,
    round: Round,
    /// Smallest round trip of the round before.
    last_min: Option<Duration>,
    /// One past the highest packet sent.
    next: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    SlowStart,
    /// Conservative slow start.
    Conservative {
        /// Smallest round trip of the round that began it.
        baseline: Duration,
        /// Rounds so far, the one that began it included.
        rounds: u32,
    },
}

#[derive(Clone, Copy, Debug, Default)]
struct Round {
    /// One past the highest packet sent when it began, whose ACK ends it; 0 before the first ACK.
    end: u64,
    min: Option<Duration>,
    samples: u32,
}

impl HyStart {
    /// For a connection whose packets leave `paced` or in bursts.
    pub fn new(paced: bool) -> Self {
        Self {
            limit: if paced {
                f64::INFINITY
            } else {
                UNPACED_LIMIT_PACKETS
            },
            phase: Phase::SlowStart,
            round: Round::default(),
            last_min: None,
            next: 0,
        }
    }

    /// Packet `number` left.
    #[inline]
    pub fn on_sent(&mut self, number: u64) {
        self.next = self.next.max(number + 1);
    }

    /// An ACK of slow start.
    pub fn on_ack(&mut self, ack: &Ack) -> Growth {
        if self.round.end == 0 {
            self.round.end = self.next;
        }
        let counted = (ack.acked_packets as f64).min(self.limit);
        let packets = match self.phase {
            Phase::SlowStart => counted,
            Phase::Conservative { .. } => counted / CSS_GROWTH_DIVISOR,
        };
        if let Some(rtt) = ack.rtt {
            self.round.min = Some(self.round.min.map_or(rtt, |min| min.min(rtt)));
            self.round.samples += 1;
            self.look();
        }
        let mut ends = false;
        if ack.newest.number + 1 >= self.round.end {
            self.last_min = self.round.min;
            self.round = Round {
                end: self.next,
                ..Round::default()
            };
            if let Phase::Conservative { rounds, .. } = &mut self.phase {
                ends = *rounds >= CSS_ROUNDS;
                *rounds += 1;
            }
        }
        Growth { packets, ends }
    }

    /// Whether the round trips of this round have grown, or fallen again.
    fn look(&mut self) {
        let Some(min) = self.round.min.filter(|_| self.round.samples >= RTT_SAMPLES) else {
            return;
        };
        match self.phase {
            Phase::SlowStart => {
                let Some(last) = self.last_min else {
                    return;
                };
                if min >= last.saturating_add(threshold(last)) {
                    self.phase = Phase::Conservative {
                        baseline: min,
                        rounds: 1,
                    };
                }
            }
            Phase::Conservative { baseline, .. } => {
                if min < baseline {
                    self.phase = Phase::SlowStart;
                }
            }
        }
    }
}

/// By how much a round trip must exceed the last one's `min`.
fn threshold(min: Duration) -> Duration {
    (min / MIN_RTT_DIVISOR).clamp(SMALLEST_THRESHOLD, LARGEST_THRESHOLD)
}

/// `MIN_RTT_THRESH` (RFC 9406 §4.3).
const SMALLEST_THRESHOLD: Duration = Duration::from_millis(4);
/// `MAX_RTT_THRESH`.
const LARGEST_THRESHOLD: Duration = Duration::from_millis(16);
/// `MIN_RTT_DIVISOR`.
const MIN_RTT_DIVISOR: u64 = 8;
/// `N_RTT_SAMPLE`.
const RTT_SAMPLES: u32 = 8;
/// `CSS_GROWTH_DIVISOR`.
const CSS_GROWTH_DIVISOR: f64 = 4.0;
/// `CSS_ROUNDS`.
const CSS_ROUNDS: u32 = 5;
/// L of senders that do not pace.
const UNPACED_LIMIT_PACKETS: f64 = 8.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PacketRef;
    use crate::testing::ack;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    /// Rounds of `packets` ACKs, one packet each, at a round trip of so many ms; what they add up
    /// to, and in which round slow start ended.
    fn rounds(hystart: &mut HyStart, packets: u64, rtts: &[u64]) -> (f64, Option<usize>) {
        let mut grown = 0.0;
        for (index, rtt) in rtts.iter().enumerate() {
            let first = hystart.next;
            for number in first - packets..first {
                if number == first - 1 {
                    (first..first + packets).for_each(|number| hystart.on_sent(number));
                }
                let growth = hystart.on_ack(&Ack {
                    rtt: Some(MS(*rtt)),
                    newest: PacketRef {
                        number,
                        ..PacketRef::default()
                    },
                    ..ack()
                });
                grown += growth.packets;
                if growth.ends {
                    return (grown, Some(index));
                }
            }
        }
        (grown, None)
    }

    fn started(paced: bool, packets: u64) -> HyStart {
        let mut hystart = HyStart::new(paced);
        for number in 0..packets {
            hystart.on_sent(number);
        }
        hystart
    }

    #[test]
    fn thresholds_are_an_eighth_within_bounds() {
        for (base, expected) in [
            (10, 4_000),
            (32, 4_000),
            (40, 5_000),
            (100, 12_500),
            (128, 16_000),
            (200, 16_000),
        ] {
            assert_eq!(threshold(MS(base)), Duration::from_micros(expected));
        }
    }

    /// Round trips of 100 ms, then 113 ≥ 112.5: from the eighth sample of that round on, four ACKs
    /// grow the window by one packet. Of 10 ACKs a round: 10 + 10 + 8 at full speed, then a quarter:
    /// the 2 left of that round, and four rounds of 10. The end of the fifth round ends it.
    #[test]
    fn longer_round_trips_slow_it_down_and_end_it_after_five_rounds() {
        let mut hystart = started(true, 10);
        let (grown, ended) = rounds(&mut hystart, 10, &[100, 100, 113, 113, 113, 113, 113]);
        assert_eq!(ended, Some(6));
        assert_eq!(grown, 28.0 + 2.0 / 4.0 + 40.0 / 4.0);
    }

    #[test]
    fn a_round_of_jitter_is_a_false_alarm() {
        let mut hystart = started(true, 10);
        let (_, ended) = rounds(
            &mut hystart,
            10,
            &[100, 100, 113, 100, 100, 100, 100, 100, 100],
        );
        assert_eq!(ended, None);
        assert_eq!(hystart.phase, Phase::SlowStart);
    }

    #[test]
    fn round_trips_below_the_threshold_change_nothing() {
        let mut hystart = started(true, 10);
        let (grown, ended) = rounds(&mut hystart, 10, &[100, 112, 112, 112, 112, 112, 112]);
        assert_eq!((grown, ended), (70.0, None));
    }

    /// quiche's figure: in conservative slow start eight ACKs add two packets.
    #[test]
    fn a_stretched_ack_counts_eight_packets_unless_paced() {
        let stretched = Ack {
            acked_packets: 20,
            ..ack()
        };
        assert_eq!(HyStart::new(false).on_ack(&stretched).packets, 8.0);
        assert_eq!(HyStart::new(true).on_ack(&stretched).packets, 20.0);
        let mut conservative = HyStart::new(false);
        conservative.phase = Phase::Conservative {
            baseline: MS(100),
            rounds: 1,
        };
        assert_eq!(conservative.on_ack(&stretched).packets, 2.0);
    }
}
