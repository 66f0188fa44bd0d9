//! An endpoint of a program's own, whose packets carry real bytes, runs over the simulated network.
//!
//! The protocol: data in pieces of 500 B, go-back-N with a window of 8 and a timer of 200 ms. A
//! packet is its number in 8 bytes and then the piece; an ACK is the number expected next in 8 bytes.
//!
//! Over 1 Mb/s a packet of 8 + 500 + 28 B takes 4.288 ms, and 100 of them 0.43 s; a round trip is
//! 20 ms of delay, some 25 ms in all, so a window of 8 leaves no pause: without losses 50,000 B take
//! from 0.43 s to 0.5 s.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use experiments::scenario::Document;
use experiments::simulation::{Endpoints, Ends, run_with_endpoints};
use experiments::{Registry, Summary};
use transport::endpoint::{Arrival, Content, Endpoint, Packet, Statistics};
use units::{Bytes, Duration, Ecn, Time};

const PIECE: usize = 500;
const HEADERS: u64 = 28;
const WINDOW: u64 = 8;
const WAIT: Duration = Duration::from_millis(200);

/// Sends `data` in pieces.
#[derive(Debug)]
struct Sender {
    data: Vec<u8>,
    /// Pieces that the application has handed over.
    supplied: u64,
    acknowledged: u64,
    next: u64,
    highest: u64,
    deadline: Option<Time>,
    buffer: Vec<u8>,
    statistics: Statistics,
}

/// Puts the pieces in order.
#[derive(Debug)]
struct Receiver {
    expected: u64,
    received: Arc<Mutex<Vec<u8>>>,
    answer: [u8; 8],
    due: bool,
    statistics: Statistics,
}

fn bytes<'a>(packet: &Packet<'a>) -> &'a [u8] {
    match packet.content {
        Content::Bytes { bytes, .. } => bytes,
        other => panic!("{other:?} from a peer that sends bytes"),
    }
}

fn number(bytes: &[u8]) -> u64 {
    u64::from_be_bytes(bytes[..8].try_into().expect("8 bytes"))
}

fn packet(number: u64, data: bool, bytes: &[u8]) -> Packet<'_> {
    Packet {
        content: Content::Bytes {
            number,
            data,
            bytes,
        },
        size: Bytes(bytes.len() as u64 + HEADERS),
        ecn: Ecn::NotEct,
    }
}

impl Sender {
    fn pieces(&self) -> u64 {
        self.supplied.min(self.data.len().div_ceil(PIECE) as u64)
    }
}

impl Endpoint for Sender {
    fn on_packet(&mut self, now: Time, packet: &Packet<'_>) -> Arrival {
        let expected = number(bytes(packet));
        if expected > self.acknowledged {
            self.acknowledged = expected;
            self.next = self.next.max(expected);
            self.deadline = (expected < self.highest).then(|| now + WAIT);
        }
        Arrival::default()
    }

    fn poll_transmit(&mut self, now: Time) -> Option<Packet<'_>> {
        if self.next >= self.pieces() || self.next >= self.acknowledged + WINDOW {
            return None;
        }
        let number = self.next;
        self.next += 1;
        self.statistics.sent.packets_sent += 1;
        self.statistics.sent.retransmits += u64::from(number < self.highest);
        self.highest = self.highest.max(self.next);
        self.deadline.get_or_insert(now + WAIT);
        let start = number as usize * PIECE;
        let end = self.data.len().min(start + PIECE);
        self.buffer.clear();
        self.buffer.extend_from_slice(&number.to_be_bytes());
        self.buffer.extend_from_slice(&self.data[start..end]);
        Some(packet(number, true, &self.buffer))
    }

    fn on_timer(&mut self, now: Time) {
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            self.deadline = None;
            self.next = self.acknowledged;
            self.statistics.sent.timeouts += 1;
        }
    }

    fn next_timer(&self) -> Option<Time> {
        self.deadline
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            acknowledged: self.acknowledged,
            ..self.statistics
        }
    }

    fn supply(&mut self, packets: u64) {
        self.supplied = packets;
    }

    fn is_complete(&self) -> bool {
        self.acknowledged == self.pieces()
    }
}

impl Endpoint for Receiver {
    fn on_packet(&mut self, _now: Time, packet: &Packet<'_>) -> Arrival {
        let bytes = bytes(packet);
        let mut delivered = 0;
        if number(bytes) == self.expected {
            self.expected += 1;
            self.received.lock().unwrap().extend_from_slice(&bytes[8..]);
            delivered = bytes.len() as u64 - 8;
        } else {
            self.statistics.duplicates += u64::from(number(bytes) < self.expected);
        }
        self.answer = self.expected.to_be_bytes();
        self.due = true;
        Arrival {
            delivered: Bytes(delivered),
            rtt: None,
        }
    }

    fn poll_transmit(&mut self, _now: Time) -> Option<Packet<'_>> {
        std::mem::take(&mut self.due).then(|| packet(self.expected, false, &self.answer))
    }

    fn on_timer(&mut self, _now: Time) {}

    fn next_timer(&self) -> Option<Time> {
        None
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}

/// What arrived, and the run's summary. `loss` of the bottleneck in both directions.
fn transfer(loss: f64, data: &[u8]) -> (Vec<u8>, Summary) {
    let text = format!(
        r#"
duration = "60 s"

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "1 Mbps", delay = "10 ms", queue = {{ kind = "drop-tail", limit = "20 packets" }}, loss = {{ kind = "bernoulli", probability = {loss} }} }}

[[flows]]
label = "own"
protocol = "tcp"
packet_size = "536 B"
packets = 100
"#
    );
    let registry = Registry::standard();
    let scenario = Document::parse(&text, "test")
        .and_then(|document| document.check(&registry))
        .unwrap_or_else(|error| panic!("{error}"));
    let received = Arc::new(Mutex::new(Vec::new()));
    let mut endpoints = Endpoints::default();
    endpoints.hand("own", "go-back-n", |_| Ends {
        sender: Box::new(Sender {
            data: data.to_vec(),
            supplied: 0,
            acknowledged: 0,
            next: 0,
            highest: 0,
            deadline: None,
            buffer: Vec::new(),
            statistics: Statistics::default(),
        }),
        receiver: Box::new(Receiver {
            expected: 0,
            received: Arc::clone(&received),
            answer: [0; 8],
            due: false,
            statistics: Statistics::default(),
        }),
    });
    let outcome = run_with_endpoints(&scenario, &registry, &endpoints, |_| {
        ControlFlow::Continue(())
    });
    let summary = outcome.unwrap_or_else(|error| panic!("{error}")).summary;
    let received = received.lock().unwrap().clone();
    (received, summary)
}

fn data() -> Vec<u8> {
    (0..50_000_u32)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect()
}

#[test]
fn all_bytes_arrive_as_they_were_sent() {
    let data = data();
    let (received, summary) = transfer(0.0, &data);
    assert!(received == data, "{} bytes", received.len());
    let flow = &summary.flows[0];
    assert_eq!(flow.protocol, "go-back-n");
    assert_eq!((flow.packets_sent, flow.retransmits), (100, 0));
    assert_eq!(flow.bytes_delivered, 50_000);
    let completed_s = flow.completed_s.expect("it ends");
    assert!((0.43..=0.50).contains(&completed_s), "{completed_s}");
}

#[test]
fn lost_bytes_are_sent_again_and_every_packet_is_accounted_for() {
    let data = data();
    let (received, summary) = transfer(0.05, &data);
    assert!(received == data, "{} bytes", received.len());
    let flow = &summary.flows[0];
    assert!(flow.completed_s.is_some());
    // Some 5 of 100 are lost, and up to 7 behind each are sent again for nothing.
    assert!((1..=40).contains(&flow.lost), "{flow:?}");
    assert!(flow.retransmits >= flow.lost, "{flow:?}");
    assert_eq!(flow.packets_sent, 100 + flow.retransmits);
    assert_eq!(
        flow.packets_sent,
        flow.packets_delivered + flow.drops + flow.lost + flow.in_flight
    );
    assert!(flow.timeouts > 0, "{flow:?}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let data = data();
    assert_eq!(transfer(0.05, &data), transfer(0.05, &data));
    assert_ne!(transfer(0.05, &data).1, transfer(0.06, &data).1);
}
