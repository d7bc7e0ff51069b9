//! A share that answers no more: whoever asks it waits for as long as that lasts, so a thread that may be lost asks first.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// How long the wish to stop may go unseen.
const BLINK: Duration = Duration::from_millis(100);

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answered {
    /// There was an answer, whatever it was.
    Yes,
    /// There was none in all that time.
    No,
    /// Nobody waits any more.
    Given,
}

/// Asks, and waits no longer than is said. One question is out at a time, for nobody can end a thread that waits for a share.
#[derive(Debug, Default)]
pub(super) struct Probe {
    out: Option<Receiver<()>>,
}

impl Probe {
    /// Whether a question is answered in time; one that is out already is waited for instead.
    pub(super) fn answered(
        &mut self,
        question: impl FnOnce() + Send + 'static,
        patience: Duration,
        is_over: impl Fn() -> bool,
    ) -> Answered {
        let out = self.out.take().or_else(|| {
            let (tell, out) = channel();
            let asked = Builder::new().name("folder".to_owned()).spawn(move || {
                question();
                let _ = tell.send(());
            });
            asked.is_ok().then_some(out)
        });
        // Without threads there is nothing to ask by.
        let Some(out) = out else { return Answered::Yes };
        let until = Instant::now() + patience;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match out.recv_timeout(left.min(BLINK)) {
                Err(RecvTimeoutError::Timeout) if is_over() => {
                    self.out = Some(out);
                    return Answered::Given;
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    self.out = Some(out);
                    return Answered::No;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return Answered::Yes,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, mpsc};

    use super::*;

    #[test]
    fn who_does_not_answer_is_not_asked_again_until_there_is_an_answer() {
        let (answer, answers) = mpsc::channel::<()>();
        let asked = Arc::new(AtomicUsize::new(0));
        let mut probe = Probe::default();
        let seen = Arc::clone(&asked);
        let stalled = move || {
            seen.fetch_add(1, Ordering::SeqCst);
            let _ = answers.recv();
        };
        assert_eq!(probe.answered(stalled, Duration::ZERO, || false), Answered::No);
        let seen = Arc::clone(&asked);
        let again = move || {
            seen.fetch_add(1, Ordering::SeqCst);
        };
        assert_eq!(probe.answered(again, Duration::ZERO, || false), Answered::No);
        assert_eq!(probe.answered(|| (), Duration::from_hours(1), || true), Answered::Given);
        answer.send(()).unwrap();
        assert_eq!(probe.answered(|| (), Duration::from_hours(1), || false), Answered::Yes);
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        assert_eq!(probe.answered(|| (), Duration::from_hours(1), || false), Answered::Yes);
    }
}
