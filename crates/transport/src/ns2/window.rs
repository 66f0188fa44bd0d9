//! The window of an ns-2 agent: its own law where ns-2 has one, else any controller.

use controllers::parameters::counting;
use controllers::{
    Ack, Congestion, CongestionController, Controller, Episode, PacketRef, Parameters, Sent, Setup,
    Signal, gaimd, reno, vegas,
};
use units::{Bytes, Duration, Time};

use super::aimd::Aimd;
use super::vegas::VegasWindow;
use crate::config::SenderConfig;

/// `cwnd_` and `ssthresh_`, with the law that they follow.
///
/// The agents read and set the window of ns-2's own laws. A controller that ns-2 does not have is
/// told of ACKs and losses and keeps its window to itself; its pacing is not followed.
#[derive(Debug)]
pub struct Window(Law);

#[derive(Debug)]
enum Law {
    Aimd(Aimd),
    Vegas(VegasWindow),
    Controller(Controlled),
}

/// A controller that ns-2 does not have.
#[derive(Debug)]
struct Controlled {
    controller: Box<dyn CongestionController>,
    segment: Bytes,
    /// What it allows.
    window: Bytes,
    /// Packets told lost, and the last of them.
    lost: u64,
    last_lost: Option<u64>,
}

/// A call of `slowdown()`, or of what closes the window in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slowdown {
    pub(super) now: Time,
    pub(super) signal: Signal,
    /// Whether the threshold is cut too.
    pub(super) begins: bool,
    /// `windowd()`, in packets: what is cut.
    pub(super) flight: f64,
    pub(super) lost_packets: u64,
    /// The newest packet lost or marked.
    pub(super) newest: PacketRef,
}

impl Window {
    /// The window of `controller` in ns-2: its own law for `reno`, `gaimd` and `vegas`. `setup` is
    /// that of [`setup`], with a seed.
    pub fn new(controller: &Controller, parameters: &Parameters, setup: &Setup) -> Self {
        let start = Start::new(setup);
        Self(match controller.name {
            name if name == reno::CONTROLLER.name => {
                Law::Aimd(Aimd::new(reno::LAW, counting(parameters), start))
            }
            name if name == gaimd::CONTROLLER.name => Law::Aimd(Aimd::new(
                gaimd::law(parameters),
                counting(parameters),
                start,
            )),
            name if name == vegas::CONTROLLER.name => {
                Law::Vegas(VegasWindow::new(vegas::Thresholds::new(parameters), start))
            }
            _ => Law::Controller(Controlled::new(
                (controller.build)(parameters, setup),
                setup,
            )),
        })
    }

    /// `cwnd_`, in packets.
    #[inline]
    pub(super) fn packets(&self) -> f64 {
        match &self.0 {
            Law::Aimd(law) => law.window(),
            Law::Vegas(law) => law.window(),
            Law::Controller(law) => law.window.as_f64() / law.segment.as_f64(),
        }
    }

    /// `int(cwnd_)`.
    #[inline]
    pub(super) fn whole(&self) -> u64 {
        match &self.0 {
            Law::Aimd(law) => law.window() as u64,
            Law::Vegas(law) => law.window() as u64,
            Law::Controller(law) => law.window.0 / law.segment.0.max(1),
        }
    }

    /// `opencwnd()`. `next` is `t_seqno_`, `rtt` the newest segment's own round trip, if it left
    /// once.
    #[inline]
    pub(super) fn on_ack(&mut self, ack: &Ack, next: u64, rtt: Option<Duration>) {
        match &mut self.0 {
            Law::Aimd(law) => law.on_ack(ack),
            Law::Vegas(law) => law.on_ack(ack, next, rtt),
            Law::Controller(law) => {
                law.controller.on_ack(ack);
                law.read_window();
            }
        }
    }

    /// A packet left.
    #[inline]
    pub(super) fn on_sent(
        &mut self,
        packet: PacketRef,
        size: Bytes,
        in_flight: Bytes,
        retransmission: bool,
    ) {
        match &mut self.0 {
            Law::Aimd(_) => {}
            Law::Vegas(law) => law.on_sent(packet),
            Law::Controller(law) => {
                let sent = Sent {
                    packet,
                    size,
                    in_flight,
                    retransmission,
                };
                if law.controller.on_sent(&sent) {
                    law.read_window();
                }
            }
        }
    }

    /// `slowdown()`.
    pub(super) fn slow_down(&mut self, slowdown: &Slowdown) {
        match &mut self.0 {
            Law::Aimd(law) => law.slow_down(slowdown),
            Law::Vegas(law) => law.slow_down(slowdown),
            Law::Controller(law) => law.slow_down(slowdown),
        }
    }

    /// `cwnd_ += packets`, where the law is Vegas's own, whose agent inflates the window itself.
    pub(super) fn inflate(&mut self, packets: u64) {
        if let Law::Vegas(law) = &mut self.0 {
            law.inflate(packets);
        }
    }

    /// `cwnd_ = window`, where that is less. A controller's window is its own.
    pub(super) fn deflate_to(&mut self, window: f64) {
        match &mut self.0 {
            Law::Aimd(law) => law.deflate_to(window),
            Law::Vegas(law) => law.deflate_to(window),
            Law::Controller(_) => {}
        }
    }

    /// Vegas's `ssthresh_ = 2`, after which there is no slow start.
    pub(super) fn end_slow_start(&mut self) {
        if let Law::Vegas(law) = &mut self.0 {
            law.end_slow_start();
        }
    }

    /// The law's variables, `window` and `slow_start_threshold` in packets first.
    pub(super) fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        match &self.0 {
            Law::Aimd(law) => law.variables(visit),
            Law::Vegas(law) => law.variables(visit),
            Law::Controller(law) => law.controller.variables(visit),
        }
    }
}

impl Controlled {
    fn new(controller: Box<dyn CongestionController>, setup: &Setup) -> Self {
        Self {
            segment: setup.segment,
            window: controller.limits().window,
            lost: 0,
            last_lost: None,
            controller,
        }
    }

    fn slow_down(&mut self, slowdown: &Slowdown) {
        let newest = slowdown.newest.number;
        let mut range_begins = false;
        if slowdown.lost_packets > 0 {
            range_begins = self.last_lost.replace(newest) != newest.checked_sub(1);
            self.lost += slowdown.lost_packets;
        }
        let flight = (slowdown.flight * self.segment.as_f64()).round();
        self.controller.on_congestion(&Congestion {
            now: slowdown.now,
            signal: slowdown.signal,
            episode: if slowdown.begins {
                Episode::Begins
            } else {
                Episode::Continues
            },
            lost: self.segment.saturating_mul(slowdown.lost_packets),
            lost_packets: slowdown.lost_packets,
            newest: slowdown.newest,
            flight_size: Bytes(flight as u64),
            lost_total: self.segment.saturating_mul(self.lost),
            range_begins,
            sent: None,
        });
        self.read_window();
    }

    fn read_window(&mut self) {
        self.window = self.controller.limits().window;
    }
}

/// Where a window begins, in packets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// `windowInit_`.
    pub(super) window: f64,
    pub(super) slow_start_threshold: f64,
}

impl Start {
    fn new(setup: &Setup) -> Self {
        let packets = |bytes: Bytes| bytes.as_f64() / setup.segment.as_f64();
        Self {
            window: packets(setup.initial_window),
            slow_start_threshold: match setup.initial_slow_start_threshold {
                Bytes::MAX => f64::INFINITY,
                threshold => packets(threshold),
            },
        }
    }
}

/// What the window of such a sender is built with, but for its seed: as for others, but the first
/// slow-start threshold is the maximum window unless another is given.
pub fn setup(config: &SenderConfig) -> Setup {
    let threshold = config.initial_slow_start_threshold.or(config.max_window);
    Setup {
        initial_slow_start_threshold: threshold.map_or(Bytes::MAX, |packets| {
            config.segment_size.saturating_mul(packets)
        }),
        ..config.setup()
    }
}
