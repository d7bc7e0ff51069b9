//! One pass over the folder, from what earlier passes left to the exit code, and passes one after the other.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::app::{App, Error, Exit, Resumed, Standing, TakenBook, host};
use crate::book::{Stop, StopSignal, StoppedBy};
use crate::config::BookingOptions;
use crate::finding::english::Words;
use crate::ledger::{Tray, crash_point};
use crate::report::Orders;

use super::folder::{Folder, FolderError};
use super::look::Looks;
use super::words::error_chain;

/// How long what is outstanding waits before it is tried again within one process.
const RESUME_AGAIN: Duration = Duration::from_mins(15);

/// How to watch.
#[derive(Clone)]
pub struct Options {
    /// The folder.
    pub folder: PathBuf,
    /// Between two looks at it.
    pub interval: Duration,
    /// How long a sheet stays as it is before it is taken.
    pub rest: Duration,
    /// How to book each sheet; the deadline counts from the start.
    pub booking: BookingOptions,
    /// How people call this program, in reports.
    pub command: String,
    /// The words for remedies, in reports.
    pub words: Words,
}

/// What is around a watcher: time that passes, and somebody who is told what happens.
pub trait Around {
    /// Lets time pass, or less of it where the watcher is to stop.
    fn wait(&mut self, time: Duration);
    /// Hears what happens.
    fn tell(&mut self, told: &Told<'_>);
}

/// What happens.
#[derive(Debug)]
pub enum Told<'t> {
    /// Orders of earlier passes went on.
    Resumed(&'t Resumed),
    /// A sheet is filed.
    Filed(&'t FiledSheet),
    /// A sheet stays in the folder for now.
    Left(&'t LeftSheet),
    /// What keeps the watcher from its work; told once, until it changes.
    Trouble(&'t str),
    /// It can work again.
    Recovered,
}

/// A sheet that is filed.
#[derive(Debug, Clone)]
pub struct FiledSheet {
    /// What it was called in the folder.
    pub name: String,
    /// Where it is put.
    pub tray: Tray,
    /// Its path in the folder; none where it is gone.
    pub path: Option<String>,
    /// The run that booked it.
    pub run: Option<i64>,
    /// Where its orders stand.
    pub orders: Orders,
    /// What became of it, in one line.
    pub said: String,
    /// How that would end an import.
    pub exit: Exit,
    /// Report, results and rows to fix.
    pub beside: Vec<String>,
}

/// A sheet that stays in the folder for now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftSheet {
    /// What it is called.
    pub name: String,
    /// Why.
    pub why: String,
    /// How that ends a night.
    pub exit: Exit,
}

/// What a pass came to.
#[derive(Debug, Default)]
pub struct Night {
    /// What earlier passes had left outstanding.
    pub resumed: Option<Resumed>,
    /// What was filed.
    pub filed: Vec<FiledSheet>,
    /// What stays in the folder.
    pub left: Vec<LeftSheet>,
    /// What kept it from its work.
    pub trouble: Option<String>,
    /// What the whole ledger has open.
    pub standing: Option<Standing>,
}

/// Why a pass ends before all sheets were tried.
#[derive(Debug)]
pub(super) enum Halt {
    /// Something keeps it from its work.
    Trouble(String),
    /// What concerns all sheets stopped a run.
    Stopped(String),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Trouble(error_chain(&error))
    }
}

impl From<FolderError> for Halt {
    fn from(error: FolderError) -> Self {
        Self::Trouble(error_chain(&error))
    }
}

/// Watches a folder.
pub struct Watcher<'a> {
    pub(super) app: &'a App,
    pub(super) options: Options,
    pub(super) stop: StopSignal,
    pub(super) folder: Folder,
    /// This machine's name, as it can stand in the name of a file.
    pub(super) station: String,
    /// Whether this process goes on with what is outstanding: not where a person's limit stopped it.
    pub(super) goes_on: bool,
    around: &'a mut dyn Around,
    looks: Looks,
    started: Instant,
    resumed: Option<Instant>,
    trouble: Option<String>,
    /// What was told last of sheets that stay in the folder.
    left: Vec<LeftSheet>,
    /// Sheets that have not come to rest.
    moving: Vec<LeftSheet>,
}

impl<'a> Watcher<'a> {
    /// A watcher of a folder that is there.
    ///
    /// # Errors
    /// It is not there, or no folder.
    pub fn new(
        app: &'a App,
        options: Options,
        stop: StopSignal,
        around: &'a mut dyn Around,
    ) -> Result<Self, FolderError> {
        let folder = Folder::open(&options.folder)?;
        let plain = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
        let station = host().chars().map(plain).collect();
        let (looks, started) = (Looks::default(), Instant::now());
        let (resumed, trouble, goes_on, left, moving) = (None, None, true, Vec::new(), Vec::new());
        Ok(Self { app, options, stop, folder, station, goes_on, around, looks, started, resumed, trouble, left, moving })
    }

    /// One pass, once what lies there has come to rest.
    pub fn once(&mut self) -> Night {
        match self.folder.waiting() {
            Ok(found) => drop(self.looks.look(found, self.options.rest)),
            Err(error) => self.complain(&error_chain(&error)),
        }
        self.around.wait(self.options.rest);
        let night = self.pass();
        self.moving.iter().for_each(|left| self.around.tell(&Told::Left(left)));
        night
    }

    /// Passes until it is to stop; `ended` hears of each that had something to do.
    pub fn watch(&mut self, ended: &mut dyn FnMut(&Night)) -> Exit {
        let mut exit = Exit::Done;
        while self.stop.now() == Stop::No {
            let night = self.pass();
            if night.standing.is_some() || night.trouble.is_some() {
                exit = night.exit();
                ended(&night);
            }
            self.around.wait(self.options.interval);
        }
        exit
    }

    fn pass(&mut self) -> Night {
        let mut night = Night::default();
        if let Err(Halt::Trouble(why)) = self.work(&mut night) {
            self.complain(&why);
            night.trouble = Some(why);
        } else if self.trouble.take().is_some() {
            self.around.tell(&Told::Recovered);
        }
        for left in night.left.iter().filter(|left| !self.left.contains(left)) {
            self.around.tell(&Told::Left(left));
        }
        self.left.clone_from(&night.left);
        night.left.extend_from_slice(&self.moving);
        night
    }

    fn work(&mut self, night: &mut Night) -> Result<(), Halt> {
        let (rested, moving) = self.looks.look(self.folder.waiting()?, self.options.rest);
        self.moving = moving.into_iter().map(|name| LeftSheet::waiting(name, "it is not at rest yet")).collect();
        self.folder.prepare()?;
        let resumes = self.goes_on && self.resumed.is_none_or(|at| at.elapsed() >= RESUME_AGAIN);
        if rested.is_empty() && !resumes && self.folder.working()?.is_empty() {
            return Ok(());
        }
        let mut waiting = VecDeque::from(rested);
        let worked = self.work_on(night, &mut waiting, resumes);
        if let Err(Halt::Trouble(why) | Halt::Stopped(why)) = &worked {
            let claimed = self.folder.working()?.into_iter().map(|name| format!("working/{name}"));
            night.left.extend(claimed.chain(waiting).map(|name| LeftSheet::waiting(name, why)));
        }
        if let Ok(ledger) = self.app.read_ledger() {
            night.standing = self.app.standing(&ledger).ok();
        }
        worked
    }

    fn work_on(&mut self, night: &mut Night, waiting: &mut VecDeque<String>, resumes: bool) -> Result<(), Halt> {
        let (app, working) = (self.app, self.folder.tray(Tray::Working));
        let book = app.taken_book(self.folder.root())?;
        let _lock = self.folder.lock(book.ledger(), &self.station)?;
        // What would keep every sheet from being sent is told before one is claimed.
        drop(app.connect(&app.config().booking(&self.options.booking))?);
        if resumes {
            self.resume(night)?;
        }
        for name in self.folder.working()? {
            if let Err(filed) = self.recorded(&book, &working.join(name))? {
                self.filed(night, filed);
            }
        }
        self.refile(&book)?;
        for name in self.folder.working()? {
            self.may_go_on()?;
            self.take(night, &book, &working.join(name))?;
        }
        for sheet in book.unfinished()?.iter().filter(|sheet| !sheet.is_filed()) {
            let filed = self.gone(&book, sheet, Exit::SheetProblems)?;
            self.filed(night, filed);
        }
        while !waiting.is_empty() {
            self.may_go_on()?;
            match waiting.pop_front().map_or(Ok(None), |name| self.claim(&name)) {
                Ok(Some(claimed)) => self.take(night, &book, &claimed)?,
                Ok(None) => {}
                Err(left) => night.left.push(left),
            }
        }
        Ok(())
    }

    /// Goes on with a claimed sheet, from whatever step it has come to.
    fn take(&mut self, night: &mut Night, book: &TakenBook<'_>, working: &Path) -> Result<(), Halt> {
        let mut halt = None;
        let filed = match self.recorded(book, working)? {
            Err(filed) => filed,
            Ok(sheet) => {
                let mut outcome = self.book(book, &sheet, working)?;
                crash_point("watch-booked");
                halt = outcome.halt.take();
                self.file(book, &sheet, working, outcome)?
            }
        };
        self.filed(night, filed);
        halt.map_or(Ok(()), |why| Err(Halt::Stopped(why)))
    }

    fn filed(&mut self, night: &mut Night, filed: FiledSheet) {
        self.around.tell(&Told::Filed(&filed));
        night.filed.push(filed);
    }

    /// Sends what earlier passes left outstanding; what stops that would stop every sheet.
    fn resume(&mut self, night: &mut Night) -> Result<(), Halt> {
        self.resumed = Some(Instant::now());
        let Some(resumed) = self.app.resume_own(&self.booking(), self.stop.clone())? else { return Ok(()) };
        self.around.tell(&Told::Resumed(&resumed));
        let stopped = resumed.stopped.clone();
        night.resumed = Some(resumed);
        match stopped {
            Some((StoppedBy::Limit, _)) => {
                self.goes_on = false;
                Ok(())
            }
            None | Some((StoppedBy::Refusals, _)) => Ok(()),
            Some((_, why)) => Err(Halt::Stopped(why)),
        }
    }

    /// A signal, or the end of the time for it, keeps the rest where it is.
    fn may_go_on(&self) -> Result<(), Halt> {
        if self.stop.now() != Stop::No {
            return Err(Halt::Stopped("a person or the system asked to stop".to_owned()));
        }
        match self.booking().deadline {
            Some(Duration::ZERO) => Err(Halt::Stopped("the time that the deadline allows is over".to_owned())),
            _ => Ok(()),
        }
    }

    /// How to book, with what is left of the time until the deadline.
    pub(super) fn booking(&self) -> BookingOptions {
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

impl LeftSheet {
    /// One that the next pass goes on with.
    fn waiting(name: String, why: &str) -> Self {
        Self { name, why: why.to_owned(), exit: Exit::Outstanding }
    }
}

impl Night {
    /// How it ends, for scripts: the gravest of all sheets, of what stays in the folder, and of the whole ledger.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let filed = self.filed.iter().map(|sheet| sheet.exit);
        let left = self.left.iter().map(|sheet| sheet.exit);
        let others = [
            self.trouble.as_ref().map(|_| Exit::CouldNotRun),
            self.resumed.as_ref().map(|resumed| resumed.exit),
            self.standing.as_ref().map(Standing::exit),
        ];
        filed.chain(left).chain(others.into_iter().flatten()).max_by_key(|exit| grave(*exit)).unwrap_or(Exit::Done)
    }
}

/// What could not run at all is graver than what a person has to settle.
const fn grave(exit: Exit) -> u8 {
    match exit {
        Exit::CouldNotRun => u8::MAX,
        exit => exit.code(),
    }
}
