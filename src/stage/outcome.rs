//! What becomes of each order and of each row, so that the sheets can be handed back with it.
//!
//! Nothing of the rows themselves is kept: four bytes a row say which order it belongs to, and what is wrong with orders
//! that stay behind waits in a temporary file, readable by nobody else and gone with the process.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use crate::finding::Finding;

use super::error::StageError;
use super::sink::OrderRows;

/// What becomes of an order, or of a row that names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderOutcome {
    /// It is good, and its sink has it.
    Goes,
    /// It does not go, and is booked already.
    Booked,
    /// It stays behind, with what is wrong with it.
    Stays,
    /// It is left out, by its sheet's word.
    LeftOut,
}

/// What became of a filled row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowOutcome {
    /// It belongs to no order, by a rule.
    Apart,
    /// It belongs to a good order, by its place among the orders of the run.
    Order(u64),
    /// It stays behind, alone or with its order, for these reasons.
    Behind(Arc<[Finding]>),
    /// The sheet has several rows of this number, and they are of different orders.
    Unclear,
}

/// Notes which order each row went into.
pub struct Trace {
    sheets: Vec<Pages>,
    /// Where the reasons of what stays behind begin in the spool, and how long they are.
    behind: HashMap<u32, (u64, u32)>,
    rows_without_order: u32,
    spool: BufWriter<File>,
    written: u64,
    last: Option<(u32, Arc<[Finding]>)>,
    failure: Option<io::Error>,
}

/// A sheet's rows by their numbers: the place of their order plus one, in pages, since a sheet may have long gaps.
#[derive(Default, Clone)]
struct Pages(BTreeMap<u32, Box<[u32; PAGE as usize]>>);

const PAGE: u32 = 256;
/// Stands for rows that cannot be told apart.
const UNCLEAR: u32 = u32::MAX;

impl Pages {
    fn set(&mut self, row: u32, id: u32) {
        let page = self.0.entry(row / PAGE).or_insert_with(|| Box::new([0; PAGE as usize]));
        let slot = &mut page[(row % PAGE) as usize];
        *slot = if *slot == 0 || *slot == id { id } else { UNCLEAR };
    }

    fn get(&self, row: u32) -> u32 {
        self.0.get(&(row / PAGE)).map_or(0, |page| page[(row % PAGE) as usize])
    }
}

impl Trace {
    /// A trace of so many sheets.
    pub fn new(sheets: usize) -> io::Result<Self> {
        Ok(Self {
            sheets: vec![Pages::default(); sheets],
            behind: HashMap::new(),
            rows_without_order: 0,
            spool: BufWriter::new(tempfile::tempfile()?),
            written: 0,
            last: None,
            failure: None,
        })
    }

    /// Notes what becomes of an order, or of a row without one.
    pub fn note(&mut self, of: &OrderRows<'_>, outcome: OrderOutcome, findings: &[Finding]) {
        if outcome == OrderOutcome::LeftOut {
            return;
        }
        // Places are counted from 0; 0 stands for none, and the end is for rows without an order.
        let id = if of.number.is_some() {
            u32::try_from(of.position + 1).unwrap_or(UNCLEAR)
        } else {
            self.rows_without_order += 1;
            UNCLEAR - self.rows_without_order
        };
        for at in of.at {
            if let Some(pages) = self.sheets.get_mut(usize::from(at.sheet)) {
                pages.set(at.row, id);
            }
        }
        if outcome == OrderOutcome::Stays && self.failure.is_none() {
            self.failure = self.keep(id, findings).err();
        }
    }

    fn keep(&mut self, id: u32, findings: &[Finding]) -> io::Result<()> {
        let held: Vec<&Finding> = findings.iter().filter(|finding| finding.holds()).collect();
        let bytes = serde_json::to_vec(&held)?;
        self.spool.write_all(&bytes)?;
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        self.behind.insert(id, (self.written, length));
        self.written += u64::from(length);
        Ok(())
    }

    /// Makes sure that everything was noted; said before anything is sent.
    pub fn finish(&mut self) -> Result<(), StageError> {
        let failure = self.failure.take().map_or_else(|| self.spool.flush(), Err);
        failure.map_err(StageError::Spool)
    }

    /// What became of a filled row.
    pub fn row(&mut self, sheet: usize, row: u32) -> Result<RowOutcome, StageError> {
        Ok(match self.sheets.get(sheet).map_or(0, |pages| pages.get(row)) {
            0 => RowOutcome::Apart,
            UNCLEAR => RowOutcome::Unclear,
            id => match self.behind.get(&id).copied() {
                Some(at) => RowOutcome::Behind(self.reasons(id, at).map_err(StageError::Spool)?),
                None => RowOutcome::Order(u64::from(id - 1)),
            },
        })
    }

    fn reasons(&mut self, id: u32, (start, length): (u64, u32)) -> io::Result<Arc<[Finding]>> {
        if let Some((_, reasons)) = self.last.as_ref().filter(|(last, _)| *last == id) {
            return Ok(Arc::clone(reasons));
        }
        let mut bytes = vec![0; length as usize];
        self.spool.seek(SeekFrom::Start(start))?;
        self.spool.get_mut().read_exact(&mut bytes)?;
        let reasons: Vec<Finding> = serde_json::from_slice(&bytes)?;
        let (_, reasons) = self.last.insert((id, reasons.into()));
        Ok(Arc::clone(reasons))
    }
}
