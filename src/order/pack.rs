//! Drafts as bytes, and back.

use crate::check::Condition;
use crate::column::RowRef;
use crate::field::FIELDS;

use super::draft::{Draft, LineDraft, Slot};

const CONDITIONS: [Condition; 6] = [
    Condition::Sound,
    Condition::Native,
    Condition::Dated,
    Condition::DigitsLost,
    Condition::ErrorValue,
    Condition::NoValue,
];

/// Numbers and texts, one behind the other.
#[derive(Default)]
struct Packing(Vec<u8>);

impl Packing {
    fn number(&mut self, number: u32) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn count(&mut self, count: usize) -> Option<()> {
        self.number(u32::try_from(count).ok()?);
        Some(())
    }

    fn row(&mut self, at: RowRef) {
        self.number(at.sheet.into());
        self.number(at.row);
    }

    fn slot(&mut self, slot: &Slot) -> Option<()> {
        self.count(slot.id as usize)?;
        self.count(CONDITIONS.iter().position(|known| *known == slot.condition)?)?;
        self.row(slot.at);
        self.number(slot.column);
        self.number(slot.start);
        self.number(slot.end);
        Some(())
    }

    fn slots(&mut self, slots: &[Slot]) -> Option<()> {
        self.count(slots.len())?;
        slots.iter().try_for_each(|slot| self.slot(slot))
    }

    fn text(&mut self, text: &str) -> Option<()> {
        self.count(text.len())?;
        self.0.extend_from_slice(text.as_bytes());
        Some(())
    }
}

/// What was packed, read in the same turn.
struct Unpacking<'p>(&'p [u8]);

impl Unpacking<'_> {
    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*number))
    }

    fn many<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.number()?).map(|_| each(self)).collect()
    }

    fn row(&mut self) -> Option<RowRef> {
        Some(RowRef { sheet: u16::try_from(self.number()?).ok()?, row: self.number()? })
    }

    fn slot(&mut self) -> Option<Slot> {
        Some(Slot {
            id: FIELDS.get(self.number()? as usize)?.id,
            condition: *CONDITIONS.get(self.number()? as usize)?,
            at: self.row()?,
            column: self.number()?,
            start: self.number()?,
            end: self.number()?,
        })
    }

    fn line(&mut self) -> Option<LineDraft> {
        let (at, product) = (self.row()?, u16::try_from(self.number()?).ok()?);
        Some(LineDraft { at, product, start: self.number()?, end: self.number()? })
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()? as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}

impl Draft {
    /// All of a draft of which there is nothing to say yet; none where there is.
    pub(super) fn pack(&self) -> Option<Vec<u8>> {
        if !(self.problems.is_empty() && self.reasons.is_empty()) {
            return None;
        }
        let mut out = Packing::default();
        out.0.extend_from_slice(&self.position.to_le_bytes());
        out.count(self.rows.len())?;
        self.rows.iter().for_each(|at| out.row(*at));
        out.count(self.bare.len())?;
        self.bare.iter().for_each(|at| out.row(*at));
        [self.alike].into_iter().chain(self.again).for_each(|count| out.number(count));
        out.slots(&self.cells)?;
        out.count(self.lines.len())?;
        for line in &self.lines {
            out.row(line.at);
            out.number(line.product.into());
            out.number(line.start);
            out.number(line.end);
        }
        out.slots(&self.line_cells)?;
        out.count(self.amounts.len())?;
        for (index, slot) in &self.amounts {
            out.count(*index)?;
            out.slot(slot)?;
        }
        out.number(self.lines_left_out);
        out.text(&self.number)?;
        out.text(&self.texts)?;
        Some(out.0)
    }

    /// The draft that was packed; none where the bytes are no whole one.
    pub(super) fn unpack(bytes: &[u8]) -> Option<Self> {
        let (position, rest) = bytes.split_first_chunk()?;
        let mut from = Unpacking(rest);
        let mut draft = Self::new("", u64::from_le_bytes(*position), 0);
        draft.rows = from.many(Unpacking::row)?;
        draft.bare = from.many(Unpacking::row)?;
        draft.alike = from.number()?;
        draft.again = [from.number()?, from.number()?, from.number()?];
        draft.cells = from.many(Unpacking::slot)?;
        draft.lines = from.many(Unpacking::line)?;
        draft.line_cells = from.many(Unpacking::slot)?;
        draft.amounts = from.many(|from| Some((from.number()? as usize, from.slot()?)))?;
        draft.lines_left_out = from.number()?;
        draft.number = from.text()?;
        draft.texts = from.text()?;
        from.0.is_empty().then_some(draft)
    }
}
