//! The bytes of a sheet: a file, or standard input in a private spool; and what kind of file they are.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use super::foreign::{self, Foreign};
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
    _spool: Option<NamedTempFile>,
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
        let failed = |source| SheetError::Io { file: name.clone(), source };
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

    fn examine(name: String, path: PathBuf, spool: Option<NamedTempFile>, limits: &Limits) -> Result<Self, SheetError> {
        let failed = |source| SheetError::Io { file: name.clone(), source };
        let mut file = File::open(&path).map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        if bytes > limits.file_bytes_max {
            let what = format!("{bytes} bytes, of which {} are accepted", limits.file_bytes_max);
            return Err(SheetError::TooLarge { file: name, what });
        }
        let mut head = Vec::new();
        file.by_ref().take(HEAD_BYTES).read_to_end(&mut head).map_err(failed)?;
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
        match source.kind() {
            io::ErrorKind::FileTooLarge => SheetError::TooLarge { file: self.name.clone(), what: source.to_string() },
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
                SheetError::Damaged { file: self.name.clone(), reason: source.to_string() }
            }
            _ => SheetError::Io { file: self.name.clone(), source },
        }
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

/// Copies a stream into a temporary file that only its owner can read and that goes away on drop.
fn spool(from: &mut dyn Read, limits: &Limits) -> io::Result<NamedTempFile> {
    let mut spool = NamedTempFile::with_prefix("shipsheet-")?;
    let copied = io::copy(&mut from.take(limits.file_bytes_max.saturating_add(1)), spool.as_file_mut())?;
    if copied > limits.file_bytes_max {
        let text = format!("more than the {} bytes that are accepted", limits.file_bytes_max);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
    }
    spool.as_file_mut().seek(SeekFrom::Start(0))?;
    Ok(spool)
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
