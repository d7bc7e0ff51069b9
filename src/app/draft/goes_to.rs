//! Who gets orders of a draft, as their requests would have it.

use std::collections::BTreeMap;

use crate::app::error::Result;
use crate::app::reading::Reading;
use crate::event::Stream;
use crate::finding::Finding;
use crate::ledger::LedgerError;
use crate::stage::{Frozen, Sink, gather_surveyed};

use super::Draft;

/// Who gets an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoesTo {
    /// The whole name.
    pub name: String,
    /// The phone number.
    pub phone: String,
    /// The lines of the address.
    pub street: String,
    /// The city.
    pub city: String,
    /// The state; may be empty.
    pub state: String,
    /// The postal code.
    pub pin_code: String,
}

impl Draft {
    /// Who gets each of these orders, by their numbers; nothing of one of which no request can be formed as it stands.
    ///
    /// # Errors
    /// The sheet can no longer be read.
    pub fn goes_to<'n>(&self, numbers: impl Iterator<Item = &'n str>) -> Result<BTreeMap<String, GoesTo>> {
        let mut found = Found::default();
        let Some((open, judged)) = self.open.as_ref().and_then(|open| Some((open, open.judged.as_ref()?))) else {
            return Ok(found.0);
        };
        let entries = numbers.filter_map(|number| judged.checked.entry(number)).filter(|entry| entry.formed.is_some());
        let part = judged.surveyed.part_of(entries.flat_map(|entry| entry.rows.iter().copied()));
        let Reading { opened, rules, .. } = &open.reading;
        let (what, events) = ((&judged.surveyed, Some(&part)), &mut Stream::silent());
        gather_surveyed(opened, rules, what, &mut found, (&mut |_| {}, &mut |_, _, _| {}), events)?;
        Ok(found.0)
    }
}

/// Keeps who gets the orders that come by.
#[derive(Default)]
struct Found(BTreeMap<String, GoesTo>);

impl Sink for Found {
    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, LedgerError> {
        let (who, to) = (&frozen.order.receiver, &frozen.order.destination);
        let joined = |parts: [&str; 2], between: &str| {
            parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(between)
        };
        let goes_to = GoesTo {
            name: joined([&who.first_name, &who.last_name], " "),
            phone: who.phone.to_string(),
            street: joined([&to.line1, &to.line2], ", "),
            city: to.city.to_string(),
            state: to.state.to_string(),
            pin_code: to.pin_code.to_string(),
        };
        self.0.insert(frozen.order.number.to_string(), goes_to);
        Ok(Vec::new())
    }
}
