//! What all calls over many have in common: pace, progress, and how a person ends them.
//!
//! Such calls belong to no run and have no totals, so they report by [`Steps`] and not in the stream of events.

use std::io;
use std::sync::Arc;

use crate::after::bulk::{Bulk, News};
use crate::book::StopSignal;
use crate::config;

use super::error::{Error, Result};

/// What is known before anything is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoutesFound {
    /// Pairs of PIN codes.
    pub pairs: usize,
    /// Those whose answer is known since less than a day.
    pub known: usize,
}

/// Hears how far a call over many is.
pub trait Steps {
    /// What is known of a sheet's routes before anything is asked for. A face that has a question of its own asks it here,
    /// such as whether the token may go to a [new host](super::App::new_host).
    ///
    /// # Errors
    /// The answer was no: nothing is asked for.
    fn routes(&mut self, _: RoutesFound) -> Result<()> {
        Ok(())
    }
    /// So many calls begin.
    fn begin(&mut self, total: usize);
    /// The first call is made next. Until now nothing was sent, so that a face may simply end; from now on only the stop
    /// signal ends the calls well, and a face begins to turn signals into it here.
    ///
    /// # Errors
    /// Nobody could stop the calls: none is made.
    fn first_call(&mut self) -> io::Result<()> {
        Ok(())
    }
    /// One more is done.
    fn step(&mut self);
    /// All are done, or none is made any more.
    fn finish(&mut self);
    /// What hears what is waited for meanwhile, on whatever thread.
    fn news(&self) -> Arc<dyn Fn(&News<'_>) + Send + Sync>;
}

impl<S: Steps + ?Sized> Steps for &mut S {
    fn routes(&mut self, found: RoutesFound) -> Result<()> {
        (**self).routes(found)
    }

    fn begin(&mut self, total: usize) {
        (**self).begin(total);
    }

    fn first_call(&mut self) -> io::Result<()> {
        (**self).first_call()
    }

    fn step(&mut self) {
        (**self).step();
    }

    fn finish(&mut self) {
        (**self).finish();
    }

    fn news(&self) -> Arc<dyn Fn(&News<'_>) + Send + Sync> {
        (**self).news()
    }
}

/// Hears nothing.
#[derive(Debug, Default, Clone, Copy)]
pub struct NoSteps;

impl Steps for NoSteps {
    fn begin(&mut self, _: usize) {}

    fn step(&mut self) {}

    fn finish(&mut self) {}

    fn news(&self) -> Arc<dyn Fn(&News<'_>) + Send + Sync> {
        Arc::new(|_| {})
    }
}

/// How to go over many, telling what is waited for. Whatever can fail or take its time before the first call is done by
/// now.
///
/// # Errors
/// The face cannot stop the calls.
pub(super) fn bulk(pace: config::Pace, stop: StopSignal, steps: &mut dyn Steps) -> Result<Bulk> {
    steps.first_call().map_err(Error::Unstoppable)?;
    let news = steps.news();
    let told = Arc::clone(&news);
    let waits = crate::api::Pace::new(pace.rate).telling(move |why, time| told(&News::Waiting { why, time }));
    Ok(Bulk { concurrency: pace.concurrency, pace: waits, stop, tell: news })
}
