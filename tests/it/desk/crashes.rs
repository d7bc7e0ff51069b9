//! A desk that dies at any step of an answer, a booking or a discarded sheet, beside another desk and a night on the same ledger.

use crate::rig::{Rig, row, row_with, sheet, wait_until};

use super::money::says;
use super::plain::agreed;
use super::{Desk, FORM, field};

const STEPS: [&str; 10] = [
    "answer:1",
    "answer:2",
    "stage:1",
    "staged:1",
    "before-intent:1",
    "after-intent:1",
    "before-answer:1",
    "after-answer:1",
    "clear:1",
    "clear:2",
];

/// Where the desk that dies works, where the other one does, and what they book with.
pub(crate) struct Scene<'s> {
    pub(crate) doomed: &'s Rig,
    pub(crate) other: &'s Rig,
    pub(crate) service: &'s Rig,
    /// Runs a query that gives one text.
    pub(crate) sql: &'s dyn Fn(&str) -> String,
}

/// Posts a form, and waits until that is done; whether the desk lives on.
fn survives(desk: &mut Desk, place: &str, form: &str) -> bool {
    let own = [("Cookie", desk.cookie.as_str()), ("Sec-Fetch-Site", "same-origin"), FORM];
    desk.ask("POST", &desk.at(place), &own, &format!("page={}&{form}", desk.token()));
    let is_at_rest = |desk: &Desk| desk.ask("GET", &desk.at("progress"), &[("Cookie", &desk.cookie)], "").status == 303;
    wait_until("it is done or gone", || !desk.live.runs() || is_at_rest(desk));
    desk.live.runs()
}

/// Answers, books and discards, each if the desk still lives; gives the sheet.
fn dies_on_the_way(desk: &mut Desk, text: &str, held: &str) -> String {
    let id = desk.drop_sheet("packing.csv", text);
    desk.read_sheet(&id);
    if !survives(desk, &format!("sheet/{id}/answer"), &format!("revision=0&back=check&hold={held}")) {
        return id;
    }
    let book = format!("sheet/{id}/book");
    // The step of an answer may come after its page is at rest.
    wait_until("the sheet is read, or the desk is gone", || {
        !desk.live.runs() || desk.page(&book).body.contains("name=\"stamp\"")
    });
    if !desk.live.runs() {
        return id;
    }
    if !survives(desk, &book, &agreed(&desk.page(&book).body)) {
        return id;
    }
    let asked = desk.page(&format!("sheet/{id}/discard")).body;
    let form = format!("revision={}&kept={}", field(&asked, "revision"), field(&asked, "kept"));
    assert!(!survives(desk, &format!("sheet/{id}/discard"), &form), "the step was never reached");
    id
}

/// Who goes on where a desk died.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Next {
    Resume,
    /// A night, with the same sheet in its folder.
    Night,
}

impl Next {
    fn goes_on(self, other: &Rig, text: &str) {
        match self {
            Self::Resume => drop(other.run(&["resume", "--yes"])),
            Self::Night => {
                std::fs::create_dir_all(other.path("in")).unwrap();
                other.file("in/night.csv", text);
                other.run(&["watch", "in", "--once", "--rest", "0"]);
            }
        }
    }
}

/// A desk dies at this step; then a resume or a night, and another desk, go on.
pub(crate) fn dies(next: Next, step: &str, Scene { doomed, other, service, sql }: &Scene<'_>) {
    let text = sheet([row("A-1"), row_with("A-2", "9876543211", "560002"), row_with("A-3", "9876543212", "560003")]);
    doomed.file("orders.csv", &text);
    doomed.run(&["import", "orders.csv", "--yes", "--max-orders", "1"]).exits(5);
    let sent = service.bookings()[0].0.clone();
    let held = if sent == "A-3" { "A-2" } else { "A-3" };
    let there = Desk::open(other, &[]);
    let mut desk = Desk::open_by(doomed, &["env", &format!("SHIPSHEET_CRASH_AT={step}")], &[]);
    let id = dies_on_the_way(&mut desk, &text, held);
    wait_until("it is gone", || !desk.live.runs());

    let is_noted = sql("SELECT CAST(count(*) AS text) FROM draft_notes WHERE kind = 'answer'") == "1";
    let is_held = sql(&format!("SELECT CAST(draft_hold AS text) FROM orders WHERE number = '{held}'")) == "1";
    assert_eq!(is_noted, is_held, "{step}: an answer is there with all that it holds, or not at all");
    next.goes_on(other, &text);
    let posts = |number: &str| service.sandbox().book().posts(number);
    // Orders that a discarded sheet kept back are given up.
    let stays = is_noted || step.starts_with("clear");
    assert_eq!(posts(held), u64::from(!stays), "{step} {next:?}");
    if is_noted && !step.starts_with("clear") {
        assert!(says(&there, &id, &format!("release={held}")).contains("is ready"), "{step}");
        other.run(&["resume", "--yes"]);
        assert_eq!(posts(held), 1, "{step} {next:?}");
    }
    for number in ["A-1", "A-2", "A-3"] {
        assert!(posts(number) <= 1, "{step}: {number}");
    }
    assert_eq!(service.sandbox().book().booked_twice(), Vec::<String>::new(), "{step}");
    other.run(&["ledger", "check"]).exits(0);
}

#[test]
fn a_desk_that_dies_at_any_step_sends_nothing_twice_and_nothing_that_is_held() {
    for (step, next) in STEPS.into_iter().flat_map(|step| [(step, Next::Resume), (step, Next::Night)]) {
        let rig = Rig::new();
        let sql = |query: &str| rig.database().query_row(query, [], |row| row.get(0)).unwrap();
        dies(next, step, &Scene { doomed: &rig, other: &rig, service: &rig, sql: &sql });
    }
}
