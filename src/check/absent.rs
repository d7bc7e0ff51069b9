//! Words that stand where a value should be, and are none: `N/A`, `-`, `NaN`.

use crate::field::{Field, Id, Kind};

/// No value whatever the field and the case.
const ALWAYS: &[&str] = &[
    "n/a",
    "n.a.",
    "n.a",
    "#n/a",
    "-",
    "--",
    "---",
    "–",
    "—",
    "?",
    "(null)",
    "<null>",
    "(none)",
    "(blank)",
    "<na>",
    "undefined",
    "nat",
];

/// What programs write for nothing, and what people are called or products coded: by the field and the case.
const AT_TIMES: &[&str] = &["nan", "null", "none", "nil", "na"];

/// Longer than the longest of these words.
const BYTES_MAX: usize = 10;

/// Whether a cell's text only says that there is nothing.
///
/// `Na`, `Nan`, `Null` and `Nil` are names of people and `Nan` is a city: where a name or a place stands, only `N/A`,
/// dashes and the like count, and `nan`, `NaN`, `NAN`, `null`, `NULL`, `none`, `None`, `NONE`, `nil`, `NIL` and `NA` as
/// programs write them. `NA` is the state of Naples and the country Namibia.
#[must_use]
pub fn is_no_value(field: &Field, text: &str) -> bool {
    let suspect = |byte: u8| matches!(byte, b'n' | b'N' | b'-' | b'?' | b'(' | b'<' | b'u' | b'U' | 0xe2);
    if text.len() > BYTES_MAX || !text.bytes().next().is_some_and(suspect) || !may_be_absent(field.kind) {
        return false;
    }
    let among = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    if matches!(field.kind, Kind::Money | Kind::MoneyText) {
        // The accounting format of spreadsheets writes a dash for zero.
        return text == "-";
    }
    if among(ALWAYS) {
        return true;
    }
    if field.kind == Kind::Warehouse || !among(AT_TIMES) {
        return false;
    }
    if field.kind == Kind::Text && (is_name(field.id) || is_place(field.id)) {
        let capital = text.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase());
        let rest_small = text.bytes().skip(1).all(|byte| byte.is_ascii_lowercase());
        let called = capital && rest_small && text != "None";
        let city = matches!(field.id, Id::DestinationCity | Id::OriginCity | Id::ReturnCity);
        return !called && text != "na" && (text != "NA" || is_name(field.id) || city);
    }
    true
}

/// What people write where a row has the value of another cell, which nobody sends along.
const ELSEWHERE: &[&str] = &[
    "same",
    "ditto",
    "as above",
    "same address",
    "same as above",
    "same as billing",
    "same as billing address",
    "same as shipping",
    "see above",
];

/// Whether a part of an address only points to another cell: `same as above`.
#[must_use]
pub(super) fn is_elsewhere(field: &Field, text: &str) -> bool {
    let suspect = |byte: u8| matches!(byte, b's' | b'S' | b'd' | b'D' | b'a' | b'A');
    let to_door = matches!(field.id, Id::DestinationLine1 | Id::DestinationLine2 | Id::DestinationCity);
    to_door
        && (4..=23).contains(&text.len())
        && text.bytes().next().is_some_and(suspect)
        && ELSEWHERE.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Fields in which such a word stands for nothing. Of the others it is no value of their kind, and refused as such.
const fn may_be_absent(kind: Kind) -> bool {
    !matches!(kind, Kind::CountryCode | Kind::Payment | Kind::Measure | Kind::Quantity)
}

const fn is_name(id: Id) -> bool {
    matches!(id, Id::ReceiverFirstName | Id::ReceiverLastName | Id::SenderFirstName | Id::SenderLastName)
}

const fn is_place(id: Id) -> bool {
    matches!(
        id,
        Id::DestinationCity
            | Id::DestinationState
            | Id::DestinationCountry
            | Id::OriginCity
            | Id::OriginState
            | Id::OriginCountry
            | Id::ReturnCity
            | Id::ReturnState
            | Id::ReturnCountry
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_elsewhere_is_no_address() {
        for text in ["Same as above", "DITTO", "same"] {
            assert!(is_elsewhere(Id::DestinationLine1.field(), text), "{text}");
            assert!(!is_elsewhere(Id::ReceiverFirstName.field(), text), "{text}");
        }
        assert!(!is_elsewhere(Id::DestinationLine1.field(), "Same Street 4"));
    }

    #[test]
    fn words_for_nothing_by_field() {
        let cases: &[(Id, &[&str], &[&str])] = &[
            (
                Id::ReceiverFirstName,
                &["N/A", "n/a", "-", "--", "NaN", "nan", "NAN", "NULL", "null", "None", "NONE", "NA"],
                &["Na", "Nan", "Null", "Nil", "na", "Nana", "Nancy", "Ünal", "-a", "#N/A"],
            ),
            (Id::DestinationCity, &["NULL", "n/a", "NA", "None"], &["Nan", "Nantes", "None (TO)"]),
            (Id::DestinationState, &["N/A", "NULL"], &["NA", "Nan"]),
            (Id::DestinationCountry, &["N/A", "null"], &["NA"]),
            (Id::DestinationLine1, &["NA", "Nan", "null", "–"], &["Nana Road", "- 14 MG Road"]),
            (Id::Sku, &["na", "NONE", "-"], &["NA-1", "N"]),
            (Id::OrderNumber, &["NaN", "N/A", "-"], &["N-1"]),
            (Id::WarehouseId, &["N/A"], &["NA", "none"]),
            (Id::ShippingCharges, &["-"], &["N/A", "-5", "nan"]),
            (Id::DestinationCountryCode, &[], &["NA", "N/A"]),
            (Id::OrderCreatedAt, &["NaT", "nan"], &["2026-11-20"]),
        ];
        for (id, nothing, something) in cases {
            for text in *nothing {
                assert!(is_no_value(id.field(), text), "{text} as {}", id.field().path);
            }
            for text in *something {
                assert!(!is_no_value(id.field(), text), "{text} as {}", id.field().path);
            }
        }
    }
}
