//! From sheets to frozen requests: the way through, in one page.
//!
//! [`open`] opens every sheet and plans its columns. [`gather`] reads each sheet twice: once to learn how many rows each
//! order has, once to group, check and freeze. What comes out goes into a [`Sink`]: for `import` the ledger's staging, for
//! `check` a dry one, or a counter where there is no ledger. The second reading, the judging and the sink work at the same time, on cores of their own.

mod changed;
mod countries;
mod drift;
mod error;
mod freeze;
mod gather;
mod given;
mod judge;
mod lanes;
mod lately;
mod merged;
mod mirror;
mod near;
mod open;
mod opened;
mod reader;
mod remedies;
mod runs;
mod second_lines;
mod sink;
mod spelling;
mod sums;
mod survey;
mod tally;
mod unread;

pub use error::StageError;
pub use freeze::{Request, freeze};
pub use gather::{Gathered, gather, gather_surveyed};
pub use mirror::{Cause, Fate, Trace, Traced};
pub use near::Lately;
pub use open::open;
pub use opened::{LeftAside, OpenOptions, Opened, Planned};
pub use second_lines::lacks_numbers;
pub use sink::{Beside, BookedAsSaid, Dry, Frozen, Gate, LeftBehind, Recorder, Sink};
pub use survey::{Part, Surveyed, judged, survey};
pub use tally::{Decimal, Rows, Totals};
