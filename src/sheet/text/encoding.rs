//! Which encoding a text file is in, judged over the whole file.

use std::io::{self, Read};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};

use super::dos::{self, Page};
use super::evidence::{self, Bytes, Glimpse};

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// An encoding.
    Encoding(Fit),
    /// UTF-32, which nobody writes on purpose.
    Utf32,
    /// Zero bytes where text has none, from this line on.
    Binary(u64),
}

/// An encoding and how the file fits it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fit {
    /// Which.
    pub(super) encoding: &'static Encoding,
    /// Whether no byte is undecodable.
    pub(super) clean: bool,
    /// Where it was guessed, not told by a mark or by validity: what it makes of the first place that shows it.
    pub(super) guess: Option<Glimpse>,
    /// Whether zero bytes stand amid the text.
    pub(super) zeros: bool,
    /// The code page of DOS that it is in, because a person said so: then it is UTF-8 once that is undone.
    pub(super) page: Option<&'static Page>,
    /// Whether it looks like a code page of DOS.
    pub(super) looks_dos: bool,
    /// Bytes of the file before the zeros that fill up its end, where there are any.
    pub(super) text_bytes: Option<u64>,
}

impl Fit {
    const fn certain(encoding: &'static Encoding, clean: bool) -> Self {
        Self { encoding, clean, guess: None, zeros: false, page: None, looks_dos: false, text_bytes: None }
    }

    /// What a person named.
    pub(super) fn named(Label { encoding, page }: Label) -> Self {
        Self { page, ..Self::certain(encoding, false) }
    }

    /// Its name, for people.
    pub(super) fn name(&self) -> &'static str {
        self.page.map_or(self.encoding.name(), |page| page.name)
    }
}

/// An encoding that a person named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) encoding: &'static Encoding,
    pub(super) page: Option<&'static Page>,
}

/// The encoding of a name, as people and spreadsheet programs call it.
pub(super) fn labelled(label: &str) -> Option<Label> {
    let bare: String = label.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    if let Some(page) = dos::labelled(&bare) {
        return Some(Label { encoding: UTF_8, page: Some(page) });
    }
    let known = match bare.as_str() {
        "macroman" | "macosroman" => "macintosh",
        "ansi" | "latin1" | "cp1252" => "windows-1252",
        "utf16" | "unicode" => "utf-16le",
        _ => label,
    };
    Encoding::for_label(known.as_bytes()).map(|encoding| Label { encoding, page: None })
}

/// Judges a whole file; `open` gives it from its start.
pub(super) fn detect<R: Read>(mut open: impl FnMut() -> io::Result<R>) -> io::Result<Found> {
    let mut first = open()?;
    let mut head = Vec::new();
    first.by_ref().take(4096).read_to_end(&mut head)?;
    if let Some(found) = by_mark(&head) {
        return Ok(found);
    }
    let tally = Utf8Tally::over(&head, &mut first)?;
    if tally.invalid == 0 && !tally.zeros {
        return Ok(Found::Encoding(Fit::certain(UTF_8, true)));
    }
    let bytes = Bytes::count(open()?)?;
    if let Some(encoding) = bytes.utf_16() {
        return Ok(Found::Encoding(Fit::certain(encoding, false)));
    }
    if bytes.is_binary() {
        return Ok(Found::Binary(bytes.first_zero_line));
    }
    let fit = Fit { zeros: bytes.zeros_amid() > 0, text_bytes: bytes.before_padding(), ..Fit::certain(UTF_8, false) };
    // A file that is UTF-8 by its mark, or but for a few broken characters, would turn to gibberish in any other
    // encoding: hardly any of their characters are sound ones of UTF-8 by accident.
    let is_utf_8 =
        head.starts_with(b"\xef\xbb\xbf") || tally.multibyte >= tally.invalid || 2 * tally.cut > tally.invalid;
    if is_utf_8 {
        return Ok(Found::Encoding(Fit { clean: tally.invalid == 0, ..fit }));
    }
    let (encoding, glimpse) = evidence::legacy(&mut open, bytes.first_high)?;
    let looks_dos = encoding == UTF_8 && evidence::looks_dos(&mut open)?;
    Ok(Found::Encoding(Fit { encoding, guess: (encoding != UTF_8).then_some(glimpse), looks_dos, ..fit }))
}

/// A decoder that takes the byte order mark away and replaces what it cannot decode by U+FFFD.
pub(super) fn decode<R: Read>(from: R, encoding: &'static Encoding, clean: bool) -> DecodeReaderBytes<R, Vec<u8>> {
    DecodeReaderBytesBuilder::new()
        .encoding(Some(encoding))
        .strip_bom(true)
        .utf8_passthru(clean && encoding == UTF_8)
        .build(from)
}

/// A text in an encoding, with the mark that goes with UTF-16; nothing where it has no bytes for a letter.
pub(super) fn encoded(text: &str, encoding: &'static Encoding) -> Option<Vec<u8>> {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        let to_bytes = if encoding == UTF_16LE { u16::to_le_bytes } else { u16::to_be_bytes };
        let units = "\u{feff}".encode_utf16().chain(text.encode_utf16());
        return Some(units.flat_map(to_bytes).collect());
    }
    let (bytes, _, is_lossy) = encoding.encode(text);
    (!is_lossy).then(|| bytes.into_owned())
}

fn by_mark(head: &[u8]) -> Option<Found> {
    let certain = |encoding| Some(Found::Encoding(Fit::certain(encoding, false)));
    match head {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some(Found::Utf32),
        [0xff, 0xfe, ..] => certain(UTF_16LE),
        [0xfe, 0xff, ..] => certain(UTF_16BE),
        _ => None,
    }
}

/// How far a file is UTF-8.
#[derive(Debug, Default, PartialEq, Eq)]
struct Utf8Tally {
    /// Characters of more than one byte.
    multibyte: u64,
    /// Places that are not UTF-8.
    invalid: u64,
    /// Those of them that begin as a character of UTF-8 and break off.
    cut: u64,
    zeros: bool,
}

impl Utf8Tally {
    fn over(head: &[u8], mut rest: impl Read) -> io::Result<Self> {
        const PIECE_BYTES: usize = 128 * 1024;
        let mut tally = Self::default();
        let mut buffer = head.to_vec();
        let mut filled = buffer.len();
        buffer.resize(filled + PIECE_BYTES, 0);
        loop {
            let kept = tally.count(&buffer[..filled], false);
            buffer.copy_within(filled - kept..filled, 0);
            let count = rest.read(&mut buffer[kept..])?;
            if count == 0 {
                tally.count(&buffer[..kept], true);
                return Ok(tally);
            }
            filled = kept + count;
        }
    }

    /// Counts a piece and returns how many bytes at its end begin a character that is not complete.
    fn count(&mut self, mut piece: &[u8], last: bool) -> usize {
        self.zeros = self.zeros || memchr::memchr(0, piece).is_some();
        loop {
            let error = match std::str::from_utf8(piece) {
                Ok(text) => {
                    self.add(text.as_bytes());
                    return 0;
                }
                Err(error) => error,
            };
            self.add(&piece[..error.valid_up_to()]);
            let Some(length) = error.error_len() else {
                self.invalid += u64::from(last);
                self.cut += u64::from(last && piece.len() - error.valid_up_to() > 1);
                return piece.len() - error.valid_up_to();
            };
            self.invalid += 1;
            self.cut += u64::from(length > 1);
            piece = &piece[error.valid_up_to() + length..];
        }
    }

    fn add(&mut self, valid: &[u8]) {
        if !valid.is_ascii() {
            self.multibyte += valid.iter().filter(|byte| **byte >= 0xc0).count() as u64;
        }
    }
}
