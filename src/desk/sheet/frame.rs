//! What the pages of a sheet share: the steps on the way, the words for where orders stand, and the page that waits.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft::{Checked, Draft, DraftAnswer, DraftOrder, DraftState, GroupId, is_cancelled, is_of_others};
use crate::app::{App, LayoutChange};
use crate::finding::Finding;
use crate::text::shortened;

use super::super::answer::{Result, Shown};
use super::super::drafts::{Doing, Taken};
use super::super::page::{self, Page, Part};
use super::super::state::Desk;
use super::super::words;

/// Which draft.
#[derive(Deserialize)]
pub(in super::super) struct Of {
    pub(super) id: String,
}

/// Which draft, and which page waits for it.
#[derive(Deserialize)]
pub(in super::super) struct Waiting {
    id: String,
    #[serde(default)]
    to: String,
}

/// Characters of a header, or of an order's number, that are shown.
pub(super) const HEADER_MAX: usize = 60;

/// The screens on the way, in their order, with their names.
const STEPS: [(&str, &str); 4] = [("columns", "Columns"), ("check", "Check"), ("book", "Book"), ("", "Results")];

/// A screen of a sheet.
pub(super) struct Screen<'s> {
    pub(super) id: &'s str,
    pub(super) file: &'s str,
    /// Which of the steps it is: `columns`, `check` or `book`.
    pub(super) step: &'static str,
}

impl Screen<'_> {
    /// The steps, the heading, and what stands under it.
    pub(super) fn head(&self, about: &Markup) -> Markup {
        let at = STEPS.iter().position(|(own, _)| *own == self.step).unwrap_or_default();
        let name = STEPS[at].1;
        html! {
            ol.steps aria-label="Steps" {
                @for (index, (own, name)) in STEPS.into_iter().enumerate() {
                    li aria-current=[(index == at).then_some("step")] {
                        @if index < at { a href=(place(self.id, own)) { (name) } } @else { (name) }
                    }
                }
            }
            h1 { (name) }
            p.soft { b { (self.file) } (about) }
        }
    }

    pub(super) fn page(&self, body: Markup) -> Shown {
        let name = STEPS.iter().find(|(own, _)| *own == self.step).map_or("", |(_, name)| *name);
        Page { title: format!("{name} · {}", self.file), part: Part::Home, body }.into()
    }
}

/// The address of a screen of a draft.
pub(in super::super) fn place(id: &str, screen: &str) -> String {
    format!("sheet/{id}/{screen}")
}

/// A draft that is checked; else the page that waits for it.
pub(super) fn opened(desk: &Desk, id: &str, screen: &'static str) -> Result<std::result::Result<Taken, Shown>> {
    let app: Arc<App> = desk.app();
    Ok(desk.drafts.checked(&app, id)?.ok_or_else(|| waiting(desk, id, screen)))
}

/// What is shown while something else is done with a draft.
pub(super) fn waiting(desk: &Desk, id: &str, screen: &str) -> Shown {
    let file = desk.app().draft(id).map(|draft| draft.file().to_owned()).unwrap_or_default();
    let body = html! {
        section {
            h1 { (page::WAITING) }
            noscript { meta http-equiv="refresh" content="1"; }
            div data-poll={ (place(id, "wait")) "?to=" (screen) } { (still(desk, id, screen)) }
            p.soft { (file) }
        }
    };
    Page { title: page::WAITING.to_owned(), part: Part::Home, body }.into()
}

/// What changes on that page: what is being done, and then where to go.
pub(in super::super) fn part(desk: &Desk, asked: &Waiting) -> Shown {
    // `begin` is the first screen of a sheet, whichever that is.
    let mut screens = STEPS.iter().map(|(step, _)| *step).chain(["begin"]);
    let screen = screens.find(|step| *step == asked.to).unwrap_or("check");
    Shown::Part(still(desk, &asked.id, screen))
}

fn still(desk: &Desk, id: &str, screen: &str) -> Markup {
    html! {
        @match desk.drafts.doing(id) {
            None => p data-go=(place(id, screen)) { "It is ready. " a href=(place(id, screen)) { "Show it" } },
            Some(Doing::Booked) => p role="status" { "Its orders are being booked. " a href="progress" { "Show progress" } },
            Some(Doing::Answered) => p role="status" { "Checking what you said …" },
            Some(_) => p role="status" { "Reading … A large sheet takes some seconds." },
        }
    }
}

/// Where an order of a sheet stands, in words, with the colour that it has.
pub(super) const fn state(state: DraftState) -> (&'static str, &'static str) {
    match state {
        DraftState::Ready => ("Ready", "good"),
        DraftState::Fix => ("Fix", "bad"),
        DraftState::Hold => ("Hold", "warn"),
        DraftState::LeftOut => ("Left out", "soft"),
        DraftState::Booked => ("Booked already", "good"),
        DraftState::InDoubt => ("In doubt", "warn"),
    }
}

/// The same inside a sentence.
pub(in super::super) const fn stands(state: DraftState) -> &'static str {
    match state {
        DraftState::Ready => "ready",
        DraftState::Fix => "to fix",
        DraftState::Hold => "on hold",
        DraftState::LeftOut => "left out",
        DraftState::Booked => "booked already",
        DraftState::InDoubt => "in doubt",
    }
}

/// How many orders stand so, as a list in words; those of which there are none are not named.
pub(super) fn counted(checked: &Checked, states: &[DraftState]) -> String {
    let count = |state: DraftState| match state {
        DraftState::Booked => checked.count(state).saturating_sub(checked.cancelled()),
        own => checked.count(own),
    };
    let named = states.iter().map(|own| (count(*own), stands(*own)));
    let cancelled = states.contains(&DraftState::Booked).then(|| (checked.cancelled(), "cancelled since"));
    let named = named.chain(cancelled).filter(|(orders, _)| *orders > 0);
    named.map(|(orders, name)| format!("{} {name}", words::number(orders))).collect::<Vec<_>>().join(", ")
}

/// What becomes of those of a list of [`counted`].
pub(super) fn stays_behind(checked: &Checked, states: &[DraftState]) -> &'static str {
    let all: u64 = states.iter().map(|own| checked.count(*own)).sum();
    if all == 1 { "it stays behind" } else { "these stay behind" }
}

/// How many orders stand how, as a list in words.
pub(super) fn counts(checked: &Checked) -> String {
    let all = counted(checked, &DraftState::ALL);
    if all.is_empty() { "no orders".to_owned() } else { all }
}

/// How many orders there are in all.
pub(super) fn orders(checked: &Checked) -> u64 {
    DraftState::ALL.into_iter().map(|own| checked.count(own)).sum()
}

/// A button that only leads somewhere.
pub(super) fn leads(to: &str, class: &str, name: &str) -> Markup {
    html! { form action=(to) { button class=(class) { (name) } } }
}

/// What an answer of these pages carries: the draft as it was seen, and where to come back to.
pub(super) fn answers(desk: &Desk, (id, revision): (&str, u64), back: &str) -> Markup {
    html! {
        form #a autocomplete="off" method="post" action=(place(id, "answer")) data-live {
            input type="hidden" name="page" value=(desk.guard.page_token());
            input type="hidden" name="revision" value=(revision);
            input type="hidden" name="back" value=(back);
            // Enter in a cell presses the first button of the form.
            button.unseen name="save" value="yes" tabindex="-1" aria-hidden="true" { "Save" }
        }
    }
}

/// The button that takes the last answer back, with what that was.
pub(super) fn undo(draft: &Draft) -> Markup {
    let named = |orders: &[String]| match orders {
        [only] => format!(": {}", shortened(only, HEADER_MAX)),
        more => format!(": {}", words::count(more.len() as u64, "order")),
    };
    let what = draft.can_undo().map(|answer| match answer {
        DraftAnswer::Edit { cells } => match cells.as_slice() {
            [only] => format!("typing in row {}", only.row),
            [first, rest @ ..] if rest.iter().chain([first]).all(|own| own.row == first.row && own.text.is_empty()) => {
                format!("taking out row {}", first.row)
            }
            more => format!("typing in {}", words::count(more.len() as u64, "cell")),
        },
        DraftAnswer::Accept { orders, .. } => format!("sending it{}", named(orders)),
        DraftAnswer::Total { orders } => {
            let orders: Vec<String> = orders.iter().map(|own| own.order.clone()).collect();
            format!("the amount{}", named(&orders))
        }
        DraftAnswer::Hold { orders } => format!("hold{}", named(orders)),
        DraftAnswer::LeaveOut { orders } => format!("leaving out{}", named(orders)),
        DraftAnswer::Release { orders } => format!("taking back in{}", named(orders)),
        DraftAnswer::Layout { change: LayoutChange::Values { .. }, .. } => "what the words mean".to_owned(),
        DraftAnswer::Layout { change: LayoutChange::Unit { unit }, .. } => format!("weights in {unit}"),
        DraftAnswer::Layout { change: LayoutChange::Amounts { .. }, .. } => "what amounts are for".to_owned(),
        _ => "a change under Columns".to_owned(),
    });
    html! { @if let Some(what) = what { button form="a" name="undo" value=(draft.revision()) { "Undo " (what) } } }
}

/// An order's state.
pub(super) fn pill(order: &DraftOrder) -> Markup {
    let (word, tone) = match order.state {
        DraftState::Booked if order.findings.iter().any(is_cancelled) => words::state(words::CANCELLED),
        own => state(own),
    };
    html! { span class={ "state " (tone) } { (word) } }
}

/// The link to all cells of an order.
pub(super) fn whole_link(id: &str, number: &str) -> Markup {
    html! { a href={ (place(id, "order")) "?number=" (page::encoded(number)) } { (shortened(number, HEADER_MAX)) } }
}

/// A small button of the answers; assistive tools hear which order it is about.
pub(super) fn button(name: &str, value: &str, label: &str, order: &str) -> Markup {
    html! { button form="a" name=(name) value=(value) aria-label={ (label) ": " (shortened(order, HEADER_MAX)) } { (label) } }
}

/// The button that lets an order go past what a rule says, of several groups in this one: where that looks beyond the sheet, with
/// what is said of the order by now.
pub(super) fn letting_go(order: &DraftOrder, rule: &str, finding: &Finding) -> String {
    let stamp = if finding.rule().is_some_and(is_of_others) { format!(".{:x}", order.told) } else { String::new() };
    let own = GroupId::of(finding);
    let all = order.findings.iter().chain(order.cells.iter().flat_map(|cell| &cell.findings));
    let mut of_rule = all.filter(|other| other.holds() && other.rule() == finding.rule());
    if of_rule.all(|other| GroupId::of(other) == own) {
        return format!("send.{rule}{stamp}");
    }
    let stamp = if stamp.is_empty() { "." } else { &stamp };
    format!("send.{rule}{stamp}.{}", own.0)
}
