//! `accept`, and the questions of `import` about orders that rules hold: what a person lets go as it stands.

use std::collections::HashSet;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::app::{AcceptedOrders, Answer, Exit, HeldByRule, Kept, UnusedAcceptance};
use crate::book::StopSignal;
use crate::cli::screen::Causes;
use crate::finding::{self, Basis, Finding, RuleId};
use crate::rule::{Accepting, Rule, acceptable};
use crate::text::count;

use super::console::{asked_unless, note, somebody_is_here, typed_unless};
use super::document::{Kind, print_document};
use super::global::Format;
use super::plan::say_causes;
use super::remedy::words;
use super::settings::Settings;

/// What is accepted.
#[derive(Debug, Args)]
pub(super) struct Accept {
    /// The rule (`shipsheet rules`)
    #[arg(value_parser = acceptable)]
    rule: RuleId,
    /// The order number; may be given several times
    #[arg(long = "order", value_name = "ORDER", required = true, num_args = 1..)]
    orders: Vec<String>,
    /// Why; kept for good
    #[arg(long)]
    because: String,
}

/// The document of `accept`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "What a person accepts of what a rule held")]
pub(super) struct Document<'a> {
    /// The rule, as `rules` lists them.
    rule: &'a str,
    /// The order numbers.
    orders: &'a [String],
    /// How many findings that were.
    findings: usize,
    /// The orders that `resume` sends now; the others go with the next `import`.
    released: &'a [String],
    /// Why.
    because: &'a str,
    exit: Exit,
}

/// `total-differs`, or `total-differs:A-1,A-2`.
pub(super) fn accepting(text: &str) -> Result<Accepting, String> {
    let (rule, orders) = text.split_once(':').unwrap_or((text, ""));
    let orders: Vec<String> =
        orders.split(',').map(|order| order.trim().to_owned()).filter(|order| !order.is_empty()).collect();
    if orders.is_empty() && text.contains(':') {
        return Err(format!("name orders behind the colon, for instance {rule}:A-1,A-2, or omit it"));
    }
    Ok(Accepting { rule: acceptable(rule.trim())?, orders })
}

/// Keeps what a person accepts.
pub(super) fn accept(settings: &Settings, arguments: &Accept) -> Result<Exit> {
    let Accept { rule, orders, because } = arguments;
    let accepting = Accepting { rule: *rule, orders: orders.clone() };
    let AcceptedOrders { findings, released } = settings.app.accept(&accepting, because)?;
    let these = if orders.len() == 1 { format!("order {}", orders[0]) } else { count(orders.len() as u64, "order") };
    note(format!("{rule} is accepted for {these}"));
    if !released.is_empty() {
        note(format!("next: `{} resume` sends {}", settings.command, released.join(", ")));
    }
    let others: Vec<&str> = orders.iter().filter(|order| !released.contains(order)).map(String::as_str).collect();
    if !others.is_empty() {
        let others = others.join(", ");
        note(format!(
            "next: `{} import SHEET` sends {others}, as long as the cells stay as they are",
            settings.command
        ));
    }
    if settings.format == Format::Json {
        let (rule, exit) = (rule.as_str(), Exit::Done);
        let document = Document { rule, orders, findings, released: &released, because, exit };
        print_document(Kind::Accept, &document)?;
    }
    Ok(Exit::Done)
}

/// Says what was accepted with this command and is held by nothing.
pub(super) fn say_unused(unused: &[UnusedAcceptance]) {
    for UnusedAcceptance { rule, order, near } in unused {
        let near = near.as_ref().map_or_else(String::new, |near| format!("; did you mean {near}?"));
        note(match order {
            Some(order) => {
                format!("warning: --accept {rule}:{order} changes nothing: {rule} does not hold this order{near}")
            }
            None => format!("warning: --accept {rule} changes nothing: {rule} holds no order here"),
        });
    }
}

/// What a person was told and asked so far: nothing is said twice where a sheet is planned anew.
#[derive(Default)]
pub(super) struct Asked {
    /// What was asked about: rules, each with an order and what a finding rests on.
    orders: HashSet<(RuleId, String, Basis)>,
    /// Findings, by what they say and where.
    told: HashSet<(finding::Id, String, String)>,
}

impl Asked {
    /// The orders of which one of these findings was not asked about so far, but for those that are left.
    fn open(&mut self, rule: RuleId, findings: &[Finding], left: &HashSet<&str>) -> Vec<String> {
        let mut open: Vec<String> = Vec::new();
        for (order, basis) in findings.iter().filter_map(|own| own.order.as_ref().zip(own.basis.as_ref())) {
            let is_new = !left.contains(order.as_str()) && self.orders.insert((rule, order.clone(), basis.clone()));
            if is_new && open.last() != Some(order) {
                open.push(order.clone());
            }
        }
        open
    }

    /// Whether a finding is told for the first time.
    pub(super) fn is_new(&mut self, finding: &Finding) -> bool {
        let place = finding.place.as_ref().map(ToString::to_string).unwrap_or_default();
        self.told.insert((finding.id, finding.case.to_string(), place))
    }
}

/// Says what the numbers of a sheet are from now on.
pub(super) fn say_prefix(settings: &Settings, prefix: &str, kept: Option<&Kept>) {
    note(format!("the order numbers of this sheet begin with {prefix} now"));
    if let Some(Kept { name, .. }) = kept {
        note(format!("saved; next time: `{} import SHEET --profile {name}`", settings.command));
    }
}

/// Asks for the prefix of a shop's numbers; nothing where none is typed.
fn ask_prefix(listening: Option<&StopSignal>) -> Option<Answer> {
    let prefix = typed_unless("what should stand before the numbers of this sheet, for instance A-?", listening)?;
    if prefix.is_empty() {
        return None;
    }
    let name = typed_unless("the name of this shop, to save that as a profile, or Enter for this once:", listening);
    Some(Answer::Prefix { prefix, keep_as: name.filter(|name| !name.is_empty()) })
}

/// The question about orders that are held.
fn question(open: &[String], may_be_another_shop: bool) -> String {
    let (send, them) = match (open, may_be_another_shop) {
        ([_], false) => ("it as it is", "it"),
        ([_], true) => ("it in place of the other one", "it"),
        (_, false) => ("them as they are", "them"),
        (_, true) => ("them in place of the others", "them"),
    };
    let prefix = if may_be_another_shop { " / give this shop's numbers a [p]refix" } else { "" };
    let some = match open {
        [] | [_] => String::new(),
        [first, ..] => format!(", or type the order numbers to send only these, such as {first}"),
    };
    format!("[s]end {send} / [l]eave {them}{prefix} / [sh]ow {them}{some}?")
}

/// Those of the findings that are on these orders.
fn of_orders<'f>(findings: &'f [Finding], orders: &[String]) -> impl Iterator<Item = Finding> + use<'f> {
    let orders: HashSet<String> = orders.iter().cloned().collect();
    findings.iter().filter(move |own| own.order.as_ref().is_some_and(|order| orders.contains(order))).cloned()
}

/// The orders of a list that a person names, parted by commas or blanks; of a long number its end is enough. The error is a name of
/// none of them, or of several.
fn named<'a>(answer: &'a str, open: &[String]) -> Result<Vec<String>, &'a str> {
    let one = |name: &str| {
        let has_number = name.contains(|c: char| c.is_ascii_digit());
        let is_end = |order: &&String| {
            let Some(before) = order.len().checked_sub(name.len()).filter(|at| order.is_char_boundary(*at)) else {
                return false;
            };
            let (before, end) = order.split_at(before);
            end.eq_ignore_ascii_case(name) && !before.trim_end_matches('0').ends_with(|c: char| c.is_ascii_digit())
        };
        let mut ends = open.iter().filter(|_| has_number).filter(is_end);
        let end = ends.next().filter(|_| ends.next().is_none());
        open.iter().find(|order| order.eq_ignore_ascii_case(name)).or(end)
    };
    let names_by = |is_between: fn(char) -> bool| {
        answer.split(is_between).map(str::trim).filter(|name| !name.is_empty()).collect::<Vec<&str>>()
    };
    // A number may have a blank within it.
    let by_blanks = names_by(|c| c == ',' || c.is_whitespace());
    let names = if by_blanks.iter().all(|name| one(name).is_some()) { by_blanks } else { names_by(|c| c == ',') };
    names.into_iter().map(|name| one(name).cloned().ok_or(name)).collect()
}

/// Asks, rule by rule, about orders that go once what holds them is accepted; each finding is asked about once.
/// `listening` is the signal of whoever listens to Ctrl-C already.
pub(super) fn ask(
    settings: &Settings,
    held: &[HeldByRule],
    asked: &mut Asked,
    listening: Option<&StopSignal>,
) -> Option<Answer> {
    if !somebody_is_here() {
        return None;
    }
    let mut accepted: Vec<Finding> = Vec::new();
    let mut left: HashSet<&str> = HashSet::new();
    for HeldByRule { rule, orders, findings } in held {
        let open = asked.open(*rule, findings, &left);
        if open.is_empty() {
            left.extend(orders.iter().map(String::as_str));
            continue;
        }
        let is_one = open.len() == 1;
        let are = if is_one { "is" } else { "are" };
        note(format!("{} {are} held by `{rule}`: {}", count(open.len() as u64, "order"), Rule::of(*rule).title()));
        let may_be_another_shop = *rule == RuleId::OtherReceiver;
        let question = question(&open, may_be_another_shop);
        loop {
            let answer = asked_unless(&question, listening).unwrap_or_default();
            match answer.as_str() {
                "s" | "send" => {
                    accepted.extend(of_orders(findings, &open));
                    break;
                }
                "sh" | "show" => {
                    let mut causes = Causes::showing_all(words(&settings.command));
                    of_orders(findings, &open).for_each(|finding| causes.add(&finding));
                    say_causes(&causes);
                }
                "p" | "prefix" if may_be_another_shop => {
                    if let Some(prefix) = ask_prefix(listening) {
                        return Some(prefix);
                    }
                }
                "" | "l" | "leave" => {
                    left.extend(orders.iter().map(String::as_str));
                    break;
                }
                _ => match named(&answer, &open) {
                    Ok(sent) => {
                        left.extend(
                            orders.iter().map(String::as_str).filter(|order| !sent.iter().any(|own| own == order)),
                        );
                        accepted.extend(of_orders(findings, &sent));
                        break;
                    }
                    Err(other) => {
                        note(format!("\"{other}\" is no answer; type s, l or sh, or the numbers of orders to send"));
                    }
                },
            }
        }
    }
    (!accepted.is_empty()).then_some(Answer::Accept(accepted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_accepted_of_all_orders_or_of_those_behind_its_colon() {
        let of = |orders: &[&str]| Accepting {
            rule: RuleId::TotalDiffers,
            orders: orders.iter().map(|order| (*order).to_owned()).collect(),
        };
        assert_eq!(accepting("total-differs"), Ok(of(&[])));
        assert_eq!(accepting("total-differs:A-1, A:2"), Ok(of(&["A-1", "A:2"])));
        for (text, why) in [
            ("total-differs:", "name orders behind the colon"),
            ("total-difers:A-1", "did you mean `total-differs`?"),
            ("order-known", "the ledger says so"),
        ] {
            assert!(accepting(text).unwrap_err().contains(why), "{text}");
        }
    }

    #[test]
    fn orders_are_named_by_their_numbers_or_by_the_ends_of_these() {
        let open = ["SO/26/00121", "SO/26/00221", "so 7", "INV-21"].map(str::to_owned);
        let of = |answer| named(answer, &open).map(|sent| sent.join(" + "));
        assert_eq!(of("so/26/00121, 221").as_deref(), Ok("SO/26/00121 + SO/26/00221"));
        assert_eq!(of("121 inv-21").as_deref(), Ok("SO/26/00121 + INV-21"));
        assert_eq!(of("SO 7,221").as_deref(), Ok("so 7 + SO/26/00221"));
        assert_eq!((of("21").as_deref(), of("x")), (Ok("INV-21"), Err("x")));
        let alike = ["A-7", "B-7"].map(str::to_owned);
        assert_eq!(named("7", &alike), Err("7"), "of two nobody knows which");
    }
}
