//! `doubt booked`, `doubt not-booked` and `doubt abandon`: a person's word.

use anyhow::Result;
use serde_json::json;

use crate::app::{Exit, Session};
use crate::cli::console::note;
use crate::cli::document::{Kind, print_document};
use crate::cli::global::Format;
use crate::cli::session::tell_opening;
use crate::cli::settings::Settings;
use crate::text::{count, shell_quoted};

pub(super) fn booked(settings: &Settings, order: &str, awb: &str, because: &str) -> Result<Exit> {
    settling(settings)?.settle_booked(order, awb, because)?;
    note(format!("order {order} is booked with AWB {}; it is never sent again", awb.trim()));
    told(settings, order, "booked", Some(awb.trim()), because)
}

pub(super) fn not_booked(settings: &Settings, orders: &[String], because: &str) -> Result<Exit> {
    let [order] = orders else { return several_not_booked(settings, orders, because) };
    settling(settings)?.settle_not_booked(orders, because)?;
    note(format!("order {order} may be sent again, once; next: `{} resume`", settings.command));
    told(settings, order, "not-booked", None, because)
}

fn several_not_booked(settings: &Settings, orders: &[String], because: &str) -> Result<Exit> {
    settling(settings)?.settle_not_booked(orders, because)?;
    let number = count(orders.len() as u64, "order");
    note(format!("{number} may be sent again, once each; next: `{} resume`", settings.command));
    if settings.format == Format::Json {
        let document =
            json!({"orders": orders, "settled": "not-booked", "because": because, "exit": Exit::Done.code()});
        print_document(Kind::DoubtsSettled, &document)?;
    }
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
    told(settings, order, "abandoned", None, because)
}

/// What was decided, for scripts.
fn told(settings: &Settings, order: &str, settled: &str, awb: Option<&str>, because: &str) -> Result<Exit> {
    if settings.format == Format::Json {
        let document =
            json!({"order": order, "settled": settled, "awb": awb, "because": because, "exit": Exit::Done.code()});
        print_document(Kind::DoubtSettled, &document)?;
    }
    Ok(Exit::Done)
}

/// The ledger for this process alone, with what a crash left named.
pub(super) fn settling(settings: &Settings) -> Result<Session<'_>> {
    let session = settings.app.settling()?;
    tell_opening(settings, &session);
    Ok(session)
}
