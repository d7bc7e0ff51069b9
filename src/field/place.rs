//! Parts of a receiver's address that stand in columns of their own, by their headers.

use std::borrow::Cow;

use super::header_words::Words;
use super::listed::{among, has_word, words};

/// Parts of an address in the order in which they are written; those below [`AFTER_LINES`] stand before its first line.
/// A place with a label is even: the next one is that of a header that names several parts.
const PARTS: &[(u8, &[&str])] = &[
    (10, &["flat", "flatno", "flatnumber"]),
    (12, &["apartment", "apartmentno", "apartmentnumber", "apt", "aptno"]),
    (14, &["suite", "suiteno"]),
    (16, &["room", "roomno"]),
    (18, &["shopno", "shopnumber"]),
    (20, &["officeno", "officenumber"]),
    (UNIT, &["unit", "unitno", "unitnumber"]),
    (24, &["doorno", "doornumber"]),
    (26, &["floor", "floorno", "floornumber"]),
    (30, &["wing"]),
    (32, &["tower", "towerno"]),
    (34, &["block", "blockno"]),
    (40, &["building", "buildingname", "buildingno", "apartmentname", "society", "societyname", "housename"]),
    (40, &["buildingnumber", "nameofbuilding"]),
    (50, &["house", "houseno", "housenumber", "streetno", "streetnumber"]),
    (50, &["houseflatno", "flathouseno", "houseflat", "flathouse", "houseorflatno", "housebuildingno", "hausnummer"]),
    (50, &["housenoflat", "housenoflatno", "flatnohouseno", "housenumberflat", "housenobuilding"]),
    (52, &["plot", "plotno", "plotnumber"]),
    (110, &["addressline3", "address3", "addr3", "addressthree"]),
    (111, &["addressline4", "address4", "addr4"]),
    (120, &["street", "streetname", "streetaddress", "street1", "street2", "adresszusatz"]),
    (122, &["lane", "laneno"]),
    (124, &["gali", "galli", "gully", "galino", "gallino"]),
    (126, &["cross", "crossroad", "crossstreet"]),
    (128, &["road", "roadname", "roadno"]),
    (130, &["sector", "sectorno"]),
    (132, &["phase"]),
    (134, &["ward", "wardno"]),
    (140, &["locality", "area", "areaname", "colony", "neighbourhood", "neighborhood", "suburb", "barangay"]),
    (140, &["localityarea", "arealocality", "areacolony", "streetarea", "arealandmark", "nagar"]),
    (140, &["mohalla", "muhalla", "mohallah", "mohala", "basti", "tola"]),
    (142, &["location"]),
    (150, &["landmark", "nearestlandmark", "nearbylandmark", "nearby"]),
    (160, &["village", "villagename", "villagetown", "town", "gaon", "panchayat", "grampanchayat", "hamlet"]),
    (170, &["postoffice", "post", "po"]),
    (174, &["policestation", "thana", "ps"]),
    (180, &["mandal", "taluk", "taluka", "tehsil", "tahsil", "subdistrict", "anchal"]),
    (190, &["district", "districtname", "dist", "zilla", "jila", "jilla"]),
];

/// What a bare figure or letter under such a header is called in an address.
const LABELS: &[(u8, &str)] = &[
    (10, "Flat"),
    (12, "Apartment"),
    (14, "Suite"),
    (16, "Room"),
    (18, "Shop"),
    (20, "Office"),
    (UNIT, "Unit"),
    (FLOOR, "Floor"),
    (30, "Wing"),
    (32, "Tower"),
    (34, "Block"),
    (52, "Plot"),
    (120, "Street"),
    (122, "Lane"),
    (124, "Gali"),
    (126, "Cross"),
    (ROAD, "Road"),
    (130, "Sector"),
    (132, "Phase"),
    (134, "Ward"),
];

/// The place of a unit of a building.
pub const UNIT: u8 = 22;

const FLOOR: u8 = 26;
const ROAD: u8 = 128;
const LOCATION: u8 = 142;
const POST: u8 = 170;
const DISTRICT: u8 = 190;

/// A part of an address as it is written there: `Floor 3`, `5th Cross`, `B-204`. None where its cell holds what is no
/// part of an address by its look, such as a telephone number, a link, or a place in a warehouse.
#[must_use]
pub fn as_part(place: u8, text: &str) -> Option<Cow<'_, str>> {
    if is_no_part(place, text) {
        return None;
    }
    let label = LABELS.iter().find(|(of, _)| *of == place).map(|(_, label)| *label);
    let Some(label) = label.filter(|_| text.len() <= 8 && !text.contains(char::is_whitespace)) else {
        return Some(text.into());
    };
    let figures = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = text.get(figures.len()..).unwrap_or_default().to_ascii_lowercase();
    let counted = !figures.is_empty() && figures.bytes().all(|byte| byte.is_ascii_digit());
    let ordinal = counted && matches!(ending.as_str(), "st" | "nd" | "rd" | "th");
    let named = place == FLOOR && among("ground first second third fourth fifth top upper lower", &text.to_lowercase());
    if ordinal || named {
        return Some(format!("{text} {label}").into());
    }
    let bare = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let short = text.len() <= 2 || text.bytes().any(|byte| byte.is_ascii_digit());
    Some(if bare && short { format!("{label} {text}").into() } else { text.into() })
}

/// Whether a word is what goods are counted or weighed in: a column `Unit` may hold that.
#[must_use]
pub fn is_unit(text: &str) -> bool {
    const UNITS: &str = "pcs pc nos kg kgs gm gms ltr litre box boxes set sets pair pairs pkt pkts packet packets \
        dozen doz mtr mtrs meter metre piece pieces each unit units roll rolls bag bags bundle carton ctn";
    among(UNITS, &text.trim_end_matches('.').to_lowercase())
}

/// Whether a cell of a column `Unit` beside one of quantities says in what goods are counted, by its look: one word without
/// a figure, such as `Pac`, `Btl` or `Pouch`. A single letter may be that of a building.
#[must_use]
pub fn is_unit_beside_quantity(text: &str) -> bool {
    let bare = text.trim().trim_end_matches('.');
    bare.chars().count() > 1 && bare.chars().all(char::is_alphabetic)
}

/// Whether a cell under a header of an address holds no part of one, by its look.
fn is_no_part(place: u8, text: &str) -> bool {
    let lower = text.to_lowercase();
    let lower = lower.trim();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let is_figures = text.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | ' ' | '(' | ')' | '.' | ','));
    let coordinate =
        |part: &str| part.parse::<f64>().is_ok() && part.split_once('.').is_some_and(|(_, d)| d.len() >= 2);
    let mut pair = text.split([',', ' ']).filter(|part| !part.is_empty());
    let map = pair.clone().count() == 2 && pair.all(coordinate);
    let link = ["http", "www.", "maps.", "goo.gl"].iter().any(|start| lower.starts_with(start));
    let figure_of = |units: &str| {
        let unit = lower.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
        unit.len() < lower.len() && among(units, unit)
    };
    let mut words = words(lower);
    let first = words.next().unwrap_or_default();
    let stored =
        || among("rack shelf bin aisle", &first) || has_word(lower, "wh warehouse godown") && !lower.contains(',');
    let way = || first == "by" || among("surface air rail train road courier", lower);
    among("yes no true false nil none pcs nos", lower)
        || (is_figures && digits >= 8)
        || map
        || link
        || (place < AFTER_LINES && is_unit(lower))
        || figure_of("km kms kilometer kilometers miles")
        || (place < AFTER_LINES && figure_of("pcs nos kg kgs box boxes"))
        || (place == LOCATION && stored())
        || (place == ROAD && way())
        || (matches!(place, POST | DISTRICT) && digits > 0)
}

/// From here on a part of an address stands behind its two lines.
pub const AFTER_LINES: u8 = 100;

/// The place of what is called an address, and nobody knows which part of it: it has to be in the lines already.
pub const UNCLEAR_PART: u8 = u8::MAX;

/// Words of headers about other addresses than the receiver's.
const NO_ADDRESS: &[&str] = &[
    "mail",
    "ip",
    "web",
    "url",
    "type",
    "id",
    "verified",
    "status",
    "bill",
    "sender",
    "consignor",
    "from",
    "origin",
    "pick",
    "return",
    "rto",
    "seller",
    "vendor",
    "supplier",
    "shipper",
    "merchant",
    "store",
    "shop",
    "warehouse",
    "office",
    "company",
    "business",
    "permanent",
    "mac",
    "wallet",
    "latitude",
    "longitude",
    "code",
    "count",
    "note",
    "remark",
    "proof",
    "gst",
    "alternat",
    "altadd",
];

/// What the headers of a receiver's address begin with.
const TO: &[&str] = &[
    "shipping",
    "shipto",
    "ship",
    "delivery",
    "deliverto",
    "destination",
    "dest",
    "customer",
    "consignee",
    "receiver",
    "recipient",
    "buyer",
];

/// What says no more than that it is a number, a name or a line.
const AROUND: &str = "no nos number num name names or and the of your line details detail full n na etc optional";

/// The place of a part of a receiver's address among the others.
pub(super) fn address_part(header: &str, bare: &str) -> Option<u8> {
    let place = |name: &str| PARTS.iter().find(|(_, names)| names.contains(&name)).map(|(place, _)| *place);
    let of_receiver = TO.iter().filter_map(|word| bare.strip_prefix(word)).find_map(place);
    let is_unclear = || bare.contains("address") && !NO_ADDRESS.iter().any(|word| bare.contains(word));
    place(bare).or(of_receiver).or_else(|| by_words(header)).or_else(|| is_unclear().then_some(UNCLEAR_PART))
}

/// The place of what a header names part by part: `House No / Flat`, `Building Name/No`, `Address - Line 3`.
fn by_words(header: &str) -> Option<u8> {
    let words = Words::of(header);
    let core: Vec<&str> = words.without(AROUND).filter(|word| !TO.contains(word) && *word != "to").collect();
    let number = |word: &&str| word.parse::<u8>().ok().filter(|number| (3..=9).contains(number));
    // `Apartment, suite, unit, etc.`: a unit alone is what pieces are counted in.
    let core: Vec<&str> = core.iter().copied().filter(|word| core.len() < 2 || *word != "unit").collect();
    // `Add 3` is a line, and `Address 3rd floor` none that anybody knows.
    if let [address, line] = core.as_slice()
        && LINES.contains(address)
    {
        return number(line).map(|number| 107 + number);
    }
    let place = |word: &str| PARTS.iter().find(|(_, names)| names.contains(&word)).map(|(place, _)| *place);
    // `PO Number` is that of an order.
    let is_part = |word: &str| core.len() <= 4 && !among("po ps post", word);
    let places: Option<Vec<u8>> = core.iter().map(|word| place(word).filter(|_| is_part(word))).collect();
    let places = places?;
    // Which of several parts a figure is, nobody knows.
    let last = places.iter().copied().max()?;
    Some(if places.len() > 1 { last | 1 } else { last })
}

/// What lines of an address are called.
pub(super) const LINES: &[&str] = &["address", "addr", "add", "adr", "adress", "addresss", "addressline"];

/// Which line of a receiver's address a header means, counted from 1: `Customer Address 1`, `Full Address`, `Add 2`.
pub(super) fn address_line(header: &str) -> Option<u8> {
    const WHOLE: &str = "full complete line of the postal detailed with and incl including landmark pincode pin code \
        house no number street area locality building flat door";
    let words = Words::of(header);
    if let Some(line) = street_line(&words) {
        return Some(line);
    }
    if is_pin_of_address(header, &words) {
        return None;
    }
    let core: Vec<&str> = words.without(WHOLE).filter(|word| !TO.contains(word) && *word != "to").collect();
    match core.as_slice() {
        [address] if LINES.contains(address) => Some(1),
        [address] => {
            let joined = LINES.iter().find_map(|name| address.strip_prefix(name))?;
            joined.parse().ok().filter(|line| (1..=2).contains(line))
        }
        [address, line] if LINES.contains(address) => line.parse().ok().filter(|line| (1..=2).contains(line)),
        // Both lines in one cell.
        [address, "1", "2"] if LINES.contains(address) => Some(1),
        _ => None,
    }
}

/// Whether a header means the PIN code of an address, and no address that has one in it: `Shipping Address Pincode`, but
/// not `Address, Pincode`.
fn is_pin_of_address(header: &str, words: &Words) -> bool {
    let is_plain = header.chars().all(|c| c.is_alphanumeric() || " _.*".contains(c));
    let of: Vec<&str> = words.without("to").skip_while(|word| TO.contains(word)).collect();
    let Some((address, pin)) = of.split_first() else { return false };
    is_plain && LINES.contains(address) && among("pin pincode pinno", &pin.concat())
}

/// Which line a street with a number is: `Street 1`, `Shipping Street 2`, `Street Line 1`.
fn street_line(words: &Words) -> Option<u8> {
    let core: Vec<&str> = words.without("line").filter(|word| !TO.contains(word) && *word != "to").collect();
    let line = match core.as_slice() {
        ["street" | "streetline", line] => line,
        [street] => street.strip_prefix("street")?,
        _ => return None,
    };
    line.parse().ok().filter(|line| (1..=2).contains(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_an_address_go_by_their_words() {
        let part = |header: &str| address_part(header, &super::super::normalised::normalised(header));
        let cases: &[(u8, &str)] = &[
            (10, "Flat No|Flat"),
            (12, "Apt"),
            (15, "Apartment, suite, etc.|Apartment, suite, unit, etc. (optional)"),
            (UNIT, "Unit No.|Unit"),
            (40, "Building Name/No|Building|Name of building|Society name"),
            (50, "House No|House No / Flat|Flat/House No."),
            (51, "House Number or Flat"),
            (52, "Plot No"),
            (110, "Address 3|Add 3|Address Line 3|Customer Address 3|Addr-3"),
            (111, "Address 4"),
            (120, "Street|Street Name"),
            (124, "Gali|Gali No."),
            (126, "Cross Road|Cross / Street"),
            (140, "Colony|Mohalla|Area / Locality|Street / Area"),
            (142, "Location"),
            (150, "Nearest Landmark"),
            (151, "Landmark (Nearby)"),
            (170, "Post|P.O.|PO|Post Office"),
            (174, "PS|Thana|Police Station"),
            (190, "Dist|District|Dist."),
        ];
        for (place, headers) in cases {
            for header in headers.split('|') {
                assert_eq!(part(header), Some(*place), "{header}");
            }
        }
        for header in [
            "Unit of measure",
            "PO Number",
            "Post Code",
            "Gram",
            "Shop Category",
            "Billing House No",
            "Return Area",
            "Area Manager",
            "Unit Price",
            "Block Date",
            "Location ID",
            "Floor Price",
        ] {
            assert_eq!(part(header), None, "{header}");
        }
        for (line, headers) in [
            (
                1,
                "Customer Address 1|Full Address|Complete Address|Add 1|Delivery Addr|Addr. 1|Address1|Street 1|Shipping Street 1|Street Line 1|Address Street 1|Street1",
            ),
            (2, "Street 2|Shipping Street 2|Street Line 2|Customer Address 2|Add 2|Adress 2|Consignee address line 2"),
        ] {
            for header in headers.split('|') {
                assert_eq!(address_line(header), Some(line), "{header}");
            }
        }
        for header in [
            "Billing Address",
            "Address 3",
            "Email Address",
            "Address Type",
            "Sender Address",
            "Addition",
            "Street No 1",
            "Street",
            "Street 3",
        ] {
            assert_eq!(address_line(header), None, "{header}");
        }
    }

    #[test]
    fn bare_figures_say_what_they_are() {
        let cases: &[(&str, &[(&str, &str)])] = &[
            (
                "Floor",
                &[("3", "Floor 3"), ("3rd", "3rd Floor"), ("Ground", "Ground Floor"), ("3rd floor", "3rd floor")],
            ),
            ("Block", &[("B", "Block B"), ("A2", "Block A2"), ("Block B", "Block B"), ("Janakpuri", "Janakpuri")]),
            ("Ward No", &[("12", "Ward 12")]),
            ("Unit", &[("1", "Unit 1"), ("B-204", "B-204")]),
            ("House No", &[("14", "14")]),
            ("House No / Flat", &[("2B", "2B")]),
            ("Cross", &[("5th", "5th Cross"), ("5", "Cross 5")]),
            ("Landmark", &[("500 m from temple", "500 m from temple"), ("Opp. SBI", "Opp. SBI")]),
            ("Location", &[("HAL", "HAL"), ("Warehouse 3, MIDC", "Warehouse 3, MIDC")]),
            ("Wing", &[("N", "Wing N")]),
        ];
        let place = |header: &str| address_part(header, &super::super::normalised::normalised(header)).unwrap();
        for (header, cells) in cases {
            for (cell, written) in *cells {
                assert_eq!(as_part(place(header), cell).as_deref(), Some(*written), "{header}: {cell}");
            }
        }
        let none: &[(&str, &str)] = &[
            ("Floor", "Yes|No|FALSE"),
            ("Office No", "08041234567|+91 98765 43210"),
            ("Unit", "Pcs|Nos|kg|2 pcs"),
            ("Dist", "12 km|12|12km"),
            ("Road", "By road|Surface|Air"),
            ("Location", "Rack A-12|https://maps.app.goo.gl/x|12.97,77.59|Bangalore WH|Shelf 4"),
            ("Landmark", "12.9716, 77.5946|maps.google.com/x|Yes|9876543210"),
            ("PO", "PO-1234|4567"),
            ("Block", "No"),
        ];
        for (header, cells) in none {
            for cell in cells.split('|') {
                assert_eq!(as_part(place(header), cell), None, "{header}: {cell}");
            }
        }
    }
}
