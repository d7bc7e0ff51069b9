//! Booking one order: one POST, judged; a second one only where the first was turned away for its token.

use std::borrow::Cow;

use jiff::Timestamp;

use super::caller::{CallError, Caller};
use super::client::Client;
use super::outcome::{Observed, Outcome, Sent, Signal, Verdict, judge_by};
use super::token::Token;
use super::wire::{ForwardShipment, ForwardShipmentV1, HalfReturnAddress};

/// The request to book one order.
#[derive(Clone, PartialEq, Eq)]
pub struct BookingRequest<'a> {
    /// The JSON body, byte for byte as it is sent.
    pub body: Cow<'a, [u8]>,
    /// The `orderNumber` in it.
    pub order_number: Cow<'a, str>,
    /// The `orderCreatedAt` in it, epoch milliseconds.
    pub order_created_ms: i64,
}

/// Leaves out the body, which is about people.
impl std::fmt::Debug for BookingRequest<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { order_number, order_created_ms, .. } = self;
        f.debug_struct("BookingRequest")
            .field("order_number", order_number)
            .field("order_created_ms", order_created_ms)
            .finish_non_exhaustive()
    }
}

impl<'a> From<&'a ForwardShipment<'_>> for BookingRequest<'a> {
    fn from(shipment: &'a ForwardShipment<'_>) -> Self {
        Self::new(shipment.to_json(), &shipment.common.order_number, &shipment.common.order_created_at)
    }
}

/// Half a return address makes no request.
impl<'a> TryFrom<&'a ForwardShipmentV1<'_>> for BookingRequest<'a> {
    type Error = HalfReturnAddress;

    fn try_from(shipment: &'a ForwardShipmentV1<'_>) -> Result<Self, HalfReturnAddress> {
        shipment.check_return_address()?;
        Ok(Self::new(shipment.to_json(), &shipment.common.order_number, &shipment.common.order_created_at))
    }
}

impl<'a> BookingRequest<'a> {
    fn new(body: Vec<u8>, order_number: &'a str, created_at: &str) -> Self {
        // A time that cannot be read is for the service to refuse. Here it only tells an old answer from a new one.
        let order_created_ms = created_at.parse().unwrap_or_default();
        Self { body: Cow::Owned(body), order_number: Cow::Borrowed(order_number), order_created_ms }
    }
}

/// What one POST came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// What was seen of it.
    pub observed: Observed,
    /// What that means for the order, and for those after it.
    pub verdict: Verdict,
}

impl Attempt {
    /// Whether it was turned away for its token and for nothing else: then it is proven that nothing was booked, and the
    /// same request may go again with a new token.
    ///
    /// A 401 that may be about a booking of ours all the same, as one that holds an AWB, is in doubt and none of these.
    #[must_use]
    pub const fn is_turned_away(&self) -> bool {
        matches!(self.verdict, Verdict { outcome: Outcome::Waiting { .. }, signal: Signal::Unauthorized })
    }
}

impl Client {
    /// Books one order: makes at most one POST, whatever happens, and says what came of it. A run's workers go this way,
    /// and so does [`Caller::book`].
    pub async fn book(&self, token: &Token, request: &BookingRequest<'_>) -> Attempt {
        let at_ms = Timestamp::now().as_millisecond();
        let entry = self.booking(&request.body);
        let observed = self.forward_shipment(token, request.body.to_vec()).await;
        let BookingRequest { body, order_number, order_created_ms } = request;
        let sent = Sent { order_number, body, at_ms, order_created_ms: *order_created_ms };
        let verdict = judge_by(&entry, &observed, &sent);
        Attempt { observed, verdict }
    }
}

impl Caller {
    /// Books one order, with a token that is renewed where it has to be.
    ///
    /// Makes one POST. A second one follows only where the first was [turned away](Attempt::is_turned_away) for its token,
    /// and nothing else is ever tried again: what to do after a pause (429) or a doubt is for the caller to decide. An
    /// order in doubt may be booked, so it must not be booked again before somebody has looked.
    ///
    /// An error means that nothing was booked. Whoever stops waiting for the answer leaves the order in doubt.
    pub async fn book<'a, R: TryInto<BookingRequest<'a>>>(&self, request: R) -> Result<Attempt, CallError>
    where
        CallError: From<R::Error>,
    {
        let request = request.try_into()?;
        self.pace().turn().await?;
        let (token, generation) = self.tokens().fresh().await?;
        let attempt = self.client().book(&token, &request).await;
        if !attempt.is_turned_away() {
            return Ok(attempt);
        }
        let token = self.renewed(generation).await?;
        self.pace().turn().await?;
        Ok(self.client().book(&token, &request).await)
    }
}
