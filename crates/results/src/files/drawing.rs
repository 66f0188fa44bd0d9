//! A drawing of a scenario's network: who sends to whom over what.

use toml::de::{DeTable, DeValue};

use crate::page::{Anchor, Drawing, Shape};
use crate::spoken::said;
use experiments::scenario::{Direction, FlowGroup, Route, Scenario, Topology};

/// The network of a scenario; `text` is the scenario as TOML. None for one that is too large.
pub(super) fn network(scenario: &Scenario, text: &str) -> Option<Drawing> {
    let document = DeTable::parse(text).ok()?;
    let topology = table(document.get_ref(), "topology");
    let mut drawing = Drawing {
        id: "network".to_owned(),
        title: "The network".to_owned(),
        width: WIDTH,
        ..Drawing::default()
    };
    match &scenario.topology {
        Topology::Dumbbell(_) => dumbbell(&mut drawing, scenario, topology?),
        Topology::ParkingLot(lot) => {
            if lot.hops.len() > MOST_NODES {
                return None;
            }
            let names: Vec<&str> = lot.hops.iter().map(|hop| hop.name.as_str()).collect();
            parking_lot(&mut drawing, scenario, &names, topology?);
        }
        Topology::Graph(graph) => {
            if graph.nodes.len() > MOST_NODES {
                return None;
            }
            let links: Vec<_> = graph
                .links
                .iter()
                .map(|link| (link.from, link.to))
                .collect();
            ring(
                &mut drawing,
                scenario,
                &graph.nodes,
                &links,
                document.get_ref(),
            );
        }
    }
    Some(drawing)
}

/// Groups on both sides of two routers.
fn dumbbell(drawing: &mut Drawing, scenario: &Scenario, topology: &DeTable<'_>) {
    let groups = &scenario.flows;
    let shown = groups.len().min(MOST_GROUPS);
    let left_out = groups.len() - shown;
    drawing.height = ROW * (shown.max(2) as f64 + if left_out > 0 { 0.5 } else { 0.0 }) + 24.0;
    let middle = ROW * shown.max(2) as f64 / 2.0 + 8.0;
    let (left, right) = ((WIDTH * 0.36, middle), (WIDTH * 0.64, middle));
    let shapes = &mut drawing.shapes;
    for (row, group) in groups.iter().take(shown).enumerate() {
        let y = 8.0 + ROW * (row as f64 + if shown == 1 { 1.0 } else { 0.5 });
        let (here, there) = (BOX.0 / 2.0 + 4.0, WIDTH - BOX.0 / 2.0 - 4.0);
        line(shapes, (here, y), left, false);
        line(shapes, (there, y), right, false);
        let back = group.direction == Direction::Reverse;
        let (sender, receiver) = if back { (there, here) } else { (here, there) };
        boxed(shapes, (sender, y), BOX, &counted(group));
        let arrow = if back { "◀" } else { "▶" };
        let receives = if group.count == 1 {
            "receiver"
        } else {
            "receivers"
        };
        boxed(shapes, (receiver, y), BOX, &format!("{arrow} {receives}"));
    }
    line(shapes, left, right, true);
    for router in [left, right] {
        boxed(shapes, router, (22.0, 22.0), "");
    }
    let link = table(topology, "bottleneck");
    let x = f64::midpoint(left.0, right.0);
    let above = link.map_or_else(String::new, rate_and_delay);
    words(shapes, (x, middle - 12.0), Anchor::Middle, &above, false);
    let queue = link.and_then(|link| value(link, "queue"));
    let below = queue.map_or_else(String::new, |queue| queue_words(queue));
    words(shapes, (x, middle + 22.0), Anchor::Middle, &below, true);
    if let Some(access) = value(topology, "access").and_then(as_table) {
        let access = format!("access: {}", rate_and_delay(access));
        let y = drawing.height - 4.0;
        words(shapes, (WIDTH / 2.0, y), Anchor::Middle, &access, true);
    }
    if left_out > 0 {
        let more = format!("and {left_out} more groups");
        words(
            shapes,
            (8.0, drawing.height - 4.0),
            Anchor::Start,
            &more,
            true,
        );
    }
}

/// Routers in a row, and below them the way of each group.
fn parking_lot(drawing: &mut Drawing, scenario: &Scenario, names: &[&str], topology: &DeTable<'_>) {
    let groups: Vec<&FlowGroup> = scenario.flows.iter().take(2 * MOST_GROUPS).collect();
    drawing.height = 96.0 + 26.0 * groups.len() as f64;
    let step = (WIDTH - 80.0) / names.len() as f64;
    let x = |router: usize| 40.0 + step * router as f64;
    let shapes = &mut drawing.shapes;
    let common = table(topology, "hop");
    let hops = value(topology, "hops").and_then(as_array);
    for (hop, name) in names.iter().enumerate() {
        let own = hops.and_then(|hops| as_table(hops.get(hop)?.get_ref()));
        let link = own.or(common);
        line(shapes, (x(hop), 56.0), (x(hop + 1), 56.0), true);
        let middle = f64::midpoint(x(hop), x(hop + 1));
        let about = link.map_or_else(String::new, rate_and_delay);
        words(shapes, (middle, 42.0), Anchor::Middle, &about, true);
        words(shapes, (middle, 24.0), Anchor::Middle, name, false);
    }
    for router in 0..=names.len() {
        boxed(shapes, (x(router), 56.0), (22.0, 22.0), "");
    }
    for (row, group) in groups.iter().enumerate() {
        let Route::Hops { first, last } = group.route else {
            continue;
        };
        let y = 98.0 + 26.0 * row as f64;
        let (from, to) = (x(first) + 14.0, x(last + 1) - 14.0);
        line(shapes, (from, y), (to, y), false);
        let arrow = match group.direction {
            Direction::Forward => (to, "▶"),
            Direction::Reverse => (from, "◀"),
        };
        words(shapes, (arrow.0, y + 4.5), Anchor::Middle, arrow.1, true);
        let at = (f64::midpoint(from, to), y - 5.0);
        words(shapes, at, Anchor::Middle, &counted(group), false);
    }
}

/// Nodes in a ring.
fn ring(
    drawing: &mut Drawing,
    scenario: &Scenario,
    nodes: &[String],
    links: &[(usize, usize)],
    document: &DeTable<'_>,
) {
    let groups: Vec<&FlowGroup> = scenario.flows.iter().take(MOST_GROUPS).collect();
    let ring_height = 300.0;
    drawing.height = ring_height + 22.0 * groups.len() as f64 + 10.0;
    let place = |node: usize| {
        let turn = (node as f64 / nodes.len() as f64 - 0.5) * std::f64::consts::TAU;
        let (sine, cosine) = libm::sincos(turn);
        (
            WIDTH / 2.0 + 250.0 * cosine,
            ring_height / 2.0 + 115.0 * sine,
        )
    };
    let described = value(document, "links").and_then(as_array);
    let shapes = &mut drawing.shapes;
    let mut drawn = Vec::new();
    for (index, (from, to)) in links.iter().enumerate() {
        let ends = (*from.min(to), *from.max(to));
        if drawn.contains(&ends) {
            continue;
        }
        drawn.push(ends);
        let (a, b) = (place(*from), place(*to));
        line(shapes, a, b, false);
        let about = described.and_then(|links| as_table(links.get(index)?.get_ref()));
        let about = about.map_or_else(String::new, rate_and_delay);
        let middle = (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1) - 6.0);
        words(shapes, middle, Anchor::Middle, &about, true);
    }
    for (node, name) in nodes.iter().enumerate() {
        boxed(shapes, place(node), (96.0, 28.0), name);
    }
    for (row, group) in groups.iter().enumerate() {
        let Route::Nodes { from, to } = group.route else {
            continue;
        };
        let text = format!("{}: {} → {}", counted(group), nodes[from], nodes[to]);
        let y = ring_height + 22.0 * (row as f64 + 0.5);
        words(shapes, (WIDTH / 2.0, y), Anchor::Middle, &text, false);
    }
}

fn counted(group: &FlowGroup) -> String {
    match group.count {
        1 => group.label.clone(),
        count => format!("{} × {count}", group.label),
    }
}

fn rate_and_delay(link: &DeTable<'_>) -> String {
    let named = ["rate", "delay"].into_iter();
    let parts = named.filter_map(|key| value(link, key).map(said));
    parts.collect::<Vec<_>>().join(", ")
}

/// A queue's kind and limit.
fn queue_words(queue: &DeValue<'_>) -> String {
    let Some(queue) = as_table(queue) else {
        return format!("queue: {}", said(queue));
    };
    let named = ["kind", "limit"].into_iter();
    let parts = named.filter_map(|key| value(queue, key).map(said));
    format!("queue: {}", parts.collect::<Vec<_>>().join(", "))
}

fn value<'t, 'i>(table: &'t DeTable<'i>, key: &str) -> Option<&'t DeValue<'i>> {
    table.get(key).map(toml::Spanned::get_ref)
}

fn table<'t, 'i>(of: &'t DeTable<'i>, key: &str) -> Option<&'t DeTable<'i>> {
    value(of, key).and_then(as_table)
}

fn as_table<'t, 'i>(value: &'t DeValue<'i>) -> Option<&'t DeTable<'i>> {
    match value {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

fn as_array<'t, 'i>(value: &'t DeValue<'i>) -> Option<&'t toml::de::DeArray<'i>> {
    match value {
        DeValue::Array(array) => Some(array),
        _ => None,
    }
}

fn line(shapes: &mut Vec<Shape>, from: (f64, f64), to: (f64, f64), strong: bool) {
    shapes.push(Shape::Line { from, to, strong });
}

fn boxed(shapes: &mut Vec<Shape>, middle: (f64, f64), size: (f64, f64), words: &str) {
    let words = words.to_owned();
    shapes.push(Shape::Box {
        middle,
        size,
        words,
    });
}

fn words(shapes: &mut Vec<Shape>, at: (f64, f64), anchor: Anchor, words: &str, quiet: bool) {
    if !words.is_empty() {
        let words = words.to_owned();
        shapes.push(Shape::Words {
            at,
            anchor,
            words,
            quiet,
        });
    }
}

/// Of the drawing.
const WIDTH: f64 = 720.0;
/// Of a group's row.
const ROW: f64 = 44.0;
/// Of a group's box.
const BOX: (f64, f64) = (140.0, 30.0);
/// More groups of a dumbbell are only counted.
const MOST_GROUPS: usize = 8;
/// Larger networks cannot be read.
const MOST_NODES: usize = 16;
