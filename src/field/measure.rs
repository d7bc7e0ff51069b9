//! Headers of weights and sizes by their words, and the three sides of a parcel in one cell.

use rust_decimal::Decimal;

use super::listed::among;
use super::money::Words;
use super::units::{length_unit, weight_unit};

/// What is measured, and what says no more than that.
const PARCEL: &str =
    "parcel package packet pkg pack packing shipment consignment box boxes carton outer order final the of in total";

/// Which weight it is: that of the whole parcel, by whatever scale.
const WEIGHTS: &str = "dead gross actual approx appx";

/// Whether a header means the weight of the parcel: `Wt. (gm)`, `Pkg Weight`, and not `Volumetric Weight`, `Net Wt`.
pub(super) fn names_weight(header: &str) -> bool {
    let words = Words::of(header);
    let mut core = words.without(PARCEL).filter(|word| weight_unit(word).is_none() && !among(WEIGHTS, word));
    matches!(core.next(), Some("weight" | "wt" | "wgt" | "wght" | "weigh")) && core.next().is_none()
}

/// Whether a header is that of length, width and height in one cell: `LxBxH (cm)`, `Dimensions`, `Box Size`.
#[must_use]
pub fn names_size(header: &str) -> bool {
    let words = Words::of(header);
    let bare: Vec<&str> = words.without("").filter(|word| length_unit(word).is_none()).collect();
    let of_parcel = bare.iter().any(|word| among("parcel package packet pkg shipment box carton", word));
    let core = words.without(PARCEL).filter(|word| length_unit(word).is_none()).collect::<Vec<_>>().concat();
    let sides = [
        "lxbxh",
        "lxwxh",
        "lbh",
        "lwh",
        "lengthxbreadthxheight",
        "lengthxwidthxheight",
        "lengthbreadthheight",
        "lengthwidthheight",
    ];
    match core.as_str() {
        "" => of_parcel && bare.len() == 1,
        "size" | "sizes" => of_parcel,
        "dim" | "dims" => true,
        _ => {
            sides.iter().any(|sides| core.contains(sides))
                || core.starts_with("dimension")
                || core.ends_with("dimensions")
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_and_sizes_go_by_their_words() {
        for header in
            "Wt|Wt. (gm)|Wt (g)|Parcel Wt (kg)|Pkg Weight (gms)|Gross Weight (g)|Wt in Kg|Total Wt|Box Weight|Approx wt"
                .split('|')
        {
            assert!(names_weight(header), "{header}");
        }
        for header in "Volumetric Weight|Net Wt|Chargeable Weight|Unit Weight|Weight Slab|Weightage|Gms|Product weight|Weight Unit".split('|') {
            assert!(!names_weight(header), "{header}");
        }
        for header in "LxBxH|L*B*H (cm)|Dimensions|Dim|Box Size (cm)|Package Size|Parcel Dimensions (cm)|Dimension (L*W*H)|Carton Size (inch)|Box".split('|') {
            assert!(names_size(header), "{header}");
        }
        for header in "Size|Shirt Size|Length|Box No|Boxes|Packing|Order|Size Unit|Box Type".split('|') {
            assert!(!names_size(header), "{header}");
        }
        for text in
            ["20x15x10", "20 X 15 X 10 cm", "20*15*10", "20 × 15 × 10 cms.", "20-15-10", "20 15 10", "20.0x15.0x10cm"]
        {
            assert!(sides(text).is_some(), "{text}");
        }
        assert_eq!(sides("20.5x15x10 cm"), Some(["20.5", "15", "10"]));
        for text in
            ["M", "20x15", "20x15x10x5", "10\"x8\"x4\"", "20x15x10 in", "0x15x10", "2x Box", "20", "1,5x2x3", "-20x1x1"]
        {
            assert_eq!(sides(text), None, "{text}");
        }
    }
}
