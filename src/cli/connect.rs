//! Before a token leaves: a host that never had one is asked about, and a command that this user never let run.

use crate::app::{Connection, Error, NewHost, Result};
use crate::config::{Booking, NamedBy};
use crate::text::visible;

use super::console::{confirm, note};
use super::settings::Settings;

/// Connects for bookings, once it is sure that the token may go there.
pub(super) fn connect(settings: &Settings, booking: &Booking) -> Result<Connection> {
    settle_service(settings)?;
    settings.app.connect(booking)
}

/// Makes sure that the token may go to the service's host, and that the command which gives it may run.
pub(super) fn settle_service(settings: &Settings) -> Result<()> {
    settle_host(settings)?;
    settle_commands(settings, &settings.config().token_commands())
}

/// Makes sure that these commands of the configuration may run: it is the user's own, they ran before, or somebody says yes.
pub(super) fn settle_commands(settings: &Settings, commands: &[&str]) -> Result<()> {
    let new = settings.app.new_commands(commands);
    // In practice none of them is run.
    if new.is_empty() || settings.is_sandbox() {
        return Ok(());
    }
    let shown: Vec<String> = new.iter().map(|own| format!("  {}", visible(&own.command))).collect();
    let question = format!("shipsheet.toml in this folder runs:\n{}\nLet it run from now on?", shown.join("\n"));
    match confirm(&question) {
        Some(true) => {}
        Some(false) => {
            let why = "nothing of shipsheet.toml was run: remove the command, or name another file with --config";
            return Err(Error::Refused(why.to_owned()));
        }
        None => return Err(Error::NewCommand),
    }
    for command in &new {
        if let Err(error) = settings.app.allow_command(command) {
            note(format!("warning: you will be asked again, for the answer could not be noted: {error}"));
        }
    }
    Ok(())
}

/// Makes sure that the token may go to the service's host: it went there before, or somebody says yes. Unattended, a
/// person's own word is enough.
fn settle_host(settings: &Settings) -> Result<()> {
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
                 says so: run `shipsheet service login` here once and say yes, or name the file with --config shipsheet.toml"
            )));
        }
    }
    if let Err(error) = settings.app.accept_host(&host) {
        note(format!("warning: that host will be told of again, for it could not be noted: {error}"));
    }
    Ok(())
}
