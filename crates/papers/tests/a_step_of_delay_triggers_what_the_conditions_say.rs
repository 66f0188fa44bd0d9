//! One flow of w packets a round over 125 packets/s; the round trip steps from 0.2 s to T₂ once.
//!
//! The window is w from the start and all ACKs come back at once, so that round n begins at n × 0.2 s
//! and its packet i leaves 8 i ms later. The step comes in round 20, at 4 s: 4 ms before it (the idle
//! time), or 4 ms before its packet k leaves. By then the first round's queueing has left the timer:
//! with at least 5 samples a round, 100 of them shrink it by (3/4)^100, and the timeout is 0.2 s.
//!
//! T₂ is never a multiple of 8 ms away from the round, so that no packet arrives just as another
//! does. A timeout comes at most 0.2 s after the last ACK in time, so before 4.6 s; overtaken packets
//! arrive within 0.2 s of the step. Each run ends at 4.7 s.
//!
//! Windows 5, 9, 13, 17, 21, 25. Up: 5 values of T₂ at 3 moments, 90 settings. Down: 5 values of T₂
//! before 4 packets with 5 thresholds D, 600 settings.

use experiments::Registry;
use experiments::scenario::Scenario;
use papers::abrupt_delay::{Moment, Step};
use units::Duration;

struct Setting {
    step: Step,
    moment: Moment,
    threshold: u64,
}

const WINDOWS: [u64; 6] = [5, 9, 13, 17, 21, 25];
const PACKET: Duration = Duration::from_millis(8);
const BEFORE: Duration = Duration::from_millis(200);

fn up() -> Vec<Setting> {
    let mut settings = Vec::new();
    for window in WINDOWS {
        for after_ms in [230, 270, 310, 390, 410] {
            for moment in [Moment::Idle, Moment::Packet(1), Moment::Packet(window / 2)] {
                settings.push(setting(window, after_ms, moment, 3));
            }
        }
    }
    settings
}

fn down() -> Vec<Setting> {
    let mut settings = Vec::new();
    for window in WINDOWS {
        for after_ms in [20, 60, 100, 130, 189] {
            for packet in [1, window / 3 + 1, window / 2 + 1, window - 1] {
                for threshold in [1, 2, 3, 4, 6] {
                    settings.push(setting(window, after_ms, Moment::Packet(packet), threshold));
                }
            }
        }
    }
    settings
}

fn setting(window: u64, after_ms: u64, moment: Moment, threshold: u64) -> Setting {
    let step = Step {
        window,
        packet: PACKET,
        before: BEFORE,
        after: Duration::from_millis(after_ms),
    };
    Setting {
        step,
        moment,
        threshold,
    }
}

impl Setting {
    fn says(&self) -> String {
        format!(
            "{:?} at {:?}, D = {}",
            self.step, self.moment, self.threshold
        )
    }

    /// Timeouts and fast retransmits of a run.
    fn run(&self, registry: &Registry) -> (u64, u64) {
        let packet = match self.moment {
            Moment::Idle => 0,
            Moment::Packet(packet) => packet,
        };
        let at_ms = 4_000 + 8 * packet - 4;
        let text = format!(
            r#"duration = "4700 ms"
[topology]
kind = "dumbbell"
reverse = {{ rate = "unlimited", delay = "0 s" }}
[topology.bottleneck]
rate = "1 Mbps"
delay = "192 ms"
queue = {{ kind = "drop-tail", limit = "unlimited" }}
schedule = [{{ at = "{at_ms} ms", delay = "{} us" }}]
[[flows]]
protocol = "tcp"
recovery = "reno"
packet_size = "1000 B"
initial_window = "{window} packets"
max_window = "{window} packets"
duplicate_ack_threshold = {}
limited_transmit = false
rto = {{ initial = "3 s", minimum = "2 ms", granularity = "1 ms", arithmetic = "without-floor" }}
"#,
            (self.step.after - PACKET).as_secs_f64() * 1e6,
            self.threshold,
            window = self.step.window,
        );
        let scenario = Scenario::parse(&text, "step.toml", registry).unwrap();
        let flow = &experiments::run(&scenario, registry).unwrap().summary.flows[0];
        (flow.timeouts, flow.fast_retransmits)
    }
}

#[test]
fn a_step_up_times_out_exactly_where_the_conditions_say() {
    let registry = Registry::standard();
    let settings = up();
    assert_eq!(settings.len(), 90);
    let mut timeouts = 0;
    for setting in &settings {
        let expected = setting.step.times_out(setting.moment, BEFORE);
        let (found, fast) = setting.run(&registry);
        assert_eq!(found > 0, expected, "{}: {found}", setting.says());
        assert!(fast == 0 || expected, "{}: {fast} fast", setting.says());
        timeouts += usize::from(expected);
    }
    // Idle: T₂ > 200 + 8 (w − 1) ms, so beyond 232, 264, 296, 328, 360, 392 ms: 4, 4, 3, 2, 2, 1 of the five values.
    // Busy: T₂ > 392 ms, 1 of 5, at both packets of each of 6 windows.
    assert_eq!(timeouts, 16 + 12);
}

#[test]
fn a_step_down_retransmits_fast_exactly_where_the_conditions_say() {
    let registry = Registry::standard();
    let settings = down();
    assert_eq!(settings.len(), 600);
    let mut retransmits = 0;
    for setting in &settings {
        let expected = setting
            .step
            .retransmits_fast(setting.moment, setting.threshold);
        let (_, found) = setting.run(&registry);
        assert_eq!(found > 0, expected, "{}: {found}", setting.says());
        retransmits += usize::from(expected);
    }
    // Both outcomes are well represented.
    assert!((100..500).contains(&retransmits), "{retransmits}");
}
