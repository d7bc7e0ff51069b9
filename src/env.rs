//! The surroundings of a command: variables, the user's home folder, and the executable that it is.
//!
//! All of it is asked here. A program that runs commands within itself gives each an environment of its own, for the thread
//! that runs it; everywhere else it is the environment of the process.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

thread_local! {
    static GIVEN: RefCell<Option<Environment>> = const { RefCell::new(None) };
}

/// An environment that a command is given.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// The variables; those of the process are not among them unless they are put there.
    pub variables: BTreeMap<OsString, OsString>,
    /// The executable that is started where the program starts itself again.
    pub program: PathBuf,
}

impl Environment {
    /// Runs something that finds this environment. Threads that it starts find that of the process.
    pub fn around<T>(self, run: impl FnOnce() -> T) -> T {
        /// Puts back what was there before, also after a panic.
        struct Before(Option<Environment>);
        impl Drop for Before {
            fn drop(&mut self) {
                GIVEN.set(self.0.take());
            }
        }
        let _before = Before(GIVEN.replace(Some(self)));
        run()
    }
}

fn given<T>(of: impl FnOnce(&Environment) -> T) -> Option<T> {
    GIVEN.with_borrow(|given| given.as_ref().map(of))
}

/// Whether a command runs within a program that gave it its environment, and not in a process of its own.
#[must_use]
pub fn is_given() -> bool {
    given(|_| ()).is_some()
}

/// A variable.
#[must_use]
pub fn variable_os(name: &str) -> Option<OsString> {
    given(|own| own.variables.get(&OsString::from(name)).cloned()).unwrap_or_else(|| std::env::var_os(name))
}

/// A variable that is text.
#[must_use]
pub fn variable(name: &str) -> Option<String> {
    variable_os(name)?.into_string().ok()
}

/// How long somebody is waited for, or until the next try. Tests have less patience, as `SHIPSHEET_PATIENCE_SECONDS` says.
#[cfg(debug_assertions)]
#[must_use]
pub(crate) fn patience(usual: Duration) -> Duration {
    let seconds = variable("SHIPSHEET_PATIENCE_SECONDS").and_then(|text| text.parse().ok());
    let own = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    own.map_or(usual, |own| own.min(usual))
}

/// A release waits as long as usual.
#[cfg(not(debug_assertions))]
#[must_use]
pub(crate) const fn patience(usual: Duration) -> Duration {
    usual
}

/// The names of all variables.
#[must_use]
pub fn names() -> Vec<OsString> {
    let of_process = || std::env::vars_os().map(|(name, _)| name).collect();
    given(|own| own.variables.keys().cloned().collect()).unwrap_or_else(of_process)
}

/// The user's home folder.
#[must_use]
pub fn home() -> Option<PathBuf> {
    given(|own| own.variables.get(&OsString::from("HOME")).map(PathBuf::from)).unwrap_or_else(std::env::home_dir)
}

/// A path that the platform gave for this user: below the home folder of the process it stands below the one that was given.
#[must_use]
pub fn at_home(path: &Path) -> PathBuf {
    let rest = std::env::home_dir().and_then(|home| Some(path.strip_prefix(home).ok()?.to_owned()));
    match (rest, home()) {
        (Some(rest), Some(home)) if is_given() => home.join(rest),
        _ => path.to_owned(),
    }
}

/// The executable to start where the program starts itself again.
#[must_use]
pub fn program() -> Option<PathBuf> {
    given(|own| own.program.clone()).or_else(|| std::env::current_exe().ok())
}

/// Lets a program that is started find this environment, too.
pub fn hand_to(command: &mut Command) {
    let variables = given(|own| own.variables.clone());
    if let Some(variables) = variables {
        command.env_clear().envs(variables);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_environment_is_all_there_is_and_ends_with_its_run() {
        let variables = [("HOME", "/home/asha"), ("SHIPSHEET_X", "1")].map(|(name, value)| (name.into(), value.into()));
        let own = Environment { variables: variables.into(), program: "/opt/shipsheet".into() };
        let ended = std::panic::catch_unwind(|| {
            own.around(|| {
                assert_eq!((variable("SHIPSHEET_X").as_deref(), variable("PATH")), (Some("1"), None));
                assert_eq!((names().len(), program()), (2, Some("/opt/shipsheet".into())));
                let below = std::env::home_dir().unwrap().join(".config");
                assert_eq!(at_home(&below), Path::new("/home/asha/.config"));
                assert_eq!(at_home(Path::new("/etc/x")), Path::new("/etc/x"));
                let mut command = Command::new("env");
                hand_to(&mut command);
                assert_eq!(command.get_envs().count(), 2);
                // Another thread is not part of it.
                assert!(std::thread::spawn(|| variable_os("PATH")).join().unwrap().is_some());
                std::panic::resume_unwind(Box::new(()));
            })
        });
        assert!(ended.is_err() && !is_given() && variable_os("PATH").is_some());
    }
}
