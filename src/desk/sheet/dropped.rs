//! Sheets that are dropped: each becomes a draft, which Home names until it is booked or discarded.

use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use jiff::Timestamp;
use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft::{self, DraftEntry, Drafts, KeptBack, UnreadDraft, plain_name};
use crate::app::{self, App};
use crate::ledger::Ledger;
use crate::text::list;

use super::super::answer::Result;
use super::super::drafts::Doing;
use super::super::page::{self, Page, Part, Tone};
use super::super::state::Desk;
use super::super::trouble::Trouble;
use super::super::upload::Uploaded;
use super::super::words;
use super::frame::{self, Of, leads, place};
use super::saved;

/// Drafts of which nothing was said for so long are cleared, in milliseconds.
const KEPT_MS: i64 = 30 * 24 * 60 * 60 * 1000;

/// Stands for what was said of a sheet that cannot be read.
const UNREAD: &str = "unread";

/// Clears what nobody has touched for a month.
pub(in super::super) fn clear_old(desk: &Desk, now_ms: i64) {
    // What cannot be cleared now is cleared the next time.
    let _ = desk.app().clear_drafts(now_ms.saturating_sub(KEPT_MS));
}

pub(in super::super) fn take(desk: &Arc<Desk>, uploaded: &Uploaded) -> Result<String> {
    let app = desk.app();
    clear_old(desk, Timestamp::now().as_millisecond());
    let (mut ids, mut came, mut last) = (Vec::new(), Vec::new(), Vec::new());
    for file in &uploaded.files {
        if let Some(known) = app.draft_of_sheet(&file.path)? {
            let before = if known.is_over { "came before" } else { "was open already" };
            let same = if known.file == plain_name(&file.name) {
                format!("{} {before}", file.name)
            } else {
                format!("{} is the same sheet as {}, which {before}", file.name, known.file)
            };
            came.push(format!("{same}. Here it is as you left it."));
            ids.push(known.id);
            continue;
        }
        match app.new_draft(&file.name, &mut File::open(&file.path)?) {
            Ok(draft) => {
                desk.drafts.came(draft.id());
                ids.push(draft.id().to_owned());
            }
            Err(error) if uploaded.files.len() == 1 => return Err(error.into()),
            Err(error) => last.push(Trouble::from(error).sentence()),
        }
    }
    if let [only] = &ids[..]
        && last.is_empty()
    {
        let first = place(only, "begin");
        return Ok(came.first().map_or_else(|| first.clone(), |said| desk.say(&first, said)));
    }
    for id in &ids {
        // Why one cannot be read is said on Home.
        last.extend(desk.drafts.begin(&app, id).err().map(|trouble| trouble.sentence()));
    }
    if !last.is_empty() {
        return Ok(desk.warn("", &last.join(" ")));
    }
    came.insert(0, format!("{} came in.", words::count(ids.len() as u64, "sheet")));
    Ok(desk.say("", &came.join(" ")))
}

/// What a person saw of a sheet that is to be discarded.
#[derive(Deserialize)]
pub(in super::super) struct Seen {
    id: String,
    /// How often something had been said of it; a word of its own of one that cannot be read.
    #[serde(default)]
    revision: String,
    /// The orders that would be given up with it.
    #[serde(default)]
    kept: String,
}

/// Asks before answers are thrown away with a sheet.
pub(in super::super) fn offer_discard(desk: &Desk, of: &Of) -> Result<Page> {
    let app = desk.app();
    if is_unread(desk, &of.id)? {
        return offer_discard_unread(desk, of);
    }
    let entry =
        draft::all(&app.read_ledger()?)?.entries.into_iter().find(|entry| entry.id == of.id).ok_or(Trouble::NoPage)?;
    let kept_back = kept_back(&app, &of.id)?;
    let body = html! {
        section {
            h1 { "Discard " (entry.file) "?" }
            @if entry.steps > 0 { p { (words::capital(&words::count(entry.steps as u64, "change"))) " that you made here would be lost." } }
            p { "Your own file is not changed." @if let Some(run) = entry.runs.last() { " My sheet with AWBs is not offered any more for run " (run) "." } }
            @if !kept_back.is_empty() { (page::notice(Tone::Warn, &html! {
                p { b { (words::count(kept_back.len() as u64, "order")) " would be given up with it: " } (list(&kept_back, "and")) ". In this sheet they are changed, held, left out or taken away, and Resume or Retry would send them as they were." }
                p { "Until you say otherwise on an order's own page, nothing sends it again." }
            })) }
            (page::form(desk, &place(&of.id, "discard"), &html! {
                input type="hidden" name="revision" value=(entry.revision);
                input type="hidden" name="kept" value=(stamp(&kept_back));
                div.row.end { a.button href="" { "Keep it" } span.grow {} button.bad { "Discard it" } }
            }))
        }
    };
    Ok(Page { title: format!("Discard {}", entry.file), part: Part::Home, body })
}

/// The same of a sheet that cannot be read.
fn offer_discard_unread(desk: &Desk, of: &Of) -> Result<Page> {
    let held = desk.app().held_by_draft(&of.id)?;
    let body = html! {
        section {
            h1 { "Discard the sheet that cannot be read?" }
            @if !held.is_empty() { (page::notice(Tone::Warn, &html! {
                p { b { (words::count(held.len() as u64, "order")) " held by it: " } (list(&held, "and")) ". Once it is discarded, Resume and Retry send them as they were." }
                p { "Open each order that should not go, and give it up first." }
            })) }
            (page::form(desk, &place(&of.id, "discard"), &html! {
                input type="hidden" name="revision" value=(UNREAD);
                div.row.end { a.button href="" { "Keep it" } span.grow {} button.bad { "Discard it" } }
            }))
        }
    };
    Ok(Page { title: "Discard a sheet".to_owned(), part: Part::Home, body })
}

fn is_unread(desk: &Desk, id: &str) -> Result<bool> {
    let drafts = desk.ledger()?.map_or_else(|| Ok(Drafts::default()), |ledger| draft::all(&ledger))?;
    Ok(drafts.unread.iter().any(|own| own.id == id))
}

pub(in super::super) fn discard(desk: &Arc<Desk>, seen: &Seen) -> Result<String> {
    let app = desk.app();
    if is_unread(desk, &seen.id)? {
        if seen.revision != UNREAD {
            return Err(Trouble::Changed("That sheet cannot be read any more, so it was not discarded".to_owned()));
        }
        app.clear_draft(&seen.id, None)?;
        return Ok(desk.say("", "The sheet that could not be read is discarded. Your own file is not changed."));
    }
    let draft = app.draft(&seen.id)?;
    let file = draft.file().to_owned();
    match desk.drafts.forget(&seen.id) {
        Some(Doing::Booked) => return Err(Trouble::Busy("the orders of this sheet are being booked")),
        Some(_) => return Err(Trouble::Busy("this sheet is being read")),
        None => {}
    }
    let kept_back = kept_back(&app, &seen.id)?;
    if draft.revision().to_string() != seen.revision || (!kept_back.is_empty() && stamp(&kept_back) != seen.kept) {
        return Err(Trouble::Changed(format!("{file} was changed since you looked, so it was not discarded")));
    }
    app.give_up(&kept_back, &format!("changed, held or left out in {file}, which was discarded"))?;
    app.clear_draft(&seen.id, Some(draft.revision()))?;
    let given_up = words::count(kept_back.len() as u64, "order");
    let was = if kept_back.len() == 1 { "was" } else { "were" };
    let more = if kept_back.is_empty() { String::new() } else { format!(" {given_up} {was} given up with it.") };
    Ok(desk.say("", &format!("{file} is discarded. Your own file is not changed.{more}")))
}

/// The orders that nothing but this sheet keeps from being sent. One in doubt is settled first: what is said of it here holds
/// for whatever comes of that.
fn kept_back(app: &App, id: &str) -> Result<Vec<String>> {
    let mut draft = app.draft(id)?;
    let (in_doubt, kept): (Vec<_>, Vec<_>) = draft.keeps_back(app)?.into_iter().partition(|own| own.in_doubt);
    let numbers = |own: Vec<KeptBack>| own.into_iter().map(|own| own.number).collect::<Vec<String>>();
    if in_doubt.is_empty() {
        return Ok(numbers(kept));
    }
    let (file, orders) = (draft.file(), list(&numbers(in_doubt), "and"));
    Err(Trouble::Typed(format!("{file} holds or leaves out {orders}, still in doubt. Settle that under Doubts first")))
}

/// What tells these orders from any others.
fn stamp(orders: &[String]) -> String {
    let mut hasher = DefaultHasher::new();
    orders.hash(&mut hasher);
    hasher.finish().to_string()
}

/// Sheets that are there and cannot be read.
fn unread(sheets: &[UnreadDraft]) -> Markup {
    html! {
        @for own in sheets {
            (page::notice(Tone::Bad, &html! {
                p { b { (own.file) ", which is open, cannot be read: " (words::without_codes(&own.why)) "." } }
                p { "The orders that it holds stay held. Ask whoever looks after this computer, or discard it." }
                p { a.button href=(place(&own.id, "discard")) { "Discard it" } }
            }))
        }
    }
}

/// The sheets that the ledger has.
#[derive(Default)]
pub(in super::super) struct Sheets {
    pub(in super::super) open: Vec<DraftEntry>,
    /// Those with which nothing is left to do; those that go on to keep orders back come first.
    over: Vec<DraftEntry>,
    unread: Vec<UnreadDraft>,
}

impl Sheets {
    pub(in super::super) fn read(ledger: &Ledger) -> app::Result<Self> {
        let Drafts { entries, unread } = draft::all(ledger)?;
        let (mut over, open): (Vec<_>, _) = entries.into_iter().partition(|draft| draft.is_over);
        over.sort_by_key(|draft| !draft.rest.keeps_back);
        Ok(Self { open, over, unread })
    }
}

/// The place where sheets are dropped, and those that are there.
pub(in super::super) fn home(desk: &Desk, Sheets { open: drafts, over, unread: unreadable }: &Sheets) -> Markup {
    let failures = desk.drafts.failures();
    html! {
        (unread(unreadable))
        @for trouble in &failures { (page::notice(Tone::Bad, &html! { p { b { (trouble.sentence()) } } p { (trouble.advice()) } })) }
        section aria-labelledby="drop" {
            (page::upload(desk, "sheets", &html! {
                h2 #drop { "Drop an order sheet anywhere on this page" }
                p.soft { "Excel, CSV, or what your shop exports. Nothing is sent until you say so." }
                label.button.main { "Choose a sheet" input.unseen type="file" name="file" aria-label="Order sheet" multiple data-send; }
                noscript { button { "Read it" } }
            }))
            @if !drafts.is_empty() {
                h2 { "Open sheets" }
                ul.open { @for draft in drafts.iter().take(20) { (one(desk, draft)) } }
            }
            @if !over.is_empty() {
                details {
                    summary { (words::count(over.len() as u64, "finished sheet")) }
                    ul.open { @for (place, draft) in over.iter().enumerate() { @if place < 20 || draft.rest.keeps_back { (one(desk, draft)) } } }
                }
            }
        }
    }
}

fn one(desk: &Desk, draft: &DraftEntry) -> Markup {
    html! {
        li {
            span.grow { b { (draft.file) } " " span.soft { (words::moment(draft.added_ms)) ". " (how_far(desk, draft)) } }
            (saved::other_worksheets(desk, draft))
            @if draft.is_over { a.button href=(place(&draft.id, "check")) aria-label={ "Open " (draft.file) } { "Open" } }
            @else { (leads(&place(&draft.id, "begin"), "", "Go on")) }
            @if draft.steps > 0 || !draft.runs.is_empty() { a.button href=(place(&draft.id, "discard")) aria-label={ "Discard " (draft.file) } { "Discard" } }
            @else { (page::form(desk, &place(&draft.id, "discard"), &html! {
                input type="hidden" name="revision" value=(draft.revision);
                button aria-label={ "Discard " (draft.file) } { "Discard" }
            })) }
        }
    }
}

/// How far a sheet is, as far as that is known without reading it.
fn how_far(desk: &Desk, draft: &DraftEntry) -> String {
    if let Some(counts) = desk.drafts.glance(&draft.id, frame::counts) {
        return words::capital(&counts) + ".";
    }
    match desk.drafts.doing(&draft.id) {
        Some(Doing::Booked) => return "Its orders are being booked.".to_owned(),
        Some(_) => return "It is being read.".to_owned(),
        None => {}
    }
    match (draft.runs.last(), draft.steps) {
        (Some(run), _) if draft.is_over && draft.rest.keeps_back => {
            format!("Booked, as run {run}, but for what was held or left out.")
        }
        (Some(run), _) if draft.is_over => format!("Booked, as run {run}."),
        (Some(run), _) => format!("Booked in part, as run {run}."),
        (None, 0) => "Nothing was changed yet.".to_owned(),
        (None, steps) => format!("{}.", words::capital(&words::count(steps as u64, "change"))),
    }
}
