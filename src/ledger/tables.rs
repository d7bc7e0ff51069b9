//! The tables of a ledger, the same for both engines, and how their rows come from the layout before.

use std::path::Path;

use super::db::{Connection, OptionalExtension, Transaction};
use super::error::LedgerError;

/// The present layout.
pub(super) const LAYOUT: i64 = 21;

/// The tables, indexes and views, in the words of SQLite.
pub(super) const TABLES: &str = include_str!("../../templates/ledger/tables.sql");

/// How the rows of a table come from the layout before, where it is not what it was. `{before}` stands in front of the old names.
/// Acceptances keep their ids, which marks outside the ledger name; every other decision comes behind the newest one (`{accepted}`), by
/// the number of its link.
enum MadeAnew {
    /// By this query, of these old tables: each row of theirs is one here.
    Of(&'static [&'static str], &'static str),
    /// As it was, but for this column, which names a decision instead of a row of that old table.
    Naming(&'static str, &'static str),
}

const MADE_ANEW: &[(&str, MadeAnew)] = &[
    (
        "decisions",
        MadeAnew::Of(
            &["decisions", "acceptances", "address_words", "accepted_findings", "dismissals", "purges"],
            // What the first part has none of is named with its type, as a server wants it.
            "SELECT {accepted} + evidence_n AS id, at_ms, user, host, verb, because, evidence_n, order_id, attempt_id, awb,
                CAST(NULL AS bigint) AS attempts_noted, CAST(NULL AS bigint) AS attempts_found, CAST(NULL AS bigint) AS service_id,
                CAST(NULL AS bigint) AS other_id, CAST(NULL AS text) AS rule, CAST(NULL AS text) AS number,
                CAST(NULL AS text) AS sheet, CAST(NULL AS text) AS basis, CAST(NULL AS bigint) AS run_id,
                CAST(NULL AS bytea) AS cells, CAST(NULL AS bigint) AS before_ms, CAST(NULL AS bigint) AS orders,
                CAST(NULL AS bigint) AS requests, CAST(NULL AS bytea) AS digest
             FROM {before}decisions
             UNION ALL SELECT id, at_ms, user, host, 'accept-ledger', because, evidence_n, NULL, NULL, NULL,
                attempts_noted, attempts_found, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
             FROM {before}acceptances
             UNION ALL SELECT {accepted} + evidence_n, at_ms, user, host,
                CASE is_same WHEN 1 THEN 'same-service' ELSE 'other-service' END, because, evidence_n, NULL, NULL, NULL,
                NULL, NULL, one, other, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
             FROM {before}address_words
             UNION ALL SELECT {accepted} + evidence_n, at_ms, user, host, 'accept-finding', because, evidence_n, NULL, NULL, NULL,
                NULL, NULL, service_id, NULL, rule, number, sheet, basis, NULL, NULL, NULL, NULL, NULL, NULL
             FROM {before}accepted_findings
             UNION ALL SELECT {accepted} + evidence_n, at_ms, user, host, 'dismiss', because, evidence_n, NULL, NULL, NULL,
                NULL, NULL, service_id, NULL, NULL, number, NULL, NULL, run_id, cells, NULL, NULL, NULL, NULL
             FROM {before}dismissals
             UNION ALL SELECT {accepted} + evidence_n, at_ms, user, host, 'remove', NULL, evidence_n, NULL, NULL, NULL,
                NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, before_ms, orders, requests, digest
             FROM {before}purges",
        ),
    ),
    (
        "evidence",
        MadeAnew::Of(
            &["evidence"],
            "SELECT n, CASE WHEN attempt_id IS NOT NULL THEN 'attempt' WHEN late_answer_id IS NOT NULL THEN 'late answer'
                ELSE 'decision' END AS kind, coalesce(attempt_id, late_answer_id, acceptance_id, {accepted} + n) AS subject, hash
             FROM {before}evidence",
        ),
    ),
    ("withdrawals", MadeAnew::Naming("decision_id", "decisions")),
    ("attempts", MadeAnew::Naming("purge_id", "purges")),
    ("late_answers", MadeAnew::Naming("purge_id", "purges")),
];

/// The old tables that the rows of a table come from, and the query that makes them of these.
fn rows<'t>(table: &'t str, columns: &[String], before: &str) -> (Vec<&'t str>, String) {
    let made_anew = MADE_ANEW.iter().find(|(name, _)| *name == table);
    let (of, rows) = match made_anew {
        None => (vec![table], format!("SELECT {} FROM {{before}}{table}", columns.join(", "))),
        Some((_, MadeAnew::Of(tables, rows))) => (tables.to_vec(), (*rows).to_owned()),
        Some((_, MadeAnew::Naming(column, named))) => {
            let column = format!("\"{column}\"");
            let decision = format!(
                "{{accepted}} + (SELECT w.evidence_n FROM {{before}}{named} w WHERE w.id = t.{column}) AS {column}"
            );
            let taken = |name: &String| if *name == column { decision.clone() } else { format!("t.{name}") };
            let taken = columns.iter().map(taken).collect::<Vec<_>>().join(", ");
            (vec![table], format!("SELECT {taken} FROM {{before}}{table} t"))
        }
    };
    let accepted = "(SELECT coalesce(max(id), 0) FROM {before}acceptances)";
    (of, rows.replace("{accepted}", accepted).replace("{before}", before))
}

/// Views by which a ledger of the layout before is read by the same statements; for this connection alone.
pub(super) fn as_before(connection: &Connection, before: &str) -> Result<(), LedgerError> {
    for (table, _) in MADE_ANEW {
        let columns: Vec<String> = columns(connection, table)?.into_iter().map(|(name, _)| name).collect();
        let (_, rows) = rows(table, &columns, before);
        connection.execute_batch(&format!("CREATE TEMPORARY VIEW {table} AS {rows}"))?;
    }
    Ok(())
}

/// Puts every row of the tables before into these tables, and compares each with what came of it. `before` stands in front of the
/// names of the old ones.
pub(super) fn carry_over(transaction: &Transaction<'_>, before: &str, tables: &[String]) -> Result<(), LedgerError> {
    for table in tables {
        let columns = columns(transaction, table)?;
        let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
        let named = |prefix: &str| names.iter().map(|name| format!("{prefix}{name}")).collect::<Vec<_>>().join(", ");
        let (of, rows) = rows(table, &names, before);
        // Where a server numbers rows by itself, they keep the numbers that they have.
        let overriding = if transaction.has_file() { "" } else { "OVERRIDING SYSTEM VALUE" };
        transaction.execute_batch(&format!(
            "INSERT INTO {table} ({}) {overriding} SELECT {} FROM ({rows}) b",
            named(""),
            named("b.")
        ))?;
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
        let counted = of.iter().map(|old| format!("(SELECT count(*) FROM {before}{old})")).collect::<Vec<_>>();
        let counts = format!("SELECT {} = (SELECT count(*) FROM {table})", counted.join(" + "));
        let is_same: bool = transaction.query_row(&counts, (), |row| row.get(0))?;
        if row.is_some() || !is_same {
            return Err(LedgerError::NotTheSame { table: table.clone(), row: row.unwrap_or_default() });
        }
    }
    Ok(())
}

/// Refuses tables that are none of a ledger's: whoever made them would lose them by an upgrade.
pub(super) fn refuse_strange(found: &[String], known: &[String], path: &Path) -> Result<(), LedgerError> {
    let taken =
        |name: &str| MADE_ANEW.iter().any(|(_, made)| matches!(made, MadeAnew::Of(old, _) if old.contains(&name)));
    let Some(strange) = found.iter().find(|name| !known.contains(name) && !taken(name)) else { return Ok(()) };
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
