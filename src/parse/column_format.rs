//! How a whole column writes its numbers and dates: what one cell alone cannot tell.

use crate::text::Decimal;

use super::moment::{DayOrder, triple};
use super::settings::Decimals;
use crate::field::Kind;

/// A column's habits.
#[expect(clippy::struct_excessive_bools, reason = "each is seen by itself, in columns of another kind")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ColumnFormat {
    /// Of its numbers.
    pub decimals: Decimals,
    /// Of its dates, as one of them shows it.
    pub day_order: DayOrder,
    /// The first and the second numbers of its dates that show nothing of it, each a bit.
    pub unclear_days: [u16; 2],
    /// What speaks against its being rates of tax.
    pub no_rates: NoRates,
    /// Whether a cell of it says percent.
    pub percents: bool,
    /// Whether a figure of it is money and no rate of tax: by its sign, or by its size.
    pub amounts: bool,
    /// What its types of payment are.
    pub payments: Payments,
    /// How many pieces its quantities are.
    pub pieces: Pieces,
    /// Whether a postal code of it begins with a zero, so that none was taken from the front of the others.
    pub keeps_zeros: bool,
    /// Whether letters of old addresses may stand for its countries: `D` beside `Austria`.
    pub letters: bool,
    /// The latest day of a month among the dates of the sheet itself; 0 where it has none.
    pub last_day: u8,
}

/// What the cells of a column say of payments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Payments {
    /// Nothing: all of them are blank.
    #[default]
    None,
    /// Those that are filled say cash on delivery.
    Cod,
    /// Some say something else.
    Several,
}

/// Whether a column holds figures that rates of tax do not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum NoRates {
    /// All of them may be rates.
    #[default]
    None,
    /// Some are no rate of goods and services tax anywhere.
    NotOfGst,
    /// Some are above all rates of tax.
    TooHigh,
}

/// How many quantities of a column there are, and how many of these are of many pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pieces {
    all: u32,
    many: u32,
}

impl Pieces {
    fn learn(&mut self, text: &str) {
        /// Of one product hardly anybody but a trader orders so many.
        const MANY: u32 = 20;
        let figure = text.bytes().skip_while(|byte| !byte.is_ascii_digit());
        let digits = figure.take_while(|byte| byte.is_ascii_digit() || *byte == b',').filter(u8::is_ascii_digit);
        let pieces = digits.fold(0_u32, |all, digit| all.saturating_mul(10).saturating_add((digit - b'0').into()));
        self.all += u32::from(pieces > 0);
        self.many += u32::from(pieces >= MANY);
    }

    /// Whether a quantity of many pieces is hardly like the others: of those, not one in four is of many.
    #[must_use]
    pub const fn are_few(self) -> bool {
        let (others, many) = (self.all.saturating_sub(1), self.many.saturating_sub(1));
        many == 0 || many < others.div_ceil(4)
    }
}

impl NoRates {
    /// What one figure says.
    #[must_use]
    pub fn of(rate: Decimal) -> Self {
        /// Rates of India with their halves (CGST, SGST), and those of other countries with such a tax, in hundredths.
        const GST: [i128; 24] = [
            0, 10, 13, 25, 75, 100, 150, 250, 300, 500, 600, 700, 750, 800, 900, 1000, 1200, 1300, 1400, 1500, 1800,
            2000, 2800, 4000,
        ];
        if rate > Decimal::from(40) {
            return Self::TooHigh;
        }
        let mut hundredths = rate;
        hundredths.rescale(2);
        if hundredths == rate && GST.contains(&hundredths.mantissa()) { Self::None } else { Self::NotOfGst }
    }
}

impl ColumnFormat {
    /// Whether a field of that kind has habits at all.
    pub(crate) const fn matters(kind: Kind) -> bool {
        is_number(kind) || matches!(kind, Kind::Instant | Kind::Payment | Kind::Quantity | Kind::PinCode)
    }

    /// Learns from one more text of the column. Cells that are numbers in the sheet itself show nothing.
    pub fn learn(&mut self, kind: Kind, text: &str) {
        if kind == Kind::Instant {
            let shown = DayOrder::shown_by(text);
            self.day_order = joined(self.day_order, shown, DayOrder::Mixed);
            if let Some((first @ 1..=12, second @ 1..=12, _)) = triple(text).filter(|_| shown == DayOrder::Unknown) {
                self.unclear_days[0] |= 1 << first;
                self.unclear_days[1] |= 1 << second;
            }
            return;
        }
        if is_number(kind) {
            self.decimals = joined(self.decimals, decimals_of(text), Decimals::Mixed);
        }
        self.learn_number(kind, text);
    }

    /// Learns from one more number of the column, however it came out of its file, or from a date of the sheet itself.
    pub fn learn_number(&mut self, kind: Kind, text: &str) {
        match kind {
            Kind::Payment if !text.is_empty() => {
                let is_cod = text.eq_ignore_ascii_case("cod");
                self.payments = self.payments.max(if is_cod { Payments::Cod } else { Payments::Several });
            }
            Kind::Rate => self.learn_rate(text),
            Kind::Quantity => self.pieces.learn(text),
            Kind::PinCode => self.keeps_zeros |= text.len() > 1 && text.starts_with('0'),
            // A date of the sheet itself is written with its year first.
            Kind::Instant if text.as_bytes().get(4) == Some(&b'-') => {
                self.last_day = self.last_day.max(text.get(8..10).and_then(|day| day.parse().ok()).unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Whether day or month comes first in its dates: as one of them shows it, or since all of them lie in one month. Orders of
    /// the same day in several months hardly stand in one sheet.
    #[must_use]
    pub const fn order_of_days(&self) -> DayOrder {
        const DAYS_MIN: u32 = 3;
        let [first, second] = [self.unclear_days[0].count_ones(), self.unclear_days[1].count_ones()];
        match (self.day_order, first, second) {
            (DayOrder::Unknown, DAYS_MIN.., 1) => DayOrder::DayFirst,
            (DayOrder::Unknown, 1, DAYS_MIN..) => DayOrder::MonthFirst,
            (shown, ..) => shown,
        }
    }

    fn learn_rate(&mut self, text: &str) {
        let is_percent = text.contains('%');
        self.percents |= is_percent;
        if self.no_rates == NoRates::TooHigh && self.amounts {
            return;
        }
        let figures = text.trim_matches(|c: char| !c.is_ascii_digit());
        let with_comma = || figures.replace(',', if figures.contains('.') { "" } else { "." }).parse();
        let figure = if figures.contains(',') { with_comma() } else { figures.parse::<Decimal>() };
        let Ok(figure) = figure else { return };
        let shown = NoRates::of(figure);
        let has_sign = !is_percent && text.contains(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | ' '));
        self.amounts |= has_sign || (shown != NoRates::None && figure > Decimal::ONE);
        self.no_rates = self.no_rates.max(shown);
    }

    /// Whether a column of a tax holds amounts of money: one figure shows it, unless others are in percent.
    pub(crate) const fn is_money(self) -> bool {
        self.amounts && !self.percents
    }

    /// Learns what another part of the column has shown.
    pub fn add(&mut self, shown: Self) {
        self.decimals = joined(self.decimals, shown.decimals, Decimals::Mixed);
        self.day_order = joined(self.day_order, shown.day_order, DayOrder::Mixed);
        self.unclear_days[0] |= shown.unclear_days[0];
        self.unclear_days[1] |= shown.unclear_days[1];
        self.no_rates = self.no_rates.max(shown.no_rates);
        self.payments = self.payments.max(shown.payments);
        self.last_day = self.last_day.max(shown.last_day);
        self.percents |= shown.percents;
        self.keeps_zeros |= shown.keeps_zeros;
        self.letters |= shown.letters;
        self.amounts |= shown.amounts;
        self.pieces.all += shown.pieces.all;
        self.pieces.many += shown.pieces.many;
    }
}

/// What two parts of a column show together: the same, or `mixed`; one that shows nothing leaves it to the other.
fn joined<T: Default + PartialEq>(known: T, shown: T, mixed: T) -> T {
    match () {
        () if shown == T::default() || known == shown => known,
        () if known == T::default() => shown,
        () => mixed,
    }
}

const fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Money | Kind::MoneyText | Kind::Measure | Kind::Rate)
}

/// What one text shows beyond doubt. `1,124` shows nothing, and neither does `1.124`.
fn decimals_of(text: &str) -> Decimals {
    let number = text.trim_matches(|c: char| !c.is_ascii_digit()).as_bytes();
    let is_sign = |byte: &&u8| matches!(byte, b',' | b'.');
    let Some(last) = number.iter().rposition(|byte| is_sign(&byte)) else { return Decimals::Unknown };
    let is_point = number[last] == b'.';
    let (shown, other) = if is_point { (Decimals::Point, Decimals::Comma) } else { (Decimals::Comma, Decimals::Point) };
    let mut before = number[..last].iter().filter(is_sign);
    match () {
        () if before.clone().any(|sign| *sign != number[last]) => shown,
        // Several of them stand between thousands.
        () if before.next().is_some() => other,
        () if number.len() - last != 4 || number.starts_with(b"0") => shown,
        () => Decimals::Unknown,
    }
}
