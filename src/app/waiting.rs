//! Sheets that wait together: all of them are read before the first request of any leaves, and an order on which two of them
//! disagree is sent by neither. Neither their names nor their times say which one is newer.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::config::Sheets;
use crate::event::Stream;
use crate::finding::order::held_back;
use crate::finding::{Finding, RuleId};
use crate::ledger::{Intake as _, LedgerError, NewRevision, Verdict};
use crate::order::Order;
use crate::stage::{Booked, Frozen, OrderRows, Recorder, Sink, gather};

use super::connect::App;
use super::error::Result;

/// The orders of sheets that wait together.
#[derive(Debug, Default)]
pub struct WaitingSheets {
    /// The files that were read, by their SHA-256.
    files: Vec<[u8; 32]>,
    /// By order number.
    words: HashMap<String, Vec<Word>>,
    /// Of orders that wait to be sent from earlier sheets, and do not go by these.
    revisions: Vec<NewRevision>,
}

/// An order in one of them.
#[derive(Debug)]
struct Word {
    /// The place of its file among those that were read.
    file: usize,
    /// What would be sent; nothing where the order does not go.
    content: Option<[u8; 32]>,
    rows: String,
}

impl WaitingSheets {
    /// Whether any sheet was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether a file was read.
    #[must_use]
    pub fn has(&self, sha256: &[u8; 32]) -> bool {
        self.files.contains(sha256)
    }

    /// Revisions of orders that wait to be sent from earlier sheets: those that one of these refuses, or that two have otherwise.
    #[must_use]
    pub fn revisions(&self) -> Vec<NewRevision> {
        let disputed = self.words.iter().filter_map(|(number, words)| {
            let (first, rest) = words.split_first()?;
            let other = rest.iter().find(|word| word.content != first.content)?;
            let (rule, rows) = (RuleId::SourcesDiffer.to_string(), format!("{} and {}", first.rows, other.rows));
            let (number, verdict) = (number.clone(), Verdict::Held);
            Some(NewRevision { number, verdict, hold: None, request: None, rows, rule, sheet: None })
        });
        self.revisions.iter().cloned().chain(disputed).collect()
    }

    /// The orders that stand in any of them: they go, or not, with their sheet.
    pub(super) fn numbers(&self) -> HashSet<String> {
        self.words.keys().cloned().collect()
    }

    /// The finding on an order that goes with this content by its file, and not, or otherwise, by another one; with the contents
    /// that were compared.
    pub(super) fn differs(
        &self,
        number: &str,
        content: impl FnOnce() -> [u8; 32],
        file: Option<[u8; 32]>,
    ) -> Option<(Finding, String)> {
        let words = self.words.get(number)?;
        let own = file.and_then(|file| self.files.iter().position(|other| *other == file));
        let mut others = words.iter().filter(|word| Some(word.file) != own).peekable();
        others.peek()?;
        let content = Some(content());
        let other = others.clone().find(|word| word.content != content)?;
        let mut compared: Vec<Option<[u8; 32]>> = others.map(|word| word.content).chain([content]).collect();
        compared.sort_unstable();
        compared.dedup();
        Some((held_back::sheets_differ(&other.rows).of_order(number), format!("{compared:02x?}")))
    }

    fn say(&mut self, number: &str, content: Option<[u8; 32]>, rows: &str) {
        let word = Word { file: self.files.len() - 1, content, rows: rows.to_owned() };
        self.words.entry(number.to_owned()).or_default().push(word);
    }
}

impl App {
    /// Reads a sheet that waits with others, and notes what it says of its orders. Nothing is recorded.
    ///
    /// # Errors
    /// The sheet cannot be read, or the ledger.
    pub fn read_waiting(&self, sheets: &mut WaitingSheets, path: &Path, sha256: [u8; 32]) -> Result<()> {
        sheets.files.push(sha256);
        let unattended = Sheets { is_unattended: true, ..Sheets::of([path]) };
        let reading = self.read(&unattended, &mut Stream::silent())?;
        if reading.is_unusable() {
            return Ok(());
        }
        let (ledger, service) = (self.read_ledger()?, self.config().service_key()?);
        let mut staging = ledger.stage_dry(&service)?;
        staging.begin_sheets(&reading.run_sheets())?;
        // What an earlier run had of it is older than what the others say.
        let is_old = staging.sheet(0).came_before;
        let recorder = Recorder::new(&mut staging, &reading.opened.columns, 0);
        let mut listener = Listener { sheets, recorder, is_old };
        gather(&reading.opened, &reading.rules, &mut listener, &mut |_| {}, &mut Stream::silent())?;
        let revisions = std::mem::take(&mut listener.recorder.counts.revisions);
        sheets.revisions.extend(revisions);
        Ok(())
    }
}

/// Notes what a sheet says of its orders.
struct Listener<'l> {
    sheets: &'l mut WaitingSheets,
    recorder: Recorder<'l>,
    /// Whether an earlier run had the sheet: it decides nothing.
    is_old: bool,
}

impl Listener<'_> {
    fn say(&mut self, number: &str, content: Option<[u8; 32]>, rows: &str) {
        if !self.is_old {
            self.sheets.say(number, content, rows);
        }
    }
}

impl Sink for Listener<'_> {
    fn wants_requests(&self) -> Option<i64> {
        // Orders that do not say when they were made are compared without it.
        Some(0)
    }

    fn keeps_requests(&self) -> bool {
        false
    }

    fn is_over(&mut self, number: &str) -> Result<bool, LedgerError> {
        self.recorder.is_over(number)
    }

    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        // Also of an order that something holds: two sheets may disagree on it.
        self.say(&frozen.order.number, frozen.request.map(|request| request.sha256), frozen.of.rows);
        self.recorder.order(frozen)
    }

    fn booked(&mut self, of: &OrderRows<'_>, is_wrong: bool) -> Result<Option<Booked>, LedgerError> {
        self.recorder.booked(of, is_wrong)
    }

    fn changed_since(
        &mut self,
        of: &OrderRows<'_>,
        as_held: &Order,
        problems: &[Finding],
    ) -> Result<Option<Finding>, LedgerError> {
        self.recorder.changed_since(of, as_held, problems)
    }

    fn not_sent(&mut self, of: &OrderRows<'_>, verdict: Verdict, rule: &str) -> Result<Option<Finding>, LedgerError> {
        if let Some(number) = of.number {
            self.say(number, None, of.rows);
        }
        self.recorder.not_sent(of, verdict, rule)
    }

    fn held(&mut self, frozen: &Frozen<'_>, rule: RuleId) -> Result<Option<Finding>, LedgerError> {
        self.recorder.held(frozen, rule)
    }
}
