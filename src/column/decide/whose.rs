//! Which of two columns is the receiver's: what says that it is where the parcel goes, before what says who bought it.

use crate::column::{Columns, Feed};
use crate::field::{FIELDS, Field, HeaderReading, Id, Match, Rank, Trait, UNCLEAR_PART};
use crate::finding::column::duplicate_header;
use crate::finding::{Finding, Remedy};
use crate::profile::{Part, Recipe, Step};

/// Columns that give way to others of the same field, which name the receiver: each with its field, and how that is named.
#[derive(Default)]
pub(super) struct Second(Vec<(u32, Id, Rank)>);

impl Second {
    /// Of the headers that may feed a field.
    pub(super) fn of(headers: &[HeaderReading], may_feed: impl Fn(u32, &Match) -> bool) -> Self {
        if !headers.iter().any(|own| own.is(Trait::Receiver)) {
            return Self::default();
        }
        let matched = (0_u32..).zip(headers).filter_map(|(column, own)| {
            let found = own.field.filter(|found| found.field.is_receivers() && may_feed(column, found))?;
            Some((column, found.field.id, found.rank))
        });
        let mut all: Vec<(u32, Id, Rank)> = matched.collect();
        let header = |column: u32| &headers[column as usize];
        // Whether a header names who gets the parcel.
        let is_named = |column: u32, rank: Rank| header(column).is(Trait::Receiver) || rank == Rank::Path;
        let others: Vec<(Id, bool)> = all.iter().map(|(column, id, rank)| (*id, is_named(*column, *rank))).collect();
        let has = |id: Id, named: bool| others.contains(&(id, named));
        let both = |id: Id| has(id, true) && has(id, false);
        // An address is taken whole: one without its city or PIN code would get those of another.
        let whole = [Id::DestinationLine1, Id::DestinationCity, Id::DestinationPinCode, Id::DestinationState];
        let address = both(Id::DestinationLine1) && whole.into_iter().all(|id| has(id, true) || !has(id, false));
        let goes_second = |id: Id| match id {
            Id::ReceiverFirstName | Id::ReceiverPhone | Id::ReceiverEmail | Id::ReceiverCompany => both(id),
            Id::ReceiverLastName => both(Id::ReceiverFirstName),
            Id::DestinationLine2 => address,
            _ => address && both(id),
        };
        // A part of an address is more of it.
        let is_more = |column: u32, id: Id| is_more_of(id.field(), header(column));
        all.retain(|(column, id, rank)| !is_named(*column, *rank) && goes_second(*id) && !is_more(*column, *id));
        Self(all)
    }

    pub(super) fn has(&self, column: u32) -> bool {
        self.0.iter().any(|(own, ..)| *own == column)
    }

    /// The best of those of a field, but for one that may be anybody's, or anything's: `Name`.
    fn best(&self, id: Id, columns: &Columns) -> Option<u32> {
        let of_field = self.0.iter().filter(|(column, own, _)| *own == id && !columns.get(*column).is(Trait::BareName));
        of_field.min_by_key(|(column, _, rank)| (*rank, *column)).map(|(column, ..)| *column)
    }
}

/// Lets the columns that give way speak where the receiver's own ones are blank.
pub(super) fn second_receivers(columns: &mut Columns, second: &Second, problems: &mut Vec<Finding>) {
    let own: Vec<Option<u32>> = FIELDS.iter().map(|field| columns.column(field.id)).collect();
    let first = |id: Id| own[id as usize];
    let mut left: Vec<u32> = second.0.iter().map(|(column, ..)| *column).collect();
    for id in FIELDS.iter().map(|field| field.id) {
        let Some(other) = second.best(id, columns) else { continue };
        left.retain(|column| *column != other);
        // What belongs together is taken together: a last name by the first one, an address by its first line.
        let key = match id {
            Id::ReceiverFirstName | Id::ReceiverLastName => Id::ReceiverFirstName,
            _ if id.field().path.starts_with("destination.") => Id::DestinationLine1,
            _ => id,
        };
        let blocks = vec![(first(key), first(id)), (second.best(key, columns), Some(other))];
        let sources: Vec<u32> = first(id).into_iter().chain([other]).collect();
        // A whole name makes the last one as well.
        let is_whole = id == Id::ReceiverFirstName
            && first(Id::ReceiverLastName).or_else(|| second.best(Id::ReceiverLastName, columns)).is_none()
            && sources.iter().all(|name| !columns.get(*name).is(Trait::PartOfName));
        let last = is_whole.then_some((Id::ReceiverLastName, Some(Part::LastName)));
        let parts = [(id, is_whole.then_some(Part::FirstName))].into_iter().chain(last);
        columns.feeds.retain(|feed| feed.id() != id);
        for (id, part) in parts {
            let recipe = Recipe { part, ..Recipe::default() };
            let step = Step { recipe, sources: sources.clone(), blocks: blocks.clone(), ..Step::default() };
            let step = columns.mapper.add(step);
            columns.feeds.push(Feed::of(id, sources[0], Some(step)));
        }
        problems.extend(first(id).map(|own| goes_first(id.field(), own, other, columns)));
    }
    columns.sort();
    columns.unknown.extend(left);
    columns.unknown.sort_unstable();
}

fn goes_first(field: &'static Field, own: u32, other: u32, columns: &Columns) -> Finding {
    let name = |column: u32| columns.header(column);
    duplicate_header::receiver_first(field.header, name(own), name(other), Remedy::ignore(name(own)))
        .at(columns.header_place(other))
        .on_field(field.path)
        .found(name(other))
}

/// Whether a column beside another one of a line or the city of the address is a part of its own.
pub(super) fn is_more_of(field: &Field, reading: &HeaderReading) -> bool {
    matches!(field.id, Id::DestinationLine1 | Id::DestinationLine2 | Id::DestinationCity)
        && reading.part.is_some_and(|place| place != UNCLEAR_PART)
}
