//! Answers that say no, as data: which of them may be about a shipment of ours all the same.

use crate::api::outcome::{Observed, Outcome, Reply, Sent, judge};

/// The request that was sent.
const REQUEST: &str = r#"{"orderNumber":"ORD-1","orderCreatedAt":"1763600000000","sellerNote":"Order already created by phone",
    "tags":"duplicate","receiver":{"phoneNumber":"9876543210"},"destination":{"pinCode":"560001"},
    "productRequestsList":[{"productName":"Shipped","taxRate":"18","quantity":1}]}"#;

const ANSWERS: &str = include_str!("noes.txt");

fn outcome(status: u16, body: &str) -> Outcome {
    let reply = Reply { status, body: body.as_bytes().to_vec(), ..Reply::default() };
    let (at_ms, order_created_ms) = (1_763_700_000_000, 1_763_600_000_000);
    let sent = Sent { order_number: "ORD-1", body: REQUEST.as_bytes(), at_ms, order_created_ms };
    judge(&Observed::Reply(reply), &sent).outcome
}

#[test]
fn a_no_that_speaks_of_a_shipment_is_in_doubt_and_any_other_is_a_no() {
    let mut wrong = Vec::new();
    let mut counts = std::collections::BTreeMap::new();
    for line in ANSWERS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut parts = line.splitn(2, ' ');
        let expected = parts.next().unwrap();
        let (status, body) = parts.next().unwrap().trim_start().split_once(' ').unwrap();
        let seen = match outcome(status.parse().unwrap(), body) {
            Outcome::Booked(_) => "booked",
            Outcome::Rejected { .. } => "rejected",
            Outcome::Refused { .. } => "refused",
            Outcome::Waiting { .. } => "waiting",
            Outcome::InDoubt { .. } => "doubt",
        };
        *counts.entry(expected).or_insert(0) += 1;
        if seen != expected {
            wrong.push(format!("{seen} instead of {line}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(counts["doubt"] >= 30 && counts["refused"] >= 25 && counts.len() == 5, "{counts:?}");
}

#[test]
fn nought_is_read_as_false_wherever_it_stands() {
    for (one, other) in [
        (r#"{"awb":"AWB1","shipmentPurchaseError":0}"#, r#"{"awb":"AWB1","shipmentPurchaseError":false}"#),
        (r#"{"awb":null,"shipmentPurchaseError":0}"#, r#"{"awb":null,"shipmentPurchaseError":false}"#),
        (r#"{"awb":0,"shipmentPurchaseError":"no"}"#, r#"{"awb":false,"shipmentPurchaseError":"no"}"#),
        (r#"{"awb":"A1","orderId":0}"#, r#"{"awb":"A1","orderId":false}"#),
        (r#"{"error":0,"orderId":0}"#, r#"{"error":false,"orderId":false}"#),
    ] {
        for status in [200, 400, 429] {
            let (one, other) = (outcome(status, one), outcome(status, other));
            let plain = |outcome: &Outcome| format!("{outcome:?}").replace("false", "0");
            assert_eq!(plain(&one), plain(&other), "{status}");
        }
    }
    // An AWB that comes with no error is kept, and no AWB without an error is nobody's no.
    assert!(matches!(outcome(200, r#"{"awb":"AWB1","shipmentPurchaseError":0}"#), Outcome::Booked(_)));
    assert!(matches!(outcome(200, r#"{"awb":"","shipmentPurchaseError":0.0}"#), Outcome::InDoubt { .. }));
}

#[test]
fn a_doubt_says_what_the_answer_names() {
    let Outcome::InDoubt { doubt } = outcome(429, r#"{"message":"Too many requests","order":{"id":8812}}"#) else {
        panic!("it names an order");
    };
    let says = "the service may have this order already: it names order id 8812; Too many requests (HTTP 429)";
    assert_eq!(doubt.to_string(), says);
}

#[test]
fn an_address_that_the_answer_leads_to_counts() {
    let at = |location: &str| {
        let reply = Reply { status: 307, location: Some(location.to_owned()), ..Reply::default() };
        let sent = Sent { order_number: "ORD-1", body: b"", at_ms: 0, order_created_ms: 0 };
        judge(&Observed::Reply(reply), &sent).outcome
    };
    assert!(matches!(at("https://a.example/v1/shipments/881234"), Outcome::InDoubt { .. }));
    assert!(matches!(at("https://a.example/v2/external/shipments/forward-shipment"), Outcome::Refused { .. }));
}
