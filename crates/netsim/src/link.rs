//! A link: a queue, a transmitter, a wire.
//!
//! A packet that reaches a link learns its fate at once: whether the queue admits it, when its
//! transmission begins and ends, whether the wire loses it, and when it reaches the far end. The
//! link keeps no packets, only the times at which those that still wait will begin.
//!
//! Where the queue decides at departure it is another matter: see [`stepped`].

mod statistics;
pub(crate) mod stepped;

use std::collections::VecDeque;

use units::{Bytes, Duration, Ecn, Rate, Time};

use crate::delay::DelayModel;
use crate::loss::{LossModel, Offered};
use crate::queues::{
    Arrival, ArrivalDiscipline, Backlog, DropReason, DropTail, Limit, Queue, Tick, Verdict,
};
use crate::{Packet, Schedule, Wire};
pub use statistics::{LinkStatistics, Window};
use stepped::Stepped;

/// A link in one direction.
#[derive(Debug)]
pub struct Link {
    /// Transmitter and delay; where the delay changes, the model in `models` gives it.
    wire: Wire,
    admission: Admission,
    /// Packets that wait or will be waiting: when each begins transmission, in order.
    waiting: VecDeque<Waiting>,
    backlog_bytes: u64,
    models: Option<Box<Models>>,
    window: Window,
    statistics: LinkStatistics,
}

/// A queue that decides at arrival. The usual one is reached without a call through a table.
#[derive(Debug)]
enum Admission {
    DropTail(DropTail),
    Other(Box<dyn ArrivalDiscipline>),
}

/// The parts that few links have.
#[derive(Debug, Default)]
struct Models {
    rate: Option<Schedule<Rate>>,
    delay: Option<DelayModel>,
    losses: Vec<(LossPlace, Box<dyn LossModel>)>,
    /// Level of the queue, in packets, from which senders are told.
    quench_from: Option<f64>,
    /// The queue that decides at departure.
    stepped: Option<Box<Stepped>>,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    start: Time,
    size: u32,
}

/// Where on a link packets are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossPlace {
    /// Before the queue: a lost packet uses neither buffer nor link.
    Entry,
    /// On the wire: a lost packet has used the link.
    Exit,
}

/// What becomes of a packet that reaches a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It reaches the far end.
    Arrives {
        /// Transmission begins.
        start: Time,
        /// The last bit arrives.
        at: Time,
        /// The queue set the CE mark.
        marked: bool,
    },
    /// The queue refused it.
    Dropped(DropReason),
    /// A loss model took it: when.
    Lost(Time),
}

impl Link {
    /// A link with an unlimited queue and no losses. `rate` none: transmission takes no time.
    pub fn new(rate: Option<Rate>, delay: Duration) -> Self {
        Self {
            wire: Wire::new(rate, delay),
            admission: Admission::DropTail(DropTail::new(Limit::None)),
            waiting: VecDeque::new(),
            backlog_bytes: 0,
            models: None,
            window: Window {
                from: Time::ZERO,
                to: Time::MAX,
            },
            statistics: LinkStatistics::default(),
        }
    }

    /// Gives the link a queue.
    #[must_use]
    pub fn with_queue(mut self, queue: Queue) -> Self {
        match queue {
            Queue::DropTail(queue) => self.admission = Admission::DropTail(queue),
            Queue::Arrival(queue) => self.admission = Admission::Other(queue),
            Queue::Departure(queue) => {
                self.models_mut().stepped = Some(Box::new(Stepped::new(queue)));
            }
        }
        self
    }

    /// Makes the rate a function of time.
    #[must_use]
    pub fn with_rate_schedule(mut self, rate: Schedule<Rate>) -> Self {
        self.models_mut().rate = Some(rate);
        self
    }

    /// Makes the propagation delay a function of time: a packet takes the delay that holds when
    /// its transmission begins, so a later packet can overtake it.
    #[must_use]
    pub fn with_delay(mut self, delay: DelayModel) -> Self {
        self.models_mut().delay = Some(delay);
        self
    }

    /// Adds a loss model. Several act one after the other.
    #[must_use]
    pub fn with_loss(mut self, place: LossPlace, loss: Box<dyn LossModel>) -> Self {
        self.models_mut().losses.push((place, loss));
        self
    }

    /// Tells the sender of each data packet that finds the queue at `level` packets or more (ICMP
    /// source quench, RFC 792): what waits, or the average of RED. Packets that are then dropped
    /// count too, those that a loss model takes before the queue do not.
    #[must_use]
    pub fn with_source_quench(mut self, level: f64) -> Self {
        self.models_mut().quench_from = Some(level);
        self
    }

    /// Sets the part of the run over which means are taken.
    pub(crate) fn measure(&mut self, window: Window) {
        self.window = window;
    }

    /// What was counted so far.
    pub fn statistics(&self) -> LinkStatistics {
        let mut statistics = self.statistics;
        if let Some(stepped) = self.stepped() {
            statistics.waited_picos += stepped.waiting_picos(self.window);
        }
        statistics
    }

    /// Packets waiting at `now`, without the one being sent.
    pub fn waiting_at(&self, now: Time) -> u64 {
        if let Some(stepped) = self.stepped() {
            return stepped.backlog().packets;
        }
        self.waiting
            .iter()
            .filter(|packet| packet.start > now)
            .count() as u64
    }

    /// Bytes that wait at `now`, without the packet being sent.
    pub fn bytes_waiting_at(&self, now: Time) -> u64 {
        match self.stepped() {
            Some(stepped) => stepped.backlog().bytes.0,
            None => self.bytes_to_begin(now),
        }
    }

    /// Bytes of the packets that were given a time to begin that is still to come.
    fn bytes_to_begin(&self, now: Time) -> u64 {
        let waiting = self.waiting.iter().filter(|packet| packet.start > now);
        waiting.map(|packet| u64::from(packet.size)).sum()
    }

    /// Bytes whose transmission has begun by `now`; `now` is not earlier than the last arrival.
    pub fn bytes_begun_at(&self, now: Time) -> u64 {
        let to_come = self.bytes_to_begin(now);
        self.statistics.bytes_out.saturating_sub(to_come)
    }

    /// Named state of the queue, for recorders.
    pub fn queue_variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        match (self.stepped(), &self.admission) {
            (Some(stepped), _) => stepped.variables(visit),
            (None, Admission::DropTail(queue)) => queue.variables(visit),
            (None, Admission::Other(queue)) => queue.variables(visit),
        }
    }

    /// Whether packets reach the far end in the order in which they leave.
    pub(crate) fn keeps_order(&self) -> bool {
        self.models
            .as_ref()
            .is_none_or(|models| models.delay.is_none())
    }

    /// Whether senders may be told of congestion.
    pub(crate) fn can_quench(&self) -> bool {
        let models = self.models.as_ref();
        models.is_some_and(|models| models.quench_from.is_some())
    }

    /// Whether packets go through [`accept_by_models`](Self::accept_by_models).
    #[inline]
    pub(crate) fn has_models(&self) -> bool {
        self.models.is_some()
    }

    /// Decides the fate of a packet that arrives at `now` at a link without models, and marks it if
    /// the queue says so.
    ///
    /// `now` never decreases from call to call.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "half of the way of a packet through the network"
    )]
    pub(crate) fn accept<P>(&mut self, packet: &mut Packet<P>, now: Time) -> Fate {
        self.statistics.packets_in += 1;
        let (verdict, idle) = self.judge(packet, now);
        let marked = match self.carry_out(verdict, packet) {
            Ok(marked) => marked,
            Err(reason) => return Fate::Dropped(reason),
        };
        let start = if idle {
            now
        } else {
            self.wait(packet.size, now)
        };
        let end = self.transmit(packet.size, start);
        self.leave(packet.size);
        let at = end + self.wire.delay();
        Fate::Arrives { start, at, marked }
    }

    /// The same at a link with models; also, whether the packet's sender is to be told of
    /// congestion.
    #[cold]
    #[inline(never)]
    pub(crate) fn accept_by_models<P>(
        &mut self,
        packet: &mut Packet<P>,
        now: Time,
    ) -> (Fate, bool) {
        self.statistics.packets_in += 1;
        if self.loses(LossPlace::Entry, &packet.offered(now)) {
            return (Fate::Lost(now), false);
        }
        let (verdict, idle) = self.judge(packet, now);
        let quenched = self.quenches(packet);
        let marked = match self.carry_out(verdict, packet) {
            Ok(marked) => marked,
            Err(reason) => return (Fate::Dropped(reason), quenched),
        };
        let start = if idle {
            now
        } else {
            self.wait(packet.size, now)
        };
        (self.transmit_by_models(packet, start, marked), quenched)
    }

    /// Whether there is something to decide beside what arrives.
    pub(crate) fn has_clock(&self) -> bool {
        self.is_stepped() || matches!(self.admission, Admission::Other(_))
    }

    /// Lets the queue look at itself at all instants up to `now` at which it wants to.
    pub(crate) fn tick_until(&mut self, now: Time) {
        if let Admission::Other(queue) = &mut self.admission {
            tick(&mut **queue, &self.wire, now);
        }
    }

    /// Asks the queue; also, whether the transmitter is idle.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "half of the way of a packet through the network"
    )]
    fn judge<P>(&mut self, packet: &Packet<P>, now: Time) -> (Verdict, bool) {
        let idle = self.wire.free_at() + TIE <= now;
        self.forget_started(now, idle);
        let size = Bytes(u64::from(packet.size));
        let backlog = Backlog {
            packets: self.waiting.len() as u64,
            bytes: Bytes(self.backlog_bytes),
        };
        let verdict = match &mut self.admission {
            // The usual queue needs to know no more.
            Admission::DropTail(queue) => queue.verdict(backlog, size, idle),
            Admission::Other(queue) => {
                tick(&mut **queue, &self.wire, now);
                queue.admit(&Arrival {
                    now,
                    size,
                    ecn: packet.ecn,
                    backlog,
                    idle_since: idle.then(|| self.wire.free_at()),
                })
            }
        };
        (verdict, idle)
    }

    /// Marks the packet or drops it as the queue says; otherwise, whether it was marked.
    #[inline]
    fn carry_out<P>(
        &mut self,
        verdict: Verdict,
        packet: &mut Packet<P>,
    ) -> Result<bool, DropReason> {
        match verdict {
            Verdict::Queue => Ok(false),
            Verdict::Mark => {
                packet.ecn = Ecn::Ce;
                self.statistics.marks += 1;
                Ok(true)
            }
            Verdict::Drop(reason) => {
                self.statistics.drops += 1;
                Err(reason)
            }
        }
    }

    /// Takes those that began by `now` out of the queue.
    #[inline]
    fn forget_started(&mut self, now: Time, idle: bool) {
        if idle {
            if !self.waiting.is_empty() {
                self.waiting.clear();
                self.backlog_bytes = 0;
            }
            return;
        }
        while let Some(first) = self.waiting.front()
            && first.start + TIE <= now
        {
            self.backlog_bytes -= u64::from(first.size);
            self.waiting.pop_front();
        }
    }

    /// Queues a packet; says when its transmission begins.
    #[inline]
    fn wait(&mut self, size: u32, now: Time) -> Time {
        let start = self.wire.free_at().max(now);
        self.waiting.push_back(Waiting { start, size });
        self.backlog_bytes += u64::from(size);
        let statistics = &mut self.statistics;
        statistics.queue_max = statistics.queue_max.max(self.waiting.len() as u64);
        statistics.waited_picos += u128::from(self.window.overlap(now, start).as_picos());
        start
    }

    /// Occupies the transmitter from `start` on; says when the last bit has left.
    #[inline]
    fn transmit(&mut self, size: u32, start: Time) -> Time {
        let end = Time::from_picos(self.wire.transmit(size, start.as_picos()));
        self.statistics.busy += self.window.overlap(start, end);
        end
    }

    #[inline]
    fn leave(&mut self, size: u32) {
        self.statistics.packets_out += 1;
        self.statistics.bytes_out += u64::from(size);
    }

    fn transmit_by_models<P>(&mut self, packet: &Packet<P>, start: Time, marked: bool) -> Fate {
        let (end, delay) = self.transmit_on_schedule(packet.size, start);
        if self.loses(LossPlace::Exit, &packet.offered(end)) {
            return Fate::Lost(end);
        }
        self.leave(packet.size);
        let at = end + delay;
        Fate::Arrives { start, at, marked }
    }

    /// Occupies the transmitter from `start` on, with the rate of then; says when the last bit has
    /// left, and the delay that awaits it.
    fn transmit_on_schedule(&mut self, size: u32, start: Time) -> (Time, Duration) {
        let mut delay = self.wire.delay();
        if let Some(models) = &mut self.models {
            if let Some(schedule) = &mut models.rate {
                self.wire.set_rate(schedule.at(start));
            }
            if let Some(model) = &mut models.delay {
                delay = model.at(start);
            }
        }
        (self.transmit(size, start), delay)
    }

    /// Asks the loss models at that place: every one sees every packet that the ones before it let
    /// through.
    fn loses(&mut self, place: LossPlace, packet: &Offered) -> bool {
        let Some(models) = &mut self.models else {
            return false;
        };
        let lost = models
            .losses
            .iter_mut()
            .any(|(at, model)| *at == place && model.loses(packet));
        self.statistics.lost += u64::from(lost);
        lost
    }

    /// Whether the sender of a packet that the queue has just judged is to be told.
    fn quenches<P>(&mut self, packet: &Packet<P>) -> bool {
        let waiting = self.waiting.len() as u64;
        let level = match &self.admission {
            Admission::DropTail(queue) => queue.level(waiting),
            Admission::Other(queue) => queue.level(waiting),
        };
        self.quenches_at(level, packet.data)
    }

    fn quenches_at(&mut self, level: f64, data: bool) -> bool {
        let from = self.models.as_ref().and_then(|models| models.quench_from);
        let quenched = data && from.is_some_and(|from| level >= from);
        self.statistics.source_quenches += u64::from(quenched);
        quenched
    }

    fn stepped(&self) -> Option<&Stepped> {
        self.models.as_ref()?.stepped.as_deref()
    }

    fn models_mut(&mut self) -> &mut Models {
        self.models.get_or_insert_default()
    }
}

/// Lets a queue look at itself at all instants up to `now` at which it wants to. How long a packet
/// would have waited then is known: nothing that arrived later changes it.
fn tick(queue: &mut dyn ArrivalDiscipline, wire: &Wire, now: Time) {
    while let Some(at) = queue.next_tick().filter(|at| *at <= now) {
        let wait = wire.free_at().saturating_since(at);
        queue.tick(&Tick { at, wait });
    }
}

/// A packet that arrives within this time after a transmission ended came before its end.
///
/// ACK clocking makes packets arrive exactly when others leave; the picosecond that each hop cuts
/// off must not decide whether they find the queue full. The time is longer than what rounding
/// adds up to, and shorter than an ACK at 1 Tb/s.
const TIE: Duration = Duration::from_picos(100);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queues::{DropTail, Fifo, Limit, Victim};

    fn packet(size: u64) -> Packet<()> {
        Packet::new(0, Bytes(size), ())
    }

    fn arrival(fate: Fate) -> Time {
        match fate {
            Fate::Arrives { at, .. } => at,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_packet_waits_for_those_before_it() {
        // 1000 B at 8 Mb/s take 1 ms; the wire takes 10 ms.
        let mut link = Link::new(Some(Rate::mbit_per_s(8)), Duration::from_millis(10));
        let at = |micros| Time::ZERO + Duration::from_micros(micros);
        assert_eq!(arrival(link.accept(&mut packet(1_000), at(0))), at(11_000));
        assert_eq!(
            arrival(link.accept(&mut packet(1_000), at(500))),
            at(12_000)
        );
        assert_eq!(link.waiting_at(at(500)), 1);
        assert_eq!(link.waiting_at(at(1_000)), 0);
        assert_eq!(
            arrival(link.accept(&mut packet(1_000), at(5_000))),
            at(16_000)
        );
        // One packet waited half a millisecond.
        assert_eq!(link.statistics().waited_picos, 500_000_000);
        assert_eq!(link.statistics().queue_max, 1);
        assert_eq!(link.statistics().busy, Duration::from_millis(3));
    }

    /// Three packets of a millisecond each at once, measured from 0.5 to 2.5 ms: the link is busy for
    /// 2 ms of it, and of the waits, 1 and 2 ms from the beginning, 0.5 and 1.5 ms lie in it.
    #[test]
    fn means_are_taken_over_the_window_only() {
        let at = |micros| Time::ZERO + Duration::from_micros(micros);
        let queues: [fn() -> Queue; 2] = [Queue::unlimited, || {
            Queue::at_departure(Fifo::new(Limit::None, Victim::Newest))
        }];
        for queue in queues {
            let link = Link::new(Some(Rate::mbit_per_s(8)), Duration::ZERO);
            let mut link = link.with_queue(queue());
            link.measure(Window {
                from: at(500),
                to: at(2_500),
            });
            for id in 0..3 {
                let mut packet = packet(1_000);
                if link.is_stepped() {
                    link.enter((id, &packet), Time::ZERO, &mut Vec::new());
                } else {
                    link.accept(&mut packet, Time::ZERO);
                }
            }
            link.decide_until(at(1_700), &mut Vec::new());
            if link.is_stepped() {
                // The third still waits at 1.7 ms.
                assert_eq!(link.statistics().waited_picos, (500 + 1_200) * 1_000_000);
            }
            link.decide_until(at(10_000), &mut Vec::new());
            assert_eq!(link.statistics().waited_picos, (500 + 1_500) * 1_000_000);
            assert_eq!(link.statistics().busy, Duration::from_millis(2));
        }
    }

    /// Six packets at once, of which one is sent and three may wait: those that find 0, 0, 1, 2, 3
    /// and 3 waiting. From two on senders are told, also of what is dropped, but not of ACKs.
    #[test]
    fn senders_of_what_finds_the_threshold_reached_are_told() {
        let link = || {
            Link::new(Some(Rate::mbit_per_s(8)), Duration::ZERO)
                .with_queue(Queue::DropTail(DropTail::new(Limit::Packets(3))))
                .with_source_quench(2.0)
        };
        let told = |link: &mut Link, data| {
            let mut packet = packet(1_000);
            packet.data = data;
            let now = Time::ZERO + Duration::from_secs(1);
            link.accept_by_models(&mut packet, now).1
        };
        let mut data = link();
        let fates = [(); 6].map(|()| told(&mut data, true));
        assert_eq!(fates, [false, false, false, true, true, true]);
        assert_eq!(data.statistics().source_quenches, 3);
        assert_eq!(data.statistics().drops, 2);
        let mut acks = link();
        assert!([(); 6].iter().all(|()| !told(&mut acks, false)));
    }
}
