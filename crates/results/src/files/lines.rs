//! Which line of a chart each flow or link belongs to, and the lines themselves.

use std::collections::BTreeSet;
use std::iter::repeat_n;

use super::thin::{BandPoint, thin, thin_band};
use crate::page::{Kind, Series};
use experiments::scenario::Scenario;
use experiments::simulation::Outcome;
use experiments::summary::Summary;
use units::Duration;

/// Which line of a chart each flow or link belongs to.
#[derive(Clone)]
pub(super) struct Lines {
    drawn: Vec<Line>,
    /// By number of the flow or link; none: it is not shown.
    line_of: Vec<Option<usize>>,
    /// When each of them is there, from and to, in seconds; empty: always.
    lives: Vec<(f64, f64)>,
    /// Time between samples.
    every_s: f64,
    of: Of,
    /// What the reader must know about this.
    note: Option<String>,
}

/// A line's name and colour.
#[derive(Clone)]
struct Line {
    name: String,
    colour: String,
    shade: u32,
}

/// What a line stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// One flow or link.
    One,
    /// Several: their mean, in the area from the least to the greatest.
    Mean,
    /// Several: their sum.
    Sum,
}

/// What a sample is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Each {
    /// The instant.
    Instant,
    /// The time since the sample before.
    Stretch,
}

impl Lines {
    /// A line for each flow, or for each group where they would be too many.
    pub(super) fn of_flows(scenario: &Scenario, outcome: &Outcome) -> Self {
        let summary = &outcome.summary;
        let count = summary.flows.len();
        if count > MOST_LINES {
            return Self::of_groups(scenario, outcome);
        }
        let names = flow_names(summary, count).into_iter();
        let lines = names.zip(&summary.flows).map(|(name, flow)| Line {
            name,
            colour: flow.label.clone(),
            shade: flow.index as u32,
        });
        Self {
            drawn: lines.collect(),
            line_of: (0..count).map(Some).collect(),
            lives: lives(scenario, summary),
            every_s: every_s(scenario),
            of: Of::One,
            note: None,
        }
    }

    /// A line for each group: the mean of its flows.
    pub(super) fn of_groups(scenario: &Scenario, outcome: &Outcome) -> Self {
        let summary = &outcome.summary;
        let (count, groups) = (summary.flows.len(), summary.groups.len());
        let shown = if groups > MOST_LINES {
            format!("the first {MOST_LINES} of {groups} groups")
        } else {
            "each group".to_owned()
        };
        Self {
            drawn: group_lines(summary),
            line_of: group_of(summary),
            lives: lives(scenario, summary),
            every_s: every_s(scenario),
            of: Of::Mean,
            note: (count > MOST_LINES).then(|| {
                format!(
                    "There are {count} flows: a line is the mean of a group’s flows, the area \
                     around it goes from the least to the greatest; shown: {shown}. series.parquet \
                     has every flow by itself."
                )
            }),
        }
    }

    /// A line for each group: the sum of its flows, where these lines are those of flows.
    pub(super) fn sums(flows: &Self, summary: &Summary) -> Self {
        Self {
            drawn: group_lines(summary),
            line_of: group_of(summary),
            of: Of::Sum,
            note: None,
            ..flows.clone()
        }
    }

    /// A line for each link that had something to queue or to lose, as far as they are not too many.
    pub(super) fn of_links(summary: &Summary) -> Self {
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
        let line = |link: &usize| Line {
            name: links[*link].name.clone(),
            colour: links[*link].name.clone(),
            shade: 0,
        };
        Self {
            drawn: chosen.iter().map(line).collect(),
            line_of,
            lives: Vec::new(),
            every_s: 0.0,
            of: Of::One,
            note,
        }
    }

    /// Whether a line stands for several flows, with the area that they cover.
    pub(super) fn bands(&self) -> bool {
        self.of == Of::Mean
    }

    pub(super) fn note(&self) -> Option<String> {
        self.note.clone()
    }

    /// The lines of a quantity, from samples (time, number of the flow or link, value) in order of
    /// time. Lines without a value are left out, and so is what a flow shows before its start or
    /// after its end.
    pub(super) fn series(
        &self,
        each: Each,
        samples: impl Iterator<Item = (f64, usize, Option<f64>)>,
    ) -> Vec<Series> {
        let mut lines: Vec<Vec<Mean>> = self.drawn.iter().map(|_| Vec::new()).collect();
        for (time, member, value) in samples {
            let Some(line) = self.line_of.get(member).copied().flatten() else {
                continue;
            };
            let line = &mut lines[line];
            if line.last().is_none_or(|last| last.time != time) {
                line.push(Mean::new(time));
            }
            let alive = self.lives.get(member).is_none_or(|(from, to)| {
                let begin = match each {
                    Each::Instant => time,
                    Each::Stretch => time - self.every_s * (1.0 - ROUNDING),
                };
                begin >= *from && time <= *to
            });
            let value = value.filter(|value| alive && value.is_finite());
            if let (Some(value), Some(last)) = (value, line.last_mut()) {
                last.add(value);
            }
        }
        let with_values = self.drawn.iter().zip(lines);
        let with_values = with_values.filter(|(_, line)| line.iter().any(|mean| mean.count > 0.0));
        with_values
            .map(|(line, means)| self.one_series(line, &means))
            .collect()
    }

    fn one_series(&self, line: &Line, means: &[Mean]) -> Series {
        let value = |mean: &Mean| match self.of {
            Of::Sum if mean.count > 0.0 => mean.sum,
            _ => mean.value(),
        };
        let series = if self.of == Of::Mean {
            let points = thin_band(means.iter().map(Mean::band_point).collect());
            let middle = points.iter().map(|point| (point.time, point.mean));
            let ends = points.iter().map(|point| (point.low, point.high)).collect();
            Series::new(&line.name, Kind::Band, middle.collect()).interval(ends)
        } else {
            let points = means.iter().map(|mean| (mean.time, value(mean))).collect();
            Series::new(&line.name, Kind::Line, thin(points))
        };
        series.colour(&line.colour).shade(line.shade)
    }
}

fn group_lines(summary: &Summary) -> Vec<Line> {
    let shown = summary.groups.iter().take(MOST_LINES);
    shown
        .map(|group| Line {
            name: group.label.clone(),
            colour: group.label.clone(),
            shade: 0,
        })
        .collect()
}

/// The number of each flow's group.
fn group_of(summary: &Summary) -> Vec<Option<usize>> {
    let groups = summary.groups.iter().enumerate();
    groups
        .flat_map(|(number, group)| {
            let line = (number < MOST_LINES).then_some(number);
            repeat_n(line, group.flows as usize)
        })
        .collect()
}

/// When each flow begins, and when it has stopped or is complete.
fn lives(scenario: &Scenario, summary: &Summary) -> Vec<(f64, f64)> {
    let stops = scenario.flows.iter().flat_map(|group| {
        let stop_s = group.stop.map_or(f64::INFINITY, Duration::as_secs_f64);
        repeat_n(stop_s, group.count as usize)
    });
    let flows = summary
        .flows
        .iter()
        .zip(stops.chain(std::iter::repeat(f64::INFINITY)));
    flows
        .map(|(flow, stop_s)| {
            (
                flow.start_s,
                flow.completed_s.unwrap_or(f64::INFINITY).min(stop_s),
            )
        })
        .collect()
}

fn every_s(scenario: &Scenario) -> f64 {
    let every = scenario.record.and_then(|record| record.every);
    every.map_or(0.0, Duration::as_secs_f64)
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
pub(super) const MOST_LINES: usize = 12;
/// Part of a stretch by which sums of times may be off.
const ROUNDING: f64 = 1e-9;
