//! The report of a run, or of some days: on a page of the desk, and as a page of its own to keep, mail or print.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{ToSpan, ZonedDateTime};
use maud::{Markup, html};
use serde::Deserialize;

use crate::app::{ReportOf, ReportOptions};
use crate::overview::{self, Advice};
use crate::settle::end_of_day;

use super::answer::{Download, Result, Shown};
use super::page::{Page, Part};
use super::sheet::in_a_file;
use super::state::Desk;
use super::trouble::Trouble;

/// Which report.
#[derive(Deserialize)]
pub(super) struct Asked {
    run: Option<i64>,
    /// The first and the last of the days that are meant instead of a run.
    #[serde(default)]
    since: String,
    #[serde(default)]
    until: String,
    /// Whether people are left out.
    #[serde(default)]
    mask: bool,
}

impl Asked {
    /// The days; nothing where a run is meant.
    fn days(&self) -> Result<Option<(Date, Date)>> {
        if self.since.is_empty() && self.until.is_empty() {
            return Ok(None);
        }
        let day = |text: &str| text.parse::<Date>().map_err(|_| Trouble::Typed("A report needs two days".to_owned()));
        let (first, last) = (day(&self.since)?, day(&self.until)?);
        if last < first {
            return Err(Trouble::Typed("The last day of the report is before its first day".to_owned()));
        }
        Ok(Some((first, last)))
    }
}

pub(super) fn report(desk: &Desk, asked: &Asked) -> Result<Page> {
    let days = asked.days()?;
    let report = made(desk, asked, days)?;
    let which = match days {
        Some((first, last)) => format!("since={first}&until={last}"),
        None => asked.run.map(|run| format!("run={run}")).unwrap_or_default(),
    };
    let body = html! {
        div.row.actions.noprint {
            @if let Some(run) = report.run { a.button href={ "results?run=" (run) } { "Results" } } @else { a.button href="runs" { "Runs" } }
            a.button href={ "report/page?" (which) } { "Save as a page" }
            a.button href={ "report/page?" (which) "&mask=true" } { "Save without names" }
        }
        @if report.run.is_none() { div.noprint { (choice(days)) } }
        (overview::part(&report, &advice()))
    };
    Ok(Page { title: "Report".to_owned(), part: Part::Runs, body })
}

/// A form for the days of a report, with the days that are asked for most.
pub(super) fn choice(days: Option<(Date, Date)>) -> Markup {
    let today = ZonedDateTime::now().date();
    let month = today.first_of_month();
    let last_month = month.yesterday().unwrap_or(month);
    let week = today.checked_sub(6.days()).unwrap_or(today);
    let (since, until) = days.unwrap_or((month, today));
    html! {
        form action="report" { div.row {
            label { "From " input type="date" name="since" value=(since) required; }
            label { "To " input type="date" name="until" value=(until) required; }
            button { "Show report" }
            span.row {
                @for (name, since, until) in [("7 days", week, today), ("This month", month, today), ("Last month", last_month.first_of_month(), last_month)] {
                    a href={ "report?since=" (since) "&until=" (until) } { (name) }
                }
            }
        } }
    }
}

pub(super) fn download(desk: &Desk, asked: &Asked) -> Result<Shown> {
    let days = asked.days()?;
    let report = made(desk, asked, days)?;
    let name = match days {
        Some((first, last)) => format!("report-{first}-to-{last}.html"),
        None => format!("report-run-{}.html", report.run.unwrap_or_default()),
    };
    let bytes = overview::page(&report, &advice()).into_bytes();
    Ok(Shown::File(Download { name, kind: "text/html; charset=utf-8", is_opened: false, bytes }))
}

fn made(desk: &Desk, asked: &Asked, days: Option<(Date, Date)>) -> Result<crate::app::Report> {
    let app = desk.app();
    let begin = |day: Date| Some(day.to_zoned_datetime(TimeZone::system()).ok()?.timestamp().as_millisecond());
    let of = match days {
        Some((first, last)) => ReportOf::Days {
            from_ms: begin(first).ok_or(Trouble::NoPage)?,
            until_ms: Some(end_of_day(last, TimeZone::system()).ok_or(Trouble::NoPage)?),
        },
        None => ReportOf::Run(asked.run),
    };
    let options = ReportOptions { of, is_masked: asked.mask };
    Ok(app.report(&app.read_ledger()?, options, &in_a_file())?)
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
