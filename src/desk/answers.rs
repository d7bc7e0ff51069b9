//! What came of what was asked for: of a call over shipments one answer for each.

use crate::app::Fault;
use crate::book::StoppedBy;
use crate::ledger::Shipped;

use super::words;

/// What came of a call over many shipments, until the next one.
#[derive(Debug, Clone, Default)]
pub(super) struct Answers {
    pub(super) title: String,
    pub(super) list: Vec<Answer>,
    /// The page that it was asked for from, with its name.
    pub(super) back: Option<Back>,
    /// Where what was done and what was not are shown apart: how.
    pub(super) parted: Option<Parted>,
    /// Why some were not reached.
    pub(super) stopped: Option<(StoppedBy, String)>,
    /// Where these are labels that did not come: how they were asked for.
    pub(super) labels: Option<Missing>,
}

/// What came of one shipment.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    pub(super) order: String,
    pub(super) awb: String,
    pub(super) tone: &'static str,
    pub(super) said: String,
}

/// The page that something was asked for from.
#[derive(Debug, Clone)]
pub(super) enum Back {
    /// The results of a run.
    Run(i64),
    /// A sheet, by the id of its draft.
    Sheet(String),
}

/// Answers in two parts.
#[derive(Debug, Clone)]
pub(super) struct Parted {
    /// The heading of what was not done.
    pub(super) not: &'static str,
    /// The heading of what was.
    pub(super) done: &'static str,
    /// The page that asks once more for what was not done.
    pub(super) again: Option<String>,
}

/// Labels that did not come, of those that were asked for so.
#[derive(Debug, Clone)]
pub(super) struct Missing {
    pub(super) run: i64,
    pub(super) which: String,
    pub(super) paper: String,
    /// The orders that were named, if any were.
    pub(super) orders: Vec<String>,
    /// How many of them are in the PDF.
    pub(super) came: u64,
}

impl Answer {
    pub(super) fn new(shipment: &Shipped, (tone, said): (&'static str, String)) -> Self {
        Self { order: shipment.order_number.clone(), awb: shipment.awb.clone(), tone, said }
    }

    /// Of a shipment for which nothing came of it; without a fault it was not reached.
    pub(super) fn failed(shipment: &Shipped, fault: Option<&Fault>) -> Self {
        let said = match fault {
            Some(Fault { text, is_unclear: true }) => {
                ("warn", format!("{}. Look it up in the courier's portal.", words::capital(text)))
            }
            Some(Fault { text, .. }) => ("bad", format!("{}.", words::capital(text))),
            None => ("soft", "It was not asked for.".to_owned()),
        };
        Self::new(shipment, said)
    }
}

/// What a notice is like.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tone {
    Good,
    Warn,
    Bad,
}
