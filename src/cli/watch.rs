//! `watch`: a folder whose sheets are booked while nobody is there.

use std::cell::RefCell;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::app::{App, Exit, Resumed};
use crate::book::{Stop, StopSignal};
use crate::env::patience;
use crate::log::impersonal;
use crate::notify::Notifier;
use crate::text::{count, error_chain, shortened};
use crate::watch::{Around, FiledSheet, Night, Options, Told, Watcher};

use super::Usage;
use super::connect::settle_commands;
use super::console::{listen_for_signals, note, print, somebody_is_here};
use super::document::{Kind, print_document, print_line};
use super::global::Format;
use super::notify;
use super::pace::BookingPace;
use super::remedy::words;
use super::report::advice;
use super::settings::Settings;

/// Looks at the folder after which it should have answered.
const LOOKS: u32 = 6;
/// It has so long in any case.
const PATIENCE_MIN: Duration = Duration::from_secs(3);

/// Characters of a sheet's name that are shown; it stays on one line.
const NAME_MAX: usize = 255;

/// How long a signal may go unseen.
const BLINK: Duration = Duration::from_millis(100);

/// How to watch.
#[derive(Debug, Args)]
pub(super) struct Watch {
    /// The folder that sheets are dropped into
    pub(super) folder: PathBuf,
    /// Go over the folder once and end with the exit code of the whole night, as a scheduled job needs it
    #[arg(long)]
    pub(super) once: bool,
    /// Seconds between two looks at the folder
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(super) interval: u64,
    /// Seconds that a sheet stays as it is before it is taken: it may still be copied
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(super) rest: u64,
    #[command(flatten)]
    pub(super) booking: BookingPace,
    /// A night asks nobody; scripts add this to whatever books
    #[arg(long = "yes", short = 'y', hide = true)]
    _yes: bool,
}

/// Watches until Ctrl-C, SIGTERM or the end of its terminal; with `--once` for one pass.
pub(super) fn watch(settings: &Settings, arguments: &Watch) -> Result<Exit> {
    if !arguments.once && arguments.booking.deadline.is_some() {
        bail!(Usage("--deadline is the end of one night: give it together with --once".to_owned()));
    }
    settings.service_key()?;
    if somebody_is_here() {
        // Once signals are listened to, none of them ends a question.
        settle_commands(settings, &[settings.config().token_commands(), settings.config().alert_commands()].concat())?;
    }
    let stop = listen_for_signals()?;
    let is_json = settings.format == Format::Json;
    let options = Options {
        folder: arguments.folder.clone(),
        interval: Duration::from_secs(arguments.interval),
        rest: Duration::from_secs(arguments.rest),
        patience: Duration::from_secs(arguments.interval).saturating_mul(LOOKS).max(patience(PATIENCE_MIN)),
        booking: arguments.booking.options(),
        command: settings.command.clone(),
        words: words(&settings.command),
        advice: advice(&settings.command),
    };
    let (notifier, asked) = (RefCell::new(notify::of_night(settings)?), stop.clone());
    let told = |hears: &mut dyn FnMut(&mut Notifier<'_>) -> Vec<String>| {
        let mut notifier = notifier.borrow_mut();
        let Some(notifier) = notifier.as_mut() else { return };
        if asked.now() != Stop::No {
            notifier.hurry();
        }
        notify::said(&settings.app, hears(notifier));
    };
    let beat = || {
        if !arguments.once {
            told(&mut |notifier| notifier.lives(Timestamp::now()));
        }
    };
    let (is_quiet, app) = (settings.is_quiet(), &settings.app);
    let mut around = Terminal { stop: stop.clone(), is_json, is_quiet, app, beat: &beat };
    let mut watcher = match watcher(settings, options, stop, &mut around) {
        Ok(watcher) => watcher,
        Err(error) => {
            let night = Night { trouble: Some(error_chain(&*error)), ..Night::default() };
            told(&mut |notifier| notifier.night(&night, arguments.once, Timestamp::now()));
            return Err(error);
        }
    };
    if arguments.once {
        let night = watcher.once();
        if !is_json && !settings.is_quiet() {
            last_words(&night, &settings.command).into_iter().for_each(note);
        }
        let printed = if is_json { print_document(Kind::Watch, &document(&night)) } else { Ok(()) };
        told(&mut |notifier| notifier.night(&night, true, Timestamp::now()));
        return printed.map(|()| night.exit());
    }
    if !settings.is_quiet() {
        note(format!("watching {}; Ctrl-C ends it", arguments.folder.display()));
    }
    let mut unsaid = Ok(());
    let exit = watcher.watch(&mut |night| {
        if is_json && unsaid.is_ok() {
            unsaid = print_line(Kind::Watch, &document(night));
        }
        told(&mut |notifier| notifier.night(night, false, Timestamp::now()));
    });
    unsaid.map(|()| exit)
}

/// A watcher, once it is sure that the ledger is written to and that the command which gives its token may run.
fn watcher<'w>(
    settings: &'w Settings,
    options: Options,
    stop: StopSignal,
    around: &'w mut dyn Around,
) -> Result<Watcher<'w>> {
    settings.app.refuse_outdated()?;
    settle_commands(settings, &settings.config().token_commands())?;
    Ok(Watcher::new(&settings.app, options, stop, around)?)
}

/// What the exit code comes from where no line of the night says it: what is open from before, and a backup that failed.
fn last_words(night: &Night, command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let has_left = night.left.iter().any(|left| left.exit != Exit::Done);
    let is_silent = night.filed.is_empty() && !has_left && night.resumed.is_none() && night.trouble.is_none();
    if let Some(standing) = night.standing.as_ref().filter(|_| is_silent && night.exit() != Exit::Done) {
        let (in_doubt, outstanding) = (standing.in_doubt.orders, standing.outstanding.orders);
        words.push(format!(
            "no sheet came; in the whole ledger {} in doubt and {outstanding} outstanding: `{command} status` says what to do",
            count(in_doubt, "order")
        ));
    }
    if let Some(Err(_)) = night.backup {
        words.push(format!("the ledger has no backup of this night: `{command} doctor` says what to do"));
    }
    words
}

/// The time of this machine, and its terminal.
struct Terminal<'t> {
    stop: StopSignal,
    is_json: bool,
    is_quiet: bool,
    app: &'t App,
    /// Shows that it is alive.
    beat: &'t dyn Fn(),
}

impl Around for Terminal<'_> {
    fn wait(&mut self, time: Duration) {
        (self.beat)();
        let until = Instant::now() + time;
        while self.stop.now() == Stop::No {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            sleep(left.min(BLINK));
        }
    }

    fn tell(&mut self, told: &Told<'_>) {
        if let Some(log) = self.app.log() {
            let (what, fields) = logged(told);
            log.note(what, fields);
        }
        match told {
            Told::Filed(sheet) if !self.is_json && !self.is_quiet => {
                let to = sheet.path.as_deref().map(|path| format!(" -> {path}")).unwrap_or_default();
                // A reader that is gone keeps no sheet from being booked.
                let _ = print(format!("{}: {}{to}\n", shortened(&sheet.name, NAME_MAX), sheet.said).as_bytes());
            }
            Told::Resumed(Resumed { run, orders, stopped, .. }) if !self.is_quiet => {
                let stopped = stopped.as_ref().map(|(by, why)| format!("; stopped ({by}): {why}")).unwrap_or_default();
                note(format!(
                    "run {run} went on with what earlier passes had left: {} of {} booked{stopped}",
                    orders.booked, orders.total
                ));
            }
            Told::BackedUp(Ok(file)) if !self.is_quiet => {
                note(format!("the ledger is backed up as {}", file.display()));
            }
            Told::BackedUp(Err(why)) => note(format!("warning: the ledger is not backed up: {why}")),
            Told::Filed(_) | Told::Resumed(_) | Told::BackedUp(Ok(_)) => {}
            Told::Left(left) => {
                let how = if left.is_begun { "not finished" } else { "not sent" };
                let name = shortened(&left.name, NAME_MAX);
                note(format!("{name}: {how}, stays where it is: {}", left.why));
            }
            Told::Trouble(why) => note(format!("error: {why}")),
            Told::Recovered => note("it works again"),
        }
    }
}

/// A line of the log: why a sheet stays may be in words of the service, which are left out.
fn logged(told: &Told<'_>) -> (&'static str, Value) {
    match told {
        Told::Filed(FiledSheet { name, tray, run, orders, exit, .. }) => {
            ("filed", json!({"sheet": name, "filed": tray.as_str(), "run": run, "orders": orders, "exit": exit.code()}))
        }
        Told::Resumed(Resumed { run, orders, stopped, exit, .. }) => {
            let by = stopped.as_ref().map(|(by, _)| by.as_str());
            ("resumed-run", json!({"run": run, "orders": orders, "stopped_by": by, "exit": exit.code()}))
        }
        Told::Left(left) => ("left", json!({"sheet": left.name, "exit": left.exit.code()})),
        Told::BackedUp(made) => ("backed-up", json!({"why": made.err().map(impersonal)})),
        Told::Trouble(why) => ("trouble", json!({"why": impersonal(why)})),
        Told::Recovered => ("recovered", json!({})),
    }
}

/// The document of `watch`: with `--once` one document at its end; without it such an object on a line for each pass that had something to
/// do.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A night")]
pub(super) struct Document<'n> {
    #[serde(flatten)]
    night: &'n Night,
    exit: Exit,
}

fn document(night: &Night) -> Document<'_> {
    Document { night, exit: night.exit() }
}
