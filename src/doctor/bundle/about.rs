//! The whole text, section by section.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use crate::app::{App, RuleOptions};
use crate::config::Service;
use crate::doctor::check::Check;
use crate::env;
use crate::text::{count, error_chain};

use super::mask::{Mask, words_of};
use super::{files, settings, state};

/// Lines of the log that are told, from its end, and bytes of it that are read for them.
const LOG_LINES: usize = 60;
const LOG_BYTES: u64 = 64 * 1024;

/// Digits of a number in the log that is no phone.
const DIGITS_MAX: usize = 7;

const HEAD: &str = "shipsheet: what a helper needs to see\n\
    Masked: names, phones, addresses, e-mail addresses, order numbers, AWBs, secrets, and every word that is not the program's own.\n\
    A masked word is …, a masked number #. order-1 is the same order everywhere, and so are file names, users and machines.\n";

/// Everything that a helper needs to see. `trouble` is why the configuration could not be used, where it could not.
pub(crate) fn bundle(app: &App, checks: &[Check], trouble: Option<&str>, now: Timestamp) -> String {
    let mut mask = Mask::new(env::home().as_deref());
    if let Service::At(Some(endpoint)) = app.config().service() {
        mask.tell_host_of(endpoint.origin());
    }
    let mut sections = vec![("program", program()), ("system", system())];
    if let Some(trouble) = trouble {
        sections.push(("configuration that cannot be used", format!("{}\n", mask.text(trouble))));
    }
    sections.push(("configuration", settings::settings(&mut mask, app)));
    sections.push(("files", files::files(&mut mask, app)));
    // Before free texts, in which an order is known again.
    sections.extend(state::sections(&mut mask, app, now));
    sections.push(("doctor", doctor(&mut mask, checks)));
    sections.push(("log", log(&mut mask, app)));
    sections.push(("rules", rules(&mut mask, app)));
    sections.push(("profiles", profiles(&mut mask, app)));
    let mut text = format!("{HEAD}made {now:.0}\n");
    for (title, section) in sections {
        // Writing into text cannot fail.
        let _ = write!(text, "\n== {title}\n{section}");
    }
    text
}

fn program() -> String {
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let servers = if cfg!(feature = "postgres") { "with" } else { "without" };
    format!("version {}, {build} build, {servers} PostgreSQL\n", env!("CARGO_PKG_VERSION"))
}

fn system() -> String {
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    let cores = std::thread::available_parallelism().map_or(0, std::num::NonZero::get);
    let zone = TimeZone::system();
    let zone = zone.iana_name().unwrap_or("unknown");
    format!("{system} {machine}{}, {cores} cores, time zone {zone}\n", distribution())
}

/// What a Linux system calls itself.
fn distribution() -> String {
    let told = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = told.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    name.map(|name| format!(", {}", name.trim_matches('"'))).unwrap_or_default()
}

fn doctor(mask: &mut Mask, checks: &[Check]) -> String {
    let mut text = String::new();
    for Check { id, level, found, mend } in checks {
        let _ = writeln!(text, "{} {id}: {}", level.word(), mask.text(found));
        if let Some(mend) = mend {
            let _ = writeln!(text, "    -> {}", mask.text(mend));
        }
    }
    text
}

/// The last lines of the log.
fn log(mask: &mut Mask, app: &App) -> String {
    let Some(log) = app.config().log() else { return "none is configured\n".to_owned() };
    let end = match end_of(&log.file) {
        Ok(end) => end,
        Err(error) => return format!("{}\n", mask.text(&error.to_string())),
    };
    let lines: Vec<&str> = end.lines().collect();
    let lines = &lines[lines.len().saturating_sub(LOG_LINES)..];
    let told = lines.iter().map(|line| match serde_json::from_str(line) {
        Ok(Value::Object(fields)) => {
            let fields = fields.iter().map(|(name, value)| format!("{}={}", words_of(name), field(mask, name, value)));
            fields.collect::<Vec<_>>().join(" ") + "\n"
        }
        _ => format!("{}\n", mask.text(line)),
    });
    told.collect()
}

fn field(mask: &mut Mask, name: &str, value: &Value) -> String {
    match (name, value) {
        ("at", Value::String(at)) if at.parse::<Timestamp>().is_ok() => at.clone(),
        ("order" | "number", Value::String(order)) => mask.named("order", order),
        ("awb", Value::String(awb)) => mask.named("awb", awb),
        (_, Value::String(said)) => mask.text(said),
        (_, Value::Number(number)) => {
            let number = number.to_string();
            let is_long = number.chars().filter(char::is_ascii_digit).count() > DIGITS_MAX;
            if is_long { "#".to_owned() } else { number }
        }
        (_, Value::Bool(is_so)) => is_so.to_string(),
        (_, Value::Null) => "nothing".to_owned(),
        (_, Value::Array(all)) => {
            let all: Vec<String> = all.iter().map(|one| field(mask, "", one)).collect();
            format!("[{}]", all.join(", "))
        }
        (_, Value::Object(fields)) => {
            let fields = fields.iter().map(|(name, value)| format!("{}={}", words_of(name), field(mask, name, value)));
            format!("({})", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

/// The end of a file; only of a plain one, for reading a pipe would wait.
fn end_of(path: &Path) -> io::Result<String> {
    let found = path.metadata()?;
    if !found.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut file = File::open(path)?;
    let begins = found.len().saturating_sub(LOG_BYTES);
    file.seek(SeekFrom::Start(begins))?;
    let mut bytes = Vec::new();
    file.take(LOG_BYTES).read_to_end(&mut bytes)?;
    let end = String::from_utf8_lossy(&bytes).into_owned();
    // The first line is a part of one.
    Ok(if begins == 0 { end } else { end.split_once('\n').map_or(String::new(), |(_, rest)| rest.to_owned()) })
}

/// The rules by their levels, and those that had something to say lately.
fn rules(mask: &mut Mask, app: &App) -> String {
    let entries = match app.rules(&RuleOptions::default()) {
        Ok(entries) => entries,
        Err(error) => return format!("{}\n", mask.text(&error_chain(&error))),
    };
    let (mut levels, mut fired): (BTreeMap<&str, Vec<&str>>, Vec<String>) = (BTreeMap::new(), Vec::new());
    for entry in &entries {
        let id = entry.rule.id.as_str();
        let level = match entry.level {
            Some(level) => level.as_str(),
            None => "without a level",
        };
        levels.entry(level).or_default().push(id);
        if let Some(times) = entry.fired.filter(|times| *times > 0) {
            fired.push(format!("{id} {times}"));
        }
    }
    let mut text = String::new();
    for (level, rules) in levels {
        let _ = writeln!(text, "{level}: {}", rules.join(" "));
    }
    let fired = if fired.is_empty() { "nothing".to_owned() } else { fired.join(", ") };
    let _ = writeln!(text, "said in the latest imports: {fired}");
    text
}

/// The user's own profiles.
fn profiles(mask: &mut Mask, app: &App) -> String {
    let profiles = match app.own_profiles() {
        Ok(profiles) => profiles,
        Err(error) => return format!("{}\n", mask.text(&error_chain(&error))),
    };
    let mut text = String::new();
    for profile in &profiles {
        let headers = count(profile.recognised_by.len() as u64, "header");
        let name = mask.plain_or_named("profile", &profile.name);
        let _ = writeln!(text, "{name}: recognised by {headers}, {} set", count(profile.columns.len() as u64, "field"));
    }
    if profiles.is_empty() { "none of the user's own\n".to_owned() } else { text }
}
