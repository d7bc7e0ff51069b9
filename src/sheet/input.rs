//! The bytes of a sheet: a file, or standard input in a private spool; and what kind of file they are.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};

use super::foreign::{self, Foreign};
use super::private::Private;
use super::{Limits, SheetError};

/// Where the kind of a file shows.
const HEAD_BYTES: u64 = 1024;

/// Names of standard input. Opened by the others, a pipe would be another one, which may wait for a writer.
const STANDARD_INPUT: [&str; 4] = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/// A file that can be read again and again.
#[derive(Debug)]
pub(super) struct Input {
    /// Its name as the person knows it.
    pub(super) name: String,
    path: PathBuf,
    /// Holds the spool of standard input, readable by its owner only, until the sheet is dropped.
    _spool: Option<Private>,
    /// Bytes as stored.
    pub(super) bytes: u64,
    head: Vec<u8>,
    /// The SHA-256 of the file as it was when that was first asked for.
    first_sha256: OnceLock<[u8; 32]>,
}

/// What a file's first bytes say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Container {
    Zip,
    Ole,
    Gzip,
    Plain,
    Foreign(Foreign),
}

/// The SHA-256 of a file's bytes as they are now.
///
/// # Errors
/// It cannot be read.
pub fn file_sha256(path: &Path) -> io::Result<[u8; 32]> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 128 * 1024];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(hash.finalize().into());
        }
        hash.update(&buffer[..count]);
    }
}

/// Refuses a file that is known for no sheet by its name or its first bytes, however large it is.
///
/// # Errors
/// It is another kind of file, empty, or too large, or cannot be read.
pub fn refuse_no_sheet(path: &Path, limits: &Limits) -> Result<(), SheetError> {
    let input = Input::open(path, limits)?;
    match input.container() {
        Container::Foreign(foreign) => Err(input.no_sheet(foreign)),
        _ => Ok(()),
    }
}

impl Input {
    /// Opens a file, or spools what can be read only once.
    pub(super) fn open(path: &Path, limits: &Limits) -> Result<Self, SheetError> {
        let standard_input = STANDARD_INPUT.iter().any(|name| path == Path::new(name));
        let name = if standard_input {
            "standard input".to_owned()
        } else {
            path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
        };
        let failed = |source| failure(&name, source);
        if standard_input {
            let spool = spool(&mut io::stdin().lock(), limits).map_err(failed)?;
            return Self::examine(name.clone(), spool.path().to_owned(), Some(spool), limits);
        }
        let metadata = path.metadata().map_err(failed)?;
        if let Some(Foreign { what, hint }) = foreign::by_name(path).filter(|_| metadata.is_file()) {
            return Err(SheetError::NotASheet { file: name, what: what.to_owned(), hint });
        }
        if metadata.is_dir() {
            let hint = "name the sheets in it, for instance all of one kind: FOLDER/*.csv";
            return Err(SheetError::NotASheet { file: name, what: "a folder".to_owned(), hint });
        }
        if metadata.is_file() {
            return Self::examine(name, path.to_owned(), None, limits);
        }
        if !is_handed_over(path) {
            return Err(SheetError::NotAFile { file: name, what: kind_of(&metadata).to_owned() });
        }
        // What a pipe gives can be read only once.
        let spool = spool(&mut open_at_once(path).map_err(failed)?, limits).map_err(failed)?;
        Self::examine(name.clone(), spool.path().to_owned(), Some(spool), limits)
    }

    fn examine(name: String, path: PathBuf, spool: Option<Private>, limits: &Limits) -> Result<Self, SheetError> {
        let failed = |source| SheetError::Io { file: name.clone(), source };
        let mut file = File::open(&path).map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        if bytes > limits.file_bytes_max {
            let what = format!("{bytes} bytes, of which {} are accepted", limits.file_bytes_max);
            return Err(SheetError::TooLarge { file: name, what });
        }
        let mut head = Vec::new();
        Read::by_ref(&mut file).take(HEAD_BYTES).read_to_end(&mut head).map_err(failed)?;
        if head.is_empty() {
            return Err(SheetError::Empty { file: name });
        }
        Ok(Self { name, path, _spool: spool, bytes, head, first_sha256: OnceLock::new() })
    }

    /// The SHA-256 of the file's bytes as they were when this was first asked for.
    pub(super) fn first_sha256(&self) -> Result<[u8; 32], SheetError> {
        match self.first_sha256.get() {
            Some(first) => Ok(*first),
            None => self.sha256().map(|now| *self.first_sha256.get_or_init(|| now)),
        }
    }

    /// The SHA-256 of the file's bytes as they are now.
    pub(super) fn sha256(&self) -> Result<[u8; 32], SheetError> {
        file_sha256(&self.path).map_err(|error| self.failed(error))
    }

    /// Where it can be opened.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file from its start.
    pub(super) fn file(&self) -> Result<File, SheetError> {
        File::open(&self.path).map_err(|source| self.failed(source))
    }

    /// The file's bytes, unpacked where it is gzip.
    pub(super) fn reader(&self, limits: &Limits) -> Result<Box<dyn Read>, SheetError> {
        let file = self.file()?;
        if self.container() != Container::Gzip {
            return Ok(Box::new(file));
        }
        let limits = limits.clone();
        Ok(Box::new(Unpacked { inner: MultiGzDecoder::new(file), packed: self.bytes, bytes: 0, limits }))
    }

    /// An error of the operating system on this file.
    pub(super) fn failed(&self, source: io::Error) -> SheetError {
        failure(&self.name, source)
    }

    /// The error for what is no sheet.
    pub(super) fn no_sheet(&self, Foreign { what, hint }: Foreign) -> SheetError {
        SheetError::NotASheet { file: self.name.clone(), what: what.to_owned(), hint }
    }

    /// What the first bytes say.
    pub(super) fn container(&self) -> Container {
        let head = &self.head;
        if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
            Container::Zip
        } else if head.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
            Container::Ole
        } else if head.starts_with(b"\x1f\x8b") {
            Container::Gzip
        } else {
            foreign::by_head(head).map_or(Container::Plain, Container::Foreign)
        }
    }
}

/// Whether a path is one of this process's open files, as shells write `<(command)`: whoever opened it answers for what it
/// gives. Any other pipe in a folder may wait for ever, and a device may never end.
fn is_handed_over(path: &Path) -> bool {
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    let mut next = || parts.next().unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let of_process = |process: &str| process == "self" || is_number(process);
    let in_folder = match (next().as_ref(), next().as_ref()) {
        ("/", "dev") => next() == "fd",
        ("/", "proc") => of_process(&next()) && next() == "fd",
        _ => false,
    };
    in_folder && is_number(&next()) && next().is_empty()
}

/// What is there instead of a file.
#[cfg(unix)]
fn kind_of(metadata: &std::fs::Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a named pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
const fn kind_of(_: &std::fs::Metadata) -> &'static str {
    "no regular file"
}

/// Opens a pipe without waiting for somebody who writes: where nobody does any more, it is at its end.
#[cfg(unix)]
fn open_at_once(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
    let file = open(path, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY, Mode::empty())?;
    // Opened, it may be waited for as any other.
    fcntl_setfl(&file, OFlags::empty())?;
    Ok(File::from(file))
}

#[cfg(not(unix))]
fn open_at_once(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// An error of the operating system on a file of that name.
fn failure(name: &str, source: io::Error) -> SheetError {
    let file = name.to_owned();
    match source.kind() {
        io::ErrorKind::FileTooLarge => SheetError::TooLarge { file, what: source.to_string() },
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            SheetError::Damaged { file, reason: source.to_string() }
        }
        _ => SheetError::Io { file, source },
    }
}

/// Copies a stream into a temporary file. What never ends is noticed long before the disk is full.
fn spool(from: &mut dyn Read, limits: &Limits) -> io::Result<Private> {
    let mut spool = Private::new()?;
    let mut buffer = vec![0; 128 * 1024];
    let mut seen = Endless::default();
    let mut copied = 0_u64;
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok(spool),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        copied += count as u64;
        if copied > limits.file_bytes_max {
            let text = format!("more than the {} bytes that are accepted", limits.file_bytes_max);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        seen.look(&buffer[..count], limits)?;
        spool.file_mut().write_all(&buffer[..count])?;
    }
}

/// What tells a stream that is no sheet, such as `/dev/zero` or `yes`.
#[derive(Debug, Default)]
struct Endless {
    is_packed: bool,
    /// Whether a mark of UTF-16 begins it, in which any byte may stand.
    is_marked: bool,
    bytes: u64,
    lines: u64,
    zeros_only: u64,
    /// Control characters in the first bytes.
    controls: u64,
}

impl Endless {
    /// Bytes without a line end, and zero bytes at the beginning, that are no text.
    const BYTES_MAX: u64 = 64 << 20;
    const ZEROS_MAX: u64 = 1 << 20;
    /// Where one byte in so many is a control character, it is no text: noise has one in ten.
    const BYTES_PER_CONTROL: u64 = 16;
    /// Lines for one row that are believed of cells with several lines.
    const LINES_PER_ROW: u64 = 4;

    fn look(&mut self, piece: &[u8], limits: &Limits) -> io::Result<()> {
        if self.bytes == 0 {
            self.is_packed =
                piece.starts_with(b"PK") || piece.starts_with(b"\x1f\x8b") || piece.starts_with(b"\xd0\xcf");
            self.is_marked = piece.starts_with(b"\xff\xfe") || piece.starts_with(b"\xfe\xff");
        }
        if self.is_packed {
            self.bytes += piece.len() as u64;
            return Ok(());
        }
        if self.zeros_only == self.bytes {
            self.zeros_only += piece.iter().take_while(|byte| **byte == 0).count() as u64;
        }
        self.bytes += piece.len() as u64;
        self.lines += memchr::memchr2_iter(b'\n', b'\r', piece).count() as u64;
        if self.zeros_only >= Self::ZEROS_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it begins with a mebibyte of zero bytes"));
        }
        if self.bytes <= 2 * Self::ZEROS_MAX {
            let is_control = |byte: &&u8| matches!(byte, 1..=8 | 14..=25 | 28..=31 | 127);
            self.controls += piece.iter().filter(is_control).count() as u64;
            let is_noise = self.controls * Self::BYTES_PER_CONTROL > self.bytes;
            if self.bytes >= Self::ZEROS_MAX && is_noise && !self.is_marked {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "it is no text"));
            }
        }
        let without_end = self.lines == 0 && self.bytes > Self::BYTES_MAX;
        let lines_max = u64::from(limits.rows_max).saturating_mul(Self::LINES_PER_ROW);
        if without_end || self.lines > lines_max {
            let what = if without_end {
                format!("more than {} bytes without a line end", Self::BYTES_MAX)
            } else {
                format!("more than {lines_max} lines, where {} rows are accepted", limits.rows_max)
            };
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        Ok(())
    }
}

/// Refuses to unpack without end.
struct Unpacked<R> {
    inner: R,
    packed: u64,
    /// Unpacked so far.
    bytes: u64,
    limits: Limits,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes += count as u64;
        if self.limits.allow_unpacking(self.packed, self.bytes) {
            return Ok(count);
        }
        let text = format!("its {} packed bytes become more than {} bytes", self.packed, self.bytes);
        Err(io::Error::new(io::ErrorKind::FileTooLarge, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spooled(from: impl Read, limits: &Limits) -> Result<(), String> {
        let mut from = from;
        spool(&mut from, limits).map(drop).map_err(|error| failure("stdin", error).to_string())
    }

    struct Bytes<I>(I);

    impl<I: Iterator<Item = u8>> Read for Bytes<I> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.iter_mut().zip(&mut self.0).for_each(|(place, byte)| *place = byte);
            Ok(buffer.len())
        }
    }

    #[test]
    fn only_open_files_of_a_process_are_handed_over() {
        for path in ["/dev/fd/63", "/proc/self/fd/9", "/proc/77/fd/9"] {
            assert!(is_handed_over(Path::new(path)), "{path}");
        }
        for path in ["/dev/zero", "/dev/fd", "/dev/fd/", "dev/fd/3", "/dev/fd/3/x", "/proc/self/fd/x", "/home/fd/3"] {
            assert!(!is_handed_over(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn what_never_ends_is_noticed_soon() {
        let limits = Limits { rows_max: 100_000, ..Limits::default() };
        let noise = (0_u64..).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56).to_le_bytes()[0]);
        for (reason, found) in [
            ("zero bytes", spooled(io::repeat(0), &limits)),
            ("without a line end", spooled(io::repeat(b'x'), &limits)),
            ("lines", spooled(io::repeat(b'\n'), &limits)),
            ("no text", spooled(Bytes(noise), &limits)),
        ] {
            let error = found.unwrap_err();
            assert!(error.contains(reason), "{reason}: {error}");
        }
        assert_eq!(spooled(&b"Order,City\r\nA1,Pune\r\n"[..], &limits), Ok(()));
        assert_eq!(spooled(&[0; 1000][..], &limits), Ok(()), "a sheet may be padded");
    }
}
