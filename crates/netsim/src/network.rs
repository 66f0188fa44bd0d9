//! The event loop, and the way of a packet from one host to another.

mod ahead;
mod hosts;
mod routes;
mod stepped;

use units::{Duration, Time};

use crate::link::stepped::Decision;
use crate::link::{Fate, Link, Window};
use crate::pending::{PendingSet, Rank, Taken};
use crate::{Packet, Wire};
use ahead::{Ahead, From};
pub use hosts::{Gone, Hosts, Observation, Observed};
use routes::{Feeders, Hop, Port, Step, Then};
use stepped::LINK_TIMER;

/// A link, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(u32);

/// A route: the links that a packet takes, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RouteId(u32);

/// A timer, by number. Hosts number their timers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerId(pub u32);

/// The network: links, routes, and what is on its way.
#[derive(Debug)]
pub struct Network<P> {
    now: Time,
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
    /// Those of `links` that have something to decide beside what arrives.
    clocked: Vec<u32>,
    /// What the one at work has decided.
    decisions: Vec<Decision>,
    wires: Vec<Wire>,
    hops: Vec<Hop>,
    feeders: Feeders,
    ahead: Ahead,
    timers: Vec<Timer>,
    window: Window,
}

/// A timer that is re-armed lazily: moving its deadline back costs no event.
#[derive(Clone, Copy, Debug)]
struct Timer {
    deadline: Time,
    /// The next pending event for it; [`Time::MAX`] for none.
    armed: Time,
    /// One behind that, from before the deadline came forward; [`Time::MAX`] for none. Where a
    /// short wait (a dither, a pace) comes again and again before a long one (a timeout), the
    /// event for the long one stays.
    behind: Time,
    /// The deadline's place among events of the same time: by when it was set, whenever an event
    /// comes to be pending for it.
    order: u64,
}

impl<P: Copy> Network<P> {
    /// An empty network whose means are taken over `window`.
    pub fn new(window: Window) -> Self {
        Self {
            now: Time::ZERO,
            events: 0,
            number: 0,
            by_packet: true,
            pending: PendingSet::default(),
            ports: Vec::new(),
            links: Vec::new(),
            link_ids: Vec::new(),
            clocked: Vec::new(),
            decisions: Vec::new(),
            wires: Vec::new(),
            hops: Vec::new(),
            feeders: Feeders::default(),
            ahead: Ahead::default(),
            timers: Vec::new(),
            window,
        }
    }

    /// Makes room for `count` timers.
    ///
    /// # Panics
    /// When that are more than a billion.
    pub fn set_timer_count(&mut self, count: usize) {
        assert!(count <= LINK_TIMER as usize, "a billion timers at most");
        self.timers.resize(
            count,
            Timer {
                deadline: Time::MAX,
                armed: Time::MAX,
                behind: Time::MAX,
                order: 0,
            },
        );
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
            let rank = self.next_rank(self.now, false);
            self.pending.add(packet, time.as_picos(), rank);
        } else {
            self.send_apart(hosts, route, packet);
        }
    }

    #[inline(never)]
    fn send_apart<H: Hosts<P>>(&mut self, hosts: &mut H, route: RouteId, mut packet: Packet<P>) {
        packet.position = route.0;
        let at = self.pending.insert(packet);
        self.forward(hosts, at, From::Host);
    }

    /// Sets a timer, or stops it with `None`. A deadline in the past expires at once.
    #[inline]
    pub fn set_timer(&mut self, timer: TimerId, deadline: Option<Time>) {
        let now = self.now;
        let order = self.order(now, false);
        let state = &mut self.timers[timer.0 as usize];
        let deadline = deadline.unwrap_or(Time::MAX).max(now);
        if deadline == state.deadline {
            return;
        }
        (state.deadline, state.order) = (deadline, order);
        if state.arm() {
            self.schedule_timer(timer);
        }
    }

    /// Works off all events up to and including `until`, then stands at `until`. All that links had
    /// to decide by then is decided.
    pub fn run<H: Hosts<P>>(&mut self, hosts: &mut H, until: Time) {
        self.run_ahead(hosts, until, until);
    }

    /// The same where nobody looks at the hosts or changes them before `horizon`, so that
    /// endpoints may work ahead up to there.
    pub fn run_ahead<H: Hosts<P>>(&mut self, hosts: &mut H, until: Time, horizon: Time) {
        self.ahead.set_horizon(horizon);
        while let Some(taken) = self.pending.take(until.as_picos()) {
            let (Taken::Item { time, .. } | Taken::Timer { time, .. }) = taken;
            assert!(time >= self.now.as_picos(), "time went back");
            self.now = Time::from_picos(time);
            match taken {
                Taken::Item { id, .. } => self.arrive(hosts, id),
                Taken::Timer { id, .. } if id & LINK_TIMER != 0 => {
                    self.on_link_event(hosts, (id & !LINK_TIMER) as usize);
                }
                Taken::Timer { id, .. } => self.expire(hosts, TimerId(id)),
            }
        }
        self.now = self.now.max(until);
        self.decide_all(hosts);
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
            self.forward(hosts, at, From::Network);
        }
    }

    /// Takes the packet in node `at` over the next stretch of its route, over the wires that need
    /// no event and the links that can decide ahead of the clock, to where it waits for its
    /// arrival.
    #[inline]
    fn forward<H: Hosts<P>>(&mut self, hosts: &mut H, at: u32, from: From) {
        let mut now = self.now;
        loop {
            let packet = self.pending.item_mut(at);
            let hop = self.hops[packet.position as usize];
            match hop.step {
                Step::Link => {}
                Step::Stepped => return self.enter_stepped(hosts, at, from),
                _ => return self.pass_wire(at),
            }
            packet.position += u32::from(hop.stride);
            let link = &mut self.links[hop.index()];
            let fate = if link.has_models() {
                self.accept_by_models(hosts, hop.index(), (at, now))
            } else {
                link.accept(packet, now)
            };
            if H::OBSERVES {
                let link = self.link_ids[hop.index()];
                report(hosts, self.pending.item(at), link, (now, fate));
            }
            let (time, waited) = match fate {
                Fate::Arrives { start, at, .. } => (at, start > now),
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
            if then.contains(Then::END) && self.hands_over(hosts, at, time, from) {
                return;
            }
            if then.contains(Then::LINK) && self.leads_on(at, time, from) {
                self.events += 1;
                now = time;
                continue;
            }
            return self.schedule_arrival(at, (now, time), waited, then);
        }
    }

    /// A link with models decides about the packet in node `at`, and tells its sender if it must.
    #[cold]
    #[inline(never)]
    fn accept_by_models<H: Hosts<P>>(
        &mut self,
        hosts: &mut H,
        link: usize,
        (at, now): (u32, Time),
    ) -> Fate {
        let packet = self.pending.item_mut(at);
        let (fate, quenched) = self.links[link].accept_by_models(packet, now);
        if quenched {
            let packet = *packet;
            hosts.on_source_quench(self, self.link_ids[link], &packet);
        }
        fate
    }

    /// Takes the packet in node `at` over a stretch that begins with a wire.
    #[inline(never)]
    fn pass_wire(&mut self, at: u32) {
        let packet = self.pending.item_mut(at);
        let hop = &self.hops[packet.position as usize];
        packet.position += u32::from(hop.stride);
        let (time, waited) = match hop.step {
            Step::Delay => (self.now, false),
            Step::Wire | Step::Fused => self.wires[hop.index()].send(packet.size, self.now),
            Step::Link | Step::Stepped | Step::Endpoint => unreachable!("no wire"),
        };
        let (delay, then) = (hop.delay, hop.then);
        let time = time + Duration::from_picos(delay);
        self.schedule_arrival(at, (self.now, time), waited, then);
    }

    /// The packet in node `at` has passed the first of a stretch and the delays behind it.
    #[inline]
    fn schedule_arrival(&mut self, at: u32, (now, time): (Time, Time), waited: bool, then: Then) {
        let (time, waited) = self.pass_wires(at, time, waited, then);
        let rank = self.next_rank(now, waited);
        self.pending.schedule(at, time.as_picos(), rank);
    }

    /// Takes a packet over what needs no event: when it arrives, and whether it had to wait for
    /// its last transmitter.
    #[inline]
    fn pass_wires(&mut self, at: u32, time: Time, waited: bool, then: Then) -> (Time, bool) {
        if then.contains(Then::WIRE) {
            self.pass_fused_wires(at, time)
        } else {
            (time, waited && !then.contains(Then::DELAY))
        }
    }

    #[inline(never)]
    fn pass_fused_wires(&mut self, at: u32, mut time: Time) -> (Time, bool) {
        let packet = self.pending.item_mut(at);
        loop {
            let hop = &self.hops[packet.position as usize];
            packet.position += u32::from(hop.stride);
            let (arrival, waits) = self.wires[hop.index()].send(packet.size, time);
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
    fn next_rank(&mut self, now: Time, waited: bool) -> Rank {
        let order = self.order(now, waited);
        let number = self.next_number();
        Rank { order, number }
    }

    #[inline]
    fn order(&self, now: Time, waited: bool) -> u64 {
        u64::from(waited) << WAITED_BIT | now.as_picos() << 1 | u64::from(self.by_packet)
    }

    #[inline]
    fn next_number(&mut self) -> u32 {
        let number = self.number;
        self.number = number.wrapping_add(1);
        number
    }

    fn expire<H: Hosts<P>>(&mut self, hosts: &mut H, timer: TimerId) {
        let now = self.now;
        let state = &mut self.timers[timer.0 as usize];
        if state.armed != now {
            return; // an earlier event took this one's place
        }
        state.armed = std::mem::replace(&mut state.behind, Time::MAX);
        if state.deadline > now {
            if state.arm() {
                self.schedule_timer(timer);
            }
            return;
        }
        state.deadline = Time::MAX;
        self.events += 1;
        self.by_packet = false;
        hosts.on_timer(self, timer);
        self.by_packet = true;
    }

    fn schedule_timer(&mut self, timer: TimerId) {
        let state = &self.timers[timer.0 as usize];
        let (time, order) = (state.deadline.as_picos(), state.order);
        let number = self.next_number();
        self.pending
            .schedule_timer(timer.0, time, Rank { order, number });
    }
}

impl Timer {
    /// Whether the deadline needs an event of its own, which is the next one from then on.
    #[inline]
    fn arm(&mut self) -> bool {
        let earlier = self.deadline < self.armed;
        if earlier {
            (self.armed, self.behind) = (self.deadline, self.armed);
        }
        earlier
    }
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
