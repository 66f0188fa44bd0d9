//! What a report tells: whether it can be true, whether its interval was data-limited, what the
//! controller hears of losses.

use controllers::{Congestion, Episode, PacketRef, Signal};
use units::{Duration, Time};

use super::TfrcSender;
use crate::tfrc::TfrcFeedback;

impl TfrcSender {
    /// One past the newest packet of a report, if the report can be true.
    pub(super) fn check(&mut self, now: Time, feedback: &TfrcFeedback) -> Option<u64> {
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
        if feedback.timestamp > now || feedback.delay > now.since(feedback.timestamp) {
            counts.beyond_sent += 1;
            return None;
        }
        if u64::from(feedback.losses) > self.next {
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
    pub(super) fn take_interval(&mut self, end: u64) -> bool {
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

    /// A round trip was measured.
    pub(super) fn take_rtt(&mut self, rtt: Duration) {
        self.rtt.sample(rtt);
        self.timeout.sample(rtt);
        let statistics = &mut self.statistics;
        statistics.min_rtt = match statistics.rtt_samples {
            0 => rtt,
            _ => statistics.min_rtt.min(rtt),
        };
        statistics.rtt_samples += 1;
        statistics.last_rtt = Some(rtt);
    }

    /// Tells the controller of reported losses.
    pub(super) fn tell_losses(&mut self, now: Time, newest: PacketRef, feedback: &TfrcFeedback) {
        let losses = feedback.losses;
        if losses == 0 {
            return;
        }
        self.lost += u64::from(losses);
        self.statistics.congestion_episodes += u64::from(feedback.new_event);
        let size = self.config.packet_size;
        self.controller.on_congestion(&Congestion {
            now,
            signal: Signal::Loss,
            episode: if feedback.new_event {
                Episode::Begins
            } else {
                Episode::Continues
            },
            lost: size.saturating_mul(u64::from(losses)),
            lost_packets: u64::from(losses),
            newest,
            flight_size: size.saturating_mul(self.in_flight()),
            lost_total: size.saturating_mul(self.lost),
            range_begins: true,
            sent: None,
        });
    }
}
