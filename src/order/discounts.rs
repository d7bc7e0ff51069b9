//! Discounts of which the sheet's own figures tell whether the prices have them taken off already.

use crate::check::{Input, Value, value};
use crate::field::{AmountRole, Id, words};
use crate::finding::Remedy;
use crate::finding::money::{bad_unit, total_differs};
use rust_decimal::Decimal;

use super::claims::{Given, is_total, rounding_of, shown};
use super::draft::{LineDraft, Slot};
use super::read::Reader;
use super::rows::{Rows, Spot};
use super::sums::{Sums, tax_on_top_of};
use super::types::Order;

/// A discount in percent, where the sheet says it.
#[derive(Debug, Clone, Copy)]
struct Percent {
    slot: Slot,
    rate: Decimal,
}

/// Whether a cell says percent itself.
fn is_percent(text: &str) -> bool {
    text.ends_with('%') && text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'))
}

/// Whether a cell says percent, and no figure: what the discount beside it is in.
fn says_percent_alone(text: &str) -> bool {
    let word = || words(text).any(|word| word.starts_with("percent") || word == "pct");
    !text.contains(|c: char| c.is_ascii_digit()) && (text.contains('%') || word())
}

/// Whether the cell of a discount is in percent, by its own word or by that of the cell beside it.
pub(super) fn is_in_percent(rows: &Rows<'_>, slot: &Slot) -> bool {
    is_percent(rows.draft.text(slot)) || percent_beside(rows, slot).is_some()
}

/// The cell that says of a discount in its row that it is in percent; more than all cannot be taken off.
fn percent_beside(rows: &Rows<'_>, discount: &Slot) -> Option<Slot> {
    let draft = rows.draft;
    let says_so = |(index, slot): &&(usize, Slot)| {
        slot.at == discount.at
            && rows.claim(*index, slot).is_some_and(|claim| claim.role == AmountRole::DiscountIn)
            && says_percent_alone(draft.text(slot))
    };
    let (_, slot) = draft.amounts.iter().find(says_so)?;
    let is_rate = |amount: &Decimal| amount.abs() <= Decimal::ONE_HUNDRED;
    rows.readings(discount).first().is_none_or(is_rate).then_some(*slot)
}

/// Takes a discount in percent off where a total of the sheet says so, and leaves it where the prices have it already.
/// Gives whether nothing tells which: that is said.
pub(super) fn take_percent(reader: &mut Reader<'_>, order: &mut Order, compared: &[Given]) -> bool {
    let slots = percent_slots(&reader.rows);
    if slots.is_empty() {
        return false;
    }
    let rounding = rounding_of(order);
    // A total that may be that of the products says nothing of what is taken off them.
    let is_whole = compared.iter().any(|given| given.confirms(order.total(), rounding));
    let unread = slots.iter().find(|slot| is_unread(&reader.rows, slot)).filter(|_| !is_whole).copied();
    if let Some(slot) = unread {
        reader.say(bad_unit::percent_unread().found(reader.rows.draft.text(&slot)), Id::Discount, Spot::of(&slot));
        return true;
    }
    let read = |slot: &Slot| Some(Percent { slot: *slot, rate: rate(&reader.rows, slot)? });
    let percents: Vec<Percent> = slots.iter().filter_map(read).collect();
    let Some(first) = percents.iter().find(|percent| !percent.rate.is_zero()).copied() else { return false };
    // Beside the amount, the percent says nothing more.
    if !order.discount.is_zero() || order.lines.iter().any(|line| !line.discount.is_zero()) {
        return false;
    }
    let total = order.total();
    let of_rows =
        off_of(&reader.rows, order, |line| percents.iter().find(|percent| percent.slot.at == line.at).copied());
    let of_all = off_of(&reader.rows, order, |_| (percents.len() == 1).then_some(first));
    let is = |amount: Decimal| compared.iter().any(|given| given.is(amount, rounding));
    if is_whole || is_below_list(&reader.rows, order, &percents) {
        return false;
    }
    // A word beside it may say how the amount was reckoned.
    let beside = percent_beside(&reader.rows, &first.slot);
    if beside.is_some() && percents.len() == 1 && is(total - first.rate) {
        order.discount = first.rate;
        return false;
    }
    // The tax may come on top of what is left.
    let taxed = |off: Decimal| tax_on_top_of(order, off).is_some_and(|tax| is(total - off + tax));
    if let Some(off) = [of_rows, of_all].into_iter().find(|off| !off.is_zero() && (is(total - *off) || taxed(*off))) {
        order.discount = off;
        return false;
    }
    let off = if of_all.is_zero() { of_rows } else { of_all };
    let header = reader.rows.place(Spot::of(&first.slot)).column.map_or_else(String::new, |column| column.header);
    let way = if let Some(beside) = beside {
        bad_unit::write_off_for(shown(off), reader.rows.sheets.of(beside.at.sheet).header(beside.column))
    } else if first.slot.id == Id::Discount {
        bad_unit::write_off(shown(off))
    } else {
        bad_unit::write_off_into(shown(off), Id::Discount.field().header)
    };
    let (rate, less) = (first.rate.normalize(), shown(total - off));
    let held = bad_unit::percent_unclear(rate, shown(total), less, way, Remedy::ignore(header));
    reader.say(held.found(reader.rows.draft.text(&first.slot)), Id::Discount, Spot::of(&first.slot));
    true
}

/// The cells that hold a discount in percent.
fn percent_slots(rows: &Rows<'_>) -> Vec<Slot> {
    let draft = rows.draft;
    let beside = draft.amounts.iter().filter_map(|(index, slot)| {
        let says = match rows.claim(*index, slot)?.role {
            AmountRole::PercentOff => true,
            AmountRole::Beside => is_percent(draft.text(slot)),
            _ => false,
        };
        says.then_some(*slot)
    });
    let is_discount = |slot: &&Slot| matches!(slot.id, Id::Discount | Id::LineDiscount);
    let fields = draft.cells.iter().chain(&draft.line_cells).filter(is_discount);
    let fields = fields.filter(|slot| is_in_percent(rows, slot)).copied();
    fields.chain(beside).collect()
}

/// A rate in percent; of a spreadsheet's percents only the fraction may be left, as `0.1`.
fn rate(rows: &Rows<'_>, slot: &Slot) -> Option<Decimal> {
    let text = rows.draft.text(slot).trim_start_matches(['-', '−', ' ']);
    let fraction = text.parse::<Decimal>().ok().filter(|part| *part > Decimal::ZERO && *part < Decimal::ONE);
    if let Some(part) = fraction {
        return Some(part * Decimal::ONE_HUNDRED);
    }
    match value(Input::new(Id::TaxRate.field(), text), rows.rules).sure()? {
        Value::Number(rate) => Some(rate),
        _ => None,
    }
}

/// Whether a cell holds a figure that cannot be read as a percent.
fn is_unread(rows: &Rows<'_>, slot: &Slot) -> bool {
    rows.draft.text(slot).contains(|c: char| c.is_ascii_digit()) && rate(rows, slot).is_none()
}

/// What percents come to in money.
fn off_of(rows: &Rows<'_>, order: &Order, of: impl Fn(&LineDraft) -> Option<Percent>) -> Decimal {
    let lines = rows.draft.lines.iter().zip(&order.lines);
    let off = lines.filter_map(|(draft, line)| Some(line.price * line.quantity * of(draft)?.rate));
    (off.sum::<Decimal>() / Decimal::ONE_HUNDRED).round_dp(2)
}

/// Whether each price is the list price beside it less the percent.
fn is_below_list(rows: &Rows<'_>, order: &Order, percents: &[Percent]) -> bool {
    let lines = rows.draft.lines.iter().zip(&order.lines);
    let mut known = lines.map(|(draft, line)| {
        let own = percents.iter().find(|percent| percent.slot.at == draft.at).or_else(|| percents.first());
        let left = Decimal::ONE_HUNDRED - own.map_or(Decimal::ZERO, |percent| percent.rate);
        let list = list_price(rows, draft)?;
        Some((list * left / Decimal::ONE_HUNDRED - line.price).abs() <= Decimal::ONE)
    });
    !order.lines.is_empty() && known.all(|fits| fits == Some(true))
}

fn list_price(rows: &Rows<'_>, line: &LineDraft) -> Option<Decimal> {
    rows.amount_of_line(AmountRole::ListPrice, line).map(|(_, price)| price)
}

/// Finds a discount that is no more than what the list prices have above the prices: it is in them already.
///
/// Where a total says so as well, it is not taken off again; where none tells, the order is held back.
pub(super) fn leave_discount(
    reader: &mut Reader<'_>,
    order: &mut Order,
    sums: &mut Sums,
    compared: &[Given],
    is_explicit: bool,
) {
    let claimed = if order.discount.is_zero() { sums.discounts } else { order.discount };
    let both = !order.discount.is_zero() && !sums.discounts.is_zero() && order.discount != sums.discounts;
    if claimed.is_zero() || both {
        return;
    }
    let lines = reader.rows.draft.lines.iter().zip(&order.lines);
    let above = lines.map(|(draft, line)| Some((list_price(&reader.rows, draft)? - line.price, line.quantity)));
    let Some(above) = above.collect::<Option<Vec<(Decimal, Decimal)>>>() else { return };
    let of_one: Decimal = above.iter().map(|(above, _)| *above).sum();
    let of_all: Decimal = above.iter().map(|(above, quantity)| above * quantity).sum();
    let rounding = rounding_of(order);
    let is_claimed = |above: Decimal| (above - claimed).abs() <= rounding;
    if !(is_claimed(of_one) || is_claimed(of_all)) {
        return;
    }
    let without = order.sub_total + order.shipping_charges + order.other_charges;
    let is = |amount: Decimal| compared.iter().any(|given| given.is(amount, rounding));
    if is(without - claimed) || (!compared.is_empty() && !is(without)) {
        return;
    }
    let cell = reader.rows.cell(Id::Discount).or_else(|| reader.rows.line_slot(Id::LineDiscount));
    let spot = cell.as_ref().map_or(reader.rows.first, Spot::of);
    let header = reader.rows.place(spot).column.map_or_else(String::new, |column| column.header);
    if is(without) && is_explicit {
        // It is sent as it stands, and the total says something else.
    } else if is(without) {
        order.discount = Decimal::ZERO;
        order.lines.iter_mut().for_each(|line| line.discount = Decimal::ZERO);
        sums.discounts = Decimal::ZERO;
        let notice = total_differs::discount_in_price(shown(claimed), Remedy::ignore(header));
        reader.say(notice, Id::Discount, spot);
    } else if order.order_type == "COD" {
        let less = shown(without - claimed);
        let held = total_differs::discount_perhaps_in_price(shown(claimed), less, Remedy::ignore(header));
        reader.say(held, Id::Discount, spot);
    }
}

/// Takes the order's discount for that of each piece where a total of the sheet says so.
pub(super) fn take_each(order: &mut Order, compared: &[Given]) {
    if order.discount.is_zero() || compared.is_empty() {
        return;
    }
    let rounding = rounding_of(order);
    let pieces: Decimal = order.lines.iter().map(|line| line.quantity).sum();
    let of_each = order.discount * pieces;
    let is = |amount: Decimal| is_total(compared, amount, rounding);
    if of_each != order.discount && !is(order.total()) && is(order.total() + order.discount - of_each) {
        order.discount = of_each;
    }
}

/// Takes charges and a discount that stand once for the order for those of each row, where only so a total of the sheet
/// agrees.
pub(super) fn take_rows(order: &mut Order, rows: usize, compared: &[Given], is_explicit: bool) {
    if rows < 2 || compared.is_empty() {
        return;
    }
    let more = Decimal::from(rows - 1);
    let rounding = rounding_of(order);
    let is = |amount: Decimal| is_total(compared, amount, rounding);
    if is(order.total()) {
        return;
    }
    let (shipping, other, discount) =
        (order.shipping_charges * more, order.other_charges * more, order.discount * more);
    let zero = Decimal::ZERO;
    let ways = [
        (shipping, zero, zero),
        (zero, zero, discount),
        (zero, other, zero),
        (shipping, zero, discount),
        (shipping, other, zero),
        (zero, other, discount),
        (shipping, other, discount),
    ];
    let mut ways = ways.into_iter().filter(|way| !is_explicit || way.2.is_zero());
    if let Some((shipping, other, discount)) = ways.find(|way| is(order.total() + way.0 + way.1 - way.2)) {
        order.shipping_charges += shipping;
        order.other_charges += other;
        order.discount += discount;
    }
}
