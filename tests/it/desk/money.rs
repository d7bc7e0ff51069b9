//! What the desk sends and settles is what a person looked at, and never a later state of it.

use shipsheet::sandbox::Answer as Script;

use super::{Desk, field};
use crate::rig::{Rig, row, row_of_own, row_with, sheet, wait_until};

/// Where an order stands, by the word of its state.
pub(super) fn state(rig: &Rig, number: &str) -> String {
    let query = "SELECT state FROM orders WHERE number = ?1";
    rig.database().query_row(query, [number], |row| row.get(0)).unwrap()
}

#[test]
fn a_word_on_an_earlier_attempt_settles_no_later_one() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::CutBefore, Script::CutBefore]);
    rig.import_text(&sheet([row("A-1")])).exits(6);
    let desk = Desk::open(&rig, &[]);
    let upon = field(&desk.page("doubts").body, "upon");
    let not_there = format!("upon={upon}&verdict=not&because=not+in+the+portal");
    assert!(desk.posts("doubts", &not_there).contains("A-1 is settled."));
    again(&desk, "what=outstanding");
    assert_eq!((state(&rig, "A-1").as_str(), rig.sandbox().book().posts("A-1")), ("in_doubt", 2));
    // The page that was open all the while says it of the first attempt.
    for verdict in ["not&because=not+in+the+portal", "there&awb=AWB-4711&because=seen"] {
        let refused = desk.posts("doubts", &format!("upon={upon}&verdict={verdict}"));
        assert!(refused.contains("was sent again or settled since you looked at it"), "{refused}");
    }
    let upon = field(&desk.page("doubts").body, "upon");
    rig.run(&["doubt", "abandon", "A-1", "--because", "no longer wanted"]).exits(0);
    let refused = desk.posts("doubts", &format!("upon={upon}&verdict=not&because=not+in+the+portal"));
    assert!(refused.contains("it is abandoned now"), "{refused}");
    assert_eq!(state(&rig, "A-1"), "abandoned");
    // On its own page it is brought back on purpose.
    let upon = field(&desk.page("order?number=A-1").body, "upon");
    desk.posts("bring-back", &format!("upon={upon}&because=wanted+after+all"));
    assert_eq!(state(&rig, "A-1"), "staged");
}

#[test]
fn a_doubt_of_another_service_is_named_and_not_settled_here() {
    let (rig, other) = (Rig::new(), Rig::new());
    for rig in [&rig, &other] {
        rig.sandbox().script_order("Z-1", [Script::CutAfter]);
    }
    rig.import_text(&sheet([row("Z-1")])).exits(6);
    let address = other.sandbox().base_url();
    rig.run(&["service", "different", &address, "--because", "another courier"]);
    rig.file("orders.csv", &sheet([row_with("Z-1", "9812345678", "560009").replace("Asha", "Vikram")]));
    rig.run(&["import", "orders.csv", "--yes", "--base-url", &address]).exits(6);
    let desk = Desk::open(&rig, &[]);
    let page = desk.page("doubts").body;
    assert_eq!(page.matches("article class=\"doubt\"").count(), 2, "{page}");
    assert_eq!(page.matches("It is not there</h3>").count(), 1, "{page}");
    // Each is told with the person that it is for.
    for page in [&page, &desk.page("order?number=Z-1").body] {
        assert!(page.contains("Asha") && page.contains("Vikram"), "{page}");
    }
    assert!(page.contains(&address) && page.contains("This is another service than the one under Settings."), "{page}");
    let upon = field(&page, "upon");
    desk.posts("doubts", &format!("upon={upon}&verdict=not&because=not+in+the+portal"));
    let states = |at: &str| -> String {
        let query = "SELECT o.state FROM orders o JOIN services s ON s.id = o.service_id WHERE s.origin = ?1";
        rig.database().query_row(query, [at], |row| row.get(0)).unwrap()
    };
    assert_eq!(states(&rig.sandbox().base_url()), "staged");
    assert_eq!(states(&address), "in_doubt");
}

/// Promise 7: an order that an open sheet holds, leaves out or changes is sent by no resume, no night and no run
/// under way.
#[test]
fn what_an_open_sheet_holds_leaves_out_or_changes_is_sent_by_no_resume() {
    let rig = Rig::new();
    rig.sandbox().hold_after(1);
    let desk = Desk::open(&rig, &[]);
    let numbers: Vec<String> = (10..40).map(|number| format!("W-{number}")).collect();
    let id = desk.drop_sheet("orders.csv", &sheet(numbers.iter().map(|number| row(number))));
    let at = |screen: &str| format!("sheet/{id}/{screen}");
    book(&desk, &id);
    wait_until("one is booked", || !rig.bookings().is_empty());
    desk.posts("stop", "");
    rig.sandbox().go_on();
    wait_until("it is stopped", || desk.page("progress").status == 303);
    let open: Vec<&String> = numbers.iter().filter(|number| state(&rig, number) == "staged").collect();
    let [left_out, held, changed, goes] = [open[0], open[1], open[2], open[3]];
    let answers = [format!("leave={left_out}"), format!("hold={held}"), {
        let row = 2 + numbers.iter().position(|number| number == changed).unwrap();
        format!("cell.0.{row}.4=9+New+Street")
    }];
    for (revision, answer) in (1..).zip(&answers) {
        let page = desk.posts(&at("answer"), &format!("revision={revision}&back=check&{answer}"));
        assert!(!page.contains("changed in another window"), "{answer}: {page}");
    }
    let page = again(&desk, "what=outstanding");
    assert!(page.contains("3 orders not sent from here: "), "{page}");
    assert!(
        page.contains(&format!("href=\"{}\"", at("book"))) && page.contains("In orders.csv, which is open"),
        "{page}"
    );
    for kept in [left_out, held, changed] {
        assert_eq!((rig.sandbox().book().posts(kept), state(&rig, kept).as_str()), (0, "staged"), "{kept}");
    }
    assert_eq!(state(&rig, goes), "booked");
    // At a terminal they are left alone as well, and said.
    let ran = rig.run(&["resume", "--yes"]);
    ran.exits(5).says("left alone, 3 orders: orders.csv, which is open on the local page, has them otherwise");
    // Its own Book sends what is ready of it, as it was changed.
    book(&desk, &id);
    wait_until("the rest is done", || desk.page("progress").status == 303);
    assert_eq!([left_out, held, changed].map(|number| rig.sandbox().book().posts(number)), [0, 0, 1]);
    assert!(desk.page(&format!("order?number={changed}")).body.contains("9 New Street"));
}

#[test]
fn what_an_open_sheet_leaves_out_is_not_retried() {
    let rig = Rig::new();
    let no = || Script::Status(422, r#"{"message":["try again"]}"#.to_owned());
    for number in ["Q-1", "Q-2"] {
        rig.sandbox().script_order(number, [no()]);
    }
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet(["Q-1", "Q-2"].map(row)));
    book(&desk, &id);
    wait_until("it is done", || desk.page("progress").status == 303);
    desk.posts(&format!("sheet/{id}/answer"), "revision=1&back=check&leave=Q-1");
    let page = again(&desk, "what=failed");
    assert!(page.contains("1 order not sent from here: ") && page.contains("Book 1 order"), "{page}");
    assert_eq!((rig.sandbox().book().posts("Q-1"), rig.sandbox().book().posts("Q-2")), (1, 2));
}

#[test]
fn the_couriers_list_records_what_it_has_and_until_then_nothing_sends_it() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::CutAfter]);
    rig.import_text(&sheet([row("A-1")])).exits(6);
    // Said wrongly: the courier has it.
    rig.run(&["doubt", "not-booked", "A-1", "--because", "not seen"]).exits(0);
    rig.file("later.csv", &sheet([row_with("N-1", "9812345678", "560002"), row_with("N-2", "9812345679", "560003")]));
    rig.run(&["import", "later.csv", "--yes", "--max-orders", "1"]);
    let unsent = ["N-1", "N-2"].into_iter().find(|number| state(&rig, number) == "staged").unwrap();
    let awb = rig.bookings().into_iter().find(|(number, _)| number == "A-1").unwrap().1;
    let desk = Desk::open(&rig, &[]);
    let list = format!("Order Number,AWB\nA-1,{awb}\n{unsent},77889900\n");
    let place = desk.drop_file("statement", "list.csv", &list).header("location").unwrap().to_owned();
    let page = desk.page("again?what=outstanding").body;
    assert!(page.contains("There is nothing to send."), "{page}");
    // What is no list takes the place of none.
    assert_eq!(desk.drop_file("statement", "wrong.csv", "Colour,Size\nred,2\n").status, 422);
    assert!(desk.page("again?what=outstanding").body.contains("There is nothing to send."));
    let id = desk.drop_sheet("later.csv", &std::fs::read_to_string(rig.path("later.csv")).unwrap());
    wait_until("the sheet is read", || desk.page(&format!("sheet/{id}/check")).status == 200);
    let book = desk.page(&format!("sheet/{id}/book")).body;
    assert!(book.contains("The courier has 1 order of these already: ") && !book.contains("Book 1 now"), "{book}");
    let page = desk.page(place.strip_prefix(&desk.base).unwrap()).body;
    assert!(page.contains("Record 1 AWB and stop 1 order"), "{page}");
    let form = format!("id={}&what=settle&stamp={}", field(&page, "id"), field(&page, "stamp"));
    let done = desk.posts("statement/settle", &form);
    assert!(done.contains("1 order settled by list.csv. 1 order not sent again."), "{done}");
    assert_eq!((state(&rig, "A-1").as_str(), state(&rig, unsent).as_str()), ("booked", "abandoned"));
    assert!(desk.posts("statement/settle", &form).contains("This list would settle something else by now."));
    assert_eq!((rig.sandbox().book().posts("A-1"), rig.sandbox().book().posts(unsent)), (1, 0));
}

#[test]
fn a_yes_to_a_retry_is_of_the_orders_that_were_shown() {
    let rig = Rig::new();
    let no = || Script::Status(422, r#"{"message":["try again"]}"#.to_owned());
    for number in ["R-1", "R-2", "R-3"] {
        rig.sandbox().script_order(number, [no()]);
    }
    rig.import_text(&sheet(["R-1", "R-2"].map(row))).exits(4);
    let desk = Desk::open(&rig, &[]);
    let what = "what=failed";
    let page = desk.page(&format!("again?{what}")).body;
    assert!(page.contains(">R-1</a>") && page.contains(">R-2</a>"), "{page}");
    let form = ["sums", "stamp"].map(|name| format!("&{name}={}", field(&page, name))).concat();
    rig.run(&["doubt", "abandon", "R-2", "--because", "no longer wanted"]).exits(0);
    rig.file("more.csv", &sheet([row_of_own("R-3")]));
    rig.run(&["import", "more.csv", "--yes"]).exits(4);
    desk.posts("again", &format!("{what}{form}"));
    wait_until("it is refused", || desk.page("progress").body.contains("Other orders than those you saw"));
    assert_eq!(["R-1", "R-2", "R-3"].map(|number| rig.sandbox().book().posts(number)), [1, 1, 1]);
}

#[test]
fn an_order_in_doubt_keeps_its_number_and_its_parcel_goes_under_no_other() {
    let rig = Rig::new();
    rig.sandbox().script_order("E-1", [Script::CutAfter]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet([row("E-1"), row_with("E-2", "9812345678", "560002")]));
    book(&desk, &id);
    wait_until("it is done", || desk.page("progress").status == 303);
    let answer =
        |row: u32| desk.posts(&format!("sheet/{id}/answer"), &format!("revision=1&back=check&cell.0.{row}.0=E-9"));
    assert!(answer(2).contains("Order E-1 is in doubt, so its number stays: settle it first."));
    assert!(answer(3).contains("Order E-2 is booked, so its number stays."));
    // Nor as another order of another sheet, before a person says that two are meant.
    let other = desk.drop_sheet("again.csv", &sheet([row("E-1B")]));
    let page = desk.page(&format!("sheet/{other}/check")).body;
    assert!(page.contains("order E-1, which is in doubt"), "{page}");
    assert!(desk.page(&format!("sheet/{other}/book")).body.contains("Nothing is ready to be booked."));
    let send = pressed(&desk.page(&format!("sheet/{other}/check")).body, "send.same-order=E-1B");
    let page = desk.posts(&format!("sheet/{other}/answer"), &format!("revision=0&back=check&{send}"));
    assert!(page.contains("E-1B is ready."), "{page}");
}

#[test]
fn an_awb_that_was_typed_wrongly_is_corrected_on_the_orders_page() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::CutAfter]);
    rig.import_text(&sheet([row("A-1")])).exits(6);
    let desk = Desk::open(&rig, &[]);
    let there = |page: &str, awb: &str, more: &str| {
        format!("upon={}&verdict=there&awb={awb}&because=seen{more}", field(&desk.page(page).body, "upon"))
    };
    let asked = desk.posts("doubts", &there("doubts", "12", ""));
    assert!(asked.contains("12 is short for an AWB"), "{asked}");
    let asked = desk.posts("doubts", &there("doubts", "A-1", ""));
    assert!(asked.contains("A-1 is the number of the order, not its AWB."), "{asked}");
    desk.posts("doubts", &there("doubts", "12", "&sure=yes"));
    assert_eq!(state(&rig, "A-1"), "booked");
    let order = desk.page("order?number=A-1").body;
    assert!(order.contains("The AWB is wrong"), "{order}");
    let corrected = desk.posts("doubts", &there("order?number=A-1", "77889900", ""));
    assert!(corrected.contains("77889900") && corrected.contains("Order A-1"), "{corrected}");
    let refused = desk.posts("doubts", "upon=%7B%7D&verdict=there&awb=77889900&because=seen");
    assert!(refused.contains("This is not a form of this desk."), "{refused}");
    assert_eq!(rig.sandbox().book().posts("A-1"), 1);
}

#[test]
fn an_awb_unlike_the_couriers_others_is_recorded_only_once_it_was_looked_at_again() {
    let rig = Rig::new();
    rig.sandbox().script_order("A-1", [Script::CutAfter]);
    rig.import_text(&sheet([row("A-1"), row_with("A-2", "9812345678", "560002")])).exits(6);
    let desk = Desk::open(&rig, &[]);
    let there = format!("upon={}&verdict=there&because=seen", field(&desk.page("doubts").body, "upon"));
    let asked = desk.posts("doubts", &format!("{there}&awb=77889900"));
    let other = rig.bookings().into_iter().find(|(number, _)| number == "A-2").unwrap().1;
    let why = format!("77889900 does not look like this courier's AWBs, such as {other}.");
    assert!(asked.contains(&why) && asked.contains("Yes, record 77889900"), "{asked}");
    assert_eq!(state(&rig, "A-1"), "in_doubt");
    desk.posts("doubts", &format!("{there}&awb=77889900&sure={}", field(&asked, "sure")));
    assert_eq!(state(&rig, "A-1"), "booked");
    // An old page replaces nothing.
    let refused = desk.posts("doubts", &format!("{there}&awb={}", other.replace("SBX", "SBY")));
    assert!(refused.contains("was sent again or settled since you looked at it"), "{refused}");
}

#[test]
fn what_the_courier_said_no_to_is_told_with_its_cell() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet([row("A-1"), row_with("A-2", "9812345678", "999001")]));
    book(&desk, &id);
    wait_until("it is done", || desk.page("progress").status == 303);
    let check = desk.page(&format!("sheet/{id}/check")).body;
    for part in ["The courier said no to these as they are", "999001", "aria-label=\"A-2 PIN Code\"", "Retry as it is"]
    {
        assert!(check.contains(part), "{part}: {check}");
    }
    assert!(!check.contains("Nothing is said of these"), "{check}");
    let whole = desk.page(&format!("sheet/{id}/order?number=A-2")).body;
    assert!(whole.contains("The courier said no to this order: "), "{whole}");
}

#[test]
fn prices_that_a_row_of_totals_adds_up_are_asked_about() {
    let rig = Rig::new();
    let desk = Desk::open(&rig, &[]);
    let total = format!("{}998.00,{}\n", ",".repeat(17), 4);
    let id = desk
        .drop_sheet("orders.csv", &(sheet(["A-1", "A-2"].map(|number| row(number).replace("499.90", "499"))) + &total));
    let at = |screen: &str| format!("sheet/{id}/{screen}");
    wait_until("the sheet is read", || desk.page(&at("check")).status == 200);
    let check = desk.page(&at("check")).body;
    assert!(check.contains("is added up to 998 here, but as the price of one piece it comes to 1996"), "{check}");
    assert!(desk.page(&at("book")).body.contains("₹1,996"));
    desk.posts(&at("answer"), "revision=0&back=check&whole-row.17=yes");
    let check = desk.page(&at("check")).body;
    assert!(!check.contains("is added up to"), "{check}");
    assert!(desk.page(&at("book")).body.contains("₹998"), "each row comes to what stands there");
}

/// Says something of a sheet as its page shows it now, and gives the page that comes of it.
pub(crate) fn says(desk: &Desk, id: &str, answer: &str) -> String {
    let page = desk.page(&format!("sheet/{id}/check")).body;
    let form = format!("revision={}&back=check&{}", field(&page, "revision"), pressed(&page, answer));
    let page = desk.posts(&format!("sheet/{id}/answer"), &form);
    assert!(!page.contains("changed in another window"), "{answer}: {page}");
    page
}

/// An answer as the button of a page sends it: who lets an order go names what is said of it there.
pub(super) fn pressed(page: &str, answer: &str) -> String {
    let Some((name, number)) = answer.split_once('=').filter(|(name, _)| name.starts_with("send.")) else {
        return answer.to_owned();
    };
    let buttons = page.split(&format!("name=\"{name}")).skip(1).map(str::to_owned).collect::<Vec<String>>();
    let shown = buttons.iter().filter_map(|rest| rest.split_once("\" value=\""));
    let own = shown.filter(|(_, rest)| rest.starts_with(&format!("{number}\""))).map(|(stamp, _)| stamp).next();
    format!("{name}{}={number}", own.unwrap_or_default())
}

/// Books what is ready of a sheet, to the end.
pub(super) fn booked(desk: &Desk, id: &str) {
    book(desk, id);
    wait_until("it is done", || desk.page("progress").status == 303);
}

/// Whether Home names a sheet as open.
pub(super) fn is_open(desk: &Desk, file: &str) -> bool {
    desk.page("").body.contains(&format!("<b>{file}</b>"))
}

pub(super) fn refusal() -> Script {
    Script::Status(422, r#"{"message":["try again"]}"#.to_owned())
}

#[test]
fn undo_sends_nothing_a_second_time() {
    let rig = Rig::new();
    rig.sandbox().script_order("U-2B", [Script::CutAfter]);
    let desk = Desk::open(&rig, &[]);
    let rows = [row("U-1"), row_with("U-2", "9812345678", "560002"), row_with("U-3", "9812345679", "560003")];
    let id = desk.drop_sheet("orders.csv", &sheet(rows));
    for answer in ["hold=U-3", "cell.0.2.0=U-1B", "cell.0.3.0=U-2B"] {
        says(&desk, &id, answer);
    }
    let before = field(&desk.page(&format!("sheet/{id}/check")).body, "revision");
    booked(&desk, &id);
    assert_eq!([state(&rig, "U-1B"), state(&rig, "U-2B")], ["booked", "in_doubt"]);
    // A page of before the booking says nothing, and the one of after it takes back nothing that was booked.
    let late = desk.posts(&format!("sheet/{id}/answer"), &format!("revision={before}&back=check&undo=yes"));
    assert!(late.contains("changed in another window") && !late.contains("name=\"undo\""), "{late}");
    says(&desk, &id, "undo=yes");
    let page = desk.page(&format!("sheet/{id}/book")).body;
    assert!(page.contains("Nothing is ready to be booked."), "{page}");
    // What is said from now on is taken back as ever.
    assert!(says(&desk, &id, "release=U-3").contains("U-3 is ready."));
    assert!(says(&desk, &id, "undo=yes").contains("U-3 is on hold"));
}

#[test]
fn an_order_that_was_given_up_after_it_was_sent_goes_under_no_new_number_without_a_word() {
    let rig = Rig::new();
    rig.sandbox().script_order("X-1", [Script::CutAfter]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet([row("X-1"), row_with("X-2", "9812345678", "560002")]));
    says(&desk, &id, "hold=X-2");
    booked(&desk, &id);
    let upon = field(&desk.page("doubts").body, "upon");
    desk.posts("give-up", &format!("upon={upon}&because=no+longer+wanted"));
    says(&desk, &id, "cell.0.2.0=X-1N");
    let page = desk.page(&format!("sheet/{id}/check")).body;
    assert!(page.contains("This row stands for order X-1, given up after it was sent"), "{page}");
    // Only a word that names the earlier order sends it, and what is held stays held under whatever number.
    assert!(says(&desk, &id, "cell.0.3.0=X-2N").contains("X-2N is on hold"));
    assert!(says(&desk, &id, "send.same-order=X-1N").contains("X-1N is ready."));
    assert!(says(&desk, &id, "release=X-2N").contains("X-2N is ready."));
}

#[test]
fn a_sheet_that_keeps_orders_back_stays_open_until_they_are_given_up() {
    let rig = Rig::new();
    rig.sandbox().script_order("R-1", [refusal()]);
    let desk = Desk::open(&rig, &[]);
    let rows = [row("R-1"), row_with("R-2", "9812345678", "560002"), row_with("R-3", "9812345679", "560003")];
    let id = desk.drop_sheet("orders.csv", &sheet(rows));
    says(&desk, &id, "hold=R-3");
    booked(&desk, &id);
    says(&desk, &id, "leave=R-1");
    says(&desk, &id, "release=R-3");
    booked(&desk, &id);
    assert_eq!([state(&rig, "R-1"), state(&rig, "R-3")], ["refused", "booked"]);
    assert!(is_open(&desk, "orders.csv"));
    assert!(desk.page("again?what=failed").body.contains("There is nothing to send."));
    let page = desk.page(&format!("sheet/{id}/discard")).body;
    assert!(page.contains("1 order would be given up with it: </b>R-1."), "{page}");
    let form = ["revision", "kept"].map(|name| format!("{name}={}", field(&page, name))).join("&");
    let home = desk.posts(&format!("sheet/{id}/discard"), &form);
    assert!(home.contains("1 order was given up with it."), "{home}");
    assert!(!is_open(&desk, "orders.csv"));
    assert!(desk.page("again?what=failed").body.contains("There is nothing to send."));
    assert_eq!((state(&rig, "R-1").as_str(), rig.sandbox().book().posts("R-1")), ("abandoned", 1));
}

#[test]
fn what_went_under_another_number_is_not_retried() {
    let rig = Rig::new();
    rig.sandbox().script_order("V-1", [refusal()]);
    let desk = Desk::open(&rig, &[]);
    let text = sheet([row("V-1"), row_with("V-2", "9812345678", "560002"), row_with("V-3", "9812345679", "560003")]);
    let id = desk.drop_sheet("orders.csv", &text);
    says(&desk, &id, "hold=V-3");
    booked(&desk, &id);
    assert!(says(&desk, &id, "cell.0.2.0=V-1B").contains("V-1B is ready."));
    booked(&desk, &id);
    // While the sheet is open, no other one that has the order as it was sends it either.
    let other = desk.drop_sheet("again.csv", &format!("{text}\n"));
    assert!(desk.page(&format!("sheet/{other}/check")).body.contains("V-1"));
    assert!(desk.page("again?what=failed").body.contains("There is nothing to send."));
    says(&desk, &id, "release=V-3");
    booked(&desk, &id);
    // Then nothing is left to do with it, and the earlier number is over.
    assert!(desk.page("").body.contains("1 finished sheet"));
    assert!(desk.page("again?what=failed").body.contains("There is nothing to send."));
    assert_eq!([state(&rig, "V-1"), state(&rig, "V-1B")], ["abandoned", "booked"]);
    assert_eq!(rig.sandbox().book().posts("V-1"), 1);
}

#[test]
fn what_is_in_doubt_under_another_number_is_held_though_the_ledger_knows_this_one() {
    let rig = Rig::new();
    rig.sandbox().script_order("N-1", [refusal()]);
    rig.sandbox().script_order("N-1B", [Script::CutAfter]);
    let desk = Desk::open(&rig, &[]);
    let id = desk.drop_sheet("orders.csv", &sheet([row("N-1")]));
    booked(&desk, &id);
    says(&desk, &id, "cell.0.2.0=N-1B");
    booked(&desk, &id);
    assert_eq!([state(&rig, "N-1"), state(&rig, "N-1B")], ["refused", "in_doubt"]);
    let corrected = sheet([row("N-1")]).replace("WH-1,30", "WH-1,31");
    let other = desk.drop_sheet("corrected.csv", &corrected);
    let page = desk.page(&format!("sheet/{other}/check")).body;
    assert!(page.contains("order N-1B, in doubt"), "{page}");
    assert!(desk.page(&format!("sheet/{other}/book")).body.contains("Nothing is ready to be booked."));
    // Nor does the doubt let it go once it is settled as booked.
    let upon = field(&desk.page("doubts").body, "upon");
    desk.posts("doubts", &format!("upon={upon}&verdict=there&awb=AWB-4711&because=seen"));
    let page = desk.page(&format!("sheet/{other}/check")).body;
    assert!(page.contains("order N-1B, booked (AWB AWB-4711)"), "{page}");
    assert!(says(&desk, &other, "send.same-order=N-1").contains("N-1 is ready."));
}

/// Opens Book of a sheet and presses its button.
pub(super) fn book(desk: &Desk, id: &str) {
    wait_until("the sheet is read", || desk.page(&format!("sheet/{id}/book")).body.contains("name=\"stamp\""));
    let form = super::plain::agreed(&desk.page(&format!("sheet/{id}/book")).body);
    desk.posts(&format!("sheet/{id}/book"), &form);
}

/// Opens the page that sends again, presses its button, and waits for the end.
pub(super) fn again(desk: &Desk, what: &str) -> String {
    let page = desk.page(&format!("again?{what}")).body;
    let names = ["sums", "stamp", "twice"].into_iter().filter(|name| page.contains(&format!("name=\"{name}\"")));
    let form = names.fold(String::new(), |form, name| form + "&" + name + "=" + &field(&page, name));
    desk.posts("again", &format!("{what}{form}"));
    wait_until("it is done", || desk.page("progress").status == 303);
    page
}
