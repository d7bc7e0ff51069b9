//! `night install`: what starts a night by itself, written out for this machine: systemd units, or the task of Windows.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{self, Exit, host, user};
use crate::config::Config;
use crate::env;
use crate::ledger::create_private_folder;
use crate::report::write_whole;
use crate::text::list;

use super::Usage;
use super::console::note;
use super::document::{Kind, print_document};
use super::global::{Format, Global};
use super::own::remember;
use super::settings::Settings;
use super::whose::Whose;

/// By this name files that it wrote are remembered.
const NIGHT: &str = "night install";

const SERVICE: &str = include_str!("../../templates/schedule/shipsheet-night.service");
const TIMER: &str = include_str!("../../templates/schedule/shipsheet-night.timer");
const TASK: &str = include_str!("../../templates/schedule/shipsheet-night.xml");

#[derive(Debug, Subcommand)]
pub(super) enum Night {
    /// Write what starts a night by itself: systemd units, or on Windows a task, with comments that say how to go on
    ///
    /// The files are for this program, this user and the configuration in use. Nothing is switched on. Example:
    ///
    ///   shipsheet night install /srv/shipping/inbox --at 02:15
    Install(Install),
}

#[derive(Debug, Args)]
pub(super) struct Install {
    /// The folder that sheets are dropped into
    folder: PathBuf,
    /// When the night begins
    #[arg(long, value_name = "HH:MM", default_value = "02:15", value_parser = time)]
    at: Time,
    /// The time zone of that time, such as Asia/Kolkata [default: this machine's]
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    time_zone: Option<TimeZone>,
    /// The user whose night it is [default: you]
    #[arg(long, value_name = "NAME")]
    user: Option<String>,
    /// The folder to write the files into
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    to: PathBuf,
    /// Replace files also where they are not what this command wrote
    #[arg(long)]
    force: bool,
}

/// The document of `night install`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "What starts a night")]
pub(super) struct Document {
    /// The files that were written.
    files: Vec<String>,
    exit: Exit,
}

pub(super) fn night(global: &Global, command: &Night) -> Result<Exit> {
    let Night::Install(install) = command;
    let settings = Settings::lenient(global)?;
    let whose = Whose::of(install.user.as_deref(), &install.folder)?;
    let filled = Filled::of(&settings, install, &whose, Scheduler::here())?;
    let files = Scheduler::here().files(&filled);
    let files: Vec<_> = files.into_iter().map(|(name, bytes)| (install.to.join(name), bytes)).collect();
    if !install.force {
        for (path, _) in &files {
            settings.app.may_write(NIGHT, path)?;
        }
    }
    create_private_folder(&install.to).with_context(|| format!("cannot make {}", install.to.display()))?;
    for (path, bytes) in &files {
        write_whole(path, bytes).map_err(app::Error::from)?;
        remember(&settings, NIGHT, path);
    }
    let shown: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    note(format!("written: {}; the first lines say how to go on", list(&shown, "and")));
    filled.needs(settings.config(), &whose).iter().for_each(note);
    if settings.format == Format::Json {
        print_document(Kind::NightInstall, &Document { files: shown, exit: Exit::Done })?;
    }
    Ok(Exit::Done)
}

/// What starts a night.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scheduler {
    Systemd,
    WindowsTask,
}

impl Scheduler {
    const fn here() -> Self {
        if cfg!(windows) { Self::WindowsTask } else { Self::Systemd }
    }

    /// Its files, with what is in them.
    fn files(self, filled: &Filled) -> Vec<(&'static str, Vec<u8>)> {
        let text = |file: &str| filled.filled_in(file, self).into_bytes();
        match self {
            Self::Systemd => {
                vec![("shipsheet-night.service", text(SERVICE)), ("shipsheet-night.timer", text(TIMER))]
            }
            Self::WindowsTask => {
                let xml = filled.filled_in(TASK, self).replace('\n', "\r\n");
                let units = std::iter::once(0xfeff).chain(xml.encode_utf16());
                vec![("shipsheet-night.xml", units.flat_map(u16::to_le_bytes).collect())]
            }
        }
    }

    /// A word of a command.
    fn word(self, word: &str) -> String {
        match self {
            Self::Systemd => in_quotes(&self.plain(&word.replace('\\', r"\\").replace('$', "$$"))),
            Self::WindowsTask => self.plain(&in_quotes(word)),
        }
    }

    /// A text that stands alone.
    fn plain(self, text: &str) -> String {
        match self {
            Self::Systemd => text.replace('%', "%%"),
            Self::WindowsTask => text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"),
        }
    }
}

/// What stands in for the names between braces.
struct Filled {
    program: String,
    /// Words of the command behind the program.
    words: Vec<String>,
    here: String,
    user: String,
    writable: Vec<String>,
    at: Time,
    /// The time zone of that time, with a blank before it, where the scheduler knows one.
    zone: String,
}

impl Filled {
    fn of(settings: &Settings, install: &Install, whose: &Whose, scheduler: Scheduler) -> Result<Self> {
        let folder = whole(&install.folder)?;
        let here = std::env::current_dir().context("this folder cannot be found")?;
        let here = whose.home_instead(&here).unwrap_or(here);
        let program = env::program().context("this program cannot be found")?;
        let words = words(settings.config(), &folder)?;
        let writable = writable(settings.config(), folder, whose)?;
        let writable = writable.iter().map(|path| shown(path)).collect::<Result<_>>()?;
        let user = shown(Path::new(&whose.user))?;
        let (at, zone) = when(install, scheduler)?;
        Ok(Self { program: shown(&program)?, words, here: shown(&here)?, user, writable, at, zone })
    }

    /// Notes on settings that the night does not have by itself.
    fn needs(&self, config: &Config, whose: &Whose) -> Vec<String> {
        let mut needs = Vec::new();
        let variables = config.variables_of_a_night();
        if !variables.is_empty() {
            let variables: Vec<String> = variables.into_iter().map(str::to_owned).collect();
            needs.push(format!(
                "set {} where the night runs as well: what is secret, or of this session alone, is not written into a schedule",
                list(&variables, "and")
            ));
        }
        let paths: Vec<&String> = std::iter::once(&self.program).chain(&self.words).chain(&self.writable).collect();
        needs.extend(whose.needs(&self.here, &paths));
        needs
    }

    /// A template with everything filled in, as the scheduler takes it.
    fn filled_in(&self, template: &str, scheduler: Scheduler) -> String {
        let Self { program, words, here, user, writable, at, zone } = self;
        let joined = |words: &[String]| words.iter().map(|word| scheduler.word(word)).collect::<Vec<_>>().join(" ");
        let command = joined(&[std::slice::from_ref(program), words].concat());
        let login =
            words.iter().take_while(|word| *word != "watch").cloned().chain(["service", "login"].map(str::to_owned));
        let login = joined(&std::iter::once(program.clone()).chain(login).collect::<Vec<_>>());
        // A missing folder is no error: systemd is told so by the sign before it.
        let writable = writable.iter().map(|path| in_quotes(&scheduler.plain(&format!("-{path}"))));
        let filled = [
            ("{command}", command),
            ("{login}", login),
            ("{program}", scheduler.plain(program)),
            ("{arguments}", joined(words)),
            ("{writable}", writable.collect::<Vec<_>>().join(" ")),
            ("{here}", scheduler.plain(here)),
            ("{user}", scheduler.plain(user)),
            ("{hour}", format!("{:02}", at.hour())),
            ("{minute}", format!("{:02}", at.minute())),
            ("{zone}", zone.clone()),
        ];
        let mut file = String::with_capacity(template.len() * 2);
        let mut rest = template;
        // What was filled in is not looked at again.
        while let Some(at) = rest.find('{') {
            let (before, from) = rest.split_at(at);
            file.push_str(before);
            if let Some((name, text)) = filled.iter().find(|(name, _)| from.starts_with(name)) {
                file.push_str(text);
                rest = &from[name.len()..];
            } else {
                file.push('{');
                rest = &from[1..];
            }
        }
        file.push_str(rest);
        file
    }
}

/// A path as it can stand in every schedule.
fn shown(path: &Path) -> Result<String> {
    match path.to_str() {
        Some(text) if !text.contains(['\n', '\r', '"']) => Ok(text.to_owned()),
        _ => bail!("{} cannot stand in a schedule: give it a plainer name", path.display()),
    }
}

/// A path from the root on; systemd ignores one with `..` in it.
fn whole(path: &Path) -> Result<PathBuf> {
    let whole = std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))?;
    let is_plain = !whole.components().any(|part| part == Component::ParentDir);
    Ok(if is_plain { whole } else { whole.canonicalize().unwrap_or(whole) })
}

/// The words of the command behind the program: what flags and variables say here, the night is told by flags.
fn words(config: &Config, folder: &Path) -> Result<Vec<String>> {
    let given = config.given();
    let mut words = Vec::new();
    if given.sandbox {
        words.push("--sandbox".to_owned());
    }
    for (flag, path) in [("--config", &given.file), ("--ledger", &given.ledger)] {
        match path {
            // The address of a database, which holds no password: such a one is refused.
            Some(path) if flag == "--ledger" && config.site().is_shared() => {
                words.extend([flag.to_owned(), shown(path)?]);
            }
            Some(path) => words.extend([flag.to_owned(), shown(&whole(path)?)?]),
            None => {}
        }
    }
    if let Some(url) = &given.base_url {
        words.extend(["--base-url".to_owned(), shown(Path::new(url))?]);
    }
    words.extend(["watch".to_owned(), shown(folder)?, "--once".to_owned()]);
    Ok(words)
}

/// Where a night writes: its folder, the ledger, what is noted of it, backups, the log, and signs of life.
fn writable(config: &Config, folder: PathBuf, whose: &Whose) -> Result<BTreeSet<PathBuf>> {
    let ledger = config.ledger().to_owned();
    let is_own = config.given().ledger.is_none();
    let ledger = if is_own { whose.at_home(ledger) } else { ledger };
    let marks = config.watch(user(), host()).marks.map(|marks| whose.at_home(marks));
    let files = [Some(ledger), marks, config.log().map(|log| log.file), config.night().metrics_file];
    let folders = files.into_iter().flatten().map(|file| whole(&file).map(|file| file.parent().map(Path::to_owned)));
    let backups = config.backup().map(|plan| whole(&plan.folder)).transpose()?;
    let folders = folders.collect::<Result<Vec<_>>>()?;
    Ok(folders.into_iter().flatten().chain(backups).chain([folder]).collect())
}

/// A text in quotation marks, where it needs them.
fn in_quotes(text: &str) -> String {
    let is_plain = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || matches!(c, '\'' | ';' | '#'));
    if is_plain { text.to_owned() } else { format!("\"{text}\"") }
}

/// When the night begins, as the scheduler takes it: systemd knows time zones, Windows goes by the clock of this machine.
fn when(install: &Install, scheduler: Scheduler) -> Result<(Time, String)> {
    let Some(zone) = &install.time_zone else { return Ok((install.at, String::new())) };
    let name = zone.iana_name().unwrap_or("UTC");
    if scheduler == Scheduler::Systemd {
        return Ok((install.at, format!(" {name}")));
    }
    let Some(ahead) = always_ahead(&TimeZone::system(), zone) else {
        bail!(Usage(format!(
            "this machine's clock is not always as far from {name}: name the time by this machine's clock, without --time-zone"
        )));
    };
    Ok((install.at.wrapping_add(Span::new().seconds(ahead)), String::new()))
}

/// By how many seconds a clock is ahead of another one, where that is the same all year.
fn always_ahead(own: &TimeZone, other: &TimeZone) -> Option<i32> {
    let now = Timestamp::now();
    let ahead = |days: i64| {
        let at = now.checked_add(Span::new().hours(24 * days)).ok()?;
        Some(own.to_offset(at).seconds() - other.to_offset(at).seconds())
    };
    let first = ahead(0)?;
    (0..366).all(|days| ahead(days) == Some(first)).then_some(first)
}

fn zone(text: &str) -> Result<TimeZone, String> {
    TimeZone::get(text).map_err(|_| "write the name of a time zone such as Asia/Kolkata".to_owned())
}

fn time(text: &str) -> Result<Time, String> {
    Time::strptime("%H:%M", text).map_err(|_| "write a time of day such as 02:15".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::args::{Cli, Command};

    fn filled() -> Filled {
        Filled {
            program: "/opt/ship sheet/shipsheet".to_owned(),
            words: ["--ledger", "/srv/100% ours/l.sqlite", "watch", "/srv/in box", "--once"].map(str::to_owned).into(),
            here: "/srv".to_owned(),
            user: "shipping".to_owned(),
            writable: vec!["/srv/in box".to_owned(), "/srv/100% ours".to_owned()],
            at: Time::constant(2, 5, 0, 0),
            zone: String::new(),
        }
    }

    /// The arguments mean one night of that folder.
    #[track_caller]
    fn is_a_night(words: &[String]) {
        let Cli { global, command } = Cli::try_parse_from(words).unwrap();
        let Command::Watch(watch) = command else { panic!("{words:?}") };
        assert!(watch.once && watch.folder == Path::new("/srv/in box"), "{words:?}");
        assert_eq!(global.ledger.as_deref(), Some(Path::new("/srv/100% ours/l.sqlite")));
    }

    #[test]
    fn a_unit_has_a_night_as_its_command_and_nothing_left_to_fill_in() {
        let unit = filled().filled_in(SERVICE, Scheduler::Systemd);
        let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
        let mut words = vec![String::new()];
        let mut quoted = false;
        for c in line.replace("%%", "%").chars() {
            match c {
                '"' => quoted = !quoted,
                ' ' if !quoted => words.push(String::new()),
                c => words.last_mut().unwrap().push(c),
            }
        }
        is_a_night(&words);
        assert!(unit.contains("ReadWritePaths=\"-/srv/in box\" \"-/srv/100%% ours\"\n"), "{unit}");
        let timer = filled().filled_in(TIMER, Scheduler::Systemd);
        assert!(timer.contains("OnCalendar=*-*-* 02:05\n") && timer.contains("Persistent=true"), "{timer}");
        assert!(!unit.contains('{') && !timer.contains('{'));
    }

    #[test]
    fn a_night_of_another_time_zone_begins_then_whatever_clock_a_scheduler_goes_by() {
        let zone = |name| TimeZone::get(name).unwrap();
        let (india, nepal, berlin) = (zone("Asia/Kolkata"), zone("Asia/Kathmandu"), zone("Europe/Berlin"));
        assert_eq!(always_ahead(&nepal, &india), Some(900));
        assert_eq!(always_ahead(&TimeZone::UTC, &india), Some(-19_800));
        assert_eq!(always_ahead(&berlin, &india), None, "summer comes");
        let install = |time_zone| Install {
            folder: PathBuf::from("in"),
            at: Time::constant(2, 15, 0, 0),
            time_zone,
            user: None,
            to: PathBuf::from("."),
            force: false,
        };
        let (at, zone) = when(&install(Some(berlin)), Scheduler::Systemd).unwrap();
        assert_eq!((at, zone.as_str()), (Time::constant(2, 15, 0, 0), " Europe/Berlin"));
        let timer = Filled { zone, ..filled() }.filled_in(TIMER, Scheduler::Systemd);
        assert!(timer.contains("OnCalendar=*-*-* 02:05 Europe/Berlin\n"), "{timer}");
        let (at, zone) = when(&install(Some(TimeZone::system())), Scheduler::WindowsTask).unwrap();
        assert_eq!((at, zone.as_str()), (Time::constant(2, 15, 0, 0), ""));
    }

    #[test]
    fn a_task_is_xml_with_a_night_as_its_command() {
        let xml = filled().filled_in(TASK, Scheduler::WindowsTask);
        assert!(!xml.contains('{'), "{xml}");
        let comments: Vec<&str> = xml.split("<!--").skip(1).map(|rest| rest.split_once("-->").unwrap().0).collect();
        assert!(comments.len() > 5 && comments.iter().all(|comment| !comment.contains("--")), "{xml}");
        let mut open = Vec::new();
        for name in xml.split('<').skip(1).map(|part| part.split(['>', ' ']).next().unwrap()) {
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "{xml}"),
                None if name.starts_with(['?', '!']) => {}
                None => open.push(name),
            }
        }
        assert!(open.is_empty() && xml.contains("T02:05:00</StartBoundary>"), "{xml}");
        let between = |name: &str| {
            let (_, rest) = xml.split_once(&format!("<{name}>")).unwrap();
            rest.split_once(&format!("</{name}>")).unwrap().0.to_owned()
        };
        let mut words = vec![between("Command")];
        let arguments = between("Arguments");
        for (n, part) in arguments.split('"').enumerate() {
            if n % 2 == 1 {
                words.push(part.to_owned());
            } else {
                words.extend(part.split_whitespace().map(str::to_owned));
            }
        }
        is_a_night(&words);
        assert_eq!(Scheduler::WindowsTask.word("a & <c>"), "\"a &amp; &lt;c&gt;\"");
    }
}
