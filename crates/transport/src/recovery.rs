//! Loss recovery: how a sender learns of a loss and repairs it, apart from the window law.
//!
//! One file for each recovery; [`crate::ns2`] has those of ns-2.35.
//!
//! Choices that the RFCs leave open, the same in all:
//! * the retransmission timer restarts when a fast retransmit leaves (RFC 6675 §6 allows it for
//!   SACK; 4.3BSD and ns-2 do so for all), otherwise the retransmission would time out when the
//!   minimum timeout is below two round trips;
//! * after a timeout the sender goes back to the oldest unacknowledged segment and sends on from
//!   there, in slow start, and begins no fast retransmit until all that was out is acknowledged;
//! * limited transmit (RFC 3042) goes on for every duplicate ACK below the threshold D, also where
//!   D is not 3; OldTahoe, which has no fast retransmit, has no limited transmit.

mod d_sack;
mod eifel;
mod f_rto;
mod genie;
mod new_reno;
mod rack;
mod reno;
mod sack;
mod spurious;
mod tahoe;
mod tail_loss_probe;
mod threshold;
mod vegas;

use controllers::{Episode, Signal};
use units::Time;

use crate::config::{Recovery, SenderConfig};
use crate::connection::{
    Acknowledged, Arrival, CongestionSign, Connection, Forced, Progress, Reduction, is_past,
};
pub(crate) use d_sack::Reports;
use genie::Genie;
use new_reno::NewReno;
use rack::Rack;
use reno::Reno;
use sack::Sack;
pub(crate) use spurious::Doubt;
use spurious::{Cause, Finding};
use tahoe::Tahoe;
pub(crate) use threshold::Threshold;
use vegas::Vegas;

/// What a loss recovery does when something uncommon happens.
pub(crate) trait LossRecovery {
    /// It goes by selective ACKs.
    const SELECTIVE: bool = false;

    /// An ACK for segments not acknowledged before.
    fn on_new_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>);

    /// An ACK that repeats the last one while data is outstanding.
    fn on_duplicate_ack(&mut self, connection: &mut Connection, arrival: &Arrival<'_>);

    /// The retransmission timer expired.
    fn on_timeout(&mut self, connection: &mut Connection, now: Time);

    /// The retransmission that is being repaired had no cause: as if it had not been.
    fn undo(&mut self);

    /// The segment that may leave now within the window.
    fn next_segment(&self, connection: &Connection) -> Option<u64>;

    /// Packets in the network.
    fn in_flight(&self, connection: &Connection) -> u64;
}

/// The loss recovery of a sender.
#[derive(Debug)]
pub(crate) enum Repair {
    Tahoe(Tahoe),
    Reno(Reno),
    NewReno(NewReno),
    Sack(Box<Sack>),
    Vegas(Vegas),
    Rack(Box<Rack>),
    Genie(Box<Genie>),
}

impl Repair {
    pub(crate) fn new(config: &SenderConfig) -> Self {
        match config.recovery {
            Recovery::OldTahoe => Self::Tahoe(Tahoe::without_fast_retransmit()),
            Recovery::Tahoe => Self::Tahoe(Tahoe::new()),
            Recovery::Reno => Self::Reno(Reno::default()),
            Recovery::NewReno => Self::NewReno(NewReno::default()),
            Recovery::Sack => Self::Sack(Box::new(Sack::new(config.duplicate_ack_threshold))),
            Recovery::Vegas => Self::Vegas(Vegas::default()),
            Recovery::Rack => Self::Rack(Box::new(Rack::new(config.tail_loss_probe))),
            Recovery::Genie => Self::Genie(Box::default()),
        }
    }

    /// An ACK arrived that acknowledges nothing beyond what was sent.
    #[inline]
    pub(crate) fn on_arrival(&mut self, connection: &mut Connection, arrival: Arrival<'_>) {
        let common = connection.plain
            && arrival.number > connection.una
            && arrival.blocks.is_empty()
            && !arrival.ece;
        if common {
            acknowledge(connection, &arrival);
            connection.allow_burst();
        } else {
            self.on_uncommon_arrival(connection, arrival);
        }
    }

    /// By value, so that the common way keeps the arrival in registers.
    #[inline(never)]
    fn on_uncommon_arrival(&mut self, connection: &mut Connection, arrival: Arrival<'_>) {
        let arrival = &arrival;
        connection.marks += u64::from(arrival.ece);
        match self {
            Self::NewReno(recovery) => by_the_rfcs(recovery, connection, arrival),
            Self::Tahoe(recovery) => by_the_rfcs(recovery, connection, arrival),
            Self::Reno(recovery) => by_the_rfcs(recovery, connection, arrival),
            Self::Sack(recovery) => by_the_rfcs(&mut **recovery, connection, arrival),
            Self::Vegas(recovery) => by_the_rfcs(recovery, connection, arrival),
            Self::Rack(recovery) => {
                recovery.examine(connection, arrival);
                by_the_rfcs(&mut **recovery, connection, arrival);
            }
            Self::Genie(recovery) => by_the_rfcs(&mut **recovery, connection, arrival),
        }
        self.find_plain(connection);
    }

    pub(crate) fn on_timeout(&mut self, connection: &mut Connection, now: Time) {
        match self {
            Self::Tahoe(recovery) => recovery.on_timeout(connection, now),
            Self::Reno(recovery) => recovery.on_timeout(connection, now),
            Self::NewReno(recovery) => recovery.on_timeout(connection, now),
            Self::Sack(recovery) => recovery.on_timeout(connection, now),
            Self::Vegas(recovery) => recovery.on_timeout(connection, now),
            Self::Rack(recovery) => recovery.on_timeout(connection, now),
            Self::Genie(recovery) => recovery.on_timeout(connection, now),
        }
        self.find_plain(connection);
    }

    /// The segment that may leave now within the window.
    #[inline]
    pub(crate) fn next_segment(&self, connection: &Connection) -> Option<u64> {
        if connection.plain {
            return connection.next_within(connection.window());
        }
        self.next_in_recovery(connection)
    }

    #[inline(never)]
    fn next_in_recovery(&self, connection: &Connection) -> Option<u64> {
        match self {
            Self::Tahoe(recovery) => recovery.next_segment(connection),
            Self::Reno(recovery) => recovery.next_segment(connection),
            Self::NewReno(recovery) => recovery.next_segment(connection),
            Self::Sack(recovery) => recovery.next_segment(connection),
            Self::Vegas(recovery) => recovery.next_segment(connection),
            Self::Rack(recovery) => recovery.next_segment(connection),
            Self::Genie(recovery) => recovery.next_segment(connection),
        }
    }

    /// Segment `number` is about to leave. Called before it is accounted for.
    #[inline]
    pub(crate) fn on_transmit(&mut self, connection: &mut Connection, number: u64, now: Time) {
        if connection.plain {
            advance(connection, number);
        } else {
            self.on_transmit_in_recovery(connection, number, now);
        }
    }

    #[inline(never)]
    fn on_transmit_in_recovery(&mut self, connection: &mut Connection, number: u64, now: Time) {
        match self {
            Self::Tahoe(_) | Self::Reno(_) | Self::NewReno(_) | Self::Vegas(_) => {
                advance(connection, number);
            }
            Self::Genie(recovery) => recovery.on_transmit(connection, number),
            Self::Sack(recovery) => recovery.on_transmit(connection, number),
            Self::Rack(recovery) => recovery.on_transmit(connection, number, now),
        }
    }

    /// Packets in the network.
    #[inline]
    pub(crate) fn in_flight(&self, connection: &Connection) -> u64 {
        if connection.plain {
            return outstanding(connection);
        }
        self.in_flight_in_recovery(connection)
    }

    #[inline(never)]
    fn in_flight_in_recovery(&self, connection: &Connection) -> u64 {
        match self {
            Self::NewReno(recovery) => recovery.in_flight(connection),
            Self::Reno(recovery) => recovery.in_flight(connection),
            Self::Sack(recovery) => recovery.in_flight(connection),
            Self::Vegas(recovery) => recovery.in_flight(connection),
            Self::Rack(recovery) => recovery.in_flight(connection),
            Self::Genie(recovery) => recovery.in_flight(connection),
            Self::Tahoe(_) => outstanding(connection),
        }
    }

    /// The network lost the last transmission of segment `number`: only a genie listens.
    pub(crate) fn on_lost(&mut self, connection: &mut Connection, number: u64) {
        if let Self::Genie(recovery) = self {
            recovery.on_lost(number);
            self.find_plain(connection);
        }
    }

    fn find_plain(&self, connection: &mut Connection) {
        connection.plain = connection.config.pacing.is_none()
            && match self {
                Self::Tahoe(_) => true,
                Self::Genie(recovery) => recovery.is_plain(connection),
                Self::Reno(recovery) => recovery.is_plain(),
                Self::NewReno(recovery) => recovery.is_plain(),
                Self::Sack(recovery) => recovery.is_plain(),
                // Every ACK counts, and to RACK every segment sent.
                Self::Vegas(_) | Self::Rack(_) => false,
            }
            && connection.doubt.is_none();
    }
}

/// An ACK, for the recoveries that follow the RFCs.
#[inline]
fn by_the_rfcs<R: LossRecovery>(
    recovery: &mut R,
    connection: &mut Connection,
    arrival: &Arrival<'_>,
) {
    if arrival.ece && connection.answers_marks() {
        on_ecn_echo(connection, arrival, recovery.in_flight(connection));
    }
    if !arrival.blocks.is_empty() {
        if R::SELECTIVE && arrival.number >= connection.una {
            connection.select(arrival);
        }
        if let Some(timed_out) = spurious::hear(connection, arrival) {
            recovery.undo();
            spurious::respond_late(connection, timed_out);
        }
    }
    let finding = if connection.doubt.is_some() && arrival.number >= connection.una {
        ask(recovery, connection, arrival)
    } else {
        Finding::Nothing
    };
    if arrival.number > connection.una {
        recovery.on_new_ack(connection, arrival);
        if finding == Finding::SendNew {
            spurious::send_new(connection);
        }
        connection.allow_burst();
    } else if arrival.number == connection.una && connection.una < connection.high {
        connection.statistics.last_rtt = None;
        if !spurious::is_report(connection, arrival) {
            if let Some(threshold) = &mut connection.threshold {
                threshold.on_duplicate(connection.una);
            }
            recovery.on_duplicate_ack(connection, arrival);
        }
        connection.allow_burst();
    }
}

/// Asks whether the last retransmission had a cause, and undoes it if not.
#[cold]
fn ask<R: LossRecovery>(
    recovery: &mut R,
    connection: &mut Connection,
    arrival: &Arrival<'_>,
) -> Finding {
    let timed_out = !matches!(connection.doubt, Some(Doubt::Eifel(eifel)) if !eifel.timeout);
    let finding = spurious::ask(connection, arrival);
    if finding == Finding::Spurious {
        recovery.undo();
        spurious::respond(connection, arrival, timed_out);
    }
    finding
}

/// RFC 3168 §6.1.2: at most one reduction for each window of data.
fn on_ecn_echo(connection: &mut Connection, arrival: &Arrival<'_>, in_flight: u64) {
    let reduced_until = connection.reduction.map(|reduction| reduction.until);
    if !is_past(reduced_until, arrival.number) {
        return;
    }
    connection.reduction = Some(Reduction {
        until: connection.high,
        for_mark: true,
    });
    connection.tell_congestion(CongestionSign {
        now: arrival.now,
        signal: Signal::EcnEcho,
        episode: Episode::Begins,
        lost_packets: 0,
        newest: connection.high.saturating_sub(1),
        flight_size: connection.packets(in_flight),
    });
}

/// An ACK outside recovery: takes the sample, restarts the timer, lets the window grow.
#[inline]
fn acknowledge(connection: &mut Connection, arrival: &Arrival<'_>) -> Acknowledged {
    let acknowledged = connection.acknowledge(arrival);
    connection.duplicates = 0;
    connection.limited = 0;
    connection.take_rtt(arrival);
    connection.restart_or_stop_timer(arrival.now);
    let progress = Progress {
        in_flight: outstanding(connection),
        in_recovery: arrival.ece && connection.answers_marks(),
    };
    connection.tell_ack(arrival, &acknowledged, progress);
    acknowledged
}

/// RFC 3042: on a duplicate ACK below the threshold, one new segment beyond the window.
fn limited_transmit(connection: &mut Connection) {
    let beyond = connection
        .window()
        .saturating_add(u64::from(connection.duplicates));
    if connection.config.limited_transmit
        && connection.next == connection.high
        && connection.next_within(beyond).is_some()
    {
        connection.forced = Forced::Next;
        connection.limited += 1;
    }
}

/// What is lost.
#[derive(Clone, Copy, Debug)]
struct Lost {
    /// The newest segment of it.
    newest: u64,
    /// How many that the controller has not been told of.
    packets: u64,
}

impl Lost {
    fn oldest(connection: &Connection) -> Self {
        Self {
            newest: connection.una,
            packets: 1,
        }
    }
}

/// Tells the controller of a loss found by duplicate ACKs and retransmits the oldest segment.
fn fast_retransmit(connection: &mut Connection, now: Time, flight: u64, lost: Lost) {
    connection.statistics.fast_retransmits += 1;
    let flight = flight.saturating_sub(connection.limited);
    if tell_loss(connection, now, flight, lost) {
        spurious::doubt(connection, now, Cause::FastRetransmit);
    }
    resend_oldest(connection, now);
}

/// The oldest segment leaves again, at once.
fn resend_oldest(connection: &mut Connection, now: Time) {
    connection.limited = 0;
    connection.timed = None;
    connection.restart_timer(now);
    connection.forced = Forced::Retransmission(connection.una);
}

/// Tells the controller of a loss that was not found before; returns whether it is to reduce.
fn tell_loss(connection: &mut Connection, now: Time, flight: u64, lost: Lost) -> bool {
    // A window that was reduced for a mark is not reduced again for a loss (RFC 3168 §6.1.2).
    let reduced = connection
        .reduction
        .is_some_and(|last| last.for_mark && connection.una <= last.until);
    connection.tell_congestion(CongestionSign {
        now,
        signal: Signal::Loss,
        episode: if reduced {
            Episode::Continues
        } else {
            Episode::Begins
        },
        lost_packets: lost.packets,
        newest: lost.newest,
        flight_size: connection.packets(flight),
    });
    connection.reduction = Some(Reduction {
        until: connection.high,
        for_mark: false,
    });
    if !reduced {
        connection.doubt = None; // what may be undone is the last reduction only
    }
    !reduced
}

/// Tells the controller that segment `number` is lost too, in a recovery that has begun.
fn tell_further_loss(connection: &mut Connection, now: Time, number: u64) {
    connection.tell_congestion(CongestionSign {
        now,
        signal: Signal::Loss,
        episode: Episode::Continues,
        lost_packets: 1,
        newest: number,
        flight_size: connection.packets(outstanding(connection)),
    });
}

/// The timer expired: slow start from the oldest segment, which leaves at once. `lost` packets
/// were in the network.
fn time_out(connection: &mut Connection, now: Time, lost: u64) {
    expire(connection, now, lost);
    go_back(connection, now);
}

/// The timer expired: tells the controller, and the next timeout is twice as long.
fn expire(connection: &mut Connection, now: Time, lost: u64) {
    // RFC 5681 §3.1: the threshold stays when the same segment times out again.
    let again = connection.timed_out_at == Some(connection.una);
    connection.timed_out_at = Some(connection.una);
    connection.statistics.timeouts += 1;
    connection.tell_congestion(CongestionSign {
        now,
        signal: Signal::Timeout,
        episode: if again {
            Episode::Continues
        } else {
            Episode::Begins
        },
        lost_packets: lost,
        newest: connection.next.saturating_sub(1).max(connection.una),
        flight_size: connection.packets(outstanding(connection)),
    });
    spurious::doubt(connection, now, Cause::Timeout { again });
    connection.rto.back_off();
    connection.reduction = Some(Reduction {
        until: connection.high,
        for_mark: false,
    });
    connection.duplicates = 0;
    connection.limited = 0;
}

/// Sends on from the oldest segment, which leaves at once.
fn go_back(connection: &mut Connection, now: Time) {
    connection.timed = None;
    connection.next = connection.una;
    connection.restart_timer(now);
    connection.forced = Forced::Next;
    connection.allow_burst();
}

/// Segments sent, since the last timeout, and not acknowledged.
#[inline]
pub(crate) fn outstanding(connection: &Connection) -> u64 {
    connection.next - connection.una
}

/// What leaves is the next in line, or a retransmission.
#[inline]
pub(crate) fn advance(connection: &mut Connection, number: u64) {
    if number == connection.next {
        connection.next = number + 1;
    }
}
