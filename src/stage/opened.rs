//! What to open, the files that were given, each opened once, and the sheets of a run with their columns.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::column::decide::LazySample;
use crate::column::{Candidate, Columns, Sheets};
use crate::event::{Event, Events};
use crate::field::{Field, Id};
use crate::finding::Finding;
use crate::finding::english::plain_words;
use crate::finding::sheet::{sheet_twice, unreadable_sheet};
use crate::origin::{Place, Source, is_added};
use crate::parse::ReadingSettings;
use crate::profile::Profile;
use crate::sheet::{Options, Sheet, SheetError};

/// What to open and how.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// The files, in the order in which they were named; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// How to read them.
    pub sheet: Options,
    /// Which column feeds which field, where a person named a profile.
    pub profile: Option<Profile>,
    /// The same of single sheets, by their places among all, as answers have it.
    pub answered: BTreeMap<usize, Profile>,
    /// Profiles that the user saved; a sheet is recognised by its headers.
    pub saved: Vec<Profile>,
    /// What is needed, and what stands in where a sheet has no column.
    pub rules: ReadingSettings,
}

/// A sheet of a run.
#[derive(Debug)]
pub struct OpenedSheet {
    /// The file that it was given by.
    pub path: PathBuf,
    /// The sheet.
    pub sheet: Sheet,
    /// What its first rows hold.
    pub sample: LazySample,
}

/// A file that cannot be used, beside others that can.
#[derive(Debug, Clone)]
pub struct LeftAside {
    /// The file.
    pub path: PathBuf,
    /// Why, and what to do.
    pub problems: Vec<Finding>,
}

/// The sheets of a run.
#[derive(Debug, Default)]
pub struct Opened {
    /// In the order in which they were named.
    pub sheets: Vec<OpenedSheet>,
    /// Their columns, as grouping needs them.
    pub columns: Sheets,
    /// What is to be said of them as a whole.
    pub problems: Vec<Finding>,
    /// Needed fields that nothing in them holds, where that is all that is wrong.
    pub missing: Vec<&'static Field>,
    /// Files that cannot be used: the others go without them.
    pub aside: Vec<LeftAside>,
}

impl Opened {
    /// The column that may hold what all pieces of a row come to, where the price of one piece is asked for.
    pub(crate) fn possible_line_total(&self) -> Option<&str> {
        self.columns.iter().find_map(Columns::possible_line_total)
    }

    /// The column that is likeliest to hold a field that nothing feeds.
    #[must_use]
    pub fn likely(&self, id: Id) -> Option<&Candidate> {
        self.columns.iter().find_map(|columns| columns.likely.iter().find(|own| own.field.id == id))
    }

    /// Whether the sheets cannot be used as they are.
    #[must_use]
    pub fn is_unusable(&self) -> bool {
        self.problems.iter().any(Finding::holds)
    }
}

/// Worksheets of one workbook that are read as sheets of their own.
const WORKSHEETS_TOGETHER_MAX: usize = 64;

/// Opens every file: gives each sheet once, with the path that it was given by. Where some cannot be read, the others go on
/// without them; where none can, the first says why.
pub(super) fn given<'o>(
    options: &'o OpenOptions,
    opened: &mut Opened,
    events: &mut Events<'_>,
) -> Result<Vec<(Sheet, &'o Path)>, SheetError> {
    let among_several = options.paths.len() > 1;
    let mut given = Vec::new();
    let mut first_failure = None;
    let levels = options.rules.levels.levels(None);
    for path in &options.paths {
        // A file of whose name there is another one is shown by its path.
        let is_alike = |other: &PathBuf| other != path && other.file_name() == path.file_name();
        let shown_name = options.paths.iter().any(is_alike).then(|| path.display().to_string());
        let read = Options { shown_name, among_several, ..options.sheet.clone() };
        match worksheets(path, &read) {
            Ok(sheets) => {
                for sheet in sheets {
                    match given_before(&given, &sheet, path)? {
                        Some(twice) => opened.problems.extend(levels.apply(twice, |_| None)),
                        None => given.push((sheet, path.as_path())),
                    }
                }
            }
            // A label that is no encoding is wrong for all of them.
            Err(error @ SheetError::UnknownEncoding { .. }) => return Err(error),
            Err(error) => {
                opened.aside.push(unreadable(path, &read, &error));
                first_failure.get_or_insert(error);
            }
        }
        events.tell(&Event::Opened { sheets: given.len() as u64 });
    }
    match first_failure {
        Some(error) if given.is_empty() => Err(error),
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
