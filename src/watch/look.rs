//! Which sheets have come to rest: a share gives no events, so what lies there is looked at again and again.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

/// A file that lies in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) bytes: u64,
    pub(super) changed: Option<SystemTime>,
}

/// What was seen so far, with the moment from which on it stayed as it is.
#[derive(Debug, Default)]
pub(super) struct Looks {
    seen: BTreeMap<String, (Found, Instant)>,
}

impl Looks {
    /// Takes another look. Gives the names of files that stayed as they are for this long over two looks at least, and of
    /// those that did not.
    pub(super) fn look(&mut self, found: Vec<Found>, rest: Duration) -> (Vec<String>, Vec<String>) {
        let (now, mut before) = (Instant::now(), std::mem::take(&mut self.seen));
        let (mut rested, mut moving) = (Vec::new(), Vec::new());
        for found in found {
            let name = found.name.clone();
            let since = before.remove(&name).filter(|(as_it_was, _)| *as_it_was == found).map(|(_, since)| since);
            let is_still = since.is_some_and(|since| now.duration_since(since) >= rest);
            if is_still {
                rested.push(name.clone());
            } else {
                moving.push(name.clone());
            }
            self.seen.insert(name, (found, since.unwrap_or(now)));
        }
        (rested, moving)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: u64) -> Vec<Found> {
        vec![Found { name: "a.csv".to_owned(), bytes, changed: None }]
    }

    #[test]
    fn a_sheet_rests_once_two_looks_find_it_the_same() {
        let mut looks = Looks::default();
        let mut rests = |bytes, rest| !looks.look(found(bytes), rest).0.is_empty();
        assert!(!rests(5, Duration::ZERO), "seen once");
        assert!(!rests(9, Duration::ZERO), "it has grown");
        assert!(!rests(9, Duration::from_hours(1)), "not for long enough");
        assert!(rests(9, Duration::ZERO));
        assert!(!rests(0, Duration::ZERO), "it is emptied");
        assert!(rests(0, Duration::ZERO), "it stays empty");
    }
}
