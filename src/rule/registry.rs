//! Every rule: one line each, in the order in which a sheet meets them.

use super::kind::{Kind, Looks, RuleLevel, Scope};
use super::page::Page;
use crate::finding::RuleId;
use crate::text::nearest;

/// A rule, a fault, or another thing that is said, with its documentation.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Its stable word.
    pub id: RuleId,
    /// Whether it has a level, and which by default.
    pub kind: Kind,
    /// What it looks at.
    pub scope: Scope,
    /// Which cells of an order it looks at.
    pub looks: Looks,
    /// Its documentation, in Markdown.
    pub text: &'static str,
}

impl Rule {
    /// The rule of that id.
    #[must_use]
    pub fn of(id: RuleId) -> &'static Self {
        // A line for each id: `every_id_has_its_line` holds it.
        RULES.iter().find(|rule| rule.id == id).unwrap_or(&RULES[0])
    }

    /// The rule of that word.
    ///
    /// # Errors
    /// There is none; it says which is nearest.
    pub fn named(word: &str) -> Result<&'static Self, String> {
        RuleId::from_word(word).map(Self::of).ok_or_else(|| {
            let near = nearest(word, RuleId::ALL.iter().map(|id| id.as_str()));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            format!("`{word}` is no rule{near}")
        })
    }

    /// Its documentation, taken apart.
    #[must_use]
    pub fn page(&self) -> Page {
        Page::read(self.text)
    }

    /// Its title, one line.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }

    /// Whether it only doubts how a value is written, which a person who names the field by its own name has chosen. What a
    /// spreadsheet has done to a value, nobody has chosen.
    #[must_use]
    pub const fn doubts_form(&self) -> bool {
        matches!(
            self.id,
            RuleId::TooLong
                | RuleId::LineBreaks
                | RuleId::NegativeAmount
                | RuleId::NumberTooLarge
                | RuleId::NotPositive
                | RuleId::FractionalQuantity
                | RuleId::OddTaxRate
                | RuleId::TaxRateFraction
                | RuleId::RateOrAmount
                | RuleId::UnknownCurrency
                | RuleId::UnknownCountry
                | RuleId::UnknownUnit
                | RuleId::PinForm
                | RuleId::EmailForm
                | RuleId::PhoneForm
                | RuleId::PaymentUnknown
                | RuleId::UnknownWarehouse
                | RuleId::OddWeight
        )
    }

    /// The level by default; nothing where it has none.
    #[must_use]
    pub const fn default_level(&self) -> Option<RuleLevel> {
        match self.kind {
            Kind::Rule(level) => Some(level),
            Kind::Notice => Some(RuleLevel::Warn),
            Kind::Fault | Kind::Ledger => None,
        }
    }
}

/// Declares the rules: kind or default level, scope, in brackets the cells that it looks at beside its own, id, and the id's
/// word, by which its documentation is found.
macro_rules! rules {
    ($($kind:ident $scope:ident $(($looks:ident))? $id:ident $word:literal;)*) => {
        /// Every rule, in the order in which a sheet meets them.
        pub static RULES: &[Rule] = &[$(Rule {
            id: {
                const { assert!(is_same($word, RuleId::$id.as_str()), "the word is not that of the id") };
                RuleId::$id
            },
            kind: rules!(@ $kind),
            scope: Scope::$scope,
            looks: rules!(@ looks $scope $($looks)?),
            text: include_str!(concat!("../../templates/rules/", $word, ".md")),
        },)*];
    };
    (@ hold) => { Kind::Rule(RuleLevel::Hold) };
    (@ warn) => { Kind::Rule(RuleLevel::Warn) };
    (@ notice) => { Kind::Notice };
    (@ fault) => { Kind::Fault };
    (@ ledger) => { Kind::Ledger };
    (@ looks Row) => { Looks::Row };
    (@ looks $scope:ident) => { Looks::Cell };
    (@ looks $scope:ident $looks:ident) => { Looks::$looks };
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

rules! {
    hold Cell DateInCode "date-in-code";
    hold Cell DigitsLost "digits-lost";
    hold Cell TariffDigits "tariff-digits";
    hold Cell ControlCharacters "control-characters";
    hold Cell OrderNumberForm "order-number-form";
    hold Cell PointsElsewhere "points-elsewhere";
    hold Cell PlaceholderValue "placeholder-value";
    hold Cell TooLong "too-long";
    hold Cell LettersLost "letters-lost";
    hold Cell LineBreaks "line-breaks";
    warn Cell ValueRepaired "value-repaired";
    hold Cell NegativeAmount "negative-amount";
    hold Cell NumberTooLarge "number-too-large";
    hold Cell NotPositive "not-positive";
    hold Cell FractionalQuantity "fractional-quantity";
    hold Cell OddTaxRate "odd-tax-rate";
    hold Cell TaxRateFraction "tax-rate-fraction";
    hold Cell RateOrAmount "rate-or-amount";
    hold Cell UnknownCurrency "unknown-currency";
    hold Cell OtherCurrency "other-currency";
    hold Cell TaxOnTop "tax-on-top";
    hold Cell UnknownCountry "unknown-country";
    hold Cell UnknownUnit "unknown-unit";
    hold Cell UnitDiffers "unit-differs";
    hold Cell CountryWithoutCode "country-without-code";
    hold Cell PinForm "pin-form";
    hold Cell EmailForm "email-form";
    hold Cell PhoneForm "phone-form";
    warn Cell PhoneDoubt "phone-doubt";
    warn Cell UnknownState "unknown-state";
    hold Cell OddDate "odd-date";
    warn Order (Address) StateFromPin "state-from-pin";
    hold Order (Address) PinState "pin-state";
    hold Cell PaymentUnknown "payment-unknown";
    hold Cell UnknownWarehouse "unknown-warehouse";
    hold Cell MarkedCell "marked-cell";
    hold Order CustomerFetches "customer-fetches";
    hold Order (Address) PinInAddress "pin-in-address";
    hold Order (Address) CountryDiffers "country-differs";
    hold Order AddressMore "address-more";
    hold Order UnitOrPieces "unit-or-pieces";
    hold Order (Address) TwoReceivers "two-receivers";
    warn Order AddressPartLeftOut "address-part-left-out";
    hold Order (Parcel) OddWeight "odd-weight";
    hold Order (Parcel) MeasureOfPiece "measure-of-piece";
    hold Order (Parcel) MeasureUnused "measure-unused";
    hold Order (Order) ColumnsDiffer "columns-differ";
    hold Order OrderState "order-state";
    hold Order AlreadyShipped "already-shipped";
    hold Order CancelledNote "cancelled-note";
    warn Order UnreadRemarks "unread-remarks";
    hold Order PiecesCancelled "pieces-cancelled";
    hold Order ReturnParcel "return-parcel";
    hold Order NotConfirmed "not-confirmed";
    hold Order ProfileHold "profile-hold";
    hold Order LinesLost "lines-lost";
    hold Order (Lines) AmountAsProduct "amount-as-product";
    hold Order (Lines) TooManyLines "too-many-lines";
    hold Order (Order) SingleForSeveral "single-for-several";
    hold Order (Amounts) PaymentState "payment-state";
    hold Order (Amounts) PaymentNote "payment-note";
    hold Order (Amounts) PaymentReceipt "payment-receipt";
    hold Order (Amounts) PrepaidWithDue "prepaid-with-due";
    hold Order (Amounts) PartlyPaid "partly-paid";
    warn Order (Amounts) PaymentFromBlank "payment-from-blank";
    hold Order (Amounts) TotalDiffers "total-differs";
    hold Order (Amounts) TotalUnreadable "total-unreadable";
    hold Order (Amounts) SubtotalDiffers "subtotal-differs";
    hold Order (Amounts) AmountBeside "amount-beside";
    hold Order (Amounts) DiscountUnclear "discount-unclear";
    hold Order (Amounts) DiscountAboveTotal "discount-above-total";
    hold Order (Amounts) TaxMissing "tax-missing";
    hold Order (Amounts) NothingToCollect "nothing-to-collect";
    hold Order (Amounts) CurrencyDiffers "currency-differs";
    warn Order (Amounts) AmountComputed "amount-computed";
    warn Order (Amounts) WorthNothing "worth-nothing";
    warn Order (Amounts) PiecesLeftOut "pieces-left-out";
    hold Order RowsDisagree "rows-disagree";
    hold Order (Order) RowReadsOn "row-reads-on";
    hold Order (Lines) OrderInTwoSheets "order-in-two-sheets";
    hold Order (Lines) RowPasted "row-pasted";
    hold Order (Lines) ExampleRow "example-row";
    hold Order NumberRespelled "number-respelled";
    hold Order (Lines) SameLine "same-line";
    warn Order NumberAlike "number-alike";
    warn Order (Order) SplitOrder "split-order";
    warn Order SameShipment "same-shipment";
    hold Run NotServiceable "not-serviceable";
    hold Run ServiceabilityUnknown "serviceability-unknown";
    hold Row RowTooWide "row-too-wide";
    hold Row SecondTable "second-table";
    hold Row BelowTitle "below-title";
    hold Row StruckThrough "struck-through";
    hold Row HandedBack "handed-back";
    hold Row MergedCells "merged-cells";
    hold Row RowCutShort "row-cut-short";
    hold Row HiddenRow "hidden-row";
    hold Row ColouredRow "coloured-row";
    hold Sheet ProfileColumnGone "profile-column-gone";
    hold Sheet LayoutChanged "layout-changed";
    hold Sheet ColumnDrifted "column-drifted";
    hold Sheet WhichProfile "which-profile";
    hold Sheet OtherLayout "other-layout";
    hold Sheet TwoColumns "two-columns";
    hold Sheet AddressLineLost "address-line-lost";
    warn Sheet ColumnInferred "column-inferred";
    warn Sheet SecondColumn "second-column";
    warn Sheet ColumnUnused "column-unused";
    warn Sheet NamelessColumn "nameless-column";
    warn Sheet HeaderRow "header-row";
    warn Sheet ProfileChoice "profile-choice";
    warn Sheet EncodingGuessed "encoding-guessed";
    warn Sheet SheetNotice "sheet-notice";
    notice Row LeftOut "left-out";
    notice Row SummaryRow "summary-row";
    notice Sheet TaxAmounts "tax-amounts";
    notice Sheet SheetTwice "sheet-twice";
    notice Sheet NoOrderRows "no-order-rows";
    notice Run CouriersNotAsked "couriers-not-asked";
    fault Cell ErrorCell "error-cell";
    fault Cell FormulaWithoutValue "formula-without-value";
    fault Cell MissingValue "missing-value";
    fault Cell NotANumber "not-a-number";
    fault Cell AmbiguousNumber "ambiguous-number";
    fault Cell NotYesOrNo "not-yes-or-no";
    fault Cell NotADate "not-a-date";
    fault Cell AmbiguousDate "ambiguous-date";
    fault Order NoProduct "no-product";
    fault Row NoOrderNumber "no-order-number";
    fault Row RowInOneCell "row-in-one-cell";
    fault Row UnreadableCell "unreadable-cell";
    fault Row UndecodableText "undecodable-text";
    fault Row UnclosedQuote "unclosed-quote";
    fault Sheet MissingColumn "missing-column";
    fault Sheet UnreadableSheet "unreadable-sheet";
    fault Sheet WarehouseRow "warehouse-row";
    ledger Order OrderKnown "order-known";
    ledger Run InDoubt "in-doubt";
    ledger Run AnswerNotSaved "answer-not-saved";
}
