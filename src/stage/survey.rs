//! The first pass: how many rows each order has, and what the columns show, such as how they write numbers and dates.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::checks::consents as says_yes;
use crate::column::{Columns, Feed, Look, RowRef, Sheets};
use crate::event::{Event, Events, Pass};
use crate::field::Level;
use crate::order::{Census, key};
use crate::parse::{ColumnFormat, unmarked};
use crate::profile::Mapped;
use crate::sheet::{self, CellKind, Landmarks, Portion, ReadEnd, SheetError};

use super::error::StageError;
use super::lanes::{Outlet, in_lanes};
use super::opened::{Opened, OpenedSheet};

/// A portion of a sheet, by the sheet's number.
type Numbered = (u16, Portion);

/// Hands out all sheets, portion by portion.
fn portions(opened: &Opened, outlet: &mut Outlet<Numbered>) -> Result<(), SheetError> {
    for (number, planned) in (0_u16..).zip(&opened.sheets) {
        let mut stopped = false;
        planned.sheet.portions(&mut |portion| {
            let flow = outlet.put((number, std::mem::take(portion)));
            stopped = flow.is_break();
            flow
        })?;
        if stopped {
            break;
        }
    }
    Ok(())
}

/// Some portions, by their sheets and their places in these.
pub type Part = BTreeSet<(u16, usize)>;

/// The places of those of one sheet.
#[must_use]
pub fn places_in(part: &Part, sheet: u16) -> BTreeSet<usize> {
    part.range((sheet, 0)..=(sheet, usize::MAX)).map(|(_, place)| *place).collect()
}

/// What one portion shows.
#[derive(Debug, Default)]
struct Seen {
    /// Order numbers by their key, with their rows in succession.
    numbers: Vec<(u64, u32)>,
    shown: Look,
    /// Rows at its beginning whose meaning hangs on those above.
    head: Vec<sheet::Row>,
    /// Where the last row left its profile; nothing where all of them are its head.
    mapped: Option<Mapped>,
    read: ReadEnd,
    stretch: Stretch,
}

/// The rows of one portion.
#[derive(Debug, Clone, Copy, Default)]
struct Stretch {
    /// The numbers of the first and of the last one.
    ends: Option<(u32, u32)>,
    /// Whether some of them can be read without those above the portion.
    settles: bool,
}

/// What the first reading of sheets has shown: a second one needs it.
#[derive(Debug)]
pub struct Surveyed {
    pub(super) census: Census,
    pub(super) sheets: Sheets,
    /// Of each sheet.
    looks: Vec<Look>,
    landmarks: Vec<Landmarks>,
    stretches: Vec<Vec<Stretch>>,
    /// What each portion has shown, where that is kept to look at some of them again.
    seen: Option<Vec<Vec<Arc<Seen>>>>,
}

impl Surveyed {
    /// The columns, once all cells of them are seen.
    #[must_use]
    pub const fn sheets(&self) -> &Sheets {
        &self.sheets
    }

    /// How many rows the order of that number has.
    pub(crate) fn rows_of(&self, number: &str) -> u32 {
        self.census.rows(key(number)).unwrap_or_default()
    }

    /// Whether both have shown the same: what one order of the second comes to hangs on its own rows alone.
    pub(crate) fn shows_the_same(&self, other: &Self) -> bool {
        self.census == other.census && self.landmarks == other.landmarks && self.looks == other.looks
    }

    /// Whether the sheets reach to a row: blank or not, it stands above their ends.
    #[must_use]
    pub fn has(&self, row: RowRef) -> bool {
        !self.standing_in([row]).is_empty()
    }

    /// The portions in which these rows stand.
    pub(crate) fn standing_in(&self, rows: impl IntoIterator<Item = RowRef>) -> Part {
        let mut part = Part::new();
        for RowRef { sheet, row } in rows {
            let stretches = self.stretches.get(usize::from(sheet)).into_iter().flatten().enumerate();
            let own = stretches.filter(|(_, own)| own.ends.is_some_and(|(first, last)| (first..=last).contains(&row)));
            part.extend(own.map(|(index, _)| (sheet, index)));
        }
        part
    }

    /// The same sheets once more, of which nothing but these rows is another one since. Nothing where all of them have to be
    /// looked at: what was seen was not kept, or a row changes what stands below it.
    pub fn again(&self, opened: &Opened, rows: impl IntoIterator<Item = RowRef>) -> Result<Option<Self>, StageError> {
        let changes_below = |landmarks: &[Landmarks]| landmarks.iter().any(|own| *own != Landmarks::default());
        let Some(mut seen) = self.seen.clone().filter(|_| !changes_below(&self.landmarks)) else { return Ok(None) };
        let (part, mut survey) = (self.standing_in(rows), Survey::new(opened));
        for (number, own) in (0_u16..).zip(&mut seen) {
            survey.surveyors[usize::from(number)].again(&places_in(&part, number), own)?;
            own.iter().try_for_each(|seen| survey.take(usize::from(number), seen))?;
        }
        Ok(Some(survey.end(opened, Some(seen))).filter(|survey| !changes_below(&survey.landmarks)))
    }

    /// The portions in which these rows stand, with those above them on which their meaning may hang.
    pub(crate) fn part_of(&self, rows: impl IntoIterator<Item = RowRef>) -> Part {
        let own = self.standing_in(rows);
        let with_above = |(sheet, index): (u16, usize)| {
            let above = self.stretches[usize::from(sheet)][..index].iter().rposition(|other| other.settles);
            (above.unwrap_or_default()..=index).map(move |index| (sheet, index))
        };
        own.into_iter().flat_map(with_above).collect()
    }
}

/// Looks at rows of one sheet.
struct Surveyor<'a> {
    planned: &'a OpenedSheet,
    columns: &'a Columns,
    /// The fields whose columns have habits.
    judged: Vec<Feed>,
    /// What is looked at, before anything is shown.
    blank: Look,
}

impl<'a> Surveyor<'a> {
    fn new(opened: &'a Opened, sheet: u16) -> Self {
        let planned = &opened.sheets[usize::from(sheet)];
        let columns = opened.columns.of(sheet);
        let judged: Vec<Feed> = columns.fed().filter(|feed| ColumnFormat::matters(feed.field.kind)).collect();
        let blank = columns.blank_look(judged.iter().map(Feed::id));
        Self { planned, columns, judged, blank }
    }

    /// Learns from a row; `is_first` says whether it is the first of its order, and `repeats` whether it says the same of its
    /// order as the row above, of which all is learnt.
    fn learn(&self, shown: &mut Look, row: &sheet::Row, mapped: &Mapped, (is_first, repeats): (bool, bool)) {
        let text = |column: u32| row.cell(column as usize).text;
        shown.ends.learn(row);
        let judged = self.judged.iter().zip(&mut shown.habits);
        for (feed, (_, habit)) in judged.filter(|(feed, _)| !repeats || feed.field.level == Level::Line) {
            let (text, kind) = mapped.cell(row, feed.field.id, feed.column, feed.step);
            let learn = if kind == CellKind::Text { ColumnFormat::learn } else { ColumnFormat::learn_number };
            learn(habit, feed.field.kind, text);
        }
        shown.consents.iter_mut().for_each(|(column, is_there)| *is_there = *is_there || says_yes(text(*column)));
        shown.days.iter_mut().filter(|_| is_first).for_each(|(column, days)| days.take(text(*column)));
    }

    /// Makes a row's values. Gives whether it counts: it is neither blank nor left out.
    fn counts(&self, row: &sheet::Row, mapped: &mut Mapped) -> bool {
        !row.is_blank() && row.skip().is_none() && self.columns.mapper.map(row, mapped).is_none()
    }

    /// The order number of a row, empty where it has none.
    fn number<'r>(&self, row: &'r sheet::Row, mapped: &'r Mapped) -> &'r str {
        let text = |fed: Feed| unmarked(fed.id().field(), mapped.cell(row, fed.id(), fed.column, fed.step).0);
        self.columns.order_number.map_or("", text)
    }

    /// Looks again at the portions in these places.
    fn again(&self, places: &BTreeSet<usize>, seen: &mut [Arc<Seen>]) -> Result<(), SheetError> {
        let Some(last) = places.last() else { return Ok(()) };
        let (mut place, mut failure) = (0, None);
        self.planned.sheet.portions(&mut |portion| {
            if let Some(own) = seen.get_mut(place).filter(|_| places.contains(&place)) {
                match self.portion(portion) {
                    Ok(seen) => *own = Arc::new(seen),
                    Err(error) => failure = Some(error),
                }
            }
            place += 1;
            if failure.is_some() || place > *last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        failure.map_or(Ok(()), Err)
    }

    fn portion(&self, portion: &Portion) -> Result<Seen, SheetError> {
        let mut seen = Seen { shown: self.blank.clone(), ..Seen::default() };
        let mut mapped = Mapped::default();
        let mut first: Option<String> = None;
        let mut is_head = !self.columns.mapper.is_identity();
        let mut lead_above = String::new();
        let stretch = &mut seen.stretch;
        seen.read = self.planned.sheet.rows(portion, &mut |row| {
            let (first_row, last_row) = stretch.ends.unwrap_or((row.number(), row.number()));
            stretch.ends = Some((first_row.min(row.number()), last_row.max(row.number())));
            let counts = self.counts(row, &mut mapped);
            let number = if counts { self.number(row, &mapped) } else { "" };
            is_head = is_head && (number.is_empty() || *first.get_or_insert_with(|| number.to_owned()) == number);
            if is_head {
                // What the head shows is learnt with the rows above it.
                seen.head.push(row.clone());
            } else if counts {
                let key = key(number);
                let above = seen.numbers.last_mut().filter(|(above, _)| *above == key);
                let is_first = above.is_none();
                match above {
                    Some((_, rows)) => *rows += 1,
                    None => seen.numbers.push((key, 1)),
                }
                let repeats = self.columns.has_lead(row, &lead_above);
                if !repeats {
                    self.columns.lead(row, &mut lead_above);
                }
                self.learn(&mut seen.shown, row, &mapped, (is_first, repeats));
            }
            ControlFlow::Continue(())
        })?;
        seen.stretch.settles = !is_head;
        seen.mapped = if is_head { None } else { Some(mapped) };
        Ok(seen)
    }
}

/// What is known of a sheet so far.
#[derive(Default)]
struct Known {
    shown: Look,
    mapped: Mapped,
    read: ReadEnd,
    stretches: Vec<Stretch>,
}

impl Known {
    /// Takes what the next portion shows.
    fn take(&mut self, seen: &Seen, surveyor: &Surveyor<'_>, census: &mut Census) -> Result<(), SheetError> {
        let mut shown = seen.shown.clone();
        for (index, row) in seen.head.iter().enumerate() {
            if surveyor.counts(row, &mut self.mapped) {
                surveyor.learn(&mut shown, row, &self.mapped, (index == 0, false));
                census.add(key(surveyor.number(row, &self.mapped)), 1);
            }
        }
        if let Some(mapped) = &seen.mapped {
            self.mapped.clone_from(mapped);
        }
        seen.numbers.iter().for_each(|(key, rows)| census.add(*key, *rows));
        self.shown.add(shown);
        self.stretches.push(seen.stretch);
        self.read = self.read.and(seen.read);
        surveyor.planned.sheet.allow(self.read)
    }
}

/// Counts the rows of every order and learns the columns' habits. Says how far it is with each portion. Where some of the rows
/// are looked at [again](Surveyed::again) later, it `keeps` what each portion shows.
pub fn survey(opened: &Opened, keeps: bool, events: &mut Events<'_>) -> Result<Surveyed, StageError> {
    let mut survey = Survey::new(opened);
    let mut seen_by_sheet: Vec<Vec<Arc<Seen>>> = vec![Vec::new(); opened.sheets.len()];
    let mut rows = 0;
    events.tell(&counting(0));
    let surveyors = surveyors(opened);
    in_lanes(
        |outlet| portions(opened, outlet),
        || |(sheet, portion): Numbered| (usize::from(sheet), surveyors[usize::from(sheet)].portion(&portion)),
        |(sheet, seen)| {
            let seen = seen?;
            rows += u64::from(seen.read.rows);
            survey.take(sheet, &seen)?;
            if keeps {
                seen_by_sheet[sheet].push(Arc::new(seen));
            }
            events.tell(&counting(rows));
            Ok(())
        },
    )??;
    Ok(survey.end(opened, keeps.then_some(seen_by_sheet)))
}

fn surveyors(opened: &Opened) -> Vec<Surveyor<'_>> {
    (0..).take(opened.sheets.len()).map(|sheet| Surveyor::new(opened, sheet)).collect()
}

/// What all portions that were taken so far have shown.
struct Survey<'a> {
    surveyors: Vec<Surveyor<'a>>,
    known: Vec<Known>,
    census: Census,
}

impl<'a> Survey<'a> {
    fn new(opened: &'a Opened) -> Self {
        let surveyors = surveyors(opened);
        let blank = |surveyor: &Surveyor<'_>| Known { shown: surveyor.blank.clone(), ..Known::default() };
        Self { known: surveyors.iter().map(blank).collect(), surveyors, census: Census::default() }
    }

    fn take(&mut self, sheet: usize, seen: &Seen) -> Result<(), SheetError> {
        self.known[sheet].take(seen, &self.surveyors[sheet], &mut self.census)
    }

    fn end(self, opened: &Opened, seen: Option<Vec<Vec<Arc<Seen>>>>) -> Surveyed {
        let (looks, stretches): (Vec<Look>, _) = self.known.into_iter().map(|own| (own.shown, own.stretches)).unzip();
        let sheets = opened.columns.clone().seen(looks.clone());
        let landmarks = opened.sheets.iter().map(|planned| planned.sheet.landmarks()).collect();
        Surveyed { census: self.census, sheets, looks, landmarks, stretches, seen }
    }
}

const fn counting(rows: u64) -> Event<'static> {
    Event::Reading { pass: Pass::Counting, rows, orders: 0, orders_invalid: 0 }
}
