//! The event loop, and the way of a packet from one host to another.

use units::Time;

use crate::link::{Fate, Link, Window};
use crate::queues::DropReason;
use crate::{Packet, Pending, PendingSet};

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
    links: Vec<Port>,
    hops: Vec<Hop>,
    nodes: Vec<Node<P>>,
    free: u32,
    in_flight: u64,
    timers: Vec<Timer>,
    window: Window,
}

/// A link, and the packets on it that have not arrived yet, earliest first.
#[derive(Debug)]
struct Port {
    link: Link,
    head: u32,
    tail: u32,
}

/// A packet on a link.
#[derive(Clone, Copy, Debug)]
struct Node<P> {
    packet: Packet<P>,
    /// When it arrives, in picoseconds.
    time: u64,
    /// Order in which arrivals were computed.
    sequence: u64,
    next: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hop {
    Link(u32),
    /// A passive link that only the link before it feeds: no event of its own.
    Fused(u32),
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
            links: Vec::new(),
            hops: Vec::new(),
            nodes: Vec::new(),
            free: NONE,
            in_flight: 0,
            timers: Vec::new(),
            window,
        }
    }

    /// Adds a link.
    ///
    /// # Panics
    /// At two billion links.
    pub fn add_link(&mut self, mut link: Link) -> LinkId {
        link.measure(self.window);
        let id = u32::try_from(self.links.len()).expect("links are numbered by 32 bits");
        assert!(id < TIMER, "two billion links at most");
        self.links.push(Port { link, head: NONE, tail: NONE });
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
            assert!((link.0 as usize) < self.links.len(), "no such link");
            self.hops.push(Hop::Link(link.0));
        }
        self.hops.push(Hop::Endpoint(endpoint));
        RouteId(start)
    }

    /// Makes room for `count` timers.
    pub fn set_timer_count(&mut self, count: usize) {
        self.timers.resize(count, Timer { deadline: Time::MAX, armed: Time::MAX });
    }

    /// Finds the stretches of links that need no event for each hop: a passive link that is fed by
    /// one order-keeping link alone. Call it when all routes are there; without it, every hop has
    /// its event.
    pub fn fuse(&mut self) {
        let mut feeder = vec![Feeder::None; self.links.len()];
        let mut before = None;
        for hop in &self.hops {
            match *hop {
                Hop::Link(link) | Hop::Fused(link) => {
                    let seen = &mut feeder[link as usize];
                    *seen = match (*seen, before) {
                        (Feeder::None, Some(before)) => Feeder::One(before),
                        (Feeder::One(one), Some(before)) if one == before => Feeder::One(one),
                        _ => Feeder::Many,
                    };
                    before = Some(link);
                }
                Hop::Endpoint(_) => before = None,
            }
        }
        for hop in &mut self.hops {
            if let Hop::Link(link) = *hop
                && let Feeder::One(before) = feeder[link as usize]
                && self.links[link as usize].link.is_passive()
                && self.links[before as usize].link.keeps_order()
            {
                *hop = Hop::Fused(link);
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
        for port in &self.links {
            let mut at = port.head;
            while at != NONE {
                let node = &self.nodes[at as usize];
                visit(&node.packet);
                at = node.next;
            }
        }
    }

    /// Number of links.
    pub fn link_count(&self) -> usize {
        self.links.len()
    }

    /// A link.
    pub fn link(&self, id: LinkId) -> &Link {
        &self.links[id.0 as usize].link
    }

    /// Sends a packet along a route, now.
    #[inline]
    pub fn send<H: Hosts<P>>(&mut self, hosts: &mut H, route: RouteId, mut packet: Packet<P>) {
        packet.position = route.0;
        self.in_flight += 1;
        self.forward(hosts, packet);
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
        while let Some(&first) = self.pending.first() {
            if first.time > until.as_picos() {
                break;
            }
            assert!(first.time >= self.now.as_picos(), "time went back");
            self.now = Time::from_picos(first.time);
            if first.id & TIMER == 0 {
                self.arrive(hosts, first);
            } else {
                self.expire(hosts, TimerId(first.id & !TIMER));
            }
        }
        self.now = self.now.max(until);
    }

    /// The earliest packet of a link reaches its far end.
    #[inline]
    fn arrive<H: Hosts<P>>(&mut self, hosts: &mut H, event: Pending) {
        let port = &mut self.links[event.id as usize];
        let at = port.head;
        // Where packets overtake, an entry can outlive the packet it was made for.
        if at == NONE || self.nodes[at as usize].sequence != event.sequence {
            self.pending.pop();
            return;
        }
        self.events += 1;
        let node = self.nodes[at as usize];
        port.head = node.next;
        if node.next == NONE {
            port.tail = NONE;
            self.pending.pop();
        } else {
            let next = &self.nodes[node.next as usize];
            let (time, sequence) = (next.time, next.sequence);
            self.pending.replace_first(Pending { time, sequence, id: event.id });
        }
        self.nodes[at as usize].next = self.free;
        self.free = at;
        if H::OBSERVES {
            let what = Observed::Arrived;
            let observation = Observation { time: self.now, link: LinkId(event.id), what };
            hosts.observe(&observation, &node.packet);
        }
        if let Hop::Endpoint(endpoint) = self.hops[node.packet.position as usize] {
            self.in_flight -= 1;
            hosts.on_packet(self, endpoint, node.packet);
        } else {
            self.forward(hosts, node.packet);
        }
    }

    /// Takes a packet over the link where it is, and over those that need no event.
    #[inline]
    fn forward<H: Hosts<P>>(&mut self, hosts: &mut H, mut packet: Packet<P>) {
        let mut at = self.now;
        loop {
            let (Hop::Link(id) | Hop::Fused(id)) = self.hops[packet.position as usize] else {
                unreachable!("a packet at its endpoint is not forwarded");
            };
            let fate = self.links[id as usize].link.accept(&mut packet, at);
            if H::OBSERVES {
                report(hosts, &packet, LinkId(id), (at, fate));
            }
            let arrival = match fate {
                Fate::Arrives { at, .. } => at,
                Fate::Dropped(reason) => {
                    self.in_flight -= 1;
                    return hosts.on_gone(&packet, Gone::Dropped(reason));
                }
                Fate::Lost(_) => {
                    self.in_flight -= 1;
                    return hosts.on_gone(&packet, Gone::Lost);
                }
            };
            packet.position += 1;
            if let Hop::Fused(_) = self.hops[packet.position as usize] {
                at = arrival;
                continue;
            }
            return self.put(id, packet, arrival);
        }
    }

    /// Puts a packet on the wire of a link, to arrive at `arrival`.
    #[inline]
    fn put(&mut self, id: u32, packet: Packet<P>, arrival: Time) {
        let sequence = self.sequence;
        self.sequence += 1;
        let time = arrival.as_picos();
        let node = Node { packet, time, sequence, next: NONE };
        let at = if self.free == NONE {
            let at = u32::try_from(self.nodes.len()).expect("fewer than 2^32 packets in flight");
            self.nodes.push(node);
            at
        } else {
            let at = self.free;
            self.free = self.nodes[at as usize].next;
            self.nodes[at as usize] = node;
            at
        };
        let port = &mut self.links[id as usize];
        if port.tail == NONE {
            port.head = at;
            port.tail = at;
            self.pending.push(Pending { time, sequence, id });
        } else if self.nodes[port.tail as usize].time <= time {
            self.nodes[port.tail as usize].next = at;
            port.tail = at;
        } else {
            self.overtake(id, at);
        }
    }

    /// Puts node `at` before those of the link that arrive later.
    #[cold]
    #[inline(never)]
    fn overtake(&mut self, id: u32, at: u32) {
        let port = &mut self.links[id as usize];
        let Node { time, sequence, .. } = self.nodes[at as usize];
        let (mut before, mut next) = (NONE, port.head);
        while self.nodes[next as usize].time <= time {
            before = next;
            next = self.nodes[next as usize].next;
        }
        self.nodes[at as usize].next = next;
        if before == NONE {
            port.head = at;
            self.pending.push(Pending { time, sequence, id });
        } else {
            self.nodes[before as usize].next = at;
        }
    }

    fn expire<H: Hosts<P>>(&mut self, hosts: &mut H, timer: TimerId) {
        self.pending.pop();
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
        self.pending.push(Pending { time: time.as_picos(), sequence, id });
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
/// Set in the ids of pending timers, clear in those of links.
const TIMER: u32 = 1 << 31;
