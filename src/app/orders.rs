//! Orders as a person looks for them: the newest first, or by number, AWB, the first or last digits of a phone, or a name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ledger::{CANCELLED, Ledger, Listed, State};

use super::connect::App;
use super::error::Result;

/// Orders whose names and phones are looked at; older ones are found by number and AWB.
pub const REQUESTS_SEARCHED: usize = 50_000;
/// Fewer digits are no phone number.
const PHONE_DIGITS_MIN: usize = 4;
/// Digits of a phone without its country's code.
const PHONE_DIGITS: usize = 10;

/// Which orders to list.
#[derive(Debug, Clone, Copy, Default)]
pub struct OrderQuery<'q> {
    /// What they are looked for by; nothing lists all.
    pub text: &'q str,
    /// Only orders in this state, as [`STATES`](super::STATES) names it.
    pub state: Option<&'q str>,
    /// Only orders that came before this one, by its [place](OrderEntry::place).
    pub before: Option<i64>,
    /// So many at most.
    pub limit: usize,
}

/// An order of a list.
#[derive(Debug, Clone)]
pub struct OrderEntry {
    /// Its place in the ledger; a later order has a greater one.
    pub place: i64,
    /// The order number.
    pub number: String,
    /// The service, by its key.
    pub service: String,
    /// Where it stands.
    pub state: String,
    /// Its AWB, if it is booked.
    pub awb: Option<String>,
    /// The carrier, if it is booked.
    pub carrier: Option<String>,
    /// What the service, or the network, said of it last.
    pub error: Option<String>,
    /// The run that it was last in.
    pub run: Option<i64>,
    /// When it was staged, epoch milliseconds.
    pub staged_ms: i64,
    /// Whether its shipment was cancelled.
    pub is_cancelled: bool,
    /// Who gets it, and where.
    pub receiver: Receiver,
}

/// The person who gets an order, and where, as its request says it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Receiver {
    /// The name.
    pub name: String,
    /// The phone number.
    pub phone: String,
    /// The city.
    pub city: String,
    /// The PIN code.
    pub pin_code: String,
}

/// Orders that were found.
#[derive(Debug, Clone, Default)]
pub struct OrdersFound {
    /// The orders.
    pub orders: Vec<OrderEntry>,
    /// Whether there are more.
    pub is_more: bool,
    /// Whether orders were left out whose name or phone may be meant, because they are too old to be looked through.
    pub is_partial: bool,
}

#[derive(Deserialize)]
struct Body {
    #[serde(default)]
    receiver: Person,
    #[serde(default)]
    destination: Place,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Person {
    first_name: String,
    last_name: String,
    phone_number: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Place {
    city: String,
    pin_code: String,
}

impl Receiver {
    /// From the bytes of a request; nothing is known of those that say it in another way.
    pub(super) fn of(body: &[u8]) -> Self {
        let Ok(Body { receiver, destination }) = serde_json::from_slice(body) else { return Self::default() };
        let name = format!("{} {}", receiver.first_name, receiver.last_name).trim().to_owned();
        Self { name, phone: receiver.phone_number, city: destination.city, pin_code: destination.pin_code }
    }
}

impl OrderEntry {
    /// Whether nobody knows what became of it; what a killed run left on its way is in doubt.
    fn of(listed: Listed, running: bool) -> Self {
        let killed = listed.state == State::Sending.as_str() && !running;
        let state = if killed { State::InDoubt.as_str().to_owned() } else { listed.state };
        Self {
            place: listed.place,
            number: listed.number,
            service: listed.service,
            state,
            awb: listed.awb,
            carrier: listed.carrier,
            error: listed.error,
            run: listed.run,
            staged_ms: listed.staged_ms,
            is_cancelled: listed.is_cancelled,
            receiver: Receiver::of(&listed.body),
        }
    }

    fn has(&self, text: &str) -> bool {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let is_phone = text.chars().all(|c| c.is_ascii_digit() || " -+()".contains(c));
        if is_phone && digits.len() >= PHONE_DIGITS_MIN {
            let phone: String = self.receiver.phone.chars().filter(char::is_ascii_digit).collect();
            // People read it from the front, with or without the country's code.
            let own = &phone[phone.len().saturating_sub(PHONE_DIGITS)..];
            if digits.len() > PHONE_DIGITS && digits.ends_with(own) && own.len() == PHONE_DIGITS {
                return true;
            }
            if phone.ends_with(&digits) || phone.starts_with(&digits) || own.starts_with(&digits) {
                return true;
            }
        }
        let words = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        words(&self.receiver.name).contains(&words(text))
    }
}

impl App {
    /// Orders of the ledger, the newest first; with a text, those whose number, AWB, phone or name it is.
    ///
    /// # Errors
    /// A ledger that cannot be read.
    pub fn find_orders(&self, ledger: &Ledger, query: &OrderQuery<'_>) -> Result<OrdersFound> {
        let running = self.is_running();
        let text = query.text.trim();
        let states = states(query.state, running);
        let mut found = OrdersFound::default();
        if !text.is_empty() {
            let named = ledger.listed_by_name(text, query.limit + 1)?;
            let is_meant = |listed: &Listed| listed.is_cancelled || query.state != Some(CANCELLED);
            let is_wanted = |own: &Listed| is_meant(own) && (states.is_empty() || states.contains(&own.state.as_str()));
            found.orders = named.into_iter().filter(is_wanted).map(|listed| OrderEntry::of(listed, running)).collect();
        }
        let (mut looked_at, mut is_partial) = (0, false);
        let is_cancelled = query.state == Some(CANCELLED);
        ledger.for_each_listed(query.before, (&states, is_cancelled), &mut |listed| {
            looked_at += 1;
            if !text.is_empty() && looked_at > REQUESTS_SEARCHED {
                is_partial = true;
                return false;
            }
            let entry = OrderEntry::of(listed, running);
            if text.is_empty() || (entry.has(text) && !found.orders.iter().any(|known| known.place == entry.place)) {
                found.orders.push(entry);
            }
            found.orders.len() <= query.limit
        })?;
        (found.is_more, found.is_partial) = (found.orders.len() > query.limit, is_partial);
        found.orders.truncate(query.limit);
        Ok(found)
    }
}

/// The ledger's own states of a state in the words of results.
fn states(state: Option<&str>, running: bool) -> Vec<&str> {
    match state {
        None => Vec::new(),
        Some("outstanding") if running => vec!["staged", "sending", "waiting"],
        Some("outstanding") => vec!["staged", "waiting"],
        Some("in_doubt") if !running => vec!["in_doubt", "sending"],
        Some("failed") => vec!["rejected", "refused"],
        Some(CANCELLED) => vec!["booked"],
        Some(state) => vec![state],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_found_by_phone_and_name() {
        let body =
            br#"{"orderNumber":"A-1","receiver":{"firstName":"Asha","lastName":"Rao","phoneNumber":"+91 98765-43210"},
            "destination":{"city":"Pune","pinCode":"411004"}}"#;
        let receiver = Receiver::of(body);
        assert_eq!((receiver.name.as_str(), receiver.pin_code.as_str()), ("Asha Rao", "411004"));
        let entry = OrderEntry {
            place: 1,
            number: "A-1".into(),
            service: String::new(),
            state: "booked".into(),
            awb: None,
            carrier: None,
            error: None,
            run: None,
            staged_ms: 0,
            is_cancelled: false,
            receiver,
        };
        for text in
            ["43210", "3210", "9876543210", "765 43210", "98765", "98 765", "+91 98765", "asha", "RAO", "asha r"]
                .into_iter()
                .chain(["919876543210", "098765 43210", "asha   rao"])
        {
            assert!(entry.has(text), "{text}");
        }
        let bare = Receiver { phone: "9876543210".into(), ..entry.receiver.clone() };
        assert!(OrderEntry { receiver: bare, ..entry.clone() }.has("+91 98765-43210"));
        for text in ["210", "43211", "ravi", "x43210"] {
            assert!(!entry.has(text), "{text}");
        }
        assert_eq!(Receiver::of(b"no json"), Receiver::default());
    }
}
