//! A ledger in a database of a PostgreSQL server: what only a server has. Its layouts, and how it is opened.
//!
//! Its tables lie in the schema `shipsheet`.

mod adopt;
mod arrive;
mod commit;
pub(in crate::ledger) mod layout;
mod open;
mod session;
mod share;
mod turn;
mod upgrade;

pub(in crate::ledger) use adopt::take_up;
pub(in crate::ledger) use layout::refuse_used;
pub(in crate::ledger) use session::Session;
#[cfg(test)]
#[cfg(unix)]
pub(in crate::ledger) use session::Station;
#[cfg(test)]
#[cfg(unix)]
pub(in crate::ledger) use share::BEGIN as BEGIN_EXCHANGE;
pub(in crate::ledger) use upgrade::{layout_at, upgrade};
