//! A service that is a little other than what is known of it, and the settings and commands that make it fit.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use shipsheet::sandbox::{Answer, DEFAULT_EMAIL, DEFAULT_PASSWORD};
use tokio::io::AsyncWriteExt;

use crate::rig::by_hand::{answer, listen, request};
use crate::rig::{Rig, ran_here, row, sheet, sheet_of};

fn ok(body: &Value) -> Answer {
    Answer::Status(200, body.to_string())
}

#[test]
fn an_answer_without_a_status_is_no_status_of_a_run_either() {
    let rig = Rig::booked("", 2);
    let path = "/v1/external/shipments/track";
    let strange = json!({"data": {"phase": "moving"}});
    rig.sandbox().script_path(path, [ok(&strange)]);
    let ran = rig.run(&["track", "--run", "1", "--concurrency", "1"]);
    ran.exits(5)
        .prints_nothing_of("no status yet")
        .prints("{\"data\":{\"phase\":\"moving\"}}")
        .says("stopped (answer)");
    rig.sandbox().script_path(path, [ok(&strange), ok(&strange)]);
    let (code, document) = rig.json(&["track", "--run", "1", "--concurrency", "1", "--keep-going"]);
    assert_eq!((code, &document["untracked"], &document["statuses"]), (4, &2.into(), &json!([])), "{document}");
    let nothing_yet = json!({"status": null, "checkpointList": []});
    rig.sandbox().script_path(path, [ok(&nothing_yet)]);
    rig.run(&["track", "ORD-0001"]).exits(0).prints("no status yet");
}

#[test]
fn every_path_may_name_the_shipment_by_any_of_its_names() {
    let rig = Rig::booked("", 1);
    let id = rig.order_id("ORD-0001");
    let awb = rig.bookings().remove(0).1;
    rig.file(
        "shipsheet.toml",
        "[operations.track]\npath = \"/v1/external/shipments/track?orderId={id}&awb={awb}&n={orderNumber}\"\n\
         [operations.shipment_details]\npath = \"/v1/external/shipments?orderIds={orderId}\"\n\
         [operations.label_url]\npath = \"/by-awb/{awb}\"\n[operations.invoice]\npath = \"/by-number/{orderNumber}\"\n\
         [operations.cancel_shipment]\npath = \"/v1/external/shipments/{id}/cancel\"\n\
         [operations.ndr]\npath = \"/sandbox/ndr/{id}\"\n",
    );
    let file = json!({"url": format!("{}/sandbox/files/label/{id}.pdf", rig.sandbox().base_url())});
    rig.sandbox().script_path(&format!("/by-awb/{awb}"), [ok(&file)]);
    rig.sandbox().script_path("/by-number/ORD-0001", [ok(&file)]);
    for command in [
        &["track", "ORD-0001"][..],
        &["service", "details", "ORD-0001"],
        &["label", "ORD-0001", "--to", "l.pdf"],
        &["service", "invoice", "ORD-0001"],
        &["service", "ndr", "ORD-0001", "--action", "RTO", "--yes"],
        &["cancel", "ORD-0001", "--yes"],
    ] {
        rig.run(command).exits(0);
    }
    rig.file("shipsheet.toml", "[operations.track]\npath = \"/t/{shipment}\"\n");
    let ran = rig.run(&["track", "ORD-0001"]);
    ran.exits(4).prints("needs a value for {shipment}; there are values for {orderId}").prints_nothing_of("--param");
}

#[test]
fn an_order_that_a_person_settled_is_found_by_its_awb() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Answer::CutAfter]);
    rig.import_text(&sheet([row("A-1")])).exits(6);
    rig.run(&["doubt", "booked", "A-1", "--awb", "AWB7700", "--because", "seen"]).exits(0);
    rig.run(&["track", "A-1"]).exits(4).prints("the service's own id of this order is not known").prints("{awb}");
    rig.file("shipsheet.toml", "[operations.track]\npath = \"/tracking/{awb}\"\n");
    rig.sandbox().script_path("/tracking/AWB7700", [ok(&json!({"status": "delivered"}))]);
    rig.run(&["track", "A-1"]).exits(0).prints("AWB7700: delivered");
}

#[test]
fn a_label_that_asks_for_the_token_gets_it_on_the_services_own_host_alone() {
    let (rig, elsewhere) = (Rig::booked("", 3), Rig::new());
    let of = |number: &str, what: &str| format!("/v1/external/shipments/{}/{what}", rig.order_id(number));
    let at =
        |host: &Rig, number: &str| json!({"labelUrl": format!("{}{}", host.sandbox().base_url(), of(number, "label"))});
    rig.sandbox().script_path(&of("ORD-0001", "label-url"), [ok(&at(&rig, "ORD-0001"))]);
    rig.run(&["label", "ORD-0001", "--to", "own.pdf"]).exits(0).prints("1 fetched");
    assert_eq!(rig.sandbox().book().unauthorized(), 1, "asked for without the token first");
    // Another host that asks for a token gets none; the label itself is asked for then.
    rig.sandbox().script_path(&of("ORD-0002", "label-url"), [ok(&at(&elsewhere, "ORD-0002"))]);
    rig.run(&["label", "ORD-0002", "--to", "other.pdf"]).exits(0).prints("1 fetched");
    assert_eq!((elsewhere.sandbox().book().requests(), elsewhere.sandbox().book().unauthorized()), (1, 1));
    let gone = |message: &str| Answer::Status(404, json!({ "message": message }).to_string());
    rig.sandbox().script_path(&of("ORD-0003", "label-url"), [gone("label not ready")]);
    rig.sandbox().script_path(&of("ORD-0003", "label"), [gone("Cannot GET it")]);
    let ran = rig.run(&["label", "ORD-0003", "--to", "none.pdf"]);
    ran.exits(4).says("label_url: label not ready (HTTP 404); and label: Cannot GET it (HTTP 404)");
}

#[test]
fn two_warehouses_with_one_id_are_asked_about() {
    let rig = Rig::new();
    let config = "[operations.create_warehouse]\npath = \"/sandbox/warehouses\"\nfields = { id = \"data.code\" }\n";
    rig.file("shipsheet.toml", config);
    rig.file("w.csv", "name\nMysuru\nHubli\nGoa\n");
    let made = || ok(&json!({"data": {"code": 7}}));
    rig.sandbox().script_path("/sandbox/warehouses", [made(), made()]);
    let (code, document) = rig.json(&["service", "warehouse", "import", "w.csv", "--yes"]);
    let states: Vec<&Value> = document["warehouses"].as_array().unwrap().iter().map(|own| &own["state"]).collect();
    assert_eq!((code, states), (6, vec![&json!("created"), &json!("unclear"), &json!("not sent")]), "{document}");
    let why = document["warehouses"][1]["error"].as_str().unwrap();
    assert!(why.contains("the id 7, which Mysuru has: are the two one warehouse?"), "{why}");
    assert_eq!(document["configuration"], json!(["\"Mysuru\" = \"7\""]));
}

const SENDER: &str = "[sender]\nfirstName = \"Depot\"\nphoneNumber = \"9876543212\"\n";

/// A sheet of one order that says where it comes from and, in these cells, where it comes back to.
fn comes_back(returned: &str) -> String {
    let parts = ["addressLine1", "city", "state", "pinCode", "countryCode"];
    let columns = |side: &str| parts.map(|part| format!("{side}.{part}")).join(",");
    let text = sheet_of(1);
    let (head, line) = text.trim_end().split_once('\n').unwrap();
    let (origin, back) = (columns("origin"), columns("returnAddress"));
    format!("{head},{origin},{back}\n{line},7 Mill Road,Pune,Maharashtra,411001,IN,{returned}\n")
}

/// That an order goes, and where the request has it come back to: nothing in that address is empty but the kind, which
/// nobody named, and what the country's addresses lack.
#[track_caller]
fn comes_back_to(rig: &Rig, version: &str, lacking: &[&str]) -> Value {
    let ran = rig.run(&["import", "orders.csv", "--yes", "--api", version]);
    let other = if version == "v1" { "version 2" } else { "version 1" };
    ran.exits(0).says(format!("only {other} of the request has this field"));
    let body = rig.body();
    for (name, value) in body["returnAddress"].as_object().into_iter().flatten() {
        let may_be = ["type", "addressLine2"].contains(&name.as_str()) || lacking.contains(&name.as_str());
        assert!(*value != json!("") || may_be, "{name} is empty: {body}");
    }
    body
}

#[test]
fn what_comes_back_goes_to_the_whole_address_of_the_columns_or_to_the_origin() {
    let missing = |rig: &Rig| {
        let came = rig.check(&["orders.csv", "--api", "v1"]);
        let missing = came.problems.iter().filter(|problem| problem.code == "missing-value");
        missing.map(|problem| problem.field.replace("returnAddress.", "")).collect::<Vec<_>>().join(" ")
    };
    let whole = "9 Dock Road,Panaji,Goa,403001,IN";
    for (cells, city, lacking) in [
        (whole, "Panaji", &[][..]),
        ("9 Dock Road,Dubai,,,AE", "Dubai", &["state", "pinCode"]),
        (",,,,", "Pune", &[]),
        (",,,,IN", "Pune", &[]),
        ("NA,NA,-,,", "Pune", &[]),
    ] {
        let rig = Rig::new();
        rig.file("shipsheet.toml", SENDER);
        rig.file("orders.csv", &comes_back(cells));
        let body = comes_back_to(&rig, "v1", lacking);
        assert_eq!(body["returnAddress"]["city"], city, "{cells}");
        assert_eq!(body["returnAddress"] == body["origin"], city == "Pune", "{cells}: {body}");
    }
    for (cells, lacks) in [
        (",Panaji,,,", "addressLine1 state countryCode pinCode"),
        ("9 Dock Road,Panaji,Goa,403001,", "countryCode"),
        ("9 Dock Road,Panaji,-,,IN", "state pinCode"),
        (",,,403001,IN", "addressLine1 city"),
    ] {
        let rig = Rig::new();
        rig.file("shipsheet.toml", SENDER);
        rig.file("orders.csv", &comes_back(cells));
        assert_eq!(missing(&rig), lacks, "{cells}");
        rig.run(&["import", "orders.csv", "--yes", "--api", "v1"]).exits(3);
        assert_eq!(rig.bookings(), []);
    }
    // Version 2 has a warehouse in place of it, and leaves it out where none is named.
    for cells in [whole, ",Panaji,,,", ",,,,"] {
        let rig = Rig::new();
        rig.file("orders.csv", &comes_back(cells));
        let body = comes_back_to(&rig, "v2", &[]);
        assert!(body.get("returnAddress").is_none() && body.get("returnAddressId").is_none(), "{body}");
    }
}

#[test]
fn what_comes_back_goes_to_the_whole_address_of_the_configuration_or_to_the_origin() {
    let whole = "addressLine1 = \"9 Dock Road\"\ncity = \"Panaji\"\nstate = \"Goa\"\ncountry = \"India\"\npinCode = \"403001\"\n";
    let blank = "addressLine1 = \"\"\ncity = \" \"\n";
    let abroad = "addressLine1 = \"9 Dock Road\"\ncity = \"Dubai\"\ncountryCode = \"AE\"\n";
    for (section, city, lacking) in
        [(whole, "Panaji", &[][..]), (abroad, "Dubai", &["state", "pinCode"]), ("", "Pune", &[]), (blank, "Pune", &[])]
    {
        for version in ["v1", "v2"] {
            let rig = Rig::new();
            rig.file("shipsheet.toml", &format!("{SENDER}[return_address]\n{section}"));
            rig.file("orders.csv", &comes_back(",,,,"));
            let body = comes_back_to(&rig, version, lacking);
            let told = body.get("returnAddress").map(|address| address["city"].clone());
            assert_eq!(told, (version == "v1").then(|| city.into()), "{section}: {body}");
        }
    }
    let half = "city = \"Pune\"\n";
    for (section, lacks) in [
        (half, "addressLine1, state, countryCode and pinCode"),
        ("country = \"India\"\n", "addressLine1, city, state and pinCode"),
    ] {
        for version in ["v1", "v2"] {
            let rig = Rig::new();
            rig.file("shipsheet.toml", &format!("{SENDER}[return_address]\n{section}"));
            rig.file("orders.csv", &comes_back(",,,,"));
            let ran = rig.run(&["import", "orders.csv", "--yes", "--api", version]);
            ran.exits(1).says(format!("[return_address] lacks {lacks}"));
            assert_eq!(rig.bookings(), []);
        }
    }
    // What columns leave blank may stand in the defaults, and what neither names is missing.
    let rig = Rig::new();
    let default = "[defaults]\n\"returnAddress.countryCode\" = \"IN\"\n";
    rig.file("shipsheet.toml", &format!("{SENDER}{default}"));
    rig.file("orders.csv", &comes_back(",Panaji,,,"));
    rig.run(&["import", "orders.csv", "--yes", "--api", "v1"]).exits(3);
    rig.file("orders.csv", &comes_back("9 Dock Road,Panaji,Goa,403001,"));
    assert_eq!(comes_back_to(&rig, "v1", &[])["returnAddress"]["countryCode"], "IN");
}

#[test]
fn keys_of_requests_and_the_rest_of_a_quote_are_as_the_service_has_them() {
    let rig = Rig::booked("", 1);
    rig.file(
        "shipsheet.toml",
        "[operations.quote.request]\nweight = \"parcel.dead_weight\"\n[operations.ndr]\npath = \"/sandbox/ndr/{orderId}\"\n\
         request = { action = \"remedy\" }\n[operations.list_couriers]\npath = \"/sandbox/couriers\"\n",
    );
    let quote = [
        "service", "quote", "--from", "560048", "--to", "560001", "--size", "1x1x1", "--weight", "0.5", "--value", "9",
    ];
    rig.run(&quote).exits(1).says("weight must be a string");
    rig.run(&["service", "ndr", "ORD-0001", "--action", "RTO", "--yes"]).exits(4).prints("action must be a string");
    rig.run(&["service", "couriers"]).exits(0).prints("Delhivery\nbluedart\n");
    rig.file("shipsheet.toml", "[operations.quote.request]\nwieght = \"x\"\n");
    rig.run(&quote).exits(1).says("[operations.quote.request] knows no \"wieght\"");
    rig.file("shipsheet.toml", "");
    rig.run(&quote).exits(0).prints("4 days, zone B, charged for 0.5 kg");
    rig.run(&["service", "couriers"]).exits(1).says("[operations.list_couriers]");
}

#[test]
fn a_plain_call_takes_values_of_the_query_and_says_when_the_answer_is_a_no() {
    let rig = Rig::booked("", 1);
    let id = format!("orderId={}", rig.order_id("ORD-0001"));
    rig.run(&["service", "call", "track", "--query", &id]).exits(0).prints("checkpointList");
    rig.run(&["service", "call", "cancel-shipment", "--query", &id, "--param", &id, "--yes"])
        .exits(2)
        .says("give --param orderId=");
    rig.sandbox().script_path("/v1/external/shipments/track", [ok(&json!({"success": false, "message": "too early"}))]);
    let (code, document) = rig.json(&["service", "call", "track", "--query", &id]);
    assert_eq!((code, &document["answer"]["message"]), (4, &"too early".into()), "{document}");
}

#[test]
fn a_new_account_is_tried_without_changing_anything() {
    let rig = Rig::booked("", 1);
    let ends = |document: &Value| -> Vec<(String, String)> {
        let text = |entry: &Value, name: &str| entry[name].as_str().unwrap().to_owned();
        let list = document["operations"].as_array().unwrap().iter();
        list.map(|entry| (text(entry, "name"), text(entry, "result"))).collect()
    };
    let (code, document) = rig.json(&["service", "probe", "--from", "560048", "--to", "560001"]);
    let understood = ["serviceability", "quote", "shipment_details", "track", "label", "invoice"];
    for (name, result) in ends(&document) {
        let expected = if understood.contains(&name.as_str()) { "understood" } else { "not-tried" };
        assert_eq!(result, expected, "{name}: {document}");
    }
    assert_eq!((code, rig.bookings().len()), (0, 1));
    let wrapped = json!({"answer": {"lanes": [{"prepaidActive": true}]}});
    rig.sandbox().script_path("/v1/external/carrier/serviceability", [ok(&wrapped)]);
    let (code, document) = rig.json(&["service", "probe"]);
    let lanes =
        document["operations"].as_array().unwrap().iter().find(|entry| entry["name"] == "serviceability").unwrap();
    assert_eq!((code, &lanes["result"]), (4, &"not-understood".into()), "{document}");
    assert_eq!(lanes["setting"], "[operations.serviceability.fields] carriers = \"/answer/lanes\"");
    let mut stale = rig.command(&["service", "probe"]);
    stale.env("SHIPSHEET_TOKEN", "canary-stale-token");
    ran_here(stale).exits(4).prints("set a new SHIPSHEET_TOKEN").prints("serviceability ended it");
}

/// A service whose answers differ: the token stands elsewhere, a parcel has a `dead_weight`, a booking is wrapped and its
/// values are called otherwise, and so is the status of a shipment. `{FILE}` is where a label lies.
fn other_service(head: &str, body: &str, file: &str, booked: &AtomicU64) -> String {
    const TOKEN: &str = "canary-token-of-another";
    let mut words = head.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let shipments = "/v1/external/shipments";
    if (method, path) == ("POST", "/v1/external/auth/login") {
        return answer("200 OK", &json!({"status": "success", "auth": {"jwtAccessToken": TOKEN}}).to_string());
    }
    if !head.contains(&format!("Bearer {TOKEN}")) {
        return answer("401 Unauthorized", "{}");
    }
    let (status, said) = match (method, path.strip_prefix(shipments).unwrap_or(path)) {
        ("GET", "/v1/external/carrier/serviceability") => {
            ("200 OK", json!([{"prepaidActive": true, "codActive": false}]))
        }
        ("POST", "/rates") if body["dead_weight"].is_null() => (
            "400 Bad Request",
            json!({"message": ["property weight should not exist", "dead_weight must be a string"]}),
        ),
        ("POST", "/rates") => ("200 OK", json!({"rates": [{"carrier": "Courier 7", "rate": "54.2"}]})),
        ("POST", "/v2/external/shipments/forward-shipment") => {
            let id = booked.fetch_add(1, Ordering::SeqCst) + 1;
            let shipment = json!({"id": id, "waybillNumber": format!("VX{id:010}"), "courier": "Courier 7"});
            ("201 Created", json!({"status": "success", "data": {"shipment": shipment}}))
        }
        ("GET", "/track") if query.starts_with("orderId=") || query.starts_with("awb=VX") => {
            let state = json!({"shipment_state": {"current_status": "in_transit"}, "scans": []});
            ("200 OK", json!({"tracking_data": state}))
        }
        ("GET", "") if query.starts_with("orderIds=") => {
            let id: u64 = query.trim_start_matches("orderIds=").parse().unwrap_or_default();
            ("200 OK", json!([{"orderId": id, "trackingCode": format!("VX{id:010}")}]))
        }
        ("GET", path) if path.ends_with("/label-url") => ("200 OK", json!({"labelUrl": file})),
        ("GET", path) if path.ends_with("/invoice") => ("200 OK", json!({"invoiceUrl": file})),
        _ => ("404 Not Found", json!({"message": format!("Cannot {method} {path}")})),
    };
    answer(status, &said.to_string())
}

/// The person's own configuration: one that merely lay in the folder would be asked about.
const OWN_FILE: &str = ".config/shipsheet/shipsheet.toml";

/// A person who sets an account up and does only what messages say; and the transcript of it.
struct Newcomer {
    rig: Rig,
    service: String,
    transcript: Vec<String>,
    /// What the last command said.
    said: String,
}

impl Newcomer {
    fn new(service: String) -> Self {
        let rig = Rig::alone();
        std::fs::create_dir_all(rig.path(".config/shipsheet")).unwrap();
        rig.file(OWN_FILE, &format!("base_url = \"{service}\"\n"));
        rig.file("orders.csv", &sheet(["A-1", "A-2", "A-3"].map(row)));
        Self { rig, service, transcript: Vec::new(), said: String::new() }
    }

    fn remarks(&mut self, text: &str) {
        self.transcript.push(format!("\n# {text}\n"));
    }

    #[track_caller]
    fn types(&mut self, words: &[&str], exit: i32) {
        let mut command = self.rig.command(words);
        command.env("SHIPSHEET_EMAIL", DEFAULT_EMAIL).env("SHIPSHEET_PASSWORD", DEFAULT_PASSWORD);
        let ran = ran_here(command);
        ran.exits(exit);
        self.said = format!("{}{}", ran.stderr, ran.stdout).replace(&self.service, "http://127.0.0.1:8917");
        assert!(!self.said.contains("canary"), "{ran:?}");
        let quoted = |word: &&str| if word.contains(' ') { format!("\"{word}\"") } else { (*word).to_owned() };
        let typed = words.iter().map(quoted).collect::<Vec<_>>().join(" ");
        self.transcript.push(format!("$ shipsheet {typed}\n{}[exit {exit}]\n", self.said));
    }

    /// Writes the settings that the last command's message names into the configuration, as they stand there.
    #[track_caller]
    fn follows(&mut self) {
        // What nobody knows, such as a path of another service, has a blank that no message can fill.
        let named =
            self.said.split("set [operations.").skip(1).filter_map(|rest| rest.split(" in shipsheet.toml").next());
        let settings = named.filter(|setting| !setting.contains('…')).map(|rest| format!("[operations.{rest}")).next();
        let settings = settings.unwrap_or_else(|| panic!("names no setting: {}", self.said));
        for setting in settings.split(" and ").map(str::to_owned).collect::<Vec<_>>() {
            self.rig.file(OWN_FILE, &format!("{}{setting}\n", self.rig.read(OWN_FILE)));
            self.transcript.push(format!("$ echo '{setting}' >> shipsheet.toml\n"));
        }
    }

    /// A word of the last command's output: what stands between these two.
    #[track_caller]
    fn sees(&self, before: &str, after: &str) -> String {
        let rest = self.said.split_once(before).unwrap_or_else(|| panic!("no {before}: {}", self.said)).1;
        rest.split_once(after).unwrap().0.to_owned()
    }
}

#[test]
fn an_account_whose_answers_differ_is_set_up_by_what_the_messages_say() {
    let (labels, booked) = (Rig::booked("", 1), Arc::new(AtomicU64::new(0)));
    let file = format!("{}/sandbox/files/label/{}.pdf", labels.sandbox().base_url(), labels.order_id("ORD-0001"));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let count = Arc::clone(&booked);
    let (service, _) = runtime.block_on(listen(move |mut stream| {
        let (count, file) = (Arc::clone(&count), file.clone());
        async move {
            if let Ok(Some((head, body))) = request(&mut stream).await {
                let _ = stream.write_all(other_service(&head, &body, &file, &count).as_bytes()).await;
            }
        }
    }));
    let mut person = Newcomer::new(service);
    person.remarks("1. The token stands elsewhere.");
    person.types(&["service", "login"], 1);
    person.follows();
    person.types(&["service", "login"], 0);
    person.remarks("2. What works, and what does not? The weight of a parcel is called otherwise.");
    person.types(&["service", "probe"], 4);
    person.follows();
    person.types(&["service", "probe"], 0);
    person.remarks("3. Bookings are wrapped, and their values called otherwise: one request, one order in doubt.");
    person.types(&["import", "orders.csv", "--yes"], 6);
    assert_eq!(booked.load(Ordering::SeqCst), 1);
    person.follows();
    person.types(&["doubt", "list"], 6);
    let awb = person.sees("\"waybillNumber\":\"", "\"");
    person.types(&["doubt", "booked", "A-1", "--awb", &awb, "--because", "the answer names it"], 0);
    person.types(&["resume", "--yes"], 0);
    person.remarks("4. So is the status of a shipment.");
    person.types(&["track", "A-2"], 4);
    person.follows();
    person.types(&["track", "A-2"], 0);
    person.remarks("Of A-1 only the AWB is known: a person settled it.");
    person.types(&["track", "A-1"], 4);
    person.follows();
    person.types(&["track", "--run", "1"], 0);
    person.types(&["label", "--run", "1", "--to", "labels.pdf"], 4);
    person.follows();
    person.types(&["label", "--run", "1", "--to", "labels.pdf"], 0);
    person.types(&["service", "probe"], 0);
    assert_eq!(booked.load(Ordering::SeqCst), 3);
    person.transcript.push(format!("\n$ cat shipsheet.toml\n{}", person.rig.read(OWN_FILE)));
    let transcript = person.transcript.concat().replace(&person.service, "http://127.0.0.1:8917");
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"\d+\.\d s", "[time]");
    settings.add_filter(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "[when]");
    settings.bind(|| insta::assert_snapshot!("account", transcript));
}
