//! What a night comes to, and what is told of it meanwhile.

use std::path::{Path, PathBuf};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::app::{Error, Exit, KeptBack, Resumed, Standing};
use crate::ledger::Tray;
use crate::report::Orders;
use crate::text::{error_chain, list, shortened};

use super::folder::{A_FOLDER, FolderError};

/// What is around a watcher: time that passes, and somebody who is told what happens.
pub trait Around {
    /// Lets time pass, or less of it where the watcher is to stop.
    fn wait(&mut self, time: Duration);
    /// Hears what happens.
    fn tell(&mut self, told: &Told<'_>);
}

/// What happens.
#[derive(Debug)]
pub enum Told<'t> {
    /// Orders of earlier passes went on.
    Resumed(&'t Resumed),
    /// A backup of the ledger was due: its file, or why it could not be made.
    BackedUp(Result<&'t Path, &'t str>),
    /// A sheet is filed.
    Filed(&'t FiledSheet),
    /// A sheet stays in the folder for now.
    Left(&'t LeftSheet),
    /// What keeps the watcher from its work; told once, until it changes.
    Trouble(&'t str),
    /// It can work again.
    Recovered,
}

/// Characters of orders that are named.
const NAMED_MAX: usize = 200;

/// A sheet that is filed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FiledSheet {
    /// What it was called in the folder.
    pub name: String,
    /// Where it was put.
    #[serde(rename = "filed")]
    pub tray: Tray,
    /// Its path in the folder; null where it is gone.
    pub path: Option<String>,
    /// The run that booked it; null where none did.
    #[schemars(range(min = 0))]
    pub run: Option<i64>,
    /// Where its orders stand.
    pub orders: Orders,
    /// Its outcome, for people.
    pub said: String,
    /// Its report, its results and the rows to fix, by their paths in the folder.
    pub beside: Vec<String>,
    /// The exit code that an import of it would have.
    pub exit: Exit,
}

/// A sheet that stays in the folder for now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftSheet {
    /// What it is called.
    pub name: String,
    /// Why it stays, for people.
    pub why: String,
    /// Whether it is worked on: orders of it may have been sent.
    #[serde(skip)]
    pub is_begun: bool,
    /// The exit code that a night ends with because of it.
    pub exit: Exit,
}

/// What a pass came to.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Night {
    /// The outstanding run that this pass went on with; null where there was none.
    pub resumed: Option<Resumed>,
    /// The sheets that were filed.
    #[serde(rename = "sheets")]
    pub filed: Vec<FiledSheet>,
    /// Sheets that stay where they are for now.
    pub left: Vec<LeftSheet>,
    /// The trouble that kept the watcher from its work, for people; null where there was none.
    pub trouble: Option<String>,
    /// The open orders of the whole ledger, over all runs; null where it was not looked at.
    #[serde(rename = "ledger")]
    pub standing: Option<Standing>,
    /// The backup of the ledger that was due; null where none was.
    #[serde(serialize_with = "backup")]
    #[schemars(with = "Option<Backup>")]
    pub backup: Option<Result<PathBuf, String>>,
}

/// A backup as it is told.
#[derive(Serialize, JsonSchema)]
struct Backup<'b> {
    /// The copy; null where it could not be made.
    file: Option<String>,
    /// Why it could not be made.
    error: Option<&'b str>,
}

#[expect(clippy::ref_option, reason = "serde hands out a reference to the field")]
fn backup<S: Serializer>(made: &Option<Result<PathBuf, String>>, serializer: S) -> Result<S::Ok, S::Error> {
    let backup = made.as_ref().map(|made| Backup {
        file: made.as_ref().ok().map(|file| file.display().to_string()),
        error: made.as_ref().err().map(String::as_str),
    });
    backup.serialize(serializer)
}

/// Why a pass ends early that nothing went wrong in.
pub(super) const ASKED_TO_STOP: &str = "a person, or the system, asked to stop";

/// Why a pass ends before all sheets were tried.
#[derive(Debug)]
pub(super) enum Halt {
    /// Something keeps it from its work.
    Trouble(String),
    /// What concerns all sheets stopped a run.
    Stopped(String),
    /// One sheet cannot be filed, or read at all; the others can.
    Sheet(String),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Trouble(error_chain(&error))
    }
}

impl From<FolderError> for Halt {
    fn from(error: FolderError) -> Self {
        match error {
            FolderError::File { .. } => Self::Sheet(error_chain(&error)),
            _ => Self::Trouble(error_chain(&error)),
        }
    }
}

impl LeftSheet {
    /// One that the next pass goes on with.
    pub(super) fn waiting(name: String, why: &str) -> Self {
        Self { name, why: why.to_owned(), is_begun: false, exit: Exit::Outstanding }
    }

    /// One that is worked on, which the next pass goes on with.
    pub(super) fn begun(name: String, why: &str) -> Self {
        Self { is_begun: true, ..Self::waiting(name, why) }
    }

    /// One that something is wrong with that a person has to see to; it is tried again.
    pub(super) fn stuck(name: String, why: &str) -> Self {
        Self { exit: Exit::CouldNotRun, ..Self::begun(name, why) }
    }

    /// What lies among the sheets and cannot be one. Folders are nothing unusual there.
    pub(super) fn strange(name: String, what: &str) -> Self {
        let exit = if what == A_FOLDER { Exit::Done } else { Exit::SheetProblems };
        let why = format!("it is {what}, and only sheets that lie here themselves are taken");
        Self { exit, ..Self::waiting(name, &why) }
    }

    /// Orders that an open sheet keeps from being sent.
    pub(super) fn kept_back(own: &KeptBack) -> Self {
        let orders = shortened(&list(&own.orders, "and"), NAMED_MAX);
        let name = "left by an earlier night".to_owned();
        Self::waiting(name, &format!("{orders}: {}", own.because()))
    }
}

impl Night {
    /// How it ends, for scripts: the gravest of all sheets, of what stays in the folder, and of the whole ledger.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let filed = self.filed.iter().map(|sheet| sheet.exit);
        let left = self.left.iter().map(|sheet| sheet.exit);
        let others = [
            self.trouble.as_ref().map(|_| Exit::CouldNotRun),
            self.resumed.as_ref().map(|resumed| resumed.exit),
            self.standing.as_ref().map(Standing::exit),
        ];
        filed.chain(left).chain(others.into_iter().flatten()).max_by_key(|exit| grave(*exit)).unwrap_or(Exit::Done)
    }
}

/// What could not run at all is graver than what a person has to settle.
const fn grave(exit: Exit) -> u8 {
    match exit {
        Exit::CouldNotRun => u8::MAX,
        exit => exit.code(),
    }
}
