//! Rows of one order that say the same, and orders whose rows stand in several sheets.

use std::collections::HashMap;

use crate::column::RowRef;
use crate::field::Id;
use crate::finding::Finding;
use crate::finding::order::{held_back, rows_twice, same_line, split_order};
use crate::order::{Line, RawCell, RawLine, row_of_example};
use crate::text::Decimal;

use super::view::{Findings, View};

/// Looks at the rows of an order of which nothing else is wrong.
pub(crate) fn check(view: &View<'_>, told: &mut Findings<'_>) {
    let (draft, sheets) = (view.rows.draft, view.rows.sheets);
    if told.eligibility.is_over() || told.has_failed() {
        return;
    }
    let at = |said: Finding, row: RowRef, id: Id| said.at(sheets.place(row, Some(id))).of_order(draft.number.clone());
    // One line of the starter sheet's example was left below an order of one's own.
    if let Some(row) = row_of_example(draft) {
        told.take(at(held_back::example_below(), row, Id::ProductName));
    }
    let same = repeated(view);
    // Most likely one sheet was given in two forms.
    if let Some((here, there)) = same.iter().find(|(here, there)| here.raw.at.sheet != there.raw.at.sheet) {
        let there = sheets.place(there.raw.at, Some(Id::OrderNumber));
        told.take(at(rows_twice::in_two_sheets(&there), here.raw.at, Id::OrderNumber));
        return;
    }
    let mut firsts: Vec<RowRef> = draft.rows.clone();
    firsts.dedup_by_key(|row| row.sheet);
    if let [_, .., last] = firsts.as_slice() {
        let places = firsts.iter().map(|row| sheets.place(*row, Some(Id::OrderNumber)).to_string()).collect();
        let split = at(split_order::over_sheets(places), *last, Id::OrderNumber);
        told.take(split.on_field(Id::OrderNumber.field().path));
    }
    let is_asked = |(here, there): &&(Repeated<'_>, Repeated<'_>)| is_pasted(view, here, there);
    if let Some((here, there)) = same.iter().find(is_asked).or_else(|| same.first()) {
        let there_place = sheets.place(there.raw.at, Some(Id::ProductName));
        let is_pasted = is_pasted(view, here, there);
        let notice = if is_pasted { same_line::pasted(&there_place) } else { same_line::twice(&there_place) };
        let notice = notice.on_field(Id::ProductName.field().path).found(here.line.product_name.clone());
        told.take(at(notice, here.raw.at, Id::ProductName));
    }
}

/// A line with its cells.
#[derive(Clone, Copy)]
struct Repeated<'a> {
    raw: &'a RawLine,
    line: &'a Line,
}

/// Lines of further rows that are the same product as one of a row before, each with the first of these. The values count: case
/// and blanks do not, nor does what is said beside them.
fn repeated<'a>(view: &View<'a>) -> Vec<(Repeated<'a>, Repeated<'a>)> {
    let (drafts, lines) = (&view.rows.draft.lines, &view.order.lines);
    if drafts.len() != lines.len() {
        return Vec::new();
    }
    let mut firsts: HashMap<([String; 2], [Decimal; 3]), Vec<Repeated<'a>>> = HashMap::new();
    let all = drafts.iter().zip(lines).map(|(raw, line)| Repeated { raw, line });
    let mut same = Vec::new();
    for own in all {
        let line = own.line;
        let texts = [line.product_name.as_str(), line.currency_code.as_str()].map(bare);
        let alike = firsts.entry((texts, [line.price, line.quantity, line.discount])).or_default();
        match alike.iter().find(|first| first.raw.at != own.raw.at && agree(view, [**first, own])) {
            Some(first) => same.push((own, *first)),
            None => alike.push(own),
        }
    }
    same
}

/// Whether nothing that both of two lines say tells their products apart: a blank says nothing. Without an SKU, the description may
/// say which product it is.
fn agree(view: &View<'_>, pair: [Repeated<'_>; 2]) -> bool {
    let [one, other] = pair.map(|own| own.line);
    let are_rated = pair.iter().all(|own| view.rows.draft.cell_of(own.raw, Id::TaxRate).is_some());
    let description = |line: &Line| line.description.as_deref().map_or_else(String::new, bare);
    let is_coded = !one.sku.is_empty() && !other.sku.is_empty();
    let [own, others] = if is_coded { pair.map(|own| bare(&own.line.sku)) } else { [one, other].map(description) };
    (own == others || own.is_empty() || others.is_empty()) && (one.tax_rate == other.tax_rate || !are_rated)
}

/// A text without its case and its blanks.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// Whether a row was most likely pasted twice: not where one of both alone speaks of the order, where they have other amounts of
/// it, or where both are described, and not alike: sizes of one article. Notes do not count.
fn is_pasted(view: &View<'_>, here: &Repeated<'_>, there: &Repeated<'_>) -> bool {
    let differ = |of: fn(&Line) -> Option<&str>| {
        let (own, other) = (of(here.line).map(bare), of(there.line).map(bare));
        own.zip(other).is_some_and(|(own, other)| !own.is_empty() && !other.is_empty() && own != other)
    };
    if differ(|line| line.description.as_deref()) || differ(|line| line.hs_code.as_deref()) {
        return false;
    }
    let (here, there) = (here.raw.at, there.raw.at);
    let (draft, rows) = (view.rows.draft, view.rows);
    let same = |one: &RawCell, other: &RawCell| {
        let (one_text, other_text) = (rows.text(one), rows.text(other));
        let amount = || rows.readings(one);
        bare(one_text) == bare(other_text) || !amount().is_empty() && amount() == rows.readings(other)
    };
    // Where each row has its part of an amount, both have a cell of it.
    let of = |row: RowRef| draft.cells.iter().filter(move |slot| slot.at == row);
    let is_part = |slot: &&RawCell| rows.sheets.of(slot.at.sheet).in_parts(slot.id);
    let agrees = |slot: &RawCell| of(there).any(|other| other.id == slot.id && same(slot, other));
    let amounts = |row: RowRef| {
        let own = rows.claimed().filter(move |(claim, slot)| slot.at == row && claim.role.is_money());
        own.map(|(_, slot)| slot).collect::<Vec<_>>()
    };
    let (own, others) = (amounts(here), amounts(there));
    draft.bare.contains(&here) == draft.bare.contains(&there)
        && of(here).filter(is_part).all(agrees)
        && own.len() == others.len()
        && own.iter().zip(others).all(|(one, other)| one.column == other.column && same(one, other))
}
