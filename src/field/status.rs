//! Words of columns that say how far an order is: whether it goes, is over, or nobody can tell.

use super::day::day_at_end;
use super::listed::{CARRIERS, among, among_any, words};
use super::normalised::normalised;
use super::payment::{Payment, payment_word};

/// What a cell says of whether its order goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    /// Nothing: `-`, `NA`.
    Nothing,
    /// No: what the column is called is not so.
    No,
    /// Yes, and no more.
    Yes,
    /// That it is to go, or that something is still to be done: `Ready to ship`, `AWB pending`.
    Ready,
    /// That something is done, whatever that is: `Done`, `Completed`.
    Done,
    /// That a courier has it, or will fetch it: `Booked`, `Pickup scheduled`, `Label printed`.
    Booked,
    /// That it is sent, all of it, and no more: `Shipped via Delhivery`, `Delivered on 20/11`, `RTO`, `Refunded`.
    Sent,
    /// That it is cancelled, all of it, and no more.
    Cancelled,
    /// Anything else, or that it is not to go.
    Unclear,
}

/// A text with more is no word of a status.
const BYTES_MAX: usize = 60;

/// What may be done with an order before it leaves, in all forms.
const TASKS: &str = "ship shipped shipping shipment dispatch dispatched dispatching despatch despatched send sent \
    pack packed packing fulfil fulfill fulfilled fulfillment fulfilment deliver delivered delivery pickup pick picked \
    up picking book booked booking label labels awb awbs tracking courier manifest manifested process processed \
    processing invoice invoicing invoiced bill billing billed print printed printing generate generated generation \
    assign assigned allocate allocated allot allotted create created handover waybill docket allotment assignment \
    shipround started";

/// States in which an order may go, in one word.
const GOOD: &str = "new neworder fresh today open active live created placed received recd ready rts rtd urgent \
    express priority confirm confirmed verified approved accept accepted acknowledged ordered conf cnf cnfm repeat \
    paid prepaid cod success successful ok okay fine good scheduled process processing processed progress inprocess \
    inprogress packing packed wrapped invoiced billed stock instock available assigned allocated unfulfilled \
    unshipped unbooked undispatched unpacked undispatch go ship send dispatch pack called printed partial_stock neu \
    offen bezahlt versandbereit nuevo pendiente pagado nouveau enattente nuovo";

/// What says that a task is still to be done.
const OPEN: &str = "pending awaiting await waiting awaited to tobe not yet un remaining due pend";

/// Words that change nothing.
const FILLERS: &str = "order orders is are be the a an for in of and now today asap immediately please pls on by via \
    call phone whatsapp sms wa customer client from our side team payment stage status it this with has been was all \
    ok done processing manually";

/// Over, as the layouts of shops say it.
const SENT: &str = "shipped dispatched despatched delivered fulfilled rto returned refunded sent intransit restocked";

/// What may stand before a word that an order is over, and after it.
const BEFORE_OVER: &str = "already order orders ord customer cust client buyer has have been was is are the it parcel \
    shipment consignment got fully";

const BESIDE_OVER: &str = "order orders ord already parcel shipment consignment successfully fully full in to \
    customer customers cust client buyer today yesterday initiated received done ok out for delivery transit picked \
    up handed over and completely";

/// Who did it.
const DOERS: &str = "customer cust cx client buyer us me seller shop admin staff courier office team warehouse hand";

/// Why an order is cancelled.
const REASONS: &str = "oos unavailable due because of as at the reason request requested changed change mind denied \
    refused rejected fake fraud test unreachable refunded price high delay delayed late rnr cnr dnp issue";

/// What is denied in such a reason.
const DENIED: &str = "stock reachable available interested response required needed answering answer picking \
    serviceable deliverable paid responding";

/// What carriers are called beside, in words that may mean other things.
const COURIERS: &str =
    "blue dart ecom express pickrr india post speed ups aramex professional shree maruti anjani courier";

/// What is made for a parcel once it is booked, and what says that it was.
const PAPERS: &str = "label labels awb awbs waybill docket tracking manifest shipment airwaybill";

const MADE: &str =
    "generated printed created made assigned allotted allocated done generate booked ready received pasted";

const CANCELLED: &str = "cancelled canceled cancel cancelled canceld cancled cnl cancellled";

/// What a cell of a column of states says.
#[must_use]
pub fn says(text: &str) -> Says {
    if let Some(plain) = plain(text) {
        return plain;
    }
    // `❌ shipped` is not shipped.
    if text.len() > BYTES_MAX || text.contains('?') || text.contains(CROSSES) {
        return Says::Unclear;
    }
    // Figures alone are a day, or nothing that anybody can tell.
    if !text.contains(char::is_alphabetic) {
        return Says::Unclear;
    }
    // The day may be one that is still to come, which the reader sees.
    let text = day_at_end(text).map_or(text, |(before, _)| before);
    let words: Vec<String> = words(text).collect();
    let bare: String = words.concat();
    if bare.is_empty() {
        return Says::Unclear;
    }
    let is = |list: &str| words.iter().any(|word| among(list, word));
    if is("un") && words.len() == 2 && among(TASKS, &words[1]) {
        return Says::Ready;
    }
    if among(GOOD, &bare) || bare == "pending" {
        return Says::Ready;
    }
    if let Some(over) = over(&words) {
        return over;
    }
    if matches!(bare.as_str(), "senttopacking" | "senttopack" | "sentforpacking") {
        return Says::Ready;
    }
    if is_booked(&words) {
        return Says::Booked;
    }
    if matches!(payment_word(text), Some(Payment::Prepaid | Payment::Cod)) {
        return Says::Ready;
    }
    match bare.as_str() {
        "done" | "complete" | "completed" | "finished" => Says::Done,
        _ if is_ready(&words) => Says::Ready,
        _ => Says::Unclear,
    }
}

/// Whether words say that an order is to go, or that something is still to be done with it.
fn is_ready(words: &[String]) -> bool {
    let is = |list: &str| words.iter().any(|word| among(list, word));
    let all = |lists: &[&str]| words.iter().all(|word| among_any(lists, word));
    let open = is(OPEN);
    // `Payment pending` and `Awaiting confirmation` are no tasks of those who pack; `Not to be shipped` is none at all.
    let others = is("payment call customer client confirm confirmed");
    let negated = words.iter().position(|word| word == "not").map(|index| &words[index + 1..]);
    let undone = |rest: &[String]| {
        let task = rest.iter().find(|word| !among("yet been", word));
        // What is not picked up yet waits for the courier, who has its number.
        task.is_some_and(|task| among(TASKS, task) && task != "picked")
    };
    let denied = negated.is_some_and(|rest| !undone(rest));
    let has_task = is(TASKS) || is("pending");
    if open && has_task && !others && !denied && all(&[TASKS, OPEN, FILLERS, "ready paid prepaid cod new"]) {
        return true;
    }
    let good = is(GOOD) || (is("order") && is("received placed"));
    let named = by_name(words);
    let all_but_name = |lists: &[&str]| {
        let kept = words.len() - if named { 2 } else { 0 };
        words.iter().take(kept).all(|word| among_any(lists, word))
    };
    if good
        && !open
        && all_but_name(&[GOOD, FILLERS, CARRIERS, COURIERS, "pickup picked shipping shipment dispatch shipped"])
        && !is(SENT)
    {
        return true;
    }
    // `Paid - to ship` says both.
    let to = words.iter().position(|word| word == "to").map(|index| &words[index + 1..]);
    let to_task = to.is_some_and(|rest| rest.iter().find(|word| *word != "be").is_some_and(|task| among(TASKS, task)));
    if good && to_task && !denied && all(&[GOOD, FILLERS, TASKS, "to"]) {
        return true;
    }
    let task_done = is("packing invoice invoicing billing call payment printing verification confirmation qc picking")
        && is("done complete completed finished ok printed generated success");
    task_done
        && all(&[
            FILLERS,
            TASKS,
            "complete completed finished label call verification confirmation qc generated success",
        ])
}

/// Signs that cross something out, and signs that tick it off.
const CROSSES: [char; 4] = ['❌', '✗', '✘', '☒'];

const TICKS: [char; 6] = ['✓', '✔', '✅', '☑', '👍', '👌'];

/// A cell that says no more than yes, no or nothing.
fn plain(text: &str) -> Option<Says> {
    let bare = normalised(text);
    if bare.is_empty() {
        return Some(symbols(text));
    }
    let says = match bare.as_str() {
        "na" | "nil" | "none" | "null" | "tbd" | "tba" | "nan" => Says::Nothing,
        "no" | "n" | "false" | "not" | "notyet" | "notdone" | "notcancelled" | "notcanceled" | "notreturned"
        | "notrefunded" | "notonhold" => Says::No,
        "1" if text.starts_with('-') => return None,
        "yes" | "y" | "true" | "1" => Says::Yes,
        _ if bare.bytes().all(|byte| byte == b'0') => Says::No,
        _ => return None,
    };
    Some(if text.contains('?') || text.contains(CROSSES) { Says::Unclear } else { says })
}

/// What signs say that are neither letters nor figures: `-` is blank, and what nobody can tell is not.
fn symbols(text: &str) -> Says {
    // Quotes stand for what is written above.
    const BLANK: &str = "-_./\\,:;`~()[]|–—−‐‑―·…=";
    if text == "'" {
        return Says::Nothing;
    }
    match (text.contains(TICKS), text.contains(CROSSES)) {
        (true, false) if !text.contains('?') => Says::Yes,
        (false, true) if !text.contains('?') => Says::No,
        (false, false) if text.chars().all(|c| BLANK.contains(c) || c.is_whitespace()) => Says::Nothing,
        _ => Says::Unclear,
    }
}

/// Whether the last words are who did it: `Confirmed by Ravi`, and not `confirmed by Monday`.
fn by_name(words: &[String]) -> bool {
    const NO_NAMES: &str = "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun \
        today tomorrow tonight evening morning noon night week month diwali holi eid rakhi christmas puja pooja \
        navratri dussehra onam pongal then now next date end";
    let [.., done, by, name] = words else { return false };
    by == "by"
        && among("confirmed verified approved packed called accepted received checked conf", done)
        && name.chars().all(char::is_alphabetic)
        && !among(NO_NAMES, name)
}

/// Whether a courier has the order, or will fetch it: it is booked there.
fn is_booked(words: &[String]) -> bool {
    let at = |index: usize| words.get(index).map_or("", String::as_str);
    let denied = |index: usize| {
        let before = index.checked_sub(1).map_or("", at);
        among("not be to yet un never without no non", before)
            || (before == "been" && words.iter().any(|word| word == "not"))
    };
    let is = |list: &str| words.iter().any(|word| among(list, word));
    let made = (0..words.len()).any(|index| among(MADE, at(index)) && !denied(index));
    let fetched = words.iter().enumerate().any(|(index, word)| {
        let pick = among("pick picked picking", word) && among("up ups", at(index + 1));
        // `Ready for pickup` is said by those who pack.
        (pick || word == "pickup" || word == "pickups") && !words.iter().take(index).any(|word| word == "ready")
    });
    let booked = (0..words.len()).any(|index| {
        let given = among("booked manifested", at(index));
        let handed = among("assigned handed given allocated allotted", at(index)) && (is(CARRIERS) || is(COURIERS));
        (given || handed) && !denied(index)
    });
    // `Dispatch done`, `Booking completed`.
    let ended = (0..words.len()).any(|index| {
        let next = if among("is was has been all", at(index + 1)) { at(index + 2) } else { at(index + 1) };
        among(
            "dispatch despatch shipping shipment ship delivery booking courier handover fulfillment fulfilment",
            at(index),
        ) && among("done completed complete finished over ok success successful", next)
    });
    fetched || booked || ended || (is(PAPERS) && made)
}

/// Whether words say plainly that an order is over, and nothing else: a part of it, a time by which it is to be so, and
/// what is to be done instead are other words.
fn over(words: &[String]) -> Option<Says> {
    let start = words.iter().position(|word| !among(BEFORE_OVER, word))?;
    let words: Vec<&str> = words.iter().skip(start).map(String::as_str).collect();
    let found = match words.as_slice() {
        ["cancel"] | ["cancel", "order" | "ord"] => return Some(Says::Cancelled),
        [first, ..] if among(CANCELLED, first) => Says::Cancelled,
        [first, ..] if among(SENT, first) => Says::Sent,
        ["in", "transit", ..] | ["picked", "up", ..] | ["handed", "over", ..] | ["out", "for", "delivery", ..] => {
            Says::Sent
        }
        _ => return None,
    };
    // Why a parcel came back is told; what is wrong with one that is sent may be a reason to send another one.
    let goes_out =
        !matches!(words.as_slice(), [first, ..] if among(CANCELLED, first) || among("rto returned refunded", first));
    let mut rest = words.as_slice();
    loop {
        rest = match rest {
            [] => return Some(found),
            ["via" | "through" | "thru", names @ ..] if (1..=2).contains(&names.len()) => {
                let are_names = names.iter().all(|name| name.chars().all(char::is_alphabetic));
                return are_names.then_some(found);
            }
            ["by", who, rest @ ..] if among_any(&[DOERS, CARRIERS, COURIERS], who) => rest,
            ["out", "of", "stock", rest @ ..]
            | ["on", "call" | "phone", rest @ ..]
            | ["payment", "failed", rest @ ..]
                if found == Says::Cancelled =>
            {
                rest
            }
            // A refund may be what was cancelled.
            ["refund", done, rest @ ..]
                if found == Says::Cancelled && among("done initiated processed issued given completed", done) =>
            {
                rest
            }
            ["no" | "not", what, rest @ ..] if !goes_out && among(DENIED, what) => rest,
            [why, rest @ ..] if found == Says::Cancelled && among(REASONS, why) => rest,
            [why, rest @ ..] if !goes_out && among("refused denied rejected unreachable origin", why) => rest,
            ["cod", rest @ ..] if found == Says::Sent => rest,
            [word, rest @ ..] if among_any(&[BESIDE_OVER, SENT, CANCELLED, CARRIERS, COURIERS], word) => rest,
            _ => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_states() {
        const CASES: &[(Says, &str)] = &[
            (
                Says::Ready,
                "New/READY_TO_SHIP/to ship/Processing/Not shipped/Un-fulfilled/Ready to be \
                 shipped/Pending/Received/Order received/Urgent/To Pack/Invoiced/Billed/Success/Payment done/Payment \
                 received/COD verified/COD confirmed/AWB pending/Label pending/Awaiting fulfillment/Scheduled/In \
                 stock/Paid - to ship/Confirmed on call/Whatsapp confirmed/Dispatch today/To be packed/Not yet \
                 dispatched/Not delivered/To be generated/not generated/Ready for pickup/Packed/Packing done/Call \
                 done/Assigned/Order placed/Ship now/Ready/RTS/Confirm/In progress/Label to be printed/ready to \
                 pack/Order Confirmed/Tracking awaited/Paid/COD/Unshipped/Shipping pending/To dispatch today/Pending \
                 - to be packed/Paid online/Ready - Delhivery/Ready 21-11/Confirmed 21-11/confirmed by \
                 Ravi/Ordered/Conf/Repeat/Booking pending/To be booked/Not booked/Awaiting AWB/AWB not \
                 generated/Unbooked/Sent to packing/Payment recd",
            ),
            (Says::Done, "Done/Completed/complete"),
            (
                Says::Sent,
                "Shipped/DISPATCHED/Delivered/Shipped via Delhivery/Shipped 20-11/Shipped on 20 Nov 2026/RTO/RTO \
                 Delivered/RTO Initiated/In transit/Out for delivery/Picked up/Already shipped/Order \
                 shipped/Returned/Refunded/Returned by customer/Order delivered/Shipped through Ravi/Shipped - \
                 Delhivery/Delivered by courier/Handed over to courier/Picked up by Delhivery/Returned to origin/RTO \
                 - refused/Delivered - COD received/RTO - customer not reachable",
            ),
            (
                Says::Cancelled,
                "Cancelled/canceled/Cancelled by customer/Order cancelled/CNL/Customer cancelled/cancel/Cancelled - \
                 RTO/Cancelled - out of stock/Cancelled (OOS)/Cancelled - customer not reachable/cancelled by \
                 customer - changed mind/Cancelled due to no stock/Cancelled, refund done/cancelled at customer \
                 request/Cancelled on call",
            ),
            (
                Says::Booked,
                "Booked/Booked - pickup pending/Booked via Delhivery/Pickup scheduled/Scheduled for pickup/Pickup \
                 assigned/Pickup generated/Assigned to courier/Awaiting pickup/Waiting for pickup by courier/Pickup \
                 pending/Label generated/Label printed pickup pending/Label created/AWB assigned/Courier \
                 assigned/Manifested/Manifest generated/Picked up from vendor/Shipment created/AWB generated, \
                 dispatch pending/To be picked up/Dispatch done/Booking completed/Shipping is done",
            ),
            (Says::Yes, "Yes/y/TRUE/1/✓/✔/☑/✅/✔️"),
            (Says::No, "No/n/FALSE/0/0.00/Not yet/Not cancelled/❌/✗/✘/☒"),
            (Says::Nothing, "-/NA/n.a./nil/—/./--"),
            (
                Says::Unclear,
                "\"/''/〃/-\"-/On Hold/Unpaid/Not confirmed/Draft/x/★/!/*/❌ shipped/do not send/???/Payment \
                 pending/Awaiting payment/Partially shipped/Hold - call customer/Out of \
                 stock/Unconfirmed/Confirmation pending/Cancellation requested/Fraud/Duplicate/Tomorrow/Ship \
                 tomorrow/Ship later/Refund pending/Stock pending/Address pending/Undelivered/Delivery failed/Not \
                 reachable/Do not ship/Don't send/Wait/Shipped?/Call pending/Payment failed/Not in stock/Awaiting \
                 confirmation/Ship after Diwali/Not ready/To be confirmed/Approval pending/Not to be shipped/To be \
                 cancelled/not paid/No stock/Dispatched 1 of 2/Shipped - 1 item balance/Cancelled one item/Cancelled \
                 1 qty/Cancelled kurta only/Returned by courier, send new/Returned - change address/Delivered by 25 \
                 Nov/Delivered by Diwali/Sent for printing/Sent payment link/In transit from supplier/Refunded 100 \
                 excess paid/Cancel reversed/Customer cancelled cancellation/Delivered on 25 Nov must/Delivered on \
                 Monday/Cancelled but reship/Shipped again/Confirmed by Monday/20-11/Shipped 149081234/Item \
                 cancelled/Returned balance/Cancelled - no/Not cancelled now/Cancelled - send again/Delivered - \
                 refused/Returned - wrong size/Cancelled old address/Cancelled stock item/Shipped - out of \
                 stock/Cancelled duplicate order/Cancelled refund/Cancelled payment",
            ),
        ];
        let mut wrong = Vec::new();
        for (means, texts) in CASES {
            let told = texts.split('/').map(|text| (text, says(text)));
            wrong.extend(told.filter(|(_, said)| said != means));
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
