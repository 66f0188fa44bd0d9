//! What the paper says about single steps (Figures 1 to 4), with the rule of each verdict.

use super::goodput_claims::mean;
use super::steps::{self, RTO};
use crate::claim::{Claim, Evidence, Judged, Quantity, Verdict};
use crate::data::Samples;

/// "Observe that there is no TO."
pub(super) const NO_TIMEOUT: Claim = Claim {
    id: "1-no-timeout",
    figures: &["1"],
    statement: "With a window of 26 a step of the round trip from 0.2 to 0.3 s makes no timeout.",
    paper: Quantity::Number(0.0),
    unit: "timeouts",
    rule: "No timeout in the run: reproduced, else not.",
    judge: |evidence| counted(evidence, "1", 26, "timeouts", |timeouts| timeouts == 0.0),
};

/// "Same scenario as in Fig. 1 but with wₘ = 13 instead of 26. In this case, a TO takes place."
pub(super) const TIMEOUT: Claim = Claim {
    id: "2-timeout",
    figures: &["2"],
    statement: "With a window of 13 the same step makes a timeout, though T₂ < T₁ + Y₁.",
    paper: Quantity::words("a timeout"),
    unit: "timeouts",
    rule: "At least one timeout in the run: reproduced, else not.",
    judge: |evidence| counted(evidence, "2", 13, "timeouts", |timeouts| timeouts >= 1.0),
};

/// "The results for the case without time-stamps is identical, except that the RTO curve shows a
/// slower decay following the 'spike' at the instant TO takes place."
pub(super) const WITHOUT_TIMESTAMPS: Claim = Claim {
    id: "2-timestamps",
    figures: &["1", "2"],
    statement: "Without timestamps the results are the same, but that the timeout decays more slowly \
                after its spike.",
    paper: Quantity::words("identical, slower decay"),
    unit: "",
    rule: "As many timeouts without timestamps as with them in Figures 1 and 2, and in Figure 2 a \
           longer timeout without than with them 2 s after the step: reproduced. One of the two: \
           partly.",
    judge: |evidence| {
        let count = |figure: &str, window, timestamps| {
            let data = evidence.figure(figure);
            mean(&data.samples(&steps::key(window, timestamps), "timeouts"))
        };
        let same = [("1", 26), ("2", 13)]
            .iter()
            .all(|(figure, window)| count(figure, *window, true) == count(figure, *window, false));
        let timeout = |timestamps| {
            let point = evidence.figure("2").point(&steps::key(13, timestamps));
            let curve = point.map(|point| point.curve(RTO)).unwrap_or_default();
            let later = curve.into_iter().find(|(time, _)| *time >= 8.0);
            later.map_or(f64::NAN, |(_, timeout)| timeout.mean)
        };
        let (with, without) = (timeout(true), timeout(false));
        let slower = without > with;
        Judged {
            ours: format!("{with:.3} s with, {without:.3} s without timestamps").into(),
            interval: None,
            verdict: match (same, slower) {
                (true, true) => Verdict::Reproduced,
                (false, false) => Verdict::NotReproduced,
                _ => Verdict::Partly,
            },
            reason: format!(
                "Timeouts in Figures 1 and 2 with timestamps: {}, {}; without: {}, {}. The timeout \
                 at 8 s is {with:.3} s with and {without:.3} s without timestamps.",
                count("1", 26, true),
                count("2", 13, true),
                count("1", 26, false),
                count("2", 13, false),
            ),
        }
    },
};

/// "There is no TD."
pub(super) const NO_FAST_RETRANSMIT: Claim = Claim {
    id: "3-none",
    figures: &["3"],
    statement: "A step from 0.2 to 0.1 s at 6.0 s, in the idle time of a round, makes no fast \
                retransmit.",
    paper: Quantity::Number(0.0),
    unit: "fast retransmits",
    rule: "None with the caption's window of 26 nor with 13: reproduced, else not.",
    judge: |evidence| {
        let other = mean(&fast_retransmits(evidence, "3", 13));
        let mut judged = counted(evidence, "3", 26, "fast_retransmits", |count| count == 0.0);
        if other > 0.0 {
            judged.verdict = Verdict::NotReproduced;
        }
        judged.reason += &format!(" With a window of 13: {other}.");
        judged
    },
};

/// "Same as simulation in Fig. 3 but RTT is decreased at t = 6.07 within the busy period of a
/// round. A TD takes place."
pub(super) const FAST_RETRANSMIT: Claim = Claim {
    id: "4-one",
    figures: &["4"],
    statement: "The same step at 6.07 s, in the busy time, makes a false fast retransmit (caption: \
                with a window of 26).",
    paper: Quantity::words("one, with a window of 26"),
    unit: "",
    rule: "With the caption's window of 26: reproduced. With 13, the window of Figure 2, but not with \
           26: partly. Else not.",
    judge: |evidence| {
        let count = |window| mean(&fast_retransmits(evidence, "4", window));
        let windows = evidence.figure("4").numbers("window");
        let with = windows.iter().filter(|window| count(**window as u32) > 0.0);
        let mut with: Vec<u32> = with.map(|window| *window as u32).collect();
        with.sort_unstable();
        Judged {
            ours: format!("with 26: {}, with 13: {}", count(26), count(13)).into(),
            interval: None,
            verdict: match (count(26) > 0.0, count(13) > 0.0) {
                (true, _) => Verdict::Reproduced,
                (false, true) => Verdict::Partly,
                (false, false) => Verdict::NotReproduced,
            },
            reason: format!(
                "Of the windows run, these make one: {with:?}. 26 packets take 26/125 = 0.208 s, \
                 longer than the round trip: there is no idle time in which three duplicate ACKs \
                 could come in a row, which the paper's own condition (i) asks for. With 24 and 25 \
                 packets it is shorter than three packets."
            ),
        }
    },
};

fn counted(
    evidence: &Evidence<'_>,
    figure: &str,
    window: u32,
    what: &str,
    holds: fn(f64) -> bool,
) -> Judged {
    let count = mean(
        &evidence
            .figure(figure)
            .samples(&steps::key(window, true), what),
    );
    Judged {
        ours: count.into(),
        interval: None,
        verdict: if holds(count) {
            Verdict::Reproduced
        } else {
            Verdict::NotReproduced
        },
        reason: format!("Counted over the 12 s of the run, in which nothing is lost: {count}."),
    }
}

fn fast_retransmits(evidence: &Evidence<'_>, figure: &str, window: u32) -> Samples {
    evidence
        .figure(figure)
        .samples(&steps::key(window, true), "fast_retransmits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Data, Measured};
    use crate::paper::Run;

    /// A figure with a count for each window.
    fn data(name: &str, counts: &[(u32, f64)]) -> Data {
        Data::gather(counts.iter().map(|(window, count)| {
            let run = Run {
                key: steps::key(*window, true),
                seed: 1,
                scenario: String::new(),
                work: 1.0,
            };
            (run, Measured::default().value(name, *count))
        }))
    }

    fn verdict(claim: &Claim, name: &str, counts: &[(u32, f64)]) -> Verdict {
        let data = data(name, counts);
        (claim.judge)(&Evidence::new(vec![(claim.figures[0], &data)])).verdict
    }

    #[test]
    fn a_false_fast_retransmit_with_13_only_is_partly_what_the_caption_says() {
        let judge = |with_26, with_13| {
            let counts = [(26, with_26), (13, with_13)];
            verdict(&FAST_RETRANSMIT, "fast_retransmits", &counts)
        };
        assert_eq!(judge(1.0, 1.0), Verdict::Reproduced);
        assert_eq!(judge(0.0, 2.0), Verdict::Partly);
        assert_eq!(judge(0.0, 0.0), Verdict::NotReproduced);
    }

    #[test]
    fn timeouts_are_counted() {
        let judge = |claim: &Claim, window, count| verdict(claim, "timeouts", &[(window, count)]);
        assert_eq!(judge(&NO_TIMEOUT, 26, 0.0), Verdict::Reproduced);
        assert_eq!(judge(&NO_TIMEOUT, 26, 1.0), Verdict::NotReproduced);
        assert_eq!(judge(&TIMEOUT, 13, 1.0), Verdict::Reproduced);
        assert_eq!(judge(&TIMEOUT, 13, 0.0), Verdict::NotReproduced);
        let quiet = [(26, 0.0), (13, 0.0)];
        let loud = [(26, 0.0), (13, 1.0)];
        let name = "fast_retransmits";
        assert_eq!(
            verdict(&NO_FAST_RETRANSMIT, name, &quiet),
            Verdict::Reproduced
        );
        assert_eq!(
            verdict(&NO_FAST_RETRANSMIT, name, &loud),
            Verdict::NotReproduced
        );
    }
}
