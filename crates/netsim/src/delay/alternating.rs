//! A delay that jumps among a few values and stays at each for a random time: a semi-Markov
//! process.
//!
//! Follows Abouzeid and Roy, "Stochastic modeling of TCP in networks with abrupt delay
//! variations" (2003): two states that take turns, each held for one round-trip time and an
//! exponential time more. Generalised to any number of states with a matrix of transition
//! probabilities and a law of the holding time for each.

use units::choice::{
    Choice, Kind, PROBABILITY, Parameter, Parameters, Setting, Table, Value, Wrong,
};
use units::{Duration, Time};

use super::Process;
use crate::Lengths;
use crate::loss::check_mean;
use crate::random::Stream;

/// The model as scenario files choose it.
pub(super) const PROCESS: Process = Process {
    about: Choice {
        name: "alternating",
        doc: "Goes from state to state as a semi-Markov process; packets under way keep their \
              delay and can be overtaken.",
        source: "Abouzeid and Roy, TCP in Networks with Abrupt Delay Variations and Random Loss",
        keys: &[
            Parameter::new(
                "states",
                Kind::List(&Kind::Table(&STATE)),
                Value::Required,
                "The states, at least two; it begins in the first.",
            ),
            Parameter::new(
                "transitions",
                Kind::List(&Kind::List(&PROBABILITY)),
                Value::Otherwise("to the next state, from the last to the first"),
                "Row by row, the probabilities of the next state; each row adds up to 1.",
            ),
        ],
        rule: check,
    },
    first: |parameters| {
        let mut delays = states(parameters).map(|state| state.duration("delay"));
        delays.next().unwrap_or_default()
    },
    least: |parameters| {
        let delays = states(parameters).map(|state| state.duration("delay"));
        delays.min().unwrap_or_default()
    },
    build: |parameters, random| {
        let states = states(parameters).zip(transitions(parameters));
        let states = states.map(|(state, next)| DelayState {
            delay: state.duration("delay"),
            holding: HoldingTime::of(state),
            next,
        });
        Alternating::new(states.collect(), random).into()
    },
};

/// A state of an alternating delay.
const STATE: Table = Table {
    name: "delay state",
    doc: "A state of an alternating delay.",
    keys: &[
        Parameter::new(
            "delay",
            Kind::Duration,
            Value::Required,
            "Propagation delay in this state.",
        ),
        Parameter::new(
            "stay",
            Kind::Duration,
            Value::Otherwise("0 s"),
            "Least time spent in it.",
        ),
        Parameter::new(
            "extra",
            Kind::Duration,
            Value::Otherwise("0 s"),
            "Mean of the exponential time added to it.",
        ),
        Parameter::new(
            "hold",
            Kind::Distribution {
                over_zero: false,
                each_flow: false,
            },
            Value::Otherwise("stay and extra"),
            "Time spent in it by another law, instead of stay and extra.",
        ),
    ],
    others: None,
    rule: check_state,
};

fn check_state(state: &Parameters) -> Result<(), Wrong> {
    if state.has("hold") {
        check_mean("hold", state.distribution("hold"))?;
        let other = ["stay", "extra"].into_iter().find(|name| state.has(name));
        return other.map_or(Ok(()), |other| {
            let says = "stands beside hold; a state takes one law of its time";
            Err(Wrong::at(other, says))
        });
    }
    match HoldingTime::of(state) {
        HoldingTime::Exponential { minimum, mean }
            if minimum.saturating_add(mean) < SHORTEST_STAY =>
        {
            Err(Wrong::whole(format!(
                "stay and extra add up to less than {SHORTEST_STAY}; time must pass in a state"
            )))
        }
        _ => Ok(()),
    }
}

fn check(parameters: &Parameters) -> Result<(), Wrong> {
    let count = states(parameters).count();
    if !(2..=MOST_STATES).contains(&count) {
        let says = format!("has {count} states; it takes 2 to {MOST_STATES}");
        return Err(Wrong::at("states", says));
    }
    let rows = transitions(parameters);
    let adds_up = |row: &Vec<f64>| (row.iter().sum::<f64>() - 1.0).abs() < 1e-9;
    if rows.len() != count || rows.iter().any(|row| row.len() != count || !adds_up(row)) {
        let says = format!("is not {count} rows of {count} probabilities, each row adding up to 1");
        return Err(Wrong::at("transitions", says));
    }
    Ok(())
}

fn states(parameters: &Parameters) -> impl Iterator<Item = &Parameters> {
    parameters.tables("states")
}

/// Row by row; without any given, each state is followed by the next one.
fn transitions(parameters: &Parameters) -> Vec<Vec<f64>> {
    let count = states(parameters).count();
    if !parameters.has("transitions") {
        let row =
            |state: usize| (0..count).map(move |other| f64::from(other == (state + 1) % count));
        return (0..count).map(|state| row(state).collect()).collect();
    }
    let row = |item: &Setting| match item {
        Setting::List(row) => row.iter().filter_map(number).collect(),
        _ => Vec::new(),
    };
    parameters.list("transitions").iter().map(row).collect()
}

fn number(item: &Setting) -> Option<f64> {
    match item {
        Setting::Value(Value::Number(number)) => Some(*number),
        _ => None,
    }
}

const MOST_STATES: usize = 1_000;
/// A run would otherwise consist of nothing but changes.
const SHORTEST_STAY: Duration = Duration::from_micros(1);

/// One state of the process.
#[derive(Clone, Debug)]
pub struct DelayState {
    /// The propagation delay in this state.
    pub delay: Duration,
    /// How long the process stays each time it enters the state.
    pub holding: HoldingTime,
    /// Probability of each state to be the next, in the order of the states; they add up to 1.
    pub next: Vec<f64>,
}

/// The law of a holding time. Its mean is above zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HoldingTime {
    /// `minimum` and an exponential time more; a mean of zero gives a fixed time, a minimum of
    /// zero an exponential one.
    Exponential {
        /// The shortest time.
        minimum: Duration,
        /// Mean of what comes on top.
        mean: Duration,
    },
    /// By another law.
    Drawn(Lengths),
}

impl HoldingTime {
    /// Always this long.
    pub const fn fixed(length: Duration) -> Self {
        Self::Exponential {
            minimum: length,
            mean: Duration::ZERO,
        }
    }

    /// As the table of a state has it.
    fn of(state: &Parameters) -> Self {
        if state.has("hold") {
            return Self::Drawn(state.distribution("hold").into());
        }
        let time = |name| match state.value(name) {
            Value::Duration(time) => time,
            _ => Duration::ZERO,
        };
        Self::Exponential {
            minimum: time("stay"),
            mean: time("extra"),
        }
    }

    fn is_ever_positive(self) -> bool {
        let longest = match self {
            Self::Exponential { minimum, mean } => minimum.max(mean),
            Self::Drawn(Lengths::Constant(length)) => length,
            Self::Drawn(Lengths::Uniform { high, .. }) => high,
            Self::Drawn(Lengths::Exponential { mean } | Lengths::Pareto { mean, .. }) => mean,
        };
        longest > Duration::ZERO
    }

    fn draw(self, random: &mut Stream) -> Duration {
        match self {
            Self::Exponential { minimum, mean } => minimum.saturating_add(random.exponential(mean)),
            Self::Drawn(lengths) => lengths.draw(random),
        }
    }
}

/// The process. It begins in its first state at the beginning of the run.
#[derive(Clone, Debug)]
pub struct Alternating {
    states: Vec<DelayState>,
    random: Stream,
    current: usize,
    /// When the current state was entered.
    since: Time,
    /// When it is left.
    until: Time,
}

impl Alternating {
    /// The least delay of all states.
    pub(super) fn least(&self) -> Duration {
        let delays = self.states.iter().map(|state| state.delay);
        delays.min().unwrap_or_default()
    }

    /// A process over these states.
    ///
    /// # Panics
    /// When there is no state, a state's `next` is not one probability for each state that add up
    /// to 1, or a holding time is always zero.
    pub fn new(states: Vec<DelayState>, mut random: Stream) -> Self {
        assert!(!states.is_empty(), "a delay process needs a state");
        for state in &states {
            let total: f64 = state.next.iter().sum();
            assert!(
                state.next.len() == states.len()
                    && state.next.iter().all(|p| *p >= 0.0)
                    && (total - 1.0).abs() < 1e-9,
                "the probabilities of the next state are one for each and add up to 1"
            );
            assert!(
                state.holding.is_ever_positive(),
                "a holding time of zero would never end"
            );
        }
        let until = Time::ZERO.saturating_add(states[0].holding.draw(&mut random));
        Self {
            states,
            random,
            current: 0,
            since: Time::ZERO,
            until,
        }
    }

    /// Two states that take turns, such that the round-trip times of a path are `round_trips`:
    /// the delays are these less `transmission`, the time a packet takes onto the link. State i
    /// holds for its round-trip time Tᵢ and an exponential time of mean `h` Tᵢ.
    pub fn between_round_trips(
        round_trips: [Duration; 2],
        transmission: Duration,
        h: f64,
        random: Stream,
    ) -> Self {
        let state = |index: usize| DelayState {
            delay: round_trips[index].saturating_sub(transmission),
            holding: HoldingTime::Exponential {
                minimum: round_trips[index],
                mean: round_trips[index].mul_f64(h),
            },
            next: vec![index as f64, 1.0 - index as f64],
        };
        Self::new(vec![state(0), state(1)], random)
    }

    /// The delay at `now`, which is never earlier than in the call before. A change at exactly
    /// `now` has happened.
    #[inline]
    pub fn at(&mut self, now: Time) -> Duration {
        while now >= self.until && self.until < Time::MAX {
            self.change();
        }
        debug_assert!(now >= self.since, "time went back");
        self.states[self.current].delay
    }

    fn change(&mut self) {
        let next = &self.states[self.current].next;
        let mut left = self.random.uniform();
        let drawn = next.iter().position(|probability| {
            left -= probability;
            left < 0.0
        });
        // Rounding may leave a remainder after the last: it belongs to the last possible state.
        let last_possible = || next.iter().rposition(|probability| *probability > 0.0);
        self.current = drawn
            .or_else(last_possible)
            .expect("the probabilities add up to 1");
        self.since = self.until;
        let stay = self.states[self.current].holding.draw(&mut self.random);
        self.until = self.until.saturating_add(stay);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn at(millis: u64) -> Time {
        Time::ZERO + ms(millis)
    }

    fn stream() -> Stream {
        Stream::named(1, "delay")
    }

    fn state(delay: u64, hold: u64, next: &[f64]) -> DelayState {
        DelayState {
            delay: ms(delay),
            holding: HoldingTime::fixed(ms(hold)),
            next: next.to_vec(),
        }
    }

    #[test]
    fn fixed_holding_times_give_a_square_wave_that_has_switched_at_its_edges() {
        let states = vec![state(10, 100, &[0.0, 1.0]), state(20, 50, &[1.0, 0.0])];
        let mut process = Alternating::new(states, stream());
        let pico = Duration::from_picos(1);
        for period in 0..1_000 {
            let start = period * 150;
            assert_eq!(process.at(at(start)), ms(10));
            assert_eq!(process.at(at(start + 100) - pico), ms(10));
            assert_eq!(process.at(at(start + 100)), ms(20));
            assert_eq!(process.at(at(start + 150) - pico), ms(20));
        }
    }

    #[test]
    fn a_certain_order_of_states_is_kept() {
        let states = vec![
            state(1, 10, &[0.0, 0.0, 1.0]),
            state(2, 10, &[1.0, 0.0, 0.0]),
            state(3, 10, &[0.0, 1.0, 0.0]),
        ];
        let mut process = Alternating::new(states, stream());
        let delays: Vec<Duration> = (0..6).map(|step| process.at(at(step * 10))).collect();
        assert_eq!(delays, [1, 3, 2, 1, 3, 2].map(ms));
    }

    #[test]
    fn the_next_state_is_drawn_with_its_probability() {
        // From state 1: 0.25 stays, 0.75 to state 2, which always returns. Of n stays in state 1
        // three quarters end in a move: with x moves among 10,000 changes, the chain's share of
        // state 2 is 0.75 / 1.75 = 3/7 = 4286; sd of a renewal count: sqrt(n σ² / μ³) with cycle
        // length 2 with probability 3/4 and 1 with 1/4: μ = 1.75, σ² = 0.1875 for all returns to
        // state 1, sd = sqrt(10,000 × 0.1875 / 5.36) = 18.7; 4.5 sd = 84.
        let states = vec![state(1, 10, &[0.25, 0.75]), state(2, 10, &[1.0, 0.0])];
        let mut process = Alternating::new(states, stream());
        let second = (0..10_000)
            .filter(|step| process.at(at(step * 10)) == ms(2))
            .count();
        assert!((4_202..=4_370).contains(&second), "{second}");
    }

    fn switch_times(process: &mut Alternating, count: usize) -> Vec<Time> {
        (0..count)
            .map(|_| {
                let switch = process.until;
                process.at(switch);
                switch
            })
            .collect()
    }

    #[test]
    fn a_round_trip_state_holds_for_its_round_trip_and_an_exponential_time() {
        // T = 100 and 300 ms, 8 ms of transmission: delays of 92 and 292 ms, holding at least T,
        // on average (1 + h) T = 300 and 900 ms with h = 2. The sd of a holding time is h T, of a
        // mean of 10,000: 2 and 6 ms; 4.5 sd: 9 and 27 ms.
        let mut process =
            Alternating::between_round_trips([ms(100), ms(300)], ms(8), 2.0, stream());
        assert_eq!(process.at(Time::ZERO), ms(92));
        let times = switch_times(&mut process, 20_000);
        assert_eq!(process.at(*times.last().unwrap()), ms(92));
        let mut before = Time::ZERO;
        let (mut first, mut second) = (Duration::ZERO, Duration::ZERO);
        for pair in times.chunks_exact(2) {
            let (short, long) = (pair[0].since(before), pair[1].since(pair[0]));
            assert!(short >= ms(100) && long >= ms(300));
            first += short;
            second += long;
            before = pair[1];
        }
        assert!((first / 10_000).abs_diff(ms(300)) < ms(9), "{first}");
        assert!((second / 10_000).abs_diff(ms(900)) < ms(27), "{second}");
    }

    #[test]
    fn the_share_of_time_in_a_state_is_its_round_trips_share() {
        // P(state 1) = 100 / (100 + 300) = 1/4, from 20,000 switches (error of about 0.4 %).
        let mut process =
            Alternating::between_round_trips([ms(100), ms(300)], ms(8), 1.0, stream());
        let end = 20_000 * 200;
        let short = (0..end)
            .filter(|millis| process.at(at(*millis)) == ms(92))
            .count();
        let share = short as f64 / end as f64;
        assert!((0.24..=0.26).contains(&share), "{share}");
    }

    #[test]
    fn a_holding_time_follows_its_law() {
        let mut random = stream();
        let (low, high) = (ms(5), ms(6));
        let holding = HoldingTime::Drawn(Lengths::Uniform { low, high });
        for _ in 0..1_000 {
            assert!((low..=high).contains(&holding.draw(&mut random)));
        }
    }

    #[test]
    #[should_panic(expected = "add up to 1")]
    fn probabilities_that_do_not_add_up_are_refused() {
        Alternating::new(vec![state(1, 10, &[0.5])], stream());
    }

    #[test]
    #[should_panic(expected = "never end")]
    fn a_state_that_is_never_held_is_refused() {
        Alternating::new(vec![state(1, 0, &[1.0])], stream());
    }
}
