//! What is far more than usual, judged by the sheets that came.

use crate::rig::{Rig, row, sheet};

/// Orders of a night.
fn night(name: &str, orders: usize) -> String {
    sheet((1..=orders).map(|number| row(&format!("{name}-{number:04}"))))
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
    assert!(ran.code != 1 && !ran.stderr.contains("far more than usual"), "{ran:?}");
    rig.file("next.csv", &night("B", 60));
    let ran = rig.run(&["import", "next.csv", "--yes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[test]
fn a_giant_sheet_becomes_usual_only_once_a_person_let_it_through() {
    let rig = Rig::new();
    for name in ["A", "B", "C"] {
        rig.file("orders.csv", &night(name, 60));
        assert_eq!(rig.run(&["import", "orders.csv", "--yes"]).code, 0);
    }
    rig.file("giant.csv", &night("X", 200));
    for _ in 0..2 {
        assert_eq!(rig.run(&["import", "giant.csv", "--dry-run"]).code, 0);
        let ran = rig.run(&["import", "giant.csv", "--yes"]);
        assert!(ran.code == 1 && ran.stderr.contains("none of the last 3 imports had more than 60 orders"), "{ran:?}");
    }
    // A limit that holds the rest back says nothing of the rest.
    assert_eq!(rig.run(&["import", "giant.csv", "--yes", "--max-orders", "10"]).code, 5);
    rig.file("next.csv", &night("Y", 200));
    let ran = rig.run(&["import", "next.csv", "--yes"]);
    assert!(ran.code == 1 && ran.stderr.contains("far more than usual"), "{ran:?}");
    assert_eq!(rig.run(&["import", "next.csv", "--yes", "--max-orders", "1000"]).code, 0);
    rig.file("last.csv", &night("Z", 500));
    assert_eq!(rig.run(&["import", "last.csv", "--yes"]).code, 0, "600 would not be far more than 200");
}
