//! Every kind of pair of endpoints, behind the one trait, and packets that outlive their senders.

#![allow(dead_code, reason = "each test uses a part")]

use std::collections::BTreeMap;

use controllers::{CongestionController, Registry, Setup};
use transport::datagram::{DatagramReceiver, DatagramSender};
use transport::endpoint::{Content, Endpoint, Packet};
use transport::tfrc::TfrcFeedback;
use transport::tfrc::{TfrcConfig, TfrcData, TfrcReceiver, TfrcReceiverConfig, TfrcSender};
use transport::tfwc::{Gap, TfwcAck, TfwcConfig, TfwcData};
use transport::tfwc::{TfwcReceiver, TfwcReceiverConfig, TfwcSender};
use transport::{
    ReceiverConfig, Recovery, SackBlock, Segment, SenderConfig, SpuriousDetection, TcpReceiver,
    TcpSender, ns2,
};
use units::{Bytes, Duration, Ecn};

/// A kind of pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tcp(Recovery),
    Ns2(Recovery),
    Tfrc,
    Tfwc,
    Datagrams,
}

/// All kinds. The genie is not among them: it must be told of losses.
pub(crate) const KINDS: [Kind; 15] = [
    Kind::Tcp(Recovery::OldTahoe),
    Kind::Tcp(Recovery::Tahoe),
    Kind::Tcp(Recovery::Reno),
    Kind::Tcp(Recovery::NewReno),
    Kind::Tcp(Recovery::Sack),
    Kind::Tcp(Recovery::Vegas),
    Kind::Tcp(Recovery::Rack),
    Kind::Ns2(Recovery::Tahoe),
    Kind::Ns2(Recovery::Reno),
    Kind::Ns2(Recovery::NewReno),
    Kind::Ns2(Recovery::Sack),
    Kind::Ns2(Recovery::Vegas),
    Kind::Tfrc,
    Kind::Tfwc,
    Kind::Datagrams,
];

/// The two ends.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) sender: Box<dyn Endpoint>,
    pub(crate) receiver: Box<dyn Endpoint>,
}

impl Kind {
    /// Whether all that is sent must arrive.
    pub(crate) fn is_reliable(self) -> bool {
        matches!(self, Self::Tcp(_) | Self::Ns2(_))
    }

    /// Its two ends; `option` stands for options that only some have.
    pub(crate) fn pair(self, option: bool) -> Pair {
        match self {
            Self::Tcp(recovery) | Self::Ns2(recovery) => tcp(self, recovery, option),
            Self::Tfrc => {
                let config = TfrcConfig {
                    ecn: option,
                    ..TfrcConfig::default()
                };
                let law = controller("tfrc", &config.setup());
                Pair {
                    sender: Box::new(TfrcSender::new(config, law)),
                    receiver: Box::new(TfrcReceiver::new(TfrcReceiverConfig::default())),
                }
            }
            Self::Tfwc => {
                let config = TfwcConfig::default();
                let law = controller("tfwc", &config.setup());
                let receiver = TfwcReceiverConfig {
                    count_vector: option,
                    ..TfwcReceiverConfig::default()
                };
                Pair {
                    sender: Box::new(TfwcSender::new(config, law)),
                    receiver: Box::new(TfwcReceiver::new(receiver)),
                }
            }
            Self::Datagrams => Pair {
                sender: Box::new(DatagramSender::new(SIZE)),
                receiver: Box::new(DatagramReceiver::new(HEADER)),
            },
        }
    }
}

fn tcp(kind: Kind, recovery: Recovery, option: bool) -> Pair {
    let sender = SenderConfig {
        recovery,
        ecn: option,
        handshake: option,
        max_window: Some(64),
        spurious: if option {
            SpuriousDetection::DSack
        } else {
            SpuriousDetection::Ignore
        },
        ..SenderConfig::default()
    };
    let receiver = ReceiverConfig {
        delayed_ack: option.then_some(Duration::from_millis(100)),
        sack: matches!(recovery, Recovery::Sack | Recovery::Rack),
        d_sack: option,
        ecn: option,
        ..ReceiverConfig::default()
    };
    if matches!(kind, Kind::Ns2(_)) {
        let registry = Registry::standard();
        let law = registry.get("reno").expect("a standard controller");
        let parameters = law.resolve(&BTreeMap::new()).expect("valid");
        let window = ns2::Window::new(law, &parameters, &ns2::setup(&sender));
        return Pair {
            sender: Box::new(ns2::Sender::new(sender, window)),
            receiver: Box::new(ns2::Sink::new(receiver)),
        };
    }
    let law = controller("reno", &sender.setup());
    Pair {
        sender: Box::new(TcpSender::new(sender, law)),
        receiver: Box::new(TcpReceiver::new(receiver)),
    }
}

fn controller(name: &str, setup: &Setup) -> Box<dyn CongestionController> {
    let registry = Registry::standard();
    let law = registry.get(name).expect("a standard controller");
    let parameters = law.resolve(&BTreeMap::new()).expect("valid");
    (law.build)(&parameters, setup)
}

/// A packet that owns what it carries.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Owned {
    pub(crate) content: OwnedContent,
    pub(crate) size: Bytes,
    pub(crate) ecn: Ecn,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OwnedContent {
    Segment(Segment, Vec<SackBlock>),
    TfrcData(TfrcData),
    TfrcFeedback(TfrcFeedback),
    TfwcData(TfwcData),
    TfwcAck(TfwcAck, Vec<Gap>),
    Bytes(u64, bool, Vec<u8>),
}

impl Owned {
    pub(crate) fn of(packet: &Packet<'_>) -> Self {
        Self {
            content: match packet.content {
                Content::Segment(segment, blocks) => {
                    OwnedContent::Segment(segment, blocks.to_vec())
                }
                Content::TfrcData(data) => OwnedContent::TfrcData(data),
                Content::TfrcFeedback(feedback) => OwnedContent::TfrcFeedback(feedback),
                Content::TfwcData(data) => OwnedContent::TfwcData(data),
                Content::TfwcAck(ack, gaps) => OwnedContent::TfwcAck(ack, gaps.to_vec()),
                Content::Bytes {
                    number,
                    data,
                    bytes,
                } => OwnedContent::Bytes(number, data, bytes.to_vec()),
            },
            size: packet.size,
            ecn: packet.ecn,
        }
    }

    pub(crate) fn packet(&self) -> Packet<'_> {
        Packet {
            content: match &self.content {
                OwnedContent::Segment(segment, blocks) => Content::Segment(*segment, blocks),
                OwnedContent::TfrcData(data) => Content::TfrcData(*data),
                OwnedContent::TfrcFeedback(feedback) => Content::TfrcFeedback(*feedback),
                OwnedContent::TfwcData(data) => Content::TfwcData(*data),
                OwnedContent::TfwcAck(ack, gaps) => Content::TfwcAck(*ack, gaps),
                OwnedContent::Bytes(number, data, bytes) => Content::Bytes {
                    number: *number,
                    data: *data,
                    bytes,
                },
            },
            size: self.size,
            ecn: self.ecn,
        }
    }
}

/// Of a data packet, and its headers: the defaults of all configurations.
pub(crate) const SIZE: Bytes = Bytes(1_000);
pub(crate) const HEADER: Bytes = Bytes(40);
