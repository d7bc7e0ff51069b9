//! The courier's list of shipments beside the ledger: what it would settle is shown first, and settled with a yes.

use std::path::PathBuf;
use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{CompareOptions, Reconciled};
use crate::ledger::create_private_folder;
use crate::settle::{Difference, StatementOptions};
use crate::text::shortened;

use super::answer::Result;
use super::orders::ROWS;
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::trouble::Trouble;
use super::upload::Uploaded;
use super::words;

/// The folder of the list that is looked at, under the desk's own.
const FOLDER: &str = "statement";

/// Which list: the name that it had.
#[derive(Deserialize)]
pub(super) struct Asked {
    name: String,
}

/// What a person agreed to: the list, by the hash of the file.
#[derive(Deserialize)]
pub(super) struct Agreed {
    name: String,
    sha256: String,
}

pub(super) fn take(desk: &Arc<Desk>, uploaded: &Uploaded) -> Result<String> {
    let Some(file) = uploaded.files.first() else { return Err(Trouble::NotOurs) };
    let folder = desk.folder().join(FOLDER);
    let _ = std::fs::remove_dir_all(&folder);
    create_private_folder(&folder)?;
    // Its ending says what it is, and its name is kept with what it settles.
    std::fs::rename(&file.path, folder.join(&file.name))?;
    Ok(format!("statement?name={}", page::encoded(&file.name)))
}

/// The file of that name, and of no other folder.
fn file(desk: &Desk, name: &str) -> Result<PathBuf> {
    let path = desk.folder().join(FOLDER).join(name);
    let is_plain = path.file_name().is_some_and(|own| own == name) && path.is_file();
    if is_plain { Ok(path) } else { Err(Trouble::Changed("This list is no longer here".to_owned())) }
}

pub(super) fn compared(desk: &Desk, asked: &Asked) -> Result<Page> {
    let app = desk.app();
    let statement = app.read_statement(&file(desk, &asked.name)?, StatementOptions::default()).map_err(Trouble::App)?;
    let reconciled = app.compare(None, statement, CompareOptions::default())?;
    let body = html! {
        section aria-labelledby="list" {
            h1 #list { "The courier's list" }
            p.soft { (reconciled.statement.name) ", " (words::count(reconciled.statement.entries.len() as u64, "row")) }
            (settled(desk, &asked.name, &reconciled))
            @if reconciled.is_strange {
                (page::notice(Tone::Warn, &html! { p { "None of its numbers is known here. Perhaps another column holds the order numbers." } }))
            }
            @if !reconciled.statement.unreadable.is_empty() {
                (page::notice(Tone::Warn, &html! { p { "These rows cannot be read: " (shortened(&reconciled.statement.unreadable.join(", "), 200)) "." } }))
            }
        }
        (differences(&reconciled))
    };
    Ok(Page { title: "The courier's list".to_owned(), part: Part::Doubts, body })
}

/// Orders that the courier has, and that would be sent from here all the same.
fn to_stop(reconciled: &Reconciled) -> Vec<(&str, String)> {
    let is_open = |one: &&Difference| matches!(one.state, Some("staged" | "waiting" | "rejected" | "refused"));
    let open = reconciled.comparison.only_theirs.iter().filter(is_open);
    open.filter_map(|one| Some((one.order.as_deref()?, one.statement_awbs.join(", ")))).collect()
}

fn settled(desk: &Desk, name: &str, reconciled: &Reconciled) -> Markup {
    let (proven, open) = (&reconciled.comparison.proven, to_stop(reconciled));
    if proven.is_empty() && open.is_empty() {
        return html! { p { "It settles no order in doubt." } p { a.button href="doubts" { "Back to the doubts" } } };
    }
    let record = (!proven.is_empty()).then(|| format!("record {}", words::count(proven.len() as u64, "AWB")));
    let give_up = (!open.is_empty()).then(|| format!("stop {}", words::count(open.len() as u64, "order")));
    let button = words::capital(&record.into_iter().chain(give_up).collect::<Vec<_>>().join(" and "));
    html! {
        @if !proven.is_empty() {
            p { "It would settle " b { (words::count(proven.len() as u64, "order")) } " as booked:" }
            table.cards {
                thead { tr { th { "Order" } th { "AWB" } th { "Row of the list" } } }
                tbody { @for one in proven.iter().take(ROWS) { tr { td { (page::order_link(&one.order)) } td { code { (one.awb) } } td.soft { (one.row) } } } }
            }
        }
        @if !open.is_empty() {
            p { "The courier has " b { (words::count(open.len() as u64, "order")) } " already that could still be sent from here. It would stop that, so that nothing is booked twice:" }
            table.cards {
                thead { tr { th { "Order" } th { "AWB in the list" } } }
                tbody { @for (order, awbs) in open.iter().take(ROWS) { tr { td { (page::order_link(order)) } td { code { (awbs) } } } } }
            }
        }
        (page::form(desk, "statement/settle", &html! {
            input type="hidden" name="name" value=(name);
            input type="hidden" name="sha256" value=(reconciled.statement.sha256);
            div.row.end { a.button href="doubts" { "Change nothing" } span.grow {} button.main { (button) } }
        }))
    }
}

fn differences(reconciled: &Reconciled) -> Markup {
    let comparison = &reconciled.comparison;
    let lists = [
        ("Only here", &comparison.only_ours),
        ("Only in the list", &comparison.only_theirs),
        ("One order with two AWBs", &comparison.twice),
    ];
    html! {
        @for (title, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            section {
                h2 { (title) ": " (words::number(list.len() as u64)) }
                table.cards {
                    thead { tr { th { "Order" } th { "AWB here" } th { "AWB in the list" } th { "What it means" } } }
                    tbody {
                        @for one in list.iter().take(ROWS) {
                            tr {
                                td { (one.order.as_deref().unwrap_or("no number")) }
                                td { (one.awb.as_deref().unwrap_or_default()) }
                                td { (one.statement_awbs.join(", ")) }
                                td { (one.note) }
                            }
                        }
                    }
                }
            }
        }
    }
}

pub(super) fn settle(desk: &Arc<Desk>, agreed: &Agreed) -> Result<String> {
    let app = desk.app();
    let statement = app.read_statement(&file(desk, &agreed.name)?, StatementOptions::default())?;
    if statement.sha256 != agreed.sha256 {
        return Err(Trouble::Changed("This is another list than the one you saw".to_owned()));
    }
    let mut session = app.settling()?;
    let mut reconciled = app.compare(Some(&session), statement, CompareOptions::default())?;
    let open: Vec<(String, String)> =
        to_stop(&reconciled).into_iter().map(|(order, awbs)| (order.to_owned(), awbs)).collect();
    let (settled, mut failed) = session.settle_proven(&mut reconciled);
    let (name, hash) = (&reconciled.statement.name, &reconciled.statement.sha256);
    let mut stopped = 0;
    for (order, awbs) in open {
        let because = format!("booked with AWB {awbs} in {name}, SHA-256 {hash}");
        match session.upon(&order).and_then(|upon| session.abandon(&upon, &because)) {
            Ok(()) => stopped += 1,
            Err(error) => failed.push((order, error)),
        }
    }
    let stop = if stopped > 0 { format!(" {} not sent again.", words::count(stopped, "order")) } else { String::new() };
    desk.say(format!("{} settled by {name}.{stop}", words::count(settled.len() as u64, "order")));
    match failed.into_iter().next() {
        Some((_, error)) => Err(error.into()),
        None => Ok("doubts".to_owned()),
    }
}
