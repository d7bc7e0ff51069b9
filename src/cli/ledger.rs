//! `ledger`: look through it, copy it, accept it; and how every command that writes opens it.

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use jiff::Timestamp;
use serde_json::json;

use crate::ledger::{
    AcceptanceRecord, EvidenceRecord, Home, LateContradiction, Ledger, LedgerError, NewAcceptance, RunLock,
};
use crate::text::{count, shell_quoted};

use super::args::{Format, LedgerCommand};
use super::console::{note, print, print_json};
use super::exit::Exit;
use super::session::{host, user};
use super::settings::{Service, Settings};

/// Takes the ledger's lock, where a ledger may be.
pub(super) fn lock_ledger(settings: &Settings, what: &str) -> Result<RunLock> {
    if let Service::At(_) = settings.service {
        Ledger::refuse_place(&settings.ledger, &settings.watch())?;
    }
    // A lock on some other program's file could be taken for that program's own.
    match Ledger::open_read_only(&settings.ledger) {
        Ok(_) | Err(LedgerError::Missing(_) | LedgerError::Outdated(_)) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(RunLock::acquire(&settings.ledger, what)?)
}

/// Opens the ledger to write, under the run lock, and takes up what an earlier command left.
pub(super) fn open_ledger(settings: &Settings, what: &str) -> Result<Ledger> {
    let lock = lock_ledger(settings, what)?;
    // The sandbox's bookings are worth nothing: its ledger may go and come back.
    let mut ledger = match settings.service {
        Service::Sandbox => Ledger::open_locked(lock)?,
        Service::At(_) => Ledger::open_watched(lock, &settings.watch())?,
    };
    if let Some(why) = ledger.unmarked() {
        note(format!(
            "warning: nothing outside the ledger notes how far it is ({why}), so a ledger that is lost or older would not \
             be noticed; set HOME, or XDG_STATE_HOME, to a folder that is kept and can be written"
        ));
    }
    let recovered = ledger.recover(Timestamp::now().as_millisecond())?;
    if !recovered.answered.is_empty() {
        note(format!(
            "{} that the ledger could not take when they came are in it now",
            count(recovered.answered.len() as u64, "answer")
        ));
    }
    for LateContradiction { order, awb, against } in &recovered.contradictions {
        note(format!(
            "warning: the service booked order {order} with AWB {awb}, and {against}: look it up in the courier's portal, \
             and cancel what is booked twice"
        ));
    }
    if !recovered.in_doubt.is_empty() {
        note(format!(
            "warning: the last run ended in the middle of {}, now in doubt: see `{} doubt list`",
            count(recovered.in_doubt.len() as u64, "order"),
            settings.command
        ));
    }
    Ok(ledger)
}

pub(super) fn ledger(settings: &Settings, command: &LedgerCommand) -> Result<Exit> {
    match command {
        LedgerCommand::Check => check(settings),
        LedgerCommand::Backup { file } => backup(settings, file),
        LedgerCommand::Accept { because, yes } => accept(settings, because, *yes),
        LedgerCommand::Move { file } => relocate(settings, file),
    }
}

fn check(settings: &Settings) -> Result<Exit> {
    let ledger = Ledger::open_read_only(&settings.ledger)?;
    let (checked, copy_of) = (ledger.check()?, ledger.copy_of(&host())?);
    let exit = if checked.faults.is_empty() { Exit::Done } else { Exit::CouldNotRun };
    if settings.format == Format::Json {
        print_json(&json!({
            "ledger": settings.ledger.display().to_string(),
            "orders": checked.orders,
            "attempts": checked.attempts,
            "evidence": checked.evidence,
            "acceptances": checked.acceptances,
            "copy_of": copy_of,
            "faults": checked.faults,
            "exit": exit.code(),
        }))?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    let (orders, attempts) = (count(checked.orders, "order"), count(checked.attempts, "attempt"));
    writeln!(text, "{}: {orders}, {attempts}", settings.ledger.display())?;
    if checked.faults.is_empty() {
        writeln!(text, "sound: every count, request and link of evidence holds ({})", count(checked.evidence, "link"))?;
    }
    if let Some(Home { path, host, .. }) = &copy_of {
        writeln!(text, "a copy: the ledger itself is {path} on {host}")?;
    }
    for acceptance in &checked.acceptances {
        writeln!(text, "{}", accepted(acceptance))?;
    }
    for fault in &checked.faults {
        writeln!(text, "wrong: {fault}")?;
    }
    print(&text)?;
    if !checked.faults.is_empty() {
        note("keep a copy of the file as it is, book nothing with it, and put the last good backup in its place");
    }
    Ok(exit)
}

fn backup(settings: &Settings, file: &Path) -> Result<Exit> {
    Ledger::open_read_only(&settings.ledger)?.backup(file)?;
    note(format!(
        "{} is a whole copy of the ledger as it was at this moment. Orders that are booked from now on are not in it: \
         never go on from a copy while the ledger itself is there",
        file.display()
    ));
    Ok(Exit::Done)
}

/// One acceptance, as a line.
fn accepted(acceptance: &AcceptanceRecord) -> String {
    let AcceptanceRecord { at_ms, user, host, because, attempts_noted, attempts_found } = acceptance;
    let at = Timestamp::from_millisecond(*at_ms).unwrap_or_default().to_zoned(jiff::tz::TimeZone::system());
    format!(
        "accepted {} by {user} on {host}, with {attempts_found} of the {} that were noted: {because}",
        at.strftime("%Y-%m-%d %H:%M"),
        count(u64::try_from(*attempts_noted).unwrap_or_default(), "attempt")
    )
}

fn accept(settings: &Settings, because: &str, yes: bool) -> Result<Exit> {
    if because.trim().is_empty() {
        bail!(
            "--because is empty: write how you know, for instance which backup was restored and who looked up the rest"
        );
    }
    let there = if settings.ledger.exists() { "as it is now" } else { "as gone, and begin a new one" };
    if !yes {
        let command = format!("{} ledger accept --because {} --yes", settings.command, shell_quoted(because));
        bail!(super::Usage(format!(
            "this takes the ledger {} {there}. Orders that were booked and are not in it would be booked again: look \
             them up in the courier's portal first; then say `{command}`",
            settings.ledger.display()
        )));
    }
    // What is another program's is not locked, nor made a ledger of.
    match Ledger::open_read_only(&settings.ledger) {
        Ok(_) | Err(LedgerError::Missing(_) | LedgerError::Outdated(_)) => {}
        Err(error) => return Err(error.into()),
    }
    let lock = RunLock::acquire(&settings.ledger, "ledger accept")?;
    if Ledger::accept(lock, &settings.watch(), &word(because.to_owned()))? {
        note(format!(
            "the ledger {} is accepted {there}; who said so, when and why is kept in it: `{} ledger check`",
            settings.ledger.display(),
            settings.command
        ));
    } else {
        note(format!("nothing was held against the ledger {}", settings.ledger.display()));
    }
    Ok(Exit::Done)
}

fn relocate(settings: &Settings, file: &Path) -> Result<Exit> {
    if settings.service == Service::Sandbox {
        bail!(super::Usage("the sandbox's ledger holds nothing of worth, and stays where it is".to_owned()));
    }
    let from = settings.ledger.display();
    let real = std::path::absolute(&settings.ledger).unwrap_or_else(|_| settings.ledger.clone());
    let because = format!("moved from {} with `ledger move`", real.display());
    let moved = Ledger::relocate(&settings.ledger, file, &settings.watch(), &word(because))?;
    let to = moved.to.display();
    note(format!(
        "the ledger is {to} now: name it with --ledger, SHIPSHEET_LEDGER, or `file` under [ledger] in shipsheet.toml"
    ));
    if moved.old_stays {
        note(format!("the old file {from} books nothing any more; it may be deleted once no command names it"));
    } else {
        note(format!(
            "a small file stays at {from} and refuses whoever still names it; it may be deleted once no command does"
        ));
    }
    Ok(Exit::Done)
}

/// A person's word on a whole ledger.
fn word(because: String) -> NewAcceptance {
    NewAcceptance { user: user(), host: host(), because, at_ms: Timestamp::now().as_millisecond() }
}

/// `show --evidence`: an order's links, and how anybody can compute them again.
pub(super) fn evidence(settings: &Settings, number: &str) -> Result<Exit> {
    let ledger = Ledger::open_read_only(&settings.ledger)?;
    if ledger.order(number)?.is_empty() {
        bail!("no order {number} in this ledger");
    }
    let links = ledger.evidence(number)?;
    if settings.format == Format::Json {
        print_json(&links)?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for link in &links {
        write_link(&mut text, link)?;
    }
    print(&text)?;
    if links.is_empty() {
        note(format!("order {number} was never sent, and nothing was decided on it"));
    }
    Ok(Exit::Done)
}

fn write_link(out: &mut Vec<u8>, link: &EvidenceRecord) -> Result<()> {
    writeln!(out, "link {}", link.n)?;
    writeln!(out, "  text   {}", link.text)?;
    writeln!(out, "  after  {}", link.after)?;
    writeln!(out, "  hash   {}", link.hash)?;
    writeln!(out, "  check  printf '%s\\n%s' {} {} | sha256sum", link.after, shell_quoted(&link.text))?;
    if let Some(answer) = &link.answer {
        writeln!(out, "  answer {}", answer.trim_end())?;
    }
    Ok(())
}
