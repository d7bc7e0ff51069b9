//! Where a ledger on a server is, as a person names it: `postgres://USER@HOST/DATABASE`. No password stands in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio_postgres::Config;
use tokio_postgres::config::{SslMode, TargetSessionAttrs};
use tokio_rustls::TlsConnector;

use super::password::{self, PasswordError};
use super::tls::Verified;
use crate::api::verified_tls;
use crate::env;

/// How addresses of PostgreSQL's begin.
pub(in crate::ledger) const SCHEMES: [&str; 2] = ["postgres", "postgresql"];

/// Settings that an address may hold behind `?`, or a service of the service file.
const SETTINGS: [&str; 11] = [
    "application_name",
    "connect_timeout",
    "dbname",
    "host",
    "passfile",
    "port",
    "service",
    "sslmode",
    "sslrootcert",
    "target_session_attrs",
    "user",
];

const PORT: u16 = 5_432;
/// How long one host is waited for.
const CONNECT_SECONDS: u64 = 10;
/// A wire that is cut without a word is noticed after so long.
const SILENCE: Duration = Duration::from_secs(20);

/// An address, with all that a connection needs but the password.
#[derive(Clone)]
pub struct Address(Arc<Parts>);

struct Parts {
    shown: String,
    hosts: Vec<(String, u16)>,
    user: String,
    database: String,
    config: Config,
    tls: Mutex<Option<Verified>>,
    ca_file: Option<PathBuf>,
    is_near: bool,
    password: password::Source,
}

/// Why an address cannot be used. The address itself is not told: it may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// It holds a password.
    #[error(
        "the address of the ledger holds a password, which others could read: take it out, and keep it in ~/.pgpass, in a \
         service file, or behind password_command under [ledger] in shipsheet.toml"
    )]
    Password,
    /// It is none.
    #[error("the address of the ledger {0}: write postgres://USER@HOST/DATABASE")]
    Malformed(&'static str),
    /// It names something that is not known.
    #[error("the address of the ledger says {name}, which is none of {}", SETTINGS.join(", "))]
    Unknown {
        /// What it names.
        name: String,
    },
    /// A setting that cannot be.
    #[error("the address of the ledger says {name}={value}, which cannot be used: {why}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// What it is set to.
        value: String,
        /// Why, or what to do.
        why: &'static str,
    },
    /// The password or the service cannot be read.
    #[error(transparent)]
    Kept(#[from] PasswordError),
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Address").field(&self.0.shown).finish()
    }
}

impl Address {
    /// Reads an address. `command` prints the password, where one is configured.
    ///
    /// # Errors
    /// It is none, holds a password, or would lead over an unprotected way.
    pub fn parse(text: &str, command: Option<String>) -> Result<Self, AddressError> {
        let mut given = parts(text)?;
        let mut kept = None;
        if let Some(service) = given.get("service") {
            let mut found = password::service(service)?;
            kept = found.remove("password");
            found.append(&mut given);
            given = found;
        }
        if let Some(name) = given.keys().find(|name| !SETTINGS.contains(&name.as_str())) {
            return Err(AddressError::Unknown { name: name.clone() });
        }
        Self::of(&given, |passfile| password::Source::new(command, kept, passfile))
    }

    fn of(
        given: &BTreeMap<String, String>,
        password: impl FnOnce(Option<PathBuf>) -> password::Source,
    ) -> Result<Self, AddressError> {
        let said = |name: &str| given.get(name).map(String::as_str).filter(|value| !value.is_empty());
        let hosts = hosts(said("host"), said("port"))?;
        let database = said("dbname").ok_or(AddressError::Malformed("names no database"))?;
        let own = || ["PGUSER", "USER", "LOGNAME", "USERNAME"].iter().find_map(|name| env::variable(name));
        let user = said("user").map(str::to_owned).or_else(own).ok_or(AddressError::Malformed("names no user"))?;
        let is_near = hosts.iter().all(|(host, _)| is_near(host));
        let mut config = Config::new();
        config.user(&user).dbname(database).application_name(said("application_name").unwrap_or("shipsheet"));
        config.ssl_mode(tls_mode(said("sslmode"), is_near)?);
        for (host, port) in &hosts {
            config.host(host).port(*port);
        }
        let seconds = said("connect_timeout").map_or(Ok(CONNECT_SECONDS), |value| {
            let wrong = || setting("connect_timeout", value, "give a number of seconds");
            value.parse().ok().filter(|seconds| *seconds > 0).ok_or_else(wrong)
        })?;
        config.connect_timeout(Duration::from_secs(seconds));
        config.tcp_user_timeout(SILENCE).keepalives_idle(SILENCE / 2);
        config.keepalives_interval(SILENCE / 4).keepalives_retries(3);
        match said("target_session_attrs") {
            // Of several servers only one can be written to.
            None if hosts.len() > 1 => config.target_session_attrs(TargetSessionAttrs::ReadWrite),
            Some("read-write") => config.target_session_attrs(TargetSessionAttrs::ReadWrite),
            None | Some("any") => config.target_session_attrs(TargetSessionAttrs::Any),
            Some(other) => return Err(setting("target_session_attrs", other, "write read-write or any")),
        };
        let at: Vec<String> = hosts.iter().map(|(host, port)| shown(host, *port)).collect();
        Ok(Self(Arc::new(Parts {
            shown: format!("postgres://{user}@{}/{database}", at.join(",")),
            user,
            database: database.to_owned(),
            hosts,
            config,
            tls: Mutex::default(),
            ca_file: said("sslrootcert").map(PathBuf::from),
            is_near,
            password: password(said("passfile").map(PathBuf::from)),
        })))
    }

    /// The address for people; no password is in it.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.0.shown
    }

    /// As whom a connection is made.
    pub(super) fn login(&self) -> &str {
        &self.0.user
    }

    /// What tells this ledger's place from others, as a name for a folder.
    #[must_use]
    pub fn folder_name(&self) -> String {
        let Parts { hosts, database, .. } = &*self.0;
        let hash = Sha256::digest(format!("{hosts:?} {database:?}"));
        let readable: String = format!("{database}-{}", hosts.first().map_or("", |(host, _)| host.trim_matches('/')))
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '_' })
            .take(40)
            .collect();
        hash.iter().take(6).fold(format!("{readable}-"), |name, byte| name + &format!("{byte:02x}"))
    }

    /// All that a connection needs.
    pub(super) fn config(&self) -> Result<Config, PasswordError> {
        let Parts { hosts, user, database, config, password, .. } = &*self.0;
        let mut config = config.clone();
        if let Some(password) = password.get(hosts, database, user)? {
            config.password(password::exposed(&password));
        }
        Ok(config)
    }

    /// Has a password that was not right asked for anew.
    pub(super) fn forget_password(&self) {
        self.0.password.forget();
    }

    pub(super) fn tls(&self) -> Result<Verified, String> {
        let mut tls = self.0.tls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tls) = &*tls {
            return Ok(tls.clone());
        }
        let config = verified_tls(self.0.ca_file.as_deref(), self.0.is_near).map_err(|error| error.to_string())?;
        Ok(tls.insert(Verified(TlsConnector::from(config))).clone())
    }
}

/// The settings of an address, by their names.
fn parts(text: &str) -> Result<BTreeMap<String, String>, AddressError> {
    let (scheme, rest) = text.split_once("://").ok_or(AddressError::Malformed("is none"))?;
    if !SCHEMES.contains(&scheme) {
        return Err(AddressError::Malformed("is none of PostgreSQL's"));
    }
    let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
    let (authority, database) = rest.split_once('/').map_or((rest, ""), |(authority, database)| (authority, database));
    let (user, hosts) = authority.rsplit_once('@').map_or((None, authority), |(user, hosts)| (Some(user), hosts));
    if user.is_some_and(|user| user.contains(':')) {
        return Err(AddressError::Password);
    }
    let mut found = BTreeMap::new();
    let (mut names, mut ports) = (Vec::new(), Vec::new());
    for one in hosts.split(',').filter(|one| !one.is_empty()) {
        let behind = one.rfind(']').unwrap_or(0);
        let (name, port) = match one[behind..].rfind(':') {
            Some(at) => (&one[..behind + at], &one[behind + at + 1..]),
            None => (one, ""),
        };
        names.push(decoded(name.trim_start_matches('[').trim_end_matches(']'))?);
        ports.push(port.to_owned());
    }
    let mut keep = |name: &str, value: String| {
        if !value.is_empty() {
            found.insert(name.to_owned(), value);
        }
    };
    keep("user", decoded(user.unwrap_or_default())?);
    keep("dbname", decoded(database)?);
    keep("host", names.join(","));
    if ports.iter().any(|port| !port.is_empty()) {
        keep("port", ports.join(","));
    }
    for pair in query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').ok_or(AddressError::Malformed("has a setting without a value"))?;
        match name {
            "password" | "sslpassword" => return Err(AddressError::Password),
            // Whoever is called by one name and reached by another one is verified by neither.
            "hostaddr" => return Err(AddressError::Unknown { name: name.to_owned() }),
            name => keep(name, decoded(value)?),
        }
    }
    Ok(found)
}

/// A part of an address with what was written as `%20` in it.
fn decoded(text: &str) -> Result<String, AddressError> {
    let wrong = || AddressError::Malformed("has a % without two hexadecimal digits");
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((byte, behind)) = rest.split_first() {
        rest = behind;
        if *byte != b'%' {
            bytes.push(*byte);
            continue;
        }
        let digits = rest.get(..2).and_then(|digits| str::from_utf8(digits).ok()).ok_or_else(wrong)?;
        bytes.push(u8::from_str_radix(digits, 16).map_err(|_| wrong())?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).map_err(|_| AddressError::Malformed("is no text"))
}

fn hosts(names: Option<&str>, ports: Option<&str>) -> Result<Vec<(String, u16)>, AddressError> {
    let names: Vec<&str> = names.unwrap_or("localhost").split(',').collect();
    let ports: Vec<&str> = ports.unwrap_or_default().split(',').collect();
    if ports.len() > 1 && ports.len() != names.len() {
        return Err(AddressError::Malformed("has other numbers of hosts and ports"));
    }
    let port_of = |at: usize| {
        let port = if ports.len() == 1 { ports[0] } else { ports[at] };
        let wrong = || setting("port", port, "give a number");
        if port.is_empty() { Ok(PORT) } else { port.parse().map_err(|_| wrong()) }
    };
    names.iter().enumerate().map(|(at, name)| Ok(((*name).to_owned(), port_of(at)?))).collect()
}

fn setting(name: &'static str, value: &str, why: &'static str) -> AddressError {
    AddressError::Setting { name, value: value.to_owned(), why }
}

/// A socket, or this machine.
fn is_near(host: &str) -> bool {
    let is_loopback = host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
    host == "localhost" || is_socket(host) || is_loopback
}

fn is_socket(host: &str) -> bool {
    Path::new(host).is_absolute()
}

/// Orders hold names and addresses of people: over a network only a verified connection carries them.
fn tls_mode(said: Option<&str>, is_near: bool) -> Result<SslMode, AddressError> {
    match said {
        None | Some("disable" | "allow" | "prefer") if is_near => Ok(SslMode::Disable),
        Some(mode @ ("disable" | "allow" | "prefer")) => Err(setting(
            "sslmode",
            mode,
            "a ledger on another machine is only used over a verified connection; omit it",
        )),
        None | Some("require" | "verify-ca" | "verify-full") => Ok(SslMode::Require),
        Some(other) => Err(setting("sslmode", other, "omit it: connections to other machines are always verified")),
    }
}

fn shown(host: &str, port: u16) -> String {
    let host = if host.contains(':') { format!("[{host}]") } else { host.replace('/', "%2F") };
    if port == PORT { host } else { format!("{host}:{port}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> String {
        match Address::parse(text, None) {
            Ok(address) => address.shown().to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_address_says_where_the_ledger_is_and_no_more() {
        assert_eq!(said("postgres://shop@db.example/orders"), "postgres://shop@db.example/orders");
        assert_eq!(said("postgresql://shop@[::1]:6000/orders"), "postgres://shop@[::1]:6000/orders");
        assert_eq!(said("postgres://shop@%2Ftmp%2Fs/orders"), "postgres://shop@%2Ftmp%2Fs/orders");
        assert_eq!(said("postgres://a%40b@one,two:6000/orders"), "postgres://a@b@one,two:6000/orders");
        assert_eq!(said("postgres://shop@/orders?host=/tmp&port=7"), "postgres://shop@%2Ftmp:7/orders");
    }

    #[test]
    fn what_cannot_be_is_refused_without_a_word_of_the_address() {
        let password = "holds a password";
        for (text, says) in [
            ("postgres://shop:geheim@db.example/orders", password),
            ("postgres://shop:@db.example/orders", password),
            ("postgres://shop@db.example/orders?password=geheim", password),
            ("postgres://shop@db.example", "names no database"),
            ("postgres://shop@db.example/orders?hostaddr=10.0.0.1", "says hostaddr"),
            ("postgres://shop@db.example/orders?options=-c%20x", "says options"),
            ("postgres://shop@db.example/orders?sslmode=disable", "verified connection"),
            ("postgres://shop@localhost,db.example/orders?sslmode=prefer", "verified connection"),
            ("postgres://shop@db.example:x/orders", "give a number"),
            ("postgres://shop@db.example/%zz", "hexadecimal"),
        ] {
            let refused = said(text);
            assert!(refused.contains(says) && !refused.contains("geheim"), "{text}: {refused}");
        }
    }

    #[test]
    fn only_this_machine_is_reached_without_tls() {
        let mode = |text: &str| Address::parse(text, None).unwrap().config().unwrap().get_ssl_mode();
        for near in ["localhost", "127.0.0.1", "[::1]", "%2Ftmp"] {
            assert_eq!(mode(&format!("postgres://shop@{near}/orders")), SslMode::Disable, "{near}");
        }
        assert_eq!(mode("postgres://shop@localhost/orders?sslmode=verify-full"), SslMode::Require);
        for far in ["db.example", "10.0.0.7", "localhost,db.example"] {
            assert_eq!(mode(&format!("postgres://shop@{far}/orders")), SslMode::Require, "{far}");
        }
    }

    #[test]
    fn each_ledger_has_a_folder_of_its_own() {
        let name = |text: &str| Address::parse(text, None).unwrap().folder_name();
        let one = name("postgres://shop@db.example/orders");
        assert!(one.starts_with("orders-db.example-"), "{one}");
        assert_eq!(one, name("postgres://night@db.example:5432/orders"));
        assert_ne!(one, name("postgres://shop@db.example/orders2"));
        assert_ne!(one, name("postgres://shop@db.example:6000/orders"));
        assert!(name("postgres://shop@%2F..%2F../..%2Fx").chars().all(|c| c != '/' && c != '\\'));
    }
}
