//! How sheets are read and judged: rules for values, profiles, limits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::field::{Id, Version};
use crate::finding::RuleId;
use crate::parse::{Decimals, ReadingSettings, wrong_date_format};
use crate::profile::{Profile, built_in};
use crate::rule::{Accepting, LevelPlan, RuleLevel};
use crate::sheet::{self, Limits};
use crate::stage::OpenOptions;
use crate::text::list;

use super::Config;
use super::error::ConfigError;
use super::file::{Separator, Spelling};

/// Order sheets, and how to read them.
#[derive(Debug, Clone, Default)]
pub struct Sheets {
    /// The files, in the order in which they were named; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// A profile by its name or file; none has the sheets recognised by their headers.
    pub profile: Option<String>,
    /// Worksheet, header row, encoding and so on, where a person knows better.
    pub reading: sheet::Options,
    /// The version of the request; none is as configured.
    pub version: Option<Version>,
    /// Levels of rules for this run alone.
    pub levels: Vec<(RuleId, RuleLevel)>,
    /// What a person accepts for this run, and from then on.
    pub accepting: Vec<Accepting>,
    /// Why.
    pub because: String,
    /// Whether nobody is asked, so that what is configured for that holds.
    pub is_unattended: bool,
}

impl Sheets {
    /// These files, read as they are.
    pub fn of(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { paths: paths.into_iter().map(Into::into).collect(), ..Self::default() }
    }
}

impl Config {
    /// The version of the request that is sent, unless a face was told another.
    #[must_use]
    pub fn version(&self, told: Option<Version>) -> Version {
        told.or_else(|| self.file.version()).unwrap_or_default()
    }

    /// The rules for values at a moment.
    ///
    /// # Errors
    /// A setting that names no field, or whose value cannot be used.
    pub fn rules(&self, now: Timestamp, version: Option<Version>) -> Result<ReadingSettings, ConfigError> {
        let mut rules = ReadingSettings::new(now);
        rules.version = self.version(version);
        let lacking = self.file.half_a_return_address();
        if !lacking.is_empty() {
            return Err(ConfigError::Setting(format!(
                "[return_address] lacks {}: write the whole address, or leave the section out, and parcels come back to the \
                 origin",
                list(&lacking, "and")
            )));
        }
        let sending_side = self.file.sending_side();
        for (section, path, value) in sending_side.into_iter().filter(|(.., value)| !value.trim().is_empty()) {
            rules.set_default(&path, &value).map_err(|source| ConfigError::Section { section, source })?;
        }
        for (path, value) in &self.file.defaults {
            rules.set_default(path, &constant(path, value)?)?;
        }
        let check = &self.file.check;
        for path in &check.optional {
            rules.relax(path)?;
        }
        for path in &check.required {
            rules.require(path)?;
        }
        for payment_type in &check.payment_types {
            rules.payment_types.push(payment_type.to_owned());
        }
        rules.ignored_headers.clone_from(&check.ignore);
        rules.ready_words.clone_from(&check.ready);
        if let Some(text) = self.file.words.wordless() {
            return Err(ConfigError::Setting(format!("[words] \"{text}\" has no word in it")));
        }
        rules.words.clone_from(&self.file.words);
        rules.decimals = match check.decimals {
            None => Decimals::Unknown,
            Some(Separator::Point) => Decimals::Point,
            Some(Separator::Comma) => Decimals::Comma,
        };
        if let Some(heaviest) = check.heaviest_kg {
            rules.heaviest_kg = heaviest.into();
        }
        if check.numbers_alike.is_some() {
            let now = "is a rule now: instead of \"warn\", write same-order = \"warn\" under [rules]";
            return Err(ConfigError::Setting(format!("numbers_alike in [check] {now}")));
        }
        for (name, id) in &self.file.warehouses {
            rules.warehouses.insert(name.to_owned(), id.to_owned());
        }
        let send = &self.file.send;
        let spelled: [(_, &[Id]); 3] = [
            (send.phone, &[Id::ReceiverPhone]),
            (send.units, &[Id::WeightUnit, Id::DimensionUnit]),
            (send.payment, &[Id::OrderType]),
        ];
        spelled
            .into_iter()
            .filter(|(spelling, _)| *spelling == Some(Spelling::AsWritten))
            .for_each(|(_, fields)| rules.as_written.extend(fields));
        if let Some(paths) = &send.omit_empty {
            rules.omit_empty(paths)?;
        }
        self.set_dates(&mut rules)?;
        Ok(rules)
    }

    /// What is said of the levels of rules, for a run that reads sheets so.
    #[must_use]
    pub fn levels(&self, sheets: &Sheets) -> LevelPlan {
        let configured = self.file().map(|file| (file.to_owned(), self.file.rules.clone()));
        let (given, is_unattended) = (sheets.levels.clone(), sheets.is_unattended);
        LevelPlan { configured, given, is_unattended, ..LevelPlan::default() }
    }

    fn set_dates(&self, rules: &mut ReadingSettings) -> Result<(), ConfigError> {
        let dates = &self.file.dates;
        if let Some(zone) = &dates.time_zone {
            rules.time_zone = TimeZone::get(zone).map_err(|error| {
                ConfigError::Setting(format!(
                    "[dates] time_zone: \"{zone}\" is no time zone such as Asia/Kolkata: {error}"
                ))
            })?;
        }
        for format in &dates.formats {
            if let Some(why) = wrong_date_format(format) {
                return Err(ConfigError::Setting(format!(
                    "[dates] formats: \"{format}\" is no format of a date ({why}); write one such as %d/%m/%Y"
                )));
            }
        }
        rules.date_formats.clone_from(&dates.formats);
        Ok(())
    }

    /// What to open and how.
    ///
    /// # Errors
    /// A profile that is not there or cannot be read.
    pub fn open_options(&self, sheets: &Sheets, rules: &ReadingSettings) -> Result<OpenOptions, ConfigError> {
        let profile = sheets.profile.as_deref().map(|named| self.profile(named)).transpose()?;
        let saved = if profile.is_some() { Vec::new() } else { self.saved_profiles()? };
        let sheet = self.reading(&sheets.reading);
        let (paths, answered) = (sheets.paths.clone(), BTreeMap::new());
        Ok(OpenOptions { paths, sheet, profile, answered, saved, rules: rules.clone() })
    }

    /// How a sheet is read, with the limits that are configured and the helper for old formats that a face named.
    #[must_use]
    pub fn reading(&self, told: &sheet::Options) -> sheet::Options {
        let helper = told.helper.clone().or_else(|| self.overrides.helper.clone());
        sheet::Options { limits: self.limits(), helper, ..told.clone() }
    }

    fn limits(&self) -> Limits {
        self.file.reading.limits()
    }

    /// A profile by its file, by its name among the user's own, or among those that come with the program.
    ///
    /// # Errors
    /// None of that name, or one that cannot be read.
    pub fn profile(&self, named: &str) -> Result<Profile, ConfigError> {
        let path = Path::new(named);
        if path.is_file() {
            return Ok(Profile::read(path)?);
        }
        let users = self.profile_file(named)?;
        if users.is_file() {
            return Ok(Profile::read(&users)?);
        }
        // Its file may be called otherwise. One of another name that cannot be read is not meant.
        let saved = self.saved_profiles().unwrap_or_default();
        if let Some(own) = saved.into_iter().find(|own| own.name == named) {
            return Ok(own);
        }
        if path.extension().is_some() {
            return Ok(Profile::read(path)?);
        }
        if let Some(built_in) = built_in().iter().find(|profile| profile.name == named) {
            return Ok(built_in.clone());
        }
        let near = crate::text::nearest(named, built_in().iter().map(|profile| profile.name.as_str()));
        Err(ConfigError::NoProfile { name: named.to_owned(), near: near.map(str::to_owned) })
    }

    /// Where the user's own profile of a name is, or would be.
    ///
    /// # Errors
    /// The machine tells no home folder.
    pub fn profile_file(&self, name: &str) -> Result<PathBuf, ConfigError> {
        Ok(self.folders.profiles()?.join(format!("{name}.toml")))
    }

    /// The user's own profiles, by name. One that cannot be read is an error: it may be the one that a sheet needs.
    ///
    /// # Errors
    /// A profile that cannot be read.
    pub fn saved_profiles(&self) -> Result<Vec<Profile>, ConfigError> {
        let Ok(entries) = std::fs::read_dir(self.folders.profiles()?) else { return Ok(Vec::new()) };
        let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        Ok(paths.iter().map(|path| Profile::read(path)).collect::<Result<_, _>>()?)
    }
}

/// The text of a value in `[defaults]`.
fn constant(path: &str, value: &toml::Value) -> Result<String, ConfigError> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Table(table) => {
            let whole = unquoted(path, table);
            Err(ConfigError::Setting(format!("[defaults] {whole} needs quotes: write \"{whole}\" = \"…\"")))
        }
        toml::Value::Array(_) => {
            Err(ConfigError::Setting(format!("[defaults] {path} is a list: one value is accepted")))
        }
        other => Ok(other.to_string()),
    }
}

/// The path that somebody meant who wrote `a.b.c = …` without quotes, which TOML takes for tables.
fn unquoted(path: &str, table: &toml::Table) -> String {
    match table.iter().next() {
        Some((key, toml::Value::Table(below))) => unquoted(&format!("{path}.{key}"), below),
        Some((key, _)) => format!("{path}.{key}"),
        None => path.to_owned(),
    }
}
