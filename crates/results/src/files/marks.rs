//! What is marked in all charts of a run: the end of the warm-up, starts and stops of groups,
//! outages; and the capacities of links.

use super::charts::capacity;
use crate::page::{Along, Chart, Series, Span};
use experiments::metrics::link_name;
use experiments::scenario::{Link, Scenario};
use experiments::summary::Summary;
use units::Duration;

/// What is marked.
pub(super) struct Marks {
    warmup_s: f64,
    end_s: f64,
    /// Starts and stops.
    events: Vec<(f64, String)>,
    outages: Vec<(f64, f64)>,
    /// By number of the link in the summary: its name, and its rate from each time on.
    capacities: Vec<(String, Vec<(f64, f64)>)>,
    /// Whether each link of the summary carries enough for its capacity to matter.
    loaded: Vec<bool>,
}

impl Marks {
    pub(super) fn of(scenario: &Scenario, summary: &Summary) -> Self {
        let end_s = summary.duration_s;
        let links = scenario.topology.links();
        let capacity_of = |name: &str| {
            let of_name = |(at, _): &&(_, &Link)| link_name(&scenario.topology, *at) == name;
            let link = links.iter().find(of_name)?.1;
            Some((rates(link)?, outages(link, end_s)))
        };
        let mut down = Vec::new();
        let capacities = summary.links.iter().map(|link| {
            let (rates, outages) = capacity_of(&link.name).unwrap_or_default();
            for outage in outages {
                if !down.contains(&outage) {
                    down.push(outage);
                }
            }
            (link.name.clone(), rates)
        });
        let capacities = capacities.collect();
        Self {
            warmup_s: summary.warmup_s,
            end_s,
            events: events(scenario, summary),
            outages: down,
            capacities,
            loaded: summary
                .links
                .iter()
                .map(|link| link.utilization >= LOADED)
                .collect(),
        }
    }

    /// Marks a chart; the words stand in the first one of a page only.
    pub(super) fn add(&self, chart: &mut Chart, first: bool) {
        let words = |words: &str| {
            if first {
                words.to_owned()
            } else {
                String::new()
            }
        };
        if self.warmup_s > 0.0 {
            chart.settled = Some(self.warmup_s);
            *chart = chart
                .clone()
                .line(Along::X, self.warmup_s, words("warm-up ends"));
        }
        if self.events.len() <= MOST_EVENTS {
            for (time_s, what) in &self.events {
                *chart = chart.clone().line(Along::X, *time_s, words(what));
            }
        }
        if self.outages.len() <= MOST_OUTAGES {
            chart.spans = self
                .outages
                .iter()
                .enumerate()
                .map(|(index, (from, to))| Span {
                    from: *from,
                    to: *to,
                    label: words(if index == 0 { "link down" } else { "" }),
                })
                .collect();
        }
    }

    /// The rate of a link at a time, in bits per second; none where it has no limit.
    pub(super) fn rate_at(&self, link: usize, time_s: f64) -> Option<f64> {
        let steps = &self.capacities.get(link)?.1;
        let passed = steps.partition_point(|(at, _)| *at <= time_s);
        Some(steps.get(passed.checked_sub(1)?)?.1)
    }

    /// These rates with the capacities of the links that they come near.
    pub(super) fn with_capacity(&self, mut series: Vec<Series>) -> Vec<Series> {
        let greatest = |series: &Series| {
            let after = series
                .points
                .iter()
                .filter(|(time, _)| *time >= self.warmup_s);
            after.map(|(_, rate)| *rate).fold(0.0, f64::max)
        };
        let reached = series.iter().map(greatest).fold(0.0, f64::max);
        let mut drawn: Vec<&Vec<(f64, f64)>> = Vec::new();
        for ((name, steps), loaded) in self.capacities.iter().zip(&self.loaded) {
            let least = steps
                .iter()
                .map(|(_, rate)| *rate)
                .fold(f64::INFINITY, f64::min);
            let greatest = steps.iter().map(|(_, rate)| *rate).fold(0.0, f64::max);
            let near = least * NEAR <= reached && reached * NEAR <= greatest;
            if !loaded
                || steps.is_empty()
                || !near
                || drawn.contains(&steps)
                || drawn.len() == MOST_CAPACITIES
            {
                continue;
            }
            drawn.push(steps);
            series.push(capacity(&format!("capacity of {name}"), steps, self.end_s));
        }
        series
    }
}

/// The rate from each time on; none where the link has no limit.
fn rates(link: &Link) -> Option<Vec<(f64, f64)>> {
    let mut steps = vec![(0.0, link.rate?.as_f64())];
    for change in &link.schedule {
        if let Some(rate) = change.rate {
            steps.push((change.at.as_secs_f64(), rate.as_f64()));
        }
    }
    Some(steps)
}

/// When the schedule takes the link down, from and to.
fn outages(link: &Link, end_s: f64) -> Vec<(f64, f64)> {
    let mut outages = Vec::new();
    let mut since = None;
    for change in &link.schedule {
        match (change.up, since) {
            (Some(false), None) => since = Some(change.at.as_secs_f64()),
            (Some(true), Some(from)) => {
                outages.push((from, change.at.as_secs_f64()));
                since = None;
            }
            _ => {}
        }
    }
    outages.extend(since.map(|from| (from, end_s)));
    outages
}

/// Starts of groups, but those at the beginning, and stops.
fn events(scenario: &Scenario, summary: &Summary) -> Vec<(f64, String)> {
    let mut events = Vec::new();
    for group in &scenario.flows {
        let members = summary
            .flows
            .iter()
            .filter(|flow| flow.label == group.label);
        let start_s = members
            .map(|flow| flow.start_s)
            .fold(f64::INFINITY, f64::min);
        if start_s.is_finite() && start_s > EARLY * summary.duration_s {
            events.push((start_s, format!("{} begins", group.label)));
        }
        if let Some(stop) = group.stop.map(Duration::as_secs_f64)
            && stop < summary.duration_s
        {
            events.push((stop, format!("{} ends", group.label)));
        }
    }
    events
}

/// Starts within this part of the run are its beginning.
const EARLY: f64 = 0.05;
/// More starts and stops would hide what is drawn.
const MOST_EVENTS: usize = 8;
/// More outages would, too.
const MOST_OUTAGES: usize = 40;
/// A link that is busy for a smaller part of the time is not what holds flows back.
const LOADED: f64 = 0.2;
const MOST_CAPACITIES: usize = 3;
/// A capacity is drawn where the rates reach this part of it.
const NEAR: f64 = 0.4;
