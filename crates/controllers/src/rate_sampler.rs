//! The rate at which data is delivered, measured over the time that one packet was on the way.
//!
//! Follows draft-ietf-ccwg-bbr (section on delivery rate samples), which replaces
//! draft-cheng-iccrg-delivery-rate-estimation: the interval is the longer of the time in which the
//! data was sent and the time in which it arrived, since it cannot have been delivered faster than
//! it was sent, however close together its ACKs come.
//!
//! For transports: a controller only reads the samples. It stands here, beside the signals, and not
//! in one of the transports, since every host of a controller needs the same one: TCP, the datagram
//! protocols, and an adapter to a QUIC stack, which has no other part of our transports. It knows no
//! time but what it is given, and keeps nothing for each packet: the host keeps the [`SentState`]
//! that it hands out, by packet number or with the packet.
//!
//! Differs from the draft: packets of which nothing is in flight are known by [`Sent::in_flight`];
//! losses in an application-limited phase do not lower its mark (nor in Linux).

use units::{Bytes, Duration, Time};

use crate::{RateSample, Sent, SentState};

/// Takes samples of the delivery rate.
#[derive(Clone, Debug, Default)]
pub struct RateSampler {
    delivered: Bytes,
    delivered_at: Time,
    /// When the packet left that was delivered last of those that left last.
    first_sent_at: Time,
    lost: Bytes,
    /// The application-limited phase ends when more than this is delivered.
    app_limited_until: Option<Bytes>,
    /// The packet of this ACK's sample: the one that left last.
    newest: Option<SentState>,
}

impl RateSampler {
    /// A packet leaves. The state returned is to be kept with it, and replaced when its data leaves
    /// again.
    pub fn on_sent(&mut self, sent: &Sent) -> SentState {
        if sent.in_flight == sent.size {
            self.first_sent_at = sent.packet.sent_at;
            self.delivered_at = sent.packet.sent_at;
        }
        SentState {
            packet: sent.packet,
            size: sent.size,
            in_flight: sent.in_flight,
            delivered: self.delivered,
            delivered_at: self.delivered_at,
            first_sent_at: self.first_sent_at,
            lost: self.lost,
            app_limited: self.app_limited_until.is_some(),
        }
    }

    /// A packet arrived, as an ACK at `now` is the first to tell: once for each packet of it, in any
    /// order, then [`sample`](Self::sample).
    pub fn on_delivered(&mut self, now: Time, packet: &SentState) {
        self.delivered = self.delivered.saturating_add(packet.size);
        self.delivered_at = now;
        let order = |state: &SentState| (state.packet.sent_at, state.packet.number);
        if self
            .newest
            .is_none_or(|newest| order(packet) > order(&newest))
        {
            self.newest = Some(*packet);
            self.first_sent_at = packet.packet.sent_at;
        }
    }

    /// Data of this size is declared lost.
    pub fn on_lost(&mut self, size: Bytes) {
        self.lost = self.lost.saturating_add(size);
    }

    /// What was declared lost was not: the ACK that tells so gives no sample.
    pub fn on_spurious_loss(&mut self) {
        self.newest = None;
    }

    /// The sender leaves an opportunity to send unused, while so much is in flight: there is less
    /// than a packet to send, nothing waits for a pacer, the window is not full and nothing lost
    /// waits to be sent again. To be called when the application has written, before an ACK is taken,
    /// and when a timer may send again.
    pub fn on_app_limited(&mut self, in_flight: Bytes) {
        let mark = self.delivered.saturating_add(in_flight);
        self.app_limited_until = Some(mark.max(Bytes(1)));
    }

    /// The sample of the ACK whose packets were told; none where there were none, and none where the
    /// interval is below `min_rtt`, the connection's smallest round trip: then the ACK was that of an
    /// earlier transmission.
    pub fn sample(&mut self, min_rtt: Duration) -> Option<RateSample> {
        if self
            .app_limited_until
            .is_some_and(|mark| self.delivered > mark)
        {
            self.app_limited_until = None;
        }
        let newest = self.newest.take()?;
        let sent = newest.packet.sent_at.saturating_since(newest.first_sent_at);
        let acked = self.delivered_at.saturating_since(newest.delivered_at);
        let interval = sent.max(acked);
        if interval < min_rtt || interval.is_zero() {
            return None;
        }
        Some(RateSample {
            delivered: self.delivered.saturating_sub(newest.delivered),
            interval,
            prior_delivered: newest.delivered,
            in_flight: newest.in_flight,
            lost: self.lost.saturating_sub(newest.lost),
            app_limited: newest.app_limited,
        })
    }

    /// All data delivered so far.
    pub fn delivered(&self) -> Bytes {
        self.delivered
    }
}

#[cfg(test)]
mod tests {
    use units::Rate;

    use super::*;
    use crate::PacketRef;

    const SIZE: Bytes = Bytes(1_500);

    fn ms(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    fn sent(number: u64, at: Time, in_flight: Bytes) -> Sent {
        Sent {
            packet: PacketRef {
                number,
                sent_at: at,
            },
            size: SIZE,
            in_flight,
            retransmission: false,
        }
    }

    /// s2n-quic's test: at the departures of three packets 0, 100,000 and 200,000 B had been
    /// delivered. The first is acknowledged 10 s after it left: 201,500 B in 10 s. Then the third:
    /// 203,000 − 200,000 B; with the second in the same ACK 1,500 B more, and still the third's.
    #[test]
    fn the_packet_that_left_last_makes_the_sample() {
        let mut sampler = RateSampler::default();
        let first = sampler.on_sent(&sent(1, ms(0), SIZE));
        sampler.delivered = Bytes(100_000);
        let second = sampler.on_sent(&sent(2, ms(1_000), SIZE * 2));
        sampler.delivered = Bytes(200_000);
        let third = sampler.on_sent(&sent(3, ms(2_000), SIZE * 3));

        sampler.on_delivered(ms(10_000), &first);
        let sample = sampler.sample(Duration::ZERO).unwrap();
        assert_eq!(sample.delivered, Bytes(201_500));
        assert_eq!(sample.interval, Duration::from_secs(10));
        assert_eq!(sample.rate(), Rate::bits_per_s(161_200));
        assert_eq!(
            (sample.prior_delivered, sample.in_flight),
            (Bytes::ZERO, SIZE)
        );

        let mut alone = sampler.clone();
        alone.on_delivered(ms(11_000), &third);
        let sample = alone.sample(Duration::ZERO).unwrap();
        assert_eq!(sample.delivered, Bytes(3_000));

        sampler.on_delivered(ms(11_000), &third);
        sampler.on_delivered(ms(11_000), &second);
        let sample = sampler.sample(Duration::ZERO).unwrap();
        assert_eq!(sample.delivered, Bytes(4_500));
        assert_eq!(sample.prior_delivered, Bytes(200_000));
        assert_eq!(sampler.sample(Duration::ZERO), None, "nothing arrived");
    }

    /// s2n-quic's test: sent at 0, acknowledged at 4 s; the next sent at 5 s, acknowledged at 6 s:
    /// 5 s of sending are longer than 2 s of ACKs.
    #[test]
    fn data_is_not_delivered_faster_than_it_was_sent() {
        let mut sampler = RateSampler::default();
        let first = sampler.on_sent(&sent(1, ms(0), SIZE));
        sampler.on_delivered(ms(4_000), &first);
        assert!(sampler.sample(Duration::ZERO).is_some());
        // Another packet is in flight still.
        let second = sampler.on_sent(&sent(2, ms(5_000), SIZE * 2));
        sampler.on_delivered(ms(6_000), &second);
        let sample = sampler.sample(Duration::ZERO).unwrap();
        assert_eq!(sample.interval, Duration::from_secs(5));
    }

    /// s2n-quic's test: 15,000 B delivered, 1,600 B in flight when the application has no more: the
    /// mark is 16,600 B, and it takes a byte more to pass it.
    #[test]
    fn the_application_limits_until_what_was_in_flight_is_delivered() {
        let mut sampler = RateSampler {
            delivered: Bytes(15_000),
            ..RateSampler::default()
        };
        assert!(!sampler.on_sent(&sent(1, ms(0), SIZE)).app_limited);
        sampler.on_app_limited(Bytes(1_600));
        let limited = sampler.on_sent(&sent(2, ms(0), SIZE * 2));
        assert!(limited.app_limited);
        let of = |size| SentState {
            size: Bytes(size),
            ..limited
        };
        sampler.on_delivered(ms(10), &of(1_600));
        assert!(sampler.sample(Duration::ZERO).unwrap().app_limited);
        assert_eq!(sampler.delivered(), Bytes(16_600));
        assert!(sampler.on_sent(&sent(3, ms(20), SIZE * 2)).app_limited);
        sampler.on_delivered(ms(30), &of(1));
        sampler.sample(Duration::ZERO);
        assert!(!sampler.on_sent(&sent(4, ms(40), SIZE * 2)).app_limited);
    }

    /// quiche's figures: 2 × 1,200 B over 50 ms are 48,000 B/s.
    #[test]
    fn the_rate_is_delivered_data_over_the_interval() {
        let mut sampler = RateSampler::default();
        let of = |number| Sent {
            size: Bytes(1_200),
            ..sent(number, ms(0), Bytes(1_200) * number)
        };
        let packets = [1, 2].map(|number| sampler.on_sent(&of(number)));
        for packet in &packets {
            sampler.on_delivered(ms(50), packet);
        }
        let rate = sampler.sample(Duration::ZERO).unwrap().rate();
        assert_eq!(rate, Rate::bits_per_s(48_000 * 8));
    }

    /// A packet each millisecond, 12 Mb/s, over a path of 100 ms; an ACK at `acked_at(number)`, the
    /// ms of its arrival. The samples of packets that left at or after 200 ms, as (ms of departure,
    /// rate in Mb/s).
    fn paced(acked_at: impl Fn(u64) -> u64) -> Vec<(u64, f64)> {
        let mut sampler = RateSampler::default();
        let mut packets = Vec::new();
        let (mut acked, mut samples) = (0, Vec::new());
        for now in 0..1_000 {
            while acked < packets.len() as u64 && acked_at(acked) <= now {
                let at = acked_at(acked);
                while acked < packets.len() as u64 && acked_at(acked) == at {
                    sampler.on_delivered(ms(now), &packets[acked as usize]);
                    acked += 1;
                }
                if let Some(sample) = sampler.sample(Duration::from_millis(100))
                    && acked > 200
                {
                    samples.push((acked - 1, sample.rate().as_f64() / 1e6));
                }
            }
            packets.push(sampler.on_sent(&sent(now, ms(now), SIZE * (now + 1 - acked))));
        }
        assert!(samples.len() > 40, "{}", samples.len());
        samples
    }

    /// One packet of 100 more or less is 1 %.
    #[test]
    fn a_steady_flow_is_measured_at_its_rate() {
        for (at, rate) in paced(|number| number + 100) {
            assert!((11.88..=12.12).contains(&rate), "{at}: {rate}");
        }
    }

    /// The ACKs of 400 to 499 ms come within 5 ms from 500 ms on, twenty at a time. Bytes over the
    /// time of the ACKs alone would give up to twice the rate to what leaves meanwhile; what was
    /// sent in that time was sent at 12 Mb/s.
    #[test]
    fn compressed_acks_do_not_raise_the_rate() {
        let samples = paced(|number| match number {
            300..400 => 500 + (number - 300) / 20,
            _ => number + 100,
        });
        assert!(samples.iter().any(|(at, _)| (500..505).contains(at)));
        for (at, rate) in samples {
            assert!((5.9..=12.12).contains(&rate), "{at}: {rate}");
        }
    }

    /// One ACK for 16 packets: at most 15 more than the 100 of a round trip.
    #[test]
    fn stretched_acks_raise_the_rate_by_their_packets_at_most() {
        for (at, rate) in paced(|number| number / 16 * 16 + 115) {
            assert!((11.88..=12.0 * 1.151).contains(&rate), "{at}: {rate}");
        }
    }

    /// An ACK 2 ms after a retransmission, of a path of 50 ms, is the original's.
    #[test]
    fn an_ack_sooner_than_the_round_trip_gives_no_sample() {
        let mut sampler = RateSampler::default();
        let min_rtt = Duration::from_millis(50);
        sampler.on_sent(&sent(1, ms(0), SIZE));
        let again = sampler.on_sent(&sent(1, ms(200), SIZE));
        let mut soon = sampler.clone();
        soon.on_delivered(ms(202), &again);
        assert_eq!(soon.sample(min_rtt), None);
        sampler.on_delivered(ms(250), &again);
        assert_eq!(sampler.sample(min_rtt).unwrap().delivered, SIZE);
    }

    #[test]
    fn losses_since_the_packet_left_are_told_with_it() {
        let mut sampler = RateSampler::default();
        sampler.on_lost(SIZE);
        let packet = sampler.on_sent(&sent(1, ms(0), SIZE));
        sampler.on_lost(SIZE * 2);
        sampler.on_delivered(ms(10), &packet);
        assert_eq!(sampler.sample(Duration::ZERO).unwrap().lost, SIZE * 2);
        assert_eq!(sampler.on_sent(&sent(2, ms(20), SIZE)).lost, SIZE * 3);
    }

    #[test]
    fn an_ack_that_takes_losses_back_gives_no_sample() {
        let mut sampler = RateSampler::default();
        let packet = sampler.on_sent(&sent(1, ms(0), SIZE));
        sampler.on_delivered(ms(10), &packet);
        sampler.on_spurious_loss();
        assert_eq!(sampler.sample(Duration::ZERO), None);
    }
}
