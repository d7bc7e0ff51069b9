//! The ledger's orders by whatever a statement may name them by. Pure.

use std::collections::{HashMap, HashSet};

use crate::ledger::KnownOrder;
use crate::text::{bare_awb, spellings};

use super::group::Groups;
use super::odd_awb::AWB_USUAL_MIN;

/// What helps to read one order against all others.
pub(super) struct Books<'a> {
    pub(super) by_number: HashMap<&'a str, &'a KnownOrder>,
    /// By AWBs without what stands between their characters, as all AWBs are compared.
    pub(super) by_awb: HashMap<String, &'a KnownOrder>,
    /// Spelling without case and punctuation, where it means one order.
    pub(super) by_spelling: HashMap<String, Option<&'a KnownOrder>>,
    /// AWBs that the statement gives to more than one order.
    pub(super) shared: HashSet<String>,
    /// Whether the ledger has AWBs that are unusually short.
    pub(super) has_short: bool,
}

/// These orders, beside the AWBs that the statement's groups have.
pub(super) fn books<'a>(ours: &'a [KnownOrder], groups: &Groups<'a>) -> Books<'a> {
    let mut by_spelling: HashMap<String, Option<&KnownOrder>> = HashMap::new();
    for order in ours {
        for own in spellings(&order.number) {
            by_spelling.entry(own).and_modify(|one| *one = None).or_insert(Some(order));
        }
    }
    let (mut seen, mut shared) = (HashSet::new(), HashSet::new());
    for awb in groups.by_number.values().flat_map(|group| &group.awbs) {
        if let Some(again) = seen.replace(bare_awb(awb)) {
            shared.insert(again);
        }
    }
    Books {
        by_number: ours.iter().map(|order| (order.number.as_str(), order)).collect(),
        by_awb: ours.iter().filter_map(|order| Some((bare_awb(order.awb.as_deref()?), order))).collect(),
        by_spelling,
        shared,
        has_short: ours.iter().filter_map(|order| order.awb.as_ref()).any(|awb| awb.len() < AWB_USUAL_MIN),
    }
}
