//! What stopped a run, for people: what happened, and what to do.

/// What a brake's stable word means, and what to do about it: two fragments. Nothing for a word that is none.
#[must_use]
pub fn stopped(by: &str) -> Option<(&'static str, &'static str)> {
    Some(match by {
        "authentication" => ("the service does not accept the token", "log in again"),
        "address" => ("nothing answers at the service's address", "correct the address in the configuration"),
        "tls" => ("there is no secure connection to the service", "check this machine's clock and the address"),
        "redirect" => ("the service sends requests to another address", "ask the courier for its new address"),
        "funds" => ("the account cannot pay", "add funds to it, then send what is outstanding"),
        "refusals" => ("the service refused many orders for the same cause", "correct the cause, then retry"),
        "doubts" => ("too many answers were lost", "look in the courier's portal for the orders in doubt"),
        "contradiction" => ("an answer contradicts the ledger", "look in the courier's portal before more is sent"),
        "answer" => ("an answer was not understood", "look in the courier's portal, then see the report of the run"),
        "ledger" => {
            ("the ledger could not be written", "mend its disk or its database server, then send what is outstanding")
        }
        "unreachable" => ("the service could not be reached", "check the network, then send what is outstanding"),
        "limit" => ("a limit of orders, amount or time was reached", "send what is outstanding when that is right"),
        "signal" => ("somebody stopped it, or the machine was shut down", "send what is outstanding"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::StoppedBy;

    #[test]
    fn every_brake_has_words() {
        use StoppedBy::{
            Address, Answer, Authentication, Contradiction, Doubts, Funds, Ledger, Limit, OwnLimit, Redirect, Refusals,
            Signal, Tls, Unreachable,
        };
        let all = [
            Authentication,
            Address,
            Tls,
            Redirect,
            Funds,
            Refusals,
            Doubts,
            Contradiction,
            Answer,
            Ledger,
            Unreachable,
            Limit,
            OwnLimit,
            Signal,
        ];
        for by in all {
            assert!(stopped(by.as_str()).is_some(), "{by}");
        }
        assert_eq!(stopped("something"), None);
    }
}
