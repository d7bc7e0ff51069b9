//! The statement's rows of one order. Pure.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::ledger::KnownOrder;
use crate::text::{bare_awb, spellings};

use super::comparison::Difference;
use super::statement::{Entry, Waybill};

/// A statement's rows by order.
#[derive(Default)]
pub(super) struct Groups<'s> {
    /// By the ledger's order number; a row with an AWB of the ledger is of the order that has it, whatever its own number.
    pub(super) by_number: BTreeMap<&'s str, Group<'s>>,
    /// By order number as the rows have it.
    pub(super) written: BTreeMap<&'s str, Group<'s>>,
    /// Rows without an order number, with an AWB that the ledger does not know.
    pub(super) nameless: Vec<&'s Entry>,
    /// Rows that have an AWB of the ledger under a number that is no spelling of its order's.
    pub(super) renamed: Vec<&'s Entry>,
}

impl<'s> Groups<'s> {
    pub(super) fn of(ours: &'s [KnownOrder], statement: &'s [Entry]) -> Self {
        let numbers: HashSet<&str> = ours.iter().map(|order| order.number.as_str()).collect();
        let by_awb: HashMap<String, &str> =
            ours.iter().filter_map(|order| Some((bare_awb(order.awb.as_deref()?), order.number.as_str()))).collect();
        let mut groups = Self::default();
        for entry in statement {
            let written = entry.order.as_str();
            let holder = match &entry.awb {
                Waybill::Is(awb) => by_awb.get(&bare_awb(awb)).copied(),
                Waybill::Blank | Waybill::Unbelievable(_) => None,
            };
            if !written.is_empty() {
                groups.written.entry(written).or_default().add(entry);
            }
            let number = match (written, holder) {
                ("", None) if entry.is_cancelled() => continue,
                ("", None) => {
                    groups.nameless.push(entry);
                    continue;
                }
                (_, Some(own)) if !numbers.contains(written) => {
                    if !written.is_empty() && !are_alike(written, own) {
                        groups.renamed.push(entry);
                    }
                    own
                }
                _ => written,
            };
            groups.by_number.entry(number).or_default().add(entry);
        }
        groups
    }
}

/// Whether two numbers may be spellings of one.
pub(super) fn are_alike(one: &str, other: &str) -> bool {
    spellings(one).any(|own| spellings(other).any(|its| its == own))
}

/// The statement's rows of one order.
#[derive(Default)]
pub(super) struct Group<'s> {
    pub(super) entries: Vec<&'s Entry>,
    /// Distinct AWBs of shipments that were not cancelled.
    pub(super) awbs: Vec<&'s str>,
    pub(super) cancelled: Vec<&'s str>,
    pub(super) unbelievable: Option<&'s str>,
    blank: bool,
}

impl<'s> Group<'s> {
    pub(super) fn add(&mut self, entry: &'s Entry) {
        self.entries.push(entry);
        match &entry.awb {
            Waybill::Is(awb) => {
                let list = if entry.is_cancelled() { &mut self.cancelled } else { &mut self.awbs };
                if !list.iter().any(|own| bare_awb(own) == bare_awb(awb)) {
                    list.push(awb);
                }
            }
            Waybill::Blank if entry.is_cancelled() => {}
            Waybill::Blank => self.blank = true,
            Waybill::Unbelievable(text) => self.unbelievable = Some(text),
        }
    }

    /// Its rows that are of no cancelled shipment.
    pub(super) fn live(&self) -> impl Iterator<Item = &'s Entry> {
        self.entries.iter().copied().filter(|entry| !entry.is_cancelled())
    }

    /// Whether the courier has it, whatever its AWB.
    pub(super) fn is_live(&self) -> bool {
        self.live().next().is_some()
    }

    /// What its rows say of it.
    pub(super) fn says(&self) -> String {
        let says = self.entries.iter().map(|entry| format!("{} {}", entry.awb.as_found(), entry.status));
        says.collect::<BTreeSet<String>>().into_iter().collect::<Vec<String>>().join("\n")
    }

    /// Its first row.
    pub(super) fn first_row(&self) -> u32 {
        self.entries.first().map_or(0, |entry| entry.row)
    }

    /// The one AWB that every row names.
    pub(super) const fn only_awb(&self) -> Option<&'s str> {
        match self.awbs.as_slice() {
            [awb] if !self.blank && self.unbelievable.is_none() => Some(awb),
            _ => None,
        }
    }

    pub(super) fn difference(
        &self,
        order: Option<&str>,
        ours: Option<&KnownOrder>,
        note: impl Into<String>,
    ) -> Difference {
        Difference {
            order: order.map(str::to_owned),
            state: ours.map(|ours| ours.state.as_str()),
            awb: ours.and_then(|ours| ours.awb.clone()),
            statement_awbs: self.awbs.iter().chain(&self.cancelled).map(|awb| (*awb).to_owned()).collect(),
            rows: self.entries.iter().map(|entry| entry.row).collect(),
            note: note.into(),
            remedy: None,
        }
    }
}
