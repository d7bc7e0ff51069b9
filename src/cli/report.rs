//! `report`: what runs came to, as text, a page, a workbook or data.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::Args;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, ZonedDateTime};
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{self, Exit, ReportOf, ReportOptions};
use crate::overview::{self, Advice};
use crate::report::write_whole;
use crate::settle::end_of_day;

use super::Usage;
use super::console::{note, print};
use super::document::{Kind, print_document, text};
use super::global::Format;
use super::own::remember;
use super::remedy::words;
use super::settings::Settings;

/// By this name files that it wrote are remembered.
const REPORT: &str = "report";
/// Said of what is no day.
const NO_DAY: &str = "write a date such as 2026-11-20, or today, or yesterday";

#[derive(Debug, Args)]
pub(super) struct Report {
    /// The run [default: the latest]
    #[arg(long, value_name = "N")]
    run: Option<i64>,
    /// All runs since that day, instead of one: a date such as 2026-11-20, today or yesterday
    #[arg(long, value_name = "DAY", conflicts_with = "run", value_parser = since)]
    since: Option<i64>,
    /// The last of these days [default: today]
    #[arg(long, value_name = "DAY", requires = "since", conflicts_with = "last", value_parser = until)]
    until: Option<i64>,
    /// All runs of that time, instead of one: 7d (today and the six days before), 2w, or 24h up to now
    #[arg(long, value_name = "TIME", conflicts_with_all = ["run", "since"], value_parser = last)]
    last: Option<i64>,
    /// The file to make: .html, .json or .xlsx [default: printed as text]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Replace the file also where it is not what this command wrote
    #[arg(long, requires = "to")]
    force: bool,
    /// Leave out names, phones, addresses and e-mail addresses; order numbers stay
    #[arg(long)]
    mask: bool,
}

/// The document of `report`, printed or written into a .json file. Every order counts once, as it stands now.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "A report")]
pub(super) struct Document<'r> {
    #[serde(flatten)]
    report: &'r app::Report,
    /// Whether all sums that were counted in two ways came to the same.
    is_balanced: bool,
    exit: Exit,
}

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Page,
    Json,
    Workbook,
}

impl Form {
    fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("html" | "htm") => Ok(Self::Page),
            Some("json") => Ok(Self::Json),
            Some("xlsx") => Ok(Self::Workbook),
            _ => Err(Usage(format!("{}: the name must end in .html, .json or .xlsx", path.display())).into()),
        }
    }
}

pub(super) fn report(settings: &Settings, arguments: &Report) -> Result<Exit> {
    let form = arguments.to.as_deref().map(Form::of).transpose()?;
    if let (Some(path), false) = (&arguments.to, arguments.force) {
        settings.app.may_write(REPORT, path)?;
    }
    let of = match arguments.since.or(arguments.last) {
        Some(from_ms) if arguments.until.is_some_and(|until_ms| until_ms <= from_ms) => {
            let text = "the day of --until is before that of --since: write the last day of the report behind --until";
            return Err(Usage(text.to_owned()).into());
        }
        Some(from_ms) => ReportOf::Days { from_ms, until_ms: arguments.until },
        None => ReportOf::Run(arguments.run),
    };
    let options = ReportOptions { of, is_masked: arguments.mask };
    let made = settings.app.report(&settings.read_ledger()?, options, &words(&settings.command))?;
    let exit = if made.is_balanced() { Exit::Done } else { Exit::CouldNotRun };
    let document = Document { report: &made, is_balanced: made.is_balanced(), exit };
    let advice = advice(&settings.command);
    if let (Some(path), Some(form)) = (&arguments.to, form) {
        let bytes = match form {
            Form::Page => overview::page(&made, &advice).into_bytes(),
            Form::Json => text(Kind::Report, &document)?.into_bytes(),
            Form::Workbook => overview::workbook(&made, &advice)?,
        };
        write_whole(path, &bytes).map_err(app::Error::from)?;
        remember(settings, REPORT, path);
        note(format!("report written to {}", path.display()));
    }
    if settings.format == Format::Json {
        print_document(Kind::Report, &document)?;
    } else if arguments.to.is_none() {
        print(overview::text(&made, &advice).as_bytes())?;
    }
    if exit == Exit::CouldNotRun && settings.format == Format::Human {
        return Err(anyhow!("the report does not add up: this is a fault of the program, please report it"));
    }
    Ok(exit)
}

/// What to do about what is open.
pub(super) fn advice(command: &str) -> Advice {
    let failed = |runs: &str| {
        format!(
            "`{command} rejects {runs} --to fix.xlsx` writes all rows that are still to be corrected, in your own columns; \
             `{command} retry` sends those once more that the service said no to."
        )
    };
    Advice {
        in_doubt: format!("`{command} doubt list` shows what to look for in the courier's portal."),
        failed_in_run: failed("--run {run}"),
        failed_since: failed("--since {day}"),
        outstanding: format!("`{command} resume` sends them."),
    }
}

/// The beginning of a day, in epoch milliseconds.
pub(super) fn since(text: &str) -> Result<i64, String> {
    day(text).and_then(begin).ok_or_else(|| NO_DAY.to_owned())
}

/// The end of a day, in epoch milliseconds.
fn until(text: &str) -> Result<i64, String> {
    day(text).and_then(|day| end_of_day(day, TimeZone::system())).ok_or_else(|| NO_DAY.to_owned())
}

fn day(text: &str) -> Option<Date> {
    let today = ZonedDateTime::now().date();
    match text {
        "today" => Some(today),
        "yesterday" => today.yesterday().ok(),
        date => date.parse().ok(),
    }
}

/// The beginning of a time that ends now, in epoch milliseconds.
pub(super) fn last(text: &str) -> Result<i64, String> {
    let wrong = || "write a number of days, weeks or hours: 7d, 2w or 24h".to_owned();
    let unit = text.chars().next_back().ok_or_else(wrong)?;
    let number: u32 = text.strip_suffix(unit).and_then(|number| number.parse().ok()).ok_or_else(wrong)?;
    let now = ZonedDateTime::now();
    let days = match unit {
        _ if number == 0 => return Err(wrong()),
        'h' => {
            let hours = SignedDuration::from_hours(number.into());
            return now.checked_sub(hours).map(|then| then.timestamp().as_millisecond()).map_err(|_| wrong());
        }
        'd' => i64::from(number),
        'w' => i64::from(number) * 7,
        _ => return Err(wrong()),
    };
    let before = Span::new().try_days(days - 1).map_err(|_| wrong())?;
    now.date().checked_sub(before).ok().and_then(begin).ok_or_else(wrong)
}

fn begin(day: Date) -> Option<i64> {
    day.to_zoned_datetime(TimeZone::system()).ok().map(|begin| begin.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000;

    #[test]
    fn days_begin_at_midnight_and_hours_end_now() {
        let now = ZonedDateTime::now().timestamp().as_millisecond();
        let today = since("today").unwrap();
        assert!((0..26 * HOUR).contains(&(now - today)));
        assert_eq!(last("1d").unwrap(), today);
        assert_eq!(last("2d"), since("yesterday"));
        assert_eq!(last("2w"), last("14d"));
        assert!((now - last("24h").unwrap() - 24 * HOUR).abs() < HOUR);
        let day = |text: &str| until(text).unwrap() - since(text).unwrap();
        assert!((23 * HOUR..=25 * HOUR).contains(&day("2026-11-20")), "the last day is included");
        assert_eq!((until("yesterday").unwrap(), until("2026-11-30").unwrap()), (today, since("2026-12-01").unwrap()));
        for wrong in ["", "d", "0d", "7", "7m", "-7d", "soon", "99999999999d", "4294967295d"] {
            assert!(last(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "20.11.2026", "tomorrow", "2026-13-01"] {
            assert!(since(wrong).is_err() && until(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_name_says_the_form() {
        assert_eq!(Form::of(Path::new("a/R.HTML")).unwrap(), Form::Page);
        assert_eq!(Form::of(Path::new("r.json")).unwrap(), Form::Json);
        assert!(Form::of(Path::new("r.pdf")).is_err() && Form::of(Path::new("report")).is_err());
    }
}
