//! The courier's list of shipments beside the ledger: what it would settle is shown first, and settled with a yes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{self, CompareOptions, LIST_FOLDER, Listed, Reconciled};
use crate::ledger::{DeskLock, Ledger, OrderHistory, State, create_private_folder};
use crate::settle::{Difference, Proven, StatementOptions};
use crate::sheet::file_sha256;
use crate::text::{list, shortened};

use super::answer::Result;
use super::files;
use super::orders::ROWS;
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::trouble::Trouble;
use super::upload::{File, Uploaded};
use super::words;

/// The folder of the lists that were set aside.
const ASIDE: &str = "statement-aside";
/// What counts where it was dropped.
const LISTS: &str = "A courier's list keeps orders back";
/// Lists of one name that are kept at once.
const LISTS_MAX: usize = 100;

/// Which list: the name that it had.
#[derive(Deserialize)]
pub(super) struct Asked {
    name: String,
}

/// What a person agreed to: the list with what it was to settle.
#[derive(Deserialize)]
pub(super) struct Agreed {
    name: String,
    /// What tells the list that was shown from another one of that name.
    #[serde(default)]
    list: String,
    stamp: String,
    what: String,
}

/// Which list a form acts on: each of them carries it.
fn upon(name: &str, path: &Path) -> Result<Markup> {
    let own = sha256(path)?;
    Ok(html! {
        input type="hidden" name="name" value=(name);
        input type="hidden" name="list" value=(own);
    })
}

fn sha256(path: &Path) -> Result<String> {
    Ok(file_sha256(path)?.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}")))
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
    // Beside a ledger that went elsewhere a list would keep nothing back.
    desk.ledger()?;
    // Its ending says what it is, and its name is kept with what it settles.
    let folder = desk.folder().join(LIST_FOLDER);
    // Two windows may drop a list at once.
    let new = files::scratch(&desk.folder(), "list")?;
    create_private_folder(&new)?;
    std::fs::rename(&file.path, new.join(&file.name))?;
    // What is no list takes the place of none.
    if let Err(error) = desk.app().read_statement(&new.join(&file.name), StatementOptions::default()) {
        let _ = std::fs::remove_dir_all(&new);
        return Err(error.into());
    }
    // Orders that are being staged look at the one or at the other, and the ledger goes nowhere meanwhile.
    let _lock = desk.app().take_in()?;
    // Those of before keep orders back until they are set aside, and one of the same name is another list.
    create_private_folder(&folder)?;
    let name = free_name(&folder, &file.name, &new.join(&file.name))?;
    std::fs::rename(new.join(&file.name), folder.join(&name))?;
    let _ = std::fs::remove_dir_all(&new);
    Ok(format!("statement?name={}", page::encoded(&name)))
}

/// The name that a list gets beside others: its own, unless another list has it already.
fn free_name(folder: &Path, name: &str, list: &Path) -> Result<String> {
    let content = std::fs::read(list)?;
    let is_free = |name: &String| {
        let path = folder.join(name);
        !path.exists() || std::fs::read(path).is_ok_and(|own| own == content)
    };
    let (stem, ending) = name.rsplit_once('.').map_or((name, String::new()), |(stem, own)| (stem, format!(".{own}")));
    let numbered = (2..=LISTS_MAX).map(|n| format!("{stem} ({n}){ending}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(is_free).ok_or_else(|| Trouble::Typed(format!("Too many lists are called {name}: forget some first")))
}

/// The file of that name, and of no other folder.
fn file(desk: &Desk, name: &str) -> Result<PathBuf> {
    let path = desk.folder().join(LIST_FOLDER).join(name);
    let is_plain = path.file_name().is_some_and(|own| own == name) && path.is_file();
    if is_plain { Ok(path) } else { Err(Trouble::Changed("This list is no longer here".to_owned())) }
}

pub(super) fn compared(desk: &Desk, asked: &Asked) -> Result<Page> {
    let app = desk.app();
    let path = file(desk, &asked.name)?;
    let statement = app.read_statement(&path, StatementOptions::default()).map_err(Trouble::App)?;
    let reconciled = app.compare(None, statement, CompareOptions::default())?;
    let body = html! {
        section aria-labelledby="list" {
            h1 #list { "The courier's list" }
            p.soft { (reconciled.statement.name) ", " (words::count(reconciled.statement.entries.len() as u64, "row")) }
            (settled(desk, &upon(&asked.name, &path)?, &reconciled))
            (page::at_this_station(desk, LISTS))
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

fn settled(desk: &Desk, upon: &Markup, reconciled: &Reconciled) -> Markup {
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
            (upon)
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

/// A way to set a list aside, where one that can no longer be read stops what a person wanted to do.
pub(super) fn of_trouble(desk: &Desk, trouble: &Trouble) -> Markup {
    let is_of_list = matches!(trouble, Trouble::App(app::Error::Statement(_)));
    let is_unread = |name: &String| {
        let path = desk.folder().join(LIST_FOLDER).join(name);
        desk.app().read_statement(&path, StatementOptions::default()).is_err()
    };
    let unread = if is_of_list { names(desk).into_iter().find(is_unread) } else { None };
    html! { @if let Some(name) = unread { (set_aside(desk, &name)) } }
}

/// A way to set this list aside, which can no longer be read.
pub(super) fn set_aside(desk: &Desk, name: &str) -> Markup {
    let path = desk.folder().join(LIST_FOLDER).join(name);
    // What cannot be read at all is told from others by nothing but its name.
    let upon = upon(name, &path).unwrap_or_else(|_| html! { input type="hidden" name="name" value=(name); });
    page::notice(
        Tone::Warn,
        &html! {
            p { b { "The courier's list " (name) " can no longer be read." } " Nothing is sent while it is here: the courier may have orders of it already." }
            p { "Drop the list once more under " a href="doubts" { "In doubt" } ". Or set it aside, if you know that its orders may be sent." }
            (page::form(desk, "statement/settle", &html! {
                (upon)
                input type="hidden" name="stamp" value="";
                button name="what" value="forget" { "Set " (name) " aside" }
            }))
        },
    )
}

/// The lists that are here, by their names.
fn names(desk: &Desk) -> Vec<String> {
    let entries = std::fs::read_dir(desk.folder().join(LIST_FOLDER)).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// The lists that were dropped and keep orders back until they are set aside.
pub(super) fn dropped(desk: &Desk) -> Markup {
    let names = names(desk);
    html! {
        @for name in &names {
            p { "The list " a href={ "statement?name=" (page::encoded(name)) } { (name) } " is here. Orders in it count as booked, and are not sent, until you forget the list." }
        }
        @if !names.is_empty() { (page::at_this_station(desk, LISTS)) }
    }
}

/// Whether an order could still be sent from here.
fn is_unsent(state: &str) -> bool {
    [State::Staged, State::Waiting, State::Rejected, State::Refused].iter().any(|own| own.as_str() == state)
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
    let path = file(desk, &agreed.name)?;
    let lock = DeskLock::of(app.config().ledger())?;
    if sha256(&path).unwrap_or_default() != agreed.list {
        return Err(Trouble::Changed(format!("Another list is called {} by now", agreed.name)));
    }
    if agreed.what == "forget" {
        let aside = desk.folder().join(ASIDE);
        create_private_folder(&aside)?;
        std::fs::rename(&path, aside.join(&agreed.name))?;
        let done = format!("{} is set aside. It keeps no orders back any more.", agreed.name);
        return Ok(desk.say("doubts", &done));
    }
    drop(lock);
    let statement = app.read_statement(&path, StatementOptions::default())?;
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
