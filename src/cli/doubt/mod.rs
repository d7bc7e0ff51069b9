//! `doubt`: settle orders whose outcome nobody knows.
//!
//! - `arguments`: the subcommands as typed
//! - `listing`: `list` and `show`
//! - `word`: `booked`, `not-booked` and `abandon`
//! - `reconcile`: `match`, against the courier portal's own export
//! - `look_up`: `look-up`, against the service itself

pub(super) mod arguments;
pub(super) mod listing;
pub(super) mod look_up;
pub(super) mod reconcile;
pub(super) mod word;

use anyhow::Result;

use super::settings::Settings;
use crate::app::Exit;
use arguments::Doubt;

pub(super) fn doubt(settings: &Settings, command: &Doubt) -> Result<Exit> {
    match command {
        Doubt::List => listing::list(settings),
        Doubt::Show { order } => listing::show(settings, order),
        Doubt::Booked { of, awb, yes } => word::booked(settings, &of.as_typed(), awb, *yes),
        Doubt::NotBooked { orders, attempt, because } => word::not_booked(settings, orders, *attempt, because),
        Doubt::Abandon { of } => word::abandon(settings, &of.as_typed()),
        Doubt::LookUp { orders, yes } => look_up::look_up(settings, orders, *yes),
        Doubt::Match(arguments) => reconcile::reconcile(settings, arguments),
    }
}
