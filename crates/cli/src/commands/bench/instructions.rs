//! `ackclock bench --instructions`: processor instructions for each delivered data packet.
//!
//! valgrind's callgrind runs a workload twice, for a shorter and a longer time, and counts. The
//! difference in instructions over the difference in packets leaves out start, set-up and summary,
//! and is the same on a busy machine and on an idle one.

use std::io;
use std::process::{Command, Stdio};

use serde::Serialize;

use super::{Arguments, Report, measured};
use crate::output::{self, Failure};
use crate::progress::Progress;
use crate::table::Table;

/// A workload that is counted.
#[derive(Debug)]
struct Counted {
    name: &'static str,
    /// How long the two runs last. The shorter one passes the flows' starts.
    durations: [&'static str; 2],
    /// What is aimed at, in instructions for a packet, of an x86-64 processor.
    target: f64,
    /// Most that the gate lets pass: what has been reached, and a little room.
    limit: f64,
}

/// The workloads that are counted, and what the gate asks of them.
const COUNTED: &[Counted] = &[
    Counted {
        name: "w2",
        durations: ["5 s", "25 s"],
        target: 1_300.0,
        limit: 1_650.0,
    },
    Counted {
        name: "w3",
        durations: ["2 s", "6 s"],
        target: 1_600.0,
        limit: 1_650.0,
    },
];

/// What was counted of one workload.
#[derive(Debug, Serialize)]
struct Count {
    name: &'static str,
    packets_delivered: u64,
    instructions: u64,
    instructions_per_packet: f64,
    /// None on other processors than those that the limits are for.
    limit_per_packet: Option<f64>,
    target_per_packet: Option<f64>,
}

/// Counts the workloads of these names; without names, all that are counted.
pub(super) fn run(names: &[&'static str], arguments: &Arguments) -> Result<(), Failure> {
    let chosen = chosen(names)?;
    let mut progress = Progress::start();
    let mut counts = Vec::new();
    for (number, workload) in chosen.iter().enumerate() {
        let mut runs = [(0, 0); 2];
        for (half, run) in runs.iter_mut().enumerate() {
            let done = number * 2 + half;
            progress.update(done as f64, 2.0 * chosen.len() as f64, || {
                format!("{} for {}", workload.name, workload.durations[half])
            });
            *run = count(workload.name, workload.durations[half])?;
        }
        let [(fewer, short), (more, long)] = runs;
        let (packets_delivered, instructions) = (more - fewer, long - short);
        counts.push(Count {
            name: workload.name,
            packets_delivered,
            instructions,
            instructions_per_packet: instructions as f64 / packets_delivered as f64,
            limit_per_packet: cfg!(target_arch = "x86_64").then_some(workload.limit),
            target_per_packet: cfg!(target_arch = "x86_64").then_some(workload.target),
        });
    }
    progress.finish();
    if arguments.json {
        return output::print_json(&Report { workloads: counts });
    }
    output::print(&table(&counts, output::colour(&io::stdout())))?;
    if arguments.gate {
        gate(&counts)
    } else {
        Ok(())
    }
}

fn chosen(names: &[&'static str]) -> Result<Vec<&'static Counted>, Failure> {
    if names.is_empty() {
        return Ok(COUNTED.iter().collect());
    }
    names
        .iter()
        .map(|name| {
            COUNTED
                .iter()
                .find(|counted| counted.name == *name)
                .ok_or_else(|| {
                    let all: Vec<_> = COUNTED.iter().map(|counted| counted.name).collect();
                    Failure::refused(
                        format!("{name} is not among the workloads whose instructions are counted"),
                        format!("these are: {}", all.join(", ")),
                    )
                })
        })
        .collect()
}

/// Packets delivered and instructions used by a run of this length.
fn count(name: &str, duration: &str) -> Result<(u64, u64), Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::fault(format!("{name}: no process for it: {error}")))?;
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["bench", "--here", name, "--duration", duration])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| {
            Failure::refused(
                format!("valgrind does not start: {error}"),
                "install it, for example with `apt-get install valgrind`",
            )
        })?;
    let said = String::from_utf8_lossy(&done.stderr);
    let packets = measured(name, &done)
        .inspect_err(|_| output::note(said.trim_end()))?
        .packets_delivered;
    let instructions = collected(&said).ok_or_else(|| {
        Failure::refused(
            format!("valgrind counted nothing of {name}: {}", said.trim_end()),
            "see whether `valgrind --tool=callgrind true` works",
        )
    })?;
    Ok((packets, instructions))
}

/// The instructions in a line such as `==25250== Collected : 167204603`.
fn collected(said: &str) -> Option<u64> {
    let number = said
        .lines()
        .find_map(|line| line.split_once("Collected : "))?
        .1;
    number.trim().parse().ok()
}

/// Fails where a workload takes more instructions than it may.
fn gate(counts: &[Count]) -> Result<(), Failure> {
    let over: Vec<String> = counts
        .iter()
        .filter_map(|count| {
            let limit = count.limit_per_packet?;
            (count.instructions_per_packet > limit).then(|| {
                format!(
                    "{} takes {:.0} instructions for a packet, and may take {limit:.0}",
                    count.name, count.instructions_per_packet
                )
            })
        })
        .collect();
    if over.is_empty() {
        return Ok(());
    }
    Err(Failure::refused(
        over.join("; "),
        "docs/performance.md says how to find out where they go",
    ))
}

fn table(counts: &[Count], bold: bool) -> String {
    let mut table = Table::default();
    table.words("workload", counts.iter().map(|count| count.name.to_owned()));
    table.counts(
        "packets delivered",
        counts.iter().map(|count| count.packets_delivered),
    );
    table.counts(
        "instructions",
        counts.iter().map(|count| count.instructions),
    );
    table.counts(
        "per packet",
        counts
            .iter()
            .map(|count| count.instructions_per_packet.round() as u64),
    );
    let optional = |limit: Option<f64>| {
        limit.map_or("-".to_owned(), |limit| crate::table::count(limit as u64))
    };
    let limits = counts.iter().map(|count| optional(count.limit_per_packet));
    table.numbers("limit", limits);
    let targets = counts.iter().map(|count| optional(count.target_per_packet));
    table.numbers("target", targets);
    let mut text = String::new();
    table.write(&mut text, bold);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_what_callgrind_says() {
        let said = "==7== Events    : Ir\n==7== Collected : 167204603\n==7== \n";
        assert_eq!(collected(said), Some(167_204_603));
        assert_eq!(collected("==7== Fatal error\n"), None);
    }

    #[test]
    fn the_gate_closes_above_the_limit_only() {
        let count = |instructions_per_packet| Count {
            name: "w2",
            packets_delivered: 10,
            instructions: 10 * instructions_per_packet as u64,
            instructions_per_packet,
            limit_per_packet: Some(1_300.0),
            target_per_packet: None,
        };
        assert!(gate(&[count(1_299.0), count(1_300.0)]).is_ok());
        assert!(gate(&[count(1_299.0), count(1_301.0)]).is_err());
        let elsewhere = Count {
            limit_per_packet: None,
            ..count(9_000.0)
        };
        assert!(gate(&[elsewhere]).is_ok());
    }
}
