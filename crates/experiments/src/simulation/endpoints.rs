//! From a group of flows to the two endpoints of one of its flows.

use controllers::Registry;
use transport::{
    Compat, ReceiverConfig, Recovery, RtoArithmetic, RtoConfig, SenderConfig, TcpReceiver,
    TcpSender,
};

use super::RunError;
use super::flow::{Receiver, Sender, UdpSender};
use crate::scenario::{self, FlowGroup, Protocol, TcpOptions};

/// The two ends of a flow.
pub(super) fn endpoints(
    group: &FlowGroup,
    registry: &Registry,
) -> Result<(Sender, Receiver), RunError> {
    let Protocol::Tcp(options) = &group.protocol else {
        return Ok((
            Sender::Udp(UdpSender::new(group.packet_size)),
            Receiver::Udp,
        ));
    };
    let config = sender_config(group, options);
    let controller = registry.get(options.controller.name)?;
    let controller = (controller.build)(&options.controller.parameters, &config.setup());
    let sender = TcpSender::new(config, controller);
    let receiver = TcpReceiver::new(receiver_config(group, options));
    Ok((Sender::Tcp(sender), Receiver::Tcp(receiver)))
}

fn sender_config(group: &FlowGroup, options: &TcpOptions) -> SenderConfig {
    let compat = compat(options.compat);
    let rto = &options.rto;
    SenderConfig {
        segment_size: group.packet_size,
        header_size: group.header,
        recovery: match options.recovery {
            scenario::Recovery::OldTahoe => Recovery::OldTahoe,
            scenario::Recovery::Tahoe => Recovery::Tahoe,
            scenario::Recovery::Reno => Recovery::Reno,
            scenario::Recovery::NewReno => Recovery::NewReno,
            scenario::Recovery::Sack => Recovery::Sack,
        },
        duplicate_ack_threshold: options.duplicate_ack_threshold,
        limited_transmit: options.limited_transmit,
        initial_window: options.initial_window.0,
        initial_slow_start_threshold: options
            .initial_slow_start_threshold
            .map(|packets| packets.0),
        max_window: options.max_window.map(|packets| packets.0),
        rto: RtoConfig {
            initial: rto.initial,
            minimum: rto.minimum,
            maximum: rto.maximum,
            granularity: rto.granularity,
            phase: rto.phase,
            k: rto.k,
            arithmetic: match compat {
                Compat::Rfc => RtoArithmetic::Rfc,
                Compat::Ns2 => RtoArithmetic::Ticks,
            },
        },
        timestamps: options.timestamps,
        max_burst: options.max_burst.map(|packets| packets.0 as u32),
        ecn: options.ecn,
        handshake: options.handshake,
        compat,
    }
}

fn receiver_config(group: &FlowGroup, options: &TcpOptions) -> ReceiverConfig {
    ReceiverConfig {
        delayed_ack: options.delayed_ack,
        sack: options.recovery == scenario::Recovery::Sack,
        ack_size: group.header,
        ecn: options.ecn,
        compat: compat(options.compat),
    }
}

fn compat(compat: scenario::Compat) -> Compat {
    match compat {
        scenario::Compat::Rfc => Compat::Rfc,
        scenario::Compat::Ns2 => Compat::Ns2,
    }
}
