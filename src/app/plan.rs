//! What would be sent, and what would not and why: everything short of booking.

use std::collections::HashMap;
use std::path::Path;

use crate::book::{Amounts, USUAL_IMPORTS, unusual};
use crate::config::Service;
use crate::event::{Event, Events};
use crate::finding::Finding;
use crate::finding::service::cancelled_before;
use crate::finding::sheet::notice;
use crate::ledger::{
    DraftKept, EarlierImport, Elsewhere, Intake, Ledger, RunId, RunKind, RunOf, Staging, TakenId, crash_point,
};
use crate::origin::Place;
use crate::stage::{Gate, Gathered, LedgerCounts, OpenedSheet, Recorder, Totals};
use crate::text::moment;

use super::accept::{Heard, HeldByRule, UnusedAcceptance};
use super::caution::Caution;
use super::connect::App;
use super::couriers::CourierAnswers;
use super::error::Result;
use super::kept::KeptGate;
use super::own::OwnFiles;
use super::reading::Reading;
use super::session::{Session, Target};
use super::waiting::WaitingSheets;

/// What to plan with.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlanOptions<'o> {
    /// A file for the rows that must be corrected (.xlsx, .csv).
    pub rejects: Option<&'o Path>,
    /// A file for all rows with their AWBs (.xlsx, .csv), or for one object per order (.jsonl).
    pub results: Option<&'o Path>,
    /// What couriers said of the routes: orders that none takes stay behind.
    pub couriers: Option<&'o CourierAnswers>,
    /// What else keeps orders behind, in the place of the couriers' answers.
    pub gate: Option<&'o dyn Gate>,
    /// The sheet, as a watcher took it.
    pub taken: Option<TakenId>,
    /// The sheets that wait together with this one.
    pub together: Option<&'o WaitingSheets>,
    /// Whether it is a draft's: a draft keeps back by itself what it holds.
    pub is_draft: bool,
}

impl<'o> PlanOptions<'o> {
    pub(super) fn gate(&self) -> Option<&'o dyn Gate> {
        self.gate.or_else(|| self.couriers.map(|answers| answers as &dyn Gate))
    }
}

/// What the sheets come to beside what the ledger knows.
#[derive(Debug, Clone, Default)]
pub struct PlanCounts {
    /// Rows and orders of the sheets.
    pub gathered: Gathered,
    /// What the ledger makes of the orders.
    pub ledger: LedgerCounts,
    /// Orders that go once what holds them is accepted, by rule.
    pub held: Vec<HeldByRule>,
    /// What was accepted with this command and is held by nothing.
    pub unused: Vec<UnusedAcceptance>,
}

/// What would be sent; nothing is recorded yet, and dropped it leaves nothing behind.
pub struct Plan<'s, 'r> {
    staging: Staging<'s>,
    counts: PlanCounts,
    cautions: Vec<Caution>,
    likely_duplicates: Vec<Finding>,
    source: Source<'r>,
    target: Target,
    /// What it is of, where a watcher makes the run.
    watched: Option<RunOf>,
}

/// Where the orders come from.
pub(super) enum Source<'r> {
    /// Sheets.
    Sheets(Box<OwnFiles<'r>>),
    /// The ledger alone.
    Ledger,
}

impl<'r> Source<'r> {
    /// The sheets with the files that were asked for; nothing where the orders come from the ledger.
    pub(super) fn files(self) -> Option<OwnFiles<'r>> {
        match self {
            Self::Sheets(files) => Some(*files),
            Self::Ledger => None,
        }
    }
}

/// A run that is recorded and waits to be sent.
pub struct Staged<'r> {
    pub(super) run: RunId,
    pub(super) counts: PlanCounts,
    pub(super) source: Source<'r>,
    /// The ledger and the service that it was staged for.
    pub(super) target: Target,
}

/// What is to be known of a ledger before sheets are planned beside it.
pub(super) struct Before {
    /// What earlier imports came to; nothing where no money is spent.
    usual: Vec<EarlierImport>,
    /// Orders whose cancellation was asked for.
    pub(super) asked_to_cancel: HashMap<String, bool>,
}

impl Before {
    pub(super) fn of(app: &App, ledger: &Ledger, service: &str) -> Result<Self> {
        let usual = match app.config.service() {
            Service::Sandbox => Vec::new(),
            Service::At(_) => ledger.earlier_imports(service, USUAL_IMPORTS)?,
        };
        Ok(Self { usual, asked_to_cancel: ledger.asked_to_cancel(service)? })
    }

    /// Reads the sheets into the ledger, or past it, and gives what they come to.
    pub(super) fn counts(
        &self,
        intake: &mut dyn Intake,
        files: &mut OwnFiles<'_>,
        options: PlanOptions<'_>,
        say: &mut dyn FnMut(&Finding),
        events: &mut Events<'_>,
    ) -> Result<PlanCounts> {
        let reading = files.reading();
        intake.begin_sheets(&reading.run_sheets())?;
        let mut recorder = Recorder::new(intake, &reading.opened.columns, reading.rules.now.as_millisecond());
        recorder.is_draft = options.is_draft;
        (recorder.gate, recorder.asked_to_cancel) = (options.gate(), Some(&self.asked_to_cancel));
        let mut heard = Heard::default();
        let gathered = files.gather(&mut recorder, &mut heard.listening(say), events)?;
        warn_of_no_orders(reading, &gathered, say);
        let (held, unused) = heard.end(reading);
        let counts = PlanCounts { gathered, ledger: recorder.counts, held, unused };
        events.tell(&Event::Planned { orders: counts.ledger.to_send.orders });
        Ok(counts)
    }

    /// What a person should know before the yes.
    pub(super) fn cautions(&self, app: &App, totals: &Totals, elsewhere: Vec<Elsewhere>) -> Vec<Caution> {
        let amounts = Amounts { orders: totals.orders, value: totals.value, to_collect: totals.to_collect };
        let far_more = unusual(&amounts, &self.usual, app.config.unusual_factor());
        let far_more = far_more.into_iter().map(Caution::FarMoreThanUsual);
        far_more.chain(elsewhere.into_iter().map(Caution::Elsewhere)).collect()
    }
}

impl Session<'_> {
    /// What sheets come to beside what the ledger knows, and what keeps orders back. `say` hears each problem.
    ///
    /// # Errors
    /// A sheet that cannot be used, or no longer be read; a ledger that fails.
    pub fn plan<'s, 'r>(
        &'s mut self,
        reading: &'r Reading,
        options: PlanOptions<'_>,
        say: &mut dyn FnMut(&Finding),
        events: &mut Events<'_>,
    ) -> Result<Plan<'s, 'r>> {
        self.plan_of(reading, None, options, say, events)
    }

    /// The same of a draft, by its id and how often something had been said of it when it was checked.
    pub(super) fn plan_of<'s, 'r>(
        &'s mut self,
        reading: &'r Reading,
        of: Option<(&str, u64)>,
        options: PlanOptions<'_>,
        say: &mut dyn FnMut(&Finding),
        events: &mut Events<'_>,
    ) -> Result<Plan<'s, 'r>> {
        reading.usable()?;
        let mut files = OwnFiles::prepare(reading, options.rejects, options.results)?;
        let before = Before::of(self.app, &self.ledger, &self.service)?;
        let (new_run, target) = (self.new_run(RunKind::Import), self.target());
        let mut staging = self.ledger.stage(new_run)?;
        // From here on nobody else says anything of a sheet, or takes a statement in.
        if let Some((id, revision)) = of {
            match staging.of_draft(id, revision)? {
                // No run but this one has the ledger.
                DraftKept::Yes | DraftKept::UnderWay(_) => {}
                DraftKept::ChangedSince => return Err(super::Error::DraftChanged),
                DraftKept::Gone => return Err(super::Error::NoDraft),
            }
        }
        let keepers = self.app.keepers(of.map(|(id, _)| id))?.beside(self.app.couriers_lists()?);
        let gate = KeptGate {
            keepers: &keepers,
            opened: &reading.opened,
            together: options.together.map(|sheets| (sheets, reading.file())),
            next: options.gate(),
        };
        let options = PlanOptions { gate: Some(&gate), is_draft: of.is_some(), ..options };
        if let Some(taken) = options.taken {
            staging.of_watcher(RunOf::Sheet(taken))?;
        }
        let mut counts = before.counts(&mut staging, &mut files, options, say, events)?;
        if !self.app.config.site().is_shared() {
            // This session alone may send: what was on its way before is nobody's any more.
            counts.ledger.in_doubt += std::mem::take(&mut counts.ledger.sending);
        }
        let cautions = before.cautions(self.app, &counts.ledger.to_send, staging.elsewhere()?);
        let (source, likely_duplicates) = (Source::Sheets(Box::new(files)), Vec::new());
        Ok(Plan { staging, counts, cautions, likely_duplicates, source, target, watched: None })
    }

    /// What there is to say of booked orders of a sheet whose cancellation was asked for: somebody may expect that they
    /// are sent again.
    #[must_use]
    pub fn cancelled(&self, counts: &PlanCounts) -> Vec<Finding> {
        cancelled(&self.ledger, &self.service, &counts.ledger.cancelled)
    }
}

impl<'s, 'r> Plan<'s, 'r> {
    /// A plan from the ledger alone, with what is said of orders that may be sent already.
    pub(super) fn of_ledger(
        staging: Staging<'s>,
        target: Target,
        (to_send, likely_duplicates): (Totals, Vec<Finding>),
    ) -> Result<Self> {
        let ledger = LedgerCounts { to_send, ..LedgerCounts::default() };
        let counts = PlanCounts { ledger, ..PlanCounts::default() };
        let cautions = staging.elsewhere()?.into_iter().map(Caution::Elsewhere).collect();
        Ok(Self { staging, counts, cautions, likely_duplicates, source: Source::Ledger, target, watched: None })
    }

    /// The same plan, recorded as a watcher's.
    pub(super) fn watched(self, watched: Option<RunOf>) -> Self {
        Self { watched, ..self }
    }

    /// What it comes to.
    #[must_use]
    pub const fn counts(&self) -> &PlanCounts {
        &self.counts
    }

    /// What a person should know before the yes.
    #[must_use]
    pub fn cautions(&self) -> &[Caution] {
        &self.cautions
    }

    /// Orders taken up from the ledger that may be ones that were sent before, each with why. Of sheets this is said while
    /// they are planned.
    #[must_use]
    pub fn likely_duplicates(&self) -> &[Finding] {
        &self.likely_duplicates
    }

    /// What tells the orders that would be sent, with their requests, from any others.
    ///
    /// # Errors
    /// A ledger that fails.
    pub fn stamp(&self) -> Result<String> {
        Ok(self.staging.stamp()?)
    }

    /// Lets others write to the ledger while a person is asked; gives the [stamp](Self::stamp) of what was shown. It cannot be
    /// staged any more: whoever hears a yes plans again, and goes on where the stamp is the same.
    ///
    /// # Errors
    /// A ledger that fails.
    pub fn let_go(&mut self) -> Result<String> {
        let stamp = self.stamp()?;
        self.staging.let_go()?;
        Ok(stamp)
    }

    /// The first orders that would be sent, by their numbers.
    ///
    /// # Errors
    /// A ledger that fails.
    pub fn numbers(&self, most: usize) -> Result<Vec<String>> {
        Ok(self.staging.numbers(most)?)
    }

    /// Other addresses of which it has to be said first whether they are the same service.
    #[must_use]
    pub fn elsewhere(&self) -> Vec<Elsewhere> {
        Caution::elsewhere(&self.cautions)
    }

    /// The cautions that stand in the way where these are accepted.
    #[must_use]
    pub fn unaccepted(&self, accepted: &[Caution]) -> Vec<Caution> {
        self.cautions.iter().filter(|caution| !caution.is_settled_by(accepted)).cloned().collect()
    }

    /// Records the run: what is not sent from now on is outstanding. `accepted` are the cautions that a person has seen
    /// and goes on with; without each of them nothing is recorded.
    ///
    /// # Errors
    /// A caution that was not accepted; [another address](Self::elsewhere) of which it has still to be said whether it is
    /// the same service; a ledger that fails. Nothing is recorded then.
    pub fn stage(mut self, accepted: &[Caution], events: &mut Events<'_>) -> Result<Staged<'r>> {
        let unaccepted = self.unaccepted(accepted);
        if !unaccepted.is_empty() {
            return Err(super::Error::unaccepted(unaccepted));
        }
        let facts = match &self.source {
            Source::Sheets(files) => files.reading().facts(&self.counts.gathered),
            Source::Ledger => crate::ledger::RunFacts { lines: self.counts.ledger.to_send.lines, ..Default::default() },
        };
        if let Some(of) = self.watched {
            self.staging.of_watcher(of)?;
        }
        let run = self.staging.commit(&facts)?;
        crash_point("staged");
        events.tell(&Event::Staged { run: run.number(), orders: self.counts.ledger.to_send.orders });
        Ok(Staged { run, counts: self.counts, source: self.source, target: self.target })
    }

    /// Leaves everything as it was, and gives what it came to with the files that were asked for.
    #[must_use]
    pub fn decline(self) -> (PlanCounts, Option<OwnFiles<'r>>) {
        (self.counts, self.source.files())
    }
}

impl Staged<'_> {
    /// The run's number.
    #[must_use]
    pub const fn run(&self) -> i64 {
        self.run.number()
    }
}

impl PlanCounts {
    /// Whether every order of the sheets could be sent, and no file was left aside.
    #[must_use]
    pub const fn is_good(&self) -> bool {
        self.gathered.orders_invalid + self.gathered.rows_without_order + self.gathered.files_aside == 0
    }
}

/// An export that came out empty is worth a word, above all where nobody watches.
pub(super) fn warn_of_no_orders(reading: &Reading, gathered: &Gathered, say: &mut dyn FnMut(&Finding)) {
    if gathered.orders + gathered.orders_over + gathered.rows_without_order == 0 {
        let first = reading.opened.sheets.first();
        let place = first.map(|OpenedSheet { sheet, .. }| Place::row(sheet.source(), sheet.header().row));
        if let Some(notice) = reading.opened.columns.apply(Finding { place, ..notice::no_order_rows() }) {
            say(&notice);
        }
    }
}

/// What was cancelled is not sent again either.
pub(super) fn cancelled(ledger: &Ledger, service: &str, numbers: &[String]) -> Vec<Finding> {
    let problem = |number: &String| {
        let shipment = ledger.shipped(service, number).ok()??;
        let problem = match (shipment.cancelled_ms, shipment.cancel_unclear_ms) {
            (Some(at_ms), _) => cancelled_before::cancelled(&moment(at_ms)),
            (None, Some(at_ms)) => cancelled_before::asked_without_answer(&moment(at_ms)),
            (None, None) => return None,
        };
        Some(problem.of_order(number.clone()).found(shipment.awb))
    };
    numbers.iter().filter_map(problem).collect()
}
