//! What all cells of a sheet show of its columns, once they are seen.

use std::collections::BTreeSet;

use crate::check::Habit;
use crate::field::{Id, money_sign};

/// What the cells of a sheet's columns show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Look {
    /// How the columns of fields write numbers and dates.
    pub habits: Vec<(Id, Habit)>,
    /// What columns that no field takes look like.
    pub left: Vec<(u32, Figures)>,
    /// Whether some orders have a yes in a column in which that lets them go.
    pub consents: Vec<(u32, bool)>,
    /// What columns of days hold.
    pub days: Vec<(u32, Days)>,
}

impl Look {
    /// Adds what another part of the same sheet shows.
    pub fn add(&mut self, other: Self) {
        self.habits.iter_mut().zip(other.habits).for_each(|((_, own), (_, shown))| own.add(shown));
        self.left.iter_mut().zip(other.left).for_each(|((_, own), (_, shown))| own.add(shown));
        self.consents.iter_mut().zip(other.consents).for_each(|((_, own), (_, shown))| *own |= shown);
        self.days.iter_mut().zip(other.days).for_each(|((_, own), (_, shown))| own.add(shown));
    }
}

/// What the filled cells of a column look like; zeros say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// Like money: by a sign, or by two decimals.
    money: u32,
    /// Figures of the size of charges and payments, and how many of them are as round as these mostly are.
    sized: u32,
    round: u32,
    /// Whether any is something else.
    other: bool,
}

impl Figures {
    /// Looks at one more cell.
    pub fn take(&mut self, text: &str) {
        if self.other || text.bytes().all(|byte| matches!(byte, b'0' | b'.' | b'-')) {
            return;
        }
        let figures = text.trim_matches(|c: char| !c.is_ascii_digit());
        let is_number = !figures.is_empty() && figures.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b','));
        let around = text.replacen(figures, "", 1);
        let sign = around.trim_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '/' | '+'));
        let has_cents = figures.rsplit_once('.').is_some_and(|(_, cents)| cents.len() == 2);
        let is_money = if sign.is_empty() { has_cents } else { money_sign(sign).is_some() };
        let whole = figures.bytes().all(|byte| byte.is_ascii_digit()) && sign.is_empty() && !figures.starts_with('0');
        match () {
            () if is_number && is_money => self.money += 1,
            () if whole && (2..=5).contains(&figures.len()) => {
                self.sized += 1;
                self.round += u32::from(figures.ends_with(['0', '5', '9']));
            }
            () => self.other = true,
        }
    }

    fn add(&mut self, other: Self) {
        self.money = self.money.saturating_add(other.money);
        self.sized = self.sized.saturating_add(other.sized);
        self.round = self.round.saturating_add(other.round);
        self.other |= other.other;
    }

    /// Whether they may be money: numbers and sizes of other things are seldom so round.
    pub(super) const fn may_be_money(self) -> bool {
        !self.other && (self.money > 0 || self.sized > 0) && self.round as u64 * 4 >= self.sized as u64 * 3
    }
}

/// What a column of days on which orders are sent holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Days {
    /// Whether any order is blank there: the days are written as the orders go.
    blank: bool,
    /// The days, as they stand there; the first ones where there are many.
    texts: BTreeSet<String>,
}

/// More days than this are no plan.
const DAYS_MAX: usize = 12;

impl Days {
    /// Adds the cell of an order's first row.
    pub fn take(&mut self, text: &str) {
        self.blank |= text.is_empty();
        if !text.is_empty() && !self.texts.contains(text) && self.texts.len() < DAYS_MAX {
            self.texts.insert(text.to_owned());
        }
    }

    /// Adds what another part of the column has shown.
    pub fn add(&mut self, other: Self) {
        self.blank |= other.blank;
        self.texts.extend(other.texts);
    }

    /// Whether the days are written as the orders go: some are blank, or one of them is over.
    pub fn is_register(&self, mut is_over: impl FnMut(&str) -> bool) -> bool {
        self.blank || self.texts.len() >= DAYS_MAX || self.texts.iter().any(|text| is_over(text))
    }
}
