//! A word of caution before far more than usual is sent.

use anyhow::{Result, bail};

use crate::book::{Amounts, UNUSUAL_FACTOR, USUAL_IMPORTS, unusual};
use crate::ledger::{EarlierImport, Ledger};
use crate::stage::Totals;

use super::console::{note, somebody_is_here};
use super::settings::{BookingSettings, Service, Settings};

/// What earlier imports came to; nothing where no money is spent.
pub(super) fn usual(settings: &Settings, ledger: &Ledger, service: &str) -> Result<Vec<EarlierImport>> {
    if settings.service == Service::Sandbox {
        return Ok(Vec::new());
    }
    Ok(ledger.earlier_imports(service, USUAL_IMPORTS)?)
}

/// What is unusual about what will be sent, said on standard error.
pub(super) fn caution(settings: &Settings, totals: &Totals, before: &[EarlierImport]) -> Vec<String> {
    let amounts = Amounts { orders: totals.orders, value: totals.value, to_collect: totals.to_collect };
    let found = unusual(&amounts, before, settings.config.booking.usual_factor.unwrap_or(UNUSUAL_FACTOR));
    for sentence in &found {
        note(format!("warning: this is far more than usual: {sentence}"));
    }
    found
}

/// Refuses what is unusual where nobody can be asked, unless a limit was given that allows it.
pub(super) fn allowed(booking: &BookingSettings, unusual: &[String]) -> Result<()> {
    let Some(first) = unusual.first() else { return Ok(()) };
    if booking.limits.orders_max.is_some() || somebody_is_here() {
        return Ok(());
    }
    bail!(
        "nothing was sent: far more than usual ({first}), and nobody is here to be asked. If it is right, allow it once \
         with --max-orders N, or for good with max_orders or a higher usual_factor in [booking] of shipsheet.toml"
    );
}
