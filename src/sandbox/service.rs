//! Answers one request.

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;

use crate::api::operation::encode;

use super::book::{Book, Booking};
use super::contract::{Version, faults_of_shipment, faults_of_webhook};
use super::faults::{Answer, Faults};
use super::identity::{Identities, Identity};
use super::operations::{Asked, Memory};

/// Requests longer than this are not read.
const BODY_BYTES_MAX: usize = 4 << 20;

/// Where addresses for tracking events are registered.
const WEBHOOK: &str = "/v1/external/shipments/track/webhook";

/// Where one order is looked up.
const ORDERS: &str = "/sandbox/orders/";

/// The connection is to be dropped without another byte.
#[derive(Debug, thiserror::Error)]
#[error("the sandbox cuts this connection on purpose")]
pub(super) struct Cut;

pub(super) type Answered = Response<Full<Bytes>>;
pub(super) type Reply = Result<Answered, Cut>;

/// The state that all connections share.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) book: Book,
    pub(super) faults: Faults,
    pub(super) token: String,
    pub(super) script: Mutex<VecDeque<Answer>>,
    pub(super) scripts: Mutex<HashMap<String, VecDeque<Answer>>>,
    pub(super) identities: Identities,
    pub(super) memory: Memory,
    /// How long a shipment stays at each step of its way.
    pub(super) tracking_step: Duration,
    pub(super) keep_bodies: bool,
    /// Forward shipments that arrive after so many requests wait.
    pub(super) held_after: watch::Sender<u64>,
}

/// No wait is none: a timer's shortest would be a millisecond.
async fn wait(time: Duration) {
    if !time.is_zero() {
        tokio::time::sleep(time).await;
    }
}

impl Service {
    pub(super) async fn answer(&self, request: Request<Incoming>) -> Reply {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        match (&method, path.as_str()) {
            (&Method::GET, "/sandbox/counts") => Ok(reply(StatusCode::OK, &self.book.counts())),
            (&Method::GET, "/sandbox/book") => Ok(reply(StatusCode::OK, &self.book.to_json())),
            (&Method::GET, "/sandbox/orders") => {
                let number = query(request.uri().query().unwrap_or_default()).remove("orderNumber").unwrap_or_default();
                Ok(self.found(&request, &encode(&number)))
            }
            (&Method::GET, path) if path.starts_with(ORDERS) => Ok(self.found(&request, &path[ORDERS.len()..])),
            (&Method::POST, "/v2/external/shipments/forward-shipment") => self.shipment(request, Version::V2).await,
            (&Method::POST, "/v1/external/shipments/forward-shipment") => self.shipment(request, Version::V1).await,
            (&Method::POST, WEBHOOK) => self.webhook(request).await,
            _ => self.other(request).await,
        }
    }

    async fn other(&self, request: Request<Incoming>) -> Reply {
        let arrival = self.book.request();
        let authorized = self.authorized(&request);
        let (parts, body) = request.into_parts();
        let body = collect(body).await?;
        wait(self.faults.delay(arrival)).await;
        let path = parts.uri.path();
        let scripted = lock(&self.scripts).get_mut(path).and_then(VecDeque::pop_front);
        if let Some(answer) = scripted
            && answer != Answer::Plain
        {
            return self.unusually(answer, "", &body).await;
        }
        let header = |name| parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        if path == "/v1/external/auth/login" && parts.method == Method::POST {
            return Ok(self.login(&body));
        }
        if path.starts_with("/sandbox/files/") {
            return Ok(self.file(path, header(AUTHORIZATION).is_some()));
        }
        if !authorized {
            return Ok(self.turned_away());
        }
        Ok(self.operate(&Asked {
            method: parts.method.as_str(),
            path,
            query: query(parts.uri.query().unwrap_or_default()),
            body: &body,
            host: header(HOST).unwrap_or("127.0.0.1"),
        }))
    }

    /// A look-up by order number, which the contract does not have.
    fn found(&self, request: &Request<Incoming>, encoded: &str) -> Response<Full<Bytes>> {
        self.book.request();
        if !self.authorized(request) {
            return self.turned_away();
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
        let _under_way = self.book.under_way();
        let arrival = self.book.request();
        let authorized = self.authorized(&request);
        let json = is_json(&request);
        let bytes = collect(request.into_body()).await?;
        wait(self.faults.delay(arrival)).await;
        // The sender lives as long as this service.
        let _ = self.held_after.subscribe().wait_for(|requests| arrival <= *requests).await;
        let body: Option<Value> = serde_json::from_slice(&bytes).ok();
        let number = body.as_ref().and_then(|body| body["orderNumber"].as_str()).unwrap_or_default().to_owned();
        self.book.post(&number);
        let unusual = self.unusual(arrival, &number).filter(|answer| *answer != Answer::Plain);
        if let Some(answer) = unusual {
            return self.unusually(answer, &number, &bytes).await;
        }
        if !authorized {
            return Ok(self.turned_away());
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
            let order_id = self.identities.next().order_id;
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
        let Identity { order_id, awb, .. } = self.identities.next();
        let body = if self.keep_bodies { bytes.to_vec() } else { Vec::new() };
        let booking = Booking { order_number: number.to_owned(), awb, order_id, body, at_ms: 0 };
        self.book.enter(booking.clone());
        for (_, url) in lock(&self.memory.webhooks).iter() {
            let event = json!({"event": "shipment.booked", "orderId": booking.order_id, "trackingCode": booking.awb,
                "orderNumber": number, "status": {"subStatus": "pickup_awaited"}});
            tokio::spawn(deliver(url.clone(), event));
        }
        booking
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
            Answer::CutBefore | Answer::Plain => Err(Cut),
            Answer::CutAfter => {
                self.book_order(number, bytes);
                Err(Cut)
            }
            Answer::BookedSilent(time) => {
                self.book_order(number, bytes);
                tokio::time::sleep(time.min(Duration::from_hours(1))).await;
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
        let bytes = collect(request.into_body()).await?;
        let scripted = lock(&self.scripts).get_mut(WEBHOOK).and_then(VecDeque::pop_front);
        if let Some(answer) = scripted {
            return self.unusually(answer, "", &bytes).await;
        }
        if !authorized {
            return Ok(self.turned_away());
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
        let id = self.identities.next().order_id;
        let url = body["url"].as_str().unwrap_or_default().to_owned();
        if body["enabled"] == true {
            lock(&self.memory.webhooks).push((id.clone(), url));
        }
        let now = Timestamp::now().as_millisecond().to_string();
        let answer = json!({"endpointId": id, "url": body["url"], "enabled": body["enabled"],
            "contentType": body["contentType"], "createdAt": now, "updatedAt": now});
        Ok(reply(StatusCode::CREATED, &answer))
    }

    fn turned_away(&self) -> Answered {
        self.book.turn_away();
        refusal(StatusCode::UNAUTHORIZED, "Unauthorized")
    }

    fn authorized(&self, request: &Request<Incoming>) -> bool {
        let given = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let Some(token) = given.and_then(|given| given.strip_prefix("Bearer ")) else { return false };
        token == self.token || lock(&self.memory.tokens).get(token).is_some_and(|until| *until > Instant::now())
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn collect(body: Incoming) -> Result<Bytes, Cut> {
    let body = Limited::new(body, BODY_BYTES_MAX).collect().await;
    body.map(http_body_util::Collected::to_bytes).map_err(|_| Cut)
}

fn is_json(request: &Request<Incoming>) -> bool {
    let given = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    given.is_some_and(|given| given.starts_with("application/json"))
}

pub(super) fn refusal(status: StatusCode, message: &str) -> Response<Full<Bytes>> {
    reply(status, &json!({"statusCode": status.as_u16(), "message": message}))
}

pub(super) fn reply(status: StatusCode, body: &Value) -> Response<Full<Bytes>> {
    let json = [("content-type".to_owned(), "application/json".to_owned())];
    raw(status.as_u16(), &json, body.to_string())
}

pub(super) fn file(kind: &str, bytes: Vec<u8>) -> Answered {
    let mut response = raw(200, &[("content-type".to_owned(), kind.to_owned())], String::new());
    *response.body_mut() = Full::new(Bytes::from(bytes));
    response
}

/// Names and values of a query, decoded.
fn query(text: &str) -> HashMap<String, String> {
    let decoded = |text: &str| {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let Some((first, behind)) = rest.split_first() {
            let hex = behind.get(..2).and_then(|two| std::str::from_utf8(two).ok());
            let byte = hex.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| *first == b'%');
            bytes.push(byte.unwrap_or(*first));
            rest = if byte.is_some() { &behind[2..] } else { behind };
        }
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
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

/// A receiver may take this long.
const PATIENCE: Duration = Duration::from_secs(10);

/// Posts an event to an address, at most three times; only plain HTTP on loopback is delivered to.
pub(super) async fn deliver(url: String, event: Value) {
    for _ in 0..3 {
        if tokio::time::timeout(PATIENCE, post(&url, &event)).await == Ok(Some(true)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Whether the receiver took it.
async fn post(url: &str, event: &Value) -> Option<bool> {
    let rest = url.strip_prefix("http://")?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let address: std::net::SocketAddr = host.parse().ok()?;
    if !address.ip().is_loopback() {
        return None;
    }
    let body = event.to_string();
    let mut stream = TcpStream::connect(address).await.ok()?;
    let request = format!(
        "POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = String::new();
    stream.take(1024).read_to_string(&mut answer).await.ok()?;
    Some(answer.starts_with("HTTP/1.1 2"))
}
