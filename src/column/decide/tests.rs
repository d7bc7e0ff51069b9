//! Headers as they are typed at counters, with what stands below them, and what each must be taken for.

use super::{Known, LazySample, Sample, decide, proposal};
use serde::Deserialize;

use crate::field::Id;
use crate::profile::{Guess, Profile};
use crate::sheet::{Options, Sheet};

/// What is proposed for a text file, with what its first rows hold.
pub(crate) fn proposed(text: &str) -> (Guess, Sample) {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let sheet = Sheet::open(file.path(), &Options::default()).unwrap();
    let sample = LazySample::default();
    let (columns, _) = decide(&sheet, &sample, &Known::default()).unwrap();
    let sample = sample.of(&sheet).unwrap().clone();
    (proposal(&columns, &sample), sample)
}

#[derive(Deserialize)]
struct Cases {
    column: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    is: String,
    cells: Vec<String>,
    headers: Vec<String>,
}

/// A cell of a text file.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[test]
fn columns_are_taken_for_what_their_headers_and_values_say_together() {
    let cases: Cases = toml::from_str(include_str!("../../../tests/headers/below/cells.toml")).unwrap();
    let mut wrong = Vec::new();
    for (case, header) in cases.column.iter().flat_map(|case| case.headers.iter().map(move |header| (case, header))) {
        let rows: Vec<String> = case.cells.iter().map(|value| format!("x,{}", quoted(value))).collect();
        let guess = proposed(&format!("Colour,{}\n{}\n", quoted(header), rows.join("\n"))).0;
        let guessed = &guess.columns[1];
        let found = match (guessed.field, guessed.perhaps) {
            (Some(field), _) => format!("taken {}", field.path),
            (None, Some(field)) => format!("asked {}", field.path),
            (None, None) => "left".to_owned(),
        };
        if found != case.is {
            wrong.push(format!("{header} over {}: {found} ({} %), not {}", case.cells[0], guessed.confidence, case.is));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_proposal_is_a_profile() {
    let guess = proposed("Order No,Calling Number,Colour,,Qty,Quantity\nA1,9876543210,red,,1,1\n").0;
    let profile = Profile::parse("mine", &guess.to_toml("mine")).unwrap();
    let column = |id: Id| profile.columns.get(&id).map(|recipe| recipe.columns()[0].clone());
    assert_eq!(column(Id::OrderNumber).as_deref(), Some("Order No"));
    assert_eq!(column(Id::ReceiverPhone).as_deref(), Some("Calling Number"));
    assert_eq!(column(Id::Quantity).as_deref(), Some("Quantity"), "the better name, wherever it stands");
    assert_eq!(profile.left_out, ["Colour", "Qty"]);
    let phone = guess.columns.iter().find(|guessed| guessed.column.index == 1).unwrap();
    assert!(phone.confidence < 100 && phone.confidence >= 90);
}

#[test]
fn any_header_can_be_a_key() {
    for header in ["Custmer 'Phone'\\", "Custmer \"Phone\"\n'"] {
        let guess = proposed(&format!("Colour,{}\nred,9876543210\n", quoted(header))).0;
        let profile = Profile::parse("mine", &guess.to_toml("mine")).unwrap();
        let recipe = profile.columns.get(&Id::ReceiverPhone).unwrap();
        let kept = guess.columns[1].column.header.as_str();
        assert_eq!((recipe.columns()[0].as_str(), profile.kinds.contains_key(kept)), (kept, true));
    }
}

#[test]
fn thousands_of_columns_and_endless_names_are_no_work() {
    let started = std::time::Instant::now();
    let mut header: Vec<String> = (0..16_000).map(|index| format!("receivr phonee {index}")).collect();
    header.push("receiver fist name ".repeat(1_000));
    header.push("Order Number".to_owned());
    let mut cells = vec!["x"; header.len() - 1];
    cells.push("A-1");
    let found = proposed(&format!("{}\n{}\n", header.join(","), cells.join(","))).0;
    assert!(found.feeds(Id::OrderNumber), "names are found wherever they stand");
    assert!(started.elapsed() < std::time::Duration::from_secs(20), "{:?}", started.elapsed());
}
