//! From a scenario to a network with endpoints on it.

use std::collections::BTreeMap;

use controllers::Registry;
use netsim::random::Stream;
use netsim::{LinkId, Network, Window, Wire};
use units::{Duration, Time};

use super::RunError;
use super::application::{Application, OnOff, Pace};
use super::end::End;
use super::endpoints::endpoints;
use super::flow::{Counts, Dither, Flow, Phase, Playback, RttMoments, playback_slot};
use super::handed::{Endpoints, Place};
use super::hosts::{Acks, Delays, FlowHosts, endpoint};
use super::models::{self, LinkPlan};
use super::payload::{Payload, Payloads};
use super::record::Recording;
use crate::scenario::{
    self, Access, FlowGroup, LinkAt, Protocol, ResolvedLimit, Scenario, Topology,
};

/// A network ready to run.
pub(super) struct Built<const EVENTS: bool> {
    pub(super) network: Network<Payload>,
    pub(super) hosts: FlowHosts<EVENTS>,
    /// The links of the summary.
    pub(super) links: Vec<NamedLink>,
}

/// A link that the summary lists.
#[derive(Clone, Debug)]
pub(super) struct NamedLink {
    pub(super) name: String,
    pub(super) id: LinkId,
}

pub(super) fn build<const EVENTS: bool>(
    scenario: &Scenario,
    registry: &Registry,
    handed: &Endpoints<'_>,
) -> Result<Built<EVENTS>, RunError> {
    let mut builder = Builder::new(scenario);
    builder.add_core();
    let mut hosts = FlowHosts::<EVENTS> {
        flows: Vec::new(),
        payloads: Payloads::default(),
        quench_routes: BTreeMap::new(),
        measuring: false,
        acks: Acks::default(),
        recording: Recording::default(),
        delays: vec![Delays::default(); scenario.flows.len()],
        sampled: (Time::ZERO, Vec::new()),
        ahead: Vec::new(),
        link_numbers: Vec::new(),
    };
    for group in 0..scenario.flows.len() {
        builder.add_group(&mut hosts, (registry, handed), group)?;
    }
    let Builder {
        mut network, links, ..
    } = builder;
    if !EVENTS {
        network.fuse();
        for (number, flow) in hosts.flows.iter().enumerate() {
            network.work_ahead(flow.forward, flow.backward);
            // Source quenches come to the sender between its ACKs.
            if !hosts.can_be_quenched(number) {
                network.work_ahead(flow.backward, flow.forward);
            }
        }
    }
    hosts.sampled.1 = vec![0; links.len()];
    hosts.link_numbers = vec![None; network.link_count()];
    for (number, link) in links.iter().enumerate() {
        hosts.link_numbers[link.id.index()] = Some(number as u32);
    }
    hosts.arm(&mut network);
    Ok(Built {
        network,
        hosts,
        links,
    })
}

struct Builder<'a> {
    scenario: &'a Scenario,
    network: Network<Payload>,
    /// The links between routers or nodes.
    core: BTreeMap<LinkAt, LinkId>,
    links: Vec<NamedLink>,
    /// Number of the first flow of each group.
    first_flows: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(scenario: &'a Scenario) -> Self {
        let window = Window {
            from: Time::ZERO + scenario.warmup,
            to: Time::ZERO + scenario.duration,
        };
        let first_flows = scenario
            .flows
            .iter()
            .scan(0, |next, group| {
                let first = *next;
                *next += group.count;
                Some(first)
            })
            .collect();
        Self {
            scenario,
            network: Network::new(window),
            core: BTreeMap::new(),
            links: Vec::new(),
            first_flows,
        }
    }

    /// Adds the links between routers or nodes.
    fn add_core(&mut self) {
        for (at, link) in self.scenario.topology.links() {
            let name = link_name(&self.scenario.topology, at);
            let limit = self.scenario.queue_limit(at);
            let built = models::core_link(&self.plan(&name), link, limit);
            let id = self.network.add_link(built);
            self.core.insert(at, id);
            self.links.push(NamedLink { name, id });
        }
    }

    fn plan<'b>(&'b self, name: &'b str) -> LinkPlan<'b> {
        LinkPlan {
            scenario: self.scenario,
            name,
            first_flows: &self.first_flows,
        }
    }

    fn add_group<const EVENTS: bool>(
        &mut self,
        hosts: &mut FlowHosts<EVENTS>,
        (registry, handed): (&Registry, &Endpoints<'_>),
        group_number: usize,
    ) -> Result<(), RunError> {
        let group = &self.scenario.flows[group_number];
        let (there, back) = self.scenario.paths(group);
        let core = |path: Vec<LinkAt>| path.iter().map(|at| self.core[at]).collect::<Vec<_>>();
        let (there, back) = (core(there), core(back));
        let sides = self.access_sides(group);
        let seed = self.scenario.seed;
        // One named stream for each purpose and flow: what one flow draws changes no other's.
        let [start, dither, application, sizes, law] =
            ["start", "dither", "application", "sizes", "controller"]
                .map(|of| format!("{of}/{}", group.label));
        let mut shared = None;
        hosts.flows.reserve_exact(group.count as usize);
        for index in 0..group.count {
            let number = hosts.flows.len();
            let access = sides
                .each_ref()
                .map(|side| side.as_ref().map(|side| self.add_access(index, side)));
            let [sender_side, receiver_side] = access;
            let (up, down) = sender_side.unzip();
            let (last, first) = receiver_side.unzip();
            let forward: Vec<_> = up
                .into_iter()
                .chain(there.iter().copied())
                .chain(last)
                .collect();
            let backward: Vec<_> = first
                .into_iter()
                .chain(back.iter().copied())
                .chain(down)
                .collect();
            self.add_quench_routes(hosts, (group, number), down);
            let forward = self.network.add_route(&forward, endpoint(number, true));
            let backward = self.network.add_route(&backward, endpoint(number, false));
            let stream = |name: &str| Stream::indexed(seed, name, index.into());
            let begin = models::draw(&group.start, &mut stream(&start), index);
            let law = stream(&law).below(u64::MAX);
            let sizes = || stream(&sizes);
            let place = Place {
                group,
                index,
                seed: law,
            };
            let (sender, receiver) = match handed.make(&place) {
                Some(ends) => (End::other(ends.sender), End::other(ends.receiver)),
                None => endpoints(&place, registry, &mut shared, sizes)?,
            };
            hosts.flows.push(Flow {
                sender,
                receiver,
                forward,
                backward,
                group: group_number as u32,
                index,
                start: Time::ZERO + begin,
                application: application_of(group, stream(&application)),
                supplied: 0,
                phase: Phase::Waiting,
                all_supplied: false,
                delayed_ack: matches!(
                    &group.protocol,
                    Protocol::Tcp(options) if options.delayed_ack.is_some()
                ),
                dither: dither_of(group, || stream(&dither)),
                playback: playback_of(group),
                counts: Counts::default(),
                before: Counts::default(),
                sampled: Counts::default(),
                rtt: RttMoments::default(),
                last_rtt: None,
                least_rtt: Duration::MAX,
                completed: None,
            });
        }
        Ok(())
    }

    /// The ways of source quenches: from the beginning of each link that sends them, on the links
    /// that lead to the sender of flow `number` and over its access link `down`.
    fn add_quench_routes<const EVENTS: bool>(
        &mut self,
        hosts: &mut FlowHosts<EVENTS>,
        (group, number): (&FlowGroup, usize),
        down: Option<LinkId>,
    ) {
        for (at, way) in self.scenario.quench_paths(group) {
            let mut way: Vec<_> = way.iter().map(|at| self.core[at]).chain(down).collect();
            if way.is_empty() {
                // Right beside the sender: it is told at once, but by an event of its own.
                way.push(self.network.add_wire(Wire::new(None, Duration::ZERO)));
            }
            let route = self.network.add_route(&way, endpoint(number, false));
            let link = self.core[&at].index() as u32;
            hosts.quench_routes.insert((number as u32, link), route);
        }
    }

    /// The access links of a group's senders and receivers; none where there is nothing to them.
    fn access_sides(&self, group: &FlowGroup) -> [Option<Side>; 2] {
        let (sender, receiver) = self.scenario.access(group);
        [("sender", sender), ("receiver", receiver)].map(|(name, access)| {
            (access != Access::default()).then(|| Side {
                name: format!("{}-{name}", group.label),
                limit: self.scenario.access_queue_limit(group, &access),
                access,
            })
        })
    }

    /// Adds the two access links of one end of a flow: the one for its data, the one for its
    /// acknowledgements.
    fn add_access(&mut self, index: u32, side: &Side) -> (LinkId, LinkId) {
        let mut random = Stream::indexed(self.scenario.seed, &side.name, index.into());
        let delay = models::draw(&side.access.delay, &mut random, index);
        if !models::has_models(&side.access) {
            // There may be millions: no names, no models.
            let wire = Wire::new(side.access.rate, delay);
            return (self.network.add_wire(wire), self.network.add_wire(wire));
        }
        let data_name = format!("{}-{index}", side.name);
        let ack_name = format!("{data_name}-acks");
        let data = models::access_link(&self.plan(&data_name), side, delay, true);
        let acks = models::access_link(&self.plan(&ack_name), side, delay, false);
        let (data, acks) = (self.network.add_link(data), self.network.add_link(acks));
        self.links.push(NamedLink {
            name: data_name,
            id: data,
        });
        self.links.push(NamedLink {
            name: ack_name,
            id: acks,
        });
        (data, acks)
    }
}

/// The name of a link between routers or nodes.
fn link_name(topology: &Topology, at: LinkAt) -> String {
    match (topology, at) {
        (Topology::ParkingLot(lot), LinkAt::Forward(hop)) => lot.hops[hop].name.clone(),
        (Topology::ParkingLot(lot), LinkAt::Reverse(hop)) => {
            format!("{}-reverse", lot.hops[hop].name)
        }
        (Topology::Graph(graph), LinkAt::Graph(link)) => graph.links[link].name.clone(),
        (_, LinkAt::Reverse(_)) => "bottleneck-reverse".to_owned(),
        _ => "bottleneck".to_owned(),
    }
}

/// The access links of one end of a group's flows.
pub(super) struct Side {
    name: String,
    pub(super) access: Access,
    pub(super) limit: ResolvedLimit,
}

fn application_of(group: &FlowGroup, random: Stream) -> Application {
    // Over UDP an application's rate is what goes onto the wire; else it is payload.
    let packet = match group.protocol {
        Protocol::Tcp(_) | Protocol::Tfrc(_) | Protocol::Tfwc(_) => group.payload(),
        Protocol::Udp => group.packet_size,
    };
    match &group.application {
        scenario::Application::Bulk => Application::Bulk {
            packets: group.packets,
        },
        scenario::Application::Cbr { rate, .. } => {
            Application::Constant(Pace::new(*rate, packet, group.packets))
        }
        scenario::Application::OnOff { rate, on, off } => Application::OnOff(Box::new(OnOff {
            pace: Pace::new(*rate, packet, group.packets),
            on: on.into(),
            off: off.into(),
            random,
            until: Time::ZERO,
        })),
    }
}

fn dither_of(group: &FlowGroup, stream: impl FnOnce() -> Stream) -> Option<Box<Dither>> {
    if group.dither.is_zero() {
        return None;
    }
    let after_timeouts = matches!(
        &group.protocol,
        Protocol::Tcp(options) if options.compat == scenario::Compat::Ns2
    );
    Some(Box::new(Dither {
        most: group.dither,
        after_timeouts,
        random: stream(),
        held_until: None,
    }))
}

fn playback_of(group: &FlowGroup) -> Option<Box<Playback>> {
    playback_slot(group)?;
    match &group.application {
        scenario::Application::Cbr {
            playback_buffer: Some(buffer),
            ..
        } => Some(Box::new(Playback {
            target: *buffer,
            read: 0,
            attempts: 0,
            found: [0; 9],
        })),
        _ => None,
    }
}
