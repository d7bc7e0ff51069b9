//! Checks a draft: all of it, or after an answer only the orders that it touches.
//!
//! An answer changes other orders only by what the whole sheet shows (its columns' habits, the rows of each order, rows that
//! change what stands below them) or by a shipment that two of them have. All of that is looked at with each answer, in the
//! portions of the sheet that it changes; where it is what it was, only the orders that the answer touches are judged again.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::app::kept::{Keepers, KeptGate};
use crate::app::plan::{Before, cancelled};
use crate::app::reading::Reading;
use crate::column::RowRef;
use crate::event::{Events, Stream};
use crate::finding::Finding;
use crate::ledger::{Intake, Ledger, LedgerError};
use crate::stage::{Gate, Lately, LedgerCounts, Part, Recorder, Rows, StageError, Surveyed, gather_surveyed, survey};
use crate::text::unspelled;

use super::answer::{CellEdit, Said, Step};
use super::checked::{Checked, Entry};
use super::gate::DraftGate;
use super::sink::CheckSink;

/// With more orders than this, all of them are as soon judged again.
const ORDERS_MAX: usize = 200;

/// What the rows of a draft have shown, and what its orders came to.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) surveyed: Surveyed,
    pub(super) checked: Checked,
    /// What else kept orders back then.
    pub(super) keepers: Keepers,
}

/// One check of a draft.
pub(super) struct Check<'c> {
    pub(super) app: &'c App,
    pub(super) reading: &'c Reading,
    pub(super) said: &'c Said,
    /// The draft's id.
    pub(super) id: &'c str,
}

impl Check<'_> {
    /// Checks every order beside what else keeps orders back.
    pub(super) fn all(&self, keepers: Keepers, events: &mut Events<'_>) -> Result<Judged> {
        let surveyed = survey(&self.reading.opened, true, events)?;
        self.all_surveyed(surveyed, keepers, events)
    }

    /// What else keeps orders back.
    pub(super) fn keepers(&self) -> Keepers {
        // A ledger that cannot be read is told of where it is compared.
        let lists = self.app.couriers_lists().unwrap_or_default();
        self.app.keepers(Some(self.id)).unwrap_or_default().beside(lists)
    }

    fn all_surveyed(&self, surveyed: Surveyed, keepers: Keepers, events: &mut Events<'_>) -> Result<Judged> {
        let mut checked = Checked::new();
        let rows = self.judge((&surveyed, None), (&mut checked, &keepers), events)?;
        checked.rows = rows;
        Ok(Judged { surveyed, checked, keepers })
    }

    /// Checks what an answer changes in what was checked before. Gives the orders that were judged again; nothing where all
    /// of them were.
    pub(super) fn again(
        &self,
        judged: &mut Judged,
        step: &Step,
        events: &mut Events<'_>,
    ) -> Result<Option<Vec<String>>> {
        let opened = &self.reading.opened;
        let surveyed = match judged.surveyed.again(opened, step.cells().iter().filter_map(row))? {
            Some(surveyed) => surveyed,
            None => survey(opened, true, &mut Stream::silent())?,
        };
        if surveyed.shows_the_same(&judged.surveyed)
            && let Some(touched) = touched(judged, step)
            && let Some(judged_again) = self.touched(&surveyed, judged, &touched)?
        {
            let numbers = judged_again.iter().map(|(entry, _)| entry.number.to_string()).collect();
            for (entry, said) in judged_again {
                judged.checked.put(entry, &said).map_err(StageError::Spool)?;
            }
            judged.surveyed = surveyed;
            return Ok(Some(numbers));
        }
        *judged = self.all_surveyed(surveyed, self.keepers(), events)?;
        Ok(None)
    }

    /// Judges some orders again, as long as they bear on no other one.
    fn touched(&self, surveyed: &Surveyed, before: &Judged, touched: &[Entry]) -> Result<Option<Vec<Told>>> {
        let Judged { checked: before, keepers, .. } = before;
        let mut rows: BTreeSet<RowRef> = touched.iter().flat_map(|entry| entry.rows.iter().copied()).collect();
        for entry in touched {
            // A row of it that is left out stands in no order, and what is said of it is said of this one.
            let said = before.said(entry).map_err(StageError::Spool)?;
            rows.extend(said.iter().filter_map(|finding| self.row_of(finding)));
        }
        let part = surveyed.part_of(rows);
        let mut own = Checked::new();
        own.lately.clone_from(&before.lately);
        self.judge((surveyed, Some(&part)), (&mut own, keepers), &mut Stream::silent())?;
        let mut again = Vec::new();
        for was in touched {
            let Some(is) = own.entry(&was.number).filter(|is| is.rows == was.rows) else { return Ok(None) };
            let is_alone = |shipment: u64| {
                let mut others = before.entries().iter().filter(|other| other.number != was.number);
                !others.any(|other| other.beside.shipments().any(|own| own == shipment))
            };
            let mut shipments = was.beside.shipments().chain(is.beside.shipments());
            // Of remarks that nobody could read, those of orders that go are counted over the whole sheet.
            let stands = |own: &Entry| own.beside.unread.map(|remarks| (remarks, own.state, own.counts));
            if stands(was) != stands(is) || !shipments.all(is_alone) {
                return Ok(None);
            }
            again.push((is.clone(), own.said(is).map_err(StageError::Spool)?));
        }
        let mut shipments: Vec<u64> = again.iter().flat_map(|(entry, _)| entry.beside.shipments()).collect();
        shipments.sort_unstable();
        let is_twice = shipments.windows(2).any(|pair| pair[0] == pair[1]);
        Ok((!is_twice).then_some(again))
    }

    fn row_of(&self, finding: &Finding) -> Option<RowRef> {
        let place = finding.place.as_ref()?;
        let mut sheets = (0..).zip(&self.reading.opened.sheets);
        let (sheet, _) = sheets.find(|(_, planned)| *planned.sheet.source() == place.source)?;
        Some(RowRef { sheet, row: place.row })
    }

    /// Reads orders into `checked`, beside what the ledger knows where there is one.
    fn judge(
        &self,
        what: (&Surveyed, Option<&Part>),
        (checked, keepers): (&mut Checked, &Keepers),
        events: &mut Events<'_>,
    ) -> Result<Rows> {
        let (said, opened) = (self.said, &self.reading.opened);
        let kept = || Some(KeptGate { keepers, opened, together: None, next: None });
        let gate = |next| DraftGate { said, opened, shown: None, next, kept: kept() };
        let service = self.app.config.service_key().ok();
        let ledger = match service.as_ref().map(|_| self.app.read_ledger()) {
            Some(Ok(ledger)) => Some(ledger),
            None | Some(Err(Error::Ledger(LedgerError::Missing(_)))) => None,
            Some(Err(error)) => {
                checked.unread_ledger = Some(error.to_string());
                None
            }
        };
        let Some((ledger, service)) = ledger.zip(service) else {
            let gate = gate(None);
            return Ok(self.gather(what, CheckSink::new(checked, None, &gate), events)?.0);
        };
        let asked = said.are_couriers_asked.then(|| self.app.couriers_said(&ledger, self.reading)).transpose()?;
        let gate = gate(asked.as_ref().map(|asked| asked as &dyn Gate));
        self.judge_beside((&ledger, &service), what, (checked, &gate), events)
    }

    fn judge_beside(
        &self,
        (ledger, service): (&Ledger, &str),
        what: (&Surveyed, Option<&Part>),
        (checked, gate): (&mut Checked, &DraftGate<'_>),
        events: &mut Events<'_>,
    ) -> Result<Rows> {
        let mut staging = ledger.stage_dry(service)?;
        staging.begin_sheets(&self.reading.run_sheets())?;
        let before = Before::of(self.app, ledger, service)?;
        if what.1.is_none() {
            let now_ms = self.reading.rules.now.as_millisecond();
            checked.lately = Some(Arc::new(Lately::of(&staging, now_ms)?));
        }
        // When it is staged is not known yet, and no request says it.
        let mut recorder = Recorder::new(&mut staging, &self.reading.opened.columns, 0);
        recorder.is_draft = true;
        recorder.lately.clone_from(&checked.lately);
        recorder.gate = Some(gate);
        recorder.asked_to_cancel = Some(&before.asked_to_cancel);
        let sink = CheckSink::new(checked, Some(recorder), gate);
        let (rows, counts) = self.gather(what, sink, events)?;
        let counts = counts.unwrap_or_default();
        for finding in cancelled(ledger, service, &counts.cancelled) {
            let number = finding.order.clone().unwrap_or_default();
            checked.say_more(&number, vec![finding]).map_err(StageError::Spool)?;
        }
        if what.1.is_none() {
            checked.cautions = before.cautions(self.app, &counts.to_send, staging.elsewhere());
        }
        Ok(rows)
    }

    fn gather(
        &self,
        what: (&Surveyed, Option<&Part>),
        mut sink: CheckSink<'_>,
        events: &mut Events<'_>,
    ) -> Result<(Rows, Option<LedgerCounts>)> {
        let Reading { opened, rules, .. } = self.reading;
        let gathered = gather_surveyed(opened, rules, what, &mut sink, (&mut |_| {}, &mut |_, _, _| {}), events)?;
        Ok((gathered.rows, sink.end().map_err(StageError::Spool)?))
    }
}

/// An order with what is said of it.
type Told = (Entry, Vec<Finding>);

/// The row of a cell.
fn row(cell: &CellEdit) -> Option<RowRef> {
    Some(RowRef { sheet: u16::try_from(cell.sheet).ok()?, row: cell.row })
}

/// The orders that an answer touches; nothing where it may touch any.
fn touched(judged: &Judged, step: &Step) -> Option<Vec<Entry>> {
    let Judged { surveyed, checked, .. } = judged;
    let of_cells = step.cells().iter().map(|cell| checked.at(row(cell)?));
    let of_cells = of_cells.collect::<Option<Vec<&Entry>>>()?;
    let named = step.orders().into_iter().filter_map(|number| checked.entry(number));
    let mut touched: Vec<Entry> = Vec::new();
    for entry in of_cells.into_iter().chain(named) {
        // Numbers that are one in two spellings are told of each other.
        let spelled = unspelled(&entry.number);
        let is_alike = |other: &Entry| other.number != entry.number && unspelled(&other.number) == spelled;
        let has_all_rows = surveyed.rows_of(&entry.number) as usize == entry.rows.len();
        if !has_all_rows || touched.len() >= ORDERS_MAX || checked.entries().iter().any(is_alike) {
            return None;
        }
        if !touched.iter().any(|other| other.number == entry.number) {
            touched.push(entry.clone());
        }
    }
    Some(touched)
}
