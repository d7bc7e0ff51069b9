//! Rules with names: what may keep an order back, or is said of it, with its documentation and the level that it has.
//!
//! - `registry`: [`RULES`], which `templates/rules` describes, one page for each
//! - `acceptance`: what people have accepted of what rules hold, and until when
//! - `levels`: what the configuration, profiles and a person say of levels, and [`Levels::apply`], the one place where that
//!   changes what a finding weighs
//!
//! Faults have no level, because no request can be formed. What the ledger knows has none either: no setting sends an order that
//! may be booked already. Cases that a person answers alike are one rule; a person accepts one case for the cells that it rests on
//! (`finding::Basis`), and nothing that only comes up behind it.

mod acceptance;
mod levels;
mod registry;

pub use acceptance::{Acceptances, Accepting, Subject, acceptable};
pub use levels::{LevelPlan, LevelSettings, LevelSource, Levels, rule_level};
pub use registry::{RULES, Rule, RuleKind, RuleLevel};
