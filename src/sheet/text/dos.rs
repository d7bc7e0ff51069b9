//! The code pages of DOS, which old programs and `chcp`-less exports of Windows still write: by their own tables, since the
//! web knows none of them.

use std::io::{self, Read};

/// A code page: its name, and what it makes of the bytes from 80 on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) name: &'static str,
    letters: &'static str,
}

/// Of the United States, and of programs that know no other.
pub(super) static CP437: Page = Page {
    name: "cp437",
    letters: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
              └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
};

/// Of Western Europe.
pub(super) static CP850: Page = Page {
    name: "cp850",
    letters: "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
              └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
};

/// The code page of a name, as people write it, with its letters and digits alone.
pub(super) fn labelled(bare: &str) -> Option<&'static Page> {
    let number = ["cp", "ibm", "dos", "oem", "pc"].iter().find_map(|start| bare.strip_prefix(start)).unwrap_or(bare);
    match number {
        "437" => Some(&CP437),
        "850" | "858" => Some(&CP850),
        _ => None,
    }
}

/// Text in a code page as UTF-8.
pub(super) struct Decoded<R> {
    from: R,
    letters: Vec<char>,
    /// What is decoded and not yet taken.
    text: Vec<u8>,
    taken: usize,
    bytes: Vec<u8>,
}

impl<R: Read> Decoded<R> {
    pub(super) fn new(from: R, page: &Page) -> Self {
        let letters = page.letters.chars().collect();
        Self { from, letters, text: Vec::new(), taken: 0, bytes: vec![0; 64 * 1024] }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.text.len() {
            let count = self.from.read(&mut self.bytes)?;
            self.text.clear();
            self.taken = 0;
            for byte in &self.bytes[..count] {
                match self.letters.get(usize::from(*byte).wrapping_sub(0x80)) {
                    Some(letter) => self.text.extend(letter.encode_utf8(&mut [0; 4]).bytes()),
                    None => self.text.push(*byte),
                }
            }
        }
        let count = (&self.text[self.taken..]).read(buffer)?;
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_its_letter() {
        for (page, bytes, expected) in [
            (
                &CP850,
                &b"Jos\x82 M\x81ller, Zo\x89, S\x9bren, \x90\xd5"[..],
                "Jos\u{e9} M\u{fc}ller, Zo\u{eb}, S\u{f8}ren, \u{c9}\u{131}",
            ),
            (&CP437, b"\x80 \x9b \xe1 \xff", "\u{c7} \u{a2} \u{df} \u{a0}"),
        ] {
            let mut text = String::new();
            Decoded::new(bytes, page).read_to_string(&mut text).unwrap();
            assert_eq!(text, expected);
            assert_eq!(page.letters.chars().count(), 128, "{}", page.name);
        }
        assert_eq!(labelled("ibm850"), Some(&CP850));
        assert_eq!((labelled("437"), labelled("utf8")), (Some(&CP437), None));
    }
}
