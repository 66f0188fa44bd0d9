//! The event loop, and the way of a packet from one host to another.

use units::{Duration, Time};

use crate::link::{Fate, Link, Window};
use crate::pending::{PendingSet, Rank, Taken};
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

    /// Whether nothing happens to an endpoint before `time` but that packets arrive there: none of
    /// its timers expires until then. (optional)
    ///
    /// Asked where [`Network::work_ahead`] allows a packet to be handed over early.
    fn is_undisturbed(&self, network: &Network<P>, endpoint: u32, time: Time) -> bool {
        let _ = (network, endpoint, time);
        false
    }

    /// A link tells the sender of a packet of congestion. (optional)
    ///
    /// Called once for each packet that a link with [`Link::with_source_quench`] answers so, before
    /// it goes on or is gone. A message to the sender is a packet that the hosts send.
    fn on_source_quench(&mut self, network: &mut Network<P>, link: LinkId, packet: &Packet<P>) {
        let _ = (network, link, packet);
    }

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
    /// The queue set the CE mark.
    Marked,
    /// The queue refused the packet.
    Dropped(DropReason),
    /// A loss model took the packet.
    Lost,
}

/// The network: links, routes, and what is on its way.
#[derive(Debug)]
pub struct Network<P> {
    now: Time,
    /// Until then nobody looks at the hosts or changes them.
    horizon: Time,
    events: u64,
    /// Number of the next event.
    number: u32,
    /// Whether a packet, and not a timer, is the cause of what is sent at present.
    by_packet: bool,
    pending: PendingSet<Packet<P>>,
    /// Links and wires in the order in which they were added.
    ports: Vec<Port>,
    links: Vec<Link>,
    /// What each of `links` is called.
    link_ids: Vec<LinkId>,
    wires: Vec<Wire>,
    hops: Vec<Hop>,
    /// How many routes begin with each wire.
    beginnings: Vec<u32>,
    timers: Vec<Timer>,
    window: Window,
}

/// A link or a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Port {
    Link(u32),
    Wire(u32),
}

/// A stretch of a route: what the packet passes first, and the pure delays that follow.
#[derive(Clone, Copy, Debug)]
struct Hop {
    /// Sum of the delays that follow, in picoseconds. At the end: when the last packet arrives
    /// that could not be handed over ahead of the clock.
    delay: u64,
    /// Number of the link, wire or endpoint.
    number: u32,
    /// Hops from here to the one after the delays.
    stride: u16,
    step: Step,
    then: Then,
}

/// What follows the first of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Then(u8);

impl Then {
    const NOTHING: Self = Self(0);
    /// A pure delay: packets do not arrive from a transmitter.
    const DELAY: Self = Self(1);
    /// A wire without an event of its own, perhaps after delays.
    const WIRE: Self = Self(2);
    /// The end, where packets may be handed over ahead of the clock.
    const END: Self = Self(4);

    #[inline]
    fn contains(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Over a link.
    Link,
    /// Over a wire.
    Wire,
    /// Over a wire that only the port before it feeds, in order: no event of its own.
    Fused,
    /// Over a wire that takes no time to send: nothing but its delay.
    Delay,
    /// The end.
    Endpoint,
}

impl Hop {
    fn new(step: Step, number: u32) -> Self {
        Self {
            delay: 0,
            number,
            stride: 1,
            step,
            then: Then::NOTHING,
        }
    }

    #[inline]
    fn index(&self) -> usize {
        self.number as usize
    }
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
            horizon: Time::ZERO,
            events: 0,
            number: 0,
            by_packet: true,
            pending: PendingSet::default(),
            ports: Vec::new(),
            links: Vec::new(),
            link_ids: Vec::new(),
            wires: Vec::new(),
            hops: Vec::new(),
            beginnings: Vec::new(),
            timers: Vec::new(),
            window,
        }
    }

    /// Adds a link.
    pub fn add_link(&mut self, mut link: Link) -> LinkId {
        link.measure(self.window);
        self.links.push(link);
        let id = self.add_port(Port::Link(self.links.len() as u32 - 1));
        self.link_ids.push(id);
        id
    }

    /// Adds a wire: a link without a limit, without losses and without statistics.
    pub fn add_wire(&mut self, wire: Wire) -> LinkId {
        self.wires.push(wire);
        self.beginnings.push(0);
        self.add_port(Port::Wire(self.wires.len() as u32 - 1))
    }

    fn add_port(&mut self, port: Port) -> LinkId {
        let id = u32::try_from(self.ports.len()).expect("links are numbered by 32 bits");
        self.ports.push(port);
        LinkId(id)
    }

    /// Adds a route over `links` to `endpoint`.
    ///
    /// # Panics
    /// When the route has no link, or a link that does not exist.
    pub fn add_route(&mut self, links: &[LinkId], endpoint: u32) -> RouteId {
        assert!(!links.is_empty(), "a route has at least one link");
        let start = u32::try_from(self.hops.len()).expect("hops are numbered by 32 bits");
        if let Port::Wire(wire) = self.ports[links[0].index()] {
            self.beginnings[wire as usize] += 1;
        }
        for link in links {
            self.hops.push(match self.ports[link.index()] {
                Port::Link(link) => Hop::new(Step::Link, link),
                Port::Wire(wire) => match self.wires[wire as usize].pure_delay() {
                    None => Hop::new(Step::Wire, wire),
                    Some(delay) => Hop {
                        delay,
                        ..Hop::new(Step::Delay, wire)
                    },
                },
            });
        }
        self.hops.push(Hop::new(Step::Endpoint, endpoint));
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
        let mut feeders = vec![Feeder::None; self.wires.len()];
        let mut before = None;
        for hop in &self.hops {
            let port = match hop.step {
                Step::Endpoint => {
                    before = None;
                    continue;
                }
                Step::Link => Port::Link(hop.number),
                Step::Wire | Step::Fused | Step::Delay => {
                    let feeder = &mut feeders[hop.index()];
                    *feeder = match (*feeder, before) {
                        (Feeder::None, Some(before)) => Feeder::One(before),
                        (Feeder::One(one), Some(before)) if one == before => Feeder::One(one),
                        _ => Feeder::Many,
                    };
                    Port::Wire(hop.number)
                }
            };
            before = Some(port);
        }
        // From the end, so that a hop takes over all the delays behind it.
        for at in (1..self.hops.len()).rev() {
            let hop = self.hops[at];
            let fuses = matches!(hop.step, Step::Wire | Step::Delay)
                && match feeders[hop.index()] {
                    Feeder::One(Port::Link(link)) => self.links[link as usize].keeps_order(),
                    Feeder::One(Port::Wire(_)) => true,
                    Feeder::None | Feeder::Many => false,
                };
            if !fuses {
                continue;
            }
            let before = &mut self.hops[at - 1];
            if hop.step == Step::Wire {
                before.then = before.then.and(Then::WIRE);
                self.hops[at].step = Step::Fused;
            } else {
                before.delay += hop.delay;
                before.then = Then::DELAY.and(hop.then);
                before.stride += hop.stride;
            }
        }
    }

    /// Lets packets that take `route` be handed over as soon as it is known when they arrive,
    /// where nothing can come between. `answers` is the route of all that the endpoint sends when
    /// a packet or one of its timers reaches it, and `route` is the only one that ends there.
    ///
    /// Nothing happens where the way does not allow it: the last shared port must be a link that
    /// keeps order, and answers must begin with a wire that nobody else uses. What arrives when is
    /// the same.
    pub fn work_ahead(&mut self, route: RouteId, answers: RouteId) {
        let first = &self.hops[answers.0 as usize];
        let alone = match first.step {
            Step::Delay => true,
            Step::Wire => self.beginnings[first.index()] == 1,
            Step::Link | Step::Fused | Step::Endpoint => false,
        };
        let mut at = route.0 as usize;
        let last = loop {
            let hop = &self.hops[at];
            let next = at + usize::from(hop.stride);
            if self.hops[next].step == Step::Endpoint {
                break &mut self.hops[at];
            }
            at = next;
        };
        if alone && last.step == Step::Link && self.links[last.index()].keeps_order() {
            last.then = last.then.and(Then::END);
        }
    }

    /// When a timer expires; [`Time::MAX`] for never.
    #[inline]
    pub fn deadline(&self, timer: TimerId) -> Time {
        self.timers[timer.0 as usize].deadline
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
        self.pending.items().count() as u64
    }

    /// Calls `visit` for each packet that was sent and has neither arrived nor gone.
    pub fn for_each_in_flight(&self, visit: impl FnMut(&Packet<P>)) {
        self.pending.items().for_each(visit);
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
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else the packet is copied twice")]
    pub fn send<H: Hosts<P>>(&mut self, hosts: &mut H, route: RouteId, mut packet: Packet<P>) {
        let hop = &self.hops[route.0 as usize];
        if hop.step == Step::Delay && !hop.then.contains(Then::WIRE) {
            packet.position = route.0 + u32::from(hop.stride);
            let time = self.now + Duration::from_picos(hop.delay);
            let rank = self.next_rank(false);
            self.pending.add(packet, time.as_picos(), rank);
        } else {
            self.send_apart(hosts, route, packet);
        }
    }

    #[inline(never)]
    fn send_apart<H: Hosts<P>>(&mut self, hosts: &mut H, route: RouteId, mut packet: Packet<P>) {
        packet.position = route.0;
        let at = self.pending.insert(packet);
        self.forward(hosts, at);
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
            self.schedule_timer(deadline, timer);
        }
    }

    /// Works off all events up to and including `until`, then stands at `until`.
    pub fn run<H: Hosts<P>>(&mut self, hosts: &mut H, until: Time) {
        self.run_ahead(hosts, until, until);
    }

    /// The same where nobody looks at the hosts or changes them before `horizon`, so that
    /// endpoints may work ahead up to there.
    pub fn run_ahead<H: Hosts<P>>(&mut self, hosts: &mut H, until: Time, horizon: Time) {
        self.horizon = horizon;
        while let Some(taken) = self.pending.take(until.as_picos()) {
            let (Taken::Item { time, .. } | Taken::Timer { time, .. }) = taken;
            assert!(time >= self.now.as_picos(), "time went back");
            self.now = Time::from_picos(time);
            match taken {
                Taken::Item { id, .. } => self.arrive(hosts, id),
                Taken::Timer { id, .. } => self.expire(hosts, TimerId(id)),
            }
        }
        self.now = self.now.max(until);
    }

    /// A packet reaches the far end of the link or wire that it was on.
    #[inline]
    fn arrive<H: Hosts<P>>(&mut self, hosts: &mut H, at: u32) {
        self.events += 1;
        let hop = &self.hops[self.pending.item(at).position as usize];
        if hop.step == Step::Endpoint {
            let packet = self.pending.remove(at);
            let endpoint = hop.number;
            hosts.on_packet(self, endpoint, packet);
        } else {
            self.forward(hosts, at);
        }
    }

    /// Takes the packet in node `at` over the next stretch of its route, and over the wires that
    /// need no event, to where it waits for its arrival.
    #[inline]
    fn forward<H: Hosts<P>>(&mut self, hosts: &mut H, at: u32) {
        let packet = self.pending.item_mut(at);
        let hop = self.hops[packet.position as usize];
        if hop.step != Step::Link {
            return self.carry(at);
        }
        packet.position += u32::from(hop.stride);
        let link = &mut self.links[hop.index()];
        let fate = if link.has_models() {
            self.accept_by_models(hosts, hop.index(), at)
        } else {
            link.accept(packet, self.now)
        };
        if H::OBSERVES {
            let link = self.link_ids[hop.index()];
            report(hosts, self.pending.item(at), link, (self.now, fate));
        }
        let (time, waited) = match fate {
            Fate::Arrives { start, at, .. } => (at, start > self.now),
            Fate::Dropped(reason) => {
                let packet = self.pending.remove(at);
                return hosts.on_gone(&packet, Gone::Dropped(reason));
            }
            Fate::Lost(_) => {
                let packet = self.pending.remove(at);
                return hosts.on_gone(&packet, Gone::Lost);
            }
        };
        let then = hop.then;
        let time = time + Duration::from_picos(hop.delay);
        if then.contains(Then::END) && self.hands_over(hosts, at, time) {
            return;
        }
        self.settle(at, time, waited, then);
    }

    /// A link with models decides about the packet in node `at`, and tells its sender if it must.
    #[cold]
    #[inline(never)]
    fn accept_by_models<H: Hosts<P>>(&mut self, hosts: &mut H, link: usize, at: u32) -> Fate {
        let packet = self.pending.item_mut(at);
        let (fate, quenched) = self.links[link].accept_by_models(packet, self.now);
        if quenched {
            let packet = *packet;
            hosts.on_source_quench(self, self.link_ids[link], &packet);
        }
        fate
    }

    /// Hands a packet that will reach the end of its route at `time` over at once, if nothing can
    /// come between; its endpoint's clock is ahead of the network's then.
    #[inline]
    fn hands_over<H: Hosts<P>>(&mut self, hosts: &mut H, at: u32, time: Time) -> bool {
        let position = self.pending.item(at).position;
        let end = &mut self.hops[position as usize];
        let (endpoint, latest) = (end.number, end.delay);
        let first = latest < self.now.as_picos() && time <= self.horizon;
        if !first || !hosts.is_undisturbed(self, endpoint, time) {
            self.hops[position as usize].delay = time.as_picos();
            return false;
        }
        self.events += 1;
        let packet = self.pending.remove(at);
        let now = std::mem::replace(&mut self.now, time);
        hosts.on_packet(self, endpoint, packet);
        self.now = now;
        true
    }

    /// The same where the stretch begins with a wire.
    #[inline(never)]
    fn carry(&mut self, at: u32) {
        let packet = self.pending.item_mut(at);
        let hop = &self.hops[packet.position as usize];
        packet.position += u32::from(hop.stride);
        let (time, waited) = match hop.step {
            Step::Delay => (self.now, false),
            Step::Wire | Step::Fused => self.wires[hop.index()].carry(packet.size, self.now),
            Step::Link | Step::Endpoint => unreachable!("no wire"),
        };
        let (delay, then) = (hop.delay, hop.then);
        self.settle(at, time + Duration::from_picos(delay), waited, then);
    }

    /// The packet in node `at` has passed the first of a stretch and the delays behind it.
    #[inline]
    fn settle(&mut self, at: u32, time: Time, waited: bool, then: Then) {
        let (time, waited) = if then.contains(Then::WIRE) {
            self.follow(at, time)
        } else {
            (time, waited && !then.contains(Then::DELAY))
        };
        let rank = self.next_rank(waited);
        self.pending.schedule(at, time.as_picos(), rank);
    }

    /// Takes a packet over the wires that need no event: when it arrives, and whether it had to
    /// wait for its last transmitter.
    #[inline(never)]
    fn follow(&mut self, at: u32, mut time: Time) -> (Time, bool) {
        let packet = self.pending.item_mut(at);
        loop {
            let hop = &self.hops[packet.position as usize];
            packet.position += u32::from(hop.stride);
            let (arrival, waits) = self.wires[hop.index()].carry(packet.size, time);
            time = arrival + Duration::from_picos(hop.delay);
            if !hop.then.contains(Then::WIRE) {
                return (time, waits && !hop.then.contains(Then::DELAY));
            }
        }
    }

    /// Of two packets that arrive at once, the one that found its last transmitter idle comes
    /// before the one that had to wait for it: links work ahead, but the event that let it go had
    /// been pending for longer. Then the one whose way began first comes first.
    #[inline]
    fn next_rank(&mut self, waited: bool) -> Rank {
        let number = self.number;
        self.number = number.wrapping_add(1);
        Rank {
            order: u64::from(waited) << WAITED_BIT
                | self.now.as_picos() << 1
                | u64::from(self.by_packet),
            number,
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
                self.schedule_timer(deadline, timer);
            }
            return;
        }
        state.deadline = Time::MAX;
        self.events += 1;
        self.by_packet = false;
        hosts.on_timer(self, timer);
        self.by_packet = true;
    }

    fn schedule_timer(&mut self, time: Time, timer: TimerId) {
        let rank = self.next_rank(false);
        self.pending.schedule_timer(timer.0, time.as_picos(), rank);
    }
}

/// What feeds a wire.
#[derive(Clone, Copy)]
enum Feeder {
    None,
    One(Port),
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
        Fate::Arrives { marked, .. } => {
            if marked {
                tell(now, Observed::Marked);
            }
        }
        Fate::Dropped(reason) => tell(now, Observed::Dropped(reason)),
        Fate::Lost(at) => tell(at, Observed::Lost),
    }
}

/// Set in the order of packets that had to wait for their last transmitter.
const WAITED_BIT: u32 = 63;
