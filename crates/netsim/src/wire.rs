//! A wire: a transmitter that sends one packet after the other, and the delay behind it.

use units::{Duration, Rate, Time};

/// A transmitter with unlimited room before it, and a constant delay behind it.
///
/// Packets leave in order and none is lost, so nothing is known of those that wait but when the
/// transmitter will be free. There is no drift at any rate: while packets follow each other, the
/// fraction of a picosecond that one leaves over is carried to the next.
#[derive(Clone, Copy, Debug)]
pub struct Wire {
    /// When the transmitter will have sent all that it was given.
    free_at: u64,
    /// Propagation delay, in picoseconds.
    delay: u64,
    /// Picoseconds for a byte, where that is a whole number.
    byte_picos: u64,
    /// In bits per second; zero where `byte_picos` says all.
    rate: u64,
    /// Fraction of a picosecond carried, in units of 1/rate.
    carried: u64,
}

impl Wire {
    /// A wire. `rate` none: transmission takes no time.
    pub fn new(rate: Option<Rate>, delay: Duration) -> Self {
        let mut wire = Self {
            free_at: 0,
            delay: delay.as_picos(),
            byte_picos: 0,
            rate: 0,
            carried: 0,
        };
        if let Some(rate) = rate {
            wire.set_rate(rate);
        }
        wire
    }

    /// Changes the rate of all that is sent from now on.
    pub(crate) fn set_rate(&mut self, rate: Rate) {
        let rate = rate.as_bits_per_s();
        let whole = rate > 0 && PICOS_TIMES_BITS.is_multiple_of(rate);
        (self.byte_picos, self.rate) = if whole {
            (PICOS_TIMES_BITS / rate, 0)
        } else {
            (0, rate)
        };
    }

    /// When all that was given so far will have been sent.
    #[inline]
    pub(crate) fn free_at(&self) -> Time {
        Time::from_picos(self.free_at)
    }

    /// The delay in picoseconds, where sending takes no time.
    pub(crate) fn pure_delay(&self) -> Option<u64> {
        (self.byte_picos == 0 && self.rate == 0).then_some(self.delay)
    }

    pub(crate) fn delay(&self) -> Duration {
        Duration::from_picos(self.delay)
    }

    /// Sends a packet at `now` or as soon as those before it are sent: when it reaches the far
    /// end, and whether it had to wait.
    #[inline]
    pub(crate) fn send(&mut self, size: u32, now: Time) -> (Time, bool) {
        let now = now.as_picos();
        let waits = self.free_at > now;
        let end = self.transmit(size, now.max(self.free_at));
        (Time::from_picos(end + self.delay), waits)
    }

    /// Sends a packet at `start`, when those before it are sent: when its last bit has left.
    #[inline]
    pub(crate) fn transmit(&mut self, size: u32, start: u64) -> u64 {
        let mut picos = u64::from(size) * self.byte_picos;
        if self.rate != 0 {
            if start > self.free_at {
                self.carried = 0;
            }
            picos = self.divide(size);
        }
        self.free_at = start + picos;
        self.free_at
    }

    #[cold]
    #[inline(never)]
    fn divide(&mut self, size: u32) -> u64 {
        let rate = u128::from(self.rate);
        let scaled = u128::from(size) * u128::from(PICOS_TIMES_BITS) + u128::from(self.carried);
        self.carried = (scaled % rate) as u64;
        (scaled / rate) as u64
    }
}

/// Picoseconds in a second times bits in a byte.
const PICOS_TIMES_BITS: u64 = 8_000_000_000_000;

#[cfg(test)]
mod tests {
    use units::Bytes;

    use super::*;

    #[test]
    fn a_million_packets_at_three_megabits_end_exactly_on_time() {
        // 1000 B at 3 Mb/s take 8/3 ms, not a whole number of picoseconds; 1,000,000 of them
        // take 2666.666… s, and nothing may add up on the way.
        let mut wire = Wire::new(Some(Rate::mbit_per_s(3)), Duration::ZERO);
        let mut last = Time::ZERO;
        for _ in 0..1_000_000 {
            (last, _) = wire.send(1_000, Time::ZERO);
        }
        assert_eq!(last.as_picos(), 8_000_000_000_000_000 / 3);
    }

    #[test]
    fn an_infinitely_fast_wire_only_delays() {
        let mut wire = Wire::new(None, Duration::from_millis(1));
        for _ in 0..3 {
            let arrival = Time::ZERO + Duration::from_millis(1);
            assert_eq!(wire.send(1_000, Time::ZERO), (arrival, false));
        }
    }

    #[test]
    fn rates_that_divide_and_rates_that_do_not_agree_with_the_unit() {
        for rate in [
            Rate::mbit_per_s(10),
            Rate::mbit_per_s(3),
            Rate::bits_per_s(31_250),
        ] {
            let mut wire = Wire::new(Some(rate), Duration::ZERO);
            let (at, _) = wire.send(586, Time::ZERO);
            assert_eq!(at, Time::ZERO + rate.time_for(Bytes(586)), "{rate}");
        }
    }
}
