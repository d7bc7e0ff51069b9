//! Stopping: the first request starts nothing new, the second leaves at once.

use std::sync::{Arc, OnceLock};

use tokio::sync::watch;

/// How urgently the run should end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Stop {
    /// Go on.
    #[default]
    No,
    /// Start nothing new and wait for what is in flight.
    Drain,
    /// Leave at once; what is in flight is in doubt.
    Cut,
}

/// Tells a run to stop; cloned into whatever listens for signals.
#[derive(Debug, Clone)]
pub struct StopSignal {
    sender: watch::Sender<Stop>,
    /// Why, where it was not a person who asked.
    why: Arc<OnceLock<String>>,
}

impl Default for StopSignal {
    fn default() -> Self {
        Self { sender: watch::Sender::new(Stop::No), why: Arc::default() }
    }
}

impl StopSignal {
    /// Asks once more: first to drain, then to cut. Gives what is asked for now.
    #[must_use]
    pub fn ask(&self) -> Stop {
        let mut now = Stop::Drain;
        self.sender.send_modify(|stop| {
            *stop = if *stop == Stop::No { Stop::Drain } else { Stop::Cut };
            now = *stop;
        });
        now
    }

    /// Asks to drain, and no more than that.
    pub fn drain(&self) {
        self.sender.send_if_modified(|stop| {
            let first = *stop == Stop::No;
            if first {
                *stop = Stop::Drain;
            }
            first
        });
    }

    /// Asks to drain for a reason that nobody has asked for.
    pub fn drain_because(&self, why: String) {
        if self.now() == Stop::No {
            let _ = self.why.set(why);
        }
        self.drain();
    }

    /// Why it was asked, where it was not a person.
    #[must_use]
    pub fn why(&self) -> Option<&str> {
        self.why.get().map(String::as_str)
    }

    /// Asks for what was asked of another one, and for nothing less than before.
    pub fn follow(&self, asked: Stop) {
        self.sender.send_if_modified(|stop| {
            let is_more = asked > *stop;
            *stop = asked.max(*stop);
            is_more
        });
    }

    /// What is asked for now.
    #[must_use]
    pub fn now(&self) -> Stop {
        *self.sender.borrow()
    }

    /// Follows what is asked for.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Stop> {
        self.sender.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_requests_cut() {
        let signal = StopSignal::default();
        assert_eq!(signal.now(), Stop::No);
        signal.drain();
        signal.drain();
        assert_eq!(signal.now(), Stop::Drain);
        assert_eq!(signal.ask(), Stop::Cut);
        let follower = StopSignal::default();
        follower.drain_because("a list came".to_owned());
        follower.follow(Stop::No);
        assert_eq!((follower.now(), follower.why()), (Stop::Drain, Some("a list came")));
        follower.follow(signal.now());
        assert_eq!(follower.now(), Stop::Cut);
    }
}
