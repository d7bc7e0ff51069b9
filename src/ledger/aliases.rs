//! The forms of order numbers, by which orders are found under another number.

use sha2::{Digest as _, Sha256};

use super::db::{Connection, params};
use super::error::LedgerError;
use super::record::OrderId;
use crate::text::{NumberForms, unspelled};

/// Characters at the end of a form in which neighbouring numbers differ. The text before them makes the first half of the value:
/// numbers in a row lie close together.
const LAST_CHARACTERS: usize = 3;

/// The value of a form of a number: a whole one, or a part.
fn value(form: &str, is_part: bool) -> i64 {
    let half = |text: &str, before: &[u8]| {
        let hash: [u8; 32] = Sha256::new().chain_update(before).chain_update(text).finalize().into();
        hash.first_chunk().map_or(0, |first| u32::from_le_bytes(*first))
    };
    let stem = form.char_indices().rev().nth(LAST_CHARACTERS - 1).map_or("", |(at, _)| &form[..at]);
    let kind: &[u8] = if is_part { b"part\n" } else { b"own\n" };
    i64::from(half(stem, kind) >> 1) << 32 | i64::from(half(form, kind))
}

/// The values under which an order of this number is kept.
fn kept_under(forms: &NumberForms) -> impl Iterator<Item = i64> {
    let whole = std::iter::once(&forms.own).chain(&forms.spoiled).map(|form| value(form, false));
    whole.chain(forms.parts.iter().map(|part| value(part, true)))
}

/// The values under which orders are kept whose numbers are like this one.
pub(super) fn looked_for(forms: &NumberForms) -> Vec<i64> {
    let whole = std::iter::once(&forms.own).chain(&forms.spoiled).chain(&forms.parts).map(|form| value(form, false));
    whole.chain([value(&forms.own, true)]).collect()
}

/// The value of a number that stands beside another one, by which an order of that number is found.
#[must_use]
pub fn alias(number: &str) -> i64 {
    value_of(&unspelled(number))
}

/// The value of a number that is without its spelling already.
pub(super) fn value_of(unspelled: &str) -> i64 {
    value(unspelled, false)
}

/// Keeps the forms of an order's number.
pub(super) fn keep(connection: &Connection, order: OrderId, number: &str) -> Result<(), LedgerError> {
    let values: Vec<i64> = kept_under(&NumberForms::of(number)).collect();
    let mut statement = connection.prepare_cached(
        "INSERT INTO aliases (value, order_id) VALUES (?1, ?5), (?2, ?5), (?3, ?5), (?4, ?5) ON CONFLICT DO NOTHING",
    )?;
    for some in values.chunks(4) {
        let of = |n: usize| some.get(n).copied().unwrap_or(some[0]);
        let (first, second, third, fourth) = (of(0), of(1), of(2), of(3));
        statement.execute(params![first, second, third, fourth, order.0])?;
    }
    Ok(())
}

/// Keeps the forms of the numbers of all orders: of a ledger of a layout that had none.
pub(super) fn keep_all(connection: &Connection) -> Result<(), LedgerError> {
    let mut orders = connection.prepare("SELECT id, number FROM orders ORDER BY id")?;
    let orders: Vec<(i64, String)> =
        orders.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    orders.iter().try_for_each(|(order, number)| keep(connection, OrderId(*order), number))
}
