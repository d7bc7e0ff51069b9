//! Proposes a profile for a sheet: names first, spelling second, never more.

use std::fmt::Write as _;

use crate::field::{FIELDS, Field, Id, match_header, normalised};
use crate::origin::Column;
use crate::sheet::CellKind;

/// What a column is taken for.
#[derive(Debug, Clone)]
pub struct GuessedColumn {
    /// The column.
    pub column: Column,
    /// The field that it feeds, where one is likely.
    pub field: Option<&'static Field>,
    /// How sure that is, in percent: 100 is a known name, less is a likeness in spelling.
    pub confidence: u8,
    /// A value from the sheet.
    pub sample: String,
    /// What its cells hold: `text`, `number`, `date` or nothing.
    pub kind: &'static str,
}

/// A proposal for a sheet.
#[derive(Debug, Clone)]
pub struct Guess {
    /// Every column with a header.
    pub columns: Vec<GuessedColumn>,
}

/// Proposes a field for each header; `sample` gives a column's first filled value and the kind of its cells.
#[must_use]
pub fn guess(header: &[String], sample: impl Fn(usize) -> (String, &'static str)) -> Guess {
    let mut columns: Vec<GuessedColumn> = Vec::new();
    for (index, cell) in header.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
        let (sample, kind) = sample(index);
        let column = Column { index: u32::try_from(index).unwrap_or(u32::MAX), header: cell.clone() };
        let (field, confidence) = likely(cell);
        columns.push(GuessedColumn { column, field, confidence, sample, kind });
    }
    // One field takes one column: the surest, and of equals the first.
    let surest = |field: &Field| {
        let of_field = columns.iter().filter(|guessed| guessed.field.is_some_and(|own| own.id == field.id));
        of_field.map(|guessed| (guessed.confidence, std::cmp::Reverse(guessed.column.index))).max()
    };
    let best: Vec<_> = FIELDS.iter().map(surest).collect();
    for guessed in &mut columns {
        let own = (guessed.confidence, std::cmp::Reverse(guessed.column.index));
        if guessed.field.is_some_and(|field| best[field.id as usize] != Some(own)) {
            guessed.field = None;
            guessed.confidence = 0;
        }
    }
    Guess { columns }
}

/// The field of a header by name, else by spelling.
fn likely(header: &str) -> (Option<&'static Field>, u8) {
    if let Some(found) = match_header(header) {
        return (Some(found.field), 100);
    }
    let bare = normalised(header);
    let names = FIELDS.iter().flat_map(|field| {
        [field.header].into_iter().chain(field.aliases.iter().copied()).map(move |name| (field, normalised(name)))
    });
    // Short names are alike by accident: `Pin` and `Bin`.
    let long = names.filter(|(_, name)| name.len() >= 5 && bare.len() >= 5);
    let near = long.map(|(field, name)| (strsim::jaro_winkler(&bare, &name), field));
    match near.max_by(|one, other| one.0.total_cmp(&other.0)) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0.9 and 1")]
        Some((likeness, field)) if likeness >= 0.9 => (Some(field), (likeness * 100.0).min(99.0) as u8),
        _ => (None, 0),
    }
}

/// What a cell's kind is called in a saved profile.
#[must_use]
pub const fn kind_word(kind: CellKind) -> &'static str {
    match kind {
        CellKind::Number | CellKind::LossyNumber => "number",
        CellKind::Date => "date",
        CellKind::Text | CellKind::Flag => "text",
        CellKind::Empty | CellKind::Error | CellKind::FormulaWithoutValue => "",
    }
}

impl Guess {
    /// The proposal as a profile's file.
    #[must_use]
    pub fn to_toml(&self, name: &str) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut toml = format!("# Proposed from a sheet; correct what is wrong.\nname = {}\n", quoted(name));
        let fed: Vec<&GuessedColumn> = self.columns.iter().filter(|guessed| guessed.field.is_some()).collect();
        let headers: Vec<String> = fed.iter().map(|guessed| quoted(&guessed.column.header)).collect();
        // Writing into text cannot fail.
        let _ = writeln!(toml, "recognised_by = [{}]", headers.join(", "));
        let left = self.columns.iter().filter(|guessed| guessed.field.is_none());
        let left: Vec<String> = left.map(|guessed| quoted(&guessed.column.header)).collect();
        let _ = writeln!(toml, "# Columns that are not sent; take one out of this list and name it below to send it.");
        let _ = writeln!(toml, "ignore = [{}]\n\n[columns]", left.join(", "));
        for guessed in &fed {
            let Some(field) = guessed.field else { continue };
            let sure =
                if guessed.confidence == 100 { String::new() } else { format!(" # {} % sure", guessed.confidence) };
            let _ = writeln!(toml, "{} = {}{sure}", quoted(field.path), quoted(&guessed.column.header));
        }
        let kinds = fed.iter().filter(|guessed| !guessed.kind.is_empty());
        let kinds: Vec<String> =
            kinds.map(|guessed| format!("{} = {}\n", quoted(&guessed.column.header), quoted(guessed.kind))).collect();
        let _ = write!(
            toml,
            "\n# What the columns held; a sheet where this changes is held back.\n[kinds]\n{}",
            kinds.concat()
        );
        toml
    }

    /// Whether a field is fed.
    #[must_use]
    pub fn feeds(&self, id: Id) -> bool {
        self.columns.iter().any(|guessed| guessed.field.is_some_and(|field| field.id == id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;

    #[test]
    fn a_proposal_is_a_profile() {
        let header: Vec<String> =
            ["Order No", "Custmer Phone", "Colour", "", "Qty", "Quantity"].map(str::to_owned).to_vec();
        let guess = guess(&header, |_| ("x \"y\"".to_owned(), "text"));
        let profile = Profile::parse("mine", &guess.to_toml("mine")).unwrap();
        let column = |id: Id| profile.columns.get(&id).map(|recipe| recipe.columns[0].clone());
        assert_eq!(column(Id::OrderNumber).as_deref(), Some("Order No"));
        assert_eq!(column(Id::ReceiverPhone).as_deref(), Some("Custmer Phone"));
        assert_eq!(column(Id::Quantity).as_deref(), Some("Qty"));
        assert_eq!(profile.ignored, ["Colour", "Quantity"]);
        let phone = guess.columns.iter().find(|guessed| guessed.column.index == 1).unwrap();
        assert!(phone.confidence < 100 && phone.confidence >= 90);
    }
}
