//! Units and currencies that headers leave open, or about which they disagree.

use std::io::{self, BufRead, Write};

use super::question::{measured, units};
use super::talk::{Step, Talk};
use super::walk::Walk;
use crate::field::{Field, Id};
use crate::text::{list, shortened};

impl Walk<'_> {
    pub(super) fn ask_unit<I: BufRead, O: Write>(
        &mut self,
        talk: &mut Talk<I, O>,
        field: &'static Field,
    ) -> io::Result<Step> {
        let columns = measured(field).iter().filter_map(|id| self.guess.column_of(*id));
        let shown = columns.map(|guessed| format!("{} ({})", guessed.column.header, shortened(&guessed.sample, 12)));
        let shown: Vec<String> = shown.collect();
        talk.say(&format!("\nWhich unit is {} in?", list(&shown, "and")))?;
        let units = units(field);
        match chosen(talk, "number:", units)? {
            Ok(0) => self.guess.measure(measured(field), None),
            Ok(index) => self.guess.measure(measured(field), Some(units[index])),
            Err(step) => return Ok(step),
        }
        Ok(Step::Done)
    }

    /// Asks for the one currency of all amounts, where a header names another one than the configuration or another header.
    pub(super) fn ask_currency<I: BufRead, O: Write>(&mut self, talk: &mut Talk<I, O>) -> io::Result<Step> {
        talk.say("\nWhich currency are the amounts of this sheet in? A header says another one than is set.")?;
        match chosen(talk, "number [1]:", &self.currencies)? {
            Ok(index) => self.guess.fix(Id::CurrencyCode, self.currencies[index]),
            Err(step) => return Ok(step),
        }
        Ok(Step::Done)
    }

    /// Asks whether each column is in the unit that its own header names.
    pub(super) fn ask_own_units<I: BufRead, O: Write>(&mut self, talk: &mut Talk<I, O>) -> io::Result<Step> {
        talk.say("\nThe headers name different units. Is each column in the unit of its own header?")?;
        for (column, unit) in &self.units {
            talk.say(&format!("      {:<20} {unit}", shortened(self.header(*column), 30)))?;
        }
        if let Err(step) = chosen(talk, "number [1]:", &["yes, convert each"])? {
            return Ok(step);
        }
        for (column, unit) in &self.units {
            let own = self.guess.columns.iter_mut().filter(|guessed| guessed.column.index == *column);
            own.for_each(|guessed| guessed.unit = Some(unit));
        }
        Ok(Step::Done)
    }
}

/// The place of what a person chooses, the first one by Enter where a prompt says so; or another step.
fn chosen<I: BufRead, O: Write>(
    talk: &mut Talk<I, O>,
    prompt: &str,
    options: &[&str],
) -> io::Result<Result<usize, Step>> {
    let offered = (1..).zip(options).map(|(number, option)| format!("{number} {option}"));
    talk.say(&format!("      {} · b back · q leave", offered.collect::<Vec<_>>().join(" · ")))?;
    talk.choose(prompt, options, prompt.contains("[1]").then_some(0))
}
