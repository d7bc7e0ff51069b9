//! Choices where a sheet says two things of one order: which amount is sent, and which of its rows is right.

use maud::{Markup, html};

use crate::app::draft::{
    Draft, DraftAnswer, DraftOrder, DraftState, Filter, FoundCell, GroupId, OrderTotal, may_be_two_orders,
};
use crate::finding::{Amount, AmountChoice, AmountOf, Finding, Id, Remedy};
use crate::text::{in_currency, shortened};

use super::super::answer::Result;
use super::super::trouble::Trouble;
use super::frame::{button, letting_go};

/// Takes another amount than the one that stands, of one order.
pub(super) const AMOUNT: &str = "amount";
/// Asks again which amount an order is sent with.
pub(super) const ASK_AGAIN: &str = "ask-amount";
/// Takes the other amount for all orders of a group.
pub(super) const ALL_AMOUNTS: &str = "all-amount";
/// Gives all rows of an order the value of one of them.
pub(super) const ONE_VALUE: &str = "row-value";
/// Gives an order that is cancelled another number, to book it anew.
pub(super) const ANEW: &str = "anew";
/// Makes two orders of the rows of one.
pub(super) const TWO_ORDERS: &str = "two-orders";

/// Characters of a value on a button.
const VALUE_MAX: usize = 40;

/// Whether a choice says better than “Send it” what is sent.
pub(super) fn is_choice(finding: &Finding, cell: Option<&FoundCell>) -> bool {
    finding.amounts.is_some() || cell.is_some_and(|cell| values(finding, cell).len() > 1)
}

/// The buttons of a finding that leaves a choice.
pub(super) fn buttons(order: &DraftOrder, finding: &Finding, cell: Option<&FoundCell>) -> Markup {
    let is_sent = matches!(order.state, DraftState::Booked | DraftState::InDoubt);
    html! {
        @if !is_sent {
            (amounts(order, finding))
            @if let Some(cell) = cell { (rows(order, finding, cell)) }
        }
    }
}

/// Each amount with where it comes from: the sheet's first.
fn amounts(order: &DraftOrder, finding: &Finding) -> Markup {
    let number = &order.number;
    html! {
        @if let Some(choice) = &finding.amounts {
            @if let Some(other) = &choice.other {
                (button(&format!("{AMOUNT}.{}", GroupId::of(finding).0), number, &label(choice, other), number))
            }
            @for remedy in finding.remedies.iter().filter(|_| finding.holds()) {
                @if let Remedy::Accept { rule, .. } = remedy {
                    (button(&letting_go(order, rule, finding), number, &label(choice, &choice.stands), number))
                }
            }
        }
        @if finding.is_chosen_amount() { (button(ASK_AGAIN, number, "Choose again", number)) }
    }
}

/// `Collect ₹1,704 (sheet)`.
fn label(choice: &AmountChoice, Amount { amount, of }: &Amount) -> String {
    let of = match of {
        // Nothing is collected of what counts as paid.
        AmountOf::All if !choice.is_collected => return "Collect nothing".to_owned(),
        AmountOf::Sheet => "sheet".to_owned(),
        AmountOf::Products => "products".to_owned(),
        AmountOf::All => "all of it".to_owned(),
        AmountOf::Rest => "the rest".to_owned(),
        AmountOf::With(header) => format!("with {}", shortened(header, VALUE_MAX)),
        AmountOf::Without(header) => format!("without {}", shortened(header, VALUE_MAX)),
    };
    let verb = if choice.is_collected { "Collect" } else { "Order total" };
    format!("{verb} {} ({of})", in_currency(*amount, &choice.currency))
}

/// The values of the rows of an order that disagree, each with its row.
fn values<'c>(finding: &Finding, cell: &'c FoundCell) -> Vec<(u32, &'c str)> {
    if finding.id != Id::OrderClash {
        return Vec::new();
    }
    let others = cell.others.iter().map(|other| (other.row, other.text.trim()));
    let mut all: Vec<(u32, &str)> = others.chain([(cell.row, cell.text.trim())]).collect();
    all.sort_unstable();
    let mut values: Vec<(u32, &str)> = Vec::new();
    for (row, text) in all {
        if !values.iter().any(|(_, known)| *known == text) {
            values.push((row, text));
        }
    }
    values
}

/// Each value by its name, and two orders once where the receivers differ.
fn rows(order: &DraftOrder, finding: &Finding, cell: &FoundCell) -> Markup {
    let (number, values) = (&order.number, values(finding, cell));
    let is_first = || {
        let mut parted = order.cells.iter().filter(|cell| cell.findings.iter().any(may_be_two_orders));
        parted.next().is_some_and(|first| (first.row, first.column) == (cell.row, cell.column))
    };
    html! {
        @if values.len() > 1 {
            @for (row, text) in values {
                (button(&format!("{ONE_VALUE}.{}.{row}.{}", cell.sheet, cell.column), number, &shortened(text, VALUE_MAX), number))
            }
            @if may_be_two_orders(finding) && is_first() {
                (button(&format!("{TWO_ORDERS}.{}.{}.{}", cell.sheet, cell.row, cell.column), number, "Two orders", number))
            }
        }
    }
}

/// The buttons of a whole group: the amounts, and the first row where rows disagree. Nothing where neither is asked.
pub(super) fn of_group(example: &Finding) -> Option<(Option<String>, String)> {
    let all = |choice: &AmountChoice, amount: &Amount| match &amount.of {
        AmountOf::Sheet => "Sheet's amount".to_owned(),
        AmountOf::Products => "Products' amount".to_owned(),
        AmountOf::All if !choice.is_collected => "Collect nothing".to_owned(),
        AmountOf::All => "Full amount".to_owned(),
        AmountOf::Rest => "The rest".to_owned(),
        AmountOf::With(header) => format!("With {}", shortened(header, VALUE_MAX)),
        AmountOf::Without(header) => format!("Without {}", shortened(header, VALUE_MAX)),
    };
    match &example.amounts {
        Some(choice) => Some((choice.other.as_ref().map(|other| all(choice, other)), all(choice, &choice.stands))),
        None if example.id == Id::OrderClash => Some((None, "First row's value".to_owned())),
        None => None,
    }
}

/// Finds a group by its name in a form, with its orders.
type OfGroup<'f> = &'f dyn Fn(&str) -> Result<(GroupId, Vec<String>)>;

/// The amounts that a button chooses; nothing where it is another one.
pub(super) fn total(
    draft: &Draft,
    (verb, rest): (&str, &str),
    value: &str,
    of_group: OfGroup<'_>,
) -> Result<Option<DraftAnswer>> {
    let orders = match verb {
        AMOUNT => {
            let group = GroupId(rest.parse().map_err(|_| Trouble::NotOurs)?);
            let order = draft.order(value)?.map(|whole| whole.order).ok_or(Trouble::NotOurs)?;
            other_amount(&order, group).into_iter().collect()
        }
        ASK_AGAIN => vec![OrderTotal { order: value.to_owned(), amount: None }],
        ALL_AMOUNTS => {
            let (group, mut orders) = (of_group(value)?.0, Vec::new());
            for from in (0..).step_by(100) {
                let page = draft.page(&Filter::Group(group), from, 100)?;
                if page.is_empty() {
                    break;
                }
                orders.extend(page.iter().filter_map(|order| other_amount(order, group)));
            }
            orders
        }
        _ => return Ok(None),
    };
    Ok(Some(DraftAnswer::Total { orders }))
}

/// The amount that is offered for an order beside what stands.
fn other_amount(order: &DraftOrder, group: GroupId) -> Option<OrderTotal> {
    let mut all = order.findings.iter().chain(order.cells.iter().flat_map(|cell| &cell.findings));
    let amount = all.find(|own| GroupId::of(own) == group)?.amounts.as_ref()?.other.as_ref()?.amount;
    Some(OrderTotal { order: order.number.clone(), amount: Some(amount) })
}
