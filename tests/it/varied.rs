//! A service that varies its answers: each operation with each shape of answer either works, works by the setting that the
//! message names, or fails with the answer shown; each time with one JSON document.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use serde_json::{Value, json};
use shipsheet::api::operation::ALL;
use shipsheet::sandbox::{Answer, DEFAULT_EMAIL, DEFAULT_PASSWORD};

use crate::rig::{Ran, Rig, ran_here, row, sheet};

/// One operation of the table.
#[derive(Deserialize)]
struct Operation {
    name: String,
    path: String,
    command: Vec<String>,
    answer: String,
    shows: String,
    optional: Vec<String>,
    renamed: BTreeMap<String, String>,
    fails: i32,
    without: Option<String>,
}

#[derive(Deserialize)]
struct Table {
    operation: Vec<Operation>,
}

const SHAPES: [&str; 10] =
    ["wrapped", "list", "renamed", "types", "missing", "further", "null", "empty", "HTML", "error in a 200"];

/// Operations whose answers come to more than one command's document, and are varied in functions of their own.
const ELSEWHERE: [&str; 3] = ["forward_shipment", "forward_shipment_v1", "find_order"];

const CONFIGURATION: &str = "[operations.list_couriers]\npath = \"/sandbox/couriers\"\n\
    [operations.ndr]\npath = \"/sandbox/ndr/{orderId}\"\n\
    [operations.list_warehouses]\npath = \"/sandbox/warehouses\"\n\
    [operations.create_warehouse]\npath = \"/sandbox/warehouses\"\n\
    [operations.get_warehouse]\npath = \"/sandbox/warehouses/{id}\"\n\
    [operations.update_warehouse]\npath = \"/sandbox/warehouses/{warehouseId}\"\n";

/// An answer in another shape.
fn shaped(operation: &Operation, answer: &Value, shape: &str) -> String {
    let answer = answer.clone();
    match shape {
        "wrapped" => json!({"status": "success", "data": answer}),
        "list" => match answer {
            Value::Array(mut items) => items.remove(0),
            one => json!([one]),
        },
        "renamed" => {
            changed(answer, &|name| operation.renamed.get(name).cloned().or(Some(name.to_owned())), &|value| value)
        }
        "types" => changed(answer, &|name| Some(name.to_owned()), &swapped),
        "missing" => {
            let kept = |name: &str| (!operation.optional.iter().any(|key| key == name)).then(|| name.to_owned());
            changed(answer, &kept, &|value| value)
        }
        "further" => match answer {
            Value::Array(items) => items.into_iter().map(with_more).collect(),
            one => with_more(one),
        },
        "null" => Value::Null,
        "empty" => return String::new(),
        "HTML" => return "<html><body>Sign in</body></html>".to_owned(),
        _ => json!({"error": "the service has other plans"}),
    }
    .to_string()
}

fn with_more(mut answer: Value) -> Value {
    answer["newField"] = json!({"deep": [1.5, null]});
    answer
}

/// Numbers become texts, and texts of digits and flags become the other thing.
fn swapped(value: Value) -> Value {
    match value {
        Value::Number(number) => number.to_string().into(),
        Value::Bool(flag) => flag.to_string().into(),
        Value::String(text) => match text.parse::<u64>() {
            Ok(number) => number.into(),
            Err(_) => text.into(),
        },
        other => other,
    }
}

fn changed(value: Value, name: &dyn Fn(&str) -> Option<String>, leaf: &dyn Fn(Value) -> Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(|item| changed(item, name, leaf)).collect(),
        Value::Object(fields) => {
            let pairs = fields.into_iter().filter_map(|(key, value)| Some((name(&key)?, changed(value, name, leaf))));
            Value::Object(pairs.collect())
        }
        other => leaf(other),
    }
}

/// The service and a person who does what messages say.
struct Trial {
    rig: Rig,
}

impl Trial {
    fn new(orders: usize) -> Self {
        let rig = Rig::booked("", orders);
        rig.file("body.json", "{\"name\": \"Bengaluru\"}");
        Self { rig }
    }

    /// Runs a command once against an answer of the service; the document is one, and no secret is in it.
    fn ask(&self, path: &str, command: &[String], body: &str) -> (Ran, Value) {
        self.rig.sandbox().script_path(path, [Answer::Status(200, body.to_owned())]);
        let words: Vec<&str> = command.iter().map(String::as_str).chain(["--format", "json"]).collect();
        let mut command = self.rig.command(&words);
        if words == ["service", "login", "--format", "json"] {
            command.env("SHIPSHEET_EMAIL", DEFAULT_EMAIL).env("SHIPSHEET_PASSWORD", DEFAULT_PASSWORD);
        }
        let ran = ran_here(command);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
        assert_eq!(document["exit"], ran.exit, "{ran:?}");
        ran.says_nothing_of("canary").prints_nothing_of("canary");
        (ran, document)
    }

    /// What came of one operation with one shape of answer.
    fn tried(&self, operation: &Operation, shape: &str, order: usize) -> &'static str {
        let booking = &self.rig.sandbox().book().bookings()[order];
        let file = format!("{}/sandbox/files/label/{}.pdf", self.rig.sandbox().base_url(), booking.order_id);
        let sheet_name = format!("warehouses-{order}.csv");
        self.rig.file(&sheet_name, &format!("name\nWarehouse {order}\n"));
        let filled = |text: &str| {
            let pairs = [
                ("{ORDER}", &booking.order_number),
                ("{ID}", &booking.order_id),
                ("{AWB}", &booking.awb),
                ("{FILE}", &file),
                ("{SHEET}", &sheet_name),
            ];
            pairs.iter().fold(text.to_owned(), |text, (place, value)| text.replace(place, value))
        };
        let (path, result) = (filled(&operation.path), filled(&operation.shows));
        let command: Vec<String> = operation.command.iter().map(|word| filled(word)).collect();
        let body = shaped(operation, &serde_json::from_str(&filled(&operation.answer)).unwrap(), shape);
        let nowhere = |name: &String| format!("[operations.{name}]\npath = \"/v1/nowhere/{{orderId}}\"\n");
        let without = operation.without.as_ref().map(nowhere).unwrap_or_default();
        self.rig.file("shipsheet.toml", &format!("{CONFIGURATION}{without}"));
        let mut settings = 0;
        loop {
            let (ran, document) = self.ask(&path, &command, &body);
            let text = format!("{document:#}");
            let about = format!("{} {shape}: {body}: {ran:?}", operation.name);
            if ran.exit == 0 {
                assert!(text.contains(&result), "{about}");
                return if settings == 0 { "works" } else { "by setting" };
            }
            // A no is a refusal, whatever the operation makes of an answer that is not understood.
            assert!(
                ran.exit == operation.fails || (shape.starts_with("error") && matches!(ran.exit, 1 | 4)),
                "{about}"
            );
            let shown = match shape {
                // What a login answers may be a token: only its names are shown.
                "null" | "empty" | "HTML" if operation.name == "login" => "the answer holds no token",
                "null" => "null",
                "empty" => "empty",
                "HTML" => "a web page: Sign in",
                shape if shape.starts_with("error") => "the service has other plans",
                _ => "",
            };
            let said = format!("{text}{}", ran.stderr);
            assert!(said.contains(shown), "{about}");
            let Some(setting) = setting(&document).filter(|_| shape == "renamed" && settings < 4) else {
                assert!(!shown.is_empty(), "only an answer without any sense may be beyond reading: {about}");
                return "shown";
            };
            let before = self.rig.read("shipsheet.toml");
            self.rig.file("shipsheet.toml", &format!("{before}{setting}\n"));
            settings += 1;
            if operation.name == "create_warehouse" {
                // The person has looked, and it is not there.
                let again = [&command[..], &["--again".to_owned(), format!("Warehouse {order}")]].concat();
                let (ran, _) = self.ask(&path, &again, &body);
                return if ran.exit == 0 { "by setting" } else { panic!("{about}: {ran:?}") };
            }
        }
    }
}

/// The setting that a document's message names, as it is to be copied.
fn setting(document: &Value) -> Option<String> {
    let text = texts(document);
    let from = text.find("[operations.")?;
    let end = from + text[from..].find("\" in shipsheet.toml")? + 1;
    let settings = text[from..end].replace(" and [operations.", "\n[operations.");
    Some(settings).filter(|settings| !settings.contains('…'))
}

/// Every text of a document, one after the other.
fn texts(document: &Value) -> String {
    match document {
        Value::String(text) => format!("{text}\n"),
        Value::Array(items) => items.iter().map(texts).collect(),
        Value::Object(fields) => fields.values().map(texts).collect(),
        _ => String::new(),
    }
}

#[test]
fn every_operation_with_every_shape_of_answer() {
    let Table { operation: operations } = toml::from_str(include_str!("varied.toml")).unwrap();
    let tried = |name: &str| operations.iter().any(|operation| operation.name == name);
    let missing: Vec<&str> =
        ALL.iter().map(|own| own.name).filter(|name| !tried(name) && !ELSEWHERE.contains(name)).collect();
    assert!(missing.is_empty(), "tests/it/varied.toml has no answer of {missing:?}");
    let trial = Trial::new(SHAPES.len());
    let mut table = format!("{:<20}", "operation");
    for shape in SHAPES {
        let _ = write!(table, "{shape:<12}");
    }
    let rows = operations.iter().map(|operation| {
        let ends =
            SHAPES.iter().enumerate().map(|(order, shape)| format!("{:<12}", trial.tried(operation, shape, order)));
        format!("\n{:<20}{}", operation.name, ends.collect::<String>())
    });
    table.extend(rows.collect::<Vec<_>>());
    for version in ["v2", "v1"] {
        let ends = SHAPES.iter().map(|shape| format!("{:<12}", booked(version, shape)));
        let _ = write!(table, "\n{:<20}{}", format!("forward_shipment {version}"), ends.collect::<String>());
    }
    let ends = SHAPES.iter().map(|shape| format!("{:<12}", looked_up(shape)));
    let _ = write!(table, "\n{:<20}{}", "find_order", ends.collect::<String>());
    let table: Vec<&str> = table.lines().map(str::trim_end).collect();
    insta::assert_snapshot!("varied", table.join("\n"));
}

/// What came of a sheet of three orders whose bookings are answered in one shape: one request and one order in doubt at most,
/// and the rest is booked once the setting that the message names is there.
fn booked(version: &str, shape: &str) -> &'static str {
    let name = if version == "v2" { "forward_shipment" } else { "forward_shipment_v1" };
    let operation = Operation {
        name: name.to_owned(),
        path: String::new(),
        command: Vec::new(),
        answer: String::new(),
        shows: String::new(),
        optional: ["orderId", "cratedAt", "carrier", "service", "shipmentPurchaseError"].map(str::to_owned).to_vec(),
        renamed: BTreeMap::from([("awb".to_owned(), "awbNumber".to_owned())]),
        fails: 6,
        without: None,
    };
    let rig = Rig::new();
    let sides = "[sender]\nfirstName = \"Depot\"\nphoneNumber = \"9876543212\"\n[origin]\naddressLine1 = \"1 Depot Road\"\n\
        city = \"Bengaluru\"\nstate = \"Karnataka\"\ncountryCode = \"IN\"\npinCode = \"560048\"\n";
    rig.file("shipsheet.toml", sides);
    let orders = ["A-1", "A-2", "A-3"];
    rig.file("orders.csv", &sheet(orders.map(row)));
    let now = jiff::Timestamp::now().as_millisecond().to_string();
    for (n, order) in (1..).zip(orders) {
        let answer = json!({"orderId": format!("{n}77"), "awb": format!("{n}12345678"), "cratedAt": now,
            "carrier": "Courier 7", "service": "Surface", "shipmentPurchaseError": null});
        rig.sandbox().script_order(order, [Answer::BookedThen(201, shaped(&operation, &answer, shape))]);
    }
    let import = ["import", "orders.csv", "--yes", "--api", version];
    let (code, document) = rig.json(&import);
    let requests = rig.sandbox().book().requests();
    if code == 0 {
        assert_eq!((requests, &document["orders"]["booked"]), (3, &3.into()), "{shape} {document}");
        return "works";
    }
    let counts = (&document["orders"]["in_doubt"], &document["orders"]["outstanding"], &document["stopped_by"]);
    let text = format!("{document:#}");
    assert_eq!((code, requests, counts), (6, 1, (&1.into(), &2.into(), &"answer".into())), "{version} {shape}: {text}");
    let Some(setting) = setting(&document) else {
        return "shown";
    };
    assert!(setting.starts_with(&format!("[operations.{name}.fields] awb = ")), "{setting}");
    rig.file("shipsheet.toml", &format!("{sides}{setting}\n"));
    let (code, document) = rig.json(&["resume", "--yes"]);
    assert_eq!((code, &document["orders"]["booked"]), (6, &2.into()), "{shape} {setting} {document}");
    "by setting"
}

/// What came of looking up an order in doubt, where the service answers for every order that it has in one shape.
fn looked_up(shape: &str) -> &'static str {
    let names = ["orderId", "orderNumber", "trackingCode"].map(str::to_owned);
    let operation = Operation {
        name: "find_order".to_owned(),
        path: String::new(),
        command: Vec::new(),
        answer: String::new(),
        shows: String::new(),
        optional: names[..1].to_vec(),
        renamed: names[1..].iter().cloned().zip(["reference", "waybillNumber"].map(str::to_owned)).collect(),
        fails: 6,
        without: None,
    };
    let rig = Rig::new();
    let orders = ["A-1", "B-1", "B-2", "B-3"];
    rig.sandbox().script_order("A-1", [Answer::CutAfter]);
    rig.import_text(&sheet(orders.map(row))).exits(6);
    let mut configuration = "[operations.find_order]\npath = \"/v1/external/orders/{order_number}\"\n".to_owned();
    for settings in 0..4 {
        rig.file("shipsheet.toml", &configuration);
        for booking in rig.sandbox().book().bookings() {
            let answer = json!({"orderId": booking.order_id, "orderNumber": booking.order_number,
                "trackingCode": booking.awb});
            let body = shaped(&operation, &answer, shape);
            let path = format!("/v1/external/orders/{}", booking.order_number);
            rig.sandbox().script_path(&path, [(); 3].map(|()| Answer::Status(200, body.clone())));
        }
        let (code, document) = rig.json(&["doubt", "look-up"]);
        let text = texts(&document);
        if document["orders"][0]["finding"] == "booked" {
            assert_eq!(code, 6, "nothing is recorded without a yes: {text}");
            return if settings == 0 { "works" } else { "by setting" };
        }
        assert_eq!(document["orders"][0]["finding"], "unclear", "{shape}: {text}");
        let Some(setting) = setting(&document) else {
            let shown = match shape {
                "HTML" => "a web page: Sign in",
                shape if shape.starts_with("error") => "the service has other plans",
                shape => shape,
            };
            assert!(text.contains(shown), "{shape}: {text}");
            return "shown";
        };
        configuration.push_str(&setting);
        configuration.push('\n');
    }
    panic!("{shape} is read by no setting that is named: {configuration}");
}
