//! The bytes of a sheet: a file, or standard input in a private spool; and what kind of file they are.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};

use super::foreign::{self, Foreign};
use super::private::Private;
use super::{Limits, SheetError};

/// Where the kind of a file shows.
const HEAD_BYTES: u64 = 1024;

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

impl Input {
    /// Opens a file, or spools what can be read only once.
    pub(super) fn open(path: &Path, limits: &Limits) -> Result<Self, SheetError> {
        let standard_input = path == Path::new("-");
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
        // A pipe: what it gives can be read only once.
        let spool = spool(&mut File::open(path).map_err(failed)?, limits).map_err(failed)?;
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
        Ok(Self { name, path, _spool: spool, bytes, head })
    }

    /// The SHA-256 of the file's bytes.
    pub(super) fn sha256(&self) -> Result<[u8; 32], SheetError> {
        let mut file = self.file()?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 128 * 1024];
        loop {
            let count = file.read(&mut buffer).map_err(|error| self.failed(error))?;
            if count == 0 {
                return Ok(hash.finalize().into());
            }
            hash.update(&buffer[..count]);
        }
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
