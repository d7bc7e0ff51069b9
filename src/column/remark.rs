//! What a cell of a column of remarks says, whatever its order is: read here for the checks, the questions and the explanations alike.

use crate::field::{Id, may_speak_of_payment, owed, payment_type};
use crate::words::{Remark, Topic};

use super::columns::Columns;

impl Columns {
    /// A cell's text as a remark.
    #[must_use]
    pub fn remark(&self, text: &str) -> Remark<'_> {
        Remark::new(self.vocabulary(), text)
    }

    /// Whether a remark says that its order is not to go, or is gone.
    pub(crate) fn stops(&self, column: u32, remark: &Remark<'_>) -> bool {
        let reading = self.get(column);
        remark.stops(reading.says("about-pickup"), reading.says("about-others"))
    }

    /// Whether a remark says that its parcel comes back from the customer.
    pub(crate) fn comes_back(&self, column: u32, remark: &Remark<'_>) -> bool {
        remark.says(Topic::Kinds, "comes-back") && !self.get(column).says("about-goods")
    }

    /// Whether a remark speaks of the payment, so that it is compared with what is sent.
    pub(crate) fn is_on_payment(&self, column: u32, text: &str, remark: &Remark<'_>) -> bool {
        // A second column of types of payment, left out for a better one.
        let is_type = || self.get(column).names(Id::OrderType);
        let says_payment =
            || payment_type(text).is_some() || owed(text).is_some() || remark.says(Topic::Payment, "unpaid");
        let speaks = || remark.text().is_some_and(may_speak_of_payment) && says_payment();
        self.means_are_paid() && self.meaning(column, text).is_none() && (is_type() || speaks())
    }

    /// Whether a column is one of remarks, or may be: in a language that nobody here has words of.
    pub(crate) fn may_hold_remarks(&self, column: u32) -> bool {
        self.get(column).says("remarks") || self.unread.contains(&column)
    }

    /// Whether nobody can tell from a remark whether its order goes: no word of it is known, and no person has answered it.
    pub(crate) fn is_unread(&self, column: u32, text: &str, remark: &Remark<'_>) -> bool {
        self.may_hold_remarks(column)
            && remark.is_unread()
            && self.meaning(column, text).is_none()
            && !self.stops(column, remark)
            && !self.comes_back(column, remark)
            && !self.is_on_payment(column, text, remark)
    }
}
