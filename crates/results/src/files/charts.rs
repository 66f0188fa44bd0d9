//! The charts of a run: window, rates, round trip, queue, drops, and what senders and queues show
//! of themselves, over time.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::{Each, Lines, MOST_LINES};
use super::marks::Marks;
use super::thin::{MOST_POINTS, thin};
use super::words::words;
use crate::page::{Axis, Chart, Dash, Kind, Series, significant};
use experiments::scenario::Scenario;
use experiments::simulation::{FlowSample, LinkSample, Outcome};

/// The charts of what was recorded, and what a reader must know about their lines.
pub(super) struct Charts {
    /// Each a chart, or several of which one is shown at a time.
    pub(super) main: Vec<Vec<(String, Chart)>>,
    /// Of the senders' and queues' own variables.
    pub(super) variables: Vec<Chart>,
    pub(super) notes: Vec<String>,
}

/// Draws what was recorded; quantities without a number have no chart.
pub(super) fn charts(scenario: &Scenario, outcome: &Outcome) -> Charts {
    let drawing = Drawing::new(scenario, outcome);
    let main = [
        drawing.window(),
        drawing.rates(),
        drawing.rtt(),
        drawing.queue(),
        drawing.throughput(),
        drawing.drops(),
    ];
    let mut main: Vec<Vec<(String, Chart)>> =
        main.into_iter().filter(|it| !it.is_empty()).collect();
    let mut variables = drawing.variables();
    for (index, choice) in main.iter_mut().enumerate() {
        for (_, chart) in choice {
            drawing.marks.add(chart, index == 0);
        }
    }
    for chart in &mut variables {
        drawing.marks.add(chart, false);
    }
    Charts {
        main,
        variables,
        notes: drawing.notes(),
    }
}

struct Drawing<'a> {
    outcome: &'a Outcome,
    /// A line for each flow, or for each group where they would be too many.
    flows: Lines,
    /// Where a line stands for a flow and there are groups of several: a line for each group.
    groups: Option<Lines>,
    links: Lines,
    marks: Marks,
}

/// The time that a sample of a rate covers.
const RATE: Each = Each::Stretch;
/// A state is that of an instant.
const STATE: Each = Each::Instant;

impl<'a> Drawing<'a> {
    fn new(scenario: &Scenario, outcome: &'a Outcome) -> Self {
        let summary = &outcome.summary;
        let flows = Lines::of_flows(scenario, outcome);
        let several = summary.groups.iter().any(|group| group.flows > 1);
        let groups = (several && !flows.bands()).then(|| Lines::of_groups(scenario, outcome));
        Self {
            outcome,
            flows,
            groups,
            links: Lines::of_links(summary),
            marks: Marks::of(scenario, summary),
        }
    }

    fn of_flows(
        &self,
        lines: &Lines,
        each: Each,
        quantity: impl Fn(&FlowSample) -> Option<f64>,
    ) -> Vec<Series> {
        let samples = self.outcome.recording.flows.iter();
        let samples = samples.map(|one| (one.time_s, one.flow as usize, quantity(one)));
        lines.series(each, samples)
    }

    fn of_links(&self, quantity: impl Fn(&LinkSample) -> Option<f64>) -> Vec<Series> {
        let samples = self.outcome.recording.links.iter();
        let samples = samples.map(|one| (one.time_s, one.link as usize, quantity(one)));
        self.links.series(STATE, samples)
    }

    fn window(&self) -> Vec<(String, Chart)> {
        let y = ("cwnd", "packets");
        let mut each = self.of_flows(&self.flows, STATE, |sample| sample.window_packets);
        if self.outcome.summary.flows.len() <= MOST_FLOWS_WITH_THRESHOLD {
            let threshold = |sample: &FlowSample| sample.slow_start_threshold_packets;
            let thresholds = self.of_flows(&self.flows, STATE, threshold);
            each.extend(thresholds.into_iter().map(|series| {
                let name = format!("{}: ssthresh", series.name);
                Series { name, ..series }.dash(Dash::Dotted)
            }));
        }
        let mut choice = vec![("each flow", chart("window", "Congestion window", y, each))];
        if let Some(groups) = &self.groups {
            let means = self.of_flows(groups, STATE, |sample| sample.window_packets);
            let title = "Congestion window, mean of each group";
            choice.push((
                "mean of each group",
                chart("window-groups", title, y, means),
            ));
        }
        there(choice)
    }

    fn rates(&self) -> Vec<(String, Chart)> {
        let of = |lines: &Lines, id: &str, title: &str, rate: fn(&FlowSample) -> f64| {
            let series = self.of_flows(lines, RATE, |sample| Some(rate(sample)));
            scaled(id, title, "rate", RATES, self.marks.with_capacity(series))
        };
        let delivery = |sample: &FlowSample| sample.delivery_rate_bps;
        let each = &self.flows;
        let title = "Delivery rate: new data that arrives, in order or not";
        let mut choice = vec![("delivery rate", of(each, "rate", title, delivery))];
        let several = self.outcome.summary.flows.len() > self.outcome.summary.groups.len();
        if several {
            let sums = Lines::sums(each, &self.outcome.summary);
            let title = "Delivery rate, sum of each group";
            choice.push((
                "sum of each group",
                of(&sums, "rate-groups", title, delivery),
            ));
        }
        let title =
            "Goodput: new data delivered in order; it stands still while a packet is missing";
        let goodput = |sample: &FlowSample| sample.goodput_bps;
        choice.push(("goodput, in order", of(each, "goodput", title, goodput)));
        let title = "Sent, headers and retransmissions included";
        let sent = |sample: &FlowSample| sample.throughput_bps;
        choice.push(("sent", of(each, "sent", title, sent)));
        there(choice)
    }

    fn rtt(&self) -> Vec<(String, Chart)> {
        let series = self.of_flows(&self.flows, STATE, |sample| sample.rtt_s);
        there(vec![(
            "rtt",
            scaled("rtt", "Round-trip time", "RTT", TIMES, series),
        )])
    }

    fn queue(&self) -> Vec<(String, Chart)> {
        let packets = self.of_links(|sample| Some(sample.queue_packets as f64));
        let bytes = self.of_links(|sample| Some(sample.queue_bytes as f64));
        let times = self.of_links(|sample| {
            let rate = self.marks.rate_at(sample.link as usize, sample.time_s)?;
            (rate > 0.0).then(|| sample.queue_bytes as f64 * 8.0 / rate)
        });
        let (label, title) = ("waiting", "Queue");
        there(vec![
            (
                "packets",
                chart("queue", title, (label, "packets"), packets),
            ),
            ("bytes", scaled("queue-bytes", title, label, SIZES, bytes)),
            (
                "time to drain",
                scaled(
                    "queue-time",
                    "Queue, in time at the link’s rate",
                    label,
                    TIMES,
                    times,
                ),
            ),
        ])
    }

    fn throughput(&self) -> Vec<(String, Chart)> {
        let series = self.of_links(|sample| Some(sample.throughput_bps));
        let series = self.marks.with_capacity(series);
        there(vec![(
            "throughput",
            scaled(
                "throughput",
                "Throughput of links",
                "throughput",
                RATES,
                series,
            ),
        )])
    }

    fn drops(&self) -> Vec<(String, Chart)> {
        let samples = &self.outcome.recording.links;
        if samples.iter().all(|sample| sample.drops + sample.lost == 0) {
            return Vec::new();
        }
        let mut before: BTreeMap<u32, (f64, u64)> = BTreeMap::new();
        let per_second = samples.iter().map(|sample| {
            let gone = sample.drops + sample.lost;
            let last = before.insert(sample.link, (sample.time_s, gone));
            let (time_s, earlier) = last.unwrap_or((0.0, 0));
            let rate = gone.saturating_sub(earlier) as f64 / (sample.time_s - time_s);
            (sample.time_s, sample.link as usize, Some(rate))
        });
        let rates = self.links.series(STATE, per_second);
        let total = self.of_links(|sample| Some((sample.drops + sample.lost) as f64));
        let y = |unit| ("packets", unit);
        there(vec![
            (
                "per second",
                chart("drops", "Packets dropped or lost", y("per second"), rates),
            ),
            (
                "so far",
                chart(
                    "drops-total",
                    "Packets dropped or lost so far",
                    y(""),
                    total,
                ),
            ),
        ])
    }

    /// One chart for each variable of flows and of links, as far as [`MOST_VARIABLES`] goes.
    fn variables(&self) -> Vec<Chart> {
        let samples = &self.outcome.recording.variables;
        let kinds: BTreeSet<(bool, &str)> = samples
            .iter()
            .map(|sample| (sample.flow.is_none(), sample.name))
            .filter(|(_, name)| !IN_SERIES.contains(name))
            .collect();
        let mut charts = Vec::new();
        for (of_link, name) in kinds.into_iter().take(MOST_VARIABLES) {
            let (lines, owner) = if of_link {
                (&self.links, "queue")
            } else {
                (&self.flows, "sender")
            };
            let chosen = samples
                .iter()
                .filter(|one| one.name == name && one.flow.is_none() == of_link);
            let series = lines.series(
                STATE,
                chosen.filter_map(|sample| {
                    let member = if of_link { sample.link } else { sample.flow }?;
                    Some((sample.time_s, member as usize, Some(sample.value)))
                }),
            );
            let id = format!("{owner}-{}", name.replace(char::is_whitespace, "-"));
            let (label, unit) = words(name);
            let title = format!("{label} ({owner}: {name})");
            charts.extend(match unit {
                "s" => scaled(&id, &title, &label, TIMES, series),
                "bps" => scaled(&id, &title, &label, RATES, series),
                _ => chart(&id, &title, (&label, unit), series),
            });
        }
        charts
    }

    fn notes(&self) -> Vec<String> {
        let longest = self.outcome.recording.flows.len() / self.outcome.summary.flows.len().max(1);
        let lines = [self.flows.note(), self.links.note()];
        let mut notes: Vec<String> = lines.into_iter().flatten().collect();
        if longest > MOST_POINTS {
            notes.push(format!(
                "Of {} samples the charts show about {MOST_POINTS}: the least and the greatest of \
                 each stretch. The tables hold all.",
                significant(longest as f64, 6)
            ));
        }
        notes
    }
}

/// Those charts that have something to show.
fn there(choice: Vec<(&str, Option<Chart>)>) -> Vec<(String, Chart)> {
    let there = choice.into_iter();
    there
        .filter_map(|(name, chart)| Some((name.to_owned(), chart?)))
        .collect()
}

fn chart(id: &str, title: &str, y: (&str, &str), series: Vec<Series>) -> Option<Chart> {
    let time = Axis::linear("time", "s");
    let mut chart = Chart::new(id, title, time, Axis::linear(y.0, y.1)).group("time");
    chart.series = series;
    (!chart.series.is_empty()).then_some(chart)
}

/// A chart in the unit that suits its greatest value.
fn scaled(
    id: &str,
    title: &str,
    label: &str,
    units: &[(f64, &'static str)],
    mut series: Vec<Series>,
) -> Option<Chart> {
    let ends = series
        .iter()
        .flat_map(|one| one.interval.iter().flatten().map(|ends| ends.1));
    let values = series
        .iter()
        .flat_map(|one| one.points.iter().map(|point| point.1));
    let (unit, name) = unit_for(ends.chain(values), units);
    for one in &mut series {
        for point in &mut one.points {
            point.1 /= unit;
        }
        for ends in one.interval.iter_mut().flatten() {
            *ends = (ends.0 / unit, ends.1 / unit);
        }
    }
    chart(id, title, (label, name), series)
}

/// The largest of `units`, given in falling order, that the greatest of `values` reaches; else the
/// last.
pub(super) fn unit_for(
    values: impl Iterator<Item = f64>,
    units: &[(f64, &'static str)],
) -> (f64, &'static str) {
    let greatest = values.fold(0.0, f64::max);
    let reached = units.iter().find(|(unit, _)| greatest >= *unit);
    *reached.or(units.last()).expect("there are units")
}

/// A capacity over time as a grey step.
pub(super) fn capacity(name: &str, steps: &[(f64, f64)], end_s: f64) -> Series {
    let mut points = thin(steps.to_vec());
    if let Some((_, last)) = points.last().copied() {
        points.push((end_s, last));
    }
    Series::new(name, Kind::Step, points)
        .neutral()
        .dash(Dash::Dashed)
}

/// Up to so many flows the slow-start threshold is drawn beside the window.
const MOST_FLOWS_WITH_THRESHOLD: usize = 2;
/// Most groups in a chart of distributions.
pub(super) const MOST_GROUPS: usize = MOST_LINES;
/// Variables that the series hold as well.
const IN_SERIES: [&str; 3] = ["in_flight", "rto", "smoothed_rtt"];
/// Most charts of variables.
const MOST_VARIABLES: usize = MOST_LINES;
/// Units of times, in seconds.
pub(super) const TIMES: &[(f64, &str)] = &[(10.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
/// Units of rates, in bits per second.
pub(super) const RATES: &[(f64, &str)] =
    &[(1e9, "Gbps"), (1e6, "Mbps"), (1e3, "kbps"), (1.0, "bps")];
/// Units of sizes, in bytes.
const SIZES: &[(f64, &str)] = &[(1e6, "MB"), (1e3, "kB"), (1.0, "bytes")];
