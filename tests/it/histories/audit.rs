//! What must hold after every history: the service's book and the ledger, side by side.

use std::collections::HashMap;

use shipsheet::ledger::OrderHistory;

use super::plan::ORDERS;
use super::world::World;

/// Everything that is wrong with a history.
pub(super) fn faults(world: &mut World) -> Vec<String> {
    let mut faults = std::mem::take(&mut world.faults);
    // What was to be booked later is booked by now.
    world.service.begin(0, None);
    let bookings = world.service.pages().bookings.clone();
    world.figures.bookings = bookings.len();
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
    for index in 0..ORDERS {
        let number = format!("A-{index}");
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
