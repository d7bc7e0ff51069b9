//! The tables of a ledger, the same for both engines, and how their rows come from the layout before.

use super::db::{Connection, Transaction};
use super::error::LedgerError;

/// The present layout.
pub(super) const LAYOUT: i64 = 21;

/// The tables, indexes and views, in the words of SQLite.
pub(super) const TABLES: &str = include_str!("../../templates/ledger/tables.sql");

/// Puts every row of the tables before into the tables of the same name, and compares what came with what was there. `before` stands
/// in front of the names of the old ones.
pub(super) fn carry_over(transaction: &Transaction<'_>, before: &str, tables: &[String]) -> Result<(), LedgerError> {
    for table in tables {
        let columns = columns(transaction, table)?.join(", ");
        // Where a server numbers rows by itself, they keep the numbers that they have.
        let overriding = if transaction.has_file() { "" } else { "OVERRIDING SYSTEM VALUE" };
        transaction.execute_batch(&format!(
            "INSERT INTO {table} ({columns}) {overriding} SELECT {columns} FROM {before}{table}"
        ))?;
        let (was, is) = (format!("SELECT {columns} FROM {before}{table}"), format!("SELECT {columns} FROM {table}"));
        let differs = format!(
            "SELECT (SELECT count(*) FROM {before}{table}) <> (SELECT count(*) FROM {table})
                OR EXISTS ({was} EXCEPT {is}) OR EXISTS ({is} EXCEPT {was})"
        );
        if transaction.query_row(&differs, (), |row| row.get(0))? {
            return Err(LedgerError::NotTheSame { table: table.clone(), row: String::new() });
        }
    }
    Ok(())
}

/// The columns of a table.
fn columns(connection: &Connection, table: &str) -> Result<Vec<String>, LedgerError> {
    let sql = if connection.has_file() {
        "SELECT name FROM pragma_table_info(?1) ORDER BY cid"
    } else {
        "SELECT column_name::text FROM information_schema.columns
         WHERE table_schema = 'shipsheet' AND table_name = ?1 ORDER BY ordinal_position"
    };
    let mut statement = connection.prepare(sql)?;
    // A column may have the name of a word.
    let columns = statement.query_map([table], |row| row.get::<String>(0).map(|name| format!("\"{name}\"")))?;
    Ok(columns.collect::<Result<_, _>>()?)
}
