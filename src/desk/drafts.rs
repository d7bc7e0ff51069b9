//! Drafts that are open: one piece of work at a time with each of them, which goes on whether or not somebody waits for it.

use std::sync::mpsc::{RecvTimeoutError, SendError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::app::draft::{Checked, Draft, DraftColumn, DraftSheet};
use crate::app::{self, App, ColumnRole, LedgerMark};
use crate::event::Stream;
use crate::sheet::SheetError;
use crate::stage::StageError;

use super::trouble::{Result, Trouble};

/// So long a page waits for a draft before it says what is being done with it.
const PATIENCE: Duration = Duration::from_millis(800);
/// Drafts that are kept in memory; any other one is read again.
const DRAFTS_MAX: usize = 3;

/// The drafts that are open, the one that was used last at the end.
#[derive(Default)]
pub(super) struct Drafts(Mutex<Vec<Arc<Place>>>);

/// The place of one draft.
struct Place {
    id: String,
    state: Mutex<State>,
    is_back: Condvar,
}

#[derive(Default)]
struct State {
    draft: Option<Held>,
    /// What is being done with it; nothing while it is here.
    doing: Option<Doing>,
    /// Why work failed that nobody waited for.
    failed: Option<Trouble>,
    /// Whether what comes back is to be read again.
    is_stale: bool,
    /// The name for its layout, once it can be kept.
    layout_wanted: Option<String>,
    /// Whether it was dropped at this desk, and not read yet.
    is_new: bool,
}

/// What is being done with a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Doing {
    /// It is looked at for a moment.
    Looked,
    /// It is read and checked as a whole.
    Read,
    /// An answer is checked.
    Answered,
    /// Its orders are booked.
    Booked,
}

/// A draft, and how the ledger was when it was checked.
struct Held {
    draft: Draft,
    seen: Option<LedgerMark>,
}

/// A draft in the hands of one piece of work. Dropped, it is back in its place.
pub(super) struct Taken {
    place: Arc<Place>,
    held: Option<Held>,
}

impl Drafts {
    /// What is being done with a draft just now.
    pub(super) fn doing(&self, id: &str) -> Option<Doing> {
        self.known(id).and_then(|place| place.state().doing)
    }

    /// What a draft came to, where it is here.
    pub(super) fn glance<T>(&self, id: &str, at: impl FnOnce(&Checked) -> T) -> Option<T> {
        let place = self.known(id)?;
        let state = place.state();
        state.draft.as_ref().and_then(|held| held.draft.checked()).filter(|checked| checked.is_usable()).map(at)
    }

    /// Why drafts could not be read whose pages nobody has looked at since.
    pub(super) fn failures(&self) -> Vec<Trouble> {
        self.places().iter().filter_map(|place| place.state().failed.take()).collect()
    }

    /// A draft to work with; nothing while something else is done with it for long.
    pub(super) fn take(&self, app: &App, id: &str) -> Result<Option<Taken>> {
        let place = self.place(id);
        let Some(mut taken) = Taken::of(&place)? else { return Ok(None) };
        // Another desk, or a booking, may have changed it since.
        let there = app.draft(id)?;
        if taken.held.as_ref().is_none_or(|held| held.draft.revision() != there.revision()) {
            taken.held = Some(Held { draft: there, seen: None });
        }
        Ok(Some(taken))
    }

    /// A draft that is checked beside what the ledger knows by now; nothing as long as that is being done.
    pub(super) fn checked(&self, app: &Arc<App>, id: &str) -> Result<Option<Taken>> {
        let Some(mut taken) = self.take(app, id)? else { return Ok(None) };
        if taken.is_checked(app) {
            return Ok(Some(taken));
        }
        let app = Arc::clone(app);
        let done = taken.work(Doing::Read, move |taken| taken.check_again(&app))?;
        Ok(done.map(|(taken, ())| taken))
    }

    /// Notes that a draft was dropped here: if it turns out to be no sheet, it is not kept.
    pub(super) fn came(&self, id: &str) {
        self.place(id).state().is_new = true;
    }

    /// Begins to read a draft; its pages wait for it.
    pub(super) fn begin(&self, app: &Arc<App>, id: &str) -> Result<()> {
        self.checked(app, id).map(drop)
    }

    /// Forgets what is in memory of a draft. Gives what is being done with it, where something is: then it stays.
    pub(super) fn forget(&self, id: &str) -> Option<Doing> {
        let mut places = self.places();
        let doing = places.iter().find(|place| place.id == id).and_then(|place| place.state().doing);
        if doing.is_none() {
            places.retain(|place| place.id != id);
        }
        doing
    }

    /// Has every draft read again. One with which something is being done is read again after that.
    pub(super) fn forget_all(&self) {
        for place in self.places().iter() {
            let mut state = place.state();
            state.draft = None;
            state.is_stale = state.doing.is_some();
        }
    }

    fn places(&self) -> MutexGuard<'_, Vec<Arc<Place>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, id: &str) -> Option<Arc<Place>> {
        self.places().iter().find(|place| place.id == id).cloned()
    }

    /// The place of a draft. Those that were not used for longest leave memory.
    fn place(&self, id: &str) -> Arc<Place> {
        let mut places = self.places();
        let known = places.iter().position(|place| place.id == id).map(|index| places.remove(index));
        let new = || Place { id: id.to_owned(), state: Mutex::default(), is_back: Condvar::new() };
        let place = known.unwrap_or_else(|| Arc::new(new()));
        let mut over = (places.len() + 1).saturating_sub(DRAFTS_MAX);
        places.retain(|other| {
            let state = other.state();
            let leaves = over > 0 && state.doing.is_none() && state.failed.is_none();
            over -= usize::from(leaves);
            !leaves
        });
        places.push(Arc::clone(&place));
        place
    }
}

impl Place {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn of(place: &Arc<Place>) -> Result<Option<Self>> {
        let waited = place.is_back.wait_timeout_while(place.state(), PATIENCE, |state| state.doing.is_some());
        let (mut state, waited) = waited.unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            return Ok(None);
        }
        if let Some(trouble) = state.failed.take() {
            return Err(trouble);
        }
        state.doing = Some(Doing::Looked);
        Ok(Some(Self { place: Arc::clone(place), held: state.draft.take() }))
    }

    /// Does something that may take long on a thread of its own, and waits for a moment. Gives nothing where it goes on: it
    /// comes to its end all the same, and a page shows what it came to.
    pub(super) fn work<T: Send + 'static>(
        mut self,
        doing: Doing,
        work: impl FnOnce(&mut Self) -> Result<T> + Send + 'static,
    ) -> Result<Option<(Self, T)>> {
        let (sender, receiver) = channel();
        self.place.state().doing = Some(doing);
        let run = move || {
            let done = work(&mut self);
            if let Err(SendError((taken, Err(trouble)))) = sender.send((self, done)) {
                taken.place.state().failed = Some(trouble);
            }
        };
        std::thread::Builder::new().name("draft".to_owned()).spawn(run)?;
        match receiver.recv_timeout(PATIENCE) {
            Ok((taken, done)) => Ok(Some((taken, done?))),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Trouble::Failed),
        }
    }

    /// Says what is done with it, where that lasts.
    pub(super) fn is_for(&self, doing: Doing) {
        self.place.state().doing = Some(doing);
    }

    /// Notes what its layout is to be called, once it can be kept; or that this is over.
    pub(super) fn wants_layout(&self, called: Option<&str>) {
        self.place.state().layout_wanted = called.map(str::to_owned);
    }

    /// The name for its layout, where a person wants one and it could not be kept yet.
    pub(super) fn layout_wanted(&self) -> Option<String> {
        self.place.state().layout_wanted.clone()
    }

    /// The draft.
    pub(super) fn draft(&self) -> Result<&Draft> {
        self.held.as_ref().map(|held| &held.draft).ok_or(Trouble::Failed)
    }

    /// The draft, to be changed.
    pub(super) fn draft_mut(&mut self) -> Result<&mut Draft> {
        self.held.as_mut().map(|held| &mut held.draft).ok_or(Trouble::Failed)
    }

    /// What it came to.
    pub(super) fn result(&self) -> Result<&Checked> {
        self.draft()?.checked().ok_or(Trouble::Failed)
    }

    /// Whether it was checked since something was said of it or written into the ledger that may change what it comes to.
    fn is_checked(&mut self, app: &App) -> bool {
        let Some(Held { draft, seen }) = &mut self.held else { return false };
        let Some(checked) = draft.checked().filter(|own| own.revision() == draft.revision()) else { return false };
        let Some(before) = seen.take() else { return false };
        // A ledger that cannot be read is taken for changed.
        *seen = app.ledger_mark_since(draft.id(), &before, |sent| checked.has_any(sent)).unwrap_or_default();
        seen.is_some()
    }

    /// Checks it once more where something was said of it or written into the ledger since.
    pub(super) fn check_again(&mut self, app: &App) -> Result<()> {
        if self.is_checked(app) { Ok(()) } else { self.check(app) }
    }

    /// Checks it beside what the ledger knows by now. A file that was dropped here and is no sheet is not kept as a draft.
    pub(super) fn check(&mut self, app: &App) -> Result<()> {
        let is_new = std::mem::take(&mut self.place.state().is_new);
        let Some(held) = &mut self.held else { return Err(Trouble::Failed) };
        let mark = app.ledger_mark(held.draft.id()).ok();
        if let Err(error) = held.draft.recheck(app, &mut Stream::silent()) {
            let is_no_sheet = matches!(&error, app::Error::Stage(StageError::Sheet(own)) if !is_a_question(own));
            if is_no_sheet && is_new {
                let _ = app.clear_draft(held.draft.id(), Some(0));
            }
            return Err(error.into());
        }
        if is_new && is_prose(&mut held.draft, app)? {
            let _ = app.clear_draft(held.draft.id(), Some(0));
            return Err(Trouble::NoSheet(held.draft.file().to_owned()));
        }
        held.seen = mark;
        Ok(())
    }

    /// Leaves nothing of the draft in memory: it is read again when it is looked at next.
    pub(super) fn let_go(mut self) {
        self.held = None;
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut state = self.place.state();
        // What broke off in the middle of something is read again.
        let is_stale = std::mem::take(&mut state.is_stale);
        let held = self.held.take().filter(|_| !std::thread::panicking() && !is_stale);
        (state.draft, state.doing) = (held, None);
        self.place.is_back.notify_all();
    }
}

/// Whether a sheet can be read once a person has said which part of it is meant.
fn is_a_question(error: &SheetError) -> bool {
    matches!(error, SheetError::SeveralWorksheets { .. } | SheetError::NoHeader { .. })
}

/// Words of a cell, on average, from which on columns that nobody knows are sentences that were cut at their commas.
const PROSE_WORDS: usize = 3;

/// Whether a file that cannot be used is a text and no table: it has a single column, or none that anything tells and
/// sentences in all of them.
fn is_prose(draft: &mut Draft, app: &App) -> Result<bool> {
    if draft.checked().is_some_and(Checked::is_usable) {
        return Ok(false);
    }
    let sheets = draft.columns(app, &mut Stream::silent())?;
    let is_of_words = |columns: &[DraftColumn]| {
        let cells = columns.iter().flat_map(|column| std::iter::once(&column.header).chain(&column.values));
        let (cells, words) =
            cells.fold((0, 0), |(cells, words), text| (cells + 1, words + text.split_whitespace().count()));
        words >= PROSE_WORDS * cells
    };
    let is_told = |column: &DraftColumn| column.is.iter().any(|role| matches!(role, ColumnRole::Field(_)));
    let is_text = |sheet: &DraftSheet| {
        sheet.columns.len() < 2 || (!sheet.columns.iter().any(is_told) && is_of_words(&sheet.columns))
    };
    Ok(sheets.iter().all(is_text))
}
