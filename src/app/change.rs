//! The profile that a sheet is read by, with a person's answer in it: one way for all faces.

use crate::column::decide::proposal;
use crate::column::{Columns, Extra};
use crate::event::Events;
use crate::field::{ExtraRole, Field, Id, unit_of};
use crate::origin::letters;
use crate::profile::{AmountUse, Feeding, Guess, Profile, ProfileText};
use crate::stage::{OpenedSheet, open};

use super::error::{Misuse, Result};
use super::layout::LayoutChange;
use super::profiles::{Kept, keep, keep_in};
use super::reading::{Asked, Reading, THIS_ONCE};

impl Reading {
    /// The text of the profile that a sheet is read by: of a person's own as it is written, of one of the program another one that adds
    /// to it, and without any the columns as they are taken.
    ///
    /// # Errors
    /// No such sheet, or it cannot be read again.
    pub(super) fn layout(&self, number: usize) -> Result<String> {
        let (_, columns) = self.sheet(number)?;
        Ok(match columns.own_profile() {
            Some(profile) => profile.text(),
            None => self.proposed(number)?.to_toml(""),
        })
    }

    /// The columns of a sheet as they are taken.
    pub(super) fn proposed(&self, number: usize) -> Result<Guess> {
        let (planned, columns) = self.sheet(number)?;
        Ok(proposal(columns, planned.sample.of(&planned.sheet)?))
    }

    /// Such a text with a change in it; nothing where that leaves all as it is.
    ///
    /// # Errors
    /// No such sheet, column or field; a profile that cannot be so.
    pub(super) fn changed(&self, layout: &str, number: usize, change: &LayoutChange) -> Result<Option<String>> {
        let (planned, columns) = self.sheet(number)?;
        let header = |column: u32| match columns.header(column) {
            "" => Err(Misuse::NoColumn { name: letters(column), there: planned.sheet.header().cells.clone() }),
            header => Ok(header),
        };
        let mut text = ProfileText::parse(THIS_ONCE, layout)?;
        match change {
            LayoutChange::Column { column, field: Some(path), how } => {
                let field = Field::by_path(path).ok_or_else(|| Misuse::Format(format!("{path} is no field")))?;
                text.feed(field, header(*column)?, *how)?;
                // Without a column of pieces each row is one.
                if let Some(pieces) = columns.column(Id::Quantity).filter(|_| *how == Feeding::EachPiece) {
                    text.times(field, columns.header(pieces))?;
                }
            }
            LayoutChange::Unit { unit } => {
                let is_one = unit_of(Id::WeightUnit, unit).is_some_and(|own| own == unit);
                is_one.then_some(()).ok_or_else(|| Misuse::Format(format!("{unit} is no unit of weights")))?;
                text.set_default(Id::WeightUnit.field().path, unit)?;
            }
            LayoutChange::Values { means: Some(means), .. } if means.is_empty() => return Ok(None),
            LayoutChange::Values { column, means: Some(means) } => text.add_values(header(*column)?, means)?,
            LayoutChange::Values { column, means: None } if is_sent(columns, *column) => {
                text.let_all_go(header(*column)?)?;
            }
            LayoutChange::Values { column, means: None } | LayoutChange::Column { column, field: None, .. } => {
                text.ignore(header(*column)?)?;
            }
            LayoutChange::Amounts { uses } if uses.is_empty() => return Ok(None),
            LayoutChange::Amounts { uses } => {
                for (at, (column, used)) in uses.iter().enumerate() {
                    let is_same = |(_, before): &&(u32, AmountUse)| used.is_of_one() && before == used;
                    if let Some((before, _)) = uses[..at].iter().find(is_same) {
                        let [one, other] = [header(*before)?, header(*column)?];
                        let words = used.words();
                        let why = format!("{one} and {other} cannot both be {words}: choose one");
                        return Err(Misuse::Format(why).into());
                    }
                    text.use_amount(header(*column)?, *used, &others(columns, *used))?;
                }
            }
            LayoutChange::Lines { are: true } => text.set_lines_below(),
            LayoutChange::Lines { are: false } => return Ok(None),
        }
        let text = text.into_text();
        Profile::parse(THIS_ONCE, &text)?;
        Ok(Some(text))
    }

    /// Reads the sheets anew with a change of the profile that one of them is read by, and keeps it: in its own file where it has one.
    pub(super) fn change(
        &mut self,
        (number, change): (usize, &LayoutChange),
        keep_as: Option<&str>,
        events: &mut Events<'_>,
    ) -> Result<Option<Kept>> {
        self.asked.extend(match change {
            LayoutChange::Values { column, .. } => Some((number, Asked::Values(*column))),
            LayoutChange::Amounts { .. } => Some((number, Asked::Amounts)),
            LayoutChange::Lines { .. } => Some((number, Asked::Lines)),
            LayoutChange::Unit { .. } => Some((number, Asked::Unit)),
            LayoutChange::Column { column, .. } => Some((number, Asked::Measure(*column))),
        });
        let Some(mut toml) = self.changed(&self.layout(number)?, number, change)? else { return Ok(None) };
        let base = self.own_profile(number).cloned().unwrap_or_default();
        if let Some(name) = keep_as.filter(|_| base.file.is_none()) {
            toml = named(&toml, name)?;
        }
        let called = if base.name.is_empty() { THIS_ONCE } else { base.name.as_str() };
        let mut profile = Profile::parse(called, &toml)?;
        let name = profile.name.clone();
        profile.file = match (&base.file, keep_as) {
            (Some(file), _) => Some(file.clone()),
            (None, Some(name)) => Some(self.config.profile_file(name)?),
            (None, None) => None,
        };
        let mut options = self.options.clone();
        let all = options.profile.iter_mut().chain(options.answered.values_mut()).chain(&mut options.saved);
        let same: Vec<&mut Profile> = all.filter(|own| base.file.is_some() && own.file == base.file).collect();
        if !same.is_empty() {
            for own in same {
                own.clone_from(&profile);
            }
        } else if options.profile.is_some() {
            options.answered.extend(self.alike(number).map(|own| (own, profile.clone())));
        } else {
            options.answered.retain(|own, _| *own != number);
            options.saved.retain(|saved| saved.name != profile.name && saved.name != base.name);
            options.saved.insert(0, profile);
        }
        let opened = open(&options, events)?;
        let kept = match (base.file, keep_as) {
            (Some(file), _) => Some(keep_in(file, &name, &toml, true)?),
            (None, Some(name)) => Some(keep(&self.config, name, &toml, false)?),
            (None, None) => None,
        };
        self.read_anew(options, opened);
        Ok(kept)
    }

    /// A person's profile that reads a sheet, be it for this once, with the file that it was kept in meanwhile.
    pub(super) fn own_profile(&self, number: usize) -> Option<&Profile> {
        let (_, columns) = self.sheet(number).ok()?;
        let named = self.options.answered.get(&number).into_iter().chain(&self.options.profile);
        let own = named.chain(&self.options.saved).find(|own| Some(own.name.as_str()) == columns.profile());
        own.filter(|own| !own.built_in)
    }

    /// The places among all of the sheets with the headers of this one, itself included.
    pub(super) fn alike(&self, number: usize) -> impl Iterator<Item = usize> {
        let wanted = self.opened.sheets.get(number).map(|own| &own.sheet.header().cells);
        let sheets = self.opened.sheets.iter().enumerate();
        sheets.filter(move |(_, own)| Some(&own.sheet.header().cells) == wanted).map(|(place, _)| place)
    }

    fn sheet(&self, number: usize) -> Result<(&OpenedSheet, &Columns)> {
        let there = self.opened.sheets.len();
        let sheet = self.opened.sheets.iter().zip(self.opened.columns.iter()).nth(number);
        Ok(sheet.ok_or(Misuse::NoSheet { number: number.saturating_add(1), there })?)
    }
}

/// The text of a profile under a name.
pub(super) fn named(toml: &str, name: &str) -> Result<String> {
    let mut text = ProfileText::parse(name, toml)?;
    text.set_name(name);
    Ok(text.into_text())
}

/// The headers that the profile of a sheet uses so already: a profile on top of it would replace them.
fn others(columns: &Columns, used: AmountUse) -> Vec<&str> {
    let is_same = |own: &&Extra| used == AmountUse::Paid && own.role == ExtraRole::Paid && !own.by_header;
    columns.claims.iter().filter(is_same).map(|own| columns.header(own.column)).collect()
}

/// Whether a column is sent, whatever else it says: passed over, it would be lost. A type of payment is none that means no payment.
fn is_sent(columns: &Columns, column: u32) -> bool {
    columns.fed().any(|feed| feed.id() != Id::OrderType && columns.sources(feed).contains(&column))
}
