//! Answers that the ledger could not take: a file beside it, written at its full size beforehand.
//!
//! When the disk is full or fails, answers still come back from the service, each with an AWB that costs money. They are
//! written into room that the file already has. It has two halves, written in turn and each with its hash, so that a
//! torn write never takes what was kept before.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::api::outcome::{Booking, Doubt, Outcome};

use super::place;
use super::record::OrderId;

/// One half. The longest batch is 272 answers, of 256 orders in flight and 16 that were about to leave: their text fits,
/// and what room is left is for the answers as they came.
const HALF: usize = 512 * 1024;

/// Bytes that are written at a time when a spool is made.
const PIECE: usize = 64 * 1024;

/// Generation, length, hash.
const HEAD: usize = 8 + 8 + 32;

/// Of an entry without its raw answer, at most; longer reasons are cut.
const ENTRY_BYTES: usize = 1_536;
const REASON_CHARACTERS: usize = 256;

/// The file, and what it keeps.
#[derive(Debug)]
pub(super) struct Spool {
    path: PathBuf,
    file: File,
    generation: u64,
    /// Which ledger it serves now: another one may have stood here, with orders of the same numbers inside.
    ledger: String,
    entries: Vec<Entry>,
}

/// One answer.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The ledger whose order it is; filled in by the spool.
    ledger: String,
    order: i64,
    attempt: u32,
    at_ms: i64,
    status: Option<u16>,
    outcome: Kept,
    /// The answer as it came, as far as there is room: text, or bytes.
    text: Option<String>,
    bytes: Option<Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kept {
    Booked {
        awb: String,
        order_id: Option<String>,
        carrier: Option<String>,
        service: Option<String>,
        created_ms: Option<i64>,
        old_answer: bool,
    },
    Rejected {
        order_id: Option<String>,
        error: String,
    },
    Refused(String),
    Waiting(String),
    InDoubt(String),
}

/// Answers hold names and addresses: only whose it is, is shown.
impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Entry");
        shown.field("order", &self.order).field("attempt", &self.attempt).finish_non_exhaustive()
    }
}

impl Entry {
    pub(super) fn new(
        order: OrderId,
        attempt: u32,
        at_ms: i64,
        outcome: &Outcome,
        status: Option<u16>,
        raw: Option<&[u8]>,
    ) -> Self {
        let (text, bytes) = match raw.map(|raw| (std::str::from_utf8(raw), raw)) {
            None => (None, None),
            Some((Ok(text), _)) => (Some(text.to_owned()), None),
            Some((Err(_), raw)) => (None, Some(raw.to_vec())),
        };
        Self { ledger: String::new(), order: order.0, attempt, at_ms, status, outcome: Kept::of(outcome), text, bytes }
    }

    /// Whether both are answers to one attempt.
    fn is_of(&self, other: &Self) -> bool {
        (&self.ledger, self.order, self.attempt) == (&other.ledger, other.order, other.attempt)
    }

    pub(super) const fn order(&self) -> OrderId {
        OrderId(self.order)
    }

    pub(super) const fn attempt(&self) -> u32 {
        self.attempt
    }

    pub(super) const fn at_ms(&self) -> i64 {
        self.at_ms
    }

    pub(super) const fn status(&self) -> Option<u16> {
        self.status
    }

    pub(super) fn outcome(&self) -> Outcome {
        self.outcome.clone().into()
    }

    pub(super) fn raw(&self) -> Option<Vec<u8>> {
        self.text.as_ref().map(|text| text.clone().into_bytes()).or_else(|| self.bytes.clone())
    }

    /// Leaves at most so many bytes of the answer as it came. A byte takes up to six as text, up to four as a number.
    fn shorten(&mut self, room: usize) {
        if let Some(text) = &mut self.text {
            let end = (0..=room.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            text.truncate(end);
        }
        if let Some(bytes) = &mut self.bytes {
            bytes.truncate(room);
        }
    }
}

impl Kept {
    fn of(outcome: &Outcome) -> Self {
        let short = |text: &String| text.chars().take(REASON_CHARACTERS).collect::<String>();
        match outcome {
            Outcome::Booked(Booking { awb, order_id, carrier, service, created_ms, old_answer }) => Self::Booked {
                awb: awb.clone(),
                order_id: order_id.clone(),
                carrier: carrier.as_ref().map(short),
                service: service.as_ref().map(short),
                created_ms: *created_ms,
                old_answer: *old_answer,
            },
            Outcome::Rejected { order_id, error } => Self::Rejected { order_id: order_id.clone(), error: short(error) },
            Outcome::Refused { message } => Self::Refused(short(message)),
            Outcome::Waiting { reason } => Self::Waiting(short(reason)),
            Outcome::InDoubt { doubt } => Self::InDoubt(short(&doubt.to_string())),
        }
    }
}

impl From<Kept> for Outcome {
    fn from(kept: Kept) -> Self {
        match kept {
            Kept::Booked { awb, order_id, carrier, service, created_ms, old_answer } => {
                Self::Booked(Booking { awb, order_id, carrier, service, created_ms, old_answer })
            }
            Kept::Rejected { order_id, error } => Self::Rejected { order_id, error },
            Kept::Refused(message) => Self::Refused { message },
            Kept::Waiting(reason) => Self::Waiting { reason },
            Kept::InDoubt(words) => Self::InDoubt { doubt: Doubt::Kept(words) },
        }
    }
}

impl Spool {
    /// Opens the spool beside a ledger with this identity; makes it, at its full size and on the disk, where there is
    /// none.
    pub(super) fn open(beside: &Path, ledger: String) -> io::Result<Self> {
        let path = place::beside(beside, ".spool");
        let mut file = place::open_own(&path)?;
        let has = usize::try_from(file.seek(SeekFrom::End(0))?).unwrap_or(2 * HALF);
        if has < 2 * HALF {
            vec![0; 2 * HALF - has].chunks(PIECE).try_for_each(|zeros| file.write_all(zeros))?;
            file.sync_all()?;
        }
        let mut spool = Self { path, file, generation: 0, ledger, entries: Vec::new() };
        for half in 0..2 {
            if let Some((generation, entries)) = spool.read_half(half)?
                && generation > spool.generation
            {
                (spool.generation, spool.entries) = (generation, entries);
            }
        }
        Ok(spool)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether nothing is kept, for whatever ledger.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What is kept for this ledger.
    pub(super) fn entries(&self) -> Vec<Entry> {
        self.entries.iter().filter(|entry| entry.ledger == self.ledger).cloned().collect()
    }

    /// Keeps these answers and those that are kept already; on the disk when it returns.
    pub(super) fn keep(&mut self, mut entries: Vec<Entry>) -> io::Result<()> {
        for entry in &mut entries {
            entry.ledger.clone_from(&self.ledger);
        }
        let mut all = self.entries.clone();
        all.retain(|old| !entries.iter().any(|new| new.is_of(old)));
        all.extend(entries);
        self.write(&all)?;
        self.entries = all;
        Ok(())
    }

    /// Forgets all but these: the rest is in the ledger by now. Should that fail, nothing is lost: what an attempt has, it
    /// keeps.
    pub(super) fn keep_only(&mut self, kept: &[Entry]) {
        self.forget_where(|entry| !kept.iter().any(|kept| kept.is_of(entry)));
    }

    /// Forgets the answer of one order, which is in the ledger by now.
    pub(super) fn forget(&mut self, order: OrderId) {
        self.forget_where(|entry| entry.order == order.0);
    }

    /// What another ledger is owed stays, for the day on which it is put back.
    fn forget_where(&mut self, forgotten: impl Fn(&Entry) -> bool) {
        let stays = |entry: &&Entry| entry.ledger != self.ledger || !forgotten(entry);
        let rest: Vec<Entry> = self.entries.iter().filter(stays).cloned().collect();
        if rest.len() < self.entries.len() && self.write(&rest).is_ok() {
            self.entries = rest;
        }
    }

    /// Leaves nothing of what was kept once: the half that was written before still has it.
    pub(super) fn wipe(&mut self) {
        let entries = self.entries.clone();
        for _ in 0..2 {
            // Should that fail, what is kept is still there.
            let _ = self.write(&entries);
        }
    }

    fn write(&mut self, entries: &[Entry]) -> io::Result<()> {
        let payload = payload(entries)?;
        let generation = self.generation + 1;
        let mut half = Vec::with_capacity(HALF);
        half.extend(generation.to_le_bytes());
        half.extend((payload.len() as u64).to_le_bytes());
        half.extend(hash(generation, &payload));
        half.extend(&payload);
        // The rest is zeros: answers that are in the ledger by now hold people's names.
        half.resize(HALF, 0);
        self.file.seek(SeekFrom::Start(generation % 2 * HALF as u64))?;
        self.file.write_all(&half)?;
        self.file.sync_data()?;
        self.generation = generation;
        Ok(())
    }

    fn read_half(&mut self, half: u64) -> io::Result<Option<(u64, Vec<Entry>)>> {
        let mut bytes = vec![0; HALF];
        self.file.seek(SeekFrom::Start(half * HALF as u64))?;
        self.file.read_exact(&mut bytes)?;
        let number = |at: usize| bytes[at..at + 8].try_into().map(u64::from_le_bytes).unwrap_or_default();
        let (generation, length) = (number(0), usize::try_from(number(8)).unwrap_or(usize::MAX));
        let Some(payload) = HEAD.checked_add(length).and_then(|end| bytes.get(HEAD..end)) else { return Ok(None) };
        if bytes[16..HEAD] != hash(generation, payload) {
            return Ok(None);
        }
        Ok(serde_json::from_slice(payload).ok().map(|entries| (generation, entries)))
    }
}

/// The entries as JSON that fits into a half; answers as they came give way.
fn payload(entries: &[Entry]) -> io::Result<Vec<u8>> {
    let payload = serde_json::to_vec(entries)?;
    if payload.len() <= HALF - HEAD {
        return Ok(payload);
    }
    let room = ((HALF - HEAD) / entries.len()).saturating_sub(ENTRY_BYTES) / 6;
    let mut entries = entries.to_vec();
    for entry in &mut entries {
        entry.shorten(room);
    }
    let payload = serde_json::to_vec(&entries)?;
    if payload.len() <= HALF - HEAD { Ok(payload) } else { Err(io::ErrorKind::StorageFull.into()) }
}

fn hash(generation: u64, payload: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(generation.to_le_bytes());
    hash.update(payload);
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(order: i64, raw: &[u8]) -> Entry {
        let outcome = Outcome::Booked(Booking { awb: format!("AWB-{order}"), ..Booking::default() });
        Entry { ledger: "one".to_owned(), ..Entry::new(OrderId(order), 1, 7, &outcome, Some(201), Some(raw)) }
    }

    fn open(ledger: &Path) -> Spool {
        Spool::open(ledger, "one".to_owned()).unwrap()
    }

    #[test]
    fn what_another_ledger_is_owed_is_neither_taken_nor_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.sqlite");
        open(&ledger).keep(vec![entry(1, b"{}")]).unwrap();
        let mut other = Spool::open(&ledger, "two".to_owned()).unwrap();
        assert_eq!(other.entries(), []);
        other.keep(vec![entry(1, b"{2}")]).unwrap();
        assert_eq!(other.entries()[0].raw().unwrap(), b"{2}");
        other.forget(OrderId(1));
        other.keep_only(&[]);
        assert_eq!(open(&ledger).entries(), [entry(1, b"{}")]);
    }

    #[test]
    fn what_is_kept_is_there_after_a_restart_until_it_is_cleared() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.sqlite");
        let mut spool = open(&ledger);
        spool.keep(vec![entry(1, b"{}")]).unwrap();
        spool.keep(vec![entry(1, b"{}"), entry(2, b"\xff\x00")]).unwrap();
        let mut again = open(&ledger);
        assert_eq!(again.entries(), [entry(1, b"{}"), entry(2, b"\xff\x00")]);
        assert_eq!(again.entries()[1].raw().unwrap(), b"\xff\x00");
        again.keep_only(&[]);
        assert!(open(&ledger).entries().is_empty());
    }

    #[test]
    fn a_torn_write_leaves_what_was_kept_before() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.sqlite");
        let mut spool = open(&ledger);
        spool.keep(vec![entry(1, b"{}")]).unwrap();
        spool.keep(vec![entry(2, b"{}")]).unwrap();
        let path = place::beside(&ledger, ".spool");
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[HEAD + 20] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(open(&ledger).entries(), [entry(1, b"{}")]);
    }

    #[test]
    fn the_longest_batch_fits_with_every_awb() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.sqlite");
        let mut spool = open(&ledger);
        let answers = ["\u{1}".repeat(60_000).into_bytes(), vec![0xff; 60_000]];
        let batch: Vec<Entry> = (0..272).map(|order| entry(order, &answers[usize::from(order % 2 == 0)])).collect();
        spool.keep(batch).unwrap();
        let kept = open(&ledger);
        let awbs: Vec<Outcome> = kept.entries().iter().map(Entry::outcome).collect();
        assert_eq!(awbs.len(), 272);
        assert!(matches!(&awbs[271], Outcome::Booked(booking) if booking.awb == "AWB-271"));
    }
}
