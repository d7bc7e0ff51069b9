//! Removing what is personal from orders that are over. Numbers, AWBs, hashes, money and decisions stay, and so does the
//! evidence: what a removal takes away is vouched for by its own link of the chain.

use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::chain::{Chain, Kind};
use super::crash::fail_point;
use super::db::{Connection, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::sqlite;
use super::standing::OpenOrder;

/// A removal.
#[derive(Debug, Clone)]
pub struct NewPurge {
    /// Only what was over before this, epoch milliseconds.
    pub before_ms: i64,
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// What a removal takes away, or would.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Purged {
    /// Orders that are over, whose requests and answers are emptied.
    pub orders: u64,
    /// Their requests.
    pub requests: u64,
    /// Answers of the service to them.
    pub answers: u64,
    /// Problems of rows, with what was found in their cells.
    pub problems: u64,
    /// Tracking events.
    #[serde(rename = "tracking_events")]
    pub deliveries: u64,
    /// Orders as old that stay whole: outstanding, in doubt, rejected or refused.
    pub open: u64,
    /// The first of them, by number.
    #[serde(rename = "open_named")]
    pub named: Vec<String>,
    /// Invalid orders as old that stay whole, because nobody corrected or dismissed them.
    pub invalid: u64,
    /// Whether another program kept the log beside the ledger from being emptied: run it again later.
    #[serde(rename = "log_left")]
    pub is_log_left: bool,
    /// Whether the ledger is on a server, which keeps what was removed in its own log and backups for as long as these last.
    #[serde(skip)]
    pub is_on_server: bool,
}

/// Tables that a removal takes something out of. A server forgets the earlier forms of their rows only when they are written anew.
const EMPTIED: [&str; 12] = [
    "requests",
    "attempts",
    "late_answers",
    "problems",
    "deliveries",
    "cancellations",
    "cancel_requests",
    "runs",
    "drafts",
    "draft_pieces",
    "draft_notes",
    "draft_holds",
];

/// Open orders that are named.
const NAMED: usize = 4;

/// The orders that are over since before `?1` and have something left to remove.
const OVER: &str = "SELECT v.id FROM orders_over v
    WHERE EXISTS (SELECT 1 FROM requests q WHERE q.order_id = v.id AND length(q.body) > 0)
    AND NOT EXISTS (SELECT 1 FROM requests q WHERE q.order_id = v.id AND q.staged_ms >= ?1)
    AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.order_id = v.id AND coalesce(a.answered_ms, a.intent_ms) >= ?1)
    AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.order_id = v.id AND d.at_ms >= ?1)";

/// Whether the problem `p` is of an order that is over, or of none.
const PROBLEM_IS_OVER: &str = "(p.order_number IS NULL OR NOT EXISTS (
        SELECT 1 FROM services s CROSS JOIN orders o ON o.service_id = s.id
        WHERE o.number = p.order_number AND NOT EXISTS (SELECT 1 FROM orders_over v WHERE v.id = o.id)))";

impl Ledger {
    /// What a removal would take away.
    pub fn would_purge(&self, before_ms: i64) -> Result<Purged, LedgerError> {
        let count = |sql: &str| self.connection.query_row(sql, [before_ms], |row| row.get::<u64>(0));
        let mut purged = Purged {
            orders: count(&format!("SELECT count(*) FROM ({OVER}) AS o"))?,
            requests: count(&format!(
                "SELECT count(*) FROM ({OVER}) v CROSS JOIN requests q ON q.order_id = v.id WHERE length(q.body) > 0"
            ))?,
            answers: count(&format!(
                "SELECT count(*) FROM ({OVER}) v CROSS JOIN attempts a ON a.order_id = v.id
                 WHERE a.answer IS NOT NULL OR a.reason IS NOT NULL"
            ))?,
            problems: count(&format!("SELECT count(*) FROM {}", problems_over("p.message <> 'removed'")))?,
            deliveries: count(&format!("SELECT count(*) FROM deliveries WHERE {DELIVERY_IS_OVER}"))?,
            invalid: count(
                "SELECT count(*) FROM orders o WHERE o.standing = 'invalid' AND (o.hold IS NOT NULL OR o.draft_hold = 1 OR o.verdict = 'held' OR o.verdict = 'invalid')
                    AND EXISTS (SELECT 1 FROM run_orders r CROSS JOIN runs u ON u.id = r.run_id
                        WHERE r.order_id = o.id AND u.started_ms < ?1)",
            )?,
            ..Purged::default()
        };
        self.for_each_open(&mut |OpenOrder { number, since_ms, .. }| {
            if since_ms < before_ms {
                purged.open += 1;
                if purged.named.len() < NAMED {
                    purged.named.push(number);
                }
            }
        })?;
        Ok(purged)
    }

    /// Removes what is personal from orders that are over, for good; then writes the file anew, so that none of it is left
    /// in its unused parts.
    pub fn purge(&mut self, new: &NewPurge) -> Result<Purged, LedgerError> {
        let purged = self.would_purge(new.before_ms)?;
        let transaction = self.begin()?;
        remove(&transaction, new)?;
        fail_point("decide")?;
        transaction.commit()?;
        self.raise_mark();
        if let Some(spool) = &mut self.spool {
            spool.wipe();
        }
        if self.connection.has_file() {
            return Ok(Purged { is_log_left: sqlite::write_anew(&self.connection)?, ..purged });
        }
        for table in EMPTIED {
            self.connection.execute_batch(&format!("VACUUM (FULL) {table}"))?;
        }
        Ok(Purged { is_on_server: true, ..purged })
    }
}

/// Tracking events that are over: of orders that are over, or of none.
const DELIVERY_IS_OVER: &str = "received_ms < ?1 AND length(body) > 0
    AND (order_id IS NULL OR EXISTS (SELECT 1 FROM orders_over v WHERE v.id = order_id))";

/// The problems of runs before `?1` that are over.
fn problems_over(and: &str) -> String {
    format!("runs u CROSS JOIN problems p ON p.run_id = u.id WHERE u.started_ms < ?1 AND {and} AND {PROBLEM_IS_OVER}")
}

fn remove(connection: &Connection, new: &NewPurge) -> Result<(), LedgerError> {
    let NewPurge { before_ms, user, host, at_ms } = new;
    let purge = next_decision(connection)?;
    connection.execute_batch("CREATE TEMP TABLE purging (id bigint PRIMARY KEY)")?;
    let orders = connection.execute(&format!("INSERT INTO purging {OVER}"), [before_ms])?;
    let requests = connection.execute(
        "UPDATE requests SET body = zeroblob(0) WHERE length(body) > 0 AND order_id IN (SELECT id FROM purging)",
        (),
    )?;
    empty_answers(connection, purge)?;
    connection.execute("UPDATE cancellations SET answer = '' WHERE order_id IN (SELECT id FROM purging)", ())?;
    connection.execute(
        "UPDATE cancel_requests SET said = NULL WHERE outcome IS NOT NULL AND order_id IN (SELECT id FROM purging)",
        (),
    )?;
    connection.execute("DROP TABLE purging", ())?;
    connection.execute(
        &format!(
            "UPDATE problems SET found = NULL, detail = NULL, message = 'removed', hint = '' WHERE (run_id, n) IN
                (SELECT p.run_id, p.n FROM {})",
            problems_over("p.message <> 'removed'")
        ),
        [before_ms],
    )?;
    connection.execute(&format!("UPDATE deliveries SET body = zeroblob(0) WHERE {DELIVERY_IS_OVER}"), [before_ms])?;
    // The brake quotes what the service said.
    connection
        .execute("UPDATE runs SET stopped_why = NULL WHERE stopped_why IS NOT NULL AND started_ms < ?1", [before_ms])?;
    let mut chain = Chain::read(connection)?;
    connection.execute(
        "INSERT INTO decisions (id, at_ms, user, host, verb, before_ms, orders, requests, digest, evidence_n)
         VALUES (?1, ?2, ?3, ?4, 'remove', ?5, ?6, ?7, ?8, ?9)",
        params![
            purge,
            at_ms,
            user,
            host,
            before_ms,
            orders as u64,
            requests as u64,
            Chain::digest(connection, purge)?,
            chain.next()
        ],
    )?;
    chain.bind(connection, Kind::Decision, purge)
}

/// The id of the removal to come: the answers that it empties name it before it is written, since it keeps a digest of them.
fn next_decision(connection: &Connection) -> Result<i64, LedgerError> {
    let sql = if connection.has_file() {
        "SELECT coalesce(max(id), 0) + 1 FROM decisions"
    } else {
        "SELECT nextval(pg_get_serial_sequence('shipsheet.decisions', 'id'))"
    };
    Ok(connection.query_row(sql, (), |row| row.get(0))?)
}

/// Leaves of each answer its hash.
fn empty_answers(connection: &Connection, purge: i64) -> Result<(), LedgerError> {
    let attempts = "SELECT a.id, a.answer FROM purging v CROSS JOIN attempts a ON a.order_id = v.id
        WHERE a.purge_id IS NULL AND (a.answer IS NOT NULL OR a.reason IS NOT NULL)";
    let late = "SELECT l.id, l.answer FROM purging v CROSS JOIN attempts a ON a.order_id = v.id
        CROSS JOIN late_answers l ON l.attempt_id = a.id
        WHERE l.purge_id IS NULL AND (l.answer IS NOT NULL OR l.reason IS NOT NULL)";
    for (table, answers) in [("attempts", attempts), ("late_answers", late)] {
        let mut empty = connection.prepare(&format!(
            "UPDATE {table} SET answer = NULL, reason = NULL, answer_sha256 = ?2, purge_id = ?3 WHERE id = ?1"
        ))?;
        let mut statement = connection.prepare(answers)?;
        let mut rows = statement.query(())?;
        // What is changed here does not come again: it names its removal.
        while let Some(row) = &rows.next()? {
            let (id, answer): (i64, Option<Vec<u8>>) = (row.get(0)?, row.get(1)?);
            let hash: Option<[u8; 32]> = answer.map(|bytes| Sha256::digest(bytes).into());
            empty.execute(params![id, hash, purge])?;
        }
    }
    Ok(())
}
