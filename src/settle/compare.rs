//! Compares the ledger with a statement. Pure.

use crate::ledger::{KnownOrder, State};
use crate::text::{bare_awb, list, spellings};

use super::absence::absent;
use super::books::{Books, books};
use super::comparison::{Agreed, Comparison, Difference, ListRemedy, Proven};
use super::group::{Group, Groups};
use super::odd_awb::AWB_USUAL_MIN;
use super::span::{Span, is_before};
use super::statement::Entry;
use super::word::is_shortened;

/// Compares. `ours` is every order of the service; what is out of scope is only looked at where the statement speaks of
/// a booking that the ledger does not know, or of two. `span` is the time of which the statement has every booking, where that
/// is known: no order that was sent at another time is called absent.
pub(crate) fn compare(ours: &[KnownOrder], statement: &[Entry], span: Option<Span>) -> Comparison {
    let groups = Groups::of(ours, statement);
    let books = books(ours, &groups);
    let mut comparison = Comparison::default();
    for (number, group) in &groups.by_number {
        match books.by_number.get(number) {
            Some(known) => known_order(known, group, &books, &mut comparison),
            None => unknown_order(number, group, &books, &mut comparison),
        }
    }
    for (number, group) in &groups.written {
        if group.is_live() && !books.by_number.get(number).is_some_and(|known| is_sent(known.state)) {
            comparison.there.insert((*number).to_owned(), group.says());
        }
    }
    for entry in &groups.nameless {
        let mut group = Group::default();
        group.add(entry);
        let note = "a booking without an order number, with an AWB that the ledger does not know";
        comparison.only_theirs.push(group.difference(None, None, note));
    }
    absent(ours, &groups, &books, span, &mut comparison);
    comparison
}

/// Whether an order was sent, so that nothing sends it again before somebody says that it is not booked.
const fn is_sent(state: State) -> bool {
    matches!(state, State::Booked | State::InDoubt | State::Sending)
}

/// An order that both sides name.
fn known_order(ours: &KnownOrder, group: &Group<'_>, books: &Books<'_>, comparison: &mut Comparison) {
    let number = Some(ours.number.as_str());
    let mut awbs: Vec<&str> = ours.awb.as_deref().into_iter().chain(group.awbs.iter().copied()).collect();
    awbs.sort_by_cached_key(|awb| bare_awb(awb));
    awbs.dedup_by_key(|awb| bare_awb(awb));
    if awbs.len() > 1 {
        let mut note =
            format!("one order with the AWBs {}: booked twice, or one of them was typed wrong", list(&awbs, "and"));
        note.push_str(
            "; look at both in the courier's portal before you cancel one; a wrong one is corrected at the order",
        );
        comparison
            .twice
            .push(Difference { remedy: remedy(ours, group, books), ..group.difference(number, Some(ours), note) });
        return;
    }
    match ours.state {
        State::Booked | State::InDoubt if !ours.in_scope => {}
        State::Booked => booked(ours, group, comparison),
        State::InDoubt => match doubtful(ours, group, books) {
            Ok(proven) => comparison.proven.push(proven),
            Err(note) => comparison.only_ours.push(group.difference(number, Some(ours), note)),
        },
        State::Sending => {
            let note = "it is being sent at this moment: compare again when the run is done";
            comparison.only_ours.push(group.difference(number, Some(ours), note));
        }
        _ => {
            let is_abandoned = ours.state == State::Abandoned;
            if !group.is_live() || (group.awbs.is_empty() && is_abandoned) {
                return;
            }
            let note = match ours.state {
                _ if group.awbs.is_empty() => without_awb(group),
                State::Abandoned => {
                    "given up here, and yet booked there: ship it, or cancel it in the courier's portal".to_owned()
                }
                State::Rejected | State::Refused => {
                    "not booked by what the service answered us, and yet booked there: do not send it again".to_owned()
                }
                _ => "not sent yet by this ledger, and yet booked there: do not send it".to_owned(),
            };
            comparison
                .only_theirs
                .push(Difference { remedy: remedy(ours, group, books), ..group.difference(number, Some(ours), note) });
        }
    }
}

/// What can be done about an order that the statement has and that is not booked here.
fn remedy(ours: &KnownOrder, group: &Group<'_>, books: &Books<'_>) -> Option<ListRemedy> {
    let may_be_sent = match ours.state {
        State::Booked | State::InDoubt | State::Sending => return None,
        State::Abandoned => false,
        // Without an AWB that can be read nobody knows yet that it is booked there.
        _ => !group.awbs.is_empty(),
    };
    let record = doubtful(ours, group, books).ok().filter(|_| ours.sent_ms.is_some());
    record.map(ListRemedy::Record).or_else(|| may_be_sent.then_some(ListRemedy::GiveUp))
}

/// Booked here; the statement has the same AWB or none that can be read.
fn booked(ours: &KnownOrder, group: &Group<'_>, comparison: &mut Comparison) {
    let awb = ours.awb.clone().unwrap_or_default();
    let is_ours = |other: &&str| bare_awb(other) == bare_awb(&awb);
    let cancelled = group.awbs.is_empty() && group.cancelled.iter().any(is_ours);
    if cancelled || group.awbs.iter().any(is_ours) {
        comparison.agree.push(Agreed { order: ours.number.clone(), awb, cancelled });
        return;
    }
    let note = match (group.unbelievable, group.cancelled.as_slice()) {
        (Some(text), _) => unreadable(text),
        (None, [other, ..]) => format!("the statement has it cancelled with AWB {other}, and not with ours"),
        (None, []) => "the statement has the order, but no AWB for it".to_owned(),
    };
    comparison.only_ours.push(group.difference(Some(&ours.number), Some(ours), note));
}

/// Not booked here: proven by one AWB that nothing else has, or the reason why it is not.
fn doubtful(ours: &KnownOrder, group: &Group<'_>, books: &Books<'_>) -> Result<Proven, String> {
    if let Some(text) = group.unbelievable {
        return Err(unreadable(text));
    }
    if !group.cancelled.is_empty() {
        return Err(format!(
            "the statement has it cancelled (AWB {}): find out whether it still has to be shipped, then settle it by hand",
            list(&group.cancelled, "and")
        ));
    }
    let Some(awb) = group.only_awb() else {
        return Err("the statement has the order, but not an AWB in every row of it".to_owned());
    };
    if ours.sent_ms.is_some_and(|sent_ms| group.live().any(|entry| is_before(entry.booked_ms, sent_ms))) {
        return Err(format!(
            "its AWB {awb} in the statement was booked before it was sent: is it of an earlier order?"
        ));
    }
    if bare_awb(awb) == bare_awb(&ours.number) {
        return Err(format!(
            "its AWB {awb} in the statement is its own number: see in the courier's portal what its AWB is"
        ));
    }
    if awb.len() < AWB_USUAL_MIN && !books.has_short {
        return Err(format!(
            "its AWB {awb} in the statement is short: see in the courier's portal whether it is whole"
        ));
    }
    if let Some(other) = books.by_awb.get(&bare_awb(awb)) {
        return Err(format!("its AWB {awb} in the statement belongs to our order {}: ask the courier", other.number));
    }
    if books.shared.contains(&bare_awb(awb)) {
        return Err(format!("the statement gives its AWB {awb} to another order as well: ask the courier"));
    }
    Ok(Proven { order: ours.number.clone(), awb: awb.to_owned(), row: group.first_row() })
}

/// An order that only the statement names.
fn unknown_order(number: &str, group: &Group<'_>, books: &Books<'_>, comparison: &mut Comparison) {
    let awbs = &group.awbs;
    if awbs.len() > 1 {
        let note = format!("one order with the AWBs {}, and the ledger does not know it", list(awbs, "and"));
        comparison.twice.push(group.difference(Some(number), None, note));
        return;
    }
    if !group.is_live() || (awbs.is_empty() && group.unbelievable.is_none()) {
        return;
    }
    let spelt = spellings(number).find_map(|own| books.by_spelling.get(&own).copied().flatten());
    let note = match (spelt, group.unbelievable) {
        (Some(spelt), _) => format!("the ledger spells it {}: compare the two by hand", spelt.number),
        (None, Some(text)) => format!("the ledger does not know it; {}", unreadable(text)),
        (None, None) => "a booking that the ledger does not know".to_owned(),
    };
    comparison.only_theirs.push(group.difference(Some(number), None, note));
}

/// What is said of an order that could be sent from here, and that the statement has without an AWB that can be read.
fn without_awb(group: &Group<'_>) -> String {
    let what =
        group.unbelievable.map_or_else(|| "the statement has the order, but no AWB for it".to_owned(), unreadable);
    format!("{what}; look it up in the courier's portal before it is sent from here")
}

fn unreadable(text: &str) -> String {
    if !is_shortened(text) {
        return format!("the statement's AWB \"{text}\" cannot be read as one AWB: look it up in the courier's portal");
    }
    format!("the statement's AWB \"{text}\" has lost its digits: export it again with that column as text")
}

#[cfg(test)]
mod tests {
    use super::super::statement::Waybill;
    use super::*;
    use crate::text::moment;

    fn ours(number: &str, state: State, awb: Option<&str>) -> KnownOrder {
        KnownOrder { number: number.into(), state, awb: awb.map(Into::into), sent_ms: Some(1), in_scope: true }
    }

    fn theirs(rows: &[(&str, &str)]) -> Vec<Entry> {
        let entry = |(row, (order, awb)): (u32, &(&str, &str))| {
            let (awb, status) = awb.split_once(' ').unwrap_or((awb, ""));
            let awb = match awb {
                "" => Waybill::Blank,
                lost if lost.contains('+') => Waybill::Unbelievable(lost.to_owned()),
                awb => Waybill::Is(awb.to_owned()),
            };
            Entry {
                order: (*order).to_owned(),
                awb,
                status: status.to_owned(),
                booked_ms: [None; 2],
                freight: None,
                carrier: String::new(),
                row,
            }
        };
        (2..).zip(rows).map(entry).collect()
    }

    /// The lists in short: `=` agree, `!` proven, `-` only ours, `+` only theirs, `2` twice.
    fn shape(comparison: &Comparison) -> Vec<String> {
        let mut shape: Vec<String> = comparison.agree.iter().map(|agreed| format!("={}", agreed.order)).collect();
        shape.extend(comparison.proven.iter().map(|proven| format!("!{} {}", proven.order, proven.awb)));
        let lists = [("-", &comparison.only_ours), ("+", &comparison.only_theirs), ("2", &comparison.twice)];
        for (sign, list) in lists {
            shape.extend(list.iter().map(|item| format!("{sign}{}", item.order.as_deref().unwrap_or("?"))));
        }
        shape
    }

    #[track_caller]
    fn check(ours: &[KnownOrder], rows: &[(&str, &str)], expected: &[&str]) {
        assert_eq!(shape(&compare(ours, &theirs(rows), None)), expected);
    }

    #[test]
    fn booked_orders() {
        let booked = [ours("A", State::Booked, Some("W1"))];
        check(&booked, &[("A", "W1")], &["=A"]);
        check(&booked, &[("A", "W1"), ("A", "W1")], &["=A"]);
        check(&booked, &[("A", "W1"), ("A", "")], &["=A"]);
        check(&booked, &[("", "W1")], &["=A"]);
        check(&booked, &[("A", "W1 Cancelled")], &["=A"]);
        check(&booked, &[("A", "W2")], &["2A"]);
        check(&booked, &[("A", "W1"), ("A", "W2")], &["2A"]);
        check(&booked, &[("A", "W1"), ("A", "W2 CANCELED")], &["=A"]);
        check(&[ours("A", State::Booked, Some("7700-02"))], &[("A", "770002"), ("A", "7700/02")], &["=A"]);
        check(&[ours("A", State::Booked, Some("wb-1"))], &[("", "WB1")], &["=A"]);
        check(&booked, &[("A", "")], &["-A"]);
        check(&booked, &[("A", "1.2E+11")], &["-A"]);
        check(&booked, &[], &["-A"]);
    }

    #[test]
    fn a_doubt_is_settled_by_one_awb_that_nothing_else_has() {
        let doubt = [ours("A", State::InDoubt, None), ours("B", State::Booked, Some("W9"))];
        check(&doubt, &[("A", "W1"), ("B", "W9")], &["=B", "!A W1"]);
        check(&doubt, &[("A", "W1"), ("A", "W1"), ("B", "W9")], &["=B", "!A W1"]);
        for rows in [
            [("A", "W9"), ("B", "W9")],
            [("A", "W-9"), ("B", "W9")],
            [("A", ""), ("B", "W9")],
            [("A", "W1 cancelled"), ("B", "W9")],
            [("A", "1.2E+11"), ("B", "W9")],
        ] {
            check(&doubt, &rows, &["=B", "-A"]);
        }
        check(&doubt, &[("A", "W1"), ("A", ""), ("B", "W9")], &["=B", "-A"]);
        let own = [ours("OD-10012345", State::InDoubt, None)];
        check(&own, &[("OD-10012345", "OD10012345")], &["-OD-10012345"]);
        check(&doubt, &[("A", "W1"), ("C", "W1"), ("B", "W9")], &["=B", "-A", "+C"]);
        check(&doubt, &[("A", "W1"), ("A", "W2"), ("B", "W9")], &["=B", "2A"]);
        check(&doubt, &[("B", "W9")], &["=B", "-A"]);
        check(&doubt, &[("a", "W1"), ("B", "W9")], &["=B", "-A", "+a"]);
    }

    #[test]
    fn what_is_absent_was_sent_at_a_time_of_which_the_statement_has_everything() {
        let day = 24 * 3_600_000;
        let sent = |number: &str, state, at_ms| KnownOrder {
            sent_ms: Some(at_ms),
            ..ours(number, state, (state == State::Booked).then_some("W9"))
        };
        let span = Some(Span { from_ms: day, until_ms: 2 * day });
        let known = [
            ours("B", State::Booked, Some("W1")),
            sent("D", State::InDoubt, day + 1),
            sent("E", State::InDoubt, day - 1),
            sent("F", State::Booked, 3 * day),
        ];
        let absent = |rows: &[(&str, &str)], span| {
            let comparison = compare(&known, &theirs(rows), span);
            (comparison.absent.clone(), comparison.outside, shape(&comparison))
        };
        let d = vec!["D".to_owned()];
        let (list, outside, shape) = absent(&[("B", "W1")], span);
        assert_eq!((&list, outside), (&d, 1));
        assert_eq!(shape, ["=B", "-D", "-E"], "all that is in doubt is told, and nothing else that lies outside");
        let whole: Vec<KnownOrder> = known.iter().cloned().chain([sent("G", State::Booked, day + 2)]).collect();
        let of_part = compare(&whole, &theirs(&[("B", "W1")]), span);
        assert!(of_part.absent.is_empty(), "a statement that lacks a booking of that time shows nothing: {of_part:?}");
        assert_eq!(compare(&whole, &theirs(&[("B", "W1"), ("G", "W9")]), span).absent, d);
        assert_eq!(absent(&[("B", "W1")], None).0, Vec::<String>::new(), "without dates nothing is absent");
        assert_eq!(
            absent(&[("B", "W1"), ("", "W7")], span).0,
            Vec::<String>::new(),
            "a booking without a number may be it"
        );
        assert_eq!(absent(&[("B", "W1"), ("d", "W7")], span).0, Vec::<String>::new(), "so may one that is spelled so");
        assert_eq!(absent(&[("Z", "W7")], span).0, Vec::<String>::new(), "a statement of somebody else");
    }

    #[test]
    fn a_booking_of_long_before_settles_nothing() {
        let day = 24 * 3_600_000;
        let doubt = [KnownOrder { sent_ms: Some(50 * day), ..ours("A", State::InDoubt, None) }];
        let proven = |booked_ms| {
            let mut rows = theirs(&[("A", "AWB-0001")]);
            rows[0].booked_ms = booked_ms;
            compare(&doubt, &rows, None).proven.len()
        };
        assert_eq!(proven([Some(10 * day), Some(40 * day)]), 0);
        assert_eq!((proven([Some(10 * day), Some(50 * day)]), proven([None; 2])), (1, 1), "by one way to read it");
    }

    #[test]
    fn an_awb_that_may_be_cut_short_settles_nothing_unless_the_courier_has_such() {
        let doubt = || ours("A", State::InDoubt, None);
        let with = |others: &[KnownOrder]| {
            let orders: Vec<KnownOrder> = others.iter().cloned().chain([doubt()]).collect();
            let compared = compare(&orders, &theirs(&[("A", "77001"), ("B", "77002")]), None);
            (compared.proven.len(), compared.only_ours.iter().any(|own| own.note.contains("is short")))
        };
        assert_eq!(with(&[ours("B", State::Booked, Some("7700000002"))]), (0, true));
        assert_eq!(with(&[ours("B", State::Booked, Some("77002"))]), (1, false));
    }

    #[test]
    fn what_may_be_a_booking_that_nobody_knows_is_not_absent() {
        let known = [
            ours("B", State::Booked, Some("W1")),
            KnownOrder { sent_ms: Some(50 * HOUR), ..ours("D", State::InDoubt, None) },
        ];
        let absent = |stranger: &str, booked_ms| {
            let mut rows = theirs(&[("B", "W1"), (stranger, "W7")]);
            rows[1].booked_ms = booked_ms;
            compare(&known, &rows, Some(WEEK)).absent
        };
        for at in [[None; 2], [Some(50 * HOUR + 61), None], [None, Some(30 * HOUR)]] {
            assert!(absent("2.02411E+11", at).is_empty(), "{at:?}");
        }
        assert_eq!(absent("2.02411E+11", [Some(20 * HOUR + 61), Some(80 * HOUR)]), ["D"]);
    }

    /// What is said of an order in doubt, D, and whether it is absent; B is booked with W1.
    fn told(rows: &[Entry], sent_ms: i64, span: Span) -> (String, bool) {
        let known = [
            KnownOrder { sent_ms: Some(50 * HOUR), ..ours("B-1", State::Booked, Some("W1")) },
            KnownOrder { sent_ms: Some(sent_ms), ..ours("D-1", State::InDoubt, None) },
        ];
        let comparison = compare(&known, rows, Some(span));
        let own = comparison.only_ours.iter().find(|own| own.order.as_deref() == Some("D-1")).unwrap();
        (own.note.clone(), comparison.absent == ["D-1"])
    }

    const HOUR: i64 = 3_600_000;
    const WEEK: Span = Span { from_ms: 0, until_ms: 100 * HOUR };

    #[test]
    fn what_stands_in_the_way_of_an_absence_is_named() {
        let check = |(number, awb): (&str, &str), booked_ms: Option<i64>, expected: &[&str]| {
            let mut rows = theirs(&[("B-1", "W1"), (number, awb)]);
            rows[1].booked_ms = [booked_ms, None];
            let (note, is_absent) = told(&rows, 50 * HOUR, WEEK);
            assert_eq!(is_absent, expected.is_empty(), "{note}");
            assert!(expected.iter().all(|part| note.contains(part)), "{note}");
        };
        let at = |ms: i64| format!("booked {}", moment(ms));
        let near = 50 * HOUR + 60_001;
        check(("Z-9", "W7"), Some(near), &["row 3 (number Z-9, AWB W7, ", &at(near), "may be this order: look"]);
        check(("Z-9", "W7"), None, &["row 3 (number Z-9, AWB W7)", "whose it is"]);
        check(("Z-9", "W7"), Some(60 * HOUR + 1), &[]);
        check(("Z-9", ""), Some(near), &["row 3 (number Z-9, booked ", "may be this order: look"]);
        check(("Z-9", ""), Some(60 * HOUR + 1), &[]);
        check(("Z-9", "W7 cancelled"), Some(near), &[]);
        check(("", "W7"), Some(60 * HOUR + 1), &["row 3 (AWB W7, booked "]);
        check(("d1", "W7"), Some(60 * HOUR + 1), &["row 3 (number d1, AWB W7, ", "spelled in another way"]);
        check(("d1", "W7 cancelled"), Some(60 * HOUR + 1), &["row 3 (number d1"]);
        let known: Vec<KnownOrder> = ["D-1", "D-2", "D-3"]
            .map(|number| KnownOrder { sent_ms: Some(50 * HOUR), ..ours(number, State::InDoubt, None) })
            .into_iter()
            .chain([ours("B-1", State::Booked, Some("W1")), ours("C-1", State::Booked, Some("W2"))])
            .collect();
        let stranger = compare(&known, &theirs(&[("B-1", "W1"), ("C-1", "W2"), ("Z-9", "W7")]), Some(WEEK));
        assert!(
            stranger.absent.is_empty() && stranger.only_ours.iter().all(|own| own.note.contains("2 others in doubt"))
        );
        let lacking = KnownOrder { sent_ms: Some(40 * HOUR), ..ours("C-1", State::Booked, Some("W2")) };
        let lacking = compare(&[known[0].clone(), known[3].clone(), lacking], &theirs(&[("B-1", "W1")]), Some(WEEK));
        let note = lacking.only_ours.into_iter().map(|own| own.note).find(|note| note.contains("in doubt")).unwrap();
        assert!(lacking.absent.is_empty() && note.contains("it lacks C-1 of that time"), "{note}");
    }

    #[test]
    fn an_order_outside_of_a_statement_is_told_with_the_time_from_which_it_would_be_in() {
        let rows = theirs(&[("B-1", "W1")]);
        let note = |sent_ms| {
            let (note, is_absent) = told(&rows, sent_ms, WEEK);
            assert!(!is_absent, "{note}");
            note
        };
        for sent_ms in [100 * HOUR - HOUR / 60, 100 * HOUR + HOUR] {
            let (sent, end, from) = (moment(sent_ms), moment(100 * HOUR), moment(sent_ms + HOUR / 4));
            let expected =
                format!("sent on {sent}, and the statement ends on {end}: export one that has bookings after {from}");
            assert!(note(sent_ms).contains(&expected), "{}", note(sent_ms));
        }
        assert!(note(-HOUR).contains(&format!("the statement begins on {}", moment(0))), "{}", note(-HOUR));
        assert!(told(&rows, 100 * HOUR - HOUR / 3, WEEK).1);
    }

    #[test]
    fn a_row_with_our_awb_is_ours_however_its_number_is_spelled() {
        let booked = [ours("ORD-12", State::Booked, Some("7700-02"))];
        for (number, awb) in [("ord 12", "770002"), ("#12", "7700-02"), ("12.0", "770002"), ("SHOP/881", "770002")] {
            check(&booked, &[(number, awb)], &["=ORD-12"]);
        }
        check(&booked, &[("ORD 12", "770003")], &["-ORD-12", "+ORD 12"]);
        // It counts as there, and shows that the statement has that time.
        let at = |rows: &[(&str, &str)]| told(&theirs(rows), 50 * HOUR, WEEK);
        assert!(at(&[("b1", "W1")]).1);
        // Where our own number is not what the column shows, neither is that of an order that seems missing.
        let (note, is_absent) = at(&[("SB-991", "W1")]);
        assert!(!is_absent && note.contains("row 2 (number SB-991, AWB W1)"), "{note}");
        // A person may have typed the AWB of one order at another.
        let (note, is_absent) = at(&[("B-1", "W1"), ("d1", "W1")]);
        assert!(!is_absent && note.contains("row 3 (number d1, AWB W1)"), "{note}");
        let there = compare(&booked, &theirs(&[("K-77", "770002")]), None).there;
        assert!(there.contains_key("K-77"), "whatever it is to us, the courier has an order of that number");
    }

    #[test]
    fn bookings_that_the_ledger_does_not_know() {
        for state in [State::Staged, State::Waiting, State::Rejected, State::Refused, State::Abandoned] {
            check(&[ours("A", state, None)], &[("A", "W1")], &["+A"]);
            check(&[ours("A", state, None)], &[("A", "W1 cancelled"), ("A", "1.2E+11 cancelled")], &[]);
            check(&[ours("A", state, None)], &[], &[]);
            for lost in ["", "1.2E+11"] {
                let expected: &[&str] = if state == State::Abandoned { &[] } else { &["+A"] };
                check(&[ours("A", state, None)], &[("A", lost)], expected);
                let comparison = compare(&[ours("A", state, None)], &theirs(&[("A", lost)]), None);
                assert_eq!(comparison.to_give_up().count(), 0);
                assert!(comparison.there.contains_key("A"), "whatever its AWB is, the courier has it");
            }
        }
        check(&[], &[("X", "W1"), ("", "W2"), ("Y", ""), ("Z", "W3 cancelled")], &["+X", "+?"]);
        check(&[], &[("X", "W1"), ("X", "W2")], &["2X"]);
        let comparison = compare(&[ours("#0012", State::InDoubt, None)], &theirs(&[("12", "W1")]), None);
        assert!(comparison.only_theirs[0].note.contains("#0012"), "{comparison:?}");
    }

    #[test]
    fn what_the_courier_has_is_all_that_was_neither_sent_nor_cancelled() {
        let known = [
            ours("A", State::Booked, Some("W1")),
            ours("B", State::InDoubt, None),
            ours("C", State::Refused, None),
            ours("D", State::Staged, None),
        ];
        let rows =
            [("A", "W1"), ("B", "W2"), ("C", "W3 cancelled"), ("D", "W4"), ("D", "W5"), ("X", ""), ("Y", "1.2E+11")];
        let there = compare(&known, &theirs(&rows), None).there;
        assert_eq!(there.keys().map(String::as_str).collect::<Vec<_>>(), ["D", "X", "Y"]);
        assert_eq!(there["D"], "W4 \nW5 ");
    }

    #[test]
    fn what_is_out_of_scope_counts_only_where_money_was_spent() {
        let out = |number, state, awb| KnownOrder { in_scope: false, ..ours(number, state, awb) };
        let orders = [
            out("A", State::Booked, Some("W1")),
            out("B", State::InDoubt, None),
            out("C", State::Booked, Some("W3")),
            out("D", State::Rejected, None),
        ];
        check(&orders, &[("A", "W1"), ("B", "W2")], &[]);
        check(&orders, &[("C", "W4"), ("D", "W5")], &["+D", "2C"]);
    }
}
