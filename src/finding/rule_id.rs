//! Which rule a finding falls under, by its stable word, and the page that describes the rule.

/// Declares the rules, in the order in which a sheet meets them, each with its page.
macro_rules! rules {
    ($($name:ident = $word:literal,)*) => {
        ids! {
            /// A rule, or a fault: what people look up, and what they set the level of. The words are stable.
            RuleId

            $($name = $word,)*
        }

        impl RuleId {
            /// What `templates/rules` says of it.
            #[must_use]
            pub const fn page(self) -> &'static str {
                match self { $(Self::$name => include_str!(concat!("../../templates/rules/", $word, ".md")),)* }
            }
        }
    };
}

rules! {
    ValueDamaged = "value-damaged",
    TextForm = "text-form",
    OrderNumberForm = "order-number-form",
    PlaceholderValue = "placeholder-value",
    ValueRepaired = "value-repaired",
    ImplausibleValue = "implausible-value",
    ValueForm = "value-form",
    TaxUnclear = "tax-unclear",
    CurrencyUnclear = "currency-unclear",
    CountryUnclear = "country-unclear",
    UnitUnclear = "unit-unclear",
    PinForm = "pin-form",
    EmailForm = "email-form",
    PhoneForm = "phone-form",
    PhoneDoubt = "phone-doubt",
    UnknownState = "unknown-state",
    AmbiguousDate = "ambiguous-date",
    AmbiguousNumber = "ambiguous-number",
    StateFromPin = "state-from-pin",
    PinDiffers = "pin-differs",
    PaymentUnknown = "payment-unknown",
    UnknownWarehouse = "unknown-warehouse",
    MarkedCell = "marked-cell",
    CustomerFetches = "customer-fetches",
    AddressPartLeftOut = "address-part-left-out",
    MeasureUnused = "measure-unused",
    ColumnsDiffer = "columns-differ",
    OrderState = "order-state",
    HeldBack = "held-back",
    InCouriersList = "in-couriers-list",
    OldSheet = "old-sheet",
    OtherReceiver = "other-receiver",
    FewerProducts = "fewer-products",
    SourcesDiffer = "sources-differ",
    AlreadyShipped = "already-shipped",
    CancelledNote = "cancelled-note",
    UnreadRemarks = "unread-remarks",
    PiecesCancelled = "pieces-cancelled",
    ReturnParcel = "return-parcel",
    NotConfirmed = "not-confirmed",
    ProfileHold = "profile-hold",
    LinesLost = "lines-lost",
    AmountAsProduct = "amount-as-product",
    TooManyLines = "too-many-lines",
    SingleForSeveral = "single-for-several",
    PaymentDiffers = "payment-differs",
    PaymentFromBlank = "payment-from-blank",
    TotalDiffers = "total-differs",
    DiscountUnclear = "discount-unclear",
    NothingToCollect = "nothing-to-collect",
    AmountComputed = "amount-computed",
    WorthNothing = "worth-nothing",
    PiecesLeftOut = "pieces-left-out",
    RowsDisagree = "rows-disagree",
    RowReadsOn = "row-reads-on",
    ExampleRow = "example-row",
    OrderInTwoSheets = "order-in-two-sheets",
    SameLine = "same-line",
    SplitOrder = "split-order",
    SameOrder = "same-order",
    SameShipment = "same-shipment",
    NotServiceable = "not-serviceable",
    ServiceabilityUnknown = "serviceability-unknown",
    RaggedRow = "ragged-row",
    SecondTable = "second-table",
    StruckThrough = "struck-through",
    HandedBack = "handed-back",
    MergedCells = "merged-cells",
    HiddenRow = "hidden-row",
    ColouredRow = "coloured-row",
    LayoutChanged = "layout-changed",
    WhichProfile = "which-profile",
    OtherLayout = "other-layout",
    TwoColumns = "two-columns",
    ColumnInferred = "column-inferred",
    ColumnUnused = "column-unused",
    HeaderRow = "header-row",
    ProfileChoice = "profile-choice",
    EncodingGuessed = "encoding-guessed",
    SheetNotice = "sheet-notice",
    LeftOut = "left-out",
    SummaryRow = "summary-row",
    PriceSummed = "price-summed",
    SheetTwice = "sheet-twice",
    NoOrderRows = "no-order-rows",
    CouriersNotAsked = "couriers-not-asked",
    MissingValue = "missing-value",
    NoOrderNumber = "no-order-number",
    BrokenText = "broken-text",
    UnreadableCell = "unreadable-cell",
    MissingColumn = "missing-column",
    UnreadableSheet = "unreadable-sheet",
    WarehouseRow = "warehouse-row",
    OrderKnown = "order-known",
    InDoubt = "in-doubt",
    AnswerNotSaved = "answer-not-saved",
}
