//! `selftest`: kills, faults and latency on this machine, and nothing left behind.

use serde_json::json;

use crate::rig::size::{is_long, seed, times};
use crate::rig::{Rig, row, sheet};

#[test]
fn it_passes_and_leaves_nothing_behind() {
    let rig = Rig::alone();
    let ledger = rig.path("books/ledger.sqlite");
    let ledger = ledger.to_str().unwrap();
    let (code, report) = rig.json(&["selftest", "--seed", "7", "--kills", "4", "--ledger", ledger]);
    assert_eq!((code, &report["passed"], &report["exit"]), (0, &json!(true), &json!(0)), "{report}");
    assert_eq!((&report["seed"], &report["kills"], &report["faults"]), (&json!(7), &json!(4), &json!(14)));
    assert_eq!((&report["booked_twice"], &report["lost"], &report["beyond"]), (&json!(0), &json!(0), &json!(0)));
    assert!(report["links"].as_u64() >= report["orders"].as_u64(), "every answer has its link: {report}");
    assert!(report["commits"].as_u64().unwrap() > 0 && report["commit_p50_us"].as_u64().unwrap() > 0, "{report}");
    assert!(report["commit_p99_us"].as_u64() >= report["commit_p50_us"].as_u64(), "{report}");
    let left: Vec<_> = std::fs::read_dir(rig.path("books")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn its_table_says_how_to_repeat_it() {
    let rig = Rig::alone();
    let ledger = rig.path("ledger.sqlite");
    let ran = rig.run(&["selftest", "--seed", "11", "--kills", "1", "--ledger", ledger.to_str().unwrap()]);
    ran.exits(0);
    for part in [
        "booked twice          0\n",
        "lost                  0\n",
        "selftest --seed 11`\n",
        "passed",
        "of evidence hold\n",
    ] {
        ran.prints(part);
    }
}

/// As many rounds as the default number of kills makes, whichever of them miss, and those of the faults.
#[test]
fn no_order_of_a_selftest_is_taken_for_another_one() {
    let rig = Rig::new();
    let rows = (1..=80).flat_map(|round| (1..=24).map(move |order| format!("S{round}-{order}")));
    let rows: Vec<String> = rows.map(|number| row(&number).replace("Kurta,K-1", &format!("Test {number},"))).collect();
    let came = rig.check_text(&sheet(rows));
    assert!(!came.has("same-shipment") && came.errors().is_empty(), "{:?}", came.errors());
}

#[test]
fn it_raises_no_alarm_whatever_its_seed() {
    let first = seed(100);
    let tried = |seed: u64| {
        let (seed, is_users) = (seed.to_string(), is_long() && seed == 11);
        let rig = Rig::alone();
        let ledger = rig.path("ledger.sqlite");
        // In a long run the first as many times as a user's: only after sixty rounds numbers were alike.
        let kills: &[&str] = if is_users { &[] } else { &["--kills", "2"] };
        let ran = rig.run(&[&["selftest", "--seed", &seed, "--ledger", ledger.to_str().unwrap()], kills].concat());
        ran.exits(0).prints("passed");
    };
    // A few at a time: they wait for pauses that a service asks for.
    let seeds: Vec<u64> = [11, 22].into_iter().chain(first..first + times(1)).collect();
    for seeds in seeds.chunks(3) {
        std::thread::scope(|scope| seeds.iter().for_each(|seed| drop(scope.spawn(|| tried(*seed)))));
    }
}
