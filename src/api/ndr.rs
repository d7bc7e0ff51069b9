//! What the courier is to do about a failed delivery: done is only what the answer says is done.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::answer::{Misread, NotUnderstood, ShipmentRef, Told, parts, setting};
use super::caller::{CallError, Caller, naming, no_order_id};
use super::json::Json;
use super::operation::{Entry, NDR};
use super::said::{denies, is_flag, said, says_no};
use super::service::{body, body_of};

impl Caller {
    /// Tells the courier what to do about a failed delivery, where the configuration says how, with further fields of the
    /// request. An answer that says neither yes nor no leaves it open.
    pub async fn ndr<'s>(
        &self,
        shipment: impl Into<ShipmentRef<'s>>,
        action: &str,
        fields: Map<String, Value>,
    ) -> Result<Box<RawValue>, CallError> {
        let (entry, shipment) = (self.entry(&NDR), shipment.into());
        // What the path does not name stands in the body.
        let parameters = if entry.path.as_deref().is_some_and(|path| path.contains('{')) {
            naming(&entry, &shipment)?
        } else {
            Vec::new()
        };
        let id = shipment.order_id.map(|id| ("order_id", Value::from(id)));
        if id.is_none() && parameters.is_empty() {
            return Err(no_order_id(&entry));
        }
        let body = body(&entry, id.into_iter().chain([("action", Value::from(action))]), fields);
        let answer = self.plain(&entry, &parameters, Some(body.to_string().into_bytes())).await?;
        judge(&entry, answer)
    }
}

fn judge(entry: &Entry, answer: Box<RawValue>) -> Result<Box<RawValue>, CallError> {
    let json = Json::parse(answer.get().as_bytes()).unwrap_or(Json::Null);
    let parts: Vec<Told<'_>> =
        parts(entry, &json, &["accepted"]).into_iter().map(|part| Told::of(entry, part)).collect();
    let is_denied = |part: &Told<'_>| part.value("accepted").is_some_and(|flag| is_flag(flag, false));
    let is_yes = parts.iter().any(says_yes);
    let is_no = parts.iter().any(|part| says_no(part.json()) || is_denied(part));
    match (is_yes, is_no) {
        (true, false) => Ok(answer),
        (false, true) => Err(Misread::no(entry, parts.iter().rev().find_map(|part| said(part.json())), &json).into()),
        (both, _) => {
            let says = if both { "yes and no" } else { "neither yes nor no" };
            let setting = setting(entry, &["accepted"], &json);
            Err(NotUnderstood::of(entry, &format!("it says {says}"), &body_of(&answer), Some(setting)).into())
        }
    }
}

fn says_yes(part: &Told<'_>) -> bool {
    let is_accepted = match part.value("accepted") {
        Some(Json::Text(word)) => {
            !word.trim().is_empty() && !denies(word) && !word.trim().eq_ignore_ascii_case("false")
        }
        Some(value) => is_flag(value, true),
        None => false,
    };
    let is_success =
        |word: &str| matches!(word.to_lowercase().as_str(), "success" | "succeeded" | "ok" | "done" | "accepted");
    let json = part.json();
    is_accepted
        || json.get("success").is_some_and(|flag| is_flag(flag, true))
        || json.get("status").and_then(Json::text).is_some_and(is_success)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::operation::Operations;

    #[test]
    fn only_a_yes_is_done() {
        let entry = Operations::default().of(&NDR);
        for (body, means) in [
            (r#"{"accepted": "RTO"}"#, "yes"),
            (r#"{"data": {"accepted": true}}"#, "yes"),
            (r#"{"success": true}"#, "yes"),
            (r#"[{"accepted": "true"}]"#, "yes"),
            (r#"[{"accepted": "false"}]"#, "no"),
            (r#"{"status": "Success"}"#, "yes"),
            (r#"{"success": false, "message": "too late"}"#, "no"),
            (r#"{"accepted": false}"#, "no"),
            (r#"{"error": "no such shipment"}"#, "no"),
            (r#"{"message": "not possible any more"}"#, "no"),
            (r#"{"accepted": true, "error": "no"}"#, "open"),
            (r#"{"message": "done"}"#, "open"),
            (r#"{"id": 7}"#, "open"),
            (r#""<html>OK</html>""#, "open"),
            ("[]", "open"),
        ] {
            let answer = RawValue::from_string(body.to_owned()).unwrap();
            let said = match judge(&entry, answer) {
                Ok(_) => "yes",
                Err(error) if error.may_be_done() => "open",
                Err(_) => "no",
            };
            assert_eq!(said, means, "{body}");
        }
    }
}
