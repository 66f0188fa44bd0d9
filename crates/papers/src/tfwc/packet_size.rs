//! Media flows whose packets are smaller or larger than TCP's. The report assumes equal sizes and
//! leaves others to the future (§7.2). Here: flows with equal packets of other sizes, and flows whose
//! packets differ from one to the next.

use experiments::simulation::Outcome;
use results::page::{Along, Axis, Block, Cell, Chart, Column, Kind, Series, Table};

use super::setting::{Flows, Media, Network, Queue, product};
use crate::data::{Data, Measured};
use crate::paper::{Figure, Key, Mode, Run};

/// Packet sizes.
pub(super) const PACKET_SIZE: Figure = Figure {
    id: "packet-size",
    title: "media flows with packets of other sizes than TCP's",
    shows: "What four flows with packets of 200 to 1500 B get beside four of TCP with 1000 B, each \
            flow over a flow of TCP: of packets, and of bytes. With the equation's window in packets the \
            former is 1 and the latter follows the size, as long as the queue does not look at sizes.",
    parameters: &[
        (
            "flows",
            "four TCP SACK (ns-2.35) with 1000 B beside four of TCP, TFRC (RFC 5348) or TFWC: all of \
             one size, or one each of 200, 500, 1000 and 1500 B; or four of TFRC or TFWC whose \
             packets are drawn evenly between 500 and 1500 B",
        ),
        (
            "sizes",
            "on the wire, 40 B of header included; where they vary the senders go by the mean of 1000 B \
             (RFC 5348 §4.1)",
        ),
        (
            "bottleneck",
            "6 Mb/s, 10 ms; access as in Figure 6.7; dither up to a packet's time",
        ),
        (
            "queue",
            "17 packets, or as many times 1000 B; RED with thresholds of a sixth and a half, its \
             average in packets or in bytes: then small packets are dropped less often",
        ),
        (
            "duration",
            "120 s (quick form: 60 s); the first 20 s are left out",
        ),
    ],
    plan,
    measure,
    draw,
};

pub(super) const MEDIA: [Media; 3] = [Media::Tcp, Media::Tfrc, Media::Tfwc];
/// Those that count packets, then those that count bytes.
pub(super) const QUEUES: [&str; 4] = [
    "drop-tail, packets",
    "RED, packets",
    "drop-tail, bytes",
    "RED, bytes",
];
pub(super) const SIZES: [u32; 4] = [200, 500, 1_000, 1_500];
pub(super) const EQUAL: u32 = 1_000;
const SIZES_QUICK: [u32; 2] = [200, EQUAL];
const ALL: &str = "all four";
const VARYING: &str = "500 to 1500 B";
/// Half of 1500 less 500 B.
const SPREAD: u32 = 500;
/// Labels of groups by size.
const LABELS: [&str; 4] = ["200 B", "500 B", "1000 B", "1500 B"];
const TCP: &str = "TCP";
const HEADER: u32 = 40;
const MBPS: f64 = 6.0;

pub(super) fn key(media: Media, queue: &str, size: &str) -> Key {
    Key::new()
        .with("protocol", media.name())
        .with("queue", queue)
        .with("size", size)
}

pub(super) fn label(size: u32) -> &'static str {
    let at = SIZES.iter().position(|one| *one == size);
    LABELS[at.expect("one of the sizes")]
}

/// Packets of a flow of that size for each of a flow of TCP.
pub(super) fn packets(size: u32) -> String {
    format!("packets_over_tcp_{size}_b")
}

/// Part of the packets of that size that the bottleneck refused.
pub(super) fn loss(size: u32) -> String {
    format!("loss_rate_{size}_b")
}

/// The same of TCP's.
pub(super) const LOSS_OF_TCP: &str = "loss_rate_tcp";

fn bytes(size: u32) -> String {
    format!("bytes_over_tcp_{size}_b")
}

fn plan(mode: Mode) -> Vec<Run> {
    let (sizes, seeds, duration_s): (&[u32], u64, u32) = match mode {
        Mode::Quick => (&SIZES_QUICK, 3, 60),
        Mode::Full => (&SIZES, 10, 120),
    };
    let mut mixes: Vec<(&str, Vec<u32>)> = sizes
        .iter()
        .map(|size| (label(*size), vec![*size]))
        .collect();
    mixes.push((ALL, SIZES.to_vec()));
    mixes.push((VARYING, vec![EQUAL]));
    let limit = product(MBPS);
    let mut runs = Vec::new();
    for media in MEDIA {
        for queue in QUEUES {
            let waits = match queue {
                "drop-tail, packets" => Queue::DropTail(limit),
                "drop-tail, bytes" => Queue::DropTailBytes(limit),
                "RED, packets" => Queue::Red { limit, flows: 8 },
                _ => Queue::RedBytes { limit, flows: 8 },
            };
            let network = Network::short(MBPS, waits, duration_s);
            for (name, sizes) in &mixes {
                let spread = if *name == VARYING { SPREAD } else { 0 };
                if spread > 0 && media == Media::Tcp {
                    continue;
                }
                let flows = |media, count| Flows::new(media, count, (1, 10)).dithered(8.0 / MBPS);
                let mut groups = vec![flows(Media::Tcp, 4)];
                groups.extend(sizes.iter().map(|size| {
                    flows(media, 4 / sizes.len() as u32)
                        .called(label(*size))
                        .sized(*size)
                        .spread(spread)
                }));
                runs.extend((1..=seeds).map(|seed| Run {
                    key: key(media, queue, name),
                    seed,
                    scenario: network.scenario("packet-size", seed, &groups, ""),
                    work: network.packets(),
                }));
            }
        }
    }
    runs
}

fn measure(outcome: &Outcome) -> Measured {
    // Packets that arrive each second, for each flow of the group.
    let arrive = |wanted: &str, size: u32| {
        let groups = &outcome.summary.groups;
        let group = groups.iter().find(|group| group.label == wanted)?;
        Some(group.goodput_bps / f64::from(8 * (size - HEADER)) / group.flows as f64)
    };
    let tcp = arrive(TCP, EQUAL).filter(|rate| *rate > 0.0);
    let refused = |wanted: &str| {
        let flows = outcome.summary.flows.iter();
        let flows = flows.filter(|flow| flow.label == wanted);
        let (drops, sent) = flows.fold((0, 0), |(drops, sent), flow| {
            (drops + flow.drops, sent + flow.packets_sent)
        });
        (sent > 0).then(|| drops as f64 / sent as f64)
    };
    SIZES.into_iter().fold(
        Measured::default()
            .value("utilization", outcome.summary.links[0].utilization)
            .value(LOSS_OF_TCP, refused(TCP)),
        |measured, size| {
            let of_tcp = arrive(label(size), size).zip(tcp);
            let of_tcp = of_tcp.map(|(rate, tcp)| rate / tcp);
            let in_bytes = of_tcp.map(|of_tcp| of_tcp * f64::from(size) / f64::from(EQUAL));
            measured
                .value(&packets(size), of_tcp)
                .value(&bytes(size), in_bytes)
                .value(&loss(size), refused(label(size)))
        },
    )
}

fn draw(data: &Data) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (id, name, title) in [
        ("packets", packets as fn(u32) -> String, "Packets"),
        ("bytes", bytes, "Bytes"),
    ] {
        let mut charts = Vec::new();
        for queue in QUEUES {
            let slug = key(MEDIA[0], queue, "").slug();
            let mut chart = Chart::new(
                format!("tfwc-packet-size-{id}-{slug}"),
                format!("{title} over those of a TCP flow: {queue}"),
                Axis::linear("packet", "B").range(0.0, 1_600.0),
                Axis::linear(format!("{} / TCP's", title.to_lowercase()), ""),
            )
            .line(Along::Y, 1.0, "as much as TCP");
            for media in MEDIA {
                chart = chart.with(over_sizes(data, media.name(), |size| {
                    (key(media, queue, label(size)), name(size))
                }));
            }
            charts.push(Block::Chart(chart));
        }
        blocks.push(Block::Grid(charts));
    }
    let mut charts = Vec::new();
    for queue in QUEUES {
        let slug = key(MEDIA[0], queue, "").slug();
        let mut chart = Chart::new(
            format!("tfwc-packet-size-all-{slug}"),
            format!("One flow of each size at once: {queue}"),
            Axis::linear("packet", "B").range(0.0, 1_600.0),
            Axis::linear("packets / TCP's", ""),
        )
        .line(Along::Y, 1.0, "as much as TCP");
        for media in MEDIA {
            chart = chart.with(over_sizes(data, media.name(), |size| {
                (key(media, queue, ALL), packets(size))
            }));
        }
        charts.push(Block::Chart(chart));
    }
    blocks.push(Block::Grid(charts));
    blocks.push(Block::Table(varying(data)));
    blocks
}

/// Flows whose packets differ from one to the next beside those with equal ones.
fn varying(data: &Data) -> Table {
    let mut table = Table::new(
        "Packets of 1000 B, and packets of 500 to 1500 B: bytes over those of a TCP flow with 1000 B, \
         and the part of the packets that the bottleneck refused",
        vec![
            Column::text("protocol"),
            Column::text("queue"),
            Column::number("bytes, equal", "TCP's").digits(3),
            Column::number("bytes, varying", "TCP's").digits(3),
            Column::number("refused, equal", "").digits(3),
            Column::number("refused, varying", "").digits(3),
        ],
    );
    for media in &MEDIA[1..] {
        for queue in QUEUES {
            let mut row = vec![Cell::from(media.name()), Cell::from(queue)];
            for value in [bytes(EQUAL), loss(EQUAL)] {
                for size in [label(EQUAL), VARYING] {
                    row.push(data.samples(&key(*media, queue, size), &value).cell());
                }
            }
            table.rows.push(row);
        }
    }
    table
}

fn over_sizes(data: &Data, name: &str, at: impl Fn(u32) -> (Key, String)) -> Series {
    let (mut points, mut intervals) = (Vec::new(), Vec::new());
    for size in SIZES {
        let (key, value) = at(size);
        if let Some(estimate) = data.samples(&key, &value).estimate() {
            points.push((f64::from(size), estimate.mean));
            intervals.push(estimate.ends());
        }
    }
    Series::new(name, Kind::Line, points).interval(intervals)
}

#[cfg(test)]
mod tests {
    use super::super::measure::tests::outcome;
    use super::*;

    /// Four flows of TCP with 100 packets of 960 B of payload a second each; one flow with 50 of
    /// 160 B: half as many packets, a tenth of the bytes.
    #[test]
    fn packets_and_bytes_are_for_each_flow_and_of_whole_packets() {
        let tcp_bps = 4.0 * 100.0 * 960.0 * 8.0;
        let groups = [("TCP", 4, tcp_bps), ("200 B", 1, 50.0 * 160.0 * 8.0)];
        let measured = measure(&outcome(&groups));
        let of = |name: String| measured.values.get(&name).copied();
        assert_eq!(of(packets(200)), Some(0.5));
        assert_eq!(of(bytes(200)), Some(0.1));
        assert_eq!(of(packets(500)), None);
    }

    #[test]
    fn each_size_has_its_label() {
        for size in SIZES {
            assert_eq!(label(size), format!("{size} B"));
        }
    }

    #[test]
    fn sizes_vary_for_datagrams_alone() {
        let runs = plan(Mode::Quick);
        let varying: Vec<_> = runs
            .iter()
            .filter(|run| run.key.word("size") == Some(VARYING))
            .collect();
        assert_eq!(varying.len(), 2 * QUEUES.len() * 3);
        for run in varying {
            assert_ne!(run.key.word("protocol"), Some(Media::Tcp.name()));
            assert_eq!(run.scenario.matches("size_spread = \"500 B\"").count(), 1);
        }
    }

    /// Each 17 × 1000 B: the byte queues hold 16,000 B beside the packet being sent, or 17,000 B.
    #[test]
    fn queues_count_packets_or_bytes() {
        let runs = plan(Mode::Full);
        let of = |queue| {
            let wanted = key(Media::Tfwc, queue, "200 B");
            let run = runs.iter().find(|run| run.key == wanted);
            run.expect("the plan has it").scenario.clone()
        };
        assert!(of(QUEUES[0]).contains(r#"kind = "drop-tail", limit = "16 packets""#));
        assert!(of(QUEUES[1]).contains(r#"limit = "17 packets", weight = "auto" }"#));
        assert!(of(QUEUES[2]).contains(r#"kind = "drop-tail", limit = "16000 B""#));
        assert!(of(QUEUES[3]).contains(r#"limit = "17000 B", weight = "auto", mode = "bytes""#));
    }
}
