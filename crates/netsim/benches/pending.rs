//! The pending set: one event out, one in, with so many pending ("hold" of Jones, 1986).

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use netsim::random::Stream;
use netsim::{PendingSet, Rank, Taken};
use units::Duration;

const EVENTS: [u32; 4] = [4, 100, 10_000, 1_000_000];

/// How far ahead events are scheduled.
#[derive(Clone, Copy)]
enum Ahead {
    /// Always a round trip of 40 ms: the arrivals of packets on their way.
    Constant,
    /// Uniformly up to 40 ms: delays drawn for each packet.
    Uniform,
}

const ROUND_TRIP: Duration = Duration::from_millis(40);

fn ahead(ahead: Ahead, random: &mut Stream) -> u64 {
    match ahead {
        Ahead::Constant => ROUND_TRIP.as_picos(),
        Ahead::Uniform => random.below(ROUND_TRIP.as_picos()),
    }
}

fn hold(criterion: &mut Criterion) {
    for (name, kind) in [
        ("constant delay", Ahead::Constant),
        ("uniform delay", Ahead::Uniform),
    ] {
        let mut group = criterion.benchmark_group(format!("pending/{name}"));
        group.throughput(Throughput::Elements(1));
        for events in EVENTS {
            let mut random = Stream::named(1, "bench");
            let mut set = PendingSet::default();
            for number in 0..events {
                let time = random.below(ROUND_TRIP.as_picos());
                set.add(number, time, Rank { order: 0, number });
            }
            let mut number = events;
            group.bench_function(BenchmarkId::from_parameter(events), |bencher| {
                bencher.iter(|| {
                    let Some(Taken::Item { time, id }) = set.take(u64::MAX) else {
                        unreachable!("as many go in as come out");
                    };
                    let rank = Rank {
                        order: time,
                        number,
                    };
                    set.schedule(id, time + ahead(kind, &mut random), rank);
                    number = number.wrapping_add(1);
                    black_box(id)
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, hold);
criterion_main!(benches);
