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
            "crates/experiments/src",
        ],
    );
    println!("cargo::rustc-env=ACKCLOCK_SIMULATOR_SOURCES={sources}");
}
