//! The courier's list of shipments beside the ledger: what it would settle is shown first, and settled with a yes.

use std::path::PathBuf;
use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{CompareOptions, Reconciled};
use crate::ledger::create_private_folder;
use crate::settle::StatementOptions;
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

pub(super) fn take(desk: &Arc<Desk>, mut uploaded: Uploaded) -> Result<String> {
    let Some(file) = uploaded.files.first_mut() else { return Err(Trouble::NotOurs) };
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

fn settled(desk: &Desk, name: &str, reconciled: &Reconciled) -> Markup {
    let proven = &reconciled.comparison.proven;
    if proven.is_empty() {
        return html! { p { "It settles no order in doubt." } p { a.button href="doubts" { "Back to the doubts" } } };
    }
    html! {
        p { "It would settle " b { (words::count(proven.len() as u64, "order")) } " as booked:" }
        table.cards {
            thead { tr { th { "Order" } th { "AWB" } th { "Row of the list" } } }
            tbody { @for one in proven.iter().take(ROWS) { tr { td { (page::order_link(&one.order)) } td { code { (one.awb) } } td.soft { (one.row) } } } }
        }
        (page::form(desk, "statement/settle", &html! {
            input type="hidden" name="name" value=(name);
            input type="hidden" name="sha256" value=(reconciled.statement.sha256);
            div.row.end { a.button href="doubts" { "Change nothing" } span.grow {} button.main { "Record " (words::count(proven.len() as u64, "AWB")) } }
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
    let (settled, failed) = session.settle_proven(&mut reconciled);
    desk.say(format!("{} settled by {}.", words::count(settled.len() as u64, "order"), reconciled.statement.name));
    match failed.into_iter().next() {
        Some((_, error)) => Err(error.into()),
        None => Ok("doubts".to_owned()),
    }
}
