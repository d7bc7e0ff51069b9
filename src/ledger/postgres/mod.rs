//! A ledger in a database of a PostgreSQL server: what only a server has. Its layouts, and how it is opened.
//!
//! The tables and their guards stand in `templates/postgres`, and lie in the schema `shipsheet`. No command opens such a ledger
//! yet: what several stations promise each other comes first.

mod layout;
mod open;
