//! The operations beside booking, typed: what is known of an answer has a name, the whole of it is kept as well.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
pub use serde_json::value::RawValue;
pub use serde_json::{Map, Number, Value};

use super::answer::{NotUnderstood, ShipmentRef, Told, told, told_of};
use super::caller::{CallError, Caller, naming};
use super::json::Json;
use super::operation::{
    Entry, LIST_COURIERS, LIST_WAREHOUSES, QUOTE, REGISTER_WEBHOOK, SERVICEABILITY, SHIPMENT_DETAILS, TRACK,
};
use super::wire::WebhookRequest;

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
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Tracking {
    /// The latest status, in the service's word.
    pub status: Option<String>,
    /// What happened, the oldest first.
    pub checkpoints: Vec<Checkpoint>,
    /// The service's whole answer.
    pub answer: Value,
}

/// Something that happened to a shipment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Checkpoint {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: Option<i64>,
    /// The status, in the service's word.
    pub status: Option<String>,
    /// In words.
    pub message: Option<String>,
    /// Where.
    pub place: Option<String>,
}

/// A courier between two PIN codes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Courier {
    /// Its name.
    pub carrier: Option<String>,
    /// The zone.
    pub zone: Option<String>,
    /// Whether it takes paid orders.
    pub prepaid: bool,
    /// Whether it collects cash on delivery.
    pub cod: bool,
    /// Whether it replaces goods; null where the service does not say.
    pub replacement: Option<bool>,
    /// Whether it fetches goods back; null where the service does not say.
    pub reverse: Option<bool>,
    /// The service's whole answer.
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
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Rate {
    /// The courier.
    pub carrier: Option<String>,
    /// Its service.
    pub service: Option<String>,
    /// What the whole shipment costs, in `currency`, digit for digit.
    pub rate: Option<String>,
    /// The currency of `rate`, as the service writes it.
    pub currency: Option<String>,
    /// Days from pickup to delivery, as the service writes it.
    pub days: Option<String>,
    /// The zone.
    pub zone: Option<String>,
    /// The weight that is charged, as the service writes it.
    pub charged_weight: Option<String>,
    /// The service's whole answer.
    pub answer: Value,
}

/// A courier of the account.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NamedCourier {
    /// Its name.
    pub name: String,
    /// The service's id of it; null where it gives none.
    pub id: Option<String>,
    /// All that the service says of it.
    pub answer: Value,
}

/// A warehouse of the account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedWarehouse {
    /// The service's id of it, which bookings name.
    pub id: String,
    /// Its name, where the service tells one.
    pub name: Option<String>,
}

/// A registered address for tracking events, as far as the service says.
#[derive(Debug, Clone, PartialEq)]
pub struct Registration {
    /// The service's own id of it.
    pub id: Option<String>,
    /// Where events are delivered.
    pub url: Option<String>,
    /// Whether events are delivered.
    pub enabled: Option<bool>,
    /// The type of what is delivered.
    pub content_type: Option<String>,
    /// When it was registered.
    pub created: Option<String>,
    /// When it was changed last.
    pub updated: Option<String>,
    /// All of it.
    pub answer: Value,
}

impl Caller {
    /// What the service knows of a shipment.
    pub async fn details<'s>(&self, shipment: impl Into<ShipmentRef<'s>>) -> Result<Details, CallError> {
        let (entry, shipment) = (self.entry(&SHIPMENT_DETAILS), shipment.into());
        let answer = self.json(&entry, &naming(&entry, &shipment)?, None).await?;
        let told = told_of(&entry, &answer, &["order_id", "order_number", "awb"], &shipment)?;
        let (order_id, order_number, awb) = (told.name("order_id"), told.name("order_number"), told.name("awb"));
        Ok(Details { order_id, order_number, awb, answer: told.answer() })
    }

    /// Where a shipment is.
    pub async fn track<'s>(&self, shipment: impl Into<ShipmentRef<'s>>) -> Result<Tracking, CallError> {
        let (entry, shipment) = (self.entry(&TRACK), shipment.into());
        let answer = self.json(&entry, &naming(&entry, &shipment)?, None).await?;
        tracking(&told_of(&entry, &answer, &["status", "checkpoints"], &shipment)?)
    }

    /// Couriers between two PIN codes.
    pub async fn serviceability(&self, from: &str, to: &str) -> Result<Vec<Courier>, CallError> {
        let entry = self.entry(&SERVICEABILITY);
        let names = [("from", from), ("to", to)].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let placed = entry.placed(&names);
        let keyed = names.iter().map(|(name, value)| (entry.key(name).to_owned(), value.clone())).collect();
        let parameters = if placed.is_empty() { keyed } else { placed };
        let answer = self.json(&entry, &parameters, None).await?;
        let courier = |told: &Told<'_>| {
            Ok(Courier {
                carrier: told.text("carrier"),
                zone: told.text("zone"),
                prepaid: told.flag("prepaid")?.unwrap_or_default(),
                cod: told.flag("cod")?.unwrap_or_default(),
                replacement: told.flag("replacement")?,
                reverse: told.flag("reverse")?,
                answer: told.answer(),
            })
        };
        told(&entry, &answer, &["prepaid", "cod"])?.iter().map(courier).collect()
    }

    /// Prices of couriers for a parcel, as the service orders them.
    pub async fn quote(&self, parcel: &Parcel) -> Result<Vec<Rate>, CallError> {
        let entry = self.entry(&QUOTE);
        let Parcel { length, width, height, weight, value, order_type, from, to } = parcel.clone();
        let sides =
            [("length", length), ("width", width), ("height", height)].map(|(name, side)| (name, Value::from(side)));
        let texts = [("weight", weight), ("value", value), ("payment", order_type), ("from", from), ("to", to)];
        let texts = texts.map(|(name, text)| (name, Value::from(text)));
        let direction = [("direction", Value::from("FORWARD"))];
        let body = body(&entry, sides.into_iter().chain(texts).chain(direction), Map::new());
        let answer = self.json(&entry, &[], Some(body.to_string().into_bytes())).await?;
        let rate = |told: &Told<'_>| Rate {
            carrier: told.text("carrier"),
            service: told.text("service"),
            rate: told.text("rate"),
            currency: told.text("currency"),
            days: told.text("days"),
            zone: told.text("zone"),
            charged_weight: told.text("charged_weight"),
            answer: told.answer(),
        };
        Ok(told(&entry, &answer, &["rate"])?.iter().map(rate).collect())
    }

    /// The couriers of the account, where the configuration says where they are listed.
    pub async fn couriers(&self) -> Result<Vec<NamedCourier>, CallError> {
        let entry = self.entry(&LIST_COURIERS);
        let answer = self.json(&entry, &[], None).await?;
        let courier = |told: &Told<'_>| {
            let name = told.text("name").ok_or_else(|| told.unread("it tells no name", &["name"]))?;
            Ok(NamedCourier { name, id: told.name("id"), answer: told.answer() })
        };
        told(&entry, &answer, &["name"])?.iter().map(courier).collect()
    }

    /// The warehouses of the account, where the configuration says where they are listed.
    pub async fn warehouses(&self) -> Result<Vec<NamedWarehouse>, CallError> {
        let entry = self.entry(&LIST_WAREHOUSES);
        let answer = self.json(&entry, &[], None).await?;
        let warehouse = |told: &Told<'_>| {
            let id = told.name("id").ok_or_else(|| told.unread("it tells no id", &["id"]))?;
            Ok(NamedWarehouse { id, name: told.text("name") })
        };
        told(&entry, &answer, &["id"])?.iter().map(warehouse).collect()
    }

    /// Registers an address for tracking events.
    pub async fn register(&self, request: &WebhookRequest) -> Result<Registration, CallError> {
        let entry = self.entry(&REGISTER_WEBHOOK);
        let body = serde_json::to_vec(request).unwrap_or_default();
        let answer = self.json(&entry, &[], Some(body)).await?;
        registration(&entry, &answer, request)
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
            Err(error) => serde_json::json!({"content_type": reply.content_type, "bytes": error.into_bytes().len()}),
        };
        RawValue::from_string(json.to_string())
            .map_err(|error| NotUnderstood::of(entry, &error.to_string(), json.to_string().as_bytes(), None).into())
    }
}

/// A request's body: each value by the key that the service takes it by, with further fields as they are.
pub(super) fn body<'v>(
    entry: &Entry,
    values: impl IntoIterator<Item = (&'v str, Value)>,
    mut fields: Map<String, Value>,
) -> Value {
    for (name, value) in values {
        put(&mut fields, entry.key(name), value);
    }
    fields.into()
}

/// Puts a value where a key, or a path of keys, has it, unless something stands there.
fn put(fields: &mut Map<String, Value>, key: &str, value: Value) {
    let Some((outer, inner)) = key.split_once('/') else {
        fields.entry(key).or_insert(value);
        return;
    };
    if let Some(fields) = fields.entry(outer).or_insert_with(|| Map::new().into()).as_object_mut() {
        put(fields, inner, value);
    }
}

fn tracking(told: &Told<'_>) -> Result<Tracking, CallError> {
    let mut checkpoints = Vec::new();
    for checkpoint in told.list("checkpoints") {
        checkpoints.push(Checkpoint {
            at_ms: checkpoint.text("checkpoint_time").and_then(|text| epoch_ms(&text)),
            status: checkpoint.text("checkpoint_status"),
            message: checkpoint.text("checkpoint_message"),
            place: checkpoint.text("checkpoint_place"),
        });
    }
    checkpoints.sort_by_key(|checkpoint| checkpoint.at_ms);
    let latest = || checkpoints.last().and_then(|checkpoint| checkpoint.status.clone());
    let status = told.text("status").or_else(latest);
    // That there is no status yet is believed only where it says nothing else either.
    let list = told.list("checkpoints");
    if let (None, Some(first)) = (&status, list.first()) {
        return Err(first.unread("its checkpoints tell no status", &["checkpoint_status"]).into());
    }
    Ok(Tracking { status, checkpoints, answer: told.answer() })
}

fn registration(entry: &Entry, answer: &Json, request: &WebhookRequest) -> Result<Registration, CallError> {
    let objects = told(entry, answer, &["id", "url"])?;
    let [told] = objects.as_slice() else {
        let body = answer.to_string();
        return Err(NotUnderstood::of(entry, "it is not about one address", body.as_bytes(), None).into());
    };
    let (id, url) = (told.name("id"), told.text("url"));
    if id.is_none() && url.as_ref() != Some(&request.url) {
        return Err(told.unread("it tells no id", &["id"]).into());
    }
    Ok(Registration {
        id,
        url,
        enabled: told.flag("enabled")?,
        content_type: told.text("content_type"),
        created: told.text("created"),
        updated: told.text("updated"),
        answer: told.answer(),
    })
}

/// The body of an answer that was given as it came: what was no JSON is a text of it.
#[must_use]
pub fn body_of(answer: &RawValue) -> Vec<u8> {
    let text: Option<String> = serde_json::from_str(answer.get()).ok();
    text.map_or_else(|| answer.get().as_bytes().to_vec(), String::into_bytes)
}

/// Whether these are the first bytes of a PDF; some writers put a few others before them.
#[must_use]
pub fn is_pdf(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(1024)].windows(5).any(|part| part == b"%PDF-")
}

/// Epoch milliseconds or seconds, or an ISO 8601 time.
fn epoch_ms(text: &str) -> Option<i64> {
    /// No time of a shipment is so early in milliseconds, and none so late in seconds.
    const SECONDS_MAX: i64 = 100_000_000_000;
    let number: Option<i64> = text.split_once('.').map_or(text, |(whole, _)| whole).parse().ok();
    let number = number.map(|number| if number < SECONDS_MAX { number * 1000 } else { number });
    number.or_else(|| text.parse::<Timestamp>().ok().map(Timestamp::as_millisecond))
}
