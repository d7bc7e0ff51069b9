//! Weights and sides of something that no header names as those of the parcel.

use crate::field::{AmountRole, Id, MeasuredOf, Trait, is_named};
use crate::origin::Column;

use super::plan::Plan;
use crate::profile::Profile;

/// The sides of a parcel.
const SIDES: [Id; 3] = [Id::Length, Id::Width, Id::Height];

impl Plan {
    /// Takes a column of the weight, or the sides, of a piece for that of the parcel, where nothing else is it. Of an order
    /// of several pieces that is asked.
    pub(super) fn find_measures(&mut self, profile: Option<&Profile>, left_out: &[String]) {
        let of_items: Vec<(Id, u32)> = self.measures(left_out, |of| of == MeasuredOf::Item);
        let is_open =
            |id: Id| self.feed(id).is_none() && profile.is_none_or(|profile| !profile.defaults.contains_key(&id));
        let one = |id: Id| {
            let mut columns = of_items.iter().filter(|(of, _)| *of == id).map(|(_, column)| *column);
            columns.next().filter(|_| columns.next().is_none())
        };
        // A length alone is that of the goods: of cloth, or of a necklace.
        let all_sides = SIDES.iter().all(|id| self.feed(*id).is_some() || one(*id).is_some());
        let ids = SIDES.into_iter().filter(|_| all_sides).chain([Id::Weight]);
        let taken: Vec<(Id, u32)> = ids.filter(|id| is_open(*id)).filter_map(|id| Some((id, one(id)?))).collect();
        for (id, column) in taken {
            self.take(id, column, None);
            self.watch(id, column);
        }
    }

    /// Watches columns that nothing takes and that may say the weight or the size of the parcel: where a constant would be
    /// booked in their stead, that is asked.
    pub(super) fn watch_measures(&mut self, left_out: &[String]) {
        let known = self.measures(left_out, |_| true);
        let clear = self.measures(left_out, |of| of == MeasuredOf::Parcel);
        // Goods have a length, and seldom all three sides.
        let all_sides = SIDES.iter().all(|id| self.feed(*id).is_some() || known.iter().any(|(of, _)| of == id));
        let asked = known.into_iter().filter(|own| own.0 == Id::Weight || all_sides || clear.contains(own));
        for (id, column) in asked.collect::<Vec<_>>() {
            self.watch(id, column);
        }
        if self.feed(Id::Length).is_none() {
            let is_size = |own: &&Column| {
                let reading = self.reading(own.index);
                reading.is(Trait::Size) && reading.measure.is_none() && !is_named(left_out, &own.header)
            };
            let sizes = self.unknown.iter().filter(is_size);
            for column in sizes.map(|own| own.index).collect::<Vec<_>>() {
                self.watch(Id::Length, column);
            }
        }
    }

    /// Whether a column may say a weight or a side of the parcel.
    #[must_use]
    pub fn watches(&self, id: Id, column: u32) -> bool {
        self.amounts.iter().any(|own| own.role == AmountRole::Measure(id) && own.column == column)
    }

    fn watch(&mut self, id: Id, column: u32) {
        self.claim(AmountRole::Measure(id), column, true);
    }

    /// The columns without a field that are measures of these things.
    fn measures(&self, left_out: &[String], of: impl Fn(MeasuredOf) -> bool) -> Vec<(Id, u32)> {
        let named = self.unknown.iter().filter(|own| !is_named(left_out, &own.header));
        let found = named.filter_map(|own| Some((self.reading(own.index).measure?, own.index)));
        found.filter(|((_, found), _)| of(*found)).map(|((id, _), column)| (id, column)).collect()
    }
}
