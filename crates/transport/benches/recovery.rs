//! TCP endpoints and their loss recovery: one data segment and its ACK, at a constant window.
//!
//! Without losses that is the common way of an ACK; with losses it includes the scoreboard and the
//! retransmissions, and how their cost grows with the window.

use std::collections::VecDeque;
use std::hint::black_box;

use controllers::{Ack, Congestion, CongestionController, Limits};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use transport::{ReceiverConfig, Recovery, Segment, SenderConfig, TcpReceiver, TcpSender};
use units::{Bytes, Duration, Ecn, Time};

/// The window of a controller that never changes it.
#[derive(Clone, Debug)]
struct Constant(Bytes);

impl CongestionController for Constant {
    fn limits(&self) -> Limits {
        Limits::of_window(self.0)
    }

    fn on_ack(&mut self, _ack: &Ack) {}

    fn on_congestion(&mut self, _congestion: &Congestion) {}
}

/// A sender and a receiver, and the segments on their way.
struct Path {
    sender: TcpSender,
    receiver: TcpReceiver,
    on_the_way: VecDeque<Segment>,
    now: Time,
    arrived: u64,
    /// Every so many segments one is lost.
    loss_every: u64,
}

impl Path {
    fn new(recovery: Recovery, window: u64, loss_every: u64) -> Self {
        let config = SenderConfig {
            recovery,
            ..SenderConfig::default()
        };
        let controller = Constant(config.segment_size * window);
        let mut path = Self {
            sender: TcpSender::new(config, Box::new(controller)),
            receiver: TcpReceiver::new(ReceiverConfig {
                sack: recovery == Recovery::Sack,
                ..ReceiverConfig::default()
            }),
            on_the_way: VecDeque::new(),
            now: Time::ZERO,
            arrived: 0,
            loss_every,
        };
        path.sender.start(path.now);
        path.sender.supply(u64::MAX);
        path.send();
        path
    }

    fn send(&mut self) {
        while let Some(transmit) = self.sender.poll_transmit(self.now) {
            self.on_the_way.push_back(transmit.segment);
        }
    }

    /// The next segment arrives, or is lost.
    fn step(&mut self) {
        let Some(segment) = self.on_the_way.pop_front() else {
            let timer = self.sender.next_timer().expect("the timer runs");
            self.now = self.now.max(timer);
            self.sender.on_timer(self.now);
            self.send();
            return;
        };
        self.now += APART;
        self.arrived += 1;
        if self.arrived.is_multiple_of(self.loss_every) {
            return;
        }
        let delivery = self.receiver.on_segment(self.now, &segment, Ecn::NotEct);
        if let Some(ack) = delivery.ack {
            let blocks = self.receiver.sack_blocks();
            self.sender.on_segment(self.now, &ack.segment, blocks);
            self.send();
        }
    }
}

const APART: Duration = Duration::from_micros(10);
const NEVER: u64 = u64::MAX;

fn segments(criterion: &mut Criterion) {
    let recoveries = [
        ("reno", Recovery::Reno),
        ("new-reno", Recovery::NewReno),
        ("sack", Recovery::Sack),
    ];
    for (losses, loss_every) in [("no loss", NEVER), ("1 % lost", 100), ("10 % lost", 10)] {
        let mut group = criterion.benchmark_group(format!("recovery/{losses}"));
        group.throughput(Throughput::Elements(1));
        for (name, recovery) in recoveries {
            for window in [32, 1_024] {
                let mut path = Path::new(recovery, window, loss_every);
                group.bench_function(BenchmarkId::new(name, window), |bencher| {
                    bencher.iter(|| black_box(&mut path).step());
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, segments);
criterion_main!(benches);
