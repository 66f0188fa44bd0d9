//! What is pending, in total order: by time, and at equal times by rank.
//!
//! Packets on their way stand in a wheel: buckets of equal width over the near future, each an
//! unsorted list that is threaded through the packets' own places. A bucket is sorted when its
//! time comes. What is too far ahead for the wheel, and timers, stand in heaps; the earliest of
//! the fronts is next. The wheel chooses its width and size from the events it sees, so that
//! a bucket holds about one. None of this changes the order in which events come out.

mod heap;

use heap::Heaps;

/// Pending events, earliest first, and the items on their way.
#[derive(Clone, Debug)]
pub struct PendingSet<T> {
    nodes: Vec<Node<T>>,
    /// Head of the list of free nodes.
    free: u32,
    /// Head of the list of items whose buckets' time has come, earliest first.
    due: u32,
    wheel: Wheel,
    heaps: Heaps,
    /// Time of the heaps' first event, or the latest possible.
    heap_front: u64,
    fitting: Fitting,
}

/// An event that stands in a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Event {
    /// When, in picoseconds.
    time: u64,
    /// Its place among those of the same time.
    rank: Rank,
    /// What.
    id: u32,
}

/// The place of an event among those of the same time: by `order`, then by `number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    /// Compared first.
    pub order: u64,
    /// Compared last.
    pub number: u32,
}

impl Event {
    #[inline]
    fn comes_before(&self, other: &Self) -> bool {
        self.time < other.time || (self.time == other.time && self.rank < other.rank)
    }
}

/// An item's place: one line of the cache, where the item is small.
#[derive(Clone, Copy, Debug)]
struct Node<T> {
    item: T,
    /// [`FREE`] where there is no item.
    time: u64,
    order: u64,
    number: u32,
    /// The next of the same list: of a bucket, of what is due, of free nodes.
    next: u32,
}

impl<T> Node<T> {
    #[inline]
    fn rank(&self) -> Rank {
        Rank {
            order: self.order,
            number: self.number,
        }
    }

    #[inline]
    fn key(&self) -> (u64, Rank) {
        (self.time, self.rank())
    }
}

/// What the wheel is fitted by.
#[derive(Clone, Copy, Debug)]
struct Fitting {
    /// Events since the wheel was fitted, and how many are enough to fit it again.
    events: u64,
    enough: u64,
    /// When it was fitted last.
    at: u64,
}

impl<T: Copy> Default for PendingSet<T> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            free: NONE,
            due: NONE,
            wheel: Wheel::new(LEAST_BUCKETS, FIRST_SHIFT, 0),
            heaps: Heaps::default(),
            heap_front: u64::MAX,
            fitting: Fitting {
                events: 0,
                enough: LEAST_EVENTS,
                at: 0,
            },
        }
    }
}

impl<T: Copy> PendingSet<T> {
    /// Gives an item a place; it is not yet pending.
    #[inline]
    pub fn insert(&mut self, item: T) -> u32 {
        let rank = Rank {
            order: 0,
            number: 0,
        };
        self.place(item, 0, rank)
    }

    /// Gives an item a place and makes it pending, as [`schedule`](Self::schedule) does.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else the item is copied twice")]
    pub fn add(&mut self, item: T, time: u64, rank: Rank) {
        let id = self.place(item, time, rank);
        self.link(id, time);
    }

    #[inline]
    fn place(&mut self, item: T, time: u64, rank: Rank) -> u32 {
        if self.free == NONE {
            self.grow(&item);
        }
        let id = self.free;
        let node = &mut self.nodes[id as usize];
        self.free = node.next;
        *node = Node {
            item,
            time,
            order: rank.order,
            number: rank.number,
            next: NONE,
        };
        id
    }

    /// Makes a free node, which holds a copy of `item` so as to hold something.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, item: &T) {
        let id = self.nodes.len() as u32;
        assert!(id < TIMER, "two billion packets in flight at most");
        self.nodes.push(Node {
            item: *item,
            time: FREE,
            order: 0,
            number: 0,
            next: NONE,
        });
        self.free = id;
    }

    /// Takes an item that is not pending out of its place.
    #[inline]
    pub fn remove(&mut self, id: u32) -> T {
        let node = &mut self.nodes[id as usize];
        node.time = FREE;
        node.next = self.free;
        self.free = id;
        node.item
    }

    /// The item with this place.
    #[inline]
    pub fn item(&self, id: u32) -> &T {
        &self.nodes[id as usize].item
    }

    /// The item with this place.
    #[inline]
    pub fn item_mut(&mut self, id: u32) -> &mut T {
        &mut self.nodes[id as usize].item
    }

    /// Keeps a rank with an item that is not pending.
    pub fn set_rank(&mut self, id: u32, rank: Rank) {
        let node = &mut self.nodes[id as usize];
        node.order = rank.order;
        node.number = rank.number;
    }

    /// The rank kept with an item, or that with which it is pending.
    pub fn rank(&self, id: u32) -> Rank {
        self.nodes[id as usize].rank()
    }

    /// All items, in no particular order.
    pub fn items(&self) -> impl Iterator<Item = &T> {
        let live = self.nodes.iter().filter(|node| node.time != FREE);
        live.map(|node| &node.item)
    }

    /// Makes an item that is not pending so. `time` is not earlier than that of the event taken
    /// last.
    #[inline]
    pub fn schedule(&mut self, id: u32, time: u64, rank: Rank) {
        let node = &mut self.nodes[id as usize];
        node.time = time;
        node.order = rank.order;
        node.number = rank.number;
        self.link(id, time);
    }

    /// Puts an item into its bucket.
    #[inline]
    fn link(&mut self, id: u32, time: u64) {
        if let Some(bucket) = self.wheel.bucket_for(time) {
            self.nodes[id as usize].next = std::mem::replace(bucket, id);
        } else {
            self.link_apart(id);
        }
    }

    /// For a time that has no bucket: among what is due, or beyond the wheel.
    #[inline(never)]
    fn link_apart(&mut self, id: u32) {
        let time = self.nodes[id as usize].time;
        if time >> self.wheel.shift > self.wheel.slot {
            self.push_heap(id);
        } else {
            self.add_due(id);
        }
    }

    /// Puts an item among those that are due, or into a heap where its place is far down.
    #[inline]
    fn add_due(&mut self, id: u32) {
        let key = self.nodes[id as usize].key();
        let mut before = NONE;
        let mut next = self.due;
        let mut steps = 0;
        while let Some(node) = self.nodes.get(next as usize)
            && node.key() < key
        {
            before = next;
            next = node.next;
            steps += 1;
            if steps == LONGEST_WALK {
                return self.push_heap(id);
            }
        }
        self.nodes[id as usize].next = next;
        if before == NONE {
            self.due = id;
        } else {
            self.nodes[before as usize].next = id;
        }
    }

    #[cold]
    fn push_heap(&mut self, id: u32) {
        let (time, rank) = self.nodes[id as usize].key();
        self.push(Event { time, rank, id });
    }

    fn push(&mut self, event: Event) {
        self.heap_front = self.heap_front.min(event.time);
        let soon = self.wheel.reaches(event.time);
        self.heaps.push(event, soon);
    }

    /// Makes timer `id` pending; it may be pending already.
    pub fn schedule_timer(&mut self, id: u32, time: u64, rank: Rank) {
        let id = id | TIMER;
        self.push(Event { time, rank, id });
    }

    /// Takes out the earliest event, unless it is later than `until`.
    #[inline]
    pub fn take(&mut self, until: u64) -> Option<Taken> {
        if let Some(first) = self.nodes.get(self.due as usize)
            && first.time < self.heap_front
            && first.time <= until
        {
            let (time, id) = (first.time, self.due);
            self.due = first.next;
            return Some(Taken::Item { time, id });
        }
        self.take_slowly(until)
    }

    /// When nothing is due, or perhaps not first.
    #[inline(never)]
    fn take_slowly(&mut self, until: u64) -> Option<Taken> {
        if self.due == NONE {
            match self.wheel.turn(until.min(self.heap_front)) {
                Some(head) => self.load(head),
                None => return self.take_from_heap(until),
            }
        }
        let first = self.nodes.get(self.due as usize)?;
        if first.time >= self.heap_front && self.heaps.comes_before(first.key()) {
            return self.take_from_heap(until);
        }
        if first.time > until {
            return None;
        }
        let (time, id) = (first.time, self.due);
        self.due = first.next;
        Some(Taken::Item { time, id })
    }

    #[inline(never)]
    fn take_from_heap(&mut self, until: u64) -> Option<Taken> {
        if self.heap_front > until {
            return None;
        }
        let Event { time, id, .. } = self.heaps.pop()?;
        self.heap_front = self.heaps.first().map_or(u64::MAX, |first| first.time);
        if self.due == NONE {
            self.wheel.turn_to(time);
        }
        if id & TIMER != 0 {
            let id = id & !TIMER;
            return Some(Taken::Timer { time, id });
        }
        self.count(1, time);
        Some(Taken::Item { time, id })
    }

    /// Sorts the list of a bucket into what is due.
    #[inline]
    fn load(&mut self, mut id: u32) {
        let mut next = self.nodes[id as usize].next;
        let mut events = 1;
        if next == NONE {
            self.due = id;
        } else {
            // What was scheduled last stands first and is mostly the latest: each goes to the
            // front.
            self.add_due(id);
            while let Some(node) = self.nodes.get(next as usize) {
                (id, next) = (next, node.next);
                self.add_due(id);
                events += 1;
            }
        }
        self.count(events, self.wheel.slot << self.wheel.shift);
    }

    #[inline]
    fn count(&mut self, events: u64, now: u64) {
        self.fitting.events += events;
        if self.fitting.events >= self.fitting.enough {
            self.fit(now);
        }
    }

    /// Fits the wheel to the events of late: a bucket as wide as they are apart, and buckets as
    /// far ahead as they reach.
    #[cold]
    #[inline(never)]
    fn fit(&mut self, now: u64) {
        let passed = now.saturating_sub(self.fitting.at);
        let shift = (passed / self.fitting.events).max(1).ilog2() + WIDENING;
        let pending = self.nodes.iter().filter(|node| node.time != FREE);
        let furthest = pending.map(|node| node.time).max().unwrap_or(now);
        let buckets = (furthest.saturating_sub(now) >> shift)
            .saturating_mul(2)
            .clamp(LEAST_BUCKETS as u64, MOST_BUCKETS as u64)
            .next_power_of_two() as usize;
        self.fitting = Fitting {
            events: 0,
            enough: LEAST_EVENTS.max(EVENTS_FOR_EACH_NODE * self.nodes.len() as u64),
            at: now,
        };
        let grown = buckets.ilog2().abs_diff(self.wheel.buckets.len().ilog2()) > 1;
        if shift.abs_diff(self.wheel.shift) <= 1 && !grown {
            return;
        }
        // What is due already stays so, and so does what comes before the last of it.
        let mut latest_due = now;
        let mut id = self.due;
        while let Some(node) = self.nodes.get(id as usize) {
            latest_due = latest_due.max(node.time);
            id = node.next;
        }
        let wheel = Wheel::new(buckets, shift, latest_due);
        let old = std::mem::replace(&mut self.wheel, wheel);
        for head in old.buckets {
            let mut id = head;
            while let Some(node) = self.nodes.get(id as usize) {
                let (time, next) = (node.time, node.next);
                self.link(id, time);
                id = next;
            }
        }
    }
}

/// What was taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// An item's time has come.
    Item {
        /// When, in picoseconds.
        time: u64,
        /// Its place.
        id: u32,
    },
    /// A timer's time has come.
    Timer {
        /// When, in picoseconds.
        time: u64,
        /// Its number.
        id: u32,
    },
}

/// Buckets over the near future. Slot `time >> shift` stands in the bucket of that number modulo
/// their count.
#[derive(Clone, Debug)]
struct Wheel {
    /// First node of each bucket's list.
    buckets: Vec<u32>,
    shift: u32,
    /// Buckets up to the one of this slot are empty, and what comes up to its end has none.
    slot: u64,
    /// Buckets that hold something.
    filled: usize,
}

impl Wheel {
    fn new(buckets: usize, shift: u32, now: u64) -> Self {
        Self {
            buckets: vec![NONE; buckets],
            shift,
            slot: now >> shift,
            filled: 0,
        }
    }

    /// The bucket for a time, which will hold something.
    #[inline]
    fn bucket_for(&mut self, time: u64) -> Option<&mut u32> {
        let slot = time >> self.shift;
        let ahead = slot.wrapping_sub(self.slot).wrapping_sub(1);
        if ahead >= self.buckets.len() as u64 - 1 {
            return None;
        }
        let at = slot as usize & (self.buckets.len() - 1);
        let bucket = &mut self.buckets[at];
        self.filled += usize::from(*bucket == NONE);
        Some(bucket)
    }

    /// Whether a time lies before the wheel's last bucket.
    fn reaches(&self, time: u64) -> bool {
        (time >> self.shift).saturating_sub(self.slot) < self.buckets.len() as u64
    }

    /// Nothing is due, and no bucket begins by `time`: slots up to there need no bucket.
    #[inline]
    fn turn_to(&mut self, time: u64) {
        self.slot = self.slot.max(time >> self.shift);
    }

    /// Empties the first bucket that holds something and gives its list; none where that begins
    /// later than `limit`.
    ///
    /// A bucket is about as wide as events are apart, so few are passed over for each event.
    #[inline]
    fn turn(&mut self, limit: u64) -> Option<u32> {
        let last = limit >> self.shift;
        while self.slot < last && self.filled > 0 {
            self.slot += 1;
            let at = self.slot as usize & (self.buckets.len() - 1);
            let bucket = &mut self.buckets[at];
            if *bucket != NONE {
                self.filled -= 1;
                return Some(std::mem::replace(bucket, NONE));
            }
        }
        None
    }
}

const NONE: u32 = u32::MAX;
/// Time of a free place; nothing is scheduled for it.
const FREE: u64 = u64::MAX;
/// Set in the ids of pending timers, clear in those of items.
const TIMER: u32 = 1 << 31;
/// Smallest wheel.
const LEAST_BUCKETS: usize = 64;
/// Largest wheel: 16 MiB.
const MOST_BUCKETS: usize = 1 << 22;
/// First width of a bucket: 2^20 ps, about a microsecond.
const FIRST_SHIFT: u32 = 20;
/// An item whose place is further down a list goes to a heap.
const LONGEST_WALK: u32 = 32;
/// Buckets are so many powers of two wider than events are apart.
const WIDENING: u32 = 3;
/// Events between two looks at whether the wheel still fits: at least so many, and so many for
/// each place.
const LEAST_EVENTS: u64 = 4_096;
const EVENTS_FOR_EACH_NODE: u64 = 16;

#[cfg(test)]
mod tests;
