//! From sheets to frozen requests: the way through, in one page.
//!
//! [`open`] opens every sheet and plans its columns. [`gather`] reads each sheet twice: once to learn how many rows each
//! order has, once to group, check and freeze. What comes out goes into a [`Sink`]: for `import` the ledger's staging, for
//! `check` a dry one, or a counter where there is no ledger. The second reading, the judging and the sink work at the same time, on cores of their own.

mod alike;
mod changed;
mod duplicates;
mod error;
mod freeze;
mod gather;
mod lanes;
mod lately;
mod open;
mod opened;
mod order_rows;
mod outcome;
mod parcel;
mod reader;
mod sink;
mod summary_row;
mod superseded;
mod survey;
mod tally;
mod unread;

pub use changed::FieldChange;
pub use error::StageError;
pub use freeze::{Request, freeze};
pub use gather::{Gathered, OrderObserver, gather, gather_surveyed, has_whole_order, watch_orders};
pub use lately::{Lately, said_of_taken_up};
pub use open::{lacks_numbers, open};
pub use opened::{LeftAside, OpenOptions, Opened, OpenedSheet};
pub use order_rows::{ComparisonKeys, OrderRows};
pub use outcome::{OrderOutcome, RowOutcome, Trace};
pub use parcel::Parcel;
pub use sink::{Booked, Dry, Frozen, Gate, LedgerCounts, Recorder, Sink};
pub use survey::{Part, Surveyed, places_in, survey};
pub use tally::{Decimal, Rows, Totals};
