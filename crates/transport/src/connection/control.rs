//! What the controller is told, and what it allows.

use controllers::{Ack, Congestion, Episode, PacketRef, Signal};
use units::{Bytes, Time};

use super::delivery::Loss;
use super::{Acknowledged, Arrival, Connection};

/// Where the sender stands when the controller is told of an ACK.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Packets in flight after the ACK.
    pub(crate) in_flight: u64,
    /// Losses are being repaired, or the ACK echoes a mark: the window does not grow.
    pub(crate) in_recovery: bool,
}

/// A sign of congestion as the recovery sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CongestionSign {
    pub(crate) now: Time,
    pub(crate) signal: Signal,
    pub(crate) episode: Episode,
    pub(crate) lost_packets: u64,
    /// The newest packet lost or marked.
    pub(crate) newest: u64,
    pub(crate) flight_size: Bytes,
}

impl Connection {
    /// Tells the controller of an ACK. `in_flight` is in packets; `grows` whether the window may.
    #[inline]
    pub(crate) fn tell_ack(
        &mut self,
        arrival: &Arrival<'_>,
        acknowledged: &Acknowledged,
        progress: Progress,
    ) {
        let segment = self.config.segment_size;
        let (newly_delivered, newly_lost) = self.delivery.take_news();
        if self.marks > 0 && self.config.accurate_ecn && arrival.ece {
            // All packets that this ACK answers were marked (RFC 8257 §3.2), not one.
            self.marks += newly_delivered.saturating_sub(1);
        }
        let before = self.una - acknowledged.packets;
        let ack = Ack {
            now: arrival.now,
            acked: segment.saturating_mul(acknowledged.packets),
            acked_packets: acknowledged.packets,
            newly_delivered: segment.saturating_mul(newly_delivered),
            delivered_total: segment.saturating_mul(self.delivery.delivered),
            newly_lost: segment.saturating_mul(newly_lost),
            rtt: acknowledged.rtt,
            smoothed_rtt: self.rto.smoothed_rtt(),
            min_rtt: self.statistics.min_rtt,
            one_way_delay: None,
            in_flight: segment.saturating_mul(progress.in_flight),
            delivered: self.delivery.take_sample(self.statistics.min_rtt),
            app_limited: self.app_limited,
            window_limited: before < self.window_limited_until,
            newest: acknowledged.newest,
            in_recovery: progress.in_recovery,
            ecn_ce: std::mem::take(&mut self.marks),
            report: None,
        };
        self.controller.on_ack(&ack);
        self.read_limits();
    }

    /// Tells the controller of an ACK that selects and acknowledges nothing in order, if it is the
    /// first to tell of an arrival.
    pub(crate) fn tell_selection(&mut self, arrival: &Arrival<'_>, progress: Progress) {
        if self.delivery.newly_delivered() == 0 {
            return;
        }
        let number = self.delivery.newest_selected;
        let selected = Acknowledged {
            packets: 0,
            newest: PacketRef {
                number,
                sent_at: self.sent_at(number),
            },
            retransmitted: self.was_retransmitted(number),
            rtt: None,
        };
        self.tell_ack(arrival, &selected, progress);
    }

    /// Tells the controller of congestion.
    pub(crate) fn tell_congestion(&mut self, sign: CongestionSign) {
        let begins = sign.episode == Episode::Begins;
        self.statistics.congestion_episodes += u64::from(begins);
        if begins && let Some(reports) = &mut self.reports {
            reports.on_reduction();
        }
        let sent_at = if (self.una..self.high).contains(&sign.newest) {
            self.history.get(sign.newest).sent_at()
        } else {
            sign.now
        };
        let lost = self.config.segment_size.saturating_mul(sign.lost_packets);
        let loss = if sign.lost_packets > 0 {
            self.delivery.lose(sign.lost_packets, lost, sign.newest)
        } else {
            Loss::default()
        };
        self.controller.on_congestion(&Congestion {
            now: sign.now,
            signal: sign.signal,
            episode: sign.episode,
            lost,
            lost_packets: sign.lost_packets,
            newest: PacketRef {
                number: sign.newest,
                sent_at,
            },
            flight_size: sign.flight_size,
            lost_total: self.packets(self.delivery.lost),
            range_begins: loss.range_begins,
            sent: loss.sent,
        });
        let reduces = match sign.signal {
            Signal::SourceQuench => false,
            Signal::Timeout => true,
            _ => begins,
        };
        self.cwr_due |= self.config.ecn && reduces;
        self.read_limits();
    }

    /// Tells the controller that the last congestion had no cause.
    pub(crate) fn tell_spurious(&mut self) {
        self.delivery.on_spurious_loss();
        self.controller.on_spurious_congestion();
        self.read_limits();
    }

    #[inline]
    pub(super) fn read_limits(&mut self) {
        let limits = self.controller.limits();
        // The window mostly stays within the same packet; a division takes as long as the rest.
        let segment = self.config.segment_size.0.max(1);
        let beyond = limits
            .window
            .0
            .wrapping_sub(self.window.wrapping_mul(segment));
        if beyond >= segment {
            self.window = limits.window.0 / segment;
        }
        self.limits = limits;
    }
}
