//! Whether an order goes by what its cells say: what is plain is done, and what is not is asked.

use crate::rig::{Came, Columns, Rig, Table, came_of, list};
use crate::words::fates;

#[track_caller]
fn all(columns: Columns<'_>, fate: &str) {
    for (header, cells) in columns {
        fates(header, cells, fate);
    }
}

#[test]
fn an_order_is_left_out_only_where_the_whole_cell_says_so() {
    all(
        &[
            (
                "Status",
                &list(
                    "Dispatched 1 of 2|Shipped - 1 item balance|Cancelled one item|Cancelled 1 qty|\
                     Cancelled kurta only|Returned by courier, send new|Returned - change address|\
                     Delivered by 25 Nov|Delivered on 25 Nov 2198 must|Delivered on 25-11-2198|\
                     Delivered by Diwali|Sent for printing|Sent payment link|Picked up from vendor|\
                     In transit from supplier|Refunded 100 excess paid|Cancel reversed|\
                     Customer cancelled cancellation|Shipped?|Delivered on Monday|❌ shipped|X|❌|★",
                ),
            ),
            ("Delivered On", &["25/11/2198"]),
            ("Cancelled", &["x", "❌", "2 pcs", "25/11/2198"]),
            ("Shipped", &["X", "1 of 2", "?"]),
            ("Invoice Status", &["Cancelled", "Xyz"]),
        ],
        "held",
    );
    all(
        &[
            ("Invoice Status", &["Sent", "Done", "Unpaid", "Overdue"]),
            ("Packing Status", &["Sent"]),
            ("Shipped", &["❌", "✗"]),
            ("Confirmed", &["✅", "✓", "☑"]),
            ("Proof", &["Sent"]),
            ("Photo", &["Sent"]),
            ("Thank you card", &["Sent"]),
            ("Design", &["Sent"]),
            ("Customer Type", &["Returned"]),
        ],
        "go",
    );
    all(
        &[
            (
                "Status",
                &[
                    "Shipped through Ravi",
                    "Dispatched on 20-11-2025",
                    "Cancelled by us",
                    "✅ Shipped",
                    "Already delivered",
                ],
            ),
            ("Delivered", &["✅"]),
        ],
        "out",
    );
}

#[test]
fn what_a_column_of_consent_does_not_plainly_say_is_asked() {
    all(
        &[
            (
                "Confirmed",
                &list(
                    "call back|ringing|switch off|will confirm|wrong number|CNR|after Diwali|\
                     callback tomorrow|Monday|?|❌|✗|X|2|call",
                ),
            ),
            ("Confirmation", &["25/11/2198", "not picking", "☒"]),
            ("Ship?", &["Monday", "X", "later", "?"]),
            ("To Ship", &["after payment", "from Delhi"]),
            ("Stock", &["coming Monday", "-2", "-1", "25/11", "2 coming", "low?"]),
        ],
        "held",
    );
    all(
        &[
            ("Confirmed", &list("Yes - on call|by WhatsApp|cnf|20-11-2025|Confirmed by Ravi|haan ji|1|Yes 20-11-2025")),
            ("Ship?", &["yes", "ok", "today", "urgent"]),
            ("Stock", &["5 pcs", "Rack A12", "available", "10+", "few left", "available 2"]),
        ],
        "go",
    );
}

#[test]
fn a_parcel_that_comes_back_is_no_forward_shipment() {
    let back: &[&str] = &["Reverse", "Return pickup", "RVP", "Exchange pickup", "Return", "Exchange"];
    for header in ["Type", "Shipment Type", "Direction", "Movement", "Delivery Type", "Transaction Type"] {
        fates(header, back, "held");
        fates(
            header,
            &["Forward", "External", "B2C", "Surface", "Return gift", "Non-returnable", "No return", ""],
            "go",
        );
    }
    for header in ["Reverse Pickup", "Return Pickup", "Is Reverse", "RVP", "Exchange", "Exchange (Y-N)"] {
        fates(header, &["Yes", "Y", "TRUE"], "held");
        fates(header, &["No", "", "N", "FALSE", "-", "Forward"], "go");
    }
    // By the words of the cell, whatever the column is called.
    let words = ["Return", "Exchange", "Reverse Pickup", "RVP", "Replacement pickup", "Credit Note", "Return request"];
    for header in
        ["Order Type", "Request Type", "Voucher Type", "Category", "Purpose", "Request", "Txn", "Vch Kind", "Remarks"]
    {
        fates(header, &words, "held");
        let go = ["Replacement", "Forward", "Sale", "Exchange mela", "Exchange offer", "Return gift", ""];
        let prepaid = came_of(&[(header, &go), ("Payment", &["Prepaid"; 7])]);
        assert_eq!(prepaid.requests.len(), go.len(), "{prepaid:?}");
    }
    for header in ["Source", "Customer Type", "Return Policy", "Campaign"] {
        let prepaid = came_of(&[(header, &["Return", "Exchange", "Exchange mela"]), ("Payment", &["Prepaid"; 3])]);
        assert_eq!(prepaid.requests.len(), 3, "{prepaid:?}");
    }
    fates("Remarks", &["reverse pickup", "RVP", "pickup from customer", "Return pickup from customer"], "held");
    fates("Remarks", &["reversible jacket", "call before pickup"], "go");
    let came = came_of(&[("Type", &["Reverse"]), ("Payment", &["COD"])]);
    came.first("held-back").says("come back from the customer").advises("write \"Forward\" there");
}

#[test]
fn the_number_of_a_shipment_is_asked_in_any_column_about_its_courier() {
    for header in ["Courier Details", "Dispatch Details", "Courier Ref", "Courier", "Transport", "Shipped via"] {
        fates(header, &["DTDC D30998871", "Delhivery 149081233", "Speed Post EK123456789IN", "149081233"], "held");
        fates(header, &["DTDC", "Delhivery Surface", "Ravi 9876543210", "560001", ""], "go");
    }
    fates("Article No", &["EK123456789IN"], "held");
    fates("Article No", &["10023456", "ART-2026-118"], "go");
    fates("Courier Contact", &["149081233"], "go");
}

#[test]
fn a_day_of_dispatch_is_asked_where_it_is_over_or_where_days_are_written_as_orders_go() {
    let today = jiff::Timestamp::now().to_zoned_datetime(jiff::tz::TimeZone::get("Asia/Kolkata").unwrap()).date();
    let day = |ahead: i64| (today + jiff::Span::new().days(ahead)).strftime("%d/%m/%Y").to_string();
    let [before, yesterday, now, tomorrow] = [-2, -1, 0, 1].map(day);
    let (before, yesterday, now, tomorrow) = (before.as_str(), yesterday.as_str(), now.as_str(), tomorrow.as_str());
    // The cells of a column, and which of their orders are held.
    let cases: &[(&[&str], &[usize])] = &[
        (&[before, yesterday, now, "", ""], &[0, 1, 2]),
        (&[yesterday, yesterday], &[0, 1]),
        (&[before, now], &[0, 1]),
        (&[now, now, now], &[]),
        (&[now, tomorrow], &[]),
        (&[tomorrow, ""], &[]),
    ];
    for header in ["Dispatch Date", "Ship Date", "Date of Dispatch", "Despatch Dt"] {
        for (cells, held) in cases {
            let came = came_of(&[(header, cells), ("Payment", &vec!["COD"; cells.len()])]);
            let goes = (0..cells.len()).filter(|row| !held.contains(row)).map(|row| format!("N-{row}"));
            assert_eq!(came.booked(), goes.collect::<Vec<_>>(), "{came:?}");
        }
    }
}

#[test]
fn a_parcel_that_its_customer_fetches_is_asked() {
    let fetched: &[&str] = &["Local pickup", "Store Pickup", "Self pickup", "Pick up in store", "By hand"];
    for header in ["Shipping Method", "Delivery Method", "Delivery Type", "Courier", "Remarks", "Address", "City"] {
        fates(header, fetched, "held");
    }
    for header in ["Shipping Method", "Delivery Type", "Courier"] {
        fates(header, &["Standard", "Pickup", "Home delivery", "Free shipping"], "go");
    }
    fates("Address", &["Self Pickup Point, MG Road", "Hand Mill Road 4"], "go");
    fates("Delivered By", &["Ravi", "Ravi on bike"], "held");
    fates("Delivered By", &["", "-", "Surface"], "go");
    fates("Delivery Boy", &["Ravi"], "go");
}

#[test]
fn what_any_packer_calls_fine_or_over_is_not_asked() {
    fates("Remarks", &["Booked by sister", "booked on phone", "Order booked by mother", "Booked through insta"], "go");
    fates("Remarks", &["Booked by Ravi", "Booked on portal", "Cancelled - out of stock"], "held");
    for header in ["Size", "Fabric", "Print Name", "Campaign"] {
        fates(header, &["Test", "Hold", "Sent"], "go");
    }
    fates("Order State", &["Karnataka", "Tamil Nadu", "new"], "go");
    let over: &[&str] = &list(
        "Cancelled - out of stock|Cancelled (OOS)|Cancelled, refund done|Cancelled due to no stock|\
         cancelled by customer - changed mind|RTO - refused|Returned to origin",
    );
    fates("Status", over, "out");
    let unclear: &[&str] = &[
        "Cancelled duplicate order",
        "Returned - wrong size",
        "Cancelled - no",
        "Cancelled old address",
        "Delivered - refused",
    ];
    fates("Status", unclear, "held");
}

#[test]
fn a_blank_cell_is_asked_where_others_say_yes() {
    for header in ["Confirmed", "COD Confirmed", "Ship?"] {
        let some = came_of(&[(header, &["Yes", "", "on call", ""]), ("Payment", &["COD", "COD", "COD", "PREPAID"])]);
        let of_cod = header.contains("COD");
        some.books(4, if of_cod { 3 } else { 2 });
        some.first("held-back").says("is blank here").advises_first("write yes there");
        // As the hint says, and where nobody says anything.
        for cell in ["Yes", ""] {
            let all = came_of(&[(header, &[cell, cell]), ("Payment", &["COD", "COD"])]);
            all.books(0, 2);
        }
    }
    let stock = came_of(&[("Stock", &["Yes", ""]), ("Payment", &["COD", "COD"])]);
    stock.books(0, 2);
}

#[test]
fn what_a_courier_has_already_is_asked() {
    all(
        &[
            (
                "Status",
                &list(
                    "Booked - pickup pending|Booked via Delhivery|Pickup scheduled|Scheduled for pickup|\
                     Pickup assigned|Assigned to courier|Awaiting pickup|Waiting for pickup by courier|\
                     Label generated|Label printed pickup pending|Manifested today|Dispatch done",
                ),
            ),
            ("Shipment Status", &["Pickup Scheduled", "Label generated", "Booked"]),
            ("Courier Status", &["Pickup Scheduled", "Manifested"]),
            ("Cancel Date", &["20-11-2026", "20/11"]),
            ("Cancellation Date", &["20-11-2026"]),
            ("Return Date", &["20-11-2026"]),
            ("LR / AWB", &["B12345678"]),
            ("Consignment", &["B12345678"]),
            ("Speed Post No", &["EK123456789IN"]),
            ("Docket Date", &["18/11"]),
            ("Courier Receipt No", &["1234"]),
            ("Shiprocket ID", &["12345"]),
        ],
        "held",
    );
    all(
        &[
            ("Status", &["AWB pending", "Label pending", "Label to be printed", "To be booked", "Booking pending"]),
            ("AWB", &["pending", "to be generated"]),
            ("Status", &["Paid online", "Ready - Delhivery", "Confirmed by Ravi", "Ordered", "Conf", "Repeat"]),
            ("Booked On", &["20/11/2026"]),
            ("Booking", &["Online", "Phone"]),
            ("Booking No", &["123"]),
            ("Fulfilment", &["Self", "Seller"]),
            ("Dispatch", &["Surface", "Normal"]),
            ("Cancel Date", &["", "-"]),
        ],
        "go",
    );
    // Beside the day of the order it is the courier's.
    let booked = came_of(&[("Booked On", &["20/11/2026"]), ("Order Date", &["18/11/2026"]), ("Payment", &["COD"])]);
    assert_eq!(booked.found("held-back"), ["20/11/2026"], "{booked:?}");
}

#[test]
fn notes_that_begin_with_the_end_of_an_order_are_asked_whatever_follows() {
    let stop: &[&str] = &list(
        "Dispatched via Delhivery|shipped on 18/11|sent by DTDC 18/11|delivered 19/11|parcel sent|\
         refund done|Refund initiated|money returned|customer refused|OOS|stock not available|not required|\
         no need|duplicate entry|test|cancel kar do|self pickup|collected by hand|\
         do not ship - address issue|CANCELLED (refund done?)|Customer cancelled when called|\
         Cancelled - otherwise RTO|Client cancelled|Ord cancel by cust|Keep hold|wait for payment|\
         ship only after payment",
    );
    let go: &[&str] = &list(
        "cancelled earlier, now confirmed|Cancelled earlier order 1002|RTO resend|RTO reship|\
         Returned - reship to new address|Refunded 50 for delay|Already booked slot 5pm|\
         Hold: call before delivery|sent card along|no need to call",
    );
    all(&[("Call Remark", &["not interested", "Customer cancelled"])], "held");
    for header in ["Remarks", "Column 9"] {
        fates(header, stop, "held");
        fates(header, go, "go");
    }
}

/// A sheet of one order of two products.
fn of_two(header: &str, cells: &[&str]) -> Came {
    let count = cells.len();
    let products = ["A", "B"];
    came_of(&[
        ("Order No", &["O-1", "O-1"][..count]),
        (header, cells),
        ("Product", &products[2 - count..]),
        ("Payment", &["COD", "COD"][..count]),
    ])
}

#[test]
fn of_an_order_that_is_over_in_part_the_rest_is_asked() {
    let parts = [
        ("Status", ["Cancelled", ""], "ready"),
        ("Status", ["Shipped", "Hold"], "ready"),
        ("Status", ["Cancelled", "New"], "ready"),
        ("Shipped", ["Yes", ""], ""),
        ("Cancelled", ["Yes", ""], ""),
        ("Cancelled", ["Yes", "No"], ""),
        ("Confirmed", ["Cancelled", "Yes"], "yes"),
    ];
    for (header, cells, rest) in parts {
        let asked = of_two(header, &cells);
        assert!([3, 4].contains(&asked.exit) && asked.requests.is_empty(), "{asked:?}");
        let told = asked.first("held-back");
        told.says("not on all").advises_first("delete the rows of the products that should not be shipped");
        // As the hint says.
        let booked = of_two(header, &[rest]);
        let lines = booked.requests[0].1["productRequestsList"].as_array().unwrap();
        assert!(lines.len() == 1 && lines[0]["productName"] == "B", "{header}: {lines:#?}");
    }
    let whole = of_two("Status", &["Cancelled", "Cancelled by customer"]);
    assert_eq!((whole.exit, whole.found("row-left-out")), (0, vec!["Cancelled"]), "{whole:?}");
    // Where the order is told on its first row alone, that row's word is the order's.
    let rig = Rig::of_a_shop();
    let second: [(&str, &[&str]); 10] = [
        ("Order No", &["O-1", "O-1"]),
        ("Status", &["Cancelled", ""]),
        ("Customer Name", &["Asha Rao", ""]),
        ("Phone", &["9876543210", ""]),
        ("Address", &["14 MG Road", ""]),
        ("City", &["Bengaluru", ""]),
        ("State", &["Karnataka", ""]),
        ("Pincode", &["560001", ""]),
        ("Country", &["India", ""]),
        ("Payment", &["COD", ""]),
    ];
    let first = Table::unpaid().with(&second).imported_by(&rig);
    assert_eq!((first.exit, first.found("row-left-out")), (0, vec!["Cancelled"]), "{first:?}");
}

#[test]
fn what_staff_write_of_an_order_that_was_booked_here_is_quiet() {
    let rig = Rig::of_a_shop();
    let day = |status: &[&str]| Table::unpaid().with(&[("Status", status), ("Payment", &["COD"; 3])]).imported_by(&rig);
    assert_eq!(day(&["New", "Ready", ""]).requests.len(), 3);
    for status in [["Booked", "Pickup scheduled", "Label printed"], ["Manifested", "Shipped via Delhivery", "RTO"]] {
        let next = day(&status);
        next.books(0, 3).tells(0);
    }
}
