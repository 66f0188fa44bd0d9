//! How much later than a segment sent after it a segment may arrive: the reordering window.
//!
//! Follows RFC 8985 §6.2, steps 1 and 4. The window starts at a quarter of the minimum round trip,
//! is zero where nothing was ever seen out of order and a loss is likely, and grows by a quarter
//! with every round in which the receiver reports a duplicate.
//!
//! Choice: the minimum round trip is that of the last 150 to 300 s (the RFC wants a window and
//! names no length).

use units::{Duration, Time};

/// The reordering window of a connection.
#[derive(Clone, Debug)]
pub(super) struct Reordering {
    /// `RACK.reordering_seen`.
    seen: bool,
    minimum: MinimumRtt,
    /// `RACK.reo_wnd_mult`.
    multiplier: u64,
    /// `RACK.reo_wnd_persist`: recoveries until the multiplier starts again.
    persist: u32,
    /// `RACK.dsack_round`: one past the highest segment sent when the multiplier last grew.
    round: Option<u64>,
}

/// What an ACK tells about the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct AckSigns {
    /// The next segment that the receiver expects.
    pub(super) una: u64,
    /// One past the highest segment sent.
    pub(super) high: u64,
    /// The ACK reports a duplicate.
    pub(super) duplicate: bool,
    /// The ACK ends a recovery, after a loss or a timeout.
    pub(super) ends_recovery: bool,
}

impl Default for Reordering {
    fn default() -> Self {
        Self {
            seen: false,
            minimum: MinimumRtt::default(),
            multiplier: 1,
            persist: PERSIST,
            round: None,
        }
    }
}

impl Reordering {
    /// A segment that was sent once came after one that was sent later.
    pub(super) fn see(&mut self) {
        self.seen = true;
    }

    /// A round trip was measured.
    pub(super) fn sample(&mut self, now: Time, rtt: Duration) {
        self.minimum.sample(now, rtt);
    }

    /// `RACK.min_RTT`; zero before the first sample.
    pub(super) fn minimum_rtt(&self) -> Duration {
        self.minimum.get()
    }

    /// The adaptation by D-SACK, for each ACK.
    pub(super) fn on_ack(&mut self, reports: AckSigns) {
        if self.round.is_some_and(|round| reports.una >= round) {
            self.round = None;
        }
        if reports.duplicate && self.round.is_none() {
            self.round = Some(reports.high);
            self.multiplier = self.multiplier.saturating_add(1);
            self.persist = PERSIST;
        } else if reports.ends_recovery {
            self.persist = self.persist.saturating_sub(1);
            if self.persist == 0 {
                self.multiplier = 1;
            }
        }
    }

    /// `RACK.reo_wnd`. `loss_is_likely`: losses are being repaired, or as many segments are SACKed
    /// as would be duplicate ACKs enough.
    pub(super) fn window(&self, loss_is_likely: bool, srtt: Duration) -> Duration {
        if !self.seen && loss_is_likely {
            return Duration::ZERO;
        }
        let window = self.minimum.get().saturating_mul(self.multiplier) / 4;
        window.min(srtt)
    }
}

/// The smallest round trip of this period and the last one.
#[derive(Clone, Debug, Default)]
struct MinimumRtt {
    began: Time,
    now: Option<Duration>,
    before: Option<Duration>,
}

impl MinimumRtt {
    fn sample(&mut self, now: Time, rtt: Duration) {
        let age = now.saturating_since(self.began);
        if age >= PERIOD {
            // Two periods without a sample leave nothing to remember.
            let recent = age < PERIOD.saturating_mul(2);
            self.before = self.now.filter(|_| recent);
            self.now = None;
            self.began = now;
        }
        self.now = Some(self.now.map_or(rtt, |least| least.min(rtt)));
    }

    fn get(&self) -> Duration {
        let both = [self.now, self.before];
        both.into_iter().flatten().min().unwrap_or(Duration::ZERO)
    }
}

/// Recoveries without a report of a duplicate before the window starts again (RFC 8985 §6.2 step
/// 4).
const PERSIST: u32 = 16;
/// Half the time over which the minimum is taken; the whole is 300 s as in Linux
/// (`tcp_min_rtt_wlen`).
const PERIOD: Duration = Duration::from_secs(150);

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Time {
        Time::ZERO + Duration::from_secs(seconds)
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// A path of 100 ms, and 120 ms smoothed.
    fn path() -> Reordering {
        let mut reordering = Reordering::default();
        reordering.sample(at(1), ms(100));
        reordering
    }

    fn report(una: u64, high: u64) -> AckSigns {
        AckSigns {
            una,
            high,
            duplicate: true,
            ends_recovery: false,
        }
    }

    const SRTT: Duration = Duration::from_millis(120);

    /// RFC 8985 §3.3.2: zero before a round trip is known, a quarter of the smallest one then, and
    /// zero while a loss is likely and nothing was seen out of order.
    #[test]
    fn it_is_a_quarter_of_the_smallest_round_trip_or_zero() {
        assert_eq!(Reordering::default().window(false, SRTT), Duration::ZERO);
        let mut reordering = path();
        assert_eq!(reordering.window(false, SRTT), ms(25));
        assert_eq!(reordering.window(true, SRTT), Duration::ZERO);
        reordering.see();
        assert_eq!(reordering.window(true, SRTT), ms(25));
    }

    /// N rounds with reports of duplicates make it N + 1 quarters, and SRTT is the most.
    #[test]
    fn it_grows_by_a_quarter_for_each_round_with_reports() {
        let mut reordering = path();
        reordering.on_ack(report(10, 20));
        assert_eq!(reordering.window(false, SRTT), ms(50));
        // Still within the round that ends when 20 is acknowledged.
        reordering.on_ack(report(19, 30));
        assert_eq!(reordering.window(false, SRTT), ms(50));
        reordering.on_ack(report(20, 30));
        assert_eq!(reordering.window(false, SRTT), ms(75));
        reordering.on_ack(report(30, 40));
        reordering.on_ack(report(40, 50));
        assert_eq!(reordering.window(false, SRTT), SRTT);
    }

    #[test]
    fn it_starts_again_after_sixteen_recoveries_without_a_report() {
        let mut reordering = path();
        reordering.on_ack(report(10, 20));
        let ends = AckSigns {
            duplicate: false,
            ends_recovery: true,
            ..report(30, 40)
        };
        for _ in 0..15 {
            reordering.on_ack(ends);
        }
        assert_eq!(reordering.window(false, SRTT), ms(50));
        reordering.on_ack(ends);
        assert_eq!(reordering.window(false, SRTT), ms(25));
    }

    #[test]
    fn a_longer_path_is_learnt_within_five_minutes() {
        let mut reordering = path();
        for second in 2..=150 {
            reordering.sample(at(second), ms(200));
        }
        // The first period began at 0 and ended at 150 s; its least counts until 300 s.
        assert_eq!(reordering.minimum_rtt(), ms(100));
        reordering.sample(at(299), ms(200));
        assert_eq!(reordering.minimum_rtt(), ms(100));
        reordering.sample(at(300), ms(200));
        assert_eq!(reordering.minimum_rtt(), ms(200));
        // After a long silence only the new sample counts.
        reordering.sample(at(10_000), ms(300));
        assert_eq!(reordering.minimum_rtt(), ms(300));
    }
}
