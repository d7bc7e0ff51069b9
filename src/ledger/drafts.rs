//! Sheets that were dropped at the desk: as they came, in pieces, and behind them a note of each answer, of each run and of what it
//! left to do. A note never changes; all of a sheet goes once it is cleared. In the ledger every station and every backup has them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};

use super::crash::{crash_point, fail_point};
use super::db::{self, Connection, OptionalExtension, Row, params};
use super::draft_holds::{self, NewDraftHolds};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::RunId;
use super::sql::int;
use super::staging::Staging;

/// Bytes of a piece of a sheet.
const PIECE: usize = 256 * 1024;

/// A sheet that is open at the desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftRecord {
    /// Its id, a text of the caller's.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// How many these are.
    pub bytes: u64,
    /// When it came, epoch milliseconds.
    pub added_ms: i64,
}

/// A note behind a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftNote {
    /// When it was made, epoch milliseconds.
    pub at_ms: i64,
    /// Its kind.
    pub noted: DraftNoted,
}

/// A note behind a sheet, by its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftNoted {
    /// An answer of a person, as JSON.
    Answer(String),
    /// The answer before is taken back.
    Undo,
    /// This run was staged from it.
    Run(RunId),
    /// Couriers were asked whether they go where its orders go.
    Couriers,
    /// A layout was made of it: which, as JSON.
    Layout(String),
    /// Things left to do with it after a run, as JSON.
    Rest(String),
}

/// The end of an attempt to change something of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftKept {
    /// It is done.
    Yes,
    /// Somebody else said something of the sheet since.
    ChangedSince,
    /// This order is on its way just now, as it is.
    UnderWay(String),
    /// There is no such sheet any more.
    Gone,
}

/// Orders of which something is said.
pub struct Concerned<'c> {
    /// Their numbers.
    pub numbers: &'c BTreeSet<String>,
    /// Whether any program works with the ledger: without one, a run that has no end was broken off.
    pub is_at_work: &'c dyn Fn() -> bool,
    /// Those that the sheet keeps back from then on.
    pub holds: Option<&'c NewDraftHolds<'c>>,
}

/// How far a ledger is, apart from what is said of open sheets: whatever becomes of an order changes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// The newest link of evidence.
    evidence: i64,
    /// The newest attempt.
    attempts: i64,
    /// The newest run, revision, request for a cancellation and cancellation, and how many of these requests are open.
    others: [i64; 5],
}

/// Notes that change the orders of a sheet, or which of them go.
const CHANGES: &str = "(kind = 'answer' OR kind = 'undo' OR kind = 'run')";

impl DraftNoted {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Answer(_) => "answer",
            Self::Undo => "undo",
            Self::Run(_) => "run",
            Self::Couriers => "couriers",
            Self::Layout(_) => "layout",
            Self::Rest(_) => "rest",
        }
    }

    /// Whether it changes the orders of the sheet, or which of them go.
    #[must_use]
    pub const fn is_change(&self) -> bool {
        matches!(self, Self::Answer(_) | Self::Undo | Self::Run(_))
    }

    /// Whether it is made only where nobody said anything since.
    const fn needs_revision(&self) -> bool {
        self.is_change() || matches!(self, Self::Rest(_))
    }
}

impl Ledger {
    /// Keeps a sheet, of which `from` gives the bytes.
    pub fn keep_draft(&mut self, new: &DraftRecord, from: &mut dyn Read) -> Result<(), LedgerError> {
        let transaction = self.begin()?;
        transaction.execute(
            "INSERT INTO drafts (id, n, name, sha256, bytes, added_ms)
             SELECT ?1, coalesce(max(n), 0) + 1, ?2, ?3, ?4, ?5 FROM drafts",
            params![new.id, new.name, new.sha256, int(new.bytes), new.added_ms],
        )?;
        let mut piece = Vec::with_capacity(PIECE);
        for n in 1_i64.. {
            piece.clear();
            let read = Read::take(&mut *from, PIECE as u64).read_to_end(&mut piece);
            if read.map_err(|error| LedgerError::Io(error.to_string()))? == 0 {
                break;
            }
            transaction
                .prepare_cached("INSERT INTO draft_pieces (draft_id, n, content) VALUES (?1, ?2, ?3)")?
                .execute(params![new.id, n, piece.as_slice()])?;
        }
        fail_point("draft")?;
        Ok(transaction.commit()?)
    }

    /// Every sheet, the newest first, in the order in which the ledger got them.
    pub fn drafts(&self) -> Result<Vec<DraftRecord>, LedgerError> {
        let sql = "SELECT id, name, sha256, bytes, added_ms FROM drafts ORDER BY n DESC";
        Ok(self.connection.prepare_cached(sql)?.query_map((), record)?.collect::<Result<_, _>>()?)
    }

    /// One of them; none where it was cleared.
    pub fn draft(&self, id: &str) -> Result<Option<DraftRecord>, LedgerError> {
        let sql = "SELECT id, name, sha256, bytes, added_ms FROM drafts WHERE id = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([id], record).optional()?)
    }

    /// The one that a run was staged from; none where it was cleared.
    pub fn draft_of_run(&self, run: RunId) -> Result<Option<DraftRecord>, LedgerError> {
        let sql = "SELECT id, name, sha256, bytes, added_ms FROM drafts
            WHERE id IN (SELECT draft_id FROM draft_notes WHERE run_id = ?1)";
        Ok(self.connection.prepare_cached(sql)?.query_row([run.0], record).optional()?)
    }

    /// Writes the bytes of a sheet, as they came.
    pub fn write_draft(&self, id: &str, to: &mut dyn Write) -> Result<(), LedgerError> {
        let io = |error: std::io::Error| LedgerError::Io(error.to_string());
        for n in 1_i64.. {
            let sql = "SELECT content FROM draft_pieces WHERE draft_id = ?1 AND n = ?2";
            let piece = self.connection.prepare_cached(sql)?.query_row(params![id, n], |row| row.get(0)).optional()?;
            let Some(piece): Option<Vec<u8>> = piece else { break };
            to.write_all(&piece).map_err(io)?;
        }
        to.flush().map_err(io)
    }

    /// The notes behind a sheet, in the order in which they were made.
    pub fn draft_notes(&self, id: &str) -> Result<Vec<DraftNote>, LedgerError> {
        let sql = "SELECT at_ms, kind, said, run_id FROM draft_notes WHERE draft_id = ?1 ORDER BY n";
        Ok(self.connection.prepare_cached(sql)?.query_map([id], note)?.collect::<Result<_, _>>()?)
    }

    /// The same of all sheets, by their ids.
    pub fn all_draft_notes(&self) -> Result<BTreeMap<String, Vec<DraftNote>>, LedgerError> {
        let sql = "SELECT at_ms, kind, said, run_id, draft_id FROM draft_notes ORDER BY draft_id, n";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut notes: BTreeMap<String, Vec<DraftNote>> = BTreeMap::new();
        for own in statement.query_map((), |row| Ok((row.get(4)?, note(row)?)))? {
            let (draft, note): (String, _) = own?;
            notes.entry(draft).or_default().push(note);
        }
        Ok(notes)
    }

    /// Every sheet with how often something was said of it, taken back, or booked.
    pub fn draft_revisions(&self) -> Result<BTreeMap<String, u64>, LedgerError> {
        let sql = format!(
            "SELECT d.id, count(n.n) FROM drafts d LEFT JOIN draft_notes n ON n.draft_id = d.id AND {CHANGES} GROUP BY d.id"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let revisions = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(revisions.collect::<Result<_, _>>()?)
    }

    /// How far the ledger is, apart from what is said of such sheets.
    pub fn progress(&self) -> Result<Progress, LedgerError> {
        let newest = |table: &str| format!("(SELECT coalesce(max(id), 0) FROM {table})");
        let tables = ["attempts", "runs", "revisions", "cancel_requests", "cancellations"].map(newest).join(", ");
        let sql = format!(
            "SELECT (SELECT coalesce(max(n), 0) FROM evidence), {tables},
                (SELECT count(*) FROM cancel_requests WHERE ended_ms IS NULL)"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row((), |row| {
            let others = [row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?];
            Ok(Progress { evidence: row.get(0)?, attempts: row.get(1)?, others })
        })?)
    }

    /// The orders that were sent or answered since the ledger was so far; nothing where anything else was said or done as well.
    pub fn sent_since(&self, before: &Progress) -> Result<Option<Vec<String>>, LedgerError> {
        let Progress { evidence, attempts, others } = before;
        let mut other_links = self.connection.prepare_cached(
            "SELECT 1 FROM evidence e WHERE e.n > ?1 AND e.kind <> 'attempt' AND e.kind <> 'late answer'
                AND NOT (e.kind = 'source' AND EXISTS (SELECT 1 FROM sources c WHERE c.id = e.subject AND c.kind = 'draft'))",
        )?;
        if self.progress()?.others != *others || other_links.exists([*evidence])? {
            return Ok(None);
        }
        let mut statement = self.connection.prepare_cached(
            "SELECT o.number FROM evidence e CROSS JOIN attempts a ON a.id = e.subject CROSS JOIN orders o ON o.id = a.order_id
                WHERE e.n > ?1 AND e.kind = 'attempt'
             UNION SELECT o.number FROM evidence e CROSS JOIN late_answers l ON l.id = e.subject
                CROSS JOIN attempts a ON a.id = l.attempt_id CROSS JOIN orders o ON o.id = a.order_id
                WHERE e.n > ?1 AND e.kind = 'late answer'
             UNION SELECT o.number FROM attempts a CROSS JOIN orders o ON o.id = a.order_id WHERE a.id > ?2 ORDER BY 1",
        )?;
        let numbers = statement.query_map(params![*evidence, *attempts], |row| row.get(0))?;
        Ok(Some(numbers.collect::<Result<_, _>>()?))
    }

    /// Makes notes behind a sheet, all or none: where they change something, or say what is left to do, only if nobody else said
    /// anything since this `revision`, and no run is sending an order that it concerns.
    pub fn note_draft(
        &mut self,
        (id, revision): (&str, u64),
        new: &[DraftNote],
        concerned: &Concerned<'_>,
    ) -> Result<DraftKept, LedgerError> {
        let transaction = self.begin()?;
        if let Some(number) = under_way(&transaction, concerned)? {
            return Ok(DraftKept::UnderWay(number));
        }
        let mut revision = revision;
        for note in new {
            let kept = keep(&transaction, (id, revision), note)?;
            if kept != DraftKept::Yes {
                return Ok(kept);
            }
            revision += u64::from(note.noted.is_change());
        }
        if let Some((holds, last)) = concerned.holds.zip(new.last()) {
            draft_holds::hold(&transaction, (id, last.at_ms), holds)?;
        }
        fail_point("draft")?;
        crash_point("answer");
        transaction.commit()?;
        crash_point("answer");
        self.raise_mark();
        Ok(DraftKept::Yes)
    }

    /// Takes a sheet away with all that was said of it, if that is as it was at this `revision`, where one is given.
    pub fn clear_draft(&mut self, id: &str, revision: Option<u64>) -> Result<DraftKept, LedgerError> {
        if self.connection.has_file() {
            // Its bytes are personal: they are not left in pages that nothing uses any more.
            self.connection.execute_batch("PRAGMA secure_delete = ON")?;
        }
        let transaction = self.begin()?;
        let (found, _) = newest(&transaction, id)?;
        if revision.is_some_and(|revision| revision != found) {
            return Ok(DraftKept::ChangedSince);
        }
        draft_holds::release(&transaction, id)?;
        transaction.execute("DELETE FROM draft_notes WHERE draft_id = ?1", [id])?;
        transaction.execute("DELETE FROM draft_pieces WHERE draft_id = ?1", [id])?;
        let cleared = transaction.execute("DELETE FROM drafts WHERE id = ?1", [id])?;
        fail_point("draft")?;
        crash_point("clear");
        transaction.commit()?;
        crash_point("clear");
        Ok(if cleared > 0 { DraftKept::Yes } else { DraftKept::Gone })
    }
}

impl Staging<'_> {
    /// Notes this run with the sheet that it is staged from, as long as nobody said anything of it since this `revision`.
    pub fn of_draft(&mut self, id: &str, revision: u64) -> Result<DraftKept, LedgerError> {
        let new = DraftNote { at_ms: self.started_ms(), noted: DraftNoted::Run(self.run()) };
        let kept = keep(&self.transaction, (id, revision), &new)?;
        if kept == DraftKept::Yes {
            self.lifted = Some(draft_holds::lift(&self.transaction, id)?);
        }
        Ok(kept)
    }
}

/// How often something was said of a sheet, and the number of its next note.
fn newest(connection: &Connection, id: &str) -> Result<(u64, i64), LedgerError> {
    let sql = format!(
        "SELECT count(CASE WHEN {CHANGES} THEN 1 END), coalesce(max(n), 0) + 1 FROM draft_notes WHERE draft_id = ?1"
    );
    Ok(connection.prepare_cached(&sql)?.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// The first of these orders that is on its way in a run which has no end yet. A file has one run at a time, a server one of each
/// station.
fn under_way(
    connection: &Connection,
    Concerned { numbers, is_at_work, .. }: &Concerned<'_>,
) -> Result<Option<String>, LedgerError> {
    if numbers.is_empty() || !is_at_work() {
        return Ok(None);
    }
    let newest = if connection.has_file() { "AND r.id = (SELECT max(id) FROM runs)" } else { "" };
    let mut statement = connection.prepare(&format!(
        "SELECT o.number FROM runs r CROSS JOIN run_orders u ON u.run_id = r.id CROSS JOIN orders o ON o.id = u.order_id
         WHERE r.finished_ms IS NULL {newest} AND u.behind = 0 AND o.state = 'sending' ORDER BY 1"
    ))?;
    let mut open = statement.query(())?;
    while let Some(row) = open.next()? {
        let number: String = row.get(0)?;
        if numbers.contains(&number) {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// Adds a note to those of a sheet.
fn keep(
    connection: &Connection,
    (id, revision): (&str, u64),
    DraftNote { at_ms, noted }: &DraftNote,
) -> Result<DraftKept, LedgerError> {
    let (found, n) = newest(connection, id)?;
    if !connection.prepare_cached("SELECT 1 FROM drafts WHERE id = ?1")?.exists([id])? {
        return Ok(DraftKept::Gone);
    }
    if noted.needs_revision() && found != revision {
        return Ok(DraftKept::ChangedSince);
    }
    let (said, run) = match noted {
        DraftNoted::Answer(said) | DraftNoted::Layout(said) | DraftNoted::Rest(said) => (Some(said.as_str()), None),
        DraftNoted::Run(run) => (None, Some(run.0)),
        DraftNoted::Undo | DraftNoted::Couriers => (None, None),
    };
    connection
        .prepare_cached(
            "INSERT INTO draft_notes (draft_id, n, at_ms, kind, said, run_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![id, n, *at_ms, noted.kind(), said, run])?;
    Ok(DraftKept::Yes)
}

fn record(row: &Row<'_>) -> db::Result<DraftRecord> {
    let (id, name, sha256) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(DraftRecord { id, name, sha256, bytes: row.get(3)?, added_ms: row.get(4)? })
}

fn note(row: &Row<'_>) -> db::Result<DraftNote> {
    let kind: String = row.get(1)?;
    let noted = match kind.as_str() {
        "answer" => DraftNoted::Answer(row.get(2)?),
        "run" => DraftNoted::Run(RunId(row.get(3)?)),
        "couriers" => DraftNoted::Couriers,
        "layout" => DraftNoted::Layout(row.get(2)?),
        "rest" => DraftNoted::Rest(row.get(2)?),
        "undo" => DraftNoted::Undo,
        _ => return Err(db::Error::Meaningless(format!("\"{kind}\" is no note of a sheet"))),
    };
    Ok(DraftNote { at_ms: row.get(0)?, noted })
}
