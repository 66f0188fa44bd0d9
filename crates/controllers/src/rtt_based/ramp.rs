//! How long three ways of growing take to a larger window, and how far beyond it they go.
//!
//! Follows §2.1 of Chen, Chen and Lee, An end-to-end flow control approach based on round trip time.
//!
//! Differs: their increment needs ⌊log₂(m − n)⌋ + 1 round trips; the ⌈log₂(m − n)⌉ + 1 of the paper is
//! one too many unless m − n is a power of two.

/// A way to grow from a window once more is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Increment {
    /// One packet more each round trip.
    Linear,
    /// Twice the window each round trip.
    Traditional,
    /// 1, 2, 4, … packets more each round trip, whatever the window.
    Proposed,
}

impl Increment {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Traditional, Self::Proposed, Self::Linear];

    /// The window, in packets, `round_trips` after it was `start` (the equations (a) to (c)).
    pub fn window(self, start: u64, round_trips: u32) -> u64 {
        let doubled = 1_u64.checked_shl(round_trips).unwrap_or(u64::MAX);
        match self {
            Self::Linear => start.saturating_add(round_trips.into()),
            Self::Traditional => start.saturating_mul(doubled),
            Self::Proposed => start.saturating_add(doubled - 1),
        }
    }

    /// Round trips from a window of `start` packets to one of `goal` or more. `start` is at least 1.
    pub fn round_trips(self, start: u64, goal: u64) -> u64 {
        let gap = goal.saturating_sub(start);
        if gap == 0 {
            return 0;
        }
        match self {
            Self::Linear => gap,
            Self::Traditional => u64::from(ceil_log2(goal.div_ceil(start.max(1)))),
            Self::Proposed => u64::from(gap.ilog2() + 1),
        }
    }

    /// Packets beyond `goal` that the window has when it first is not below it.
    pub fn overshoot(self, start: u64, goal: u64) -> u64 {
        let round_trips = u32::try_from(self.round_trips(start, goal)).unwrap_or(u32::MAX);
        self.window(start, round_trips).saturating_sub(goal)
    }
}

/// What the paper gives for its own increment: ⌈log₂(m − n)⌉ + 1 round trips.
pub fn published_round_trips(start: u64, goal: u64) -> u64 {
    let gap = goal.saturating_sub(start);
    if gap == 0 {
        return 0;
    }
    u64::from(ceil_log2(gap)) + 1
}

/// ⌈log₂ number⌉, for a number of at least 1.
fn ceil_log2(number: u64) -> u32 {
    number.checked_next_power_of_two().map_or(64, u64::ilog2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From 10 packets: 11, 12, 13; 20, 40, 80; 11, 13, 17.
    #[test]
    fn windows_follow_the_three_equations() {
        let windows = |increment: Increment| [1, 2, 3].map(|i| increment.window(10, i));
        assert_eq!(windows(Increment::Linear), [11, 12, 13]);
        assert_eq!(windows(Increment::Traditional), [20, 40, 80]);
        assert_eq!(windows(Increment::Proposed), [11, 13, 17]);
        // "When the window starts growing from one segment, both exponential increment approaches
        // operate exactly the same."
        for i in 0..20 {
            assert_eq!(
                Increment::Proposed.window(1, i),
                Increment::Traditional.window(1, i)
            );
        }
    }

    /// A gap of 1 takes 1 round trip, of 2 and 3 (1 + 2) two, of 4 to 7 (1 + 2 + 4) three.
    #[test]
    fn the_proposed_increment_closes_a_gap_of_two_to_the_k_less_one_in_k_round_trips() {
        let expected = [(1, 1), (2, 2), (3, 2), (4, 3), (7, 3), (8, 4), (15, 4)];
        for (gap, round_trips) in expected {
            let found = Increment::Proposed.round_trips(20, 20 + gap);
            assert_eq!(found, round_trips, "{gap}");
        }
        // The printed formula is right for powers of two only: 3 → 3, 7 → 4.
        assert_eq!(published_round_trips(20, 28), 4);
        assert_eq!(published_round_trips(20, 23), 3);
        assert_eq!(published_round_trips(20, 27), 4);
    }

    /// By its definition: the first round trip after which the window is not below the goal.
    #[test]
    fn closed_forms_are_the_first_round_trip_at_the_goal() {
        for increment in Increment::ALL {
            for start in 1..12 {
                for goal in start..90 {
                    let k = increment.round_trips(start, goal) as u32;
                    assert!(increment.window(start, k) >= goal);
                    assert!(k == 0 || increment.window(start, k - 1) < goal);
                }
            }
        }
    }

    /// From 40 to 41: doubling gives 80, 39 too many; one packet is enough for the others.
    #[test]
    fn a_small_gap_is_overshot_by_doubling_alone() {
        assert_eq!(Increment::Traditional.overshoot(40, 41), 39);
        assert_eq!(Increment::Proposed.overshoot(40, 41), 0);
        assert_eq!(Increment::Linear.overshoot(40, 41), 0);
        // From 40 to 79: doubling fits (80), 1 + 2 + … + 32 = 63 is 24 too many.
        assert_eq!(Increment::Traditional.overshoot(40, 79), 1);
        assert_eq!(Increment::Proposed.overshoot(40, 79), 24);
    }
}
