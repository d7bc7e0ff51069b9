//! The sections about what happens while nobody is there, as they are written: `[log]`, `[night]`, `[mail]`, `[notify.NAME]`.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// `[log]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LogSettings {
    pub(super) file: Option<PathBuf>,
    pub(super) max_size_mib: Option<u64>,
    pub(super) keep: Option<u32>,
}

/// `[night]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NightSettings {
    pub(super) missed_after_hours: Option<u64>,
    pub(super) ping: Option<String>,
    pub(super) metrics_file: Option<PathBuf>,
    pub(super) link: Option<String>,
}

/// `[mail]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MailSettings {
    pub(super) server: Option<String>,
    pub(super) port: Option<u16>,
    pub(super) tls: Option<MailTls>,
    pub(super) from: Option<String>,
    pub(super) user: Option<String>,
    pub(super) password_file: Option<PathBuf>,
    pub(super) password_command: Option<String>,
}

/// `[notify.NAME]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NotifySettings {
    pub(super) when: Option<OneOrMany>,
    pub(super) command: Option<String>,
    pub(super) webhook: Option<Hidden>,
    pub(super) webhook_file: Option<PathBuf>,
    pub(super) webhook_command: Option<String>,
    pub(super) form: Option<WebhookForm>,
    pub(super) to: Option<Vec<String>>,
    pub(super) attach: Option<bool>,
}

/// A text that no Debug output shows.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub(super) struct Hidden(pub(super) String);

impl fmt::Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "one of \"always\", \"problems\", \"in-doubt\", \"nothing-came\", \"missed-night\", or a list of these"
)]
pub(super) enum OneOrMany {
    One(When),
    Many(Vec<When>),
}

/// When somebody is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// After every night.
    Always,
    /// Something needs a person.
    Problems,
    /// Orders are in doubt.
    InDoubt,
    /// The folder was empty.
    NothingCame,
    /// The last night is longer ago than it should be.
    MissedNight,
}

/// What a webhook takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WebhookForm {
    /// The alert as data.
    #[default]
    Json,
    /// A message of Slack.
    Slack,
    /// An adaptive card, as workflows of Teams take it.
    Teams,
}

/// How the connection to a mail server is kept secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MailTls {
    /// TLS after STARTTLS, usually on port 587; without it nothing is sent.
    #[default]
    Starttls,
    /// TLS from the first byte, usually on port 465.
    Implicit,
    /// None, which is for a server on this machine alone.
    None,
}
