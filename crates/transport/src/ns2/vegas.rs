//! `Agent/TCP/Vegas`: retransmits when the oldest segment is overdue by a fine-grained timeout, and
//! inflates the window itself.
//!
//! The inflated window is the law's own ([`window`]), since the agent grows and cuts that one. With
//! other laws the window is not inflated.
//!
//! Known faults of the agent, kept: a cumulative ACK that wraps round the ends of its table of
//! segments leaves their counts of transmissions standing; the deflation that ends duplicate ACKs
//! after a timeout leaves a window of nothing; an ACK of everything outstanding, soon after a
//! retransmission, sends the next segment twice.

mod window;

use controllers::Signal;
use units::{Duration, Time};

use super::agent::{Action, Agent, Kind};
use super::connection::Connection;
use crate::connection::{Arrival, Forced};
pub(super) use window::VegasWindow;

/// State of the agent beside that of all agents.
#[derive(Debug, Default)]
pub(super) struct VegasAgent {
    /// `v_transmits_`, `v_sendtime_`: a ring by segment number.
    table: Vec<Entry>,
    /// `firstsent_`: when segment 0 last left; none before the first ACK.
    first_sent: Option<Time>,
    /// The fine-grained estimate; none before the first ACK.
    timeout: Option<FineTimeout>,
    /// `t_cwnd_changed_`.
    changed_at: Option<Time>,
    /// `v_newcwnd_`: the window without inflation, in packets.
    window: f64,
    /// `v_worried_`: new ACKs after which the oldest segment's age is still looked at.
    worried: u64,
}

/// What the agent remembers of a segment, or of another one with the same place in the table.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// How often it left.
    transmits: u8,
    /// When it left, if it is acknowledged and not forgotten.
    left_at: Option<Time>,
}

/// `v_sa_`, `v_sd_`, `v_timeout_`, in seconds.
#[derive(Clone, Copy, Debug)]
struct FineTimeout {
    /// Eight times the mean.
    mean: f64,
    /// Four times the deviation.
    deviation: f64,
    timeout: f64,
}

impl FineTimeout {
    fn first(rtt: Duration) -> Self {
        let rtt = rtt.as_secs_f64();
        Self {
            mean: rtt * 8.0,
            deviation: rtt,
            timeout: rtt * 1.5,
        }
    }

    fn sample(&mut self, rtt: Duration) {
        let error = rtt.as_secs_f64() - self.mean / 8.0;
        self.mean += error;
        self.deviation += error.abs() - self.deviation / 4.0;
        let timeout = self.mean / 8.0 + self.deviation / 2.0;
        self.timeout = timeout + timeout / 16.0;
    }
}

impl VegasAgent {
    pub(super) fn on_transmit(&mut self, connection: &Connection, number: u64) {
        let needed = number - connection.una + 1;
        if needed > self.table.len() as u64 {
            self.grow(connection, needed);
        }
        if number == 0 {
            self.table.fill(Entry::default());
        }
        let index = self.index(number);
        let transmits = &mut self.table[index].transmits;
        *transmits = transmits.saturating_add(1);
    }

    /// As long as the maximum window, where that is not out of all proportion.
    #[cold]
    fn grow(&mut self, connection: &Connection, needed: u64) {
        let largest = connection.max_window();
        let size = if largest <= LARGEST_TABLE {
            largest
        } else {
            needed.next_power_of_two()
        }
        .max(needed);
        let mut table = vec![Entry::default(); size as usize];
        if !self.table.is_empty() {
            for number in connection.una..connection.high {
                table[(number % size) as usize] = self.table[self.index(number)];
            }
        }
        self.table = table;
    }

    fn index(&self, number: u64) -> usize {
        (number % (self.table.len() as u64).max(1)) as usize
    }

    fn entry(&self, number: u64) -> Entry {
        let entry = self.table.get(self.index(number));
        entry.copied().unwrap_or_default()
    }

    /// `first..=last` are acknowledged. The loop of the agent ends at once where they wrap.
    fn forget(&mut self, connection: &Connection, first: u64, last: u64) {
        let wraps = self.index(first) > self.index(last);
        for number in first..=last {
            let index = self.index(number);
            if wraps {
                self.table[index].left_at = Some(connection.sent_at(number));
            } else {
                self.table[index] = Entry::default();
            }
        }
    }

    /// Segments from `first` on are acknowledged, the newest of which left at `sent_at`. Gives its
    /// round trip if that is a sample, which the estimate then has taken.
    pub(super) fn on_acknowledged(
        &mut self,
        connection: &Connection,
        arrival: &Arrival<'_>,
        first: u64,
        sent_at: Time,
    ) -> Option<Duration> {
        let newest = arrival.number - 1;
        let transmits = self.entry(newest).transmits;
        let first_sent = *self
            .first_sent
            .get_or_insert_with(|| connection.sent_at(first));
        let timeout = self
            .timeout
            .get_or_insert_with(|| FineTimeout::first(arrival.now.saturating_since(first_sent)));
        // A send time of zero counts as none.
        let samples = transmits == 1 && sent_at > first_sent;
        let rtt = samples.then(|| arrival.now.saturating_since(sent_at));
        if let Some(rtt) = rtt {
            timeout.sample(rtt);
        }
        self.forget(connection, first, newest);
        rtt
    }

    /// `vegas_expire`: whether the oldest segment is overdue. One not sent counts as such, unless
    /// its place in the table is another's.
    fn is_overdue(&self, connection: &Connection, now: Time) -> bool {
        let Some(FineTimeout { timeout, .. }) = self.timeout else {
            return false;
        };
        let oldest = connection.una;
        let left_at = if oldest < connection.high {
            Some(connection.sent_at(oldest))
        } else {
            self.entry(oldest).left_at
        };
        left_at.is_none_or(|left_at| now.saturating_since(left_at).as_secs_f64() >= timeout)
    }

    pub(super) fn on_timeout(&mut self, connection: &Connection, now: Time) {
        self.window = 0.0;
        // The agent's clock begins anew when segment 0 leaves, but this instant is kept.
        let kept = if connection.una == 0 && connection.high > 0 {
            now.saturating_since(connection.sent_at(0))
        } else {
            Duration::ZERO
        };
        self.changed_at = Some(now.saturating_add(kept));
    }
}

impl Agent {
    /// `VegasTcpAgent::recv`.
    pub(super) fn vegas(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        let threshold = connection.config.duplicate_ack_threshold;
        if arrival.number > connection.una {
            let window = self.vegas_agent().window;
            if connection.duplicates > threshold && connection.window.packets() > window {
                connection.window.deflate_to(window);
                connection.window.end_slow_start();
            }
            self.new_ack(connection, arrival, true);
            self.look_again(connection, arrival.now);
        } else if arrival.number == connection.una {
            connection.duplicates += 1;
            let duplicates = connection.duplicates;
            if duplicates == threshold || self.vegas_agent().is_overdue(connection, arrival.now) {
                let timed_out = self.last_action == Action::Timeout;
                if connection.una > self.recover || !timed_out {
                    self.retransmit_overdue(connection, arrival.now);
                }
            } else if duplicates > threshold {
                connection.window.inflate(1);
            }
        }
        let duplicates = connection.duplicates;
        if duplicates == 0 || duplicates >= threshold {
            connection.allow_burst();
        }
    }

    fn vegas_agent(&mut self) -> &mut VegasAgent {
        match &mut self.kind {
            Kind::Vegas(agent) => agent,
            _ => unreachable!("only Vegas's arrivals come here"),
        }
    }

    /// On the first or second new ACK after a retransmission.
    fn look_again(&mut self, connection: &mut Connection, now: Time) {
        let agent = self.vegas_agent();
        if agent.worried == 0 {
            return;
        }
        agent.worried -= 1;
        if agent.is_overdue(connection, now) {
            connection.duplicates = connection.config.duplicate_ack_threshold;
            connection.forced = if connection.una < connection.high {
                Forced::Retransmission(connection.una)
            } else {
                Forced::Next
            };
        } else {
            agent.worried = 0;
        }
    }

    /// The oldest segment leaves again. The window is cut, and inflated by the duplicates so far,
    /// if it was last cut before that segment left.
    fn retransmit_overdue(&mut self, connection: &mut Connection, now: Time) {
        self.last_action = Action::DuplicateAcks;
        self.recover = connection.high;
        let oldest = connection.una;
        let window = connection.window.whole().min(connection.max_window());
        let outstanding = connection.next - oldest + 1;
        let agent = self.vegas_agent();
        agent.worried = outstanding.min(WORRIED);
        let transmits = agent.entry(oldest).transmits;
        if let Some(fine) = &mut agent.timeout {
            fine.timeout *= if transmits > 1 { 2.0 } else { 1.125 };
        }
        let sent = (oldest < connection.high).then(|| connection.sent_at(oldest));
        if sent.is_some_and(|sent| oldest > 0 && agent.changed_at.is_none_or(|at| at < sent)) {
            agent.changed_at = Some(now);
            self.signal(connection, now, Signal::Loss, true);
            if transmits > 1 && window > SMALL_WINDOW {
                connection.window.deflate_to((window / 2) as f64);
            }
            self.vegas_agent().window = connection.window.packets();
            connection.window.inflate(connection.duplicates.into());
        }
        connection.statistics.fast_retransmits += 1;
        connection.rto.back_off();
        Self::retransmit_oldest(connection, now);
        if transmits == 1 {
            connection.duplicates = connection.config.duplicate_ack_threshold;
        }
    }
}

/// `v_worried_`: the agent looks at so many new ACKs after a retransmission.
const WORRIED: u64 = 2;
/// Windows up to this, in packets, are cut to two.
const SMALL_WINDOW: u64 = 3;
/// Longest table of transmissions that is as long as the maximum window, in segments.
const LARGEST_TABLE: u64 = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    /// R = 0.1 s: 0.15 s. Then (0.1 + 2·dev)·17/16 with dev = 0.025·(3/4)ⁿ: 0.14609 s after one more
    /// of 0.1 s. A third of 0.18 s: the mean is 0.11 s, four deviations 0.075·3/4 + 0.08 = 0.13625 s,
    /// so (0.11 + 0.068125)·17/16 = 0.18926 s.
    #[test]
    fn the_fine_timeout_follows_mean_and_deviation() {
        let mut timeout = FineTimeout::first(Duration::from_millis(100));
        assert!((timeout.timeout - 0.15).abs() < 1e-12);
        timeout.sample(Duration::from_millis(100));
        assert!((timeout.timeout - 0.146_093_75).abs() < 1e-12);
        timeout.sample(Duration::from_millis(180));
        assert!((timeout.timeout - 0.189_257_812_5).abs() < 1e-12);
    }
}
