//! Labels of a run as one PDF in the order of the sheet, and which of them were not printed yet.

use std::collections::HashSet;
use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::after::labels::Kept;
use crate::after::paper::Paper;
use crate::app::{Chosen, Fault, LabelOptions, RunStatus, Which};
use crate::ledger::{Ledger, Shipped, create_private_folder};

use super::answer::{Download, Result, Shown};
use super::answers::{Answer, Answers, Back, Missing};
use super::sheet::saved;
use super::state::Desk;
use super::ticked::{self, Ticked};
use super::trouble::Trouble;
use super::work::Kind;
use super::{files, page, words};

/// Orders that are named.
const NAMED: usize = 10;
/// The AWBs of the labels that were fetched last, one on each line, until they are opened.
const FETCHED: &str = "fetched";
/// The paper that was printed on last, in the desk's folder.
const PAPER: &str = "paper";

/// Buttons for the labels of a run.
pub(super) fn offer(desk: &Desk, ledger: &Ledger, status: &RunStatus) -> Markup {
    let run = status.record.id.number();
    // Another service's labels cannot be fetched here.
    let Ok(chosen) = chosen(desk, ledger, run) else { return html! {} };
    let (ours, settled): (Vec<Shipped>, Vec<Shipped>) =
        chosen.shipments.into_iter().partition(|shipment| shipment.order_id.is_some());
    let new = ours.iter().filter(|shipment| shipment.printed_ms.is_none()).count();
    let all = ours.len();
    let count = |amount: usize| words::count(amount as u64, "label");
    html! {
        (by_hand(&settled))
        div.row.actions {
            @if all > 0 { form.row method="post" action="labels" target="_blank" {
                input type="hidden" name="page" value=(desk.guard.page_token());
                input type="hidden" name="run" value=(run);
                @if new > 0 && new < all { button.main name="which" value="new" { "Print " (count(new)) " not printed yet" } }
                button.main[new == all] name="which" value="all" { "Print " (count(all)) }
                (papers(desk, "Paper"))
            } }
            @if all + settled.len() > 0 { a.button href={ "pick-list?run=" (run) } { "Pick list" } a.button href={ "packing-slips?run=" (run) } { "Packing slips" } }
            @if all > 0 { span.soft {
                @if new == all { "None is printed yet." } @else if new == 0 { "All were opened for printing." } @else { (count(all - new)) " opened for printing before." }
            } }
        }
    }
}

/// Labels that the service cannot give: it never named these shipments to us.
fn by_hand(settled: &[Shipped]) -> Markup {
    let named: Vec<&str> = settled.iter().take(NAMED).map(|shipment| shipment.order_number.as_str()).collect();
    let more = settled.len().saturating_sub(NAMED);
    html! {
        @if !settled.is_empty() {
            p.soft {
                (words::count(settled.len() as u64, "label")) " must be printed in the courier's portal, because a person settled the order: "
                (named.join(", ")) @if more > 0 { " and " (words::number(more as u64)) " more" } "."
            }
        }
    }
}

/// A button for the label of one order.
pub(super) fn of_order(desk: &Desk, run: i64, order: &str) -> Markup {
    html! {
        form method="post" action="labels" target="_blank" {
            input type="hidden" name="page" value=(desk.guard.page_token());
            input type="hidden" name="run" value=(run);
            input type="hidden" name="order" value=(order);
            input type="hidden" name="paper" value=(word(paper(desk)));
            button name="which" value="one" { "Print its label" }
        }
    }
}

/// The papers with their names.
const PAPERS: [(Paper, &str, &str); 4] = [
    (Paper::A6, "a6", "A6"),
    (Paper::FourBySix, "4x6", "4×6 inch (thermal)"),
    (Paper::FourToA4, "a4", "4 on A4"),
    (Paper::AsTheyAre, "own", "Courier's size, with a list"),
];

/// The choice of a paper, under this name.
pub(super) fn papers(desk: &Desk, name: &str) -> Markup {
    let usual = paper(desk);
    html! {
        select name="paper" aria-label=(name) {
            @for (paper, word, name) in PAPERS { option value=(word) selected[paper == usual] { (name) } }
        }
    }
}

/// The paper that was printed on last.
fn paper(desk: &Desk) -> Paper {
    let word = std::fs::read_to_string(desk.folder().join(PAPER)).unwrap_or_default();
    named(&word).unwrap_or(Paper::A6)
}

fn word(paper: Paper) -> &'static str {
    PAPERS.iter().find(|(own, ..)| *own == paper).map_or("a6", |(_, word, _)| word)
}

fn named(word: &str) -> Option<Paper> {
    PAPERS.iter().find(|(_, own, _)| *own == word).map(|(paper, ..)| *paper)
}

/// Which labels to fetch.
#[derive(Clone, Deserialize)]
pub(super) struct Wish {
    run: i64,
    which: String,
    paper: String,
    /// The orders that are meant, where not all are.
    #[serde(flatten)]
    orders: Ticked,
}

/// What can be done where labels did not come.
pub(super) fn after_failures(desk: &Desk, missing: &Missing) -> Markup {
    html! {
        div.row.actions {
            @if missing.came > 0 { a.button href={ "labels.pdf?run=" (missing.run) } target="_blank" { "Open the " (words::count(missing.came, "label")) " that came" } }
            (page::form(desk, "labels", &html! {
                input type="hidden" name="run" value=(missing.run);
                input type="hidden" name="which" value=(missing.which);
                input type="hidden" name="paper" value=(missing.paper);
                (ticked::fields(&missing.orders))
                button.main { "Try again" }
            }))
        }
    }
}

pub(super) fn fetch(desk: &Arc<Desk>, wish: &Wish) -> Result<String> {
    let run = wish.run;
    let folder = desk.run_folder(&desk.app().read_ledger()?, run)?;
    let paper = named(&wish.paper).ok_or(Trouble::NotOurs)?;
    files::write(&desk.folder().join(PAPER), &wish.paper)?;
    let (own, wish) = (Arc::clone(desk), wish.clone());
    desk.work.start(Kind::Labels, move |job| {
        let desk = &*own;
        let app = desk.app();
        let mut chosen = chosen(desk, &app.read_ledger()?, run)?;
        chosen.shipments.retain(|shipment| shipment.order_id.is_some());
        if wish.which == "new" {
            chosen.shipments.retain(|shipment| shipment.printed_ms.is_none());
        }
        let orders = wish.orders.numbers();
        if wish.which == ticked::FORM && orders.is_empty() {
            return Err(Trouble::Typed(ticked::NOTHING.to_owned()));
        }
        if !orders.is_empty() {
            chosen.shipments.retain(|shipment| orders.contains(&shipment.order_number));
        }
        if chosen.shipments.is_empty() {
            let no_label = "The courier service has no such label for the desk. Look in the courier's portal";
            return Err(Trouble::Changed(no_label.to_owned()));
        }
        if wish.which != "all" {
            // Of the others nothing was asked.
            (chosen.without, chosen.cancelled) = (Vec::new(), Vec::new());
        }
        create_private_folder(&folder)?;
        let options = LabelOptions {
            to: folder.join("labels.pdf"),
            folder: Some(folder.join("labels")),
            paper,
            ..LabelOptions::default()
        };
        let left_out = left_out(&chosen);
        let labels = app.labels(&mut chosen, &options, left_out.as_deref(), job.stop_signal(), &mut job.steps())?;
        let stopped = labels.ends.stopped.clone();
        let together = || chosen.shipments.iter().zip(&labels.ends.list);
        let whole = together().filter(|(_, end)| labels.merged.is_some() && matches!(end, Some(Ok(_))));
        let fetched: Vec<&str> = whole.map(|(shipment, _)| shipment.awb.as_str()).collect();
        if labels.merged.is_some() {
            files::write(&folder.join(FETCHED), &fetched.join("\n"))?;
        }
        let failed = |(shipment, end): (&Shipped, &Option<std::result::Result<Kept, Fault>>)| match end {
            Some(Ok(_)) => None,
            Some(Err(fault)) => Some(Answer::failed(shipment, Some(fault))),
            None => Some(Answer::failed(shipment, None)),
        };
        let list: Vec<Answer> = together().filter_map(failed).collect();
        if list.is_empty() {
            return Ok(format!("labels.pdf?run={run}"));
        }
        let Wish { which, paper, .. } = wish;
        let labels = Some(Missing { run, which, paper, orders, came: fetched.len() as u64 });
        let title = "Labels that did not come".to_owned();
        desk.note_answers(Answers { title, list, back: Some(Back::Run(run)), parted: None, stopped, labels });
        Ok("answers".to_owned())
    })?;
    Ok("progress".to_owned())
}

/// Which run.
#[derive(Deserialize)]
pub(super) struct Of {
    run: i64,
}

/// The PDF, which the browser opens to print. From here on its labels count as printed, in whatever run they are listed.
pub(super) fn pdf(desk: &Desk, of: &Of) -> Result<Shown> {
    let folder = desk.run_folder(&desk.app().read_ledger()?, of.run)?;
    let (file, fetched) = (folder.join("labels.pdf"), folder.join(FETCHED));
    let bytes = std::fs::read(&file).map_err(|_| Trouble::NoPage)?;
    let awbs: Vec<String> = std::fs::read_to_string(&fetched).unwrap_or_default().lines().map(str::to_owned).collect();
    // Where that cannot be noted, the labels are there all the same, and are offered once more.
    if !awbs.is_empty() && desk.app().note_printed(awbs, &file).is_ok() {
        std::fs::remove_file(&fetched)?;
    }
    let name = format!("labels-run-{}.pdf", of.run);
    Ok(Shown::File(Download { name, kind: "application/pdf", is_opened: true, bytes }))
}

/// The booked shipments of a run, and of the other runs of its sheet, that nobody cancelled. The latest run looked at the
/// whole sheet, and has its order.
pub(super) fn chosen(desk: &Desk, ledger: &Ledger, run: i64) -> Result<Chosen> {
    let of = |run: i64| desk.app().choose(ledger, &Which { run: Some(run), ..Which::default() });
    let mut runs = saved::runs_of_sheet(desk, ledger, run)?.into_iter().rev();
    let mut chosen = of(runs.next().unwrap_or(run))?;
    let mut known: HashSet<String> = chosen.shipments.iter().map(|own| own.awb.clone()).collect();
    for earlier in runs {
        chosen.shipments.extend(of(earlier)?.shipments.into_iter().filter(|own| known.insert(own.awb.clone())));
    }
    let numbers: HashSet<&String> = chosen.shipments.iter().map(|own| &own.order_number).collect();
    chosen.without.retain(|row| !row.order_number.as_ref().is_some_and(|number| numbers.contains(number)));
    chosen.leave_out_cancelled();
    Ok(chosen)
}

/// What stands on the first page where orders of the run have no label.
fn left_out(chosen: &Chosen) -> Option<String> {
    let without = chosen.without.len() + chosen.cancelled.len();
    (without > 0).then(|| format!("{} of this run have no label here", words::count(without as u64, "order")))
}
