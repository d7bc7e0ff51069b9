//! Which encoding a text file is in, judged over the whole file.

use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// An encoding, and whether every byte of the file fits it.
    Encoding {
        /// Which.
        encoding: &'static Encoding,
        /// Whether it was told by a mark or by validity, not guessed.
        certain: bool,
        /// Whether no byte is undecodable.
        clean: bool,
    },
    /// UTF-32, which nobody writes on purpose.
    Utf32,
    /// Zero bytes where text has none.
    Binary,
}

/// Judges a whole file; `open` gives it from its start.
pub(super) fn detect<R: Read>(mut open: impl FnMut() -> io::Result<R>) -> io::Result<Found> {
    let mut first = open()?;
    let mut head = Vec::new();
    first.by_ref().take(4096).read_to_end(&mut head)?;
    if let Some(found) = by_mark(&head).or_else(|| by_zeros(&head)) {
        return Ok(found);
    }
    let tally = Utf8Tally::over(&head, &mut first)?;
    if tally.zeros > 0 {
        return Ok(Found::Binary);
    }
    // A file that is UTF-8 by its mark, or but for a few pasted bytes, would turn to gibberish in any other encoding.
    if tally.invalid == 0 || head.starts_with(b"\xef\xbb\xbf") || tally.multibyte > 10 * tally.invalid {
        return Ok(Found::Encoding { encoding: UTF_8, certain: true, clean: tally.invalid == 0 });
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut again = open()?;
    let mut buffer = vec![0; 128 * 1024];
    loop {
        let count = again.read(&mut buffer)?;
        detector.feed(&buffer[..count], count == 0);
        if count == 0 {
            break;
        }
    }
    let encoding = detector.guess(None, Utf8Detection::Deny);
    Ok(Found::Encoding { encoding, certain: false, clean: false })
}

/// A decoder that takes the byte order mark away and replaces what it cannot decode by U+FFFD.
pub(super) fn decode<R: Read>(from: R, encoding: &'static Encoding, clean: bool) -> DecodeReaderBytes<R, Vec<u8>> {
    DecodeReaderBytesBuilder::new()
        .encoding(Some(encoding))
        .strip_bom(true)
        .utf8_passthru(clean && encoding == UTF_8)
        .build(from)
}

fn by_mark(head: &[u8]) -> Option<Found> {
    let certain = |encoding| Some(Found::Encoding { encoding, certain: true, clean: false });
    match head {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some(Found::Utf32),
        [0xff, 0xfe, ..] => certain(UTF_16LE),
        [0xfe, 0xff, ..] => certain(UTF_16BE),
        _ => None,
    }
}

/// Text in Latin letters has a zero in every second byte of UTF-16.
fn by_zeros(head: &[u8]) -> Option<Found> {
    let zeros = |remainder| head.iter().skip(remainder).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let many = head.len() / 4;
    if even + odd == 0 {
        None
    } else if odd > many && even * 10 < odd {
        Some(Found::Encoding { encoding: UTF_16LE, certain: true, clean: false })
    } else if even > many && odd * 10 < even {
        Some(Found::Encoding { encoding: UTF_16BE, certain: true, clean: false })
    } else {
        Some(Found::Binary)
    }
}

/// How far a file is UTF-8.
#[derive(Debug, Default, PartialEq, Eq)]
struct Utf8Tally {
    /// Characters of more than one byte.
    multibyte: u64,
    /// Places that are not UTF-8.
    invalid: u64,
    zeros: u64,
}

impl Utf8Tally {
    fn over(head: &[u8], mut rest: impl Read) -> io::Result<Self> {
        let mut tally = Self::default();
        let mut buffer = head.to_vec();
        loop {
            let kept = tally.count(&buffer, false);
            buffer.drain(..buffer.len() - kept);
            let before = buffer.len();
            rest.by_ref().take(128 * 1024).read_to_end(&mut buffer)?;
            if buffer.len() == before {
                tally.count(&buffer, true);
                return Ok(tally);
            }
        }
    }

    /// Counts a piece and returns how many bytes at its end begin a character that is not complete.
    fn count(&mut self, mut piece: &[u8], last: bool) -> usize {
        self.zeros += u64::from(piece.contains(&0));
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
                return piece.len() - error.valid_up_to();
            };
            self.invalid += 1;
            piece = &piece[error.valid_up_to() + length..];
        }
    }

    fn add(&mut self, valid: &[u8]) {
        if !valid.is_ascii() {
            self.multibyte += valid.iter().filter(|byte| **byte >= 0xc0).count() as u64;
        }
    }
}
