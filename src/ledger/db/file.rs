//! SQLite's side of the seam: its values and errors as ours.

use rusqlite::ErrorCode;
use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};

use super::error::{Error, Failure, Result};
use super::value::Value;

/// Begins a transaction that takes the write lock at once.
pub(super) const BEGIN: &str = "BEGIN IMMEDIATE";

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match *self {
            Value::Null => ValueRef::Null,
            Value::Int(number) => ValueRef::Integer(number),
            Value::Real(number) => ValueRef::Real(number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Blob(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

/// A value of a row.
pub(super) fn value<'r>(row: &'r rusqlite::Row<'_>, index: usize) -> Result<Value<'r>> {
    Ok(match row.get_ref(index)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => {
            Value::Text(str::from_utf8(text).map_err(|error| Error::Meaningless(format!("a text is none: {error}")))?)
        }
        ValueRef::Blob(bytes) => Value::Blob(bytes),
    })
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        let why = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Failure::Busy,
            Some(ErrorCode::DiskFull) => Failure::Full,
            Some(ErrorCode::ReadOnly) => Failure::ReadOnly,
            Some(ErrorCode::DatabaseCorrupt) => Failure::Damaged,
            Some(ErrorCode::NotADatabase) => Failure::NotADatabase,
            Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => Failure::Io,
            Some(ErrorCode::ConstraintViolation) => Failure::Guard,
            _ if matches!(error, rusqlite::Error::QueryReturnedNoRows) => return Self::NoRows,
            _ => Failure::Other,
        };
        Self::Failed { why, text: error.to_string() }
    }
}
