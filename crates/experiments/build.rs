//! Tells the crate the state of the sources that the results of a run depend on.

include!("fingerprint.rs");

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sources = fingerprint(
        &root,
        &[
            "crates/units/src",
            "crates/controllers/src",
            "crates/transport/src",
            "crates/netsim/src",
            "crates/experiments/src/simulation",
            "crates/experiments/src/scenario",
            "crates/experiments/src/summary.rs",
            "crates/experiments/src/metrics.rs",
            "crates/experiments/src/sweep/metrics.rs",
        ],
    );
    println!("cargo::rustc-env=ACKCLOCK_SIMULATOR_SOURCES={sources}");
}
