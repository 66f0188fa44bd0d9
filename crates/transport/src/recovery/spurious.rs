//! Retransmissions that had no cause: from the doubt to the undoing. A part that every recovery of
//! the RFCs can use.
//!
//! The response follows RFC 4015 §3.2: what the controller cut is put back, sending goes on with new
//! data, and after a false timeout the round trip just seen enters the timer.
//!
//! Differs from RFC 4015: the controller restores its whole state, without the limit on the burst that
//! may follow ([`max_burst`](crate::SenderConfig::max_burst) is that limit); the ACK's round trip is
//! taken as a sample once more, as of any ACK.
//!
//! D-SACK finds it late, when the retransmissions have been acknowledged: then what is left of going
//! back goes on and the timer stays, as RFC 4015 has it for such a finding (`LATE_SPUR_TO`); the late
//! ACKs were samples already.

use units::Time;

use super::eifel::Eifel;
use super::f_rto::FRto;
use crate::config::SpuriousDetection;
use crate::connection::{Arrival, Connection};
use crate::d_sack;

/// A retransmission of which it is not known yet whether it had a cause.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Doubt {
    Eifel(Eifel),
    FRto(FRto),
}

/// Why a segment was sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    FastRetransmit,
    /// The timer expired; `again` of the same segment.
    Timeout {
        again: bool,
    },
}

/// What an ACK says about the last retransmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// It had a cause, or nothing can be said.
    Nothing,
    /// It had none.
    Spurious,
    /// The next ACK will tell, if new data leaves meanwhile.
    SendNew,
}

/// Segment `una` is about to be sent again.
pub(super) fn doubt(connection: &mut Connection, now: Time, cause: Cause) {
    connection.doubt = match (connection.config.spurious, cause) {
        (SpuriousDetection::Eifel, Cause::Timeout { again: true }) => connection.doubt,
        (SpuriousDetection::Eifel, _) => {
            let timeout = matches!(cause, Cause::Timeout { .. });
            Some(Doubt::Eifel(Eifel::new(now, timeout)))
        }
        (SpuriousDetection::FRto, Cause::Timeout { again: false }) => {
            Some(Doubt::FRto(FRto::new(connection.high)))
        }
        (SpuriousDetection::FRto | SpuriousDetection::Ignore | SpuriousDetection::DSack, _) => None,
    };
    let (una, again) = (connection.una, cause == Cause::Timeout { again: true });
    if let Some(reports) = &mut connection.reports
        && !again
    {
        reports.begin(una, cause != Cause::FastRetransmit);
    }
    if let Some(threshold) = &mut connection.threshold {
        match cause {
            Cause::FastRetransmit => threshold.on_fast_retransmit(una),
            Cause::Timeout { again: false } => threshold.on_timeout(),
            Cause::Timeout { again: true } => {}
        }
    }
}

/// Looks for the report of a duplicate. If it shows that the last reduction had no cause, whether
/// that was for a timeout.
pub(super) fn hear(connection: &mut Connection, arrival: &Arrival<'_>) -> Option<bool> {
    let una = connection.una;
    let reports = connection.reports.as_mut()?;
    let block = d_sack::duplicate(arrival.number, arrival.blocks)?;
    reports.on_report(block, una, arrival.blocks.len() == 1)
}

/// Whether an ACK that does not advance tells of a duplicate that arrived, and of nothing else: no
/// sign of a loss to a sender that knows such reports.
pub(super) fn is_report(connection: &Connection, arrival: &Arrival<'_>) -> bool {
    connection.reports.is_some()
        && arrival.blocks.len() == 1
        && d_sack::duplicate(arrival.number, arrival.blocks).is_some()
}

/// Asks the ACK that arrived.
pub(super) fn ask(connection: &mut Connection, arrival: &Arrival<'_>) -> Finding {
    let Some(doubt) = connection.doubt else {
        return Finding::Nothing;
    };
    let advances = arrival.number > connection.una;
    let finding = match doubt {
        // Duplicates say nothing yet.
        Doubt::Eifel(_) if !advances => return Finding::Nothing,
        Doubt::Eifel(eifel) => eifel.on_new_ack(arrival),
        Doubt::FRto(f_rto) => f_rto.on_ack(arrival, advances),
    };
    if finding != Finding::SendNew {
        connection.doubt = None;
    }
    if finding == Finding::Nothing && matches!(doubt, Doubt::FRto(FRto::SecondAck)) {
        connection.next = connection.una; // goes back after all
    }
    finding
}

/// Undoes what the retransmission did to window and timer.
pub(super) fn respond(connection: &mut Connection, arrival: &Arrival<'_>, timed_out: bool) {
    respond_late(connection, timed_out);
    connection.next = connection.high;
    if timed_out && connection.config.timestamps {
        let rtt = arrival.now.saturating_since(arrival.timestamp);
        connection.rto.after_spurious_timeout(rtt);
    }
}

/// The same, when the retransmissions have been acknowledged.
pub(super) fn respond_late(connection: &mut Connection, timed_out: bool) {
    connection.statistics.undone += 1;
    connection.tell_spurious();
    connection.reduction = None;
    connection.timed_out_at = None;
    if let Some(threshold) = &mut connection.threshold {
        threshold.on_spurious(timed_out);
    }
}

/// After the first ACK that may show a false timeout: new data, if there is any that may leave.
pub(super) fn send_new(connection: &mut Connection) {
    let back = connection.next;
    connection.next = connection.high;
    if connection.can_send_new() {
        connection.forced = crate::connection::Forced::Next;
        connection.doubt = Some(Doubt::FRto(FRto::SecondAck));
    } else {
        connection.next = back;
        connection.doubt = None;
    }
}
