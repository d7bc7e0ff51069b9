//! Columns that no field takes and that nobody may pass over: what says whether an order goes.

use super::header_words::Words;
use super::listed::{CARRIERS, among, among_any};
use super::normalised::normalised;
use super::payment::names_payment_state;
use super::place::address_part;
use super::role::{AmountRole, Ready, Sign};

/// Words that may stand around those of a sign.
const AROUND: &str = "order orders is the has been was are our your all item items line lineitem sub current final of \
    y n yes no flag already customer parcel product";

/// What a status may be of.
const TASKS: &str = "packing pack packed call calling invoice invoicing billing print printing \
    picking qc cod process processing payment whatsapp address production";

/// What a status is of that says nothing of whether an order goes: of people, taxes, letters and papers.
const NO_STATUS: &str = "membership member gst gstin tax kyc account customer client buyer subscription subscriber \
    marital vip loyalty tier email mail sms notification newsletter marketing consent employment user registration \
    login feedback review rating warranty serviceability pincode pin zone risk social relationship family civil \
    health visa residency resident citizenship seller vendor supplier store shop campaign lead crm audit insurance \
    einvoice eway ewaybill irn contact number phone stamp message";

/// What has to be so before an order goes.
const CONFIRMING: &str = "confirmation verification approval ivr";

/// What is sent, in the words of its status.
const SENDING: &str = "label labels shipment shipping ship shipped delivery deliver dispatch despatch dispatched \
    courier tracking booking awb manifest fulfillment fulfilment fulfil fulfill pickup transit carrier logistics";

const STOPPING: &str = "return returns refund refunds rto cancellation cancel cancelled canceled cancelation hold \
    fraud duplicate void rejected rejection";

/// Participles that a yes makes true.
const SENT: &str = "shipped dispatched despatched delivered fulfilled";

const OVER: &str = "cancelled canceled returned refunded";

const NUMBERS: &str = "awb awbs awbno waybill airwaybill airway docket tracking lr consignment";

/// More carriers: a number of theirs is that of a shipment.
const SENDERS: &str = "pickrr aramex ithink shipway";

/// What stands beside the number of a shipment.
const BESIDE_NUMBERS: &str = "no nos number numbers num id ids code link url details detail courier air way bill \
    bills ref reference consignment shipment generated barcode delhivery bluedart blue dart dtdc xpressbees ekart \
    ecom express shadowfax shiprocket nimbuspost pickrr indiapost india post speed fedex dhl gati ups aramex \
    professional trackon shree maruti tirupati delivery partner carrier assigned forward receipt lr cn and date dt";

const WHEN: &str = "on at date dt time via by day datetime";

/// Headers in one word, and others that no rule has.
const NAMED: &[(Sign, &str)] = &[
    (
        Sign::State,
        "status stage orderstatus currentstatus itemstatus suborderstatus statusoforder orderstage lineitemstatus \
         state_of_order orderstate stateoforder",
    ),
    (
        Sign::Sent { plain: false },
        "shipmentstatus shippingstatus deliverystatus dispatchstatus trackingstatus courierstatus awbstatus \
         fulfillment fulfilment fulfillmentstatus fulfilmentstatus dispatch despatch dispatching booking booked \
         isbooked alreadybooked manifested pickedup handedover handover sent issent alreadysent done deliveredby",
    ),
    (
        Sign::Number,
        "awbcode awbnumber awbnumbers courierawb courierawbnumber delhiveryawb courierawbno airwaybillno \
         airwaybillnumber waybillno waybillnumber trackingno trackingnos trackingnumber trackingnumbers trackingid \
         trackingids trackingcode trackinglink trackingurl trackingdetails trackid trackno trackurl tracklink \
         awbtrackingno awbtrackingnumber trackingawb couriertrackingno couriertrackingnumber shipmenttrackingno \
         shipmenttrackingnumber consignmentno consignmentnumber consignmentid cnno cnnumber docketno docketnumber \
         lrno lrnumber podno podnumber pod lr shipmentid shipmentno shipmentnumber",
    ),
    (
        Sign::Stop { over: false },
        "cancel hold onhold holdreason donotship donotsend dontship dontsend rto fraud duplicate isduplicate return \
         refund cancelreason cancellationreason cancellation stopshipment blocked blacklisted void skip exclude \
         excluded omit donotprocess dontprocess donotbook",
    ),
    (
        Sign::Ready(Ready::Confirmed),
        "confirmed confirmation confirm orderconfirmed orderconfirmation customerconfirmed customerconfirmation \
         codconfirmed codconfirmation codverified codverification verified verification approved approval ivr \
         ivrstatus ivrconfirmation",
    ),
    (
        Sign::Ready(Ready::Go),
        "ship toship tobeshipped send tosend tobesent todispatch tobedispatched readytoship readytodispatch \
         readytosend shipnow oktoship cleartoship active isactive ready isready include included process toprocess \
         tobeprocessed book tobook shiptoday dispatchtoday sendtoday topack",
    ),
    (
        Sign::Ready(Ready::Stock),
        "stock instock stockstatus stockavailable stockavailability available availability stockqty qtyavailable \
         availableqty stockquantity quantityavailable inventory stockinhand instockqty currentstock availablestock",
    ),
];

/// What a header says which way orders go by, and what that may be of.
const KINDS: &str = "type direction movement kind nature category mode flow journey leg";

const KINDS_OF: &str = "order orders shipment shipping delivery pickup pick up service transaction trans txn \
    logistics courier consignment parcel of the is";

/// What a yes says of a parcel that does not go from the seller to the customer alone.
const BACKWARDS: &str = "reverse rvp exchange";

/// Whether a header says which way orders go: to the customer, or back.
#[must_use]
pub fn names_kind(header: &str) -> bool {
    let words = Words::of(header);
    let every: Vec<&str> = words.without("y n yes no flag").collect();
    let has = |list: &str| every.iter().any(|word| among(list, word));
    let all = |lists: &[&str]| every.iter().all(|word| among_any(lists, word));
    let backwards = has(BACKWARDS) || (has("return returns") && has("pickup pick"));
    (has(KINDS) && all(&[KINDS, KINDS_OF, BACKWARDS, "return"]))
        || (backwards && all(&[BACKWARDS, KINDS_OF, "return returns"]))
}

/// What a header means that no field takes.
#[must_use]
pub fn known_sign(header: &str) -> Option<AmountRole> {
    let bare = normalised(header);
    match sign(header, &bare) {
        Some(sign) => Some(AmountRole::Sign(sign)),
        None => address_part(header, &bare).map(AmountRole::Address),
    }
}

/// What a header says of whether orders go.
fn sign(header: &str, bare: &str) -> Option<Sign> {
    if names_payment_state(header) {
        return Some(Sign::Payment);
    }
    let named = |name: &str| {
        let known = NAMED.iter().find(|(_, names)| among(names, name));
        known.map(|(sign, _)| *sign)
    };
    let words = Words::of(header);
    // `Shipped (Y/N)`, `Is the order confirmed?`
    let core: Vec<&str> = words.without(AROUND).collect();
    let joined = core.concat();
    let every: Vec<&str> = words.without("").collect();
    let any = |list: &str| every.iter().any(|word| among(list, word));
    // `Booking No` is the order's own.
    if any("booking booked") && any("no number num id ref code by via") && !any("y yes") {
        return None;
    }
    if let Some(sign) = named(bare).or_else(|| named(&joined)) {
        return Some(sign);
    }
    let all = |lists: &[&str]| core.iter().all(|word| among_any(lists, word));
    let has = |list: &str| core.iter().any(|word| among(list, word));
    if core.is_empty() {
        return None;
    }
    if has("status stage") && all(&["status stage", TASKS, SENDING, STOPPING, CONFIRMING, "stock qty"]) {
        return Some(match () {
            () if has(STOPPING) => Sign::Stop { over: false },
            () if has(CONFIRMING) => Sign::Ready(Ready::Confirmed),
            () if has("stock qty") => Sign::Ready(Ready::Stock),
            () if has(SENDING) => Sign::Sent { plain: false },
            () => Sign::Task,
        });
    }
    // How far anything else is may be how far the order is: `Job Status`, `Work Status`.
    if core.len() <= 3 && core.last() == Some(&"status") && !any(NO_STATUS) {
        return Some(Sign::Task);
    }
    if has(NUMBERS) && all(&[NUMBERS, BESIDE_NUMBERS]) {
        return Some(Sign::Number);
    }
    // `Speed Post No`, `Courier Receipt No`, `Shiprocket ID`.
    let of_carrier = has(CARRIERS) || has(SENDERS) || joined.contains("speedpost") || joined.contains("indiapost");
    let counted = any("no number num id ids ref receipt slip code");
    let of_parcel =
        (has("courier parcel") && has("receipt slip")) || (has("label") && has("shipping shipment courier"));
    if counted
        && (of_carrier || of_parcel)
        && all(&[CARRIERS, SENDERS, BESIDE_NUMBERS, "slip shipping label", "parcel"])
    {
        return Some(Sign::Number);
    }
    let ended = has("cancel cancellation cancelled return refund rto") && has("date dt on at datetime time");
    if ended && all(&["cancel cancellation return refund rto date dt on at datetime time"]) {
        return Some(Sign::Stop { over: false });
    }
    if has(OVER) && all(&[OVER, WHEN, "reason remark remarks"]) {
        return Some(Sign::Stop { over: true });
    }
    if has(SENT) && all(&[SENT, WHEN, "qty"]) && !has("qty by via") {
        return Some(Sign::Sent { plain: true });
    }
    if has("sent picked manifested handed booked")
        && all(&["sent picked manifested handed booked up over", WHEN])
        && !has("by via")
    {
        return Some(Sign::Sent { plain: false });
    }
    let day = has("date dt day") && has("dispatch despatch shipping ship shipment");
    (day && all(&["dispatch despatch shipping ship shipment date dt day"])).then_some(Sign::Day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{UNCLEAR_PART, match_header};

    #[test]
    fn signs_mean_no_field() {
        for name in NAMED.iter().flat_map(|(_, names)| names.split_ascii_whitespace()) {
            assert!(match_header(name).is_none(), "{name}");
        }
    }

    #[test]
    fn headers_that_say_which_way_orders_go() {
        for header in "Type|Shipment Type|Order Type|Direction|Movement|Pickup Type|Delivery Type|Transaction \
            Type|Service Type|Reverse Pickup|Return Pickup|Is Reverse|RVP|Exchange|Exchange (Y/N)|Reverse|Is \
            Exchange|Shipment Direction|Return Type"
            .split('|')
        {
            assert!(names_kind(header), "{header}");
        }
        for header in "Product Type|Customer Type|Pickup Date|Pickup Location|Exchange Amount|Return \
            Address|Order|Delivery|Payment Type|Fabric Type|Reverse Charge|Typed By|Return Pickup Address"
            .split('|')
        {
            assert!(!names_kind(header), "{header}");
        }
    }

    #[test]
    fn headers_that_decide_whether_an_order_goes() {
        const CASES: &[(Sign, &str)] = &[
            (Sign::State, "Status/Order Status/Order State/Stage/Current Status/Line Item Status/Order stage"),
            (
                Sign::Task,
                "Packing Status/Call Status/Invoice Status/COD Status/Job Status/Work Status/Stitching \
                 Status/Production Status/Quality Check Status",
            ),
            (
                Sign::Sent { plain: false },
                "Shipment Status/Dispatch/Dispatch Status/Delivery Status/Booking Status/Booked/Sent/Sent \
                 On/Delivered By/Fulfillment Status/Courier Status/Picked Up At/Manifested On",
            ),
            (
                Sign::Sent { plain: true },
                "Shipped/Dispatched/Despatched/Delivered On/Shipped Date/Is Shipped/Shipped (Y-N)/Fulfilled at",
            ),
            (
                Sign::Number,
                "AWB/AWB No./Tracking No/Track ID/Delhivery AWB/AWB (Blue Dart)/Docket No/Consignment \
                 Number/Waybill/LR No/Shipment ID/Courier AWB/Airway Bill/Tracking Link/awbNumber/DTDC Tracking ID/LR \
                 - AWB/Consignment/Speed Post No/Docket Date/Courier Receipt No/Shiprocket ID/Shipping Label No/India \
                 Post No",
            ),
            (Sign::Day, "Dispatch Date/Despatch Date/Ship Date/Shipping Date"),
            (
                Sign::Stop { over: false },
                "Cancel/Cancel?/Hold/On Hold/Return/Refund/RTO/Refund Status/Return Status/Do not ship/Fraud/Cancel \
                 Date/Cancellation Date/Return Date/Refund Date",
            ),
            (
                Sign::Stop { over: true },
                "Cancelled/Cancelled At/Canceled on/Returned/Refunded/Refunded Date/Is Cancelled",
            ),
            (
                Sign::Ready(Ready::Confirmed),
                "Confirmed/Confirmation/Confirmed?/Customer Confirmed/COD Verified/Order Confirmed (Y-N)/Confirmation \
                 Status/COD Verification Status",
            ),
            (Sign::Ready(Ready::Go), "Ship?/To Ship/Send/Ready to ship/Active/Ready?/Include/Ship Today"),
            (Sign::Ready(Ready::Stock), "Stock/In Stock/Stock Status/Stock Qty"),
            (Sign::Payment, "Payment Status/Financial Status"),
        ];
        for (means, headers) in CASES {
            for header in headers.split('/').filter(|header| *header != "N)") {
                assert_eq!(known_sign(header), Some(AmountRole::Sign(*means)), "{header}");
            }
        }
        const NONE: &str = "Colour|Email Address 3|Billing Address||Return Area|Ship By|Dispatch By|Expected Delivery \
            Date|Delivery Date|Delivery Slot|Refund Amount|Return Address|Shipped By|Shipped Via|Stock Location|Call \
            Notes|Pickup Date|Membership Status|GST Status|KYC Status|Marital Status|Email Status|Refund \
            Policy|Cancelled Qty|Return Qty|Delivery Boy|Shipping Zone|Packed|Packed By|Confirmed By|Booking \
            No|Booking ID|Consignment Value|Courier Name|Courier Code|Order|Item|Invoice Sent|Shipping Label";
        for header in NONE.split('|') {
            let sign = known_sign(header).filter(|role| matches!(role, AmountRole::Sign(_)));
            assert_eq!(sign, None, "{header}");
        }
        assert_eq!(known_sign("House No"), Some(AmountRole::Address(50)));
        assert_eq!(known_sign("Address (contd.)"), Some(AmountRole::Address(UNCLEAR_PART)));
        assert_eq!(known_sign("Billing House No"), None);
    }
}
