//! The starter configuration, as people get it: it names every setting, with its default or an example.

use std::sync::LazyLock;

use toml::{Table, Value};

/// Its text.
pub const STARTER: &str = include_str!("../../templates/shipsheet.toml");

/// Sections whose names or keys are a person's own: what stands there in the starter file are examples.
const OWN_NAMES: [&str; 4] = ["warehouses", "rules", "notify", "operations"];
/// Sections whose keys are fields of a request.
const OF_FIELDS: [&str; 4] = ["defaults", "sender", "origin", "return_address"];

/// A setting that the starter file names.
#[derive(Debug)]
pub(super) struct Key {
    /// Its section, `booking` or `notify.owner`; empty above the first one.
    pub(super) section: String,
    pub(super) name: String,
    /// What stands there as its value.
    pub(super) shown: Value,
}

impl Key {
    /// Whether its section holds names of a person's own.
    pub(super) fn is_example(&self) -> bool {
        has_own_names(&self.section)
    }
}

/// Whether a section holds names of a person's own.
pub(super) fn has_own_names(section: &str) -> bool {
    OWN_NAMES.contains(&section.split('.').next().unwrap_or_default())
}

/// Whether a setting is one, by what the file shows: of a person's own names any, and of fields any that a request has.
pub(super) fn knows(section: &str, name: &str) -> bool {
    let is_own = matches!(section, "warehouses" | "rules" | "rules.unattended");
    let like = |key: &&Key| match section.split_once('.') {
        Some((first @ ("notify" | "operations"), _)) => key.section.starts_with(first) && key.name == name,
        _ => key.section == section && key.name == name,
    };
    is_own || OF_FIELDS.contains(&section) || keys().iter().any(|key| like(&key))
}

/// Every setting that it names, in its order.
pub(super) fn keys() -> &'static [Key] {
    static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| read(STARTER));
    &KEYS
}

/// Every section that it names, in its order, from the empty one above the first.
pub(super) fn sections() -> Vec<&'static str> {
    let lines = STARTER.lines().filter_map(header);
    std::iter::once("").chain(lines).collect()
}

/// Where a setting belongs, in words, where there is one place for it.
pub(super) fn belongs(name: &str) -> Option<String> {
    let is_field = |key: &Key| OF_FIELDS.contains(&key.section.as_str());
    let mut places = keys().iter().filter(|key| key.name == name && !key.is_example() && !is_field(key));
    match (places.next()?.section.as_str(), places.next()) {
        (_, Some(_)) => None,
        ("", None) => Some("at the top, above the first [section]".to_owned()),
        (section, None) => Some(format!("under [{section}]")),
    }
}

/// What the file says above a section, or above a setting that stands outside of all sections.
pub(super) fn about(section: &str, name: &str) -> &'static [&'static str] {
    static LINES: LazyLock<Vec<&str>> = LazyLock::new(|| STARTER.lines().collect());
    let sets = format!("{name} = ");
    let is_meant = |line: &&str| match section {
        "" => uncommented(line).starts_with(&sets),
        section => header(line) == Some(section),
    };
    let Some(at) = LINES.iter().position(is_meant) else { return &[] };
    let is_prose = |line: &str| line.starts_with('#') && uncommented(line).parse::<Table>().is_err();
    let first = LINES[..at].iter().rposition(|line| !is_prose(line)).map_or(0, |before| before + 1);
    &LINES[first..at]
}

fn read(text: &'static str) -> Vec<Key> {
    let (mut section, mut keys) = (String::new(), Vec::new());
    for line in text.lines() {
        if let Some(name) = header(line) {
            name.clone_into(&mut section);
        } else if let Ok(table) = uncommented(line).parse::<Table>() {
            // Prose is no TOML.
            keys.extend(table.into_iter().map(|(name, shown)| Key { section: section.clone(), name, shown }));
        }
    }
    keys
}

fn header(line: &str) -> Option<&str> {
    uncommented(line).strip_prefix('[')?.split_once(']').map(|(name, _)| name)
}

fn uncommented(line: &str) -> &str {
    line.strip_prefix("# ").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_is_found_in_its_section() {
        let shown = |section: &str, name: &str| {
            let found = keys().iter().filter(|key| key.section == section && key.name == name);
            found.map(|key| key.shown.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(shown("", "base_url"), ["\"https://api.example.com\""]);
        assert_eq!(shown("booking", "concurrency"), ["8"]);
        assert_eq!(shown("notify.team", "form"), ["\"slack\""]);
        assert_eq!(shown("", "password_command"), [""; 0], "a sentence about the ledger is no setting");
        assert_eq!(sections()[..3], ["", "auth", "defaults"]);
    }

    #[test]
    fn what_stands_above_a_section_is_about_it() {
        assert!(about("", "base_url")[0].starts_with("# Where to book"));
        assert!(about("", "token_command").is_empty(), "it stands below another one");
        assert!(about("defaults", "warehouseId")[0].starts_with("# What stands in where"));
        assert!(about("nonsense", "x").is_empty());
    }

    #[test]
    fn a_setting_is_told_where_it_belongs() {
        assert_eq!(belongs("email").as_deref(), Some("under [auth]"));
        assert_eq!(belongs("base_url").as_deref(), Some("at the top, above the first [section]"));
        for name in ["keep", "colour", "firstName", "when"] {
            assert_eq!(belongs(name), None, "{name}");
        }
    }
}
