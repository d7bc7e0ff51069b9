//! COD orders that are paid already, by a person's answer on remarks or on what is paid in advance: they go as PREPAID.

use crate::field::{ExtraRole, Id};
use crate::finding::Finding;
use crate::finding::money::partly_paid;
use crate::profile::Meaning;
use crate::text::Decimal;

use super::raw_order::RawCell;
use super::read::ValueReader;
use super::rows::{CellRef, Rows};
use super::sheet_amounts::{Equals, SheetAmount, collects_rest, rounding_of, same, shown};
use super::types::Order;

/// Sends a COD order that is paid already as PREPAID; nothing of it is due any more.
pub(super) fn settle_paid(reader: &mut ValueReader<'_>, order: &mut Order, given: &mut Vec<SheetAmount>) {
    if order.order_type != "COD" {
        return;
    }
    let told = paid_by_remark(&reader.rows).or_else(|| paid_in_advance(&reader.rows, order, given));
    let Some((slot, notice)) = told else { return };
    order.order_type = "PREPAID".into();
    given.retain(|own| !own.is_due());
    reader.say(notice.found(reader.rows.text(&slot)), Id::OrderType, CellRef::of(&slot));
}

/// The remark of which a person said that its order is paid.
fn paid_by_remark(rows: &Rows<'_>) -> Option<(RawCell, Finding)> {
    let is_paid = |slot: &RawCell| {
        rows.sheets.of(slot.at.sheet).meaning(slot.column, rows.draft.text(slot)) == Some(Meaning::Paid)
    };
    let is_note = |role: ExtraRole| matches!(role, ExtraRole::Sign(sign) if sign.is_note());
    let (_, slot) = rows.claimed().find(|(claim, slot)| is_note(claim.role) && is_paid(slot))?;
    Some((*slot, partly_paid::paid_by_remark(rows.text(slot))))
}

/// The amount paid in advance, where a person has the courier collect the rest and nothing is left: it is all that the order comes to
/// by the sheet, and no amount is due.
fn paid_in_advance(rows: &Rows<'_>, order: &Order, given: &[SheetAmount]) -> Option<(RawCell, Finding)> {
    let asks_rest = given.iter().any(|own| own.is_due() && collects_rest(rows, own));
    let is_paid =
        |own: &&SheetAmount| own.role == ExtraRole::Paid && !own.is_word && (asks_rest || collects_rest(rows, own));
    let first = given.iter().find(is_paid)?;
    let paid: Decimal = given.iter().filter(is_paid).map(|own| own.amount).sum();
    let rounding = rounding_of(order);
    let is_total =
        |own: &&SheetAmount| matches!(own.role, ExtraRole::Order | ExtraRole::Total) && own.equals == Equals::Other;
    let mut totals = given.iter().filter(is_total).peekable();
    let is_all = match totals.peek() {
        Some(_) => totals.any(|own| own.is(paid, rounding)),
        None => same(paid, order.total(), rounding),
    };
    let is_due = given.iter().any(|own| own.is_due() && !own.amount.is_zero());
    (is_all && !is_due && paid > Decimal::ZERO).then(|| (first.slot, partly_paid::paid_in_advance(shown(paid))))
}
