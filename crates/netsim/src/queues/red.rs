//! Random early detection (RED): drops or marks with a probability that grows with the average
//! queue.
//!
//! Follows `Queue/RED` of ns-2.35 (Floyd and Jacobson, "Random early detection gateways for
//! congestion avoidance", 1993, with `gentle`, `wait` and automatic parameters).
//!
//! Differs from ns-2.35: a packet that finds the link idle is never dropped, whatever the limit;
//! one `mode` stands for its `bytes_` and `queue_in_bytes_`; the packet that arrives is always
//! the one dropped.
//!
//! Not here: adaptive RED, cautious marking, dropping from the front or at random.

use units::choice::{Choice, Kind, Parameter, Parameters, Value, Word, Wrong};
use units::{Bytes, Rate};

use super::{Arrival, ArrivalDiscipline, Discipline, DropReason, Limit, LinkFacts, Queue, Verdict};
use crate::random::Stream;

/// The discipline as scenario files choose it.
pub(super) const DISCIPLINE: Discipline = Discipline {
    about: Choice {
        name: "red",
        doc: "Random early detection: drops or marks the more, the longer the average queue.",
        source: "Floyd and Jacobson, Random Early Detection Gateways for Congestion Avoidance, 1993; \
                 automatic parameters as in ns-2.35",
        keys: PARAMETERS,
        rule: thresholds_ascend,
    },
    needs_rate: true,
    usual_packets: None,
    build: |parameters, place| {
        let mut red = RedParameters::of(parameters);
        red.limit = match place.limit {
            Limit::None => None,
            Limit::Packets(packets) => Some(packets),
            Limit::Bytes(bytes) => Some(bytes.0 / red.mean_packet_size.0.max(1)),
        };
        Queue::at_arrival(Red::new(red, place.link, place.random))
    },
};

/// In brackets the names of ns-2.35.
const PARAMETERS: &[Parameter] = &[
    Parameter::new(
        "min_threshold",
        Kind::Or(&Kind::Average, AUTO),
        Value::Choice("auto"),
        "Average at which dropping begins (thresh_). auto: what drains in 2.5 ms, at least 5 packets.",
    ),
    Parameter::new(
        "max_threshold",
        Kind::Or(&Kind::Average, AUTO),
        Value::Choice("auto"),
        "Average at which the probability reaches max_probability (maxthresh_). auto: 3 × min_threshold.",
    ),
    Parameter::new(
        "max_probability",
        Kind::Number {
            min: 1e-6,
            max: 1.0,
        },
        Value::Number(0.1),
        "Drop probability at max_threshold (1 / linterm_).",
    ),
    Parameter::new(
        "weight",
        Kind::Or(&Kind::Share, WEIGHTS),
        Value::Choice("auto"),
        "Weight of a new sample in the average (q_weight_).",
    ),
    Parameter::new(
        "gentle",
        Kind::Flag,
        Value::Flag(true),
        "Above max_threshold the probability rises to 1 at twice it, instead of jumping (gentle_).",
    ),
    Parameter::new(
        "wait",
        Kind::Flag,
        Value::Flag(true),
        "Drops keep a distance from each other (wait_).",
    ),
    Parameter::new(
        "mode",
        Kind::Words(&[
            Word::new("packets", "Packets of any size.", ""),
            Word::new("bytes", "Bytes; large packets are dropped more often.", ""),
        ]),
        Value::Choice("packets"),
        "What the average counts (bytes_, queue_in_bytes_: there bytes).",
    ),
    Parameter::new(
        "mean_packet_size",
        Kind::Bytes {
            min: 1,
            max: 65_535,
        },
        Value::Bytes(Bytes(1_000)),
        "By which the link's rate becomes packets per second and, in mode bytes, thresholds bytes \
         (mean_pktsize_, there 500).",
    ),
    Parameter::new(
        "ecn",
        Kind::Flag,
        Value::Flag(false),
        "Marks packets that understand ECN instead of dropping them (setbit_).",
    ),
];

const AUTO: &[Word] = &[Word::new("auto", "As the link's rate says.", "ns-2.35")];

/// Automatic weights; C is the link's rate in mean packets per second.
const WEIGHTS: &[Word] = &[
    Word::new(
        "auto",
        "1 − exp(−1 / (10 R C)) with R = max(0.1 s, 3 (delay + 1 / C)).",
        "ns-2.35, q_weight_ −1",
    ),
    Word::new(
        "auto-1s",
        "1 − exp(−1 / C): time constant 1 s.",
        "ns-2.35, q_weight_ 0",
    ),
    Word::new(
        "auto-100ms",
        "1 − exp(−10 / C): time constant 0.1 s.",
        "ns-2.35, q_weight_ −2",
    ),
];

fn thresholds_ascend(parameters: &Parameters) -> Result<(), Wrong> {
    let (min, max) = (
        parameters.number("min_threshold"),
        parameters.number("max_threshold"),
    );
    if max.is_none_or(|max| max > min.unwrap_or(MIN_THRESHOLD_PACKETS)) {
        return Ok(());
    }
    let least = match min {
        Some(min) => format!("{min} packets"),
        None => format!("auto: {MIN_THRESHOLD_PACKETS} packets or more"),
    };
    Err(Wrong::at(
        "max_threshold",
        format!("is not over min_threshold, {least}"),
    ))
}

/// Parameters of RED. [`Default`] has the defaults of the table above, and no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RedParameters {
    /// Average queue from which packets may be dropped, in packets. `None`: half of what the link
    /// sends in 5 ms, at least 5 packets.
    pub min_threshold: Option<f64>,
    /// Average queue at which the probability reaches `max_probability`, in packets. `None`:
    /// three times the minimum.
    pub max_threshold: Option<f64>,
    /// Probability at the maximum threshold, in (0, 1].
    pub max_probability: f64,
    /// Weight of a new sample in the average.
    pub weight: Weight,
    /// Whether the probability grows on to 1 at twice the maximum threshold, instead of being 1
    /// from the maximum threshold on.
    pub gentle: bool,
    /// Whether drops are also kept apart by a least distance.
    pub wait: bool,
    /// What is averaged and what a probability refers to.
    pub mode: Mode,
    /// Size of a typical packet, at least 1 B.
    pub mean_packet_size: Bytes,
    /// Whether packets that understand ECN are marked instead of dropped early.
    pub ecn: bool,
    /// Highest probability at which they are marked; above it they are dropped (`mark_p_`, there
    /// 0.1). `None`: `max_probability`, the one at the maximum threshold. Where the probability is
    /// 1 they are always dropped.
    pub max_mark_probability: Option<f64>,
    /// How many packets may wait, whatever the average (`limit_`); in byte mode, times the mean
    /// packet size. `None`: any number.
    pub limit: Option<u64>,
}

impl RedParameters {
    /// As the table above has them.
    fn of(parameters: &Parameters) -> Self {
        Self {
            min_threshold: parameters.number("min_threshold"),
            max_threshold: parameters.number("max_threshold"),
            max_probability: parameters
                .number("max_probability")
                .expect("it has a default"),
            weight: match parameters.value("weight") {
                Value::Number(weight) => Weight::Fixed(weight),
                Value::Choice("auto-1s") => Weight::OneSecond,
                Value::Choice("auto-100ms") => Weight::TenthOfASecond,
                _ => Weight::Auto,
            },
            gentle: parameters.flag("gentle"),
            wait: parameters.flag("wait"),
            mode: match parameters.choice("mode") {
                "bytes" => Mode::Bytes,
                _ => Mode::Packets,
            },
            mean_packet_size: parameters.bytes("mean_packet_size"),
            ecn: parameters.flag("ecn"),
            max_mark_probability: None,
            limit: None,
        }
    }
}

impl Default for RedParameters {
    fn default() -> Self {
        Self::of(&Parameters::defaults(PARAMETERS))
    }
}

/// What RED counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Packets: each has the same probability.
    Packets,
    /// Bytes: the probability is proportional to the packet's size.
    Bytes,
}

/// Weight of a new sample in the average. With C the link's rate in packets of the mean size per
/// second:
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// This weight, in (0, 1].
    Fixed(f64),
    /// 1 − exp(−1 / C): ns-2's `q_weight_` 0.
    OneSecond,
    /// 1 − exp(−1 / (10 R C)) with R = 3 (delay + 1 / C), at least 100 ms: ns-2's −1.
    Auto,
    /// 1 − exp(−10 / C): ns-2's −2.
    TenthOfASecond,
}

impl Weight {
    /// Reads ns-2's `q_weight_`: 0, −1, −2 or the weight itself, in (0, 1].
    pub fn from_ns2(q_weight: f64) -> Option<Self> {
        if q_weight == 0.0 {
            Some(Self::OneSecond)
        } else if q_weight == -1.0 {
            Some(Self::Auto)
        } else if q_weight == -2.0 {
            Some(Self::TenthOfASecond)
        } else if q_weight > 0.0 && q_weight <= 1.0 {
            Some(Self::Fixed(q_weight))
        } else {
            None
        }
    }

    /// The number itself. `capacity` in packets per second.
    fn resolve(self, capacity: f64, link: &LinkFacts) -> f64 {
        // expm1 keeps the digits that 1 − exp(−x) loses for a fast link.
        let weight = |x: f64| -libm::expm1(-x);
        match self {
            Self::Fixed(weight) => weight,
            Self::OneSecond => weight(1.0 / capacity),
            Self::Auto => {
                let round_trip = 3.0 * (link.delay.as_secs_f64() + 1.0 / capacity);
                let round_trip = round_trip.max(MIN_ROUND_TRIP_S);
                weight(1.0 / (10.0 * round_trip * capacity))
            }
            Self::TenthOfASecond => weight(10.0 / capacity),
        }
    }
}

/// The RED queue.
#[derive(Clone, Debug)]
pub struct Red {
    parameters: RedParameters,
    link: LinkFacts,
    /// `min_threshold`, in what the mode counts.
    min: f64,
    /// `max_threshold`, in what the mode counts.
    max: f64,
    weight: f64,
    random: Stream,
    state: State,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Moving average of what waits, in what the mode counts.
    average: f64,
    /// Probability that follows from the average alone.
    probability: f64,
    /// Packets since the last drop or mark, or since the average rose over the minimum threshold.
    count: u64,
    /// The same in bytes.
    count_bytes: Bytes,
    /// Whether the packet before found the average over the minimum threshold and others waiting.
    over_threshold: bool,
}

impl Red {
    /// A queue for `link`. What follows from the link's rate and delay is fixed here, also where
    /// they change later.
    ///
    /// # Panics
    /// When the mean packet size or the link's rate is zero, or the maximum probability or the
    /// weight out of its range.
    pub fn new(parameters: RedParameters, link: LinkFacts, random: Stream) -> Self {
        let size = parameters.mean_packet_size;
        assert!(size > Bytes::ZERO, "RED needs a mean packet size");
        assert!(link.rate > Rate::ZERO, "RED needs the rate of its link");
        assert!(
            parameters.max_probability > 0.0 && parameters.max_probability <= 1.0,
            "RED's maximum probability lies in (0, 1]"
        );
        let capacity = link.rate.as_f64() / (8.0 * size.as_f64());
        let weight = parameters.weight.resolve(capacity, &link);
        assert!(weight > 0.0 && weight <= 1.0, "RED's weight lies in (0, 1]");
        let min = parameters
            .min_threshold
            .unwrap_or_else(|| MIN_THRESHOLD_PACKETS.max(TARGET_DELAY_S * capacity / 2.0));
        let max = parameters.max_threshold.unwrap_or(3.0 * min);
        let unit = match parameters.mode {
            Mode::Packets => 1.0,
            Mode::Bytes => size.as_f64(),
        };
        Self {
            parameters,
            link,
            min: min * unit,
            max: max * unit,
            weight,
            random,
            state: State::default(),
        }
    }

    /// The thresholds in use, minimum and maximum, in packets.
    pub fn thresholds(&self) -> (f64, f64) {
        (self.min / self.unit(), self.max / self.unit())
    }

    /// The weight in use.
    pub const fn weight(&self) -> f64 {
        self.weight
    }

    /// The average queue, in packets (of the mean size, in byte mode).
    pub fn average(&self) -> f64 {
        self.state.average / self.unit()
    }

    /// What one packet counts.
    fn unit(&self) -> f64 {
        match self.parameters.mode {
            Mode::Packets => 1.0,
            Mode::Bytes => self.parameters.mean_packet_size.as_f64(),
        }
    }

    fn update_average(&mut self, arrival: &Arrival, waiting: f64) {
        let keep = 1.0 - self.weight;
        let mut average = self.state.average;
        if let Some(since) = arrival.idle_since {
            // As though so many packets had arrived while nothing waited.
            let sent = self.link.rate.bytes_in(arrival.now.since(since));
            let missed = sent.0 / self.parameters.mean_packet_size.0;
            if missed > 0 {
                average *= libm::pow(keep, missed as f64);
            }
        }
        self.state.average = average * keep + self.weight * waiting;
    }

    /// Drops or marks early, or lets pass.
    fn early(&mut self, arrival: &Arrival) -> Verdict {
        self.state.probability = self.base_probability();
        let probability = self.spread(self.state.probability, arrival.size);
        if !self.random.chance(probability) {
            return Verdict::Queue;
        }
        self.restart_count();
        let highest = self
            .parameters
            .max_mark_probability
            .unwrap_or(self.parameters.max_probability);
        let may_mark = self.parameters.ecn
            && arrival.ecn.is_capable()
            && self.state.probability <= highest
            && self.state.probability < 1.0;
        if may_mark {
            Verdict::Mark
        } else {
            Verdict::Drop(DropReason::Early)
        }
    }

    /// The probability that follows from the average alone.
    fn base_probability(&self) -> f64 {
        let (average, max_probability) = (self.state.average, self.parameters.max_probability);
        if average < self.max {
            return max_probability * (average - self.min) / (self.max - self.min);
        }
        if !self.parameters.gentle {
            return 1.0;
        }
        let beyond = (average - self.max) / self.max;
        (max_probability + (1.0 - max_probability) * beyond).min(1.0)
    }

    /// Spreads drops out: the distance between two becomes uniform instead of geometric.
    fn spread(&self, base: f64, size: Bytes) -> f64 {
        let mean_size = self.parameters.mean_packet_size;
        let count = match self.parameters.mode {
            Mode::Packets => self.state.count,
            Mode::Bytes => self.state.count_bytes.0 / mean_size.0,
        };
        let expected = count as f64 * base;
        let spread = if self.parameters.wait {
            if expected < 1.0 {
                0.0
            } else if expected < 2.0 {
                base / (2.0 - expected)
            } else {
                1.0
            }
        } else if expected < 1.0 {
            base / (1.0 - expected)
        } else {
            1.0
        };
        if self.parameters.mode == Mode::Bytes && spread < 1.0 {
            spread * size.as_f64() / mean_size.as_f64()
        } else {
            spread
        }
    }

    fn is_full(&self, arrival: &Arrival) -> bool {
        let Some(limit) = self.parameters.limit else {
            return false;
        };
        let room = match self.parameters.mode {
            Mode::Packets => arrival.backlog.packets < limit,
            Mode::Bytes => {
                arrival.backlog.bytes < self.parameters.mean_packet_size.saturating_mul(limit)
            }
        };
        !room && arrival.idle_since.is_none()
    }

    fn restart_count(&mut self) {
        self.state.count = 0;
        self.state.count_bytes = Bytes::ZERO;
    }
}

impl ArrivalDiscipline for Red {
    fn admit(&mut self, arrival: &Arrival) -> Verdict {
        let waiting = match self.parameters.mode {
            Mode::Packets => arrival.backlog.packets as f64,
            Mode::Bytes => arrival.backlog.bytes.as_f64(),
        };
        self.update_average(arrival, waiting);
        self.state.count += 1;
        self.state.count_bytes += arrival.size;
        let verdict = if self.state.average < self.min || waiting <= 1.0 {
            self.state.over_threshold = false;
            self.state.probability = 0.0;
            Verdict::Queue
        } else if self.state.over_threshold {
            self.early(arrival)
        } else {
            self.state.over_threshold = true;
            self.state.count = 1;
            self.state.count_bytes = arrival.size;
            Verdict::Queue
        };
        if self.is_full(arrival) {
            self.restart_count();
            return Verdict::Drop(DropReason::Full);
        }
        verdict
    }

    fn level(&self, _waiting: u64) -> f64 {
        self.average()
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("average_packets", self.average());
        visit("drop_probability", self.state.probability);
    }
}

/// Target delay of the automatic minimum threshold, in seconds (ns-2.35 `targetdelay_`).
const TARGET_DELAY_S: f64 = 0.005;
/// Smallest automatic minimum threshold, in packets (ns-2.35).
const MIN_THRESHOLD_PACKETS: f64 = 5.0;
/// Smallest round-trip time that the automatic weight assumes, in seconds (ns-2.35).
const MIN_ROUND_TRIP_S: f64 = 0.1;

#[cfg(test)]
mod tests;
