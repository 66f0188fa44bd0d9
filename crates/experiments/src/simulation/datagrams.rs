//! TFRC and TFWC in the simulator: what their packets carry, and their endpoints.

use netsim::{Network, Packet};
use transport::datagram::{Datagram, Sequence};
use transport::tfrc::{TfrcArrival, TfrcData, TfrcFeedback};
use transport::tfwc::{Gap, TfwcAck, TfwcData};
use units::{Bytes, Ecn, Time};

use super::flow::{Receiver, Sender};
use super::hosts::{FlowHosts, TimerOf, timer};
use super::payload::Payload;
use super::record::EventKind;

/// Headers on their way, as far as they do not fit a packet: those of TFRC, and the gaps of ACK
/// vectors. Most ACKs have none.
#[derive(Debug, Default)]
pub(super) struct Headers {
    entries: Vec<Header>,
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
enum Header {
    Gaps { few: [Gap; FEW_GAPS], count: u8 },
    ManyGaps(Box<[Gap]>),
    Data(TfrcData),
    Feedback(TfrcFeedback),
}

impl Headers {
    fn add(&mut self, header: Header) -> u32 {
        if let Some(at) = self.free.pop() {
            self.entries[at as usize] = header;
            at
        } else {
            self.entries.push(header);
            u32::try_from(self.entries.len() - 1).expect("fewer than 2^32 packets in flight")
        }
    }

    fn add_gaps(&mut self, gaps: &[Gap]) -> Option<u32> {
        if gaps.is_empty() {
            return None;
        }
        Some(self.add(if gaps.len() <= FEW_GAPS {
            let mut few = [Gap::default(); FEW_GAPS];
            few[..gaps.len()].copy_from_slice(gaps);
            Header::Gaps {
                few,
                count: gaps.len() as u8,
            }
        } else {
            Header::ManyGaps(gaps.into())
        }))
    }

    fn gaps(&self, payload: &Payload) -> &[Gap] {
        match payload.slot().map(|at| &self.entries[at as usize]) {
            Some(Header::Gaps { few, count }) => &few[..usize::from(*count)],
            Some(Header::ManyGaps(gaps)) => gaps,
            Some(Header::Data(_) | Header::Feedback(_)) | None => &[],
        }
    }

    fn data(&self, payload: &Payload) -> TfrcData {
        match payload.slot().map(|at| &self.entries[at as usize]) {
            Some(Header::Data(data)) => *data,
            other => unreachable!("a TFRC packet with data has {other:?}"),
        }
    }

    fn feedback(&self, payload: &Payload) -> TfrcFeedback {
        match payload.slot().map(|at| &self.entries[at as usize]) {
            Some(Header::Feedback(feedback)) => *feedback,
            other => unreachable!("TFRC feedback has {other:?}"),
        }
    }

    /// Forgets what belongs to a packet that arrived or is gone.
    pub(super) fn release(&mut self, payload: &Payload) {
        self.free.extend(payload.slot());
    }
}

/// Gaps that are kept without an allocation.
const FEW_GAPS: usize = 6;

impl<const EVENTS: bool> FlowHosts<EVENTS> {
    /// Data of TFRC or TFWC reached the receiver.
    #[inline(never)]
    pub(super) fn on_datagram(
        &mut self,
        network: &mut Network<Payload>,
        number: usize,
        packet: &Packet<Payload>,
    ) {
        let now = network.now();
        let flow = &mut self.flows[number];
        let payload = &packet.payload;
        let new;
        match &mut flow.receiver {
            Receiver::Tfwc(receiver) => {
                let (data, understood) = payload.numbers();
                let delivery = receiver.on_data(&TfwcData {
                    number: data,
                    understood: Sequence(understood),
                    timestamp: payload.timestamp(),
                });
                new = delivery.new;
                let ack = delivery.ack.header;
                let gaps = self.headers.add_gaps(receiver.gaps());
                let payload = Payload::datagram(ack.head, ack.run, ack.timestamp, gaps);
                self.send_feedback(network, number, payload, delivery.ack.size);
            }
            Receiver::Tfrc(receiver) => {
                let arrival = TfrcArrival {
                    now,
                    size: packet.size(),
                    ecn: packet.ecn,
                };
                let delivery = receiver.on_data(&self.headers.data(payload), &arrival);
                self.headers.release(payload);
                new = delivery.new;
                if let Some(feedback) = delivery.feedback {
                    network.set_timer(timer(number, TimerOf::Receiver), receiver.next_timer());
                    self.send_report(network, number, &feedback);
                }
            }
            Receiver::Tcp(_) | Receiver::Ns2(_) | Receiver::Udp => {
                unreachable!("a datagram for another protocol")
            }
        }
        if new {
            self.flows[number].note_datagram(packet.size());
        }
        if EVENTS {
            self.record(now, number, EventKind::Receive, packet.payload.number());
        }
    }

    /// An ACK of TFWC or a report of TFRC reached the sender.
    #[inline(never)]
    pub(super) fn on_feedback(
        &mut self,
        network: &mut Network<Payload>,
        number: usize,
        packet: &Packet<Payload>,
    ) {
        let now = network.now();
        let flow = &mut self.flows[number];
        let payload = &packet.payload;
        let before = flow.sender.statistics().map_or(0, |it| it.rtt_samples);
        match &mut flow.sender {
            Sender::Tfwc(sender) => {
                let (head, run) = payload.numbers();
                let ack = TfwcAck {
                    head,
                    run,
                    timestamp: payload.timestamp(),
                };
                sender.on_ack(now, &ack, self.headers.gaps(payload));
            }
            Sender::Tfrc(sender) => sender.on_feedback(now, &self.headers.feedback(payload)),
            Sender::Tcp(_) | Sender::Ns2(_) | Sender::Udp(_) => {
                unreachable!("feedback for another protocol")
            }
        }
        self.headers.release(payload);
        if let Some(statistics) = flow.sender.statistics()
            && statistics.rtt_samples > before
            && let Some(rtt) = statistics.last_rtt
        {
            flow.last_rtt = Some(rtt);
            if self.measuring {
                flow.rtt.add(rtt);
            }
        }
        flow.note_completion(now);
        if EVENTS {
            self.record_ack(now, number, packet.payload.number());
        }
        self.open(network, number);
    }

    /// Sends all that a sender of TFRC or TFWC may send now, and arms its timer.
    #[inline(never)]
    pub(super) fn pump_datagrams(&mut self, network: &mut Network<Payload>, number: usize) {
        let now = network.now();
        loop {
            let flow = &mut self.flows[number];
            let (payload, size, ecn) = match &mut flow.sender {
                Sender::Tfwc(sender) => {
                    let Some(datagram) = sender.poll_transmit(now) else {
                        break;
                    };
                    let data = datagram.header;
                    let understood = data.understood.0;
                    let payload = Payload::datagram(data.number, understood, data.timestamp, None);
                    (payload, datagram.size, datagram.ecn)
                }
                Sender::Tfrc(sender) => {
                    let Some(datagram) = sender.poll_transmit(now) else {
                        break;
                    };
                    let data = datagram.header;
                    let slot = self.headers.add(Header::Data(data));
                    let payload = Payload::datagram(data.number, 0, data.timestamp, Some(slot));
                    (payload, datagram.size, datagram.ecn)
                }
                Sender::Tcp(_) | Sender::Ns2(_) | Sender::Udp(_) => {
                    unreachable!("they are pumped elsewhere")
                }
            };
            self.send_datagram(network, number, payload, (size, ecn));
        }
        let flow = &self.flows[number];
        network.set_timer(timer(number, TimerOf::Sender), flow.sender.next_timer());
    }

    fn send_datagram(
        &mut self,
        network: &mut Network<Payload>,
        number: usize,
        payload: Payload,
        (mean, ecn): (Bytes, Ecn),
    ) {
        let flow = &mut self.flows[number];
        let size = flow.draw_size(mean);
        flow.counts.sent += 1;
        flow.counts.bytes_sent += size.0;
        let mut packet = Packet::new(number as u32, size, payload);
        packet.ecn = ecn;
        let route = flow.forward;
        if EVENTS {
            self.record_send(network.now(), number, payload.number());
        }
        network.send(self, route, packet);
    }

    /// The feedback timer of a TFRC receiver expired.
    pub(super) fn on_feedback_timer(
        &mut self,
        network: &mut Network<Payload>,
        number: usize,
        now: Time,
    ) {
        let Receiver::Tfrc(receiver) = &mut self.flows[number].receiver else {
            return;
        };
        let feedback = receiver.on_timer(now);
        network.set_timer(timer(number, TimerOf::Receiver), receiver.next_timer());
        if let Some(feedback) = feedback {
            self.send_report(network, number, &feedback);
        }
    }

    fn send_report(
        &mut self,
        network: &mut Network<Payload>,
        number: usize,
        feedback: &Datagram<TfrcFeedback>,
    ) {
        let header = feedback.header;
        let slot = self.headers.add(Header::Feedback(header));
        let payload = Payload::datagram(header.newest, 0, header.timestamp, Some(slot));
        self.send_feedback(network, number, payload, feedback.size);
    }

    fn send_feedback(
        &mut self,
        network: &mut Network<Payload>,
        number: usize,
        payload: Payload,
        size: Bytes,
    ) {
        let mut packet = Packet::new(number as u32, size, payload);
        packet.data = false;
        self.acks.sent += 1;
        let route = self.flows[number].backward;
        network.send(self, route, packet);
    }
}
