//! What bookings are answered with where the configuration says that values stand elsewhere: it widens what is understood,
//! and nothing that was in doubt for another reason becomes a booking.

use std::collections::BTreeMap;

use crate::api::operation::{Entry, FORWARD_SHIPMENT, Operations, Override};
use crate::api::outcome::{Observed, Outcome, Reply, Sent, Signal, judge_by};

const SENT: Sent<'_> =
    Sent { order_number: "ORD-1", body: b"{}", at_ms: 1_763_700_000_000, order_created_ms: 1_763_600_000_000 };

fn entry(fields: &[(&str, &str)]) -> Entry {
    let mut operations = Operations::default();
    let fields: BTreeMap<String, String> =
        fields.iter().map(|(field, pointer)| ((*field).to_owned(), (*pointer).to_owned())).collect();
    operations.set("forward_shipment", Override { fields, ..Override::default() }).unwrap();
    operations.of(&FORWARD_SHIPMENT)
}

/// The outcome in a word, with the AWB of a booking.
fn judged(entry: &Entry, status: u16, body: &str) -> (String, Signal) {
    let reply = Reply { status, body: body.as_bytes().to_vec(), ..Reply::default() };
    let verdict = judge_by(entry, &Observed::Reply(reply), &SENT);
    let word = match verdict.outcome {
        Outcome::Booked(booking) => format!("booked {} {}", booking.awb, booking.order_id.unwrap_or_default()),
        Outcome::Rejected { error, .. } => format!("rejected {error}"),
        Outcome::Refused { .. } => "refused".to_owned(),
        Outcome::Waiting { .. } => "waiting".to_owned(),
        Outcome::InDoubt { doubt } => format!("in doubt: {doubt}"),
    };
    (word.trim_end().to_owned(), verdict.signal)
}

#[test]
fn the_configuration_widens_what_is_understood() {
    let wrapped: &[(&str, &str)] = &[("answer", "/data")];
    let listed: &[(&str, &str)] = &[("answer", "/0")];
    let renamed: &[(&str, &str)] = &[("awb", "awbNumber"), ("order_id", "id")];
    let deep: &[(&str, &str)] = &[("awb", "data.shipment.awb_no"), ("error", "data.failure")];
    for (fields, body, means) in [
        (wrapped, r#"{"data":{"awb":"A1","orderId":7}}"#, "booked A1 7"),
        (wrapped, r#"{"data":[{"awb":"A1"}]}"#, "booked A1"),
        (wrapped, r#"{"awb":"A1","orderId":"7"}"#, "booked A1 7"),
        (wrapped, r#"{"data":{"awb":null,"shipmentPurchaseError":"no"}}"#, "rejected \"no\""),
        (listed, r#"[{"awb":123456789012345678901}]"#, "booked 123456789012345678901"),
        (renamed, r#"{"awbNumber":"A1","id":5}"#, "booked A1 5"),
        (renamed, r#"{"awb":"A1"}"#, "booked A1"),
        (renamed, r#"{"awb":"A1","awbNumber":"A1"}"#, "booked A1"),
        (deep, r#"{"data":{"shipment":{"awb_no":"A1"},"failure":null},"error":null}"#, "booked A1"),
        (deep, r#"{"data":{"shipment":null,"failure":{"code":3}}}"#, "rejected {\"code\":3}"),
    ] {
        for status in [200, 201] {
            assert_eq!(judged(&entry(fields), status, body), (means.to_owned(), Signal::Clear), "{fields:?} {body}");
        }
        let (word, _) = judged(&entry(fields), 202, body);
        assert!(word.starts_with("in doubt"), "{body}: {word}");
        let (word, _) = judged(&entry(fields), 422, body);
        assert_eq!(word.starts_with("in doubt"), means.starts_with("booked"), "a no with an AWB: {body}: {word}");
    }
}

/// Promise 8: settings say where an AWB may stand, and make no booking of an answer that is not clearly one.
#[test]
fn what_is_not_clearly_a_booking_stays_in_doubt() {
    let wrapped: &[(&str, &str)] = &[("answer", "/data")];
    let renamed: &[(&str, &str)] = &[("awb", "awbNumber")];
    let deep: &[(&str, &str)] = &[("awb", "data.awb")];
    for (fields, body, says) in [
        (&[][..], r#"{"data":{"awb":"A1"}}"#, "set [operations.forward_shipment.fields] awb = \"/data/awb\""),
        (&[], r#"[{"awbNumber":"A1"}]"#, "awb = \"/0/awbNumber\""),
        (
            &[],
            r#"{"data":{"awb":"A1","id":7}}"#,
            "awb = \"/data/awb\" and [operations.forward_shipment.fields] order_id = \"/data/id\" in",
        ),
        (&[], r#"{"awbNumber":"A1","shipmentPurchaseError":null}"#, "awb = \"/awbNumber\""),
        (&[], r#"{"ok":true}"#, "awb = \"/…\""),
        (&[], r#"{"orderId":"1","x":"y"}"#, r#"{"orderId":"1","x":"y"}"#),
        (&[], "<html>", "cannot be read as a shipment: a web page"),
        (wrapped, r#"{"data":[{"awb":"A1"},{"awb":"A2"}]}"#, "cannot be read"),
        (wrapped, r#"{"data":{"awb":"A1","awb":"A2"}}"#, "cannot be read"),
        (wrapped, r#"{"data":{"awb":"A1"},"data":{"awb":"A2"}}"#, "cannot be read"),
        (wrapped, r#"{"awb":"A1","data":{"awb":"A2"}}"#, "another one stands elsewhere"),
        (wrapped, r#"{"awb":"A1","data":{"shipmentPurchaseError":"no"}}"#, "both an AWB"),
        (wrapped, r#"{"shipmentPurchaseError":"no","data":{"awb":"A1"}}"#, "both an AWB"),
        (wrapped, r#"{"success":false,"data":{"awb":"A1"}}"#, "says no and yet holds an AWB"),
        (wrapped, r#"{"data":{"awb":"A1","errors":["x"]}}"#, "says no and yet holds an AWB"),
        (wrapped, r#"{"data":{"awb":"A1","orderNumber":"ORD-2"}}"#, "about another order (ORD-2)"),
        (wrapped, r#"{"data":{"awb":""}}"#, "neither an AWB nor an error"),
        (wrapped, r#"{"data":{"awb":"<b>"}}"#, "cannot be believed"),
        (renamed, r#"{"awbNumber":"A1","awb":"A2"}"#, "another one stands elsewhere"),
        (renamed, r#"{"awbNumber":true}"#, "neither an AWB nor an error"),
        (renamed, r#"{"awbNumber":["A1"]}"#, "neither text nor a number"),
        (
            &[("error", "why")],
            r#"{"awb":"","why":"order exists","shipmentPurchaseError":"no"}"#,
            "may have this order already",
        ),
        (
            &[("error", "why")],
            r#"{"awb":"","why":"order created","shipmentPurchaseError":"no"}"#,
            "may have this order already",
        ),
        (renamed, r#"{"awbNumber":"A1","awbNumber":"A2"}"#, "cannot be read"),
        (deep, r#"{"data":{"awb":"A1","orderNumber":"ORD-2"}}"#, "about another order (ORD-2)"),
        (deep, r#"{"status":"failed","data":{"awb":"A1"}}"#, "says no and yet holds an AWB"),
        (&[("awb", "/0/awb")], r#"[{"awb":"A1"},{"awb":"A2"}]"#, "cannot be read"),
    ] {
        for status in [200, 201] {
            let (word, signal) = judged(&entry(fields), status, body);
            assert!(word.starts_with("in doubt") && word.contains(says), "{fields:?} {body}: {word}");
            assert!(signal != Signal::Clear, "{body}");
        }
    }
}
