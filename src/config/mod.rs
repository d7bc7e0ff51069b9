//! The configuration as it is meant: what a face was told, the environment, the file, and defaults, in this order.
//!
//! - `file`: `shipsheet.toml` as it is written, with `sections`; `added` joins lines that were added below;
//!   `masked` quotes it without secrets
//! - `table`: every setting with its default and what is said of it, and the file that people begin with
//! - `edit`: settings that are changed without an editor
//! - `trust`: whose file is believed, and which hosts have had a token before
//! - `environment`: the variables that go before settings
//! - `folders`: where the user's own files are; `home` writes out `~`; `site`: where the ledger is
//! - `booking`, `service`, `sheets`: what it says of booking, of the service, and of reading sheets
//! - `unattended`: who hears of what happens while nobody is there
//! - `shown`: all of it for whoever looks, of what is `written`, or else the default

mod added;
mod backup;
mod booking;
mod edit;
mod environment;
mod error;
mod file;
mod folders;
mod home;
mod masked;
mod sections;
mod service;
mod sheets;
mod shown;
mod site;
mod table;
mod trust;
mod unattended;
mod written;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::api::Endpoint;
use crate::ledger::{Site, Watch};

pub use added::is_configuration;
pub use backup::BackupPlan;
pub use booking::{Booking, BookingOptions, CALLS_IN_FLIGHT, Pace, PaceOptions};
pub use edit::{Edit, Secret};
pub use error::ConfigError;
pub use file::Serviceability;
pub use home::{expanded, expanded_argument};
pub use sections::{MailTls, WebhookForm, When};
pub use service::Service;
pub use sheets::Sheets;
pub use shown::{Place, Section, Setting, Shown};
pub use table::STARTER;
pub use trust::{NamedBy, NewCommand};
pub use unattended::{Channel, MailServer, NightOptions, Target};

use environment::{instead_of, variable};
use file::{File, LOCAL};
use folders::Folders;

/// The user's ledger, in the folder of the user's data.
const LEDGER: &str = "ledger.sqlite";
/// What is practised stays apart from what was booked.
const SANDBOX_LEDGER: &str = "sandbox.sqlite";

/// What a face was told; it takes precedence over everything else.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// The configuration file.
    pub file: Option<PathBuf>,
    /// The ledger's file.
    pub ledger: Option<PathBuf>,
    /// The service's address.
    pub base_url: Option<String>,
    /// Whether to use the built-in stand-in service, with a ledger of its own.
    pub sandbox: bool,
    /// One folder for everything that is otherwise kept among the user's own files: configuration, profiles, ledgers, and
    /// what is noted of hosts and of ledgers. A whole path.
    pub folder: Option<PathBuf>,
    /// The program to start for reading `.xls`, `.xlsb` and `.ods` apart from this process, see
    /// [`sheet::Options::helper`](crate::sheet::Options::helper). Only a program that answers to it may be named.
    pub helper: Option<PathBuf>,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetBy {
    /// A face was told.
    Given,
    /// A variable of the environment, by its name.
    Environment(&'static str),
    /// The configuration file.
    File(PathBuf),
    /// Nothing was said: it is the default.
    Default,
}

/// The configuration, with nothing left to look up.
#[derive(Debug, Clone)]
pub struct Config {
    file: File,
    overrides: Overrides,
    folders: Folders,
    service: Service,
    named_by: NamedBy,
    /// Whose the configuration is.
    file_by: NamedBy,
    site: Site,
}

impl Config {
    /// Reads the configuration: the named file, else `shipsheet.toml` in the working directory, else the user's own.
    ///
    /// # Errors
    /// A file that cannot be read, is not valid, or that another user could have written.
    pub fn open(overrides: Overrides) -> Result<Self, ConfigError> {
        let (named, folders) = (Self::named(&overrides), Folders::new(overrides.folder.clone()));
        let file = File::read(named.as_deref(), &folders)?;
        Self::with(file, named.as_deref(), folders, overrides)
    }

    /// The same, but a file that cannot be used is as none.
    ///
    /// # Errors
    /// An address that is none, or a machine that tells no home folder.
    pub fn open_or_default(overrides: Overrides) -> Result<Self, ConfigError> {
        let (named, folders) = (Self::named(&overrides), Folders::new(overrides.folder.clone()));
        let file = File::read(named.as_deref(), &folders).unwrap_or_default();
        Self::with(file, named.as_deref(), folders, overrides)
    }

    fn named(overrides: &Overrides) -> Option<PathBuf> {
        overrides.file.clone().or_else(|| variable("SHIPSHEET_CONFIG").map(|path| expanded(Path::new(&path))))
    }

    fn with(file: File, named: Option<&Path>, folders: Folders, overrides: Overrides) -> Result<Self, ConfigError> {
        let given_url = overrides.base_url.clone().or_else(|| variable("SHIPSHEET_BASE_URL"));
        let file_by = file.named_by(named);
        let named_by = if given_url.as_ref().is_some_and(|url| !url.is_empty()) { NamedBy::User } else { file_by };
        let service = if overrides.sandbox {
            Service::Sandbox
        } else {
            let base_url = given_url.or_else(|| file.base_url.clone()).filter(|url| !url.is_empty());
            Service::At(base_url.as_deref().map(Endpoint::parse).transpose()?)
        };
        let (ledger, ledger_by) = match (&overrides.ledger, &service) {
            (Some(path), _) => (path.clone(), NamedBy::User),
            // The sandbox's bookings are worth nothing: only a ledger that is named beside it may hold them.
            (None, Service::Sandbox) => (folders.data(SANDBOX_LEDGER)?, NamedBy::User),
            (None, Service::At(_)) => match (variable("SHIPSHEET_LEDGER"), file.ledger_file()) {
                (Some(path), _) => (expanded(Path::new(&path)), NamedBy::User),
                (None, Some(path)) => (path.clone(), file_by),
                (None, None) => (folders.data(LEDGER)?, NamedBy::User),
            },
        };
        let site = site::of(ledger, (&file, ledger_by, file_by), &folders)?;
        Ok(Self { file, overrides, folders, service, named_by, file_by, site })
    }

    /// The configuration, ledger and service that flags and variables name, so that another process can be told the same.
    #[must_use]
    pub fn given(&self) -> Overrides {
        // The stand-in has a ledger of its own, whatever variables say.
        let said = |name| variable(name).filter(|_| !self.overrides.sandbox);
        let ledger = || said("SHIPSHEET_LEDGER").map(|path| expanded(Path::new(&path)));
        Overrides {
            file: Self::named(&self.overrides),
            ledger: self.overrides.ledger.clone().or_else(ledger),
            base_url: self.overrides.base_url.clone().or_else(|| said("SHIPSHEET_BASE_URL")),
            ..self.overrides.clone()
        }
    }

    /// The variables that are set here, count for a night, and may not stand in its schedule, or cannot.
    #[must_use]
    pub fn variables_of_a_night(&self) -> Vec<&'static str> {
        let of_service = environment::SECRETS.into_iter().filter(|_| !self.overrides.sandbox);
        let all = of_service.chain(environment::FOLDERS);
        all.filter(|name| variable(name).is_some()).collect()
    }

    /// Which service is meant.
    #[must_use]
    pub const fn service(&self) -> &Service {
        &self.service
    }

    /// Who said where the service is.
    #[must_use]
    pub const fn service_named_by(&self) -> NamedBy {
        self.named_by
    }

    /// Where the ledger is.
    #[must_use]
    pub const fn site(&self) -> &Site {
        &self.site
    }

    /// Where a ledger would be that is named by this file or address.
    ///
    /// # Errors
    /// An address that is none, or that nobody may name here.
    pub fn site_of(&self, place: &Path) -> Result<Site, ConfigError> {
        site::of(place.to_owned(), (&self.file, NamedBy::User, self.file_by), &self.folders)
    }

    /// The command that gives the password of a ledger's database, where one is configured.
    #[must_use]
    pub fn ledger_password_command(&self) -> Option<String> {
        self.file.ledger_password_command().cloned()
    }

    /// The ledger's file; of a ledger on a server what stands for it on this machine, beside which its other files lie.
    #[must_use]
    pub fn ledger(&self) -> &Path {
        self.site.path()
    }

    /// The configuration file in use, where there is one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.file.path.as_deref()
    }

    /// What the file sets, as it is written: with its secrets, so whoever shows it masks them.
    pub(crate) const fn written(&self) -> &toml::Table {
        self.file.written()
    }

    /// Where the value of a setting came from, by its dotted name in the file: `ledger`, `base_url`, `booking.rate`.
    #[must_use]
    pub fn set_by(&self, name: &str) -> SetBy {
        let given = match name {
            "ledger" => self.overrides.ledger.is_some(),
            "base_url" => self.overrides.base_url.is_some(),
            _ => false,
        };
        // The sandbox has a ledger of its own, whatever else is said.
        let own = name == "ledger" && self.service == Service::Sandbox;
        match instead_of(name).filter(|_| !own) {
            _ if given => SetBy::Given,
            Some((name, _)) => SetBy::Environment(name),
            None if !own && self.file.sets(name) => self.file().map_or(SetBy::Default, |file| SetBy::File(file.into())),
            None => SetBy::Default,
        }
    }

    /// The service's address as the file has it.
    #[must_use]
    pub fn base_url(&self) -> Option<&str> {
        self.file.base_url.as_deref()
    }

    /// How the ledger is watched over from outside; `user` and `host` are noted with what is done.
    #[must_use]
    pub fn watch(&self, user: String, host: String) -> Watch {
        Watch { marks: self.folders.marks(), allow_network: self.file.allows_network(), user, host }
    }

    /// What every order gets that says nothing else: fields with their values.
    #[must_use]
    pub fn default_values(&self) -> BTreeMap<String, String> {
        let plain = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.file.defaults.iter().map(|(field, value)| (field.clone(), plain(value))).collect()
    }

    /// Whether there is a ledger of what was practised with the sandbox, beside the one in use.
    #[must_use]
    pub fn has_practised(&self) -> bool {
        self.service != Service::Sandbox && self.folders.data(SANDBOX_LEDGER).is_ok_and(|path| path.exists())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_tells_where_it_came_from() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.toml");
        std::fs::write(&path, "base_url = \"https://a.example\"\n[booking]\nrate = 2.0\n[booking] max_orders = 5\n")
            .unwrap();
        let ledger = Some(folder.path().join("l.sqlite"));
        let overrides = Overrides { file: Some(path.clone()), ledger, ..Overrides::default() };
        let config = Config::open(overrides.clone()).unwrap();
        assert_eq!(config.set_by("ledger"), SetBy::Given);
        assert_eq!(config.set_by("booking.rate"), SetBy::File(path.clone()));
        assert_eq!(config.set_by("booking.max_orders"), SetBy::File(path), "also in a line that was added below");
        assert_eq!(config.set_by("booking.max_failures"), SetBy::Default);
        assert_eq!(config.set_by("no.such.setting"), SetBy::Default);
        let sandbox = Config::open(Overrides { sandbox: true, ..overrides }).unwrap();
        assert_eq!((sandbox.service(), sandbox.set_by("ledger")), (&Service::Sandbox, SetBy::Given));
    }

    #[test]
    fn one_folder_holds_everything_of_the_users_own() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().to_owned();
        std::fs::write(own.join("shipsheet.toml"), "[booking]\nrate = 2.0\n").unwrap();
        let overrides = Overrides { folder: Some(own.clone()), sandbox: true, ..Overrides::default() };
        let config = Config::open(overrides).unwrap();
        assert_eq!((config.file(), config.ledger()), (Some(&*own.join("shipsheet.toml")), &*own.join(SANDBOX_LEDGER)));
        assert_eq!(config.profile_file("mine").unwrap(), own.join("profiles").join("mine.toml"));
        assert_eq!(config.watch(String::new(), String::new()).marks, Some(own.join("state").join("marks")));
    }

    #[test]
    fn no_program_is_started_as_the_helper_that_nobody_named() {
        let helper = |overrides| Config::open(overrides).unwrap().reading(&crate::sheet::Options::default()).helper;
        let folder = tempfile::tempdir().unwrap();
        let own = Overrides { folder: Some(folder.path().to_owned()), sandbox: true, ..Overrides::default() };
        assert_eq!(helper(own.clone()), None, "whatever program this is, it need not know what to do");
        let named = Some(PathBuf::from("shipsheet"));
        assert_eq!(helper(Overrides { helper: named.clone(), ..own }), named);
    }
}
