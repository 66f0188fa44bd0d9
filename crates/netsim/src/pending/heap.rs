//! 4-ary heaps: shallower than binary ones, and the four children of an event lie side by side.

use super::{Event, Rank};

/// Events, earliest first: two heaps, so that the short waits of a few senders do not sink past the
/// timeouts of all.
#[derive(Clone, Debug, Default)]
pub(super) struct Heaps {
    soon: Heap,
    later: Heap,
}

#[derive(Clone, Debug, Default)]
struct Heap {
    events: Vec<Event>,
}

impl Heaps {
    /// Whether the first event stands in `soon`.
    #[inline]
    fn begins_soon(&self) -> bool {
        match (self.soon.events.first(), self.later.events.first()) {
            (Some(soon), Some(later)) => soon.comes_before(later),
            (soon, _) => soon.is_some(),
        }
    }

    pub(super) fn first(&self) -> Option<&Event> {
        let heap = if self.begins_soon() {
            &self.soon
        } else {
            &self.later
        };
        heap.events.first()
    }

    /// Whether the first event comes before that key.
    #[inline]
    pub(super) fn comes_before(&self, key: (u64, Rank)) -> bool {
        self.first()
            .is_some_and(|first| (first.time, first.rank) < key)
    }

    /// `soon` decides only how fast that is.
    pub(super) fn push(&mut self, event: Event, soon: bool) {
        if soon {
            self.soon.push(event);
        } else {
            self.later.push(event);
        }
    }

    /// Removes the earliest event.
    pub(super) fn pop(&mut self) -> Option<Event> {
        if self.begins_soon() {
            self.soon.pop()
        } else {
            self.later.pop()
        }
    }
}

impl Heap {
    fn push(&mut self, event: Event) {
        self.events.push(event);
        let mut at = self.events.len() - 1;
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if !event.comes_before(&self.events[parent]) {
                break;
            }
            self.events[at] = self.events[parent];
            at = parent;
        }
        self.events[at] = event;
    }

    /// Removes the earliest event.
    fn pop(&mut self) -> Option<Event> {
        let last = self.events.pop()?;
        let events = &mut self.events[..];
        let Some(&first) = events.first() else {
            return Some(last);
        };
        let mut at = 0;
        loop {
            let start = at * ARITY + 1;
            if start >= events.len() {
                break;
            }
            let mut least = start;
            for child in start + 1..(start + ARITY).min(events.len()) {
                if events[child].comes_before(&events[least]) {
                    least = child;
                }
            }
            if !events[least].comes_before(&last) {
                break;
            }
            events[at] = events[least];
            at = least;
        }
        events[at] = last;
        Some(first)
    }
}

const ARITY: usize = 4;
