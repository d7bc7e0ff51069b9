//! A draft as the ledger has it: the sheet, and what its notes come to.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::answer::{DraftAnswer, Said, Step};
use super::name::plain_name;
use crate::app::aside::create_private;
use crate::app::connect::App;
use crate::app::error::{Error, Result};
use crate::app::field_names::FieldNames;
use crate::app::who::{host, user};
use crate::ledger::{
    Concerned, DraftHold, DraftKept, DraftNote, DraftNoted, DraftRecord, Ledger, LedgerError, Looked, NewDraftHolds,
    RunId, create_private_folder, is_own_folder,
};
use crate::sheet::{Options, file_sha256, refuse_no_sheet};
use crate::stage::StageError;
use crate::text::hex;

/// The folder of sheets as files, from which they are read; each in one that has its draft's id.
const SHEETS: &str = "sheets";

/// A draft, as a list of them shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DraftEntry {
    /// Its id.
    pub id: String,
    /// The sheet's name.
    pub file: String,
    /// The sheet's bytes.
    pub bytes: u64,
    /// When it came, epoch milliseconds.
    pub added_ms: i64,
    /// When something was last said of it.
    pub changed_ms: i64,
    /// How often something was said of it, or taken back.
    pub revision: u64,
    /// How many answers it has.
    pub steps: usize,
    /// The runs that were staged from it.
    pub runs: Vec<i64>,
    /// Things left to do with it after the latest of them.
    pub rest: DraftRest,
    /// Whether nothing is left to do with it, nor was anything said since.
    pub is_over: bool,
}

/// Things left to do with a draft that was booked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftRest {
    /// Its worksheets that have rows and were not read yet.
    pub worksheets: Vec<String>,
    /// Whether orders of the one that was read are open.
    pub has_open: bool,
    /// Whether it goes on to keep orders back: a person held them there, or left them out.
    pub keeps_back: bool,
    /// The names of its columns, for the service's words on its orders.
    #[serde(default, skip_serializing_if = "FieldNames::is_empty")]
    pub headers: FieldNames,
}

impl DraftRest {
    /// Whether nothing is left to do.
    pub(super) const fn is_none(&self) -> bool {
        self.worksheets.is_empty() && !self.has_open
    }
}

/// A layout that was made of a draft, as its file was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LayoutMade {
    name: String,
    sha256: String,
}

impl LayoutMade {
    pub(super) fn of(name: &str, text: &[u8]) -> Self {
        Self { name: name.to_owned(), sha256: hex(&Sha256::digest(text).into()) }
    }
}

/// A change of the answers on a draft.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change<'s> {
    /// These were given.
    Answers(&'s [Step]),
    /// The last one is taken back.
    Undo,
}

/// The sum of the notes behind a sheet.
#[derive(Debug, Clone)]
struct Content {
    revision: u64,
    changed_ms: i64,
    steps: Vec<Step>,
    runs: Vec<i64>,
    /// How many answers the latest run was booked with: they stay.
    booked_with: usize,
    /// When couriers were last asked whether they go where its orders go, epoch milliseconds.
    asked_couriers_ms: Option<i64>,
    /// The layout that was made of it last.
    layout_made: Option<LayoutMade>,
    /// Things left to do after its latest run, and its revision then.
    rest: Option<(DraftRest, u64)>,
}

impl Content {
    /// The sum of these notes on a sheet that came at this time.
    fn of(added_ms: i64, notes: Vec<DraftNote>) -> Result<Self> {
        let (revision, changed_ms, steps, runs) = (0, added_ms, Vec::new(), Vec::new());
        let (booked_with, asked_couriers_ms, layout_made, rest) = (0, None, None, None);
        let mut own = Self { revision, changed_ms, steps, runs, booked_with, asked_couriers_ms, layout_made, rest };
        for DraftNote { at_ms, noted } in notes {
            own.changed_ms = at_ms;
            own.revision += u64::from(noted.is_change());
            match noted {
                DraftNoted::Answer(said) => own.steps.push(serde_json::from_str(&said).map_err(unread)?),
                DraftNoted::Undo => drop(own.steps.pop()),
                DraftNoted::Run(run) => {
                    own.runs.push(run.number());
                    (own.booked_with, own.rest) = (own.steps.len(), None);
                }
                DraftNoted::Couriers => own.asked_couriers_ms = Some(at_ms),
                DraftNoted::Layout(made) => own.layout_made = Some(serde_json::from_str(&made).map_err(unread)?),
                DraftNoted::Rest(rest) => own.rest = Some((serde_json::from_str(&rest).map_err(unread)?, own.revision)),
            }
        }
        Ok(own)
    }

    /// Whether nothing is left to do after the latest run, nor was anything said since.
    fn is_over(&self) -> bool {
        self.rest.as_ref().is_some_and(|(rest, at)| rest.is_none() && *at == self.revision)
    }
}

/// The error for a note that another version of this program made.
fn unread(error: serde_json::Error) -> Error {
    Error::file("the answers to an open sheet cannot be read")(error.into())
}

/// A draft as the ledger has it.
#[derive(Debug)]
pub(super) struct Stored {
    record: DraftRecord,
    content: Content,
}

impl Stored {
    /// Keeps a sheet as a new draft, and a copy of it to read it from.
    pub(super) fn create(app: &App, name: &str, from: &mut dyn Read) -> Result<Self> {
        let limits = app.config.reading(&Options::default()).limits;
        let added_ms = Timestamp::now().as_millisecond();
        let (id, name) = (format!("{added_ms:012x}-{:08x}", fastrand::u32(..)), plain_name(name));
        let mut record = DraftRecord { id, name, sha256: [0; 32], bytes: 0, added_ms };
        let path = place(app, &record);
        let kept = copy(&path, from, limits.file_bytes_max).map_err(cannot_keep(&path)).and_then(|(sha256, bytes)| {
            (record.sha256, record.bytes) = (sha256, bytes);
            // The ledger keeps nothing that is no sheet.
            refuse_no_sheet(&path, &limits).map_err(StageError::Sheet)?;
            let mut file = File::open(&path).map_err(cannot_keep(&path))?;
            Ok(app.ledger_of_drafts()?.keep_draft(&record, &mut file)?)
        });
        if let Err(error) = kept {
            remove_copy(app, &record.id);
            return Err(error);
        }
        Ok(Self { content: Content::of(added_ms, Vec::new())?, record })
    }

    /// The draft of that id.
    pub(super) fn read(ledger: &Ledger, id: &str) -> Result<Self> {
        Self::read_until(ledger, id, None)
    }

    /// The same as it was booked with a run, where one is named.
    pub(super) fn read_until(ledger: &Ledger, id: &str, run: Option<i64>) -> Result<Self> {
        let record = ledger.draft(id)?.ok_or(Error::NoDraft)?;
        let mut notes = ledger.draft_notes(id)?;
        let is_run = |note: &DraftNote| matches!(note.noted, DraftNoted::Run(own) if Some(own.number()) == run);
        if let Some(booked) = notes.iter().position(is_run) {
            notes.truncate(booked + 1);
        }
        Self::of(record, notes)
    }

    /// A draft with these notes.
    pub(super) fn of(record: DraftRecord, notes: Vec<DraftNote>) -> Result<Self> {
        // Both are names of files here, whoever wrote them into the ledger.
        if added_ms(&record.id).is_none() || record.name != plain_name(&record.name) {
            let why = "its name leads to another folder";
            return Err(Error::file("an open sheet cannot be read")(io::Error::other(why)));
        }
        let content = Content::of(record.added_ms, notes)?;
        Ok(Self { record, content })
    }

    /// As a list shows it.
    pub(super) fn entry(self) -> DraftEntry {
        let is_over = self.content.is_over();
        let DraftRecord { id, name: file, bytes, added_ms, .. } = self.record;
        let Content { revision, changed_ms, steps, runs, rest, .. } = self.content;
        let rest = rest.unwrap_or_default().0;
        DraftEntry { id, file, bytes, added_ms, changed_ms, revision, steps: steps.len(), runs, rest, is_over }
    }

    pub(super) fn id(&self) -> &str {
        &self.record.id
    }

    pub(super) fn file(&self) -> &str {
        &self.record.name
    }

    /// The SHA-256 of the sheet.
    pub(super) const fn sha256(&self) -> [u8; 32] {
        self.record.sha256
    }

    /// The sheet as it came, in a file of this machine to read it from. It is made where it is not there, or is not what came.
    pub(super) fn sheet(&self, app: &App) -> Result<PathBuf> {
        let path = place(app, &self.record);
        let is_there = path.symlink_metadata().is_ok_and(|own| own.is_file() && own.len() == self.record.bytes);
        if !is_there || file_sha256(&path).ok() != Some(self.record.sha256) {
            self.write_copy(app, &path)?;
        }
        Ok(path)
    }

    fn write_copy(&self, app: &App, path: &Path) -> Result<()> {
        let folder = path.parent().unwrap_or(path);
        folders(path).map_err(cannot_keep(path))?;
        let mut new = tempfile::NamedTempFile::with_prefix_in(".sheet-", folder).map_err(cannot_keep(path))?;
        app.read_ledger()?.write_draft(self.id(), new.as_file_mut())?;
        if file_sha256(new.path()).map_err(cannot_keep(path))? != self.record.sha256 {
            // It was cleared meanwhile, or is damaged.
            drop(Self::read(&app.read_ledger()?, self.id())?);
            return Err(LedgerError::Damaged(format!("the sheet {} is not what came", self.id())).into());
        }
        new.persist(path).map(drop).map_err(|error| cannot_keep(path)(error.error))
    }

    pub(super) const fn changed_ms(&self) -> i64 {
        self.content.changed_ms
    }

    pub(super) const fn revision(&self) -> u64 {
        self.content.revision
    }

    pub(super) fn runs(&self) -> &[i64] {
        &self.content.runs
    }

    pub(super) fn latest(&self) -> Option<&DraftAnswer> {
        self.latest_step().map(|step| &step.answer)
    }

    /// The same with what it stood for.
    pub(super) fn latest_step(&self) -> Option<&Step> {
        // Answers that a run was booked with stay.
        self.content.steps.get(self.content.booked_with..)?.last()
    }

    /// Adds an answer, which the ledger has only once it is [noted](Self::note).
    pub(super) fn push(&mut self, step: Step) {
        self.content.steps.push(step);
    }

    /// Takes the last answer back in the same way, unless a run was booked with it.
    pub(super) fn pop(&mut self) -> Option<Step> {
        self.latest_step()?;
        self.content.steps.pop()
    }

    /// Notes that these answers were given, or that the last one was taken back, unless a run is sending one of the orders that they
    /// concern; with the orders that the draft keeps back from then on.
    pub(super) fn note_steps(
        &mut self,
        app: &App,
        change: Change<'_>,
        concerned: &BTreeSet<String>,
        holds: (Looked<'_>, &[DraftHold]),
    ) -> Result<()> {
        let answer = |step: &Step| Ok(DraftNoted::Answer(serde_json::to_string(step).map_err(unread)?));
        let noted = match change {
            // Nothing is said.
            Change::Answers([]) => return Ok(()),
            Change::Answers(steps) => steps.iter().map(answer).collect::<Result<Vec<_>>>()?,
            Change::Undo => vec![DraftNoted::Undo],
        };
        self.note(app, noted, concerned, Some(holds)).map(drop)
    }

    /// The orders that answers are about; none where one of them is about the whole sheet.
    pub(super) fn answered(&self) -> Option<BTreeSet<String>> {
        let mut answered = BTreeSet::new();
        for step in &self.content.steps {
            if step.is_of_sheet() {
                return None;
            }
            answered.extend(step.orders().into_iter().map(str::to_owned));
            answered.extend(step.typed_in().iter().cloned());
        }
        Some(answered)
    }

    /// Notes that couriers were asked whether they go where its orders go.
    pub(super) fn asked_couriers(&mut self, app: &App) -> Result<()> {
        self.content.asked_couriers_ms = Some(self.note(app, vec![DraftNoted::Couriers], &BTreeSet::new(), None)?);
        Ok(())
    }

    /// Notes the layout that was made of it.
    pub(super) fn made_layout(&mut self, app: &App, made: LayoutMade) -> Result<()> {
        let said = serde_json::to_string(&made).map_err(unread)?;
        self.note(app, vec![DraftNoted::Layout(said)], &BTreeSet::new(), None)?;
        self.content.layout_made = Some(made);
        Ok(())
    }

    /// Notes what is left to do with it. If nothing is, and no order is to be kept back, all are released.
    pub(super) fn note_rest(&mut self, app: &App, rest: DraftRest) -> Result<()> {
        let said = serde_json::to_string(&rest).map_err(unread)?;
        let releases = rest.is_none() && !rest.keeps_back;
        let holds: Option<(Looked<'_>, &[DraftHold])> = releases.then_some((Looked::AtAll, &[]));
        self.note(app, vec![DraftNoted::Rest(said)], &BTreeSet::new(), holds)?;
        self.content.rest = Some((rest, self.revision()));
        Ok(())
    }

    /// Whether nothing is left to do with it and it keeps no order back.
    fn is_released(&self) -> bool {
        self.content.is_over() && self.content.rest.as_ref().is_some_and(|(rest, _)| !rest.keeps_back)
    }

    pub(super) const fn layout_made(&self) -> Option<&LayoutMade> {
        self.content.layout_made.as_ref()
    }

    /// All that was said of it.
    pub(super) fn said(&self) -> Said {
        let mut said = Said::of(&self.content.steps);
        said.are_couriers_asked = self.content.asked_couriers_ms.is_some();
        said
    }

    /// Makes notes in the ledger, all or none, then here; gives their time. Nothing that somebody else said meanwhile is overwritten.
    fn note(
        &mut self,
        app: &App,
        noted: Vec<DraftNoted>,
        numbers: &BTreeSet<String>,
        holds: Option<(Looked<'_>, &[DraftHold])>,
    ) -> Result<i64> {
        let at_ms = Timestamp::now().as_millisecond();
        let changes = noted.iter().filter(|noted| noted.is_change()).count() as u64;
        let new: Vec<DraftNote> = noted.into_iter().map(|noted| DraftNote { at_ms, noted }).collect();
        let (service, user, host) = (app.config.service_key().ok(), user(), host());
        let holds =
            holds.map(|(of, all)| NewDraftHolds { service: service.as_deref(), user: &user, host: &host, of, all });
        let concerned = Concerned { numbers, is_at_work: &|| app.holder().is_some(), holds: holds.as_ref() };
        is_done(app.ledger_of_drafts()?.note_draft((self.id(), self.revision()), &new, &concerned)?)?;
        self.content.revision += changes;
        self.content.changed_ms = at_ms;
        Ok(at_ms)
    }

    /// Whether anything was said of it, or booked.
    pub(super) const fn is_touched(&self) -> bool {
        !self.content.steps.is_empty() || !self.content.runs.is_empty()
    }

    /// Whether orders that are unsent, each with its runs, were booked from it or named in it; or whether any is held or left
    /// out and not released since: that is a person's word, whatever the ledger knows of it and however long ago it was given.
    pub(super) fn is_needed(&self, unsent: &BTreeMap<String, Vec<RunId>>) -> bool {
        if !self.said().kept.0.is_empty() && !self.is_released() {
            return true;
        }
        let runs = |runs: &Vec<RunId>| runs.iter().any(|run| self.content.runs.contains(&run.number()));
        let mut named = self.content.steps.iter().flat_map(Step::orders);
        let mut typed_in = self.content.steps.iter().flat_map(Step::typed_in);
        unsent.values().any(runs)
            || named.any(|number| unsent.contains_key(number))
            || typed_in.any(|number| unsent.contains_key(number))
    }
}

/// The error where something could not be changed of a draft.
pub(super) fn is_done(kept: DraftKept) -> Result<()> {
    match kept {
        DraftKept::Yes => Ok(()),
        DraftKept::ChangedSince => Err(Error::Refused("this draft was changed elsewhere: open it again".to_owned())),
        DraftKept::UnderWay(number) => {
            let why = "is being booked just now: stop that run first, where it was started";
            Err(Error::Refused(format!("order {number} {why}")))
        }
        DraftKept::Gone => Err(Error::NoDraft),
    }
}

/// Where a sheet lies to be read from.
fn place(app: &App, record: &DraftRecord) -> PathBuf {
    app.desk_folder().join(SHEETS).join(&record.id).join(&record.name)
}

/// The error for a sheet that cannot be kept in a file.
fn cannot_keep(path: &Path) -> impl Fn(io::Error) -> Error {
    let said = format!("cannot keep the sheet in {}", path.parent().unwrap_or(path).display());
    move |error| Error::file(said.clone())(error)
}

/// Makes the folders that a sheet lies in, for their owner alone. Folders of another user are refused.
fn folders(path: &Path) -> io::Result<()> {
    create_private_folder(path.parent().unwrap_or(path))?;
    path.ancestors().skip(1).take(3).try_for_each(|folder| is_own_folder(folder).map(drop))
}

/// Copies a sheet to its place; gives its SHA-256 and its bytes.
fn copy(path: &Path, from: &mut dyn Read, bytes_max: u64) -> io::Result<([u8; 32], u64)> {
    folders(path)?;
    let mut file = create_private(path)?;
    let (mut hasher, mut bytes) = (Sha256::new(), 0_u64);
    let mut from = BufReader::with_capacity(64 * 1024, from);
    loop {
        let some = io::BufRead::fill_buf(&mut from)?;
        if some.is_empty() {
            break;
        }
        bytes += some.len() as u64;
        if bytes > bytes_max {
            let text = format!("more than the {bytes_max} bytes that are accepted");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        hasher.update(some);
        file.write_all(some)?;
        let read = some.len();
        io::BufRead::consume(&mut from, read);
    }
    Ok((hasher.finalize().into(), bytes))
}

/// Takes the copy of a sheet away.
pub(super) fn remove_copy(app: &App, id: &str) {
    if added_ms(id).is_some() {
        let _ = fs::remove_dir_all(app.desk_folder().join(SHEETS).join(id));
    }
}

/// The ids of the sheets of which there is a copy.
pub(super) fn copies(app: &App) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(app.desk_folder().join(SHEETS)).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(|id| added_ms(id).is_some())
}

/// When the draft of an id came; nothing where it is no id of this program.
pub(super) fn added_ms(id: &str) -> Option<i64> {
    let (time, number) = id.split_once('-')?;
    let is_hex = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_id = time.len() == 12 && number.len() == 8 && is_hex(time) && is_hex(number);
    if is_id { i64::from_str_radix(time, 16).ok() } else { None }
}
