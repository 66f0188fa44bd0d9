//! What holds for every paper in the list, whichever it is.

use std::collections::BTreeSet;

use experiments::Registry;
use experiments::scenario::Document;
use papers::{Mode, PAPERS};

/// Whether all are different.
fn differ<T: Ord>(names: impl IntoIterator<Item = T>) -> bool {
    let mut seen = BTreeSet::new();
    names.into_iter().all(|name| seen.insert(name))
}

#[test]
fn names_and_ids_are_different_and_claims_name_figures_that_there_are() {
    assert!(differ(PAPERS.iter().map(|paper| paper.name)));
    for paper in PAPERS {
        assert!(
            differ(paper.figures.iter().map(|figure| figure.id)),
            "{}",
            paper.name
        );
        assert!(
            differ(paper.claims.iter().map(|claim| claim.id)),
            "{}",
            paper.name
        );
        for claim in paper.claims {
            assert!(!claim.figures.is_empty(), "{}", claim.id);
            for figure in claim.figures {
                assert!(
                    paper.figure(figure).is_some(),
                    "{}: figure {figure}",
                    claim.id
                );
            }
        }
    }
}

#[test]
fn every_scenario_is_valid_and_says_its_own_seed() {
    let registry = Registry::standard();
    for paper in PAPERS {
        for figure in paper.figures {
            for mode in [Mode::Quick, Mode::Full] {
                for run in (figure.plan)(mode) {
                    let name = format!("{}/{}: {}", paper.name, figure.id, run.key);
                    let scenario = Document::parse(&run.scenario, &name)
                        .and_then(|document| document.check(&registry))
                        .unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert_eq!(scenario.seed, run.seed, "{name}");
                    assert!(run.work > 0.0, "{name}");
                }
            }
        }
    }
}

#[test]
fn points_have_the_same_axes_and_files_of_their_own_and_the_same_seeds() {
    for paper in PAPERS {
        for figure in paper.figures {
            for mode in [Mode::Quick, Mode::Full] {
                let runs = (figure.plan)(mode);
                let name = format!("{}/{}", paper.name, figure.id);
                let axes =
                    |run: &papers::Run| run.key.iter().map(|(axis, _)| axis).collect::<Vec<_>>();
                assert!(runs.iter().all(|run| axes(run) == axes(&runs[0])), "{name}");
                let keys: BTreeSet<_> = runs.iter().map(|run| run.key.to_string()).collect();
                let slugs: BTreeSet<_> = runs.iter().map(|run| run.key.slug()).collect();
                assert_eq!(keys.len(), slugs.len(), "{name}");
                // All of them at each point, or a single one where nothing is drawn.
                let seeds: BTreeSet<_> = runs.iter().map(|run| run.seed).collect();
                for key in keys {
                    let of_point = runs.iter().filter(|run| run.key.to_string() == key);
                    let count = of_point.count();
                    assert!(count == 1 || count == seeds.len(), "{name}: {key}");
                }
            }
        }
    }
}

#[test]
fn the_quick_form_is_a_part_of_the_full_one_or_the_beginning_of_its_runs() {
    let without_duration = |run: papers::Run| {
        let lines = run.scenario.lines();
        lines
            .filter(|line| !line.starts_with("duration = "))
            .collect::<Vec<_>>()
            .join("\n")
    };
    for paper in PAPERS {
        for figure in paper.figures {
            let full: BTreeSet<_> = (figure.plan)(Mode::Full)
                .into_iter()
                .map(without_duration)
                .collect();
            let mut quick = (figure.plan)(Mode::Quick).into_iter();
            assert!(quick.len() <= full.len());
            let part = quick.all(|run| full.contains(&without_duration(run)));
            assert!(part, "{}/{}", paper.name, figure.id);
        }
    }
}
