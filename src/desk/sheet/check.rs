//! Check: how many orders stand how, and only the cells that need a person, by what is wrong, each to be mended in place.

use maud::{Markup, html};
use serde::Deserialize;

use crate::app::draft::{
    Checked, Draft, DraftOrder, DraftState, FieldChange, Filter, FindingGroup, GoesTo, GroupId, OneCellAddress,
    RefusedGroup, is_cancelled,
};
use crate::finding::{Finding, Id, RuleId, Value};
use crate::text::shortened;

use super::super::agree::to_collect;
use super::super::answer::{Result, Shown};
use super::super::page::{self, Tone};
use super::super::state::Desk;
use super::super::words;
use super::frame::{
    HEADER_MAX, Screen, answers, button, counted, leads, opened, orders, pill, place, state, stays_behind, undo,
    whole_link,
};
use super::{groups, one_cell, refused, said, strays};

/// Orders of a page.
const ROWS: usize = 100;
/// About so many bytes is what a page says of its orders.
const PAGE_BYTES: usize = 62_000;
/// Booked orders that stand otherwise in the sheet by now, of which Check says how.
const CHANGED: usize = 5;
/// Values that are told of each, and the length of one.
const CHANGES: usize = 8;
const VALUE_MAX: usize = 80;
/// What shows all of them.
const CHANGED_SHOWN: &str = "changed";
/// Kinds of remarks that Check names besides, and rows without an order.
const KINDS: usize = 12;

/// Which orders.
#[derive(Deserialize)]
pub(in super::super) struct Asked {
    id: String,
    /// A state, `all`, or `group-` and its number; what needs a person without it.
    #[serde(default)]
    show: String,
    /// A part of an order's number.
    #[serde(default)]
    q: String,
    #[serde(default)]
    from: usize,
}

impl Asked {
    fn filter(&self, checked: &Checked) -> Filter {
        let state = DraftState::ALL.into_iter().find(|own| own.as_str() == self.show);
        let group = self.show.strip_prefix("group-").and_then(|number| number.parse().ok());
        match (self.q.trim(), state, group) {
            ("", Some(state), _) => Filter::State(state),
            ("", None, Some(group)) => Filter::Group(GroupId(group)),
            ("", ..) if self.show == "all" => Filter::All,
            ("", ..) if self.show == CHANGED_SHOWN => Filter::BookedOtherwise,
            // Where nothing needs a person, everything is of interest.
            ("", ..) if checked.open() == 0 => Filter::All,
            ("", ..) => Filter::Open,
            (number, ..) => Filter::Number(number.to_owned()),
        }
    }

    /// The same from another order on, behind the question mark.
    fn at(&self, from: usize) -> String {
        format!("?show={}&q={}&from={from}", page::encoded(&self.show), page::encoded(&self.q))
    }
}

pub(in super::super) fn check(desk: &Desk, asked: &Asked) -> Result<Shown> {
    let taken = match opened(desk, &asked.id, "check")? {
        Ok(taken) => taken,
        Err(waiting) => return Ok(waiting),
    };
    let (draft, checked) = (taken.draft()?, taken.result()?);
    if !checked.is_usable() {
        return Ok(Shown::Instead(place(&asked.id, "columns?missing=yes")));
    }
    let filter = asked.filter(checked);
    let found = checked.numbers(&filter).len();
    let listed = fitting(draft.page(&filter, asked.from, ROWS)?);
    let failed = if by_group(&filter) { refused::groups(&desk.app(), draft, &listed)? } else { Vec::new() };
    let apart = if by_group(&filter) { draft.one_cell_addresses(&listed)? } else { Vec::new() };
    let (changed, strays) = (draft.page(&Filter::BookedOtherwise, 0, CHANGED)?, draft.strays(KINDS)?);
    let screen = Screen { id: &asked.id, file: draft.file(), step: "check" };
    let about =
        html! { ", " (words::count(orders(checked), "order")) " in " (words::count(checked.rows().read, "row")) };
    let body = html! {
        section aria-label="Check" {
            @if let Some(first) = first_problem(&filter, &listed) { a.skip href="#main" data-skip=(first) { "Skip to the first problem" } }
            (screen.head(&about))
            (answers(desk, (&asked.id, draft.revision()), &format!("check{}", asked.at(asked.from))))
            (choices(asked, &filter, checked))
            @if checked.count(DraftState::Hold) + checked.count(DraftState::LeftOut) > 0 {
                (page::at_this_station(desk, "What is on hold or left out is kept back"))
            }
            (booked_otherwise(&asked.id, checked, &changed))
            (of_the_sheet(&asked.id, checked))
            @if by_group(&filter) && found > 0 { p.soft { "Hold: later. Leave it out: not to be sent at all." } }
            (strays::group(checked, &strays))
            @if found == 0 { p { (nothing(&filter)) } }
            @else if by_group(&filter) {
                @let own: Vec<&DraftOrder> = listed.iter().filter(|order| order.by_clerk && matches!(filter, Filter::State(_))).collect();
                @if !own.is_empty() { (list(&asked.id, draft, own)?) }
                @for group in &failed { (refused::one(&asked.id, draft, group, &listed)) }
                (one_cell::group(&asked.id, &listed, &apart)) (groups((asked, &filter), draft, &listed, (&failed, &apart))?)
            }
            @else { (list(&asked.id, draft, listed.iter().collect())?) }
            (pages(asked, &listed, found))
            (besides(asked, &filter, checked))
            noscript { p { button form="a" name="save" value="yes" { "Save what was typed" } } }
        }
        (ways_on(desk, &asked.id, draft, checked))
    };
    Ok(screen.page(body))
}

/// As many of these orders as one page has room for.
fn fitting(mut orders: Vec<DraftOrder>) -> Vec<DraftOrder> {
    let of_findings = |findings: &[Finding]| -> usize { findings.iter().map(|own| 150 + said::length(own)).sum() };
    let weight = |order: &DraftOrder| {
        let cells = order.cells.iter().map(|cell| 150 + cell.text.len().min(400) + of_findings(&cell.findings));
        150 + 5 * order.number.len() + cells.sum::<usize>() + of_findings(&order.findings)
    };
    let mut left = PAGE_BYTES;
    let room = orders.iter().position(|order| {
        let own = weight(order);
        let is_full = own > left;
        left = left.saturating_sub(own);
        is_full
    });
    orders.truncate(room.unwrap_or(orders.len()).max(1));
    orders
}

/// Whether a list is about what is wrong, and not about the orders as such.
const fn by_group(filter: &Filter) -> bool {
    matches!(filter, Filter::Open | Filter::Group(_) | Filter::State(DraftState::Fix | DraftState::Hold))
}

/// Where the first problem is found on the page: its cell, or its order where nothing is to be typed.
fn first_problem(filter: &Filter, listed: &[DraftOrder]) -> Option<&'static str> {
    let has_cells = listed.iter().any(|order| !order.cells.is_empty());
    (by_group(filter) && !listed.is_empty()).then_some(if has_cells { ".cell" } else { ".group a" })
}

/// The counts, each of which narrows the list down.
fn choices(asked: &Asked, filter: &Filter, checked: &Checked) -> Markup {
    let show = |show: &str| format!("{}?show={show}", place(&asked.id, "check"));
    let open = checked.open();
    html! {
        div.row {
            nav.tabs.grow aria-label="Orders to show" {
                a href=(show("all")) aria-current=[(*filter == Filter::All).then_some("true")] { "All " b { (words::number(orders(checked))) } }
                @if open > 0 { a href=(show("")) aria-current=[(*filter == Filter::Open).then_some("true")] { "To answer " b.bad { (words::number(open)) } } }
                @let is_shown = |own: &DraftState| matches!(own, DraftState::Ready | DraftState::Fix) || checked.count(*own) > 0 || *filter == Filter::State(*own);
                @for own in DraftState::ALL.into_iter().filter(is_shown) {
                    @let (name, tone) = state(own);
                    @let count = checked.count(own);
                    a href=(show(own.as_str())) aria-current=[(*filter == Filter::State(own)).then_some("true")] {
                        (name) " " b class=(tone) { (words::number(count)) }
                    }
                }
            }
            form.find role="search" aria-label="Orders of this sheet" action=(place(&asked.id, "check")) {
                input type="search" name="q" value=(asked.q) aria-label="Order number in this sheet" placeholder="order number" autocomplete="off";
                button { "Show" }
            }
        }
    }
}

fn nothing(filter: &Filter) -> &'static str {
    match filter {
        Filter::Number(_) => "No order of this sheet has this in its number.",
        Filter::All => "There is no order in this sheet.",
        _ => "No order here.",
    }
}

/// Booked orders of which the sheet says something else by now, with what that is and a way to book them anew.
fn booked_otherwise(id: &str, checked: &Checked, first: &[DraftOrder]) -> Markup {
    let all = checked.numbers(&Filter::BookedOtherwise).len() as u64;
    html! {
        @if all > 0 {
            (page::notice(Tone::Warn, &html! {
                p { b { (words::count(all, "order")) (if all == 1 { " is" } else { " are" }) " booked already, and this sheet says something else by now." } " What changed is not sent." }
                ul.plain { @for order in first { li { (whole_link(id, &order.number)) ": " (differs(order)) " " (instead(id, order)) } } }
                @if all > first.len() as u64 { p { a href={ (place(id, "check")) "?show=" (CHANGED_SHOWN) } { "All " (words::number(all)) } } }
            }))
        }
    }
}

/// The values of a booked order that changed in its sheet, old and new, or the finding where it has no request.
fn differs(order: &DraftOrder) -> Markup {
    let shown = |text: &str| if text.is_empty() { "blank".to_owned() } else { shortened(text, VALUE_MAX) };
    let changed = |own: &FieldChange| {
        let product = own.product.map(|product| format!(" of product {product}")).unwrap_or_default();
        format!("{}{product} {} → {}", own.field.unwrap_or("Number of products"), shown(&own.was), shown(&own.is))
    };
    let all: Vec<String> = order.changes.iter().take(CHANGES).map(changed).collect();
    let more = order.changes.len().saturating_sub(CHANGES);
    let said = order.findings.iter().chain(order.cells.iter().flat_map(|cell| &cell.findings));
    let mut said = said.filter(|own| own.rule() == Some(RuleId::OrderKnown) && !is_cancelled(own));
    html! {
        @if let (true, Some(first)) = (all.is_empty(), said.next()) { (said::message(first)) }
        @else { (all.join("; ")) @if more > 0 { "; " (words::number(more as u64)) " more" } "." }
    }
}

/// The way to send it as it is in the sheet: the booked order is cancelled first.
fn instead(id: &str, order: &DraftOrder) -> Markup {
    html! {
        @if order.findings.iter().any(is_cancelled) { "It is cancelled. " (said::of_order(order)) }
        @else { a.button.small href={ "cancel?order=" (page::encoded(&order.number)) "&sheet=" (page::encoded(id)) } aria-label={ "Cancel the booked order: " (shortened(&order.number, HEADER_MAX)) } { "Cancel the booked order" } }
    }
}

/// What is said of no order: of the sheet and its columns.
fn of_the_sheet(id: &str, checked: &Checked) -> Markup {
    let (holding, said): (Vec<&Finding>, Vec<&Finding>) =
        checked.sheet_findings().iter().partition(|finding| finding.holds());
    let more = checked.more_sheet_findings();
    html! {
        @if let Some(why) = checked.unread_ledger() {
            (page::notice(Tone::Bad, &html! { p { b { "What is booked already cannot be seen now: " } (words::without_codes(why)) "." } p { "Nothing can be booked before that works again." } }))
        }
        @for finding in holding.iter().take(KINDS) {
            (page::notice(Tone::Bad, &html! { p { (said::message(finding)) " " (said::at(finding)) " " (said::way_out(id, finding)) } }))
        }
        @for finding in said.iter().filter(|finding| is_unread(finding)) { (unread(id, finding)) }
        @for finding in said.iter().filter(|finding| is_summed(finding)) { (summed(finding)) }
        @let said: Vec<&Finding> = said.into_iter().filter(|finding| !is_unread(finding) && !is_summed(finding)).collect();
        @let rest = said.len() as u64 + (holding.len().saturating_sub(KINDS)) as u64 + more;
        @if rest > 0 {
            details {
                summary { (words::count(rest, "note")) " on the sheet as a whole" }
                ul { @for finding in holding.iter().skip(KINDS).chain(&said).take(ROWS) { li { (said::message(finding)) " " (said::at(finding)) " " (said::way_out(id, finding)) } } }
            }
        }
    }
}

fn is_summed(finding: &Finding) -> bool {
    finding.is(Id::TotalDiffers, "price_summed")
}

/// Prices that the sheet adds up: perhaps they are amounts of whole rows.
fn summed(finding: &Finding) -> Markup {
    let column = finding.place.as_ref().and_then(|place| place.column.as_ref()).map(|column| column.index);
    html! {
        @if let Some(column) = column {
            (page::notice(Tone::Warn, &html! {
                p { b { (said::message(finding)) } " " (said::at(finding)) }
                p { (button(&format!("whole-row.{column}"), "yes", "It is the amount of all pieces in the row", "price")) }
                p.soft { "If it is the price of one piece, there is nothing to do." }
            }))
        }
    }
}

fn is_unread(finding: &Finding) -> bool {
    finding.is(Id::UnreadRemark, "in_sheet")
}

/// Remarks that were left open, to be read before their orders go.
fn unread(id: &str, finding: &Finding) -> Markup {
    let none = Vec::new();
    let named = match finding.parameters.get("named") {
        Some(Value::List(named)) => named,
        _ => &none,
    };
    html! {
        div.group.notes role="group" aria-labelledby="unread" {
            h2 #unread { "Remarks that could not be understood" }
            p.soft { "Their orders will be sent. Does one of these mean that its order has to wait? Say so under " a href=(place(id, "columns")) { "Columns" } "." }
            ul.plain { @for own in named { li { (shortened(own, 200)) } } }
            @if let Some(Value::Number(more)) = finding.parameters.get("rest") { p { "And " (more) " more." } }
        }
    }
}

fn groups(
    (asked, filter): (&Asked, &Filter),
    draft: &Draft,
    listed: &[DraftOrder],
    (failed, apart): (&[RefusedGroup], &[OneCellAddress]),
) -> Result<Markup> {
    let all = groups::rows(filter, listed, apart);
    let has_rows = |order: &DraftOrder| {
        let is_apart = apart.iter().any(|own| own.number == order.number)
            || failed.iter().any(|own| own.orders.contains(&order.number));
        is_apart || all.iter().any(|(_, row)| row.order.number == order.number)
    };
    let without: Vec<&DraftOrder> = listed.iter().filter(|order| !has_rows(order)).collect();
    Ok(html! {
        @for group in draft.checked().map(Checked::groups).unwrap_or_default() {
            @let own: Vec<&groups::Row<'_>> = all.iter().filter(|(id, _)| *id == group.group).map(|(_, row)| row).collect();
            @if !own.is_empty() { (groups::one(&asked.id, filter, &group, &own)) }
        }
        @if !without.is_empty() {
            h2 { "Nothing to fix in these" }
            (list(&asked.id, draft, without)?)
        }
    })
}

/// The receiver of an order; of one that does not go, as its row has it.
fn receiver(order: &DraftOrder, to: Option<&GoesTo>) -> Markup {
    let own = match to {
        Some(to) => [&to.name, &to.city],
        None => order.receiver.each_ref(),
    };
    let filled = own.into_iter().filter(|text| !text.is_empty()).map(|text| shortened(text, HEADER_MAX));
    html! { (filled.collect::<Vec<_>>().join(", ")) }
}

/// Orders as such.
fn list(id: &str, draft: &Draft, listed: Vec<&DraftOrder>) -> Result<Markup> {
    let to = draft.goes_to(listed.iter().map(|order| order.number.as_str()))?;
    Ok(html! {
        table.cards {
            thead { tr { th { "Order" } th { "To" } th { "Rows" } th { "Status" } th.num { "Declared value" } th.num { "To collect" } } }
            tbody {
                @for order in listed {
                    tr {
                        td { b { (whole_link(id, &order.number)) } }
                        td { (receiver(order, to.get(&order.number))) }
                        td.soft { (order.rows) }
                        td {
                            (pill(order)) @if let Some(awb) = &order.awb { " " code { (awb) } }
                            @let all = order.cells.iter().flat_map(|cell| &cell.findings).chain(&order.findings);
                            @if order.changes.is_empty() {
                                @for finding in all.take(3) { div.soft.said { (said::message(finding)) } }
                            } @else {
                                div.soft.said { (differs(order)) }
                                div { (instead(id, order)) }
                            }
                            @if order.by_clerk { div { (said::of_order(order)) } }
                        }
                        // Of what is booked the sheet says no longer what is collected.
                        @let totals = order.totals.filter(|_| order.state != DraftState::Booked);
                        td.num data-name="Declared value" { @if let Some(totals) = &totals { (words::rupees(totals.value)) } }
                        td.num data-name="To collect" { @if let Some(totals) = totals.as_ref().filter(|own| !own.to_collect.is_zero()) { (words::rupees(totals.to_collect)) } }
                    }
                }
            }
        }
    })
}

fn pages(asked: &Asked, listed: &[DraftOrder], found: usize) -> Markup {
    let (from, to) = (asked.from, asked.from.saturating_add(listed.len()));
    let at = |from: usize| format!("{}{}", place(&asked.id, "check"), asked.at(from));
    html! {
        @if from > 0 || to < found {
            p.row.end {
                span.soft.grow { "Orders " (words::number((from as u64).saturating_add(1))) " to " (words::number(to as u64)) " of " (words::number(found as u64)) }
                @if from > 0 { a.button href=(at(from.saturating_sub(ROWS))) { "Earlier" } }
                @if to < found { a.button href=(at(to)) { "Next" } }
            }
        }
    }
}

/// What is said of orders that go all the same, to be looked at by whoever likes to.
fn besides(asked: &Asked, filter: &Filter, checked: &Checked) -> Markup {
    if matches!(filter, Filter::Group(_) | Filter::Number(_)) {
        return html! {};
    }
    // What was cancelled does not go, and its list says so.
    let is_of_those = |group: &FindingGroup| !group.example.holds() && group.example.id != Id::CancelledBefore;
    let told: Vec<FindingGroup> = checked.groups().into_iter().filter(is_of_those).collect();
    html! {
        @if !told.is_empty() {
            details open[told.iter().any(|group| !group.example.remedies.is_empty())] {
                summary { "Good to know: " (words::count(told.len() as u64, "note")) " on orders that go" }
                ul.plain {
                    @for group in told.iter().take(KINDS) {
                        li { a href={ (place(&asked.id, "check")) "?show=group-" (group.group.0) } { (said::title(&group.example)) } " " span.soft { (words::count(group.orders, "order")) } }
                    }
                }
            }
        }
    }
}

/// What comes next: saving, undoing, booking.
fn ways_on(desk: &Desk, id: &str, draft: &Draft, checked: &Checked) -> Markup {
    let (ready, totals) = (checked.count(DraftState::Ready), checked.to_book());
    let states = [DraftState::Fix, DraftState::Hold];
    let behind = counted(checked, &states);
    let is_practice = desk.is_practice();
    html! {
        section.ways aria-label="Go on" {
            div.row.actions {
                (undo(draft))
                (leads(&place(id, "save"), "", "Save as Excel"))
                a href=(place(id, "columns")) { "Columns" }
                span.grow {}
                @if ready > 0 { (leads(&place(id, "book"), "main", &format!("Book {}{}", words::count(ready, "order"), to_collect(&totals)))) }
                @else { span.soft { "Nothing is ready to book." } }
            }
            @if ready > 0 && (is_practice || !behind.is_empty()) {
                p.soft {
                    @if !behind.is_empty() { (behind) ": " (stays_behind(checked, &states)) ". " }
                    @if is_practice { "This is practice: no courier comes." }
                }
            }
        }
    }
}
