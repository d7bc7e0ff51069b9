//! Which of two columns is the receiver's: what says that it is where the parcel goes, before what says who bought it.

use crate::column::Feed;
use crate::field::{FIELDS, Field, HeaderReading, Id, Match, Rank, Trait, UNCLEAR_PART};
use crate::finding::column::{duplicate_header, sheet_notice};
use crate::finding::{Finding, Remedy};
use crate::origin::Column;
use crate::profile::{Part, Recipe, Step};

use super::plan::{Header, Plan};

/// A column that may be a field of the receiver.
#[derive(Clone, Copy)]
struct Candidate {
    column: u32,
    id: Id,
    rank: Rank,
    /// Whether its header names who gets the parcel.
    named: bool,
    /// Whether it may be anybody's, or anything's: `Name`.
    bare: bool,
}

/// Columns that give way to others of the same field, which name the receiver.
#[derive(Default)]
pub(super) struct Second {
    columns: Vec<Candidate>,
}

impl Second {
    /// Of the headers that may feed a field.
    pub(super) fn of(header: &Header<'_>, may_feed: impl Fn(u32, &Match) -> bool) -> Self {
        if !header.readings.iter().any(|own| own.is(Trait::Receiver)) {
            return Self::default();
        }
        let matched = (0_u32..).zip(header.readings.iter()).filter_map(|(column, own)| {
            let found = own.field.filter(|found| found.field.is_receivers() && may_feed(column, found))?;
            let named = own.is(Trait::Receiver) || found.rank == Rank::Path;
            let bare = own.is(Trait::BareName);
            Some(Candidate { column, id: found.field.id, rank: found.rank, named, bare })
        });
        let all: Vec<Candidate> = matched.collect();
        let has = |id: Id, named: bool| all.iter().any(|own| own.id == id && own.named == named);
        let both = |id: Id| has(id, true) && has(id, false);
        // An address is taken whole: one without its city or PIN code would get those of another.
        let whole = [Id::DestinationLine1, Id::DestinationCity, Id::DestinationPinCode, Id::DestinationState];
        let address = both(Id::DestinationLine1) && whole.into_iter().all(|id| has(id, true) || !has(id, false));
        let goes_second = |own: &Candidate| match own.id {
            Id::ReceiverFirstName | Id::ReceiverPhone | Id::ReceiverEmail | Id::ReceiverCompany => both(own.id),
            Id::ReceiverLastName => both(Id::ReceiverFirstName),
            Id::DestinationLine2 => address,
            _ => address && both(own.id),
        };
        // A part of an address is more of it.
        let is_own = |own: &Candidate| !is_more_of(own.id.field(), header.reading(own.column));
        Self { columns: all.iter().copied().filter(|own| !own.named && goes_second(own) && is_own(own)).collect() }
    }

    pub(super) fn has(&self, column: u32) -> bool {
        self.columns.iter().any(|own| own.column == column)
    }

    /// The best of those of a field.
    fn best(&self, id: Id) -> Option<u32> {
        let of_field = self.columns.iter().filter(|own| own.id == id && !own.bare);
        of_field.min_by_key(|own| (own.rank, own.column)).map(|own| own.column)
    }
}

impl Plan {
    /// Lets the columns that give way speak where the receiver's own ones are blank.
    pub(super) fn second_receivers(&mut self, second: &Second, header: &Header<'_>, problems: &mut Vec<Finding>) {
        let mut used: Vec<u32> = Vec::new();
        let first = |plan: &Self, id: Id| plan.feed(id).map(|feed| feed.column);
        let (name, line) = (first(self, Id::ReceiverFirstName), first(self, Id::DestinationLine1));
        for id in FIELDS.iter().map(|field| field.id) {
            let Some(other) = second.best(id) else { continue };
            used.push(other);
            let own = first(self, id);
            // What belongs together is taken together: a last name by the first one, an address by its first line.
            let key = match id {
                Id::ReceiverFirstName | Id::ReceiverLastName => Id::ReceiverFirstName,
                _ if id.field().path.starts_with("destination.") => Id::DestinationLine1,
                _ => id,
            };
            let by = match key {
                Id::ReceiverFirstName => name,
                Id::DestinationLine1 => line,
                _ => own,
            };
            let blocks = vec![(by, own), (second.best(key), Some(other))];
            let column = own.unwrap_or(other);
            let whole = id == Id::ReceiverFirstName
                && first(self, Id::ReceiverLastName).or_else(|| second.best(Id::ReceiverLastName)).is_none()
                && own.into_iter().chain([other]).all(|name| !header.reading(name).is(Trait::PartOfName));
            self.choose(id.field(), column, &blocks, whole);
            problems.extend(own.map(|own| goes_first(id.field(), own, other, header)));
        }
        self.feeds.sort_by_key(|feed| (feed.field.id, feed.product));
        let left = second.columns.iter().map(|own| own.column).filter(|column| !used.contains(column));
        self.unknown.extend(left.map(|index| Column { index, header: header.cells[index as usize].clone() }));
        self.unknown.sort_by_key(|column| column.index);
        problems.extend(self.find_phone(header));
    }

    /// Feeds a field from the block that is filled; a whole name makes the last one as well.
    fn choose(&mut self, field: &'static Field, column: u32, blocks: &[(Option<u32>, Option<u32>)], whole: bool) {
        let sources: Vec<u32> = blocks.iter().filter_map(|(_, column)| *column).collect();
        self.feeds.retain(|feed| feed.field.id != field.id);
        let last = whole.then_some((Id::ReceiverLastName.field(), Some(Part::LastName)));
        for (field, part) in [(field, whole.then_some(Part::FirstName))].into_iter().chain(last) {
            let recipe = Recipe { part, ..Recipe::default() };
            let step = Step { recipe, sources: sources.clone(), blocks: blocks.to_vec(), ..Step::default() };
            let step = self.mapper.add(step);
            self.feeds.push(Feed { field, column, product: 0, step: Some(step), shared: false });
        }
    }

    /// Takes the one phone of whoever pays, where a sheet has no other.
    fn find_phone(&mut self, header: &Header<'_>) -> Option<Finding> {
        if self.feed(Id::ReceiverPhone).is_some() {
            return None;
        }
        let mut phones = self.unknown.iter().filter(|own| self.reading(own.index).is(Trait::BillingPhone));
        let (column, None) = (phones.next()?.clone(), phones.next()) else { return None };
        self.take(Id::ReceiverPhone, column.index, None);
        let field = Id::ReceiverPhone.field();
        let notice =
            sheet_notice::only_phone(&column.header, field.header).remedy(Remedy::rename(&column.header, field.header));
        Some(notice.at(header.place(column.index)).on_field(field.path))
    }
}

fn goes_first(field: &'static Field, own: u32, other: u32, header: &Header<'_>) -> Finding {
    let name = |column: u32| &header.cells[column as usize];
    duplicate_header::receiver_first(field.header, name(own), name(other), Remedy::ignore(name(own)))
        .at(header.place(other))
        .on_field(field.path)
        .found(name(other).clone())
}

/// Whether a column beside another one of a line or the city of the address is a part of its own.
pub(super) fn is_more_of(field: &Field, reading: &HeaderReading) -> bool {
    matches!(field.id, Id::DestinationLine1 | Id::DestinationLine2 | Id::DestinationCity)
        && reading.part.is_some_and(|place| place != UNCLEAR_PART)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::Source;

    #[test]
    fn columns_of_a_buyer_give_way_to_those_of_the_receiver() {
        let address = "Address|City|State|Pincode|Shipping Address|Shipping City|Shipping State|Shipping Pincode";
        let cases = [
            ("Buyer Name|Ship To Name", "Buyer Name"),
            ("customer_name|shipping_name|customer_phone|shipping_phone", "customer_name|customer_phone"),
            ("firstname|lastname|shipping_firstname|shipping_lastname", "firstname|lastname"),
            ("firstname|lastname|shipping_name", "firstname|lastname"),
            (address, "Address|City|State|Pincode"),
            // Neither names the receiver, or both do.
            ("Customer Name|Buyer Name", ""),
            ("Shipping Name|Consignee Name", ""),
            // A path is what somebody means, and an address is taken whole.
            ("receiver.firstName|Shipping Name", ""),
            ("Address|City|Pincode|Shipping Address", ""),
            ("City|Shipping City", ""),
            ("Name|Last Name|Shipping Last Name", ""),
            // Other people have columns of their own, and a town is a part of the address.
            ("Sender Name|Receiver Name|Billing Name", ""),
        ];
        for (headers, expected) in cases {
            let cells: Vec<String> = headers.split('|').map(str::to_owned).collect();
            let readings = cells.iter().map(|cell| HeaderReading::of(cell)).collect();
            let source = Source::text("orders.csv");
            let header = Header { source: &source, row: 1, cells: &cells, readings: &readings };
            let second = Second::of(&header, |_, _| true);
            let given: Vec<&str> = (0_u32..)
                .zip(&cells)
                .filter(|(column, _)| second.has(*column))
                .map(|(_, cell)| cell.as_str())
                .collect();
            assert_eq!(given.join("|"), expected, "{headers}");
        }
    }
}
