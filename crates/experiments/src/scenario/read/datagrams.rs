//! Reading the options of TFRC and TFWC.

use units::Bytes;

use super::flows::{compat, controller};
use super::{Context, Read};
use crate::scenario::reader::{Field, Reader};
use crate::scenario::{Compat, ControllerChoice, TfrcOptions, TfwcOptions};

pub(super) fn tfrc(context: &Context<'_>, table: &Reader<'_>) -> Read<TfrcOptions> {
    let compat = compat(table)?;
    let field = table.get("controller")?;
    let controller = controller(context, &field, compat)?;
    if controller.name != "tfrc" {
        let mut error = field.error(format!(
            "{} = \"{}\" sets no rate; with tfrc it takes \"tfrc\"",
            field.path, controller.name
        ));
        error.hint =
            Some("protocol = \"tfwc\" sends datagrams within any controller's window".to_owned());
        return Err(error);
    }
    drop(field);
    Ok(TfrcOptions {
        controller,
        history_discounting: table.get("history_discounting")?.flag()?,
        later_packets: table.get("later_packets")?.integer()? as u32,
        ecn: table.get("ecn")?.flag()?,
        feedback_size: table.get("feedback_size")?.bytes()?,
        compat,
    })
}

pub(super) fn tfwc(context: &Context<'_>, table: &Reader<'_>, payload: Bytes) -> Read<TfwcOptions> {
    let field = table.get("controller")?;
    let controller = controller(context, &field, Compat::Rfc)?;
    if controller.name == "tfrc" {
        return Err(goes_with(&field, &controller));
    }
    drop(field);
    Ok(TfwcOptions {
        controller,
        initial_window: table.get("initial_window")?.window(payload)?,
        initial_timeout: table.get("initial_timeout")?.duration()?,
        granularity: table.get("granularity")?.duration()?,
        feedback_size: table.get("feedback_size")?.bytes()?,
        ack_vector_on_wire: table.get("ack_vector_on_wire")?.flag()?,
    })
}

/// Refuses under TCP what needs packets that are never sent again.
pub(super) fn check_tcp(field: &Field<'_>, controller: &ControllerChoice) -> Read<()> {
    match controller.name {
        "tfrc" | "tfwc" => Err(goes_with(field, controller)),
        _ => Ok(()),
    }
}

fn goes_with(field: &Field<'_>, controller: &ControllerChoice) -> super::ScenarioError {
    let name = controller.name;
    let mut error = field.error(format!(
        "{} = \"{name}\" goes with protocol = \"{name}\" only",
        field.path
    ));
    error.hint = Some(format!("set protocol = \"{name}\""));
    error
}
