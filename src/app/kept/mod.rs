//! What keeps orders from being sent: the word on a sheet that is open, what such a sheet has otherwise by now, and the
//! courier's list. Every way that sends asks here, and once more when its run is recorded.

mod digest;
mod gate;
mod list;
mod look;

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::path::PathBuf;

use crate::ledger::{RunId, desk_folder};
use crate::settle::spelling;

use super::connect::App;
use super::keeper::Keeper;

pub use list::LIST_FOLDER;

pub(in crate::app) use digest::digest;
pub(in crate::app) use gate::KeptGate;
pub(in crate::app) use list::CouriersList;
pub(in crate::app) use look::{Look, OfDraft};

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
    pub(in crate::app) by: Keeper,
    /// What its request is made of there.
    pub(in crate::app) digest: Option<[u8; 32]>,
}

/// All that keeps orders back at a moment.
#[derive(Debug, Default)]
pub(in crate::app) struct Keepers {
    mark: u64,
    unread: Option<Keeper>,
    /// By their numbers, however they are spelled: orders that the clerk holds or leaves out.
    words: HashMap<String, Keeper>,
    /// Orders that the ledger has still to send, and that stand otherwise in a sheet that is open, or went as another there.
    left: HashMap<String, Left>,
    /// The courier's lists that were not set aside yet.
    lists: Vec<CouriersList>,
}

impl Keepers {
    /// Who keeps an order back.
    pub(in crate::app) fn keeps(&self, number: &str) -> Option<Keeper> {
        let spelled = spelling(number);
        let by_list = || self.lists.iter().find(|list| list.has(&spelled)).map(CouriersList::keeper);
        let by_word = || self.words.get(&spelled).cloned();
        let left = || self.left.get(number).map(|left| left.by.clone());
        by_word().or_else(by_list).or_else(left).or_else(|| self.unread.clone())
    }

    /// Of these orders those that are kept back, by who keeps them.
    pub(in crate::app) fn of<'n>(&self, numbers: impl Iterator<Item = &'n String>) -> Vec<Kept> {
        let mut all: Vec<Kept> = Vec::new();
        for number in numbers {
            let Some(mut by) = self.keeps(number) else { continue };
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

    /// What cannot be read, so that nobody knows what it keeps back.
    pub(in crate::app) const fn unread(&self) -> Option<&Keeper> {
        self.unread.as_ref()
    }
}

impl App {
    /// The folder of the local page, beside the ledger's real place.
    pub(in crate::app) fn desk_folder(&self) -> PathBuf {
        desk_folder(self.config.ledger())
    }

    /// What keeps orders back at this moment, but for one draft, whose own word is asked by itself. `unsent` are orders that
    /// the ledger would send, each with its runs.
    pub(in crate::app) fn keepers(&self, but: Option<&str>, unsent: BTreeMap<String, Vec<RunId>>) -> Keepers {
        let mark = self.keepers_mark(but);
        let (words, mut unread) = self.words_of_drafts(but);
        let words = words.into_iter().map(|(number, by)| (spelling(&number), by)).collect();
        let left = self.left_to_drafts(unsent).into_iter().map(|left| (left.number.clone(), left)).collect();
        let lists = self.couriers_lists().unwrap_or_else(|keeper| {
            unread = unread.take().or(Some(keeper));
            Vec::new()
        });
        Keepers { mark, unread, words, left, lists }
    }

    /// What tells all that keeps orders back from what it was before, but for one draft.
    #[must_use]
    pub fn keepers_mark(&self, but: Option<&str>) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (id, revision) in self.draft_revisions().into_iter().filter(|(id, _)| Some(id.as_str()) != but) {
            (id, revision).hash(&mut hasher);
        }
        let lists = self.couriers_list_files().map_err(|keeper| keeper.because());
        for path in lists.iter().flatten() {
            let stamp = path.metadata().ok().map(|metadata| (metadata.len(), metadata.modified().ok()));
            (path, stamp).hash(&mut hasher);
        }
        lists.hash(&mut hasher);
        hasher.finish()
    }
}
