//! How a sheet is planned: its profile is followed first, and the headers speak for what that leaves open.

use std::collections::{BTreeMap, HashMap};

use crate::column::{Columns, Extra, Feed, HeaderUnit};
use crate::field::{
    ExtraRole, Field, HeaderReading, Id, Level, Match, Rank, StateRole, UNCLEAR_PART, Unit, further_line,
};
use crate::finding::Finding;
use crate::origin::is_added;
use crate::profile::{Amount, LineTotal, NUMBER, PRODUCTS_MAX, Profile, Recipe, Step};

use super::deciding::{Known, Meanings};
use super::extra_columns::{
    find_extra_columns, find_notes, find_payment, is_of_shipment, take_payment, watch_measures,
};
use super::header_findings::{
    missing_filter_columns, missing_profile_column, missing_total, no_order_number, second_choice, two_columns,
    two_units,
};

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
    let payers = payers(&columns.headers);
    match_headers(&mut columns, known, (meanings, &payers), &taken, &mut problems);
    columns.take_products(&meanings.products);
    if !known.is_by_program() {
        match_numbered(&mut columns, known);
    }
    follow_values(&mut columns, known);
    problems.extend(find_extra_columns(&mut columns, &payers));
    find_totals(&mut columns, known);
    find_payment(&mut columns, known);
    find_notes(&mut columns);
    watch_measures(&mut columns, known);
    read_units(&mut columns, known, &mut problems);
    share_lines(&mut columns);
    let prefix = known.profile.map_or("", |profile| profile.prefix.as_str());
    if !prefix.is_empty()
        && let Some(feed) = columns.feeds.iter_mut().find(|feed| feed.id() == Id::OrderNumber)
    {
        feed.step = Some(columns.mapper.prefix(feed.step, feed.column, prefix));
    }
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

/// Columns that speak of money, in words that everybody uses, and that neither a field nor the profile takes: all but those
/// that it ignores. One figure on every row is that of the order, unless the sum over the rows is what fits.
fn find_totals(columns: &mut Columns, known: &Known<'_>) {
    let is_by_list = || columns.column(Id::Price).is_some_and(|price| columns.get(price).says("mrp"));
    let is_by_total = || columns.recipe(Id::Price).is_some_and(Recipe::is_line_total);
    let told = columns.unknown.iter().copied().filter(|column| !known.ignores(columns.header(*column)));
    let claims = told.filter_map(|column| {
        let reading = columns.get(column);
        let listed = || reading.is_before_discount().then_some(ExtraRole::ListPrice);
        let role = reading.amount.or_else(listed)?;
        let is_told = match role {
            ExtraRole::Same(_) if reading.says("price-beside-list") => is_by_list() && !known.is_by_program(),
            // A total is taken for the price on purpose, and the price of a piece left out.
            ExtraRole::Same(Id::Price) if is_by_total() && known.leaves_out(columns.header(column)) => false,
            ExtraRole::Same(id) => columns.feed(id).is_some(),
            _ => true,
        };
        let each_line = matches!(
            role,
            ExtraRole::Total | ExtraRole::Tax | ExtraRole::Collect | ExtraRole::Beside | ExtraRole::Paid
        );
        is_told.then_some(Extra { role, column, each_line, by_header: true })
    });
    let claims: Vec<Extra> = claims.collect();
    // A tax is only compared where money is collected, and a list price beside a discount: of every other order they
    // are left out, and that is said. And a word that may mean other things may stand above cells that are no amounts.
    let is_compared = |own: &Extra| match own.role {
        ExtraRole::Tax | ExtraRole::TaxOnTop | ExtraRole::ListPrice => false,
        ExtraRole::Beside => !columns.get(own.column).says("bare-amount"),
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
            let step = Step::of(recipe, id.field().kind, |wanted| {
                columns.find(&wanted.replace(NUMBER, &(product + 1).to_string()))
            });
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
            columns.claims.push(Extra { each_line: true, ..Extra::of(ExtraRole::Pieces, column) });
        }
        if columns.feeds.len() == before && !profile.built_in && !recipe.optional {
            problems.push(missing_profile_column(profile, *id, &recipe.columns()[0], columns));
        }
    }
    for Amount { role, each_line, columns: headers, optional } in &profile.amounts {
        match headers.iter().find_map(|header| columns.find(header)) {
            // A column that feeds a field is sent, and says nothing beside it.
            Some(column) if *role == ExtraRole::Beside && taken.contains(&column) => {}
            Some(column) => columns.claims.push(Extra { each_line: *each_line, ..Extra::of(*role, column) }),
            None if *optional || profile.built_in => {}
            None => problems.extend(headers.first().map(|wanted| missing_total(profile, wanted, columns))),
        }
    }
    // Where an amount above zero makes an order COD, the courier collects that amount.
    let collects = profile.columns.get(&Id::OrderType).filter(|recipe| recipe.collects && !profile.built_in);
    let due = collects.and_then(|recipe| columns.find(recipe.columns().first()?));
    let due = due.filter(|column| !columns.claims.iter().any(|claim| claim.column == *column));
    columns.claims.extend(due.map(|column| Extra { each_line: true, ..Extra::of(ExtraRole::Collect, column) }));
    taken.extend(columns.claims.iter().map(|claim| claim.column));
    taken.extend(profile.filters.iter().filter_map(|filter| columns.find(&filter.column)));
    problems.extend(missing_filter_columns(profile, columns));
    taken.extend(profile.ignored.iter().filter_map(|ignored| columns.find(ignored)));
}

/// Columns of whose values a person says how orders are paid, or whether they go, are that whatever their headers say.
fn follow_values(columns: &mut Columns, known: &Known<'_>) {
    for (header, values) in known.profile.iter().flat_map(|profile| &profile.values) {
        let Some(column) = columns.find(header) else { continue };
        // Its amounts are read by its header or by `[totals]`.
        if values.collects_rest() {
            continue;
        }
        let is_fed = columns.fed().any(|feed| feed.column == column);
        let reading = columns.get(column);
        let are_payments = values.are_payments() && !(reading.says("remarks") && values.may_be_remarks());
        if are_payments && columns.feed(Id::OrderType).is_none() {
            take_payment(columns, column, None);
            continue;
        }
        // Where the header says nothing, the cells tell whether it is one of remarks.
        let is_told_later = (reading.may_be_of_states() || reading.says("remarks")) && !are_payments;
        if is_fed || is_told_later || reading.sign.is_some() {
            continue;
        }
        let role = if are_payments { StateRole::Payment } else { StateRole::State };
        columns.unknown.retain(|own| *own != column);
        columns.claims.push(Extra::of(ExtraRole::Sign(role), column));
    }
}

fn match_headers(
    columns: &mut Columns,
    known: &Known<'_>,
    (means, payers): (&Meanings, &[bool]),
    taken: &[u32],
    said: &mut Vec<Finding>,
) {
    let by_profile: Vec<Id> = columns.fed().map(|feed| feed.id()).collect();
    let headers = columns.headers.clone();
    let header = |index: u32| &headers[index as usize];
    let is_free = |index: u32| {
        let cell = &header(index).header;
        !(cell.is_empty() || is_added(cell) || taken.contains(&index) || known.ignores(cell))
    };
    let may_feed =
        |index: u32, found: &Match| !by_profile.contains(&found.field.id) && !known.leaves_out(&header(index).header);
    let second =
        second_columns(&headers, |index, found| is_free(index) && may_feed(index, found) && !means.are_of(index));
    // `GST` beside `GST %` is its amount.
    let is_bare_tax = |index: u32| header(index).says("bare-tax") && !header(index).says("in-percent");
    let mut named: BTreeMap<Id, Vec<(bool, bool, Rank, u32)>> = BTreeMap::new();
    for (index, reading) in (0_u32..).zip(&*headers).filter(|(index, _)| is_free(*index)) {
        match means.matched(index, reading).filter(|found| may_feed(index, found)) {
            None => columns.unknown.push(index),
            Some(Match { field, rank }) => {
                let order = (second.contains(&index), is_bare_tax(index) || payers[index as usize], rank, index);
                named.entry(field.id).or_default().push(order);
            }
        }
    }
    for (id, mut all) in named {
        all.sort_unstable();
        let (is_second, .., kept) = all[0];
        if is_second {
            // A last name without a first one of its own, or a line of an address without one.
            let first =
                if id.field().path.starts_with("destination.") { Id::DestinationLine1 } else { Id::ReceiverFirstName };
            let kept = columns.column(first).unwrap_or(kept);
            said.extend(all.into_iter().map(|(.., left)| second_choice(id.field(), kept, left, columns)));
            continue;
        }
        columns.feeds.push(Feed::of(id, kept, None));
        for (is_second, _, rank, left) in all.into_iter().skip(1) {
            // The payer's address says nothing of where the parcel goes.
            if payers[left as usize] {
                columns.unknown.push(left);
                continue;
            }
            let are_rates = header(kept).says("in-percent") && is_bare_tax(left);
            if !are_rates && header(left).bare == header(kept).bare {
                let is_same = |told: &&Finding| told.field.as_deref() == Some(id.field().path);
                if said.iter().filter(is_same).count() < TOLD_MAX {
                    said.push(two_columns(id.field(), kept, left, columns));
                }
                continue;
            }
            // What is somebody else's is nothing of the receiver's; `Name` may be anything's.
            if is_second && !header(left).says("bare-name") {
                said.push(second_choice(id.field(), kept, left, columns));
                continue;
            }
            columns.unknown.push(left);
            // A second column of the address is more of it, and what cells tell has nothing to say beside what a header names.
            if is_second || are_rates || is_more_of(id.field(), header(left)) || rank == Rank::Cells {
                continue;
            }
            if is_of_shipment(id.field()) {
                columns.claims.push(Extra::of(ExtraRole::Same(id), left));
            }
            // How far the payment is is compared with how it is made.
            if !header(left).says("sign-payment") {
                said.push(second_choice(id.field(), kept, left, columns));
            }
        }
    }
    columns.unknown.sort_unstable();
    columns.sort();
}

/// Whether each column stands among those of the payer, of which some have the headers of the receiver's once more: `Billing name`,
/// `Delivery city`.
fn payers(headers: &[HeaderReading]) -> Vec<bool> {
    let mut times: HashMap<&str, u32> = HashMap::new();
    for own in headers {
        *times.entry(&own.bare).or_default() += 1;
    }
    let mut behind_payers = false;
    let is_payers = |own: &HeaderReading| {
        let is_repeated = times.get(own.bare.as_str()).is_some_and(|times| *times > 1);
        if !own.bare.is_empty() && !is_repeated {
            behind_payers = own.says("of-others");
        }
        is_repeated && behind_payers
    };
    headers.iter().map(is_payers).collect()
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

/// Products that stand side by side: `Product 1`, `Qty 1`, `Product 2`, `Qty 2`; the first may have no number. Where no word of
/// their headers is known, they differ by their numbers from the columns that feed the first: `Towar 2` beside `Towar 1`.
fn match_numbered(columns: &mut Columns, known: &Known<'_>) {
    let feeds_first = |feed: &Feed| feed.field.level == Level::Line && feed.product == 0 && feed.step.is_none();
    let first: Vec<Feed> = columns.fed().filter(feeds_first).collect();
    let by_first = |column: u32| {
        let header = columns.header(column);
        first.iter().find_map(|feed| Some((feed.id(), further_line(columns.header(feed.column), header)?)))
    };
    let free = columns.unknown.iter().copied().filter(|column| !known.leaves_out(columns.header(*column)));
    let numbered = free.filter_map(|column| {
        let (id, number) = columns.get(column).numbered.or_else(|| by_first(column))?;
        (number <= PRODUCTS_MAX).then(|| Feed { product: number - 1, ..Feed::of(id, column, None) })
    });
    let mut found: Vec<Feed> = numbered.collect();
    let called = found.iter().chain(&columns.feeds).filter(|feed| matches!(feed.id(), Id::ProductName | Id::Sku));
    let named: Vec<u16> = called.map(|feed| feed.product).collect();
    found.retain(|feed| named.contains(&feed.product));
    // Without a second one, or a name for it, a number may mean anything.
    if !named.contains(&0) || found.iter().all(|feed| feed.product == 0) {
        return;
    }
    for feed in found {
        if !columns.fed().any(|own| own.id() == feed.id() && own.product == feed.product) {
            columns.unknown.retain(|unknown| *unknown != feed.column);
            columns.feeds.push(feed);
        }
    }
    columns.sort();
}

/// The products, counted from 0, for which a sheet may have a recipe's columns; the first one where they are not numbered.
///
/// A number may be left out: `Product 5` is the fifth one even where there is no `Product 4`.
fn products_of(recipe: &Recipe, columns: &Columns) -> Vec<u16> {
    let numbered: Vec<&String> = recipe.columns().iter().filter(|column| column.contains(NUMBER)).collect();
    if numbered.is_empty() {
        return vec![0];
    }
    let has = |product: &u16| {
        numbered.iter().any(|column| columns.find(&column.replace(NUMBER, &(product + 1).to_string())).is_some())
    };
    (0..PRODUCTS_MAX).filter(has).collect()
}

/// Columns that give way to others of the same field, which name the receiver.
fn second_columns(headers: &[HeaderReading], may_feed: impl Fn(u32, &Match) -> bool) -> Vec<u32> {
    if !headers.iter().any(|own| own.says("receiver")) {
        return Vec::new();
    }
    let matched = (0_u32..).zip(headers).filter_map(|(column, own)| {
        let found = own.field.filter(|found| found.field.is_receivers() && may_feed(column, found))?;
        // Whether the header names who gets the parcel.
        let is_named = own.says("receiver") || found.rank == Rank::Path;
        Some((column, found, is_named))
    });
    let mut all: Vec<(u32, Match, bool)> = matched.collect();
    let fields: Vec<(Id, bool)> = all.iter().map(|(_, found, is_named)| (found.field.id, *is_named)).collect();
    let has = |id: Id, is_named: bool| fields.contains(&(id, is_named));
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
    all.retain(|(column, found, is_named)| {
        // A part of an address is more of it.
        !is_named && goes_second(found.field.id) && !is_more_of(found.field, &headers[*column as usize])
    });
    all.into_iter().map(|(column, ..)| column).collect()
}

/// Whether a column beside another one of a line or the city of the address is a part of its own.
fn is_more_of(field: &Field, reading: &HeaderReading) -> bool {
    matches!(field.id, Id::DestinationLine1 | Id::DestinationLine2 | Id::DestinationCity)
        && reading.part.is_some_and(|place| place != UNCLEAR_PART)
}
