//! Which way of telling late packets from lost ones approaches the genie, and what it costs under
//! losses: tables, words and a claim, all from the data of the figure.

use results::page::{Block, Cell, Column, Table};

use super::adaptive::{APART, APPROACHES, Path, STANDARD, VARIANTS, key, lossless, steady};
use super::goodput::{EXPERIMENTS, Experiment};
use super::setting::{GENIE, GOODPUT, OLD_TAHOE, RENO, SPURIOUS, Sender};
use crate::claim::{Claim, Judged, Quantity};
use crate::data::{Data, Samples};
use crate::rules::{self, Place, shown};

/// "End-to-end goodput of a bulk TCP transfer can be severely limited by variations in RTT primarily
/// due to the non-adaptiveness of TCP's timeout estimation and fast recovery thresholds."
pub(super) const NOT_ADAPTIVE: Claim = Claim {
    id: "adaptive-wins-back",
    figures: &["adaptive"],
    statement: "What goodput loses to a changing delay it loses mainly because timeout and threshold do \
                not adapt.",
    paper: Quantity::words("primarily (no numbers)"),
    unit: "% of the gap",
    rule: "At each h without losses, of the goodput that Reno with D = 3 lacks to the genie, the approach \
           of this figure that wins back most at that h wins back more than half, the whole 95 % interval. \
           At every h: reproduced; at half of them or more: partly. Ours is the least of these parts.",
    judge: |evidence| {
        let data = evidence.figure("adaptive");
        let won = |h: f64| {
            let parts = newer().map(|sender| (sender, part_won(data, sender, h)));
            parts.max_by(|a, b| mean(&a.1).total_cmp(&mean(&b.1)))
        };
        let best: Vec<(f64, &Sender, Samples)> = lossless(data)
            .into_iter()
            .filter_map(|h| won(h).map(|(sender, part)| (h, sender, part)))
            .collect();
        let place = |(h, sender, part): &(f64, &Sender, Samples)| Place {
            label: format!("h = {h}"),
            answer: rules::above(part, 50.0),
            found: format!("{}: {}", sender.name, shown(part.estimate(), "%")),
        };
        let places: Vec<Place> = best.iter().map(place).collect();
        let least = best
            .iter()
            .min_by(|a, b| mean(&a.2).total_cmp(&mean(&b.2)))
            .and_then(|(.., part)| part.estimate());
        Judged {
            ours: least.map_or(f64::NAN, |part| part.mean).into(),
            interval: least.and_then(|part| part.interval()),
            verdict: rules::over_places(&places),
            reason: rules::reason(&places),
        }
    },
};

/// The tables below the charts.
pub(super) fn tables(data: &Data) -> Vec<Block> {
    [
        without_losses(data),
        with_losses(data),
        steady_path(data),
        apart(data),
        apart_with_losses(data),
        without_need(data),
    ]
    .map(Block::Table)
    .into()
}

/// What came after the paper.
fn newer() -> impl Iterator<Item = &'static Sender> {
    let of_the_paper = [GENIE, OLD_TAHOE, RENO];
    APPROACHES
        .iter()
        .map(|approach| &approach.sender)
        .filter(move |sender| !of_the_paper.contains(sender))
}

fn goodput(data: &Data, sender: &Sender, path: Path, loss: f64) -> Samples {
    data.samples(&key(sender, path, loss, STANDARD), GOODPUT)
}

/// Of the gap between Reno and the genie, in per cent.
fn part_won(data: &Data, sender: &Sender, h: f64) -> Samples {
    let three = [&GENIE, &RENO, sender].map(|one| goodput(data, one, Path::Jumps(h), 0.0));
    Samples::combine(&three, |g| 100.0 * (g[2] - g[1]) / (g[0] - g[1]))
}

/// Goodput as a part of another sender's, in per cent.
pub(super) fn share(data: &Data, sender: &Sender, of: &Sender, path: Path, loss: f64) -> Samples {
    let two = [of, sender].map(|one| goodput(data, one, path, loss));
    Samples::combine(&two, |g| 100.0 * g[1] / g[0])
}

fn mean(samples: &Samples) -> f64 {
    samples.estimate().map_or(f64::NAN, |of| of.mean)
}

/// The answer in words: who stays nearest to the genie, and what that costs.
pub(super) fn words(data: &Data) -> String {
    let all_h = lossless(data);
    let worst = |sender: &Sender| {
        let shares = all_h
            .iter()
            .map(|h| (share(data, sender, &GENIE, Path::Jumps(*h), 0.0), *h));
        shares.min_by(|a, b| mean(&a.0).total_cmp(&mean(&b.0)))
    };
    let mut ranked: Vec<(&Sender, Samples, f64)> = newer()
        .filter_map(|sender| worst(sender).map(|(share, h)| (sender, share, h)))
        .collect();
    ranked.sort_by(|a, b| mean(&b.1).total_cmp(&mean(&a.1)));
    let (Some((nearest, least, at)), Some((reno, reno_at))) = (ranked.first(), worst(&RENO)) else {
        return "There are no runs without losses.".to_owned();
    };
    let percent = |samples: &Samples| shown(samples.estimate(), "%");
    let mut text = format!(
        "Nearest to the genie: {}. Without losses it keeps {} of the genie's goodput at its worst h ({at}), \
         where plain Reno comes down to {} (h = {reno_at}).",
        nearest.name,
        percent(least),
        percent(&reno),
    );
    let others: Vec<String> = ranked[1..]
        .iter()
        .map(|(sender, share, h)| format!("{} {} (h = {h})", sender.name, percent(share)))
        .collect();
    if !others.is_empty() {
        text += &format!(" The others at their worst: {}.", others.join(", "));
    }
    let places: Vec<String> = EXPERIMENTS
        .iter()
        .map(|Experiment { name, h, loss }| {
            let path = Path::Jumps(*h);
            let of_genie = share(data, nearest, &GENIE, path, *loss);
            let of_reno = share(data, nearest, &RENO, path, *loss);
            format!(
                "{name} {} ({} of plain Reno)",
                percent(&of_genie),
                percent(&of_reno)
            )
        })
        .collect();
    text += &format!(
        " With losses and jumps together it keeps, of the genie's goodput: {}.",
        places.join(", ")
    );
    text + &price(data) + &nearer_still(data, nearest)
}

/// A combination of the tables that stays nearer to the genie than the nearest approach, if any does
/// where both were run.
fn nearer_still(data: &Data, nearest: &Sender) -> String {
    let least = |sender: &Sender| {
        let shares = APART.map(|h| share(data, sender, &GENIE, Path::Jumps(h), 0.0));
        shares
            .into_iter()
            .min_by(|a, b| mean(a).total_cmp(&mean(b)))
    };
    let best = VARIANTS
        .iter()
        .filter_map(|sender| least(sender).map(|least| (sender, least)))
        .max_by(|a, b| mean(&a.1).total_cmp(&mean(&b.1)));
    let (Some((sender, share)), Some(of_nearest)) = (best, least(nearest)) else {
        return String::new();
    };
    if mean(&share) <= mean(&of_nearest) || share.estimate().is_none() {
        return String::new();
    }
    format!(
        " Of the combinations in the tables {} comes nearer still: {} at its worst of h = {}, {} and {}, \
         where {} keeps {}.",
        sender.name,
        shown(share.estimate(), "%"),
        APART[0],
        APART[1],
        APART[2],
        nearest.name,
        shown(of_nearest.estimate(), "%")
    )
}

/// What each approach loses to plain Reno where the path does not change.
fn price(data: &Data) -> String {
    let losses = steady(data);
    let costs = |samples: &Samples| {
        let interval = samples.estimate().and_then(|of| of.interval());
        interval.is_some_and(|(_, high)| high < 100.0)
    };
    let (mut paid, mut free) = (Vec::new(), Vec::new());
    for sender in newer() {
        let of_reno = |p: &f64| (*p, share(data, sender, &RENO, Path::Steady, *p));
        let dear = losses.iter().map(of_reno).filter(|(_, share)| costs(share));
        match dear.min_by(|a, b| mean(&a.1).total_cmp(&mean(&b.1))) {
            None => free.push(sender.name),
            Some((p, share)) => {
                let least = shown(share.estimate(), "%");
                paid.push(format!("{} {least} at p = {p}", sender.name));
            }
        }
    }
    let mut text =
        " The price, on a steady path where no packet is late, in the least goodput beside plain Reno's: "
            .to_owned();
    if !paid.is_empty() {
        text += &format!("{}. ", paid.join("; "));
    }
    if !free.is_empty() {
        text += &format!("None that can be told: {}.", free.join(", "));
    }
    text
}

fn column(title: String, unit: &'static str) -> Column {
    Column::number(title, unit).digits(3)
}

/// A row for each place, a column for each sender but the genie.
fn by_place<P: Copy>(
    caption: &str,
    (place, unit): (&str, &'static str),
    places: &[P],
    value: impl Fn(&Sender, P) -> (String, Samples),
) -> Table {
    let senders = || APPROACHES[1..].iter().map(|approach| &approach.sender);
    let short = |sender: &Sender| sender.name.trim_start_matches("Reno with ").to_owned();
    let mut columns = vec![Column::text(place)];
    columns.extend(senders().map(|sender| column(short(sender), unit)));
    let mut table = Table::new(caption, columns);
    for place in places {
        let mut row: Vec<Cell> = Vec::new();
        for sender in senders() {
            let (name, samples) = value(sender, *place);
            if row.is_empty() {
                row.push(name.into());
            }
            row.push(samples.cell());
        }
        table.rows.push(row);
    }
    table
}

/// Goodput beside the genie's over h.
fn without_losses(data: &Data) -> Table {
    let caption = "Without losses: goodput as a part of the genie's, D = 3.";
    by_place(
        caption,
        ("h", "% of the genie"),
        &lossless(data),
        |sender, h| {
            let share = share(data, sender, &GENIE, Path::Jumps(h), 0.0);
            (h.to_string(), share)
        },
    )
}

/// Goodput beside the genie's in the four experiments.
fn with_losses(data: &Data) -> Table {
    let caption = "With losses and jumps: goodput as a part of the genie's, D = 3.";
    by_place(
        caption,
        ("experiment", "% of the genie"),
        &EXPERIMENTS,
        |sender, e| {
            let share = share(data, sender, &GENIE, Path::Jumps(e.h), e.loss);
            (e.name.to_owned(), share)
        },
    )
}

/// Goodput beside Reno's on the steady path.
fn steady_path(data: &Data) -> Table {
    let caption = "With losses on a steady path: goodput as a part of plain Reno's, D = 3.";
    by_place(caption, ("p", "% of Reno"), &steady(data), |sender, p| {
        (p.to_string(), share(data, sender, &RENO, Path::Steady, p))
    })
}

/// Detection and adaptation apart: a row for each sender, a column for each place.
fn by_sender(caption: &str, columns: Vec<Column>, row: impl Fn(&Sender) -> Vec<Samples>) -> Table {
    let names = std::iter::once(Column::text("sender"));
    let mut table = Table::new(caption, names.chain(columns).collect());
    for sender in std::iter::once(&RENO).chain(newer()).chain(&VARIANTS) {
        let mut cells = vec![Cell::from(sender.name)];
        cells.extend(row(sender).iter().map(Samples::cell));
        table.rows.push(cells);
    }
    table
}

fn apart(data: &Data) -> Table {
    let title = |h| column(format!("h = {h}"), "% of the genie");
    let caption = "Detection and adaptation apart, without losses, D = 3 at the start: goodput as a part \
                   of the genie's.";
    by_sender(caption, APART.map(title).into(), |sender| {
        let at = |h| share(data, sender, &GENIE, Path::Jumps(h), 0.0);
        APART.map(at).into()
    })
}

fn apart_with_losses(data: &Data) -> Table {
    let title = |e: Experiment| column(e.name.to_owned(), "% of the genie");
    let caption = "The same with losses and jumps.";
    by_sender(caption, EXPERIMENTS.map(title).into(), |sender| {
        let at = |e: Experiment| share(data, sender, &GENIE, Path::Jumps(e.h), e.loss);
        EXPERIMENTS.map(at).into()
    })
}

fn without_need(data: &Data) -> Table {
    let title = |h| column(format!("h = {h}"), "packets/s");
    let caption = "Packets that were sent again without need, without losses.";
    by_sender(caption, APART.map(title).into(), |sender| {
        let at = |h| data.samples(&key(sender, Path::Jumps(h), 0.0, STANDARD), SPURIOUS);
        APART.map(at).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::{Evidence, Verdict};
    use crate::data::Measured;
    use crate::paper::{Key, Run};

    /// Goodputs without losses, three seeds each a little apart.
    fn data(points: Vec<(Key, f64)>) -> Data {
        Data::gather(points.into_iter().flat_map(|(key, goodput)| {
            (1..=3).map(move |seed| {
                let run = Run {
                    key: key.clone(),
                    seed,
                    scenario: String::new(),
                    work: 1.0,
                };
                let value = goodput + 0.001 * seed as f64;
                (run, Measured::default().value(GOODPUT, value))
            })
        }))
    }

    /// The genie has 50 and Reno 30 at each h; one approach wins back so much at the two.
    fn won(won: [f64; 2]) -> Data {
        let mut points = Vec::new();
        for (h, won) in [(0.1, won[0]), (1.0, won[1])] {
            for approach in APPROACHES {
                let sender = &approach.sender;
                let goodput = match sender.name {
                    "genie" => 50.0,
                    "Reno with D-SACK" => 30.0 + won,
                    _ => 30.0,
                };
                points.push((key(sender, Path::Jumps(h), 0.0, STANDARD), goodput));
            }
        }
        data(points)
    }

    fn verdict(parts: [f64; 2]) -> Verdict {
        let data = won(parts);
        (NOT_ADAPTIVE.judge)(&Evidence::new(vec![("adaptive", &data)])).verdict
    }

    #[test]
    fn more_than_half_of_the_gap_must_be_won_back_everywhere() {
        assert_eq!(verdict([15.0, 11.0]), Verdict::Reproduced);
        assert_eq!(verdict([15.0, 9.0]), Verdict::Partly);
        assert_eq!(verdict([9.0, 9.0]), Verdict::NotReproduced);
    }

    #[test]
    fn the_words_name_the_approach_that_stays_nearest() {
        // 30 + 15 of 50 at h = 0.1 is 90 %, 30 + 11 at h = 1 is 82 %; Reno has 60 % at both.
        let words = words(&won([15.0, 11.0]));
        let nearest = "Nearest to the genie: Reno with D-SACK.";
        assert!(words.contains(nearest), "{words}");
        assert!(words.contains("keeps 82"), "{words}");
        assert!(words.contains("plain Reno comes down to 60"), "{words}");
    }
}
