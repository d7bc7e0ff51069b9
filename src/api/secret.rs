//! Secrets from where they are kept: a private file, or what a command prints.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

pub use secrecy::SecretString;

use super::said::{is_secret, plain};
use crate::env;

/// A command may take this long.
const COMMAND_TIME_MAX: Duration = Duration::from_secs(30);

/// The password of a database, as every client of PostgreSQL has it.
pub const DATABASE_PASSWORD: &str = "PGPASSWORD";

/// Takes the secrets of this program out of what a child inherits, for no child needs them: not even the command that gives
/// one of them. What other programs call theirs stays, since a command may ask a vault.
pub fn without_secrets(command: &mut std::process::Command) {
    env::hand_to(command);
    for name in env::names() {
        let word = name.to_string_lossy();
        if word == DATABASE_PASSWORD || (word.starts_with("SHIPSHEET_") && is_secret(&plain(&word))) {
            command.env_remove(name);
        }
    }
}

/// Where a secret comes from.
#[derive(Debug, Clone)]
pub enum SecretSource {
    /// Given once; a `String` becomes one by `into`.
    Given(SecretString),
    /// A file that only its owner can read.
    File(PathBuf),
    /// What a command prints.
    Command(String),
}

/// Why there is no secret.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The file cannot be read.
    #[error("cannot read the file {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Others may read the file.
    #[error("others can read the file {}: it must be for its owner alone", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
    },
    /// The command failed.
    #[error("the command {0}")]
    Command(String),
}

impl SecretSource {
    /// Gets it, without the line end behind it. Whoever no longer waits for a command ends it.
    pub async fn get(&self) -> Result<SecretString, SecretError> {
        self.get_with(None).await
    }

    /// The same, where a command needs this variable though it is a secret.
    pub async fn get_with(&self, needed: Option<&str>) -> Result<SecretString, SecretError> {
        let text = match self {
            Self::Given(secret) => return Ok(secret.clone()),
            Self::File(path) => from_file(path)?,
            Self::Command(command) => from_command(command, needed, COMMAND_TIME_MAX).await?,
        };
        Ok(SecretString::from(text.trim_end_matches(['\r', '\n']).to_owned()))
    }
}

fn from_file(path: &Path) -> Result<String, SecretError> {
    let unreadable = |source| SecretError::Unreadable { path: path.to_owned(), source };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(path).map_err(unreadable)?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(SecretError::Exposed { path: path.to_owned() });
        }
    }
    std::fs::read_to_string(path).map_err(unreadable)
}

async fn from_command(command: &str, needed: Option<&str>, time_max: Duration) -> Result<String, SecretError> {
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut child = tokio::process::Command::new(shell);
    without_secrets(child.as_std_mut());
    child.envs(needed.and_then(|name| Some((name, env::variable_os(name)?))));
    let child = child
        .args([flag, command])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(time_max, child)
        .await
        .map_err(|_| SecretError::Command(format!("took longer than {} s", time_max.as_secs_f32())))?
        .map_err(|error| SecretError::Command(format!("could not be started: {error}")))?;
    if !output.status.success() {
        return Err(SecretError::Command(format!("failed ({})", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn commands_print_secrets_or_are_named() {
        let error = SecretSource::Command("exit 3".into()).get().await.unwrap_err().to_string();
        assert!(error.contains("failed") && error.contains('3'), "{error}");
        let error = from_command("sleep 20", None, Duration::from_millis(50)).await.unwrap_err().to_string();
        assert!(error.contains("took longer"), "{error}");
    }
}
