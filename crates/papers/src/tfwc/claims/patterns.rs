//! Figures 6.2 to 6.6 and C.1.2: losses by a pattern.

use super::{place, yes_if};
use crate::claim::{Claim, Quantity};
use crate::data::{Data, Samples};
use crate::rules::{Place, judged, shown, within};
use crate::tfwc::patterns;

/// Figures 6.2 to 6.5.
pub(in crate::tfwc) const INTERVALS: Claim = Claim {
    id: "6.2-intervals",
    figures: &["6.2-6.6"],
    statement: "Where losses have a fixed pattern the average loss interval is exactly the distance of \
                the loss events: 100, 50, 20, 10; 100 with two losses in a row; 2 with every second \
                packet lost.",
    paper: Quantity::words("exactly these"),
    unit: "packets",
    rule: "At a pattern it holds if the average loss interval never differs from the distance of the \
           loss events from 4 s on. At all six: reproduced; at half or more: partly. Ours is the interval \
           of losses one in 100.",
    judge: |evidence| {
        let data = evidence.figure("6.2-6.6");
        let places: Vec<_> = patterns::PATTERNS[..6]
            .iter()
            .map(|pattern| flat(data, pattern, pattern.interval))
            .collect();
        let first = data.samples(&patterns::key(patterns::PATTERNS[0].name), patterns::MEAN);
        judged(&places, first.estimate())
    },
};

/// Figure 6.6 and eq. 4.4.
pub(in crate::tfwc) const WINDOWS: Claim = Claim {
    id: "6.6-windows",
    figures: &["6.2-6.6"],
    statement: "The window is that of the equation, rounded: 11, 7, 4 and 2 packets where one packet in \
                100, 50, 20 and 10 is lost.",
    paper: Quantity::words("11 with 1 in 100"),
    unit: "packets",
    rule: "At a pattern it holds if the window is exactly that from 4 s on. At all four: reproduced; at \
           half or more: partly. Ours is the window of losses one in 100.",
    judge: |evidence| {
        let data = evidence.figure("6.2-6.6");
        let place = |pattern: &patterns::Pattern| {
            let window = data.samples(&patterns::key(pattern.name), patterns::WINDOW);
            let expected = pattern.window.unwrap_or(f64::NAN);
            let answer = yes_if(all(&window, |value| is(value, expected)));
            place(pattern.name.to_owned(), answer, &window, "packets")
        };
        let places: Vec<_> = patterns::PATTERNS[..4].iter().map(place).collect();
        let first = data.samples(&patterns::key(patterns::PATTERNS[0].name), patterns::WINDOW);
        judged(&places, first.estimate())
    },
};

/// Figures 6.2 (b) and following.
pub(in crate::tfwc) const RANDOM: Claim = Claim {
    id: "6.2-random",
    figures: &["6.2-6.6"],
    statement: "Random losses of the same rate give the same average loss interval as periodic ones.",
    paper: Quantity::words("identical"),
    unit: "packets",
    rule: "At a pattern it holds if the mean interval is within 5 % of the periodic one's, its whole \
           interval. At all of them: reproduced; at half or more: partly. Ours is the mean interval \
           with one loss drawn of each 100.",
    judge: |evidence| {
        let data = evidence.figure("6.2-6.6");
        let places: Vec<_> = patterns::PATTERNS[6..10]
            .iter()
            .map(|pattern| {
                let mean = data.samples(&patterns::key(pattern.name), patterns::MEAN);
                let near = within(&mean, 0.95 * pattern.interval, 1.05 * pattern.interval);
                place(pattern.name.to_owned(), near, &mean, "packets")
            })
            .collect();
        let drawn = data.samples(&patterns::key(patterns::PATTERNS[6].name), patterns::MEAN);
        judged(&places, drawn.estimate())
    },
};

/// C.1.2.
pub(in crate::tfwc) const SPACED: Claim = Claim {
    id: "C.1.2-spaced",
    figures: &["6.2-6.6"],
    statement: "Two losses of each 100 packets, with others between them, make a loss event rate of \
                0.02: an interval of 50 packets.",
    paper: Quantity::Number(50.0),
    unit: "packets",
    rule: "At a pattern it holds if the interval never differs from 50. At both: reproduced; at one: \
           partly. Ours is the interval of OXOXO…O.",
    judge: |evidence| {
        let data = evidence.figure("6.2-6.6");
        let places: Vec<_> = patterns::PATTERNS[10..]
            .iter()
            .map(|pattern| flat(data, pattern, pattern.report))
            .collect();
        let first = data.samples(&patterns::key(patterns::PATTERNS[10].name), patterns::MEAN);
        let mut judged = judged(&places, first.estimate());
        judged.reason += " Losses within a round trip are one loss event, by the report's own \
                          Algorithm 2: the report gives the rate of packets lost instead.";
        judged
    },
};

/// §4.2.3 and C.1.2, item 3.
pub(in crate::tfwc) const GROWTH: Claim = Claim {
    id: "4.2.3-growth",
    figures: &["6.2-6.6"],
    statement: "Without losses the window grows by about 0.1 packet for each round trip.",
    paper: Quantity::Number(0.1),
    unit: "packets/RTT",
    rule: "From 0.1 to 0.14 packets for each round trip, 0.125 being what follows from the weights: \
           reproduced. Else: not.",
    judge: |evidence| {
        let data = evidence.figure("6.2-6.6");
        let slope = data.samples(&patterns::key(patterns::GROWTH), patterns::SLOPE);
        let answer = yes_if(all(&slope, |value| (0.1..=0.14).contains(&value)));
        let places = [place("growth".to_owned(), answer, &slope, "packets/RTT")];
        judged(&places, slope.estimate())
    },
};

/// Whether the average loss interval of a pattern is `expected` all the time.
fn flat(data: &Data, pattern: &patterns::Pattern, expected: f64) -> Place {
    let of = |name| data.samples(&patterns::key(pattern.name), name);
    let (least, greatest) = (of(patterns::LEAST), of(patterns::GREATEST));
    let flat =
        all(&least, |value| is(value, expected)) && all(&greatest, |value| is(value, expected));
    let end = |samples: &Samples, choose: fn(f64, f64) -> f64| {
        let values = samples.0.iter().map(|(_, value)| *value);
        values.reduce(choose).unwrap_or(f64::NAN)
    };
    Place {
        label: pattern.name.to_owned(),
        answer: yes_if(flat),
        found: format!(
            "mean {}, from {:.1} to {:.1}",
            shown(of(patterns::MEAN).estimate(), "packets"),
            end(&least, f64::min),
            end(&greatest, f64::max)
        ),
    }
}

fn is(value: f64, expected: f64) -> bool {
    (value - expected).abs() <= 1e-9 * expected
}

/// Whether there are samples and all of them are as wanted.
fn all(samples: &Samples, wanted: impl Fn(f64) -> bool) -> bool {
    !samples.0.is_empty() && samples.0.iter().all(|(_, value)| wanted(*value))
}
