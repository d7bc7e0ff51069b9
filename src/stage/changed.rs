//! What a sheet says of a booked order that is not as it was booked.

use serde_json::Value;

use crate::field::{Field, Id, Kind, Level};
use crate::finding::Finding;
use crate::finding::order::changed_after_booking;
use crate::ledger::Successor;
use crate::text::{at_least_two_decimals, moment};

use super::parcel::Parcel;

/// So many changes are told one by one.
const TOLD_MAX: usize = 4;

/// A longer value is not shown.
const SHOWN_CHARACTERS_MAX: usize = 40;

/// Where the products are.
const LINES: &str = "productRequestsList";

/// Parts of a request that name people and places, or may do so: their values are not shown.
const PERSONAL: [&str; 7] = ["receiver", "destination", "sender", "origin", "returnAddress", "sellerNote", "tags"];

/// What changes nothing of the parcel that is on its way.
const NOTES: [Id; 6] = [Id::SellerNote, Id::Tags, Id::ChannelId, Id::ShipmentType, Id::Carrier, Id::Service];

/// A value of a booked order that is another one in its sheet by now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChange {
    /// The field's header; nothing for the number of products.
    pub field: Option<&'static str>,
    /// The product that it is of, counted from 1, where there are several.
    pub product: Option<usize>,
    /// As it was booked; may be empty.
    pub was: String,
    /// As the sheet has it now; may be empty.
    pub is: String,
}

/// One value that is another one now.
#[derive(Debug)]
pub(super) struct Change {
    path: String,
    /// The line that it is of, counted from 0.
    line: Option<usize>,
    was: Value,
    is: Value,
}

impl Change {
    fn field(&self) -> Option<&'static Field> {
        Field::by_path(&self.path)
    }

    /// The cell that it is of, where that stands in the first row of its order.
    pub(super) fn first_cell(&self) -> Option<&'static Field> {
        self.field().filter(|_| self.line.is_none_or(|line| line == 0))
    }

    /// Whether it is a change whatever holds its order: none of the order's amounts, and of no field that has a fault.
    pub(super) fn is_beside(&self, problems: &[Finding]) -> bool {
        let is_amount =
            |field: &Field| field.level == Level::Order && matches!(field.kind, Kind::Money | Kind::MoneyText);
        let is_faulty = |field: &Field| problems.iter().any(|own| own.holds() && own.is_on(field.path));
        self.field().is_some_and(|field| !is_amount(field) && !is_faulty(field))
    }

    fn told(&self, several: bool) -> Finding {
        let (was, is) = shown(&self.path, &self.was).zip(shown(&self.path, &self.is)).unzip();
        if self.path == LINES {
            return changed_after_booking::products(was, is);
        }
        let name = self.field().map_or(self.path.as_str(), |field| field.header);
        let product = self.line.filter(|_| several).map(|line| line + 1);
        changed_after_booking::value(name, product, was, is)
    }
}

/// A value as it is shown to whoever runs the program; none of those that are somebody's.
fn shown(path: &str, value: &Value) -> Option<String> {
    let is_personal = PERSONAL.iter().any(|part| path.split('.').next() == Some(part));
    if is_personal || Field::by_path(path).is_some_and(|field| field.id == Id::OrderCreatedAt) {
        return None;
    }
    let text = match value {
        Value::String(text) if !text.is_empty() => format!("\"{text}\""),
        Value::String(_) | Value::Null => "blank".to_owned(),
        other => plain(path, other),
    };
    (text.chars().count() <= SHOWN_CHARACTERS_MAX).then_some(text)
}

/// A value as its sheet would have it.
fn plain(path: &str, value: &Value) -> String {
    let field = Field::by_path(path);
    match value {
        // Requests have moments in milliseconds.
        Value::String(text) if field.is_some_and(|field| field.id == Id::OrderCreatedAt) => {
            text.parse().map_or_else(|_| text.clone(), moment)
        }
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Number(number) => {
            let number = number.to_string();
            let money = field.is_some_and(|field| matches!(field.kind, Kind::Money | Kind::MoneyText));
            let amount = number.parse().ok().filter(|_| money).map(at_least_two_decimals);
            amount.map_or(number, |amount| amount.to_string())
        }
        other => other.to_string(),
    }
}

/// What two requests of one order differ by; none where either cannot be read.
pub(super) fn changes(before: &[u8], now: &[u8]) -> Option<Vec<Change>> {
    let before = serde_json::from_slice::<Value>(before).ok()?;
    let now = serde_json::from_slice::<Value>(now).ok()?;
    let mut found = Vec::new();
    compare("", None, &before, &now, &mut found);
    Some(found)
}

fn compare(path: &str, line: Option<usize>, was: &Value, is: &Value, found: &mut Vec<Change>) {
    match (was, is) {
        (Value::Object(before), Value::Object(now)) => {
            let names = now.keys().chain(before.keys().filter(|name| !now.contains_key(*name)));
            for name in names {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                let of = |object: &serde_json::Map<String, Value>| object.get(name).cloned().unwrap_or_default();
                compare(&path, line, &of(before), &of(now), found);
            }
        }
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            for (index, (was, is)) in before.iter().zip(now).enumerate() {
                compare(path, Some(index), was, is, found);
            }
        }
        (Value::Array(before), Value::Array(now)) => {
            let (was, is) = (before.len().into(), now.len().into());
            found.push(Change { path: path.to_owned(), line: None, was, is });
        }
        // What is empty may be left out.
        _ if was == is || [was, is].iter().all(|value| value.is_null() || value.as_str() == Some("")) => {}
        _ => found.push(Change { path: path.to_owned(), line, was: was.clone(), is: is.clone() }),
    }
}

/// What the request `now` is to the request `before` under the same number; it takes its place where either cannot be read.
pub(super) fn successor(before: &[u8], now: &[u8]) -> Successor {
    let Some((before, now)) = Parcel::of_request(before).zip(Parcel::of_request(now)) else { return Successor::Same };
    if before.is_for_another(&now) {
        return Successor::OtherReceiver;
    }
    let (was, is) = (before.product_count(), now.product_count());
    if is < was { Successor::FewerProducts(was, is) } else { Successor::Same }
}

/// Whether all that changed, if anything, is what is said of an order beside its parcel.
pub(super) fn is_of_notes(changes: &[Change]) -> bool {
    changes.iter().all(|own| own.field().is_some_and(|field| NOTES.contains(&field.id)))
}

/// The changes, with the values that only the clerk of the sheet is shown.
pub(super) fn values(changes: &[Change]) -> Vec<FieldChange> {
    let several = is_of_several(changes);
    let value = |own: &Change| FieldChange {
        field: own.field().map(|field| field.header),
        product: own.line.filter(|_| several).map(|line| line + 1),
        was: plain(&own.path, &own.was),
        is: plain(&own.path, &own.is),
    };
    changes.iter().map(value).collect()
}

/// Whether they are of several products.
fn is_of_several(changes: &[Change]) -> bool {
    changes.iter().any(|change| change.line.is_some_and(|line| line > 0))
}

/// What changed, in words: `Price (499.00 then, 450.00 now) and Receiver Phone`.
pub(super) fn told(changes: &[Change]) -> Vec<Finding> {
    let several = is_of_several(changes);
    let mut named: Vec<Finding> = changes.iter().take(TOLD_MAX).map(|change| change.told(several)).collect();
    if let Some(more) = changes.len().checked_sub(TOLD_MAX).filter(|more| *more > 0) {
        named.push(changed_after_booking::more(more));
    }
    named
}

/// What is said of a booked order of which the sheet says something else.
pub(super) fn changed(number: &str, awb: &str, changes: &[Change]) -> Finding {
    let of_notes = !changes.is_empty() && is_of_notes(changes);
    let said = if of_notes { changed_after_booking::notes } else { changed_after_booking::order };
    let said = said(awb, told(changes)).of_order(number);
    if let Some(field) = changes.first().and_then(Change::first_cell) { said.on_field(field.path) } else { said }
}
