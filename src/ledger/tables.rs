//! The tables of a ledger, the same for both engines, and how their rows come from the layout before.

use std::path::Path;

use super::db::{Connection, OptionalExtension, Transaction};
use super::error::LedgerError;

/// The present layout.
pub(super) const LAYOUT: i64 = 21;

/// The tables, indexes and views, in the words of SQLite.
pub(super) const TABLES: &str = include_str!("../../templates/ledger/tables.sql");

/// Tables that are not what they were, each with how its rows are made of those before; `{before}` stands in front of the old names.
pub(super) const MADE_ANEW: &[(&str, &str)] = &[(
    "evidence",
    "SELECT n, CASE WHEN attempt_id IS NOT NULL THEN 'attempt' WHEN decision_id IS NOT NULL THEN 'decision'
        WHEN acceptance_id IS NOT NULL THEN 'acceptance' WHEN address_word_id IS NOT NULL THEN 'addresses'
        WHEN late_answer_id IS NOT NULL THEN 'late answer' WHEN accepted_finding_id IS NOT NULL THEN 'accepted finding'
        WHEN dismissal_id IS NOT NULL THEN 'dismissed' ELSE 'removed' END AS kind,
        coalesce(attempt_id, decision_id, acceptance_id, address_word_id, late_answer_id, accepted_finding_id, dismissal_id,
            purge_id) AS subject, hash
     FROM {before}evidence",
)];

/// Views by which a ledger of the layout before is read by the same statements; for this connection alone.
pub(super) fn as_before(connection: &Connection, before: &str) -> Result<(), LedgerError> {
    for (table, rows) in MADE_ANEW {
        let rows = rows.replace("{before}", before);
        connection.execute_batch(&format!("CREATE TEMPORARY VIEW {table} AS {rows}"))?;
    }
    Ok(())
}

/// Puts every row of the tables before into the tables of the same name, and compares each with what came of it. `before` stands in
/// front of the names of the old ones.
pub(super) fn carry_over(transaction: &Transaction<'_>, before: &str, tables: &[String]) -> Result<(), LedgerError> {
    for table in tables {
        let columns = columns(transaction, table)?;
        let named =
            |prefix: &str| columns.iter().map(|(name, _)| format!("{prefix}{name}")).collect::<Vec<_>>().join(", ");
        let made_anew = MADE_ANEW.iter().find(|(name, _)| name == table);
        let rows = match made_anew {
            Some((_, rows)) => rows.replace("{before}", before),
            None => format!("SELECT {} FROM {before}{table}", named("")),
        };
        // Where a server numbers rows by itself, they keep the numbers that they have.
        let overriding = if transaction.has_file() { "" } else { "OVERRIDING SYSTEM VALUE" };
        transaction.execute_batch(&format!("INSERT INTO {table} ({}) {overriding} {rows}", named("")))?;
        let key: Vec<&str> = columns.iter().filter(|(_, is_key)| *is_key).map(|(name, _)| name.as_str()).collect();
        let same_key = key.iter().map(|name| format!("n.{name} = b.{name}")).collect::<Vec<_>>().join(" AND ");
        // By the key, and not as sets: of a large ledger these would need as much room again.
        let differs = format!(
            "SELECT CAST(b.{} AS text) FROM ({rows}) b LEFT JOIN {table} n ON {same_key}
             WHERE n.{} IS NULL OR ({}) IS DISTINCT FROM ({}) LIMIT 1",
            key[0],
            key[0],
            named("b."),
            named("n."),
        );
        let row: Option<String> = transaction.query_row(&differs, (), |row| row.get(0)).optional()?;
        let counts = format!("SELECT (SELECT count(*) FROM {before}{table}) = (SELECT count(*) FROM {table})");
        let is_same: bool = transaction.query_row(&counts, (), |row| row.get(0))?;
        if row.is_some() || !is_same {
            return Err(LedgerError::NotTheSame { table: table.clone(), row: row.unwrap_or_default() });
        }
    }
    Ok(())
}

/// Refuses tables that are none of a ledger's: whoever made them would lose them by an upgrade.
pub(super) fn refuse_strange(found: &[String], known: &[String], path: &Path) -> Result<(), LedgerError> {
    let Some(strange) = found.iter().find(|name| !known.contains(name)) else { return Ok(()) };
    let faults = format!("the table {strange} in it is none of a ledger's");
    Err(LedgerError::Unsound { path: path.to_owned(), faults })
}

/// The columns of a table, each with whether it is of the key.
fn columns(connection: &Connection, table: &str) -> Result<Vec<(String, bool)>, LedgerError> {
    let sql = if connection.has_file() {
        "SELECT name, pk > 0 FROM pragma_table_info(?1) ORDER BY cid"
    } else {
        "SELECT a.attname::text, coalesce(a.attnum = ANY (i.indkey), false)
         FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
         WHERE a.attrelid = ('shipsheet.' || ?1)::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum"
    };
    let mut statement = connection.prepare(sql)?;
    // A column may have the name of a word.
    let columns = statement.query_map([table], |row| {
        let name: String = row.get(0)?;
        Ok((format!("\"{name}\""), row.get(1)?))
    })?;
    Ok(columns.collect::<Result<_, _>>()?)
}
