//! The state of a sending connection that every loss recovery works on: sequence numbers,
//! segment history, timers, the controller and its signals.

use controllers::{
    Ack, Congestion, CongestionController, Episode, Limits, PacketRef, RateSample, Sent, Signal,
};
use units::{Bytes, Duration, Ecn, Time};

use crate::config::{Compat, SenderConfig};
use crate::history::{History, Record};
use crate::rto::{RoundTrip, RtoEstimator};
use crate::segment::{Flags, SackBlock, Segment, SegmentKind, Transmit};
use crate::statistics::SenderStatistics;

/// A sending connection without its loss recovery.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) config: SenderConfig,
    controller: Box<dyn CongestionController>,
    limits: Limits,
    /// The controller's window in whole packets.
    window: u64,
    /// Nothing is being repaired: the window alone says what may leave, in order.
    pub(crate) plain: bool,
    /// The oldest segment not acknowledged: the number the next ACK should pass.
    pub(crate) una: u64,
    /// The next segment in line. Below `high` after a timeout, when the sender goes back.
    pub(crate) next: u64,
    /// One past the highest segment sent.
    pub(crate) high: u64,
    /// One past the last segment that the application handed over.
    pub(crate) end: u64,
    history: History,
    pub(crate) rto: RtoEstimator,
    /// The packet being timed, when there are no timestamps.
    pub(crate) timed: Option<PacketRef>,
    /// When the retransmission timer expires.
    pub(crate) deadline: Option<Time>,
    /// What leaves before all else, window or not.
    pub(crate) forced: Forced,
    /// How many packets may leave before the next event.
    pub(crate) burst: u32,
    /// Duplicate ACKs in a row.
    pub(crate) duplicates: u32,
    /// Segments that limited transmit sent since the last new ACK.
    pub(crate) limited: u64,
    /// One past the highest segment sent when the window was last reduced.
    pub(crate) reduced_until: Option<u64>,
    /// The last reduction was for a mark.
    pub(crate) reduced_by_ecn: bool,
    /// The oldest segment at the last timeout.
    pub(crate) timed_out_at: Option<u64>,
    /// Segments that arrived, as far as ACKs tell.
    delivered: u64,
    /// The window was not what held the sender back when it last stopped.
    pub(crate) app_limited: bool,
    /// The next new packet tells that the window was reduced.
    pub(crate) cwr_due: bool,
    pub(crate) quenches: u64,
    pub(crate) statistics: SenderStatistics,
}

/// What leaves before all else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forced {
    Nothing,
    /// This segment, in flight already.
    Retransmission(u64),
    /// The next one in line.
    Next,
}

/// An acknowledgement as it arrived.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival<'a> {
    pub(crate) now: Time,
    /// The next segment that the receiver expects.
    pub(crate) number: u64,
    pub(crate) timestamp: Time,
    pub(crate) echoes_retransmission: bool,
    pub(crate) ece: bool,
    pub(crate) blocks: &'a [SackBlock],
}

/// What an acknowledgement newly acknowledged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Acknowledged {
    pub(crate) packets: u64,
    newest: PacketRef,
    rate: Option<RateSample>,
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
    pub(crate) fn new(config: SenderConfig, controller: Box<dyn CongestionController>) -> Self {
        let limits = controller.limits();
        let mut connection = Self {
            limits,
            window: 0,
            plain: false,
            una: 0,
            next: 0,
            high: 0,
            end: 0,
            history: History::default(),
            rto: RtoEstimator::new(config.rto),
            timed: None,
            deadline: None,
            forced: Forced::Nothing,
            burst: 0,
            duplicates: 0,
            limited: 0,
            reduced_until: None,
            reduced_by_ecn: false,
            timed_out_at: None,
            delivered: 0,
            app_limited: false,
            cwr_due: false,
            quenches: 0,
            statistics: SenderStatistics::default(),
            config,
            controller,
        };
        connection.read_limits();
        connection
    }

    /// Whether segment 0 is the SYN (ns-2).
    #[inline]
    pub(crate) fn numbers_syn(&self) -> bool {
        self.config.handshake && self.config.compat == Compat::Ns2
    }

    /// Number of the first data segment.
    #[inline]
    pub(crate) fn first(&self) -> u64 {
        u64::from(self.numbers_syn())
    }

    /// The controller's window in whole packets.
    #[inline]
    pub(crate) fn window(&self) -> u64 {
        self.window
    }

    #[inline]
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    pub(crate) fn controller(&self) -> &dyn CongestionController {
        &*self.controller
    }

    /// The receiver's window in packets.
    #[inline]
    pub(crate) fn max_window(&self) -> u64 {
        self.config.max_window.unwrap_or(u64::MAX)
    }

    /// As many bytes as `packets` full segments.
    #[inline]
    pub(crate) fn packets(&self, packets: u64) -> Bytes {
        self.config.segment_size.saturating_mul(packets)
    }

    /// Whether data not sent before exists and fits the receiver's window.
    #[inline]
    pub(crate) fn can_send_new(&self) -> bool {
        self.next >= self.high && self.next < self.end && self.next - self.una < self.max_window()
    }

    /// The next segment in line, if a window of `window` packets allows it.
    #[inline]
    pub(crate) fn next_within(&self, window: u64) -> Option<u64> {
        let allowed = self.next - self.una < window.min(self.max_window());
        (allowed && self.next < self.end).then_some(self.next)
    }

    /// A new event: the window may be used again.
    #[inline]
    pub(crate) fn allow_burst(&mut self) {
        self.burst = self.config.max_burst.unwrap_or(u32::MAX);
    }

    // Sending.

    /// Builds segment `number` and accounts for it. `in_flight` is the number of packets out
    /// with it.
    #[inline]
    pub(crate) fn transmit(&mut self, now: Time, number: u64, in_flight: u64) -> Transmit {
        let retransmission = number < self.high;
        if self.deadline.is_none() || self.una == self.high {
            self.restart_timer(now);
        }
        self.history.set(
            self.una,
            number,
            Record::new(now, self.delivered, retransmission),
        );
        let size = self.size_of(number);
        let ns2 = self.config.compat == Compat::Ns2;
        let mut flags = Flags::RETRANSMISSION.when(retransmission);
        if retransmission {
            self.statistics.retransmits += 1;
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
        self.controller.on_sent(&Sent {
            packet: PacketRef {
                number,
                sent_at: now,
            },
            size,
            in_flight: size.saturating_mul(in_flight),
            retransmission,
        });
        self.read_limits();
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

    /// On the wire. ns-2 sends segment 0 without headers where it is no SYN.
    #[inline]
    fn size_of(&self, number: u64) -> Bytes {
        let config = &self.config;
        if number > 0 || config.compat == Compat::Rfc || config.header_size == Bytes::ZERO {
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
            self.history.set(0, 0, Record::new(now, 0, retransmission));
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

    // Acknowledgements.

    /// Everything before the arrival's number arrived. `known` of these were known to have.
    #[inline]
    pub(crate) fn acknowledge(&mut self, arrival: &Arrival<'_>, known: u64) -> Acknowledged {
        let packets = arrival.number - self.una;
        let newest = arrival.number - 1;
        let record = self.history.get(newest);
        self.una = arrival.number;
        self.next = self.next.max(self.una);
        self.count_delivered(packets.saturating_sub(known));
        let rate = (!record.is_retransmission()).then(|| RateSample {
            delivered: self
                .config
                .segment_size
                .saturating_mul(self.delivered.saturating_sub(record.delivered())),
            interval: arrival.now.saturating_since(record.sent_at),
        });
        let newest = PacketRef {
            number: newest,
            sent_at: record.sent_at,
        };
        let rtt = (!arrival.echoes_retransmission)
            .then(|| {
                arrival
                    .now
                    .as_picos()
                    .checked_sub(arrival.timestamp.as_picos())
            })
            .flatten()
            .map(Duration::from_picos);
        self.statistics.last_rtt = rtt;
        if let Some(rtt) = rtt {
            let first = self.statistics.rtt_samples == 0;
            self.statistics.rtt_samples += 1;
            self.statistics.min_rtt = if first {
                rtt
            } else {
                self.statistics.min_rtt.min(rtt)
            };
        }
        Acknowledged {
            packets,
            newest,
            rate,
        }
    }

    /// Selective ACKs tell of `segments` more that arrived.
    pub(crate) fn count_delivered(&mut self, segments: u64) {
        self.delivered = self.delivered.wrapping_add(segments);
    }

    /// Gives the estimator what the ACK measured (RFC 6298 §3, Karn's algorithm).
    #[inline]
    pub(crate) fn take_rtt(&mut self, arrival: &Arrival<'_>) {
        let timed = self.timed.filter(|timed| timed.number < arrival.number);
        if timed.is_some() {
            self.timed = None;
        }
        let sent_at = if self.config.timestamps {
            self.statistics.last_rtt.map(|_| arrival.timestamp)
        } else {
            timed.map(|timed| timed.sent_at)
        };
        if let Some(sent_at) = sent_at {
            self.rto.sample(RoundTrip {
                sent_at,
                now: arrival.now,
                timestamps: self.config.timestamps,
            });
            self.rto.end_backoff();
        }
    }

    /// Starts the timer anew, whatever is outstanding.
    #[inline]
    pub(crate) fn restart_timer(&mut self, now: Time) {
        self.deadline = Some(now.saturating_add(self.rto.timeout()));
    }

    /// RFC 6298 (5.2), (5.3): new data was acknowledged.
    #[inline]
    pub(crate) fn restart_or_stop_timer(&mut self, now: Time) {
        self.deadline = (self.una < self.high).then(|| now.saturating_add(self.rto.timeout()));
    }

    // The controller.

    /// Tells the controller of an ACK. `in_flight` is in packets; `grows` whether the window may.
    #[inline]
    pub(crate) fn tell_ack(
        &mut self,
        arrival: &Arrival<'_>,
        acknowledged: &Acknowledged,
        progress: Progress,
    ) {
        let segment = self.config.segment_size;
        let ack = Ack {
            now: arrival.now,
            acked: segment.saturating_mul(acknowledged.packets),
            acked_packets: acknowledged.packets,
            rtt: self.statistics.last_rtt,
            smoothed_rtt: self.rto.smoothed_rtt(),
            min_rtt: self.statistics.min_rtt,
            in_flight: segment.saturating_mul(progress.in_flight),
            delivered: acknowledged.rate,
            app_limited: self.app_limited && self.config.compat == Compat::Rfc,
            newest: acknowledged.newest,
            in_recovery: progress.in_recovery,
            ecn_ce: u64::from(arrival.ece),
            source_quenches: std::mem::take(&mut self.quenches),
            loss_event_rate: None,
        };
        self.controller.on_ack(&ack);
        self.read_limits();
    }

    /// Tells the controller of congestion.
    pub(crate) fn tell_congestion(&mut self, sign: CongestionSign) {
        let begins = sign.episode == Episode::Begins;
        self.statistics.congestion_episodes += u64::from(begins);
        let sent_at = if (self.una..self.high).contains(&sign.newest) {
            self.history.get(sign.newest).sent_at
        } else {
            sign.now
        };
        self.controller.on_congestion(&Congestion {
            now: sign.now,
            signal: sign.signal,
            episode: sign.episode,
            lost: self.config.segment_size.saturating_mul(sign.lost_packets),
            lost_packets: sign.lost_packets,
            newest: PacketRef {
                number: sign.newest,
                sent_at,
            },
            flight_size: sign.flight_size,
        });
        let reduces = match sign.signal {
            Signal::SourceQuench => false,
            Signal::Timeout => true,
            _ => begins,
        };
        self.cwr_due |= self.config.ecn && reduces;
        self.read_limits();
    }

    #[inline]
    fn read_limits(&mut self) {
        let limits = self.controller.limits();
        if limits.window != self.limits.window || self.window == 0 {
            self.window = limits.window.0 / self.config.segment_size.0.max(1);
        }
        self.limits = limits;
    }
}

/// Whether an ACK up to `number` covers more than everything before `point`, where there is one
/// ("covers more than recover", RFC 6582 §3.2).
#[inline]
pub(crate) fn is_past(point: Option<u64>, number: u64) -> bool {
    point.is_none_or(|point| number > point)
}

/// Where the sender stands when the controller is told of an ACK.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Packets in flight after the ACK.
    pub(crate) in_flight: u64,
    /// Losses are being repaired, or the ACK echoes a mark: the window does not grow.
    pub(crate) in_recovery: bool,
}

/// `ts_option_size_` of ns-2.
const TIMESTAMP_OPTION: Bytes = Bytes(10);
