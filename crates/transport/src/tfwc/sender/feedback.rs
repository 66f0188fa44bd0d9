//! What an ACK tells: whether it can be true, which packets are lost, what the controller hears.

use controllers::{Ack, Congestion, Episode, PacketRef, Signal};
use units::Time;

use super::{News, TfwcSender};
use crate::tfwc::ack_vector::{Refusal, Vector};
use crate::tfwc::{Gap, TfwcAck};

impl TfwcSender {
    /// The vector of an ACK, if it can be true.
    #[inline]
    pub(super) fn read<'a>(
        &mut self,
        now: Time,
        ack: &TfwcAck,
        gaps: &'a [Gap],
    ) -> Option<Vector<'a>> {
        let head = ack
            .head
            .near(self.base + self.next)
            .and_then(|full| full.checked_sub(self.base))
            .filter(|head| *head < self.next && ack.timestamp <= now);
        let Some(head) = head else {
            self.feedback.beyond_sent += 1;
            return None;
        };
        match Vector::check(head, ack.run, gaps, 0) {
            Ok(vector) => Some(vector),
            Err(refusal) => {
                let counts = &mut self.feedback;
                match refusal {
                    Refusal::BeyondSent => counts.beyond_sent += 1,
                    Refusal::Malformed => counts.malformed += 1,
                    Refusal::Oversized => counts.oversized += 1,
                }
                None
            }
        }
    }

    /// Tells the controller of each packet that is missing below `settled`.
    #[inline]
    pub(super) fn find_losses(&mut self, now: Time, vector: &Vector<'_>, settled: u64) {
        let flight_size = self.in_flight_bytes();
        let Self {
            controller,
            sent,
            config,
            statistics,
            lost,
            episode_end,
            next,
            ..
        } = self;
        let lost_before = *lost;
        let mut last_lost = None;
        vector.missing(self.understood, settled, |number| {
            *lost += 1;
            let begins = number >= *episode_end;
            if begins {
                *episode_end = *next;
                statistics.congestion_episodes += 1;
            }
            controller.on_congestion(&Congestion {
                now,
                signal: Signal::Loss,
                episode: if begins {
                    Episode::Begins
                } else {
                    Episode::Continues
                },
                lost: config.packet_size,
                lost_packets: 1,
                newest: PacketRef {
                    number,
                    sent_at: sent.get(number),
                },
                flight_size,
                lost_total: config.packet_size.saturating_mul(*lost),
                range_begins: last_lost.is_none_or(|last| last + 1 != number),
                sent: None,
            });
            last_lost = Some(number);
        });
        if self.lost > lost_before {
            self.read_limits();
        }
    }

    /// Tells the controller of an ACK with a new newest packet.
    pub(super) fn tell_ack(&mut self, now: Time, news: &News) {
        let size = self.config.packet_size;
        let newly_lost = self.lost - std::mem::replace(&mut self.told_lost, self.lost);
        let ack = Ack {
            now,
            acked: size.saturating_mul(news.arrived),
            acked_packets: news.arrived,
            newly_delivered: size.saturating_mul(news.arrived),
            delivered_total: size.saturating_mul(self.delivered),
            newly_lost: size.saturating_mul(newly_lost),
            rtt: Some(news.rtt),
            smoothed_rtt: self.smoothed_rtt(),
            min_rtt: self.statistics.min_rtt,
            one_way_delay: None,
            in_flight: self.in_flight_bytes(),
            delivered: None,
            app_limited: self.app_limited,
            window_limited: news.window_limited,
            newest: self.packet(news.head),
            in_recovery: false,
            ecn_ce: 0,
            report: None,
        };
        self.controller.on_ack(&ack);
        self.read_limits();
    }
}
