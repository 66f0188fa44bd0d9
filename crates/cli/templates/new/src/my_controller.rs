//! One packet more each round trip; a fraction of the window is kept after a loss.
//!
//! This file is yours. `limits`, `on_ack` and `on_congestion` are all that a controller must have;
//! the documentation of `CongestionController` says when each is called.

use ackclock::controllers::{
    Ack, Carrier, Congestion, CongestionController, Controller, Episode, Kind, Limits, Parameter,
    Parameters, Properties, Setup, Value,
};
use ackclock::units::Bytes;

/// The name by which scenario files choose it, and what can be set.
pub const CONTROLLER: Controller = Controller {
    name: "my-controller",
    summary: "One packet more each round trip; a fraction of the window is kept after a loss.",
    source: "",
    carrier: Carrier::Window,
    properties: Properties::WINDOW,
    parameters: &[Parameter {
        name: "kept",
        kind: Kind::Number { min: 0.1, max: 0.9 },
        default: Value::Number(0.7),
        unit: "",
        doc: "Fraction of the window that is kept after a loss.",
    }],
    build: &build,
};

fn build(parameters: &Parameters, setup: &Setup) -> Box<dyn CongestionController> {
    Box::new(MyController {
        kept: parameters.number("kept").expect("it has a default"),
        segment: setup.segment,
        window: setup.initial_window.as_f64() / setup.segment.as_f64(),
        slow_start: true,
    })
}

#[derive(Clone, Debug)]
struct MyController {
    kept: f64,
    segment: Bytes,
    /// In packets. It stays a real number; `limits` turns it into bytes.
    window: f64,
    /// Until the first loss the window doubles each round trip.
    slow_start: bool,
}

impl CongestionController for MyController {
    fn limits(&self) -> Limits {
        Limits::of_window(Bytes((self.window * self.segment.as_f64()) as u64))
    }

    fn on_ack(&mut self, ack: &Ack) {
        if ack.in_recovery || ack.app_limited {
            return;
        }
        let acked = ack.acked_packets as f64;
        self.window += if self.slow_start {
            acked
        } else {
            acked / self.window
        };
    }

    fn on_congestion(&mut self, congestion: &Congestion) {
        if congestion.episode == Episode::Begins {
            self.slow_start = false;
            self.window = (self.window * self.kept).max(2.0);
        }
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        visit("window", self.window);
    }
}
