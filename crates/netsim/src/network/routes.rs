//! Links, wires and routes: how a network is put together, and what a packet passes step by step.

use units::Duration;

use super::{LinkId, Network, RouteId};
use crate::Wire;
use crate::link::Link;

/// A link or a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Port {
    Link(u32),
    Wire(u32),
}

/// A stretch of a route: what the packet passes first, and the pure delays that follow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hop {
    /// Sum of the delays that follow, in picoseconds.
    pub(super) delay: u64,
    /// Number of the link, wire or endpoint.
    pub(super) number: u32,
    /// Hops from here to the one after the delays.
    pub(super) stride: u16,
    pub(super) step: Step,
    pub(super) then: Then,
}

/// What follows the first of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Then(u8);

impl Then {
    pub(super) const NOTHING: Self = Self(0);
    /// A pure delay: packets do not arrive from a transmitter.
    pub(super) const DELAY: Self = Self(1);
    /// A wire without an event of its own, perhaps after delays.
    pub(super) const WIRE: Self = Self(2);
    /// The end, where packets may be handed over ahead of the clock.
    pub(super) const END: Self = Self(4);
    /// A link that takes its packets from here alone: it may decide about them ahead of the clock.
    pub(super) const LINK: Self = Self(8);

    #[inline]
    pub(super) fn contains(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Over a link.
    Link,
    /// Over a link that decides at departure.
    Stepped,
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
    pub(super) fn new(step: Step, number: u32) -> Self {
        Self {
            delay: 0,
            number,
            stride: 1,
            step,
            then: Then::NOTHING,
        }
    }

    #[inline]
    pub(super) fn index(&self) -> usize {
        self.number as usize
    }
}

impl<P: Copy> Network<P> {
    /// Adds a link.
    pub fn add_link(&mut self, mut link: Link) -> LinkId {
        link.measure(self.window);
        let number = self.links.len() as u32;
        link.allow_lateness(Duration::ZERO);
        if link.has_clock() {
            self.clocked.push(number);
        }
        self.links.push(link);
        self.ahead.add_link();
        let id = self.add_port(Port::Link(number));
        self.link_ids.push(id);
        id
    }

    /// Adds a wire: a link without a limit, without losses and without statistics.
    pub fn add_wire(&mut self, wire: Wire) -> LinkId {
        self.wires.push(wire);
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
        for link in links {
            self.hops.push(match self.ports[link.index()] {
                Port::Link(link) if self.links[link as usize].is_stepped() => {
                    Hop::new(Step::Stepped, link)
                }
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

    /// Finds the wires and links that need no event of their own: those that one order-keeping
    /// link or wire alone feeds. Without it, every hop has its event; what arrives when is the
    /// same.
    ///
    /// Links that send source quenches and those that decide at departure keep their events.
    pub fn fuse(&mut self) {
        self.feeders = Feeders {
            links: vec![Feeder::None; self.links.len()],
            wires: vec![Feeder::None; self.wires.len()],
        };
        let mut feeder = Feeder::Source;
        for hop in &self.hops {
            let port = match hop.step {
                Step::Endpoint => {
                    feeder = Feeder::Source;
                    continue;
                }
                Step::Link | Step::Stepped => Port::Link(hop.number),
                Step::Wire | Step::Fused | Step::Delay => Port::Wire(hop.number),
            };
            self.feeders.of(port).add(feeder);
            feeder = Feeder::One(port);
        }
        // From the end, so that a hop takes over all the delays behind it.
        for at in (1..self.hops.len()).rev() {
            let hop = self.hops[at];
            let port = match hop.step {
                Step::Link if self.links[hop.index()].can_quench() => continue,
                Step::Link => Port::Link(hop.number),
                Step::Wire | Step::Delay => Port::Wire(hop.number),
                Step::Stepped | Step::Fused | Step::Endpoint => continue,
            };
            let in_order = match *self.feeders.of(port) {
                Feeder::One(Port::Link(link)) => self.links[link as usize].keeps_order(),
                Feeder::One(Port::Wire(_)) => true,
                Feeder::None | Feeder::Source | Feeder::Many => false,
            };
            if !in_order {
                continue;
            }
            let before = &mut self.hops[at - 1];
            match hop.step {
                Step::Link => before.then = before.then.and(Then::LINK),
                Step::Wire => {
                    before.then = before.then.and(Then::WIRE);
                    self.hops[at].step = Step::Fused;
                }
                _ => {
                    before.delay += hop.delay;
                    before.then = Then::DELAY.and(hop.then);
                    before.stride += hop.stride;
                }
            }
        }
        self.let_decide_late();
    }

    /// Tells stepped links how late they may decide: by the constant delays that all their packets
    /// pass next.
    fn let_decide_late(&mut self) {
        for &link in &self.clocked {
            let own = |hop: &&Hop| hop.step == Step::Stepped && hop.number == link;
            let behind = self.hops.iter().filter(own).map(|hop| hop.delay).min();
            let behind = Duration::from_picos(behind.unwrap_or(0));
            self.links[link as usize].allow_lateness(behind);
        }
    }
}

/// What feeds each link and each wire.
#[derive(Clone, Debug, Default)]
pub(super) struct Feeders {
    links: Vec<Feeder>,
    wires: Vec<Feeder>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feeder {
    None,
    /// A route begins there: the host feeds it.
    Source,
    One(Port),
    Many,
}

impl Feeders {
    /// Whether a host alone feeds a wire.
    pub(super) fn is_of_one_host(&self, wire: usize) -> bool {
        self.wires.get(wire) == Some(&Feeder::Source)
    }

    fn of(&mut self, port: Port) -> &mut Feeder {
        match port {
            Port::Link(link) => &mut self.links[link as usize],
            Port::Wire(wire) => &mut self.wires[wire as usize],
        }
    }
}

impl Feeder {
    fn add(&mut self, other: Self) {
        *self = match *self {
            Self::None => other,
            Self::One(port) if other == Self::One(port) => other,
            _ => Self::Many,
        };
    }
}
