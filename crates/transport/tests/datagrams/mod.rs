//! A small deterministic path between the two ends of a datagram protocol: a bottleneck with a
//! queue, a delay each way, and what can go wrong.

#![allow(dead_code, reason = "each test uses a part")]

use std::collections::{BTreeMap, VecDeque};

use controllers::parameters::Given;
use controllers::{CongestionController, Parameters, Registry, Setup};
use transport::datagram::{Datagram, FeedbackCounts, Sequence};
use transport::ns2;
use transport::tfrc::{
    TfrcArrival, TfrcConfig, TfrcData, TfrcFeedback, TfrcReceiver, TfrcReceiverConfig, TfrcSender,
};
use transport::tfwc::{
    Gap, TfwcAck, TfwcConfig, TfwcData, TfwcReceiver, TfwcReceiverConfig, TfwcSender,
};
use units::{Bytes, Duration, Ecn, Rate, Time};

/// Both ends of a flow.
pub(crate) trait Flow {
    type Data: Copy;
    type Report: Clone;

    fn start(&mut self, now: Time);
    fn supply(&mut self, packets: u64);
    fn poll(&mut self, now: Time) -> Option<Datagram<Self::Data>>;
    fn number(data: &Self::Data) -> Sequence;
    fn on_data(&mut self, data: &Self::Data, arrival: &TfrcArrival)
    -> (bool, Option<Self::Report>);
    fn on_report(&mut self, now: Time, report: &Self::Report);
    fn timers(&self) -> [Option<Time>; 2];
    fn on_sender_timer(&mut self, now: Time);
    fn on_receiver_timer(&mut self, now: Time) -> Option<Self::Report>;
    fn feedback(&self) -> FeedbackCounts;
    fn lost(&self) -> u64;
    fn variables(&self) -> BTreeMap<&'static str, f64>;
}

pub(crate) struct Tfwc {
    pub(crate) sender: TfwcSender,
    pub(crate) receiver: TfwcReceiver,
}

/// Whose TFRC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Rfc,
    Ns2,
}

pub(crate) enum Tfrc {
    Rfc(Box<(TfrcSender, TfrcReceiver)>),
    Ns2(Box<(ns2::TfrcSender, ns2::TfrcSink)>),
}

macro_rules! ends {
    ($self:expr, $ends:ident => $value:expr) => {
        match $self {
            Tfrc::Rfc($ends) => $value,
            Tfrc::Ns2($ends) => $value,
        }
    };
}

/// Parameters of a standard controller.
fn parameters(name: &str, given: &[(&str, &str)]) -> Parameters {
    let given = given
        .iter()
        .map(|(name, value)| {
            let value = match value.parse() {
                Ok(flag) => Given::Flag(flag),
                Err(_) => Given::Text((*value).to_owned()),
            };
            ((*name).to_owned(), value)
        })
        .collect();
    let registry = Registry::standard();
    let controller = registry.get(name).expect("a standard controller");
    controller.resolve(&given).expect("valid")
}

pub(crate) fn controller(
    name: &str,
    given: &[(&str, &str)],
    setup: &Setup,
) -> Box<dyn CongestionController> {
    let registry = Registry::standard();
    let controller = registry.get(name).expect("a standard controller");
    (controller.build)(&parameters(name, given), setup)
}

impl Tfwc {
    pub(crate) fn new(config: TfwcConfig, given: &[(&str, &str)]) -> Self {
        let law = controller("tfwc", given, &config.setup());
        Self {
            sender: TfwcSender::new(config, law),
            receiver: TfwcReceiver::new(TfwcReceiverConfig::default()),
        }
    }
}

impl Tfrc {
    pub(crate) fn new(family: Family, config: TfrcConfig, given: &[(&str, &str)]) -> Self {
        match family {
            Family::Rfc => {
                let law = controller("tfrc", given, &config.setup());
                let receiver = TfrcReceiver::new(TfrcReceiverConfig::default());
                Self::Rfc(Box::new((TfrcSender::new(config, law), receiver)))
            }
            Family::Ns2 => {
                let law = ns2::TfrcRate::new(&parameters("tfrc", given), config.packet_size);
                let sink = ns2::TfrcSink::new(TfrcReceiverConfig::ns2());
                Self::Ns2(Box::new((ns2::TfrcSender::new(config, law), sink)))
            }
        }
    }
}

impl Tfrc {
    pub(crate) fn is_complete(&self) -> bool {
        ends!(self, ends => ends.0.is_complete())
    }
}

impl Flow for Tfwc {
    type Data = TfwcData;
    type Report = (TfwcAck, Vec<Gap>);

    fn start(&mut self, _now: Time) {
        self.sender.start();
    }
    fn supply(&mut self, packets: u64) {
        self.sender.supply(packets);
    }
    fn poll(&mut self, now: Time) -> Option<Datagram<TfwcData>> {
        self.sender.poll_transmit(now)
    }
    fn number(data: &TfwcData) -> Sequence {
        data.number
    }
    fn on_data(&mut self, data: &TfwcData, _: &TfrcArrival) -> (bool, Option<Self::Report>) {
        let delivery = self.receiver.on_data(data);
        let gaps = self.receiver.gaps().to_vec();
        (delivery.new, Some((delivery.ack.header, gaps)))
    }
    fn on_report(&mut self, now: Time, (ack, gaps): &Self::Report) {
        self.sender.on_ack(now, ack, gaps);
    }
    fn timers(&self) -> [Option<Time>; 2] {
        [self.sender.next_timer(), None]
    }
    fn on_sender_timer(&mut self, now: Time) {
        self.sender.on_timer(now);
    }
    fn on_receiver_timer(&mut self, _now: Time) -> Option<Self::Report> {
        None
    }
    fn feedback(&self) -> FeedbackCounts {
        *self.sender.feedback()
    }
    fn lost(&self) -> u64 {
        self.sender.lost()
    }
    fn variables(&self) -> BTreeMap<&'static str, f64> {
        let mut all = BTreeMap::new();
        self.sender.variables(&mut |name, value| {
            all.insert(name, value);
        });
        all
    }
}

impl Flow for Tfrc {
    type Data = TfrcData;
    type Report = TfrcFeedback;

    fn start(&mut self, now: Time) {
        ends!(self, ends => ends.0.start(now));
    }
    fn supply(&mut self, packets: u64) {
        ends!(self, ends => ends.0.supply(packets));
    }
    fn poll(&mut self, now: Time) -> Option<Datagram<TfrcData>> {
        ends!(self, ends => ends.0.poll_transmit(now))
    }
    fn number(data: &TfrcData) -> Sequence {
        data.number
    }
    fn on_data(&mut self, data: &TfrcData, arrival: &TfrcArrival) -> (bool, Option<TfrcFeedback>) {
        let delivery = ends!(self, ends => ends.1.on_data(data, arrival));
        (delivery.new, delivery.feedback.map(|packet| packet.header))
    }
    fn on_report(&mut self, now: Time, report: &TfrcFeedback) {
        ends!(self, ends => ends.0.on_feedback(now, report));
    }
    fn timers(&self) -> [Option<Time>; 2] {
        ends!(self, ends => [ends.0.next_timer(), ends.1.next_timer()])
    }
    fn on_sender_timer(&mut self, now: Time) {
        ends!(self, ends => ends.0.on_timer(now));
    }
    fn on_receiver_timer(&mut self, now: Time) -> Option<TfrcFeedback> {
        ends!(self, ends => ends.1.on_timer(now)).map(|packet| packet.header)
    }
    fn feedback(&self) -> FeedbackCounts {
        *ends!(self, ends => ends.0.feedback())
    }
    fn lost(&self) -> u64 {
        ends!(self, ends => ends.0.lost())
    }
    fn variables(&self) -> BTreeMap<&'static str, f64> {
        let mut all = BTreeMap::new();
        let mut visit = |name, value| {
            all.insert(name, value);
        };
        ends!(self, ends => {
            ends.0.variables(&mut visit);
            ends.1.variables(&mut visit);
        });
        all
    }
}

/// What goes wrong, in percent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults {
    pub(crate) loss: u64,
    pub(crate) report_loss: u64,
    pub(crate) reorder: u64,
    pub(crate) duplicate: u64,
    pub(crate) mark: u64,
    /// Dark for 2 of every 7.3 s, from 0.5 s on.
    pub(crate) outages: bool,
}

/// Access link, bottleneck, access link; the same back for reports of 40 B.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    pub(crate) access: Rate,
    pub(crate) access_delay: Duration,
    pub(crate) bottleneck: Rate,
    pub(crate) delay: Duration,
    /// Waiting packets.
    pub(crate) queue: usize,
    /// Packets lost before the bottleneck, counted there.
    pub(crate) lost: fn(u64) -> bool,
    pub(crate) faults: Faults,
    pub(crate) seed: u64,
}

impl Default for Path {
    /// 8 Mb/s and 50 ms, nothing lost.
    fn default() -> Self {
        Self {
            access: Rate::gbit_per_s(1),
            access_delay: Duration::ZERO,
            bottleneck: Rate::mbit_per_s(8),
            delay: Duration::from_millis(25),
            queue: 1_000,
            lost: |_| false,
            faults: Faults::default(),
            seed: 1,
        }
    }
}

/// What came out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// When each packet left, and its number on the wire.
    pub(crate) sent: Vec<(Time, u32)>,
    /// New to the receiver.
    pub(crate) delivered: u64,
    pub(crate) duplicates: u64,
    pub(crate) dropped: u64,
    pub(crate) reports: u64,
}

enum Event<F: Flow> {
    AtBottleneck(Datagram<F::Data>),
    Served,
    AtReceiver(Datagram<F::Data>),
    AtSender(F::Report),
}

struct Run<'a, F: Flow> {
    path: Path,
    flow: &'a mut F,
    events: BTreeMap<(Time, u64), Event<F>>,
    sequence: u64,
    random: u64,
    access_free: Time,
    far_access_free: Time,
    back_free: [Time; 3],
    queue: VecDeque<Datagram<F::Data>>,
    serving: Option<Datagram<F::Data>>,
    arrivals: u64,
    outcome: Outcome,
}

/// Runs a flow from time zero to `end`; `watch` is called after every event.
pub(crate) fn run<F: Flow>(
    flow: &mut F,
    path: Path,
    end: Duration,
    mut watch: impl FnMut(Time, &mut F),
) -> Outcome {
    let mut run = Run {
        path,
        flow,
        events: BTreeMap::new(),
        sequence: 0,
        random: path.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1,
        access_free: Time::ZERO,
        far_access_free: Time::ZERO,
        back_free: [Time::ZERO; 3],
        queue: VecDeque::new(),
        serving: None,
        arrivals: 0,
        outcome: Outcome::default(),
    };
    run.flow.start(Time::ZERO);
    let mut now = Time::ZERO;
    let end = Time::ZERO + end;
    loop {
        run.pump(now);
        watch(now, run.flow);
        let [sender, receiver] = run.flow.timers();
        let timers = [sender, receiver].into_iter().flatten().min();
        assert!(timers.is_none_or(|at| at >= now), "a timer in the past");
        let packet = run.events.first_key_value().map(|((at, _), _)| *at);
        let Some(next) = [timers, packet].into_iter().flatten().min() else {
            break;
        };
        if next > end {
            break;
        }
        now = next;
        if packet == Some(now) {
            let (_, event) = run.events.pop_first().expect("there is one");
            run.handle(now, event);
        } else if sender == Some(now) {
            run.flow.on_sender_timer(now);
        } else if let Some(report) = run.flow.on_receiver_timer(now) {
            run.send_report(now, report);
        }
    }
    run.outcome
}

impl<F: Flow> Run<'_, F> {
    /// Knuth's MMIX generator, upper half.
    fn percent(&mut self) -> u64 {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) % 100
    }

    fn schedule(&mut self, at: Time, event: Event<F>) {
        self.sequence += 1;
        self.events.insert((at, self.sequence), event);
    }

    fn is_dark(&self, now: Time) -> bool {
        let cycle = now.as_picos() % Duration::from_millis(7_300).as_picos();
        let start = Duration::from_millis(500).as_picos();
        let end = Duration::from_millis(2_500).as_picos();
        self.path.faults.outages && (start..end).contains(&cycle)
    }

    fn extra_delay(&mut self) -> Duration {
        let late = self.percent() < self.path.faults.reorder;
        Duration::from_millis(if late { self.percent() } else { 0 })
    }

    fn pump(&mut self, now: Time) {
        while let Some(packet) = self.flow.poll(now) {
            self.outcome.sent.push((now, F::number(&packet.header).0));
            self.access_free = self.access_free.max(now) + self.path.access.time_for(packet.size);
            let at = self.access_free + self.path.access_delay;
            self.schedule(at, Event::AtBottleneck(packet));
        }
    }

    fn handle(&mut self, now: Time, event: Event<F>) {
        match event {
            Event::AtBottleneck(packet) => {
                let number = self.arrivals;
                self.arrivals += 1;
                let lost = (self.path.lost)(number) || self.percent() < self.path.faults.loss;
                if lost || self.is_dark(now) || self.queue.len() >= self.path.queue {
                    self.outcome.dropped += 1;
                } else if self.serving.is_some() {
                    self.queue.push_back(packet);
                } else {
                    self.serve(now, packet);
                }
            }
            Event::Served => {
                let packet = self.serving.take().expect("one was being served");
                if let Some(next) = self.queue.pop_front() {
                    self.serve(now, next);
                }
                self.far_access_free = self.far_access_free.max(now + self.path.delay)
                    + self.path.access.time_for(packet.size);
                let base = self.far_access_free + self.path.access_delay;
                let copies = 1 + u64::from(self.percent() < self.path.faults.duplicate);
                for _ in 0..copies {
                    let at = base + self.extra_delay();
                    self.schedule(at, Event::AtReceiver(packet));
                }
            }
            Event::AtReceiver(packet) => {
                let mut ecn = packet.ecn;
                if ecn.is_capable() && self.percent() < self.path.faults.mark {
                    ecn = Ecn::Ce;
                }
                let size = packet.size;
                let arrival = TfrcArrival { now, size, ecn };
                let (new, report) = self.flow.on_data(&packet.header, &arrival);
                self.outcome.delivered += u64::from(new);
                self.outcome.duplicates += u64::from(!new);
                if let Some(report) = report {
                    self.send_report(now, report);
                }
            }
            Event::AtSender(report) => self.flow.on_report(now, &report),
        }
    }

    fn serve(&mut self, now: Time, packet: Datagram<F::Data>) {
        let at = now + self.path.bottleneck.time_for(packet.size);
        self.serving = Some(packet);
        self.schedule(at, Event::Served);
    }

    fn send_report(&mut self, now: Time, report: F::Report) {
        self.outcome.reports += 1;
        let mut at = now;
        let links = [
            (self.path.access, self.path.access_delay),
            (self.path.bottleneck, self.path.delay),
            (self.path.access, self.path.access_delay),
        ];
        for ((rate, delay), free) in links.into_iter().zip(&mut self.back_free) {
            *free = at.max(*free) + rate.time_for(Bytes(40));
            at = *free + delay;
        }
        if self.percent() < self.path.faults.report_loss || self.is_dark(now) {
            return;
        }
        at += self.extra_delay();
        self.schedule(at, Event::AtSender(report));
    }
}
