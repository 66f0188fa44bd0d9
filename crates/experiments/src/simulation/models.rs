//! From the links of a scenario to links of the network.

use std::ops::Range;

use netsim::delay::DelayModel;
use netsim::loss::{self, LossModel};
use netsim::queues::{self, LinkFacts};
use netsim::random::Stream;
use netsim::{Lengths, Link, LossPlace, Schedule};
use units::{Distribution, Duration, Rate, Time};

use super::build::Side;
use crate::scenario::{self, Access, Delay, Loss, Queue, ResolvedLimit, Scenario};

/// What a link's models are made from: where it stands and what it draws from.
pub(super) struct LinkPlan<'a> {
    pub(super) scenario: &'a Scenario,
    /// Names the link's random streams.
    pub(super) name: &'a str,
    /// Number of the first flow of each group.
    pub(super) first_flows: &'a [u32],
}

impl LinkPlan<'_> {
    fn stream(&self, purpose: &str) -> Stream {
        Stream::named(self.scenario.seed, &format!("{purpose}/{}", self.name))
    }

    fn queue(&self, queue: &Queue, limit: ResolvedLimit, link: LinkFacts) -> queues::Queue {
        let limit = match limit {
            ResolvedLimit::Unlimited => queues::Limit::None,
            ResolvedLimit::Packets(packets) => queues::Limit::Packets(packets),
            ResolvedLimit::Bytes(bytes) => queues::Limit::Bytes(bytes),
        };
        let place = queues::Place {
            limit,
            link,
            random: self.stream(queue.name()),
        };
        (queue.what.build)(&queue.parameters, place)
    }

    fn loss(&self, number: usize, loss: &Loss) -> Box<dyn LossModel> {
        let place = loss::Place {
            random: self.stream(&format!("loss-{number}")),
            flows: loss.flow().map(|label| self.flows_of(label)),
        };
        (loss.what.build)(&loss.parameters, place)
    }

    /// The numbers of a group's flows.
    fn flows_of(&self, label: &str) -> Range<u32> {
        let mut groups = self.scenario.flows.iter().zip(self.first_flows);
        let group = groups.find(|(group, _)| group.label == label);
        let (group, first) = group.expect("labels are checked when the scenario is read");
        *first..*first + group.count
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
    if let Some(packets) = link.queue.source_quench() {
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
        let place = match loss.parameters.choice("place") {
            "entry" => LossPlace::Entry,
            _ => LossPlace::Exit,
        };
        link = link.with_loss(place, plan.loss(number, loss));
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
        Delay::Model(model) => {
            let build = model.what.build;
            let first = (model.what.first)(&model.parameters);
            (Some(build(&model.parameters, plan.stream("delay"))), first)
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

/// A length that is drawn once; `index` chooses from a list.
pub(super) fn draw(distribution: &Distribution, random: &mut Stream, index: u32) -> Duration {
    match distribution {
        Distribution::List(values) => values[index as usize % values.len()],
        other => Lengths::from(other).draw(random),
    }
}
