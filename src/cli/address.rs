//! `service`: whether one service answers at several addresses; and the question before its orders are booked twice.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Subcommand;
use serde_json::json;

use crate::app::{Addresses, Exit, ServiceWord, Session};
use crate::book::StopSignal;
use crate::ledger::Elsewhere;
use crate::text::{count, list, moment, shell_quoted};

use super::console::{asked_unless, note, print, somebody_is_here};
use super::document::{Kind, print_document};
use super::global::Format;
use super::settings::Settings;

/// The subcommands of `service` as typed.
#[derive(Debug, Subcommand)]
pub(super) enum ServiceCommand {
    /// The service at this address is the configured one: its orders are never booked again here
    Same {
        /// The other address
        url: String,
        /// How you know; kept for good
        #[arg(long)]
        because: String,
    },
    /// The service at this address is another one: its orders do not matter here
    ///
    /// Order numbers that are booked there are booked here as well, without a question.
    Different {
        /// The other address
        url: String,
        /// How you know; kept for good
        #[arg(long)]
        because: String,
    },
    /// The addresses that the ledger knows, and what was said of them
    List,
}

pub(super) fn service(settings: &Settings, command: &ServiceCommand) -> Result<Exit> {
    match command {
        ServiceCommand::Same { url, because } => say(settings, url, true, because),
        ServiceCommand::Different { url, because } => say(settings, url, false, because),
        ServiceCommand::List => listing(settings),
    }
}

fn say(settings: &Settings, url: &str, is_same: bool, because: &str) -> Result<Exit> {
    let word = settings.app.service_word(url, is_same, because)?;
    let orders = settings.app.say_of_service(&word)?;
    if orders == 0 {
        let other = &word.other;
        note(format!("warning: the ledger has no order at {other}: check the address if you expected some"));
    }
    let own = settings.service_key()?;
    note(said(&own, &word.other, is_same));
    if settings.format == Format::Json {
        let document = json!({"one": own, "other": word.other, "is_same": is_same, "because": word.because,
            "orders": orders, "exit": Exit::Done.code()});
        print_document(Kind::ServiceWord, &document)?;
    }
    Ok(Exit::Done)
}

fn said(own: &str, other: &str, is_same: bool) -> String {
    if is_same {
        format!("{own} and {other} are one service from now on: what is booked at one is never sent to the other")
    } else {
        format!("{own} and {other} are two services from now on: each books its own orders, also under equal numbers")
    }
}

fn listing(settings: &Settings) -> Result<Exit> {
    drop(settings.read_ledger()?);
    let Addresses { addresses, words } = settings.app.addresses()?;
    if settings.format == Format::Json {
        let addresses: Vec<_> =
            addresses.iter().map(|(address, orders)| json!({"address": address, "orders": orders})).collect();
        let document = json!({"addresses": addresses, "words": words, "exit": Exit::Done.code()});
        print_document(Kind::ServiceList, &document)?;
        return Ok(Exit::Done);
    }
    let own = settings.service_key().ok();
    let mut text = Vec::new();
    for (address, orders) in &addresses {
        let own = if own.as_ref() == Some(address) { ", configured" } else { "" };
        writeln!(text, "{address}: {}{own}", count(*orders, "order"))?;
    }
    for said in &words {
        let word = if said.is_same { "is the same service as" } else { "is another service than" };
        let replaced = if said.holds { "" } else { " (replaced by a later word)" };
        let (at, user, host) = (moment(said.at_ms), &said.user, &said.host);
        writeln!(
            text,
            "{} {word} {}{replaced}: said {at} by {user} on {host}, because: {}",
            said.one, said.other, said.because
        )?;
    }
    print(&text)?;
    Ok(Exit::Done)
}

/// What is known of the orders at another address, in words.
fn described(elsewhere: &Elsewhere) -> String {
    let kinds = [(elsewhere.booked, "booked"), (elsewhere.in_doubt, "in doubt"), (elsewhere.abandoned, "given up")];
    let kinds: Vec<String> = kinds.iter().filter(|kind| kind.0 > 0).map(|(n, word)| format!("{n} {word}")).collect();
    let more = elsewhere.orders() - elsewhere.numbers.len() as u64;
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(
        "the numbers of {} are known at {} already: {} ({}{more})",
        count(elsewhere.orders(), "order"),
        elsewhere.service,
        list(&kinds, "and"),
        elsewhere.numbers.join(", ")
    )
}

/// The commands that settle it.
fn commands(settings: &Settings, elsewhere: &Elsewhere) -> String {
    let (command, url) = (&settings.command, shell_quoted(&elsewhere.service));
    format!(
        "if it is the same service, say `{command} service same {url} --because \"…\"`; if it is another one, \
         `{command} service different {url} --because \"…\"`"
    )
}

/// Says what a run would have to be told about other addresses, where nothing is sent anyway.
pub(super) fn tell(settings: &Settings, elsewhere: &[Elsewhere]) {
    for elsewhere in elsewhere {
        note(format!("warning: {}; {}", described(elsewhere), commands(settings, elsewhere)));
    }
}

/// Asks about each address that has orders of this run; nothing is sent before each is settled. Nothing to record where
/// there is nothing to ask about.
///
/// `listening` is the signal of whoever listens to Ctrl-C already.
pub(super) fn ask(
    settings: &Settings,
    elsewhere: &[Elsewhere],
    listening: Option<&StopSignal>,
) -> Result<Vec<ServiceWord>> {
    let Some(first) = elsewhere.first() else { return Ok(Vec::new()) };
    let own = settings.service_key()?;
    if !somebody_is_here() {
        tell(settings, &elsewhere[1..]);
        bail!("nothing was sent: {}. {}", described(first), capital(&commands(settings, first)));
    }
    let mut answers = Vec::new();
    for elsewhere in elsewhere {
        note(format!("warning: {}", described(elsewhere)));
        let question = format!(
            "Is {} the same service as {own}? (y: yes, these orders are not sent again; n: no, it is another service; \
             anything else sends nothing)",
            elsewhere.service
        );
        let is_same = match asked_unless(&question, listening).unwrap_or_default().as_str() {
            "y" | "yes" => true,
            "n" | "no" => false,
            _ => bail!("nothing was sent and nothing was recorded. Find out first; {}", commands(settings, elsewhere)),
        };
        let because = "answered when asked before sending".to_owned();
        answers.push(ServiceWord { other: elsewhere.service.clone(), is_same, because });
    }
    Ok(answers)
}

/// Keeps the answers for good.
pub(super) fn keep(settings: &Settings, session: &mut Session<'_>, answers: &[ServiceWord]) -> Result<()> {
    let own = settings.service_key()?;
    for word in answers {
        session.say_of_service(word)?;
        note(said(&own, &word.other, word.is_same));
    }
    Ok(())
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
