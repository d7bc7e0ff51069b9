//! What is said to people and scripts, and asked of people.

use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use tokio::runtime::Builder;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
#[cfg(windows)]
use tokio::signal::windows;

use crate::app::Error;
use crate::book::{Stop, StopSignal};
use crate::cli::screen::ProgressStyle;
use crate::cli::screen::terminal::{self, Screen, is_watched};
use crate::env;

use super::global::Verbosity;

/// Writes text for people to standard output.
pub(super) fn print(text: &[u8]) -> Result<()> {
    Ok(terminal::write_out(text).or_else(ignore_closed)?)
}

/// Writes text for people to standard error; if nobody listens, nothing is lost.
pub(super) fn note(text: impl AsRef<str>) {
    terminal::write_line(text.as_ref());
}

/// Whoever reads has seen enough: that is success.
pub(super) fn ignore_closed(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
}

/// How progress is to be shown here.
pub(super) fn progress_style(verbosity: Verbosity) -> ProgressStyle {
    let dumb = env::variable_os("TERM").is_some_and(|term| term == "dumb");
    match verbosity {
        Verbosity::Quiet => ProgressStyle::Quiet,
        _ if is_watched() && !dumb => ProgressStyle::Bar,
        _ => ProgressStyle::Lines,
    }
}

/// Whether a person can be asked.
pub(super) fn somebody_is_here() -> bool {
    io::stdin().is_terminal() && is_watched()
}

/// Asks before money is spent. `None` where nobody can be asked.
pub(super) fn confirm(question: &str) -> Option<bool> {
    asked(&format!("{question} [y/N]")).map(|answer| matches!(answer.as_str(), "y" | "yes"))
}

/// Asks a person for a word, in lower case. `None` where nobody can be asked.
pub(super) fn asked(question: &str) -> Option<String> {
    typed(question).map(|answer| answer.to_lowercase())
}

/// Asks a person for a text. `None` where nobody can be asked.
fn typed(question: &str) -> Option<String> {
    if !somebody_is_here() {
        return None;
    }
    let mut screen = Screen::default();
    // Whoever does not see the question gives no yes.
    let _ = write!(screen, "{question} ").and_then(|()| screen.flush());
    let mut answer = String::new();
    let _ = io::stdin().read_line(&mut answer);
    Some(answer.trim().to_owned())
}

/// [`confirm`] where signals may be listened to already: an interrupt is a no, as it would end the program elsewhere.
pub(super) fn confirm_unless(question: &str, listening: Option<&StopSignal>) -> Option<bool> {
    unless(question, confirm, listening, false)
}

/// [`asked`] where signals may be listened to already: an interrupt is an answer without a word.
pub(super) fn asked_unless(question: &str, listening: Option<&StopSignal>) -> Option<String> {
    unless(question, asked, listening, String::new())
}

/// A text, where signals may be listened to already.
pub(super) fn typed_unless(question: &str, listening: Option<&StopSignal>) -> Option<String> {
    unless(question, typed, listening, String::new())
}

/// Asks until there is an answer or an interrupt, where signals are listened to; elsewhere these end the program.
fn unless<T: Send + 'static>(
    question: &str,
    ask: fn(&str) -> Option<T>,
    listening: Option<&StopSignal>,
    interrupted: T,
) -> Option<T> {
    let runtime = Builder::new_current_thread().build();
    let (Some(stop), Ok(runtime)) = (listening, runtime) else { return ask(question) };
    let (said, answer) = tokio::sync::oneshot::channel();
    let asked = question.to_owned();
    // Nobody can take a thread back that reads; the program ends without it.
    if std::thread::Builder::new().spawn(move || said.send(ask(&asked))).is_err() {
        return ask(question);
    }
    let mut watch = stop.watch();
    runtime.block_on(async {
        tokio::select! {
            answer = answer => answer.unwrap_or(None),
            _ = watch.wait_for(|stop| *stop != Stop::No) => Some(interrupted),
        }
    })
}

/// Turns Ctrl-C, SIGTERM and the end of the terminal into stop requests, from now on and for as long as the program lives.
pub(super) fn listen_for_signals() -> Result<StopSignal> {
    let stop = StopSignal::default();
    listen_with(&stop)?;
    Ok(stop)
}

/// The same for a stop signal that somebody has already.
pub(super) fn listen_with(stop: &StopSignal) -> Result<()> {
    // Signals are for the process: a program that runs a command within itself has its own ways with them.
    if !env::is_given() {
        stop_on_signals(stop).map_err(Error::Unstoppable)?;
    }
    Ok(())
}

/// [`listen_with`] wherever the program runs. A signal that comes sooner ends the program at once,
/// which is right as long as nothing was sent.
pub(super) fn stop_on_signals(stop: &StopSignal) -> io::Result<()> {
    let told = stop.clone();
    let (ready, is_ready) = std::sync::mpsc::channel();
    let listen = move || {
        let runtime = match Builder::new_current_thread().enable_io().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(ready.send(Err(error))),
        };
        runtime.block_on(async {
            match Signals::new() {
                Ok(signals) => {
                    let _ = ready.send(Ok(()));
                    signals.turn_into(&told).await;
                }
                Err(error) => drop(ready.send(Err(error))),
            }
        });
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(listen)?;
    is_ready.recv().map_err(io::Error::other)?
}

/// What ends the program from outside.
#[cfg(unix)]
struct Signals {
    interrupted: Signal,
    terminated: Signal,
    hung_up: Option<Signal>,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            interrupted: signal(SignalKind::interrupt())?,
            terminated: signal(SignalKind::terminate())?,
            hung_up: if hangup_is_ignored() { None } else { Some(signal(SignalKind::hangup())?) },
        })
    }

    async fn turn_into(mut self, stop: &StopSignal) {
        let next_hangup = async |signal: &mut Option<Signal>| match signal {
            Some(signal) => signal.recv().await,
            None => std::future::pending().await,
        };
        loop {
            tokio::select! {
                Some(()) = self.interrupted.recv() => drop(stop.ask()),
                Some(()) = self.terminated.recv() => stop.drain(),
                Some(()) = next_hangup(&mut self.hung_up) => stop.drain(),
                else => return,
            }
        }
    }
}

/// What ends the program from outside. Whatever listens to the last three is granted some seconds before Windows ends it.
#[cfg(windows)]
struct Signals {
    interrupted: windows::CtrlC,
    broken_off: windows::CtrlBreak,
    window_closed: windows::CtrlClose,
    logged_off: windows::CtrlLogoff,
    shut_down: windows::CtrlShutdown,
}

#[cfg(windows)]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            interrupted: windows::ctrl_c()?,
            broken_off: windows::ctrl_break()?,
            window_closed: windows::ctrl_close()?,
            logged_off: windows::ctrl_logoff()?,
            shut_down: windows::ctrl_shutdown()?,
        })
    }

    async fn turn_into(mut self, stop: &StopSignal) {
        loop {
            tokio::select! {
                Some(()) = self.interrupted.recv() => drop(stop.ask()),
                Some(()) = self.broken_off.recv() => stop.drain(),
                Some(()) = self.window_closed.recv() => stop.drain(),
                Some(()) = self.logged_off.recv() => stop.drain(),
                Some(()) = self.shut_down.recv() => stop.drain(),
                else => return,
            }
        }
    }
}

/// Whether the program was told to outlive its terminal, as by `nohup`: that is not overruled. Where that cannot be told it
/// is taken for so.
#[cfg(unix)]
fn hangup_is_ignored() -> bool {
    /// The first signal's bit.
    const HANGUP: u64 = 1;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & HANGUP != 0)
}
