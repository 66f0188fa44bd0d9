//! What there is to choose from: controllers, queues, models, topologies, protocols, and every key
//! of a scenario file, with parameters, defaults, units and sources.
//!
//! Made from the tables that files are read by and from the registry of controllers, so that it
//! can neither lag behind them nor run ahead.

use controllers::Carrier;
use serde::Serialize;
use units::choice::{Choice, Kind, Parameter as Key};

use crate::Registry;
use crate::scenario::keys::{self, DISTRIBUTION, RECOVERY, SPURIOUS, THRESHOLD_ADAPTATION};
use crate::scenario::{every_key, nearest};

/// A kind of thing that is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Category {
    /// Its name on the command line: a plural.
    pub name: &'static str,
    /// What belongs to it.
    pub summary: &'static str,
}

/// All kinds of things that are listed.
pub const CATEGORIES: &[Category] = &[
    Category {
        name: "controllers",
        summary: "Congestion controllers",
    },
    Category {
        name: "recoveries",
        summary: "Loss recovery of TCP",
    },
    Category {
        name: "detections",
        summary: "Ways to find retransmissions that had no cause",
    },
    Category {
        name: "adaptations",
        summary: "Laws by which the threshold of duplicate ACKs adapts",
    },
    Category {
        name: "protocols",
        summary: "What carries the data of a flow",
    },
    Category {
        name: "applications",
        summary: "What has data to send",
    },
    Category {
        name: "topologies",
        summary: "Shapes of networks",
    },
    Category {
        name: "queues",
        summary: "Queue disciplines",
    },
    Category {
        name: "losses",
        summary: "Loss models of links",
    },
    Category {
        name: "delays",
        summary: "Delay models of links",
    },
    Category {
        name: "distributions",
        summary: "Ways to draw a quantity",
    },
    Category {
        name: "keys",
        summary: "Keys of scenario files",
    },
];

/// One thing that can be chosen or set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The name of its [`Category`].
    pub category: &'static str,
    /// Its name in scenario files.
    pub name: String,
    /// What it is, in a sentence.
    pub summary: String,
    /// Where it is specified; empty where it needs no specification.
    pub source: String,
    /// The table of a key; the key that an entry of another category is a value of.
    pub place: String,
    /// Its parameters. Of a key: itself, with type and default.
    pub parameters: Vec<Parameter>,
}

/// A parameter of an [`Entry`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Its name in scenario files.
    pub name: String,
    /// Type and bounds, in words.
    pub kind: String,
    /// Its unit where that is not part of the value; else empty.
    pub unit: String,
    /// What holds without it.
    pub default: String,
    /// What it does.
    pub doc: String,
}

/// No entry has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is nothing named \"{name}\"")]
pub struct UnknownName {
    /// The name asked for.
    pub name: String,
    /// The nearest name there is, if one is near.
    pub nearest: Option<String>,
}

/// Everything there is, category by category.
pub fn entries(registry: &Registry) -> Vec<Entry> {
    let mut entries = controllers(registry);
    for (category, place, words) in [
        ("recoveries", "recovery", RECOVERY),
        ("detections", "spurious", SPURIOUS),
        ("adaptations", "threshold_adaptation", THRESHOLD_ADAPTATION),
    ] {
        entries.extend(words.iter().map(|word| Entry {
            category,
            name: word.name.to_owned(),
            summary: word.doc.to_owned(),
            source: word.source.to_owned(),
            place: place.to_owned(),
            parameters: Vec::new(),
        }));
    }
    for (category, place, family) in [
        ("protocols", "protocol", "group of flows"),
        ("applications", "application", "application"),
        ("topologies", "topology", "topology"),
        ("queues", "queue", "queue"),
        ("losses", "loss", "loss"),
        ("delays", "delay", "delay"),
    ] {
        entries.extend(choices(registry, category, place, family));
    }
    let parameter = |key: &Key| parameter(registry, key);
    entries.extend(DISTRIBUTION.keys.iter().map(|key| Entry {
        category: "distributions",
        name: key.name.to_owned(),
        summary: key.doc.to_owned(),
        source: String::new(),
        place: "distribution".to_owned(),
        parameters: match key.kind {
            Kind::Table(table) => table.keys.iter().map(parameter).collect(),
            _ => vec![parameter(key)],
        },
    }));
    every_key(registry, |place, key| {
        entries.push(Entry {
            category: "keys",
            name: key.name.to_owned(),
            summary: key.doc.to_owned(),
            source: String::new(),
            place: place.to_owned(),
            parameters: vec![parameter(key)],
        });
    });
    entries
}

/// The entries of one category; an error names the nearest category.
pub fn list(registry: &Registry, category: &str) -> Result<Vec<Entry>, UnknownName> {
    let names = || CATEGORIES.iter().map(|category| category.name);
    if !names().any(|name| name == category) {
        return Err(UnknownName {
            name: category.to_owned(),
            nearest: nearest(category, names()).map(str::to_owned),
        });
    }
    Ok(entries(registry)
        .into_iter()
        .filter(|entry| entry.category == category)
        .collect())
}

/// All entries of that name: one name can be a controller and a recovery. A key can be told from
/// its namesakes by its table: `red queue.limit`.
pub fn explain(registry: &Registry, name: &str) -> Result<Vec<Entry>, UnknownName> {
    let all = entries(registry);
    let wanted = |entry: &&Entry| {
        entry.name == name
            || (entry.category == "keys" && format!("{}.{}", entry.place, entry.name) == name)
    };
    let found: Vec<_> = all.iter().filter(wanted).cloned().collect();
    if found.is_empty() {
        return Err(UnknownName {
            name: name.to_owned(),
            nearest: nearest(name, all.iter().map(|entry| entry.name.as_str())).map(str::to_owned),
        });
    }
    Ok(found)
}

/// What helps with a wrong value of a key, dotted or not: the command that explains it, if one does.
pub fn hint(registry: &Registry, key: &str) -> Option<String> {
    let key = key.rsplit('.').next().unwrap_or_default();
    let known = explain(registry, key).is_ok();
    known.then(|| format!("`ackclock explain {key}` says what it takes"))
}

fn controllers(registry: &Registry) -> Vec<Entry> {
    registry
        .iter()
        .map(|controller| Entry {
            category: "controllers",
            name: controller.name.to_owned(),
            summary: format!(
                "{} Goes with the protocols: {}.",
                controller.summary,
                protocols(controller.carrier)
            ),
            source: controller.source.to_owned(),
            place: "controller".to_owned(),
            parameters: controller
                .parameters
                .iter()
                .map(|key| parameter(registry, key))
                .collect(),
        })
        .collect()
}

/// The protocols that can drive a controller.
fn protocols(carrier: Carrier) -> String {
    let all = keys::Drive::ALL.into_iter();
    let names: Vec<_> = all
        .filter(|drive| drive.takes(carrier))
        .map(keys::Drive::protocol)
        .collect();
    names.join(", ")
}

fn choices(
    registry: &Registry,
    category: &'static str,
    place: &'static str,
    family: &str,
) -> Vec<Entry> {
    let family = registry.family(family);
    let entry = |choice: &Choice| Entry {
        category,
        name: choice.name.to_owned(),
        summary: choice.doc.to_owned(),
        source: choice.source.to_owned(),
        place: place.to_owned(),
        parameters: family
            .common
            .iter()
            .chain(choice.keys)
            .map(|key| parameter(registry, key))
            .collect(),
    };
    family.choices.iter().map(entry).collect()
}

fn parameter(registry: &Registry, key: &Key) -> Parameter {
    Parameter {
        name: key.name.to_owned(),
        kind: registry.describe(&key.kind),
        unit: key.unit.to_owned(),
        default: key.default.to_string(),
        doc: key.doc.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_category_has_entries_and_every_entry_a_category() {
        let registry = Registry::standard();
        let used: BTreeSet<_> = entries(&registry)
            .iter()
            .map(|entry| entry.category)
            .collect();
        let declared: BTreeSet<_> = CATEGORIES.iter().map(|category| category.name).collect();
        assert_eq!(used, declared);
    }

    #[test]
    fn a_name_with_two_meanings_is_explained_twice() {
        let found = explain(&Registry::standard(), "reno").unwrap();
        let categories: Vec<_> = found.iter().map(|entry| entry.category).collect();
        assert_eq!(categories, ["controllers", "recoveries"]);
    }

    #[test]
    fn a_key_is_explained_with_type_and_default() {
        let found = explain(&Registry::standard(), "packet_size").unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].parameters[0].default, "\"1000 B\"");
        assert!(found[0].parameters[0].kind.contains("1000 B"), "{found:?}");
        let limit = explain(&Registry::standard(), "red queue.min_threshold").unwrap();
        assert_eq!(limit[0].place, "red queue");
    }

    #[test]
    fn an_unknown_name_brings_the_nearest() {
        let error = explain(&Registry::standard(), "giamd").unwrap_err();
        assert_eq!(error.nearest.as_deref(), Some("gaimd"));
        let error = list(&Registry::standard(), "queue").unwrap_err();
        assert_eq!(error.nearest.as_deref(), Some("queues"));
        assert_eq!(
            list(&Registry::standard(), "zzzzzz").unwrap_err().nearest,
            None
        );
    }
}
