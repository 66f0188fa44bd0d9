//! Reading groups of flows.

use std::collections::BTreeMap;

use controllers::parameters::Given;
use controllers::{Carrier, Kind as ParameterKind, ParameterError};
use netsim::loss::check_mean;
use units::choice::Limit;
use units::{Bytes, Duration};

use super::Read;
use super::datagrams;
use super::link::{losses, queue};
use super::network::{named, node_index};
use crate::scenario::document::{Node, group_label};
use crate::scenario::error::{ScenarioError, nearest};
use crate::scenario::keys::{CONTROLLER_NAME, Drive};
use crate::scenario::reader::{Field, Reader};
use crate::scenario::{
    AccessRate, Application, Compat, ControllerChoice, Direction, FlowAccess, FlowGroup,
    MOST_FLOWS, Protocol, Recovery, Route, Rto, RtoArithmetic, SpuriousDetection, TcpOptions,
    ThresholdAdaptation, Topology,
};

pub(super) fn groups(
    field: &Field<'_>,
    topology: &Topology,
    duration: Duration,
) -> Read<Vec<FlowGroup>> {
    let mut groups: Vec<FlowGroup> = Vec::new();
    for item in field.items()? {
        let group = group(&item, topology, duration)?;
        if groups.iter().any(|other| other.label == group.label) {
            let mut error = item.error(format!(
                "two groups of flows have the label \"{}\"",
                group.label
            ));
            error.hint = Some("give one of them another label".to_owned());
            return Err(error);
        }
        groups.push(group);
    }
    if groups.is_empty() {
        return Err(field.error("flows is empty: a scenario needs a group of flows".to_owned()));
    }
    let total: u64 = groups.iter().map(|group| u64::from(group.count)).sum();
    if total > MOST_FLOWS {
        return Err(field.error(format!("{total} flows; at most {MOST_FLOWS} are allowed")));
    }
    Ok(groups)
}

fn group(field: &Field<'_>, topology: &Topology, duration: Duration) -> Read<FlowGroup> {
    let (choice, table) = field.one_of()?;
    let label = match table.find("label")? {
        Some(field) => field.name()?,
        None => field
            .raw_table()
            .and_then(group_label)
            .unwrap_or_else(|| choice.name.to_owned()),
    };
    let count = table.get("count")?.integer()? as u32;
    let size_field = table.get("packet_size")?;
    let header_field = table.get("header")?;
    let (packet_size, header) = (size_field.bytes()?, header_field.bytes()?);
    if header >= packet_size {
        return Err(size_field.error(format!(
            "{} = \"{packet_size}\" leaves no room for data: the header takes {header}",
            size_field.path
        )));
    }
    let payload = packet_size.saturating_sub(header);
    let sizes = datagrams::Sizes {
        packet: packet_size,
        header,
    };
    let protocol = match choice.name {
        "tcp" => Protocol::Tcp(tcp(&table, payload)?),
        "udp" => Protocol::Udp,
        "tfrc" => Protocol::Tfrc(datagrams::tfrc(&table, sizes)?),
        "tfwc" => Protocol::Tfwc(datagrams::tfwc(&table, sizes)?),
        other => unreachable!("protocol {other} is declared and not read"),
    };
    let application = application(&table, &protocol)?;
    let (start, stop) = (table.get("start")?, table.find("stop")?);
    let starts = start.distribution(Some(count))?;
    if let Some(latest) = starts.greatest().filter(|latest| *latest >= duration) {
        return Err(start.error(format!(
            "{} = {}: a flow could start at {latest}, and the run ends at {duration}",
            start.path,
            start.shown()
        )));
    }
    let stops = stop.as_ref().map(Field::duration).transpose()?;
    if let (Some(field), Some(end)) = (&stop, stops)
        && starts.greatest().unwrap_or(starts.least()) >= end
    {
        return Err(field.error(format!(
            "{} = \"{end}\": a flow could start only after that",
            field.path
        )));
    }
    let direction_field = table.get("direction")?;
    let direction = match direction_field.choice()? {
        "forward" => Direction::Forward,
        "reverse" => Direction::Reverse,
        other => unreachable!("direction {other} is declared and not read"),
    };
    if direction == Direction::Reverse && matches!(topology, Topology::Graph(_)) {
        return Err(direction_field.error(format!(
            "{}: in a graph, from and to say where data goes",
            direction_field.path
        )));
    }
    let dither_field = table.get("dither")?;
    let dither = dither_field.duration()?;
    if !dither.is_zero() && matches!(protocol, Protocol::Udp | Protocol::Tfrc(_)) {
        let mut error = dither_field.error(format!(
            "{} = \"{dither}\" goes with protocol = \"tcp\" or \"tfwc\", which send when an ACK \
             comes; {} sends at a rate",
            dither_field.path, choice.name
        ));
        error.hint = Some("draw start times and access delays to bring it out of step".to_owned());
        return Err(error);
    }
    drop(dither_field);
    let group = FlowGroup {
        label,
        count,
        protocol,
        application,
        packets: table
            .find("packets")?
            .map(|field| field.integer())
            .transpose()?,
        packet_size,
        header,
        start: starts,
        stop: stops,
        direction,
        route: route(&table, topology)?,
        access: table
            .find("access")?
            .map(|field| access(&field, topology, count))
            .transpose()?,
        dither,
    };
    drop((size_field, header_field, start, stop, direction_field));
    table.finish();
    Ok(group)
}

fn route(table: &Reader<'_>, topology: &Topology) -> Read<Route> {
    let (from, to) = (table.find("from")?, table.find("to")?);
    match topology {
        Topology::Dumbbell(_) => match from.or(to) {
            None => Ok(Route::Across),
            Some(field) => Err(field.error(format!(
                "{} goes with a parking lot or a graph; in a dumbbell, direction says where data goes",
                field.path
            ))),
        },
        Topology::ParkingLot(lot) => {
            let hop = |field: &Field<'_>| {
                named(lot.hops.iter().map(|hop| hop.name.as_str()), &field.name()?, field, "hop")
            };
            let first = from.as_ref().map(hop).transpose()?.unwrap_or(0);
            let last = to.as_ref().map(hop).transpose()?.unwrap_or(lot.hops.len() - 1);
            match to.or(from) {
                Some(field) if first > last => {
                    let mut error = field.error(format!(
                        "{}: hop \"{}\" comes before hop \"{}\"",
                        field.path, lot.hops[last].name, lot.hops[first].name
                    ));
                    error.hint =
                        Some("data that goes back takes direction = \"reverse\"".to_owned());
                    Err(error)
                }
                _ => Ok(Route::Hops { first, last }),
            }
        }
        Topology::Graph(graph) => {
            let (Some(from_field), Some(to_field)) = (from, to) else {
                return Err(table.error("in a graph, a group of flows needs from and to".to_owned()));
            };
            let from = node_index(&graph.nodes, &from_field)?;
            let to = node_index(&graph.nodes, &to_field)?;
            if from == to {
                return Err(to_field.error(format!(
                    "{} = \"{}\" is also where the data comes from",
                    to_field.path, graph.nodes[to]
                )));
            }
            for (a, b, why) in [(from, to, "the data"), (to, from, "what comes back (ACKs)")] {
                if graph.path(a, b).is_none() {
                    return Err(to_field.error(format!(
                        "node \"{}\" is not reachable from node \"{}\": no path for {why}",
                        graph.nodes[b], graph.nodes[a]
                    )));
                }
            }
            Ok(Route::Nodes { from, to })
        }
    }
}

fn access(field: &Field<'_>, topology: &Topology, count: u32) -> Read<FlowAccess> {
    let table = field.table()?;
    let rate = table
        .find("rate")?
        .map(|rate| rate.rate_or_unlimited())
        .transpose()?;
    let rate = rate.map(|rate| rate.map_or(AccessRate::Unlimited, AccessRate::Limited));
    let limited = match (rate, topology.accesses()) {
        (Some(rate), _) => rate != AccessRate::Unlimited,
        (None, Some((sender, receiver))) => sender.rate.is_some() && receiver.rate.is_some(),
        (None, None) => false,
    };
    let drawn = |key| -> Read<_> {
        table
            .find(key)?
            .map(|field| field.distribution(Some(count)))
            .transpose()
    };
    let access = FlowAccess {
        rate,
        delay: drawn("delay")?,
        receiver_delay: drawn("receiver_delay")?,
        queue: table
            .find("queue")?
            .map(|field| queue(&field, Limit::Unlimited, limited))
            .transpose()?,
        losses: losses(table.find("loss")?.as_ref())?,
        receiver_losses: losses(table.find("receiver_loss")?.as_ref())?,
    };
    table.finish();
    Ok(access)
}

fn application(table: &Reader<'_>, protocol: &Protocol) -> Read<Application> {
    let Some(field) = table.find("application")? else {
        return match protocol {
            Protocol::Tcp(_) | Protocol::Tfrc(_) | Protocol::Tfwc(_) => Ok(Application::Bulk),
            Protocol::Udp => Err(table.error(
                "udp needs an application with a rate, such as { kind = \"cbr\", rate = \"1 Mbps\" }"
                    .to_owned(),
            )),
        };
    };
    let (choice, keys) = field.one_of()?;
    let udp = matches!(protocol, Protocol::Udp);
    let application = match choice.name {
        "bulk" if udp => {
            return Err(field.error(format!(
                "{} = \"bulk\" has no rate, and udp no controller to set one; it takes \"cbr\" or \
                 \"on-off\"",
                field.path
            )));
        }
        "bulk" => Application::Bulk,
        "cbr" => {
            let buffer = keys.find("playback_buffer")?;
            let tcp = matches!(protocol, Protocol::Tcp(_));
            if let Some(buffer) = buffer.as_ref().filter(|_| !tcp) {
                return Err(buffer.error(format!("{} goes with tcp only", buffer.path)));
            }
            Application::Cbr {
                rate: keys.get("rate")?.rate()?,
                playback_buffer: buffer.map(|buffer| buffer.bytes()).transpose()?,
            }
        }
        "on-off" => {
            let rate = keys.get("rate")?.rate()?;
            let time = |key| -> Read<_> {
                let field = keys.get(key)?;
                let time = field.distribution(None)?;
                check_mean(key, &time).map_err(|wrong| keys.wrong(&wrong))?;
                Ok(time)
            };
            Application::OnOff {
                rate,
                on: time("on")?,
                off: time("off")?,
            }
        }
        other => unreachable!("application {other} is declared and not read"),
    };
    keys.finish();
    Ok(application)
}

fn tcp(table: &Reader<'_>, payload: Bytes) -> Read<TcpOptions> {
    let compat = compat(table)?;
    let spurious = spurious(table, compat)?;
    let recovery = recovery(table, compat)?;
    let law = table.get("controller")?;
    let controller = controller(&law, compat)?;
    datagrams::check_carrier(&law, &controller, Drive::Tcp)?;
    drop(law);
    Ok(TcpOptions {
        recovery,
        controller,
        delayed_ack: table
            .find("delayed_ack")?
            .map(|field| field.duration())
            .transpose()?,
        ecn: table.get("ecn")?.flag()?,
        handshake: table.get("handshake")?.flag()?,
        initial_window: table.get("initial_window")?.window(payload)?,
        max_window: table.get("max_window")?.window_or_unlimited(payload)?,
        initial_slow_start_threshold: table
            .get("initial_slow_start_threshold")?
            .window_or_unlimited(payload)?,
        duplicate_ack_threshold: table.get("duplicate_ack_threshold")?.integer()? as u32,
        limited_transmit: table.get("limited_transmit")?.flag()?,
        window_inflation: table.get("window_inflation")?.flag()?,
        pacing: pacing(table, compat)?,
        pacing_factor: pacing_factor(table)?,
        accurate_ecn: table.get("accurate_ecn")?.flag()?,
        timestamps: table.get("timestamps")?.flag()?,
        karn: table.get("karn")?.flag()?,
        tail_loss_probe: table.get("tail_loss_probe")?.flag()?,
        spurious,
        d_sack: d_sack(table, compat, spurious, recovery)?,
        threshold_adaptation: threshold_adaptation(table, compat, spurious)?,
        max_burst: table.get("max_burst")?.window_or_unlimited(payload)?,
        rto: rto(&table.get("rto")?, compat)?,
        compat,
    })
}

pub(super) fn compat(table: &Reader<'_>) -> Read<Compat> {
    match table.get("compat")?.choice()? {
        "rfc" => Ok(Compat::Rfc),
        "ns-2" => Ok(Compat::Ns2),
        other => unreachable!("compat {other} is declared and not read"),
    }
}

fn recovery(table: &Reader<'_>, compat: Compat) -> Read<Recovery> {
    let field = table.get("recovery")?;
    let recovery = match field.choice()? {
        "old-tahoe" => Recovery::OldTahoe,
        "tahoe" => Recovery::Tahoe,
        "reno" => Recovery::Reno,
        "new-reno" => Recovery::NewReno,
        "sack" => Recovery::Sack,
        "vegas" => Recovery::Vegas,
        "rack" => Recovery::Rack,
        "genie" => Recovery::Genie,
        other => unreachable!("recovery {other} is declared and not read"),
    };
    if matches!(recovery, Recovery::Rack | Recovery::Genie) && compat == Compat::Ns2 {
        let (path, name) = (&field.path, recovery.name());
        let message = format!("{path} = \"{name}\": not with compat = \"ns-2\"");
        return Err(field.error(message));
    }
    Ok(recovery)
}

fn spurious(table: &Reader<'_>, compat: Compat) -> Read<SpuriousDetection> {
    let field = table.get("spurious")?;
    let detection = match field.choice()? {
        "ignore" => SpuriousDetection::Ignore,
        "eifel" => SpuriousDetection::Eifel,
        "f-rto" => SpuriousDetection::FRto,
        "d-sack" => SpuriousDetection::DSack,
        other => unreachable!("spurious {other} is declared and not read"),
    };
    if detection != SpuriousDetection::Ignore && compat == Compat::Ns2 {
        return Err(field.error(format!("{}: not with compat = \"ns-2\"", field.path)));
    }
    if detection == SpuriousDetection::Eifel && !table.get("timestamps")?.flag()? {
        return Err(field.error(format!("{} = \"eifel\" needs timestamps", field.path)));
    }
    Ok(detection)
}

fn d_sack(
    table: &Reader<'_>,
    compat: Compat,
    spurious: SpuriousDetection,
    recovery: Recovery,
) -> Read<bool> {
    let asked = spurious == SpuriousDetection::DSack;
    let Some(field) = table.find("d_sack")? else {
        return Ok(asked || recovery == Recovery::Rack);
    };
    let on = field.flag()?;
    if on && compat == Compat::Ns2 {
        return Err(field.error(format!("{}: not with compat = \"ns-2\"", field.path)));
    }
    if asked && !on {
        let message = format!("{} = false, but spurious = \"d-sack\" needs it", field.path);
        return Err(field.error(message));
    }
    Ok(on)
}

fn pacing(table: &Reader<'_>, compat: Compat) -> Read<bool> {
    let field = table.get("pacing")?;
    let on = field.flag()?;
    if on && compat == Compat::Ns2 {
        return Err(field.error(format!("{}: not with compat = \"ns-2\"", field.path)));
    }
    Ok(on)
}

fn pacing_factor(table: &Reader<'_>) -> Read<Option<f64>> {
    let Some(field) = table.find("pacing_factor")? else {
        return Ok(None);
    };
    if !table.get("pacing")?.flag()? {
        return Err(field.error(format!("{} needs pacing = true", field.path)));
    }
    field.number().map(Some)
}

fn threshold_adaptation(
    table: &Reader<'_>,
    compat: Compat,
    spurious: SpuriousDetection,
) -> Read<ThresholdAdaptation> {
    let field = table.get("threshold_adaptation")?;
    let adaptation = match field.choice()? {
        "fixed" => return Ok(ThresholdAdaptation::Fixed),
        "increment" => ThresholdAdaptation::Increment,
        "average" => ThresholdAdaptation::Average,
        "ewma" => ThresholdAdaptation::Ewma,
        other => unreachable!("adaptation {other} is declared and not read"),
    };
    if compat == Compat::Ns2 {
        return Err(field.error(format!("{}: not with compat = \"ns-2\"", field.path)));
    }
    let finds = [SpuriousDetection::Eifel, SpuriousDetection::DSack];
    if !finds.contains(&spurious) {
        return Err(field.error(format!(
            "{} = \"{}\" needs spurious = \"eifel\" or \"d-sack\", which find fast retransmits \
             without cause",
            field.path,
            adaptation.name()
        )));
    }
    Ok(adaptation)
}

fn rto(field: &Field<'_>, compat: Compat) -> Read<Rto> {
    let table = field.table()?;
    let maximum = table.get("maximum")?;
    let rto = Rto {
        initial: table.get("initial")?.duration()?,
        minimum: table.get("minimum")?.duration()?,
        maximum: maximum.duration()?,
        granularity: table.get("granularity")?.duration()?,
        phase: table.get("phase")?.duration()?,
        k: table.get("k")?.integer()? as u32,
        arithmetic: match table.find("arithmetic")? {
            None if compat == Compat::Ns2 => RtoArithmetic::Ticks,
            None => RtoArithmetic::Rfc,
            Some(field) => match field.choice()? {
                "rfc" => RtoArithmetic::Rfc,
                "without-floor" => RtoArithmetic::WithoutFloor,
                "ticks" => RtoArithmetic::Ticks,
                other => unreachable!("arithmetic {other} is declared and not read"),
            },
        },
    };
    if rto.maximum < rto.minimum {
        return Err(maximum.error(format!(
            "{} = \"{}\" is below the minimum, {}",
            maximum.path, rto.maximum, rto.minimum
        )));
    }
    drop(maximum);
    table.finish();
    Ok(rto)
}

/// A controller with all its parameters.
pub(super) fn controller(field: &Field<'_>, compat: Compat) -> Read<ControllerChoice> {
    let mut given = BTreeMap::new();
    let name = match field.raw_table() {
        None => field.of_kind(ParameterKind::Text).any_text()?,
        Some(table) => {
            let mut name = None;
            for entry in &table.0 {
                if entry.key == CONTROLLER_NAME {
                    name = entry.value.text().map(str::to_owned);
                    continue;
                }
                let value = match &entry.value.node {
                    Node::Text(text) => Given::Text(text.clone()),
                    Node::Integer(integer) => Given::Number(*integer as f64),
                    Node::Number(number) if number.is_finite() => Given::Number(*number),
                    Node::Flag(flag) => Given::Flag(*flag),
                    _ => {
                        let path = format!("{}.{}", field.path, entry.key);
                        let message = format!(
                            "{path} = {} is not allowed; it takes a number, a text, true or false",
                            entry.value.shown()
                        );
                        return Err(field.document().error(entry.value.origin, &path, message));
                    }
                };
                given.insert(entry.key.clone(), value);
            }
            name.ok_or_else(|| {
                field.error(format!(
                    "{} needs the key \"{CONTROLLER_NAME}\", the controller's name",
                    field.path
                ))
            })?
        }
    };
    let controller = field.context().registry.get(&name).map_err(|_| {
        let names = || {
            field
                .context()
                .registry
                .iter()
                .map(|controller| controller.name)
        };
        let mut error = field.error(format!(
            "{} = \"{name}\": there is no such controller; it takes {}",
            field.path,
            crate::scenario::reader::one_of(names())
        ));
        error.hint = nearest(&name, names()).map(|name| format!("did you mean \"{name}\"?"));
        error
    })?;
    if compat == Compat::Ns2 && controller.carrier == Carrier::Rate && name != OWN_TFRC {
        let message = format!("{} = \"{name}\": not with compat = \"ns-2\"", field.path);
        return Err(field.error(message));
    }
    let parameters = controller
        .resolve(&given)
        .map_err(|error| parameter_error(field, controller.parameters, &error))?;
    Ok(ControllerChoice {
        name: controller.name,
        parameters,
    })
}

/// The only controller that sends at a rate in ns-2.
const OWN_TFRC: &str = "tfrc";

fn parameter_error(
    field: &Field<'_>,
    parameters: &[controllers::Parameter],
    error: &ParameterError,
) -> ScenarioError {
    let name = match error {
        ParameterError::UnknownParameter { name, .. } => name.as_str(),
        ParameterError::NotAllowed { name, .. } => name,
        ParameterError::UnknownController { .. } => "",
    };
    let path = format!("{}.{name}", field.path);
    let unknown = matches!(error, ParameterError::UnknownParameter { .. });
    let entry = field.raw_table().and_then(|table| table.get(name));
    let origin = match entry {
        Some(entry) if unknown => entry.origin,
        Some(entry) => entry.value.origin,
        None => field.origin(),
    };
    let names = || parameters.iter().map(|parameter| parameter.name);
    let mut message = format!("{}: {error}", field.path);
    if unknown {
        let allowed: Vec<_> = std::iter::once(CONTROLLER_NAME).chain(names()).collect();
        message.push_str("; allowed: ");
        message.push_str(&allowed.join(", "));
    }
    let mut error = field.document().error(origin, &path, message);
    if unknown {
        error.hint = nearest(name, names()).map(|name| format!("did you mean \"{name}\"?"));
    }
    error
}
