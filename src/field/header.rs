//! The field that a header means: by its names and words, or else by what is left of it without remarks, without whose it
//! is, and of two names for one thing.

use super::header_words::Words;
use super::kind::Kind;
use super::listed::{among, among_any, words};
use super::matching::{Match, OF_RECEIVER, Rank, by_name, known};
use super::normalised::normalised;
use super::place::LINES;
use super::role::AmountRole;
use super::sign::known_sign;
use super::table::Id;
use super::units::{length_unit, money_sign, says_percent, weight_unit};

/// Who gets the parcel, by words that may stand in any place.
const PEOPLE: &str = "receiver receivers recipient recipients consignee consignees buyer buyers customer customers cust \
    client clients party guest";

/// The way to whoever gets the parcel.
const WAY: &str = "ship shipping shipto delivery deliver destination dest drop";

const JOINING: &str = "to s of the for";

/// People, places and numbers beside those of who gets the parcel, and what is no name or number of anybody.
const OTHERS: &str = "billing bill billed invoice sender senders seller sellers vendor supplier consignor consigner \
    shipper merchant from pickup pick origin return returns rto warehouse store shop company firm office agent boy rider \
    partner courier driver executive alternate alternative alternet alt secondary second third additional other another \
    emergency old previous parent original temp permanent first last middle status date day time amount value total cost \
    mrp qty weight id code gst gstin type yes no y n not except excluding";

/// What a remark may say of any field.
const REMARK: &str = "full complete unique required mandatory compulsory optional must only please pls as per the in of \
    for format";

/// What a remark may say beside that of figures that are no sums: `10 digit`.
const OF_DIGITS: &str = "digit digits character characters char chars letters max numeric number numbers with without \
    country std isd code name names short spelling whatsapp main primary active valid and or zero";

const EACH: &str = "per piece pieces pc pcs unit units item items each ea apiece single one";

const TAX: &str = "tax taxes gst vat";

const INCLUDED: &str = "incl inclusive including included inc includes all";

/// What a remark may say of a date.
const OF_DATES: &str = "dd mm yy yyyy ddmmyyyy mmm hh ss d m y";

/// The field that a header means, whatever its case, spaces and punctuation.
#[must_use]
pub fn match_header(header: &str) -> Option<Match> {
    known(header).or_else(|| by_rest(header))
}

/// The field that a header means by what is left of it.
fn by_rest(header: &str) -> Option<Match> {
    /// A header for people has no more.
    const BYTES_MAX: usize = 80;
    if header.len() > BYTES_MAX || !may_have_rest(header) || says_percent(header) {
        return None;
    }
    let id = of_price(header).or_else(|| of_whom(header)).or_else(|| remarked(header)).or_else(|| either(header))?;
    // What says whether an order goes says nothing else.
    if matches!(known_sign(header), Some(AmountRole::Sign(_))) {
        return None;
    }
    Some(Match { field: id.field(), rank: Rank::Rest, unit: None })
}

/// Whether anything could be taken off a header, at a glance: sheets of junk have thousands of them.
fn may_have_rest(header: &str) -> bool {
    const PARTS: [&str; 19] = [
        "ship",
        "deliver",
        "dest",
        "drop",
        "receiver",
        "recipient",
        "consignee",
        "buyer",
        "cust",
        "client",
        "part",
        "guest",
        "ad",
        "per",
        "each",
        "tax",
        "gst",
        "vat",
        " or ",
    ];
    let lower = header.to_lowercase();
    lower.contains(['(', '[', '{', '/', '|']) || PARTS.iter().any(|part| lower.contains(part))
}

/// Whether a header is about who gets the parcel, and nobody else.
#[must_use]
pub fn names_receiver(header: &str) -> bool {
    let bare = normalised(header);
    ["ship", "deliver", "consignee", "receiver", "recipient"].iter().any(|word| bare.contains(word))
}

/// Whether a header is the phone of whoever pays: `Billing Phone`, `Phone (Billing)`.
#[must_use]
pub fn is_billing_phone(header: &str) -> bool {
    let mut words = Words::of(header).0;
    let whose = words.iter().position(|word| matches!(word.as_str(), "billing" | "bill"));
    let Some(whose) = whose else { return false };
    "customer".clone_into(&mut words[whose]);
    of_whom(&words.join(" ")) == Some(Id::ReceiverPhone)
        || known(&words.join(" ")).is_some_and(|found| found.field.id == Id::ReceiverPhone)
}

/// The price of one piece: `Selling Price Per Item`, `Unit price tax incl`.
fn of_price(header: &str) -> Option<Id> {
    let words = Words::of(header);
    if !words.has("per each tax taxes gst vat") {
        return None;
    }
    let taxed = words.has(TAX);
    let included = words.has(INCLUDED);
    let each = words.is_per_piece();
    let core: Vec<&str> =
        words.without("").filter(|word| !(taxed && among_any(&[TAX, INCLUDED, "of"], word))).collect();
    // Behind the price a piece is what it is for; before it, what it is the price of.
    let end = core.iter().position(|word| matches!(*word, "per" | "each")).filter(|_| each).unwrap_or(core.len());
    let (price, behind) = core.split_at(end);
    let plain = header.chars().all(|c| c.is_alphanumeric() || " _-.,()[]".contains(c));
    let all_each = behind.iter().all(|word| among(EACH, word));
    if !plain || taxed != included || !(taxed || each) || !all_each {
        return None;
    }
    named(&price.concat()).filter(|id| *id == Id::Price)
}

/// A part of who gets the parcel, and where: `City (Shipping)`, `Shipping Address Pincode`, `Destination Phone`.
fn of_whom(header: &str) -> Option<Id> {
    let (base, remarks) = parted(header)?;
    let in_brackets = |remark: &String| {
        let is_said = words(remark).any(|word| among_any(&[PEOPLE, WAY], &word));
        is_said && words(remark).all(|word| among_any(&[PEOPLE, WAY, JOINING, "address details info"], &word))
    };
    let whose = !remarks.is_empty() && remarks.iter().all(in_brackets);
    if (!remarks.is_empty() && !whose) || base.contains(['&', '+', '/', ',', ';', '|']) {
        return None;
    }
    let all = Words::of(&base);
    let all: Vec<&str> = all.without("").collect();
    let is_whose = |word: &&&str| among_any(&[PEOPLE, WAY], word);
    let joined = base.contains(['_', ':', '-']) || all.iter().any(|word| matches!(*word, "of" | "for"));
    let (mut start, mut end) = (0, all.len());
    while all.get(start).is_some_and(|word| among_any(&[PEOPLE, WAY, JOINING], word)) {
        start += 1;
    }
    // Behind the rest `Delivery` may be a service.
    let behind = |word: &str| among_any(&[PEOPLE, JOINING], word) || (joined && among(WAY, word));
    while end > start && behind(all[end - 1]) {
        end -= 1;
    }
    let said = all[..start].iter().chain(&all[end..]).any(|word| is_whose(&word));
    let of_address = end - start > 1 && LINES.contains(&all[start]);
    let core = all[if of_address { start + 1 } else { start }..end].concat();
    if !(said || whose || of_address) {
        return None;
    }
    let id = part(&core)?;
    // What an address alone is called may be a label: `Address Name`.
    let of_place = matches!(id, Id::ReceiverPhone) || id.field().path.starts_with("destination.");
    (said || whose || of_place).then_some(id)
}

/// What may be said of whoever gets the parcel.
fn part(core: &str) -> Option<Id> {
    let bare = match core {
        "statename" | "provincename" | "stateprovince" | "provincestate" | "stateut" => "state",
        "cityname" | "townname" | "towncity" | "citytown" => "city",
        "pinno" | "pinnumber" | "pincodeno" | "pincodenumber" | "postal" | "zippostalcode" | "postalzip" => "pincode",
        "addressline1" | "line1" => return Some(Id::DestinationLine1),
        "addressline2" | "line2" => return Some(Id::DestinationLine2),
        // The first of several.
        _ => core.strip_suffix('1').filter(|first| named(first) == Some(Id::ReceiverPhone)).unwrap_or(core),
    };
    let email = matches!(core, "email1" | "mail").then_some(Id::ReceiverEmail);
    email.or_else(|| named(bare)).filter(|id| OF_RECEIVER.contains(id))
}

fn named(bare: &str) -> Option<Id> {
    by_name(bare).map(|found| found.field.id)
}

/// A header with a remark in brackets: `Price (each)`, `Mobile (10 digit)`.
fn remarked(header: &str) -> Option<Id> {
    let (base, remarks) = parted(header)?;
    if remarks.is_empty() || remarks.iter().any(|remark| !remark.contains(char::is_alphabetic)) {
        return None;
    }
    let id = meant(&base)?;
    remarks.iter().all(|remark| is_remark(id, remark)).then_some(id)
}

/// Whether what stands in brackets says no more of a field than how to fill it in.
fn is_remark(id: Id, remark: &str) -> bool {
    if known(remark).is_some_and(|own| own.field.id == id) {
        return true;
    }
    let of_kind: &[&str] = match (id, id.field().kind) {
        (Id::Price, _) => &[REMARK, EACH, "1"],
        (Id::Quantity, _) => &[REMARK, "nos no pcs pc piece pieces unit units number numbers whole"],
        (_, Kind::Instant) => &[REMARK, OF_DATES],
        (Id::OrderType, _) => &[REMARK, "cod prepaid pp ppd or"],
        _ => &[REMARK, OF_DIGITS],
    };
    let figure = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit()) && is_text(id);
    let taxed = id == Id::Price && Words::of(remark).has(TAX) && Words::of(remark).has(INCLUDED);
    let fits = |word: &String| {
        among_any(of_kind, word) || figure(word) || (taxed && among_any(&[TAX, INCLUDED, "with"], word))
    };
    // A word of another unit, or of another number than a first one, is among none of these.
    words(remark).all(|word| fits(&word)) || (is_text(id) && says_nothing(remark))
}

/// Whether a field is a text that a remark of any kind may stand beside.
fn is_text(id: Id) -> bool {
    part_of_receiver(id) || matches!(id, Id::OrderNumber | Id::ProductName)
}

fn part_of_receiver(id: Id) -> bool {
    let field = id.field();
    field.is_receivers() && !matches!(id, Id::ReceiverCompany | Id::DestinationType)
}

/// Two names in one header: `Phone/Mobile`, `State/UT`, `Zip or Postal Code`.
fn either(header: &str) -> Option<Id> {
    let cut = header.replace(" or ", "/").replace(" OR ", "/");
    let halves: Vec<&str> = cut.split(['/', '|']).map(str::trim).collect();
    if halves.len() < 2 || halves.len() > 3 || header.contains(['(', '[', '{', '&', '+', ',']) {
        return None;
    }
    let meanings: Vec<Option<Id>> = halves.iter().map(|half| meant(half)).collect();
    let mut ids = meanings.iter().flatten();
    let id = ids.next().copied().filter(|id| is_text(*id) || matches!(id, Id::Price | Id::Quantity))?;
    let alike = ids.all(|other| *other == id);
    let fits = |(half, meaning): (&&str, &Option<Id>)| meaning.is_some() || goes_with(id, half);
    (alike && halves.iter().zip(&meanings).all(fits)).then_some(id)
}

/// Whether a second name beside that of a field says no other thing.
fn goes_with(id: Id, half: &str) -> bool {
    match id {
        Id::Price => words(half).all(|word| among(EACH, &word)),
        // `City/Village`, `City/District`: how places are called by where they are.
        Id::DestinationCity => says_nothing(half) || words(half).all(|word| among("village town district dist", &word)),
        // A line of an address is made of many things, and pieces are counted in many.
        Id::Quantity | Id::DestinationLine1 | Id::DestinationLine2 => false,
        _ => says_nothing(half),
    }
}

/// Whether words name nothing that a column could hold by itself.
fn says_nothing(text: &str) -> bool {
    let is_word = |word: &String| {
        let unit = || length_unit(word).is_some() || weight_unit(word).is_some() || money_sign(word).is_some();
        let figures = word.bytes().any(|byte| byte.is_ascii_digit());
        !among(OTHERS, word) && known(word).is_none() && !figures && !unit()
    };
    let quiet = known_sign(text).is_none() && Words::of(text).role(text).is_none() && meant(text).is_none();
    words(text).next().is_some() && words(text).all(|word| is_word(&word)) && quiet
}

/// The field of a part of a header, by its name or by whom it is about.
fn meant(part: &str) -> Option<Id> {
    known(part).map(|found| found.field.id).or_else(|| of_price(part)).or_else(|| of_whom(part))
}

/// What stands outside of brackets, and in each of them; nothing where they are not closed.
fn parted(header: &str) -> Option<(String, Vec<String>)> {
    let mut base = String::with_capacity(header.len());
    let mut remarks: Vec<String> = Vec::new();
    let mut inside = false;
    for letter in header.chars() {
        match letter {
            '(' | '[' | '{' if !inside => {
                inside = true;
                base.push(' ');
                remarks.push(String::new());
            }
            ')' | ']' | '}' if inside => inside = false,
            '(' | '[' | '{' | ')' | ']' | '}' => return None,
            _ => match remarks.last_mut().filter(|_| inside) {
                Some(remark) => remark.push(letter),
                None => base.push(letter),
            },
        }
    }
    (!inside && !base.trim().is_empty()).then_some((base, remarks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::match_header;

    fn field(header: &str) -> Option<Id> {
        match_header(header).map(|found| found.field.id)
    }

    #[track_caller]
    fn are(cases: &[(Id, &str)]) {
        let named = cases.iter().flat_map(|(id, headers)| headers.split('|').map(|header| (header, *id)));
        let wrong: Vec<_> = named.filter(|(header, id)| field(header) != Some(*id)).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[track_caller]
    fn are_none(headers: &str) {
        let wrong: Vec<_> = headers.split('|').map(|header| (header, field(header))).collect();
        let wrong: Vec<_> = wrong.into_iter().filter(|(_, id)| id.is_some()).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn remarks_in_brackets_say_how_a_cell_is_filled_in() {
        are(&[
            (
                Id::Price,
                "Price (per piece)|Price (each)|Rate (per pc)|Price [1 pc]|Price (incl. of all taxes)|Price (incl GST)",
            ),
            (
                Id::ReceiverPhone,
                "Mobile (10 digit)|Phone (10 digits only)|Phone (without country code)|Mobile No. (WhatsApp)",
            ),
            (Id::DestinationPinCode, "PIN code (6 digits)|Pincode (6 digit) *|PIN (mandatory)"),
            (Id::DestinationState, "State (full name)|State (Province)|State (in full)"),
            (Id::ReceiverFirstName, "Customer Name (full)|Name (as per Aadhaar)|Customer Name (required)"),
            (Id::Quantity, "Quantity (nos)|Qty (pcs)|Quantity (in numbers)"),
            (Id::OrderNumber, "Order Number (unique)|Order ID (mandatory)"),
            (Id::ProductName, "Product (with size)|Product Name (short)|Item (with colour)"),
            (Id::OrderCreatedAt, "Order Date (DD/MM/YYYY)|Order Date (dd-mm-yyyy)"),
            (Id::DestinationCity, "City (Town)|City (required)"),
        ]);
        are_none(
            "Price (total)|Price (per kg)|Price (per box)|Price (2 pcs)|Price (old)|Price (without GST)|Quantity (cancelled)|\
             Quantity (boxes)|Quantity (per box)|Phone (2)|Phone (office)|Mobile (alternate)|Phone (sender)|\
             City (billing)|Pincode (pickup)|State (seller)|Name (sender)|Name (and address)|Order Number (old)|\
             Order No (return)|Weight (volumetric)|Weight (per box)|City (kg)|Date (delivery)|State (status)",
        );
    }

    #[test]
    fn two_names_of_one_thing_are_that_thing() {
        are(&[
            (Id::ReceiverPhone, "Phone/Mobile|Phone / WhatsApp|Mobile or Phone|Contact No/Mobile No"),
            (Id::DestinationCity, "City/Town|City/Village|City / District|Town/Village"),
            (Id::DestinationState, "State/UT|State / Province|State/Union Territory"),
            (Id::DestinationPinCode, "Zip/Postal Code|Pin/Zip|Delivery zip/postal code|Zip or Postal Code"),
            (Id::Price, "Rate/pc|Price / Unit|Price/piece"),
            (Id::ProductName, "Product/Variant|Item / Colour|Product/Item"),
            (Id::OrderNumber, "Order No/Order ID"),
            (Id::ReceiverFirstName, "Customer/Receiver Name"),
        ]);
        are_none(
            "City/State|Name/Phone|Rate/kg|Price/box|Price/Total|Qty/Box|Phone/Alternate Phone|First/Last Name|\
             State/Country|Email/Phone|Buyer/Seller Name|Status/Remarks|City/Zone/Hub ID|Date/Time",
        );
    }

    #[test]
    fn whose_it_is_may_stand_in_any_place() {
        are(&[
            (
                Id::ReceiverFirstName,
                "First Name (Shipping)|Shipping Address Name|Destination Name|Name of Customer|Name (Receiver)",
            ),
            (Id::ReceiverLastName, "Last Name (Shipping)|Shipping Address Last Name"),
            (
                Id::ReceiverPhone,
                "Destination Phone|Ship Phone1*|Shipping Address Phone|Phone of Consignee|Shipping Phone 1|Mobile (Buyer)",
            ),
            (Id::ReceiverEmail, "Email (Shipping)|Ship Email1"),
            (
                Id::DestinationLine1,
                "Address Line 1 (Shipping)|Address 1&2 (Shipping)|Address 1 (Delivery)|Address (with pincode)|Address, Pincode",
            ),
            (Id::DestinationLine2, "Address 2 (Shipping)|Shipping Address Line 2"),
            (
                Id::DestinationCity,
                "City (Shipping)|Shipping Address City|Address City|city_shipping|City (Ship To)|City - Delivery",
            ),
            (
                Id::DestinationState,
                "State Name (Shipping)|Shipping Address State|Address State|State (Delivery Address)|shipping_province",
            ),
            (
                Id::DestinationPinCode,
                "Postcode (Shipping)|Shipping Address Pincode|Address Pincode|Address Pin Code|Pincode (Destination)",
            ),
            (Id::DestinationCountry, "Country Name (Shipping)|Shipping Address Country|Address Country"),
        ]);
        are_none(
            "City (Billing)|Billing Address City|Sender Address Pincode|Pickup Address City|Return Address Name|Seller City|\
             Shipping Phone 2|Phone 2|Address Name|Name & Address|Address & City|City, State|Delivery Boy Name|\
             Customer Code|Delivery Date|Shipping Method|Payment Zone|Shipping Zone|City Shipping|To City|\
             Warehouse Address City|Company Address State|Store Name (Delivery)|Delivery Partner Name",
        );
        are(&[
            (Id::DestinationType, "Address Type"),
            (Id::ShippingCharges, "Shipping Charges|Shipping rate"),
            (Id::ReturnPinCode, "Return Pincode"),
            (Id::SenderFirstName, "Sender Name"),
        ]);
        assert!(match_header("Customer Type").is_none() && match_header("State of Order").is_none());
        assert!(match_header("Order State").is_none());
    }

    #[test]
    fn the_price_of_one_piece_is_called_so_in_many_words() {
        are(&[(
            Id::Price,
            "Unit price tax incl|Selling Price Per Item|Price per unit|Unit Price (incl. tax)|Price incl. GST|Selling Price \
             (each)|sale_price_per_piece|Price per item incl tax|Item Price (tax inclusive)",
        )]);
        are_none(
            "Price per kg|Price per box|Total price per item|Shipping Charge per item|Unit price tax excl|Price tax|Tax per unit|Cost price per item|Weight per piece",
        );
    }
}
