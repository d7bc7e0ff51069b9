//! Calls of any operation: with a token, renewed where needed, and repeated only where that is safe. How an order is
//! booked stands in [`super::booking`].

use std::convert::Infallible;
use std::time::Duration;

use crate::env::patience;

use super::answer::{Misread, NotUnderstood, ShipmentRef};
use super::client::{Call, Client};
use super::json::Json;
use super::judge::{judge, message};
use super::keeper::TokenKeeper;
use super::keys::RequestKeys;
use super::operation::{Entry, Operation, OperationError};
use super::outcome::{Lost, NotSent, Observed, Reply, Sent, Signal};
use super::pace::{Pace, Stopped};
use super::token::{Token, TokenError};
use super::wire::HalfReturnAddress;

/// Tries of one call.
const TRIES_MAX: u32 = 4;
/// The first wait between tries; each further one is twice as long.
const WAIT_FIRST: Duration = Duration::from_millis(250);
/// A pause that the service asks for is waited for up to this long; a longer one ends the call.
const PAUSE_MAX: Duration = Duration::from_mins(2);

/// Talks to the service with a token that is kept fresh. Clones share connections and token.
#[derive(Debug, Clone)]
pub struct Caller {
    client: Client,
    tokens: TokenKeeper,
    pace: Pace,
}

/// Why a call came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The operation cannot be called so.
    #[error(transparent)]
    Operation(#[from] OperationError),
    /// No token could be had.
    #[error("{0}")]
    Token(#[from] TokenError),
    /// The token is not accepted, also after a renewal.
    #[error("the service does not accept the token (401)")]
    Unauthorized,
    /// The service said no.
    #[error("{operation}: {message}{}", keys.as_ref().map(ToString::to_string).unwrap_or_default())]
    Refused {
        /// The operation.
        operation: &'static str,
        /// The HTTP status.
        status: u16,
        /// The service's message and its status.
        message: String,
        /// The keys of the request, where it may be about one of them.
        keys: Option<Box<RequestKeys>>,
    },
    /// Nothing was sent.
    #[error("{operation}: the service could not be reached: {why}")]
    Unreachable {
        /// The operation.
        operation: &'static str,
        /// Why.
        why: String,
    },
    /// The service asks for a longer pause than is waited for. Nothing was done.
    #[error("{operation}: the service asks for a pause of {} s (429)", wait.as_secs())]
    Busy {
        /// The operation.
        operation: &'static str,
        /// How long.
        wait: Duration,
    },
    /// It was called off while it waited for its turn. Nothing was sent.
    #[error("it was not asked for any more")]
    Stopped,
    /// Sent, and no answer came in time; whatever the operation changes may be changed.
    #[error("{operation}: no answer came in time{}", if *changes { "; it may have been done all the same: look before you repeat it" } else { "" })]
    TimedOut {
        /// The operation.
        operation: &'static str,
        /// Whether the operation changes something.
        changes: bool,
    },
    /// Sent, or perhaps sent; whatever the operation changes may be changed.
    #[error("{operation}: no clear answer came ({why}){}", if *changes { "; it may have been done all the same: look before you repeat it" } else { "" })]
    Lost {
        /// The operation.
        operation: &'static str,
        /// Why.
        why: String,
        /// Whether the operation changes something.
        changes: bool,
    },
    /// The answer is not understood; whatever the operation changes may be changed.
    #[error(transparent)]
    NotUnderstood(#[from] NotUnderstood),
    /// A document that was to be had cannot be; nothing was changed.
    #[error("{operation}: {what}")]
    NoDocument {
        /// The operation.
        operation: &'static str,
        /// Why.
        what: String,
    },
    /// A request with half a return address. Nothing was sent.
    #[error(transparent)]
    HalfReturnAddress(#[from] HalfReturnAddress),
    /// The operation asks for the shipment by the service's own id, which is not known.
    #[error(
        "{operation}: the service's own id of this order is not known: a person settled it, or the answer that booked it named \
         none ([operations.forward_shipment.fields] order_id, or that of forward_shipment_v1, says where it stands); if the \
         service takes the AWB as well, set [operations.{operation}] path = \"{by_awb}\" in shipsheet.toml, or as its own page has it"
    )]
    NoOrderId {
        /// The operation.
        operation: &'static str,
        /// Its path with the AWB in place of the id.
        by_awb: String,
    },
}

impl CallError {
    /// Whether the service may have done it all the same: something was sent, and no clear answer came. Never of an
    /// operation that only reads.
    #[must_use]
    pub const fn may_be_done(&self) -> bool {
        match self {
            Self::Lost { changes, .. }
            | Self::TimedOut { changes, .. }
            | Self::NotUnderstood(NotUnderstood { changes, .. }) => *changes,
            Self::Operation(_)
            | Self::Token(_)
            | Self::Unauthorized
            | Self::Refused { .. }
            | Self::Unreachable { .. }
            | Self::Busy { .. }
            | Self::NoDocument { .. }
            | Self::NoOrderId { .. }
            | Self::HalfReturnAddress(_)
            | Self::Stopped => false,
        }
    }
}

impl Caller {
    /// A caller with this client and these tokens.
    #[must_use]
    pub fn new(client: Client, tokens: TokenKeeper) -> Self {
        Self { client, tokens, pace: Pace::default() }
    }

    /// The same at a pace, which other callers may share.
    #[must_use]
    pub fn paced(self, pace: Pace) -> Self {
        Self { pace, ..self }
    }

    /// The pace of its requests.
    #[must_use]
    pub const fn pace(&self) -> &Pace {
        &self.pace
    }

    /// The client.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    pub(super) const fn tokens(&self) -> &TokenKeeper {
        &self.tokens
    }

    /// A token in place of one that the service has refused. Where everything is called off, nobody logs in for what is
    /// not sent any more.
    pub(super) async fn renewed(&self, refused: u64) -> Result<Token, CallError> {
        self.pace.check()?;
        Ok(self.tokens.renew(refused).await?.0)
    }

    /// An operation of the client's table.
    #[must_use]
    pub fn entry(&self, operation: &'static Operation) -> Entry {
        self.client.operations().of(operation)
    }

    /// Calls an operation; a 2xx is a success. What only reads is tried again after a fault, what changes something is
    /// tried again only where it is proven that nothing was sent, or the service asked for it.
    pub async fn call(
        &self,
        entry: &Entry,
        parameters: &[(String, String)],
        body: Option<Vec<u8>>,
        answer_bytes_max: usize,
    ) -> Result<Reply, CallError> {
        let mut call = Call::new(entry, parameters, body)?;
        call.answer_bytes_max = answer_bytes_max;
        let operation = entry.operation.name;
        let reads = entry.only_reads();
        let mut renewed = false;
        let mut wait = patience(WAIT_FIRST);
        for left in (0..TRIES_MAX).rev() {
            self.pace.turn().await?;
            let (token, generation) = self.tokens.fresh().await?;
            let observed = self.client.send(Some(&token), call.clone()).await;
            let pause = match &observed {
                Observed::Reply(reply) if reply.status == 401 && !renewed => {
                    renewed = true;
                    self.renewed(generation).await?;
                    continue;
                }
                Observed::Reply(reply) if reply.status == 429 => {
                    let pause = asked_for(&observed).unwrap_or(wait);
                    if pause > PAUSE_MAX {
                        return Err(CallError::Busy { operation, wait: pause });
                    }
                    if left > 0 {
                        self.pace.pause("the service asks for a pause (429)", pause);
                    }
                    Duration::ZERO
                }
                Observed::NotSent(NotSent::Unreachable(_)) => wait,
                Observed::Reply(reply) if reply.status >= 500 && reads => wait,
                Observed::Lost(lost) if reads && is_passing(lost) => wait,
                _ => return meaning(entry, observed),
            };
            if left == 0 {
                return meaning(entry, observed);
            }
            self.pace.wait(pause).await?;
            wait *= 2;
        }
        Err(CallError::Unauthorized)
    }

    /// The same for an operation that answers JSON.
    pub async fn json(
        &self,
        entry: &Entry,
        parameters: &[(String, String)],
        body: Option<Vec<u8>>,
    ) -> Result<Json, CallError> {
        let reply = self.call(entry, parameters, body, 8 << 20).await?;
        Json::parse(&reply.body).ok_or_else(|| NotUnderstood::of(entry, "it is not JSON", &reply.body, None).into())
    }
}

/// What names a shipment in a request: whatever the path has places for, else the service's id in the query.
pub(super) fn naming(entry: &Entry, shipment: &ShipmentRef<'_>) -> Result<Vec<(String, String)>, CallError> {
    // Without a path, and where it has other places than these, the error says so.
    let Some(path) = entry.path.as_deref() else { return Ok(Vec::new()) };
    let names = shipment.names();
    let placed = entry.placed(&names);
    let wants_id = ID_PLACES.iter().any(|place| path.contains(place));
    match shipment.order_id {
        None if wants_id => Err(no_order_id(entry)),
        _ if !placed.is_empty() => Ok(placed),
        _ if path.contains('{') => Ok(names),
        Some(order_id) => Ok(vec![(entry.key("order_id").to_owned(), order_id.to_owned())]),
        None => Err(no_order_id(entry)),
    }
}

/// The places in paths for the service's own id of an order.
const ID_PLACES: [&str; 4] = ["{orderId}", "{order_id}", "{id}", "{orderIds}"];

/// That an operation needs the service's own id, with its path as it may be for an AWB.
pub(super) fn no_order_id(entry: &Entry) -> CallError {
    let path = entry.path.clone().unwrap_or_default();
    let mut by_awb = ID_PLACES.iter().fold(path, |path, place| path.replace(place, "{awb}"));
    if !by_awb.contains("{awb}") {
        by_awb.push_str(if by_awb.contains('?') { "&awb={awb}" } else { "?awb={awb}" });
    }
    CallError::NoOrderId { operation: entry.operation.name, by_awb }
}

/// The pause that a 429 asks for.
fn asked_for(observed: &Observed) -> Option<Duration> {
    let sent =
        Sent { order_number: "", body: b"", at_ms: jiff::Timestamp::now().as_millisecond(), order_created_ms: 0 };
    match judge(observed, &sent).signal {
        Signal::TooMany { retry_after_ms } => retry_after_ms.map(Duration::from_millis),
        _ => None,
    }
}

/// Whether another try may find it otherwise: a longer answer does not become shorter, and who hangs once hangs again,
/// each time for as long as a person is willing to wait.
fn is_passing(lost: &Lost) -> bool {
    !matches!(lost, Lost::TimedOut) && !matches!(lost, Lost::Partial { why, .. } if why.contains("longer than"))
}

impl From<Misread> for CallError {
    fn from(misread: Misread) -> Self {
        match misread {
            Misread::No { operation, message, keys } => Self::Refused { operation, status: 200, message, keys },
            Misread::NotUnderstood(error) => error.into(),
        }
    }
}

impl From<Infallible> for CallError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<Stopped> for CallError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

fn meaning(entry: &Entry, observed: Observed) -> Result<Reply, CallError> {
    let (operation, reads) = (entry.operation.name, entry.only_reads());
    let lost = |why: String| CallError::Lost { operation, why, changes: !reads };
    let told = |reply: &Reply| match reply.status {
        300..=399 => pointed_elsewhere(operation, reply),
        _ => message(reply),
    };
    match observed {
        Observed::Reply(reply) if (200..300).contains(&reply.status) => Ok(reply),
        Observed::Reply(reply) if reply.status == 401 => Err(CallError::Unauthorized),
        Observed::Reply(reply) if !reads && leaves_open(reply.status) => Err(lost(told(&reply))),
        Observed::Reply(reply) => {
            let (status, message) = (reply.status, told(&reply));
            Err(CallError::Refused {
                operation,
                status,
                keys: RequestKeys::of_refusal(entry, status, &message),
                message,
            })
        }
        Observed::NotSent(NotSent::Unreachable(why)) => Err(CallError::Unreachable { operation, why }),
        Observed::NotSent(NotSent::Tls(why)) => {
            Err(CallError::Unreachable { operation, why: format!("no secure connection: {why}") })
        }
        Observed::Lost(Lost::TimedOut) => Err(CallError::TimedOut { operation, changes: !reads }),
        Observed::Lost(Lost::Broken(why) | Lost::Partial { why, .. } | Lost::Unbelievable { why, .. }) => {
            Err(lost(why))
        }
    }
}

/// What a redirect says, and what to do about it. What follows a `?` may be a secret.
fn pointed_elsewhere(operation: &str, reply: &Reply) -> String {
    let to = reply.location.as_deref().map(|to| to.split(['?', '#']).next().unwrap_or_default());
    let to = to.map_or_else(String::new, |to| format!(" to {}", to.chars().take(200).collect::<String>()));
    format!(
        "{}: the service answers with a redirect{to}, and none is followed: correct base_url, or path in \
         [operations.{operation}]",
        message(reply)
    )
}

/// Whether a status leaves it open what was done. As for bookings: a service that failed, or gave up waiting for itself,
/// may have done it all the same; so may one that only points elsewhere, but for redirects that keep the method.
const fn leaves_open(status: u16) -> bool {
    matches!(status, 300 | 302..=306 | 309..=399 | 408 | 424 | 499..)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::operation::{CANCEL_SHIPMENT, Operations, TRACK};

    #[test]
    fn what_has_no_clear_answer_may_be_done() {
        let operations = Operations::default();
        let (track, cancel) = (operations.of(&TRACK), operations.of(&CANCEL_SHIPMENT));
        let answered = |status: u16, reads: bool| {
            let reply = Reply { status, ..Reply::default() };
            meaning(if reads { &track } else { &cancel }, Observed::Reply(reply)).err().map(|error| error.may_be_done())
        };
        for status in [300, 302, 303, 304, 399, 408, 424, 499, 500, 503, 599] {
            assert_eq!((answered(status, false), answered(status, true)), (Some(true), Some(false)), "{status}");
        }
        for status in [301, 307, 308, 400, 401, 403, 404, 409, 422, 429, 498] {
            assert_eq!((answered(status, false), answered(status, true)), (Some(false), Some(false)), "{status}");
        }
        let location = Some("https://elsewhere.example/login?token=1".to_owned());
        let moved = Reply { status: 307, location, ..Reply::default() };
        let said = meaning(&track, Observed::Reply(moved)).unwrap_err().to_string();
        assert!(said.contains("(HTTP 307)") || said.contains("HTTP 307: "), "{said}");
        assert!(
            said.contains("to https://elsewhere.example/login, and none") && said.contains("[operations.track]"),
            "{said}"
        );
        assert_eq!([answered(200, false), answered(204, true)], [None, None]);
        for observed in [Observed::Lost(Lost::TimedOut), Observed::Lost(Lost::Broken(String::new()))] {
            assert!(meaning(&cancel, observed.clone()).unwrap_err().may_be_done(), "{observed:?}");
            assert!(!meaning(&track, observed.clone()).unwrap_err().may_be_done(), "{observed:?}");
        }
        let unsent = Observed::NotSent(NotSent::Unreachable(String::new()));
        assert!(!meaning(&cancel, unsent).unwrap_err().may_be_done());
    }
}
