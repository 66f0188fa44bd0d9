//! How a segment leaves: its record, its flags, the timer, the counts.

use controllers::{PacketRef, Sent};
use units::{Ecn, Time};

use super::Connection;
use crate::history::Record;
use crate::segment::{Flags, Segment, SegmentKind, Transmit};

impl Connection {
    /// Builds segment `number` and accounts for it. `in_flight` is the number of packets out
    /// with it.
    #[inline]
    pub(crate) fn transmit(&mut self, now: Time, number: u64, in_flight: u64) -> Transmit {
        let retransmission = number < self.high;
        if self.deadline.is_none() || self.una == self.high {
            self.restart_timer(now);
        }
        self.history
            .set(self.una, number, Record::new(now, retransmission));
        let size = self.config.segment_size;
        let mut flags = Flags::RETRANSMISSION.when(retransmission);
        if retransmission {
            self.statistics.retransmits += 1;
            if let Some(reports) = &mut self.reports {
                reports.on_retransmit(number);
            }
        } else {
            self.high = number + 1;
            if self.timed.is_none() && !self.config.timestamps {
                self.timed = Some(PacketRef {
                    number,
                    sent_at: now,
                });
            }
        }
        if self.cwr_due && !retransmission {
            // RFC 3168 §6.1.2: on the first new packet.
            flags |= Flags::CWR;
            self.cwr_due = false;
        }
        // RFC 3168 §6.1.5: not on retransmissions.
        let capable = self.config.ecn && !retransmission;
        self.statistics.packets_sent += 1;
        self.statistics.bytes_sent = self.statistics.bytes_sent.saturating_add(size);
        let sent = Sent {
            packet: PacketRef {
                number,
                sent_at: now,
            },
            size,
            in_flight: self.packets(in_flight),
            retransmission,
        };
        self.delivery.on_sent(self.una, &sent);
        if self.controller.on_sent(&sent) {
            self.read_limits();
        }
        Transmit {
            segment: Segment {
                kind: SegmentKind::Data,
                flags,
                number,
                timestamp: now,
            },
            size,
            ecn: if capable {
                self.config.properties.codepoint
            } else {
                Ecn::NotEct
            },
        }
    }

    /// The SYN.
    pub(crate) fn transmit_syn(&mut self, now: Time) -> Transmit {
        self.statistics.syns_sent += 1;
        if self.deadline.is_none() {
            self.restart_timer(now);
        }
        let retransmission = self.statistics.syns_sent > 1;
        Transmit {
            segment: Segment {
                kind: SegmentKind::Syn,
                flags: Flags::RETRANSMISSION.when(retransmission),
                number: 0,
                timestamp: now,
            },
            size: self.config.header_size,
            ecn: Ecn::NotEct,
        }
    }
}
