//! What people and scripts read: progress while a run goes on, the summary and its problems after it, and result files.

mod document;
mod highlights;
mod problems;
mod progress;
mod results;
mod summary;

pub use document::{Document, Orders, ProblemEntry, RowCounts, SheetEntry};
pub use highlights::Highlights;
pub use problems::{Causes, write_causes};
pub use progress::{Progress, ProgressStyle};
pub use results::{ResultFile, ResultFormat, ResultsError};
pub use summary::{Told, write_summary};
