//! The report of runs in words and pictures: as a page that needs nothing else, as text, and as a workbook.
//!
//! `words` says what stands on it, in order, with `amounts` and `runs`, as a `layout`; `html` (with `charts`), `markdown` and
//! `workbook` each write any layout. Faces differ only in their [`Advice`].

mod amounts;
mod charts;
mod html;
mod layout;
mod markdown;
mod runs;
mod words;
mod workbook;

use maud::Markup;
use rust_xlsxwriter::XlsxError;

use crate::app::Report;

/// What to do about what is open, in the words of a face.
#[derive(Debug, Clone)]
pub struct Advice {
    /// About orders in doubt.
    pub in_doubt: String,
    /// About orders that failed.
    pub failed: String,
    /// About orders that were not sent yet.
    pub outstanding: String,
}

/// The styles of pictures and of paper, beside those of the desk's pages.
pub const STYLE: &str = include_str!("report.css");

/// A whole page in one file: it asks for nothing from anywhere.
#[must_use]
pub fn page(report: &Report, advice: &Advice) -> String {
    html::page(&words::layout(report, advice)).into_string()
}

/// The same within a page of the desk.
#[must_use]
pub fn part(report: &Report, advice: &Advice) -> Markup {
    html::part(&words::layout(report, advice))
}

/// The report as Markdown.
#[must_use]
pub fn markdown(report: &Report, advice: &Advice) -> String {
    markdown::text(&words::layout(report, advice))
}

/// The report as the bytes of a workbook.
///
/// # Errors
/// The workbook cannot be made.
pub fn workbook(report: &Report, advice: &Advice) -> Result<Vec<u8>, XlsxError> {
    workbook::bytes(&words::layout(report, advice))
}
