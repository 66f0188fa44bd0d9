//! The ends of TFRC and TFWC as endpoints.

use units::{Bytes, Duration, Time};

use super::{Arrival, Content, Endpoint, Packet, Statistics};
use crate::datagram::Datagram;
use crate::ns2;
use crate::tfrc::{TfrcArrival, TfrcReceiver, TfrcSender};
use crate::tfwc::{TfwcReceiver, TfwcSender};

/// A datagram with its header as content.
fn packet<'a, H>(datagram: Datagram<H>, content: impl FnOnce(H) -> Content<'a>) -> Packet<'a> {
    Packet {
        content: content(datagram.header),
        size: datagram.size,
        ecn: datagram.ecn,
    }
}

/// What a data packet brought: its payload, if it had not arrived before.
fn arrival(new: bool, packet: &Packet<'_>, header_size: Bytes) -> Arrival {
    Arrival {
        delivered: if new {
            packet.size.saturating_sub(header_size)
        } else {
            Bytes::ZERO
        },
        rtt: None,
    }
}

/// What feedback brought: a round trip, if there are more samples than before.
fn round_trip(before: u64, samples: u64, last_rtt: Option<Duration>) -> Arrival {
    Arrival {
        delivered: Bytes::ZERO,
        rtt: last_rtt.filter(|_| samples > before),
    }
}

/// RFC 5348's ends and those of ns-2 have the same methods.
macro_rules! tfrc_endpoints {
    ($sender:ty, $receiver:ty) => {
        impl Endpoint for $sender {
            fn on_packet(&mut self, now: Time, packet: &Packet<'_>) -> Arrival {
                let Content::TfrcFeedback(feedback) = packet.content else {
                    return Arrival::default();
                };
                let before = self.statistics().rtt_samples;
                self.on_feedback(now, &feedback);
                let statistics = self.statistics();
                round_trip(before, statistics.rtt_samples, statistics.last_rtt)
            }

            fn poll_transmit(&mut self, now: Time) -> Option<Packet<'_>> {
                let datagram = self.poll_transmit(now)?;
                Some(packet(datagram, Content::TfrcData))
            }

            fn on_timer(&mut self, now: Time) {
                self.on_timer(now);
            }

            fn next_timer(&self) -> Option<Time> {
                self.next_timer()
            }

            fn statistics(&self) -> Statistics {
                let sent = *self.statistics();
                Statistics {
                    sent,
                    // Up to the newest one reported.
                    acknowledged: sent.packets_sent - self.in_flight(),
                    in_flight: self.in_flight(),
                    window_packets: Some(self.window_packets()),
                    smoothed_rtt: self.smoothed_rtt(),
                    rto: self.rto(),
                    ..Statistics::default()
                }
            }

            fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
                self.variables(visit);
            }

            fn start(&mut self, now: Time) {
                self.start(now);
            }

            fn supply(&mut self, packets: u64) {
                self.supply(packets);
            }

            fn stop(&mut self) {
                self.stop();
            }

            fn is_complete(&self) -> bool {
                self.is_complete()
            }
        }

        impl Endpoint for $receiver {
            fn on_packet(&mut self, now: Time, packet: &Packet<'_>) -> Arrival {
                let Content::TfrcData(data) = packet.content else {
                    return Arrival::default();
                };
                let delivery = self.on_data(
                    &data,
                    &TfrcArrival {
                        now,
                        size: packet.size,
                        ecn: packet.ecn,
                    },
                );
                self.answer = delivery.feedback;
                arrival(delivery.new, packet, self.header_size())
            }

            fn poll_transmit(&mut self, _now: Time) -> Option<Packet<'_>> {
                let feedback = self.answer.take()?;
                Some(packet(feedback, Content::TfrcFeedback))
            }

            fn on_timer(&mut self, now: Time) {
                self.answer = self.on_timer(now);
            }

            fn next_timer(&self) -> Option<Time> {
                self.next_timer()
            }

            fn statistics(&self) -> Statistics {
                Statistics::default()
            }

            fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
                self.variables(visit);
            }
        }
    };
}

tfrc_endpoints!(TfrcSender, TfrcReceiver);
tfrc_endpoints!(ns2::TfrcSender, ns2::TfrcSink);

impl Endpoint for TfwcSender {
    fn on_packet(&mut self, now: Time, packet: &Packet<'_>) -> Arrival {
        let Content::TfwcAck(ack, gaps) = packet.content else {
            return Arrival::default();
        };
        let before = self.statistics().rtt_samples;
        self.on_ack(now, &ack, gaps);
        let statistics = self.statistics();
        round_trip(before, statistics.rtt_samples, statistics.last_rtt)
    }

    fn poll_transmit(&mut self, now: Time) -> Option<Packet<'_>> {
        let datagram = self.poll_transmit(now)?;
        Some(packet(datagram, Content::TfwcData))
    }

    fn on_timer(&mut self, now: Time) {
        self.on_timer(now);
    }

    fn next_timer(&self) -> Option<Time> {
        self.next_timer()
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            sent: *self.statistics(),
            acknowledged: self.delivered(),
            in_flight: self.in_flight(),
            window_packets: Some(self.window_packets()),
            smoothed_rtt: self.smoothed_rtt(),
            rto: self.rto(),
            ..Statistics::default()
        }
    }

    fn variables(&self, visit: &mut dyn FnMut(&'static str, f64)) {
        self.variables(visit);
    }

    fn start(&mut self, _now: Time) {
        self.start();
    }

    fn supply(&mut self, packets: u64) {
        self.supply(packets);
    }

    fn stop(&mut self) {
        self.stop();
    }

    fn is_complete(&self) -> bool {
        self.is_complete()
    }
}

impl Endpoint for TfwcReceiver {
    fn on_packet(&mut self, _now: Time, packet: &Packet<'_>) -> Arrival {
        let Content::TfwcData(data) = packet.content else {
            return Arrival::default();
        };
        let delivery = self.on_data(&data);
        self.answer = Some(delivery.ack);
        arrival(delivery.new, packet, self.header_size())
    }

    fn poll_transmit(&mut self, _now: Time) -> Option<Packet<'_>> {
        let ack = self.answer.take()?;
        let gaps = self.gaps();
        Some(packet(ack, |header| Content::TfwcAck(header, gaps)))
    }

    fn on_timer(&mut self, _now: Time) {}

    fn next_timer(&self) -> Option<Time> {
        None
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}
