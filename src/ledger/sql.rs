//! Between the database's values and ours.

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row};
use rust_decimal::Decimal;

use super::error::LedgerError;
use super::record::State;

/// A count for the database; none of ours comes near the limit.
pub(super) fn int(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A state by its word.
pub(super) fn word(row: &Row<'_>, index: usize) -> rusqlite::Result<State> {
    let text = row.get_ref(index)?.as_str()?;
    State::from_word(text).ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(index, Type::Text, format!("\"{text}\" is no state").into())
    })
}

/// The id of a service, if the ledger knows it.
pub(super) fn service_id(connection: &Connection, origin: &str) -> Result<Option<i64>, LedgerError> {
    let mut statement = connection.prepare_cached("SELECT id FROM services WHERE origin = ?1")?;
    Ok(statement.query_row([origin], |row| row.get(0)).optional()?)
}

/// An amount as it is kept, in digits.
pub(super) fn amount(row: &Row<'_>, index: usize) -> rusqlite::Result<Decimal> {
    let text = row.get_ref(index)?.as_str()?;
    text.parse().map_err(|error: rust_decimal::Error| {
        rusqlite::Error::FromSqlConversionFailure(index, Type::Text, error.into())
    })
}
