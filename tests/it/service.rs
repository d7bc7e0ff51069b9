//! The service beside booking: operations, calls, tokens.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use shipsheet::sandbox::{Answer, DEFAULT_EMAIL, DEFAULT_PASSWORD};

use crate::rig::{PATIENCE, Ran, Rig, ran, sheet_of};

/// The sandbox's own paths for what nobody knows of the real service.
const OWN_PATHS: &str =
    "[operations.list_couriers]\npath = \"/sandbox/couriers\"\n[operations.ndr]\npath = \"/sandbox/ndr/{orderId}\"\n";

/// A command that logs in instead of having a token.
fn with_account(rig: &Rig, password: &str, arguments: &[&str]) -> Command {
    let mut command = rig.command(arguments);
    command.env_remove("SHIPSHEET_TOKEN").env("SHIPSHEET_EMAIL", DEFAULT_EMAIL).env("SHIPSHEET_PASSWORD", password);
    command
}

#[test]
fn operations_are_listed_with_their_standing_and_what_the_configuration_says() {
    let rig = Rig::alone();
    let ran = rig.run(&["service", "call"]);
    ran.exits(0);
    for line in ["forward_shipment     documented  POST   /v2/external/shipments/forward-shipment", "(not known)"] {
        ran.prints(line);
    }
    rig.file("shipsheet.toml", OWN_PATHS);
    let (_, list) = rig.json(&["service", "call"]);
    let list = list["operations"].as_array().unwrap();
    assert_eq!(list.len(), 19, "the service's 18, and a look-up that somebody may have");
    let ndr = list.iter().find(|entry| entry["name"] == "ndr").unwrap();
    assert_eq!((&ndr["path"], &ndr["configured"]), (&"/sandbox/ndr/{orderId}".into(), &true.into()));
    for (wrong, says) in [
        ("[operations.labl]\npath = \"/x\"\n", "did you mean \"label\"?"),
        ("[operations.ndr]\npath = \"https://elsewhere.example/x\"\n", "is no path"),
        ("[operations.ndr]\nmethod = \"SEND\"\n", "none of GET, POST"),
    ] {
        rig.file("shipsheet.toml", wrong);
        rig.run(&["service", "call"]).exits(1).says(says);
    }
}

#[test]
fn whatever_lacks_a_service_or_a_ledger_says_how_to_get_one() {
    let rig = Rig::alone();
    rig.file("orders.csv", &sheet_of(1));
    rig.file("portal.csv", "Order Number,AWB\nORD-0001,AWB-1\n");
    let commands: [&[&str]; 4] = [
        &["import", "orders.csv", "--yes"],
        &["service", "webhook", "list"],
        &["service", "webhook", "register", "--url", "https://shop.example/events", "--yes"],
        &["doubt", "match", "portal.csv"],
    ];
    for arguments in commands {
        let ran = rig.run(arguments);
        ran.exits(1).says("no service is configured").says("hint: or try it with --sandbox, which needs none");
    }
    let (_, document) = rig.json(&["import", "orders.csv", "--yes"]);
    assert_eq!(document["problems"][0]["hint"], "or try it with --sandbox, which needs none");

    let begin = "hint: begin with an import, or name another with --ledger";
    rig.run(&["runs"]).exits(1).says(begin);
    rig.run(&["status"]).exits(0).prints("nothing was booked yet").prints_nothing_of("practised");
    rig.run(&["--sandbox", "import", "orders.csv"]).exits(0);
    rig.run(&["status"]).exits(0).prints("(what was practised is shown with --sandbox)");
    let practised = rig.run(&["runs"]);
    practised.exits(1).says("(what was practised is shown with --sandbox)\n").says(begin).says_nothing_of("caused by");
}

#[test]
fn any_operation_can_be_called_by_name() {
    let rig = Rig::new();
    rig.run(&["service", "call", "list-couriers"]).exits(1).says("[operations.list_couriers]");
    rig.file("shipsheet.toml", OWN_PATHS);
    let (code, called) = rig.json(&["service", "call", "list-couriers"]);
    assert_eq!((code, &called["answer"][0]["name"]), (0, &"Delhivery".into()));
    rig.run(&["service", "call", "cancel-shipment", "--yes"]).exits(1).says("--param orderId=");
    rig.run(&["service", "call", "cancel-shipment", "--param", "orderId=1"]).exits(2).says("--yes");
    rig.run(&["service", "call", "cancel-shipment", "--param", "orderId=a/../b", "--yes"])
        .exits(1)
        .says("Shipment a%2F..%2Fb not found (HTTP 404)");
    rig.run(&["service", "call", "forward-shipment", "--yes"]).exits(2).says("import");
    rig.file("decision.json", "{\"action\": \"RE-ATTEMPT\"}");
    rig.run(&["import", rig.file("o.csv", &sheet_of(1)).to_str().unwrap(), "--yes"]).exits(0);
    let order_id = rig.sandbox().book().bookings()[0].order_id.clone();
    let parameter = format!("orderId={order_id}");
    let (code, called) =
        rig.json(&["service", "call", "ndr", "--param", &parameter, "--body", "decision.json", "--yes"]);
    assert_eq!((code, &called["answer"]["accepted"]), (0, &"RE-ATTEMPT".into()));
    let (_, details) = rig.json(&["service", "call", "shipment-details", "--param", &format!("orderIds={order_id}")]);
    assert_eq!(details["answer"][0]["orderNumber"], "ORD-0001");
}

#[test]
fn a_login_is_tried_once_and_says_what_it_got() {
    let rig = Rig::new();
    let good = ran(with_account(&rig, DEFAULT_PASSWORD, &["service", "login"]));
    good.exits(0).prints("got a token from a login as sandbox@example.com");
    let before = rig.sandbox().book().requests();
    let wrong = ran(with_account(&rig, "canary-password", &["service", "login"]));
    wrong.exits(1).says("HTTP 500").says("check both");
    assert_eq!(rig.sandbox().book().requests(), before + 1, "no loop");
    for Ran { stdout, stderr, .. } in [good, wrong] {
        assert!(!format!("{stdout}{stderr}").contains("sandbox-"), "a token is shown");
        assert!(!format!("{stdout}{stderr}").contains("canary-password"), "a password is shown");
    }
    rig.file("orders.csv", &sheet_of(3));
    ran(with_account(&rig, "wrong", &["import", "orders.csv", "--yes"])).exits(1).says("login failed");
    assert_eq!(rig.bookings(), []);
}

#[test]
fn a_batch_outlives_its_tokens() {
    // Renewed in time, and renewed only when the service refuses the old one: both lose and repeat nothing.
    let outlives = |renew_after: u64, life_ms: u32, is_refused: bool| {
        let rig = Rig::faulty(&format!("latency=60ms,token-life={life_ms}ms"));
        rig.file("shipsheet.toml", &format!("[auth]\nrenew_after_seconds = {renew_after}\n"));
        rig.file("orders.csv", &sheet_of(320));
        let arguments = ["import", "orders.csv", "--yes", "--concurrency", "8", "--rate", "80", "--format", "json"];
        let ran = ran(with_account(&rig, DEFAULT_PASSWORD, &arguments));
        ran.exits(0);
        let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let (book, requests) = (rig.sandbox().book(), document["requests"].as_u64().unwrap());
        let numbers: std::collections::BTreeSet<String> =
            rig.bookings().into_iter().map(|(number, _)| number).collect();
        assert_eq!((numbers.len(), rig.bookings().len()), (320, 320));
        assert_eq!(requests, 320 + book.unauthorized(), "what was refused is sent once more, and nothing else is");
        assert_eq!(book.requests(), requests + book.logins());
        // One login at the start and some on the way; never one for each worker that was turned away.
        let renewed_every = if is_refused { f64::from(life_ms) / 1_000.0 } else { 1.0 };
        #[expect(clippy::cast_precision_loss, reason = "a handful")]
        let (logins, most) = (book.logins() as f64, document["seconds"].as_f64().unwrap() / renewed_every + 2.0);
        assert!((3.0..=most).contains(&logins), "{logins} logins, {most} at most");
        if is_refused {
            assert!(book.unauthorized() >= 3, "{}", book.unauthorized());
        }
    };
    // Both at once: they wait for the rate.
    std::thread::scope(|scope| {
        scope.spawn(|| outlives(1, 1_500, false));
        scope.spawn(|| outlives(600, 800, true));
    });
}

#[test]
fn a_login_that_fails_in_the_middle_stops_the_run_once_and_loses_nothing() {
    let rig = Rig::faulty("latency=20ms,token-life=700ms");
    rig.file("shipsheet.toml", "[auth]\nrenew_after_seconds = 600\n");
    rig.file("orders.csv", &sheet_of(200));
    let outage = Answer::Status(500, "{\"message\": \"Internal server error\"}".into());
    rig.sandbox().script_path("/v1/external/auth/login", [Answer::Plain, outage]);
    let arguments = ["import", "orders.csv", "--yes", "--concurrency", "4", "--rate", "100", "--format", "json"];
    let stopped = ran(with_account(&rig, DEFAULT_PASSWORD, &arguments));
    let document: serde_json::Value = serde_json::from_str(&stopped.stdout).unwrap();
    assert_eq!((stopped.exit, &document["stopped_by"]), (5, &"authentication".into()), "{stopped:?}");
    assert_eq!(stopped.stderr.matches("login failed").count(), 1, "one clear message: {}", stopped.stderr);
    let (booked, book) = (rig.bookings().len() as u64, rig.sandbox().book());
    assert_eq!(document["orders"]["outstanding"], 200 - booked);
    assert_eq!(book.requests(), booked + book.unauthorized() + 2, "one try of the renewal: {document}");
    ran(with_account(&rig, DEFAULT_PASSWORD, &["resume", "--yes"])).exits(0);
    assert_eq!(rig.bookings().len(), 200);
}

#[cfg(unix)]
#[test]
fn a_hanging_renewal_does_not_keep_the_program() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(5));
    rig.file(
        "shipsheet.toml",
        "token_command = \"if [ -e asked ]; then exec sleep 600; else touch asked; echo stale; fi\"\n",
    );
    let mut command = rig.command(&["import", "orders.csv", "--yes", "--config", "shipsheet.toml"]);
    command.env_remove("SHIPSHEET_TOKEN").stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let begun = Instant::now();
    while rig.sandbox().book().requests() == 0 {
        assert!(begun.elapsed() < PATIENCE, "the refused request never came");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Each further signal asks more urgently; none of them may wait for the command.
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        assert!(begun.elapsed() < Duration::from_secs(25), "it waits for the token command");
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        std::thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(code, Some(5), "stopped with orders outstanding");
    assert_eq!(rig.bookings(), []);
}

#[test]
fn version_1_takes_its_sender_from_columns_or_the_configuration_and_resumes_as_version_1() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet_of(3).replace(",Warehouse,", ",Sender Company,"));
    rig.run(&["import", "orders.csv", "--yes", "--api", "v1"]).exits(3).says("Origin");
    let address = "addressLine1 = \"1 Depot Road\"\ncity = \"Bengaluru\"\nstate = \"Karnataka\"\ncountryCode = \"IN\"\npinCode = \"560048\"\n";
    let sender = "[sender]\nfirstName = \"Depot\"\nphoneNumber = \"9876500000\"\n";
    rig.file("shipsheet.toml", &format!("{sender}[origin]\n{address}"));
    let (code, document) = rig.json(&["import", "orders.csv", "--yes", "--api", "v1", "--max-orders", "1"]);
    assert_eq!((code, &document["orders"]["booked"]), (5, &1.into()), "{document}");
    rig.run(&["resume", "--yes"]).exits(0);
    assert_eq!(rig.bookings().len(), 3);
    for booking in rig.sandbox().book().bookings() {
        let body = String::from_utf8(booking.body).unwrap();
        for part in [
            r#""sender":{"firstName":"Depot","lastName":"","email":"","phoneNumber":"9876500000","companyName":"WH-1"}"#,
            r#""origin":{"addressLine1":"1 Depot Road""#,
            r#""returnAddress":{"addressLine1":"1 Depot Road""#,
        ] {
            assert!(body.contains(part), "{body}");
        }
        assert!(!body.contains("warehouseId"), "{body}");
    }
    rig.run(&["import", "orders.csv", "--yes", "--api", "v1"]).exits(0).says("deprecated");
    assert_eq!(rig.bookings().len(), 3);
    rig.file("shipsheet.toml", "[origin]\npincode = \"560048\"\n");
    rig.run(&["check", "orders.csv", "--api", "v1"]).exits(1).says("did you mean `origin.pinCode`?");
}

#[test]
fn what_reads_is_asked_again_and_what_changes_is_not() {
    let rig = Rig::new();
    rig.import_text(&sheet_of(1)).exits(0);
    let order_id = rig.sandbox().book().bookings()[0].order_id.clone();
    let broken = || [Answer::Status(503, String::new()), Answer::CutBefore];
    rig.sandbox().script_path("/v1/external/shipments/track", broken());
    rig.run(&["service", "call", "track", "--param", &format!("orderId={order_id}")]).exits(0);
    let path = format!("/v1/external/shipments/{order_id}/cancel");
    rig.sandbox().script_path(&path, broken());
    let before = rig.sandbox().book().requests();
    // A ledger that knows nothing of it has nothing to keep.
    let parameter = format!("orderId={order_id}");
    let cancel = ["service", "call", "cancel-shipment", "--param", &parameter, "--yes", "--ledger", "other.sqlite"];
    for says in ["HTTP 503", "it may have been done all the same"] {
        rig.run(&cancel).exits(1).says(says);
    }
    assert_eq!(rig.sandbox().book().requests(), before + 2);
    rig.sandbox().script_path(&path, [Answer::TooMany(0)]);
    rig.run(&cancel).exits(0);
}

#[test]
fn what_is_kept_in_the_ledger_is_not_done_behind_its_back() {
    let rig = Rig::new();
    rig.import_text(&sheet_of(1)).exits(0);
    let parameter = format!("orderId={}", rig.sandbox().book().bookings()[0].order_id);
    let before = rig.sandbox().book().requests();
    rig.file("hook.json", r#"{"url": "https://10.0.0.1/x", "enabled": true, "contentType": "application/json"}"#);
    for (arguments, says) in [
        (&["service", "call", "cancel-shipment", "--param", &parameter, "--yes"][..], "`shipsheet cancel ORD-0001`"),
        (
            &["service", "call", "register-webhook", "--body", "hook.json", "--yes"],
            "`shipsheet service webhook register --url …`",
        ),
    ] {
        rig.run(arguments).exits(2).says(says);
    }
    assert_eq!(rig.sandbox().book().requests(), before);
}

#[test]
fn a_quote_costs_nothing_and_a_path_may_have_a_query() {
    let rig = Rig::new();
    let quote = r#"{"length": 1, "breadth": 1, "height": 1, "weight": "1", "invoice_value": "1",
        "delivery_type": "FORWARD", "order_type": "PREPAID", "pickup_pincode": "560048", "drop_pincode": "560001"}"#;
    rig.file("quote.json", quote);
    let (code, document) = rig.json(&["service", "call", "quote", "--body", "quote.json"]);
    assert_eq!((code, &document["answer"]["rates"][0]["rate"]), (0, &"54.20".into()), "nobody need say yes");
    rig.file("shipsheet.toml", "[operations.track]\npath = \"/v1/external/shipments/track?orderId={orderId}&x=1\"\n");
    rig.import_text(&sheet_of(1)).exits(0);
    rig.run(&["track", "ORD-0001"]).exits(0).prints("order ORD-0001");
    for (command, part) in
        [(&["service", "warehouse", "get", "X"][..], "/{warehouseId}"), (&["service", "call", "ndr"], "/{orderId}")]
    {
        rig.run(command).exits(1).says(part);
    }
}

#[test]
fn a_token_that_was_given_is_tried_before_it_is_called_good() {
    let rig = Rig::new();
    rig.run(&["service", "login"])
        .exits(0)
        .prints("tried with shipment_details")
        .prints("the service takes the token")
        .prints_nothing_of("sandbox-token");
    let mut stale = rig.command(&["service", "login"]);
    stale.env("SHIPSHEET_TOKEN", "canary-stale-token");
    let stale = ran(stale);
    stale.exits(1).says("does not take the token");
    assert!(!format!("{stale:?}").contains("canary"), "{stale:?}");
    rig.sandbox().script_path("/v1/external/shipments", [Answer::Status(400, r#"{"message": "no such id"}"#.into())]);
    let (code, document) = rig.json(&["service", "login"]);
    assert_eq!((code, &document["tried"]), (0, &"shipment_details".into()), "{document}");
    rig.file("shipsheet.toml", OWN_PATHS);
    rig.run(&["service", "login"]).prints("tried with list_couriers");
    let mut both = rig.command(&["service", "login"]);
    both.env("SHIPSHEET_EMAIL", DEFAULT_EMAIL).env("SHIPSHEET_PASSWORD", DEFAULT_PASSWORD);
    ran(both)
        .exits(0)
        .prints("got a token from a login")
        .prints("but SHIPSHEET_TOKEN is set as well and goes before this account");
}
