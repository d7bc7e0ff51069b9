//! Where the ledger is: a file, or an address of a database.

use std::path::{Path, PathBuf};

use super::error::ConfigError;
use super::file::File;
use super::folders::Folders;
use super::trust::NamedBy;
#[cfg(feature = "postgres")]
use crate::ledger::Address;
use crate::ledger::Site;

/// Where what belongs to ledgers on servers is kept, each in a folder of its own.
#[cfg(feature = "postgres")]
const STATIONS: &str = "stations";

/// The ledger that is named by this path or address, and by whom.
pub(super) fn of(
    ledger: PathBuf,
    (file, ledger_by, file_by): (&File, NamedBy, NamedBy),
    folders: &Folders,
) -> Result<Site, ConfigError> {
    let Some((scheme, address)) = address(&ledger) else { return Ok(Site::File(ledger)) };
    let of_file = (file.ledger_password_command(), file_by);
    at(&scheme, &address, (ledger_by, of_file), folders)
}

#[cfg(feature = "postgres")]
fn at(
    scheme: &str,
    address: &str,
    (ledger_by, (command, file_by)): (NamedBy, (Option<&String>, NamedBy)),
    folders: &Folders,
) -> Result<Site, ConfigError> {
    if !matches!(scheme, "postgres" | "postgresql") {
        return Err(ConfigError::LedgerAddress { scheme: scheme.to_owned() });
    }
    // It may have come with a folder from elsewhere: orders hold names and addresses, and a command could do anything.
    if ledger_by == NamedBy::Folder || (command.is_some() && file_by == NamedBy::Folder) {
        return Err(ConfigError::LedgerOfFolder);
    }
    let address = Address::parse(address, command.cloned()).map_err(|error| ConfigError::Setting(error.to_string()))?;
    let beside = folders.data(STATIONS)?.join(address.folder_name()).join("ledger");
    Ok(Site::Server { address, beside })
}

#[cfg(not(feature = "postgres"))]
fn at(scheme: &str, _: &str, _: (NamedBy, (Option<&String>, NamedBy)), _: &Folders) -> Result<Site, ConfigError> {
    Err(ConfigError::LedgerAddress { scheme: scheme.to_owned() })
}

/// What a path is that is an address: how it begins, `postgres` of `postgres://host/name`, and all of it.
fn address(path: &Path) -> Option<(String, String)> {
    let text = path.to_string_lossy();
    let end = text.find("://")?;
    // What a configuration names is looked for beside it.
    let begin = text[..end].rsplit(['/', '\\']).next()?;
    let is_scheme =
        !begin.is_empty() && begin.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    is_scheme.then(|| (begin.to_owned(), text[end - begin.len()..].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_no_files() {
        let scheme = |path: &str| address(Path::new(path)).map(|(scheme, _)| scheme);
        assert_eq!(scheme("postgres://shop:geheim@host/orders").as_deref(), Some("postgres"));
        assert_eq!(scheme("/etc/shipsheet/mysql://host/orders").as_deref(), Some("mysql"));
        assert_eq!(scheme("C:\\orders\\ledger.sqlite"), None);
        assert_eq!(scheme("/srv/a://b"), Some("a".to_owned()));
        assert_eq!(scheme("/srv/ledger.sqlite"), None);
        let whole = address(Path::new("/etc/postgres://shop@host/orders")).unwrap().1;
        assert_eq!(whole, "postgres://shop@host/orders");
    }
}
