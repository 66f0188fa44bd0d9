//! The set of pending events, in total order.
//!
//! A 4-ary heap: shallower than a binary one, and the four children of an entry lie side by side.

/// A pending event. Earlier first; at equal times, the one scheduled first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// When, in picoseconds.
    pub time: u64,
    /// Order of scheduling.
    pub sequence: u64,
    /// What.
    pub id: u32,
}

impl Pending {
    #[inline]
    fn before(&self, other: &Self) -> bool {
        (self.time, self.sequence) < (other.time, other.sequence)
    }
}

/// Pending events, earliest first.
#[derive(Clone, Debug, Default)]
pub struct PendingSet {
    heap: Vec<Pending>,
}

impl PendingSet {
    /// Number of pending events.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// The earliest event.
    #[inline]
    pub fn first(&self) -> Option<&Pending> {
        self.heap.first()
    }

    /// Adds an event.
    #[inline]
    pub fn push(&mut self, event: Pending) {
        self.heap.push(event);
        let mut at = self.heap.len() - 1;
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if !event.before(&self.heap[parent]) {
                break;
            }
            self.heap[at] = self.heap[parent];
            at = parent;
        }
        self.heap[at] = event;
    }

    /// Removes the earliest event.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(last) = self.heap.pop()
            && !self.heap.is_empty()
        {
            self.replace_first(last);
        }
    }

    /// Puts `event` in the place of the earliest one.
    ///
    /// # Panics
    /// When nothing is pending.
    #[inline]
    pub fn replace_first(&mut self, event: Pending) {
        let heap = &mut self.heap[..];
        let mut at = 0;
        loop {
            let first = at * ARITY + 1;
            if first >= heap.len() {
                break;
            }
            let end = (first + ARITY).min(heap.len());
            let mut least = first;
            for child in first + 1..end {
                if heap[child].before(&heap[least]) {
                    least = child;
                }
            }
            if !heap[least].before(&event) {
                break;
            }
            heap[at] = heap[least];
            at = least;
        }
        heap[at] = event;
    }
}

const ARITY: usize = 4;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever is pushed comes out sorted by time, then by order of scheduling.
        #[test]
        fn events_come_out_in_total_order(times in prop::collection::vec(0_u64..20, 1..200)) {
            let mut set = PendingSet::default();
            let mut expected: Vec<(u64, u64)> = Vec::new();
            for (sequence, time) in (0_u64..).zip(&times) {
                set.push(Pending { time: *time, sequence, id: 0 });
                expected.push((*time, sequence));
            }
            expected.sort_unstable();
            let mut out = Vec::new();
            while let Some(first) = set.first() {
                out.push((first.time, first.sequence));
                set.pop();
            }
            prop_assert_eq!(out, expected);
        }

        /// Replacing the first event is the same as removing it and adding the other.
        #[test]
        fn replacing_is_removing_and_adding(
            times in prop::collection::vec(0_u64..50, 1..100),
            later in 0_u64..100,
        ) {
            let mut one = PendingSet::default();
            for (sequence, time) in (0_u64..).zip(&times) {
                one.push(Pending { time: *time, sequence, id: 0 });
            }
            let mut other = one.clone();
            let event = Pending { time: later, sequence: 1_000, id: 1 };
            one.replace_first(event);
            other.pop();
            other.push(event);
            while let (Some(a), Some(b)) = (one.first(), other.first()) {
                prop_assert_eq!(a, b);
                one.pop();
                other.pop();
            }
            prop_assert!(one.is_empty() && other.is_empty());
        }
    }
}
