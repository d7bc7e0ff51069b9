//! Holds on orders of a sheet that is planned: those of other open sheets, as the ledger has them, and those of courier's statements.

mod digest;
mod gate;
mod list;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use crate::ledger::{DraftHoldKind, DraftHoldRecord, Ledger, Progress, desk_folder};
use crate::order::Order;
use crate::text::spellings;

use super::connect::App;
use super::error::Result;

pub(in crate::app) use digest::digest;
pub(in crate::app) use gate::KeptGate;
pub(in crate::app) use list::{CouriersList, Listing};

/// How far a ledger is, but for what is said of one draft: as long as it stays so, the draft comes to the same beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerMark {
    progress: Progress,
    others: BTreeMap<String, u64>,
}

impl LedgerMark {
    fn of(ledger: &Ledger, draft: &str) -> Result<Self> {
        Ok(Self { progress: ledger.progress()?, others: others(ledger.draft_revisions()?, Some(draft)) })
    }
}

/// Orders that an open sheet keeps from being sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptBack {
    /// The draft's id.
    pub id: String,
    /// The sheet's name.
    pub file: String,
    /// The orders.
    pub orders: Vec<String>,
}

impl KeptBack {
    /// Why they are not sent, in words for any face.
    #[must_use]
    pub fn because(&self) -> String {
        format!("{}, which is open on the local page, has it otherwise, holds it or leaves it out", self.file)
    }

    /// Adds an order to those that a sheet keeps back.
    pub(in crate::app) fn add(all: &mut Vec<Self>, (id, file): (&str, &str), order: &str) {
        match all.iter_mut().find(|own| own.id == id) {
            Some(own) => own.orders.push(order.to_owned()),
            None => all.push(Self { id: id.to_owned(), file: file.to_owned(), orders: vec![order.to_owned()] }),
        }
    }
}

/// All that keeps orders back at a moment.
#[derive(Debug, Default)]
pub(in crate::app) struct Keepers {
    /// By their numbers, however they are spelled: orders that open sheets hold or leave out.
    words: HashMap<String, Vec<DraftHoldRecord>>,
    /// By their numbers: orders that stand otherwise in open sheets.
    changed: HashMap<String, Vec<DraftHoldRecord>>,
    /// The courier's statements that nobody has forgotten; in the ledger, what they name is held already.
    lists: Vec<CouriersList>,
}

impl Keepers {
    fn of(records: Vec<DraftHoldRecord>) -> Self {
        let mut own = Self::default();
        for record in records {
            if record.kind != DraftHoldKind::Word {
                own.changed.entry(record.number.clone()).or_default().push(record);
            } else if !record.is_booked {
                for spelled in spellings(&record.number) {
                    let all = own.words.entry(spelled).or_default();
                    if !all.iter().any(|other| (&other.draft, &other.basis) == (&record.draft, &record.basis)) {
                        all.push(record.clone());
                    }
                }
            }
        }
        own
    }

    /// The open sheets that hold or leave out an order, however its number is spelled.
    fn words(&self, number: &str) -> Vec<&DraftHoldRecord> {
        let mut all: Vec<&DraftHoldRecord> = Vec::new();
        for own in spellings(number).filter_map(|own| self.words.get(&own)).flatten() {
            if !all.iter().any(|other| (&other.draft, &other.basis) == (&own.draft, &own.basis)) {
                all.push(own);
            }
        }
        all
    }

    /// All open sheets that keep an order back, but for those that would send it just so.
    fn all(&self, number: &str, order: Option<&Order>) -> Vec<&DraftHoldRecord> {
        let mut all = self.words(number);
        let content = order.map(digest);
        let is_otherwise = |own: &&DraftHoldRecord| match content {
            Some(content) => own.content != Some(content),
            None => !own.is_booked,
        };
        for own in self.changed.get(number).into_iter().flatten().filter(is_otherwise) {
            // To let go what a sheet says of an order is to let the order go as it stands there.
            if !all.iter().any(|other| other.draft == own.draft) {
                all.push(own);
            }
        }
        all
    }

    /// The same beside courier's statements, which hold back what comes.
    pub(in crate::app) fn beside(self, lists: Vec<CouriersList>) -> Self {
        Self { lists, ..self }
    }

    /// The courier's statements that have an order.
    pub(in crate::app) fn listed(&self, number: &str) -> impl Iterator<Item = Listing> {
        self.lists.iter().filter_map(move |list| list.listing(number))
    }

    /// The courier's lists that were dropped.
    pub(in crate::app) fn lists(&self) -> &[CouriersList] {
        &self.lists
    }
}

impl App {
    /// The folder of the local page, beside the ledger's real place.
    pub(in crate::app) fn desk_folder(&self) -> PathBuf {
        desk_folder(self.config.ledger())
    }

    /// The holds of open sheets, but for one of them, whose own are asked separately.
    pub(in crate::app) fn keepers(&self, but: Option<&str>) -> Result<Keepers> {
        let Some(ledger) = self.ledger_there()? else { return Ok(Keepers::default()) };
        let mut records = ledger.draft_holds(but)?;
        if but.is_some() {
            // How another sheet has its orders, a person looked at: what counts is what somebody said there.
            records.retain(|own| own.kind == DraftHoldKind::Word);
        }
        Ok(Keepers::of(records))
    }

    /// How far the ledger is, but for what is said of one draft, which is checked beside it.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn ledger_mark(&self, draft: &str) -> Result<LedgerMark> {
        let Some(ledger) = self.ledger_there()? else { return Ok(LedgerMark::default()) };
        LedgerMark::of(&ledger, draft)
    }

    /// The same where nothing that happened since `before` concerns the draft, so that it need not be checked again: at most, orders
    /// were sent or answered of which it `has` none. If one of them is of the same parcel as one of the draft, the plan says so before
    /// anything goes.
    ///
    /// # Errors
    /// The ledger cannot be read.
    pub fn ledger_mark_since(
        &self,
        draft: &str,
        before: &LedgerMark,
        has: impl FnOnce(&[String]) -> bool,
    ) -> Result<Option<LedgerMark>> {
        let Some(ledger) = self.ledger_there()? else { return Ok(None) };
        let now = LedgerMark::of(&ledger, draft)?;
        let is_new = now != *before
            && (now.others != before.others || ledger.sent_since(&before.progress)?.is_none_or(|sent| has(&sent)));
        Ok((!is_new).then_some(now))
    }

    /// Every draft but one, with how often something was said of it.
    pub(in crate::app) fn other_drafts(&self, but: Option<&str>) -> Result<BTreeMap<String, u64>> {
        let Some(ledger) = self.ledger_there()? else { return Ok(BTreeMap::new()) };
        Ok(others(ledger.draft_revisions()?, but))
    }
}

fn others(mut drafts: BTreeMap<String, u64>, but: Option<&str>) -> BTreeMap<String, u64> {
    drafts.retain(|id, _| Some(id.as_str()) != but);
    drafts
}
