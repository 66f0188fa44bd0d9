//! Reading the options of TFRC and TFWC.

use controllers::Carrier;
use units::Bytes;

use super::Read;
use super::flows::{compat, controller};
use crate::scenario::keys::Drive;
use crate::scenario::reader::{Field, Reader};
use crate::scenario::{Compat, ControllerChoice, TfrcOptions, TfwcOptions};

pub(super) fn tfrc(table: &Reader<'_>, sizes: Sizes) -> Read<TfrcOptions> {
    let compat = compat(table)?;
    let field = table.get("controller")?;
    let controller = controller(&field, compat)?;
    check_carrier(&field, &controller, Drive::Tfrc)?;
    drop(field);
    Ok(TfrcOptions {
        controller,
        history_discounting: table.get("history_discounting")?.flag()?,
        later_packets: table.get("later_packets")?.integer()? as u32,
        ecn: table.get("ecn")?.flag()?,
        size_spread: size_spread(table, sizes)?,
        feedback_size: table.get("feedback_size")?.bytes()?,
        compat,
    })
}

pub(super) fn tfwc(table: &Reader<'_>, sizes: Sizes) -> Read<TfwcOptions> {
    let payload = sizes.packet.saturating_sub(sizes.header);
    let field = table.get("controller")?;
    let controller = controller(&field, Compat::Rfc)?;
    check_carrier(&field, &controller, Drive::Tfwc)?;
    drop(field);
    Ok(TfwcOptions {
        controller,
        initial_window: table.get("initial_window")?.window(payload)?,
        initial_timeout: table.get("initial_timeout")?.duration()?,
        granularity: table.get("granularity")?.duration()?,
        size_spread: size_spread(table, sizes)?,
        feedback_size: table.get("feedback_size")?.bytes()?,
        ack_vector_on_wire: table.get("ack_vector_on_wire")?.flag()?,
    })
}

/// What a packet takes on the wire.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) packet: Bytes,
    pub(super) header: Bytes,
}

fn size_spread(table: &Reader<'_>, Sizes { packet, header }: Sizes) -> Read<Bytes> {
    let field = table.get("size_spread")?;
    let spread = field.bytes()?;
    let most = packet
        .saturating_sub(header)
        .saturating_sub(Bytes(1))
        .min(LARGEST_PACKET.saturating_sub(packet));
    if spread > most {
        return Err(field.error(format!(
            "{} = \"{spread}\": with packet_size = \"{packet}\" and header = \"{header}\" at most \
             {most}, for a packet holds at least 1 B of data and takes at most {LARGEST_PACKET}",
            field.path
        )));
    }
    Ok(spread)
}

const LARGEST_PACKET: Bytes = Bytes(65_535);

/// Refuses a controller that such a transport cannot drive.
pub(super) fn check_carrier(
    field: &Field<'_>,
    controller: &ControllerChoice,
    drive: Drive,
) -> Read<()> {
    let found = field.context().registry.get(controller.name);
    let Some(carrier) = found.ok().map(|found| found.carrier) else {
        return Ok(());
    };
    if drive.takes(carrier) {
        return Ok(());
    }
    let (name, path) = (controller.name, &field.path);
    let protocol = drive.protocol();
    let (message, hint) = match carrier {
        Carrier::Window => (
            format!("{path} = \"{name}\" sets no rate, and protocol = \"{protocol}\" needs one"),
            "protocol = \"tfwc\" sends datagrams within any controller's window".to_owned(),
        ),
        Carrier::Datagrams | Carrier::Rate => {
            let own = Drive::of(carrier).protocol();
            (
                format!("{path} = \"{name}\" goes with protocol = \"{own}\" only"),
                format!("set protocol = \"{own}\""),
            )
        }
    };
    let mut error = field.error(message);
    error.hint = Some(hint);
    Err(error)
}
