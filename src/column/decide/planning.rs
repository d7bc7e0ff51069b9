//! How a sheet is planned: its profile is followed first, and the headers speak for what that leaves open.

use crate::column::{Claim, Feed, HeaderUnit};
use crate::field::{AmountRole, FIELDS, HeaderReading, Id, Level, Match, Rank, Trait, Unit, is_named, normalised};
use crate::finding::Finding;
use crate::origin::{Column, Source, is_added};
use crate::profile::{LineTotal, Mapper, NUMBER, Profile, Step};

use super::amounts;
use super::numbered::products_of;
use super::plan::{Header, Meanings, Plan};
use super::signs::is_of_shipment;
use super::told::{
    missing_filter_columns, missing_profile_column, missing_total, no_order_number, second_choice, two_columns,
    two_units,
};
use super::whose::{Second, is_more_of};

use std::sync::Arc;

impl Plan {
    /// Plans a sheet by its header, with everything that a person should know about it.
    ///
    /// An error among the problems means that the sheet cannot be used as it is.
    #[must_use]
    pub fn of(source: &Arc<Source>, row: u32, cells: &[String], profile: Option<&Profile>) -> (Self, Vec<Finding>) {
        let readings = cells.iter().map(|cell| HeaderReading::of(cell)).collect();
        Self::passing_over(source, row, (cells, &readings), profile, (&[], &Meanings::default()))
    }

    /// As [`Plan::of`], where no header of some columns says anything by itself, and cells say what others are.
    #[must_use]
    pub fn passing_over(
        source: &Arc<Source>,
        row: u32,
        (cells, readings): (&[String], &Arc<[HeaderReading]>),
        profile: Option<&Profile>,
        (ignored, meanings): (&[String], &Meanings),
    ) -> (Self, Vec<Finding>) {
        let ignored = profile.map_or(ignored, |profile| profile.ignored.as_slice());
        let header = Header { source, row, cells, readings };
        let mut problems = Vec::new();
        let mut plan = Self {
            feeds: Vec::new(),
            unknown: Vec::new(),
            units: Vec::new(),
            amounts: Vec::new(),
            mapper: Mapper::new(profile, |wanted| header.find(wanted)),
            headers: cells.to_vec(),
            readings: readings.clone(),
            profile: profile.map(|profile| profile.name.clone()),
            own: profile.is_some_and(|profile| !profile.built_in),
            refused: meanings.refused.clone(),
            payment_in_cells: None,
            line_total: false,
        };
        let mut taken: Vec<u32> = Vec::new();
        if let Some(profile) = profile {
            plan.follow(profile, &header, &mut taken, &mut problems);
        }
        let left_out = profile.map(|profile| profile.left_out.as_slice()).unwrap_or_default();
        plan.match_headers((ignored, left_out, meanings), &header, &taken, &mut problems);
        if profile.is_none_or(|profile| !profile.built_in) {
            plan.match_numbered();
        }
        plan.find_measures(profile, left_out);
        plan.find_signs(&header, &mut problems);
        problems.extend(plan.find_first_line(&[ignored, left_out].concat(), &header));
        plan.find_totals(profile, ignored);
        plan.find_line_total(profile);
        plan.find_payment(profile);
        plan.find_notes(&header);
        plan.watch_measures(left_out);
        plan.read_units(profile, &header, &mut problems);
        plan.share_lines();
        match plan.feed(Id::OrderNumber) {
            Some(feed) => {
                let fill_down = profile.is_some_and(|profile| profile.fill_down);
                let names = plan.names();
                plan.mapper.order_number(feed.column, feed.step, fill_down, names);
            }
            None => problems.push(no_order_number(&header)),
        }
        (plan, problems)
    }

    /// The columns that name products.
    fn names(&self) -> Vec<u32> {
        let named = self.feeds.iter().filter(|feed| matches!(feed.field.id, Id::ProductName | Id::Sku));
        let columns = named.flat_map(|feed| match feed.step {
            Some(step) => self.mapper.sources(step).to_vec(),
            None => vec![feed.column],
        });
        columns.collect()
    }

    /// Columns that speak of money and that neither a field nor the profile takes: all but those that it ignores.
    fn find_totals(&mut self, profile: Option<&Profile>, ignored: &[String]) {
        let known = amounts::known(self.unknown.iter().map(|own| (own, self.reading(own.index))), ignored);
        let own = profile.is_none_or(|profile| !profile.built_in);
        let fed = |id: Id| self.feed(id).is_some();
        let known: Vec<Claim> = known
            .into_iter()
            .filter(|amount| match amount.role {
                AmountRole::Same(_) if self.reading(amount.column).is(Trait::BesideList) => {
                    self.feed(Id::Price).is_some_and(|price| self.reading(price.column).is(Trait::ListPrice)) && own
                }
                AmountRole::Same(id) => fed(id),
                _ => true,
            })
            .collect();
        // A tax is only compared where money is collected, and a list price beside a discount: of every other order they
        // are left out, and that is said.
        let is_said = |role: AmountRole| matches!(role, AmountRole::Tax | AmountRole::TaxOnTop | AmountRole::ListPrice);
        // And a word that may mean other things may stand above cells that are no amounts.
        let is_bare = |own: &Claim| own.role == AmountRole::Beside && self.reading(own.column).is(Trait::BareAmount);
        let compared =
            |column: u32| known.iter().any(|own| own.column == column && !is_said(own.role) && !is_bare(own));
        let compared: Vec<u32> =
            self.unknown.iter().map(|column| column.index).filter(|column| compared(*column)).collect();
        self.unknown.retain(|column| !compared.contains(&column.index));
        self.amounts.extend(known);
    }

    fn read_units(&mut self, profile: Option<&Profile>, header: &Header<'_>, problems: &mut Vec<Finding>) {
        let mut units: Vec<HeaderUnit> = Vec::new();
        let converted = |id: Id| profile.and_then(|p| p.columns.get(&id)).is_some_and(|recipe| recipe.scale.is_some());
        // Whoever has said the unit of all has seen the headers.
        let told = |id: Id| profile.is_some_and(|profile| profile.defaults.contains_key(&id));
        for Feed { field, column, .. } in self.fed().filter(|feed| !converted(feed.field.id)) {
            let Some(id) = field.unit_field() else { continue };
            let words = match header.reading(column).unit(field) {
                Some(Unit::Measure(word)) => vec![word],
                Some(Unit::Money(codes)) => codes.to_vec(),
                None => continue,
            };
            match units.iter_mut().find(|known| known.id == id) {
                None => units.push(HeaderUnit { id, words, column }),
                Some(known) => {
                    let common: Vec<_> = known.words.iter().copied().filter(|word| words.contains(word)).collect();
                    if common.is_empty() && told(id) {
                        known.words.extend(words);
                    } else if common.is_empty() {
                        problems.push(two_units(field, known, words[0], column, header));
                    } else {
                        known.words = common;
                    }
                }
            }
        }
        self.units = units;
    }

    fn follow(&mut self, profile: &Profile, header: &Header<'_>, taken: &mut Vec<u32>, problems: &mut Vec<Finding>) {
        for (id, recipe) in &profile.columns {
            let before = self.feeds.len();
            for product in products_of(recipe, header.cells) {
                let step = Step::of(recipe, |wanted| header.find(&wanted.replace(NUMBER, &(product + 1).to_string())));
                let Some(&column) = step.sources.first() else { continue };
                taken.extend(&step.sources);
                let step = (!recipe.is_plain()).then(|| self.mapper.add(step));
                self.feeds.push(Feed { field: id.field(), column, product, step, shared: false });
            }
            taken.extend(recipe.by.iter().chain(&recipe.less).chain(&recipe.times).filter_map(|by| header.find(by)));
            if let LineTotal::Pieces(pieces) = &recipe.line_total
                && let Some(column) = header.find(pieces)
            {
                taken.push(column);
                self.amounts.push(Claim { role: AmountRole::Pieces, column, each_line: true, by_header: false });
            }
            if self.feeds.len() == before && !profile.built_in && !recipe.optional {
                problems.push(missing_profile_column(profile, *id, &recipe.columns()[0], header));
            }
        }
        let feeds = |column: u32| taken.contains(&column);
        let missing = |wanted: &str| {
            if !profile.built_in {
                problems.push(missing_total(profile, wanted, header));
            }
        };
        self.amounts.extend(amounts::planned(&profile.amounts, |wanted| header.find(wanted), feeds, missing));
        taken.extend(self.amounts.iter().map(|amount| amount.column));
        taken.extend(profile.filters.iter().filter_map(|filter| header.find(&filter.column)));
        problems.extend(missing_filter_columns(profile, header));
        taken.extend(profile.ignored.iter().filter_map(|ignored| header.find(ignored)));
    }

    fn match_headers(
        &mut self,
        (ignored, left_out, meanings): (&[String], &[String], &Meanings),
        header: &Header<'_>,
        taken: &[u32],
        problems: &mut Vec<Finding>,
    ) {
        let by_profile: Vec<Id> = self.feeds.iter().map(|feed| feed.field.id).collect();
        let mut ranks: Vec<Option<(u32, Rank)>> = vec![None; FIELDS.len()];
        let is_free = |index: u32, cell: &str| {
            !(cell.is_empty() || is_added(cell) || taken.contains(&index) || is_named(ignored, cell))
        };
        let may_feed = |found: &Match, cell: &str| !by_profile.contains(&found.field.id) && !is_named(left_out, cell);
        let second = Second::of(header, |index, found| {
            let cell = &header.cells[index as usize];
            is_free(index, cell) && may_feed(found, cell) && !meanings.are_of(index)
        });
        for (index, cell) in (0_u32..).zip(header.cells) {
            if !is_free(index, cell) || second.has(index) {
                continue;
            }
            let Some(found) = meanings.matched(index, header.reading(index)).filter(|found| may_feed(found, cell))
            else {
                self.unknown.push(Column { index, header: cell.clone() });
                continue;
            };
            let slot = &mut ranks[found.field.id as usize];
            let Some((other, rank)) = *slot else {
                *slot = Some((index, found.rank));
                continue;
            };
            let are_rates = self.rates(index, other);
            if !are_rates && normalised(cell) == normalised(&header.cells[other as usize]) {
                problems.push(two_columns(found.field, other, index, header));
                continue;
            }
            let is_better = if are_rates { header.reading(index).is(Trait::Percent) } else { found.rank < rank };
            let (kept, left) = if is_better { (index, other) } else { (other, index) };
            *slot = Some((kept, rank.min(found.rank)));
            self.unknown.push(Column { index: left, header: header.cells[left as usize].clone() });
            // `GST` beside `GST %` is its amount, a second column of the address is more of it, and what cells tell has nothing to
            // say beside what a header names.
            if are_rates || is_more_of(found.field, header.reading(left)) || rank.max(found.rank) == Rank::Cells {
                continue;
            }
            if is_of_shipment(found.field) {
                self.claim(AmountRole::Same(found.field.id), left, false);
            }
            // How far the payment is is compared with how it is made.
            if !header.reading(left).is(Trait::PaymentState) {
                problems.push(second_choice(found.field, kept, left, header));
            }
        }
        for (field, slot) in FIELDS.iter().zip(ranks) {
            if let Some((column, _)) = slot {
                self.feeds.push(Feed { field, column, product: 0, step: None, shared: false });
            }
        }
        self.feeds.sort_by_key(|feed| (feed.field.id, feed.product));
        self.second_receivers(&second, header, problems);
    }

    /// Columns that stand once serve every product beside another.
    fn share_lines(&mut self) {
        let products = self.feeds.iter().map(|feed| feed.product).max().unwrap_or(0);
        if products == 0 {
            return;
        }
        let count = |id: Id| self.feeds.iter().filter(|feed| feed.field.id == id).count();
        let once = |feed: &&Feed| feed.field.level == Level::Line && feed.product == 0 && count(feed.field.id) == 1;
        let single: Vec<Feed> = self.feeds.iter().filter(once).copied().collect();
        for feed in &mut self.feeds {
            feed.shared = single.iter().any(|one| one.field.id == feed.field.id);
        }
        for product in 1..=products {
            self.feeds.extend(single.iter().map(|feed| Feed { product, shared: true, ..*feed }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::english::plain_advice;
    use crate::finding::{self, Level};

    fn plan(header: &[&str], profile: Option<&Profile>) -> (Plan, Vec<Finding>) {
        let cells: Vec<String> = header.iter().map(|cell| (*cell).to_owned()).collect();
        Plan::of(&Source::text("orders.csv"), 1, &cells, profile)
    }

    #[test]
    fn headers_find_their_fields_and_strangers_are_listed() {
        let (plan, problems) = plan(&["Order No", "receiver.firstName", "Colour", "", "Pincode"], None);
        assert_eq!(plan.column(Id::OrderNumber), Some(0));
        assert_eq!(plan.column(Id::ReceiverFirstName), Some(1));
        assert_eq!(plan.column(Id::DestinationPinCode), Some(4));
        assert_eq!(plan.unknown(), [Column { index: 2, header: "Colour".into() }]);
        assert!(problems.is_empty());
    }

    #[test]
    fn the_better_header_wins_and_equals_are_refused() {
        let (first, problems) = plan(&["Order Ref", "Order Number"], None);
        assert_eq!(first.column(Id::OrderNumber), Some(1));
        assert_eq!(first.unknown(), [Column { index: 0, header: "Order Ref".into() }]);
        assert_eq!(problems[0].level, Level::Warn);
        let (_, problems) = plan(&["Order Number", "SKU", "sku "], None);
        assert_eq!((problems[0].id, problems[0].level), (finding::Id::DuplicateHeader, Level::Hold));
    }

    #[test]
    fn units_in_headers_are_kept_and_must_agree() {
        let (plan, problems) = plan(&["Order No", "Weight (g)", "Length (in)", "Width (in)", "Price ($)"], None);
        let units: Vec<_> = plan.units().iter().map(|unit| (unit.id, unit.words[0])).collect();
        assert_eq!(units, [(Id::DimensionUnit, "in"), (Id::WeightUnit, "g"), (Id::CurrencyCode, "USD")]);
        assert!(problems.is_empty());
        let (_, problems) = self::plan(&["Order No", "Length (in)", "Width (cm)"], None);
        assert_eq!((problems[0].id, problems[0].level), (finding::Id::UnitClash, Level::Hold));
    }

    #[test]
    fn a_sheet_without_order_numbers_cannot_be_used() {
        let (_, problems) = plan(&["Name", "Phone"], None);
        assert_eq!((problems[0].id, problems[0].level), (finding::Id::MissingColumn, Level::Hold));
        assert_eq!(problems[0].found.as_deref(), Some("Name, Phone"));
    }

    #[test]
    fn a_profile_goes_first_and_says_what_is_gone() {
        let text = "[columns]\n\"receiver.firstName\" = \"Who\"\n\"destination.city\" = \"Cty\"\n";
        let profile = Profile::parse("counter", text).unwrap();
        let (plan, problems) = plan(&["Order Number", "Name", "Who", "Ctyy"], Some(&profile));
        assert_eq!(plan.column(Id::ReceiverFirstName), Some(2));
        assert_eq!(plan.unknown().len(), 2);
        assert_eq!(problems[0].id, finding::Id::MissingColumn);
        assert!(plain_advice(&problems[0]).contains("\"Ctyy\""));
    }
}
