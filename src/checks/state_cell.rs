//! What one cell says of whether its order goes, for the rules by what cells say.

use std::cell::OnceCell;

use jiff::civil::Date;

use crate::column::Columns;
use crate::field::{StateRole, Status, day_at_end, has_shipment_number, indian_state, is_said, normalised, says};
use crate::order::{RawCell, Rows};
use crate::parse::ReadingSettings;
use crate::profile::Meaning;
use crate::words::{Remark, Topic};

/// What the numbers of the built-in sandbox begin with, which books nothing.
const TRIED: &str = "SBX";

/// Days from today: what is late may be of yesterday.
const YESTERDAY: i32 = -1;

/// A cell of a column that may say whether orders go.
pub(super) struct StateCell<'a> {
    rows: &'a Rows<'a>,
    slot: &'a RawCell,
    sign: StateRole,
    text: &'a str,
    says: OnceCell<Status>,
    /// How far off the day is with which it ends: days from today, below zero where it is over.
    days_off: OnceCell<Option<i32>>,
    remark: OnceCell<Remark<'a>>,
}

impl<'a> StateCell<'a> {
    pub(super) fn new(rows: &'a Rows<'a>, slot: &'a RawCell, sign: StateRole) -> Self {
        let text = rows.draft.text(slot);
        Self { rows, slot, sign, text, says: OnceCell::new(), days_off: OnceCell::new(), remark: OnceCell::new() }
    }

    fn columns(&self) -> &'a Columns {
        self.rows.sheets.of(self.slot.at.sheet)
    }

    /// A person's answer on such a value.
    pub(super) fn meaning(&self) -> Option<Meaning> {
        self.columns().meaning(self.slot.column, self.text)
    }

    /// How far it says that the order is.
    fn says(&self) -> Status {
        *self.says.get_or_init(|| {
            match self.meaning() {
                Some(Meaning::Go) => return Status::Ready,
                Some(Meaning::Hold) => return Status::Unclear,
                Some(Meaning::Cancelled) => return Status::Cancelled,
                Some(Meaning::Sent) => return Status::Sent,
                Some(Meaning::Paid | Meaning::Collect | Meaning::Unpaid | Meaning::OnCredit | Meaning::Rest) | None => {
                }
            }
            let bare = normalised(self.text);
            let is_ready = !bare.is_empty() && self.rows.rules.ready_words.iter().any(|word| normalised(word) == bare);
            if is_ready { Status::Ready } else { says(self.text) }
        })
    }

    /// Whether it is written in a sense that rules name.
    pub(super) fn shows(&self, sense: &str) -> bool {
        // A person's answer on a value counts alone.
        if let Some(meaning) = self.meaning() {
            return if self.sign.is_note() && sense == "stopping" {
                meaning == Meaning::Hold
            } else {
                Status::of_name(sense) == Some(self.says())
            };
        }
        let (text, column) = (self.text, self.rows.column(self.slot));
        match sense {
            // What is to be delivered on a day is not delivered.
            "ahead" => {
                let certain = matches!(
                    self.says(),
                    Status::Sent | Status::Cancelled | Status::Ready | Status::Booked | Status::Done
                );
                certain && self.days_off().is_some_and(|days| days > 0)
            }
            "past" => self.day_named().is_some_and(|days| days < YESTERDAY),
            "leaving" => self.is_day_of_leaving(),
            // `Dispatch: N` may be not sent, or not to be sent.
            "either-way" => {
                self.sign == StateRole::Sent
                    && column.says("either-way")
                    && matches!(self.says(), Status::Yes | Status::No)
            }
            // A day and nothing else.
            "day-come" => {
                let is_day = || day_at_end(text).is_some_and(|(before, _)| before.is_empty());
                self.has_come() && (text.starts_with(|c: char| c.is_ascii_digit()) || is_day())
            }
            "consent-on-a-day" => {
                self.has_come() && day_at_end(text).is_some_and(|(before, _)| is_said(before, "consent"))
            }
            "indian-state" => indian_state(text).is_some(),
            "sandbox-number" => text.starts_with(TRIED),
            "crossed-out" => !text.contains(char::is_alphanumeric),
            "in-stock" => is_in_stock(text),
            "forward" => self.says_kind("forward"),
            "backwards" => {
                let by_header = |sense| self.says() == Status::Yes && Topic::Kinds.says(&column.header, sense);
                ["comes-back", "backwards"].into_iter().any(|sense| self.says_kind(sense) || by_header(sense))
            }
            "return" => self.columns().comes_back(self.slot.column, self.remark()),
            "stopping" => self.columns().stops(self.slot.column, self.remark()),
            "shipment-number" => has_shipment_number(text, column.says("article"), &self.rows.draft.number),
            "cancelled" | "sent" if self.sign.is_note() => false,
            _ => Status::of_name(sense).map_or_else(|| is_said(text, sense), |state| state == self.says()),
        }
    }

    /// Whether it says nothing: `-`, `NA`. A note may say so in words.
    pub(super) fn is_blank(&self) -> bool {
        !self.sign.is_note() && self.says() == Status::Nothing
    }

    /// What it says as a remark.
    pub(super) fn remark(&self) -> &Remark<'a> {
        self.remark.get_or_init(|| self.columns().remark(self.text))
    }

    /// Whether it says a kind of shipment.
    fn says_kind(&self, sense: &str) -> bool {
        self.remark().text().is_some_and(|text| text.says(Topic::Kinds, sense))
    }

    /// How far off the day is with which it ends. The number of a shipment is none.
    fn days_off(&self) -> Option<i32> {
        *self.days_off.get_or_init(|| self.days_to(self.text))
    }

    /// How far off a day is that it names anywhere: `20/11 by DTDC`.
    fn day_named(&self) -> Option<i32> {
        let parts = self.text.char_indices().filter(|(_, c)| c.is_whitespace());
        self.days_off().or_else(|| parts.rev().find_map(|(end, _)| self.days_to(&self.text[..end])))
    }

    fn days_to(&self, text: &str) -> Option<i32> {
        let rules = self.rows.rules;
        let day = day_of(text, rules).filter(|_| self.sign != StateRole::Number)?;
        rules.today().until(day).ok().map(|span| span.get_days())
    }

    fn has_come(&self) -> bool {
        self.days_off().is_some_and(|days| days <= 0)
    }

    /// Whether a day on which an order is sent was yesterday, or is today in a column that is filled as the orders go: what
    /// left last evening has no number of a shipment yet.
    fn is_day_of_leaving(&self) -> bool {
        let (today, rules) = (self.rows.rules.today(), self.rows.rules);
        let is_over = |text: &str| day_of(text, rules).is_some_and(|day| day < today);
        let days = self.columns().days(self.slot.column);
        let is_register = || days.is_some_and(|days| days.is_register(is_over));
        self.day_named().is_some_and(|off| off == YESTERDAY || (off == 0 && is_register()))
    }
}

/// Whether a cell of a stock says that there is some: pieces, or where they lie.
fn is_in_stock(text: &str) -> bool {
    let text = text.trim();
    let parts = || text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    let some = parts().next().is_some_and(|first| first.bytes().any(|byte| (b'1'..=b'9').contains(&byte)));
    let counted = some && text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(['/', ':']);
    let is_short = parts().count() <= 3 && parts().skip(1).all(|part| part.len() <= 4);
    (counted && is_said(text, "counted"))
        || (is_short && is_said(text, "place"))
        || (is_said(text, "some") && is_said(text, "all-some"))
}

/// Whether a cell says plainly that its order goes: where some do, a blank one says that it does not, or not yet.
pub(crate) fn consents(text: &str) -> bool {
    says(text) == Status::Yes || (is_said(text, "consent") && !is_said(text, "refusal"))
}

/// The day that a cell ends with, or is.
fn day_of(text: &str, rules: &ReadingSettings) -> Option<Date> {
    day_at_end(text).and_then(|(_, day)| day.near(rules.today()))
}
