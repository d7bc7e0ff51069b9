//! A connection to a ledger's database, and what is done as a whole over it.

use std::ops::Deref;

use super::error::Result;
use super::file;
use super::statement::{Row, Statement};
use super::value::Params;

/// A connection, to whatever engine.
#[derive(Debug)]
pub(in crate::ledger) struct Connection {
    engine: Engine,
}

#[derive(Debug)]
enum Engine {
    /// A file, read and written by SQLite in this process.
    File(rusqlite::Connection),
}

/// All or nothing. Dropped without [`Transaction::commit`], it leaves nothing behind.
#[derive(Debug)]
pub(in crate::ledger) struct Transaction<'c> {
    connection: &'c Connection,
}

/// A part of a transaction that is all or nothing by itself.
#[derive(Debug)]
pub(in crate::ledger) struct Savepoint<'t> {
    connection: &'t Connection,
    is_kept: bool,
}

impl Connection {
    /// Over a file that is open.
    pub(in crate::ledger) const fn to_file(connection: rusqlite::Connection) -> Self {
        Self { engine: Engine::File(connection) }
    }

    /// The file's own connection, for what only a file has.
    pub(in crate::ledger) const fn file(&self) -> &rusqlite::Connection {
        let Engine::File(connection) = &self.engine;
        connection
    }

    /// A statement that is needed once.
    pub(in crate::ledger) fn prepare(&self, sql: &str) -> Result<Statement<'_>> {
        let Engine::File(connection) = &self.engine;
        Ok(Statement::Once(connection.prepare(sql)?))
    }

    /// A statement that is needed again and again.
    pub(in crate::ledger) fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>> {
        let Engine::File(connection) = &self.engine;
        Ok(Statement::Kept(connection.prepare_cached(sql)?))
    }

    /// Several statements without parameters.
    pub(in crate::ledger) fn execute_batch(&self, sql: &str) -> Result<()> {
        let Engine::File(connection) = &self.engine;
        Ok(connection.execute_batch(sql)?)
    }

    /// Executes one statement; how many rows it changed.
    pub(in crate::ledger) fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        self.prepare(sql)?.execute(params)
    }

    /// The first row of one statement.
    pub(in crate::ledger) fn query_row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        self.prepare(sql)?.query_row(params, read)
    }

    /// The id that the last insert gave.
    pub(in crate::ledger) fn last_insert_rowid(&self) -> i64 {
        let Engine::File(connection) = &self.engine;
        connection.last_insert_rowid()
    }

    /// A transaction that takes the right to write at once, so that it cannot fail for it half-way.
    pub(in crate::ledger) fn begin(&mut self) -> Result<Transaction<'_>> {
        self.execute_batch(file::BEGIN)?;
        Ok(Transaction { connection: self })
    }

    /// Whatever is read until it is dropped is as of one moment.
    pub(in crate::ledger) fn one_moment(&self) -> Result<Transaction<'_>> {
        self.execute_batch("BEGIN")?;
        Ok(Transaction { connection: self })
    }

    /// Whether a transaction is open.
    fn is_in_transaction(&self) -> bool {
        let Engine::File(connection) = &self.engine;
        !connection.is_autocommit()
    }
}

impl Transaction<'_> {
    /// Keeps all of it.
    pub(in crate::ledger) fn commit(self) -> Result<()> {
        self.connection.execute_batch("COMMIT")
    }

    /// Leaves nothing of it behind, and says where that fails.
    pub(in crate::ledger) fn roll_back(self) -> Result<()> {
        self.connection.execute_batch("ROLLBACK")
    }

    pub(in crate::ledger) fn savepoint(&mut self) -> Result<Savepoint<'_>> {
        self.connection.execute_batch("SAVEPOINT part")?;
        Ok(Savepoint { connection: self.connection, is_kept: false })
    }
}

impl Savepoint<'_> {
    /// Keeps it with its transaction.
    pub(in crate::ledger) fn commit(mut self) -> Result<()> {
        self.connection.execute_batch("RELEASE part")?;
        self.is_kept = true;
        Ok(())
    }
}

impl Deref for Transaction<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

impl Deref for Savepoint<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        // Some failures have rolled it back already.
        if self.connection.is_in_transaction() {
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }
}

impl Drop for Savepoint<'_> {
    fn drop(&mut self) {
        if !self.is_kept && self.connection.is_in_transaction() {
            let _ = self.connection.execute_batch("ROLLBACK TO part; RELEASE part");
        }
    }
}
