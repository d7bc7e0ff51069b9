//! What comparing the ledger with a statement comes to: four lists, and what is proven.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

/// An order on which both books say the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Agreed {
    /// The order number.
    pub order: String,
    /// The air waybill number.
    pub awb: String,
    /// Whether the statement says that it was cancelled since.
    pub cancelled: bool,
}

/// An order on which the books differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Difference {
    /// The order number; null where a row of the statement has none.
    pub order: Option<String>,
    /// Where it stands in the ledger; null where it is not there.
    pub state: Option<&'static str>,
    /// Its air waybill number in the ledger.
    pub awb: Option<String>,
    /// Its air waybill numbers in the statement.
    pub statement_awbs: Vec<String>,
    /// Its rows in the statement, counted from 1.
    pub rows: Vec<u32>,
    /// Its meaning, in English.
    pub note: String,
    /// What a person's yes does about it, where anything can be done here.
    #[serde(skip)]
    pub remedy: Option<ListRemedy>,
}

/// What is done about an order that is not booked here, and yet there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListRemedy {
    /// It was sent from here, and the statement has one AWB for it that nothing else has: that is recorded.
    Record(Proven),
    /// It is given up, so that it is not sent from here as well.
    GiveUp,
}

/// An order in doubt that stands in the statement exactly once, with an AWB that nothing else has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Proven {
    /// The order number.
    pub order: String,
    /// The air waybill number in the statement.
    pub awb: String,
    /// Its first row in the statement, counted from 1.
    pub row: u32,
}

/// What a comparison came to. Every order of the scope and every booking of the statement stands in one list at most;
/// orders that were never booked on either side stand in none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Comparison {
    /// Booked here and there with one air waybill number.
    pub agree: Vec<Agreed>,
    /// Booked or in doubt here, and not in the statement.
    pub only_ours: Vec<Difference>,
    /// Booked there, and not known as booked here.
    pub only_theirs: Vec<Difference>,
    /// One order with two air waybill numbers.
    pub twice: Vec<Difference>,
    /// In doubt here, and proven by the statement.
    pub proven: Vec<Proven>,
    /// In doubt here, sent at a time of which the statement has every booking, and not in it: a person may take them for not
    /// booked.
    pub absent: Vec<String>,
    /// Booked here, and sent outside of that time: the statement says nothing of them.
    pub outside: u64,
    /// What the courier has by the statement, whatever its AWB, and was not sent from here as far as is known: by its number
    /// there, with what its rows say.
    #[serde(skip)]
    pub there: BTreeMap<String, String>,
}

impl Comparison {
    /// What a yes records as booked: orders in doubt that are proven, and those that were not booked by what was known here.
    pub fn to_record(&self) -> impl Iterator<Item = &Proven> {
        self.proven.iter().chain(self.remedies().filter_map(|(_, remedy)| match remedy {
            ListRemedy::Record(proven) => Some(proven),
            ListRemedy::GiveUp => None,
        }))
    }

    /// What a yes gives up, so that it is not sent as well: orders that the statement has, and no AWB that could be recorded.
    pub fn to_give_up(&self) -> impl Iterator<Item = &Difference> {
        self.remedies().filter(|(_, remedy)| **remedy == ListRemedy::GiveUp).map(|(difference, _)| difference)
    }

    fn remedies(&self) -> impl Iterator<Item = (&Difference, &ListRemedy)> {
        let differences = self.only_theirs.iter().chain(&self.twice);
        differences.filter_map(|difference| Some((difference, difference.remedy.as_ref()?)))
    }

    /// Calls no order absent, for that reason.
    pub fn withdraw_absent(&mut self, why: &str) {
        let absent = std::mem::take(&mut self.absent);
        for own in &mut self.only_ours {
            if own.order.as_ref().is_some_and(|order| absent.contains(order)) {
                own.note = format!("in doubt, and the statement does not have it; {why}");
            }
        }
    }

    /// Whether nothing is left that a person would have to look at.
    pub const fn is_clean(&self) -> bool {
        self.only_ours.is_empty() && self.only_theirs.is_empty() && self.twice.is_empty()
    }
}
