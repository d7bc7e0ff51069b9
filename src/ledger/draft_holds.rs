//! Orders that open sheets keep back: what was said of them there is not booked yet. They stand in the order's row as well, so that
//! every station that claims heeds them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use super::address::{addresses, take_up};
use super::aliases::value_of;
use super::book::{Author, Source, SourceKind};
use super::chain::take_draft;
use super::db::{Connection, Row, params};
use super::error::LedgerError;
use super::former::{are_any, others_of_each};
use super::open::Ledger;
use super::record::{OrderId, RunId, State};
use super::sql::word;
use crate::text::{hex, spellings};

/// The reason why an open sheet keeps an order back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DraftHoldKind {
    /// It is held or left out there.
    Word,
    /// Something was typed over it.
    Typed,
    /// It is otherwise there than it was staged.
    Changed,
}

impl DraftHoldKind {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Word => "word",
            Self::Typed => "typed",
            Self::Changed => "changed",
        }
    }

    fn of_word(word: &str) -> Option<Self> {
        [Self::Word, Self::Typed, Self::Changed].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// An order that an open sheet keeps back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftHold {
    /// Its number in the sheet, now or when something was said of it.
    pub entry: String,
    /// Other numbers that its rows stood for.
    pub others: BTreeSet<String>,
    /// Why.
    pub kind: DraftHoldKind,
    /// The basis of the acceptance by which it is sent all the same.
    pub basis: String,
    /// The content of the request by which it would go from there.
    pub content: Option<[u8; 32]>,
    /// Whether the ledger has it just so: only another sheet would send it otherwise.
    pub is_booked: bool,
}

/// The orders of a sheet that are looked at.
#[derive(Debug, Clone, Copy)]
pub enum Looked<'h> {
    /// These, by their numbers in the sheet.
    At(&'h BTreeSet<String>),
    /// All of them.
    AtAll,
    /// None, for the sheet cannot be checked: what it keeps back it goes on to keep.
    Nowhere,
}

/// The orders of a sheet that it keeps back from now on.
#[derive(Debug, Clone, Copy)]
pub struct NewDraftHolds<'h> {
    /// The service that is configured; none where none is.
    pub service: Option<&'h str>,
    /// Who says so.
    pub user: &'h str,
    /// On which machine.
    pub host: &'h str,
    /// The orders that are looked at.
    pub of: Looked<'h>,
    /// Those of them that it keeps back.
    pub all: &'h [DraftHold],
}

/// A number under which an open sheet keeps an order back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftHoldRecord {
    /// The sheet's id.
    pub draft: String,
    /// The sheet's name.
    pub file: String,
    /// The number.
    pub number: String,
    /// Why.
    pub kind: DraftHoldKind,
    /// The basis of the acceptance by which it is sent all the same.
    pub basis: String,
    /// The content of the request by which it would go from there.
    pub content: Option<[u8; 32]>,
    /// Whether the ledger has it just so: only another sheet would send it otherwise.
    pub is_booked: bool,
}

/// An order that could be sent, but for an open sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftHeld {
    /// Its number.
    pub number: String,
    /// The state in which it could be sent.
    pub state: State,
    /// The sheet's id.
    pub draft: String,
    /// The sheet's name.
    pub file: String,
    /// The runs that it was in.
    pub runs: Vec<RunId>,
}

/// The row of a hold.
#[derive(Debug, Clone)]
struct HoldRow {
    entry: String,
    number: String,
    kind: String,
    basis: String,
    content: Option<[u8; 32]>,
    is_booked: bool,
}

/// Holds of an open sheet that are not in force while its orders are staged.
pub(super) struct LiftedHolds {
    draft: String,
    rows: Vec<HoldRow>,
    /// The numbers that were kept back.
    held: BTreeSet<String>,
}

impl Ledger {
    /// All that open sheets keep back, but for one of them, the newest sheet first.
    pub fn draft_holds(&self, but: Option<&str>) -> Result<Vec<DraftHoldRecord>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT h.draft_id, d.name, h.number, h.kind, h.basis, h.content, h.booked FROM draft_holds h
             CROSS JOIN drafts d ON d.id = h.draft_id WHERE h.draft_id <> ?1 ORDER BY d.n DESC, h.entry, h.number",
        )?;
        let records = statement.query_map([but.unwrap_or_default()], |row| {
            let kind: String = row.get(3)?;
            let record = |kind| -> super::db::Result<_> {
                let (draft, file, number) = (row.get(0)?, row.get(1)?, row.get(2)?);
                let (basis, content, is_booked) = (row.get(4)?, row.get(5)?, row.get(6)?);
                Ok(DraftHoldRecord { draft, file, number, kind, basis, content, is_booked })
            };
            let strange = || super::db::Error::Meaningless(format!("\"{kind}\" holds no order"));
            DraftHoldKind::of_word(&kind).ok_or_else(strange).and_then(record)
        })?;
        Ok(records.collect::<Result<_, _>>()?)
    }

    /// The orders of a service that would be sent but for an open sheet, each with the newest sheet that keeps it back.
    pub fn draft_held(&self, service: &str) -> Result<Vec<DraftHeld>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT o.number, o.state, d.id, d.name, r.run_id FROM orders o INDEXED BY orders_kept_back
             CROSS JOIN run_orders r ON r.order_id = o.id AND r.behind = 0
             CROSS JOIN drafts d ON d.n = (SELECT max(w.n) FROM draft_holds h JOIN drafts w ON w.id = h.draft_id
                WHERE h.number = o.number AND h.booked = 0)
             WHERE (o.hold IS NOT NULL OR o.draft_hold = 1 OR o.verdict = 'held' OR o.verdict = 'invalid')
                AND o.standing = 'held' AND o.source_standing <> 'held'
                AND o.service_id IN (SELECT id FROM same_service WHERE origin = ?1) ORDER BY o.id, r.run_id",
        )?;
        let mut rows = statement.query([service])?;
        let mut held: Vec<DraftHeld> = Vec::new();
        while let Some(row) = &rows.next()? {
            let (number, run): (String, i64) = (row.get(0)?, row.get(4)?);
            match held.last_mut() {
                Some(last) if last.number == number => last.runs.push(RunId(run)),
                _ => {
                    let (state, draft, file) = (word(row, 1)?, row.get(2)?, row.get(3)?);
                    held.push(DraftHeld { number, state, draft, file, runs: vec![RunId(run)] });
                }
            }
        }
        Ok(held)
    }

    /// The runs in which an order was that could be sent, or may prove unsent, whether or not an open sheet keeps it back; none where
    /// there is no such order.
    pub fn unsent_runs(&self, service: &str, number: &str) -> Result<Option<Vec<RunId>>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT r.run_id FROM same_service s CROSS JOIN orders o ON o.service_id = s.id AND o.number = ?2
             CROSS JOIN run_orders r ON r.order_id = o.id AND r.behind = 0
             WHERE s.origin = ?1 AND o.state NOT IN ('booked', 'abandoned') AND o.verdict = 'go'
                AND o.hold IS NULL ORDER BY r.run_id",
        )?;
        let runs: Vec<RunId> =
            statement.query_map([service, number], |row| Ok(RunId(row.get(0)?)))?.collect::<Result<_, _>>()?;
        Ok(Some(runs).filter(|runs| !runs.is_empty()))
    }
}

/// Has a sheet keep these orders back, and no others of those that are looked at. An order that a person sent all the same stays let
/// go as long as the sheet says nothing new of it.
pub(super) fn hold(
    connection: &Connection,
    (draft, at_ms): (&str, i64),
    new: &NewDraftHolds<'_>,
) -> Result<(), LedgerError> {
    let before = match new.of {
        Looked::AtAll => take(connection, draft, None)?,
        Looked::At(of) => take(connection, draft, Some(of))?,
        Looked::Nowhere => Vec::new(),
    };
    let addresses = new.service.map_or(Ok(Vec::new()), |service| addresses(connection, service))?;
    let mut rows = Vec::new();
    for (hold, numbers) in new.all.iter().zip(numbers_of_each(connection, &addresses, new.all)?) {
        rows.extend(numbers.into_iter().map(|number| HoldRow {
            entry: hold.entry.clone(),
            number,
            kind: hold.kind.as_str().to_owned(),
            basis: hold.basis.clone(),
            content: hold.content,
            is_booked: hold.is_booked,
        }));
    }
    put(connection, draft, &rows)?;
    let in_force = |rows: &[HoldRow]| -> BTreeSet<(String, String)> {
        let in_force = rows.iter().filter(|row| !row.is_booked);
        in_force.map(|row| (row.number.clone(), row.basis.clone())).collect()
    };
    let (were, are) = (in_force(&before), in_force(&rows));
    mark(connection, were.symmetric_difference(&are).map(|(number, _)| number.as_str()))?;
    let newly: BTreeSet<&str> = are.difference(&were).map(|(number, _)| number.as_str()).collect();
    let Some(service) = new.service.filter(|_| !newly.is_empty()) else { return Ok(()) };
    // A link of the evidence, so that a copy of the ledger from before that is recognised.
    let mut source = Source::begin(connection)?;
    take_draft(&mut source.digest, draft, &newly);
    let by = Author { user: new.user, host: new.host, at_ms };
    let service = take_up(connection, service)?;
    source.end(connection, (SourceKind::Draft, service), &by)
}

/// Releases all that a sheet keeps back.
pub(super) fn release(connection: &Connection, draft: &str) -> Result<(), LedgerError> {
    let before = take(connection, draft, None)?;
    mark(connection, before.iter().map(|row| row.number.as_str()))
}

/// Lifts what a sheet keeps back, while its orders are staged.
pub(super) fn lift(connection: &Connection, draft: &str) -> Result<LiftedHolds, LedgerError> {
    let rows = take(connection, draft, None)?;
    let held = connection
        .prepare_cached(
            "SELECT o.number FROM json_each(?1) n CROSS JOIN services s
             CROSS JOIN orders o ON o.service_id = s.id AND o.number = n.value AND o.draft_hold = 1",
        )?
        .query_map([list(rows.iter().map(|row| row.number.as_str()))], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    mark(connection, rows.iter().map(|row| row.number.as_str()))?;
    Ok(LiftedHolds { draft: draft.to_owned(), rows, held })
}

/// Puts into force again what was lifted, but for what this run sends, or has corrected by this source while nobody knew whether it
/// was booked. An order of another address stays held there.
pub(super) fn put_back(
    connection: &Connection,
    (run, source): (RunId, Option<i64>),
    LiftedHolds { draft, rows, held }: LiftedHolds,
) -> Result<(), LedgerError> {
    let of_run = "SELECT o.number, o.id FROM json_each(?2) n CROSS JOIN services s
        CROSS JOIN orders o ON o.service_id = s.id AND o.number = n.value
        CROSS JOIN run_orders r ON r.order_id = o.id AND r.run_id = ?1 AND r.behind = 0
        WHERE o.state IN ('staged', 'waiting', 'booked') OR EXISTS (SELECT 1 FROM revisions v
            WHERE v.id = o.revision_id AND v.source_id = ?3 AND v.verdict = 'go' AND v.hold IS NULL)";
    let numbers = list(rows.iter().map(|row| row.number.as_str()));
    let sends: BTreeMap<String, i64> = connection
        .prepare_cached(of_run)?
        .query_map(params![run.0, numbers, source], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let mut elsewhere = connection.prepare_cached(
        "SELECT 1 FROM services s CROSS JOIN orders o ON o.service_id = s.id AND o.number = ?1
         WHERE o.id <> ?2 AND o.state NOT IN ('booked', 'abandoned')",
    )?;
    let (mut stay, mut sent) = (Vec::new(), Vec::new());
    for mut row in rows {
        if let Some(&order) = sends.get(&row.number) {
            sent.push(order);
            if !elsewhere.exists(params![row.number, order])? {
                if row.kind != DraftHoldKind::Typed.as_str() {
                    continue;
                }
                row.is_booked = true;
            }
        }
        stay.push(row);
    }
    put(connection, &draft, &stay)?;
    mark(connection, stay.iter().map(|row| row.number.as_str()).filter(|number| held.contains(*number)))?;
    sent.into_iter().try_for_each(|order| let_go(connection, OrderId(order)).map(drop))
}

/// Lets an order go that open sheets keep back, as long as they say nothing new of it; whether any did. Whoever stages it has asked
/// them.
pub(super) fn let_go(connection: &Connection, order: OrderId) -> Result<bool, LedgerError> {
    let let_go = connection
        .prepare_cached("UPDATE orders SET draft_hold = 0 WHERE id = ?1 AND draft_hold = 1 AND state <> 'booked'")?
        .execute([order.0])?;
    Ok(let_go > 0)
}

/// Takes the rows of a sheet away, of these orders or of all, and gives them.
fn take(connection: &Connection, draft: &str, of: Option<&BTreeSet<String>>) -> Result<Vec<HoldRow>, LedgerError> {
    let which = if of.is_some() { "entry IN (SELECT value FROM json_each(?2))" } else { "?2 = ''" };
    let of = of.map_or_else(String::new, |of| list(of.iter().map(String::as_str)));
    let mut statement = connection.prepare_cached(&format!(
        "SELECT entry, number, kind, basis, content, booked FROM draft_holds WHERE draft_id = ?1 AND {which}"
    ))?;
    let rows = statement.query_map(params![draft, of], row)?.collect::<Result<Vec<_>, _>>()?;
    if !rows.is_empty() {
        let delete = format!("DELETE FROM draft_holds WHERE draft_id = ?1 AND {which}");
        connection.prepare_cached(&delete)?.execute(params![draft, of])?;
    }
    Ok(rows)
}

fn row(row: &Row<'_>) -> super::db::Result<HoldRow> {
    let (entry, number, kind) = (row.get(0)?, row.get(1)?, row.get(2)?);
    Ok(HoldRow { entry, number, kind, basis: row.get(3)?, content: row.get(4)?, is_booked: row.get(5)? })
}

/// Texts as a parameter, of which a statement makes a row each: over a network a statement for each of them takes too long.
fn list<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts.collect::<Json>().to_string()
}

fn put(connection: &Connection, draft: &str, rows: &[HoldRow]) -> Result<(), LedgerError> {
    let row = |HoldRow { entry, number, kind, basis, content, is_booked }: &HoldRow| {
        let content = content.as_ref().map(hex);
        json!({"entry": entry, "number": number, "kind": kind, "basis": basis, "content": content, "booked": u8::from(*is_booked)})
    };
    let rows = rows.iter().map(row).collect::<Json>().to_string();
    connection
        .prepare_cached(
            "INSERT INTO draft_holds (draft_id, entry, number, kind, basis, content, booked)
             SELECT ?1, json_extract(n.value, '$.entry'), json_extract(n.value, '$.number'), json_extract(n.value, '$.kind'),
                json_extract(n.value, '$.basis'), unhex(json_extract(n.value, '$.content')),
                CAST(json_extract(n.value, '$.booked') AS bigint)
             FROM json_each(?2) n WHERE true ON CONFLICT DO NOTHING",
        )?
        .execute(params![draft, rows])?;
    Ok(())
}

/// Writes into the rows of these orders whether an open sheet keeps them back. A booked order never changes.
fn mark<'n>(connection: &Connection, numbers: impl Iterator<Item = &'n str>) -> Result<(), LedgerError> {
    connection
        .prepare_cached(
            "UPDATE orders SET draft_hold = 1 - draft_hold
             WHERE id IN (SELECT o.id FROM json_each(?1) n CROSS JOIN services s
                CROSS JOIN orders o ON o.service_id = s.id AND o.number = n.value
                WHERE o.state <> 'booked' AND o.draft_hold <> CASE
                    WHEN EXISTS (SELECT 1 FROM draft_holds h WHERE h.number = o.number AND h.booked = 0) THEN 1 ELSE 0 END)",
        )?
        .execute([list(numbers)])?;
    Ok(())
}

/// The numbers under which the ledger has each of these orders of a sheet, or may get it. Only a word is heeded however the number is
/// spelled.
fn numbers_of_each(
    connection: &Connection,
    addresses: &[i64],
    holds: &[DraftHold],
) -> Result<Vec<BTreeSet<String>>, LedgerError> {
    let mut all: Vec<BTreeSet<String>> = holds.iter().map(|hold| BTreeSet::from([hold.entry.clone()])).collect();
    let heeded: Vec<usize> = (0..holds.len()).filter(|at| holds[*at].kind == DraftHoldKind::Word).collect();
    if heeded.is_empty() {
        return Ok(all);
    }
    let (mut of, mut values) = (Vec::new(), Vec::new());
    for at in &heeded {
        all[*at].extend(holds[*at].others.iter().cloned());
        let own: BTreeSet<String> = spellings(&holds[*at].entry).collect();
        of.extend(own.iter().map(|_| *at));
        values.extend(own.iter().map(|spelled| value_of(spelled)));
    }
    let mut statement = connection.prepare_cached(
        "SELECT n.key, o.number FROM json_each(?1) n CROSS JOIN aliases a ON a.value = CAST(n.value AS bigint)
         CROSS JOIN orders o ON o.id = a.order_id",
    )?;
    for found in statement.query_map([Json::from(values).to_string()], |row| Ok((row.get(0)?, row.get(1)?)))? {
        let (place, other): (usize, String) = found?;
        let at = of[place];
        let own: BTreeSet<String> = spellings(&holds[at].entry).collect();
        if spellings(&other).any(|spelled| own.contains(&spelled)) {
            all[at].insert(other);
        }
    }
    if are_any(connection)? {
        let entries: Vec<&str> = heeded.iter().map(|at| holds[*at].entry.as_str()).collect();
        for (place, other) in others_of_each(connection, addresses, &entries)? {
            all[heeded[place]].insert(other);
        }
    }
    Ok(all)
}
