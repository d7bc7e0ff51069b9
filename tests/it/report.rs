//! Reports: every order once, sums that add up to what `status` and `export` say, and no person in a masked one.

use std::io::{Cursor, Read};

use serde_json::Value;
use shipsheet::sandbox::Answer;

#[cfg(unix)]
use crate::desk::browser::Browser;
use crate::rig::{Rig, row, row_with, sheet};

/// Everything that the sheet of [`night`] says of its receiver.
const PERSONAL: [&str; 6] = ["Zubeida", "Zacharias", "zz-top@example.org", "9123456780", "Quince Lane", "Lucknow"];
const HEADER: &str = "Order Number,Order Date,Receiver First Name,Receiver Last Name,Receiver Email,Receiver Phone,Address Line 1,City,State,Country Code,PIN Code,Warehouse,Length,Width,Height,Weight,Payment Type,Product Name,SKU,Price,Quantity";

/// An order of that receiver.
fn order(number: &str, pin: &str, payment: &str, price: &str, quantity: &str) -> String {
    format!(
        "{number},2026-11-20,Zubeida,Zacharias,zz-top@example.org,9123456780,77 Quince Lane,Lucknow,Uttar Pradesh,IN,{pin},WH-1,30,20,5,0.5,{payment},Kurta,K-1,{price},{quantity}"
    )
}

/// A night with everything in it: two booked, one in doubt, one rejected, one refused, two invalid.
fn night() -> Rig {
    let rig = Rig::new();
    rig.sandbox().script_order("D-1", [Answer::CutAfter]);
    let said = r#"{"message": "Zubeida Zacharias of 77 Quince Lane, LUCKNOW has no phone 9123456780"}"#;
    rig.sandbox().script_order("F-1", [Answer::Status(422, said.to_owned())]);
    let rows = [
        order("A-1", "226001", "COD", "100.10", "3"),
        order("A-2", "226001", "PREPAID", "49.95", "2"),
        order("D-1", "226001", "COD", "10", "1"),
        order("R-1", "999001", "PREPAID", "20", "1"),
        order("F-1", "226001", "PREPAID", "30", "1"),
        order("I-1", "226001", "PREPAID", "40", "two"),
        order("I-2", "226001", "PREPAID", "Zubeida", "1"),
    ];
    rig.file("night.csv", &format!("{HEADER}\n{}\n", rows.join("\n")));
    rig.run(&["import", "night.csv", "--yes"]).exits(6);
    rig
}

fn report(rig: &Rig, arguments: &[&str]) -> Value {
    let (exit, report) = rig.json(&[&["report"], arguments].concat());
    assert_eq!((exit, &report["is_balanced"]), (0, &true.into()), "{:#}", report["balances"]);
    report
}

fn breakdown<'r>(report: &'r Value, by: &str) -> Vec<(Option<&'r str>, u64, &'r str, &'r str)> {
    let all = report["breakdowns"].as_array().unwrap();
    let lines = all.iter().find(|own| own["by"] == by).unwrap()["lines"].as_array().unwrap();
    let line = |line: &'r Value| {
        let text = |key: &str| line[key].as_str().unwrap();
        (line["name"].as_str(), line["orders"].as_u64().unwrap(), text("value"), text("cod"))
    };
    lines.iter().map(line).collect()
}

#[test]
fn a_run_adds_up_to_its_status_and_its_export() {
    let rig = night();
    let report = report(&rig, &[]);
    assert_eq!(report["orders"], rig.json(&["status"]).1["orders"]);
    assert_eq!(report["rows"], rig.json(&["status"]).1["rows"]);
    let exported = rig.results(&[]);
    for state in ["booked", "in_doubt", "rejected", "refused", "invalid", "outstanding"] {
        let count = exported.iter().filter(|row| row["state"] == state).count();
        assert_eq!(report["orders"][state], count, "{state}");
    }
    let [money] = report["money"].as_array().unwrap().as_slice() else { panic!("{}", report["money"]) };
    let amounts = |own: &str| {
        (
            money[own]["orders"].as_u64().unwrap(),
            money[own]["value"].as_str().unwrap(),
            money[own]["cod"].as_str().unwrap(),
        )
    };
    assert_eq!((&money["currency"], amounts("shipments")), (&"INR".into(), (2, "400.20", "300.30")));
    assert_eq!((amounts("open").0, amounts("failed").0, amounts("cancelled").0), (1, 2, 0));
    assert_eq!(breakdown(&report, "state"), [(Some("Uttar Pradesh"), 2, "400.20", "300.30")]);
    assert_eq!(breakdown(&report, "warehouse"), [(Some("WH-1"), 2, "400.20", "300.30")]);
    let mut payments = breakdown(&report, "payment");
    payments.sort_unstable();
    assert_eq!(payments, [(Some("COD"), 1, "300.30", "300.30"), (Some("PREPAID"), 1, "99.90", "0")]);
    assert_eq!(report["speed"]["attempts"], 5);
    let links = rig.database().query_row("SELECT count(*) FROM evidence", [], |row| row.get::<_, u64>(0)).unwrap();
    assert_eq!(report["evidence"]["links"], links);
}

#[test]
fn what_failed_is_told_by_cause_with_its_cells_and_what_to_do() {
    let rig = night();
    let report = report(&rig, &[]);
    let causes: Vec<(&str, &str, &str)> = report["failed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cause| {
            (
                cause["state"].as_str().unwrap(),
                cause["places"][0]["order"].as_str().unwrap(),
                cause["places"][0]["place"].as_str().unwrap(),
            )
        })
        .collect();
    for cause in [
        ("invalid", "I-1", "night.csv:7 \"Quantity\""),
        ("invalid", "I-2", "night.csv:8 \"Price\""),
        ("rejected", "R-1", "night.csv:5"),
        ("refused", "F-1", "night.csv:6"),
    ] {
        assert!(causes.contains(&cause), "{cause:?} in {causes:#?}");
    }
    assert_eq!(report["in_doubt"][0]["order"], "D-1");
    assert_eq!(report["in_doubt"][0]["receiver"]["name"], "Zubeida Zacharias");
    let text = rig.run(&["report"]).stdout;
    for said in [
        "1 order is in doubt",
        "`shipsheet doubt list`",
        "4 orders were not booked",
        "(order I-1): two",
        "Rows, orders and money add up",
    ] {
        assert!(text.contains(said), "{said} in {text}");
    }
}

#[test]
fn over_several_runs_every_order_counts_once() {
    let rig = night();
    let again = [
        order("A-1", "226001", "COD", "100.10", "3"),
        order("I-1", "226001", "PREPAID", "40", "2"),
        order("I-2", "226001", "PREPAID", "Zubeida", "1"),
        order("R-1", "226001", "PREPAID", "20", "1"),
    ];
    rig.file("again.csv", &format!("{HEADER}\n{}\n", again.join("\n")));
    rig.run(&["import", "again.csv", "--yes"]).exits(4);
    rig.run(&["retry", "--run", "1", "--yes"]).exits(0);
    let report = report(&rig, &["--last", "7d"]);
    let orders = &report["orders"];
    let exported = rig.results(&["--all"]);
    let states = ["booked", "in_doubt", "rejected", "refused", "invalid", "outstanding"];
    let counts = states.map(|state| exported.iter().filter(|row| row["state"] == state).count());
    assert_eq!(states.map(|state| &orders[state]), counts.map(serde_json::Value::from).each_ref());
    assert_eq!((&orders["total"], &orders["booked"], &orders["invalid"]), (&7.into(), &5.into(), &1.into()));
    assert_eq!(report["came_again"], 5, "A-1, I-1, I-2 and R-1 in the second, F-1 in the third");
    assert_eq!(report["runs"].as_array().unwrap().len(), 3);
    let second = self::report(&rig, &["--run", "2"]);
    assert_eq!(second["orders"], rig.json(&["status", "--run", "2"]).1["orders"]);
    // Of the first run, what came corrected in a later one is nobody's to correct any more.
    let first = self::report(&rig, &["--run", "1"]);
    assert_eq!((&first["orders"]["invalid"], &first["came_again"]), (&1.into(), &0.into()));
    let to_correct = first["failed"].as_array().unwrap().iter().filter(|cause| cause["state"] == "invalid");
    let orders: Vec<&Value> = to_correct.map(|cause| &cause["places"][0]["order"]).collect();
    assert_eq!(orders, ["I-2"]);
    assert!(first["balances"].as_array().unwrap().iter().all(|sum| sum["reported"] == sum["kept"]), "{first}");
    assert_eq!((&second["orders"]["already_booked"], &second["before"]["run"]), (&1.into(), &1.into()));
    assert_eq!(second["runs_before"][0]["run"], 1);
}

#[test]
fn a_cancelled_shipment_is_in_no_sum() {
    let rig = night();
    rig.run(&["cancel", "A-1", "--yes"]).exits(0);
    let report = report(&rig, &[]);
    assert_eq!(
        (&report["money"][0]["shipments"]["cod"], &report["money"][0]["cancelled"]["cod"]),
        (&"0".into(), &"300.30".into())
    );
    assert_eq!(breakdown(&report, "payment"), [(Some("PREPAID"), 1, "99.90", "0")]);
    assert_eq!(report["orders"]["booked"], 2);
}

#[test]
fn what_is_still_to_be_fixed_is_written_at_any_later_time() {
    let rig = night();
    let fix = |run: &str| -> Vec<Vec<String>> {
        rig.run(&["rejects", "--run", run, "--to", "fix.csv"]).exits(0);
        let text = rig.read("fix.csv");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
    };
    let numbers = |rows: &[Vec<String>]| rows.iter().map(|row| row[0].clone()).collect::<Vec<_>>();
    // Its own rows are elsewhere by now.
    std::fs::rename(rig.path("night.csv"), rig.path("kept.csv")).unwrap();
    let rows = fix("1");
    assert_eq!(numbers(&rows), ["R-1", "F-1", "I-1", "I-2"]);
    assert_eq!(&rows[2][1..3], ["night.csv:7", "invalid"]);
    assert!(rows[2][3].contains("two") && rows[2][4].contains("night.csv:7 \"Quantity\""), "{:?}", rows[2]);
    assert!(rows[0][3].contains("not serviceable") && rows[0][5].contains("shipsheet retry R-1"), "{:?}", rows[0]);
    let again = [order("I-1", "226001", "PREPAID", "40", "2"), order("I-2", "226001", "PREPAID", "Zubeida", "1")];
    rig.file("again.csv", &format!("{HEADER}\n{}\n", again.join("\n")));
    rig.run(&["import", "again.csv", "--yes"]).exits(4);
    rig.run(&["retry", "F-1", "--yes"]).exits(0);
    assert_eq!(numbers(&fix("1")), ["R-1"], "I-1 is booked, I-2 came again, F-1 was tried again");
    assert_eq!(numbers(&fix("2")), ["I-2"]);
    assert!(!rig.path("fix.before.csv").exists(), "what the command wrote itself is replaced");
    rig.run(&["rejects", "--run", "9", "--to", "fix.csv"]).exits(1);
    rig.run(&["rejects", "--to", "fix.jsonl"]).exits(2);
}

#[test]
fn shops_get_their_own_columns() {
    let rig = night();
    rig.run(&["cancel", "A-2", "--yes"]).exits(0);
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "A-1").unwrap().1;
    let written = |shop: &str| {
        rig.run(&["export", "--for", shop, "--to", "shop.txt"]).exits(0);
        let text = rig.read("shop.txt");
        let (head, rows) = text.split_once('\n').unwrap();
        (head.to_owned(), rows.trim_end().to_owned())
    };
    let day = rig
        .database()
        .query_row("SELECT date(max(intent_ms) / 1000, 'unixepoch') FROM attempts", [], |row| row.get::<_, String>(0))
        .unwrap();
    let [year, month, of_month] = day.split('-').collect::<Vec<_>>()[..] else { panic!("{day}") };
    let head = "order-id\torder-item-id\tquantity\tship-date\tcarrier-code\tcarrier-name\ttracking-number\tship-method";
    let amazon = |by: &str| (head.to_owned(), format!("A-1\t\t\t{day}\t{by}\t{awb}\tSurface"));
    // A carrier of Amazon's list has a code there, and is named nowhere else.
    assert_eq!((written("amazon-in"), written("amazon-com")), (amazon("Delhivery\t"), amazon("Other\tDelhivery")));
    let head = "order_id,tracking_provider,tracking_number,date_shipped,status_shipped";
    let woo = (head.to_owned(), format!("A-1,Delhivery,{awb},{of_month}-{month}-{year},1"));
    assert_eq!((written("woocommerce"), written("woocommerce-items")), (woo.clone(), woo));
    let head = "Name,Command,Line: Type,Fulfillment: Status,Fulfillment: Tracking Company,Fulfillment: Tracking Number,Fulfillment: Tracking URL";
    let matrixify = format!("A-1,UPDATE,Fulfillment Line,success,Delhivery,{awb},");
    assert_eq!(written("shopify"), (head.to_owned(), matrixify));
    rig.file("own.toml", "based_on = \"shopify\"\n[back]\ncolumns = [[\"Bill\", \"#{order}\"], [\"By\", \"{carrier}\"], [\"Link\", \"{tracking}\"]]\ncarriers = { delhivery = \"DLV\" }\ntracking = { Delhivery = \"https://t.example/{awb}\" }\n");
    assert_eq!(written("own.toml"), ("Bill,By,Link".to_owned(), format!("#A-1,DLV,https://t.example/{awb}")));
    rig.run(&["export", "--for", "own.toml", "--to", "shop.txt"]).says("left out: 1 shipment cancelled");
    rig.file("wrong.toml", "[back]\ncolumns = [[\"Phone\", \"{phone}\"]]\n");
    rig.run(&["export", "--for", "wrong.toml", "--to", "shop.txt"]).exits(1).says("{phone}");
    rig.run(&["export", "--for", "etsy", "--to", "shop.txt"]).exits(2).says("[back]");
}

/// The columns that shops document: Matrixify's "Orders" (Basic Columns, Line Type, Fulfillments), the CSV import of Advanced
/// Shipment Tracking, and Amazon's Shipping Confirmation template, in its order.
const DOCUMENTED: [(&str, &[&str]); 5] = [
    (
        "shopify",
        &[
            "ID",
            "Name",
            "Command",
            "Line: Type",
            "Fulfillment: ID",
            "Fulfillment: Status",
            "Fulfillment: Processed At",
            "Fulfillment: Tracking Company",
            "Fulfillment: Location",
            "Fulfillment: Shipment Status",
            "Fulfillment: Tracking Number",
            "Fulfillment: Tracking URL",
            "Fulfillment: Send Receipt",
        ],
    ),
    ("woocommerce", AST),
    ("woocommerce-items", AST),
    ("amazon-in", AMAZON),
    ("amazon-com", AMAZON),
];
const AST: &[&str] = &[
    "order_id",
    "tracking_number",
    "tracking_provider",
    "date_shipped",
    "status_shipped",
    "sku",
    "qty",
    "shipping_note",
];
const AMAZON: &[&str] = &[
    "order-id",
    "order-item-id",
    "quantity",
    "ship-date",
    "carrier-code",
    "carrier-name",
    "tracking-number",
    "ship-method",
];

#[test]
fn shops_get_only_columns_that_they_document_and_all_that_they_ask_for() {
    let rig = night();
    for (shop, documented) in DOCUMENTED {
        rig.run(&["export", "--for", shop, "--to", "shop.txt"]).exits(0);
        let head = rig.read("shop.txt").lines().next().unwrap().to_owned();
        let columns: Vec<&str> = head.split([',', '\t']).collect();
        for column in &columns {
            assert!(documented.contains(column), "{shop}: {column}");
        }
        let asked_for: &[&str] = match shop {
            "shopify" => &["Name", "Line: Type", "Fulfillment: Status", "Fulfillment: Tracking Number"],
            "amazon-in" | "amazon-com" => AMAZON,
            _ => &AST[..5],
        };
        assert!(asked_for.iter().all(|column| columns.contains(column)), "{shop}: {columns:?}");
    }
}

#[test]
fn a_shop_is_told_the_carrier_that_a_statement_names() {
    let rig = night();
    let awb = |number: &str| rig.bookings().into_iter().find(|(own, _)| own == number).unwrap().1;
    let (in_doubt, booked) = (awb("D-1"), awb("A-1"));
    // The portal shows the order in doubt, and calls the carrier of another one otherwise than its answer did.
    rig.file(
        "portal.csv",
        &format!("Order Number,AWB,Courier Name\nD-1,{in_doubt},Blue Dart\nA-1,{booked},Somebody Else\nR-1,,\n"),
    );
    rig.run(&["doubt", "match", "portal.csv", "--yes"]);
    rig.run(&["export", "--for", "amazon-in", "--to", "shop.txt"]).exits(0);
    let written = rig.read("shop.txt");
    let row = |awb: &str| {
        written.lines().find(|line| line.contains(awb)).unwrap().split('\t').collect::<Vec<_>>()[4..6].to_vec()
    };
    assert_eq!(row(&in_doubt), ["BlueDart", ""], "as the statement gives it, in Amazon's code");
    assert_eq!(row(&booked), ["Delhivery", ""], "as the service's answer gave it");
    rig.run(&["export", "--to", "all.csv"]).exits(0);
    assert!(rig.read("all.csv").lines().any(|line| line.starts_with("D-1,") && line.contains("Blue Dart")));
    assert_eq!(breakdown(&report(&rig, &[]), "carrier")[1].0, Some("Blue Dart"));
    // Another AWB of the same order is another shipment: nothing is known of who carries it.
    let because = ["--because", "the portal shows another one"];
    let other = ["doubt", "booked", "D-1", "--attempt", "1", "--awb", "SBX9990000000000001", "--yes"];
    rig.run(&[&other[..], &because].concat()).exits(0);
    rig.run(&["export", "--for", "woocommerce", "--to", "shop.txt"]).exits(0);
    assert!(rig.read("shop.txt").contains("D-1,,SBX9990000000000001,"), "{}", rig.read("shop.txt"));
    rig.run(&["ledger", "check"]).exits(0);
}

/// What a report holds, as text; of a workbook, all its parts.
fn written(rig: &Rig, arguments: &[&str], name: &str) -> String {
    rig.run(&[&["report", "--to", name], arguments].concat()).exits(0);
    let bytes = std::fs::read(rig.path(name)).unwrap();
    if !name.ends_with("xlsx") {
        return String::from_utf8(bytes).unwrap();
    }
    let mut book = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut text = String::new();
    for part in 0..book.len() {
        book.by_index(part).unwrap().read_to_string(&mut text).unwrap();
    }
    text
}

#[test]
fn a_masked_report_has_no_person_in_it() {
    let rig = night();
    for name in ["report.html", "report.json", "report.xlsx"] {
        let open = written(&rig, &[], name);
        assert!(
            PERSONAL[..5].iter().all(|text| open.contains(text) || *text == "zz-top@example.org"),
            "{name}: {open}"
        );
        let masked = written(&rig, &["--mask"], name).to_lowercase();
        for text in PERSONAL {
            assert!(!masked.contains(&text.to_lowercase()), "{text} in {name}");
        }
        assert!(masked.contains("d-1") && masked.contains("r-1"), "order numbers stay: {name}");
    }
}

#[test]
fn a_page_obeys_nothing_that_it_shows_and_fetches_nothing() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Answer::CutAfter]);
    let said = r#"{"message": "<script>alert(1)</script> see http://evil.example \u202e"}"#;
    rig.sandbox().script_order("A-2", [Answer::Status(422, said.to_owned())]);
    let hostile = row("A-1").replace("Asha", "<img onerror=alert(1)>");
    rig.file("orders.csv", &sheet([hostile, row("A-2")]));
    rig.run(&["import", "orders.csv", "--yes"]).exits(6);
    let page = written(&rig, &[], "report.html");
    for never in ["<script", "<img", "<link", "src=", "href=", "url(", "@import", "\u{202e}"] {
        assert!(!page.contains(never), "{never} in {page}");
    }
    assert!(page.contains("&lt;script&gt;") && page.contains("&lt;img onerror"), "{page}");
    assert!(page.contains("default-src 'none'"));
}

#[cfg(unix)]
#[test]
fn a_page_is_for_everybody_in_light_and_dark_and_on_a_phone() {
    let Some(browser) = Browser::start() else { return };
    let rig = night();
    rig.file(
        "more.csv",
        &sheet((0..30).map(|n| row_with(&format!("M-{n}"), &format!("98123{:05}", n + 11), "560001"))),
    );
    rig.run(&["import", "more.csv", "--yes"]).exits(0);
    for (name, arguments) in
        [("run", vec!["--run", "1"]), ("days", vec!["--last", "7d"]), ("masked", vec!["--run", "1", "--mask"])]
    {
        let page = format!("{name}.html");
        rig.run(&[&["report", "--to", &page], arguments.as_slice()].concat()).exits(0);
        browser.open(&format!("file://{}", rig.path(&page).display()));
        for theme in ["light", "dark"] {
            for width in [390, 1_200] {
                browser.dress(theme, width);
                assert_eq!(browser.too_wide(), 0, "{name} at {width}");
                browser.picture(&format!("page-{name}-{theme}-{width}"), width);
            }
            assert_eq!(browser.axe(), Vec::<String>::new(), "{name}, {theme}");
        }
    }
}

#[test]
fn a_run_that_was_killed_and_one_of_another_station_are_told() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet((1..=4).map(|number| row(&format!("A-{number}")))));
    let mut command = rig.command(&["import", "orders.csv", "--yes", "--concurrency", "1"]);
    command.env("SHIPSHEET_CRASH_AT", "after-intent:2");
    assert!(!command.output().unwrap().status.success());
    rig.database().execute("UPDATE runs SET user = 'nisha', host = 'packing-2'", []).unwrap();
    let killed = report(&rig, &[]);
    assert_eq!(
        (&killed["runs"][0]["state"], &killed["runs"][0]["by"]),
        (&"killed".into(), &"nisha on packing-2".into())
    );
    assert_eq!(killed["orders"], rig.json(&["status"]).1["orders"]);
    assert_eq!(killed["orders"]["in_doubt"], 1, "what was on its way");
    assert!(!written(&rig, &["--mask"], "report.html").contains("nisha"));
    // The next start settles what was on its way: that is no answer, and took no time of the service's.
    rig.run(&["resume", "--yes"]).exits(6);
    let settled = report(&rig, &["--run", "1"]);
    let answers: u64 =
        settled["speed"]["latencies"].as_array().unwrap().iter().map(|own| own["answers"].as_u64().unwrap()).sum();
    assert_eq!((&settled["speed"]["attempts"], answers), (&2.into(), 1), "{:#}", settled["speed"]);
}

#[test]
fn a_report_is_made_while_a_run_goes_on() {
    let rig = Rig::new();
    rig.sandbox().hold_after(1);
    rig.file("orders.csv", &sheet((1..=12).map(|number| row(&format!("A-{number}")))));
    let live = rig.live("import", &["import", "orders.csv", "--yes", "--concurrency", "1"]);
    crate::rig::wait_until("something is booked", || !rig.bookings().is_empty());
    let going = report(&rig, &[]);
    assert_eq!((&going["runs"][0]["state"], &going["orders"]["total"]), (&"going_on".into(), &12.into()));
    assert_eq!(going["orders"]["in_doubt"], 0, "{}", going["orders"]);
    rig.sandbox().go_on();
    live.end();
    assert_eq!(report(&rig, &[])["orders"]["booked"], 12);
}

#[test]
fn where_there_is_nothing_to_report_it_says_so() {
    let rig = Rig::new();
    rig.run(&["report"]).exits(1);
    rig.file("orders.csv", &sheet([row_with("A-1", "9876543210", "560001")]));
    rig.run(&["check", "orders.csv"]).exits(0);
    rig.run(&["report", "--to", "report.html"]).exits(1);
    rig.run(&["import", "orders.csv", "--yes"]).exits(0);
    rig.run(&["report", "--run", "7"]).exits(1);
    rig.run(&["report", "--to", "report.pdf"]).exits(2);
    rig.run(&["report", "--run", "1", "--last", "7d"]).exits(2);
    rig.run(&["report", "--last", "soon"]).exits(2);
    let later = report(&rig, &["--since", "2100-01-01"]);
    assert_eq!((&later["orders"]["total"], &later["runs"]), (&0.into(), &serde_json::json!([])));
    assert!(rig.run(&["report", "--since", "2100-01-01"]).stdout.contains("No order came."));
    assert!(rig.run(&["report"]).stdout.contains("Every order that came is booked."));
}

#[test]
fn an_altered_ledger_does_not_add_up_and_the_report_says_so() {
    let rig = night();
    rig.database().execute("UPDATE run_tallies SET booked = booked + 1", []).unwrap();
    let ran = rig.run(&["report"]);
    ran.exits(1);
    assert!(ran.stdout.contains("These figures do not add up."), "{ran:?}");
    let (exit, document) = rig.json(&["report"]);
    assert_eq!((exit, &document["exit"], &document["is_balanced"]), (1, &1.into(), &false.into()));
}
