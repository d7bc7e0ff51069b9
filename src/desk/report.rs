//! The report of a run, or of the last days: on a page of the desk, and as a page of its own to keep, mail or print.

use jiff::{ToSpan, ZonedDateTime};
use maud::html;
use serde::Deserialize;

use crate::app::{ReportOf, ReportOptions};
use crate::overview::{self, Advice};

use super::answer::{Download, Result, Shown};
use super::page::{Page, Part};
use super::sheet::in_a_file;
use super::state::Desk;
use super::trouble::Trouble;

/// Which report.
#[derive(Deserialize)]
pub(super) struct Asked {
    run: Option<i64>,
    /// Of so many days up to now, today among them, instead of a run.
    days: Option<i32>,
    /// Whether people are left out.
    #[serde(default)]
    mask: bool,
}

pub(super) fn report(desk: &Desk, asked: &Asked) -> Result<Page> {
    let report = made(desk, asked)?;
    let which = which(asked);
    let body = html! {
        div.row.actions.noprint {
            @if let Some(run) = report.run { a.button href={ "results?run=" (run) } { "Results" } } @else { a.button href="runs" { "Runs" } }
            a.button href={ "report/page?" (which) } { "Save as a page" }
            a.button href={ "report/page?" (which) "&mask=true" } { "Save without names" }
        }
        (overview::part(&report, &advice()))
    };
    Ok(Page { title: "Report".to_owned(), part: Part::Runs, body })
}

pub(super) fn download(desk: &Desk, asked: &Asked) -> Result<Shown> {
    let report = made(desk, asked)?;
    let name = match report.run {
        Some(run) => format!("report-run-{run}.html"),
        None => format!("report-{}.html", ZonedDateTime::now().date()),
    };
    let bytes = overview::page(&report, &advice()).into_bytes();
    Ok(Shown::File(Download { name, kind: "text/html; charset=utf-8", is_opened: false, bytes }))
}

fn made(desk: &Desk, asked: &Asked) -> Result<crate::app::Report> {
    let app = desk.app();
    let of = match asked.days {
        Some(days) => ReportOf::Since(beginning(days).ok_or(Trouble::NoPage)?),
        None => ReportOf::Run(asked.run),
    };
    let options = ReportOptions { of, is_masked: asked.mask };
    Ok(app.report(&app.read_ledger()?, options, &in_a_file())?)
}

/// The beginning of the first of so many days, of which today is the last; epoch milliseconds.
fn beginning(days: i32) -> Option<i64> {
    let now = ZonedDateTime::now();
    let first = now.date().checked_sub(days.checked_sub(1).filter(|before| (0..4000).contains(before))?.days()).ok()?;
    first.to_zoned_datetime(now.time_zone().clone()).ok().map(|begin| begin.timestamp().as_millisecond())
}

fn which(asked: &Asked) -> String {
    match (asked.days, asked.run) {
        (Some(days), _) => format!("days={days}"),
        (None, Some(run)) => format!("run={run}"),
        (None, None) => String::new(),
    }
}

fn advice() -> Advice {
    let failed = "Results has the rows to fix as Excel, and a button that tries again.".to_owned();
    Advice {
        in_doubt: "Look each up in the courier's portal, and say under In doubt what it shows.".to_owned(),
        failed_in_run: failed.clone(),
        failed_since: failed,
        outstanding: "Results has a button that sends them.".to_owned(),
    }
}
