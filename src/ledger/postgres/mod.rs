//! A ledger in a database of a PostgreSQL server: what only a server has. Its layouts, and how it is opened.
//!
//! The tables and their guards stand in `templates/postgres`, and lie in the schema `shipsheet`.

mod commit;
mod layout;
mod open;
mod session;
mod station;
mod turn;

pub(in crate::ledger) use session::Session;
#[cfg(test)]
pub(in crate::ledger) use session::Station;
