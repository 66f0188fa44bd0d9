//! Reading topologies and access links.

use super::Read;
use super::link::{link, losses, queue, required_link, reverse};
use crate::scenario::document::{default_back_name, default_hop_name, default_link_name};
use crate::scenario::reader::{Field, Reader};
use crate::scenario::{
    Access, Dumbbell, Graph, GraphLink, Hop, Limit, ParkingLot, Queue, Topology,
};

pub(super) fn topology(
    field: &Field<'_>,
    nodes: Option<&Field<'_>>,
    links: Option<&Field<'_>>,
) -> Read<Topology> {
    let (choice, table) = field.one_of()?;
    if choice.name != "graph"
        && let Some(stray) = nodes.or(links)
    {
        return Err(stray.error(format!(
            "{} goes with topology.kind = \"graph\"; this topology is \"{}\"",
            stray.path, choice.name
        )));
    }
    let topology = match choice.name {
        "dumbbell" => {
            let forward = required_link(&table.get("bottleneck")?)?;
            let reverse = reverse(table.find("reverse")?.as_ref(), &forward)?;
            let (sender_access, receiver_access) = accesses(&table)?;
            Topology::Dumbbell(Dumbbell {
                bottleneck: forward,
                reverse,
                sender_access,
                receiver_access,
            })
        }
        "parking-lot" => {
            let hops = hops(&table)?;
            let (sender_access, receiver_access) = accesses(&table)?;
            Topology::ParkingLot(ParkingLot {
                hops,
                sender_access,
                receiver_access,
            })
        }
        "graph" => Topology::Graph(graph(&table, nodes, links)?),
        other => unreachable!("topology {other} is declared and not read"),
    };
    table.finish();
    Ok(topology)
}

fn hops(table: &Reader<'_>) -> Read<Vec<Hop>> {
    let (list, count, hop) = (
        table.find("hops")?,
        table.find("count")?,
        table.find("hop")?,
    );
    match (list, count, hop) {
        (Some(list), None, None) => {
            let mut hops: Vec<Hop> = Vec::new();
            for (index, field) in list.items()?.iter().enumerate() {
                let table = field.table()?;
                let name_field = table.find("name")?;
                let name = match &name_field {
                    Some(field) => field.name()?,
                    None => default_hop_name(index),
                };
                if hops.iter().any(|hop| hop.name == name) {
                    return Err(table.error(format!("two hops are named \"{name}\"")));
                }
                // A hop's way back has a name of its own.
                let clash = |a: &str, b: &str| a.strip_suffix("-reverse") == Some(b);
                if let Some(other) = hops
                    .iter()
                    .find(|hop| clash(&hop.name, &name) || clash(&name, &hop.name))
                {
                    return Err(table.error(format!(
                        "the hops \"{}\" and \"{name}\" clash: NAME-reverse is the way back of hop NAME",
                        other.name
                    )));
                }
                let forward = link(&table)?;
                let reverse = reverse(table.find("reverse")?.as_ref(), &forward)?;
                hops.push(Hop {
                    name,
                    forward,
                    reverse,
                });
                drop(name_field);
                table.finish();
            }
            if hops.is_empty() || hops.len() > MOST_HOPS {
                return Err(list.error(format!(
                    "{} has {} hops; it takes 1 to {MOST_HOPS}",
                    list.path,
                    hops.len()
                )));
            }
            Ok(hops)
        }
        (None, Some(count), Some(hop)) => {
            let count = count.integer()? as usize;
            let table = hop.table()?;
            let forward = link(&table)?;
            let reverse = reverse(table.find("reverse")?.as_ref(), &forward)?;
            table.finish();
            Ok((0..count)
                .map(|index| Hop {
                    name: default_hop_name(index),
                    forward: forward.clone(),
                    reverse: reverse.clone(),
                })
                .collect())
        }
        _ => Err(table.error(
            "a parking lot takes either hops = [ … ], or count = 4 and hop = { … }".to_owned(),
        )),
    }
}

fn graph(table: &Reader<'_>, nodes: Option<&Field<'_>>, links: Option<&Field<'_>>) -> Read<Graph> {
    let (Some(nodes_field), Some(links_field)) = (nodes, links) else {
        return Err(table.error("a graph needs [[nodes]] and [[links]]".to_owned()));
    };
    let mut nodes: Vec<String> = Vec::new();
    for field in nodes_field.items()? {
        let table = field.table()?;
        let name = table.get("name")?.name()?;
        if nodes.contains(&name) {
            return Err(table.error(format!("two nodes are named \"{name}\"")));
        }
        nodes.push(name);
        table.finish();
    }
    let mut links: Vec<GraphLink> = Vec::new();
    for field in links_field.items()? {
        let table = field.table()?;
        let end = |key| -> Read<usize> {
            let field = table.get(key)?;
            node_index(&nodes, &field)
        };
        let (from, to) = (end("from")?, end("to")?);
        if from == to {
            return Err(table.error(format!(
                "this link leads from \"{}\" to itself; its ends must differ",
                nodes[from]
            )));
        }
        let given = table.find("name")?.map(|name| name.name()).transpose()?;
        let back_name = match &given {
            Some(name) => default_back_name(name),
            None => default_link_name(&nodes[to], &nodes[from]),
        };
        let name = given.unwrap_or_else(|| default_link_name(&nodes[from], &nodes[to]));
        let link = link(&table)?;
        let duplex = table.get("duplex")?.flag()?;
        let back = duplex.then(|| GraphLink {
            name: back_name,
            from: to,
            to: from,
            link: link.clone(),
        });
        for new in std::iter::once(GraphLink {
            name,
            from,
            to,
            link,
        })
        .chain(back)
        {
            if links.iter().any(|other| other.name == new.name) {
                return Err(table.error(format!(
                    "two links are named \"{}\"; give one another name",
                    new.name
                )));
            }
            links.push(new);
        }
        table.finish();
    }
    Ok(Graph { nodes, links })
}

/// The index of the node that a value names.
pub(super) fn node_index(nodes: &[String], field: &Field<'_>) -> Read<usize> {
    let name = field.name()?;
    named(nodes.iter().map(String::as_str), &name, field, "node")
}

/// The index of `name` among `names`, or an error that lists them.
pub(super) fn named<'a>(
    names: impl Iterator<Item = &'a str> + Clone,
    name: &str,
    field: &Field<'_>,
    what: &str,
) -> Read<usize> {
    names
        .clone()
        .position(|known| known == name)
        .ok_or_else(|| {
            let mut error = field.error(format!(
                "{} = \"{name}\": there is no such {what}; it takes {}",
                field.path,
                crate::scenario::reader::one_of(names.clone())
            ));
            error.hint = crate::scenario::error::nearest(name, names)
                .map(|name| format!("did you mean \"{name}\"?"));
            error
        })
}

/// The access links of senders and of receivers.
fn accesses(table: &Reader<'_>) -> Read<(Access, Access)> {
    let both = match table.find("access")? {
        Some(field) => {
            let table = field.table()?;
            let access = Access {
                rate: table.get("rate")?.rate_or_unlimited()?,
                delay: table.get("delay")?.distribution(None)?,
                ..Access::default()
            };
            access_side(&table, access)?
        }
        None => Access::default(),
    };
    let side = |key| -> Read<Access> {
        let Some(field) = table.find(key)? else {
            return Ok(both.clone());
        };
        let table = field.table()?;
        let mut access = both.clone();
        if let Some(rate) = table.find("rate")? {
            access.rate = rate.rate_or_unlimited()?;
        }
        if let Some(delay) = table.find("delay")? {
            access.delay = delay.distribution(None)?;
        }
        let access = access_side(&table, access)?;
        table.finish();
        Ok(access)
    };
    Ok((side("sender_access")?, side("receiver_access")?))
}

/// Queue and losses of access links whose rate and delay are known.
fn access_side(table: &Reader<'_>, mut access: Access) -> Read<Access> {
    let limited = access.rate.is_some();
    if let Some(field) = table.find("queue")? {
        access.queue = queue(&field, Limit::Unlimited, limited)?;
    }
    if !limited && needs_rate(&access.queue) {
        return Err(table.error(
            "these access links have a queue that needs a rate, and are infinitely fast".to_owned(),
        ));
    }
    if let Some(losses) = losses(table.find("loss")?.as_ref())? {
        access.losses = losses;
    }
    Ok(access)
}

/// Whether a queue only makes sense at a link that has a rate.
fn needs_rate(queue: &Queue) -> bool {
    queue.what.needs_rate || matches!(queue.limit(), Limit::Bdp(_))
}

const MOST_HOPS: usize = 1_000;
