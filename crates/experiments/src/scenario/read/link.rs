//! Reading links: delay, queue, losses, schedule.

use units::{Duration, Rate};

use super::{Context, Read};
use crate::scenario::keys::{DELAY, Draw, Kind, Least};
use crate::scenario::reader::{Field, Reader};
use crate::scenario::{
    Alternating, Change, Delay, DelayState, Distribution, Holding, Limit, Link, Loss, LossModel,
    LossPlace, Queue, Red, RedMode,
};

pub(super) fn required_link(context: &Context<'_>, field: &Field<'_>) -> Read<Link> {
    let table = field.table()?;
    let link = link(context, &table)?;
    table.finish();
    Ok(link)
}

/// The keys that all links have; rate and delay required.
pub(super) fn link(context: &Context<'_>, table: &Reader<'_>) -> Read<Link> {
    let rate = table.get("rate")?.rate_or_unlimited()?;
    let delay = delay(&table.get("delay")?)?;
    let (queue, source_quench) = match table.find("queue")? {
        Some(field) => link_queue(&field, Limit::default_of_link(rate), rate.is_some())?,
        None => (Queue::drop_tail(Limit::default_of_link(rate)), None),
    };
    Ok(Link {
        rate,
        queue,
        source_quench,
        losses: losses(context, table.find("loss")?.as_ref())?.unwrap_or_default(),
        schedule: schedule(table.find("schedule")?.as_ref(), rate, &delay)?,
        delay,
    })
}

/// The link back: what is not given is as forward, but for losses and schedule.
pub(super) fn reverse(
    context: &Context<'_>,
    field: Option<&Field<'_>>,
    forward: &Link,
) -> Read<Link> {
    let mut link = Link {
        losses: Vec::new(),
        schedule: Vec::new(),
        source_quench: None,
        ..forward.clone()
    };
    let Some(field) = field else { return Ok(link) };
    let table = field.table()?;
    if let Some(rate) = table.find("rate")? {
        link.rate = rate.rate_or_unlimited()?;
    }
    if let Some(field) = table.find("delay")? {
        link.delay = delay(&field)?;
    }
    let limited = link.rate.is_some();
    match table.find("queue")? {
        Some(field) => {
            (link.queue, link.source_quench) =
                link_queue(&field, Limit::default_of_link(link.rate), limited)?;
        }
        None if limited == forward.rate.is_some() => {}
        // The queue forward may need a rate, or be unlimited for want of one.
        None => {
            link.queue = Queue::drop_tail(Limit::default_of_link(link.rate));
        }
    }
    link.losses = losses(context, table.find("loss")?.as_ref())?.unwrap_or_default();
    link.schedule = schedule(table.find("schedule")?.as_ref(), link.rate, &link.delay)?;
    table.finish();
    Ok(link)
}

fn delay(field: &Field<'_>) -> Read<Delay> {
    if field
        .raw_table()
        .is_none_or(|table| table.get("kind").is_none())
    {
        let kind = Kind::Distribution(Least::Zero, Draw::Other);
        return field.of_kind(kind).distribution(None).map(Delay::Fixed);
    }
    let tagged = field.of_kind(Kind::Tagged(&DELAY));
    let (variant, table) = tagged.tagged()?;
    let delay = match variant.name {
        "alternating" => Delay::Alternating(alternating(&table)?),
        "trace" => Delay::Trace(trace(&table)?),
        other => unreachable!("delay {other} is declared and not read"),
    };
    table.finish();
    Ok(delay)
}

fn alternating(table: &Reader<'_>) -> Read<Alternating> {
    let states_field = table.get("states")?;
    let mut states = Vec::new();
    for field in states_field.items()? {
        let table = field.table()?;
        let delay = table.get("delay")?.duration()?;
        let holding = holding(&table, &field.path)?;
        states.push(DelayState { delay, holding });
        table.finish();
    }
    let count = states.len();
    if !(2..=MOST_STATES).contains(&count) {
        return Err(states_field.error(format!(
            "{} has {count} states; it takes 2 to {MOST_STATES}",
            states_field.path
        )));
    }
    let Some(field) = table.find("transitions")? else {
        let next =
            |state: usize| (0..count).map(move |other| f64::from(other == (state + 1) % count));
        return Ok(Alternating {
            states,
            transitions: (0..count).map(|s| next(s).collect()).collect(),
        });
    };
    let mut transitions = Vec::new();
    for row in field.items()? {
        let row: Vec<f64> = row
            .items()?
            .iter()
            .map(Field::number)
            .collect::<Read<_>>()?;
        transitions.push(row);
    }
    let adds_up = |row: &Vec<f64>| (row.iter().sum::<f64>() - 1.0).abs() < 1e-9;
    if transitions.len() != count
        || transitions
            .iter()
            .any(|row| row.len() != count || !adds_up(row))
    {
        return Err(field.error(format!(
            "{} takes {count} rows of {count} probabilities, each row adding up to 1",
            field.path
        )));
    }
    Ok(Alternating {
        states,
        transitions,
    })
}

/// How long an alternating delay stays in the state of this table.
fn holding(table: &Reader<'_>, path: &str) -> Read<Holding> {
    let (stay, extra) = (table.find("stay")?, table.find("extra")?);
    if let Some(field) = table.find("hold")? {
        let law = field.distribution(None)?;
        check_mean(&field, &law, SHORTEST_STAY)?;
        return match stay.or(extra) {
            None => Ok(Holding::Drawn(law)),
            Some(other) => Err(other.error(format!(
                "{} stands beside hold; a state takes one law of its time",
                other.path
            ))),
        };
    }
    let time =
        |field: Option<Field<'_>>| field.map_or(Ok(Duration::ZERO), |field| field.duration());
    let (stay, extra) = (time(stay)?, time(extra)?);
    if stay.saturating_add(extra) < SHORTEST_STAY {
        return Err(table.error(format!(
            "{path}: stay and extra add up to less than {SHORTEST_STAY}; time must pass in a state"
        )));
    }
    Ok(Holding::Exponential { stay, extra })
}

/// The points of a trace. Whoever reads a file for the scenario has put them in its place.
fn trace(table: &Reader<'_>) -> Read<Vec<(Duration, Duration)>> {
    if let Some(file) = table.find("file")? {
        return Err(file.error(format!(
            "{} = {} has not been read: only a scenario file on disk can name another",
            file.path,
            file.shown()
        )));
    }
    let Some(field) = table.find("points")? else {
        return Err(table.error("a trace needs points, or a file with them".to_owned()));
    };
    let mut points: Vec<(Duration, Duration)> = Vec::new();
    for item in field.items()? {
        let pair: Vec<Duration> = item
            .items()?
            .iter()
            .map(Field::duration)
            .collect::<Read<_>>()?;
        let &[at, delay] = pair.as_slice() else {
            return Err(item.error(format!(
                "{} = {}: a point is a time and a delay",
                item.path,
                item.shown()
            )));
        };
        let follows = match points.last() {
            None => at.is_zero(),
            Some((before, _)) => at > *before,
        };
        if !follows {
            return Err(item.error(format!(
                "{} = {}: the times of a trace begin with 0 s and ascend",
                item.path,
                item.shown()
            )));
        }
        points.push((at, delay));
    }
    if points.is_empty() {
        return Err(field.error(format!("{} is empty", field.path)));
    }
    Ok(points)
}

/// The queue of an access link. `limited`: the link has a rate.
pub(super) fn queue(field: &Field<'_>, default: Limit, limited: bool) -> Read<Queue> {
    let (queue, source_quench) = link_queue(field, default, limited)?;
    if source_quench.is_some() {
        return Err(field.error(format!(
            "{}: source_quench goes with the links between routers or nodes only",
            field.path
        )));
    }
    Ok(queue)
}

/// The queue of a link, and the length from which it sends source quenches. `limited`: the link
/// has a rate.
fn link_queue(field: &Field<'_>, default: Limit, limited: bool) -> Read<(Queue, Option<u64>)> {
    let (variant, table) = field.tagged()?;
    let limit = match table.find("limit")? {
        Some(field) => {
            let limit = field.limit()?;
            if matches!(limit, Limit::Bdp(_)) && !limited {
                return Err(field.error(format!(
                    "{} = {}: an infinitely fast link has no bandwidth-delay product",
                    field.path,
                    field.shown()
                )));
            }
            limit
        }
        None => default,
    };
    let packets = |key| table.find(key)?.map(|field| field.packets()).transpose();
    let queue = match variant.name {
        "drop-tail" => Queue::DropTail {
            limit,
            mark: packets("mark")?,
        },
        "red" => {
            if !limited {
                return Err(field.error(format!("{}: red needs a link with a rate", field.path)));
            }
            Queue::Red(red(&table, limit)?)
        }
        other => unreachable!("queue {other} is declared and not read"),
    };
    let source_quench = packets("source_quench")?;
    table.finish();
    Ok((queue, source_quench))
}

fn red(table: &Reader<'_>, limit: Limit) -> Read<Red> {
    let max_field = table.get("max_threshold")?;
    let red = Red {
        limit,
        min_threshold: table.get("min_threshold")?.threshold()?,
        max_threshold: max_field.threshold()?,
        max_probability: table.get("max_probability")?.number()?,
        weight: table.get("weight")?.weight()?,
        gentle: table.get("gentle")?.flag()?,
        wait: table.get("wait")?.flag()?,
        mode: match table.get("mode")?.choice()? {
            "packets" => RedMode::Packets,
            "bytes" => RedMode::Bytes,
            other => unreachable!("mode {other} is declared and not read"),
        },
        mean_packet_size: table.get("mean_packet_size")?.bytes()?,
        ecn: table.get("ecn")?.flag()?,
    };
    // An automatic lower threshold is at least 5 packets.
    let least = red.min_threshold.unwrap_or(5.0);
    if red.max_threshold.is_some_and(|max| max <= least) {
        return Err(max_field.error(format!(
            "{} = {} is not over min_threshold, {}",
            max_field.path,
            max_field.shown(),
            red.min_threshold
                .map_or("auto: 5 packets or more".to_owned(), |min| format!(
                    "{min} packets"
                ))
        )));
    }
    Ok(red)
}

pub(super) fn losses(context: &Context<'_>, field: Option<&Field<'_>>) -> Read<Option<Vec<Loss>>> {
    let Some(field) = field else { return Ok(None) };
    field
        .items()?
        .iter()
        .map(|item| loss(context, item))
        .collect::<Read<_>>()
        .map(Some)
}

fn loss(context: &Context<'_>, field: &Field<'_>) -> Read<Loss> {
    let (variant, table) = field.tagged()?;
    let place = match table.get("place")?.choice()? {
        "entry" => LossPlace::Entry,
        "exit" => LossPlace::Exit,
        other => unreachable!("place {other} is declared and not read"),
    };
    let group = || -> Read<Option<String>> {
        let Some(field) = table.find("flow")? else {
            return Ok(None);
        };
        let label = field.name()?;
        context.names_group(&label, &field);
        Ok(Some(label))
    };
    let model = match variant.name {
        "bernoulli" => LossModel::Bernoulli {
            probability: table.get("probability")?.number()?,
        },
        "gilbert-elliott" => LossModel::GilbertElliott {
            good_to_bad: table.get("good_to_bad")?.number()?,
            bad_to_good: table.get("bad_to_good")?.number()?,
            loss_good: table.get("loss_good")?.number()?,
            loss_bad: table.get("loss_bad")?.number()?,
        },
        "every" => LossModel::Every {
            packets: table.get("packets")?.integer()?,
        },
        "list" => {
            let field = table.get("packets")?;
            let packets: Vec<u64> = field
                .items()?
                .iter()
                .map(Field::integer)
                .collect::<Read<_>>()?;
            ascending(&field, &packets)?;
            LossModel::List {
                packets,
                flow: group()?,
            }
        }
        "at" => {
            let field = table.get("times")?;
            let times: Vec<Duration> = field
                .items()?
                .iter()
                .map(Field::duration)
                .collect::<Read<_>>()?;
            ascending(&field, &times)?;
            LossModel::At {
                times,
                flow: group()?,
            }
        }
        "outage" => {
            let (every, duration) = (table.get("every")?, table.get("duration")?);
            let outage = (every.distribution(None)?, duration.distribution(None)?);
            for (field, distribution) in [(&every, &outage.0), (&duration, &outage.1)] {
                check_mean(field, distribution, SHORTEST_STAY)?;
            }
            LossModel::Outage {
                every: outage.0,
                duration: outage.1,
            }
        }
        other => unreachable!("loss {other} is declared and not read"),
    };
    table.finish();
    Ok(Loss { model, place })
}

/// Repeated periods must last some time in the mean, or a run would consist of nothing else.
pub(super) fn check_mean(
    field: &Field<'_>,
    distribution: &Distribution<Duration>,
    least: Duration,
) -> Read<()> {
    if distribution.mean() < least {
        return Err(field.error(format!(
            "{} = {} is too short: its mean must be at least {least}",
            field.path,
            field.shown()
        )));
    }
    Ok(())
}

fn ascending<T: PartialOrd>(field: &Field<'_>, values: &[T]) -> Read<()> {
    if values.is_sorted_by(|a, b| a < b) {
        return Ok(());
    }
    Err(field.error(format!(
        "{} = {} is not in ascending order",
        field.path,
        field.shown()
    )))
}

/// The changes of a link with this rate and delay.
fn schedule(field: Option<&Field<'_>>, rate: Option<Rate>, delay: &Delay) -> Read<Vec<Change>> {
    let Some(field) = field else {
        return Ok(Vec::new());
    };
    let mut changes: Vec<Change> = Vec::new();
    for item in field.items()? {
        let table = item.table()?;
        let at = table.get("at")?;
        let change = Change {
            at: at.duration()?,
            rate: table.find("rate")?.map(|rate| rate.rate()).transpose()?,
            delay: table
                .find("delay")?
                .map(|delay| delay.duration())
                .transpose()?,
            up: table.find("up")?.map(|up| up.flag()).transpose()?,
        };
        if change.rate.is_none() && change.delay.is_none() && change.up.is_none() {
            return Err(table.error(format!(
                "{} changes nothing: it takes rate, delay or up",
                item.path
            )));
        }
        if change.rate.is_some() && rate.is_none() {
            return Err(table.error(format!(
                "{}: the rate of an infinitely fast link cannot change",
                item.path
            )));
        }
        if change.delay.is_some() && !matches!(delay, Delay::Fixed(_)) {
            return Err(table.error(format!(
                "{}: an alternating delay and a trace change by themselves, not by a schedule",
                item.path
            )));
        }
        if changes.last().is_some_and(|before| before.at >= change.at) {
            return Err(at.error(format!(
                "{} = \"{}\" is not after the change before it",
                at.path, change.at
            )));
        }
        changes.push(change);
        drop(at);
        table.finish();
    }
    Ok(changes)
}

const MOST_STATES: usize = 1_000;
/// Shortest mean of a time that repeats over a whole run.
const SHORTEST_STAY: Duration = Duration::from_micros(1);
