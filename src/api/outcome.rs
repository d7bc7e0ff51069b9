//! What an answer, or its absence, means: a total function, [`judge`].

pub use super::doubt::Doubt;
use super::json::Json;
pub use super::judge::{judge, judge_by, masked, masked_but_status};
use super::said::said;

/// What was seen of one POST.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Observed {
    /// An answer came back whole.
    Reply(Reply),
    /// Proven: no byte of the request left.
    NotSent(NotSent),
    /// Sent, or perhaps sent, and no whole answer came back.
    Lost(Lost),
}

/// A whole HTTP answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The `Date` header as it came.
    pub date: Option<String>,
    /// The `Retry-After` header as it came.
    pub retry_after: Option<String>,
    /// The `Location` header as it came.
    pub location: Option<String>,
    /// The `Content-Type` header as it came.
    pub content_type: Option<String>,
    /// The body, at most the client's cap.
    pub body: Vec<u8>,
}

/// Why nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotSent {
    /// The name was not found, the connection was refused or timed out; the text says which.
    Unreachable(String),
    /// The TLS handshake failed.
    Tls(String),
}

/// Why the answer is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// No answer within the request's time.
    TimedOut,
    /// The connection was closed or reset before a whole answer.
    Broken(String),
    /// An answer began: its status, what came of its body, and why it is not whole (cut, unreadable, too large).
    Partial {
        /// The HTTP status.
        status: u16,
        /// What arrived of the body, capped.
        body: Vec<u8>,
        /// What went wrong.
        why: String,
    },
    /// A whole answer that may be somebody else's: it came before the request had left, or was not the only one.
    Unbelievable {
        /// The HTTP status of what came first, where it has one.
        status: Option<u16>,
        /// What came, capped.
        body: Vec<u8>,
        /// What makes it so.
        why: String,
    },
}

/// When and what was sent: the answer is judged against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent<'a> {
    /// The order number that was sent; an answer that names another one is another order's. Empty where none was.
    pub order_number: &'a str,
    /// The body that was sent: what an answer repeats of it tells nothing.
    pub body: &'a [u8],
    /// Epoch milliseconds, by our clock, just before the first byte.
    pub at_ms: i64,
    /// The `orderCreatedAt` that was sent, epoch milliseconds.
    pub order_created_ms: i64,
}

/// What one attempt came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What it means for the order.
    pub outcome: Outcome,
    /// What it means for the run.
    pub signal: Signal,
}

/// What an answer means for its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// An AWB was bought.
    Booked(Booking),
    /// 200 or 201 with a `shipmentPurchaseError`: no AWB was bought.
    Rejected {
        /// The service's own id of the order, where it gave one.
        order_id: Option<String>,
        /// The whole error, as JSON text.
        error: String,
    },
    /// The service said no before booking.
    Refused {
        /// The service's message, for people.
        message: String,
    },
    /// Proven unsent, or refused for now (429, 401): may be sent again.
    Waiting {
        /// Why, for people.
        reason: String,
    },
    /// Sent or perhaps sent; nobody knows which way it went.
    InDoubt {
        /// Why.
        doubt: Doubt,
    },
}

/// A purchase error as people read it: a text without its quotes, anything else as its JSON.
#[must_use]
pub fn purchase_error_text(json: &str) -> String {
    serde_json::from_str::<String>(json).unwrap_or_else(|_| json.to_owned())
}

/// What a `shipmentPurchaseError` says to people: its messages where it has some, else the whole of it.
#[must_use]
pub fn purchase_error_message(json: &str) -> String {
    let said = Json::parse(json.as_bytes()).and_then(|json| said(&json));
    said.unwrap_or_else(|| purchase_error_text(json))
}

/// A booked shipment, as the answer has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Booking {
    /// The air waybill, every character of it.
    pub awb: String,
    /// The service's own id of the order.
    pub order_id: Option<String>,
    /// Who carries it.
    pub carrier: Option<String>,
    /// The service level.
    pub service: Option<String>,
    /// `cratedAt`, epoch milliseconds, where it can be read.
    pub created_ms: Option<i64>,
    /// The shipment is older than our request: it may be one that was handed back.
    pub old_answer: bool,
}

/// What an answer means for the run: a separate question from what it means for the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// Go on.
    Clear,
    /// The service could not be reached: wait longer and longer.
    Unreachable,
    /// TLS failed: stop.
    Tls,
    /// A redirect, never followed: stop and show where to.
    Redirect {
        /// The `Location`, where one was given.
        location: Option<String>,
    },
    /// 401: renew the token once, then stop.
    Unauthorized,
    /// 402: stop.
    Funds,
    /// 403: stop after two in a row.
    Forbidden,
    /// 404 and its like: stop at once if nothing was booked yet.
    Address,
    /// 429: the whole run pauses.
    TooMany {
        /// How long the service asks for, in milliseconds.
        retry_after_ms: Option<u64>,
    },
    /// A refusal of this one order; equal fingerprints in a row stop the run.
    Refusal {
        /// The message with digits and quoted values masked.
        fingerprint: String,
    },
    /// The answer is not understood: stop and show it, with the setting that would read it.
    NotUnderstood,
    /// The outcome is unknown: counts towards the doubt brake.
    Doubt,
    /// The answer contradicts itself: stop and show it.
    Contradiction,
}
