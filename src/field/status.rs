//! Words of columns that say how far an order is: whether it goes, is over, or nobody can tell.

use super::matching::normalised;

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
    /// That it is sent: `Shipped`, `Delivered on Monday`, `RTO`, `Returned`, `Refunded`.
    Sent,
    /// That it is cancelled.
    Cancelled,
    /// Anything else, or that it is not to go.
    Unclear,
}

/// A text with more is no word of a status.
const BYTES_MAX: usize = 60;

/// What may be done with an order before it leaves, in all forms.
const TASKS: &str = "ship shipped shipping shipment dispatch dispatched dispatching despatch despatched send sent pack \
    packed packing fulfil fulfill fulfilled fulfillment fulfilment deliver delivered delivery pickup pick picked up picking book \
    booked booking label labels awb awbs tracking courier manifest manifested process processed processing invoice \
    invoicing invoiced bill billing billed print printed printing generate generated generation assign assigned \
    allocate allocated allot allotted create created handover waybill docket allotment assignment shipround started";

/// States in which an order may go, in one word.
const GOOD: &str = "new neworder fresh today open active live created placed received ready rts rtd urgent express priority confirm confirmed \
    verified approved accept accepted acknowledged paid prepaid cod success successful ok okay fine good scheduled \
    process processing processed progress inprocess inprogress packing packed wrapped invoiced billed stock instock available assigned \
    allocated unfulfilled unshipped undispatched unpacked undispatch go ship send dispatch pack called printed partial_stock neu offen bezahlt versandbereit \
    nuevo pendiente pagado nouveau enattente nuovo";

/// What says that a task is still to be done.
const OPEN: &str = "pending awaiting await waiting awaited to tobe not yet un remaining due pend";

/// Words that change nothing.
const FILLERS: &str = "order orders is are be the a an for in of and now today asap immediately please pls on by via \
    call phone whatsapp sms wa customer client from our side team payment stage status it this with has been was all ok \
    done processing manually";

/// Over, as the layouts of shops say it.
const SENT: &str = "shipped dispatched despatched delivered fulfilled rto returned refunded sent intransit restocked";

const CANCELLED: &str = "cancelled canceled cancel cancelled canceld cancled cnl cancellled";

/// What makes a word of these lists doubtful: a part of it only, or before it is so.
const DOUBT: &str = "partial partially partly part half some except but not no never un undo request requested \
    may maybe if unless failed failure error tried attempt attempted wrong hold ask check query problem issue again reship \
    resend re-ship redispatch replacement exchange expected will to tobe yet pending awaiting await waiting ready soon tomorrow later";

fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    parts.map(str::to_lowercase).collect()
}

fn among(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

/// What a cell of a column of states says.
#[must_use]
pub fn says(text: &str) -> Says {
    if let Some(plain) = plain(text) {
        return plain;
    }
    if text.len() > BYTES_MAX || text.contains('?') {
        return Says::Unclear;
    }
    let words = words(text);
    let bare: String = words.concat();
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
    match bare.as_str() {
        "done" | "complete" | "completed" | "finished" => return Says::Done,
        _ => {}
    }
    let all = |lists: &[&str]| words.iter().all(|word| lists.iter().any(|list| among(list, word)));
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
        return Says::Ready;
    }
    let good = is(GOOD) || (is("order") && is("received placed"));
    let waits = is("pickup picked") && !is("ready");
    if good
        && !open
        && !waits
        && all(&[GOOD, FILLERS, "pickup picked shipping shipment dispatch shipped repeat"])
        && !is(SENT)
    {
        return Says::Ready;
    }
    // `Paid - to ship` says both.
    let to = words.iter().position(|word| word == "to").map(|index| &words[index + 1..]);
    let to_task = to.is_some_and(|rest| rest.iter().find(|word| *word != "be").is_some_and(|task| among(TASKS, task)));
    if good && to_task && !denied && all(&[GOOD, FILLERS, TASKS, "to"]) {
        return Says::Ready;
    }
    let task_done = is("packing invoice invoicing billing call payment printing verification confirmation qc picking")
        && is("done complete completed finished ok printed generated success");
    if task_done
        && all(&[
            FILLERS,
            TASKS,
            "complete completed finished label call verification confirmation qc generated success",
        ])
    {
        return Says::Ready;
    }
    Says::Unclear
}

/// A cell that says no more than yes, no or nothing.
fn plain(text: &str) -> Option<Says> {
    let bare = normalised(text);
    if bare.is_empty() && text.contains('?') {
        return None;
    }
    let says = match bare.as_str() {
        "" | "na" | "nil" | "none" | "null" | "tbd" | "tba" | "nan" => Says::Nothing,
        "no" | "n" | "false" | "not" | "notyet" | "notdone" | "notcancelled" | "notcanceled" | "notreturned"
        | "notrefunded" | "notonhold" => Says::No,
        "yes" | "y" | "true" | "1" | "x" => Says::Yes,
        _ if bare.bytes().all(|byte| byte == b'0') => Says::No,
        _ if matches!(text.trim(), "✓" | "✔" | "✅" | "☑") => Says::Yes,
        _ => return None,
    };
    // A mark that has no letters and digits is `-`, or a tick.
    let ticked = bare.is_empty() && text.contains(['✓', '✔', '✅', '☑']);
    Some(if ticked { Says::Yes } else { says })
}

/// Whether words say plainly that an order is over: one of such words, and nothing that makes it doubtful.
fn over(words: &[String]) -> Option<Says> {
    let is = |list: &str| words.iter().any(|word| among(list, word));
    let bare = words.concat();
    if is(DOUBT) {
        return None;
    }
    let begins = |list: &str| {
        let led =
            words.iter().find(|word| !among("already order orders customer has been is was the it item parcel", word));
        led.is_some_and(|word| among(list, word))
    };
    if begins(CANCELLED) || bare == "cancelorder" {
        return Some(Says::Cancelled);
    }
    let way = ["intransit", "outfordelivery", "pickedup", "handedover"].iter().any(|way| bare.starts_with(way));
    (begins(SENT) || way).then_some(Says::Sent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_states() {
        const CASES: &[(Says, &str)] = &[
            (
                Says::Ready,
                "New/READY_TO_SHIP/to ship/Processing/Not shipped/Un-fulfilled/Ready to be shipped/Pending/Received/Order \
                 received/Urgent/To Pack/Invoiced/Billed/Success/Payment done/Payment received/COD verified/COD \
                 confirmed/AWB pending/Label pending/Pickup pending/Pending pickup/Awaiting fulfillment/Scheduled/In \
                 stock/Paid - to ship/Confirmed on call/Whatsapp confirmed/Dispatch today/To be packed/Not yet \
                 dispatched/Not delivered/To be generated/not generated/Ready for pickup/Packed/Packing done/Call \
                 done/Assigned/Order placed/Ship now/Ready/RTS/Confirm/In progress/Label to be printed/ready to pack/Order \
                 Confirmed/Tracking awaited/Paid/COD/Unshipped/Shipping pending/To dispatch today/Pending - to be packed",
            ),
            (Says::Done, "Done/Completed/complete"),
            (
                Says::Sent,
                "Shipped/DISPATCHED/Delivered/Shipped via Delhivery/Shipped 20-11/RTO/RTO Delivered/RTO Initiated/In transit/Out for delivery/Picked up/Already shipped/Order shipped/Returned/Refunded/Returned by \
                 customer/Order delivered",
            ),
            (
                Says::Cancelled,
                "Cancelled/canceled/Cancelled by customer/Order cancelled/CNL/Customer cancelled/cancel/Cancelled - RTO",
            ),
            (Says::Yes, "Yes/y/TRUE/1/x"),
            (Says::No, "No/n/FALSE/0/0.00/Not yet/Not cancelled"),
            (Says::Nothing, "-/NA/n.a./nil"),
            (
                Says::Unclear,
                "On Hold/Unpaid/Not confirmed/Draft/Booked/do not send/???/Payment pending/Awaiting payment/Partially \
                 shipped/Hold - call customer/Out of stock/Unconfirmed/Confirmation pending/Cancellation requested/Fraud/Duplicate/Tomorrow/Ship tomorrow/Ship later/Refund pending/Stock pending/Address \
                 pending/Undelivered/Delivery failed/Not reachable/Do not ship/Don't send/Wait/Shipped?/Call \
                 pending/Payment failed/Not in stock/Awaiting confirmation/Ship after Diwali/Not ready/To be \
                 confirmed/Approval pending/Not to be shipped/To be cancelled/not paid/No stock",
            ),
        ];
        for (means, texts) in CASES {
            for text in texts.split('/') {
                assert_eq!(says(text), *means, "{text}");
            }
        }
    }
}
