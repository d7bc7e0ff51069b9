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
        let history = ledger.order(&number).unwrap().into_iter().next();
        let theirs = booked.get(number.as_str()).cloned().unwrap_or_default();
        let foreign = history.as_ref().is_some_and(|history| {
            history.state == "booked" && !history.awb.as_deref().is_some_and(|awb| theirs.contains(&awb))
        });
        if foreign {
            faults.push(format!("{number} has a foreign AWB, theirs are {theirs:?}: {history:#?}"));
        }
        let theirs: Vec<&str> = theirs.into_iter().filter(|awb| !world.given_up.iter().any(|up| up == awb)).collect();
        faults.extend(compare(&number, history.as_ref(), &theirs, world.words.contains_key(&number)));
    }
    faults
}

/// Every shipment of the service is known, or its order waits for a person.
fn compare(number: &str, history: Option<&OrderHistory>, theirs: &[&str], by_word: bool) -> Vec<String> {
    let Some(history) = history else {
        return if theirs.is_empty() { vec![] } else { vec![format!("{number} is booked and unknown: {theirs:?}")] };
    };
    let mut faults = Vec::new();
    let knows = |awb: &str| {
        history.awb.as_deref() == Some(awb)
            || history.attempts.iter().any(|attempt| {
                attempt.awb.as_deref() == Some(awb)
                    || attempt.late.as_ref().is_some_and(|late| late.awb.as_deref() == Some(awb))
            })
    };
    for awb in theirs {
        // What is in doubt, or was given up in doubt, waits for a person.
        let waits = matches!(history.state.as_str(), "in_doubt" | "abandoned");
        // A person said that it was not booked, or that another shipment is the one.
        if !waits && !knows(awb) && !by_word {
            faults.push(format!("{number} is booked as {awb} and called {}: {:#?}", history.state, history.attempts));
        }
    }
    faults
}
