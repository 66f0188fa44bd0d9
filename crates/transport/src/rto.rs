//! The retransmission timeout, estimated from round trips.
//!
//! Follows RFC 6298 §2 with a clock of granularity G: a sample r counts as
//! `G·max(1, floor(r/G + 1/2))`. The backed-off timeout stays until the next valid sample (Karn's
//! algorithm, RFC 6298 §3).
//!
//! [`RtoArithmetic::Ticks`] is 4.3BSD's integer arithmetic as ns-2.35 has it: whole ticks of G,
//! SRTT kept eightfold and RTTVAR fourfold and cut at each step, so that RTTVAR stalls at up to
//! three quarters of a tick; the minimum applies before the backoff; never under two ticks; after
//! three timeouts in a row SRTT is forgotten. Without timestamps a round trip counts the ticks of
//! a clock with a phase of its own that it spans.

use std::sync::Arc;

use units::{Duration, Time};

use crate::config::{RtoArithmetic, RtoConfig, SenderConfig};

/// Estimates the retransmission timeout of one connection.
#[derive(Clone, Debug)]
pub(crate) struct RtoEstimator {
    config: Arc<SenderConfig>,
    /// Timeout before backoff.
    base: Duration,
    state: State,
    /// What the timeout is multiplied by.
    backoff: u64,
    /// The timeout now.
    timeout: Duration,
    /// The last sample in whole G, in picoseconds.
    rounded: u64,
}

#[derive(Clone, Copy, Debug)]
enum State {
    NoSample,
    Real {
        srtt: Duration,
        rttvar: Duration,
    },
    /// SRTT in eighths of a tick, RTTVAR in quarters of one. SRTT zero: forgotten.
    Ticks {
        srtt_eighths: i64,
        rttvar_quarters: i64,
    },
}

/// A round trip: when the packet left, when its ACK came.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundTrip {
    pub(crate) sent_at: Time,
    pub(crate) now: Time,
    /// Measured by timestamps, not by the sender's ticking clock.
    pub(crate) timestamps: bool,
}

impl RtoEstimator {
    pub(crate) fn new(config: Arc<SenderConfig>) -> Self {
        let state = match config.rto.arithmetic {
            RtoArithmetic::Ticks => State::Ticks {
                srtt_eighths: 0,
                rttvar_quarters: 0,
            },
            RtoArithmetic::Rfc | RtoArithmetic::WithoutFloor => State::NoSample,
        };
        let mut estimator = Self {
            base: config.rto.initial,
            config,
            state,
            backoff: 1,
            timeout: Duration::ZERO,
            rounded: 0,
        };
        estimator.find_timeout();
        estimator
    }

    #[inline]
    fn config(&self) -> &RtoConfig {
        &self.config.rto
    }

    /// Takes a valid sample. The backoff stays as it is.
    #[inline]
    pub(crate) fn sample(&mut self, round_trip: RoundTrip) {
        let rtt = round_trip.now.saturating_since(round_trip.sent_at);
        match self.state {
            State::Ticks {
                srtt_eighths,
                rttvar_quarters,
            } => self.sample_ticks(self.ticks(rtt, round_trip), srtt_eighths, rttvar_quarters),
            State::NoSample => {
                let rtt = self.round(rtt);
                self.set_real(rtt, rtt / 2); // RFC 6298 (2.2)
            }
            State::Real { srtt, rttvar } => {
                // RFC 6298 (2.3): RTTVAR first, with the old SRTT.
                let rtt = self.round(rtt);
                let deviation = srtt.abs_diff(rtt);
                self.set_real(
                    Duration::from_picos((srtt.as_picos() * 7 + rtt.as_picos()) / 8),
                    Duration::from_picos((rttvar.as_picos() * 3 + deviation.as_picos()) / 4),
                );
            }
        }
    }

    /// The timer expired: the next timeout is twice as long (RFC 6298 (5.5)).
    pub(crate) fn back_off(&mut self) {
        let below_maximum = self.timeout < self.config().maximum;
        let keeps_ticks = matches!(self.state, State::Ticks { .. });
        if below_maximum || (keeps_ticks && self.backoff < 64) {
            self.backoff = self.backoff.saturating_mul(2);
        }
        if let State::Ticks {
            srtt_eighths,
            rttvar_quarters,
        } = &mut self.state
            && self.backoff > FORGET_ABOVE
        {
            *rttvar_quarters += *srtt_eighths >> 3;
            *srtt_eighths = 0;
        }
        self.find_timeout();
    }

    /// RFC 4015 §3.2 step 8: after a false timeout the round trip that caused it counts in full.
    pub(crate) fn after_spurious_timeout(&mut self, rtt: Duration) {
        if let State::Real { srtt, rttvar } = self.state {
            let rtt = self.round(rtt);
            self.set_real(srtt.max(rtt), rttvar.max(rtt / 2));
        }
    }

    /// A valid sample, or what counts as one, ends the backoff.
    #[inline]
    pub(crate) fn end_backoff(&mut self) {
        if self.backoff > 1 {
            self.backoff = 1;
            self.find_timeout();
        }
    }

    /// After a SYN was lost, data starts with at least this timeout (RFC 6298 (5.7)).
    pub(crate) fn after_lost_syn(&mut self) {
        self.backoff = 1;
        self.base = self.base.max(LOST_SYN_TIMEOUT);
        self.find_timeout();
    }

    /// How long to wait for an acknowledgement now.
    #[inline]
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    #[inline]
    fn find_timeout(&mut self) {
        let config = self.config();
        if let State::Ticks { .. } = self.state {
            let timeout = self.base.max(config.minimum).saturating_mul(self.backoff);
            let floor = config.granularity.saturating_mul(2);
            self.timeout = timeout.min(config.maximum).max(floor);
            return;
        }
        self.timeout = self.base.saturating_mul(self.backoff).min(config.maximum);
    }

    /// Smoothed round trip; zero before the first sample.
    #[inline]
    pub(crate) fn smoothed_rtt(&self) -> Duration {
        match self.state {
            State::NoSample => Duration::ZERO,
            State::Real { srtt, .. } => srtt,
            State::Ticks { srtt_eighths, .. } => self
                .config()
                .granularity
                .saturating_mul((srtt_eighths >> 3) as u64),
        }
    }

    /// Deviation of the round trip; zero before the first sample.
    pub(crate) fn deviation(&self) -> Duration {
        match self.state {
            State::NoSample => Duration::ZERO,
            State::Real { rttvar, .. } => rttvar,
            State::Ticks {
                rttvar_quarters, ..
            } => {
                self.config()
                    .granularity
                    .saturating_mul(rttvar_quarters as u64)
                    / 4
            }
        }
    }

    /// What the timeout is multiplied by: 1, 2, 4, …
    pub(crate) fn backoff(&self) -> u64 {
        self.backoff
    }

    #[inline]
    fn set_real(&mut self, srtt: Duration, rttvar: Duration) {
        self.state = State::Real { srtt, rttvar };
        let config = self.config();
        let mut weighted = rttvar.saturating_mul(u64::from(config.k));
        if config.arithmetic == RtoArithmetic::Rfc {
            weighted = weighted.max(config.granularity); // RFC 6298 (2.3)
        }
        self.base = srtt.saturating_add(weighted).max(config.minimum);
        self.find_timeout();
    }

    /// A sample in whole G, at least one.
    #[inline]
    fn round(&mut self, rtt: Duration) -> Duration {
        let tick = self.config().granularity.as_picos().max(1);
        let up = rtt.min(LONGEST_SAMPLE).as_picos() + tick / 2;
        // Samples mostly round to where the last one did; a division takes as long as the rest.
        if up.wrapping_sub(self.rounded) >= tick {
            self.rounded = up / tick * tick;
        }
        Duration::from_picos(self.rounded.max(tick)).min(LONGEST_SAMPLE)
    }

    fn ticks(&self, rtt: Duration, round_trip: RoundTrip) -> i64 {
        let tick = self.config().granularity.as_picos().max(1);
        let rtt = rtt.min(LONGEST_SAMPLE).as_picos();
        let extra = if round_trip.timestamps {
            tick / 2
        } else {
            let phase = self.config().phase.as_picos();
            round_trip.sent_at.as_picos().saturating_add(phase) % tick
        };
        ((rtt + extra) / tick).cast_signed().max(1)
    }

    fn sample_ticks(&mut self, rtt: i64, mut srtt_eighths: i64, mut rttvar_quarters: i64) {
        if srtt_eighths == 0 {
            srtt_eighths = rtt << 3;
            rttvar_quarters = rtt << 1;
        } else {
            let difference = rtt - (srtt_eighths >> 3);
            srtt_eighths = (srtt_eighths + difference).max(1);
            let change = difference.abs() - (rttvar_quarters >> 2);
            rttvar_quarters = (rttvar_quarters + change).max(1);
        }
        self.state = State::Ticks {
            srtt_eighths,
            rttvar_quarters,
        };
        let weight = 2 * i64::from(self.config().k);
        let ticks = (rttvar_quarters.saturating_mul(weight)).saturating_add(srtt_eighths) >> 3;
        self.base = self.config().granularity.saturating_mul(ticks as u64);
        self.find_timeout();
    }
}

/// Backoff above which SRTT is forgotten (4.3BSD).
const FORGET_ABOVE: u64 = 8;
/// Timeout for the first data after a lost SYN (RFC 6298 (5.7)).
const LOST_SYN_TIMEOUT: Duration = Duration::from_secs(3);
/// Longer samples count as this: eight of them still fit in 64 bits.
const LONGEST_SAMPLE: Duration = Duration::from_secs(1_000_000);

#[cfg(test)]
mod tests;
