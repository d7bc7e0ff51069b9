//! The folder, the service, whoever is told, and what is looked at after a night.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;
use shipsheet::sandbox::Options;
use tempfile::TempDir;

use super::Said;
use crate::rig::{Heard, Hook, Live, Ran, Rig, heard, lies, ran, row_of_own, row_with, sheet, sheets};

/// What must be true after a night.
#[derive(Debug, Default)]
pub(super) struct Truth<'t> {
    /// The exit code.
    pub(super) exit: i32,
    /// What the program says, on either stream.
    pub(super) words: &'t [&'t str],
    /// The first line of the alert; nothing where nobody could be told.
    pub(super) alert: Option<&'t str>,
    /// What the alert says below that.
    pub(super) lines: &'t [&'t str],
    /// Whether those are told who hear of problems only, and of their end.
    pub(super) is_urgent: bool,
    /// What the dead-man's switch hears.
    pub(super) switch: Switch,
    /// What came into each tray of the folder (`+`), and what went (`-`).
    pub(super) folder: &'t [&'t str],
    /// The report of each run of the night, the latest first: its orders by where they stand.
    pub(super) reports: &'t [&'t str],
}

/// A good order, which looks like nobody else's.
pub(super) fn row(number: &str) -> String {
    row_of_own(number)
}

/// An order with a phone number that is none.
pub(super) fn bad(number: &str) -> String {
    row_with(number, "12", "560001")
}

/// What a dead-man's switch hears.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Switch {
    /// That a night began, and how it ended.
    #[default]
    Both,
    /// That it began.
    Begin,
    Nothing,
}

/// Whoever hears of a night, by addresses of this machine.
struct Ears {
    owner: Hook,
    team: Hook,
    switch: Hook,
}

/// Fourteen nights.
pub(crate) struct Fortnight<'t> {
    pub(super) rig: Rig,
    /// How the service is started.
    pub(super) service: Options,
    /// Orders of a sheet.
    pub(super) orders: usize,
    pub(super) tell: &'t mut dyn FnMut(&str),
    ears: Ears,
    /// How much of it was heard before.
    heard: BTreeMap<&'static str, usize>,
    /// What lay in the trays.
    lay: BTreeMap<&'static str, Vec<String>>,
    /// The orders that must be booked in the end.
    due: BTreeSet<String>,
    night: u32,
    title: String,
    said: Said,
    /// The service's book.
    _book: TempDir,
}

impl<'t> Fortnight<'t> {
    /// Everything is there, and nothing has happened yet.
    pub(crate) fn of(orders: usize, tell: &'t mut dyn FnMut(&str)) -> Self {
        let book = crate::rig::folder();
        let service = Options {
            faults: "latency=30ms".parse().unwrap(),
            book_file: Some(book.path().join("book")),
            ..Options::default()
        };
        let rig = Rig::serving(service.clone()).patient_for("1");
        let ears = Ears { owner: Hook::new(&["200 OK"]), team: Hook::new(&["200 OK"]), switch: Hook::new(&["200 OK"]) };
        std::fs::create_dir(rig.path("in")).unwrap();
        rig.file(
            "shipsheet.toml",
            &format!(
                "[booking]\nmax_wait_seconds = 1\n[night]\nmissed_after_hours = 26\nping = \"{}\"\n\
                 [notify.owner]\nwhen = \"always\"\nwebhook = \"{}\"\n\
                 [notify.team]\nwhen = [\"problems\", \"missed-night\"]\nwebhook = \"{}\"\n",
                ears.switch.address, ears.owner.address, ears.team.address
            ),
        );
        let said = Said::default();
        let (heard, lay, due) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        let (night, title) = (0, String::new());
        Self { rig, service, orders, tell, ears, heard, lay, due, night, title, said, _book: book }
    }

    /// All nights, and what is there in the end.
    pub(crate) fn said(mut self) -> Said {
        self.first_week();
        self.second_week();
        self.all_is_booked_once();
        self.said
    }

    /// A night begins.
    pub(super) fn begins(&mut self, title: &str) {
        self.night += 1;
        self.title = format!("night {}, {title}", self.night);
        let line = format!("\n## Night {}: {title}\n", self.night);
        (self.tell)(&line);
    }

    /// This machine cannot do the night.
    pub(super) fn skip(&mut self, why: &str) {
        let line = format!("{}: {why}", self.title);
        (self.tell)(&line);
        self.said.skipped.push(line);
    }

    /// Something that people see to in the morning.
    pub(super) fn by_day(&mut self, what: &str) {
        (self.tell)(&format!("By day: {what}"));
    }

    /// The numbers of a sheet, all of which are to be booked in the end.
    pub(super) fn numbers(&mut self, letters: &str) -> Vec<String> {
        let numbers: Vec<String> = (1..=self.orders).map(|n| format!("{letters}-{n:03}")).collect();
        self.due.extend(numbers.iter().cloned());
        numbers
    }

    /// An ordinary sheet is dropped into the folder.
    pub(super) fn drop_sheet(&mut self, name: &str, letters: &str) {
        let text = sheet(self.numbers(letters).iter().map(|number| row(number)));
        self.drop_text(name, &text);
    }

    pub(super) fn drop_text(&mut self, name: &str, text: &str) {
        self.rig.file(&format!("in/{name}"), text);
        (self.tell)(&format!("In the folder: {name}"));
    }

    /// A night in front of its start.
    pub(super) fn command(&self, more: &[&str]) -> Command {
        self.rig.command(&[&["watch", "in", "--once", "--rest", "0"], more].concat())
    }

    /// A night that goes on meanwhile.
    pub(super) fn live_by(&self, command: Command) -> Live {
        Live::start(command, self.rig.path("live.stdout"), self.rig.path("live.stderr"))
    }

    /// A night that runs to its end, of which this must be true.
    pub(super) fn is(&mut self, more: &[&str], truth: &Truth<'_>) {
        let night = ran(self.command(more));
        self.ended(&night, truth);
    }

    /// A night is over, and this must be true of it.
    pub(super) fn ended(&mut self, night: &Ran, truth: &Truth<'_>) {
        self.spoken(night, truth);
        let told = self.told_owner(truth);
        self.told_team(told.as_ref(), truth.is_urgent);
        let exit = truth.exit;
        let wanted = match truth.switch {
            Switch::Both => vec!["/start".to_owned(), format!("/{exit}")],
            Switch::Begin => vec!["/start".to_owned()],
            Switch::Nothing => Vec::new(),
        };
        let pings = self.news("switch");
        self.equal("what the dead-man's switch hears", &pings, &wanted);
        self.filed(truth.folder);
        let runs = told.iter().filter_map(|told| told["runs"].as_array()).flatten().filter_map(Value::as_i64);
        let reports: Vec<String> = runs.map(|run| self.report(run)).collect();
        self.equal("the reports of its runs", &reports, &owned(truth.reports));
    }

    /// What the program says, and how it ends.
    fn spoken(&mut self, night: &Ran, truth: &Truth<'_>) {
        let said = format!("{}{}", night.stdout, night.stderr);
        for line in said.lines() {
            (self.tell)(&format!("    {line}"));
        }
        (self.tell)(&format!("Exit code: {}", night.exit));
        self.equal("the exit code", &night.exit, &truth.exit);
        for wanted in truth.words {
            self.holds(&format!("it says {wanted:?}"), said.contains(wanted), &said);
        }
        let is_wanted = |line: &str| truth.words.iter().any(|words| line.contains(words));
        // Advice stands below what it is about.
        let is_advice = |line: &str| line.trim_start().starts_with("-> ");
        let unexpected: Vec<&str> = said.lines().filter(|line| !is_wanted(line) && !is_advice(line)).collect();
        self.equal("what else it says", &unexpected, &Vec::new());
    }

    /// The alert that the owner gets, who hears of every night.
    fn told_owner(&mut self, truth: &Truth<'_>) -> Option<Value> {
        let news = self.news("owner");
        self.holds("one alert at most", news.len() <= 1, &news);
        let told: Option<Value> = news.first().map(|alert| serde_json::from_str(alert).unwrap());
        let title = told.as_ref().and_then(|told| told["title"].as_str());
        (self.tell)(&format!("Alert: {}", title.unwrap_or("none")));
        self.equal("the first line of the alert", &title, &truth.alert);
        let told = told?;
        let all: Vec<&str> = told["lines"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        for line in &all {
            (self.tell)(&format!("    {line}"));
        }
        for wanted in truth.lines {
            self.holds(&format!("the alert says {wanted:?}"), all.iter().any(|line| line.contains(wanted)), &all);
        }
        let is_exit = told["exit"] == truth.exit || told["of"] == "missed-night";
        self.holds("the exit code in the alert", is_exit, &told["exit"]);
        let text = told.to_string();
        let personal = ["Asha", "MG Road", "sandbox-token"].into_iter().find(|own| text.contains(own));
        self.equal("a person or a secret in the alert", &personal, &None);
        for sheet in told["sheets"].as_array().unwrap() {
            let page = sheet["report"].as_str().map(|path| std::fs::read_to_string(self.rig.path("in").join(path)));
            // It begins with a capital letter there.
            let said = &sheet["said"].as_str().unwrap()[1..];
            let is_said = matches!(&page, Some(Ok(page)) if page.contains(said));
            self.holds("the page beside each sheet says what became of it", is_said, sheet);
        }
        Some(told)
    }

    fn told_team(&mut self, owner: Option<&Value>, is_urgent: bool) {
        let news = self.news("team");
        self.equal("whether the team is told", &!news.is_empty(), &is_urgent);
        let Some(team) = news.first().map(|alert| serde_json::from_str::<Value>(alert).unwrap()) else { return };
        let is_same = owner.is_some_and(|owner| owner["lines"] == team["lines"]);
        self.holds(
            "the team is told the same, or that it is well again",
            is_same || team["is_well_again"] == true,
            &team,
        );
    }

    /// What somebody heard since the last time.
    pub(super) fn news(&mut self, who: &'static str) -> Vec<String> {
        let Ears { owner, team, switch } = &self.ears;
        let ear: &Heard = match who {
            "owner" => &owner.heard,
            "team" => &team.heard,
            _ => &switch.heard,
        };
        let (all, before) = (heard(ear), self.heard.entry(who).or_default());
        let news = all[*before..].to_vec();
        *before = all.len();
        news
    }

    /// The folder has changed so, and in no other way.
    fn filed(&mut self, wanted: &[&str]) {
        let lie = sheets(&self.rig);
        let lay = std::mem::replace(&mut self.lay, lie.clone());
        let trays: BTreeSet<&str> = lie.keys().chain(lay.keys()).copied().collect();
        let mut changes = Vec::new();
        for tray in trays {
            let all = |of: &BTreeMap<&'static str, Vec<String>>| of.get(tray).cloned().unwrap_or_default();
            let (mut came, mut went) = (all(&lie), all(&lay));
            came.retain(|name| match went.iter().position(|own| own == name) {
                Some(at) => {
                    went.remove(at);
                    false
                }
                None => true,
            });
            changes.extend(went.iter().map(|name| format!("- {tray}/{name}")));
            changes.extend(came.iter().map(|name| format!("+ {tray}/{name}")));
        }
        (self.tell)("Folder:");
        for change in &changes {
            (self.tell)(&format!("    {change}"));
        }
        self.equal("what changed in the folder", &changes, &owned(wanted));
        // Beside each sheet that is filed lies its page.
        for tray in ["done", "attention", "failed"] {
            let pages = lies(&self.rig, tray).iter().filter(|name| name.ends_with(".report.html")).count();
            let all = lie.get(tray).map_or(0, Vec::len);
            self.holds(&format!("as many pages as sheets in {tray}/, or more"), pages >= all, &(pages, all));
        }
    }

    /// The orders of a run, as its report counts them, which must add up.
    fn report(&mut self, run: i64) -> String {
        let (_, report) = self.rig.json(&["report", "--run", &run.to_string()]);
        self.equal(&format!("whether the report of run {run} adds up"), &report["is_balanced"], &true.into());
        let orders = report["orders"].as_object().unwrap().iter();
        let orders =
            orders.filter(|(_, number)| number.as_u64() != Some(0)).map(|(state, number)| format!("{state} {number}"));
        let said = orders.collect::<Vec<_>>().join(", ");
        (self.tell)(&format!("Report of run {run}: {said}"));
        said
    }

    /// The service has each order that was due once, and the ledger knows each by the AWB that the service gave.
    fn all_is_booked_once(&mut self) {
        (self.tell)("\n## In the end\n");
        let mut booked = self.rig.bookings();
        booked.sort();
        let numbers: Vec<&String> = booked.iter().map(|(number, _)| number).collect();
        self.equal("the orders that the service has", &numbers, &self.due.clone().iter().collect());
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let known = self.rig.results(&["--all"]);
        let mut known: Vec<(String, String)> = known
            .iter()
            .filter(|order| order["state"] == "booked")
            .map(|order| (text(&order["order_number"]), text(&order["awb"])))
            .collect();
        known.sort();
        self.equal("the orders and AWBs of the ledger", &known, &booked);
        let checked = self.rig.run(&["ledger", "check"]);
        self.equal("whether the ledger is sound", &checked.exit, &0);
        (self.tell)(&format!(
            "{} orders are due, and the service has each of them once; {}",
            booked.len(),
            checked.stdout.lines().last().unwrap_or_default()
        ));
    }

    /// Two things are the same.
    pub(super) fn equal<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, is: &T, wanted: &T) {
        self.holds(what, is == wanted, &format_args!("{is:?}, not {wanted:?}"));
    }

    /// Something is so; else `found` says what is there.
    pub(super) fn holds(&mut self, what: &str, is_so: bool, found: &dyn std::fmt::Debug) {
        self.said.looked_at += 1;
        if !is_so {
            let wrong = format!("{}: {what}: {found:?}", self.title);
            (self.tell)(&format!("WRONG: {wrong}"));
            self.said.wrong.push(wrong);
        }
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
