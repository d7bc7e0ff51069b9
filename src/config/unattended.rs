//! What happens while nobody is there, and who hears of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::api::{ClientError, SecretSource, Web};
use crate::log::LogOptions;

use super::Config;
use super::environment::{MAIL_PASSWORD, variable};
use super::error::ConfigError;
use super::file::File;
use super::sections::{Hidden, LogSettings, MailTls, NightSettings, NotifySettings, OneOrMany, WebhookForm, When};

/// A log is rotated at this size, and so many earlier ones are kept.
const LOG_SIZE_MIB: u64 = 10;
const LOGS_KEPT: u32 = 5;

/// A mail server.
#[derive(Debug, Clone)]
pub struct MailServer {
    /// Its name.
    pub server: String,
    /// Its port.
    pub port: u16,
    /// How the connection is kept secret.
    pub tls: MailTls,
    /// Who the mail is from.
    pub from: String,
    /// The account, where one is needed.
    pub account: Option<(String, SecretSource)>,
}

/// Somebody who is told.
#[derive(Debug, Clone)]
pub struct Target {
    /// Its name in the configuration.
    pub name: String,
    /// When.
    pub when: Vec<When>,
    /// How.
    pub channel: Channel,
}

/// A way to tell somebody.
#[derive(Debug, Clone)]
pub enum Channel {
    /// A command of the shell, which gets the alert on its standard input.
    Command(String),
    /// An address that the alert is posted to. It may be a secret.
    Webhook {
        /// Where it is kept.
        address: SecretSource,
        /// What it takes.
        form: WebhookForm,
    },
    /// A mail.
    Mail {
        /// The server.
        server: Box<MailServer>,
        /// To whom.
        to: Vec<String>,
        /// Whether the report is attached.
        attach: bool,
    },
}

/// Signs of life, and when one is missed.
#[derive(Debug, Clone, Default)]
pub struct NightOptions {
    /// How long after the end of a night the next one is missed.
    pub missed_after: Option<Duration>,
    /// The address of a dead-man's switch.
    pub ping: Option<String>,
    /// A file for Prometheus' textfile collector.
    pub metrics_file: Option<PathBuf>,
    /// The address under which people find the watched folder, for links to reports.
    pub link: Option<String>,
}

impl Config {
    /// A client for addresses beside the service, which gives up after this time.
    ///
    /// # Errors
    /// A certificate file that cannot be used, or a machine without certificates.
    pub fn web(&self, time_max: Duration) -> Result<Web, ClientError> {
        Web::new(self.ca_file(), self.file.booking.use_environment_proxy, time_max)
    }

    /// One more certificate authority, where one is named.
    #[must_use]
    pub fn ca_file(&self) -> Option<&Path> {
        self.file.booking.ca_file.as_deref()
    }

    /// The log, where one is configured.
    #[must_use]
    pub fn log(&self) -> Option<LogOptions> {
        let LogSettings { file, max_size_mib, keep } = &self.file.log;
        let bytes_max = max_size_mib.unwrap_or(LOG_SIZE_MIB).max(1).saturating_mul(1 << 20);
        Some(LogOptions { file: file.clone()?, bytes_max, keep: keep.unwrap_or(LOGS_KEPT) })
    }

    /// The files that hold secrets.
    #[must_use]
    pub fn secret_files(&self) -> Vec<PathBuf> {
        let File { token_file, auth, mail, notify, .. } = &self.file;
        let webhooks = notify.values().map(|target| &target.webhook_file);
        [token_file, &auth.password_file, &mail.password_file].into_iter().chain(webhooks).flatten().cloned().collect()
    }

    /// Signs of life, and when one is missed.
    #[must_use]
    pub fn night(&self) -> NightOptions {
        let NightSettings { missed_after_hours, ping, metrics_file, link } = self.file.night.clone();
        let missed_after = missed_after_hours.map(|hours| Duration::from_secs(hours.saturating_mul(3_600)));
        NightOptions { missed_after, ping, metrics_file, link }
    }

    /// Who is told, by name.
    ///
    /// # Errors
    /// A target that cannot be meant.
    pub fn targets(&self) -> Result<Vec<Target>, ConfigError> {
        self.file.notify.iter().map(|(name, settings)| self.target(name, settings)).collect()
    }

    /// The commands that are run to tell whoever is configured.
    #[must_use]
    pub fn alert_commands(&self) -> Vec<&str> {
        let File { mail, notify, .. } = &self.file;
        let of_target = notify.values().flat_map(|target| [&target.command, &target.webhook_command]);
        let is_mailed = notify.values().any(|target| target.to.is_some()) && mail.user.is_some();
        let password = mail.password_command.as_deref().filter(|_| is_mailed && variable(MAIL_PASSWORD).is_none());
        of_target.flatten().map(String::as_str).chain(password).collect()
    }

    fn target(&self, name: &str, settings: &NotifySettings) -> Result<Target, ConfigError> {
        let wrong = |what: &str| Err(ConfigError::Setting(format!("[notify.{name}] {what}")));
        let NotifySettings { when, command, webhook, webhook_file, webhook_command, form, to, attach } =
            settings.clone();
        let when = match when {
            None => vec![When::Problems, When::MissedNight],
            Some(OneOrMany::One(when)) => vec![when],
            Some(OneOrMany::Many(when)) => when,
        };
        let address = [
            webhook.map(|Hidden(address)| SecretSource::Given(address.into())),
            webhook_file.map(SecretSource::File),
            webhook_command.map(SecretSource::Command),
        ];
        let mut channels: Vec<Channel> = command.into_iter().map(Channel::Command).collect();
        let addresses = address.into_iter().flatten();
        channels.extend(addresses.map(|address| Channel::Webhook { address, form: form.unwrap_or_default() }));
        if let Some(to) = to {
            if to.is_empty() {
                return wrong("to names nobody: write to = [\"owner@example.com\"]");
            }
            if let Some(odd) = to.iter().find(|address| !address.contains('@')) {
                return wrong(&format!("to: {odd} is no e-mail address"));
            }
            let server = Box::new(self.mail_server()?);
            channels.push(Channel::Mail { server, to, attach: attach.unwrap_or(true) });
        }
        let Some(channel) = channels.pop().filter(|_| channels.is_empty()) else {
            return wrong("needs one of command, webhook, webhook_file, webhook_command and to, and only one");
        };
        if form.is_some() && !matches!(channel, Channel::Webhook { .. }) {
            return wrong("form is for a webhook");
        }
        if attach.is_some() && !matches!(channel, Channel::Mail { .. }) {
            return wrong("attach is for mail");
        }
        Ok(Target { name: name.to_owned(), when, channel })
    }

    fn mail_server(&self) -> Result<MailServer, ConfigError> {
        let wrong = |what: &str| ConfigError::Setting(format!("[mail] {what}"));
        let mail = self.file.mail.clone();
        let server = mail.server.ok_or_else(|| wrong("needs server, the name of the mail server"))?;
        let from = mail.from.ok_or_else(|| wrong("needs from, the address that alerts are sent from"))?;
        let tls = mail.tls.unwrap_or_default();
        let is_here = ["localhost", "127.0.0.1", "::1"].contains(&server.as_str());
        if tls == MailTls::None && !is_here {
            return Err(wrong("tls = \"none\" is for a server on this machine: take \"starttls\" or \"implicit\""));
        }
        let account = match mail.user {
            None => None,
            Some(user) => {
                let password = match (variable(MAIL_PASSWORD), mail.password_file, mail.password_command) {
                    (Some(password), ..) => SecretSource::Given(password.into()),
                    (None, Some(path), None) => SecretSource::File(path),
                    (None, None, Some(command)) => SecretSource::Command(command),
                    (None, Some(_), Some(_)) => {
                        return Err(wrong("names both password_file and password_command: keep one"));
                    }
                    (None, None, None) => {
                        return Err(wrong(&format!(
                            "has a user and no password: set {MAIL_PASSWORD}, or name password_file or password_command"
                        )));
                    }
                };
                Some((user, password))
            }
        };
        Ok(MailServer { server, port: mail.port.unwrap_or_else(|| usual_port(tls)), tls, from, account })
    }
}

/// The port that mail servers listen on.
const fn usual_port(tls: MailTls) -> u16 {
    match tls {
        MailTls::Starttls => 587,
        MailTls::Implicit => 465,
        MailTls::None => 25,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Overrides;

    fn targets(text: &str) -> Result<Vec<Target>, String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("shipsheet.toml"), text).unwrap();
        let overrides = Overrides { folder: Some(folder.path().to_owned()), sandbox: true, ..Overrides::default() };
        let config = Config::open(overrides).map_err(|error| error.to_string())?;
        config.targets().map_err(|error| error.to_string())
    }

    #[test]
    fn each_target_has_one_way_and_its_occasions() {
        let found = targets(
            "[mail]\nserver = \"smtp.example.com\"\nfrom = \"a@example.com\"\n\
             [notify.owner]\nto = [\"b@example.com\"]\nwhen = \"always\"\n\
             [notify.team]\nwebhook = \"https://example.com/x\"\nform = \"slack\"\nwhen = [\"in-doubt\", \"nothing-came\"]\n\
             [notify.pager]\ncommand = \"true\"\n",
        )
        .unwrap();
        let whens: Vec<_> = found.iter().map(|target| (target.name.as_str(), target.when.clone())).collect();
        let expected = [
            ("owner", vec![When::Always]),
            ("pager", vec![When::Problems, When::MissedNight]),
            ("team", vec![When::InDoubt, When::NothingCame]),
        ];
        assert_eq!(whens, expected);
        let Channel::Mail { server, attach: true, .. } = &found[0].channel else { panic!("{:?}", found[0]) };
        assert_eq!((server.port, server.tls), (587, MailTls::Starttls));
        assert!(!format!("{found:?}").contains("example.com/x"), "an address may be a secret");
    }

    #[test]
    fn what_cannot_be_meant_is_told_by_its_name() {
        for (text, said) in [
            ("[notify.a]\n", "[notify.a] needs one of"),
            ("[notify.a]\ncommand = \"x\"\nwebhook = \"y\"\n", "only one"),
            ("[notify.a]\nto = [\"b@example.com\"]\n", "[mail] needs server"),
            ("[notify.a]\nto = [\"owner\"]\n", "owner is no e-mail address"),
            ("[notify.a]\ncommand = \"x\"\nform = \"slack\"\n", "form is for a webhook"),
            ("[notify.a]\ncommand = \"x\"\nwhen = \"now\"\n", "missed-night"),
            (
                "[mail]\nserver = \"far\"\nfrom = \"a@b.c\"\ntls = \"none\"\n[notify.a]\nto = [\"b@c.d\"]\n",
                "on this machine",
            ),
            ("[mail]\nserver = \"far\"\nfrom = \"a@b.c\"\nuser = \"u\"\n[notify.a]\nto = [\"b@c.d\"]\n", "no password"),
        ] {
            let error = targets(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
