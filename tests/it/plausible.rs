//! Figures that are well formed and hardly meant, and addresses of other countries.

use crate::rig::{Came, HEADER, Rig, Table, imported, imported_by, row, sheet};

/// Books a good sheet with more columns, whose cells follow for each order.
fn with(more: &str, cells: &[&str], change: impl Fn(&str) -> String) -> Came {
    let rows = (1..).zip(cells).map(|(number, cells)| format!("{},{cells}\n", change(&row(&format!("A-{number}")))));
    imported(&format!("{HEADER},{more}\n{}", rows.collect::<String>()))
}

fn as_cod(row: &str) -> String {
    row.replace("PREPAID", "COD")
}

#[test]
fn percent_is_no_money() {
    for header in ["Shipping (%)", "Other Charges %"] {
        let problem = with(header, &["10"], as_cod).held("bad-unit");
        problem.is_at(2, header).says("percent").advises("has the amount");
    }
    with("Discount %", &["0"], as_cod).goes_silently();
    // Beside the amount, the percent says nothing more.
    let sent = with("Discount %,Discount", &["10,99.98"], as_cod).goes();
    assert_eq!(sent["shippingProperties"]["discount"], 99.98);
}

#[test]
fn amounts_are_no_rates_of_tax() {
    for (header, cells) in
        [("Tax", ["18", "89"]), ("GST", ["18", "21.43"]), ("Tax", ["5", "7.92"]), ("GST", ["₹18", "5"])]
    {
        // The whole column is money.
        with(header, &cells, as_cod).held("total-differs").is_at(2, header);
        let came = with(header, &cells, str::to_owned);
        came.books(0, 2).tells_first("unknown-column");
        let first = came.request_of("A-1");
        assert_eq!(first["productRequestsList"][0]["taxRate"], "0", "an amount is never a rate");
    }
    for (header, cells) in [("Tax", ["18", "0.25%"]), ("GST", ["28", "40"]), ("Tax Rate", ["8.875", "18"])] {
        with(header, &cells, as_cod).books(0, 2);
    }
    let own = "[columns]\n\"productRequestsList.taxRate\" = \"GST Amount\"\n";
    let text = format!("{HEADER},GST Amount\n{},18\n", row("A-1"));
    imported_by(own, &text).exits(3).tells_first("ambiguous-number");
    let came = with("GST Amount", &["89"], str::to_owned);
    assert_eq!(came.request()["productRequestsList"][0]["taxRate"], "0", "an amount is never a rate");
}

#[test]
fn nothing_is_collected_only_where_that_is_meant() {
    let free = |row: &str| row.replace("499.90", "0");
    with("Tags", &["x"], |row| as_cod(&free(row))).held("not-positive").is_at(2, "Price");
    with("Discount", &["999.80"], as_cod).held("not-positive").is_at(2, "Price").says("comes to 0");
    let came = with("Tags", &["x"], free);
    came.warned("unusual-value").is_at(2, "Price");
    assert_eq!(came.problems.len(), 1, "{came:?}");
    // What is collected for delivery alone is something.
    with("Shipping", &["60"], |row| as_cod(&free(row))).exits(0);
}

#[test]
fn addresses_have_what_their_country_has() {
    let abroad = |code: &str, pin: &str, phone: &str, state: &str| {
        let place = format!("Bengaluru,{state},{code},{pin},");
        imported(&sheet([row("A-1").replace("Bengaluru,Karnataka,IN,560001,", &place).replace("9876543210", phone)]))
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
        let to = abroad(code, pin, phone, "").goes_silently()["destination"].clone();
        assert_eq!((&to["state"], &to["pinCode"]), (&"".into(), &pin.into()));
    }
    // Spreadsheets take two zeros off the codes of Puerto Rico.
    let there = abroad("US", "901", "7875550142", "Puerto Rico").request()["destination"]["pinCode"].clone();
    assert_eq!(there, "00901");
    abroad("US", "94103", "4155550132", "").held("missing-value").is_at(2, "State");
    // What is accepted is told by the country.
    let american = abroad("US", "", "4155550132", "California").held("missing-value");
    american.is_at(2, "PIN Code").says("United States of America").says("five digits");
    abroad("IN", "", "9876543210", "Goa").held("missing-value").is_at(2, "PIN Code").says("India").says("six digits");
}

#[test]
fn a_column_of_states_is_missing_only_where_a_country_has_them() {
    let cases: &[(&[&str], bool)] = &[
        (&["Deutschland", "Germany"], true),
        (&["Germany", "India"], false),
        (&["Germany", ""], false),
        (&["Germany", "Utopia"], false),
        (&["Utopia"], false),
        (&["India"], false),
    ];
    for (countries, goes) in cases {
        let columns: [(&str, &[&str]); 4] = [
            ("Country", countries),
            ("Payment", &["Prepaid", "Prepaid"]),
            ("Phone", &["+4915123456789", "+4915123456788"]),
            ("Pincode", &["10115", "10115"]),
        ];
        let columns = columns.map(|(header, cells)| (header, cells.get(..countries.len()).unwrap_or(cells)));
        let came = Table::unpaid().with(&columns).renamed(&[("State", "Colour")]).imported();
        let is_missed = came.all("missing-column").iter().any(|problem| problem.field == "destination.state");
        assert_eq!(!is_missed, *goes, "{came:?}");
        // A country that nobody knows holds its own order, not that beside it.
        if countries.contains(&"Utopia") {
            let others = &["N-0", "N-1"][..countries.len() - 1];
            assert_eq!(came.booked(), others, "{came:?}");
        }
    }
}

#[test]
fn extensions_of_phones_are_taken_off_and_said() {
    let came = imported(&sheet([row("A-1").replace("9876543210", "+91 98765 43210 ext. 12345")]));
    assert_eq!(came.goes()["receiver"]["phoneNumber"], "9876543210");
    assert_eq!(came.problems.len(), 1, "{came:?}");
    came.problems[0].is_warning().is_at(2, "Receiver Phone").says("12345");
}

#[test]
fn a_tax_that_may_come_on_top_holds_what_is_collected() {
    for header in ["Tax Amount", "GST Amount", "Total Tax"] {
        let problem = with(header, &["179.96"], as_cod).held("total-differs");
        problem.is_at(2, header).says("179.96").advises("Taxes Included");
        // Where nothing is collected, where the tax is none or in the prices, or where a total confirms, it goes, and is told.
        for came in [
            with(header, &["179.96"], str::to_owned),
            with(header, &["0"], as_cod),
            with(&format!("{header},Taxes Included"), &["179.96,yes"], as_cod),
            with(&format!("{header},COD Amount"), &["179.96,999.80"], as_cod),
        ] {
            came.goes();
            assert!(came.has("unknown-column"), "{came:?}");
        }
    }
}

#[test]
fn currencies_are_those_of_the_list() {
    with("Currency", &["XYZ"], str::to_owned).held("bad-currency").is_at(2, "Currency");
    let near = with("Currency", &["IMR"], str::to_owned).held("bad-currency");
    near.is_at(2, "Currency").says("ISO 4217").advises("did you mean \"INR\"?");
    let came = with("Currency", &["aed"], str::to_owned);
    assert_eq!(came.goes()["productRequestsList"][0]["currencyCode"], "AED");
}

#[test]
fn a_state_of_payment_is_no_type_of_it() {
    for state in ["authorized", "on-hold"] {
        let problem = imported(&sheet([row("A-1").replace("PREPAID", state)])).held("bad-payment");
        problem.is_at(2, "Payment Type").says("how far the payment is").advises_nothing_of("payment_types");
    }
}

#[test]
fn what_is_to_be_collected_goes_by_many_names() {
    for header in ["COD Amt", "Balance", "Balance Due", "Amount to collect", "To Collect"] {
        with(header, &["500"], as_cod).held("total-differs").is_at(2, header).says("500.00");
        with(header, &["999.80"], as_cod).goes_silently();
    }
    for header in ["Advance Paid", "Paid Amount", "Advance"] {
        with(header, &["100"], as_cod).held("partly-paid").is_at(2, header);
        with(header, &["0"], as_cod).goes_silently();
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
            let problem = with(header, &[cell], as_cod).held("held-back");
            assert_eq!(problem.is_at(2, header).advises("delete its rows if it is not").found, *cell);
        }
    }
    let sent = [
        ("Status", &["", "New", "Pending", "Ready to ship", "processing", "CONFIRMED", "un-fulfilled"][..]),
        ("AWB", &["", "-", "NA"]),
        ("Dispatched", &["No", "n", "FALSE", "0", ""]),
        ("Cancelled", &["No", ""]),
    ];
    for (header, cells) in sent {
        with(header, cells, as_cod).books(0, cells.len());
    }
}

#[test]
fn a_lost_number_is_typed_again_before_anything_else() {
    let lost = row("").replace("Kurta,K-1", "Scarf,S-1");
    let came = imported(&sheet([row("A-1"), lost, row("A-3")]));
    assert_eq!(came.requests.len(), 1, "{came:?}");
    let hint = came.first("missing-order-number").hint;
    assert!(hint.starts_with("type this row's own order number again"), "{hint}");
}

#[test]
fn grams_are_not_taken_for_kilograms() {
    let weighing = |header: &str, weight: &str| {
        let text = sheet([row("A-1").replace(",0.5,", &format!(",{weight},"))]);
        imported(&text.replace(",Weight,", &format!(",{header},")))
    };
    for weight in ["50", "99", "500"] {
        assert_eq!(weighing("Weight", weight).held("bad-unit").is_at(2, "Weight").found, weight);
    }
    // What no parcel weighs, and what one may.
    for (header, weights) in [("Weight (kg)", ["5000", "0.0005"]), ("Weight (g)", ["0.5", "500000"])] {
        for weight in weights {
            weighing(header, weight)
                .held("unusual-value")
                .says(format!("{weight} {}", &header[8..].trim_matches(['(', ')'])));
        }
    }
    for (header, weight) in [
        ("Weight", "29"),
        ("Weight (kg)", "30"),
        ("Weight (kg)", "0.002"),
        ("Weight (g)", "500"),
        ("Weight (g)", "12.5"),
        ("Weight (oz)", "0.1"),
    ] {
        weighing(header, weight).goes();
    }
}

#[test]
fn a_whole_name_is_parted_at_its_last_word() {
    let named = |header: &str, name: &str| {
        let text = sheet([row("A-1").replace("Asha", name)]).replacen("Receiver First Name", header, 1);
        let receiver = imported(&text).goes()["receiver"].clone();
        ["firstName", "lastName"].map(|key| receiver[key].as_str().unwrap().to_owned())
    };
    for header in ["Name", "Customer Name", "Consignee"] {
        assert_eq!(named(header, "Asha Devi Rao"), ["Asha Devi", "Rao"], "{header}");
        assert_eq!(named(header, "Asha"), ["Asha", ""], "{header}");
    }
    assert_eq!(named("First Name", "Asha Devi"), ["Asha Devi", ""]);
    // A profile that is proposed says so, and does the same.
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1").replace("Asha", "Asha Rao")]).replacen("Receiver First Name", "Name", 1));
    let guessed = rig.run(&["profile", "guess", "orders.csv", "--save", "counter"]);
    guessed.exits(0).says("Name → receiver.firstName and receiver.lastName");
    let receiver = rig.import(&["orders.csv"]).goes()["receiver"].clone();
    assert_eq!((&receiver["firstName"], &receiver["lastName"]), (&"Asha".into(), &"Rao".into()));
}
