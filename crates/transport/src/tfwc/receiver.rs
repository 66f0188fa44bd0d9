//! The TFWC receiver: one ACK for each packet, with the list of what arrived.
//!
//! Follows Choi §4.2.2 and §4.2.4.

use units::{Bytes, Ecn};

use super::ack_vector::ArrivedRuns;
use super::{Gap, TfwcAck, TfwcData, TfwcReceiverConfig};
use crate::datagram::{ArrivalWindow, Datagram, Sequence};

/// A TFWC receiver.
#[derive(Clone, Debug)]
pub struct TfwcReceiver {
    config: TfwcReceiverConfig,
    arrived: ArrivedRuns,
    window: ArrivalWindow,
    /// The ACK that leaves when it is asked for.
    pub(crate) answer: Option<Datagram<TfwcAck>>,
}

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TfwcDelivery {
    /// It had not arrived before: the application gets it.
    pub new: bool,
    /// The ACK to send at once; its gaps are [`TfwcReceiver::gaps`].
    pub ack: Datagram<TfwcAck>,
}

impl TfwcReceiver {
    /// A receiver that has seen nothing.
    pub fn new(config: TfwcReceiverConfig) -> Self {
        Self {
            config,
            arrived: ArrivedRuns::default(),
            window: ArrivalWindow::default(),
            answer: None,
        }
    }

    /// A packet arrived.
    #[inline]
    pub fn on_data(&mut self, data: &TfwcData) -> TfwcDelivery {
        let head = self.arrived.head();
        let number = match head {
            None => data.number.first(),
            Some(head) => data.number.near(head).unwrap_or(head),
        };
        let new = self.window.insert(number);
        self.arrived.insert(number);
        let head = self.arrived.head().unwrap_or(number);
        if let Some(understood) = data.understood.near(head) {
            self.arrived.forget(understood);
        }
        let ack = TfwcAck {
            head: Sequence::of(head),
            run: self.arrived.run(),
            timestamp: data.timestamp,
        };
        let mut size = self.config.ack_size;
        if self.config.count_vector {
            size += Bytes(super::coded_length(&ack, self.arrived.gaps()));
        }
        TfwcDelivery {
            new,
            ack: Datagram {
                header: ack,
                size,
                ecn: Ecn::NotEct,
            },
        }
    }

    pub(crate) fn header_size(&self) -> Bytes {
        self.config.header_size
    }

    /// The gaps of the ACK just given; empty when there are none.
    #[inline]
    pub fn gaps(&mut self) -> &[Gap] {
        self.arrived.gaps()
    }
}
