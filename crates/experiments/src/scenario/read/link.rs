//! Reading links: delay, queue, losses, schedule.

use units::Rate;
use units::choice::{Kind, Limit, Value};

use super::Read;
use crate::scenario::keys::LENGTH;
use crate::scenario::network::default_limit;
use crate::scenario::reader::{Context, Field, Reader};
use crate::scenario::{Change, Delay, Link, Loss, Queue};

pub(super) fn required_link(field: &Field<'_>) -> Read<Link> {
    let table = field.table()?;
    let link = link(&table)?;
    table.finish();
    Ok(link)
}

/// The keys that all links have; rate and delay required.
pub(super) fn link(table: &Reader<'_>) -> Read<Link> {
    let rate = table.get("rate")?.rate_or_unlimited()?;
    let delay = delay(&table.get("delay")?)?;
    let queue = match table.find("queue")? {
        Some(field) => link_queue(&field, default_limit(rate), rate.is_some())?,
        None => usual_queue(table.context(), rate),
    };
    Ok(Link {
        rate,
        queue,
        losses: losses(table.find("loss")?.as_ref())?.unwrap_or_default(),
        schedule: schedule(table.find("schedule")?.as_ref(), rate, &delay)?,
        delay,
    })
}

/// The link back: what is not given is as forward, but for losses and schedule.
pub(super) fn reverse(field: Option<&Field<'_>>, forward: &Link) -> Read<Link> {
    let mut link = Link {
        losses: Vec::new(),
        schedule: Vec::new(),
        ..forward.clone()
    };
    link.queue.parameters.set("source_quench", Value::Derived);
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
            link.queue = link_queue(&field, default_limit(link.rate), limited)?;
        }
        None if limited == forward.rate.is_some() => {}
        // The queue forward may need a rate, or be unlimited for want of one.
        None => {
            link.queue = usual_queue(table.context(), link.rate);
        }
    }
    link.losses = losses(table.find("loss")?.as_ref())?.unwrap_or_default();
    link.schedule = schedule(table.find("schedule")?.as_ref(), link.rate, &link.delay)?;
    table.finish();
    Ok(link)
}

/// The queue of a link that is given none.
fn usual_queue(context: &Context<'_>, rate: Option<Rate>) -> Queue {
    Queue::plain(context.registry.queues()[0], default_limit(rate))
}

fn delay(field: &Field<'_>) -> Read<Delay> {
    if field
        .raw_table()
        .is_none_or(|table| table.get("kind").is_none())
    {
        return field.of_kind(LENGTH).distribution(None).map(Delay::Fixed);
    }
    let delays = field.context().registry.delays();
    let field = field.of_kind(Kind::OneOf("delay"));
    field.chosen(delays).map(Delay::Model)
}

/// The queue of an access link. `limited`: the link has a rate.
pub(super) fn queue(field: &Field<'_>, default: Limit, limited: bool) -> Read<Queue> {
    let queue = link_queue(field, default, limited)?;
    if queue.source_quench().is_some() {
        return Err(field.error(format!(
            "{}: source_quench goes with the links between routers or nodes only",
            field.path
        )));
    }
    Ok(queue)
}

/// The queue of a link. `limited`: the link has a rate.
fn link_queue(field: &Field<'_>, default: Limit, limited: bool) -> Read<Queue> {
    let mut queue: Queue = field.chosen(field.context().registry.queues())?;
    if !queue.parameters.has("limit") {
        let usual = queue.what.usual_packets.map(Limit::Packets);
        queue.set_limit(usual.unwrap_or(default));
    }
    if matches!(queue.limit(), Limit::Bdp(_)) && !limited {
        let given = field.raw_table().and_then(|table| table.get("limit"));
        return Err(field.document().error(
            given.map_or(field.origin(), |entry| entry.value.origin),
            &field.path,
            format!(
                "{}.limit = \"{}\": an infinitely fast link has no bandwidth-delay product",
                field.path,
                queue.limit()
            ),
        ));
    }
    if queue.what.needs_rate && !limited {
        let (path, name) = (&field.path, queue.name());
        return Err(field.error(format!("{path}: {name} needs a link with a rate")));
    }
    Ok(queue)
}

pub(super) fn losses(field: Option<&Field<'_>>) -> Read<Option<Vec<Loss>>> {
    let Some(field) = field else { return Ok(None) };
    let models = field.context().registry.losses();
    let items = field.items()?;
    let losses = items.iter().map(|item| item.chosen(models));
    losses.collect::<Read<_>>().map(Some)
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
