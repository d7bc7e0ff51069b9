//! The order book: the revisions that sources give of orders, and whether an order goes by them.
//!
//! A source gives revisions of orders; the newest one of each stands in the order's row. What could be sent goes only where its
//! verdict is "go" and no question about it waits for a person.

use sha2::{Digest as _, Sha256};

use super::address::{addresses, take_up};
use super::aliases;
use super::chain::{Chain, Kind, take_revision};
use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::known::known;
use super::open::Ledger;
use super::record::{Decimal, FrozenRequest, Known, NewRevision, OrderId, Revision, RunId, State, Verdict};
use super::sql::int;
use crate::finding::{Basis, RuleId};
use crate::text::hex;

/// Who records something, and when.
#[derive(Clone, Copy)]
pub(super) struct Author<'b> {
    pub(super) user: &'b str,
    pub(super) host: &'b str,
    pub(super) at_ms: i64,
}

/// The kind of a source.
#[derive(Clone, Copy)]
pub(super) enum SourceKind {
    /// The sheets of an import, with the run that was staged.
    Sheets(Option<RunId>),
    Statement,
    Draft,
    Decision,
}

/// A source while its revisions are recorded. It is written at its end, when all of them are known.
pub(super) struct Source {
    pub(super) id: i64,
    next_revision: i64,
    revisions: u64,
    pub(super) digest: Sha256,
}

/// A revision as it is written into its row.
pub(super) struct RevisionRow<'s> {
    pub(super) verdict: Verdict,
    pub(super) hold: Option<&'s str>,
    /// The request, with its hash.
    pub(super) request: Option<(i64, [u8; 32])>,
    pub(super) rows: Option<&'s str>,
    pub(super) rule: Option<&'s str>,
    pub(super) sheet: Option<[u8; 32]>,
}

impl RevisionRow<'_> {
    /// The order goes, with this request.
    pub(super) const fn go(request: i64, sha256: [u8; 32]) -> Self {
        let (verdict, request) = (Verdict::Go, Some((request, sha256)));
        Self { verdict, hold: None, request, rows: None, rule: None, sheet: None }
    }
}

impl Source {
    pub(super) fn begin(connection: &Connection) -> Result<Self, LedgerError> {
        let next = |table: &str| -> Result<i64, LedgerError> {
            let sql = format!("SELECT coalesce(max(id), 0) + 1 FROM {table}");
            Ok(connection.query_row(&sql, (), |row| row.get(0))?)
        };
        let (id, next_revision) = (next("sources")?, next("revisions")?);
        Ok(Self { id, next_revision, revisions: 0, digest: Sha256::new() })
    }

    /// The revision to come.
    pub(super) const fn next_revision(&self) -> i64 {
        self.next_revision
    }

    /// Writes a revision, and gives its id.
    pub(super) fn record(
        &mut self,
        connection: &Connection,
        (order, number): (OrderId, &str),
        said: &RevisionRow<'_>,
    ) -> Result<i64, LedgerError> {
        let revision = self.next_revision;
        let RevisionRow { verdict, hold, request, rows, rule, sheet } = *said;
        connection
            .prepare_cached(
                "INSERT INTO revisions (id, order_id, source_id, verdict, hold, request_id, rows, rule, sheet)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            )?
            .execute(params![
                revision,
                order.0,
                self.id,
                verdict.as_str(),
                hold,
                request.map(|(id, _)| id),
                rows,
                rule,
                sheet
            ])?;
        self.next_revision += 1;
        self.revisions += 1;
        take_revision(
            &mut self.digest,
            number,
            verdict.as_str(),
            (hold, request.map(|(_, sha256)| sha256)),
            (rows, rule, sheet),
        );
        Ok(revision)
    }

    /// Writes the source, bound into the evidence with all of its revisions.
    pub(super) fn end(
        self,
        connection: &Connection,
        (kind, service): (SourceKind, i64),
        by: &Author<'_>,
    ) -> Result<(), LedgerError> {
        let (word, run) = match kind {
            SourceKind::Sheets(run) => ("sheets", run),
            SourceKind::Statement => ("statement", None),
            SourceKind::Draft => ("draft", None),
            SourceKind::Decision => ("decision", None),
        };
        let digest: [u8; 32] = self.digest.finalize().into();
        let mut chain = Chain::read(connection)?;
        connection
            .prepare_cached(
                "INSERT INTO sources (id, kind, run_id, service_id, at_ms, user, host, revisions, digest, evidence_n)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                self.id,
                word,
                run.map(|run| run.0),
                service,
                by.at_ms,
                by.user,
                by.host,
                int(self.revisions),
                digest,
                chain.next()
            ])?;
        chain.bind(connection, Kind::Source, self.id)
    }
}

/// The reason why an order `o` does not go, or the last error of one that does, for people.
macro_rules! error {
    () => {
        "CASE WHEN o.state <> 'booked' AND o.standing IN ('invalid', 'held', 'left_out', 'dismissed')
            THEN (SELECT y.because FROM reasons y WHERE y.order_id = o.id) ELSE o.error END"
    };
}
pub(super) use error;

/// An order as a source has it that lets it go.
#[derive(Debug, Clone, Copy)]
pub struct Incoming {
    /// The hash of its request.
    pub sha256: [u8; 32],
    /// Whether it is older than what was said last: the order had this request before, or this sheet came before.
    pub was_before: bool,
    /// The SHA-256 of the sheet's file.
    pub sheet: Option<[u8; 32]>,
    /// Whether a person dismissed the order with these very cells.
    pub is_dismissed: bool,
}

/// How a request bears on the one that the order has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Successor {
    /// It takes its place.
    Same,
    /// Phone and name with PIN code are another person's.
    OtherReceiver,
    /// It has fewer products, so many before and so many now.
    FewerProducts(usize, usize),
}

/// A person is asked about an order that a source lets go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Question {
    /// A newer source says that the order does not go, or asks about it already: is this an old sheet?
    OldSheet,
    /// A newer source replaced this content: is this an old sheet?
    Replaced,
    /// It is somebody else's order: are they two?
    OtherReceiver,
    /// It has fewer products than before: are some of them missing?
    FewerProducts { was: usize, is: usize },
}

/// The question that there is about an order that comes and could be sent, if any. `successor` says how its request bears on the one
/// that the order has; nothing where that one cannot be read.
pub fn question(known: &Known, comes: &Incoming, successor: impl FnOnce() -> Option<Successor>) -> Option<Question> {
    if known.is_over() {
        return None;
    }
    let is_same = known.sha256 == Some(comes.sha256);
    // The sheet that kept it back has been let go by a person's answer since, or by another configuration. What failed as well goes
    // again because a person asks.
    let is_own = |now: &&Revision| {
        now.hold.is_none()
            && now.verdict != Verdict::Dismissed
            && now.sheet.is_some()
            && now.sheet == comes.sheet
            && known.attempts == 0
    };
    let now = known.revision.as_ref().filter(|now| !is_own(now));
    if is_same && now.is_none() {
        return None;
    }
    // The receiver is compared first: an order of somebody else is never an older form of this one.
    let successor = if is_same { Some(Successor::Same) } else { successor() };
    if successor == Some(Successor::OtherReceiver) {
        return Some(Question::OtherReceiver);
    }
    match now {
        Some(now)
            if is_same
                || comes.was_before
                || now.verdict == Verdict::Cancelled
                || (now.verdict == Verdict::Dismissed && comes.is_dismissed) =>
        {
            return Some(Question::OldSheet);
        }
        None if comes.was_before => return Some(Question::Replaced),
        _ => {}
    }
    match successor? {
        Successor::FewerProducts(was, is) => Some(Question::FewerProducts { was, is }),
        Successor::Same | Successor::OtherReceiver => None,
    }
}

impl Known {
    /// Whether a revision of these changes anything. A cancellation stands until a source lets the order go.
    #[must_use]
    pub fn is_changed_by(&self, verdict: Verdict, hold: Option<&str>, request: Option<[u8; 32]>) -> bool {
        if matches!(self.state, State::Booked | State::Abandoned) {
            return false;
        }
        match (&self.revision, hold) {
            (None, _) => {
                verdict != Verdict::Go || hold.is_some() || request.is_some_and(|request| self.sha256 != Some(request))
            }
            (Some(now), Some(_)) => now.hold.as_deref() != hold || request.is_some() && now.request != request,
            // A question about what was said before is over.
            (Some(now), None) => now.hold.is_some() || now.verdict != Verdict::Cancelled && now.verdict != verdict,
        }
    }
}

/// A request as it is written into its row.
pub(super) struct RequestRow<'r> {
    pub(super) sha256: [u8; 32],
    pub(super) created_ms: i64,
    pub(super) lines: u32,
    pub(super) value: Decimal,
    pub(super) cod: Decimal,
    pub(super) rows: &'r str,
    /// Its body, packed.
    pub(super) body: &'r [u8],
}

impl RequestRow<'_> {
    /// Writes the request of an order that was staged then.
    pub(super) fn insert(
        &self,
        connection: &Connection,
        (request, order, staged_ms): (i64, OrderId, i64),
    ) -> Result<(), LedgerError> {
        let Self { sha256, created_ms, lines, value, cod, rows, body } = *self;
        connection
            .prepare_cached(
                "INSERT INTO requests (id, order_id, sha256, staged_ms, created_ms, lines, value, cod, rows, body)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute(params![
                request,
                order.0,
                sha256,
                staged_ms,
                created_ms,
                lines,
                value.to_string(),
                cod.to_string(),
                rows,
                body
            ])?;
        Ok(())
    }
}

/// Writes an order that does not go by the first source that names it.
pub(super) fn begin(
    connection: &Connection,
    source: &mut Source,
    (order, service): (OrderId, i64),
    new: &NewRevision,
) -> Result<(), LedgerError> {
    let NewRevision { number, verdict, rows, rule, sheet, .. } = new;
    connection
        .prepare_cached(
            "INSERT INTO orders (id, service_id, number, state, revision_id, verdict)
             VALUES (?1, ?2, ?3, 'staged', ?4, ?5)",
        )?
        .execute(params![order.0, service, number, source.next_revision(), verdict.as_str()])?;
    let rule = Some(rule.as_str()).filter(|rule| !rule.is_empty());
    let said = RevisionRow { verdict: *verdict, hold: None, request: None, rows: Some(rows), rule, sheet: *sheet };
    source.record(connection, (order, number), &said)?;
    aliases::keep(connection, order, number)
}

/// Keeps the request that a person is asked about, once: gives its id, which is `next` where the order never had it.
pub(super) fn freeze(
    connection: &Connection,
    (next, order, staged_ms): (i64, OrderId, i64),
    frozen: &FrozenRequest,
    rows: &str,
) -> Result<i64, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT id FROM requests WHERE order_id = ?1 AND sha256 = ?2 AND length(body) > 0 ORDER BY id DESC LIMIT 1",
    )?;
    let kept = statement.query_row(params![order.0, frozen.sha256], |row| row.get(0)).optional()?;
    if let Some(request) = kept {
        return Ok(request);
    }
    let FrozenRequest { packed, sha256, created_ms, lines, value, cod } = frozen;
    let row = RequestRow {
        sha256: *sha256,
        created_ms: *created_ms,
        lines: *lines,
        value: *value,
        cod: *cod,
        rows,
        body: packed.bytes(),
    };
    row.insert(connection, (next, order, staged_ms))?;
    Ok(next)
}

/// Records that an order does not go by a source, or what asks a person, who is asked whatever the verdict was before; `request` is
/// kept already.
pub(super) fn revise(
    connection: &Connection,
    source: &mut Source,
    known: &Known,
    new: &NewRevision,
    request: Option<(i64, [u8; 32])>,
) -> Result<(), LedgerError> {
    let NewRevision { verdict, hold, rows, rule, sheet, .. } = new;
    let hold = hold.map(RuleId::as_str);
    let before = known.revision.as_ref().map_or(Verdict::Go, |revision| revision.verdict);
    let stays_cancelled = before == Verdict::Cancelled && *verdict != Verdict::Go && hold.is_none();
    let verdict = if hold.is_some() || stays_cancelled { before } else { *verdict };
    let (rows, rule, sheet): (Option<String>, Option<String>, _) = if stays_cancelled {
        // The source ends a question, and the cancellation before it stands as it was.
        let mut cancelled = connection.prepare_cached(
            "SELECT rows, rule, sheet FROM revisions WHERE order_id = ?1 AND hold IS NULL ORDER BY id DESC LIMIT 1",
        )?;
        cancelled.query_row([known.order.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
    } else {
        (Some(rows.clone()), Some(rule.clone()).filter(|rule| !rule.is_empty()), *sheet)
    };
    let said = RevisionRow { verdict, hold, request, rows: rows.as_deref(), rule: rule.as_deref(), sheet };
    let revision = source.record(connection, (known.order, &known.number), &said)?;
    connection
        .prepare_cached("UPDATE orders SET revision_id = ?2, verdict = ?3, hold = ?4 WHERE id = ?1")?
        .execute(params![known.order.0, revision, verdict.as_str(), hold])?;
    Ok(())
}

/// The request with which a person lets an order go.
#[derive(Clone, Copy)]
pub(super) enum Release<'r> {
    /// The request that a rule asks about, as long as the answer was given to that one.
    Asked(&'r str, &'r Basis),
    /// The request that the order has.
    AsItIs,
}

/// Lets an order go that could be sent, by a person's answer; whether there was anything to let go.
pub(super) fn release(
    connection: &Connection,
    order: OrderId,
    what: Release<'_>,
    by: &Author<'_>,
) -> Result<bool, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT o.service_id, o.number, o.hold, o.request_id, v.request_id FROM orders o
         CROSS JOIN revisions v ON v.id = o.revision_id
         WHERE o.id = ?1 AND o.source_standing IN ('held', 'left_out', 'dismissed')",
    )?;
    let found = statement.query_row([order.0], |row| {
        Ok((row.get(0)?, row.get::<String>(1)?, row.get::<Option<String>>(2)?, row.get(3)?, row.get(4)?))
    });
    let Some((service, number, hold, own, asked)) = found.optional()? else { return Ok(false) };
    let (own, asked): (Option<i64>, Option<i64>) = (own, asked);
    let Some(request) = (match what {
        Release::AsItIs => own,
        Release::Asked(rule, _) => asked.filter(|_| hold.as_deref() == Some(rule)),
    }) else {
        return Ok(false);
    };
    let mut statement =
        connection.prepare_cached("SELECT sha256, length(body), created_ms FROM requests WHERE id = ?1")?;
    let (sha256, bytes, created_ms): ([u8; 32], i64, i64) =
        statement.query_row([request], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if matches!(what, Release::Asked(_, basis) if !basis.has("", &hex(&sha256))) {
        return Ok(false);
    }
    if bytes == 0 {
        return Err(LedgerError::Emptied { order: number });
    }
    let mut source = Source::begin(connection)?;
    let revision = source.record(connection, (order, &number), &RevisionRow::go(request, sha256))?;
    if matches!(what, Release::Asked(..)) {
        // The run that brought this content keeps it back no more.
        connection.execute(
            "UPDATE run_orders SET behind = 0 WHERE order_id = ?1 AND behind = 1 AND already = 0
                AND run_id = (SELECT max(run_id) FROM run_orders WHERE order_id = ?1)",
            [order.0],
        )?;
    }
    // A refused order stays refused, for `retry`, unless it has another request now.
    let staged = if own == Some(request) { "" } else { "state = 'staged', error = NULL, order_id = NULL," };
    connection.execute(
        &format!(
            "UPDATE orders SET {staged} request_id = ?2, created_ms = coalesce(created_ms, ?4), revision_id = ?3,
                verdict = 'go', hold = NULL WHERE id = ?1"
        ),
        params![order.0, request, revision, created_ms],
    )?;
    source.end(connection, (SourceKind::Decision, service), by)?;
    Ok(true)
}

impl Ledger {
    /// Records what a source says of orders of a service that was staged with no run, all of it or nothing; gives the numbers of
    /// those whose row it changes.
    pub fn revise(
        &mut self,
        service: &str,
        (user, host, at_ms): (&str, &str, i64),
        all: &[NewRevision],
    ) -> Result<Vec<String>, LedgerError> {
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let transaction = self.begin()?;
        let by = Author { user, host, at_ms };
        let own = take_up(&transaction, service)?;
        let addresses = addresses(&transaction, service)?;
        let mut source = Source::begin(&transaction)?;
        let mut revised = Vec::new();
        for new in all {
            let sha256 = new.request.as_ref().map(|request| request.sha256);
            let hold = new.hold.map(RuleId::as_str);
            let Some(known) = known(&transaction, &addresses, &new.number)? else {
                // A cancellation is kept of an order, too, that comes with an older sheet only later.
                if new.verdict == Verdict::Cancelled {
                    let next = "SELECT coalesce(max(id), 0) + 1 FROM orders";
                    let order = OrderId(transaction.query_row(next, (), |row| row.get(0))?);
                    begin(&transaction, &mut source, (order, own), new)?;
                    revised.push(new.number.clone());
                }
                continue;
            };
            // No run could send what nobody has let go yet: its sheet asks again.
            let asks_in_vain = hold.is_some() && known.sha256.is_none();
            if asks_in_vain || !known.is_changed_by(new.verdict, hold, sha256) {
                continue;
            }
            let request = match &new.request {
                None => None,
                Some(frozen) => {
                    let next = "SELECT coalesce(max(id), 0) + 1 FROM requests";
                    let next: i64 = transaction.query_row(next, (), |row| row.get(0))?;
                    Some((freeze(&transaction, (next, known.order, at_ms), frozen, &new.rows)?, frozen.sha256))
                }
            };
            revise(&transaction, &mut source, &known, new, request)?;
            revised.push(new.number.clone());
        }
        if !revised.is_empty() {
            source.end(&transaction, (SourceKind::Sheets(None), own), &by)?;
            transaction.commit()?;
            self.raise_mark();
        }
        Ok(revised)
    }
}
