//! Named random streams: one for each component and flow, so that adding one leaves the numbers
//! that the others draw as they were.
//!
//! Follows Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021), for the
//! generator, xoshiro256++. The seed of a stream is a fixed function of the scenario's seed and
//! of its name:
//!
//! ```text
//! key(seed, name)        = mix(mix(seed) ^ fnv1a(name))
//! key(seed, name, index) = mix(key(seed, name) ^ mix(index))
//! ```
//!
//! where `fnv1a` is the 64-bit FNV-1a hash of the name's UTF-8 bytes and `mix` gives the first
//! output of `SplitMix64` for that seed. The generator's state is the first four outputs of
//! `SplitMix64` for the key. Both, and how a draw becomes a value, are part of what a version
//! promises: a change alters the results of every scenario.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use units::Duration;

/// A stream of random numbers of its own.
#[derive(Clone, Debug)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
}

impl Stream {
    /// The stream called `name` of the scenario with this seed.
    pub fn named(seed: u64, name: &str) -> Self {
        Self::from_key(key(seed, name))
    }

    /// The stream number `index` among those called `name`: one for each of many flows. Another
    /// stream than `named(seed, name)` for every index.
    pub fn indexed(seed: u64, name: &str, index: u64) -> Self {
        Self::from_key(mix(key(seed, name) ^ mix(index)))
    }

    fn from_key(key: u64) -> Self {
        let mut state = [0; 32];
        for (step, word) in state.chunks_exact_mut(8).enumerate() {
            let step = GOLDEN_GAMMA.wrapping_mul(step as u64);
            word.copy_from_slice(&mix(key.wrapping_add(step)).to_le_bytes());
        }
        Self {
            generator: Xoshiro256PlusPlus::from_seed(state),
        }
    }

    /// 64 random bits.
    #[inline]
    fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A number in [0, 1), a multiple of 2⁻⁵³.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * TWO_TO_MINUS_53
    }

    /// An integer in 0 .. n, each equally likely (Lemire, "Fast random integer generation in an
    /// interval", 2019).
    ///
    /// # Panics
    /// When `n` is zero: there is nothing to choose from.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "no integer is below zero");
        let mut product = u128::from(self.bits()) * u128::from(n);
        if (product as u64) < n {
            // The low half marks the few draws that would favour some integers.
            let threshold = n.wrapping_neg() % n;
            while (product as u64) < threshold {
                product = u128::from(self.bits()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// Whether something happens that has this probability: never at 0 or less, always at 1 or
    /// more. Draws one number in every case.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// A length of time from `low` to `high`, both included, each picosecond equally likely;
    /// `low` where `high` is shorter.
    pub fn duration_between(&mut self, low: Duration, high: Duration) -> Duration {
        let span = high.saturating_sub(low).as_picos();
        let picos = match span.checked_add(1) {
            Some(n) => self.below(n),
            None => self.bits(),
        };
        low + Duration::from_picos(picos)
    }

    /// A length of time with an exponential distribution, to the nearest picosecond.
    pub fn exponential(&mut self, mean: Duration) -> Duration {
        mean.mul_f64(self.unit_exponential())
    }

    /// A real number with an exponential distribution.
    pub fn exponential_f64(&mut self, mean: f64) -> f64 {
        mean * self.unit_exponential()
    }

    /// A length of time with a Pareto distribution, to the nearest picosecond. The smallest value
    /// is `mean × (shape − 1) / shape`; the variance is infinite at a shape of 2 or less.
    ///
    /// # Panics
    /// When `shape` is not above 1: the mean would be infinite.
    pub fn pareto(&mut self, mean: Duration, shape: f64) -> Duration {
        assert!(shape > 1.0, "a Pareto mean needs a shape above 1");
        let smallest = (shape - 1.0) / shape;
        mean.mul_f64(smallest / libm::pow(self.above_zero(), 1.0 / shape))
    }

    fn unit_exponential(&mut self) -> f64 {
        -libm::log(self.above_zero())
    }

    /// A number in (0, 1].
    fn above_zero(&mut self) -> f64 {
        1.0 - self.uniform()
    }
}

fn key(seed: u64, name: &str) -> u64 {
    mix(mix(seed) ^ fnv1a(name.as_bytes()))
}

/// The first output of `SplitMix64` for this seed.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(GOLDEN_GAMMA);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The 64-bit FNV-1a hash.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(FNV_OFFSET_BASIS, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME)
    })
}

/// Step of `SplitMix64` (Steele, Lea and Flood 2014).
const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;
/// FNV-1a, 64 bits.
const FNV_OFFSET_BASIS: u64 = 0xCBF2_9CE4_8422_2325;
/// FNV-1a, 64 bits.
const FNV_PRIME: u64 = 0x0100_0000_01B3;
/// Spacing of the numbers that [`Stream::uniform`] draws from.
const TWO_TO_MINUS_53: f64 = 1.0 / (1_u64 << 53) as f64;

#[cfg(test)]
mod tests {
    use super::*;

    fn from_state(state: [u64; 4]) -> Stream {
        let mut seed = [0; 32];
        for (bytes, word) in seed.chunks_exact_mut(8).zip(state) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Stream {
            generator: Xoshiro256PlusPlus::from_seed(seed),
        }
    }

    #[test]
    fn the_generator_is_the_published_xoshiro256_plus_plus() {
        // xoshiro256plusplus.c from the state 1, 2, 3, 4. The first by hand: s0 + s3 = 5,
        // 5 << 23 = 41,943,040, plus s0 = 41,943,041.
        let mut stream = from_state([1, 2, 3, 4]);
        for expected in [
            41_943_041,
            58_720_359,
            3_588_806_011_781_223,
            3_591_011_842_654_386,
            9_228_616_714_210_784_205,
            9_973_669_472_204_895_162,
            14_011_001_112_246_962_877,
            12_406_186_145_184_390_807,
            15_849_039_046_786_891_736,
            10_450_023_813_501_588_000,
        ] {
            assert_eq!(stream.bits(), expected);
        }
    }

    #[test]
    fn the_mix_is_the_published_splitmix64_and_the_hash_the_published_fnv1a() {
        // splitmix64.c from the seed 1477776061723855037.
        let seed = 1_477_776_061_723_855_037_u64;
        assert_eq!(mix(seed), 1_985_237_415_132_408_290);
        assert_eq!(
            mix(seed.wrapping_add(GOLDEN_GAMMA)),
            2_979_275_885_539_914_483
        );
        // The vectors of the FNV specification.
        assert_eq!(fnv1a(b""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn a_named_stream_begins_with_the_same_numbers_for_ever() {
        // From the formulas in this file's header, worked in Python with big integers.
        let mut named = Stream::named(1, "loss");
        assert_eq!(
            [named.bits(), named.bits(), named.bits(), named.bits()],
            [
                5_971_738_235_662_968_288,
                990_065_801_216_492_388,
                3_415_313_175_728_833_476,
                16_416_089_430_537_620_175
            ]
        );
        let mut indexed = Stream::indexed(1, "loss", 7);
        assert_eq!(
            [
                indexed.bits(),
                indexed.bits(),
                indexed.bits(),
                indexed.bits()
            ],
            [
                2_480_506_277_141_896_939,
                1_974_220_617_006_636_332,
                16_565_931_973_584_126_703,
                6_764_165_924_778_264_419
            ]
        );
    }

    #[test]
    fn seed_name_and_index_each_give_another_stream() {
        let mut first: Vec<u64> = [
            Stream::named(1, "a"),
            Stream::named(2, "a"),
            Stream::named(1, "b"),
            Stream::indexed(1, "a", 0),
            Stream::indexed(1, "a", 1),
            Stream::indexed(2, "a", 0),
        ]
        .iter_mut()
        .map(Stream::bits)
        .collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 6);
    }

    #[test]
    fn uniform_takes_the_upper_53_bits() {
        // First word of the state 1, 2, 3, 4: 41,943,041 >> 11 = 20,480; third:
        // 3,588,806,011,781,223 >> 11 = 1,752,346,685,440 (remainder 320,103 / 2,048 dropped).
        let mut stream = from_state([1, 2, 3, 4]);
        assert_eq!(stream.uniform(), 20_480.0 / 9_007_199_254_740_992.0);
        stream.bits();
        assert_eq!(
            stream.uniform(),
            1_752_346_685_440.0 / 9_007_199_254_740_992.0
        );
    }

    #[test]
    fn below_draws_every_integer_equally_often() {
        // 60,000 draws over 6: 10,000 each, sd = sqrt(60,000 × 1/6 × 5/6) = 91; 4.5 sd = 411.
        let mut stream = Stream::named(3, "dice");
        let mut counts = [0_i64; 6];
        for _ in 0..60_000 {
            counts[stream.below(6) as usize] += 1;
        }
        assert!(
            counts.iter().all(|n| (n - 10_000).abs() < 411),
            "{counts:?}"
        );
        assert_eq!(stream.below(1), 0);
        // Over 3 × 2⁶² integers a multiply without rejection hits each third residue twice as
        // often: the share of values divisible by 3 would be 1/2 instead of 1/3.
        // sd over 9,000 draws = sqrt(9,000 × 1/3 × 2/3) = 44.7.
        let thirds = (0..9_000)
            .filter(|_| stream.below(3 << 62).is_multiple_of(3))
            .count();
        assert!((2_800..=3_200).contains(&thirds), "{thirds}");
    }

    #[test]
    fn chance_is_never_at_zero_and_always_at_one() {
        let mut stream = Stream::named(4, "coin");
        assert!((0..10_000).all(|_| !stream.chance(0.0)));
        assert!((0..10_000).all(|_| stream.chance(1.0)));
        // 10,000 draws at 0.3: sd = sqrt(10,000 × 0.3 × 0.7) = 45.8; 4.5 sd = 206.
        let hits = (0..10_000).filter(|_| stream.chance(0.3)).count();
        assert!((2_794..=3_206).contains(&hits), "{hits}");
    }

    #[test]
    fn durations_lie_between_their_ends_and_reach_them() {
        let mut stream = Stream::named(5, "delay");
        let (low, high) = (Duration::from_picos(10), Duration::from_picos(12));
        let mut seen = [false; 3];
        for _ in 0..200 {
            let drawn = stream.duration_between(low, high);
            seen[(drawn.as_picos() - 10) as usize] = true;
        }
        assert_eq!(seen, [true; 3]);
        assert_eq!(stream.duration_between(high, high), high);
        assert_eq!(stream.duration_between(high, low), high);
        let widest = stream.duration_between(Duration::ZERO, Duration::MAX);
        assert!(widest > Duration::ZERO);
    }

    #[test]
    fn exponential_lengths_have_their_mean_and_median() {
        // 40,000 draws of mean 1 s: the mean's sd is 1/200 s, 4.5 sd = 22.5 ms. Half of the draws
        // lie below ln 2 = 0.693147 s: 20,000 with sd 100.
        let mut stream = Stream::named(6, "holding");
        let mean = Duration::from_secs(1);
        let draws: Vec<f64> = (0..40_000)
            .map(|_| stream.exponential(mean).as_secs_f64())
            .collect();
        let average = draws.iter().sum::<f64>() / 40_000.0;
        assert!((average - 1.0).abs() < 0.0225, "{average}");
        let short = draws
            .iter()
            .filter(|x| **x < std::f64::consts::LN_2)
            .count();
        assert!((19_550..=20_450).contains(&short), "{short}");
    }

    #[test]
    fn exponential_is_minus_the_logarithm() {
        // uniform = 20,480 / 2⁵³ = 2.27374e-12, and −ln(1 − x) = x + x²/2 for so small an x:
        // of 1000 s that is 2.27374e-9 s = 2,274 ps.
        let mut stream = from_state([1, 2, 3, 4]);
        assert_eq!(
            stream.exponential(Duration::from_secs(1_000)),
            Duration::from_picos(2_274)
        );
        let drawn = from_state([1, 2, 3, 4]).exponential_f64(1_000.0);
        assert!((drawn - 2.273_74e-9).abs() < 1e-13, "{drawn}");
    }

    #[test]
    fn pareto_lengths_start_at_their_smallest_and_have_their_tail() {
        // Mean 1 s, shape 1.5: smallest 1/3 s; P(X > 4/3 s) = (1/4)^1.5 = 1/8.
        // 40,000 draws: 5,000 with sd = sqrt(40,000 × 1/8 × 7/8) = 66; 4.5 sd = 298.
        let mut stream = Stream::named(7, "burst");
        let draws: Vec<f64> = (0..40_000)
            .map(|_| stream.pareto(Duration::from_secs(1), 1.5).as_secs_f64())
            .collect();
        let smallest = draws.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((0.333_333..0.333_4).contains(&smallest), "{smallest}");
        let tail = draws.iter().filter(|x| **x > 4.0 / 3.0).count();
        assert!((4_702..=5_298).contains(&tail), "{tail}");
        // Shape 3 has a finite variance, 1/3 × mean²: sd of the mean of 40,000 = 0.00289 s.
        let mean = (0..40_000)
            .map(|_| stream.pareto(Duration::from_secs(1), 3.0).as_secs_f64())
            .sum::<f64>()
            / 40_000.0;
        assert!((mean - 1.0).abs() < 0.013, "{mean}");
    }
}
