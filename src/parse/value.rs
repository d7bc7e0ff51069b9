//! One cell's value, by its field's kind.

use email_address::{EmailAddress, Options};
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::LazyLock;

use crate::field::{Field, Id, Kind, Payment, normalised, payment_and_figure, payment_type, payment_word, unit_of};
use crate::finding::{Remedy, cell};
use crate::text::{self, Decimal, Text as Short};
use crate::words::{Topic, Vocabulary};

use super::column_format::ColumnFormat;
use super::fault::{Fault, Parsed};
use super::moment::{self, Calendar, Dates};
use super::number::{self, Numeral};
use super::settings::{Decimals, ReadingSettings};
use super::{absent, country, damage, phone};

/// Text longer than this is no cell of an order sheet.
const CHARACTERS_MAX: usize = 5_000;

/// Order numbers are printed on labels and typed by hand.
const ORDER_NUMBER_CHARACTERS_MAX: usize = 200;

/// A typed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Text, code, phone, unit: whatever the request carries as it stands.
    Text(Short),
    /// An exact decimal.
    Number(Decimal),
    /// Epoch milliseconds.
    Instant(i64),
    /// Yes or no.
    Flag(bool),
}

impl Value {
    /// The number that it is.
    #[must_use]
    pub fn number(self) -> Option<Decimal> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }
}

/// How a cell's text came out of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Condition {
    /// Text, as it was written.
    #[default]
    Sound,
    /// A number or a date of the sheet itself, written the one way this program writes them.
    Native,
    /// A date of the sheet itself where no date belongs.
    Dated,
    /// A number that has lost digits.
    DigitsLost,
    /// A spreadsheet's error value, such as `#N/A`.
    ErrorValue,
    /// A formula that was saved without its value.
    NoValue,
}

impl Condition {
    /// Whether the text cannot be trusted.
    #[must_use]
    pub const fn is_fault(self) -> bool {
        !matches!(self, Self::Sound | Self::Native)
    }

    /// The fault of a cell whose text cannot be trusted.
    #[must_use]
    pub fn fault(self) -> Option<Fault> {
        let fault = match self {
            Self::Sound | Self::Native => return None,
            Self::Dated => cell::turned_into_date::by_spreadsheet(),
            Self::DigitsLost => cell::digits_lost::too_many(),
            Self::ErrorValue => cell::error_cell::formula_failed(),
            Self::NoValue => cell::formula_without_value::saved_without_value(),
        };
        Some(fault.into())
    }
}

/// What a value is read from.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// The field it is for.
    pub field: &'static Field,
    /// The trimmed text, not empty.
    pub text: &'a str,
    /// Whether the text is a number or date of the sheet itself.
    pub native: bool,
    /// Whether the sheet itself marks it as text: `="3-Apr"`.
    pub marked: bool,
    /// The country that the value belongs to, by alpha-2 code, where one is known.
    pub country: Option<&'a str>,
    /// The currency that an amount must be in, where it is known.
    pub currency: Option<&'a str>,
    /// How the column writes numbers and dates.
    pub habit: ColumnFormat,
    /// What the sheet's profile says of dates.
    pub dates: Option<&'a Dates>,
    /// Whether a means of payment is one that was used: where a profile says when its orders are paid, it is no more than
    /// a means.
    pub means_paid: bool,
}

impl<'a> Input<'a> {
    /// A text for a field, with nothing known around it.
    #[must_use]
    pub fn new(field: &'static Field, text: &'a str) -> Self {
        Self {
            field,
            text,
            native: false,
            marked: false,
            country: None,
            currency: None,
            habit: ColumnFormat::default(),
            dates: None,
            means_paid: true,
        }
    }
}

/// What a cell comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedValue {
    /// The value, of one that is doubted the likelier; nothing where a request can take none.
    pub value: Option<Value>,
    /// What a person should know of it, or why it is doubted.
    pub said: Option<Fault>,
}

impl ParsedValue {
    /// The value, unless it is doubted.
    #[must_use]
    pub fn sure(self) -> Option<Value> {
        if self.said.is_some_and(|said| said.holds()) { None } else { self.value }
    }
}

/// Whether digits are all that matters of a kind, of whatever script they are.
const fn is_of_digits(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Phone
            | Kind::PinCode
            | Kind::Money
            | Kind::MoneyText
            | Kind::Measure
            | Kind::Quantity
            | Kind::Rate
            | Kind::Instant
    )
}

/// Reads a cell. A text that is no value of its kind stands as it is written where a request can take it: a person may say
/// that it is meant.
#[must_use]
pub fn value(input: Input<'_>, rules: &ReadingSettings) -> ParsedValue {
    match read(input, rules) {
        Ok((value, said)) => ParsedValue { value: Some(value), said },
        Err(fault) => {
            // Of these a request carries something else than a text.
            use Kind::{Flag, Instant, Measure, Money, MoneyText, Quantity, Rate};
            let is_typed = matches!(input.field.kind, Instant | Flag | Money | MoneyText | Measure | Quantity | Rate);
            let written = (!is_typed).then(|| Value::Text(input.text.into()));
            ParsedValue { value: written, said: Some(fault) }
        }
    }
}

/// Whether a text is a few words or a short figure, as most are: there is nothing in it that could be damaged.
fn is_plain(text: &str) -> bool {
    /// Spreadsheets shorten longer figures.
    const FIGURE_BYTES_MAX: usize = 15;
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b',' | b'.' | b'&' | b'(' | b')');
    let is_figure = || text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.')) && text.len() <= FIGURE_BYTES_MAX;
    text.bytes().all(is_usual)
        && (text.starts_with(|c: char| c.is_ascii_alphabetic()) || is_figure() || text.contains(' '))
}

/// A text without what spreadsheets and encodings did to it, and what there is to say of that.
fn repaired<'t>(input: &Input<'t>) -> Parsed<Cow<'t, str>> {
    let field = input.field;
    if is_plain(input.text) && !absent::is_elsewhere(field, input.text) {
        return Ok((input.text.into(), None));
    }
    let (text, mut note) = damage::clean(field.kind, input.text)?;
    if let Some(fault) = mistaken(field, &text).filter(|_| !input.marked) {
        if fault.holds() {
            return Err(fault);
        }
        fault.add_to(&mut note);
    }
    let text = damage::one_line(field, text, &mut note)?;
    if text.is_empty() {
        // Nobody sees that such a cell is filled; what it should hold, nobody can say.
        return Err(cell::bad_text::invisible(field.kind.accepted()).into());
    }
    if absent::is_elsewhere(field, &text) {
        return Err(cell::no_value::elsewhere(&text).into());
    }
    damage::lost(field, &text).map_or(Ok((text, note)), Err)
}

fn read(input: Input<'_>, rules: &ReadingSettings) -> Parsed<Value> {
    let Input { field, country, currency, habit, .. } = input;
    let digits = text::ascii_digits(input.text);
    let input = if is_of_digits(field.kind) { Input { text: &digits, ..input } } else { input };
    let accepted = field.kind.accepted();
    let (text, mut note) = repaired(&input)?;
    let decimals = match habit.decimals {
        _ if input.native => Decimals::Point,
        Decimals::Unknown => rules.decimals,
        shown => shown,
    };
    let text = amount_of_word(field.id, &text);
    // Of a sheet whose decimals a person knows, no point is doubted.
    let is_known = rules.decimals == Decimals::Point && decimals == Decimals::Point;
    let numeral = Numeral { accepted, decimals, currency, native: input.native || is_known, doubts_three: false };
    let (value, doubt) = match field.kind {
        Kind::Text | Kind::NullableText => sure(plain(text, CHARACTERS_MAX)),
        Kind::OrderNumber => sure(order_number(text)),
        Kind::Instant => {
            // A spreadsheet of another country makes dates of what it can read, and leaves `25/06/2026` as text.
            let has_texts = habit.day_order != moment::DayOrder::Unknown;
            let is_swapped = input.native && has_texts && matches!(habit.last_day, 1..=12);
            let calendar = Calendar { rules, dates: input.dates, order: habit.order_of_days(), is_swapped };
            typed(moment::moment(text, calendar), Value::Instant)
        }
        Kind::Phone => typed(phone::phone(text, country), |digits| Value::Text(digits.into())),
        Kind::Email => sure(email(text)),
        Kind::CountryCode => {
            let code = country::code_in_column(text, habit.letters);
            sure(code.map(Short::from).ok_or_else(|| cell::bad_country::unknown().into()))
        }
        Kind::PinCode => {
            typed(country::pin_code(text, country, input.habit.keeps_zeros), |code| Value::Text(code.into()))
        }
        Kind::Money | Kind::MoneyText => typed(number::money(text, numeral), Value::Number),
        Kind::Measure => typed(number::positive(text, numeral), Value::Number),
        Kind::Quantity => typed(number::whole(text, numeral), Value::Number),
        Kind::Rate => typed(tax_rate(text, numeral), Value::Number),
        Kind::LengthUnit | Kind::WeightUnit => {
            sure(unit_of(field.id, text).map(Short::from).ok_or_else(|| cell::bad_unit::unknown(accepted).into()))
        }
        Kind::Flag => flag(text, accepted).map(|flag| (Value::Flag(flag), None)),
        Kind::Payment => sure(payment(text, input.means_paid, rules)),
        Kind::Currency => sure(number::currency(text)),
        Kind::Warehouse => sure(warehouse(text, rules)),
    }?;
    match doubt {
        // Beside what holds a value, nothing else of it matters.
        Some(doubt) if doubt.holds() => note = Some(doubt),
        Some(doubt) => doubt.add_to(&mut note),
        None => {}
    }
    Ok((value, note))
}

fn typed<T>(read: Parsed<T>, of: fn(T) -> Value) -> Parsed<Value> {
    read.map(|(value, doubt)| (of(value), doubt))
}

fn sure(read: Result<Short, Fault>) -> Parsed<Value> {
    read.map(|text| (Value::Text(text), None))
}

/// An address with a domain that has a dot.
fn email(text: &str) -> Result<Short, Fault> {
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (name, domain) = text.split_once('@').unwrap_or_default();
    // Most are letters and figures with single points between them.
    let is_usual = text.len() < 64 && domain.contains('.') && name.split('.').chain(domain.split('.')).all(is_part);
    let options = Options::default().with_required_tld().without_display_text().without_domain_literal();
    let is_form = is_usual || EmailAddress::parse_with_options(text, options).is_ok();
    if is_form { Ok(text.into()) } else { Err(cell::bad_email::form().into()) }
}

/// The rate of a tax in percent, beside which it may be said that the price has it in it.
fn tax_rate(text: &str, numeral: Numeral<'_>) -> Parsed<Decimal> {
    if says_on_top(text) {
        let figure = number::around_figure(text).map_or(text, |(_, figure, _)| figure);
        let rate = number::rate(figure, numeral).map(|(rate, _)| rate).unwrap_or_default();
        return Ok((rate, Some(cell::bad_number::tax_on_top().into())));
    }
    number::rate(rate_alone(text), numeral)
}

/// Whether a word in the place of a rate says that the tax is not in the price.
fn says_on_top(text: &str) -> bool {
    let is_figure = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'%' | b' '));
    let says = || Vocabulary::built_in().text(text).has(Topic::Values, "on_top");
    (!is_figure && says()) || text.starts_with('+')
}

/// A rate without the word that it is in the price: `18% incl`, `GST 18%`.
fn rate_alone(text: &str) -> &str {
    let (Some(first), Some(sign)) = (text.find(|c: char| c.is_ascii_digit()), text.rfind('%')) else { return text };
    let said = |part: &str| {
        let words = Vocabulary::built_in().text(part);
        words.is_empty() || words.is_all(Topic::Values, &["beside_rate"])
    };
    if first < sign && said(&text[..first]) && said(&text[sign + 1..]) { &text[first..=sign] } else { text }
}

/// What a word means as an amount on top or off: `Free` shipping is none, and what is taken off may have its minus.
fn amount_of_word(id: Id, text: &str) -> &str {
    let off = matches!(id, Id::Discount | Id::LineDiscount);
    let on = matches!(id, Id::ShippingCharges | Id::OtherCharges);
    let sense = match id {
        Id::TaxRate => Some("no-tax"),
        _ => (on || off).then_some("no-amount"),
    };
    let is_word = !text.starts_with(|c: char| c.is_ascii_digit());
    if sense.is_some_and(|sense| is_word && (text == "-" && (on || off) || Topic::Values.says(text, sense))) {
        return "0";
    }
    let inner = || text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let bare = if off { text.strip_prefix(['-', '−']).or_else(inner) } else { None };
    bare.map(str::trim).filter(|bare| bare.starts_with(|c: char| c.is_ascii_digit() || c == '₹')).unwrap_or(text)
}

fn plain(text: &str, characters_max: usize) -> Result<Short, Fault> {
    if text.len() > characters_max && text.chars().count() > characters_max {
        return Err(cell::too_long::text(text.chars().count(), characters_max).into());
    }
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    // Control characters are one byte below the space, or begin with 0xc2.
    let may_be = |byte: u8| !(b' '..0x7f).contains(&byte);
    if text.bytes().any(may_be) && text.contains(is_control) {
        return Err(cell::bad_text::control_characters().into());
    }
    Ok(text.into())
}

/// `1,001` may be 1001 as a spreadsheet shows it, and would be booked once more under this name.
fn order_number(text: &str) -> Result<Short, Fault> {
    let decimals = |decimals: &str| decimals.bytes().all(|byte| byte == b'0');
    let whole = text.split_once('.').filter(|(_, rest)| decimals(rest)).map_or(text, |(whole, _)| whole);
    if text.contains(',') && number::grouped(whole, ',') {
        let digits = whole.replace(',', "");
        let (without, with_hyphen) = (Remedy::edit(&digits), Remedy::edit(whole.replace(',', "-")));
        return Err(cell::ambiguous_number::order_number(&digits, without, with_hyphen).into());
    }
    plain(text, ORDER_NUMBER_CHARACTERS_MAX)
}

fn flag(text: &str, accepted: &str) -> Result<bool, Fault> {
    let says = |sense: &str| Topic::Values.says(text, sense);
    let yes = says("yes");
    if yes || says("no") { Ok(yes) } else { Err(cell::bad_flag::neither(accepted).into()) }
}

/// The spelling that the service knows, or one that the configuration accepts.
fn payment(text: &str, means_paid: bool, rules: &ReadingSettings) -> Result<Short, Fault> {
    let bare = normalised(text);
    let accepted = rules.payment_types.as_slice();
    let configured = accepted.iter().map(String::as_str).find(|accepted| normalised(accepted) == bare);
    let said = || payment_word(text).or_else(|| payment_and_figure(text).map(|(said, _)| said));
    let known = || match said()? {
        // A profile that says when orders are paid has its own words for the others.
        Payment::Cod => (means_paid || payment_type(text).is_some()).then_some("COD"),
        Payment::Prepaid => Some("PREPAID"),
        Payment::Means => means_paid.then_some("PREPAID"),
    };
    let found = configured.or_else(known);
    found.map(Short::from).ok_or_else(|| {
        let fault = match () {
            () if Topic::Payment.says(text, "how-far") => cell::bad_payment::how_far(accepted),
            () if text.contains(|c: char| c.is_ascii_digit()) => cell::bad_payment::figure(accepted),
            () if Topic::Values.says(text, "no") => cell::bad_payment::no(text, accepted),
            () => cell::bad_payment::unknown(text, accepted),
        };
        fault.into()
    })
}

/// A warehouse's id, which may stand in the sheet under the name that the configuration gives it.
fn warehouse(text: &str, rules: &ReadingSettings) -> Result<Short, Fault> {
    let known = &rules.warehouses;
    if known.is_empty() {
        return plain(text, CHARACTERS_MAX);
    }
    let bare = normalised(text);
    let by_name = known.iter().find(|(name, _)| normalised(name) == bare).map(|(_, id)| id);
    let found = by_name.or_else(|| known.values().find(|id| *id == text));
    found.map(Short::from).ok_or_else(|| {
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        let ids = known.values().map(String::as_str);
        let near = text::nearest(text, names.iter().copied().chain(ids));
        // One id is as good as another to whoever reads it: what it is called tells them apart.
        let called = near.and_then(|near| known.iter().find(|(name, id)| near == *id && near != *name));
        let called = called.map(|(name, _)| name.as_str());
        let name_it = Remedy::NameWarehouse { name: text.to_owned() };
        cell::unknown_warehouse::unnamed(text, &names, near, called, name_it).into()
    })
}

/// Dates, times and powers of ten as spreadsheets and programs write them.
static LOOKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let day = "(?:0?[1-9]|[12][0-9]|3[01])";
    let month = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
    let year = "(?:19|20)[0-9]{2}";
    let named = format!("{day}[-/]{month}(?:[-/](?:[0-9]{{2}}|{year}))?|{month}[-/][0-9]{{2}}");
    let figures = format!("{year}[-/]{day}[-/]{day}|{day}[-/]{day}[-/]{year}");
    let time = "[0-9]{1,2}(?::[0-9]{1,2}){1,2}(?:[.][0-9]*)?(?: [AP]M)?";
    let cell = format!("{named}|(?:(?:{named}|{figures})[ T])?{time}");
    let power = "[0-9]+(?<point>[.][0-9]*)?[eE][+-]?[0-9]+";
    Regex::new(&format!("^(?:(?<cell>{cell})|(?<date>{figures})|(?<power>{power}))$")).ok()
});

/// The doubt about a code or a name that is most likely not as typed.
///
/// Where the sheet itself marks a value as text (`="3-Apr"`), nothing was mistaken.
pub(super) fn mistaken(field: &Field, text: &str) -> Option<Fault> {
    let concerned = matches!(field.kind, Kind::OrderNumber | Kind::Text | Kind::NullableText) && !field.may_be_date();
    // Nearly every text ends here: such cells begin with a digit, or with a month and two digits behind a sign.
    let is_suspect = match text.as_bytes() {
        [b'0'..=b'9', ..] => true,
        [_, _, _, b'-' | b'/', _, _, rest @ ..] => matches!(rest, [] | [b' ' | b'T', ..]),
        _ => false,
    };
    if !concerned || !is_suspect || text.len() > "2026-03-05 00:00:00.000000".len() {
        return None;
    }
    let found = LOOKS.as_ref()?.captures(text)?;
    let (is_number, is_sku) = (field.id == Id::OrderNumber, field.id == Id::Sku);
    let fault = if found.name("power").is_some() {
        // `1E5` is many a code; with a point hardly anybody types one.
        match found.name("point") {
            _ if !is_number && !is_sku => return None,
            Some(_) if is_number => cell::digits_lost::number_reads_shortened(text),
            _ => cell::digits_lost::reads_shortened(),
        }
    } else if is_number || (is_sku && found.name("cell").is_some()) {
        // Dates in figures people type as well: `05-03-2026`.
        cell::turned_into_date::reads_as_date(text)
    } else {
        cell::turned_into_date::may_be_date(text)
    };
    Some(fault.into())
}
