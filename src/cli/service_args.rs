//! Arguments of the commands that use the service beside booking.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub(super) struct Call {
    /// The operation; `shipsheet operations` lists them
    #[arg(value_name = "NAME")]
    pub(super) name: String,
    /// A parameter of its path or query; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    pub(super) param: Vec<(String, String)>,
    /// The JSON body; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(super) body: Option<PathBuf>,
    /// Do not ask before calling what changes something
    #[arg(long, short)]
    pub(super) yes: bool,
}

fn parameter(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE, for instance orderId=123".to_owned()),
    }
}

/// Which shipments are meant.
#[derive(Debug, Args)]
pub(super) struct Which {
    /// Order numbers, as in the sheet
    #[arg(value_name = "ORDER", required_unless_present = "run", conflicts_with = "run")]
    pub(super) orders: Vec<String>,
    /// Every booked order of this run, in the order of its sheets
    #[arg(long, value_name = "RUN")]
    pub(super) run: Option<i64>,
    #[command(flatten)]
    pub(super) pace: Pace,
}

#[derive(Debug, Args)]
pub(super) struct Pace {
    /// Calls in flight at most
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(super) concurrency: u16,
    /// Calls a second at most, for instance 5 or 5/s
    #[arg(long, value_name = "N/s", value_parser = super::args::rate)]
    pub(super) rate: Option<f64>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Shipment {
    /// What the service knows of shipments
    Details(Which),
    /// Cancel shipments at the service
    ///
    /// Asks first. The refund status is kept beside the booking; the order stays booked here, so that importing its sheet
    /// again never books its number a second time.
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
    /// The folder that keeps each label by its AWB; what is there is not fetched again [default: FILE-labels]
    #[arg(long, value_name = "FOLDER")]
    pub(super) folder: Option<PathBuf>,
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

fn range(text: &str) -> Result<(usize, usize), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to => Ok((from, to)),
        _ => Err("write two numbers from 1 on, for instance 10-20, or one".to_owned()),
    }
}
