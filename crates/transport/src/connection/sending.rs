//! How a segment leaves: its record, its flags, the timer, the counts.

use controllers::{PacketRef, Sent};
use units::{Bytes, Ecn, Time};

use super::Connection;
use crate::config::{Compat, Recovery};
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
        let size = self.size_of(number);
        let ns2 = self.config.compat == Compat::Ns2;
        let mut flags = Flags::RETRANSMISSION.when(retransmission);
        if retransmission {
            self.statistics.retransmits += 1;
            if let Some(reports) = &mut self.reports {
                reports.on_retransmit(number);
            }
        } else {
            self.high = number + 1;
            if self.timed.is_none() && (ns2 || !self.config.timestamps) {
                self.timed = Some(PacketRef {
                    number,
                    sent_at: now,
                });
            }
        }
        if self.cwr_due && (ns2 || !retransmission) {
            // RFC 3168 §6.1.2: on the first new packet; ns-2: on the first packet.
            flags |= Flags::CWR;
            self.cwr_due = false;
        }
        // RFC 3168 §6.1.5: not on retransmissions; ns-2: on all but segment 0.
        let capable = self.config.ecn && if ns2 { number > 0 } else { !retransmission };
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

    /// On the wire. ns-2 sends segment 0 without headers where it is no SYN; Vegas counts none.
    #[inline]
    fn size_of(&self, number: u64) -> Bytes {
        let config = &self.config;
        if number > 0
            || config.compat == Compat::Rfc
            || config.recovery == Recovery::Vegas
            || config.header_size == Bytes::ZERO
        {
            return config.segment_size;
        }
        let option = if config.timestamps {
            TIMESTAMP_OPTION
        } else {
            Bytes::ZERO
        };
        config
            .segment_size
            .saturating_sub(config.header_size.saturating_add(option))
    }

    /// The SYN.
    pub(crate) fn transmit_syn(&mut self, now: Time) -> Transmit {
        self.statistics.syns_sent += 1;
        if self.deadline.is_none() {
            self.restart_timer(now);
        }
        let retransmission = self.statistics.syns_sent > 1;
        if self.numbers_syn() {
            self.history.set(0, 0, Record::new(now, retransmission));
            if self.high == 0 {
                self.high = 1;
                self.timed = Some(PacketRef {
                    number: 0,
                    sent_at: now,
                });
            }
        }
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

/// `ts_option_size_` of ns-2.
const TIMESTAMP_OPTION: Bytes = Bytes(10);
