//! The log of a run: what happens, as JSON lines in a file that is rotated by size.
//!
//! It is one more listener of the events ([`crate::event`]), with the run and the order on each line. Nothing personal but the
//! order number is in it: texts that may quote a cell or an answer are left out, or pass [`impersonal`]. A log that cannot
//! be written never stops a run; the first error is kept for whoever asks.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::api::outcome::masked_but_status;
use crate::event::{Event, Listener, Totals};

/// Where the log is, and how much of it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogOptions {
    /// The file; earlier ones are beside it with `.1`, `.2` and so on behind its name.
    pub file: PathBuf,
    /// Bytes after which the next file begins.
    pub bytes_max: u64,
    /// Earlier files that are kept.
    pub keep: u32,
}

/// A log. Clones write into the same file, and so may other processes.
#[derive(Debug, Clone)]
pub struct Log(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    options: LogOptions,
    /// The first error.
    trouble: Mutex<Option<String>>,
}

impl Log {
    /// A log; its file is made with its first line.
    pub fn new(options: LogOptions) -> Self {
        Self(Arc::new(Shared { options, trouble: Mutex::default() }))
    }

    /// Writes a line about something that is no event of a run; `fields` is an object.
    pub fn note(&self, what: &str, fields: Value) {
        let mut line = Map::new();
        line.insert("event".to_owned(), what.into());
        if let Value::Object(fields) = fields {
            line.extend(fields);
        }
        self.write(line);
    }

    /// Why the log could not be written, where it could not.
    pub fn trouble(&self) -> Option<String> {
        self.0.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.0.options.file
    }

    fn write(&self, fields: Map<String, Value>) {
        let mut line = Map::new();
        line.insert("at".to_owned(), format!("{:.3}", Timestamp::now()).into());
        line.insert("process".to_owned(), std::process::id().into());
        line.extend(fields);
        let mut text = Value::Object(line).to_string();
        text.push('\n');
        // One line after the other, so that two threads never rotate at a time.
        let mut trouble = self.0.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = append(&self.0.options, text.as_bytes()) {
            trouble.get_or_insert_with(|| format!("{}: {error}", self.file().display()));
        }
    }
}

impl Listener for Log {
    fn event(&mut self, event: &Event<'_>, totals: &Totals) {
        // How far the reading is changes too often to be worth a line.
        if matches!(event, Event::Reading { .. } | Event::PauseLengthened { .. }) {
            return;
        }
        let Ok(Value::Object(mut fields)) = serde_json::to_value(event) else { return };
        fields.entry("run").or_insert_with(|| json!(totals.run));
        if let Event::Finished = event {
            let Totals { booked, failed, in_doubt, outstanding, .. } = totals;
            let counts = json!({"booked": booked, "failed": failed, "in_doubt": in_doubt, "outstanding": outstanding});
            fields.insert("orders".to_owned(), counts);
        }
        self.write(fields);
    }
}

/// A text that may be told to anybody: without digits, quoted values and e-mail addresses; the status of an answer stays.
pub(crate) fn impersonal(text: &str) -> String {
    let words = text.split(' ').map(|word| if word.contains('@') { "…" } else { word });
    masked_but_status(&words.collect::<Vec<_>>().join(" "))
}

/// The file is opened for each line: whoever rotates it meanwhile takes no line of another process away with it.
fn append(options: &LogOptions, line: &[u8]) -> io::Result<()> {
    let is_full = |length: u64| length > 0 && length.saturating_add(line.len() as u64) > options.bytes_max;
    if options.file.metadata().is_ok_and(|metadata| is_full(metadata.len())) {
        rotate(options, is_full)?;
    }
    open(&options.file)?.write_all(line)
}

/// Every file takes the name of the next, and the last one goes.
fn rotate(options: &LogOptions, is_full: impl Fn(u64) -> bool) -> io::Result<()> {
    let file = open(&options.file)?;
    match file.try_lock() {
        // Another process is at it.
        Err(TryLockError::WouldBlock) => return Ok(()),
        Ok(()) | Err(TryLockError::Error(_)) => {}
    }
    // Somebody else may just have done so: then the file that is locked here has another name, or there is none of this one yet.
    if !options.file.metadata().is_ok_and(|now| is_full(now.len()) && is_it(&file, &now)) {
        return Ok(());
    }
    // Only names that are taken move on, or a long row of files would be slow to rotate from the first day.
    let free = (1..options.keep).find(|&number| !numbered(&options.file, number).exists()).unwrap_or(options.keep);
    for number in (1..free).rev() {
        moved(&numbered(&options.file, number), &numbered(&options.file, number + 1))?;
    }
    if options.keep == 0 { file.set_len(0) } else { moved(&options.file, &numbered(&options.file, 1)) }
}

/// Whether an open file is the one that has this name now.
#[cfg(unix)]
fn is_it(file: &File, now: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|own| (own.dev(), own.ino()) == (now.dev(), now.ino()))
}

/// Elsewhere an open file keeps its name.
#[cfg(not(unix))]
const fn is_it(_: &File, _: &Metadata) -> bool {
    true
}

fn moved(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

fn numbered(file: &Path, number: u32) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{number}"));
    PathBuf::from(name)
}

/// Opens the file to add to it, and makes it for its owner alone; a link is not followed.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let no_link = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(no_link.bits().cast_signed());
    }
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::outcome::Outcome;
    use crate::event::{Reach, Stream};

    fn lines(path: &Path) -> Vec<Value> {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn lines_carry_run_and_order_and_files_are_rotated_by_size() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("log.jsonl");
        let log = Log::new(LogOptions { file: file.clone(), bytes_max: 400, keep: 2 });
        let mut stream = Stream::new(log.clone());
        stream.tell(&Event::Started { run: 7, orders: 9, concurrency: 1 });
        stream.tell(&Event::Sent { order: "A-1", attempt: 1 });
        let first = lines(&file);
        assert_eq!((&first[0]["run"], &first[1]["run"], &first[1]["order"]), (&7.into(), &7.into(), &"A-1".into()));
        assert!(first[1]["at"].as_str().unwrap().ends_with('Z'), "{first:?}");
        for n in 0..20 {
            stream.tell(&Event::Sent { order: &format!("B-{n}"), attempt: 1 });
        }
        let kept = [file.clone(), numbered(&file, 1), numbered(&file, 2)];
        let all: Vec<Value> = kept.iter().rev().flat_map(|path| lines(path)).collect();
        assert_eq!(all.last().unwrap()["order"], "B-19");
        assert!(all.windows(2).all(|two| two[0]["at"].as_str() <= two[1]["at"].as_str()), "{all:?}");
        assert!(kept.iter().all(|path| path.metadata().unwrap().len() <= 400) && !numbered(&file, 3).exists());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert!(kept.iter().all(|path| path.metadata().unwrap().permissions().mode() & 0o777 == 0o600));
        }
        assert_eq!(log.trouble(), None);
    }

    #[test]
    fn two_logs_of_one_file_lose_no_line_while_it_is_rotated() {
        // A lock of a file is of each opening of it, so two logs are to each other as two processes are.
        const WRITERS: usize = 4;
        const LINES: usize = 400;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("log.jsonl");
        let options = LogOptions { file: file.clone(), bytes_max: 900, keep: 2_000 };
        std::thread::scope(|scope| {
            for writer in 0..WRITERS {
                let log = Log::new(options.clone());
                scope.spawn(move || {
                    for n in 0..LINES {
                        log.note("line", json!({"writer": writer, "n": n}));
                    }
                    assert_eq!(log.trouble(), None);
                });
            }
        });
        let files = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut seen: Vec<(u64, u64)> = files
            .flat_map(|path| lines(&path))
            .map(|line| (line["writer"].as_u64().unwrap(), line["n"].as_u64().unwrap()))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), WRITERS * LINES);
        assert!(std::fs::read_dir(folder.path()).unwrap().count() > 1, "it was rotated");
    }

    #[test]
    fn what_may_quote_a_person_is_left_out_and_a_log_that_fails_stops_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("log.jsonl");
        let log = Log::new(LogOptions { file: file.clone(), bytes_max: 1 << 20, keep: 1 });
        let mut stream = Stream::new(log.clone());
        let outcome = Outcome::Waiting { reason: "Asha Rao 9876543210".to_owned() };
        stream.tell(&Event::Settled { order: "A-1", outcome: &outcome, attempts: 1, reach: Reach::Sent });
        stream.tell(&Event::Stopping { by: "refusals", reason: "Asha Rao 9876543210", in_flight: 0 });
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains("refusals") && !text.contains("Asha") && !text.contains("98765"), "{text}");
        assert_eq!(impersonal("login as asha@example.com failed: \"Asha\" 403"), "login as … failed: … #");
        for stays in
            ["No such file (os error 2)", "Address Line 2 is missing; and 14 more", "Address Line 1, and 3 more"]
        {
            assert_eq!(impersonal(stays), stays);
        }
        let told = "Address Line 9876543210, Line 12, os error 560001, (os error 560001), and 560001 more, and 12 moons, HTTP 4031";
        let shown = "Address Line #, Line #, os error #, (os error #), and # more, and # moons, HTTP #";
        assert_eq!(impersonal(told), shown);
        assert_eq!(impersonal("\"Address Line 2\" (os error 28)"), "… (os error 28)");
        let said = "the service said no (HTTP 403) of 98765 and \"HTTP 500\"; HTTP 560001, 502";
        assert_eq!(impersonal(said), "the service said no (HTTP 403) of # and …; HTTP #, #");
        let lost = Log::new(LogOptions { file: folder.path().join("no/such/log"), bytes_max: 9, keep: 1 });
        Stream::new(lost.clone()).tell(&Event::Finished);
        assert!(lost.trouble().is_some_and(|why| why.contains("log")));
    }
}
