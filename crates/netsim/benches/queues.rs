//! Queue disciplines: the verdict on one packet, while 0 to 30 packets wait.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use netsim::queues::{
    Arrival, ArrivalDiscipline, Backlog, DropTail, Limit, LinkFacts, Mode, Red, RedParameters,
};
use netsim::random::Stream;
use units::{Bytes, Duration, Ecn, Rate, Time};

const LINK: LinkFacts = LinkFacts {
    rate: Rate::mbit_per_s(100),
    delay: Duration::from_millis(10),
};
const SIZE: Bytes = Bytes(1_000);
/// Packets arrive as fast as the link sends them.
const APART: Duration = Duration::from_micros(80);

/// A queue that wanders between empty and 30 packets, as a path of arrivals.
fn backlogs() -> Vec<u64> {
    let mut random = Stream::named(1, "bench");
    let mut waiting: u64 = 10;
    (0..4_096)
        .map(|_| {
            waiting = if random.chance(0.5) {
                (waiting + 1).min(30)
            } else {
                waiting.saturating_sub(1)
            };
            waiting
        })
        .collect()
}

fn red(mode: Mode) -> Box<dyn ArrivalDiscipline> {
    let parameters = RedParameters {
        min_threshold: Some(5.0),
        max_threshold: Some(15.0),
        mode,
        mean_packet_size: SIZE,
        ..RedParameters::default()
    };
    Box::new(Red::new(parameters, LINK, Stream::named(1, "red")))
}

fn admit(criterion: &mut Criterion) {
    let backlogs = backlogs();
    let mut group = criterion.benchmark_group("queues");
    group.throughput(Throughput::Elements(1));
    for (name, mut queue) in [
        (
            "drop-tail in packets",
            Box::new(DropTail::new(Limit::Packets(25))) as Box<dyn ArrivalDiscipline>,
        ),
        (
            "drop-tail in bytes",
            Box::new(DropTail::new(Limit::Bytes(SIZE * 25))),
        ),
        ("RED in packets", red(Mode::Packets)),
        ("RED in bytes", red(Mode::Bytes)),
    ] {
        let mut now = Time::ZERO;
        let mut waiting = backlogs.iter().cycle();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let packets = *waiting.next().expect("a cycle has no end");
                now += APART;
                queue.admit(black_box(&Arrival {
                    now,
                    size: SIZE,
                    ecn: Ecn::NotEct,
                    backlog: Backlog {
                        packets,
                        bytes: SIZE * packets,
                    },
                    idle_since: (packets == 0).then_some(now),
                }))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, admit);
criterion_main!(benches);
