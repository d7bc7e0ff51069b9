//! Weights and sides of something that no header names as those of the parcel.

use super::state::Known;
use crate::column::{Claim, Columns};
use crate::field::{AmountRole, Id, MeasuredOf, Trait};

/// The sides of a parcel.
const SIDES: [Id; 3] = [Id::Length, Id::Width, Id::Height];

/// Takes a column of the weight, or the sides, of a piece for that of the parcel, where nothing else is it. Of an order
/// of several pieces that is asked.
pub(super) fn find_measures(columns: &mut Columns, known: &Known<'_>) {
    let of_items = measures(columns, known, |of| of == MeasuredOf::Item);
    let one = |id: Id| {
        let mut found = of_items.iter().filter(|(of, _)| *of == id).map(|(_, column)| *column);
        found.next().filter(|_| found.next().is_none())
    };
    let is_fed = |id: Id| columns.feed(id).is_some();
    // A length alone is that of the goods: of cloth, or of a necklace.
    let all_sides = SIDES.iter().all(|id| is_fed(*id) || one(*id).is_some());
    let ids = SIDES.into_iter().filter(|_| all_sides).chain([Id::Weight]);
    let open = ids.filter(|id| !is_fed(*id) && !known.has_default(*id));
    let taken: Vec<(Id, u32)> = open.filter_map(|id| Some((id, one(id)?))).collect();
    for (id, column) in taken {
        columns.take(id, column, None);
        columns.claim(AmountRole::Measure(id), column, true);
    }
}

/// Watches columns that nothing takes and that may say the weight or the size of the parcel: where a constant would be
/// booked in their stead, that is asked.
pub(super) fn watch_measures(columns: &mut Columns, known: &Known<'_>) {
    let all = measures(columns, known, |_| true);
    let clear = measures(columns, known, |of| of == MeasuredOf::Parcel);
    // Goods have a length, and seldom all three sides.
    let all_sides = SIDES.iter().all(|id| columns.feed(*id).is_some() || all.iter().any(|(of, _)| of == id));
    let asked = all.into_iter().filter(|own| own.0 == Id::Weight || all_sides || clear.contains(own));
    let is_size = |column: &u32| {
        let reading = columns.get(*column);
        reading.is(Trait::Size) && reading.measure.is_none() && !known.leaves_out(&reading.header)
    };
    let sizes = columns.unknown.iter().filter(|_| columns.feed(Id::Length).is_none());
    let sizes = sizes.copied().filter(is_size).map(|column| (Id::Length, column));
    let claim = |(id, column)| Claim { role: AmountRole::Measure(id), column, each_line: false, by_header: true };
    let claims: Vec<Claim> = asked.chain(sizes).map(claim).collect();
    columns.claims.extend(claims);
}

/// The columns without a field that are measures of these things.
fn measures(columns: &Columns, known: &Known<'_>, of: impl Fn(MeasuredOf) -> bool) -> Vec<(Id, u32)> {
    let found = columns.unknown.iter().filter_map(|column| {
        let reading = columns.get(*column);
        let (id, found) = reading.measure.filter(|_| !known.leaves_out(&reading.header))?;
        of(found).then_some((id, *column))
    });
    found.collect()
}
