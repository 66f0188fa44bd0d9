//! PIE: drops what arrives with a probability that a proportional-integral controller steers by the
//! waiting time, each 15 ms.
//!
//! Follows RFC 8033 with its Appendix A; derandomisation (§5.4) and the cap on the increase (§5.5)
//! are options.
//!
//! Differs from the RFC: the delay is what a packet that arrives would wait, which the link knows,
//! in place of an estimate from the departure rate or the sojourn of the packet that left last.
//!
//! Not here: turning itself off while the queue is short (§5.3).

use units::choice::{self, Choice, Kind, PROBABILITY, Parameter, Parameters, Value};
use units::{Bytes, Duration, Time};

use super::{Arrival, ArrivalDiscipline, DropReason, Limit, Tick, Verdict};
use super::{Discipline, Queue};
use crate::random::Stream;

/// The discipline as scenario files choose it.
pub(super) const DISCIPLINE: Discipline = Discipline {
    about: Choice {
        name: "pie",
        doc: "Drops what arrives with a probability that a controller steers by the waiting time.",
        source: "RFC 8033",
        keys: PARAMETERS,
        rule: choice::any,
    },
    needs_rate: true,
    usual_packets: Some(1_000),
    build: |parameters, place| {
        let pie = PieParameters::of(parameters);
        Queue::at_arrival(Pie::new(pie, place.limit, place.random))
    },
};

const PARAMETERS: &[Parameter] = &[
    Parameter::new(
        "target",
        Kind::DurationOverZero,
        Value::Duration(Duration::from_millis(15)),
        "Waiting time that it steers to (QDELAY_REF).",
    ),
    Parameter::new(
        "update",
        Kind::DurationOverZero,
        Value::Duration(Duration::from_millis(15)),
        "From one update of the probability to the next (T_UPDATE).",
    ),
    Parameter {
        unit: "1/s",
        ..Parameter::new(
            "alpha",
            WEIGHT,
            Value::Number(0.125),
            "Weight of the distance from the target.",
        )
    },
    Parameter {
        unit: "1/s",
        ..Parameter::new(
            "beta",
            WEIGHT,
            Value::Number(1.25),
            "Weight of the change since the last update.",
        )
    },
    Parameter::new(
        "max_burst",
        Kind::Duration,
        Value::Duration(Duration::from_millis(150)),
        "How long a burst may last before anything is dropped (MAX_BURST).",
    ),
    Parameter::new(
        "mean_packet_size",
        Kind::Bytes {
            min: 1,
            max: 65_535,
        },
        Value::Bytes(Bytes(1_500)),
        "Nothing is dropped while no more than two packets of this size wait (MEAN_PKTSIZE).",
    ),
    Parameter::new(
        "ecn",
        Kind::Flag,
        Value::Flag(false),
        "Marks packets that understand ECN instead of dropping them.",
    ),
    Parameter::new(
        "max_mark_probability",
        PROBABILITY,
        Value::Number(0.1),
        "Probability from which they are dropped all the same (RFC 8033 §5.1).",
    ),
    Parameter::new(
        "derandomize",
        Kind::Flag,
        Value::Flag(false),
        "Drops keep a distance from each other (RFC 8033 §5.4).",
    ),
    Parameter::new(
        "cap_increase",
        Kind::Flag,
        Value::Flag(false),
        "A probability of 0.1 or more rises by 0.02 at most in one update (RFC 8033 §5.5).",
    ),
];

const WEIGHT: Kind = Kind::Number {
    min: 0.0,
    max: 1_000.0,
};

/// Parameters of PIE. The defaults are those of RFC 8033.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieParameters {
    /// Waiting time that it steers to, above zero (`QDELAY_REF`). Default: 15 ms.
    pub target: Duration,
    /// From one update of the probability to the next, above zero (`T_UPDATE`). Default: 15 ms.
    pub update: Duration,
    /// Weight of the distance from the target, per second. Default: 0.125.
    pub alpha: f64,
    /// Weight of the change since the last update, per second. Default: 1.25.
    pub beta: f64,
    /// How long a burst may last before anything is dropped (`MAX_BURST`). Default: 150 ms.
    pub max_burst: Duration,
    /// Size of a typical packet; nothing is dropped while no more than two of these wait
    /// (`MEAN_PKTSIZE`). Default: 1500 B.
    pub mean_packet_size: Bytes,
    /// Whether packets that understand ECN are marked instead of dropped. Default: false.
    pub ecn: bool,
    /// Probability from which they are dropped all the same (§5.1). Default: 0.1.
    pub max_mark_probability: f64,
    /// Whether drops keep a distance from each other (§5.4). Default: false.
    pub derandomize: bool,
    /// Whether a probability of 0.1 or more rises by 0.02 at most in one update (§5.5). Default:
    /// false.
    pub cap_increase: bool,
}

impl Default for PieParameters {
    fn default() -> Self {
        Self {
            target: Duration::from_millis(15),
            update: Duration::from_millis(15),
            alpha: 0.125,
            beta: 1.25,
            max_burst: Duration::from_millis(150),
            mean_packet_size: Bytes(1_500),
            ecn: false,
            max_mark_probability: 0.1,
            derandomize: false,
            cap_increase: false,
        }
    }
}

impl PieParameters {
    /// As the table above has them.
    fn of(parameters: &Parameters) -> Self {
        let number = |name| parameters.number(name).expect("it has a default");
        Self {
            target: parameters.duration("target"),
            update: parameters.duration("update"),
            alpha: number("alpha"),
            beta: number("beta"),
            max_burst: parameters.duration("max_burst"),
            mean_packet_size: parameters.bytes("mean_packet_size"),
            ecn: parameters.flag("ecn"),
            max_mark_probability: number("max_mark_probability"),
            derandomize: parameters.flag("derandomize"),
            cap_increase: parameters.flag("cap_increase"),
        }
    }
}

/// The PIE queue.
#[derive(Clone, Debug)]
pub struct Pie {
    parameters: PieParameters,
    limit: Limit,
    random: Stream,
    state: State,
}

#[derive(Clone, Debug)]
struct State {
    probability: f64,
    /// At the last update, and at the one before.
    delay: Duration,
    delay_before: Duration,
    /// What is left of a burst.
    burst: Duration,
    /// Sum of the probabilities since the last drop.
    accumulated: f64,
    /// The next update; none while it would change nothing.
    next: Option<Time>,
}

impl Pie {
    /// A queue in which at most `limit` may wait; `random` decides who is dropped.
    pub fn new(parameters: PieParameters, limit: Limit, random: Stream) -> Self {
        Self {
            parameters,
            limit,
            random,
            state: State {
                probability: 0.0,
                delay: Duration::ZERO,
                delay_before: Duration::ZERO,
                burst: parameters.max_burst,
                accumulated: 0.0,
                next: None,
            },
        }
    }

    /// Whether the packet is to be dropped or marked while there is room for it.
    fn signals(&mut self, waiting: Bytes) -> bool {
        let state = &mut self.state;
        let spared = state.delay < self.parameters.target / 2 && state.probability < 0.2;
        let few = waiting.0 <= 2 * self.parameters.mean_packet_size.0;
        if !state.burst.is_zero() || spared || few {
            return false;
        }
        if self.parameters.derandomize {
            if state.probability == 0.0 {
                state.accumulated = 0.0;
            }
            state.accumulated += state.probability;
            if state.accumulated < LEAST_ACCUMULATED {
                return false;
            }
            if state.accumulated >= MOST_ACCUMULATED {
                return true;
            }
        }
        self.random.chance(state.probability)
    }
}

impl ArrivalDiscipline for Pie {
    fn admit(&mut self, arrival: &Arrival) -> Verdict {
        let half = self.parameters.target / 2;
        let state = &mut self.state;
        if state.next.is_none() {
            let update = self.parameters.update.as_picos();
            let next = (arrival.now.as_picos() / update).saturating_add(1);
            state.next = Some(Time::from_picos(next.saturating_mul(update)));
        }
        if state.probability == 0.0 && state.delay < half && state.delay_before < half {
            state.burst = self.parameters.max_burst;
        }
        let room = self.limit.has_room(arrival.backlog, arrival.size);
        if !room && arrival.idle_since.is_none() {
            state.accumulated = 0.0;
            return Verdict::Drop(DropReason::Full);
        }
        if !self.signals(arrival.backlog.bytes) {
            return Verdict::Queue;
        }
        self.state.accumulated = 0.0;
        let marks = self.state.probability < self.parameters.max_mark_probability;
        if self.parameters.ecn && marks && arrival.ecn.is_capable() {
            Verdict::Mark
        } else {
            Verdict::Drop(DropReason::Early)
        }
    }

    fn next_tick(&self) -> Option<Time> {
        self.state.next
    }

    /// RFC 8033 §4.2.
    fn tick(&mut self, tick: &Tick) {
        let parameters = &self.parameters;
        let state = &mut self.state;
        let seconds = Duration::as_secs_f64;
        let delay = seconds(tick.wait);
        let off = delay - seconds(parameters.target);
        let change = delay - seconds(state.delay);
        let scale = SCALES
            .iter()
            .find(|(below, _)| state.probability < *below)
            .map_or(1.0, |(_, scale)| *scale);
        let mut step = (parameters.alpha * off + parameters.beta * change) / scale;
        if parameters.cap_increase && state.probability >= 0.1 {
            step = step.min(MOST_INCREASE);
        }
        state.probability += step;
        if tick.wait.is_zero() && state.delay.is_zero() {
            state.probability *= DECAY;
        }
        state.probability = state.probability.clamp(0.0, 1.0);
        state.delay_before = std::mem::replace(&mut state.delay, tick.wait);
        state.burst = state.burst.saturating_sub(parameters.update);
        let at_rest = tick.wait.is_zero() && state.delay_before.is_zero();
        let over = at_rest && state.probability == 0.0;
        state.next = (!over).then(|| tick.at.saturating_add(parameters.update));
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("drop_probability", self.state.probability);
        visit("delay_s", self.state.delay.as_secs_f64());
    }
}

/// RFC 8033 §4.2: below the first number the step is divided by the second.
const SCALES: [(f64, f64); 6] = [
    (1e-6, 2_048.0),
    (1e-5, 512.0),
    (1e-4, 128.0),
    (1e-3, 32.0),
    (1e-2, 8.0),
    (0.1, 2.0),
];
/// RFC 8033 §4.2: what is left of the probability after an update of an idle queue.
const DECAY: f64 = 0.98;
/// RFC 8033 §5.4: no drop below the first sum of probabilities, surely one from the second on.
const LEAST_ACCUMULATED: f64 = 0.85;
const MOST_ACCUMULATED: f64 = 8.5;
/// RFC 8033 §5.5.
const MOST_INCREASE: f64 = 0.02;

#[cfg(test)]
mod tests;
