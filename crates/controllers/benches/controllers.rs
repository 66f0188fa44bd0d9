//! Each controller of the registry: one ACK, one packet sent, one look at its limits; a loss every
//! 500 ACKs.

use std::collections::BTreeMap;
use std::hint::black_box;

use controllers::{Ack, Congestion, Episode, PacketRef, Registry, Sent, Setup, Signal};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use units::{Bytes, Duration, Time};

const SEGMENT: Bytes = Bytes(1_000);
const IN_FLIGHT: Bytes = Bytes(50_000);
const APART: Duration = Duration::from_micros(800);
const ACKS_PER_LOSS: u64 = 500;

fn per_ack(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("controllers");
    group.throughput(Throughput::Elements(1));
    for algorithm in Registry::standard().iter() {
        let parameters = algorithm
            .resolve(&BTreeMap::new())
            .expect("each has defaults");
        let mut controller = (algorithm.build)(
            &parameters,
            &Setup {
                initial_slow_start_threshold: SEGMENT * 50,
                ..Setup::new(SEGMENT, SEGMENT * 10)
            },
        );
        let mut now = Time::ZERO;
        let mut number = 0;
        group.bench_function(algorithm.name, |bencher| {
            bencher.iter(|| {
                now += APART;
                number += 1;
                // Round trips of 40 to 80 ms, as the queue fills and empties.
                let rtt = Duration::from_micros(40_000 + number * 100 % 40_000);
                if number % ACKS_PER_LOSS == 0 {
                    controller.on_congestion(&Congestion {
                        now,
                        signal: Signal::Loss,
                        episode: Episode::Begins,
                        lost: SEGMENT,
                        lost_packets: 1,
                        newest: PacketRef {
                            number,
                            sent_at: now,
                        },
                        flight_size: IN_FLIGHT,
                        lost_total: SEGMENT,
                        range_begins: true,
                        sent: None,
                    });
                }
                controller.on_ack(black_box(&Ack {
                    now,
                    acked: SEGMENT,
                    acked_packets: 1,
                    newly_delivered: SEGMENT,
                    delivered_total: SEGMENT * number,
                    newly_lost: Bytes::ZERO,
                    rtt: Some(rtt),
                    smoothed_rtt: Duration::from_millis(60),
                    min_rtt: Duration::from_millis(40),
                    one_way_delay: None,
                    in_flight: IN_FLIGHT,
                    delivered: None,
                    app_limited: false,
                    window_limited: true,
                    newest: PacketRef {
                        number,
                        sent_at: now,
                    },
                    in_recovery: false,
                    ecn_ce: 0,
                    report: None,
                }));
                controller.on_sent(black_box(&Sent {
                    packet: PacketRef {
                        number: number + 50,
                        sent_at: now,
                    },
                    size: SEGMENT,
                    in_flight: IN_FLIGHT,
                    retransmission: false,
                }));
                controller.limits()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, per_ack);
criterion_main!(benches);
