//! When a call over many stops by itself: what failed for one reason five times in a row fails for all.

use crate::api::CallError;
use crate::api::outcome::masked;
use crate::book::StoppedBy;

/// Equal failures in a row that stop it, as for bookings.
const EQUAL_MAX: u32 = 5;
/// Calls in a row without an answer in time; each has cost the whole of its time.
const TIMEOUTS_MAX: u32 = 2;

/// Watches how calls end.
#[derive(Debug, Default)]
pub(crate) struct Brake {
    fingerprint: String,
    in_a_row: u32,
    /// Refusals stop nothing where a person wants to hear each of them.
    pub keep_going: bool,
}

impl Brake {
    /// Takes note of an end; says which brake stops the rest, and why.
    pub(crate) fn note(&mut self, failure: Option<&CallError>) -> Option<(StoppedBy, String)> {
        let Some(failure) = failure else {
            self.in_a_row = 0;
            return None;
        };
        let fingerprint = fingerprint(failure);
        self.in_a_row = if self.in_a_row > 0 && self.fingerprint == fingerprint { self.in_a_row + 1 } else { 1 };
        self.fingerprint = fingerprint;
        let (by, most) = match failure {
            CallError::Token(_) | CallError::Unauthorized => (StoppedBy::Authentication, 1),
            CallError::Busy { .. } => (StoppedBy::Limit, 1),
            CallError::TimedOut { .. } => (StoppedBy::Unreachable, TIMEOUTS_MAX),
            CallError::Unreachable { .. } => (StoppedBy::Unreachable, EQUAL_MAX),
            CallError::Refused { status: 500.., .. } | CallError::Lost { .. } => (StoppedBy::Doubts, EQUAL_MAX),
            CallError::NotUnderstood { .. } if !self.keep_going => (StoppedBy::Answer, 1),
            CallError::Refused { .. } | CallError::NoDocument { .. } if !self.keep_going => {
                (StoppedBy::Refusals, EQUAL_MAX)
            }
            _ => return None,
        };
        let times = if most > 1 { format!("{most} calls in a row ended alike: ") } else { String::new() };
        (self.in_a_row >= most).then(|| (by, format!("{times}{failure}")))
    }
}

/// What two failures have in common that have one cause.
fn fingerprint(failure: &CallError) -> String {
    match failure {
        // What is not there is named differently each time.
        CallError::Refused { status: status @ (403 | 404 | 405 | 410 | 500..), .. } => status.to_string(),
        other => masked(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: u16, message: &str) -> CallError {
        CallError::Refused { operation: "track", status, message: message.to_owned(), keys: None }
    }

    fn stops_at(brake: &mut Brake, failure: impl Fn(u32) -> CallError) -> Option<u32> {
        (1..20).find(|n| brake.note(Some(&failure(*n))).is_some())
    }

    #[test]
    fn equal_failures_in_a_row_stop_and_a_success_forgives() {
        let mut brake = Brake::default();
        assert_eq!(stops_at(&mut brake, |n| refused(404, &format!("shipment SB-{n}X not found"))), Some(5));
        assert_eq!(brake.note(None), None);
        assert_eq!(stops_at(&mut brake, |n| refused(400, &format!("order {n} is \"{n}\""))), Some(5));
        assert_eq!(stops_at(&mut brake, |n| refused(400, if n % 2 == 0 { "even" } else { "odd" })), None);
        assert_eq!(stops_at(&mut brake, |_| CallError::TimedOut { operation: "track", changes: false }), Some(2));
        let (by, why) = brake.note(Some(&CallError::Unauthorized)).unwrap();
        assert!(by == StoppedBy::Authentication && why.contains("401"), "{why}");
    }

    #[test]
    fn whoever_keeps_going_hears_each_refusal_and_still_stops_without_a_service() {
        let mut brake = Brake { keep_going: true, ..Brake::default() };
        assert_eq!(stops_at(&mut brake, |_| refused(404, "not found")), None);
        let away = |_| CallError::Unreachable { operation: "track", why: "refused".to_owned() };
        assert_eq!(stops_at(&mut brake, away), Some(5));
        assert_eq!(stops_at(&mut brake, |_| CallError::Unauthorized), Some(1));
    }
}
