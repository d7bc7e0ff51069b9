//! What to open, and the sheets of a run with their columns.

use std::path::PathBuf;

use crate::check::Rules;
use crate::column::decide::LazySample;
use crate::column::{Candidate, Columns, Sheets};
use crate::field::{Field, Id};
use crate::finding::Finding;
use crate::profile::Profile;
use crate::sheet::{Options, Sheet};

/// What to open and how.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// The files, in the order in which they were named; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// How to read them.
    pub sheet: Options,
    /// Which column feeds which field, where a person named a profile.
    pub profile: Option<Profile>,
    /// Profiles that the user saved; a sheet is recognised by its headers.
    pub saved: Vec<Profile>,
    /// What is needed, and what stands in where a sheet has no column.
    pub rules: Rules,
}

/// A sheet of a run.
#[derive(Debug)]
pub struct Planned {
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
    pub sheets: Vec<Planned>,
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
    /// Whether a sheet says what is to be collected or paid already: then one payment for all orders would be wrong.
    #[must_use]
    pub fn speaks_of_payment(&self) -> bool {
        self.columns.iter().any(Columns::speaks_of_payment)
    }

    /// The column that may hold what all pieces of a row come to, where the price of one piece is asked for.
    #[must_use]
    pub fn possible_line_total(&self) -> Option<&str> {
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
