//! Receives tracking events: a secret path, a size limit, and an answer only once the event is kept.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::task::AbortHandle;

use crate::env::patience;

/// Events longer than this are refused.
const EVENT_BYTES_MAX: usize = 1 << 20;
/// A sender has so long for the headers, and so long between two events on one connection.
const HEADER_TIME_MAX: Duration = Duration::from_secs(10);
/// A sender has so long for the whole of an event.
const BODY_TIME_MAX: Duration = Duration::from_secs(10);
/// Connections that are open at a time; one more takes the place of the oldest. An event is here in a moment, so that the
/// oldest are those who send nothing.
pub(crate) const CONNECTIONS_MAX: usize = 512;
/// Until the next try, where the system has no room for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
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
pub(crate) async fn receive<K>(listener: TcpListener, secret: String, keep: K)
where
    K: Fn(Event) -> bool + Send + Sync + 'static,
{
    let (keep, secret) = (Arc::new(keep), Arc::new(secret));
    let mut open: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        let accepted = listener.accept().await;
        open.retain(|connection| !connection.is_finished());
        if accepted.is_err() || open.len() >= CONNECTIONS_MAX {
            // Whoever waits for its answer comes again; an event that is kept already counts once.
            open.pop_front().inspect(AbortHandle::abort);
        }
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let (keep, secret) = (Arc::clone(&keep), Arc::clone(&secret));
        let connection = tokio::spawn(async move {
            let answer = service_fn(move |request| {
                let (keep, secret) = (Arc::clone(&keep), Arc::clone(&secret));
                async move { Ok::<_, Infallible>(answer(request, &secret, &*keep).await) }
            });
            // How a connection ends is its client's matter.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(patience(HEADER_TIME_MAX))
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
        open.push_back(connection.abort_handle());
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
    let body = Limited::new(request.into_body(), EVENT_BYTES_MAX).collect();
    let body = match tokio::time::timeout(patience(BODY_TIME_MAX), body).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return status(StatusCode::PAYLOAD_TOO_LARGE),
        // Whoever sends a byte now and then would hold its place for ever.
        Err(_) => return status(StatusCode::REQUEST_TIMEOUT),
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
    let mut names = Vec::new();
    let mut status = None;
    match serde_json::from_slice::<Value>(&body) {
        Ok(json) => {
            collect(&json, 0, &mut names);
            status = status_in(&json);
        }
        Err(_) => names = words(&body),
    }
    Event { sha256: Sha256::digest(&body).into(), content_type, status, names, body }
}

/// The status in an event's body, where it says one as tracking does.
pub(crate) fn status_of(body: &[u8]) -> Option<String> {
    status_in(&serde_json::from_slice(body).ok()?)
}

fn status_in(json: &Value) -> Option<String> {
    let said = ["/status/subStatus", "/subStatus", "/status"].iter().find_map(|at| json.pointer(at)?.as_str());
    said.map(|text| crate::text::shortened(text, 60))
}

/// What may be an AWB or an order id in an event that is no JSON: a form, XML, or plain text. All of them hold a digit.
fn words(body: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(body).replace("%2D", "-").replace("%2d", "-").replace("%5F", "_");
    let mut words: Vec<String> = Vec::new();
    // An encoded sign ends a word as the sign itself does.
    for part in text.split('%').enumerate().map(|(n, part)| part.get(if n == 0 { 0 } else { 2 }..).unwrap_or_default())
    {
        for word in part.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_') {
            let is_one = (3..=64).contains(&word.len()) && word.bytes().any(|byte| byte.is_ascii_digit());
            if is_one && words.len() < NAMES_MAX && !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
    }
    words
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
        let xml = b"<e><awb>AWB-123</awb><id no='SB-9'/></e>".to_vec();
        assert_eq!(event(None, xml).names, ["AWB-123", "SB-9"]);
        assert_eq!(event(None, b"awb=AWB%2D1&id=A_2%26x&n=1".to_vec()).names, ["AWB-1", "A_2"]);
        let deep = "[".repeat(100) + &"]".repeat(100);
        assert_eq!(event(None, deep.into_bytes()).names, Vec::<String>::new());
        assert_eq!(event(None, vec![0xff, 0xfe]).status, None);
    }
}
