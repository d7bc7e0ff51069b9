//! What the program says of a cell, a row, an order, a sheet or a run, as data.
//!
//! A [`Finding`] has a stable id, a case of that id, the facts that its sentence names, and what can be done about it. The
//! catalogue has one entry for each case, which names the rule that it falls under, makes a typed constructor
//! (`finding::cell::bad_phone::too_short(5, …)`) and has the words; [`english`] fills them in. Nothing compares or groups findings by their words.
//!
//! Ledgers store findings by id and case, so a case is never renamed. Remedies get their text in the face: nothing below one knows
//! a flag or a button.

#[macro_use]
mod declare;
mod amounts;
mod basis;
mod catalogue;
mod data;
pub mod english;
mod id;
mod parameters;
mod plain;
mod remedy;
mod rule_id;
mod template;

pub use amounts::{Amount, AmountChoice, AmountOf};
pub use basis::{Accepted, Basis};
pub use catalogue::{Entry, cause, cell, column, entries, money, order, rule_of, service, sheet};
pub use data::{Finding, Sentence};
pub use id::{Id, Level};
pub use parameters::{Fact, Parameters, Value};
pub use remedy::{Command, Reading, Remedy};
pub use rule_id::RuleId;
