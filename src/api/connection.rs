//! A connection for one request: whatever changes something at the service is sent alone.
//!
//! An HTTP/1.1 answer belongs to a request by its place on the connection and by nothing else. Where a proxy or a server
//! has lost count, the next request on that connection gets somebody else's answer: a booked order is then called refused
//! and sent again, or has another order's AWB. So a booking has a connection of its own, asks for it to be closed behind
//! the answer, and the answer is believed only if nothing came before the request had left and nothing came after it.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes};
use hyper::client::conn::http1::{self, Parts};
use hyper::{HeaderMap, Request};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::{Instant, timeout, timeout_at};

use super::dial::{DialError, Dialer};
use super::outcome::{Lost, NotSent, Observed};
use super::watched::{LastLook, UNASKED_BYTES_MAX, Watched, Wire};

/// A service that closes the connection behind its answer, as it is asked to, does so within this time. One that does
/// not is listened to for so long after each success.
const CLOSE_PROMPT: Duration = Duration::from_millis(100);
/// How long the end of a connection is waited for that should have been closed, where an untrue answer would be acted on.
const CLOSE_WAIT: Duration = Duration::from_secs(5);

/// Opens a connection for each request.
#[derive(Debug, Clone)]
pub(super) struct Connections {
    dialer: Dialer,
    connect_timeout: Duration,
    request_timeout: Duration,
    /// Whether this service was seen to close a connection promptly, as it is asked to.
    closes: Arc<AtomicBool>,
    last_look: Option<LastLook>,
}

/// A whole answer, as it came.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

impl Connections {
    pub(super) fn new(dialer: Dialer, connect_timeout: Duration, request_timeout: Duration) -> Self {
        Self { dialer, connect_timeout, request_timeout, closes: Arc::default(), last_look: None }
    }

    /// Has requests leave only where they still may, just before their first byte.
    pub(super) fn looking(self, last_look: LastLook) -> Self {
        Self { last_look: Some(last_look), ..self }
    }

    /// Sends one request on a connection of its own; reads at most so many bytes of the answer's body.
    pub(super) async fn send(&self, request: Request<Full<Bytes>>, bytes_max: usize) -> Result<Answer, Observed> {
        let deadline = Instant::now() + self.request_timeout;
        let stream = match timeout(self.connect_timeout, self.dialer.dial()).await {
            Ok(Ok(stream)) => stream,
            Ok(Err(DialError { why, is_tls })) => {
                return Err(Observed::NotSent(if is_tls { NotSent::Tls(why) } else { NotSent::Unreachable(why) }));
            }
            Err(_) => return Err(unreachable("the connection could not be made in time")),
        };
        let wire = Arc::<Wire>::default();
        let body = usize::try_from(request.body().size_hint().exact().unwrap_or(0)).unwrap_or(usize::MAX);
        let stream = Watched::new(TokioIo::new(stream), Arc::clone(&wire), body, self.last_look.clone());
        let mut read = Read::default();
        let ended = timeout_at(deadline, exchange(TokioIo::new(stream), request, &mut read, bytes_max)).await;
        if let Some(unasked) = wire.unasked() {
            return Err(spoke_first(&wire, unasked));
        }
        match ended {
            Ok(Ok(parts)) => self.ended(read, parts).await,
            Ok(Err(why)) => Err(broken(&wire, read, Some(why))),
            Err(_) => Err(broken(&wire, read, None)),
        }
    }

    /// The answer, once it is sure that nothing comes after it.
    async fn ended(&self, read: Read, parts: Parts<TokioIo<Watched>>) -> Result<Answer, Observed> {
        let Read { head: Some((status, headers)), body } = read else {
            return Err(Observed::Lost(Lost::Broken("the connection ended before the answer".to_owned())));
        };
        // Some servers end an answer with an empty line too many: that is no second answer, and hides none.
        let mut more = parts.read_buf.to_vec();
        more.retain(|byte| !is_line_end(*byte));
        let mut stream = parts.io.into_inner().stream;
        if more.is_empty() {
            let closes = self.closes.load(Ordering::Relaxed);
            let is_success = (200..300).contains(&status);
            let patience = if is_success && !closes { CLOSE_PROMPT } else { CLOSE_WAIT };
            let begun = Instant::now();
            match timeout(patience, surplus(&mut stream)).await {
                Ok(bytes) if !bytes.is_empty() => more = bytes,
                // However it ended, nothing can come any more.
                Ok(_) => {
                    if begun.elapsed() < CLOSE_PROMPT {
                        self.closes.store(true, Ordering::Relaxed);
                    }
                }
                // Its gateway may close and the service itself may not: a success is believed after the long wait.
                Err(_) if closes && is_success => self.closes.store(false, Ordering::Relaxed),
                Err(_) if closes => {
                    let why = "the service left the connection open after it, as if another answer were to follow";
                    return Err(unbelievable(Some(status), body, why));
                }
                Err(_) => {}
            }
        }
        if more.is_empty() {
            return Ok(Answer { status, headers, body });
        }
        more.truncate(UNASKED_BYTES_MAX);
        Err(unbelievable(Some(status), [body, more].concat(), "more came after it than one answer"))
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// What comes behind an answer but for empty lines; nothing once the connection has ended.
pub(super) async fn surplus(stream: &mut (impl AsyncRead + Unpin)) -> Vec<u8> {
    let mut buffer = [0; 1_024];
    while let Ok(length @ 1..) = stream.read(&mut buffer).await {
        if !buffer[..length].iter().all(|byte| is_line_end(*byte)) {
            return buffer[..length].to_vec();
        }
    }
    Vec::new()
}

/// What has been read of an answer.
#[derive(Default)]
struct Read {
    head: Option<(u16, HeaderMap)>,
    body: Vec<u8>,
}

/// Sends the request and reads its answer; gives the connection back, or says why there is no whole answer.
async fn exchange(
    stream: TokioIo<Watched>,
    request: Request<Full<Bytes>>,
    read: &mut Read,
    bytes_max: usize,
) -> Result<Parts<TokioIo<Watched>>, String> {
    let (mut sender, connection) = http1::handshake(stream).await.map_err(|error| root_cause(&error))?;
    let mut connection = pin!(connection.without_shutdown());
    let mut ended = None;
    let mut answer = pin!(async {
        let mut response = sender.send_request(request).await.map_err(|error| root_cause(&error))?;
        read.head = Some((response.status().as_u16(), std::mem::take(response.headers_mut())));
        while let Some(frame) = response.body_mut().frame().await {
            let Ok(data) = frame.map_err(|error| root_cause(&error))?.into_data() else { continue };
            if read.body.len() + data.len() > bytes_max {
                return Err(format!("the answer is longer than {} MiB", bytes_max >> 20));
            }
            read.body.extend_from_slice(&data);
        }
        Ok(())
    });
    loop {
        tokio::select! {
            biased;
            answered = &mut answer => break answered?,
            parts = &mut connection, if ended.is_none() => ended = Some(parts),
        }
    }
    let ended = match ended {
        Some(ended) => ended,
        None => connection.await,
    };
    ended.map_err(|error| root_cause(&error))
}

/// Bytes came before the request had left: they cannot be its answer. Where nothing of it had left, that is proven.
fn spoke_first(wire: &Wire, unasked: Vec<u8>) -> Observed {
    if !wire.is_touched() {
        return unreachable("the service spoke before it was asked");
    }
    let status = unasked.get(9..12).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
    unbelievable(status, unasked, "it came before the whole request had left")
}

/// No whole answer: `why` is missing where time ran out.
fn broken(wire: &Wire, read: Read, why: Option<String>) -> Observed {
    if !wire.is_touched() {
        return unreachable(&why.unwrap_or_else(|| "the request could not leave in time".to_owned()));
    }
    Observed::Lost(match (read.head, why) {
        (Some((status, _)), why) => {
            let why = why.map_or_else(|| "the answer did not end in time".to_owned(), |why| cut_off(&why));
            Lost::Partial { status, body: read.body, why }
        }
        (None, Some(why)) => Lost::Broken(why),
        (None, None) => Lost::TimedOut,
    })
}

fn cut_off(why: &str) -> String {
    if why.starts_with("the answer") { why.to_owned() } else { format!("the answer was cut off: {why}") }
}

fn unreachable(why: &str) -> Observed {
    Observed::NotSent(NotSent::Unreachable(why.to_owned()))
}

fn unbelievable(status: Option<u16>, body: Vec<u8>, why: &str) -> Observed {
    Observed::Lost(Lost::Unbelievable { status, body, why: why.to_owned() })
}

/// The innermost reason, which is the one that people can act on.
pub(super) fn root_cause(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    text
}
