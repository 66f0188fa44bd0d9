//! The seam between an endpoint and whoever carries its packets: a simulated network, a test, a
//! socket.
//!
//! An endpoint is one end of a flow, sans I/O: it is given packets and the time, and gives packets
//! and the time of its next timer. Its host
//!
//! * calls [`start`](Endpoint::start) once, and hands over data with [`supply`](Endpoint::supply);
//! * gives it what arrives with [`on_packet`](Endpoint::on_packet);
//! * calls [`on_timer`](Endpoint::on_timer) when the time of [`next_timer`](Endpoint::next_timer)
//!   has come;
//! * after each of these calls asks [`poll_transmit`](Endpoint::poll_transmit) for packets until it
//!   gives none, and then for the next timer.
//!
//! `now` never goes back. The ends of this crate speak in plain values and number their packets; an
//! end whose packets are bytes, such as a QUIC stack, speaks in [`Content::Bytes`].

mod datagrams;
mod ns2;
mod tcp;

use std::fmt;

use units::{Bytes, Duration, Ecn, Time};

use crate::segment::{SackBlock, Segment, SegmentKind};
use crate::statistics::SenderStatistics;
use crate::tfrc::{TfrcData, TfrcFeedback};
use crate::tfwc::{Gap, TfwcAck, TfwcData};

/// One end of a flow.
pub trait Endpoint: fmt::Debug + Send {
    /// A packet arrived; says what it brought. What the endpoint does not understand, it ignores.
    fn on_packet(&mut self, now: Time, packet: &Packet<'_>) -> Arrival;

    /// The next packet that leaves now. What it carries lives until the next call.
    fn poll_transmit(&mut self, now: Time) -> Option<Packet<'_>>;

    /// To be called at or after [`next_timer`](Self::next_timer); harmless when early.
    fn on_timer(&mut self, now: Time);

    /// When [`on_timer`](Self::on_timer) is due.
    fn next_timer(&self) -> Option<Time>;

    /// What was counted so far, and how the endpoint stands.
    fn statistics(&self) -> Statistics;

    /// State worth plotting: `visit` takes a name from the field's vocabulary and a value.
    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        let _ = visit;
    }

    /// Packets may leave from now on.
    fn start(&mut self, now: Time) {
        let _ = now;
    }

    /// The application has handed over so many packets' worth of data in all; [`u64::MAX`] for no
    /// end.
    fn supply(&mut self, packets: u64) {
        let _ = packets;
    }

    /// The flow leaves: the endpoint sends nothing more and has no timers.
    fn stop(&mut self) {}

    /// Whether the transfer is finite and done with.
    fn is_complete(&self) -> bool {
        false
    }
}

/// A packet as it leaves or arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Packet<'a> {
    /// What it carries.
    pub content: Content<'a>,
    /// Size on the wire, headers included.
    pub size: Bytes,
    /// Its ECN field.
    pub ecn: Ecn,
}

/// What a packet carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Content<'a> {
    /// Of TCP, or a plain datagram. SACK blocks with an ACK, three at most.
    Segment(Segment, &'a [SackBlock]),
    /// Data of TFRC.
    TfrcData(TfrcData),
    /// Feedback of TFRC.
    TfrcFeedback(TfrcFeedback),
    /// Data of TFWC.
    TfwcData(TfwcData),
    /// An ACK of TFWC with its gaps.
    TfwcAck(TfwcAck, &'a [Gap]),
    /// Bytes of a protocol of one's own.
    Bytes {
        /// A number for records, such as the packet's own.
        number: u64,
        /// Whether the packet counts as data, not as an acknowledgement.
        data: bool,
        /// The bytes.
        bytes: &'a [u8],
    },
}

/// What a packet brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Payload that the application now gets.
    pub delivered: Bytes,
    /// The round trip that it measured.
    pub rtt: Option<Duration>,
}

/// What an endpoint counted and how it stands. An end that only receives leaves at zero what
/// concerns sending.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Counts of the sending end.
    pub sent: SenderStatistics,
    /// Packets known to have arrived.
    pub acknowledged: u64,
    /// Packets in the network, as far as the sender knows.
    pub in_flight: u64,
    /// The congestion window in packets; none without congestion control.
    pub window_packets: Option<f64>,
    /// Smoothed round trip; zero before the first sample.
    pub smoothed_rtt: Duration,
    /// The timeout for lost packets or feedback, backoff included; zero where there is none.
    pub rto: Duration,
    /// Payload that arrived and waits for some that is missing before it.
    pub waiting: Bytes,
    /// Data packets that arrived and had arrived before.
    pub duplicates: u64,
}

impl Content<'_> {
    /// Whether it is data, as opposed to acknowledgements, feedback and the opening of a
    /// connection.
    #[inline]
    pub fn is_data(&self) -> bool {
        match self {
            Self::Segment(segment, _) => {
                matches!(segment.kind, SegmentKind::Data | SegmentKind::Datagram)
            }
            Self::TfrcData(_) | Self::TfwcData(_) => true,
            Self::TfrcFeedback(_) | Self::TfwcAck(..) => false,
            Self::Bytes { data, .. } => *data,
        }
    }
}

impl<E: Endpoint + ?Sized> Endpoint for Box<E> {
    fn on_packet(&mut self, now: Time, packet: &Packet<'_>) -> Arrival {
        (**self).on_packet(now, packet)
    }

    fn poll_transmit(&mut self, now: Time) -> Option<Packet<'_>> {
        (**self).poll_transmit(now)
    }

    fn on_timer(&mut self, now: Time) {
        (**self).on_timer(now);
    }

    fn next_timer(&self) -> Option<Time> {
        (**self).next_timer()
    }

    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        (**self).variables(visit);
    }

    fn start(&mut self, now: Time) {
        (**self).start(now);
    }

    fn supply(&mut self, packets: u64) {
        (**self).supply(packets);
    }

    fn stop(&mut self) {
        (**self).stop();
    }

    fn is_complete(&self) -> bool {
        (**self).is_complete()
    }
}
