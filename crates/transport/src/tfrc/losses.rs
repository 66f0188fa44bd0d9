//! Loss events at the receiver.
//!
//! Follows RFC 5348 §5.1 and §5.2: a packet is lost when some later ones have arrived; its time is
//! interpolated between those of its neighbours; losses within a round trip of the one that began
//! an event belong to that event. Packets that come later than that count as lost.

use controllers::loss_history::LossHistory;
use units::{Duration, Time};

/// A packet that arrived, with the time that losses are dated by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) number: u64,
    pub(crate) at: Time,
}

/// Packets missing between two that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hole {
    pub(crate) before: Arrival,
    pub(crate) after: Arrival,
}

/// Finds out which packets are lost.
#[derive(Clone, Debug)]
pub(crate) struct Detector {
    /// Packets that must arrive after a lost one, 1 to 3.
    needed: usize,
    /// The newest arrivals, ascending; up to `needed`, and one more while a packet is looked at.
    newest: Vec<Arrival>,
}

impl Detector {
    pub(crate) fn new(needed: u32) -> Self {
        let needed = needed.max(1) as usize;
        Self {
            needed,
            newest: Vec::with_capacity(needed + 1),
        }
    }

    /// Takes an arrival; gives the hole below which all is decided now, if there is one.
    #[inline]
    pub(crate) fn on_arrival(&mut self, arrival: Arrival) -> Option<Hole> {
        let position = self
            .newest
            .partition_point(|other| other.number < arrival.number);
        let known = self
            .newest
            .get(position)
            .is_some_and(|other| other.number == arrival.number);
        let full = self.newest.len() == self.needed;
        if known || (full && position == 0) {
            return None;
        }
        self.newest.insert(position, arrival);
        if !full {
            return None;
        }
        let before = self.newest.remove(0);
        let after = self.newest[0];
        (after.number > before.number + 1).then_some(Hole { before, after })
    }

    /// The newest arrival.
    #[inline]
    pub(crate) fn newest(&self) -> Option<Arrival> {
        self.newest.last().copied()
    }
}

impl Hole {
    /// How many packets are missing.
    pub(crate) fn packets(&self) -> u64 {
        self.after.number - self.before.number - 1
    }

    /// When packet `number` of the hole would have arrived.
    pub(crate) fn time_of(&self, number: u64) -> Time {
        let part = u128::from(number - self.before.number);
        let whole = u128::from(self.after.number - self.before.number);
        let length = u128::from(self.after.at.saturating_since(self.before.at).as_picos());
        self.before.at + Duration::from_picos((length * part / whole) as u64)
    }

    /// The first missing packet that is later than `time`.
    pub(crate) fn first_after(&self, time: Time) -> Option<u64> {
        let (mut low, mut high) = (self.before.number + 1, self.after.number);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.time_of(middle) > time {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        (low < self.after.number).then_some(low)
    }
}

/// The loss events so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    pub(super) history: Option<LossHistory>,
    /// When the packet would have arrived whose loss began the last event.
    pub(super) last_at: Time,
}

impl Events {
    /// A hole behind the first loss event. Returns whether an event began.
    pub(super) fn on_hole(&mut self, hole: &Hole, rtt: Duration) -> bool {
        let Some(history) = &mut self.history else {
            return false;
        };
        let mut began = false;
        // Older events than fill a history do not matter.
        for _ in 0..MOST_EVENTS_OF_A_HOLE {
            let Some(number) = hole.first_after(self.last_at.saturating_add(rtt)) else {
                break;
            };
            history.begin_event(number);
            self.last_at = hole.time_of(number);
            began = true;
            if rtt.is_zero() {
                break;
            }
        }
        began
    }

    /// A CE mark behind the first loss event (RFC 5348 §5.2): an event of its own time.
    pub(super) fn on_mark(&mut self, arrival: Arrival, rtt: Duration) -> bool {
        let Some(history) = &mut self.history else {
            return false;
        };
        if arrival.at <= self.last_at.saturating_add(rtt) {
            return false;
        }
        history.begin_event(arrival.number);
        self.last_at = arrival.at;
        true
    }
}

const MOST_EVENTS_OF_A_HOLE: u32 = 32;

#[cfg(test)]
mod tests {
    use controllers::loss_history::Averaging;
    use proptest::prelude::*;

    use super::*;

    fn arrival(number: u64) -> Arrival {
        Arrival {
            number,
            at: Time::ZERO + Duration::from_millis(10 * number),
        }
    }

    fn holes(needed: u32, numbers: &[u64]) -> Vec<(u64, u64)> {
        let mut detector = Detector::new(needed);
        numbers
            .iter()
            .filter_map(|number| detector.on_arrival(arrival(*number)))
            .map(|hole| (hole.before.number, hole.after.number))
            .collect()
    }

    #[test]
    fn a_loss_is_known_when_the_third_later_packet_arrives() {
        assert_eq!(holes(3, &[0, 1, 3, 4]), []);
        assert_eq!(holes(3, &[0, 1, 3, 4, 5]), [(1, 3)]);
        assert_eq!(
            holes(3, &[0, 1, 3, 3, 4, 4, 5]),
            [(1, 3)],
            "duplicates do not count"
        );
        assert_eq!(holes(3, &[0, 1, 3, 4, 2, 5, 6]), [], "reordered");
        assert_eq!(holes(3, &[0, 1, 4, 6, 8, 9, 10]), [(1, 4), (4, 6), (6, 8)]);
        assert_eq!(holes(1, &[0, 1, 3, 4]), [(1, 3)]);
    }

    proptest! {
        /// A packet is lost just when it is missing among those up to the third newest.
        #[test]
        fn holes_are_what_is_missing(numbers in proptest::collection::vec(0..60_u64, 5..60)) {
            let mut detector = Detector::new(3);
            let mut seen = std::collections::BTreeSet::new();
            let mut lost = std::collections::BTreeSet::new();
            for number in numbers {
                // Far-off numbers count as they come.
                if let Some(hole) = detector.on_arrival(arrival(number)) {
                    for missing in hole.before.number + 1..hole.after.number {
                        prop_assert!(!seen.contains(&missing));
                        prop_assert!(lost.insert(missing), "lost twice");
                    }
                }
                seen.insert(number);
                let third = seen.iter().rev().nth(2).copied();
                if let (Some(third), Some(first)) = (third, lost.first()) {
                    prop_assert!(*first < third);
                }
            }
        }
    }

    #[test]
    fn losses_are_dated_between_their_neighbours() {
        let hole = Hole {
            before: arrival(10),
            after: arrival(14),
        };
        assert_eq!(hole.packets(), 3);
        assert_eq!(hole.time_of(12), Time::ZERO + Duration::from_millis(120));
        assert_eq!(
            hole.first_after(Time::ZERO + Duration::from_millis(119)),
            Some(12)
        );
        assert_eq!(
            hole.first_after(Time::ZERO + Duration::from_millis(120)),
            Some(13)
        );
        assert_eq!(
            hole.first_after(Time::ZERO + Duration::from_millis(130)),
            None
        );
    }

    #[test]
    fn a_long_hole_holds_an_event_for_each_round_trip() {
        // Packets 101 to 199 are missing, 10 ms apart; round trips of 250 ms. After the event at 0
        // events begin at 101 (1010 ms), 127 (the first later than 1260), 153, 179.
        let mut events = Events {
            history: Some(LossHistory::new(Averaging::rfc(false), 50.0, 0)),
            ..Events::default()
        };
        let hole = Hole {
            before: arrival(100),
            after: arrival(200),
        };
        assert!(events.on_hole(&hole, Duration::from_millis(250)));
        let closed: Vec<_> = events.history.unwrap().closed().collect();
        assert_eq!(closed, [26.0, 26.0, 26.0, 101.0, 50.0]);
    }
}
