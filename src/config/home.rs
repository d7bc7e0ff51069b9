//! Paths that begin with `~`, the home folder of a person, where no shell has written it out.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::env;

/// A path with its leading `~` written out; any other path, and every path of somebody without a home, as it is.
#[must_use]
pub fn expanded(path: &Path) -> PathBuf {
    within(path, env::home).unwrap_or_else(|| path.to_owned())
}

/// An argument of a command line with its leading `~` written out, also behind the `=` of an option: shells leave
/// `--ledger=~/orders.sqlite` as it is.
#[must_use]
pub fn expanded_argument(argument: OsString) -> OsString {
    let Some(text) = argument.to_str() else { return argument };
    let option = text.strip_prefix("--").and_then(|_| text.split_once('='));
    let (before, path) = option.map_or((None, text), |(name, path)| (Some(name), path));
    if !path.starts_with('~') {
        return argument;
    }
    let path = expanded(Path::new(path));
    before.map_or_else(
        || path.clone().into_os_string(),
        |name| [OsStr::new(name), OsStr::new("="), path.as_os_str()].into_iter().collect(),
    )
}

fn within(path: &Path, home: impl Fn() -> Option<PathBuf>) -> Option<PathBuf> {
    let rest = path.strip_prefix("~").ok()?;
    let home = home()?;
    Some(if rest.as_os_str().is_empty() { home } else { home.join(rest) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_leading_tilde_of_its_own_is_the_home_folder() {
        let home = || Some(PathBuf::from("/home/asha"));
        let of = |path: &str| within(Path::new(path), home);
        assert_eq!(of("~/orders.sqlite"), Some("/home/asha/orders.sqlite".into()));
        assert_eq!(of("~"), Some("/home/asha".into()));
        for path in ["~ravi/orders.sqlite", "orders~", "/tmp/~/orders", "./~/x", ""] {
            assert_eq!(of(path), None, "{path}");
        }
        assert_eq!(within(Path::new("~/x"), || None), None);
    }
}
