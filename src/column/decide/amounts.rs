//! Amounts beside the fields, by the first rows of a sheet: those that are paid in advance, or still due, of orders that the courier
//! collects, and those of which no header says what they are.
//!
//! A request can only collect all of an order, so it is asked once whether what is paid goes as a discount.

use std::iter::repeat;

use crate::column::Columns;
use crate::field::{ExtraRole, Id, TotalOf};
use crate::origin::Column;
use crate::parse::{Input, ReadingSettings, Value, value};
use crate::text::Decimal;

use super::sample::Sample;

/// The column that says so of any order in the first rows, where nothing was said of one yet: of two, the one of what is paid.
/// Gives it with the number of these rows; `is_collected` tells by a row's cell of the payment whether the courier collects.
pub(super) fn part_payment(
    columns: &Columns,
    sample: &Sample,
    rules: &ReadingSettings,
    is_collected: impl Fn(Option<&str>) -> bool,
) -> Option<(u32, u32)> {
    let of = |is_paid: bool| {
        let is_meant = move |role| match role {
            ExtraRole::Paid => is_paid,
            ExtraRole::Collect | ExtraRole::Open => !is_paid,
            _ => false,
        };
        columns.claimed(move |own| is_meant(own.role)).map(move |column| (column, is_paid))
    };
    let mut asked = of(true).chain(of(false));
    if columns.is_by_program() || asked.clone().any(|(column, _)| columns.collects_rest(column)) {
        return None;
    }
    asked.find_map(|(column, is_paid)| {
        let rows = rows_in_part(columns, sample, rules, (column, is_paid), &is_collected);
        (rows > 0).then_some((column, rows))
    })
}

/// How many of the first rows are of an order that the courier collects, and of which a part is paid by this column.
fn rows_in_part(
    columns: &Columns,
    sample: &Sample,
    rules: &ReadingSettings,
    (column, is_paid): (u32, bool),
    is_collected: impl Fn(Option<&str>) -> bool,
) -> u32 {
    let mut totals = amounts(total_of_orders(columns), sample, rules);
    let mut discounts = amounts(columns.column(Id::Discount), sample, rules);
    let mut payments = texts(columns.plain(Id::OrderType), sample);
    let mut rows = 0;
    for own in amounts(Some(column), sample, rules) {
        let (total, payment) = (totals.next().flatten(), payments.next().flatten());
        let off = discounts.next().flatten().unwrap_or_default();
        let Some(own) = own.filter(|own| *own > Decimal::ONE) else { continue };
        let is_part = total.map_or(is_paid, |total| own + Decimal::ONE < total - off);
        rows += u32::from(is_part && is_collected(payment));
    }
    rows
}

/// The columns that may hold money by their cells, and of which no header says what it is for.
pub(super) fn unclear_amounts(columns: &Columns) -> Vec<Column> {
    columns.claimed(|own| own.role == ExtraRole::Perhaps).map(|column| columns.named(column)).collect()
}

/// Those of them that can be asked about: a profile knows a column by its header.
#[must_use]
pub fn amounts_to_ask(columns: &Columns) -> Vec<Column> {
    let is_alone = |own: &Column| {
        let bare = columns.get(own.index).bare.as_str();
        columns.headers.iter().filter(|other| other.bare == bare).count() == 1
    };
    unclear_amounts(columns).into_iter().filter(is_alone).collect()
}

/// Whether such a column says in one order all that it comes to, and in another one, which the courier collects, less than that: it
/// may be paid in advance, or still due.
pub(super) fn may_be_in_part(
    columns: &Columns,
    sample: &Sample,
    rules: &ReadingSettings,
    is_collected: impl Fn(Option<&str>) -> bool,
) -> bool {
    let Some(total) = total_of_orders(columns) else { return false };
    unclear_amounts(columns).iter().any(|column| {
        let own = amounts(Some(column.index), sample, rules).zip(amounts(Some(total), sample, rules));
        let each = own.zip(texts(columns.plain(Id::OrderType), sample).chain(repeat(None)));
        let (mut is_all, mut is_part) = (false, false);
        for ((own, total), payment) in each {
            let Some((own, total)) = own.zip(total).filter(|(own, _)| *own > Decimal::ONE) else { continue };
            is_all |= own == total;
            is_part |= own + Decimal::ONE < total && is_collected(payment);
        }
        is_all && is_part
    })
}

/// The column of what orders come to.
fn total_of_orders(columns: &Columns) -> Option<u32> {
    let totals = columns.claims.iter().filter(|own| match own.role {
        ExtraRole::Order => true,
        ExtraRole::Total => columns.get(own.column).total_of != TotalOf::Products,
        _ => false,
    });
    totals.map(|own| own.column).next()
}

/// The texts of a column in the first rows; none without a column.
fn texts(column: Option<u32>, sample: &Sample) -> impl Iterator<Item = Option<&str>> {
    column.into_iter().flat_map(|column| sample.column(column).first_texts())
}

/// The amounts of a column in the first rows.
fn amounts(column: Option<u32>, sample: &Sample, rules: &ReadingSettings) -> impl Iterator<Item = Option<Decimal>> {
    texts(column, sample).map(|text| match value(Input::new(Id::Price.field(), text?), rules).value {
        Some(Value::Number(amount)) => Some(amount),
        _ => None,
    })
}
