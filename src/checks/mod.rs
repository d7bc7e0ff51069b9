//! What might be wrong with an order: one file for each family of rules.
//!
//! A check reads a finished [`View`] and changes nothing. What it says goes through the levels of rules in one place,
//! `Findings::say`. `CHECKS` is the table of them, in the order in which they look; the rules are those of `rule::RULES`.
//!
//! Building an order needs the levels of rules and checks need the built order, so checks are no part of `rule`. If a level lets an
//! order go, the other checks still run: one rule hides no other.

mod address;
mod conflicting_columns;
mod eligibility;
mod measures;
mod payment;
mod repeated_rows;
mod side_by_side;
mod state_cell;
mod totals;
mod view;

use crate::column::Sheets;
use crate::field::day_at_end;
use crate::finding::{self, Finding, RuleId};
use crate::order::{Built, Decimal, ENDING, Order, RawCell, RawOrder, Recurring, Rows, Text, build, chosen_amount};
use crate::parse::ReadingSettings;

pub(crate) use state_cell::consents;
pub(crate) use view::Eligibility;
use view::{Findings, View, with_level};

/// Every check of an order, in the order in which they look.
const CHECKS: [fn(&View<'_>, &mut Findings<'_>); 13] = [
    conflicting_columns::check_currency,
    address::check,
    measures::check_weight,
    measures::check_pieces,
    side_by_side::check,
    totals::check,
    conflicting_columns::check,
    address::check_pin,
    measures::check,
    totals::check_worth,
    payment::check,
    eligibility::check,
    repeated_rows::check,
];

/// A rule that ended the building of an order although a person lets it go.
fn let_go(rows: &Rows<'_>, built: &Built, shown: &[Finding]) -> Option<RuleId> {
    let ends = |rule: &RuleId| ENDING.contains(rule) && !rows.let_go.contains(rule);
    built.doubts.iter().find_map(|doubt| {
        let rule = doubt.finding.rule().filter(ends)?;
        let settled = with_level(rows, doubt.finding.clone(), shown);
        (!settled.is_some_and(|finding| finding.holds())).then_some(rule)
    })
}

/// The findings on an order.
struct Told {
    problems: Vec<Finding>,
    eligibility: Eligibility,
    unread: Vec<RawCell>,
}

/// What orders are reviewed by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reviewer<'a> {
    /// The sheets' columns.
    pub sheets: &'a Sheets,
    /// The configuration's word on values.
    pub rules: &'a ReadingSettings,
}

/// What the rows of an order came to.
#[derive(Debug)]
pub(crate) struct Reviewed {
    /// The order, where nothing holds it.
    pub order: Option<Box<Order>>,
    /// The same where something does: its amounts may be other ones, and a field with a fault is blank.
    pub held: Option<Box<Order>>,
    /// Everything that there is to say.
    pub problems: Vec<Finding>,
    /// What its sheet says of whether it goes.
    pub eligibility: Eligibility,
    /// Remarks that nobody could read: their sheets, columns and texts.
    pub unread: Box<[(u16, u32, Text)]>,
}

impl Reviewer<'_> {
    /// Builds an order from its rows, and says everything that there is to say of it. A command accepts what is said without it,
    /// and nothing that comes up behind that.
    pub(crate) fn review(&self, draft: &RawOrder, recurring: &Recurring) -> Reviewed {
        let reviewed = self.review_behind(&[], draft, recurring);
        let is_acceptable = |own: &Finding| own.holds() && own.basis.is_some();
        if self.sheets.has_given() && reviewed.problems.iter().any(is_acceptable) {
            return self.review_behind(&reviewed.problems, draft, recurring);
        }
        reviewed
    }

    /// The same, where a command accepts no more than what was shown.
    fn review_behind(&self, shown: &[Finding], draft: &RawOrder, recurring: &Recurring) -> Reviewed {
        let mut rows = Rows::new(draft, (self.sheets, self.rules), recurring);
        let mut built = build(&rows);
        while let Some(rule) = let_go(&rows, &built, shown) {
            rows.let_go.push(rule);
            built = build(&rows);
        }
        let mut told = self.checked(&mut rows, &built, shown);
        if let Some((total, asked)) = self.chosen(draft, &told.problems) {
            rows.total = Some(total);
            built = build(&rows);
            told = self.checked(&mut rows, &built, shown);
            told.problems.extend(with_level(&rows, chosen_amount(&built.order).about(&asked), shown));
        }
        let Told { mut problems, eligibility, unread } = told;
        // Below another header its cells stand in wrong columns: whatever else is said of them says nothing.
        let is_below = |problem: &Finding| problem.id == finding::Id::SecondHeader && problem.holds();
        if problems.iter().any(is_below) {
            problems.retain(is_below);
        }
        let holds = problems.iter().any(Finding::holds);
        let built = Some(Box::new(built.order)).filter(|_| !eligibility.is_over());
        let (order, held) = if holds { (None, built) } else { (built, None) };
        let unread = unread.iter().map(|slot| (slot.at.sheet, slot.column, draft.text(slot).into())).collect();
        Reviewed { order, held, problems, eligibility, unread }
    }

    /// All that is said of an order as it was built.
    fn checked(&self, rows: &mut Rows<'_>, built: &Built, shown: &[Finding]) -> Told {
        rows.currency = built.order.lines.first().map_or_else(Text::default, |line| line.currency_code.clone());
        let mut told = Findings::new(rows, shown);
        for problem in rows.draft.problems.iter().filter(|problem| !self.is_of_today(problem)) {
            told.take(problem.clone());
        }
        told.take_doubts(&built.doubts);
        let view = View { rows, order: &built.order, built };
        for check in CHECKS {
            check(&view, &mut told);
        }
        let Findings { problems, eligibility, unread, .. } = told;
        Told { problems, eligibility, unread }
    }

    /// The total that a person chose for an order, with the doubt that offers it.
    fn chosen(&self, draft: &RawOrder, said: &[Finding]) -> Option<(Decimal, Finding)> {
        let total = *self.rules.totals.get(&draft.number)?;
        let mut asked = said.iter().filter(|own| own.amounts.as_ref().is_some_and(|amounts| amounts.offers(total)));
        asked.next().map(|asked| (total, asked.clone()))
    }

    /// Whether a row stands below a title that is the day of today, or of yesterday: that keeps nothing back.
    fn is_of_today(&self, problem: &Finding) -> bool {
        let Some(title) = problem.found.as_deref().filter(|_| problem.id == finding::Id::BelowTitle) else {
            return false;
        };
        let today = self.rules.today();
        let is_plain =
            |before: &str| before.is_empty() || before.trim_end_matches([':', ' ']).eq_ignore_ascii_case("date");
        let day = day_at_end(title).filter(|(before, _)| is_plain(before)).and_then(|(_, day)| day.near(today));
        day.is_some_and(|day| day == today || day.tomorrow().is_ok_and(|next| next == today))
    }
}
