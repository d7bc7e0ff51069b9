//! Keepers of orders: the word on a sheet that is open, and another form of an order in such a sheet. Every way that
//! sends asks here before its run, and once more when nobody else can say anything until that is recorded. Besides, the courier's statements, which hold back what comes.

mod digest;
mod gate;
mod keeping;
mod list;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use crate::ledger::{Ledger, Progress, RunId, desk_folder};
use crate::order::Order;
use crate::text::spellings;

use super::connect::App;
use super::error::Result;
use super::keeper::Keeper;

pub(in crate::app) use digest::digest;
pub(in crate::app) use gate::KeptGate;
pub(in crate::app) use keeping::Keeping;
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

/// Orders that are not sent, with who keeps them; of a sheet without telling a word from a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Who.
    pub by: Keeper,
    /// The orders.
    pub orders: Vec<String>,
}

/// An order that a sheet which is open has otherwise by now.
#[derive(Debug, Clone)]
pub(in crate::app) struct Left {
    pub(in crate::app) number: String,
    pub(in crate::app) keeping: Keeping,
    /// What its request is made of there.
    pub(in crate::app) digest: Option<[u8; 32]>,
    /// Whether the ledger has it just so: nothing but another sheet would send it otherwise.
    pub(in crate::app) is_staged: bool,
}

/// All that keeps orders back at a moment.
#[derive(Debug, Default)]
pub(in crate::app) struct Keepers {
    /// The drafts that were asked, each with how often something was said of it.
    drafts: BTreeMap<String, u64>,
    unread: Vec<Keeper>,
    /// By their numbers, however they are spelled: orders that the clerk holds or leaves out.
    words: HashMap<String, Vec<Keeping>>,
    /// Orders that stand otherwise in a sheet that is open, or went as another there: those that the ledger has still to send,
    /// and those in which somebody typed.
    left: HashMap<String, Left>,
    /// The courier's statements that nobody has forgotten; in the ledger, what they name is held already.
    lists: Vec<CouriersList>,
}

impl Keepers {
    /// All that keeps an order back, but for a sheet that would send it just so: like this order or, where there is none, as the
    /// ledger has it.
    pub(in crate::app) fn all(&self, number: &str, order: Option<&Order>) -> Vec<Keeping> {
        let mut all: Vec<Keeping> = Vec::new();
        if !self.words.is_empty() {
            for own in spellings(number).filter_map(|own| self.words.get(&own)).flatten() {
                if !all.contains(own) {
                    all.push(own.clone());
                }
            }
        }
        let is_otherwise = |left: &&Left| order.map_or(!left.is_staged, |own| left.digest != Some(digest(own)));
        let left = self.left.get(number).filter(is_otherwise);
        // To let a sheet's word go is to let the order go as it stands there.
        let left = left.filter(|left| !all.iter().any(|own| own.by.draft() == left.keeping.by.draft()));
        all.extend(left.map(|left| left.keeping.clone()));
        all.extend(self.unread.iter().map(|by| Keeping { by: by.clone(), on: by.because() }));
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

    /// Who keeps an order back before all others.
    pub(in crate::app) fn keeps(&self, number: &str) -> Option<Keeper> {
        self.all(number, None).into_iter().next().map(|keeping| keeping.by)
    }

    /// The same of an order that is in the ledger and may be known by other numbers: what is held under one of them is kept back as
    /// well. What a sheet has of these is what became of this very order.
    pub(in crate::app) fn keeps_any(&self, number: &str, came_as: Option<&Vec<String>>) -> Option<Keeper> {
        let of_former = |former: &String| spellings(former).find_map(|own| self.words.get(&own)?.first().cloned());
        let former = || came_as.into_iter().flatten().find_map(of_former).map(|keeping| keeping.by);
        self.keeps(number).or_else(former)
    }

    /// Of these orders those that are kept back, by who keeps them; with the other numbers by which each may be known.
    pub(in crate::app) fn of<'n>(
        &self,
        numbers: impl Iterator<Item = &'n String>,
        came_as: &BTreeMap<String, Vec<String>>,
    ) -> Vec<Kept> {
        let mut all: Vec<Kept> = Vec::new();
        for number in numbers {
            let Some(mut by) = self.keeps_any(number, came_as.get(number)) else { continue };
            if let Keeper::Sheet { is_word, .. } = &mut by {
                // In one sheet they are told together.
                *is_word = false;
            }
            match all.iter_mut().find(|kept| kept.by == by) {
                Some(kept) => kept.orders.push(number.clone()),
                None => all.push(Kept { by, orders: vec![number.clone()] }),
            }
        }
        all
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

    /// What keeps orders back at this moment, but for one draft, whose own word is asked by itself. `unsent` are orders that
    /// the ledger would send, each with its runs; they are asked for only where a sheet is open.
    pub(in crate::app) fn keepers(
        &self,
        but: Option<&str>,
        unsent: impl FnOnce() -> Result<BTreeMap<String, Vec<RunId>>>,
    ) -> Result<Keepers> {
        let drafts = self.other_drafts(but)?;
        let mut unread = Vec::new();
        let of_drafts = self.words_of_drafts(but, &mut unread)?;
        let mut words: HashMap<String, Vec<Keeping>> = HashMap::new();
        for (number, keeping) in of_drafts {
            for spelled in spellings(&number) {
                let own = words.entry(spelled).or_default();
                if !own.contains(&keeping) {
                    own.push(keeping.clone());
                }
            }
        }
        let left = self.left_to_drafts(but, unsent)?.into_iter().map(|left| (left.number.clone(), left)).collect();
        Ok(Keepers { drafts, unread, words, left, lists: Vec::new() })
    }

    /// The same once nobody else writes to the ledger: what was said since `before` was looked up is looked up as well.
    pub(in crate::app) fn keepers_by_now(
        &self,
        before: Keepers,
        but: Option<&str>,
        unsent: impl FnOnce() -> Result<BTreeMap<String, Vec<RunId>>>,
    ) -> Result<Keepers> {
        if self.other_drafts(but)? == before.drafts { Ok(before) } else { self.keepers(but, unsent) }
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
