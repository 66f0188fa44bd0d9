//! From the links of a scenario to links of the network.

use netsim::delay::{self, DelayModel};
use netsim::loss::{
    At, Bernoulli, Every, GilbertElliott, GilbertElliottProbabilities, List, LossModel, Outage,
    PerFlow,
};
use netsim::queues::{self, DropTail, LinkFacts, Marking, RedParameters};
use netsim::random::Stream;
use netsim::{Lengths, Link, LossPlace, Schedule};
use units::{Duration, Rate, Time};

use super::build::Side;
use crate::scenario::{
    self, Access, Delay, Distribution, Holding, Loss, Queue, Red, RedMode, RedWeight,
    ResolvedLimit, Scenario,
};

/// What a link's models are made from: where it stands and what it draws from.
pub(super) struct LinkPlan<'a> {
    pub(super) scenario: &'a Scenario,
    /// Names the link's random streams.
    pub(super) name: &'a str,
    /// Number of the first flow of each group.
    pub(super) first_flows: &'a [u32],
    /// What a drop-tail queue is made of.
    pub(super) drop_tail: fn(queues::Limit) -> queues::Queue,
}

/// The usual drop-tail queue: it decides when packets arrive.
pub(super) fn drop_tail(limit: queues::Limit) -> queues::Queue {
    queues::Queue::DropTail(DropTail::new(limit))
}

impl LinkPlan<'_> {
    fn stream(&self, purpose: &str) -> Stream {
        Stream::named(self.scenario.seed, &format!("{purpose}/{}", self.name))
    }

    fn queue(&self, queue: &Queue, limit: ResolvedLimit, facts: LinkFacts) -> queues::Queue {
        match queue {
            Queue::DropTail { mark, .. } => {
                let limit = match limit {
                    ResolvedLimit::Unlimited => queues::Limit::None,
                    ResolvedLimit::Packets(packets) => queues::Limit::Packets(packets),
                    ResolvedLimit::Bytes(bytes) => queues::Limit::Bytes(bytes),
                };
                match mark {
                    None => (self.drop_tail)(limit),
                    Some(mark) => {
                        let queue = DropTail::new(limit);
                        queues::Queue::at_arrival(Marking::new(queue, *mark))
                    }
                }
            }
            Queue::Red(red) => {
                let parameters = red_parameters(red, limit);
                let red = queues::Red::new(parameters, facts, self.stream("red"));
                queues::Queue::at_arrival(red)
            }
        }
    }

    fn loss(&self, number: usize, model: &scenario::LossModel) -> Box<dyn LossModel> {
        let random = self.stream(&format!("loss-{number}"));
        match model {
            scenario::LossModel::Bernoulli { probability } => {
                Box::new(Bernoulli::new(*probability, random))
            }
            scenario::LossModel::GilbertElliott {
                good_to_bad,
                bad_to_good,
                loss_good,
                loss_bad,
            } => {
                let probabilities = GilbertElliottProbabilities {
                    good_to_bad: *good_to_bad,
                    bad_to_good: *bad_to_good,
                    loss_in_good: *loss_good,
                    loss_in_bad: *loss_bad,
                };
                Box::new(GilbertElliott::new(probabilities, random))
            }
            scenario::LossModel::Every { packets } => Box::new(Every::new(*packets)),
            scenario::LossModel::List { packets, flow } => {
                self.for_flows(flow.as_deref(), List::new(packets.clone()))
            }
            scenario::LossModel::At { times, flow } => {
                let times = times.iter().map(|at| Time::ZERO + *at).collect();
                self.for_flows(flow.as_deref(), At::new(times))
            }
            scenario::LossModel::Outage { every, duration } => {
                Box::new(Outage::new(lengths(every), lengths(duration), random))
            }
        }
    }

    /// One model for all packets, or one for the data of each flow of a group.
    fn for_flows<M: LossModel + Clone + 'static>(
        &self,
        label: Option<&str>,
        model: M,
    ) -> Box<dyn LossModel> {
        let group = self
            .scenario
            .flows
            .iter()
            .position(|group| Some(&*group.label) == label);
        let Some(group) = group else {
            return Box::new(model);
        };
        let first = self.first_flows[group];
        let flows = first..first + self.scenario.flows[group].count;
        Box::new(PerFlow::new(flows, &model))
    }
}

/// A link between routers or nodes.
pub(super) fn core_link(plan: &LinkPlan<'_>, link: &scenario::Link, limit: ResolvedLimit) -> Link {
    let (model, delay) = delay_model(plan, link);
    let facts = LinkFacts {
        rate: link.rate.unwrap_or(Rate::MAX),
        delay,
    };
    let mut built = Link::new(link.rate, delay).with_queue(plan.queue(&link.queue, limit, facts));
    if let Some(model) = model {
        built = built.with_delay(model);
    }
    if let Some(packets) = link.source_quench {
        built = built.with_source_quench(packets as f64);
    }
    let rates = steps(link, |change| change.rate);
    if let (Some(initial), false) = (link.rate, rates.is_empty()) {
        built = built.with_rate_schedule(Schedule::new(initial, rates));
    }
    let ups = steps(link, |change| change.up);
    if !ups.is_empty() {
        built = built.with_loss(LossPlace::Exit, Box::new(Down(Schedule::new(true, ups))));
    }
    with_losses(plan, built, &link.losses)
}

/// One direction of an access link. Losses concern the direction of the data.
pub(super) fn access_link(plan: &LinkPlan<'_>, side: &Side, delay: Duration, data: bool) -> Link {
    let access = &side.access;
    let facts = LinkFacts {
        rate: access.rate.unwrap_or(Rate::MAX),
        delay,
    };
    let link =
        Link::new(access.rate, delay).with_queue(plan.queue(&access.queue, side.limit, facts));
    if data {
        with_losses(plan, link, &access.losses)
    } else {
        link
    }
}

fn with_losses(plan: &LinkPlan<'_>, mut link: Link, losses: &[Loss]) -> Link {
    for (number, loss) in losses.iter().enumerate() {
        let place = match loss.place {
            scenario::LossPlace::Entry => LossPlace::Entry,
            scenario::LossPlace::Exit => LossPlace::Exit,
        };
        link = link.with_loss(place, plan.loss(number, &loss.model));
    }
    link
}

/// Whether packets can vanish on an access link; then it has a row of its own in the summary.
pub(super) fn has_models(access: &Access) -> bool {
    !access.losses.is_empty() || access.queue != Queue::default()
}

/// The model of a delay that changes, and the delay at the start.
fn delay_model(plan: &LinkPlan<'_>, link: &scenario::Link) -> (Option<DelayModel>, Duration) {
    match &link.delay {
        Delay::Fixed(distribution) => {
            let delay = draw(distribution, &mut plan.stream("delay"), 0);
            let steps = steps(link, |change| change.delay);
            let model = (!steps.is_empty()).then(|| Schedule::new(delay, steps).into());
            (model, delay)
        }
        Delay::Alternating(process) => {
            let states = process
                .states
                .iter()
                .zip(&process.transitions)
                .map(|(state, next)| delay::DelayState {
                    delay: state.delay,
                    holding: match &state.holding {
                        Holding::Exponential { stay, extra } => delay::HoldingTime::Exponential {
                            minimum: *stay,
                            mean: *extra,
                        },
                        Holding::Drawn(law) => delay::HoldingTime::Drawn(lengths(law)),
                    },
                    next: next.clone(),
                })
                .collect();
            let model = delay::Alternating::new(states, plan.stream("delay"));
            (Some(model.into()), process.states[0].delay)
        }
        Delay::Trace(points) => {
            let first = points[0].1;
            let steps = points.iter().map(|(at, delay)| (Time::ZERO + *at, *delay));
            (Some(Schedule::new(first, steps.collect()).into()), first)
        }
    }
}

fn steps<T>(link: &scenario::Link, of: fn(&scenario::Change) -> Option<T>) -> Vec<(Time, T)> {
    let step = |change| of(change).map(|value| (Time::ZERO + change.at, value));
    link.schedule.iter().filter_map(step).collect()
}

/// Loses everything while the link is down.
#[derive(Debug)]
struct Down(Schedule<bool>);

impl LossModel for Down {
    fn loses(&mut self, packet: &netsim::loss::Offered) -> bool {
        !self.0.at(packet.now)
    }
}

fn red_parameters(red: &Red, limit: ResolvedLimit) -> RedParameters {
    RedParameters {
        min_threshold: red.min_threshold,
        max_threshold: red.max_threshold,
        max_probability: red.max_probability,
        weight: match red.weight {
            RedWeight::Auto => queues::Weight::Auto,
            RedWeight::AutoSecond => queues::Weight::OneSecond,
            RedWeight::AutoTenthSecond => queues::Weight::TenthOfASecond,
            RedWeight::Value(weight) => queues::Weight::Fixed(weight),
        },
        gentle: red.gentle,
        wait: red.wait,
        mode: match red.mode {
            RedMode::Packets => queues::Mode::Packets,
            RedMode::Bytes => queues::Mode::Bytes,
        },
        mean_packet_size: red.mean_packet_size,
        ecn: red.ecn,
        max_mark_probability: None,
        limit: match limit {
            ResolvedLimit::Unlimited => None,
            ResolvedLimit::Packets(packets) => Some(packets),
            // RED counts its limit in mean packets.
            ResolvedLimit::Bytes(bytes) => Some(bytes.0 / red.mean_packet_size.0.max(1)),
        },
    }
}

/// The law of lengths that are drawn again and again.
pub(super) fn lengths(distribution: &Distribution<Duration>) -> Lengths {
    match distribution {
        Distribution::Constant(length) => Lengths::Constant(*length),
        Distribution::Uniform { low, high } => Lengths::Uniform {
            low: *low,
            high: *high,
        },
        Distribution::Exponential { mean } => Lengths::Exponential { mean: *mean },
        Distribution::Pareto { mean, shape } => Lengths::Pareto {
            mean: *mean,
            shape: *shape,
        },
        // Scenario files refuse a list here.
        Distribution::List(_) => Lengths::Constant(distribution.mean()),
    }
}

/// A length that is drawn once; `index` chooses from a list.
pub(super) fn draw(
    distribution: &Distribution<Duration>,
    random: &mut Stream,
    index: u32,
) -> Duration {
    match distribution {
        Distribution::List(values) => values[index as usize % values.len()],
        other => lengths(other).draw(random),
    }
}
