//! Packet numbers on the wire: 32 bits that wrap.
//!
//! Follows RFC 1982 (serial number arithmetic) for 32 bits. Inside an endpoint numbers have 64
//! bits and do not wrap.

/// A packet number as it stands in a header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sequence(pub u32);

impl Sequence {
    /// The lower 32 bits of a full number.
    pub const fn of(number: u64) -> Self {
        Self(number as u32)
    }

    /// The full number with these lower bits that is nearest to `reference`; `None` where that is
    /// below zero or out of range.
    pub const fn near(self, reference: u64) -> Option<u64> {
        let distance = self.0.wrapping_sub(reference as u32).cast_signed();
        reference.checked_add_signed(distance as i64)
    }

    /// The full number of a first packet, of which nothing is known yet: such that earlier ones
    /// are above zero.
    pub(crate) const fn first(self) -> u64 {
        1 << 32 | self.0 as u64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_number_is_found_again_within_half_the_space(
            reference in (1_u64 << 32)..(1 << 60),
            distance in -0x7fff_ffff_i64..0x7fff_ffff,
        ) {
            let number = reference.checked_add_signed(distance).unwrap();
            prop_assert_eq!(Sequence::of(number).near(reference), Some(number));
        }
    }

    #[test]
    fn numbers_go_on_past_the_wrap() {
        let last = Sequence(u32::MAX);
        let first = last.first();
        assert_eq!(Sequence(0).near(first), Some(first + 1));
        assert_eq!(Sequence(u32::MAX - 1).near(first), Some(first - 1));
        assert_eq!(Sequence(5).near(first + 3), Some(first + 6));
        assert_eq!(Sequence(u32::MAX).near(0), None, "below zero");
    }
}
