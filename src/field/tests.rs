//! Headers of the world, each with what it is taken for: `tests/headers/*.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use super::header_reading::{HeaderReading, Rank, Unit};
use super::table::FIELDS;
use crate::words::Headers;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Cases {
    /// What headers are taken for.
    role: Vec<Role>,
    /// What else they say, by the name of its sense.
    says: BTreeMap<String, Says>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Role {
    /// What is asked of them: the role, unless it says another thing.
    #[serde(default)]
    ask: String,
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
fn described(reading: &HeaderReading) -> String {
    let field = reading.field.map(|found| found.field.path.to_owned());
    let sign = reading.sign_or_part().map(|role| format!("{role:?}"));
    let amount = reading.amount.map(|role| format!("{role:?}"));
    let measure = reading.measure.map(|id| format!("measures {id:?}"));
    let unit = reading.field.and_then(|found| reading.unit(found.field)).map(|unit| match unit {
        Unit::Measure(unit) => format!("in {unit}"),
        Unit::Money(codes) => format!("in {}", codes[0]),
    });
    let said: Vec<String> = [field, sign, amount, measure, unit].into_iter().flatten().collect();
    if said.is_empty() { "nothing".to_owned() } else { said.join(", ") }
}

/// The field that a header is likeliest to mean, and how sure that is.
fn likeliest(reading: &HeaderReading) -> String {
    let best = FIELDS.iter().rev().max_by_key(|field| reading.likeness(field.id, &[])).unwrap();
    match reading.likeness(best.id, &[]) {
        0 => "nothing".to_owned(),
        80.. => format!("{}, sure", best.path),
        _ => best.path.to_owned(),
    }
}

fn answer(role: &Role, header: &str) -> String {
    let reading = HeaderReading::of(header);
    match role.ask.as_str() {
        "likeliest" => likeliest(&reading),
        "numbered" => reading.numbered.map_or_else(String::new, |(id, number)| format!("{} {number}", id.field().path)),
        _ => described(&reading),
    }
}

#[test]
fn headers_are_taken_for_what_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/headers");
    let (mut wrong, mut count) = (Vec::new(), 0);
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    for file in files.filter(|path| path.is_file()) {
        let cases: Cases = toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        for (role, header) in cases.role.iter().flat_map(|role| role.headers.iter().map(move |own| (role, own))) {
            let found = answer(role, header);
            count += 1;
            if found != role.is {
                wrong.push(format!("`{header}` is {found}, not {}", role.is));
            }
        }
        for (sense, says) in &cases.says {
            let expected = says.yes.iter().map(|header| (header, true)).chain(says.no.iter().map(|own| (own, false)));
            for (header, is) in expected {
                count += 1;
                if HeaderReading::of(header).says(sense) != is {
                    wrong.push(format!("`{header}`: {sense} is not {is}"));
                }
            }
        }
    }
    assert!(wrong.is_empty() && count > 1_500, "{count}: {wrong:#?}");
}

#[test]
fn every_name_of_a_field_means_it() {
    for (index, field) in FIELDS.iter().enumerate() {
        assert_eq!((field.id as usize, field.id.field().path), (index, field.path));
        let is_receivers = ["receiver.", "destination."].iter().any(|part| field.path.starts_with(part));
        assert_eq!(field.is_receivers(), is_receivers, "{}", field.path);
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
fn a_header_may_name_a_product_and_its_price() {
    let named = [
        ("Mango box (₹450)", "Mango box|450"),
        ("Garrafa 5 L (47,50 €)", "Garrafa 5 L|47,50"),
        ("Caja 12 botellas 500 ml (1.129,00 €)", "Caja 12 botellas 500 ml|1129,00"),
        ("Pickle 500 g @ Rs. 120/-", "Pickle 500 g|120"),
        ("Tomato (₹40/kg)", "Tomato|40"),
        ("Alphonso 1 dozen - ₹1,200 per box", "Alphonso 1 dozen|1200"),
        ("How many? [Jaggery 1 kg – Rs 90]", "Jaggery 1 kg|90"),
        ("Ghee 1 L [₹650.50]", "Ghee 1 L|650.50"),
        ("₹250 Laddoo", "Laddoo|250"),
        ("आम पेटी (₹450)", "आम पेटी|450"),
    ];
    for (header, wanted) in named {
        let own = HeaderReading::of(header).priced.map(|own| format!("{}|{}", own.name, own.price));
        assert_eq!(own.as_deref(), Some(wanted), "{header}");
    }
    let none = [
        "Price (₹)",
        "GST @18%",
        "Shipping (₹50)",
        "Discount ₹100",
        "Address Line 2",
        "Product 2",
        "Item 500 g",
        "Rs 450",
        "Total (₹450)",
        "Phone 2",
        "COD charges Rs 40",
        "Weight (kg)",
        "Bottle 12",
    ];
    for header in none {
        assert_eq!(HeaderReading::of(header).priced, None, "{header}");
    }
}
