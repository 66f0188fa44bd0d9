//! A 4-ary heap: shallower than a binary one, and the four children of an event lie side by side.

use super::{Event, Rank};

/// Events, earliest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Heap {
    events: Vec<Event>,
}

impl Heap {
    pub(super) fn first(&self) -> Option<&Event> {
        self.events.first()
    }

    /// Whether the first event comes before that key.
    #[inline]
    pub(super) fn comes_before(&self, key: (u64, Rank)) -> bool {
        let first = self.events.first();
        first.is_some_and(|first| first.key() < key)
    }

    pub(super) fn push(&mut self, event: Event) {
        self.events.push(event);
        let mut at = self.events.len() - 1;
        while at > 0 {
            let parent = (at - 1) / ARITY;
            if self.events[parent].key() < event.key() {
                break;
            }
            self.events[at] = self.events[parent];
            at = parent;
        }
        self.events[at] = event;
    }

    /// Removes the earliest event.
    pub(super) fn pop(&mut self) -> Option<Event> {
        let last = self.events.pop()?;
        let events = &mut self.events[..];
        let Some(&first) = events.first() else {
            return Some(last);
        };
        let mut at = 0;
        loop {
            let start = at * ARITY + 1;
            let Some(least) =
                (start..(start + ARITY).min(events.len())).min_by_key(|child| events[*child].key())
            else {
                break;
            };
            if last.key() < events[least].key() {
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
