//! The average loss interval: how many packets lie between loss events, recent ones counting most.
//!
//! Follows RFC 5348 §5.3 to §5.5. An interval runs from the first lost packet of one loss event up
//! to that of the next; the open one, `I_0`, up to the newest packet. The open interval counts only
//! when it raises the average.
//!
//! Shared by the receiver of TFRC and by TFWC's sender, which do not find loss events in the same
//! way.

/// What an average is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Averaging {
    /// Weights of the intervals, the newest first.
    pub weights: Weights,
    /// Old intervals count less when the open one is long (RFC 5348 §5.5): the least factor that
    /// they are discounted by; `None` for no discounting.
    pub discount_threshold: Option<f64>,
    /// How intervals are averaged while there are fewer than weights.
    pub partial: Partial,
}

/// Weights of the loss intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2 (RFC 5348 §5.4 with n = 8).
    Eight,
    /// 1, 1, 1, 1, 2/3, 2/4, 2/5, … 2/14: sixteen intervals, as Choi's later code has them.
    Sixteen,
}

/// The average while the history is short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partial {
    /// With the open interval the oldest one is left out (RFC 5348 §5.4).
    Shifted,
    /// All intervals count, the open one besides (ns-2.35).
    All,
}

/// The loss intervals of a connection that has seen a loss event.
#[derive(Clone, Debug)]
pub struct LossHistory {
    averaging: Averaging,
    /// Closed intervals in packets, the newest first, and their discount factors.
    closed: [Interval; MOST_INTERVALS],
    count: usize,
    /// First packet of the open interval.
    start: u64,
    /// One past the newest packet.
    end: u64,
    /// From the closed intervals, renewed at each event.
    sums: Sums,
}

#[derive(Clone, Copy, Debug, Default)]
struct Interval {
    packets: f64,
    discount: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Average of the closed intervals.
    closed: f64,
    /// What goes with the open interval: weighted sum, and sum of the weights.
    beside_open: f64,
    weights_beside_open: f64,
}

impl Averaging {
    /// RFC 5348 §5.4, with its history discounting or without.
    pub const fn rfc(discounting: bool) -> Self {
        Self {
            weights: Weights::Eight,
            discount_threshold: if discounting {
                Some(DISCOUNT_THRESHOLD)
            } else {
                None
            },
            partial: Partial::Shifted,
        }
    }
}

impl Weights {
    /// How many intervals count.
    pub const fn intervals(self) -> usize {
        match self {
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }

    /// Weight of the interval `index`, counted from 0; 0 beyond the last.
    pub fn weight(self, index: usize) -> f64 {
        let n = self.intervals();
        match self {
            _ if index < 4 => 1.0,
            _ if index >= n => 0.0,
            Self::Eight => 2.0 * (n - index) as f64 / (n + 2) as f64, // RFC 5348 §5.4
            Self::Sixteen => 2.0 / (index - 1) as f64,
        }
    }
}

impl LossHistory {
    /// After the first loss event: `interval` packets stand for all that came before it, and the
    /// open interval begins with packet `start`.
    pub fn new(averaging: Averaging, interval: f64, start: u64) -> Self {
        let mut history = Self {
            averaging,
            closed: [Interval::default(); MOST_INTERVALS],
            count: 1,
            start,
            end: start,
            sums: Sums::default(),
        };
        history.closed[0] = Interval {
            packets: interval,
            discount: 1.0,
        };
        history.sum_up();
        history
    }

    /// All packets before `end` are accounted for. Never goes back.
    #[inline]
    pub fn advance(&mut self, end: u64) {
        self.end = self.end.max(end);
    }

    /// The open interval begins with packet `start`, and is empty, whatever was counted.
    pub fn restart(&mut self, start: u64) {
        self.start = start;
        self.end = start;
    }

    /// Packet `number` was lost and begins a loss event. One that is older than the open interval
    /// begins none.
    pub fn begin_event(&mut self, number: u64) {
        if number < self.start {
            return;
        }
        let discount = self.discount();
        let kept = self.count.min(MOST_INTERVALS - 1);
        for interval in &mut self.closed[..kept] {
            interval.discount *= discount;
        }
        self.closed.copy_within(..kept, 1);
        self.closed[0] = Interval {
            packets: (number - self.start) as f64,
            discount: 1.0,
        };
        self.count = (self.count + 1).min(self.averaging.weights.intervals());
        self.start = number;
        self.end = self.end.max(number + 1);
        self.sum_up();
    }

    /// Packets in the open interval, `I_0`.
    #[inline]
    pub fn open(&self) -> u64 {
        self.end - self.start
    }

    /// Closed intervals that count, the newest first, in packets.
    pub fn closed(&self) -> impl Iterator<Item = f64> + '_ {
        self.closed[..self.count].iter().map(|it| it.packets)
    }

    /// The average loss interval in packets, at least 1.
    #[inline]
    pub fn average(&self) -> f64 {
        let open = self.open() as f64;
        let discount = self.discount();
        let sums = &self.sums;
        // Weight of the open interval: 1.
        let with_open =
            (open + discount * sums.beside_open) / (1.0 + discount * sums.weights_beside_open);
        with_open.max(sums.closed).max(1.0)
    }

    /// Loss events for each packet: 1 over the average interval.
    #[inline]
    pub fn loss_event_rate(&self) -> f64 {
        1.0 / self.average()
    }

    /// The factor DF of RFC 5348 §5.5: below 1 when the open interval is more than twice the
    /// average of the others.
    #[inline]
    fn discount(&self) -> f64 {
        let Some(threshold) = self.averaging.discount_threshold else {
            return 1.0;
        };
        let open = self.open() as f64;
        let twice = 2.0 * self.sums.closed;
        if open > twice {
            (twice / open).max(threshold)
        } else {
            1.0
        }
    }

    fn sum_up(&mut self) {
        let weights = self.averaging.weights;
        let (mut sum, mut weight) = (0.0, 0.0);
        for (index, interval) in self.closed[..self.count].iter().enumerate() {
            let factor = weights.weight(index) * interval.discount;
            sum += factor * interval.packets;
            weight += factor;
        }
        let closed = sum / weight;
        let beside = match self.averaging.partial {
            Partial::Shifted => self.count - 1,
            Partial::All => self.count,
        };
        let (mut sum, mut weight) = (0.0, 0.0);
        for (index, interval) in self.closed[..beside].iter().enumerate() {
            let factor = weights.weight(index + 1) * interval.discount;
            sum += factor * interval.packets;
            weight += factor;
        }
        self.sums = Sums {
            closed,
            beside_open: sum,
            weights_beside_open: weight,
        };
    }
}

/// Most intervals that any weights count.
const MOST_INTERVALS: usize = 16;
/// Least discount factor (RFC 5348 §5.5).
const DISCOUNT_THRESHOLD: f64 = 0.25;

#[cfg(test)]
mod tests {
    use super::*;

    /// A history with these closed intervals, the oldest first, and an empty open one.
    fn history(averaging: Averaging, oldest_first: &[u64]) -> LossHistory {
        let mut history = LossHistory::new(averaging, oldest_first[0] as f64, 0);
        let mut start = 0;
        for packets in &oldest_first[1..] {
            start += packets;
            history.begin_event(start);
        }
        history
    }

    #[test]
    fn the_weights_are_those_of_the_rfc() {
        let weights: Vec<f64> = (0..9).map(|i| Weights::Eight.weight(i)).collect();
        assert_eq!(weights, [1.0, 1.0, 1.0, 1.0, 0.8, 0.6, 0.4, 0.2, 0.0]);
        // 4 + 2/3 + 2/4 + … + 2/14 = 4 + 2 × (1/3 + … + 1/14) = 4 + 2 × 1.751563 = 7.503125
        let sum: f64 = (0..20).map(|i| Weights::Sixteen.weight(i)).sum();
        assert!((sum - 7.503_125).abs() < 1e-5, "{sum}");
    }

    #[test]
    fn equal_intervals_average_to_themselves() {
        for weights in [Weights::Eight, Weights::Sixteen] {
            for partial in [Partial::Shifted, Partial::All] {
                let averaging = Averaging {
                    weights,
                    discount_threshold: None,
                    partial,
                };
                let mut history = history(averaging, &[100; 20]);
                assert_eq!(history.open(), 1);
                assert!((history.average() - 100.0).abs() < 1e-12);
                history.advance(1_900 + 100);
                assert!((history.average() - 100.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_open_interval_counts_only_when_it_helps() {
        // Newest first 10, 20, …, 80. Closed: 10 + 20 + 30 + 40 + 0.8·50 + 0.6·60 + 0.4·70 +
        // 0.2·80 = 220, over 6: 36.667.
        let mut history = history(Averaging::rfc(false), &[80, 70, 60, 50, 40, 30, 20, 10]);
        assert!((history.average() - 220.0 / 6.0).abs() < 1e-12);
        // With I_0 = x: x + 10 + 20 + 30 + 0.8·40 + 0.6·50 + 0.4·60 + 0.2·70 = x + 160 > 220.
        let start = 280;
        history.advance(start + 60);
        assert!((history.average() - 220.0 / 6.0).abs() < 1e-12);
        history.advance(start + 66);
        assert!((history.average() - 226.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn growth_without_loss_is_an_eighth_of_a_packet_in_a_round_trip() {
        // W = √(1.5·A): a round trip of W packets adds W/6 to A once the open interval counts,
        // and dW = 0.75/W · W/6 = 0.125 (without the timeout term; a little more with it, by
        // A·dW/dA ≤ 1.5 times: at p = 0.001 f's second term is 0.9 % of the first).
        let mut history = history(Averaging::rfc(false), &[1_000; 9]);
        let mut end = 8_000 + 1_000;
        history.advance(end);
        let before = crate::tcp_friendly::window(history.loss_event_rate());
        end += 10 * before as u64;
        history.advance(end);
        let after = crate::tcp_friendly::window(history.loss_event_rate());
        assert!((0.1..=0.14).contains(&((after - before) / 10.0)));
    }

    #[test]
    fn a_short_history_leaves_the_oldest_out_or_not() {
        // Closed: 30 and 10 (newest), average 20. Open 60: (60 + 10)/2 = 35; with all
        // (60 + 10 + 30)/3 = 33.3.
        for (partial, average) in [(Partial::Shifted, 35.0), (Partial::All, 100.0 / 3.0)] {
            let averaging = Averaging {
                partial,
                ..Averaging::rfc(false)
            };
            let mut history = history(averaging, &[30, 10]);
            assert_eq!(history.average(), 20.0);
            history.advance(10 + 60);
            assert!((history.average() - average).abs() < 1e-12);
        }
    }

    #[test]
    fn a_long_open_interval_discounts_the_others() {
        // Eight intervals of 100, open 400: DF = 2·100/400 = 0.5. With open: 400 + 0.5 × 5 × 100
        // over 1 + 0.5 × 5 = 650/3.5 = 185.71; without discounting 900/6 = 150.
        let mut plain = history(Averaging::rfc(false), &[100; 9]);
        let mut discounting = history(Averaging::rfc(true), &[100; 9]);
        for history in [&mut plain, &mut discounting] {
            history.advance(800 + 400);
        }
        assert!((plain.average() - 150.0).abs() < 1e-12);
        assert!((discounting.average() - 650.0 / 3.5).abs() < 1e-12);
        // Open 2000: 0.1, but 0.25 at least: (2000 + 0.25·500)/(1 + 0.25·5) = 2125/2.25.
        discounting.advance(800 + 2_000);
        assert!((discounting.average() - 2_125.0 / 2.25).abs() < 1e-12);
        // The discount stays with the old intervals when the next event comes: 2000 with factor 1,
        // seven of 100 with 0.25: (2000 + 0.25·(1 + 1 + 1 + 0.8 + 0.6 + 0.4 + 0.2)·100)/(1 + 1.25).
        discounting.begin_event(800 + 2_000);
        assert!((discounting.average() - 2_125.0 / 2.25).abs() < 1e-9);
    }

    #[test]
    fn an_event_found_late_splits_the_open_interval() {
        let mut history = LossHistory::new(Averaging::rfc(false), 50.0, 100);
        history.advance(160);
        history.begin_event(150);
        assert_eq!(history.closed().collect::<Vec<_>>(), [50.0, 50.0]);
        assert_eq!(history.open(), 10);
        history.begin_event(149);
        assert_eq!(history.open(), 10, "older than the open interval: no event");
    }
}
