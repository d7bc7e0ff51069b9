//! Columns that no field takes and that nobody may pass over: what says whether an order goes, and parts of its address.

use super::amount::AmountRole;
use super::matching::normalised;

/// Headers of a word that says how far an order is, without case, spaces and punctuation.
const STANDING: &[&str] = &[
    "status",
    "orderstatus",
    "currentstatus",
    "itemstatus",
    "lineitemstatus",
    "suborderstatus",
    "shipmentstatus",
    "shippingstatus",
    "deliverystatus",
    "dispatchstatus",
    "packingstatus",
    "processingstatus",
    "trackingstatus",
    "courierstatus",
    "awbstatus",
    "callstatus",
    "statusoforder",
    "stage",
    "orderstage",
    "fulfillment",
    "fulfilment",
    "fulfillmentstatus",
    "fulfilmentstatus",
];

/// Headers of cells that are filled once an order is sent, or is not to be sent: with a number, a day or a yes.
const DONE: &[&str] = &[
    "awb",
    "awbs",
    "awbno",
    "awbnos",
    "awbcode",
    "awbnumber",
    "awbnumbers",
    "courierawb",
    "courierawbnumber",
    "delhiveryawb",
    "courierawbno",
    "airwaybill",
    "airwaybillno",
    "airwaybillnumber",
    "waybill",
    "waybillno",
    "waybillnumber",
    "tracking",
    "trackingno",
    "trackingnos",
    "trackingnumber",
    "trackingnumbers",
    "trackingid",
    "trackingids",
    "trackingcode",
    "trackinglink",
    "trackingurl",
    "trackingdetails",
    "trackid",
    "trackno",
    "awbtrackingno",
    "awbtrackingnumber",
    "trackingawb",
    "couriertrackingno",
    "couriertrackingnumber",
    "shipmenttrackingno",
    "shipmenttrackingnumber",
    "consignmentno",
    "consignmentnumber",
    "cnno",
    "cnnumber",
    "docket",
    "docketno",
    "docketnumber",
    "lrno",
    "lrnumber",
    "podno",
    "podnumber",
    "shippedon",
    "shippedat",
    "shippeddate",
    "dateshipped",
    "dispatchedon",
    "dispatchedat",
    "dispatcheddate",
    "datedispatched",
    "despatchedon",
    "despatcheddate",
    "fulfilledat",
    "fulfilledon",
    "deliveredon",
    "deliveredat",
    "delivereddate",
    "datedelivered",
    "pickedupon",
    "pickedupat",
    "manifestedat",
    "manifestedon",
    "manifesteddate",
    "cancelledat",
    "cancelledon",
    "cancelleddate",
    "canceledat",
    "canceledon",
    "canceleddate",
    "datecancelled",
    "cancelreason",
    "cancellationreason",
    "returnedon",
    "returneddate",
    "refundedat",
    "refundedon",
    "refundeddate",
    "shipped",
    "isshipped",
    "dispatched",
    "isdispatched",
    "despatched",
    "delivered",
    "isdelivered",
    "fulfilled",
    "isfulfilled",
    "manifested",
    "pickedup",
    "handedover",
    "sent",
    "issent",
    "alreadysent",
    "booked",
    "isbooked",
    "alreadybooked",
    "cancel",
    "cancelled",
    "canceled",
    "iscancelled",
    "iscanceled",
    "returned",
    "refund",
    "refunded",
    "isrefunded",
    "isreturned",
    "rto",
    "hold",
    "onhold",
    "holdreason",
    "donotship",
    "donotsend",
    "dontship",
    "fraud",
    "duplicate",
    "isduplicate",
];

/// Parts of an address in the order in which they are written; those below [`AFTER_LINES`] stand before its first line.
const PARTS: &[(u8, &[&str])] = &[
    (10, &["flat", "flatno", "flatnumber", "apartment", "apartmentno", "apartmentnumber", "apt", "aptno", "unitno"]),
    (11, &["suite", "suiteno", "roomno", "shopno", "doorno", "doornumber", "officeno"]),
    (20, &["floor", "floorno", "floornumber"]),
    (30, &["wing", "tower", "towerno", "block", "blockno"]),
    (40, &["building", "buildingname", "buildingno", "apartmentname", "society", "societyname", "housename"]),
    (40, &["buildingnumber", "nameofbuilding"]),
    (50, &["house", "houseno", "housenumber", "plot", "plotno", "plotnumber", "streetno", "streetnumber"]),
    (50, &["houseflatno", "flathouseno", "houseflat", "flathouse", "houseorflatno", "housebuildingno", "hausnummer"]),
    (50, &["housenoflat", "housenoflatno", "flatnohouseno", "housenumberflat", "housenobuilding", "buildingnameno"]),
    (110, &["addressline3", "address3", "addr3", "addressthree"]),
    (111, &["addressline4", "address4", "addr4"]),
    (120, &["street", "streetname", "streetaddress", "street2", "lane", "road", "roadname", "cross", "adresszusatz"]),
    (120, &["crossroad", "crossstreet"]),
    (130, &["sector", "phase", "ward", "wardno"]),
    (140, &["locality", "area", "areaname", "colony", "neighbourhood", "neighborhood", "suburb", "barangay"]),
    (140, &["localityarea", "arealocality", "areacolony", "streetarea", "arealandmark", "nagar"]),
    (150, &["landmark", "nearestlandmark", "nearbylandmark", "nearby"]),
    (160, &["village", "villagename", "villagetown"]),
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

/// What a header means that no field takes.
#[must_use]
pub fn known_sign(header: &str) -> Option<AmountRole> {
    let bare = normalised(header);
    if STANDING.contains(&bare.as_str()) {
        return Some(AmountRole::Standing);
    }
    if DONE.contains(&bare.as_str()) {
        return Some(AmountRole::Done);
    }
    address_part(&bare).map(AmountRole::Address)
}

/// The place of a part of a receiver's address among the others.
fn address_part(bare: &str) -> Option<u8> {
    let place = |name: &str| PARTS.iter().find(|(_, names)| names.contains(&name)).map(|(place, _)| *place);
    let of_receiver = TO.iter().filter_map(|word| bare.strip_prefix(word)).find_map(place);
    let is_unclear = || bare.contains("address") && !NO_ADDRESS.iter().any(|word| bare.contains(word));
    place(bare).or(of_receiver).or_else(|| is_unclear().then_some(UNCLEAR_PART))
}

/// Words of a status that let an order go.
const READY: &[&str] = &[
    "new",
    "neworder",
    "open",
    "active",
    "created",
    "placed",
    "orderplaced",
    "orderreceived",
    "pending",
    "pendingorder",
    "pendingfulfillment",
    "pendingfulfilment",
    "pendingshipment",
    "pendingshipping",
    "pendingdispatch",
    "pendingpickup",
    "awaitingfulfillment",
    "awaitingfulfilment",
    "awaitingshipment",
    "awaitingdispatch",
    "awaitingpickup",
    "toship",
    "tobeshipped",
    "toshipped",
    "todispatch",
    "tobedispatched",
    "tobepacked",
    "tosend",
    "shipnow",
    "ready",
    "rts",
    "rtd",
    "readytoship",
    "readytodispatch",
    "readyforshipment",
    "readyforshipping",
    "readyfordispatch",
    "readyforpickup",
    "readytobeshipped",
    "readytobedispatched",
    "readytopack",
    "topack",
    "urgent",
    "processing",
    "inprocess",
    "inprogress",
    "packing",
    "packed",
    "confirm",
    "confirmed",
    "orderconfirmed",
    "codconfirmed",
    "codverified",
    "verified",
    "approved",
    "accepted",
    "acknowledged",
    "paid",
    "prepaid",
    "cod",
    "paymentreceived",
    "paymentdone",
    "invoiced",
    "billed",
    "instock",
    "unfulfilled",
    "unshipped",
    "notshipped",
    "notyetshipped",
    "notdispatched",
    "notyetdispatched",
    "notfulfilled",
    "ok",
    "okay",
    "neu",
    "offen",
    "bezahlt",
    "versandbereit",
    "nuevo",
    "pendiente",
    "pagado",
    "nouveau",
    "enattente",
    "nuovo",
];

/// Whether a word of a status says that the order is to be sent.
#[must_use]
pub fn is_ready(word: &str) -> bool {
    READY.contains(&normalised(word).as_str())
}

/// Whether a word in a column of what is done says that it is not done yet, or nothing at all.
#[must_use]
pub fn says_not_yet(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "",
        "no",
        "n",
        "false",
        "na",
        "nil",
        "none",
        "null",
        "not",
        "notyet",
        "notshipped",
        "notyetshipped",
        "notdispatched",
        "notyetdispatched",
        "notcancelled",
        "notgenerated",
        "tobegenerated",
        "tbd",
        "tba",
    ];
    if matches!(word, "No" | "no" | "NO" | "N" | "-" | "0" | "FALSE") {
        return true;
    }
    let bare = normalised(word);
    WORDS.contains(&bare.as_str()) || bare.bytes().all(|byte| byte == b'0')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::match_header;

    #[test]
    fn signs_mean_no_field() {
        for name in STANDING.iter().chain(DONE) {
            assert!(match_header(name).is_none(), "{name}");
        }
        assert_eq!(known_sign("Tracking No."), Some(AmountRole::Done));
        assert_eq!(known_sign("Order Status"), Some(AmountRole::Standing));
        assert_eq!(known_sign("House No"), Some(AmountRole::Address(50)));
        assert_eq!(known_sign("House No / Flat"), Some(AmountRole::Address(50)));
        assert_eq!(known_sign("Track ID"), Some(AmountRole::Done));
        assert_eq!(known_sign("Call Status"), Some(AmountRole::Standing));
        assert_eq!(known_sign("Address (contd.)"), Some(AmountRole::Address(UNCLEAR_PART)));
        assert_eq!(known_sign("Shipping Address Line 3"), Some(AmountRole::Address(110)));
        for other in
            ["Billing House No", "Return Area", "Colour", "Ship Date", "Email Address 3", "Billing Address", ""]
        {
            assert_eq!(known_sign(other), None, "{other}");
        }
    }

    #[test]
    fn words_that_let_an_order_go() {
        for word in
            ["New", "READY_TO_SHIP", "to ship", "Processing", "Not shipped", "Un-fulfilled", "Ready to be shipped"]
        {
            assert!(is_ready(word), "{word}");
        }
        for word in ["On Hold", "Unpaid", "Not confirmed", "Draft", "Booked", "Shipped", "CNL", "do not send", "?"] {
            assert!(!is_ready(word), "{word}");
        }
        assert!(says_not_yet("No") && says_not_yet("-") && says_not_yet("0.00") && !says_not_yet("Yes"));
    }
}
