//! Numbers: exact decimals from text.

use rust_decimal::Decimal;

use super::fault::Fault;
use crate::problem::Code;

/// Signs of money that may stand before an amount.
const CURRENCY_SIGNS: &[&str] = &["₹", "Rs.", "Rs", "INR", "$", "€", "£"];

/// The largest number that is believed.
const LARGEST: Decimal = Decimal::from_parts(0xD4A5_0FFF, 0xE8, 0, false, 0);

/// An amount of money, zero or more.
pub(super) fn money(text: &str, accepted: &str) -> Result<Decimal, Fault> {
    let bare = CURRENCY_SIGNS.iter().find_map(|sign| text.strip_prefix(sign)).unwrap_or(text).trim();
    let amount = decimal(bare, accepted)?;
    if amount.is_sign_negative() && !amount.is_zero() {
        return Err(Fault::new(Code::BadNumber, format!("below zero; accepted is {accepted}"), "write zero or more"));
    }
    Ok(amount)
}

/// A number above zero.
pub(super) fn positive(text: &str, accepted: &str) -> Result<Decimal, Fault> {
    let number = decimal(text, accepted)?;
    if number <= Decimal::ZERO {
        return Err(Fault::new(
            Code::NotPositive,
            format!("not above zero; accepted is {accepted}"),
            "write a number above zero",
        ));
    }
    Ok(number)
}

/// A whole number above zero.
pub(super) fn whole(text: &str, accepted: &str) -> Result<Decimal, Fault> {
    let number = positive(text, accepted)?.normalize();
    if number.scale() > 0 {
        return Err(Fault::new(
            Code::NotWhole,
            format!("not a whole number; accepted is {accepted}"),
            "write how many pieces",
        ));
    }
    Ok(number)
}

/// A rate in percent: `18`, `18%`, `12.5 %`.
pub(super) fn rate(text: &str, accepted: &str) -> Result<Decimal, Fault> {
    let number = decimal(text.strip_suffix('%').unwrap_or(text).trim(), accepted)?;
    if number < Decimal::ZERO || number > Decimal::ONE_HUNDRED {
        return Err(Fault::new(
            Code::BadNumber,
            format!("not between 0 and 100; accepted is {accepted}"),
            "write the rate in percent",
        ));
    }
    Ok(number)
}

/// Digits with at most one decimal point, and commas between groups where a point shows that they are not decimal.
fn decimal(text: &str, accepted: &str) -> Result<Decimal, Fault> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let plain = match (whole.contains(','), fraction) {
        (false, None) => digits(whole),
        (false, Some(fraction)) => digits(whole) && digits(fraction),
        (true, Some(fraction)) => grouped(whole) && digits(fraction),
        (true, None) => {
            return Err(Fault::new(
                Code::BadNumber,
                format!("a comma that may mean thousands or decimals; accepted is {accepted}"),
                "write it without the comma, or with a decimal point",
            ));
        }
    };
    let number = plain.then(|| Decimal::from_str_exact(&text.replace(',', ""))).and_then(Result::ok);
    let Some(number) = number else {
        let hint = if looks_scientific(text) {
            "a spreadsheet has shortened this number: format the column as text and type it again"
        } else {
            "write digits, with a point before the decimals"
        };
        return Err(Fault::new(Code::BadNumber, format!("not a number; accepted is {accepted}"), hint));
    };
    if number.abs() > LARGEST {
        return Err(Fault::new(Code::BadNumber, "larger than 999,999,999,999", "check the digits"));
    }
    Ok(number)
}

/// Whether commas stand where thousands or Indian lakhs have them.
fn grouped(whole: &str) -> bool {
    let groups: Vec<&str> = whole.split(',').collect();
    let [first, middle @ .., last] = groups.as_slice() else { return false };
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let western = middle.iter().all(|group| group.len() == 3) && (1..=3).contains(&first.len());
    let indian = middle.iter().all(|group| group.len() == 2) && (1..=2).contains(&first.len());
    last.len() == 3 && groups.iter().all(|group| digits(group)) && (western || indian)
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

    #[test]
    fn amounts_are_exact() {
        let cases = [
            ("499.90", "499.90"),
            ("0", "0"),
            ("₹ 1,124.00", "1124.00"),
            ("1,24,000.50", "124000.50"),
            ("Rs.10", "10"),
            ("0.1", "0.1"),
            ("999999999999", "999999999999"),
        ];
        for (text, amount) in cases {
            assert_eq!(money(text, "").unwrap().to_string(), amount, "{text}");
        }
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
            "1,124",
            "1.2.3",
            "12,34.5",
            "1 000",
            "--1",
            "٣",
            "1000000000000",
        ] {
            let fault = money(text, "").unwrap_err();
            assert_eq!(fault.code, Code::BadNumber, "{text}");
            assert!(!fault.hint.is_empty(), "{text}");
        }
        assert_eq!(money("-1", "").unwrap_err().code, Code::BadNumber);
        assert_eq!(positive("0", "").unwrap_err().code, Code::NotPositive);
        assert_eq!(whole("1.5", "").unwrap_err().code, Code::NotWhole);
        assert_eq!(whole("2.0", "").unwrap().to_string(), "2");
        assert_eq!(rate("18%", "").unwrap().to_string(), "18");
        assert_eq!(rate("118", "").unwrap_err().code, Code::BadNumber);
    }

    #[test]
    fn damage_is_recognised() {
        assert!(looks_scientific("9.19877E+11"));
        assert!(!looks_scientific("SKU-1E5"));
        assert!(!looks_scientific("E5"));
    }
}
