//! The courier's list of shipments beside the ledger: what it would settle is shown first, and settled with a yes.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{CompareOptions, Listed, Reconciled};
use crate::ledger::{Ledger, OrderHistory, State, create_private_folder};
use crate::settle::{Difference, Proven, StatementOptions};
use crate::text::{list, shortened};

use super::answer::Result;
use super::files;
use super::orders::ROWS;
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::trouble::Trouble;
use super::upload::{File, Uploaded};
use super::words;

/// Which list.
#[derive(Deserialize)]
pub(super) struct Asked {
    id: i64,
}

/// What a person agreed to: the list with what it was to settle.
#[derive(Deserialize)]
pub(super) struct Agreed {
    id: i64,
    #[serde(default)]
    stamp: String,
    what: String,
}

pub(super) fn take(desk: &Arc<Desk>, uploaded: &Uploaded) -> Result<String> {
    let (mut place, mut taken, mut said) = (None, Vec::new(), None);
    for file in &uploaded.files {
        match take_one(desk, file) {
            Ok(own) => place = Some(own),
            Err(trouble) if taken.is_empty() => return Err(trouble),
            Err(trouble) => {
                said = Some(format!("{}: {}", file.name, trouble.sentence()));
                break;
            }
        }
        taken.push(file.name.as_str());
    }
    let place = place.ok_or(Trouble::NotOurs)?;
    let several = || format!("{} came in: look at each of them under In doubt.", list(&taken, "and"));
    Ok(match said {
        Some(why) => desk.warn(&place, &why),
        None if taken.len() > 1 => desk.say(&place, &several()),
        None => place,
    })
}

fn take_one(desk: &Arc<Desk>, file: &File) -> Result<String> {
    // Its ending says what it is, and its name is kept with what it settles.
    let new = files::scratch(&desk.folder(), "list")?;
    create_private_folder(&new)?;
    let named = new.join(&file.name);
    std::fs::rename(&file.path, &named)?;
    let statement = desk.app().read_statement(&named, StatementOptions::default());
    let _ = std::fs::remove_dir_all(&new);
    let taken = desk.app().take_statement(&statement?)?;
    let place = taken.id.map_or_else(|| "doubts".to_owned(), |id| format!("statement?id={id}"));
    if taken.held.is_empty() {
        return Ok(place);
    }
    let (held, named) = (taken.held.len() as u64, shortened(&list(&taken.held, "and"), 200));
    Ok(desk.say(&place, &format!("{} held from now on: {named}.", words::count(held, "order"))))
}

pub(super) fn compared(desk: &Desk, asked: &Asked) -> Result<Page> {
    let app = desk.app();
    let reconciled = app.compare(None, app.statement(asked.id)?, CompareOptions::default())?;
    let body = html! {
        section aria-labelledby="list" {
            h1 #list { "The courier's list" }
            p.soft { (reconciled.statement.name) ", " (words::count(reconciled.statement.entries.len() as u64, "row")) }
            (settled(desk, asked.id, &reconciled))
            @if reconciled.is_strange {
                (page::notice(Tone::Warn, &html! { p { "None of its numbers is known here. Perhaps another column holds the order numbers." } }))
            }
            @if !reconciled.statement.unreadable.is_empty() {
                (page::notice(Tone::Warn, &html! { p { "These rows cannot be read: " (shortened(&reconciled.statement.unreadable.join(", "), 200)) "." } }))
            }
        }
        (differences(desk, &reconciled)?)
    };
    Ok(Page { title: "The courier's list".to_owned(), part: Part::Doubts, body })
}

fn settled(desk: &Desk, id: i64, reconciled: &Reconciled) -> Markup {
    let record: Vec<&Proven> = reconciled.comparison.to_record().collect();
    let stop: Vec<&Difference> = reconciled.comparison.to_give_up().collect();
    let is_of_use = !record.is_empty() || !stop.is_empty();
    let said =
        [(record.len(), "record", "AWB"), (stop.len(), "stop", "order")].into_iter().filter(|(count, ..)| *count > 0);
    let said: Vec<String> =
        said.map(|(count, verb, what)| format!("{verb} {}", words::count(count as u64, what))).collect();
    html! {
        @if !record.is_empty() {
            p { "It would record " b { (words::count(record.len() as u64, "order")) } " as booked:" }
            table.cards {
                thead { tr { th { "Order" } th { "AWB" } th { "Row of the list" } } }
                tbody { @for one in record.iter().take(ROWS) { tr { td { (page::order_link(&one.order)) } td { code { (one.awb) } } td.soft { (one.row) } } } }
            }
        }
        @if !stop.is_empty() {
            p { "The courier has " b { (words::count(stop.len() as u64, "order")) } " that could still be sent from here, and no AWB that could be recorded. It would stop that, so that nothing is booked twice:" }
            table.cards {
                thead { tr { th { "Order" } th { "AWB in the list" } } }
                tbody { @for one in stop.iter().take(ROWS) { tr { td { (page::order_link(one.order.as_deref().unwrap_or_default())) } td { code { (one.statement_awbs.join(", ")) } } } } }
            }
        }
        @if !is_of_use { p { "It settles no order in doubt." } }
        (page::form(desk, "statement/settle", &html! {
            input type="hidden" name="id" value=(id);
            input type="hidden" name="stamp" value=(reconciled.stamp());
            div.row.end {
                a.button href="doubts" { @if is_of_use { "Change nothing" } @else { "Back to the doubts" } }
                button name="what" value="forget" { "Forget this list" }
                span.grow {}
                @if is_of_use { button.main name="what" value="settle" { (words::capital(&said.join(" and "))) } }
            }
        }))
        @let comparison = &reconciled.comparison;
        @if comparison.only_theirs.iter().any(|own| own.state.is_some_and(is_unsent)) {
            p.soft { "Nothing sends these orders as long as the list is here. If you know that one may go, forget the list." }
        }
    }
}

/// The lists that nobody has forgotten: each keeps orders back.
pub(super) fn dropped(desk: &Desk) -> Result<Markup> {
    let statements = desk.app().statements()?;
    Ok(html! {
        @for (id, name) in &statements {
            p { "The list " a href={ "statement?id=" (id) } { (name) } " is here. Orders in it count as booked, and are not sent, until you forget the list." }
        }
    })
}

/// Whether an order could still be sent from here.
fn is_unsent(state: &str) -> bool {
    [State::Staged, State::Waiting, State::Rejected, State::Refused, State::Held]
        .iter()
        .any(|own| own.as_str() == state)
}

fn differences(desk: &Desk, reconciled: &Reconciled) -> Result<Markup> {
    let comparison = &reconciled.comparison;
    let ledger = desk.ledger()?;
    let lists = [
        ("Only here", &comparison.only_ours),
        ("Only in the list", &comparison.only_theirs),
        ("One order with two AWBs", &comparison.twice),
    ];
    Ok(html! {
        @for (title, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            section {
                h2 { (title) ": " (words::number(list.len() as u64)) }
                table.cards {
                    thead { tr { th { "Order" } th { "AWB here" } th { "AWB in the list" } th { "What it means" } } }
                    tbody {
                        @for one in list.iter().take(ROWS) {
                            tr {
                                td { @match &one.order { Some(number) if one.state.is_some() => (page::order_link(number)), number => (number.as_deref().unwrap_or("no number")) } }
                                td { (one.awb.as_deref().unwrap_or_default()) }
                                td { (one.statement_awbs.join(", ")) }
                                @let typed = ledger.as_ref().map(|ledger| typed(ledger, one)).transpose()?.flatten();
                                td { @match typed { Some((history, awb)) => (correction(desk, &history, awb, &reconciled.statement.name)), None => (one.note) } }
                            }
                        }
                    }
                }
            }
        }
    })
}

/// The order whose AWB a person typed, where the list has one other AWB for it: most likely it was typed wrong.
fn typed<'d>(ledger: &Ledger, one: &'d Difference) -> Result<Option<(OrderHistory, &'d str)>> {
    let (Some(number), Some(own), [listed]) = (&one.order, &one.awb, &one.statement_awbs[..]) else { return Ok(None) };
    let is_it = |history: &OrderHistory| history.awb.as_ref() == Some(own) && history.has_correctable_awb();
    Ok(ledger.order(number)?.into_iter().find(is_it).map(|history| (history, listed.as_str())))
}

/// Asks whether the AWB of the list is the right one.
fn correction(desk: &Desk, history: &OrderHistory, awb: &str, list: &str) -> Markup {
    let own = history.awb.as_deref().unwrap_or_default();
    page::form(
        desk,
        "doubts",
        &html! {
            p { "Somebody typed " b { (own) } "; the list has " b { (awb) } ". Is the list right? Look at both in the courier's portal if you are not sure: nothing has to be cancelled for a number that was typed wrong." }
            (page::upon(&history.upon()))
            input type="hidden" name="verdict" value="there";
            input type="hidden" name="awb" value=(awb);
            input type="hidden" name="because" value={ "the courier's list " (list) };
            button aria-label={ "Use the list's AWB for " (history.number) } { "Use the list's" }
        },
    )
}

pub(super) fn settle(desk: &Arc<Desk>, agreed: &Agreed) -> Result<String> {
    let app = desk.app();
    let statement = app.statement(agreed.id)?;
    if agreed.what == "forget" {
        let goes = app.forget_statement(agreed.id, "forgotten at the desk")?.len() as u64;
        let goes =
            if goes > 0 { format!(" {} may be sent again.", words::count(goes, "order")) } else { String::new() };
        let done = format!("{} is forgotten. It keeps no orders back any more.{goes}", statement.name);
        return Ok(desk.say("doubts", &done));
    }
    let mut session = app.settling()?;
    let mut reconciled = app.compare(Some(&session), statement, CompareOptions::default())?;
    if reconciled.stamp() != agreed.stamp {
        return Err(Trouble::Changed("This list would settle something else by now".to_owned()));
    }
    let Listed { booked, given_up, failed } = session.settle_listed(&mut reconciled);
    let (booked, stopped) = (booked.len() as u64, given_up.len() as u64);
    let stop = if stopped > 0 { format!(" {} not sent again.", words::count(stopped, "order")) } else { String::new() };
    let done = format!("{} settled by {}.{stop}", words::count(booked, "order"), reconciled.statement.name);
    match failed.into_iter().next() {
        Some((_, error)) => Err(error.into()),
        None => Ok(desk.say("doubts", &done)),
    }
}
