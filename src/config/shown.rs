//! What is configured, for whoever looks: each setting with where its value comes from, and where each file lies.
//!
//! It reads the file for itself, so that it works where the configuration cannot be used. No secret is shown.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use toml::Value;

use crate::ledger::desk_folder;

use super::environment::instead_of;
use super::error::ConfigError;
use super::file::{File, LOCAL};
use super::folders::Folders;
use super::home::expanded;
use super::masked::is_secret;
use super::table::{self, family};
use super::trust::{self, read_configuration};
use super::written::{Written, settings};
use super::{Config, LEDGER, Overrides, SANDBOX_LEDGER, SetBy};

/// What is configured.
#[derive(Debug)]
pub struct Shown {
    /// The configuration file that is used, where there is one.
    pub file: Option<PathBuf>,
    /// What is wrong, the most hindering first.
    pub problems: Vec<ConfigError>,
    /// In the order of the starter file.
    pub sections: Vec<Section>,
    /// Where files and folders lie.
    pub places: Vec<Place>,
}

/// A section, with those below it: `notify.owner` stands in `notify`.
#[derive(Debug)]
pub struct Section {
    /// Its name; empty above the first one.
    pub name: String,
    /// Its settings.
    pub settings: Vec<Setting>,
}

/// One setting.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Setting {
    /// Its section; empty above the first one.
    pub section: String,
    /// Its name.
    pub name: String,
    /// Its value as TOML writes it; null where it has none, or where it is hidden.
    pub value: Option<String>,
    /// Whether it has a value that is not shown, as it is a secret or may be one.
    pub is_hidden: bool,
    /// Where the value comes from; nothing where it has none.
    #[serde(skip)]
    pub set_by: Option<SetBy>,
    /// The line of the file that sets it; null where it is not from the file, or where that cannot be told.
    pub line: Option<usize>,
}

/// Where a file or a folder lies.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Place {
    /// Its meaning, in English, or the setting that names it.
    pub what: String,
    /// Where it is, or would be; null where the path is not shown.
    #[serde(serialize_with = "shown")]
    #[schemars(with = "Option<String>")]
    pub path: Option<PathBuf>,
    /// Whether it is there; null of a database on a server, which is not asked.
    pub is_there: Option<bool>,
}

#[expect(clippy::ref_option, reason = "serde hands out a reference to the field")]
fn shown<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.display().to_string()).serialize(serializer)
}

impl Place {
    fn at(what: &str, path: PathBuf) -> Self {
        let is_there = Some(path.exists());
        Self { what: what.to_owned(), path: Some(path), is_there }
    }
}

/// What a look at the configuration needs.
struct Look<'o> {
    overrides: &'o Overrides,
    folders: Folders,
    config: Option<Config>,
    file: Option<PathBuf>,
    written: Vec<Written>,
}

impl Shown {
    /// Looks at everything. Nobody is called, and nothing needs to be valid.
    #[must_use]
    pub fn look(overrides: &Overrides) -> Self {
        let (named, folders) = (Config::named(overrides), Folders::new(overrides.folder.clone()));
        let file = File::place(named.as_deref(), &folders);
        // Nobody acts on what another user wrote there; why it is not read is told.
        let text = file.as_deref().and_then(|path| read_configuration(path).ok()).unwrap_or_default();
        let (config, problems) = match Config::open(overrides.clone()) {
            Ok(config) => {
                let problems = config.problems();
                (Some(config), problems)
            }
            Err(error) => (None, vec![error]),
        };
        let look = Look { overrides, folders, config, file, written: settings(&text) };
        let sections = look.sections();
        let places = look.places(&sections);
        Self { file: look.file, problems, sections, places }
    }
}

impl Config {
    /// What is wrong with it beside what keeps it from being read.
    fn problems(&self) -> Vec<ConfigError> {
        let client = || self.client_options(self.endpoint().ok()?.clone(), 1).err();
        let all = [
            self.rules(Timestamp::now(), None).err(),
            self.operations().err(),
            self.targets().err(),
            self.saved_profiles().err(),
            client(),
        ];
        all.into_iter().flatten().collect()
    }
}

impl Look<'_> {
    fn sections(&self) -> Vec<Section> {
        let mut names: Vec<String> = Vec::new();
        let own = self.written.iter().map(|own| family(&own.section).to_owned());
        for name in table::sections().map(|section| family(section).to_owned()).chain(own) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.into_iter().map(|name| Section { settings: self.settings(&name), name }).collect()
    }

    /// Those that the starter file names, then the others that are written.
    fn settings(&self, section: &str) -> Vec<Setting> {
        let known: Vec<&str> = table::names(section).collect();
        let others = self.written.iter().filter(|own| family(&own.section) == section);
        let others = others.filter(|own| own.section != section || !known.contains(&own.name.as_str()));
        let known = known.iter().map(|name| self.setting(section, name));
        known.chain(others.map(|own| self.setting(&own.section, &own.name))).collect()
    }

    fn setting(&self, section: &str, name: &str) -> Setting {
        let dotted = dotted(section, name);
        let find =
            |section: &str, name: &str| self.written.iter().find(|own| own.section == section && own.name == name);
        // The ledger may have a table of its own.
        let table = || find("ledger", "file").filter(|_| dotted == "ledger");
        let written = find(section, name).or_else(table);
        let given = self.given(&dotted);
        // The practice service has a ledger of its own, whatever else is said.
        let is_own = dotted == "ledger" && self.overrides.sandbox;
        let (value, set_by) = match (given, written.filter(|_| !is_own), instead_of(&dotted)) {
            (Some(given), ..) => (Some(Value::from(given).to_string()), Some(SetBy::Given)),
            (None, _, Some((name, text))) if !is_own => {
                (Some(Value::from(text).to_string()), Some(SetBy::Environment(name)))
            }
            (None, Some(own), _) => (Some(own.value.clone()), self.file.clone().map(SetBy::File)),
            (None, None, _) => {
                let usual = self.usual(section, name);
                let set_by = usual.is_some().then_some(SetBy::Default);
                (usual, set_by)
            }
        };
        let line = written.filter(|_| matches!(set_by, Some(SetBy::File(_)))).and_then(|own| own.line);
        let ledger = self.config.as_ref().filter(|_| dotted == "ledger");
        let value = match ledger {
            // An address of a database is shown without its password.
            Some(config) => Some(Value::from(config.site().named()).to_string()),
            None => value,
        };
        let is_given = matches!(set_by, Some(SetBy::Environment(variable)) if is_secret(variable));
        let may_show = |value: &str| ledger.is_some() || (!is_given && may_show(section, name, value));
        let may_show = value.as_deref().is_none_or(may_show);
        let setting =
            Setting { section: section.to_owned(), name: name.to_owned(), value, is_hidden: false, set_by, line };
        if may_show { setting } else { Setting { value: None, is_hidden: true, ..setting } }
    }

    fn given(&self, dotted: &str) -> Option<String> {
        match dotted {
            "ledger" => self.overrides.ledger.as_ref().map(|path| path.display().to_string()),
            "base_url" => self.overrides.base_url.clone(),
            _ => None,
        }
    }

    fn usual(&self, section: &str, name: &str) -> Option<String> {
        if (section, name) == ("", "ledger") {
            let own = if self.overrides.sandbox { SANDBOX_LEDGER } else { LEDGER };
            return self.folders.data(own).ok().map(|path| Value::from(path.display().to_string()).to_string());
        }
        table::default_of(section, name).map(ToString::to_string)
    }

    /// The folders and files of the program's own, then those that settings name.
    fn places(&self, sections: &[Section]) -> Vec<Place> {
        let mut places = Vec::new();
        let users = || self.folders.configuration().ok().map(|folder| folder.join(LOCAL));
        places.extend(self.file.clone().or_else(users).map(|path| Place::at("configuration", path)));
        places.extend(self.folders.profiles().ok().map(|path| Place::at("profiles", path)));
        places.extend(self.ledger(sections));
        places.extend(self.folders.data(SANDBOX_LEDGER).ok().map(|path| Place::at("practice ledger", path)));
        if let Some(state) = self.folders.state() {
            places.push(Place::at("known hosts", trust::hosts_in(&state)));
            places.push(Place::at("state folder", state));
        }
        places.extend(self.folders.marks().map(|path| Place::at("marks of ledgers", path)));
        for setting in sections.iter().flat_map(|section| &section.settings) {
            let dotted = dotted(&setting.section, &setting.name);
            let is_ledger = dotted == "ledger" || setting.section == "ledger";
            if is_ledger
                || !matches!(setting.set_by, Some(SetBy::File(_)))
                || !is_place(&setting.section, &setting.name)
            {
                continue;
            }
            places.push(match setting.value.as_deref().and_then(path_in) {
                Some(path) => Place::at(&dotted, path),
                None => Place { what: dotted, path: None, is_there: Some(false) },
            });
        }
        places
    }

    /// The ledger and what lies beside it.
    fn ledger(&self, sections: &[Section]) -> Vec<Place> {
        let shown = sections
            .iter()
            .flat_map(|section| &section.settings)
            .find(|own| own.section.is_empty() && own.name == "ledger");
        let file = match &self.config {
            Some(config) => Some(config.ledger().to_owned()),
            None => shown.and_then(|own| own.value.as_deref()).and_then(path_in),
        };
        let is_shared = self.config.as_ref().is_some_and(|config| config.site().is_shared());
        let named = self.config.as_ref().map(|config| PathBuf::from(config.site().named()));
        let ledger = match (named, &file) {
            (Some(address), _) if is_shared => {
                Some(Place { what: "ledger".to_owned(), path: Some(address), is_there: None })
            }
            (_, Some(file)) => Some(Place::at("ledger", file.clone())),
            (_, None) => None,
        };
        let desk = file.map(|file| Place::at("desk's folder", desk_folder(&file)));
        ledger.into_iter().chain(desk).collect()
    }
}

/// Whether a value is no secret, by the name of its setting and by how it looks.
fn may_show(section: &str, name: &str, value: &str) -> bool {
    // What nobody knows may be a secret whose name is misspelled.
    let is_login = value.contains("://") && (value.contains('@') || is_secret(value));
    if !table::knows(section, name) || is_login {
        return false;
    }
    if is_place(section, name) {
        // Where a secret lies is none; what somebody wrote there may be the secret itself.
        return !is_secret(name) || path_in(value).is_some_and(|path| path.is_absolute() || path.exists());
    }
    !is_secret(name) && name != "command"
}

fn dotted(section: &str, name: &str) -> String {
    if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") }
}

/// Whether a setting names a file or a folder.
fn is_place(section: &str, name: &str) -> bool {
    name.ends_with("_file")
        || matches!((section, name), ("", "ledger") | ("log" | "ledger", "file") | ("backup", "folder"))
}

/// The path in a value as it is written.
fn path_in(value: &str) -> Option<PathBuf> {
    let value: Value = value.parse().ok()?;
    value.as_str().map(|path| expanded(Path::new(path)))
}
