//! What sub-statuses mean for people: which want attention first.

/// How much a status wants somebody to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Urgency {
    /// Something went wrong, or is coming back.
    Exception,
    /// The courier has it, or will have it; also what nobody here has seen before.
    Underway,
    /// It has arrived.
    Done,
}

/// How urgent a sub-status is. Statuses that were never seen count as underway: the list is not a complete one.
pub(crate) fn urgency(status: &str) -> Urgency {
    let status = status.trim().to_lowercase();
    match status.as_str() {
        "delivered" => Urgency::Done,
        "undelivered" | "exception" | "lost" | "damaged" | "cancelled" | "return_to_sender" => Urgency::Exception,
        _ if status == "rto" || status.starts_with("rto_") => Urgency::Exception,
        _ => Urgency::Underway,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exceptions_come_first() {
        let mut statuses = vec!["delivered", "in_transit", "rto_delivered", "Lost", "never_seen", "undelivered"];
        statuses.sort_by_key(|status| urgency(status));
        assert_eq!(statuses, ["rto_delivered", "Lost", "undelivered", "in_transit", "never_seen", "delivered"]);
    }
}
