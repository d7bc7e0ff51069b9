//! The starter file and the tables of `docs/configuration.md` are what the table of settings has.

use std::fmt::Write as _;

use serde::Deserialize;
use toml::Value;

use crate::configured::setting;
use crate::documents::{document, project};
use crate::rig::Rig;

const TABLE: &str = "templates/settings.toml";
const STARTER: &str = "templates/shipsheet.toml";
const PAGE: &str = "docs/configuration.md";

/// The line above a table of the page, with the sections that it has.
const BEGIN: &str = "<!-- settings: ";
const END: &str = "<!-- end of settings -->";

/// The column at which the starter file says what a setting is.
const COLUMN: usize = 35;
const WIDTH_MAX: usize = 126;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    head: String,
    group: Vec<Group>,
}

/// `templates/settings.toml` says what each is.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Group {
    section: String,
    kind: String,
    aside: bool,
    about: String,
    row: Option<Setting>,
    settings: Vec<Setting>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Setting {
    name: String,
    default: Option<Value>,
    example: Option<Value>,
    environment: Option<String>,
    flag: Option<String>,
    words: Option<String>,
    comment: Option<String>,
    meaning: Option<String>,
}

impl Setting {
    fn line(&self) -> String {
        let value = self.example.as_ref().or(self.default.as_ref());
        let value = value.unwrap_or_else(|| panic!("{} needs an example or a default", self.name));
        let is_bare = self.name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
        let name = if is_bare { self.name.clone() } else { format!("{:?}", self.name) };
        let setting = format!("# {name} = {value}");
        let remark = self.remark();
        let gap = " ".repeat(COLUMN.checked_sub(setting.len()).filter(|gap| *gap > 0).unwrap_or(3));
        let line = if remark.is_empty() { setting } else { format!("{setting}{gap}# {remark}") };
        assert!(line.len() <= WIDTH_MAX, "give it a shorter `comment`: {line}");
        line
    }

    /// The comment behind it in the starter file.
    fn remark(&self) -> String {
        let usually = || self.words.as_ref().map(|words| format!("; usually {words}")).unwrap_or_default();
        let said = self.meaning.as_ref().map(|meaning| (meaning.clone() + &usually()).replace('`', ""));
        let said = self.comment.clone().or(said).filter(|said| !said.is_empty());
        // The variable of a secret is no path and no command: the lines above tell of it.
        let is_secret = self.name.ends_with("_file") || self.name.ends_with("_command");
        let variable = self.environment.clone().filter(|_| !is_secret);
        let also: Vec<String> = variable.into_iter().chain(self.flag.clone()).collect();
        let also = (!also.is_empty()).then(|| format!("also {}", also.join(", ")));
        said.into_iter().chain(also).collect::<Vec<_>>().join("; ")
    }

    /// Its row on the page.
    fn row(&self, key: &str, about: &str) -> String {
        let ways =
            self.environment.iter().chain(&self.flag).map(|name| format!(" `{name}`")).collect::<Vec<_>>().join(",");
        let plain = |value: &Value| match value {
            Value::String(text) => format!("`{text}`"),
            Value::Integer(_) | Value::Float(_) => value.to_string(),
            other => format!("`{other}`"),
        };
        let default = self.words.clone().or_else(|| self.default.as_ref().map(plain)).unwrap_or("none".to_owned());
        let meaning = self.meaning.clone().unwrap_or_else(|| as_part(about));
        assert!(!meaning.is_empty() && !meaning.contains('|'), "{key} needs a meaning without bars");
        format!("| {key} |{ways} | {default} | {meaning} |\n")
    }
}

impl Group {
    /// The name by which the page lists it.
    fn named(&self) -> String {
        match self.section.split_once('.') {
            Some((root, _)) if self.kind == "named" => format!("{root}.NAME"),
            _ if self.section.is_empty() => "top".to_owned(),
            _ => self.section.clone(),
        }
    }

    fn rows(&self) -> String {
        let section = self.named();
        let whole = self.row.iter().map(|own| own.row(&format!("`[{section}]`"), &self.about));
        // Examples of a person's own names have none, nor has a setting that another group explains.
        let has_row = |own: &&Setting| self.kind.is_empty() || (self.kind == "named" && own.meaning.is_some());
        let about = if self.settings.len() == 1 { &self.about } else { "" };
        let settings = self.settings.iter().filter(has_row).map(|own| {
            let place = if self.section.is_empty() { String::new() } else { format!(" in `[{section}]`") };
            own.row(&format!("`{}`{place}", own.name), about)
        });
        whole.chain(settings).collect()
    }
}

/// A sentence as part of one.
fn as_part(text: &str) -> String {
    let text = text.replace('\n', " ");
    let mut rest = text.strip_suffix('.').unwrap_or(&text).chars();
    rest.next().map(|first| first.to_lowercase().chain(rest).collect()).unwrap_or_default()
}

fn table() -> Table {
    toml::from_str(&document(TABLE)).unwrap()
}

fn comments(text: &str) -> String {
    text.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect()
}

/// The starter file.
fn starter(table: &Table) -> String {
    let mut text = comments(&table.head);
    let mut before = "";
    for group in table.group.iter().filter(|group| !group.aside) {
        if !group.about.is_empty() {
            text += "\n";
            text += &comments(&group.about);
        }
        if group.section != before {
            // Alone, an example of a person's own name would be one that lacks everything.
            let begin = if group.kind == "named" { "# " } else { "" };
            writeln!(text, "{begin}[{}]", group.section).unwrap();
            before = &group.section;
        }
        text.extend(group.settings.iter().map(|own| own.line() + "\n"));
    }
    text
}

/// The page with its tables written anew, and the sections that they have.
fn page(table: &Table) -> (String, Vec<String>) {
    let (mut text, mut seen, mut is_table) = (String::new(), Vec::new(), false);
    for line in document(PAGE).lines() {
        is_table &= line != END;
        if !is_table {
            text.extend([line, "\n"]);
        }
        let Some(sections) = line.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(" -->")) else { continue };
        is_table = true;
        text += "\n| key | environment, flag | default | meaning |\n|---|---|---|---|\n";
        for section in sections.split(", ") {
            let groups = table.group.iter().filter(|group| group.named() == section);
            text.extend(groups.map(Group::rows));
            seen.push(section.to_owned());
        }
        text += "\n";
    }
    (text, seen)
}

fn is(name: &str, made: &str) {
    if std::env::var_os("SHIPSHEET_BLESS").is_some() {
        std::fs::write(project().join(name), made).unwrap();
    }
    let written = document(name);
    let differs = made.lines().zip(written.lines()).find(|(made, written)| made != written);
    assert!(made == written, "{name}: `SHIPSHEET_BLESS=1 cargo test settings::` writes it anew: {differs:?}");
}

#[test]
fn the_starter_file_is_what_the_table_of_settings_has() {
    is(STARTER, &starter(&table()));
}

#[test]
fn the_page_on_the_configuration_has_every_section_once() {
    let table = table();
    let (made, mut seen) = page(&table);
    is(PAGE, &made);
    let mut sections: Vec<String> = table.group.iter().map(Group::named).collect();
    seen.sort();
    sections.sort();
    sections.dedup();
    assert_eq!(seen, sections);
    for group in table.group.iter().filter(|group| group.kind == "named") {
        for own in &group.settings {
            let key = format!("| `{}` in `[{}]` |", own.name, group.named());
            assert_eq!(made.matches(&key).count(), 1, "{key}");
        }
    }
}

#[test]
fn config_show_has_every_section_and_setting() {
    let rig = Rig::alone();
    let (text, (_, shown)) = (rig.run(&["config", "show"]).stdout, rig.json(&["config", "show"]));
    for group in table().group.iter().filter(|group| !group.aside) {
        let section = group.named().replace(".NAME", "");
        assert!(section == "top" || text.contains(&format!("\n[{section}]\n")), "[{section}]: {text}");
        let is_shown = group.kind.is_empty() || group.kind == "fields";
        for own in group.settings.iter().filter(|_| is_shown) {
            setting(&shown, &group.section, &own.name);
        }
    }
}

#[test]
fn the_flags_and_variables_of_settings_are_there() {
    let help = document("tests/it/snapshots/it__documents__help.snap");
    let names = document("src/config/environment.rs") + &document("src/config/mod.rs");
    for own in table().group.iter().flat_map(|group| group.settings.iter().chain(&group.row)) {
        let flag = own.flag.as_deref().map(|flag| flag.split(' ').next().unwrap());
        assert!(
            flag.is_none_or(|flag| help.contains(&format!("{flag} <")) || help.contains(&format!("{flag}\n"))),
            "{flag:?}"
        );
        assert!(own.environment.as_ref().is_none_or(|name| names.contains(&format!("{name:?}"))), "{}", own.name);
    }
}
