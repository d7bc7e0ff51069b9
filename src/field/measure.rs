//! The three sides of a parcel in one cell.

use rust_decimal::Decimal;

/// Length, width and height of a cell such as `20x15x10`, `20 * 15 * 10 cm`; nothing where it says anything else.
#[must_use]
pub fn sides(text: &str) -> Option<[&str; 3]> {
    /// The longest that people write.
    const BYTES_MAX: usize = 40;
    let text = text.trim();
    if text.len() > BYTES_MAX || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let bare = text.trim_end_matches(['.', ' ']);
    let lower = bare.to_ascii_lowercase();
    let unit = ["cms", "cm", "centimetres", "centimeters"].iter().find(|unit| lower.ends_with(*unit));
    let bare = unit.map_or(bare, |unit| &bare[..bare.len() - unit.len()]);
    let crossed = bare.contains(['x', 'X', '×', '*']);
    let cut = |c: char| if crossed { matches!(c, 'x' | 'X' | '×' | '*') } else { matches!(c, ' ' | '-' | '/') };
    let parts: Vec<&str> = bare.split(cut).map(str::trim).filter(|part| !part.is_empty()).collect();
    let is_number = |part: &&str| part.parse::<Decimal>().is_ok_and(|side| side > Decimal::ZERO);
    match parts.as_slice() {
        [length, width, height] if parts.iter().all(is_number) => Some([length, width, height]),
        _ => None,
    }
}
