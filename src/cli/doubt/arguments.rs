//! The subcommands of `doubt` as typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use jiff::civil::Date;

use super::word;

const LOOK_UP_HELP: &str = "It needs a GET of your service that finds a shipment by our own order number, and where \
its answer has that number and the AWB (JSON pointers). In shipsheet.toml:

  [operations.find_order]
  path = \"/v1/external/orders/{order_number}\"
  fields = { order_number = \"/orderNumber\", awb = \"/trackingCode\" }

Exit codes: 0 none of them is in doubt any more; 6 some are.";

const MATCH_HELP: &str = "As a daily reconciliation, compare what was sent since yesterday and let the exit code tell:
  shipsheet doubt match portal-2026-11-20.csv --since 2026-11-20 --yes

Exit codes: 0 both books agree; 4 they differ; 6 orders in doubt remain.";

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum Doubt {
    /// List the orders in doubt and what to do with each
    List,
    /// One order in doubt: why, since when, what was received, what to look for in the courier's portal
    Show {
        /// The order number
        order: String,
    },
    /// The courier's portal shows the order: record its AWB
    ///
    /// For an order in doubt, and for any other that was sent from here and is there all the same. An AWB that was
    /// recorded so can be replaced with --attempt, until the shipment is cancelled or tracked. A terminal asks before it
    /// is replaced, and before an AWB is recorded that does not look like the courier's others; elsewhere both need --yes.
    Booked {
        #[command(flatten)]
        of: Of,
        /// The AWB that the portal shows
        #[arg(long)]
        awb: String,
        /// Record an AWB that looks odd, or replace one, without asking
        #[arg(long, short)]
        yes: bool,
    },
    /// The courier's portal does not show the orders: let them be sent again, once
    ///
    /// The orders take their places among the outstanding ones, and the next `resume` sends them. An attempt that ends in
    /// doubt as well needs a decision of its own. An order that was abandoned comes back in the same way. Of several
    /// orders, all are recorded or none.
    NotBooked {
        /// The order numbers
        #[arg(required = true, value_name = "ORDER")]
        orders: Vec<String>,
        /// The attempt you looked up, as `doubt list` shows it, of one order: refused if it was sent again since [default:
        /// the latest]
        #[arg(long, value_name = "N")]
        attempt: Option<u32>,
        /// How you know; kept for good
        #[arg(long)]
        because: String,
    },
    /// Give an order up: nothing sends it again, whatever the next sheet says
    ///
    /// For an order that is no longer wanted, or that was shipped in another way. It works for every order that is not
    /// booked. `doubt not-booked` brings it back.
    Abandon {
        #[command(flatten)]
        of: Of,
    },
    /// Ask the service for orders in doubt by their numbers, where the configuration says how
    ///
    /// An order that the service shows with an AWB can be recorded as booked. One that it does not show stays in doubt:
    /// it may show bookings late, or only recent ones. Look for it in the courier's portal. A terminal asks before
    /// anything is recorded; elsewhere nothing is recorded without --yes.
    #[command(after_long_help = LOOK_UP_HELP)]
    LookUp {
        /// Order numbers [default: all orders in doubt]
        #[arg(value_name = "ORDER")]
        orders: Vec<String>,
        /// Record what is found without asking
        #[arg(long, short)]
        yes: bool,
    },
    /// Compare the ledger with the courier portal's own export, and settle what it proves
    ///
    /// Reads a CSV file or workbook with one row for each shipment (or for each of its lines), finds the columns of
    /// order number, AWB and status by their names, and prints four lists: orders on which both agree; those that only
    /// the ledger has; those that only the portal has (bookings that nobody here knows of); and orders with two AWBs.
    ///
    /// An order in doubt that stands in the statement exactly once, with an AWB that nothing else has, is proven. With
    /// a yes it is recorded as booked, with the file's name, its SHA-256 and the row as evidence: a terminal asks;
    /// elsewhere nothing is changed without --yes. An order that the statement lacks stays in doubt: a missing row
    /// proves nothing. With --not-booked and a yes you take its absence for your own word that it was not booked; only
    /// orders are offered that were sent at a time of which the statement has every booking, by its dates or by yours.
    ///
    /// What the statement charges for your shipments is kept with a yes as well, and stands in `report` and `export`.
    #[command(after_long_help = MATCH_HELP)]
    Match(Match),
}

/// An order and what somebody knows of it.
#[derive(Debug, Args)]
pub(in crate::cli) struct Of {
    /// The order number
    order: String,
    /// The attempt you looked up, as `doubt list` shows it: refused if the order was sent again since [default: the
    /// latest]
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,
    /// How you know; kept for good
    #[arg(long)]
    because: String,
}

impl Of {
    pub(super) fn as_typed(&self) -> word::Of<'_> {
        word::Of { order: &self.order, attempt: self.attempt, because: &self.because }
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct Match {
    /// The portal's export (CSV or workbook); `-` is standard input
    pub(in crate::cli) statement: PathBuf,
    /// Only the orders of this run [default: the whole ledger]
    #[arg(long, value_name = "N")]
    pub(in crate::cli) run: Option<i64>,
    /// Only orders sent on this day or later, for instance 2026-11-20
    #[arg(long, value_name = "DATE")]
    pub(in crate::cli) since: Option<Date>,
    /// Only orders sent on this day or earlier; says that the statement is complete to the end of that day
    #[arg(long, value_name = "DATE")]
    pub(in crate::cli) until: Option<Date>,
    /// The worksheet, by name or number
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) worksheet: Option<String>,
    /// The column of our order number: its header, or its letter
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) order_column: Option<String>,
    /// The column of the AWB
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) awb_column: Option<String>,
    /// The column of the shipment's status, which tells cancelled ones
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) status_column: Option<String>,
    /// The column of the date of booking, which tells what the statement can have; the order's date is none
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) date_column: Option<String>,
    /// The column of what the courier charges
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) freight_column: Option<String>,
    /// The column of the carrier's name
    #[arg(long, value_name = "COLUMN")]
    pub(in crate::cli) carrier_column: Option<String>,
    /// Let orders be sent again, once, that the statement should have and does not
    #[arg(long)]
    pub(in crate::cli) not_booked: bool,
    /// Write what was found to this .xlsx or .csv file, an order on each row
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) to: Option<PathBuf>,
    /// Replace the file also where it is not what this command wrote
    #[arg(long, requires = "to")]
    pub(in crate::cli) force: bool,
    /// Record it without asking: what is proven, what is charged, and with --not-booked what is absent
    #[arg(long, short)]
    pub(in crate::cli) yes: bool,
}
