//! Stopping: the first request starts nothing new, the second leaves at once.

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
}

impl Default for StopSignal {
    fn default() -> Self {
        Self { sender: watch::Sender::new(Stop::No) }
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
    }
}
