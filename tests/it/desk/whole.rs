//! A sheet over all of its runs: what is known of it after a crash, and what Results gives of the whole of it.

use shipsheet::sandbox::Answer as Script;

use super::money::{again, book};
use super::{Desk, field};
use crate::rig::{Rig, row, row_with, sheet, wait_until};

fn refusal() -> Script {
    Script::Status(422, r#"{"message":["try again"]}"#.to_owned())
}

fn booked(desk: &Desk, id: &str) {
    book(desk, id);
    wait_until("it is done", || desk.page("progress").status == 303);
}

#[test]
fn a_sheet_knows_its_run_though_the_desk_died_before_it_could_note_it() {
    let rig = Rig::new();
    let mut desk = Desk::open_by(&rig, &["env", "SHIPSHEET_CRASH_AT=staged"], &[]);
    let id = desk.drop_sheet("orders.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "560002")]));
    desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&hold=A-2");
    wait_until("the sheet is read", || desk.page(&format!("sheet/{id}/book")).body.contains("name=\"stamp\""));
    let form = super::plain::agreed(&desk.page(&format!("sheet/{id}/book")).body);
    let form = format!("page={}&{form}", desk.token());
    let own = [("Cookie", desk.cookie.as_str()), ("Sec-Fetch-Site", "same-origin"), super::FORM];
    desk.ask("POST", &desk.at(&format!("sheet/{id}/book")), &own, &form);
    wait_until("it is gone", || !desk.live.runs());
    let known: i64 = rig.database().query_row("SELECT count(*) FROM runs", [], |row| row.get(0)).unwrap();
    assert_eq!((known, rig.sandbox().book().posts("A-1")), (1, 0), "staged, and nothing was sent");

    let desk = Desk::open(&rig, &[]);
    assert!(desk.page("").body.contains("Booked in part, as run 1."), "{}", desk.page("").body);
    let revision = field(&desk.page(&format!("sheet/{id}/check")).body, "revision");
    let page = desk.posts(&format!("sheet/{id}/answer"), &format!("revision={revision}&back=check&cell.0.2.0=A-9"));
    assert!(page.contains("This row stands for order A-1, outstanding"), "{page}");
    assert!(desk.page(&format!("sheet/{id}/book")).body.contains("Nothing is ready to be booked."));
}

#[test]
fn results_give_the_sheet_and_the_labels_of_all_its_runs() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-2", [refusal()]);
    let desk = Desk::open(&rig, &[]);
    let rows = [row("A-1"), row_with("A-2", "9812345678", "560002"), row_with("A-3", "9812345679", "560003")];
    let id = desk.drop_sheet("orders.csv", &sheet(rows));
    desk.posts(&format!("sheet/{id}/answer"), "revision=0&back=check&hold=A-3");
    booked(&desk, &id);
    again(&desk, "what=failed");
    // The retry's own page leads to the sheet.
    let page = desk.page("results?run=2").body;
    for part in ["Its orders are of <b>orders.csv</b>", "download?what=own&amp;run=1", "Labels of the whole sheet"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let revision = field(&desk.page(&format!("sheet/{id}/check")).body, "revision");
    desk.posts(&format!("sheet/{id}/answer"), &format!("revision={revision}&back=check&release=A-3"));
    booked(&desk, &id);
    // Each run of the sheet, and the sheet that is kept once it is closed, has all of it.
    for run in [1, 3] {
        let page = desk.page(&format!("results?run={run}")).body;
        assert!(page.contains("Print 3 labels"), "{run}: {page}");
        let own = desk.page(&format!("download?what=own&run={run}")).body;
        let awbs = rig.bookings();
        assert_eq!(awbs.len(), 3);
        for (number, awb) in awbs {
            let line = own.lines().find(|line| line.starts_with(&format!("{number},"))).unwrap();
            assert!(line.contains(&awb), "{run}: {line}");
        }
    }
}
