//! What an alert is made of: what a night or a run came to, without anything about people.

use std::fmt::Write;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app::{Exit, FailedOrders, PlaceSeen, Report, WholeLedger, host};
use crate::config::When;
use crate::finding::english::Words;
use crate::finding::{Command, Remedy};
use crate::ledger::{State, Tray};
use crate::log::impersonal;
use crate::report::Orders;
use crate::text::{count, list, shortened};
use crate::watch::{FiledSheet, Night, REPORT};

/// Causes that are told apart.
const CAUSES_MAX: usize = 10;
/// Fields that are named of one cause.
const FIELDS_MAX: usize = 3;
/// Characters of what is said of one cause.
const CAUSE_CHARACTERS: usize = 300;
/// Runs that are named to be tried again.
const RUNS_MAX: usize = 5;
/// Sheets that are named.
const SHEETS_MAX: usize = 50;

/// What there is to tell.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Notice {
    /// The occasion.
    pub of: Of,
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// The machine.
    pub station: String,
    /// Where it books: the service's address, or `sandbox`; null where nothing is configured.
    pub service: Option<String>,
    /// How it ended, as an exit code.
    #[schemars(with = "Exit")]
    pub exit: u8,
    /// The runs.
    #[schemars(inner(range(min = 0)))]
    pub runs: Vec<i64>,
    /// Orders of these runs by where they stand.
    pub orders: Orders,
    /// Sheets that were filed; of very many, those first that a person has to look at.
    pub sheets: Vec<SheetTold>,
    /// How many more sheets were filed than `sheets` names.
    pub sheets_unnamed: u64,
    /// How many of these a person has to look at.
    #[serde(skip)]
    pub(super) unnamed_held: u64,
    /// Sheets that stay in the folder.
    pub left: Vec<String>,
    /// The brakes that ended runs early.
    pub stopped_by: Vec<String>,
    /// Why orders failed, the most frequent first.
    pub causes: Vec<CauseTold>,
    /// The open orders of the whole ledger; null where it could not be read.
    pub ledger: Option<WholeLedger>,
    /// The trouble that kept a night from its work; null where there was none.
    pub trouble: Option<String>,
    /// Why the backup that was due was not made; null where it was, or none was due.
    pub backup: Option<String>,
    /// A night that did not come; null where none is missed.
    pub missed: Option<Missed>,
    /// Whether everything that was told as a problem before is over.
    pub is_well_again: bool,
    /// Alerts that did not arrive when they were due.
    pub untold: Vec<ToldLate>,
    /// How many more did not arrive than `untold` has.
    pub untold_unnamed: u64,
    /// The commands to give next.
    pub next: Vec<String>,
    /// The setting that gives the token, where no account does.
    #[serde(skip)]
    pub(super) token_from: Option<&'static str>,
    /// Whether it is sent for the sake of those alone.
    #[serde(skip)]
    pub(super) is_late: bool,
    /// The runs with orders that may be sent again once their cause is gone.
    #[serde(skip)]
    pub(super) failed_runs: Vec<i64>,
    /// Whether it is told once and for all, as a night or a run that somebody waits for, and not one of many passes.
    #[serde(skip)]
    pub(super) is_single: bool,
}

/// The occasion of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Of {
    Night,
    Import,
    Resume,
    Retry,
    MissedNight,
    Test,
}

/// A sheet that was filed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SheetTold {
    /// Its name.
    pub name: String,
    /// Where it was put, as in the document `watch`.
    #[schemars(with = "Tray")]
    pub filed: &'static str,
    /// Its end, in one line for people.
    pub said: String,
    /// How that would end an import of it, as an exit code.
    #[schemars(with = "Exit")]
    pub exit: u8,
    /// Its run; null where it came to none.
    pub run: Option<i64>,
    /// Its report, by its path in the folder; null where it has none.
    pub report: Option<String>,
    /// The address of its report; null where `[night] link` is not set.
    pub link: Option<String>,
}

/// Orders that failed for one cause.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct CauseTold {
    /// The state of these orders.
    #[schemars(extend("enum" = [State::Invalid, State::Rejected, State::Refused]))]
    pub state: &'static str,
    /// The rule that keeps them back; null where none does.
    pub rule: Option<String>,
    /// The fault, without digits and quoted values.
    pub said: String,
    /// How many.
    pub orders: u64,
}

/// An alert that did not arrive when it was due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToldLate {
    /// When that was, in milliseconds since 1970-01-01 UTC.
    pub at_ms: i64,
    /// Its first line.
    pub title: String,
    /// All of it in words; of a long one the beginning.
    pub lines: Vec<String>,
    /// Whether it needed a person.
    pub is_problem: bool,
}

/// A night that did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Missed {
    /// When the last one ended, in milliseconds since 1970-01-01 UTC.
    pub last_ms: i64,
    /// After how many hours one is missed.
    pub after_hours: u64,
}

impl Notice {
    /// Of nothing yet.
    #[must_use]
    pub fn new(of: Of, service: Option<String>, at: Timestamp) -> Self {
        Self {
            of,
            at_ms: at.as_millisecond(),
            station: host(),
            service,
            exit: Exit::Done.code(),
            runs: Vec::new(),
            orders: Orders::default(),
            sheets: Vec::new(),
            sheets_unnamed: 0,
            unnamed_held: 0,
            left: Vec::new(),
            stopped_by: Vec::new(),
            causes: Vec::new(),
            ledger: None,
            trouble: None,
            backup: None,
            missed: None,
            is_well_again: false,
            untold: Vec::new(),
            untold_unnamed: 0,
            next: Vec::new(),
            token_from: None,
            is_late: false,
            failed_runs: Vec::new(),
            is_single: true,
        }
    }

    /// With what a night came to.
    pub(super) fn take_night(&mut self, night: &Night, link: Option<&str>) {
        self.exit = night.exit().code();
        let mut filed: Vec<&FiledSheet> = night.filed.iter().collect();
        if filed.len() > SHEETS_MAX {
            filed.sort_by_key(|sheet| sheet.exit == Exit::Done);
        }
        let unnamed = filed.get(SHEETS_MAX..).unwrap_or_default();
        self.sheets_unnamed = unnamed.len() as u64;
        self.unnamed_held = unnamed.iter().filter(|sheet| sheet.exit != Exit::Done).count() as u64;
        self.sheets = filed.into_iter().take(SHEETS_MAX).map(|sheet| SheetTold::of(sheet, link)).collect();
        // Why a sheet stays may be in words of the service; a folder among the sheets is nothing to tell.
        let left = night.left.iter().filter(|left| left.exit != Exit::Done);
        self.left = left.map(|left| left.name.clone()).collect();
        self.trouble = night.trouble.as_deref().map(impersonal);
        self.backup = night.backup.as_ref().and_then(|made| made.as_ref().err().map(|why| impersonal(why)));
        self.ledger = night.standing.clone().map(Into::into);
        let resumed = night.resumed.as_ref().and_then(|resumed| resumed.stopped.as_ref());
        self.stopped_by.extend(resumed.map(|(by, _)| by.as_str().to_owned()));
    }

    /// With the report of its runs, in which nobody is named.
    pub(super) fn take_report(&mut self, report: &Report) {
        self.runs = report.runs.iter().map(|run| run.run).collect();
        self.orders = report.orders;
        for by in report.runs.iter().filter_map(|run| run.stopped_by.as_ref()) {
            if !self.stopped_by.contains(by) {
                self.stopped_by.push(by.clone());
            }
        }
        self.causes = causes(&report.failed);
        let failed = report.runs.iter().filter(|run| run.orders.rejected + run.orders.refused > 0);
        self.failed_runs = failed.map(|run| run.run).take(RUNS_MAX).collect();
        self.ledger = Some(report.ledger);
    }

    /// With the commands to give next.
    pub(super) fn advise(&mut self, command: &str, words: &Words) {
        let open = |number: fn(&WholeLedger) -> u64| self.ledger.as_ref().is_some_and(|ledger| number(ledger) > 0);
        let tray = |tray: Tray| self.sheets.iter().any(|sheet| sheet.filed == tray.as_str());
        let told = [
            (self.trouble.is_some() || self.missed.is_some() || self.backup.is_some(), format!("{command} doctor")),
            (open(|ledger| ledger.in_doubt), format!("{command} doubt list")),
            (open(|ledger| ledger.outstanding), format!("{command} resume")),
            (
                self.orders.invalid + self.orders.held > 0 || open(|ledger| ledger.to_fix),
                words(&Remedy::run(Command::WriteRejects)),
            ),
        ];
        let retries =
            self.failed_runs.iter().map(|run| (true, words(&Remedy::run(Command::RetryRun { number: *run }))));
        let told = told.into_iter().chain(retries).chain([(
            self.exit != 0 || tray(Tray::Attention) || tray(Tray::Failed),
            words(&Remedy::run(Command::WriteReport)),
        )]);
        self.next = told.filter(|(is_due, _)| *is_due).map(|(_, next)| next).collect();
    }

    /// Whether it needs a person.
    #[must_use]
    pub fn is_problem(&self) -> bool {
        self.exit != Exit::Done.code() || self.missed.is_some() || self.backup.is_some()
    }

    /// Whether it is of a night in which no sheet came and nothing was left to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let is_idle = self.sheets.is_empty() && self.left.is_empty() && self.runs.is_empty();
        self.of == Of::Night && is_idle && self.trouble.is_none() && self.backup.is_none()
    }

    /// Whether it is an occasion of this kind.
    #[must_use]
    pub fn is(&self, when: When) -> bool {
        match when {
            When::Always => true,
            When::Problems => self.is_problem(),
            When::InDoubt => self.ledger.is_some_and(|ledger| ledger.in_doubt > 0),
            When::NothingCame => self.is_empty(),
            When::MissedNight => self.missed.is_some(),
        }
    }

    /// Whether it tells of something that lasts until it is over: a night that could not run, a backup that fails, orders in
    /// doubt or not sent, sheets left in the folder.
    pub(super) fn is_lasting(&self) -> bool {
        let is_open = self.ledger.is_none_or(|ledger| ledger.in_doubt + ledger.outstanding > 0);
        let is_kept_from = self.trouble.is_some() || self.missed.is_some() || self.backup.is_some();
        is_kept_from || !self.left.is_empty() || is_open
    }

    /// A hash of what stands until it is over; times do not count.
    pub(super) fn standing(&self) -> String {
        let open =
            self.ledger.map(|own| (own.in_doubt, own.in_doubt_since_ms, own.outstanding, own.failed, own.to_fix));
        let missed = self.missed.map(|missed| missed.last_ms);
        match &self.backup {
            None => hash(&json!([self.left, self.trouble, open, missed])),
            Some(backup) => hash(&json!([self.left, self.trouble, open, missed, backup])),
        }
    }

    /// A hash of what has happened; nothing where nothing has that anybody need hear of. `each_is_news` where every night is.
    pub(super) fn news(&self, each_is_news: bool) -> Option<String> {
        let sheets = self.sheets.iter().filter(|sheet| each_is_news || sheet.exit != 0);
        let sheets: Vec<_> = sheets.map(|sheet| (&sheet.name, sheet.filed, sheet.exit, sheet.run)).collect();
        let causes: Vec<_> = self.causes.iter().map(|own| (own.state, &own.rule, &own.said, own.orders)).collect();
        let own = (each_is_news && self.is_single).then_some(self.at_ms);
        // A sheet that is imported is news each time; what goes on again and again is so only where it ends otherwise.
        let runs = (self.of == Of::Import).then_some(&self.runs);
        let of = (self.of != Of::Night).then_some((self.of, self.exit, runs));
        let is_quiet = sheets.is_empty() && causes.is_empty() && self.stopped_by.is_empty();
        (!is_quiet || own.is_some() || of.is_some()).then(|| hash(&json!([sheets, causes, self.stopped_by, own, of])))
    }
}

impl SheetTold {
    fn of(sheet: &FiledSheet, link: Option<&str>) -> Self {
        let report = sheet.beside.iter().find(|path| path.ends_with(REPORT)).cloned();
        let address =
            |path: &String| format!("{}/{}", link.unwrap_or_default().trim_end_matches('/'), path_in_url(path));
        Self {
            name: sheet.name.clone(),
            filed: sheet.tray.as_str(),
            said: sheet.said.clone(),
            exit: sheet.exit.code(),
            run: sheet.run,
            link: report.as_ref().filter(|_| link.is_some()).map(address),
            report,
        }
    }
}

/// Why orders failed, each group of them on one line: a row that is half empty lacks many things.
fn causes(failed: &[FailedOrders]) -> Vec<CauseTold> {
    let mut groups: Vec<(Vec<String>, Vec<&FailedOrders>)> = Vec::new();
    for cause in failed {
        let rows: Vec<String> = cause.places.iter().map(row_of).collect();
        let is_same = |(own, group): &&mut (Vec<String>, Vec<&FailedOrders>)| {
            let first = group.first().is_some_and(|own| own.state == cause.state && own.orders == cause.orders);
            cause.state == "invalid" && first && *own == rows
        };
        match groups.iter_mut().find(is_same) {
            Some((_, group)) => group.push(cause),
            None => groups.push((rows, vec![cause])),
        }
    }
    groups.into_iter().take(CAUSES_MAX).filter_map(|(_, group)| cause_of(&group)).collect()
}

/// What is wrong with the same orders, in one line.
fn cause_of(group: &[&FailedOrders]) -> Option<CauseTold> {
    let first = group.first()?;
    let mut said: Vec<(String, Vec<String>)> = Vec::new();
    for cause in group {
        let field = cause.field.map(|field| format!(" ({field})")).unwrap_or_default();
        let title = cause.said.strip_suffix(&field).unwrap_or(&cause.said);
        // The rules' own words hold nothing of an order.
        let title = if cause.field.is_some() { title.to_owned() } else { impersonal(title) };
        let at = said.iter().position(|(own, _)| *own == title).unwrap_or_else(|| {
            said.push((title, Vec::new()));
            said.len() - 1
        });
        said[at].1.extend(cause.field.map(str::to_owned));
    }
    let one = |(title, fields): (String, Vec<String>)| match fields.as_slice() {
        [] => title,
        fields if fields.len() <= FIELDS_MAX + 1 => format!("{title} ({})", list(fields, "and")),
        fields => {
            let more = count((fields.len() - FIELDS_MAX) as u64, "more column");
            format!("{title} ({} and {more})", fields[..FIELDS_MAX].join(", "))
        }
    };
    let said = said.into_iter().map(one).collect::<Vec<_>>().join("; ");
    let rule = first.rule.clone().filter(|_| group.iter().all(|own| own.rule == first.rule));
    Some(CauseTold { state: first.state, rule, said: shortened(&said, CAUSE_CHARACTERS), orders: first.orders })
}

/// The order, or the row that has none, without the column of the cell.
fn row_of(place: &PlaceSeen) -> String {
    place.order.clone().unwrap_or_else(|| {
        let (sheet, cell) = place.place.rsplit_once('!').unwrap_or(("", &place.place));
        let cell = cell.split(" \"").next().unwrap_or_default();
        format!("{sheet}!{}", cell.trim_start_matches(|c: char| c.is_ascii_uppercase()))
    })
}

/// A path as it stands in an address.
fn path_in_url(path: &str) -> String {
    let mut shown = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.') {
            shown.push(char::from(byte));
        } else {
            let _ = write!(shown, "%{byte:02X}");
        }
    }
    shown
}

fn hash(facts: &Value) -> String {
    let hash = Sha256::digest(facts.to_string());
    hash.iter().take(16).fold(String::new(), |mut hash, byte| {
        let _ = write!(hash, "{byte:02x}");
        hash
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_leads_to_the_report_of_a_sheet() {
        let sheet = FiledSheet {
            name: "a b.csv".to_owned(),
            tray: Tray::Done,
            path: None,
            run: Some(1),
            orders: Orders::default(),
            said: String::new(),
            exit: Exit::Done,
            beside: vec!["done/1-a b.results.csv".to_owned(), "done/1-a b.report.html".to_owned()],
        };
        let told = SheetTold::of(&sheet, Some("https://files.example.com/in/"));
        assert_eq!(told.link.as_deref(), Some("https://files.example.com/in/done/1-a%20b.report.html"));
        assert_eq!(told.report.as_deref(), Some("done/1-a b.report.html"));
        assert_eq!(SheetTold::of(&sheet, None).link, None);
    }
}
