//! A clerk's day: twenty orders under a shop's own headers, with eight different troubles, until all of them are booked.

use std::fmt::Write as _;

use crate::rig::Rig;
#[cfg(unix)]
use crate::terminal::Terminal;

/// What everybody configures once.
const CONFIGURATION: &str = "[defaults]\n\"warehouseId\" = \"WH-1\"\n\"destination.countryCode\" = \"IN\"\n\
    \"parcelAttributes.dimension.length\" = \"20\"\n\"parcelAttributes.dimension.width\" = \"15\"\n\
    \"parcelAttributes.dimension.height\" = \"10\"\n";

/// Six of these headers are no name of a field: the first trouble.
const HEADER: &str =
    "Bill No,Customer,Cell No,Full Address,Town,Province,Pin,Part,Boxes,Rate (Rs.),Mode,Remark,Weight (gm)\n";

const PLACES: [(&str, &str, &str); 4] = [
    ("Pune", "Maharashtra", "411001"),
    ("Jaipur", "Rajasthan", "302001"),
    ("Kochi", "Kerala", "682001"),
    ("Lucknow", "Uttar Pradesh", "226001"),
];

/// The sheet as it comes, or as it is once the clerk has corrected what only the sheet can say.
fn orders(is_corrected: bool) -> String {
    let mut sheet = HEADER.to_owned();
    for order in 0..20_usize {
        let (town, province, pin) = PLACES[order % 4];
        let (phone, lost, short) = (format!("98{order:02}5432{}", order + 10), "9876500000", "98765");
        let number = order + 101;
        let (mut phone, mut pin, mut province) = (phone.as_str(), pin, province);
        match (number, is_corrected) {
            (106, false) => phone = lost,
            (110, false) => phone = short,
            (114, false) => pin = "110001",
            (108, _) => province = "",
            _ => {}
        }
        let remark = match number {
            103 => "CXL by customer",
            105 => "mat bhejna abhi",
            112 => "call before delivery",
            _ => "",
        };
        let (name, part) = (["Asha Rao", "Ravi Iyer", "Meera Khan"][order % 3], ["Cup", "Lamp", "Scarf"][order % 3]);
        let (mode, boxes, rate, grams) = (["Prepaid", "COD"][order % 2], order % 3 + 1, 199 + order, 400 + 10 * order);
        let to = format!("{phone},{number} MG Road,{town},{province},{pin}");
        let row = format!("B-{number},{name},{to},{part},{boxes},{rate},{mode},{remark},{grams}");
        let pasted = if number == 116 && !is_corrected { 2 } else { 1 };
        (0..pasted).for_each(|_| writeln!(sheet, "{row}").unwrap());
    }
    sheet
}

fn rig() -> Rig {
    let rig = Rig::new();
    rig.file("shipsheet.toml", CONFIGURATION);
    rig.file("orders.csv", &orders(false));
    rig
}

#[test]
fn with_nobody_asked_two_commands_and_a_corrected_sheet_book_all_twenty() {
    let rig = rig();
    let first = rig.run(&["import", "orders.csv", "--yes"]);
    first.exits(4).prints("14 of 20 orders booked").says("told by header and cells together");
    for (trouble, way_out) in [
        ("\"CXL by customer\": is this order still to be shipped?", "--accept cancelled-note"),
        ("found \"mat bhejna abhi\"", "--accept cancelled-note"),
        ("ends in zeros, as a number does that a spreadsheet has shortened", "--accept value-damaged:B-106"),
        ("has 5 digits; it should be ten digits", "--accept phone-form:B-110"),
        ("the PIN code 110001 is in Delhi, and the state is Rajasthan", "--accept pin-differs:B-114"),
        ("was it pasted twice?", "--accept same-line:B-116"),
        ("the State is blank; Uttar Pradesh is sent", "type the State, if it is another one"),
    ] {
        first.says(trouble).says(way_out);
    }
    rig.file("orders.csv", &orders(true));
    let confirmed = ["--accept", "cancelled-note", "--because", "both customers called again", "--yes"];
    rig.run(&[&["import", "orders.csv"][..], &confirmed].concat()).exits(0).prints("6 booked + 14 already booked");
    assert_eq!(rig.bookings().len(), 20);
}

#[cfg(unix)]
#[test]
fn at_a_terminal_two_commands_and_a_corrected_sheet_book_all_twenty() {
    let rig = rig();
    let mut terminal = Terminal::start(rig.command(&["import", "orders.csv"]));
    terminal.answer("2 orders are held by `cancelled-note`", "B-105\n");
    for rule in ["value-damaged", "phone-form", "pin-differs", "same-line"] {
        terminal.answer(&format!("1 order is held by `{rule}`"), "l\n");
    }
    terminal.answer("Book 15 orders for real?", "y\n");
    assert_eq!(terminal.end().0, Some(4));
    rig.file("orders.csv", &orders(true));
    let mut terminal = Terminal::start(rig.command(&["import", "orders.csv"]));
    terminal.answer("1 order is held by `cancelled-note`", "s\n");
    terminal.answer("Book 5 orders for real?", "y\n");
    let (code, screen) = terminal.end();
    assert_eq!((code, rig.bookings().len()), (Some(0), 20), "{screen}");
}
