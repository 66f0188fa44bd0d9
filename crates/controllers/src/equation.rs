//! Throughput equations of the literature.

/// Throughput of TCP(α, β) in packets per second (Zhang and Tsaoussidis, eq. 1, corrected: the
/// loss rate stands inside both square roots, as in Padhye et al. for α = 1, β = 0.5).
///
/// `loss_rate` in (0, 1]; `rtt_s` and `timeout_s` in seconds; `acked_per_ack` is the number of
/// packets that each ACK acknowledges.
pub fn gaimd_throughput(path: &Path, alpha: f64, beta: f64) -> f64 {
    let Path {
        loss_rate: p,
        rtt_s,
        timeout_s,
        acked_per_ack: b,
    } = *path;
    let avoidance = rtt_s * libm::sqrt(2.0 * b * (1.0 - beta) * p / (alpha * (1.0 + beta)));
    let episode = 3.0 * libm::sqrt((1.0 - beta * beta) * b * p / (2.0 * alpha));
    let timeouts = timeout_s * episode.min(1.0) * p * (1.0 + 32.0 * p * p);
    1.0 / (avoidance + timeouts)
}

/// A path as the throughput equations see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path {
    /// Fraction of packets lost.
    pub loss_rate: f64,
    /// Round-trip time, in seconds.
    pub rtt_s: f64,
    /// Retransmission timeout, in seconds.
    pub timeout_s: f64,
    /// Packets acknowledged by one ACK: 1, or 2 with delayed ACKs.
    pub acked_per_ack: f64,
}

/// The α that goes with β so that the timeout terms of TCP(α, β) and TCP are equal: 4(1 − β²)/3
/// (Yang and Lam; Zhang and Tsaoussidis, eq. 3).
pub fn friendly_alpha(beta: f64) -> f64 {
    4.0 * (1.0 - beta * beta) / 3.0
}

/// Throughput of TCP(α, β) over that of TCP where timeouts play no part: the ratio of the
/// congestion-avoidance terms of [`gaimd_throughput`].
pub fn low_loss_advantage(alpha: f64, beta: f64) -> f64 {
    libm::sqrt(alpha * (1.0 + beta) / (3.0 * (1.0 - beta)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(loss_rate: f64) -> Path {
        Path {
            loss_rate,
            rtt_s: 0.1,
            timeout_s: 0.4,
            acked_per_ack: 1.0,
        }
    }

    #[test]
    fn standard_tcp_is_padhye() {
        // p = 0.01: sqrt(2p/3) = 0.0816497, 3·sqrt(3p/8) = 0.1837117, 1 + 32p² = 1.0032
        // 0.1 × 0.0816497 + 0.4 × 0.1837117 × 0.01 × 1.0032 = 0.00816497 + 0.00073720
        let expected = 1.0 / (0.008_164_966 + 0.000_737_199);
        assert!((gaimd_throughput(&path(0.01), 1.0, 0.5) / expected - 1.0).abs() < 1e-5);
    }

    #[test]
    fn friendly_alphas_of_the_four_protocols() {
        // 4(1 − 0.765625)/3 = 0.3125; 4(1 − 0.5625)/3 = 0.58333; 4 × 0.75/3 = 1; 4 × 0.9375/3 = 1.25
        for (beta, alpha) in [
            (0.875, 0.3125),
            (0.75, 0.583_333_333),
            (0.5, 1.0),
            (0.25, 1.25),
        ] {
            assert!((friendly_alpha(beta) - alpha).abs() < 1e-9);
        }
    }

    #[test]
    fn at_low_loss_the_smooth_protocols_take_more() {
        // α(1+β)/(3(1−β)): .3125×1.875/.375 = 1.5625; .58333×1.75/.75 = 1.36111; 1; 1.25×1.25/2.25 = .69444
        for (beta, ratio) in [
            (0.875, 1.25),
            (0.75, 1.166_667),
            (0.5, 1.0),
            (0.25, 0.833_333),
        ] {
            assert!((low_loss_advantage(friendly_alpha(beta), beta) - ratio).abs() < 1e-6);
        }
    }
}
