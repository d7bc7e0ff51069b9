//! Columns that no header tells: by what they hold.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use crate::column::{Columns, Extra, HeaderUnit};
use crate::field::{
    ExtraRole, Id, Payment, StateRole, Status, TotalOf, has_shipment_number, is_digits, money_sign, payment_type,
    payment_word, says, sides, speaks_of_cash,
};
use crate::finding::column::sheet_notice;
use crate::finding::{Finding, Remedy};
use crate::parse::looks_like_date;
use crate::profile::{Part, Recipe};
use crate::text::Decimal;
use crate::words::{Topic, Vocabulary};

use super::deciding::{COMPARED_MAX, Deciding};
use super::extra_columns::take_payment;
use super::sample::Seen;

/// Takes the columns that hold prices, charges, types of payment and the three sides of a parcel for what they are, where
/// neither a header nor the profile says which ones do.
///
/// Where only some cells of other columns speak of payments, that is noted: one payment for all orders would be wrong.
pub(super) fn by_cells(own: &mut Deciding<'_>) -> Vec<Finding> {
    let known = own.known;
    // A column of types says more than what is to be collected.
    let is_fed = own.columns.feed(Id::OrderType).is_some() && !own.columns.is_collected();
    let was_paid = known.has_default(Id::OrderType) || is_fed;
    let mut said = Vec::new();
    if !known.has_default(Id::Price) {
        said.extend(take_total(own));
    }
    if !was_paid {
        let columns = &own.columns;
        let paid = columns.claimed(|own| own.role == ExtraRole::Paid && own.by_header);
        let flags = paid.chain(columns.unknown.iter().copied()).filter(|own| columns.get(*own).says("paid-flag"));
        let flags: Vec<u32> = flags.filter(|_| !columns.is_collected()).collect();
        said.extend(take_payment_column(own));
        take_flag(own, &flags);
    }
    if !known.has_default(Id::Length) {
        said.extend(take_size(own));
    }
    own.columns.row_totals = row_totals(own);
    ask_of_money(own);
    take_states(own);
    said
}

/// Whether a cell speaks of a payment of any kind; figures alone are no words of payment.
pub(super) fn speaks(text: &str) -> bool {
    text.contains(char::is_alphabetic) && (payment_type(text).is_some() || payment_word(text).is_some())
}

/// Whether half of the cells that are filled are so, and at least one.
pub(super) fn is_most(seen: &Seen, is: impl Fn(&str) -> bool) -> bool {
    let count = seen.count(is);
    count > 0 && count * 2 >= seen.filled
}

/// Makes a field of a part of a column's cells.
pub(super) fn take_part(columns: &mut Columns, id: Id, column: u32, part: Part) {
    columns.feeds.retain(|feed| feed.id() != id);
    columns.take(id, column, Some(&Recipe { part: Some(part), ..Recipe::default() }));
}

/// The figure of a cell that may be an amount of money.
fn figure(text: &str) -> Option<Decimal> {
    let bare = text.trim_start_matches("Rs").trim_start_matches(['.', '₹', ' ']).trim_end_matches("/-");
    bare.replace(',', "").parse().ok()
}

fn told(own: &Deciding<'_>, notice: Finding, column: u32, id: Id) -> Finding {
    notice.at(own.columns.header_place(column)).on_field(id.field().path)
}

/// Reckons the price from what each order comes to, where no column has the price and each order is one row. A header that
/// does not say so is only believed where each order is one piece, or where what is to be collected is the same.
fn take_total(own: &mut Deciding<'_>) -> Option<Finding> {
    let columns = &own.columns;
    // A total with charges in it, or less a discount, is not what the pieces cost.
    let other = [Id::ShippingCharges, Id::OtherCharges, Id::Discount, Id::LineDiscount];
    let has_other = || other.into_iter().any(|id| columns.feed(id).is_some());
    let is_other = |own: &Extra| matches!(own.role, ExtraRole::Beside | ExtraRole::PercentOff | ExtraRole::TaxOnTop);
    if columns.feed(Id::Price).is_some() {
        return None;
    }
    let is_total = |own: &Extra| own.by_header && matches!(own.role, ExtraRole::Order | ExtraRole::Total);
    let totals: Vec<u32> = columns.claimed(is_total).collect();
    let fed = columns.column(Id::OrderNumber).zip(columns.column(Id::Quantity));
    let ([column], Some((number, pieces))) = (totals.as_slice(), fed) else { return None };
    let says_so = columns.get(*column).says("line-total");
    if !says_so && (has_other() || columns.claimed(is_other).next().is_some()) {
        return None;
    }
    let sample = own.sample();
    let (numbers, pieces) = (sample.column(number), sample.column(pieces));
    let is_alone = numbers.filled > 0 && numbers.values.iter().all(|(_, cells)| *cells == 1);
    let is_of_order = columns.get(*column).total_of == TotalOf::Order;
    let is_one = || pieces.filled > 0 && pieces.texts().all(|text| text.parse::<Decimal>() == Ok(Decimal::ONE));
    // All amounts to be collected but for zero; fewer may be so by chance.
    let of = |own: u32| sample.column(own).texts().filter_map(figure).filter(|amount| !amount.is_zero());
    let totals: Vec<Decimal> = of(*column).collect();
    let is_due = |own: u32| of(own).count() >= 3 && of(own).all(|due| totals.contains(&due));
    let is_collected = || columns.claimed(|own| own.role == ExtraRole::Collect).any(is_due);
    if !(says_so || is_alone && (is_of_order || is_one() || is_collected())) {
        return None;
    }
    let column = *column;
    own.columns.claims.retain(|own| own.column != column || !says_so);
    own.columns.take(Id::Price, column, None);
    own.columns.line_total = true;
    let add = Remedy::add_column(Id::Price.field().header);
    Some(told(own, sheet_notice::price_of_total(own.columns.header(column), add), column, Id::Price))
}

/// Totals that their headers leave open, and that are those of the pieces of each row: they are price by quantity throughout, and two
/// rows of one order have each their own.
fn row_totals(own: &Deciding<'_>) -> Vec<u32> {
    let columns = &own.columns;
    let is_open = |claim: &Extra| claim.role == ExtraRole::Total && claim.by_header;
    let open = columns.claimed(is_open).filter(|column| columns.get(*column).total_of == TotalOf::Unclear);
    let fed = [Id::OrderNumber, Id::Price, Id::Quantity].map(|id| columns.plain(id));
    let (open, [Some(number), Some(price), Some(pieces)]) = (open.collect::<Vec<u32>>(), fed) else {
        return Vec::new();
    };
    if open.is_empty() || columns.line_total {
        return Vec::new();
    }
    let sample = own.sample();
    let texts = |column: u32| sample.column(column).first_texts();
    let worth: Vec<Option<Decimal>> =
        texts(price).zip(texts(pieces)).map(|(price, pieces)| Some(figure(price?)? * figure(pieces?)?)).collect();
    let numbers: Vec<Option<&str>> = texts(number).collect();
    let of_rows = |column: &u32| {
        let totals: Vec<Option<Decimal>> = texts(*column).map(|text| figure(text?)).collect();
        let is_of_row = |(total, worth): (&Option<Decimal>, &Option<Decimal>)| total.is_none() || total == worth;
        let differ = |row: usize| totals[row].is_some() && totals[row - 1].is_some() && totals[row] != totals[row - 1];
        let is_further = |row: usize| numbers[row].is_none() || numbers[row] == numbers[row - 1];
        totals.iter().zip(&worth).all(is_of_row) && (1..totals.len()).any(|row| is_further(row) && differ(row))
    };
    open.into_iter().filter(of_rows).collect()
}

/// Takes the column that says how orders are paid by what it holds: one that no field takes, or a note.
fn take_payment_column(own: &mut Deciding<'_>) -> Option<Finding> {
    let columns = &own.columns;
    let notes = [Id::ShipmentType, Id::Service, Id::Tags, Id::SellerNote, Id::ChannelId];
    let notes = notes.into_iter().filter_map(|id| columns.plain(id));
    // `Paid/To Pay` names two types of payment, and no amount.
    let paid = columns.claimed(|own| own.role.speaks_of_payment() && own.by_header);
    let unknown = columns.unknown.iter().copied().filter(|own| !columns.refused.contains(own));
    let open: Vec<u32> = unknown.chain(notes).chain(paid).collect();
    if open.is_empty() {
        return None;
    }
    let sample = own.sample();
    // Where what is to be collected tells as well, a column that says nothing of some orders would tell less.
    let is_collected = columns.is_collected();
    let is_payment = |seen: &Seen| {
        is_most(seen, speaks)
            && seen.count(|text| payment_type(text).is_some()) > 0
            && (!is_collected || seen.filled == sample.rows)
    };
    let is_cod = |text: &str| {
        payment_type(text) == Some(Payment::Cod) || (text.contains(char::is_alphabetic) && speaks_of_cash(text))
    };
    let Some(column) = open.iter().copied().find(|own| is_payment(sample.column(*own))) else {
        let in_cells = open.into_iter().find(|own| sample.column(*own).count(is_cod) > 0);
        own.columns.payment_in_cells = in_cells;
        return None;
    };
    take_payment(&mut own.columns, column, None);
    let (header, wanted) = (own.columns.header(column), Id::OrderType.field().header);
    let taken = sheet_notice::taken_for_payment(header, wanted).remedy(Remedy::rename(header, wanted));
    Some(told(own, taken, column, Id::OrderType))
}

/// Takes a column that says yes where an order is paid for the type of payment. What is not paid is not yet to be
/// collected: only `Prepaid` says so.
fn take_flag(own: &mut Deciding<'_>, flags: &[u32]) {
    let is_flag = |text: &str| text.len() < 6 && matches!(says(text), Status::Yes | Status::No);
    for column in flags.iter().copied() {
        let seen = own.seen(column);
        if seen.filled > 0 && seen.count(is_flag) == seen.filled {
            let is_type = own.columns.get(column).says("says-prepaid");
            let map = paid_by_flag(is_type);
            take_payment(&mut own.columns, column, Some(&Recipe { map, ..Recipe::default() }));
            break;
        }
    }
}

/// The payments of a column that says yes where an order is paid; no is one only where all that is not paid `is_collected`.
#[must_use]
pub fn paid_by_flag(is_collected: bool) -> BTreeMap<String, String> {
    let words = |class| Vocabulary::built_in().words_of(Topic::Values, class).map(str::to_owned);
    let paid = words("flag_yes").map(|word| (word, "PREPAID".to_owned()));
    let not_paid = words("flag_no").map(|word| (word, "COD".to_owned()));
    paid.chain(not_paid.filter(|_| is_collected)).collect()
}

/// Takes a column whose header says nothing for one that says whether orders go, where it is filled throughout with a few words that
/// recur, and one of them says that an order is over, or a person has answered them. In a language of which no word is known here, it
/// may as well be one of remarks, and is asked.
fn take_states(own: &mut Deciding<'_>) {
    take_states_for_numbers(own);
    let is_note = |claim: &Extra| claim.role == ExtraRole::Sign(StateRole::Note);
    let columns = &own.columns;
    let is_open = |column: &u32| columns.unknown.contains(column) && columns.get(*column).may_be_of_states();
    let notes: Vec<u32> = columns.claimed(is_note).take(COMPARED_MAX).filter(is_open).collect();
    let rows = rows_of_orders(own);
    let is_form = |text: &str| Topic::Values.lists("form_of_address", text.trim_end_matches('.'));
    for column in notes {
        let seen = own.seen(column);
        if is_most(seen, is_form) {
            continue;
        }
        let has_answers = own.known.answers(own.columns.header(column));
        let is_over = |text: &str| {
            matches!(says(text), Status::Cancelled | Status::Sent)
                || own.columns.stops(column, &own.columns.remark(text))
        };
        if are_states(seen, rows) && seen.texts().any(is_over) || has_answers && is_throughout(seen, rows) {
            let role = ExtraRole::Sign(StateRole::State);
            own.columns.unknown.retain(|open| *open != column);
            own.columns.claims.retain(|claim| claim.column != column || !is_note(claim));
            own.columns.claims.push(Extra::of(role, column));
        } else if names_shipments(seen) {
            own.columns.claims.retain(|claim| claim.column != column || !is_note(claim));
            own.columns.claims.push(Extra::of(ExtraRole::Sign(StateRole::Courier), column));
        } else if has_answers
            || is_remark(seen, rows)
            || are_marks(seen, rows)
            || is_foreign(&own.columns, column, seen) && may_be_states(seen, rows) && !is_of_each_order(own, seen)
        {
            own.columns.unread.push(column);
        }
    }
    let (sample, unread) = (own.sample(), &mut own.columns.unread);
    // Remarks before states, and of these the ones that most orders share.
    unread.sort_by_key(|column| {
        let seen = sample.column(*column);
        let most = seen.values.iter().map(|(_, cells)| *cells).max().unwrap_or_default();
        (is_throughout(seen, rows), Reverse(most))
    });
}

/// Takes columns that their headers name as those of tracking numbers, and that hold a few words instead, for states: `Suivi`.
fn take_states_for_numbers(own: &mut Deciding<'_>) {
    let number = ExtraRole::Sign(StateRole::Number);
    let rows = rows_of_orders(own);
    let named: Vec<u32> = own.columns.claimed(|claim| claim.role == number).collect();
    let states: Vec<u32> = named.into_iter().filter(|column| are_states(own.seen(*column), rows)).collect();
    for claim in own.columns.claims.iter_mut().filter(|claim| claim.role == number && states.contains(&claim.column)) {
        claim.role = ExtraRole::Sign(StateRole::State);
    }
}

/// How many rows say something of their orders: further products of an order may leave blank what stands on its first row.
fn rows_of_orders(own: &Deciding<'_>) -> u32 {
    let receiver = [Id::ReceiverFirstName, Id::ReceiverPhone].into_iter().find_map(|id| own.columns.column(id));
    receiver.map(|column| own.seen(column).filled).filter(|filled| *filled > 0).unwrap_or(own.sample().rows)
}

/// Whether each order has a text of its own in a column, as a second number of it is.
fn is_of_each_order(own: &Deciding<'_>, seen: &Seen) -> bool {
    const ORDERS_MIN: usize = 5;
    let orders = own.columns.column(Id::OrderNumber).map(|number| own.seen(number).values.len());
    orders.is_some_and(|orders| orders >= ORDERS_MIN && seen.values.len() >= orders)
}

/// Whether each text of a column names a courier and the number of a shipment.
fn names_shipments(seen: &Seen) -> bool {
    let is_shipment = |text: &str| {
        has_shipment_number(text, false, "") && Vocabulary::built_in().text(text).has(Topic::States, "carrier_name")
    };
    seen.filled > 0 && seen.texts().all(is_shipment)
}

/// Whether a column whose header says nothing is in a language of which no word is known here: by the letters of its header or of
/// its cells, or since most headers of its sheet say nothing either.
fn is_foreign(columns: &Columns, column: u32, seen: &Seen) -> bool {
    let named = || columns.headers.iter().filter(|own| !own.header.is_empty());
    let is_other_script = |text: &str| text.chars().any(|c| c.is_alphabetic() && !c.is_ascii());
    columns.get(column).says_nothing()
        && (is_other_script(columns.header(column))
            || seen.texts().all(is_other_script)
            || named().filter(|own| own.says_nothing()).count() * 2 > named().count())
}

/// Whether a column holds remarks: texts of several words, on some rows.
fn is_remark(seen: &Seen, rows: u32) -> bool {
    let is_several = |text: &str| text.split_whitespace().count() > 1;
    // A day or a number may be one of them: `ETA 12/15`.
    let speeches = seen.texts().filter(|text| is_speech(text)).count();
    seen.texts().any(is_several) && speeches * 4 >= seen.values.len() * 3 && !is_throughout(seen, rows)
}

/// Whether a column marks some of its rows, all with one letter.
fn are_marks(seen: &Seen, rows: u32) -> bool {
    let [(mark, _)] = seen.values.as_slice() else { return false };
    matches!(&**mark, "x" | "X") && !is_throughout(seen, rows)
}

/// Whether a column may hold states: a few texts that recur, or texts on some rows.
fn may_be_states(seen: &Seen, rows: u32) -> bool {
    seen.filled > 0 && seen.texts().all(is_speech) && (!is_throughout(seen, rows) || are_few(seen))
}

/// Whether a text has more letters than figures, and is no address or day.
fn is_speech(text: &str) -> bool {
    let count = |is: fn(char) -> bool| text.chars().filter(|c| is(*c)).count();
    count(char::is_alphabetic) > count(char::is_numeric) && !text.contains('@') && !looks_like_date(text)
}

/// Whether nearly all rows fill a column.
pub(super) const fn is_throughout(seen: &Seen, rows: u32) -> bool {
    seen.filled * 5 >= rows * 4
}

/// Whether a few different texts recur.
fn are_few(seen: &Seen) -> bool {
    let recurring: u32 = seen.values.iter().map(|(_, cells)| *cells).filter(|cells| *cells > 1).sum();
    (2..=8).contains(&seen.values.len()) && recurring * 2 >= seen.filled
}

/// Whether a column holds a few short words that recur.
pub(super) fn are_states(seen: &Seen, rows: u32) -> bool {
    const WORDS_MAX: usize = 3;
    let is_short = |text: &str| text.split_whitespace().count() <= WORDS_MAX && !text.contains(char::is_numeric);
    are_few(seen) && is_throughout(seen, rows) && seen.texts().all(is_short)
}

/// Asks of columns that no field takes what they are, where no header says so and all of their figures may be money.
fn ask_of_money(own: &mut Deciding<'_>) {
    let is_note = |own: &Extra| matches!(own.role, ExtraRole::Sign(StateRole::Note | StateRole::Courier));
    let notes: Vec<u32> = own.columns.claimed(is_note).take(COMPARED_MAX).collect();
    for column in notes {
        let header = own.columns.header(column);
        let is_open = own.columns.unknown.contains(&column)
            && !own.columns.get(column).says("no-money")
            && !own.known.leaves_out(header);
        if is_open && may_be_money(own.seen(column)) {
            let role = ExtraRole::Perhaps;
            own.columns.claims.retain(|own| own.column != column || !is_note(own));
            own.columns.claims.push(Extra { role, column, each_line: true, by_header: true });
        }
    }
}

/// Takes a column that holds length, width and height in one cell, where none of them has a column of its own.
fn take_size(own: &mut Deciding<'_>) -> Option<Finding> {
    const SIDES: [Id; 3] = [Id::Length, Id::Width, Id::Height];
    let columns = &own.columns;
    let is_fed = SIDES.into_iter().any(|id| columns.feed(id).is_some());
    let sizes = columns.unknown.iter().copied().filter(|own| !is_fed && columns.get(*own).says("size"));
    for column in sizes.collect::<Vec<u32>>() {
        if !is_most(own.seen(column), |text| sides(text).is_some()) {
            continue;
        }
        own.columns.claims.retain(|own| own.column != column);
        for (side, id) in SIDES.into_iter().enumerate() {
            take_part(&mut own.columns, id, column, Part::Side(side));
        }
        let unit = own.columns.get(column).measure_unit(Id::Length);
        if let Some(word) = unit.filter(|_| own.columns.unit(Id::DimensionUnit).is_none()) {
            own.columns.units.push(HeaderUnit { id: Id::DimensionUnit, words: vec![word], column });
        }
        let taken = sheet_notice::sides_in_one(own.columns.header(column));
        return Some(told(own, taken, column, Id::Length));
    }
    None
}

/// Whether all that a column holds may be money: by a sign that some cells have, by two decimals, or else figures of the size of
/// charges, or with commas between their thousands, that are as round as these mostly are. Zeros say nothing.
fn may_be_money(seen: &Seen) -> bool {
    const CHARGE: RangeInclusive<usize> = 2..=5;
    /// Where others have a sign of money, it may be any amount.
    const ANY: RangeInclusive<usize> = 1..=9;
    let has_sign = seen.texts().any(|text| money_sign(&figures_and_sign(text).1).is_some());
    let lengths = if has_sign { ANY } else { CHARGE };
    let (mut sized, mut round, mut any) = (0, 0, false);
    for (text, cells) in seen.values.iter().filter(|(text, _)| text.contains(|c: char| !matches!(c, '0' | '.' | '-'))) {
        let (figures, sign) = figures_and_sign(text);
        let is_number = !figures.is_empty() && figures.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b','));
        // Dates have points as well: `23.11.26`. Before the cents, figures stand in thousands.
        let is_whole = |whole: &str| whole.rsplit_once(['.', ',']).is_none_or(|(_, last)| last.len() == 3);
        let cents = figures.rsplit_once(['.', ',']);
        let has_cents = cents.is_some_and(|(whole, cents)| cents.len() == 2 && is_whole(whole));
        let is_money = if sign.is_empty() { has_cents } else { money_sign(&sign).is_some() };
        if !(is_number && is_money) {
            let is_charge = is_digits(figures) && lengths.contains(&figures.len());
            if !(is_charge || has_thousands(figures) || has_tenth(figures))
                || !sign.is_empty()
                || figures.starts_with('0')
            {
                return false;
            }
            sized += *cells;
            round += if figures.ends_with(['0', '5', '9']) { *cells } else { 0 };
        }
        any = true;
    }
    any && (has_sign || u64::from(round) * 4 >= u64::from(sized) * 3)
}

/// The figures of an amount, and the sign that stands around them.
fn figures_and_sign(text: &str) -> (&str, String) {
    let figures = text.trim_matches(|c: char| !c.is_ascii_digit());
    let around = text.replacen(figures, "", 1);
    (figures, around.trim_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '/' | '+')).to_owned())
}

/// Whether commas part the thousands of a whole figure, in the Indian way or the other: `1,500`, `1,00,000`, `100,000`.
fn has_thousands(figures: &str) -> bool {
    let mut groups = figures.rsplit(',');
    let is_last = groups.next().is_some_and(|last| last.len() == 3 && is_digits(last));
    let others: Vec<&str> = groups.collect();
    let Some((first, between)) = others.split_last() else { return false };
    let is_first = (1..=3).contains(&first.len()) && is_digits(first);
    let are = |length: usize| between.iter().all(|group| group.len() == length && is_digits(group));
    is_last && is_first && (are(2) || are(3))
}

/// Whether a figure has one decimal, as a spreadsheet writes 5.50.
fn has_tenth(figures: &str) -> bool {
    figures.rsplit_once('.').is_some_and(|(whole, tenth)| tenth.len() == 1 && is_digits(tenth) && is_digits(whole))
}
