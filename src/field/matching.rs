//! From a header's text to the field it means.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::table::{FIELDS, Field};

/// How a header names its field; the better way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// By its API path.
    Path,
    /// By the friendly header of the template.
    Header,
    /// By another name; the number is its place in the list.
    Alias(usize),
}

/// A header's field.
#[derive(Debug, Clone, Copy)]
pub struct Match {
    /// The field.
    pub field: &'static Field,
    /// How it was named.
    pub rank: Rank,
}

static BY_NAME: LazyLock<HashMap<String, Match>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for field in FIELDS {
        let aliases = field.aliases.iter().enumerate().map(|(index, alias)| (*alias, Rank::Alias(index)));
        let named = [(field.path, Rank::Path), (field.header, Rank::Header)].into_iter().chain(aliases);
        for (name, rank) in named {
            let known = names.entry(normalised(name)).or_insert(Match { field, rank });
            if rank < known.rank {
                *known = Match { field, rank };
            }
        }
    }
    names
});

/// The field that a header means, whatever its case, spaces and punctuation.
#[must_use]
pub fn match_header(header: &str) -> Option<Match> {
    BY_NAME.get(&normalised(header)).copied()
}

/// A header without case, spaces and punctuation: `*Order No.` is `orderno`.
#[must_use]
pub fn normalised(header: &str) -> String {
    header.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Id;

    #[test]
    fn every_name_means_one_field() {
        for field in FIELDS {
            for name in [field.path, field.header].iter().chain(field.aliases) {
                let found = match_header(name).map(|found| found.field.id);
                assert_eq!(found, Some(field.id), "`{name}`");
            }
        }
    }

    #[test]
    fn ids_are_places_in_the_table() {
        for (index, field) in FIELDS.iter().enumerate() {
            assert_eq!(field.id as usize, index);
            assert_eq!(field.id.field().path, field.path);
        }
    }

    #[test]
    fn punctuation_and_case_do_not_matter() {
        for header in ["*Sale Order Number", "ORDER_NUMBER", " order-number ", "orderNumber", "Order No."] {
            assert_eq!(match_header(header).map(|found| found.field.id), Some(Id::OrderNumber), "`{header}`");
        }
        assert_eq!(match_header("parcelattributes.WEIGHT.weight").map(|found| found.field.id), Some(Id::Weight));
        assert!(match_header("Favourite colour").is_none());
        assert!(match_header("").is_none());
    }
}
