//! The first pass: how many rows each order has, and what the columns show, such as how they write numbers and dates.

use std::ops::ControlFlow;

use crate::check::{Habit, unmarked};
use crate::checks::consents as says_yes;
use crate::column::{Days, Feed, Look, Sheets};
use crate::event::{Event, Events, Pass, Stream};
use crate::field::{Id, Kind, money_sign};
use crate::order::{Census, key};
use crate::profile::Mapped;
use crate::sheet::{self, CellKind, Mark, Portion, ReadEnd, SheetError};
use crate::text::Text;

use super::error::StageError;
use super::lanes::{Outlet, in_lanes};
use super::opened::{Opened, Planned};

/// A portion of a sheet, by the sheet's number.
type Numbered = (u16, Portion);

/// Hands out all sheets, portion by portion.
fn portions(opened: &Opened, outlet: &mut Outlet<Numbered>) -> Result<(), SheetError> {
    for (number, planned) in (0_u16..).zip(&opened.sheets) {
        let mut stopped = false;
        planned.sheet.portions(&mut |portion| {
            let flow = outlet.put((number, portion));
            stopped = flow.is_break();
            flow
        })?;
        if stopped {
            break;
        }
    }
    Ok(())
}

/// What one portion shows.
#[derive(Default)]
struct Seen {
    /// Order numbers by their key, with their rows in succession.
    numbers: Vec<(u64, u32)>,
    shown: Vec<Watched>,
    /// Rows at its beginning whose meaning hangs on those above.
    head: Vec<sheet::Row>,
    /// Where the last row left its profile; nothing where all of them are its head.
    mapped: Option<Mapped>,
    read: ReadEnd,
}

/// A column that is watched, and what it shows, in all of its sheet or in a part of it.
#[derive(Debug, Clone)]
struct Watched {
    column: u32,
    shows: Shows,
}

#[derive(Debug, Clone)]
enum Shows {
    /// How a field's column writes numbers and dates, and the text that this was learnt from last.
    Habit(Feed, Habit, Text),
    /// The same of a column that may hold the rates or the amounts of a tax.
    Tax(Habit),
    /// What a column that no field takes looks like.
    Left(Looks),
    /// Whether there is a yes in a column in which a yes lets an order go.
    Consent(bool),
    /// What a column of days on which orders are sent holds.
    Days(Days),
}

impl Watched {
    /// Learns from a row; `is_first` says whether it is the first of its order.
    fn learn(&mut self, row: &sheet::Row, mapped: &Mapped, is_first: bool) {
        let text = || row.cell(self.column as usize).text;
        match &mut self.shows {
            Shows::Habit(feed, habit, last) => {
                let (text, kind) = mapped.cell(row, feed.field.id, feed.column, feed.step);
                if kind != CellKind::Text {
                    habit.learn_number(feed.field.kind, text);
                } else if *last != text {
                    // Once is enough, and most columns say one thing for many rows.
                    *last = text.into();
                    habit.learn(feed.field.kind, text);
                }
            }
            Shows::Tax(habit) => habit.learn_number(Kind::Rate, mapped.cell(row, Id::TaxRate, self.column, None).0),
            Shows::Left(looks) if !looks.other => looks.take(text()),
            Shows::Consent(is_there) if !*is_there => *is_there = says_yes(text()),
            Shows::Days(days) if is_first => days.take(text()),
            Shows::Left(_) | Shows::Consent(_) | Shows::Days(_) => {}
        }
    }

    /// Adds what another part of the column shows.
    fn add(&mut self, other: Self) {
        match (&mut self.shows, other.shows) {
            (Shows::Habit(_, own, _), Shows::Habit(_, other, _)) | (Shows::Tax(own), Shows::Tax(other)) => {
                own.add(other);
            }
            (Shows::Left(own), Shows::Left(other)) => own.add(other),
            (Shows::Consent(own), Shows::Consent(other)) => *own |= other,
            (Shows::Days(own), Shows::Days(other)) => own.add(other),
            _ => {}
        }
    }
}

/// What the watched columns of a whole sheet show.
fn look_of(shown: Vec<Watched>) -> Look {
    let mut look = Look::default();
    for Watched { column, shows } in shown {
        match shows {
            Shows::Habit(feed, habit, _) => look.habits.push((feed.id(), habit)),
            Shows::Tax(habit) => look.taxes.push((column, habit)),
            Shows::Left(looks) => {
                look.money.extend(looks.is_money().then_some(column));
                look.may_be_money.extend(looks.may_be_money().then_some(column));
            }
            Shows::Consent(is_there) => look.consents.extend(is_there.then_some(column)),
            Shows::Days(days) => look.days.push((column, days)),
        }
    }
    look
}

/// What the filled cells of a column look like; zeros say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Looks {
    /// Like money: by a sign, or by two decimals.
    money: u32,
    /// Figures of the size of charges and payments, and how many of them are as round as these mostly are.
    sized: u32,
    round: u32,
    /// Whether any is something else.
    other: bool,
}

impl Looks {
    fn take(&mut self, text: &str) {
        if text.is_empty() || text.bytes().all(|byte| matches!(byte, b'0' | b'.' | b'-')) {
            return;
        }
        let figures = text.trim_matches(|c: char| !c.is_ascii_digit());
        let is_number = !figures.is_empty() && figures.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b','));
        let around = text.replacen(figures, "", 1);
        let sign = around.trim_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '/' | '+'));
        let has_cents = figures.rsplit_once('.').is_some_and(|(_, cents)| cents.len() == 2);
        let is_money = if sign.is_empty() { has_cents } else { money_sign(sign).is_some() };
        let whole = figures.bytes().all(|byte| byte.is_ascii_digit()) && sign.is_empty() && !figures.starts_with('0');
        match () {
            () if is_number && is_money => self.money += 1,
            () if whole && (2..=5).contains(&figures.len()) => {
                self.sized += 1;
                self.round += u32::from(figures.ends_with(['0', '5', '9']));
            }
            () => self.other = true,
        }
    }

    fn add(&mut self, other: Self) {
        self.money = self.money.saturating_add(other.money);
        self.sized = self.sized.saturating_add(other.sized);
        self.round = self.round.saturating_add(other.round);
        self.other |= other.other;
    }

    /// Whether all of them are money.
    const fn is_money(self) -> bool {
        self.money > 0 && self.sized == 0 && !self.other
    }

    /// Whether they may be money: numbers and sizes of other things are seldom so round.
    const fn may_be_money(self) -> bool {
        !self.other && (self.money > 0 || self.sized > 0) && self.round as u64 * 4 >= self.sized as u64 * 3
    }
}

/// Looks at rows of one sheet.
struct Surveyor<'a> {
    planned: &'a Planned,
    number: Option<Feed>,
    /// What is watched, before anything is shown.
    watched: Vec<Watched>,
}

impl<'a> Surveyor<'a> {
    fn new(opened: &'a Opened, sheet: u16) -> Self {
        let planned = &opened.sheets[usize::from(sheet)];
        let columns = opened.columns.of(sheet);
        let judged = planned.plan.fed().filter(|feed| Habit::matters(feed.field.kind));
        let judged = judged.map(|feed| (feed.column, Shows::Habit(feed, Habit::default(), Text::default())));
        let taxes = columns.unclear_taxes().map(|column| (column, Shows::Tax(Habit::default())));
        let left = planned.plan.unknown().iter().map(|column| (column.index, Shows::Left(Looks::default())));
        let consents = columns.columns_of_consent().map(|column| (column, Shows::Consent(false)));
        let days = columns.columns_of_days().map(|column| (column, Shows::Days(Days::default())));
        let watched = judged.chain(taxes).chain(left).chain(consents).chain(days);
        let watched = watched.map(|(column, shows)| Watched { column, shows }).collect();
        Self { planned, number: columns.order_number(), watched }
    }

    /// Makes a row's values. Gives whether it counts: it is neither blank nor left out.
    fn counts(&self, row: &sheet::Row, mapped: &mut Mapped) -> bool {
        !row.is_blank() && row.skip().is_none() && self.planned.plan.mapper().map(row, mapped).is_none()
    }

    /// The order number of a row, empty where it has none.
    fn number<'r>(&self, row: &'r sheet::Row, mapped: &'r Mapped) -> &'r str {
        let text = |fed: Feed| unmarked(fed.id().field(), mapped.cell(row, fed.id(), fed.column, fed.step).0);
        self.number.map_or("", text)
    }

    fn portion(&self, portion: &Portion) -> Result<Seen, SheetError> {
        let mut seen = Seen { shown: self.watched.clone(), ..Seen::default() };
        let mut mapped = Mapped::default();
        let mut first: Option<String> = None;
        let mut is_head = !self.planned.plan.mapper().is_identity();
        let mut run = (String::new(), 0);
        seen.read = self.planned.sheet.rows(portion, Mark::default(), &mut |_, row| {
            let counts = self.counts(row, &mut mapped);
            let number = if counts { self.number(row, &mapped) } else { "" };
            is_head = is_head && (number.is_empty() || *first.get_or_insert_with(|| number.to_owned()) == number);
            if is_head {
                // What the head shows is learnt with the rows above it.
                seen.head.push(row.clone());
            } else if counts {
                let is_first = run.1 == 0 || run.0 != number;
                seen.shown.iter_mut().for_each(|watched| watched.learn(row, &mapped, is_first));
                if is_first {
                    end_run(&mut run, &mut seen.numbers);
                    run.0.push_str(number);
                }
                run.1 += 1;
            }
            ControlFlow::Continue(())
        })?;
        end_run(&mut run, &mut seen.numbers);
        seen.mapped = if is_head { None } else { Some(mapped) };
        Ok(seen)
    }
}

fn end_run((number, rows): &mut (String, u32), numbers: &mut Vec<(u64, u32)>) {
    if *rows > 0 {
        numbers.push((key(number), *rows));
    }
    number.clear();
    *rows = 0;
}

/// What is known of the sheets so far.
struct Survey<'a> {
    opened: &'a Opened,
    surveyors: &'a [Surveyor<'a>],
    census: Census,
    /// What the columns show, by sheet.
    shown: Vec<Vec<Watched>>,
    sheet: u16,
    mapped: Mapped,
    /// What was read of the present sheet.
    read: ReadEnd,
    /// Rows of all sheets.
    rows: u64,
}

impl Survey<'_> {
    fn take(&mut self, sheet: u16, mut seen: Seen) -> Result<(), SheetError> {
        let surveyor = &self.surveyors[usize::from(sheet)];
        if sheet != self.sheet {
            (self.sheet, self.read) = (sheet, ReadEnd::default());
            self.mapped = Mapped::default();
        }
        for (index, row) in seen.head.iter().enumerate() {
            if surveyor.counts(row, &mut self.mapped) {
                seen.shown.iter_mut().for_each(|watched| watched.learn(row, &self.mapped, index == 0));
                self.census.add(key(surveyor.number(row, &self.mapped)), 1);
            }
        }
        if let Some(mapped) = seen.mapped {
            self.mapped = mapped;
        }
        seen.numbers.into_iter().for_each(|(key, rows)| self.census.add(key, rows));
        self.shown[usize::from(sheet)].iter_mut().zip(seen.shown).for_each(|(known, shown)| known.add(shown));
        self.read = self.read.and(seen.read);
        self.rows += u64::from(seen.read.rows);
        self.opened.sheets[usize::from(sheet)].sheet.allow(self.read)
    }
}

/// Counts the rows of every order and learns the columns' habits. Says how far it is with each portion.
pub(super) fn survey(opened: &Opened, events: &mut Events<'_>) -> Result<(Census, Sheets), StageError> {
    let surveyors: Vec<_> = (0..).take(opened.sheets.len()).map(|sheet| Surveyor::new(opened, sheet)).collect();
    let mut survey = Survey {
        opened,
        surveyors: &surveyors,
        census: Census::default(),
        shown: surveyors.iter().map(|surveyor| surveyor.watched.clone()).collect(),
        sheet: 0,
        mapped: Mapped::default(),
        read: ReadEnd::default(),
        rows: 0,
    };
    events.tell(&counting(0));
    let mut failure = None;
    in_lanes(
        |outlet| portions(opened, outlet),
        || |(sheet, portion): Numbered| (sheet, surveyors[usize::from(sheet)].portion(&portion)),
        |(sheet, seen)| match seen.and_then(|seen| survey.take(sheet, seen)) {
            Ok(()) => {
                events.tell(&counting(survey.rows));
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        },
    )??;
    let Survey { census, shown, .. } = survey;
    let sheets = opened.columns.clone().seen(shown.into_iter().map(look_of).collect());
    failure.map_or(Ok((census, sheets)), |error| Err(error.into()))
}

const fn counting(rows: u64) -> Event<'static> {
    Event::Reading { pass: Pass::Counting, rows, orders: 0, orders_invalid: 0 }
}

/// How the columns of the sheets write numbers and dates.
pub fn judged(opened: &Opened) -> Result<Sheets, StageError> {
    survey(opened, &mut Stream::silent()).map(|(_, sheets)| sheets)
}
