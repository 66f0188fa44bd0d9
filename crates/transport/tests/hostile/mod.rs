//! A peer that says whatever it likes, from bytes: what the fuzzer and the tests share.
//!
//! The bytes choose a kind of pair and then one operation after the other. Two pairs of the kind run
//! side by side in the same time: to one end each the peer is hostile, with segments, SACK blocks, ACK
//! vectors, feedback and data made from the bytes, near what the end has sent or anywhere in 64 bits.
//!
//! No end may panic, send without end, set a timer in the past, or keep more than it was given: what
//! its `Debug` says, which lists all that it keeps, may grow with packets that were sent and that
//! arrived, not with what a packet claims.

use transport::datagram::Sequence;
use transport::endpoint::Endpoint;
use transport::tfrc::{TfrcData, TfrcFeedback};
use transport::tfwc::{Gap, TfwcAck, TfwcData};
use transport::{Flags, SackBlock, Segment, SegmentKind};
use units::{Bytes, Duration, Ecn, Time};

use crate::pairs::{KINDS, Kind, Owned, OwnedContent, Pair, SIZE};

/// Plays the bytes against both ends of a pair.
pub(crate) fn play(bytes: &[u8]) {
    let mut bytes = Input(bytes);
    let choice = usize::from(bytes.byte());
    let kind = KINDS[choice / 2 % KINDS.len()];
    let Pair { sender, receiver } = kind.pair(choice % 2 == 1);
    for end in [sender, receiver] {
        Play {
            kind,
            empty: format!("{end:?}").len(),
            end,
            now: Time::ZERO,
            sent: 0,
            given: 0,
        }
        .run(bytes.clone());
    }
}

/// The rest of the bytes; zeros behind them.
#[derive(Clone)]
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    fn word(&mut self) -> u64 {
        (0..8).fold(0, |word, _| word << 8 | u64::from(self.byte()))
    }

    /// A number near `base`, just above zero, or any.
    fn number(&mut self, base: u64) -> u64 {
        let byte = self.byte();
        let near = u64::from(byte >> 2);
        match byte & 3 {
            0 => base.saturating_sub(near),
            1 => base.saturating_add(near),
            2 => near,
            _ => self.word(),
        }
    }

    fn small(&mut self, base: u64) -> u32 {
        self.number(base) as u32
    }

    fn time(&mut self, now: Time) -> Time {
        match self.byte() {
            byte @ 0..128 => {
                let ago = Duration::from_millis(u64::from(byte)).as_picos();
                Time::from_picos(now.as_picos().saturating_sub(ago))
            }
            128..250 => now,
            _ => Time::from_picos(self.word()),
        }
    }

    fn length(&mut self) -> Duration {
        match self.byte() {
            byte @ 0..250 => Duration::from_millis(u64::from(byte)),
            _ => Duration::from_picos(self.word()),
        }
    }
}

struct Play {
    kind: Kind,
    end: Box<dyn Endpoint>,
    /// Length of what `Debug` says of an end that has seen nothing.
    empty: usize,
    now: Time,
    /// Packets that the end sent, and operations and things in packets that it was given.
    sent: u64,
    given: u64,
}

impl Play {
    fn run(mut self, mut bytes: Input<'_>) {
        self.end.start(self.now);
        self.end.supply(MOST_PACKETS);
        self.poll();
        while !bytes.0.is_empty() && self.given < MOST_OPERATIONS {
            self.given += 1;
            match bytes.byte() % 8 {
                0 => self.now += Duration::from_millis(u64::from(bytes.byte())),
                1 => self.now = self.end.next_timer().unwrap_or(self.now).max(self.now),
                _ => {
                    let packet = self.packet(&mut bytes);
                    let arrival = self.end.on_packet(self.now, &packet.packet());
                    let most = SIZE.saturating_mul(self.given + MOST_PACKETS);
                    assert!(arrival.delivered <= most, "{:?}: {arrival:?}", self.kind);
                }
            }
            self.now = self.now.min(LATEST);
            if self.end.next_timer().is_some_and(|at| at <= self.now) {
                self.end.on_timer(self.now);
            }
            self.poll();
        }
        let end = &self.end;
        end.variables(&mut |_, _| {});
        let statistics = end.statistics();
        assert!(statistics.sent.packets_sent <= self.sent, "{end:?}");
        let kept = format!("{end:?}").len() as u64;
        let most = self.empty as u64 + ROOM + PER_PACKET * (self.sent + self.given);
        assert!(kept <= most, "{kept} > {most}: {end:?}");
    }

    fn poll(&mut self) {
        let mut packets = 0;
        while self.end.poll_transmit(self.now).is_some() {
            packets += 1;
            assert!(packets <= 4 * MOST_PACKETS, "it sends without end");
        }
        self.sent += packets;
        let timer = self.end.next_timer();
        assert!(
            timer.is_none_or(|at| at >= self.now),
            "a timer in the past: {timer:?}"
        );
    }

    /// A packet: mostly such as the kind of pair exchanges.
    fn packet(&mut self, bytes: &mut Input<'_>) -> Owned {
        let kind = match bytes.byte() {
            255 => return self.bytes(bytes),
            250.. => KINDS[usize::from(bytes.byte()) % KINDS.len()],
            _ => self.kind,
        };
        let way = bytes.byte();
        let back = way & 1 == 0;
        let content = match kind {
            Kind::Tcp(_) | Kind::Ns2(_) | Kind::Datagrams => {
                OwnedContent::Segment(self.segment(way, bytes), self.blocks(way, bytes))
            }
            Kind::Tfrc if back => OwnedContent::TfrcFeedback(TfrcFeedback {
                newest: Sequence(bytes.small(self.sent)),
                timestamp: bytes.time(self.now),
                delay: bytes.length(),
                received: Bytes(bytes.number(1_000)),
                interval: bytes.length(),
                loss_event_rate: f64::from_bits(bytes.word()),
                losses: bytes.small(0),
                new_event: way & 2 == 0,
            }),
            Kind::Tfrc => OwnedContent::TfrcData(TfrcData {
                number: Sequence(bytes.small(self.given)),
                timestamp: bytes.time(self.now),
                rtt: bytes.length(),
                timeout: bytes.length(),
                round: bytes.small(0),
                urgent: way & 2 == 0,
            }),
            Kind::Tfwc if back => {
                let ack = TfwcAck {
                    head: Sequence(bytes.small(self.sent)),
                    run: bytes.small(0),
                    timestamp: bytes.time(self.now),
                };
                let count = way >> 1;
                self.given += u64::from(count);
                let gaps = (0..count).map(|_| Gap {
                    missing: bytes.small(1),
                    arrived: bytes.small(1),
                });
                OwnedContent::TfwcAck(ack, gaps.collect())
            }
            Kind::Tfwc => OwnedContent::TfwcData(TfwcData {
                number: Sequence(bytes.small(self.given)),
                understood: Sequence(bytes.small(self.given)),
                timestamp: bytes.time(self.now),
            }),
        };
        Owned {
            content,
            size: Bytes(bytes.number(SIZE.0).min(SIZE.0)),
            ecn: match way >> 6 {
                0 => Ecn::NotEct,
                1 => Ecn::Ce,
                _ => Ecn::Ect0,
            },
        }
    }

    /// A packet of a protocol that no end here speaks.
    fn bytes(&self, bytes: &mut Input<'_>) -> Owned {
        let content = OwnedContent::Bytes(bytes.number(self.sent), bytes.byte() > 0, vec![7; 40]);
        Owned {
            content,
            size: SIZE,
            ecn: Ecn::NotEct,
        }
    }

    fn segment(&self, way: u8, bytes: &mut Input<'_>) -> Segment {
        let flags = [
            Flags::RETRANSMISSION,
            Flags::CWR,
            Flags::ECE,
            Flags::ECHOES_RETRANSMISSION,
        ];
        let chosen = bytes.byte();
        let mut all = Flags::NONE;
        for (bit, flag) in flags.into_iter().enumerate() {
            all |= flag.when(chosen >> bit & 1 == 1);
        }
        Segment {
            kind: match way >> 1 & 7 {
                0 => SegmentKind::Syn,
                1 => SegmentKind::SynAck,
                2 => SegmentKind::SourceQuench,
                3 => SegmentKind::Datagram,
                4 | 5 => SegmentKind::Data,
                _ => SegmentKind::Ack,
            },
            flags: all,
            number: bytes.number(self.sent),
            timestamp: bytes.time(self.now),
        }
    }

    fn blocks(&mut self, way: u8, bytes: &mut Input<'_>) -> Vec<SackBlock> {
        let count = way >> 4 & 3;
        self.given += u64::from(count);
        let blocks = (0..count).map(|_| SackBlock {
            start: bytes.number(self.sent),
            end: bytes.number(self.sent),
        });
        blocks.collect()
    }
}

/// What the application hands over.
const MOST_PACKETS: u64 = 500;
const MOST_OPERATIONS: u64 = 2_000;
/// No run lasts longer than some twelve days, far from the end of the clock.
const LATEST: Time = Time::from_picos(1 << 60);
/// Characters of `Debug` for what is there once and for each packet sent or thing received: a record
/// of some ten numbers of up to twenty digits with their names.
const ROOM: u64 = 20_000;
const PER_PACKET: u64 = 400;
