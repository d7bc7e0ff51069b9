//! A draft as a sheet again: in the clerk's own layout, with what was typed over it, and with what became of its orders.

use std::collections::HashSet;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::app::error::{Error, Misuse, Result};
use crate::column::RowRef;
use crate::finding::english::message;
use crate::ledger::{Ledger, ProblemRecord, ResultRow, RunId, Said, SheetIdentity, Wanted};
use crate::origin::{Added, guarded, is_added};
use crate::report::{OwnFile, state_word};
use crate::sheet::{Edited, Overlay, Sheet};
use crate::text::count;

use super::checked::Checked;
use super::filter::DraftState;

/// A sheet that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// What it is: `xlsx` or `csv`.
    pub format: &'static str,
    /// What is not as it was, in words.
    pub notes: Vec<String>,
}

/// What stands beside a row of an order.
const RESULT_COLUMNS: [Added; 5] = [Added::Status, Added::Awb, Added::Carrier, Added::Service, Added::Error];

/// Endings that text has, and those of workbooks that are written. The first is that of whatever came under another name: a
/// program opens a file by its ending.
const TEXT_ENDINGS: [&str; 3] = ["csv", "tsv", "txt"];
const WORKBOOK_ENDINGS: [&str; 2] = ["xlsx", "xlsm"];

/// The name of the sheet once it is written, with a word of what it is.
pub(super) fn named(file: &str, word: &str, is_text: bool) -> String {
    let file = file.strip_suffix(".gz").unwrap_or(file);
    let (stem, own) = file.rsplit_once('.').unwrap_or((file, ""));
    let endings: &[&str] = if is_text { &TEXT_ENDINGS } else { &WORKBOOK_ENDINGS };
    let is_kept = endings.iter().any(|ending| own.eq_ignore_ascii_case(ending));
    let ending = if is_kept { own } else { endings[0] };
    format!("{stem} {word}.{ending}")
}

/// Writes a sheet with texts in place of cells; the file is there as a whole or not at all.
pub(super) fn save(sheet: &Sheet, overlay: &Overlay, to: &Path) -> Result<Saved> {
    let cannot = || Error::file(format!("cannot write {}", to.display()));
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = NamedTempFile::with_prefix_in(".saved-", folder).map_err(cannot())?;
    let format = if sheet.delimiter().is_some() { "csv" } else { "xlsx" };
    let Some(Edited { formulas_to_values, in_utf_8 }) = sheet.write_edited(overlay, &mut file)? else {
        return anew(sheet, overlay, to);
    };
    file.as_file().sync_all().map_err(cannot())?;
    file.persist(to).map_err(|error| cannot()(error.error))?;
    let mut notes = Vec::new();
    if formulas_to_values > 0 {
        let formulas = count(formulas_to_values, "formula");
        notes.push(format!("{formulas} hung on a cell that was typed over, and became values"));
    }
    if in_utf_8 {
        notes.push("the file is in UTF-8 now: its own encoding has no letters for what was typed".to_owned());
    }
    Ok(Saved { format, notes })
}

/// Writes the table of a format that is only read as a new workbook.
fn anew(sheet: &Sheet, overlay: &Overlay, to: &Path) -> Result<Saved> {
    let prepared = OwnFile::prepare(to)?;
    if !prepared.is_workbook() {
        return Err(Misuse::Format("this sheet is saved as .xlsx: name a file that ends so".to_owned()).into());
    }
    let mut writer = prepared.begin(b',')?;
    let header_row = sheet.header().row;
    let mut columns = sheet.header().cells.clone();
    lay_over(&mut columns, overlay, header_row);
    let name = sheet.source().worksheet.clone().unwrap_or_default();
    writer.table(&name, &columns)?;
    let mut failure = None;
    sheet.read(&mut |row| {
        let mut cells: Vec<String> = row.cells().map(|cell| cell.text.to_owned()).collect();
        lay_over(&mut cells, overlay, row.number());
        match writer.row(&cells, &[]) {
            Ok(()) => std::ops::ControlFlow::Continue(()),
            Err(error) => {
                failure = Some(error);
                std::ops::ControlFlow::Break(())
            }
        }
    })?;
    if let Some(error) = failure {
        return Err(error.into());
    }
    writer.finish()?;
    let note = "this format is only read: the table was saved as a new .xlsx, with its cells as text";
    Ok(Saved { format: "xlsx", notes: vec![note.to_owned()] })
}

fn lay_over(cells: &mut Vec<String>, overlay: &Overlay, row: u32) {
    for (column, text) in overlay.row(row).into_iter().flatten() {
        let column = *column as usize;
        if cells.len() <= column {
            cells.resize(column + 1, String::new());
        }
        cells[column].clone_from(text);
    }
}

/// Why an order was not sent: by its sheet, or else by the clerk's word.
fn why(row: &ResultRow) -> Option<String> {
    let is_of_sheet = |wrong: &&ProblemRecord| !wrong.is_case("by_clerk") && !wrong.is_case("left_out_by_clerk");
    row.wrong.iter().find(is_of_sheet).or_else(|| row.wrong.first()).map(|wrong| match &wrong.said {
        Said::Data(finding) => message(finding),
        Said::Words { message, .. } => message.clone(),
    })
}

/// What was typed over a sheet, and at its right what became of each order of these runs.
pub(super) fn with_results(
    (number, sheet): (u16, &Sheet),
    checked: &Checked,
    (ledger, runs): (&Ledger, &[i64]),
) -> Result<Overlay> {
    let mut overlay = sheet.overlay().clone();
    let headers = &sheet.header().cells;
    let width = headers.iter().rposition(|header| !is_added(header)).map_or(0, |last| last + 1);
    let first = u32::try_from(width).map_err(|_| Error::Refused("the sheet has too many columns".to_owned()))?;
    // A sheet without a header has no row for those of results either.
    let header = sheet.header().row;
    for (column, added) in (first..).zip(RESULT_COLUMNS).filter(|_| header > 0) {
        overlay.set(header, column, added.header());
    }
    let is_workbook = sheet.delimiter().is_none();
    let identity = sheet
        .first_sha256()
        .ok()
        .map(|sha256| SheetIdentity { sha256, worksheet: sheet.source().worksheet.clone().unwrap_or_default() });
    let mut booked: HashSet<u32> = HashSet::new();
    let mut put = |row: &ResultRow| {
        let Some(number_of_order) = row.order_number.as_deref() else { return };
        let is_booked = row.awb.is_some();
        let is_of_booked = |row: &u32| {
            let entry = checked.at(RowRef { sheet: number, row: *row });
            entry.is_some_and(|entry| entry.state == DraftState::Booked)
        };
        let rows: Vec<u32> = match (checked.entry(number_of_order), &identity) {
            (Some(entry), _) => entry.rows.iter().filter(|at| at.sheet == number).map(|at| at.row).collect(),
            // Whatever number its rows have by now, they were booked.
            (None, Some(identity)) if is_booked => {
                let rows = ledger.rows_of(identity, number_of_order).unwrap_or_default();
                rows.into_iter().filter(|row| !is_of_booked(row)).collect()
            }
            _ => return,
        };
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        let error = row.error.clone().or_else(|| why(row)).unwrap_or_default();
        let told =
            [state_word(&row.standing).to_owned(), text(&row.awb), text(&row.carrier), text(&row.service), error];
        for at in rows {
            if is_booked {
                booked.insert(at);
            } else if booked.contains(&at) {
                continue;
            }
            for (column, told) in (first..).zip(&told) {
                overlay.set(at, column, guarded(told, is_workbook));
            }
        }
    };
    for run in runs {
        let wanted = Wanted { run: Some(RunId::from_number(*run)), ..Wanted::default() };
        ledger.for_each_result(&wanted, &mut put)?;
    }
    Ok(overlay)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sheet_is_decides_how_its_saved_file_ends() {
        for (file, text, workbook) in [
            ("orders.csv", "orders with AWBs.csv", "orders with AWBs.xlsx"),
            ("orders.TXT", "orders with AWBs.TXT", "orders with AWBs.xlsx"),
            ("orders.tsv.gz", "orders with AWBs.tsv", "orders with AWBs.xlsx"),
            ("orders.xls", "orders with AWBs.csv", "orders with AWBs.xlsx"),
            ("orders.xlsm", "orders with AWBs.csv", "orders with AWBs.xlsm"),
            ("orders.html", "orders with AWBs.csv", "orders with AWBs.xlsx"),
            ("orders", "orders with AWBs.csv", "orders with AWBs.xlsx"),
        ] {
            assert_eq!(named(file, "with AWBs", true), text);
            assert_eq!(named(file, "with AWBs", false), workbook);
        }
    }
}
