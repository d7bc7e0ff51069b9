//! A recipe at work: one value, made of the cells of a row.

use std::fmt::Write as _;

use crate::text::Decimal;

use crate::field::{Id, Kind, Payment, Status, money_sign, normalised, payment_type, payment_word, says};
use crate::parse::unmarked;
use crate::sheet::{Cell, CellKind, Row};
use crate::words::Topic;

use super::recipe::Recipe;

/// A recipe with the columns that it takes on one sheet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Step {
    pub(crate) recipe: Recipe,
    pub(crate) sources: Vec<u32>,
    /// Of a recipe with `by`: the column that decides, and the one that is then taken.
    pub(crate) blocks: Vec<(Option<u32>, Option<u32>)>,
    /// The column of the recipe's condition, where the sheet has it.
    pub(crate) when: Option<u32>,
    /// The columns of pieces that do not go.
    pub(crate) less: Vec<u32>,
    /// The column of the pieces that the number is multiplied with.
    pub(crate) times: Option<u32>,
    /// The kind of its field.
    pub(crate) kind: Option<Kind>,
}

/// The text of a cell as a field of that kind takes it: of numbers the value, of all else what is shown.
pub(super) fn value_of<'r>(cell: &Cell<'r>, kind: Kind) -> &'r str {
    match kind {
        Kind::Money | Kind::MoneyText => cell.amount(),
        Kind::Measure | Kind::Quantity | Kind::Rate => cell.number(),
        _ => cell.text,
    }
}

impl Step {
    /// A recipe on the sheet whose columns `find` knows.
    pub(crate) fn of(recipe: &Recipe, kind: Kind, find: impl Fn(&str) -> Option<u32>) -> Self {
        let all = |headers: &[String]| headers.iter().filter_map(|header| find(header)).collect();
        let blocks = recipe.by.iter().zip(recipe.columns()).map(|(by, column)| (find(by), find(column)));
        Self {
            sources: all(recipe.columns()),
            blocks: blocks.collect(),
            when: recipe.when.as_ref().and_then(|when| find(&when.column)),
            less: all(&recipe.less),
            times: recipe.times.as_deref().and_then(&find),
            kind: Some(kind),
            recipe: recipe.clone(),
        }
    }

    /// Appends the value and gives its kind: that of its cell where it is one cell's text unchanged.
    pub(super) fn make(&self, row: &Row, out: &mut String) -> CellKind {
        let recipe = &self.recipe;
        let block = (!self.blocks.is_empty()).then(|| block(&self.blocks, row));
        let sources = block.as_ref().map_or(self.sources.as_slice(), Option::as_slice);
        let filled = sources.iter().map(|column| self.cell(row, *column)).filter(|cell| cell.kind != CellKind::Empty);
        if !recipe.add.is_empty() {
            return sum(filled, out);
        }
        let start = out.len();
        let mut kind = CellKind::Empty;
        for (index, cell) in filled.take(if recipe.between().is_some() { usize::MAX } else { 1 }).enumerate() {
            // What is broken in one part is broken in the whole.
            kind = match cell.kind {
                own if is_broken(own) => own,
                _ if is_broken(kind) => kind,
                own if index == 0 => own,
                _ => CellKind::Text,
            };
            if index > 0 {
                out.push_str(recipe.between().unwrap_or_default());
            }
            let bare = |text, prefix: &String| str::strip_prefix(text, prefix.as_str()).unwrap_or(text);
            let text = recipe.strip.iter().fold(cell.text, bare).trim();
            if let Some(part) = &recipe.part { part.take(text, out) } else { out.push_str(text) }
        }
        if let Some(known) = self.translated(row, &out[start..]) {
            out.truncate(start);
            out.push_str(known);
        }
        if recipe.collects {
            collected(start, out);
        }
        if out.len() > start && !(self.times.is_none() && self.less.is_empty()) {
            self.count(row, start, out);
            kind = if is_broken(kind) || self.times.is_none() { kind } else { CellKind::Number };
        }
        if out.len() == start
            && let Some(blank) = recipe.blank.as_ref().filter(|_| self.holds(row))
        {
            out.push_str(blank);
            return CellKind::Text;
        }
        if out.len() > start && !recipe.prefix.is_empty() {
            let bare = unmarked(Id::OrderNumber.field(), &out[start..]).to_owned();
            out.truncate(start);
            out.extend([recipe.prefix.as_str(), &bare]);
        }
        let unchanged = recipe.part.is_none() && recipe.map.is_empty() && !recipe.collects;
        match kind {
            _ if is_broken(kind) => kind,
            _ if out.len() == start => CellKind::Empty,
            _ if unchanged => kind,
            _ => CellKind::Text,
        }
    }

    /// A cell with the text that its field takes.
    fn cell<'r>(&self, row: &'r Row, column: u32) -> Cell<'r> {
        let cell = cell(row, column);
        cell.with(self.kind.map_or(cell.text, |kind| value_of(&cell, kind)))
    }

    /// Takes the pieces that do not go off a quantity, or multiplies a number by those that do. Where one of them cannot be
    /// read, all stands as it is, and is refused.
    fn count(&self, row: &Row, start: usize, out: &mut String) {
        let text = |column: &u32| cell(row, *column).number();
        let less = || self.less.iter().map(text).filter(|text| !text.is_empty());
        let pieces = self.times.as_ref().map(text);
        let number = match pieces {
            Some(pieces) => amount(&out[start..]).zip(left(pieces, less())).map(|(each, pieces)| each * pieces),
            None => left(&out[start..], less()),
        };
        if let Some(number) = number {
            out.truncate(start);
            if pieces.is_none() || !number.is_zero() {
                // Writing into text cannot fail.
                let _ = write!(out, "{}", number.normalize());
            }
        } else {
            out.extend(pieces.into_iter().flat_map(|pieces| [" × ", pieces]));
            out.extend(less().flat_map(|text| [" - ", text]));
        }
    }

    /// What the recipe makes of a text as a whole.
    fn translated(&self, row: &Row, text: &str) -> Option<&str> {
        let Recipe { map, otherwise, unless, when, .. } = &self.recipe;
        if text.is_empty() || (map.is_empty() && otherwise.is_none()) {
            return None;
        }
        let bare = normalised(text);
        if let Some(known) = map.get(&bare) {
            return Some(known);
        }
        let holds = self.holds(row);
        // Cash on delivery is that whatever the others are; by a name of its own, where it is not paid.
        let cod = Some(Payment::Cod);
        let is_cod = || payment_type(text) == cod || (when.is_some() && !holds && payment_word(text) == cod);
        if otherwise.as_deref() == Some("PREPAID") && is_cod() {
            return Some("COD");
        }
        otherwise.as_deref().filter(|_| holds && !unless.iter().any(|word| bare.contains(word.as_str())))
    }

    /// Whether the recipe's condition holds in this row.
    fn holds(&self, row: &Row) -> bool {
        let found = self.when.map_or("", |column| cell(row, column).text);
        self.recipe.when.as_ref().is_none_or(|when| when.holds(found))
    }
}

fn cell(row: &Row, column: u32) -> Cell<'_> {
    row.cell(column as usize)
}

/// The column of the first block whose own column is filled, which may have none; of the first one where none is. Of blocks
/// with one column of their own, the first that is filled.
fn block(blocks: &[(Option<u32>, Option<u32>)], row: &Row) -> Option<u32> {
    let filled = |column: Option<u32>| column.is_some_and(|column| cell(row, column).kind != CellKind::Empty);
    let (by, first) = blocks.iter().find(|(by, _)| filled(*by)).or_else(|| blocks.first())?;
    let alike = blocks.iter().find(|(other, column)| other == by && filled(*column));
    alike.map_or(*first, |(_, column)| *column)
}

/// Appends the sum of amounts, or all of them where one cannot be read: then the sum is refused as it stands.
fn sum<'r>(cells: impl Iterator<Item = Cell<'r>>, out: &mut String) -> CellKind {
    let cells: Vec<Cell<'r>> = cells.collect();
    let broken = cells.iter().find(|cell| is_broken(cell.kind));
    if let Some(alone) = broken.or_else(|| cells.first().filter(|_| cells.len() == 1)) {
        out.push_str(alone.text);
        return alone.kind;
    }
    let Some(first) = cells.first() else { return CellKind::Empty };
    let (sign, _) = signed(first.text);
    let figure = |cell: &Cell<'r>| Some(signed(cell.text)).filter(|own| own.0 == sign).and_then(|own| amount(own.1));
    if let Some(sum) = cells.iter().map(figure).sum::<Option<Decimal>>() {
        // Writing into text cannot fail.
        let _ = write!(out, "{sign}{sum}");
        return if sign.is_empty() { CellKind::Number } else { CellKind::Text };
    }
    let texts: Vec<&str> = cells.iter().map(|cell| cell.text).collect();
    out.push_str(&texts.join(" + "));
    CellKind::Text
}

/// Makes a type of payment of what a cell says is to be collected: an amount above zero or yes is COD, zero or no is not.
/// Anything else stays as it stands, and is refused.
fn collected(start: usize, out: &mut String) {
    let text = out[start..].trim();
    if text.is_empty() {
        return;
    }
    let bare = normalised(text);
    let figures = bare.strip_prefix("rs").or_else(|| bare.strip_prefix("inr")).unwrap_or(&bare);
    let is_amount = !figures.is_empty() && figures.bytes().all(|byte| byte.is_ascii_digit()) && !text.contains('-');
    let payment = match (says(text), payment_word(text)) {
        (Status::Yes, _) | (_, Some(Payment::Cod)) => "COD",
        _ if Topic::Values.says(text, "no-amount") => "PREPAID",
        (Status::No | Status::Nothing, _) | (_, Some(_)) => "PREPAID",
        _ if is_amount && figures.bytes().all(|digit| digit == b'0') => "PREPAID",
        _ if is_amount => "COD",
        _ => return,
    };
    out.truncate(start);
    out.push_str(payment);
}

/// An amount beyond doubt: digits, with a point before two decimals or with other than three of them.
fn amount(text: &str) -> Option<Decimal> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let plain = !whole.is_empty() && digits(whole) && digits(decimals) && !text.ends_with('.');
    (plain && decimals.len() != 3).then(|| Decimal::from_str_exact(text).ok())?
}

/// The sign of money before an amount, and the amount.
fn signed(text: &str) -> (&str, &str) {
    let first = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let (sign, figures) = text.split_at(first);
    if money_sign(sign.trim()).is_some() { (sign, figures) } else { ("", text) }
}

/// What is left of a number less others, never below zero; nothing where one cannot be read. Blank ones are zero.
pub(super) fn left<'t>(whole: &str, used: impl Iterator<Item = &'t str>) -> Option<Decimal> {
    let used: Option<Decimal> = used.filter(|text| !text.is_empty()).map(amount).sum();
    Some((amount(whole)? - used?).max(Decimal::ZERO).normalize())
}

const fn is_broken(kind: CellKind) -> bool {
    matches!(kind, CellKind::LossyNumber | CellKind::Error | CellKind::FormulaWithoutValue)
}
