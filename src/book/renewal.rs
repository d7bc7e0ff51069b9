//! The token that all orders leave with, and its renewal: one at a time, so that all get the same new one.

use std::sync::Arc;

use tokio::task::{JoinError, JoinSet};

use crate::api::{Token, TokenError, TokenKeeper};

type Renewed = Result<(Token, u64), TokenError>;

/// The token of a run.
pub(super) struct RunToken {
    keeper: TokenKeeper,
    token: Arc<Token>,
    generation: u64,
    /// At most one.
    renewal: JoinSet<Renewed>,
}

impl RunToken {
    /// With the token at hand; asks for one where there is none.
    pub(super) async fn new(keeper: TokenKeeper) -> Result<Self, TokenError> {
        let (token, generation) = keeper.current().await?;
        Ok(Self { keeper, token: Arc::new(token), generation, renewal: JoinSet::new() })
    }

    /// The token, and which one since the start it is.
    pub(super) fn current(&self) -> (Arc<Token>, u64) {
        (Arc::clone(&self.token), self.generation)
    }

    /// Whether this is an earlier token than the one at hand.
    pub(super) const fn is_stale(&self, generation: u64) -> bool {
        generation < self.generation
    }

    /// Whether the next one is on its way: nothing leaves until it is there.
    pub(super) fn is_renewing(&self) -> bool {
        !self.renewal.is_empty()
    }

    /// Asks for the next token, for the service has refused this one.
    pub(super) fn renew(&mut self) {
        if !self.is_renewing() {
            let (keeper, refused) = (self.keeper.clone(), self.generation);
            self.renewal.spawn(async move { keeper.renew(refused).await });
        }
    }

    /// Asks for the next token while the service still takes this one.
    pub(super) fn renew_when_due(&mut self) {
        if !self.is_renewing() && self.keeper.is_due() {
            let keeper = self.keeper.clone();
            self.renewal.spawn(async move { keeper.fresh().await });
        }
    }

    /// Waits for the end of a renewal; none where none is under way. Safe to be cancelled.
    pub(super) async fn renewed(&mut self) -> Option<Result<Renewed, JoinError>> {
        self.renewal.join_next().await
    }

    /// Takes what came of a renewal, and says whether the token is another one now; else why there is none.
    pub(super) fn take(&mut self, renewed: Result<Renewed, JoinError>) -> Result<bool, String> {
        let error = match renewed {
            Ok(Ok((token, generation))) => {
                let newer = generation > self.generation;
                if newer {
                    (self.token, self.generation) = (Arc::new(token), generation);
                }
                return Ok(newer);
            }
            Ok(Err(error)) => error.to_string(),
            Err(error) => format!("its renewal failed: {error}"),
        };
        Err(if self.keeper.is_due() {
            format!("the token is about to expire, and {error}")
        } else {
            format!("the service does not accept the token (401), and {error}")
        })
    }
}
