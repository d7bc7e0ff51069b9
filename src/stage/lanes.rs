//! Work on several cores that comes out in the order in which it went in.
//!
//! One thread produces, several work on what it gives in turn, and the calling thread takes what they give, in that same
//! turn. Every channel is bounded, so that a slow end holds up the start and memory does not grow.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Builder, ScopedJoinHandle};

use super::error::StageError;

/// Things that wait in front of each thread.
const WAITING: usize = 2;

/// More lanes than this would only wait for the reader.
const LANES_MAX: usize = 4;

/// Where the producer puts things.
pub(super) struct Outlet<I> {
    lanes: Vec<SyncSender<I>>,
    turn: usize,
}

impl<I> Outlet<I> {
    /// Puts one thing on its way; breaks where nobody takes anything any more.
    pub(super) fn put(&mut self, thing: I) -> ControlFlow<()> {
        let sent = self.lanes[self.turn].send(thing);
        self.turn = (self.turn + 1) % self.lanes.len();
        if sent.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Runs `produce` and what `worker` makes for each lane on threads of their own and `take` on this one, until everything that
/// was produced is taken or `take` fails. Gives what `produce` ended with.
pub(super) fn in_lanes<I: Send, O: Send, T: Send, W: FnMut(I) -> O>(
    produce: impl FnOnce(&mut Outlet<I>) -> T + Send,
    worker: impl Fn() -> W + Sync,
    mut take: impl FnMut(O) -> Result<(), StageError>,
) -> Result<T, StageError> {
    let count = thread::available_parallelism().map_or(1, NonZero::get).min(LANES_MAX);
    thread::scope(|scope| {
        let worker = &worker;
        let mut outlet = Outlet { lanes: Vec::new(), turn: 0 };
        let mut ends = Vec::new();
        for _ in 0..count {
            let (into, from) = sync_channel::<I>(WAITING);
            let (onward, end) = sync_channel::<O>(WAITING);
            let lane = Builder::new().spawn_scoped(scope, move || {
                let mut work = worker();
                for thing in from {
                    // Whoever took the results has left: what comes after is not wanted either.
                    if onward.send(work(thing)).is_err() {
                        break;
                    }
                }
            });
            match lane {
                Ok(thread) => {
                    outlet.lanes.push(into);
                    ends.push((end, thread));
                }
                // One lane does the work of all, later.
                Err(_) if !ends.is_empty() => break,
                Err(error) => return Err(StageError::Threads(error)),
            }
        }
        let producer = Builder::new().spawn_scoped(scope, move || produce(&mut outlet)).map_err(StageError::Threads)?;
        // Things were handed out in turn, so the first lane that is empty for good was the last in turn.
        let mut things = (0..ends.len()).cycle().map_while(|turn| ends[turn].0.recv().ok());
        let taken = things.try_for_each(&mut take);
        drop(things);
        let (closed, workers): (Vec<Receiver<O>>, Vec<_>) = ends.into_iter().unzip();
        drop(closed);
        let made = joined(producer);
        workers.into_iter().for_each(joined);
        taken.map(|()| made)
    })
}

/// What a thread ended with; its panic is ours.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_stops_taking_stops_the_producer() {
        let produce = |outlet: &mut Outlet<u64>| (0..u64::MAX).find(|thing| outlet.put(*thing).is_break());
        let stopped =
            in_lanes(produce, || |thing| thing, |thing| if thing < 100 { Ok(()) } else { Err(StageError::Changed) });
        assert!(matches!(stopped, Err(StageError::Changed)));
    }
}
