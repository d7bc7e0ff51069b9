//! A session in words: what opening the ledger brought to light, and the yes before money is spent.

use anyhow::Result;

use crate::app::{self, Error, Session};
use crate::book::{Limits, Stop, StopSignal};
use crate::config::Config;
use crate::ledger::LateContradiction;
use crate::stage::Totals;
use crate::text::{count, money};

use super::Usage;
use super::console::{confirm, confirm_unless, note};
use super::settings::Settings;

/// Opens the ledger to write, and says what that brought to light.
pub(super) fn open<'s>(settings: &'s Settings, what: &str) -> Result<Session<'s>> {
    let session = settings.app.session(what)?;
    tell_opening(settings, &session);
    Ok(session)
}

pub(super) fn tell_opening(settings: &Settings, session: &Session<'_>) {
    let opening = session.opening();
    if let Some(why) = &opening.unmarked {
        note(format!(
            "warning: nothing outside the ledger notes how far it is ({why}), so a ledger that is lost or older would not \
             be noticed; set HOME, or XDG_STATE_HOME, to a folder that is kept and can be written"
        ));
    }
    if let Some(by) = &opening.accepted {
        note(older_database(by));
    }
    let recovered = &opening.recovered;
    if !recovered.answered.is_empty() {
        note(format!(
            "{} that the ledger could not take when they came are in it now",
            count(recovered.answered.len() as u64, "answer")
        ));
    }
    for LateContradiction { order, awb, against } in &recovered.contradictions {
        note(format!(
            "warning: the service booked order {order} with AWB {awb}, and {against}: look it up in the courier's portal, \
             and cancel what is booked twice"
        ));
    }
    if !recovered.in_doubt.is_empty() {
        note(format!(
            "warning: the last run ended in the middle of {}, now in doubt: see `{} doubt list`",
            count(recovered.in_doubt.len() as u64, "order"),
            settings.command
        ));
    }
}

/// What a station is told of a database that lacks what it knew.
pub(super) fn older_database(by: &str) -> String {
    format!(
        "warning: the ledger's database was put back to an earlier state, {by}. What was settled here since then may be missing in it"
    )
}

/// Ends what was interrupted before anything was sent. `listening` is the signal of whoever listens to Ctrl-C already.
pub(super) fn go_on(listening: Option<&StopSignal>) -> app::Result<()> {
    if listening.is_some_and(|stop| stop.now() != Stop::No) { Err(Error::Interrupted) } else { Ok(()) }
}

/// Whether to go ahead with what will be sent: asked on a terminal, `--yes` elsewhere, never with the sandbox. The
/// question names a limit that the run will reach.
///
/// `listening` is the signal of whoever listens to Ctrl-C already.
pub(super) fn agreed(
    settings: &Settings,
    yes: bool,
    (totals, limits): (&Totals, &Limits),
    listening: Option<&StopSignal>,
) -> Result<bool> {
    if listening.is_some_and(|stop| stop.now() != Stop::No) {
        return Ok(false);
    }
    if yes || settings.is_sandbox() {
        return Ok(true);
    }
    let orders = match limits.orders_max.filter(|max| *max < totals.orders) {
        Some(max) => format!("{max} of {}", count(totals.orders, "order")),
        None => count(totals.orders, "order"),
    };
    let answer = confirm_unless(&format!("Book {orders} for real?{}", whither(settings.config())), listening);
    answer.ok_or_else(|| Usage(format!("this books {orders} for real, and nobody can be asked here: add --yes")).into())
}

/// At which service, and whose account it is, behind a question; no secret is in it.
fn whither(config: &Config) -> String {
    let Ok(service) = config.service_key() else { return String::new() };
    let service = service.strip_prefix("https://").unwrap_or(&service);
    let named = config.login_named().map(|named| match named.strip_prefix("account ") {
        Some(account) => format!(", as {account}"),
        None => format!(", by {named}"),
    });
    format!(" ({service}{})", named.unwrap_or_default())
}

/// Makes sure that a person, or `--yes`, wants a change at the service; the sandbox needs no yes.
pub(super) fn agreed_to(settings: &Settings, yes: bool, question: &str) -> Result<()> {
    if yes || settings.is_sandbox() {
        return Ok(());
    }
    match confirm(question) {
        Some(true) => Ok(()),
        Some(false) => Err(Usage("nothing was done".to_owned()).into()),
        None => Err(Usage(format!("{question} Nobody can be asked here: add --yes")).into()),
    }
}

/// What will be sent, in one line.
pub(super) fn to_send(totals: &Totals) -> String {
    format!(
        "{} with {}, declared value {}, cash on delivery {}",
        count(totals.orders, "order"),
        count(totals.lines, "line"),
        money(totals.value),
        money(totals.to_collect)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Overrides;

    #[test]
    fn a_yes_is_given_to_a_service_and_an_account_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let asked = |text: &str| {
            std::fs::write(folder.path().join("shipsheet.toml"), text).unwrap();
            whither(
                &Config::open(Overrides { folder: Some(folder.path().to_owned()), ..Overrides::default() }).unwrap(),
            )
        };
        let address = "base_url = \"https://api.example.com/v1\"\n";
        assert_eq!(asked(address), " (api.example.com)");
        let account =
            format!("{address}[auth]\nemail = \"asha@shop.example\"\npassword_command = \"echo very-secret\"\n");
        assert_eq!(asked(&account), " (api.example.com, as asha@shop.example)");
        let token = "base_url = \"http://127.0.0.1:8080\"\ntoken_command = \"echo very-secret\"\n";
        assert_eq!(asked(token), " (http://127.0.0.1:8080, by the token of token_command)");
        assert_eq!(asked(""), "");
    }
}
