//! One order under a second number is asked about, whatever made the number another one; and really different orders are not.

use shipsheet::sandbox::Answer;

use crate::rig::{Came, Problem, Rig, row_with, sheet};

/// An order of the person with this place in a long list: phone, name and PIN code are nobody else's.
fn of(person: usize, number: &str) -> String {
    let (phone, pin) = (phone_of(person), format!("{}", 560_001 + person));
    row_with(number, &phone, &pin).replace("Asha", &named(person))
}

fn phone_of(person: usize) -> String {
    (9_812_345_601 + 37 * person).to_string()
}

/// A name of letters alone, another one for each person.
fn named(person: usize) -> String {
    let letter = |at: usize| char::from(b'a' + u8::try_from(at % 26).unwrap());
    format!("Asha{}{}", letter(person), letter(person / 26))
}

fn is_asked(problem: &Problem) -> bool {
    problem.is_error() && matches!(problem.code.as_str(), "same-shipment" | "numbers-alike")
}

/// The orders that the rule `same-order` holds.
fn asked(came: &Came) -> Vec<String> {
    came.problems.iter().filter(|own| is_asked(own)).map(|own| own.order.clone()).collect()
}

/// Imports the first of each pair, changes the ledger, and imports the second ones: each is asked about, and none is booked.
fn are_asked(pairs: &[(&str, &str)], change: &str) {
    let rig = Rig::new();
    let sheet_of = |of_pair: fn(&(&str, &str)) -> String| {
        sheet(pairs.iter().zip(0..).map(|(pair, person)| of(person, &of_pair(pair))))
    };
    rig.file("monday.csv", &sheet_of(|pair| pair.0.to_owned()));
    rig.import(&["monday.csv"]).books(0, pairs.len());
    rig.database().execute_batch(change).unwrap();
    rig.file("tuesday.csv", &sheet_of(|pair| pair.1.to_owned()));
    let came = rig.import(&["tuesday.csv"]);
    let seconds: Vec<&str> = pairs.iter().map(|pair| pair.1).collect();
    assert_eq!(asked(&came), seconds, "{came:?}");
    came.books(3, pairs.len());
}

#[test]
fn a_booked_number_is_asked_about_in_whatever_script_it_comes() {
    are_asked(
        &[
            ("caf\u{e9}-1", "cafe\u{301}-1"),
            ("Gro\u{df}-7", "GROSS-7"),
            ("\u{ff2b}\u{ff0d}\u{ff11}\u{ff11}", "K-11"),
            ("T\u{b9}\u{b2}", "T12"),
            ("Q\u{2460}", "Q1"),
            ("M-\u{96f}\u{968}", "M-92"),
            ("Y-6", "Y-6\u{3164}"),
        ],
        "",
    );
}

#[test]
fn a_booked_number_that_a_spreadsheet_changed_is_asked_about_ever_after() {
    are_asked(
        &[
            ("1E5", "100000"),
            ("329585123456789012", "329585123456789000"),
            ("50%", "0.5"),
            ("ORD-1.0", "ORD-1"),
            ("7.10", "7.1"),
        ],
        "DROP TRIGGER requests_frozen; UPDATE requests SET staged_ms = staged_ms - 40000000000",
    );
}

#[test]
fn a_booked_number_with_something_put_to_it_is_asked_about_ever_after() {
    are_asked(
        &[("K-1", "K-1-R"), ("B-1", "SO-B-1"), ("C-1", "SO-C-1-R"), ("SHOP-1001", "1001")],
        "DROP TRIGGER requests_frozen; UPDATE requests SET staged_ms = staged_ms + 40000000000",
    );
}

/// With another cell corrected as well, a number that a spreadsheet changed is the same order as long as the person is.
#[test]
fn a_changed_number_is_asked_about_beside_another_correction() {
    let rig = Rig::new();
    rig.file("monday.csv", &sheet([of(1, "1E5"), of(2, "2E5"), of(3, "3E5")]));
    rig.import(&["monday.csv"]).books(0, 3);
    let tuesday = [
        of(1, "100000").replace("Kurta,K-1", "Mug,M-1"),
        of(2, "200000").replace(&phone_of(2), "9811111111"),
        of(30, "300000"),
    ];
    rig.file("tuesday.csv", &sheet(tuesday));
    let came = rig.import(&["tuesday.csv"]);
    assert_eq!(asked(&came), ["100000", "200000"], "somebody else's is another order");
}

#[test]
fn what_failed_or_waits_is_asked_about_under_any_number() {
    let rig = Rig::new();
    rig.file("shipsheet.toml", "[booking]\nmax_wait_seconds = 1\n");
    let no = Answer::Status(422, r#"{"message":["no"]}"#.to_owned());
    rig.sandbox().script_order("A-1", [no]);
    rig.sandbox().script_order("A-2", [Answer::TooMany(3_600)]);
    rig.file("monday.csv", &sheet([of(3, "A-3"), of(1, "A-1"), of(2, "A-2")]));
    rig.run(&["import", "monday.csv", "--yes", "--concurrency", "1"]).exits(5);
    assert_eq!(rig.bookings().len(), 1);
    rig.file("tuesday.csv", &sheet([of(1, "NEW-7"), of(2, "A-2-R"), of(3, "NEW-8")]));
    let came = rig.import(&["tuesday.csv"]);
    assert_eq!(asked(&came), ["NEW-7", "A-2-R"], "{came:?}");
    // A booked one alone is none: customers order again.
    came.books(4, 2);
    // Two parcels are two for good, whichever comes again, and however it is corrected.
    for order in ["NEW-7", "A-2-R"] {
        rig.run(&["accept", "same-order", "--order", order, "--because", "ordered twice"]).exits(0);
    }
    rig.import(&["tuesday.csv"]).books(0, 4);
    let corrected = ["A-1", "A-2"].into_iter().zip(1..).map(|(number, person)| of(person, number));
    rig.file("monday.csv", &sheet(corrected.map(|row| row.replace("14 MG Road", "15 MG Road"))));
    rig.import(&["monday.csv"]).books(0, 6);
}

#[test]
fn against_a_doubt_the_person_is_enough() {
    let rig = Rig::new();
    for person in 1..=5 {
        rig.sandbox().script_order(&format!("D-{person}"), [Answer::CutAfter]);
    }
    rig.file("monday.csv", &sheet((1..=5).map(|person| of(person, &format!("D-{person}")))));
    rig.run(&["import", "monday.csv", "--yes"]).exits(6);
    let booked = rig.bookings().len();
    let tuesday = [
        of(1, "N-1").replace(&phone_of(1), "9811111111"),
        of(2, "N-2").replace("14 MG Road", "9 Park Street").replace("560003", "560099"),
        of(3, "N-3").replace(&named(3), "Vikram"),
        of(4, "N-4").replace("Kurta,K-1", "Mug,M-1"),
        // Of somebody else, by the same phone.
        of(5, "N-5").replace(&named(5), "Vikram").replace("560006", "560099"),
    ];
    rig.file("tuesday.csv", &sheet(tuesday));
    let came = rig.import(&["tuesday.csv"]);
    assert_eq!(asked(&came), ["N-1", "N-2", "N-3", "N-4"], "{came:?}");
    came.books(4, booked + 1);
    // A sheet that has both makes no two of them, as long as one is in doubt.
    rig.file("both.csv", &sheet([of(1, "D-1"), of(1, "N-1"), of(30, "N-30")]));
    assert_eq!(asked(&rig.import(&["both.csv"])), ["N-1"]);
    rig.file("both.csv", &sheet([of(1, "N-1"), of(1, "D-1"), of(31, "N-31")]));
    assert_eq!(asked(&rig.import(&["both.csv"])), ["N-1"], "in whatever order they come");
}

/// A profile that says otherwise what the number is, over a sheet that was saved again.
#[test]
fn a_number_made_by_another_profile_is_asked_about() {
    let rig = Rig::new();
    let with = |text: String| text.replacen('\n', ",Shop\n", 1);
    let rows = |numbers: [&str; 2]| {
        with(sheet(numbers.iter().zip(1..).map(|(number, person)| format!("{},S", of(person, number)))))
    };
    rig.file("prefix.toml", "prefix = \"SHOP-\"\n");
    rig.file("joined.toml", "[columns]\norderNumber = { join = [\"Shop\", \"Order Number\"], with = \"-\" }\n");
    rig.file("monday.csv", &rows(["2001", "2002"]));
    rig.import(&["monday.csv", "--profile", "prefix.toml"]).books(0, 2);
    rig.file("tuesday.csv", &rows(["2001", "2002"]).replace("499.90", "499.9").replace("Receiver Phone", "Phone"));
    assert_eq!(asked(&rig.import(&["tuesday.csv"])), ["2001", "2002"]);
    let other = Rig::new();
    for file in ["prefix.toml", "joined.toml", "monday.csv", "tuesday.csv"] {
        other.file(file, &std::fs::read_to_string(rig.path(file)).unwrap());
    }
    other.import(&["monday.csv"]).books(0, 2);
    assert_eq!(asked(&other.import(&["tuesday.csv", "--profile", "joined.toml"])), ["S-2001", "S-2002"]);
}

/// Pairs of orders that are two, as shops have them, each with what it is.
fn different() -> Vec<(&'static str, String, String)> {
    let mut pairs: Vec<(&'static str, String, String)> = Vec::new();
    let mut person = 0..;
    let mut next = || person.next().unwrap();
    for digits in 3..=18_u32 {
        let first = 10_u64.pow(digits - 1) + 37;
        for more in [1, 2, 10] {
            let (one, other) = (next(), next());
            let base = first * 2 + 20 * more;
            let (number, neighbour) = (base.to_string(), (base + more).to_string());
            pairs.push(("neighbouring numbers", of(one, &number), of(other, &neighbour)));
            let (number, neighbour) = (format!("SO-{}", 2 * base), format!("SO-{}", 2 * base + more));
            // One customer's as well, once the first is booked.
            pairs.push(("a standing order", of(one, &number), of(one, &neighbour)));
        }
    }
    for n in 0..25 {
        let own = next();
        let mug = |row: String| row.replace("Kurta,K-1", "Mug,M-1");
        pairs.push(("two orders a day", of(own, &format!("DAY-{n}-A")), mug(of(own, &format!("DAY-{n}-B")))));
        let own = next();
        pairs.push((
            "a family",
            of(own, &format!("FAM{n:03}1")),
            of(own, &format!("FAM{n:03}2")).replace(&named(own), "Meera"),
        ));
        let own = next();
        let office = |row: String| row.replace(&phone_of(own), "8041234567").replace("14 MG Road", "Tower B");
        pairs.push((
            "an office",
            office(of(own, &format!("OFF-{n}-1"))),
            office(of(own, &format!("OFF-{n}-2")).replace(&named(own), "Vikram")),
        ));
        let own = next();
        let gift = of(own, &format!("G{n}X2"))
            .replace(&named(own), "Vikram")
            .replace(&(560_001 + own).to_string(), "110001")
            .replace("Bengaluru,Karnataka", "New Delhi,Delhi");
        pairs.push(("a gift", of(own, &format!("G{n}X1")), gift));
        let (one, other) = (next(), next());
        let masked = |row: String, who: usize| row.replace(&phone_of(who), "8040123456");
        pairs.push((
            "a marketplace's phone",
            masked(of(one, &format!("40{n}-111")), one),
            masked(of(other, &format!("40{n}-222")), other),
        ));
        let own = next();
        pairs.push((
            "a standing order",
            of(own, &format!("2026-W{n:02}-A")),
            of(own, &format!("2026-W{:02}-A", n + 30)),
        ));
        let own = next();
        pairs.push(("a replacement", of(own, &format!("RET-{n}")), of(own, &format!("RPL-{}", n + 500))));
        let (one, other) = (next(), next());
        pairs.push(("two shops", of(one, &format!("AA-{}", 7_000 + n)), of(other, &format!("BB-{}", 7_000 + n))));
    }
    assert!(person.start < 1_000);
    pairs
}

#[test]
fn different_orders_go_without_a_question() {
    let pairs = different();
    assert!(pairs.len() >= 290, "{}", pairs.len());
    let rig = Rig::new();
    rig.file("monday.csv", &sheet(pairs.iter().map(|(_, first, _)| first.clone())));
    rig.import(&["monday.csv"]).books(0, pairs.len());
    rig.file("tuesday.csv", &sheet(pairs.iter().map(|(_, _, second)| second.clone())));
    let came = rig.import(&["tuesday.csv"]);
    assert_eq!(asked(&came), [""; 0], "{came:?}");
    came.books(0, 2 * pairs.len());
}
