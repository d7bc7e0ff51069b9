//! Discounts of which their own columns do not say whether the prices have them taken off already, or how often they count.

use crate::check::{Input, Value, value};
use crate::column::Trait;
use crate::field::{AmountRole, Id, words};
use crate::finding::money::total_differs;
use crate::finding::{Finding, Remedy};
use rust_decimal::Decimal;

use super::claims::{rounding_of, same, shown};
use super::draft::{LineDraft, Slot};
use super::rows::Rows;
use super::settle::{Change, Sums};
use super::types::Order;

/// A discount in percent.
#[derive(Debug, Clone, Copy)]
struct Percent {
    slot: Slot,
    /// None where it cannot be read.
    rate: Option<Decimal>,
}

/// What the discounts of an order may mean.
#[derive(Default)]
pub(super) struct Discounts {
    /// The ways to read them that are not how the order has them.
    pub(super) ways: Vec<Change>,
    /// One in percent that the prices may have taken off, and what it comes to.
    percent: Option<(Percent, Decimal)>,
    /// Where the list prices are above the prices by just the discount.
    pub(super) in_price: Option<Change>,
    /// What the products' own come to, where the order's own one does not have them in it.
    by_lines: Decimal,
}

/// A discount that nothing settles.
pub(super) struct Open {
    pub(super) slot: Slot,
    pub(super) finding: Option<Finding>,
    /// What is taken off all the same.
    pub(super) taken: Decimal,
}

impl Discounts {
    pub(super) fn of(rows: &Rows<'_>, order: &Order, sums: &Sums) -> Self {
        let mut discounts = Self { in_price: in_price(rows, order, sums), ..Self::default() };
        if order.discount.is_zero() && sums.discounts.is_zero() {
            discounts.read_percents(rows, order);
        }
        let own = order.discount;
        let is_in_subtotal =
            order.sub_total != sums.gross && same(order.sub_total, sums.gross - sums.discounts, rounding_of(order));
        if (own - sums.discounts).abs() > rounding_of(order) && !is_in_subtotal {
            discounts.by_lines = sums.discounts;
            discounts.ways.push(Change::off(sums.discounts));
        }
        let pieces: Decimal = order.lines.iter().map(|line| line.quantity).sum();
        discounts.ways.push(Change::off(own * pieces - own));
        discounts.ways.extend(discounts.in_price);
        discounts
    }

    /// Reads what stands there in percent. Beside an amount it says nothing more, and nothing where the prices have it off
    /// their list prices.
    fn read_percents(&mut self, rows: &Rows<'_>, order: &Order) {
        let percents: Vec<Percent> =
            percent_slots(rows).into_iter().map(|slot| Percent { slot, rate: rate(rows, &slot) }).collect();
        let rate_of = |at: &LineDraft| percents.iter().find(|own| own.slot.at == at.at).and_then(|own| own.rate);
        let is_unread =
            |own: &Percent| own.rate.is_none() && rows.text(&own.slot).contains(|c: char| c.is_ascii_digit());
        if let Some(unread) = percents.iter().find(|own| is_unread(own)) {
            self.percent = Some((*unread, Decimal::ZERO));
            return;
        }
        let Some(first) = percents.iter().find(|own| own.rate.is_some_and(|rate| !rate.is_zero())) else { return };
        let (all, is_one) = (first.rate.unwrap_or_default(), percents.len() == 1);
        let left_of = |line: &LineDraft| Decimal::ONE_HUNDRED - rate_of(line).unwrap_or(all);
        let is_below_list = lines_of(rows, order).all(|(draft, line)| {
            let list = list_price(rows, draft).map(|list| list.0 * left_of(draft) / Decimal::ONE_HUNDRED);
            list.is_some_and(|list| (list - line.0).abs() <= Decimal::ONE)
        });
        if is_below_list {
            return;
        }
        let off = |rate: &dyn Fn(&LineDraft) -> Decimal| {
            let off = lines_of(rows, order).map(|(draft, (price, quantity))| price * quantity * rate(draft));
            (off.sum::<Decimal>() / Decimal::ONE_HUNDRED).round_dp(2)
        };
        let by_rows = off(&|line| rate_of(line).unwrap_or_default());
        let of_all = if is_one { off(&|_| all) } else { by_rows };
        // A word beside it may say how the amount was reckoned.
        let as_amount = if is_one && percent_beside(rows, &first.slot).is_some() { all } else { by_rows };
        let ways = [by_rows, of_all, as_amount].map(Change::off);
        self.ways.extend(ways);
        self.percent = Some((*first, of_all));
    }

    /// What nothing settles; the order has been compared with the sheet's totals, and none of the ways led to one.
    ///
    /// `is_told`: whether there is a total that can be nothing but the order's; `is_confirmed`: whether it is that.
    pub(super) fn open(
        &self,
        rows: &Rows<'_>,
        order: &Order,
        (is_explicit, is_told, is_confirmed): (bool, bool, bool),
    ) -> Option<Open> {
        let (total, own) = (order.total(), order.discount);
        let collected = order.order_type == "COD";
        let of = |id: Id| rows.cell(id).or_else(|| rows.line_slot(id));
        let open = |slot: Slot, reading: Finding, sent: Decimal, other: Option<Decimal>| {
            let header = rows.header(&slot);
            total_differs::unclear(header, reading, shown(sent), other.map(shown), Remedy::ignore(header))
        };
        let said = |slot: Slot, finding: Finding| Some(Open { slot, finding: Some(finding), taken: Decimal::ZERO });
        if let Some((Percent { slot, rate }, off)) = self.percent.filter(|_| !is_confirmed) {
            let reading =
                rate.map_or_else(total_differs::percent_unread, |rate| total_differs::percent_off(rate.normalize()));
            let finding = open(slot, reading, total, rate.map(|_| total - off));
            return said(slot, if collected { finding } else { finding.warn() });
        }
        let taken = if own < self.by_lines && !is_explicit && !is_told { self.by_lines } else { Decimal::ZERO };
        if is_told || is_confirmed || !collected {
            let slot = of(Id::LineDiscount).filter(|_| !taken.is_zero())?;
            return Some(Open { slot, finding: None, taken });
        }
        let (sent, by_lines) = (total - taken, shown(self.by_lines));
        if self.in_price.is_some() {
            let (slot, off) = (of(Id::Discount).or_else(|| of(Id::LineDiscount))?, total - sent + own);
            let reading = total_differs::in_price(shown(off));
            return Some(Open { slot, finding: Some(open(slot, reading, sent, Some(sent + off))), taken });
        }
        if !self.by_lines.is_zero() {
            let slot = of(Id::LineDiscount)?;
            let finding = if taken.is_zero() {
                let reading = total_differs::beside_own(by_lines, shown(own));
                let finding = open(slot, reading, total, Some(total - self.by_lines));
                if own < self.by_lines { finding.warn() } else { finding }
            } else {
                total_differs::discounts_taken_off(by_lines, shown(sent))
            };
            return Some(Open { slot, finding: Some(finding), taken });
        }
        // Of several pieces at their list prices nobody can tell whether the discount is that of one of them.
        let slot =
            rows.cell(Id::Discount).filter(|slot| !own.is_zero() && rows.column(slot).is(Trait::BareDiscount))?;
        let at_list = rows.line_slot(Id::Price).is_some_and(|price| rows.column(&price).is(Trait::ListPrice));
        let pieces: Decimal = order.lines.iter().map(|line| line.quantity).sum();
        let several = order.lines.iter().any(|line| line.quantity > Decimal::ONE);
        if !(at_list && several) {
            return None;
        }
        said(slot, open(slot, total_differs::of_each_piece(shown(own)), total, Some(total + own - own * pieces)))
    }
}

/// The lines with their prices and quantities.
fn lines_of<'r>(rows: &Rows<'r>, order: &Order) -> impl Iterator<Item = (&'r LineDraft, (Decimal, Decimal))> {
    rows.draft.lines.iter().zip(&order.lines).map(|(draft, line)| (draft, (line.price, line.quantity)))
}

fn list_price(rows: &Rows<'_>, line: &LineDraft) -> Option<(Decimal, Slot)> {
    rows.amount_of_line(AmountRole::ListPrice, line).map(|(slot, price)| (price, slot))
}

/// A discount that is no more than what the list prices have above the prices is in them already.
fn in_price(rows: &Rows<'_>, order: &Order, sums: &Sums) -> Option<Change> {
    let claimed = if order.discount.is_zero() { sums.discounts } else { order.discount };
    let both = !order.discount.is_zero() && !sums.discounts.is_zero() && order.discount != sums.discounts;
    if claimed.is_zero() || both {
        return None;
    }
    let above =
        lines_of(rows, order).map(|(draft, (price, quantity))| Some((list_price(rows, draft)?.0 - price, quantity)));
    let above: Vec<(Decimal, Decimal)> = above.collect::<Option<_>>()?;
    let of_one: Decimal = above.iter().map(|(above, _)| *above).sum();
    let of_all: Decimal = above.iter().map(|(above, quantity)| above * quantity).sum();
    let is_claimed = |above: Decimal| (above - claimed).abs() <= rounding_of(order);
    let change = Change { is_in_price: true, ..Change::off(-order.discount) };
    (is_claimed(of_one) || is_claimed(of_all)).then_some(change)
}

/// Whether a cell says percent itself.
fn is_percent(text: &str) -> bool {
    text.ends_with('%') && text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'))
}

/// Whether the cell of a discount is in percent, by its own word or by that of the cell beside it.
pub(super) fn is_in_percent(rows: &Rows<'_>, slot: &Slot) -> bool {
    is_percent(rows.text(slot)) || percent_beside(rows, slot).is_some()
}

/// The cell that says of a discount in its row that it is in percent; more than all cannot be taken off.
fn percent_beside(rows: &Rows<'_>, discount: &Slot) -> Option<Slot> {
    let is_word = |word: &str| word.starts_with("percent") || word == "pct";
    let says_percent = |text: &str| {
        !text.contains(|c: char| c.is_ascii_digit()) && (text.contains('%') || words(text).any(|word| is_word(&word)))
    };
    let says_so = |(index, slot): &&(usize, Slot)| {
        slot.at == discount.at
            && rows.claim(*index, slot).is_some_and(|claim| claim.role == AmountRole::DiscountIn)
            && says_percent(rows.text(slot))
    };
    let (_, slot) = rows.draft.amounts.iter().find(says_so)?;
    let is_rate = |amount: &Decimal| amount.abs() <= Decimal::ONE_HUNDRED;
    rows.readings(discount).first().is_none_or(is_rate).then_some(*slot)
}

/// The cells that hold a discount in percent.
fn percent_slots(rows: &Rows<'_>) -> Vec<Slot> {
    let draft = rows.draft;
    let beside = draft.amounts.iter().filter(|(index, slot)| match rows.claim(*index, slot).map(|claim| claim.role) {
        Some(AmountRole::PercentOff) => true,
        Some(AmountRole::Beside) => is_percent(draft.text(slot)),
        _ => false,
    });
    let is_discount = |slot: &&Slot| matches!(slot.id, Id::Discount | Id::LineDiscount) && is_in_percent(rows, slot);
    let fields = draft.cells.iter().chain(&draft.line_cells).filter(is_discount);
    fields.chain(beside.map(|(_, slot)| slot)).copied().collect()
}

/// A rate in percent; of a spreadsheet's percents only the fraction may be left, as `0.1`.
fn rate(rows: &Rows<'_>, slot: &Slot) -> Option<Decimal> {
    let text = rows.text(slot).trim_start_matches(['-', '−', ' ']);
    let fraction = text.parse::<Decimal>().ok().filter(|part| *part > Decimal::ZERO && *part < Decimal::ONE);
    let read = || match value(Input::new(Id::TaxRate.field(), text), rows.rules).ok()?.value {
        Value::Number(rate) => Some(rate),
        _ => None,
    };
    fraction.map(|part| part * Decimal::ONE_HUNDRED).or_else(read)
}
