//! Whether couriers go where a sheet's orders go, asked before money is spent.

#[cfg(unix)]
use rustix::process::Signal;
use shipsheet::sandbox::Answer;

use crate::rig::{Rig, row_with, sheet, sheet_of, wait_until};

const PATH: &str = "/v1/external/carrier/serviceability";
const ASK: [&str; 6] = ["import", "orders.csv", "--yes", "--check-serviceability", "--pickup-pin", "560048"];

/// Orders to these PIN codes; cash on delivery where the number ends in C.
fn to(orders: &[(&str, &str)]) -> String {
    sheet(orders.iter().map(|(number, pin)| {
        let row = row_with(number, "9876543210", pin);
        if number.ends_with('C') { row.replace("PREPAID", "COD") } else { row }
    }))
}

fn asked_for(rig: &Rig) -> u64 {
    rig.sandbox().book().requests() - rig.bookings().len() as u64
}

#[test]
fn what_no_courier_takes_stays_behind_before_money_is_spent_and_each_pair_is_asked_for_once_a_day() {
    let rig = Rig::new();
    rig.file(
        "orders.csv",
        &to(&[("A", "560001"), ("BC", "560001"), ("D", "560009"), ("EC", "560009"), ("F", "999001"), ("G", "999001")]),
    );
    let came = rig.came(&ASK);
    came.exits(4);
    assert_eq!(
        (&came.document["orders"]["booked"], &came.document["orders"]["rejected"]),
        (&3.into(), &0.into()),
        "{came:?}"
    );
    let expected = [
        ("EC", "payment-not-serviceable", "orders.csv:5 \"PIN Code\""),
        ("F", "not-serviceable", "orders.csv:6 \"PIN Code\""),
        ("G", "not-serviceable", "orders.csv:7 \"PIN Code\""),
    ];
    assert_eq!(came.held_back(), expected, "{came:?}");
    assert_eq!(asked_for(&rig), 3, "three pairs");
    // What is booked is no longer asked about, and what is known is known for a day.
    rig.run(&ASK).exits(4).says("2 pairs of PIN codes, 2 known, 0 to ask for");
    assert_eq!((asked_for(&rig), rig.bookings().len()), (3, 3));
    let changed = rig.database().execute("UPDATE routes SET asked_ms = asked_ms - 86400001", []).unwrap();
    assert_eq!(changed, 3);
    rig.run(&ASK).says("0 known, 2 to ask for");
    let kept: i64 = rig.database().query_row("SELECT count(*) FROM routes", [], |row| row.get(0)).unwrap();
    assert_eq!((asked_for(&rig), kept), (5, 2), "what is old is forgotten");
}

#[test]
fn a_check_that_fails_blocks_nothing_unless_it_is_asked_to() {
    let orders: Vec<(String, String)> = (0..40).map(|n| (format!("N-{n}"), format!("5600{n:02}"))).collect();
    let orders: Vec<(&str, &str)> = orders.iter().map(|(number, pin)| (number.as_str(), pin.as_str())).collect();
    let rig = Rig::new();
    rig.file("orders.csv", &to(&orders));
    let broken = || [const { Answer::Status(404, String::new()) }; 40];
    rig.sandbox().script_path(PATH, broken());
    let came = rig.came(&[&ASK[..], &["--require-serviceability"]].concat());
    came.books(3, 0);
    assert_eq!(came.errors().len(), 40);
    assert!(asked_for(&rig) < 20, "it is given up where nothing is answered: {}", asked_for(&rig));
    came.problems[0].says("40 pairs of PIN codes without an answer");
    rig.sandbox().script_path(PATH, broken());
    let came = rig.came(&ASK);
    came.books(0, 40);
    came.problems[0].is_warning();
}

#[test]
fn the_pickup_is_known_from_the_configuration_the_option_or_the_origin() {
    let rig = Rig::new();
    rig.file("orders.csv", &to(&[("A", "560001"), ("B", "999001")]));
    rig.run(&["import", "orders.csv", "--yes", "--require-serviceability"])
        .exits(3)
        .says("PIN code of warehouse WH-1 is not known")
        .says("--pickup-pin");
    rig.file("shipsheet.toml", "[serviceability]\npickup_pins = { \"WH-1\" = \"?\" }\n");
    rig.run(&ASK).exits(1).says("pickup_pins of WH-1");
    let config = "[warehouses]\nDepot = \"WH-1\"\n[serviceability]\nbefore_import = true\n\
        pickup_pins = { Depot = \"560 048\" }\n";
    rig.file("shipsheet.toml", config);
    let came = rig.came(&["import", "orders.csv", "--dry-run"]);
    came.exits(3);
    assert_eq!((came.errors().len(), rig.bookings().len()), (1, 0), "{came:?}");
    let address = "addressLine1 = \"1 Depot Road\"\ncity = \"Bengaluru\"\nstate = \"Karnataka\"\ncountryCode = \"IN\"\npinCode = \"560048\"\n";
    let sender = "[sender]\nfirstName = \"Depot\"\nphoneNumber = \"9876500000\"\n";
    rig.file("shipsheet.toml", &format!("{sender}[origin]\n{address}"));
    rig.file("orders.csv", &to(&[("A", "560001"), ("B", "999001")]).replace(",Warehouse,", ",Sender Company,"));
    let came = rig.import(&["orders.csv", "--api", "v1", "--check-serviceability"]);
    came.exits(4);
    assert_eq!((came.errors().len(), rig.bookings().len()), (1, 1), "{came:?}");
}

#[test]
fn a_check_asks_when_told_to_and_writes_nothing() {
    let rig = Rig::new();
    rig.file("orders.csv", &to(&[("A", "560001"), ("B", "999001")]));
    rig.run(&["check", "orders.csv"]).exits(0);
    assert_eq!(asked_for(&rig), 0);
    let came = rig.check(&["orders.csv", "--check-serviceability", "--pickup-pin", "560048"]);
    came.exits(3);
    assert_eq!((came.errors().len(), asked_for(&rig)), (1, 2), "{came:?}");
    assert!(!rig.path("ledger.sqlite").exists());
    rig.run(&ASK).exits(4);
    // A ledger is at hand now, and what it has as booked is not asked about.
    rig.file("orders.csv", &to(&[("C", "560001"), ("D", "999001")]));
    rig.run(&["check", "orders.csv", "--check-serviceability", "--pickup-pin", "560048"])
        .exits(3)
        .says("2 pairs of PIN codes, 2 known");
    rig.run(&["check", "orders.csv", "--check-serviceability", "--base-url", ""])
        .exits(1)
        .says("no service is configured");
}

#[cfg(unix)]
#[test]
fn asking_keeps_to_its_pace_and_an_interrupt_sends_nothing_and_loses_no_answer() {
    let rig = Rig::new();
    let orders: Vec<(String, String)> = (0..60).map(|n| (format!("N-{n}"), format!("5600{n:02}"))).collect();
    let orders: Vec<(&str, &str)> = orders.iter().map(|(number, pin)| (number.as_str(), pin.as_str())).collect();
    rig.file("orders.csv", &to(&orders));
    let live = rig.live("import", &[&ASK[..], &["--rate", "20/s"]].concat());
    wait_until("three answers", || asked_for(&rig) >= 3);
    live.signal(Signal::INT);
    let ended = live.end();
    ended.exits(1).says("interrupted: nothing was sent");
    let asked = asked_for(&rig);
    assert!((3..60).contains(&asked) && rig.bookings().is_empty());
    let again = rig.run(&ASK);
    again.says(format!("60 pairs of PIN codes, {asked} known"));
    assert_eq!((again.exit, asked_for(&rig), rig.bookings().len()), (0, 60, 60));
}

#[test]
fn sheets_without_the_check_ask_nothing() {
    let rig = Rig::new();
    rig.import_text(&sheet_of(2)).exits(0);
    assert_eq!(asked_for(&rig), 0);
}

#[test]
fn the_courier_that_an_order_names_is_the_one_that_counts() {
    let rig = Rig::new();
    let answer = r#"[{"carrier": "Delhivery", "prepaidActive": true, "codActive": true},
        {"carrier": "Blue Dart", "prepaidActive": true, "codActive": false}]"#;
    let header = |text: &str| text.replacen(",Warehouse,", ",Carrier,Warehouse,", 1);
    let carrier = |row: String, carrier: &str| row.replace(",WH-1,", &format!(",{carrier},WH-1,"));
    let rows = [("A", ""), ("BC", "delhivery"), ("CC", "bluedart"), ("D", "bluedart"), ("E", "Ekart")];
    let rows = rows.map(|(number, name)| {
        let row = row_with(number, "9876543210", "560001");
        carrier(if number.ends_with('C') { row.replace("PREPAID", "COD") } else { row }, name)
    });
    rig.file("orders.csv", &header(&sheet(rows)));
    rig.sandbox().script_path(PATH, [Answer::Status(200, answer.into())]);
    // The second time the answer is known from the first.
    for _ in 0..2 {
        let came = rig.came(&ASK);
        came.books(4, 3);
        assert_eq!(asked_for(&rig), 1, "{came:?}");
        let expected = [
            ("CC", "payment-not-serviceable", "orders.csv:4 \"PIN Code\""),
            ("E", "not-serviceable", "orders.csv:6 \"Carrier\""),
        ];
        assert_eq!(came.held_back(), expected, "{came:?}");
        came.only("not-serviceable").says("what goes there: Delhivery and Blue Dart");
    }
    rig.sandbox().script_path(PATH, [Answer::Status(200, answer.into())]);
    rig.run(&["service", "serviceability", "--from", "560048", "--sheet", "orders.csv"])
        .exits(4)
        .prints("! 560048 to 560001 (5 orders, 2 cash on delivery)");
}
