//! One attempt: posts a request whose intent is on disk, and gives back what was seen.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::api::{Attempt, BookingRequest, Client, Token};

use crate::ledger::{Deadline, pause_point};

use super::plan::Queued;

/// What a worker works with.
#[derive(Clone)]
pub(super) struct Worker {
    client: Client,
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
    /// One that looks at the deadline of its station just before the first byte, where there is one.
    pub(super) fn new(client: Client, deadline: Option<Deadline>) -> Self {
        let Some(deadline) = deadline else { return Self { client } };
        let holds = move || {
            let holds = !deadline.has_passed();
            pause_point("after-look");
            holds
        };
        Self { client: client.looking(holds) }
    }

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
