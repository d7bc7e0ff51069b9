//! Headers by the names in the table of fields, and by their words.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::kind::Kind;
use super::listed::{among, words};
use super::measure::{MeasuredOf, measured_by, unit_among};
use super::normalised::normalised;
use super::payment::names_payment;
use super::place::address_line;
use super::table::{FIELDS, Field, Id};
use super::units::{length_unit, money_sign, says_percent, weight_unit};

/// How a header names its field; the better way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// By its API path.
    Path,
    /// By the friendly header of the template.
    Header,
    /// By another name; the number is its place in the list.
    Alias(usize),
    /// By its words, where no list has it.
    Words,
    /// By what is left of it without remarks and whose it is.
    Rest,
}

/// A header's field.
#[derive(Debug, Clone, Copy)]
pub struct Match {
    /// The field.
    pub field: &'static Field,
    /// How it was named.
    pub rank: Rank,
    /// The unit that the header names: `g` for `Weight (g)`, a sign or code of money for `Price ($)`.
    pub unit: Option<Unit>,
}

/// A unit in a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Of length or weight, as it is sent.
    Measure(&'static str),
    /// Of money: the codes that the sign may mean.
    Money(&'static [&'static str]),
}

static BY_NAME: LazyLock<HashMap<String, Match>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for field in FIELDS {
        let aliases = field.aliases.iter().enumerate().map(|(index, alias)| (*alias, Rank::Alias(index)));
        let named = [(field.path, Rank::Path), (field.header, Rank::Header)].into_iter().chain(aliases);
        for (name, rank) in named {
            let known = names.entry(normalised(name)).or_insert(Match { field, rank, unit: None });
            if rank < known.rank {
                *known = Match { field, rank, unit: None };
            }
        }
    }
    names
});

/// The field of a name of the table, normalised.
pub(super) fn by_name(bare: &str) -> Option<Match> {
    BY_NAME.get(bare).copied()
}

/// The field that a header means as it stands.
pub(super) fn known(header: &str) -> Option<Match> {
    let direct = BY_NAME.get(&normalised(header)).copied();
    let (base, word) = split_unit(header);
    let base = if base.is_empty() { None } else { BY_NAME.get(&base).copied() };
    let words = || if direct.is_none() { by_words(header) } else { None };
    let Some(found) = direct.or(base) else { return words() };
    let unit = unit_of(found.field, &word);
    let percent_of_money = matches!(found.field.kind, Kind::Money | Kind::MoneyText) && says_percent(header);
    // What a discount in percent comes to is reckoned with the order's other amounts.
    if percent_of_money && matches!(found.field.id, Id::Discount | Id::LineDiscount) {
        return None;
    }
    // Without the unit the header must mean the same field, or the last word was no unit at all.
    if direct.is_none() && unit.is_none() && !percent_of_money {
        return words();
    }
    // `Shipping` says what `Shipping %` can only be reckoned from.
    let rank = if percent_of_money { Rank::Alias(usize::MAX) } else { found.rank };
    Some(Match { rank, unit, ..found })
}

/// The field that a header means by its words, where no list has it.
fn by_words(header: &str) -> Option<Match> {
    let of_parcel = || measured_by(header).filter(|found| found.of == MeasuredOf::Parcel).map(|found| found.id);
    let line = || address_line(header).map(|line| if line == 1 { Id::DestinationLine1 } else { Id::DestinationLine2 });
    let id = if names_payment(header) {
        Id::OrderType
    } else {
        line().or_else(of_parcel).or_else(|| of_receiver(header))?
    };
    Some(Match { field: id.field(), rank: Rank::Words, unit: header_unit(id.field(), header) })
}

/// What a header may say of whoever gets the parcel by its parts.
pub(super) const OF_RECEIVER: [Id; 9] = [
    Id::ReceiverFirstName,
    Id::ReceiverLastName,
    Id::ReceiverPhone,
    Id::ReceiverEmail,
    Id::DestinationCity,
    Id::DestinationState,
    Id::DestinationPinCode,
    Id::DestinationCountry,
    Id::DestinationCountryCode,
];

/// The field of whoever gets the parcel that a header means by its parts: `Buyer Mobile`, `Ship To Pincode`, `Party State`.
fn of_receiver(header: &str) -> Option<Id> {
    const WHO: &str = "buyer buyers customer customers cust client clients party consignee receiver receivers \
        recipient guest ship shipping delivery deliver drop";
    let words: Vec<String> = words(header).collect();
    let who = words.iter().take_while(|word| among(WHO, word) || matches!(word.as_str(), "to" | "s")).count();
    let is_whose = words.first().is_some_and(|first| among(WHO, first));
    let part = words.get(who..).filter(|part| is_whose && !part.is_empty())?.concat();
    let part = if part == "statename" { "state" } else { &part };
    BY_NAME.get(part).map(|found| found.field.id).filter(|id| OF_RECEIVER.contains(id))
}

/// Whether a header of names means whole ones: `Customer Name`, and not `First Name`.
#[must_use]
pub fn says_whole_name(header: &str) -> bool {
    let bare = normalised(header);
    !["first", "given", "fname", "forename"].iter().any(|word| bare.contains(word))
}

/// Whether a second column of a field stands in where the first one is blank: of who gets it and where, but not a whole
/// name for a part of one.
#[must_use]
pub fn stands_in(field: &Field, first: &str, second: &str) -> bool {
    let is_same = || says_whole_name(first) == says_whole_name(second);
    field.is_receivers() && (field.id != Id::ReceiverFirstName || is_same())
}

/// The unit that a header names for a field, whatever else it says.
#[must_use]
pub fn header_unit(field: &Field, header: &str) -> Option<Unit> {
    let inside = || match field.unit_field()? {
        unit @ (Id::WeightUnit | Id::DimensionUnit) => unit_among(header, unit == Id::WeightUnit).map(Unit::Measure),
        _ => None,
    };
    unit_of(field, &split_unit(header).1).or_else(inside)
}

fn unit_of(field: &Field, word: &str) -> Option<Unit> {
    match field.unit_field()? {
        Id::WeightUnit => weight_unit(word).map(Unit::Measure),
        Id::DimensionUnit => length_unit(word).map(Unit::Measure),
        _ => money_sign(word).map(Unit::Money),
    }
}

/// What stands before a header's last word, normalised, and that word: `Weight in grams` is `weight` and `grams`.
fn split_unit(header: &str) -> (String, String) {
    let is_part = |c: char| c.is_alphanumeric() || (!c.is_ascii() && !c.is_whitespace()) || c == '$';
    let words: Vec<&str> = header.split(|c| !is_part(c)).filter(|word| !word.is_empty()).collect();
    let Some((last, before)) = words.split_last() else { return Default::default() };
    let before = match before {
        [rest @ .., "in" | "In" | "IN"] if !rest.is_empty() => rest,
        all => all,
    };
    (normalised(&before.concat()), (*last).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{match_header, says_rate};

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
        assert!(match_header("Weight of packaging").is_none());
        assert!(match_header("").is_none());
    }

    #[test]
    fn whose_part_it_is_may_stand_before_any_part() {
        let cases = [
            ("Buyer Phone", Some(Id::ReceiverPhone)),
            ("Buyer's Mobile No", Some(Id::ReceiverPhone)),
            ("Party Name", Some(Id::ReceiverFirstName)),
            ("Client E-mail", Some(Id::ReceiverEmail)),
            ("Ship To Pincode", Some(Id::DestinationPinCode)),
            ("Ship PIN", Some(Id::DestinationPinCode)),
            ("Deliver To City", Some(Id::DestinationCity)),
            ("Consignee State Name", Some(Id::DestinationState)),
            ("Receiver's Country", Some(Id::DestinationCountry)),
            ("Billing Phone", None),
            ("Seller Phone", None),
            ("To Phone", None),
            ("Customer Code", None),
            ("Delivery Date", None),
            ("Shipping Zone", None),
            ("Customer", None),
            ("Party Status", None),
            ("Delivery Time", None),
            ("Ship To", None),
            ("Customer GSTIN", None),
        ];
        for (header, expected) in cases {
            assert_eq!(match_header(header).map(|found| found.field.id), expected, "{header}");
        }
    }

    #[test]
    fn short_forms_of_counters_are_known() {
        let cases = [
            ("Nos", Id::Quantity),
            ("PCS.", Id::Quantity),
            ("Qty.", Id::Quantity),
            ("Mob", Id::ReceiverPhone),
            ("Mob. No.", Id::ReceiverPhone),
            ("Addr.", Id::DestinationLine1),
            ("Pin", Id::DestinationPinCode),
            ("Cust. Name", Id::ReceiverFirstName),
        ];
        for (header, id) in cases {
            assert_eq!(match_header(header).map(|found| found.field.id), Some(id), "`{header}`");
        }
        assert!(match_header("Mode").is_none() && match_header("No").is_none(), "they may mean many things");
    }

    #[test]
    fn percent_in_headers_is_seen() {
        for header in
            ["Discount %", "Discount (%)", "Discount Percent", "% Discount", "Discount in %", "discountPercent"]
        {
            assert!(says_percent(header), "{header}");
        }
        for header in ["Discount", "Price (incl. 18%)", "Price (5% GST)", ""] {
            assert!(!says_percent(header), "{header}");
        }
        assert_eq!(match_header("Shipping (%)").map(|found| found.rank), Some(Rank::Alias(usize::MAX)));
        assert!(match_header("Discount %").is_none() && match_header("Item Discount Percent").is_none());
        assert!(says_rate("GST Rate") && says_rate("Tax %") && !says_rate("Tax"));
    }

    #[test]
    fn units_in_headers_are_seen() {
        let cases = [
            ("Weight (kg)", Id::Weight, Some(Unit::Measure("kg"))),
            ("Weight (g)", Id::Weight, Some(Unit::Measure("g"))),
            ("Weight in grams", Id::Weight, Some(Unit::Measure("g"))),
            ("package_weight_lbs", Id::Weight, Some(Unit::Measure("lb"))),
            ("Length (in)", Id::Length, Some(Unit::Measure("in"))),
            ("*Breadth (cm)", Id::Width, Some(Unit::Measure("cm"))),
            ("Price (₹)", Id::Price, Some(Unit::Money(&["INR"]))),
            ("Unit Price in USD", Id::Price, Some(Unit::Money(&["USD"]))),
            ("Weight", Id::Weight, None),
            ("Price", Id::Price, None),
        ];
        for (header, id, unit) in cases {
            let found = match_header(header);
            assert_eq!(found.map(|found| (found.field.id, found.unit)), Some((id, unit)), "`{header}`");
        }
        for stranger in ["Weight (stone)", "Length (kg)", "City (kg)", "kg"] {
            assert!(match_header(stranger).is_none(), "`{stranger}`");
        }
    }
}
