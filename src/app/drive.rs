//! The course of every run: ask couriers, plan, show, ask, connect, stage, book.
//!
//! Import, resume, retry, the night and the desk differ in where the orders come from ([`OrdersFrom`]), and in who is shown the plan
//! and asked ([`Face`]).

use std::path::Path;
use std::time::Instant;

use crate::book::{Stop, StopSignal};
use crate::config::Booking;
use crate::event::{Events, Listener, Stream};
use crate::finding::Finding;
use crate::ledger::{RunOf, TakenId};
use crate::stage::Totals;

use super::addresses::ServiceWord;
use super::book::Ended;
use super::bulk::{NoSteps, Steps};
use super::caution::Caution;
use super::connect::Connection;
use super::couriers::{Asked, CourierAnswers, CourierQuestion};
use super::draft::Draft;
use super::error::{Error, Result};
use super::own::OwnFiles;
use super::plan::{Plan, PlanCounts, PlanOptions, Staged};
use super::profiles::Kept;
use super::reading::Reading;
use super::rerun::{LeftAlone, TakeUp};
use super::session::Session;
use super::waiting::WaitingSheets;

/// A run that is to be booked.
pub struct Drive<'a> {
    /// Where its orders come from.
    pub orders: OrdersFrom<'a>,
    /// The question to couriers before orders of sheets go.
    pub couriers: Option<CourierQuestion>,
    /// How to book.
    pub booking: &'a Booking,
    /// Ends it early.
    pub stop: StopSignal,
}

/// Where the orders of a run come from.
pub enum OrdersFrom<'a> {
    /// Sheets.
    Sheets(SheetOrders<'a>),
    /// A draft, as it was checked.
    Draft(&'a Draft),
    /// The ledger.
    Ledger {
        /// Which of its orders.
        what: &'a TakeUp,
        /// The cause of a run that a watcher makes.
        watched: Option<RunOf>,
    },
}

/// Orders of sheets.
pub struct SheetOrders<'a> {
    /// The sheets.
    pub reading: &'a mut Reading,
    /// A file for the rows that must be corrected (.xlsx, .csv).
    pub rejects: Option<&'a Path>,
    /// A file for all rows with their AWBs (.xlsx, .csv), or for one object per order (.jsonl).
    pub results: Option<&'a Path>,
    /// Send nothing unless every order is valid.
    pub all_or_nothing: bool,
    /// The sheets that wait together with these.
    pub together: Option<&'a WaitingSheets>,
    /// The sheet, as a watcher took it.
    pub taken: Option<TakenId>,
}

/// Shows what would be sent, and answers for a person.
pub trait Face {
    /// Hears the events of the run.
    type Listener: Listener + 'static;
    /// The result of the run.
    type Output;
    /// The reason for no result.
    type Error: From<Error>;

    /// Whether sheets count as read by a person without another question: what they hold or cancel is recorded, also if
    /// their run is refused.
    fn is_agreed(&self) -> bool;
    /// Hears how far asking couriers is.
    fn steps(&mut self) -> Box<dyn Steps + '_> {
        Box::new(NoSteps)
    }
    /// Couriers were asked.
    ///
    /// # Errors
    /// The run ends.
    fn asked_couriers(&mut self, _: Asked) -> Result<(), Self::Error> {
        Ok(())
    }
    /// A plan begins that will be shown.
    fn plans(&mut self) {}
    /// Hears each finding on the sheets while they are planned.
    fn finding(&mut self, _: &Finding) {}
    /// Shows what would be sent, and what stays. False ends the run there.
    ///
    /// # Errors
    /// It is not what a person agreed to.
    fn show(&mut self, plan: &Plan<'_, '_>, left: &LeftAlone) -> Result<bool, Self::Error>;
    /// Whether a person is asked from here on, so that others may write to the ledger meanwhile.
    fn asks(&self, _: &Plan<'_, '_>) -> bool {
        false
    }
    /// Asks what is open.
    ///
    /// # Errors
    /// Somebody has to answer first, and is not here.
    fn ask(&mut self, plan: &Plan<'_, '_>) -> Result<Answer, Self::Error>;
    /// An answer was kept, with the profile that it made.
    fn answered(&mut self, _: &Answer, _: Option<&Kept>) {}
    /// A connection that is made before a plan which holds the ledger until it is recorded; an error counts once there is
    /// something to send.
    fn connect_ahead(&mut self, _: &Booking) -> Option<Result<Connection, Self::Error>> {
        None
    }
    /// A connection.
    ///
    /// # Errors
    /// There is none.
    fn connect(&mut self, booking: &Booking) -> Result<Connection, Self::Error>;
    /// Whether these orders may go.
    ///
    /// # Errors
    /// It cannot be asked.
    fn agrees(&mut self, _: &Totals) -> Result<bool, Self::Error> {
        Ok(true)
    }
    /// Somebody else changed what would be sent since it was shown: it is shown again.
    fn changed(&mut self) {}
    /// The run is recorded, under this number, and begins.
    ///
    /// # Errors
    /// It could not be stopped: its orders are outstanding.
    fn staged(&mut self, _: i64) -> Result<(), Self::Error> {
        Ok(())
    }
    /// The run is over.
    ///
    /// # Errors
    /// The output fails.
    fn ended(&mut self, ended: Ended<'_>, events: Stream<Self::Listener>) -> Result<Self::Output, Self::Error>;
    /// Nothing was sent, and no run recorded.
    ///
    /// # Errors
    /// The output fails.
    fn left(&mut self, left: Left<'_>, events: Stream<Self::Listener>) -> Result<Self::Output, Self::Error>;
}

/// A person's answer to a plan.
pub enum Answer {
    /// It goes, past these cautions.
    Go(Vec<Caution>),
    /// Orders go despite these findings.
    Accept(Vec<Finding>),
    /// The sheets are another shop's.
    Prefix {
        /// The prefix of their numbers from now on.
        prefix: String,
        /// The name of the profile that keeps it.
        keep_as: Option<String>,
    },
    /// Which addresses are the same service.
    Services(Vec<ServiceWord>),
}

/// A plan that was not sent.
pub struct Left<'r> {
    /// Why.
    pub why: Why,
    /// The counts of the plan.
    pub counts: PlanCounts,
    /// Its cautions, accepted or not.
    pub cautions: Vec<Caution>,
    /// Booked orders of the sheets whose cancellation was asked for.
    pub cancelled: Vec<Finding>,
    /// Orders of the ledger that were asked for and left alone.
    pub beside: LeftAlone,
    /// The files that were asked for, where the orders come from sheets.
    pub files: Option<OwnFiles<'r>>,
    /// When the session began.
    pub started: Instant,
}

/// Why nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// There is nothing to send.
    Nothing,
    /// It was to be shown only.
    Shown,
    /// A person said no.
    Declined,
    /// A person has to look first; the same import with these accepted goes on, but for what has to be answered.
    Cautions(Vec<Caution>),
    /// Not every order is valid, and all or nothing was wanted.
    Invalid,
}

/// The end of one round of planning and asking.
enum Round<'r> {
    /// It is planned again, with this.
    Again(Option<Answer>),
    /// Nothing is sent.
    Left(Box<Left<'r>>),
    /// The run is recorded.
    Staged(Box<Staged<'r>>),
}

/// The end of the questions about a plan.
enum Ready {
    /// These cautions are accepted.
    Go(Vec<Caution>),
    /// It is planned again, with this.
    Again(Answer),
    /// Nothing is sent.
    Left(Why),
}

/// A connection, once one was made or could not be.
type Connected<E> = Option<Result<Connection, E>>;

impl Session<'_> {
    /// Takes a run from its orders to its end. Nothing that takes its time or asks a person happens while a plan holds the
    /// ledger, and whatever can fail fails before the run is recorded.
    ///
    /// # Errors
    /// Fails only as long as nothing was sent. What goes wrong after that is among what the run came to.
    pub fn drive<F: Face>(
        mut self,
        mut drive: Drive<'_>,
        face: &mut F,
        mut events: Stream<F::Listener>,
    ) -> Result<F::Output, F::Error> {
        let (mut connection, stop) = (None, drive.stop.clone());
        let mut couriers = drive.ask_couriers(&mut self, &mut connection, face, &mut events)?;
        let mut connection = connection.map(Ok);
        let staged = loop {
            if connection.is_none() && !drive.is_of_ledger() {
                connection = face.connect_ahead(drive.booking);
            }
            match drive.round(&mut self, couriers.as_ref(), &mut connection, face, &mut events)? {
                Round::Again(None) => {}
                Round::Again(Some(answer)) => {
                    let kept = drive.take(&answer, &mut self, couriers.as_mut(), &mut events)?;
                    face.answered(&answer, kept.as_ref());
                }
                Round::Left(left) => return face.left(*left, events),
                Round::Staged(staged) => break staged,
            }
        };
        face.staged(staged.run())?;
        let (ended, events) = self.book(*staged, drive.booking, connection.transpose()?, stop, events)?;
        face.ended(ended, events)
    }
}

impl Drive<'_> {
    fn ask_couriers<F: Face>(
        &mut self,
        session: &mut Session<'_>,
        connection: &mut Option<Connection>,
        face: &mut F,
        events: &mut Events<'_>,
    ) -> Result<Option<CourierAnswers>, F::Error> {
        let reading = match &self.orders {
            OrdersFrom::Sheets(sheets) => Some(&*sheets.reading),
            OrdersFrom::Draft(draft) => draft.reading(),
            OrdersFrom::Ledger { .. } => None,
        };
        let Some((question, reading)) = self.couriers.take().zip(reading) else { return Ok(None) };
        let mut steps = face.steps();
        let (answers, asked) = session.ask_couriers(question, reading, connection, &self.stop, &mut *steps, events)?;
        drop(steps);
        face.asked_couriers(asked)?;
        Ok(Some(answers))
    }

    fn plan<'s, 'r>(
        &'r self,
        session: &'s mut Session<'_>,
        couriers: Option<&CourierAnswers>,
        say: &mut dyn FnMut(&Finding),
        events: &mut Events<'_>,
    ) -> Result<(Option<Plan<'s, 'r>>, LeftAlone)> {
        let options = PlanOptions { couriers, ..PlanOptions::default() };
        let plan = match &self.orders {
            OrdersFrom::Sheets(SheetOrders { reading, rejects, results, together, taken, .. }) => {
                let (rejects, results, taken, together) = (*rejects, *results, *taken, *together);
                session.plan(reading, PlanOptions { rejects, results, taken, together, ..options }, say, events)?
            }
            OrdersFrom::Draft(draft) => draft.plan(session, options, say, events)?,
            OrdersFrom::Ledger { what, watched } => {
                let (plan, left) = session.take_up(what, events)?;
                return Ok((plan.map(|plan| plan.watched(*watched)), left));
            }
        };
        Ok((Some(plan), LeftAlone::default()))
    }

    /// Plans, shows and asks once; records the run where all is answered.
    fn round<'r, F: Face>(
        &'r self,
        session: &mut Session<'_>,
        couriers: Option<&CourierAnswers>,
        connection: &mut Connected<F::Error>,
        face: &mut F,
        events: &mut Events<'_>,
    ) -> Result<Round<'r>, F::Error> {
        face.plans();
        let (plan, beside) = self.plan(session, couriers, &mut |finding| face.finding(finding), events)?;
        // Taken out as a whole, so that nothing of it holds the session.
        let Ok(mut plan) = plan.ok_or(()) else {
            return Ok(Round::Left(Box::new(Left { beside, ..Left::new(Why::Nothing, session) })));
        };
        self.go_on()?;
        let (ready, shown) = match self.ready(&mut plan, &beside, connection, face) {
            Ok(ready) => ready,
            Err(error) => {
                let (counts, _) = plan.decline();
                if face.is_agreed() {
                    session.revise(&counts.ledger.revisions)?;
                }
                return Err(error);
            }
        };
        let accepted = match ready {
            Ready::Go(accepted) => accepted,
            Ready::Again(answer) => return Ok(Round::Again(Some(answer))),
            Ready::Left(why) => {
                let cautions = plan.cautions().to_vec();
                let (counts, files) = plan.decline();
                let is_recorded = match &why {
                    Why::Invalid => true,
                    Why::Cautions(_) => face.is_agreed(),
                    Why::Nothing | Why::Shown | Why::Declined => false,
                };
                if is_recorded {
                    session.revise(&counts.ledger.revisions)?;
                }
                let cancelled = session.cancelled(&counts);
                let left = Left { counts, cautions, cancelled, beside, files, ..Left::new(why, session) };
                return Ok(Round::Left(Box::new(left)));
            }
        };
        self.go_on()?;
        if let Some(shown) = shown {
            drop(plan);
            let (again, _) = self.plan(session, couriers, &mut |_| {}, &mut Stream::silent())?;
            let Ok(again) = again.ok_or(()) else { return Ok(Round::Again(None)) };
            if again.stamp()? != shown {
                if face.asks(&again) {
                    face.changed();
                }
                return Ok(Round::Again(None));
            }
            plan = again;
        }
        Ok(Round::Staged(Box::new(plan.stage(&accepted, events)?)))
    }

    /// Shows a plan, asks, and connects. The stamp is of a plan that was let go meanwhile.
    fn ready<F: Face>(
        &self,
        plan: &mut Plan<'_, '_>,
        beside: &LeftAlone,
        connection: &mut Connected<F::Error>,
        face: &mut F,
    ) -> Result<(Ready, Option<String>), F::Error> {
        if !face.show(plan, beside)? {
            return Ok((Ready::Left(Why::Shown), None));
        }
        if self.is_all_or_nothing() && !plan.counts().is_good() {
            return Ok((Ready::Left(Why::Invalid), None));
        }
        // Orders of the ledger are planned again in no time, so the service is asked only once there is something to send.
        let is_let_go = face.asks(plan) || (self.is_of_ledger() && connection.is_none());
        let shown = if is_let_go { Some(plan.let_go()?) } else { None };
        let accepted = match face.ask(plan)? {
            Answer::Go(accepted) => accepted,
            answer => return Ok((Ready::Again(answer), None)),
        };
        let unaccepted = plan.unaccepted(&accepted);
        if !unaccepted.is_empty() {
            return Ok((Ready::Left(Why::Cautions(unaccepted)), None));
        }
        let to_send = plan.counts().ledger.to_send;
        if to_send.orders > 0 {
            let connected = connection.take().unwrap_or_else(|| face.connect(self.booking))?;
            *connection = Some(Ok(connected));
            if !face.agrees(&to_send)? {
                return Ok((Ready::Left(Why::Declined), None));
            }
        }
        Ok((Ready::Go(accepted), shown))
    }

    /// Applies an answer to what is planned next; gives the profile that it made.
    fn take(
        &mut self,
        answer: &Answer,
        session: &mut Session<'_>,
        couriers: Option<&mut CourierAnswers>,
        events: &mut Events<'_>,
    ) -> Result<Option<Kept>> {
        match (answer, &mut self.orders) {
            (Answer::Accept(findings), OrdersFrom::Sheets(SheetOrders { reading, .. })) => {
                reading.accept(findings, "answered when asked before sending");
                if let Some(couriers) = couriers {
                    couriers.accept(reading);
                }
            }
            (Answer::Prefix { prefix, keep_as }, OrdersFrom::Sheets(SheetOrders { reading, .. })) => {
                return reading.prefix(prefix, keep_as.as_deref(), events);
            }
            (Answer::Services(words), _) => words.iter().try_for_each(|word| session.say_of_service(word))?,
            // No rule holds an order that is taken up, and a draft has its own answers.
            (Answer::Go(_) | Answer::Accept(_) | Answer::Prefix { .. }, _) => {}
        }
        Ok(None)
    }

    fn go_on(&self) -> Result<()> {
        if self.stop.now() == Stop::No { Ok(()) } else { Err(Error::Interrupted) }
    }

    const fn is_all_or_nothing(&self) -> bool {
        matches!(self.orders, OrdersFrom::Sheets(SheetOrders { all_or_nothing: true, .. }))
    }

    const fn is_of_ledger(&self) -> bool {
        matches!(self.orders, OrdersFrom::Ledger { .. })
    }
}

impl Left<'_> {
    fn new(why: Why, session: &Session<'_>) -> Self {
        Self {
            why,
            counts: PlanCounts::default(),
            cautions: Vec::new(),
            cancelled: Vec::new(),
            beside: LeftAlone::default(),
            files: None,
            started: session.started(),
        }
    }
}
