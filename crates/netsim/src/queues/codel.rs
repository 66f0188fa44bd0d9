//! CoDel: drops from the head what has waited too long for too long, at growing frequency.
//!
//! Follows RFC 8289, with the marking of Linux's `codel_impl.h` and RFC 8290 §4.3 where a packet
//! understands ECN.
//!
//! Differs from Linux: the square root of the control law is exact unless
//! [`ControlLaw::Newton`] is chosen, and a sojourn that has been above target for exactly an
//! interval counts as long enough.

use units::choice::{self, Choice, Kind, Parameter, Parameters, Value, Word};
use units::{Bytes, Duration, Ecn, Time};

use super::departure::Line;
use super::{Departing, DepartureDiscipline, DropReason, Dropped, Limit, Waiting};
use super::{Discipline, Queue};

/// The discipline as scenario files choose it.
pub(super) const DISCIPLINE: Discipline = Discipline {
    about: Choice {
        name: "codel",
        doc: "Drops from the head what has waited longer than a target for an interval, at growing \
              frequency.",
        source: "RFC 8289",
        keys: &[
            TARGET,
            INTERVAL,
            MTU,
            Parameter::new(
                "ecn",
                Kind::Flag,
                Value::Flag(false),
                "Marks packets that understand ECN instead of dropping them.",
            ),
            CE_THRESHOLD,
            L4S,
            CONTROL_LAW,
        ],
        rule: choice::any,
    },
    needs_rate: true,
    usual_packets: Some(1_000),
    build: |parameters, place| {
        let codel = CoDelParameters::of(parameters);
        Queue::at_departure(CoDel::new(codel, place.limit))
    },
};

pub(super) const TARGET: Parameter = Parameter::new(
    "target",
    Kind::DurationOverZero,
    Value::Duration(Duration::from_millis(5)),
    "Waiting time that is acceptable for as long as it lasts (RFC 8289 §4.3). At least the time that \
     a full packet takes to be sent.",
);
pub(super) const INTERVAL: Parameter = Parameter::new(
    "interval",
    Kind::DurationOverZero,
    Value::Duration(Duration::from_millis(100)),
    "How long the target may be exceeded: about the longest round trip (RFC 8289 §4.2).",
);
pub(super) const MTU: Parameter = Parameter::new(
    "mtu",
    Kind::Bytes {
        min: 0,
        max: 65_535,
    },
    Value::Bytes(Bytes(1_514)),
    "Nothing is dropped while no more than this waits behind it (RFC 8289 §5.4; Linux: the device's).",
);
pub(super) const CE_THRESHOLD: Parameter = Parameter::new(
    "ce_threshold",
    Kind::DurationOverZero,
    Value::Otherwise("none"),
    "Waiting time above which packets that understand ECN are marked in any case (Linux).",
);
pub(super) const L4S: Parameter = Parameter::new(
    "l4s",
    Kind::Flag,
    Value::Flag(false),
    "Packets with ECT(1) or CE see the ce_threshold alone (RFC 9331).",
);
pub(super) const CONTROL_LAW: Parameter = Parameter::new(
    "control_law",
    Kind::Words(&[
        Word::new(
            "exact",
            "The interval over the root of the count.",
            "RFC 8289 §5.5",
        ),
        Word::new(
            "newton",
            "With the root in 16 bits, corrected by one step with each drop: the second distance is \
             half of the first.",
            "Linux, codel_impl.h",
        ),
    ]),
    Value::Choice("exact"),
    "How the time from one drop to the next is worked out.",
);

/// The CoDel queue.
#[derive(Clone, Debug)]
pub struct CoDel {
    parameters: CoDelParameters,
    limit: Limit,
    waiting: Line,
    state: CoDelState,
    ce_threshold_marks: u64,
}

/// Parameters of CoDel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoDelParameters {
    /// Sojourn that is acceptable as long as it lasts. Default: 5 ms (RFC 8289 §4.3).
    pub target: Duration,
    /// How long it may be exceeded, about the longest round trip. Default: 100 ms (RFC 8289 §4.2).
    pub interval: Duration,
    /// Where no more than this waits behind a packet, it is not dropped. Default: 1514 B, a frame
    /// of Ethernet, as Linux has it (RFC 8289 §5.4, `maxpacket`).
    pub mtu: Bytes,
    /// Whether packets that understand ECN are marked instead of dropped. Default: false.
    pub ecn: bool,
    /// Sojourn above which what understands ECN is marked in any case (Linux, `ce_threshold`).
    /// Default: none.
    pub ce_threshold: Option<Duration>,
    /// Whether packets with ECT(1), or CE already, see the `ce_threshold` alone (RFC 9331).
    /// Default: false.
    pub l4s: bool,
    /// How the square root of the control law is taken. Default: [`ControlLaw::Exact`].
    pub control_law: ControlLaw,
}

impl Default for CoDelParameters {
    fn default() -> Self {
        Self {
            target: Duration::from_millis(5),
            interval: Duration::from_millis(100),
            mtu: Bytes(1_514),
            ecn: false,
            ce_threshold: None,
            l4s: false,
            control_law: ControlLaw::Exact,
        }
    }
}

impl CoDelParameters {
    /// As scenario files have them.
    pub(super) fn of(parameters: &Parameters) -> Self {
        Self {
            target: parameters.duration("target"),
            interval: parameters.duration("interval"),
            mtu: parameters.bytes("mtu"),
            ecn: parameters.flag("ecn"),
            ce_threshold: match parameters.value("ce_threshold") {
                Value::Duration(threshold) => Some(threshold),
                _ => None,
            },
            l4s: parameters.flag("l4s"),
            control_law: match parameters.choice("control_law") {
                "newton" => ControlLaw::Newton,
                _ => ControlLaw::Exact,
            },
        }
    }
}

/// The distance from one drop to the next is the interval over the square root of their count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlLaw {
    /// To the last bit (RFC 8289 §5.5).
    Exact,
    /// In 16 bits, corrected by one step of Newton's method with each drop, as Linux and ns-3 have
    /// it: the second distance is a half of the first, not 1/√2 of it.
    Newton,
}

impl CoDel {
    /// A queue in which at most `limit` may wait.
    pub fn new(parameters: CoDelParameters, limit: Limit) -> Self {
        Self {
            parameters,
            limit,
            waiting: Line::default(),
            state: CoDelState::default(),
            ce_threshold_marks: 0,
        }
    }
}

impl DepartureDiscipline for CoDel {
    fn enqueue(&mut self, packet: Waiting, dropped: &mut Vec<Dropped>) {
        if packet.found_idle || self.limit.has_room(self.waiting.backlog(), packet.size) {
            self.waiting.push(packet);
        } else {
            let reason = DropReason::Full;
            dropped.push(Dropped { packet, reason });
        }
    }

    fn dequeue(&mut self, now: Time, dropped: &mut Vec<Dropped>) -> Option<Departing> {
        let mut at = Dequeue {
            now,
            parameters: &self.parameters,
            waiting: &mut self.waiting,
            dropped,
            threshold_marks: &mut self.ce_threshold_marks,
        };
        self.state.dequeue(&mut at)
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("count", f64::from(self.state.count));
        visit("dropping", f64::from(u8::from(self.state.dropping)));
        visit("ce_threshold_marks", self.ce_threshold_marks as f64);
    }
}

/// What CoDel knows of a queue (RFC 8289 §5.3).
#[derive(Clone, Debug)]
pub(super) struct CoDelState {
    /// When the sojourn will have been above target for an interval.
    first_above: Option<Time>,
    /// When the next packet is dropped, while `dropping`; else when it would have been.
    drop_next: Time,
    /// Packets dropped since the state was entered, more or less.
    pub(super) count: u32,
    /// `count` when the state was entered last.
    last_count: u32,
    dropping: bool,
    /// 1/√count in units of 2⁻¹⁶, by Newton's method.
    reciprocal_root: u16,
}

/// A queue at the instant at which CoDel is asked for a packet of it.
pub(super) struct Dequeue<'a> {
    pub(super) now: Time,
    pub(super) parameters: &'a CoDelParameters,
    pub(super) waiting: &'a mut Line,
    pub(super) dropped: &'a mut Vec<Dropped>,
    /// Packets marked for the threshold alone.
    pub(super) threshold_marks: &'a mut u64,
}

impl Default for CoDelState {
    fn default() -> Self {
        Self {
            first_above: None,
            drop_next: Time::ZERO,
            count: 0,
            last_count: 0,
            dropping: false,
            reciprocal_root: u16::MAX,
        }
    }
}

impl CoDelState {
    /// The next packet (RFC 8289 §5.5).
    pub(super) fn dequeue(&mut self, at: &mut Dequeue<'_>) -> Option<Departing> {
        let (packet, too_long) = self.take(at);
        let was_dropping = self.dropping;
        self.dropping &= too_long;
        let mut packet = packet?;
        if at.parameters.l4s && matches!(packet.ecn, Ecn::Ect1 | Ecn::Ce) {
            return Some(at.deliver(packet, false));
        }
        if was_dropping {
            while self.dropping && at.now >= self.drop_next {
                self.add_one(at.parameters);
                if at.can_mark(&packet) {
                    self.drop_next = self.after(self.drop_next, at.parameters);
                    return Some(at.deliver(packet, true));
                }
                at.drop(packet);
                let (next, still_too_long) = self.take(at);
                self.dropping = still_too_long;
                packet = next?;
                if self.dropping {
                    self.drop_next = self.after(self.drop_next, at.parameters);
                }
            }
        } else if too_long {
            self.enter(at);
            if at.can_mark(&packet) {
                return Some(at.deliver(packet, true));
            }
            at.drop(packet);
            packet = self.take(at).0?;
        }
        Some(at.deliver(packet, false))
    }

    /// Takes the packet at the head; also, whether the sojourn has been above target for an
    /// interval.
    fn take(&mut self, at: &mut Dequeue<'_>) -> (Option<Waiting>, bool) {
        let Some(packet) = at.waiting.pop() else {
            self.first_above = None;
            return (None, false);
        };
        let CoDelParameters { target, mtu, .. } = *at.parameters;
        if packet.sojourn(at.now) < target || at.waiting.backlog().bytes <= mtu {
            self.first_above = None;
            return (Some(packet), false);
        }
        let interval = at.parameters.interval;
        let first = self
            .first_above
            .get_or_insert(at.now.saturating_add(interval));
        (Some(packet), at.now >= *first)
    }

    /// Begins to drop: where it was dropping not long ago, at about the rate of then.
    fn enter(&mut self, at: &Dequeue<'_>) {
        self.dropping = true;
        let recent = at.parameters.interval.saturating_mul(RECENT_INTERVALS);
        let more = self.count.saturating_sub(self.last_count);
        if more > 1 && at.now.saturating_since(self.drop_next) < recent {
            self.count = more;
            self.step_root();
        } else {
            self.count = 1;
            self.reciprocal_root = u16::MAX;
        }
        self.drop_next = self.after(at.now, at.parameters);
        self.last_count = self.count;
    }

    fn add_one(&mut self, parameters: &CoDelParameters) {
        self.count = self.count.saturating_add(1);
        if parameters.control_law == ControlLaw::Newton {
            self.step_root();
        }
    }

    /// One step of Newton's method: r ← r (3 − count r²) / 2, in the fixed point of Linux.
    fn step_root(&mut self) {
        let root = u64::from(self.reciprocal_root) << 16;
        let squared = (root * root) >> 32;
        let rest = (3_u64 << 32).saturating_sub(u64::from(self.count).saturating_mul(squared)) >> 2;
        self.reciprocal_root = ((rest * root) >> 31 >> 16) as u16;
    }

    /// The control law: when the next drop falls due after one at `time`.
    fn after(&self, time: Time, parameters: &CoDelParameters) -> Time {
        let interval = parameters.interval.as_picos();
        let apart = match parameters.control_law {
            ControlLaw::Exact => (interval as f64 / f64::from(self.count).sqrt()) as u64,
            ControlLaw::Newton => {
                ((u128::from(interval) * u128::from(self.reciprocal_root)) >> 16) as u64
            }
        };
        time.saturating_add(Duration::from_picos(apart))
    }
}

impl Dequeue<'_> {
    fn can_mark(&self, packet: &Waiting) -> bool {
        self.parameters.ecn && packet.ecn.is_capable()
    }

    fn drop(&mut self, packet: Waiting) {
        let reason = DropReason::Early;
        self.dropped.push(Dropped { packet, reason });
    }

    fn deliver(&mut self, packet: Waiting, mut mark: bool) -> Departing {
        let threshold = self.parameters.ce_threshold;
        let over = threshold.is_some_and(|threshold| packet.sojourn(self.now) > threshold);
        if over && !mark && packet.ecn.is_capable() {
            mark = true;
            *self.threshold_marks += 1;
        }
        Departing { packet, mark }
    }
}

/// RFC 8289 §5.5: where the last drop is no longer ago than so many intervals, dropping goes on at
/// about the rate of then.
const RECENT_INTERVALS: u64 = 16;

#[cfg(test)]
mod tests;
