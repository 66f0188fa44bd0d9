//! Hostile peers: no segment, SACK block, ACK vector or feedback makes an endpoint panic, send without
//! end, or keep more than it was given. The tests of `transport` play the same for a while.
//!
//! `cargo +nightly fuzz run endpoints corpus/endpoints`

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/transport/tests/hostile/mod.rs"]
mod hostile;
#[path = "../../crates/transport/tests/pairs/mod.rs"]
mod pairs;

fuzz_target!(|bytes: &[u8]| hostile::play(bytes));
