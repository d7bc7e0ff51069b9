//! From sheets to frozen requests: the way through, in one page.
//!
//! [`open`] opens every sheet and plans its columns. [`gather`] reads each sheet twice: once to learn how many rows each
//! order has, once to group, check and freeze. What comes out goes into a [`Sink`]: the ledger's staging for `import`,
//! a counter for `check`. The second reading, the judging and the sink work at the same time, on cores of their own.

mod changed;
mod countries;
mod drift;
mod freeze;
mod gather;
mod judge;
mod lanes;
mod lately;
mod merged;
mod mirror;
mod near;
mod open;
mod reader;
mod remedies;
mod runs;
mod sink;
mod spelling;
mod sums;
mod survey;
mod tally;
mod values;

pub use freeze::{Request, freeze};
pub use gather::{Gathered, gather};
pub use mirror::{Cause, Fate, Trace, Traced};
pub use near::Lately;
pub use open::{OpenOptions, Opened, Planned, open};
pub use sink::{BookedAsSaid, Dry, Frozen, Gate, LeftBehind, Recorder, Sink};
pub use survey::judged;
pub use tally::{Decimal, Rows, Totals};
pub use values::plan_of;

/// Why staging could not go through; bad input is never among these.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// A sheet cannot be read.
    #[error(transparent)]
    Sheet(#[from] crate::sheet::SheetError),
    /// The ledger failed.
    #[error(transparent)]
    Ledger(#[from] crate::ledger::LedgerError),
    /// The temporary file failed.
    #[error("cannot keep what is found in a temporary file ({0}): make room in the temporary folder")]
    Spool(std::io::Error),
    /// The system gives no thread to read with.
    #[error(
        "the system does not let this program start its threads ({0}): close other programs and run the command again"
    )]
    Threads(std::io::Error),
    /// A sheet is not what it was a moment ago.
    #[error("the sheet was changed while it was read, so nothing of it is used: run the command again")]
    Changed,
    /// Rows were lost on the way, which must never be.
    #[error("{0}: this is a fault of the program, nothing was sent; please report it")]
    Unbalanced(String),
}
