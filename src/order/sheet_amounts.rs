//! What a sheet says of its orders' amounts beside the fields, as far as it can be read.

use crate::column::{Columns, Extra, Feed};
use crate::field::{ExtraRole, Id, Payment, StateRole, Status, TotalOf, payment_word, says};
use crate::finding::money::total_differs;
use crate::finding::{Amount, AmountChoice, AmountOf};
use crate::parse::Condition;
use crate::text::Decimal;
use crate::words::{Topic, Vocabulary, may_speak};

use super::raw_order::{RawCell, RawLine, RawOrder, Row};
use super::read::ValueReader;
use super::rows::{CellRef, Rows};
use super::types::Order;

/// What two sums may differ by for each line: each of them may have been rounded.
pub(crate) const ROUNDING: Decimal = Decimal::from_parts(1, 0, 0, false, 2);

/// What two sums of an order may differ by.
pub(crate) fn rounding_of(order: &Order) -> Decimal {
    ROUNDING * Decimal::from(order.lines.len())
}

/// Keeps what the row says of the order's amounts beside the fields.
pub(super) fn keep_amounts(order: &mut RawOrder, row: &Row<'_>, columns: &Columns) {
    for (index, claim) in columns.claims.iter().enumerate() {
        let fed = Feed::of(Id::SubTotal, claim.column, None);
        let (text, condition) = row.cell(fed);
        // A cell that may change what is collected is no blank one because nobody has calculated it.
        let decides =
            !matches!(claim.role, ExtraRole::Sign(StateRole::Note) | ExtraRole::Perhaps | ExtraRole::ListPrice);
        if let (Condition::NoValue, true, Some(fault)) = (condition, decides, condition.fault()) {
            order.problems.push(fault.at(columns.cell(row.at.row, claim.column)).of_order(order.number.clone()));
        }
        // Of notes only what may decide something is kept.
        let speaks = claim.role != ExtraRole::Sign(StateRole::Note) || may_speak(text);
        if !text.is_empty() && speaks {
            let slot = order.keep(fed, text, condition, row.at);
            order.amounts.push((index, slot));
        }
    }
}

/// The amounts of which an order may be sent with one: what it comes to, and another one above zero.
pub(crate) fn choice(order: &Order, of: AmountOf, other: Option<(Decimal, AmountOf)>) -> AmountChoice {
    let stands = Amount { amount: order.total(), of };
    let other = other.filter(|(amount, _)| *amount > Decimal::ZERO && *amount != stands.amount);
    AmountChoice {
        stands,
        other: other.map(|(amount, of)| Amount { amount, of }),
        currency: order.lines.first().map_or_else(String::new, |line| line.currency_code.to_string()),
        is_collected: order.order_type == "COD",
    }
}

/// What a total is equal to, whatever it is the total of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Equals {
    /// Nothing but the order, if anything.
    Other,
    /// What the products come to, with nothing on top and nothing taken off.
    Products,
    /// Of each row, its own products, as an order of several rows shows.
    Rows,
}

/// An amount of the sheet that was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SheetAmount {
    pub(crate) role: ExtraRole,
    pub(crate) slot: RawCell,
    /// What the sheet says: one figure, or the sum of its parts.
    pub(crate) amount: Decimal,
    /// What else it may say: the sum where every row repeats one figure, or another reading of its separators.
    other: Option<Decimal>,
    /// What it is equal to beside the order as a whole.
    pub(crate) equals: Equals,
    /// What its header says that it is the total of.
    pub(crate) named: TotalOf,
    /// Whether it only says yes.
    pub(crate) is_word: bool,
    /// Whether its header alone says what it is, and no profile.
    pub(crate) by_header: bool,
}

impl SheetAmount {
    pub(crate) fn is(&self, amount: Decimal, rounding: Decimal) -> bool {
        [Some(self.amount), self.other].into_iter().flatten().any(|given| same(given, amount, rounding))
    }

    /// The same and so much more.
    pub(super) fn plus(self, more: Decimal) -> Self {
        Self { amount: self.amount + more, other: None, ..self }
    }

    /// Whether it is this amount, and not only that without its cents.
    pub(super) fn is_to_the_cent(&self, amount: Decimal, rounding: Decimal) -> bool {
        [Some(self.amount), self.other].into_iter().flatten().any(|given| (given - amount).abs() <= rounding)
    }

    /// The sum where every row has the same figure, or what its separators may mean else; the amount where it has none.
    pub(crate) fn otherwise(&self) -> Decimal {
        self.other.unwrap_or(self.amount)
    }

    /// Whether it says beyond doubt that this is what the order comes to, and not its products alone.
    pub(crate) fn confirms(&self, total: Decimal, rounding: Decimal) -> bool {
        self.is(total, rounding) && (self.equals == Equals::Other || self.named == TotalOf::Order)
    }

    /// Whether it is what is still to be paid.
    pub(crate) const fn is_due(&self) -> bool {
        matches!(self.role, ExtraRole::Collect | ExtraRole::Open)
    }

    /// Whether it is an amount that no field carries.
    pub(crate) fn is_beside(&self) -> bool {
        matches!(self.role, ExtraRole::Beside | ExtraRole::Tax) && !self.amount.is_zero()
    }
}

/// Whether two sums are one but for rounding, to the cent on each line or to a whole amount at the end.
pub(crate) fn same(given: Decimal, computed: Decimal, rounding: Decimal) -> bool {
    let difference = (given - computed).abs();
    difference <= rounding || (given.fract().is_zero() && difference < Decimal::ONE)
}

/// The sheet's amounts; one that cannot be read holds back what is collected by it.
pub(super) fn sheet_amounts(reader: &mut ValueReader<'_>, order: &Order) -> Vec<SheetAmount> {
    let mut columns: Vec<(u16, Extra, Vec<RawCell>)> = Vec::new();
    for (claim, slot) in reader.rows.claimed().filter(|(claim, _)| claim.role.is_money()) {
        match columns.iter_mut().find(|(sheet, other, _)| (*sheet, *other) == (slot.at.sheet, claim)) {
            Some((.., slots)) => slots.push(*slot),
            None => columns.push((slot.at.sheet, claim, vec![*slot])),
        }
    }
    columns.into_iter().filter_map(|(_, claim, slots)| total_of(reader, claim, &slots, order)).collect()
}

/// What the cells of one column say of the order.
fn total_of(reader: &mut ValueReader<'_>, claim: Extra, slots: &[RawCell], order: &Order) -> Option<SheetAmount> {
    let first = *slots.first()?;
    let Extra { role, each_line, by_header, .. } = claim;
    let column = reader.rows.column(&first);
    let columns = reader.rows.sheets.of(first.at.sheet);
    let is_payment = columns.is_collected() && columns.column(Id::OrderType) == Some(first.column);
    let is_flag = column.says("cod-flag") || (role == ExtraRole::Collect && is_payment);
    let mut read: Vec<Vec<Decimal>> = Vec::new();
    let mut words = 0;
    for slot in slots {
        let text = reader.rows.text(slot);
        // `Is COD` may be 1 or 0; nobody collects one rupee.
        let said = if is_flag && text == "1" { Some(true) } else { yes_or_no(role, text) };
        words += usize::from(said == Some(true));
        let readings = match said {
            Some(is_yes) => vec![Decimal::from(u8::from(is_yes))],
            None if matches!(role, ExtraRole::Beside | ExtraRole::Tax) => {
                // What is taken off may be written with its minus, and any other charge is taken off by it.
                let plain = text.trim_start_matches(['-', '−', ' ']);
                let is_less = plain.len() < text.len() && role == ExtraRole::Beside && !column.says("taken-off");
                let read = reader.rows.readings_of(slot, plain);
                if is_less { read.into_iter().map(|amount| -amount).collect() } else { read }
            }
            None => reader.rows.readings(slot),
        };
        if readings.is_empty() {
            say_unreadable(reader, role, slot, order);
            return None;
        }
        read.push(readings);
    }
    let repeated = read.iter().all(|readings| *readings == read[0]);
    let sum: Decimal = read.iter().map(|readings| readings[0]).sum();
    let amount = if repeated { read[0][0] } else { sum };
    let other = if repeated && each_line && sum != amount { Some(sum) } else { read[0].get(1).copied() };
    // A word that may mean other things is money by its look, and hardly above all that the order comes to.
    let is_number = by_header
        && (column.says("weak-total") && !is_money_like(column.says("bill"), reader.rows.text(&first), amount, order)
            || role == ExtraRole::Beside && column.says("bare-amount") && amount > order.total());
    if is_number {
        return None;
    }
    let named = match role {
        ExtraRole::Total if reader.rows.sheets.of(first.at.sheet).row_totals.contains(&first.column) => {
            TotalOf::Products
        }
        ExtraRole::Total => column.total_of,
        _ => TotalOf::Order,
    };
    let is_word = words == slots.len();
    let given = SheetAmount { role, slot: first, amount, other, equals: Equals::Other, named, is_word, by_header };
    let is_total = role == ExtraRole::Total;
    Some(SheetAmount {
        equals: if is_total { equals(&reader.rows, &given, slots, &read, order) } else { Equals::Other },
        ..given
    })
}

fn say_unreadable(reader: &mut ValueReader<'_>, role: ExtraRole, slot: &RawCell, order: &Order) {
    let text = reader.rows.text(slot);
    let telling = match role {
        ExtraRole::Order | ExtraRole::Collect | ExtraRole::Open | ExtraRole::Paid => true,
        ExtraRole::Total => slot.condition.is_fault() || text.contains(|c: char| c.is_ascii_digit()),
        _ => false,
    };
    if order.order_type == "COD" && telling {
        reader.say(total_differs::unreadable().found(text), Id::SubTotal, CellRef::of(slot));
    }
}

/// Whether a total is that of all products, or each row's figure that of the row's own ones.
fn equals(rows: &Rows<'_>, given: &SheetAmount, slots: &[RawCell], read: &[Vec<Decimal>], order: &Order) -> Equals {
    let worth = |own: &dyn Fn(&RawLine) -> bool| {
        let lines = rows.draft.lines.iter().zip(&order.lines).filter(|(draft, _)| own(draft));
        let (gross, less) = lines.fold((Decimal::ZERO, Decimal::ZERO), |(gross, less), (_, line)| {
            (gross + line.price * line.quantity, less + line.discount)
        });
        [gross, gross - less]
    };
    let own_of_each = slots.iter().zip(read).all(|(slot, readings)| {
        // The figure of a row whose product is left out is not of what goes.
        let has_line = rows.draft.lines.iter().any(|line| line.at == slot.at);
        let own = worth(&|line| line.at == slot.at);
        !has_line || own.into_iter().any(|sum| readings.iter().any(|given| same(*given, sum, ROUNDING)))
    });
    // What is rounded to a whole amount may be the order's, unless its header says the products.
    let is_products = |sum: Decimal| {
        given.is_to_the_cent(sum, rounding_of(order))
            || (given.named == TotalOf::Products && given.is(sum, rounding_of(order)))
    };
    if own_of_each && rows.draft.rows.len() > 1 {
        Equals::Rows
    } else if worth(&|_| true).into_iter().any(is_products) {
        Equals::Products
    } else {
        Equals::Other
    }
}

/// Whether a figure under a header that may mean other things is money: by its sign, or by its decimals where it may be the
/// number of a bill, and else by its size.
fn is_money_like(may_be_number: bool, text: &str, amount: Decimal, order: &Order) -> bool {
    let figures = text.trim_matches(|c: char| !c.is_ascii_digit());
    let has_cents = || figures.rsplit_once(['.', ',']).is_some_and(|(_, cents)| cents.len() == 2);
    let is_sized = || amount >= order.total() / Decimal::TEN && amount <= order.total() * Decimal::TEN;
    // A number hardly lies a round sum beside what the order comes to.
    let difference = (amount - order.total()).abs();
    let is_beside = (difference % Decimal::TEN).is_zero() && difference * Decimal::TWO <= order.total();
    figures.len() < text.len() || if may_be_number { has_cents() || is_beside } else { is_sized() }
}

/// Whether a person has the courier collect the rest of orders of which this amount says how much is paid, or still due.
pub(super) fn collects_rest(rows: &Rows<'_>, given: &SheetAmount) -> bool {
    rows.sheets.of(given.slot.at.sheet).collects_rest(given.slot.column)
}

/// What a cell says that is no amount: of what is paid or to be collected, no more than yes or no; of any other, nothing.
fn yes_or_no(role: ExtraRole, text: &str) -> Option<bool> {
    if !text.contains(char::is_alphabetic) {
        return (text == "-").then_some(false);
    }
    let words = Vocabulary::built_in().text(text);
    let payment = |sense: &str| words.says(Topic::Payment, sense);
    if says(text) == Status::No || words.says(Topic::Values, "no-amount") {
        return Some(false);
    }
    match (role, payment_word(text)) {
        (ExtraRole::Paid | ExtraRole::Collect, _) if says(text) == Status::Yes => Some(true),
        (ExtraRole::Paid, Some(Payment::Cod)) | (ExtraRole::Collect, Some(Payment::Prepaid | Payment::Means)) => {
            Some(false)
        }
        (ExtraRole::Collect, Some(Payment::Cod)) => Some(true),
        (ExtraRole::Paid, None) if payment("part") => Some(true),
        (ExtraRole::Paid, None) if payment("open") => Some(false),
        _ => None,
    }
}

/// An amount as people write it.
pub(crate) fn shown(amount: Decimal) -> Decimal {
    let mut amount = amount.normalize();
    if amount.scale() < 2 {
        amount.rescale(2);
    }
    amount
}
