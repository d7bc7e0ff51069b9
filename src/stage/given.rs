//! The files that were given: each opened once, and those left aside that cannot be read.

use std::path::{Path, PathBuf};

use crate::event::{Event, Events};
use crate::finding::Finding;
use crate::finding::english::plain_words;
use crate::finding::sheet::{sheet_twice, unreadable_sheet};
use crate::origin::{Place, Source, is_added};
use crate::sheet::{Options, Sheet, SheetError};

use super::opened::{LeftAside, OpenOptions};

/// Worksheets of one workbook that are read as sheets of their own.
const WORKSHEETS_TOGETHER_MAX: usize = 64;

/// What came of the files.
pub(super) struct Given<'o> {
    /// Each sheet once, with the path that it was given by.
    pub(super) sheets: Vec<(Sheet, &'o Path)>,
    /// What is said of sheets that were given twice.
    pub(super) twice: Vec<Finding>,
    /// Files that cannot be read.
    pub(super) aside: Vec<LeftAside>,
}

/// Opens every file. Where some cannot be read, the others go on without them; where none can, the first says why.
pub(super) fn given<'o>(options: &'o OpenOptions, events: &mut Events<'_>) -> Result<Given<'o>, SheetError> {
    let among_several = options.paths.len() > 1;
    let mut given = Given { sheets: Vec::new(), twice: Vec::new(), aside: Vec::new() };
    let mut first_failure = None;
    for path in &options.paths {
        let shown_name = told_apart(path, &options.paths);
        let read = Options { shown_name, among_several, ..options.sheet.clone() };
        match worksheets(path, &read) {
            Ok(sheets) => {
                for sheet in sheets {
                    match given_before(&given.sheets, &sheet, path)? {
                        Some(twice) => given.twice.push(twice),
                        None => given.sheets.push((sheet, path)),
                    }
                }
            }
            // A label that is no encoding is wrong for all of them.
            Err(error @ SheetError::UnknownEncoding { .. }) => return Err(error),
            Err(error) => {
                given.aside.push(unreadable(path, &read, &error));
                first_failure.get_or_insert(error);
            }
        }
        events.tell(&Event::Opened { sheets: given.sheets.len() as u64 });
    }
    match first_failure {
        Some(error) if given.sheets.is_empty() => Err(error),
        _ => Ok(given),
    }
}

/// The sheets of a file: a workbook of rows that this program has handed back, each worksheet with those of another sheet,
/// is all of them.
fn worksheets(path: &Path, read: &Options) -> Result<Vec<Sheet>, SheetError> {
    let (file, names, each) = match Sheet::open(path, read) {
        Err(SheetError::SeveralWorksheets { file, names, each }) => (file, names, each),
        opened => return opened.map(|sheet| vec![sheet]),
    };
    let mut found = Vec::new();
    for name in each.iter().take(WORKSHEETS_TOGETHER_MAX + 1) {
        let (worksheet, besides) = (Some(name.clone()), each.clone());
        let sheet = Sheet::open(path, &Options { worksheet, besides, ..read.clone() })?;
        // Each takes the workbook apart again: the first that is not ours ends it.
        let is_ours = sheet.header().cells.iter().any(|header| is_added(header));
        if found.len() == WORKSHEETS_TOGETHER_MAX || !is_ours {
            return Err(SheetError::SeveralWorksheets { file, names, each });
        }
        found.push(sheet);
    }
    Ok(found)
}

fn unreadable(path: &Path, read: &Options, error: &SheetError) -> LeftAside {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default();
    let name = read.shown_name.clone().unwrap_or_else(|| {
        path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
    });
    let problem = unreadable_sheet::left_aside(format!("{error}{cause}"), error.hint(&*plain_words()));
    LeftAside { path: path.to_owned(), problems: vec![problem.at(Place::row(&Source::text(name), 1))] }
}

/// As much of a path as tells the file apart from another of the same name; nothing where the name alone does.
fn told_apart(path: &Path, paths: &[PathBuf]) -> Option<String> {
    let tail = |path: &Path, parts: usize| -> PathBuf {
        let all: Vec<_> = path.components().collect();
        all[all.len().saturating_sub(parts)..].iter().collect()
    };
    let others: Vec<&PathBuf> =
        paths.iter().filter(|other| *other != path && other.file_name() == path.file_name()).collect();
    if others.is_empty() {
        return None;
    }
    let parts = path.components().count();
    let enough = (2..parts).find(|parts| others.iter().all(|other| tail(other, *parts) != tail(path, *parts)));
    Some(tail(path, enough.unwrap_or(parts)).display().to_string())
}

/// What is said of a sheet that was given before, under whatever name: it is read once, or its lines would be doubled.
fn given_before(before: &[(Sheet, &Path)], sheet: &Sheet, path: &Path) -> Result<Option<Finding>, SheetError> {
    let of_name = |other: &&(Sheet, &Path)| other.0.source().worksheet == sheet.source().worksheet;
    for (other, other_path) in before.iter().filter(of_name) {
        if other.has_bytes_of(sheet)? {
            let name = sheet.source().to_string();
            let twice = if *other_path == path {
                sheet_twice::named_twice(name)
            } else {
                sheet_twice::same_as(name, other.source().to_string())
            };
            return Ok(Some(twice.at(Place::row(sheet.source(), sheet.header().row))));
        }
    }
    Ok(None)
}
