//! What figures keep of runs, kept by content between two reproductions.
//!
//! A run is found by its scenario, the figure that measured it, and the state of the paper's
//! sources; another version of the simulator has a log of its own.

use std::path::Path;

use results::store::{self, Digest, Entry, OtherVersion, Store, StoreError};

use crate::data::Measured;

/// Results in a folder.
#[derive(Debug)]
pub(crate) struct Kept(Store);

impl Kept {
    pub(crate) fn open(folder: &Path) -> Result<Self, StoreError> {
        Store::open(folder, &version()).map(Self)
    }

    /// What `figure` of `paper` kept of a scenario.
    pub(crate) fn get(&mut self, key: Digest) -> Result<Option<Measured>, StoreError> {
        let entry = self.0.get(key)?;
        Ok(entry.and_then(|entry| match entry {
            Entry::Done(measured) => Some(measured.into()),
            Entry::Failed(_) => None,
        }))
    }

    pub(crate) fn contains(&self, key: Digest) -> bool {
        self.0.contains(key)
    }

    pub(crate) fn add(&mut self, key: Digest, measured: &Measured) -> Result<(), StoreError> {
        self.0.add(key, &Entry::Done(measured.into()))
    }

    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        self.0.sync()
    }

    pub(crate) fn others(&self) -> &[OtherVersion] {
        self.0.others()
    }
}

/// What the result of a scenario is kept under for a figure.
pub(crate) fn key(paper: &str, figure: &str, scenario: &str) -> Digest {
    Digest::of(&["paper", paper, figure, sources(paper), scenario])
}

/// The state of a paper's sources: its folder's, which bears its name; of all papers' where it has
/// none.
fn sources(paper: &str) -> &'static str {
    let all = env!("ACKCLOCK_PAPER_SOURCES");
    all.split(',')
        .filter_map(|one| one.split_once('='))
        .find(|(name, _)| *name == paper)
        .map_or(all, |(_, sources)| sources)
}

fn version() -> String {
    format!("{}-{}", store::version(), env!("ACKCLOCK_SHARED_SOURCES"))
}

impl From<&Measured> for store::Measured {
    fn from(measured: &Measured) -> Self {
        let values = measured.values.iter();
        let curves = measured.curves.iter();
        Self {
            values: values.map(|(name, value)| (name.clone(), *value)).collect(),
            curves: curves
                .map(|(name, points)| (name.clone(), points.clone()))
                .collect(),
        }
    }
}

impl From<store::Measured> for Measured {
    fn from(measured: store::Measured) -> Self {
        Self {
            values: measured.values.into_iter().collect(),
            curves: measured.curves.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_was_measured_comes_back_as_it_was() {
        let measured = Measured::default()
            .value("goodput_mbps", 0.1 + 0.2)
            .curve("window_packets", vec![(0.0, 1.0), (0.5, f64::INFINITY)]);
        assert_eq!(Measured::from(store::Measured::from(&measured)), measured);
    }

    #[test]
    fn every_figure_and_scenario_has_its_own_place() {
        let keys = [
            key("gaimd", "2", "a"),
            key("gaimd", "3", "a"),
            key("gaimd", "2", "b"),
            key("toy", "2", "a"),
        ];
        for (index, one) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(one));
        }
        assert_eq!(keys[0], key("gaimd", "2", "a"));
    }

    #[test]
    fn each_paper_has_sources_of_its_own() {
        for paper in crate::PAPERS {
            let sources = sources(paper.name);
            assert_eq!(sources.len(), 16, "{}: {sources}", paper.name);
        }
    }

    /// Else a change in one paper's sources could go unnoticed in another's results.
    #[test]
    fn no_paper_uses_the_sources_of_another() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for paper in crate::PAPERS {
            for file in fs::read_dir(source.join(paper.name)).unwrap() {
                let path = file.unwrap().path();
                let text = fs::read_to_string(&path).unwrap_or_default();
                for other in crate::PAPERS
                    .iter()
                    .filter(|other| other.name != paper.name)
                {
                    for way in ["crate::", "super::super::"] {
                        let used = format!("{way}{}::", other.name);
                        assert!(!text.contains(&used), "{} in {}", used, path.display());
                    }
                }
            }
        }
    }
}
