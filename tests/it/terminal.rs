//! A terminal for a command, with somebody at it who reads and types.

use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::rig::wait_until;

/// A command at a terminal of its own, read from the top down: what was waited for once is not waited for again.
///
/// Dropped, it is killed.
pub(crate) struct Terminal {
    child: Child,
    keyboard: File,
    screen: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
    /// How far the screen was read.
    read: usize,
}

impl Terminal {
    /// Starts a command with a terminal as standard input, output and error.
    pub(crate) fn start(mut command: Command) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
        let theirs = || File::options().read(true).write(true).open(&name).unwrap();
        let child = command.stdin(theirs()).stdout(theirs()).stderr(theirs()).spawn().unwrap();
        // The command holds its ends of the terminal until it is dropped.
        drop(command);
        let keyboard = File::from(ours);
        let screen = Arc::<Mutex<String>>::default();
        let (mut reader, shown) = (keyboard.try_clone().unwrap(), Arc::clone(&screen));
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Once nobody holds the other end any more, reading fails.
            while let Ok(read @ 1..) = reader.read(&mut bytes) {
                shown.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..read]).replace('\r', ""));
            }
        });
        Self { child, keyboard, screen, reader, read: 0 }
    }

    pub(crate) fn screen(&self) -> String {
        self.screen.lock().unwrap().clone()
    }

    /// Waits until something comes, below what was read before.
    pub(crate) fn shows(&mut self, what: &str) {
        let end = || self.screen()[self.read..].find(what).map(|at| self.read + at + what.len());
        // Once the screen is read to its end, nothing more comes.
        let is_over = || self.reader.is_finished();
        wait_until(&format!("{what}, below {:?}", &self.screen()[..self.read]), || is_over() || end().is_some());
        let Some(end) = end() else { panic!("the program ended without \"{what}\": {}", self.screen()) };
        self.read = end;
    }

    /// Waits for a question and types the answer.
    pub(crate) fn answer(&mut self, question: &str, answer: &str) {
        self.shows(question);
        self.keyboard.write_all(answer.as_bytes()).unwrap();
    }

    pub(crate) fn interrupt(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).unwrap();
    }

    /// Waits for its end and gives its exit code and everything that was on the screen.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        wait_until("the program ends", || self.child.try_wait().unwrap().is_some());
        let code = self.child.wait().unwrap().code();
        // What the program said last may still be on its way; reading ends behind it.
        wait_until("the screen is read to its end", || self.reader.is_finished());
        (code, self.screen())
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
