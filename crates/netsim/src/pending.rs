//! The set of pending events, in total order: by time, and at equal times by order of scheduling.
//!
//! Most events are packets that arrive within a round trip. They stand in a wheel: buckets of
//! equal width over the near future, each a short sorted list. What is too far ahead for the
//! wheel, or would make a bucket's list long, stands in a heap; the earlier of the two fronts is
//! next. The wheel chooses its width and size from the events it sees, so that a bucket holds
//! about one. None of this changes the order in which events come out.

/// A pending event.
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
    fn key(&self) -> u128 {
        key(self.time, self.sequence)
    }
}

/// Pending events, earliest first.
#[derive(Clone, Debug)]
pub struct PendingSet {
    wheel: Wheel,
    heap: Heap,
    /// When the last event came out; nothing earlier is added.
    now: u64,
    /// Events to come before the wheel is fitted again, and what they are counted from.
    turns: u64,
    fitted: Fitted,
}

/// When the wheel was fitted, and how many events were to pass until the next time.
#[derive(Clone, Copy, Debug)]
struct Fitted {
    at: u64,
    turns: u64,
}

impl Default for PendingSet {
    fn default() -> Self {
        Self {
            wheel: Wheel::new(LEAST_BUCKETS, FIRST_SHIFT),
            heap: Heap::default(),
            now: 0,
            turns: LEAST_TURNS,
            fitted: Fitted {
                at: 0,
                turns: LEAST_TURNS,
            },
        }
    }
}

impl PendingSet {
    /// Makes room for events with ids below `count` in the wheel.
    pub fn set_id_count(&mut self, count: usize) {
        self.wheel.entries.resize(
            count,
            Entry {
                time: 0,
                sequence: 0,
                next: NONE,
            },
        );
    }

    /// Number of pending events.
    pub fn len(&self) -> usize {
        self.wheel.count + self.heap.events.len()
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes out the earliest event, unless it is later than `until`.
    #[inline]
    pub fn take(&mut self, until: u64) -> Option<Pending> {
        let in_wheel = self.wheel.front;
        let event = match self.heap.events.first() {
            Some(in_heap) if in_heap.key() < in_wheel.key() => {
                let event = *in_heap;
                if event.time > until {
                    return None;
                }
                self.heap.pop();
                event
            }
            _ => {
                if in_wheel.time > until || in_wheel.id == NONE {
                    return None;
                }
                self.wheel.remove_front();
                in_wheel
            }
        };
        self.now = event.time;
        self.turns -= 1;
        if self.turns == 0 {
            self.fit();
        }
        Some(event)
    }

    /// Adds an event whose id has no other event pending but those added by
    /// [`push_again`](Self::push_again). It is not earlier than the last one taken out.
    #[inline]
    pub fn push(&mut self, event: Pending) {
        if !self.wheel.add(&event, self.now) {
            self.heap.push(event);
        }
    }

    /// Adds an event whose id may have others pending.
    pub fn push_again(&mut self, event: Pending) {
        self.heap.push(event);
    }

    /// Fits the wheel to the events of late: a bucket as wide as they are apart, and buckets as
    /// far ahead as they reach.
    #[cold]
    #[inline(never)]
    fn fit(&mut self) {
        let passed = self.now - self.fitted.at;
        let shift = (passed / self.fitted.turns).max(1).ilog2();
        let ids = self.wheel.entries.len() as u64;
        self.turns = LEAST_TURNS.max(TURNS_FOR_EACH_ID * ids);
        self.fitted = Fitted {
            at: self.now,
            turns: self.turns,
        };
        let latest = self.wheel.latest().max(self.now);
        let reach = ((latest - self.now) >> shift).saturating_mul(2);
        let buckets = reach
            .clamp(LEAST_BUCKETS as u64, MOST_BUCKETS as u64)
            .next_power_of_two();
        let buckets = buckets as usize;
        let grown = buckets.ilog2().abs_diff(self.wheel.buckets.len().ilog2()) > 1;
        if shift.abs_diff(self.wheel.shift) <= 1 && !grown {
            return;
        }
        let mut wheel = Wheel::new(buckets, shift);
        let old = std::mem::take(&mut self.wheel.buckets);
        wheel.entries = std::mem::take(&mut self.wheel.entries);
        for bucket in old {
            let mut id = bucket.head;
            while id != NONE {
                let Entry {
                    time,
                    sequence,
                    next,
                } = wheel.entries[id as usize];
                let event = Pending { time, sequence, id };
                if !wheel.add(&event, self.now) {
                    self.heap.push(event);
                }
                id = next;
            }
        }
        self.wheel = wheel;
    }
}

/// Buckets over the near future. Bucket `time >> shift` stands at that number modulo their count.
#[derive(Clone, Debug)]
struct Wheel {
    buckets: Vec<Bucket>,
    /// One bit for each bucket: whether it holds something.
    occupied: Vec<u64>,
    shift: u32,
    /// By id.
    entries: Vec<Entry>,
    /// The earliest event; its id is `NONE`, and its time the latest possible, where there is none.
    front: Pending,
    count: usize,
    /// Latest time of an event that was added since this was last asked for, or refused as beyond
    /// the horizon.
    latest: u64,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    head: u32,
    tail: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    time: u64,
    sequence: u64,
    next: u32,
}

impl Wheel {
    fn new(buckets: usize, shift: u32) -> Self {
        Self {
            buckets: vec![
                Bucket {
                    head: NONE,
                    tail: NONE
                };
                buckets
            ],
            occupied: vec![0; buckets / 64],
            shift,
            entries: Vec::new(),
            front: NOTHING,
            count: 0,
            latest: 0,
        }
    }

    /// The latest event since this was last asked.
    fn latest(&mut self) -> u64 {
        std::mem::take(&mut self.latest)
    }

    #[inline]
    fn key_of(&self, id: u32) -> u128 {
        let entry = &self.entries[id as usize];
        key(entry.time, entry.sequence)
    }

    /// Adds an event, unless it is beyond the horizon or its place is far down a list.
    #[inline]
    fn add(&mut self, event: &Pending, now: u64) -> bool {
        self.latest = self.latest.max(event.time);
        let ahead = (event.time >> self.shift) - (now >> self.shift);
        if ahead >= self.buckets.len() as u64 {
            return false;
        }
        let at = (event.time >> self.shift) as usize & (self.buckets.len() - 1);
        let Bucket { head, tail } = self.buckets[at];
        let id = event.id;
        let mut next = NONE;
        if head == NONE {
            self.buckets[at] = Bucket { head: id, tail: id };
            self.occupied[at / 64] |= 1 << (at % 64);
        } else if self.key_of(tail) < event.key() {
            self.entries[tail as usize].next = id;
            self.buckets[at].tail = id;
        } else if event.key() < self.key_of(head) {
            next = head;
            self.buckets[at].head = id;
        } else {
            let mut before = head;
            let mut steps = 0;
            loop {
                next = self.entries[before as usize].next;
                if event.key() < self.key_of(next) {
                    break;
                }
                before = next;
                steps += 1;
                if steps == LONGEST_WALK {
                    return false;
                }
            }
            self.entries[before as usize].next = id;
        }
        self.entries[id as usize] = Entry {
            time: event.time,
            sequence: event.sequence,
            next,
        };
        self.count += 1;
        if event.key() < self.front.key() {
            self.front = *event;
        }
        true
    }

    /// Removes the earliest event.
    #[inline]
    fn remove_front(&mut self) {
        let at = (self.front.time >> self.shift) as usize & (self.buckets.len() - 1);
        let mut next = self.entries[self.front.id as usize].next;
        self.count -= 1;
        self.buckets[at].head = next;
        if next == NONE {
            self.occupied[at / 64] &= !(1 << (at % 64));
            if self.count == 0 {
                self.front = NOTHING;
                return;
            }
            next = self.buckets[self.occupied_from(at)].head;
        }
        let Entry { time, sequence, .. } = self.entries[next as usize];
        self.front = Pending {
            time,
            sequence,
            id: next,
        };
    }

    /// The first bucket that holds something, from `at` once round.
    #[inline]
    fn occupied_from(&self, at: usize) -> usize {
        let mut word = at / 64;
        let mut bits = self.occupied[word] & (u64::MAX << (at % 64));
        while bits == 0 {
            word = if word + 1 == self.occupied.len() {
                0
            } else {
                word + 1
            };
            bits = self.occupied[word];
        }
        word * 64 + bits.trailing_zeros() as usize
    }
}

/// A 4-ary heap: shallower than a binary one, and the four children of an event lie side by side.
#[derive(Clone, Debug, Default)]
struct Heap {
    events: Vec<Pending>,
}

impl Heap {
    fn push(&mut self, event: Pending) {
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
    fn pop(&mut self) {
        let Some(last) = self.events.pop() else {
            return;
        };
        let events = &mut self.events[..];
        if events.is_empty() {
            return;
        }
        let mut at = 0;
        loop {
            let first = at * ARITY + 1;
            let Some(least) =
                (first..(first + ARITY).min(events.len())).min_by_key(|child| events[*child].key())
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
    }
}

#[inline]
fn key(time: u64, sequence: u64) -> u128 {
    u128::from(time) << 64 | u128::from(sequence)
}

const NONE: u32 = u32::MAX;
const NOTHING: Pending = Pending {
    time: u64::MAX,
    sequence: u64::MAX,
    id: NONE,
};
const ARITY: usize = 4;
/// Smallest wheel.
const LEAST_BUCKETS: usize = 64;
/// Largest wheel: 32 MiB.
const MOST_BUCKETS: usize = 1 << 22;
/// First width of a bucket: 2^20 ps, about a microsecond.
const FIRST_SHIFT: u32 = 20;
/// An event whose place is further down a list goes to the heap.
const LONGEST_WALK: u32 = 16;
/// Events between two looks at whether the wheel still fits: at least so many, and so many for
/// each id.
const LEAST_TURNS: u64 = 4_096;
const TURNS_FOR_EACH_ID: u64 = 4;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Steps of a run: how far ahead the next event is, and whether to add or to take one.
    fn steps() -> impl Strategy<Value = Vec<(u64, bool)>> {
        let ahead = prop_oneof![Just(0_u64), 0..1_000_u64, 0..1_u64 << 22, 0..1_u64 << 40];
        prop::collection::vec((ahead, any::<bool>()), 1..2_000)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Whatever is added comes out by time, then by order of scheduling, and nothing is lost.
        #[test]
        fn events_come_out_in_total_order(steps in steps()) {
            let mut set = PendingSet::default();
            set.set_id_count(steps.len());
            let mut expected = std::collections::BTreeSet::new();
            let mut now = 0;
            for (sequence, (ahead, add)) in (0_u64..).zip(&steps) {
                if *add {
                    let event = Pending { time: now + ahead, sequence, id: sequence as u32 };
                    set.push(event);
                    expected.insert((event.time, sequence));
                } else if let Some(first) = set.take(u64::MAX) {
                    prop_assert_eq!(expected.pop_first(), Some((first.time, first.sequence)));
                    now = first.time;
                }
                prop_assert_eq!(set.len(), expected.len());
            }
            while let Some(first) = set.take(u64::MAX) {
                prop_assert_eq!(expected.pop_first(), Some((first.time, first.sequence)));
            }
            prop_assert!(expected.is_empty());
        }
    }

    #[test]
    fn the_wheel_fits_itself_and_keeps_the_order() {
        // Two hundred events that each come back after a time of their own, for 100,000 turns, in
        // three paces: the wheel must refit between them.
        let mut set = PendingSet::default();
        set.set_id_count(200);
        let mut sequence = 0;
        for id in 0..200 {
            set.push(Pending {
                time: u64::from(id) * 7,
                sequence,
                id,
            });
            sequence += 1;
        }
        let mut last = (0, 0);
        for turn in 0..100_000_u64 {
            let first = set.take(u64::MAX).unwrap();
            assert!(last < (first.time, first.sequence) || turn == 0);
            last = (first.time, first.sequence);
            let pace = [1_000, 1_000_000_000, 50_000][(turn / 33_334) as usize];
            let time = first.time + pace * (50 + u64::from(first.id) % 13);
            set.push(Pending {
                time,
                sequence,
                id: first.id,
            });
            sequence += 1;
        }
        assert_eq!(set.len(), 200);
    }

    #[test]
    fn many_events_in_one_bucket_stay_sorted() {
        let mut set = PendingSet::default();
        set.set_id_count(10_000);
        for sequence in 0..10_000_u64 {
            let time = (sequence * 7_919) % 1_000;
            set.push(Pending {
                time,
                sequence,
                id: sequence as u32,
            });
        }
        let mut last = None;
        while let Some(first) = set.take(u64::MAX) {
            assert!(last < Some((first.time, first.sequence)));
            last = Some((first.time, first.sequence));
        }
        assert_eq!(last.map(|(time, _)| time), Some(999));
    }
}
