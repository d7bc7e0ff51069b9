//! The terminal as the face of a run: what is the same for orders of sheets and of the ledger.

use anyhow::{Result, bail};

use crate::app::english::far_more;
use crate::app::{
    Answer, Asked, Caution, Connection, Drive, Ended, Exit, Face, Kept, Left, LeftAlone, Plan, PlanCounts, Session,
    Steps,
};
use crate::book::{Limits, StopSignal};
use crate::cli::screen::{Highlights, Progress};
use crate::config::Booking;
use crate::event::Stream;
use crate::finding::Finding;
use crate::stage::Totals;

use super::accept::say_prefix;
use super::address;
use super::connect::connect;
use super::console::{listen_with, note, somebody_is_here};
use super::couriers::{Counted, say_unkept};
use super::session::agreed;
use super::settings::Settings;

/// How the orders of a run are shown, and its end is told.
pub(super) trait Account {
    /// Notes what couriers could not be asked about.
    fn warn(&mut self, _: Vec<Finding>) {}
    /// Forgets the findings of the last plan.
    fn plans(&mut self) {}
    /// Notes a finding until the plan is shown.
    fn finding(&mut self, _: &Finding) {}
    /// Shows what would be sent, and what stays. False ends the run there.
    fn show(&mut self, plan: &Plan<'_, '_>, left: &LeftAlone) -> Result<bool>;
    /// Asks about orders that rules hold.
    fn ask(&mut self, _: &PlanCounts, _: Option<&StopSignal>) -> Option<Answer> {
        None
    }
    /// Tells how the run ended.
    fn ended(&mut self, ended: Ended<'_>, highlights: &Highlights) -> Result<Exit>;
    /// Tells why nothing was sent.
    fn left(&mut self, left: Left<'_>) -> Result<Exit>;
}

/// The terminal, or what stands in its place where nobody can be asked.
pub(super) struct Terminal<'s, A> {
    settings: &'s Settings,
    own: A,
    /// Whether `--yes` was given.
    is_agreed: bool,
    limits: Limits,
    steps: Counted<'s>,
    run: &'s mut Option<i64>,
}

impl<'s, A: Account> Terminal<'s, A> {
    pub(super) fn new(settings: &'s Settings, own: A, is_agreed: bool, run: &'s mut Option<i64>) -> Self {
        Self { settings, own, is_agreed, limits: Limits::default(), steps: Counted::new(settings), run }
    }

    /// Drives the run to its end.
    pub(super) fn drive(mut self, session: Session<'_>, drive: Drive<'_>, events: Stream<Progress>) -> Result<Exit> {
        self.limits = drive.booking.limits;
        let drive = Drive { stop: self.steps.stop(), ..drive };
        session.drive(drive, &mut self, events)
    }
}

impl<A: Account> Face for Terminal<'_, A> {
    type Listener = Progress;
    type Output = Exit;
    type Error = anyhow::Error;

    fn is_agreed(&self) -> bool {
        self.is_agreed
    }

    fn steps(&mut self) -> Box<dyn Steps + '_> {
        Box::new(&mut self.steps)
    }

    fn asked_couriers(&mut self, asked: Asked) -> Result<()> {
        say_unkept(&asked);
        self.own.warn(asked.warnings);
        Ok(())
    }

    fn plans(&mut self) {
        self.own.plans();
    }

    fn finding(&mut self, finding: &Finding) {
        self.own.finding(finding);
    }

    fn show(&mut self, plan: &Plan<'_, '_>, left: &LeftAlone) -> Result<bool> {
        self.own.show(plan, left)
    }

    fn asks(&self, plan: &Plan<'_, '_>) -> bool {
        let app = &self.settings.app;
        // A yes is for what is sent; whom it is sent to may be asked all the same.
        let asks_whom = || {
            let commands = self.settings.config().token_commands();
            !plan.elsewhere().is_empty() || app.new_host().is_some() || !app.new_commands(&commands).is_empty()
        };
        somebody_is_here() && (!self.is_agreed || asks_whom())
    }

    fn ask(&mut self, plan: &Plan<'_, '_>) -> Result<Answer> {
        if !self.is_agreed
            && let Some(answer) = self.own.ask(plan.counts(), self.steps.listening())
        {
            return Ok(answer);
        }
        if plan.counts().ledger.to_send.orders == 0 {
            return Ok(Answer::Go(plan.cautions().to_vec()));
        }
        let words = address::ask(self.settings, &plan.elsewhere(), self.steps.listening())?;
        if !words.is_empty() {
            return Ok(Answer::Services(words));
        }
        Ok(Answer::Go(accepted_cautions(&self.limits, plan)?))
    }

    fn answered(&mut self, answer: &Answer, kept: Option<&Kept>) {
        match answer {
            Answer::Prefix { prefix, .. } => say_prefix(self.settings, prefix, kept),
            Answer::Services(words) => address::say_kept(self.settings, words),
            Answer::Go(_) | Answer::Accept(_) => {}
        }
    }

    fn connect_ahead(&mut self, booking: &Booking) -> Option<Result<Connection>> {
        if !(self.is_agreed && self.settings.config().waits_for_token()) {
            return None;
        }
        if somebody_is_here() {
            return self.settings.app.connect_ahead(booking).map(|connected| Ok(connected?));
        }
        Some(self.connect(booking))
    }

    fn connect(&mut self, booking: &Booking) -> Result<Connection> {
        Ok(connect(self.settings, booking)?)
    }

    fn agrees(&mut self, to_send: &Totals) -> Result<bool> {
        agreed(self.settings, self.is_agreed, (to_send, &self.limits), self.steps.listening())
    }

    fn changed(&mut self) {
        note(
            "what would be sent has changed since it was shown, for somebody else works with this ledger: look at it again",
        );
    }

    fn staged(&mut self, run: i64) -> Result<()> {
        *self.run = Some(run);
        if self.steps.listening().is_none() {
            listen_with(&self.steps.stop())?;
        }
        Ok(())
    }

    fn ended(&mut self, ended: Ended<'_>, events: Stream<Progress>) -> Result<Exit> {
        self.own.ended(ended, &events.into_listener().into_highlights())
    }

    fn left(&mut self, left: Left<'_>, _: Stream<Progress>) -> Result<Exit> {
        self.own.left(left)
    }
}

/// The cautions that are accepted by going on: all that were said to somebody who is asked next, and where nobody can be
/// asked those that a limit allows. One that is left refuses the import.
fn accepted_cautions(limits: &Limits, plan: &Plan<'_, '_>) -> Result<Vec<Caution>> {
    let cautions = plan.cautions();
    if somebody_is_here() {
        return Ok(cautions.to_vec());
    }
    let accepted = Caution::accepted_by_limits(cautions, limits);
    match Caution::far_more(&plan.unaccepted(&accepted)).first() {
        Some(first) => bail!(
            "nothing was sent: far more than usual ({}), and nobody is here to be asked. If it is right, allow it once \
             with --max-orders N or --max-value RUPEES, or for good with max_orders, max_value or a higher usual_factor in \
             [booking] of shipsheet.toml",
            far_more(first)
        ),
        None => Ok(accepted),
    }
}
