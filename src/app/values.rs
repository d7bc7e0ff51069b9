//! Values that are not known, in columns that say how orders are paid or whether they go: asked once, and kept in the profile.

use crate::column::Columns;
use crate::column::decide::{ValueQuestion, value_questions};
use crate::event::Events;
use crate::profile::{Meaning, Profile};
use crate::stage::{OpenedSheet, open};

use super::error::Result;
use super::profiles::{Kept, keep};
use super::reading::{LayoutQuestion, Reading, THIS_ONCE, UnknownValues};

impl Reading {
    /// The values that are not known, of the columns of each sheet; in sheets of very many rows those of all rows where that is
    /// wanted `thoroughly`, else where the first ones have such a value.
    ///
    /// # Errors
    /// A sheet cannot be read again.
    pub fn value_questions(&self, thoroughly: bool) -> Result<Vec<Vec<ValueQuestion>>> {
        let of_sheet = |(planned, columns): (&OpenedSheet, &Columns)| {
            Ok(value_questions(columns, (&planned.sheet, &planned.sample), &self.rules, thoroughly)?)
        };
        self.opened.sheets.iter().zip(self.opened.columns.iter()).map(of_sheet).collect()
    }

    /// The first column whose values were not asked about yet.
    pub(super) fn unknown_values(&self) -> Result<Option<LayoutQuestion>> {
        if self.is_unusable() {
            return Ok(None);
        }
        let sheets = self.opened.sheets.iter().zip(self.opened.columns.iter());
        for (number, ((planned, columns), questions)) in sheets.zip(self.value_questions(true)?).enumerate() {
            let was_asked = |own: &ValueQuestion| self.asked_values.contains(&(number, own.column.header.clone()));
            let Some(question) = questions.into_iter().find(|own| !was_asked(own)) else { continue };
            let source = planned.sheet.source();
            let values = UnknownValues {
                number,
                sheet: source.to_string(),
                file: source.file.clone(),
                question,
                asks_name: self.own_profile(columns).is_none(),
            };
            return Ok(Some(LayoutQuestion::Values(Box::new(values))));
        }
        Ok(None)
    }

    /// Takes what a person says of values: the sheets are read anew with it, and it is kept in the profile.
    pub(super) fn answer_values(
        &mut self,
        (number, header): (usize, String),
        means: Option<&[(String, Meaning)]>,
        keep_as: Option<String>,
        events: &mut Events<'_>,
    ) -> Result<Option<Kept>> {
        self.asked_values.push((number, header.clone()));
        if means.is_some_and(<[_]>::is_empty) {
            return Ok(None);
        }
        let columns = self.opened.columns.of(u16::try_from(number).unwrap_or(u16::MAX));
        let own = self.own_profile(columns).cloned();
        let keep_as = own.as_ref().filter(|own| own.file.is_some()).map(|own| own.name.clone()).or(keep_as);
        let base = own.clone().unwrap_or_default();
        let toml = with_values(&base, columns, &header, means)?;
        let name = keep_as.as_deref().or(own.as_ref().map(|own| own.name.as_str())).unwrap_or(THIS_ONCE);
        let mut profile = Profile::parse(name, &toml)?;
        let mut options = self.options.clone();
        let is_kept = base.file.is_some();
        profile.file = keep_as.as_ref().and_then(|name| self.config.profile_file(name).ok()).or(base.file);
        match &mut options.profile {
            Some(named) if own.as_ref().is_some_and(|own| own.name == named.name) => *named = profile,
            _ => {
                options.saved.retain(|saved| saved.name != profile.name);
                options.saved.insert(0, profile);
            }
        }
        let opened = open(&options, events)?;
        let kept = keep_as.map(|name| keep(&self.config, &name, &toml, is_kept)).transpose()?;
        (self.options, self.opened) = (options, opened);
        Ok(kept)
    }

    /// A person's profile that reads a sheet, be it for this once.
    pub(super) fn own_profile(&self, columns: &Columns) -> Option<&Profile> {
        self.profile_of(columns.profile()?).filter(|own| !own.built_in)
    }
}

/// The text of a profile with what values of a column mean, or with the column passed over. Of a sheet that its headers alone
/// explain, it is recognised by those that feed its fields.
pub(super) fn with_values(
    profile: &Profile,
    columns: &Columns,
    header: &str,
    means: Option<&[(String, Meaning)]>,
) -> Result<String> {
    let mut headers: Vec<String> = columns.fed().map(|feed| columns.header(feed.column).to_owned()).collect();
    headers.push(header.to_owned());
    headers.retain(|header| !header.is_empty());
    headers.sort();
    headers.dedup();
    Ok(profile.with_values(&headers, header, means)?)
}
