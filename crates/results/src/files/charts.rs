//! The charts of a run: window, round trip, queue, rates, losses, and what senders and queues show
//! of themselves, over time.

use std::collections::BTreeSet;

use super::thin::{BandPoint, MOST_POINTS, thin, thin_band};
use crate::page::{Along, Axis, Chart, Dash, Kind, Series, significant};
use experiments::simulation::{FlowSample, LinkSample, Outcome};
use experiments::summary::Summary;

/// The charts of what was recorded, and what a reader must know about their lines.
pub(super) struct Charts {
    pub(super) main: Vec<Chart>,
    /// Of the senders' and queues' own variables.
    pub(super) variables: Vec<Chart>,
    pub(super) notes: Vec<String>,
}

/// Draws what was recorded; quantities without a number have no chart.
pub(super) fn charts(outcome: &Outcome) -> Charts {
    let Outcome { summary, recording } = outcome;
    let (flows, links) = (Lines::of_flows(summary), Lines::of_links(summary));
    let of_flows = |quantity: fn(&FlowSample) -> Option<f64>| {
        let samples = recording.flows.iter();
        flows.series(samples.map(move |one| (one.time_s, one.flow as usize, quantity(one))))
    };
    let of_links = |quantity: fn(&LinkSample) -> Option<f64>| {
        let samples = recording.links.iter();
        links.series(samples.map(move |one| (one.time_s, one.link as usize, quantity(one))))
    };
    let mut window = of_flows(|sample| sample.window_packets);
    if summary.flows.len() <= MOST_FLOWS_WITH_THRESHOLD {
        window.extend(
            of_flows(|sample| sample.slow_start_threshold_packets)
                .into_iter()
                .map(|series| {
                    let named = Series {
                        name: format!("{}: ssthresh", series.name),
                        ..series
                    };
                    named.dash(Dash::Dotted)
                }),
        );
    }
    let mut charts = Vec::new();
    let mut add = |chart: Option<Chart>| charts.extend(chart);
    add(chart(
        "window",
        "Congestion window",
        ("cwnd", "packets"),
        window,
    ));
    add(scaled(
        "rtt",
        "Round-trip time",
        "RTT",
        TIMES,
        of_flows(|sample| sample.rtt_s),
    ));
    let queue = of_links(|sample| Some(sample.queue_packets as f64));
    add(chart("queue", "Queue", ("waiting", "packets"), queue));
    let goodput = of_flows(|sample| Some(sample.goodput_bps));
    add(scaled(
        "goodput",
        "Goodput of flows",
        "goodput",
        RATES,
        goodput,
    ));
    let throughput = of_links(|sample| Some(sample.throughput_bps));
    add(scaled(
        "throughput",
        "Throughput of links",
        "throughput",
        RATES,
        throughput,
    ));
    if recording
        .links
        .iter()
        .any(|sample| sample.drops + sample.lost > 0)
    {
        let gone = of_links(|sample| Some((sample.drops + sample.lost) as f64));
        add(chart(
            "drops",
            "Packets dropped or lost so far",
            ("packets", ""),
            gone,
        ));
    }
    let warmup = summary.warmup_s;
    let main: Vec<_> = charts
        .into_iter()
        .map(|chart| with_warmup(chart, warmup))
        .collect();
    let variables = variable_charts(outcome, &flows, &links);
    let variables = variables
        .into_iter()
        .map(|chart| with_warmup(chart, warmup))
        .collect();
    let longest = recording.flows.len() / summary.flows.len().max(1);
    let mut notes: Vec<_> = [flows.note, links.note].into_iter().flatten().collect();
    if longest > MOST_POINTS {
        notes.push(format!(
            "Of {} samples the charts show about {MOST_POINTS}: the least and the greatest of each \
             stretch. The tables hold all.",
            significant(longest as f64, 6)
        ));
    }
    Charts {
        main,
        variables,
        notes,
    }
}

/// One chart for each variable of flows and of links, as far as [`MOST_VARIABLES`] goes.
fn variable_charts(outcome: &Outcome, flows: &Lines, links: &Lines) -> Vec<Chart> {
    let samples = &outcome.recording.variables;
    let kinds: BTreeSet<(bool, &str)> = samples
        .iter()
        .map(|sample| (sample.flow.is_none(), sample.name))
        .filter(|(_, name)| !IN_SERIES.contains(name))
        .collect();
    let mut charts = Vec::new();
    for (of_link, name) in kinds.into_iter().take(MOST_VARIABLES) {
        let (lines, owner) = if of_link {
            (links, "queue")
        } else {
            (flows, "sender")
        };
        let chosen = samples
            .iter()
            .filter(|one| one.name == name && one.flow.is_none() == of_link);
        let series = lines.series(chosen.filter_map(|sample| {
            let member = if of_link { sample.link } else { sample.flow }?;
            Some((sample.time_s, member as usize, Some(sample.value)))
        }));
        let id = format!("{owner}-{}", name.replace(char::is_whitespace, "-"));
        charts.extend(chart(&id, &format!("{name} ({owner})"), (name, ""), series));
    }
    charts
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

fn with_warmup(chart: Chart, warmup_s: f64) -> Chart {
    if warmup_s > 0.0 {
        chart.line(Along::X, warmup_s, "warm-up ends")
    } else {
        chart
    }
}

/// Which line of a chart each flow or link belongs to.
struct Lines {
    names: Vec<String>,
    /// By number of the flow or link; none: it is not shown.
    line_of: Vec<Option<usize>>,
    /// Lines stand for several flows: their mean, in the area from the least to the greatest.
    bands: bool,
    /// What the reader must know about this.
    note: Option<String>,
}

impl Lines {
    /// A line for each flow, or for each group where they would be too many.
    fn of_flows(summary: &Summary) -> Self {
        let count = summary.flows.len();
        if count <= MOST_LINES {
            let line_of = (0..count).map(Some).collect();
            return Self {
                names: flow_names(summary, count),
                line_of,
                bands: false,
                note: None,
            };
        }
        let groups = summary.groups.len();
        let line_of = summary.groups.iter().enumerate().flat_map(|(group, of)| {
            std::iter::repeat_n((group < MOST_LINES).then_some(group), of.flows as usize)
        });
        let shown = if groups > MOST_LINES {
            format!("the first {MOST_LINES} of {groups} groups")
        } else {
            "each group".to_owned()
        };
        Self {
            names: summary
                .groups
                .iter()
                .take(MOST_LINES)
                .map(|of| of.label.clone())
                .collect(),
            line_of: line_of.collect(),
            bands: true,
            note: Some(format!(
                "There are {count} flows: a line is the mean of a group’s flows, the area around \
                 it goes from the least to the greatest; shown: {shown}. series.parquet has every \
                 flow by itself."
            )),
        }
    }

    /// A line for each link that had something to queue or to lose, as far as they are not too many.
    fn of_links(summary: &Summary) -> Self {
        let links = &summary.links;
        let busy = |at: &usize| {
            let link = &links[*at];
            link.queue_max_packets + link.drops + link.lost > 0
        };
        let mut chosen: Vec<usize> = (0..links.len()).filter(busy).collect();
        if chosen.is_empty() {
            chosen.extend((0..links.len()).take(1));
        }
        let worth_showing = chosen.len();
        chosen.truncate(MOST_LINES);
        let mut line_of = vec![None; links.len()];
        for (line, link) in chosen.iter().enumerate() {
            line_of[*link] = Some(line);
        }
        let note = (chosen.len() < links.len()).then(|| {
            let which = if worth_showing > chosen.len() {
                format!("the first {MOST_LINES} of {worth_showing} links where packets waited or were lost")
            } else {
                "the links where packets waited or were lost".to_owned()
            };
            format!("Of {} links the charts show {which}. link_series.parquet has all.", links.len())
        });
        let names = chosen
            .iter()
            .map(|link| links[*link].name.clone())
            .collect();
        Self {
            names,
            line_of,
            bands: false,
            note,
        }
    }

    /// The lines of a quantity, from samples (time, number of the flow or link, value) in order of
    /// time. Lines without a value are left out.
    fn series(&self, samples: impl Iterator<Item = (f64, usize, Option<f64>)>) -> Vec<Series> {
        let mut lines: Vec<Vec<Mean>> = self.names.iter().map(|_| Vec::new()).collect();
        for (time, member, value) in samples {
            let Some(line) = self.line_of.get(member).copied().flatten() else {
                continue;
            };
            let line = &mut lines[line];
            if line.last().is_none_or(|last| last.time != time) {
                line.push(Mean::new(time));
            }
            if let (Some(value), Some(last)) = (value.filter(|v| v.is_finite()), line.last_mut()) {
                last.add(value);
            }
        }
        let with_values = self.names.iter().zip(lines);
        let with_values = with_values.filter(|(_, line)| line.iter().any(|mean| mean.count > 0.0));
        with_values
            .map(|(name, line)| self.one_series(name, &line))
            .collect()
    }

    fn one_series(&self, name: &str, line: &[Mean]) -> Series {
        if !self.bands {
            let points = line.iter().map(|mean| (mean.time, mean.value())).collect();
            return Series::new(name, Kind::Line, thin(points));
        }
        let points = thin_band(line.iter().map(Mean::band_point).collect());
        let means = points
            .iter()
            .map(|point| (point.time, point.mean))
            .collect();
        let ends = points.iter().map(|point| (point.low, point.high)).collect();
        Series::new(name, Kind::Band, means).interval(ends)
    }
}

/// The flows of a line at one time.
struct Mean {
    time: f64,
    count: f64,
    sum: f64,
    low: f64,
    high: f64,
}

impl Mean {
    fn new(time: f64) -> Self {
        Self {
            time,
            count: 0.0,
            sum: 0.0,
            low: f64::NAN,
            high: f64::NAN,
        }
    }

    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.low = self.low.min(value);
        self.high = self.high.max(value);
    }

    /// Not a number where nothing was added.
    fn value(&self) -> f64 {
        self.sum / self.count
    }

    fn band_point(&self) -> BandPoint {
        BandPoint {
            time: self.time,
            mean: self.value(),
            low: self.low,
            high: self.high,
        }
    }
}

/// What the flows are called on the page: their label, with their number where a group has several.
/// All different; the first `count` of them.
pub(super) fn flow_names(summary: &Summary, count: usize) -> Vec<String> {
    let mut names = Vec::new();
    let mut taken = BTreeSet::new();
    let alone: BTreeSet<&str> = summary
        .groups
        .iter()
        .filter(|group| group.flows == 1)
        .map(|group| group.label.as_str())
        .collect();
    for (number, flow) in summary.flows.iter().take(count).enumerate() {
        let mut name = if alone.contains(flow.label.as_str()) {
            flow.label.clone()
        } else {
            format!("{}-{}", flow.label, flow.index)
        };
        while !taken.insert(name.clone()) {
            name = format!("{name} (flow {number})");
        }
        names.push(name);
    }
    names
}

/// Most lines in a chart; more cannot be told apart.
const MOST_LINES: usize = 12;
/// Up to so many flows the slow-start threshold is drawn beside the window.
const MOST_FLOWS_WITH_THRESHOLD: usize = 2;
/// Variables that the series hold as well.
const IN_SERIES: [&str; 3] = ["in_flight", "rto", "smoothed_rtt"];
/// Most charts of variables.
const MOST_VARIABLES: usize = 12;
/// Units of times, in seconds.
pub(super) const TIMES: &[(f64, &str)] = &[(10.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
/// Units of rates, in bits per second.
pub(super) const RATES: &[(f64, &str)] =
    &[(1e9, "Gbps"), (1e6, "Mbps"), (1e3, "kbps"), (1.0, "bps")];
