//! Shipments are cancelled once a person has seen how many and for how much: one, those that were ticked, or all that a run sent.

use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{self, Cancellation, Ends, RunStatus, ToCancel, Which};
use crate::ledger::Ledger;
use crate::text::shortened;

use super::answer::Result;
use super::answers::{Back, Parted};
use super::orders::ROWS;
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::ticked::{self, Ticked};
use super::trouble::Trouble;
use super::work::Kind;
use super::{order, results, sheet, words};

/// The shipments that are meant: of these orders, or all that a run sent.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Meant {
    run: Option<i64>,
    /// The sheet on whose page it was asked for; empty where it was another page.
    #[serde(default)]
    sheet: String,
    #[serde(flatten)]
    orders: Ticked,
}

impl Meant {
    fn which(&self) -> Result<Which> {
        let orders = self.orders.numbers();
        match self.run {
            _ if !orders.is_empty() => Ok(Which { orders, ..Which::default() }),
            Some(run) => Ok(Which { run: Some(run), ..Which::default() }),
            None => Err(Trouble::NoPage),
        }
    }

    fn is_of_run(&self) -> Option<i64> {
        self.run.filter(|_| self.orders.numbers().is_empty())
    }

    /// The page that asks for it.
    fn address(&self) -> String {
        let run = self.run.map(|run| format!("&run={run}")).unwrap_or_default();
        format!("cancel?sheet={}{run}{}", page::encoded(&self.sheet), ticked::address(&self.orders.numbers()))
    }

    /// The page that it was asked for from.
    fn back(&self) -> String {
        match (self.run, self.orders.numbers().as_slice()) {
            _ if !self.sheet.is_empty() => sheet::place(&self.sheet, "check"),
            (Some(run), _) => format!("results?run={run}"),
            (None, [only]) => order::place(only),
            (None, _) => "orders".to_owned(),
        }
    }
}

/// Leads from ticks to the page that asks.
#[expect(clippy::unnecessary_wraps, reason = "a form's answer may be a refusal")]
pub(super) fn ask(desk: &Arc<Desk>, meant: &Meant) -> Result<String> {
    if meant.orders.numbers().is_empty() {
        return Ok(desk.warn(&meant.back(), ticked::NOTHING));
    }
    Ok(meant.address())
}

pub(super) fn offer(desk: &Desk, meant: &Meant) -> Result<Page> {
    let app = desk.app();
    let ledger = app.read_ledger()?;
    let found = app.to_cancel(&ledger, &meant.which()?)?;
    let title = match (meant.is_of_run(), meant.orders.numbers().as_slice()) {
        (Some(run), _) => format!("Cancel run {run}?"),
        (None, [only]) => format!("Cancel {only}?"),
        (None, all) => format!("Cancel {}?", words::count(all.len() as u64, "shipment")),
    };
    if let ([only], []) = (meant.orders.numbers().as_slice(), found.chosen.shipments.as_slice()) {
        return Err(Trouble::Typed(format!("{only} is not booked here")));
    }
    let open = found.chosen.not_cancelled();
    let status = meant.is_of_run().map(|run| app.run_status(&ledger, Some(run))).transpose()?;
    let unclear = open.iter().filter(|own| own.cancel_unclear_ms.is_some()).count() as u64;
    let body = html! {
        section aria-labelledby="cancel" {
            h1 #cancel { (title) }
            @if let Some(RunStatus { record, .. }) = &status { p.soft { (words::time(record.started_ms)) ", " (results::sheets(record)) } }
            @match found.chosen.shipments.as_slice() {
                [_] if meant.is_of_run().is_none() => (one(desk, &ledger, &found)?),
                _ => (several(&found)),
            }
            (stays(status.as_ref(), &found))
            @if !open.is_empty() {
                (page::notice(Tone::Warn, &html! {
                    p { "A cancelled order is never booked again under its number." }
                    @if meant.sheet.is_empty() { p { "To send it after all, drop a sheet that has it under a new number." } }
                    @else { p { "Once the courier service has cancelled it, Check can book it anew under another number." } }
                }))
            }
            @if unclear > 0 {
                (page::notice(Tone::Warn, &html! { p { @if open.len() > 1 { b { (words::count(unclear, "shipment")) ": " } } "It was asked for before, and no clear answer came. Asking again does no harm." } }))
            }
            (yes(desk, meant, &found))
        }
    };
    Ok(Page { title, part: Part::Orders, body })
}

fn one(desk: &Desk, ledger: &Ledger, found: &ToCancel) -> Result<Markup> {
    let app = desk.app();
    let service = app.config().service_key().map_err(app::Error::from)?;
    let Some(shipment) = found.chosen.shipments.first() else { return Ok(html! {}) };
    let sent = app.sent(ledger, (&shipment.order_number, &service))?;
    let to = sent.map(|sent| sent.receiver).filter(|to| !to.name.is_empty());
    Ok(html! {
        @if let Some(to) = to { p { "It goes to " b { (shortened(&to.name, 60)) } ", " (shortened(&to.city, 60)) " " (to.pin_code) "." } }
        p { "AWB " code { (shipment.awb) } @if let Some(carrier) = &shipment.carrier { ", " (carrier) } }
        @if shipment.cancelled_ms.is_none() {
            p {
                "Declared value " b { (words::rupees(found.value)) } ", "
                @if found.to_collect.is_zero() { "no cash to collect." } @else { "cash to collect " b { (words::rupees(found.to_collect)) } "." }
            }
        }
    })
}

fn several(found: &ToCancel) -> Markup {
    let open = found.chosen.not_cancelled();
    html! {
        dl.figures {
            (page::figure(&words::number(open.len() as u64), "", "Shipments"))
            (page::figure(&words::rupees(found.value), "", "Declared value"))
            (page::figure(&words::rupees(found.to_collect), "", "Cash to collect"))
        }
        @if !open.is_empty() {
            details {
                summary { "Show the shipments" }
                ul.plain { @for own in open.iter().take(ROWS) { li { (page::order_link(&own.order_number)) " " code { (own.awb) } } } }
                @if open.len() > ROWS { p.soft { "and " (words::number((open.len() - ROWS) as u64)) " more" } }
            }
        }
    }
}

/// Shipments that are not cancelled with it, and why.
fn stays(status: Option<&RunStatus>, found: &ToCancel) -> Markup {
    let unknown = &found.chosen.unknown;
    let (in_doubt, unsent) = status.map_or((0, 0), |own| (own.orders.in_doubt, own.orders.outstanding));
    let is_nothing = found.of_other_runs.is_empty() && unknown.is_empty() && found.cancelled + in_doubt + unsent == 0;
    html! {
        @if !is_nothing {
            p { "Not among them:" }
            ul.plain {
                @if found.cancelled > 0 && status.is_some() { li { (words::count(found.cancelled, "shipment")) " cancelled already." } }
                @for (run, shipments) in &found.of_other_runs {
                    li { (words::count(*shipments, "shipment")) " of another run: " a href={ "results?run=" (run) } { "run " (run) } "." }
                }
                @if in_doubt > 0 { li { (words::count(in_doubt, "order")) " in doubt, perhaps booked. " a href="doubts" { "Settle first" } } }
                @if unsent > 0 { li { (words::count(unsent, "order")) " not sent. " "Do not press Resume, and give them up one by one." } }
                @for number in unknown.iter().take(ROWS) { li { (number) " is not booked here." } }
            }
        }
    }
}

fn yes(desk: &Desk, meant: &Meant, found: &ToCancel) -> Markup {
    let open = found.chosen.not_cancelled().len() as u64;
    let is_one = open == 1 && meant.is_of_run().is_none();
    let cash =
        if found.to_collect.is_zero() { String::new() } else { format!(" · COD {}", words::rupees(found.to_collect)) };
    html! {
        @if open == 0 {
            p { "There is nothing to cancel." }
            p { a.button href=(meant.back()) { "Back" } }
        } @else {
            (page::form(desk, "cancel", &html! {
                @if let Some(run) = meant.run { input type="hidden" name="run" value=(run); }
                (ticked::fields(&meant.orders.numbers()))
                input type="hidden" name="sheet" value=(meant.sheet);
                input type="hidden" name="stamp" value=(found.stamp());
                input type="hidden" name="at" value=(desk.at(&desk.app()));
                div.row.end {
                    a.button href=(meant.back()) { (if is_one { "Keep it" } else { "Keep them" }) }
                    span.grow {}
                    button.bad {
                        @if is_one { "Cancel this shipment" } @else { "Cancel " (words::count(open, "shipment")) " worth " (words::rupees(found.value)) (cash) }
                    }
                }
            }))
        }
    }
}

/// The shipments that a person agreed to cancel, as they saw them.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Agreed {
    stamp: String,
    at: String,
    run: Option<i64>,
    #[serde(default)]
    sheet: String,
    #[serde(flatten)]
    orders: Ticked,
}

pub(super) fn cancel(desk: &Arc<Desk>, agreed: &Agreed) -> Result<String> {
    let (own, app) = (Arc::clone(desk), desk.app());
    let Agreed { stamp, at, run, sheet, orders } = agreed.clone();
    desk.is_still(&app, &at)?;
    let meant = Meant { run, sheet, orders };
    desk.work.start(Kind::Cancelling, move |job| {
        let found = app.to_cancel(&app.read_ledger()?, &meant.which()?)?;
        // Pressed once more, or in another window, these are cancelled by now.
        if found.stamp() != stamp {
            return Err(Trouble::Changed("Other shipments than those you saw would be cancelled by now".to_owned()));
        }
        let ends = app.cancel(&found.chosen, job.stop_signal(), &mut job.steps())?;
        let is_left = ends.list.iter().any(|end| !matches!(end, Some(Ok(_))));
        let again = is_left.then(|| meant.address());
        let parted = Parted { not: "Not cancelled", done: "Cancelled", again };
        let back = if meant.sheet.is_empty() { meant.run.map(Back::Run) } else { Some(Back::Sheet(meant.sheet)) };
        Ok(own.keep(heading(&ends), (back, Some(parted)), &found.chosen, ends, came_of))
    })?;
    Ok("progress".to_owned())
}

fn came_of(cancellation: Cancellation) -> (&'static str, String) {
    match cancellation {
        Cancellation::Now(cancelled) => {
            let refund = cancelled
                .refund_status
                .map(|status| format!(" About the refund it says: {}.", status.replace('_', " ").to_lowercase()))
                .unwrap_or_default();
            ("good", format!("The courier service has cancelled it.{refund}"))
        }
        Cancellation::Before(at_ms) => ("good", format!("It was cancelled {}.", words::moment(at_ms))),
    }
}

/// The heading of the page with the results of cancellations.
fn heading(ends: &Ends<Cancellation>) -> String {
    let (all, cancelled) = (ends.list.len(), ends.list.iter().filter(|end| matches!(end, Some(Ok(_)))).count());
    let is_unclear = ends.list.iter().any(|end| matches!(end, Some(Err(fault)) if fault.is_unclear));
    match cancelled {
        _ if cancelled == all => "Cancelled".to_owned(),
        0 if is_unclear => "Perhaps cancelled".to_owned(),
        0 => "Not cancelled".to_owned(),
        _ => format!("{} of {} cancelled", words::number(cancelled as u64), words::count(all as u64, "shipment")),
    }
}
