//! What arrived and what was lost, each packet once, and the rate at which it arrives.

use controllers::{Properties, RateSample, RateSampler, Sent, SentState};
use units::{Bytes, Duration, Time};

use crate::history::Ring;
use crate::ranges::RangeSet;
use crate::segment::SackBlock;

/// Counts of a connection, in packets.
#[derive(Debug)]
pub(crate) struct Delivery {
    /// That arrived, as far as ACKs tell.
    pub(super) delivered: u64,
    /// That were declared lost, each transmission by itself.
    pub(super) lost: u64,
    /// The same when the controller was last told of an ACK.
    told_delivered: u64,
    told_lost: u64,
    /// Arrived, and not acknowledged in order yet.
    selected: RangeSet,
    /// The highest one that the last ACK with new ones selected.
    pub(super) newest_selected: u64,
    /// The loss told last.
    last_lost: Option<u64>,
    /// The rate, where the controller asks for it.
    samples: Option<Box<Samples>>,
}

#[derive(Debug, Default)]
struct Samples {
    sampler: RateSampler,
    packets: Ring<SentState>,
}

impl Delivery {
    pub(super) fn new(properties: Properties) -> Self {
        Self {
            delivered: 0,
            lost: 0,
            told_delivered: 0,
            told_lost: 0,
            selected: RangeSet::default(),
            newest_selected: 0,
            last_lost: None,
            samples: properties.rate_samples.then(Box::default),
        }
    }

    /// A packet leaves; `oldest` is the oldest one not acknowledged.
    #[inline]
    pub(super) fn on_sent(&mut self, oldest: u64, sent: &Sent) {
        if let Some(samples) = &mut self.samples {
            let state = samples.sampler.on_sent(sent);
            samples.packets.set(oldest, sent.packet.number, state);
        }
    }

    /// Everything from `start` up to `end` arrived; some of it was known to have.
    #[inline]
    pub(super) fn acknowledge(&mut self, now: Time, start: u64, end: u64) {
        if self.samples.is_some() {
            self.sample(now, SackBlock { start, end });
        }
        let mut known = 0;
        if !self.selected.is_empty() {
            known = self.selected.remove_below(end);
        }
        self.delivered += (end - start).saturating_sub(known);
    }

    /// The packets of `block`, which are in flight, arrived.
    pub(super) fn select(&mut self, now: Time, block: SackBlock) {
        if self.samples.is_some() {
            self.sample(now, block);
        }
        let new = self.selected.insert(block);
        if new > 0 {
            let newest = block.end - 1;
            let first = self.newly_delivered() == 0;
            self.newest_selected = if first {
                newest
            } else {
                newest.max(self.newest_selected)
            };
        }
        self.delivered += new;
    }

    #[cold]
    fn sample(&mut self, now: Time, block: SackBlock) {
        let Some(samples) = &mut self.samples else {
            return;
        };
        let mut number = self.selected.first_missing(block.start);
        while number < block.end {
            let packet = samples.packets.get(number);
            samples.sampler.on_delivered(now, &packet);
            number = self.selected.first_missing(number + 1);
        }
    }

    /// Packets that arrived since the controller was told.
    #[inline]
    pub(super) fn newly_delivered(&self) -> u64 {
        self.delivered - self.told_delivered
    }

    /// The same, and those lost; now it is told.
    #[inline]
    pub(super) fn take_news(&mut self) -> (u64, u64) {
        let news = (self.newly_delivered(), self.lost - self.told_lost);
        self.told_delivered = self.delivered;
        self.told_lost = self.lost;
        news
    }

    /// The sample of the ACK that was just taken.
    #[inline]
    pub(super) fn take_sample(&mut self, min_rtt: Duration) -> Option<RateSample> {
        match &mut self.samples {
            None => None,
            Some(samples) => samples.sampler.sample(min_rtt),
        }
    }

    /// `packets` are declared lost, `size` in all; `newest` is the newest of them. Returns whether it
    /// begins a range of its own, and how it left.
    pub(super) fn lose(&mut self, packets: u64, size: Bytes, newest: u64) -> Loss {
        self.lost += packets;
        let follows = self.last_lost.is_some_and(|last| last + 1 == newest);
        self.last_lost = Some(newest);
        Loss {
            range_begins: !follows,
            sent: self.samples.as_mut().map(|samples| {
                samples.sampler.on_lost(size);
                samples.packets.get(newest)
            }),
        }
    }

    /// What was declared lost was not.
    pub(super) fn on_spurious_loss(&mut self) {
        if let Some(samples) = &mut self.samples {
            samples.sampler.on_spurious_loss();
        }
    }

    /// Nothing is there to be sent, though more than is in flight could be.
    #[inline]
    pub(super) fn on_app_limited(&mut self, in_flight: Bytes) {
        if let Some(samples) = &mut self.samples {
            samples.sampler.on_app_limited(in_flight);
        }
    }
}

/// A loss that is to be told.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Loss {
    pub(super) range_begins: bool,
    pub(super) sent: Option<SentState>,
}
