//! FQ-CoDel: a CoDel queue for each flow, served in turn by their bytes; flows that are seldom
//! backlogged come first.
//!
//! Follows RFC 8290, where it leaves room as Linux's `sch_fq_codel.c`: over the limit the longest
//! queue loses half of its bytes, and a queue is served while its deficit is above zero.
//!
//! Differs from Linux: each CoDel looks at what its own queue holds (RFC 8290 §4.2), not at all
//! that waits, and memory is counted in bytes on the wire.

use units::choice::{self, Choice, Kind, Parameter, Value, Word};
use units::{Bytes, Time};

use super::codel::{CE_THRESHOLD, CONTROL_LAW, CoDelState, Dequeue, INTERVAL, L4S, MTU, TARGET};
use super::departure::Line;
use super::{
    Backlog, CoDelParameters, Departing, DepartureDiscipline, DropReason, Dropped, Waiting,
};
use super::{Discipline, Limit, Queue};

/// The discipline as scenario files choose it.
pub(super) const DISCIPLINE: Discipline = Discipline {
    about: Choice {
        name: "fq-codel",
        doc: "A CoDel queue for each flow, served in turn by their bytes; flows that are seldom \
              backlogged come first.",
        source: "RFC 8290",
        keys: &[
            Parameter::new(
                "hash",
                Kind::Words(&[
                    Word::new("perfect", "Each flow has a queue of its own.", ""),
                    Word::new(
                        "hashed",
                        "A salted hash of the flow's number says which queue.",
                        "RFC 8290 §4.1.1",
                    ),
                ]),
                Value::Choice("perfect"),
                "Which flows share a queue.",
            ),
            Parameter::new(
                "flows",
                Kind::Integer {
                    min: 1,
                    max: 65_536,
                },
                Value::Integer(1_024),
                "Number of queues where flows are hashed (RFC 8290 §5.2.6).",
            ),
            Parameter::new(
                "quantum",
                Kind::Bytes {
                    min: 1,
                    max: 1_000_000,
                },
                Value::Bytes(Bytes(1_514)),
                "Bytes that a queue may send in its turn (RFC 8290 §5.2.3).",
            ),
            Parameter::new(
                "memory_limit",
                Kind::Bytes {
                    min: 1,
                    max: 1 << 40,
                },
                Value::Bytes(Bytes(32 << 20)),
                "Most bytes that may wait (RFC 8290 §5.2.5). A limit in bytes counts as this, too.",
            ),
            Parameter::new(
                "drop_batch",
                Kind::Integer {
                    min: 1,
                    max: 65_536,
                },
                Value::Integer(64),
                "Most packets that the longest queue loses at once where there is no room (Linux).",
            ),
            TARGET,
            INTERVAL,
            MTU,
            Parameter::new(
                "ecn",
                Kind::Flag,
                Value::Flag(true),
                "Marks packets that understand ECN instead of dropping them.",
            ),
            CE_THRESHOLD,
            L4S,
            CONTROL_LAW,
        ],
        rule: choice::any,
    },
    needs_rate: true,
    usual_packets: Some(10_240),
    build: |parameters, mut place| {
        let memory = parameters.bytes("memory_limit");
        let (limit, memory_limit) = match place.limit {
            Limit::None => (u64::MAX, memory),
            Limit::Packets(packets) => (packets, memory),
            Limit::Bytes(bytes) => (u64::MAX, bytes.min(memory)),
        };
        let integer = |name| parameters.integer(name).expect("it has a default");
        Queue::at_departure(FqCoDel::new(FqCoDelParameters {
            codel: CoDelParameters::of(parameters),
            flows: match parameters.choice("hash") {
                "hashed" => Flows::Hashed {
                    queues: integer("flows") as u32,
                    salt: place.random.below(u64::MAX),
                },
                _ => Flows::Apart,
            },
            quantum: parameters.bytes("quantum"),
            limit,
            memory_limit,
            drop_batch: integer("drop_batch"),
        }))
    },
};

/// The FQ-CoDel queue.
#[derive(Clone, Debug)]
pub struct FqCoDel {
    parameters: FqCoDelParameters,
    /// By number: of the flow, or of what it is hashed to.
    queues: Vec<FlowQueue>,
    new: List,
    old: List,
    backlog: Backlog,
    ce_threshold_marks: u64,
}

/// Parameters of FQ-CoDel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FqCoDelParameters {
    /// Those of each flow's CoDel. Default: as CoDel's, but with `ecn` (RFC 8290 §5.2.7).
    pub codel: CoDelParameters,
    /// Which flows share a queue. Default: none.
    pub flows: Flows,
    /// Bytes that a queue may send in its turn. Default: 1514 B (RFC 8290 §5.2.3).
    pub quantum: Bytes,
    /// Most packets that may wait. Default: 10240 (RFC 8290 §5.2.4).
    pub limit: u64,
    /// Most bytes that may wait. Default: 32 MiB (RFC 8290 §5.2.5).
    pub memory_limit: Bytes,
    /// Most packets dropped at once where there is no room. Default: 64 (Linux).
    pub drop_batch: u64,
}

impl Default for FqCoDelParameters {
    fn default() -> Self {
        Self {
            codel: CoDelParameters {
                ecn: true,
                ..CoDelParameters::default()
            },
            flows: Flows::Apart,
            quantum: Bytes(1_514),
            limit: 10_240,
            memory_limit: Bytes(32 << 20),
            drop_batch: 64,
        }
    }
}

/// Which flows share a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flows {
    /// None: each has one of its own.
    Apart,
    /// Those that a salted hash of their number sends to the same of so many queues (RFC 8290
    /// §4.1.1), at least one.
    Hashed {
        /// Number of queues.
        queues: u32,
        /// Salt of the hash.
        salt: u64,
    },
}

/// The queue of a flow.
#[derive(Clone, Debug, Default)]
struct FlowQueue {
    waiting: Line,
    codel: CoDelState,
    /// Bytes that it may still send in this turn.
    deficit: i64,
    on_list: bool,
    /// The next on its list.
    next: Option<u32>,
}

/// Queues in the order of their turns, threaded through the queues themselves.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    first: Option<u32>,
    last: Option<u32>,
    length: u32,
}

impl FqCoDel {
    /// An empty queue.
    pub fn new(parameters: FqCoDelParameters) -> Self {
        Self {
            parameters,
            queues: Vec::new(),
            new: List::default(),
            old: List::default(),
            backlog: Backlog::default(),
            ce_threshold_marks: 0,
        }
    }

    /// Number of the queue of a flow.
    fn queue_of(&mut self, flow: u32) -> u32 {
        let number = match self.parameters.flows {
            Flows::Apart => flow,
            Flows::Hashed { queues, salt } => {
                (mix(salt ^ u64::from(flow)) % u64::from(queues)) as u32
            }
        };
        let least = number as usize + 1;
        if self.queues.len() < least {
            self.queues.resize_with(least, FlowQueue::default);
        }
        number
    }

    /// The longest queue loses packets from its head: half of its bytes, or a batch.
    fn drop_from_longest(&mut self, dropped: &mut Vec<Dropped>) {
        // The first of equals counts.
        let bytes = |queue: &FlowQueue| queue.waiting.backlog().bytes;
        let longest = self.queues.iter_mut().reduce(|longest, queue| {
            if bytes(queue) > bytes(longest) {
                queue
            } else {
                longest
            }
        });
        let Some(queue) = longest else { return };
        let before = bytes(queue);
        let mut packets = 0;
        while let Some(packet) = queue.waiting.pop() {
            let reason = DropReason::Full;
            dropped.push(Dropped { packet, reason });
            packets += 1;
            let half = 2 * (before - bytes(queue)).0 >= before.0;
            if half || u64::from(packets) >= self.parameters.drop_batch {
                break;
            }
        }
        queue.codel.count = queue.codel.count.saturating_add(packets);
        self.backlog.packets -= u64::from(packets);
        self.backlog.bytes -= before - bytes(queue);
    }
}

impl DepartureDiscipline for FqCoDel {
    fn enqueue(&mut self, packet: Waiting, dropped: &mut Vec<Dropped>) {
        let number = self.queue_of(packet.flow);
        let queue = &mut self.queues[number as usize];
        queue.waiting.push(packet);
        self.backlog.packets += 1;
        self.backlog.bytes += packet.size;
        if !queue.on_list {
            queue.on_list = true;
            queue.deficit = self.parameters.quantum.0.cast_signed();
            self.new.push(number, &mut self.queues);
        }
        let full = self.backlog.packets > self.parameters.limit
            || self.backlog.bytes > self.parameters.memory_limit;
        if full && !packet.found_idle {
            self.drop_from_longest(dropped);
        }
    }

    fn dequeue(&mut self, now: Time, dropped: &mut Vec<Dropped>) -> Option<Departing> {
        loop {
            let is_new = self.new.first.is_some();
            let list = if is_new { &mut self.new } else { &mut self.old };
            let number = list.first?;
            let queue = &mut self.queues[number as usize];
            if queue.deficit <= 0 {
                queue.deficit += self.parameters.quantum.0.cast_signed();
                list.pop(&mut self.queues);
                self.old.push(number, &mut self.queues);
                continue;
            }
            let before = queue.waiting.backlog();
            let departing = queue.codel.dequeue(&mut Dequeue {
                now,
                parameters: &self.parameters.codel,
                waiting: &mut queue.waiting,
                dropped,
                threshold_marks: &mut self.ce_threshold_marks,
            });
            let after = queue.waiting.backlog();
            self.backlog.packets -= before.packets - after.packets;
            self.backlog.bytes -= before.bytes - after.bytes;
            if let Some(departing) = departing {
                queue.deficit -= departing.packet.size.0.cast_signed();
                return Some(departing);
            }
            list.pop(&mut self.queues);
            if is_new && self.old.first.is_some() {
                // So that it cannot come before the others again at once.
                self.old.push(number, &mut self.queues);
            } else {
                self.queues[number as usize].on_list = false;
            }
        }
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("new_queues", f64::from(self.new.length));
        visit("old_queues", f64::from(self.old.length));
        visit("ce_threshold_marks", self.ce_threshold_marks as f64);
    }
}

impl List {
    fn push(&mut self, number: u32, queues: &mut [FlowQueue]) {
        queues[number as usize].next = None;
        match self.last.replace(number) {
            None => self.first = Some(number),
            Some(last) => queues[last as usize].next = Some(number),
        }
        self.length += 1;
    }

    fn pop(&mut self, queues: &mut [FlowQueue]) {
        let Some(first) = self.first else { return };
        self.first = queues[first as usize].next;
        if self.first.is_none() {
            self.last = None;
        }
        self.length -= 1;
    }
}

/// A hash of 64 bits: the finalizer of `SplitMix64` (Steele, Lea and Flood, 2014).
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests;
