//! How much arrived at a TFRC receiver: since its last report, and over the last round trip.

use std::collections::VecDeque;

use units::{Bytes, Duration, Time};

/// Measures the receive rate (RFC 5348 §6.2).
#[derive(Clone, Debug, Default)]
pub(crate) struct Meter {
    /// Arrivals of the last round trip.
    recent: VecDeque<(Time, Bytes)>,
    recent_bytes: Bytes,
    /// Since the last report.
    received: Bytes,
    /// When the last report left; none before the first.
    reported_at: Option<Time>,
    /// The rate last reported, in bytes per second.
    last_rate: f64,
}

impl Meter {
    /// A packet arrived, whose sender knows the round trip `rtt`.
    #[inline]
    pub(crate) fn note(&mut self, now: Time, size: Bytes, rtt: Duration) {
        self.received += size;
        while let Some((at, size)) = self.recent.front()
            && at.saturating_add(rtt) <= now
        {
            self.recent_bytes = self.recent_bytes.saturating_sub(*size);
            self.recent.pop_front();
        }
        self.recent.push_back((now, size));
        self.recent_bytes += size;
    }

    /// Size of the newest packet, at least one byte; one where none came.
    pub(crate) fn newest_size(&self) -> f64 {
        let newest = self.recent.back();
        newest.map_or(1.0, |(_, size)| size.as_f64().max(1.0))
    }

    /// Data received, and the time over which: since the last report, but for an early one over the
    /// last round trip. Nothing, over no time, where there was no report or no round trip.
    pub(crate) fn measure(&self, now: Time, rtt: Duration) -> (Bytes, Duration) {
        let Some(reported_at) = self.reported_at.filter(|_| !rtt.is_zero()) else {
            return (Bytes::ZERO, Duration::ZERO);
        };
        let since = now.saturating_since(reported_at);
        if since >= rtt {
            (self.received, since)
        } else {
            (self.recent_bytes, rtt)
        }
    }

    /// The same; and a report leaves.
    pub(crate) fn report(&mut self, now: Time, rtt: Duration) -> (Bytes, Duration) {
        let (received, interval) = self.measure(now, rtt);
        if !interval.is_zero() {
            self.last_rate = received.as_f64() / interval.as_secs_f64();
        }
        self.received = Bytes::ZERO;
        self.reported_at = Some(now);
        (received, interval)
    }

    /// When the last report left; the beginning of time before the first.
    pub(crate) fn reported_at(&self) -> Time {
        self.reported_at.unwrap_or(Time::ZERO)
    }

    /// The rate last reported, in bytes per second.
    pub(crate) fn last_rate(&self) -> f64 {
        self.last_rate
    }
}
