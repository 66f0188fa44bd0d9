//! Links and endpoints that are ahead of the clock.
//!
//! A link whose packets all come from one other may decide about a packet as soon as that other
//! has, and an endpoint may be handed a packet as soon as it is known when it arrives, where
//! nothing else can come between. Which hops allow it is found out when the routes are known
//! ([`Then::LINK`], [`Then::END`]); whether a packet may go ahead also depends on what is still on
//! its way with an event of its own, which is noted here.

use units::Time;

use super::routes::{Step, Then};
use super::{Hosts, Network, RouteId};

/// What is still awaited by events, and how far the network may be ahead.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Until then nobody looks at the hosts or changes them.
    horizon: Time,
    /// By link: when the last of the packets arrives that have an event to arrive there.
    links: Vec<Time>,
    /// By endpoint: when the last of the packets arrives that could not be handed over ahead.
    endpoints: Vec<Time>,
}

/// Who brings a packet to a link.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum From {
    Host,
    Network,
}

impl Ahead {
    #[inline]
    pub(super) fn set_horizon(&mut self, horizon: Time) {
        self.horizon = horizon;
    }

    pub(super) fn add_link(&mut self) {
        self.links.push(Time::ZERO);
    }

    fn add_endpoint(&mut self, endpoint: usize) {
        let least = endpoint + 1;
        if self.endpoints.len() < least {
            self.endpoints.resize(least, Time::ZERO);
        }
    }

    /// Whether a link may decide at once about a packet that reaches it at `time`; if not, it is
    /// awaited there.
    #[inline]
    fn may_decide(&mut self, link: usize, now: Time, time: Time, from: From) -> bool {
        let awaited = &mut self.links[link];
        let may = *awaited < now && from == From::Network && time <= self.horizon;
        if !may {
            *awaited = (*awaited).max(time);
        }
        may
    }
}

impl<P: Copy> Network<P> {
    /// Lets packets that take `route` be handed over as soon as it is known when they arrive,
    /// where nothing can come between. `answers` is the route of all that the endpoint sends when
    /// a packet or one of its timers reaches it, and `route` is the only one that ends there.
    ///
    /// Nothing happens where the way does not allow it: the last shared port must be a link that
    /// keeps order, and answers must begin with a wire that nobody else uses. What arrives when is
    /// the same. To be called after [`fuse`](Self::fuse).
    pub fn work_ahead(&mut self, route: RouteId, answers: RouteId) {
        let first = &self.hops[answers.0 as usize];
        let alone = match first.step {
            Step::Delay if !first.then.contains(Then::WIRE.and(Then::LINK)) => true,
            Step::Delay | Step::Wire => self.feeders.is_of_one_host(first.index()),
            Step::Link | Step::Stepped | Step::Fused | Step::Endpoint => false,
        };
        let mut at = route.0 as usize;
        let (last, endpoint) = loop {
            let next = at + usize::from(self.hops[at].stride);
            if self.hops[next].step == Step::Endpoint {
                let endpoint = self.hops[next].index();
                break (&mut self.hops[at], endpoint);
            }
            at = next;
        };
        let is_link = matches!(last.step, Step::Link | Step::Stepped);
        if alone && is_link && self.links[last.index()].keeps_order() {
            last.then = last.then.and(Then::END);
            self.ahead.add_endpoint(endpoint);
        }
    }

    /// Whether the next link may decide at once about a packet that reaches it at `time`.
    ///
    /// Not about what a host sends: one step at a time, lest two hosts hand packets to and fro
    /// without end.
    #[inline]
    pub(super) fn leads_on(&mut self, at: u32, time: Time, from: From) -> bool {
        let position = self.pending.item(at).position;
        let next = self.hops[position as usize].index();
        self.ahead.may_decide(next, self.now, time, from)
    }

    /// Hands a packet that will reach the end of its route at `time` over at once, if nothing can
    /// come between; its endpoint's clock is ahead of the network's then.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    pub(super) fn hands_over<H: Hosts<P>>(
        &mut self,
        hosts: &mut H,
        at: u32,
        time: Time,
        from: From,
    ) -> bool {
        let position = self.pending.item(at).position;
        let endpoint = self.hops[position as usize].number;
        let latest = self.ahead.endpoints[endpoint as usize];
        let first = latest < self.now && time <= self.ahead.horizon;
        if !first || from == From::Host || !hosts.is_undisturbed(self, endpoint, time) {
            self.ahead.endpoints[endpoint as usize] = time;
            return false;
        }
        self.events += 1;
        let packet = self.pending.remove(at);
        let now = std::mem::replace(&mut self.now, time);
        hosts.on_packet(self, endpoint, packet);
        self.now = now;
        true
    }
}
