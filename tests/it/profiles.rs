//! What a sheet says beside its cells: units, currencies, countries, habits; and what is wrong with it as a whole.

use serde_json::Value;

use crate::rig::{HEADER, Rig, row, sheet};

/// The codes of a check with their places, and its exit code.
fn checked(rig: &Rig, text: &str) -> (i32, Vec<(String, String, Value)>) {
    rig.file("orders.csv", text);
    let (code, document) = rig.json(&["check", "orders.csv"]);
    let word = |problem: &Value, key: &str| problem[key].as_str().unwrap_or_default().to_owned();
    let problems = document["problems"].as_array().unwrap().iter();
    (code, problems.map(|problem| (word(problem, "code"), word(problem, "message"), problem.clone())).collect())
}

fn codes(problems: &[(String, String, Value)]) -> Vec<&str> {
    problems.iter().map(|(code, ..)| code.as_str()).collect()
}

fn body(rig: &Rig, number: &str) -> Value {
    let bookings = rig.sandbox().book().bookings();
    let booking = bookings.into_iter().find(|booking| booking.order_number == number).unwrap();
    serde_json::from_slice(&booking.body).unwrap()
}

#[test]
fn a_foreign_sign_is_never_dropped() {
    let rig = Rig::alone();
    let (code, problems) = checked(&rig, &sheet([row("A-1").replace("499.90", "$499.90")]));
    assert_eq!((code, codes(&problems)), (3, vec!["currency-clash"]));
    assert!(problems[0].1.contains("INR"), "{}", problems[0].1);
    let with = |rows: &str| format!("{HEADER},Currency,Shipping Charges\n{rows}\n");
    let (code, problems) = checked(&rig, &with(&format!("{},USD,$4", row("A-1").replace("499.90", "$499.90"))));
    assert_eq!((code, problems.len()), (0, 0), "{problems:?}");
    let (_, problems) = checked(&rig, &with(&format!("{},USD,₹4", row("A-1"))));
    assert_eq!(codes(&problems), ["currency-clash"]);
    let (_, problems) = checked(&rig, &with(&format!("{},INR,\n{},EUR,", row("A-1"), row("A-1"))));
    assert_eq!(codes(&problems), ["currency-clash"]);
    for place in ["orders.csv:2 \"Currency\"", "orders.csv:3 \"Currency\""] {
        assert!(problems[0].1.contains(place), "{}", problems[0].1);
    }
}

#[test]
fn a_country_and_its_code_mean_one_country() {
    let rig = Rig::new();
    let with = |header: &str, cells: &str| format!("{HEADER},{header}\n{},{cells}\n", row("A-1"));
    let (code, problems) = checked(&rig, &with("Country", "Nepal"));
    assert_eq!((code, codes(&problems)), (3, vec!["country-clash"]));
    assert!(problems[0].1.contains("\"Country\"") && problems[0].1.contains("\"Country Code\""), "{}", problems[0].1);
    let by_name = sheet([row("A-1").replace(",IN,", ",Bharat,")]).replace("Country Code", "Country");
    rig.file("orders.csv", &by_name);
    let ran = rig.run(&["import", "orders.csv", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let body = body(&rig, "A-1");
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
    rig.file("orders.csv", &inches);
    assert_eq!(rig.run(&["import", "orders.csv", "--yes"]).code, 0);
    let parcel = &body(&rig, "A-1")["parcelAttributes"];
    assert_eq!((&parcel["weight"]["weight"], &parcel["weight"]["unit"]), (&500.into(), &"g".into()));
    assert_eq!(parcel["dimension"]["unit"], "in");

    let both = sheet([row("A-2")])
        .replace(",Weight,", ",Weight (g),")
        .replace(HEADER.split_once(',').unwrap().0, "Order Number");
    let both = both.replacen("Quantity\n", "Quantity,Weight Unit\n", 1).replacen(",2\n", ",2,kg\n", 1);
    let (code, problems) = checked(&rig, &both);
    assert_eq!((code, codes(&problems)), (3, vec!["unit-clash"]), "{both}");
    rig.file("shipsheet.toml", "[defaults]\n\"parcelAttributes.weight.unit\" = \"kg\"\n");
    let (code, problems) = checked(&rig, &sheet([row("A-2")]).replace(",Weight,", ",Weight (g),"));
    assert_eq!((code, codes(&problems)), (3, vec!["unit-clash"]));
}

#[test]
fn an_unknown_payment_type_lists_what_is_accepted_and_can_be_accepted() {
    let rig = Rig::alone();
    let voucher = sheet([row("A-1").replace("PREPAID", "VOUCHER")]);
    let (code, problems) = checked(&rig, &voucher);
    assert_eq!((code, codes(&problems)), (3, vec!["bad-payment"]));
    assert!(problems[0].1.contains("PREPAID or COD"), "{}", problems[0].1);
    rig.file("shipsheet.toml", "[check]\npayment_types = [\"VOUCHER\"]\n");
    assert_eq!(checked(&rig, &voucher).0, 0);
}

#[test]
fn a_needed_column_that_is_nowhere_is_one_problem_of_the_sheet() {
    let rig = Rig::alone();
    let text = sheet((1..=50).map(|number| row(&format!("A-{number}"))))
        .replace("Receiver Phone", "Shoe size")
        .replace("Warehouse", "Shelf");
    let (code, problems) = checked(&rig, &text);
    assert_eq!(code, 3);
    let missing: Vec<_> = problems.iter().filter(|(code, ..)| code == "missing-column").collect();
    assert_eq!(missing.len(), 2, "{problems:?}");
    let hint = |field: &str| missing.iter().find(|(.., p)| p["field"] == field).unwrap().2["hint"].to_string();
    assert!(!hint("receiver.phoneNumber").contains("[defaults]"));
    assert!(hint("warehouseId").contains("[defaults]"));
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
    let (code, problems) = checked(&rig, &text);
    assert_eq!((code, codes(&problems)), (0, vec!["numbers-alike", "row-skipped"]));
    assert!(problems[0].1.contains("\"A1\" in orders.csv:2"), "{}", problems[0].1);
    assert_eq!(problems[1].2["place"], "orders.csv:5");
}

#[test]
fn day_and_month_are_decided_by_the_whole_column() {
    let rig = Rig::new();
    let dated = |number: &str, date: &str| row(number).replace("2026-11-20", date);
    let (_, problems) = checked(&rig, &sheet([dated("A-1", "03/10/2026"), dated("A-2", "04/10/2026")]));
    assert_eq!(codes(&problems), ["ambiguous-date", "ambiguous-date"]);
    rig.file("orders.csv", &sheet([dated("A-1", "03/10/2026"), dated("A-2", "13/10/2026")]));
    assert_eq!(rig.run(&["import", "orders.csv", "--yes"]).code, 0);
    assert_eq!(body(&rig, "A-1")["orderCreatedAt"], "1790965800000", "2026-10-03 in Kolkata");
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
    assert_eq!(ran.code, 3, "{ran:?}");
    assert_eq!(ran.stderr.matches("missing-column").count(), 1, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("3 needed columns are not there: Warehouse, Length and Payment Type"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("into a file shipsheet.toml in this folder"), "{}", ran.stderr);
    let block = ran.stderr.lines().skip_while(|line| line.trim() != "[defaults]").take(4).map(str::trim);
    let block = block.collect::<Vec<_>>().join("\n");
    rig.file("shipsheet.toml", &block);
    assert_eq!(rig.run(&["import", "orders.csv", "--yes"]).code, 0, "{block}");
    // Where a configuration is there already, its name is said and its section is not begun anew.
    rig.file("shipsheet.toml", "[defaults]\n\"channelId\" = \"Counter\"\n");
    let ran = rig.run(&["check", "orders.csv"]);
    assert!(ran.stderr.contains("below [defaults] in shipsheet.toml"), "{}", ran.stderr);
    let (_, document) = rig.json(&["check", "orders.csv"]);
    let problems = document["problems"].as_array().unwrap();
    assert_eq!(problems.iter().filter(|problem| problem["code"] == "missing-column").count(), 3, "{document}");
}

#[test]
fn a_profile_that_was_proposed_is_completed_and_works() {
    let rig = Rig::new();
    let headers = [("Order Number", "Bill"), ("Receiver Phone", "Ring"), ("Warehouse", "Depot"), ("Weight", "Heft")];
    let header = headers.iter().fold(HEADER.to_owned(), |header, (from, to)| header.replace(from, to));
    std::fs::create_dir(rig.path("in box")).unwrap();
    rig.file("in box/orders.csv", &sheet([row("A-1"), row("A-2")]).replace(HEADER, &header));
    let ran = rig.run(&["import", "in box/orders.csv", "--yes"]);
    assert!(ran.code == 3 && ran.stderr.contains("4 needed columns"), "{ran:?}");
    let said = commands(&ran.stderr);
    let guess = said.iter().find(|command| command.contains("profile guess")).unwrap();
    assert_eq!(*guess, "shipsheet profile guess 'in box/orders.csv' --save NAME");
    let ran = rig.run(&["profile", "guess", "in box/orders.csv", "--save", "counter"]);
    assert!(ran.code == 0 && ran.stderr.contains("Receiver Phone (perhaps \"Ring\")"), "{ran:?}");
    let path = rig.path(".config/shipsheet/profiles/counter.toml");
    assert!(ran.stderr.contains(&format!("next: open {}", path.display())), "{}", ran.stderr);
    // As it is, it says what is open and where.
    let unfinished = rig.run(&["check", "in box/orders.csv"]);
    assert!(
        unfinished.code == 3 && unfinished.stderr.contains(&format!("complete {}", path.display())),
        "{unfinished:?}"
    );
    let proposed = std::fs::read_to_string(&path).unwrap();
    let completed = proposed.replace("the column with the Order Number", "Bill").replace("# \"", "\"");
    std::fs::write(&path, completed).unwrap();
    let ran = rig.run(&["import", "in box/orders.csv", "--yes"]);
    assert_eq!(ran.code, 0, "{proposed}\n{ran:?}");
    let sent = body(&rig, "A-2");
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
    let checked = rig.run(&["profile", "check", "own", "own.csv"]);
    assert!(checked.code == 0 && checked.stderr.contains("own fits own.csv"), "{checked:?}");
    assert_eq!(rig.run(&["import", "own.csv", "--yes"]).code, 0);
    assert_eq!(rig.bookings().len(), 1);
}
