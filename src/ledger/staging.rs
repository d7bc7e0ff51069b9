//! Taking orders in: one transaction, held until the person has said yes.

use std::collections::{BTreeMap, HashSet};

use sha2::{Digest as _, Sha256};

use super::accepted::{AcceptedFinding, keep};
use super::address::{addresses, take_up};
use super::aliases;
use super::book::{self, Author, Source, SourceKind};
use super::crash::{crash_point, fail_point};
use super::db::{OptionalExtension, Transaction, params};
use super::dismiss::is_dismissed;
use super::disposition::Disposition;
use super::draft_holds::{self, LiftedHolds};
use super::error::LedgerError;
use super::former;
use super::intake::{Intake, Unsendable};
use super::known::{KnownRequest, had_before, known, request_of};
use super::neighbours::{Neighbours, Sent};
use super::open::Ledger;
use super::packed::Packer;
use super::record::{
    Known, NewRevision, NewRun, OrderId, RunFacts, RunId, RunKind, SheetSource, StagedOrder, State, Verdict,
};
use super::rows::{KnownSheet, RowSheets, RunSheet, SheetRow};
use super::same::SentAs;
use super::sql::int;
use super::tables::{BEFORE_STRAYS, count_runs};
use crate::finding::Finding;

/// A run that is being put together. Dropped without [`Staging::commit`], it leaves nothing behind.
pub struct Staging<'l> {
    pub(super) transaction: Transaction<'l>,
    pub(super) run: RunId,
    pub(super) service: i64,
    /// The ids of all addresses of the service, this one first.
    pub(super) addresses: Vec<i64>,
    pub(super) new: NewRun,
    pub(super) adopted: i64,
    pub(super) set_aside: Vec<String>,
    /// Numbers of orders that are not taken up.
    pub(super) left: HashSet<String>,
    /// Orders that were not taken up, because their rows stand for others by now.
    pub(super) sent_otherwise: Vec<(String, SentAs)>,
    neighbours: Neighbours,
    sheets: RowSheets,
    sheet_names: Vec<String>,
    /// The order that was put or noted last, and whether it was booked before.
    latest: Option<(OrderId, bool)>,
    /// The source that the sheets of an import are; none of a run that only takes orders up.
    source: Option<Source>,
    /// The requests that others were put in the place of, with the numbers of their orders.
    pub(super) replaced: Sha256,
    next_order: i64,
    next_request: i64,
    strays: i64,
    problems: u64,
    /// The sheet of a watcher, and its first run of which nobody was told: it was killed.
    pub(super) untold: Option<(i64, RunId)>,
    packer: Packer,
    /// The holds of the open sheet that is staged.
    pub(super) lifted: Option<LiftedHolds>,
    /// Nothing of it is held any more, nor can be committed.
    is_let_go: bool,
}

impl Ledger {
    /// Begins a run.
    pub fn stage(&mut self, new: NewRun) -> Result<Staging<'_>, LedgerError> {
        let transaction = self.begin()?;
        let service = take_up(&transaction, &new.service)?;
        let addresses = addresses(&transaction, &new.service)?;
        let neighbours = Neighbours::of(&transaction, &new.service)?;
        let run = transaction.insert(
            "INSERT INTO runs (kind, service_id, started_ms, version, user, host) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![new.kind.as_str(), service, new.started_ms, new.version, new.user, new.host],
        )?;
        let run = RunId(run);
        transaction.execute("INSERT INTO run_tallies (run_id) VALUES (?1)", [run.0])?;
        let next = |table: &str| {
            transaction.query_row(&format!("SELECT coalesce(max(id), 0) + 1 FROM {table}"), (), |row| row.get(0))
        };
        let (next_order, next_request) = (next("orders")?, next("requests")?);
        let source = if new.kind == RunKind::Import { Some(Source::begin(&transaction)?) } else { None };
        let (adopted, strays, problems) = (0, 0, 0);
        Ok(Staging {
            transaction,
            run,
            service,
            addresses,
            new,
            adopted,
            set_aside: Vec::new(),
            left: HashSet::new(),
            sent_otherwise: Vec::new(),
            neighbours,
            sheets: RowSheets::default(),
            sheet_names: Vec::new(),
            latest: None,
            source,
            replaced: Sha256::new(),
            next_order,
            next_request,
            strays,
            problems,
            untold: None,
            packer: Packer::default(),
            lifted: None,
            is_let_go: false,
        })
    }
}

impl Intake for Staging<'_> {
    fn known(&self, number: &str) -> Result<Option<Known>, LedgerError> {
        Staging::known(self, number)
    }

    fn request_of(&self, known: &Known) -> Result<Option<KnownRequest>, LedgerError> {
        request_of(&self.transaction, known)
    }

    fn had_before(&self, known: &Known, sha256: &[u8; 32]) -> Result<bool, LedgerError> {
        had_before(&self.transaction, known, sha256)
    }

    fn sheet(&self, number: u16) -> KnownSheet {
        self.sheets.known(number)
    }

    fn records(&self) -> bool {
        true
    }

    fn revise(&mut self, known: &Known, new: &NewRevision) -> Result<bool, LedgerError> {
        let own = "SELECT 1 FROM run_orders WHERE run_id = ?1 AND order_id = ?2 AND behind = 0";
        if self.transaction.prepare_cached(own)?.exists(params![self.run.0, known.order.0])? {
            return Ok(false);
        }
        // The same correction of an order in doubt came before.
        let is_said = "SELECT 1 FROM orders o CROSS JOIN revisions v ON v.id = o.revision_id
            CROSS JOIN requests q ON q.id = v.request_id WHERE o.id = ?1 AND q.sha256 = ?2 AND v.hold IS NULL";
        let sha256 = new.request.as_ref().map(|request| request.sha256).filter(|_| new.hold.is_none());
        if sha256.is_some() && self.transaction.prepare_cached(is_said)?.exists(params![known.order.0, sha256])? {
            return Ok(false);
        }
        let request = self.freeze_asked(known.order, new)?;
        let source = self.source.as_mut().ok_or(LedgerError::Panicked)?;
        book::revise(&self.transaction, source, known, new, request)?;
        self.latest = Some((known.order, false));
        Ok(true)
    }

    fn begin(&mut self, new: &NewRevision) -> Result<(), LedgerError> {
        self.begin_unsent(new)?;
        Ok(())
    }

    fn is_dismissed(&self, number: &str, cells: Option<[u8; 32]>) -> Result<bool, LedgerError> {
        is_dismissed(&self.transaction, &self.addresses, number, cells)
    }

    fn alike(&self, number: &str, beside: &[i64], each: &mut dyn FnMut(Sent)) -> Result<(), LedgerError> {
        self.neighbours.alike(&self.transaction, (number, beside), Some(self.run), each)
    }

    fn sent_lately(&self, since_ms: (i64, i64), each: &mut dyn FnMut(Sent)) -> Result<(), LedgerError> {
        self.neighbours.sent_lately(&self.transaction, since_ms, each)
    }

    fn are_two(&self, one: &str, other: &str) -> Result<bool, LedgerError> {
        self.neighbours.are_two(&self.transaction, one, other)
    }

    fn begin_sheets(&mut self, sheets: &[RunSheet]) -> Result<(), LedgerError> {
        self.sheets = RowSheets::of(&self.transaction, sheets, Some((self.run, self.new.started_ms)))?;
        self.sheet_names = sheets.iter().map(|sheet| sheet.name.clone()).collect();
        Ok(())
    }

    fn sent_otherwise(&self, numbers: (&str, &[String]), rows: &[SheetRow]) -> Result<Option<SentAs>, LedgerError> {
        self.sheets.sent_otherwise(&self.transaction, &self.addresses, numbers, rows)
    }

    fn other_numbers(&self, number: &str, came_as: &[String]) -> Result<Vec<String>, LedgerError> {
        self.sheets.other_numbers(&self.transaction, &self.addresses, number, came_as)
    }

    fn keep_rows(&mut self, rows: &[SheetRow]) -> Result<(), LedgerError> {
        self.latest.map_or(Ok(()), |order| self.sheets.keep(&self.transaction, order, rows))
    }

    fn keep_former(&mut self, numbers: &[String]) -> Result<(), LedgerError> {
        self.latest
            .map_or(Ok(()), |(order, _)| self.sheets.keep_former(&self.transaction, &self.addresses, (order, numbers)))
    }

    fn keeps_requests(&self) -> bool {
        true
    }

    fn put_over(&mut self, order: &StagedOrder<'_>, known: Option<Known>) -> Result<Disposition, LedgerError> {
        let disposition = Disposition::of(known.as_ref(), &order.sha256);
        let Some(known) = known else {
            let id = self.insert(order)?;
            self.latest = Some((id, false));
            self.attach(id, order.position, None, State::Staged)?;
            return Ok(disposition);
        };
        self.latest = Some((known.order, false));
        let is_replaced = match disposition {
            Disposition::ChangedAfterBooking { .. } => return Ok(disposition),
            Disposition::New | Disposition::Replaced => true,
            // The request of one that did not go may have been removed since.
            Disposition::Outstanding { is_same } => !is_same || known.revision.is_some(),
            _ => false,
        };
        if is_replaced {
            // Of one length each, one behind the other.
            if let Some(before) = known.sha256 {
                self.replaced.update(Sha256::digest(order.number));
                self.replaced.update(before);
            }
            self.replace(known.order, order)?;
        }
        let state = if is_replaced { State::Staged } else { known.state };
        let rows = if is_replaced { None } else { Some(order.rows) };
        self.attach(known.order, order.position, rows, state)?;
        if known.is_draft_held && disposition.will_be_sent() {
            // Open sheets that keep it back were asked.
            draft_holds::let_go(&self.transaction, known.order)?;
        }
        Ok(disposition)
    }

    fn booked_before(&mut self, number: &str, rows: &str, position: i64) -> Result<Option<String>, LedgerError> {
        let Some(known) = self.known(number)?.filter(|known| known.state == State::Booked) else { return Ok(None) };
        self.latest = Some((known.order, false));
        self.attach(known.order, position, Some(rows), known.state)?;
        Ok(known.awb)
    }

    fn keep_back(&mut self, what: &Unsendable<'_>, problems: &[Finding]) -> Result<(), LedgerError> {
        let place = self.place_kept_back(what)?;
        problems.iter().try_for_each(|problem| self.problem(problem, Some(place)))
    }

    fn note(&mut self, problem: &Finding) -> Result<(), LedgerError> {
        self.problem(problem, None)
    }
}

impl Staging<'_> {
    /// What the ledger knows of an order number at this run's service.
    pub fn known(&self, number: &str) -> Result<Option<Known>, LedgerError> {
        known(&self.transaction, &self.addresses, number)
    }

    /// Whether the ledger has such a run.
    pub fn has_run(&self, run: RunId) -> Result<bool, LedgerError> {
        let mut statement = self.transaction.prepare_cached("SELECT 1 FROM runs WHERE id = ?1 AND id <> ?2")?;
        Ok(statement.exists(params![run.0, self.run.0])?)
    }

    /// The other numbers by which orders that are unsent may be known, by the number of each.
    pub fn other_numbers_of_unsent(&self) -> Result<BTreeMap<String, Vec<String>>, LedgerError> {
        former::of_unsent(&self.transaction, &self.new.service)
    }

    /// The run that is being staged.
    #[must_use]
    pub const fn run(&self) -> RunId {
        self.run
    }

    /// When it began, epoch milliseconds.
    #[must_use]
    pub const fn started_ms(&self) -> i64 {
        self.new.started_ms
    }

    /// Takes an order in, or says why it stays as it is.
    pub fn put(&mut self, order: &StagedOrder<'_>) -> Result<Disposition, LedgerError> {
        let known = self.known(order.number)?;
        self.put_over(order, known)
    }

    /// Notes an order, or a row without one, that is kept back; gives its place, which its problems name.
    pub fn place_kept_back(&mut self, what: &Unsendable<'_>) -> Result<i64, LedgerError> {
        let Unsendable { number, rows, position, cells, verdict, rule, sheet } = *what;
        let Some(number) = number else {
            self.strays += 1;
            let place = BEFORE_STRAYS + self.strays;
            self.transaction
                .prepare_cached(
                    "INSERT INTO run_orders (run_id, seq, already, behind, rows) VALUES (?1, ?2, 0, 1, ?3)",
                )?
                .execute(params![self.run.0, place, rows])?;
            return Ok(place);
        };
        let known = self.known(number)?;
        let order = if let Some(known) = &known {
            known.order
        } else {
            let verdict = if self.is_dismissed(number, cells)? { Verdict::Dismissed } else { verdict };
            let (number, rows, rule) = (number.to_owned(), rows.to_owned(), rule.to_owned());
            self.begin_unsent(&NewRevision { number, verdict, hold: None, request: None, rows, rule, sheet })?
        };
        let mut own =
            self.transaction.prepare_cached("SELECT seq FROM run_orders WHERE run_id = ?1 AND order_id = ?2")?;
        if let Some(place) = own.query_row(params![self.run.0, order.0], |row| row.get(0)).optional()? {
            return Ok(place);
        }
        drop(own);
        let already = known.is_some_and(|known| known.state == State::Booked) && !self.is_untold(order)?;
        self.transaction
            .prepare_cached(
                "INSERT INTO run_orders (run_id, seq, order_id, already, behind, rows, cells)
                 VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6)",
            )?
            .execute(params![self.run.0, position, order.0, already, rows, cells])?;
        Ok(position)
    }

    /// Writes an order that does not go by this run's source, which is the first to name it.
    fn begin_unsent(&mut self, new: &NewRevision) -> Result<OrderId, LedgerError> {
        let order = OrderId(self.next_order);
        self.next_order += 1;
        let source = self.source.as_mut().ok_or(LedgerError::Panicked)?;
        book::begin(&self.transaction, source, (order, self.service), new)?;
        Ok(order)
    }

    /// Keeps a problem, with the place of what it keeps back.
    pub fn problem(&mut self, finding: &Finding, place: Option<i64>) -> Result<(), LedgerError> {
        self.problems += 1;
        self.transaction
            .prepare_cached(
                "INSERT INTO problems
                    (run_id, n, seq, code, severity, place, order_number, field, found, message, hint, detail)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, '', '', ?10)",
            )?
            .execute(params![
                self.run.0,
                int(self.problems),
                place,
                finding.id.as_str(),
                finding.level.as_str(),
                finding.place.as_ref().map(ToString::to_string),
                finding.order,
                finding.field.as_deref(),
                finding.found,
                finding.detail()
            ])?;
        self.keep_accepted(finding)
    }

    /// Keeps what a person accepted with this very run.
    fn keep_accepted(&self, finding: &Finding) -> Result<(), LedgerError> {
        let Finding { basis: Some(basis), accepted: Some(word), order, .. } = finding else { return Ok(()) };
        let Some(rule) = finding.rule().filter(|_| word.is_new) else { return Ok(()) };
        let source = finding.place.as_ref().map(|place| place.source.to_string());
        let (rule, order, sheet) = (rule.as_str().to_owned(), order.clone(), source.filter(|_| order.is_none()));
        let accepted = AcceptedFinding { rule, order, sheet, basis: basis.clone(), word: word.clone() };
        keep(&self.transaction, self.service, &self.new.host, &accepted)
    }

    /// Takes all of it back and lets others write, while a person is asked. It cannot be committed any more.
    pub fn let_go(&mut self) -> Result<(), LedgerError> {
        self.is_let_go = true;
        Ok(self.transaction.take_back()?)
    }

    /// Ends staging: the run and its orders are on disk.
    pub fn commit(mut self, facts: &RunFacts) -> Result<RunId, LedgerError> {
        if self.is_let_go {
            return Err(LedgerError::Panicked);
        }
        let sheets = serde_json::Value::from(std::mem::take(&mut self.sheet_names)).to_string();
        self.transaction.execute(
            "UPDATE runs SET sheets = ?2, rows_read = ?3, rows_blank = ?4, rows_skipped = ?5, rows_in_orders = ?6,
                rows_invalid = ?7, lines = ?8 WHERE id = ?1",
            params![
                self.run.0,
                sheets,
                int(facts.rows_read),
                int(facts.rows_blank),
                int(facts.rows_skipped),
                int(facts.rows_in_orders),
                int(facts.rows_invalid),
                int(facts.lines),
            ],
        )?;
        if let Some(lifted) = self.lifted.take() {
            let source = self.source.as_ref().map(|source| source.id);
            draft_holds::put_back(&self.transaction, (self.run, source), lifted)?;
        }
        // A trigger keeps this row from here on.
        self.transaction.execute(&count_runs("run_id = ?1"), [self.run.0])?;
        for (n, SheetSource { path, sha256 }) in (1_i64..).zip(&facts.sources) {
            self.transaction.execute(
                "INSERT INTO run_sheets (run_id, n, path, sha256) VALUES (?1, ?2, ?3, ?4)",
                params![self.run.0, n, path.to_string_lossy(), sha256],
            )?;
        }
        if let Some(source) = self.source {
            let by = Author { user: &self.new.user, host: &self.new.host, at_ms: self.new.started_ms };
            source.end(&self.transaction, (SourceKind::Sheets(Some(self.run)), self.service), &by)?;
        }
        fail_point("stage")?;
        crash_point("stage");
        self.transaction.commit()?;
        Ok(self.run)
    }

    fn insert(&mut self, order: &StagedOrder<'_>) -> Result<OrderId, LedgerError> {
        let id = OrderId(self.next_order);
        self.transaction
            .prepare_cached(
                "INSERT INTO orders (id, service_id, number, state, request_id, revision_id, created_ms)
                 VALUES (?1, ?2, ?3, 'staged', ?4, ?5, ?6)",
            )?
            .execute(params![
                id.0,
                self.service,
                order.number,
                self.next_request,
                self.source.as_ref().map(Source::next_revision),
                order.created_ms
            ])?;
        self.next_order += 1;
        aliases::keep(&self.transaction, id, order.number)?;
        self.freeze(id, order)?;
        Ok(id)
    }

    /// Keeps the request that a revision asks about, if it has one.
    fn freeze_asked(&mut self, order: OrderId, new: &NewRevision) -> Result<Option<(i64, [u8; 32])>, LedgerError> {
        let Some(frozen) = &new.request else { return Ok(None) };
        let next = self.next_request;
        let request = book::freeze(&self.transaction, (next, order, self.new.started_ms), frozen, &new.rows)?;
        self.next_request += i64::from(request == next);
        Ok(Some((request, frozen.sha256)))
    }

    /// Keeps a request with the revision by which it goes, and gives their ids.
    fn freeze(&mut self, id: OrderId, order: &StagedOrder<'_>) -> Result<(i64, i64), LedgerError> {
        let request = self.next_request;
        let late;
        let packed = if let Some(packed) = order.packed {
            packed
        } else {
            late = self.packer.pack(order.body);
            &late
        };
        let StagedOrder { sha256, created_ms, lines, value, cod, rows, .. } = *order;
        let row = book::RequestRow { sha256, created_ms, lines, value, cod, rows, body: packed.bytes() };
        row.insert(&self.transaction, (request, id, self.new.started_ms))?;
        self.next_request += 1;
        let source = self.source.as_mut().ok_or(LedgerError::Panicked)?;
        let revision =
            source.record(&self.transaction, (id, order.number), &book::RevisionRow::go(request, order.sha256))?;
        Ok((request, revision))
    }

    fn replace(&mut self, id: OrderId, order: &StagedOrder<'_>) -> Result<(), LedgerError> {
        let (request, revision) = self.freeze(id, order)?;
        self.transaction
            .prepare_cached(
                "UPDATE orders SET state = 'staged', request_id = ?2, created_ms = coalesce(created_ms, ?4), revision_id = ?3,
                    verdict = 'go', hold = NULL, error = NULL, order_id = NULL
                 WHERE id = ?1 AND state IN ('staged', 'waiting', 'rejected', 'refused')",
            )?
            .execute(params![id.0, request, revision, order.created_ms])?;
        Ok(())
    }

    /// Notes that the run asks for an order, which stands at `state`; `rows` where the request has others.
    pub(super) fn attach(
        &mut self,
        id: OrderId,
        position: i64,
        rows: Option<&str>,
        state: State,
    ) -> Result<(), LedgerError> {
        let already = state == State::Booked && !self.is_untold(id)?;
        // The name of the first sheet is kept once for the run: an export of each night has thousands of booked orders.
        let first = self.sheet_names.first().filter(|_| !self.sheet_names.iter().any(|name| name.starts_with(':')));
        let first = first.map_or("", String::as_str);
        let rows = rows.map(|rows| rows.strip_prefix(first).filter(|own| own.starts_with(':')).unwrap_or(rows));
        self.latest = Some((id, already));
        self.transaction
            .prepare_cached(
                "INSERT INTO run_orders (run_id, seq, order_id, already, rows) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![self.run.0, position, id.0, already, rows])?;
        Ok(())
    }
}
