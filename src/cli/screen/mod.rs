//! What a terminal shows: the one writer, progress, the summary of a run, and findings by their causes.

mod causes;
mod counter;
mod highlights;
mod progress;
mod summary;
pub(crate) mod terminal;

pub(super) use causes::{Causes, write_causes};
pub(super) use counter::Counter;
pub(super) use highlights::Highlights;
pub(super) use progress::{Progress, ProgressStyle};
pub(super) use summary::{Told, write_summary};
