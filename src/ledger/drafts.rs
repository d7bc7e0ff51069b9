//! Sheets that people have open at the desk: as they came, in pieces, and behind them a note of each answer and of each run. A note
//! never changes; all of a sheet goes once it is cleared.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use super::crash::fail_point;
use super::db::{self, Connection, OptionalExtension, Row, params};
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
    /// What it says.
    pub noted: DraftNoted,
}

/// What a note behind a sheet says.
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
}

/// What came of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftKept {
    /// It is kept.
    Yes,
    /// Somebody else said something of the sheet since.
    ChangedSince,
    /// There is no such sheet any more.
    Gone,
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

/// The notes that change what a sheet comes to.
const CHANGES: &str = "(kind = 'answer' OR kind = 'undo' OR kind = 'run')";

impl DraftNoted {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Answer(_) => "answer",
            Self::Undo => "undo",
            Self::Run(_) => "run",
            Self::Couriers => "couriers",
            Self::Layout(_) => "layout",
        }
    }

    /// Whether it changes what the sheet comes to.
    #[must_use]
    pub const fn is_change(&self) -> bool {
        matches!(self, Self::Answer(_) | Self::Undo | Self::Run(_))
    }
}

impl Ledger {
    /// Keeps a sheet, of which `from` gives the bytes.
    pub fn keep_draft(&mut self, new: &DraftRecord, from: &mut dyn Read) -> Result<(), LedgerError> {
        let transaction = self.begin()?;
        transaction.execute(
            "INSERT INTO drafts (id, name, sha256, bytes, added_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
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

    /// Every sheet, the newest first.
    pub fn drafts(&self) -> Result<Vec<DraftRecord>, LedgerError> {
        let sql = "SELECT id, name, sha256, bytes, added_ms FROM drafts ORDER BY added_ms DESC, id DESC";
        Ok(self.connection.prepare_cached(sql)?.query_map((), record)?.collect::<Result<_, _>>()?)
    }

    /// One of them; none where it was cleared.
    pub fn draft(&self, id: &str) -> Result<Option<DraftRecord>, LedgerError> {
        let sql = "SELECT id, name, sha256, bytes, added_ms FROM drafts WHERE id = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([id], record).optional()?)
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
        let mut else_said = self
            .connection
            .prepare_cached("SELECT 1 FROM evidence WHERE n > ?1 AND kind <> 'attempt' AND kind <> 'late answer'")?;
        if self.progress()?.others != *others || else_said.exists([*evidence])? {
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

    /// Makes a note behind a sheet: where it changes something, only if nobody else said anything since this `revision`.
    pub fn note_draft(&mut self, id: &str, revision: u64, new: &DraftNote) -> Result<DraftKept, LedgerError> {
        let transaction = self.begin()?;
        let kept = keep(&transaction, (id, revision), new)?;
        fail_point("draft")?;
        transaction.commit()?;
        Ok(kept)
    }

    /// Takes a sheet away with all that was said of it. `false` where there is none.
    pub fn clear_draft(&mut self, id: &str) -> Result<bool, LedgerError> {
        if self.connection.has_file() {
            // Its bytes are personal: they are not left in pages that nothing uses any more.
            self.connection.execute_batch("PRAGMA secure_delete = ON")?;
        }
        let transaction = self.begin()?;
        transaction.execute("DELETE FROM draft_notes WHERE draft_id = ?1", [id])?;
        transaction.execute("DELETE FROM draft_pieces WHERE draft_id = ?1", [id])?;
        let cleared = transaction.execute("DELETE FROM drafts WHERE id = ?1", [id])?;
        fail_point("draft")?;
        transaction.commit()?;
        Ok(cleared > 0)
    }
}

impl Staging<'_> {
    /// Notes this run with the sheet that it is staged from, as long as nobody said anything of it since this `revision`.
    pub fn of_draft(&mut self, id: &str, revision: u64) -> Result<DraftKept, LedgerError> {
        let new = DraftNote { at_ms: self.started_ms(), noted: DraftNoted::Run(self.run()) };
        keep(&self.transaction, (id, revision), &new)
    }
}

/// Adds a note to those of a sheet.
fn keep(
    connection: &Connection,
    (id, revision): (&str, u64),
    DraftNote { at_ms, noted }: &DraftNote,
) -> Result<DraftKept, LedgerError> {
    let sql = format!(
        "SELECT count(CASE WHEN {CHANGES} THEN 1 END), coalesce(max(n), 0) + 1 FROM draft_notes WHERE draft_id = ?1"
    );
    let (found, n): (u64, i64) =
        connection.prepare_cached(&sql)?.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if !connection.prepare_cached("SELECT 1 FROM drafts WHERE id = ?1")?.exists([id])? {
        return Ok(DraftKept::Gone);
    }
    if noted.is_change() && found != revision {
        return Ok(DraftKept::ChangedSince);
    }
    let (said, run) = match noted {
        DraftNoted::Answer(said) | DraftNoted::Layout(said) => (Some(said.as_str()), None),
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
    Ok(DraftRecord {
        id: row.get(0)?,
        name: row.get(1)?,
        sha256: row.get(2)?,
        bytes: row.get(3)?,
        added_ms: row.get(4)?,
    })
}

fn note(row: &Row<'_>) -> db::Result<DraftNote> {
    let kind: String = row.get(1)?;
    let noted = match kind.as_str() {
        "answer" => DraftNoted::Answer(row.get(2)?),
        "run" => DraftNoted::Run(RunId(row.get(3)?)),
        "couriers" => DraftNoted::Couriers,
        "layout" => DraftNoted::Layout(row.get(2)?),
        "undo" => DraftNoted::Undo,
        _ => return Err(db::Error::Meaningless(format!("\"{kind}\" is no note of a sheet"))),
    };
    Ok(DraftNote { at_ms: row.get(0)?, noted })
}
