//! Where the orders of a run stand, in the words of Check, Results, Runs and Home.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::app::RunEntry;
use crate::ledger::{CANCELLED, Called, DIFFERS, Ledger, RunId};
use crate::report::Orders;

use super::answer::Result;
use super::{page, words};

/// Columns of a list of runs.
pub(super) const COLUMNS: usize = 10;

/// Where the orders of a run stand now.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Standings {
    /// As the ledger counts them.
    orders: Orders,
    /// Those that people call otherwise.
    called: Called,
    /// Cancelled since: of those that the run booked, and of those that were booked before.
    cancelled: [u64; 2],
}

impl Standings {
    pub(super) fn of(ledger: &Ledger, run: RunId, orders: &Orders) -> Result<Self> {
        let cancelled = ledger.cancelled_since(run)?;
        Self::with(ledger, (run, orders), &cancelled)
    }

    /// Those of several runs, each beside it.
    pub(super) fn of_each(ledger: &Ledger, runs: Vec<RunEntry>) -> Result<Vec<(RunEntry, Self)>> {
        let Some(first) = runs.iter().map(|own| own.record.id).min() else { return Ok(Vec::new()) };
        let cancelled = ledger.cancelled_since(first)?;
        let with = |own: RunEntry| Ok((Self::with(ledger, (own.record.id, &own.orders), &cancelled)?, own));
        runs.into_iter().map(|own| with(own).map(|(standings, own)| (own, standings))).collect()
    }

    fn with(ledger: &Ledger, (run, orders): (RunId, &Orders), cancelled: &BTreeMap<RunId, [u64; 2]>) -> Result<Self> {
        let called = if orders.invalid + orders.held == 0 { Called::default() } else { ledger.called(run)? };
        Ok(Self { orders: *orders, called, cancelled: cancelled.get(&run).copied().unwrap_or_default() })
    }

    /// Booked by the run, and not cancelled since.
    pub(super) const fn booked(&self) -> u64 {
        self.orders.booked.saturating_sub(self.cancelled[0])
    }

    /// Booked before the run, and not cancelled since.
    const fn booked_already(&self) -> u64 {
        self.orders.already_booked.saturating_sub(self.cancelled[1])
    }

    pub(super) const fn cancelled(&self) -> u64 {
        self.cancelled[0] + self.cancelled[1]
    }

    /// Refused by the service, of whatever kind.
    pub(super) const fn failed(&self) -> u64 {
        self.orders.rejected + self.orders.refused
    }

    /// To be corrected.
    pub(super) const fn wrong(&self) -> u64 {
        self.orders.invalid.saturating_sub(self.called.held + self.called.left_out)
    }

    pub(super) const fn on_hold(&self) -> u64 {
        (self.orders.held + self.called.held).saturating_sub(self.called.differ)
    }

    const fn left_out(&self) -> u64 {
        self.orders.left_out + self.called.left_out
    }

    /// With an AWB.
    pub(super) const fn has_awb(&self) -> u64 {
        self.orders.booked + self.orders.already_booked
    }

    /// Each with its name, in the order in which a table has them.
    pub(super) const fn columns(&self) -> [(&'static str, u64); COLUMNS] {
        [
            ("Booked", self.booked()),
            ("Booked already", self.booked_already()),
            ("Booked, differs", self.called.differ),
            ("Cancelled", self.cancelled()),
            ("Rejected", self.failed()),
            ("Fix", self.wrong()),
            ("Hold", self.on_hold()),
            ("Left out", self.left_out()),
            ("In doubt", self.orders.in_doubt),
            ("Not sent", self.orders.outstanding),
        ]
    }

    /// The same as figures; those of which a clerk wants to see that there are none are always there.
    pub(super) fn figures(&self) -> Markup {
        let tone = |name: &str| match name {
            "Booked" | "Booked already" => "good",
            "Rejected" | "Fix" => "bad",
            "Booked, differs" | "Hold" | "In doubt" => "warn",
            _ => "",
        };
        let more = [("Given up", self.orders.abandoned), ("Dismissed", self.orders.dismissed)];
        let is_shown =
            |(name, orders): &(&str, u64)| *orders > 0 || matches!(*name, "Booked" | "Rejected" | "Fix" | "In doubt");
        html! {
            dl.figures {
                @for (name, orders) in self.columns().into_iter().chain(more).filter(is_shown) {
                    (page::figure(&words::number(orders), tone(name), name))
                }
            }
        }
    }

    /// The states to which the orders of a run are narrowed, each with how many are in it.
    pub(super) const fn states(&self) -> [(&'static str, &'static str, u64); 10] {
        [
            ("", "All", self.orders.total),
            ("booked", "Booked", self.booked() + self.booked_already()),
            (DIFFERS, "Booked, differs", self.called.differ),
            (CANCELLED, "Cancelled", self.cancelled()),
            ("failed", "Rejected", self.failed()),
            ("invalid", "Fix", self.wrong()),
            ("held", "Hold", self.on_hold()),
            ("left_out", "Left out", self.left_out()),
            ("in_doubt", "In doubt", self.orders.in_doubt),
            ("outstanding", "Not sent", self.orders.outstanding),
        ]
    }
}
