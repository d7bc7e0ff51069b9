//! What people and scripts read: progress while a run goes on, the summary and its problems after it, and result files.

mod counter;
mod document;
mod highlights;
mod own_sheet;
mod part_file;
mod problems;
mod progress;
mod rejects;
mod results;
mod summary;
pub mod terminal;

pub use counter::Counter;
pub use document::{Document, Orders, ProblemEntry, RowCounts, SheetEntry};
pub use highlights::Highlights;
pub use own_sheet::{OwnFile, OwnWriter};
pub use problems::{Causes, write_causes};
pub use progress::{Progress, ProgressStyle};
pub use rejects::{Complaint, Rejection, quoted_cells};
pub use results::{ResultFile, ResultFormat, ResultsError};
pub use summary::{Told, write_summary};
