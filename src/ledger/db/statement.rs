//! Statements and their rows.

use rusqlite::CachedStatement;

use super::error::{Error, Result};
use super::file;
use super::value::{FromValue, Params, Value};

/// A statement that can be executed again and again.
pub(in crate::ledger) enum Statement<'c> {
    Once(rusqlite::Statement<'c>),
    Kept(CachedStatement<'c>),
}

/// The rows of a statement, one after the other.
pub(in crate::ledger) struct Rows<'s>(rusqlite::Rows<'s>);

/// One row.
pub(in crate::ledger) struct Row<'r>(&'r rusqlite::Row<'r>);

/// Rows as what is read from them.
pub(in crate::ledger) struct Mapped<'s, F> {
    rows: Rows<'s>,
    read: F,
}

impl<'c> Statement<'c> {
    fn of_file(&mut self) -> &mut rusqlite::Statement<'c> {
        match self {
            Self::Once(statement) => statement,
            Self::Kept(statement) => statement,
        }
    }

    /// Executes it; how many rows it changed.
    pub(in crate::ledger) fn execute(&mut self, params: impl Params) -> Result<usize> {
        params.lend(|values| Ok(self.of_file().execute(rusqlite::params_from_iter(values))?))
    }

    /// Its rows.
    pub(in crate::ledger) fn query(&mut self, params: impl Params) -> Result<Rows<'_>> {
        params.lend(|values| Ok(Rows(self.of_file().query(rusqlite::params_from_iter(values))?)))
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
        Ok(self.0.next()?.map(Row))
    }
}

impl Row<'_> {
    /// The value of a column.
    pub(in crate::ledger) fn get<T: FromValue>(&self, column: usize) -> Result<T> {
        T::from_value(self.get_ref(column)?)
    }

    /// The same, as it lies in the row.
    pub(in crate::ledger) fn get_ref(&self, column: usize) -> Result<Value<'_>> {
        file::value(self.0, column)
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
