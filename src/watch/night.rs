//! One pass over the folder, from what earlier passes left to the exit code, and passes one after the other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::app::{App, BackupEnd, Error, Exit, OwnResumed, TakenBook, WaitingSheets, host};
use crate::book::{Stop, StopSignal};
use crate::config::BookingOptions;
use crate::finding::english::Words;
use crate::ledger::{LedgerError, Tray, crash_point};
use crate::overview::Advice;
use crate::text::error_chain;

use super::book::{Booker, Outcome, Stopped, is_of_the_sheet};
use super::file::{Again, Filing, claimed_name};
use super::folder::{Folder, FolderError, digest};
use super::look::{Found, Looks};
use super::probe::{Answered, Probe};
use super::told::{ASKED_TO_STOP, Around, FiledSheet, Halt, LeftSheet, Night, Told};

/// How long what is outstanding waits before it is tried again within one process.
const RESUME_AGAIN: Duration = Duration::from_mins(15);

/// How long a watcher waits before it asks again whether a backup is due.
const BACK_UP_AGAIN: Duration = Duration::from_mins(15);

/// How to watch.
#[derive(Clone)]
pub struct Options {
    /// The folder.
    pub folder: PathBuf,
    /// Between two looks at it.
    pub interval: Duration,
    /// How long a sheet stays as it is before it is taken.
    pub rest: Duration,
    /// How long the folder may take to answer, before that is told.
    pub patience: Duration,
    /// How to book each sheet; the deadline counts from the start.
    pub booking: BookingOptions,
    /// How people call this program, in reports.
    pub command: String,
    /// The words for remedies, in reports.
    pub words: Words,
    /// What to do about what is open, in reports.
    pub advice: Advice,
}

/// Watches a folder.
pub struct Watcher<'a> {
    app: &'a App,
    options: Options,
    stop: StopSignal,
    folder: Folder,
    /// This machine's name, as it can stand in the name of a file.
    station: String,
    /// Whether this process goes on with what is outstanding: not where a person's limit stopped it.
    goes_on: bool,
    around: &'a mut dyn Around,
    looks: Looks,
    probe: Probe,
    started: Instant,
    resumed: Option<Instant>,
    /// When it was last asked whether a backup is due.
    backed_up: Option<Instant>,
    trouble: Option<String>,
    /// What the sheets of this pass say together.
    together: WaitingSheets,
    /// The sheets that were taken up once more, by where they are worked on, and what they were filed as before.
    taken_up: BTreeMap<PathBuf, String>,
    /// What was told last of sheets that stay in the folder.
    left: Vec<LeftSheet>,
    /// Sheets that have not come to rest.
    moving: Vec<LeftSheet>,
    /// Sheets in `working/` that something is wrong with, since when; they are tried again after a while.
    stuck: BTreeMap<String, (Instant, LeftSheet)>,
}

impl<'a> Watcher<'a> {
    /// A watcher of a folder that is there.
    ///
    /// # Errors
    /// It is not there, or no folder, or does not answer.
    pub fn new(
        app: &'a App,
        options: Options,
        stop: StopSignal,
        around: &'a mut dyn Around,
    ) -> Result<Self, FolderError> {
        let (mut probe, asked) = (Probe::default(), options.folder.clone());
        let is_over = || stop.now() != Stop::No;
        if probe.answered(move || drop(asked.canonicalize()), options.patience, is_over) == Answered::No {
            return Err(FolderError::Silent { folder: options.folder, seconds: options.patience.as_secs() });
        }
        let folder = Folder::open(&options.folder)?;
        let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
        let station = host().chars().map(plain).collect();
        let (looks, started) = (Looks::default(), Instant::now());
        let (resumed, backed_up, trouble, goes_on, left, moving) = (None, None, None, true, Vec::new(), Vec::new());
        Ok(Self {
            app,
            options,
            stop,
            folder,
            station,
            goes_on,
            around,
            looks,
            probe,
            started,
            resumed,
            backed_up,
            trouble,
            together: WaitingSheets::default(),
            taken_up: BTreeMap::new(),
            left,
            moving,
            stuck: BTreeMap::new(),
        })
    }

    /// One pass, once what lies there has come to rest.
    pub fn once(&mut self) -> Night {
        match self.waiting() {
            Ok(found) => drop(self.looks.look(found, self.options.rest)),
            Err(Halt::Trouble(why) | Halt::Sheet(why)) => self.complain(&why),
            Err(Halt::Stopped(_)) => {}
        }
        self.around.wait(self.options.rest);
        let mut night = self.pass();
        let late = if night.trouble.is_none() { self.late(&night) } else { Vec::new() };
        // A watcher that goes on takes these in a moment; of one night they stay behind.
        let behind = self.moving.iter().chain(&late);
        behind.clone().for_each(|left| self.around.tell(&Told::Left(left)));
        night.left.extend(behind.cloned().collect::<Vec<_>>());
        night
    }

    /// Sheets that came while the night was at work.
    fn late(&self, night: &Night) -> Vec<LeftSheet> {
        let back = night.filed.iter().filter(|sheet| sheet.tray == Tray::Inbox).map(|sheet| &sheet.name);
        let told: BTreeSet<&String> =
            night.left.iter().chain(&self.moving).map(|left| &left.name).chain(back).collect();
        let lie = self.folder.waiting().unwrap_or_default().into_iter().map(|found| found.name);
        let late = lie.filter(|name| !told.contains(name));
        late.map(|name| LeftSheet::waiting(name, "it came after the night had begun, so the next one takes it"))
            .collect()
    }

    /// Passes until it is to stop; `ended` hears of each that had something to do.
    pub fn watch(&mut self, ended: &mut dyn FnMut(&Night)) -> Exit {
        let mut exit = Exit::Done;
        while self.stop.now() == Stop::No {
            let night = self.pass();
            if night.standing.is_some() || night.trouble.is_some() || night.backup.is_some() {
                exit = night.exit();
                ended(&night);
            }
            self.around.wait(self.options.interval);
        }
        exit
    }

    fn pass(&mut self) -> Night {
        let mut night = Night::default();
        self.back_up(&mut night);
        if let Err(Halt::Trouble(why) | Halt::Sheet(why)) = self.work(&mut night) {
            self.complain(&why);
            night.trouble = Some(why);
        } else if self.trouble.take().is_some() {
            self.around.tell(&Told::Recovered);
        }
        for left in night.left.iter().filter(|left| !self.left.contains(left)) {
            self.around.tell(&Told::Left(left));
        }
        self.left.clone_from(&night.left);
        night
    }

    /// The sheets that wait, in a folder that answers and has its trays.
    fn waiting(&mut self) -> Result<Vec<Found>, Halt> {
        self.answers()?;
        self.folder.prepare()?;
        Ok(self.folder.waiting()?)
    }

    fn work(&mut self, night: &mut Night) -> Result<(), Halt> {
        let found = self.waiting()?;
        let (rested, moving) = self.looks.look(found, self.options.rest);
        self.moving = moving.into_iter().map(|name| LeftSheet::waiting(name, "it is not at rest yet")).collect();
        for (name, what) in [self.folder.strange(Tray::Inbox)?, self.folder.strange(Tray::Working)?].concat() {
            night.left.push(LeftSheet::strange(name, what));
        }
        let is_there = |name: &str| self.folder.tray(Tray::Working).join(name).symlink_metadata().is_ok();
        self.stuck.retain(|name, (since, _)| since.elapsed() < RESUME_AGAIN && is_there(name));
        night.left.extend(self.stuck.values().map(|(_, left)| left.clone()));
        let resumes = self.goes_on && self.resumed.is_none_or(|at| at.elapsed() >= RESUME_AGAIN);
        if rested.is_empty() && !resumes && self.claims()?.is_empty() && self.begun()?.is_empty() {
            return Ok(());
        }
        let mut waiting = VecDeque::from(rested);
        let worked = self.work_on(night, &mut waiting, resumes);
        if let Err(Halt::Trouble(why) | Halt::Stopped(why) | Halt::Sheet(why)) = &worked
            && self.answers().is_ok()
        {
            let working = self.begun()?.into_iter().map(|name| format!("working/{name}"));
            night.left.extend(working.map(|name| LeftSheet::begun(name, why)));
            let claims = self.claims()?.into_iter().map(|claim| self.folder.shown(&claim));
            night.left.extend(claims.chain(waiting).map(|name| LeftSheet::waiting(name, why)));
        }
        if let Ok(ledger) = self.app.read_ledger() {
            night.standing = self.app.standing(&ledger).ok();
        }
        worked
    }

    /// Makes the backup that is due. It keeps no sheet from being booked; where it fails it is tried again later.
    fn back_up(&mut self, night: &mut Night) {
        let is_time = self.backed_up.is_none_or(|at| at.elapsed() >= BACK_UP_AGAIN);
        if !is_time || self.app.config().backup().is_none() {
            return;
        }
        self.backed_up = Some(Instant::now());
        let made = match self.app.scheduled_backup() {
            Ok(BackupEnd::Made { backup, .. }) => Ok(backup.file),
            Ok(BackupEnd::NotDue { .. }) | Err(Error::Ledger(LedgerError::Missing(_))) => return,
            Err(error) => Err(error_chain(&error)),
        };
        self.around.tell(&Told::BackedUp(made.as_deref().map_err(String::as_str)));
        night.backup = Some(made);
    }

    fn work_on(&mut self, night: &mut Night, waiting: &mut VecDeque<String>, resumes: bool) -> Result<(), Halt> {
        let (app, working) = (self.app, self.folder.tray(Tray::Working));
        let book = app.taken_book(self.folder.root())?;
        let _lock = self.folder.lock(book.ledger(), &self.station)?;
        // What would keep every sheet from being sent is told before one is claimed.
        drop(app.connect(&app.config().booking(&self.options.booking))?);
        let begun = self.begun()?.into_iter().map(|name| working.join(name)).chain(self.claims()?);
        let all: Vec<PathBuf> = begun.chain(waiting.iter().map(|name| self.folder.root().join(name))).collect();
        self.together = read_waiting(app, &book, &all)?;
        if resumes {
            self.resume(night)?;
        }
        for claim in self.claims()? {
            let begun = self.filing(&book).begin(&claim, &claimed_name(&claim)).map(drop);
            self.or_stuck(night, &claim, begun)?;
        }
        for name in self.begun()? {
            let path = working.join(&name);
            let recorded = self.filing(&book).recorded(&name, &path);
            let recorded = recorded.map(|recorded| recorded.err().into_iter().for_each(|own| self.filed(night, own)));
            self.or_stuck(night, &path, recorded)?;
        }
        for again in self.filing(&book).take_up_again()? {
            match again {
                Ok(Again { working, was_filed }) => drop(self.taken_up.insert(working, was_filed)),
                Err(left) => night.left.push(left),
            }
        }
        for name in self.begun()? {
            self.may_go_on()?;
            self.take(night, &book, &name, &working.join(&name))?;
        }
        // One that cannot be read may be any of them.
        let gone = if self.stuck.is_empty() { book.unfinished()? } else { Vec::new() };
        for sheet in gone.iter().filter(|sheet| !sheet.is_filed()) {
            let filed = self.filing(&book).gone(sheet, Exit::SheetProblems)?;
            self.filed(night, filed);
        }
        while !waiting.is_empty() {
            self.may_go_on()?;
            let Some(name) = waiting.pop_front() else { break };
            match self.filing(&book).claim(&name) {
                Ok(Some(claim)) => match self.filing(&book).begin(&claim, &name) {
                    Ok(working) => self.take(night, &book, &name, &working)?,
                    Err(halt) => self.or_stuck(night, &claim, Err(halt))?,
                },
                Ok(None) => {}
                Err(left) => night.left.push(left),
            }
        }
        for settled in self.filing(&book).settled_elsewhere()? {
            match settled {
                Ok(filed) => self.filed(night, filed),
                Err(left) => night.left.push(left),
            }
        }
        Ok(())
    }

    /// The names of the sheets in `working/` that nothing is known to be wrong with.
    fn begun(&self) -> Result<Vec<String>, Halt> {
        let mut begun = self.folder.working()?;
        begun.retain(|name| !self.stuck.contains_key(name));
        Ok(begun)
    }

    /// The sheets that are claimed and not recorded yet, which nothing is known to be wrong with.
    fn claims(&self) -> Result<Vec<PathBuf>, Halt> {
        let mut claims = self.folder.claims()?;
        claims.retain(|claim| !self.stuck.contains_key(&file_name(claim)));
        Ok(claims)
    }

    /// What is wrong with one sheet concerns no other: it is told, it stays in `working/`, and the others go on.
    fn or_stuck(&mut self, night: &mut Night, path: &Path, done: Result<(), Halt>) -> Result<(), Halt> {
        match done {
            Err(Halt::Sheet(why)) if self.folder.root().is_dir() => {
                let left = LeftSheet::stuck(self.folder.shown(path), &why);
                night.left.push(left.clone());
                self.stuck.insert(file_name(path), (Instant::now(), left));
                Ok(())
            }
            done => done,
        }
    }

    /// Goes on with a claimed sheet, from whatever step it has come to. A fault of the program's own at one sheet ends no other.
    fn take(&mut self, night: &mut Night, book: &TakenBook<'_>, name: &str, working: &Path) -> Result<(), Halt> {
        let taken = catch_unwind(AssertUnwindSafe(|| self.take_on(night, book, name, working)));
        let taken = taken.or_else(|_| catch_unwind(AssertUnwindSafe(|| self.set_aside(night, book, name, working))));
        let taken = taken.unwrap_or_else(|_| Err(Halt::Sheet("the program hits a fault of its own at it".to_owned())));
        self.or_stuck(night, working, taken)
    }

    /// Files a sheet for a person that the program hit a fault of its own at; whatever was booked of it stays recorded.
    fn set_aside(&mut self, night: &mut Night, book: &TakenBook<'_>, name: &str, working: &Path) -> Result<(), Halt> {
        let filed = match self.filing(book).recorded(name, working)? {
            Ok(sheet) => {
                let orders = self.filing(book).orders_of(&sheet)?;
                let outcome = Outcome::fault(&sheet, orders, &self.options.command, &self.options.words);
                self.filing(book).file(&sheet, working, outcome)?
            }
            Err(filed) => filed,
        };
        self.filed(night, filed);
        Ok(())
    }

    fn take_on(&mut self, night: &mut Night, book: &TakenBook<'_>, name: &str, working: &Path) -> Result<(), Halt> {
        let sheet = match self.filing(book).recorded(name, working)? {
            Ok(sheet) => sheet,
            Err(filed) => {
                self.filed(night, filed);
                return Ok(());
            }
        };
        if !self.together.is_empty() {
            // One that was taken up again, or that somebody wrote on meanwhile.
            read_one(self.app, &mut self.together, working)?;
        }
        let Options { command, words, .. } = &self.options;
        let (app, stop, booking, together) = (self.app, &self.stop, self.booking(), &self.together);
        let mut outcome = Booker { app, book, booking, together, command, words, stop }.book(&sheet, working)?;
        crash_point("watch-booked");
        self.goes_on &= !outcome.is_limited;
        let halt = outcome.halt.take();
        let filed = self.filing(book).file(&sheet, working, outcome)?;
        if let Some(was_filed) = self.taken_up.remove(working).filter(|_| filed.tray == Tray::Done) {
            self.filing(book).follows(&was_filed);
        }
        self.filed(night, filed);
        halt.map_or(Ok(()), |why| Err(Halt::Stopped(why)))
    }

    const fn filing<'f>(&'f self, book: &'f TakenBook<'_>) -> Filing<'f> {
        let Options { words, advice, .. } = &self.options;
        let (folder, station, app) = (&self.folder, self.station.as_str(), self.app);
        Filing { folder, book, station, app, advice, words }
    }

    fn filed(&mut self, night: &mut Night, filed: FiledSheet) {
        self.around.tell(&Told::Filed(&filed));
        night.filed.push(filed);
    }

    /// Sends what earlier passes left outstanding; what stops that would stop every sheet.
    fn resume(&mut self, night: &mut Night) -> Result<(), Halt> {
        self.resumed = Some(Instant::now());
        let OwnResumed { resumed, kept_back } =
            match self.app.resume_own(&self.booking(), &self.together, self.stop.clone()) {
                Err(Error::Interrupted) => return Err(Halt::Stopped(ASKED_TO_STOP.to_owned())),
                resumed => resumed?,
            };
        night.left.extend(kept_back.iter().map(LeftSheet::kept_back));
        let Some(resumed) = resumed else { return Ok(()) };
        self.around.tell(&Told::Resumed(&resumed));
        let stopped = Stopped::of(resumed.stopped.as_ref());
        night.resumed = Some(resumed);
        match stopped {
            Stopped::No => {}
            Stopped::Limited => self.goes_on = false,
            Stopped::Everything(why) => return Err(Halt::Stopped(why)),
        }
        Ok(())
    }

    /// Whether the folder answers: whoever asks a share that is stuck waits for as long as that lasts.
    fn answers(&mut self) -> Result<(), Halt> {
        let (folder, stop) = (self.folder.clone(), self.stop.clone());
        let look = move || drop((folder.waiting(), folder.working()));
        match self.probe.answered(look, self.options.patience, || stop.now() != Stop::No) {
            Answered::Yes => Ok(()),
            Answered::Given => Err(Halt::Stopped(ASKED_TO_STOP.to_owned())),
            Answered::No => {
                let (folder, seconds) = (self.options.folder.clone(), self.options.patience.as_secs());
                Err(FolderError::Silent { folder, seconds }.into())
            }
        }
    }

    /// A signal, the end of the time for it, or a folder that answers no more keeps the rest where it is.
    fn may_go_on(&mut self) -> Result<(), Halt> {
        self.answers()?;
        if self.stop.now() != Stop::No {
            return Err(Halt::Stopped(ASKED_TO_STOP.to_owned()));
        }
        match self.booking().deadline {
            Some(Duration::ZERO) => Err(Halt::Stopped("the time that the deadline allows is over".to_owned())),
            _ => Ok(()),
        }
    }

    /// How to book, with what is left of the time until the deadline.
    fn booking(&self) -> BookingOptions {
        let left = |deadline: Duration| deadline.saturating_sub(self.started.elapsed());
        BookingOptions { deadline: self.options.booking.deadline.map(left), ..self.options.booking.clone() }
    }

    fn complain(&mut self, why: &str) {
        if self.trouble.as_deref() != Some(why) {
            self.around.tell(&Told::Trouble(why));
            self.trouble = Some(why.to_owned());
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads the sheets of a night where one of them could say otherwise of an order than another one, or than an earlier night; what
/// they take back is not sent any more.
fn read_waiting(app: &App, book: &TakenBook<'_>, all: &[PathBuf]) -> Result<WaitingSheets, Halt> {
    let mut sheets = WaitingSheets::default();
    if all.is_empty() || (all.len() == 1 && !book.has_unsent()? && book.unfinished()?.is_empty()) {
        return Ok(sheets);
    }
    all.iter().try_for_each(|path| read_one(app, &mut sheets, path))?;
    book.revise(&sheets)?;
    Ok(sheets)
}

/// Reads one sheet more. One that cannot be read, or that the program hits a fault of its own at, says nothing: why is told when
/// it is its turn.
fn read_one(app: &App, sheets: &mut WaitingSheets, path: &Path) -> Result<(), Halt> {
    let Ok((bytes, sha256)) = digest(path) else { return Ok(()) };
    if bytes == 0 || sheets.has(&sha256) {
        return Ok(());
    }
    match catch_unwind(AssertUnwindSafe(|| app.read_waiting(sheets, path, sha256))) {
        Ok(Err(error)) if !is_of_the_sheet(&error) => Err(error.into()),
        _ => Ok(()),
    }
}
