//! Dotted keys: what they lead to, and how a value is put there.

use super::{Entry, Node, Table, Value};
use crate::scenario::keys::{CONTROLLER_NAME, FLOW};
use crate::scenario::read;

/// Why a path leads nowhere.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoWay {
    #[error("nothing is named \"{name}\"; there is: {}", names.join(", "))]
    NoSuchElement { name: String, names: Vec<String> },
    #[error("{name} = {shown} has no keys of its own")]
    NotATable { name: String, shown: String },
}

pub(super) fn put(table: &mut Table, path: &[String], new: Entry) -> Result<(), NoWay> {
    let (first, rest) = path.split_first().expect("a key has at least one part");
    let origin = new.origin;
    let index = table
        .0
        .iter()
        .position(|entry| entry.key == *first)
        .unwrap_or_else(|| {
            // A word that would have been the default becomes a table below.
            let node = match tag_of(first) {
                Some((_, word)) => Node::Text(word.to_owned()),
                None => Node::Table(Table::default()),
            };
            let value = Value { node, origin };
            table.0.push(Entry {
                key: first.clone(),
                origin,
                value,
            });
            table.0.len() - 1
        });
    if rest.is_empty() {
        table.0[index] = Entry {
            key: first.clone(),
            ..new
        };
        return Ok(());
    }
    put_into(&mut table.0[index].value, first, rest, new)
}

fn put_into(value: &mut Value, name: &str, path: &[String], new: Entry) -> Result<(), NoWay> {
    // A word that stands for a table becomes that table.
    if let (Node::Text(word), Some((tag, _))) = (&value.node, tag_of(name)) {
        let entry = Entry {
            key: tag.to_owned(),
            origin: value.origin,
            value: Value {
                node: Node::Text(word.clone()),
                origin: value.origin,
            },
        };
        value.node = Node::Table(Table(vec![entry]));
    }
    let shown = value.shown();
    match &mut value.node {
        Node::Table(table) => put(table, path, new),
        Node::List(items) => {
            let names: Vec<_> = (0..)
                .zip(&*items)
                .map(|(i, item)| element_name(name, i, item))
                .collect();
            let index = names
                .iter()
                .position(|name| *name == path[0])
                .or_else(|| path[0].parse().ok().filter(|index| *index < names.len()))
                .ok_or_else(|| NoWay::NoSuchElement {
                    name: path[0].clone(),
                    names,
                })?;
            if path.len() == 1 {
                items[index] = new.value;
                return Ok(());
            }
            put_into(&mut items[index], &path[0], &path[1..], new)
        }
        _ => Err(NoWay::NotATable {
            name: name.to_owned(),
            shown,
        }),
    }
}

/// The key that a word given for `name` is the value of, and the word that holds without one.
fn tag_of(name: &str) -> Option<(&'static str, &'static str)> {
    match name {
        "queue" => Some(("kind", "drop-tail")),
        "application" => Some(("kind", "bulk")),
        "controller" => Some((CONTROLLER_NAME, read::default_controller())),
        _ => None,
    }
}

/// What an element of the list `list` is called in dotted keys.
pub(in crate::scenario) fn element_name(list: &str, index: usize, value: &Value) -> String {
    let Node::Table(table) = &value.node else {
        return index.to_string();
    };
    match list {
        "flows" => group_label(table),
        "hops" => Some(
            table
                .text("name")
                .map_or_else(|| default_hop_name(index), str::to_owned),
        ),
        "links" => table
            .text("name")
            .map(str::to_owned)
            .or_else(|| Some(default_link_name(table.text("from")?, table.text("to")?))),
        _ => table.text("name").map(str::to_owned),
    }
    .unwrap_or_else(|| index.to_string())
}

/// The label of a group: its own, or protocol and controller; none where neither is there.
pub(in crate::scenario) fn group_label(group: &Table) -> Option<String> {
    if let Some(label) = group.text("label") {
        return Some(label.to_owned());
    }
    let protocol = group.text(FLOW.tag)?;
    if protocol != "tcp" {
        return Some(protocol.to_owned());
    }
    let controller = match group.get("controller").map(|entry| &entry.value.node) {
        None => read::default_controller(),
        Some(Node::Text(name)) => name,
        Some(Node::Table(table)) => table.text(CONTROLLER_NAME)?,
        Some(_) => return None,
    };
    Some(format!("{protocol}-{controller}"))
}

/// The name of a parking lot's hop that has none of its own.
pub(in crate::scenario) fn default_hop_name(index: usize) -> String {
    format!("hop{}", index + 1)
}

/// The name of a graph's link that has none of its own.
pub(in crate::scenario) fn default_link_name(from: &str, to: &str) -> String {
    format!("{from}-{to}")
}

/// The name of the link back that belongs to a duplex link with a name.
pub(in crate::scenario) fn default_back_name(name: &str) -> String {
    format!("{name}-reverse")
}

/// The parts of a dotted key; parts in quotes may hold anything.
pub fn split_key(key: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut rest = key.trim();
    loop {
        let part;
        if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"')?;
            part = &quoted[..end];
            rest = &quoted[end + 1..];
        } else {
            let end = rest.find('.').unwrap_or(rest.len());
            part = rest[..end].trim();
            rest = &rest[end..];
        }
        if part.is_empty() || parts.len() == DEEPEST_KEY {
            return None;
        }
        parts.push(part.to_owned());
        match rest.strip_prefix('.') {
            Some(more) => rest = more,
            None if rest.trim().is_empty() => return Some(parts),
            None => return None,
        }
    }
}

/// Most parts of a dotted key.
const DEEPEST_KEY: usize = 16;
