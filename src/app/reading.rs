//! Sheets that are open, with what their columns are and what is unsure about them. Nothing is recorded here.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;

use crate::column::Columns;
use crate::column::decide::proposal;
use crate::config::{Config, Sheets};
use crate::event::Events;
use crate::field::{Id, Unit};
use crate::finding::{self, Finding, english};
use crate::ledger::{RunFacts, RunSheet, SheetIdentity, SheetSource};
use crate::parse::ReadingSettings;
use crate::profile::{Choice, Guess, Profile, ProfileText, by_headers, choose};
use crate::rule::LevelPlan;
use crate::stage::{Gathered, LeftAside, OpenOptions, Opened, OpenedSheet, has_whole_order, open};

use super::connect::App;
use super::error::{Error, Misuse, Result};
use super::layout::{LayoutAnswer, LayoutQuestion, UnknownLayout};
use super::profiles::{Kept, keep};
use super::who::word;

/// What a profile is called that an answer makes without a name: it holds this once.
pub(super) const THIS_ONCE: &str = "this once";

/// With fewer columns, questions lead nowhere: it is no order sheet, or the wrong row was taken for the header.
const COLUMNS_MIN: usize = 5;

/// Order sheets that are open, and how they are read.
#[derive(Debug)]
pub struct Reading {
    pub(super) opened: Opened,
    pub(super) rules: ReadingSettings,
    pub(super) sheets: Sheets,
    pub(super) options: OpenOptions,
    pub(super) config: Config,
    /// Sheets whose layout was answered already.
    answered: Vec<usize>,
    /// Sheets, each with something that was asked about where its columns are known.
    pub(super) asked: Vec<(usize, Asked)>,
    /// The sheets with an order whose money does not add up, once somebody wanted to know.
    pub(super) money_held: OnceLock<BTreeSet<u16>>,
}

/// Something that is asked about a sheet whose columns are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// The values of a column.
    Values(u32),
    /// Amounts that no header explains.
    Amounts,
    /// Rows without an order number.
    Lines,
    /// Whether a column has a weight or a side.
    Measure(u32),
    /// The unit of weights.
    Unit,
}

/// Whether a sheet lacks a column by which its profile of the program leaves rows out or holds them.
fn lacks_rule(problem: &Finding) -> bool {
    problem.is(finding::Id::LayoutChanged, "rule_without_column")
}

impl App {
    /// Opens sheets and decides what their columns are.
    ///
    /// # Errors
    /// A sheet that cannot be read at all, or a profile or setting that cannot be used. What is wrong with columns and
    /// cells is data: see [`Reading::problems`].
    pub fn read(&self, sheets: &Sheets, events: &mut Events<'_>) -> Result<Reading> {
        self.read_with(sheets, |_| Ok(()), events)
    }

    /// The same, with what a face knows of these sheets alone.
    pub(super) fn read_with(
        &self,
        sheets: &Sheets,
        know: impl FnOnce(&mut OpenOptions) -> Result<()>,
        events: &mut Events<'_>,
    ) -> Result<Reading> {
        let mut rules = self.config.rules(Timestamp::now(), sheets.version)?;
        rules.levels = LevelPlan { accepted: self.acceptances(sheets), ..self.config.levels(sheets) };
        let mut options = self.config.open_options(sheets, &rules)?;
        know(&mut options)?;
        let opened = open(&options, events)?;
        let (rules, sheets, config) = (options.rules.clone(), sheets.clone(), self.config.clone());
        let (answered, asked) = (Vec::new(), Vec::new());
        let money_held = OnceLock::new();
        Ok(Reading { opened, rules, sheets, options, config, answered, asked, money_held })
    }
}

impl Reading {
    /// The sheets with their columns.
    #[must_use]
    pub const fn opened(&self) -> &Opened {
        &self.opened
    }

    /// The rules that values are judged by.
    #[must_use]
    pub const fn rules(&self) -> &ReadingSettings {
        &self.rules
    }

    /// What was asked to be read.
    #[must_use]
    pub const fn sheets(&self) -> &Sheets {
        &self.sheets
    }

    /// What is to be said of the sheets as a whole.
    #[must_use]
    pub fn problems(&self) -> &[Finding] {
        &self.opened.problems
    }

    /// Whether the sheets cannot be used as they are.
    #[must_use]
    pub fn is_unusable(&self) -> bool {
        self.opened.is_unusable()
    }

    /// Whether their columns are known: nothing is missing but values that may be said for all orders.
    pub(super) fn is_understood(&self) -> bool {
        let has_numbers = || self.opened.columns.iter().all(|columns| columns.column(Id::OrderNumber).is_some());
        self.problems().iter().filter(|own| own.holds()).all(|own| own.id == finding::Id::MissingColumn)
            && self.opened.missing.iter().all(|field| field.may_be_said_once())
            && has_numbers()
    }

    /// Refuses sheets that cannot be used as they are, by the first thing that is wrong with them.
    pub(super) fn usable(&self) -> Result<()> {
        match self.problems().iter().find(|problem| problem.holds()) {
            Some(problem) => Err(Error::Unusable(english::message(problem))),
            None => Ok(()),
        }
    }

    /// The next question about a layout, if that is all that keeps the sheets from being used; else about values or rows in it.
    ///
    /// # Errors
    /// The sheet cannot be read again.
    pub fn question(&self) -> Result<Option<LayoutQuestion>> {
        let Some(number) = self.unanswered() else { return self.further_question() };
        let planned = &self.opened.sheets[number];
        let header = &planned.sheet.header().cells;
        let (sheet, file) = (planned.sheet.source().to_string(), planned.sheet.source().file.clone());
        let of_sheet =
            |problem: &&Finding| problem.place.as_ref().is_some_and(|place| place.source == *planned.sheet.source());
        let problems = || self.problems().iter().filter(of_sheet).filter(|problem| problem.holds());
        if problems().any(|problem| problem.id == finding::Id::AmbiguousLayout)
            && let Choice::Several(fit) = choose(&self.options.saved, header, &self.rules.ignored_headers)
        {
            let profiles = fit.into_iter().cloned().collect();
            return Ok(Some(LayoutQuestion::Several { number, sheet, file, profiles }));
        }
        // An export of a shop system that lacks what its orders are left out by may be another sheet.
        if problems().any(lacks_rule)
            && let Choice::One(profile) = choose(&self.options.saved, header, &self.rules.ignored_headers)
        {
            let profiles = vec![profile.clone(), by_headers()];
            return Ok(Some(LayoutQuestion::Several { number, sheet, file, profiles }));
        }
        let sample = planned.sample.of(&planned.sheet)?.clone();
        let columns = self.opened.columns.of(u16::try_from(number).unwrap_or_default());
        let base = columns.profile().map(str::to_owned);
        let guess = proposal(columns, &sample);
        let guess = if base.is_some() { besides(guess, columns) } else { guess };
        let no_number = columns.column(Id::OrderNumber).is_none().then(|| Id::OrderNumber.field());
        let missing = no_number.into_iter().chain(self.opened.missing.iter().copied()).collect();
        let clashes = |id: finding::Id| problems().any(|problem| problem.id == id);
        let currencies = if clashes(finding::Id::CurrencyClash) { currencies(columns) } else { Vec::new() };
        let units = if clashes(finding::Id::UnitClash) { units(columns) } else { Vec::new() };
        let layout = UnknownLayout { number, sheet, file, sample, guess, missing, base, currencies, units };
        Ok(Some(LayoutQuestion::Unknown(Box::new(layout))))
    }

    /// Takes an answer and reads the sheets anew with it. Gives what was kept, where the layout got a name and an order can go
    /// by it.
    ///
    /// # Errors
    /// No such sheet; the sheets cannot be read anew; the name is taken, or the profile cannot be written. Everything is as
    /// it was then.
    pub fn answer(&mut self, answer: LayoutAnswer, events: &mut Events<'_>) -> Result<Option<Kept>> {
        let (LayoutAnswer::Profile { number, .. }
        | LayoutAnswer::Columns { number, .. }
        | LayoutAnswer::Change { number, .. }) = answer;
        let there = self.opened.sheets.len();
        let sheet =
            self.opened.sheets.get(number).ok_or(Misuse::NoSheet { number: number.saturating_add(1), there })?;
        let mut options = self.options.clone();
        let (profile, to_keep) = match answer {
            LayoutAnswer::Profile { profile, keep_as, .. } => {
                let header = &sheet.sheet.header().cells;
                if let Choice::Several(fit) = choose(&self.options.saved, header, &self.rules.ignored_headers) {
                    let fit: Vec<String> = fit.into_iter().map(|profile| profile.name.clone()).collect();
                    options.saved.retain(|profile| !fit.contains(&profile.name));
                }
                if profile.is_by_headers() {
                    options.answered.insert(number, *profile);
                    let opened = open(&options, events)?;
                    self.read_anew(options, opened);
                    let Some(keep_as) = keep_as else { return Ok(None) };
                    let guess = self.proposed(number)?;
                    let answer =
                        LayoutAnswer::Columns { number, guess: Box::new(guess), base: None, keep_as: Some(keep_as) };
                    return self.answer(answer, events);
                }
                (*profile, None)
            }
            LayoutAnswer::Columns { guess, base, keep_as, .. } => {
                let called = keep_as.as_deref().unwrap_or(THIS_ONCE);
                let toml = match &base {
                    Some(base) => guess.on_top_of(base, called),
                    None => guess.to_toml(called),
                };
                let profile = Profile::parse(called, &toml)?;
                (profile, keep_as.map(|name| (name, toml)))
            }
            LayoutAnswer::Change { change, keep_as, .. } => {
                return self.change((number, &change), keep_as.as_deref(), events);
            }
        };
        options.answered.remove(&number);
        options.saved.insert(0, profile);
        let opened = open(&options, events)?;
        // By half a layout, sheets like this would be taken for known ones, and none of their orders could go.
        let to_keep = if has_whole_order(&opened, &options.rules, events)? { to_keep } else { None };
        let kept = to_keep.map(|(name, toml)| keep(&self.config, &name, &toml, false)).transpose()?;
        options.saved[0].file = kept.as_ref().map(|kept| kept.path.clone()).or(options.saved[0].file.take());
        self.read_anew(options, opened);
        self.answered.push(number);
        Ok(kept)
    }

    /// Leaves files aside that cannot be used as they are, where others can: those go on without them. Where none can, all
    /// stays as it is. To be called once nothing is asked any more.
    ///
    /// # Errors
    /// The sheets cannot be read anew.
    pub fn set_aside(&mut self, events: &mut Events<'_>) -> Result<()> {
        let mut aside: Vec<LeftAside> = Vec::new();
        for planned in &self.opened.sheets {
            let is_of = |problem: &&Finding| {
                problem.place.as_ref().is_some_and(|place| place.source == *planned.sheet.source())
            };
            let problems: Vec<Finding> = self.problems().iter().filter(is_of).cloned().collect();
            if problems.iter().any(Finding::holds) {
                aside.push(LeftAside { path: planned.path.clone(), problems });
            }
        }
        let mut options = self.options.clone();
        let is_left = |path: &PathBuf| aside.iter().any(|left| left.path == *path);
        options.paths.retain(|path| !is_left(path));
        // The places among all are those of the files that are left.
        let kept = self.opened.sheets.iter().enumerate().filter(|(_, planned)| !is_left(&planned.path));
        let moved = kept.enumerate().filter_map(|(now, (before, _))| Some((now, options.answered.remove(&before)?)));
        options.answered = moved.collect();
        // What came on standard input comes once.
        let is_again = aside.is_empty() || options.paths.iter().any(|path| path.as_os_str() == "-");
        if is_again || self.opened.sheets.iter().all(|planned| !options.paths.contains(&planned.path)) {
            return Ok(());
        }
        let mut opened = open(&options, events)?;
        if !opened.is_unusable() {
            opened.aside.extend(aside);
            self.read_anew(options, opened);
        }
        Ok(())
    }

    /// Accepts findings on orders of these sheets as they were shown: planned anew, the orders go unless something else is said of
    /// them, and the ledger keeps that with the run.
    pub fn accept(&mut self, findings: &[Finding], because: &str) {
        let accepted = &mut self.rules.levels.accepted;
        let own = Arc::make_mut(accepted);
        for finding in findings {
            own.accept(finding, word(because));
        }
        self.opened.columns.set_levels(|levels| levels.accepting(accepted));
        self.options.rules.levels.accepted = Arc::clone(accepted);
    }

    /// Puts a prefix before the order numbers of these sheets from now on, and keeps it as a profile where that gets a name. Such
    /// a profile is taken where it is named, and recognised by no headers: those of another shop may be the same.
    ///
    /// # Errors
    /// The sheets cannot be read anew; the name is taken, or the profile cannot be written. Everything is as it was then.
    pub fn prefix(&mut self, prefix: &str, keep_as: Option<&str>, events: &mut Events<'_>) -> Result<Option<Kept>> {
        let called = keep_as.unwrap_or(THIS_ONCE);
        let profile = |columns: &Columns| columns.own_profile().cloned().unwrap_or_default();
        let first = self.opened.columns.iter().next().map(profile).unwrap_or_default();
        let mut text = ProfileText::parse(called, &first.text())?;
        text.set_name(called);
        text.set_prefix(prefix);
        let prefixed = |columns: &Columns| {
            let mut own = profile(columns);
            prefix.clone_into(&mut own.prefix);
            own
        };
        let answered = self.opened.columns.iter().map(prefixed).enumerate().collect();
        let options = OpenOptions { answered, ..self.options.clone() };
        let opened = open(&options, events)?;
        let kept = keep_as.map(|name| keep(&self.config, name, &text.into_text(), false)).transpose()?;
        self.read_anew(options, opened);
        Ok(kept)
    }

    /// Takes the sheets as they were read anew.
    pub(super) fn read_anew(&mut self, options: OpenOptions, opened: Opened) {
        (self.options, self.opened, self.money_held) = (options, opened, OnceLock::new());
    }

    /// The first sheet whose layout can be asked about.
    fn unanswered(&self) -> Option<usize> {
        let mut errors = self.problems().iter().filter(|problem| problem.holds()).peekable();
        errors.peek()?;
        let is_asked = |problem: &&Finding| {
            matches!(
                problem.id,
                finding::Id::MissingColumn
                    | finding::Id::AmbiguousLayout
                    | finding::Id::CurrencyClash
                    | finding::Id::UnitClash
            ) || lacks_rule(problem)
        };
        if !errors.clone().all(|problem| is_asked(&problem)) {
            return None;
        }
        let places = errors.filter_map(|problem| problem.place.as_ref());
        let sheets = self.opened.sheets.iter().zip(self.opened.columns.iter());
        let mut numbers = places.filter_map(|place| {
            sheets.clone().position(|(planned, columns)| {
                // A column that a saved profile names and the sheet lacks is no unknown layout, but a changed one.
                let named = planned.sheet.header().cells.iter().filter(|cell| !cell.is_empty()).count();
                *planned.sheet.source() == place.source && !columns.is_own() && named >= COLUMNS_MIN
            })
        });
        numbers.find(|number| !self.answered.contains(number))
    }

    /// The file that the first sheet is of.
    pub(super) fn file(&self) -> Option<[u8; 32]> {
        self.opened.sheets.first().and_then(|planned| planned.sheet.first_sha256().ok())
    }

    /// What the sheets are, by their number in a run.
    pub(super) fn run_sheets(&self) -> Vec<RunSheet> {
        let sheet = |planned: &OpenedSheet| {
            let source = planned.sheet.source();
            let worksheet = source.worksheet.clone().unwrap_or_default();
            let identity = planned.sheet.first_sha256().ok().map(|sha256| SheetIdentity { sha256, worksheet });
            RunSheet { name: source.to_string(), identity }
        };
        self.opened.sheets.iter().map(sheet).collect()
    }

    /// What a run's record says of the sheets.
    pub(super) fn facts(&self, gathered: &Gathered) -> RunFacts {
        RunFacts {
            sources: self.sources(),
            rows_read: gathered.rows.read,
            rows_blank: gathered.rows.blank,
            rows_skipped: gathered.rows.skipped,
            rows_in_orders: gathered.rows.in_orders,
            rows_invalid: gathered.rows.invalid,
            lines: gathered.good.lines,
        }
    }
}

impl Reading {
    /// Where the sheets lie, each file once; what came through standard input is nowhere.
    fn sources(&self) -> Vec<SheetSource> {
        let mut sources: Vec<SheetSource> = Vec::new();
        for OpenedSheet { path, sheet, .. } in &self.opened.sheets {
            let Ok(path) = std::path::absolute(path) else { continue };
            let is_there = path.is_file() && !sources.iter().any(|source| source.path == path);
            if let Some(sha256) = is_there.then(|| sheet.sha256().ok()).flatten() {
                sources.push(SheetSource { path, sha256 });
            }
        }
        sources
    }
}

/// The currencies that the headers of a sheet's amounts name: those that only one is meant by before the others of a sign.
fn currencies(columns: &Columns) -> Vec<&'static str> {
    let named = columns.fed().filter_map(|feed| match columns.get(feed.column).unit(feed.field)? {
        Unit::Money(codes) => Some(codes),
        Unit::Measure(_) => None,
    });
    let named: Vec<&[&str]> = named.collect();
    let first = named.iter().filter_map(|codes| codes.first());
    let mut all: Vec<&'static str> = Vec::new();
    for code in first.chain(named.iter().flat_map(|codes| codes.iter())) {
        if !all.contains(code) {
            all.push(code);
        }
    }
    all
}

/// The units that the headers of a sheet's weights and sides name.
fn units(columns: &Columns) -> Vec<(u32, &'static str)> {
    let named = columns.fed().filter_map(|feed| Some((feed.column, columns.get(feed.column).measure_unit(feed.id())?)));
    named.collect()
}

/// What a profile that comes with the program leaves open: nothing that it feeds, filters by or ignores is asked about.
fn besides(mut guess: Guess, columns: &Columns) -> Guess {
    let is_free = |index: u32| {
        columns.unknown().iter().any(|column| column.index == index)
            || columns.claims.iter().any(|claim| claim.by_header && claim.column == index)
    };
    guess.columns.retain(|guessed| is_free(guessed.column.index));
    for guessed in &mut guess.columns {
        (guessed.field, guessed.confidence) = (None, 0);
    }
    guess
}
