//! The tables of a ledger, the same for both engines, and how their rows come from the layout before.

use std::path::Path;

use super::aliases;
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
    /// By this query, of old tables that go on.
    Drawn(&'static str),
    /// As it was, but for this column, which names a decision instead of a row of that old table.
    Naming(&'static str, &'static str),
}

/// Tables that went: what of them still holds stands elsewhere.
const GONE: &[&str] = &["withdrawals", "run_invalid", "shipments", "desk_copies"];

/// Tables of which the layout before had nothing.
const NEW: [&str; 6] = ["aliases", "statements", "drafts", "draft_pieces", "draft_notes", "draft_holds"];

/// The places of rows that name no order begin behind this one.
pub(super) const BEFORE_STRAYS: i64 = -(1 << 32);

/// The classes of orders that runs count.
const CLASSES: [&str; 12] = [
    "booked",
    "already_booked",
    "invalid",
    "rejected",
    "refused",
    "in_doubt",
    "outstanding",
    "held",
    "left_out",
    "abandoned",
    "dismissed",
    "rows_without_order",
];

/// The statement that counts the orders of these runs anew, as `run_classes` has them.
pub(super) fn count_runs(which: &str) -> String {
    let counts = CLASSES.map(|class| format!("count(*) FILTER (WHERE x.class = '{class}') AS {class}"));
    let set = CLASSES.map(|class| format!("{class} = c.{class}"));
    format!(
        "UPDATE run_tallies SET {} FROM (SELECT x.run_id, {} FROM run_classes x WHERE x.{which} GROUP BY x.run_id) c
         WHERE c.run_id = run_tallies.run_id",
        set.join(", "),
        counts.join(", ")
    )
}

/// The orders of the layout before that were invalid and never staged, one of each service and number, `k`-th, with the run that had
/// them last.
macro_rules! never_staged {
    () => {
        "(SELECT r.service_id, i.number, max(i.run_id) AS last, row_number() OVER (ORDER BY min(i.run_id), r.service_id, i.number) AS k
            FROM {before}run_invalid i JOIN {before}runs r ON r.id = i.run_id
            WHERE i.number IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM {before}orders o WHERE o.service_id = r.service_id AND o.number = i.number)
            GROUP BY r.service_id, i.number)"
    };
}

/// The revision that such an order has now: its id, its verdict, and the row `i` that it is from.
macro_rules! never_staged_revision {
    () => {
        concat!(
            "SELECT n.k, n.service_id, n.number, n.last, i.rows,
                coalesce((SELECT max(id) FROM {before}requests), 0) + coalesce((SELECT max(id) FROM {before}decisions), 0) + n.k
                    AS revision_id,
                CASE WHEN EXISTS (SELECT 1 FROM {before}dismissals d WHERE d.service_id = n.service_id AND d.number = n.number
                    AND (d.run_id = i.run_id OR d.cells = i.cells)) THEN 'dismissed' ELSE 'invalid' END AS verdict
             FROM ",
            never_staged!(),
            " n JOIN {before}run_invalid i ON i.run_id = n.last AND i.n = (
                SELECT min(f.n) FROM {before}run_invalid f WHERE f.run_id = n.last AND f.number = n.number)"
        )
    };
}

/// Where a run of the layout before has what it kept back: of the rows `i` of one order the first one counts.
macro_rules! kept_back_place {
    () => {
        "CASE WHEN i.number IS NULL THEN {strays} + i.n ELSE coalesce(
            (SELECT r.seq FROM {before}run_orders r JOIN {before}orders o ON o.id = r.order_id
             JOIN {before}runs u ON u.id = r.run_id AND u.service_id = o.service_id
             WHERE r.run_id = i.run_id AND o.number = i.number),
            (SELECT f.seq FROM {before}run_invalid f WHERE f.run_id = i.run_id AND f.number = i.number ORDER BY f.n LIMIT 1)) END"
    };
}

/// The withdrawal `w` by which an order `o` of the layout before does not go, and nothing where a person gave it up, or where it
/// may be booked.
macro_rules! withdrawn {
    () => {
        "LEFT JOIN {before}withdrawals w ON o.state = 'abandoned' AND w.decision_id = (
            SELECT max(d.id) FROM {before}decisions d WHERE d.order_id = o.id AND d.verb = 'abandoned')
        AND (o.attempts = 0 OR EXISTS (SELECT 1 FROM {before}attempts a
            WHERE a.order_id = o.id AND a.n = o.attempts AND a.outcome IN ('waiting', 'rejected', 'refused')))
        AND NOT EXISTS (SELECT 1 FROM {before}late_answers l JOIN {before}attempts a ON a.id = l.attempt_id
            WHERE a.order_id = o.id AND l.outcome IN ('booked', 'in_doubt'))"
    };
}

/// Each request was a revision, and each withdrawal that still holds is one behind them all.
const MADE_ANEW: &[(&str, MadeAnew)] = &[
    (
        "run_tallies",
        MadeAnew::Of(&["run_tallies"], "SELECT run_id, booked, already_booked, invalid, rejected, refused, in_doubt, outstanding, 0 AS held, 0 AS left_out,
            abandoned, dismissed, rows_without_order FROM {before}run_tallies"),
    ),
    (
        "run_ends",
        MadeAnew::Of(&["run_ends"], "SELECT run_id, booked, already_booked, invalid, rejected, refused, in_doubt, outstanding, 0 AS held, 0 AS left_out,
            abandoned, dismissed FROM {before}run_ends"),
    ),
    (
        "orders",
        MadeAnew::Drawn(concat!(
            "SELECT o.id, o.service_id, o.number, CASE WHEN w.verdict IS NULL THEN o.state WHEN o.attempts = 0 THEN 'staged'
                ELSE (SELECT a.outcome FROM {before}attempts a WHERE a.order_id = o.id AND a.n = o.attempts) END AS state,
                o.request_id, o.created_ms, o.attempts, o.awb, o.order_id, o.carrier, o.service_level, o.old_answer,
                CASE WHEN w.verdict IS NULL THEN o.error WHEN o.attempts = 0 THEN NULL ELSE coalesce(
                    (SELECT a.reason FROM {before}attempts a WHERE a.order_id = o.id AND a.n = o.attempts), 'removed') END AS error,
                CASE WHEN w.verdict IS NULL THEN o.request_id
                    ELSE (SELECT max(id) FROM {before}requests) + w.decision_id END AS revision_id,
                coalesce(w.verdict, 'go') AS verdict, CAST(NULL AS text) AS hold, 0 AS draft_hold
             FROM {before}orders o ",
            withdrawn!(),
            " UNION ALL
             SELECT (SELECT coalesce(max(id), 0) FROM {before}orders) + n.k, n.service_id, n.number, 'staged', CAST(NULL AS bigint),
                CAST(NULL AS bigint), 0, NULL, NULL, NULL, NULL, 0, NULL, n.revision_id, n.verdict, NULL, 0
             FROM (",
            never_staged_revision!(),
            ") n"
        )),
    ),
    (
        "run_orders",
        MadeAnew::Drawn(concat!(
            "SELECT run_id, seq, order_id, already, 0 AS behind, rows, CAST(NULL AS bytea) AS cells FROM {before}run_orders
             UNION ALL
             SELECT i.run_id, ",
            kept_back_place!(),
            ", CASE WHEN i.number IS NOT NULL THEN coalesce(o.id, (SELECT coalesce(max(id), 0) FROM {before}orders) + n.k) END,
                CASE WHEN o.state = 'booked' AND u.started_ms > (SELECT min(b.at_ms) FROM (
                    SELECT a.order_id, a.answered_ms AS at_ms FROM {before}attempts a WHERE a.outcome = 'booked'
                    UNION ALL SELECT a.order_id, l.at_ms FROM {before}late_answers l JOIN {before}attempts a ON a.id = l.attempt_id
                    WHERE l.outcome = 'booked'
                    UNION ALL SELECT d.order_id, d.at_ms FROM {before}decisions d WHERE d.verb = 'booked') b
                    WHERE b.order_id = o.id) THEN 1 ELSE 0 END, 1, i.rows, i.cells
             FROM {before}run_invalid i JOIN {before}runs u ON u.id = i.run_id
             LEFT JOIN {before}orders o ON o.service_id = u.service_id AND o.number = i.number
             LEFT JOIN ",
            never_staged!(),
            " n ON n.service_id = u.service_id AND n.number = i.number
             WHERE i.number IS NULL OR (
                NOT EXISTS (SELECT 1 FROM {before}run_invalid f WHERE f.run_id = i.run_id AND f.number = i.number AND f.n < i.n)
                AND NOT EXISTS (SELECT 1 FROM {before}run_orders r JOIN {before}orders k ON k.id = r.order_id
                    WHERE r.run_id = i.run_id AND k.service_id = u.service_id AND k.number = i.number))"
        )),
    ),
    (
        "problems",
        MadeAnew::Of(
            &["problems"],
            concat!(
                "SELECT p.run_id, p.n, (SELECT ",
                kept_back_place!(),
                " FROM {before}run_invalid i WHERE i.run_id = p.run_id AND i.n = p.invalid_n) AS seq,
                    p.code, p.severity, p.place, p.order_number, p.field, p.found, p.message, p.hint, p.detail
                 FROM {before}problems p"
            ),
        ),
    ),
    (
        "sources",
        MadeAnew::Drawn(concat!("SELECT r.id, 'sheets' AS kind, r.id AS run_id, r.service_id, r.started_ms AS at_ms, r.user, r.host, 0 AS revisions,
            zeroblob(32) AS digest, CAST(NULL AS bigint) AS evidence_n FROM {before}runs r WHERE r.kind = 'import'
         UNION ALL
         SELECT (SELECT max(id) FROM {before}runs) + d.id, 'sheets', NULL, o.service_id, d.at_ms, d.user, d.host, 0, zeroblob(32),
            NULL
         FROM {before}orders o ",
            withdrawn!(),
            " JOIN {before}decisions d ON d.id = w.decision_id")),
    ),
    (
        "revisions",
        MadeAnew::Drawn(concat!("SELECT q.id, q.order_id, coalesce(
                (SELECT min(r.run_id) FROM {before}run_orders r JOIN {before}runs u ON u.id = r.run_id
                 WHERE r.order_id = q.order_id AND u.kind = 'import' AND u.started_ms = q.staged_ms),
                (SELECT min(r.run_id) FROM {before}run_orders r JOIN {before}runs u ON u.id = r.run_id
                 WHERE r.order_id = q.order_id AND u.kind = 'import'),
                (SELECT min(u.id) FROM {before}runs u WHERE u.kind = 'import')) AS source_id,
            'go' AS verdict, CAST(NULL AS text) AS hold, q.id AS request_id, CAST(NULL AS text) AS rows, CAST(NULL AS text) AS rule,
            NULL AS sheet
         FROM {before}requests q
         UNION ALL
         SELECT (SELECT max(id) FROM {before}requests) + d.id, d.order_id, (SELECT max(id) FROM {before}runs) + d.id, w.verdict,
            NULL, NULL, substr(d.because, instr(d.because, ' in ') + 4), NULL, w.sheet
         FROM {before}orders o ",
            withdrawn!(),
            " JOIN {before}decisions d ON d.id = w.decision_id
         UNION ALL
         SELECT n.revision_id, (SELECT coalesce(max(id), 0) FROM {before}orders) + n.k, n.last, n.verdict, NULL, NULL, n.rows, NULL, NULL
         FROM (",
            never_staged_revision!(),
            ") n")),
    ),
    (
        "decisions",
        MadeAnew::Of(
            &["decisions", "acceptances", "address_words", "accepted_findings", "dismissals", "purges"],
            // What the first part has none of is named with its type, as a server wants it.
            "SELECT {accepted} + evidence_n AS id, at_ms, user, host, verb, because, evidence_n, order_id, attempt_id,
                CASE WHEN verb = 'abandoned' AND substr(because, 1, 16) = 'booked with AWB '
                    THEN substr(because, 17, instr(substr(because, 17) || ' in ', ' in ') - 1) ELSE awb END AS awb,
                CAST(NULL AS bigint) AS attempts_noted, CAST(NULL AS bigint) AS attempts_found, CAST(NULL AS bigint) AS service_id,
                CAST(NULL AS bigint) AS other_id, CAST(NULL AS text) AS rule, CAST(NULL AS text) AS number,
                CAST(NULL AS text) AS sheet, CAST(NULL AS text) AS basis, CAST(NULL AS bigint) AS run_id,
                CAST(NULL AS bytea) AS cells, CAST(NULL AS bigint) AS before_ms, CAST(NULL AS bigint) AS orders,
                CAST(NULL AS bigint) AS requests, CAST(NULL AS bytea) AS digest, CAST(NULL AS bigint) AS statement_id
             FROM {before}decisions
             UNION ALL SELECT id, at_ms, user, host, 'accept-ledger', because, evidence_n, NULL, NULL, NULL,
                attempts_noted, attempts_found, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
             FROM {before}acceptances
             UNION ALL SELECT {accepted} + evidence_n, at_ms, user, host,
                CASE is_same WHEN 1 THEN 'same-service' ELSE 'other-service' END, because, evidence_n, NULL, NULL, NULL,
                NULL, NULL, one, other, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
             FROM {before}address_words
             UNION ALL SELECT {accepted} + evidence_n, at_ms, user, host, 'accept-finding', because, evidence_n, NULL, NULL, NULL,
                NULL, NULL, service_id, NULL, rule, number, sheet, basis, NULL, NULL, NULL, NULL, NULL, NULL, NULL
             FROM {before}accepted_findings
             UNION ALL SELECT {accepted} + evidence_n, at_ms, user, host, 'dismiss', because, evidence_n, NULL, NULL, NULL,
                NULL, NULL, service_id, NULL, NULL, number, NULL, NULL, run_id, cells, NULL, NULL, NULL, NULL, NULL
             FROM {before}dismissals
             UNION ALL SELECT {accepted} + evidence_n, at_ms, user, host, 'remove', NULL, evidence_n, NULL, NULL, NULL,
                NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, before_ms, orders, requests, digest, NULL
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
    ("attempts", MadeAnew::Naming("purge_id", "purges")),
    ("late_answers", MadeAnew::Naming("purge_id", "purges")),
];

/// Runs of the layout before whose counts are wrong, which nobody could see any more once they are counted anew.
const COUNTED_WRONG: &str = "SELECT count(*) FROM {before}run_tallies t WHERE
    t.booked + t.already_booked <> (SELECT count(*) FROM {before}run_orders r JOIN {before}orders o ON o.id = r.order_id
        WHERE r.run_id = t.run_id AND o.state = 'booked')
    OR t.in_doubt <> (SELECT count(*) FROM {before}run_orders r JOIN {before}orders o ON o.id = r.order_id
        WHERE r.run_id = t.run_id AND o.state = 'in_doubt')
    OR t.outstanding <> (SELECT count(*) FROM {before}run_orders r JOIN {before}orders o ON o.id = r.order_id
        WHERE r.run_id = t.run_id AND o.state IN ('staged', 'sending', 'waiting'))
    OR t.invalid + t.dismissed <> (SELECT count(*) FROM {before}run_invalid i
        WHERE i.run_id = t.run_id AND i.number IS NOT NULL)";

/// The old tables that the rows of a table come from, and the query that makes them of these.
fn rows<'t>(table: &'t str, columns: &[String], before: &str) -> (Vec<&'t str>, String) {
    let made_anew = MADE_ANEW.iter().find(|(name, _)| *name == table);
    let (of, rows) = match made_anew {
        None => (vec![table], format!("SELECT {} FROM {{before}}{table}", columns.join(", "))),
        Some((_, MadeAnew::Of(tables, rows))) => (tables.to_vec(), (*rows).to_owned()),
        Some((_, MadeAnew::Drawn(rows))) => (Vec::new(), (*rows).to_owned()),
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
    let rows = rows.replace("{accepted}", accepted).replace("{strays}", &BEFORE_STRAYS.to_string());
    (of, rows.replace("{before}", before))
}

/// Puts every row of the tables before into these tables, and compares each with what came of it. `before` stands in front of the
/// names of the old ones.
pub(super) fn carry_over(
    transaction: &Transaction<'_>,
    (before, path): (&str, &Path),
    tables: &[String],
) -> Result<(), LedgerError> {
    let wrong: u64 = transaction.query_row(&COUNTED_WRONG.replace("{before}", before), (), |row| row.get(0))?;
    if wrong > 0 {
        let faults = format!("{wrong} runs whose counts are not those of their orders");
        return Err(LedgerError::Unsound { path: path.to_owned(), faults });
    }
    for table in tables.iter().filter(|table| !NEW.contains(&table.as_str())) {
        let columns = columns(transaction, table)?;
        let all: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
        let named = |prefix: &str| all.iter().map(|name| format!("{prefix}{name}")).collect::<Vec<_>>().join(", ");
        let (of, rows) = rows(table, &all, before);
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
        let counted = if of.is_empty() { format!("(SELECT count(*) FROM ({rows}) b)") } else { counted.join(" + ") };
        let counts = format!("SELECT {counted} = (SELECT count(*) FROM {table})");
        let is_same: bool = transaction.query_row(&counts, (), |row| row.get(0))?;
        if row.is_some() || !is_same {
            return Err(LedgerError::NotTheSame { table: table.clone(), row: row.unwrap_or_default() });
        }
    }
    transaction.execute(&count_runs("run_id > 0"), ())?;
    aliases::keep_all(transaction)
}

/// Refuses tables that are none of a ledger's: whoever made them would lose them by an upgrade.
pub(super) fn refuse_strange(found: &[String], known: &[String], path: &Path) -> Result<(), LedgerError> {
    let taken =
        |name: &str| MADE_ANEW.iter().any(|(_, made)| matches!(made, MadeAnew::Of(old, _) if old.contains(&name)));
    let Some(strange) =
        found.iter().find(|name| !known.contains(name) && !taken(name) && !GONE.contains(&name.as_str()))
    else {
        return Ok(());
    };
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
         WHERE a.attrelid = ('shipsheet.' || ?1)::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' ORDER BY a.attnum"
    };
    let mut statement = connection.prepare(sql)?;
    // A column may have the name of a word.
    let columns = statement.query_map([table], |row| {
        let name: String = row.get(0)?;
        Ok((format!("\"{name}\""), row.get(1)?))
    })?;
    Ok(columns.collect::<Result<_, _>>()?)
}
