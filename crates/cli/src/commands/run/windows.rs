//! The flows' windows over time as a line of bars each, for the terminal.
//!
//! Looks at the run while it goes, whether the scenario records anything or not, and changes nothing
//! in it.

use experiments::scenario::{Protocol, Scenario};
use experiments::simulation::Glance;
use units::{Duration, Time};

use crate::table::{Quantity, Table};

/// What was seen of the windows.
#[derive(Debug)]
pub(super) struct Windows {
    lines: Vec<Line>,
    whole: Duration,
    next: Time,
}

/// A flow, or the mean of a group's flows.
#[derive(Debug)]
struct Line {
    name: String,
    flows: std::ops::Range<usize>,
    /// Means over the parts of the run: sum and number of looks in each.
    columns: [(f64, u32); COLUMNS],
}

impl Windows {
    /// A line for each flow with a window; for each group where they would be too many.
    pub(super) fn of(scenario: &Scenario) -> Self {
        let mut groups = Vec::new();
        let mut first = 0;
        for group in &scenario.flows {
            let flows = first..first + group.count as usize;
            first = flows.end;
            if !matches!(group.protocol, Protocol::Udp) {
                groups.push((group.label.as_str(), flows));
            }
        }
        let count: usize = groups.iter().map(|(_, flows)| flows.len()).sum();
        let mut lines = Vec::new();
        for (label, flows) in groups {
            if count <= MOST_LINES {
                let single = flows.clone().enumerate();
                let single = single
                    .map(|(index, flow)| Line::new(format!("{label} {index}"), flow..flow + 1));
                lines.extend(single);
            } else {
                let flows = flows.start..flows.end.min(flows.start + MOST_FLOWS);
                lines.push(Line::new(label.to_owned(), flows));
            }
        }
        lines.truncate(MOST_LINES);
        Self {
            lines,
            whole: scenario.duration,
            next: Time::ZERO,
        }
    }

    /// Looks, if it is time for it.
    pub(super) fn look(&mut self, glance: &Glance<'_>) {
        if glance.at < self.next {
            return;
        }
        self.next = glance.at + self.whole / LOOKS;
        let part = glance.at.as_secs_f64() / self.whole.as_secs_f64();
        let column = ((part * COLUMNS as f64) as usize).min(COLUMNS - 1);
        for line in &mut self.lines {
            let windows = line
                .flows
                .clone()
                .filter_map(|flow| glance.window_packets(flow));
            let (sum, count) = windows.fold((0.0, 0_u32), |(sum, count), window| {
                (sum + window, count + 1)
            });
            if count > 0 {
                line.columns[column].0 += sum / f64::from(count);
                line.columns[column].1 += 1;
            }
        }
    }

    /// The lines as a table, all at one scale; empty where no flow has a window.
    pub(super) fn table(&self) -> Option<Table> {
        let seen: Vec<&Line> = self.lines.iter().filter(|line| line.most() > 0.0).collect();
        let most = seen.iter().map(|line| line.most()).fold(0.0, f64::max);
        if most <= 0.0 {
            return None;
        }
        let mut table = Table::default();
        table.words("window", seen.iter().map(|line| line.name.clone()));
        let heading = format!("from 0 s to {}", self.whole);
        table.words(&heading, seen.iter().map(|line| line.bars(most)));
        let greatest = seen.iter().map(|line| Some(line.most()));
        table.measures("greatest", Quantity::In("packets"), greatest);
        Some(table)
    }
}

impl Line {
    fn new(name: String, flows: std::ops::Range<usize>) -> Self {
        Self {
            name,
            flows,
            columns: [(0.0, 0); COLUMNS],
        }
    }

    fn mean(&self, column: usize) -> Option<f64> {
        let (sum, count) = self.columns[column];
        (count > 0).then(|| sum / f64::from(count))
    }

    fn most(&self) -> f64 {
        (0..COLUMNS)
            .filter_map(|at| self.mean(at))
            .fold(0.0, f64::max)
    }

    /// A bar for each part of the run, `most` the highest; a blank where there was no window.
    fn bars(&self, most: f64) -> String {
        let bar = |at| match self.mean(at) {
            None => ' ',
            Some(mean) => {
                let height = (mean / most * BARS.len() as f64).ceil() as usize;
                BARS[height.clamp(1, BARS.len()) - 1]
            }
        };
        (0..COLUMNS).map(bar).collect()
    }
}

/// Parts of the run, each a bar.
const COLUMNS: usize = 60;
/// Looks at the run: several for each bar. A run offers 200.
const LOOKS: u64 = 180;
/// Most lines.
const MOST_LINES: usize = 12;
/// Most flows of a group that its line is the mean of: as many as cost nothing to look at.
const MOST_FLOWS: usize = 1000;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 8 packets, 1 is an eighth, the lowest bar; 4 is the fourth of eight, 4.5 the fifth.
    #[test]
    fn a_bar_is_as_high_as_the_window_and_nothing_where_there_is_none() {
        let mut line = Line::new("reno 0".to_owned(), 0..1);
        for (at, window) in [(1, 1.0), (2, 4.0), (3, 4.5), (4, 8.0)] {
            line.columns[at] = (window * 3.0, 3); // the mean of three looks
        }
        let bars: Vec<char> = line.bars(line.most()).chars().take(6).collect();
        assert_eq!(bars, [' ', '▁', '▄', '▅', '█', ' ']);
    }
}
