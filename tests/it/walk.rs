//! An unknown layout at a terminal: it is asked about, kept, and the import goes on; elsewhere nobody is asked.

use serde_json::Value;

use crate::rig::{Rig, row, row_of_own, sheet};
use crate::terminal::Terminal;

/// A sheet whose headers say little.
const ODD: &str = "Bill,Who,Ring,Abode,Town,Realm,Zip,Item,Rate,Tally,Heft,Colour
B-1,Asha Rao,9876543210,14 MG Road,Bengaluru,Karnataka,560001,Kurta,499.90,2,500,red
B-2,Vikram,9812345678,15 MG Road,Pune,Maharashtra,411001,Saree,1299.00,1,800,blue
";

/// Each question with its answer, up to the whole mapping.
const ANSWERS: [(&str, &str); 20] = [
    ("are taken from the only columns like it", ""),
    ("1 of 10:", "bill\n"),
    ("2 of 10:", "f\n"),
    ("for instance WH-1:", "WH-1\n"),
    ("3 of 10:", "Who\n"),
    ("4 of 10:", "Abode\n"),
    ("5 of 10:", "f\n"),
    ("for instance IN:", "India\n"),
    ("6 of 10:", "f\n"),
    ("for instance 20:", "30\n"),
    ("7 of 10:", "f\n"),
    ("for instance 15:", "20\n"),
    ("8 of 10:", "f\n"),
    ("for instance 10:", "5\n"),
    ("9 of 10:", "Heft\n"),
    ("Which unit is Heft (500) in?", "g\n"),
    ("10 of 10:", "f\n"),
    ("for instance PREPAID:", "cash\n"),
    ("\"cash\" cannot be used", "cod\n"),
    ("This is how odd.csv will be read", "y\n"),
];

/// Whether anything of a profile or a ledger is there.
fn anything_written(rig: &Rig) -> bool {
    rig.path("ledger.sqlite").exists() || rig.path(".config").exists()
}

#[test]
fn an_unknown_layout_is_asked_about_kept_and_booked() {
    let rig = Rig::new();
    rig.file("odd.csv", ODD);
    let mut terminal = Terminal::start(rig.command(&["import", "odd.csv"]));
    for (question, answer) in ANSWERS {
        terminal.answer(question, answer);
    }
    terminal.answer("name, or n to use it this once [odd]:", "counter\n");
    terminal.shows("kept as counter in");
    terminal.shows("profile counter, ");
    let at = rig.sandbox().base_url();
    terminal.answer(&format!("Book 2 orders for real? ({at}, by the token of SHIPSHEET_TOKEN) [y/N]"), "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    let only = "Receiver Phone       ← Ring             9876543210  (the only column like it)";
    for line in [only, "Receiver First Name  ← Who              Asha Rao", "Payment Type         = cod for all orders"]
    {
        assert!(screen.contains(line), "{line}: {screen}");
    }
    let sent = rig.body_of("B-1");
    assert_eq!(sent["receiver"]["phoneNumber"], "9876543210");
    assert_eq!(sent["destination"]["countryCode"], "IN");
    assert_eq!(sent["parcelAttributes"]["weight"]["weight"], 0.5);
    assert_eq!(sent["parcelAttributes"]["weight"]["unit"], "kg");
    assert_eq!(sent["shippingProperties"]["orderType"], "COD");
    // From now on nobody is asked, also where nobody is.
    rig.file("tuesday.csv", &ODD.replace("B-", "T-"));
    rig.run(&["import", "tuesday.csv", "--yes"]).exits(0).says("profile counter");
    assert_eq!(rig.bookings().len(), 4);
}

#[test]
fn a_profile_of_the_program_is_asked_only_for_what_it_leaves_open() {
    let rig = Rig::new();
    let shop = "Name,Financial Status,Fulfillment Status,Cancelled at,Created at,Lineitem name,Lineitem quantity,Lineitem price,Shipping Name,\
                Shipping Phone,Shipping Address1,Shipping City,Shipping Province,Shipping Country,Shipping Zip,Payment Method\n\
                #1001,paid,unfulfilled,,2026-11-20 10:00:00 +0530,Kurta,1,499.90,Asha Rao,9876543210,14 MG Road,Bengaluru,KA,IN,'560001,Razorpay\n";
    rig.file("shop.csv", shop);
    let mut terminal = Terminal::start(rig.command(&["import", "shop.csv", "--yes"]));
    let answers = [
        ("1 of 5: Which column has the warehouse", "WH-1\n"),
        ("2 of 5:", "n\n"),
        ("3 of 5:", "20\n"),
        ("4 of 5:", "5\n"),
        ("5 of 5:", "0.4\n"),
        ("Length               missing", "2\n"),
        ("no column is left that could have it", "30\n"),
        ("Length               = 30 cm for all orders", "\n"),
        ("[shop]:", "\n"),
    ];
    for (question, answer) in answers {
        terminal.answer(question, answer);
    }
    let (code, screen) = terminal.end();
    assert!(code == Some(0) && screen.contains("profile shop,"), "{screen}");
    assert!(screen.contains("everything else as the profile shopify has it"), "{screen}");
    let sent = rig.body_of("#1001");
    assert_eq!(sent["parcelAttributes"]["weight"]["weight"], 0.4);
    assert_eq!(sent["receiver"]["lastName"], "Rao");
    rig.file("again.csv", &shop.replace("#1001", "#1002"));
    rig.run(&["import", "again.csv", "--yes"]).exits(0);
}

#[test]
fn leaving_writes_nothing() {
    for leave in ["q\n", "\u{4}"] {
        for questions in [1, 4, ANSWERS.len() - 1] {
            let rig = Rig::new();
            rig.file("odd.csv", ODD);
            let mut terminal = Terminal::start(rig.command(&["import", "odd.csv", "--yes"]));
            for (question, answer) in &ANSWERS[..questions] {
                terminal.answer(question, answer);
            }
            terminal.answer(ANSWERS[questions].0, leave);
            let (code, screen) = terminal.end();
            assert_eq!(code, Some(3), "{screen}");
            assert!(screen.contains("nothing was written and nothing was sent"), "{screen}");
            assert!(!anything_written(&rig));
        }
    }
}

#[test]
fn an_interrupt_writes_nothing() {
    let rig = Rig::new();
    rig.file("odd.csv", ODD);
    let mut terminal = Terminal::start(rig.command(&["import", "odd.csv", "--yes"]));
    terminal.answer("1 of 10:", "Bill\n");
    terminal.shows("2 of 10:");
    terminal.interrupt();
    let (code, screen) = terminal.end();
    assert_eq!(code, None, "it ends by the signal: {screen}");
    assert!(!anything_written(&rig) && rig.bookings().is_empty());
}

#[test]
fn a_layout_of_two_names_is_chosen_between() {
    let rig = Rig::new();
    for name in ["north", "south"] {
        rig.file("orders.csv", &sheet([row("A-1")]).replace("Warehouse", "Depot"));
        rig.run(&["profile", "guess", "orders.csv", "--save", name]).exits(0);
        let path = rig.path(&format!(".config/shipsheet/profiles/{name}.toml"));
        let text = std::fs::read_to_string(&path).unwrap();
        let filled = text.replace("# \"warehouseId\" = \"WH-1\"", &format!("\"warehouseId\" = \"{name}\""));
        assert!(text != filled && !filled.contains("\n# \""), "only the warehouse was left open: {text}");
        std::fs::write(&path, filled).unwrap();
    }
    rig.run(&["import", "orders.csv", "--yes"]).exits(3).says("north and south");
    let mut terminal = Terminal::start(rig.command(&["import", "orders.csv", "--yes"]));
    terminal.answer("Which one is it?", "2\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(rig.body_of("A-1")["warehouseId"], "south");
}

#[test]
fn elsewhere_nobody_is_asked() {
    let rig = Rig::new();
    rig.file("odd.csv", ODD);
    let mut command = rig.command(&["import", "odd.csv", "--yes"]);
    // Answers that would do, from a pipe.
    let answers: String = ANSWERS.iter().map(|(_, answer)| *answer).collect();
    rig.file("answers", &answers);
    command.stdin(std::fs::File::open(rig.path("answers")).unwrap());
    crate::rig::ran(command).exits(3).says_nothing_of("of 10:").says("profile guess");
    assert!(!anything_written(&rig));
    // What is only a matter of a blank cell or a wrong value is nothing to ask about.
    rig.file("good.csv", &sheet([row("A-1").replace("9876543210", "98")]));
    let (code, screen) = Terminal::start(rig.command(&["import", "good.csv", "--yes"])).end();
    assert!(code == Some(3) && screen.contains("phone-form") && !screen.contains("goes back"), "{screen}");
}

#[test]
fn an_amount_for_all_pieces_and_what_is_to_be_collected_are_asked_about() {
    // A total by its header, and one that no header tells.
    for header in ["Amount", "Kul paisa"] {
        let rig = Rig::new();
        let sheet = ODD.replace("Rate", header).replace("Colour", "Door").replace("499.90", "999.80");
        rig.file("odd.csv", &sheet.replace(",red", ",999.80").replace(",blue", ","));
        let mut terminal = Terminal::start(rig.command(&["import", "odd.csv"]));
        let (before, last) = ANSWERS.split_at(16);
        for (question, answer) in before {
            terminal.answer(&question.replace("of 10", "of 11"), answer);
        }
        terminal.answer("10 of 11:", &format!("{header}\n"));
        terminal.answer(&format!("What is {header} for?"), "2\n");
        terminal.answer("11 of 11:", "Door\n");
        terminal.shows("an amount above zero is COD");
        let (question, answer) = last[last.len() - 1];
        terminal.answer(question, answer);
        terminal.answer("name, or n to use it this once [odd]:", "counter\n");
        terminal.answer("Book 2 orders for real? (", "y\n");
        let (code, screen) = terminal.end();
        assert_eq!(code, Some(0), "{screen}");
        let (first, second) = (rig.body_of("B-1"), rig.body_of("B-2"));
        assert_eq!(first["productRequestsList"][0]["price"], 499.9, "999.80 for two");
        let payment = |body: &Value| body["shippingProperties"]["orderType"].clone();
        assert_eq!((payment(&first), payment(&second)), ("COD".into(), "PREPAID".into()));
    }
}

#[test]
fn what_yes_means_of_a_payment_and_what_an_amount_is_are_asked() {
    let books = |means: &str, is_asked: bool| {
        let rig = Rig::new();
        let rows = ["A-1", "A-2"].map(row_of_own);
        let [first, second] = rows.map(|row| format!("{row},60"));
        let text = sheet([first.replace("PREPAID", "N"), second.replace("PREPAID", "Y")]);
        let (header, rows) = text.split_once('\n').unwrap();
        rig.file("orders.csv", &format!("{},Xyzzy\n{rows}", header.replace("Payment Type", "Settled?")));
        let mut terminal = Terminal::start(rig.command(&["import", "orders.csv", "--yes"]));
        terminal.answer("Which column has the kind of payment", "Settled?\n");
        terminal.answer("What does yes mean in \"Settled?\"?", means);
        if is_asked {
            terminal.answer("not sent: Xyzzy", "y\n");
        } else {
            // A column that is left out can be added at the end.
            terminal.answer("+ sends one more column", "+\n");
            terminal.answer("Which column is to be sent, too?", "1\n");
            terminal.answer("the Shipping Charges", "4\n");
            terminal.answer("Shipping Charges     ← Xyzzy", "y\n");
        }
        terminal.answer("name, or n to use it this once [orders]:", "n\n");
        if is_asked {
            terminal.shows("1 column holds amounts that may change what is collected. What is it for?");
            terminal.answer("\"Xyzzy\" 60:", "1\n");
        }
        let (code, screen) = terminal.end();
        assert_eq!(code, Some(0), "{screen}");
        ["A-1", "A-2"].map(|number| {
            let body = rig.body_of(number);
            let sent = &body["shippingProperties"];
            format!("{} {}", sent["orderType"], sent["shippingCharges"])
        })
    };
    assert_eq!(books("2\n", true), ["\"COD\" 60.0", "\"PREPAID\" 60.0"]);
    assert_eq!(books("1\n", false), ["\"PREPAID\" 60.0", "\"COD\" 60.0"]);
}

/// Orders whose customers' names and phones stand in one cell, under this header.
fn named_with_phones(header: &str, prefix: &str) -> String {
    let customers = ["Ramesh Patel 98250 12345", "\"Smt. Kokila ben, Mob: 9825098765\"", "Farida (9898012345)"];
    let rows = (1..).zip(customers).map(|(number, customer)| {
        format!("{prefix}-{number},{customer},14 MG Road,Surat,Gujarat,395001,India,Saree,1,900,COD\n")
    });
    format!("Order No,{header},Address,City,State,Pincode,Country,Item,Qty,Rate,Payment\n{}", rows.collect::<String>())
}

#[test]
fn a_phone_number_behind_the_name_is_taken_from_it() {
    let rig = Rig::of_a_shop();
    let receivers = |prefix: &str| {
        [1, 2, 3].map(|number| {
            let receiver = &rig.body_of(&format!("{prefix}-{number}"))["receiver"];
            ["firstName", "lastName", "phoneNumber"].map(|key| receiver[key].as_str().unwrap_or_default().to_owned())
        })
    };
    let all = [["Ramesh", "Patel", "9825012345"], ["Smt. Kokila", "ben", "9825098765"], ["Farida", "", "9898012345"]];
    rig.file("known.csv", &named_with_phones("Customer Name", "K"));
    let came = rig.import(&["known.csv"]);
    came.books(0, 3);
    assert!(came.first("sheet-notice").message.contains("end with a phone number"), "{came:?}");
    assert_eq!(receivers("K"), all);
    // Under a header that says nothing it is asked for the name alone, and kept.
    rig.file("odd.csv", &named_with_phones("ગ્રાહક", "U"));
    let mut terminal = Terminal::start(rig.command(&["import", "odd.csv"]));
    terminal.answer("1 of 2: Which column has the name of the person who gets the parcel?", "1\n");
    terminal.shows("98250 12345  (behind the name)");
    terminal.answer("right? [y]:", "y\n");
    terminal.answer("name, or n to use it this once [odd]:", "\n");
    terminal.answer("Book 3 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, receivers("U")), (Some(0), all.map(|own| own.map(str::to_owned))), "{screen}");
    let profile = rig.read(".config/shipsheet/profiles/odd.toml");
    assert!(profile.contains("part = \"name\"") && profile.contains("part = \"phone\""), "{profile}");
    rig.file("odd.csv", &named_with_phones("ગ્રાહક", "V"));
    rig.import(&["odd.csv"]).books(0, 9);
    assert_eq!(receivers("V"), all);
}

/// One order in columns with plain headers, with more of them behind.
fn plain(more: &str, rows: &[&str]) -> String {
    let rows = rows.iter().map(|row| {
        let (number, more) = row.split_once(',').unwrap();
        format!("{number},Asha Rao,14 MG Road,Surat,Gujarat,395001,India,2,1450,{more}\n")
    });
    format!("Order No,Name,Address,City,State,Pincode,Country,Qty,Rate,{more}\n{}", rows.collect::<String>())
}

/// The weight of an order as it was sent, with its unit: `480 "g"`.
fn weight_sent(rig: &Rig, number: &str) -> String {
    let own = rig.body_of(number)["parcelAttributes"]["weight"].clone();
    format!("{} {}", own["weight"], own["unit"])
}

#[test]
fn a_weight_that_no_field_takes_is_asked_about_once() {
    // In the order of the answers: of one piece, of all pieces of a row, of the parcel, of something else; each row is two pieces.
    let weights = ["480 \"g\"", "240 \"g\"", "240 \"g\"", "0.5 \"kg\""];
    for (answer, weight) in ["1\n", "2\n", "3\n", "4\n"].into_iter().zip(weights) {
        let rig = Rig::of_a_shop();
        let sheet = |number: &str| {
            plain("Phone,Item,Payment,Item Weight (g)", &[&format!("{number},9876543210,Saree,PREPAID,240")])
        };
        rig.file("weighed.csv", &sheet("W-1"));
        let mut terminal = Terminal::start(rig.command(&["import", "weighed.csv"]));
        terminal.shows("\"Item Weight (g)\" (240) is not sent: every parcel has 0.5 by the settings.");
        terminal.answer("what is \"Item Weight (g)\" the weight of? number:", answer);
        terminal.answer("name, or n to use it this once [weighed]:", "\n");
        terminal.answer("Book 1 order for real?", "y\n");
        let (code, screen) = terminal.end();
        let sent = |number: &str| weight_sent(&rig, number);
        assert_eq!((code, sent("W-1")), (Some(0), weight.to_owned()), "{screen}");
        rig.file("weighed.csv", &sheet("W-2"));
        rig.import(&["weighed.csv"]).books(0, 2);
        assert_eq!(sent("W-2"), weight);
    }
}

#[test]
fn weights_that_differ_between_rows_of_an_order_are_of_pieces_or_rows() {
    for (answer, weight) in [("1\n", "1.34 \"kg\""), ("2\n", "0.67 \"kg\"")] {
        let rig = Rig::of_a_shop();
        let sheet = |number: &str| {
            let rows = [("Candle", "0.42"), ("Tealights", "0.25")];
            let rows = rows.map(|(item, own)| format!("{number},9876543210,{item},PREPAID,{own}"));
            plain("Phone,Item,Payment,Weight", &rows.each_ref().map(String::as_str))
        };
        rig.file("candles.csv", &sheet("W-1"));
        let mut terminal = Terminal::start(rig.command(&["import", "candles.csv"]));
        terminal.shows("\"Weight\" differs between rows of one order (0.42 · 0.25).");
        terminal.answer("what is \"Weight\" the weight of? number:", answer);
        terminal.answer("name, or n to use it this once [candles]:", "\n");
        terminal.answer("Book 1 order for real?", "y\n");
        let (code, screen) = terminal.end();
        let sent = |number: &str| weight_sent(&rig, number);
        assert_eq!((code, sent("W-1")), (Some(0), weight.to_owned()), "{screen}");
        rig.file("candles.csv", &sheet("W-2"));
        rig.import(&["candles.csv"]).books(0, 2);
        assert_eq!(sent("W-2"), weight);
    }
}

#[test]
fn weights_from_fifty_on_without_a_unit_are_asked_about_once() {
    let rig = Rig::new();
    let sheet = |number: &str| {
        let rows = [("Candle", "420"), ("Tealights", "250")];
        let rows = rows.map(|(item, own)| format!("{number},9876543210,{item},PREPAID,{own},10,10,5,WH-1"));
        plain("Phone,Item,Payment,Weight,Length,Width,Height,Warehouse", &rows.each_ref().map(String::as_str))
    };
    rig.file("candles.csv", &sheet("W-1"));
    let mut terminal = Terminal::start(rig.command(&["import", "candles.csv"]));
    terminal.answer("what is \"Weight\" the weight of? number:", "1\n");
    terminal.answer("name, or n to use it this once [candles]:", "\n");
    terminal.shows("nothing says what \"Weight\" (420 · 250) is in.");
    terminal.answer("which unit is \"Weight\" in? number:", "1\n");
    terminal.answer("Book 1 order for real?", "y\n");
    let (code, screen) = terminal.end();
    let sent = |number: &str| weight_sent(&rig, number);
    assert_eq!((code, sent("W-1").as_str()), (Some(0), "1340 \"g\""), "{screen}");
    rig.file("candles.csv", &sheet("W-2"));
    rig.import(&["candles.csv"]).books(0, 2);
    assert_eq!(sent("W-2"), sent("W-1"));
}

#[test]
fn a_weight_that_is_booked_all_the_same_is_not_asked_about() {
    let rig = Rig::of_a_shop();
    rig.file("weighed.csv", &plain("Phone,Item,Payment,Item Weight (g)", &["W-1,9876543210,Saree,PREPAID,500"]));
    let mut terminal = Terminal::start(rig.command(&["import", "weighed.csv"]));
    terminal.answer("Book 1 order for real?", "y\n");
    let (code, screen) = terminal.end();
    assert!(code == Some(0) && !screen.contains("by the settings"), "{screen}");
}

#[test]
fn a_balance_says_what_is_collected_where_an_advance_is_paid() {
    let rig = Rig::of_a_shop();
    let rows = [
        "N-1,9876543210,Silk 2 @1450,900,2000",
        "N-2,9876543211,Silk 2 @1450,2900,Nil",
        "N-3,9876543212,Silk 2 @1450,-,2900",
    ];
    rig.file("notebook.csv", &plain("Phone,Items,Advance,Balance", &rows));
    let mut terminal = Terminal::start(rig.command(&["import", "notebook.csv"]));
    terminal.answer("Balance              2000, Nil  (an amount above zero is COD)", "Balance\n");
    terminal.answer("right? [y]:", "y\n");
    terminal.answer("name, or n to use it this once [notebook]:", "\n");
    terminal.answer("Book 3 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    let sent = ["N-1", "N-2", "N-3"].map(|number| {
        let own = rig.body_of(number)["shippingProperties"].clone();
        let due = own["subTotal"].as_f64().unwrap() - own["discount"].as_f64().unwrap();
        format!("{} {due}", own["orderType"].as_str().unwrap())
    });
    assert_eq!(sent, ["COD 2000", "PREPAID 2900", "COD 2900"], "{screen}");
}

#[test]
fn a_second_phone_stands_in_where_the_first_is_blank() {
    let rig = Rig::of_a_shop();
    let rows = ["P-1,9876543210,,Saree,COD", "P-2,,98765 43211,Saree,COD", "P-3,9876543212,9876543213,Saree,COD"];
    let sheet = plain("Phone,Xyzzy,Item,Payment", &rows).replace(",Name,", ",ગ્રાહક,");
    rig.file("phones.csv", &sheet);
    let mut terminal = Terminal::start(rig.command(&["import", "phones.csv"]));
    terminal.answer("Which column has the name of the person who gets the parcel?", "ગ્રાહક\n");
    terminal.answer("right? [y]:", "+\n");
    terminal.answer("Which column is to be sent, too?", "Xyzzy\n");
    terminal.answer("What is \"Xyzzy\"?", "Receiver Phone\n");
    terminal.answer("Receiver Phone       ← Phone + Xyzzy", "y\n");
    terminal.answer("name, or n to use it this once [phones]:", "\n");
    terminal.answer("Book 3 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    let phones = ["P-1", "P-2", "P-3"].map(|number| rig.body_of(number)["receiver"]["phoneNumber"].clone());
    assert_eq!(phones, ["9876543210", "9876543211", "9876543212"], "{screen}");
}

#[test]
fn a_sheet_near_to_a_layout_of_the_program_may_be_another_one() {
    let rig = Rig::of_a_shop();
    let sheet = |number: &str| {
        let headers = "Order No,Sub Order No,Order Date,Order Status,Product Name,SKU,Quantity,Price,Payment Mode,Customer Name,\
                       Customer Mobile,Address,City,Customer State,Pincode,Country";
        let row = |order: &str, state: &str| {
            format!(
                "{order},{order}_1,2026-11-16,{state},Kurti,K-1,1,389,COD,Savita Jadhav,9822416073,12 MG Road,Pune,Maharashtra,411038,India\n"
            )
        };
        format!("{headers}\n{}{}", row(number, "READY_TO_SHIP"), row(&format!("{number}0"), "CANCELLED"))
    };
    rig.file("panel.csv", &sheet("M-1"));
    // Where nobody watches it stays.
    rig.import(&["panel.csv"]).tells_first("layout-changed");
    assert!(rig.bookings().is_empty());
    let mut terminal = Terminal::start(rig.command(&["import", "panel.csv"]));
    terminal.shows("looks like this layout, but lacks a column of it. Is it?");
    terminal.answer("number, or q to leave:", "2\n");
    terminal.answer("name, or n to use it this once [panel]:", "\n");
    terminal.answer("Book 1 order for real?", "y\n");
    let (code, screen) = terminal.end();
    let booked = || -> Vec<String> { rig.bookings().into_iter().map(|(order, _)| order).collect() };
    assert_eq!((code, booked()), (Some(0), vec!["M-1".to_owned()]), "{screen}");
    // The answer holds from then on.
    rig.file("panel.csv", &sheet("M-2"));
    rig.import(&["panel.csv"]).books(0, 2);
    assert_eq!(booked(), ["M-1", "M-2"]);
}
