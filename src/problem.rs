//! What is wrong with input: a stable code, the place, the text found, what is accepted and the way out.

use std::fmt;

use crate::origin::Place;

/// How much a problem weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Said, and the order goes.
    Warning,
    /// The order, or the row, stays behind.
    Error,
}

impl Severity {
    /// `warning` or `error`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Declares the codes with the words that scripts match on.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// What kind of problem it is. The words are stable: scripts may rely on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code there is.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The stable word, for instance `missing-value`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text,)* }
            }
        }
    };
}

codes! {
    /// A needed cell is blank.
    MissingValue = "missing-value",
    /// A needed field has no column and no default.
    MissingColumn = "missing-column",
    /// A filled row has no order number.
    MissingOrderNumber = "missing-order-number",
    /// A row of an order names no product.
    MissingProduct = "missing-product",
    /// Rows of one order disagree about it.
    OrderClash = "order-clash",
    /// The order was booked before, and this sheet says something else of it.
    ChangedAfterBooking = "changed-after-booking",
    /// The order is booked, and still wrong in this sheet.
    BookedBefore = "booked-before",
    /// The order was booked before, and cancelled since.
    CancelledBefore = "cancelled-before",
    /// One sheet was given twice.
    SheetTwice = "sheet-twice",
    /// The rows of an order stand in two sheets alike.
    RowsTwice = "rows-twice",
    /// The same products to the same person under another order number.
    SameShipment = "same-shipment",
    /// The rows of an order stand in several sheets.
    SplitOrder = "split-order",
    /// Two rows of an order say the same.
    SameLine = "same-line",
    /// Not a number, or not one that is accepted here.
    BadNumber = "bad-number",
    /// A number that must be above zero is not.
    NotPositive = "not-positive",
    /// Not a whole number.
    NotWhole = "not-whole",
    /// A number cell that has lost digits.
    DigitsLost = "digits-lost",
    /// Not a date, or one that cannot be.
    BadDate = "bad-date",
    /// A date far in the past or in the future.
    OddDate = "odd-date",
    /// Not an ISO 3166 code.
    BadCountry = "bad-country",
    /// Not a postal code of that country.
    BadPinCode = "bad-pin-code",
    /// Not a phone number of that country.
    BadPhone = "bad-phone",
    /// Not an e-mail address.
    BadEmail = "bad-email",
    /// Not an ISO 4217 code.
    BadCurrency = "bad-currency",
    /// Neither yes nor no.
    BadFlag = "bad-flag",
    /// A unit that nobody knows.
    BadUnit = "bad-unit",
    /// A value that was never seen to work, passed on as it stands.
    UnusualValue = "unusual-value",
    /// Longer than is accepted.
    TooLong = "too-long",
    /// Control characters in text.
    BadText = "bad-text",
    /// A given subtotal is not price × quantity.
    SubtotalDiffers = "subtotal-differs",
    /// More lines than one order may have.
    TooManyLines = "too-many-lines",
    /// A spreadsheet's error value, such as `#N/A`.
    ErrorCell = "error-cell",
    /// A formula that was saved without its value.
    FormulaWithoutValue = "formula-without-value",
    /// A cell that cannot be read.
    UnreadableCell = "unreadable-cell",
    /// Bytes that are not text in the sheet's encoding.
    BadEncoding = "bad-encoding",
    /// A row with more or fewer cells than the header.
    RaggedRow = "ragged-row",
    /// A quote that is never closed.
    UnclosedQuote = "unclosed-quote",
    /// Two columns with one header.
    DuplicateHeader = "duplicate-header",
    /// A column that no field takes.
    UnknownColumn = "unknown-column",
    /// An amount in another currency than the order's, or lines of one order in several.
    CurrencyClash = "currency-clash",
    /// A country's name and code that disagree.
    CountryClash = "country-clash",
    /// A unit in a header that disagrees with a unit column, a default or another header.
    UnitClash = "unit-clash",
    /// A payment type that is not accepted.
    BadPayment = "bad-payment",
    /// A row that is no order row: a footer or a description.
    RowSkipped = "row-skipped",
    /// A row that a filter of the profile leaves out.
    RowLeftOut = "row-left-out",
    /// A word that stands for nothing where a value should be.
    NoValue = "no-value",
    /// A spreadsheet's mark around a value, taken off.
    TextMark = "text-mark",
    /// What a spreadsheet took for a date.
    TurnedIntoDate = "turned-into-date",
    /// A row whose order a rule of the profile holds back.
    HeldBack = "held-back",
    /// A total of the sheet that is not what the order comes to.
    TotalDiffers = "total-differs",
    /// An order of which a part is paid already.
    PartlyPaid = "partly-paid",
    /// Order numbers that differ only by case or space.
    NumbersAlike = "numbers-alike",
    /// A date whose day and month cannot be told apart.
    AmbiguousDate = "ambiguous-date",
    /// A comma or point that may mean thousands or decimals.
    AmbiguousNumber = "ambiguous-number",
    /// A shortened number whose digits were all there, written out again.
    DigitsRestored = "digits-restored",
    /// A leading zero that the country's rule proves, written again.
    ZeroRestored = "zero-restored",
    /// A phone number that a spreadsheet took for a formula.
    PhoneFormula = "phone-formula",
    /// Characters that cannot be seen, taken out or refused.
    InvisibleCharacters = "invisible-characters",
    /// Line breaks or tabs within a value that has one line.
    LineBreaks = "line-breaks",
    /// Text that was read in a wrong encoding before it came into the sheet.
    Mojibake = "mojibake",
    /// Typographic quotes where plain ones or none belong.
    SmartQuotes = "smart-quotes",
    /// Several profiles fit a sheet.
    AmbiguousLayout = "ambiguous-layout",
    /// A sheet is nearly what its saved profile expects.
    LayoutChanged = "layout-changed",
    /// A warehouse that the configuration does not name.
    UnknownWarehouse = "unknown-warehouse",
    /// No courier goes there.
    NotServiceable = "not-serviceable",
    /// Couriers go there, but not for this type of payment.
    PaymentNotServiceable = "payment-not-serviceable",
    /// Nobody could tell whether a courier goes there.
    ServiceabilityUnknown = "serviceability-unknown",
    /// Rows that are hidden or filtered away, and read all the same.
    HiddenRows = "hidden-rows",
    /// Cells that are merged over several rows.
    MergedCells = "merged-cells",
    /// A second header within the sheet, with other columns than the first.
    SecondHeader = "second-header",
    /// A row below a title in the middle of the sheet, such as `Returned today`.
    BelowTitle = "below-title",
    /// Something about the sheet that a person should know.
    SheetNotice = "sheet-notice",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One thing that is wrong with a cell, a row or an order. Data, not an error: the rest of the sheet goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Which kind.
    pub code: Code,
    /// How much it weighs.
    pub severity: Severity,
    /// Where, if it has one place.
    pub place: Option<Place>,
    /// The order, where it is known.
    pub order: Option<String>,
    /// The field's API path, where one field is meant.
    pub field: Option<&'static str>,
    /// The text that was found, quoted as it stood.
    pub found: Option<String>,
    /// What is wrong and what is accepted: a lowercase fragment without a full stop.
    pub message: String,
    /// What to do about it; may be empty.
    pub hint: String,
}

impl Problem {
    /// A problem that keeps its order or row behind.
    #[must_use]
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            place: None,
            order: None,
            field: None,
            found: None,
            message: message.into(),
            hint: String::new(),
        }
    }

    /// A problem that is only said.
    #[must_use]
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// Adds the place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Adds the order.
    #[must_use]
    pub fn of_order(mut self, number: impl Into<String>) -> Self {
        self.order = Some(number.into());
        self
    }

    /// Adds the field's API path.
    #[must_use]
    pub fn on_field(mut self, path: &'static str) -> Self {
        self.field = Some(path);
        self
    }

    /// Adds the text that was found.
    #[must_use]
    pub fn found(mut self, text: impl Into<String>) -> Self {
        self.found = Some(text.into());
        self
    }

    /// Adds the way out.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_words() {
        let mut words: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Code::ALL.len());
        assert!(words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')));
    }
}
