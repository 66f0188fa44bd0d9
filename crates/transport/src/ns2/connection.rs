//! The state of ns-2's `TcpAgent` that all agents work on: sequence numbers, times of sending, the
//! timer, the window.

use std::sync::Arc;

use controllers::PacketRef;
use units::{Bytes, Duration, Ecn, Time};

use super::window::Window;
use crate::config::{Recovery, SenderConfig};
use crate::connection::{Acknowledged, Arrival, Forced};
use crate::history::{Record, Ring};
use crate::rto::RtoEstimator;
use crate::segment::{Flags, Segment, SegmentKind, Transmit};
use crate::statistics::SenderStatistics;

/// A sending connection of ns-2's. A number here is one more than ns-2's of the same event, where
/// ns-2 counts from −1.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) config: Arc<SenderConfig>,
    /// `cwnd_`, `ssthresh_`.
    pub(super) window: Window,
    /// One past `highest_ack_`.
    pub(super) una: u64,
    /// `t_seqno_`.
    pub(super) next: u64,
    /// One past `maxseq_`.
    pub(super) high: u64,
    /// One past `curseq_`.
    pub(super) end: u64,
    history: Ring<Record>,
    pub(super) rto: RtoEstimator,
    /// `rtt_active_`, `rtt_seq_`, `rtt_ts_`: the packet being timed.
    pub(super) timed: Option<PacketRef>,
    /// When `rtx_timer_` expires.
    pub(super) deadline: Option<Time>,
    /// What leaves before all else, window or not: `output()` called by itself.
    pub(super) forced: Forced,
    /// How many packets may leave before the next event.
    pub(super) burst: u32,
    /// `dupacks_`.
    pub(super) duplicates: u32,
    /// `cong_action_`: the next packet tells that the window was reduced.
    pub(super) cwr_due: bool,
    pub(super) statistics: SenderStatistics,
}

impl Connection {
    pub(super) fn new(config: Arc<SenderConfig>, window: Window) -> Self {
        Self {
            window,
            una: 0,
            next: 0,
            high: 0,
            end: 0,
            history: Ring::default(),
            rto: RtoEstimator::new(Arc::clone(&config)),
            timed: None,
            deadline: None,
            forced: Forced::Nothing,
            burst: 0,
            duplicates: 0,
            cwr_due: false,
            statistics: SenderStatistics::default(),
            config,
        }
    }

    /// Whether segment 0 is a SYN.
    #[inline]
    pub(super) fn numbers_syn(&self) -> bool {
        self.config.handshake
    }

    /// Number of the first data segment.
    #[inline]
    pub(super) fn first(&self) -> u64 {
        u64::from(self.numbers_syn())
    }

    /// `wnd_`: the receiver's window, in packets.
    #[inline]
    pub(super) fn max_window(&self) -> u64 {
        self.config.max_window.unwrap_or(u64::MAX)
    }

    /// When segment `number`, which must be in flight, last left.
    pub(super) fn sent_at(&self, number: u64) -> Time {
        self.history.get(number).sent_at()
    }

    /// As many bytes as `packets` full segments.
    #[inline]
    pub(super) fn bytes(&self, packets: u64) -> Bytes {
        self.config.segment_size.saturating_mul(packets)
    }

    /// The next segment in line, if a window of `window` packets allows it.
    #[inline]
    pub(super) fn next_within(&self, window: u64) -> Option<u64> {
        let allowed = self.next - self.una < window.min(self.max_window());
        (allowed && self.next < self.end).then_some(self.next)
    }

    /// A new event: the window may be used again.
    #[inline]
    pub(super) fn allow_burst(&mut self) {
        self.burst = self.config.max_burst.unwrap_or(u32::MAX);
    }

    /// `set_rtx_timer()`, whatever is outstanding.
    #[inline]
    pub(super) fn restart_timer(&mut self, now: Time) {
        self.deadline = Some(now.saturating_add(self.rto.timeout()));
    }

    /// Everything before the arrival's number arrived.
    #[inline]
    pub(super) fn acknowledge(&mut self, arrival: &Arrival<'_>) -> Acknowledged {
        let packets = arrival.number - self.una;
        let newest = arrival.number - 1;
        let record = self.history.get(newest);
        self.una = arrival.number;
        self.next = self.next.max(self.una);
        self.count_round_trip(arrival);
        Acknowledged {
            packets,
            newest: PacketRef {
                number: newest,
                sent_at: record.sent_at(),
            },
            retransmitted: record.is_retransmission(),
            rtt: self.statistics.last_rtt,
        }
    }

    /// Counts the round trip that an ACK shows, if it is clear whose it is.
    #[inline]
    fn count_round_trip(&mut self, arrival: &Arrival<'_>) {
        let ambiguous =
            arrival.echoes_retransmission && (!self.config.timestamps || self.config.karn);
        let (now, sent_at) = (arrival.now.as_picos(), arrival.timestamp.as_picos());
        let rtt = (!ambiguous)
            .then(|| now.checked_sub(sent_at))
            .flatten()
            .map(Duration::from_picos);
        let statistics = &mut self.statistics;
        statistics.last_rtt = rtt;
        if let Some(rtt) = rtt {
            statistics.min_rtt = match statistics.rtt_samples {
                0 => rtt,
                _ => statistics.min_rtt.min(rtt),
            };
            statistics.rtt_samples += 1;
        }
    }

    /// `output()`: builds segment `number` and accounts for it.
    #[inline]
    pub(super) fn transmit(&mut self, now: Time, number: u64) -> Transmit {
        let retransmission = number < self.high;
        if self.deadline.is_none() || self.una == self.high {
            self.restart_timer(now);
        }
        let record = Record::new(now, retransmission);
        self.history.set(self.una, number, record);
        let packet = PacketRef {
            number,
            sent_at: now,
        };
        if retransmission {
            self.statistics.retransmits += 1;
        } else {
            self.high = number + 1;
            if self.timed.is_none() {
                self.timed = Some(packet);
            }
        }
        let mut flags = Flags::RETRANSMISSION.when(retransmission);
        flags |= Flags::CWR.when(std::mem::take(&mut self.cwr_due));
        let size = self.size_of(number);
        self.statistics.packets_sent += 1;
        self.statistics.bytes_sent = self.statistics.bytes_sent.saturating_add(size);
        let in_flight = self.bytes(self.next - self.una);
        self.window.on_sent(packet, size, in_flight, retransmission);
        // All but segment 0 are ECN-capable, retransmissions too.
        let capable = self.config.ecn && number > 0;
        Transmit {
            segment: Segment {
                kind: SegmentKind::Data,
                flags,
                number,
                timestamp: now,
            },
            size,
            ecn: if capable { Ecn::Ect0 } else { Ecn::NotEct },
        }
    }

    /// On the wire. Segment 0, where it is no SYN, leaves without headers; Vegas counts none.
    #[inline]
    fn size_of(&self, number: u64) -> Bytes {
        let config = &self.config;
        if number > 0 || config.recovery == Recovery::Vegas || config.header_size == Bytes::ZERO {
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

    /// The SYN, which is segment 0.
    pub(super) fn transmit_syn(&mut self, now: Time) -> Transmit {
        self.statistics.syns_sent += 1;
        if self.deadline.is_none() {
            self.restart_timer(now);
        }
        let retransmission = self.statistics.syns_sent > 1;
        self.history.set(0, 0, Record::new(now, retransmission));
        if self.high == 0 {
            self.high = 1;
            self.timed = Some(PacketRef {
                number: 0,
                sent_at: now,
            });
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

/// `ts_option_size_`.
const TIMESTAMP_OPTION: Bytes = Bytes(10);
