//! Arguments and configuration as meant: validated, with nothing left to default.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use etcetera::AppStrategy;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::api::operation::{Operations, Override};
use crate::api::{Client, ClientOptions, Endpoint, Login, SecretSource, Token, TokenSource};
use crate::book::{BrakeOptions, Concurrency, Limits, RetryPolicy};
use crate::check::{Decimals, NumbersAlike, Rules};
use crate::field::Version;
use crate::ledger::{Ledger, LedgerError, SANDBOX, Watch};
use crate::profile::{Profile, built_in, wrong_date_format};
use crate::sandbox;
use crate::stage::OpenOptions;
use crate::text::shell_quoted;

use super::args::{Api, Booking, Format, Global, SheetArguments};
use super::config::{Alike, Config, Separator, folders};
use super::console::{confirm, note};
use super::service_args::Pace;
use super::session::{host, user};
use super::trust::{NamedBy, allow_host, state_folder};

/// What all commands share.
pub(super) struct Settings {
    pub(super) config: Config,
    pub(super) service: Service,
    /// Who said where that is.
    service_by: NamedBy,
    pub(super) ledger: PathBuf,
    pub(super) format: Format,
    pub(super) verbosity: Verbosity,
    /// The program's name with the options that lead to the same service and ledger.
    pub(super) command: String,
    /// The same without the service.
    bare_command: String,
}

/// Which service is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Service {
    /// The stand-in inside this process.
    Sandbox,
    /// The one at this address; none is configured where it is missing.
    At(Option<Endpoint>),
}

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}

/// How to book.
#[derive(Debug, Clone)]
pub(super) struct BookingSettings {
    pub(super) brake: BrakeOptions,
    pub(super) limits: Limits,
    pub(super) rate: Option<f64>,
    pub(super) yes: bool,
}

/// What is said where no address is known.
pub(super) const NO_SERVICE: &str = "no service is configured: set SHIPSHEET_BASE_URL, or base_url in shipsheet.toml \
    (or try it with --sandbox, which needs none)";
/// What is practised stays apart from what was booked.
const SANDBOX_LEDGER: &str = "sandbox.sqlite";
/// Calls in flight beside bookings at most, unless more are typed.
pub(super) const CONCURRENCY: usize = 8;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(150);
const WAIT_MAX: Duration = Duration::from_mins(15);

impl Settings {
    pub(super) fn new(global: &Global) -> Result<Self> {
        let config = Config::read(global.config.as_deref())?;
        let service = if global.sandbox {
            Service::Sandbox
        } else {
            let base_url = global.base_url.as_deref().or(config.base_url.as_deref()).filter(|url| !url.is_empty());
            Service::At(base_url.map(Endpoint::parse).transpose()?)
        };
        let given = global.base_url.as_deref().is_some_and(|url| !url.is_empty());
        let service_by = if given { NamedBy::User } else { config.named_by(global.config.as_deref()) };
        let ledger = match (&global.ledger, config.ledger_file(), &service) {
            // The sandbox's bookings are worth nothing: they stay out of the configured ledger.
            (None, _, Service::Sandbox) => folders()?.in_data_dir(SANDBOX_LEDGER),
            (Some(path), ..) | (None, Some(path), _) => path.clone(),
            (None, None, _) => folders()?.in_data_dir("ledger.sqlite"),
        };
        let verbosity = match (global.quiet, global.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        };
        Ok(Self {
            config,
            service,
            service_by,
            ledger,
            format: global.format,
            verbosity,
            command: command(global, true),
            bare_command: command(global, false),
        })
    }

    /// How the ledger is watched over from outside.
    pub(super) fn watch(&self) -> Watch {
        Watch { marks: marks_folder(), allow_network: self.config.allows_network(), user: user(), host: host() }
    }

    /// The rules for values; the version is the one typed, else the configured one.
    pub(super) fn rules(&self, now: Timestamp, api: Option<Api>) -> Result<Rules> {
        let mut rules = Rules::new(now);
        if api.or(self.config.api) == Some(Api::V1) {
            rules.version = Version::V1;
            note("warning: version 1 of the request is deprecated by the service; version 2 names a warehouse instead");
        }
        for (section, path, value) in self.config.sending_side() {
            rules.set_default(&path, &value).with_context(|| format!("[{section}] cannot be used"))?;
        }
        for (path, value) in &self.config.defaults {
            let text = match value {
                toml::Value::String(text) => text.clone(),
                toml::Value::Table(table) => {
                    let whole = unquoted(path, table);
                    bail!("[defaults] {whole} needs quotes: write \"{whole}\" = \"…\"")
                }
                toml::Value::Array(_) => {
                    bail!("[defaults] {path} is a list: one value is accepted")
                }
                other => other.to_string(),
            };
            rules.set_default(path, &text)?;
        }
        for path in &self.config.check.optional {
            rules.relax(path)?;
        }
        for path in &self.config.check.required {
            rules.require(path)?;
        }
        for payment_type in &self.config.check.payment_types {
            rules.accept_payment(payment_type);
        }
        rules.ignored_headers.clone_from(&self.config.check.ignore);
        rules.ready_words.clone_from(&self.config.check.ready);
        rules.decimals = match self.config.check.decimals {
            None => Decimals::Unknown,
            Some(Separator::Point) => Decimals::Point,
            Some(Separator::Comma) => Decimals::Comma,
        };
        if let Some(heaviest) = self.config.check.heaviest_kg {
            rules.heaviest_kg = heaviest.into();
        }
        if let Some(Alike::Warn) = self.config.check.numbers_alike {
            rules.numbers_alike = NumbersAlike::Warn;
        }
        for (name, id) in &self.config.warehouses {
            rules.name_warehouse(name, id);
        }
        if let Some(zone) = &self.config.dates.time_zone {
            rules.time_zone = TimeZone::get(zone)
                .with_context(|| format!("[dates] time_zone: \"{zone}\" is no time zone such as Asia/Kolkata"))?;
        }
        for format in &self.config.dates.formats {
            if let Some(why) = wrong_date_format(format) {
                bail!("[dates] formats: \"{format}\" is no format of a date ({why}); write one such as %d/%m/%Y");
            }
        }
        rules.date_formats.clone_from(&self.config.dates.formats);
        Ok(rules)
    }

    pub(super) fn booking(&self, typed: &Booking) -> BookingSettings {
        let configured = &self.config.booking;
        let wait = typed.max_wait.or(configured.max_wait_seconds).map_or(WAIT_MAX, Duration::from_secs);
        BookingSettings {
            brake: BrakeOptions {
                concurrency: typed.concurrency.or(configured.concurrency).unwrap_or_default(),
                wait_max: wait,
                retry: RetryPolicy::default(),
            },
            rate: typed.rate.or(configured.rate),
            limits: Limits {
                orders_max: typed.max_orders.or(configured.max_orders),
                failures_max: typed.max_failures.or(configured.max_failures),
                deadline: typed.deadline,
            },
            yes: typed.yes,
        }
    }

    /// Calls in flight and requests a second of what comes before and after booking.
    pub(super) fn pace(&self, typed: &Pace) -> (usize, Option<f64>) {
        let configured = &self.config.booking;
        let usual = || beside_bookings(configured.concurrency.unwrap_or_default());
        (typed.concurrency.map_or_else(usual, usize::from), typed.rate.or(configured.rate))
    }

    /// How to reach the service at an address, once it is sure that the token may go there.
    pub(super) fn client(&self, endpoint: Endpoint, concurrency: usize) -> Result<ClientOptions> {
        allow_host(&endpoint, self.service_by, state_folder().as_deref(), confirm)?;
        let booking = &self.config.booking;
        let connect_timeout = booking.connect_timeout_seconds.map_or(CONNECT_TIMEOUT, Duration::from_secs);
        let request_timeout = booking.timeout_seconds.map_or(REQUEST_TIMEOUT, Duration::from_secs);
        if connect_timeout >= request_timeout {
            bail!(
                "[booking] connect_timeout_seconds must be below timeout_seconds: only then is an order known as unsent"
            );
        }
        Ok(ClientOptions {
            endpoint,
            connect_timeout,
            request_timeout,
            ca_file: booking.ca_file.clone(),
            environment_proxy: booking.use_environment_proxy,
            connections_max: concurrency,
            operations: self.operations()?,
        })
    }

    /// What gives a token without an account, with its name: the environment wins over the configuration.
    fn given_token(&self) -> Option<(&'static str, Result<TokenSource>)> {
        const VARIABLE: &str = "SHIPSHEET_TOKEN";
        let fixed =
            |text| Ok(TokenSource::Fixed(Token::new(text).with_context(|| format!("{VARIABLE} is not a token"))?));
        let secret = |source| Ok(TokenSource::Secret(source));
        let given = given(VARIABLE).map(|text| (VARIABLE, fixed(text)));
        let file = || Some(("token_file", secret(SecretSource::File(self.config.token_file.clone()?))));
        let command = || Some(("token_command", secret(SecretSource::Command(self.config.token_command.clone()?))));
        given.or_else(file).or_else(command)
    }

    /// Where the token comes from; one that is given wins over a login.
    pub(super) fn token_source(&self, client: &Client) -> Result<TokenSource> {
        if let Some((_, source)) = self.given_token() {
            return source;
        }
        match self.login(client)? {
            Some(login) => Ok(TokenSource::Login(Box::new(login))),
            None => bail!(
                "no token: set SHIPSHEET_TOKEN, or name token_file or token_command in shipsheet.toml, \
                 or set SHIPSHEET_EMAIL and SHIPSHEET_PASSWORD (or try it with --sandbox, which needs none)"
            ),
        }
    }

    /// What gives a token before any account does, where something does.
    pub(super) fn token_before_login(&self) -> Option<&'static str> {
        self.given_token().map(|(name, _)| name)
    }

    /// The ledger, to be read.
    pub(super) fn read_ledger(&self) -> Result<Ledger> {
        Ledger::open_read_only(&self.ledger).map_err(|error| {
            let practised = matches!(error, LedgerError::Missing(_))
                && self.service != Service::Sandbox
                && folders().is_ok_and(|folders| folders.in_data_dir(SANDBOX_LEDGER).exists());
            if practised { anyhow!("{error} (what was practised is shown with --sandbox)") } else { error.into() }
        })
    }

    /// How to log in, where an account is configured.
    pub(super) fn login(&self, client: &Client) -> Result<Option<Login>> {
        let auth = &self.config.auth;
        let Some(email) = given("SHIPSHEET_EMAIL").or_else(|| auth.email.clone()) else { return Ok(None) };
        let password = match (given("SHIPSHEET_PASSWORD"), &auth.password_file, &auth.password_command) {
            (Some(password), ..) => SecretSource::Given(password.into()),
            (None, Some(path), None) => SecretSource::File(path.clone()),
            (None, None, Some(command)) => SecretSource::Command(command.clone()),
            (None, Some(_), Some(_)) => bail!("[auth] names both password_file and password_command: keep one"),
            (None, None, None) => bail!(
                "no password for {email}: set SHIPSHEET_PASSWORD, or name password_file or password_command in [auth]"
            ),
        };
        let renew_after = auth.renew_after_seconds.map_or(Login::RENEW_AFTER, Duration::from_secs);
        if renew_after.is_zero() {
            bail!("[auth] renew_after_seconds must be above zero; the service's tokens live about five minutes");
        }
        Ok(Some(Login { client: client.clone(), email, password, renew_after }))
    }

    /// The table of operations. The sandbox's own paths are known where nothing is configured.
    pub(super) fn operations(&self) -> Result<Operations> {
        let mut operations = self.config.operations()?;
        if self.service == Service::Sandbox {
            for (name, path) in sandbox::OWN_PATHS {
                if operations.find(name)?.path.is_none() {
                    operations.set(name, Override { path: Some((*path).to_owned()), ..Override::default() })?;
                }
            }
        }
        Ok(operations)
    }

    /// What tells this service's orders from another's in the ledger.
    pub(super) fn service_key(&self) -> Result<String> {
        match &self.service {
            Service::Sandbox => Ok(SANDBOX.to_owned()),
            Service::At(Some(endpoint)) => Ok(endpoint.origin().to_owned()),
            Service::At(None) => bail!(NO_SERVICE),
        }
    }

    /// How to call this program again for orders of that service, by its key in the ledger.
    pub(super) fn command_at(&self, service: &str) -> String {
        match self.service_key() {
            Ok(own) if own == service => self.command.clone(),
            _ if service == SANDBOX => format!("{} --sandbox", self.bare_command),
            _ => format!("{} --base-url {}", self.bare_command, shell_quoted(service)),
        }
    }
}

/// Calls in flight of what comes before and after bookings of which so many may be in flight.
pub(super) fn beside_bookings(concurrency: Concurrency) -> usize {
    concurrency.ceiling().min(CONCURRENCY)
}

/// The path that somebody meant who wrote `a.b.c = …` without quotes, which TOML takes for tables.
fn unquoted(path: &str, table: &toml::Table) -> String {
    match table.iter().next() {
        Some((key, toml::Value::Table(below))) => unquoted(&format!("{path}.{key}"), below),
        Some((key, _)) => format!("{path}.{key}"),
        None => path.to_owned(),
    }
}

/// A variable of the environment that says something.
fn given(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|text| !text.trim().is_empty())
}

/// How to call this program again so that it means the same ledger, and the same service.
fn command(global: &Global, with_service: bool) -> String {
    let mut words = vec!["shipsheet".to_owned()];
    if global.sandbox && with_service {
        words.push("--sandbox".to_owned());
    }
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let given = [
        ("--config", path(&global.config), "SHIPSHEET_CONFIG"),
        ("--ledger", path(&global.ledger), "SHIPSHEET_LEDGER"),
        ("--base-url", global.base_url.clone().filter(|_| with_service), "SHIPSHEET_BASE_URL"),
    ];
    for (flag, value, variable) in given {
        let in_environment = value.is_some() && std::env::var(variable).ok() == value;
        if let Some(value) = value.filter(|_| !in_environment) {
            words.extend([flag.to_owned(), shell_quoted(&value)]);
        }
    }
    words.join(" ")
}

/// What sheets to open and how.
pub(super) fn open_options(settings: &Settings, arguments: &SheetArguments, rules: &Rules) -> Result<OpenOptions> {
    let profile = arguments.profile.as_deref().map(profile).transpose()?;
    let sheet = arguments.reading.options(settings.config.reading.limits());
    let saved = if profile.is_some() { Vec::new() } else { saved_profiles()? };
    Ok(OpenOptions { paths: arguments.sheets.clone(), sheet, profile, saved, rules: rules.clone() })
}

/// A profile by its file, by its name among the user's own, or among those that come with the program.
pub(super) fn profile(named: &str) -> Result<Profile> {
    let path = Path::new(named);
    if path.is_file() || path.extension().is_some() {
        return Ok(Profile::read(path)?);
    }
    let users = profiles_folder()?.join(format!("{named}.toml"));
    if users.is_file() {
        return Ok(Profile::read(&users)?);
    }
    if let Some(built_in) = built_in().iter().find(|profile| profile.name == named) {
        return Ok(built_in.clone());
    }
    let near = crate::text::nearest(named, built_in().iter().map(|profile| profile.name.as_str()));
    let near = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
    bail!("no profile \"{named}\"{near} (`shipsheet profile list` names all)")
}

/// Where the user's own profiles are.
pub(super) fn profiles_folder() -> Result<PathBuf> {
    Ok(folders()?.in_config_dir("profiles"))
}

/// The user's own profiles, by name. One that cannot be read is an error: it may be the one that a sheet needs.
pub(super) fn saved_profiles() -> Result<Vec<Profile>> {
    let Ok(entries) = std::fs::read_dir(profiles_folder()?) else { return Ok(Vec::new()) };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    Ok(paths.iter().map(|path| Profile::read(path)).collect::<Result<_, _>>()?)
}

/// Where high-water marks are kept: in the user's state folder, which `XDG_STATE_HOME` names where there is no home.
fn marks_folder() -> Option<PathBuf> {
    let of_user = folders().ok().map(|folders| folders.state_dir().unwrap_or_else(|| folders.cache_dir()));
    let named = || std::env::var_os("XDG_STATE_HOME").map(|folder| PathBuf::from(folder).join("shipsheet"));
    // A home that is no whole path would lead to another folder from each place where the program is started.
    of_user
        .filter(|folder| folder.is_absolute())
        .or_else(named)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("marks"))
}
