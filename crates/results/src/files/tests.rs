use std::fs;
use std::path::Path;

use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::Field;

use super::*;
use crate::page::Block;
use experiments::simulation::{
    Event, EventKind, FlowSample, LinkSample, Recording, VariableSample,
};
use experiments::summary::{FlowSummary, GroupSummary, LinkSummary};

const SCENARIO_TEXT: &str = r#"
name = "two flows"
description = "Two flows meet."
duration = "20 s"
warmup = "5 s"
seed = 7

[topology]
kind = "dumbbell"
bottleneck = { rate = "1 Mbps", delay = "10 ms", queue = { kind = "drop-tail", limit = "5 packets" } }

[[flows]]
label = "tcp"
protocol = "tcp"

[[flows]]
label = "noise"
protocol = "udp"
application = { kind = "cbr", rate = "0.1 Mbps" }

[record]
every = "10 s"
"#;

fn scenario() -> Scenario {
    Scenario::parse(
        SCENARIO_TEXT,
        "two.toml",
        &experiments::Registry::standard(),
    )
    .unwrap()
}

fn flow(label: &str, index: u64) -> FlowSummary {
    FlowSummary {
        label: label.to_owned(),
        index,
        protocol: "udp".to_owned(),
        controller: None,
        start_s: 0.25,
        completed_s: None,
        goodput_bps: 96_000.0,
        throughput_bps: 100_000.0,
        bytes_delivered: 240_000,
        packets_sent: 251,
        packets_delivered: 250,
        drops: 0,
        lost: 1,
        in_flight: 0,
        marks: 0,
        source_quenches: 0,
        retransmits: 0,
        spurious_retransmits: 0,
        timeouts: 0,
        fast_retransmits: 0,
        rtt_mean_s: None,
        rtt_sd_s: None,
        rtt_min_s: None,
        loss_event_rate: None,
        playback_success_percent: None,
    }
}

fn tcp_flow() -> FlowSummary {
    FlowSummary {
        protocol: "tcp".to_owned(),
        controller: Some("reno".to_owned()),
        completed_s: Some(19.5),
        goodput_bps: 800_000.0,
        packets_sent: 2_000,
        packets_delivered: 1_980,
        drops: 15,
        lost: 0,
        in_flight: 5,
        retransmits: 15,
        spurious_retransmits: 2,
        timeouts: 1,
        fast_retransmits: 9,
        rtt_mean_s: Some(0.05),
        rtt_sd_s: Some(0.01),
        rtt_min_s: Some(0.022),
        ..flow("tcp", 0)
    }
}

fn group(label: &str, flows: u64) -> GroupSummary {
    GroupSummary {
        label: label.to_owned(),
        flows,
        goodput_bps: 8e5,
        throughput_bps: 9e5,
        jain: Some(1.0),
        rtt_ms: None,
        queueing_delay_ms: None,
        completion_s: None,
        application_success_percent: None,
    }
}

fn link(name: &str, queue_max_packets: u64) -> LinkSummary {
    LinkSummary {
        name: name.to_owned(),
        utilization: 0.9,
        packets_in: 2_251,
        packets_out: 2_235,
        drops: 15,
        marks: 0,
        lost: 1,
        source_quenches: 0,
        drop_rate: 15.0 / 2_251.0,
        queue_mean_packets: 2.5,
        queue_max_packets,
    }
}

fn summary() -> Summary {
    Summary {
        version: "0.1.0".to_owned(),
        scenario: "two flows".to_owned(),
        seed: 7,
        duration_s: 20.0,
        warmup_s: 5.0,
        events: 12_345,
        packets_sent: 2_251,
        duplicated: 0,
        packets_delivered: 2_230,
        drops: 15,
        lost: 1,
        in_flight: 5,
        goodput_bps: 8.96e5,
        jain: Some(0.62),
        theta: Some(0.9),
        allotted: None,
        rtt_ms: None,
        queueing_delay_ms: None,
        groups: vec![group("tcp", 1), group("noise", 1)],
        flows: vec![tcp_flow(), flow("noise", 0)],
        links: vec![link("bottleneck", 5), link("bottleneck-reverse", 0)],
    }
}

fn tcp_sample(time_s: f64) -> FlowSample {
    FlowSample {
        time_s,
        flow: 0,
        window_packets: Some(time_s / 2.0),
        slow_start_threshold_packets: None,
        in_flight_packets: 4.0,
        rtt_s: Some(0.040),
        smoothed_rtt_s: Some(0.041),
        rto_s: Some(1.0),
        acknowledged_packets: 900,
        source_quenches: 0,
        goodput_bps: 7.5e5,
        delivery_rate_bps: 7.5e5,
        throughput_bps: 8e5,
    }
}

fn noise_sample(time_s: f64) -> FlowSample {
    FlowSample {
        flow: 1,
        window_packets: None,
        rtt_s: None,
        smoothed_rtt_s: None,
        rto_s: None,
        ..tcp_sample(time_s)
    }
}

fn link_sample(time_s: f64, link: u32) -> LinkSample {
    LinkSample {
        time_s,
        link,
        queue_packets: 3,
        queue_bytes: 3_000,
        packets_in: 90,
        drops: 8,
        marks: 0,
        lost: 1,
        source_quenches: 0,
        throughput_bps: 9e5,
    }
}

fn event(kind: EventKind, link: Option<u32>, window_packets: Option<f64>) -> Event {
    Event {
        time_ps: 1_500_000_000_001,
        flow: 0,
        kind,
        packet_number: 42,
        link,
        window_packets,
    }
}

fn outcome() -> Outcome {
    let variable = |flow, link, name, value| VariableSample {
        time_s: 10.0,
        flow,
        link,
        name,
        value,
    };
    let recording = Recording {
        flows: vec![
            tcp_sample(10.0),
            noise_sample(10.0),
            tcp_sample(20.0),
            noise_sample(20.0),
        ],
        links: vec![
            link_sample(10.0, 0),
            link_sample(10.0, 1),
            link_sample(20.0, 0),
        ],
        variables: vec![
            variable(Some(1), None, "alpha", 0.31),
            variable(None, Some(0), "average", 2.25),
        ],
        events: vec![
            event(EventKind::Send, None, Some(5.5)),
            event(EventKind::Drop, Some(1), None),
        ],
    };
    Outcome {
        summary: summary(),
        recording,
    }
}

fn totals_only() -> Outcome {
    Outcome {
        summary: summary(),
        recording: Recording::default(),
    }
}

fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn write(outcome: &Outcome) -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("run");
    write_run_folder(&dir, &scenario(), outcome).unwrap();
    (home, dir)
}

/// The rows of a table; each has its columns' names and values.
fn rows(path: &Path) -> Vec<Vec<(String, Field)>> {
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| {
        let row = row.unwrap();
        row.get_column_iter()
            .map(|(name, field)| (name.clone(), field.clone()))
            .collect()
    })
    .collect()
}

fn text(text: &str) -> Field {
    Field::Str(text.to_owned())
}

#[track_caller]
fn assert_row(row: &[(String, Field)], expected: &[(&str, Field)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, field)| ((*name).to_owned(), field.clone()))
        .collect();
    assert_eq!(row, expected);
}

#[test]
fn a_run_folder_holds_the_page_the_scenario_the_summary_and_what_was_recorded() {
    let (home, dir) = write(&outcome());
    assert_eq!(
        names(&dir),
        [
            "events.parquet",
            "flows.parquet",
            "index.html",
            "link_series.parquet",
            "links.parquet",
            "scenario.toml",
            "series.parquet",
            "summary.json",
            "variables.parquet",
        ]
    );
    assert_eq!(names(home.path()), ["run"]);
    let (_home, dir) = write(&totals_only());
    assert_eq!(
        names(&dir),
        [
            "flows.parquet",
            "index.html",
            "links.parquet",
            "scenario.toml",
            "summary.json"
        ]
    );
}

#[test]
fn scenario_and_summary_read_back_as_they_were() {
    let (_home, dir) = write(&outcome());
    let text = fs::read_to_string(dir.join(SCENARIO)).unwrap();
    let registry = experiments::Registry::standard();
    assert_eq!(
        Scenario::parse(&text, "again.toml", &registry).unwrap(),
        scenario()
    );
    let json = fs::read_to_string(dir.join(SUMMARY)).unwrap();
    assert!(json.starts_with("{\n  \"version\": \"0.1.0\",\n") && json.ends_with("}\n"));
    assert_eq!(serde_json::from_str::<Summary>(&json).unwrap(), summary());
    let identity = RunIdentity {
        scenario: "two flows".to_owned(),
        seed: 7,
        version: "0.1.0".to_owned(),
    };
    assert_eq!(existing_run(&dir).unwrap(), Some(identity));
}

#[test]
fn the_table_of_flows_holds_every_field_of_the_summary() {
    let (_home, dir) = write(&outcome());
    let rows = rows(&dir.join("flows.parquet"));
    assert_eq!(rows.len(), 2);
    for (number, (row, flow)) in rows.iter().zip(&summary().flows).enumerate() {
        assert_eq!(
            row[0],
            ("flow".to_owned(), Field::Long(number.try_into().unwrap()))
        );
        same_as_json(&row[1..], &serde_json::to_value(flow).unwrap());
    }
}

#[test]
fn the_table_of_links_holds_every_field_of_the_summary() {
    let (_home, dir) = write(&outcome());
    let rows = rows(&dir.join("links.parquet"));
    assert_eq!(rows.len(), 2);
    for (row, link) in rows.iter().zip(&summary().links) {
        same_as_json(row, &serde_json::to_value(link).unwrap());
    }
}

/// The row has the object's keys and values, no more and no less.
fn same_as_json(row: &[(String, Field)], object: &serde_json::Value) {
    let object = object.as_object().unwrap();
    assert_eq!(row.len(), object.len());
    for (name, field) in row {
        let value = match field {
            Field::Null => serde_json::Value::Null,
            Field::Long(count) => (*count).into(),
            Field::Double(number) => (*number).into(),
            Field::Str(text) => text.clone().into(),
            other => panic!("{name} is {other:?}"),
        };
        assert_eq!(Some(&value), object.get(name), "{name}");
    }
}

#[test]
fn the_series_hold_the_samples() {
    let (_home, dir) = write(&outcome());
    let series = rows(&dir.join("series.parquet"));
    assert_eq!(series.len(), 4);
    let common = [
        ("in_flight_packets", Field::Double(4.0)),
        ("acknowledged_packets", Field::Long(900)),
        ("source_quenches", Field::Long(0)),
        ("goodput_bps", Field::Double(7.5e5)),
        ("throughput_bps", Field::Double(8e5)),
    ];
    let [in_flight, acknowledged, quenches, goodput, throughput] = common;
    assert_row(
        &series[2],
        &[
            ("time_s", Field::Double(20.0)),
            ("flow", Field::Long(0)),
            ("label", text("tcp")),
            ("index", Field::Long(0)),
            ("window_packets", Field::Double(10.0)),
            ("slow_start_threshold_packets", Field::Null),
            in_flight,
            ("rtt_s", Field::Double(0.040)),
            ("smoothed_rtt_s", Field::Double(0.041)),
            ("rto_s", Field::Double(1.0)),
            acknowledged,
            quenches,
            goodput,
            ("delivery_rate_bps", Field::Double(7.5e5)),
            throughput,
        ],
    );
    assert_eq!(series[3][1].1, Field::Long(1));
    assert_eq!(series[3][2].1, text("noise"));
    assert_eq!(series[3][4].1, Field::Null);
    let links = rows(&dir.join("link_series.parquet"));
    assert_eq!(links.len(), 3);
    assert_row(
        &links[1],
        &[
            ("time_s", Field::Double(10.0)),
            ("link", text("bottleneck-reverse")),
            ("queue_packets", Field::Long(3)),
            ("queue_bytes", Field::Long(3_000)),
            ("packets_in", Field::Long(90)),
            ("drops", Field::Long(8)),
            ("marks", Field::Long(0)),
            ("lost", Field::Long(1)),
            ("source_quenches", Field::Long(0)),
            ("throughput_bps", Field::Double(9e5)),
        ],
    );
}

#[test]
fn variables_belong_to_a_flow_or_to_a_link() {
    let (_home, dir) = write(&outcome());
    let variables = rows(&dir.join("variables.parquet"));
    assert_row(
        &variables[0],
        &[
            ("time_s", Field::Double(10.0)),
            ("flow", Field::Long(1)),
            ("label", text("noise")),
            ("index", Field::Long(0)),
            ("link", Field::Null),
            ("variable", text("alpha")),
            ("value", Field::Double(0.31)),
        ],
    );
    assert_row(
        &variables[1],
        &[
            ("time_s", Field::Double(10.0)),
            ("flow", Field::Null),
            ("label", Field::Null),
            ("index", Field::Null),
            ("link", text("bottleneck")),
            ("variable", text("average")),
            ("value", Field::Double(2.25)),
        ],
    );
}

#[test]
fn events_keep_their_picoseconds() {
    let (_home, dir) = write(&outcome());
    let events = rows(&dir.join("events.parquet"));
    assert_eq!(events.len(), 2);
    assert_row(
        &events[0],
        &[
            ("time_s", Field::Double(1.500_000_000_001)),
            ("flow", Field::Long(0)),
            ("label", text("tcp")),
            ("index", Field::Long(0)),
            ("event", text("send")),
            ("packet_number", Field::Long(42)),
            ("link", Field::Null),
            ("window_packets", Field::Double(5.5)),
        ],
    );
    assert_eq!(events[1][4].1, text("drop"));
    assert_eq!(events[1][6].1, text("bottleneck-reverse"));
    assert_eq!(events[1][7].1, Field::Null);
}

#[test]
fn a_long_table_comes_back_whole_from_its_row_groups() {
    // 150,000 rows: groups of 65,536, 65,536 and 18,928; every third value is missing.
    let rows = 150_000;
    let value = |row: usize| (!row.is_multiple_of(3)).then_some(row as f64);
    let columns = vec![
        Column::count("row", |row| row as u64),
        Column::optional_real("value", value),
    ];
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("long.parquet");
    Table {
        name: "long",
        rows,
        columns,
    }
    .write(&path, &Origin::of(&summary()))
    .unwrap();

    let reader = SerializedFileReader::new(fs::File::open(&path).unwrap()).unwrap();
    let groups: Vec<_> = reader
        .metadata()
        .row_groups()
        .iter()
        .map(RowGroupMetaData::num_rows)
        .collect();
    assert_eq!(groups, [65_536, 65_536, 18_928]);
    let mut read = 0;
    for (number, row) in reader.get_row_iter(None).unwrap().enumerate() {
        let row = row.unwrap();
        let fields: Vec<_> = row
            .get_column_iter()
            .map(|(_, field)| field.clone())
            .collect();
        let expected = value(number).map_or(Field::Null, Field::Double);
        assert_eq!(fields, [Field::Long(number.try_into().unwrap()), expected]);
        read += 1;
    }
    assert_eq!(read, rows);
}

#[test]
fn tables_say_which_run_they_are_of() {
    let (_home, dir) = write(&outcome());
    let file = fs::File::open(dir.join("links.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.created_by(), Some("ackclock version 0.1.0"));
    let entries: Vec<_> = metadata
        .key_value_metadata()
        .unwrap()
        .iter()
        .map(|entry| (entry.key.as_str(), entry.value.as_deref().unwrap()))
        .collect();
    let expected = [
        ("ackclock.version", "0.1.0"),
        ("ackclock.scenario", "two flows"),
        ("ackclock.seed", "7"),
    ];
    assert_eq!(entries, expected);
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let (first, second) = (write(&outcome()), write(&outcome()));
    for name in names(&first.1) {
        assert!(
            fs::read(first.1.join(&name)).unwrap() == fs::read(second.1.join(&name)).unwrap(),
            "{name} differs"
        );
    }
}

#[test]
fn a_run_takes_the_place_of_a_run_but_of_nothing_else() {
    let (home, dir) = write(&outcome());
    write_run_folder(&dir, &scenario(), &totals_only()).unwrap();
    assert!(!dir.join("series.parquet").exists());
    fs::write(dir.join("notes.txt"), "mine").unwrap();
    let refused = write_run_folder(&dir, &scenario(), &outcome())
        .unwrap_err()
        .to_string();
    assert!(
        refused.ends_with("it holds \"notes.txt\", which no run writes"),
        "{refused}"
    );
    assert_eq!(fs::read_to_string(dir.join("notes.txt")).unwrap(), "mine");
    assert_eq!(names(home.path()), ["run"]);
}

#[test]
fn a_run_that_cannot_be_drawn_leaves_nothing_behind() {
    let home = tempfile::tempdir().unwrap();
    let mut outcome = outcome();
    outcome.summary.flows[0].completed_s = None;
    outcome.recording.flows[0].time_s = f64::NAN;
    let failed = write_run_folder(&home.path().join("run"), &scenario(), &outcome);
    assert!(matches!(failed, Err(FilesError::Page(_))), "{failed:?}");
    assert_eq!(names(home.path()), Vec::<String>::new());
}

fn charts_of(outcome: &Outcome) -> Vec<crate::page::Chart> {
    let blocks = run_page(&scenario(), "", outcome).blocks;
    let charts = blocks.into_iter().flat_map(|block| match block {
        Block::Chart(chart) => vec![chart],
        Block::Choice(charts) => charts.into_iter().map(|(_, chart)| chart).collect(),
        _ => Vec::new(),
    });
    charts.collect()
}

#[test]
fn the_page_shows_what_was_recorded_in_fitting_units() {
    let mut outcome = outcome();
    outcome.summary.flows[0].completed_s = None;
    let charts = charts_of(&outcome);
    let ids: Vec<_> = charts.iter().map(|chart| chart.id.as_str()).collect();
    let expected = [
        "window",
        "rate",
        "goodput",
        "sent",
        "rtt",
        "queue",
        "queue-bytes",
        "queue-time",
        "throughput",
        "drops",
        "drops-total",
        "sender-alpha",
        "queue-average",
    ];
    assert_eq!(ids, expected);
    assert!(
        charts
            .iter()
            .all(|chart| chart.group.as_deref() == Some("time"))
    );
    // A flow without a window has no line; 0.040 s are 40 ms. The first
    // sample of rates covers 0 to 10 s, but the flows begin at 0.25 s: it is not drawn. 7.5e5 bps are
    // 0.75 Mbps, the unit of the capacity beside them.
    let chart = |id: &str| charts.iter().find(|chart| chart.id == id).unwrap();
    let series = |id: &str| &chart(id).series;
    assert_eq!(series("window").len(), 1);
    assert_eq!(series("window")[0].name, "tcp");
    assert_eq!(series("window")[0].points, [(10.0, 5.0), (20.0, 10.0)]);
    assert_eq!(
        (chart("rtt").y.unit.as_str(), series("rtt")[0].points[0].1),
        ("ms", 40.0)
    );
    assert_eq!(
        (
            chart("goodput").y.unit.as_str(),
            series("goodput")[1].points[1].1
        ),
        ("Mbps", 0.75)
    );
    assert!(series("goodput")[1].points[0].1.is_nan());
    assert_eq!(series("goodput")[2].name, "capacity of bottleneck");
    // 8 dropped and 1 lost in the first ten seconds, none in the next.
    assert_eq!(series("drops")[0].points, [(10.0, 0.9), (20.0, 0.0)]);
    assert_eq!(series("drops-total")[0].points, [(10.0, 9.0), (20.0, 9.0)]);
    // 3000 bytes at 1 Mbps are 24 ms.
    assert_eq!(
        (
            chart("queue-time").y.unit.as_str(),
            series("queue-time")[0].points[0].1
        ),
        ("ms", 24.0)
    );
}

#[test]
fn without_series_the_page_has_tables_and_says_how_to_record() {
    assert_eq!(charts_of(&totals_only()).len(), 0);
    let (_home, dir) = write(&totals_only());
    let html = fs::read_to_string(dir.join(PAGE)).unwrap();
    assert!(html.contains("ackclock run scenario.toml --set &quot;record.every=100 ms&quot;"));
    let (_home, dir) = write(&outcome());
    let html = fs::read_to_string(dir.join(PAGE)).unwrap();
    assert!(!html.contains("record.every"));
    assert!(
        html.contains(
            "2251 sent + 0 duplicated = 2230 delivered + 15 dropped + 1 lost + 5 in flight"
        )
    );
    assert!(html.contains("ackclock run scenario.toml --out ../again"));
}

#[test]
fn many_flows_become_one_band_for_each_group() {
    // 13 flows, one more than there may be lines: windows 0, 1, …, 11 in group "many", 20 in "one".
    let mut outcome = outcome();
    outcome.summary.groups = vec![group("many", 12), group("one", 1)];
    outcome.summary.flows = (0..12).map(|index| flow("many", index)).collect();
    outcome.summary.flows.push(flow("one", 0));
    let sample = |flow: u32| FlowSample {
        flow,
        window_packets: Some(if flow == 12 { 20.0 } else { flow.into() }),
        ..tcp_sample(10.0)
    };
    outcome.recording.flows = (0..13).map(sample).collect();
    let charts = charts_of(&outcome);
    let [many, one] = &charts[0].series[..] else {
        panic!("{:?}", charts[0].series)
    };
    assert_eq!(
        (many.name.as_str(), &many.points[..]),
        ("many", &[(10.0, 5.5)][..])
    );
    assert_eq!(many.interval.as_deref(), Some(&[(0.0, 11.0)][..]));
    assert_eq!(
        (one.name.as_str(), &one.points[..]),
        ("one", &[(10.0, 20.0)][..])
    );
    let (_home, dir) = write(&outcome);
    let html = fs::read_to_string(dir.join(PAGE)).unwrap();
    assert!(html.contains("There are 13 flows: a line is the mean of a group’s flows"));
}

#[test]
fn flows_have_different_names_whatever_their_labels() {
    let mut outcome = outcome();
    outcome.summary.groups = vec![group("a", 2), group("a-0", 1)];
    outcome.summary.flows = vec![flow("a", 0), flow("a", 1), flow("a-0", 0)];
    assert_eq!(
        lines::flow_names(&outcome.summary, 3),
        ["a-0", "a-1", "a-0 (flow 2)"]
    );
}

#[test]
fn the_reference_lists_exactly_the_columns_that_are_written() {
    let reference = include_str!("../../../../docs/reference/tables.md");
    let outcome = totals_only();
    let tables = run_tables(&outcome);
    let sections: Vec<_> = reference
        .split("\n## ")
        .skip(1)
        .filter_map(|section| {
            let (heading, body) = section.split_once('\n')?;
            Some((heading.strip_suffix(".parquet`")?.strip_prefix('`')?, body))
        })
        .collect();
    let documented: Vec<_> = sections.iter().map(|(name, _)| *name).collect();
    assert_eq!(documented, tables::NAMES);
    for (table, (name, body)) in tables.iter().zip(&sections) {
        assert_eq!(table.name, *name);
        let described: Vec<_> = body
            .lines()
            .filter_map(|line| {
                let mut cells = line.strip_prefix("| `")?.split(" | ");
                Some((cells.next()?.strip_suffix('`')?, cells.next()?))
            })
            .collect();
        let written: Vec<_> = table
            .columns
            .iter()
            .map(|column| (column.name(), column.type_name()))
            .collect();
        assert_eq!(described, written, "{name}");
    }
}
