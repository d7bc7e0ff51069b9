//! `service`: the account, and everything that the shipping service offers beside booking.
//!
//! Each file has a command: its arguments, its call and what it prints.

pub(super) mod addresses;
pub(super) mod call;
pub(super) mod couriers;
pub(super) mod details;
mod init;
pub(super) mod invoice;
pub(super) mod login;
pub(super) mod ndr;
pub(super) mod probe;
pub(super) mod quote;
pub(super) mod serviceability;
mod warehouse;
pub(super) mod warehouse_import;
pub(super) mod webhook;

use anyhow::Result;
use clap::Subcommand;

use super::chosen::Which;
use super::settings::Settings;
use crate::app::Exit;

pub(super) use init::init;

use addresses::{Different, Same};
use call::Call;
use invoice::Invoice;
use ndr::Ndr;
use probe::Probe;
use quote::Quote;
use serviceability::Serviceability;
use warehouse::Warehouse;
use webhook::Webhook;

#[derive(Debug, Subcommand)]
pub(super) enum Service {
    /// Set up an account: a few questions, a login that is tried, and a configuration
    ///
    /// It asks at a terminal for the service's address, an account or a token, the warehouse, the usual parcel and the currency,
    /// tries the login and a call that changes nothing, shows the configuration, and writes it after a yes. A configuration that
    /// is there is never replaced: only what you answered changes.
    Init,
    /// Try the configured account or token, and say what came of it
    Login,
    /// Try every operation that changes nothing, and say which answers were understood
    ///
    /// For a new account: what is not understood is shown, with the setting that would read it. Nothing is booked. Ends with 4
    /// where an answer was not understood, or none came. Example:
    ///
    ///   shipsheet service probe --from 560048 --to 560001
    Probe(Probe),
    /// Call any operation of the service and print its answer as JSON; without a name, list the operations
    ///
    /// Parameters fill the placeholders of the operation's path; the others go into the query. An answer that says no ends it
    /// with 4. What the ledger has to keep, such as a booking, has a command of its own. Example:
    ///
    ///   shipsheet service call shipment-details --param orderIds=123,456
    Call(Call),
    /// List the couriers of the account, through a configured path
    Couriers,
    /// Which couriers go from one PIN code to others, or wherever the orders of a sheet go
    ///
    /// Ends with 4 where one of them is not served, with 1 where one could not be asked for. Examples:
    ///
    ///   shipsheet service serviceability --from 560048 --to 560001 --to 110001
    ///
    ///   shipsheet service serviceability --from 560048 --sheet monday.xlsx
    Serviceability(Serviceability),
    /// What couriers ask for a parcel
    ///
    ///   shipsheet service quote --from 560048 --to 560001 --size 30x20x5 --weight 0.5 --value 999.80
    Quote(Quote),
    /// The service's warehouses, through configured paths
    #[command(subcommand)]
    Warehouse(Warehouse),
    /// Tracking events: register an address for them, and receive them
    #[command(subcommand)]
    Webhook(Webhook),
    /// Tell the courier what to do about failed deliveries, through the configured path
    Ndr(Ndr),
    /// What the service knows of shipments
    Details(Which),
    /// Fetch invoices into a folder
    Invoice(Invoice),
    /// Say that another address is the configured service; without an address, list the known ones
    ///
    /// An order is known by its number and the address of its service. Where the service moves, or is reached under another
    /// name, say so: its orders are then never booked again here.
    Same(Same),
    /// Say that another address is another service: its orders do not matter here
    ///
    /// Order numbers that are booked there are booked here as well, without a question.
    Different(Different),
}

impl Service {
    /// Whether it prints a line each time something happens, and not one document at its end.
    pub(super) const fn prints_lines(&self) -> bool {
        matches!(self, Self::Webhook(Webhook::Listen { .. }))
    }
}

pub(super) fn service(settings: &Settings, command: &Service) -> Result<Exit> {
    match command {
        // It begins before there is a configuration: see `init`.
        Service::Init => Ok(Exit::Done),
        Service::Login => login::login(settings),
        Service::Probe(arguments) => probe::probe(settings, arguments),
        Service::Call(arguments) => call::call(settings, arguments),
        Service::Couriers => couriers::couriers(settings),
        Service::Serviceability(arguments) => serviceability::serviceability(settings, arguments),
        Service::Quote(arguments) => quote::quote(settings, arguments),
        Service::Warehouse(command) => warehouse::warehouse(settings, command),
        Service::Webhook(command) => webhook::webhook(settings, command),
        Service::Ndr(arguments) => ndr::ndr(settings, arguments),
        Service::Details(which) => details::details(settings, which),
        Service::Invoice(arguments) => invoice::invoice(settings, arguments),
        Service::Same(arguments) => addresses::same(settings, arguments),
        Service::Different(arguments) => addresses::different(settings, arguments),
    }
}
