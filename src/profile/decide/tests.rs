//! Headers as they are typed at counters, with what stands below them, and what each must be taken for.

use super::{Decided, Known, LazySample, Sample, decide, proposal};
use crate::field::Id;
use crate::profile::{Guess, Profile};
use crate::sheet::{Options, Sheet};

/// What is proposed for a text file, with what its first rows hold.
pub(crate) fn proposed(text: &str) -> (Guess, Sample) {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let sheet = Sheet::open(file.path(), &Options::default()).unwrap();
    let sample = LazySample::default();
    let Decided { plan, taken, likely, .. } = decide(&sheet, &sample, &Known::default()).unwrap();
    let sample = sample.of(&sheet).unwrap().clone();
    (proposal(&sheet.header().cells, (&plan, &taken, &likely), &sample), sample)
}

/// What becomes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Is {
    /// It feeds this field.
    Taken(Id),
    /// It may feed this field: somebody is asked.
    Asked(Id),
    Left,
}

use Is::{Asked, Left, Taken};

const DATES: &[&str] = &["20/11/2026", "21/11/2026", "22/11/2026"];
const NAMES: &[&str] = &["Asha Rao", "Ravi Kumar", "Meera Nair"];
const PHONES: &[&str] = &["9876543210", "+91 98123 45678", "91-9000000001"];
const PINS: &[&str] = &["560001", "411 001", "110001"];
const CITIES: &[&str] = &["Pune", "Bengaluru", "New Delhi"];
const CODES: &[&str] = &["B-101", "B-102", "B-103"];
const COUNTS: &[&str] = &["1", "2", "12"];
const PRICES: &[&str] = &["499.90", "₹ 1,299", "85"];
const STREETS: &[&str] = &["14 MG Road, Flat 3", "Near City Mall", "7/2 Hill View"];
const GOODS: &[&str] = &["Cotton kurta M", "Steel bottle 1l", "Silk scarf"];
const PAYMENTS: &[&str] = &["COD", "Prepaid", "cod"];
const MAILS: &[&str] = &["asha@example.com", "ravi@example.in"];
const WEIGHTS: &[&str] = &["0.5", "1.25", "2"];
const STATES: &[&str] = &["Karnataka", "Delhi", "Tamil Nadu"];

const COLUMNS: &[(&str, &[&str], Is)] = &[
    ("Ordered On", DATES, Taken(Id::OrderCreatedAt)),
    ("Customer", NAMES, Taken(Id::ReceiverFirstName)),
    ("Order", DATES, Left),
    ("Order No", DATES, Left),
    ("Order", CODES, Taken(Id::OrderNumber)),
    ("Ord. No.", CODES, Taken(Id::OrderNumber)),
    ("ORDER#", CODES, Taken(Id::OrderNumber)),
    ("Oder Number", CODES, Taken(Id::OrderNumber)),
    ("Bill No", CODES, Taken(Id::OrderNumber)),
    ("Inv No", CODES, Taken(Id::OrderNumber)),
    ("Invoice No.", CODES, Taken(Id::OrderNumber)),
    ("Ord dt", DATES, Taken(Id::OrderCreatedAt)),
    ("Date of order", DATES, Taken(Id::OrderCreatedAt)),
    ("Dt.", DATES, Taken(Id::OrderCreatedAt)),
    ("Cust Name", NAMES, Taken(Id::ReceiverFirstName)),
    ("Party name", NAMES, Taken(Id::ReceiverFirstName)),
    ("Name of customer", NAMES, Taken(Id::ReceiverFirstName)),
    ("Reciever Name", NAMES, Taken(Id::ReceiverFirstName)),
    ("Contact Person", NAMES, Taken(Id::ReceiverFirstName)),
    ("Customer Phone", NAMES, Left),
    ("Mob No", PHONES, Taken(Id::ReceiverPhone)),
    ("Mob.", PHONES, Taken(Id::ReceiverPhone)),
    ("Contact", PHONES, Taken(Id::ReceiverPhone)),
    ("Phone", &["9.19877E+11", "9.19812E+11"], Taken(Id::ReceiverPhone)),
    ("Mobile", &["9876543210 / 9812345678", "9000000001"], Taken(Id::ReceiverPhone)),
    ("Contact", NAMES, Taken(Id::ReceiverFirstName)),
    ("WhatsApp No", PHONES, Taken(Id::ReceiverPhone)),
    ("Ph. no", PHONES, Taken(Id::ReceiverPhone)),
    ("Cust. mobile no.", PHONES, Taken(Id::ReceiverPhone)),
    ("Pin", PINS, Taken(Id::DestinationPinCode)),
    ("Pin no.", PINS, Taken(Id::DestinationPinCode)),
    ("Area Pincode", PINS, Taken(Id::DestinationPinCode)),
    ("Zip/Pin", PINS, Taken(Id::DestinationPinCode)),
    ("Pin", NAMES, Left),
    ("Town / City", CITIES, Taken(Id::DestinationCity)),
    ("City", PINS, Asked(Id::DestinationPinCode)),
    ("Place", CITIES, Taken(Id::DestinationCity)),
    ("Del. City", CITIES, Taken(Id::DestinationCity)),
    ("State name", STATES, Taken(Id::DestinationState)),
    ("Full Address", STREETS, Taken(Id::DestinationLine1)),
    ("Addr", STREETS, Taken(Id::DestinationLine1)),
    ("Adress Line 1", STREETS, Taken(Id::DestinationLine1)),
    ("Qnty", COUNTS, Taken(Id::Quantity)),
    ("No. of pcs", COUNTS, Taken(Id::Quantity)),
    ("Qty (pcs)", COUNTS, Taken(Id::Quantity)),
    ("Name on box", NAMES, Asked(Id::ReceiverFirstName)),
    ("Qty", DATES, Left),
    ("Wt", WEIGHTS, Taken(Id::Weight)),
    ("Weight (kg)", WEIGHTS, Taken(Id::Weight)),
    ("Gross wt", WEIGHTS, Taken(Id::Weight)),
    ("Particulars", GOODS, Taken(Id::ProductName)),
    ("Item Desc.", GOODS, Taken(Id::ProductName)),
    ("Prod. name", GOODS, Taken(Id::ProductName)),
    ("Rate", PRICES, Taken(Id::Price)),
    ("Unit Cost", PRICES, Taken(Id::Price)),
    ("Rate", GOODS, Left),
    ("Pay mode", PAYMENTS, Taken(Id::OrderType)),
    ("COD / Prepaid", PAYMENTS, Taken(Id::OrderType)),
    ("Pymt type", PAYMENTS, Taken(Id::OrderType)),
    ("Mail ID", MAILS, Taken(Id::ReceiverEmail)),
    ("e mail", MAILS, Taken(Id::ReceiverEmail)),
    ("Email", PHONES, Asked(Id::ReceiverPhone)),
    ("Sl. No.", COUNTS, Left),
    ("S.No", COUNTS, Left),
    ("Colour", GOODS, Left),
    ("Packed by", NAMES, Left),
    ("Customer rating", COUNTS, Left),
    ("Godown", CODES, Taken(Id::WarehouseId)),
];

/// A cell of a text file.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[test]
fn columns_are_taken_for_what_their_headers_and_values_say_together() {
    assert!(COLUMNS.len() >= 40);
    let mut wrong = Vec::new();
    for (header, values, expected) in COLUMNS {
        let rows: Vec<String> = values.iter().map(|value| format!("x,{}", quoted(value))).collect();
        let guess = proposed(&format!("Colour,{}\n{}\n", quoted(header), rows.join("\n"))).0;
        let guessed = &guess.columns[1];
        let found = match (guessed.field, guessed.perhaps) {
            (Some(field), _) => Taken(field.id),
            (None, Some(field)) => Asked(field.id),
            (None, None) => Left,
        };
        if found != *expected {
            wrong.push(format!("{header} over {}: {found:?} ({} %), not {expected:?}", values[0], guessed.confidence));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_proposal_is_a_profile() {
    let guess = proposed("Order No,Custmer Phone,Colour,,Qty,Quantity\nA1,9876543210,red,,1,1\n").0;
    let profile = Profile::parse("mine", &guess.to_toml("mine")).unwrap();
    let column = |id: Id| profile.columns.get(&id).map(|recipe| recipe.columns()[0].clone());
    assert_eq!(column(Id::OrderNumber).as_deref(), Some("Order No"));
    assert_eq!(column(Id::ReceiverPhone).as_deref(), Some("Custmer Phone"));
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
