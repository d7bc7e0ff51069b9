//! Between the database's values and ours.

use crate::text::Decimal;

use super::db::{self, Connection, OptionalExtension, Row};
use super::error::LedgerError;
use super::record::State;

/// A count for the database; none of ours comes near the limit.
pub(super) fn int(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// An AWB in a statement without what stands between its characters, in capitals and without zeros in front; as its index has it.
macro_rules! bare_awb_of {
    ($awb:literal) => {
        concat!(
            "ltrim(upper(replace(replace(replace(replace(replace(",
            $awb,
            ", '-', ''), '/', ''), '_', ''), '.', ''), '#', '')), '0')"
        )
    };
}
pub(in crate::ledger) use bare_awb_of;

/// A state by its word.
pub(super) fn word(row: &Row<'_>, index: usize) -> db::Result<State> {
    let text = row.get_ref(index)?.as_str()?;
    State::from_word(text).ok_or_else(|| db::Error::Meaningless(format!("\"{text}\" is no state")))
}

/// The id of a service, if the ledger knows it.
pub(super) fn service_id(connection: &Connection, origin: &str) -> Result<Option<i64>, LedgerError> {
    let mut statement = connection.prepare_cached("SELECT id FROM services WHERE origin = ?1")?;
    Ok(statement.query_row([origin], |row| row.get(0)).optional()?)
}

/// An amount as it is kept, in digits.
pub(super) fn amount(row: &Row<'_>, index: usize) -> db::Result<Decimal> {
    let text = row.get_ref(index)?.as_str()?;
    text.parse().map_err(|error: crate::text::DecimalError| db::Error::Meaningless(format!("\"{text}\": {error}")))
}
