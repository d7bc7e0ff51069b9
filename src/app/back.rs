//! Back to the shop: which orders were sent, by whom and under which AWB, in the layout that the shop takes.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::ledger::{Ledger, State};
use crate::profile::ShippedOrder;
use crate::report::sheet_text;

use super::connect::App;
use super::error::{Error, Misuse, Result};
use super::runs_meant::{Covered, RunsMeant};

/// How a date is written where the profile does not say.
const ISO_DATE: &str = "%Y-%m-%d";

/// A sheet that a shop takes back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToldShop {
    /// Shipments.
    pub orders: u64,
    /// Those left out because they were cancelled, or may have been.
    pub cancelled: u64,
    /// The sheet, as text.
    pub sheet: Vec<u8>,
}

impl App {
    /// The shipments of the runs that are meant, as the shop of a profile takes them. Cancelled ones are left out.
    ///
    /// # Errors
    /// No such run; a profile that does not say how.
    pub fn tell_shop(&self, ledger: &Ledger, runs: RunsMeant, profile: &str) -> Result<(ToldShop, Covered)> {
        let profile = self.config.profile(profile)?;
        let Some(back) = &profile.back else { return Err(Misuse::NoShop(profile.name).into()) };
        let covered = runs.find(ledger)?;
        if covered.runs.is_empty() && runs != RunsMeant::All {
            return Err(Error::NoRunSince);
        }
        let zone = profile.dates.time_zone.clone().unwrap_or_else(TimeZone::system);
        let (mut told, mut rows) = (ToldShop::default(), vec![back.headers()]);
        ledger.for_each_order_of(covered.span, &mut |order| {
            let Some(awb) = order.awb.as_deref().filter(|_| order.state == State::Booked) else { return };
            if order.cancelled_ms.or(order.cancel_unclear_ms).is_some() {
                told.cancelled += 1;
                return;
            }
            let moment =
                Timestamp::from_millisecond(order.since_ms).map(|moment| moment.to_zoned_datetime(zone.clone()));
            let form = if back.date.is_empty() { ISO_DATE } else { &back.date };
            let date = moment.map(|moment| moment.strftime(form).to_string()).unwrap_or_default();
            let (carrier, service) = (order.carrier.as_deref(), order.service_level.as_deref());
            let (carrier, service) = (carrier.unwrap_or_default(), service.unwrap_or_default());
            // The shop knows its order without the prefix.
            let number = order.number.strip_prefix(profile.prefix.as_str()).unwrap_or(&order.number);
            rows.push(back.row(&ShippedOrder { order: number, awb, carrier, service, date: &date }));
            told.orders += 1;
        })?;
        let made = sheet_text(if back.tabs { b'\t' } else { b',' }, &rows);
        told.sheet = made.map_err(Error::file("cannot make the sheet for the shop"))?;
        Ok((told, covered))
    }
}
