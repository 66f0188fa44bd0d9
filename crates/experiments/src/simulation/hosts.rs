//! The endpoints of all flows, as the network sees them.

use std::collections::BTreeMap;
use std::ops::Range;

use netsim::{Gone, Hosts, LinkId, Network, Observation, Observed, Packet, RouteId, TimerId};
use transport::endpoint::{self, Content};
use transport::{Flags, Segment, SegmentKind};
use units::{Bytes, Duration, Time};

use super::application::Turn;
use super::build::NamedLink;
use super::end::{self, End};
use super::flow::{Flow, LOSS_EVENT_RATE, Phase};
use super::glance::Glance;
use super::payload::{Payload, Payloads};
use super::record::{Event, EventKind, FlowSample, LinkSample, Recording, VariableSample};
use crate::metrics::Histogram;

/// All flows. `EVENTS`: whether each packet's fate is recorded.
#[derive(Debug)]
pub(super) struct FlowHosts<const EVENTS: bool> {
    pub(super) flows: Vec<Flow>,
    pub(super) payloads: Payloads,
    /// By flow and link: where the link's source quenches go.
    pub(super) quench_routes: BTreeMap<(u32, u32), RouteId>,
    pub(super) measuring: bool,
    pub(super) acks: Acks,
    pub(super) recording: Recording,
    /// By group.
    pub(super) delays: Vec<Delays>,
    /// Bytes that each link of the summary had begun to send at the last sample, and when that was.
    pub(super) sampled: (Time, Vec<u64>),
    /// By flow: bytes that had arrived ahead of a missing packet at the last sample.
    pub(super) ahead: Vec<u64>,
    /// Numbers of the links in the summary, by their numbers in the network.
    pub(super) link_numbers: Vec<Option<u32>>,
}

/// The round trips of a group.
#[derive(Clone, Debug, Default)]
pub(super) struct Delays {
    pub(super) rtt: Histogram,
    /// Above the least that the flow has seen.
    pub(super) queueing: Histogram,
}

impl Delays {
    #[inline]
    pub(super) fn add(&mut self, rtt: Duration, least: Duration) {
        self.rtt.add(rtt);
        self.queueing.add(rtt.saturating_sub(least));
    }
}

/// What is counted of packets without data.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Acks {
    pub(super) sent: u64,
    pub(super) arrived: u64,
    pub(super) gone: u64,
}

/// Where packets arrive: two endpoints for each flow.
pub(super) fn endpoint(flow: usize, receiver: bool) -> u32 {
    (flow as u32) << 1 | u32::from(receiver)
}

/// Timers: three for each flow.
#[derive(Clone, Copy)]
pub(super) enum TimerOf {
    Sender = 0,
    Receiver = 1,
    Application = 2,
}

/// RFC 792: an IP header of 20 B and 8 B of ICMP, and the same of the packet that caused it.
const QUENCH_SIZE: Bytes = Bytes(56);
const TIMERS_PER_FLOW: u32 = 3;

pub(super) fn timer(flow: usize, of: TimerOf) -> TimerId {
    TimerId(flow as u32 * TIMERS_PER_FLOW + of as u32)
}

impl<const EVENTS: bool> FlowHosts<EVENTS> {
    /// Arms what starts the flows.
    pub(super) fn arm(&mut self, network: &mut Network<Payload>) {
        network.set_timer_count(self.flows.len() * TIMERS_PER_FLOW as usize);
        for (number, flow) in self.flows.iter().enumerate() {
            network.set_timer(timer(number, TimerOf::Application), Some(flow.start));
        }
    }

    /// Whether a link on a flow's path may send its sender source quenches.
    pub(super) fn can_be_quenched(&self, flow: usize) -> bool {
        let of_flow = (flow as u32, 0)..=(flow as u32, u32::MAX);
        self.quench_routes.range(of_flow).next().is_some()
    }

    /// How the flows stand at `at`.
    pub(super) fn glance(&self, at: Time) -> Glance<'_> {
        Glance {
            at,
            flows: &self.flows,
        }
    }

    /// From now on, means are taken.
    pub(super) fn begin_measuring(&mut self) {
        self.measuring = true;
        for flow in &mut self.flows {
            flow.begin_measuring();
        }
    }

    /// Flows leave: they send nothing more.
    pub(super) fn stop(&mut self, network: &mut Network<Payload>, flows: Range<usize>) {
        for number in flows {
            let flow = &mut self.flows[number];
            flow.sender.get_mut().stop();
            flow.dither = None;
            flow.phase = Phase::Stopped;
            network.set_timer(timer(number, TimerOf::Sender), None);
            network.set_timer(timer(number, TimerOf::Application), None);
        }
    }

    /// The players of these flows read a slot's data.
    pub(super) fn play(&mut self, flows: Range<usize>) {
        for flow in &mut self.flows[flows] {
            if let Some(playback) = &mut flow.playback
                && flow.phase == Phase::Running
                && flow.completed.is_none()
            {
                playback.play(flow.counts.delivered);
            }
        }
    }

    /// Records the state of all flows and links.
    pub(super) fn sample(&mut self, network: &Network<Payload>, links: &[NamedLink]) {
        let now = network.now();
        let time_s = now.as_secs_f64();
        let (before, link_bytes) = &mut self.sampled;
        let interval_s = now.since(*before).as_secs_f64();
        *before = now;
        let rate = |bytes: u64| {
            if interval_s > 0.0 {
                bytes as f64 * 8.0 / interval_s
            } else {
                0.0
            }
        };
        self.ahead.resize(self.flows.len(), 0);
        for (number, flow) in self.flows.iter_mut().enumerate() {
            let goodput = flow.counts.delivered - flow.sampled.delivered;
            let throughput = flow.counts.bytes_sent - flow.sampled.bytes_sent;
            let ahead = flow.receiver.get().statistics().waiting.0;
            let delivered = (goodput + ahead).saturating_sub(self.ahead[number]);
            self.ahead[number] = ahead;
            flow.sampled = flow.counts;
            let mut sample = FlowSample {
                time_s,
                flow: number as u32,
                window_packets: None,
                slow_start_threshold_packets: None,
                in_flight_packets: 0.0,
                rtt_s: None,
                smoothed_rtt_s: None,
                rto_s: None,
                acknowledged_packets: 0,
                source_quenches: flow.counts.source_quenches,
                goodput_bps: rate(goodput),
                delivery_rate_bps: rate(delivered),
                throughput_bps: rate(throughput),
            };
            let sender = flow.sender.get();
            let statistics = sender.statistics();
            if let Some(window) = statistics.window_packets {
                let seconds = |length: Duration| length.as_secs_f64();
                sample.window_packets = Some(window);
                sample.in_flight_packets = statistics.in_flight as f64;
                sample.rtt_s = flow.last_rtt.map(seconds);
                sample.smoothed_rtt_s = flow.last_rtt.map(|_| seconds(statistics.smoothed_rtt));
                sample.rto_s = Some(seconds(statistics.rto));
                sample.acknowledged_packets = statistics.acknowledged;
                let variables = &mut self.recording.variables;
                let mut visit = |name, value| match name {
                    // The controller knows the fractions of a byte, too.
                    "window" => sample.window_packets = Some(value),
                    "slow_start_threshold" => {
                        sample.slow_start_threshold_packets = value.is_finite().then_some(value);
                    }
                    _ => {
                        let flow = Some(number as u32);
                        variables.push(VariableSample {
                            time_s,
                            flow,
                            link: None,
                            name,
                            value,
                        });
                    }
                };
                sender.variables(&mut visit);
                flow.receiver.get().variables(&mut |name, value| {
                    // As the sender knows it is in the sender's variables.
                    if name != LOSS_EVENT_RATE {
                        visit(name, value);
                    }
                });
            }
            self.recording.flows.push(sample);
        }
        for (number, (named, bytes)) in links.iter().zip(link_bytes).enumerate() {
            let link = network.link(named.id);
            let statistics = link.statistics();
            let begun = link.bytes_begun_at(now);
            let fresh = begun.saturating_sub(*bytes);
            *bytes = begun.max(*bytes);
            self.recording.links.push(LinkSample {
                time_s,
                link: number as u32,
                queue_packets: link.waiting_at(now),
                queue_bytes: link.bytes_waiting_at(now),
                packets_in: statistics.packets_in,
                drops: statistics.drops,
                marks: statistics.marks,
                lost: statistics.lost,
                source_quenches: statistics.source_quenches,
                throughput_bps: rate(fresh),
            });
            let variables = &mut self.recording.variables;
            link.queue_variables(&mut |name, value| {
                let link = Some(number as u32);
                variables.push(VariableSample {
                    time_s,
                    flow: None,
                    link,
                    name,
                    value,
                });
            });
        }
    }

    /// Hands an application's data to the sender and arms its next turn.
    fn supply(&mut self, network: &mut Network<Payload>, number: usize, turn: &Turn) {
        let flow = &mut self.flows[number];
        flow.supplied = flow.supplied.saturating_add(turn.packets);
        flow.all_supplied = turn.next.is_none() && flow.supplied < u64::MAX;
        flow.sender.get_mut().supply(flow.supplied);
        network.set_timer(timer(number, TimerOf::Application), turn.next);
    }

    /// Lets a sender use a window that an ACK or the application opened: at once, or after its
    /// random waiting time.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    pub(super) fn open(&mut self, network: &mut Network<Payload>, number: usize) {
        let flow = &mut self.flows[number];
        if let Some(dither) = &mut flow.dither
            && dither.held_until.is_none()
            && flow.sender.get().is_let_by_window()
        {
            let wait = dither.random.duration_between(Duration::ZERO, dither.most);
            dither.held_until = Some(network.now() + wait);
        }
        self.pump(network, number);
    }

    /// Sends all that a sender may send now, and arms its timer.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    fn pump(&mut self, network: &mut Network<Payload>, number: usize) {
        let now = network.now();
        if let Some(dither) = &mut self.flows[number].dither
            && dither.holds(now)
        {
            return self.pump_forced(network, number);
        }
        loop {
            let End::Tcp(sender) = &mut self.flows[number].sender else {
                return self.pump_other(network, number);
            };
            let Some(packet) = sender.poll_transmit(now) else {
                let next = sender.next_timer();
                return network.set_timer(timer(number, TimerOf::Sender), next);
            };
            let packet = end::pack(&packet.into(), number, &mut self.payloads);
            self.send(network, number, packet);
        }
    }

    /// The same for a sender that is not TCP's.
    #[inline(never)]
    fn pump_other(&mut self, network: &mut Network<Payload>, number: usize) {
        let now = network.now();
        while let Some(packet) = self.flows[number].sender.get_mut().poll_transmit(now) {
            let packet = end::pack(&packet, number, &mut self.payloads);
            self.send(network, number, packet);
        }
        let next = self.flows[number].sender.get().next_timer();
        network.set_timer(timer(number, TimerOf::Sender), next);
    }

    /// Sends what does not wait where the window's packets do, and arms the timer.
    #[inline(never)]
    fn pump_forced(&mut self, network: &mut Network<Payload>, number: usize) {
        let now = network.now();
        while let Some(packet) = self.flows[number].sender.get_mut().poll_forced(now) {
            let packet = end::pack(&packet, number, &mut self.payloads);
            self.send(network, number, packet);
        }
        let flow = &self.flows[number];
        let held_until = flow.dither.as_ref().and_then(|dither| dither.held_until);
        let timers = [flow.sender.get().next_timer(), held_until];
        let next = timers.into_iter().flatten().min();
        network.set_timer(timer(number, TimerOf::Sender), next);
    }

    /// Sends a packet of a sender.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    fn send(&mut self, network: &mut Network<Payload>, number: usize, packet: Packet<Payload>) {
        let flow = &mut self.flows[number];
        if packet.data {
            flow.counts.sent += 1;
            flow.counts.bytes_sent += packet.size().0;
        } else {
            self.acks.sent += 1;
        }
        let route = flow.forward;
        if EVENTS {
            self.record_send(network.now(), number, packet.payload.number());
        }
        network.send(self, route, packet);
    }

    /// Sends a packet of a receiver.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the way of every packet")]
    fn send_back(
        &mut self,
        network: &mut Network<Payload>,
        number: usize,
        packet: Packet<Payload>,
    ) {
        let mut packet = packet;
        packet.data = false;
        self.acks.sent += 1;
        let route = self.flows[number].backward;
        network.send(self, route, packet);
    }

    /// Sends all that a receiver sends now, and arms its timer.
    fn answer(&mut self, network: &mut Network<Payload>, number: usize) {
        let now = network.now();
        while let Some(packet) = self.flows[number].receiver.get_mut().poll_transmit(now) {
            let packet = end::pack(&packet, number, &mut self.payloads);
            self.send_back(network, number, packet);
        }
        let next = self.flows[number].receiver.get().next_timer();
        network.set_timer(timer(number, TimerOf::Receiver), next);
    }

    /// A packet of the sender reached the receiver.
    #[inline]
    fn on_data(&mut self, network: &mut Network<Payload>, number: usize, packet: &Packet<Payload>) {
        let now = network.now();
        if EVENTS && packet.data {
            self.record(now, number, EventKind::Receive, packet.payload.number());
        }
        let flow = &mut self.flows[number];
        if packet.data {
            flow.counts.arrived += 1;
            flow.counts.marked += u64::from(packet.ecn == units::Ecn::Ce);
        } else {
            self.acks.arrived += 1;
        }
        let End::Tcp(receiver) = &mut flow.receiver else {
            return self.on_data_of_other(network, number, packet);
        };
        let Some((segment, _)) = self.payloads.segment(&packet.payload) else {
            return;
        };
        // Its own method gives the ACK without a detour.
        let delivery = receiver.on_segment(now, &segment, packet.ecn);
        if delivery.in_order > 0 {
            flow.counts.delivered += receiver.payload().0 * delivery.in_order;
        }
        if flow.delayed_ack {
            network.set_timer(timer(number, TimerOf::Receiver), receiver.next_timer());
        }
        if let Some(ack) = delivery.ack {
            let ack = endpoint::Packet {
                content: Content::Segment(ack.segment, receiver.sack_blocks()),
                size: ack.size,
                ecn: ack.ecn,
            };
            let ack = end::pack(&ack, number, &mut self.payloads);
            self.send_back(network, number, ack);
        }
    }

    /// The same for a receiver that is not TCP's.
    #[inline(never)]
    fn on_data_of_other(
        &mut self,
        network: &mut Network<Payload>,
        number: usize,
        packet: &Packet<Payload>,
    ) {
        let now = network.now();
        let flow = &mut self.flows[number];
        let arrival = end::receive(flow.receiver.get_mut(), now, packet, &mut self.payloads);
        flow.counts.delivered += arrival.delivered.0;
        self.answer(network, number);
    }

    /// An acknowledgement or a source quench reached the sender.
    #[inline]
    fn on_ack(&mut self, network: &mut Network<Payload>, number: usize, packet: &Packet<Payload>) {
        let now = network.now();
        self.acks.arrived += 1;
        let flow = &mut self.flows[number];
        let rtt = match &mut flow.sender {
            End::Tcp(sender) => end::receive_segment(sender, now, packet, &mut self.payloads).rtt,
            End::Other(sender) => end::receive(&mut **sender, now, packet, &mut self.payloads).rtt,
        };
        if let Some(rtt) = rtt {
            flow.last_rtt = Some(rtt);
            flow.least_rtt = flow.least_rtt.min(rtt);
            if self.measuring {
                flow.rtt.add(rtt);
                self.delays[flow.group as usize].add(rtt, flow.least_rtt);
            }
        }
        flow.note_completion(now);
        if packet.payload.is_source_quench() {
            self.note_source_quench(now, number, packet.payload.number());
        } else if EVENTS {
            self.record_ack(now, number, packet.payload.number());
        }
        self.open(network, number);
    }

    #[cold]
    fn note_source_quench(&mut self, now: Time, number: usize, cause: u64) {
        self.flows[number].counts.source_quenches += 1;
        if EVENTS {
            self.record(now, number, EventKind::SourceQuench, cause);
        }
    }

    pub(super) fn record_send(&mut self, now: Time, number: usize, packet_number: u64) {
        let window = self.flows[number].exact_window();
        self.record_at_sender(now, number, (EventKind::Send, packet_number, window));
    }

    pub(super) fn record_ack(&mut self, now: Time, number: usize, packet_number: u64) {
        let window = self.flows[number].exact_window();
        self.record_at_sender(now, number, (EventKind::Ack, packet_number, window));
    }

    fn record_at_sender(
        &mut self,
        now: Time,
        number: usize,
        (kind, packet_number, window_packets): (EventKind, u64, Option<f64>),
    ) {
        self.recording.events.push(Event {
            time_ps: now.as_picos(),
            flow: number as u32,
            kind,
            packet_number,
            link: None,
            window_packets,
        });
    }

    pub(super) fn record(&mut self, now: Time, number: usize, kind: EventKind, packet_number: u64) {
        self.recording.events.push(Event {
            time_ps: now.as_picos(),
            flow: number as u32,
            kind,
            packet_number,
            link: None,
            window_packets: None,
        });
    }
}

impl<const EVENTS: bool> Hosts<Payload> for FlowHosts<EVENTS> {
    const OBSERVES: bool = EVENTS;

    #[inline]
    fn on_packet(
        &mut self,
        network: &mut Network<Payload>,
        endpoint: u32,
        packet: Packet<Payload>,
    ) {
        let number = (endpoint >> 1) as usize;
        if endpoint & 1 == 1 {
            self.on_data(network, number, &packet);
        } else {
            self.on_ack(network, number, &packet);
        }
    }

    fn on_timer(&mut self, network: &mut Network<Payload>, id: TimerId) {
        let now = network.now();
        let number = (id.0 / TIMERS_PER_FLOW) as usize;
        if id == timer(number, TimerOf::Sender) {
            let flow = &mut self.flows[number];
            flow.sender.get_mut().on_timer(now);
            flow.note_completion(now);
            let dither = flow.dither.as_ref();
            if dither.is_some_and(|it| it.after_timeouts && it.held_until.is_none()) {
                self.open(network, number);
            } else {
                self.pump(network, number);
            }
        } else if id == timer(number, TimerOf::Receiver) {
            self.flows[number].receiver.get_mut().on_timer(now);
            self.answer(network, number);
        } else {
            let flow = &mut self.flows[number];
            let turn = if flow.phase == Phase::Running {
                flow.application.go_on(now)
            } else {
                flow.phase = Phase::Running;
                flow.receiver.get_mut().start(now);
                flow.sender.get_mut().start(now);
                flow.application.begin(now)
            };
            self.supply(network, number, &turn);
            self.open(network, number);
        }
    }

    #[inline]
    fn is_undisturbed(&self, network: &Network<Payload>, endpoint: u32, time: Time) -> bool {
        let number = (endpoint >> 1) as usize;
        let later = |of| network.deadline(timer(number, of)) > time;
        if endpoint & 1 == 1 {
            later(TimerOf::Receiver)
        } else {
            later(TimerOf::Sender) && later(TimerOf::Application)
        }
    }

    fn on_gone(&mut self, packet: &Packet<Payload>, gone: Gone) {
        self.payloads.release(&packet.payload);
        if !packet.data {
            self.acks.gone += 1;
            return;
        }
        let flow = &mut self.flows[packet.flow as usize];
        match gone {
            Gone::Dropped(_) => flow.counts.dropped += 1,
            Gone::Lost => flow.counts.lost += 1,
        }
        let sender = flow.sender.get_mut();
        sender.on_lost(packet.payload.number());
    }

    #[cold]
    fn on_source_quench(
        &mut self,
        network: &mut Network<Payload>,
        link: LinkId,
        packet: &Packet<Payload>,
    ) {
        let key = (packet.flow, link.index() as u32);
        let Some(route) = self.quench_routes.get(&key).copied() else {
            return; // of a flow whose data goes the other way
        };
        let segment = Segment {
            kind: SegmentKind::SourceQuench,
            flags: Flags::NONE,
            number: packet.payload.number(),
            timestamp: network.now(),
        };
        let mut quench = Packet::new(packet.flow, QUENCH_SIZE, Payload::plain(segment));
        quench.data = false;
        self.acks.sent += 1;
        network.send(self, route, quench);
    }

    fn observe(&mut self, observation: &Observation, packet: &Packet<Payload>) {
        let kind = match observation.what {
            Observed::Dropped(_) => EventKind::Drop,
            Observed::Lost => EventKind::Lost,
            Observed::Marked => EventKind::Mark,
        };
        self.recording.events.push(Event {
            time_ps: observation.time.as_picos(),
            flow: packet.flow,
            kind,
            packet_number: packet.payload.number(),
            link: self.link_numbers[observation.link.index()],
            window_packets: None,
        });
    }
}
