//! Bringing a ledger on a server to the present layout: in one transaction of the server's, looked through before it stands.
//!
//! No copy is made here. One in the same database would be lost with it, would hold people's data that no purge reaches, and
//! takes rights that an owner of the schema may not have. A dump by the server's own tools is better, and the operator's.

use std::path::{Path, PathBuf};

use crate::ledger::check::{self, Checked};
use crate::ledger::crash::{crash_point, fail_point};
use crate::ledger::db::{Address, Connection, OptionalExtension, Server};
use crate::ledger::error::LedgerError;
use crate::ledger::home::{Home, Noting, Standing};

use super::arrive::refuse_unfinished;
use super::layout;
use crate::ledger::tables::LAYOUT;

/// Nobody makes, upgrades or writes to the ledger meanwhile.
const BEGIN: &str = "BEGIN; SELECT pg_advisory_xact_lock(7566701); SELECT pg_advisory_xact_lock(7566700)";

/// The layout that a ledger had, the one that it has now, and what was found where anything was to be done.
type Done = (i64, i64, Option<Checked>);

/// Upgrades the ledger in a database.
pub(in crate::ledger) fn upgrade(address: &Address, by: Noting<'_>) -> Result<Done, LedgerError> {
    let named = address.shown();
    let connection = Connection::to_server(Server::connect(address)?);
    match layout::of(&connection, named)? {
        0 => return Err(LedgerError::Missing(PathBuf::from(named))),
        from if from == LAYOUT => return Ok((from, from, None)),
        _ => {}
    }
    upgraded(&connection, address, by).map_err(layout::owners)
}

/// The layout of the ledger in a database, and the one of this program.
pub(in crate::ledger) fn layout_at(address: &Address) -> Result<(i64, i64), LedgerError> {
    match layout::of(&Connection::to_server(Server::connect(address)?), address.shown())? {
        0 => Err(LedgerError::Missing(PathBuf::from(address.shown()))),
        found => Ok((found, LAYOUT)),
    }
}

fn upgraded(connection: &Connection, address: &Address, by: Noting<'_>) -> Result<Done, LedgerError> {
    let named = address.shown();
    let transaction = connection.begin_with(BEGIN)?;
    refuse_unfinished(&transaction, address)?;
    let from = layout::of(&transaction, named)?;
    if from == LAYOUT {
        return Ok((from, from, None));
    }
    layout::refuse_too_old(from, named)?;
    // Nobody begins a session or renews one until the new layout stands.
    transaction.execute_batch("LOCK TABLE stations IN ACCESS EXCLUSIVE MODE")?;
    refuse_stations(&transaction)?;
    let is_copy = matches!(standing(&transaction)?, Standing::CopyOf(_));
    if let Some(server) = transaction.server() {
        server.wait_for_hours();
    }
    layout::upgrade(&transaction, named)?;
    // New tables would be taken for those of another database.
    if !is_copy {
        Home::of_database(&transaction)?.note(&transaction, by, None, None)?;
    }
    let checked = check::look_through(&transaction)?;
    checked.refuse_unsound(Path::new(named))?;
    fail_point("upgrade")?;
    crash_point("upgrade");
    transaction.commit()?;
    Ok((from, LAYOUT, Some(checked)))
}

fn standing(connection: &Connection) -> Result<Standing, LedgerError> {
    Ok(Home::of_database(connection)?.standing(Home::newest(connection)?))
}

/// Refuses as long as a station works: its program does not know the new layout.
fn refuse_stations(connection: &Connection) -> Result<(), LedgerError> {
    let works = "SELECT epoch, host FROM stations
        WHERE ended IS NULL AND fenced IS NULL AND lease_until > clock_timestamp() ORDER BY epoch LIMIT 1";
    match connection.query_row(works, (), |row| Ok((row.get(0)?, row.get(1)?))).optional()? {
        Some((number, host)) => Err(LedgerError::StationWorks { number, host }),
        None => Ok(()),
    }
}
