//! The report of runs in words and pictures: as a page that needs nothing else, as text, and as a workbook.
//!
//! `words` says what stands on it, in order, with `amounts` and `runs`, as a `layout` (`said` has counts and times); `html` (with `charts`), `text` and
//! `workbook` each write any layout. Faces differ only in their [`Advice`].

mod amounts;
mod charts;
mod html;
mod layout;
mod runs;
mod said;
mod text;
mod words;
mod workbook;

use maud::Markup;
use rust_xlsxwriter::XlsxError;

use crate::app::Report;

pub use html::STYLE;
pub use said::moment;
pub use words::{Advice, Foreword, stopped};

/// A whole page in one file: it asks for nothing from anywhere.
#[must_use]
pub fn page(report: &Report, advice: &Advice) -> String {
    html::page(&words::layout(report, advice)).into_string()
}

/// The page of one sheet, with the report of its run where it came to one.
#[must_use]
pub fn page_of_sheet(sheet: &Foreword, report: Option<&Report>, advice: &Advice) -> String {
    html::page(&words::of_sheet(sheet, report, advice)).into_string()
}

/// A report within a page of the desk.
#[must_use]
pub fn part(report: &Report, advice: &Advice) -> Markup {
    html::part(&words::layout(report, advice))
}

/// The report as text.
#[must_use]
pub fn text(report: &Report, advice: &Advice) -> String {
    text::text(&words::layout(report, advice))
}

/// The report as the bytes of a workbook.
///
/// # Errors
/// The workbook cannot be made.
pub fn workbook(report: &Report, advice: &Advice) -> Result<Vec<u8>, XlsxError> {
    workbook::bytes(&words::layout(report, advice))
}
