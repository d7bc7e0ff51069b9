//! Headers of the world, each with what it is taken for: `tests/headers/*.toml`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::reading::{HeaderReading, Rank, Unit};
use super::table::{FIELDS, Id};
use super::traits::{TRAITS, Trait};
use crate::words::Headers;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    /// What headers are taken for.
    #[serde(default)]
    role: Vec<Role>,
    /// What else they say, by the name of its sense.
    #[serde(default)]
    says: BTreeMap<String, Says>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Role {
    is: String,
    headers: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Says {
    yes: Vec<String>,
    no: Vec<String>,
}

/// What a header is taken for, in words: its field, and what it says where no field takes its column.
pub(super) fn described(reading: &HeaderReading) -> String {
    let field = reading.field.map(|found| found.field.path.to_owned());
    let sign = reading.sign_or_part().map(|role| format!("{role:?}"));
    let amount = reading.amount.map(|role| format!("{role:?}"));
    let measure = reading.measure.map(|(id, of)| format!("{id:?} of {of:?}"));
    let unit = reading.field.and_then(|found| reading.unit(found.field)).map(|unit| match unit {
        Unit::Measure(unit) => format!("in {unit}"),
        Unit::Money(codes) => format!("in {}", codes[0]),
    });
    let said: Vec<String> = [field, sign, amount, measure, unit].into_iter().flatten().collect();
    if said.is_empty() { "nothing".to_owned() } else { said.join(", ") }
}

#[test]
fn headers_are_taken_for_what_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/headers");
    let (mut wrong, mut count) = (Vec::new(), 0);
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    for file in files.filter(|path| path.is_file()) {
        let cases: Cases = toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        for (role, header) in cases.role.iter().flat_map(|role| role.headers.iter().map(move |own| (role, own))) {
            let found = described(&HeaderReading::of(header));
            count += 1;
            if found != role.is {
                wrong.push(format!("`{header}` is {found}, not {}", role.is));
            }
        }
        for (sense, says) in &cases.says {
            let own = TRAITS.iter().find(|(known, _)| known == sense).unwrap_or_else(|| panic!("{sense}")).1;
            let expected = says.yes.iter().map(|header| (header, true)).chain(says.no.iter().map(|own| (own, false)));
            for (header, is) in expected {
                count += 1;
                if HeaderReading::of(header).is(own) != is {
                    wrong.push(format!("`{header}`: {sense} is not {is}"));
                }
            }
        }
    }
    assert!(wrong.is_empty() && count > 1_500, "{count}: {wrong:#?}");
}

#[test]
fn every_name_of_a_field_means_it() {
    for field in FIELDS {
        for name in [field.path, field.header].into_iter().chain(Headers::built_in().names(field.path)) {
            let found = HeaderReading::of(name).field.map(|found| found.field.path);
            assert_eq!(found, Some(field.path), "`{name}`");
        }
        let rank = |name: &str| HeaderReading::of(name).field.map(|found| found.rank);
        assert_eq!(rank(field.path), Some(Rank::Path), "{}", field.path);
        assert!(rank(field.header) <= Some(Rank::Header), "{}", field.header);
    }
}

#[test]
fn numbers_at_the_end_are_those_of_products() {
    for (header, expected) in [
        ("Product 2", Some((Id::ProductName, 2))),
        ("Qty2", Some((Id::Quantity, 2))),
        ("SKU_1", Some((Id::Sku, 1))),
        ("Price #3", Some((Id::Price, 3))),
        ("Product", None),
        ("Address 2", None),
        ("Product 0", None),
        ("Phone 2", None),
        ("Colour 2", None),
        ("2", None),
    ] {
        assert_eq!(HeaderReading::of(header).numbered, expected, "{header}");
    }
}

#[test]
fn charges_of_one_family_are_alike() {
    let charge = |header: &str| HeaderReading::of(header).charge;
    for (one, other) in [
        ("Shipping", "Freight"),
        ("Shipping Charges", "Delivery Fee (Rs)"),
        ("Discount", "Discount Amount"),
        ("Order Discount", "Total Disc"),
        ("COD Charges", "COD Fee"),
    ] {
        assert_eq!(charge(one), charge(other), "{one}, {other}");
    }
    for (one, other) in [
        ("Shipping", "COD Charges"),
        ("Freight", "Packing & Forwarding"),
        ("Shipping", "Shipping Insurance"),
        ("Discount", "Coupon"),
        ("Discount", "Loyalty Discount"),
        ("Shipping", "Express Shipping"),
        ("Amount", "Total"),
    ] {
        assert!(charge(one).is_empty() || charge(one) != charge(other), "{one}, {other}");
    }
}

#[test]
fn what_is_likely_is_told_from_what_is_sure() {
    let likeliest = |header: &str| {
        let reading = HeaderReading::of(header);
        let best = FIELDS.iter().rev().max_by_key(|field| reading.likeness(field.id, &[]))?;
        let likeness = reading.likeness(best.id, &[]);
        (likeness > 0).then_some((best.id, likeness >= 80))
    };
    assert_eq!(likeliest("Pack Qty"), Some((Id::Quantity, false)));
    assert_eq!(likeliest("Customer Rating Phone"), Some((Id::ReceiverPhone, false)), "one word too many");
    assert_eq!(likeliest("Name on box"), Some((Id::ReceiverFirstName, false)));
    for header in ["Colour", "Favourite pet", "Sl", "", "x".repeat(500).as_str(), "Warranty"] {
        assert_eq!(likeliest(header), None, "{header}");
    }
    for header in
        ["Consignor Pin", "Sender Mobile", "From City", "Pickup Pincode", "Return Pin", "Billing Customer Name"]
    {
        let reading = HeaderReading::of(header);
        assert!(reading.is(Trait::Others), "{header}");
        assert!(FIELDS.iter().all(|field| !field.is_receivers() || reading.likeness(field.id, &[]) == 0), "{header}");
    }
    let counted = HeaderReading::of("Boxes").counted;
    let price = HeaderReading::of("Price per box");
    assert!(price.likeness(Id::Price, &counted) > price.likeness(Id::Price, &[]));
}

#[test]
fn thousands_of_odd_headers_are_no_work() {
    let started = Instant::now();
    for index in 0..16_000 {
        assert!(HeaderReading::of(&format!("receivr phonee fist nam {index}")).field.is_none());
    }
    assert!(HeaderReading::of(&"receiver fist name ".repeat(1_000)).field.is_none());
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
}
