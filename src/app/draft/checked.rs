//! What the orders of a draft came to: a line for each order in memory, and what is said of it in a private file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::app::caution::Caution;
use crate::column::RowRef;
use crate::finding::{Finding, Id, RuleId};
use crate::ledger::State;
use crate::spool::{Spool, Spooled};
use crate::stage::{ComparisonKeys, FieldChange, Lately, Rows, Totals};
use crate::text::Text;

use super::filter::{DraftState, Filter, GroupId};
use super::told::{beside_others, told};

/// Findings of no order that are kept to be shown.
const SHEET_FINDINGS_MAX: usize = 1_000;

/// The same thing, said of several orders.
#[derive(Debug, Clone)]
pub struct FindingGroup {
    /// What tells it from others.
    pub group: GroupId,
    /// One of its findings.
    pub example: Finding,
    /// How many orders it is said of.
    pub orders: u64,
    /// How often it is said.
    pub cells: u64,
    /// What tells these orders, with all that is said of them, from anything else.
    pub stamp: u64,
}

/// What the orders of one warehouse and payment come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// Where they are picked up; empty where that is written out.
    pub warehouse: String,
    /// How they are paid.
    pub payment: String,
    /// What they come to.
    pub totals: Totals,
}

/// How an order that goes stands to the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts {
    /// Orders that it has never seen.
    pub new: u64,
    /// Orders that failed before and were corrected since.
    pub corrected: u64,
    /// Orders that an earlier run left.
    pub left_over: u64,
}

/// What a row of an order counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counts {
    InOrders,
    Invalid,
    Skipped,
}

/// Which part of [`Parts`] an order that goes is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    New,
    Corrected,
    LeftOver,
}

/// What an order would be sent with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formed {
    pub(super) totals: Totals,
    pub(super) warehouse: Text,
    pub(super) payment: Text,
    /// What its request is made of, whenever it is made.
    pub(super) digest: [u8; 32],
    /// Its values that are not as they were booked.
    pub(super) changes: Box<[FieldChange]>,
}

/// An order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) number: Text,
    pub(super) rows: Box<[RowRef]>,
    pub(super) state: DraftState,
    pub(super) by_clerk: bool,
    pub(super) part: Part,
    pub(super) counts: Counts,
    pub(super) known: Option<State>,
    /// Whether the ledger has the very request that it would go with from here, whatever keeps it back.
    pub(super) is_as_staged: bool,
    /// The hash of the request that the ledger has of it, in whose place it would go.
    pub(super) in_ledger: Option<[u8; 32]>,
    /// The numbers that it came with, where somebody typed another one.
    pub(super) came_as: Box<[String]>,
    pub(super) awb: Option<Text>,
    pub(super) formed: Option<Box<Formed>>,
    pub(super) beside: ComparisonKeys,
    pub(super) groups: Box<[GroupId]>,
    /// Whether it is booked, and the sheet says something else of it by now.
    pub(super) is_booked_otherwise: bool,
    /// What is said of it, if anything.
    pub(super) said: Option<Spooled>,
    /// What tells what is said of it beside other orders from anything else.
    pub(super) beside_others: u64,
    /// The same of all that is said of it.
    pub(super) told: u64,
}

impl Entry {
    /// Whether it is among those that are meant.
    pub(super) fn is_meant(&self, filter: &Filter) -> bool {
        match filter {
            Filter::All => true,
            Filter::Open => matches!(self.state, DraftState::Fix | DraftState::Hold) && !self.by_clerk,
            Filter::State(state) => self.state == *state,
            Filter::BookedOtherwise => self.is_booked_otherwise,
            Filter::Group(group) => self.state != DraftState::LeftOut && self.groups.contains(group),
            Filter::Number(part) => self.number.to_lowercase().contains(&part.to_lowercase()),
        }
    }

    pub(super) fn new(number: Text, rows: Box<[RowRef]>, state: DraftState, beside: ComparisonKeys) -> Self {
        let (part, counts) = (Part::New, Counts::InOrders);
        let (known, awb, formed) = (None, None, None);
        Self {
            number,
            rows,
            state,
            by_clerk: false,
            part,
            counts,
            known,
            is_as_staged: false,
            in_ledger: None,
            came_as: Box::new([]),
            awb,
            formed,
            beside,
            groups: Box::new([]),
            is_booked_otherwise: false,
            said: None,
            beside_others: 0,
            told: 0,
        }
    }
}

/// What a draft came to when it was checked.
#[derive(Debug)]
pub struct Checked {
    pub(super) revision: u64,
    pub(super) is_usable: bool,
    entries: Vec<Entry>,
    by_number: HashMap<Text, u32>,
    by_row: HashMap<RowRef, u32>,
    examples: BTreeMap<GroupId, Finding>,
    /// Booked orders that were cancelled since.
    cancelled: HashSet<Text>,
    file: Spool,
    sheet_findings: Vec<Finding>,
    more_sheet_findings: u64,
    strays: Vec<(RowRef, Vec<Finding>)>,
    pub(super) rows: Rows,
    pub(super) cautions: Vec<Caution>,
    pub(super) unread_ledger: Option<String>,
    /// The orders of the ledger whose parcels are compared, as it told them.
    pub(super) lately: Option<Arc<Lately>>,
}

impl Checked {
    pub(super) fn new() -> Self {
        Self {
            revision: 0,
            is_usable: true,
            entries: Vec::new(),
            by_number: HashMap::new(),
            by_row: HashMap::new(),
            examples: BTreeMap::new(),
            cancelled: HashSet::new(),
            file: Spool::default(),
            sheet_findings: Vec::new(),
            more_sheet_findings: 0,
            strays: Vec::new(),
            rows: Rows::default(),
            cautions: Vec::new(),
            unread_ledger: None,
            lately: None,
        }
    }

    /// Whether the columns are known: if not, an answer on them comes first, and no order was looked at.
    #[must_use]
    pub const fn is_usable(&self) -> bool {
        self.is_usable
    }

    /// Whether some order has all that it needs, whatever else is wrong with it.
    #[must_use]
    pub fn has_whole_order(&self) -> bool {
        let lacks = |group: &GroupId| {
            let example = self.examples.get(group);
            example.is_some_and(Finding::lacks_value)
        };
        self.is_usable && self.entries.iter().any(|entry| !entry.groups.iter().any(lacks))
    }

    /// The answer up to which it is true.
    #[must_use]
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// What tells all that is said of an order from anything else: whoever lets it go names that.
    #[must_use]
    pub fn told(&self, number: &str) -> Option<u64> {
        self.entry(number).map(|entry| entry.told)
    }

    /// How many orders stand so.
    #[must_use]
    pub fn count(&self, state: DraftState) -> u64 {
        self.entries.iter().filter(|entry| entry.state == state).count() as u64
    }

    /// The first orders with this in their number, each with where it stands.
    #[must_use]
    pub fn with_number(&self, part: &str, most: usize) -> Vec<(String, DraftState)> {
        let filter = Filter::Number(part.to_owned());
        let found = self.entries.iter().filter(|entry| entry.is_meant(&filter)).take(most);
        found.map(|entry| (entry.number.to_string(), entry.state)).collect()
    }

    /// What became of every row below the headers.
    #[must_use]
    pub const fn rows(&self) -> &Rows {
        &self.rows
    }

    /// How many orders wait for a person.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.entries.iter().filter(|entry| entry.is_meant(&Filter::Open)).count() as u64
    }

    /// How many orders are booked and were cancelled since.
    #[must_use]
    pub fn cancelled(&self) -> u64 {
        self.cancelled.len() as u64
    }

    /// What is to be booked comes to this.
    #[must_use]
    pub fn to_book(&self) -> Totals {
        let mut all = Totals::default();
        self.ready().for_each(|(_, formed)| add(&mut all, &formed.totals));
        all
    }

    /// Whether it has an order of one of these numbers, or one that came with it.
    #[must_use]
    pub fn has_any(&self, numbers: &[String]) -> bool {
        if numbers.iter().any(|number| self.entry(number).is_some()) {
            return true;
        }
        let came_as: HashSet<&str> =
            self.entries.iter().flat_map(|entry| entry.came_as.iter()).map(String::as_str).collect();
        numbers.iter().any(|number| came_as.contains(number.as_str()))
    }

    /// The numbers of the orders that are meant, in the order of the sheet.
    #[must_use]
    pub fn numbers(&self, filter: &Filter) -> Vec<String> {
        self.entries.iter().filter(|entry| entry.is_meant(filter)).map(|entry| entry.number.to_string()).collect()
    }

    /// What tells the orders that go, with their requests, those that they replace and what is said of other orders like them, from
    /// any others: whoever agreed to them names it.
    #[must_use]
    pub fn stamp(&self) -> String {
        let mut hasher = Sha256::new();
        for entry in self.entries.iter().filter(|entry| entry.state == DraftState::Ready) {
            hasher.update((entry.number.len() as u64).to_le_bytes());
            hasher.update(entry.number.as_bytes());
            hasher.update(entry.formed.as_deref().map_or([0; 32], |formed| formed.digest));
            hasher.update(entry.beside_others.to_le_bytes());
            hasher.update(entry.in_ledger.unwrap_or_default());
        }
        hasher.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    }

    /// What is to be booked by warehouse and payment.
    #[must_use]
    pub fn by(&self) -> Vec<Share> {
        let mut shares: BTreeMap<(&str, &str), Totals> = BTreeMap::new();
        for (_, formed) in self.ready() {
            add(shares.entry((&formed.warehouse, &formed.payment)).or_default(), &formed.totals);
        }
        let share = |((warehouse, payment), totals): ((&str, &str), Totals)| Share {
            warehouse: warehouse.to_owned(),
            payment: payment.to_owned(),
            totals,
        };
        shares.into_iter().map(share).collect()
    }

    /// How many of them are new to the ledger, and how many are not.
    #[must_use]
    pub fn parts(&self) -> Parts {
        let of = |part: Part| self.ready().filter(|(entry, _)| entry.part == part).count() as u64;
        Parts { new: of(Part::New), corrected: of(Part::Corrected), left_over: of(Part::LeftOver) }
    }

    fn ready(&self) -> impl Iterator<Item = (&Entry, &Formed)> {
        let ready = self.entries.iter().filter(|entry| entry.state == DraftState::Ready);
        ready.filter_map(|entry| Some((entry, entry.formed.as_deref()?)))
    }

    /// What is the same thing said of several orders, what holds first. The groups stay in one order while they are answered.
    #[must_use]
    pub fn groups(&self) -> Vec<FindingGroup> {
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let mut counts: BTreeMap<GroupId, (u64, u64, u64)> = BTreeMap::new();
        for entry in self.entries.iter().filter(|entry| entry.state != DraftState::LeftOut) {
            for (index, group) in entry.groups.iter().enumerate() {
                let (orders, cells, stamp) = counts.entry(*group).or_default();
                if !entry.groups[..index].contains(group) {
                    *orders += 1;
                    *stamp = hasher.hash_one((*stamp, &entry.number, entry.told));
                }
                *cells += 1;
            }
        }
        let mut groups: Vec<FindingGroup> = counts
            .into_iter()
            .filter_map(|(group, (orders, cells, stamp))| {
                Some(FindingGroup { group, example: self.examples.get(&group)?.clone(), orders, cells, stamp })
            })
            .collect();
        groups.sort_by_key(|own| (!own.example.holds(), own.example.rule(), own.group));
        groups
    }

    /// What is said of no order: of the sheets and their columns. The first ones, where there are many.
    #[must_use]
    pub fn sheet_findings(&self) -> &[Finding] {
        &self.sheet_findings
    }

    /// How many more there are.
    #[must_use]
    pub const fn more_sheet_findings(&self) -> u64 {
        self.more_sheet_findings
    }

    /// What a person should know before the yes.
    #[must_use]
    pub fn cautions(&self) -> &[Caution] {
        &self.cautions
    }

    /// Why a ledger that is there was not looked at, so that every order counts as new.
    #[must_use]
    pub fn unread_ledger(&self) -> Option<&str> {
        self.unread_ledger.as_deref()
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn entry(&self, number: &str) -> Option<&Entry> {
        self.by_number.get(number).map(|index| &self.entries[*index as usize])
    }

    /// The order that a row is part of.
    pub(super) fn at(&self, row: RowRef) -> Option<&Entry> {
        self.by_row.get(&row).map(|index| &self.entries[*index as usize])
    }

    /// What is said of an order.
    pub(super) fn said(&self, entry: &Entry) -> io::Result<Vec<Finding>> {
        entry.said.map_or(Ok(Vec::new()), |said| self.file.get(said))
    }

    /// Says more of an order; of the sheet where there is no such order.
    pub(super) fn say_more(&mut self, number: &str, more: Vec<Finding>) -> io::Result<()> {
        let Some(entry) = self.entry(number).cloned() else {
            for finding in &more {
                self.note(finding);
            }
            return Ok(());
        };
        let mut all = self.said(&entry)?;
        all.extend(more);
        self.put(entry, &all)
    }

    /// Adds an order, or puts it in the place of what it was.
    pub(super) fn put(&mut self, mut entry: Entry, said: &[Finding]) -> io::Result<()> {
        entry.said = if said.is_empty() { None } else { Some(self.file.put(said)?) };
        let group = |finding: &Finding| {
            let group = GroupId::of(finding);
            self.examples.entry(group).or_insert_with(|| finding.clone());
            group
        };
        // Of what the clerk holds, only that is left to be said.
        let is_told = |finding: &&Finding| !entry.by_clerk || is_of_clerk(finding);
        entry.groups = said.iter().filter(is_told).map(group).collect();
        (entry.beside_others, entry.told) = (beside_others(said), told(said));
        self.cancelled.remove(&entry.number);
        self.cancelled.extend(said.iter().any(is_cancelled).then(|| entry.number.clone()));
        // A fault that was answered when it was booked is no other word of the sheet.
        let is_known = |own: &Finding| own.id == Id::CancelledBefore || own.is(Id::BookedBefore, "still_wrong");
        let is_otherwise = |own: &Finding| own.rule() == Some(RuleId::OrderKnown) && !is_known(own);
        entry.is_booked_otherwise = entry.state == DraftState::Booked && said.iter().any(is_otherwise);
        if let Some(index) = self.by_number.get(&entry.number) {
            let index = *index as usize;
            let before = std::mem::replace(&mut self.entries[index], entry);
            let now = &self.entries[index];
            // Added first: while a sheet is read as a whole, none of its rows are counted yet.
            *counted(&mut self.rows, now.counts) += now.rows.len() as u64;
            *counted(&mut self.rows, before.counts) -= before.rows.len() as u64;
            return Ok(());
        }
        let index = u32::try_from(self.entries.len()).map_err(io::Error::other)?;
        self.by_number.insert(entry.number.clone(), index);
        self.by_row.extend(entry.rows.iter().map(|row| (*row, index)));
        self.entries.push(entry);
        Ok(())
    }

    /// Filled rows that name no order, with why each stays behind. The first ones, where there are many.
    pub(super) fn strays(&self) -> &[(RowRef, Vec<Finding>)] {
        &self.strays
    }

    /// How many filled rows name no order.
    #[must_use]
    pub const fn rows_without_order(&self) -> u64 {
        self.strays.len() as u64
    }

    /// Keeps a filled row that names no order.
    pub(super) fn stray(&mut self, at: RowRef, said: &[Finding]) {
        if self.strays.len() < SHEET_FINDINGS_MAX {
            self.strays.push((at, said.to_vec()));
        } else {
            for finding in said {
                self.note(finding);
            }
        }
    }

    /// Keeps what is said of no order.
    pub(super) fn note(&mut self, finding: &Finding) {
        if self.sheet_findings.len() < SHEET_FINDINGS_MAX {
            self.sheet_findings.push(finding.clone());
        } else {
            self.more_sheet_findings += 1;
        }
    }
}

const fn counted(rows: &mut Rows, counts: Counts) -> &mut u64 {
    match counts {
        Counts::InOrders => &mut rows.in_orders,
        Counts::Invalid => &mut rows.invalid,
        Counts::Skipped => &mut rows.skipped,
    }
}

fn add(all: &mut Totals, own: &Totals) {
    all.orders += own.orders;
    all.lines += own.lines;
    all.value += own.value;
    all.to_collect += own.to_collect;
}

/// Whether a finding says that a booked order was cancelled.
#[must_use]
pub fn is_cancelled(finding: &Finding) -> bool {
    finding.is(Id::CancelledBefore, "cancelled")
}

/// Whether a finding is the clerk's own word.
fn is_of_clerk(finding: &Finding) -> bool {
    matches!(&*finding.case, "by_clerk" | "left_out_by_clerk")
}
