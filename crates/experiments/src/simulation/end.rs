//! One end of a flow as the simulator keeps it: the one place where kinds of endpoints are told
//! apart.

use netsim::random::Stream;
use transport::datagram::{DatagramReceiver, DatagramSender};
use transport::endpoint::{Arrival, Content, Endpoint, Packet, Statistics};
use transport::tfrc::{TfrcReceiver, TfrcSender};
use transport::tfwc::{TfwcReceiver, TfwcSender};
use transport::{TcpReceiver, TcpSender, ns2};
use units::{Bytes, Time};

use super::payload::{Payload, Payloads};

/// What only a simulated host asks of an endpoint.
pub(super) trait Simulated: Endpoint {
    /// Whether a window lets it send now: then its host may make it wait.
    fn is_let_by_window(&self) -> bool {
        false
    }

    /// The next packet that leaves now although the host lets those wait that the window clocks.
    fn poll_forced(&mut self, now: Time) -> Option<Packet<'_>> {
        let _ = now;
        None
    }

    /// The network lost data packet `number`.
    fn on_lost(&mut self, number: u64) {
        let _ = number;
    }
}

impl Simulated for TcpSender {
    fn is_let_by_window(&self) -> bool {
        self.wants_to_send_new()
    }

    fn poll_forced(&mut self, now: Time) -> Option<Packet<'_>> {
        self.poll_forced(now).map(Packet::from)
    }

    fn on_lost(&mut self, number: u64) {
        self.on_lost(number);
    }
}

impl Simulated for ns2::Sender {
    fn is_let_by_window(&self) -> bool {
        self.wants_to_send_new()
    }

    fn poll_forced(&mut self, now: Time) -> Option<Packet<'_>> {
        self.poll_forced(now).map(Packet::from)
    }
}

impl Simulated for TfwcSender {
    fn is_let_by_window(&self) -> bool {
        self.wants_to_send() && !self.is_rate_driven()
    }
}

impl Simulated for TcpReceiver {}
impl Simulated for ns2::Sink {}
impl Simulated for TfrcSender {}
impl Simulated for TfrcReceiver {}
impl Simulated for ns2::TfrcSender {}
impl Simulated for ns2::TfrcSink {}
impl Simulated for TfwcReceiver {}
impl Simulated for DatagramSender {}
impl Simulated for DatagramReceiver {}
impl Simulated for Box<dyn Endpoint> {}

/// One end. TCP's stands in place, for its packets are the most; any other behind a pointer.
#[derive(Debug)]
pub(super) enum End<T> {
    Tcp(T),
    Other(Box<dyn Simulated>),
}

impl<T: Simulated + 'static> End<T> {
    pub(super) fn other(end: impl Simulated + 'static) -> Self {
        Self::Other(Box::new(end))
    }

    pub(super) fn get(&self) -> &dyn Simulated {
        match self {
            Self::Tcp(end) => end,
            Self::Other(end) => &**end,
        }
    }

    pub(super) fn get_mut(&mut self) -> &mut dyn Simulated {
        match self {
            Self::Tcp(end) => end,
            Self::Other(end) => &mut **end,
        }
    }

    #[inline]
    pub(super) fn is_complete(&self) -> bool {
        match self {
            Self::Tcp(end) => end.is_complete(),
            Self::Other(end) => end.is_complete(),
        }
    }
}

/// A packet reaches an end of TCP.
#[inline(always)]
#[expect(clippy::inline_always, reason = "on the way of every packet")]
pub(super) fn receive_segment(
    end: &mut impl Endpoint,
    now: Time,
    packet: &netsim::Packet<Payload>,
    payloads: &mut Payloads,
) -> Arrival {
    let arrival = match payloads.segment(&packet.payload) {
        Some((segment, blocks)) => end.on_packet(
            now,
            &Packet {
                content: Content::Segment(segment, blocks),
                size: packet.size(),
                ecn: packet.ecn,
            },
        ),
        None => Arrival::default(),
    };
    payloads.release(&packet.payload);
    arrival
}

/// A packet reaches any end.
pub(super) fn receive(
    end: &mut dyn Simulated,
    now: Time,
    packet: &netsim::Packet<Payload>,
    payloads: &mut Payloads,
) -> Arrival {
    let arrived = Packet {
        content: payloads.content(&packet.payload),
        size: packet.size(),
        ecn: packet.ecn,
    };
    let arrival = end.on_packet(now, &arrived);
    payloads.release(&packet.payload);
    arrival
}

/// A packet as the network carries it.
#[inline(always)]
#[expect(clippy::inline_always, reason = "on the way of every packet")]
pub(super) fn pack(
    packet: &Packet<'_>,
    flow: usize,
    payloads: &mut Payloads,
) -> netsim::Packet<Payload> {
    let payload = payloads.pack(&packet.content);
    let mut packed = netsim::Packet::new(flow as u32, packet.size, payload);
    packed.ecn = packet.ecn;
    packed.data = packet.content.is_data();
    packed
}

/// A sender whose packets differ in size.
#[derive(Debug)]
pub(super) struct Varying {
    sender: Box<dyn Simulated>,
    least: Bytes,
    /// How many sizes there are, byte by byte.
    count: u64,
    random: Stream,
}

impl Varying {
    /// Sizes from `spread` below the mean to `spread` above it, all alike.
    pub(super) fn new(
        sender: Box<dyn Simulated>,
        mean: Bytes,
        spread: Bytes,
        random: Stream,
    ) -> Self {
        Self {
            sender,
            least: mean.saturating_sub(spread),
            count: 2 * spread.0 + 1,
            random,
        }
    }
}

impl Endpoint for Varying {
    fn on_packet(&mut self, now: Time, packet: &Packet<'_>) -> Arrival {
        self.sender.on_packet(now, packet)
    }

    fn poll_transmit(&mut self, now: Time) -> Option<Packet<'_>> {
        let packet = self.sender.poll_transmit(now)?;
        let size = self.least + Bytes(self.random.below(self.count));
        Some(Packet { size, ..packet })
    }

    fn on_timer(&mut self, now: Time) {
        self.sender.on_timer(now);
    }

    fn next_timer(&self) -> Option<Time> {
        self.sender.next_timer()
    }

    fn statistics(&self) -> Statistics {
        self.sender.statistics()
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        self.sender.variables(visit);
    }

    fn start(&mut self, now: Time) {
        self.sender.start(now);
    }

    fn supply(&mut self, packets: u64) {
        self.sender.supply(packets);
    }

    fn stop(&mut self) {
        self.sender.stop();
    }

    fn is_complete(&self) -> bool {
        self.sender.is_complete()
    }
}

impl Simulated for Varying {
    fn is_let_by_window(&self) -> bool {
        self.sender.is_let_by_window()
    }
}
