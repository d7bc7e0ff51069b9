//! Customs tariff codes, which spreadsheets take for numbers.

use super::fault::Fault;
use crate::finding::cell;

/// Why a tariff code cannot be right: they have two, four, six, eight or ten digits.
#[must_use]
pub fn tariff_fault(text: &str) -> Option<Fault> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let figures = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b' '));
    if !figures || digits.is_multiple_of(2) || digits > 10 {
        return None;
    }
    let fault = if text.contains('.') {
        cell::digits_lost::tariff_ends(digits)
    } else {
        cell::digits_lost::tariff_begins(digits)
    };
    Some(fault.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::english::message;

    #[test]
    fn codes_have_their_digits_in_pairs() {
        for good in ["62", "6204", "6204.10", "620410", "6204.10.20", "0101 21 00", "HS-1", "6204.A"] {
            assert_eq!(tariff_fault(good), None, "{good}");
        }
        for (bad, lost) in [("6204.1", "end"), ("6204.10.2", "end"), ("1012100", "beginning"), ("101", "beginning")] {
            let message = tariff_fault(bad).map(|fault| message(&fault)).unwrap_or_default();
            assert!(message.contains(lost), "{bad}: {message}");
        }
    }
}
