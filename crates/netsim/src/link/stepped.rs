//! A stepped link: one whose queue decides when packets leave.
//!
//! Each time the transmitter is free the queue is asked for the next packet: at the end of a
//! transmission, or when a packet reaches the idle link. These *decision instants* need no events
//! of their own, since a decision depends only on what arrived by its instant, and its effect
//! is felt only when a packet has been sent and has crossed the wire. So decisions are carried out
//! *late*, several in a row and in order: before the next arrival enters the queue, before
//! anybody looks, and at the latest a certain *lateness* after the instant, the wire's delay at most.

use units::{Duration, Time};

use super::{Link, LossPlace, TIE, Window};
use crate::Packet;
use crate::delay::DelayModel;
use crate::queues::{Backlog, Departing, DepartureDiscipline, DropReason, Dropped, Waiting};

/// What a link has that decides at departure.
#[derive(Debug)]
pub(super) struct Stepped {
    discipline: Box<dyn DepartureDiscipline>,
    /// When the discipline is asked next; [`Time::MAX`] where the link is idle and it has been
    /// asked once in vain.
    next: Time,
    /// What waits.
    backlog: Backlog,
    /// Everything up to here is decided.
    decided: Time,
    /// Sum over what waits of when it came, in picoseconds, or of when the window began.
    waiting_since: u128,
    /// Longest time that a decision may come after its instant, and the most that it is let.
    lateness: Duration,
    most_lateness: Duration,
    /// When the link's own event comes; [`Time::MAX`] for none.
    event: Time,
    dropped: Vec<Dropped>,
}

/// What was decided about a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// It is sent.
    Sent {
        /// Which.
        id: u32,
        /// When it reaches the far end.
        at: Time,
        /// Whether it had to wait.
        waited: bool,
        /// When the queue set the CE mark, if it did.
        marked: Option<Time>,
    },
    /// The queue dropped it.
    Dropped {
        /// Which.
        id: u32,
        /// When.
        at: Time,
        /// Why.
        reason: DropReason,
    },
    /// A loss model took it.
    Lost {
        /// Which.
        id: u32,
        /// When.
        at: Time,
    },
}

impl Stepped {
    pub(super) fn new(discipline: Box<dyn DepartureDiscipline>) -> Self {
        Self {
            discipline,
            next: Time::MAX,
            backlog: Backlog::default(),
            decided: Time::ZERO,
            waiting_since: 0,
            lateness: TIE,
            most_lateness: Duration::MAX,
            event: Time::MAX,
            dropped: Vec::new(),
        }
    }

    pub(super) fn backlog(&self) -> Backlog {
        self.backlog
    }

    pub(super) fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        self.discipline.variables(visit);
    }

    /// How long those that wait have waited within the window, all together.
    pub(super) fn waiting_picos(&self, window: Window) -> u128 {
        let until = self.decided.clamp(window.from, window.to).as_picos();
        (u128::from(self.backlog.packets) * u128::from(until)).saturating_sub(self.waiting_since)
    }

    /// When the link wants its next event, if it has none by then.
    fn next_event(&mut self) -> Option<Time> {
        if self.backlog.packets == 0 {
            return None;
        }
        let latest = self.next.saturating_add(self.lateness);
        let earlier = latest < self.event;
        self.event = self.event.min(latest);
        earlier.then_some(latest)
    }
}

impl Link {
    /// Lets the link decide no later than `most` after the instant in question, with more events
    /// of its own than it needs. What is decided is the same.
    #[must_use]
    pub fn decided_within(mut self, most: Duration) -> Self {
        if let Some(stepped) = &mut self.models_mut().stepped {
            stepped.most_lateness = most;
        }
        self
    }

    /// Whether the queue decides at departure.
    pub(crate) fn is_stepped(&self) -> bool {
        self.stepped().is_some()
    }

    /// Says that every packet passes constant delays of `behind` after the link: decisions may be
    /// the later by that.
    pub(crate) fn allow_lateness(&mut self, behind: Duration) {
        let Some(models) = &mut self.models else {
            return;
        };
        let varying = models.delay.as_ref().map(DelayModel::least);
        let own = varying.unwrap_or(self.wire.delay());
        if let Some(stepped) = &mut models.stepped {
            let lateness = own.saturating_add(behind).min(stepped.most_lateness);
            // Nothing is decided before the instant is surely over.
            stepped.lateness = lateness.max(TIE);
        }
    }

    /// A packet reaches a stepped link at `now`: whether its sender is to be told of congestion,
    /// and when the link wants an event.
    pub(crate) fn enter<P>(
        &mut self,
        (id, packet): (u32, &Packet<P>),
        now: Time,
        decisions: &mut Vec<Decision>,
    ) -> (bool, Option<Time>) {
        let Some(mut stepped) = self.take_stepped() else {
            return (false, None);
        };
        self.decide_before(&mut stepped, now, decisions);
        self.statistics.packets_in += 1;
        let mut quenched = false;
        if self.loses(LossPlace::Entry, &packet.offered(now)) {
            decisions.push(Decision::Lost { id, at: now });
        } else {
            quenched = self.quenches_at(stepped.backlog.packets as f64, packet.data);
            self.take_in(&mut stepped, (id, packet), now, decisions);
        }
        let event = stepped.next_event();
        self.put_back(stepped);
        (quenched, event)
    }

    fn take_in<P>(
        &mut self,
        stepped: &mut Stepped,
        (id, packet): (u32, &Packet<P>),
        now: Time,
        decisions: &mut Vec<Decision>,
    ) {
        let found_idle = stepped.next == Time::MAX;
        let waiting = Waiting {
            id,
            flow: packet.flow,
            size: packet.size(),
            arrived: now,
            ecn: packet.ecn,
            data: packet.data,
            found_idle,
        };
        let before = stepped.backlog.packets;
        stepped.backlog.packets += 1;
        stepped.backlog.bytes += waiting.size;
        stepped.waiting_since += self.within_window(now);
        stepped.discipline.enqueue(waiting, &mut stepped.dropped);
        self.take_out_dropped(stepped, now, decisions);
        if found_idle {
            stepped.next = now;
            self.decide(stepped, decisions);
            return;
        }
        let most = &mut self.statistics.queue_max;
        *most = stepped.backlog.packets.max(*most);
        if before == 0 && stepped.backlog.packets > 0 {
            // It came in the instant in which a transmission ended: that is when it begins.
            stepped.next = stepped.next.max(now);
        }
    }

    /// Decides all that falls on an instant that is over at `now`.
    pub(crate) fn decide_until(&mut self, now: Time, decisions: &mut Vec<Decision>) {
        if let Some(mut stepped) = self.take_stepped() {
            self.decide_before(&mut stepped, now, decisions);
            self.put_back(stepped);
        }
    }

    /// The link's event has come: decides what has to be decided now, and says when it wants the
    /// next.
    pub(crate) fn on_event(&mut self, now: Time, decisions: &mut Vec<Decision>) -> Option<Time> {
        let mut stepped = self.take_stepped()?;
        stepped.event = Time::MAX;
        if stepped.next.saturating_add(stepped.lateness) <= now {
            self.decide_before(&mut stepped, now, decisions);
        }
        let event = stepped.next_event();
        self.put_back(stepped);
        event
    }

    fn decide_before(&mut self, stepped: &mut Stepped, now: Time, decisions: &mut Vec<Decision>) {
        while stepped.next < Time::MAX && stepped.next + TIE <= now {
            self.decide(stepped, decisions);
        }
        stepped.decided = now;
    }

    /// Asks the discipline once.
    fn decide(&mut self, stepped: &mut Stepped, decisions: &mut Vec<Decision>) {
        let now = stepped.next;
        let departing = stepped.discipline.dequeue(now, &mut stepped.dropped);
        self.take_out_dropped(stepped, now, decisions);
        let Some(Departing { packet, mark }) = departing else {
            stepped.next = Time::MAX;
            return;
        };
        let start = now.max(packet.arrived);
        self.take_out(stepped, &packet, start);
        self.statistics.marks += u64::from(mark);
        let size = packet.size.0 as u32;
        let (end, delay) = self.transmit_on_schedule(size, start);
        stepped.next = end;
        let id = packet.id;
        if self.loses(LossPlace::Exit, &packet.offered(end)) {
            decisions.push(Decision::Lost { id, at: end });
            return;
        }
        self.leave(size);
        decisions.push(Decision::Sent {
            id,
            at: end + delay,
            waited: start > packet.arrived,
            marked: mark.then_some(now),
        });
    }

    fn take_out_dropped(
        &mut self,
        stepped: &mut Stepped,
        now: Time,
        decisions: &mut Vec<Decision>,
    ) {
        if stepped.dropped.is_empty() {
            return;
        }
        let mut dropped = std::mem::take(&mut stepped.dropped);
        for Dropped { packet, reason } in dropped.drain(..) {
            self.take_out(stepped, &packet, now);
            self.statistics.drops += 1;
            decisions.push(Decision::Dropped {
                id: packet.id,
                at: now,
                reason,
            });
        }
        stepped.dropped = dropped;
    }

    /// A packet waits no more.
    fn take_out(&mut self, stepped: &mut Stepped, packet: &Waiting, now: Time) {
        stepped.backlog.packets -= 1;
        stepped.backlog.bytes -= packet.size;
        stepped.waiting_since -= self.within_window(packet.arrived);
        let waited = self.window.overlap(packet.arrived, now);
        self.statistics.waited_picos += u128::from(waited.as_picos());
    }

    fn within_window(&self, time: Time) -> u128 {
        u128::from(time.clamp(self.window.from, self.window.to).as_picos())
    }

    fn take_stepped(&mut self) -> Option<Box<Stepped>> {
        self.models.as_mut()?.stepped.take()
    }

    fn put_back(&mut self, stepped: Box<Stepped>) {
        self.models_mut().stepped = Some(stepped);
    }
}

#[cfg(test)]
mod tests {
    use units::{Bytes, Rate};

    use super::*;
    use crate::link::Fate;
    use crate::queues::{DropTail, Fifo, Limit, Queue, Victim};

    /// 1000 B at 8 Mb/s take 1 ms. Packets come in the very instant in which a transmission ends,
    /// within 100 ps of it, and later: those within find the link busy, and begin when they come.
    #[test]
    fn what_comes_as_a_transmission_ends_finds_the_queue_as_before() {
        let millisecond = 1_000_000_000;
        let arrivals = [
            0,
            millisecond + 60,
            millisecond + 130,
            2 * millisecond + 100,
            2 * millisecond + 130,
            3 * millisecond + 230,
            4 * millisecond + 240,
        ];
        for limit in [Limit::Packets(0), Limit::Packets(1), Limit::None] {
            let link =
                |queue| Link::new(Some(Rate::mbit_per_s(8)), Duration::ZERO).with_queue(queue);
            let mut early = link(Queue::DropTail(DropTail::new(limit)));
            let mut late = link(Queue::at_departure(Fifo::new(limit, Victim::Newest)));
            let mut decisions = Vec::new();
            let mut fates = Vec::new();
            for (id, time) in (0..).zip(arrivals) {
                let now = Time::from_picos(5 * millisecond + time);
                let mut packet = Packet::new(0, Bytes(1_000), ());
                late.enter((id, &packet), now, &mut decisions);
                fates.push(match early.accept(&mut packet, now) {
                    Fate::Arrives { start, at, .. } => Decision::Sent {
                        id,
                        at,
                        waited: start > now,
                        marked: None,
                    },
                    Fate::Dropped(reason) => Decision::Dropped {
                        id,
                        at: now,
                        reason,
                    },
                    Fate::Lost(at) => Decision::Lost { id, at },
                });
            }
            late.decide_until(Time::from_picos(100 * millisecond), &mut decisions);
            decisions.sort_by_key(|decision| match decision {
                Decision::Sent { id, .. }
                | Decision::Dropped { id, .. }
                | Decision::Lost { id, .. } => *id,
            });
            assert_eq!(decisions, fates, "{limit:?}");
            assert_eq!(late.statistics(), early.statistics(), "{limit:?}");
            if limit == Limit::Packets(0) {
                // 60 ps after an end, 30 ps before one and at one, and 10 ps after one.
                assert_eq!(early.statistics().drops, 4);
            }
        }
    }
}
