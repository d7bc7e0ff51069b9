//! Arguments of the commands that use the service beside booking.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::app::{self, LabelOrder, pin};
use crate::config::PaceOptions;
use crate::field::Version;

#[derive(Debug, Args)]
pub(super) struct Call {
    /// The operation; `shipsheet operations` lists them
    #[arg(value_name = "NAME")]
    pub(super) name: String,
    /// A parameter of its path, or of its query where the path has no place for it; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    pub(super) param: Vec<(String, String)>,
    /// A value of its query; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    pub(super) query: Vec<(String, String)>,
    /// The JSON body; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) body: Option<PathBuf>,
    /// Do not ask before calling what changes something
    #[arg(long, short)]
    pub(super) yes: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Operations {
    /// Try every operation that changes nothing, and say which answers were understood
    ///
    /// For a new account: what is not understood is shown, with the setting that would read it. Nothing is booked. Ends with 4
    /// where an answer was not understood, or none came. Example:
    ///
    ///   shipsheet operations probe --from 560048 --to 560001
    Probe(Probe),
}

#[derive(Debug, Args)]
pub(super) struct Probe {
    /// PIN code of a pickup [default: that of `[serviceability]` in shipsheet.toml, else 110001]
    #[arg(long, value_name = "PIN", value_parser = pin)]
    pub(super) from: Option<String>,
    /// PIN code of a delivery [default: 400001]
    #[arg(long, value_name = "PIN", value_parser = pin)]
    pub(super) to: Option<String>,
    /// A booked order to ask about [default: the one that was booked last]
    #[arg(long, value_name = "ORDER")]
    pub(super) order: Option<String>,
}

fn parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE, for instance orderId=123".to_owned()),
    }
}

impl Which {
    pub(super) fn which(&self) -> app::Which {
        let (orders, run, keep_going) = (self.orders.clone(), self.run, self.keep_going);
        app::Which { orders, run, not_printed: false, pace: self.pace.options(), keep_going }
    }
}

impl Pace {
    pub(super) fn options(&self) -> PaceOptions {
        PaceOptions { concurrency: self.concurrency.map(usize::from), rate: self.rate }
    }
}

/// Which shipments are meant.
#[derive(Debug, Args)]
pub(super) struct Which {
    /// Order numbers, as in the sheet
    #[arg(value_name = "ORDER", conflicts_with = "run")]
    pub(super) orders: Vec<String>,
    /// Every booked order of this run, in the order of its sheets
    #[arg(long, value_name = "RUN")]
    pub(super) run: Option<i64>,
    #[command(flatten)]
    pub(super) pace: Pace,
    /// Go on however many calls in a row are refused for one reason; five stop it otherwise
    #[arg(long)]
    pub(super) keep_going: bool,
}

#[derive(Debug, Args)]
pub(super) struct Pace {
    /// Calls in flight at most [default: as [booking] has it, up to 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) concurrency: Option<u16>,
    /// Requests a second at most, for instance 5 or 5/s [default: as [booking] has it]
    #[arg(long, value_name = "N/s", value_parser = super::global::rate)]
    pub(super) rate: Option<f64>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Shipment {
    /// What the service knows of shipments
    Details(Which),
    /// Cancel shipments at the service
    ///
    /// Names the first of them and asks. Each request is noted before it leaves, and a shipment counts as cancelled only
    /// where the answer says so; what has no clear answer ends the command with 6, and is asked for once more by the same
    /// command. What is cancelled already is not asked for again. The refund status is kept beside the booking; the order
    /// stays booked here, so that importing its sheet again never books its number a second time.
    Cancel {
        #[command(flatten)]
        which: Which,
        /// Do not ask before cancelling
        #[arg(long, short)]
        yes: bool,
    },
    /// Fetch labels; the same as `label`
    Label(Label),
    /// Fetch invoices into a folder
    Invoice {
        #[command(flatten)]
        which: Which,
        /// The folder for them, each named by its AWB
        #[arg(long, value_name = "FOLDER", default_value = "invoices")]
        to: PathBuf,
    },
    /// Where shipments are; the same as `track`
    Track(Which),
}

#[derive(Debug, Args)]
pub(super) struct Label {
    #[command(flatten)]
    pub(super) which: Which,
    /// One PDF with all labels behind an index
    #[arg(long, value_name = "FILE.pdf")]
    pub(super) to: PathBuf,
    /// Replace the file also where it is not what this command wrote
    #[arg(long)]
    pub(super) force: bool,
    /// The folder that keeps each label by its AWB; what is there is not fetched again [default: FILE-labels]
    #[arg(long, value_name = "FOLDER")]
    pub(super) folder: Option<PathBuf>,
    /// Take in orders that are cancelled, or may be; they are left out otherwise
    #[arg(long)]
    pub(super) with_cancelled: bool,
    /// Only labels that were not handed out before; without a run or orders, of all that came to an AWB in the last 30 days
    #[arg(long)]
    pub(super) not_printed: bool,
    /// The order of the labels
    #[arg(long, value_enum, default_value_t = Sort::Sheet)]
    pub(super) sort: Sort,
    /// Only these of them, counted from 1 in that order, for instance 10-20 or 7
    #[arg(long, value_name = "FROM-TO", value_parser = range)]
    pub(super) range: Option<(usize, usize)>,
}

/// The order of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Sort {
    /// As the sheet has them, or as they were named
    Sheet,
    /// By order number
    Order,
    /// By AWB
    Awb,
    /// By carrier, then as the sheet has them
    Carrier,
}

impl From<Sort> for LabelOrder {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Sheet => Self::Sheet,
            Sort::Order => Self::Number,
            Sort::Awb => Self::Awb,
            Sort::Carrier => Self::Carrier,
        }
    }
}

fn range(text: &str) -> Result<(usize, usize), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to => Ok((from, to)),
        _ => Err("write two numbers from 1 on, for instance 10-20, or one".to_owned()),
    }
}

#[derive(Debug, Args)]
pub(super) struct Serviceability {
    /// PIN code of the pickup; with --sheet it may come from [serviceability] in shipsheet.toml, or from the origin
    #[arg(long, value_name = "PIN", value_parser = pin)]
    pub(super) from: Option<String>,
    /// PIN code of the delivery; may be repeated
    #[arg(long, value_name = "PIN", value_parser = pin, conflicts_with = "sheet")]
    pub(super) to: Vec<String>,
    /// Every pair of PIN codes of this order sheet, each once; may be repeated
    #[arg(long, value_name = "SHEET")]
    pub(super) sheet: Vec<PathBuf>,
    /// A profile for the sheet: its name, or its TOML file [default: recognised by the headers]
    #[arg(long, value_name = "NAME|FILE", requires = "sheet")]
    pub(super) profile: Option<String>,
    /// The sheet's worksheet, by name or number
    #[arg(long, value_name = "NAME", requires = "sheet")]
    pub(super) worksheet: Option<String>,
    /// The version of the request that the sheet is for [default: v2]
    #[arg(long, value_enum, requires = "sheet")]
    pub(super) api: Option<Api>,
    #[command(flatten)]
    pub(super) pace: Pace,
}

#[derive(Debug, Args)]
pub(super) struct Quote {
    /// PIN code of the pickup
    #[arg(long, value_name = "PIN", value_parser = pin)]
    pub(super) from: String,
    /// PIN code of the delivery
    #[arg(long, value_name = "PIN", value_parser = pin)]
    pub(super) to: String,
    /// Length, width and height in cm, for instance 30x20x5
    #[arg(long, value_name = "LxWxH", value_parser = sides)]
    pub(super) size: [serde_json::Number; 3],
    /// Weight in kg
    #[arg(long, value_name = "KG", value_parser = positive)]
    pub(super) weight: String,
    /// Declared value
    #[arg(long, value_name = "AMOUNT", value_parser = positive)]
    pub(super) value: String,
    /// Type of payment, for instance PREPAID or COD
    #[arg(long, value_name = "TYPE", default_value = "PREPAID")]
    pub(super) payment: String,
}

#[derive(Debug, Subcommand)]
pub(super) enum Webhook {
    /// Register an address for tracking events
    ///
    /// Shows the address and asks first. What the service answers is kept in the ledger.
    Register {
        /// The absolute address that receives the events; over plain http anybody on the way could read them
        #[arg(long)]
        url: String,
        /// Register it without switching it on
        #[arg(long)]
        disabled: bool,
        /// The content type of the events
        #[arg(long, value_name = "TYPE", default_value = "application/json")]
        content_type: String,
        /// Do not ask before registering
        #[arg(long, short)]
        yes: bool,
    },
    /// List the addresses that were registered from here
    List,
    /// Receive tracking events on this machine
    ///
    /// Each event is kept in the ledger as it came, before it is answered; a repeat is answered and dropped. An event is
    /// a hint: it never changes an order. A proxy with TLS in front of it makes it reachable for the service. The last part
    /// of the path is secret: it is what `SHIPSHEET_WEBHOOK_SECRET` holds, else a new one each time.
    Listen {
        /// The port on 127.0.0.1; 0 takes a free one
        #[arg(long, default_value_t = 8081)]
        port: u16,
    },
}

#[derive(Debug, Subcommand)]
pub(super) enum Warehouse {
    /// List the service's warehouses
    List,
    /// One warehouse
    Get {
        /// Its id
        id: String,
    },
    /// Create a warehouse
    Create {
        /// Its fields as JSON; `-` is standard input
        #[arg(long, value_name = "FILE")]
        body: PathBuf,
        /// Do not ask before creating
        #[arg(long, short)]
        yes: bool,
    },
    /// Create the warehouses of a sheet, each once, and show the names and ids for shipsheet.toml
    ///
    /// What was created is kept in the ledger and never created again; a creation without a clear answer ends the
    /// command and is left for a person to look up. Example:
    ///
    ///   shipsheet warehouse import warehouses.xlsx --dry-run
    Import(WarehouseImport),
    /// Change a warehouse
    Update {
        /// Its id
        id: String,
        /// Its fields as JSON; `-` is standard input
        #[arg(long, value_name = "FILE")]
        body: PathBuf,
        /// Do not ask before changing
        #[arg(long, short)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub(super) struct WarehouseImport {
    /// The sheet: a row for each warehouse; each header names a field of the request, as the service calls it
    /// (address.city is city in address)
    #[arg(value_name = "SHEET")]
    pub(super) sheet: PathBuf,
    /// The column of the name that your order sheets use [default: the one that is called name]
    #[arg(long, value_name = "HEADER")]
    pub(super) name_column: Option<String>,
    /// A column whose cells are numbers, true or false in the request, and not texts; may be repeated
    #[arg(long, value_name = "HEADER")]
    pub(super) json_column: Vec<String>,
    #[command(flatten)]
    pub(super) reading: super::profile::Reading,
    /// Show the requests, and send nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Create this one once more, though its first creation had no clear answer: you have looked, and it is not there
    #[arg(long, value_name = "NAME")]
    pub(super) again: Vec<String>,
    /// Add names and ids to [warehouses] of the configuration file in use
    #[arg(long)]
    pub(super) write: bool,
    /// Requests a second at most, for instance 5 or 5/s [default: as [booking] has it]
    #[arg(long, value_name = "N/s", value_parser = super::global::rate)]
    pub(super) rate: Option<f64>,
    /// Do not ask before creating
    #[arg(long, short)]
    pub(super) yes: bool,
}

#[derive(Debug, Args)]
pub(super) struct Ndr {
    #[command(flatten)]
    pub(super) which: Which,
    /// What the courier should do, in the service's word
    #[arg(long, value_name = "ACTION")]
    pub(super) action: String,
    /// A further field of the request; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    pub(super) param: Vec<(String, String)>,
    /// Do not ask before telling the courier
    #[arg(long, short)]
    pub(super) yes: bool,
}

/// Digits above zero, as they are written.
fn positive(text: &str) -> Result<String, String> {
    match text.trim().parse::<crate::text::Decimal>() {
        Ok(number) if number > crate::text::Decimal::ZERO => Ok(number.to_string()),
        _ => Err("write a number above zero, for instance 0.5".to_owned()),
    }
}

fn sides(text: &str) -> Result<[serde_json::Number; 3], String> {
    let wrong = || "write three measures above zero, for instance 30x20x5".to_owned();
    let number = |text: &str| -> Result<serde_json::Number, String> {
        let digits = positive(text).map_err(|_| wrong())?;
        serde_json::from_str(&digits).map_err(|_| wrong())
    };
    let sides: Vec<_> = text.split(['x', 'X', '*']).map(number).collect::<Result<_, _>>()?;
    sides.try_into().map_err(|_| wrong())
}

/// The version of a forward shipment request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Api {
    /// With sender, origin and return address written out
    V1,
    /// With warehouses that the service knows
    V2,
}

impl From<Api> for Version {
    fn from(api: Api) -> Self {
        match api {
            Api::V1 => Self::V1,
            Api::V2 => Self::V2,
        }
    }
}
