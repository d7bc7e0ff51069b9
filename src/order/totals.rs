//! The sheet's own totals against what an order comes to: nobody is asked for the wrong amount at the door.

use std::fmt::Write as _;

use rust_decimal::Decimal;

use crate::check::{Condition, Decimals, Habit, Input, Value, unmarked, value};
use crate::field::{AmountRole, Id};
use crate::problem::{Code, Problem};

use super::build::{Reader, Spot};
use super::draft::{Draft, LineDraft, Slot};
use super::group::{Cells, Row};
use super::layout::{Amount, Fed, Layout};
use super::types::Order;

/// What two sums may differ by for each line: each of them may have been rounded.
const ROUNDING: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

impl Draft {
    /// Keeps what the row says of the order's amounts beside the fields.
    pub(super) fn keep_amounts<C: Cells>(&mut self, row: &Row<'_, C>, layout: &Layout) {
        for (index, amount) in layout.amounts().iter().enumerate() {
            let fed = Fed { id: Id::SubTotal, column: amount.column, product: 0, step: None, shared: true };
            let (text, condition) = row.cells.cell(fed);
            if !text.is_empty() {
                let slot = self.keep(fed, text, condition, row.at);
                self.amounts.push((index, slot));
            }
        }
    }
}

/// An amount of the sheet that was read.
#[derive(Debug, Clone, Copy)]
struct Given {
    role: AmountRole,
    slot: Slot,
    /// What the sheet says: one figure, or the sum of its parts.
    amount: Decimal,
    /// What else it may say: the sum where every row repeats one figure, or another reading of its separators.
    other: Option<Decimal>,
}

impl Given {
    /// Whether it is an amount that no field carries.
    fn is_beside(&self) -> bool {
        matches!(self.role, AmountRole::Beside | AmountRole::Tax) && !self.amount.is_zero()
    }

    fn is(&self, amount: Decimal, rounding: Decimal) -> bool {
        [Some(self.amount), self.other].into_iter().flatten().any(|given| same(given, amount, rounding))
    }
}

/// Whether two sums are one but for rounding, to the cent on each line or to a whole amount at the end.
fn same(given: Decimal, computed: Decimal, rounding: Decimal) -> bool {
    let difference = (given - computed).abs();
    difference <= rounding || (given.fract().is_zero() && difference < Decimal::ONE)
}

impl Reader<'_> {
    /// Compares the order with what its sheet says it comes to.
    ///
    /// What is collected at the door must be what the sheet says; of a prepaid order only the worth would be wrong.
    pub(super) fn check_totals(&mut self, order: &Order) {
        let collected = order.order_type == "COD";
        let by_lines: Decimal = order.lines.iter().map(|line| line.discount).sum();
        if self.draft.amounts.is_empty() && (!collected || by_lines.is_zero()) {
            return;
        }
        let given = self.given(collected);
        if collected && self.paid_in_part(&given, order) {
            return;
        }
        let rounding = ROUNDING * Decimal::from(order.lines.len());
        let total = order.total();
        let of = |role: AmountRole| given.iter().filter(move |given| given.role == role);
        // What is to be collected of a prepaid order is nothing, whatever it is worth.
        let compared = of(AmountRole::Collect).filter(|_| collected).chain(of(AmountRole::Order));
        if !collected {
            self.warn_of_collecting(order, of(AmountRole::Collect).next());
        }
        let mut confirmed = false;
        for total_given in compared {
            confirmed |= total_given.is(total, rounding);
            if !total_given.is(total, rounding) {
                self.say_total(order, total_given, &given, collected);
                return;
            }
        }
        if collected && !confirmed {
            let taxed = order.lines.iter().all(|line| line.taxes_included) && self.says_taxed();
            self.say_unsure(&given, by_lines, total, taxed);
        }
    }

    /// Whether the sheet itself, or its profile, says of every line whether taxes are in its price.
    fn says_taxed(&self) -> bool {
        let draft = self.draft;
        let cell = |line: &LineDraft| draft.cells_of(line).iter().any(|slot| slot.id == Id::TaxesIncluded);
        let default = |line: &LineDraft| self.layouts.of(line.at.sheet).default(Id::TaxesIncluded).is_some();
        draft.lines.iter().all(|line| cell(line) || default(line))
    }

    /// Says of an order that goes as paid that its sheet wants money for it.
    fn warn_of_collecting(&mut self, order: &Order, wanted: Option<&Given>) {
        // Of a payment that is missing or wrong there is an error of its own.
        let told = order.order_type.is_empty();
        let Some(wanted) = wanted.filter(|wanted| !told && !wanted.amount.is_zero()) else { return };
        let message = format!(
            "the sheet says that {} is to be collected, but the order goes as {}: nothing is collected",
            shown(wanted.amount),
            order.order_type
        );
        let problem = Problem::warning(Code::TotalDiffers, message).found(self.draft.text(&wanted.slot).to_owned());
        self.say(problem.hint("make its payment COD, or empty the cell"), Id::OrderType, Spot::of(&wanted.slot));
    }

    /// The amount of a line that the sheet says beside the fields.
    pub(super) fn amount_of_line(&mut self, role: AmountRole, line: &LineDraft) -> Option<(Slot, Decimal)> {
        let draft = self.draft;
        let amounts = self.layouts.of(line.at.sheet).amounts();
        let of_line = |(index, slot): &&(usize, Slot)| {
            slot.at == line.at && amounts.get(*index).is_some_and(|amount| amount.role == role)
        };
        let (_, slot) = draft.amounts.iter().find(of_line)?;
        Some((*slot, self.readings(slot).first().copied()?))
    }

    /// The sheet's amounts; one that cannot be read holds back what is collected by it.
    fn given(&mut self, collected: bool) -> Vec<Given> {
        let draft = self.draft;
        let mut given: Vec<Given> = Vec::new();
        let mut seen: Vec<(u16, usize)> = Vec::new();
        for (index, slot) in &draft.amounts {
            let sheet = slot.at.sheet;
            let Some(amount) = self.layouts.of(sheet).amounts().get(*index).copied() else { continue };
            if matches!(amount.role, AmountRole::Pieces | AmountRole::Standing) || seen.contains(&(sheet, *index)) {
                continue;
            }
            seen.push((sheet, *index));
            let alike = |(other, slot): &&(usize, Slot)| other == index && slot.at.sheet == sheet;
            let slots: Vec<Slot> = draft.amounts.iter().filter(alike).map(|(_, slot)| *slot).collect();
            given.extend(self.total_of(amount, &slots, collected));
        }
        given
    }

    /// What the cells of one column say of the order.
    fn total_of(&mut self, amount: Amount, slots: &[Slot], collected: bool) -> Option<Given> {
        let draft = self.draft;
        let first = *slots.first()?;
        let Amount { role, each_line, .. } = amount;
        let mut read: Vec<Vec<Decimal>> = Vec::new();
        for slot in slots {
            let readings = match word(draft.text(slot)) {
                Some(Word::Nothing) => vec![Decimal::ZERO],
                Some(Word::Yes) if role == AmountRole::Paid => vec![Decimal::ONE],
                _ => self.readings(slot),
            };
            if readings.is_empty() {
                if collected && !matches!(role, AmountRole::Beside | AmountRole::Tax) {
                    let message = "an amount that cannot be read, so that nobody can tell what is to be collected";
                    let problem = Problem::error(Code::TotalDiffers, message).found(draft.text(slot));
                    let hint = "write digits, with a point before the decimals, or empty the cell";
                    self.say(problem.hint(hint), Id::SubTotal, Spot::of(slot));
                }
                return None;
            }
            read.push(readings);
        }
        let repeated = read.iter().all(|readings| *readings == read[0]);
        let sum: Decimal = read.iter().map(|readings| readings[0]).sum();
        let shown = if repeated { read[0][0] } else { sum };
        let other = if repeated && each_line && sum != shown { Some(sum) } else { read[0].get(1).copied() };
        Some(Given { role, slot: first, amount: shown, other })
    }

    /// What a cell may mean as an amount: as its column writes numbers, or either way where that cannot be told.
    fn readings(&self, slot: &Slot) -> Vec<Decimal> {
        let layout = self.layouts.of(slot.at.sheet);
        let text = unmarked(Id::SubTotal.field(), self.draft.text(slot));
        let currency = Some(self.currency.as_str()).filter(|currency| !currency.is_empty());
        let read = |decimals: Decimals| {
            let input = Input {
                native: slot.condition == Condition::Native,
                currency,
                habit: Habit { decimals, ..Habit::default() },
                ..Input::new(Id::SubTotal.field(), text)
            };
            match value(input, self.rules).ok().map(|reading| reading.value) {
                Some(Value::Number(number)) => Some(number),
                _ => None,
            }
        };
        if slot.condition.is_fault() {
            return Vec::new();
        }
        if let Some(sure) = read(layout.habit(Id::Price).decimals) {
            return vec![sure];
        }
        let mut either: Vec<Decimal> = [Decimals::Point, Decimals::Comma].into_iter().filter_map(read).collect();
        either.dedup();
        either
    }

    /// An order of which a part is paid: the request can only collect all of it.
    fn paid_in_part(&mut self, given: &[Given], order: &Order) -> bool {
        let paid = |given: &&Given| given.role == AmountRole::Paid && !given.amount.is_zero();
        let Some(paid) = given.iter().find(paid).copied() else { return false };
        let found = self.draft.text(&paid.slot).to_owned();
        let message = format!(
            "{} says that a part of this order is paid already, but it would be collected in full: {}",
            self.place(Spot::of(&paid.slot)),
            shown(order.total())
        );
        let hint = "a request has no field for a part payment: add what is paid to the order's discount and empty this \
                    cell, or make the order prepaid";
        let problem = Problem::error(Code::PartlyPaid, message).found(found).hint(hint);
        self.say(problem, Id::OrderType, Spot::of(&paid.slot));
        true
    }

    /// Says that a total of the sheet is another one than the order's.
    fn say_total(&mut self, order: &Order, total: &Given, given: &[Given], collected: bool) {
        let rounding = ROUNDING * Decimal::from(order.lines.len());
        let difference = total.amount - order.total();
        let beside = |given: &&Given| given.is_beside() && given.is(difference, rounding);
        let beside = given.iter().find(beside).copied();
        // A tax on top, or what is shipped already, changes what a prepaid order is worth and nothing else.
        if !collected && (beside.is_some() || self.draft.lines_left_out > 0) {
            return;
        }
        let what = if total.role == AmountRole::Collect { "is to be collected" } else { "is the order's total" };
        let message = format!(
            "the sheet says that {} {what}, but what would be sent comes to {} ({})",
            shown(total.amount),
            shown(order.total()),
            sums(order)
        );
        let hint = self.cause(order, difference, beside);
        let problem = if collected {
            Problem::error(Code::TotalDiffers, message)
        } else {
            Problem::warning(Code::TotalDiffers, message)
        };
        let found = self.draft.text(&total.slot).to_owned();
        self.say(problem.found(found).hint(hint), Id::SubTotal, Spot::of(&total.slot));
    }

    /// What a difference most likely comes from, and what to do.
    fn cause(&self, order: &Order, difference: Decimal, beside: Option<Given>) -> String {
        let by_lines: Decimal = order.lines.iter().map(|line| line.discount).sum();
        let is = |amount: Decimal, part: Decimal| !part.is_zero() && amount == part;
        if let Some(beside) = beside {
            let header = self.place(Spot::of(&beside.slot)).column.map_or_else(String::new, |column| column.header);
            let profile = self.layouts.of(beside.slot.at.sheet).profile();
            let base = profile.map_or_else(String::new, |name| format!("based_on = \"{name}\" and "));
            return format!(
                "the difference is what \"{header}\" says: if that comes on top, send it along by a profile with {base}\
                 [columns] \"{}\" = \"{header}\"",
                Id::OtherCharges.field().path
            );
        }
        if is(difference, order.discount) {
            return format!(
                "the difference is the discount of {}: if the prices have it taken off already, leave the discount empty",
                shown(order.discount)
            );
        }
        if let Some((name, charge)) = [("shipping", order.shipping_charges), ("other", order.other_charges)]
            .into_iter()
            .find(|(_, charge)| is(-difference, *charge))
        {
            return format!(
                "the difference is the {name} charges of {}: if the prices or the total have them in already, leave \
                 them empty",
                shown(charge)
            );
        }
        if is(-difference, by_lines) {
            return format!(
                "the difference is the products' own discounts of {}, which the subtotal does not have taken off: \
                 write them as \"{}\"",
                shown(by_lines),
                Id::Discount.field().header
            );
        }
        if self.draft.lines_left_out > 0 {
            return "products of this order are left out: make the total that of the rest".to_owned();
        }
        "correct prices, quantities, charges, discount or the total, so that they agree".to_owned()
    }

    /// Says of an order that no total confirms what may change the amount that is collected.
    fn say_unsure(&mut self, given: &[Given], by_lines: Decimal, total: Decimal, taxed: bool) {
        let beside = |given: &&Given| given.is_beside() && !(taxed && given.role == AmountRole::Tax);
        if let Some(beside) = given.iter().find(beside).copied() {
            let message = format!(
                "an amount of {} that no field carries; {} would be collected, and no total of the sheet confirms it",
                shown(beside.amount),
                shown(total)
            );
            let hint = if beside.role == AmountRole::Tax {
                "if the prices have it in already, say yes in a column \"Taxes Included\"; if it comes on top, write what \
                 is to be collected into a column \"COD Amount\""
            } else {
                "work it into price, discount or other charges and empty the cell, or write what is to be collected into a \
                 column \"COD Amount\""
            };
            let problem = Problem::error(Code::TotalDiffers, message).found(self.draft.text(&beside.slot).to_owned());
            return self.say(problem.hint(hint), Id::OtherCharges, Spot::of(&beside.slot));
        }
        if !by_lines.is_zero() {
            let message = format!(
                "the products have discounts of {} of their own; they are sent with the products, and {} is \
                 collected as if there were none",
                shown(by_lines),
                shown(total)
            );
            let hint = format!(
                "if they are to be taken off, write them as \"{}\"; or confirm the amount in a column \"COD Amount\"",
                Id::Discount.field().header
            );
            let slots = self.draft.lines.iter().flat_map(|line| self.draft.cells_of(line));
            let spot = slots.filter(|slot| slot.id == Id::LineDiscount).map(Spot::of).next().unwrap_or(self.first);
            self.say(Problem::warning(Code::TotalDiffers, message).hint(hint), Id::LineDiscount, spot);
        }
    }
}

/// What a cell says that is no amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Nothing,
    Yes,
}

fn word(text: &str) -> Option<Word> {
    let is = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if is(&["no", "n", "false", "-", "na", "n/a", "none", "nil"]) {
        return Some(Word::Nothing);
    }
    is(&["yes", "y", "true", "partial"]).then_some(Word::Yes)
}

/// An amount as people write it.
fn shown(amount: Decimal) -> Decimal {
    let mut amount = amount.normalize();
    if amount.scale() < 2 {
        amount.rescale(2);
    }
    amount
}

/// What an order's total is made of.
fn sums(order: &Order) -> String {
    let parts = [
        ("+ shipping", order.shipping_charges),
        ("+ other charges", order.other_charges),
        ("− discount", order.discount),
    ];
    let mut text = format!("products {}", shown(order.sub_total));
    for (name, amount) in parts.into_iter().filter(|(_, amount)| !amount.is_zero()) {
        // Writing into text cannot fail.
        let _ = write!(text, " {name} {}", shown(amount));
    }
    text
}
