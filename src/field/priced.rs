//! Products whose price stands in the header of their column.

use crate::text::Decimal;

use super::units::money_sign;

/// A product and the price of one piece of it, as a header names them: `Mango box (₹450)`, `Caja 5 L (47,50 €)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Priced {
    /// The product.
    pub name: String,
    /// The price as the header writes it, without marks of thousands.
    pub price: String,
}

impl Priced {
    /// What a header names, if it has a price beside a name. Of a question with rows, as forms have them, the row stands in brackets
    /// behind it: `How many? [Mango box - ₹450]`.
    #[must_use]
    pub(crate) fn of(header: &str) -> Option<Self> {
        let row = header.trim().strip_suffix(']').and_then(|own| own.rsplit_once('[')).map(|(_, row)| row);
        row.and_then(Self::in_text).or_else(|| Self::in_text(header))
    }

    fn in_text(text: &str) -> Option<Self> {
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
        let mut end = text.len();
        while let Some(last) = text[..end].rfind(|c: char| c.is_ascii_digit()) {
            let start = text[..=last].trim_end_matches(is_part).len();
            let start = start + (text[start..].len() - text[start..].trim_start_matches(['.', ',']).len());
            if let Some(own) = Self::with_sign((&text[..start], &text[start..=last], &text[last + 1..])) {
                return Some(own);
            }
            end = start;
        }
        None
    }

    /// A price with its sign before or behind it, in a text around the figure.
    fn with_sign((before, figure, behind): (&str, &str, &str)) -> Option<Self> {
        let is_between =
            |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '-' | '–' | '—' | ':' | '=' | ',' | '/');
        let (before, behind) = (before.trim_end(), behind.trim_start());
        let sign = before.rsplit(is_between).next().unwrap_or_default();
        let own = sign.trim_start_matches('@');
        let is_before = !sign.is_empty() && (own.is_empty() || money_sign(own).is_some());
        let word = behind.split(|c: char| is_between(c) || matches!(c, ')' | ']')).next().unwrap_or_default();
        let is_behind = !word.is_empty() && money_sign(word).is_some();
        if behind.starts_with('%') || !(is_before || is_behind || behind.starts_with("/-")) {
            return None;
        }
        let before = if is_before { &before[..before.len() - sign.len()] } else { before };
        let behind = behind.strip_prefix(if is_behind { word } else { "" }).unwrap_or(behind).trim_start();
        // What the price is for is one piece: `₹40/kg`, `₹450 per box`.
        let behind = behind.strip_prefix("/-").unwrap_or(behind).trim_start();
        let is_unit = behind.starts_with(['/'])
            || behind.split_whitespace().next().is_some_and(|own| own.eq_ignore_ascii_case("per"));
        let behind = if is_unit { behind.find([')', ']']).map_or("", |end| &behind[end..]) } else { behind };
        let bare = |c: char| !c.is_alphanumeric() && !matches!(c, ')' | '%' | '"');
        let mut name = before.trim_end_matches(bare).to_owned();
        let rest = behind.trim_matches(|c: char| bare(c) || c == ')');
        if rest.contains(char::is_alphanumeric) {
            name.extend([" ", rest]);
        }
        let name = name.trim_start_matches(|c: char| bare(c) || c == ')').to_owned();
        let price = plain(figure)?;
        name.contains(char::is_alphabetic).then_some(Self { name, price })
    }
}

/// A price above zero without marks of thousands.
fn plain(figure: &str) -> Option<String> {
    let cents = figure.rfind(['.', ',']).filter(|at| figure.len() - at <= 3);
    let (whole, cents) = figure.split_at(cents.unwrap_or(figure.len()));
    let whole: String = whole.chars().filter(char::is_ascii_digit).collect();
    let price = whole + cents;
    (price.replace(',', ".").parse::<Decimal>().ok()? > Decimal::ZERO).then_some(price)
}
