//! Every hint leads on: followed to the letter, the order is booked, and with the right content.

use serde_json::Value;

use crate::rig::{Problem, Ran, Rig, collected};

/// What sheets of shops by hand mostly have.
const HEAD: &str = "Order No,Customer Name,Phone,Address,City,State,Pincode,Product,Qty,Price,Payment";
const ROW: &str = "A1,Asha Rao,9876543210,14 MG Road,Bengaluru,Karnataka,560001,Kurta,2,499.00,COD";

/// What holds for all orders of the shop.
const SHOP: &str = "[defaults]\nwarehouseId = \"WH-1\"\n\"parcelAttributes.dimension.length\" = \"20\"\n\
    \"parcelAttributes.dimension.width\" = \"15\"\n\"parcelAttributes.dimension.height\" = \"10\"\n\
    \"parcelAttributes.weight.weight\" = \"0.5\"\n\"destination.countryCode\" = \"IN\"\n";

fn shop() -> Rig {
    let rig = Rig::new();
    rig.file("shipsheet.toml", SHOP);
    rig
}

/// The problem with this code; the sheet must be held by it, or warned about it.
fn problem(rig: &Rig, name: &str, code: &str) -> Problem {
    rig.check(&[name]).first(code)
}

/// What a hint says to write into the configuration: `in shipsheet.toml: [check] ignore = ["MRP"]`.
fn configured(hint: &str) -> String {
    let line = hint.split("in shipsheet.toml: [").nth(1).unwrap_or_else(|| panic!("no line in {hint}"));
    let end = line.find(';').unwrap_or(line.len());
    let end = line[..end].rfind(']').unwrap();
    format!("[{}\n", &line[..=end])
}

fn book(rig: &Rig, name: &str) -> Ran {
    rig.run(&["import", name, "--yes"])
}

fn pointed(body: &Value, path: &str) -> String {
    match body.pointer(path) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => panic!("no {path} in {body}"),
    }
}

#[test]
fn a_line_for_the_configuration_books_the_order() {
    // More columns, more cells, the problem, and what is booked once the line stands in the configuration.
    let cases = [
        ("Total", "1200", "total-differs", "/productRequestsList/0/price", "499.0"),
        ("Order Status", "Exchange", "held-back", "/orderNumber", "A1"),
        ("Tracking No", "998877", "held-back", "/orderNumber", "A1"),
        ("Fwd Address", "5th floor", "held-back", "/destination/addressLine1", "14 MG Road"),
        ("Order Date", "10-11-2026 10:30", "ambiguous-date", "/orderCreatedAt", "1794286800000"),
        ("Order Date", "3/4/26", "ambiguous-date", "/orderCreatedAt", "1775154600000"),
        ("MRP", "999", "duplicate-header", "/productRequestsList/0/price", "999.0"),
    ];
    for (header, cells, code, path, expected) in cases {
        let rig = shop();
        rig.file("orders.csv", &format!("{HEAD},{header}\n{ROW},{cells}\n"));
        let hint = problem(&rig, "orders.csv", code).hint;
        rig.file("shipsheet.toml", &format!("{SHOP}{}", configured(&hint)));
        let ran = book(&rig, "orders.csv");
        assert_eq!(ran.exit, 0, "{header}: {hint}\n{ran:?}");
        assert_eq!(pointed(&rig.body(), path), expected, "{header}: {hint}");
    }
}

#[test]
fn of_two_receivers_the_one_that_is_meant_is_named_once() {
    let rig = shop();
    let other = "Meera Nair,22 Park Street,Mysuru,570009";
    rig.file(
        "orders.csv",
        &format!("{HEAD},Shipping Name,Shipping Address,Shipping City,Shipping Pincode\n{ROW},{other}\n"),
    );
    let hint = rig.check(&["orders.csv"]).errors()[0].hint.clone();
    book(&rig, "orders.csv").exits(3);
    rig.file("shipsheet.toml", &format!("{SHOP}{}", configured(&hint)));
    book(&rig, "orders.csv").exits(0);
    let sent = rig.body();
    let found = ["/receiver/firstName", "/destination/addressLine1", "/destination/city", "/destination/pinCode"];
    assert_eq!(found.map(|path| pointed(&sent, path)), ["Meera", "22 Park Street", "Mysuru", "570009"]);

    // The same twice, or a second phone, is no question.
    let rig = shop();
    let same = "Asha Rao,\"14, M.G. Road\",9876500000";
    rig.file("orders.csv", &format!("{HEAD},Shipping Name,Shipping Address,Mobile\n{ROW},{same}\n"));
    book(&rig, "orders.csv").exits(0);
}

#[test]
fn products_side_by_side_are_lines_of_one_order() {
    let heads = ["Product,Qty,Price,Product2,Qty2,Price2", "Product 1,Qty 1,Price 1,Product 2,Qty 2,Price 2"];
    for head in heads {
        let rig = shop();
        let who = "Order No,Customer Name,Phone,Address,City,State,Pincode,Payment";
        let row =
            |number: &str, name: &str| format!("{number},{name},9876543210,14 MG Road,Bengaluru,Karnataka,560001,COD");
        let text = format!(
            "{who},{head}\n{},Kurta,2,499.00,Scarf,1,199.00\n{},Mat,1,899.00,,,\n",
            row("A1", "Asha Rao"),
            row("A2", "Ravi K")
        );
        rig.file("orders.csv", &text);
        let ran = book(&rig, "orders.csv");
        ran.exits(0);
        let mut sent: Vec<(usize, String)> = rig
            .bodies()
            .iter()
            .map(|(_, body)| {
                let lines = body["productRequestsList"].as_array().unwrap().len();
                (lines, pointed(body, "/shippingProperties/subTotal"))
            })
            .collect();
        sent.sort();
        assert_eq!(sent, [(1, "899.0".to_owned()), (2, "1197.0".to_owned())], "{head}");
    }
}

#[test]
fn commas_that_no_cell_explains_are_explained_once() {
    let rig = shop();
    let priced = ROW.replace("499.00", "\"1,499\"");
    rig.file("orders.csv", &format!("{HEAD},Currency\n{priced},EUR\n"));
    let hint = problem(&rig, "orders.csv", "ambiguous-number").hint;
    let line = "[check] decimals = \"point\"";
    assert!(hint.ends_with(&format!("in shipsheet.toml: {line}")), "{hint}");
    rig.file("shipsheet.toml", &format!("{SHOP}{line}\n"));
    book(&rig, "orders.csv").exits(0);
    assert_eq!(pointed(&rig.body(), "/productRequestsList/0/price"), "1499.0");
}

#[test]
fn a_profile_that_is_passed_over_is_named_and_its_line_makes_it_fit() {
    let rig = shop();
    rig.file("orders.csv", &format!("{HEAD},GST Amount,Total\n{ROW},47.52,1200\n"));
    let folder = rig.path(".config/shipsheet/profiles");
    std::fs::create_dir_all(&folder).unwrap();
    let profile = "ignore = [\"GST Amount\", \"Total\"]\n";
    std::fs::write(folder.join("mine.toml"), profile).unwrap();
    let told = problem(&rig, "orders.csv", "sheet-notice");
    told.says("mine is not used");
    let hint = &told.hint;
    let line = &hint[hint.find("recognised_by").unwrap()..=hint.find(']').unwrap()];
    assert!(hint.contains(&folder.join("mine.toml").display().to_string()), "{hint}");
    std::fs::write(folder.join("mine.toml"), format!("{line}\n{profile}")).unwrap();
    book(&rig, "orders.csv").exits(0);
    assert_eq!(pointed(&rig.body(), "/receiver/lastName"), "Rao");
}

#[test]
fn a_profile_of_the_plain_layout_changes_nothing_in_the_body() {
    let bodies: Vec<Value> = ["", "ignore = [\"Colour\"]\n", "[columns]\n\"receiver.firstName\" = \"Customer Name\"\n"]
        .into_iter()
        .map(|profile| {
            let rig = shop();
            rig.file("orders.csv", &format!("{HEAD},Colour,Order Date\n{ROW},red,2026-11-20\n"));
            rig.file("mine.toml", profile);
            let named: &[&str] = if profile.is_empty() { &[] } else { &["--profile", "mine.toml"] };
            rig.run(&[&["import", "orders.csv", "--yes"], named].concat()).exits(0);
            rig.body()
        })
        .collect();
    assert_eq!(bodies[0]["receiver"]["lastName"], "Rao");
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:#?}");
    let rig = shop();
    rig.file("orders.csv", &format!("{HEAD},Colour,Order Date\n{ROW},red,2026-11-20\n"));
    rig.run(&["profile", "guess", "orders.csv", "--save", "mine"]).exits(0);
    let ran = book(&rig, "orders.csv");
    ran.exits(0);
    assert_eq!(rig.body(), bodies[0], "by the profile that was guessed");
}

/// A rejects file, its status cells cleared where a row has this number.
fn cleared(text: &str, numbers: &[&str]) -> String {
    let clear = |line: &str| {
        let is_meant = numbers.iter().any(|number| line.starts_with(&format!("{number},")));
        if is_meant { line.replace(",below a title,", ",,").replace(",damaged,", ",,") } else { line.to_owned() }
    };
    text.lines().map(clear).collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn rows_that_are_handed_back_say_what_holds_in_their_own_file() {
    let rig = shop();
    let row = |number: &str| ROW.replacen("A1", number, 1).replacen("9876543210", &format!("98765432{number}"), 1);
    let rows = [row("11"), "Evening batch".to_owned(), row("12"), row("13"), row("14").replace("560001", "5600")];
    rig.file("orders.csv", &format!("{HEAD}\n{}\n", rows.join("\n")));
    rig.run(&["import", "orders.csv", "--yes"]).exits(4);
    rig.run(&["rejects", "--to", "r1.csv"]).exits(0);
    let text = rig.read("r1.csv");
    assert!(!text.contains("damaged") && text.matches(",below a title,").count() == 3, "{text}");
    assert!(!text.contains("delete the row of the title"), "{text}");
    assert_eq!(
        text.matches("clear its \"\"shipsheet status\"\" cell if its order should be shipped").count(),
        3,
        "{text}"
    );
    // Handed back once more, nothing is forgotten.
    rig.run(&["import", "r1.csv", "--yes"]).exits(3).says("stood below a title of its sheet");
    rig.run(&["rejects", "--to", "r2.csv"]).exits(0);
    assert_eq!(rig.read("r2.csv").matches(",below a title,").count(), 3, "{}", rig.read("r2.csv"));
    // Followed to the letter: one row is to go, one is corrected as well, and one is deleted.
    let fixed = cleared(&rig.read("r2.csv"), &["12", "14"]).replace(",5600,", ",560001,");
    let fixed: Vec<&str> = fixed.lines().filter(|line| !line.starts_with("13,")).collect();
    rig.file("fixed.csv", &(fixed.join("\n") + "\n"));
    rig.run(&["import", "fixed.csv", "--yes"]).exits(0);
    let booked: Vec<String> = rig.bookings().into_iter().map(|(number, _)| number).collect();
    assert_eq!(booked, ["11", "12", "14"]);
}

#[test]
fn sums_below_the_columns_need_no_word() {
    let row = |number: &str, price: u32| format!("{number},{}", ROW[3..].replace("2,499.00", &format!("1,{price}.00")));
    let sheet = |last: &[&str]| format!("{HEAD}\n{}\n{}\n{}\n", row("A1", 499), row("A2", 650), last.join("\n"));
    for (last, left_out) in [
        (&[",,,,,,,,,1149,"][..], true),
        (&["", ",,,,,,,,2,\"₹1,149.00\","], true),
        (&[",,,,,,,,,1150,"], false),
        (&[",,,,,,,Cap,,1149,"], false),
        (&[",Wszystko,,,,,,,2,1149,"], true),
        (&[",Wszystko,,,,,,,2,1150,"], false),
        (&[",,,,,,,,,1149,", ROW], false),
    ] {
        let rig = shop();
        rig.file("orders.csv", &sheet(last).replace(ROW, &ROW.replace("A1", "A3")));
        let ran = book(&rig, "orders.csv");
        let told = ran.stderr.contains("the sums of the columns above");
        assert_eq!((ran.exit == 0, told), (left_out, left_out), "{last:?}: {ran:?}");
        assert!(rig.bookings().len() >= 2 - usize::from(last[0].contains("Cap")), "{last:?}: {ran:?}");
    }
}

#[test]
fn cells_as_people_type_them_are_booked() {
    let cases = [
        ("9876543210", "9876543210 / 9876543210", "/receiver/phoneNumber", "9876543210"),
        ("9876543210", "022-12345678", "/receiver/phoneNumber", "2212345678"),
        ("14 MG Road", "Near SBI ATM??", "/destination/addressLine1", "Near SBI ATM??"),
        ("560001", "560-001", "/destination/pinCode", "560001"),
        (",2,", ",2 pcs,", "/productRequestsList/0/quantity", "2"),
        ("499.00", "499/-", "/productRequestsList/0/price", "499.0"),
        ("A1", "1001.", "/orderNumber", "1001"),
        ("A1", "\"\"\"1001\"\"\"", "/orderNumber", "1001"),
    ];
    for (plain, typed, path, expected) in cases {
        let rig = shop();
        rig.file("orders.csv", &format!("{HEAD}\n{}\n", ROW.replacen(plain, typed, 1)));
        let ran = book(&rig, "orders.csv");
        assert_eq!(ran.exit, 0, "{typed}: {ran:?}");
        assert_eq!(pointed(&rig.body(), path), expected, "{typed}");
    }
    // Two numbers: the one that is kept goes.
    let rig = shop();
    rig.file("orders.csv", &format!("{HEAD}\n{}\n", ROW.replace("9876543210", "9876543210 / 98250 12345")));
    let hint = problem(&rig, "orders.csv", "bad-phone").hint;
    assert_eq!(hint, "keep the one that the courier should call: 9876543210 or 9825012345");
}

#[test]
fn a_code_page_of_dos_is_told_and_read_by_its_name() {
    let rig = shop();
    let text = format!("{HEAD}\n{}\n{}\n", ROW.replace("Asha Rao", "Jos? M!ller"), ROW.replace("A1,Asha", "A2,Zo~"));
    let byte = |byte: u8| match byte {
        b'?' => 0x82,
        b'!' => 0x81,
        b'~' => 0x89,
        other => other,
    };
    std::fs::write(rig.path("orders.csv"), text.bytes().map(byte).collect::<Vec<u8>>()).unwrap();
    let hint = problem(&rig, "orders.csv", "bad-encoding").hint;
    let flag: Vec<&str> = hint[hint.find("--encoding").unwrap()..].split(' ').collect();
    rig.run(&["import", "orders.csv", "--yes", flag[0], flag[1]]).exits(0);
    let names: Vec<String> = rig.bodies().iter().map(|(_, body)| pointed(body, "/receiver/firstName")).collect();
    assert_eq!(names, ["José", "Zoë"]);
}

#[test]
fn a_column_that_is_called_otherwise_is_written_into_the_profile() {
    let rig = shop();
    let head = HEAD.replace("City", "Town").replace("Product", "Thing");
    rig.file("orders.csv", &format!("{head}\n{ROW}\n"));
    rig.run(&["profile", "guess", "orders.csv", "--save", "mine"]).exits(0);
    let file = rig.path(".config/shipsheet/profiles/mine.toml");
    // What only a person knows is in the file, and stays there.
    let text = std::fs::read_to_string(&file).unwrap();
    let known = text.replace(
        "# \"productRequestsList.productName\" = \"the column with the Product Name\"",
        "\"productRequestsList.productName\" = \"Thing\"",
    );
    assert_ne!(text, known, "{text}");
    std::fs::write(&file, known).unwrap();
    rig.file("orders.csv", &format!("{}\n{ROW}\n", head.replace("Town", "City of it")));
    let came = rig.check(&["orders.csv"]);
    let hint = &came.exits(3).tells(1).problems[0].hint;
    let words: Vec<&str> = hint.split('"').collect();
    assert_eq!((words[1], words[3]), ("City of it", "Town"), "{hint}");
    assert!(hint.contains(&file.display().to_string()), "{hint}");
    let text = std::fs::read_to_string(&file).unwrap().replace("\"Town\"", "\"City of it\"");
    std::fs::write(&file, text).unwrap();
    let ran = book(&rig, "orders.csv");
    ran.exits(0);
    assert_eq!(pointed(&rig.body(), "/destination/city"), "Bengaluru");
}

#[test]
fn what_all_pieces_come_to_is_called_so() {
    for (header, quantity, amount) in [("Amount", "2", "998"), ("Total", "3", "1000"), ("Value", "2", "998")] {
        let rig = shop();
        let text =
            format!("{HEAD}\n{ROW}\n").replace("Price", header).replace("2,499.00", &format!("{quantity},{amount}"));
        rig.file("orders.csv", &text);
        let hint = problem(&rig, "orders.csv", "missing-column").hint;
        assert!(hint.contains("price of one piece") && hint.contains("\"Line Total\""), "{hint}");
        rig.file("orders.csv", &text.replace(header, "Line Total"));
        let ran = book(&rig, "orders.csv");
        assert_eq!(ran.exit, 0, "{header}: {hint}\n{ran:?}");
        let sent = rig.body();
        assert_eq!(collected(&sent), format!("{amount}.00"), "{sent}");
        assert_eq!(pointed(&sent, "/productRequestsList/0/quantity"), quantity);
    }
}

#[test]
fn what_all_pieces_come_to_is_called_so_among_other_columns_too() {
    let rig = shop();
    let text = format!("{HEAD},Courier\n{ROW},\n").replace("Price", "Amount").replace("Product", "Thing");
    let text = text.replace("2,499.00", "2,998");
    rig.file("orders.csv", &text);
    let hint = rig.run(&["check", "orders.csv"]).stderr;
    assert!(hint.contains("the price being that of one piece; if \"Amount\" is what all pieces of a row"), "{hint}");
    let known = text.replace("Thing", "Product Name");
    rig.file("known.csv", &known.replace("Amount", "Line Total"));
    book(&rig, "known.csv").exits(0);
    assert_eq!(collected(&rig.body()), "998.00");
    // A proposal says the same, and its line taken as it stands collects no more.
    let rig = shop();
    rig.file("orders.csv", &known.replace("998,COD,", "998,COD,60"));
    rig.run(&["profile", "guess", "orders.csv", "--save", "mine"]).exits(0);
    let file = rig.path(".config/shipsheet/profiles/mine.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains("\"carrier\""), "a charge is no carrier: {text}");
    assert!(text.contains("# \"productRequestsList.price\" = {"), "{text}");
    std::fs::write(&file, text.replace("# \"productRequestsList.price\"", "\"productRequestsList.price\"")).unwrap();
    let hint = problem(&rig, "orders.csv", "total-differs").hint;
    assert!(hint.contains("Courier"), "{hint}");
    rig.file("orders.csv", &known);
    let ran = book(&rig, "orders.csv");
    assert_eq!(ran.exit, 0, "{text}\n{ran:?}");
    assert_eq!(collected(&rig.body()), "998.00");
}

#[test]
fn what_holds_for_all_orders_is_set_by_the_line_of_the_hint() {
    let lines: Vec<&str> = SHOP.lines().skip(1).collect();
    for missing in &lines {
        let rig = Rig::new();
        let rest: Vec<&str> = lines.iter().filter(|line| *line != missing).copied().collect();
        let rest = format!("[defaults]\n{}\n", rest.join("\n"));
        rig.file("shipsheet.toml", &rest);
        rig.file("orders.csv", &format!("{HEAD}\n{ROW}\n"));
        let hint = problem(&rig, "orders.csv", "missing-column").hint;
        let line = hint.split("in shipsheet.toml: ").nth(1).unwrap_or_else(|| panic!("{missing}: {hint}"));
        rig.file("shipsheet.toml", &format!("{rest}{line}\n"));
        let ran = book(&rig, "orders.csv");
        assert_eq!(ran.exit, 0, "{missing}: {hint}\n{ran:?}");
    }
    let rig = Rig::new();
    let config = "[warehouses]\n\"Mumbai\" = \"WH-1\"\n";
    rig.file("shipsheet.toml", &format!("{SHOP}{config}"));
    rig.file("orders.csv", &format!("{HEAD},Warehouse\n{ROW},Delhi\n"));
    let hint = rig.check(&["orders.csv"]).problems[0].hint.clone();
    let line = &hint[hint.find('[').unwrap()..];
    rig.file("shipsheet.toml", &format!("{SHOP}{config}{}\n", line.replace("its id", "WH-2")));
    let ran = book(&rig, "orders.csv");
    assert_eq!(ran.exit, 0, "{hint}\n{ran:?}");
}

#[test]
fn cells_are_corrected_as_the_hints_say() {
    // A cell, the problem, what its hint says to write, and what is sent then.
    let cases = [
        ("A1", "\"1,001\"", "ambiguous-number", "write ", "1001", "/orderNumber", "1001"),
        ("499.00", "499.500", "ambiguous-number", "write ", "499500", "/productRequestsList/0/price", "499500.0"),
        ("COD", "Cash at door", "bad-payment", "COD", "COD", "/shippingProperties/orderType", "COD"),
        ("9876543210", "2223456789", "bad-phone", "0", "02223456789", "/receiver/phoneNumber", "2223456789"),
        (",2,", ",0,", "not-positive", "a number above zero", ",1,", "/productRequestsList/0/quantity", "1"),
    ];
    for (plain, cell, code, says, written, path, expected) in cases {
        let rig = shop();
        rig.file("orders.csv", &format!("{HEAD}\n{}\n", ROW.replacen(plain, cell, 1)));
        let hint = problem(&rig, "orders.csv", code).hint;
        let bare = written.trim_matches(',');
        assert!(hint.contains(says) && (hint.contains(bare) || bare == "1"), "{cell}: {hint}");
        rig.file("orders.csv", &format!("{HEAD}\n{}\n", ROW.replacen(plain, written, 1)));
        let ran = book(&rig, "orders.csv");
        assert_eq!(ran.exit, 0, "{cell}: {hint}\n{ran:?}");
        assert_eq!(pointed(&rig.body(), path), expected, "{cell}");
    }
}
