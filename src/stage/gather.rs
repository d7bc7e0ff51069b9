//! From sheets to orders, good or not, over as many cores as there are.
//!
//! One thread reads, others take apart, judge and freeze, and the calling thread puts together what goes over several
//! portions and tells the sink and the person, in the order in which the sheets have their orders complete.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::check::Rules;
use crate::checks::{Eligibility, Reviewer};
use crate::column::{Columns, RowRef, Sheets};
use crate::event::{Event, Events, Pass};
use crate::field::{Field, Id};
use crate::finding::column::unknown_column;
use crate::finding::order::booked_before;
use crate::finding::{self, Command, Finding, Remedy};
use crate::order::Standing;

use super::error::StageError;
use super::judge::{Judge, JudgedOrder};
use super::lanes::in_lanes;
use super::near::Shipments;
use super::opened::{Opened, Planned};
use super::reader::{Judged, Read, Reader};
use super::runs::{Kept, Runs};
use super::sink::{Beside, Frozen, LeftBehind, Sink};
use super::survey::{Part, Surveyed, portions, survey};
use super::tally::{Rows, Totals};
use super::unread::Unread;

/// What the sheets came to.
#[derive(Debug, Clone, Default)]
pub struct Gathered {
    /// Every row's fate.
    pub rows: Rows,
    /// Orders found, good or not.
    pub orders: u64,
    /// Orders that are not good.
    pub orders_invalid: u64,
    /// Orders that are over by their sheet's own word, and left out.
    pub orders_over: u64,
    /// Filled rows that name no order.
    pub rows_without_order: u64,
    /// Files that were left aside, because they cannot be used.
    pub files_aside: u64,
    /// What the good orders come to.
    pub good: Totals,
}

/// Reads every sheet into the sink, reports each problem to `say` on the way, and tells the events how far it is.
pub fn gather(
    opened: &Opened,
    rules: &Rules,
    sink: &mut dyn Sink,
    say: &mut dyn FnMut(&Finding),
    events: &mut Events<'_>,
) -> Result<Gathered, StageError> {
    let surveyed = survey(opened, events)?;
    gather_surveyed(opened, rules, (&surveyed, None), sink, say, events)
}

/// The second reading of sheets that were surveyed, or of a part of them: of that, orders that do not stand in it as a whole
/// are of no use.
pub fn gather_surveyed(
    opened: &Opened,
    rules: &Rules,
    (surveyed, part): (&Surveyed, Option<&Part>),
    sink: &mut dyn Sink,
    say: &mut dyn FnMut(&Finding),
    events: &mut Events<'_>,
) -> Result<Gathered, StageError> {
    let Surveyed { census, sheets, .. } = surveyed;
    let standing = Standing::new(sheets, rules);
    let reviewer = Reviewer { sheets, rules, standing: &standing };
    let judge = Judge { reviewer, freezes_at: sink.wants_requests(), packs: AtomicBool::new(true) };
    let mut reader = Reader::new(opened, census, &judge);
    let shipments = Shipments::beside(sink.sent_lately()?, rules.numbers_alike);
    let mut gathering =
        Gathering { judge: &judge, sink, say, gathered: Gathered::default(), shipments, unread: Unread::default() };
    gathering.gathered.files_aside = opened.aside.len() as u64;
    for problem in opened.aside.iter().flat_map(|aside| &aside.problems) {
        gathering.problem(problem)?;
    }
    for problem in &opened.problems {
        gathering.problem(&in_money(problem, opened, sheets))?;
    }
    for problem in
        opened.sheets.iter().zip(sheets.iter()).filter_map(|(planned, columns)| amounts_of_tax(planned, columns))
    {
        gathering.problem(&problem)?;
    }
    let runs = Runs { opened, census, judge: &judge };
    let mut failure: Option<StageError> = None;
    in_lanes(
        |outlet| portions(opened, part, outlet),
        || {
            let mut kept = Kept::default();
            let runs = &runs;
            move |portion| runs.portion(portion, &mut kept)
        },
        |portion| match portion.map_err(StageError::from).and_then(|portion| gathering.all(reader.portion(portion))) {
            Ok(()) => {
                events.tell(&gathering.checking(reader.rows()));
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        },
    )??;
    if let Some(error) = failure {
        return Err(error);
    }
    let (last, read, whole) = reader.end()?;
    gathering.all(last)?;
    for unread in std::mem::take(&mut gathering.unread).findings(sheets) {
        gathering.problem(&unread)?;
    }
    let gathered = gathering.end(read);
    if part.is_some() {
        return Ok(gathered);
    }
    if !whole {
        return Err(StageError::Changed);
    }
    if !gathered.rows.balanced() {
        return Err(StageError::Unbalanced(format!("the rows do not add up ({:?})", gathered.rows)));
    }
    let Gathered { orders, orders_invalid, .. } = gathered;
    events.tell(&Event::Read { rows: gathered.rows.read, orders, orders_invalid });
    Ok(gathered)
}

/// What is said of a column that is left out, where all of its figures are money.
fn in_money<'p>(problem: &'p Finding, opened: &Opened, sheets: &Sheets) -> Cow<'p, Finding> {
    let is_money = problem.id == finding::Id::UnknownColumn
        && problem.place.as_ref().is_some_and(|place| {
            let mut all = opened.sheets.iter().zip(sheets.iter());
            let column = place.column.as_ref().map(|column| column.index);
            let columns = all.find(|(planned, _)| *planned.sheet.source() == place.source).map(|(_, columns)| columns);
            columns.zip(column).is_some_and(|(columns, column)| columns.is_money_left_out(column))
        });
    if !is_money {
        return Cow::Borrowed(problem);
    }
    Cow::Owned(unknown_column::money_left_out().about(problem))
}

/// A column that holds amounts of a tax, though its header may mean its rates.
fn amounts_of_tax(planned: &Planned, columns: &Columns) -> Option<Finding> {
    let place = columns.cell(planned.sheet.header().row, columns.amounts_of_tax()?);
    let header = place.column.as_ref().map_or_else(String::new, |column| column.header.clone());
    Some(unknown_column::amounts_of_tax().at(place).found(header))
}

struct Gathering<'a> {
    judge: &'a Judge<'a>,
    sink: &'a mut dyn Sink,
    say: &'a mut dyn FnMut(&Finding),
    gathered: Gathered,
    shipments: Shipments,
    unread: Unread,
}

impl Gathering<'_> {
    fn all(&mut self, judged: Vec<Judged>) -> Result<(), StageError> {
        judged.into_iter().try_for_each(|judged| self.take(judged))
    }

    fn take(&mut self, judged: Judged) -> Result<(), StageError> {
        match judged {
            Judged::Order(order) => self.order(order),
            Judged::Stray(at, problems) => self.stray(at, &problems),
            Judged::Said(problem) => self.problem(&problem),
        }
    }

    fn stray(&mut self, at: RowRef, problems: &[Finding]) -> Result<(), StageError> {
        self.gathered.rows.invalid += 1;
        self.gathered.rows_without_order += 1;
        let place = self.judge.reviewer.sheets.place(at, None).to_string();
        let settled = problems.iter().filter_map(|problem| self.judge.reviewer.sheets.settle(problem.clone()));
        let settled: Vec<Finding> = settled.collect();
        // Without an order number it stays in any case, and somebody has to be told why.
        let problems = if settled.iter().any(Finding::holds) { &settled } else { problems };
        problems.iter().for_each(&mut *self.say);
        Ok(self.sink.invalid(&LeftBehind { rows: &place, at: &[at], ..LeftBehind::default() }, problems)?)
    }

    fn order(&mut self, judged: JudgedOrder) -> Result<(), StageError> {
        let JudgedOrder {
            number,
            position,
            at,
            rows,
            is_example,
            eligibility,
            order,
            request,
            shipment,
            mut problems,
            unread,
        } = judged;
        let row_count = at.len() as u64;
        if is_example {
            self.gathered.rows.skipped += row_count;
            return problems.iter().try_for_each(|problem| self.problem(problem));
        }
        let beside = Beside { shipment, is_unread: !unread.is_empty() };
        let left = LeftBehind { number: Some(&number), rows: &rows, at: &at, position, beside };
        if eligibility.is_over() {
            return self.over(&left, &problems, eligibility);
        }
        let first = at.first().copied();
        let sheets = self.judge.reviewer.sheets;
        let near =
            shipment.zip(first).and_then(|(shipment, first)| self.shipments.said(shipment, &number, first, sheets));
        let (held, near) =
            near.map_or((None, None), |near| if near.holds() { (Some(near), None) } else { (None, Some(near)) });
        let order = order.filter(|_| held.is_none());
        problems.extend(held);
        let mut good = false;
        if let Some(order) = &order {
            let frozen = Frozen { order, request: request.as_ref(), rows: &rows, at: &at, position, beside };
            let problem = self.hand_over(&frozen)?;
            good = problem.as_ref().is_none_or(|problem| !problem.holds());
            problems.extend(problem);
        }
        self.gathered.orders += 1;
        // The number of its shipment stands there because it was booked.
        if order.is_none()
            && eligibility == Eligibility::Sent
            && is_all_that_is_wrong(&problems)
            && self.sink.booked_as_said(&left)?.is_some()
        {
            self.gathered.rows.in_orders += row_count;
            return Ok(());
        }
        if order.is_none()
            && let Some(problem) = still_wrong(&problems)
            && let Some(awb) = self.sink.booked_before(&left)?
        {
            self.gathered.rows.in_orders += row_count;
            return self.problem(&still_wrong_though_booked(problem, &awb));
        }
        if good {
            if let Some((shipment, first)) = shipment.zip(first) {
                self.shipments.remember(shipment, &number, first);
            }
            problems.extend(near);
            self.unread.take(unread, &at);
            self.gathered.rows.in_orders += row_count;
            return problems.iter().try_for_each(|problem| self.problem(problem));
        }
        self.gathered.rows.invalid += row_count;
        self.gathered.orders_invalid += 1;
        problems.iter().for_each(&mut *self.say);
        Ok(self.sink.invalid(&left, &problems)?)
    }

    /// Hands a good order on. Gives what there is to say of it: unless that holds, it is where it should be.
    fn hand_over(&mut self, frozen: &Frozen<'_>) -> Result<Option<Finding>, StageError> {
        let Some(problem) = self.sink.order(frozen)? else {
            self.judge.packs.store(self.sink.keeps_requests(), Ordering::Relaxed);
            self.gathered.good.add(frozen.order);
            return Ok(None);
        };
        if !problem.holds() {
            self.gathered.good.add(frozen.order);
        }
        let field = problem.field.as_deref().and_then(Field::by_path).map_or(Id::OrderNumber, |field| field.id);
        let place = frozen.at.first().map(|first| self.judge.reviewer.sheets.place(*first, Some(field)));
        Ok(Some(Finding { place, ..problem }))
    }

    /// An order that is over by its sheet's own word: it was booked from here, or it is left out.
    fn over(
        &mut self,
        left: &LeftBehind<'_>,
        problems: &[Finding],
        eligibility: Eligibility,
    ) -> Result<(), StageError> {
        let row_count = left.at.len() as u64;
        let Some(booked) = self.sink.booked_as_said(left)? else {
            self.gathered.rows.skipped += row_count;
            self.gathered.orders_over += 1;
            return problems.iter().try_for_each(|problem| self.problem(problem));
        };
        self.gathered.orders += 1;
        self.gathered.rows.in_orders += row_count;
        let Some(problem) = problems.first().filter(|_| eligibility == Eligibility::Cancelled && !booked.cancelled)
        else {
            return Ok(());
        };
        let cancel = cancel(left.number.unwrap_or_default());
        self.problem(&booked_before::cancelled_since(&booked.awb, cancel).about(problem))
    }

    fn problem(&mut self, problem: &Finding) -> Result<(), StageError> {
        let Some(problem) = self.judge.reviewer.sheets.settle(problem.clone()) else { return Ok(()) };
        (self.say)(&problem);
        Ok(self.sink.problem(&problem)?)
    }

    const fn checking(&self, rows: u64) -> Event<'static> {
        let Gathered { orders, orders_invalid, .. } = self.gathered;
        Event::Reading { pass: Pass::Checking, rows, orders, orders_invalid }
    }

    fn end(self, read: Read) -> Gathered {
        let mut gathered = self.gathered;
        (gathered.rows.read, gathered.rows.blank) = (read.rows, read.blank);
        gathered.rows.skipped += read.skipped;
        gathered
    }
}

/// Whether only one thing is wrong with an order.
fn is_all_that_is_wrong(problems: &[Finding]) -> bool {
    problems.iter().filter(|problem| problem.holds()).count() == 1
}

/// What is wrong with an order that may be booked already, corrected elsewhere; nothing where its rows may be two orders.
fn still_wrong(problems: &[Finding]) -> Option<&Finding> {
    let mut errors = problems.iter().filter(|problem| problem.holds());
    let first = errors.next()?;
    let may_be_two = |problem: &Finding| matches!(problem.id, finding::Id::OrderClash | finding::Id::RowsTwice);
    (!may_be_two(first) && !errors.any(may_be_two)).then_some(first)
}

/// An order that is booked, and that is still wrong in this sheet.
fn still_wrong_though_booked(wrong: &Finding, awb: &str) -> Finding {
    let said = match wrong.order.as_deref().filter(|_| wrong.id == finding::Id::HeldBack) {
        Some(number) => booked_before::held_since(awb, wrong, cancel(number)),
        None => booked_before::still_wrong(awb, wrong),
    };
    said.about(wrong)
}

fn cancel(number: &str) -> Remedy {
    Remedy::RunCommand { command: Command::CancelShipment { order: number.to_owned() } }
}
