//! One token for all workers, renewed once however many of them were turned away with it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Mutex as Gate;

use super::token::{Token, TokenError, TokenSource};

/// When a source that had nothing newer is asked again.
const ASK_AGAIN: Duration = Duration::from_secs(15);

/// Keeps the token of a run, in memory only; clones share it.
///
/// Whoever waits for a renewal may stop waiting at any moment: the next one asks anew.
#[derive(Debug, Clone)]
pub struct TokenKeeper {
    source: Arc<TokenSource>,
    kept: Arc<Mutex<Option<Kept>>>,
    gate: Arc<Gate<()>>,
    /// How often a renewal has failed, and what the last one said.
    failed: Arc<Mutex<(u64, String)>>,
}

#[derive(Debug, Clone)]
struct Kept {
    token: Token,
    generation: u64,
    /// From when on the next one is asked for, though the service still takes this one.
    due: Option<Instant>,
}

impl TokenKeeper {
    /// A keeper that has not asked yet.
    #[must_use]
    pub fn new(source: TokenSource) -> Self {
        Self { source: Arc::new(source), kept: Arc::default(), gate: Arc::default(), failed: Arc::default() }
    }

    /// The token and its generation; asked for at the first call.
    pub async fn current(&self) -> Result<(Token, u64), TokenError> {
        let _gate = self.gate.lock().await;
        if let Some(kept) = self.kept() {
            return Ok((kept.token, kept.generation));
        }
        let token = self.source.get().await?;
        Ok(self.keep(token, 1))
    }

    /// Whether the token should be renewed before it is used again.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.kept().and_then(|kept| kept.due).is_some_and(|due| due <= Instant::now())
    }

    /// A token newer than the one that was refused; whoever comes second gets what the first one got, also where that
    /// is an error: a wrong password is not tried once for each worker.
    pub async fn renew(&self, refused: u64) -> Result<(Token, u64), TokenError> {
        let failures = self.failures().0;
        let _gate = self.gate.lock().await;
        let (now, said) = self.failures().clone();
        if now > failures {
            return Err(TokenError::Failed(said));
        }
        let renewed = self.renew_alone(refused).await;
        if let Err(error) = &renewed {
            *self.failures() = (failures + 1, error.to_string());
        }
        renewed
    }

    async fn renew_alone(&self, refused: u64) -> Result<(Token, u64), TokenError> {
        let kept = self.kept();
        if let Some(kept) = &kept
            && kept.generation > refused
        {
            return Ok((kept.token.clone(), kept.generation));
        }
        if matches!(*self.source, TokenSource::Fixed(_)) {
            return Err(TokenError::Fixed);
        }
        let token = self.source.get().await?;
        if kept.is_some_and(|kept| kept.token.is_same(&token)) {
            return Err(TokenError::Unchanged);
        }
        Ok(self.keep(token, refused + 1))
    }

    /// The token, renewed first where it is due. A source that has nothing newer yet is asked again later.
    pub async fn fresh(&self) -> Result<(Token, u64), TokenError> {
        let (token, generation) = self.current().await?;
        if !self.is_due() {
            return Ok((token, generation));
        }
        match self.renew(generation).await {
            Err(TokenError::Unchanged) => {
                if let Some(kept) = self.lock().as_mut() {
                    kept.due = Some(Instant::now() + ASK_AGAIN);
                }
                Ok((token, generation))
            }
            other => other,
        }
    }

    fn keep(&self, token: Token, generation: u64) -> (Token, u64) {
        let due = self.source.renew_after(&token).map(|after| Instant::now() + after);
        *self.lock() = Some(Kept { token: token.clone(), generation, due });
        (token, generation)
    }

    fn kept(&self) -> Option<Kept> {
        self.lock().clone()
    }

    fn failures(&self) -> std::sync::MutexGuard<'_, (u64, String)> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
