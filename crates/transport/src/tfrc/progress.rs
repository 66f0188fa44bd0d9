//! What a TFRC sender has sent, and what of it was reported: shared by the sender of RFC 5348 and
//! that of ns-2.

use std::collections::VecDeque;

use controllers::PacketRef;
use units::{Bytes, Duration, Time};

use super::TfrcFeedback;
use crate::datagram::{FeedbackCounts, Sequence};
use crate::statistics::SenderStatistics;

/// How far a sender is. Packets are numbered from 0.
#[derive(Debug)]
pub(crate) struct Progress {
    /// Full number of packet 0.
    base: u64,
    next: u64,
    end: u64,
    /// One past the newest packet reported.
    acknowledged: u64,
    /// The next packet has waited for the rate.
    waited: bool,
    /// Packets that did, in runs, ascending: those not yet reported.
    rate_limited: VecDeque<(u64, u64)>,
    pub(crate) statistics: SenderStatistics,
    pub(crate) feedback: FeedbackCounts,
    /// Packets reported lost.
    pub(crate) lost: u64,
}

/// Feedback that can be true and is news.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    /// Packets that it newly reports on.
    pub(crate) packets: u64,
    /// The newest of them.
    pub(crate) newest: PacketRef,
    /// Without the time that the receiver kept it (RFC 5348 §4.3 step 1).
    pub(crate) rtt: Duration,
    /// It is the first round trip measured.
    pub(crate) first: bool,
    /// None of these packets had waited for the rate (RFC 5348 §8.2.1).
    pub(crate) data_limited: bool,
}

impl Progress {
    pub(crate) fn new(first: Sequence) -> Self {
        Self {
            base: first.first(),
            next: 0,
            end: 0,
            acknowledged: 0,
            waited: false,
            rate_limited: VecDeque::new(),
            statistics: SenderStatistics::default(),
            feedback: FeedbackCounts::default(),
            lost: 0,
        }
    }

    /// The application has handed over `packets` in all so far.
    pub(crate) fn supply(&mut self, packets: u64) {
        self.end = self.end.max(packets.min(MOST_PACKETS));
    }

    /// Whether there is something to send.
    #[inline]
    pub(crate) fn has_data(&self) -> bool {
        self.next < self.end
    }

    /// The next packet must wait for the rate.
    #[inline]
    pub(crate) fn wait(&mut self) {
        self.waited = true;
    }

    /// The next packet leaves; gives its number.
    pub(crate) fn send(&mut self, size: Bytes) -> u64 {
        let number = self.next;
        self.next += 1;
        if std::mem::take(&mut self.waited) {
            match self.rate_limited.back_mut() {
                Some((_, end)) if *end == number => *end += 1,
                _ => self.rate_limited.push_back((number, number + 1)),
            }
        }
        self.statistics.packets_sent += 1;
        self.statistics.bytes_sent += size;
        number
    }

    /// Packet `number` as it stands in a header.
    pub(crate) fn sequence(&self, number: u64) -> Sequence {
        Sequence::of(self.base + number)
    }

    /// Packets sent since the newest one reported.
    pub(crate) fn in_flight(&self) -> u64 {
        self.next - self.acknowledged
    }

    /// One past the newest packet reported.
    pub(crate) fn acknowledged(&self) -> u64 {
        self.acknowledged
    }

    /// The newest packet sent.
    pub(crate) fn newest_sent(&self) -> u64 {
        self.next.saturating_sub(1)
    }

    /// Whether the transfer is finite and all of it was sent.
    pub(crate) fn is_all_sent(&self) -> bool {
        self.end < MOST_PACKETS && self.end > 0 && self.next >= self.end
    }

    /// Whether the last packet handed over is reported.
    pub(crate) fn is_all_reported(&self) -> bool {
        self.acknowledged >= self.end
    }

    /// Takes feedback, if it can be true and is no older than the last.
    pub(crate) fn take(&mut self, now: Time, feedback: &TfrcFeedback) -> Option<Report> {
        self.statistics.acks_received += 1;
        let end = self.check(now, feedback)?;
        if end < self.acknowledged {
            self.feedback.stale += 1;
            return None;
        }
        self.feedback.accepted += 1;
        let report = Report {
            packets: end - self.acknowledged,
            newest: PacketRef {
                number: end - 1,
                sent_at: feedback.timestamp,
            },
            rtt: now.since(feedback.timestamp).saturating_sub(feedback.delay),
            first: self.statistics.rtt_samples == 0,
            data_limited: self.take_interval(end),
        };
        self.acknowledged = end;
        self.count_round_trip(report.rtt);
        if feedback.losses > 0 {
            self.lost += u64::from(feedback.losses);
            self.statistics.congestion_episodes += u64::from(feedback.new_event);
        }
        Some(report)
    }

    /// One past the newest packet of a report, if the report can be true.
    fn check(&mut self, now: Time, feedback: &TfrcFeedback) -> Option<u64> {
        let newest = feedback
            .newest
            .near(self.base + self.next)
            .and_then(|full| full.checked_sub(self.base))
            .filter(|newest| *newest < self.next);
        let counts = &mut self.feedback;
        let Some(newest) = newest else {
            counts.beyond_sent += 1;
            return None;
        };
        if feedback.timestamp > now
            || feedback.delay > now.since(feedback.timestamp)
            || u64::from(feedback.losses) > self.next
        {
            counts.beyond_sent += 1;
            return None;
        }
        if !(0.0..=1.0).contains(&feedback.loss_event_rate) {
            counts.malformed += 1;
            return None;
        }
        Some(newest + 1)
    }

    /// Whether the packets from the last report up to this one never waited for the rate.
    fn take_interval(&mut self, end: u64) -> bool {
        let mut limited_by_data = true;
        while let Some((start, run_end)) = self.rate_limited.front_mut() {
            if *start >= end {
                break;
            }
            limited_by_data = false;
            if *run_end > end {
                *start = end;
                break;
            }
            self.rate_limited.pop_front();
        }
        // A report of nothing new says nothing of the application.
        limited_by_data && end > self.acknowledged
    }

    fn count_round_trip(&mut self, rtt: Duration) {
        let statistics = &mut self.statistics;
        statistics.min_rtt = match statistics.rtt_samples {
            0 => rtt,
            _ => statistics.min_rtt.min(rtt),
        };
        statistics.rtt_samples += 1;
        statistics.last_rtt = Some(rtt);
    }
}

/// Numbers stay far from the end of 64 bits.
const MOST_PACKETS: u64 = u64::MAX / 4;
