//! From sheets to orders, good or not, over as many cores as there are.
//!
//! One thread reads, others take apart, judge and freeze, and the calling thread puts together what goes over several
//! portions and tells the sink and the person, in the order in which the sheets have their orders complete.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::checks::{Eligibility, Reviewed, Reviewer};
use crate::column::RowRef;
use crate::event::{Event, Events, Pass};
use crate::field::{Field, Id};
use crate::finding::order::booked_before;
use crate::finding::{self, Command, Finding, Remedy};
use crate::ledger::{Packer, Verdict};
use crate::order::{Census, Order, RawOrder, Recurring};
use crate::parse::ReadingSettings;
use crate::text::unspelled;

use super::duplicates::{Shipments, second_number};
use super::error::StageError;
use super::freeze::Request;
use super::lanes::in_lanes;
use super::opened::Opened;
use super::order_rows::{ComparisonKeys, OrderRows};
use super::outcome::OrderOutcome;
use super::parcel::Parcel;
use super::reader::{Batch, Piece, Reader};
use super::sink::{Dry, Frozen, Sink, ruling};
use super::survey::{Part, Surveyed, survey};
use super::tally::{Rows, Totals};
use super::unread::Unread;

/// What the sheets came to.
#[derive(Debug, Clone, Default)]
pub struct Gathered {
    /// What became of every row.
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

/// Hears what becomes of each order, and of each row without one, with what is said of it.
pub type OrderObserver<'w> = dyn FnMut(&OrderRows<'_>, OrderOutcome, &[Finding]) + 'w;

/// Reads every sheet into the sink, reports each problem to `say` on the way, and tells the events how far it is.
pub fn gather(
    opened: &Opened,
    rules: &ReadingSettings,
    sink: &mut dyn Sink,
    say: &mut dyn FnMut(&Finding),
    events: &mut Events<'_>,
) -> Result<Gathered, StageError> {
    gather_surveyed(opened, rules, (&survey(opened, false, events)?, None), sink, (say, &mut |_, _, _| {}), events)
}

/// Whether an order of the sheets has all that a request needs, whatever else keeps it back.
pub fn has_whole_order(opened: &Opened, rules: &ReadingSettings, events: &mut Events<'_>) -> Result<bool, StageError> {
    if opened.is_unusable() {
        return Ok(false);
    }
    let mut is_whole = false;
    let mut watch = |rows: &OrderRows<'_>, _: OrderOutcome, said: &[Finding]| {
        is_whole |= rows.number.is_some() && !said.iter().any(Finding::lacks_value);
    };
    watch_orders(opened, rules, &mut watch, events)?;
    Ok(is_whole)
}

/// Reads every sheet, so that somebody hears what would become of each order.
pub fn watch_orders(
    opened: &Opened,
    rules: &ReadingSettings,
    watch: &mut OrderObserver<'_>,
    events: &mut Events<'_>,
) -> Result<Gathered, StageError> {
    let surveyed = survey(opened, false, events)?;
    gather_surveyed(opened, rules, (&surveyed, None), &mut Dry::default(), (&mut |_| {}, watch), events)
}

/// The second reading of sheets that were surveyed, where somebody watches what becomes of each order; or of a part of
/// them: of that, orders that do not stand in it as a whole are of no use.
pub fn gather_surveyed(
    opened: &Opened,
    rules: &ReadingSettings,
    (surveyed, part): (&Surveyed, Option<&Part>),
    sink: &mut dyn Sink,
    (say, watch): (&mut dyn FnMut(&Finding), &mut OrderObserver<'_>),
    events: &mut Events<'_>,
) -> Result<Gathered, StageError> {
    let Surveyed { census, sheets, .. } = surveyed;
    let reviewer = Reviewer { sheets, rules };
    let judge = Judge { reviewer, freezes_at: sink.wants_requests(), packs: sink.keeps_requests() };
    let reader = Reader::new(opened, census, sheets, judge.freezes_at.is_some());
    let (gathered, shipments, unread) = (Gathered::default(), Shipments::default(), Unread::default());
    let mut gathering = Gathering { judge: &judge, census, sink, say, watch, gathered, shipments, unread };
    gathering.gathered.files_aside = opened.aside.len() as u64;
    for problem in opened.aside.iter().flat_map(|aside| &aside.problems).chain(&opened.problems) {
        gathering.problem(problem)?;
    }
    let (read, is_whole) = in_lanes(
        |outlet| reader.run(part, outlet),
        || {
            let (mut packer, recurring) = (Packer::default(), Recurring::default());
            let judge = &judge;
            move |batch| judge.batch(batch, &mut packer, &recurring)
        },
        |Batch { pieces, rows }| {
            pieces.into_iter().try_for_each(|piece| gathering.take(piece))?;
            events.tell(&gathering.checking(rows));
            Ok(())
        },
    )??;
    for unread in std::mem::take(&mut gathering.unread).findings(sheets) {
        gathering.problem(&unread)?;
    }
    let mut gathered = gathering.gathered;
    (gathered.rows.read, gathered.rows.blank) = (read.read, read.blank);
    gathered.rows.skipped += read.skipped;
    if part.is_some() {
        return Ok(gathered);
    }
    if !is_whole {
        return Err(StageError::Changed);
    }
    if !gathered.rows.balanced() {
        return Err(StageError::Unbalanced(format!("the rows do not add up ({:?})", gathered.rows)));
    }
    let Gathered { orders, orders_invalid, .. } = gathered;
    events.tell(&Event::Read { rows: gathered.rows.read, orders, orders_invalid });
    Ok(gathered)
}

/// An order, judged.
struct JudgedOrder {
    draft: RawOrder,
    /// Its rows, as people write them, where requests are wanted.
    rows: String,
    /// The order, where it is good, and what there is to say of it.
    reviewed: Reviewed,
    /// Its request, where one is wanted: as of the time of staging, where the order does not say when it was made.
    request: Option<Request>,
    /// How it may bear on others.
    beside: ComparisonKeys,
}

/// Judges what was read.
struct Judge<'a> {
    reviewer: Reviewer<'a>,
    /// Whether requests are wanted, and the time of staging, epoch milliseconds.
    freezes_at: Option<i64>,
    /// Whether requests are packed on the way.
    packs: bool,
}

impl Judge<'_> {
    /// Judges what was read one after the other.
    fn batch(&self, read: Batch<RawOrder>, packer: &mut Packer, recurring: &Recurring) -> Batch<JudgedOrder> {
        let judged = |piece| match piece {
            Piece::Order(draft) => Piece::Order(self.order(draft, packer, recurring)),
            Piece::Stray(at, problems) => Piece::Stray(at, problems),
            Piece::Said(problem) => Piece::Said(problem),
            Piece::LeftOut(number, at) => Piece::LeftOut(number, at),
        };
        Batch { pieces: read.pieces.into_iter().map(judged).collect(), rows: read.rows }
    }

    fn order(&self, draft: RawOrder, packer: &mut Packer, recurring: &Recurring) -> JudgedOrder {
        let rows = if self.freezes_at.is_some() { self.reviewer.sheets.rows(&draft.rows) } else { String::new() };
        let reviewed = self.reviewer.review(&draft, recurring);
        let Reviewed { order, unread, .. } = &reviewed;
        let remarks = (!unread.is_empty()).then(|| BuildHasherDefault::<DefaultHasher>::default().hash_one(unread));
        let frozen = order.as_deref().zip(self.freezes_at);
        let beside = ComparisonKeys { parcel: order.as_deref().map(Parcel::of_order), unread: remarks };
        let packer = self.packs.then_some(packer);
        let request = frozen.map(|(order, now_ms)| Request::new(order, order.created_ms.unwrap_or(now_ms), packer));
        JudgedOrder { draft, rows, reviewed, request, beside }
    }
}

struct Gathering<'a> {
    judge: &'a Judge<'a>,
    census: &'a Census,
    sink: &'a mut dyn Sink,
    say: &'a mut dyn FnMut(&Finding),
    watch: &'a mut OrderObserver<'a>,
    gathered: Gathered,
    shipments: Shipments,
    unread: Unread,
}

impl Gathering<'_> {
    fn take(&mut self, piece: Piece<JudgedOrder>) -> Result<(), StageError> {
        match piece {
            Piece::Order(order) => self.order(order),
            Piece::Stray(at, problems) => self.stray(at, &problems),
            Piece::Said(problem) => self.problem(&problem),
            Piece::LeftOut(number, at) => {
                let rows = self.judge.reviewer.sheets.place(at, None).to_string();
                self.left_out(&OrderRows { number: Some(&number), rows: &rows, at: &[at], ..OrderRows::default() })
            }
        }
    }

    /// Tells the sink of an order all of whose rows are left out by rules.
    fn left_out(&mut self, of: &OrderRows<'_>) -> Result<(), StageError> {
        let said = self.sink.not_sent(of, Verdict::LeftOut, "")?;
        said.iter().try_for_each(|said| self.problem(said))
    }

    fn stray(&mut self, at: RowRef, problems: &[Finding]) -> Result<(), StageError> {
        let sheets = self.judge.reviewer.sheets;
        let settled: Vec<Finding> = problems.iter().filter_map(|problem| sheets.apply(problem.clone())).collect();
        // Without an order number it stays in any case, and somebody has to be told why.
        let problems = if settled.iter().any(Finding::holds) { &settled } else { problems };
        let rows = sheets.place(at, None).to_string();
        let of = OrderRows { rows: &rows, at: &[at], ..OrderRows::default() };
        self.record(&of, OrderOutcome::Stays, problems)
    }

    fn order(&mut self, judged: JudgedOrder) -> Result<(), StageError> {
        let JudgedOrder { draft, rows, reviewed, request, beside } = judged;
        let Reviewed { order, held: as_held, mut problems, eligibility, unread } = reviewed;
        let (number, at) = (draft.number.as_str(), draft.rows.as_slice());
        let (contents, position, came_as) = (draft.contents.as_slice(), draft.position, draft.came_as.as_slice());
        let (numbers, cells, census) = (draft.beside.as_slice(), None, self.census);
        let of =
            OrderRows { number: Some(number), rows: &rows, at, contents, came_as, numbers, position, beside, cells };
        if eligibility.is_over() {
            return self.over(&of, &problems, eligibility);
        }
        let parcel = beside.parcel.zip(at.first().copied());
        let sheets = self.judge.reviewer.sheets;
        let second = self.second_number(&of)?;
        // What is known of its rows is said once.
        let of = OrderRows { numbers: if second.is_some() { &[] } else { numbers }, ..of };
        let bare = unspelled(number);
        let duplicate = parcel.and_then(|(parcel, first)| self.shipments.said(&parcel, (number, &bare), first, sheets));
        let judged_order = order;
        let alike = at.first().and_then(|first| self.shipments.alike((number, &bare), *first, sheets));
        let said = second.into_iter().chain(duplicate).chain(alike);
        let (held, warned): (Vec<_>, Vec<_>) = said.partition(Finding::holds);
        let order = judged_order.as_deref().filter(|_| held.is_empty());
        problems.extend(held);
        let outcome = if let Some(order) = order {
            let said = self.hand_over(&Frozen {
                order,
                request: request.as_ref(),
                of,
                raw: Some(&draft),
                in_ledger: None,
                census,
            })?;
            let holds = said.iter().any(Finding::holds);
            problems.extend(said);
            if holds {
                OrderOutcome::Stays
            } else {
                problems.extend(warned);
                self.unread.take(unread, at);
                OrderOutcome::Goes
            }
        } else {
            problems.extend(warned);
            self.booked(&of, as_held.as_deref(), &mut problems, eligibility)?
        };
        if let Some(first) = at.first() {
            let good = beside.parcel.filter(|_| outcome == OrderOutcome::Goes);
            self.shipments.remember(good, &bare, *first);
        }
        self.gathered.orders += 1;
        let cells = (outcome == OrderOutcome::Stays).then(|| draft.fingerprint());
        let of = OrderRows { cells, ..of };
        self.record(&of, outcome, &problems)?;
        match &judged_order {
            _ if outcome != OrderOutcome::Stays => Ok(()),
            None => self.not_sent(&of, &problems),
            Some(order) => {
                let frozen =
                    Frozen { order, request: request.as_ref(), of, raw: Some(&draft), in_ledger: None, census };
                let rule = problems.iter().find(|problem| problem.holds()).and_then(Finding::rule);
                let said = rule.map_or(Ok(None), |rule| self.sink.held(&frozen, rule))?;
                said.iter().try_for_each(|said| self.problem(said))
            }
        }
    }

    /// Tells the sink that an order is held, or cannot be sent, by its own sheet.
    fn not_sent(&mut self, of: &OrderRows<'_>, problems: &[Finding]) -> Result<(), StageError> {
        let Some((verdict, rule)) = ruling(problems) else { return Ok(()) };
        let said = self.sink.not_sent(of, verdict, rule)?;
        said.iter().try_for_each(|said| self.problem(said))
    }

    /// That rows of an order were sent under another number, unless it is over itself.
    fn second_number(&mut self, of: &OrderRows<'_>) -> Result<Option<Finding>, StageError> {
        let Some((number, first)) = of.number.zip(of.at.first().copied()) else { return Ok(None) };
        let Some((other, standing)) = self.sink.sent_otherwise(of)? else { return Ok(None) };
        let is_over = self.sink.is_over(number)?;
        let said = || second_number(number, (&other, standing), first, self.judge.reviewer.sheets);
        Ok((!is_over).then(said).flatten())
    }

    /// Counts what becomes of an order, or of a row without one, and tells it.
    fn record(&mut self, of: &OrderRows<'_>, outcome: OrderOutcome, problems: &[Finding]) -> Result<(), StageError> {
        let row_count = of.at.len() as u64;
        (self.watch)(of, outcome, problems);
        let gathered = &mut self.gathered;
        match outcome {
            OrderOutcome::Goes | OrderOutcome::Booked => gathered.rows.in_orders += row_count,
            OrderOutcome::LeftOut => gathered.rows.skipped += row_count,
            OrderOutcome::Stays => {
                gathered.rows.invalid += row_count;
                let count =
                    if of.number.is_some() { &mut gathered.orders_invalid } else { &mut gathered.rows_without_order };
                *count += 1;
                problems.iter().for_each(&mut *self.say);
                return Ok(self.sink.invalid(of, problems)?);
            }
        }
        problems.iter().try_for_each(|problem| self.problem(problem))
    }

    /// Hands a good order on. Gives what there is to say of it: unless that holds, it is where it should be.
    fn hand_over(&mut self, frozen: &Frozen<'_>) -> Result<Vec<Finding>, StageError> {
        let mut said = self.sink.order(frozen)?;
        if !said.iter().any(Finding::holds) {
            self.gathered.good.add(frozen.order);
        }
        for problem in &mut said {
            let field = problem.field.as_deref().and_then(Field::by_path).map_or(Id::OrderNumber, |field| field.id);
            problem.place = frozen.of.at.first().map(|first| self.judge.reviewer.sheets.place(*first, Some(field)));
        }
        Ok(said)
    }

    /// An order that cannot go as it is: it stays, unless it is booked already; then `problems` are what that is worth saying.
    fn booked(
        &mut self,
        of: &OrderRows<'_>,
        as_held: Option<&Order>,
        problems: &mut Vec<Finding>,
        eligibility: Eligibility,
    ) -> Result<OrderOutcome, StageError> {
        // The number of its shipment stands there because it was booked.
        let is_all_that_is_wrong = problems.iter().filter(|problem| problem.holds()).count() == 1;
        if eligibility == Eligibility::Sent && is_all_that_is_wrong && self.sink.booked(of, false)?.is_some() {
            problems.clear();
            return Ok(OrderOutcome::Booked);
        }
        let Some(wrong) = still_wrong(problems) else { return Ok(OrderOutcome::Stays) };
        let Some(booked) = self.sink.booked(of, true)? else { return Ok(OrderOutcome::Stays) };
        let changed = as_held.map_or(Ok(None), |order| self.sink.changed_since(of, order, problems))?;
        let said = match wrong.order.as_deref().filter(|_| wrong.id == finding::Id::HeldBack) {
            Some(number) => booked_before::held_since(&booked.awb, wrong, cancel(number)).about(wrong),
            None => changed.unwrap_or_else(|| booked_before::still_wrong(&booked.awb, wrong).about(wrong)),
        };
        *problems = vec![said];
        Ok(OrderOutcome::Booked)
    }

    /// An order that is over by its sheet's own word: it was booked from here, or it is left out.
    fn over(&mut self, of: &OrderRows<'_>, problems: &[Finding], eligibility: Eligibility) -> Result<(), StageError> {
        let Some(booked) = self.sink.booked(of, false)? else {
            self.gathered.orders_over += 1;
            self.record(of, OrderOutcome::LeftOut, problems)?;
            let verdict = if eligibility == Eligibility::Cancelled { Verdict::Cancelled } else { Verdict::LeftOut };
            let said = self.sink.not_sent(of, verdict, "")?;
            return said.iter().try_for_each(|said| self.problem(said));
        };
        self.gathered.orders += 1;
        let is_cancelled = eligibility == Eligibility::Cancelled && !booked.cancelled;
        let since = problems.first().filter(|_| is_cancelled).map(|problem| {
            booked_before::cancelled_since(&booked.awb, cancel(of.number.unwrap_or_default())).about(problem)
        });
        self.record(of, OrderOutcome::Booked, since.as_slice())
    }

    fn problem(&mut self, problem: &Finding) -> Result<(), StageError> {
        let Some(problem) = self.judge.reviewer.sheets.apply(problem.clone()) else { return Ok(()) };
        (self.say)(&problem);
        Ok(self.sink.problem(&problem)?)
    }

    const fn checking(&self, rows: u64) -> Event<'static> {
        let Gathered { orders, orders_invalid, .. } = self.gathered;
        Event::Reading { pass: Pass::Checking, rows, orders, orders_invalid }
    }
}

/// What is wrong with an order that may be booked already, corrected elsewhere; nothing where its rows may be two orders.
fn still_wrong(problems: &[Finding]) -> Option<&Finding> {
    let mut errors = problems.iter().filter(|problem| problem.holds());
    let first = errors.next()?;
    let may_be_two = |problem: &Finding| matches!(problem.id, finding::Id::OrderClash | finding::Id::RowsTwice);
    (!may_be_two(first) && !errors.any(may_be_two)).then_some(first)
}

fn cancel(order: &str) -> Remedy {
    Remedy::RunCommand { command: Command::CancelShipment { order: order.to_owned() } }
}
