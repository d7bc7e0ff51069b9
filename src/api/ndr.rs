//! What the courier is to do about a failed delivery: done is only what the answer says is done.

use serde_json::Value;
use serde_json::value::RawValue;

use super::caller::{CallError, Caller};
use super::cancel::{denies, says_no};
use super::operation::{Entry, NDR};
use super::service::{of_order, unwrapped};

impl Caller {
    /// Tells the courier what to do about a failed delivery, where the configuration says how. An answer that says
    /// neither yes nor no leaves it open.
    pub async fn ndr(&self, order_id: &str, body: &Value) -> Result<Box<RawValue>, CallError> {
        let entry = self.entry(&NDR);
        let takes_id = entry.path.as_deref().is_some_and(|path| path.contains("{orderId}"));
        let parameters = if takes_id { of_order(order_id) } else { Vec::new() };
        let answer = self.plain(&entry, &parameters, Some(body.to_string().into_bytes())).await?;
        judge(&entry, answer)
    }
}

fn judge(entry: &Entry, answer: Box<RawValue>) -> Result<Box<RawValue>, CallError> {
    let read: Value = serde_json::from_str(answer.get()).unwrap_or_default();
    let parts = [&read, unwrapped(&read)];
    let is_yes = parts.iter().any(|part| says_yes(entry, part));
    let is_no = parts.iter().any(|part| says_no(part) || part.pointer(entry.field("accepted")) == Some(&false.into()));
    match (is_yes, is_no) {
        (true, false) => Ok(answer),
        (false, true) => Err(CallError::said_no(entry, &read)),
        (both, _) => {
            let says = if both { "yes and no" } else { "neither yes nor no" };
            let shown: String = answer.get().chars().take(200).collect();
            let what = format!(
                "nobody knows whether it is done: the answer says {says} ({shown}); look it up before you repeat it. If the \
                 answer says it elsewhere, set [operations.ndr.fields] accepted"
            );
            Err(CallError::unreadable(entry, what))
        }
    }
}

fn says_yes(entry: &Entry, answer: &Value) -> bool {
    let is_accepted = match answer.pointer(entry.field("accepted")) {
        Some(Value::Bool(accepted)) => *accepted,
        Some(Value::String(word)) => !word.trim().is_empty() && !denies(word),
        _ => false,
    };
    let is_success = |word: &str| {
        matches!(word.trim().to_lowercase().as_str(), "success" | "succeeded" | "ok" | "done" | "accepted")
    };
    is_accepted || answer["success"] == true || answer["status"].as_str().is_some_and(is_success)
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
