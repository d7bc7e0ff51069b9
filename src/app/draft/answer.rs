//! What a clerk says of a draft, one thing after the other, and what all of it comes to.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::field::{Decimal, Field, Id, Kind, in_base_units, unit_behind, unit_of};
use crate::finding::{Accepted, Basis, RuleId};
use crate::parse::{Input, ReadingSettings, value};
use crate::rule::{Acceptances, Accepting, Subject, acceptable};
use crate::sheet::Overlay;
use crate::text::shortened;

use crate::app::error::{Misuse, Result};
use crate::app::layout::LayoutChange;
use crate::app::who::user;

use super::filter::GroupId;
use super::rows::{ByRow, OrderRows};

/// One thing that a clerk said. One of them is one step of undo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum DraftAnswer {
    /// These cells say something else.
    Edit {
        /// The cells.
        cells: Vec<CellEdit>,
    },
    /// What this rule holds of these orders goes as it stands, as long as its cells stay as they are.
    Accept {
        /// The rule's id.
        rule: String,
        /// The orders; without any, all that it holds now, and the sheet where it holds that.
        #[serde(default)]
        orders: Vec<String>,
        /// The group that was shown; what else the rule holds of these orders stays held.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        group: Option<GroupId>,
        /// Why.
        #[serde(default)]
        because: String,
    },
    /// These orders come to amounts that their sheet offers beside what they come to now.
    Total {
        /// The orders.
        orders: Vec<OrderTotal>,
    },
    /// These orders stay for now.
    Hold {
        /// The orders.
        orders: Vec<String>,
    },
    /// These orders are not to go from this sheet.
    LeaveOut {
        /// The orders.
        orders: Vec<String>,
    },
    /// These orders are neither held nor left out any more.
    Release {
        /// The orders.
        orders: Vec<String>,
    },
    /// The profile that the sheets are read by changes so.
    Layout {
        /// The sheet's place among those of the draft.
        sheet: usize,
        /// The change.
        change: LayoutChange,
    },
    /// One value for all orders.
    Default {
        /// The field's API path.
        field: String,
        /// The value; empty for none.
        value: String,
    },
    /// The sheet is read by this profile, or recognised by its headers.
    Profile {
        /// The profile's name.
        name: Option<String>,
    },
    /// This worksheet is meant.
    Worksheet {
        /// Its name.
        name: String,
    },
    /// The header stands in this row.
    HeaderRow {
        /// The row, as people count.
        row: u32,
    },
}

/// The total of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderTotal {
    /// The order.
    pub order: String,
    /// One of the amounts that are offered; nothing takes a choice back.
    pub amount: Option<Decimal>,
}

/// What a cell says from now on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellEdit {
    /// The sheet's place among those of the draft.
    #[serde(default)]
    pub sheet: usize,
    /// The row, as people count.
    pub row: u32,
    /// The column, counted from 0.
    pub column: u32,
    /// What is typed there.
    pub text: String,
}

impl DraftAnswer {
    /// Whether it says which part of the sheet is read, and how.
    pub(super) const fn says_where_to_read(&self) -> bool {
        matches!(self, Self::Profile { .. } | Self::Worksheet { .. } | Self::HeaderRow { .. })
    }

    /// Whether it is about no single orders, and may change any of them.
    pub(super) const fn is_of_sheet(&self) -> bool {
        !matches!(
            self,
            Self::Edit { .. }
                | Self::Accept { .. }
                | Self::Total { .. }
                | Self::Hold { .. }
                | Self::LeaveOut { .. }
                | Self::Release { .. }
        )
    }
}

/// An answer with who gave it, when, and what it stood for then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) answer: DraftAnswer,
    by: String,
    at_ms: i64,
    /// Of what was accepted: the orders, with the cells that each finding rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bases: Vec<(String, Basis)>,
    /// Of a layout: the profile's text with this change and all those before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    layout: Option<String>,
    /// Of a layout: the places of all sheets with its headers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    alike: Vec<usize>,
    /// Of orders that are held, left out or released: their rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows: Vec<OrderRows>,
    /// Of cells: the orders that they stood in.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    typed_in: BTreeSet<String>,
}

impl Step {
    pub(super) fn new(answer: DraftAnswer) -> Self {
        let at_ms = Timestamp::now().as_millisecond();
        let (bases, alike, rows, typed_in) = (Vec::new(), Vec::new(), Vec::new(), BTreeSet::new());
        Self { answer, by: user(), at_ms, bases, layout: None, alike, rows, typed_in }
    }

    /// With what is accepted of which orders.
    pub(super) fn on(self, bases: Vec<(String, Basis)>) -> Self {
        Self { bases, ..self }
    }

    /// With what became of the layout of these sheets.
    pub(super) fn of_layout(self, layout: Option<String>, alike: Vec<usize>) -> Self {
        Self { layout, alike, ..self }
    }

    /// With the rows of the orders that it names.
    pub(super) fn of_rows(self, rows: Vec<OrderRows>) -> Self {
        Self { rows, ..self }
    }

    /// With the orders that its cells stand in.
    pub(super) fn within(self, typed_in: BTreeSet<String>) -> Self {
        Self { typed_in, ..self }
    }

    /// The orders that its cells stood in.
    pub(super) const fn typed_in(&self) -> &BTreeSet<String> {
        &self.typed_in
    }

    /// Whether it changes how the sheet is read, and not only single orders.
    pub(super) fn is_of_sheet(&self) -> bool {
        match &self.answer {
            DraftAnswer::Accept { .. } => self.bases.is_empty(),
            answer => answer.is_of_sheet(),
        }
    }

    /// The orders that it names.
    pub(super) fn orders(&self) -> BTreeSet<&str> {
        match &self.answer {
            DraftAnswer::Hold { orders } | DraftAnswer::LeaveOut { orders } | DraftAnswer::Release { orders } => {
                orders.iter().map(String::as_str).collect()
            }
            DraftAnswer::Total { orders } => orders.iter().map(|own| own.order.as_str()).collect(),
            _ => self.bases.iter().map(|(order, _)| order.as_str()).collect(),
        }
    }

    /// The cells that it changes.
    pub(super) fn cells(&self) -> &[CellEdit] {
        match &self.answer {
            DraftAnswer::Edit { cells } => cells,
            _ => &[],
        }
    }
}

/// A clerk's word that an order does not go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Kept {
    /// Whose word it is.
    pub(super) by: String,
    /// When it was given, epoch milliseconds.
    pub(super) at_ms: i64,
    /// Whether it is left out for good, or held for now.
    pub(super) left_out: bool,
}

/// What all answers come to.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    pub(super) overlays: BTreeMap<usize, Overlay>,
    /// Orders that do not go, by their numbers and by their rows.
    pub(super) kept: (BTreeMap<String, Kept>, ByRow<Option<Kept>>),
    /// The rows that orders had when they were kept, by the numbers that they had then.
    kept_rows: BTreeMap<String, Vec<OrderRows>>,
    /// Whether rows that are kept may have other numbers by now.
    pub(super) are_kept_renumbered: bool,
    /// The orders in whose rows something was typed, by the numbers that they had then.
    pub(super) typed_in: BTreeSet<String>,
    accepted: Vec<(RuleId, String, Basis, Accepted)>,
    /// The totals of orders by a person's choice.
    pub(super) totals: BTreeMap<String, Decimal>,
    pub(super) of_sheet: Vec<Accepting>,
    /// Of each sheet of which something was said, the profile's text with that.
    pub(super) layouts: BTreeMap<usize, String>,
    pub(super) defaults: BTreeMap<String, String>,
    pub(super) profile: Option<String>,
    pub(super) worksheet: Option<String>,
    pub(super) header_row: Option<u32>,
    /// Whether couriers were asked whether they go where its orders go.
    pub(super) are_couriers_asked: bool,
}

impl Said {
    /// What these answers come to. A rule that is no more is passed by: what it held is told anew.
    pub(super) fn of(steps: &[Step]) -> Self {
        let mut said = Self::default();
        for step in steps {
            said.take(step);
        }
        said
    }

    fn take(&mut self, step: &Step) {
        let is_of_kept = |cell: &CellEdit| self.kept.1.all().any(|(_, row, kept)| row == cell.row && kept.is_some());
        let is_renumbered = step.cells().iter().any(is_of_kept) || (step.is_of_sheet() && !self.kept_rows.is_empty());
        self.are_kept_renumbered |= is_renumbered;
        match &step.answer {
            DraftAnswer::Edit { cells } => {
                self.typed_in.extend(step.typed_in.iter().cloned());
                for cell in cells {
                    self.overlays.entry(cell.sheet).or_default().set(cell.row, cell.column, cell.text.as_str());
                }
            }
            DraftAnswer::Accept { rule, because, .. } => {
                let Ok(rule) = acceptable(rule) else { return };
                let (by, because) = (step.by.clone(), because.trim().to_owned());
                let word = Accepted { by, at_ms: step.at_ms, because, is_new: true };
                if step.bases.is_empty() {
                    self.of_sheet.push(Accepting { rule, orders: Vec::new() });
                }
                let own = step.bases.iter().map(|(order, basis)| (rule, order.clone(), basis.clone(), word.clone()));
                self.accepted.extend(own);
            }
            DraftAnswer::Total { orders } => {
                for OrderTotal { order, amount } in orders {
                    match amount {
                        Some(amount) => drop(self.totals.insert(order.clone(), *amount)),
                        None => drop(self.totals.remove(order)),
                    }
                }
            }
            DraftAnswer::Hold { orders } => self.keep(step, orders, Some(false)),
            DraftAnswer::LeaveOut { orders } => self.keep(step, orders, Some(true)),
            DraftAnswer::Release { orders } => self.keep(step, orders, None),
            DraftAnswer::Layout { sheet, .. } => {
                let text = |sheet: &usize| Some((*sheet, step.layout.clone()?));
                self.layouts.extend(step.alike.iter().chain([sheet]).filter_map(text));
            }
            DraftAnswer::Default { field, value } => {
                self.defaults.insert(field.clone(), value.clone());
            }
            // Changes of the layout were made to another sheet, or to another reading of it.
            DraftAnswer::Profile { name } => (self.profile, self.layouts) = (name.clone(), BTreeMap::new()),
            DraftAnswer::Worksheet { name } => {
                let Self { defaults, kept, kept_rows, are_kept_renumbered, typed_in, .. } = std::mem::take(self);
                let worksheet = Some(name.clone());
                *self = Self { kept, kept_rows, are_kept_renumbered, typed_in, defaults, worksheet, ..Self::default() };
            }
            DraftAnswer::HeaderRow { row } => (self.header_row, self.layouts) = (Some(*row), BTreeMap::new()),
        }
    }

    /// Keeps orders, left out or held, or lets them go again.
    fn keep(&mut self, step: &Step, orders: &[String], left_out: Option<bool>) {
        let kept = left_out.map(|left_out| Kept { by: step.by.clone(), at_ms: step.at_ms, left_out });
        let (numbers, rows) = &mut self.kept;
        for order in orders {
            self.kept_rows.remove(order);
            match &kept {
                Some(kept) => drop(numbers.insert(order.clone(), kept.clone())),
                None => drop(numbers.remove(order)),
            }
        }
        step.rows.iter().for_each(|own| rows.change(own, |is| is.clone_from(&kept)));
        if kept.is_some() {
            step.rows.iter().for_each(|own| self.kept_rows.entry(own.order.clone()).or_default().push(own.clone()));
            return;
        }
        // A word goes with the rows, whatever number these had when it was given.
        let are_kept = |its: &Vec<OrderRows>| its.iter().any(|own| rows.of(own).any(Option::is_some));
        self.kept_rows.retain(|number, its| {
            let stays = are_kept(its);
            if !stays {
                numbers.remove(number);
            }
            stays
        });
    }

    /// Orders that are held or left out, by the numbers that they had then, with the rows that they had.
    pub(super) fn kept_rows(&self) -> impl Iterator<Item = (&String, &Vec<OrderRows>)> {
        self.kept_rows.iter()
    }

    /// What people accepted before, and what was accepted here.
    pub(super) fn acceptances(&self, before: &Acceptances) -> Acceptances {
        let mut all = before.clone();
        for (rule, order, basis, word) in &self.accepted {
            all.keep(*rule, Subject::Order(order.clone()), basis.clone(), word.clone());
        }
        all
    }
}

/// Refuses what no order can have under a field.
///
/// # Errors
/// What was typed, and what is accepted.
pub(crate) fn fits(field: &'static Field, text: &str, rules: &ReadingSettings) -> Result<()> {
    if text.is_empty() || value(Input::new(field, text), rules).sure().is_some() {
        return Ok(());
    }
    let (text, header, accepted) = (shortened(text, 40), field.header, field.kind.accepted());
    Err(Misuse::Format(format!("\"{text}\" cannot be the {header}; it should be {accepted}")).into())
}

/// A value for all orders as it is kept: a size or weight with its unit in the unit that is sent.
///
/// # Errors
/// As [`fits`].
pub(super) fn for_all(field: &'static Field, text: &str, rules: &ReadingSettings) -> Result<String> {
    let unit = field.unit_field().filter(|_| field.kind == Kind::Measure);
    let in_unit = |id: Id| {
        let (end, unit) = unit_behind(text, id)?;
        let figure: Decimal = text[..end].parse().ok()?;
        // A bare number is counted in the unit that stands in for a blank cell.
        let usual = in_base_units(unit_of(id, rules.default(id)?)?)?;
        Some((figure * in_base_units(unit)? / usual).normalize().to_string())
    };
    let value = unit.and_then(in_unit).unwrap_or_else(|| text.to_owned());
    fits(field, &value, rules).map(|()| value)
}

/// Refuses what cannot be meant, before it is kept.
pub(super) fn allowed(answer: &DraftAnswer) -> Result<()> {
    match answer {
        DraftAnswer::Accept { rule, .. } => acceptable(rule).map(drop).map_err(|why| Misuse::Format(why).into()),
        _ => Ok(()),
    }
}
