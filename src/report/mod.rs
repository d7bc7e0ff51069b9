//! Files of results, and the document of a run: what people and scripts read after it.

mod document;
mod own_sheet;
mod part_file;
mod rejects;
mod results;

pub use document::{Document, Orders, PlanEntry, ProblemEntry, QuestionEntry, RowCounts, SheetEntry, ValueEntry};
pub use own_sheet::{OwnFile, OwnWriter};
pub use part_file::write_whole;
pub use rejects::{Complaint, Rejection, quoted_cells};
pub use results::{ResultFile, ResultFormat, ResultsError, sheet_text, state_word, stream_results};
