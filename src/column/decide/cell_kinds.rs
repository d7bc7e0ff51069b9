//! What a column holds, in one word, and which changes of it matter.

use crate::field::{Field, Id, Kind, money_sign};
use crate::parse::looks_like_date;
use crate::sheet::{Cell, CellKind};

/// The words of the cells of one column, counted.
#[derive(Debug, Clone, Default)]
pub struct CellKinds {
    counts: [u32; WORDS.len()],
}

/// Letters of a unit or a currency behind a figure.
const UNIT_LETTERS_MAX: usize = 3;

/// A number of which the zeros in front matter, as far as a text file shows it.
const DIGITS: &str = "digits";

const WORDS: [&str; 4] = ["text", "number", DIGITS, "date"];

impl CellKinds {
    /// Takes a cell, by what it is in one word.
    pub fn take(&mut self, word: &str) {
        if let Some(index) = WORDS.iter().position(|known| *known == word) {
            self.counts[index] += 1;
        }
    }

    /// What most cells are; nothing where all are empty.
    #[must_use]
    pub fn word(&self) -> &'static str {
        let most = self.counts.iter().max().copied().unwrap_or_default();
        let first = self.counts.iter().position(|count| *count == most && most > 0);
        // One zero in front shows that zeros matter.
        match first.map(|index| WORDS[index]) {
            Some("number") if self.counts[2] > 0 => DIGITS,
            found => found.unwrap_or_default(),
        }
    }
}

/// What one cell is: `text`, `number`, `digits`, `date`, or nothing. In a text file all cells are text: what they look like
/// tells what they are.
#[must_use]
pub(super) fn word(cell: Cell<'_>, in_text_file: bool) -> &'static str {
    match cell.kind {
        CellKind::Number | CellKind::Rounded | CellKind::LossyNumber => "number",
        CellKind::Date => "date",
        CellKind::Text | CellKind::Flag if in_text_file => look(cell.text),
        CellKind::Text | CellKind::Flag => "text",
        CellKind::Empty | CellKind::Error | CellKind::FormulaWithoutValue => "",
    }
}

/// What a text looks like.
fn look(text: &str) -> &'static str {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if looks_like_date(text) {
        "date"
    } else if digits >= 2 && digits == text.len() && text.starts_with('0') {
        DIGITS
    } else if digits > 0 && is_figure(text) {
        "number"
    } else {
        "text"
    }
}

/// A number, perhaps with its unit behind it or its currency: `0.5 kg`, `500g`, `Rs 5`. A code with letters in front, such as
/// `ORD-1000`, is none, however many digits it has.
fn is_figure(text: &str) -> bool {
    let letters = |c: char| c.is_alphabetic();
    let begins = text.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
    let before = text[..begins].trim_matches([' ', '(', '-', '+']);
    let is_money = before.is_empty() || !before.contains(letters) || money_sign(before).is_some();
    let rest = text[begins..].trim_start_matches(|c: char| !c.is_alphabetic());
    is_money
        && rest.chars().filter(|c| c.is_alphabetic()).count() <= UNIT_LETTERS_MAX
        && !rest.contains(|c: char| c.is_ascii_digit())
}

/// Whether a column that held `before` and holds `now`, in the same word or by the look of its texts, is no longer what
/// its field needs. Neither numbers that stand as text now nor the other way round lose anything by themselves; codes do,
/// where a spreadsheet made numbers of them.
#[must_use]
pub fn has_drifted(field: &Field, before: &str, now: &str, looks: &str) -> bool {
    if before.is_empty() || now.is_empty() || before == now {
        return false;
    }
    let is_number = |word: &str| matches!(word, "number" | DIGITS);
    let is_code = matches!(field.kind, Kind::Phone | Kind::PinCode | Kind::OrderNumber)
        || matches!(field.id, Id::Sku | Id::HsCode | Id::WarehouseId);
    match field.kind {
        Kind::Money | Kind::MoneyText | Kind::Measure | Kind::Quantity | Kind::Rate => !is_number(looks),
        Kind::Instant => before == "date" && looks != "date",
        _ if looks == "date" => true,
        // Each of them is held to its form, so that one which lost its zero stays.
        Kind::Phone if now == "number" => false,
        Kind::PinCode if now == "number" && before == DIGITS => false,
        _ if is_code && now == "number" => matches!(before, "text" | DIGITS),
        Kind::Phone | Kind::PinCode => is_number(before) && !is_number(looks),
        // Order numbers and the like may be anything.
        _ if is_code => false,
        _ => before == "text" && is_number(looks),
    }
}
