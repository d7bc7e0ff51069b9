//! Statements and their rows.

use rusqlite::CachedStatement;

use super::error::{Error, Result};
use super::file;
#[cfg(feature = "postgres")]
use super::server::Prepared;
use super::value::{FromValue, Params, Value};
#[cfg(feature = "postgres")]
use super::wire;

/// A statement that can be executed again and again.
pub(in crate::ledger) enum Statement<'c> {
    Once(rusqlite::Statement<'c>),
    Kept(CachedStatement<'c>),
    #[cfg(feature = "postgres")]
    Server(Prepared<'c>),
}

/// The rows of a statement, one after the other.
pub(in crate::ledger) enum Rows<'s> {
    File(rusqlite::Rows<'s>),
    #[cfg(feature = "postgres")]
    Server(std::vec::IntoIter<tokio_postgres::Row>),
}

/// One row.
pub(in crate::ledger) enum Row<'r> {
    File(&'r rusqlite::Row<'r>),
    #[cfg(feature = "postgres")]
    Server(tokio_postgres::Row),
}

/// Rows as what is read from them.
pub(in crate::ledger) struct Mapped<'s, F> {
    rows: Rows<'s>,
    read: F,
}

impl Statement<'_> {
    /// Executes it; how many rows it changed.
    pub(in crate::ledger) fn execute(&mut self, params: impl Params) -> Result<usize> {
        params.lend(|values| match self {
            Self::Once(statement) => Ok(statement.execute(rusqlite::params_from_iter(values))?),
            Self::Kept(statement) => Ok(statement.execute(rusqlite::params_from_iter(values))?),
            #[cfg(feature = "postgres")]
            Self::Server(statement) => statement.execute(values),
        })
    }

    /// Its rows.
    pub(in crate::ledger) fn query(&mut self, params: impl Params) -> Result<Rows<'_>> {
        params.lend(|values| {
            Ok(match self {
                Self::Once(statement) => Rows::File(statement.query(rusqlite::params_from_iter(values))?),
                Self::Kept(statement) => Rows::File(statement.query(rusqlite::params_from_iter(values))?),
                #[cfg(feature = "postgres")]
                Self::Server(statement) => Rows::Server(statement.query(values)?.into_iter()),
            })
        })
    }

    /// Its rows, each as what is read from it.
    pub(in crate::ledger) fn query_map<T, F>(&mut self, params: impl Params, read: F) -> Result<Mapped<'_, F>>
    where
        F: FnMut(&Row<'_>) -> Result<T>,
    {
        Ok(Mapped { rows: self.query(params)?, read })
    }

    /// Its first row.
    pub(in crate::ledger) fn query_row<T>(
        &mut self,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut rows = self.query(params)?;
        let row = rows.next()?.ok_or(Error::NoRows)?;
        read(&row)
    }

    /// Whether it has any row.
    pub(in crate::ledger) fn exists(&mut self, params: impl Params) -> Result<bool> {
        Ok(self.query(params)?.next()?.is_some())
    }
}

impl Rows<'_> {
    /// The next row, if there is one.
    pub(in crate::ledger) fn next(&mut self) -> Result<Option<Row<'_>>> {
        match self {
            Self::File(rows) => Ok(rows.next()?.map(Row::File)),
            #[cfg(feature = "postgres")]
            Self::Server(rows) => Ok(rows.next().map(Row::Server)),
        }
    }
}

impl Row<'_> {
    /// The value of a column.
    pub(in crate::ledger) fn get<T: FromValue>(&self, column: usize) -> Result<T> {
        T::from_value(self.get_ref(column)?)
    }

    /// The same, as it lies in the row.
    pub(in crate::ledger) fn get_ref(&self, column: usize) -> Result<Value<'_>> {
        match self {
            Self::File(row) => file::value(row, column),
            #[cfg(feature = "postgres")]
            Self::Server(row) => wire::value(row, column),
        }
    }
}

impl<T, F: FnMut(&Row<'_>) -> Result<T>> Iterator for Mapped<'_, F> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        match self.rows.next() {
            Ok(row) => row.map(|row| (self.read)(&row)),
            Err(error) => Some(Err(error)),
        }
    }
}
