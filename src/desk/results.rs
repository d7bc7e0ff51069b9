//! Results of a run: where its orders stand, their AWBs, its files, and how to go on with what failed; and all runs.

use std::collections::BTreeMap;

use jiff::Timestamp;
use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft::{self, DraftEntry};
use crate::app::{Exit, ExportOptions, Receiver, RunEntry, RunStatus, RunsMeant, failed_because};
use crate::finding::english;
use crate::ledger::{Ledger, ResultRow, RunKind, RunRecord, Said};
use crate::report::Orders;
use crate::text::shortened;

use super::answer::{Download, Nothing, Result, Shown};
use super::page::{self, Page, Part, Tone};
use super::sheet::saved;
use super::state::Desk;
use super::trouble::Trouble;
use super::{files, labels, orders, report, words};

/// Sheets of a resume or retry that are named.
const SHEETS: usize = 10;
/// Runs that are listed.
const RUNS: usize = 100;
/// Reasons that are named of an order that stayed behind.
const WRONG: usize = 2;
/// States of orders that a person has to correct.
const TO_FIX: [&str; 3] = ["invalid", "rejected", "refused"];

/// A run of a list, with how many of its orders are held, and how many a person left out.
pub(super) type Listed = (RunEntry, (u64, u64));

pub(super) fn runs(desk: &Desk, _: &Nothing) -> Result<Page> {
    let runs = match desk.ledger()? {
        Some(ledger) => latest(desk, &ledger, RUNS)?,
        None => Vec::new(),
    };
    let body = html! {
        section {
            h1 { "Runs" }
            @if runs.is_empty() { p.soft { "Nothing was booked yet." } } @else { (report::choice(None)) (run_table(&runs)) }
        }
    };
    Ok(Page { title: "Runs".to_owned(), part: Part::Runs, body })
}

/// The latest runs.
pub(super) fn latest(desk: &Desk, ledger: &Ledger, most: usize) -> Result<Vec<Listed>> {
    let runs = desk.app().runs(ledger, most)?;
    let with_kept_back = |entry: RunEntry| {
        let kept_back = kept_back(ledger, &entry.record, &entry.orders)?;
        Ok((entry, kept_back))
    };
    runs.into_iter().map(with_kept_back).collect()
}

/// How many of the invalid orders of a run are held, and how many a person left out.
fn kept_back(ledger: &Ledger, record: &RunRecord, orders: &Orders) -> Result<(u64, u64)> {
    if orders.invalid == 0 { Ok((0, 0)) } else { Ok(ledger.kept_back(record.id)?) }
}

/// Where the orders of a run stand, in the words of Check and of Results.
fn standings(orders: &Orders, (held, left_out): (u64, u64)) -> [(&'static str, u64); 8] {
    [
        ("Booked", orders.booked),
        ("Booked already", orders.already_booked),
        ("Rejected", orders.rejected + orders.refused),
        ("Fix", orders.invalid.saturating_sub(held + left_out)),
        ("Hold", held + orders.held),
        ("Left out", left_out + orders.left_out),
        ("In doubt", orders.in_doubt),
        ("Not sent", orders.outstanding),
    ]
}

/// Runs with where their orders stand now. What no order of them is has no column.
pub(super) fn run_table(runs: &[Listed]) -> Markup {
    let rows = runs.iter().map(|(entry, kept_back)| (&entry.record, standings(&entry.orders, *kept_back)));
    let rows: Vec<(&RunRecord, [(&str, u64); 8])> = rows.collect();
    let is_shown = |column: usize| column == 0 || rows.iter().any(|(_, all)| all[column].1 > 0);
    let shown: Vec<usize> = (0..8).filter(|column| is_shown(*column)).collect();
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
fn sheets(record: &RunRecord) -> String {
    match record.sheets.len() {
        0 => words::capital(record.kind.as_str()),
        1..=2 => record.sheets.join(", "),
        more => format!("{} and {} more", record.sheets[0], more - 1),
    }
}

/// Which run, and which of its orders.
#[derive(Deserialize)]
pub(super) struct Asked {
    run: Option<i64>,
    #[serde(default)]
    state: String,
    #[serde(default)]
    from: usize,
}

pub(super) fn results(desk: &Desk, asked: &Asked) -> Result<Page> {
    let ledger = desk.app().read_ledger()?;
    let status = desk.app().run_status(&ledger, asked.run)?;
    let run = status.record.id.number();
    let kept_back = kept_back(&ledger, &status.record, &status.orders)?;
    let list = List::of(desk, &ledger, &status, asked)?;
    let draft = draft::of_run(&ledger, run)?;
    let body = html! {
        section aria-labelledby="results" {
            h1 #results { "Results" }
            p.soft { "Run " (run) ", " (words::time(status.record.started_ms)) ", " (sheets(&status.record)) }
            (figures(&status.orders, kept_back, (list.cancelled, list.cancelled_here)))
            (told(&status, list.cancelled))
            @if status.orders.booked + status.orders.already_booked > 0 { (labels::offer(desk, &ledger, &status)) }
            (actions(desk, &status, kept_back, draft.as_ref(), list.causes.len() > 1))
            @if let Some(draft) = &draft { (saved::other_worksheets(desk, draft)) }
            (sheets_of(&ledger, &status)?)
        }
        @if !list.causes.is_empty() { (causes(run, &list.causes, status.holder.is_some())) }
        section aria-labelledby="orders" {
            h2 #orders { "Orders" }
            (list.choices(run, (&status.orders, kept_back), &asked.state))
            @if status.record.rows_without_order > 0 { p.soft { (words::count(status.record.rows_without_order, "row")) " without an order number stayed behind." } }
            (list.table(draft.as_ref().map(|draft| &*draft.id)))
            (list.pages(run, asked))
        }
    };
    Ok(Page { title: format!("Results of run {run}"), part: Part::Runs, body })
}

fn figures(orders: &Orders, (held, left_out): (u64, u64), (cancelled, here): (u64, u64)) -> Markup {
    let already = orders.already_booked.saturating_sub(cancelled - here);
    html! {
        dl.figures {
            (page::figure(&words::number(orders.booked.saturating_sub(here)), "good", "Booked"))
            @if already > 0 { (page::figure(&words::number(already), "good", "Booked already")) }
            @if cancelled > 0 { (page::figure(&words::number(cancelled), "", "Cancelled since")) }
            (page::figure(&words::number(orders.rejected + orders.refused), "bad", "Rejected"))
            (page::figure(&words::number(orders.invalid.saturating_sub(held + left_out)), "bad", "Fix"))
            @if held + orders.held > 0 { (page::figure(&words::number(held + orders.held), "warn", "Hold")) }
            @if left_out + orders.left_out > 0 { (page::figure(&words::number(left_out + orders.left_out), "", "Left out")) }
            (page::figure(&words::number(orders.in_doubt), "warn", "In doubt"))
            @if orders.outstanding > 0 { (page::figure(&words::number(orders.outstanding), "", "Not sent")) }
            @if orders.abandoned > 0 { (page::figure(&words::number(orders.abandoned), "", "Given up")) }
            @if orders.dismissed > 0 { (page::figure(&words::number(orders.dismissed), "", "Dismissed")) }
        }
    }
}

/// How it ended, where that is worth a word.
fn told(status: &RunStatus, cancelled: u64) -> Markup {
    let RunStatus { record, orders, holder, .. } = status;
    html! {
        @if let Some(holder) = holder { (page::notice(Tone::Warn, &html! { p { "This run goes on just now: " (holder) "." } })) }
        @if let Some(why) = &record.stopped_why { (page::notice(Tone::Warn, &html! { p { "It stopped early: " (why) "." } })) }
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
    (held, left_out): (u64, u64),
    draft: Option<&DraftEntry>,
    has_causes: bool,
) -> Markup {
    let RunStatus { record, orders, holder, .. } = status;
    let run = record.id.number();
    let to_fix = orders.invalid.saturating_sub(held + left_out) + orders.held + orders.rejected + orders.refused;
    let has_awb = orders.booked + orders.already_booked > 0;
    html! {
        div.row.actions {
            @if orders.outstanding > 0 && holder.is_none() { a.button href={ "again?what=outstanding&run=" (run) } { "Resume " (words::number(orders.outstanding)) } }
            @if has_causes && holder.is_none() { a.button href={ "again?what=failed&run=" (run) } { "Retry all " (words::number(orders.rejected + orders.refused)) } }
            @if has_awb && draft.is_some() { a.button href={ "download?what=own&run=" (run) } { "My sheet with AWBs" } }
            @if let Some(draft) = draft { a.button href={ "sheet/" (draft.id) "/check" } { (if draft.is_over { "Open the sheet" } else { "Go on with the sheet" }) } }
            a.button href={ "download?what=results&run=" (run) } { "All results as Excel" }
            a.button href={ "report?run=" (run) } { "Report" }
            @if to_fix > 0 { a.button href={ "download?what=fix&run=" (run) } { "Rows to fix as Excel" } }
            @if has_awb { (page::form(desk, "track", &html! { input type="hidden" name="run" value=(run); button { "Track " (words::number(orders.booked + orders.already_booked)) } })) }
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

/// What the service said no to, by cause, each with a button that tries again.
fn causes(run: i64, causes: &[Cause], is_held: bool) -> Markup {
    html! {
        section aria-labelledby="causes" {
            h2 #causes { "Why orders failed" }
            ul.open {
                @for Cause { said, fingerprint, orders } in causes {
                    li {
                        span.dot.bad {}
                        span.grow { b { (words::count(*orders, "order")) ": " } (for_instance(*orders, said)) (shortened(said, 200)) }
                        @if !is_held { a.button href={ "again?what=failed&run=" (run) "&cause=" (page::encoded(fingerprint)) } { "Retry " (words::number(*orders)) } }
                    }
                }
            }
            p.soft { "Retry sends them once more as they are. Otherwise correct the sheet." }
        }
    }
}

/// Said before the words of one of several orders that failed for one cause, where they have figures of its own.
pub(super) fn for_instance(orders: u64, said: &str) -> &'static str {
    if orders > 1 && said.contains(|c: char| c.is_ascii_digit()) { "for instance, " } else { "" }
}

/// Orders that failed for one cause.
struct Cause {
    said: String,
    fingerprint: String,
    orders: u64,
}

/// The orders of a run that are shown, and what is known of all of them.
struct List {
    rows: Vec<ResultRow>,
    /// Who gets those of them that the ledger has, by number.
    receivers: BTreeMap<String, Receiver>,
    /// How many there are in the chosen state.
    found: usize,
    /// How many of all are cancelled, and how many of these this run had booked.
    cancelled: u64,
    cancelled_here: u64,
    causes: Vec<Cause>,
}

/// Causes that are told apart.
const CAUSES_MAX: usize = 12;

impl List {
    fn of(desk: &Desk, ledger: &Ledger, status: &RunStatus, asked: &Asked) -> Result<Self> {
        let mut list = Self {
            rows: Vec::new(),
            receivers: BTreeMap::new(),
            found: 0,
            cancelled: 0,
            cancelled_here: 0,
            causes: Vec::new(),
        };
        let (run, running) = (status.record.id, status.holder.is_some());
        let mut shown = Vec::new();
        ledger.for_each_in_run(run, running, &mut |own| {
            if matches!(own.state.as_str(), "rejected" | "refused") {
                list.failed(&own.state, own.error.as_deref().unwrap_or_default());
            }
            // A row without an order number is no order; how many there are is told above the list.
            if !own.has_number {
                return;
            }
            let state = own.standing.as_str();
            if state == words::CANCELLED {
                list.cancelled += 1;
                list.cancelled_here += u64::from(own.state == "booked");
            }
            if asked.state.is_empty()
                || asked.state == state
                || (asked.state == "failed" && matches!(state, "rejected" | "refused"))
                || (asked.state == "booked" && state == "already_booked")
            {
                if (asked.from..asked.from.saturating_add(orders::ROWS)).contains(&list.found) {
                    shown.push(own.seq);
                }
                list.found += 1;
            }
        })?;
        list.rows = ledger.results_in(run, shown, running)?;
        for number in list.rows.iter().filter_map(|row| row.order_number.as_ref()) {
            // A name that cannot be read hides no AWB.
            let sent = desk.app().sent(ledger, (number, &status.record.service)).ok().flatten();
            list.receivers.extend(sent.map(|sent| (number.clone(), sent.receiver)));
        }
        Ok(list)
    }

    fn failed(&mut self, state: &str, error: &str) {
        let (said, fingerprint) = failed_because(state, error);
        match self.causes.iter().position(|cause| cause.fingerprint == fingerprint) {
            Some(known) => self.causes[known].orders += 1,
            None if self.causes.len() < CAUSES_MAX => self.causes.push(Cause { said, fingerprint, orders: 1 }),
            None => {}
        }
    }

    fn choices(&self, run: i64, (orders, (held, left_out)): (&Orders, (u64, u64)), state: &str) -> Markup {
        let all = [
            ("", "All", orders.total),
            ("booked", "Booked", (orders.booked + orders.already_booked).saturating_sub(self.cancelled)),
            (words::CANCELLED, "Cancelled", self.cancelled),
            ("failed", "Rejected", orders.rejected + orders.refused),
            ("invalid", "Fix", orders.invalid.saturating_sub(held + left_out)),
            ("held", "Hold", held + orders.held),
            ("left_out", "Left out", left_out + orders.left_out),
            ("in_doubt", "In doubt", orders.in_doubt),
            ("outstanding", "Not sent", orders.outstanding),
        ];
        html! {
            nav.tabs aria-label="Show" {
                @for (own, name, amount) in all.into_iter().filter(|(own, _, amount)| *amount > 0 || own.is_empty() || *own == state) {
                    a href={ "results?run=" (run) "&state=" (own) } aria-current=[(own == state).then_some("true")] { (name) " " b { (words::number(amount)) } }
                }
            }
        }
    }

    fn receiver(&self, row: &ResultRow) -> Option<&Receiver> {
        self.receivers.get(row.order_number.as_deref()?)
    }

    fn table(&self, draft: Option<&str>) -> Markup {
        html! {
            table.cards {
                thead { tr { th { "Order" } th { "To" } th { "Rows" } th { "Status" } th { "AWB" } th { "Courier" } } }
                tbody { @for row in &self.rows { (result_row(row, self.receiver(row), draft)) } }
            }
        }
    }

    fn pages(&self, run: i64, asked: &Asked) -> Markup {
        let (from, state) = (asked.from, &asked.state);
        let to = from + self.rows.len();
        let at = |from: usize| format!("results?run={run}&state={}&from={from}", page::encoded(state));
        html! {
            @if self.found > orders::ROWS {
                p.row.end {
                    span.soft.grow { "Orders " (words::number(from as u64 + 1)) " to " (words::number(to as u64)) " of " (words::number(self.found as u64)) }
                    @if from > 0 { a.button href=(at(from.saturating_sub(orders::ROWS))) { "Earlier" } }
                    @if to < self.found { a.button href=(at(to)) { "Next" } }
                }
            }
        }
    }
}

/// An order of a run. One that was never sent is in its sheet, as long as that is open, and nowhere else.
fn result_row(row: &ResultRow, to: Option<&Receiver>, draft: Option<&str>) -> Markup {
    let number = row.order_number.as_deref().unwrap_or_default();
    html! {
        tr {
            td {
                b {
                    @match (row.state.as_str(), draft) {
                        ("invalid", Some(id)) => a href={ "sheet/" (id) "/order?number=" (page::encoded(number)) } { (number) },
                        ("invalid", None) => (number),
                        _ => (page::order_link(number)),
                    }
                }
            }
            td { @if let Some(to) = to { (shortened(&to.name, 60)) " " span.soft { (shortened(&to.city, 60)) } } }
            td.soft { (row.rows) }
            td {
                (page::state(row.standing()))
                @if let Some(error) = &row.error { div.soft.said { (shortened(error, 160)) } }
                @for wrong in row.wrong.iter().take(WRONG) {
                    div.soft.said {
                        (shortened(&why(&wrong.said), 200)) @if let Some(place) = &wrong.place { " (" (place) ")" }
                    }
                }
                @if let Some(cancelled) = &row.cancelled { div.soft.said { (cancelled_when(cancelled)) } }
            }
            td { @if let Some(awb) = &row.awb { (page::copied(awb, "AWB")) } }
            td { (row.carrier.as_deref().unwrap_or_default()) }
        }
    }
}

/// When a shipment was cancelled: a moment, or the ledger's own words where nobody knows whether it is.
fn cancelled_when(said: &str) -> String {
    match said.parse::<Timestamp>() {
        Ok(at) => format!("cancelled {}", words::moment(at.as_millisecond())),
        Err(_) => format!("cancelled: {said}"),
    }
}

/// Why an order stayed behind.
pub(super) fn why(said: &Said) -> String {
    words::capital(&match said {
        Said::Data(finding) => english::message(finding),
        Said::Words { message, .. } => message.clone(),
    })
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
