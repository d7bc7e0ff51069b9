//! The configuration file, as written.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::text::Decimal;
use jiff::{SignedDuration, Span, SpanRelativeTo};
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};
use toml::{Table, Value};

use crate::api::operation::{Method, Operations, Override};
use crate::book::Concurrency;
use crate::field::{Id, Version};
use crate::parse::{addresses_have, country_code};
use crate::rule::LevelSettings;
use crate::sheet::Limits;
use crate::text::plainly;
use crate::words::OwnWords;

use super::added::put_together;
use super::error::ConfigError;
use super::folders::Folders;
use super::home::expanded;
use super::masked::{without_secrets, without_values};
use super::sections::{LogSettings, MailSettings, NightSettings, NotifySettings};
use super::table::belongs;
use super::trust::{NamedBy, read_configuration};

/// The name of the file in the working directory.
pub(super) const LOCAL: &str = "shipsheet.toml";

/// `shipsheet.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the fields are the keys of the file, such as `token_file`")]
pub(super) struct File {
    /// The file that it was read from.
    #[serde(skip)]
    pub(super) path: Option<PathBuf>,
    /// All of it, to tell what it sets.
    #[serde(skip)]
    written: Table,
    pub(super) base_url: Option<String>,
    ledger: Option<LedgerPlace>,
    pub(super) token_file: Option<PathBuf>,
    pub(super) token_command: Option<String>,
    /// The version of the request.
    api: Option<Api>,
    /// Who sends, and where from and back to: fields of a version 1 request that no sheet need carry.
    #[serde(default)]
    pub(super) sender: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) origin: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) return_address: BTreeMap<String, String>,
    /// Field to the value that stands in for it.
    #[serde(default)]
    pub(super) defaults: BTreeMap<String, toml::Value>,
    /// Warehouses by the names that sheets give them, with the ids that are sent.
    #[serde(default)]
    pub(super) warehouses: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) check: Check,
    /// The levels of rules.
    #[serde(default)]
    pub(super) rules: LevelSettings,
    /// Words for remarks beside those that everybody uses.
    #[serde(default)]
    pub(super) words: OwnWords,
    #[serde(default)]
    pub(super) send: SendSettings,
    #[serde(default)]
    pub(super) dates: Dates,
    #[serde(default)]
    pub(super) reading: ReadingLimits,
    #[serde(default)]
    pub(super) booking: Booking,
    #[serde(default)]
    pub(super) auth: Auth,
    /// Backups of the ledger.
    #[serde(default)]
    pub(super) backup: Backup,
    #[serde(default)]
    pub(super) serviceability: Serviceability,
    #[serde(default)]
    pub(super) log: LogSettings,
    #[serde(default)]
    pub(super) night: NightSettings,
    #[serde(default)]
    pub(super) mail: MailSettings,
    /// Who is told, by name.
    #[serde(default)]
    pub(super) notify: BTreeMap<String, NotifySettings>,
    /// Where operations are, other than the table has it.
    #[serde(default)]
    operations: BTreeMap<String, OperationEntry>,
}

/// An account of the service, instead of a token.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Auth {
    pub(super) email: Option<String>,
    pub(super) password_file: Option<PathBuf>,
    pub(super) password_command: Option<String>,
    pub(super) renew_after_seconds: Option<u64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct OperationEntry {
    method: Option<String>,
    path: Option<String>,
    #[serde(default)]
    fields: BTreeMap<String, String>,
    #[serde(default)]
    request: BTreeMap<String, String>,
}

/// The ledger: a file, or a table that says more.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, expecting = "write ledger = \"FILE\", or [ledger] with file, allow_network and password_command")]
enum LedgerPlace {
    File(PathBuf),
    Table(LedgerTable),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LedgerTable {
    file: Option<PathBuf>,
    #[serde(default)]
    allow_network: bool,
    /// Prints the password, where the ledger is on a server.
    password_command: Option<String>,
}

/// What is asked before an import.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Serviceability {
    /// Whether every import asks whether couriers go where its orders go.
    #[serde(default)]
    pub before_import: bool,
    /// Whether orders without an answer stay behind.
    #[serde(default)]
    pub required: bool,
    /// PIN code of the pickup where nothing is said of the warehouse.
    pub pickup_pin: Option<String>,
    /// PIN codes by warehouse, its name or its id.
    #[serde(default)]
    pub pickup_pins: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    #[serde(default)]
    pub(super) required: Vec<String>,
    #[serde(default)]
    pub(super) optional: Vec<String>,
    /// Payment types that are accepted beside PREPAID and COD.
    #[serde(default)]
    pub(super) payment_types: Vec<String>,
    /// Headers of columns that are ignored in every sheet.
    #[serde(default)]
    pub(super) ignore: Vec<String>,
    /// Words of a status that let an order go, beside those that everybody uses.
    #[serde(default)]
    pub(super) ready: Vec<String>,
    /// What separates decimals where a column does not show it.
    pub(super) decimals: Option<Separator>,
    /// Kilograms above which no parcel is believed.
    pub(super) heaviest_kg: Option<u32>,
    /// An earlier setting, refused: it is the rule `same-order` now.
    pub(super) numbers_alike: Option<IgnoredAny>,
}

/// How values are sent.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SendSettings {
    pub(super) phone: Option<Spelling>,
    pub(super) units: Option<Spelling>,
    pub(super) payment: Option<Spelling>,
    /// Fields that are left out where they are empty.
    pub(super) omit_empty: Option<Vec<String>>,
}

/// In which spelling a value is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Spelling {
    /// In the one that the service is known to take.
    Usual,
    /// As the sheet has it.
    AsWritten,
}

/// The version of the request, as it is written.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Api {
    V1,
    V2,
}

/// What separates decimals.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Separator {
    Point,
    Comma,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dates {
    pub(super) time_zone: Option<String>,
    #[serde(default)]
    pub(super) formats: Vec<String>,
}

/// How much of a sheet is read before it is refused as too large, or as made to do harm.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadingLimits {
    max_rows: Option<u32>,
    max_unpack_ratio: Option<u64>,
    helper_memory_mib: Option<u64>,
    helper_seconds: Option<u64>,
}

impl ReadingLimits {
    /// The limits of the program with the person's word on them.
    pub(super) fn limits(&self) -> Limits {
        let usual = Limits::default();
        let memory = self.helper_memory_mib.map(|mebibytes| mebibytes.saturating_mul(1 << 20));
        Limits {
            rows_max: self.max_rows.unwrap_or(usual.rows_max),
            // Nothing comes out of a ratio of zero.
            unpack_ratio_max: self.max_unpack_ratio.unwrap_or(usual.unpack_ratio_max).max(1),
            helper_bytes_least: memory.unwrap_or(usual.helper_bytes_least),
            helper_bytes_max: memory.unwrap_or(usual.helper_bytes_max),
            helper_seconds_least: self.helper_seconds.unwrap_or(usual.helper_seconds_least),
            helper_seconds_max: self.helper_seconds.unwrap_or(usual.helper_seconds_max),
            ..usual
        }
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Booking {
    #[serde(default, deserialize_with = "concurrency")]
    pub(super) concurrency: Option<Concurrency>,
    pub(super) rate: Option<f64>,
    pub(super) max_orders: Option<u64>,
    /// Declared value that one run sends at most, in rupees.
    #[serde(default, deserialize_with = "rupees")]
    pub(super) max_value: Option<Decimal>,
    pub(super) max_failures: Option<u64>,
    /// How many times the largest earlier import is far more than usual; 0 finds nothing unusual.
    pub(super) usual_factor: Option<f64>,
    pub(super) max_wait_seconds: Option<u64>,
    pub(super) connect_timeout_seconds: Option<u64>,
    pub(super) timeout_seconds: Option<u64>,
    pub(super) ca_file: Option<PathBuf>,
    #[serde(default)]
    pub(super) use_environment_proxy: bool,
}

/// Backups of the ledger on a schedule.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Backup {
    pub(super) folder: Option<PathBuf>,
    #[serde(default, deserialize_with = "time")]
    pub(super) every: Option<SignedDuration>,
    pub(super) keep: Option<u32>,
    pub(super) keep_days: Option<u32>,
}

impl File {
    /// The version of the request, where one is named.
    pub(super) fn version(&self) -> Option<Version> {
        self.api.map(|api| match api {
            Api::V1 => Version::V1,
            Api::V2 => Version::V2,
        })
    }

    /// The ledger's file, where one is named.
    pub(super) fn ledger_file(&self) -> Option<&PathBuf> {
        match &self.ledger {
            Some(LedgerPlace::File(file)) => Some(file),
            Some(LedgerPlace::Table(table)) => table.file.as_ref(),
            None => None,
        }
    }

    /// What prints the password of the ledger's database.
    pub(super) fn ledger_password_command(&self) -> Option<&String> {
        match &self.ledger {
            Some(LedgerPlace::Table(table)) => table.password_command.as_ref(),
            _ => None,
        }
    }

    /// Whether the ledger may lie where locks may not hold.
    pub(super) fn allows_network(&self) -> bool {
        matches!(&self.ledger, Some(LedgerPlace::Table(LedgerTable { allow_network: true, .. })))
    }

    /// All that it sets, as it is written.
    pub(super) const fn written(&self) -> &Table {
        &self.written
    }

    /// Whether it sets something, by its dotted name: `booking.rate`.
    pub(super) fn sets(&self, name: &str) -> bool {
        let (sections, last) = name.rsplit_once('.').map_or((None, name), |(sections, last)| (Some(sections), last));
        let mut table = &self.written;
        for section in sections.into_iter().flat_map(|sections| sections.split('.')) {
            let Some(Value::Table(inner)) = table.get(section) else { return false };
            table = inner;
        }
        table.contains_key(last)
    }

    /// Where it is: the named file, else the one in the working directory, else the user's own.
    pub(super) fn place(named: Option<&Path>, folders: &Folders) -> Option<PathBuf> {
        let users = || folders.configuration().ok().map(|folder| folder.join(LOCAL));
        let found = || [Some(PathBuf::from(LOCAL)), users()].into_iter().flatten().find(|path| path.is_file());
        named.map(Path::to_path_buf).or_else(found)
    }

    /// Reads it; nothing where there is none.
    pub(super) fn read(named: Option<&Path>, folders: &Folders) -> Result<Self, ConfigError> {
        Self::place(named, folders).map_or_else(|| Ok(Self::default()), |path| Self::parse(&path))
    }

    /// Whose word it is.
    pub(super) fn named_by(&self, named: Option<&Path>) -> NamedBy {
        let lay_there = named.is_none() && self.path.as_deref() == Some(Path::new(LOCAL));
        if lay_there { NamedBy::Folder } else { NamedBy::User }
    }

    /// What `[sender]`, `[origin]` and `[return_address]` say, by API path.
    pub(super) fn sending_side(&self) -> Vec<(&'static str, String, String)> {
        let sections = [
            ("sender", "sender", &self.sender),
            ("origin", "origin", &self.origin),
            ("return_address", "returnAddress", &self.return_address),
        ];
        let fields = |(section, path, fields): (&'static str, &'static str, &'_ BTreeMap<String, String>)| {
            fields.iter().map(|(name, value)| (section, format!("{path}.{name}"), value.clone())).collect::<Vec<_>>()
        };
        sections.into_iter().flat_map(fields).collect()
    }

    /// What `[return_address]` lacks, where it says anything: half an address would be sent to nobody.
    pub(super) fn half_a_return_address(&self) -> Vec<&'static str> {
        const WHOLE: [(&str, Id); 5] = [
            ("addressLine1", Id::ReturnLine1),
            ("city", Id::ReturnCity),
            ("state", Id::ReturnState),
            ("countryCode", Id::ReturnCountryCode),
            ("pinCode", Id::ReturnPinCode),
        ];
        let said =
            |name: &str| self.return_address.get(name).map(|value| value.trim()).filter(|value| !value.is_empty());
        if self.return_address.keys().all(|name| said(name).is_none()) {
            return Vec::new();
        }
        let country = said("countryCode").or_else(|| country_code(said("country")?));
        let lacks = |(name, id): &(&str, Id)| match id {
            Id::ReturnCountryCode => country.is_none(),
            _ => said(name).is_none() && addresses_have(*id, country),
        };
        WHOLE.iter().filter(|part| lacks(part)).map(|(name, _)| *name).collect()
    }

    /// The table of operations with `[operations]`'s word on it.
    pub(super) fn operations(&self) -> Result<Operations, ConfigError> {
        let mut operations = Operations::default();
        for (name, entry) in &self.operations {
            let method = match &entry.method {
                Some(word) => Some(Method::from_word(word).ok_or_else(|| {
                    ConfigError::Setting(format!(
                        "[operations.{name}] method = \"{word}\" is none of GET, POST, PUT, PATCH and DELETE"
                    ))
                })?),
                None => None,
            };
            let (path, fields, request) = (entry.path.clone(), entry.fields.clone(), entry.request.clone());
            let with = Override { method, path, fields, request };
            operations.set(name, with).map_err(ConfigError::Operations)?;
        }
        Ok(operations)
    }

    /// Whether a text could be the file; if not, why.
    pub(super) fn check(text: &str) -> Result<(), String> {
        let file: Self = toml::from_str(text).map_err(|error| told(&error))?;
        let is_double = file.token_file.is_some() && file.token_command.is_some();
        if is_double { Err("token_file and token_command would both be set: keep one".to_owned()) } else { Ok(()) }
    }

    fn parse(path: &Path) -> Result<Self, ConfigError> {
        let text = read_configuration(path)?;
        let invalid = |error: &toml::de::Error| ConfigError::Invalid { path: path.to_owned(), reason: told(error) };
        let whole: Result<Self, _> = toml::from_str(&text);
        let (mut file, written) = match whole {
            Ok(file) => (file, text.parse().unwrap_or_default()),
            Err(error) => {
                // People add lines as hints write them, also to a section that is there already.
                let added = put_together(&text).ok_or_else(|| invalid(&error))?;
                // What is no TOML before it is put together is wrong in what was put together.
                let is_whole = text.parse::<Table>().is_ok();
                let read = Self::deserialize(added.clone());
                (read.map_err(|own| invalid(if is_whole { &error } else { &own }))?, added)
            }
        };
        if file.token_file.is_some() && file.token_command.is_some() {
            return Err(ConfigError::TwoTokens { path: path.to_owned() });
        }
        file.paths_mut().for_each(|path| *path = expanded(path));
        (file.path, file.written) = (Some(path.to_owned()), written);
        Ok(file)
    }

    /// Every path that it names.
    fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let ledger = match &mut self.ledger {
            Some(LedgerPlace::File(file)) => Some(file),
            Some(LedgerPlace::Table(table)) => table.file.as_mut(),
            None => None,
        };
        let others = [
            &mut self.token_file,
            &mut self.auth.password_file,
            &mut self.booking.ca_file,
            &mut self.log.file,
            &mut self.night.metrics_file,
            &mut self.mail.password_file,
        ];
        let webhooks = self.notify.values_mut().filter_map(|target| target.webhook_file.as_mut());
        ledger.into_iter().chain(others.into_iter().flatten()).chain(webhooks)
    }
}

/// What is wrong with it, in words without its secrets.
fn told(error: &toml::de::Error) -> String {
    let said = without_secrets(&error.to_string());
    let said = if error.message().starts_with("unknown field") { without_values(&said) } else { said };
    plainly(&said, belongs)
}

/// `1d`, `12h` or `90m`.
fn time<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SignedDuration>, D::Error> {
    let text = String::deserialize(from)?;
    let span = text.parse::<Span>().ok();
    let time = span.and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()).ok());
    let time = time.filter(SignedDuration::is_positive);
    time.map(Some).ok_or_else(|| D::Error::custom(format!("every = \"{text}\" is no time: write 1d, 12h or 90m")))
}

/// `500000`, `499999.5` or `"5,00,000"`.
fn rupees<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Decimal>, D::Error> {
    let text = match Value::deserialize(from)? {
        Value::String(text) => text.replace(',', ""),
        other => other.to_string(),
    };
    let amount = text.parse().ok().filter(|amount: &Decimal| *amount > Decimal::ZERO);
    amount.map(Some).ok_or_else(|| D::Error::custom("write an amount of rupees such as 500000"))
}

/// `8` or `"auto"`.
fn concurrency<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Concurrency>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(u16),
        Word(String),
    }
    let text = match Written::deserialize(from)? {
        Written::Number(number) => number.to_string(),
        Written::Word(word) => word,
    };
    text.parse().map(Some).map_err(D::Error::custom)
}
