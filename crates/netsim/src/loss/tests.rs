//! One contract for every loss model, and packets for their unit tests.

use units::{Bytes, Duration, Time};

use super::*;
use crate::Lengths;
use crate::random::Stream;

/// Packet `number` of a link, at that many milliseconds.
pub(super) fn packet(number: u64, flow: u32) -> Offered {
    Offered {
        now: Time::ZERO + Duration::from_millis(number),
        flow,
        data: true,
        size: Bytes(1_000),
    }
}

/// The numbers of the packets lost of `count` packets of one flow.
pub(super) fn losses(model: &mut dyn LossModel, count: u64) -> Vec<u64> {
    (0..count)
        .filter(|number| model.loses(&packet(*number, 0)))
        .collect()
}

/// Builds a model with its random numbers from the seed.
type Build = fn(u64) -> Box<dyn LossModel>;

/// Every model: its name, how it is built, and whether it draws random numbers.
fn models() -> Vec<(&'static str, Build, bool)> {
    fn stream(seed: u64) -> Stream {
        Stream::named(seed, "loss")
    }
    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }
    vec![
        (
            "bernoulli",
            |seed| Box::new(Bernoulli::new(0.1, stream(seed))),
            true,
        ),
        (
            "gilbert-elliott",
            |seed| {
                let probabilities = GilbertElliottProbabilities {
                    good_to_bad: 0.02,
                    bad_to_good: 0.2,
                    loss_in_good: 0.01,
                    loss_in_bad: 0.8,
                };
                Box::new(GilbertElliott::new(probabilities, stream(seed)))
            },
            true,
        ),
        ("every", |_| Box::new(Every::new(20)), false),
        ("list", |_| Box::new(List::new(vec![60, 62, 64])), false),
        (
            "at",
            |_| {
                let times = [100, 900, 901].map(|millis| Time::ZERO + ms(millis));
                Box::new(At::new(times.to_vec()))
            },
            false,
        ),
        (
            "outage",
            |seed| {
                let every = Lengths::Constant(ms(100));
                let duration = Lengths::Exponential { mean: ms(10) };
                Box::new(Outage::new(every, duration, stream(seed)))
            },
            true,
        ),
        (
            "per flow",
            |_| Box::new(PerFlow::new(1..3, &Every::new(20))),
            false,
        ),
    ]
}

/// Fates of 10,000 packets of three flows; in groups of four at the same time.
fn fates(model: &mut dyn LossModel) -> Vec<bool> {
    (0..10_000)
        .map(|number| {
            let time = packet(number / 4, 0).now;
            model.loses(&Offered {
                now: time,
                ..packet(number, (number % 3) as u32)
            })
        })
        .collect()
}

#[test]
fn every_model_loses_some_packets_and_not_all() {
    for (name, build, _) in models() {
        let lost = fates(&mut *build(1)).iter().filter(|lost| **lost).count();
        assert!((1..5_000).contains(&lost), "{name}: {lost}");
    }
}

#[test]
fn the_same_stream_gives_the_same_losses_and_another_gives_others() {
    for (name, build, random) in models() {
        assert_eq!(fates(&mut *build(1)), fates(&mut *build(1)), "{name}");
        assert_eq!(
            fates(&mut *build(1)) != fates(&mut *build(2)),
            random,
            "{name}"
        );
    }
}

#[test]
fn a_long_silence_harms_no_model() {
    for (_, build, _) in models() {
        let mut model = build(1);
        for seconds in [0, 1, 100_000, 100_000] {
            let now = Time::ZERO + Duration::from_secs(seconds);
            model.loses(&Offered {
                now,
                ..packet(0, 0)
            });
        }
    }
}
