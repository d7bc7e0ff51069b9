//! Answers one request.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE};
use hyper::{Method, Request, Response, StatusCode};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::api::operation::encode;

use super::book::{Book, Booking};
use super::contract::{Version, faults_of_shipment, faults_of_webhook};
use super::faults::{Answer, Faults};

/// Requests longer than this are not read.
const BODY_BYTES_MAX: usize = 4 << 20;

/// Where one order is looked up.
const ORDERS: &str = "/sandbox/orders/";

/// The connection is to be dropped without another byte.
#[derive(Debug, thiserror::Error)]
#[error("the sandbox cuts this connection on purpose")]
pub(super) struct Cut;

type Reply = Result<Response<Full<Bytes>>, Cut>;

/// The state that all connections share.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) book: Book,
    pub(super) faults: Faults,
    pub(super) token: String,
    pub(super) script: Mutex<VecDeque<Answer>>,
    pub(super) scripts: Mutex<HashMap<String, VecDeque<Answer>>>,
    /// Tells the shipments of this process from those of another.
    pub(super) epoch: String,
    pub(super) counter: AtomicU64,
}

impl Service {
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Reply {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        match (&method, path.as_str()) {
            (&Method::GET, "/sandbox/book") => Ok(reply(StatusCode::OK, &self.book.to_json())),
            (&Method::GET, path) if path.starts_with(ORDERS) => Ok(self.found(&request, &path[ORDERS.len()..])),
            (&Method::POST, "/v2/external/shipments/forward-shipment") => self.shipment(request, Version::V2).await,
            (&Method::POST, "/v1/external/shipments/forward-shipment") => self.shipment(request, Version::V1).await,
            (&Method::POST, "/v1/external/shipments/track/webhook") => self.webhook(request).await,
            _ => {
                self.book.request();
                Ok(refusal(StatusCode::NOT_FOUND, &format!("Cannot {method} {path}")))
            }
        }
    }

    /// A look-up by order number, which the contract does not have.
    fn found(&self, request: &Request<Incoming>, encoded: &str) -> Response<Full<Bytes>> {
        self.book.request();
        if !self.authorized(request) {
            return refusal(StatusCode::UNAUTHORIZED, "Unauthorized");
        }
        match self.book.bookings().into_iter().find(|booking| encode(&booking.order_number) == encoded) {
            Some(booking) => reply(
                StatusCode::OK,
                &json!({"orderNumber": booking.order_number, "trackingCode": booking.awb, "orderId": booking.order_id}),
            ),
            None => refusal(StatusCode::NOT_FOUND, "no shipment of this order"),
        }
    }

    async fn shipment(&self, request: Request<Incoming>, version: Version) -> Reply {
        let arrival = self.book.request();
        let authorized = self.authorized(&request);
        let json = is_json(&request);
        let bytes = collect(request).await?;
        if !self.faults.latency.is_zero() {
            tokio::time::sleep(self.faults.latency).await;
        }
        let body: Option<Value> = serde_json::from_slice(&bytes).ok();
        let number = body.as_ref().and_then(|body| body["orderNumber"].as_str()).unwrap_or_default().to_owned();
        self.book.post(&number);
        if let Some(answer) = self.unusual(arrival, &number) {
            return self.unusually(answer, &number, &bytes).await;
        }
        if !authorized {
            return Ok(refusal(StatusCode::UNAUTHORIZED, "Unauthorized"));
        }
        if !json {
            return Ok(refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Content-Type must be application/json"));
        }
        let Some(body) = body else {
            return Ok(refusal(StatusCode::BAD_REQUEST, "the body is not JSON"));
        };
        let faults = faults_of_shipment(&body, version);
        if !faults.is_empty() {
            return Ok(reply(
                StatusCode::BAD_REQUEST,
                &json!({"statusCode": 400, "message": faults, "error": "Bad Request"}),
            ));
        }
        Ok(self.purchase(&body, &number, &bytes))
    }

    /// Books, unless the PIN code is one of those that never can be.
    fn purchase(&self, body: &Value, number: &str, bytes: &[u8]) -> Response<Full<Bytes>> {
        let pin = body["destination"]["pinCode"].as_str().unwrap_or_default();
        let created = Timestamp::now().as_millisecond().to_string();
        if pin.len() == 6 && pin.starts_with("999") {
            let text = format!("PIN code {pin} is not serviceable by any courier");
            let error = match pin {
                "999002" => json!({"code": "NOT_SERVICEABLE", "message": text}),
                "999003" => {
                    json!([{"carrier": "Delhivery", "message": text}, {"carrier": "bluedart", "message": text}])
                }
                _ => Value::String(text),
            };
            let (order_id, _) = self.next();
            let answer = json!({"orderId": order_id, "awb": null, "cratedAt": created, "carrier": null, "service": null,
                "shipmentPurchaseError": error});
            return reply(StatusCode::OK, &answer);
        }
        let booking = self.book_order(number, bytes);
        let or = |name: &str, default: &str| {
            let wanted = body[name].as_str().unwrap_or_default();
            if wanted.is_empty() { default.to_owned() } else { wanted.to_owned() }
        };
        let answer = json!({"orderId": booking.order_id, "awb": booking.awb, "cratedAt": created,
            "carrier": or("carrier", "Delhivery"), "service": or("service", "Surface"), "shipmentPurchaseError": null});
        reply(StatusCode::CREATED, &answer)
    }

    fn book_order(&self, number: &str, bytes: &[u8]) -> Booking {
        let (order_id, awb) = self.next();
        let booking = Booking { order_number: number.to_owned(), awb, order_id, body: bytes.to_vec(), at_ms: 0 };
        self.book.enter(booking.clone());
        booking
    }

    /// The next order id and AWB: never the same twice, not even in another process.
    fn next(&self) -> (String, String) {
        let count = self.counter.fetch_add(1, Ordering::Relaxed);
        (format!("SB-{}-{count}", self.epoch), format!("SBX{}{count:06}", self.epoch))
    }

    fn unusual(&self, arrival: u64, number: &str) -> Option<Answer> {
        let of_order = lock(&self.scripts).get_mut(number).and_then(VecDeque::pop_front);
        of_order.or_else(|| lock(&self.script).pop_front()).or_else(|| self.faults.draw(arrival))
    }

    async fn unusually(&self, answer: Answer, number: &str, bytes: &[u8]) -> Reply {
        match answer {
            Answer::TooMany(seconds) => {
                let mut response = refusal(StatusCode::TOO_MANY_REQUESTS, "ThrottlerException: Too Many Requests");
                response.headers_mut().insert("retry-after", seconds.into());
                Ok(response)
            }
            Answer::Status(status, body) => Ok(raw(status, &[], body)),
            Answer::Full(status, headers, body) => Ok(raw(status, &headers, body)),
            Answer::BookedThen(status, body) => {
                self.book_order(number, bytes);
                Ok(raw(status, &[], body))
            }
            Answer::CutBefore => Err(Cut),
            Answer::CutAfter => {
                self.book_order(number, bytes);
                Err(Cut)
            }
            Answer::Silent(time) => {
                tokio::time::sleep(time.min(Duration::from_hours(1))).await;
                Err(Cut)
            }
        }
    }

    async fn webhook(&self, request: Request<Incoming>) -> Reply {
        self.book.request();
        let authorized = self.authorized(&request);
        let bytes = collect(request).await?;
        if !authorized {
            return Ok(refusal(StatusCode::UNAUTHORIZED, "Unauthorized"));
        }
        let Ok(body) = serde_json::from_slice::<Value>(&bytes) else {
            return Ok(refusal(StatusCode::BAD_REQUEST, "the body is not JSON"));
        };
        let faults = faults_of_webhook(&body);
        if !faults.is_empty() {
            return Ok(reply(
                StatusCode::BAD_REQUEST,
                &json!({"statusCode": 400, "message": faults, "error": "Bad Request"}),
            ));
        }
        let (id, _) = self.next();
        let now = Timestamp::now().as_millisecond().to_string();
        let answer = json!({"endpointId": id, "url": body["url"], "enabled": body["enabled"],
            "contentType": body["contentType"], "createdAt": now, "updatedAt": now});
        Ok(reply(StatusCode::CREATED, &answer))
    }

    fn authorized(&self, request: &Request<Incoming>) -> bool {
        let given = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        given.and_then(|given| given.strip_prefix("Bearer ")) == Some(self.token.as_str())
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn collect(request: Request<Incoming>) -> Result<Bytes, Cut> {
    let body = Limited::new(request.into_body(), BODY_BYTES_MAX).collect().await;
    body.map(http_body_util::Collected::to_bytes).map_err(|_| Cut)
}

fn is_json(request: &Request<Incoming>) -> bool {
    let given = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    given.is_some_and(|given| given.starts_with("application/json"))
}

fn refusal(status: StatusCode, message: &str) -> Response<Full<Bytes>> {
    reply(status, &json!({"statusCode": status.as_u16(), "message": message}))
}

fn reply(status: StatusCode, body: &Value) -> Response<Full<Bytes>> {
    let json = [("content-type".to_owned(), "application/json".to_owned())];
    raw(status.as_u16(), &json, body.to_string())
}

fn raw(status: u16, headers: &[(String, String)], body: String) -> Response<Full<Bytes>> {
    let mut builder = Response::builder().status(status);
    for (name, value) in headers {
        builder = builder.header(name, value);
    }
    builder.body(Full::new(Bytes::from(body))).unwrap_or_else(|_| {
        let mut response = Response::new(Full::new(Bytes::from_static(b"a scripted answer that is not HTTP")));
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        response
    })
}
