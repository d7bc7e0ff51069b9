//! What is far more than usual, judged by the sheets that came.

use crate::rig::{Rig, row_of_own, sheet};

/// Orders of a night, each of somebody else.
fn night(name: &str, orders: usize) -> String {
    sheet((1..=orders).map(|number| row_of_own(&format!("{name}-{number:04}"))))
}

#[test]
fn a_sheet_whose_imports_were_killed_is_not_refused_for_it() {
    let rig = Rig::new();
    rig.file("orders.csv", &night("A", 60));
    for _ in 0..3 {
        let mut command = rig.command(&["import", "orders.csv", "--yes", "--concurrency", "1"]);
        let killed = command.env("SHIPSHEET_CRASH_AT", "after-answer:1").output().unwrap();
        assert_eq!(killed.status.code(), None, "{killed:?}");
    }
    let before = rig.bookings().len();
    assert!(before < 20, "a sheet of 60 is far more than {before}");
    let ran = rig.run(&["import", "orders.csv", "--yes"]);
    ran.says_nothing_of("far more than usual");
    assert!(ran.exit != 1, "{ran:?}");
    // For other people than those in doubt.
    rig.file("next.csv", &night("B", 60).replace("Asha", "Ravi"));
    rig.run(&["import", "next.csv", "--yes"]).exits(0);
}

#[test]
fn a_giant_sheet_becomes_usual_only_once_a_person_let_it_through() {
    let rig = Rig::new();
    for name in ["A", "B", "C"] {
        rig.import_text(&night(name, 60)).exits(0);
    }
    rig.file("giant.csv", &night("X", 200));
    for _ in 0..2 {
        rig.run(&["import", "giant.csv", "--dry-run"]).exits(0);
        rig.run(&["import", "giant.csv", "--yes"]).exits(1).says("none of the last 3 imports had more than 60 orders");
    }
    // A limit that holds the rest back says nothing of the rest.
    rig.run(&["import", "giant.csv", "--yes", "--max-orders", "10"]).exits(5);
    rig.file("next.csv", &night("Y", 200));
    rig.run(&["import", "next.csv", "--yes"]).exits(1).says("far more than usual");
    rig.run(&["import", "next.csv", "--yes", "--max-orders", "1000"]).exits(0);
    rig.file("last.csv", &night("Z", 500));
    assert_eq!(rig.run(&["import", "last.csv", "--yes"]).exit, 0, "600 would not be far more than 200");
}
