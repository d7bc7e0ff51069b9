//! Whether couriers go where a sheet's orders go, asked before money is spent.

use rustix::process::Signal;
use serde_json::Value;
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

fn errors(document: &Value) -> Vec<(String, String, String)> {
    let text = |problem: &Value, name: &str| problem[name].as_str().unwrap_or_default().to_owned();
    let problems = document["problems"].as_array().unwrap().iter().filter(|problem| problem["severity"] == "error");
    problems.map(|problem| (text(problem, "order"), text(problem, "code"), text(problem, "place"))).collect()
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
    let (code, document) = rig.json(&ASK);
    assert_eq!((code, &document["orders"]["booked"], &document["orders"]["rejected"]), (4, &3.into(), &0.into()));
    let expected = [
        ("EC", "payment-not-serviceable", "orders.csv:5 \"PIN Code\""),
        ("F", "not-serviceable", "orders.csv:6 \"PIN Code\""),
        ("G", "not-serviceable", "orders.csv:7 \"PIN Code\""),
    ];
    assert_eq!(errors(&document), expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned())));
    assert_eq!(asked_for(&rig), 3, "three pairs");
    // What is booked is no longer asked about, and what is known is known for a day.
    let again = rig.run(&ASK);
    assert!(again.code == 4 && again.stderr.contains("2 pairs of PIN codes, 2 known, 0 to ask for"), "{again:?}");
    assert_eq!((asked_for(&rig), rig.bookings().len()), (3, 3));
    let changed = rig.database().execute("UPDATE routes SET asked_ms = asked_ms - 86400001", []).unwrap();
    assert_eq!(changed, 3);
    assert!(rig.run(&ASK).stderr.contains("0 known, 2 to ask for"));
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
    let (code, document) = rig.json(&[&ASK[..], &["--require-serviceability"]].concat());
    assert_eq!((code, rig.bookings().len()), (3, 0), "{document}");
    assert_eq!(errors(&document).len(), 40);
    assert!(asked_for(&rig) < 20, "it is given up where nothing is answered: {}", asked_for(&rig));
    let warning = &document["problems"][0];
    assert!(warning["message"].as_str().unwrap().contains("40 pairs of PIN codes without an answer"), "{warning}");
    rig.sandbox().script_path(PATH, broken());
    let (code, document) = rig.json(&ASK);
    assert_eq!((code, rig.bookings().len(), &document["problems"][0]["severity"]), (0, 40, &"warning".into()));
}

#[test]
fn the_pickup_is_known_from_the_configuration_the_option_or_the_origin() {
    let rig = Rig::new();
    rig.file("orders.csv", &to(&[("A", "560001"), ("B", "999001")]));
    let bare = rig.run(&["import", "orders.csv", "--yes", "--require-serviceability"]);
    assert!(bare.code == 3 && bare.stderr.contains("PIN code of warehouse WH-1 is not known"), "{bare:?}");
    assert!(bare.stderr.contains("--pickup-pin"), "{bare:?}");
    rig.file("shipsheet.toml", "[serviceability]\npickup_pins = { \"WH-1\" = \"?\" }\n");
    let wrong = rig.run(&ASK);
    assert!(wrong.code == 1 && wrong.stderr.contains("pickup_pins of WH-1"), "{wrong:?}");
    let config = "[warehouses]\nDepot = \"WH-1\"\n[serviceability]\nbefore_import = true\n\
        pickup_pins = { Depot = \"560 048\" }\n";
    rig.file("shipsheet.toml", config);
    let (code, document) = rig.json(&["import", "orders.csv", "--dry-run"]);
    assert_eq!((code, errors(&document).len(), rig.bookings().len()), (3, 1, 0), "{document}");
    let address = "addressLine1 = \"1 Depot Road\"\ncity = \"Bengaluru\"\nstate = \"Karnataka\"\ncountryCode = \"IN\"\npinCode = \"560048\"\n";
    let sender = "[sender]\nfirstName = \"Depot\"\nphoneNumber = \"9876500000\"\n";
    rig.file("shipsheet.toml", &format!("{sender}[origin]\n{address}"));
    rig.file("orders.csv", &to(&[("A", "560001"), ("B", "999001")]).replace(",Warehouse,", ",Sender Company,"));
    let (code, document) = rig.json(&["import", "orders.csv", "--yes", "--api", "v1", "--check-serviceability"]);
    assert_eq!((code, errors(&document).len(), rig.bookings().len()), (4, 1, 1), "{document}");
}

#[test]
fn a_check_asks_when_told_to_and_writes_nothing() {
    let rig = Rig::new();
    rig.file("orders.csv", &to(&[("A", "560001"), ("B", "999001")]));
    assert_eq!(rig.run(&["check", "orders.csv"]).code, 0);
    assert_eq!(asked_for(&rig), 0);
    let (code, document) = rig.json(&["check", "orders.csv", "--check-serviceability", "--pickup-pin", "560048"]);
    assert_eq!((code, errors(&document).len(), asked_for(&rig)), (3, 1, 2), "{document}");
    assert!(!rig.path("ledger.sqlite").exists());
    assert_eq!(rig.run(&ASK).code, 4);
    let after = rig.run(&["check", "orders.csv", "--check-serviceability", "--pickup-pin", "560048"]);
    assert!(after.code == 3 && after.stderr.contains("1 pair of PIN codes, 1 known"), "{after:?}");
    let away = rig.run(&["check", "orders.csv", "--check-serviceability", "--base-url", ""]);
    assert!(away.code == 1 && away.stderr.contains("no service is configured"), "{away:?}");
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
    assert!(ended.code == 1 && ended.stderr.contains("interrupted: nothing was sent"), "{ended:?}");
    let asked = asked_for(&rig);
    assert!((3..60).contains(&asked) && rig.bookings().is_empty());
    let again = rig.run(&ASK);
    assert!(again.stderr.contains(&format!("60 pairs of PIN codes, {asked} known")), "{again:?}");
    assert_eq!((again.code, asked_for(&rig), rig.bookings().len()), (0, 60, 60));
}

#[test]
fn sheets_without_the_check_ask_nothing() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(2));
    assert_eq!(rig.run(&["import", "orders.csv", "--yes"]).code, 0);
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
        let (code, document) = rig.json(&ASK);
        assert_eq!((code, rig.bookings().len(), asked_for(&rig)), (4, 3, 1), "{document}");
        let expected = [
            ("CC", "payment-not-serviceable", "orders.csv:4 \"PIN Code\""),
            ("E", "not-serviceable", "orders.csv:6 \"Carrier\""),
        ];
        assert_eq!(errors(&document), expected.map(|(a, b, c)| (a.to_owned(), b.to_owned(), c.to_owned())));
        let ekart = document["problems"].as_array().unwrap().iter().find(|problem| problem["order"] == "E").unwrap();
        assert!(ekart["message"].as_str().unwrap().contains("what goes there: Delhivery and Blue Dart"), "{ekart}");
    }
    rig.sandbox().script_path(PATH, [Answer::Status(200, answer.into())]);
    let ran = rig.run(&["serviceability", "--from", "560048", "--sheet", "orders.csv"]);
    assert!(ran.code == 4 && ran.stdout.contains("! 560048 to 560001 (5 orders, 2 cash on delivery)"), "{ran:?}");
}
