use super::*;

fn estimating(rto: RtoConfig) -> RtoEstimator {
    RtoEstimator::new(Arc::new(SenderConfig {
        rto,
        ..SenderConfig::default()
    }))
}

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn sample(estimator: &mut RtoEstimator, rtt: Duration) {
    let sent_at = Time::ZERO + Duration::from_secs(100);
    estimator.sample(RoundTrip {
        sent_at,
        now: sent_at + rtt,
        timestamps: true,
    });
    estimator.end_backoff();
}

/// RFC 6298 (2.2), (2.3) with a minimum low enough to see through.
#[test]
fn rfc_6298_by_hand() {
    let mut estimator = estimating(RtoConfig {
        minimum: millis(1),
        ..RtoConfig::default()
    });
    assert_eq!(estimator.timeout(), Duration::from_secs(1)); // (2.1)
    // First sample 100 ms: SRTT = 100, RTTVAR = 50, RTO = 100 + 4 × 50 = 300.
    sample(&mut estimator, millis(100));
    assert_eq!(estimator.smoothed_rtt(), millis(100));
    assert_eq!(estimator.deviation(), millis(50));
    assert_eq!(estimator.timeout(), millis(300));
    // 180 ms: RTTVAR = 3/4 × 50 + 1/4 × |100 − 180| = 57.5, SRTT = 7/8 × 100 + 1/8 × 180 = 110.
    sample(&mut estimator, millis(180));
    assert_eq!(estimator.smoothed_rtt(), millis(110));
    assert_eq!(estimator.deviation(), Duration::from_micros(57_500));
    assert_eq!(estimator.timeout(), millis(110 + 230));
}

#[test]
fn the_deviation_counts_at_least_one_tick_unless_told_otherwise() {
    for (arithmetic, expected) in [
        (RtoArithmetic::Rfc, millis(110)),
        (RtoArithmetic::WithoutFloor, millis(100)),
    ] {
        let mut estimator = estimating(RtoConfig {
            minimum: millis(20),
            granularity: millis(10),
            arithmetic,
            ..RtoConfig::default()
        });
        // 100 ms for ever: RTTVAR shrinks by a quarter each time, 50 × 0.75^200 ms is nothing.
        for _ in 0..200 {
            sample(&mut estimator, millis(100));
        }
        let error = estimator.timeout().abs_diff(expected);
        assert!(error < Duration::from_nanos(1), "{arithmetic:?}: {error}");
    }
}

#[test]
fn samples_are_rounded_to_ticks_and_count_at_least_one() {
    // G = 50 ms: 74 ms is 1 tick (floor(1.48 + 0.5) = 1), 75 ms is 2, 10 ms is 1.
    for (rtt, rounded) in [(74, 50), (75, 100), (10, 50)] {
        let mut estimator = estimating(RtoConfig {
            granularity: millis(50),
            ..RtoConfig::default()
        });
        sample(&mut estimator, millis(rtt));
        assert_eq!(estimator.smoothed_rtt(), millis(rounded), "{rtt} ms");
    }
}

#[test]
fn the_backoff_doubles_up_to_the_maximum_and_lasts_until_a_sample() {
    let mut estimator = estimating(RtoConfig::default());
    sample(&mut estimator, millis(100));
    assert_eq!(estimator.timeout(), Duration::from_secs(1)); // the minimum
    for seconds in [2, 4, 8, 16, 32, 60, 60] {
        estimator.back_off();
        assert_eq!(estimator.timeout(), Duration::from_secs(seconds));
    }
    sample(&mut estimator, millis(100));
    assert_eq!(estimator.timeout(), Duration::from_secs(1));
}

#[test]
fn after_a_lost_syn_data_starts_with_three_seconds() {
    let mut estimator = estimating(RtoConfig::default());
    estimator.back_off();
    estimator.after_lost_syn();
    assert_eq!(estimator.timeout(), Duration::from_secs(3));
}

fn ticks() -> RtoEstimator {
    estimating(RtoConfig::ns2())
}

/// 10 ms ticks. Eighths and quarters: 12 ticks give 96 and 24.
#[test]
fn ticks_by_hand() {
    let mut estimator = ticks();
    assert_eq!(estimator.timeout(), Duration::from_secs(3));
    // 116 ms = 11.6 + 0.5 = 12 ticks. RTO = (24 × 8 + 96) / 8 = 36 ticks.
    sample(&mut estimator, millis(116));
    assert_eq!(estimator.smoothed_rtt(), millis(120));
    assert_eq!(estimator.deviation(), millis(60));
    assert_eq!(estimator.timeout(), millis(360));
    // 20 ticks: difference 20 − 12 = 8, SRTT 104 eighths = 13; change 8 − 24/4 = 2, RTTVAR 26
    // quarters; RTO = (26 × 8 + 104) / 8 = 39.
    sample(&mut estimator, millis(200));
    assert_eq!(estimator.smoothed_rtt(), millis(130));
    assert_eq!(estimator.timeout(), millis(390));
}

#[test]
fn the_deviation_stalls_at_three_quarters_of_a_tick() {
    let mut estimator = estimating(RtoConfig {
        minimum: Duration::ZERO,
        ..RtoConfig::ns2()
    });
    // Equal samples of 30 ticks: RTTVAR shrinks until RTTVAR/4 is cut to nothing, at 3 quarters.
    // RTO = (3 × 8 + 30 × 8) / 8 = 33 ticks: SRTT + 3 ticks.
    for _ in 0..100 {
        sample(&mut estimator, millis(300));
    }
    assert_eq!(estimator.timeout(), millis(330));
}

#[test]
fn with_ticks_the_minimum_comes_before_the_backoff_and_two_ticks_are_the_floor() {
    let mut estimator = ticks();
    for _ in 0..100 {
        sample(&mut estimator, millis(20));
    }
    assert_eq!(estimator.timeout(), millis(200));
    estimator.back_off();
    assert_eq!(estimator.timeout(), millis(400));

    let mut estimator = estimating(RtoConfig {
        minimum: Duration::ZERO,
        granularity: millis(500),
        k: 0,
        ..RtoConfig::ns2()
    });
    // One tick of SRTT and no deviation: still two ticks.
    sample(&mut estimator, millis(100));
    assert_eq!(estimator.timeout(), millis(1_000));
}

#[test]
fn ticks_forget_the_round_trip_above_a_backoff_of_eight() {
    let mut estimator = ticks();
    sample(&mut estimator, millis(116));
    for backoff in [2, 4, 8] {
        estimator.back_off();
        assert_eq!(estimator.backoff(), backoff);
        assert_eq!(estimator.smoothed_rtt(), millis(120));
    }
    estimator.back_off();
    assert_eq!(estimator.smoothed_rtt(), Duration::ZERO);
    // The next sample counts as the first: 5 ticks, RTO = 5 + 4 × 2.5 = 15 ticks, 200 ms at least.
    sample(&mut estimator, millis(50));
    assert_eq!(estimator.smoothed_rtt(), millis(50));
    assert_eq!(estimator.deviation(), millis(25));
}

#[test]
fn without_timestamps_the_ticks_of_the_clock_are_counted() {
    // Sent 1 ms after a tick of a clock that ticks 3 ms early: the clock shows 4 ms into a tick.
    // 25 ms later it has seen (25 + 4) / 10 = 2 ticks; from 7 ms into a tick it sees 3.
    for (sent_ms, counted) in [(101, 2), (104, 3)] {
        let mut estimator = estimating(RtoConfig {
            phase: millis(3),
            ..RtoConfig::ns2()
        });
        let sent_at = Time::ZERO + millis(sent_ms);
        estimator.sample(RoundTrip {
            sent_at,
            now: sent_at + millis(25),
            timestamps: false,
        });
        assert_eq!(estimator.smoothed_rtt(), millis(10 * counted));
    }
}

#[test]
fn extreme_samples_do_no_harm() {
    for config in [RtoConfig::default(), RtoConfig::ns2()] {
        let mut estimator = estimating(config);
        for (sent_at, now) in [
            (Time::ZERO, Time::MAX),
            (Time::MAX, Time::ZERO),
            (Time::MAX, Time::MAX),
            (Time::ZERO, Time::MAX),
        ] {
            estimator.sample(RoundTrip {
                sent_at,
                now,
                timestamps: false,
            });
            for _ in 0..100 {
                estimator.back_off();
            }
            assert!(estimator.timeout() <= config.maximum);
        }
    }
}

/// RFC 4015 §3.2 step 8: after samples of 100 ms (SRTT 100, RTTVAR 50) a false timeout at 400 ms makes
/// SRTT 400 and RTTVAR 200: 400 + 4 × 200 = 1200 ms. A shorter one than SRTT changes nothing.
#[test]
fn the_round_trip_of_a_false_timeout_counts_in_full() {
    let mut estimator = estimating(RtoConfig {
        minimum: millis(1),
        ..RtoConfig::default()
    });
    sample(&mut estimator, millis(100));
    estimator.after_spurious_timeout(millis(80));
    assert_eq!(estimator.timeout(), millis(300));
    estimator.after_spurious_timeout(millis(400));
    assert_eq!(estimator.timeout(), millis(1_200));
}
