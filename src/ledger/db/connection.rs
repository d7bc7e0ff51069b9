//! A connection to a ledger's database, and what is done as a whole over it.

use std::ops::Deref;

use super::error::{Error, Result};
use super::file;
#[cfg(feature = "postgres")]
use super::server::Server;
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
    /// A database of a PostgreSQL server.
    #[cfg(feature = "postgres")]
    Server(Server),
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

    /// Over a connection to a server.
    #[cfg(feature = "postgres")]
    pub(in crate::ledger) const fn to_server(server: Server) -> Self {
        Self { engine: Engine::Server(server) }
    }

    /// Whether the ledger is a file of its own.
    pub(in crate::ledger) const fn has_file(&self) -> bool {
        match &self.engine {
            Engine::File(_) => true,
            #[cfg(feature = "postgres")]
            Engine::Server(_) => false,
        }
    }

    /// The file's own connection, for what only a file has.
    #[cfg_attr(not(feature = "postgres"), expect(clippy::unnecessary_wraps, reason = "only a server has none"))]
    pub(in crate::ledger) fn file(&self) -> Result<&rusqlite::Connection> {
        match &self.engine {
            Engine::File(connection) => Ok(connection),
            #[cfg(feature = "postgres")]
            Engine::Server(_) => Err(Error::NoFile),
        }
    }

    /// The server's own connection, if the ledger is on one.
    #[cfg(feature = "postgres")]
    pub(in crate::ledger) const fn server(&self) -> Option<&Server> {
        match &self.engine {
            Engine::File(_) => None,
            Engine::Server(server) => Some(server),
        }
    }

    /// A statement that is needed once.
    pub(in crate::ledger) fn prepare(&self, sql: &str) -> Result<Statement<'_>> {
        Ok(match &self.engine {
            Engine::File(connection) => Statement::Once(connection.prepare(sql)?),
            #[cfg(feature = "postgres")]
            Engine::Server(server) => Statement::Server(server.prepare(sql, false)?),
        })
    }

    /// A statement that is needed again and again.
    pub(in crate::ledger) fn prepare_cached(&self, sql: &str) -> Result<Statement<'_>> {
        Ok(match &self.engine {
            Engine::File(connection) => Statement::Kept(connection.prepare_cached(sql)?),
            #[cfg(feature = "postgres")]
            Engine::Server(server) => Statement::Server(server.prepare(sql, true)?),
        })
    }

    /// Several statements without parameters.
    pub(in crate::ledger) fn execute_batch(&self, sql: &str) -> Result<()> {
        match &self.engine {
            Engine::File(connection) => Ok(connection.execute_batch(sql)?),
            #[cfg(feature = "postgres")]
            Engine::Server(server) => server.execute_batch(sql),
        }
    }

    /// Executes one statement; how many rows it changed.
    pub(in crate::ledger) fn execute(&self, sql: &str, params: impl Params) -> Result<usize> {
        self.prepare(sql)?.execute(params)
    }

    /// Adds one row to a table whose rows have ids; gives its id. [`Error::NoRows`] where it added none.
    pub(in crate::ledger) fn insert(&self, sql: &str, params: impl Params) -> Result<i64> {
        match &self.engine {
            Engine::File(connection) => match self.prepare_cached(sql)?.execute(params)? {
                0 => Err(Error::NoRows),
                _ => Ok(connection.last_insert_rowid()),
            },
            #[cfg(feature = "postgres")]
            Engine::Server(_) => {
                self.prepare_cached(&format!("{sql} RETURNING id"))?.query_row(params, |row| row.get(0))
            }
        }
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

    /// A transaction that takes the right to write at once, so that it cannot fail for it half-way.
    pub(in crate::ledger) fn begin(&mut self) -> Result<Transaction<'_>> {
        match &self.engine {
            Engine::File(connection) => connection.execute_batch(file::BEGIN)?,
            #[cfg(feature = "postgres")]
            Engine::Server(server) => server.begin_writing()?,
        }
        Ok(Transaction { connection: self })
    }

    /// Whatever is read until it is dropped is as of one moment.
    pub(in crate::ledger) fn one_moment(&self) -> Result<Transaction<'_>> {
        match &self.engine {
            Engine::File(connection) => connection.execute_batch("BEGIN")?,
            #[cfg(feature = "postgres")]
            Engine::Server(server) => server.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?,
        }
        Ok(Transaction { connection: self })
    }

    /// A transaction that begins with these statements.
    #[cfg(feature = "postgres")]
    pub(in crate::ledger) fn begin_with(&self, begin: &str) -> Result<Transaction<'_>> {
        match &self.engine {
            Engine::File(connection) => connection.execute_batch(begin)?,
            Engine::Server(server) => server.begin(begin)?,
        }
        Ok(Transaction { connection: self })
    }

    /// Whether a transaction is open.
    fn is_in_transaction(&self) -> bool {
        match &self.engine {
            Engine::File(connection) => !connection.is_autocommit(),
            #[cfg(feature = "postgres")]
            Engine::Server(server) => server.is_in_transaction(),
        }
    }

    fn roll_back(&self) -> Result<()> {
        match &self.engine {
            Engine::File(connection) => Ok(connection.execute_batch("ROLLBACK")?),
            #[cfg(feature = "postgres")]
            Engine::Server(server) => server.roll_back(),
        }
    }

    fn roll_back_part(&self) -> Result<()> {
        match &self.engine {
            Engine::File(connection) => Ok(connection.execute_batch("ROLLBACK TO part; RELEASE part")?),
            #[cfg(feature = "postgres")]
            Engine::Server(server) => server.roll_back_part(),
        }
    }
}

impl Transaction<'_> {
    /// Keeps all of it.
    pub(in crate::ledger) fn commit(self) -> Result<()> {
        match &self.connection.engine {
            Engine::File(connection) => Ok(connection.execute_batch("COMMIT")?),
            #[cfg(feature = "postgres")]
            Engine::Server(server) => server.commit(),
        }
    }

    /// Leaves nothing of it behind already now. What is written from here on is no part of any transaction.
    pub(in crate::ledger) fn take_back(&self) -> Result<()> {
        self.connection.roll_back()
    }

    /// Leaves nothing of it behind, and says where that fails.
    pub(in crate::ledger) fn roll_back(self) -> Result<()> {
        self.connection.roll_back()
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
            let _ = self.connection.roll_back();
        }
    }
}

impl Drop for Savepoint<'_> {
    fn drop(&mut self) {
        if !self.is_kept && self.connection.is_in_transaction() {
            let _ = self.connection.roll_back_part();
        }
    }
}
