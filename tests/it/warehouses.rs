//! Warehouses from a sheet: created once each, their ids kept.

use std::time::Duration;

#[cfg(unix)]
use rustix::process::Signal;
use serde_json::Value;
use shipsheet::sandbox::Answer;

use crate::rig::{Rig, sheet_of, wait_until};

const CONFIG: &str = "[operations.create_warehouse]\npath = \"/sandbox/warehouses\"\n\
    [operations.list_warehouses]\npath = \"/sandbox/warehouses\"\n";
const PATH: &str = "/sandbox/warehouses";
const IMPORT: [&str; 5] = ["service", "warehouse", "import", "warehouses.csv", "--yes"];

/// A rig whose service creates warehouses, and a sheet of three.
fn rig() -> Rig {
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIG);
    rig.file(
        "warehouses.csv",
        "name,address.city,address.pinCode,phone,active\n\
         Mysuru,Mysuru,570001,09876543210,true\nHubli,Hubballi,580020,09876543211,true\nGoa,Panaji,403001,,false\n",
    );
    rig
}

fn states(document: &Value) -> Vec<(String, String)> {
    let text = |entry: &Value, name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    let list = document["warehouses"].as_array().unwrap();
    list.iter().map(|entry| (text(entry, "name"), text(entry, "state"))).collect()
}

fn states_of(document: &Value) -> Vec<String> {
    states(document).into_iter().map(|(_, state)| state).collect()
}

/// How many the service has, beside the one that it always has.
fn there(rig: &Rig) -> usize {
    rig.json(&["service", "warehouse", "list"]).1["answer"].as_array().unwrap().len() - 1
}

#[test]
fn a_sheet_of_warehouses_is_created_once_and_can_be_written_into_the_configuration() {
    let rig = rig();
    rig.run(&IMPORT[..4]).exits(2).says("Create 3 warehouses");
    let (code, document) = rig.json(&[&IMPORT[..4], &["--dry-run", "--json-column", "active"]].concat());
    assert_eq!((code, there(&rig)), (0, 0), "{document}");
    let body: Value = serde_json::json!({"name": "Mysuru", "phone": "09876543210", "active": true,
        "address": {"city": "Mysuru", "pinCode": "570001"}});
    assert_eq!(document["warehouses"][0]["body"], body);
    assert_eq!(document["warehouses"][2]["body"]["phone"], Value::Null, "an empty cell is left out");
    let made = rig.run(&[&IMPORT[..], &["--json-column", "active"]].concat());
    made.exits(0);
    assert!(
        made.stdout.ends_with("[warehouses]\n\"Mysuru\" = \"WH-2\"\n\"Hubli\" = \"WH-3\"\n\"Goa\" = \"WH-4\"\n"),
        "{made:?}"
    );
    let (_, list) = rig.json(&["service", "warehouse", "list"]);
    assert_eq!(
        (&list["answer"][1]["address"]["city"], &list["answer"][3]["active"]),
        (&"Mysuru".into(), &false.into())
    );
    // Also below a line that was added as hints write it.
    let written = format!("{CONFIG}[operations.create_warehouse.fields] id = \"id\"\n");
    rig.file("shipsheet.toml", &written);
    let (code, document) = rig.json(&[&IMPORT[..], &["--write"]].concat());
    assert_eq!((code, states_of(&document), there(&rig)), (0, vec!["known".to_owned(); 3], 3), "{document}");
    let config = rig.read("shipsheet.toml");
    assert!(config.starts_with(&written) && config.contains("\"Hubli\" = \"WH-3\""), "{config}");
    // The names are good in order sheets from now on.
    rig.import_text(&sheet_of(1).replace(",WH-1,", ",Hubli,")).exits(0);
    let body = String::from_utf8(rig.sandbox().book().bookings()[0].body.clone()).unwrap();
    assert!(body.contains(r#""warehouseId":"WH-3""#), "{body}");
}

#[test]
fn what_had_no_clear_answer_is_never_created_again_by_itself() {
    let rig = rig();
    rig.sandbox().script_path(PATH, [Answer::Plain, Answer::CutBefore]);
    let (code, document) = rig.json(&IMPORT);
    assert_eq!((code, states_of(&document)), (6, ["created", "unclear", "not sent"].map(str::to_owned).to_vec()));
    let (code, document) = rig.json(&IMPORT);
    assert_eq!((code, states_of(&document)), (6, ["known", "unclear", "created"].map(str::to_owned).to_vec()));
    assert_eq!(there(&rig), 2);
    rig.run(&[&IMPORT[..], &["--again", "Hubli"]].concat()).exits(0).prints("Hubli  created: WH-4");
    assert_eq!(there(&rig), 3);
}

#[test]
fn a_refusal_is_said_and_may_be_tried_again() {
    let rig = rig();
    let refusal = |status| Answer::Status(status, "{\"message\": \"phone must be a string\"}".into());
    rig.sandbox().script_path(PATH, [Answer::Plain, refusal(422)]);
    let (code, document) = rig.json(&IMPORT);
    assert_eq!((code, states_of(&document)), (4, ["created", "refused", "created"].map(str::to_owned).to_vec()));
    assert!(document["warehouses"][1]["error"].as_str().unwrap().contains("phone must be a string"), "{document}");
    rig.sandbox().script_path(PATH, [refusal(500)]);
    let (code, document) = rig.json(&IMPORT);
    assert_eq!((code, states_of(&document)[1].as_str()), (6, "unclear"), "a 500 proves nothing: {document}");
    rig.file("more.csv", "name\nKochi\n");
    rig.sandbox().script_path(PATH, [Answer::Status(200, "{\"ok\": true}".into())]);
    rig.run(&["service", "warehouse", "import", "more.csv", "--yes"])
        .exits(6)
        .prints("it tells no id; if it says so elsewhere, set [operations.create_warehouse.fields] id = ");
}

#[test]
fn a_sheet_with_mistakes_and_a_missing_path_create_nothing() {
    let rig = rig();
    for (sheet, code, says) in [
        ("name,city\nA,x\nA,y\n", 3, "stands in row 2 as well"),
        ("name,city\n,x\n", 3, "needs a name"),
        ("city\nx\n", 1, "--name-column"),
        ("name,address,address.city\nA,b,c\n", 1, "same place of the request"),
        ("name\n", 1, "no row below"),
    ] {
        rig.file("warehouses.csv", sheet);
        let ran = rig.run(&IMPORT);
        assert!(ran.exit == code && ran.stderr.contains(says), "{sheet}: {ran:?}");
    }
    assert_eq!(there(&rig), 0);
    rig.file("shipsheet.toml", "");
    rig.run(&IMPORT).exits(1).says("[operations.create_warehouse]");
}

#[cfg(unix)]
#[test]
fn an_import_of_warehouses_can_be_interrupted_or_killed() {
    let rig = rig();
    let names: Vec<String> = (0..30).map(|n| format!("W{n}")).collect();
    rig.file("warehouses.csv", &format!("name\n{}\n", names.join("\n")));
    let live = rig.live("interrupted", &[&IMPORT[..], &["--rate", "20"]].concat());
    live.said("2 of 30");
    live.signal(Signal::INT);
    let ended = live.end();
    ended.exits(5);
    assert!(there(&rig) < 30);
    rig.sandbox().script_path(PATH, [Answer::Silent(Duration::from_mins(1))]);
    let before = rig.sandbox().book().requests();
    let live = rig.live("killed", &IMPORT);
    wait_until("the request is there", || rig.sandbox().book().requests() > before);
    live.signal(Signal::KILL);
    live.end();
    let (code, document) = rig.json(&IMPORT);
    let unclear = states_of(&document).iter().filter(|state| *state == "unclear").count();
    assert_eq!((code, unclear, there(&rig)), (6, 1, 29), "the one that was on its way is left alone: {document}");
}

#[test]
fn a_warehouse_that_nobody_knows_is_told_with_the_nearest() {
    let rig = Rig::new();
    rig.file("shipsheet.toml", "[warehouses]\n\"Bengaluru Depot\" = \"WH-9f2\"\n\"Pune\" = \"WH-77\"\n");
    for (warehouse, near) in
        [("Bengaluru Depo", "Bengaluru Depot"), ("WH-9f3", "WH-9f2\" (Bengaluru Depot)"), ("Chennai", "")]
    {
        rig.file("orders.csv", &sheet_of(1).replace(",WH-1,", &format!(",{warehouse},")));
        for command in [&["check", "orders.csv"][..], &["import", "orders.csv", "--yes"]] {
            let hint = rig.came(command).tells_first("unknown-warehouse").hint;
            let said = format!("did you mean \"{near}").replace("Depot)", "Depot)?");
            assert_eq!(hint.contains("did you mean"), !near.is_empty(), "{hint}");
            assert!(near.is_empty() || hint.contains(&said), "{hint}");
        }
    }
    assert_eq!(rig.bookings(), []);
}
