//! Runs of the program: what one came to, and one that is still going on.

use std::fmt;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// What a command came to.
pub(crate) struct Ran {
    pub(crate) exit: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// What was run, for whoever reads that a test failed.
    pub(crate) command: String,
}

impl fmt::Debug for Ran {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { exit, stdout, stderr, command } = self;
        write!(formatter, "exit code {exit} of: {command}\nstandard output:\n{stdout}\nstandard error:\n{stderr}")
    }
}

/// Assertions; each gives the run back, so that one may follow another.
impl Ran {
    #[track_caller]
    pub(crate) fn exits(&self, exit: i32) -> &Self {
        assert_eq!(self.exit, exit, "{self:?}");
        self
    }

    /// It says these words to people, on standard error.
    #[track_caller]
    pub(crate) fn says(&self, words: impl AsRef<str>) -> &Self {
        assert!(self.stderr.contains(words.as_ref()), "says nothing of {:?}: {self:?}", words.as_ref());
        self
    }

    #[track_caller]
    pub(crate) fn says_nothing_of(&self, words: impl AsRef<str>) -> &Self {
        assert!(!self.stderr.contains(words.as_ref()), "says {:?}: {self:?}", words.as_ref());
        self
    }

    /// It prints these words as its result, on standard output.
    #[track_caller]
    pub(crate) fn prints(&self, words: impl AsRef<str>) -> &Self {
        assert!(self.stdout.contains(words.as_ref()), "prints nothing of {:?}: {self:?}", words.as_ref());
        self
    }

    #[track_caller]
    pub(crate) fn prints_nothing_of(&self, words: impl AsRef<str>) -> &Self {
        assert!(!self.stdout.contains(words.as_ref()), "prints {:?}: {self:?}", words.as_ref());
        self
    }
}

/// Runs a command to its end.
pub(crate) fn ran(mut command: Command) -> Ran {
    let output = command.output().unwrap();
    Ran {
        exit: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        command: words_of(&command),
    }
}

/// The arguments of a command, as a person would type them.
pub(crate) fn words_of(command: &Command) -> String {
    command.get_args().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// A command that runs. Dropped, it is killed.
#[derive(Debug)]
pub(crate) struct Live {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
    command: String,
}

impl Live {
    /// Starts a command whose output goes into these two files.
    pub(crate) fn start(mut command: Command, stdout: PathBuf, stderr: PathBuf) -> Self {
        command.stdout(File::create(&stdout).unwrap()).stderr(File::create(&stderr).unwrap());
        Self { child: command.spawn().unwrap(), stdout, stderr, command: words_of(&command) }
    }

    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let process = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(process, signal).unwrap();
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn runs(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits until it has said something on standard error.
    pub(crate) fn said(&self, what: &str) {
        wait_until(what, || std::fs::read_to_string(&self.stderr).unwrap().contains(what));
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Ran {
        wait_until("the program ends", || self.child.try_wait().unwrap().is_some());
        let exit = self.child.wait().unwrap().code().unwrap_or(-1);
        let read = |path: &PathBuf| std::fs::read_to_string(path).unwrap();
        Ran { exit, stdout: read(&self.stdout), stderr: read(&self.stderr), command: std::mem::take(&mut self.command) }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// So long a test waits for what has to come, on however slow a machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(10);

/// Waits until a condition holds; it is looked at again and again, for [`PATIENCE`] at most. A look that takes long leaves the machine
/// to what is waited for.
pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let started = Instant::now();
    loop {
        let looked = Instant::now();
        if condition() {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_micros(200).max(looked.elapsed() * 4).min(Duration::from_millis(10)));
    }
}
