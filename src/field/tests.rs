//! What cells say: `tests/cells/fields.toml`, each case read by the function that it names.

use jiff::civil::date;
use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    of: String,
    is: String,
    texts: Vec<String>,
}

/// What a function finds in a text, in words.
fn found(of: &str, text: &str) -> String {
    let said = |said: Option<String>| said.unwrap_or_else(|| "None".to_owned());
    match of {
        "payment_word" => said(payment_word(text).map(|own| format!("{own:?}"))),
        "payment_type" => said(payment_type(text).map(|own| format!("{own:?}"))),
        "payment_and_figure" => said(payment_and_figure(text).map(|own| format!("{own:?}"))),
        "owed" => said(owed(text).map(|own| format!("{own:?}"))),
        "no_product" => said(no_product(text).map(|own| format!("{own:?}"))),
        "has_shipment_number" => has_shipment_number(text, false, "ORD20260001").to_string(),
        "has_article_number" => has_shipment_number(text, true, "").to_string(),
        "day_at_end" => {
            let day =
                |(before, day): (&str, NamedDay)| Some(format!("({before:?}, {})", day.near(date(2026, 11, 21))?));
            said(day_at_end(text).and_then(day))
        }
        "indian_state" => said(indian_state(text).map(|own| format!("{own:?}"))),
        "sides" => said(sides(text).map(|_| "three".to_owned())),
        "parted" => {
            said(parted(text).map(|own| format!("{} | {:?} | {:?} | {}", own.street, own.city, own.state, own.pin)))
        }
        _ => {
            let place = of.strip_prefix("as_part ").and_then(|place| place.parse().ok());
            said(as_part(place.unwrap(), text).map(|own| format!("{own:?}")))
        }
    }
}

#[test]
fn cells_say_what_they_say() {
    let cases: Cases = toml::from_str(include_str!("../../tests/cells/fields.toml")).unwrap();
    let all = cases.case.iter().flat_map(|case| case.texts.iter().map(move |text| (case, text)));
    let wrong: Vec<String> = all
        .clone()
        .filter_map(|(case, text)| {
            let found = found(&case.of, text);
            (found != case.is).then(|| format!("{} of `{text}` is {found}, not {}", case.of, case.is))
        })
        .collect();
    assert!(wrong.is_empty() && all.count() > 350, "{wrong:#?}");
}

#[test]
fn ids_are_places_in_the_table() {
    for (index, field) in FIELDS.iter().enumerate() {
        assert_eq!((field.id as usize, field.id.field().path), (index, field.path));
    }
}
