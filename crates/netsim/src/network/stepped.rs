//! Packets at links that decide at departure.

use units::{Duration, Ecn, Time};

use super::hosts::{Gone, Hosts, Observation, Observed};
use super::routes::Then;
use super::{From, LinkId, Network, WAITED_BIT};
use crate::link::stepped::Decision;
use crate::pending::Rank;

/// Set in the number of a pending timer that is a link's, clear in those of the hosts.
pub(super) const LINK_TIMER: u32 = 1 << 30;

impl<P: Copy> Network<P> {
    /// The packet in node `at` reaches a stepped link, where it stays until that sends it.
    #[inline(never)]
    pub(super) fn enter_stepped<H: Hosts<P>>(&mut self, hosts: &mut H, at: u32, from: From) {
        let now = self.now;
        let packet = self.pending.item(at);
        let link = self.hops[packet.position as usize].index();
        let (quenched, event) = self.links[link].enter((at, packet), now, &mut self.decisions);
        if quenched {
            let (packet, decisions) = (*packet, std::mem::take(&mut self.decisions));
            hosts.on_source_quench(self, self.link_ids[link], &packet);
            self.decisions = decisions;
        }
        // Its place among packets that arrive at once is that of a link that works ahead.
        let rank = self.next_rank(now, false);
        self.pending.set_rank(at, rank);
        self.carry_out(hosts, link, from);
        self.schedule_link(link, event);
    }

    /// The event of a stepped link has come.
    pub(super) fn on_link_event<H: Hosts<P>>(&mut self, hosts: &mut H, link: usize) {
        self.events += 1;
        let event = self.links[link].on_event(self.now, &mut self.decisions);
        self.carry_out(hosts, link, From::Network);
        self.schedule_link(link, event);
    }

    /// Lets all links decide what falls before now, so that whoever looks sees it.
    pub(super) fn decide_all<H: Hosts<P>>(&mut self, hosts: &mut H) {
        for number in 0..self.clocked.len() {
            let link = self.clocked[number] as usize;
            self.links[link].tick_until(self.now);
            self.links[link].decide_until(self.now, &mut self.decisions);
            self.carry_out(hosts, link, From::Host);
        }
    }

    fn schedule_link(&mut self, link: usize, event: Option<Time>) {
        if let Some(time) = event {
            // What it decides does not depend on its place among events of the same time.
            let (order, number) = (0, link as u32);
            self.pending.schedule_timer(
                LINK_TIMER | link as u32,
                time.as_picos(),
                Rank { order, number },
            );
        }
    }

    /// Gives the packets of a link the fates that it decided.
    fn carry_out<H: Hosts<P>>(&mut self, hosts: &mut H, link: usize, from: From) {
        let mut decisions = std::mem::take(&mut self.decisions);
        let link = self.link_ids[link];
        for decision in decisions.drain(..) {
            match decision {
                Decision::Sent {
                    id,
                    at,
                    waited,
                    marked,
                } => {
                    if let Some(time) = marked {
                        self.pending.item_mut(id).ecn = Ecn::Ce;
                        self.tell(hosts, id, (time, link, Observed::Marked));
                    }
                    self.depart(hosts, id, (at, waited), from);
                }
                Decision::Dropped { id, at, reason } => {
                    self.tell(hosts, id, (at, link, Observed::Dropped(reason)));
                    let packet = self.pending.remove(id);
                    hosts.on_gone(&packet, Gone::Dropped(reason));
                }
                Decision::Lost { id, at } => {
                    self.tell(hosts, id, (at, link, Observed::Lost));
                    let packet = self.pending.remove(id);
                    hosts.on_gone(&packet, Gone::Lost);
                }
            }
        }
        self.decisions = decisions;
    }

    fn tell<H: Hosts<P>>(
        &self,
        hosts: &mut H,
        id: u32,
        (time, link, what): (Time, LinkId, Observed),
    ) {
        if H::OBSERVES {
            hosts.observe(&Observation { time, link, what }, self.pending.item(id));
        }
    }

    /// The packet in node `id` has left a stepped link and reaches its far end at `time`.
    fn depart<H: Hosts<P>>(
        &mut self,
        hosts: &mut H,
        id: u32,
        (time, waited): (Time, bool),
        from: From,
    ) {
        let packet = self.pending.item_mut(id);
        let hop = &self.hops[packet.position as usize];
        packet.position += u32::from(hop.stride);
        let then = hop.then;
        let time = time + Duration::from_picos(hop.delay);
        if then.contains(Then::END) && self.hands_over(hosts, id, time, from) {
            return;
        }
        let (time, waited) = self.pass_wires(id, time, waited, then);
        let mut rank = self.pending.rank(id);
        rank.order |= u64::from(waited) << WAITED_BIT;
        // Behind a link that takes less time than an instant lasts, the packet may be overdue.
        let time = time.max(self.now);
        self.pending.schedule(id, time.as_picos(), rank);
    }
}
