//! Orders of earlier runs that a run takes up, all in one flight.

use crate::ledger::db::{Around, Column, Server, Step};
use crate::ledger::error::LedgerError;
use crate::ledger::record::{OrderId, RunId};

const TAKE_UP: &str = "INSERT INTO run_orders (run_id, seq, order_id, already)
    SELECT run_id, seq, order_id, 0 FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS x (run_id, seq, order_id)";

/// Has a run ask for these orders, from a place in it on. Whoever calls holds the transaction in which that is done.
pub(in crate::ledger) fn take_up(
    server: &Server,
    run: RunId,
    from: i64,
    orders: &[OrderId],
) -> Result<(), LedgerError> {
    let columns = vec![
        Column::Ints(vec![Some(run.0); orders.len()]),
        Column::Ints((from..).take(orders.len()).map(Some).collect()),
        Column::Ints(orders.iter().map(|order| Some(order.0)).collect()),
    ];
    server.together(Around::Nothing, &[Step { sql: TAKE_UP, columns }])?;
    Ok(())
}
