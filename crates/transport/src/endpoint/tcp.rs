//! TCP's two ends as endpoints.

use units::{Bytes, Time};

use super::{Arrival, Content, Endpoint, Packet, Statistics};
use crate::segment::{SegmentKind, Transmit};
use crate::{TcpReceiver, TcpSender};

impl From<Transmit> for Packet<'_> {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    fn from(transmit: Transmit) -> Self {
        Self {
            content: Content::Segment(transmit.segment, &[]),
            size: transmit.size,
            ecn: transmit.ecn,
        }
    }
}

impl Endpoint for TcpSender {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    fn on_packet(&mut self, now: Time, packet: &Packet<'_>) -> Arrival {
        let Content::Segment(segment, blocks) = packet.content else {
            return Arrival::default();
        };
        if segment.kind == SegmentKind::SourceQuench {
            self.on_source_quench(now, segment.number);
            return Arrival::default();
        }
        self.on_segment(now, &segment, blocks);
        Arrival {
            delivered: Bytes::ZERO,
            rtt: self.statistics().last_rtt,
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    fn poll_transmit(&mut self, now: Time) -> Option<Packet<'_>> {
        self.poll_transmit(now).map(Packet::from)
    }

    fn on_timer(&mut self, now: Time) {
        self.on_timer(now);
    }

    #[inline]
    fn next_timer(&self) -> Option<Time> {
        self.next_timer()
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            sent: *self.statistics(),
            acknowledged: self.acknowledged(),
            in_flight: self.in_flight(),
            window_packets: Some(self.window_packets()),
            smoothed_rtt: self.smoothed_rtt(),
            rto: self.rto(),
            ..Statistics::default()
        }
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        self.variables(visit);
    }

    fn start(&mut self, now: Time) {
        self.start(now);
    }

    fn supply(&mut self, packets: u64) {
        self.supply(packets);
    }

    fn stop(&mut self) {
        self.stop();
    }

    #[inline]
    fn is_complete(&self) -> bool {
        self.is_complete()
    }
}

impl Endpoint for TcpReceiver {
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    fn on_packet(&mut self, now: Time, packet: &Packet<'_>) -> Arrival {
        let Content::Segment(segment, _) = packet.content else {
            return Arrival::default();
        };
        let delivery = self.on_segment(now, &segment, packet.ecn);
        self.answer = delivery.ack;
        Arrival {
            delivered: self.payload().saturating_mul(delivery.in_order),
            rtt: None,
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    fn poll_transmit(&mut self, _now: Time) -> Option<Packet<'_>> {
        let ack = self.answer.take()?;
        Some(Packet {
            content: Content::Segment(ack.segment, self.sack_blocks()),
            size: ack.size,
            ecn: ack.ecn,
        })
    }

    fn on_timer(&mut self, now: Time) {
        self.answer = self.on_timer(now);
    }

    #[inline]
    fn next_timer(&self) -> Option<Time> {
        self.next_timer()
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            waiting: self.payload().saturating_mul(self.waiting()),
            duplicates: self.duplicates(),
            ..Statistics::default()
        }
    }
}
