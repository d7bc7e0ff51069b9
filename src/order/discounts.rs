//! Discounts of which their own columns do not say whether the prices have them taken off already.

use crate::field::{ExtraRole, Id, words};
use crate::finding::money::total_differs;
use crate::finding::{AmountOf, Finding, Remedy};
use crate::parse::{Input, Value, value};
use crate::text::Decimal;

use super::raw_order::{RawCell, RawLine};
use super::read::ValueReader;
use super::rows::{CellRef, Rows};
use super::sheet_amounts::{SheetAmount, choice, rounding_of, shown};
use super::types::Order;

/// Says that nothing tells what a discount means: the order has been compared with the sheet's totals. The products' own
/// discounts are taken off where the order has none, or a smaller one.
///
/// `is_told`: whether there is a total that can be nothing but the order's; `is_confirmed`: whether the order comes to it.
pub(super) fn open_discount(
    reader: &mut ValueReader<'_>,
    order: &mut Order,
    by_lines: Decimal,
    (is_told, is_confirmed): (bool, bool),
    compared: &[SheetAmount],
) {
    let (own, collected) = (order.discount, order.order_type == "COD");
    if own < by_lines && !is_told && !has_explicit_discount(&reader.rows) {
        order.discount += by_lines;
    }
    let (total, rows) = (order.total(), &reader.rows);
    let is_agreed = compared.iter().any(|given| given.is(total, rounding_of(order)));
    let discount = rows.cell(Id::Discount).filter(|_| !own.is_zero()).or_else(|| rows.line_slot(Id::LineDiscount));
    let unclear =
        |slot: &RawCell, reading: Finding, other: Decimal| {
            let header = rows.header(slot);
            // Where more is taken off, it goes with that discount.
            let of: [fn(String) -> AmountOf; 2] =
                if other < total { [AmountOf::Without, AmountOf::With] } else { [AmountOf::With, AmountOf::Without] };
            let [stands, instead] = of.map(|of| of(header.to_owned()));
            total_differs::unclear(header, reading, shown(total), shown(other), Remedy::ignore(header))
                .choosing(choice(order, stands, Some((other, instead))))
        };
    let said = if let Some((slot, off)) = percent_off(rows, order).filter(|_| !is_confirmed) {
        let said = unclear(&slot, total_differs::percent_off(rows.text(&slot)), total - off);
        Some((slot, if collected { said } else { said.warn() }))
    } else if let Some(slot) = discount.filter(|_| collected && !(is_told || is_agreed)) {
        let taken = order.discount - own;
        if is_in_price(rows, order, own.max(by_lines)) {
            let off = own.max(by_lines);
            Some((slot, unclear(&slot, total_differs::in_price(shown(off)), total + off)))
        } else if by_lines.is_zero() {
            None
        } else if !taken.is_zero() {
            Some((slot, total_differs::discounts_taken_off(shown(by_lines), shown(total))))
        } else {
            let said = total_differs::beside_own(shown(by_lines), shown(own));
            let said = unclear(&slot, said, total - by_lines);
            Some((slot, if own < by_lines { said.warn() } else { said }))
        }
    } else {
        None
    };
    if let Some((slot, finding)) = said {
        reader.say(finding.found(reader.rows.text(&slot)), Id::Discount, CellRef::of(&slot));
    }
}

/// Whether a column that is called as the discount of the order has its amount of money: that is sent as it stands.
pub(super) fn has_explicit_discount(rows: &Rows<'_>) -> bool {
    let Some(slot) = rows.cell(Id::Discount) else { return false };
    rows.column(&slot).is_canonical() && !is_in_percent(rows, &slot) && !rows.readings(&slot).is_empty()
}

/// Whether a discount is what the list prices have above the prices: it seems to be in them already.
fn is_in_price(rows: &Rows<'_>, order: &Order, claimed: Decimal) -> bool {
    let above = rows.draft.lines.iter().zip(&order.lines).map(|(draft, line)| {
        let above = list_price(rows, draft)? - line.price;
        Some((above, above * line.quantity))
    });
    let above: Option<Vec<(Decimal, Decimal)>> = above.collect();
    let is_claimed = |sum: Decimal| !sum.is_zero() && (sum - claimed).abs() <= rounding_of(order);
    above.is_some_and(|above| {
        is_claimed(above.iter().map(|own| own.0).sum()) || is_claimed(above.iter().map(|own| own.1).sum())
    })
}

fn list_price(rows: &Rows<'_>, line: &RawLine) -> Option<Decimal> {
    rows.amount_of_line(ExtraRole::ListPrice, line).map(|(_, price)| price)
}

/// A discount in percent that nothing has as an amount, and that the prices do not show to be taken off their list prices:
/// its cell and what it comes to.
pub(super) fn percent_off(rows: &Rows<'_>, order: &Order) -> Option<(RawCell, Decimal)> {
    if !order.discount.is_zero() || order.lines.iter().any(|line| !line.discount.is_zero()) {
        return None;
    }
    let percents: Vec<(RawCell, Decimal)> =
        percent_slots(rows).into_iter().map(|slot| (slot, rate(rows, &slot).unwrap_or_default())).collect();
    let is_open = |(slot, rate): &&(RawCell, Decimal)| {
        !rate.is_zero() || rows.text(slot).contains(|c: char| matches!(c, '1'..='9'))
    };
    let (slot, first) = percents.iter().find(is_open).copied()?;
    let of_line = |line: &RawLine| {
        let own = percents.iter().find(|(slot, _)| slot.at == line.at);
        own.map_or(if percents.len() == 1 { first } else { Decimal::ZERO }, |(_, rate)| *rate)
    };
    let lines = || rows.draft.lines.iter().zip(&order.lines);
    let is_below_list = lines().all(|(draft, line)| {
        let left = Decimal::ONE_HUNDRED - of_line(draft);
        list_price(rows, draft)
            .is_some_and(|list| (list * left / Decimal::ONE_HUNDRED - line.price).abs() <= Decimal::ONE)
    });
    let off: Decimal = lines().map(|(draft, line)| line.price * line.quantity * of_line(draft)).sum();
    (!is_below_list).then(|| (slot, (off / Decimal::ONE_HUNDRED).round_dp(2)))
}

/// Whether the cell of a discount is in percent, by its own word or by that of the cell beside it; more than all cannot be
/// taken off.
pub(super) fn is_in_percent(rows: &Rows<'_>, slot: &RawCell) -> bool {
    let says_so = |other: &RawCell| {
        let text = rows.text(other);
        let is_word = |word: String| word.starts_with("percent") || word == "pct";
        other.at == slot.at
            && !text.contains(|c: char| c.is_ascii_digit())
            && (text.contains('%') || words(text).any(is_word))
    };
    let is_rate = |amount: &Decimal| amount.abs() <= Decimal::ONE_HUNDRED;
    is_percent(rows.text(slot))
        || (rows.claimed_as(ExtraRole::DiscountIn).any(says_so) && rows.readings(slot).first().is_none_or(is_rate))
}

/// Whether a cell says percent itself.
fn is_percent(text: &str) -> bool {
    text.ends_with('%') && text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'))
}

/// The cells that hold a discount in percent.
fn percent_slots(rows: &Rows<'_>) -> Vec<RawCell> {
    let draft = rows.draft;
    let beside = rows.claimed().filter(|(claim, slot)| match claim.role {
        ExtraRole::PercentOff => true,
        ExtraRole::Beside => is_percent(draft.text(slot)),
        _ => false,
    });
    let is_discount = |slot: &&RawCell| matches!(slot.id, Id::Discount | Id::LineDiscount) && is_in_percent(rows, slot);
    let fields = draft.cells.iter().chain(&draft.line_cells).filter(is_discount);
    fields.chain(beside.map(|(_, slot)| slot)).copied().collect()
}

/// A rate in percent; of a spreadsheet's percents only the fraction may be left, as `0.1`.
fn rate(rows: &Rows<'_>, slot: &RawCell) -> Option<Decimal> {
    let text = rows.text(slot).trim_start_matches(['-', '−', ' ']);
    let fraction = text.parse::<Decimal>().ok().filter(|part| *part > Decimal::ZERO && *part < Decimal::ONE);
    let read = || value(Input::new(Id::TaxRate.field(), text), rows.rules).sure().and_then(Value::number);
    fraction.map(|part| part * Decimal::ONE_HUNDRED).or_else(read)
}
