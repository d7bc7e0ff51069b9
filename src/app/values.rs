//! Values that are not known, in columns that say how orders are paid or whether they go, and rows without an order number: asked
//! once, and kept in the profile.

use std::collections::BTreeSet;

use crate::column::Columns;
use crate::column::decide::{ValueQuestion, value_questions};
use crate::event::Events;
use crate::finding::Finding;
use crate::profile::{Meaning, Profile};
use crate::stage::{OpenedSheet, open};

use super::error::Result;
use super::layout::{LayoutQuestion, UnknownLines, UnknownValues};
use super::profiles::{Kept, keep, keep_in};
use super::reading::{Reading, THIS_ONCE};

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

    /// The next question about sheets whose columns are known.
    pub(super) fn further_question(&self) -> Result<Option<LayoutQuestion>> {
        if self.is_unusable() {
            return Ok(None);
        }
        Ok(self.unknown_lines().map(LayoutQuestion::Lines).or(self.unknown_values()?))
    }

    /// The first sheet with rows that have a product and no order number.
    fn unknown_lines(&self) -> Option<UnknownLines> {
        let mut sheets = self.opened.sheets.iter().zip(self.opened.columns.iter()).enumerate();
        sheets.find_map(|(number, (planned, columns))| {
            let source = planned.sheet.source();
            if columns.is_by_program() {
                return None;
            }
            let is_it = |problem: &&Finding| {
                problem.is_of_second_lines()
                    && problem.place.as_ref().is_some_and(|place| place.source == *source)
                    && !self.asked_lines.contains(&number)
            };
            let place = self.problems().iter().find(is_it)?.place.clone()?;
            let asks_name = self.own_profile(columns).is_none();
            Some(UnknownLines { number, file: source.file.clone(), place, asks_name })
        })
    }

    /// Takes whether rows without an order number are more products of the order above; where they are, that is kept in the profile.
    pub(super) fn answer_lines(
        &mut self,
        number: usize,
        are: bool,
        keep_as: Option<String>,
        events: &mut Events<'_>,
    ) -> Result<Option<Kept>> {
        self.asked_lines.push(number);
        if !are {
            return Ok(None);
        }
        let columns = self.opened.columns.of(u16::try_from(number).unwrap_or(u16::MAX));
        let base = self.own_profile(columns).cloned().unwrap_or_default();
        let toml = with_lines_below(&base, columns)?;
        self.read_by(base, &toml, keep_as, events)
    }

    /// The first column whose values were not asked about yet.
    fn unknown_values(&self) -> Result<Option<LayoutQuestion>> {
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
        let base = self.own_profile(columns).cloned().unwrap_or_default();
        let toml = with_values(&base, columns, &header, means)?;
        self.read_by(base, &toml, keep_as, events)
    }

    /// Reads the sheets anew by a profile that is this one with something added, and keeps it: in its own file where it has one.
    fn read_by(
        &mut self,
        base: Profile,
        toml: &str,
        keep_as: Option<String>,
        events: &mut Events<'_>,
    ) -> Result<Option<Kept>> {
        let own = Some(base.name.as_str()).filter(|name| !name.is_empty());
        let name = keep_as.as_deref().filter(|_| base.file.is_none()).or(own).unwrap_or(THIS_ONCE).to_owned();
        let mut profile = Profile::parse(&name, toml)?;
        profile.file = match (&base.file, &keep_as) {
            (Some(file), _) => Some(file.clone()),
            (None, Some(name)) => Some(self.config.profile_file(name)?),
            (None, None) => None,
        };
        let mut options = self.options.clone();
        match &mut options.profile {
            Some(named) if named.name == base.name => *named = profile,
            _ => {
                options.saved.retain(|saved| saved.name != profile.name);
                options.saved.insert(0, profile);
            }
        }
        let opened = open(&options, events)?;
        let kept = match (base.file, keep_as) {
            (Some(file), _) => Some(keep_in(file, &name, toml, true)?),
            (None, Some(name)) => Some(keep(&self.config, &name, toml, false)?),
            (None, None) => None,
        };
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
    let headers = fed_headers(columns, Some(header));
    Ok(profile.with_values(&headers, header, means)?)
}

/// The text of a profile with rows without an order number as products of the order above.
pub(super) fn with_lines_below(profile: &Profile, columns: &Columns) -> Result<String> {
    Ok(profile.with_lines_below(&fed_headers(columns, None))?)
}

/// The headers of a sheet that feed fields, and another one.
fn fed_headers(columns: &Columns, other: Option<&str>) -> Vec<String> {
    let fed = columns.fed().map(|feed| columns.header(feed.column));
    let headers: BTreeSet<&str> = fed.chain(other).filter(|header| !header.is_empty()).collect();
    headers.into_iter().map(str::to_owned).collect()
}
