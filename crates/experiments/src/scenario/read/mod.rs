//! From a document to a scenario: the file's own keys, recording and sweeps.

mod datagrams;
mod flows;
mod link;
mod network;
mod sweep;

use units::choice::Value;

use super::check;
use super::document::Document;
use super::keys::TCP;
pub(super) use super::reader::Read;
use super::reader::{Context, Field, Reader};
use super::{Record, Scenario};
use crate::Registry;

/// Reads and checks the whole document.
pub(super) fn scenario(document: &Document, registry: &Registry) -> Read<Scenario> {
    let scenario = one(document, registry)?;
    if let Some(sweep) = &scenario.sweep {
        sweep::check(document, sweep, &scenario, registry)?;
    }
    Ok(scenario)
}

fn one(document: &Document, registry: &Registry) -> Read<Scenario> {
    let context = Context::new(document, registry);
    let root = Reader::root(&context)?;
    let name = match root.find("name")? {
        Some(field) => field.name()?,
        None => name_of_file(document.file()),
    };
    let duration = root.get("duration")?.duration()?;
    let warmup_field = root.get("warmup")?;
    let warmup = warmup_field.duration()?;
    if warmup >= duration {
        return Err(warmup_field.error(format!(
            "warmup = \"{warmup}\" is not shorter than the duration, {duration}"
        )));
    }
    let topology_field = root.get("topology")?;
    let topology = network::topology(
        &topology_field,
        root.find("nodes")?.as_ref(),
        root.find("links")?.as_ref(),
    )?;
    let flows_field = root.get("flows")?;
    let flows = flows::groups(&flows_field, &topology, duration)?;
    check_named_groups(&context, &flows)?;
    let record = root
        .find("record")?
        .map(|field| record(&field))
        .transpose()?;
    let sweep = root
        .find("sweep")?
        .map(|field| sweep::sweep(&field))
        .transpose()?;
    let scenario = Scenario {
        name,
        description: match root.find("description")? {
            Some(text) => text.any_text()?,
            None => String::new(),
        },
        duration,
        warmup,
        seed: root.get("seed")?.integer()?,
        topology,
        flows,
        record,
        sweep,
    };
    check::whole(&scenario).map_err(|problem| {
        document.error(problem.origin(document), problem.key, problem.message)
    })?;
    root.finish();
    Ok(scenario)
}

fn record(field: &Field<'_>) -> Read<Record> {
    let table = field.table()?;
    let record = Record {
        every: table
            .find("every")?
            .map(|every| every.duration())
            .transpose()?,
        events: table.get("events")?.flag()?,
    };
    table.finish();
    Ok(record)
}

/// Refuses labels of groups that there are not.
fn check_named_groups(context: &Context<'_>, groups: &[super::FlowGroup]) -> Read<()> {
    let labels = || groups.iter().map(|group| group.label.as_str());
    for (label, path, origin) in context.named_groups.borrow().iter() {
        if !labels().any(|known| known == label) {
            let message = format!(
                "{path} = \"{label}\": no group of flows has that label; it takes {}",
                super::reader::one_of(labels())
            );
            let mut error = context.document.error(*origin, path, message);
            error.hint = super::error::nearest(label, labels())
                .map(|name| format!("did you mean \"{name}\"?"));
            return Err(error);
        }
    }
    Ok(())
}

fn name_of_file(file: &str) -> String {
    let base = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = base.strip_suffix(".toml").unwrap_or(base);
    let clean: String = stem
        .chars()
        .filter(|c| !c.is_control() && *c != '"')
        .take(64)
        .collect();
    if clean.is_empty() {
        "scenario".to_owned()
    } else {
        clean
    }
}

/// The controller of a TCP group that names none.
pub(super) fn default_controller() -> &'static str {
    let key = TCP
        .iter()
        .find(|key| key.name == "controller")
        .expect("TCP has a controller");
    match key.default {
        Value::Choice(name) => name,
        other => unreachable!("its default is {other}"),
    }
}
