//! Home: what is open and how to go on, a place to drop a sheet, and the latest runs.

use maud::{Markup, html};

use crate::app::{self, FailedCause, FieldNames, Open, Standing, StationLine};
use crate::book::StoppedBy;
use crate::text::shortened;

use super::answer::{Nothing, Result};
use super::page::{self, Page, Part};
use super::results;
use super::sheet::dropped::{self, Sheets};
use super::state::Desk;
use super::trouble::TOKEN_REFUSED;
use super::words;

/// Runs that Home shows.
const RUNS: usize = 6;
/// Causes of failures that Home shows.
const CAUSES: usize = 4;

pub(super) fn home(desk: &Desk, _: &Nothing) -> Result<Page> {
    let app = desk.app();
    let (standing, runs, stations, sheets) = match desk.ledger()? {
        Some(ledger) => (
            app.standing(&ledger)?,
            results::latest(desk, &ledger, RUNS)?,
            app::stations(&ledger, false)?,
            Sheets::read(&ledger)?,
        ),
        None => <(Standing, Vec<_>, Vec<_>, Sheets)>::default(),
    };
    let body = html! {
        h1.unseen { "Home" }
        @if !desk.is_practice() && (app.config().service_key().is_err() || app.config().login_named().is_none()) {
            section { p.row { span.dot.warn {} span.grow { b { "Nothing can be booked yet." } " The address of your courier service and your account are missing." } a.button href="settings" { "Enter them" } } }
        }
        (open(desk, &standing, (sheets.open.len(), &runs[..])))
        (dropped::home(desk, &sheets))
        (others(&stations))
        (latest(&runs))
    };
    Ok(Page { title: "Home".to_owned(), part: Part::Home, body })
}

/// Whether the latest run stopped because its token was refused, and no login has worked since the desk was started.
fn stopped_for_its_token(desk: &Desk, runs: &[results::Listed]) -> bool {
    let by = runs.first().and_then(|(latest, _)| latest.record.stopped_by.as_deref());
    by == Some(StoppedBy::Authentication.as_str()) && !matches!(desk.login_worked(&desk.app()), Some(Ok(())))
}

/// Orders that are open in the whole ledger, each kind with the button that goes on; beside so many open sheets and the latest runs.
fn open(desk: &Desk, standing: &Standing, (sheets, runs): (usize, &[results::Listed])) -> Markup {
    let Standing { outstanding, in_doubt, failed, held, to_answer, .. } = standing;
    let (to_fix, held) = (standing.orders_to_fix() - to_answer, held.orders + to_answer);
    let is_held = desk.work.running().is_none() && desk.app().holder_here().is_some();
    let waiting = outstanding.orders + in_doubt.orders + held + to_fix;
    if waiting == 0 && failed.is_empty() && !is_held {
        return html! {
            section { p.row {
                @match sheets as u64 {
                    0 => { span.dot.good {} span.grow { b { "Nothing is waiting." } @if !runs.is_empty() { " Every order that was sent is settled." } } },
                    open => { span.dot.warn {} span.grow { b { (words::count(open, "sheet")) (if open == 1 { " is" } else { " are" }) " open." } " Go on with " (if open == 1 { "it" } else { "them" }) " below." } },
                }
            } }
        };
    }
    let (more, is_token_refused) = (failed.len().saturating_sub(CAUSES), stopped_for_its_token(desk, runs));
    html! {
        section aria-labelledby="open" {
            h2 #open { "Open" }
            ul.open {
                @if in_doubt.orders > 0 { (doubts(in_doubt)) }
                @if outstanding.orders > 0 && is_token_refused {
                    li { span.dot.bad {} span.grow { b { (TOKEN_REFUSED) } } a.button href="settings" { "Settings" } }
                }
                @if outstanding.orders > 0 { (unsent(outstanding, is_held)) }
                @for cause in failed.iter().take(CAUSES) { (failures(cause)) }
                @if more > 0 { li { span.dot.bad {} span.grow { "And " (words::count(more as u64, "other cause")) "." } a.button href="orders?state=failed" { "Show" } } }
                @if to_fix > 0 { (to_look_at("invalid", to_fix, " to fix.")) }
                @if held > 0 { (to_look_at("held", held, " on hold.")) }
            }
        }
    }
}

fn doubts(open: &Open) -> Markup {
    html! {
        li {
            span.dot.warn {}
            span.grow { b { (words::count(open.orders, "order")) " may or may not be booked." } span.soft { " Look them up in the courier's portal." (since(open)) } }
            a.button href="doubts" { "Settle " (words::number(open.orders)) }
        }
    }
}

fn unsent(open: &Open, is_held: bool) -> Markup {
    html! {
        li {
            span.dot.warn {}
            span.grow { b { (words::count(open.orders, "order")) " not sent yet." } span.soft { (since(open)) } }
            @if !is_held { a.button href="again?what=outstanding" { "Resume " (words::number(open.orders)) } }
        }
    }
}

/// Orders that a person looks at one by one.
fn to_look_at(state: &str, orders: u64, what: &str) -> Markup {
    html! {
        li {
            span.dot.warn {}
            span.grow { b { (words::count(orders, "order")) (what) } }
            a.button href={ "orders?state=" (state) } { "Show " (words::number(orders)) }
        }
    }
}

fn failures(cause: &FailedCause) -> Markup {
    let FailedCause { state, cause, open, fingerprint, .. } = cause;
    let how = if *state == "rejected" { "rejected" } else { "refused" };
    html! {
        li {
            span.dot.bad {}
            span.grow {
                b { (words::count(open.orders, "order")) " " (how) ": " (words::for_instance(open.orders, cause)) (shortened(&FieldNames::default().in_words(cause), 120)) }
                span.soft { " " (named(open)) }
            }
            a.button href={ "again?what=failed&cause=" (page::encoded(fingerprint)) } { "Retry " (words::number(open.orders)) }
        }
    }
}

/// The first orders by name.
fn named(open: &Open) -> Markup {
    let more = open.orders - open.named.len() as u64;
    html! {
        @for (place, number) in open.named.iter().enumerate() { @if place > 0 { ", " } (page::order_link(number)) }
        @if more > 0 { " and " (words::number(more)) " more" }
    }
}

/// Since when the oldest is open.
fn since(open: &Open) -> String {
    open.oldest_ms.map(|ms| format!(" The oldest is from {}.", words::moment(ms))).unwrap_or_default()
}

/// Who shares the ledger just now; nothing where nobody does.
fn others(stations: &[StationLine]) -> Markup {
    html! {
        @if !stations.is_empty() {
            section aria-labelledby="stations" {
                h2 #stations { "Stations" }
                ul.open {
                    @for station in stations {
                        li {
                            span class={ "dot " (if station.is_odd() { "warn" } else { "good" }) } {}
                            span.grow {
                                b { (station.by.as_deref().unwrap_or_default()) } " " (station.stands()) "."
                                span.soft {
                                    " Station " (station.number) ", heard at " (words::moment(station.heard_ms)) "; "
                                    (words::count(station.in_flight, "order")) " on the way, " (words::number(station.in_doubt)) " in doubt."
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn latest(runs: &[results::Listed]) -> Markup {
    html! {
        section aria-labelledby="latest" {
            div.row { h2.grow #latest { "Latest runs" } @if !runs.is_empty() { a href="runs" { "All runs" } } }
            @if runs.is_empty() { p.soft { "Nothing was booked yet." } } @else { (results::run_table(runs)) }
        }
    }
}
