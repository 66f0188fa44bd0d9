//! Round-trip estimates of the equation-based controls: a slow mean, and the timeout of TCP.
//!
//! [`SmoothedRtt`] follows RFC 5348 §4.3 step 2 and §4.5, [`TimeoutEstimate`] RFC 6298 §2 without
//! limits; its [`Clock::Ticks`] is the arithmetic of 4.3BSD as ns-2's TFRC has it.

use units::Duration;

/// An exponentially weighted mean of round trips, and of their square roots.
#[derive(Clone, Copy, Debug)]
pub struct SmoothedRtt {
    /// Weight of what was known before (q of RFC 5348).
    keep: f64,
    mean_s: Option<f64>,
    mean_root: f64,
    last_s: f64,
}

impl SmoothedRtt {
    /// Nothing known; each sample leaves the share `keep` of what was known, in [0, 1).
    pub const fn new(keep: f64) -> Self {
        Self {
            keep,
            mean_s: None,
            mean_root: 0.0,
            last_s: 0.0,
        }
    }

    /// Takes a sample.
    #[inline]
    pub fn sample(&mut self, rtt: Duration) {
        let rtt_s = rtt.as_secs_f64();
        let root = libm::sqrt(rtt_s);
        self.last_s = rtt_s;
        if let Some(mean_s) = &mut self.mean_s {
            *mean_s = self.keep * *mean_s + (1.0 - self.keep) * rtt_s;
            self.mean_root = self.keep * self.mean_root + (1.0 - self.keep) * root;
        } else {
            self.mean_s = Some(rtt_s);
            self.mean_root = root;
        }
    }

    /// The mean in seconds; none before the first sample.
    #[inline]
    pub fn seconds(&self) -> Option<f64> {
        self.mean_s
    }

    /// The mean; zero before the first sample.
    #[inline]
    pub fn duration(&self) -> Duration {
        Duration::from_secs_f64(self.mean_s.unwrap_or(0.0))
    }

    /// The last sample in seconds; zero before the first.
    #[inline]
    pub fn last_s(&self) -> f64 {
        self.last_s
    }

    /// Mean root over the root of the last sample: below 1 while the round trip is longer than
    /// usual. A rate times this does not oscillate with the queue (RFC 5348 §4.5). 1 before the
    /// first sample.
    #[inline]
    pub fn damping(&self) -> f64 {
        if self.last_s > 0.0 {
            self.mean_root / libm::sqrt(self.last_s)
        } else {
            1.0
        }
    }
}

/// The clock that a [`TimeoutEstimate`] is kept with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Exact.
    Fine,
    /// Whole ticks of this length (not zero), and integers scaled by 8 and 4. The deviation sticks
    /// at half a tick, so the timeout is never below three ticks.
    Ticks(Duration),
}

/// SRTT + 4·RTTVAR, the retransmission timeout of TCP without limits.
#[derive(Clone, Copy, Debug)]
pub struct TimeoutEstimate {
    clock: Clock,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    NoSample,
    Fine {
        srtt_s: f64,
        rttvar_s: f64,
    },
    Ticks {
        srtt_eighths: i64,
        rttvar_quarters: i64,
    },
}

impl TimeoutEstimate {
    /// Nothing known.
    pub const fn new(clock: Clock) -> Self {
        Self {
            clock,
            state: State::NoSample,
        }
    }

    /// Takes a sample.
    #[inline]
    pub fn sample(&mut self, rtt: Duration) {
        match self.clock {
            Clock::Fine => self.sample_fine(rtt.as_secs_f64()),
            Clock::Ticks(tick) => self.sample_ticks(rtt, tick),
        }
    }

    /// SRTT in seconds; none before the first sample.
    #[inline]
    pub fn smoothed_s(&self) -> Option<f64> {
        match (self.state, self.clock) {
            (State::NoSample, _) => None,
            (State::Fine { srtt_s, .. }, _) => Some(srtt_s),
            (State::Ticks { srtt_eighths, .. }, clock) => {
                Some(srtt_eighths as f64 / 8.0 * clock.tick_s())
            }
        }
    }

    /// 4·RTTVAR in seconds; none before the first sample.
    #[inline]
    pub fn deviation_term_s(&self) -> Option<f64> {
        match (self.state, self.clock) {
            (State::NoSample, _) => None,
            (State::Fine { rttvar_s, .. }, _) => Some(4.0 * rttvar_s),
            (
                State::Ticks {
                    rttvar_quarters, ..
                },
                clock,
            ) => Some(rttvar_quarters as f64 * clock.tick_s()),
        }
    }

    /// SRTT + 4·RTTVAR in seconds; none before the first sample.
    #[inline]
    pub fn timeout_s(&self) -> Option<f64> {
        match (self.state, self.clock) {
            (State::NoSample, _) => None,
            (State::Fine { srtt_s, rttvar_s }, _) => Some(srtt_s + 4.0 * rttvar_s),
            (
                State::Ticks {
                    srtt_eighths,
                    rttvar_quarters,
                },
                clock,
            ) => {
                let ticks = ((rttvar_quarters << 3) + srtt_eighths) >> 3;
                Some(ticks as f64 * clock.tick_s())
            }
        }
    }

    #[inline]
    fn sample_fine(&mut self, rtt_s: f64) {
        self.state = match self.state {
            State::Fine { srtt_s, rttvar_s } => State::Fine {
                // RFC 6298 (2.3): RTTVAR with the old SRTT.
                rttvar_s: rttvar_s + ((rtt_s - srtt_s).abs() - rttvar_s) / 4.0,
                srtt_s: srtt_s + (rtt_s - srtt_s) / 8.0,
            },
            _ => State::Fine {
                srtt_s: rtt_s,
                rttvar_s: rtt_s / 2.0,
            },
        };
    }

    fn sample_ticks(&mut self, rtt: Duration, tick: Duration) {
        let tick = tick.as_picos().max(1);
        let rtt = rtt.min(LONGEST_SAMPLE).as_picos();
        let rtt = (((rtt + tick / 2) / tick).cast_signed()).max(1);
        self.state = match self.state {
            State::Ticks {
                srtt_eighths,
                rttvar_quarters,
            } => {
                let difference = rtt - (srtt_eighths >> 3);
                let change = difference.abs() - (rttvar_quarters >> 2);
                State::Ticks {
                    srtt_eighths: (srtt_eighths + difference).max(1),
                    rttvar_quarters: (rttvar_quarters + change).max(1),
                }
            }
            _ => State::Ticks {
                srtt_eighths: rtt << 3,
                rttvar_quarters: rtt << 1,
            },
        };
    }
}

impl Clock {
    fn tick_s(self) -> f64 {
        match self {
            Self::Fine => 0.0,
            Self::Ticks(tick) => tick.as_secs_f64(),
        }
    }
}

/// Longer samples count as this: eight of them in picoseconds still fit in 64 bits.
const LONGEST_SAMPLE: Duration = Duration::from_secs(1_000_000);

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn the_mean_keeps_nine_tenths() {
        let mut mean = SmoothedRtt::new(0.9);
        assert_eq!(mean.seconds(), None);
        mean.sample(MS(100));
        mean.sample(MS(200));
        // 0.9·0.1 + 0.1·0.2 = 0.11; roots: 0.9·0.316228 + 0.1·0.447214 = 0.329327, over 0.447214.
        assert!((mean.seconds().unwrap() - 0.11).abs() < 1e-12);
        assert!((mean.damping() - 0.736_396).abs() < 1e-5);
    }

    #[test]
    fn the_timeout_falls_to_the_round_trip_when_nothing_varies() {
        let mut estimate = TimeoutEstimate::new(Clock::Fine);
        estimate.sample(MS(50));
        // 50 + 4·25 ms
        assert!((estimate.timeout_s().unwrap() - 0.150).abs() < 1e-12);
        estimate.sample(MS(58));
        // RTTVAR 25 + (8 − 25)/4 = 20.75; SRTT 50 + 8/8 = 51; 51 + 83 = 134 ms
        assert!((estimate.timeout_s().unwrap() - 0.134).abs() < 1e-12);
        for _ in 0..200 {
            estimate.sample(MS(50));
        }
        assert!((estimate.timeout_s().unwrap() - 0.050).abs() < 1e-9);
    }

    #[test]
    fn whole_ticks_stick_at_three() {
        // Any round trip below 150 ms is one tick of 0.1 s: SRTT 8 eighths, RTTVAR 2 quarters,
        // which never falls: (2·8 + 8)/8 = 3 ticks.
        let mut estimate = TimeoutEstimate::new(Clock::Ticks(MS(100)));
        for rtt in [5, 24, 60, 149, 100, 20] {
            estimate.sample(MS(rtt));
            assert!((estimate.timeout_s().unwrap() - 0.3).abs() < 1e-12);
        }
        estimate.sample(MS(250));
        // 3 ticks (2.5 + 0.5): difference 2; SRTT 10, RTTVAR 2 + (2 − 0) = 4: (32 + 10)/8 = 5.
        assert!((estimate.timeout_s().unwrap() - 0.5).abs() < 1e-12);
    }
}
