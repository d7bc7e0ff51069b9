//! Whose word is taken: a configuration that only its user could have written, and hosts that this user sent a token
//! before.
//!
//! A configuration names a command that is run and the host that the token goes to. So it must belong to its user or to
//! root, and nobody else may write to it. Its folder may be writable for others, as the shared folder of a warehouse often
//! is: who puts another file in its place owns that file, and that is seen.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::api::Endpoint;
use crate::ledger::create_private_folder;

use super::error::ConfigError;

/// Reads a configuration that nobody else could have written.
pub(super) fn read_configuration(path: &Path) -> Result<String, ConfigError> {
    let unreadable = |source| ConfigError::Unreadable { path: path.to_owned(), source };
    // The file that was looked at is the one that is read.
    let mut file = File::open(path).map_err(unreadable)?;
    owned::check(&file, path)?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(unreadable)?;
    Ok(text)
}

/// Whose word a configuration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// The command line, the environment, a configuration that was named, or the user's own.
    User,
    /// A configuration that lay in the working directory: it may have come with a folder from elsewhere.
    Folder,
}

/// A command of a configuration that lay in the working directory, which its user never let run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCommand {
    /// It, as the configuration has it: for the eyes of whoever is asked, for it may hold a secret.
    pub command: String,
    /// What it is remembered by.
    pub mark: String,
}

/// Whether this user has sent a token to a host before. `state` is the user's state folder.
pub(super) fn is_known_host(endpoint: &Endpoint, state: Option<&Path>) -> bool {
    state.is_some_and(|folder| is_known(&hosts_in(folder), endpoint.origin()))
}

/// Notes that tokens go to a host; where nothing can be noted, nothing is.
pub(super) fn remember_host(origin: &str, state: Option<&Path>) -> io::Result<()> {
    state.map_or(Ok(()), |folder| remember(&hosts_in(folder), origin))
}

/// Whether this user has let a command run before, which is remembered among the hosts by a mark.
pub(super) fn is_known_mark(mark: &str, state: Option<&Path>) -> bool {
    state.is_some_and(|folder| is_known(&hosts_in(folder), mark))
}

pub(super) fn hosts_in(state: &Path) -> PathBuf {
    state.join("hosts")
}

fn is_known(hosts: &Path, origin: &str) -> bool {
    let mut text = String::new();
    let read = open_hosts(hosts, false).and_then(|mut file| file.read_to_string(&mut text));
    read.is_ok() && text.lines().any(|line| line == origin)
}

fn remember(hosts: &Path, origin: &str) -> io::Result<()> {
    create_private_folder(hosts.parent().unwrap_or(Path::new(".")))?;
    open_hosts(hosts, true)?.write_all(format!("{origin}\n").as_bytes())
}

/// The list of hosts; a link is not followed, and a list that others could have written is none.
fn open_hosts(path: &Path, write: bool) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).append(write).create(write);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let no_link = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(i32::try_from(no_link.bits()).map_err(io::Error::other)?);
    }
    let file = options.open(path)?;
    owned::check(&file, path).map_err(|error| io::Error::new(io::ErrorKind::PermissionDenied, error.to_string()))?;
    Ok(file)
}

#[cfg(unix)]
mod owned {
    use std::fs::{File, Metadata};
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use rustix::process::{getegid, geteuid};

    use crate::config::error::ConfigError;

    const WRITABLE_BY_GROUP: u32 = 0o020;
    const WRITABLE_BY_OTHERS: u32 = 0o002;

    /// Refuses a file that another user owns or may write to.
    pub(super) fn check(file: &File, path: &Path) -> Result<(), ConfigError> {
        let unreadable = |source| ConfigError::Unreadable { path: path.to_owned(), source };
        let metadata = file.metadata().map_err(unreadable)?;
        let user = geteuid().as_raw();
        if metadata.uid() != user && metadata.uid() != 0 {
            return Err(ConfigError::NotOwned { path: path.to_owned(), owner: metadata.uid() });
        }
        let by_group = metadata.mode() & WRITABLE_BY_GROUP != 0 && !is_private_group(&metadata, user);
        if by_group || metadata.mode() & WRITABLE_BY_OTHERS != 0 {
            return Err(ConfigError::Writable { path: path.to_owned() });
        }
        Ok(())
    }

    /// Whether a file's group is the user's own, in which nobody else is.
    fn is_private_group(metadata: &Metadata, user: u32) -> bool {
        let read = |path| std::fs::read_to_string(path).unwrap_or_default();
        metadata.gid() == getegid().as_raw()
            && is_alone(&read("/etc/passwd"), &read("/etc/group"), user, metadata.gid())
    }

    /// Whether a user is the only one of a group, by the system's lists. Whom they do not name may be anybody.
    pub(super) fn is_alone(users: &str, groups: &str, user: u32, group: u32) -> bool {
        let fields = |line: &str| line.split(':').map(str::to_owned).collect::<Vec<_>>();
        let is = |text: Option<&String>, number: u32| text.is_some_and(|text| text.parse() == Ok(number));
        let users: Vec<Vec<String>> = users.lines().map(fields).collect();
        let Some(own) = users.iter().find(|line| is(line.get(2), user)) else { return false };
        let others = users.iter().any(|line| is(line.get(3), group) && !is(line.get(2), user));
        let Some(entry) = groups.lines().map(fields).find(|line| is(line.get(2), group)) else { return false };
        let members = entry.get(3).map(String::as_str).unwrap_or_default();
        !others && members.split(',').all(|name| name.is_empty() || own.first().is_some_and(|own| own == name))
    }
}

/// Elsewhere rights are not told by a number.
#[cfg(not(unix))]
mod owned {
    use std::fs::File;
    use std::path::Path;

    use crate::config::error::ConfigError;

    pub(super) fn check(_: &File, _: &Path) -> Result<(), ConfigError> {
        Ok(())
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_private_where_nobody_else_is_in_it() {
        let users = "root:x:0:0::/:/bin/sh\nasha:x:1000:1000::/:/bin/sh\nravi:x:1001:100::/:/bin/sh\n";
        let groups = "asha:x:1000:\nstaff:x:100:asha\nshared:x:200:asha,ravi\n";
        assert!(owned::is_alone(users, groups, 1000, 1000));
        for (user, group) in [(1000, 100), (1000, 200), (1000, 7), (4711, 1000)] {
            assert!(!owned::is_alone(users, groups, user, group), "{user} {group}");
        }
        let joined = groups.replace("asha:x:1000:", "asha:x:1000:ravi");
        assert!(!owned::is_alone(users, &joined, 1000, 1000));
    }

    #[test]
    fn a_host_is_remembered_where_nobody_else_can_write() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        let endpoint = |url: &str| Endpoint::parse(url).unwrap();
        let known = |url: &str| is_known_host(&endpoint(url), Some(&state));
        assert!(!known("https://api.example.com"));
        remember_host(endpoint("https://api.example.com/v1").origin(), Some(&state)).unwrap();
        assert!(known("https://api.example.com"));
        assert!(!known("https://api.example.com:8443"), "another port is another service");
        assert!(!known("http://127.0.0.1:9") && !known("http://[::1]:9"), "any program may listen on this machine");
        let hosts = state.join("hosts");
        assert_eq!(std::fs::read_to_string(&hosts).unwrap(), "https://api.example.com\n");
        assert_eq!(hosts.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(state.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        // A list that others may write to says nothing, and a link is not followed.
        std::fs::set_permissions(&hosts, std::fs::Permissions::from_mode(0o666)).unwrap();
        assert!(!known("https://api.example.com"));
        let planted = folder.path().join("planted");
        std::fs::rename(&hosts, &planted).unwrap();
        std::fs::set_permissions(&planted, std::fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&planted, &hosts).unwrap();
        assert!(!known("https://api.example.com"));
        assert!(remember_host("https://other.example.com", Some(&state)).is_err());
        assert_eq!(std::fs::read_to_string(&planted).unwrap(), "https://api.example.com\n");
    }
}
