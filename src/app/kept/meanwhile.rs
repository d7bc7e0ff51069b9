//! What the courier turns out to have while a run is under way: once a list comes that has orders which the run was still to
//! send, it starts nothing new. What is in flight is waited for, and a resume goes on with all others.

use std::collections::BTreeMap;
use std::iter;
use std::pin::pin;
use std::time::Duration;

use crate::app::connect::App;
use crate::book::StopSignal;
use crate::ledger::{RunId, State};

use super::{CouriersList, Keepers};

/// How often it is looked whether another list came: nothing but names and times of files is looked at.
const EVERY: Duration = Duration::from_millis(100);

/// A run beside the courier's lists.
pub(in crate::app) struct Meanwhile<'a> {
    app: &'a App,
    run: RunId,
    /// What kept orders back when the run was recorded: what it sends all the same was accepted.
    before: Keepers,
    /// Its orders that may be known by other numbers, with these.
    came_as: BTreeMap<String, Vec<String>>,
    /// What ends the run otherwise.
    asked: StopSignal,
    /// The lists that were looked at last.
    mark: Option<u64>,
}

impl<'a> Meanwhile<'a> {
    pub(in crate::app) fn of(
        app: &'a App,
        run: RunId,
        (before, came_as): (Keepers, BTreeMap<String, Vec<String>>),
        asked: StopSignal,
    ) -> Self {
        Self { app, run, before, came_as, asked, mark: None }
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
        let (lists, unread) = self.app.couriers_lists();
        if let Some(keeper) = unread.iter().find(|keeper| !self.before.unread().contains(keeper)) {
            return Some(keeper.because());
        }
        if !lists.is_empty() {
            for number in self.of_run([State::Staged, State::Waiting])? {
                for own in self.numbers(&number) {
                    let before = self.before.all(own, None);
                    let mut all = lists.iter().filter_map(|list| list.keeping(own));
                    if let Some(keeping) = all.find(|keeping| !before.contains(keeping)) {
                        return Some(format!(
                            "{}: {number} is one of those that were still to be sent",
                            keeping.by.because()
                        ));
                    }
                }
            }
            // What is on its way may come back, to be sent once more: it is looked at again then.
            let is_there =
                |number: &String| self.numbers(number).any(|own| lists.iter().any(|list| list.has_order(own)));
            let on_their_way = self.of_run([State::Sending, State::Sending])?;
            if lists.iter().any(CouriersList::has_some_on_their_way) || on_their_way.iter().any(is_there) {
                return None;
            }
        }
        self.mark = Some(mark);
        None
    }

    /// The number of an order, and the others by which it may be known.
    fn numbers<'n>(&'n self, number: &'n String) -> impl Iterator<Item = &'n String> {
        iter::once(number).chain(self.came_as.get(number).into_iter().flatten())
    }

    /// The orders of the run in these states; nothing where the ledger cannot be read now, which is looked up the next time.
    fn of_run(&self, states: [State; 2]) -> Option<Vec<String>> {
        let all = self.app.in_states(states).ok()?;
        Some(all.into_iter().filter(|(_, runs)| runs.contains(&self.run)).map(|(number, _)| number).collect())
    }
}
