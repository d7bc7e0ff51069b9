//! Looking through a whole ledger, and copying it while it is in use.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::accept::{AcceptanceRecord, acceptances};
use super::chain::{Chain, Kind};
use super::db::Connection;
use super::error::LedgerError;
use super::home::{Home, Standing};
use super::open::Ledger;
use super::packed::Unpacker;
use super::{place, sqlite};

/// What a look through a ledger found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct Checked {
    /// Orders in it.
    pub orders: u64,
    /// Attempts in it.
    pub attempts: u64,
    /// Links of evidence that hold.
    pub evidence: u64,
    /// When a person took this ledger for the right one, although another one was noted in its place.
    pub acceptances: Vec<AcceptanceRecord>,
    /// Its faults, in English; empty where it is sound.
    pub faults: Vec<String>,
}

/// What must not be found, in words, and how it is counted.
const NEVER: [(&str, &str); 9] = [
    (
        "orders whose attempts are not those that were recorded",
        "SELECT count(*) FROM orders o
         WHERE o.attempts <> (SELECT coalesce(max(n), 0) FROM attempts a WHERE a.order_id = o.id)",
    ),
    (
        "orders that are being sent without an open attempt, or the reverse",
        "SELECT count(*) FROM orders o WHERE (o.state = 'sending')
         <> EXISTS (SELECT 1 FROM attempts a WHERE a.order_id = o.id AND a.answered_ms IS NULL)",
    ),
    (
        "booked orders whose AWB came neither from an answer nor from a decision",
        "SELECT count(*) FROM orders o WHERE o.state = 'booked'
         AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.order_id = o.id AND a.outcome = 'booked' AND a.awb = o.awb)
         AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.order_id = o.id AND d.verb = 'booked' AND d.awb = o.awb)
         AND NOT EXISTS (SELECT 1 FROM attempts a JOIN late_answers l ON l.attempt_id = a.id
            WHERE a.order_id = o.id AND l.outcome = 'booked' AND l.awb = o.awb)",
    ),
    (
        "orders whose request is missing or another order's",
        "SELECT count(*) FROM orders o
         WHERE o.request_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM requests q WHERE q.id = o.request_id AND q.order_id = o.id)",
    ),
    (
        "orders that are not what their newest revision says",
        "SELECT count(*) FROM orders o WHERE o.revision_id <> (SELECT max(v.id) FROM revisions v WHERE v.order_id = o.id)
         OR NOT EXISTS (SELECT 1 FROM revisions v WHERE v.id = o.revision_id AND v.order_id = o.id AND v.verdict = o.verdict
            AND v.hold IS NOT DISTINCT FROM o.hold)",
    ),
    (
        "orders that an open sheet is to keep back and does not",
        "SELECT count(*) FROM orders o WHERE o.draft_hold = 1 AND o.state <> 'booked'
            AND NOT EXISTS (SELECT 1 FROM draft_holds h WHERE h.number = o.number AND h.booked = 0)",
    ),
    (
        "requests without a body that nobody removed",
        "SELECT abs((SELECT count(*) FROM requests WHERE length(body) = 0) - (SELECT coalesce(sum(requests), 0) FROM decisions))",
    ),
    (
        "sheets that were filed as done although not every order of them is booked",
        "SELECT count(*) FROM filed_sheets WHERE tray = 'done' AND sheet_id NOT IN
            (SELECT sheet_id FROM taken_and_booked WHERE sheet_id IS NOT NULL)",
    ),
    (
        "runs whose counts are not those of their orders",
        "SELECT count(*) FROM run_tallies t LEFT JOIN (
            SELECT run_id, count(*) FILTER (WHERE class = 'booked' OR class = 'already_booked') AS booked,
                count(*) FILTER (WHERE class = 'in_doubt') AS in_doubt,
                count(*) FILTER (WHERE class = 'outstanding') AS outstanding, count(*) FILTER (WHERE class = 'held') AS held,
                count(*) FILTER (WHERE class = 'left_out') AS left_out, count(*) FILTER (WHERE class = 'invalid') AS invalid,
                count(*) FILTER (WHERE class = 'dismissed') AS dismissed
            FROM run_classes GROUP BY run_id) c ON c.run_id = t.run_id
         WHERE t.booked + t.already_booked <> coalesce(c.booked, 0) OR t.in_doubt <> coalesce(c.in_doubt, 0)
            OR t.outstanding <> coalesce(c.outstanding, 0) OR t.held <> coalesce(c.held, 0)
            OR t.left_out <> coalesce(c.left_out, 0) OR t.invalid <> coalesce(c.invalid, 0)
            OR t.dismissed <> coalesce(c.dismissed, 0)",
    ),
];

impl Checked {
    /// Refuses a ledger in which anything is wrong.
    pub(super) fn refuse_unsound(&self, path: &Path) -> Result<(), LedgerError> {
        let Some((first, more)) = self.faults.split_first() else { return Ok(()) };
        let more = if more.is_empty() { String::new() } else { format!(", and {} more", more.len()) };
        Err(LedgerError::Unsound { path: path.to_owned(), faults: format!("{first}{more}") })
    }
}

/// Looks through everything: the file's own structure, the counts, the hash of every request, and the evidence.
pub(super) fn look_through(connection: &Connection) -> Result<Checked, LedgerError> {
    let count = |sql: &str| connection.query_row(sql, (), |row| row.get::<u64>(0));
    // A server looks after the structure of its files itself.
    let faults = if connection.has_file() { sqlite::structure(connection)? } else { Vec::new() };
    let mut checked = Checked { faults, ..Checked::default() };
    if !checked.faults.is_empty() {
        return Ok(checked);
    }
    checked.orders = count("SELECT count(*) FROM orders")?;
    checked.attempts = count("SELECT count(*) FROM attempts")?;
    checked.acceptances = acceptances(connection)?;
    for (words, sql) in NEVER {
        let found = count(sql)?;
        if found > 0 {
            checked.faults.push(format!("{found} {words}"));
        }
    }
    for (kind, table) in Kind::ALL.map(Kind::word_and_table) {
        let unbound = count(&format!(
            "SELECT count(*) FROM {table} b WHERE b.evidence_n IS NOT NULL AND NOT EXISTS (
                SELECT 1 FROM evidence e WHERE e.n = b.evidence_n AND e.kind = '{kind}' AND e.subject = b.id)"
        ))?;
        if unbound > 0 {
            checked.faults.push(format!("{unbound} of {table} without evidence"));
        }
    }
    let altered = altered_requests(connection)?;
    if altered > 0 {
        checked.faults.push(format!("{altered} requests that are not what was frozen"));
    }
    let (broken, links) = Chain::verify(connection)?;
    checked.evidence = links;
    if let Some(n) = broken {
        checked.faults.push(format!("evidence was altered: link {n} does not hold"));
    }
    Ok(checked)
}

fn altered_requests(connection: &Connection) -> Result<u64, LedgerError> {
    let mut statement = connection.prepare("SELECT sha256, body FROM requests WHERE length(body) > 0")?;
    let mut rows = statement.query(())?;
    let (mut altered, mut unpacker) = (0, Unpacker::default());
    while let Some(row) = &rows.next()? {
        let kept = row.get_ref(1)?.as_blob()?;
        altered += u64::from(unpacker.unpack(kept, &row.get(0)?).is_err());
    }
    Ok(altered)
}

impl Ledger {
    /// Looks through everything: the file's own structure, the counts, the hash of every request, and the evidence.
    pub fn check(&self) -> Result<Checked, LedgerError> {
        look_through(&self.connection)
    }

    /// Where the ledger itself is, if this file is a copy of it; `host` is this machine's name.
    pub fn copy_of(&self, host: &str) -> Result<Option<Home>, LedgerError> {
        let here = if self.connection.has_file() {
            self.connection.file()?.path().and_then(|path| Home::of(Path::new(path), host).ok())
        } else {
            Some(Home::of_database(&self.connection)?)
        };
        let Some(here) = here else { return Ok(None) };
        match self.standing(&here)? {
            Standing::CopyOf(home) => Ok(Some(home)),
            Standing::AtHome | Standing::ToBeNoted => Ok(None),
        }
    }

    /// Copies the ledger as it stands at this moment, while others may write to it. The file must not be there yet; it
    /// is for its owner's eyes only, and on the disk when this returns.
    pub fn backup(&self, to: &Path) -> Result<(), LedgerError> {
        let unmakeable = |source| LedgerError::Unmakeable { path: to.to_owned(), source };
        if to.symlink_metadata().is_ok() {
            return Err(LedgerError::Taken(to.to_owned()));
        }
        let part = place::beside(to, ".part");
        let finished = self.copy_synced(&part).and_then(|()| std::fs::rename(&part, to).map_err(unmakeable));
        if finished.is_err() {
            // What is left of a failed copy helps nobody.
            let _ = std::fs::remove_file(&part);
        }
        finished
    }

    /// Copies the ledger over whatever is there; whole and on the disk when this returns.
    pub(super) fn copy_synced(&self, to: &Path) -> Result<(), LedgerError> {
        let unmakeable = |source| LedgerError::Unmakeable { path: to.to_owned(), source };
        let _ = std::fs::remove_file(to);
        place::create_private(to).map_err(unmakeable)?;
        self.copy_into(to)?;
        place::sync_file(to).map_err(unmakeable)
    }

    #[cfg(feature = "postgres")]
    fn copy_into(&self, file: &Path) -> Result<(), LedgerError> {
        if self.connection.has_file() {
            return sqlite::copy(&self.connection, file);
        }
        super::transfer::to_file(&self.connection, file)
    }

    #[cfg(not(feature = "postgres"))]
    fn copy_into(&self, file: &Path) -> Result<(), LedgerError> {
        sqlite::copy(&self.connection, file)
    }
}
