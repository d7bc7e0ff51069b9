//! What the courier turns out to have while a run is under way: once a list comes that has orders which the run was still to
//! send, it starts nothing new. What is in flight is waited for, and a resume goes on with all others.

use std::pin::pin;
use std::time::Duration;

use crate::app::connect::App;
use crate::book::StopSignal;
use crate::ledger::{RunId, State};

use super::Keepers;

/// How often it is looked whether another list came: nothing but names and times of files is looked at.
const EVERY: Duration = Duration::from_millis(100);

/// A run beside the courier's lists.
pub(in crate::app) struct Meanwhile<'a> {
    app: &'a App,
    run: RunId,
    /// What kept orders back when the run was recorded: what it sends all the same was accepted.
    before: Keepers,
    /// What ends the run otherwise.
    asked: StopSignal,
    /// The lists that were looked at last.
    mark: Option<u64>,
}

impl<'a> Meanwhile<'a> {
    pub(in crate::app) const fn of(app: &'a App, run: RunId, before: Keepers, asked: StopSignal) -> Self {
        Self { app, run, before, asked, mark: None }
    }

    /// Goes on with booking that `stop` ends, until it is asked to end or a list comes that has its orders.
    pub(in crate::app) async fn beside<T>(mut self, booking: impl Future<Output = T>, stop: &StopSignal) -> T {
        let (mut booking, mut asked, mut is_kept) = (pin!(booking), self.asked.watch(), false);
        stop.follow(*asked.borrow_and_update());
        loop {
            tokio::select! {
                biased;
                Ok(()) = asked.changed() => stop.follow(*asked.borrow_and_update()),
                why = self.kept(), if !is_kept => {
                    is_kept = true;
                    stop.drain_because(why);
                }
                ended = &mut booking => return ended,
            }
        }
    }

    /// Waits until something has orders that are still to be sent, and gives the reason.
    async fn kept(&mut self) -> String {
        loop {
            if let Some(why) = self.look() {
                return why;
            }
            tokio::time::sleep(EVERY).await;
        }
    }

    fn look(&mut self) -> Option<String> {
        let mark = self.app.lists_mark();
        if self.mark == Some(mark) {
            return None;
        }
        let lists = match self.app.couriers_lists() {
            Err(keeper) if self.before.unread() == Some(&keeper) => Vec::new(),
            Err(keeper) => return Some(keeper.because()),
            Ok(lists) => lists,
        };
        if !lists.is_empty() {
            // What cannot be read now is looked up the next time.
            let unsent = self.app.in_states([State::Staged, State::Waiting]).ok()?;
            let of_run = unsent.into_iter().filter(|(_, runs)| runs.contains(&self.run)).map(|(number, _)| number);
            for number in of_run {
                let before = self.before.all(&number, |_| false);
                let mut all = lists.iter().filter_map(|list| list.keeping(&number));
                if let Some(keeping) = all.find(|keeping| !before.contains(keeping)) {
                    return Some(format!(
                        "{}: {number} is one of those that were still to be sent",
                        keeping.by.because()
                    ));
                }
            }
        }
        self.mark = Some(mark);
        None
    }
}
