//! An import from its sheets to its files in one call, for a face that asks nobody meanwhile.

use std::path::Path;

use crate::book::{Stop, StopSignal};
use crate::config::BookingOptions;
use crate::event::{Listener, Stream};
use crate::finding::Finding;
use crate::finding::english::{Words, plain_words};
use crate::ledger::{LedgerError, TakenId};

use super::book::{Ended, Written};
use super::bulk::NoSteps;
use super::caution::Caution;
use super::connect::App;
use super::couriers::{Asked, CourierOptions};
use super::error::{Error, Result};
use super::exit::Exit;
use super::plan::{Plan, PlanCounts, PlanOptions};
use super::reading::Reading;
use super::session::Opening;
use super::waiting::WaitingSheets;

/// How to import, beyond what the configuration says.
#[derive(Clone, Default)]
pub struct ImportOptions<'o> {
    /// How to book.
    pub booking: BookingOptions,
    /// What to ask couriers first.
    pub couriers: CourierOptions,
    /// Send nothing unless every order is valid.
    pub all_or_nothing: bool,
    /// A file for the rows that must be corrected (.xlsx, .csv).
    pub rejects: Option<&'o Path>,
    /// A file for all rows with their AWBs (.xlsx, .csv), or for one object per order (.jsonl).
    pub results: Option<&'o Path>,
    /// The words for remedies in these files; without them, words that hold for every face.
    pub words: Option<Words>,
    /// Cautions that a person has seen and goes on with. A limit on orders accepts far more than usual as well.
    pub accepted: &'o [Caution],
    /// The sheets that wait together with this one: an order on which they disagree is sent by none of them.
    pub together: Option<&'o WaitingSheets>,
    /// The sheet, as a watcher took it, so that the run is known for the watcher's.
    pub taken: Option<TakenId>,
}

/// What an import came to.
pub struct Imported<'r> {
    /// How it ended.
    pub end: ImportEnd<'r>,
    /// The files that were asked for. One that fails hides nothing of how it ended.
    pub written: Written,
    /// What opening the ledger brought to light.
    pub opening: Opening,
    /// Why what couriers said is not kept, where it is not: it will be asked for again.
    pub unkept: Option<LedgerError>,
}

/// How an import ended.
pub enum ImportEnd<'r> {
    /// The run is over, and recorded order by order.
    Booked(Box<Ended<'r>>),
    /// Nothing was sent, and nothing recorded.
    Held {
        /// Why.
        why: HeldBy,
        /// What the sheets come to.
        counts: Box<PlanCounts>,
    },
}

/// What kept an import from sending anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeldBy {
    /// A person has to look first; the same import with these accepted goes on, but for what has to be answered.
    Cautions(Vec<Caution>),
    /// Not every order is valid, and all or nothing was wanted.
    Invalid,
}

impl Imported<'_> {
    /// How it ended, for scripts.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        match &self.end {
            ImportEnd::Booked(ended) => ended.exit(),
            ImportEnd::Held { why: HeldBy::Cautions(_), .. } => Exit::CouldNotRun,
            ImportEnd::Held { why: HeldBy::Invalid, .. } => Exit::SheetProblems,
        }
    }
}

impl App {
    /// Books what sheets hold: leaves files aside that cannot be used, where others can, asks couriers where that is wanted, connects,
    /// plans, stages, books, and writes the files last. `say` hears each problem; `stop` ends it early; `events` hear each step and are
    /// given back.
    ///
    /// # Errors
    /// Fails only as long as nothing was sent. What went wrong after that is among what it came to.
    pub fn import<'r, L: Listener + 'static>(
        &self,
        reading: &'r mut Reading,
        options: &ImportOptions<'_>,
        stop: StopSignal,
        say: &mut dyn FnMut(&Finding),
        mut events: Stream<L>,
    ) -> Result<(Imported<'r>, Stream<L>)> {
        reading.set_aside(&mut events)?;
        let reading: &'r Reading = reading;
        let booking = self.config.booking(&options.booking);
        let question = self.couriers_before(&options.couriers, &booking)?;
        // A file that cannot be made is told before a ledger is, or couriers are asked.
        reading.check_files(options.rejects, options.results)?;
        let mut session = self.session("import")?;
        let opening = session.opening().clone();
        let (mut connection, mut couriers, mut unkept) = (None, None, None);
        if let Some(question) = question {
            let steps = &mut NoSteps;
            let (answers, asked) =
                session.ask_couriers(question, reading, &mut connection, &stop, steps, &mut events)?;
            let Asked { warnings, unkept: why } = asked;
            warnings.iter().for_each(&mut *say);
            (couriers, unkept) = (Some(answers), why);
        }
        let ImportOptions { rejects, results, together, taken, .. } = *options;
        let with =
            PlanOptions { rejects, results, couriers: couriers.as_ref(), together, taken, ..PlanOptions::default() };
        let connected = connection.map(Ok).or_else(|| self.connect_ahead(&booking));
        let plan = session.plan(reading, with, say, &mut events)?;
        let words = options.words.clone().unwrap_or_else(plain_words);
        let mut accepted = Caution::accepted_by_limits(plan.cautions(), &booking.limits);
        accepted.extend_from_slice(options.accepted);
        if let Some(why) = held_by(&plan, options, &accepted) {
            // An unattended sheet is taken for the right one: no other command sends an order that it holds or cancels.
            let (counts, files) = plan.decline();
            session.revise(&counts.ledger.revisions)?;
            let written =
                files.map_or_else(Written::default, |mut files| Written::rejects(files.write_rejects(&words)));
            let end = ImportEnd::Held { why, counts: Box::new(counts) };
            return Ok((Imported { end, written, opening, unkept }, events));
        }
        // Whatever can fail fails before the run is recorded; from then on what is not sent is outstanding.
        let mut connection = None;
        if plan.counts().ledger.to_send.orders > 0 {
            match connected.unwrap_or_else(|| self.connect(&booking)) {
                Ok(connected) => connection = Some(connected),
                Err(error) => {
                    let (counts, _) = plan.decline();
                    session.revise(&counts.ledger.revisions)?;
                    return Err(error);
                }
            }
        }
        if stop.now() != Stop::No {
            return Err(Error::Interrupted);
        }
        let staged = plan.stage(&accepted, &mut events)?;
        let (mut ended, events) = session.book(staged, &booking, connection, stop, events)?;
        let written = ended.write_files(&words);
        Ok((Imported { end: ImportEnd::Booked(Box::new(ended)), written, opening, unkept }, events))
    }
}

fn held_by(plan: &Plan<'_, '_>, options: &ImportOptions<'_>, accepted: &[Caution]) -> Option<HeldBy> {
    if options.all_or_nothing && !plan.counts().is_good() {
        return Some(HeldBy::Invalid);
    }
    let unaccepted = plan.unaccepted(accepted);
    (!unaccepted.is_empty()).then_some(HeldBy::Cautions(unaccepted))
}
