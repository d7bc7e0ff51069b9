//! What a check sees, and how it says something.

use crate::column::Sheets;
use crate::field::Id;
use crate::finding::{self, Basis, Finding};
use crate::order::{Built, CellRef, Doubt, Order, RawCell, RawOrder, Rows};
use crate::origin::Place;
use crate::profile::Meaning;
use crate::rule::Rule;

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

    /// Whether a person has said of its payment that it goes on credit: nothing is collected, though it is not paid.
    pub(super) fn is_on_credit(&self) -> bool {
        let slot = self.rows.cell(Id::OrderType);
        let meaning =
            slot.and_then(|slot| self.rows.sheets.of(slot.at.sheet).meaning(slot.column, self.rows.text(&slot)));
        meaning == Some(Meaning::OnCredit)
    }

    /// Whether what is paid of it in advance is taken off: the sheet says what is to be collected, or a person has said so.
    pub(super) fn advance_is_off(&self) -> bool {
        self.due_agrees() || self.built.settled.as_ref().is_some_and(|settled| !settled.advance.is_zero())
    }
}

/// What the sheet says of whether an order goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Eligibility {
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
    pub(crate) const fn is_over(self) -> bool {
        matches!(self, Self::Over | Self::Cancelled)
    }
}

/// What is said of an order, with the weight that each rule has.
pub(crate) struct Findings<'a> {
    rows: &'a Rows<'a>,
    /// The findings of the first look; a command accepts no others.
    shown: &'a [Finding],
    pub(super) problems: Vec<Finding>,
    pub(super) eligibility: Eligibility,
    /// Remarks that nobody could read.
    pub(super) unread: Vec<RawCell>,
}

impl<'a> Findings<'a> {
    pub(crate) const fn new(rows: &'a Rows<'a>, shown: &'a [Finding]) -> Self {
        Self { rows, shown, problems: Vec::new(), eligibility: Eligibility::Yes, unread: Vec::new() }
    }

    /// Says something of a value. Gives whether that holds the order.
    pub(crate) fn say(&mut self, problem: Finding, id: Id, spot: CellRef) -> bool {
        self.take(self.rows.placed(problem, id, spot))
    }

    /// Says something that has its place, with the weight that its rule has: the one place where levels count for orders.
    /// Gives whether that holds the order. Doubts about what an order comes to are over once a person chose that.
    pub(crate) fn take(&mut self, problem: Finding) -> bool {
        let is_chosen = |total| problem.amounts.as_ref().is_some_and(|amounts| amounts.has(total));
        if self.rows.total.is_some_and(is_chosen) {
            return false;
        }
        let Some(problem) = with_level(self.rows, problem, self.shown) else { return false };
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
            let is_of_reader = |other: &Finding| {
                let is_held_by_rule = other.id == finding::Id::HeldBack;
                other.field.is_none() && !is_held_by_rule && cell(other).is_some_and(|at| Some(at) == cell(finding))
            };
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

/// A finding on an order with the weight that its rule has in its sheet, see
/// [`Levels::apply`](crate::rule::Levels::apply).
pub(super) fn with_level(rows: &Rows<'_>, finding: Finding, shown: &[Finding]) -> Option<Finding> {
    let is_shown = |basis: &Basis| shown.iter().any(|own| own.basis.as_ref() == Some(basis));
    rows.sheets.apply_shown(finding, |finding| basis(rows.draft, finding, rows.sheets), is_shown)
}

/// The cells that a finding rests on: its own, and those that its rule looks at beside it.
fn basis(draft: &RawOrder, finding: &Finding, sheets: &Sheets) -> Option<Basis> {
    let Rule { scope, looks, .. } = Rule::of(finding.rule()?);
    let place = finding.place.as_ref();
    let header = place.and_then(|place| place.column.as_ref()).map_or("", |column| column.header.as_str());
    let is_in = |slot: &RawCell, own: &Place| own.row == slot.at.row && own.source == sheets.of(slot.at.sheet).source;
    let is_in_row = |slot: &RawCell| *scope == "row" && place.is_some_and(|own| is_in(slot, own));
    let is_looked_at = |slot: &&RawCell| {
        let path = slot.id.field().path;
        is_in_row(slot) || looks.split(' ').any(|own| own == "all" || (!own.is_empty() && path.starts_with(own)))
    };
    // Of a rule on one cell, the cells of other lines are no concern.
    let is_of_cell = |slot: &&RawCell| *scope != "row" && looks.is_empty() && finding.is_on(slot.id.field().path);
    let slots = draft.cells.iter().filter(|slot| is_looked_at(slot) || is_of_cell(slot));
    let slots = slots.chain(draft.line_cells.iter().filter(is_looked_at));
    let beside = |slot: &&RawCell| is_in_row(slot) || looks.ends_with('*');
    let slots = slots.chain(draft.amounts.iter().map(|(_, slot)| slot).filter(beside));
    let cells = slots.map(|slot| (sheets.of(slot.at.sheet).header(slot.column), draft.text(slot)));
    Some(finding.resting_on(cells.chain([(header, finding.found.as_deref().unwrap_or_default())])))
}
