//! Cancelling a shipment: whether it is cancelled is believed only where the answer says so.

use serde::Serialize;
use serde_json::Value;

use super::answer::{Misread, ShipmentRef, Told, parts, setting};
use super::caller::{CallError, Caller, naming};
use super::json::Json;
use super::operation::{CANCEL_SHIPMENT, Entry};
use super::said::{denies, is_flag, said, says_no, shown, words};

/// A cancelled shipment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cancelled {
    /// What became of the money, in the service's word.
    pub refund_status: Option<String>,
    /// Whether the service says that it was cancelled before.
    pub before: bool,
    /// All of it; a text where it was no JSON.
    pub answer: Value,
}

/// Why a shipment is not known as cancelled.
#[derive(Debug, thiserror::Error)]
pub enum CancelError {
    /// It is not: the service said no, or nothing was sent.
    #[error(transparent)]
    Call(#[from] CallError),
    /// Nobody knows: no answer came, or one that says neither yes nor no.
    #[error("nobody knows whether it is cancelled: {why}")]
    Unknown {
        /// Why.
        why: String,
        /// What went wrong on the way, where something did.
        cause: Option<CallError>,
    },
}

impl Caller {
    /// Cancels a shipment. Where the answer names an AWB it must be this one's.
    pub async fn cancel<'s>(&self, shipment: impl Into<ShipmentRef<'s>>) -> Result<Cancelled, CancelError> {
        let (entry, shipment) = (self.entry(&CANCEL_SHIPMENT), shipment.into());
        let answered = self.call(&entry, &naming(&entry, &shipment)?, Some(b"{}".to_vec()), 1 << 20).await;
        judge(&entry, answered.map(|reply| reply.body), Some(shipment.awb).filter(|awb| !awb.is_empty()))
    }
}

/// What an answer to a cancellation means. `body` is that of a 2xx.
fn judge(entry: &Entry, body: Result<Vec<u8>, CallError>, awb: Option<&str>) -> Result<Cancelled, CancelError> {
    let body = match body {
        Ok(body) => body,
        Err(error) => return failed(error),
    };
    let unknown =
        |why: &str| Err(CancelError::Unknown { why: format!("{why}; it was: {}", shown(&body)), cause: None });
    let needs = ["refund_status", "awb"];
    let Some(json) = Json::parse(&body) else {
        return unknown("the answer cannot be read as one about a shipment");
    };
    let parts = parts(entry, &json, &needs);
    let Some(told) = parts.last().filter(|told| matches!(told, Json::Object(_))).map(|told| Told::of(entry, told))
    else {
        return unknown("the answer cannot be read as one about a shipment");
    };
    let refund_status = told.text("refund_status");
    let named = told.name("awb");
    if let (Some(named), Some(awb)) = (&named, awb)
        && named != awb
    {
        return unknown("the answer is about another shipment");
    }
    let is_named = awb.is_some() && named.is_some();
    let is_refunded = refund_status.as_deref().is_some_and(|status| !denies(status));
    // To name the shipment, or its money, is a yes only where no other state is told.
    let is_told = (is_named || is_refunded) && !parts.iter().any(|part| tells_other_state(part));
    let is_yes = is_told || parts.iter().any(|part| says_yes(part));
    let is_undone = |part: &Json| {
        ["cancelled", "canceled"].iter().any(|name| part.get(name).is_some_and(|flag| is_flag(flag, false)))
    };
    let is_no =
        parts.iter().any(|part| says_no(part) || is_undone(part)) || refund_status.as_deref().is_some_and(denies);
    let answer = serde_json::from_slice(&body).unwrap_or_default();
    match (is_yes, is_no) {
        (true, false) => Ok(Cancelled { refund_status, before: false, answer }),
        (true, true) => unknown("the answer contradicts itself"),
        (false, true) => {
            Err(CallError::from(Misread::no(entry, parts.iter().rev().find_map(|part| said(part)), &json)).into())
        }
        (false, false) => {
            let setting = setting(entry, &needs, &json);
            unknown(&format!(
                "the answer says neither yes nor no (if it does so elsewhere, set {setting} in shipsheet.toml)"
            ))
        }
    }
}

/// What a call that failed means.
fn failed(error: CallError) -> Result<Cancelled, CancelError> {
    match &error {
        CallError::Refused { status: 400..=498, message, .. } if is_cancelled_already(message) => {
            Ok(Cancelled { refund_status: None, before: true, answer: Value::from(message.clone()) })
        }
        _ if error.may_be_done() => Err(CancelError::Unknown { why: error.to_string(), cause: Some(error) }),
        _ => Err(error.into()),
    }
}

/// Whether a refusal says that there is nothing left to cancel. "Already in transit and cannot be cancelled" is a no.
fn is_cancelled_already(message: &str) -> bool {
    let words: Vec<String> = words(message).filter(|word| !matches!(word.as_str(), "been" | "is" | "was")).collect();
    let is_pair = |pair: &[String]| {
        let [one, other] = pair else { return false };
        (one == "already" && is_cancelled(other)) || (is_cancelled(one) && other == "already")
    };
    words.windows(2).any(is_pair) && !denies(message)
}

fn is_cancelled(word: &str) -> bool {
    matches!(word, "cancelled" | "canceled")
}

/// What an answer says of the shipment's state, wherever it does.
fn states(answer: &Json) -> impl Iterator<Item = String> {
    const STATES: [&str; 4] = ["/status", "/status/subStatus", "/subStatus", "/state"];
    let words = STATES.iter().filter_map(|at| match answer.at(at)? {
        Json::Text(text) => Some(text.trim().to_lowercase()),
        _ => None,
    });
    words.filter(|word| !word.is_empty())
}

/// Whether the shipment is told to be in another state than cancelled.
fn tells_other_state(answer: &Json) -> bool {
    const FINE: &[&str] = &["cancelled", "canceled", "success", "succeeded", "ok", "true", "done"];
    states(answer).any(|state| !FINE.contains(&state.as_str()))
}

fn says_yes(answer: &Json) -> bool {
    ["success", "cancelled", "canceled"].iter().any(|name| answer.get(name).is_some_and(|flag| is_flag(flag, true)))
        || states(answer).any(|state| is_cancelled(&state))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::operation::Operations;

    fn judged(body: &str) -> String {
        let entry = Operations::default().of(&CANCEL_SHIPMENT);
        word(judge(&entry, Ok(body.as_bytes().to_vec()), Some("AWB1")))
    }

    fn word(judged: Result<Cancelled, CancelError>) -> String {
        match judged {
            Ok(Cancelled { before: true, .. }) => "before".to_owned(),
            Ok(Cancelled { refund_status, .. }) => format!("yes {}", refund_status.unwrap_or_default()),
            Err(CancelError::Call(_)) => "no".to_owned(),
            Err(CancelError::Unknown { .. }) => "unknown".to_owned(),
        }
    }

    #[test]
    fn a_success_is_believed_only_where_it_says_so() {
        for (body, means) in [
            (r#"{"id":1,"refundStatus":"REFUND_INITIATED","trackingCode":"AWB1"}"#, "yes REFUND_INITIATED"),
            (r#"{"id":1,"refundStatus":null,"trackingCode":"AWB1"}"#, "yes "),
            (r#"{"data":{"refundStatus":"X"}}"#, "yes X"),
            (r#"[{"refundStatus":"X","trackingCode":"AWB1"}]"#, "yes X"),
            (r#"{"result":[{"trackingCode":"AWB1"}],"success":true}"#, "yes "),
            (r#"[{"trackingCode":"AWB1"},{"trackingCode":"AWB2"}]"#, "unknown"),
            (r#"{"success":true,"data":{}}"#, "yes "),
            (r#"{"status":{"subStatus":"Cancelled"}}"#, "yes "),
            (r#"{"success":false,"message":"too late"}"#, "no"),
            (r#"{"error":"shipped already"}"#, "no"),
            (r#"{"status":"failed"}"#, "no"),
            (r#"{"statusCode":400,"message":"Cannot be cancelled","trackingCode":"AWB1"}"#, "unknown"),
            (r#"{"trackingCode":"AWB1","status":"delivered","refundStatus":null}"#, "unknown"),
            (r#"{"refundStatus":"NOT_APPLICABLE","message":"The shipment was not cancelled"}"#, "no"),
            (r#"{"trackingCode":"AWB1","message":"Only unshipped orders can be cancelled"}"#, "unknown"),
            (r#"{"trackingCode":"AWB1","status":"cancelled","message":"Shipment cancelled"}"#, "yes "),
            (r#"{"refundStatus":"X","success":false}"#, "unknown"),
            (r#"{"refundStatus":"X","trackingCode":"AWB2"}"#, "unknown"),
            (r#"{"message":"done"}"#, "unknown"),
            ("", "unknown"),
            ("{}", "unknown"),
            ("[]", "unknown"),
            ("true", "unknown"),
            ("<html>OK</html>", "unknown"),
        ] {
            assert_eq!(judged(body), means, "{body}");
        }
    }

    #[test]
    fn a_failure_is_a_no_only_where_the_service_said_one() {
        let refused = |status: u16, message: &str| {
            failed(CallError::Refused { operation: "cancel_shipment", status, message: message.to_owned(), keys: None })
        };
        for status in [301, 307, 400, 404, 409, 422] {
            assert_eq!(word(refused(status, "x")), "no", "{status}");
        }
        assert_eq!(word(refused(400, "Shipment is cancelled already (HTTP 400)")), "before");
        for (message, means) in [
            ("Order has already been canceled", "before"),
            ("This shipment was already cancelled.", "before"),
            ("Shipment is already in transit and cannot be cancelled", "no"),
            ("Order already dispatched. Only unshipped orders can be cancelled", "no"),
            ("already shipped, not cancelled already", "no"),
        ] {
            assert_eq!(word(refused(409, message)), means, "{message}");
        }
        let (operation, changes) = ("cancel_shipment", true);
        assert_eq!(word(failed(CallError::TimedOut { operation, changes })), "unknown");
        let why = "already cancelled (HTTP 500)".to_owned();
        assert_eq!(word(failed(CallError::Lost { operation, why, changes })), "unknown");
        assert_eq!(word(failed(CallError::Unauthorized)), "no", "nothing was done");
        assert_eq!(word(failed(CallError::Stopped)), "no");
    }
}
