//! Values that are not known, in columns that say how orders are paid or whether they go, and in remarks, and amounts that no header
//! explains: each is asked once.

use std::collections::BTreeMap;

use maud::{Markup, html};

use crate::app::draft::{DraftAnswer, DraftSheet};
use crate::app::{AmountQuestion, AmountUse, LayoutChange, Meaning, ValueKind, ValueQuestion};
use crate::finding::{Finding, Id, RuleId};
use crate::text::shortened;

use super::super::words;
use super::frame::HEADER_MAX;

/// Values of one column that are asked about.
const VALUES_MAX: usize = 20;

/// Characters of a value that are shown.
const SHOWN_MAX: usize = 60;

/// A meaning in a clerk's words.
const fn called(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Paid => "paid already",
        Meaning::Collect => "collect cash",
        Meaning::Unpaid => "not paid yet: hold",
        Meaning::OnCredit => "on credit: collect nothing",
        Meaning::Rest => "collect the rest; what is paid goes as a discount",
        Meaning::Go => "send the order",
        Meaning::Hold => "hold the order",
        Meaning::Cancelled => "cancelled",
        Meaning::Sent => "sent already",
    }
}

fn name(number: usize, question: &ValueQuestion) -> String {
    format!("value.{number}.{}", question.column.index)
}

/// One of the values of a column.
const fn one_of(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::PartPayment => "amount",
        ValueKind::Payment | ValueKind::State => "word",
        ValueKind::Remark => "remark",
    }
}

/// A value as it is shown.
fn shown(kind: ValueKind, text: &str) -> String {
    if kind == ValueKind::PartPayment { "any amount".to_owned() } else { shortened(text, SHOWN_MAX) }
}

/// The questions about the values of a sheet, and about its rows without an order number.
pub(super) fn questions(number: usize, sheet: &DraftSheet) -> Markup {
    html! {
        @if sheet.has_lines_below {
            h2 { "Some rows have no order number" }
            label.tick { input type="checkbox" name={ "lines." (number) } value="yes"; " They are more products of the order above" }
        }
        @for question in &sheet.values {
            @let (own, header) = (name(number, question), shortened(&question.column.header, HEADER_MAX));
            @let text = one_of(question.kind);
            h2 { "What do these " (text) "s in “" (header) "” mean?" }
            p.soft { "The column " (question.kind.says()) ". Orders of any " (text) " that you leave open are " (if question.holds { "held" } else { "sent" }) "." }
            div.fields.values {
                @for (index, (text, rows)) in question.unknown.iter().take(VALUES_MAX).enumerate() {
                    label {
                        span { b { (shown(question.kind, text)) } " " span.soft { (words::count(u64::from(*rows), "row")) } }
                        (menu(&format!("{own}.{index}"), question, text))
                    }
                }
                @if question.unknown.len() > VALUES_MAX {
                    @let rest = format!("all other {text}s");
                    label { span { (words::capital(&rest)) " of this column" } (menu(&format!("{own}.rest"), question, &rest)) }
                }
            }
            label.tick { input type="checkbox" name={ (own) ".none" } value="yes"; " This column is not about " (if question.kind.is_of_payment() { "payment" } else { "shipping" }) }
        }
        @if let Some(question) = &sheet.amounts { (amounts(number, question)) }
    }
}

/// The question what amounts are for.
fn amounts(number: usize, question: &AmountQuestion) -> Markup {
    html! {
        h2 { "What are these amounts for?" }
        p.soft { "They may change what is collected. Orders with an amount that you leave open may be held." }
        div.fields.values {
            @for (column, values) in &question.columns {
                @let (header, first) = (shortened(&column.header, HEADER_MAX), values.first().map(|(text, _)| text.as_str()));
                label {
                    span { b { (header) } " " span.soft { (shortened(first.unwrap_or_default(), SHOWN_MAX)) } }
                    select name=(name_of_amount(number, column.index)) aria-label={ (header) " is" } {
                        option value="" selected { "leave it open" }
                        @for used in &question.choices { option value=(used.as_str()) { (used.words()) } }
                    }
                }
            }
        }
    }
}

fn name_of_amount(number: usize, column: u32) -> String {
    format!("amount.{number}.{column}")
}

/// The uses of amounts that were chosen: of two columns that cannot both be one thing, the page says so.
pub(super) fn uses(number: usize, sheet: &DraftSheet, fields: &BTreeMap<String, String>) -> Option<DraftAnswer> {
    let question = sheet.amounts.as_ref()?;
    let chosen = question.columns.iter().filter_map(|(column, _)| {
        let word = fields.get(&name_of_amount(number, column.index))?;
        Some((column.index, question.choices.iter().copied().find(|used| used.as_str() == word)?))
    });
    let uses: Vec<(u32, AmountUse)> = chosen.collect();
    let is_answer = !uses.is_empty();
    is_answer.then_some(DraftAnswer::Layout { sheet: number, change: LayoutChange::Amounts { uses } })
}

fn menu(name: &str, question: &ValueQuestion, label: &str) -> Markup {
    html! {
        select name=(name) aria-label={ (shortened(label, SHOWN_MAX)) " means" } {
            option value="" selected { "leave it open" }
            @for meaning in question.choices() { option value=(meaning.as_str()) { (called(*meaning)) } }
        }
    }
}

/// The meanings that were chosen.
pub(super) fn answers(number: usize, sheet: &DraftSheet, fields: &BTreeMap<String, String>) -> Vec<DraftAnswer> {
    let answer = |question: &ValueQuestion| {
        let (own, column) = (name(number, question), question.column.index);
        if fields.contains_key(&format!("{own}.none")) {
            return Some(LayoutChange::Values { column, means: None });
        }
        let chosen = |key: String| {
            let word = fields.get(&key)?;
            question.choices().iter().copied().find(|meaning| meaning.as_str() == word)
        };
        let rest = chosen(format!("{own}.rest"));
        let each = question.unknown.iter().enumerate().filter_map(|(index, (text, _))| {
            let meaning = if index < VALUES_MAX { chosen(format!("{own}.{index}")) } else { rest };
            Some((text.clone(), meaning?))
        });
        let means: Vec<(String, Meaning)> = each.collect();
        (!means.is_empty()).then_some(LayoutChange::Values { column, means: Some(means) })
    };
    let lines = fields.contains_key(&format!("lines.{number}")).then_some(LayoutChange::Lines { are: true });
    let changes = sheet.values.iter().filter_map(answer).chain(lines);
    changes.map(|change| DraftAnswer::Layout { sheet: number, change }).collect()
}

/// The buttons that say what a value means that holds an order, for all rows that have it.
pub(super) fn buttons(finding: &Finding, sheet: usize) -> Markup {
    let choices: &[Meaning] = match (finding.id, finding.rule()) {
        (Id::BadPayment, Some(RuleId::PaymentUnknown)) => &Meaning::OF_PAYMENT,
        (_, Some(RuleId::OrderState)) => &[Meaning::Go, Meaning::Cancelled],
        (Id::UnreadRemark, _) => &Meaning::OF_REMARK,
        _ => &[],
    };
    let column = finding.place.as_ref().and_then(|place| place.column.as_ref());
    let about = column.zip(finding.found.as_ref()).filter(|(_, text)| !text.is_empty());
    html! {
        @if let Some((column, text)) = about {
            @for meaning in choices {
                @let means = Some(vec![(text.clone(), *meaning)]);
                @let answer = DraftAnswer::Layout { sheet, change: LayoutChange::Values { column: column.index, means } };
                @let label = format!("“{}”: {}", shortened(text, 30), called(*meaning));
                button.small form="a" name="answer" value=(serde_json::to_string(&answer).unwrap_or_default()) { (label) }
            }
        }
    }
}
