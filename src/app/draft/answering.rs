//! An answer on a draft: what it changes is checked first, and then kept in the ledger together with the orders that the draft keeps
//! back from then on.

use std::collections::BTreeSet;

use crate::app::connect::App;
use crate::app::error::{Misuse, Result};
use crate::column::RowRef;
use crate::event::Events;
use crate::field::Field;
use crate::ledger::Looked;

use super::answer::{CellEdit, DraftAnswer, Step, allowed, for_all};
use super::filter::Filter;
use super::store::Change;
use super::{Answered, Checked, Draft};

impl Draft {
    /// Keeps an answer in the ledger, and checks what it changes.
    ///
    /// # Errors
    /// An answer that cannot be meant, or that cannot be kept: all is as it was then. A sheet that cannot be read with it:
    /// it is kept, and can be taken back.
    pub fn answer(&mut self, app: &App, answer: DraftAnswer, events: &mut Events<'_>) -> Result<Answered> {
        allowed(&answer)?;
        // A sheet of which nobody knows yet what part of it is meant cannot be checked before that is said.
        if !answer.says_where_to_read() {
            self.check(app, events)?;
        }
        let answer = match answer {
            DraftAnswer::Edit { cells } => DraftAnswer::Edit { cells: self.with_repeats(cells)? },
            answer => answer,
        };
        let step = self.step(answer)?;
        self.stored.push(step.clone());
        let answered = self.settle(app, &step, Change::Answers(std::slice::from_ref(&step)), events)?;
        self.close_again(app, events);
        Ok(answered)
    }

    /// Keeps several answers on how the sheet is read, each a step of its own, and checks once what they change.
    ///
    /// # Errors
    /// As [`answer`](Self::answer); the answers before one that cannot be meant are kept.
    pub fn answer_all(&mut self, app: &App, answers: Vec<DraftAnswer>, events: &mut Events<'_>) -> Result<()> {
        // Of a sheet that cannot be read as it is no order is known.
        let _ = self.check(app, events);
        self.columns(app, events)?;
        let (mut steps, mut refused) = (Vec::new(), None);
        for answer in answers {
            match allowed(&answer).and_then(|()| self.step(answer)) {
                Ok(step) => {
                    steps.push(step.clone());
                    self.stored.push(step);
                    self.said = self.stored.said();
                }
                Err(error) => {
                    refused = Some(error);
                    break;
                }
            }
        }
        let concerned = steps.iter().flat_map(|step| self.concerned(step)).collect();
        self.open = None;
        let checked = self.check(app, events).map(drop);
        let of = if checked.is_ok() { self.all_looked_at() } else { Looked::Nowhere };
        let kept = self
            .holds(app, of)
            .and_then(|all| self.stored.note_steps(app, Change::Answers(&steps), &concerned, (of, &all)));
        if let Err(error) = kept {
            for _ in &steps {
                self.stored.pop();
            }
            self.restore();
            return Err(error);
        }
        let revision = self.revision();
        self.open.iter_mut().for_each(|open| open.set_revision(revision));
        refused.map_or(checked, Err)
    }

    /// Takes the latest answer back. Nothing where there is none, or a run was booked with it.
    ///
    /// # Errors
    /// It cannot be taken back in the ledger: all is as it was then.
    pub fn undo(&mut self, app: &App, events: &mut Events<'_>) -> Result<Option<Answered>> {
        let _ = self.check(app, events);
        let Some(step) = self.stored.pop() else { return Ok(None) };
        let answered = self.settle(app, &step, Change::Undo, events)?;
        self.close_again(app, events);
        Ok(Some(answered))
    }

    /// Checks what a step changes, one more or one that is taken back, and keeps it in the ledger together with the orders that the
    /// draft keeps back from then on. It is kept as well where the sheet cannot be read with it.
    fn settle(&mut self, app: &App, step: &Step, change: Change<'_>, events: &mut Events<'_>) -> Result<Answered> {
        let (concerned, was_renumbered) = (self.concerned(step), self.said.are_kept_renumbered);
        let answered = self.after(app, step, events);
        let is_of_all = step.is_of_sheet() || was_renumbered || self.said.are_kept_renumbered;
        let mut orders = concerned.clone();
        let of = match &answered {
            Err(_) => Looked::Nowhere,
            Ok(answered) if answered.full || is_of_all => self.all_looked_at(),
            Ok(answered) => {
                orders.extend(answered.orders.iter().cloned());
                Looked::At(&orders)
            }
        };
        let noted = self.holds(app, of).and_then(|all| self.stored.note_steps(app, change, &concerned, (of, &all)));
        if let Err(error) = noted {
            match change {
                Change::Answers(_) => drop(self.stored.pop()),
                Change::Undo => self.stored.push(step.clone()),
            }
            self.restore();
            return Err(error);
        }
        let revision = self.revision();
        self.open.iter_mut().for_each(|open| open.set_revision(revision));
        Ok(Answered { revision, ..answered? })
    }

    /// All orders, where the sheet could be checked.
    fn all_looked_at(&self) -> Looked<'static> {
        if self.checked().is_some_and(Checked::is_usable) { Looked::AtAll } else { Looked::Nowhere }
    }

    /// Goes on with what is stored: what was to be said beside that is not.
    fn restore(&mut self) {
        (self.said, self.open) = (self.stored.said(), None);
    }

    /// An answer with what it stands for at this moment.
    fn step(&self, answer: DraftAnswer) -> Result<Step> {
        let Some(open) = &self.open else { return Ok(Step::new(answer)) };
        match &answer {
            DraftAnswer::Edit { cells } => {
                cells.iter().try_for_each(|cell| open.has(cell).and_then(|()| open.keeps_number(cell)))?;
                let typed_in = cells.iter().filter_map(|cell| open.number_at(cell)).collect();
                return Ok(Step::new(answer).within(typed_in));
            }
            DraftAnswer::Accept { rule, orders, group, .. } => {
                let bases = open.bases(rule, orders, *group)?;
                return Ok(Step::new(answer).on(bases));
            }
            DraftAnswer::Total { orders } => orders.iter().try_for_each(|own| open.offers(own))?,
            DraftAnswer::Hold { orders } | DraftAnswer::LeaveOut { orders } | DraftAnswer::Release { orders } => {
                let rows = open.rows_of(orders.iter().map(String::as_str));
                return Ok(Step::new(answer).of_rows(rows));
            }
            DraftAnswer::Layout { sheet, change } => {
                let before = self.said.layouts.get(sheet).cloned().map_or_else(|| open.reading.layout(*sheet), Ok)?;
                let layout = open.reading.changed(&before, *sheet, change)?;
                let alike = open.reading.alike(*sheet).collect();
                return Ok(Step::new(answer).of_layout(layout, alike));
            }
            DraftAnswer::Default { field, value } if !value.is_empty() => {
                let own = Field::by_path(field).ok_or_else(|| Misuse::Format(format!("{field} is no field")))?;
                let value = for_all(own, value, &open.reading.rules)?;
                return Ok(Step::new(DraftAnswer::Default { field: field.clone(), value }));
            }
            _ => {}
        }
        Ok(Step::new(answer))
    }

    /// The orders that a step is about: of one that changes how the sheet is read, all of them.
    fn concerned(&self, step: &Step) -> BTreeSet<String> {
        if step.is_of_sheet() {
            return self
                .checked()
                .map(|checked| checked.numbers(&Filter::All).into_iter().collect())
                .unwrap_or_default();
        }
        step.orders().into_iter().map(str::to_owned).chain(step.typed_in().iter().cloned()).collect()
    }

    /// Checks what one step more, or one less, changes.
    fn after(&mut self, app: &App, step: &Step, events: &mut Events<'_>) -> Result<Answered> {
        self.said = self.stored.said();
        let revision = self.revision();
        let Self { said, open, .. } = self;
        let mut orders = None;
        match open {
            Some(there) if !step.is_of_sheet() && there.judged.is_some() => {
                orders = there.again((app, said), step, events)?;
                there.set_revision(revision);
            }
            _ => {
                *open = None;
                self.check(app, events)?;
            }
        }
        let full = orders.is_none();
        Ok(Answered { revision, full, orders: orders.unwrap_or_else(|| self.named(step)) })
    }

    /// The orders that a step is about.
    fn named(&self, step: &Step) -> Vec<String> {
        let row = |cell: &CellEdit| Some(RowRef { sheet: u16::try_from(cell.sheet).ok()?, row: cell.row });
        let of_cell = |cell: &CellEdit| Some(self.checked()?.at(row(cell)?)?.number.to_string());
        let mut named: Vec<String> = step.orders().into_iter().map(str::to_owned).collect();
        named.extend(step.cells().iter().filter_map(of_cell));
        named.dedup();
        named
    }
}
