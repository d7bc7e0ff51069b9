//! What headers say of their columns: the one place that reads traits from them.

use super::feed::{Claim, Feed};
use super::traits::{Column, Trait, Traits};
use crate::field::{
    AmountRole, Id, Level, Rank, Unit, charge_kinds, counts_pieces, has_word, header_unit, is_bare_amount, is_bare_tax,
    is_cod_flag, is_list_price, is_no_money, is_of_others, is_payment, is_taken_off, is_weak_total, match_header,
    measured_by, names_receiver, normalised, says_per_piece, says_percent, says_rate, says_whole_name,
    says_without_tax, stands_in, total_of,
};
use crate::words::{about, says_backwards};

/// The columns of a sheet by their headers, each with what its header says in its roles.
#[must_use]
pub fn named(headers: &[String], feeds: &[Feed], claims: &[Claim]) -> Vec<Column> {
    let width = headers.len();
    let mut fed = vec![None; width];
    let mut claimed: Vec<Vec<AmountRole>> = vec![Vec::new(); width];
    for feed in feeds {
        if let Some(slot) = fed.get_mut(feed.column as usize) {
            *slot = Some(feed.id());
        }
    }
    for claim in claims {
        if let Some(roles) = claimed.get_mut(claim.column as usize) {
            roles.push(claim.role);
        }
    }
    headers.iter().zip(fed.into_iter().zip(claimed)).map(|(header, (fed, roles))| column(header, fed, &roles)).collect()
}

fn column(header: &str, fed: Option<Id>, roles: &[AmountRole]) -> Column {
    let is_sign = |role: &AmountRole| matches!(role, AmountRole::Sign(_));
    let is_measured = |role: &AmountRole| match role {
        AmountRole::Same(id) | AmountRole::Measure(id) => Some(*id),
        _ => None,
    };
    let mut column = Column::plain(header);
    // Sheets of junk have thousands of columns: of a remark little is asked.
    if fed.is_some() || !roles.iter().all(is_sign) {
        column.traits = of_amounts(header).into_iter().collect();
        column.total_of = total_of(header);
        column.charge = charge_kinds(header);
        let id = roles.iter().find_map(is_measured).or(fed);
        column.unit = id.and_then(|id| header_unit(id.field(), header)).and_then(|unit| match unit {
            Unit::Measure(unit) => Some(unit),
            Unit::Money(_) => None,
        });
    }
    if roles.iter().any(is_sign) {
        column.traits = of_signs(header).into_iter().fold(column.traits, Traits::with);
        column.about = about(header);
    }
    column
}

fn chosen<const N: usize>(asked: [(bool, Trait); N]) -> Vec<Trait> {
    asked.into_iter().filter(|(is_so, _)| *is_so).map(|(_, own)| own).collect()
}

/// What is asked of columns that feed fields, and of amounts, measures and parts of addresses.
fn of_amounts(header: &str) -> Vec<Trait> {
    let bare = normalised(header);
    let meant = match_header(header);
    chosen([
        (says_percent(header), Trait::Percent),
        (says_per_piece(header), Trait::PerPiece),
        (says_without_tax(header), Trait::WithoutTax),
        (says_whole_name(header), Trait::WholeName),
        (is_list_price(header), Trait::ListPrice),
        (says_rate(header), Trait::Rate),
        (["amount", "amt", "value"].iter().any(|word| bare.ends_with(word)), Trait::Amount),
        (bare.contains("gst"), Trait::Gst),
        (is_bare_tax(header), Trait::BareTax),
        (meant.is_none_or(|found| matches!(found.rank, Rank::Path | Rank::Header)), Trait::Exact),
        (matches!(bare.as_str(), "discount" | "discountamount"), Trait::BareDiscount),
        (has_word(header, "total bill"), Trait::Total),
        (is_weak_total(header), Trait::WeakTotal),
        (bare == "bill", Trait::Bill),
        (is_bare_amount(header), Trait::BareAmount),
        (is_taken_off(header), Trait::TakenOff),
        (is_payment(header), Trait::OtherMeans),
        (is_cod_flag(header), Trait::CodFlag),
        (is_of_part_payment(header), Trait::PartPayment),
        (has_word(header, "transaction txn"), Trait::Transaction),
        (bare == "pending", Trait::Pending),
        (names_receiver(header), Trait::Receiver),
        (measured_by(header).is_some(), Trait::Measure),
        (bare == "unit", Trait::Unit),
        (is_of_others(header), Trait::NotPaid),
    ])
}

/// What is asked of columns that may say whether orders go.
fn of_signs(header: &str) -> Vec<Trait> {
    let lower = header.to_lowercase();
    chosen([
        (match_header(header).is_some_and(|found| found.field.id == Id::OrderType), Trait::PaymentType),
        (is_of_others_payment(header), Trait::OthersPayment),
        (has_word(header, "transaction txn"), Trait::Transaction),
        (lower.contains("cod"), Trait::Cod),
        (lower.contains("invoice") || lower.contains("bill"), Trait::Invoice),
        (says_backwards(header), Trait::Backwards),
        (has_word(header, "article"), Trait::PostArticle),
        (counts_pieces(header), Trait::Pieces),
        (is_no_money(header), Trait::NoMoney),
        (is_of_others(header), Trait::NotPaid),
    ])
}

/// What charges and discounts are for by the usual headers of their fields.
#[must_use]
pub fn usual_charges() -> Vec<(Id, Vec<String>)> {
    let ids = [Id::Discount, Id::LineDiscount, Id::ShippingCharges, Id::OtherCharges];
    ids.into_iter().map(|id| (id, charge_kinds(id.field().header))).collect()
}

/// Whether a column of what is paid speaks of a part of it: nothing of that says nothing of the rest.
fn is_of_part_payment(header: &str) -> bool {
    let header = header.to_lowercase();
    ["adv", "token", "deposit", "part", "booking", "jama"].iter().any(|word| header.contains(word))
}

/// Whether a column speaks of money that is paid to somebody else, or for something else.
fn is_of_others_payment(header: &str) -> bool {
    const OTHERS: &str = "commission settlement payout tds tcs marketplace supplier seller vendor bank agent courier freight \
        shipping refund policy expense salary purchase karigar tailor duty customs tax gst affiliate referral tip incentive \
        insurance product item title sku variant category size type description";
    has_word(header, OTHERS)
}

/// The columns of a second name or address that stand in where their first one is blank: not a whole name for a part of one.
#[must_use]
pub fn stand_ins(headers: &[String], feeds: &[Feed], claims: &[Claim]) -> Vec<Feed> {
    let name = |column: u32| headers.get(column as usize).map_or("", String::as_str);
    let found = claims.iter().filter_map(|claim| {
        let AmountRole::Same(id) = claim.role else { return None };
        let is_own = |feed: &&Feed| feed.id() == id && feed.step.is_none() && feed.field.level == Level::Order;
        let own = feeds.iter().find(is_own)?;
        let fits = stands_in(id.field(), name(own.column), name(claim.column));
        fits.then_some(Feed { column: claim.column, ..*own })
    });
    found.collect()
}
