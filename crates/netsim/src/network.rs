//! The event loop, and the way of a packet from one host to another.

use units::Time;

use crate::link::{Fate, Link, Window};
use crate::pending::{Pending, PendingSet};
use crate::queues::DropReason;
use crate::{Packet, Wire};

/// A link, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(u32);

/// A route: the links that a packet takes, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteId(u32);

/// A timer, by number. Hosts number their timers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerId(pub u32);

/// What uses the network: it sends packets, and gets packets and timers.
pub trait Hosts<P: Copy> {
    /// Whether [`observe`](Self::observe) wants to be called. Costs nothing where it is false.
    const OBSERVES: bool = false;

    /// A packet arrived at the end of its route. (required)
    fn on_packet(&mut self, network: &mut Network<P>, endpoint: u32, packet: Packet<P>);

    /// A timer expired. (required)
    fn on_timer(&mut self, network: &mut Network<P>, timer: TimerId);

    /// A packet will not arrive. (required)
    ///
    /// Called once for each; the place to count it and to free what its payload refers to.
    fn on_gone(&mut self, packet: &Packet<P>, gone: Gone);

    /// Something happened on a link. (optional)
    fn observe(&mut self, observation: &Observation, packet: &Packet<P>) {
        let _ = (observation, packet);
    }
}

/// Why a packet will not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// A queue refused it.
    Dropped(DropReason),
    /// A loss model took it.
    Lost,
}

/// What an observer is told of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// When it happens. Links work ahead: this may be later than now.
    pub time: Time,
    /// Where.
    pub link: LinkId,
    /// What.
    pub what: Observed,
}

/// What happened on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// A packet reached the queue and was admitted.
    Enqueued,
    /// The queue set the CE mark.
    Marked,
    /// Transmission began.
    Started,
    /// The queue refused the packet.
    Dropped(DropReason),
    /// A loss model took the packet.
    Lost,
    /// The packet reached the far end.
    Arrived,
}

/// The network: links, routes, and what is on its way.
#[derive(Debug)]
pub struct Network<P> {
    now: Time,
    events: u64,
    sequence: u64,
    pending: PendingSet,
    /// Links and wires by number.
    ports: Vec<Port>,
    links: Vec<Link>,
    wires: Vec<Wire>,
    /// What is on each port's way to the far end.
    pipes: Vec<Pipe>,
    hops: Vec<Hop>,
    nodes: Vec<Node<P>>,
    free: u32,
    in_flight: u64,
    timers: Vec<Timer>,
    window: Window,
}

/// A link or a wire.
#[derive(Clone, Copy, Debug)]
enum Port {
    Link(u32),
    Wire(u32),
}

/// The packets that have left one end and not arrived at the other, earliest first.
#[derive(Clone, Copy, Debug)]
struct Pipe {
    head: u32,
    tail: u32,
    /// Whether packets can overtake; then it can have several events pending.
    overtaking: bool,
}

/// A packet in a pipe.
#[derive(Clone, Copy, Debug)]
struct Node<P> {
    packet: Packet<P>,
    /// When it arrives, in picoseconds.
    time: u64,
    /// Order in which arrivals were computed.
    sequence: u64,
    next: u32,
}

/// A step of a route.
#[derive(Clone, Copy, Debug)]
struct Hop {
    step: Step,
    /// Number of the port.
    pipe: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Over a link.
    Link(u32),
    /// Over a wire.
    Wire(u32),
    /// Over a wire that only the port before it feeds, in order: no event of its own.
    Fused(u32),
    /// The end.
    Endpoint(u32),
}

/// A timer that is re-armed lazily: moving its deadline back costs no event.
#[derive(Clone, Copy, Debug)]
struct Timer {
    deadline: Time,
    /// The pending event for it; [`Time::MAX`] for none.
    armed: Time,
}

impl<P: Copy> Network<P> {
    /// An empty network whose means are taken over `window`.
    pub fn new(window: Window) -> Self {
        Self {
            now: Time::ZERO,
            events: 0,
            sequence: 0,
            pending: PendingSet::default(),
            ports: Vec::new(),
            links: Vec::new(),
            wires: Vec::new(),
            pipes: Vec::new(),
            hops: Vec::new(),
            nodes: Vec::new(),
            free: NONE,
            in_flight: 0,
            timers: Vec::new(),
            window,
        }
    }

    /// Adds a link.
    pub fn add_link(&mut self, mut link: Link) -> LinkId {
        link.measure(self.window);
        let overtaking = !link.keeps_order();
        self.links.push(link);
        self.add_port(Port::Link(self.links.len() as u32 - 1), overtaking)
    }

    /// Adds a wire: a link without a limit, without losses and without statistics.
    pub fn add_wire(&mut self, wire: Wire) -> LinkId {
        self.wires.push(wire);
        self.add_port(Port::Wire(self.wires.len() as u32 - 1), false)
    }

    fn add_port(&mut self, port: Port, overtaking: bool) -> LinkId {
        let id = u32::try_from(self.ports.len()).expect("links are numbered by 32 bits");
        assert!(id < TIMER, "two billion links at most");
        self.ports.push(port);
        self.pipes.push(Pipe {
            head: NONE,
            tail: NONE,
            overtaking,
        });
        self.pending.set_id_count(self.ports.len());
        LinkId(id)
    }

    /// Adds a route over `links` to `endpoint`.
    ///
    /// # Panics
    /// When the route has no link, or a link that does not exist.
    pub fn add_route(&mut self, links: &[LinkId], endpoint: u32) -> RouteId {
        assert!(!links.is_empty(), "a route has at least one link");
        let start = u32::try_from(self.hops.len()).expect("hops are numbered by 32 bits");
        for link in links {
            let step = match self.ports[link.index()] {
                Port::Link(link) => Step::Link(link),
                Port::Wire(wire) => Step::Wire(wire),
            };
            self.hops.push(Hop { step, pipe: link.0 });
        }
        self.hops.push(Hop {
            step: Step::Endpoint(endpoint),
            pipe: NONE,
        });
        RouteId(start)
    }

    /// Makes room for `count` timers.
    pub fn set_timer_count(&mut self, count: usize) {
        self.timers.resize(
            count,
            Timer {
                deadline: Time::MAX,
                armed: Time::MAX,
            },
        );
    }

    /// Finds the wires that need no event of their own: those that one order-keeping link or wire
    /// alone feeds. Without it, every hop has its event; what arrives when is the same.
    pub fn fuse(&mut self) {
        let mut feeders = vec![Feeder::None; self.ports.len()];
        let mut before = None;
        for hop in &self.hops {
            if let Step::Endpoint(_) = hop.step {
                before = None;
                continue;
            }
            let feeder = &mut feeders[hop.pipe as usize];
            *feeder = match (*feeder, before) {
                (Feeder::None, Some(before)) => Feeder::One(before),
                (Feeder::One(one), Some(before)) if one == before => Feeder::One(one),
                _ => Feeder::Many,
            };
            before = Some(hop.pipe);
        }
        for hop in &mut self.hops {
            if let Step::Wire(wire) = hop.step
                && let Feeder::One(before) = feeders[hop.pipe as usize]
                && match self.ports[before as usize] {
                    Port::Link(link) => self.links[link as usize].keeps_order(),
                    Port::Wire(_) => true,
                }
            {
                hop.step = Step::Fused(wire);
            }
        }
    }

    /// The present instant.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Events worked off so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Packets that were sent and have neither arrived nor gone.
    pub fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// Calls `visit` for each packet that was sent and has neither arrived nor gone.
    pub fn for_each_in_flight(&self, mut visit: impl FnMut(&Packet<P>)) {
        for pipe in &self.pipes {
            let mut at = pipe.head;
            while at != NONE {
                let node = &self.nodes[at as usize];
                visit(&node.packet);
                at = node.next;
            }
        }
    }

    /// Number of links and wires.
    pub fn link_count(&self) -> usize {
        self.ports.len()
    }

    /// A link.
    ///
    /// # Panics
    /// For a wire: nothing is known of it.
    pub fn link(&self, id: LinkId) -> &Link {
        match self.ports[id.index()] {
            Port::Link(link) => &self.links[link as usize],
            Port::Wire(_) => panic!("a wire has no queue and no statistics"),
        }
    }

    /// Sends a packet along a route, now.
    #[inline]
    pub fn send<H: Hosts<P>>(&mut self, hosts: &mut H, route: RouteId, mut packet: Packet<P>) {
        packet.position = route.0;
        self.in_flight += 1;
        let node = Node {
            packet,
            time: 0,
            sequence: 0,
            next: NONE,
        };
        let at = self.free;
        if at == NONE {
            let at = u32::try_from(self.nodes.len()).expect("fewer than 2^32 packets in flight");
            self.nodes.push(node);
            self.forward(hosts, at);
        } else {
            let place = &mut self.nodes[at as usize];
            self.free = place.next;
            *place = node;
            self.forward(hosts, at);
        }
    }

    /// Sets a timer, or stops it with `None`. A deadline in the past expires at once.
    #[inline]
    pub fn set_timer(&mut self, timer: TimerId, deadline: Option<Time>) {
        let now = self.now;
        let state = &mut self.timers[timer.0 as usize];
        let deadline = deadline.unwrap_or(Time::MAX).max(now);
        state.deadline = deadline;
        if deadline < state.armed {
            state.armed = deadline;
            self.schedule(deadline, timer.0 | TIMER);
        }
    }

    /// Works off all events up to and including `until`, then stands at `until`.
    pub fn run<H: Hosts<P>>(&mut self, hosts: &mut H, until: Time) {
        while let Some(event) = self.pending.take(until.as_picos()) {
            assert!(event.time >= self.now.as_picos(), "time went back");
            self.now = Time::from_picos(event.time);
            if event.id & TIMER == 0 {
                self.arrive(hosts, event);
            } else {
                self.expire(hosts, TimerId(event.id & !TIMER));
            }
        }
        self.now = self.now.max(until);
    }

    /// The earliest packet of a pipe reaches the far end.
    #[inline]
    fn arrive<H: Hosts<P>>(&mut self, hosts: &mut H, event: Pending) {
        let pipe = &mut self.pipes[event.id as usize];
        let at = pipe.head;
        // Where packets overtake, an event can outlive the packet it was made for.
        if pipe.overtaking && (at == NONE || self.nodes[at as usize].sequence != event.sequence) {
            return;
        }
        self.events += 1;
        let node = &self.nodes[at as usize];
        let (next, position) = (node.next, node.packet.position);
        pipe.head = next;
        if next == NONE {
            pipe.tail = NONE;
        } else {
            let overtaking = pipe.overtaking;
            let Node { time, sequence, .. } = self.nodes[next as usize];
            self.await_arrival(
                overtaking,
                Pending {
                    time,
                    sequence,
                    id: event.id,
                },
            );
        }
        if H::OBSERVES {
            let what = Observed::Arrived;
            let observation = Observation {
                time: self.now,
                link: LinkId(event.id),
                what,
            };
            hosts.observe(&observation, &self.nodes[at as usize].packet);
        }
        if let Step::Endpoint(endpoint) = self.hops[position as usize].step {
            let packet = self.release(at);
            hosts.on_packet(self, endpoint, packet);
        } else {
            self.forward(hosts, at);
        }
    }

    /// Takes the packet in node `at` over the link where it is, and over the wires that need no
    /// event, into the pipe where it waits for its arrival.
    #[inline]
    fn forward<H: Hosts<P>>(&mut self, hosts: &mut H, at: u32) {
        let packet = &mut self.nodes[at as usize].packet;
        let mut time = self.now;
        let mut waited;
        let mut position = packet.position as usize;
        let mut hop = self.hops[position];
        loop {
            match hop.step {
                Step::Wire(wire) | Step::Fused(wire) => {
                    if H::OBSERVES {
                        let what = Observed::Enqueued;
                        let link = LinkId(hop.pipe);
                        hosts.observe(&Observation { time, link, what }, packet);
                    }
                    let wire = &mut self.wires[wire as usize];
                    waited = wire.free_at() > time;
                    time = wire.pass(packet.size, time);
                }
                Step::Link(link) => {
                    let fate = self.links[link as usize].accept(packet, time);
                    if H::OBSERVES {
                        report(hosts, packet, LinkId(hop.pipe), (time, fate));
                    }
                    time = match fate {
                        Fate::Arrives { start, at, .. } => {
                            waited = start > time;
                            at
                        }
                        Fate::Dropped(reason) => {
                            let packet = self.release(at);
                            return hosts.on_gone(&packet, Gone::Dropped(reason));
                        }
                        Fate::Lost(_) => {
                            let packet = self.release(at);
                            return hosts.on_gone(&packet, Gone::Lost);
                        }
                    };
                }
                Step::Endpoint(_) => unreachable!("a packet at its endpoint is not forwarded"),
            }
            position += 1;
            let next = self.hops[position];
            if !matches!(next.step, Step::Fused(_)) {
                break;
            }
            hop = next;
        }
        packet.position = position as u32;
        self.put(hop.pipe, at, (time, waited));
    }

    /// Takes a packet out of the network.
    #[inline]
    fn release(&mut self, at: u32) -> Packet<P> {
        self.in_flight -= 1;
        let node = &mut self.nodes[at as usize];
        node.next = self.free;
        self.free = at;
        node.packet
    }

    /// Puts the packet in node `at` into a pipe, to arrive at `arrival`; `waited`: it left right
    /// behind another.
    #[inline]
    fn put(&mut self, id: u32, at: u32, (arrival, waited): (Time, bool)) {
        // Links work ahead, so the order in which arrivals are computed is not the order in which
        // transmissions begin. Of two packets that arrive at once, the one that found its
        // transmitter idle comes before the one that had to wait for it: the event that let it go
        // had been pending for longer.
        let sequence = self.sequence | u64::from(waited) << WAITED_BIT;
        self.sequence += 1;
        let time = arrival.as_picos();
        let node = &mut self.nodes[at as usize];
        node.time = time;
        node.sequence = sequence;
        node.next = NONE;
        let pipe = &mut self.pipes[id as usize];
        if pipe.tail == NONE {
            (pipe.head, pipe.tail) = (at, at);
            let overtaking = pipe.overtaking;
            self.await_arrival(overtaking, Pending { time, sequence, id });
        } else {
            let last = &mut self.nodes[pipe.tail as usize];
            if last.time <= time {
                last.next = at;
                pipe.tail = at;
            } else {
                self.overtake(id, at);
            }
        }
    }

    /// Schedules the arrival of a pipe's first packet.
    #[inline]
    fn await_arrival(&mut self, overtaking: bool, event: Pending) {
        if overtaking {
            self.pending.push_again(event);
        } else {
            self.pending.push(event);
        }
    }

    /// Puts node `at` before those of the pipe that arrive later.
    #[cold]
    #[inline(never)]
    fn overtake(&mut self, id: u32, at: u32) {
        let pipe = &mut self.pipes[id as usize];
        let Node { time, sequence, .. } = self.nodes[at as usize];
        let (mut before, mut next) = (NONE, pipe.head);
        while self.nodes[next as usize].time <= time {
            before = next;
            next = self.nodes[next as usize].next;
        }
        self.nodes[at as usize].next = next;
        if before == NONE {
            pipe.head = at;
            self.pending.push_again(Pending { time, sequence, id });
        } else {
            self.nodes[before as usize].next = at;
        }
    }

    fn expire<H: Hosts<P>>(&mut self, hosts: &mut H, timer: TimerId) {
        let now = self.now;
        let state = &mut self.timers[timer.0 as usize];
        if state.armed != now {
            return; // an earlier event took this one's place
        }
        state.armed = Time::MAX;
        if state.deadline > now {
            if state.deadline < Time::MAX {
                state.armed = state.deadline;
                let deadline = state.deadline;
                self.schedule(deadline, timer.0 | TIMER);
            }
            return;
        }
        state.deadline = Time::MAX;
        self.events += 1;
        hosts.on_timer(self, timer);
    }

    fn schedule(&mut self, time: Time, id: u32) {
        let sequence = self.sequence;
        self.sequence += 1;
        self.pending.push_again(Pending {
            time: time.as_picos(),
            sequence,
            id,
        });
    }
}

/// What feeds a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Feeder {
    None,
    One(u32),
    Many,
}

impl LinkId {
    /// The number of the link, in the order in which links were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

fn report<P: Copy, H: Hosts<P>>(
    hosts: &mut H,
    packet: &Packet<P>,
    link: LinkId,
    (now, fate): (Time, Fate),
) {
    let mut tell = |time, what| hosts.observe(&Observation { time, link, what }, packet);
    match fate {
        Fate::Arrives { start, marked, .. } => {
            tell(now, Observed::Enqueued);
            if marked {
                tell(now, Observed::Marked);
            }
            tell(start, Observed::Started);
        }
        Fate::Dropped(reason) => tell(now, Observed::Dropped(reason)),
        Fate::Lost(at) => tell(at, Observed::Lost),
    }
}

const NONE: u32 = u32::MAX;
/// Set in the sequence numbers of packets that had to wait for their last transmitter.
const WAITED_BIT: u32 = 63;
/// Set in the ids of pending timers, clear in those of links.
const TIMER: u32 = 1 << 31;
