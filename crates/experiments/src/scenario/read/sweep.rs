//! From `[sweep]` to its axes and seeds.

mod range;

use super::{Read, one};
use crate::Registry;
use crate::metrics;
use crate::scenario::document::{Document, Node, Origin, Value, join, split_key};
use crate::scenario::error::nearest;
use crate::scenario::keys::{RANGE, SEEDS, STOP_RULE, SWEEP};
use crate::scenario::reader::{Context, Field, Reader, one_of};
use crate::scenario::{Axis, AxisKey, Scenario, Seeds, StopRule, Sweep};

/// A key of an axis with its values, each with its place.
struct RawKey {
    key: String,
    path: String,
    origin: Origin,
    values: Vec<Value>,
}

pub(super) fn sweep(field: &Field<'_>) -> Read<Sweep> {
    let table = field.table()?;
    let seeds = seeds(&table.get("seeds")?)?;
    let raw = raw_axes(field, &table)?;
    refuse_twice(field, &raw)?;
    let axis = |keys: Vec<RawKey>| Axis {
        keys: keys.into_iter().map(RawKey::into_axis_key).collect(),
    };
    let sweep = Sweep {
        seeds,
        axes: raw.into_iter().map(axis).collect(),
    };
    let keys = sweep.axes.iter().flat_map(|axis| &axis.keys);
    let given: usize = keys.map(|key| key.values.len()).sum();
    if sweep.most_runs() > MOST_POINTS || given > MOST_AXIS_VALUES {
        return Err(field.error(format!(
            "the sweep has {} runs; at most {MOST_POINTS} are allowed, and {MOST_AXIS_VALUES} \
             values on all axes",
            sweep.most_runs()
        )));
    }
    table.finish();
    Ok(sweep)
}

fn seeds(field: &Field<'_>) -> Read<Seeds> {
    if field.raw_table().is_none() {
        return field.of_kind(SEEDS).integer().map(Seeds::Fixed);
    }
    let table = field.table_as(&STOP_RULE)?;
    let until = table.get("until")?;
    let metrics = until.items()?;
    if metrics.is_empty() {
        return Err(until.refuse());
    }
    let at_most = table.get("at_most")?;
    let rule = StopRule {
        until: metrics.iter().map(Field::any_text).collect::<Read<_>>()?,
        within_percent: table.get("within")?.number()?,
        at_least: table.get("at_least")?.integer()?,
        at_most: at_most.integer()?,
    };
    if rule.at_least > rule.at_most {
        return Err(at_most.error(format!(
            "{} = {} is less than at_least, {}",
            at_most.path, rule.at_most, rule.at_least
        )));
    }
    table.finish();
    Ok(Seeds::Until(rule))
}

/// The axes as the file has them: single keys first, then those that move together.
fn raw_axes(field: &Field<'_>, table: &Reader<'_>) -> Read<Vec<Vec<RawKey>>> {
    let mut axes = Vec::new();
    for entry in entries(table) {
        axes.push(vec![raw_key(field, "sweep", entry)?]);
    }
    let Some(together) = table.find("together")? else {
        return Ok(axes);
    };
    for item in together.items()? {
        let group = item.table()?;
        let keys = entries(&group)
            .into_iter()
            .map(|entry| raw_key(&item, &item.path, entry))
            .collect::<Read<Vec<_>>>()?;
        let Some((first, others)) = keys.split_first() else {
            return Err(item.error(format!(
                "{} is empty; it takes axes that move together",
                item.path
            )));
        };
        let unequal = |key: &&RawKey| key.values.len() != first.values.len();
        if let Some(other) = others.iter().find(unequal) {
            let message = format!(
                "{} has {} values and {} has {}; what moves together has equally many",
                first.key,
                first.values.len(),
                other.key,
                other.values.len()
            );
            return Err(field.document().error(other.origin, &other.path, message));
        }
        group.finish();
        axes.push(keys);
    }
    Ok(axes)
}

/// The axes of a table. `flows.tcp.count = […]` without quotes is a table of tables to TOML; it
/// means the same.
fn entries<'a>(table: &'a Reader<'_>) -> Vec<(String, Origin, &'a Value)> {
    fn flatten<'a>(
        key: String,
        origin: Origin,
        value: &'a Value,
        out: &mut Vec<(String, Origin, &'a Value)>,
    ) {
        match &value.node {
            Node::Table(table) if !table.0.is_empty() && !is_range(value) => {
                for entry in &table.0 {
                    let key = join(&key, &entry.key);
                    flatten(key, entry.origin, &entry.value, out);
                }
            }
            _ => out.push((key, origin, value)),
        }
    }
    let mut out = Vec::new();
    for (key, origin, value) in table.others() {
        flatten(key.to_owned(), origin, value, &mut out);
    }
    out
}

/// Whether a table is a range and no part of a dotted key (`flows.tcp.from = ["a", "b"]`).
fn is_range(value: &Value) -> bool {
    let Node::Table(table) = &value.node else {
        return false;
    };
    table.0.iter().any(|entry| {
        RANGE.keys.iter().any(|key| key.name == entry.key)
            && !matches!(entry.value.node, Node::List(_) | Node::Table(_))
    })
}

fn raw_key(
    field: &Field<'_>,
    place: &str,
    (key, origin, value): (String, Origin, &Value),
) -> Read<RawKey> {
    let document = field.document();
    let path = format!("{place}.\"{key}\"");
    let fail = |message| document.error(origin, &path, message);
    let values = match &value.node {
        Node::List(values) if !values.is_empty() => values.clone(),
        Node::Table(_) if is_range(value) => {
            let range = Field::of(field.context(), value, &path);
            range::values(&range.table_as(&RANGE)?, origin)?
        }
        _ => {
            let mut error = fail(format!(
                "{path} = {} is not allowed; an axis takes a list of at least one value, or a \
                 range such as {{ from = 1, to = 100, steps = 3, scale = \"logarithmic\" }}",
                value.shown()
            ));
            error.hint = nearest(&key, SWEEP.keys.iter().map(|key| key.name))
                .map(|name| format!("did you mean \"{name}\"?"));
            return Err(error);
        }
    };
    let Some(parts) = split_key(&key) else {
        return Err(fail(format!(
            "\"{key}\" is not a key such as flows.tcp.count"
        )));
    };
    if let Some(refused) = NO_AXES.iter().find(|name| **name == parts[0]) {
        let mut error = fail(format!("{refused} cannot be an axis of a sweep"));
        error.hint = Some("seeds = 10 in [sweep] runs each combination with ten seeds".to_owned());
        return Err(error);
    }
    Ok(RawKey {
        key,
        path,
        origin,
        values,
    })
}

fn refuse_twice(field: &Field<'_>, axes: &[Vec<RawKey>]) -> Read<()> {
    let mut seen: Vec<Option<Vec<String>>> = Vec::new();
    for key in axes.iter().flatten() {
        let parts = split_key(&key.key);
        if seen.contains(&parts) {
            let message = format!("{} is on two axes", key.key);
            return Err(field.document().error(key.origin, &key.path, message));
        }
        seen.push(parts);
    }
    Ok(())
}

/// Checks that each value of each axis, by itself, gives a valid scenario, and that the rule for
/// the seeds names metrics that there are.
pub(super) fn check(
    document: &Document,
    sweep: &Sweep,
    scenario: &Scenario,
    registry: &Registry,
) -> Read<()> {
    let context = Context::new(document, registry);
    let root = Reader::root(&context)?;
    let field = root.get("sweep")?;
    let table = field.table()?;
    check_seeds(&table.get("seeds")?, sweep, scenario)?;
    let plain = document.without_sweep();
    for keys in raw_axes(&field, &table)? {
        for at in 0..keys[0].values.len() {
            let mut point = plain.clone();
            for key in &keys {
                let path = split_key(&key.key).expect("checked when the axis was read");
                point.set_value(&path, key.values[at].clone(), key.origin)?;
            }
            one(&point, registry).map_err(|mut error| {
                let settings: Vec<_> = keys
                    .iter()
                    .map(|key| format!("{} = {}", key.key, key.values[at].shown()))
                    .collect();
                let settings = settings.join(", ");
                error.message = format!("with {settings} from [sweep]: {}", error.message);
                error
            })?;
        }
    }
    Ok(())
}

fn check_seeds(field: &Field<'_>, sweep: &Sweep, scenario: &Scenario) -> Read<()> {
    let last = scenario.seed.checked_add(sweep.seeds.at_most() - 1);
    if last.is_none_or(|last| last > i64::MAX as u64) {
        return Err(field.error(format!(
            "{} seeds from {} on: the last one is out of range",
            sweep.seeds.at_most(),
            scenario.seed
        )));
    }
    let Seeds::Until(rule) = &sweep.seeds else {
        return Ok(());
    };
    let known = metrics::columns(scenario);
    for name in &rule.until {
        if !known.contains(name) {
            let names = || known.iter().map(String::as_str);
            let mut error = field.error(format!(
                "{}.until = \"{name}\": there is no such metric",
                field.path
            ));
            error.hint = Some(match nearest(name, names()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("it takes {}", one_of(names())),
            });
            return Err(error);
        }
    }
    Ok(())
}

impl RawKey {
    fn into_axis_key(self) -> AxisKey {
        AxisKey {
            key: self.key,
            values: self.values.iter().map(Value::to_text).collect(),
        }
    }
}

/// Most runs of a sweep.
const MOST_POINTS: u64 = 100_000_000;
/// Most values on all axes together.
const MOST_AXIS_VALUES: usize = 10_000;
/// What is varied in another way, or not at all.
const NO_AXES: [&str; 2] = ["seed", "sweep"];
