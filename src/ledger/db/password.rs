//! Where the password of a database comes from: a command, the service file, or the password file, as libpq has them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use secrecy::ExposeSecret as _;

use super::waiting::waited_for;
use crate::api::{DATABASE_PASSWORD, SecretSource, SecretString};
use crate::env;

/// Why there is no password.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Others may read the file.
    #[error("others can read {}, which holds passwords: make it readable for its owner alone", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
    },
    /// No such service.
    #[error("the service {name}, which the address of the ledger names, is not in {}", path.display())]
    NoService {
        /// What was named.
        name: String,
        /// The file.
        path: PathBuf,
    },
    /// The machine tells no home folder.
    #[error("this machine tells no home folder: name the file with {0}")]
    NoHome(&'static str),
    /// The command gave none.
    #[error("password_command of the ledger: {0}")]
    Command(String),
}

/// What gives the password.
pub(super) struct Source {
    command: Option<SecretSource>,
    /// What the command gave.
    given: Mutex<Option<SecretString>>,
    service: Option<SecretString>,
    file: Option<PathBuf>,
}

impl Source {
    pub(super) fn new(command: Option<String>, service: Option<String>, file: Option<PathBuf>) -> Self {
        let command = command.map(SecretSource::Command);
        Self { command, given: Mutex::default(), service: service.map(SecretString::from), file }
    }

    /// The password for a user of a database on one of these hosts, where there is one.
    pub(super) fn get(
        &self,
        hosts: &[(String, u16)],
        database: &str,
        user: &str,
    ) -> Result<Option<SecretString>, PasswordError> {
        if let Some(command) = &self.command {
            let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
            if given.is_none() {
                let failed = |error: String| PasswordError::Command(error);
                let secret = waited_for(command.get_with(Some(DATABASE_PASSWORD))).map_err(failed)?;
                *given = Some(secret.map_err(|error| failed(error.to_string()))?);
            }
            return Ok(given.clone());
        }
        if let Some(password) = &self.service {
            return Ok(Some(password.clone()));
        }
        let named = self.file.clone().or_else(|| env::variable_os("PGPASSFILE").map(PathBuf::from));
        let is_named = named.is_some();
        let Some(path) = named.or_else(|| Some(env::home()?.join(".pgpass"))) else { return Ok(None) };
        match private(&path) {
            Ok(text) => Ok(in_file(&text, hosts, database, user)),
            Err(PasswordError::Unreadable { source, .. })
                if !is_named && source.kind() == std::io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Has the command asked anew.
    pub(super) fn forget(&self) {
        *self.given.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// A password as it goes to the server.
pub(super) fn exposed(password: &SecretString) -> &str {
    password.expose_secret()
}

/// A file that only its owner can read.
fn private(path: &Path) -> Result<String, PasswordError> {
    let unreadable = |source| PasswordError::Unreadable { path: path.to_owned(), source };
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if std::fs::metadata(path).map_err(unreadable)?.permissions().mode() & 0o077 != 0 {
            return Err(PasswordError::Exposed { path: path.to_owned() });
        }
    }
    std::fs::read_to_string(path).map_err(unreadable)
}

/// The password of the first line `host:port:database:user:password` that speaks of this place; `*` is whatever it is.
fn in_file(text: &str, hosts: &[(String, u16)], database: &str, user: &str) -> Option<SecretString> {
    let speaks = |parts: &[String]| {
        let is = |part: &str, own: &str| part == "*" || part == own;
        let of_host = |(host, port): &(String, u16)| {
            let host = if Path::new(host).is_absolute() { "localhost" } else { host };
            is(&parts[0], host) && is(&parts[1], &port.to_string())
        };
        hosts.iter().any(of_host) && is(&parts[2], database) && is(&parts[3], user)
    };
    let lines = text.lines().filter(|line| !line.starts_with('#')).map(fields);
    let found = lines.filter(|parts| parts.len() == 5).find(|parts| speaks(parts));
    found.and_then(|mut parts| parts.pop()).map(SecretString::from)
}

/// A line's parts; `\:` and `\\` are no marks.
fn fields(line: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        let part = match letter {
            '\\' => letters.next(),
            ':' if parts.len() < 5 => {
                parts.push(String::new());
                None
            }
            other => Some(other),
        };
        if let (Some(letter), Some(last)) = (part, parts.last_mut()) {
            last.push(letter);
        }
    }
    parts
}

/// The settings of a service in the service file.
pub(super) fn service(name: &str) -> Result<BTreeMap<String, String>, PasswordError> {
    let named = env::variable_os("PGSERVICEFILE").map(PathBuf::from);
    let own = || env::home().map(|home| home.join(".pg_service.conf"));
    let path = named.or_else(own).ok_or(PasswordError::NoHome("PGSERVICEFILE"))?;
    let unreadable = |source| PasswordError::Unreadable { path: path.clone(), source };
    let text = std::fs::read_to_string(&path).map_err(unreadable)?;
    let found = in_services(&text, name)
        .ok_or_else(|| PasswordError::NoService { name: name.to_owned(), path: path.clone() })?;
    if found.contains_key("password") {
        private(&path)?;
    }
    Ok(found)
}

fn in_services(text: &str, name: &str) -> Option<BTreeMap<String, String>> {
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != format!("[{name}]"));
    lines.next()?;
    let own = lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.starts_with('#'));
    let pairs = own.filter_map(|line| line.split_once('='));
    Some(pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_found_by_host_port_database_and_user() {
        let text = "# mine\n*:5432:other:*:no\ndb.example:*:orders:sh\\:op:a\\:b\\\\c:d\nlocalhost:*:*:*:near\n";
        let found = |host: &str, database: &str, user: &str| {
            in_file(text, &[(host.to_owned(), 5432)], database, user).map(|password| exposed(&password).to_owned())
        };
        assert_eq!(found("db.example", "orders", "sh:op").as_deref(), Some("a:b\\c:d"));
        assert_eq!(found("db.example", "orders", "somebody"), None);
        assert_eq!(found("/var/run/postgresql", "x", "y").as_deref(), Some("near"));
    }

    #[test]
    fn a_service_is_a_section_of_its_file() {
        let text = "[one]\nhost=a\n\n[two]\n# where\nhost = b\npassword = c = d\n";
        let two = in_services(text, "two").unwrap();
        assert_eq!((two["host"].as_str(), two["password"].as_str()), ("b", "c = d"));
        assert_eq!(in_services(text, "three"), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_of_passwords_that_others_can_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pass");
        std::fs::write(&path, "*:*:*:*:geheim\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let source = Source::new(None, None, Some(path.clone()));
        let refused = source.get(&[], "orders", "shop").unwrap_err().to_string();
        assert!(refused.contains("others can read") && !refused.contains("geheim"), "{refused}");
        let command = Source::new(Some("echo geheim; exit 3".into()), None, None);
        let refused = command.get(&[], "orders", "shop").unwrap_err().to_string();
        assert!(refused.contains("password_command") && !refused.contains("geheim"), "{refused}");
    }
}
