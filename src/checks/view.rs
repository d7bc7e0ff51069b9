//! What a check sees, and how it says something.

use crate::field::Id;
use crate::finding::Finding;
use crate::order::{Built, Doubt, Order, Rows, Slot, Spot};

use super::basis::settled;

/// A finished order with its rows and columns.
pub(crate) struct View<'a> {
    /// Its rows, with what their columns mean.
    pub(super) rows: &'a Rows<'a>,
    pub(super) order: &'a Order,
    pub(super) built: &'a Built,
}

impl View<'_> {
    /// Whether the sheet says beside its fields that just this is to be collected.
    pub(super) fn due_agrees(&self) -> bool {
        self.built.settled.as_ref().is_some_and(|settled| settled.due_agrees)
    }
}

/// What the sheet says of whether an order goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Eligibility {
    /// It is neither over nor sent; what else keeps it back is said.
    #[default]
    Yes,
    /// It was sent, or has a number of a shipment: a person is asked whether it is to go again.
    Sent,
    /// It is over, which is said plainly: it is left out.
    Over,
    /// It is cancelled, which is said plainly: it is left out.
    Cancelled,
}

impl Eligibility {
    /// Whether the order is left out.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Over | Self::Cancelled)
    }
}

/// What is said of an order, with the weight that each rule has.
pub(crate) struct Told<'a> {
    rows: &'a Rows<'a>,
    pub(super) problems: Vec<Finding>,
    pub(super) eligibility: Eligibility,
    /// Remarks that nobody could read.
    pub(super) unread: Vec<Slot>,
}

impl<'a> Told<'a> {
    pub(crate) const fn new(rows: &'a Rows<'a>) -> Self {
        Self { rows, problems: Vec::new(), eligibility: Eligibility::Yes, unread: Vec::new() }
    }

    /// Says something of a value. Gives whether that holds the order.
    pub(crate) fn say(&mut self, problem: Finding, id: Id, spot: Spot) -> bool {
        self.take(self.rows.placed(problem, id, spot))
    }

    /// Says something that has its place, with the weight that its rule has: the one place where levels count for orders.
    /// Gives whether that holds the order.
    pub(crate) fn take(&mut self, problem: Finding) -> bool {
        let Some(problem) = settled(self.rows.draft, problem, self.rows.sheets) else { return false };
        let holds = problem.holds();
        self.problems.push(problem);
        holds
    }

    /// Says what there is to doubt of an order's values: of a cell no more than the first thing that holds the order.
    pub(super) fn take_doubts(&mut self, doubts: &[Doubt]) {
        for Doubt { finding, is_fault } in doubts {
            let cell = |own: &Finding| {
                let at = own.place.as_ref()?;
                Some((at.source.clone(), at.row, at.column.as_ref()?.index))
            };
            // What the reader says of a cell, it says before anybody knows its field.
            let is_of_reader =
                |other: &Finding| other.field.is_none() && cell(other).is_some_and(|at| Some(at) == cell(finding));
            let is_of_cell =
                |other: &Finding| is_of_reader(other) || (other.place == finding.place && other.field == finding.field);
            if self.problems.iter().any(|other| other.holds() && is_of_cell(other)) {
                continue;
            }
            if *is_fault {
                self.problems.push(finding.clone());
            } else {
                self.take(finding.clone());
            }
        }
    }

    /// Whether something holds the order, so that no more need be said of what it comes to.
    pub(super) fn has_failed(&self) -> bool {
        self.problems.iter().any(Finding::holds)
    }
}
