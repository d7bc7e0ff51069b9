//! When requests may leave: no faster than a rate, and none while the service asks for a pause.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

/// What is told of a pause: why, and for how long.
type Told = dyn Fn(&str, Duration) + Send + Sync;

/// A rate and the pauses that the service asks for; clones share them.
#[derive(Clone)]
pub struct Pace {
    interval: Duration,
    turns: Arc<Mutex<Turns>>,
    told: Option<Arc<Told>>,
    stopped: Arc<watch::Sender<bool>>,
}

#[derive(Debug)]
struct Turns {
    /// When the next request may leave.
    next: Instant,
    /// Nothing leaves before.
    paused_until: Instant,
}

/// Whoever waited need wait no longer: nothing is to be sent any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Debug for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pace").field("interval", &self.interval).finish_non_exhaustive()
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Pace {
    /// At most so many requests a second, evenly; without a rate as many as there are.
    #[must_use]
    pub fn new(per_second: Option<f64>) -> Self {
        let interval = per_second.filter(|rate| *rate > 0.0 && rate.is_finite());
        let now = Instant::now();
        Self {
            interval: interval.map_or(Duration::ZERO, |rate| Duration::from_secs_f64(1.0 / rate)),
            turns: Arc::new(Mutex::new(Turns { next: now, paused_until: now })),
            told: None,
            stopped: Arc::new(watch::Sender::new(false)),
        }
    }

    /// The same, which says when a pause begins: why, and for how long.
    #[must_use]
    pub fn telling(self, told: impl Fn(&str, Duration) + Send + Sync + 'static) -> Self {
        Self { told: Some(Arc::new(told)), ..self }
    }

    /// Waits until a request may leave.
    pub async fn turn(&self) -> Result<(), Stopped> {
        loop {
            let at = {
                let mut turns = self.lock();
                let at = turns.next.max(turns.paused_until).max(Instant::now());
                turns.next = at + self.interval;
                at
            };
            self.until(at).await?;
            // A pause that began meanwhile: whoever waited takes a new turn behind it, so that none leave together.
            if self.lock().paused_until <= at {
                return Ok(());
            }
        }
    }

    /// Lets nothing leave for a while.
    pub fn pause(&self, why: &str, time: Duration) {
        let until = Instant::now() + time;
        let mut turns = self.lock();
        // Requests that left together come back together, each with the same word.
        let is_news = until > turns.paused_until + Duration::from_secs(1);
        turns.paused_until = turns.paused_until.max(until);
        drop(turns);
        if let Some(told) = self.told.as_ref().filter(|_| is_news) {
            told(why, time);
        }
    }

    /// Waits before a try is repeated.
    pub async fn wait(&self, time: Duration) -> Result<(), Stopped> {
        self.until(Instant::now() + time).await
    }

    /// Ends all waiting: from now on no request gets its turn.
    pub fn stop(&self) {
        self.stopped.send_replace(true);
    }

    /// Fails where everything is called off.
    pub fn check(&self) -> Result<(), Stopped> {
        if *self.stopped.borrow() { Err(Stopped) } else { Ok(()) }
    }

    async fn until(&self, at: Instant) -> Result<(), Stopped> {
        let mut stopped = self.stopped.subscribe();
        if *stopped.borrow_and_update() {
            return Err(Stopped);
        }
        tokio::select! {
            () = tokio::time::sleep_until(at) => Ok(()),
            _ = stopped.wait_for(|stopped| *stopped) => Err(Stopped),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn turns_come_evenly_and_pauses_hold_for_all() {
        let told = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&told);
        let pace = Pace::new(Some(200.0)).telling(move |_, _| {
            counter.fetch_add(1, Ordering::SeqCst);
        });
        let started = Instant::now();
        for _ in 0..11 {
            pace.turn().await.unwrap();
        }
        assert!(started.elapsed() >= Duration::from_millis(50), "ten intervals: {:?}", started.elapsed());
        let other = pace.clone();
        pace.pause("429", Duration::from_millis(1500));
        other.pause("429", Duration::from_millis(1500));
        assert_eq!(told.load(Ordering::SeqCst), 1, "one pause is told once");
        let begun = Instant::now();
        other.turn().await.unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(1400));
    }

    #[tokio::test]
    async fn after_a_pause_the_pace_is_what_it_was() {
        let pace = Pace::new(Some(50.0));
        pace.turn().await.unwrap();
        let waiting = futures::future::join_all((0..10).map(|_| pace.turn()));
        let begun = Instant::now();
        let (left, ()) = tokio::join!(waiting, async { pace.pause("429", Duration::from_millis(300)) });
        assert!(left.iter().all(Result::is_ok));
        assert!(begun.elapsed() >= Duration::from_millis(300 + 9 * 20), "together: {:?}", begun.elapsed());
    }

    #[tokio::test]
    async fn whoever_waits_is_let_go_by_a_stop() {
        let pace = Pace::new(None);
        pace.turn().await.unwrap();
        pace.pause("429", Duration::from_hours(1));
        let waiting = pace.clone();
        let (waited, ()) = tokio::join!(async move { waiting.turn().await }, async { pace.stop() });
        assert_eq!(waited, Err(Stopped));
        assert_eq!(pace.wait(Duration::ZERO).await, Err(Stopped), "nothing leaves after it");
    }
}
