//! How a sheet is planned: its profile is followed first, and the headers speak for what that leaves open.

use crate::column::{Claim, Columns, Feed, HeaderUnit};
use crate::field::{AmountRole, FIELDS, Id, Level, Match, Rank, Trait, Unit, normalised};
use crate::finding::Finding;
use crate::origin::is_added;
use crate::profile::{LineTotal, NUMBER, Profile, Step};

use super::amounts;
use super::measured::{find_measures, watch_measures};
use super::numbered::{find_first_line, match_numbered, products_of};
use super::signs::{find_notes, find_payment, find_signs, is_of_shipment};
use super::state::{Known, Meanings};
use super::told::{
    missing_filter_columns, missing_profile_column, missing_total, no_order_number, second_choice, two_columns,
    two_units,
};
use super::whose::{Second, is_more_of, second_receivers};

/// Of so many columns with one header each is told; a sheet may have thousands, and one of them holds it as well.
const TOLD_MAX: usize = 10;

/// Plans a sheet by its headers, with everything that a person should know about it, where cells say what some columns are.
///
/// An error among the problems means that the sheet cannot be used as it is.
pub(super) fn planned(mut columns: Columns, known: &Known<'_>, meanings: &Meanings) -> (Columns, Vec<Finding>) {
    let mut problems = Vec::new();
    columns.refused.clone_from(&meanings.refused);
    let mut taken: Vec<u32> = Vec::new();
    if let Some(profile) = known.profile {
        follow(&mut columns, profile, &mut taken, &mut problems);
    }
    match_headers(&mut columns, known, meanings, &taken, &mut problems);
    if !known.is_by_program() {
        match_numbered(&mut columns);
    }
    find_measures(&mut columns, known);
    problems.extend(find_signs(&mut columns));
    problems.extend(find_first_line(&mut columns, known));
    find_totals(&mut columns, known);
    amounts::find_line_total(&mut columns, known);
    find_payment(&mut columns, known);
    find_notes(&mut columns);
    watch_measures(&mut columns, known);
    read_units(&mut columns, known, &mut problems);
    share_lines(&mut columns);
    match columns.feed(Id::OrderNumber) {
        Some(feed) => {
            let fill_down = known.profile.is_some_and(|profile| profile.fill_down);
            let is_name = |feed: &Feed| matches!(feed.id(), Id::ProductName | Id::Sku);
            let names = columns.fed().filter(is_name).flat_map(|feed| columns.sources(feed)).collect();
            columns.mapper.order_number(feed.column, feed.step, fill_down, names);
        }
        None => problems.push(no_order_number(&columns)),
    }
    (columns, problems)
}

/// Columns that speak of money and that neither a field nor the profile takes: all but those that it ignores.
fn find_totals(columns: &mut Columns, known: &Known<'_>) {
    let is_fed = |id: Id| columns.feed(id).is_some();
    let is_by_list = || columns.column(Id::Price).is_some_and(|price| columns.get(price).is(Trait::ListPrice));
    let claims: Vec<Claim> = amounts::of_headers(columns, known)
        .into_iter()
        .filter(|claim| match claim.role {
            AmountRole::Same(_) if columns.get(claim.column).is(Trait::BesideList) => {
                is_by_list() && !known.is_by_program()
            }
            AmountRole::Same(id) => is_fed(id),
            _ => true,
        })
        .collect();
    // A tax is only compared where money is collected, and a list price beside a discount: of every other order they
    // are left out, and that is said. And a word that may mean other things may stand above cells that are no amounts.
    let is_compared = |own: &Claim| match own.role {
        AmountRole::Tax | AmountRole::TaxOnTop | AmountRole::ListPrice => false,
        AmountRole::Beside => !columns.get(own.column).is(Trait::BareAmount),
        _ => true,
    };
    let compared: Vec<u32> = claims.iter().filter(|own| is_compared(own)).map(|own| own.column).collect();
    columns.unknown.retain(|column| !compared.contains(column));
    columns.claims.extend(claims);
}

fn read_units(columns: &mut Columns, known: &Known<'_>, problems: &mut Vec<Finding>) {
    let mut units: Vec<HeaderUnit> = Vec::new();
    let recipe = |id: Id| known.profile.and_then(|profile| profile.columns.get(&id));
    let is_converted = |id: Id| recipe(id).is_some_and(|recipe| recipe.scale.is_some());
    for Feed { field, column, .. } in columns.fed().filter(|feed| !is_converted(feed.id())) {
        let Some(id) = field.unit_field() else { continue };
        let words = match columns.get(column).unit(field) {
            Some(Unit::Measure(word)) => vec![word],
            Some(Unit::Money(codes)) => codes.to_vec(),
            None => continue,
        };
        let Some(other) = units.iter_mut().find(|other| other.id == id) else {
            units.push(HeaderUnit { id, words, column });
            continue;
        };
        let common: Vec<_> = other.words.iter().copied().filter(|word| words.contains(word)).collect();
        match () {
            () if !common.is_empty() => other.words = common,
            // Whoever has said the unit of all has seen the headers.
            () if known.has_default(id) => other.words.extend(words),
            () => problems.push(two_units(field, other, words[0], column, columns)),
        }
    }
    columns.units = units;
}

fn follow(columns: &mut Columns, profile: &Profile, taken: &mut Vec<u32>, problems: &mut Vec<Finding>) {
    for (id, recipe) in &profile.columns {
        let before = columns.feeds.len();
        for product in products_of(recipe, columns) {
            let step = Step::of(recipe, |wanted| columns.find(&wanted.replace(NUMBER, &(product + 1).to_string())));
            let Some(&column) = step.sources.first() else { continue };
            taken.extend(&step.sources);
            let step = (!recipe.is_plain()).then(|| columns.mapper.add(step));
            columns.feeds.push(Feed { product, ..Feed::of(*id, column, step) });
        }
        taken.extend(recipe.by.iter().chain(&recipe.less).chain(&recipe.times).filter_map(|by| columns.find(by)));
        if let LineTotal::Pieces(pieces) = &recipe.line_total
            && let Some(column) = columns.find(pieces)
        {
            taken.push(column);
            columns.claims.push(Claim { role: AmountRole::Pieces, column, each_line: true, by_header: false });
        }
        if columns.feeds.len() == before && !profile.built_in && !recipe.optional {
            problems.push(missing_profile_column(profile, *id, &recipe.columns()[0], columns));
        }
    }
    let (claims, missing) = amounts::of_profile(&profile.amounts, columns, taken);
    if !profile.built_in {
        problems.extend(missing.into_iter().map(|wanted| missing_total(profile, wanted, columns)));
    }
    columns.claims.extend(claims);
    taken.extend(columns.claims.iter().map(|claim| claim.column));
    taken.extend(profile.filters.iter().filter_map(|filter| columns.find(&filter.column)));
    problems.extend(missing_filter_columns(profile, columns));
    taken.extend(profile.ignored.iter().filter_map(|ignored| columns.find(ignored)));
}

fn match_headers(
    columns: &mut Columns,
    known: &Known<'_>,
    meanings: &Meanings,
    taken: &[u32],
    problems: &mut Vec<Finding>,
) {
    let by_profile: Vec<Id> = columns.fed().map(|feed| feed.id()).collect();
    let mut ranks: Vec<Option<(u32, Rank)>> = vec![None; FIELDS.len()];
    let headers = columns.headers.clone();
    let header = |index: u32| &headers[index as usize];
    let is_free = |index: u32| {
        let cell = &header(index).header;
        !(cell.is_empty() || is_added(cell) || taken.contains(&index) || known.ignores(cell))
    };
    let may_feed =
        |index: u32, found: &Match| !by_profile.contains(&found.field.id) && !known.leaves_out(&header(index).header);
    let second =
        Second::of(&headers, |index, found| is_free(index) && may_feed(index, found) && !meanings.are_of(index));
    for (index, reading) in (0_u32..).zip(&*headers).filter(|(index, _)| is_free(*index) && !second.has(*index)) {
        let Some(found) = meanings.matched(index, reading).filter(|found| may_feed(index, found)) else {
            columns.unknown.push(index);
            continue;
        };
        let slot = &mut ranks[found.field.id as usize];
        let Some((other, rank)) = *slot else {
            *slot = Some((index, found.rank));
            continue;
        };
        let are_rates = reading.rates_beside(header(other)) || header(other).rates_beside(reading);
        if !are_rates && normalised(&reading.header) == normalised(&header(other).header) {
            let is_same = |told: &&Finding| told.field.as_deref() == Some(found.field.path);
            if problems.iter().filter(is_same).count() < TOLD_MAX {
                problems.push(two_columns(found.field, other, index, columns));
            }
            continue;
        }
        let is_better = if are_rates { reading.is(Trait::Percent) } else { found.rank < rank };
        let (kept, left) = if is_better { (index, other) } else { (other, index) };
        *slot = Some((kept, rank.min(found.rank)));
        columns.unknown.push(left);
        // `GST` beside `GST %` is its amount, a second column of the address is more of it, and what cells tell has nothing to
        // say beside what a header names.
        if are_rates || is_more_of(found.field, header(left)) || rank.max(found.rank) == Rank::Cells {
            continue;
        }
        if is_of_shipment(found.field) {
            columns.claim(AmountRole::Same(found.field.id), left, false);
        }
        // How far the payment is is compared with how it is made.
        if !header(left).is(Trait::PaymentState) {
            problems.push(second_choice(found.field, kept, left, columns));
        }
    }
    let named = FIELDS.iter().zip(ranks).filter_map(|(field, slot)| Some(Feed::of(field.id, slot?.0, None)));
    columns.feeds.extend(named);
    columns.sort();
    second_receivers(columns, &second, problems);
}

/// Columns that stand once serve every product beside another.
fn share_lines(columns: &mut Columns) {
    let products = columns.fed().map(|feed| feed.product).max().unwrap_or(0);
    let count = |id: Id| columns.fed().filter(|feed| feed.id() == id).count();
    let once = |feed: &Feed| feed.field.level == Level::Line && feed.product == 0 && count(feed.id()) == 1;
    let single: Vec<Feed> = columns.fed().filter(|feed| products > 0 && once(feed)).collect();
    for feed in &mut columns.feeds {
        feed.shared = single.iter().any(|one| one.id() == feed.id());
    }
    for product in 1..=products {
        columns.feeds.extend(single.iter().map(|feed| Feed { product, shared: true, ..*feed }));
    }
}
