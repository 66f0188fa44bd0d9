//! Applications: what has to be sent, and when.

use netsim::Lengths;
use netsim::random::Stream;
use units::{Bytes, Rate, Time};

/// Where the data of a flow comes from.
#[derive(Debug)]
pub(crate) enum Application {
    /// All data is there at the start: everything, or a number of packets.
    Bulk {
        /// Size of a finite transfer.
        packets: Option<u64>,
    },
    /// Packets at a constant rate.
    Constant(Pace),
    /// Packets at a constant rate while on, nothing while off.
    OnOff(Box<OnOff>),
}

/// Packets at equal distances, without drift.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    rate: Rate,
    packet: Bytes,
    /// When the first packet of this stretch is due, and how many have been given since.
    from: Time,
    given: u64,
    /// Packets left to give; `None` for no end.
    left: Option<u64>,
}

/// On and off periods.
#[derive(Debug)]
pub(crate) struct OnOff {
    pub(crate) pace: Pace,
    pub(crate) on: Lengths,
    pub(crate) off: Lengths,
    pub(crate) random: Stream,
    /// When the present on period ends.
    pub(crate) until: Time,
}

/// What an application does when its time has come.
pub(crate) struct Turn {
    /// Packets to hand over now; `u64::MAX` for all there will ever be.
    pub(crate) packets: u64,
    /// When to ask again.
    pub(crate) next: Option<Time>,
}

impl Pace {
    pub(crate) fn new(rate: Rate, packet: Bytes, packets: Option<u64>) -> Self {
        Self {
            rate,
            packet,
            from: Time::ZERO,
            given: 0,
            left: packets,
        }
    }

    fn restart(&mut self, at: Time) {
        self.from = at;
        self.given = 0;
    }

    /// Gives one packet; says when the next is due.
    fn give(&mut self) -> Turn {
        if self.left == Some(0) {
            return Turn {
                packets: 0,
                next: None,
            };
        }
        self.given += 1;
        self.left = self.left.map(|left| left - 1);
        let due = self
            .from
            .saturating_add(self.rate.time_for(Bytes(self.packet.0 * self.given)));
        Turn {
            packets: 1,
            next: (self.left != Some(0) && due < Time::MAX).then_some(due),
        }
    }
}

impl Application {
    /// The first turn of an application, at `now`.
    pub(crate) fn begin(&mut self, now: Time) -> Turn {
        match self {
            Self::Bulk { packets } => Turn {
                packets: packets.unwrap_or(u64::MAX),
                next: None,
            },
            Self::Constant(pace) => {
                pace.restart(now);
                pace.give()
            }
            Self::OnOff(on_off) => {
                on_off.switch_on(now);
                on_off.give()
            }
        }
    }

    /// The next turn, at the time that the last one named.
    pub(crate) fn go_on(&mut self, now: Time) -> Turn {
        match self {
            Self::Bulk { .. } => Turn {
                packets: 0,
                next: None,
            },
            Self::Constant(pace) => pace.give(),
            Self::OnOff(on_off) => {
                if now >= on_off.until {
                    on_off.switch_on(now);
                }
                on_off.give()
            }
        }
    }
}

impl OnOff {
    fn switch_on(&mut self, now: Time) {
        self.until = now.saturating_add(self.on.draw(&mut self.random));
        self.pace.restart(now);
    }

    /// Gives a packet. Where the next would fall beyond the on period, an off period follows.
    fn give(&mut self) -> Turn {
        let turn = self.pace.give();
        match turn.next {
            Some(next) if next >= self.until => {
                let off = self.off.draw(&mut self.random);
                let resume = self.until.saturating_add(off).max(next);
                self.until = Time::ZERO; // the next turn begins an on period
                Turn {
                    next: Some(resume),
                    ..turn
                }
            }
            _ => turn,
        }
    }
}

#[cfg(test)]
mod tests {
    use units::Duration;

    use super::*;

    #[test]
    fn a_constant_rate_does_not_drift() {
        // 1000 B at 3 Mb/s: 8/3 ms apart; the 3,000,000th packet after the first is due at 8000 s.
        let mut application =
            Application::Constant(Pace::new(Rate::mbit_per_s(3), Bytes(1_000), None));
        let mut turn = application.begin(Time::ZERO);
        for _ in 1..3_000_000 {
            turn = application.go_on(turn.next.unwrap());
        }
        assert_eq!(turn.next, Some(Time::ZERO + Duration::from_secs(8_000)));
    }

    #[test]
    fn a_finite_source_ends() {
        let mut application =
            Application::Constant(Pace::new(Rate::mbit_per_s(8), Bytes(1_000), Some(2)));
        let first = application.begin(Time::ZERO);
        assert_eq!(
            (first.packets, first.next),
            (1, Some(Time::ZERO + Duration::from_millis(1)))
        );
        let second = application.go_on(first.next.unwrap());
        assert_eq!((second.packets, second.next), (1, None));
    }

    #[test]
    fn on_and_off_share_the_time_as_their_means_say() {
        // On 1 s at 1 packet/ms, off 3 s: a quarter of 1000 packets a second. Over 4000 s of
        // exponential periods the number of cycles is 1000, so the standard error of the share is
        // about 0.25·√(2/1000)·√(0.75² + 0.75²)… under 0.012; bounds of four of those.
        let pace = Pace::new(Rate::mbit_per_s(8), Bytes(1_000), None);
        let mut application = Application::OnOff(Box::new(OnOff {
            pace,
            on: Lengths::Exponential {
                mean: Duration::from_secs(1),
            },
            off: Lengths::Exponential {
                mean: Duration::from_secs(3),
            },
            random: Stream::named(1, "test"),
            until: Time::ZERO,
        }));
        let end = Time::ZERO + Duration::from_secs(4_000);
        let mut turn = application.begin(Time::ZERO);
        let mut packets = 0;
        while let Some(next) = turn.next
            && next < end
        {
            packets += turn.packets;
            turn = application.go_on(next);
        }
        let share = packets as f64 / 4_000_000.0;
        assert!((0.20..=0.30).contains(&share), "{share}");
    }
}
