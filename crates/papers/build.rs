//! Tells the crate the state of the sources that what is measured depends on: those of each paper,
//! and those that all papers use.

include!("../results/fingerprint.rs");

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let source = "crates/papers/src";
    println!("cargo::rerun-if-changed={}", root.join(source).display());
    let mut names: Vec<String> = fs::read_dir(root.join(source))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !MEASURES_NOTHING.contains(&name.as_str()))
        .collect();
    names.sort();
    let (mut papers, mut shared) = (Vec::new(), Vec::new());
    for name in names {
        let path = format!("{source}/{name}");
        if root.join(&path).is_dir() {
            papers.push(format!("{name}={}", fingerprint(&root, &[&path])));
        } else {
            shared.push(path);
        }
    }
    let shared: Vec<&str> = shared.iter().map(String::as_str).collect();
    println!(
        "cargo::rustc-env=ACKCLOCK_PAPER_SOURCES={}",
        papers.join(",")
    );
    println!(
        "cargo::rustc-env=ACKCLOCK_SHARED_SOURCES={}",
        fingerprint(&root, &shared)
    );
}

/// Sources that only judge, draw or choose.
const MEASURES_NOTHING: [&str; 9] = [
    "claim.rs",
    "judging.rs",
    "kept.rs",
    "report",
    "results.rs",
    "runner.rs",
    "selection.rs",
    "testing.rs",
    "validation",
];
