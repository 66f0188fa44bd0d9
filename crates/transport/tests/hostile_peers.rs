//! No endpoint panics, sends without end or keeps what a peer only claims, whatever the peer says.
//! `fuzz/fuzz_targets/endpoints.rs` plays the same for longer.

mod hostile;
mod pairs;

use pairs::KINDS;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn whatever_a_peer_says_does_no_harm(
        kind in 0..2 * KINDS.len() as u8,
        bytes in proptest::collection::vec(any::<u8>(), 0..1_500),
    ) {
        let mut bytes = bytes;
        bytes.insert(0, kind);
        hostile::play(&bytes);
    }
}
