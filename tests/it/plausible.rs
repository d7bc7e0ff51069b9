//! Figures that are well formed and hardly meant, and addresses of other countries.

use serde_json::Value;

use crate::bodies::CONFIGURATION;
use crate::rig::{HEADER, Rig, row, sheet};
use crate::words::text_of;

/// What an import came to: the exit code, the problems, the requests.
type Came = (i32, Vec<Value>, Vec<Value>);

/// Books a CSV with a rig of its own.
fn booked(text: &str) -> Came {
    let rig = Rig::new();
    rig.file("orders.csv", text);
    let (code, document) = rig.json(&["import", "orders.csv", "--yes"]);
    let bookings = rig.sandbox().book().bookings().into_iter();
    let bodies = bookings.map(|booking| serde_json::from_slice(&booking.body).unwrap()).collect();
    (code, document["problems"].as_array().unwrap().clone(), bodies)
}

/// Books a good sheet with more columns, whose cells follow for each order.
fn with(more: &str, cells: &[&str], change: impl Fn(&str) -> String) -> Came {
    let rows = (1..).zip(cells).map(|(number, cells)| format!("{},{cells}\n", change(&row(&format!("A-{number}")))));
    booked(&format!("{HEADER},{more}\n{}", rows.collect::<String>()))
}

fn as_cod(row: &str) -> String {
    row.replace("PREPAID", "COD")
}

/// That nothing was sent, and the one problem that says why.
#[track_caller]
fn held(came: &Came, code: &str, message: &str) -> Value {
    let (exit, problems, bodies) = came;
    assert!(*exit == 3 && bodies.is_empty(), "{problems:#?}");
    let errors: Vec<&Value> = problems.iter().filter(|problem| problem["severity"] == "error").collect();
    let said = errors.iter().all(|problem| problem["message"].as_str().unwrap().contains(message));
    assert!(!errors.is_empty() && said && errors.iter().all(|problem| problem["code"] == code), "{problems:#?}");
    errors[0].clone()
}

#[test]
fn percent_is_no_money() {
    for header in ["Shipping (%)", "Other Charges %"] {
        let problem =
            held(&with(header, &["10"], as_cod), "bad-unit", &format!("the header \"{header}\" says percent"));
        assert_eq!(problem["place"], format!("orders.csv:2 \"{header}\""));
        assert!(problem["hint"].as_str().unwrap().contains("write the amount into a column \""), "{problem}");
    }
    let (code, problems, bodies) = with("Discount %", &["0"], as_cod);
    assert_eq!((code, problems.len(), bodies.len()), (0, 0, 1), "{problems:#?}");
    // Beside the amount, the percent says nothing more.
    let (code, problems, bodies) = with("Discount %,Discount", &["10,99.98"], as_cod);
    assert_eq!((code, &bodies[0]["shippingProperties"]["discount"]), (0, &99.98.into()), "{problems:#?}");
}

#[test]
fn amounts_are_no_rates_of_tax() {
    for (header, cells) in
        [("Tax", ["18", "89"]), ("GST", ["18", "21.43"]), ("Tax", ["5", "7.92"]), ("GST", ["₹18", "5"])]
    {
        let problem = held(&with(header, &cells, as_cod), "total-differs", "that no field carries");
        assert_eq!(problem["place"], format!("orders.csv:2 \"{header}\""), "the whole column is money");
        let (code, problems, bodies) = with(header, &cells, str::to_owned);
        assert_eq!((code, &problems[0]["code"]), (0, &"unknown-column".into()), "{problems:#?}");
        assert_eq!(bodies[0]["productRequestsList"][0]["taxRate"], "0", "an amount is never a rate");
    }
    for (header, cells) in [("Tax", ["18", "0.25%"]), ("GST", ["28", "40"]), ("Tax Rate", ["8.875", "18"])] {
        let (code, problems, bodies) = with(header, &cells, as_cod);
        assert_eq!((code, bodies.len()), (0, 2), "{header}: {problems:#?}");
    }
    let rig = Rig::new();
    rig.file("own.toml", "[columns]\n\"productRequestsList.taxRate\" = \"GST Amount\"\n");
    rig.file("orders.csv", &format!("{HEADER},GST Amount\n{},18\n", row("A-1")));
    let own = rig.path("own.toml");
    let (code, document) = rig.json(&["import", "orders.csv", "--yes", "--profile", own.to_str().unwrap()]);
    assert_eq!((code, &document["problems"][0]["code"]), (3, &"ambiguous-number".into()), "{document}");
    let (_, _, bodies) = with("GST Amount", &["89"], str::to_owned);
    assert_eq!(bodies[0]["productRequestsList"][0]["taxRate"], "0", "an amount is never a rate");
}

#[test]
fn nothing_is_collected_only_where_that_is_meant() {
    let free = |row: &str| row.replace("499.90", "0");
    let problem = held(&with("Tags", &["x"], |row| as_cod(&free(row))), "not-positive", "nothing would be collected");
    assert_eq!(problem["place"], "orders.csv:2 \"Price\"");
    held(&with("Discount", &["999.80"], as_cod), "not-positive", "comes to 0");
    let (code, problems, bodies) = with("Tags", &["x"], free);
    assert_eq!((code, bodies.len(), problems.len()), (0, 1, 1), "{problems:#?}");
    assert!(problems[0]["severity"] == "warning" && problems[0]["message"].as_str().unwrap().contains("worth nothing"));
    // What is collected for delivery alone is something.
    let (code, problems, _) = with("Shipping", &["60"], |row| as_cod(&free(row)));
    assert_eq!(code, 0, "{problems:#?}");
}

#[test]
fn addresses_have_what_their_country_has() {
    let abroad = |code: &str, pin: &str, phone: &str, state: &str| {
        let place = format!("Bengaluru,{state},{code},{pin},");
        booked(&sheet([row("A-1").replace("Bengaluru,Karnataka,IN,560001,", &place).replace("9876543210", phone)]))
    };
    for (code, pin, phone) in [
        ("GB", "SW1A 1AA", "+447400123456"),
        ("DE", "10115", "+4915123456789"),
        ("SG", "018956", "+6581234567"),
        ("FR", "75001", "+33612345678"),
        ("NL", "1012 AB", "+31612345678"),
        ("AE", "", "+971501234567"),
        ("AE", "0", "+971501234567"),
        ("HK", "", "+85251234567"),
    ] {
        let (exit, problems, bodies) = abroad(code, pin, phone, "");
        assert_eq!((exit, problems.len(), bodies.len()), (0, 0, 1), "{code}: {problems:#?}");
        assert_eq!(
            (&bodies[0]["destination"]["state"], &bodies[0]["destination"]["pinCode"]),
            (&"".into(), &pin.into())
        );
    }
    held(&abroad("US", "94103", "4155550132", ""), "missing-value", "the State is missing");
    let message = "the PIN Code is missing; accepted is a postal code of United States of America: five digits";
    held(&abroad("US", "", "4155550132", "California"), "missing-value", message);
    held(&abroad("IN", "", "9876543210", "Goa"), "missing-value", "a postal code of India: six digits");
}

#[test]
fn a_column_of_states_is_missing_only_where_a_country_has_them() {
    let cases: &[(&[&str], bool)] = &[
        (&["Deutschland", "Germany"], true),
        (&["Germany", "India"], false),
        (&["Germany", ""], false),
        (&["Germany", "Utopia"], false),
        (&["India"], false),
    ];
    for (countries, goes) in cases {
        let rig = Rig::new();
        let columns: [(&str, &[&str]); 4] = [
            ("Country", countries),
            ("Payment", &["Prepaid", "Prepaid"]),
            ("Phone", &["+4915123456789", "+4915123456788"]),
            ("Pincode", &["10115", "10115"]),
        ];
        let columns = columns.map(|(header, cells)| (header, cells.get(..countries.len()).unwrap_or(cells)));
        rig.file("shipsheet.toml", CONFIGURATION);
        rig.file("sheet.csv", &text_of(&columns).replacen("State,", "Colour,", 1));
        let ran = rig.run(&["check", "sheet.csv"]);
        assert_eq!(!ran.stderr.contains("no column holds the State"), *goes, "{countries:?}: {ran:?}");
    }
}

#[test]
fn extensions_of_phones_are_taken_off_and_said() {
    let (code, problems, bodies) = booked(&sheet([row("A-1").replace("9876543210", "+91 98765 43210 ext. 12345")]));
    assert_eq!((code, &bodies[0]["receiver"]["phoneNumber"]), (0, &"9876543210".into()), "{problems:#?}");
    assert_eq!((problems.len(), &problems[0]["severity"]), (1, &"warning".into()), "{problems:#?}");
    assert!(problems[0]["message"].as_str().unwrap().contains("extension 12345"), "{problems:#?}");
}

#[test]
fn a_tax_that_may_come_on_top_holds_what_is_collected() {
    for header in ["Tax Amount", "GST Amount", "Total Tax"] {
        let problem =
            held(&with(header, &["179.96"], as_cod), "total-differs", "an amount of 179.96 that no field carries");
        assert!(problem["hint"].as_str().unwrap().contains("Taxes Included"), "{problem}");
        // Where nothing is collected, where the tax is none or in the prices, or where a total confirms, it goes, and is told.
        let all: [(&str, Came); 4] = [
            ("prepaid", with(header, &["179.96"], str::to_owned)),
            ("none", with(header, &["0"], as_cod)),
            ("in it", with(&format!("{header},Taxes Included"), &["179.96,yes"], as_cod)),
            ("confirmed", with(&format!("{header},COD Amount"), &["179.96,999.80"], as_cod)),
        ];
        for (case, (code, problems, bodies)) in all {
            assert_eq!((code, bodies.len()), (0, 1), "{header}, {case}: {problems:#?}");
            assert!(
                problems.iter().any(|problem| problem["code"] == "unknown-column"),
                "{header}, {case}: {problems:#?}"
            );
        }
    }
}

#[test]
fn currencies_are_those_of_the_list() {
    let came = with("Currency", &["XYZ"], str::to_owned);
    held(&came, "bad-currency", "not a currency code");
    let problem = held(&with("Currency", &["IMR"], str::to_owned), "bad-currency", "ISO 4217");
    assert!(problem["hint"].as_str().unwrap().contains("did you mean \"INR\"?"), "{problem}");
    let (code, _, bodies) = with("Currency", &["aed"], str::to_owned);
    assert_eq!((code, &bodies[0]["productRequestsList"][0]["currencyCode"]), (0, &"AED".into()));
}

#[test]
fn a_state_of_payment_is_no_type_of_it() {
    for state in ["authorized", "on-hold"] {
        let came = booked(&sheet([row("A-1").replace("PREPAID", state)]));
        let problem = held(&came, "bad-payment", "says how far the payment is, not how it is paid");
        assert!(!problem["hint"].as_str().unwrap().contains("payment_types"), "{problem}");
    }
}

#[test]
fn what_is_to_be_collected_goes_by_many_names() {
    for header in ["COD Amt", "Balance", "Balance Due", "Amount to collect", "To Collect"] {
        let problem = held(&with(header, &["500"], as_cod), "total-differs", "500.00 is to be collected");
        assert_eq!(problem["place"], format!("orders.csv:2 \"{header}\""));
        let (code, problems, _) = with(header, &["999.80"], as_cod);
        assert_eq!((code, problems.len()), (0, 0), "{header}: {problems:#?}");
    }
    for header in ["Advance Paid", "Paid Amount", "Advance"] {
        held(&with(header, &["100"], as_cod), "partly-paid", "a part of this order is paid already");
        let (code, problems, _) = with(header, &["0"], as_cod);
        assert_eq!((code, problems.len()), (0, 0), "{header}: {problems:#?}");
    }
}

#[test]
fn what_is_not_ready_is_not_shipped() {
    let held_back = [
        ("Status", &["On Hold", "Hold - call customer", "Done", "Booked"][..]),
        ("Order Status", &["Unpaid", "Fraud", "Duplicate", "Not confirmed", "Draft", "Out of stock"]),
        ("Shipment Status", &["Manifested", "Booked", "do not send"]),
        ("AWB", &["1234567890"]),
        ("Tracking No", &["DL 44"]),
        ("Tracking Number", &["https://example.com/t/1"]),
    ];
    for (header, cells) in held_back {
        for cell in cells {
            let asked = format!("\"{header}\" says \"{cell}\": is this order still to be shipped?");
            let problem = held(&with(header, &[cell], as_cod), "held-back", &asked);
            assert_eq!(problem["place"], format!("orders.csv:2 \"{header}\""));
            let hint = problem["hint"].as_str().unwrap();
            assert!(hint.contains("delete its rows if it is not"), "{problem}");
        }
    }
    let sent = [
        ("Status", &["", "New", "Pending", "Ready to ship", "processing", "CONFIRMED", "un-fulfilled"][..]),
        ("AWB", &["", "-", "NA"]),
        ("Dispatched", &["No", "n", "FALSE", "0", ""]),
        ("Cancelled", &["No", ""]),
    ];
    for (header, cells) in sent {
        let (code, problems, bodies) = with(header, cells, as_cod);
        assert_eq!((code, bodies.len()), (0, cells.len()), "{header}: {problems:#?}");
    }
}

#[test]
fn a_lost_number_is_typed_again_before_anything_else() {
    let lost = row("").replace("Kurta,K-1", "Scarf,S-1");
    let (_, problems, bodies) = booked(&sheet([row("A-1"), lost, row("A-3")]));
    assert_eq!(bodies.len(), 1, "{problems:#?}");
    let problem = problems.iter().find(|problem| problem["code"] == "missing-order-number").unwrap();
    let hint = problem["hint"].as_str().unwrap();
    assert!(hint.starts_with("type this row's own order number again"), "{hint}");
}

#[test]
fn grams_are_not_taken_for_kilograms() {
    let weighing = |header: &str, weight: &str| {
        booked(
            &sheet([row("A-1").replace(",0.5,", &format!(",{weight},"))]).replace(",Weight,", &format!(",{header},")),
        )
    };
    for weight in ["50", "99", "500"] {
        held(&weighing("Weight", weight), "bad-unit", "nothing says what this weight is in");
    }
    for (header, weight) in [("Weight", "49"), ("Weight (kg)", "60"), ("Weight (g)", "500")] {
        let (code, problems, bodies) = weighing(header, weight);
        assert_eq!((code, bodies.len()), (0, 1), "{header} {weight}: {problems:#?}");
    }
}

#[test]
fn a_whole_name_is_parted_at_its_last_word() {
    let named = |header: &str, name: &str| {
        let text = sheet([row("A-1").replace("Asha", name)]).replacen("Receiver First Name", header, 1);
        let (code, problems, bodies) = booked(&text);
        assert_eq!((code, bodies.len()), (0, 1), "{header}: {problems:#?}");
        ["firstName", "lastName"].map(|key| bodies[0]["receiver"][key].as_str().unwrap().to_owned())
    };
    for header in ["Name", "Customer Name", "Consignee"] {
        assert_eq!(named(header, "Asha Devi Rao"), ["Asha Devi", "Rao"], "{header}");
        assert_eq!(named(header, "Asha"), ["Asha", ""], "{header}");
    }
    assert_eq!(named("First Name", "Asha Devi"), ["Asha Devi", ""]);
    // A profile that is proposed says so, and does the same.
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1").replace("Asha", "Asha Rao")]).replacen("Receiver First Name", "Name", 1));
    let ran = rig.run(&["profile", "guess", "orders.csv", "--save", "counter"]);
    assert!(ran.code == 0 && ran.stderr.contains("Name → receiver.firstName and receiver.lastName"), "{ran:?}");
    assert_eq!(rig.run(&["import", "orders.csv", "--yes"]).code, 0);
    let body = &rig.bodies()[0].1;
    assert_eq!((&body["receiver"]["firstName"], &body["receiver"]["lastName"]), (&"Asha".into(), &"Rao".into()));
}
