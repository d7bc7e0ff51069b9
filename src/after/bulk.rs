//! The same call for many shipments: bounded, paced, and interruptible.

use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::stream::FuturesUnordered;

use crate::book::{Pacer, Stop, StopSignal};

/// How to go over many.
#[derive(Debug, Clone)]
pub struct Bulk {
    /// Calls in flight at most.
    pub concurrency: usize,
    /// Calls a second at most.
    pub rate: Option<f64>,
    /// How a person ends it early: the first time what is in flight is waited for, the second time it is left.
    pub stop: StopSignal,
}

impl Bulk {
    /// Calls `call` for each item and tells `done` of each end. Gives the results in the items' order; none for those
    /// that were not reached.
    pub async fn run<I, T, F>(
        &self,
        items: &[I],
        call: impl Fn(usize, I) -> F,
        mut done: impl FnMut(usize, &T),
    ) -> Vec<Option<T>>
    where
        I: Clone,
        F: Future<Output = T>,
    {
        let mut results: Vec<Option<T>> = items.iter().map(|_| None).collect();
        let mut waiting = items.iter().cloned().enumerate();
        let mut flying = FuturesUnordered::new();
        let mut pacer = Pacer::new(self.rate);
        let mut stop = self.stop.watch();
        let started = Instant::now();
        let mut paced_until = Duration::ZERO;
        let mut all_started = items.is_empty();
        loop {
            let asked = *stop.borrow_and_update();
            while asked == Stop::No && !all_started && flying.len() < self.concurrency.max(1) {
                if let Err(next) = pacer.take(started.elapsed()) {
                    paced_until = next;
                    break;
                }
                let Some((place, item)) = waiting.next() else {
                    all_started = true;
                    break;
                };
                let result = call(place, item);
                flying.push(async move { (place, result.await) });
            }
            // Only now it is known whether anything was left to start.
            if asked == Stop::Cut || (flying.is_empty() && (all_started || asked != Stop::No)) {
                return results;
            }
            let may_start = asked == Stop::No && !all_started && flying.len() < self.concurrency.max(1);
            tokio::select! {
                Some((place, result)) = flying.next(), if !flying.is_empty() => {
                    done(place, &result);
                    results[place] = Some(result);
                }
                Ok(()) = stop.changed() => {}
                () = tokio::time::sleep_until((started + paced_until).into()), if may_start => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn bulk(concurrency: usize) -> Bulk {
        Bulk { concurrency, rate: None, stop: StopSignal::default() }
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
        let results = bulk(5).run(&items, call, |_, _| told += 1).await;
        assert_eq!(results, items.iter().map(|item| Some(item * 2)).collect::<Vec<_>>());
        assert_eq!((told, most.load(Ordering::SeqCst)), (40, 5));
        assert_eq!(bulk(5).run(&[], call, |_, _| {}).await, Vec::<Option<usize>>::new());
        // One at a time, and at a pace that leaves nothing in flight in between.
        for alone in [bulk(1), Bulk { rate: Some(500.0), ..bulk(2) }] {
            assert_eq!(alone.run(&items[..3], call, |_, _| {}).await, [Some(0), Some(2), Some(4)]);
        }
    }

    #[tokio::test]
    async fn the_first_stop_waits_for_what_is_in_flight_and_the_second_does_not() {
        let bulk = bulk(2);
        let items = [1, 2, 3, 4];
        let stop = bulk.stop.clone();
        let results = bulk.run(&items, |_, item| async move { item }, |_, _| stop.drain()).await;
        let reached = results.iter().flatten().count();
        assert_eq!(reached, 2, "two were in flight");
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
        assert_eq!(bulk.run(&items, call, |_, ()| {}).await.iter().flatten().count(), 0);
    }
}
