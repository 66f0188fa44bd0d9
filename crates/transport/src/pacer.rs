//! When the next packet may leave: pacing.
//!
//! Packets leave at the rate that the controller gives, or, for a window law, at a multiple of its
//! window for each round trip ([`Pacing`]): as Linux does it (`tcp_update_pacing_rate`), or RFC 9002
//! §7.7. They leave one by one, or in groups of a quantum back to back that are charged to the rate as
//! a whole. The time that nothing was sent gives no credit: after it one group leaves, or as many
//! packets as [`Pacing::idle_burst`] allows. What is sent again waits like new data; what recovery
//! forces does not wait, but is charged.
//!
//! Differs from Linux: no credit for being late (half the delay of the next packet), since a timer here
//! is never late.

use units::{Bytes, Duration, Rate, Time};

/// How a window is spread over the round trip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pacing {
    /// Windows for each smoothed round trip in slow start, that is below half of the threshold. Over
    /// 0.
    pub slow_start: f64,
    /// The same from there on. Over 0; below 1 the window is never full.
    pub avoidance: f64,
    /// Packets that leave unpaced when the connection begins.
    pub initial_burst: u64,
    /// Packets that leave unpaced when nothing was in flight.
    pub idle_burst: u64,
}

impl Pacing {
    /// Linux: `tcp_pacing_ss_ratio` 200 %, `tcp_pacing_ca_ratio` 120 %, the first ten packets unpaced.
    pub const LINUX: Self = Self {
        slow_start: 2.0,
        avoidance: 1.2,
        initial_burst: 10,
        idle_burst: 0,
    };

    /// The rate of a window over a round trip that is known; none before it is.
    pub(crate) fn rate(&self, window: Bytes, slow_start: bool, rtt: Duration) -> Option<Rate> {
        if rtt.is_zero() {
            return None;
        }
        let factor = if slow_start {
            self.slow_start
        } else {
            self.avoidance
        };
        let bits = window.as_f64() * 8.0 * factor / rtt.as_secs_f64();
        Some(Rate::bits_per_s((bits as u64).max(1)))
    }
}

/// The clock of the packets that leave.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pacer {
    /// When the next group may leave.
    next: Time,
    /// What may still leave of the group that has begun.
    left: Bytes,
    /// Packets that may leave unpaced.
    burst: u64,
}

impl Pacer {
    /// The connection begins.
    pub(crate) fn start(&mut self, now: Time, pacing: Option<&Pacing>) {
        self.next = now;
        self.burst = pacing.map_or(0, |pacing| pacing.initial_burst);
    }

    /// When a packet of this size may leave; a time that has passed is now.
    #[inline]
    pub(crate) fn due(&self, size: Bytes) -> Time {
        if self.burst > 0 || self.left >= size {
            Time::ZERO
        } else {
            self.next
        }
    }

    /// A packet leaves before there is a rate.
    pub(crate) fn on_sent_unpaced(&mut self) {
        self.burst = self.burst.saturating_sub(1);
    }

    /// A packet leaves, at `rate`.
    pub(crate) fn on_sent(&mut self, departure: &Departure) {
        let Departure {
            now, size, rate, ..
        } = *departure;
        if departure.after_idle {
            self.burst = self.burst.max(departure.idle_burst);
        }
        if self.burst > 0 {
            self.burst -= 1;
            self.next = self.next.max(now);
            return;
        }
        if now >= self.next || self.left < size {
            self.left = departure.quantum.max(size);
        }
        self.left = self.left.saturating_sub(size);
        self.next = self.next.max(now).saturating_add(rate.time_for(size));
    }
}

/// A packet that leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Departure {
    pub(crate) now: Time,
    pub(crate) size: Bytes,
    pub(crate) rate: Rate,
    /// Most that leaves back to back.
    pub(crate) quantum: Bytes,
    /// Nothing else is in flight.
    pub(crate) after_idle: bool,
    pub(crate) idle_burst: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Bytes = Bytes(1_500);

    fn at(us: u64) -> Time {
        Time::ZERO + Duration::from_micros(us)
    }

    /// Departures in µs of packets that are always there, from `start` on.
    fn departures(
        pacer: &mut Pacer,
        rate: Rate,
        quantum: Bytes,
        start: u64,
        count: usize,
    ) -> Vec<u64> {
        let mut now = at(start);
        let mut left = vec![];
        for _ in 0..count {
            now = now.max(pacer.due(SIZE));
            pacer.on_sent(&Departure {
                now,
                size: SIZE,
                rate,
                quantum,
                after_idle: false,
                idle_burst: 0,
            });
            left.push(now.as_picos() / 1_000_000);
        }
        left
    }

    /// 12 Mb/s: 1500 B each millisecond. A pause of 10 ms gives no credit.
    #[test]
    fn packets_are_one_time_apart_and_a_pause_is_not_made_up_for() {
        let mut pacer = Pacer::default();
        let rate = Rate::mbit_per_s(12);
        let left = departures(&mut pacer, rate, SIZE, 0, 4);
        assert_eq!(left, [0, 1_000, 2_000, 3_000]);
        let left = departures(&mut pacer, rate, SIZE, 14_000, 3);
        assert_eq!(left, [14_000, 15_000, 16_000]);
    }

    /// Three packets to a group of 4500 B, or 5999: 3 ms each.
    #[test]
    fn groups_leave_back_to_back_and_are_charged_whole() {
        for quantum in [4_500, 5_999] {
            let mut pacer = Pacer::default();
            let left = departures(&mut pacer, Rate::mbit_per_s(12), Bytes(quantum), 0, 7);
            assert_eq!(left, [0, 0, 0, 3_000, 3_000, 3_000, 6_000]);
            // A group that was not finished before a pause is not finished after it.
            let left = departures(&mut pacer, Rate::mbit_per_s(12), Bytes(quantum), 20_000, 4);
            assert_eq!(left, [20_000, 20_000, 20_000, 23_000]);
        }
    }

    #[test]
    fn a_quantum_below_a_packet_is_a_packet() {
        let mut pacer = Pacer::default();
        let left = departures(&mut pacer, Rate::mbit_per_s(12), Bytes(100), 0, 3);
        assert_eq!(left, [0, 1_000, 2_000]);
    }

    #[test]
    fn bursts_at_the_start_and_after_an_idle_time_are_unpaced() {
        let mut pacer = Pacer::default();
        pacer.start(at(0), Some(&Pacing::LINUX));
        let rate = Rate::mbit_per_s(12);
        let left = departures(&mut pacer, rate, SIZE, 0, 12);
        assert_eq!(left, [&[0; 11][..], &[1_000]].concat());
        // Then two after an idle time: this one and the next.
        pacer.on_sent(&Departure {
            now: at(50_000),
            size: SIZE,
            rate,
            quantum: SIZE,
            after_idle: true,
            idle_burst: 2,
        });
        let left = departures(&mut pacer, rate, SIZE, 50_000, 3);
        assert_eq!(left, [50_000, 50_000, 51_000]);
    }

    /// Linux, packets of 1500 B and 100 ms: 20 of them are 2.4 Mb/s, 40 are 4.8.
    #[test]
    fn a_window_is_sent_in_less_than_a_round_trip() {
        let rtt = Duration::from_millis(100);
        for (packets, slow_start, kbit) in
            [(20, false, 2_880), (20, true, 4_800), (40, false, 5_760)]
        {
            let rate = Pacing::LINUX.rate(SIZE * packets, slow_start, rtt);
            assert_eq!(rate, Some(Rate::kbit_per_s(kbit)));
        }
        assert_eq!(Pacing::LINUX.rate(SIZE, true, Duration::ZERO), None);
    }
}
