//! What a terminal would obey, from sheets, file names, arguments and the service: all of it is shown, none of it is sent.

use std::ffi::OsStr;
use std::path::Path;

use serde_json::json;
use shipsheet::sandbox::Answer;
use shipsheet::text::is_hidden;

use crate::rig::{HEADER, Ran, Rig, row};
use crate::terminal::Terminal;

/// Colours, a title, what hides, what moves, what turns, what takes no room; XML takes no more than the last.
const EVIL: &str =
    "\u{1b}[31m\u{1b}]0;t\u{7}\u{8}\rE\u{7f}\u{9b}8m\u{85}\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\u{200b}\u{feff}";
const EVIL_IN_XML: &str = "E\u{7f}\u{9b}8m\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\u{200b}";

/// That nothing hidden is in what a command said.
#[track_caller]
fn is_harmless(what: &str, ran: &Ran) {
    for (name, text) in [("output", &ran.stdout), ("error", &ran.stderr)] {
        let found = text.chars().find(|character| is_hidden(*character));
        assert!(found.is_none(), "{what}: {found:?} on standard {name}: {text:?}");
    }
}

/// Runs a command both ways; gives what it said to people.
#[track_caller]
fn told(rig: &Rig, arguments: &[&str]) -> Ran {
    let as_json = rig.run(&[arguments, &["--format", "json"]].concat());
    is_harmless(&format!("{arguments:?} as JSON"), &as_json);
    let ran = rig.run(arguments);
    is_harmless(&format!("{arguments:?}"), &ran);
    ran
}

/// The marks of the evil text, as they are shown.
#[track_caller]
fn shows(ran: &Ran) {
    let text = format!("{}{}", ran.stdout, ran.stderr);
    assert!(text.contains("\\u{202e}"), "it is hidden altogether: {ran:?}");
}

#[test]
fn sheets_and_their_names_send_nothing_to_the_terminal() {
    let rig = Rig::alone();
    let name = format!("or{EVIL}ders.csv");
    let bad = row("A-2").replace("9876543210", &format!("98{EVIL}"));
    let good = row("A-1").replace("Asha", &format!("Asha{EVIL_IN_XML}"));
    rig.file(&name, &format!("{HEADER},Odd{EVIL}\n{good},\"1{EVIL}\"\n{bad},2\n"));
    shows(&told(&rig, &["check", &name]));
    shows(&told(&rig, &["profile", "guess", &name]));
    for more in [["--profile", EVIL], ["--worksheet", EVIL], ["--encoding", EVIL]] {
        shows(&told(&rig, &[["check", &name].as_slice(), &more].concat()));
    }
    let texts = [format!("Odd{EVIL_IN_XML}"), format!("98{EVIL_IN_XML}")];
    let cell = |text: &String| format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let rows = texts.map(|text| format!("<row>{}</row>", cell(&text).repeat(6))).concat();
    let parts = crate::files::unzipped(&crate::files::xlsx(&rows, ""));
    let renamed: Vec<(&str, Vec<u8>)> = parts
        .iter()
        .map(|(name, bytes)| {
            let text = String::from_utf8(bytes.clone()).unwrap();
            (name.as_str(), text.replace("\"Orders\"", &format!("\"Or{EVIL_IN_XML}ders\"")).into_bytes())
        })
        .collect();
    let packed = crate::files::zipped(renamed.iter().map(|(name, bytes)| (*name, bytes.as_slice())));
    std::fs::write(rig.path("orders.xlsx"), packed).unwrap();
    shows(&told(&rig, &["check", "orders.xlsx"]));
    shows(&told(&rig, &["profile", "guess", "orders.xlsx"]));
}

#[test]
fn arguments_and_settings_send_nothing_to_the_terminal() {
    let rig = Rig::alone();
    for arguments in [
        &[EVIL][..],
        &["check", EVIL],
        &["import", "x.csv", "--format", EVIL],
        &["check", &format!("--{EVIL}")],
        &["status", EVIL],
        &["--config", EVIL, "status"],
        &["--ledger", EVIL, "show", EVIL],
        &["--base-url", EVIL, "status"],
        &["template", EVIL],
    ] {
        shows(&told(&rig, arguments));
    }
    rig.file("shipsheet.toml", &format!("base_url = \"http://x\"\n\"odd{}\" = 1\n", EVIL_IN_XML.replace('\u{7f}', "")));
    shows(&told(&rig, &["status"]));
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        std::fs::remove_file(rig.path("shipsheet.toml")).unwrap();
        let mut command = rig.command(&["check"]);
        command.arg(OsStr::from_bytes(b"a\x9b\xff\x1b[2J.csv"));
        is_harmless("no UTF-8", &crate::rig::ran(command));
    }
}

/// Orders of every outcome, each with evil words of the service.
fn booked_by_an_evil_service() -> Rig {
    let rig = Rig::new();
    let shipment = |awb: &str| {
        let id = format!("id{awb}");
        let words = (format!("car{EVIL}"), format!("ser{EVIL}"));
        json!({"orderId": id, "awb": awb, "cratedAt": null, "carrier": words.0, "service": words.1,
            "shipmentPurchaseError": null})
        .to_string()
    };
    let sandbox = rig.sandbox();
    sandbox.script_order("A-1", [Answer::Status(201, shipment("AWB1001"))]);
    let error =
        json!({"orderId": format!("x{EVIL}"), "awb": null, "shipmentPurchaseError": {"message": EVIL}}).to_string();
    sandbox.script_order("A-2", [Answer::Status(200, error)]);
    sandbox.script_order("A-3", [Answer::Status(422, json!({ "message": [EVIL] }).to_string())]);
    sandbox.script_order("A-4", [Answer::BookedThen(502, format!("<h1>{EVIL}</h1>"))]);
    let odd = json!({"orderId": format!("x{EVIL}"), "awb": format!("A{EVIL}"), "carrier": EVIL, "shipmentPurchaseError": null});
    sandbox.script_order("A-5", [Answer::Status(201, odd.to_string())]);
    let numbers: Vec<String> = (1..=5).map(|number| row(&format!("A-{number}"))).collect();
    rig.file("orders.csv", &crate::rig::sheet(numbers));
    let ran = rig.run(&["import", "orders.csv", "--yes", "--verbose", "--concurrency", "1"]);
    is_harmless("import", &ran);
    shows(&ran);
    ran.exits(6);
    rig
}

#[test]
fn what_the_service_says_sends_nothing_to_the_terminal() {
    let rig = booked_by_an_evil_service();
    for arguments in
        [&["show", "A-1"][..], &["show", "A-2"], &["show", "A-1", "--evidence"], &["show", "A-4", "--evidence"]]
    {
        shows(&told(&rig, arguments));
    }
    // Of a message no sign is kept that cannot be seen; the evidence has it.
    for arguments in [&["show", "A-3"][..], &["doubt", "list"]] {
        told(&rig, arguments);
    }
    for file in ["r.csv", "r.jsonl", "r.xlsx"] {
        told(&rig, &["export", "--to", file]);
    }
    // Files are for programs, and keep every character.
    assert!(rig.read("r.csv").contains(EVIL) && Path::new(&rig.path("r.xlsx")).exists());
    let said = || std::iter::repeat_n(Answer::Status(400, json!({ "message": EVIL }).to_string()), 4);
    let points = json!([{"status": {"subStatus": EVIL}, "message": EVIL, "checkpointEventTime": 1, "address": {"rawLocation": EVIL}}]);
    let tracked = json!({"status": {"subStatus": EVIL}, "checkpointList": points}).to_string();
    let history = std::iter::repeat_n(Answer::Status(200, tracked), 8);
    rig.sandbox().script_path("/v1/external/shipments/track", history);
    shows(&told(&rig, &["track", "A-1"]));
    rig.sandbox().script_path("/v1/external/shipments/idAWB1001/label-url", said());
    rig.sandbox().script_path("/v1/external/shipments/idAWB1001/cancel", said());
    rig.sandbox().script_path("/v1/external/carrier/serviceability", said());
    rig.sandbox().script_path("/v1/external/shipments/rates", said());
    for arguments in [
        &["label", "A-1", "--to", "l.pdf"][..],
        &["status"],
        &["runs"],
        &["ledger", "check"],
        &["check", "orders.csv"],
        &["service", "serviceability", "--from", "110001", "560001"],
        &["service", "invoice", "A-1"],
        &["cancel", "A-1", "--yes"],
        &["doubt", "booked", "A-4", "--awb", EVIL, "--because", EVIL],
        &["service", "call", "track", "orderId=idAWB1001"],
        &["retry", "--yes"],
        &["resume", "--yes"],
    ] {
        told(&rig, arguments);
    }
}

#[test]
fn a_terminal_gets_our_colours_and_no_others() {
    let rig = Rig::alone();
    rig.file(
        "orders.csv",
        &format!("{HEADER},Odd{EVIL}\n{}\n", row("A-1").replace("9876543210", &format!("98{EVIL}"))),
    );
    let mut command = rig.command(&["check", "orders.csv"]);
    command.env_remove("NO_COLOR").env("TERM", "xterm");
    let (_, screen) = Terminal::start(command).end();
    assert!(screen.contains("\u{1b}[1m\u{1b}[31merror\u{1b}[0m"), "{screen:?}");
    let ours = ["\u{1b}[1m", "\u{1b}[31m", "\u{1b}[33m", "\u{1b}[0m"];
    let rest = ours.iter().fold(screen.clone(), |text, sequence| text.replace(sequence, ""));
    assert!(!rest.chars().any(is_hidden), "{rest:?}");
    assert!(!screen.contains("\u{1b}[31m\\u{1b}]0") && screen.contains("\\u{1b}[31m\\u{1b}]0"), "{screen:?}");
    // Questions about an unknown layout show headers and cells.
    let columns = format!("Bill{EVIL_IN_XML},Who,Ring,Abode,Town,Prov,Zip,Item,Rate,Tally,Heft");
    let cells = format!("B-1,Asha{EVIL_IN_XML},9876543210,14 MG Road,Pune,Maharashtra,411001,Kurta,499.90,2,500");
    rig.file("odd.csv", &format!("{columns}\n{cells}\n"));
    let mut command = rig.command(&["check", "odd.csv"]);
    command.env("TERM", "xterm");
    let mut terminal = Terminal::start(command);
    terminal.answer("number: ", "?\n");
    terminal.answer("number: ", "q\n");
    let (_, screen) = terminal.end();
    assert!(!screen.chars().any(is_hidden) && screen.contains("Bill") && screen.contains("\\u{9b}8m"), "{screen:?}");
}
