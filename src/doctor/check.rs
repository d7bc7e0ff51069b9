//! What a check comes to.

use std::fmt::Display;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Serialize;

use crate::notify::NotifyOptions;

/// What to look at, beyond what the configuration says.
#[derive(Clone)]
pub(crate) struct DoctorOptions {
    /// The folder that a watcher takes sheets from.
    pub folder: Option<PathBuf>,
    /// The folder with backups of the ledger; else the one that the configuration names.
    pub backups: Option<PathBuf>,
    /// Whether everybody who is told gets a test.
    pub sends_test: bool,
    /// What alerts say of this program.
    pub notify: NotifyOptions,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Check {
    /// Its subject.
    pub id: &'static str,
    /// How it is: `bad` keeps a night from going.
    pub level: Level,
    /// Its result, for people.
    pub found: String,
    /// The advice, for people; null where there is nothing to do.
    pub mend: Option<String>,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Level {
    /// There was nothing to look at.
    Skipped,
    /// As it should be.
    Good,
    /// A night goes all the same.
    Warning,
    /// A night would not go, or nobody would hear of it.
    Bad,
}

impl Level {
    /// How it is told to people.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Skipped => "-",
            Self::Good => "ok",
            Self::Warning => "warning",
            Self::Bad => "bad",
        }
    }
}

impl Check {
    /// Something that is as it should be.
    pub(super) fn good(id: &'static str, found: impl Display) -> Self {
        Self { id, level: Level::Good, found: found.to_string(), mend: None }
    }

    pub(super) fn skipped(id: &'static str, found: impl Display) -> Self {
        Self { level: Level::Skipped, ..Self::good(id, found) }
    }

    pub(super) fn warning(id: &'static str, found: impl Display, mend: impl Display) -> Self {
        Self { level: Level::Warning, mend: Some(mend.to_string()), ..Self::good(id, found) }
    }

    /// Something that keeps a night from its work, or its news from people.
    pub(crate) fn bad(id: &'static str, found: impl Display, mend: impl Display) -> Self {
        Self { level: Level::Bad, mend: Some(mend.to_string()), ..Self::good(id, found) }
    }
}
