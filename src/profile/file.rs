//! A profile's file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::field::{Field, Id};
use crate::text;

/// Which header feeds which field, and what stands in where a sheet has no such column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// What it is called.
    pub name: String,
    /// Field to header.
    pub columns: BTreeMap<Id, String>,
    /// Field to constant.
    pub defaults: BTreeMap<Id, String>,
    /// Headers that are known to mean nothing here.
    pub ignored: Vec<String>,
}

/// Why a profile cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The file cannot be read.
    #[error("cannot read the profile {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not what a profile has to be.
    #[error("the profile {name} is not valid:\n{source}")]
    Malformed {
        /// The profile.
        name: String,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
    /// It names a field that does not exist.
    #[error("the profile {name} names `{path}`, which is not a field{}", suggestion(path))]
    UnknownField {
        /// The profile.
        name: String,
        /// The word that names no field.
        path: String,
    },
}

fn suggestion(path: &str) -> String {
    text::nearest(path, crate::field::FIELDS.iter().map(|field| field.path))
        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// The file's own shape.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    #[serde(default)]
    columns: BTreeMap<String, String>,
    #[serde(default)]
    defaults: BTreeMap<String, String>,
    #[serde(default)]
    ignore: Vec<String>,
}

impl Profile {
    /// Reads a profile from its file.
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ProfileError::Unreadable { path: path.to_owned(), source })?;
        let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        Self::parse(&name, &text)
    }

    /// Reads a profile from TOML text.
    pub fn parse(name: &str, text: &str) -> Result<Self, ProfileError> {
        let file: File = toml::from_str(text)
            .map_err(|source| ProfileError::Malformed { name: name.to_owned(), source: Box::new(source) })?;
        let name = file.name.unwrap_or_else(|| name.to_owned());
        let by_field = |words: BTreeMap<String, String>| -> Result<BTreeMap<Id, String>, ProfileError> {
            let named = |path: String| {
                Field::by_path(&path).ok_or_else(|| ProfileError::UnknownField { name: name.clone(), path })
            };
            words.into_iter().map(|(path, text)| Ok((named(path)?.id, text))).collect()
        };
        Ok(Self { columns: by_field(file.columns)?, defaults: by_field(file.defaults)?, ignored: file.ignore, name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_names_fields_by_path() {
        let text = "name = \"counter\"\nignore = [\"Colour\"]\n[columns]\n\"receiver.firstName\" = \"Who\"\n[defaults]\nwarehouseId = \"WH-9\"\n";
        let profile = Profile::parse("file", text).unwrap();
        assert_eq!(profile.name, "counter");
        assert_eq!(profile.columns[&Id::ReceiverFirstName], "Who");
        assert_eq!(profile.defaults[&Id::WarehouseId], "WH-9");
    }

    #[test]
    fn wrong_words_are_named() {
        let error = Profile::parse("x", "[columns]\n\"receiver.frstName\" = \"Who\"\n").unwrap_err();
        assert!(error.to_string().ends_with("did you mean `receiver.firstName`?"), "{error}");
        let error = Profile::parse("x", "colums = 1\n").unwrap_err();
        assert!(error.to_string().contains("colums"), "{error}");
    }
}
