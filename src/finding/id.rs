//! What kind of thing was found, by its stable word, and how much it weighs.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Said, and the order goes.
    Warn,
    /// The order, or the row, stays behind.
    Hold,
}

impl Level {
    /// `warning` or `error`, as people and scripts read it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warn => "warning",
            Self::Hold => "error",
        }
    }

    /// The level of that word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Warn, Self::Hold].into_iter().find(|level| level.as_str() == word)
    }
}

ids! {
    /// What kind of thing was found. The words are stable: scripts may rely on them.
    Id

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
    /// A file that cannot be read, beside others that can.
    UnreadableSheet = "unreadable-sheet",
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
    /// A part of the address, filled in from the PIN code.
    FromPinCode = "from-pin-code",
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
    /// A remark that nobody could read.
    UnreadRemark = "unread-remark",
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
    /// A row that has a colour, where few have.
    ColouredRow = "coloured-row",
    /// Cells that are merged over several rows.
    MergedCells = "merged-cells",
    /// A second header within the sheet, with other columns than the first.
    SecondHeader = "second-header",
    /// A row below a title in the middle of the sheet, such as `Returned today`.
    BelowTitle = "below-title",
    /// Orders in doubt that were left alone.
    InDoubt = "in-doubt",
    /// An answer that the ledger could not take.
    AnswerNotSaved = "answer-not-saved",
    /// Something about the sheet that a person should know.
    SheetNotice = "sheet-notice",
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Self::from_word(&word).ok_or_else(|| serde::de::Error::unknown_variant(&word, &[]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinct_words() {
        let mut words: Vec<&str> = Id::ALL.iter().map(|id| id.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Id::ALL.len());
        assert!(words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')));
    }
}
