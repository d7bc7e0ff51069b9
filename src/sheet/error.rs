//! Why a sheet cannot be read at all, and what to do about it.

use std::io;

use crate::finding::{Command, Remedy};

/// A sheet that cannot be read, or not be trusted. Names the file as the person knows it.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// The operating system refused.
    #[error("cannot read {file}")]
    Io {
        /// The file's name.
        file: String,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// Nothing is in it.
    #[error("{file} has no rows")]
    Empty {
        /// The file's name.
        file: String,
    },
    /// It is something else than a sheet.
    #[error("{file} is {what}, not a sheet")]
    NotASheet {
        /// The file's name.
        file: String,
        /// What it seems to be, with its article.
        what: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// Neither a file nor something that hands its bytes over.
    #[error("{file} is {what}, not a sheet")]
    NotAFile {
        /// The file's name.
        file: String,
        /// What it is, with its article.
        what: String,
    },
    /// A workbook that asks for a password.
    #[error("{file} is password-protected")]
    PasswordProtected {
        /// The file's name.
        file: String,
    },
    /// It breaks off, or contradicts itself.
    #[error("{file} is damaged: {reason}")]
    Damaged {
        /// The file's name.
        file: String,
        /// Where reading failed.
        reason: String,
    },
    /// It is built to do harm, or looks so.
    #[error("{file} is refused: {reason}")]
    Refused {
        /// The file's name.
        file: String,
        /// What was found.
        reason: String,
    },
    /// More than the limits allow.
    #[error("{file} is too large: {what}")]
    TooLarge {
        /// The file's name.
        file: String,
        /// What is too large, and the limit.
        what: String,
    },
    /// The worksheet that was asked for is not there.
    #[error("{file} has no worksheet \"{name}\"; it has {available}")]
    NoSuchWorksheet {
        /// The file's name.
        file: String,
        /// What was asked for.
        name: String,
        /// The names that exist.
        available: String,
    },
    /// No worksheet can be chosen.
    #[error("{file} has no visible worksheet with rows{hidden}")]
    NoWorksheet {
        /// The file's name.
        file: String,
        /// Hidden worksheets that were passed over, as the end of the sentence.
        hidden: String,
    },
    /// More than one worksheet may be meant.
    #[error("{file} has several worksheets with rows: {names}")]
    SeveralWorksheets {
        /// The file's name.
        file: String,
        /// The candidates.
        names: String,
        /// Each of them.
        each: Vec<String>,
    },
    /// A label that names no encoding.
    #[error("no encoding is called \"{label}\"")]
    UnknownEncoding {
        /// What was asked for.
        label: String,
    },
    /// A quote that is never closed, or closed in the midst of a later row: rows would vanish in one cell.
    #[error("{file}:{line}: the quote that opens on this line {ends}, so the rows after it cannot be told apart")]
    UnclosedQuote {
        /// The file's name.
        file: String,
        /// The physical line on which it opens.
        line: u32,
        /// What becomes of it.
        ends: String,
    },
    /// The row that was named as the header is blank or not there.
    #[error("{file} has nothing in row {row}, which was given as its header")]
    NoHeader {
        /// The file's name.
        file: String,
        /// The row that was asked for.
        row: u32,
    },
}

impl SheetError {
    /// Something that a spreadsheet program may be able to open all the same.
    pub(super) fn not_a_sheet(file: &str, what: impl Into<String>) -> Self {
        let hint = "open it in a spreadsheet program and save it as .xlsx or .csv";
        Self::NotASheet { file: file.to_owned(), what: what.into(), hint }
    }

    /// Where it is, as far as that is known: the file, and its line or row.
    #[must_use]
    pub fn place(&self) -> Option<String> {
        match self {
            Self::UnclosedQuote { file, line, .. } => Some(format!("{file}:{line}")),
            Self::NoHeader { file, row } => Some(format!("{file}:{row}")),
            Self::NoSuchWorksheet { file, name, .. } => Some(format!("{file} [{name}]")),
            Self::UnknownEncoding { .. } => None,
            Self::Io { file, .. }
            | Self::Empty { file }
            | Self::NotASheet { file, .. }
            | Self::NotAFile { file, .. }
            | Self::PasswordProtected { file }
            | Self::Damaged { file, .. }
            | Self::Refused { file, .. }
            | Self::TooLarge { file, .. }
            | Self::NoWorksheet { file, .. }
            | Self::SeveralWorksheets { file, .. } => Some(file.clone()),
        }
    }

    /// What to do about it, with remedies in the words of the face: a lowercase fragment.
    #[must_use]
    pub fn hint(&self, words: &dyn Fn(&Remedy) -> String) -> String {
        let choose = || words(&Remedy::ChooseWorksheet { name: None });
        match self {
            Self::NotAFile { .. } => {
                let check = words(&Remedy::run(Command::CheckInput));
                format!("save the rows in a file, or hand them over on standard input: `{check}`")
            }
            Self::NoSuchWorksheet { .. } | Self::SeveralWorksheets { .. } => format!("choose one with {}", choose()),
            Self::NoWorksheet { hidden, .. } if !hidden.is_empty() => {
                format!("choose a hidden one with {}, or show it in the workbook", choose())
            }
            _ => self.plain_hint().to_owned(),
        }
    }

    fn plain_hint(&self) -> &'static str {
        match self {
            Self::Io { file, source } if source.kind() == io::ErrorKind::NotFound && file.contains(['*', '?']) => {
                "no file here fits this pattern: check the folder, and how the names are spelt"
            }
            Self::Io { .. } => "check the path, and that the file may be read",
            Self::Empty { .. } => "save the sheet again with its header row and orders",
            Self::NotASheet { hint, .. } => hint,
            Self::PasswordProtected { .. } => "open it, remove the password, and save it again",
            Self::Damaged { .. } => {
                "open it in a spreadsheet program, which may repair it, and save it as .xlsx or .csv"
            }
            Self::Refused { .. } => {
                "if you trust where it came from, open it in a spreadsheet program and save it as .xlsx or .csv"
            }
            Self::TooLarge { .. } => "split the sheet, or save it as .csv",
            Self::NoWorksheet { .. } => "save it again with the orders in its worksheet",
            Self::NotAFile { .. } | Self::NoSuchWorksheet { .. } | Self::SeveralWorksheets { .. } => "",
            Self::UnknownEncoding { .. } => {
                "use a label such as utf-8, windows-1252, macintosh, cp850 or utf-16le; a file in any other is saved again as \
                 \"CSV UTF-8\" first"
            }
            Self::UnclosedQuote { .. } => {
                "close the quote, or double a quote that belongs to the text (\"\"), and save the file again"
            }
            Self::NoHeader { .. } => "give the row of the column names as the sheet shows it, counted from 1",
        }
    }
}
