//! Plain datagrams (UDP): sent as the application gives them, and nothing comes back.

use units::{Bytes, Ecn, Time};

use crate::endpoint::{Arrival, Content, Endpoint, Packet, Statistics};
use crate::segment::{Flags, Segment, SegmentKind};
use crate::statistics::SenderStatistics;

/// Sends datagrams of one size as they are supplied.
#[derive(Clone, Debug)]
pub struct DatagramSender {
    size: Bytes,
    next: u64,
    supplied: u64,
    stopped: bool,
}

/// Takes datagrams.
#[derive(Clone, Debug)]
pub struct DatagramReceiver {
    header_size: Bytes,
}

impl DatagramSender {
    /// A sender of datagrams of `size` on the wire, headers included.
    pub fn new(size: Bytes) -> Self {
        Self {
            size,
            next: 0,
            supplied: 0,
            stopped: false,
        }
    }
}

impl DatagramReceiver {
    /// A receiver of datagrams with headers of `header_size`.
    pub fn new(header_size: Bytes) -> Self {
        Self { header_size }
    }
}

impl Endpoint for DatagramSender {
    fn on_packet(&mut self, _now: Time, _packet: &Packet<'_>) -> Arrival {
        Arrival::default()
    }

    fn poll_transmit(&mut self, now: Time) -> Option<Packet<'_>> {
        if self.stopped || self.next >= self.supplied {
            return None;
        }
        let number = self.next;
        self.next += 1;
        let segment = Segment {
            kind: SegmentKind::Datagram,
            flags: Flags::NONE,
            number,
            timestamp: now,
        };
        Some(Packet {
            content: Content::Segment(segment, &[]),
            size: self.size,
            ecn: Ecn::NotEct,
        })
    }

    fn on_timer(&mut self, _now: Time) {}

    fn next_timer(&self) -> Option<Time> {
        None
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            sent: SenderStatistics {
                packets_sent: self.next,
                bytes_sent: self.size.saturating_mul(self.next),
                ..SenderStatistics::default()
            },
            ..Statistics::default()
        }
    }

    fn supply(&mut self, packets: u64) {
        self.supplied = self.supplied.max(packets);
    }

    fn stop(&mut self) {
        self.stopped = true;
    }
}

impl Endpoint for DatagramReceiver {
    fn on_packet(&mut self, _now: Time, packet: &Packet<'_>) -> Arrival {
        let Content::Segment(segment, _) = packet.content else {
            return Arrival::default();
        };
        if segment.kind != SegmentKind::Datagram {
            return Arrival::default();
        }
        Arrival {
            delivered: packet.size.saturating_sub(self.header_size),
            rtt: None,
        }
    }

    fn poll_transmit(&mut self, _now: Time) -> Option<Packet<'_>> {
        None
    }

    fn on_timer(&mut self, _now: Time) {}

    fn next_timer(&self) -> Option<Time> {
        None
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}
