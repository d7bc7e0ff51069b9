//! Columns: what each column of a sheet is taken for and why, and what all its orders lack, asked once.

use std::collections::BTreeMap;
use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft::{DefaultAsked, Draft, DraftAnswer, DraftColumn, DraftSheet, other_worksheets};
use crate::app::{self, App, ColumnReason, ColumnRole, Feeding, LayoutChange, LayoutQuestion, Reading};
use crate::event::Stream;
use crate::field::{FIELDS, Field, Kind, Version};
use crate::finding::{Finding, Remedy};
use crate::sheet::SheetError;
use crate::stage::StageError;
use crate::text::{list, shortened};

use super::super::answer::{Result, Shown};
use super::super::constant::{of_warehouses, value_for_all};
use super::super::drafts::{Doing, Taken};
use super::super::page::{self, Tone};
use super::super::said::Slip;
use super::super::state::Desk;
use super::super::trouble::Trouble;
use super::super::{layouts, words};
use super::frame::{HEADER_MAX, Of, Screen, opened, orders, place};
use super::mend::{BUSY, CHANGED};
use super::menu::{AS_IT_IS, NOT_SENT, OTHERWISE, choice, fields, menu};
use super::menu::{BY_HEADER, because, parted};
use super::{asked, lacks, said, values};

/// Columns of a page.
const COLUMNS_MAX: usize = 120;

/// Shows the first screen of a sheet: its columns where something about them is unsure, else what its orders come to.
pub(in super::super) fn begin(desk: &Desk, of: &Of) -> Result<Shown> {
    let mut taken = match opened(desk, &of.id, "begin") {
        Ok(Ok(taken)) => taken,
        Ok(Err(waiting)) => return Ok(waiting),
        Err(trouble) => return unreadable(desk, &of.id, trouble),
    };
    let is_usable = taken.result()?.is_usable();
    let draft = taken.draft_mut()?;
    let is_new = draft.revision() == 0;
    let sheets = draft.columns(&desk.app(), &mut Stream::silent())?;
    let is_by_cells = |column: &DraftColumn| column.because == ColumnReason::Cells;
    let is_unsure = sheets.iter().any(|sheet| {
        let is_asked = !sheet.values.is_empty() || sheet.amounts.is_some() || sheet.has_lines_below;
        let is_asked = is_asked || sheet.measure.is_some();
        is_asked || asked::of_headers(sheet).is_some() || sheet.columns.iter().any(is_by_cells)
    });
    let screen = if !is_usable || (is_new && is_unsure) { "columns" } else { "check" };
    Ok(Shown::Instead(place(&of.id, screen)))
}

/// Which draft, whether each menu is whole, whether a person went on without what is missing, and what cannot be kept.
#[derive(Deserialize)]
pub(in super::super) struct Asked {
    id: String,
    all: Option<String>,
    missing: Option<String>,
    #[serde(flatten)]
    typed: BTreeMap<String, String>,
}

pub(in super::super) fn columns(desk: &Desk, of: &Asked) -> Result<Shown> {
    let mut taken = match opened(desk, &of.id, "columns") {
        Ok(Ok(taken)) => taken,
        Ok(Err(waiting)) => return Ok(waiting),
        Err(trouble) => return unreadable(desk, &of.id, trouble),
    };
    let (app, is_usable, count) = (desk.app(), taken.result()?.is_usable(), orders(taken.result()?));
    let wanted = taken.layout_wanted();
    let draft = taken.draft_mut()?;
    let sheets = draft.columns(&app, &mut Stream::silent())?;
    let version = draft.reading().map(|reading| reading.rules().version).unwrap_or_default();
    let button =
        if is_usable { format!("Check {}", words::count(count, "order")) } else { "Check the orders".to_owned() };
    let screen = Screen { id: &of.id, file: draft.file(), step: "columns" };
    let body = html! {
        section aria-label="Columns" {
            (screen.head(&html! { @if is_usable { ", " (words::count(count, "order")) } }))
            (page::form(desk, &place(&of.id, "columns"), &html! {
                input type="hidden" name="revision" value=(draft.revision());
                button.unseen name="go" value="check" tabindex="-1" aria-hidden="true" { "Go on" }
                @if is_usable && count == 0 { (page::notice(Tone::Warn, &html! { p { b { "There is no order below the headers of this sheet." } " Are they in another row, or is it the wrong worksheet?" } })) }
                @for sheet in &sheets { (asked::headers(sheet)) (problems(sheet)) }
                (profiles(draft)?)
                @for (number, sheet) in sheets.iter().enumerate() { (lacks::columns(number, sheet, of.missing.is_some())) }
                @if sheets.iter().any(|sheet| !sheet.defaults.is_empty()) { (defaults((&app, draft), &sheets, of)) }
                @for (number, sheet) in sheets.iter().enumerate() { (values::questions(number, sheet)) }
                (fields(version))
                @for (number, sheet) in sheets.iter().enumerate() { (asked::price(number, sheet, &of.typed, of.missing.is_some())) (asked::measure(number, sheet, &of.typed)) }
                @for (number, sheet) in sheets.iter().enumerate() { (table(number, sheet, of.all.is_some().then_some(version))) }
                @if of.all.is_none() { noscript { p { a href={ (place(&of.id, "columns")) "?all=yes" } { "Change what columns are" } } } }
                div.row.end {
                    label.tick { input type="checkbox" name="remember" value="yes" checked[wanted.is_some()]; " Remember for sheets like this" }
                    label.called { "as " input name="called" value=(wanted.unwrap_or_else(|| layouts::name_of(draft.file()))) aria-label="Name of this layout" maxlength="60" autocomplete="off"; }
                    span.grow {}
                    button.main name="go" value="check" { (button) }
                }
                @for sheet in &sheets { (elsewhere(sheet)) }
            }))
        }
    };
    Ok(screen.page(body))
}

/// The worksheets of which one is meant.
fn worksheets(trouble: &Trouble) -> Option<&[String]> {
    match trouble {
        Trouble::App(app::Error::Stage(StageError::Sheet(SheetError::SeveralWorksheets { each, .. }))) => Some(each),
        _ => None,
    }
}

/// A sheet that cannot be read before a person says which part of it is meant, or as what was said of it has it.
fn unreadable(desk: &Desk, id: &str, trouble: Trouble) -> Result<Shown> {
    let Ok(draft) = desk.app().draft(id) else { return Err(trouble) };
    let worksheets = worksheets(&trouble);
    if worksheets.is_none() && draft.can_undo().is_none() {
        return Err(trouble);
    }
    let screen = Screen { id, file: draft.file(), step: "columns" };
    let body = html! {
        section aria-label="Columns" {
            (screen.head(&html! {}))
            @if let Some(worksheets) = worksheets {
                (page::form(desk, &place(id, "columns"), &html! {
                    input type="hidden" name="revision" value=(draft.revision());
                    h2 { "Which worksheet has the orders?" }
                    div.row { @for name in worksheets.iter().take(COLUMNS_MAX) { button name="worksheet" value=(name) { (shortened(name, HEADER_MAX)) } } }
                }))
            } @else {
                (page::notice(Tone::Bad, &html! { p { b { (trouble.sentence()) } } p { "Take back what you said last, or discard the sheet on Home. Your own file is not changed." } }))
                (page::form(desk, &place(id, "answer"), &html! {
                    input type="hidden" name="revision" value=(draft.revision());
                    input type="hidden" name="back" value="columns";
                    button name="undo" value="yes" { "Undo" }
                }))
            }
        }
    };
    Ok(screen.page(body))
}

/// What keeps the sheet from being used, where no value for all orders and no profile answers it.
fn problems(sheet: &DraftSheet) -> Markup {
    let is_asked = |finding: &&Finding| {
        sheet.missing.iter().any(|field| finding.is_on(field.path)) || finding.id == crate::finding::Id::AmbiguousLayout
    };
    html! {
        @for finding in sheet.problems.iter().filter(|finding| finding.holds() && !is_asked(finding)) {
            (page::notice(Tone::Bad, &html! { p { (said::message(finding)) " " (said::at(finding)) } }))
            @for remedy in &finding.remedies {
                @if let Remedy::ChooseWorksheet { name: Some(name) } = remedy { button name="worksheet" value=(name) { "Read “" (name) "”" } }
            }
        }
    }
}

/// The profiles of which one is meant, each with whether it stands for none of them.
fn fitting(draft: &Draft) -> Result<Vec<(String, bool)>> {
    let question = draft.reading().map(Reading::question).transpose()?.flatten();
    let Some(LayoutQuestion::Several { profiles, .. }) = question else { return Ok(Vec::new()) };
    Ok(profiles.into_iter().map(|profile| (profile.name.clone(), profile.is_by_headers())).collect())
}

fn profiles(draft: &Draft) -> Result<Markup> {
    let fitting = fitting(draft)?;
    Ok(html! {
        @if !fitting.is_empty() {
            h2 { @if fitting.iter().any(|own| own.1) { "It looks like this layout, but lacks a column of it. Is it?" } @else { "Several layouts fit. Which one is it?" } }
            div.row { @for (name, is_none) in &fitting { button name="profile" value=(name) { @if *is_none { "None of these: another sheet" } @else { (name) } } } }
        }
    })
}

fn defaults(of: (&App, &Draft), sheets: &[DraftSheet], Asked { missing, typed, .. }: &Asked) -> Markup {
    let mut asked: Vec<&DefaultAsked> = Vec::new();
    for own in sheets.iter().flat_map(|sheet| &sheet.defaults) {
        if !asked.iter().any(|known| known.field.id == own.field.id) {
            asked.push(own);
        }
    }
    html! {
        @if asked.iter().all(|own| own.value.is_some()) {
            h2 { "The same for every order" }
            p.soft { "As it was last time. Change what is different today." }
        } @else {
            h2 { "Every order also needs" }
            p.soft { "No column holds these. One value for all orders of this sheet will do. The warehouse is the name or id that your courier account has for the place of pickup." }
        }
        @if asked.iter().any(|own| own.field.kind == Kind::Warehouse) { (of_warehouses(of.0)) }
        div.fields.defaults { @for own in asked { (default(of, own, typed.get(&name_of_default(own.field)), missing.is_some())) } }
    }
}

fn name_of_default(field: &Field) -> String {
    format!("default.{}", field.path)
}

/// A value for all orders; with what was typed, and why that cannot be meant. Marked where a person went on without.
fn default((app, draft): (&App, &Draft), asked: &DefaultAsked, typed: Option<&String>, is_marked: bool) -> Markup {
    let DefaultAsked { field, value } = asked;
    // Parcels go within India unless somebody says otherwise.
    let usual = match field.kind {
        Kind::CountryCode => "IN",
        Kind::Quantity => "1",
        _ => "",
    };
    let value = typed.or(value.as_ref()).map_or(usual, String::as_str);
    let why = draft.value_for_all(asked.field, value).err().filter(|_| typed.is_some());
    html! {
        div.bad[why.is_some() || (is_marked && asked.value.is_none())] {
            (value_for_all(app, field, &name_of_default(field), value))
            @if let Some(why) = why { p.said.bad { (Trouble::from(why).sentence()) } }
        }
    }
}

fn table(number: usize, sheet: &DraftSheet, version: Option<Version>) -> Markup {
    let (unsure, others): (Vec<&DraftColumn>, Vec<&DraftColumn>) = sheet.columns.iter().partition(|own| is_unsure(own));
    let (unknown, clear): (Vec<&DraftColumn>, Vec<&DraftColumn>) =
        others.into_iter().partition(|own| own.because == ColumnReason::Nothing);
    let room = COLUMNS_MAX.saturating_sub(unsure.len());
    let more = sheet.columns.len().saturating_sub(COLUMNS_MAX);
    html! {
        @if !unsure.is_empty() {
            h2 { "Is this right?" }
            (rows(number, unsure.iter().take(COLUMNS_MAX), version))
        }
        (folded(number, &clear, (" clear: ", room, unsure.is_empty()), version))
        (folded(number, &unknown, (" not known, and not sent: ", room.saturating_sub(clear.len()), false), version))
        @if more > 0 { p.soft { (words::count(more as u64, "more column")) " of this sheet stay as they are." } }
    }
}

/// Columns that nobody has to look at.
fn folded(number: usize, all: &[&DraftColumn], how: (&str, usize, bool), version: Option<Version>) -> Markup {
    let (said, room, is_open) = how;
    let headers: Vec<&str> = all.iter().map(|column| column.header.as_str()).collect();
    html! {
        @if !all.is_empty() {
            details open[is_open] {
                summary { (words::count(all.len() as u64, "column")) (if all.len() == 1 { " is" } else { " are" }) (said) (shortened(&headers.join(", "), 160)) }
                (rows(number, all.iter().take(room), version))
            }
        }
    }
}

/// Whether a person should look at what a column is taken for.
fn is_unsure(column: &DraftColumn) -> bool {
    column.because == ColumnReason::Cells
        || column.is == [ColumnRole::LeftOut] && column.because == ColumnReason::Nothing
}

fn rows<'c>(number: usize, columns: impl Iterator<Item = &'c &'c DraftColumn>, version: Option<Version>) -> Markup {
    let columns: Vec<(&DraftColumn, String)> = columns.map(|column| (*column, because(column))).collect();
    let (by_header, others): (Vec<_>, Vec<_>) = columns.iter().partition(|(_, why)| why == BY_HEADER);
    let others = others.len();
    html! {
        @if !by_header.is_empty() {
            p.soft { @if others == 0 { "Their headers say what they are." } @else { "Where nothing stands under Because, the header says it." } }
        }
        table.cards {
            thead { tr { th { "Column" } th { "First values" } th { "Is" } @if others > 0 { th { "Because" } } } }
            tbody {
                @for (column, why) in &columns {
                    tr {
                        td { b { (shortened(&column.header, HEADER_MAX)) } " " span.soft { (column.letter) } }
                        td.soft.values { (shortened(&column.values.join(" · "), 90)) }
                        td { (menu(number, column, version)) (parted(column)) }
                        @if others > 0 { td.soft { @if why != BY_HEADER { (why) } } }
                    }
                }
            }
        }
    }
}

/// Another worksheet or row of headers.
fn elsewhere(sheet: &DraftSheet) -> Markup {
    html! {
        details {
            summary { "The headers are in another row, or on another worksheet" }
            div.row {
                label { "Row of the headers (0 if there are none)" input name="header_row" inputmode="numeric" size="5" placeholder=(sheet.header_row) autocomplete="off"; }
                button name="go" value="header" { "Read it so" }
                @for name in other_worksheets(&sheet.problems) { button name="worksheet" value=(name) { "Read “" (shortened(name, HEADER_MAX)) "”" } }
            }
        }
    }
}

/// What was chosen.
#[derive(Deserialize)]
pub(in super::super) struct Chosen {
    id: String,
    revision: String,
    #[serde(default)]
    go: String,
    worksheet: Option<String>,
    profile: Option<String>,
    #[serde(default)]
    header_row: String,
    /// The row of the headers, 0 if there are none, by a button.
    names_in: Option<u32>,
    remember: Option<String>,
    #[serde(default)]
    called: String,
    #[serde(flatten)]
    fields: BTreeMap<String, String>,
}

pub(in super::super) fn choose(desk: &Arc<Desk>, chosen: &Chosen) -> Result<String> {
    let (app, to) = (desk.app(), place(&chosen.id, "check"));
    let Some(mut taken) = desk.drafts.take(&app, &chosen.id)? else { return Ok(desk.warn(&to, BUSY)) };
    if taken.draft()?.revision().to_string() != chosen.revision {
        return Ok(desk.warn(&place(&chosen.id, "columns"), CHANGED));
    }
    let called = layouts::called(&chosen.called, taken.draft()?.file());
    // The tick stays until the layout is kept, or a person takes it away.
    let called = chosen.remember.as_ref().map(|_| called);
    taken.wants_layout(called.as_deref());
    let reread = match (&chosen.worksheet, &chosen.profile, chosen.go.as_str()) {
        (Some(name), ..) => Some(DraftAnswer::Worksheet { name: name.clone() }),
        (_, Some(name), _) if !fitting(taken.draft()?)?.iter().any(|own| own.0 == *name) => {
            return Err(Trouble::NotOurs);
        }
        (_, Some(name), _) => Some(DraftAnswer::Profile { name: Some(name.clone()) }),
        _ if chosen.names_in.is_some() => chosen.names_in.map(|row| DraftAnswer::HeaderRow { row }),
        (_, _, "header") => {
            let not_one = |_| Trouble::Typed("This is not the number of a row".to_owned());
            let row = chosen.header_row.trim().parse().map_err(not_one)?;
            Some(DraftAnswer::HeaderRow { row })
        }
        _ => None,
    };
    if reread.is_none()
        && let Some(typed) = mistyped(&app, taken.draft_mut()?, &chosen.fields)?
    {
        return Ok(format!("{}?{typed}", place(&chosen.id, "columns")));
    }
    let answers = if reread.is_some() { Vec::new() } else { answers(&app, taken.draft_mut()?, &chosen.fields)? };
    let keep_as = called.filter(|_| reread.is_none());
    let is_reread = reread.is_some();
    // A layout by which a sheet is read already is remembered anew.
    let in_use: Vec<String> = if keep_as.is_some() {
        let sheets = taken.draft_mut()?.columns(&app, &mut Stream::silent())?;
        sheets.into_iter().filter_map(|sheet| sheet.profile).collect()
    } else {
        Vec::new()
    };
    let slip = desk.slip();
    let to = slip.at(&if is_reread { place(&chosen.id, "columns") } else { to });
    // What came of it is said by the work itself: a page may not wait so long.
    let desk = Arc::clone(desk);
    taken.work(Doing::Read, move |taken| {
        let (draft, events) = (taken.draft_mut()?, &mut Stream::silent());
        if let Some(answer) = reread {
            let before = draft.revision();
            if let Err(error) = draft.answer(&app, answer, events) {
                if draft.revision() > before {
                    // The sheet cannot be read so: it stays as it was.
                    let _ = draft.undo(&app, events);
                }
                return Err(error.into());
            }
        } else if !answers.is_empty() {
            draft.answer_all(&app, answers, events)?;
        }
        ends(&desk, &slip, taken, (keep_as, &in_use), is_reread)
    })?;
    Ok(to)
}

/// Says what is missing beside what was asked, or keeps the layout that a person wants.
fn ends(
    desk: &Desk,
    slip: &Slip,
    taken: &mut Taken,
    (keep_as, in_use): (Option<String>, &[String]),
    is_reread: bool,
) -> Result<()> {
    let (app, draft, events) = (desk.app(), taken.draft_mut()?, &mut Stream::silent());
    let missing = lacks::still(&draft.columns(&app, events)?);
    let checked = draft.check(&app, events)?;
    let is_said = !checked.is_usable() && !is_reread && !missing.is_empty();
    let needed = is_said.then(|| format!("Still needed for every order: {}.", list(&missing, "and")));
    match (keep_as, needed) {
        // By half a layout, sheets like this would be taken for known ones, and none of their orders could go.
        (Some(name), None) if checked.has_whole_order() => {
            let kept = draft.keep_profile(&app, &name, in_use.contains(&name), events);
            if kept.is_ok() {
                taken.wants_layout(None);
            }
            layouts::tell(desk, slip, kept);
        }
        (Some(_), needed) => desk.write_warning(slip, &layouts::not_yet(needed.as_deref())),
        (None, Some(needed)) => desk.write_warning(slip, &needed),
        (None, None) => {}
    }
    Ok(())
}

/// What was typed and chosen, behind the question mark, where a value for all orders cannot be meant.
fn mistyped(app: &App, draft: &mut Draft, fields: &BTreeMap<String, String>) -> Result<Option<String>> {
    let asked = draft.columns(app, &mut Stream::silent())?.into_iter().flat_map(|sheet| sheet.defaults);
    let typed = asked.filter_map(|own| Some((own.field, fields.get(&name_of_default(own.field))?.trim())));
    let typed: Vec<(&Field, &str)> = typed.collect();
    let is_wrong = typed.iter().any(|own| draft.value_for_all(own.0, own.1).is_err());
    let chosen = fields.iter().filter(|(name, _)| ["is.", "unit."].iter().any(|own| name.starts_with(own)));
    let each = typed.iter().map(|(field, text)| (name_of_default(field), *text));
    let all = each.chain(chosen.map(|(name, text)| (name.clone(), text.as_str())));
    let all = all.map(|(name, text)| format!("{name}={}", page::encoded(text)));
    Ok(is_wrong.then(|| all.collect::<Vec<_>>().join("&")))
}

/// What is not as it was shown.
fn answers(app: &App, draft: &mut Draft, fields: &BTreeMap<String, String>) -> Result<Vec<DraftAnswer>> {
    let sheets = draft.columns(app, &mut Stream::silent())?;
    let mut answers = Vec::new();
    for (number, sheet) in sheets.iter().enumerate() {
        for column in &sheet.columns {
            let said = |what: &str| fields.get(&format!("{what}.{number}.{}", column.column));
            let Some(wanted) = said("is").or_else(|| said("col")) else { continue };
            let field = wanted.parse().ok().and_then(|index: usize| FIELDS.get(index)).map(|field| field.path);
            let wanted = field.unwrap_or(wanted.as_str());
            if wanted == choice(column) || wanted == AS_IT_IS {
                continue;
            }
            let (field, how) = match OTHERWISE.iter().find(|(value, ..)| *value == wanted) {
                Some((_, field, how, _)) => (Some(field.field().path), *how),
                None => (Some(wanted).filter(|own| *own != NOT_SENT), Feeding::Alone),
            };
            let field = field.map(str::to_owned);
            let change = LayoutChange::Column { column: column.column, field, how };
            answers.push(DraftAnswer::Layout { sheet: number, change });
        }
        answers.extend(lacks::answers(number, sheet, fields));
        answers.extend(values::answers(number, sheet, fields));
        answers.extend(asked::unit(number, fields).map(|change| DraftAnswer::Layout { sheet: number, change }));
        for asked in &sheet.defaults {
            let Some(value) = fields.get(&name_of_default(asked.field)).map(|value| value.trim()) else {
                continue;
            };
            if value != asked.value.as_deref().unwrap_or_default() {
                answers.push(DraftAnswer::Default { field: asked.field.path.to_owned(), value: value.to_owned() });
            }
        }
    }
    // Uses of amounts may be refused, so they come last and all else holds.
    answers.extend(sheets.iter().enumerate().filter_map(|(number, sheet)| values::uses(number, sheet, fields)));
    Ok(answers)
}
