//! Which order each row of the sheets went into, so that the sheets can be handed back with what became of them.
//!
//! Nothing of the rows themselves is kept: four bytes a row say which order it belongs to, and what is wrong with orders
//! that stay behind waits in a temporary file, readable by nobody else and gone with the process.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::column::RowRef;
use crate::finding::{Finding, Id};
use crate::ledger::LedgerError;

use crate::origin::Source;

use super::error::StageError;
use super::near::Lately;
use super::opened::Opened;
use super::sink::{BookedAsSaid, Frozen, LeftBehind, Sink};

/// One thing that keeps an order or a row behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The sheet's number in the run and the row, where the cause has a place.
    pub row: Option<(usize, u32)>,
    /// The column, counted from 0, where one cell is meant.
    pub column: Option<usize>,
    /// What was found.
    pub finding: Finding,
}

impl Cause {
    /// The place as people read it; empty where there is none.
    #[must_use]
    pub fn place(&self) -> String {
        self.finding.place.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    /// The order, where it is booked already and its row has changed since.
    #[must_use]
    pub fn booked(&self) -> Option<&str> {
        self.finding.order.as_deref().filter(|_| self.finding.id == Id::ChangedAfterBooking)
    }
}

/// What became of a filled row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It belongs to no order, by a rule.
    Apart,
    /// It belongs to a good order, by its place among the orders of the run.
    Order(u64),
    /// It stays behind, alone or with its order.
    Behind(Arc<[Cause]>),
    /// The sheet has several rows of this number, and they are of different orders.
    Unclear,
}

/// Notes each row's order on the way into a sink.
pub struct Trace {
    sheets: Vec<(Arc<Source>, Pages)>,
    /// Where the causes of what stays behind begin in the spool, and how long they are.
    behind: HashMap<u32, (u64, u32)>,
    rows_without_order: u32,
    spool: BufWriter<File>,
    written: u64,
    last: Option<(u32, Arc<[Cause]>)>,
    failure: Option<io::Error>,
}

/// A sheet's rows by their numbers: the place of their order plus one, in pages, since a sheet may have long gaps.
#[derive(Default)]
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
    /// A trace of these sheets.
    pub fn new(opened: &Opened) -> io::Result<Self> {
        let sheets = opened.sheets.iter().map(|planned| (Arc::clone(planned.sheet.source()), Pages::default()));
        Ok(Self {
            sheets: sheets.collect(),
            behind: HashMap::new(),
            rows_without_order: 0,
            spool: BufWriter::new(tempfile::tempfile()?),
            written: 0,
            last: None,
            failure: None,
        })
    }

    /// A sink that notes what goes on to `sink`.
    pub fn on<'t>(&'t mut self, sink: &'t mut dyn Sink) -> Traced<'t> {
        Traced { trace: self, sink }
    }

    /// Makes sure that everything was noted; said before anything is sent.
    pub fn finish(&mut self) -> Result<(), StageError> {
        let failure = self.failure.take().map_or_else(|| self.spool.flush(), Err);
        failure.map_err(StageError::Spool)
    }

    /// What became of a filled row.
    pub fn fate(&mut self, sheet: usize, row: u32) -> Result<Fate, StageError> {
        let id = self.sheets.get(sheet).map_or(0, |(_, pages)| pages.get(row));
        Ok(match id {
            0 => Fate::Apart,
            UNCLEAR => Fate::Unclear,
            _ if self.behind.contains_key(&id) => Fate::Behind(self.causes(id)?),
            _ => Fate::Order(u64::from(id - 1)),
        })
    }

    fn note(&mut self, rows: &[RowRef], id: u32) {
        for at in rows {
            if let Some((_, pages)) = self.sheets.get_mut(usize::from(at.sheet)) {
                pages.set(at.row, id);
            }
        }
    }

    fn keep(&mut self, id: u32, findings: &[Finding]) -> io::Result<()> {
        let errors = findings.iter().filter(|finding| finding.holds());
        let causes: Vec<Cause> = errors.map(|finding| self.cause(finding)).collect();
        let bytes = serde_json::to_vec(&causes)?;
        self.spool.write_all(&bytes)?;
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        self.behind.insert(id, (self.written, length));
        self.written += u64::from(length);
        Ok(())
    }

    fn cause(&self, finding: &Finding) -> Cause {
        let place = finding.place.as_ref();
        let row = place.and_then(|place| {
            let sheet = self.sheets.iter().position(|(source, _)| *source == place.source)?;
            Some((sheet, place.row))
        });
        Cause {
            row,
            column: place.and_then(|place| place.column.as_ref()).map(|column| column.index as usize),
            finding: finding.clone(),
        }
    }

    fn causes(&mut self, id: u32) -> Result<Arc<[Cause]>, StageError> {
        if let Some((last, causes)) = &self.last
            && *last == id
        {
            return Ok(Arc::clone(causes));
        }
        let (start, length) = self.behind.get(&id).copied().unwrap_or_default();
        let mut bytes = vec![0; length as usize];
        self.spool.seek(SeekFrom::Start(start)).map_err(StageError::Spool)?;
        self.spool.get_mut().read_exact(&mut bytes).map_err(StageError::Spool)?;
        let causes: Vec<Cause> = serde_json::from_slice(&bytes).map_err(|error| StageError::Spool(error.into()))?;
        let causes: Arc<[Cause]> = causes.into();
        self.last = Some((id, Arc::clone(&causes)));
        Ok(causes)
    }
}

/// A sink on whose way each row's order is noted.
pub struct Traced<'t> {
    trace: &'t mut Trace,
    sink: &'t mut dyn Sink,
}

/// Places are counted from 0; 0 stands for none, and the end is for rows without an order.
fn id_of(position: u64) -> u32 {
    u32::try_from(position + 1).unwrap_or(UNCLEAR)
}

impl Sink for Traced<'_> {
    fn wants_requests(&self) -> Option<i64> {
        self.sink.wants_requests()
    }

    fn keeps_requests(&self) -> bool {
        self.sink.keeps_requests()
    }

    fn sent_lately(&mut self) -> Result<Vec<Lately>, LedgerError> {
        self.sink.sent_lately()
    }

    fn order(&mut self, frozen: &Frozen<'_>) -> Result<Option<Finding>, LedgerError> {
        self.trace.note(frozen.at, id_of(frozen.position));
        self.sink.order(frozen)
    }

    fn booked_before(&mut self, left: &LeftBehind<'_>) -> Result<Option<String>, LedgerError> {
        let awb = self.sink.booked_before(left)?;
        if awb.is_some() {
            self.trace.note(left.at, id_of(left.position));
        }
        Ok(awb)
    }

    fn booked_as_said(&mut self, left: &LeftBehind<'_>) -> Result<Option<BookedAsSaid>, LedgerError> {
        let booked = self.sink.booked_as_said(left)?;
        if booked.is_some() {
            self.trace.note(left.at, id_of(left.position));
        }
        Ok(booked)
    }

    fn invalid(&mut self, left: &LeftBehind<'_>, findings: &[Finding]) -> Result<(), LedgerError> {
        let id = if left.number.is_some() {
            id_of(left.position)
        } else {
            self.trace.rows_without_order += 1;
            UNCLEAR - self.trace.rows_without_order
        };
        self.trace.note(left.at, id);
        if self.trace.failure.is_none() {
            self.trace.failure = self.trace.keep(id, findings).err();
        }
        self.sink.invalid(left, findings)
    }

    fn problem(&mut self, problem: &Finding) -> Result<(), LedgerError> {
        self.sink.problem(problem)
    }
}
