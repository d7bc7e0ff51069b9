//! An import from its sheets to its files in one call, for a face that asks nobody meanwhile.

use std::marker::PhantomData;
use std::path::Path;

use crate::book::{Limits, StopSignal};
use crate::config::{Booking, BookingOptions};
use crate::event::{Listener, Stream};
use crate::finding::Finding;
use crate::finding::english::{Words, plain_words};
use crate::ledger::{LedgerError, TakenId};

use super::book::{Ended, Written};
use super::caution::Caution;
use super::connect::{App, Connection};
use super::couriers::{Asked, CourierOptions};
use super::drive::{Answer, Drive, Face, Left, OrdersFrom, SheetOrders, Why};
use super::error::{Error, Result};
use super::exit::Exit;
use super::kept::KeptBack;
use super::plan::{Plan, PlanCounts};
use super::reading::Reading;
use super::rerun::LeftAlone;
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
pub struct Imported {
    /// How it ended.
    pub end: ImportEnd,
    /// The files that were asked for. One that fails hides nothing of how it ended.
    pub written: Written,
    /// What opening the ledger brought to light.
    pub opening: Opening,
    /// Why what couriers said is not kept, where it is not: it will be asked for again.
    pub unkept: Option<LedgerError>,
}

/// How an import ended.
pub enum ImportEnd {
    /// The run is over, and recorded order by order.
    Booked(Box<Ended<'static>>),
    /// Nothing was sent, and no run recorded.
    Left {
        /// Why.
        why: Why,
        /// What the sheets come to.
        counts: Box<PlanCounts>,
    },
}

impl Imported {
    /// How it ended, for scripts.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        match &self.end {
            ImportEnd::Booked(ended) => ended.exit(),
            ImportEnd::Left { why: Why::Nothing, .. } => Exit::Done,
            ImportEnd::Left { why: Why::Invalid, .. } => Exit::SheetProblems,
            ImportEnd::Left { why: Why::Cautions(_) | Why::Shown | Why::Declined, .. } => Exit::CouldNotRun,
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
    pub fn import<L: Listener + 'static>(
        &self,
        reading: &mut Reading,
        options: &ImportOptions<'_>,
        stop: StopSignal,
        say: &mut dyn FnMut(&Finding),
        mut events: Stream<L>,
    ) -> Result<(Imported, Stream<L>)> {
        reading.set_aside(&mut events)?;
        let booking = self.config.booking(&options.booking);
        let couriers = self.couriers_before(&options.couriers, &booking)?;
        // A file that cannot be made is told before a ledger is, or couriers are asked.
        reading.check_files(options.rejects, options.results)?;
        let session = self.session("import")?;
        let opening = session.opening().clone();
        let &ImportOptions { rejects, results, all_or_nothing, together, taken, accepted, .. } = options;
        let orders = OrdersFrom::Sheets(SheetOrders { reading, rejects, results, all_or_nothing, together, taken });
        let words = options.words.clone().unwrap_or_else(plain_words);
        let mut face = Unattended { accepted, words, ..Unattended::new(self, &booking.limits, say) };
        let drive = Drive { orders, couriers, booking: &booking, stop };
        let (end, events) = session.drive(drive, &mut face, events)?;
        let (written, unkept) = (face.written, face.unkept);
        Ok((Imported { end, written, opening, unkept }, events))
    }
}

/// The face of a run that nobody watches: what limits or the caller accept goes, and nobody is asked.
pub(super) struct Unattended<'a, L> {
    app: &'a App,
    limits: &'a Limits,
    accepted: &'a [Caution],
    say: &'a mut dyn FnMut(&Finding),
    words: Words,
    /// The files of the run, once it is over.
    written: Written,
    unkept: Option<LedgerError>,
    /// Orders of the ledger that an open sheet keeps back.
    pub(super) kept_back: Vec<KeptBack>,
    listener: PhantomData<L>,
}

impl<'a, L> Unattended<'a, L> {
    pub(super) fn new(app: &'a App, limits: &'a Limits, say: &'a mut dyn FnMut(&Finding)) -> Self {
        Self {
            app,
            limits,
            accepted: &[],
            say,
            words: plain_words(),
            written: Written::default(),
            unkept: None,
            kept_back: Vec::new(),
            listener: PhantomData,
        }
    }
}

impl<L: Listener + 'static> Face for Unattended<'_, L> {
    type Listener = L;
    type Output = (ImportEnd, Stream<L>);
    type Error = Error;

    /// No other command sends an order that the sheet of a night holds or cancels.
    fn is_agreed(&self) -> bool {
        true
    }

    fn asked_couriers(&mut self, asked: Asked) -> Result<()> {
        let Asked { warnings, unkept } = asked;
        warnings.iter().for_each(&mut *self.say);
        self.unkept = unkept;
        Ok(())
    }

    fn finding(&mut self, finding: &Finding) {
        (self.say)(finding);
    }

    fn show(&mut self, _: &Plan<'_, '_>, left: &LeftAlone) -> Result<bool> {
        self.kept_back.clone_from(&left.kept_back);
        Ok(true)
    }

    fn ask(&mut self, plan: &Plan<'_, '_>) -> Result<Answer> {
        let mut accepted = Caution::accepted_by_limits(plan.cautions(), self.limits);
        accepted.extend_from_slice(self.accepted);
        Ok(Answer::Go(accepted))
    }

    fn connect_ahead(&mut self, booking: &Booking) -> Option<Result<Connection>> {
        self.app.connect_ahead(booking)
    }

    fn connect(&mut self, booking: &Booking) -> Result<Connection> {
        self.app.connect(booking)
    }

    fn ended(&mut self, mut ended: Ended<'_>, events: Stream<L>) -> Result<Self::Output> {
        self.written = ended.write_files(&self.words);
        Ok((ImportEnd::Booked(Box::new(ended.without_files())), events))
    }

    fn left(&mut self, left: Left<'_>, events: Stream<L>) -> Result<Self::Output> {
        let Left { why, counts, beside, files, .. } = left;
        self.kept_back = beside.kept_back;
        if let Some(mut files) = files {
            self.written = Written::rejects(files.write_rejects(&self.words));
        }
        Ok((ImportEnd::Left { why, counts: Box::new(counts) }, events))
    }
}
