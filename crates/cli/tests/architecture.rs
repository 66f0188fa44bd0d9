//! The walls between the crates, and the policy for what comes from outside.
//!
//! A crate of this workspace may depend on those that [`WORKSPACE_TABLE`] names and on no others.
//! The crates up to `experiments` take from outside only what [`OUTSIDE_TABLE`] names: that is
//! what lets one controller run in the simulator, in a QUIC stack and in a browser. Licences and
//! sources follow `deny.toml`, whose list is read here, so that there is one list.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};

/// Each crate, and those of the workspace that it and its tests may depend on.
const WORKSPACE_TABLE: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("controllers", &["units"]),
    ("transport", &["units", "controllers"]),
    ("netsim", &["units"]),
    (
        "experiments",
        &["units", "controllers", "transport", "netsim"],
    ),
    (
        "results",
        &["units", "controllers", "transport", "netsim", "experiments"],
    ),
    (
        "papers",
        &[
            "units",
            "controllers",
            "transport",
            "netsim",
            "experiments",
            "results",
        ],
    ),
    (
        "ackclock",
        &[
            "units",
            "controllers",
            "transport",
            "netsim",
            "experiments",
            "results",
            "papers",
        ],
    ),
    (
        "ackclock-python",
        &[
            "units",
            "controllers",
            "transport",
            "netsim",
            "experiments",
            "results",
            "papers",
        ],
    ),
];

/// What a crate up to `experiments` may take from outside the workspace, tests aside.
const OUTSIDE_TABLE: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("controllers", &["libm", "thiserror"]),
    ("transport", &["libm", "thiserror"]),
    (
        "netsim",
        &["libm", "rand_core", "rand_xoshiro", "thiserror"],
    ),
    (
        "experiments",
        &[
            "libm",
            "schemars",
            "serde",
            "serde_json",
            "strsim",
            "thiserror",
            "toml",
        ],
    ),
];

/// Threads, files, terminals, clocks and operating-system randomness: never up to `experiments`,
/// not even by way of another crate, so that a scenario runs without them.
const HEAVY: &[&str] = &[
    "arrow",
    "chrono",
    "clap",
    "ctrlc",
    "getrandom",
    "indicatif",
    "parquet",
    "rayon",
    "tempfile",
    "tokio",
];

#[test]
fn every_crate_depends_only_on_the_crates_below_it() {
    let metadata = metadata();
    for package in metadata.workspace_packages() {
        let allowed = row(WORKSPACE_TABLE, &package.name);
        for dependency in &package.dependencies {
            let inside = dependency.path.is_some();
            assert!(
                !inside || allowed.contains(&dependency.name.as_str()),
                "{} may not depend on {} ({:?})",
                package.name,
                dependency.name,
                dependency.kind
            );
        }
    }
}

#[test]
fn the_table_names_the_crates_there_are_and_no_others() {
    let metadata = metadata();
    let there: BTreeSet<&str> = metadata
        .workspace_packages()
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let named: BTreeSet<&str> = WORKSPACE_TABLE.iter().map(|(name, _)| *name).collect();
    assert_eq!(there, named);
}

#[test]
fn units_depends_on_nothing() {
    let metadata = metadata();
    let units = package(&metadata, "units");
    let dependencies: Vec<&str> = units
        .dependencies
        .iter()
        .filter(|dependency| dependency.kind != DependencyKind::Development)
        .map(|dependency| dependency.name.as_str())
        .collect();
    assert!(dependencies.is_empty(), "{dependencies:?}");
}

#[test]
fn the_crates_up_to_experiments_take_only_what_the_table_names_from_outside() {
    let metadata = metadata();
    for (name, allowed) in OUTSIDE_TABLE {
        for dependency in &package(&metadata, name).dependencies {
            if dependency.path.is_none() && dependency.kind != DependencyKind::Development {
                assert!(
                    allowed.contains(&dependency.name.as_str()),
                    "{name} may not depend on {}",
                    dependency.name
                );
            }
        }
    }
}

#[test]
fn nothing_heavy_is_reached_from_experiments_or_below() {
    let metadata = metadata();
    for (name, _) in OUTSIDE_TABLE {
        let reached = reached_from(&metadata, &package(&metadata, name).id);
        for heavy in HEAVY {
            assert!(!reached.contains(*heavy), "{name} reaches {heavy}");
        }
    }
    // The walk does see such crates: the command line reaches this one.
    let reached = reached_from(&metadata, &package(&metadata, "ackclock").id);
    assert!(reached.contains("parquet"), "{reached:?}");
}

#[test]
fn every_crate_takes_its_lints_from_the_workspace() {
    for package in metadata().workspace_packages() {
        let manifest = fs::read_to_string(&package.manifest_path).expect("a crate has a manifest");
        assert!(
            manifest.contains("[lints]\nworkspace = true\n"),
            "{} lacks `[lints] workspace = true`",
            package.manifest_path
        );
    }
}

#[test]
fn every_dependency_is_from_the_registry_under_a_licence_that_the_policy_allows() {
    let metadata = metadata();
    let allowed = allowed_licences();
    for package in &metadata.packages {
        if let Some(source) = &package.source {
            assert!(source.is_crates_io(), "{} is from {source}", package.name);
        }
        let licence = package
            .license
            .as_deref()
            .unwrap_or_else(|| panic!("{} names no licence", package.name));
        assert!(
            permits(licence, &allowed),
            "{} is under {licence}, which deny.toml does not allow",
            package.name
        );
    }
}

#[test]
fn a_licence_expression_is_read_as_its_words_say() {
    let allowed = BTreeSet::from(["MIT".to_owned(), "Unicode-3.0".to_owned()]);
    for (expression, permitted) in [
        ("MIT", true),
        ("GPL-3.0-only", false),
        ("GPL-3.0-only OR MIT", true),
        ("GPL-3.0-only/MIT", true),
        ("GPL-3.0-only AND MIT", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(GPL-3.0-only OR Apache-2.0) AND Unicode-3.0", false),
        ("Apache-2.0 WITH LLVM-exception OR MIT", true),
        ("MIT WITH some-exception", false),
    ] {
        assert_eq!(permits(expression, &allowed), permitted, "{expression}");
    }
}

/// The workspace and all that it uses on this platform.
fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .other_options(["--locked", "--filter-platform", "host-tuple"].map(str::to_owned))
        .exec()
        .expect("cargo metadata reads this workspace")
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn row<'t>(table: &[(&str, &'t [&'t str])], name: &str) -> &'t [&'t str] {
    let row = table.iter().find(|(listed, _)| *listed == name);
    let (_, allowed) = row.unwrap_or_else(|| panic!("{name} is not in the table of the crates"));
    allowed
}

fn package<'m>(metadata: &'m Metadata, name: &str) -> &'m Package {
    metadata
        .workspace_packages()
        .into_iter()
        .find(|package| package.name.as_str() == name)
        .unwrap_or_else(|| panic!("the workspace has no crate {name}"))
}

/// The names of all crates that `start` uses when it runs: not those of its tests, and not those
/// that only run while it is built (build scripts).
fn reached_from<'m>(metadata: &'m Metadata, start: &'m PackageId) -> BTreeSet<&'m str> {
    let resolve = metadata
        .resolve
        .as_ref()
        .expect("dependencies are resolved");
    let nodes: BTreeMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let names: BTreeMap<_, _> = metadata
        .packages
        .iter()
        .map(|package| (&package.id, package.name.as_str()))
        .collect();
    let mut reached = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(id) = waiting.pop() {
        for dependency in &nodes[id].deps {
            let runs = dependency
                .dep_kinds
                .iter()
                .any(|kind| kind.kind == DependencyKind::Normal);
            if runs && reached.insert(names[&dependency.pkg]) {
                waiting.push(&dependency.pkg);
            }
        }
    }
    reached
}

/// The list `allow = […]` of `deny.toml`.
fn allowed_licences() -> BTreeSet<String> {
    let policy = fs::read_to_string(root().join("deny.toml")).expect("deny.toml is there");
    let (_, rest) = policy
        .split_once("\nallow = [\n")
        .expect("deny.toml lists the licences allowed");
    let (list, _) = rest.split_once("\n]").expect("the list ends");
    list.lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.split_once('"'))
        .map(|(licence, _)| licence.to_owned())
        .collect()
}

/// Whether an SPDX expression can be satisfied with `allowed` licences alone. The old form `A/B`
/// means `A OR B`.
fn permits(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let permitted = any_of(&mut words, allowed);
    assert_eq!(words.next(), None, "{expression} ends early");
    permitted
}

type Words<'e> = std::iter::Peekable<std::str::SplitWhitespace<'e>>;

fn any_of(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut permitted = all_of(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        permitted |= all_of(words, allowed);
    }
    permitted
}

fn all_of(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut permitted = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        permitted &= one(words, allowed);
    }
    permitted
}

fn one(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    match words.next() {
        Some("(") => {
            let permitted = any_of(words, allowed);
            assert_eq!(words.next(), Some(")"), "a bracket stays open");
            permitted
        }
        Some(licence) => {
            // A licence with an exception is one of its own.
            match words.next_if_eq(&"WITH").and_then(|_| words.next()) {
                None => allowed.contains(licence),
                Some(exception) => allowed.contains(&format!("{licence} WITH {exception}")),
            }
        }
        None => panic!("a licence expression ends early"),
    }
}
