//! Headers of weights and sizes by their words, and the three sides of a parcel in one cell.

use rust_decimal::Decimal;

use super::header_words::Words;
use super::listed::among;
use super::table::Id;
use super::units::{length_unit, weight_unit};

/// What is measured, and what says no more than that.
const PARCEL: &str = "parcel package packaged packet pkg pack packing packed shipment shipping ship courier consignment box \
    boxes carton outer order final the of in total";

/// Which weight or size it is: that of the whole parcel, by whatever scale.
const WEIGHTS: &str =
    "dead gross actual approx appx approximate physical real true measured declared entered estimated est";

/// Words of sizes.
const SIZE: &str = "dimension dimensions dim dims size sizes measurement measurements diameter";

/// Of one piece of the goods, and not of the parcel around all of them.
const ITEM: &str = "item items product products piece pc pcs unit article sku line lineitem goods";

/// What is weighed or charged for other ends than what the parcel weighs, and what a weight is not.
const NO_PARCEL: &str = "volumetric volume vol volmetric chargeable charged charge charges billed billable billing applied \
    slab slabs weightage class category type max maximum min minimum limit rate cost price amount amt fee value date time at \
    difference diff discrepancy dispute status unit units uom image photo";

/// The weight or the side of something that a word names; a letter alone is a side only beside a size.
fn measured(word: &str, sized: bool) -> Option<Id> {
    match word {
        "weight" | "wt" | "wgt" | "wght" | "weigh" => Some(Id::Weight),
        "length" | "len" | "lngth" | "lenght" => Some(Id::Length),
        "width" | "breadth" | "wdth" | "brdth" | "bredth" => Some(Id::Width),
        "height" | "hgt" | "hight" => Some(Id::Height),
        "l" if sized => Some(Id::Length),
        "b" | "w" if sized => Some(Id::Width),
        // `Total HT` is a sum without its tax.
        "h" | "ht" if sized => Some(Id::Height),
        _ => None,
    }
}

/// What a header says of the weight or one side of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// Which field of the parcel that may be.
    pub id: Id,
    /// What it says it is of.
    pub of: MeasuredOf,
}

/// Of what a header says a weight or a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasuredOf {
    /// Of the parcel.
    Parcel,
    /// Of one piece.
    Item,
    /// Of something, in words that may mean the parcel as well.
    Unclear,
}

/// What a header says of the weight or one side of something: `Dimensions (L)`, `Item Weight`, `Net Wt`. Nothing for what is
/// charged, as in `Volumetric Weight`, and for headers of all sides at once.
#[must_use]
pub fn measured_by(header: &str) -> Option<Measured> {
    let words = Words::of(header);
    let all: Vec<&str> = words.without("").collect();
    let sized = words.has(SIZE) || words.has("box parcel package packet pkg shipment carton packing item product");
    let mut found = all.iter().enumerate().filter_map(|(place, word)| Some((place, measured(word, sized)?)));
    let Some((place, id)) = found.next() else {
        // `Grams`, `KGS`: what they weigh is not said.
        let is_unit = |word: &&str| word.len() > 1 && weight_unit(word).is_some();
        let weighs = all.iter().any(is_unit) && all.iter().all(|word| is_unit(word) || among(PARCEL, word));
        return weighs.then_some(Measured { id: Id::Weight, of: MeasuredOf::Unclear });
    };
    if found.any(|(_, other)| other != id) {
        return None;
    }
    // `Unit Weight` is that of a piece, and `Weight Unit` what weights are in.
    let of_unit = |at: usize| all[at] == "unit" && at + 1 == place;
    let rest: Vec<&str> = (0..all.len()).filter(|at| !of_unit(*at)).map(|at| all[at]).collect();
    if rest.iter().any(|word| among(NO_PARCEL, word)) {
        return None;
    }
    // `Size L` may be how many pieces of that size.
    let of_goods = all[place].len() == 1 && all.iter().all(|word| word.len() == 1 || among("size sizes", word));
    let is_plain = |word: &&str| {
        measured(word, sized).is_some()
            || if id == Id::Weight { weight_unit(word).is_some() } else { length_unit(word).is_some() }
            || among(PARCEL, word)
            || among(WEIGHTS, word)
            || (id != Id::Weight && among(SIZE, word))
    };
    let of = match rest.iter().filter(|word| !is_plain(word)).collect::<Vec<_>>() {
        _ if of_goods => MeasuredOf::Unclear,
        others if others.is_empty() && rest.len() == all.len() => MeasuredOf::Parcel,
        others if others.iter().all(|word| among(ITEM, word)) => MeasuredOf::Item,
        _ => MeasuredOf::Unclear,
    };
    Some(Measured { id, of })
}

/// The unit of a weight or a side that stands in its header, wherever that is: `Dimensions in mm - L`.
pub(super) fn unit_among(header: &str, of_weight: bool) -> Option<&'static str> {
    // `in` and single letters are words of other things.
    let unit = |word: &str| if of_weight { weight_unit(word) } else { length_unit(word) };
    let words = Words::of(header);
    let mut units = words.without("in m g").filter_map(unit);
    units.next().filter(|unit| units.all(|other| other == *unit))
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
        use MeasuredOf::{Item, Parcel, Unclear};
        let cases = [
            (
                Some((Id::Weight, Parcel)),
                "Wt|Wt. (gm)|Wt (g)|Parcel Wt (kg)|Pkg Weight (gms)|Gross Weight (g)|Wt in Kg|Total Wt|Box Weight|Approx wt|\
                 PHYSICAL WEIGHT|Shipping Weight|Packed Weight (kg)|Declared Weight|Courier Weight|Final Weight",
            ),
            (
                Some((Id::Weight, Item)),
                "Item Weight (Kg)|Product weight|Unit Weight|SKU Wt (g)|Weight of Product|Line Item Weight",
            ),
            (Some((Id::Weight, Unclear)), "Net Wt|Gms|Weight as given|Kg|Total Grams|Weight 1|Tare Weight"),
            (
                Some((Id::Length, Parcel)),
                "Dimensions (L)|Shipping Length|Box L|Package Length (cm)|Dim L (in)|LENGTH-CM|Parcel Size - Length",
            ),
            (
                Some((Id::Width, Parcel)),
                "Dimensions (B)|Shipping Breadth|Box W|Packing Width|Dim. Breadth|Breadth/Diameter",
            ),
            (Some((Id::Height, Parcel)), "Dimensions (H)|Shipping Height|Package Ht|Actual Height (mm)|Box H"),
            (Some((Id::Length, Item)), "Item Length|Product Length (cm)|Unit Length|Item L"),
            (Some((Id::Length, Unclear)), "Sleeve Length|Length 1|Size L|Carton Length no lid"),
            (
                None,
                "Volumetric Weight|Chargeable Weight|Weight Slab|Weightage|Weight Unit|Unit of Length|Total HT|Weight Charges|L|\
                 Applied Weight|LxBxH|Length x Width|Size|Dimensions|G|Kgs Rate|Order|Box No|Weight Discrepancy|",
            ),
        ];
        for (expected, headers) in cases {
            for header in headers.split('|') {
                assert_eq!(measured_by(header).map(|found| (found.id, found.of)), expected, "{header}");
            }
        }
        for (header, of_weight, unit) in [
            ("Dimensions in mm - L", false, Some("mm")),
            ("Weight (gms) of parcel", true, Some("g")),
            ("Length in box", false, None),
            ("Kg/Lbs weight", true, None),
        ] {
            assert_eq!(unit_among(header, of_weight), unit, "{header}");
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
