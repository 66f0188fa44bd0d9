//! The page of a run: key numbers, charts, tables, and how to repeat it.

use std::collections::BTreeMap;

use units::choice::{Setting, Value};

use super::charts::{self, Charts, unit_for};
use super::lines::flow_names;
use super::{SCENARIO, SUMMARY, drawing, run_tables};
use crate::page::{Axis, Block, Cell, Chart, Column, Kind, Link, Page, Series, Table, significant};
use crate::spoken::letter;
use experiments::scenario::Scenario;
use experiments::simulation::Outcome;
use experiments::summary::{FlowSummary, LinkSummary, Summary};

/// The page of a run; `scenario_text` is the scenario as TOML.
pub fn run_page(scenario: &Scenario, scenario_text: &str, outcome: &Outcome) -> Page {
    let summary = &outcome.summary;
    let subtitle = format!(
        "{} simulated, seed {}, ackclock {}",
        seconds(summary.duration_s),
        summary.seed,
        summary.version
    );
    let mut page = Page::new(&summary.scenario, subtitle);
    let blocks = &mut page.blocks;
    let paragraphs = scenario.description.split("\n\n").map(str::trim);
    blocks.extend(paragraphs.filter(|text| !text.is_empty()).map(Block::text));
    blocks.extend(drawing::network(scenario, scenario_text).map(Block::Drawing));
    blocks.push(Block::KeyValues(key_numbers(summary)));
    blocks.push(Block::Paragraph(conservation(summary)));
    add_charts(blocks, charts::charts(scenario, outcome));
    if summary.flows.len() > MOST_ROWS {
        blocks.push(Block::section("All flows"));
        blocks.extend(distributions(summary).into_iter().map(Block::Chart));
    }
    blocks.push(Block::section("Groups"));
    blocks.push(Block::Table(groups_table(summary)));
    blocks.push(Block::section("Flows"));
    let names = controller_names(scenario);
    if summary.flows.len() > MOST_ROWS {
        let worst = worst(summary);
        let caption = "The ten with the least goodput";
        blocks.push(Block::Table(flows_table(caption, summary, &worst, &names)));
        blocks.push(all_flows(summary, &names));
    } else {
        let all: Vec<usize> = (0..summary.flows.len()).collect();
        let caption = "Rates and round trips, after the warm-up";
        blocks.push(Block::Table(flows_table(caption, summary, &all, &names)));
        blocks.push(Block::Table(packets_table(summary, &all)));
    }
    if !summary.links.is_empty() {
        blocks.push(Block::section("Links"));
        blocks.push(Block::Table(links_table(summary)));
    }
    if summary.links.len() > MOST_ROWS {
        let count = summary.links.len();
        blocks.push(Block::text(cut_short(MOST_ROWS, count, "links")));
    }
    blocks.push(Block::section("Repeat this run"));
    blocks.push(Block::Code {
        caption: format!(
            "Command, in the folder of this page; ackclock {}",
            summary.version
        ),
        text: format!("ackclock run {SCENARIO} --out ../again"),
    });
    blocks.push(Block::Links(files(outcome)));
    blocks.push(Block::Details {
        summary: format!("The scenario ({SCENARIO})"),
        blocks: vec![Block::Code {
            caption: SCENARIO.to_owned(),
            text: scenario_text.to_owned(),
        }],
    });
    page
}

fn key_numbers(summary: &Summary) -> Vec<(String, String)> {
    let mut values = vec![
        ("Duration", seconds(summary.duration_s)),
        (
            "Warm-up, left out of rates and means",
            seconds(summary.warmup_s),
        ),
        ("Seed", summary.seed.to_string()),
        ("Version", summary.version.clone()),
        ("Events", count(summary.events)),
    ];
    if let Some(jain) = summary.jain {
        values.push(("Jain’s index over all flows", significant(jain, 4)));
    }
    if let (Some(theta), [first, _]) = (summary.theta, &summary.groups[..]) {
        let share = format!("{} for {}", significant(theta, 4), first.label);
        values.push(("θ, the first group’s share of throughput", share));
    }
    values
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Every data packet accounted for.
fn conservation(summary: &Summary) -> String {
    format!(
        "Data packets: {} sent + {} duplicated = {} delivered + {} dropped + {} lost + {} in flight.",
        count(summary.packets_sent),
        count(summary.duplicated),
        count(summary.packets_delivered),
        count(summary.drops),
        count(summary.lost),
        count(summary.in_flight),
    )
}

fn add_charts(blocks: &mut Vec<Block>, charts: Charts) {
    let Charts {
        main,
        variables,
        notes,
    } = charts;
    blocks.push(Block::section("Over time"));
    if main.is_empty() {
        blocks.push(Block::text(
            "This run kept totals only. With samples of window, round trip, queue and rates, the \
             charts stand here:",
        ));
        blocks.push(Block::Code {
            caption: "Command, in the folder of this page".to_owned(),
            text: format!("ackclock run {SCENARIO} --set \"record.every=100 ms\" --out ../charts"),
        });
        return;
    }
    blocks.extend(notes.into_iter().map(Block::Paragraph));
    blocks.extend(main.into_iter().map(Block::Choice));
    if !variables.is_empty() {
        blocks.push(Block::section("Variables of senders and queues"));
        blocks.extend(variables.into_iter().map(Block::Chart));
    }
}

fn groups_table(summary: &Summary) -> Table {
    let rates = summary
        .groups
        .iter()
        .flat_map(|of| [of.goodput_bps, of.throughput_bps]);
    let (rate, rate_unit) = unit_for(rates, charts::RATES);
    let columns = vec![
        Column::text("group"),
        Column::number("flows", ""),
        Column::number("goodput", rate_unit),
        Column::number("throughput", rate_unit),
        Column::number("Jain’s index", ""),
    ];
    let mut table = Table::new("All flows of a group together", columns);
    table.rows = summary
        .groups
        .iter()
        .map(|group| {
            vec![
                Cell::from(group.label.as_str()),
                number(group.flows),
                Cell::Number(group.goodput_bps / rate),
                Cell::Number(group.throughput_bps / rate),
                optional(group.jain),
            ]
        })
        .collect();
    table
}

/// A column of a table of flows and what stands in it.
type FlowColumn = (Column, Box<dyn Fn(&FlowSummary) -> Cell>);

fn flow_column(column: Column, cell: impl Fn(&FlowSummary) -> Cell + 'static) -> FlowColumn {
    (column, Box::new(cell))
}

/// Rates and round trips.
fn flows_table(
    caption: &str,
    summary: &Summary,
    chosen: &[usize],
    controllers: &BTreeMap<String, String>,
) -> Table {
    let flows = &summary.flows;
    let rates = flows
        .iter()
        .flat_map(|one| [one.goodput_bps, one.throughput_bps]);
    let (rate, rate_unit) = unit_for(rates, charts::RATES);
    let rtts = flows.iter().filter_map(|one| one.rtt_mean_s);
    let (time, time_unit) = unit_for(rtts, charts::TIMES);
    let in_time = move |value: Option<f64>| optional(value.map(|seconds| seconds / time));
    let in_rate = |name| Column::number(name, rate_unit);
    let rtt = |name| Column::number(name, time_unit);
    let mut columns = vec![
        flow_column(Column::text("protocol"), |one| {
            Cell::from(one.protocol.as_str())
        }),
        flow_column(Column::text("controller"), {
            let controllers = controllers.clone();
            move |one| {
                let known = controllers.get(&one.label).map(String::as_str);
                let name = known.or(one.controller.as_deref());
                name.map_or(Cell::Empty, Cell::from)
            }
        }),
        flow_column(Column::number("start", "s"), |one| {
            Cell::Number(one.start_s)
        }),
        flow_column(in_rate("goodput"), move |one| {
            Cell::Number(one.goodput_bps / rate)
        }),
        flow_column(in_rate("throughput"), move |one| {
            Cell::Number(one.throughput_bps / rate)
        }),
        flow_column(rtt("RTT mean"), move |one| in_time(one.rtt_mean_s)),
        flow_column(rtt("RTT sd"), move |one| in_time(one.rtt_sd_s)),
        flow_column(rtt("RTT min"), move |one| in_time(one.rtt_min_s)),
    ];
    if flows.iter().any(|one| one.completed_s.is_some()) {
        let completed = Column::number("completed", "s");
        columns.push(flow_column(completed, |one| optional(one.completed_s)));
    }
    if flows
        .iter()
        .any(|one| one.playback_success_percent.is_some())
    {
        let success = Column::number("playback success", "%");
        columns.push(flow_column(success, |one| {
            optional(one.playback_success_percent)
        }));
    }
    table_of_flows(caption, summary, chosen, columns)
}

/// Counts.
fn packets_table(summary: &Summary, chosen: &[usize]) -> Table {
    let count = |name, count: fn(&FlowSummary) -> u64| {
        flow_column(Column::number(name, ""), move |one| number(count(one)))
    };
    let mut columns = vec![
        count("sent", |one| one.packets_sent),
        count("delivered", |one| one.packets_delivered),
        count("dropped", |one| one.drops),
        count("lost", |one| one.lost),
        count("in flight", |one| one.in_flight),
        count("marked", |one| one.marks),
        count("retransmits", |one| one.retransmits),
        count("spurious ones", |one| one.spurious_retransmits),
        count("fast retransmits", |one| one.fast_retransmits),
        count("timeouts", |one| one.timeouts),
    ];
    if summary.flows.iter().any(|one| one.source_quenches > 0) {
        columns.push(count("source quenches", |one| one.source_quenches));
    }
    table_of_flows("Data packets, over the whole run", summary, chosen, columns)
}

fn table_of_flows(
    caption: &str,
    summary: &Summary,
    chosen: &[usize],
    columns: Vec<FlowColumn>,
) -> Table {
    let (columns, cells): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let columns = std::iter::once(Column::text("flow"))
        .chain(columns)
        .collect();
    let mut table = Table::new(caption, columns);
    let names = flow_names(summary, summary.flows.len());
    let row = |flow: &usize| {
        let own = cells.iter().map(|cell| cell(&summary.flows[*flow]));
        std::iter::once(Cell::from(names[*flow].as_str()))
            .chain(own)
            .collect()
    };
    table.rows = chosen.iter().map(row).collect();
    table
}

/// The names of the groups' controllers with those of their parameters that are numbers.
fn controller_names(scenario: &Scenario) -> BTreeMap<String, String> {
    let groups = scenario.flows.iter();
    let named = groups.filter_map(|group| {
        let choice = group.protocol.controller()?;
        let numbers = choice.parameters.iter().filter_map(|(name, value)| {
            let number = match value {
                Setting::Value(Value::Number(number)) => number.is_finite(),
                Setting::Value(Value::Integer(_)) => true,
                _ => false,
            };
            number.then(|| format!(" {} {value}", letter(name)))
        });
        let name = format!("{}{}", choice.name, numbers.collect::<String>());
        Some((group.label.clone(), name))
    });
    named.collect()
}

/// The flows with the least goodput, the least first.
fn worst(summary: &Summary) -> Vec<usize> {
    let mut order: Vec<usize> = (0..summary.flows.len()).collect();
    let goodput = |flow: &usize| summary.flows[*flow].goodput_bps;
    order.sort_by(|a, b| goodput(a).total_cmp(&goodput(b)));
    order.truncate(MOST_WORST);
    order
}

/// The first flows behind a click, with a field that filters them.
fn all_flows(summary: &Summary, controllers: &BTreeMap<String, String>) -> Block {
    let count = summary.flows.len();
    let shown: Vec<usize> = (0..count.min(MOST_ROWS_OF_ALL)).collect();
    let caption = "Rates and round trips, after the warm-up";
    let mut blocks = vec![
        Block::Table(flows_table(caption, summary, &shown, controllers)),
        Block::Table(packets_table(summary, &shown)),
    ];
    if count > shown.len() {
        blocks.push(Block::text(cut_short(shown.len(), count, "flows")));
    }
    Block::Details {
        summary: if count > shown.len() {
            format!("The first {} of {count} flows", shown.len())
        } else {
            format!("All {count} flows")
        },
        blocks,
    }
}

/// How the flows of each group compare: what part of them has at most so much.
fn distributions(summary: &Summary) -> Vec<Chart> {
    let rates = summary.flows.iter().map(|flow| flow.goodput_bps);
    let (rate, rate_unit) = unit_for(rates, charts::RATES);
    let goodput = Axis::linear("goodput of a flow", rate_unit);
    let duration = Axis::linear("from start to completion", "s");
    let of_goodput = |flow: &FlowSummary| Some(flow.goodput_bps / rate);
    let of_completion = |flow: &FlowSummary| Some(flow.completed_s? - flow.start_s);
    [
        distribution(
            "goodput-distribution",
            "Goodput of the flows after the warm-up",
            goodput,
            summary,
            &of_goodput,
        ),
        distribution(
            "completion-distribution",
            "Time to complete a transfer",
            duration,
            summary,
            &of_completion,
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn distribution(
    id: &str,
    title: &str,
    x: Axis,
    summary: &Summary,
    value: &dyn Fn(&FlowSummary) -> Option<f64>,
) -> Option<Chart> {
    let mut chart = Chart::new(
        id,
        title,
        x,
        Axis::linear("flows with at most so much", "%"),
    );
    chart.y = chart.y.range(0.0, PERCENT);
    for group in summary.groups.iter().take(charts::MOST_GROUPS) {
        let members = summary
            .flows
            .iter()
            .filter(|flow| flow.label == group.label);
        let mut values: Vec<f64> = members.filter_map(value).collect();
        values.sort_by(f64::total_cmp);
        if values.is_empty() {
            continue;
        }
        let count = values.len() as f64;
        let points = values.iter().enumerate();
        let points = points.map(|(at, value)| (*value, PERCENT * (at + 1) as f64 / count));
        let mut series = Series::new(&group.label, Kind::Step, points.collect());
        series.thin(MOST_POINTS_OF_DISTRIBUTION);
        chart.series.push(series);
    }
    (!chart.series.is_empty()).then_some(chart)
}

fn links_table(summary: &Summary) -> Table {
    let quenches = summary.links.iter().any(|link| link.source_quenches > 0);
    let mut columns = vec![
        Column::text("link"),
        Column::number("utilization", "%"),
        Column::number("in", "packets"),
        Column::number("out", "packets"),
        Column::number("dropped", ""),
        Column::number("drop rate", "%"),
        Column::number("marked", ""),
        Column::number("lost", ""),
        Column::number("queue mean", "packets"),
        Column::number("queue max", "packets"),
    ];
    if quenches {
        columns.push(Column::number("source quenches", ""));
    }
    let row = |link: &LinkSummary| {
        let mut cells = vec![
            Cell::from(link.name.as_str()),
            Cell::Number(link.utilization * PERCENT),
            number(link.packets_in),
            number(link.packets_out),
            number(link.drops),
            Cell::Number(link.drop_rate * PERCENT),
            number(link.marks),
            number(link.lost),
            Cell::Number(link.queue_mean_packets),
            number(link.queue_max_packets),
        ];
        if quenches {
            cells.push(number(link.source_quenches));
        }
        cells
    };
    let caption = "Counts over the whole run, utilization and mean queue after the warm-up";
    let mut table = Table::new(caption, columns);
    table.rows = summary.links.iter().take(MOST_ROWS).map(row).collect();
    table
}

fn files(outcome: &Outcome) -> Vec<Link> {
    let recorded = run_tables(outcome)
        .into_iter()
        .filter(|table| table.rows > 0);
    [SCENARIO, SUMMARY]
        .map(str::to_owned)
        .into_iter()
        .chain(recorded.map(|table| table.file_name()))
        .map(|name| Link::download(name.clone(), name))
        .collect()
}

fn cut_short(shown: usize, count: usize, what: &str) -> String {
    format!("The first {shown} of {count} {what}; {what}.parquet has all.")
}

fn optional(value: Option<f64>) -> Cell {
    value.map_or(Cell::Empty, Cell::Number)
}

fn number(count: u64) -> Cell {
    Cell::Number(count as f64)
}

fn count(count: u64) -> String {
    significant(count as f64, 6)
}

fn seconds(value: f64) -> String {
    format!("{} s", significant(value, 6))
}

/// With more flows the page shows how they are distributed, and the worst.
const MOST_ROWS: usize = 40;
const MOST_WORST: usize = 10;
/// Most rows of the table of all flows.
const MOST_ROWS_OF_ALL: usize = 1_000;
const MOST_POINTS_OF_DISTRIBUTION: usize = 400;
const PERCENT: f64 = 100.0;
