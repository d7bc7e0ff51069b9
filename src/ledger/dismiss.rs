//! Orders that a person dismisses instead of mending them.

use super::book::{Author, RevisionRow, Source, SourceKind};
use super::chain::{Chain, Kind};
use super::crash::fail_point;
use super::db::{Connection, OptionalExtension, params};
use super::error::LedgerError;
use super::open::Ledger;
use super::record::{OrderId, RunId, State, Verdict};
use super::sql::word;
use super::tables::count_runs;

/// Orders that a person dismisses.
#[derive(Debug, Clone)]
pub struct NewDismissal {
    /// The service.
    pub service: String,
    /// The order numbers.
    pub numbers: Vec<String>,
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// Why.
    pub because: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// An order that the latest run with it kept back.
struct Left {
    order: OrderId,
    service: i64,
    run: i64,
    cells: Option<[u8; 32]>,
    rows: String,
    sheet: Option<[u8; 32]>,
    is_booked: bool,
    verdict: Verdict,
}

impl Ledger {
    /// Dismisses orders that the latest run with them kept back: all of them or none. They stay dismissed in whatever run they come,
    /// as long as they have the same cells.
    pub fn dismiss(&mut self, new: &NewDismissal) -> Result<(), LedgerError> {
        let transaction = self.begin()?;
        for number in &new.numbers {
            let left = left(&transaction, &new.service, number)?
                .map_err(|stands| LedgerError::NotInvalid { order: number.clone(), stands })?;
            keep(&transaction, new, number, &left)?;
        }
        fail_point("decide")?;
        transaction.commit()?;
        self.raise_mark();
        Ok(())
    }

    /// Whether an order that a run kept back counts as dismissed there.
    pub fn is_dismissed_in(&self, run: RunId, number: &str) -> Result<bool, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT 1 FROM services s CROSS JOIN orders o ON o.service_id = s.id
             CROSS JOIN run_orders r ON r.order_id = o.id AND r.run_id = ?1
             CROSS JOIN run_classes c ON c.run_id = r.run_id AND c.seq = r.seq
             WHERE o.number = ?2 AND c.class = 'dismissed'",
        )?;
        Ok(statement.exists(params![run.number(), number])?)
    }
}

/// Whether an order with these cells was dismissed at one of these addresses of a service.
pub(super) fn is_dismissed(
    connection: &Connection,
    addresses: &[i64],
    number: &str,
    cells: Option<[u8; 32]>,
) -> Result<bool, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM decisions WHERE number = ?1 AND verb = 'dismiss' AND cells = ?2 AND service_id = ?3",
    )?;
    for address in addresses {
        if statement.exists(params![number, cells, address])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The order, if the latest run with it kept it back and nobody dismissed it; else where it stands, for people.
fn left(connection: &Connection, service: &str, number: &str) -> Result<Result<Left, String>, LedgerError> {
    let found = connection.query_row(
        "SELECT o.id, o.service_id, r.run_id, r.cells, r.rows, v.sheet, o.standing, o.verdict = 'cancelled',
            (SELECT c.class FROM run_classes c WHERE c.run_id = r.run_id AND c.seq = r.seq)
         FROM same_service s CROSS JOIN orders o ON o.service_id = s.id CROSS JOIN revisions v ON v.id = o.revision_id
         LEFT JOIN run_orders r ON r.order_id = o.id AND r.behind = 1
            AND r.run_id = (SELECT max(l.run_id) FROM run_orders l WHERE l.order_id = o.id)
         WHERE s.origin = ?1 AND o.number = ?2 ORDER BY coalesce(r.run_id, 0) DESC LIMIT 1",
        params![service, number],
        |row| {
            let (state, run): (State, Option<i64>) = (word(row, 6)?, row.get(2)?);
            let stands = || format!("it is not invalid but {}", state.as_str().replace('_', " "));
            let Some(run) = run else { return Ok(Err(stands())) };
            let is_cancelled: bool = row.get(7)?;
            match row.get_ref(8)?.as_str()? {
                "dismissed" => Ok(Err("it is dismissed already".to_owned())),
                "invalid" | "held" if state != State::Sending => Ok(Ok(Left {
                    order: OrderId(row.get(0)?),
                    service: row.get(1)?,
                    run,
                    cells: row.get(3)?,
                    rows: row.get(4)?,
                    sheet: row.get(5)?,
                    is_booked: state == State::Booked,
                    // A cancellation stands.
                    verdict: if is_cancelled { Verdict::Cancelled } else { Verdict::Dismissed },
                })),
                _ => Ok(Err(stands())),
            }
        },
    );
    Ok(found.optional()?.unwrap_or_else(|| Err("the ledger does not know it".to_owned())))
}

fn keep(connection: &Connection, new: &NewDismissal, number: &str, left: &Left) -> Result<(), LedgerError> {
    let Left { order, service, run, cells, ref rows, sheet, is_booked, verdict } = *left;
    let mut chain = Chain::read(connection)?;
    let dismissal = connection.insert(
        "INSERT INTO decisions (at_ms, user, host, verb, service_id, number, run_id, cells, because, evidence_n)
         VALUES (?1, ?2, ?3, 'dismiss', ?4, ?5, ?6, ?7, ?8, ?9)",
        params![new.at_ms, new.user, new.host, service, number, run, cells, new.because.trim(), chain.next()],
    )?;
    chain.bind(connection, Kind::Decision, dismissal)?;
    if is_booked {
        let of_order = "run_id IN (SELECT run_id FROM run_orders WHERE order_id = ?1)";
        connection.execute(&count_runs(of_order), [order.0])?;
        return Ok(());
    }
    let mut source = Source::begin(connection)?;
    let said = RevisionRow { verdict, hold: None, request: None, rows: Some(rows), rule: None, sheet };
    let revision = source.record(connection, (order, number), &said)?;
    connection.execute(
        "UPDATE orders SET revision_id = ?2, verdict = ?3, hold = NULL WHERE id = ?1",
        params![order.0, revision, verdict.as_str()],
    )?;
    let by = Author { user: &new.user, host: &new.host, at_ms: new.at_ms };
    source.end(connection, (SourceKind::Decision, service), &by)
}
