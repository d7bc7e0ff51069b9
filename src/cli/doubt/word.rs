//! `doubt booked`, `doubt not-booked` and `doubt abandon`: a person's word.

use anyhow::Result;

use crate::app::{Exit, Session};
use crate::cli::console::note;
use crate::cli::session::tell_opening;
use crate::cli::settings::Settings;
use crate::text::shell_quoted;

pub(super) fn booked(settings: &Settings, order: &str, awb: &str, because: &str) -> Result<Exit> {
    settling(settings)?.settle_booked(order, awb, because)?;
    note(format!("order {order} is booked with AWB {}; it is never sent again", awb.trim()));
    Ok(Exit::Done)
}

pub(super) fn not_booked(settings: &Settings, order: &str, because: &str) -> Result<Exit> {
    settling(settings)?.settle_not_booked(order, because)?;
    note(format!("order {order} may be sent again, once; next: `{} resume`", settings.command));
    Ok(Exit::Done)
}

pub(super) fn abandon(settings: &Settings, order: &str, because: &str) -> Result<Exit> {
    settling(settings)?.abandon(order, because)?;
    note(format!(
        "order {order} is given up and not sent again; should it be sent after all: \
         `{} doubt not-booked {} --because \"…\"`",
        settings.command,
        shell_quoted(order)
    ));
    Ok(Exit::Done)
}

/// The ledger for this process alone, with what a crash left named.
pub(super) fn settling(settings: &Settings) -> Result<Session<'_>> {
    let session = settings.app.settling()?;
    tell_opening(settings, &session);
    Ok(session)
}
