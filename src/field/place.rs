//! Parts of a receiver's address that stand in columns of their own, by their headers.

use super::money::Words;

/// Parts of an address in the order in which they are written; those below [`AFTER_LINES`] stand before its first line.
const PARTS: &[(u8, &[&str])] = &[
    // `Unit` alone is what pieces are counted in.
    (10, &["flat", "flatno", "flatnumber", "apartment", "apartmentno", "apartmentnumber", "apt", "aptno", "unitno"]),
    (11, &["suite", "suiteno", "roomno", "shopno", "doorno", "doornumber", "officeno"]),
    (20, &["floor", "floorno", "floornumber"]),
    (30, &["wing", "tower", "towerno", "block", "blockno"]),
    (40, &["building", "buildingname", "buildingno", "apartmentname", "society", "societyname", "housename"]),
    (40, &["buildingnumber", "nameofbuilding"]),
    (50, &["house", "houseno", "housenumber", "plot", "plotno", "plotnumber", "streetno", "streetnumber"]),
    (50, &["houseflatno", "flathouseno", "houseflat", "flathouse", "houseorflatno", "housebuildingno", "hausnummer"]),
    (50, &["housenoflat", "housenoflatno", "flatnohouseno", "housenumberflat", "housenobuilding"]),
    (110, &["addressline3", "address3", "addr3", "addressthree"]),
    (111, &["addressline4", "address4", "addr4"]),
    (120, &["street", "streetname", "streetaddress", "street2", "lane", "road", "roadname", "cross", "adresszusatz"]),
    (120, &["crossroad", "crossstreet"]),
    (130, &["sector", "phase", "ward", "wardno"]),
    (140, &["locality", "area", "areaname", "colony", "neighbourhood", "neighborhood", "suburb", "barangay"]),
    (140, &["location", "localityarea", "arealocality", "areacolony", "streetarea", "arealandmark", "nagar"]),
    (150, &["landmark", "nearestlandmark", "nearbylandmark", "nearby"]),
    (160, &["village", "villagename", "villagetown", "town"]),
    (170, &["postoffice"]),
    (180, &["mandal", "taluk", "taluka", "tehsil", "tahsil", "subdistrict"]),
    (190, &["district", "districtname", "dist"]),
];

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
const AROUND: &str = "no nos number num name names or and the of your line details detail full n na";

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
    // `Add 3` is a line, and `Address 3rd floor` none that anybody knows.
    if let [address, line] = core.as_slice()
        && LINES.contains(address)
    {
        return number(line).map(|number| 107 + number);
    }
    let place = |word: &str| PARTS.iter().find(|(_, names)| names.contains(&word)).map(|(place, _)| *place);
    let places: Option<Vec<u8>> = core.iter().map(|word| place(word).filter(|_| core.len() <= 4)).collect();
    places?.into_iter().max()
}

/// What lines of an address are called.
const LINES: &[&str] = &["address", "addr", "add", "adr", "adress", "addresss", "addressline"];

/// Which line of a receiver's address a header means, counted from 1: `Customer Address 1`, `Full Address`, `Add 2`.
pub(super) fn address_line(header: &str) -> Option<u8> {
    const WHOLE: &str = "full complete line of the postal detailed with and incl including landmark pincode pin code house no \
        number street area locality building flat door";
    let words = Words::of(header);
    let core: Vec<&str> = words.without(WHOLE).filter(|word| !TO.contains(word) && *word != "to").collect();
    match core.as_slice() {
        [address] if LINES.contains(address) => Some(1),
        [address] => {
            let joined = LINES.iter().find_map(|name| address.strip_prefix(name))?;
            joined.parse().ok().filter(|line| (1..=2).contains(line))
        }
        [address, line] if LINES.contains(address) => line.parse().ok().filter(|line| (1..=2).contains(line)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_an_address_go_by_their_words() {
        let part = |header: &str| address_part(header, &super::super::matching::normalised(header));
        let cases: &[(u8, &str)] = &[
            (10, "Flat No|Unit No.|Apt"),
            (40, "Building Name/No|Building|Name of building|Society name"),
            (50, "House No / Flat|House No|Flat/House No.|House Number or Flat|Plot No"),
            (110, "Address 3|Add 3|Address Line 3|Customer Address 3|Addr-3"),
            (111, "Address 4"),
            (120, "Cross Road|Street|Street Name|Cross / Street"),
            (140, "Area / Locality|Location|Street / Area|Colony"),
            (150, "Landmark (Nearby)|Nearest Landmark"),
            (190, "Dist|District|Dist."),
        ];
        for (place, headers) in cases {
            for header in headers.split('|') {
                assert_eq!(part(header), Some(*place), "{header}");
            }
        }
        for header in [
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
            (1, "Customer Address 1|Full Address|Complete Address|Add 1|Delivery Addr|Addr. 1|Address1"),
            (2, "Customer Address 2|Add 2|Adress 2|Consignee address line 2"),
        ] {
            for header in headers.split('|') {
                assert_eq!(address_line(header), Some(line), "{header}");
            }
        }
        for header in ["Billing Address", "Address 3", "Email Address", "Address Type", "Sender Address", "Addition"] {
            assert_eq!(address_line(header), None, "{header}");
        }
    }
}
