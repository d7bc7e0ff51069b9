//! `ledger`: look through it, copy it, move it, accept it.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{BackupEnd, Exit};
use crate::ledger::{AcceptanceRecord, Checked, Home, Upgraded};
use crate::notify::carry;
use crate::text::{count, shell_quoted};

use super::args::LedgerCommand;
use super::console::{confirm, note, print};
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

/// The document of `ledger check`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A ledger that was looked through")]
pub(super) struct CheckDocument {
    /// The ledger's file, or its database.
    ledger: String,
    #[serde(flatten)]
    checked: Checked,
    /// Where the ledger itself is; null where this is no copy.
    copy_of: Option<Home>,
    exit: Exit,
}

/// The document of `ledger backup`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A copy of the ledger")]
pub(super) struct BackupDocument {
    /// The ledger's file, or its database.
    ledger: String,
    /// The copy that was made; where none is due, the last one.
    file: String,
    /// Earlier backups that were deleted.
    pruned: Vec<String>,
    /// Whether it was made just now.
    is_new: bool,
    exit: Exit,
}

/// The document of `ledger accept`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A ledger that a person takes for the right one")]
pub(super) struct AcceptDocument<'a> {
    /// The ledger's file, or its database.
    ledger: String,
    /// Whether anything was held against it, so that it had to be accepted.
    accepted: bool,
    /// How the person knows.
    because: &'a str,
    exit: Exit,
}

/// The document of `ledger upgrade`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A ledger that was brought up to date")]
pub(super) struct UpgradeDocument {
    /// The ledger's file, or its database.
    ledger: String,
    /// The layout that it had.
    #[schemars(range(min = 1))]
    from: i64,
    /// The layout that it has now; the same where there was nothing to do.
    #[schemars(range(min = 1))]
    to: i64,
    /// The result of looking through it; null where there was nothing to do.
    checked: Option<Sound>,
    /// The copy of the ledger as it was, with which nothing is ever booked; null of a database, and where there was nothing to do.
    copy: Option<String>,
    exit: Exit,
}

/// The contents of a sound ledger.
#[derive(Serialize, JsonSchema)]
struct Sound {
    /// Orders in it.
    orders: u64,
    /// Attempts in it.
    attempts: u64,
    /// Links of evidence that hold.
    evidence: u64,
}

/// The document of `ledger move`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A ledger that was moved")]
pub(super) struct MoveDocument {
    /// Where it was.
    from: String,
    /// Where it is now.
    to: String,
    /// Whether the whole old file is still there; it books nothing.
    old_stays: bool,
    exit: Exit,
}

pub(super) fn ledger(settings: &Settings, command: &LedgerCommand) -> Result<Exit> {
    match command {
        LedgerCommand::Check => check(settings),
        LedgerCommand::Backup { file: Some(file), .. } => backup(settings, file),
        LedgerCommand::Backup { file: None, .. } => scheduled_backup(settings),
        LedgerCommand::Purge { older_than, yes } => super::purge::purge(settings, *older_than, *yes),
        LedgerCommand::Accept { because, yes } => accept(settings, because, *yes),
        LedgerCommand::Stations => super::stations::list(settings),
        LedgerCommand::StationOff { number, because } => super::stations::off(settings, *number, because),
        LedgerCommand::Upgrade { yes } => upgrade(settings, *yes),
        LedgerCommand::Move { file, to } => relocate(settings, file.as_ref().or(to.as_ref())),
    }
}

fn check(settings: &Settings) -> Result<Exit> {
    let (checked, copy_of) = settings.app.check_ledger()?;
    let exit = if checked.faults.is_empty() { Exit::Done } else { Exit::CouldNotRun };
    if settings.format == Format::Json {
        let ledger = settings.config().site().named();
        print_document(Kind::LedgerCheck, &CheckDocument { ledger, checked, copy_of, exit })?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    let (orders, attempts) = (count(checked.orders, "order"), count(checked.attempts, "attempt"));
    writeln!(text, "{}: {orders}, {attempts}", settings.config().site().named())?;
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
    settings.app.back_up_ledger(file)?;
    note(format!(
        "{} is a whole copy of the ledger as it was at this moment. Orders that are booked from now on are not in it: \
         never go on from a copy while the ledger itself is there",
        file.display()
    ));
    let ledger = settings.config().site().named();
    let document = BackupDocument { ledger, file: shown(file), pruned: Vec::new(), is_new: true, exit: Exit::Done };
    done(settings, Kind::LedgerBackup, &document)
}

fn scheduled_backup(settings: &Settings) -> Result<Exit> {
    let (backup, pruned, is_new) = match settings.app.scheduled_backup()? {
        BackupEnd::NotDue { last } => {
            note(format!("no backup is due: the last one is {} of {}", last.file.display(), last.at));
            (last, Vec::new(), false)
        }
        BackupEnd::Made { backup, pruned } => {
            let gone = if pruned.is_empty() {
                String::new()
            } else {
                format!("; {} deleted", count(pruned.len() as u64, "earlier backup"))
            };
            note(format!("{} is a copy of the ledger, looked through and sound{gone}", backup.file.display()));
            (backup, pruned, true)
        }
    };
    let (ledger, file) = (settings.config().site().named(), shown(&backup.file));
    let pruned = pruned.iter().map(|file| shown(file)).collect();
    done(settings, Kind::LedgerBackup, &BackupDocument { ledger, file, pruned, is_new, exit: Exit::Done })
}

/// One acceptance, as a line.
fn accepted(acceptance: &AcceptanceRecord) -> String {
    let AcceptanceRecord { at_ms, user, host, because, attempts_noted, attempts_found } = acceptance;
    let at = Timestamp::from_millisecond(*at_ms).unwrap_or_default().to_zoned_datetime(jiff::tz::TimeZone::system());
    format!(
        "accepted {} by {user} on {host}, with {attempts_found} of the {} that were noted: {because}",
        at.strftime("%Y-%m-%d %H:%M"),
        count(u64::try_from(*attempts_noted).unwrap_or_default(), "attempt")
    )
}

fn accept(settings: &Settings, because: &str, yes: bool) -> Result<Exit> {
    let there =
        if settings.config().site().may_have_ledger() { "as it is now" } else { "as gone, and begin a new one" };
    if !yes && !because.trim().is_empty() {
        let command = format!("{} ledger accept --because {} --yes", settings.command, shell_quoted(because));
        bail!(super::Usage(format!(
            "this takes the ledger {} {there}. Orders that were booked and are not in it would be booked again: look \
             them up in the courier's portal first; then say `{command}`",
            settings.config().site().named()
        )));
    }
    let was_held = settings.app.accept_ledger(because)?;
    if was_held {
        note(format!(
            "the ledger {} is accepted {there}; who said so, when and why is kept in it: `{} ledger check`",
            settings.config().site().named(),
            settings.command
        ));
    } else {
        note(format!("nothing was held against the ledger {}", settings.config().site().named()));
    }
    let ledger = settings.config().site().named();
    let document = AcceptDocument { ledger, accepted: was_held, because, exit: Exit::Done };
    done(settings, Kind::LedgerAccept, &document)
}

fn upgrade(settings: &Settings, yes: bool) -> Result<Exit> {
    let site = settings.config().site();
    let named = site.named();
    if site.is_shared() && !yes {
        let question = format!("{named} is a database, of which no copy is made. Was it dumped?");
        let agreed = confirm(&question);
        if agreed == Some(false) {
            note("nothing was changed");
            return Ok(Exit::CouldNotRun);
        }
        let Some(true) = agreed else {
            let command = format!("{} ledger upgrade --yes", settings.command);
            bail!(super::Usage(format!(
                "{named} is a database, of which no copy is made: have it dumped (pg_dump) first; then say `{command}`"
            )));
        };
    }
    let Upgraded { from, to, checked, copy } = settings.app.upgrade_ledger()?;
    if let Some(Checked { orders, attempts, evidence, .. }) = &checked {
        let (orders, attempts) = (count(*orders, "order"), count(*attempts, "attempt"));
        note(format!("the ledger {named} has layout {to} now, and had layout {from}: {orders}, {attempts}"));
        note(format!("sound: every count, request and link of evidence holds ({})", count(*evidence, "link")));
    } else {
        note(format!("the ledger {named} has the layout of this program already ({to}): there is nothing to do"));
    }
    if let Some(copy) = &copy {
        note(format!("{} is the ledger as it was: looked through, and nothing ever books with it", copy.display()));
    }
    if site.is_shared() && checked.is_some() {
        note("run roles.sql again, as the owner, where stations log in by roles of their own");
    }
    let checked = checked.map(|Checked { orders, attempts, evidence, .. }| Sound { orders, attempts, evidence });
    let copy = copy.as_deref().map(shown);
    let document = UpgradeDocument { ledger: named, from, to, checked, copy, exit: Exit::Done };
    done(settings, Kind::LedgerUpgrade, &document)
}

fn relocate(settings: &Settings, place: Option<&PathBuf>) -> Result<Exit> {
    let Some(place) = place else { bail!(super::Usage("name the new place".to_owned())) };
    let moved = settings.app.move_ledger(place)?;
    let site = settings.config().site_of(place)?;
    if let Err(error) = carry(settings.ledger(), if site.is_shared() { site.path() } else { &moved.to }) {
        note(format!("warning: what alerts told last stays behind ({error}), so an alert may come once more"));
    }
    let (from, to) = (settings.ledger().display(), moved.to.display());
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
    let (from, to, old_stays) = (shown(settings.ledger()), shown(&moved.to), moved.old_stays);
    done(settings, Kind::LedgerMove, &MoveDocument { from, to, old_stays, exit: Exit::Done })
}

/// A path as text, whatever its bytes are.
fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// What was done, for scripts.
fn done<T: Serialize>(settings: &Settings, kind: Kind, document: &T) -> Result<Exit> {
    if settings.format == Format::Json {
        print_document(kind, document)?;
    }
    Ok(Exit::Done)
}
