//! Book: what would be sent, with its money, and what stays behind. The button names both, and sends nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft::{self, Checked, Draft, DraftState, Filter, FindingGroup, Parts};
use crate::app::{self, App, CourierOptions, CourierQuestion, Drive, OrdersFrom, Plan};
use crate::config::BookingOptions;
use crate::event::Stream;
use crate::finding::{Finding, Id, english};
use crate::text::{list, shortened};

use super::super::agree::{self, sums, to_collect};
use super::super::answer::{Result, Shown};
use super::super::booking::AgreedRun;
use super::super::drafts::{Doing, Taken};
use super::super::page::{self, Tone};
use super::super::state::{Desk, destination};
use super::super::trouble::Trouble;
use super::super::words;
use super::super::work::{Job, Kind};
use super::frame::{Of, Screen, counted, opened, place, stays_behind, whole_link};
use super::said;

pub(in super::super) fn book(desk: &Desk, of: &Of) -> Result<Shown> {
    let taken = match opened(desk, &of.id, "book")? {
        Ok(taken) => taken,
        Err(waiting) => return Ok(waiting),
    };
    let (draft, checked) = (taken.draft()?, taken.result()?);
    if !checked.is_usable() {
        return Ok(Shown::Instead(place(&of.id, "columns")));
    }
    let totals = checked.to_book();
    let likely = likely_duplicates(draft, checked)?;
    let screen = Screen { id: &of.id, file: draft.file(), step: "book" };
    let body = html! {
        section aria-label="Book" {
            (screen.head(&html! { ", at " (destination(&desk.app())) }))
            @if totals.orders == 0 {
                p { "Nothing is ready to be booked." }
            } @else {
                (agree::figures(&totals))
                (shares(checked))
            }
            (parts(checked))
            (behind(&of.id, checked))
            (agree::likely_duplicates(&likely, "If it is the same parcel, leave it out.", &|number| whole_link(&of.id, number)))
            (leave_out(desk, draft, checked, &likely))
            @for (id, list, orders) in &draft.in_lists() { (in_list(*id, list, orders)) }
            @if let Some(question) = agree::elsewhere(desk, checked.cautions(), &place(&of.id, "book")) { (question) }
            @else if totals.orders > 0 { (agree(desk, draft, checked, &likely)) }
        }
    };
    Ok(screen.page(body))
}

/// What is said of orders that would be sent and that may be ones that were sent before, or that stand in the sheet twice;
/// but not what the clerk has answered.
fn likely_duplicates(draft: &Draft, checked: &Checked) -> Result<Vec<Finding>> {
    let is_meant = |finding: &Finding| finding.id == Id::SameShipment && finding.accepted.is_none();
    let mut said = Vec::new();
    for group in checked.groups().iter().filter(|own| own.example.id == Id::SameShipment) {
        let orders = draft.page(&Filter::Group(group.group), 0, agree::NAMED)?;
        for order in orders.into_iter().filter(|order| order.state == DraftState::Ready) {
            let of_cells = order.cells.into_iter().flat_map(|cell| cell.findings);
            said.extend(order.findings.into_iter().chain(of_cells).filter(is_meant));
        }
    }
    Ok(said)
}

/// Orders that stay behind because the courier's list has them.
fn in_list(id: i64, name: &str, orders: &[String]) -> Markup {
    page::notice(
        Tone::Bad,
        &html! {
            p { b { "The courier has " (words::count(orders.len() as u64, "order")) " of these already: " } (shortened(&list(orders, "and"), 200)) ", by the list " (name) "." }
            p { "They stay behind. " a href={ "statement?id=" (id) } { "Look at the list" } }
        },
    )
}

fn shares(checked: &Checked) -> Markup {
    html! {
        table.cards {
            thead { tr { th { "From" } th { "Payment" } th.num { "Parcels" } th.num { "Declared value" } th.num { "To collect" } } }
            tbody {
                @for share in checked.by() {
                    tr {
                        td { @if share.warehouse.is_empty() { "as the sheet says" } @else { (share.warehouse) } }
                        td { @match share.payment.as_str() { "COD" => "Cash on delivery", "PREPAID" => "Paid already", other => (other) } }
                        td.num data-name="Parcels" { (words::number(share.totals.orders)) }
                        td.num data-name="Declared value" { (words::rupees(share.totals.value)) }
                        td.num data-name="To collect" { (words::rupees(share.totals.to_collect)) }
                    }
                }
            }
        }
    }
}

/// How many are new, and how many the ledger knows.
fn parts(checked: &Checked) -> Markup {
    let Parts { new, corrected, left_over } = checked.parts();
    let cancelled = checked.cancelled();
    let booked = checked.count(DraftState::Booked).saturating_sub(cancelled);
    let said = [
        (new, "new"),
        (corrected, "corrected since they failed"),
        (left_over, "left by an earlier run"),
        (booked, "booked already, not sent again"),
        (cancelled, "booked and cancelled since, not sent again"),
    ];
    let said: Vec<String> = said
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", words::number(*count)))
        .collect();
    html! { @if !said.is_empty() { p { (said.join(", ")) "." } } }
}

fn behind(id: &str, checked: &Checked) -> Markup {
    let states = [DraftState::Fix, DraftState::Hold, DraftState::LeftOut, DraftState::InDoubt];
    let said = counted(checked, &states);
    html! {
        @if !said.is_empty() { p.soft { (said) ": " (stays_behind(checked, &states)) ". " a href=(place(id, "check")) { "Look at them" } } }
    }
}

/// Those of them that may be parcels which were sent before: they go only once a person has looked.
fn sent_before(likely: &[Finding]) -> Vec<Finding> {
    // The others stand in the sheet itself.
    let is_in_sheet = |own: &&Finding| ["again", "respelled"].iter().any(|case| own.is(Id::SameShipment, case));
    likely.iter().filter(|own| !is_in_sheet(own)).cloned().collect()
}

/// A button that leaves all of them out, where they are all of which that is said.
fn leave_out(desk: &Desk, draft: &Draft, checked: &Checked, likely: &[Finding]) -> Markup {
    let groups = checked.groups();
    let is_all = |own: &&FindingGroup| own.example.id == Id::SameShipment && own.orders == likely.len() as u64;
    html! {
        @if let Some(own) = groups.iter().find(is_all) {
            (page::form(desk, &place(draft.id(), "answer"), &html! {
                input type="hidden" name="revision" value=(draft.revision());
                input type="hidden" name="back" value="book";
                button name="all-leave" value={ (own.group.0) "." (own.stamp) } { (if own.orders == 1 { "Leave this one out".to_owned() } else { format!("Leave these {} out", words::number(own.orders)) }) }
            }))
        }
    }
}

fn agree(desk: &Desk, draft: &Draft, checked: &Checked, likely: &[Finding]) -> Markup {
    let totals = checked.to_book();
    let busy = desk.work.running().map(|job| job.kind.words());
    let service = desk.app().config().service_key();
    html! {
        @if !desk.is_practice() && desk.app().config().login_named().is_none() {
            (page::notice(Tone::Bad, &html! { p { "No account of the courier service is known yet. " a href="settings" { "Enter it in Settings" } } }))
        } @else if let Err(error) = service {
            (page::notice(Tone::Bad, &html! { p { (Trouble::from(app::Error::from(error)).sentence()) " " a href="settings" { "Settings" } } }))
        } @else if let Some(busy) = busy {
            (page::notice(Tone::Warn, &html! { p { "One moment: " (busy) ". " a href="progress" { "Show progress" } } }))
        } @else if let Some(why) = checked.unread_ledger() {
            (page::notice(Tone::Bad, &html! { p { "What is booked already cannot be seen now: " (words::without_codes(why)) "." } }))
        } @else {
            (page::form(desk, &place(draft.id(), "book"), &html! {
                input type="hidden" name="revision" value=(draft.revision());
                input type="hidden" name="stamp" value=(checked.stamp());
                input type="hidden" name="at" value=(desk.at(&desk.app()));
                input type="hidden" name="sums" value=(sums(&totals));
                (agree::tick(checked.cautions()))
                (agree::tick_duplicates(&sent_before(likely)))
                (couriers_first(desk, draft, checked))
                @if !desk.is_practice() { p { "This books for real, at " b { (destination(&desk.app())) } "." } }
                div.row.end {
                    a.button href=(place(draft.id(), "check")) { "Back" }
                    span.grow {}
                    button.main { "Book " (words::number(totals.orders)) " now" (to_collect(&totals)) }
                }
            }))
        }
    }
}

/// Whether couriers are asked first: offered where they can be asked about some of the orders, with those of which they cannot.
fn couriers_first(desk: &Desk, draft: &Draft, checked: &Checked) -> Markup {
    let app = desk.app();
    let own = app.config().serviceability();
    let is_known = |id: &str| {
        let names = app.config().warehouses().iter().filter(|(_, known)| *known == id).map(|(name, _)| name.as_str());
        own.pickup_pin.is_some() || names.chain([id]).any(|name| own.pickup_pins.contains_key(name))
    };
    let warehouses: BTreeSet<String> = checked.by().into_iter().map(|share| share.warehouse).collect();
    let unknown: Vec<&String> = warehouses.iter().filter(|id| !id.is_empty() && !is_known(id)).collect();
    let can_ask = unknown.len() < warehouses.len();
    html! {
        label.tick { input type="checkbox" name="couriers" value="yes" checked[can_ask && draft.has_asked_couriers()] disabled[!can_ask]; " First ask whether couriers deliver there. Orders that no courier takes stay behind." }
        @if !unknown.is_empty() {
            p.soft { "Couriers cannot be asked about orders from " (list(&unknown, "and")) " yet: the PIN code of its pickup is not known. " a href="settings" { "Enter it in Settings" } }
        }
    }
}

/// What a person saw and agreed to.
#[derive(Clone, Deserialize)]
pub(in super::super) struct Agreed {
    id: String,
    revision: String,
    /// The orders with their requests.
    stamp: String,
    /// Where they go, and whose they are.
    at: String,
    sums: String,
    couriers: Option<String>,
    /// What was ticked.
    seen: Option<String>,
    /// Whether orders that may be booked already were looked at.
    twice: Option<String>,
}

impl Agreed {
    /// Refuses what is no longer what was seen.
    fn holds_for(&self, draft: &Draft, checked: &Checked) -> Result<()> {
        let is_as_seen = draft.revision().to_string() == self.revision
            && checked.stamp() == self.stamp
            && sums(&checked.to_book()) == self.sums;
        if is_as_seen { Ok(()) } else { Err(Trouble::Changed("This is no longer what you saw".to_owned())) }
    }
}

pub(in super::super) fn agreed(desk: &Arc<Desk>, agreed: &Agreed) -> Result<String> {
    let app = desk.app();
    if let Some(job) = desk.work.running() {
        return Err(Trouble::Busy(job.kind.words()));
    }
    let Some(taken) = desk.drafts.checked(&app, &agreed.id)? else {
        return Err(Trouble::Busy("this sheet is being read"));
    };
    // Pressed once more, or on a page of before: all of it is booked by now.
    let (checked, drafts) = (taken.result()?, draft::all(&app.read_ledger()?)?.entries);
    let run = drafts.iter().find(|own| own.id == agreed.id).and_then(|own| own.runs.last());
    if let Some(run) = run.filter(|_| checked.to_book().orders == 0 && checked.count(DraftState::Booked) > 0) {
        let booked = "These orders are booked already. Nothing was sent again.";
        return Ok(desk.say(&format!("results?run={run}"), booked));
    }
    agreed.holds_for(taken.draft()?, checked)?;
    let likely = sent_before(&likely_duplicates(taken.draft()?, taken.result()?)?);
    if !agree::were_seen(&likely, agreed.twice.as_deref()) {
        return Err(Trouble::Changed("Some of these orders may be booked already".to_owned()));
    }
    desk.is_still(&app, &agreed.at)?;
    taken.is_for(Doing::Booked);
    let (own, agreed) = (Arc::clone(desk), agreed.clone());
    desk.work.start(Kind::Booking, move |job| {
        let booked = booked(&app, job, &taken, &agreed);
        // What is open of it is read again, beside what the ledger knows by now.
        taken.let_go();
        let (run, not_asked) = booked?;
        // Where that fails, the sheet stays open; what was booked is recorded.
        if let Ok(Some(mut taken)) = own.drafts.take(&own.app(), &agreed.id) {
            let _ = taken.draft_mut().and_then(|draft| Ok(draft.close(&own.app(), &mut Stream::silent())?));
            taken.let_go();
        }
        let results = format!("results?run={run}");
        Ok(not_asked.map_or(results.clone(), |why| own.warn(&results, &why)))
    })?;
    Ok("progress".to_owned())
}

/// Books what was agreed to, and gives the run, and what couriers could not be asked about.
fn booked(app: &App, job: &Arc<Job>, taken: &Taken, agreed: &Agreed) -> Result<(i64, Option<String>)> {
    let (draft, checked) = (taken.draft()?, taken.result()?);
    let booking = app.config().booking(&BookingOptions::default());
    let session = app.session("desk")?;
    let couriers = CourierOptions { check: agreed.couriers.is_some(), ..CourierOptions::default() };
    let going = || checked.numbers(&Filter::State(DraftState::Ready)).into_iter().collect();
    let couriers =
        app.couriers_before(&couriers, &booking)?.map(|question| CourierQuestion { orders: Some(going()), ..question });
    let is_asked = couriers.is_some() && draft.reading().is_some();
    let as_seen = |plan: &Plan<'_, '_>| {
        let to_send = &plan.counts().ledger.to_send;
        let is_as_seen = sums(to_send) == agreed.sums || (is_asked && to_send.orders < checked.to_book().orders);
        if !is_as_seen {
            return Err(Trouble::Changed("Other orders than those you saw would be sent".to_owned()));
        }
        Ok(agree::accepted(checked.cautions(), agreed.seen.as_deref()))
    };
    let mut face = AgreedRun::new((app, job), Some(&agreed.id), &as_seen);
    let drive =
        Drive { orders: OrdersFrom::Draft(draft), couriers, booking: &booking, stop: job.stop_signal().clone() };
    let run = face.drive(session, drive).map_err(|trouble| match trouble {
        // Another desk may have changed it since.
        Trouble::App(app::Error::DraftChanged) => {
            Trouble::Changed("This sheet was changed in another window".to_owned())
        }
        trouble => trouble,
    })?;
    Ok((run, face.asked.and_then(|asked| not_asked(&asked.warnings))))
}

/// What couriers were not asked about, or gave no answer to, though a person wanted that.
fn not_asked(warnings: &[Finding]) -> Option<String> {
    let each: Vec<String> = warnings.iter().map(|warning| said::sentence(&english::message(warning))).collect();
    (!each.is_empty()).then(|| {
        format!("Couriers were not asked about all orders. {} Those orders were sent all the same.", each.join(" "))
    })
}
