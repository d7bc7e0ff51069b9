//! Before and beside booking: serviceability, quotes, warehouses, failed deliveries, webhooks.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use shipsheet::sandbox::Answer;

use crate::rig::{PATIENCE, Rig, row_with, sheet, sheet_of, wait_until};

const OWN_PATHS: &str = "[operations.ndr]\npath = \"/sandbox/ndr/{orderId}\"\n\
    [operations.list_warehouses]\npath = \"/sandbox/warehouses\"\n\
    [operations.create_warehouse]\npath = \"/sandbox/warehouses\"\n\
    [operations.get_warehouse]\npath = \"/sandbox/warehouses/{warehouseId}\"\n\
    [operations.update_warehouse]\npath = \"/sandbox/warehouses/{warehouseId}\"\n";

#[test]
fn pin_codes_are_asked_for_one_by_one() {
    let rig = Rig::new();
    let arguments =
        ["service", "serviceability", "--from", "560048", "--to", "560001", "--to", "560 009", "--to", "999001"];
    let ran = rig.run(&arguments);
    assert_eq!(ran.exit, 4, "one is not served: {ran:?}");
    for line in ["560048 to 560001: prepaid and cash", "560048 to 560009: prepaid only", "560048 to 999001: not served"]
    {
        ran.prints(line);
    }
    let (_, document) = rig.json(&arguments);
    assert_eq!(document["pairs"][0]["couriers"][0]["carrier"], "Delhivery");
    rig.run(&["service", "serviceability", "--from", "?", "--to", "560001"]).exits(2);
}

#[test]
fn the_pin_codes_of_a_sheet_are_asked_for_once_each() {
    let rig = Rig::new();
    let orders = [("A", "560001"), ("B", "560001"), ("C", "560009"), ("D", "590001")];
    rig.file("orders.csv", &sheet(orders.map(|(number, pin)| row_with(number, "9876543210", pin))));
    let from = ["service", "serviceability", "--from", "560048", "--sheet", "orders.csv"];
    let ran = rig.run(&from);
    assert_eq!((ran.exit, rig.sandbox().book().requests()), (0, 3), "{ran:?}");
    for line in ["560048 to 560001 (2 orders): prepaid and", "560048 to 560009 (1 order): prepaid only", "3 of 3 pairs"]
    {
        ran.prints(line);
    }
    let cod = rig.read("orders.csv").replace("560009,WH-1,30,20,5,0.5,PREPAID", "560009,WH-1,30,20,5,0.5,COD");
    rig.file("orders.csv", &(cod + &row_with("BAD", "1", "560002") + "\n"));
    let (code, document) = rig.json(&from);
    let pair = &document["pairs"][1];
    assert_eq!((code, &pair["to"], &pair["cod_orders"], &pair["cod"]), (4, &"560009".into(), &1.into(), &false.into()));
    assert_eq!(document["pairs"].as_array().unwrap().len(), 3);
    rig.run(&from).prints("! 560048 to 560009").says("1 order not asked about");
    rig.run(&["service", "serviceability", "--sheet", "orders.csv"]).exits(1).says("give --from");
    rig.file("shipsheet.toml", "[serviceability]\npickup_pin = \"560048\"\n");
    rig.run(&["service", "serviceability", "--sheet", "orders.csv"]).exits(4);
    let path = "/v1/external/carrier/serviceability";
    rig.sandbox().script_path(path, [Answer::Status(404, String::new())]);
    let (code, document) = rig.json(&from);
    let failed = document["pairs"].as_array().unwrap().iter().filter(|pair| !pair["error"].is_null()).count();
    assert_eq!((code, failed), (1, 1), "{document}");
    for wrong in [
        &["service", "serviceability"][..],
        &["service", "serviceability", "--to", "560001"],
        &[&from[..], &["--to", "560001"]].concat(),
    ] {
        rig.run(wrong).exits(2);
    }
}

#[cfg(unix)]
#[test]
fn asking_for_many_pin_codes_can_be_interrupted() {
    let rig = Rig::new();
    let rows = (0..60).map(|n| row_with(&format!("N-{n}"), "9876543210", &format!("5600{n:02}")));
    rig.file("orders.csv", &sheet(rows));
    let arguments =
        ["service", "serviceability", "--from", "560048", "--sheet", "orders.csv", "--rate", "20", "--format", "json"];
    let live = rig.live("asked", &arguments);
    wait_until("three answers", || rig.sandbox().book().requests() >= 3);
    live.signal(rustix::process::Signal::INT);
    let ended = live.end();
    ended.exits(5).says("interrupted");
    let document: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let answered = document["pairs"].as_array().unwrap().iter().filter(|pair| pair["error"].is_null()).count();
    assert!((3..60).contains(&answered), "{answered}");
}

#[test]
fn a_quote_lists_couriers_with_their_price() {
    let rig = Rig::new();
    let arguments = [
        "service",
        "quote",
        "--from",
        "560048",
        "--to",
        "560001",
        "--size",
        "30x20.5x5",
        "--weight",
        "0.50",
        "--value",
        "999.80",
    ];
    rig.run(&arguments).exits(0).prints("54.20 INR").prints("2 days");
    let (_, document) = rig.json(&arguments);
    assert_eq!(
        (&document["rates"][1]["rate"], &document["rates"][1]["answer"]["charged_weight"]),
        (&"96.50".into(), &"0.50".into())
    );
    for wrong in ["30x20", "axbxc", "0x1x1"] {
        rig.run(&["service", "quote", "--from", "1", "--to", "2", "--size", wrong, "--weight", "1", "--value", "1"])
            .exits(2);
    }
}

#[test]
fn what_nobody_knows_the_path_of_says_so_and_works_once_it_is_configured() {
    let rig = Rig::new();
    rig.import_text(&sheet_of(1)).exits(0);
    rig.file("body.json", "{\"name\": \"Mysuru\"}");
    let commands: [(&[&str], &str); 5] = [
        (&["service", "warehouse", "list"], "list_warehouses"),
        (&["service", "warehouse", "get", "WH-1"], "get_warehouse"),
        (&["service", "warehouse", "create", "--body", "body.json", "--yes"], "create_warehouse"),
        (&["service", "warehouse", "update", "WH-2", "--body", "body.json", "--yes"], "update_warehouse"),
        (&["service", "ndr", "ORD-0001", "--action", "RE-ATTEMPT", "--yes"], "ndr"),
    ];
    for (command, name) in commands {
        rig.run(command).exits(1).says(format!("[operations.{name}]"));
    }
    rig.file("shipsheet.toml", OWN_PATHS);
    for (command, _) in commands {
        let (code, document) = rig.json(command);
        assert_eq!(code, 0, "{command:?} {document}");
    }
    let (_, list) = rig.json(&["service", "warehouse", "list"]);
    assert_eq!(list["answer"][1]["name"], "Mysuru");
    rig.run(&["service", "ndr", "ORD-0001", "--action", "RTO"]).exits(2).says("--yes");
}

#[test]
fn an_address_for_events_is_checked_kept_and_listed() {
    let rig = Rig::new();
    for (url, says) in [
        ("https://user:secret@example.com/hook", "user name"),
        ("https://example.com/hook#x", "put what only the service shall know into the path"),
        ("example.com", "no address"),
        ("ftp://example.com/hook", "no address"),
        ("https://example.com/a b", "has a blank in it"),
    ] {
        let ran = rig.run(&["service", "webhook", "register", "--url", url, "--yes"]);
        ran.exits(2).says(says).says_nothing_of("secret@");
    }
    let allowed = rig.run(&["service", "webhook", "register", "--url", "https://example.com:8443/hook?key=1", "--yes"]);
    allowed.exits(0).says_nothing_of("warning");
    let plain = rig.run(&["service", "webhook", "register", "--url", "http://example.com/hook", "--yes"]);
    plain.exits(0).says("warning: over plain http");
    let mut elsewhere = rig.command(&["service", "webhook", "register", "--url", "https://10.0.0.1/hook", "--yes"]);
    elsewhere.env("SHIPSHEET_BASE_URL", "https://api.example.com");
    let ran = crate::rig::ran(elsewhere);
    ran.exits(2).says("private network");
    for url in ["https://foo.localhost/x", "https://198.18.0.1/x", "https://[64:ff9b::a00:1]/x", "https://localhost./x"]
    {
        let mut elsewhere = rig.command(&["service", "webhook", "register", "--url", url, "--yes"]);
        elsewhere.env("SHIPSHEET_BASE_URL", "https://api.example.com");
        let ran = crate::rig::ran(elsewhere);
        assert!(ran.exit == 2 && ran.stderr.contains("private network"), "{url} {ran:?}");
    }
    assert_eq!(
        rig.run(&["service", "webhook", "register", "--url", "https://example.com/hook"]).exit,
        2,
        "nobody said yes"
    );
    let (code, endpoint) =
        rig.json(&["service", "webhook", "register", "--url", "https://example.com/hook", "--disabled", "--yes"]);
    assert_eq!((code, &endpoint["enabled"]), (0, &false.into()));
    let (_, list) = rig.json(&["service", "webhook", "list"]);
    assert_eq!(
        (&list["webhooks"][2]["endpoint_id"], &list["webhooks"][2]["url"]),
        (&endpoint["endpointId"], &"https://example.com/hook".into())
    );
}

#[cfg(unix)]
#[test]
fn events_are_kept_attached_and_change_nothing() {
    let rig = Rig::new();
    let mut command = rig.command(&["service", "webhook", "listen", "--port", "0", "--format", "json"]);
    let mut listener = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(listener.stderr.take().unwrap()).lines();
    let url = said.next().unwrap().unwrap();
    let url = url.strip_prefix("listening on ").unwrap().split(';').next().unwrap().to_owned();
    rig.run(&["service", "webhook", "register", "--url", &url, "--yes"]).exits(0);
    rig.import_text(&sheet_of(3)).exits(0);
    let mut told = BufReader::new(listener.stdout.take().unwrap()).lines();
    let mut events: Vec<serde_json::Value> =
        (0..3).map(|_| serde_json::from_str(&told.next().unwrap().unwrap()).unwrap()).collect();
    events.sort_by_key(ToString::to_string);
    assert!(events.iter().all(|event| event["status"] == "pickup_awaited"), "{events:?}");
    let (_, orders) = rig.json(&["show", "ORD-0001"]);
    assert_eq!(
        (&orders["orders"][0]["state"], orders["orders"][0]["deliveries"].as_array().unwrap().len()),
        (&"booked".into(), 1)
    );
    rig.run(&["show", "ORD-0001"]).prints("tracking event: pickup_awaited (a hint: it changes nothing here)");
    let _ = Command::new("kill").args(["-INT", &listener.id().to_string()]).status();
    assert_eq!(listener.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn the_secret_of_an_address_for_events_comes_from_the_environment_and_from_no_argument() {
    const SECRET: &str = "canary-of-twenty-signs";
    let rig = Rig::new();
    let typed = rig.run(&["service", "webhook", "listen", "--port", "0", "--secret", SECRET]);
    typed.exits(2).says("--secret").says_nothing_of(SECRET);
    let mut command = rig.command(&["service", "webhook", "listen", "--port", "0"]);
    command.env("SHIPSHEET_WEBHOOK_SECRET", SECRET);
    let mut listener = command.stderr(Stdio::piped()).spawn().unwrap();
    let url = BufReader::new(listener.stderr.take().unwrap()).lines().next().unwrap().unwrap();
    assert!(url.contains("/<SHIPSHEET_WEBHOOK_SECRET>;") && !url.contains(SECRET), "{url}");
    let url = url.strip_prefix("listening on ").unwrap().split(';').next().unwrap();
    let url = url.replace("<SHIPSHEET_WEBHOOK_SECRET>", SECRET);
    assert_eq!(post(&url, "POST", b"{\"n\": 1}"), 200);
    let _ = Command::new("kill").args(["-INT", &listener.id().to_string()]).status();
    assert_eq!(listener.wait().unwrap().code(), Some(0));
}

/// Posts as a service would and gives the status.
#[cfg(unix)]
fn post(url: &str, method: &str, body: &[u8]) -> u16 {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let head = format!(
        "{method} /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    // Whoever is refused early may find the connection closed before all is sent.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

#[cfg(unix)]
#[test]
fn an_event_is_on_disk_before_it_is_answered_and_a_repeat_is_dropped() {
    let rig = Rig::new().patient_for("3");
    rig.import_text(&sheet_of(2)).exits(0);
    let live = rig.live("listen", &["service", "webhook", "listen", "--port", "0"]);
    live.said("listening on ");
    let said = rig.read("listen.stderr");
    let url = said.split("listening on ").nth(1).unwrap().split(';').next().unwrap().to_owned();
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "ORD-0002").unwrap().1;
    let event = format!("{{\"data\": [{{\"waybill\": \"{awb}\"}}], \"subStatus\": \"delivered\"}}");
    let kept = || -> Vec<(Vec<u8>, Option<i64>)> {
        let database = rig.database();
        let mut statement = database.prepare("SELECT body, order_id FROM deliveries ORDER BY id").unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!((post(&url, "POST", event.as_bytes()), kept().len()), (200, 1), "kept with the answer");
    assert_eq!(kept()[0].0, event.as_bytes(), "as it came");
    assert_eq!((post(&url, "POST", event.as_bytes()), kept().len()), (200, 1), "a repeat is dropped");
    assert_eq!((post(&url, "POST", b"\xff not json"), kept().len()), (200, 2), "whatever it is");
    assert!(kept()[0].1.is_some() && kept()[1].1.is_none());
    // A form and XML are tied to their orders as JSON is.
    for (n, body) in [(2, format!("waybill={awb}&event=in%20transit")), (3, format!("<e><awb no=\"{awb}\"/></e>"))] {
        assert_eq!(post(&url, "POST", body.as_bytes()), 200);
        assert!(kept()[n].1.is_some() && rig.read("listen.stdout").matches("order ORD-0002").count() == n, "{body}");
    }
    // A database that is held by another program is a quick no, and the event comes again.
    let database = rig.database();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begun = Instant::now();
    assert_eq!(post(&url, "POST", b"{\"n\": 1}"), 503);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    database.execute_batch("ROLLBACK").unwrap();
    assert_eq!(post(&url, "POST", b"{\"n\": 1}"), 200);
    // Who sends byte by byte loses the place.
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut slow = TcpStream::connect(host).unwrap();
    slow.write_all(format!("POST /{path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: 9\r\n\r\n{{").as_bytes()).unwrap();
    let begun = Instant::now();
    let mut answer = String::new();
    let _ = slow.read_to_string(&mut answer);
    assert!(answer.contains(" 408 ") && begun.elapsed() < PATIENCE, "{answer}");
    for (url, method, length, status) in [
        (format!("{url}x"), "POST", 2, 404),
        (url.rsplit_once('/').unwrap().0.to_owned() + "/", "POST", 2, 404),
        (url.clone(), "GET", 0, 405),
        (url.clone(), "POST", (1 << 20) + 1, 413),
    ] {
        assert_eq!(post(&url, method, &vec![b'0'; length]), status, "{url} {method}");
    }
    assert_eq!(kept().len(), 5);
    let (_, orders) = rig.json(&["show", "ORD-0002"]);
    assert_eq!(
        (&orders["orders"][0]["state"], &orders["orders"][0]["deliveries"][0]["body"]),
        (&"booked".into(), &event.into())
    );
    assert_eq!(orders["orders"][0]["deliveries"].as_array().unwrap().len(), 3);
    live.signal(rustix::process::Signal::INT);
    live.end().exits(0);
}

#[test]
fn a_newcomer_is_told_what_to_type() {
    let rig = Rig::alone();
    for (arguments, code, says) in [
        (&["label", "--to", "l.pdf"][..], 2, "--run N"),
        (&["track"], 2, "`shipsheet runs` lists the runs"),
        (&["cancel"], 2, "--run N"),
        (&["service", "serviceability"], 2, "--sheet SHEET"),
        (&["service", "serviceability", "--from", "560048", "--to", "560001"], 1, "SHIPSHEET_BASE_URL"),
        (&["service", "call", "track"], 1, "--sandbox"),
        (&["service", "webhook", "list"], 1, "no service is configured"),
        (&["service", "warehouse", "list"], 1, "[operations.list_warehouses]"),
    ] {
        rig.run(arguments).exits(code).says(says);
    }
    // The sandbox's own paths need no configuration.
    assert_eq!(rig.json(&["service", "warehouse", "list", "--sandbox"]).1["answer"][0]["id"], "WH-1");
    let couriers = rig.json(&["service", "call", "list-couriers", "--sandbox"]).1;
    assert_eq!(couriers["answer"].as_array().unwrap().len(), 2);
    assert_eq!(rig.json(&["service", "login", "--sandbox"]).1["token"], true);
}

#[test]
fn what_the_service_adds_to_its_answers_survives() {
    let rig = Rig::new();
    rig.import_text(&sheet_of(1)).exits(0);
    let answers = |path: &str, body: &str| rig.sandbox().script_path(path, [Answer::Status(200, body.to_owned())]);
    let new = r#""newField": {"deep": [1.50, null]}"#;
    answers(
        "/v1/external/shipments/track/webhook",
        &format!(
            r#"{{"endpointId": "E-1", "url": "https://example.com/x", "enabled": true, "contentType": "a/b", {new}}}"#
        ),
    );
    answers("/v1/external/shipments", &format!(r#"[{{"orderNumber": "ORD-0001", {new}}}]"#));
    answers("/v1/external/shipments/track", &format!(r#"{{"status": null, {new}}}"#));
    answers("/v1/external/carrier/serviceability", &format!(r#"[{{"prepaidActive": true, {new}}}]"#));
    answers("/v1/external/shipments/rates", &format!(r#"{{"rates": [{{"rate": 54.2, {new}}}]}}"#));
    let quote =
        ["service", "quote", "--from", "1234", "--to", "1234", "--size", "1x1x1", "--weight", "1", "--value", "1"];
    let commands: [(&[&str], &str); 5] = [
        (&["service", "webhook", "register", "--url", "https://example.com/x", "--yes"], ""),
        (&["service", "details", "ORD-0001"], "/orders/0/details"),
        (&["track", "ORD-0001"], "/orders/0/tracking/answer"),
        (&["service", "serviceability", "--from", "560048", "--to", "560001"], "/pairs/0/couriers/0/answer"),
        (&quote, "/rates/0/answer"),
    ];
    for (command, place) in commands {
        let (code, document) = rig.json(command);
        let deep = document.pointer(&format!("{place}/newField/deep"));
        assert_eq!((code, deep), (0, Some(&serde_json::json!([1.5, null]))), "{command:?} {document}");
    }
}

#[test]
fn a_registration_without_a_clear_answer_is_not_forgotten() {
    let rig = Rig::new();
    let register = ["service", "webhook", "register", "--url", "https://example.com/hook", "--yes"];
    for (answer, code, says) in [
        (Answer::CutAfter, 6, "nobody knows whether it is registered"),
        (Answer::Status(200, r#"{"ok": true}"#.into()), 6, "ask the service before you register it again"),
        (Answer::Status(422, r#"{"message": "no"}"#.into()), 1, "no (HTTP 422)"),
    ] {
        rig.sandbox().script_path("/v1/external/shipments/track/webhook", [answer]);
        rig.run(&register).exits(code).says(says);
    }
    let wrapped = r#"{"data": {"endpointId": "ep-1", "url": "https://example.com/hook", "enabled": true, "contentType": "application/json"}}"#;
    rig.sandbox().script_path("/v1/external/shipments/track/webhook", [Answer::Status(200, wrapped.into())]);
    rig.run(&register).exits(0);
    let list = rig.run(&["service", "webhook", "list"]).stdout;
    assert_eq!((list.matches("(answer unknown)").count(), list.matches("ep-1").count()), (2, 1), "{list}");
}

#[cfg(unix)]
#[test]
fn an_event_gets_through_while_a_thousand_slow_connections_are_open() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // The other ends of all connections are in this process.
    let limit = getrlimit(Resource::Nofile);
    let files = limit.maximum.map_or(4_096, |maximum| maximum.min(4_096)).max(limit.current.unwrap_or(4_096));
    setrlimit(Resource::Nofile, Rlimit { current: Some(files), ..limit }).unwrap();
    let rig = Rig::booked("", 1);
    let live = rig.live("listen", &["service", "webhook", "listen", "--port", "0"]);
    live.said("listening on ");
    let said = rig.read("listen.stderr");
    let url = said.split("listening on ").nth(1).unwrap().split(';').next().unwrap().to_owned();
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let awb = rig.bookings().remove(0).1;
    // Half of them stop within the head, half within the body of an event of their own.
    let starts = [
        "POST /x HTTP/1.1\r\nHost: ".to_owned(),
        format!("POST /{path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{{"),
    ];
    let mut slow = Vec::new();
    for number in 0..1_000 {
        let mut stream = TcpStream::connect(host).unwrap();
        // One that was given up for a later one may be closed already.
        let _ = stream.write_all(starts[number % 2].as_bytes());
        slow.push(stream);
    }
    let body = format!("{{\"trackingCode\":\"{awb}\",\"status\":\"delivered\"}}");
    let head =
        format!("POST /{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    let mut stream = TcpStream::connect(host).unwrap();
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer:?}");
    // The oldest slow ones were given up for it. Were they waited for, each would be open still, or told that its time is over.
    let is_given_up = |mut stream: &TcpStream| {
        stream.set_nonblocking(true).unwrap();
        match stream.read(&mut [0; 64]) {
            Ok(bytes) => bytes == 0,
            Err(error) => error.kind() != ErrorKind::WouldBlock,
        }
    };
    assert!(slow.iter().skip(1).step_by(2).any(is_given_up), "none of the slow ones made room");
    let delivered: u32 = rig.database().query_row("SELECT count(*) FROM deliveries", [], |row| row.get(0)).unwrap();
    assert_eq!(delivered, 1);
    drop(slow);
}
