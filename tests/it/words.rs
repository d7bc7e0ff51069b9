//! Words that people write into sheets: how an order is paid, whether it goes, where to.

use crate::rig::{Came, HEADER, Rig, SHOP, Table, came_of, imported, list, parcel, row};

#[test]
fn a_blank_column_of_cash_on_delivery_is_not_prepaid_in_silence() {
    for header in ["COD", "Is COD", "COD Amount", "Cash on Delivery"] {
        let blank = came_of(&[(header, &["", ""])]);
        blank
            .first("missing-value")
            .says("blank for every order")
            .advises(format!("into \"{header}\""))
            .advises_nothing_of("= \"PREPAID\"");
        blank.stays();
        // As the hint says.
        assert_eq!(came_of(&[(header, &["998", "no"])]).payments(), ["COD", "PREPAID"], "{header}");
        assert_eq!(
            came_of(&[(header, &["", ""]), ("Payment Type", &["COD", "PREPAID"])]).payments(),
            ["COD", "PREPAID"]
        );
    }
    // A sheet in which only what is collected is filled in, which is the ordinary use.
    let some = came_of(&[("COD Amount", &["998", "", ""]), ("Mode", &["COD", "PP", "UPI"])]);
    assert_eq!((some.exit, some.payments()), (0, vec!["COD", "PREPAID", "PREPAID"]), "{some:?}");
    some.first("sheet-notice").says("\"Mode\"");
    assert!(some.found("no-value").is_empty(), "{some:?}");
    let noted = came_of(&[("COD Amount", &["998", ""]), ("Remarks", &["COD", ""])]);
    assert_eq!((noted.exit, noted.payments()), (0, vec!["COD", "PREPAID"]), "{noted:?}");
    let some = came_of(&[("COD Amount", &["998", "", ""])]);
    assert_eq!((some.exit, some.payments()), (0, vec!["COD", "PREPAID", "PREPAID"]));
    assert_eq!(some.found("no-value").len(), 2, "{some:?}");
    // Where others say no, a blank cell is one that was forgotten.
    let forgotten = came_of(&[("COD", &["Yes", "No", ""])]);
    assert_eq!((forgotten.exit, forgotten.payments()), (4, vec!["COD", "PREPAID"]));
    forgotten.first("missing-value").says("blank here");
    let prepaid = Rig::new();
    let all = "\"shippingProperties.orderType\" = \"PREPAID\"\n[warehouses]";
    prepaid.file("shipsheet.toml", &SHOP.replace("[warehouses]", all));
    let blank = Table::unpaid().with(&[("COD", &["", ""])]);
    assert_eq!(blank.imported_by(&prepaid).payments(), ["PREPAID", "PREPAID"]);
}

#[test]
fn the_column_of_payments_is_found_by_its_words_and_by_what_it_holds() {
    let named = ["COD/PP", "PP/COD", "COD or Prepaid", "Payment Terms", "Payment Via", "Pay Type", "Payment Option"];
    for header in named {
        let paid = came_of(&[(header, &["COD", "PP", "GPay"])]);
        assert_eq!((paid.payments(), paid.problems.len()), (vec!["COD", "PREPAID", "PREPAID"], 0), "{header}");
    }
    let held = ["Delivery Type", "Txn Type", "Type", "Shipment Type", "Remarks", "Terms", "Column 9"];
    for header in held {
        let rig = Rig::new();
        // Whatever holds for all orders, a cell says more.
        let paid = "\"shippingProperties.orderType\" = \"PREPAID\"\n[warehouses]";
        rig.file("shipsheet.toml", &SHOP.replace("[warehouses]", paid));
        let paid = Table::unpaid().with(&[(header, &["Cash on delivery", "Prepaid", "cod"])]).imported_by(&rig);
        assert_eq!((paid.exit, paid.payments()), (0, vec!["COD", "PREPAID", "COD"]), "{paid:?}");
        paid.first("sheet-notice").says(header);
        assert_eq!(paid.requests[0].1["type"], "External");
    }
    let one = came_of(&[("Remarks", &["COD", "fragile", "call first"])]);
    one.first("missing-column").advises("COD or PREPAID for each order").advises_nothing_of("[defaults]");
    one.exits(3);
    let rig = Rig::of_a_shop();
    let table = Table::unpaid().with(&[("Txn Type", &["COD", "PP"])]);
    rig.file("orders.csv", &table.text());
    rig.run(&["profile", "guess", "orders.csv", "--save", "own"]).exits(0);
    assert_eq!(table.imported_by(&rig).payments(), ["COD", "PREPAID"]);
}

#[test]
fn means_of_payment_are_paid_and_nothing_else_is_taken_for_it() {
    let paid = list(
        "UPI|GPay|PhonePe|Paytm|Online|Razorpay|Bank Transfer|NEFT|Card|Credit Card|Debit card|Wallet|\
         Net banking|Paid online|Full paid|Google Pay|UPI - paid|IMPS",
    );
    let all = came_of(&[("Payment", &paid)]);
    assert_eq!((all.exit, all.payments()), (0, vec!["PREPAID"; paid.len()]), "{all:?}");
    let cod =
        ["C.O.D.", "GoKwik Cash on Delivery", "UPI on delivery", "Pay on delivery by UPI", "Cash On Delivery (COD)"];
    assert_eq!(came_of(&[("Payment", &cod)]).payments(), vec!["COD"; cod.len()]);
    let held =
        ["UPI pending", "Unpaid", "Half paid", "Advance", "Credit", "Cash", "COD + Gift Card", "Khata", "To be paid"];
    let asked = came_of(&[("Payment", &held)]);
    assert_eq!((asked.found("bad-payment"), asked.payments()), (held.to_vec(), vec![]));
    assert!(asked.problems.iter().all(|problem| !problem.hint.contains("payment_types")), "{asked:?}");
    let rig = Rig::of_a_shop();
    let cells = ["Khata", "Khata", "Khata", "Udhar", "Exchange", "Khata"];
    rig.file("orders.csv", &Table::unpaid().with(&[("Payment", &cells)]).text());
    rig.run(&["check", "orders.csv"]).says("found: \"Khata\" 4×, \"Udhar\", \"Exchange\"");
}

/// What became of one order for each cell of a column, beside COD: `go`, `out` or `held`.
#[track_caller]
pub(crate) fn fates(header: &str, cells: &[&str], expected: &str) {
    let payments = vec!["COD"; cells.len()];
    let all = came_of(&[(header, cells), ("Payment", &payments)]);
    for (row, cell) in cells.iter().enumerate() {
        let number = format!("N-{row}");
        let of = |code: &str| all.all(code).iter().any(|own| own.order == number);
        let fate = match () {
            () if all.booked().contains(&number.as_str()) => "go",
            () if of("row-left-out") => "out",
            () if of("held-back") => "held",
            () => "lost",
        };
        assert_eq!(fate, expected, "{header} = {cell}: {all:?}");
    }
    assert_eq!(all.exit == 0, expected != "held", "{header}");
}

#[test]
fn words_that_let_an_order_go() {
    let state = list(
        "|-|NA|New|Received|Yes|Scheduled|AWB pending|Label pending|Paid - to ship|Dispatch today|Success|\
         Confirmed on call|In stock|To be packed|Ready to be shipped|COD verified|Today|Not yet dispatched|\
         Packing done|Payment received|Urgent|Invoiced|ready",
    );
    fates("Status", &state, "go");
    let others: [(&str, &[&str]); 16] = [
        ("AWB No", &["pending", "to be generated", "NA", "Not generated", "awaited", ""]),
        ("Shipped", &["Pending", "No", "Not yet", "0", ""]),
        ("Delivery Status", &["Not delivered", "Pending", "To be dispatched"]),
        ("Dispatch", &["Today", "Pending", "Ready"]),
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
            &list(
                "please hold the door|do not fold|call before delivery|Gift - do not send bill|\
                 Leave at the gate|no returns",
            ),
        ),
    ];
    for (header, cells) in others {
        fates(header, cells, "go");
    }
}

#[test]
fn words_that_hold_an_order() {
    let others: [(&str, &[&str]); 24] = [
        ("Status", &list("Hold|Done|Completed|do not send|Payment pending|Not confirmed|Partially shipped|Xyz")),
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
        ("Remarks", &list("CANCELLED|do not ship|Don't send|HOLD - customer out of town|already sent|RTO|on hold")),
        ("Notes", &["Order cancelled by customer", "please do not dispatch", "hold till Monday", "Refunded 20/11"]),
        ("Column 7", &["Cancelled", "hold", "returned", "refunded", "prepaid"]),
        ("Courier", &["Cancelled"]),
    ];
    let note = |cells: &[&'static str]| cells.iter().copied().filter(|cell| *cell != "prepaid").collect::<Vec<_>>();
    for (header, cells) in others {
        fates(header, &note(cells), "held");
    }
    // What a cell of any column says of the payment is what is sent.
    let other =
        came_of(&[("Payment", &["COD", "PREPAID", "COD"]), ("Column 7", &["Prepaid", "cash on delivery", "cod"])]);
    assert_eq!((other.payments(), other.found("bad-payment")), (vec!["COD"], vec!["Prepaid", "cash on delivery"]));
    let paid = ["PREPAID"; 6];
    let state =
        came_of(&[("Payment", &paid), ("Payment Status", &["Pending", "Unpaid", "Failed", "Paid", "Success", ""])]);
    assert_eq!(state.found("held-back"), ["Pending", "Unpaid", "Failed"], "{state:?}");
    assert!(!state.has("duplicate-header"), "{state:?}");
    let flagged = came_of(&[("COD", &["Yes", "No", "No"]), ("Payment Status", &["Pending", "Paid", "Pending"])]);
    assert_eq!((flagged.payments(), flagged.found("held-back")), (vec!["COD", "PREPAID"], vec!["Pending"]));
}

#[test]
fn what_is_over_by_its_own_word_is_left_out_and_listed() {
    let others: [(&str, &[&str]); 10] = [
        (
            "Status",
            &list(
                "Shipped|Dispatched|DELIVERED|Cancelled by customer|RTO|Returned|Refunded|\
                 Shipped via Delhivery",
            ),
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
    let rig = Rig::of_a_shop();
    // Whatever else is wrong with it, and on however many rows it stands.
    let rows: [(&str, &[&str]); 5] = [
        ("Order No", &["O-1", "O-1", "O-2", "O-2", "O-3"]),
        ("Status", &["Shipped", "Shipped", "Shipped", "Pending", "New"]),
        ("Product", &["A", "B", "A", "B", "A"]),
        ("Phone", &["12", "12", "9876543210", "9876543210", "9876543210"]),
        ("Payment", &["COD"; 5]),
    ];
    let came = Table::unpaid().with(&rows).imported_by(&rig);
    assert_eq!(came.exits(4).booked(), ["O-3"]);
    assert_eq!((came.found("row-left-out"), came.found("held-back")), (vec!["Shipped"], vec!["Shipped"]));
    rig.run(&["import", "orders.csv", "--dry-run"]).says("1 cancelled or sent already, as the sheet says");
}

#[test]
fn a_sheet_that_is_kept_day_after_day_is_quiet() {
    let rig = Rig::of_a_shop();
    let paid = ["COD"; 4];
    let day = |status: &[&str], awb: &[&str], remarks: &[&str]| {
        let count = status.len();
        let columns = [("Status", status), ("AWB", awb), ("Remarks", remarks), ("Payment", &paid[..count])];
        Table::unpaid().with(&columns).imported_by(&rig)
    };
    let blank = [""; 4];
    let first = day(&["Pending", "New", "Pending"], &blank[..3], &blank[..3]);
    first.books(0, 3).tells(0);
    // Staff fill in what happened, in whatever column.
    let next = day(
        &["Shipped", "Delivered", "Pending", "New"],
        &["SBX1", "SBX2", "SBX3", ""],
        &["packed by Ravi", "", "", ""],
    );
    next.books(0, 4).tells(0);
    let last = day(&["Delivered", "RTO", "Cancelled", "Shipped"], &["SBX1"; 4], &blank);
    let told = last.books(0, 4).tells(1).tells_first("booked-before");
    assert_eq!(told.says("its shipment is not").advises("`shipsheet cancel N-2`").order, "N-2");
    rig.run(&["cancel", "N-2", "--yes"]).exits(0);
    let quiet = day(&["Delivered", "RTO", "Cancelled", "Shipped"], &["SBX1"; 4], &blank);
    assert!(!quiet.has("booked-before"), "{quiet:?}");
}

#[test]
fn sizes_in_one_cell_and_short_weights_are_read() {
    let parcel = |header: &str, cell: &str| parcel(&came_of(&[(header, &[cell]), ("Payment", &["COD"])]).requests[0].1);
    for (header, cell) in [
        ("Box Size (cm)", "22x16x11"),
        ("Package Size", "22*16*11"),
        ("LxBxH", "22 x 16 x 11 cm"),
        ("Dimensions", "22X16X11"),
        ("Parcel Dimensions (cm)", "22-16-11"),
    ] {
        assert_eq!(parcel(header, cell), "22x16x11 cm 0.5 kg", "{header}");
    }
    assert_eq!(parcel("Carton Size (inch)", "10x8x4"), "10x8x4 in 0.5 kg");
    // A size that has a name is none.
    assert_eq!(parcel("Box Size", "M"), "20x15x10 cm 0.5 kg");
    for header in ["Wt. (gm)", "Wt in gms", "Pkg Weight (gms)", "Gross Weight (g)"] {
        assert_eq!(parcel(header, "450"), "20x15x10 cm 450 g", "{header}");
    }
    let some = came_of(&[("Box Size (cm)", &["22x16x11", "big", ""]), ("Payment", &["COD"; 3])]);
    assert_eq!((some.requests.len(), some.found("bad-number").len()), (2, 3), "{some:?}");
}

#[test]
fn a_header_of_two_meanings_is_asked_about_whatever_stands_below_it() {
    for cell in ["Y", "N", "Yes", "No"] {
        let problem = with_column("Dispatch", cell).held("held-back");
        problem.is_at(2, "Dispatch").advises("\"Dispatched\"").advises("\"Ready to Dispatch\"");
    }
    with_column("Dispatched", "N").goes();
    with_column("Ready to Dispatch", "Y").goes();
}

#[test]
fn no_hint_loses_a_note_that_is_sent() {
    let problem = with_column("Remarks", "cancelled by customer").held("held-back");
    problem.advises_nothing_of("ignore").advises_nothing_of("empty").advises("accept");
}

/// What becomes of a good order with one more column.
fn with_column(header: &str, cell: &str) -> Came {
    imported(&format!("{HEADER},{header}\n{},{cell}\n", row("A-1")))
}
