//! What travels.

use units::{Bytes, Ecn, Time};

use crate::loss::Offered;

/// A packet on its way. Small and plain: what it carries is the hosts' business.
#[derive(Clone, Copy, Debug)]
pub struct Packet<P> {
    /// What the hosts put into it.
    pub payload: P,
    /// Size on the wire, in bytes.
    pub(crate) size: u32,
    /// Where in the network's table of hops the packet is.
    pub(crate) position: u32,
    /// Number of its flow.
    pub flow: u32,
    /// ECN field.
    pub ecn: Ecn,
    /// Whether it carries data, as opposed to an acknowledgement.
    pub data: bool,
}

impl<P> Packet<P> {
    /// A packet of `size` bytes on the wire that belongs to `flow`.
    ///
    /// # Panics
    /// When the size does not fit 32 bits.
    pub fn new(flow: u32, size: Bytes, payload: P) -> Self {
        let size = u32::try_from(size.0).expect("a packet is smaller than 4 GiB");
        Self {
            payload,
            size,
            position: 0,
            flow,
            ecn: Ecn::NotEct,
            data: true,
        }
    }

    /// Size on the wire.
    pub fn size(&self) -> Bytes {
        Bytes(u64::from(self.size))
    }

    /// What a loss model is told of it.
    pub(crate) fn offered(&self, now: Time) -> Offered {
        Offered {
            now,
            flow: self.flow,
            data: self.data,
            size: self.size(),
        }
    }
}
