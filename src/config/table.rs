//! The table of settings: each with its section, its default or an example, and what is said of it. The starter
//! configuration and the tables of `docs/configuration.md` are made from it.

use std::sync::LazyLock;

use serde::Deserialize;
use toml::Value;

/// The starter configuration, as people get it: it names every setting.
pub const STARTER: &str = include_str!("../../templates/shipsheet.toml");

#[derive(Default, Deserialize)]
struct Table {
    group: Vec<Group>,
}

/// Settings of a section that stand together in the starter file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Group {
    /// `booking` or `notify.owner`; empty above the first one.
    section: String,
    kind: Kind,
    /// Whether it is in no starter file, as another setting stands for it there.
    aside: bool,
    about: String,
    settings: Vec<Setting>,
}

/// Whose names stand in a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    #[default]
    Listed,
    /// The section bears a person's own name: `notify.owner`.
    Named,
    /// Names of a person's own.
    Own,
    /// Fields of an order.
    Fields,
}

#[derive(Debug, Deserialize)]
struct Setting {
    name: String,
    default: Option<Value>,
    example: Option<Value>,
    environment: Option<String>,
}

impl Group {
    fn setting(&self, name: &str) -> Option<&Setting> {
        self.settings.iter().find(|own| own.name == name)
    }
}

fn groups() -> &'static [Group] {
    static TABLE: LazyLock<Table> =
        LazyLock::new(|| toml::from_str(include_str!("../../templates/settings.toml")).unwrap_or_default());
    &TABLE.group
}

/// A setting, in the group that has it under this section.
fn find(section: &str, name: &str) -> Option<&'static Setting> {
    groups().iter().filter(|group| group.section == section).find_map(|group| group.setting(name))
}

/// Every section that the starter file names, in its order, from the empty one above the first.
pub(super) fn sections() -> impl Iterator<Item = &'static str> {
    groups().iter().filter(|group| !group.aside).map(|group| group.section.as_str())
}

/// The settings of a section in the starter file, but for examples of a person's own names.
pub(super) fn names(section: &str) -> impl Iterator<Item = &'static str> {
    let is_shown = |group: &&Group| !group.aside && matches!(group.kind, Kind::Listed | Kind::Fields);
    let own = groups().iter().filter(is_shown).filter(move |group| group.section == section);
    own.flat_map(|group| &group.settings).map(|setting| setting.name.as_str())
}

/// The default of a setting; nothing where that is no plain value.
pub(super) fn default_of(section: &str, name: &str) -> Option<&'static Value> {
    find(section, name)?.default.as_ref()
}

/// The variable of the environment that goes before a setting, by its dotted name.
pub(super) fn variable_of(dotted: &str) -> Option<&'static str> {
    let (section, name) = dotted.rsplit_once('.').unwrap_or(("", dotted));
    find(section, name)?.environment.as_deref()
}

/// The name under which a section is listed: `notify` for `notify.owner`.
pub(super) fn family(section: &str) -> &str {
    let named = |root: &str| {
        let is_root = |group: &Group| group.section.split_once('.').is_some_and(|(own, _)| own == root);
        groups().iter().any(|group| group.kind == Kind::Named && is_root(group))
    };
    section.split_once('.').map(|(root, _)| root).filter(|root| named(root)).unwrap_or(section)
}

/// The groups that are listed with a section.
fn akin(section: &str) -> impl Iterator<Item = &'static Group> {
    groups().iter().filter(move |group| family(&group.section) == family(section))
}

/// Whether a setting is one: of a person's own names any, and of fields any that a request has.
pub(super) fn knows(section: &str, name: &str) -> bool {
    let is_free = |group: &Group| matches!(group.kind, Kind::Own | Kind::Fields);
    akin(section).any(|group| is_free(group) || group.setting(name).is_some())
}

/// Whether a table is the value of a setting, and no section.
pub(super) fn is_value(section: &str, name: &str) -> bool {
    akin(section).filter_map(|group| group.setting(name)).any(|own| own.example.as_ref().is_some_and(Value::is_table))
}

/// Where a setting belongs, in words, where there is one place for it.
pub(super) fn belongs(name: &str) -> Option<String> {
    let has = |group: &&Group| group.kind == Kind::Listed && !group.aside && group.setting(name).is_some();
    let mut places = groups().iter().filter(has);
    match (places.next()?.section.as_str(), places.next()) {
        (_, Some(_)) => None,
        ("", None) => Some("at the top, above the first [section]".to_owned()),
        (section, None) => Some(format!("under [{section}]")),
    }
}

/// The lines above a section, or above a setting that stands outside of all sections.
pub(super) fn about(section: &str, name: &str) -> impl Iterator<Item = &'static str> {
    let is_meant = |group: &&Group| group.section == section && (!section.is_empty() || group.setting(name).is_some());
    groups().iter().find(is_meant).into_iter().flat_map(|group| group.about.lines())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jiff::Timestamp;

    use super::super::file::{File, LedgerTable};
    use super::super::{BookingOptions, Config, Overrides};
    use super::*;
    use crate::api::Client;
    use crate::field::FIELDS;
    use crate::parse::ReadingSettings;

    /// The settings that the file may have in a section, as the error about another one lists them.
    fn known(section: &str) -> BTreeSet<String> {
        let header = if section.is_empty() { String::new() } else { format!("[{section}]\n") };
        let error = match section {
            // It may be a text as well, and the error is about both.
            "ledger" => toml::from_str::<LedgerTable>("nonsense = 1").unwrap_err(),
            _ => toml::from_str::<File>(&format!("{header}nonsense = 1")).unwrap_err(),
        };
        error.message().split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn it_has_every_setting_of_the_file_and_no_other() {
        let is_listed = |group: &&Group| matches!(group.kind, Kind::Listed | Kind::Named);
        for section in groups().iter().filter(is_listed).map(|group| group.section.as_str()) {
            let own = akin(section).flat_map(|group| &group.settings);
            let mut own: BTreeSet<&str> = own.map(|own| own.name.as_str()).collect();
            if section.is_empty() {
                let roots = groups().iter().filter_map(|group| group.section.split('.').next());
                own.extend(roots.filter(|root| !root.is_empty()));
            }
            // An earlier setting, refused with what it is now.
            own.extend((section == "check").then_some("numbers_alike"));
            assert_eq!(known(section), own.into_iter().map(str::to_owned).collect(), "[{section}]");
        }
    }

    /// The settings of a configuration with this text, beside the parts that have to be looked at.
    fn built(said: &[(&str, &str, Value)]) -> String {
        let needed = "[auth]\nemail = \"a@b.example\"\npassword_command = \"true\"\n[backup]\nfolder = \"copies\"\n\
                      [log]\nfile = \"log\"\n[mail]\nserver = \"c.example\"\nfrom = \"a@b.example\"\n\
                      [notify.owner]\nto = [\"a@b.example\"]\n";
        let mut text: toml::Table = needed.parse().unwrap();
        for (section, name, value) in said {
            let parts = section.split('.').filter(|part| !part.is_empty());
            let table = parts.fold(&mut text, |table, part| {
                let below = table.entry(part).or_insert_with(|| Value::Table(toml::Table::new()));
                below.as_table_mut().unwrap()
            });
            table.insert((*name).to_owned(), value.clone());
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("shipsheet.toml"), text.to_string()).unwrap();
        let base_url = Some("https://d.example".to_owned());
        let overrides = Overrides { folder: Some(folder.path().to_owned()), base_url, ..Overrides::default() };
        let config = Config::open(overrides).unwrap();
        let options = config.client_options(config.endpoint().unwrap().clone(), 1).unwrap();
        let login = config.login(&Client::new(options.clone()).unwrap()).unwrap().unwrap();
        let all = (
            config.rules(Timestamp::UNIX_EPOCH, None).unwrap(),
            config.reading(&crate::sheet::Options::default()),
            (config.booking(&BookingOptions::default()), config.unusual_factor()),
            (options, login.renew_after, config.serviceability()),
            (config.backup(), config.log(), config.targets().unwrap()),
        );
        format!("{all:#?}")
    }

    #[test]
    fn a_file_that_says_every_default_is_as_one_that_says_nothing() {
        let others_than_fields = groups().iter().filter(|group| group.kind != Kind::Fields);
        let all = others_than_fields.flat_map(|group| group.settings.iter().map(|own| (group.section.as_str(), own)));
        let (mut defaults, mut others) = (Vec::new(), Vec::new());
        for (section, own) in all {
            let Some(usual) = &own.default else { continue };
            defaults.push((section, own.name.as_str(), usual.clone()));
            let other = match usual {
                Value::Integer(number) => Some(Value::from(number + 1)),
                Value::Float(number) => Some(Value::from(number + 1.0)),
                Value::Boolean(is_so) => Some(Value::from(!is_so)),
                _ => own.example.clone(),
            };
            others.extend(other.map(|other| (section, own.name.as_str(), other)));
        }
        let nothing = built(&[]);
        let all = built(&defaults);
        assert_eq!(all.lines().zip(nothing.lines()).find(|(said, nothing)| said != nothing), None);
        assert!(others.len() > 20, "{others:?}");
        for other in others {
            assert_ne!(built(std::slice::from_ref(&other)), nothing, "nothing comes of {other:?}");
        }
        let usual = ReadingSettings::new(Timestamp::UNIX_EPOCH);
        for field in FIELDS {
            let own = default_of("defaults", field.path).and_then(Value::as_str);
            assert_eq!(own, usual.default(field.id), "{}", field.path);
        }
    }

    #[test]
    fn what_stands_above_a_setting_is_about_it() {
        let first = |section, name| about(section, name).next();
        assert!(first("", "base_url").unwrap().starts_with("Where to book"));
        assert_eq!(first("", "token_command"), first("", "token_file"));
        assert!(first("defaults", "warehouseId").unwrap().starts_with("What stands in where"));
        assert_eq!(first("nonsense", "x"), None);
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
