//! What a sheet says beside its cells: units, currencies, countries, habits; and what is wrong with it as a whole.

use shipsheet::field::FIELDS;

use crate::rig::{HEADER, Rig, row, sheet};

#[test]
fn a_foreign_sign_is_never_dropped() {
    let rig = Rig::alone();
    let came = rig.check_text(&sheet([row("A-1").replace("499.90", "$499.90")]));
    assert_eq!(came.exits(3).codes(), ["currency-clash"], "{came:?}");
    came.problems[0].says("INR");
    let with = |rows: &str| format!("{HEADER},Currency,Shipping Charges\n{rows}\n");
    let came = rig.check_text(&with(&format!("{},USD,$4", row("A-1").replace("499.90", "$499.90"))));
    came.exits(0).tells(0);
    let came = rig.check_text(&with(&format!("{},USD,₹4", row("A-1"))));
    assert_eq!(came.codes(), ["currency-clash"], "{came:?}");
    let came = rig.check_text(&with(&format!("{},INR,\n{},EUR,", row("A-1"), row("A-1"))));
    assert_eq!(came.codes(), ["currency-clash"], "{came:?}");
    came.problems[0].says("orders.csv:2 \"Currency\"").says("orders.csv:3 \"Currency\"");
}

#[test]
fn a_country_and_its_code_mean_one_country() {
    let rig = Rig::new();
    let with = |header: &str, cells: &str| format!("{HEADER},{header}\n{},{cells}\n", row("A-1"));
    let came = rig.check_text(&with("Country", "Nepal"));
    assert_eq!(came.exits(3).codes(), ["country-clash"], "{came:?}");
    came.problems[0].says("\"Country\"").says("\"Country Code\"");
    let by_name = sheet([row("A-1").replace(",IN,", ",Bharat,")]).replace("Country Code", "Country");
    rig.import_text(&by_name).exits(0);
    let body = rig.body_of("A-1");
    assert_eq!(
        (&body["destination"]["countryCode"], &body["destination"]["country"]),
        (&"IN".into(), &"Bharat".into())
    );
}

#[test]
fn a_unit_in_a_header_is_honoured() {
    let rig = Rig::new();
    let grams = sheet([row("A-1").replace(",0.5,", ",500,")]).replace(",Weight,", ",Weight in grams,");
    let inches = ["Length", "Width", "Height"]
        .iter()
        .fold(grams, |text, side| text.replacen(&format!(",{side},"), &format!(",{side} (in),"), 1));
    rig.import_text(&inches).exits(0);
    let parcel = &rig.body_of("A-1")["parcelAttributes"];
    assert_eq!((&parcel["weight"]["weight"], &parcel["weight"]["unit"]), (&500.into(), &"g".into()));
    assert_eq!(parcel["dimension"]["unit"], "in");

    let both = sheet([row("A-2")])
        .replace(",Weight,", ",Weight (g),")
        .replace(HEADER.split_once(',').unwrap().0, "Order Number");
    let both = both.replacen("Quantity\n", "Quantity,Weight Unit\n", 1).replacen(",2\n", ",2,kg\n", 1);
    let came = rig.check_text(&both);
    assert_eq!(came.exits(3).codes(), ["unit-clash"], "{came:?}");
    rig.file("shipsheet.toml", "[defaults]\n\"parcelAttributes.weight.unit\" = \"kg\"\n");
    // The header speaks for its column, and the configuration for sheets that say nothing.
    let came = rig.check_text(&sheet([row("A-2").replace(",0.5,", ",500,")]).replace(",Weight,", ",Weight (g),"));
    came.exits(0);
}

#[test]
fn an_unknown_payment_type_lists_what_is_accepted_and_can_be_accepted() {
    let rig = Rig::alone();
    let voucher = sheet([row("A-1").replace("PREPAID", "VOUCHER")]);
    let came = rig.check_text(&voucher);
    assert_eq!(came.exits(3).codes(), ["bad-payment"], "{came:?}");
    came.problems[0].says("PREPAID or COD");
    rig.file("shipsheet.toml", "[check]\npayment_types = [\"VOUCHER\"]\n");
    rig.check_text(&voucher).exits(0);
}

#[test]
fn a_needed_column_that_is_nowhere_is_one_problem_of_the_sheet() {
    let rig = Rig::alone();
    let text = sheet((1..=50).map(|number| row(&format!("A-{number}"))))
        .replace("Receiver Phone", "Shoe size")
        .replace("Warehouse", "Shelf");
    let came = rig.check_text(&text);
    let missing = came.exits(3).all("missing-column");
    assert_eq!(missing.len(), 2, "{came:?}");
    let of = |field: &str| *missing.iter().find(|own| own.field == field).unwrap();
    of("receiver.phoneNumber").advises_nothing_of("[defaults]");
    of("warehouseId").advises("[defaults]");
}

#[test]
fn skipped_rows_and_numbers_that_look_alike_are_named() {
    let rig = Rig::alone();
    let text = sheet([
        row("A1"),
        row("B1").replace("K-1", "K-2"),
        row("a1").replace("K-1", "K-3"),
        "Total,,,,,,,,,,,,,,,,,999.80,".to_owned(),
    ]);
    let came = rig.check_text(&text);
    assert_eq!(came.exits(0).codes(), ["numbers-alike", "row-skipped"], "{came:?}");
    came.problems[0].says("orders.csv:2").says("spelled in another way");
    came.problems[1].is_in("orders.csv:5");
}

#[test]
fn day_and_month_are_decided_by_the_whole_column() {
    let rig = Rig::new();
    let dated = |number: &str, date: &str| row(number).replace("2026-11-20", date);
    let came = rig.check_text(&sheet([dated("A-1", "03/10/2026"), dated("A-2", "04/10/2026")]));
    assert_eq!(came.codes(), ["ambiguous-date", "ambiguous-date"], "{came:?}");
    rig.import_text(&sheet([dated("A-1", "03/10/2026"), dated("A-2", "13/10/2026")])).exits(0);
    assert_eq!(rig.body_of("A-1")["orderCreatedAt"], "1790965800000", "2026-10-03 in Kolkata");
}

/// The commands, between backquotes, that a message shows.
fn commands(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).filter(|command| command.starts_with("shipsheet ")).collect()
}

#[test]
fn several_missing_columns_have_one_way_out_that_works_when_pasted() {
    let rig = Rig::new();
    let header = HEADER.replace("Warehouse", "Depot").replace("Payment Type", "Colour").replace("Length", "Long side");
    let orders = sheet([row("A-1").replace("PREPAID", "red")]).replace(HEADER, &header);
    rig.file("orders.csv", &orders);
    let ran = rig.run(&["import", "orders.csv", "--yes"]);
    ran.exits(3);
    assert_eq!(ran.stderr.matches("missing-column").count(), 1, "{}", ran.stderr);
    ran.says("3 needed columns are not there: Warehouse, Length and Payment Type")
        .says("into a file shipsheet.toml in this folder");
    let block = ran.stderr.lines().skip_while(|line| line.trim() != "[defaults]").take(4).map(str::trim);
    let block = block.collect::<Vec<_>>().join("\n");
    rig.file("shipsheet.toml", &block);
    assert_eq!(rig.run(&["import", "orders.csv", "--yes"]).exit, 0, "{block}");
    // Where a configuration is there already, its name is said and its section is not begun anew.
    rig.file("shipsheet.toml", "[defaults]\n\"channelId\" = \"Counter\"\n");
    rig.run(&["check", "orders.csv"]).says("below [defaults] in shipsheet.toml");
    assert_eq!(rig.check(&["orders.csv"]).all("missing-column").len(), 3);
}

#[test]
fn a_profile_that_was_proposed_is_completed_and_works() {
    let rig = Rig::new();
    let headers = [("Order Number", "Bill"), ("Receiver Phone", "Ring"), ("Warehouse", "Depot"), ("Weight", "Heft")];
    let header = headers.iter().fold(HEADER.to_owned(), |header, (from, to)| header.replace(from, to));
    std::fs::create_dir(rig.path("in box")).unwrap();
    rig.file("in box/orders.csv", &sheet([row("A-1"), row("A-2")]).replace(HEADER, &header));
    let ran = rig.run(&["import", "in box/orders.csv", "--yes"]);
    ran.exits(3).says("4 needed columns");
    let said = commands(&ran.stderr);
    let guess = said.iter().find(|command| command.contains("profile guess")).unwrap();
    assert_eq!(*guess, "shipsheet profile guess 'in box/orders.csv' --save NAME");
    let ran = rig.run(&["profile", "guess", "in box/orders.csv", "--save", "counter"]);
    ran.exits(0).says("Receiver Phone (perhaps \"Ring\")");
    let path = rig.path(".config/shipsheet/profiles/counter.toml");
    ran.says(format!("next: open {}", path.display()));
    // As it is, it says what is open and where.
    rig.run(&["check", "in box/orders.csv"]).exits(3).says(format!("complete {}", path.display()));
    let proposed = std::fs::read_to_string(&path).unwrap();
    let completed = proposed.replace("the column with the Order Number", "Bill").replace("# \"", "\"");
    std::fs::write(&path, completed).unwrap();
    let ran = rig.run(&["import", "in box/orders.csv", "--yes"]);
    assert_eq!(ran.exit, 0, "{proposed}\n{ran:?}");
    let sent = rig.body_of("A-2");
    assert_eq!((&sent["receiver"]["phoneNumber"], &sent["warehouseId"]), (&"9876543210".into(), &"WH-1".into()));
}

#[test]
fn a_proposal_says_what_goes_by_itself_and_a_check_of_it_knows_that_too() {
    let rig = Rig::new();
    let header = HEADER.replace("Length,Width,Height", "L x B x H").replace("Address Line 1", "House,Address Line 1");
    let line = row("A-1").replace(",30,20,5,", ",30x20x5,").replace("14 MG Road", "12/3,14 MG Road");
    rig.file("own.csv", &format!("{header}\n{line}\n"));
    let proposed = rig.run(&["profile", "guess", "own.csv", "--save", "own"]).stderr;
    let side = |name: &str| format!("parcelAttributes.dimension.{name}");
    let sides = format!("L x B x H → {}, {} and {}", side("length"), side("width"), side("height"));
    assert!(proposed.contains(&sides) && proposed.contains("House → a part of the address"), "{proposed}");
    assert!(!proposed.contains("needed and not found"), "{proposed}");
    rig.run(&["profile", "check", "own", "own.csv"]).exits(0).says("own fits own.csv");
    rig.run(&["import", "own.csv", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 1);
}

#[test]
fn a_row_whose_own_column_is_blank_repeats_what_stands_in_for_it_or_says_something_else() {
    let rig = Rig::new();
    let profile = "[columns]\n\"receiver.phoneNumber\" = { first = [\"Shipping Phone\", \"Phone\"] }\n";
    rig.file("shop.toml", profile);
    let with = |phones: [(&str, &str); 2]| {
        let text = sheet([row("A-1"), row("A-1").replace("Kurta,K-1", "Scarf,S-1")]);
        let (header, rows) = text.split_once('\n').unwrap();
        let rows = rows
            .lines()
            .zip(phones)
            .flat_map(|(row, (own, other))| [row.replace("9876543210", own), format!(",{other}\n")]);
        let header = header.replace("Receiver Phone", "Shipping Phone");
        rig.file("orders.csv", &format!("{header},Phone\n{}", rows.collect::<String>()));
        rig.check(&["orders.csv", "--profile", "shop.toml"])
    };
    // As a shop's export has it: the second row has the buyer's phone alone.
    assert!(with([("9876543210", "9812345678"), ("", "9812345678")]).errors().is_empty());
    for two in [
        [("", "9812345678"), ("", "9899999999")],
        [("9876543210", "9812345678"), ("", "9899999999")],
        [("9876543210", ""), ("", "9899999999")],
    ] {
        assert!(with(two).has("order-clash"), "{two:?}");
    }
}

#[test]
fn a_sheet_without_headers_is_read_by_its_letters_and_loses_no_order() {
    let rig = Rig::new();
    let column = |(header, letter): (&str, char)| {
        let field = FIELDS.iter().find(|field| field.header == header).unwrap();
        format!("\"{}\" = \"Column {letter}\"\n", field.path)
    };
    let columns: String = HEADER.split(',').zip('A'..='Z').map(column).collect();
    rig.file("own.toml", &format!("[columns]\n{columns}"));
    let text = sheet([row("A-1"), row("A-2").replace("9876543210", "9876543211")]);
    rig.file("orders.csv", text.split_once('\n').unwrap().1);
    let ran = rig.run(&["import", "orders.csv", "--profile", "own.toml", "--yes"]);
    ran.exits(0).says("no row names the columns, so they are called by their letters; row 1 is the first order");
    assert_eq!(rig.bookings().len(), 2);
    // With the name of a row that is none, its first order would be lost.
    rig.run(&["check", "orders.csv", "--profile", "own.toml", "--header-row", "1"]).exits(3);
}

#[test]
fn orders_that_are_numbered_by_time_and_phone_keep_their_numbers_in_another_spelling() {
    let rig = Rig::new();
    let number = "orderNumber = { join = [\"Timestamp\", \"Receiver Phone\"], with = \"-\", part = \"moment\" }";
    rig.file("form.toml", &format!("[columns]\n{number}\n\"receiver.phoneNumber\" = \"Receiver Phone\"\n"));
    for (file, time) in [("form.csv", "20/11/2026 10:01:22"), ("form-2.csv", "2026-11-20 10:01")] {
        rig.file(file, &sheet([row(time)]).replace("Order Number", "Timestamp"));
        rig.run(&["import", file, "--profile", "form.toml", "--yes"]).exits(0);
        assert_eq!(rig.bookings().len(), 1, "{file}");
    }
    assert!(rig.body_of("20261120-1001-9876543210").is_object());
}
