//! Rows as bytes: how numbers, cells and texts of packed rows are written and taken apart.

use super::cell::CellKind;

/// Bits of a packed cell that say its kind; the others say its length.
const KIND_BITS: u32 = 4;

/// Writes a cell's length and kind: one byte for most.
pub(super) fn pack_cell(length: usize, kind: CellKind, out: &mut Vec<u8>) {
    pack_number((length << KIND_BITS) | usize::from(kind.code()), out);
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
pub(super) fn pack_number(mut number: usize, out: &mut Vec<u8>) {
    loop {
        let low = number.to_le_bytes()[0] & 0x7f;
        number >>= 7;
        if number == 0 {
            return out.push(low);
        }
        out.push(0x80 | low);
    }
}

/// The bytes of packed rows, while they are taken apart. What was packed here is whole: a cut reads as zeros.
pub(super) struct Unpacking<'p> {
    bytes: &'p [u8],
    next: usize,
}

impl<'p> Unpacking<'p> {
    pub(super) const fn new(bytes: &'p [u8]) -> Self {
        Self { bytes, next: 0 }
    }

    pub(super) const fn is_done(&self) -> bool {
        self.next >= self.bytes.len()
    }

    pub(super) fn number(&mut self) -> usize {
        let (mut number, mut shift) = (0_usize, 0);
        loop {
            let byte = self.bytes.get(self.next).copied().unwrap_or_default();
            self.next += 1;
            number |= usize::from(byte & 0x7f).checked_shl(shift).unwrap_or_default();
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }

    pub(super) fn cell(&mut self) -> (usize, CellKind) {
        let packed = self.number();
        let code = packed.to_le_bytes()[0] & ((1 << KIND_BITS) - 1);
        (packed >> KIND_BITS, CellKind::of_code(code).unwrap_or_default())
    }

    pub(super) fn text(&mut self, length: usize) -> &'p str {
        let end = self.next.saturating_add(length).min(self.bytes.len());
        let text = self.bytes.get(self.next..end).unwrap_or_default();
        self.next = end;
        std::str::from_utf8(text).unwrap_or_default()
    }
}
