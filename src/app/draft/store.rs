//! Drafts on disk: for each a folder that only its owner can read, with the sheet as it came and one small file of answers.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::answer::{DraftAnswer, Said, Step};
use super::name::plain_name;
use super::rows::StagingRun;
use crate::app::aside::create_private;
use crate::app::error::{Error, Result};
use crate::ledger::{DeskLock, RunId, create_private_folder, open_own_to_read, sync_folder};
use crate::text::hex;

/// The file of answers; a folder without it is no draft.
pub(super) const ANSWERS: &str = "draft.json";
/// The folder of the sheet, which keeps its name.
const SHEET: &str = "sheet";
/// The form of that file.
const VERSION: u32 = 1;

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

/// What is kept of a draft beside its sheet.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Content {
    version: u32,
    file: String,
    added_ms: i64,
    changed_ms: i64,
    revision: u64,
    steps: Vec<Step>,
    #[serde(default)]
    runs: Vec<i64>,
    /// How many answers the latest run was booked with: they stay.
    #[serde(default)]
    booked_with: usize,
    /// A run that was about to be staged. Whether it was, the ledger says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    staging: Option<StagingRun>,
    /// When couriers were last asked whether they go where its orders go, epoch milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asked_couriers_ms: Option<i64>,
    /// The layout that was made of it last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    layout_made: Option<LayoutMade>,
}

impl Content {
    /// Whether the run that was about to be staged is known to have been.
    fn has_staged(&self) -> bool {
        self.staging.as_ref().is_some_and(|own| self.runs.contains(&own.run))
    }

    fn is_booked_as(&mut self, run: i64) {
        self.staging = None;
        if !self.runs.contains(&run) {
            self.runs.push(run);
            self.booked_with = self.steps.len();
        }
    }
}

/// A draft's folder.
#[derive(Debug)]
pub(super) struct Folder {
    id: String,
    path: PathBuf,
    content: Content,
}

impl Folder {
    /// A draft of this sheet, whoever else is at work.
    #[cfg(test)]
    pub(super) fn create(root: &Path, name: &str, from: &mut dyn Read, bytes_max: u64) -> Result<Self> {
        Self::bring(root, name, from, bytes_max)?.keep(Ok(()))
    }

    /// Copies a sheet into a new folder, which is no draft yet.
    pub(super) fn bring(root: &Path, name: &str, from: &mut dyn Read, bytes_max: u64) -> Result<Self> {
        let cannot = || Error::file(format!("cannot keep the sheet in {}", root.display()));
        create_private_folder(root).map_err(cannot())?;
        let now_ms = Timestamp::now().as_millisecond();
        let (id, path) = new_folder(root, now_ms).map_err(cannot())?;
        let file = plain_name(name);
        let (added_ms, changed_ms, steps, runs) = (now_ms, now_ms, Vec::new(), Vec::new());
        let (version, revision, booked_with, staging, asked_couriers_ms) = (VERSION, 0, 0, None, None);
        let content = Content {
            version,
            file,
            added_ms,
            changed_ms,
            revision,
            steps,
            runs,
            booked_with,
            staging,
            asked_couriers_ms,
            layout_made: None,
        };
        let folder = Self { id, path, content };
        if let Err(error) = folder.copy(from, bytes_max) {
            let _ = fs::remove_dir_all(&folder.path);
            return Err(cannot()(error));
        }
        Ok(folder)
    }

    /// Makes it a draft, under the lock of all of them; without that it goes again.
    pub(super) fn keep<L>(self, lock: Result<L>) -> Result<Self> {
        let cannot = Error::file(format!("cannot keep the sheet in {}", self.path.display()));
        let kept = lock.and_then(|held| {
            let kept = self.write(&self.content).map_err(cannot);
            drop(held);
            kept
        });
        if let Err(error) = kept {
            // Without its file of answers nobody takes it for a draft, wherever this stops.
            let _ = fs::remove_dir_all(&self.path);
            return Err(error);
        }
        Ok(self)
    }

    fn copy(&self, from: &mut dyn Read, bytes_max: u64) -> io::Result<()> {
        create_private_folder(&self.path.join(SHEET))?;
        let mut file = create_private(&self.sheet())?;
        let copied = io::copy(&mut from.take(bytes_max.saturating_add(1)), &mut file)?;
        if copied > bytes_max {
            let text = format!("more than the {bytes_max} bytes that are accepted");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        file.sync_all()
    }

    /// Opens the folder of that id.
    pub(super) fn open(root: &Path, id: &str) -> Result<Self> {
        let path = place(root, id)?;
        let answers = path.join(ANSWERS);
        let content = read(&answers).map_err(Error::file(format!("cannot read {}", answers.display())))?;
        Ok(Self { id: id.to_owned(), path, content })
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn file(&self) -> &str {
        &self.content.file
    }

    /// The sheet as it came.
    pub(super) fn sheet(&self) -> PathBuf {
        self.path.join(SHEET).join(&self.content.file)
    }

    /// Why the answers of a draft cannot be read; nothing where they can, or where it has none.
    pub(super) fn why_unread(root: &Path, id: &str) -> Option<String> {
        match read(&root.join(id).join(ANSWERS)) {
            // One that is being copied just now has no answers yet, and one that is being taken away no longer.
            Err(error) if error.kind() != io::ErrorKind::NotFound => Some(error.to_string()),
            _ => None,
        }
    }

    pub(super) const fn changed_ms(&self) -> i64 {
        self.content.changed_ms
    }

    pub(super) const fn added_ms(&self) -> i64 {
        self.content.added_ms
    }

    pub(super) const fn revision(&self) -> u64 {
        self.content.revision
    }

    pub(super) fn runs(&self) -> &[i64] {
        &self.content.runs
    }

    pub(super) fn latest(&self) -> Option<&DraftAnswer> {
        self.since_booked().last().map(|step| &step.answer)
    }

    /// The same with what it stood for.
    pub(super) fn latest_step(&self) -> Option<&Step> {
        self.since_booked().last()
    }

    /// The answers that no run was booked with.
    fn since_booked(&self) -> &[Step] {
        self.content.steps.get(self.content.booked_with..).unwrap_or_default()
    }

    /// Keeps one more answer.
    pub(super) fn push(&mut self, step: Step) -> Result<()> {
        self.change(|content| {
            content.steps.push(step);
            content.revision += 1;
        })
    }

    /// Takes the last answer back, unless a run was booked with it.
    pub(super) fn pop(&mut self) -> Result<Option<Step>> {
        let last = self.since_booked().last().cloned();
        if last.is_some() {
            self.change(|content| {
                content.steps.pop();
                content.revision += 1;
            })?;
        }
        Ok(last)
    }

    /// Notes that a run was staged from it. Whoever looks at a page of before has to look again.
    pub(super) fn booked_as(&mut self, _: &DeskLock, run: i64) -> Result<()> {
        self.change_locked(|content| {
            content.is_booked_as(run);
            content.revision += 1;
        })
    }

    /// Notes that a run is about to be staged from it.
    pub(super) fn stages(&mut self, _: &DeskLock, staging: StagingRun) -> Result<()> {
        self.change_locked(|content| content.staging = Some(staging))
    }

    /// Notes that couriers were asked whether they go where its orders go.
    pub(super) fn asked_couriers(&mut self) -> Result<()> {
        self.change(|content| content.asked_couriers_ms = Some(Timestamp::now().as_millisecond()))
    }

    /// Notes the layout that was made of it.
    pub(super) fn made_layout(&mut self, made: LayoutMade) -> Result<()> {
        self.change(|content| content.layout_made = Some(made))
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

    /// When that was last, epoch milliseconds.
    pub(super) const fn couriers_asked_ms(&self) -> Option<i64> {
        self.content.asked_couriers_ms
    }

    /// The run that was about to be staged when it was last heard of.
    pub(super) const fn staging(&self) -> Option<&StagingRun> {
        self.content.staging.as_ref()
    }

    /// Takes it that the run which was about to be staged was. That is written with whatever is said next.
    pub(super) fn was_staged(&mut self) {
        if let Some(StagingRun { run, .. }) = self.content.staging {
            self.content.is_booked_as(run);
        }
    }

    /// Changes the answers on disk, then here. What another program has said meanwhile is not overwritten.
    fn change(&mut self, change: impl FnOnce(&mut Content)) -> Result<()> {
        let _lock = locked(self.path.parent().unwrap_or(&self.path))?;
        self.change_locked(change)
    }

    /// The same for whoever holds the lock.
    fn change_locked(&mut self, change: impl FnOnce(&mut Content)) -> Result<()> {
        let answers = self.path.join(ANSWERS);
        let cannot = || Error::file(format!("cannot write {}", answers.display()));
        let there = read(&answers).map_err(cannot())?;
        if there.revision != self.content.revision {
            return Err(Error::Refused("this draft was changed elsewhere: open it again".to_owned()));
        }
        // What changes no answer has no revision of its own.
        let mut content =
            Content { staging: there.staging, asked_couriers_ms: there.asked_couriers_ms, ..self.content.clone() };
        if content.has_staged() {
            content.staging = None;
        }
        change(&mut content);
        content.changed_ms = Timestamp::now().as_millisecond();
        self.write(&content).map_err(cannot())?;
        self.content = content;
        Ok(())
    }

    /// Puts the file of answers in its place as a whole.
    fn write(&self, content: &Content) -> io::Result<()> {
        let mut new = tempfile::NamedTempFile::with_prefix_in(".draft-", &self.path)?;
        new.write_all(&serde_json::to_vec(content)?)?;
        new.as_file().sync_all()?;
        new.persist(self.path.join(ANSWERS))?;
        sync_folder(&self.path);
        Ok(())
    }

    /// Whether anything was said of it, or booked.
    pub(super) const fn is_touched(&self) -> bool {
        !self.content.steps.is_empty() || !self.content.runs.is_empty() || self.content.staging.is_some()
    }

    /// Whether orders that are unsent, each with its runs, were booked from it or named in it; or whether any is held or left
    /// out: that is a person's word, whatever the ledger knows of it and however long ago it was given.
    pub(super) fn is_needed(&self, unsent: &BTreeMap<String, Vec<RunId>>) -> bool {
        if !self.said().kept.0.is_empty() {
            return true;
        }
        let runs = |runs: &Vec<RunId>| runs.iter().any(|run| self.content.runs.contains(&run.number()));
        let mut named = self.content.steps.iter().flat_map(Step::orders);
        let mut typed_in = self.content.steps.iter().flat_map(Step::typed_in);
        unsent.values().any(runs)
            || named.any(|number| unsent.contains_key(number))
            || typed_in.any(|number| unsent.contains_key(number))
    }

    pub(super) fn entry(&self) -> DraftEntry {
        let Content { file, added_ms, changed_ms, revision, steps, runs, .. } = self.content.clone();
        let bytes = fs::metadata(self.sheet()).map_or(0, |metadata| metadata.len());
        DraftEntry { id: self.id.clone(), file, bytes, added_ms, changed_ms, revision, steps: steps.len(), runs }
    }
}

/// Waits until nobody else changes a draft.
pub(super) fn locked(root: &Path) -> Result<Option<DeskLock>> {
    DeskLock::in_folder(root).map_err(Error::file(format!("cannot lock {}", root.display())))
}

/// The folder of an id, which may come from anywhere: nothing but an id that this program made leads to a folder.
pub(super) fn place(root: &Path, id: &str) -> Result<PathBuf> {
    let path = root.join(id);
    let is_there = added_ms(id).is_some() && path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    if is_there { Ok(path) } else { Err(Error::NoDraft) }
}

/// When the draft of an id came; nothing where it is no id.
pub(super) fn added_ms(id: &str) -> Option<i64> {
    let (time, number) = id.split_once('-')?;
    let is_hex = |text: &str| text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let is_id = time.len() == 12 && number.len() == 8 && is_hex(time) && is_hex(number);
    if is_id { i64::from_str_radix(time, 16).ok() } else { None }
}

/// A folder of its own, by the time and a number.
fn new_folder(root: &Path, now_ms: i64) -> io::Result<(String, PathBuf)> {
    loop {
        let id = format!("{now_ms:012x}-{:08x}", fastrand::u32(..));
        let path = root.join(&id);
        match private_folder(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| (id, path)),
        }
    }
}

/// Makes a folder that was not there, for its owner alone.
fn private_folder(path: &Path) -> io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only there a folder has a mode"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn read(path: &Path) -> io::Result<Content> {
    let content: Content = serde_json::from_reader(BufReader::new(open_own_to_read(path)?))?;
    if content.version == VERSION && content.file == plain_name(&content.file) {
        return Ok(content);
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "it is of another version of this program"))
}

#[cfg(test)]
mod tests {
    use super::super::shelf::{clear, ids, list};
    use super::*;

    fn edit(text: &str) -> Step {
        let cell = super::super::answer::CellEdit { sheet: 0, row: 2, column: 3, text: text.to_owned() };
        Step::new(DraftAnswer::Edit { cells: vec![cell] })
    }

    #[test]
    fn answers_are_there_again_and_nobody_else_can_read_them() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().join("drafts");
        let mut folder = Folder::create(&root, "a/orders.csv", &mut &b"Order\nA-1\n"[..], 100).unwrap();
        folder.push(edit("560001")).unwrap();
        folder.push(edit("560002")).unwrap();
        assert_eq!(folder.pop().unwrap().unwrap().cells()[0].text, "560002");
        let again = Folder::open(&root, folder.id()).unwrap();
        assert_eq!((&again.content.steps, again.revision()), (&folder.content.steps, 3));
        assert_eq!(again.file(), "orders.csv");
        assert_eq!(fs::read(again.sheet()).unwrap(), b"Order\nA-1\n");
        let [listed] = &list(&root)[..] else { panic!("one draft") };
        let entry = listed.entry();
        assert_eq!((entry.id.as_str(), entry.bytes, entry.steps), (folder.id(), 10, 1));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            let modes = [&root, &again.path, &again.path.join(SHEET), &again.sheet(), &again.path.join(ANSWERS)];
            assert_eq!(modes.map(|path| mode(path)), [0o700, 0o700, 0o700, 0o600, 0o600]);
        }
        clear(&root, folder.id()).unwrap();
        assert!(list(&root).is_empty() && ids(&root).next().is_none());
    }

    #[test]
    fn what_was_said_elsewhere_is_not_overwritten() {
        let root = tempfile::tempdir().unwrap();
        let mut folder = Folder::create(root.path(), "orders.csv", &mut &b"x"[..], 100).unwrap();
        let mut other = Folder::open(root.path(), folder.id()).unwrap();
        other.push(edit("1")).unwrap();
        assert!(folder.push(edit("2")).unwrap_err().to_string().contains("changed elsewhere"));
        assert_eq!(folder.content.steps, []);
    }

    #[test]
    fn of_two_that_answer_at_once_nobody_is_told_what_is_not_kept() {
        let root = tempfile::tempdir().unwrap();
        let id = Folder::create(root.path(), "orders.csv", &mut &b"x"[..], 100).unwrap().id().to_owned();
        let say = || {
            let push = |text: u32| Folder::open(root.path(), &id).unwrap().push(edit(&text.to_string())).is_ok();
            (0..50).filter(|text| push(*text)).count()
        };
        let told: usize = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(say)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        let folder = Folder::open(root.path(), &id).unwrap();
        assert_eq!((folder.content.steps.len(), folder.revision()), (told, told as u64));
    }
}
