//! The configuration as a helper may see it: each setting by its name, and its value where it says nothing of anybody.

use std::fmt::Write;
use std::path::Path;

use jiff::tz::TimeZone;
use toml::{Table, Value};

use crate::app::App;
use crate::env;

use super::mask::{Mask, words_of};

/// Settings whose values are told, and how; all others are masked.
const TOLD: &str = include_str!("../../../templates/bundle/settings.txt");

/// A number of a setting is no phone.
const DIGITS_MAX: usize = 7;

/// How the value of a setting is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// Its words.
    Shown,
    /// A path.
    Path,
    /// An address.
    Address,
    /// A time zone.
    Zone,
    /// That it is set, and no more.
    Hidden,
}

impl How {
    fn of(setting: &[&str]) -> Self {
        let is_it = |pattern: &str| {
            let parts: Vec<&str> = pattern.split('.').collect();
            parts.len() == setting.len() && parts.iter().zip(setting).all(|(part, name)| *part == "*" || part == name)
        };
        let known = TOLD.lines().filter_map(|line| line.split_once(' ')).find(|(_, pattern)| is_it(pattern));
        match known.map(|(how, _)| how) {
            Some("shown") => Self::Shown,
            Some("path") => Self::Path,
            Some("address") => Self::Address,
            Some("zone") => Self::Zone,
            _ => Self::Hidden,
        }
    }
}

/// The configuration, section by section, and which variables are set.
pub(super) fn settings(mask: &mut Mask, app: &App) -> String {
    let mut text = String::new();
    // Writing into text cannot fail.
    let _ = match app.config().file() {
        Some(file) => writeln!(text, "file: {}", mask.path(file)),
        None => writeln!(text, "file: none"),
    };
    table(mask, &mut text, &mut Vec::new(), app.config().written());
    let mut set: Vec<String> = env::names().into_iter().filter_map(|name| name.into_string().ok()).collect();
    set.retain(|name| name.starts_with("SHIPSHEET_") || name.to_lowercase().ends_with("_proxy"));
    set.sort();
    let set: Vec<String> = set.iter().map(|name| words_of(&name.to_lowercase()).to_uppercase()).collect();
    let _ = writeln!(
        text,
        "set in the environment: {}",
        if set.is_empty() { "nothing".to_owned() } else { set.join(", ") }
    );
    text
}

/// A table: its own settings first, then the tables in it.
fn table<'t>(mask: &mut Mask, text: &mut String, above: &mut Vec<&'t str>, own: &'t Table) {
    for (name, value) in own.iter().filter(|(_, value)| !value.is_table()) {
        above.push(name);
        let (how, name) = (How::of(above), key(mask, above));
        above.pop();
        let _ = writeln!(text, "{name} = {}", told(mask, how, value));
    }
    for (name, value) in own {
        let Value::Table(inner) = value else { continue };
        above.push(name);
        let names: Vec<String> = (1..=above.len()).map(|depth| key(mask, &above[..depth])).collect();
        let _ = writeln!(text, "[{}]", names.join("."));
        table(mask, text, above, inner);
        above.pop();
    }
}

/// The name of a setting. Somebody may have chosen it, as those of warehouses.
fn key(mask: &mut Mask, setting: &[&str]) -> String {
    let name = setting.last().copied().unwrap_or_default();
    mask.plain_or_named("setting", name)
}

fn told(mask: &mut Mask, how: How, value: &Value) -> String {
    match value {
        Value::Array(all) if how == How::Hidden => format!("[… {}]", all.len()),
        Value::Array(all) => {
            let all: Vec<String> = all.iter().map(|one| told(mask, how, one)).collect();
            format!("[{}]", all.join(", "))
        }
        Value::Boolean(is_so) => is_so.to_string(),
        Value::Integer(_) | Value::Float(_) => {
            let number = value.to_string();
            let digits = number.chars().filter(char::is_ascii_digit).count();
            if how == How::Hidden || digits > DIGITS_MAX { "…".to_owned() } else { number }
        }
        Value::String(said) => {
            let said = match how {
                How::Shown => words_of(said),
                How::Path => mask.path(Path::new(said)),
                How::Address => mask.address(said),
                How::Zone if TimeZone::get(said).is_ok() => said.clone(),
                How::Zone | How::Hidden => "…".to_owned(),
            };
            format!("\"{said}\"")
        }
        Value::Datetime(_) | Value::Table(_) => "…".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(toml: &str) -> String {
        let (mut mask, mut text) = (Mask::default(), String::new());
        mask.tell_host_of("https://api.example.com");
        table(&mut mask, &mut text, &mut Vec::new(), &toml.parse().unwrap());
        text
    }

    #[test]
    fn settings_are_told_by_name_and_values_only_where_they_say_nothing_of_anybody() {
        let cases = [
            ("base_url = \"https://u:geheim@api.example.com/v1\"", "base_url = \"https://api.example.com/…\"\n"),
            ("token = \"geheim\"", "token = \"…\"\n"),
            ("canarina = 9876501234", "setting-1 = …\n"),
            ("ledger = \"/srv/asha/ledger.sqlite\"", "ledger = \"/srv/name-1/ledger.sqlite\"\n"),
            (
                "[booking]\nconcurrency = 8\nrate = 2.5\nmax_orders = 9876501234",
                "[booking]\nconcurrency = 8\nmax_orders = …\nrate = 2.5\n",
            ),
            ("[defaults]\n\"receiver.phoneNumber\" = \"98765\"", "[defaults]\nreceiver.phoneNumber = \"…\"\n"),
            ("[warehouses]\n\"Asha's garage\" = \"wh-7\"", "[warehouses]\nsetting-1 = \"…\"\n"),
            ("[dates]\ntime_zone = \"Asia/Kolkata\"", "[dates]\ntime_zone = \"Asia/Kolkata\"\n"),
            ("[dates]\ntime_zone = \"Asha Rao\"", "[dates]\ntime_zone = \"…\"\n"),
            ("[rules]\nphone-form = \"warn\"", "[rules]\nphone-form = \"warn\"\n"),
            (
                "[notify.asha]\nwhen = [\"always\"]\nto = [\"asha@example.com\"]",
                "[notify]\n[notify.setting-1]\nto = [… 1]\nwhen = [\"always\"]\n",
            ),
        ];
        for (toml, expected) in cases {
            assert_eq!(shown(toml), expected, "{toml}");
        }
    }
}
