//! Receives tracking events: a secret path, a size limit, and an answer only once the event is kept.

use std::convert::Infallible;
use std::sync::Arc;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Events longer than this are refused.
const EVENT_BYTES_MAX: usize = 1 << 20;
/// Connections that are served at a time.
const CONNECTIONS_MAX: usize = 64;
/// Texts of an event that are looked at for an AWB or an order id of ours.
const NAMES_MAX: usize = 200;
/// How deep an event is looked into.
const DEPTH_MAX: u32 = 16;

/// An event as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The hash of its body.
    pub sha256: [u8; 32],
    /// Its content type.
    pub content_type: Option<String>,
    /// Its body.
    pub body: Vec<u8>,
    /// Texts in it that may be an AWB or an order id.
    pub names: Vec<String>,
    /// Its status, where it says one as tracking does.
    pub status: Option<String>,
}

/// Serves events on a listener for as long as it is polled. `keep` says whether the event is kept: only then it is
/// answered with 200, and the sender need not come again.
pub async fn receive<K>(listener: TcpListener, secret: String, keep: K)
where
    K: Fn(Event) -> bool + Send + Sync + 'static,
{
    let (keep, secret) = (Arc::new(keep), Arc::new(secret));
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return };
        // A connection that failed while it was made is its client's matter.
        let Ok((stream, _)) = listener.accept().await else { continue };
        let (keep, secret) = (Arc::clone(&keep), Arc::clone(&secret));
        tokio::spawn(async move {
            let _permit = permit;
            let answer = service_fn(move |request| {
                let (keep, secret) = (Arc::clone(&keep), Arc::clone(&secret));
                async move { Ok::<_, Infallible>(answer(request, &secret, &*keep).await) }
            });
            // How a connection ends is its client's matter.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(std::time::Duration::from_secs(10))
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    secret: &str,
    keep: &(dyn Fn(Event) -> bool + Sync),
) -> Response<Full<Bytes>> {
    // Whoever does not know the path learns nothing, not even that there is one.
    if request.uri().path().trim_matches('/') != secret {
        return status(StatusCode::NOT_FOUND);
    }
    if request.method() != Method::POST {
        return status(StatusCode::METHOD_NOT_ALLOWED);
    }
    let content_type = request.headers().get("content-type").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let Ok(body) = Limited::new(request.into_body(), EVENT_BYTES_MAX).collect().await else {
        return status(StatusCode::PAYLOAD_TOO_LARGE);
    };
    let is_kept = keep(event(content_type, body.to_bytes().to_vec()));
    status(if is_kept { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE })
}

fn status(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}

fn event(content_type: Option<String>, body: Vec<u8>) -> Event {
    let json: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let mut names = Vec::new();
    collect(&json, 0, &mut names);
    let status = status_in(&json);
    Event { sha256: Sha256::digest(&body).into(), content_type, status, names, body }
}

/// The status in an event's body, where it says one as tracking does.
#[must_use]
pub fn status_of(body: &[u8]) -> Option<String> {
    status_in(&serde_json::from_slice(body).ok()?)
}

fn status_in(json: &Value) -> Option<String> {
    let said = ["/status/subStatus", "/subStatus", "/status"].iter().find_map(|at| json.pointer(at)?.as_str());
    said.map(|text| crate::text::shortened(text, 60))
}

fn collect(json: &Value, depth: u32, names: &mut Vec<String>) {
    if depth > DEPTH_MAX || names.len() >= NAMES_MAX {
        return;
    }
    match json {
        Value::String(text) if (3..=64).contains(&text.trim().len()) => names.push(text.trim().to_owned()),
        Value::Number(number) => names.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, depth + 1, names)),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, depth + 1, names)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_looked_into_and_never_trusted() {
        let told = event(None, br#"{"a":{"b":["AWB123",9]},"status":{"subStatus":"delivered"},"x":"no"}"#.to_vec());
        assert_eq!(told.names, ["AWB123", "9", "delivered"]);
        assert_eq!(told.status.as_deref(), Some("delivered"));
        let deep = "[".repeat(100) + &"]".repeat(100);
        assert_eq!(event(None, deep.into_bytes()).names, Vec::<String>::new());
        assert_eq!(event(None, vec![0xff, 0xfe]).status, None);
    }
}
