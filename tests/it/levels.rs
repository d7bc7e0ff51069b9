//! Levels of rules: whoever says them, and what that lets go.

use crate::rig::{Rig, row, row_with, sheet, two_at};

/// A COD order whose total is another one than it comes to.
fn other_total() -> String {
    two_at("499", "COD", "Order Total", "1200")
}

fn rig_with(name: &str, text: &str) -> Rig {
    let rig = Rig::new();
    rig.file("orders.csv", &other_total());
    rig.file(name, text);
    rig
}

#[test]
fn a_lowered_rule_lets_the_order_go_and_is_said_unless_it_is_off() {
    let held = Rig::new().import_text(&other_total());
    let problem = held.held("total-differs");
    assert_eq!(held.document["problems"][0]["rule"], "total-differs", "{problem:?}");
    let rig = rig_with("shipsheet.toml", "[rules]\ntotal-differs = \"warn\"\n");
    let came = rig.import(&["orders.csv"]);
    came.collects("998.00").warned("total-differs").is_warning();
    let rig = rig_with("shipsheet.toml", "[rules]\ntotal-differs = \"off\"\n");
    rig.import(&["orders.csv"]).goes_silently();
    // Nothing of it is kept either.
    let kept: i64 = rig.database().query_row("SELECT count(*) FROM problems", [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 0);
}

/// A level, and where it comes from.
type Told = (&'static str, &'static str);

/// What is written where, in the configuration and in a profile, and the level of `total-differs` that comes of it: where a
/// person is asked, and where nobody is.
const PRECEDENCE: [(&str, &str, [Told; 2]); 5] = [
    ("", "", [("hold", "default"), ("hold", "default")]),
    ("[rules]=warn", "", [("warn", "shipsheet.toml"), ("warn", "shipsheet.toml")]),
    ("[rules]=warn [rules.unattended]=off", "", [("warn", "shipsheet.toml"), ("off", "shipsheet.toml (unattended)")]),
    ("[rules]=warn [rules.unattended]=off", "[rules]=hold", [("hold", "profile own"), ("hold", "profile own")]),
    (
        "[rules]=warn [rules.unattended]=off",
        "[rules]=hold [rules.unattended]=warn",
        [("hold", "profile own"), ("warn", "profile own (unattended)")],
    ),
];

#[test]
fn of_several_sources_of_a_level_the_most_specific_one_takes_precedence() {
    let written = |levels: &str| -> String {
        let line = |one: &str| one.replace('=', "\ntotal-differs = \"") + "\"\n";
        levels.split_whitespace().map(line).collect()
    };
    for (configured, profile, expected) in PRECEDENCE {
        let rig = rig_with("shipsheet.toml", &written(configured));
        rig.file("own.toml", &format!("[columns]\norderNumber = \"Order Number\"\n{}", written(profile)));
        for (more, (level, from)) in [None, Some("--unattended")].into_iter().zip(expected) {
            let arguments = ["rules", "total-differs", "--profile", "own.toml"];
            let rule = rig.json(&[&arguments[..], more.as_slice()].concat()).1["rules"][0].clone();
            assert_eq!((&rule["level"], &rule["from"]), (&level.into(), &from.into()), "{configured} {profile}");
        }
        // Without a terminal nobody is asked.
        let by_profile = ["orders.csv", "--profile", "own.toml"];
        match expected[1].0 {
            "hold" => drop(rig.check(&by_profile).held("total-differs")),
            "warn" => drop(rig.check(&by_profile).exits(0).only("total-differs").is_warning()),
            _ => drop(rig.check(&by_profile).exits(0)),
        }
        rig.check(&[&by_profile[..], &["--rule", "total-differs=hold"]].concat()).held("total-differs");
        let off = ["--rule", "total-differs=off", "--rule", "phone-form=warn"];
        rig.check(&[&by_profile[..], &off].concat()).exits(0);
    }
}

#[test]
fn a_word_that_is_no_rule_or_that_has_no_level_is_refused() {
    let rig = rig_with("shipsheet.toml", "[rules]\ntotal-difers = \"warn\"\n");
    rig.run(&["import", "orders.csv", "--yes"])
        .exits(1)
        .says("`total-difers` is no rule; did you mean `total-differs`?");
    let rig = rig_with("own.toml", "[rules]\nmissing-value = \"off\"\n");
    let named = ["check", "orders.csv", "--profile", "own.toml"];
    rig.run(&named).exits(1).says("`missing-value` has no level: it is a fault");
    for (level, says) in [
        ("order-known=off", "`order-known` has no level: the ledger says so"),
        ("total-differs=mild", "write hold, warn or off"),
        ("total-differs", "for instance total-differs=warn"),
        ("left-out=hold", "`left-out` cannot hold"),
    ] {
        rig.run(&["check", "orders.csv", "--rule", level]).exits(2).says(says);
    }
    rig.run(&["rules", "total-difers"]).exits(2).says("`total-difers` is no rule; did you mean `total-differs`?");
}

#[test]
fn what_the_ledger_says_holds_whatever_is_let_go() {
    let rig = Rig::new();
    rig.import_text(&sheet([row("ORD-01")])).books(0, 1);
    let all: Vec<String> = shipsheet::rule::RULES
        .iter()
        .filter(|rule| rule.default_level().is_some())
        .map(|rule| format!("{} = \"off\"\n", rule.id))
        .collect();
    rig.file("shipsheet.toml", &format!("[rules]\n{}", all.concat()));
    // The same shipment under the number in another spelling, and the same number with other content.
    let respelled = rig.import_text(&sheet([row("ord 1")]));
    respelled.books(3, 1);
    assert_eq!(respelled.errors()[0].code, "same-shipment", "{respelled:?}");
    let changed = rig.import_text(&sheet([row("ORD-01").replace("14 MG Road", "22 Park Street")]));
    assert_eq!(changed.errors()[0].code, "changed-after-booking", "{changed:?}");
    assert_eq!(rig.bookings().len(), 1);
    // Other content under such a number is a doubt of ours.
    rig.import_text(&sheet([row("ord 1").replace("14 MG Road", "22 Park Street")])).books(0, 2);
}

#[test]
fn what_is_doubted_and_can_be_sent_is_sent_as_it_is_written() {
    let let_go = |text: &str, rule: &str| {
        let rig = Rig::new();
        rig.file("orders.csv", text);
        rig.import(&["orders.csv", "--rule", rule])
    };
    let came = let_go(&sheet([row_with("A-1", "98765", "560001")]), "phone-form=warn");
    came.warned("bad-phone").is_at(2, "Receiver Phone");
    assert_eq!(came.request()["receiver"]["phoneNumber"], "98765");
    let came = let_go(&sheet([row_with("A-1", "9876543210", "56001")]), "pin-form=off");
    assert_eq!(came.goes_silently()["destination"]["pinCode"], "56001");
    let came = let_go(&sheet([row("A-1").replace("499.90,2", "499.90,1.5")]), "implausible-value=warn");
    assert_eq!(came.request()["productRequestsList"][0]["quantity"].to_string(), "1.5", "{came:?}");
    // What is no number stays, and what nobody knows the meaning of, whatever is let go.
    let came = let_go(&sheet([row("A-1").replace("PREPAID", "VOUCHER")]), "payment-differs=off");
    came.held("bad-payment");
    let came = let_go(&sheet([row("A-1").replace("499.90", "-four")]), "implausible-value=off");
    came.held("bad-number");
    let came = let_go(&sheet([row("A-1").replace("499.90", "same as above")]), "placeholder-value=off");
    came.held("no-value");
}

#[test]
fn behind_a_question_that_is_let_go_the_next_one_is_asked() {
    let table = two_at("499", "PREPAID", "Remarks,Status", "Cancelled by customer,On hold");
    let rig = Rig::new();
    rig.file("orders.csv", &table);
    let rules = |came: &crate::rig::Came| -> Vec<String> {
        let problems = came.document["problems"].as_array().unwrap();
        problems.iter().map(|problem| format!("{} {}", problem["rule"], problem["level"]).replace('"', "")).collect()
    };
    let came = rig.check(&["orders.csv", "--rule", "order-state=warn"]);
    assert_eq!(rules(&came), ["order-state warn", "cancelled-note hold"], "{came:?}");
    rig.check(&["orders.csv"]).held("held-back");
    let both = ["orders.csv", "--rule", "cancelled-note=off", "--rule", "order-state=off"];
    rig.import(&both).goes_silently();
}

#[test]
fn a_warning_can_be_made_to_hold() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row("A-1"), row("B-2")]));
    let came = rig.import(&["orders.csv", "--rule", "same-shipment=hold"]);
    assert_eq!(came.booked(), ["A-1"], "{came:?}");
    assert_eq!(came.held_back()[0].1, "same-shipment");
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row_with("A-1", "022-25581234", "560001")]));
    rig.import(&["orders.csv", "--rule", "phone-doubt=hold"]).held("bad-phone");
    rig.import(&["orders.csv"]).warned("bad-phone");
}

#[test]
fn an_order_that_no_courier_takes_goes_where_that_is_let_go() {
    let rig = Rig::new();
    rig.file("orders.csv", &sheet([row_with("A-1", "9876543210", "560009").replace("PREPAID", "COD")]));
    let ask = ["orders.csv", "--check-serviceability", "--pickup-pin", "560048"];
    rig.import(&ask).held("payment-not-serviceable");
    rig.import(&[&ask[..], &["--rule", "not-serviceable=warn"]].concat()).warned("payment-not-serviceable");
}

#[test]
fn a_sheet_that_a_rule_stops_is_read_where_that_is_let_go() {
    let rig = Rig::new();
    let own = "[columns]\norderNumber = \"Order Number\"\n[[hold]]\ncolumn = \"Shop State\"\nis = [\"review\"]\nbecause = \"so\"\n";
    rig.file("own.toml", own);
    rig.file("orders.csv", &sheet([row("A-1")]));
    let named = ["orders.csv", "--profile", "own.toml"];
    assert_eq!(rig.check(&named).document["problems"][0]["rule"], "layout-changed");
    rig.import(&[&named[..], &["--rule", "layout-changed=warn"]].concat()).warned("layout-changed");
}

#[test]
fn the_table_tells_levels_where_they_come_from_and_how_often_each_fired() {
    let rig = rig_with("shipsheet.toml", "[rules]\ntotal-differs = \"warn\"\n");
    let without = rig.json(&["rules", "total-differs"]).1;
    assert!(without["rules"][0]["fired"].is_null(), "no ledger yet: {without}");
    rig.import(&["orders.csv"]).warned("total-differs");
    let (exit, document) = rig.json(&["rules"]);
    let rules = document["rules"].as_array().unwrap();
    assert_eq!((exit, rules.len()), (0, shipsheet::rule::RULES.len()));
    let of = |id: &str| rules.iter().find(|rule| rule["id"] == id).unwrap();
    let total = of("total-differs");
    assert_eq!(
        (&total["level"], &total["from"], &total["fired"]),
        (&"warn".into(), &"shipsheet.toml".into(), &1.into())
    );
    assert_eq!(of("pin-form")["from"], "default");
    assert!(of("unreadable-cell")["level"].is_null() && of("unreadable-cell")["kind"] == "fault");
    let table = rig.run(&["rules"]);
    table.exits(0).prints("total-differs           warn    shipsheet.toml      1  The total of the sheet");
    table.prints("order-known             ledger  -  ");
    let page = rig.run(&["rules", "total-differs"]);
    page.exits(0).prints("It fires:").prints("It stays silent:").prints("  1001,Kurta,499,1,COD,550");
    page.prints("Fired in the last 10 imports: 1");
}
