//! Numbers: exact decimals from text, and the currencies of amounts.

use std::sync::LazyLock;

use crate::field::{Id, is_digits, money_sign};
use crate::finding::{Remedy, Value, cell};
use crate::text::{Decimal, Text};
use crate::words::Topic;

use super::fault::{Fault, Parsed};
use super::settings::Decimals;

/// What reading a number needs besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Numeral<'a> {
    /// What is accepted, for people.
    pub(super) accepted: &'a str,
    /// How the column writes decimals.
    pub(super) decimals: Decimals,
    /// The currency that an amount must be in, where it is known.
    pub(super) currency: Option<&'a str>,
    /// Whether its point is a decimal point for certain: it is a number of the sheet itself, or a person has said so.
    pub(super) native: bool,
    /// Whether three decimals are more likely thousands.
    pub(super) doubts_three: bool,
}

/// An amount of money, zero or more, in the order's currency.
pub(super) fn money(text: &str, numeral: Numeral<'_>) -> Parsed<Decimal> {
    let has_three = |code: &str| matches!(code, "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "OMR" | "TND");
    let (bare, signs) = without_sign(text);
    // Whoever writes `/-` means that there are no decimals.
    let decimals = if signs.is_some_and(|(sign, _)| sign == WHOLE) { Decimals::Point } else { numeral.decimals };
    // Where there are no smaller coins a point parts thousands: `Rp 85.000`.
    let is_whole = !numeral.native
        && numeral.decimals != Decimals::Point
        && numeral.currency.is_some_and(|code| WHOLE_ONLY.contains(&code));
    // Where people write a decimal point, the comma of `1,499` parts thousands.
    let has_point = || numeral.currency.is_some_and(|code| WITH_POINT.contains(&code));
    let decimals = match decimals {
        _ if is_whole && grouped(bare, '.') => Decimals::Comma,
        Decimals::Unknown if grouped(bare, ',') && has_point() => Decimals::Point,
        known => known,
    };
    let doubts_three = !numeral.native && !is_whole && !numeral.currency.is_some_and(has_three);
    let (amount, doubt) = decimal(bare, Numeral { decimals, doubts_three, ..numeral })?;
    let clash = signs.zip(numeral.currency).filter(|((_, codes), currency)| !codes.contains(currency));
    let doubt = match clash {
        Some(((sign, _), currency)) => {
            let name_currency = Remedy::default_of(Id::CurrencyCode.field().path, None);
            Some(cell::currency_clash::other_sign(sign, currency, name_currency).into())
        }
        None if amount < Decimal::ZERO => Some(cell::bad_number::below_zero(numeral.accepted).into()),
        None => doubt,
    };
    Ok((amount, doubt))
}

/// Currencies in which nobody writes decimals, and a point parts thousands.
const WHOLE_ONLY: [&str; 4] = ["CLP", "IDR", "PYG", "VND"];

/// Currencies of smaller coins in hundredths in which everybody writes a decimal point.
const WITH_POINT: [&str; 31] = [
    "AED", "AUD", "BDT", "BWP", "CNY", "EGP", "GBP", "GHS", "HKD", "ILS", "INR", "KES", "LKR", "MUR", "MVR", "MXN",
    "MYR", "NGN", "NPR", "NZD", "PHP", "PKR", "QAR", "SAR", "SGD", "THB", "TWD", "TZS", "UGX", "USD", "ZMW",
];

/// The sign of an amount that has none but its end.
const WHOLE: &str = "/-";

type Sign<'t> = (&'t str, &'static [&'static str]);

/// An amount without its sign or code of money, which may stand before or behind it.
fn without_sign(text: &str) -> (&str, Option<Sign<'_>>) {
    /// What stands behind an amount without decimals, and the currencies that are written so.
    const ENDS: [&str; 4] = ["/- only", "/-", "/=", "/-."];
    const CURRENCIES: &[&str] = &["INR", "PKR", "LKR", "NPR", "BDT", "MUR", "KES", "TZS", "UGX"];
    if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return (text, None);
    }
    let Some((before, figure, behind)) = around_figure(text) else { return (text, None) };
    // A minus stays with the digits.
    let figure = if before.ends_with('-') { &text[before.len() - 1..before.len() + figure.len()] } else { figure };
    let (before, behind) = (before.trim_end_matches('-').trim(), behind.trim());
    // `499/-` is how amounts are written where they are in rupees or shillings.
    let after = ENDS.iter().find_map(|end| behind.strip_suffix(end)).map_or(behind, str::trim);
    if before.is_empty() && after.is_empty() && !behind.is_empty() {
        return (figure, Some((WHOLE, CURRENCIES)));
    }
    // `150/nos` is the price of one, as Tally writes it.
    let piece = after.strip_prefix('/').or_else(|| after.strip_prefix("per "));
    let of_one = piece.is_some_and(|piece| Topic::Products.lists("piece", piece.trim().trim_end_matches('.')));
    let after = if of_one { "" } else { after };
    match (money_sign(before), money_sign(after)) {
        (Some(codes), None) if after.is_empty() => (figure, Some((before, codes))),
        (None, Some(codes)) if before.is_empty() => (figure, Some((after, codes))),
        (Some(codes), Some(more)) if codes.iter().any(|code| more.contains(code)) => {
            // `$10 USD`: the narrower of the two says more.
            (figure, Some(if codes.len() <= more.len() { (before, codes) } else { (after, more) }))
        }
        (None, None) if before.is_empty() && after.is_empty() && of_one => (figure, None),
        _ => (text, None),
    }
}

/// A text's figure, from its first digit to its last, with what stands before and behind it.
pub(super) fn around_figure(text: &str) -> Option<(&str, &str, &str)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let (first, last) = (text.find(is_digit)?, text.rfind(is_digit)?);
    Some((&text[..first], &text[first..=last], &text[last + 1..]))
}

/// A number above zero.
pub(super) fn positive(text: &str, numeral: Numeral<'_>) -> Parsed<Decimal> {
    let (number, doubt) = decimal(text, numeral)?;
    let is_above = number > Decimal::ZERO;
    Ok((number.normalize(), if is_above { doubt } else { Some(cell::not_positive::number(numeral.accepted).into()) }))
}

/// A whole number above zero, perhaps beside the word for one thing of many: `2 pcs`, `1 no.`, `x3`.
pub(super) fn whole(text: &str, numeral: Numeral<'_>) -> Parsed<Decimal> {
    let is_word = |word: &str| word.is_empty() || Topic::Products.lists("piece", word);
    let trimmed = |text: &'_ str| is_word(text.trim().trim_end_matches([':', '.', ' ']));
    let bare = around_figure(text).filter(|(before, _, behind)| trimmed(before) && trimmed(behind));
    let (number, doubt) = positive(bare.map_or(text, |(_, figure, _)| figure), numeral)?;
    let is_whole = number.scale() == 0;
    let doubt = doubt.or_else(|| (!is_whole).then(|| cell::not_whole::number(numeral.accepted).into()));
    Ok((number, doubt))
}

/// A rate in percent: `18`, `18%`, `12.5 %`.
pub(super) fn rate(text: &str, numeral: Numeral<'_>) -> Parsed<Decimal> {
    let bare = text.strip_suffix('%');
    let (number, doubt) = decimal(bare.unwrap_or(text).trim(), numeral)?;
    let number = number.normalize();
    let doubt = if bare.is_none() && number > Decimal::ZERO && number < Decimal::ONE {
        let (part, percent) = (number.to_string(), (number * Decimal::ONE_HUNDRED).normalize().to_string());
        let (as_percent, as_part) = (Remedy::edit(&percent), Remedy::edit(format!("{part}%")));
        Some(cell::ambiguous_number::percent_or_part(&part, &percent, as_percent, as_part).into())
    } else if number < Decimal::ZERO || number > Decimal::ONE_HUNDRED {
        Some(cell::bad_number::no_rate(numeral.accepted).into())
    } else {
        doubt
    };
    Ok((number, doubt))
}

/// An exact decimal: the number that is meant whichever way the column separates decimals and thousands, without the rounding error
/// that programs leave behind it: `829.00000000001`.
pub(super) fn decimal(text: &str, numeral: Numeral<'_>) -> Parsed<Decimal> {
    const DECIMALS_MIN: u32 = 8;
    const DECIMALS: u32 = 4;
    let (number, doubt) = as_written(text, numeral)?;
    let meant = if number.scale() < DECIMALS_MIN { number } else { number.round_dp(DECIMALS).normalize() };
    let is_noise = meant != number && (meant - number).abs() < NOISE;
    if !is_noise {
        return Ok((number, doubt));
    }
    Ok((meant, doubt.or_else(|| Some(cell::digits_restored::noise(&meant.to_string()).into()))))
}

/// Less than this is no part of a number that anybody wrote.
const NOISE: Decimal = Decimal::from_parts(1, 0, 0, false, 7);

/// The same as it stands.
fn as_written(text: &str, numeral: Numeral<'_>) -> Parsed<Decimal> {
    if let Some(number) = simple(text, numeral) {
        return Ok((number, None));
    }
    let ungrouped = ungrouped(text);
    let text = ungrouped.as_deref().unwrap_or(text);
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let Some((plain, doubt)) = plain(unsigned, numeral) else {
        let fault = if looks_scientific(text) {
            cell::bad_number::scientific
        } else if text.ends_with(['"', '\'', '″', '′', '”', '’']) {
            cell::bad_number::in_inches
        } else {
            cell::bad_number::not_number
        };
        return Err(fault(numeral.accepted).into());
    };
    let too_large = || Fault::new(cell::bad_number::too_large());
    // Behind this gate no amount of an order, and no sum of them, comes near what a number can hold.
    let number =
        Decimal::from_str_exact(&plain).ok().filter(|number| *number <= Decimal::LARGEST).ok_or_else(too_large)?;
    Ok((if unsigned.len() < text.len() { -number } else { number }, doubt))
}

/// What most numbers are: a few digits, with a point among them where the column's comma does not make it something else.
fn simple(text: &str, numeral: Numeral<'_>) -> Option<Decimal> {
    const BYTES_MAX: usize = 12;
    let is_sure = match text.split_once('.') {
        None => is_digits(text),
        Some((_, fraction)) if numeral.decimals == Decimals::Comma || fraction.len() == 3 && numeral.doubts_three => {
            false
        }
        Some((whole, fraction)) => is_digits(whole) && is_digits(fraction),
    };
    if is_sure && text.len() <= BYTES_MAX { Decimal::from_str_exact(text).ok() } else { None }
}

/// A number without separators but the one of its decimals, a point, and what there is to doubt of that; none where it is
/// no number. Where it may be either, it is what the column shows, and else one with thousands.
fn plain(text: &str, numeral: Numeral<'_>) -> Option<(String, Option<Fault>)> {
    let joined = |whole: &str| whole.chars().filter(char::is_ascii_digit).collect::<String>();
    let (at, separator, other) = match (text.rfind(','), text.rfind('.')) {
        (None, None) => return is_digits(text).then(|| (text.to_owned(), None)),
        (Some(comma), Some(point)) if comma < point => (point, '.', Some(',')),
        (Some(comma), Some(_)) => (comma, ',', Some('.')),
        (Some(comma), None) => (comma, ',', None),
        (None, Some(point)) => (point, '.', None),
    };
    let (whole, fraction) = (&text[..at], &text[at + 1..]);
    // With both signs the last one separates the decimals.
    let is_whole = is_digits(whole) || other.is_some_and(|other| grouped(whole, other));
    // `.99` is a decimal fraction as well.
    let is_bare = whole.is_empty() && separator == '.';
    let before = if is_bare { "0".to_owned() } else { joined(whole) };
    let as_decimals = ((is_whole || is_bare) && is_digits(fraction)).then(|| format!("{before}.{fraction}"));
    if other.is_some() {
        return as_decimals.map(|number| (number, None));
    }
    let as_thousands = grouped(text, separator).then(|| joined(text));
    let shown = match (separator, numeral.decimals) {
        ('.', Decimals::Point) | (',', Decimals::Comma) => Some(true),
        ('.', Decimals::Comma) | (',', Decimals::Point) => Some(false),
        ('.', _) => (!numeral.doubts_three).then_some(true),
        _ => None,
    };
    let is_decimal = shown.unwrap_or(as_thousands.is_none()) && !whole.contains(separator);
    let (taken, otherwise) = if is_decimal { (as_decimals, as_thousands) } else { (as_thousands, as_decimals) };
    let taken = taken?;
    let is_three = numeral.doubts_three && otherwise.is_some() && shown != Some(false);
    let doubt = match separator {
        ',' if shown.is_none() && !whole.contains(',') => {
            let (one, other) = (Some(taken.as_str()), otherwise.as_deref());
            let always_point = || Remedy::setting("check", "decimals", Some(Value::Text("point".to_owned())));
            Some(match numeral.decimals {
                Decimals::Mixed => cell::ambiguous_number::comma_in_mixed_column(one, other),
                _ => cell::ambiguous_number::comma_alone(one, other, always_point()),
            })
        }
        // `1.250` is a price of 1250 more often than one of 1.25, whatever the rest of its column does.
        _ if is_three => {
            let name = if separator == ',' { "comma" } else { "point" };
            let (thousands, decimals) = (Remedy::edit(joined(text)), Remedy::edit(format!("{whole}.{fraction}0")));
            Some(cell::ambiguous_number::three_decimals(name, Some(&taken), thousands, decimals))
        }
        _ => None,
    };
    Some((taken, doubt.map(Into::into)))
}

/// A number without the spaces or apostrophes between its thousands: `1 500,00`, `1'250.00`.
fn ungrouped(text: &str) -> Option<String> {
    let separator = text.chars().find(|c| matches!(c, ' ' | '\'' | '’'))?;
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let whole = unsigned.split([',', '.']).next().unwrap_or(unsigned);
    (grouped(whole, separator) && !unsigned[whole.len()..].contains(separator)).then(|| text.replace(separator, ""))
}

/// Whether separators stand where thousands or Indian lakhs have them.
pub(super) fn grouped(whole: &str, separator: char) -> bool {
    let groups: Vec<&str> = whole.split(separator).collect();
    let [first, middle @ .., last] = groups.as_slice() else { return false };
    let western = middle.iter().all(|group| group.len() == 3) && (1..=3).contains(&first.len());
    let indian = middle.iter().all(|group| group.len() == 2) && (1..=2).contains(&first.len());
    let zero = first.starts_with('0');
    !zero && last.len() == 3 && groups.iter().all(|group| is_digits(group)) && (western || indian)
}

/// The digits of a shortened number where all are there: `9.19876543210E+11` is 919876543210, `9.19877E+11` is lost.
pub(super) fn restored(text: &str) -> Option<String> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).filter(|_| looks_scientific(text))?;
    let (whole, fraction) = mantissa.split_once('.')?;
    let places: usize = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
    // One zero less may be a digit that the spreadsheet rounded away; as many as the number has were not shortened.
    (whole.len() == 1 && fraction.len() >= places && fraction[places..].bytes().all(|digit| digit == b'0'))
        .then(|| format!("{whole}{}", &fraction[..places]))
}

/// Whether text is a number in the form `9.19877E+11`.
#[must_use]
pub fn looks_scientific(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return false };
    let exponent = exponent.trim_start_matches(['+', '-']);
    !mantissa.is_empty() && mantissa.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && is_digits(exponent)
}

/// The codes of money that is in use, in order.
static CODES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lines = include_str!("../../templates/places/currencies.txt").lines();
    lines.filter(|line| !line.starts_with('#')).flat_map(|line| line.split(' ')).collect()
});

/// A currency's code in capitals.
pub(super) fn currency(text: &str) -> Result<Text, Fault> {
    let code = text.to_ascii_uppercase();
    let is_known = CODES.binary_search(&code.as_str()).is_ok();
    if is_known { Ok(code.into()) } else { Err(cell::bad_currency::unknown(nearest(text, &code)).into()) }
}

/// The code that is most likely meant: by a sign such as `Rs`, or one slip away, the commonest first.
fn nearest(text: &str, code: &str) -> Option<&'static str> {
    const COMMON: [&str; 5] = ["INR", "USD", "EUR", "GBP", "AED"];
    let is_slip = |own: &&str| (3..=4).contains(&code.len()) && strsim::osa_distance(code, own) == 1;
    let by_sign = money_sign(text).and_then(|codes| codes.first().copied());
    by_sign.or_else(|| COMMON.into_iter().chain(CODES.iter().copied()).find(is_slip))
}
