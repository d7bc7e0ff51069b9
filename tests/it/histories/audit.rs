//! What must hold after every history: the service's book and the ledger, side by side.

use std::collections::HashMap;

use shipsheet::ledger::{Ledger, OrderHistory, Wanted};

use crate::rig::by_hand::number_in;

use super::plan::ORDERS;
use super::sheets::number;
use super::world::World;

/// Everything that is wrong with a history.
pub(super) fn faults(world: &mut World) -> Vec<String> {
    let mut faults = std::mem::take(&mut world.faults);
    // What was to be booked later is booked by now.
    world.service.begin(0, None);
    let bookings = world.service.pages().bookings.clone();
    world.figures.bookings = bookings.len();
    (world.figures.orders, world.figures.said) = (world.model.orders().count(), world.model.counts);
    faults.extend(against_what_was_said(world));
    let mut booked: HashMap<&str, Vec<&str>> = HashMap::new();
    for (number, awb) in &bookings {
        booked.entry(number).or_default().push(awb);
    }
    for (number, awbs) in &booked {
        let words = world.words.get(*number).copied().unwrap_or(0);
        if awbs.len() > 1 + words {
            faults.push(format!("{number} was booked {} times, and {words} words allowed more: {awbs:?}", awbs.len()));
        }
    }
    let Some(ledger) = world.open_for_audit() else {
        faults.append(&mut world.faults);
        return faults;
    };
    for fault in ledger.check().unwrap().faults {
        faults.push(format!("ledger check: {fault}"));
    }
    faults.extend(lost(world, &ledger));
    for index in 0..ORDERS {
        let number = number(index);
        // Once for each address at which the ledger knows it.
        let histories = ledger.order(&number).unwrap();
        let theirs = booked.get(number.as_str()).cloned().unwrap_or_default();
        for history in histories.iter().filter(|history| history.state == "booked") {
            if !history.awb.as_deref().is_some_and(|awb| theirs.contains(&awb)) {
                faults.push(format!("{number} has a foreign AWB, theirs are {theirs:?}: {history:#?}"));
            }
        }
        let theirs: Vec<&str> = theirs.into_iter().filter(|awb| !world.given_up.iter().any(|up| up == awb)).collect();
        faults.extend(compare(&number, &histories, &theirs, world.words.contains_key(&number)));
    }
    faults
}

/// Requests that left in a session which began when the order did not go, or with something else than it has.
fn against_what_was_said(world: &World) -> Vec<String> {
    let mut faults = Vec::new();
    for (token, body) in &world.service.pages().sent {
        // A client that went away in the middle sent nothing.
        let Some(sent) = number_in(body) else { continue };
        let session = token.strip_prefix("token-of-session-").and_then(|session| session.parse::<usize>().ok());
        let allowed = session.and_then(|session| world.allowed.get(session)).expect("every request has a session");
        match allowed.iter().find(|(order, _)| number(**order) == sent) {
            None => faults.push(format!("{sent} was sent by {token} against what was said last")),
            Some((_, content)) if !content.is_in(body) => {
                faults.push(format!("{sent} was sent by {token} without what it has, {content:?}: {body}"));
            }
            Some(_) => {}
        }
    }
    faults
}

/// Orders that came and are not in the ledger, or not shown, or stand where they must not.
fn lost(world: &World, ledger: &Ledger) -> Vec<String> {
    let mut shown: HashMap<String, String> = HashMap::new();
    let mut each = |row: &shipsheet::ledger::ResultRow| {
        if let Some(number) = row.order_number.clone() {
            shown.insert(number, row.state.clone());
        }
    };
    ledger.for_each_result(&Wanted::default(), &mut each).unwrap();
    let mut faults = Vec::new();
    for order in world.model.orders() {
        let (number, histories) = (number(order), ledger.order(&number(order)).unwrap());
        for history in &histories {
            let why = || format!("{:?}, {:?}", history.refusals, history.question);
            faults.extend(world.model.disagrees(order, &history.state).map(|fault| format!("{fault}: {}", why())));
        }
        if histories.is_empty() || !shown.contains_key(&number) {
            faults.push(format!("{number} is lost: {histories:#?}, shown as {:?}", shown.get(&number)));
        }
    }
    faults
}

/// Every shipment of the service is known, or its order waits for a person.
fn compare(number: &str, histories: &[OrderHistory], theirs: &[&str], by_word: bool) -> Vec<String> {
    // A person said that it was not booked, or that another shipment is the one.
    let waits = histories.iter().any(|history| matches!(history.state.as_str(), "in_doubt" | "abandoned"));
    if waits || by_word {
        return vec![];
    }
    let knows = |awb: &str| {
        histories.iter().any(|history| {
            history.awb.as_deref() == Some(awb)
                || history.attempts.iter().any(|attempt| {
                    attempt.awb.as_deref() == Some(awb)
                        || attempt.late.as_ref().is_some_and(|late| late.awb.as_deref() == Some(awb))
                })
        })
    };
    let unknown = theirs.iter().filter(|awb| !knows(awb));
    unknown.map(|awb| format!("{number} is booked as {awb}, and the ledger does not know it: {histories:#?}")).collect()
}
