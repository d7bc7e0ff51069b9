//! The operations beside booking.

use hyper::StatusCode;
use hyper::body::Bytes;
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::identity::{Identity, known};
use super::service::{Answered, Service, file, lock, refusal, reply};

/// What the sandbox remembers beside its book.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Tokens from logins, and until when each is taken.
    pub(super) tokens: Mutex<HashMap<String, Instant>>,
    /// Cancelled order ids.
    cancelled: Mutex<BTreeMap<String, i64>>,
    /// Webhook endpoints: id and address.
    pub(super) webhooks: Mutex<Vec<(String, String)>>,
    warehouses: Mutex<BTreeMap<String, Value>>,
    /// What was decided about failed deliveries.
    decisions: Mutex<Vec<Value>>,
}

/// A request without its connection.
pub(super) struct Asked<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) query: HashMap<String, String>,
    pub(super) body: &'a Bytes,
    /// Where the sandbox itself is.
    pub(super) host: &'a str,
}

/// Statuses that a shipment goes through, one step after the other.
const WAY: [(&str, &str); 5] = [
    ("pickup_scheduled", "Pickup scheduled"),
    ("in_transit", "Left the origin hub"),
    ("in_transit", "Reached the destination hub"),
    ("out_for_delivery", "Out for delivery"),
    ("delivered", "Delivered"),
];
/// What becomes of each tenth instead.
const BACK: [(&str, &str); 2] = [("undelivered", "Consignee not available"), ("rto_initiated", "On its way back")];

impl Service {
    /// Answers what a token opens.
    pub(super) fn operate(&self, asked: &Asked<'_>) -> Answered {
        let body: Value = serde_json::from_slice(asked.body).unwrap_or(Value::Null);
        let parts: Vec<&str> = asked.path.trim_start_matches('/').split('/').collect();
        match (asked.method, parts.as_slice()) {
            ("GET", ["v1", "external", "shipments"]) => self.details(asked),
            ("GET", ["v1", "external", "shipments", "track"]) => self.track(asked),
            ("PUT", ["v1", "external", "shipments", id, "cancel"]) => self.cancel(id),
            ("GET", ["v1", "external", "shipments", id, "label-url"]) => match known(id) {
                Some(_) => {
                    let url = format!("http://{}/sandbox/files/label/{id}.pdf", asked.host);
                    reply(StatusCode::OK, &json!({ "labelUrl": url }))
                }
                None => not_found(id),
            },
            ("GET", ["v1", "external", "shipments", id, "label"]) => self.document("label", id),
            ("GET", ["v1", "external", "shipments", id, "invoice"]) => self.document("invoice", id),
            ("GET", ["v1", "external", "carrier", "serviceability"]) => serviceability(asked),
            ("POST", ["v1", "external", "shipments", "rates"]) => rates(&body),
            ("GET", ["sandbox", "couriers"]) => {
                reply(StatusCode::OK, &json!([{"name": "Delhivery"}, {"name": "bluedart"}]))
            }
            ("PUT" | "POST", ["sandbox", "ndr", id]) => self.decide(id, &body),
            (_, ["sandbox", "warehouses", ..]) => self.warehouses(asked.method, parts.get(2).copied(), body),
            _ => refusal(StatusCode::NOT_FOUND, &format!("Cannot {} {}", asked.method, asked.path)),
        }
    }

    /// A token for the right e-mail address and password; a 500 for all else, as the real service has it.
    pub(super) fn login(&self, body: &Bytes) -> Answered {
        let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
        let is_right = body["emailAddress"] == super::DEFAULT_EMAIL && body["password"] == super::DEFAULT_PASSWORD;
        if !is_right {
            return refusal(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error");
        }
        self.book.login();
        let token = format!("sandbox-{:032x}", fastrand::u128(..));
        let mut tokens = lock(&self.memory.tokens);
        tokens.retain(|_, until| *until > Instant::now());
        tokens.insert(token.clone(), Instant::now() + self.faults.token_life);
        reply(StatusCode::OK, &json!({"idToken": "-", "accessToken": token, "refreshToken": "-"}))
    }

    /// A file that a label's address leads to; whoever shows a token here gives it to a stranger.
    pub(super) fn file(&self, path: &str, shows_token: bool) -> Answered {
        if shows_token {
            return refusal(StatusCode::BAD_REQUEST, "a token was sent to where it does not belong");
        }
        let id = path.strip_prefix("/sandbox/files/label/").and_then(|name| name.strip_suffix(".pdf"));
        id.map_or_else(|| not_found(path), |id| self.document("label", id))
    }

    fn document(&self, kind: &str, id: &str) -> Answered {
        let Some((Identity { order_id, awb, .. }, _)) = known(id) else { return not_found(id) };
        let number = self.book.by_order_id(&order_id).map(|booking| booking.order_number).unwrap_or_default();
        let title = if kind == "label" { format!("AWB {awb}") } else { format!("INVOICE {awb}") };
        file("application/pdf", page(&title, &[format!("Order {number}"), order_id, "SANDBOX - not valid".into()]))
    }

    fn details(&self, asked: &Asked<'_>) -> Answered {
        let ids = asked.query.get("orderIds").map(String::as_str).unwrap_or_default();
        let shipments: Vec<Value> = ids
            .split(',')
            .filter_map(known)
            .map(|(identity, at_ms)| {
                let number = self.book.by_order_id(&identity.order_id).map(|booking| booking.order_number);
                json!({"id": identity.count, "orderId": identity.order_id, "orderNumber": number,
                    "trackingCode": identity.awb, "createdAt": at_ms.to_string(),
                    "shipmentPaymentDetails": {"amount": "54.20", "currency": "INR"}})
            })
            .collect();
        reply(StatusCode::OK, &Value::from(shipments))
    }

    fn cancel(&self, id: &str) -> Answered {
        let Some((identity, at_ms)) = known(id) else { return not_found(id) };
        let now = Timestamp::now().as_millisecond();
        let mut cancelled = lock(&self.memory.cancelled);
        if cancelled.contains_key(id) {
            return refusal(StatusCode::BAD_REQUEST, "Shipment is cancelled already");
        }
        cancelled.insert(id.to_owned(), now);
        reply(
            StatusCode::OK,
            &json!({"id": identity.count, "createdAt": at_ms.to_string(), "updatedAt": now.to_string(),
                "refundStatus": "REFUND_INITIATED", "trackingCode": identity.awb}),
        )
    }

    fn track(&self, asked: &Asked<'_>) -> Answered {
        let id = asked.query.get("orderId").map(String::as_str).unwrap_or_default();
        let Some((identity, at_ms)) = known(id) else { return not_found(id) };
        let checkpoints = self.way(&identity, at_ms);
        let status = checkpoints.last().map_or("pickup_awaited", |(status, ..)| *status);
        let list: Vec<Value> = checkpoints
            .iter()
            .map(|(status, message, at)| {
                json!({"status": {"subStatus": status}, "message": message, "checkpointEventTime": at.to_string(),
                    "address": {"rawLocation": "Bengaluru"}})
            })
            .collect();
        reply(
            StatusCode::OK,
            &json!({"orderId": id, "trackingCode": identity.awb, "status": {"subStatus": status}, "checkpointList": list}),
        )
    }

    /// What has happened to a shipment so far: a step at a time.
    pub(super) fn way(&self, identity: &Identity, at_ms: i64) -> Vec<(&'static str, &'static str, i64)> {
        let step = i64::try_from(self.tracking_step.max(Duration::from_millis(1)).as_millis()).unwrap_or(i64::MAX);
        let way = if identity.count.is_multiple_of(10) { WAY[..4].iter().chain(&BACK) } else { WAY.iter().chain(&[]) };
        let now = Timestamp::now().as_millisecond();
        let happened = (1_i64..)
            .zip(way)
            .map(|(n, (status, text))| (*status, *text, at_ms.saturating_add(step.saturating_mul(n))));
        let mut happened: Vec<_> = happened.take_while(|(.., at)| *at <= now).collect();
        if let Some(at) = lock(&self.memory.cancelled).get(&identity.order_id) {
            happened.retain(|(.., moment)| moment <= at);
            happened.push(("cancelled", "Cancelled by the seller", *at));
        }
        happened
    }

    fn decide(&self, id: &str, body: &Value) -> Answered {
        if known(id).is_none() {
            return not_found(id);
        }
        if !body["action"].is_string() {
            return refusal(StatusCode::BAD_REQUEST, "action must be a string");
        }
        lock(&self.memory.decisions).push(body.clone());
        reply(StatusCode::OK, &json!({"orderId": id, "accepted": body["action"]}))
    }

    fn warehouses(&self, method: &str, id: Option<&str>, body: Value) -> Answered {
        let mut warehouses = lock(&self.memory.warehouses);
        if warehouses.is_empty() {
            warehouses.insert("WH-1".to_owned(), json!({"id": "WH-1", "name": "Bengaluru"}));
        }
        match (method, id) {
            ("GET", None) => reply(StatusCode::OK, &warehouses.values().cloned().collect()),
            ("GET", Some(id)) => {
                warehouses.get(id).map_or_else(|| no_warehouse(id), |found| reply(StatusCode::OK, found))
            }
            ("POST", None) | ("PUT", Some(_)) if !body.is_object() => {
                refusal(StatusCode::BAD_REQUEST, "the body must be an object")
            }
            ("POST", None) => {
                let id = format!("WH-{}", warehouses.len() + 1);
                let mut made = body;
                made["id"] = Value::from(id.clone());
                warehouses.insert(id, made.clone());
                reply(StatusCode::CREATED, &made)
            }
            ("PUT", Some(id)) => match warehouses.get_mut(id) {
                Some(found) => {
                    for (name, value) in body.as_object().into_iter().flatten() {
                        found[name] = value.clone();
                    }
                    reply(StatusCode::OK, found)
                }
                None => no_warehouse(id),
            },
            _ => refusal(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed"),
        }
    }
}

fn no_warehouse(id: &str) -> Answered {
    refusal(StatusCode::NOT_FOUND, &format!("Warehouse {id} not found"))
}

fn not_found(id: &str) -> Answered {
    refusal(StatusCode::NOT_FOUND, &format!("Shipment {id} not found"))
}

/// Couriers between two PIN codes: none to 999…, only paid orders to those that end in 9.
fn serviceability(asked: &Asked<'_>) -> Answered {
    let pin =
        |name: &str| asked.query.get(name).filter(|pin| pin.len() == 6 && pin.bytes().all(|b| b.is_ascii_digit()));
    let (Some(_), Some(to)) = (pin("origin_pin"), pin("destination_pin")) else {
        return refusal(StatusCode::BAD_REQUEST, "origin_pin and destination_pin must have six digits");
    };
    if to.starts_with("999") {
        return reply(StatusCode::OK, &json!([]));
    }
    let cod = !to.ends_with('9');
    let courier = |carrier: &str, zone: &str| {
        json!({"carrier": carrier, "zone": zone, "prepaidActive": true, "codActive": cod, "replacementActive": true,
            "reversePickupActive": cod})
    };
    reply(StatusCode::OK, &json!([courier("Delhivery", "B"), courier("bluedart", "C")]))
}

fn rates(body: &Value) -> Answered {
    let mut faults = Vec::new();
    for name in ["length", "breadth", "height"] {
        if !body[name].is_number() {
            faults.push(format!("{name} must be a number"));
        }
    }
    for name in ["weight", "invoice_value", "delivery_type", "order_type", "pickup_pincode", "drop_pincode"] {
        if !body[name].is_string() {
            faults.push(format!("{name} must be a string"));
        }
    }
    if !faults.is_empty() {
        return reply(StatusCode::BAD_REQUEST, &json!({"statusCode": 400, "message": faults}));
    }
    let rate = |id: u32, carrier: &str, service: &str, price: &str, days: u32| {
        json!({"id": id, "carrier": carrier, "service": service, "rate": price, "forwardFreightCharges": price,
            "codCharges": "0.00", "rtoCharges": "38.00", "zone": "B", "currency": "INR", "est_delivery_days": days,
            "charged_weight": body["weight"]})
    };
    reply(
        StatusCode::OK,
        &json!({"rates": [rate(1, "Delhivery", "Surface", "54.20", 4), rate(2, "bluedart", "Express", "96.50", 2)]}),
    )
}

/// A label of four by six inches.
fn page(title: &str, lines: &[String]) -> Vec<u8> {
    // So large that all of it is on the page: an AWB is told from others by its last digits.
    let size = (370 / title.chars().count().max(1)).clamp(8, 18);
    let mut text = format!("BT /F1 {size} Tf 24 392 Td ({}) Tj /F1 11 Tf", escaped(title));
    for line in lines {
        let _ = write!(text, " 0 -22 Td ({}) Tj", escaped(line));
    }
    text.push_str(" ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut pdf = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        offsets.push(pdf.len());
        let _ = writeln!(pdf, "{number} 0 obj\n{object}\nendobj");
    }
    let start = pdf.len();
    let _ = writeln!(pdf, "xref\n0 {}\n0000000000 65535 f ", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(pdf, "{offset:010} 00000 n ");
    }
    let _ = writeln!(pdf, "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF", objects.len() + 1);
    pdf.into_bytes()
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' | ')' | '\\' => escaped.extend(['\\', c]),
            ' '..='~' => escaped.push(c),
            _ => escaped.push('?'),
        }
    }
    escaped
}
