//! The ideal goodput `R_I`: what a window brings that is never reduced (§IV.A, equation 2).
//!
//! Differs from the paper: no state brings more than the link carries, min(w/T, μ), and there may be
//! any number of states.

/// Goodput in packets a second of a window of `window` packets over a link that carries `capacity`
/// packets a second. `states`: for each state its round trip in seconds and the share of time spent
/// in it, on any scale.
pub fn ideal_goodput(window: f64, capacity: f64, states: &[(f64, f64)]) -> f64 {
    let time: f64 = states.iter().map(|(_, share)| share).sum();
    let brought = |(round_trip, share): &(f64, f64)| (window / round_trip).min(capacity) * share;
    states.iter().map(brought).sum::<f64>() / time
}

/// How often each state of a semi-Markov process is entered, as a share of all entries: the
/// stationary distribution of its transition matrix, which leads from every state to every other.
///
/// The share of time in a state is this times its mean holding time.
pub fn visits(transitions: &[Vec<f64>]) -> Vec<f64> {
    let count = transitions.len();
    let mut visits = vec![1.0 / count as f64; count];
    for _ in 0..STEPS {
        // Half a step stays: matrices that only go round converge, too.
        let mut next: Vec<f64> = visits.iter().map(|visits| visits / 2.0).collect();
        for (row, visits) in transitions.iter().zip(&visits) {
            for (next, probability) in next.iter_mut().zip(row) {
                *next += visits * probability / 2.0;
            }
        }
        visits = next;
    }
    visits
}

/// Steps after which the distribution of a few states no longer changes.
const STEPS: usize = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    /// Equation 3: 2 × 12 / (0.1 + 0.3) = 60 where the time is shared as the round trips are.
    #[test]
    fn the_papers_setting_gives_sixty_packets_a_second() {
        let ideal = ideal_goodput(12.0, 125.0, &[(0.1, 0.1), (0.3, 0.3)]);
        assert!((ideal - 60.0).abs() < 1e-9);
    }

    /// A window of 26 would bring 260 packets/s in 0.1 s, of which 125 fit: with equal shares
    /// (125 + 26/0.3) / 2 = 105.83.
    #[test]
    fn no_state_brings_more_than_the_link_carries() {
        let ideal = ideal_goodput(26.0, 125.0, &[(0.1, 1.0), (0.3, 1.0)]);
        assert!((ideal - 105.833_333).abs() < 1e-5);
    }

    /// 0 → 1 always; 1 → 0 with 0.25, else to 2; 2 → 1 always. π₁ = π₀ + π₂ = 1/2, π₀ = π₁/4 = 1/8.
    #[test]
    fn visits_of_a_worked_example() {
        let matrix = [
            vec![0.0, 1.0, 0.0],
            vec![0.25, 0.0, 0.75],
            vec![0.0, 1.0, 0.0],
        ];
        let visits = visits(&matrix);
        for (visits, expected) in visits.iter().zip([0.125, 0.5, 0.375]) {
            assert!((visits - expected).abs() < 1e-9);
        }
    }
}
