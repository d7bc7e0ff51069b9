//! Orders that only the ledger names: which of them a statement proves to be missing there, and what stands in the way. Pure.

use crate::ledger::{KnownOrder, State};
use crate::text::{list, moment};

use super::books::Books;
use super::comparison::Comparison;
use super::group::{Group, Groups, are_alike};
use super::span::{LATE_MS, Span, may_be_of};
use super::statement::Entry;

/// Rows and orders that one note names.
const NAMED: usize = 3;

/// What may be an order that a statement does not seem to have.
struct Suspects<'a> {
    span: Option<Span>,
    /// Orders that are booked here, were sent at a time of which the statement should have everything, and are not in it.
    lacking: Vec<&'a str>,
    /// Rows that may be any order: without a number, or with our AWB under another number.
    any: Vec<&'a Entry>,
    /// Rows of shipments that nobody here knows: each may be what was sent at its time.
    strangers: Vec<&'a Entry>,
    groups: &'a Groups<'a>,
    /// When each order in doubt was sent that the statement does not have.
    sent_ms: Vec<i64>,
    /// Whether the statement has anything of this ledger.
    agrees: bool,
}

/// Tells the orders of the scope that the statement does not have.
pub(super) fn absent(
    ours: &[KnownOrder],
    groups: &Groups<'_>,
    books: &Books<'_>,
    span: Option<Span>,
    comparison: &mut Comparison,
) {
    let missing = || ours.iter().filter(|order| !groups.by_number.contains_key(order.number.as_str()));
    let is_lacking = |order: &&KnownOrder| order.state == State::Booked && is_covered(order, span) == Some(true);
    let suspects = Suspects {
        span,
        lacking: missing().filter(is_lacking).map(|order| order.number.as_str()).collect(),
        any: groups.nameless.iter().chain(&groups.renamed).copied().collect(),
        strangers: strangers(groups, books),
        groups,
        sent_ms: missing().filter(|order| order.state == State::InDoubt).filter_map(|order| order.sent_ms).collect(),
        agrees: !comparison.agree.is_empty(),
    };
    for order in missing().filter(|order| order.in_scope) {
        let note = match (order.state, is_covered(order, span)) {
            (State::Booked, Some(false)) => {
                comparison.outside += 1;
                continue;
            }
            (State::Booked, Some(true)) => {
                "the statement does not have it, though it has the time at which it was sent".to_owned()
            }
            (State::Booked, None) => "the statement does not have it: is it of another day, or filtered?".to_owned(),
            (State::InDoubt, _) => {
                if let Some(why) = suspects.against(order) {
                    format!("in doubt, and the statement does not have it; {why}")
                } else {
                    comparison.absent.push(order.number.clone());
                    "in doubt, and the statement does not have it, though it has the time at which it was sent"
                        .to_owned()
                }
            }
            _ => continue,
        };
        comparison.only_ours.push(Group::default().difference(Some(&order.number), Some(order), note));
    }
}

/// Whether the statement has the time at which an order was sent, where that is known.
fn is_covered(ours: &KnownOrder, span: Option<Span>) -> Option<bool> {
    span.map(|span| ours.sent_ms.is_some_and(|sent_ms| span.covers(sent_ms)))
}

/// Rows of shipments that nobody here knows.
fn strangers<'a>(groups: &'a Groups<'a>, books: &Books<'_>) -> Vec<&'a Entry> {
    let unknown = groups.by_number.iter().filter(|(number, _)| !books.by_number.contains_key(**number));
    // One without an AWB may wait for it in the portal.
    unknown.flat_map(|(_, group)| group.live()).collect()
}

impl Suspects<'_> {
    /// Why an order in doubt may be booked all the same; nothing where the statement shows that it is not.
    fn against(&self, order: &KnownOrder) -> Option<String> {
        let portal = "look for it in the courier's portal";
        let (Some(span), Some(sent_ms)) = (self.span, order.sent_ms) else {
            return Some(format!("that alone proves nothing: {portal}"));
        };
        if !span.covers(sent_ms) {
            return Some(outside(span, sent_ms, portal));
        }
        if !self.lacking.is_empty() {
            let named: Vec<&str> = self.lacking.iter().take(NAMED).copied().collect();
            let more = more(self.lacking.len());
            return Some(format!(
                "but it lacks {}{more} of that time as well, which is booked, so that proves nothing: export it again with all \
                 bookings",
                list(&named, "and")
            ));
        }
        let alike = self.groups.written.iter().filter(|(number, _)| are_alike(number, &order.number));
        let alike: Vec<&Entry> = alike.flat_map(|(_, group)| group.entries.iter().copied()).collect();
        if !alike.is_empty() {
            return Some(format!("but {} may be it, spelled in another way: {portal}", rows(&alike)));
        }
        if !self.any.is_empty() {
            return Some(format!("but {} may be it, or stand where its number does not: {portal}", rows(&self.any)));
        }
        let near: Vec<&Entry> =
            self.strangers.iter().copied().filter(|entry| may_be_of(entry.booked_ms, sent_ms)).collect();
        if !near.is_empty() {
            let is_of = |at: &&i64| near.iter().any(|entry| may_be_of(entry.booked_ms, **at));
            let others = self.sent_ms.iter().filter(is_of).count().saturating_sub(1);
            let others = if others > 0 { format!(" or one of {others} others in doubt") } else { String::new() };
            return Some(format!(
                "but {} of about that time, which the ledger does not know, may be this order{others}: look in the courier's \
                 portal at whose it is, then settle this order by hand",
                rows(&near)
            ));
        }
        (!self.agrees).then(|| format!("but it has no booking of this ledger at all, so that proves nothing: {portal}"))
    }
}

/// What is said of an order that was sent at a time of which the statement does not have everything.
fn outside(span: Span, sent_ms: i64, portal: &str) -> String {
    let (sent, from, until) = (moment(sent_ms), moment(span.from_ms), moment(span.until_ms));
    if sent_ms < span.from_ms {
        return format!(
            "it was sent on {sent}, and the statement begins on {from}: export it from an earlier time on, or {portal}"
        );
    }
    format!(
        "it was sent on {sent}, and the statement ends on {until}: export one that has bookings after {}, or {portal}",
        moment(sent_ms + LATE_MS)
    )
}

fn more(count: usize) -> String {
    if count > NAMED { format!(" and {} more", count - NAMED) } else { String::new() }
}

/// Rows by what a person finds them by.
fn rows(entries: &[&Entry]) -> String {
    let row = |entry: &&Entry| {
        let says = [
            ("number", entry.order.clone()),
            ("AWB", entry.awb.as_found().to_owned()),
            ("booked", entry.booked_ms.into_iter().flatten().next().map(when).unwrap_or_default()),
        ];
        let says: Vec<String> =
            says.iter().filter(|(_, text)| !text.is_empty()).map(|(what, text)| format!("{what} {text}")).collect();
        format!("row {} ({})", entry.row, says.join(", "))
    };
    let named: Vec<String> = entries.iter().take(NAMED).map(row).collect();
    format!("{}{}", list(&named, "and"), more(entries.len()))
}

/// A day alone has no time of day.
fn when(ms: i64) -> String {
    let moment = moment(ms);
    moment.strip_suffix(" 00:00:00").map(str::to_owned).unwrap_or(moment)
}
