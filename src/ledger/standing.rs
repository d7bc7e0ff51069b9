//! Open orders of the whole ledger, over all runs: outstanding, in doubt, failed, held, each with its age.

use std::collections::BTreeMap;

use super::db::OptionalExtension;
use super::error::LedgerError;
use super::open::Ledger;
use super::record::{RunId, State, Tally};
use super::sql::word;

/// An order that is not at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenOrder {
    /// The order number.
    pub number: String,
    /// The service, by its key.
    pub service: String,
    /// Where it stands.
    pub state: State,
    /// The last words of the service, or of the network, on it; nothing of the reasons why it is held.
    pub error: Option<String>,
    /// Since when: the time of its last attempt, or of its staging where there was none; of an order that failed, when the
    /// service said no. Never the date that the order itself names. Epoch milliseconds.
    pub since_ms: i64,
}

impl Ledger {
    /// The orders of a service that could be sent and are held by more than an open sheet, each with the reason, in the order in which
    /// they came.
    pub fn held_orders(&self, service: &str) -> Result<Vec<(String, String)>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT o.number, y.because FROM orders o INDEXED BY orders_kept_back CROSS JOIN reasons y ON y.order_id = o.id
             WHERE (o.hold IS NOT NULL OR o.draft_hold = 1 OR o.verdict = 'held' OR o.verdict = 'invalid')
                AND o.standing = 'held' AND o.verdict <> 'invalid' AND o.request_id IS NOT NULL
                AND o.source_standing = 'held'
                AND o.service_id IN (SELECT id FROM same_service WHERE origin = ?1) ORDER BY o.id",
        )?;
        let held = statement.query_map([service], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(held.collect::<Result<_, _>>()?)
    }

    /// Every order that is outstanding, in doubt, failed or held, over all runs, in the order in which they came.
    pub fn for_each_open(&self, each: &mut dyn FnMut(OpenOrder)) -> Result<(), LedgerError> {
        // Each kind by its index: what is over, most of a ledger, is not looked into.
        let mut statement = self.connection.prepare_cached(
            "SELECT o.number, s.origin, o.standing, o.error,
                coalesce((SELECT CASE WHEN o.standing IN ('rejected', 'refused') THEN a.answered_ms ELSE a.intent_ms END
                        FROM attempts a WHERE a.order_id = o.id AND a.n = o.attempts),
                    (SELECT q.staged_ms FROM requests q WHERE q.id = o.request_id),
                    (SELECT c.at_ms FROM revisions v CROSS JOIN sources c ON c.id = v.source_id WHERE v.id = o.revision_id))
             FROM orders o CROSS JOIN services s ON s.id = o.service_id
             WHERE o.standing IN ('staged', 'sending', 'waiting', 'in_doubt', 'rejected', 'refused', 'held')
                AND NOT (o.standing = 'held' AND o.verdict = 'invalid') AND o.id IN (
                SELECT r.order_id FROM run_tallies t CROSS JOIN run_orders r ON r.run_id = t.run_id WHERE t.outstanding > 0
                UNION ALL SELECT d.id FROM orders d INDEXED BY orders_in_doubt WHERE d.state = 'in_doubt'
                UNION ALL SELECT k.id FROM orders k INDEXED BY orders_kept_back WHERE k.hold IS NOT NULL OR k.draft_hold = 1 OR k.verdict = 'held' OR k.verdict = 'invalid'
                UNION ALL SELECT f.id FROM orders f INDEXED BY orders_failed
                WHERE f.state = 'rejected' OR f.state = 'refused')
             ORDER BY o.id",
        )?;
        let mut rows = statement.query(())?;
        while let Some(row) = &rows.next()? {
            each(OpenOrder {
                number: row.get(0)?,
                service: row.get(1)?,
                state: word(row, 2)?,
                error: row.get(3)?,
                since_ms: row.get(4)?,
            });
        }
        Ok(())
    }

    /// The orders of a service in some states, each with the runs that it was in, oldest first.
    pub fn in_runs(&self, service: &str, states: [State; 2]) -> Result<BTreeMap<String, Vec<RunId>>, LedgerError> {
        // Of the failed ones almost every run has some, and they have an index of their own; of the others few runs have any.
        let of_failed = "SELECT o.number, r.run_id FROM orders o INDEXED BY orders_failed
             CROSS JOIN run_orders r ON r.order_id = o.id AND r.behind = 0 CROSS JOIN runs u ON u.id = r.run_id
             WHERE (o.state = 'rejected' OR o.state = 'refused') AND o.standing IN (?2, ?3)
                AND u.service_id IN (SELECT id FROM same_service WHERE origin = ?1) ORDER BY r.run_id";
        let of_others = "SELECT o.number, r.run_id FROM same_service s CROSS JOIN runs u ON u.service_id = s.id
             CROSS JOIN run_tallies t ON t.run_id = u.id CROSS JOIN run_orders r ON r.run_id = t.run_id AND r.behind = 0
             CROSS JOIN orders o ON o.id = r.order_id
             WHERE s.origin = ?1 AND t.outstanding + t.in_doubt > 0 AND o.standing IN (?2, ?3) ORDER BY r.run_id";
        let is_failed = states.iter().all(|state| matches!(state, State::Rejected | State::Refused));
        let mut statement = self.connection.prepare_cached(if is_failed { of_failed } else { of_others })?;
        let [one, other] = states.map(State::as_str);
        let mut rows = statement.query([service, one, other])?;
        let mut orders: BTreeMap<String, Vec<RunId>> = BTreeMap::new();
        while let Some(row) = &rows.next()? {
            orders.entry(row.get(0)?).or_default().push(RunId(row.get(1)?));
        }
        Ok(orders)
    }

    /// What a run came to when it ended; nothing where it was killed, goes on, or ended before this was kept.
    pub fn tally_at_end(&self, run: RunId) -> Result<Option<Tally>, LedgerError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT booked, already_booked, invalid, rejected, refused, in_doubt, outstanding, held, left_out, abandoned, dismissed
             FROM run_ends WHERE run_id = ?1",
        )?;
        Ok(statement.query_row([run.number()], Tally::of_row).optional()?)
    }
}
