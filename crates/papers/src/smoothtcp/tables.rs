//! The tables below the paper's figures: means over the seeds, at every point.

use results::page::{Cell, Column, Table};

use super::figures::{Panel, reading};
use crate::data::Data;
use crate::paper::VARIATION;

/// A table of a panel: its caption, and names, labels and units of its columns.
pub(super) struct Shown {
    caption: &'static str,
    values: &'static [(&'static str, &'static str, &'static str)],
}

/// The tables of a panel.
pub(super) fn tables(panel: Panel) -> impl Iterator<Item = &'static Shown> {
    let tables: &'static [Shown] = match panel {
        Panel::WindowAndRtt => &[
            Shown {
                caption: "Round trips after 200 s: means over the seeds, 95 % intervals",
                values: &[
                    ("rtt_mean_s", "round trip", "s"),
                    ("rtt_sd_s", "its sd", "s"),
                    ("rtt_cv", "sd / mean", ""),
                    ("rtt_jitter_s", "jitter", "s"),
                ],
            },
            Shown {
                caption: "Windows after 200 s, and Jain's index of what was sent in the whole run",
                values: &[
                    ("largest_fall_percent", "largest fall", "%"),
                    ("falls_over_an_eighth", "falls > 1/8", ""),
                    ("worst_tenth_percent", "fall in the worst tenth", "%"),
                    ("jain", "Jain's index", ""),
                ],
            },
        ],
        Panel::QueueAndQuenches => &[Shown {
            caption: "Mean queue after 200 s, source quenches of the whole run",
            values: &[
                ("queue_mean_packets", "mean queue", "packets"),
                ("quenches", "source quenches", ""),
            ],
        }],
        Panel::DropsAndArrivals => &[
            Shown {
                caption: "Drops in slow start (of either) and after it, and arrivals after 200 s",
                values: &[
                    ("drops_in_slow_start", "in slow start", "packets"),
                    ("drops_after", "after", "packets"),
                    ("arrivals_sd_per_s", "sd of arrivals", "packets/s"),
                ],
            },
            Shown {
                caption: "Payload of the whole run; the paper's, sent: 2,180,984 B by standard TCP, \
                              2,276,928 B by SmoothTCP",
                values: &[("bytes_sent", "sent", "B"), ("bytes_unique", "unique", "B")],
            },
        ],
    };
    tables.iter()
}

impl Shown {
    /// All points.
    pub(super) fn of(&self, data: &Data) -> Table {
        let mut columns: Vec<Column> = Vec::new();
        for (axis, _) in data
            .points
            .iter()
            .take(1)
            .flat_map(|point| point.key.iter())
        {
            columns.push(Column::text(match axis {
                "kappa" => "κ",
                VARIATION => "reading",
                other => other,
            }));
        }
        let numbers = self.values.iter();
        columns.extend(numbers.map(|(_, label, unit)| Column::number(*label, *unit)));
        let mut table = Table::new(self.caption, columns);
        for point in &data.points {
            let words = point.key.iter();
            let mut row: Vec<Cell> = words
                .map(|(axis, value)| match axis {
                    VARIATION => reading(&value.to_string()).into(),
                    _ => value.to_string().into(),
                })
                .collect();
            row.extend(
                self.values
                    .iter()
                    .map(|(name, _, _)| point.samples(name).cell()),
            );
            table.rows.push(row);
        }
        table
    }
}

/// Below the tables.
pub(super) const NOTE: &str = "Means over the seeds, with 95 % intervals. By 200 s every slow start is over. Jitter is \
                    that of RFC 3550, of round trips. The largest fall of a window between two events \
                    is its vertical smoothness, falls over an eighth are its discontinuities, and the \
                    part of its fall that happens in the worst tenth of the seconds is its horizontal \
                    smoothness. The paper's payloads are multiples of 536 B and more than the link \
                    carries: retransmissions and drops count.";
