//! Customs tariff codes, which spreadsheets take for numbers.

use super::fault::{Fault, refused};
use crate::problem::Code;

/// Why a tariff code cannot be right: they have two, four, six, eight or ten digits.
#[must_use]
pub fn tariff_fault(text: &str) -> Option<Fault> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let figures = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b' '));
    if !figures || digits.is_multiple_of(2) || digits > 10 {
        return None;
    }
    let lost = if text.contains('.') { "the zero at its end" } else { "the zero at its beginning" };
    Some(refused(
        Code::DigitsLost,
        format!("a tariff code of {digits} digits: a spreadsheet took it for a number, and {lost} is lost"),
        "format the column as text and type the code again, for instance 6204.10",
    ))
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
