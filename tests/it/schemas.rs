//! Every command prints exactly one JSON document that the schema of its kind describes, also when it fails.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::LazyLock;

use jsonschema::{Registry, Resource, Validator};
use serde_json::Value;
use shipsheet::sandbox::Answer;

use crate::rig::{Ran, Rig, row, row_of_own, row_with, sheet};

const CONFIGURATION: &str = "[serviceability]\npickup_pin = \"560048\"\n\
    [operations.find_order]\npath = \"/sandbox/orders/{order_number}\"\n\
    [operations.list_couriers]\npath = \"/sandbox/couriers\"\n\
    [operations.ndr]\npath = \"/sandbox/ndr/{orderId}\"\n\
    [operations.list_warehouses]\npath = \"/sandbox/warehouses\"\n\
    [operations.create_warehouse]\npath = \"/sandbox/warehouses\"\n\
    [operations.get_warehouse]\npath = \"/sandbox/warehouses/{warehouseId}\"\n\
    [operations.update_warehouse]\npath = \"/sandbox/warehouses/{warehouseId}\"\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema")
}

/// The names of all schemas.
fn names() -> BTreeSet<String> {
    let files = std::fs::read_dir(folder()).unwrap();
    files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned()).collect()
}

fn schema(name: &str) -> Value {
    let path = folder().join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// A schema that finds the others by their names.
fn validator(name: &str) -> Validator {
    static ALL: LazyLock<Registry<'static>> = LazyLock::new(|| {
        let with_address = |name: &String| {
            let schema = schema(name);
            (schema["$id"].as_str().unwrap().to_owned(), Resource::from_contents(schema))
        };
        let mut registry = Registry::new();
        for (address, resource) in names().iter().map(with_address) {
            registry = registry.add(address, resource).unwrap();
        }
        registry.prepare().unwrap()
    });
    jsonschema::options().with_registry(&ALL).build(&schema(name)).unwrap()
}

/// What was printed, and which kinds it was of.
struct Printed<'r> {
    rig: &'r Rig,
    kinds: &'r RefCell<BTreeSet<String>>,
}

impl Printed<'_> {
    /// Runs a command that prints one document of this kind.
    fn one(&self, kind: &str, code: i32, arguments: &[&str]) -> Value {
        self.ran(kind, code, &self.rig.run(&[arguments, &["--format", "json"]].concat()))
    }

    /// Holds what a command printed to be one document of this kind.
    fn ran(&self, kind: &str, code: i32, ran: &Ran) -> Value {
        let documents: Vec<Value> = serde_json::Deserializer::from_str(&ran.stdout)
            .into_iter()
            .map(|document| document.unwrap_or_else(|error| panic!("{kind}: {error}: {ran:?}")))
            .collect();
        let [document] = documents.as_slice() else { panic!("{kind}: not one document: {ran:?}") };
        assert_eq!((ran.exit, &document["exit"]), (code, &code.into()), "{kind}: {ran:?}");
        self.holds(kind, document);
        document.clone()
    }

    fn holds(&self, kind: &str, document: &Value) {
        assert_eq!(document["document"], kind, "{document:#}");
        let validator = validator(kind);
        let wrong = validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path()));
        let wrong: Vec<String> = wrong.collect();
        assert!(wrong.is_empty(), "{kind}: {wrong:#?} in {document:#}");
        self.kinds.borrow_mut().insert(kind.to_owned());
    }
}

#[test]
fn every_command_prints_one_document_that_its_schema_describes() {
    let kinds = RefCell::default();
    let rig = Rig::new().patient_for("2");
    rig.file("shipsheet.toml", CONFIGURATION);
    let printed = Printed { rig: &rig, kinds: &kinds };
    tables_and_files(&printed);
    runs(&printed);
    doubts(&printed);
    shipments(&printed);
    service(&printed);
    webhooks(&printed);
    ledger(&printed);
    nights(&printed);
    failures(&printed);
    streams(&printed);
    printed.one("selftest", 0, &["selftest", "--kills", "1", "--quiet"]);
    let all: BTreeSet<String> = names().into_iter().filter(|name| name != "finding").collect();
    let alone: Vec<String> = kinds.into_inner().symmetric_difference(&all).cloned().collect();
    assert!(alone.is_empty(), "not both printed by this test and a file of docs/schema: {alone:?}");
}

fn tables_and_files(printed: &Printed<'_>) {
    let rig = printed.rig;
    printed.one("fields", 0, &["fields"]);
    printed.one("config", 0, &["config", "show"]);
    printed.one("service-operations", 0, &["service", "call"]);
    printed.one("service-probe", 0, &["service", "probe"]);
    printed.one("service-couriers", 0, &["service", "couriers"]);
    printed.one("rules", 0, &["rules"]);
    printed.one("rules", 0, &["rules", "total-differs"]);
    printed.one("template", 0, &["template", "starter.csv"]);
    std::fs::create_dir(rig.path("in")).unwrap();
    printed.one("night-install", 0, &["night", "install", "in", "--to", "units"]);
    printed.one("could-not-run", 1, &["template", "starter.csv"]);
    printed.one("could-not-run", 2, &["template", "starter.doc"]);
    printed.one("completions", 0, &["completions", "fish"]);
    let pages = ["completions", "man", "--to", "man1"];
    assert!(printed.one("completions", 0, &pages)["files"].as_array().unwrap().len() > 30);
    printed.one("could-not-run", 2, &["completions", "bash", "--to", "man1"]);
    printed.one("profile-list", 0, &["profile", "list"]);
    printed.one("profile-show", 0, &["profile", "show", "shopify"]);
    printed.one("could-not-run", 1, &["profile", "show", "nobody"]);
    rig.file("counter.csv", "Bill,Party,Mobile,Town\n1,Asha,9876543210,Pune\n");
    let guess = ["profile", "guess", "counter.csv"];
    assert_eq!(printed.one("profile-guess", 0, &guess)["saved"], Value::Null);
    let save = [&guess[..], &["--save", "counter"]].concat();
    assert_eq!(printed.one("profile-guess", 0, &save)["saved"]["name"], "counter");
    printed.one("could-not-run", 1, &save);
    let kept = rig.path(".config/shipsheet/profiles/counter.toml");
    std::fs::write(&kept, "name = \"counter\"\n# an afternoon's work\n").unwrap();
    let replaced = printed.one("profile-guess", 0, &[&save[..], &["--replace"]].concat());
    assert!(replaced["saved"]["earlier"].is_string(), "{replaced}");
    printed.one("profile-check", 0, &["profile", "check", "counter"]);
    printed.one("profile-check", 3, &["profile", "check", "counter", "counter.csv"]);
    printed.one("profile-check", 3, &["profile", "check", "shopify", "counter.csv"]);
    printed.one("service-login", 0, &["service", "login"]);
    printed.one("service-login", 0, &["service", "login", "--sandbox"]);
}

fn runs(printed: &Printed<'_>) {
    let rig = printed.rig;
    printed.one("could-not-run", 1, &["runs"]);
    let nothing = printed.one("run", 0, &["status"]);
    assert_eq!((&nothing["run"], &nothing["orders"]["total"]), (&Value::Null, &0.into()));
    printed.one("could-not-run", 1, &["status", "--run", "1"]);
    rig.sandbox().script_order("D-1", [Answer::CutAfter]);
    rig.sandbox().script_order("D-2", [Answer::CutAfter]);
    rig.sandbox().script_order("D-3", [Answer::CutBefore]);
    rig.sandbox().script_order("D-4", [Answer::CutBefore]);
    let bad = [row_with("R-1", "9876543210", "999001"), row_with("I-1", "12", "560001")];
    let good = ["A-1", "A-2", "A-3", "A-4", "D-1", "D-2", "D-3", "D-4"].map(row);
    rig.file("orders.csv", &sheet(good.into_iter().chain(bad)));
    rig.file("strange.csv", "x,y\n1,2\n");
    rig.file("incomplete.csv", "Order Number,City\nA-9,Pune\n");
    assert_eq!(printed.one("run", 3, &["check", "orders.csv"])["run"], Value::Null);
    printed.one("run", 3, &["import", "strange.csv", "--yes"]);
    printed.one("run", 3, &["check", "incomplete.csv"]);
    printed.one("run", 3, &["import", "orders.csv", "--dry-run"]);
    printed.one("run", 3, &["import", "orders.csv", "--all-or-nothing", "--yes"]);
    printed.one("could-not-run", 2, &["import", "orders.csv"]);
    printed.one("could-not-run", 1, &["import", "nowhere.csv", "--yes"]);
    printed.one("run", 6, &["import", "orders.csv", "--yes", "--max-orders", "9"]);
    printed.one("run", 6, &["import", "orders.csv", "--yes", "--check-serviceability"]);
    printed.one("run", 6, &["status"]);
    printed.one("run", 6, &["resume", "--yes"]);
    printed.one("run", 4, &["retry", "--run", "1", "--yes"]);
    printed.one("could-not-run", 1, &["resume", "--run", "99", "--yes"]);
    printed.one("runs", 0, &["runs"]);
    assert_eq!(printed.one("runs", 0, &["runs", "--limit", "1"])["runs"].as_array().unwrap().len(), 1);
    printed.one("export", 0, &["export", "--all", "--for", "shopify", "--to", "shop.csv"]);
    printed.one("could-not-run", 2, &["export", "--for", "etsy", "--to", "shop.csv"]);
    printed.one("rejects", 0, &["rejects", "--run", "1", "--to", "fix.csv"]);
    printed.one("report", 0, &["report"]);
    printed.one("report", 0, &["report", "--run", "1"]);
    printed.one("report", 0, &["report", "--last", "7d", "--mask"]);
    printed.one("could-not-run", 1, &["report", "--run", "99"]);
    printed.one("could-not-run", 2, &["report", "--to", "report.pdf"]);
    printed.one("export", 0, &["export", "--to", "results.csv", "--all"]);
    printed.one("could-not-run", 2, &["export", "--to", "results.csv", "--state", "lost"]);
    for order in ["A-1", "D-1", "R-1"] {
        printed.one("show", 0, &["show", order]);
    }
    printed.one("could-not-run", 1, &["show", "Z-1"]);
    printed.one("show-evidence", 0, &["show", "A-1", "--evidence"]);
    rig.file("held.csv", &sheet([row_with("H-1", "12345", "560077")]));
    printed.one("run", 3, &["import", "held.csv", "--yes"]);
    printed.one("accept", 0, &["accept", "phone-form", "--order", "H-1", "--because", "asked"]);
    printed.one("run", 0, &["check", "held.csv"]);
    printed.one("could-not-run", 1, &["dismiss", "A-1", "--because", "asked"]);
    printed.one("dismiss", 0, &["dismiss", "I-1", "--because", "asked"]);
    printed.one("explain", 0, &["explain", "held.csv", "H-1"]);
    printed.one("explain", 0, &["explain", "orders.csv", "A-1"]);
    printed.one("could-not-run", 1, &["explain", "held.csv", "H-2"]);
}

fn doubts(printed: &Printed<'_>) {
    let rig = printed.rig;
    let list = printed.one("doubt-list", 6, &["doubt", "list"]);
    assert_eq!(list["orders"].as_array().unwrap().len(), 4, "{list}");
    printed.one("doubt-show", 6, &["doubt", "show", "D-1"]);
    printed.one("doubt-show", 0, &["doubt", "show", "A-1"]);
    printed.one("could-not-run", 1, &["doubt", "show", "Z-1"]);
    printed.one("doubt-look-up", 6, &["doubt", "look-up", "D-1"]);
    printed.one("doubt-look-up", 6, &["doubt", "look-up", "D-3", "--yes"]);
    let because = ["--because", "seen in the portal"];
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "D-1").unwrap().1;
    printed.one("could-not-run", 1, &[&["doubt", "not-booked", "A-1"][..], &because].concat());
    printed.one("doubt-settled", 0, &[&["doubt", "booked", "D-1", "--awb", &awb][..], &because].concat());
    printed.one("doubt-settled", 0, &[&["doubt", "abandon", "D-3"][..], &because].concat());
    printed.one("doubt-settled", 0, &[&["doubt", "not-booked", "D-3"][..], &because].concat());
    printed.one("doubt-settled", 0, &[&["doubt", "abandon", "D-3"][..], &because].concat());
    printed.one("doubts-settled", 0, &[&["doubt", "not-booked", "D-3", "D-4"][..], &because].concat());
    printed.one("could-not-run", 1, &["doubt", "match", "nowhere.csv"]);
    let rows: Vec<String> = rig.bookings().iter().map(|(number, awb)| format!("{number},{awb},Booked")).collect();
    rig.file("portal.csv", &format!("Client Order ID,Waybill No,Status\nZ-1,AWB9,Booked\n{}\n", rows.join("\n")));
    let compared = printed.one("doubt-match", 4, &["doubt", "match", "portal.csv", "--yes"]);
    assert!(compared["settled"] == serde_json::json!(["D-2"]) && compared["only_theirs"][0]["order"] == "Z-1");
    printed.one("doubt-list", 0, &["doubt", "list"]);
    printed.one("run", 0, &["resume", "--yes"]);
    printed.one("show", 0, &["show", "D-3"]);
}

fn shipments(printed: &Printed<'_>) {
    printed.one("service-details", 0, &["service", "details", "A-1", "A-2"]);
    printed.one("could-not-run", 1, &["service", "details", "Z-1"]);
    printed.one("track", 0, &["track", "A-1"]);
    printed.one("track-summary", 4, &["track", "--run", "1"]);
    printed.one("label", 0, &["label", "A-1", "A-2", "--to", "labels.pdf"]);
    printed.one("could-not-run", 2, &["label", "A-1", "--to", "labels.doc"]);
    printed.one("label", 0, &["label", "A-1", "--not-printed", "--to", "again.pdf"]);
    printed.one("service-invoice", 0, &["service", "invoice", "A-1"]);
    printed.one("service-ndr", 0, &["service", "ndr", "A-1", "--action", "RE-ATTEMPT", "--yes"]);
    printed.one("could-not-run", 2, &["service", "ndr", "A-1", "--action", "RE-ATTEMPT"]);
    printed.one("could-not-run", 2, &["cancel", "A-2"]);
    printed.one("cancel", 0, &["cancel", "A-2", "--yes"]);
    printed.one("cancel", 0, &["cancel", "A-2", "--yes"]);
    printed.one("could-not-run", 1, &["label", "A-2", "--to", "none.pdf"]);
    printed.one("show", 0, &["show", "A-2"]);
}

fn service(printed: &Printed<'_>) {
    let rig = printed.rig;
    let from = ["service", "serviceability", "--from", "560048"];
    printed.one("service-serviceability", 4, &[&from[..], &["--to", "560001", "--to", "999001"]].concat());
    printed.one("service-serviceability", 4, &["service", "serviceability", "--sheet", "orders.csv"]);
    rig.sandbox().script_path("/v1/external/carrier/serviceability", [Answer::Status(404, String::new())]);
    printed.one("service-serviceability", 1, &[&from[..], &["--to", "560001"]].concat());
    printed.one("could-not-run", 2, &from);
    let parcel = ["--size", "30x20x5", "--weight", "0.5", "--value", "999.80"];
    printed.one(
        "service-quote",
        0,
        &[&["service", "quote", "--from", "560048", "--to", "560001"][..], &parcel].concat(),
    );
    printed.one(
        "service-call",
        0,
        &["service", "call", "shipment-details", "--param", &format!("orderIds={}", rig.order_id("A-1"))],
    );
    printed.one("could-not-run", 1, &["service", "call", "nothing"]);
    rig.file("body.json", "{\"name\": \"Mysuru\"}");
    printed.one("service-warehouse", 0, &["service", "warehouse", "create", "--body", "body.json", "--yes"]);
    printed.one("service-warehouse", 0, &["service", "warehouse", "list"]);
    rig.file("warehouses.csv", "name,phone\nHubli,9876543210\n");
    printed.one("service-warehouse-plan", 0, &["service", "warehouse", "import", "warehouses.csv", "--dry-run"]);
    printed.one("service-warehouse-import", 0, &["service", "warehouse", "import", "warehouses.csv", "--yes"]);
    rig.file("unnamed.csv", "name,phone\n,9876543210\n");
    printed.one("could-not-run", 3, &["service", "warehouse", "import", "unnamed.csv", "--yes"]);
    let because = ["--because", "they told us"];
    for word in ["same", "different"] {
        let address = "https://other.example.com";
        printed.one("service-word", 0, &[&["service", word, address][..], &because].concat());
    }
    printed.one("service-addresses", 0, &["service", "same"]);
    printed.one("could-not-run", 2, &["service", "same", "https://other.example.com", "--because", " "]);
}

fn webhooks(printed: &Printed<'_>) {
    let register = ["service", "webhook", "register", "--url", "https://example.com/hook", "--yes"];
    assert_eq!(printed.one("service-webhook-register", 0, &register)["registered"], true);
    printed.rig.sandbox().script_path("/v1/external/shipments/track/webhook", [Answer::CutAfter]);
    assert_eq!(printed.one("service-webhook-register", 6, &register)["registered"], Value::Null);
    printed.one("could-not-run", 2, &["service", "webhook", "register", "--url", "https://example.com/a b", "--yes"]);
    printed.one("service-webhook-list", 0, &["service", "webhook", "list"]);
}

fn ledger(printed: &Printed<'_>) {
    let accept = ["ledger", "accept", "--because", "the backup of this morning"];
    printed.one("ledger-backup", 0, &["ledger", "backup", "backup.sqlite"]);
    printed.one("could-not-run", 1, &["ledger", "backup", "backup.sqlite"]);
    printed.one("could-not-run", 2, &["ledger", "backup", "--scheduled"]);
    printed.one("ledger-purge", 0, &["ledger", "purge", "--older-than", "90d"]);
    printed.one("ledger-stations", 0, &["ledger", "stations"]);
    printed.one("could-not-run", 2, &accept);
    let accepted = printed.one("ledger-accept", 0, &[&accept[..], &["--yes"]].concat());
    assert_eq!(accepted["accepted"], false);
    assert_eq!(printed.one("ledger-upgrade", 0, &["ledger", "upgrade"])["checked"], Value::Null);
    crate::upgrade::stored(&printed.rig.path("stored.sqlite"));
    printed.one("could-not-run", 1, &["resume", "--yes", "--ledger", "stored.sqlite"]);
    let upgraded = printed.one("ledger-upgrade", 0, &["ledger", "upgrade", "--ledger", "stored.sqlite"]);
    assert_eq!((&upgraded["from"], &upgraded["to"]), (&20.into(), &21.into()), "{upgraded}");
    printed.one("ledger-move", 0, &["ledger", "move", "moved.sqlite"]);
    printed.one("ledger-check", 0, &["ledger", "check", "--ledger", "moved.sqlite"]);
    printed.one("ledger-check", 0, &["ledger", "check", "--ledger", "backup.sqlite"]);
    printed.one("could-not-run", 1, &["ledger", "check"]);
}

/// A folder with a sheet of each kind; the ledger was moved before.
fn nights(printed: &Printed<'_>) {
    let rig = printed.rig;
    std::fs::create_dir(rig.path("watched")).unwrap();
    rig.file("watched/good.csv", &sheet([row_of_own("W-1")]));
    rig.file("watched/wrong.csv", "x,y\n1,2\n");
    rig.file("watched/held.csv", &sheet([row_of_own("W-2")]));
    rig.file("watched/~$held.csv", "");
    let watch = ["watch", "watched", "--once", "--rest", "0", "--ledger", "moved.sqlite"];
    let night = printed.one("watch", 5, &watch);
    let filed: Vec<&str> =
        night["sheets"].as_array().unwrap().iter().filter_map(|sheet| sheet["filed"].as_str()).collect();
    assert_eq!((filed, &night["left"][0]["name"]), (vec!["done", "failed"], &"held.csv".into()), "{night:#}");
    printed.one("could-not-run", 1, &["watch", "nowhere", "--once"]);
    // What an alert carries is a document as well, though no command prints it.
    let configuration = rig.read("shipsheet.toml");
    let told = "[notify.owner]\nwhen = \"always\"\ncommand = \"cat > alert.json\"\n";
    rig.file("shipsheet.toml", &format!("{configuration}{told}"));
    rig.file("watched/more.csv", &sheet([row_of_own("W-3"), row("W-4").replace("9876543210", "12")]));
    let named = ["--config", "shipsheet.toml"];
    printed.one("watch", 5, &[&watch[..], &named].concat());
    printed.holds("alert", &serde_json::from_str(&rig.read("alert.json")).unwrap());
    printed.one("doctor", 0, &[&["doctor", "--folder", "watched", "--ledger", "moved.sqlite"], &named[..]].concat());
    printed.one("doctor", 1, &["doctor", "--folder", "nowhere"]);
    printed.one("doctor-bundle", 0, &["doctor", "--bundle", "helper.txt", "--yes", "--ledger", "moved.sqlite"]);
    printed.one("could-not-run", 2, &["doctor", "--bundle", "helper.txt"]);
    rig.file("shipsheet.toml", &configuration);
}

/// Command lines that are wrong, and configurations.
fn failures(printed: &Printed<'_>) {
    let rig = printed.rig;
    for wrong in [&["runs", "--nothing"][..], &["doubt"], &["nothing"], &[], &["import"], &["export", "--run", "x"]] {
        let failed = printed.one("could-not-run", 2, wrong);
        let [problem] = failed["problems"].as_array().unwrap().as_slice() else { panic!("{failed:#}") };
        let message = problem["message"].as_str().unwrap();
        assert!(!message.is_empty() && !message.starts_with("error"), "{failed:#}");
    }
    let unasked = rig.run(&["runs", "--nothing"]);
    assert_eq!((unasked.exit, unasked.stdout.as_str()), (2, ""), "nobody asked for JSON");
    let together = rig.run(&["runs", "--format=json", "--nothing"]);
    printed.ran("could-not-run", 2, &together);
    printed.one("could-not-run", 1, &["runs", "--config", "nowhere.toml"]);
    let busy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = busy.local_addr().unwrap().port().to_string();
    for stream in [
        &["sandbox", "--port", &port][..],
        &["desk", "--port", &port],
        &["service", "webhook", "listen", "--port", &port],
    ] {
        let ran = rig.run(&[stream, &["--ledger", "moved.sqlite", "--format", "json"]].concat());
        assert_eq!(ran.stdout.lines().count(), 1, "a stream fails with a line: {ran:?}");
        printed.ran("could-not-run", 1, &ran);
    }
}

/// Commands that print an object on a line each time something happens.
fn streams(printed: &Printed<'_>) {
    let rig = printed.rig;
    let line = |arguments: &[&str], kind: &str, meanwhile: &dyn Fn(&str)| {
        let mut command = rig.command(&[arguments, &["--port", "0", "--format", "json"]].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(child.stderr.take().unwrap()).lines().next().unwrap().unwrap();
        meanwhile(&said);
        let line = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
        printed.holds(kind, &serde_json::from_str(&line).unwrap());
        child.kill().unwrap();
        child.wait().unwrap();
    };
    line(&["sandbox"], "sandbox", &|_| {});
    line(&["desk", "--ledger", "moved.sqlite"], "desk", &|_| {});
    let listen = ["service", "webhook", "listen", "--ledger", "moved.sqlite"];
    line(&listen, "service-webhook-event", &|said| {
        let url = said.strip_prefix("listening on ").unwrap().split(';').next().unwrap();
        let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let mut stream = std::net::TcpStream::connect(host).unwrap();
        let body = "{\"status\": \"delivered\"}";
        let head = format!("POST /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
        std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
        let answer = BufReader::new(stream).lines().next().unwrap().unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    });
}

#[test]
fn a_document_begins_with_its_kind_and_version() {
    let ran = Rig::alone().run(&["fields", "--format", "json"]);
    assert!(ran.stdout.starts_with("{\n  \"document\": \"fields\",\n  \"version\": 1,\n"), "{}", &ran.stdout[..80]);
}

#[test]
fn kinds_and_schemas_have_the_same_names_and_versions() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli/document.rs");
    let source = std::fs::read_to_string(source).unwrap();
    let named = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Self::")?.split_once("=> (\"")?.1.split_once("\", "));
    let named: BTreeSet<(String, String)> =
        named.map(|(name, rest)| (name.to_owned(), rest.trim_end_matches("),").to_owned())).collect();
    // An alert is told and not printed.
    let schemas = names().into_iter().filter(|name| !["alert", "finding"].contains(&name.as_str()));
    let schemas = schemas.map(|name| {
        let schema = schema(&name);
        assert_eq!(schema["properties"]["document"]["const"], name.as_str());
        assert_eq!(schema["$id"], format!("https://shipsheet.invalid/schema/{name}.json"));
        let version = schema["properties"]["version"]["const"].to_string();
        (name, version)
    });
    let schemas: BTreeSet<(String, String)> = schemas.collect();
    let alone: Vec<_> = named.symmetric_difference(&schemas).collect();
    assert!(alone.is_empty(), "not both a kind of src/cli/document.rs and a file of docs/schema: {alone:?}");
}

#[test]
fn schemas_are_what_the_printed_types_say() {
    let schemas = shipsheet::cli::schemas().unwrap();
    let kinds: BTreeSet<String> = schemas.iter().map(|(kind, _)| (*kind).to_owned()).collect();
    assert_eq!(kinds, names(), "src/cli/schema.rs makes every file of docs/schema");
    for (kind, schema) in schemas {
        let path = folder().join(format!("{kind}.json"));
        if std::env::var_os("SHIPSHEET_BLESS").is_some() {
            std::fs::write(&path, &schema).unwrap();
        }
        let is_written = std::fs::read_to_string(&path).is_ok_and(|written| written == schema);
        assert!(is_written, "docs/schema/{kind}.json: `SHIPSHEET_BLESS=1 cargo test schemas` writes it anew");
    }
}

#[test]
fn every_part_of_a_schema_is_described() {
    fn look(at: &str, value: &Value, wrong: &mut Vec<String>) {
        let Value::Object(keys) = value else { return };
        for (name, property) in keys.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let is_said =
                property["description"].as_str().is_some_and(|text| text.ends_with('.') || text.contains("UTC"));
            if !is_said && property.get("$ref").is_none() {
                wrong.push(format!("{at}/{name}"));
            }
        }
        for (name, inner) in keys {
            let each = inner.as_array().map_or_else(|| vec![inner], |list| list.iter().collect());
            for inner in each {
                look(&format!("{at}/{name}"), inner, wrong);
            }
        }
    }
    let mut wrong = Vec::new();
    for name in names() {
        look(&name, &schema(&name), &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
