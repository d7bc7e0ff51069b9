//! One service at several addresses: the question before its orders are booked twice.

use anyhow::{Result, bail};

use crate::app::ServiceWord;
use crate::book::StopSignal;
use crate::ledger::Elsewhere;
use crate::text::{count, list, shell_quoted};

use super::console::{asked_unless, note, somebody_is_here};
use super::settings::Settings;

/// What an answer means from then on.
pub(super) fn said(own: &str, other: &str, is_same: bool) -> String {
    if is_same {
        format!("{own} and {other} are one service from now on: what is booked at one is never sent to the other")
    } else {
        format!("{own} and {other} are two services from now on: each books its own orders, also under equal numbers")
    }
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

/// Says what the answers mean from then on.
pub(super) fn say_kept(settings: &Settings, answers: &[ServiceWord]) {
    // Without a service nothing was asked.
    let own = settings.service_key().unwrap_or_default();
    for word in answers {
        note(said(&own, &word.other, word.is_same));
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
