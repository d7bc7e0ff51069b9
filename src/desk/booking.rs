//! The desk as the face of a run: on the page a person has agreed to what is sent, and nothing else is.

use std::sync::Arc;

use crate::app::{
    Answer, App, Asked, Caution, Connection, Drive, Ended, Error, Face, Left, LeftAlone, Plan, Session, Steps, Why,
};
use crate::config::Booking;
use crate::event::Stream;

use super::answer::Result;
use super::trouble::Trouble;
use super::work::{Job, Told};

/// A run that a person agreed to.
pub(super) struct AgreedRun<'a> {
    pub(super) app: &'a App,
    pub(super) job: &'a Arc<Job>,
    /// Refuses a plan that is not what the person saw, and gives the cautions that were ticked.
    pub(super) as_seen: &'a dyn Fn(&Plan<'_, '_>) -> Result<Vec<Caution>>,
    /// The draft that is booked, if it is one.
    pub(super) draft: Option<&'a str>,
    /// The outcome of the question to couriers, once they were asked.
    pub(super) asked: Option<Asked>,
    accepted: Vec<Caution>,
}

impl<'a> AgreedRun<'a> {
    pub(super) fn new(
        (app, job): (&'a App, &'a Arc<Job>),
        draft: Option<&'a str>,
        as_seen: &'a dyn Fn(&Plan<'_, '_>) -> Result<Vec<Caution>>,
    ) -> Self {
        Self { app, job, as_seen, draft, asked: None, accepted: Vec::new() }
    }

    /// Books it; gives the number of the run.
    pub(super) fn drive(&mut self, session: Session<'_>, drive: Drive<'_>) -> Result<i64> {
        let events = self.job.events(self.app);
        session.drive(drive, self, events)
    }
}

impl Face for AgreedRun<'_> {
    type Listener = Told;
    type Output = i64;
    type Error = Trouble;

    /// Each answer on a draft is recorded as it is given.
    fn is_agreed(&self) -> bool {
        false
    }

    fn steps(&mut self) -> Box<dyn Steps + '_> {
        Box::new(self.job.steps())
    }

    fn asked_couriers(&mut self, asked: Asked) -> Result<()> {
        // Check shows from now on what they said.
        if let Some(id) = self.draft {
            self.app.draft(id)?.asked_couriers(self.app)?;
        }
        self.asked = Some(asked);
        Ok(())
    }

    fn show(&mut self, plan: &Plan<'_, '_>, _: &LeftAlone) -> Result<bool> {
        self.accepted = (self.as_seen)(plan)?;
        Ok(true)
    }

    fn ask(&mut self, _: &Plan<'_, '_>) -> Result<Answer> {
        Ok(Answer::Go(std::mem::take(&mut self.accepted)))
    }

    /// An answer at the desk does not wait for the service.
    fn connect_ahead(&mut self, booking: &Booking) -> Option<Result<Connection>> {
        Some(self.connect(booking))
    }

    fn connect(&mut self, booking: &Booking) -> Result<Connection> {
        Ok(self.app.connect(booking)?)
    }

    fn ended(&mut self, ended: Ended<'_>, _: Stream<Told>) -> Result<i64> {
        ended.balance()?;
        Ok(ended.run)
    }

    fn left(&mut self, left: Left<'_>, _: Stream<Told>) -> Result<i64> {
        Err(match left.why {
            Why::Nothing => Trouble::Changed("There is nothing to send any more".to_owned()),
            Why::Cautions(cautions) => match Error::unaccepted(cautions) {
                Error::Unaccepted(_) => Trouble::Changed("Something new has to be looked at first".to_owned()),
                error => error.into(),
            },
            Why::Shown | Why::Declined | Why::Invalid => Trouble::Failed,
        })
    }
}
