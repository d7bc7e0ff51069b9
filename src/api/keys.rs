//! The keys of a request that the service refused: which of them it may call otherwise, as far as its message tells.

use std::fmt;

use super::operation::{Entry, NDR};
use super::said::plain;

/// The keys that a refused request was sent with, and the setting that changes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKeys {
    operation: &'static str,
    sent: String,
    /// The setting for the key that the message names, where it names one.
    pub setting: Option<String>,
}

impl fmt::Display for RequestKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, sent, setting } = self;
        write!(f, "; the keys of the request are {sent}; if this service calls one otherwise, set ")?;
        match setting {
            Some(setting) => write!(f, "{setting} in shipsheet.toml"),
            None => write!(f, "it under [operations.{operation}.request] in shipsheet.toml"),
        }
    }
}

impl RequestKeys {
    /// Of a message that names a key much like one of the request's.
    pub(super) fn named(entry: &Entry, message: &str) -> Option<Box<Self>> {
        let (value, key) = values(entry)?.find_map(|value| Some((value, meant(entry, value, message)?)))?;
        let operation = entry.operation.name;
        let setting = Some(format!("[operations.{operation}.request] {value} = \"{key}\""));
        Some(Box::new(Self { setting, ..Self::of(entry) }))
    }

    /// Of a refusal: also where its message names no key, of an operation that asks with several.
    pub(super) fn of_refusal(entry: &Entry, status: u16, message: &str) -> Option<Box<Self>> {
        let asks = matches!(status, 400 | 422) && entry.only_reads();
        let general = || (asks && values(entry)?.count() > 1).then(|| Box::new(Self::of(entry)));
        Self::named(entry, message).or_else(general)
    }

    fn of(entry: &Entry) -> Self {
        let pairs = entry.keys().into_iter().map(|(value, key)| format!("{value} = \"{key}\"")).collect::<Vec<_>>();
        Self { operation: entry.operation.name, sent: pairs.join(", "), setting: None }
    }
}

/// The values that go by a key: none where the path names the shipment, unless a body does so as well.
fn values(entry: &Entry) -> Option<impl Iterator<Item = &'static str>> {
    let is_by_path = entry.path.as_deref().is_some_and(|path| path.contains('{')) && entry.operation.name != NDR.name;
    (!is_by_path).then(|| entry.operation.request.iter().map(|(value, _)| *value))
}

/// The key of a message that is much like a value's, and no key of the request.
fn meant(entry: &Entry, value: &str, message: &str) -> Option<String> {
    let names = [plain(value), plain(entry.key(value).rsplit('/').next().unwrap_or_default())];
    let sent: Vec<&str> = entry.keys().into_values().collect();
    let word =
        |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'' | '`' | '\u{201c}' | '\u{201d}'));
    let is_like = |word: &&str| {
        let own = plain(word);
        let near = |name: &String| name.len() >= 3 && (own.contains(name.as_str()) || name.contains(&own));
        own.len() >= 3 && is_identifier(word) && names.iter().any(near)
    };
    let words = message.split(word).map(|word| word.trim_end_matches('.')).filter(is_like);
    let mut keys = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    keys.find(|key| !sent.contains(&key.replace('.', "/").as_str())).map(str::to_owned)
}

/// Whether a word is a name as programs have them: quoted, or of several words in one.
fn is_identifier(word: &str) -> bool {
    let is_hump = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    let is_quoted = !word.starts_with(char::is_alphanumeric) && !word.ends_with(char::is_alphanumeric);
    is_quoted || word.contains(['_', '.']) || word.as_bytes().windows(2).any(is_hump)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::api::operation::{CANCEL_SHIPMENT, Operations, Override, QUOTE, SERVICEABILITY, TRACK};

    #[test]
    fn a_message_names_the_key_that_the_service_wants() {
        let operations = Operations::default();
        for (operation, message, setting) in [
            (&QUOTE, "dead_weight must be a string (HTTP 400)", Some("weight = \"dead_weight\"")),
            (&QUOTE, "property weight should not exist; dead_weight is required", Some("weight = \"dead_weight\"")),
            (&QUOTE, "\"payment\" is required", Some("payment = \"payment\"")),
            (&QUOTE, "parcel.packageWeight is required", Some("weight = \"parcel.packageWeight\"")),
            (&QUOTE, "declaredValue: missing", Some("value = \"declaredValue\"")),
            (&QUOTE, "weight must be a string (HTTP 400)", None),
            (&QUOTE, "no courier from 560048 for this value", None),
            (&SERVICEABILITY, "missing field `originPin`", Some("from = \"originPin\"")),
            (&TRACK, "order_id is required", Some("order_id = \"order_id\"")),
            (&TRACK, "orderId is unknown", None),
            (&CANCEL_SHIPMENT, "order_id is required", None),
        ] {
            let keys = RequestKeys::named(&operations.of(operation), message);
            let wanted = setting.map(|setting| format!("[operations.{}.request] {setting}", operation.name));
            assert_eq!(keys.and_then(|keys| keys.setting), wanted, "{message}");
        }
    }

    #[test]
    fn keys_are_shown_of_what_asks_with_several() {
        let of = |operation, status| {
            RequestKeys::of_refusal(&Operations::default().of(operation), status, "mass is required")
                .map(|keys| keys.to_string())
        };
        let quote = of(&QUOTE, 422).unwrap();
        assert!(quote.contains("weight = \"weight\", width = \"breadth\""), "{quote}");
        assert!(quote.ends_with("set it under [operations.quote.request] in shipsheet.toml"), "{quote}");
        assert_eq!((of(&QUOTE, 404), of(&TRACK, 400), of(&CANCEL_SHIPMENT, 400)), (None, None, None));
        let mut operations = Operations::default();
        let request = BTreeMap::from([("weight".to_owned(), "parcel.dead_weight".to_owned())]);
        operations.set("quote", Override { request, ..Override::default() }).unwrap();
        let quote = operations.of(&QUOTE);
        assert_eq!(RequestKeys::named(&quote, "parcel.dead_weight is too small"), None, "it is sent so");
    }
}
