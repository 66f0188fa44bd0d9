//! From a group of flows to the two endpoints of one of its flows.

use std::sync::Arc;

use controllers::{CongestionController, Properties, Registry, Setup};
use netsim::random::Stream;
use transport::datagram::{DatagramReceiver, DatagramSender};
use transport::tfrc::{TfrcConfig, TfrcReceiver, TfrcReceiverConfig, TfrcSender};
use transport::tfwc::{TfwcConfig, TfwcReceiver, TfwcReceiverConfig, TfwcSender};
use transport::{
    Pacing, ReceiverConfig, Recovery, RtoArithmetic, RtoConfig, SenderConfig, SpuriousDetection,
    TcpReceiver, TcpSender, ThresholdAdaptation, ns2,
};

use super::RunError;
use super::end::{End, Simulated, Varying};
use super::handed::Place;
use crate::scenario::{self, ControllerChoice, FlowGroup, Protocol, TcpOptions, TfwcOptions};
use units::choice::{Setting, Value};
use units::{Bytes, Duration};

/// The two ends of a flow. `shared` is nothing for the first flow of a group; the others find
/// there what they have in common. `sizes` gives what sizes of packets are drawn from.
pub(super) fn endpoints(
    place: &Place<'_>,
    registry: &Registry,
    shared: &mut Option<Arc<SenderConfig>>,
    sizes: impl FnOnce() -> Stream,
) -> Result<(End<TcpSender>, End<TcpReceiver>), RunError> {
    let Place { group, seed, .. } = *place;
    Ok(match &group.protocol {
        Protocol::Tcp(options) => {
            let properties = registry.get(options.controller.name)?.properties;
            let config =
                shared.get_or_insert_with(|| Arc::new(sender_config(group, options, properties)));
            let config = Arc::clone(config);
            let receiver = receiver_config(group, options);
            let choice = &options.controller;
            match options.compat {
                scenario::Compat::Rfc => {
                    let setup = Setup {
                        seed,
                        ..config.setup()
                    };
                    let controller = controller(registry, choice, &setup)?;
                    (
                        End::Tcp(TcpSender::new(config, controller)),
                        End::Tcp(TcpReceiver::new(receiver)),
                    )
                }
                scenario::Compat::Ns2 => {
                    let setup = Setup {
                        seed,
                        ..ns2::setup(&config)
                    };
                    let controller = registry.get(choice.name)?;
                    let window = ns2::Window::new(controller, &choice.parameters, &setup);
                    (
                        End::other(ns2::Sender::new(config, window)),
                        End::other(ns2::Sink::new(receiver)),
                    )
                }
            }
        }
        Protocol::Udp => (
            End::other(DatagramSender::new(group.packet_size)),
            End::other(DatagramReceiver::new(group.header)),
        ),
        Protocol::Tfrc(options) => {
            let config = TfrcConfig {
                packet_size: group.packet_size,
                ecn: options.ecn,
                ..TfrcConfig::default()
            };
            let receiver = TfrcReceiverConfig {
                feedback_size: options.feedback_size,
                header_size: group.header,
                history_discounting: options.history_discounting,
                later_packets: options.later_packets,
            };
            let choice = &options.controller;
            match options.compat {
                scenario::Compat::Rfc => {
                    let setup = Setup {
                        seed,
                        ..config.setup()
                    };
                    let controller = controller(registry, choice, &setup)?;
                    (
                        varying(group, TfrcSender::new(config, controller), sizes),
                        End::other(TfrcReceiver::new(receiver)),
                    )
                }
                scenario::Compat::Ns2 => {
                    let rate = ns2::TfrcRate::new(&choice.parameters, group.packet_size);
                    (
                        varying(group, ns2::TfrcSender::new(config, rate), sizes),
                        End::other(ns2::TfrcSink::new(receiver)),
                    )
                }
            }
        }
        Protocol::Tfwc(options) => {
            let config = tfwc_config(group, options);
            let controller = controller(
                registry,
                &options.controller,
                &Setup {
                    seed,
                    ..config.setup()
                },
            )?;
            let receiver = TfwcReceiver::new(TfwcReceiverConfig {
                ack_size: options.feedback_size,
                header_size: group.header,
                count_vector: options.ack_vector_on_wire,
            });
            (
                varying(group, TfwcSender::new(config, controller), sizes),
                End::other(receiver),
            )
        }
    })
}

/// A sender of datagrams, whose sizes may differ.
fn varying(
    group: &FlowGroup,
    sender: impl Simulated + 'static,
    sizes: impl FnOnce() -> Stream,
) -> End<TcpSender> {
    let spread = group.size_spread();
    if spread == Bytes::ZERO {
        return End::other(sender);
    }
    End::other(Varying::new(
        Box::new(sender),
        group.packet_size,
        spread,
        sizes(),
    ))
}

fn controller(
    registry: &Registry,
    choice: &ControllerChoice,
    setup: &Setup,
) -> Result<Box<dyn CongestionController>, RunError> {
    let controller = registry.get(choice.name)?;
    Ok((controller.build)(&choice.parameters, setup))
}

fn tfwc_config(group: &FlowGroup, options: &TfwcOptions) -> TfwcConfig {
    let defaults = TfwcConfig::default();
    let margin = match options.controller.parameters.find("margin") {
        Some(Setting::Value(Value::Integer(packets))) => Some(*packets),
        _ => None,
    };
    TfwcConfig {
        packet_size: group.packet_size,
        initial_window: options.initial_window.0,
        margin: margin.unwrap_or(defaults.margin),
        initial_timeout: options.initial_timeout,
        granularity: options.granularity,
        tick: tick(&options.controller).unwrap_or(defaults.tick),
        ..defaults
    }
}

/// The clock of a controller that has one; both ends of a flow go by it.
fn tick(choice: &ControllerChoice) -> Option<Duration> {
    match choice.parameters.find("tick")? {
        Setting::Value(Value::Duration(tick)) => Some(*tick),
        _ => None,
    }
}

fn sender_config(group: &FlowGroup, options: &TcpOptions, properties: Properties) -> SenderConfig {
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
            scenario::Recovery::Vegas => Recovery::Vegas,
            scenario::Recovery::Rack => Recovery::Rack,
            scenario::Recovery::Genie => Recovery::Genie,
        },
        duplicate_ack_threshold: options.duplicate_ack_threshold,
        limited_transmit: options.limited_transmit,
        window_inflation: options.window_inflation,
        pacing: options.pacing.then(|| {
            let factor = options.pacing_factor;
            factor.map_or(Pacing::LINUX, |factor| Pacing {
                slow_start: factor,
                avoidance: factor,
                ..Pacing::LINUX
            })
        }),
        tail_loss_probe: options.tail_loss_probe,
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
            arithmetic: match rto.arithmetic {
                scenario::RtoArithmetic::Rfc => RtoArithmetic::Rfc,
                scenario::RtoArithmetic::WithoutFloor => RtoArithmetic::WithoutFloor,
                scenario::RtoArithmetic::Ticks => RtoArithmetic::Ticks,
            },
        },
        timestamps: options.timestamps,
        karn: options.karn,
        max_burst: options.max_burst.map(|packets| packets.0 as u32),
        spurious: match options.spurious {
            scenario::SpuriousDetection::Ignore => SpuriousDetection::Ignore,
            scenario::SpuriousDetection::Eifel => SpuriousDetection::Eifel,
            scenario::SpuriousDetection::FRto => SpuriousDetection::FRto,
            scenario::SpuriousDetection::DSack => SpuriousDetection::DSack,
        },
        threshold_adaptation: match options.threshold_adaptation {
            scenario::ThresholdAdaptation::Fixed => ThresholdAdaptation::Fixed,
            scenario::ThresholdAdaptation::Increment => ThresholdAdaptation::Increment,
            scenario::ThresholdAdaptation::Average => ThresholdAdaptation::Average,
            scenario::ThresholdAdaptation::Ewma => ThresholdAdaptation::Ewma,
        },
        ecn: options.ecn,
        accurate_ecn: options.accurate_ecn,
        properties,
        handshake: options.handshake,
    }
}

fn receiver_config(group: &FlowGroup, options: &TcpOptions) -> ReceiverConfig {
    ReceiverConfig {
        delayed_ack: options.delayed_ack,
        sack: matches!(
            options.recovery,
            scenario::Recovery::Sack | scenario::Recovery::Rack
        ),
        d_sack: options.d_sack,
        ack_size: group.header,
        payload: group.payload(),
        ecn: options.ecn,
        accurate_ecn: options.accurate_ecn,
    }
}
