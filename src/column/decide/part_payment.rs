//! Amounts that are paid in advance, or still due, of orders that the courier collects: a request can only collect all of an order,
//! so it is asked once whether what is paid goes as a discount.

use crate::column::Columns;
use crate::field::{ExtraRole, Id, TotalOf};
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
    let texts = |column: Option<u32>| column.into_iter().flat_map(|column| sample.column(column).first_texts());
    let amount = |text: Option<&str>| match value(Input::new(Id::Price.field(), text?), rules).value {
        Some(Value::Number(amount)) => Some(amount),
        _ => None,
    };
    let totals = columns.claims.iter().filter(|own| match own.role {
        ExtraRole::Order => true,
        ExtraRole::Total => columns.get(own.column).total_of != TotalOf::Products,
        _ => false,
    });
    let total = totals.map(|own| own.column).next();
    let discount = columns.column(Id::Discount);
    let mut totals = texts(total);
    let mut discounts = texts(discount);
    let mut payments = texts(columns.plain(Id::OrderType));
    let mut rows = 0;
    for text in texts(Some(column)) {
        let (total, payment) = (totals.next().flatten(), payments.next().flatten());
        let off = discounts.next().flatten().and_then(|text| amount(Some(text))).unwrap_or_default();
        let Some(own) = amount(text).filter(|own| *own > Decimal::ONE) else { continue };
        let total = amount(total).map(|total| total - off);
        let is_part = total.map_or(is_paid, |total| own + Decimal::ONE < total);
        rows += u32::from(is_part && is_collected(payment));
    }
    rows
}
