//! Bearer tokens: where they come from, and renewing them once for all workers.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Mutex;

/// A token command may take this long.
const COMMAND_TIME_MAX: Duration = Duration::from_secs(30);

/// A bearer token; nothing prints it.
#[derive(Clone)]
pub struct Token(SecretString);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// A token from its text; white space around it is not part of it.
    pub fn new(text: impl AsRef<str>) -> Result<Self, TokenError> {
        let text = text.as_ref().trim();
        if text.is_empty() {
            return Err(TokenError::Empty);
        }
        if !text.chars().all(|c| c.is_ascii_graphic()) {
            return Err(TokenError::Malformed);
        }
        Ok(Self(SecretString::from(text.to_owned())))
    }

    pub(super) fn bearer(&self) -> String {
        format!("Bearer {}", self.0.expose_secret())
    }
}

/// Why there is no token.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// Nothing in it.
    #[error("the token is empty")]
    Empty,
    /// White space or other signs inside.
    #[error("the token holds white space or signs that no token has: give the token alone, without \"Bearer\"")]
    Malformed,
    /// The file cannot be read.
    #[error("cannot read the token file {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Others may read the file.
    #[error("others can read the token file {0}: run chmod 600 {0}", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
    },
    /// The command failed.
    #[error("the token command {0}")]
    Command(String),
    /// It is what it is.
    #[error("it cannot be renewed: set a new SHIPSHEET_TOKEN, then resume")]
    Fixed,
    /// The same again.
    #[error("its source still gives the same one: renew it there, then resume")]
    Unchanged,
}

/// Where a token comes from.
#[derive(Debug, Clone)]
pub enum TokenSource {
    /// Given once.
    Fixed(Token),
    /// A file that only its owner can read.
    File(PathBuf),
    /// What a command prints.
    Command(String),
}

impl TokenSource {
    /// Gets the token.
    pub async fn get(&self) -> Result<Token, TokenError> {
        match self {
            Self::Fixed(token) => Ok(token.clone()),
            Self::File(path) => from_file(path),
            Self::Command(command) => from_command(command).await,
        }
    }
}

fn from_file(path: &Path) -> Result<Token, TokenError> {
    let unreadable = |source| TokenError::Unreadable { path: path.to_owned(), source };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_err(unreadable)?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(TokenError::Exposed { path: path.to_owned() });
        }
    }
    Token::new(std::fs::read_to_string(path).map_err(unreadable)?)
}

async fn from_command(command: &str) -> Result<Token, TokenError> {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let child = tokio::process::Command::new(shell)
        .args([flag, command])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(COMMAND_TIME_MAX, child)
        .await
        .map_err(|_| TokenError::Command(format!("took longer than {} s", COMMAND_TIME_MAX.as_secs())))?
        .map_err(|error| TokenError::Command(format!("could not be started: {error}")))?;
    if !output.status.success() {
        return Err(TokenError::Command(format!("failed ({})", output.status)));
    }
    Token::new(String::from_utf8_lossy(&output.stdout))
}

/// Keeps the token of a run; clones share it.
#[derive(Debug, Clone)]
pub struct TokenKeeper {
    source: Arc<TokenSource>,
    kept: Arc<Mutex<Option<(Token, u64)>>>,
}

impl TokenKeeper {
    /// A keeper that has not asked yet.
    #[must_use]
    pub fn new(source: TokenSource) -> Self {
        Self { source: Arc::new(source), kept: Arc::new(Mutex::new(None)) }
    }

    /// The token and its generation.
    pub async fn current(&self) -> Result<(Token, u64), TokenError> {
        let mut kept = self.kept.lock().await;
        if let Some(current) = kept.as_ref() {
            return Ok(current.clone());
        }
        let fresh = (self.source.get().await?, 1);
        *kept = Some(fresh.clone());
        Ok(fresh)
    }

    /// A token newer than the one that was refused; whoever comes second gets what the first one got.
    pub async fn renew(&self, refused: u64) -> Result<(Token, u64), TokenError> {
        let mut kept = self.kept.lock().await;
        if let Some((token, generation)) = kept.as_ref()
            && *generation > refused
        {
            return Ok((token.clone(), *generation));
        }
        if matches!(*self.source, TokenSource::Fixed(_)) {
            return Err(TokenError::Fixed);
        }
        let token = self.source.get().await?;
        if kept.as_ref().is_some_and(|(old, _)| old.0.expose_secret() == token.0.expose_secret()) {
            return Err(TokenError::Unchanged);
        }
        let fresh = (token, refused + 1);
        *kept = Some(fresh.clone());
        Ok(fresh)
    }
}
