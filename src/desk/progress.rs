//! Progress of the one long job: how far it is, what it waits for, and a button that stops it.

use std::time::Duration;

use jiff::Timestamp;
use maud::{Markup, html};

use crate::event::Phase;

use super::answer::Shown;
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::words;
use super::work::{Ended, Job, Kind, Standing};

/// So long nothing is said of a service that does not answer.
const PATIENCE: Duration = Duration::from_secs(4);

pub(super) fn progress(desk: &Desk) -> Shown {
    let Some(job) = desk.work.job() else { return Shown::Instead(String::new()) };
    let end = match job.standing().end {
        Some(Ok(place)) => return Shown::Instead(place),
        Some(Err(ended)) => Some(ended),
        None => None,
    };
    if let Some(Ended { sentence, advice }) = end {
        let body = html! {
            section aria-labelledby="progress" {
                h1 #progress { "Progress" }
                (page::notice(Tone::Bad, &html! { p { b { (sentence) } } p { (advice) } }))
                div.row { a.button href="" { "Home" } @if advice.contains("Settings") { a.button href="settings" { "Settings" } } }
            }
        };
        return Page { title: page::PROGRESS.to_owned(), part: Part::Home, body }.into();
    }
    let body = html! {
        section aria-labelledby="progress" {
            h1 #progress { "Progress" }
            noscript { meta http-equiv="refresh" content="2"; }
            div data-poll="progress/part" { (state(&job)) }
            (page::form(desk, "stop", &html! {
                div.row.end { p.soft.grow { "Stop lets what is on its way arrive. The rest can be done later." } button { "Stop" } }
            }))
        }
    };
    Page { title: page::PROGRESS.to_owned(), part: Part::Home, body }.into()
}

/// What changes on the page while it is open.
pub(super) fn part(desk: &Desk) -> Shown {
    Shown::Part(desk.work.job().map(|job| state(&job)).unwrap_or_default())
}

/// Asks what is under way to stop.
pub(super) fn stop(desk: &Desk) -> String {
    if let Some(job) = desk.work.running() {
        job.stop();
    }
    "progress".to_owned()
}

fn state(job: &Job) -> Markup {
    let standing = job.standing();
    if let Some(end) = &standing.end {
        let place = end.as_ref().map_or("progress", String::as_str);
        return html! { p data-go=(place) { "It has ended. " a href=(place) { "Show how" } } };
    }
    let (done, all) = match job.kind {
        Kind::Booking => (standing.totals.settled(), standing.totals.planned),
        _ => (standing.steps.0 as u64, standing.steps.1 as u64),
    };
    html! {
        progress max=(all.max(1)) value=(done) aria-label=(label(job.kind)) {}
        @if all == 0 && job.began.elapsed() > PATIENCE { p.soft { "Nothing has come back from the courier service yet. Is the internet there?" } }
        p.row { span.grow role="status" { b { (headline(job.kind, &standing, done, all)) } } span.soft { (speed(&standing)) } }
        @if job.kind == Kind::Booking { (counts(&standing)) }
        @if let Some(said) = &standing.said { (page::notice(Tone::Warn, &html! { p { (words::capital(&words::without_codes(said))) "." } (until(&standing)) })) }
        @if standing.is_stopping { (page::notice(Tone::Warn, &html! { p { "Stopping: waiting for what is on its way." } })) }
    }
}

const fn label(kind: Kind) -> &'static str {
    match kind {
        Kind::Booking => "Orders booked",
        Kind::Labels => "Labels asked for",
        Kind::Cancelling => "Shipments asked to be cancelled",
        Kind::Tracking => "Shipments asked for",
    }
}

fn headline(kind: Kind, standing: &Standing, done: u64, all: u64) -> String {
    let of = format!("{} of {}", words::number(done), words::number(all));
    match (kind, standing.totals.phase) {
        (Kind::Booking, Phase::Booking | Phase::Finished) => format!("{of} orders sent"),
        (Kind::Booking, _) => "Getting ready".to_owned(),
        (Kind::Labels, _) => format!("{of} labels asked for"),
        (Kind::Cancelling, _) => format!("{of} shipments asked to be cancelled"),
        (Kind::Tracking, _) => format!("{of} shipments asked for"),
    }
}

fn speed(standing: &Standing) -> String {
    if standing.totals.paused_until_ms.is_some() {
        return String::new();
    }
    let rate = standing.totals.rate.map(pace).filter(|_| standing.totals.rate > Some(0.0));
    let left = standing.totals.left.map(|left| format!("about {} left", words::about(left)));
    [rate, left].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// So many answers in a second, or in a minute where there are fewer.
fn pace(rate: f64) -> String {
    if rate >= 1.0 { format!("{rate:.0} a second") } else { format!("{:.0} a minute", (rate * 60.0).max(1.0)) }
}

fn counts(standing: &Standing) -> Markup {
    let totals = &standing.totals;
    html! {
        dl.figures {
            (page::figure(&words::number(totals.booked), "good", "Booked"))
            (page::figure(&words::number(totals.failed), "bad", "Rejected"))
            (page::figure(&words::number(totals.in_doubt), "warn", "In doubt"))
            (page::figure(&words::number(totals.outstanding), "", "Still to send"))
        }
    }
}

/// When a pause ends.
fn until(standing: &Standing) -> Markup {
    let Some(until) = standing.totals.paused_until_ms else { return html! {} };
    let left = u64::try_from(until - Timestamp::now().as_millisecond()).unwrap_or_default();
    html! { p { "It goes on by itself in about " (words::about(Duration::from_millis(left))) ". You can also stop and resume later." } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_run_is_told_by_the_minute() {
        let told = [12.4, 1.0, 0.4, 0.001].map(pace);
        assert_eq!(told, ["12 a second", "1 a second", "24 a minute", "1 a minute"]);
    }
}
