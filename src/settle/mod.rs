//! Orders in doubt, settled by evidence or by a person, never by a clock.
//!
//! - `word`: a person's word, and what counts as an AWB
//! - `odd_awb`: what speaks against an AWB that a person typed
//! - `statement`: the courier portal's own export, as rows of order number, AWB and status
//! - `compare`: the ledger beside a statement, order by order (`group`); `absence`: what it proves to be missing there;
//!   `comparison`: four lists, and what is proven
//! - `look_up`: the service asked for one order by our own number, where it can be; it never denies
//!
//! Whatever decides goes through [`crate::ledger::Ledger::decide`], which keeps who, when, why and upon which attempt.

mod absence;
mod books;
mod compare;
mod comparison;
mod group;
mod layout;
mod look_up;
mod odd_awb;
mod span;
mod statement;
mod word;

pub(crate) use compare::compare;
pub(crate) use comparison::{Agreed, Comparison, Difference, Proven};
pub(crate) use layout::{StatementColumn, StatementError, StatementOptions};
pub(crate) use look_up::{Finder, Finding, LookUpError};
pub(crate) use odd_awb::{OddAwb, OwnNumbers};
pub(crate) use span::{Span, end_of_day};
pub(crate) use statement::{Entry, Statement, StatementColumns, Waybill};
pub(crate) use word::{SettleError, Word, abandon, believable_awb, booked, booked_elsewhere, is_shortened, not_booked};
