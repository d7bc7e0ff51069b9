//! Fields that the service's words name by their paths, called as people know them: by the sheet's own headers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::column::Columns;
use crate::field::{FIELDS, Field};

/// The headers of a sheet by the paths of the fields that they feed; a field without one has the name of the template.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FieldNames(BTreeMap<String, String>);

impl FieldNames {
    /// The headers of these columns.
    pub(super) fn of(columns: &Columns) -> Self {
        let mut names = BTreeMap::new();
        for feed in columns.fed() {
            let headers = columns.sources(feed).into_iter().map(|column| columns.header(column));
            if let Some(header) = headers.into_iter().find(|header| !header.is_empty()) {
                names.entry(feed.field.path.to_owned()).or_insert_with(|| header.to_owned());
            }
        }
        Self(names)
    }

    /// Whether no header is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The name of a field.
    #[must_use]
    pub fn name(&self, field: &Field) -> &str {
        self.0.get(field.path).map_or(field.header, String::as_str)
    }

    /// The service's words with the names of fields in them.
    #[must_use]
    pub fn in_words(&self, said: &str) -> String {
        let mut text = String::with_capacity(said.len());
        let mut rest = said;
        for (path, field) in paths(said) {
            let at = rest.find(path).unwrap_or_default();
            let (before, behind) = (&rest[..at], &rest[at + path.len()..]);
            // A path in quotes needs no second ones.
            let quote = before.chars().next_back().filter(|own| "\"'`".contains(*own) && behind.starts_with(*own));
            let quote = quote.map_or(0, char::len_utf8);
            // A pointer begins with a slash.
            text = text + before[..before.len() - quote].trim_end_matches('/') + "“" + self.name(field) + "”";
            rest = &behind[quote..];
        }
        text + rest
    }
}

/// The fields that the service's words name by their paths.
pub(super) fn named_in(said: &str) -> impl Iterator<Item = &'static Field> {
    paths(said).map(|(_, field)| field)
}

/// Words that look like paths of fields, each with its field, in their order.
fn paths(said: &str) -> impl Iterator<Item = (&str, &'static Field)> {
    let is_of_path = |c: char| c.is_ascii_alphanumeric() || "_.[]/".contains(c);
    let words = said.split(move |c: char| !is_of_path(c)).map(|word| word.trim_matches(['.', '/', '[', ']']));
    words.filter_map(|word| Some((word, field_of(word)?)))
}

/// The field of a path, however the service writes it; of a plain word of the language nothing.
fn field_of(path: &str) -> Option<&'static Field> {
    let letters = |part: &str| part.replace('_', "").to_ascii_lowercase();
    let parts: Vec<&str> = path.split(['.', '/', '[', ']']).collect();
    let is_index = |part: &&str| part.is_empty() || part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = parts.into_iter().filter(|part| !is_index(part)).collect();
    let (last, before) = parts.split_last()?;
    let is_compound = last.contains('_')
        || last.as_bytes().windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    if before.is_empty() && !is_compound {
        return None;
    }
    let ends_so = |field: &&Field| field.path.rsplit('.').next().is_some_and(|own| letters(own) == letters(last));
    let head = before.first().map(|head| letters(head)).unwrap_or_default();
    let has_head = |field: &&Field| field.path.split('.').next().is_some_and(|own| letters(own) == head);
    // A receiver has a destination, and a sender an origin.
    let side = FIELDS.iter().find(has_head).map(Field::is_receivers);
    let mut alike: Vec<&Field> = FIELDS.iter().filter(ends_so).collect();
    alike.sort_by_key(|field| (!has_head(field), side.is_some_and(|side| field.is_receivers() != side)));
    alike.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_called_as_the_columns_are() {
        let own = |path: &str, header: &str| (path.to_owned(), header.to_owned());
        let names =
            FieldNames(BTreeMap::from([own("destination.pinCode", "Pincode"), own("receiver.phoneNumber", "Cell No")]));
        for (said, plain) in [
            ("receiver.pincode is not serviceable.", "“Pincode” is not serviceable."),
            ("\"destination.pinCode\" must be 6 digits", "“Pincode” must be 6 digits"),
            ("/receiver/phone_number: too short, pinCode too", "“Cell No”: too short, “Pincode” too"),
            ("productRequestsList[0].quantity must be positive", "“Quantity” must be positive"),
            ("origin.pinCode and sender.pincode", "“Origin PIN Code” and “Origin PIN Code”"),
            ("PIN code 999001 is not serviceable by any courier", "PIN code 999001 is not serviceable by any courier"),
            ("weight is missing. See https://example.org/v1", "weight is missing. See https://example.org/v1"),
        ] {
            assert_eq!(names.in_words(said), plain);
        }
        let found: Vec<&str> = named_in("receiver.pincode or receiver.phoneNumber").map(|field| field.path).collect();
        assert_eq!(found, ["destination.pinCode", "receiver.phoneNumber"]);
    }
}
