//! One attempt: posts a request whose intent is on disk, and gives back what was seen.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::api::outcome::{Observed, Sent, Verdict, judge};
use crate::api::{Client, Token};

use super::plan::Queued;

/// What a worker works with.
#[derive(Clone)]
pub(super) struct Worker {
    pub(super) client: Client,
}

/// What came of an attempt.
#[derive(Debug)]
pub(super) struct Arrived {
    pub(super) queued: Queued,
    pub(super) observed: Observed,
    /// What it means.
    pub(super) verdict: Verdict,
    /// Which token was used.
    pub(super) token_generation: u64,
    /// How many pauses the run had had when this was sent.
    pub(super) pauses: u64,
    /// From its leaving to its end.
    pub(super) took: Duration,
}

impl Worker {
    /// Sends one request, once, and not before it may leave.
    pub(super) async fn attempt(
        self,
        queued: Queued,
        token: Arc<Token>,
        token_generation: u64,
        pauses: u64,
        leaves: Instant,
    ) -> Arrived {
        if leaves > Instant::now() {
            tokio::time::sleep_until(leaves.into()).await;
        }
        let left = Instant::now();
        let at_ms = Timestamp::now().as_millisecond();
        let body = queued.order.body.clone();
        let observed = self.client.forward_shipment(&token, body).await;
        let sent = Sent { order_number: &queued.order.number, at_ms, order_created_ms: queued.order.created_ms };
        let verdict = judge(&observed, &sent);
        Arrived { queued, observed, verdict, token_generation, pauses, took: left.elapsed() }
    }
}
