//! One attempt: posts a request whose intent is on disk, and gives back what was seen.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::api::{Attempt, BookingRequest, Client, Token};

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
    /// What was seen, and what it means.
    pub(super) attempt: Attempt,
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
        let request = BookingRequest {
            body: Cow::Borrowed(&queued.order.body),
            order_number: Cow::Borrowed(&queued.order.number),
            order_created_ms: queued.order.created_ms,
        };
        let attempt = self.client.book(&token, &request).await;
        Arrived { queued, attempt, token_generation, pauses, took: left.elapsed() }
    }
}
