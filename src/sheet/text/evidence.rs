//! What the bytes of a text that is not UTF-8 tell: counted over the whole file, and only for such files.

use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{CoderResult, Encoding, MACINTOSH, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::dos::{CP850, Decoded};

const PIECE: usize = 128 * 1024;

/// Letters of another script that speak for its encoding; fewer may be one broken character.
const LETTERS_MIN: u64 = 4;

/// A place in a text file and what stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glimpse {
    /// The physical line, counted from 1.
    pub(super) line: u64,
    pub(super) text: String,
}

/// The bytes of a file that no text in Latin letters has.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Bytes {
    all: u64,
    zeros_even: u64,
    zeros_odd: u64,
    /// Zeros after the last other byte.
    padding: u64,
    /// Control characters that text has no use for, zeros not counted.
    controls: u64,
    lines: u64,
    /// Line ends with a zero before them, and after them.
    wide_lines: (u64, u64),
    last: u8,
    /// The line of the first zero, counted from 1.
    pub(super) first_zero_line: u64,
    /// The first byte beyond ASCII.
    pub(super) first_high: FirstHigh,
}

/// Where the first byte beyond ASCII stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct FirstHigh {
    at: Option<u64>,
    line: u64,
    line_start: u64,
}

impl Bytes {
    pub(super) fn count(mut from: impl Read) -> io::Result<Self> {
        let mut bytes = Self { lines: 1, ..Self::default() };
        let mut line_start = 0;
        let mut buffer = vec![0; PIECE];
        loop {
            let count = from.read(&mut buffer)?;
            if count == 0 {
                return Ok(bytes);
            }
            for byte in &buffer[..count] {
                bytes.add(*byte, &mut line_start);
            }
        }
    }

    fn add(&mut self, byte: u8, line_start: &mut u64) {
        match byte {
            0 => {
                self.padding += 1;
                self.wide_lines.1 += u64::from(self.last == b'\n');
                let by_parity = if self.all.is_multiple_of(2) { &mut self.zeros_even } else { &mut self.zeros_odd };
                *by_parity += 1;
                if self.first_zero_line == 0 {
                    self.first_zero_line = self.lines;
                }
            }
            b'\n' => {
                self.lines += 1;
                self.wide_lines.0 += u64::from(self.last == 0 && self.all > 0);
                *line_start = self.all + 1;
            }
            // The end mark of old systems (1a) and escapes (1b) stand in texts too.
            0x01..=0x08 | 0x0e..=0x19 | 0x1c..=0x1f => self.controls += 1,
            0x80.. if self.first_high.at.is_none() => {
                self.first_high = FirstHigh { at: Some(self.all), line: self.lines, line_start: *line_start };
            }
            _ => {}
        }
        if byte != 0 {
            self.padding = 0;
        }
        self.last = byte;
        self.all += 1;
    }

    /// Text in UTF-16 has a zero in each ASCII character, and so in every delimiter and line end: always on one side.
    pub(super) const fn utf_16(&self) -> Option<&'static Encoding> {
        let (even, odd) = (self.zeros_even, self.zeros_odd);
        let (before, after) = self.wide_lines;
        let (many, lines) = (self.all / 20, (self.lines - 1) / 2);
        // Zeros at the end of a text in bytes fall on both sides.
        if odd > many && even * 10 < odd && after >= lines {
            Some(UTF_16LE)
        } else if even > many && odd * 10 < even && before >= lines {
            Some(UTF_16BE)
        } else {
            None
        }
    }

    /// Zeros that do not just fill up the file's end.
    pub(super) const fn zeros_amid(&self) -> u64 {
        self.zeros_even + self.zeros_odd - self.padding
    }

    /// The bytes before the zeros that fill up the file's end, where there are any.
    pub(super) fn before_padding(&self) -> Option<u64> {
        (self.padding > 0).then(|| self.all - self.padding)
    }

    /// A few stray zeros are a fault of their cells; many, or among other control characters, are no text.
    pub(super) const fn is_binary(&self) -> bool {
        const FEW: u64 = 8;
        let zeros = self.zeros_amid();
        let many = zeros > FEW && zeros * 1_000 > self.all;
        self.all == self.padding || many || (zeros > 0 && self.controls * 50 > self.all)
    }
}

/// The encoding of a file that is not UTF-8, as far as there is evidence for one: else UTF-8, so that every byte that
/// cannot be read is a problem at its place and no name turns into other letters.
pub(super) fn legacy<R: Read>(
    open: &mut impl FnMut() -> io::Result<R>,
    first: FirstHigh,
) -> io::Result<(&'static Encoding, Glimpse)> {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut from = open()?;
    let mut buffer = vec![0; PIECE];
    loop {
        let count = from.read(&mut buffer)?;
        detector.feed(&buffer[..count], count == 0);
        if count == 0 {
            break;
        }
    }
    let likely = detector.guess(None, Utf8Detection::Deny);
    let letters = Letters::count(open()?, likely)?;
    let latin = if letters.speak_for(likely) {
        // Few accents tell Western Europe from its neighbours no better than the commonest encoding does.
        if letters.other == 0 && letters.accented < LETTERS_MIN { WINDOWS_1252 } else { likely }
    } else if letters.mixed > letters.words {
        // Single accented letters in Latin words: another guess made letters of other scripts of them.
        WINDOWS_1252
    } else {
        UTF_8
    };
    let encoding = if latin == UTF_8 || letters.other > 0 { latin } else { in_words(open, latin)? };
    Ok((encoding, glimpse(open()?, encoding, first)?))
}

/// An encoding of Latin letters, unless it puts capitals and signs amid words: then that of old Macs, where all makes
/// sense in it, or none.
fn in_words<R: Read>(
    open: &mut impl FnMut() -> io::Result<R>,
    likely: &'static Encoding,
) -> io::Result<&'static Encoding> {
    let own = Letters::count(open()?, likely)?;
    if own.misplaced == 0 || own.misplaced * 4 <= own.accents {
        return Ok(likely);
    }
    let mac = Letters::count(open()?, MACINTOSH)?;
    let fits = mac.misplaced == 0 && mac.other == 0 && mac.speak_for(MACINTOSH) && mac.accents > 0;
    Ok(if fits { MACINTOSH } else { UTF_8 })
}

/// Whether a text makes sense in a code page of DOS: accents within words, and no letter where none belongs.
pub(super) fn looks_dos<R: Read>(open: &mut impl FnMut() -> io::Result<R>) -> io::Result<bool> {
    let letters = Letters::count(Decoded::new(open()?, &CP850), UTF_8)?;
    Ok(letters.accents > 0 && letters.strange == 0 && letters.misplaced == 0 && letters.other == 0)
}

/// The text about the first byte beyond ASCII.
fn glimpse(mut from: impl Read, encoding: &'static Encoding, first: FirstHigh) -> io::Result<Glimpse> {
    const BEFORE: u64 = 24;
    const AFTER: u64 = 24;
    let at = first.at.unwrap_or(0);
    let start = first.line_start.max(at.saturating_sub(BEFORE));
    io::copy(&mut from.by_ref().take(start), &mut io::sink())?;
    let mut bytes = Vec::new();
    from.take(at - start + AFTER).read_to_end(&mut bytes)?;
    let (text, _) = encoding.decode_without_bom_handling(&bytes);
    let text = text.lines().next().unwrap_or_default().trim_end_matches('\u{fffd}').to_owned();
    Ok(Glimpse { line: first.line, text })
}

/// What kinds of words a decoded text has.
#[derive(Debug, Default, PartialEq, Eq)]
struct Letters {
    /// Letters that are not Latin ones.
    other: u64,
    /// Latin letters beyond ASCII.
    accented: u64,
    /// Words of other letters only, at least two.
    words: u64,
    /// Words of other letters among Latin ones.
    mixed: u64,
    /// Words of accented letters only, at least two, as no language has many.
    strange: u64,
    /// Words of plain and accented letters.
    accents: u64,
    undecodable: u64,
    /// Capitals beyond ASCII behind small letters, and signs between small letters, as in `JosŽ` and `S¿ren`.
    misplaced: u64,
    /// Whether a small letter stood before, and whether a sign stood behind one.
    after_small: bool,
    after_sign: bool,
    word: Word,
}

/// The letters of a word.
#[derive(Debug, Default, PartialEq, Eq)]
struct Word {
    plain: u64,
    accented: u64,
    other: u64,
}

impl Letters {
    fn count(mut from: impl Read, encoding: &'static Encoding) -> io::Result<Self> {
        let mut letters = Self::default();
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let (mut buffer, mut text) = (vec![0; PIECE], String::with_capacity(4 * PIECE));
        loop {
            let count = from.read(&mut buffer)?;
            let mut rest = &buffer[..count];
            loop {
                let (result, read, _) = decoder.decode_to_string(rest, &mut text, count == 0);
                text.chars().for_each(|letter| letters.add(letter));
                text.clear();
                rest = &rest[read..];
                if result == CoderResult::InputEmpty {
                    break;
                }
            }
            if count == 0 {
                letters.end_word();
                return Ok(letters);
            }
        }
    }

    fn add(&mut self, letter: char) {
        let small = letter.is_lowercase();
        // What stands amid words in many languages.
        let usual = matches!(letter, '’' | '‘' | '´' | '·' | '–' | '—' | '\u{a0}' | '\u{ad}' | 'ª' | 'º');
        let is_sign = !letter.is_ascii() && !letter.is_alphabetic() && !usual;
        self.misplaced += u64::from(self.after_small && !letter.is_ascii() && letter.is_uppercase());
        self.misplaced += u64::from(self.after_sign && small);
        self.after_sign = self.after_small && is_sign;
        self.after_small = small;
        match letter {
            'a'..='z' | 'A'..='Z' => self.word.plain += 1,
            _ if letter.is_ascii() => self.end_word(),
            char::REPLACEMENT_CHARACTER | '\u{80}'..'\u{a0}' => {
                self.undecodable += 1;
                self.end_word();
            }
            _ if !letter.is_alphabetic() => self.end_word(),
            ..'\u{250}' => self.word.accented += 1,
            _ => self.word.other += 1,
        }
    }

    fn end_word(&mut self) {
        let Word { plain, accented, other } = std::mem::take(&mut self.word);
        self.accented += accented;
        self.other += other;
        self.mixed += u64::from(other > 0 && plain + accented > 0);
        self.words += u64::from(other > 1 && plain + accented == 0);
        self.accents += u64::from(other == 0 && accented > 0 && plain > 0);
        self.strange += u64::from(other == 0 && accented > 1 && plain == 0);
    }

    /// Whether the text makes sense in the encoding that it was decoded from.
    fn speak_for(&self, encoding: &'static Encoding) -> bool {
        if encoding.is_single_byte() && self.other == 0 {
            return self.strange <= self.accents && self.undecodable * 20 <= self.accented;
        }
        let sound = self.undecodable * 100 <= self.other;
        sound && self.other >= LETTERS_MIN && self.words > 0 && self.mixed * 4 <= self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(text: &[u8]) -> (&'static str, String) {
        let bytes = Bytes::count(text).unwrap();
        let (encoding, glimpse) = legacy(&mut || Ok(text), bytes.first_high).unwrap();
        (encoding.name(), format!("{}: {}", glimpse.line, glimpse.text))
    }

    #[test]
    fn a_legacy_encoding_needs_words() {
        let cases: [(&[u8], &str, &str); 10] = [
            (b"name,city\nCaf\xe9s,Pune\n", "windows-1252", "2: Caf\u{e9}s,Pune"),
            (b"name,city\nM\xfcnchen,x\nJo\xe3o,y\n", "windows-1252", "2: M\u{fc}nchen,x"),
            (
                b"name,city\n\xd5\xc5\xce\xb0,\xb1\xb1\xbe\xa9\n\xc0\xee\xc4\xc8,\xc9\xcf\xba\xa3\n",
                "GBK",
                "2: \u{5f20}\u{4f1f},\u{5317}\u{4eac}",
            ),
            (b"name,city\n\xd5\xc5\xce,Pune\n", "UTF-8", "2: "),
            (
                b"name,city\n\xcc\xee\xf1\xea\xe2\xe0,\xcf\xe5\xf0\xec\xfc\n",
                "windows-1251",
                "2: \u{41c}\u{43e}\u{441}\u{43a}\u{432}\u{430},\u{41f}\u{435}\u{440}\u{43c}\u{44c}",
            ),
            (
                b"name,city\n\x82\xa0\x82\xa2\x82\xa4\x82\xa6,\x93\x8c\x8b\x9e\n",
                "Shift_JIS",
                "2: \u{3042}\u{3044}\u{3046}\u{3048},\u{6771}\u{4eac}",
            ),
            (b"name,city\nJos\x8e M\x9fller,Zo\x91\nS\xbfren,x\n", "macintosh", "2: Jos\u{e9} M\u{fc}ller,Zo\u{eb}"),
            (b"name,city\nJos\x82 M\x81ller,Zo\x89\nS\x9bren,x\n", "UTF-8", "2: "),
            (b"name,city\nO\x92Brien,Jos\xe9\n\xc9mile,x\n", "windows-1252", "2: O\u{2019}Brien,Jos\u{e9}"),
            (b"a,b\nx,y\n12 \xb0C,5\n", "windows-1252", "3: 12 \u{b0}C,5"),
        ];
        for (text, encoding, glimpse) in cases {
            let found = judged(text);
            assert_eq!(found.0, encoding, "{found:?}");
            assert!(found.1.starts_with(glimpse), "{found:?}");
        }
    }

    #[test]
    fn zeros_tell_utf_16_from_padding_and_from_what_is_no_text() {
        let utf_16: Vec<u8> = "नाम,शहर\nमोहन कुमार,पुणे\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(Bytes::count(&utf_16[..]).unwrap().utf_16(), Some(UTF_16LE));
        let padded = Bytes::count(&b"a,b\n1,2\n\0\0\0\0\0\0"[..]).unwrap();
        assert_eq!((padded.utf_16(), padded.before_padding(), padded.is_binary()), (None, Some(8), false));
        let stray = Bytes::count(&b"a,b\n1\0,2\n"[..]).unwrap();
        assert_eq!((stray.zeros_amid(), stray.first_zero_line, stray.is_binary()), (1, 2, false));
        assert!(Bytes::count(&b"a,b\0\x01\x02\0\0\0\0\0"[..]).unwrap().is_binary());
        assert!(Bytes::count(&[0; 100][..]).unwrap().is_binary());
    }
}
