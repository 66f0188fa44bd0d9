//! The paper's network (its Figure 2) and the senders on it.

use crate::paper::{BASE, Key, Mode, Run, VARIATION};

/// Who sends, on two connections.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sender {
    /// Standard TCP.
    Standard,
    /// SmoothTCP on source quenches.
    Smooth(Smooth),
    /// SmoothTCP on CE marks.
    Marked(Smooth),
}

/// What is open or varied in the paper's SmoothTCP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Smooth {
    pub(super) reading: &'static str,
    pub(super) slow_start: &'static str,
    pub(super) kappa: f64,
}

/// A run of the paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) sender: Sender,
    /// Whether three losses are forced on each connection.
    pub(super) errors: bool,
    pub(super) duration_s: u32,
    /// Time left out of means.
    pub(super) warmup_s: u32,
}

impl Setting {
    /// A run of 600 s, as the paper has them.
    pub(super) const fn of(sender: Sender, errors: bool) -> Self {
        Self {
            sender,
            errors,
            duration_s: DURATION_S,
            warmup_s: SLOW_START_S,
        }
    }

    pub(super) fn key(&self) -> Key {
        match self.sender {
            Sender::Standard => Key::new().with("sender", "standard TCP"),
            Sender::Smooth(smooth) | Sender::Marked(smooth) => smooth.key(),
        }
    }

    pub(super) fn run(&self, seed: u64) -> Run {
        Run {
            key: self.key(),
            seed,
            scenario: self.scenario(seed),
            work: f64::from(self.duration_s) / PACKET_S,
        }
    }

    fn scenario(&self, seed: u64) -> String {
        let Self {
            duration_s,
            warmup_s,
            ..
        } = self;
        let (told, controller, more) = match self.sender {
            Sender::Standard => ("source_quench", "\"reno\"".to_owned(), ""),
            Sender::Smooth(smooth) => (
                "source_quench",
                format!("{{ {} }}", smooth.controller()),
                NO_INFLATION,
            ),
            Sender::Marked(smooth) => (
                "mark",
                format!(
                    "{{ {}, ecn = true, source_quench = false }}",
                    smooth.controller()
                ),
                MARKS,
            ),
        };
        let errors = if self.errors {
            format!(
                ", loss = {{ kind = \"at\", times = [\"{} s\", \"{} s\", \"{} s\"], \
                 flow = \"tcp\", place = \"entry\" }}",
                ERRORS_S[0], ERRORS_S[1], ERRORS_S[2]
            )
        } else {
            String::new()
        };
        format!(
            r#"# The network of "Round-trip Time Variation in SmoothTCP in the Face of Spurious Errors" (Vieira
# and Bauer), seed {seed}.
name = "smoothtcp"
duration = "{duration_s} s"
warmup = "{warmup_s} s"
seed = {seed}

[topology]
kind = "dumbbell"
bottleneck = {{ rate = "31250 bps", delay = "8 ms", queue = {{ kind = "drop-tail", limit = "19 packets", {told} = "7 packets" }}{errors} }}
sender_access = {{ rate = "1 Mbps", delay = "1 ms" }}
receiver_access = {{ rate = "unlimited", delay = "0 s" }}

[[flows]]
label = "tcp"
count = 2
protocol = "tcp"
recovery = "new-reno"
controller = {controller}
packet_size = "586 B"
header = "50 B"
initial_window = "1 packets"
limited_transmit = false
rto = {{ initial = "3 s", minimum = "1 s" }}
start = {{ uniform = ["0 s", "4 s"] }}
{more}
[record]
every = "100 ms"
events = true
"#
        )
    }
}

impl Smooth {
    /// The reading that the figures show, with that κ.
    pub(super) const fn in_base(kappa: f64) -> Self {
        Self {
            reading: READINGS[0],
            slow_start: SLOW_STARTS[0],
            kappa,
        }
    }

    pub(super) fn key(self) -> Key {
        Key::new()
            .with("kappa", self.kappa)
            .with(VARIATION, self.variation().as_str())
    }

    /// Which readings differ from the base.
    fn variation(self) -> String {
        let mut parts = Vec::new();
        if self.reading != READINGS[0] {
            parts.push(format!("reading = {}", self.reading));
        }
        if self.slow_start != SLOW_STARTS[0] {
            parts.push(format!("slow start = {}", self.slow_start));
        }
        if parts.is_empty() {
            BASE.to_owned()
        } else {
            parts.join(", ")
        }
    }

    fn controller(self) -> String {
        let (slow_start, kappa) = (self.slow_start, self.kappa);
        // w loses 1/32 for each source quench: what eq. 6 gives for q = 1.
        let (reading, more) = match self.reading {
            "fixed" => ("event", ", source_quench_a = 0.03125, source_quench_c = 0"),
            other => (other, ""),
        };
        format!(
            "name = \"smooth\", reading = \"{reading}\", slow_start = \"{slow_start}\", \
             kappa = {kappa}{more}"
        )
    }
}

/// Every SmoothTCP with these κ; in quick form the base and the event reading alone.
pub(super) fn smooths(mode: Mode, kappas: &[f64]) -> Vec<Smooth> {
    let (readings, slow_starts) = match mode {
        Mode::Quick => (&READINGS[..2], &SLOW_STARTS[..1]),
        Mode::Full => (&READINGS[..], &SLOW_STARTS[..]),
    };
    let mut all = Vec::new();
    for slow_start in slow_starts {
        for reading in readings {
            all.extend(kappas.iter().map(|kappa| Smooth {
                reading,
                slow_start,
                kappa: *kappa,
            }));
        }
    }
    all
}

/// Each setting with every seed.
pub(super) fn runs(settings: &[Setting], mode: Mode) -> Vec<Run> {
    let long = settings
        .iter()
        .any(|setting| setting.duration_s > DURATION_S);
    let seeds = match mode {
        Mode::Quick => SEEDS_QUICK,
        Mode::Full if long => SEEDS_LONG,
        Mode::Full => SEEDS_FULL,
    };
    settings
        .iter()
        .flat_map(|setting| (FIRST_SEED..FIRST_SEED + seeds).map(|seed| setting.run(seed)))
        .collect()
}

/// Readings of the differential dq: the one that the paper's words fit, the one that regulates, and
/// q = 1 for each source quench.
pub(super) const READINGS: [&str; 3] = ["differential", "event", "fixed"];
/// Readings of slow start: the one that the paper's equations hold for, and its listing's.
pub(super) const SLOW_STARTS: [&str; 2] = ["closed", "literal"];
/// Names of the two connections in charts.
pub(super) const CONNECTIONS: [&str; 2] = ["connection 1", "connection 2"];
/// §V: "The simulation time used was 600s."
pub(super) const DURATION_S: u32 = 600;
/// Means are taken from then on: every slow start is over, also that of the lowest curve (some 440
/// ACKs of 0.3 s).
pub(super) const SLOW_START_S: u32 = 200;
/// §VI: "they happened at 81.13s, 254.14s and 427.19s".
pub(super) const ERRORS_S: [f64; 3] = [81.13, 254.14, 427.19];
/// §V: "the threshold (τ) of 7 packets".
pub(super) const QUEUE_THRESHOLD_PACKETS: f64 = 7.0;
/// 586 B at 31,250 b/s.
pub(super) const PACKET_S: f64 = 0.150_016;
/// 586 B less 50 B: with ns-2's `FullTcp`, 40 B of headers and 10 B of timestamps.
pub(super) const PAYLOAD_BYTES: f64 = 536.0;
/// §VI: "the sender does not send any further packet once the number of them sent, and not
/// confirmed, has reached the window size".
const NO_INFLATION: &str = "window_inflation = false\n";
const MARKS: &str = "window_inflation = false\necn = true\naccurate_ecn = true\n";
/// The search for readings that bring a claim used the seeds below.
pub(super) const FIRST_SEED: u64 = 101;
const SEEDS_FULL: u64 = 30;
const SEEDS_LONG: u64 = 10;
const SEEDS_QUICK: u64 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    /// Three readings × two slow starts × three κ, and 2 × 1 × 3.
    #[test]
    fn quick_has_one_slow_start() {
        let kappas = [0.005, 0.001, 0.010];
        assert_eq!(smooths(Mode::Full, &kappas).len(), 18);
        let quick = smooths(Mode::Quick, &kappas);
        assert_eq!(quick.len(), 6);
        assert!(quick.iter().all(|one| one.slow_start == "closed"));
    }

    /// 600 s / 0.150016 s = 3999.57 packets.
    #[test]
    fn the_work_of_a_run_is_what_the_bottleneck_carries() {
        let run = Setting::of(Sender::Standard, true).run(3);
        assert!((run.work - 3_999.57).abs() < 0.01);
        assert!(run.scenario.contains("81.13 s"));
        assert!(
            !Setting::of(Sender::Standard, false)
                .run(3)
                .scenario
                .contains("loss")
        );
    }
}
