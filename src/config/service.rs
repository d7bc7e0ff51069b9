//! Where the service is, how it is reached, and what opens it.

use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::api::operation::{Operations, Override};
use crate::api::{Client, ClientOptions, Endpoint, Login, SecretSource, Token, TokenSource};
use crate::ledger::SANDBOX;
use crate::sandbox;
use crate::text::hex;

use super::environment::{EMAIL, PASSWORD, TOKEN, variable};
use super::error::ConfigError;
use super::file::Serviceability;
use super::trust::{self, NewCommand};
use super::{Config, NamedBy};

/// Which service is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Service {
    /// The stand-in inside this process.
    Sandbox,
    /// The one at this address; none is configured where it is missing.
    At(Option<Endpoint>),
}

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(150);

impl Config {
    /// What tells this service's orders from another's in the ledger: the origin of its address, or `sandbox`.
    ///
    /// # Errors
    /// No service is configured.
    pub fn service_key(&self) -> Result<String, ConfigError> {
        match &self.service {
            Service::Sandbox => Ok(SANDBOX.to_owned()),
            Service::At(endpoint) => endpoint.as_ref().map(|at| at.origin().to_owned()).ok_or(ConfigError::NoService),
        }
    }

    /// The service's address.
    ///
    /// # Errors
    /// No service is configured. The sandbox has no address before it is started.
    pub fn endpoint(&self) -> Result<&Endpoint, ConfigError> {
        match &self.service {
            Service::At(Some(endpoint)) => Ok(endpoint),
            Service::Sandbox | Service::At(None) => Err(ConfigError::NoService),
        }
    }

    /// How to reach the service at an address with so many connections.
    ///
    /// # Errors
    /// Settings that contradict each other.
    pub fn client_options(&self, endpoint: Endpoint, connections_max: usize) -> Result<ClientOptions, ConfigError> {
        let booking = &self.file.booking;
        let connect_timeout = booking.connect_timeout_seconds.map_or(CONNECT_TIMEOUT, Duration::from_secs);
        let request_timeout = booking.timeout_seconds.map_or(REQUEST_TIMEOUT, Duration::from_secs);
        if connect_timeout >= request_timeout {
            return Err(ConfigError::Setting(
                "[booking] connect_timeout_seconds must be below timeout_seconds: only then is an order known as unsent"
                    .to_owned(),
            ));
        }
        Ok(ClientOptions {
            endpoint,
            connect_timeout,
            request_timeout,
            ca_file: booking.ca_file.clone(),
            environment_proxy: booking.use_environment_proxy,
            connections_max,
            operations: self.operations()?,
        })
    }

    /// Whether the token may go to a host unasked: this user sent one there before, or named this very machine. A
    /// configuration that lay in the working folder may name a program of a stranger on it.
    #[must_use]
    pub fn is_known_host(&self, endpoint: &Endpoint) -> bool {
        let is_own = self.service_named_by() == NamedBy::User && endpoint.is_this_machine();
        is_own || trust::is_known_host(endpoint, self.folders.state().as_deref())
    }

    /// Notes that tokens go to a host.
    ///
    /// # Errors
    /// The note cannot be written.
    pub fn remember_host(&self, origin: &str) -> io::Result<()> {
        trust::remember_host(origin, self.folders.state().as_deref())
    }

    /// The user's state folder, as it is found where there is no home as well.
    pub(crate) fn lasting_folder(&self) -> Option<PathBuf> {
        self.folders.marks()?.parent().map(Path::to_path_buf)
    }

    /// What gives a token without an account, with its name: the environment takes precedence over the file.
    fn given_token(&self) -> Option<(&'static str, Result<TokenSource, ConfigError>)> {
        let fixed = |text| {
            let token = Token::new(text).map_err(|source| ConfigError::BadToken { variable: TOKEN, source });
            token.map(TokenSource::Fixed)
        };
        let secret = |source| Ok(TokenSource::Secret(source));
        let given = variable(TOKEN).map(|text| (TOKEN, fixed(text)));
        let file = || Some(("token_file", secret(SecretSource::File(self.file.token_file.clone()?))));
        let command = || Some(("token_command", secret(SecretSource::Command(self.file.token_command.clone()?))));
        given.or_else(file).or_else(command)
    }

    /// Where the token comes from; one that is given takes precedence over an account.
    ///
    /// # Errors
    /// Nothing gives one, or what gives it is worded wrongly.
    pub fn token_source(&self, client: &Client) -> Result<TokenSource, ConfigError> {
        if let Some((_, source)) = self.given_token() {
            return source;
        }
        let login = self.login(client)?.ok_or(ConfigError::NoToken)?;
        Ok(TokenSource::Login(Box::new(login)))
    }

    /// The name of what gives a token before any account does, where something does.
    #[must_use]
    pub fn token_before_login(&self) -> Option<&'static str> {
        self.given_token().map(|(name, _)| name)
    }

    /// Whether a token has to be waited for: a command gives it, or the service itself at a login.
    #[must_use]
    pub fn waits_for_token(&self) -> bool {
        matches!(self.service(), Service::At(_)) && matches!(self.token_before_login(), Some("token_command") | None)
    }

    /// The commands of the configuration that logins run: one gives the token, one the password of the account, which is
    /// tried as well where a token takes precedence over it.
    #[must_use]
    pub fn login_commands(&self) -> Vec<&str> {
        let is_account = self.file.auth.email.is_some() || variable(EMAIL).is_some();
        let asks = is_account && variable(PASSWORD).is_none();
        let password = self.file.auth.password_command.as_deref().filter(|_| asks);
        self.token_command().into_iter().chain(password).collect()
    }

    fn token_command(&self) -> Option<&str> {
        self.file.token_command.as_deref().filter(|_| self.token_before_login() == Some("token_command"))
    }

    /// The command that gives the token of calls, or the password of the account that does, where one of them does.
    #[must_use]
    pub fn token_commands(&self) -> Vec<&str> {
        match self.token_before_login() {
            // An account is asked for nothing where a token comes before it.
            Some(_) => self.token_command().into_iter().collect(),
            None => self.login_commands(),
        }
    }

    /// Those of these commands that stand in a configuration that lay in the working folder, and that this user has never let
    /// run: it may have come with a folder from elsewhere.
    #[must_use]
    pub fn new_commands(&self, commands: &[&str]) -> Vec<NewCommand> {
        let Some(file) = self.file().filter(|_| self.file_by == NamedBy::Folder) else { return Vec::new() };
        let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let new = |command: &&str| {
            let hash = Sha256::new().chain_update(whole.as_os_str().as_encoded_bytes());
            let hash = hash.chain_update([0]).chain_update(command).finalize();
            NewCommand { command: (*command).to_owned(), mark: format!("command {}", hex(&hash.into())) }
        };
        let state = self.folders.state();
        commands.iter().map(new).filter(|own| !trust::is_known_mark(&own.mark, state.as_deref())).collect()
    }

    /// Notes that a command may run.
    ///
    /// # Errors
    /// The note cannot be written.
    pub fn remember_command(&self, command: &NewCommand) -> io::Result<()> {
        trust::remember_host(&command.mark, self.folders.state().as_deref())
    }

    /// Whose token goes with each call, in words; nothing where none is configured.
    #[must_use]
    pub fn login_named(&self) -> Option<String> {
        let account = || variable(EMAIL).or_else(|| self.file.auth.email.clone());
        match self.token_before_login() {
            Some(name) => Some(format!("the token of {name}")),
            None => account().map(|email| format!("account {email}")),
        }
    }

    /// What tells whose token goes with each call from any other, for as long as `key` is kept: of a file what it holds, as a
    /// hash from which nothing can be read.
    #[must_use]
    pub fn login_mark(&self, key: &str) -> String {
        let token = variable(TOKEN);
        let file = self.file.token_file.as_ref().filter(|_| token.is_none());
        let held = file.map(std::fs::read).and_then(Result::ok).unwrap_or_default();
        let mut hasher = Sha256::new();
        for part in [key.as_bytes(), token.unwrap_or_default().as_bytes(), &held] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.update(format!("{:?} {:?}", self.file.token_command, self.login_named()));
        hasher.finalize().iter().take(16).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
    }

    /// How to log in, where an account is configured.
    ///
    /// # Errors
    /// An account without a password, or with two.
    pub fn login(&self, client: &Client) -> Result<Option<Login>, ConfigError> {
        let wrong = |text: &str| Err(ConfigError::Setting(text.to_owned()));
        let auth = &self.file.auth;
        let Some(email) = variable(EMAIL).or_else(|| auth.email.clone()) else { return Ok(None) };
        let password = match (variable(PASSWORD), &auth.password_file, &auth.password_command) {
            (Some(password), ..) => SecretSource::Given(password.into()),
            (None, Some(path), None) => SecretSource::File(path.clone()),
            (None, None, Some(command)) => SecretSource::Command(command.clone()),
            (None, Some(_), Some(_)) => return wrong("[auth] names both password_file and password_command: keep one"),
            (None, None, None) => {
                return wrong(&format!(
                    "no password for {email}: set SHIPSHEET_PASSWORD, or name password_file or password_command in [auth]"
                ));
            }
        };
        let renew_after = auth.renew_after_seconds.map_or(Login::RENEW_AFTER, Duration::from_secs);
        if renew_after.is_zero() {
            return wrong(
                "[auth] renew_after_seconds must be above zero; the service's tokens live about five minutes",
            );
        }
        Ok(Some(Login { client: client.clone(), email, password, renew_after }))
    }

    /// The table of operations. The sandbox's own paths are known where nothing is configured.
    ///
    /// # Errors
    /// An operation that does not exist, or that is worded wrongly.
    pub fn operations(&self) -> Result<Operations, ConfigError> {
        let mut operations = self.file.operations()?;
        if self.service == Service::Sandbox {
            for (name, path) in sandbox::OWN_PATHS {
                if operations.find(name).map_err(ConfigError::Operations)?.path.is_none() {
                    let own = Override { path: Some((*path).to_owned()), ..Override::default() };
                    operations.set(name, own).map_err(ConfigError::Operations)?;
                }
            }
        }
        Ok(operations)
    }

    /// The secret last part of the address that tracking events come to, where one is set.
    #[must_use]
    pub fn webhook_secret(&self) -> Option<String> {
        variable("SHIPSHEET_WEBHOOK_SECRET")
    }

    /// Ids of the service's warehouses by the names that sheets give them.
    #[must_use]
    pub const fn warehouses(&self) -> &std::collections::BTreeMap<String, String> {
        &self.file.warehouses
    }

    /// The file that names of warehouses are added to: the one in use, else one in the working directory.
    #[must_use]
    pub fn warehouse_file(&self) -> &Path {
        self.file().unwrap_or(Path::new("shipsheet.toml"))
    }

    /// What is asked about couriers before an import.
    #[must_use]
    pub const fn serviceability(&self) -> &Serviceability {
        &self.file.serviceability
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Overrides};

    #[test]
    fn another_token_in_the_same_file_is_another_login() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(folder.path().join("shipsheet.toml"), format!("token_file = '{}'\n", file.display())).unwrap();
        let config =
            Config::open(Overrides { folder: Some(folder.path().to_owned()), ..Overrides::default() }).unwrap();
        let mark = |token: &str, key: &str| {
            std::fs::write(&file, token).unwrap();
            config.login_mark(key)
        };
        let first = mark("abc", "key");
        assert_eq!((mark("abc", "key") == first, mark("abd", "key") == first), (true, false));
        assert_ne!(mark("abc", "another key"), first, "nothing can be read from it");
    }
}
