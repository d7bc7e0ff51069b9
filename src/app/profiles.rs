//! Profiles: proposed for a sheet, kept, listed, shown, and checked.

use std::io::Write;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::column::Columns;
use crate::column::decide::{Known, LIKELY, LazySample, Sample, candidates, decide, proposal};
use crate::config::{Config, ConfigError, Sheets};
use crate::field::{FIELDS, Field, Id, Need, Version};
use crate::finding::Finding;
use crate::ledger::create_private_folder;
use crate::parse::ReadingSettings;
use crate::profile::{Choice, Guess, GuessedColumn, Missing, Profile, built_in, built_in_text, choose};
use crate::sheet::{Options, Sheet};
use crate::stage::lacks_numbers;

use super::aside::{create_private, free_beside};
use super::connect::App;
use super::error::{Error, Misuse, Result};

/// A profile as it is proposed for a sheet.
#[derive(Debug)]
pub struct Proposal {
    /// The sheet.
    pub sheet: Sheet,
    /// Which column is what, and what is missing.
    pub guess: Guess,
    /// What the sheet's columns feed as it is.
    pub columns: Columns,
    /// The profile that comes with the program and knows the sheet, where one does.
    pub known: Option<Profile>,
    /// The profile as a file would have it.
    pub toml: String,
}

/// A profile that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Where the earlier one of its name is now.
    pub earlier: Option<PathBuf>,
}

/// How a profile fits a sheet.
#[derive(Debug)]
pub struct Fit {
    /// The profile.
    pub profile: Profile,
    /// The sheet, where one was named.
    pub sheet: Option<SheetFit>,
}

/// How a profile fits one sheet.
#[derive(Debug)]
pub struct SheetFit {
    /// What people call the sheet.
    pub name: String,
    /// What is wrong with its columns.
    pub problems: Vec<Finding>,
    /// Needed fields that neither the sheet nor the profile nor the configuration holds.
    pub without: Vec<&'static Field>,
    /// How many fields are fed.
    pub fed: usize,
}

impl SheetFit {
    /// Whether a column of the sheet cannot be used.
    #[must_use]
    pub fn is_unusable(&self) -> bool {
        self.problems.iter().any(Finding::holds)
    }
}

impl App {
    /// Proposes a profile for a sheet, from its headers and from what its columns hold. `name` is what it would be called.
    ///
    /// # Errors
    /// The sheet, or a saved profile, cannot be read.
    pub fn propose_profile(&self, path: &Path, reading: &Options, name: &str) -> Result<Proposal> {
        let sheet = Sheet::open(path, &self.config.reading(reading))?;
        let header = sheet.header();
        let saved = self.config.saved_profiles()?;
        let known = match choose(&saved, &header.cells, &[]) {
            Choice::One(profile) if profile.built_in => Some(profile.clone()),
            _ => None,
        };
        // A configuration with a mistake in it stands in for nothing.
        let rules = self.config.rules(Timestamp::now(), None).ok();
        let sample = LazySample::default();
        let (columns, _) =
            decide(&sheet, &sample, &Known { profile: known.as_ref(), rules: rules.as_ref(), ignored: &[] })?;
        let sample = sample.of(&sheet)?;
        let mut guess = proposal(&columns, sample);
        if known.is_some() {
            guess.columns = as_planned(&columns, guess.columns);
        }
        let constant = |id| known.as_ref().is_some_and(|profile| profile.defaults.contains_key(&id));
        let configured = |id| rules.as_ref().and_then(|rules| rules.default(id)).is_some_and(|text| !text.is_empty());
        let held = |id| guess.feeds(id) || columns.column(id).is_some() || constant(id) || configured(id);
        guess.missing = missing(held).into_iter().map(|field| perhaps(field, &guess, sample)).collect();
        if known.is_none() {
            guess.fill_down = lacks_numbers(&sheet, &guess)?;
        }
        let toml = match &known {
            Some(profile) => Guess { columns: Vec::new(), ..guess.clone() }.on_top_of(&profile.name, name),
            None => guess.to_toml(name),
        };
        Ok(Proposal { sheet, guess, columns, known, toml })
    }

    /// Keeps a profile under a name; sheets with its headers are recognised from then on.
    ///
    /// # Errors
    /// No profile can have the name; there is one of that name already and it is not to be replaced; it cannot be written.
    pub fn keep_profile(&self, name: &str, toml: &str, replace: bool) -> Result<Kept> {
        keep(&self.config, name, toml, replace)
    }

    /// The user's own profiles, by name.
    ///
    /// # Errors
    /// One of them cannot be read.
    pub fn own_profiles(&self) -> Result<Vec<Profile>> {
        Ok(self.config.saved_profiles()?)
    }

    /// Has sheets read no longer by one of the user's own profiles. Its file is moved aside, and its new place is given.
    ///
    /// # Errors
    /// There is none of that name, or its file cannot be moved.
    pub fn forget_profile(&self, name: &str) -> Result<PathBuf> {
        let unknown = || ConfigError::NoProfile { name: name.to_owned(), near: None };
        // Its file may be called otherwise.
        let own = self.own_profiles()?.into_iter().find(|own| own.name == name);
        let path = own.and_then(|own| own.file).ok_or_else(unknown)?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let aside = free_beside(&path, |number| format!("{file}.before-{number}")).ok_or_else(unknown)?;
        std::fs::rename(&path, &aside).map_err(Error::file(format!("cannot move {}", path.display())))?;
        Ok(aside)
    }

    /// All profiles: the user's own, then those that come with the program.
    ///
    /// # Errors
    /// One of the user's own cannot be read.
    pub fn profiles(&self) -> Result<Vec<Profile>> {
        let saved = self.config.saved_profiles()?;
        Ok(saved.into_iter().chain(built_in().iter().cloned()).collect())
    }

    /// The text of a profile, by its name or file.
    ///
    /// # Errors
    /// None of that name, or one that cannot be read.
    pub fn profile_text(&self, name: &str) -> Result<Vec<u8>> {
        let found = self.config.profile(name)?;
        if let Some(text) = built_in_text(&found.name).filter(|_| found.built_in) {
            return Ok(text.as_bytes().to_vec());
        }
        let path = if Path::new(name).is_file() { PathBuf::from(name) } else { self.config.profile_file(name)? };
        std::fs::read(&path).map_err(Error::file(format!("cannot read {}", path.display())))
    }

    /// Checks that a profile is sound, and that it fits a sheet.
    ///
    /// # Errors
    /// The profile is not sound, or the sheet cannot be read.
    pub fn check_profile(&self, name: &str, sheet: Option<&Path>, reading: &Options) -> Result<Fit> {
        let profile = self.config.profile(name)?;
        let Some(path) = sheet else { return Ok(Fit { profile, sheet: None }) };
        let sheet = Sheet::open(path, &self.config.reading(reading))?;
        let (columns, problems) =
            decide(&sheet, &LazySample::default(), &Known { profile: Some(&profile), ..Known::default() })?;
        let levels = self.config.levels(&Sheets::default()).levels(Some((&profile.name, &profile.levels)));
        let fit = SheetFit {
            name: sheet.source().to_string(),
            problems: problems.into_iter().filter_map(|problem| levels.apply(problem, |_| None)).collect(),
            without: self.without_source(&columns, &profile),
            fed: columns.fed().count(),
        };
        Ok(Fit { profile, sheet: Some(fit) })
    }

    /// Needed fields that neither the sheet nor the profile nor the configuration holds.
    fn without_source(&self, columns: &Columns, profile: &Profile) -> Vec<&'static Field> {
        // A configuration with mistakes in it holds nothing.
        let rules =
            self.config.rules(Timestamp::now(), None).unwrap_or_else(|_| ReadingSettings::new(Timestamp::now()));
        missing(|id| {
            let constant = profile.defaults.get(&id).map(String::as_str).or_else(|| rules.default(id));
            columns.column(id).is_some()
                || constant.is_some_and(|text| !text.is_empty())
                || rules.need(id) != Need::Required
        })
    }
}

/// Why a profile cannot have that name.
#[must_use]
pub fn name_refusal(name: &str) -> Option<String> {
    let plain = !name.is_empty() && name.chars().all(is_of_name);
    if !plain {
        return Some(format!("\"{name}\" is no name for a profile: write letters, digits, - and _"));
    }
    let known = built_in().iter().any(|profile| profile.name == name);
    known.then(|| format!("{name} is a profile that comes with the program: take another name"))
}

/// A name that a profile can have, from what a person calls it; empty where nothing of that can be in one.
#[must_use]
pub fn profile_name(called: &str) -> String {
    let plain: String = called.trim().chars().map(|c| if is_of_name(c) { c } else { '-' }).collect();
    plain.trim_matches(['-', '_']).to_owned()
}

/// Whether a profile's name may have this character. Vowel signs of India's scripts are no letters by themselves.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '\u{900}'..='\u{dff}')
}

/// Writes a profile into the user's folder. One that it replaces stays beside it under another name: somebody may have
/// spent an afternoon on it.
pub(super) fn keep(config: &Config, name: &str, toml: &str, replace: bool) -> Result<Kept> {
    if let Some(refusal) = name_refusal(name) {
        return Err(Misuse::ProfileName(refusal).into());
    }
    keep_in(config.profile_file(name)?, name, toml, replace)
}

/// The same in a file of its own.
pub(super) fn keep_in(path: PathBuf, name: &str, toml: &str, replace: bool) -> Result<Kept> {
    let folder = path.parent().unwrap_or(Path::new("."));
    create_private_folder(folder).map_err(Error::file(format!("cannot make the folder {}", folder.display())))?;
    let failed = || Error::file(format!("cannot write the profile {}", path.display()));
    let mut new = tempfile::NamedTempFile::with_prefix_in(".profile-", folder).map_err(failed())?;
    new.write_all(toml.as_bytes()).and_then(|()| new.as_file().sync_all()).map_err(failed())?;
    let there = std::fs::read(&path).ok();
    if there.is_some() && !replace {
        return Err(Error::ProfileThere(path));
    }
    let mut earlier = None;
    if let Some(there) = there.filter(|there| there != toml.as_bytes()) {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(aside) = free_beside(&path, |number| format!("{file}.before-{number}")) else {
            return Err(Error::Refused(format!(
                "thousands of earlier profiles are in {}: move them away",
                folder.display()
            )));
        };
        let cannot = format!("cannot keep the earlier profile as {}; nothing was changed", aside.display());
        create_private(&aside).and_then(|mut file| file.write_all(&there)).map_err(Error::file(cannot))?;
        earlier = Some(aside);
    }
    let put = if replace { new.persist(&path).map(drop) } else { new.persist_noclobber(&path).map(drop) };
    put.map_err(|error| failed()(error.error))?;
    Ok(Kept { name: name.to_owned(), path, earlier })
}

/// The columns as a recognised profile takes them.
fn as_planned(known: &Columns, columns: Vec<GuessedColumn>) -> Vec<GuessedColumn> {
    let field = |index: u32| known.fed().find(|feed| feed.column == index).map(|feed| feed.field);
    let planned = columns.into_iter().map(|guessed| {
        let field = field(guessed.column.index);
        GuessedColumn { field, confidence: if field.is_some() { 100 } else { 0 }, ..guessed }
    });
    planned.collect()
}

/// A missing field with the column that it is likeliest to be.
fn perhaps(field: &'static Field, guess: &Guess, sample: &Sample) -> Missing {
    let best =
        candidates(field, &guess.free_for(field), sample).into_iter().next().filter(|best| best.points >= LIKELY);
    Missing { field, perhaps: best.map(|best| best.column.header) }
}

/// Needed fields that nothing holds.
fn missing(held: impl Fn(Id) -> bool) -> Vec<&'static Field> {
    let needed = FIELDS.iter().filter(|field| field.need(Version::V2) == Need::Required);
    let by_name = |id| id == Id::DestinationCountryCode && held(Id::DestinationCountry);
    needed.filter(|field| !held(field.id) && !by_name(field.id)).collect()
}
