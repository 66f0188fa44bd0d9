//! How fast a TCP connection would send at a given loss event rate: the equation that TFRC and
//! TFWC share, and its inverse.
//!
//! Follows RFC 5348 §3.1, which is Padhye's equation with one packet acknowledged by each ACK
//! (b = 1) unless said otherwise.
//!
//! Differs: Padhye et al. bound the probability that a loss ends in a timeout by 1, the RFC does
//! not; [`Timeouts`] chooses. It matters above p = 8/27 (b = 1) only.

/// Whether the probability that a loss ends in a timeout is bounded by 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Timeouts {
    /// As RFC 5348 §3.1 prints it: 3·√(3bp/8), also above 1.
    #[default]
    Unbounded,
    /// min(1, 3·√(3bp/8)), as Padhye et al. derive it and ns-2 computes it.
    Bounded,
}

/// A path as the equation sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Loss events for each packet, in (0, 1].
    pub loss_event_rate: f64,
    /// Round-trip time R, in seconds.
    pub rtt_s: f64,
    /// Retransmission timeout of the TCP connection, in seconds.
    pub timeout_s: f64,
    /// Packets acknowledged by one ACK (b).
    pub acked_per_ack: f64,
}

/// Seconds from one packet to the next: the denominator of RFC 5348 §3.1,
/// R·√(2bp/3) + `t_RTO`·3·√(3bp/8)·p·(1 + 32p²).
pub fn packet_interval(path: &Path, timeouts: Timeouts) -> f64 {
    let Path {
        loss_event_rate: p,
        rtt_s,
        timeout_s,
        acked_per_ack: b,
    } = *path;
    let ends_in_timeout = 3.0 * libm::sqrt(3.0 * b * p / 8.0);
    let ends_in_timeout = match timeouts {
        Timeouts::Unbounded => ends_in_timeout,
        Timeouts::Bounded => ends_in_timeout.min(1.0),
    };
    rtt_s * libm::sqrt(2.0 * b * p / 3.0) + timeout_s * ends_in_timeout * p * (1.0 + 32.0 * p * p)
}

/// The rate X of RFC 5348 §3.1, in packets per second.
pub fn packet_rate(path: &Path, timeouts: Timeouts) -> f64 {
    1.0 / packet_interval(path, timeouts)
}

/// f(p) = √(2p/3) + 12·√(3p/8)·p·(1 + 32p²): round trips from one packet to the next, with a
/// timeout of four round trips (Choi, eq. 4.2). `loss_event_rate` in (0, 1].
pub fn round_trips_per_packet(loss_event_rate: f64) -> f64 {
    let p = loss_event_rate;
    libm::sqrt(2.0 * p / 3.0) + 12.0 * libm::sqrt(3.0 * p / 8.0) * p * (1.0 + 32.0 * p * p)
}

/// W = 1/f(p), in packets for each round trip (Choi, eq. 4.4).
pub fn window(loss_event_rate: f64) -> f64 {
    1.0 / round_trips_per_packet(loss_event_rate)
}

/// The p at which [`window`] is `window_packets`; 1 for windows smaller than that of p = 1.
///
/// By bisection, to the last bits; the result's window is not above `window_packets`.
pub fn loss_event_rate_of_window(window_packets: f64) -> f64 {
    bisect(|p| window(p) <= window_packets)
}

/// The same as Choi's Algorithm 1 finds it: the first p of 0.00001, 0.00002, … whose window is
/// below `window_packets`. Coarse above some 20 packets, and never below 0.00001.
pub fn scan_for_loss_event_rate(window_packets: f64) -> f64 {
    (1..SCAN_STEPS)
        .map(|step| f64::from(step) / f64::from(SCAN_STEPS))
        .find(|p| window(*p) < window_packets)
        .unwrap_or(1.0)
}

/// The p at which packets follow each other by `interval_s` seconds on `path`, whose own loss
/// event rate is not read; 1 where even that rate is too fast.
pub fn loss_event_rate_of_interval(interval_s: f64, path: &Path, timeouts: Timeouts) -> f64 {
    bisect(|p| {
        let path = Path {
            loss_event_rate: p,
            ..*path
        };
        packet_interval(&path, timeouts) >= interval_s
    })
}

/// The least p in (0, 1] with `enough(p)`, which stays true once it is; 1 if there is none. Halves
/// on a logarithmic scale.
fn bisect(enough: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (LEAST_RATE, 1.0);
    if enough(low) {
        return low;
    }
    loop {
        let middle = libm::sqrt(low * high);
        if middle <= low || middle >= high {
            return high;
        }
        if enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
}

/// One loss event in 10¹⁵ packets: less than that is none.
const LEAST_RATE: f64 = 1e-15;
/// Algorithm 1 steps by 0.00001.
const SCAN_STEPS: u32 = 100_000;

#[cfg(test)]
mod tests {
    use super::*;

    /// From the printed equation, p f W: √(2p/3), √(3p/8) and 1 + 32p² by hand, e.g. p = 0.01:
    /// 0.0816497 + 12 × 0.0612372 × 0.01 × 1.0032 = 0.0816497 + 0.0073720 = 0.0890217.
    #[test]
    fn the_window_at_some_loss_event_rates() {
        for (p, f, w) in [
            (0.001, 0.0261, 38.38),
            (0.01, 0.0890, 11.233),
            (0.02, 0.1365, 7.325),
            (0.05, 0.2713, 3.686),
            (0.1, 0.5649, 1.770),
            (0.5, 23.96, 0.0417),
        ] {
            let digits = |value: f64, expected: f64| (value / expected - 1.0).abs() < 2e-3;
            assert!(digits(round_trips_per_packet(p), f), "f({p})");
            assert!(digits(window(p), w), "W({p})");
        }
        assert!((window(0.01) - 11.233).abs() < 5e-4);
        // W = 2 at p = 0.09078, W = 1 at p = 0.1459.
        assert!((loss_event_rate_of_window(2.0) - 0.09078).abs() < 5e-6);
        assert!((loss_event_rate_of_window(1.0) - 0.1459).abs() < 5e-5);
    }

    #[test]
    fn small_loss_event_rates_follow_the_square_root_law() {
        // p → 0: f → √(2p/3), so p → 1.5/W². At W = 20: 0.00375, with the timeout term 0.00352.
        assert!((loss_event_rate_of_window(20.0) - 0.00352).abs() < 5e-6);
        let p = loss_event_rate_of_window(1e5);
        assert!((p * 1e10 / 1.5 - 1.0).abs() < 1e-6, "{p}");
    }

    #[test]
    fn the_inverse_is_the_inverse_to_twelve_digits() {
        for step in 0..=600 {
            // p from 1e-6 to 1, a hundred steps for each power of ten.
            let p = libm::pow(10.0, f64::from(step) / 100.0 - 6.0);
            assert!((loss_event_rate_of_window(window(p)) / p - 1.0).abs() < 1e-12);
            let path = path(p);
            for timeouts in [Timeouts::Unbounded, Timeouts::Bounded] {
                let interval = packet_interval(&path, timeouts);
                let inverse = loss_event_rate_of_interval(interval, &path, timeouts);
                assert!((inverse / p - 1.0).abs() < 1e-12, "{p}");
            }
        }
        assert_eq!(loss_event_rate_of_window(1e-3), 1.0);
    }

    #[test]
    fn the_scan_gives_the_same_history_where_its_step_is_fine() {
        // Whole packets of history, 1/p: 82 at W = 10, 29 at 5, 22 (21.99) at 4.
        for (w, packets) in [(2.0, 11), (5.0, 29), (10.0, 82), (15.0, 166), (20.0, 283)] {
            assert_eq!((1.0 / loss_event_rate_of_window(w)) as u64, packets);
            assert_eq!((1.0 / scan_for_loss_event_rate(w)) as u64, packets);
        }
        // Too coarse: 0.0006 for 0.00059374 at W = 50; the first step, 0.00001, from W = 387 on.
        assert_eq!((1.0 / loss_event_rate_of_window(50.0)) as u64, 1684);
        assert_eq!((1.0 / scan_for_loss_event_rate(50.0)) as u64, 1666);
        assert_eq!(scan_for_loss_event_rate(400.0), 0.000_01);
    }

    fn path(loss_event_rate: f64) -> Path {
        Path {
            loss_event_rate,
            rtt_s: 0.1,
            timeout_s: 0.4,
            acked_per_ack: 1.0,
        }
    }

    /// RFC 5348 §3.1 in other words: with `t_RTO` = 4R and b = 1 the rate is 1/(R·f(p)), and
    /// with q = √(p/6) it is f = 2q + 18q·p·(1 + 32p²), since √(2p/3) = 2q and √(3p/8) = 1.5q.
    #[test]
    fn the_rate_is_that_of_the_rfc_to_twelve_digits() {
        for step in 0..=600 {
            let p = libm::pow(10.0, f64::from(step) / 100.0 - 6.0);
            let q = libm::sqrt(p / 6.0);
            let f = 2.0 * q + 18.0 * q * p + 576.0 * q * p * p * p;
            let rate = packet_rate(&path(p), Timeouts::Unbounded);
            assert!((rate * 0.1 * f - 1.0).abs() < 1e-12, "{p}");
        }
    }

    #[test]
    fn the_bound_begins_at_eight_27ths() {
        // 3·√(3p/8) = 1 at p = 8/27 = 0.2963.
        let below = path(0.296);
        let above = path(0.297);
        let rate =
            |path| packet_rate(path, Timeouts::Bounded) / packet_rate(path, Timeouts::Unbounded);
        assert_eq!(rate(&below), 1.0);
        assert!(rate(&above) > 1.0);
        // p = 0.5: 0.1·√(1/3) + 0.4·0.5·9 = 1.857735 s; unbounded 1.8·1.299038 + 0.057735.
        let half = path(0.5);
        assert!((packet_interval(&half, Timeouts::Bounded) - 1.857_735).abs() < 1e-6);
        assert!((packet_interval(&half, Timeouts::Unbounded) - 2.396_003).abs() < 1e-6);
    }
}
