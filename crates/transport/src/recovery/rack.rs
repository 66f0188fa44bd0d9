//! RACK: a segment is lost when one sent later has arrived and it is overdue by the reordering
//! window.
//!
//! Follows RFC 8985 §6 and §8, with the tail loss probe of §7 ([`super::tail_loss_probe`]). It
//! finds losses of original segments and of retransmissions, by time instead of by counting. It is
//! a recovery of its own, not an option of [`super::sack`]: RFC 6675's recovery, which sends
//! nothing twice, must not be used with it (§9.2). The reduction is shared with the others, and so
//! is the detection of retransmissions without cause ([`super::spurious`]), which works on it
//! unchanged.
//!
//! Choices:
//! * the echoed timestamp is asked about segments acknowledged cumulatively. The ACK of one out of
//!   order echoes an earlier segment (RFC 7323 §4.3); taken literally, step 2 would trust no
//!   retransmission SACKed, not even those of the RFC's example (§3.4);
//! * the window is cut at once and what may leave is what it holds beyond the segments in the
//!   network, as in RFC 6675 §5; so each lost retransmission is a reduction of its own, once for
//!   each window (§9.3);
//! * until there is a recovery, segments SACKed let new data out within the window, as in RFC 6675
//!   §5 step 3;
//! * after a timeout, what is SACKed stays so unless the receiver takes it back (RFC 2018 §8
//!   forgets it all);
//! * a retransmission found to have had no cause is reordering seen, and what was taken for lost is
//!   in the network again.
//!
//! Not here: proportional rate reduction (RFC 6937), which §9.3 recommends; the senders that RACK
//! is compared with have none.

mod reordering;
mod segments;

use units::{Duration, Time};

use super::f_rto::FRto;
use super::tail_loss_probe::{ProbeAck, TailLossProbe};
use super::{
    Doubt, LossRecovery, Lost, advance, expire, fast_retransmit, outstanding, tell_further_loss,
    tell_loss,
};
use crate::SackBlock;
use crate::connection::{Arrival, Connection, Forced, Progress};
use crate::d_sack;
use reordering::{AckSigns, Reordering};
use segments::{Segments, Sent};

/// Recovery by the times of sending.
#[derive(Debug)]
pub(crate) struct Rack {
    segments: Segments,
    reordering: Reordering,
    /// `RACK.xmit_ts` and `RACK.end_seq`: what was sent last of all that arrived.
    newest: Option<Sent>,
    /// `RACK.rtt`: how long it was on the way.
    rtt: Duration,
    /// `RACK.fack`: one past the highest segment that arrived.
    highest_arrived: u64,
    phase: Phase,
    /// When the window was last cut for a loss.
    reduced_at: Time,
    /// None: no probes.
    probe: Option<TailLossProbe>,
    /// What the sender's timer is set for instead of the retransmission timeout (§8).
    alarm: Option<Alarm>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    /// Until everything below `point`, one past the highest segment sent, is acknowledged.
    Recovery {
        point: u64,
    },
    /// The same after a timeout.
    AfterTimeout {
        point: u64,
    },
}

/// One of RACK-TLP's timers runs.
#[derive(Clone, Copy, Debug)]
struct Alarm {
    kind: Kind,
    /// When the retransmission timer, which it displaces, would have expired.
    timeout: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Reordering,
    Probe,
}

/// What a look for losses found.
#[derive(Clone, Debug, Default)]
struct Detected {
    /// The segments found lost, in the order in which they left.
    lost: Vec<u64>,
    /// The highest retransmission found lost that had left since the window was cut.
    retransmission: Option<u64>,
    /// When the segments that are not overdue yet would be.
    look_again: Option<Time>,
}

impl Rack {
    pub(crate) fn new(tail_loss_probe: bool) -> Self {
        Self {
            segments: Segments::default(),
            reordering: Reordering::default(),
            newest: None,
            rtt: Duration::ZERO,
            highest_arrived: 0,
            phase: Phase::Open,
            reduced_at: Time::ZERO,
            probe: tail_loss_probe.then(TailLossProbe::default),
            alarm: None,
        }
    }

    /// What any ACK tells, also one that is neither new nor a duplicate in the other recoveries'
    /// sense.
    pub(super) fn examine(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        let duplicate = d_sack::duplicate(arrival.number, arrival.blocks);
        self.reordering.on_ack(AckSigns {
            una: arrival.number.max(connection.una),
            high: connection.high,
            duplicate: duplicate.is_some(),
            ends_recovery: self.ends_recovery(arrival.number),
        });
        let repaired = self.probe.as_mut().is_some_and(|probe| {
            probe.on_ack(&ProbeAck {
                number: arrival.number,
                una: connection.una,
                blocks: arrival.blocks,
                duplicate,
            })
        });
        if repaired {
            let flight = outstanding(connection);
            let lost = Lost::oldest(connection);
            tell_loss(connection, arrival.now, flight, lost); // §7.4.2
        }
    }

    /// Segment `number` is about to leave.
    pub(super) fn on_transmit(&mut self, connection: &mut Connection, number: u64, now: Time) {
        if connection.high == 0 {
            self.take_handshake(connection, now);
        }
        let before = (number < connection.high).then(|| connection.sent_at(number));
        if before.is_some() {
            // Karn (RFC 6298 §3): the ACK of what leaves again measures no round trip.
            connection.timed = connection.timed.filter(|timed| timed.number < number);
        }
        self.segments.send(number, now, before);
        advance(connection, number);
    }

    /// A handshake, where there was one, measured a round trip: one since the start of the
    /// connection (§7.3), and one for step 1.
    fn take_handshake(&mut self, connection: &Connection, now: Time) {
        let srtt = connection.rto.smoothed_rtt();
        if !srtt.is_zero() {
            self.measure(now, srtt);
        }
    }

    /// A round trip was measured (step 1, §7.3).
    fn measure(&mut self, now: Time, rtt: Duration) {
        self.reordering.sample(now, rtt);
        if let Some(probe) = &mut self.probe {
            probe.measure();
        }
    }

    /// A segment has left: new data puts the probe off (§7.2).
    pub(crate) fn after_transmit(&mut self, connection: &mut Connection, now: Time) {
        if self.may_probe() {
            self.disarm(connection, now);
            self.arm_probe(connection, now);
        }
    }

    /// Takes the SACK blocks, lowest first, so that what an ACK tells at once is not reordering.
    fn take_blocks(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) -> Option<Sent> {
        let mut blocks = [SackBlock::default(); MOST_BLOCKS];
        let count = arrival.blocks.len().min(MOST_BLOCKS);
        let blocks = &mut blocks[..count];
        blocks.copy_from_slice(&arrival.blocks[..count]);
        blocks.sort_unstable_by_key(|block| block.start);
        let mut newest = None;
        for block in blocks {
            let block = SackBlock {
                start: block.start.max(connection.una),
                end: block.end.min(connection.high),
            };
            newest = newest.max(self.take(connection, block, arrival));
            self.segments.sack(block);
        }
        newest
    }

    /// Steps 2 and 3 for the segments of `block` that had not arrived before. Returns which of
    /// those that can be trusted was sent last.
    fn take(
        &mut self,
        connection: &Connection,
        block: SackBlock,
        arrival: &Arrival<'_>,
    ) -> Option<Sent> {
        let mut newest = None;
        let mut number = self.segments.first_missing(block.start);
        while number < block.end {
            let sent = (connection.sent_at(number), number);
            self.segments.remove(sent);
            let again = connection.was_retransmitted(number);
            if !again && number < self.highest_arrived {
                self.reordering.see();
            }
            self.highest_arrived = self.highest_arrived.max(number + 1);
            if !again || !self.may_be_the_original(connection, sent, arrival) {
                newest = newest.max(Some(sent));
            }
            number = self.segments.first_missing(number + 1);
        }
        newest
    }

    /// Step 2: whether the ACK of a segment that left again may be that of an earlier transmission.
    fn may_be_the_original(
        &self,
        connection: &Connection,
        (sent_at, number): Sent,
        arrival: &Arrival<'_>,
    ) -> bool {
        let echoed = connection.config.timestamps && number < arrival.number;
        (echoed && arrival.timestamp < sent_at)
            || arrival.now.saturating_since(sent_at) < self.reordering.minimum_rtt()
    }

    /// Step 2, the end.
    fn advance_newest(&mut self, newest: Option<Sent>, now: Time) {
        if let Some((sent_at, _)) = newest {
            self.rtt = now.saturating_since(sent_at);
            self.newest = self.newest.max(newest);
        }
    }

    /// Steps 4 and 5: marks what is overdue.
    fn detect(&mut self, connection: &Connection, now: Time) -> Detected {
        let mut detected = Detected::default();
        let Some(newest) = self.newest else {
            return detected;
        };
        let grace = self.grace(connection);
        while let Some(sent) = self.segments.oldest().filter(|sent| *sent < newest) {
            if sent.0.saturating_add(grace) > now {
                let last = self.segments.latest_before(newest);
                detected.look_again = last.map(|(sent_at, _)| sent_at.saturating_add(grace));
                break;
            }
            self.segments.lose(sent);
            detected.lost.push(sent.1);
            if connection.was_retransmitted(sent.1) && sent.0 >= self.reduced_at {
                detected.retransmission = detected.retransmission.max(Some(sent.1));
            }
        }
        detected
    }

    /// How long after it left a segment is overdue.
    fn grace(&self, connection: &Connection) -> Duration {
        let enough = u64::from(connection.duplicate_ack_threshold());
        let loss_is_likely = self.phase != Phase::Open || self.segments.sacked() >= enough;
        let srtt = connection.rto.smoothed_rtt();
        let window = self.reordering.window(loss_is_likely, srtt);
        self.rtt.saturating_add(window)
    }

    /// Looks for losses, answers them, and sets the timer that is due.
    fn look(&mut self, connection: &mut Connection, now: Time) {
        let detected = self.detect(connection, now);
        let mut lost = detected.lost.as_slice();
        if self.phase == Phase::Open && self.segments.first_lost().is_some() {
            let first = lost.split_off_first().copied();
            self.begin_recovery(connection, now, first);
        }
        for &number in lost {
            if detected.retransmission == Some(number) {
                // §9.3: without proportional rate reduction, one more reduction.
                let flight = outstanding(connection);
                let again = Lost {
                    newest: number,
                    packets: 1,
                };
                tell_loss(connection, now, flight, again);
                self.reduced_at = now;
            } else {
                tell_further_loss(connection, now, number);
            }
        }
        if let Some(at) = detected.look_again {
            self.set_alarm(connection, Kind::Reordering, at);
        } else if self.may_probe() {
            self.arm_probe(connection, now);
        }
    }

    /// `found` is the first segment that was found lost now.
    fn begin_recovery(&mut self, connection: &mut Connection, now: Time, found: Option<u64>) {
        self.phase = Phase::Recovery {
            point: connection.high,
        };
        self.reduced_at = now;
        self.forget_probe();
        let lost = Lost {
            newest: found.unwrap_or(connection.una),
            packets: u64::from(found.is_some()),
        };
        fast_retransmit(connection, now, outstanding(connection), lost);
        if let Some(lost) = self.segments.first_lost() {
            connection.forced = Forced::Retransmission(lost);
        }
    }

    /// The retransmission timer expired (§6.3).
    fn time_out(&mut self, connection: &mut Connection, now: Time) {
        let una = connection.una;
        self.phase = Phase::AfterTimeout {
            point: connection.high,
        };
        self.reduced_at = now;
        self.forget_probe();
        let in_network = self.segments.in_network();
        self.segments
            .distrust(una, |number| connection.sent_at(number));
        self.segments.lose((connection.sent_at(una), una));
        let grace = self.grace(connection);
        while let Some(sent) = self.segments.oldest() {
            if sent.0.saturating_add(grace) > now {
                break;
            }
            self.segments.lose(sent);
        }
        let lost = in_network - self.segments.in_network();
        expire(connection, now, lost);
        connection.timed = None;
        connection.restart_timer(now);
        connection.forced = Forced::Retransmission(una);
    }

    fn send_probe(&mut self, connection: &mut Connection, now: Time) {
        let Some(probe) = &mut self.probe else {
            return;
        };
        // §7.3: new data, whatever the congestion window; else the highest segment again.
        let new = connection.can_send_new();
        connection.forced = if new {
            Forced::Next
        } else {
            Forced::Retransmission(connection.high - 1)
        };
        probe.send(connection.high + u64::from(new), !new);
        connection.statistics.tail_loss_probes += 1;
        connection.restart_timer(now);
    }

    fn ends_recovery(&self, number: u64) -> bool {
        match self.phase {
            Phase::Open => false,
            Phase::Recovery { point } | Phase::AfterTimeout { point } => number >= point,
        }
    }

    fn is_recovering(&self) -> bool {
        matches!(self.phase, Phase::Recovery { .. })
    }

    fn forget_probe(&mut self) {
        if let Some(probe) = &mut self.probe {
            probe.forget();
        }
    }

    /// §7.2: not while other timers and rules see to losses.
    fn may_probe(&self) -> bool {
        self.phase == Phase::Open
            && self.segments.sacked() == 0
            && self.segments.in_network() > 0
            && self.probe.is_some_and(TailLossProbe::may_leave)
            && !matches!(self.alarm, Some(alarm) if alarm.kind == Kind::Reordering)
    }

    fn arm_probe(&mut self, connection: &mut Connection, now: Time) {
        let srtt = connection.rto.smoothed_rtt();
        let timeout = TailLossProbe::timeout(srtt, self.segments.in_network());
        let at = now.saturating_add(timeout);
        let limited = connection.deadline.map_or(at, |deadline| at.min(deadline));
        self.set_alarm(connection, Kind::Probe, limited);
    }

    /// One timer for all (§8): what is set now displaces the retransmission timeout.
    fn set_alarm(&mut self, connection: &mut Connection, kind: Kind, at: Time) {
        if let Some(timeout) = connection.deadline {
            self.alarm = Some(Alarm { kind, timeout });
            connection.deadline = Some(at);
        }
    }

    /// The timer is the retransmission timer again; if that would have expired meanwhile, it does
    /// now.
    fn disarm(&mut self, connection: &mut Connection, now: Time) {
        if let Some(alarm) = self.alarm.take() {
            connection.deadline = Some(alarm.timeout.max(now));
        }
    }
}

impl LossRecovery for Rack {
    const SELECTIVE: bool = true;

    fn on_new_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        let now = arrival.now;
        self.disarm(connection, now);
        let from = connection.una;
        let acknowledged = connection.acknowledge(arrival);
        if let Some(rtt) = connection.statistics.last_rtt {
            self.measure(now, rtt);
        }
        let everything = SackBlock {
            start: from,
            end: arrival.number,
        };
        let cumulative = self.take(connection, everything, arrival);
        self.segments.acknowledge(arrival.number);
        let selective = self.take_blocks(connection, arrival);
        self.advance_newest(cumulative.max(selective), now);
        let was_recovering = self.is_recovering();
        if self.ends_recovery(arrival.number) {
            self.phase = Phase::Open;
        }
        connection.next = connection.high; // nothing ever goes back
        connection.duplicates = 0;
        connection.take_rtt(arrival);
        connection.restart_or_stop_timer(now);
        self.look(connection, now);
        let progress = Progress {
            in_flight: self.segments.in_network(),
            in_recovery: was_recovering
                || self.is_recovering()
                || (arrival.ece && connection.answers_marks()),
        };
        connection.tell_ack(arrival, &acknowledged, progress);
    }

    fn on_duplicate_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>) {
        connection.next = connection.high;
        let before = self.segments.sacked();
        let newest = self.take_blocks(connection, arrival);
        if self.segments.sacked() == before {
            return;
        }
        connection.duplicates += 1;
        self.disarm(connection, arrival.now);
        self.advance_newest(newest, arrival.now);
        self.look(connection, arrival.now);
        let progress = Progress {
            in_flight: self.segments.in_network(),
            in_recovery: self.is_recovering(),
        };
        connection.tell_selection(arrival, progress);
    }

    /// The timer expired, whichever it was set for.
    fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        let kind = self.alarm.map(|alarm| alarm.kind);
        self.disarm(connection, now);
        match kind {
            Some(Kind::Reordering) => self.look(connection, now),
            Some(Kind::Probe) => self.send_probe(connection, now),
            None => self.time_out(connection, now),
        }
        if kind != Some(Kind::Probe) {
            connection.allow_burst();
        }
    }

    fn undo(&mut self) {
        self.phase = Phase::Open;
        self.reordering.see();
        self.segments.recall_lost();
    }

    fn next_segment(&self, connection: &Connection) -> Option<u64> {
        let window = connection.window();
        if self.segments.in_network() >= window {
            return None;
        }
        // F-RTO asks for new data first (RFC 5682 §2.1 step 2b).
        let waits = matches!(connection.doubt, Some(Doubt::FRto(FRto::SecondAck)));
        if !waits && let Some(lost) = self.segments.first_lost() {
            return Some(lost);
        }
        if self.phase == Phase::Open && !connection.config.limited_transmit {
            return connection.next_within(window);
        }
        connection.next_within(u64::MAX)
    }

    fn in_flight(&self, _connection: &Connection) -> u64 {
        self.segments.in_network()
    }
}

/// Blocks that an ACK has room for.
const MOST_BLOCKS: usize = 4;
