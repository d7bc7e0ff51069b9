//! Numbers: exact decimals from text.

use rust_decimal::Decimal;

use super::fault::Fault;
use super::habit::Decimals;
use crate::field::{Id, money_sign};
use crate::finding::{Remedy, Value, cell};
use crate::words::{Topic, Vocabulary};

/// The largest number that is believed.
const LARGEST: Decimal = Decimal::from_parts(0xD4A5_0FFF, 0xE8, 0, false, 0);

/// What reading a number needs besides its text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Numeral<'a> {
    /// What is accepted, for people.
    pub(super) accepted: &'a str,
    /// How the column writes decimals.
    pub(super) decimals: Decimals,
    /// The currency that an amount must be in, where it is known.
    pub(super) currency: Option<&'a str>,
    /// Whether it is a number of the sheet itself, whose point is a decimal point.
    pub(super) native: bool,
}

/// An amount of money, zero or more, in the order's currency.
pub(super) fn money(text: &str, numeral: Numeral<'_>) -> Result<Decimal, Fault> {
    let (bare, signs) = without_sign(text);
    if let (Some((sign, codes)), Some(currency)) = (signs, numeral.currency)
        && !codes.contains(&currency)
    {
        let name_currency = Remedy::default_of(Id::CurrencyCode.field().path, None);
        return Err(cell::currency_clash::other_sign(sign, currency, name_currency).into());
    }
    // Whoever writes `/-` means that there are no decimals.
    let is_whole = signs.is_some_and(|(sign, _)| sign == WHOLE);
    let numeral = if is_whole { Numeral { decimals: Decimals::Point, ..numeral } } else { numeral };
    let ungrouped = ungrouped(bare);
    let bare = ungrouped.as_deref().unwrap_or(bare);
    refuse_three_decimals(bare, numeral)?;
    let amount = decimal(bare, numeral)?;
    if amount.is_sign_negative() && !amount.is_zero() {
        return Err(cell::bad_number::below_zero(numeral.accepted).into());
    }
    Ok(amount)
}

/// The sign of an amount that has none but its end.
const WHOLE: &str = "/-";

/// What stands behind an amount without decimals.
const RUPEES: [&str; 4] = ["/- only", "/-", "/=", "/-."];

/// The currencies that are written so.
const IN_RUPEES: &[&str] = &["INR", "PKR", "LKR", "NPR", "BDT", "MUR", "KES", "TZS", "UGX"];

/// Currencies with three decimals.
const THREE_DECIMALS: &[&str] = &["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// `1.250` is a price of 1250 more often than one of 1.25, whatever the rest of its column does: nobody guesses.
fn refuse_three_decimals(text: &str, numeral: Numeral<'_>) -> Result<(), Fault> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (separator, name) = match numeral.decimals {
        _ if numeral.native || numeral.currency.is_some_and(|code| THREE_DECIMALS.contains(&code)) => return Ok(()),
        Decimals::Comma => (',', "comma"),
        _ => ('.', "point"),
    };
    let is_suspect = unsigned.rfind(separator).is_some_and(|at| unsigned.len() - at == 4);
    if !is_suspect || unsigned.matches(separator).count() != 1 || !grouped(unsigned, separator) {
        return Ok(());
    }
    let whole: String = unsigned.chars().filter(char::is_ascii_digit).collect();
    let (before, after) = unsigned.split_once(separator).unwrap_or((unsigned, ""));
    let as_decimals = Remedy::edit(format!("{before}.{after}0"));
    Err(cell::ambiguous_number::three_decimals(name, Remedy::edit(whole), as_decimals).into())
}

type Sign<'t> = (&'t str, &'static [&'static str]);

/// An amount without its sign or code of money, which may stand before or behind it.
fn without_sign(text: &str) -> (&str, Option<Sign<'_>>) {
    if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return (text, None);
    }
    let is_figure = |c: char| c.is_ascii_digit();
    let (Some(first), Some(last)) = (text.find(is_figure), text.rfind(is_figure)) else { return (text, None) };
    let (before, after) = (text[..first].trim_end_matches('-').trim(), text[last + 1..].trim());
    // `499/-` is how amounts are written where they are in rupees or shillings.
    let after = RUPEES.iter().find_map(|end| after.strip_suffix(end)).map_or(after, str::trim);
    if before.is_empty() && after.is_empty() && text[last + 1..].trim() != "" {
        let first = if text[..first].ends_with('-') { first - 1 } else { first };
        return (&text[first..=last], Some((WHOLE, IN_RUPEES)));
    }
    // A minus stays with the digits.
    let first = if text[..first].ends_with('-') { first - 1 } else { first };
    // `150/nos` is the price of one, as Tally writes it.
    let piece = after.strip_prefix('/').or_else(|| after.strip_prefix("per "));
    let of_one = piece.is_some_and(|piece| is_piece(piece.trim().trim_end_matches('.')));
    let after = if of_one { "" } else { after };
    match (money_sign(before), money_sign(after)) {
        (Some(codes), None) if after.is_empty() || after == "/-" => (&text[first..=last], Some((before, codes))),
        (None, Some(codes)) if before.is_empty() => (&text[first..=last], Some((after, codes))),
        (Some(codes), Some(more)) if codes.iter().any(|code| more.contains(code)) => {
            // `$10 USD`: the narrower of the two says more.
            let narrow = if codes.len() <= more.len() { (before, codes) } else { (after, more) };
            (&text[first..=last], Some(narrow))
        }
        (None, None) if before.is_empty() && after.is_empty() && of_one => (&text[first..=last], None),
        _ => (text, None),
    }
}

/// A number above zero.
pub(super) fn positive(text: &str, numeral: Numeral<'_>) -> Result<Decimal, Fault> {
    let number = decimal(text, numeral)?;
    if number <= Decimal::ZERO {
        return Err(cell::not_positive::number(numeral.accepted).into());
    }
    Ok(number)
}

/// A whole number above zero.
pub(super) fn whole(text: &str, numeral: Numeral<'_>) -> Result<Decimal, Fault> {
    let number = positive(without_pieces(text), numeral)?.normalize();
    if number.scale() > 0 {
        return Err(cell::not_whole::number(numeral.accepted).into());
    }
    Ok(number)
}

/// A quantity without the word for one thing of many: `2 pcs`, `1 no.`, `x3`.
fn without_pieces(text: &str) -> &str {
    let is_word = |word: &str| word.is_empty() || is_piece(word);
    let is_figure = |c: char| c.is_ascii_digit();
    let (Some(first), Some(last)) = (text.find(is_figure), text.rfind(is_figure)) else { return text };
    let (before, after) = (text[..first].trim(), text[last + 1..].trim());
    let before = before.trim_end_matches([':', '.', ' ']);
    let after = after.trim_end_matches(['.', ' ']);
    if is_word(before) && is_word(after) { &text[first..=last] } else { text }
}

/// Whether a word is one for one thing of many.
fn is_piece(word: &str) -> bool {
    Vocabulary::built_in().lists(Topic::Products, "piece", word)
}

/// A rate in percent: `18`, `18%`, `12.5 %`.
pub(super) fn rate(text: &str, numeral: Numeral<'_>) -> Result<Decimal, Fault> {
    let bare = text.strip_suffix('%');
    let number = decimal(bare.unwrap_or(text).trim(), numeral)?;
    if bare.is_none() && number > Decimal::ZERO && number < Decimal::ONE {
        let percent = (number * Decimal::ONE_HUNDRED).normalize();
        let (number, percent) = (number.to_string(), percent.to_string());
        let (as_percent, as_part) = (Remedy::edit(&percent), Remedy::edit(format!("{number}%")));
        return Err(cell::ambiguous_number::percent_or_part(&number, &percent, as_percent, as_part).into());
    }
    if number < Decimal::ZERO || number > Decimal::ONE_HUNDRED {
        return Err(cell::bad_number::no_rate(numeral.accepted).into());
    }
    Ok(number)
}

/// An exact decimal: the number that is meant whichever way the column separates decimals and thousands.
pub(super) fn decimal(text: &str, numeral: Numeral<'_>) -> Result<Decimal, Fault> {
    if let Some(number) = simple(text, numeral.decimals) {
        return Ok(number);
    }
    let ungrouped = ungrouped(text);
    let text = ungrouped.as_deref().unwrap_or(text);
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let Some((whole, fraction)) = parts(unsigned, numeral.decimals)? else {
        let fault = if looks_scientific(text) {
            cell::bad_number::scientific
        } else if text.ends_with(['"', '\'', '″', '′', '”', '’']) {
            cell::bad_number::in_inches
        } else {
            cell::bad_number::not_number
        };
        return Err(fault(numeral.accepted).into());
    };
    let mut plain = String::with_capacity(text.len() + 1);
    plain.push_str(if unsigned.len() < text.len() { "-" } else { "" });
    plain.extend(whole.chars().filter(char::is_ascii_digit));
    if !fraction.is_empty() {
        plain.push('.');
        plain.push_str(fraction);
    }
    let too_large = || Fault::new(cell::bad_number::too_large());
    let number = Decimal::from_str_exact(&plain).map_err(|_| too_large())?;
    if number.abs() > LARGEST { Err(too_large()) } else { Ok(number) }
}

/// What most numbers are: a few digits, with a point among them where the column's comma does not make it something else.
fn simple(text: &str, decimals: Decimals) -> Option<Decimal> {
    const DIGITS_MAX: usize = 12;
    let (mut number, mut point) = (0_i64, None);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => number = number * 10 + i64::from(byte - b'0'),
            b'.' if point.is_none() && decimals != Decimals::Comma => point = Some(at),
            _ => return None,
        }
        if at >= DIGITS_MAX {
            return None;
        }
    }
    let scale = match point {
        Some(at) if at > 0 && at + 1 < text.len() => text.len() - at - 1,
        None if !text.is_empty() => 0,
        _ => return None,
    };
    Some(Decimal::new(number, u32::try_from(scale).ok()?))
}

/// The digits before and after the decimal separator; none where it is no number.
fn parts(text: &str, decimals: Decimals) -> Result<Option<(&str, &str)>, Fault> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let split = |at: usize| (&text[..at], &text[at + 1..]);
    let (comma, point) = (text.rfind(','), text.rfind('.'));
    let (whole, fraction, separator) = match (comma, point) {
        (None, None) => return Ok(digits(text).then_some((text, ""))),
        // Both: the last one separates the decimals.
        (Some(comma), Some(point)) if comma < point => (split(point).0, split(point).1, ','),
        (Some(comma), Some(_)) => (split(comma).0, split(comma).1, '.'),
        (None, Some(_)) if decimals == Decimals::Comma => return Ok(grouped(text, '.').then_some((text, ""))),
        (None, Some(point)) => {
            let (whole, fraction) = split(point);
            return Ok((digits(whole) && digits(fraction)).then_some((whole, fraction)));
        }
        (Some(_), None) if grouped(text, ',') && text.matches(',').count() > 1 => return Ok(Some((text, ""))),
        (Some(comma), None) => {
            let (whole, fraction) = split(comma);
            if !(digits(whole) && digits(fraction)) {
                return Ok(None);
            }
            return match decimals {
                Decimals::Comma => Ok(Some((whole, fraction))),
                Decimals::Point => Ok(grouped(text, ',').then_some((text, ""))),
                Decimals::Unknown | Decimals::Mixed => Err(ambiguous(decimals)),
            };
        }
    };
    Ok(((digits(whole) || grouped(whole, separator)) && digits(fraction)).then_some((whole, fraction)))
}

fn ambiguous(decimals: Decimals) -> Fault {
    let fault = if decimals == Decimals::Mixed {
        cell::ambiguous_number::comma_in_mixed_column()
    } else {
        let always_point = Remedy::setting("check", "decimals", Some(Value::Text("point".to_owned())));
        cell::ambiguous_number::comma_alone(always_point)
    };
    fault.into()
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
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let western = middle.iter().all(|group| group.len() == 3) && (1..=3).contains(&first.len());
    let indian = middle.iter().all(|group| group.len() == 2) && (1..=2).contains(&first.len());
    let zero = first.starts_with('0');
    !zero && last.len() == 3 && groups.iter().all(|group| digits(group)) && (western || indian)
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
pub(super) fn looks_scientific(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return false };
    let exponent = exponent.trim_start_matches(['+', '-']);
    !mantissa.is_empty()
        && mantissa.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && !exponent.is_empty()
        && exponent.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding;
    use crate::finding::english::{message, plain_advice};

    fn inr(text: &str) -> Result<Decimal, Fault> {
        money(text, Numeral { currency: Some("INR"), ..Numeral::default() })
    }

    fn by(decimals: Decimals, text: &str) -> Result<String, finding::Id> {
        let numeral = Numeral { decimals, ..Numeral::default() };
        money(text, numeral).map(|amount| amount.to_string()).map_err(|fault| fault.id)
    }

    #[test]
    fn amounts_are_exact() {
        let cases = [
            ("499.90", "499.90"),
            ("0", "0"),
            ("₹ 1,124.00", "1124.00"),
            ("1,24,000.50", "124000.50"),
            ("1,24,000", "124000"),
            ("Rs.10", "10"),
            ("Rs. 1,500/-", "1500"),
            ("INR 20", "20"),
            ("20 inr", "20"),
            ("1.124,00", "1124.00"),
            ("0.1", "0.1"),
            ("999999999999", "999999999999"),
        ];
        for (text, amount) in cases {
            let found = if text.contains("/-") {
                money(text, Numeral { decimals: Decimals::Point, ..Numeral::default() })
            } else {
                inr(text)
            };
            assert_eq!(found.unwrap().to_string(), amount, "{text}");
        }
    }

    #[test]
    fn amounts_and_pieces_as_they_are_said() {
        let plain = Numeral { decimals: Decimals::Point, currency: Some("INR"), ..Numeral::default() };
        for (text, amount) in [("499/-", "499"), ("499 /-", "499"), ("1,499/- only", "1499"), ("499/=", "499")] {
            assert_eq!(money(text, plain).unwrap().to_string(), amount, "{text}");
        }
        for (text, amount) in
            [("150/nos", "150"), ("150.50 / pc.", "150.50"), ("₹150/pcs", "150"), ("150 per piece", "150")]
        {
            assert_eq!(money(text, plain).unwrap().to_string(), amount, "{text}");
        }
        assert_eq!(inr("1,499/-").unwrap().to_string(), "1499");
        for text in ["-499/-", "499/", "499/-x", "150/2", "150/kg", "150/dozen", "150/x/2"] {
            assert_eq!(money(text, plain).unwrap_err().id, finding::Id::BadNumber, "{text}");
        }
        let dollars = Numeral { currency: Some("USD"), ..plain };
        assert_eq!(money("499/-", dollars).unwrap_err().id, finding::Id::CurrencyClash);
        for text in ["2 pcs", "2pc", "2 Nos.", "No. 2", "x2", "2 x", "2 units", "Qty: 2", "2 sets"] {
            assert_eq!(whole(text, plain).unwrap().to_string(), "2", "{text}");
        }
        for text in ["2 dozen", "2 kg", "2 x 3", "-2 pcs", "pcs", "2 pcs of 4", "half 2"] {
            assert!(whole(text, plain).is_err(), "{text}");
        }
    }

    #[test]
    fn another_currency_is_never_dropped() {
        for text in ["$10", "10 €", "£5.50", "USD 10", "10 usd", "US$ 3", "$10 USD"] {
            let fault = inr(text).unwrap_err();
            assert_eq!(fault.id, finding::Id::CurrencyClash, "{text}");
            assert!(message(&fault).contains("INR"), "{}", message(&fault));
        }
        let dollars = |text: &str| money(text, Numeral { currency: Some("USD"), ..Numeral::default() });
        assert_eq!(dollars("$22.99").unwrap().to_string(), "22.99");
        assert_eq!(dollars("$22.99 USD").unwrap().to_string(), "22.99");
        assert_eq!(dollars("₹22.99").unwrap_err().id, finding::Id::CurrencyClash);
        assert_eq!(inr("10 pcs").unwrap_err().id, finding::Id::BadNumber);
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for text in [
            "",
            "abc",
            "1_000",
            "+5",
            "5.",
            ".5",
            "1e3",
            "1.2.3",
            "12,34.5",
            "1 00",
            "1 000 5",
            "1'00'0",
            "1 000,5 0",
            "--1",
            "٣",
            "1000000000000",
            "0,124.00",
        ] {
            let fault = inr(text).unwrap_err();
            assert_eq!(fault.id, finding::Id::BadNumber, "{text}");
            assert!(!plain_advice(&fault).is_empty(), "{text}");
        }
        let any = Numeral::default();
        assert_eq!(inr("-1").unwrap_err().id, finding::Id::BadNumber);
        assert_eq!(positive("0", any).unwrap_err().id, finding::Id::NotPositive);
        assert_eq!(whole("1.5", any).unwrap_err().id, finding::Id::NotWhole);
        assert_eq!(whole("2.0", any).unwrap().to_string(), "2");
        assert_eq!(rate("18%", any).unwrap().to_string(), "18");
        assert_eq!(rate("118", any).unwrap_err().id, finding::Id::BadNumber);
    }

    #[test]
    fn the_column_decides_between_thousands_and_decimals() {
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(by(Decimals::Unknown, "1,124"), Err(finding::Id::AmbiguousNumber));
        assert_eq!(by(Decimals::Mixed, "12,5"), Err(finding::Id::AmbiguousNumber));
        assert_eq!(by(Decimals::Point, "1,124"), ok("1124"));
        assert_eq!(by(Decimals::Point, "12,5"), Err(finding::Id::BadNumber));
        assert_eq!(by(Decimals::Comma, "1,124"), Err(finding::Id::AmbiguousNumber));
        assert_eq!(by(Decimals::Comma, "1,1240"), ok("1.1240"));
        assert_eq!(by(Decimals::Comma, "1.124"), ok("1124"));
        assert_eq!(by(Decimals::Comma, "12.5"), Err(finding::Id::BadNumber));
        for decimals in [Decimals::Unknown, Decimals::Point, Decimals::Mixed] {
            assert_eq!(by(decimals, "1.124"), Err(finding::Id::AmbiguousNumber), "{decimals:?}");
            assert_eq!(by(decimals, "0.124"), ok("0.124"), "{decimals:?}");
            assert_eq!(by(decimals, "1.1240"), ok("1.1240"), "{decimals:?}");
        }
        let native = Numeral { native: true, decimals: Decimals::Point, ..Numeral::default() };
        assert_eq!(money("1.124", native).unwrap().to_string(), "1.124");
        let dinar = Numeral { currency: Some("KWD"), ..Numeral::default() };
        assert_eq!(money("1.124", dinar).unwrap().to_string(), "1.124");
    }

    #[test]
    fn damage_is_recognised() {
        assert!(looks_scientific("9.19877E+11"));
        assert!(!looks_scientific("SKU-1E5"));
        assert!(!looks_scientific("E5"));
        assert_eq!(restored("9.19876543210E+11").as_deref(), Some("919876543210"));
        assert_eq!(restored("9.876543210E+9").as_deref(), Some("9876543210"));
        for lost in ["9.19877E+11", "9E+11", "9.19876543210E+12", "1.5E-3", "98765"] {
            assert_eq!(restored(lost), None, "{lost}");
        }
    }
}
