//! What a person agrees to before orders are sent: their number and their money, and what is unusual about them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{Caution, english};
use crate::finding::{Finding, english as finding_words};
use crate::ledger::Elsewhere;
use crate::stage::Totals;
use crate::text::shortened;

use super::answer::Result;
use super::page::{self, Tone};
use super::state::Desk;
use super::words;

pub(super) fn figures(totals: &Totals) -> Markup {
    html! {
        dl.figures {
            (page::figure(&words::number(totals.orders), "", "Orders"))
            (page::figure(&words::number(totals.lines), "", "Products"))
            (page::figure(&words::rupees(totals.value), "", "Declared value"))
            (page::figure(&words::rupees(totals.to_collect), "", "Cash to collect"))
        }
    }
}

/// The sums that a person agrees to, as one text.
pub(super) fn sums(totals: &Totals) -> String {
    format!("{} {} {} {}", totals.orders, totals.lines, totals.value, totals.to_collect)
}

/// Money to collect, as the end of a button.
pub(super) fn to_collect(totals: &Totals) -> String {
    if totals.to_collect.is_zero() { String::new() } else { format!(" · COD {}", words::rupees(totals.to_collect)) }
}

/// What is far more than usual, as one text; empty where nothing is.
fn unusual(cautions: &[Caution]) -> String {
    let far = cautions.iter().filter(|own| matches!(own, Caution::FarMoreThanUsual(_)));
    far.map(|own| words::capital(&english::caution(own)) + ".").collect::<Vec<_>>().join(" ")
}

/// A tick that says that what is unusual was looked at.
pub(super) fn tick(cautions: &[Caution]) -> Markup {
    let unusual = unusual(cautions);
    html! {
        @if !unusual.is_empty() {
            label.tick.box.warn { input type="checkbox" name="seen" value=(unusual) required; span { (unusual) " I have looked: it is right." } }
        }
    }
}

/// The cautions that were ticked, by their words.
pub(super) fn accepted(cautions: &[Caution], seen: Option<&str>) -> Vec<Caution> {
    if seen.is_some_and(|seen| seen == unusual(cautions)) { cautions.to_vec() } else { Vec::new() }
}

/// Orders that are named one by one.
pub(super) const NAMED: usize = 50;

/// Orders that may be ones that were sent before, each with why; `link` leads to an order.
pub(super) fn likely_duplicates(said: &[Finding], advice: &str, link: &dyn Fn(&str) -> Markup) -> Markup {
    let all = said.len() as u64;
    html! {
        @if all > 0 {
            (page::notice(Tone::Warn, &html! {
                p { b { (words::count(all, "order")) " may be booked already, under another number." } " " (advice) }
                ul.plain {
                    @for finding in said.iter().take(NAMED) {
                        li { b { (link(finding.order.as_deref().unwrap_or_default())) } ": " (words::capital(&shortened(&finding_words::message(finding), 300))) "." }
                    }
                }
                @if said.len() > NAMED { p { "and " (words::number((said.len() - NAMED) as u64)) " more" } }
            }))
        }
    }
}

/// A tick that says that these were looked at.
pub(super) fn tick_duplicates(said: &[Finding]) -> Markup {
    html! {
        @if !said.is_empty() {
            label.tick.box.warn { input type="checkbox" name="twice" value=(stamp_of(said)) required; span { "I have looked: send " (if said.len() == 1 { "it" } else { "them" }) " as well." } }
        }
    }
}

/// Whether all of that was ticked.
pub(super) fn were_seen(said: &[Finding], ticked: Option<&str>) -> bool {
    said.is_empty() || ticked.is_some_and(|ticked| ticked == stamp_of(said))
}

/// What tells these findings from others.
fn stamp_of(said: &[Finding]) -> String {
    let mut hasher = DefaultHasher::new();
    for own in said {
        (&own.order, finding_words::message(own)).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// Other addresses at which orders are known: a person says first what they are, and comes back to that page.
pub(super) fn elsewhere(desk: &Desk, cautions: &[Caution], back: &str) -> Option<Markup> {
    let others = Caution::elsewhere(cautions);
    let question = |other: &Elsewhere| {
        html! {
            p { (words::capital(&english::elsewhere(other))) ". Is that the same courier account?" }
            (page::form(desk, "service", &html! {
                input type="hidden" name="other" value=(other.service);
                input type="hidden" name="at" value=(desk.at(&desk.app()));
                input type="hidden" name="back" value=(back);
                div.row {
                    label.grow { "How you know" input name="because" required maxlength="300"; }
                    button name="is_same" value="yes" { "The same: do not send them again" }
                    button name="is_same" value="no" { "Another one" }
                }
            }))
        }
    };
    let asked = html! { @for other in &others { (page::notice(Tone::Bad, &question(other))) } };
    (!others.is_empty()).then_some(asked)
}

/// A person's word on another address.
#[derive(Deserialize)]
pub(super) struct OtherAddress {
    other: String,
    /// Where orders went when it was asked.
    at: String,
    is_same: String,
    because: String,
    back: String,
}

pub(super) fn say_of_service(desk: &Arc<Desk>, said: &OtherAddress) -> Result<String> {
    let app = desk.app();
    desk.is_still(&app, &said.at)?;
    let word = app.service_word(&said.other, said.is_same == "yes", &said.because)?;
    app.say_of_service(&word)?;
    Ok(said.back.clone())
}
