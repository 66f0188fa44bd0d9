//! Drop-tail that marks: what finds a threshold reached gets the CE mark, what finds no room is
//! dropped.
//!
//! The switch of RFC 8257 §3.1 (DCTCP), whose K is the threshold here. As with the source quench of
//! a link, what waits when the packet arrives counts, and a threshold that is just reached is
//! enough.

use super::{Arrival, ArrivalDiscipline, DropTail, Verdict};

/// The drop-tail queue that marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marking {
    queue: DropTail,
    /// In packets.
    threshold: u64,
}

impl Marking {
    /// `queue`, with a mark on what finds `threshold` packets waiting or more.
    pub const fn new(queue: DropTail, threshold: u64) -> Self {
        Self { queue, threshold }
    }
}

impl ArrivalDiscipline for Marking {
    fn admit(&mut self, arrival: &Arrival) -> Verdict {
        let verdict = self.queue.admit(arrival);
        // RFC 3168 §5: only a packet that understands marks may be marked.
        let marks = arrival.backlog.packets >= self.threshold && arrival.ecn.is_capable();
        match verdict {
            Verdict::Queue if marks => Verdict::Mark,
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use units::{Bytes, Ecn, Time};

    use super::*;
    use crate::queues::{Backlog, DropReason, Limit};

    #[test]
    fn marks_from_the_threshold_on_what_understands_it_and_drops_at_the_limit() {
        let mut queue = Marking::new(DropTail::new(Limit::Packets(9)), 7);
        let mut verdict = |waiting, ecn| {
            queue.admit(&Arrival {
                now: Time::ZERO,
                size: Bytes(586),
                ecn,
                backlog: Backlog {
                    packets: waiting,
                    bytes: Bytes(586) * waiting,
                },
                idle_since: None,
            })
        };
        assert_eq!(verdict(6, Ecn::Ect0), Verdict::Queue);
        assert_eq!(verdict(7, Ecn::Ect0), Verdict::Mark);
        assert_eq!(verdict(8, Ecn::NotEct), Verdict::Queue);
        assert_eq!(verdict(9, Ecn::Ect0), Verdict::Drop(DropReason::Full));
    }
}
