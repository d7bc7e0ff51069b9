//! `doubt`: settle orders whose outcome nobody knows.

use std::io::Write;

use anyhow::Result;
use jiff::Timestamp;

use crate::ledger::{Ledger, RunLock};
use crate::settle::{self, Word};
use crate::text::count;

use super::args::{Doubt, Format};
use super::console::{note, print, print_json};
use super::exit::Exit;
use super::session::{host, user};
use super::settings::{Settings, shell_quoted};
use super::status::when;

pub(super) fn doubt(settings: &Settings, command: &Doubt) -> Result<Exit> {
    match command {
        Doubt::List => doubts(settings),
        Doubt::Booked { order, awb, because } => {
            let (mut ledger, service, _lock) = writable(settings)?;
            settle::booked(&mut ledger, &service, order, awb, &word(because))?;
            note(format!("order {order} is booked with AWB {}; it is never sent again", awb.trim()));
            Ok(Exit::Done)
        }
        Doubt::NotBooked { order, because } => {
            let (mut ledger, service, _lock) = writable(settings)?;
            settle::not_booked(&mut ledger, &service, order, &word(because))?;
            note(format!("order {order} may be sent again; next: `{} resume`", settings.command));
            Ok(Exit::Done)
        }
    }
}

fn writable(settings: &Settings) -> Result<(Ledger, String, RunLock)> {
    let service = settings.service_key()?;
    let lock = RunLock::acquire(&settings.ledger, "doubt")?;
    let mut ledger = Ledger::open(&settings.ledger)?;
    ledger.recover(Timestamp::now().as_millisecond())?;
    Ok((ledger, service, lock))
}

fn word(because: &str) -> Word {
    Word { user: user(), host: host(), because: because.to_owned(), at_ms: Timestamp::now().as_millisecond() }
}

fn doubts(settings: &Settings) -> Result<Exit> {
    let ledger = Ledger::open_read_only(&settings.ledger)?;
    let histories = ledger.doubts()?;
    let exit = if histories.is_empty() { Exit::Done } else { Exit::InDoubt };
    if settings.format == Format::Json {
        print_json(&histories)?;
        return Ok(exit);
    }
    let command = &settings.command;
    let mut text = Vec::new();
    if histories.is_empty() {
        writeln!(text, "no order is in doubt")?;
    } else {
        writeln!(
            text,
            "{}. Look for each in the courier's portal, then say what you found:",
            count(histories.len() as u64, "order in doubt")
        )?;
    }
    for history in &histories {
        let number = &history.number;
        let last = history.attempts.last();
        let sent = last.map(|attempt| when(attempt.intent_ms)).unwrap_or_default();
        let why = last.and_then(|attempt| attempt.reason.clone()).or_else(|| history.error.clone()).unwrap_or_default();
        let quoted = shell_quoted(number);
        writeln!(text, "\norder {number}, sent {sent}: {why}")?;
        writeln!(
            text,
            "  it is there:      {command} doubt booked {quoted} --awb AWB --because \"seen in the portal\""
        )?;
        writeln!(text, "  it is not there:  {command} doubt not-booked {quoted} --because \"not in the portal\"")?;
    }
    print(&text)?;
    Ok(exit)
}
