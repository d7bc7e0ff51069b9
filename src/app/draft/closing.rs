//! A draft after a run: what is left to do with it is noted, and where that is nothing, it keeps no order back any more.

use crate::app::connect::App;
use crate::app::error::Result;
use crate::app::field_names::FieldNames;
use crate::event::Events;
use crate::finding::{Finding, Id, Value};

use super::store::DraftRest;
use super::{Checked, Draft, DraftState};

/// States of orders with which something is left to do.
const OPEN: [DraftState; 4] = [DraftState::Ready, DraftState::Fix, DraftState::Hold, DraftState::InDoubt];

impl Draft {
    /// Notes what is left to do after a run. If nothing is, its orders are released, unless a person held or left out some of them:
    /// nothing else would know that.
    ///
    /// # Errors
    /// The sheet or the ledger cannot be read; it was changed elsewhere, or cleared.
    pub fn close(&mut self, app: &App, events: &mut Events<'_>) -> Result<()> {
        let checked = self.check(app, events)?;
        // Of a sheet that cannot be understood, or beside a ledger that cannot be read, nobody knows what is left to do.
        if !checked.is_usable() || checked.unread_ledger().is_some() {
            return Ok(());
        }
        let has_open = has_open(checked);
        let headers = self.reading().map(|reading| FieldNames::of(reading.opened.columns.of(0))).unwrap_or_default();
        let worksheets = self.unread_worksheets(app)?;
        let mut rest = DraftRest { worksheets, has_open, keeps_back: false, headers };
        if rest.is_none() {
            let kept_back = self.keeps_back(app)?;
            rest.has_open = kept_back.iter().any(|own| own.in_doubt);
            rest.keeps_back = kept_back.iter().any(|own| !own.went || own.in_doubt) || self.leaves_out(app)?;
            if !rest.keeps_back {
                let went: Vec<String> = kept_back.into_iter().map(|own| own.number).collect();
                app.give_up(&went, &format!("sent under another number, from {}", self.file()))?;
            }
        }
        self.stored.note_rest(app, rest)
    }

    /// Notes once more what is left to do after something was said of a draft that was booked, if nothing is open any more. Where that
    /// cannot be noted, the sheet stays open.
    pub(super) fn close_again(&mut self, app: &App, events: &mut Events<'_>) {
        let is_checked = self.checked().is_some_and(|checked| checked.is_usable() && !has_open(checked));
        if is_checked && !self.runs().is_empty() {
            let _ = self.close(app, events);
        }
    }

    /// The worksheets that have rows and of which no run was made.
    fn unread_worksheets(&self, app: &App) -> Result<Vec<String>> {
        let Some(checked) = self.checked() else { return Ok(Vec::new()) };
        let ledger = app.read_ledger()?;
        let mut read = Vec::new();
        for run in self.runs() {
            read.extend(app.run_status(&ledger, Some(*run))?.record.sheets);
        }
        let is_unread = |name: &&String| !read.iter().any(|sheet| sheet.ends_with(&format!("[{name}]")));
        Ok(other_worksheets(checked.sheet_findings()).filter(is_unread).cloned().collect())
    }
}

fn has_open(checked: &Checked) -> bool {
    OPEN.into_iter().any(|state| checked.count(state) > 0)
}

/// The worksheets that are not read, as far as it is said of them.
pub fn other_worksheets(findings: &[Finding]) -> impl Iterator<Item = &String> {
    let said = findings.iter().filter(|finding| finding.is(Id::SheetNotice, "other_worksheets"));
    let names = said.filter_map(|finding| match finding.parameters.get("names") {
        Some(Value::List(names)) => Some(names),
        _ => None,
    });
    names.flatten()
}
