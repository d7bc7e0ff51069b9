//! Results of a run: where its orders stand, their AWBs, its files, and how to go on with what failed; and all runs.

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft::{self, DraftEntry};
use crate::app::{Exit, ExportOptions, RunEntry, RunStatus, RunsMeant};
use crate::ledger::{Ledger, RunKind, RunRecord};
use crate::text::shortened;

use super::answer::{Download, Nothing, Result, Shown};
use super::page::{self, Page, Part, Tone};
use super::run_list::{Asked, Cause, RunList};
use super::sheet::saved;
use super::standings::{COLUMNS, Standings};
use super::state::Desk;
use super::trouble::Trouble;
use super::{files, labels, report, words};

/// Sheets of a resume or retry that are named.
const SHEETS: usize = 10;
/// Runs that are listed.
const RUNS: usize = 100;
/// States of orders that a person has to correct.
const TO_FIX: [&str; 3] = ["invalid", "rejected", "refused"];

/// A run of a list, with where its orders stand.
pub(super) type Listed = (RunEntry, Standings);

pub(super) fn runs(desk: &Desk, _: &Nothing) -> Result<Page> {
    let runs = match desk.ledger()? {
        Some(ledger) => latest(desk, &ledger, RUNS)?,
        None => Vec::new(),
    };
    let body = html! {
        section {
            h1 { "Runs" }
            @if runs.is_empty() { p.soft { "Nothing was booked yet." } } @else {
                (report::choice(None))
                p.soft { "Each run with where its orders stand now. An order that came in two runs counts in both." }
                (run_table(&runs))
            }
        }
    };
    Ok(Page { title: "Runs".to_owned(), part: Part::Runs, body })
}

/// The latest runs.
pub(super) fn latest(desk: &Desk, ledger: &Ledger, most: usize) -> Result<Vec<Listed>> {
    Standings::of_each(ledger, desk.app().runs(ledger, most)?)
}

/// Runs with where their orders stand now. What no order of them is has no column.
pub(super) fn run_table(runs: &[Listed]) -> Markup {
    let rows: Vec<(&RunRecord, [(&str, u64); COLUMNS])> =
        runs.iter().map(|(entry, standings)| (&entry.record, standings.columns())).collect();
    let is_shown = |column: usize| column == 0 || rows.iter().any(|(_, all)| all[column].1 > 0);
    let shown: Vec<usize> = (0..COLUMNS).filter(|column| is_shown(*column)).collect();
    html! {
        table.cards {
            thead { tr { th { "Run" } th { "When" } th { "Sheet" } @for column in &shown { th.num { (rows.first().map_or("", |(_, all)| all[*column].0)) } } } }
            tbody {
                @for (record, standings) in &rows {
                    tr {
                        td { a href={ "results?run=" (record.id.number()) } { "Run " (record.id.number()) } }
                        td { (words::time(record.started_ms)) }
                        td { (sheets(record)) }
                        @for (name, orders) in shown.iter().map(|column| standings[*column]) { td.num data-name=(name) { (words::number(orders)) } }
                    }
                }
            }
        }
    }
}

/// The sheets of a run, or what it was instead.
pub(super) fn sheets(record: &RunRecord) -> String {
    match record.sheets.len() {
        0 => words::capital(record.kind.as_str()),
        1..=2 => record.sheets.join(", "),
        more => format!("{} and {} more", record.sheets[0], more - 1),
    }
}

pub(super) fn results(desk: &Desk, asked: &Asked) -> Result<Page> {
    let ledger = desk.app().read_ledger()?;
    let status = desk.app().run_status(&ledger, asked.run)?;
    let run = status.record.id.number();
    let standings = Standings::of(&ledger, status.record.id, &status.orders)?;
    let list = RunList::of(desk, &ledger, &status, asked)?;
    let draft = draft::of_run(&ledger, run)?;
    let body = html! {
        section aria-labelledby="results" {
            h1 #results { "Results" }
            p.soft { "Run " (run) ", " (words::time(status.record.started_ms)) ", " (sheets(&status.record)) }
            (standings.figures())
            (told(&status, standings.cancelled()))
            @if standings.has_awb() > 0 { (labels::offer(desk, &ledger, &status)) }
            (actions(desk, &status, &standings, (draft.as_ref(), &list)))
            @if let Some(draft) = &draft { (saved::other_worksheets(desk, draft)) }
            (sheets_of(&ledger, &status)?)
        }
        @if !list.causes.is_empty() { (causes(run, &list.causes, (status.holder.is_some(), draft.as_ref()))) }
        section aria-labelledby="orders" {
            h2 #orders { "Orders" }
            (list.choices(&standings))
            @if status.record.rows_without_order > 0 { p.soft { (words::count(status.record.rows_without_order, "row")) " without an order number stayed behind." } }
            (list.ticked(desk, status.holder.is_some()))
            (list.table(draft.as_ref()))
            (list.pages())
        }
    };
    Ok(Page { title: format!("Results of run {run}"), part: Part::Runs, body })
}

/// How it ended, where that is worth a word.
fn told(status: &RunStatus, cancelled: u64) -> Markup {
    let RunStatus { record, orders, holder, .. } = status;
    html! {
        @if let Some(holder) = holder { (page::notice(Tone::Warn, &html! { p { "This run goes on just now: " (holder) "." } })) }
        @if let Some(why) = &record.stopped_why { (page::stopped(record.stopped_by.as_deref().unwrap_or_default(), &format!("It stopped early: {why}."))) }
        @if orders.in_doubt > 0 {
            (page::notice(Tone::Warn, &html! {
                p { b { (words::count(orders.in_doubt, "order")) " may or may not be booked." } " They are not sent again before you say what the courier's portal shows. " a href="doubts" { "Settle them" } }
            }))
        }
        @if status.exit() == Exit::Done {
            @if cancelled == 0 { (page::notice(Tone::Good, &html! { p { "Every order of this run is booked." } })) }
            @else { (page::notice(Tone::Warn, &html! { p { "Every order of this run was booked. Since then " (words::count(cancelled, "order")) " of them " (if cancelled == 1 { "was" } else { "were" }) " cancelled." } })) }
        }
    }
}

/// What can be done with the whole run; each of several causes has its own button besides.
fn actions(
    desk: &Desk,
    status: &RunStatus,
    standings: &Standings,
    (draft, list): (Option<&DraftEntry>, &RunList),
) -> Markup {
    let RunStatus { record, orders, holder, .. } = status;
    let run = record.id.number();
    let to_fix = standings.wrong() + orders.held + standings.failed();
    let has_awb = standings.has_awb() > 0;
    html! {
        div.row.actions {
            @if orders.outstanding > 0 && holder.is_none() { a.button href={ "again?what=outstanding&run=" (run) } { "Resume " (words::number(orders.outstanding)) } }
            @if list.causes.len() > 1 && holder.is_none() { a.button href={ "again?what=failed&run=" (run) } { "Retry all " (words::number(standings.failed())) } }
            @if has_awb && draft.is_some() { a.button href={ "download?what=own&run=" (run) } { "My sheet with AWBs" } }
            @if let Some(draft) = draft { a.button href={ "sheet/" (draft.id) "/check" } { (if draft.is_over { "Open the sheet" } else { "Go on with the sheet" }) } }
            a.button href={ "download?what=results&run=" (run) } { "All results as Excel" }
            a.button href={ "report?run=" (run) } { "Report" }
            @if to_fix > 0 { a.button href={ "download?what=fix&run=" (run) } { "Rows to fix as Excel" } }
            @if has_awb { (page::form(desk, "track", &html! { input type="hidden" name="run" value=(run); button { "Track " (words::number(standings.has_awb())) } })) }
            @if standings.booked() > 0 && holder.is_none() { a.button.bad href={ "cancel?run=" (run) } { "Cancel this run" } }
        }
    }
}

/// The sheets whose orders a resume or retry sent, each with what belongs to the whole of it.
fn sheets_of(ledger: &Ledger, status: &RunStatus) -> Result<Markup> {
    if status.record.kind == RunKind::Import {
        return Ok(html! {});
    }
    let (imports, drafts) = (ledger.imports_with(status.record.id, SHEETS)?, draft::all(ledger)?.entries);
    Ok(html! {
        @for record in &imports {
            @let run = record.id.number();
            div.row.actions {
                span.grow { "Its orders are of " b { (sheets(record)) } ", booked in " a href={ "results?run=" (run) } { "run " (run) } ". There is all of that sheet." }
                @if drafts.iter().any(|draft| draft.runs.contains(&run)) { a.button href={ "download?what=own&run=" (run) } aria-label={ (sheets(record)) " with AWBs" } { "My sheet with AWBs" } }
                a.button href={ "results?run=" (run) } aria-label={ "Labels of " (sheets(record)) } { "Labels of the whole sheet" }
            }
        }
    })
}

/// The causes of the service's refusals with the sheet's own headers, each with the ways on.
fn causes(run: i64, causes: &[Cause], (is_held, draft): (bool, Option<&DraftEntry>)) -> Markup {
    let names = draft.map(|draft| draft.rest.headers.clone()).unwrap_or_default();
    html! {
        section aria-labelledby="causes" {
            h2 #causes { "Why orders failed" }
            ul.open {
                @for Cause { said, fingerprint, orders } in causes {
                    li {
                        span.dot.bad {}
                        span.grow { b { (words::count(*orders, "order")) ": " } (words::for_instance(*orders, said)) (shortened(&names.in_words(said), 200)) }
                        @if !is_held {
                            @if let Some(draft) = draft { a.button href={ "sheet/" (draft.id) "/check?show=fix" } { "Correct " (words::number(*orders)) } }
                            a.button href={ "again?what=failed&run=" (run) "&cause=" (page::encoded(fingerprint)) } { "Retry " (words::number(*orders)) }
                        }
                    }
                }
            }
            p.soft { "Retry sends them once more as they are." @if draft.is_none() { " Otherwise correct the sheet." } }
        }
    }
}

/// Which file of a run.
#[derive(Deserialize)]
pub(super) struct Wish {
    run: i64,
    what: String,
}

pub(super) fn download(desk: &Desk, wish: &Wish) -> Result<Shown> {
    let own = match wish.what.as_str() {
        "own" => saved::with_awbs(desk, wish.run)?,
        "fix" => saved::to_fix(desk, wish.run)?,
        _ => None,
    };
    if let Some(own) = own {
        return Ok(Shown::File(own));
    }
    let states: Vec<String> = match wish.what.as_str() {
        "results" => Vec::new(),
        "fix" => TO_FIX.map(str::to_owned).to_vec(),
        _ => return Err(Trouble::NoPage),
    };
    let app = desk.app();
    let ledger = app.read_ledger()?;
    app.run_status(&ledger, Some(wish.run))?;
    let path = files::scratch(&desk.folder(), "xlsx")?;
    let which = ExportOptions { runs: RunsMeant::One(wish.run), states: &states };
    app.prepare_export(&path, which)?.write(&ledger)?;
    let bytes = std::fs::read(&path)?;
    std::fs::remove_file(&path)?;
    let name = format!("run-{}-{}.xlsx", wish.run, wish.what);
    let kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    Ok(Shown::File(Download { name, kind, is_opened: false, bytes }))
}
