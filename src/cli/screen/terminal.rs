//! The one place that writes to standard output and standard error.
//!
//! Sheets, files and services are written by others, and a terminal obeys what it is sent: it moves, recolours, hides and
//! reverses text. So every text is made harmless here, and nothing else in the program writes to a terminal. Colours of
//! our own carry a mark that nobody outside this process can guess.

use std::cell::RefCell;
use std::fmt::{self, Write as _};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::text::{is_hidden, visible};

/// What begins every escape sequence.
const ESCAPE: char = '\u{1b}';
const RESET: &str = "\u{1b}[0m";

/// A style of our own: `{Paint::Bold}` begins it and `{Paint::Bold:#}` ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paint {
    /// What matters most.
    Bold,
    /// What went wrong.
    Red,
    /// What may be wrong.
    Yellow,
}

impl Paint {
    const ALL: [Self; 3] = [Self::Bold, Self::Red, Self::Yellow];
    const END: char = '.';

    const fn letter(self) -> char {
        match self {
            Self::Bold => 'b',
            Self::Red => 'r',
            Self::Yellow => 'y',
        }
    }

    const fn sequence(self) -> &'static str {
        match self {
            Self::Bold => "\u{1b}[1m",
            Self::Red => "\u{1b}[1m\u{1b}[31m",
            Self::Yellow => "\u{1b}[1m\u{1b}[33m",
        }
    }
}

impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", mark(), if f.alternate() { Self::END } else { self.letter() })
    }
}

/// An escape and a number that is new in every process.
fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    MARK.get_or_init(|| format!("{ESCAPE}{:016x}", RandomState::new().hash_one(std::process::id())))
}

/// The sequence of a style whose mark begins a text, and what follows it.
fn painted(text: &str) -> Option<(&'static str, &str)> {
    let rest = text.strip_prefix(mark())?;
    let letter = rest.chars().next()?;
    let of = |paint: &Paint| paint.letter() == letter;
    let sequence = if letter == Paint::END { RESET } else { Paint::ALL.iter().find(|paint| of(paint))?.sequence() };
    Some((sequence, &rest[letter.len_utf8()..]))
}

/// Sequences of the argument parser, whose own texts these are; what it quotes was made visible before.
fn of_parser(text: &str) -> Option<(&'static str, &str)> {
    const SEQUENCES: [&str; 6] = [RESET, "\u{1b}[1m", "\u{1b}[4m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m"];
    SEQUENCES.iter().find_map(|sequence| Some((*sequence, text.strip_prefix(sequence)?)))
}

/// A text as a terminal may have it: of escape sequences only those that `allowed` knows, and all else visible.
fn harmless(text: &str, allowed: fn(&str) -> Option<(&'static str, &str)>) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(ESCAPE) {
        shown.push_str(&visible(&rest[..at]));
        rest = &rest[at..];
        let (sequence, behind) = allowed(rest).unwrap_or(("\\u{1b}", &rest[ESCAPE.len_utf8()..]));
        shown.push_str(sequence);
        rest = behind;
    }
    shown.push_str(&visible(rest));
    shown
}

/// A text without our styles, for files and tests.
#[cfg(test)]
pub(super) fn plain(text: &[u8]) -> String {
    let text = harmless(&String::from_utf8_lossy(text), painted);
    String::from_utf8(anstream::adapter::strip_bytes(text.as_bytes()).into_vec()).unwrap()
}

/// JSON whose strings hold nothing that a terminal obeys: they are written by their numbers, which means the same.
fn harmless_json(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if is_hidden(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing into text cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(character);
        }
    }
    text
}

/// Output of a command that runs within another program, kept for it.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    pub(crate) output: Vec<u8>,
    pub(crate) error: Vec<u8>,
}

thread_local! {
    static HERE: RefCell<Console> = const { RefCell::new(Console(None)) };
}

/// Where a command writes: to the streams of the process, or into what is kept. Threads that it starts are handed its console.
#[derive(Debug, Clone, Default)]
pub(crate) struct Console(Option<Arc<Mutex<Kept>>>);

/// Where something is said.
#[derive(Debug, Clone, Copy)]
enum Stream {
    Output,
    Error,
}

/// Runs something on this thread, and keeps all that it says from being shown.
pub(crate) fn keeping<T>(run: impl FnOnce() -> T) -> (T, Kept) {
    /// Puts back what was there before, also after a panic.
    struct Before(Console);
    impl Drop for Before {
        fn drop(&mut self) {
            HERE.set(std::mem::take(&mut self.0));
        }
    }
    let kept = Arc::<Mutex<Kept>>::default();
    let _before = Before(HERE.replace(Console(Some(Arc::clone(&kept)))));
    let came = run();
    let said = std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner));
    (came, said)
}

impl Console {
    /// The console of this thread.
    pub(crate) fn here() -> Self {
        HERE.with_borrow(Self::clone)
    }

    /// Writes a line for people to standard error; if nobody listens, nothing is lost.
    pub(crate) fn write_line(&self, text: &str) {
        let _ = self.write(Stream::Error, (harmless(text, painted) + "\n").as_bytes());
    }

    const fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Keeps what is said, where it is to be kept.
    fn keeps(&self, stream: Stream, text: &[u8]) -> bool {
        let Some(kept) = &self.0 else { return false };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        match stream {
            Stream::Output => kept.output.extend_from_slice(text),
            Stream::Error => kept.error.extend_from_slice(text),
        }
        true
    }

    /// Writes text at once, with its colours where they show.
    fn write(&self, stream: Stream, text: &[u8]) -> io::Result<()> {
        fn written(mut to: impl Write, text: &[u8]) -> io::Result<()> {
            to.write_all(text)?;
            to.flush()
        }
        if self.is_kept() {
            self.keeps(stream, &anstream::adapter::strip_bytes(text).into_vec());
            return Ok(());
        }
        match stream {
            Stream::Output => written(anstream::stdout().lock(), text),
            Stream::Error => written(anstream::stderr().lock(), text),
        }
    }
}

/// Writes text for people to standard output.
pub(crate) fn write_out(text: &[u8]) -> io::Result<()> {
    Console::here().write(Stream::Output, harmless(&String::from_utf8_lossy(text), painted).as_bytes())
}

/// Writes JSON and a line end to standard output.
pub(crate) fn write_json(json: &str) -> io::Result<()> {
    let line = harmless_json(json) + "\n";
    if Console::here().keeps(Stream::Output, line.as_bytes()) {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.flush()
}

/// Writes a line for people to standard error; if nobody listens, nothing is lost.
pub(crate) fn write_line(text: &str) {
    Console::here().write_line(text);
}

/// Writes what the argument parser says: help to standard output, an error to standard error.
pub(crate) fn write_usage(text: &str, is_error: bool) {
    let text = harmless(text, of_parser);
    // Help that nobody reads to its end is no failure.
    let _ = Console::here().write(if is_error { Stream::Error } else { Stream::Output }, text.as_bytes());
}

/// Whether standard error is a terminal.
#[must_use]
pub(crate) fn is_watched() -> bool {
    !Console::here().is_kept() && io::stderr().is_terminal()
}

/// Standard error as something to write to, for conversations. What is written shows when it is flushed or a line ends.
#[derive(Debug, Default)]
pub(crate) struct Screen {
    waiting: Vec<u8>,
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if bytes.ends_with(b"\n") {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = harmless(&String::from_utf8_lossy(&self.waiting), painted);
        self.waiting.clear();
        Console::here().write(Stream::Error, text.as_bytes())
    }
}

/// Standard output for data, line by line: exactly as it is for a program or a file, harmless for a terminal. A reader that
/// has seen enough is no failure.
#[derive(Debug)]
pub(crate) struct Data {
    waiting: Vec<u8>,
    is_json: bool,
}

impl Data {
    pub(crate) const fn new(is_json: bool) -> Self {
        Self { waiting: Vec::new(), is_json }
    }

    fn put(&mut self, bytes: usize) -> io::Result<()> {
        let data: Vec<u8> = self.waiting.drain(..bytes).collect();
        match self.written(&data) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written,
        }
    }

    fn written(&self, data: &[u8]) -> io::Result<()> {
        let console = Console::here();
        match std::str::from_utf8(data) {
            Ok(json) if self.is_json => return write_json(json.trim_end_matches('\n')),
            _ if !console.is_kept() && io::stdout().is_terminal() => return write_out(data),
            _ if console.keeps(Stream::Output, data) => return Ok(()),
            _ => {}
        }
        let mut out = io::stdout().lock();
        out.write_all(data)?;
        out.flush()
    }
}

impl Write for Data {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if let Some(end) = self.waiting.iter().rposition(|byte| *byte == b'\n') {
            self.put(end + 1)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() { Ok(()) } else { self.put(self.waiting.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_colours_pass_and_those_of_others_are_shown() {
        let bold = Paint::Bold;
        let text = format!("{bold}run 1{bold:#}: \u{1b}[8mhidden\u{1b}[0m \u{9b}31m\r\u{7f} a\u{202e}b\tc\n");
        let shown = harmless(&text, painted);
        assert_eq!(
            shown,
            "\u{1b}[1mrun 1\u{1b}[0m: \\u{1b}[8mhidden\\u{1b}[0m \\u{9b}31m\\u{d}\\u{7f} a\\u{202e}b\tc\n"
        );
        // Whoever knows the form of the mark does not know its number.
        let guessed = format!("{ESCAPE}{:016x}b", 0);
        assert_eq!(harmless(&guessed, painted), "\\u{1b}0000000000000000b");
        assert_eq!(harmless("\u{1b}[8mx\u{1b}[1m", of_parser), "\\u{1b}[8mx\u{1b}[1m");
    }

    #[test]
    fn json_means_the_same_and_shows_nothing_raw() {
        let value = "a\u{9b}b\u{7f}c\u{2066}\u{2028}\u{200b}\u{feff}\u{e0041}\u{1b}\né";
        let json = serde_json::to_string_pretty(&serde_json::json!({ "text": value })).unwrap();
        let shown = harmless_json(&json);
        assert!(!shown.chars().any(is_hidden), "{shown:?}");
        assert!(shown.contains("\\u009b") && shown.contains("\\udb40\\udc41") && shown.contains('é'), "{shown}");
        let back: serde_json::Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(back["text"], value);
    }
}
