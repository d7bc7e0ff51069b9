//! Which styles of an `.xlsx` fill their cells with a colour, as the tags of its styles pass.

use memchr::memmem;

/// The colours of cells by their style, told apart and not named: 0 is none.
#[derive(Debug, Default)]
pub(super) struct Fills {
    part: Part,
    /// The colour of each fill.
    of_fill: Vec<u16>,
    /// The colour of each style.
    of_style: Vec<u16>,
    /// Each colour as it is written; the first is number 1.
    colours: Vec<Vec<u8>>,
}

/// Which list is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Part {
    Fills,
    Styles,
    #[default]
    Other,
}

impl Fills {
    /// Takes the next tag of the part with the styles.
    pub(super) fn take(&mut self, tag: &[u8]) {
        let name = tag.split(|byte| matches!(byte, b' ' | b'>' | b'/')).next().unwrap_or_default();
        match (name, self.part) {
            (b"fills", _) => self.part = Part::Fills,
            (b"cellXfs", _) => self.part = Part::Styles,
            (b"", _) if tag.starts_with(b"/fills") || tag.starts_with(b"/cellXfs") => self.part = Part::Other,
            (b"fill", Part::Fills) => self.of_fill.push(0),
            (b"fgColor", Part::Fills) => {
                let colour = self.colour(tag);
                if let Some(fill) = self.of_fill.last_mut() {
                    *fill = colour;
                }
            }
            (b"xf", Part::Styles) => {
                let fill = number(tag, b"fillId=\"").and_then(|fill| self.of_fill.get(fill).copied());
                self.of_style.push(fill.unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Whether any style has a colour.
    pub(super) fn has_colours(&self) -> bool {
        !self.colours.is_empty()
    }

    /// The colour of a cell by its tag; 0 where it has none.
    pub(super) fn of_cell(&self, attributes: &[u8]) -> u16 {
        number(attributes, b" s=\"").and_then(|style| self.of_style.get(style).copied()).unwrap_or_default()
    }

    /// The number of a colour; 0 of white, which nobody sees.
    fn colour(&mut self, tag: &[u8]) -> u16 {
        let is_white = memmem::find(tag, b"rgb=\"FFFFFFFF\"").is_some()
            || memmem::find(tag, b"theme=\"0\"").is_some() && memmem::find(tag, b"tint=").is_none();
        if is_white {
            return 0;
        }
        let known = self.colours.iter().position(|known| known == tag).unwrap_or_else(|| {
            self.colours.push(tag.to_vec());
            self.colours.len() - 1
        });
        u16::try_from(known + 1).unwrap_or(u16::MAX)
    }
}

fn number(tag: &[u8], name: &[u8]) -> Option<usize> {
    let start = memmem::find(tag, name)? + name.len();
    std::str::from_utf8(tag[start..].split(|byte| *byte == b'"').next()?).ok()?.parse().ok()
}
