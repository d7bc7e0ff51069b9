//! The operations beside booking, typed: what is known of an answer has a name, the whole of it is kept as well.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
pub use serde_json::value::RawValue;
pub use serde_json::{Number, Value};

use super::caller::{CallError, Caller};
use super::operation::{
    Entry, INVOICE, LABEL, LABEL_URL, QUOTE, REGISTER_WEBHOOK, SERVICEABILITY, SHIPMENT_DETAILS, TRACK,
};
use super::outcome::{Lost, NotSent, Observed};
use super::wire::{WebhookEndpoint, WebhookRequest};

/// A label or an invoice longer than this is not read to its end.
pub const DOCUMENT_BYTES_MAX: usize = 16 << 20;
/// Where a document is that cannot be fetched.
const ELSEWHERE: &str = "take it from the courier's portal";

/// What the service knows of a shipment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Details {
    /// The service's own id of the order.
    pub order_id: Option<String>,
    /// Our number of the order.
    pub order_number: Option<String>,
    /// The AWB.
    pub awb: Option<String>,
    /// All of it.
    pub answer: Value,
}

/// Where a shipment is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tracking {
    /// The latest status, in the service's word.
    pub status: Option<String>,
    /// What happened, the oldest first.
    pub checkpoints: Vec<Checkpoint>,
    /// All of it.
    pub answer: Value,
}

/// Something that happened to a shipment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checkpoint {
    /// When, epoch milliseconds.
    pub at_ms: Option<i64>,
    /// The status, in the service's word.
    pub status: Option<String>,
    /// In words.
    pub message: Option<String>,
    /// Where.
    pub place: Option<String>,
}

/// A courier between two PIN codes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Courier {
    /// Its name.
    pub carrier: Option<String>,
    /// The zone.
    pub zone: Option<String>,
    /// Whether it takes paid orders.
    pub prepaid: bool,
    /// Whether it collects cash on delivery.
    pub cod: bool,
    /// All of it.
    pub answer: Value,
}

/// A parcel to be priced.
#[derive(Debug, Clone, PartialEq)]
pub struct Parcel {
    /// In cm.
    pub length: Number,
    /// In cm.
    pub width: Number,
    /// In cm.
    pub height: Number,
    /// In kg, digits: `0.5`. The service takes a text.
    pub weight: String,
    /// What the goods are worth in all, in the currency of the account, digits: `999.80`. The service takes a text.
    pub value: String,
    /// For instance `PREPAID`.
    pub order_type: String,
    /// PIN code of the pickup.
    pub from: String,
    /// PIN code of the delivery.
    pub to: String,
}

/// A price.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rate {
    /// The courier.
    pub carrier: Option<String>,
    /// The service level.
    pub service: Option<String>,
    /// What the whole shipment costs, in `currency`, digit for digit.
    pub rate: Option<String>,
    /// The currency of `rate`, as the service writes it.
    pub currency: Option<String>,
    /// Days from pickup to delivery, as the service writes it.
    pub days: Option<String>,
    /// All of it.
    pub answer: Value,
}

impl Caller {
    /// Details of shipments by the service's order ids.
    pub async fn details(&self, order_ids: &[&str]) -> Result<Vec<Details>, CallError> {
        let entry = self.entry(&SHIPMENT_DETAILS);
        let answer = self.json(&entry, &[("orderIds".to_owned(), order_ids.join(","))], None).await?;
        let list = items(&entry, "shipments", &answer)?;
        Ok(list
            .into_iter()
            .map(|answer| Details {
                order_id: text(&entry, "order_id", &answer),
                order_number: text(&entry, "order_number", &answer),
                awb: text(&entry, "awb", &answer),
                answer,
            })
            .collect())
    }

    /// A label as PDF, by whichever way the service gives it.
    ///
    /// The address of the label is asked for first; where that is not known here, the label itself.
    pub async fn label(&self, order_id: &str) -> Result<Vec<u8>, CallError> {
        let by_url = self.entry(&LABEL_URL);
        match self.document(&by_url, order_id).await {
            Err(CallError::Refused { status: 404 | 405 | 410 | 501, .. } | CallError::Operation(_)) => {
                self.document(&self.entry(&LABEL), order_id).await
            }
            other => other,
        }
    }

    /// An invoice as PDF.
    pub async fn invoice(&self, order_id: &str) -> Result<Vec<u8>, CallError> {
        self.document(&self.entry(&INVOICE), order_id).await
    }

    /// A PDF: given itself, or by an address that is fetched without the token.
    async fn document(&self, entry: &Entry, order_id: &str) -> Result<Vec<u8>, CallError> {
        let reply = self.call(entry, &of_order(order_id), None, DOCUMENT_BYTES_MAX).await?;
        if is_pdf(&reply.body) {
            return Ok(reply.body);
        }
        let operation = entry.operation.name;
        let unreadable = |what: &str| CallError::unreadable(entry, what);
        let answer: Value = serde_json::from_slice(&reply.body)
            .map_err(|_| unreadable("the answer is neither a PDF nor JSON with an address"))?;
        let known = ["/url", "/labelUrl", "/invoiceUrl"];
        let pointers = || std::iter::once(entry.field("url")).chain(known).filter(|pointer| !pointer.is_empty());
        let parts = [&answer, unwrapped(&answer)];
        let url = pointers().find_map(|pointer| parts.iter().find_map(|part| part.pointer(pointer)?.as_str()));
        let url = url.ok_or_else(|| {
            let pointer = entry.field("url");
            unreadable(&format!(
                "the answer names no address at {pointer}; if it is elsewhere, set [operations.{operation}.fields] url"
            ))
        })?;
        if !self.client().fetches(url) {
            return Err(unreadable(&format!(
                "the answer names no whole https address, and no other is fetched; {ELSEWHERE}"
            )));
        }
        self.pace().turn().await?;
        match self.client().fetch(url, DOCUMENT_BYTES_MAX).await {
            Observed::Reply(reply) if reply.status == 200 && is_pdf(&reply.body) => Ok(reply.body),
            Observed::Reply(reply) if reply.status == 200 => Err(unreadable("what lies there is no PDF")),
            Observed::Reply(reply) if (300..400).contains(&reply.status) => Err(unreadable(&format!(
                "the address leads elsewhere (HTTP {}), and redirects are never followed; {ELSEWHERE}",
                reply.status
            ))),
            Observed::Reply(reply) => Err(unreadable(&format!("nothing lies there (HTTP {})", reply.status))),
            Observed::NotSent(NotSent::Unreachable(why) | NotSent::Tls(why)) => {
                Err(CallError::Unreachable { operation, why })
            }
            Observed::Lost(Lost::TimedOut) => Err(CallError::TimedOut { operation, changes: false }),
            Observed::Lost(Lost::Broken(why) | Lost::Partial { why, .. } | Lost::Unbelievable { why, .. }) => {
                Err(CallError::Lost { operation, why, changes: false })
            }
        }
    }

    /// Where a shipment is.
    pub async fn track(&self, order_id: &str) -> Result<Tracking, CallError> {
        let entry = self.entry(&TRACK);
        let answer = self.json(&entry, &of_order(order_id), None).await?;
        // Some answer a list with one shipment in it.
        let one = match &answer {
            Value::Array(list) if list.len() == 1 => list[0].clone(),
            other => other.clone(),
        };
        let list = one.pointer(entry.field("checkpoints")).and_then(Value::as_array).cloned().unwrap_or_default();
        let mut checkpoints: Vec<Checkpoint> = list
            .iter()
            .map(|checkpoint| Checkpoint {
                at_ms: text(&entry, "checkpoint_time", checkpoint).and_then(|text| epoch_ms(&text)),
                status: text(&entry, "checkpoint_status", checkpoint),
                message: text(&entry, "checkpoint_message", checkpoint),
                place: text(&entry, "checkpoint_place", checkpoint),
            })
            .collect();
        checkpoints.sort_by_key(|checkpoint| checkpoint.at_ms);
        let latest = || checkpoints.last().and_then(|checkpoint| checkpoint.status.clone());
        let status = text(&entry, "status", &one).or_else(latest);
        Ok(Tracking { status, checkpoints, answer })
    }

    /// Couriers between two PIN codes.
    pub async fn serviceability(&self, from: &str, to: &str) -> Result<Vec<Courier>, CallError> {
        let entry = self.entry(&SERVICEABILITY);
        let parameters = [("origin_pin", from), ("destination_pin", to)];
        let parameters = parameters.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let answer = self.json(&entry, &parameters, None).await?;
        Ok(items(&entry, "carriers", &answer)?
            .into_iter()
            .map(|answer| Courier {
                carrier: text(&entry, "carrier", &answer),
                zone: text(&entry, "zone", &answer),
                prepaid: flag(&entry, "prepaid", &answer),
                cod: flag(&entry, "cod", &answer),
                answer,
            })
            .collect())
    }

    /// Prices of couriers for a parcel, as the service orders them.
    pub async fn quote(&self, parcel: &Parcel) -> Result<Vec<Rate>, CallError> {
        let entry = self.entry(&QUOTE);
        let body = json!({
            "length": parcel.length, "breadth": parcel.width, "height": parcel.height, "weight": parcel.weight,
            "invoice_value": parcel.value, "delivery_type": "FORWARD", "order_type": parcel.order_type,
            "pickup_pincode": parcel.from, "drop_pincode": parcel.to,
        });
        let answer = self.json(&entry, &[], Some(body.to_string().into_bytes())).await?;
        Ok(items(&entry, "rates", &answer)?
            .into_iter()
            .map(|answer| Rate {
                carrier: text(&entry, "carrier", &answer),
                service: text(&entry, "service", &answer),
                rate: text(&entry, "rate", &answer),
                currency: text(&entry, "currency", &answer),
                days: text(&entry, "days", &answer),
                answer,
            })
            .collect())
    }

    /// Registers an address for tracking events.
    pub async fn register(&self, request: &WebhookRequest) -> Result<WebhookEndpoint, CallError> {
        let entry = self.entry(&REGISTER_WEBHOOK);
        let body = serde_json::to_vec(request).unwrap_or_default();
        let answer = self.json(&entry, &[], Some(body)).await?;
        serde_json::from_value(unwrapped(&answer).clone())
            .map_err(|error| CallError::unreadable(&entry, format!("the answer is no webhook endpoint: {error}")))
    }

    /// Any operation by its table's entry; its answer digit for digit. One that is not JSON becomes a text, and one
    /// that is not text its kind and length.
    pub async fn plain(
        &self,
        entry: &Entry,
        parameters: &[(String, String)],
        body: Option<Vec<u8>>,
    ) -> Result<Box<RawValue>, CallError> {
        let reply = self.call(entry, parameters, body, 8 << 20).await?;
        let json = match String::from_utf8(reply.body) {
            Ok(text) => match RawValue::from_string(text.clone()) {
                Ok(json) => return Ok(json),
                Err(_) => Value::String(text),
            },
            Err(error) => json!({"content_type": reply.content_type, "bytes": error.into_bytes().len()}),
        };
        RawValue::from_string(json.to_string()).map_err(|error| CallError::unreadable(entry, error.to_string()))
    }
}

/// Whether these are the first bytes of a PDF; some writers put a few others before them.
#[must_use]
pub fn is_pdf(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(1024)].windows(5).any(|part| part == b"%PDF-")
}

/// What an answer tells: some services wrap it in `data`.
pub(super) fn unwrapped(answer: &Value) -> &Value {
    answer.get("data").filter(|data| data.is_object()).unwrap_or(answer)
}

pub(super) fn of_order(order_id: &str) -> Vec<(String, String)> {
    vec![("orderId".to_owned(), order_id.to_owned())]
}

/// The list at a field; the answer itself where it is one.
fn items(entry: &Entry, field: &str, answer: &Value) -> Result<Vec<Value>, CallError> {
    let pointer = entry.field(field);
    let found = answer.pointer(pointer).filter(|value| value.is_array());
    let known = ["/data", "/result", "/results"].iter().find_map(|pointer| answer.pointer(pointer));
    match found.or(known.filter(|value| value.is_array())) {
        Some(Value::Array(list)) => Ok(list.clone()),
        _ => Err(CallError::unreadable(
            entry,
            format!(
                "the answer holds no list{}; if it is elsewhere, set [operations.{}.fields] {field}",
                if pointer.is_empty() { String::new() } else { format!(" at {pointer}") },
                entry.operation.name
            ),
        )),
    }
}

/// A text or a number as text; none where it is blank.
pub(super) fn text(entry: &Entry, field: &str, answer: &Value) -> Option<String> {
    let text = match answer.pointer(entry.field(field))? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn flag(entry: &Entry, field: &str, answer: &Value) -> bool {
    match answer.pointer(entry.field(field)) {
        Some(Value::Bool(flag)) => *flag,
        Some(Value::Number(number)) => number.as_f64().is_some_and(|number| number != 0.0),
        Some(Value::String(text)) => matches!(text.trim().to_lowercase().as_str(), "true" | "yes" | "y" | "1"),
        _ => false,
    }
}

/// Epoch milliseconds, or an ISO 8601 time.
fn epoch_ms(text: &str) -> Option<i64> {
    let number = text.split_once('.').map_or(text, |(whole, _)| whole).parse().ok();
    number.or_else(|| text.parse::<Timestamp>().ok().map(Timestamp::as_millisecond))
}
