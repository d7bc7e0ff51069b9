//! Files of results, and the document of a run: what people and scripts read after it.

mod document;
mod own_sheet;
mod part_file;
mod rejects;
mod results;

pub(crate) use document::{
    Document, Orders, PlanEntry, ProblemEntry, QuestionEntry, RowCounts, SheetEntry, ValueEntry,
};
pub(crate) use own_sheet::{OwnFile, OwnWriter};
pub(crate) use part_file::write_whole;
pub(crate) use rejects::{Complaint, Rejection, quoted_cells};
pub(crate) use results::{ResultFile, ResultsError, sheet_text, state_word, stream_results};
