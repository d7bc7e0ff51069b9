//! Before a token leaves: a host that never had one is asked about.

use crate::app::{Connection, Error, NewHost, Result};
use crate::config::{Booking, NamedBy};

use super::console::{confirm, note};
use super::settings::Settings;

/// Connects for bookings, once it is sure that the token may go there.
pub(super) fn connect(settings: &Settings, booking: &Booking) -> Result<Connection> {
    settle_host(settings)?;
    settings.app.connect(booking)
}

/// Makes sure that the token may go to the service's host: it went there before, or somebody says yes. Unattended, a
/// person's own word is enough.
pub(super) fn settle_host(settings: &Settings) -> Result<()> {
    let Some(host) = settings.app.new_host() else { return Ok(()) };
    let NewHost { origin, named_by } = &host;
    match (confirm(&format!("The token goes to {origin}, where this user never sent one. Go on?")), named_by) {
        (Some(true), _) => {}
        (Some(false), _) => {
            let why = format!("no token was sent to {origin}: correct base_url if it is not the service that is meant");
            return Err(Error::Refused(why));
        }
        (None, NamedBy::User) => note(format!("note: the token goes to {origin}, where this user never sent one")),
        (None, NamedBy::Folder) => {
            return Err(Error::Refused(format!(
                "the token would go to {origin}, where this user never sent one, because shipsheet.toml in this folder \
                 says so: run `shipsheet login` here once and say yes, or name the file with --config shipsheet.toml"
            )));
        }
    }
    if let Err(error) = settings.app.accept_host(&host) {
        note(format!("warning: that host will be told of again, for it could not be noted: {error}"));
    }
    Ok(())
}
