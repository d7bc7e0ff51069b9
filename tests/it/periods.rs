//! Reports of days that are over: which runs are in one, the cash to collect by carrier, and what has changed since a run ended.

use jiff::Timestamp;
use serde_json::{Value, json};
use shipsheet::sandbox::Answer;

use crate::rig::{HEADER, Rig, row_of_own, sheet};

/// An order that is paid at the door, or before, for a carrier.
fn order(number: &str, payment: &str, carrier: &str) -> String {
    format!("{},{carrier}", row_of_own(number).replace("PREPAID", payment))
}

/// Imports orders as the next run, which began at that moment.
fn import(rig: &Rig, rows: &[String], began: &str, exit: i32) {
    rig.file("orders.csv", &format!("{HEADER},Carrier\n{}\n", rows.join("\n")));
    rig.run(&["import", "orders.csv", "--yes"]).exits(exit);
    let ms = began.parse::<Timestamp>().unwrap().as_millisecond();
    rig.database().execute("UPDATE runs SET started_ms = ?1 WHERE id = (SELECT max(id) FROM runs)", [ms]).unwrap();
}

/// Two orders in October, five on the evening of the last day of November, of which three are cash for a carrier, one is
/// cancelled and one rejected, and one in December by the clock of India.
fn autumn() -> Rig {
    let rig = Rig::new();
    rig.run(&["ledger", "check"]);
    import(&rig, &[order("A-1", "COD", "Delhivery"), order("A-2", "PREPAID", "Delhivery")], "2026-10-15T10:00:00Z", 0);
    let rejected = order("B-4", "COD", "Bluedart").replace("560001", "999001");
    let evening = [
        order("B-1", "COD", "Bluedart"),
        order("B-2", "COD", "Bluedart"),
        order("B-3", "COD", "Bluedart"),
        rejected,
        order("B-5", "PREPAID", "Delhivery"),
    ];
    import(&rig, &evening, "2026-11-30T18:00:00Z", 4);
    import(&rig, &[order("C-1", "COD", "Delhivery")], "2026-11-30T20:00:00Z", 0);
    rig.run(&["cancel", "B-3", "--yes"]).exits(0);
    rig
}

fn report(rig: &Rig, arguments: &[&str]) -> Value {
    let (exit, report) = rig.json(&[&["report"], arguments].concat());
    assert_eq!((exit, &report["is_balanced"]), (0, &true.into()), "{report:#}");
    report
}

fn runs(report: &Value) -> Vec<i64> {
    report["runs"].as_array().unwrap().iter().map(|run| run["run"].as_i64().unwrap()).collect()
}

#[test]
fn a_report_of_days_has_the_last_day_and_nothing_after_it() {
    let rig = autumn();
    let november = report(&rig, &["--since", "2026-11-01", "--until", "2026-11-30"]);
    assert_eq!(runs(&november), [3, 2]);
    let ms = |moment: &str| Value::from(moment.parse::<Timestamp>().unwrap().as_millisecond());
    assert_eq!(november["until_ms"], ms("2026-12-01T00:00:00Z"));
    assert_eq!((&november["orders"]["total"], &november["orders"]["booked"]), (&6.into(), &5.into()));
    assert_eq!(november["before"]["orders"]["total"], 2, "thirty days from the second of October on");
    assert_eq!(runs(&report(&rig, &["--since", "2026-10-01", "--until", "2026-11-29"])), [1]);
    assert_eq!(runs(&report(&rig, &["--since", "2026-11-30", "--until", "2026-11-30"])), [3, 2]);
    assert_eq!(report(&rig, &["--since", "2026-10-01"])["until_ms"], Value::Null);
    let text = rig.run(&["report", "--since", "2026-11-01", "--until", "2026-11-30"]).stdout;
    for said in ["Report of 1 Nov 2026 to 30 Nov 2026", "2 runs that began in these days", "2 Oct 2026 to 31 Oct 2026"]
    {
        assert!(text.contains(said), "{said} in {text}");
    }
}

#[test]
fn days_are_those_of_the_machines_own_clock() {
    let rig = autumn();
    let in_india = |since: &str, until: &str| -> Vec<i64> {
        let mut command = rig.command(&["report", "--since", since, "--until", until, "--format", "json"]);
        let output = command.env("TZ", "Asia/Kolkata").output().unwrap();
        runs(&serde_json::from_slice(&output.stdout).unwrap())
    };
    assert_eq!(in_india("2026-11-01", "2026-11-30"), [2], "half an hour before midnight");
    assert_eq!(in_india("2026-12-01", "2026-12-01"), [3]);
}

#[test]
fn days_in_the_wrong_order_are_refused() {
    let rig = autumn();
    let turned = rig.run(&["report", "--since", "2026-11-30", "--until", "2026-11-01"]);
    turned.exits(2).says("the day of --until is before that of --since");
    rig.run(&["report", "--until", "2026-11-30"]).exits(2).says("--since");
    rig.run(&["report", "--last", "7d", "--until", "2026-11-30"]).exits(2);
    rig.run(&["report", "--since", "2026-11-01", "--until", "30.11.2026"]).exits(2).says("write a date such as");
}

#[test]
fn the_cash_that_each_carrier_collects_is_that_of_booked_orders_that_nobody_cancelled() {
    let rig = autumn();
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "B-1").unwrap().1;
    rig.file("portal.csv", &format!("Order Number,AWB,Freight Charge\nB-1,{awb},45.50\n"));
    rig.run(&["doubt", "match", "portal.csv", "--yes"]).says("kept what the courier charges for 1 shipment");
    let november = ["--since", "2026-11-01", "--until", "2026-11-30"];
    let found = report(&rig, &november);
    let by = found["breakdowns"].as_array().unwrap().iter().find(|own| own["by"] == "carrier").unwrap();
    let mut lines: Vec<Value> = by["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| json!([line["name"], line["orders"], line["value"], line["cod"], line["freight"], line["charged"]]))
        .collect();
    lines.sort_by_key(ToString::to_string);
    assert_eq!(
        lines,
        [
            json!(["Bluedart", 2, "1999.60", "1999.60", "45.50", 1]),
            json!(["Delhivery", 2, "1999.60", "999.80", "0", 0])
        ]
    );
    let text = rig.run(&[&["report"], &november[..]].concat()).stdout;
    for said in ["Declared value of shipments", "Courier's charge for 1 of 4", "Courier's charge, where known"] {
        assert!(text.contains(said), "{said} in {text}");
    }
    assert!(!text.contains("Value of shipments"), "{text}");
}

/// An order that was sent again later is a shipment of the later days alone: what the months collect adds up.
#[test]
fn an_order_is_a_shipment_of_one_month() {
    let rig = Rig::new();
    let rejected = order("A-2", "COD", "Delhivery").replace("560001", "999001");
    let kept_back = order("A-3", "COD", "Delhivery").replace("560001", "no PIN");
    import(&rig, &[order("A-1", "COD", "Delhivery"), rejected, kept_back], "2026-10-15T10:00:00Z", 4);
    let again = ["A-1", "A-2", "A-3"].map(|number| order(number, "COD", "Delhivery"));
    import(&rig, &again, "2026-11-02T10:00:00Z", 0);
    let cash = |since: &str, until: &str| {
        let money = report(&rig, &["--since", since, "--until", until])["money"][0].clone();
        (money["shipments"]["cod"].clone(), money["booked_later"]["orders"].clone())
    };
    assert_eq!(cash("2026-10-01", "2026-10-31"), ("999.80".into(), 2.into()));
    assert_eq!(cash("2026-11-01", "2026-11-30"), ("1999.60".into(), 0.into()));
    assert_eq!(cash("2026-10-01", "2026-11-30"), ("2999.40".into(), 0.into()));
    let october = rig.run(&["report", "--since", "2026-10-01", "--until", "2026-10-31"]).stdout;
    assert!(october.contains("Left out because a run after these days sent them: 2 shipments"), "{october}");
}

#[test]
fn a_run_says_what_it_came_to_at_its_end_and_now() {
    let rig = Rig::new();
    rig.sandbox().script_order("D-1", [Answer::CutAfter]);
    rig.file("orders.csv", &sheet(["A-1", "D-1"].map(row_of_own)));
    rig.run(&["import", "orders.csv", "--yes"]).exits(6);
    let since = |rig: &Rig| rig.run(&["report", "--run", "1"]).stdout;
    assert!(since(&rig).contains("No order has changed since the run ended"));
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "D-1").unwrap().1;
    rig.run(&["doubt", "booked", "D-1", "--awb", &awb, "--because", "the portal shows it", "--yes"]).exits(0);
    let run = &report(&rig, &["--run", "1"])["runs"][0];
    let stood = |orders: &Value| (orders["booked"].as_u64(), orders["in_doubt"].as_u64());
    assert_eq!((stood(&run["orders_at_end"]), stood(&run["orders"])), ((Some(1), Some(1)), (Some(2), Some(0))));
    let text = since(&rig);
    let table = text.split_once("Since the run ended").unwrap_or_else(|| panic!("{text}")).1;
    let cells = |name: &str| -> Vec<&str> {
        let line = table.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_else(|| panic!("{text}"));
        line.split_whitespace().rev().take(3).collect()
    };
    assert_eq!((cells("Booked"), cells("In doubt")), (vec!["+1", "2", "1"], vec!["-1", "0", "1"]));
}
