//! Arguments as typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::config::Sheets;
use crate::rule::Accepting;

use super::couriers::Beforehand;
use super::doubt::arguments::Doubt;
use super::export::Export;
use super::global::Global;
use super::how_read::HowRead;
use super::night::Night;
use super::pace::BookingPace;
use super::service::Service;
use super::typed::rate;

/// Turns order sheets into booked shipments, once each.
///
/// Reads order rows from CSV and spreadsheets, makes one forward-shipment request per order, books them through the
/// shipping service, and keeps every air waybill (AWB) and every error in a local ledger, so that a run can be resumed
/// and failed orders rerun.
#[derive(Debug, Parser)]
#[command(name = "shipsheet", version, max_term_width = 100, after_help = AFTER_HELP)]
pub(super) struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

const AFTER_HELP: &str = "Try it without an account:
  shipsheet template orders.xlsx
  (write an order or two over the example, and save)
  shipsheet import orders.xlsx --sandbox

Exit codes:
  0  every order asked for is booked, or there was nothing to do
  1  could not run: configuration, file, ledger, no token; or a fault of the program itself
  2  the command line is wrong
  3  the sheet has problems and nothing was sent
  4  finished; some orders are invalid, held, left out, rejected, refused or abandoned
  5  orders are outstanding: resume
  6  orders are in doubt: a person must settle them";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Do everything short of booking, and write nothing
    Check(Check),
    /// Check, stage and book the orders of one or more sheets
    ///
    /// Rows with one order number are one order, wherever they stand. Orders that are booked already are never sent
    /// again: importing the same sheet twice books nothing and shows each AWB. Example:
    ///
    ///   shipsheet import monday.xlsx tuesday.csv --yes
    Import(Import),
    /// Go on with what is outstanding, from the ledger alone
    Resume(Resume),
    /// Send rejected and refused orders again
    ///
    /// Orders in doubt are never touched: settle them with `doubt`. Examples:
    ///
    ///   shipsheet retry A-17 A-18
    ///
    ///   shipsheet retry --run 3
    Retry(Retry),
    /// Watch a folder, and book each sheet that is dropped into it
    ///
    /// Nobody is asked. A sheet that rests is taken into working/, booked by itself with the profile that its headers fit, and
    /// filed in done/ (every order is booked), attention/ (a person has to look) or failed/ (nothing was sent), with its report,
    /// its results and the rows to fix beside it. What earlier passes left outstanding goes first. Examples:
    ///
    ///   shipsheet watch /srv/shipping/inbox --once --deadline 06:30
    ///
    ///   shipsheet watch /srv/shipping/inbox
    Watch(super::watch::Watch),
    /// Open the desk: a page on this machine for all of this
    ///
    /// It shows what is open, books, prints labels and settles doubts. It listens on 127.0.0.1 only, and for the browser that it
    /// opens. Ctrl-C closes it; a run that is under way ends first. To try it without an account:
    ///
    ///   shipsheet desk --sandbox
    Desk(super::desk::Desk),
    /// Where the ledger and its latest run stand, or another run
    Status(super::status::Status),
    /// The latest runs
    Runs(super::runs::Runs),
    /// An order's whole history
    Show(super::show::Show),
    /// What a run came to, or all runs of some days
    ///
    /// What is open, what failed and why, money, speed, and whether it adds up. Without a file it is printed as text. A page
    /// (.html) needs nothing else: it can be mailed and printed. Examples:
    ///
    ///   shipsheet report --to report.html
    ///
    ///   shipsheet report --last 7d --mask --to week.xlsx
    Report(super::report::Report),
    /// Write results to a .csv, .xlsx or .jsonl file
    Export(Export),
    /// Write the rows that are still to be corrected of a run
    ///
    /// The rows of orders that are invalid, rejected or refused, in your own columns, with what is wrong and what to do: correct
    /// them there and import that file. What was corrected, tried again with success or booked since is left out. Where the sheet
    /// is no longer what it was, there is a row for each order instead.
    Rejects(super::rejects::Rejects),
    /// Accept what a rule held of orders: they go as they stand
    ///
    /// They go with the next import. Accepting lasts as long as the cells stay as they are; who accepted what, when and why is
    /// kept for good. What the ledger says, and orders of which no request can be formed, cannot be accepted. Example:
    ///
    ///   shipsheet accept total-differs --order A-17 --because "the customer pays the rounded sum"
    Accept(super::accept::Accept),
    /// Settle orders whose outcome nobody knows
    #[command(subcommand)]
    Doubt(Doubt),
    /// Dismiss invalid orders that nobody will mend
    ///
    /// They are no longer to be fixed. It lasts as long as the order's cells stay as they are, in whatever sheet they come; who
    /// dismissed what, when and why is kept for good. An order that was sent and failed is given up with `doubt abandon`.
    /// Example:
    ///
    ///   shipsheet dismiss A-17 A-18 --because "test orders of the shop"
    Dismiss(super::dismiss::Dismiss),
    /// Fetch labels and make one PDF of them, in the order of the sheet
    ///
    /// Each label is kept in a folder by its AWB, so that an interrupted call goes on where it was. What is missing is
    /// listed and fetched by the next call. Example:
    ///
    ///   shipsheet label --run 3 --to labels.pdf
    Label(super::label::Label),
    /// Where shipments are
    ///
    /// Of one order its history, of several a table, of a run a summary.
    Track(super::chosen::Which),
    /// Cancel shipments at the service
    ///
    /// Names the first of them and asks. Each request is noted before it leaves, and a shipment counts as cancelled only
    /// where the answer says so; what has no clear answer ends the command with 6, and is asked for once more by the same
    /// command. What is cancelled already is not asked for again. The refund status is kept beside the booking; the order
    /// stays booked here, so that importing its sheet again never books its number a second time. Examples:
    ///
    ///   shipsheet cancel A-17
    ///
    ///   shipsheet cancel --run 3
    Cancel(super::cancel::Cancel),
    /// Write a starter sheet (.xlsx, .csv) or configuration (.toml)
    Template {
        /// The file to make; an existing one is never overwritten
        file: PathBuf,
    },
    /// Say which column of a sheet feeds which field, and keep it
    #[command(subcommand)]
    Profile(super::profile::Profile),
    /// List every rule with its level, or read about one
    ///
    /// A rule is a doubt of shipsheet about an order. By its level it holds the order until you answer, warns of it, or says
    /// nothing; you set the level in shipsheet.toml, in a profile, or for one run. Example:
    ///
    ///   shipsheet rules total-differs
    Rules(super::rules::Rules),
    /// Why an order of a sheet goes or stays
    ///
    /// Its columns, what rules saw, and what comes of it. Nothing is recorded. Example:
    ///
    ///   shipsheet explain monday.csv MON-2
    Explain(super::explain::Explain),
    /// List every field: API path, header, kind, need
    Fields,
    /// The account, and what the shipping service offers beside booking
    #[command(subcommand)]
    Service(Service),
    /// Look through the ledger, copy it, move it
    #[command(subcommand)]
    Ledger(LedgerCommand),
    /// Have each night's sheets booked by themselves
    #[command(subcommand)]
    Night(Night),
    /// Look at everything that a night needs, and say what to mend
    ///
    /// The configuration, the service, its clock, the token, the ledger and its backup, the disk, rights, the log, the folder, when
    /// the last night was, and who hears of the next. Nothing is booked. Ends with 1 where something keeps a night from its work.
    /// Example:
    ///
    ///   shipsheet doctor --folder /srv/shipping/inbox --send-test
    Doctor(super::doctor::Doctor),
    /// Serve the stand-in shipping service on loopback
    ///
    /// It takes the token sandbox-token, or a login as sandbox@example.com with the password sandbox, whose tokens
    /// expire. Every operation is where `shipsheet service call` has it. Those whose paths nobody knows are, for
    /// `[operations.NAME]` in shipsheet.toml, at `/sandbox/couriers` (`list_couriers`), `/sandbox/ndr/{orderId}` (`ndr`),
    /// `/sandbox/warehouses` (`list_warehouses`, `create_warehouse`), `/sandbox/warehouses/{warehouseId}`
    /// (`get_warehouse`, `update_warehouse`) and `/sandbox/orders` (`find_order`). `GET /sandbox/book` shows what it
    /// booked. Orders to PIN codes from 999000 to 999999 are rejected.
    Sandbox(Sandbox),
    /// Try the promise on this machine and disk, offline
    ///
    /// Within a minute, in a folder of its own beside the ledger that it takes away again, the program books against
    /// the stand-in service inside this process, is killed at chosen moments, started again, and answered badly. After
    /// each round the service's book is held against the ledger: nothing may be booked twice or lost, and a kill may
    /// leave no more orders in doubt than were in flight or about to leave. Ends with 0 if every promise was kept, else
    /// with 1.
    Selftest(Selftest),
    /// Print completions for a shell, or write manual pages
    ///
    /// Completions go to standard output. Examples:
    ///
    ///   shipsheet completions bash > ~/.local/share/bash-completion/completions/shipsheet
    ///
    ///   shipsheet completions man --to ~/.local/share/man/man1
    Completions(super::completions::Completions),
    /// What is configured, and where it comes from
    #[command(subcommand)]
    Config(super::config::ConfigCommand),
}

impl Command {
    /// Its name, where it books; whatever books is in the log.
    pub(super) const fn books(&self) -> Option<&'static str> {
        match self {
            Self::Import(_) => Some("import"),
            Self::Resume(_) => Some("resume"),
            Self::Retry(_) => Some("retry"),
            Self::Watch(_) => Some("watch"),
            _ => None,
        }
    }

    /// Whether it prints a line each time something happens, and not one document at its end.
    pub(super) fn prints_lines(&self) -> bool {
        matches!(self, Self::Desk(_) | Self::Watch(super::watch::Watch { once: false, .. }) | Self::Sandbox(_))
            || match self {
                Self::Service(command) => command.prints_lines(),
                Self::Export(arguments) => arguments.is_stream(),
                _ => false,
            }
    }
}

#[derive(Debug, Args)]
pub(super) struct SheetArguments {
    /// Order sheets (CSV or workbook); `-` is standard input
    #[arg(required = true, value_name = "SHEET")]
    pub(super) sheets: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) how: HowRead,
    /// Accept what a rule holds: of these orders, or of all; may be given several times
    ///
    /// The orders go as they stand, with this import and later ones, as long as the cells stay as they are. The ledger keeps
    /// who accepted what, when and why.
    #[arg(long, value_name = "RULE[:ORDER,…]", value_parser = super::accept::accepting)]
    pub(super) accept: Vec<Accepting>,
    /// Why it is accepted; kept for good
    #[arg(long, value_name = "TEXT", requires = "accept")]
    pub(super) because: Option<String>,
}

impl SheetArguments {
    /// What is to be read, and how; with or without somebody who is asked.
    pub(super) fn sheets(&self, is_unattended: bool) -> Sheets {
        Sheets {
            accepting: self.accept.clone(),
            because: self.because.clone().unwrap_or_default(),
            is_unattended,
            ..self.how.sheets(self.sheets.clone())
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct Booking {
    #[command(flatten)]
    pub(super) pace: BookingPace,
    /// Do not ask before booking
    #[arg(long, short)]
    pub(super) yes: bool,
    /// Tell whoever is configured under [notify.NAME] what came of it, as `watch` does
    #[arg(long)]
    pub(super) notify: bool,
}

#[derive(Debug, Args)]
pub(super) struct Import {
    #[command(flatten)]
    pub(super) sheet: SheetArguments,
    #[command(flatten)]
    pub(super) booking: Booking,
    #[command(flatten)]
    pub(super) beforehand: Beforehand,
    /// Show what would be sent, and send and record nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Send nothing if any order is invalid
    #[arg(long)]
    pub(super) all_or_nothing: bool,
    /// Write your sheet again with status, AWB, carrier, service and error on each row (.xlsx, .csv), or one JSON
    /// object per order (.jsonl)
    #[arg(long, value_name = "FILE")]
    pub(super) results: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    pub(super) sheet: SheetArguments,
    #[command(flatten)]
    pub(super) beforehand: Beforehand,
    /// Questions a second at most, for instance 5 or 5/s
    #[arg(long, value_name = "N/s", value_parser = rate)]
    pub(super) rate: Option<f64>,
}

#[derive(Debug, Args)]
pub(super) struct Resume {
    /// The run [default: everything that is outstanding]
    #[arg(long, value_name = "N")]
    pub(super) run: Option<i64>,
    #[command(flatten)]
    pub(super) booking: Booking,
}

#[derive(Debug, Args)]
pub(super) struct Retry {
    /// Order numbers [default: everything that failed]
    #[arg(value_name = "ORDER")]
    pub(super) orders: Vec<String>,
    /// The run
    #[arg(long, value_name = "N")]
    pub(super) run: Option<i64>,
    /// Only what failed for this cause, by the name that `status` gives it; funds: all that failed for want of money
    #[arg(long, value_name = "CAUSE|funds", conflicts_with = "orders")]
    pub(super) cause: Option<String>,
    #[command(flatten)]
    pub(super) booking: Booking,
}

#[derive(Debug, Subcommand)]
pub(super) enum LedgerCommand {
    /// Look through all of it: its structure, counts, requests and evidence
    Check,
    /// Copy it as it stands at this moment, also while a run goes on
    Backup {
        /// The file to make; an existing one is never overwritten
        #[arg(required_unless_present = "scheduled", conflicts_with = "scheduled")]
        file: Option<PathBuf>,
        /// Make the backup that [backup] in shipsheet.toml asks for, where one is due; look through it, and prune earlier ones
        #[arg(long)]
        scheduled: bool,
    },
    /// Remove names, phones, addresses, requests and answers from orders that are over
    ///
    /// Order numbers, AWBs, hashes, money and decisions stay, and the evidence holds. What is outstanding, in doubt or failed
    /// stays whole. What would be removed is shown first; a terminal asks, elsewhere nothing is removed without --yes.
    Purge {
        /// Orders that are over for at least so many days: 90d
        #[arg(long, value_name = "DAYS", value_parser = super::purge::days)]
        older_than: i64,
        /// Remove it without asking
        #[arg(long, short)]
        yes: bool,
    },
    /// Bring a ledger of an earlier layout up to date, as a newer program needs it
    ///
    /// A file is copied beside itself first; the copy is looked through and never books. Then all is done or nothing. End
    /// whatever else uses the ledger before. No copy is made of a database: dump it, then say yes.
    Upgrade {
        /// Upgrade a database without asking: it was dumped
        #[arg(long, short)]
        yes: bool,
    },
    /// Move it to another place; the old one books nothing from then on
    ///
    /// Never copy a ledger to go on with the copy. If the command was interrupted, give it again.
    Move {
        /// The new file, which must not exist yet
        #[arg(required_unless_present = "to")]
        file: Option<PathBuf>,
        /// The same, or the address of a database without a ledger, as --ledger takes it
        #[arg(long, value_name = "PLACE", conflicts_with = "file")]
        to: Option<PathBuf>,
    },
    /// List the stations that share a ledger on a server: when each was heard last, and what it has under way
    Stations,
    /// Say that a station is switched off for good and sends nothing any more
    ///
    /// Only then an order that it had begun may be called not booked. Were it to run again, an order could go twice.
    StationOff {
        /// Its number, as `ledger stations` lists it
        number: i64,
        /// How you know; kept for good
        #[arg(long)]
        because: String,
    },
    /// Take a ledger that is missing, older than it was, a copy, or another one, for the right one
    ///
    /// Orders that were booked and are not in it would be booked again: look them up in the courier's portal first.
    Accept {
        /// How you know; kept for good
        #[arg(long)]
        because: String,
        /// Do so
        #[arg(long, short)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub(super) struct Sandbox {
    /// The port on 127.0.0.1; 0 takes a free one
    #[arg(long, default_value_t = 8080)]
    pub(super) port: u16,
    /// Faults, for instance latency=50ms,429=0.05,cut-after=0.01,seed=7
    #[arg(long, value_name = "SPEC")]
    pub(super) faults: Option<String>,
    /// Keep the book of bookings in this file
    #[arg(long, value_name = "FILE")]
    pub(super) book: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Selftest {
    /// Repeats an earlier test [default: a new one each time]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Kills at most; fewer where the machine is slow
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(super) kills: u32,
    /// Try three stations with one ledger instead, on the empty database that --ledger names
    #[arg(long)]
    pub(super) stations: bool,
    /// How many of the three are paused for longer than their lease, one after the other; each takes half a minute
    #[arg(long, value_name = "N", default_value_t = 1, requires = "stations", value_parser = clap::value_parser!(u32).range(..=100))]
    pub(super) pauses: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn global_flags_stand_anywhere() {
        for words in [["shipsheet", "--sandbox", "runs"], ["shipsheet", "runs", "--sandbox"]] {
            assert!(Cli::parse_from(words).global.sandbox);
        }
    }
}
