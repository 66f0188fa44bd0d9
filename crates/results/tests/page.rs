//! A page with every kind of block, written to the test directory so that it can be looked at:
//! `target/tmp/demo.html`, and `target/tmp/report/` with the chart library beside the page.
//!
//! The numbers are made up; only their shapes resemble a run.

use results::page::{
    Align, Along, Axis, Block, CHART_LIBRARY, Cell, Chart, ColourScale, Column, Dash, HeatMap,
    Kind, Link, Page, Palette, Script, Series, Table, Verdict, VerdictCard,
};

const HOSTILE: &str = "</script><img src=x onerror=alert(1)> \"{b}\" & 'c'";

#[test]
fn demo_page_is_written_whole_and_twice_the_same() {
    let html = demo().to_html(&Script::Embedded).unwrap();
    assert_eq!(html, demo().to_html(&Script::Embedded).unwrap());
    assert!(html.contains(CHART_LIBRARY));
    std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/demo.html"), html).unwrap();
}

#[test]
fn report_pages_share_one_copy_of_the_library() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("echarts.min.js"), CHART_LIBRARY).unwrap();
    let html = demo()
        .to_html(&Script::Shared("echarts.min.js".to_owned()))
        .unwrap();
    assert!(!html.contains(CHART_LIBRARY));
    assert!(html.contains("<script src=\"echarts.min.js\"></script>"));
    std::fs::write(folder.join("index.html"), html).unwrap();
}

#[test]
fn page_of_a_hundred_thousand_points_is_written() {
    let mut walk = Noise(7);
    let mut level = 50.0;
    let points = (0..100_000).map(|i| {
        level += walk.next() - level * 0.001 + 0.05;
        (f64::from(i) * 0.001, level)
    });
    let chart = Chart::new(
        "long",
        "Long",
        Axis::linear("time", "s"),
        Axis::linear("queue", "packets"),
    )
    .with(Series::new("one", Kind::Step, points.collect()));
    let cloud = (0..20_000).map(|_| (walk.next(), walk.next())).collect();
    let scatter = Chart::new(
        "cloud",
        "Cloud",
        Axis::linear("a", ""),
        Axis::linear("b", ""),
    )
    .with(Series::new("one", Kind::Points, cloud));
    let html = Page::new("Long series", "")
        .with(Block::Chart(chart))
        .with(Block::Chart(scatter));
    let html = html.to_html(&Script::Embedded).unwrap();
    std::fs::write(concat!(env!("CARGO_TARGET_TMPDIR"), "/long.html"), html).unwrap();
}

fn demo() -> Page {
    let mut page = Page::new(
        "Four flows behind a DSL line",
        "dsl · seed 1 · 200 s, the first 20 s left out of the means",
    );
    page.palette = Palette::new(["tcp", "tcp 2", "tfrc", "tfrc 2", "tfwc", "smooth"]);
    page.blocks = vec![
        Block::KeyValues(vec![
            ("Bottleneck".into(), "1 Mbps, 10 ms".into()),
            ("Queue".into(), "drop-tail, 5 packets".into()),
            ("Flows".into(), "2 TCP (SACK, Reno), 2 TFRC".into()),
            ("Jain's index".into(), "0.9871".into()),
            ("Share of tcp".into(), "0.531".into()),
            ("Utilisation".into(), "0.993".into()),
        ]),
        Block::section("Over time"),
    ];
    page.blocks
        .extend(run_panels().into_iter().map(Block::Chart));
    page.blocks.extend([
        Block::section("Flows and links"),
        Block::Table(flows()),
        Block::Table(links()),
    ]);
    page.blocks.extend([
        Block::Heading { level: 2, text: "Goodput against the number of flows".into(), anchor: Some("goodput".into()) },
        Block::text("Each protocol alone on a 10 Mbps link with drop-tail queue; means of five seeds, bars show the 95 % confidence interval."),
        Block::Beside {
            main: vec![Block::Chart(goodput()), Block::Links(vec![
                Link::download("Scenario file", "goodput.toml"),
                Link::new("Back to the top", "#theme"),
            ])],
            side: vec![Block::Verdicts(verdicts())],
        },
        Block::Code { caption: "Repeat this figure".into(), text: "ackclock reproduce gaimd/2 --out report".into() },
        Block::Grid(vec![Block::Chart(loss()), Block::Chart(shares()), Block::Chart(band()), Block::Chart(scatter())]),
        Block::section("Surfaces"),
        Block::HeatMap(ratio_map()),
        Block::Relief(HeatMap { id: "ratio-relief".into(), ..ratio_map() }),
        Block::HeatMap(large_map()),
        Block::section("Claims"),
        Block::Table(claims()),
        Block::Details {
            summary: "Parameters".into(),
            blocks: vec![Block::KeyValues(vec![("α".into(), "0.31".into()), ("β".into(), "0.875".into())])],
        },
        Block::section(HOSTILE),
        Block::text(HOSTILE),
        Block::Chart(hostile()),
    ]);
    page
}

/// A small generator, so that the shapes are the same on every machine.
struct Noise(u64);

impl Noise {
    /// Between -1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    }
}

fn run_panels() -> Vec<Chart> {
    let time = || Axis::linear("time", "s");
    let flows = [
        ("tcp 1", Kind::Step),
        ("tcp 2", Kind::Step),
        ("tfrc 1", Kind::Step),
        ("tfrc 2", Kind::Step),
    ];
    let mut noise = Noise(1);
    let mut window = Chart::new(
        "window",
        "Congestion window",
        time(),
        Axis::linear("cwnd", "packets"),
    )
    .group("run");
    let mut rtt = Chart::new(
        "rtt",
        "Round-trip time",
        time(),
        Axis::linear("RTT", "ms").fitted(),
    )
    .group("run");
    let mut rates =
        Chart::new("rates", "Goodput", time(), Axis::linear("goodput", "kbps")).group("run");
    let keys = ["tcp", "tcp 2", "tfrc", "tfrc 2"];
    for (number, (name, kind)) in flows.into_iter().enumerate() {
        let mut cwnd = 2.0 + number as f64;
        let smooth = number >= 2;
        let (mut windows, mut rtts, mut goodputs) = (vec![], vec![], vec![]);
        for step in 1..2000 {
            let t = f64::from(step) * 0.1;
            cwnd += if smooth { 0.02 } else { 0.12 };
            if noise.next() > 0.965 || cwnd > 12.0 {
                cwnd *= if smooth { 0.85 } else { 0.5 };
            }
            windows.push((t, (cwnd * 10.0).round() / 10.0));
            rtts.push((t, 52.0 + 1.8 * cwnd + 3.0 * noise.next()));
            goodputs.push((t, 24.0 * cwnd + 22.0 * noise.next()));
        }
        window = window.with(Series::new(name, kind, windows).colour(keys[number]));
        rtt = rtt.with(Series::new(name, Kind::Line, rtts).colour(keys[number]));
        rates = rates.with(Series::new(name, Kind::Line, goodputs).colour(keys[number]));
    }
    let backlog = (1..2000).map(|step| (f64::from(step) * 0.1, (2.6 + 2.6 * noise.next()).round()));
    let queue = Chart::new(
        "queue",
        "Queue at the bottleneck",
        time(),
        Axis::linear("waiting", "packets"),
    )
    .group("run")
    .with(Series::new("bottleneck", Kind::Step, backlog.collect()))
    .line(Along::Y, 5.0, "limit");
    vec![
        window,
        rtt,
        queue,
        rates
            .line(Along::Y, 250.0, "fair share")
            .line(Along::X, 20.0, "warm-up ends"),
    ]
}

/// A series of points around a curve, with intervals of about a width.
fn around(noise: &mut Noise, name: &str, curve: impl Fn(f64) -> f64, width: f64) -> Series {
    let (points, interval) = (1..=10)
        .map(|i| {
            let n = f64::from(i) * 10.0;
            let y = curve(n) + width * 0.4 * noise.next();
            let half = width * (0.6 + 0.4 * noise.next());
            ((n, y), (y - half, y + half))
        })
        .unzip();
    Series::new(name, Kind::Line, points).interval(interval)
}

fn goodput() -> Chart {
    let mut noise = Noise(3);
    let mut chart = Chart::new(
        "goodput-10",
        "Goodput of four protocols, 10 Mbps",
        Axis::linear("flows", ""),
        Axis::linear("goodput", "Mbps").fitted(),
    );
    for (i, (name, key)) in [
        ("Reno", "tcp"),
        ("GAIMD 1/5", "tfrc"),
        ("GAIMD 1/8", "tfwc"),
        ("SmoothTCP", "smooth"),
    ]
    .into_iter()
    .enumerate()
    {
        let base = 9.6 - 0.25 * i as f64;
        let slope = 0.004 + 0.003 * i as f64;
        let series = around(&mut noise, name, |n| base - n * slope, 0.12);
        chart = chart.with(series.colour(key));
    }
    let paper = [(10.0, 9.52), (40.0, 9.31), (70.0, 9.20), (100.0, 9.05)];
    chart
        .with(
            Series::new("Reno, paper", Kind::Line, paper.to_vec())
                .colour("tcp")
                .dash(Dash::Dashed),
        )
        .note("Read off the paper's figure to within 0.05 Mbps.")
}

fn loss() -> Chart {
    let mut chart = Chart::new(
        "loss",
        "Loss rate",
        Axis::log("flows", ""),
        Axis::log("loss rate", "%"),
    );
    for (i, name) in ["tcp", "tfrc", "tfwc"].into_iter().enumerate() {
        let scale = 0.004 * (1.0 + i as f64);
        let points: Vec<_> = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]
            .iter()
            .map(|n| (*n, scale * n * n.sqrt()))
            .collect();
        let interval = points
            .iter()
            .map(|(n, y)| (if *n < 2.0 { -0.001 } else { y * 0.8 }, y * 1.25))
            .collect();
        chart = chart.with(Series::new(name, Kind::Line, points).interval(interval));
    }
    chart.with(Series::new(
        "smooth",
        Kind::Line,
        vec![(1.0, 0.0), (10.0, 0.1), (100.0, 2.0)],
    ))
}

fn shares() -> Chart {
    let names = ["0.5 Mbps", "1 Mbps", "2 Mbps", "5 Mbps"];
    let mut chart = Chart::new(
        "shares",
        "Share of each group",
        Axis::category("bottleneck", "", names),
        Axis::linear("share", "%"),
    );
    for (name, values) in [
        ("tcp", [61.0, 55.0, 52.0, 50.5]),
        ("tfrc", [39.0, 45.0, 48.0, 49.5]),
    ] {
        let points: Vec<_> = values
            .iter()
            .enumerate()
            .map(|(i, v)| (i as f64, *v))
            .collect();
        let interval = points.iter().map(|(_, v)| (v - 4.0, v + 3.0)).collect();
        chart = chart.with(Series::new(name, Kind::Bars, points).interval(interval));
    }
    chart.line(Along::Y, 50.0, "equal shares")
}

fn band() -> Chart {
    let mut noise = Noise(9);
    let mut chart = Chart::new(
        "band",
        "Normalised throughput",
        Axis::linear("time", "s"),
        Axis::linear("throughput", ""),
    );
    for (name, level) in [("tcp", 1.1), ("tfrc", 0.7)] {
        let points: Vec<_> = (0..=60)
            .map(|i| (f64::from(i), level + 0.1 * noise.next()))
            .collect();
        let interval = points
            .iter()
            .map(|(x, y)| (y - 0.1 - x * 0.002, y + 0.1 + x * 0.002))
            .collect();
        chart = chart.with(Series::new(name, Kind::Band, points).interval(interval));
    }
    chart
}

fn scatter() -> Chart {
    let mut noise = Noise(11);
    let mut chart = Chart::new(
        "scatter",
        "Goodput against delay, one point for each run",
        Axis::linear("queueing delay", "ms"),
        Axis::linear("goodput", "Mbps").fitted(),
    );
    for (name, x, y) in [
        ("tcp", 30.0, 9.4),
        ("tfrc", 22.0, 8.8),
        ("smooth", 8.0, 8.9),
    ] {
        let points = (0..30)
            .map(|_| (x + 5.0 * noise.next(), y + 0.4 * noise.next()))
            .collect();
        chart = chart.with(Series::new(name, Kind::Points, points));
    }
    chart
}

fn ratio_map() -> HeatMap {
    let rates = ["0.5", "1", "2", "5", "10", "20", "50", "100"];
    let delays = ["10", "20", "40", "80", "160"];
    let values = (0..delays.len())
        .map(|d| {
            (0..rates.len())
                .map(|r| {
                    let value = 1.0 + 0.09 * (r as f64 - 3.0) - 0.12 * (d as f64 - 2.0);
                    (r + d != 0).then_some(value)
                })
                .collect()
        })
        .collect();
    HeatMap {
        id: "ratio".into(),
        title: "Throughput of TFRC over that of TCP".into(),
        x: Axis::category("bottleneck", "Mbps", rates),
        y: Axis::category("round-trip time", "ms", delays),
        values,
        label: "ratio".into(),
        unit: String::new(),
        scale: ColourScale::Diverging { centre: 1.0 },
        notes: vec!["One is a fair share. Empty: the run did not leave slow start.".into()],
        height: None,
    }
}

fn large_map() -> HeatMap {
    let values = (0..20)
        .map(|y| {
            (0..30)
                .map(|x| Some(100.0 * f64::from(x * y) / 551.0))
                .collect()
        })
        .collect();
    HeatMap {
        id: "occupancy".into(),
        title: "Mean queue occupancy".into(),
        x: Axis::category("flows", "", (1..=30).map(|n| n.to_string())),
        y: Axis::category("buffer", "packets", (1..=20).map(|n| (n * 5).to_string())),
        values,
        label: "occupancy".into(),
        unit: "%".into(),
        scale: ColourScale::Sequential,
        notes: vec![],
        height: Some(420),
    }
}

fn flows() -> Table {
    let columns = vec![
        Column::text("Flow"),
        Column::text("Controller"),
        Column::number("Goodput", "kbps"),
        Column::number("Mean RTT", "ms"),
        Column::number("Sent", "packets"),
        Column::number("Retransmits", "packets").digits(3),
        Column::number("Timeouts", ""),
    ];
    let rows = vec![
        vec![
            "tcp 1".into(),
            "reno".into(),
            262.41.into(),
            71.337.into(),
            123_456.0.into(),
            812.0.into(),
            3.0.into(),
        ],
        vec![
            "tcp 2".into(),
            "reno".into(),
            248.9.into(),
            70.9.into(),
            118_211.0.into(),
            798.0.into(),
            5.0.into(),
        ],
        vec![
            "tfrc 1".into(),
            "tfrc".into(),
            241.0377.into(),
            73.02.into(),
            99_870.0.into(),
            f64::NAN.into(),
            0.0.into(),
        ],
        vec![
            "tfrc 2".into(),
            "tfrc".into(),
            239.5.into(),
            72.88.into(),
            9870.0.into(),
            Cell::Empty,
            0.0.into(),
        ],
    ];
    Table {
        rows,
        ..Table::new("Flows", columns)
    }
}

fn links() -> Table {
    let columns = vec![
        Column::text("Link"),
        Column::number("Utilisation", "%"),
        Column::number("Drops", "packets"),
        Column::number("Mean queue", "packets"),
    ];
    let rows = vec![
        vec![
            "bottleneck".into(),
            Cell::Interval {
                value: 99.31,
                low: 99.12,
                high: 99.48,
            },
            1610.0.into(),
            3.871.into(),
        ],
        vec![
            "bottleneck back".into(),
            Cell::Interval {
                value: 4.02,
                low: 3.9,
                high: 4.1,
            },
            0.0.into(),
            0.000_012.into(),
        ],
    ];
    Table {
        rows,
        ..Table::new("Links", columns)
    }
}

fn verdicts() -> Vec<VerdictCard> {
    let card = |statement: &str, verdict| VerdictCard {
        statement: statement.into(),
        paper: "9.05 Mbps".into(),
        ours: "9.11 Mbps".into(),
        interval: Some("9.02 to 9.20 (95 %)".into()),
        verdict,
        with: None,
        reason: None,
        details: Vec::new(),
    };
    let mut failed = card(
        "GAIMD 1/8 has the highest goodput for every number of flows.",
        Verdict::NotReproduced,
    );
    failed.paper = "highest".into();
    failed.ours = "third of four at N ≥ 30".into();
    failed.interval = None;
    failed.details = vec![("Rule".into(), "Above all others at every N.".into())];
    failed.reason = Some("With start times drawn at random the flows do not lock in phase, and the gain disappears; with equal start times it is there.".into());
    vec![
        card(
            "Reno's goodput falls to 9.05 Mbps with 100 flows.",
            Verdict::Reproduced,
        ),
        card(
            "The smooth protocols lose less than 5 % against Reno.",
            Verdict::Partly,
        ),
        failed,
    ]
}

fn claims() -> Table {
    let mut columns = vec![
        Column::text("Paper"),
        Column::number("Figures", ""),
        Column::number("Claims", ""),
        Column::text("Worst"),
        Column::text(HOSTILE),
    ];
    columns[3].align = Align::Center;
    let row = |name: &str, figures: f64, claims: f64, verdict| {
        vec![
            Cell::Link(Link::new(name, "#goodput")),
            figures.into(),
            claims.into(),
            Cell::Verdict(verdict),
            HOSTILE.into(),
        ]
    };
    let rows = vec![
        row("GAIMD", 11.0, 24.0, Verdict::NotReproduced),
        row("TFWC", 9.0, 18.0, Verdict::Partly),
        row("SmoothTCP", 6.0, 9.0, Verdict::Reproduced),
    ];
    Table {
        rows,
        ..Table::new("Papers", columns)
    }
}

fn hostile() -> Chart {
    let axis = |unit| Axis::linear(HOSTILE, unit);
    Chart::new("<b>\"&'", HOSTILE, axis("</script>"), axis("{c}"))
        .with(Series::new(
            HOSTILE,
            Kind::Line,
            vec![(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0), (3.0, 2.0)],
        ))
        .with(Series::new(
            "__proto__",
            Kind::Line,
            vec![(0.0, 2.0), (1.0, 2.5), (2.0, 2.0), (3.0, 3.0)],
        ))
        .line(Along::Y, 2.5, HOSTILE)
        .note(HOSTILE)
}
