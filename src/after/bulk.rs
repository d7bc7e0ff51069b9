//! The same call for many: bounded, paced, braked, and interruptible.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;

use crate::api::Pace;
use crate::book::{Stop, StopSignal, StoppedBy};

/// How to go over many.
#[derive(Clone)]
pub(crate) struct Bulk {
    /// Calls in flight at most.
    pub concurrency: usize,
    /// The pace of their requests; their caller has it as well.
    pub pace: Pace,
    /// How a person ends it early: the first time what is in flight is waited for, the second time it is left.
    pub stop: StopSignal,
    /// Hears what a person should know meanwhile.
    pub tell: Arc<dyn Fn(&News<'_>) + Send + Sync>,
}

/// What a person should know while calls are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News<'n> {
    /// Nothing is called for a while.
    Waiting {
        /// Why.
        why: &'n str,
        /// How long.
        time: Duration,
    },
    /// Nothing new is called.
    Stopping {
        /// Calls that are still on their way.
        in_flight: usize,
        /// Whether these are left as well.
        at_once: bool,
    },
}

impl fmt::Debug for Bulk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bulk").field("concurrency", &self.concurrency).finish_non_exhaustive()
    }
}

/// How it ended.
#[derive(Debug)]
pub(crate) struct Done<T> {
    /// In the items' order; none for those that were not reached.
    pub results: Vec<Option<T>>,
    /// Places of those that were on the way when a person left at once: nobody knows what came of them.
    pub left: Vec<usize>,
    /// What ended it, and why; also where nothing was left to reach.
    pub stopped: Option<(StoppedBy, String)>,
}

impl Bulk {
    /// Calls `call` for each item and tells `done` of each end, which says what stops the rest, if anything does.
    pub(crate) async fn run<I, T, F>(
        &self,
        items: &[I],
        call: impl Fn(usize, I) -> F,
        mut done: impl FnMut(usize, &T) -> Option<(StoppedBy, String)>,
    ) -> Done<T>
    where
        I: Clone,
        F: Future<Output = T>,
    {
        let mut results: Vec<Option<T>> = items.iter().map(|_| None).collect();
        let mut waiting = items.iter().cloned().enumerate();
        let mut flying = FuturesUnordered::new();
        let mut stop = self.stop.watch();
        let mut stopped = None;
        let mut begun = 0;
        loop {
            let asked = *stop.borrow_and_update();
            if asked != Stop::No && stopped.is_none() {
                (self.tell)(&News::Stopping { in_flight: flying.len(), at_once: asked == Stop::Cut });
                stopped = Some((StoppedBy::Signal, "interrupted".to_owned()));
                // Whoever only waits for its turn need not wait for it.
                self.pace.stop();
            }
            while stopped.is_none() && flying.len() < self.concurrency.max(1) {
                let Some((place, item)) = waiting.next() else { break };
                let result = call(place, item);
                begun = place + 1;
                flying.push(async move { (place, result.await) });
            }
            if asked == Stop::Cut || flying.is_empty() {
                let left = (0..begun).filter(|place| results[*place].is_none()).collect();
                return Done { results, left, stopped };
            }
            tokio::select! {
                Some((place, result)) = flying.next(), if !flying.is_empty() => {
                    let brake = done(place, &result);
                    results[place] = Some(result);
                    if stopped.is_none() && brake.is_some() {
                        stopped = brake;
                        self.pace.stop();
                    }
                }
                Ok(()) = stop.changed() => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn bulk(concurrency: usize) -> Bulk {
        Bulk { concurrency, pace: Pace::default(), stop: StopSignal::default(), tell: Arc::new(|_| {}) }
    }

    #[tokio::test]
    async fn results_come_in_order_and_within_bounds() {
        let (flying, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let items: Vec<usize> = (0..40).collect();
        let call = |_, item: usize| {
            let (flying, most) = (&flying, &most);
            async move {
                most.fetch_max(flying.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis((item % 3) as u64)).await;
                flying.fetch_sub(1, Ordering::SeqCst);
                item * 2
            }
        };
        let mut told = 0;
        let done = |_, _: &usize| {
            told += 1;
            None
        };
        let ended = bulk(5).run(&items, call, done).await;
        assert_eq!(ended.results, items.iter().map(|item| Some(item * 2)).collect::<Vec<_>>());
        assert_eq!((told, most.load(Ordering::SeqCst), ended.stopped), (40, 5, None));
        assert_eq!(bulk(5).run(&[], call, |_, _| None).await.results, Vec::<Option<usize>>::new());
        assert_eq!(bulk(1).run(&items[..3], call, |_, _| None).await.results, [Some(0), Some(2), Some(4)]);
    }

    #[tokio::test]
    async fn the_first_stop_waits_for_what_is_in_flight_and_the_second_does_not() {
        let bulk = bulk(2);
        let items = [1, 2, 3, 4];
        let stop = bulk.stop.clone();
        let done = |_, _: &i32| {
            stop.drain();
            None
        };
        let ended = bulk.run(&items, |_, item| async move { item }, done).await;
        assert_eq!(ended.results.iter().flatten().count(), 2, "two were in flight");
        assert!(matches!(ended.stopped, Some((StoppedBy::Signal, _))) && bulk.pace.turn().await.is_err());
        let bulk = super::Bulk { stop: StopSignal::default(), ..bulk };
        let stop = bulk.stop.clone();
        let call = |_, item: i32| {
            let stop = stop.clone();
            async move {
                if item == 2 {
                    let _ = (stop.ask(), stop.ask());
                }
                std::future::pending::<()>().await;
            }
        };
        let ended = bulk.run(&items, call, |_, ()| None).await;
        assert_eq!((ended.results.iter().flatten().count(), ended.left), (0, vec![0, 1]));
    }

    #[tokio::test]
    async fn a_brake_starts_nothing_new() {
        let items = [1, 2, 3, 4];
        let brake = |at: i32| move |_, item: &i32| (*item == at).then(|| (StoppedBy::Refusals, "enough".to_owned()));
        let ended = bulk(1).run(&items, |_, item| async move { item }, brake(2)).await;
        assert_eq!(ended.results, [Some(1), Some(2), None, None]);
        assert_eq!(ended.stopped, Some((StoppedBy::Refusals, "enough".to_owned())));
        assert_eq!(bulk(1).run(&items, |_, item| async move { item }, brake(9)).await.stopped, None);
    }
}
