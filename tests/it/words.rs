//! Words that people write into sheets: how an order is paid, whether it goes, where to.

use serde_json::Value;

use crate::bodies::CONFIGURATION;
use crate::rig::Rig;

/// What an import came to.
struct Came {
    code: i32,
    problems: Vec<Value>,
    /// The requests, by order number.
    bodies: Vec<(String, Value)>,
}

/// A good order but for its payment.
const BASE: [(&str, &str); 11] = [
    ("Order No", "{n}"),
    ("Customer Name", "Asha Rao"),
    ("Phone", "9876543210"),
    ("Address", "14 MG Road"),
    ("City", "Bengaluru"),
    ("State", "Karnataka"),
    ("Pincode", "560001"),
    ("Country", "India"),
    ("Product", "Kurta {n}"),
    ("Qty", "2"),
    ("Price", "499"),
];

/// A sheet of one order for each cell of the columns beside those of a good one.
fn text_of(columns: &[(&str, &[&str])]) -> String {
    let rows = columns.iter().map(|(_, cells)| cells.len()).max().unwrap_or(1);
    let cells_of = |cell: &str| (0..rows).map(|row| cell.replace("{n}", &format!("N-{row}"))).collect();
    let free = BASE.iter().filter(|(header, _)| columns.iter().all(|(own, _)| own != header));
    let base: Vec<(&str, Vec<String>)> = free.map(|(header, cell)| (*header, cells_of(cell))).collect();
    let base: Vec<(&str, Vec<&str>)> =
        base.iter().map(|(header, cells)| (*header, cells.iter().map(String::as_str).collect())).collect();
    let all = base.iter().map(|(header, cells)| (*header, cells.as_slice())).chain(columns.iter().copied());
    crate::bodies::sheet(&all.collect::<Vec<_>>(), ',')
}

fn imported(rig: &Rig, columns: &[(&str, &[&str])]) -> Came {
    rig.file("sheet.csv", &text_of(columns));
    let (code, document) = rig.json(&["import", "sheet.csv", "--yes"]);
    Came { code, problems: document["problems"].as_array().unwrap().clone(), bodies: rig.bodies() }
}

fn came(columns: &[(&str, &[&str])]) -> Came {
    let rig = Rig::new();
    rig.file("shipsheet.toml", &format!("{CONFIGURATION}[check]\n"));
    imported(&rig, columns)
}

impl Came {
    /// The types of payment that were sent.
    fn payments(&self) -> Vec<&str> {
        self.bodies.iter().map(|(_, body)| body["shippingProperties"]["orderType"].as_str().unwrap()).collect()
    }

    /// What was found where a problem of this code is.
    fn found(&self, code: &str) -> Vec<&str> {
        let of = self.problems.iter().filter(|problem| problem["code"] == code);
        of.map(|problem| problem["found"].as_str().unwrap_or_default()).collect()
    }

    /// The problem of a code.
    #[track_caller]
    fn said(&self, code: &str) -> (&str, &str) {
        let found = self.problems.iter().find(|problem| problem["code"] == code);
        let problem = found.unwrap_or_else(|| panic!("{code}: {:#?}", self.problems));
        (problem["message"].as_str().unwrap(), problem["hint"].as_str().unwrap_or_default())
    }
}

#[test]
fn a_blank_column_of_cash_on_delivery_is_not_prepaid_in_silence() {
    for header in ["COD", "Is COD", "COD Amount", "Cash on Delivery"] {
        let blank = came(&[(header, &["", ""])]);
        let (message, hint) = blank.said("missing-value");
        assert!(blank.code == 3 && blank.bodies.is_empty() && message.contains("blank for every order"), "{message}");
        assert!(hint.contains(&format!("into \"{header}\"")) && !hint.contains("= \"PREPAID\""), "{hint}");
        // As the hint says.
        assert_eq!(came(&[(header, &["998", "no"])]).payments(), ["COD", "PREPAID"], "{header}");
        assert_eq!(came(&[(header, &["", ""]), ("Payment Type", &["COD", "PREPAID"])]).payments(), ["COD", "PREPAID"]);
    }
    // A sheet in which only what is collected is filled in, which is the ordinary use.
    let some = came(&[("COD Amount", &["998", "", ""])]);
    assert_eq!((some.code, some.payments()), (0, vec!["COD", "PREPAID", "PREPAID"]));
    assert_eq!(some.found("no-value").len(), 2, "{:#?}", some.problems);
    // Where others say no, a blank cell is one that was forgotten.
    let forgotten = came(&[("COD", &["Yes", "No", ""])]);
    assert_eq!((forgotten.code, forgotten.payments()), (4, vec!["COD", "PREPAID"]));
    assert!(forgotten.said("missing-value").0.contains("blank here"), "{:#?}", forgotten.problems);
    let prepaid = Rig::new();
    prepaid.file(
        "shipsheet.toml",
        &CONFIGURATION.replace("[warehouses]", "\"shippingProperties.orderType\" = \"PREPAID\"\n[warehouses]"),
    );
    assert_eq!(imported(&prepaid, &[("COD", &["", ""])]).payments(), ["PREPAID", "PREPAID"]);
}

#[test]
fn the_column_of_payments_is_found_by_its_words_and_by_what_it_holds() {
    let named = ["COD/PP", "PP/COD", "COD or Prepaid", "Payment Terms", "Payment Via", "Pay Type", "Payment Option"];
    for header in named {
        let paid = came(&[(header, &["COD", "PP", "GPay"])]);
        assert_eq!((paid.payments(), paid.problems.len()), (vec!["COD", "PREPAID", "PREPAID"], 0), "{header}");
    }
    let held = ["Delivery Type", "Txn Type", "Type", "Shipment Type", "Remarks", "Terms", "Column 9"];
    for header in held {
        let rig = Rig::new();
        // Whatever holds for all orders, a cell says more.
        let paid = "\"shippingProperties.orderType\" = \"PREPAID\"\n[warehouses]";
        rig.file("shipsheet.toml", &CONFIGURATION.replace("[warehouses]", paid));
        let paid = imported(&rig, &[(header, &["Cash on delivery", "Prepaid", "cod"])]);
        assert_eq!((paid.code, paid.payments()), (0, vec!["COD", "PREPAID", "COD"]), "{header}: {:#?}", paid.problems);
        assert!(paid.said("sheet-notice").0.contains(header), "{:#?}", paid.problems);
        assert_eq!(paid.bodies[0].1["type"], "External");
    }
    let one = came(&[("Remarks", &["COD", "fragile", "call first"])]);
    let (_, hint) = one.said("missing-column");
    assert!(one.code == 3 && hint.contains("COD or PREPAID for each order") && !hint.contains("[defaults]"), "{hint}");
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    rig.file("sheet.csv", &text_of(&[("Txn Type", &["COD", "PP"])]));
    assert_eq!(rig.run(&["profile", "guess", "sheet.csv", "--save", "own"]).code, 0);
    assert_eq!(imported(&rig, &[("Txn Type", &["COD", "PP"])]).payments(), ["COD", "PREPAID"]);
}

#[test]
fn means_of_payment_are_paid_and_nothing_else_is_taken_for_it() {
    let paid = [
        "UPI",
        "GPay",
        "PhonePe",
        "Paytm",
        "Online",
        "Razorpay",
        "Bank Transfer",
        "NEFT",
        "Card",
        "Credit Card",
        "Debit card",
        "Wallet",
        "Net banking",
        "Paid online",
        "Full paid",
        "Google Pay",
        "UPI - paid",
        "IMPS",
    ];
    let came_of = came(&[("Payment", &paid)]);
    assert_eq!((came_of.code, came_of.payments()), (0, vec!["PREPAID"; paid.len()]), "{:#?}", came_of.problems);
    let cod =
        ["C.O.D.", "GoKwik Cash on Delivery", "UPI on delivery", "Pay on delivery by UPI", "Cash On Delivery (COD)"];
    assert_eq!(came(&[("Payment", &cod)]).payments(), vec!["COD"; cod.len()]);
    let held =
        ["UPI pending", "Unpaid", "Half paid", "Advance", "Credit", "Cash", "COD + Gift Card", "Khata", "To be paid"];
    let asked = came(&[("Payment", &held)]);
    assert_eq!((asked.found("bad-payment"), asked.payments()), (held.to_vec(), vec![]));
    assert!(asked.problems.iter().all(|problem| !problem["hint"].as_str().unwrap().contains("payment_types")));
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    rig.file("sheet.csv", &text_of(&[("Payment", &["Khata", "Khata", "Khata", "Udhar", "Exchange", "Khata"])]));
    let ran = rig.run(&["check", "sheet.csv"]);
    assert!(ran.stderr.contains("found: \"Khata\" 4×, \"Udhar\" 1×, \"Exchange\" 1×"), "{ran:?}");
}
