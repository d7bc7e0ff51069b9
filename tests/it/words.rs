//! Words that people write into sheets: how an order is paid, whether it goes, where to.

use serde_json::Value;

use crate::bodies::CONFIGURATION;
use crate::rig::Rig;

/// What an import came to.
pub(crate) struct Came {
    pub(crate) code: i32,
    pub(crate) problems: Vec<Value>,
    /// The requests, by order number.
    pub(crate) bodies: Vec<(String, Value)>,
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
pub(crate) fn text_of(columns: &[(&str, &[&str])]) -> String {
    let rows = columns.iter().map(|(_, cells)| cells.len()).max().unwrap_or(1);
    let cells_of = |cell: &str| (0..rows).map(|row| cell.replace("{n}", &format!("N-{row}"))).collect();
    let free = BASE.iter().filter(|(header, _)| columns.iter().all(|(own, _)| own != header));
    let base: Vec<(&str, Vec<String>)> = free.map(|(header, cell)| (*header, cells_of(cell))).collect();
    let base: Vec<(&str, Vec<&str>)> =
        base.iter().map(|(header, cells)| (*header, cells.iter().map(String::as_str).collect())).collect();
    let all = base.iter().map(|(header, cells)| (*header, cells.as_slice())).chain(columns.iter().copied());
    crate::bodies::sheet(&all.collect::<Vec<_>>(), ',')
}

pub(crate) fn imported(rig: &Rig, columns: &[(&str, &[&str])]) -> Came {
    rig.file("sheet.csv", &text_of(columns));
    let (code, document) = rig.json(&["import", "sheet.csv", "--yes"]);
    Came { code, problems: document["problems"].as_array().unwrap().clone(), bodies: rig.bodies() }
}

pub(crate) fn came(columns: &[(&str, &[&str])]) -> Came {
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
    pub(crate) fn found(&self, code: &str) -> Vec<&str> {
        let of = self.problems.iter().filter(|problem| problem["code"] == code);
        of.map(|problem| problem["found"].as_str().unwrap_or_default()).collect()
    }

    /// The problem of a code.
    #[track_caller]
    pub(crate) fn said(&self, code: &str) -> (&str, &str) {
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
    let some = came(&[("COD Amount", &["998", "", ""]), ("Mode", &["COD", "PP", "UPI"])]);
    assert_eq!((some.code, some.payments()), (0, vec!["COD", "PREPAID", "PREPAID"]), "{:#?}", some.problems);
    assert!(
        some.found("no-value").is_empty() && some.said("sheet-notice").0.contains("\"Mode\""),
        "{:#?}",
        some.problems
    );
    let noted = came(&[("COD Amount", &["998", ""]), ("Remarks", &["COD", ""])]);
    assert_eq!((noted.code, noted.payments()), (0, vec!["COD", "PREPAID"]), "{:#?}", noted.problems);
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
    assert!(ran.stderr.contains("found: \"Khata\" 4×, \"Udhar\", \"Exchange\""), "{ran:?}");
}

/// What became of one order for each cell of a column, beside COD: `go`, `out` or `held`.
#[track_caller]
pub(crate) fn fates(header: &str, cells: &[&str], expected: &str) {
    let payments = vec!["COD"; cells.len()];
    let all = came(&[(header, cells), ("Payment", &payments)]);
    let sent: Vec<&str> = all.bodies.iter().map(|(number, _)| number.as_str()).collect();
    for (row, cell) in cells.iter().enumerate() {
        let number = format!("N-{row}");
        let of = |code: &str| all.problems.iter().any(|own| own["order"] == number.as_str() && own["code"] == code);
        let fate = match () {
            () if sent.contains(&number.as_str()) => "go",
            () if of("row-left-out") => "out",
            () if of("held-back") => "held",
            () => "lost",
        };
        assert_eq!(fate, expected, "{header} = {cell}: {:#?}", all.problems);
    }
    assert_eq!(all.code == 0, expected != "held", "{header}");
}

#[test]
fn words_that_let_an_order_go() {
    let state = [
        "",
        "-",
        "NA",
        "New",
        "Received",
        "Yes",
        "Scheduled",
        "AWB pending",
        "Label pending",
        "Paid - to ship",
        "Dispatch today",
        "Success",
        "Confirmed on call",
        "In stock",
        "To be packed",
        "Ready to be shipped",
        "COD verified",
        "Today",
        "Not yet dispatched",
        "Packing done",
        "Payment received",
        "Urgent",
        "Invoiced",
        "ready",
    ];
    fates("Status", &state, "go");
    let others: [(&str, &[&str]); 16] = [
        ("AWB No", &["pending", "to be generated", "NA", "Not generated", "awaited", ""]),
        ("Shipped", &["Pending", "No", "Not yet", "0", ""]),
        ("Delivery Status", &["Not delivered", "Pending", "To be dispatched"]),
        ("Dispatch", &["Today", "No", "Pending", "Ready"]),
        ("Packing Status", &["Done", "Packed", "Pending"]),
        ("Call Status", &["Done", "Picked", "Confirmed"]),
        ("Confirmed", &["Yes", "Confirmed", "Y", "On call"]),
        ("Ship?", &["Yes", "Y", "1", "ok"]),
        ("Stock", &["In stock", "12", "Available", "Rack 4"]),
        ("Cancelled", &["No", "", "-", "not cancelled", "0"]),
        ("Hold", &["No", "", "Released"]),
        ("Return", &["No", "NA"]),
        ("Refund", &["0", "No", "0.00"]),
        ("Despatch Date", &["2199-01-01", ""]),
        ("Payment Status", &["Pending", "COD", "Unpaid", "", "Success", "Payment pending"]),
        (
            "Remarks",
            &[
                "please hold the door",
                "do not fold",
                "call before delivery",
                "Gift - do not send bill",
                "Leave at the gate",
                "no returns",
            ],
        ),
    ];
    for (header, cells) in others {
        fates(header, cells, "go");
    }
}

#[test]
fn words_that_hold_an_order() {
    let others: [(&str, &[&str]); 24] = [
        (
            "Status",
            &[
                "Hold",
                "Done",
                "Completed",
                "do not send",
                "Payment pending",
                "Not confirmed",
                "Partially shipped",
                "Xyz",
            ],
        ),
        ("Confirmed", &["No", "Not confirmed", "Pending", "RNR", "no answer"]),
        ("Confirmation", &["Not confirmed", "Rejected", "awaiting"]),
        ("Ship?", &["No", "N", "not now"]),
        ("To Ship", &["No", "hold"]),
        ("Send", &["No", "later"]),
        ("Stock", &["Out of stock", "0", "No", "Not available"]),
        ("In Stock", &["No"]),
        ("Dispatch", &["Done", "Yes", "20/11/2026"]),
        ("Sent On", &["20/11/2026"]),
        ("Booking Status", &["Booked"]),
        ("Booked", &["Yes"]),
        ("Despatch Date", &["2026-01-05", "05/01/2026"]),
        ("Delhivery AWB", &["149081234"]),
        ("Shipment ID", &["12345"]),
        ("Return", &["Yes", "Requested"]),
        ("Refund", &["Yes", "Pending"]),
        ("Cancel", &["Yes", "requested"]),
        ("RTO", &["Yes"]),
        ("Payment Status", &["Failed", "Refunded", "Paid", "Voided", "Captured", "Xyz"]),
        (
            "Remarks",
            &[
                "CANCELLED",
                "do not ship",
                "Don't send",
                "HOLD - customer out of town",
                "already sent",
                "RTO",
                "on hold",
            ],
        ),
        ("Notes", &["Order cancelled by customer", "please do not dispatch", "hold till Monday", "Refunded 20/11"]),
        ("Column 7", &["Cancelled", "hold", "returned", "refunded", "prepaid"]),
        ("Courier", &["Cancelled"]),
    ];
    let note = |cells: &[&'static str]| cells.iter().copied().filter(|cell| *cell != "prepaid").collect::<Vec<_>>();
    for (header, cells) in others {
        fates(header, &note(cells), "held");
    }
    // What a cell of any column says of the payment is what is sent.
    let other = came(&[("Payment", &["COD", "PREPAID", "COD"]), ("Column 7", &["Prepaid", "cash on delivery", "cod"])]);
    assert_eq!((other.payments(), other.found("bad-payment")), (vec!["COD"], vec!["Prepaid", "cash on delivery"]));
    let paid = ["PREPAID"; 6];
    let state =
        came(&[("Payment", &paid), ("Payment Status", &["Pending", "Unpaid", "Failed", "Paid", "Success", ""])]);
    assert_eq!(state.found("held-back"), ["Pending", "Unpaid", "Failed"], "{:#?}", state.problems);
    assert!(state.problems.iter().all(|problem| problem["code"] != "duplicate-header"), "{:#?}", state.problems);
    let flagged = came(&[("COD", &["Yes", "No", "No"]), ("Payment Status", &["Pending", "Paid", "Pending"])]);
    assert_eq!((flagged.payments(), flagged.found("held-back")), (vec!["COD", "PREPAID"], vec!["Pending"]));
}

#[test]
fn what_is_over_by_its_own_word_is_left_out_and_listed() {
    let others: [(&str, &[&str]); 10] = [
        (
            "Status",
            &[
                "Shipped",
                "Dispatched",
                "DELIVERED",
                "Cancelled by customer",
                "RTO",
                "Returned",
                "Refunded",
                "Shipped via Delhivery",
            ],
        ),
        ("Order Status", &["canceled", "RTO Delivered", "In transit"]),
        ("Shipment Status", &["Shipped", "Delivered on 19/11/2026", "Out for delivery"]),
        ("Shipped", &["Yes", "y", "20/11"]),
        ("Dispatched", &["Yes", "20/11/2026"]),
        ("Shipped On", &["2026-11-20"]),
        ("Delivered", &["Yes"]),
        ("Cancelled", &["Yes", "TRUE", "1"]),
        ("Cancelled At", &["2026-11-20 10:30"]),
        ("Fulfillment", &["Fulfilled"]),
    ];
    for (header, cells) in others {
        fates(header, cells, "out");
    }
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    // Whatever else is wrong with it, and on however many rows it stands.
    let rows: [(&str, &[&str]); 5] = [
        ("Order No", &["O-1", "O-1", "O-2", "O-2", "O-3"]),
        ("Status", &["Shipped", "Shipped", "Shipped", "Pending", "New"]),
        ("Product", &["A", "B", "A", "B", "A"]),
        ("Phone", &["12", "12", "9876543210", "9876543210", "9876543210"]),
        ("Payment", &["COD"; 5]),
    ];
    let came = imported(&rig, &rows);
    assert_eq!(came.code, 4, "{:#?}", came.problems);
    let sent: Vec<&str> = came.bodies.iter().map(|(number, _)| number.as_str()).collect();
    assert_eq!(
        (sent, came.found("row-left-out"), came.found("held-back")),
        (vec!["O-3"], vec!["Shipped"], vec!["Shipped"])
    );
    let ran = rig.run(&["import", "sheet.csv", "--dry-run"]);
    assert!(ran.stderr.contains("1 over by their own status"), "{ran:?}");
}

#[test]
fn a_sheet_that_is_kept_day_after_day_is_quiet() {
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    let paid = ["COD"; 4];
    let day = |status: &[&str], awb: &[&str], remarks: &[&str]| {
        let count = status.len();
        imported(&rig, &[("Status", status), ("AWB", awb), ("Remarks", remarks), ("Payment", &paid[..count])])
    };
    let blank = [""; 4];
    let first = day(&["Pending", "New", "Pending"], &blank[..3], &blank[..3]);
    assert_eq!((first.code, first.bodies.len(), first.problems.len()), (0, 3, 0), "{:#?}", first.problems);
    // Staff fill in what happened, in whatever column.
    let next = day(
        &["Shipped", "Delivered", "Pending", "New"],
        &["SBX1", "SBX2", "SBX3", ""],
        &["packed by Ravi", "", "", ""],
    );
    assert_eq!((next.code, next.bodies.len(), next.problems.len()), (0, 4, 0), "{:#?}", next.problems);
    let last = day(&["Delivered", "RTO", "Cancelled", "Shipped"], &["SBX1"; 4], &blank);
    assert_eq!((last.code, last.bodies.len()), (0, 4), "{:#?}", last.problems);
    let (message, hint) = last.said("booked-before");
    assert!(last.problems.len() == 1 && message.contains("its shipment is not"), "{:#?}", last.problems);
    assert!(hint.contains("`shipsheet shipment cancel N-2`"), "{hint}");
    assert_eq!(rig.run(&["shipment", "cancel", "N-2", "--yes"]).code, 0);
    let quiet = day(&["Delivered", "RTO", "Cancelled", "Shipped"], &["SBX1"; 4], &blank);
    assert!(quiet.problems.iter().all(|problem| problem["code"] != "booked-before"), "{:#?}", quiet.problems);
}

#[test]
fn sizes_in_one_cell_and_short_weights_are_read() {
    let parcel = |header: &str, cell: &str| {
        let came = came(&[(header, &[cell]), ("Payment", &["COD"])]);
        assert_eq!(came.bodies.len(), 1, "{header}: {:#?}", came.problems);
        let parcel = &came.bodies[0].1["parcelAttributes"];
        let (size, weight) = (&parcel["dimension"], &parcel["weight"]);
        let text = |value: &Value| value.to_string().trim_matches('"').trim_end_matches(".0").to_owned();
        let sides = ["length", "width", "height"].map(|side| text(&size[side])).join("x");
        format!("{sides} {}, {} {}", text(&size["unit"]), text(&weight["weight"]), text(&weight["unit"]))
    };
    for (header, cell) in [
        ("Box Size (cm)", "22x16x11"),
        ("Package Size", "22*16*11"),
        ("LxBxH", "22 x 16 x 11 cm"),
        ("Dimensions", "22X16X11"),
        ("Parcel Dimensions (cm)", "22-16-11"),
    ] {
        assert_eq!(parcel(header, cell), "22x16x11 cm, 0.5 kg", "{header}");
    }
    assert_eq!(parcel("Carton Size (inch)", "10x8x4"), "10x8x4 in, 0.5 kg");
    // A size that has a name is none.
    assert_eq!(parcel("Box Size", "M"), "20x15x10 cm, 0.5 kg");
    for header in ["Wt. (gm)", "Wt in gms", "Pkg Weight (gms)", "Gross Weight (g)"] {
        assert_eq!(parcel(header, "450"), "20x15x10 cm, 450 g", "{header}");
    }
    let some = came(&[("Box Size (cm)", &["22x16x11", "big", ""]), ("Payment", &["COD"; 3])]);
    assert_eq!((some.bodies.len(), some.found("bad-number").len()), (2, 3), "{:#?}", some.problems);
}
