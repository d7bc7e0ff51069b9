//! `doubt booked`, `doubt not-booked` and `doubt abandon`: a person's word.

use crate::text::shell_quoted;
use anyhow::Result;
use jiff::Timestamp;

use crate::cli::console::note;
use crate::cli::exit::Exit;
use crate::cli::ledger::open_ledger;
use crate::cli::session::{host, user};
use crate::cli::settings::Settings;
use crate::ledger::Ledger;
use crate::settle::{self, Word};

pub(super) fn booked(settings: &Settings, order: &str, awb: &str, because: &str) -> Result<Exit> {
    let (mut ledger, service) = writable(settings)?;
    settle::booked(&mut ledger, &service, order, awb, &word(because))?;
    note(format!("order {order} is booked with AWB {}; it is never sent again", awb.trim()));
    Ok(Exit::Done)
}

pub(super) fn not_booked(settings: &Settings, order: &str, because: &str) -> Result<Exit> {
    let (mut ledger, service) = writable(settings)?;
    settle::not_booked(&mut ledger, &service, order, &word(because))?;
    note(format!("order {order} may be sent again, once; next: `{} resume`", settings.command));
    Ok(Exit::Done)
}

pub(super) fn abandon(settings: &Settings, order: &str, because: &str) -> Result<Exit> {
    let (mut ledger, service) = writable(settings)?;
    settle::abandon(&mut ledger, &service, order, &word(because))?;
    note(format!(
        "order {order} is given up and not sent again; should it be sent after all: \
         `{} doubt not-booked {} --because \"…\"`",
        settings.command,
        shell_quoted(order)
    ));
    Ok(Exit::Done)
}

/// The ledger for this process alone, with what a crash left named.
pub(super) fn writable(settings: &Settings) -> Result<(Ledger, String)> {
    let service = settings.service_key()?;
    // Nothing can be settled in a ledger that is not there: it is said, and none is made.
    drop(Ledger::open_read_only(&settings.ledger)?);
    Ok((open_ledger(settings, "doubt")?, service))
}

pub(super) fn word(because: &str) -> Word {
    Word { user: user(), host: host(), because: because.to_owned(), at_ms: Timestamp::now().as_millisecond() }
}
