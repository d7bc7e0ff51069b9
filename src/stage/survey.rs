//! The first pass: how many rows each order has, and how the columns write numbers and dates.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::check::{Habit, unmarked};
use crate::checks::consents as says_yes;
use crate::column::{Days, Feed, Look, RowRef, Sheets};
use crate::event::{Event, Events, Pass, Stream};
use crate::field::{Id, Kind, money_sign};
use crate::order::{Census, key};
use crate::profile::Mapped;
use crate::sheet::{self, CellKind, Landmarks, Mark, Portion, ReadEnd, SheetError};
use crate::text::Text;

use super::error::StageError;
use super::lanes::{Outlet, in_lanes};
use super::opened::{Opened, Planned};

/// A portion of a sheet, by the sheet's number.
pub(super) type Numbered = (u16, Portion);

/// Some portions, by their sheets and their places in these.
pub type Part = BTreeSet<(u16, usize)>;

/// Hands out all sheets, or a part of them, portion by portion.
pub(super) fn portions(opened: &Opened, part: Option<&Part>, outlet: &mut Outlet<Numbered>) -> Result<(), SheetError> {
    for (number, planned) in (0_u16..).zip(&opened.sheets) {
        let (mut stopped, mut index) = (false, 0);
        planned.sheet.portions(&mut |portion| {
            let is_wanted = part.is_none_or(|part| part.contains(&(number, index)));
            index += 1;
            let flow = if is_wanted { outlet.put((number, portion)) } else { ControlFlow::Continue(()) };
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
    shown: Shown,
    /// Rows at its beginning whose meaning hangs on those above.
    head: Vec<sheet::Row>,
    /// Where the last row left its profile; nothing where all of them are its head.
    mapped: Option<Mapped>,
    read: ReadEnd,
    stretch: Stretch,
}

/// The rows of one portion.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    first: u32,
    last: u32,
    /// Whether some of them can be read without those above the portion.
    settles: bool,
}

impl Default for Stretch {
    fn default() -> Self {
        Self { first: u32::MAX, last: 0, settles: false }
    }
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
}

impl Surveyed {
    /// The columns, once all cells of them are seen.
    #[must_use]
    pub const fn sheets(&self) -> &Sheets {
        &self.sheets
    }

    /// How many rows the orders have whose number is this one, however it is spelled.
    #[must_use]
    pub fn rows_of(&self, number: &str) -> u32 {
        self.census.rows(key(number)).unwrap_or_default()
    }

    /// Whether both have shown the same: what one order of the second comes to hangs on its own rows alone.
    #[must_use]
    pub fn shows_the_same(&self, other: &Self) -> bool {
        let is_like = |(one, other): (&Look, &Look)| {
            (&one.habits, &one.taxes, &one.days) == (&other.habits, &other.taxes, &other.days)
                && (&one.money, &one.may_be_money, &one.consents)
                    == (&other.money, &other.may_be_money, &other.consents)
        };
        self.census == other.census
            && self.landmarks == other.landmarks
            && self.looks.iter().zip(&other.looks).all(is_like)
    }

    /// Whether the sheets reach to a row: blank or not, it stands above their ends.
    #[must_use]
    pub fn has(&self, row: RowRef) -> bool {
        !self.standing_in([row]).is_empty()
    }

    /// The portions in which these rows stand.
    #[must_use]
    pub fn standing_in(&self, rows: impl IntoIterator<Item = RowRef>) -> Part {
        let mut part = Part::new();
        for RowRef { sheet, row } in rows {
            let stretches = self.stretches.get(usize::from(sheet)).into_iter().flatten().enumerate();
            let own = stretches.filter(|(_, own)| (own.first..=own.last).contains(&row));
            part.extend(own.map(|(index, _)| (sheet, index)));
        }
        part
    }

    /// The portions in which these rows stand, with those above them on which their meaning may hang.
    #[must_use]
    pub fn part_of(&self, rows: impl IntoIterator<Item = RowRef>) -> Part {
        let own = self.standing_in(rows);
        let with_above = |(sheet, index): (u16, usize)| {
            let above = self.stretches[usize::from(sheet)][..index].iter().rposition(|other| other.settles);
            (above.unwrap_or_default()..=index).map(move |index| (sheet, index))
        };
        own.into_iter().flat_map(with_above).collect()
    }
}

/// What the columns of a sheet, or of a part of it, show.
#[derive(Default)]
struct Shown {
    /// What each column that no field takes looks like.
    left: Vec<Looks>,
    /// Of each column in which a yes lets an order go, whether there is one.
    consents: Vec<bool>,
    /// What each column of days on which orders are sent holds.
    days: Vec<Days>,
    /// Of each column that has habits, and then of those that may be rates or amounts of a tax.
    habits: Vec<Habit>,
}

impl Shown {
    fn add(&mut self, other: Self) {
        self.left.iter_mut().zip(other.left).for_each(|(known, shown)| known.add(shown));
        self.consents.iter_mut().zip(other.consents).for_each(|(known, shown)| *known |= shown);
        self.days.iter_mut().zip(other.days).for_each(|(known, shown)| known.add(shown));
        self.habits.iter_mut().zip(other.habits).for_each(|(known, shown)| known.add(shown));
    }
}

/// Looks at rows of one sheet.
struct Surveyor<'a> {
    planned: &'a Planned,
    number: Option<Feed>,
    judged: Vec<Feed>,
    taxes: Vec<u32>,
    left: Vec<u32>,
    consents: Vec<u32>,
    days: Vec<u32>,
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

impl<'a> Surveyor<'a> {
    fn new(opened: &'a Opened, sheet: u16) -> Self {
        let planned = &opened.sheets[usize::from(sheet)];
        let number = opened.columns.of(sheet).order_number();
        let judged = planned.plan.fed().filter(|feed| Habit::matters(feed.field.kind)).collect();
        let taxes = opened.columns.of(sheet).unclear_taxes().collect();
        let left = planned.plan.unknown().iter().map(|column| column.index).collect();
        let consents = opened.columns.of(sheet).columns_of_consent().collect();
        let days = opened.columns.of(sheet).columns_of_days().collect();
        Self { planned, number, judged, taxes, left, consents, days }
    }

    fn nothing_shown(&self) -> Shown {
        Shown {
            left: vec![Looks::default(); self.left.len()],
            consents: vec![false; self.consents.len()],
            days: vec![Days::default(); self.days.len()],
            habits: vec![Habit::default(); self.judged.len() + self.taxes.len()],
        }
    }

    /// What the cells of the whole sheet show.
    fn look_of(&self, shown: Shown) -> Look {
        let Shown { left, consents, days, habits } = shown;
        let (of_fields, of_taxes) = habits.split_at(self.judged.len());
        let of = |is: fn(Looks) -> bool| -> Vec<u32> {
            self.left.iter().zip(&left).filter(|(_, looks)| is(**looks)).map(|(column, _)| *column).collect()
        };
        Look {
            habits: self.judged.iter().map(Feed::id).zip(of_fields.iter().copied()).collect(),
            taxes: self.taxes.iter().copied().zip(of_taxes.iter().copied()).collect(),
            money: of(Looks::is_money),
            may_be_money: of(Looks::may_be_money),
            consents: self.consents.iter().zip(consents).filter(|(_, yes)| *yes).map(|(column, _)| *column).collect(),
            days: self.days.iter().copied().zip(days).collect(),
        }
    }

    /// Of each column that has habits, the text that they were learnt from last.
    fn nothing_learnt(&self) -> Vec<Text> {
        vec![Text::default(); self.judged.len()]
    }

    /// Whether a row says yes in the columns in which that lets an order go.
    fn look_for_consent(&self, row: &sheet::Row, consents: &mut [bool]) {
        for (column, consent) in self.consents.iter().zip(consents).filter(|(_, consent)| !**consent) {
            *consent = says_yes(row.cell(*column as usize).text);
        }
    }

    /// Takes the days on which an order is sent from its first row.
    fn look_for_days(&self, row: &sheet::Row, days: &mut [Days]) {
        for (column, days) in self.days.iter().zip(days) {
            days.take(row.cell(*column as usize).text);
        }
    }

    /// The order number of a row, empty where it has none; nothing where the row is left out.
    fn look<'r>(
        &self,
        row: &'r sheet::Row,
        mapped: &'r mut Mapped,
        (habits, learnt): (&mut [Habit], &mut [Text]),
        left: &mut [Looks],
    ) -> Option<&'r str> {
        if row.is_blank() || row.skip().is_some() || self.planned.plan.mapper().map(row, mapped).is_some() {
            return None;
        }
        for (column, looks) in self.left.iter().zip(left).filter(|(_, looks)| !looks.other) {
            looks.take(row.cell(*column as usize).text);
        }
        for (column, habit) in self.taxes.iter().zip(habits.iter_mut().skip(self.judged.len())) {
            habit.learn_number(Kind::Rate, mapped.cell(row, Id::TaxRate, *column, None).0);
        }
        for ((feed, habit), last) in self.judged.iter().zip(habits).zip(learnt) {
            let (text, kind) = mapped.cell(row, feed.field.id, feed.column, feed.step);
            if kind == CellKind::Text {
                // Once is enough, and most columns say one thing for many rows.
                if *last == text {
                    continue;
                }
                *last = text.into();
                habit.learn(feed.field.kind, text);
            } else {
                habit.learn_number(feed.field.kind, text);
            }
        }
        Some(
            self.number
                .map_or("", |fed| unmarked(fed.id().field(), mapped.cell(row, fed.id(), fed.column, fed.step).0)),
        )
    }

    fn portion(&self, portion: &Portion) -> Result<Seen, SheetError> {
        let mut seen = Seen { shown: self.nothing_shown(), ..Seen::default() };
        let shown = &mut seen.shown;
        let mut learnt = self.nothing_learnt();
        let mut mapped = Mapped::default();
        let mut first: Option<String> = None;
        let mut is_head = !self.planned.plan.mapper().is_identity();
        let mut run = (String::new(), 0);
        let stretch = &mut seen.stretch;
        seen.read = self.planned.sheet.rows(portion, Mark::default(), &mut |_, row| {
            (stretch.first, stretch.last) = (stretch.first.min(row.number()), stretch.last.max(row.number()));
            if is_head {
                // What the head shows is learnt with the rows above it.
                let number = self.look(row, &mut mapped, (&mut [], &mut []), &mut []).unwrap_or_default();
                is_head = number.is_empty() || *first.get_or_insert_with(|| number.to_owned()) == number;
            }
            if is_head {
                seen.head.push(row.clone());
            } else if let Some(number) = self.look(row, &mut mapped, (&mut shown.habits, &mut learnt), &mut shown.left)
            {
                self.look_for_consent(row, &mut shown.consents);
                if run.1 > 0 && run.0 == number {
                    run.1 += 1;
                } else {
                    self.look_for_days(row, &mut shown.days);
                    end_run(&mut run, &mut seen.numbers);
                    run.0.push_str(number);
                    run.1 = 1;
                }
            }
            ControlFlow::Continue(())
        })?;
        end_run(&mut run, &mut seen.numbers);
        seen.stretch.settles = !is_head;
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
    shown: Vec<Shown>,
    sheet: u16,
    mapped: Mapped,
    /// What was read of the present sheet.
    read: ReadEnd,
    /// Rows of all sheets.
    rows: u64,
    stretches: Vec<Vec<Stretch>>,
}

impl Survey<'_> {
    fn take(&mut self, sheet: u16, seen: Seen) -> Result<(), SheetError> {
        let surveyor = &self.surveyors[usize::from(sheet)];
        if sheet != self.sheet {
            (self.sheet, self.read) = (sheet, ReadEnd::default());
            self.mapped = Mapped::default();
        }
        self.stretches[usize::from(sheet)].push(seen.stretch);
        let mut shown = seen.shown;
        let mut learnt = surveyor.nothing_learnt();
        for (index, row) in seen.head.iter().enumerate() {
            if let Some(number) =
                surveyor.look(row, &mut self.mapped, (&mut shown.habits, &mut learnt), &mut shown.left)
            {
                surveyor.look_for_consent(row, &mut shown.consents);
                if index == 0 {
                    surveyor.look_for_days(row, &mut shown.days);
                }
                self.census.count(number);
            }
        }
        if let Some(mapped) = seen.mapped {
            self.mapped = mapped;
        }
        seen.numbers.into_iter().for_each(|(key, rows)| self.census.add(key, rows));
        self.shown[usize::from(sheet)].add(shown);
        self.read = self.read.and(seen.read);
        self.rows += u64::from(seen.read.rows);
        self.opened.sheets[usize::from(sheet)].sheet.allow(self.read)
    }
}

/// Counts the rows of every order and learns the columns' habits. Says how far it is with each portion.
pub fn survey(opened: &Opened, events: &mut Events<'_>) -> Result<Surveyed, StageError> {
    let surveyors: Vec<_> = (0..).take(opened.sheets.len()).map(|sheet| Surveyor::new(opened, sheet)).collect();
    let mut survey = Survey {
        opened,
        surveyors: &surveyors,
        census: Census::default(),
        shown: surveyors.iter().map(Surveyor::nothing_shown).collect(),
        sheet: 0,
        mapped: Mapped::default(),
        read: ReadEnd::default(),
        rows: 0,
        stretches: surveyors.iter().map(|_| Vec::new()).collect(),
    };
    events.tell(&counting(0));
    let mut failure = None;
    in_lanes(
        |outlet| portions(opened, None, outlet),
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
    if let Some(error) = failure {
        return Err(error.into());
    }
    let Survey { census, shown, stretches, .. } = survey;
    let looks: Vec<Look> = surveyors.iter().zip(shown).map(|(surveyor, shown)| surveyor.look_of(shown)).collect();
    let sheets = opened.columns.clone().seen(looks.clone());
    let landmarks = opened.sheets.iter().map(|planned| planned.sheet.landmarks()).collect();
    Ok(Surveyed { census, sheets, looks, landmarks, stretches })
}

const fn counting(rows: u64) -> Event<'static> {
    Event::Reading { pass: Pass::Counting, rows, orders: 0, orders_invalid: 0 }
}

/// How the columns of the sheets write numbers and dates.
pub fn judged(opened: &Opened) -> Result<Sheets, StageError> {
    survey(opened, &mut Stream::silent()).map(|surveyed| surveyed.sheets)
}
