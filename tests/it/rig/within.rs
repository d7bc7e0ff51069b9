//! The program within the process of the tests: what it says and does is as in a process of its own, which need not be started.

use std::collections::BTreeMap;
use std::process::Command;

use super::{Ran, program, ran, words_of};

/// Commands that listen, and those that start the program again: these are for a process.
#[cfg(target_os = "linux")]
const APART: [&str; 4] = ["desk", "sandbox", "selftest", "watch"];

/// Runs a command to its end, within this process where that does the same.
pub(crate) fn ran_here(command: Command) -> Ran {
    ran_within(&command).unwrap_or_else(|| ran(command))
}

/// Runs a command to its end within this process; nothing where it cannot be had here.
///
/// Its surroundings are given to its thread: the environment, and the working folder, which Linux alone keeps for
/// each thread. The time zone is that of the process.
#[cfg(target_os = "linux")]
fn ran_within(command: &Command) -> Option<Ran> {
    let arguments: Vec<_> = std::iter::once(command.get_program()).chain(command.get_args()).collect();
    let is_apart = arguments.get(1).is_none_or(|first| APART.iter().any(|own| first == own))
        || arguments.get(3).is_some_and(|third| *third == "listen");
    if is_apart || command.get_program() != program().as_str() || !is_plain() {
        return None;
    }
    let given =
        |(name, value): (&std::ffi::OsStr, Option<&std::ffi::OsStr>)| Some((name.to_owned(), value?.to_owned()));
    let variables: BTreeMap<_, _> = command.get_envs().filter_map(given).collect();
    let environment = shipsheet::env::Environment { variables, program: program().into() };
    let mut io = shipsheet::cli::Io { environment, ..Default::default() };
    let arguments: Vec<_> = arguments.into_iter().map(ToOwned::to_owned).collect();
    let exit = folder::within(command.get_current_dir()?, || shipsheet::cli::run(&arguments, &mut io));
    Some(Ran {
        exit: exit.into(),
        stdout: String::from_utf8(io.output).unwrap(),
        stderr: String::from_utf8(io.error).unwrap(),
        command: words_of(command),
    })
}

#[cfg(not(target_os = "linux"))]
fn ran_within(_: &Command) -> Option<Ran> {
    None
}

/// Whether nothing of this machine is around the process that would reach a command here and no process that the rig starts.
#[cfg(target_os = "linux")]
fn is_plain() -> bool {
    static PLAIN: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
        let folders = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"];
        let zone = jiff::tz::TimeZone::system();
        let is_utc = zone.iana_name().is_none_or(|name| ["UTC", "Etc/UTC"].contains(&name));
        is_utc
            && zone.to_offset(jiff::Timestamp::now()).is_zero()
            && folders.iter().all(|name| std::env::var_os(name).is_none())
    });
    *PLAIN
}

#[cfg(target_os = "linux")]
mod folder {
    use std::cell::Cell;
    use std::path::Path;

    use rustix::thread::UnshareFlags;

    thread_local! {
        static OWN: Cell<bool> = const { Cell::new(false) };
    }

    /// Runs something in a working folder that this thread has alone, with the threads that it starts.
    pub(super) fn within<T>(folder: &Path, run: impl FnOnce() -> T) -> T {
        if !OWN.replace(true) {
            #[expect(
                deprecated,
                reason = "what stands for it is unsafe because it can part open files as well, which this does not"
            )]
            rustix::thread::unshare(UnshareFlags::FS).unwrap();
        }
        let before = std::env::current_dir().unwrap();
        std::env::set_current_dir(folder).unwrap();
        let came = run();
        std::env::set_current_dir(before).unwrap();
        came
    }
}
