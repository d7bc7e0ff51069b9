//! Words of columns that say how far an order is: whether it goes, is over, or nobody can tell.

use super::day::day_at_end;
use super::payment::{Payment, payment_word};
use crate::words::{Topic, Vocabulary};

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

/// Signs that cross something out, and signs that tick it off.
const CROSSES: [char; 4] = ['❌', '✗', '✘', '☒'];

const TICKS: [char; 6] = ['✓', '✔', '✅', '☑', '👍', '👌'];

/// What a cell of a column of states says.
#[must_use]
pub fn says(text: &str) -> Says {
    if !text.contains(char::is_alphanumeric) {
        return symbols(text);
    }
    let words = Vocabulary::built_in().text(text);
    let said = |sense: &str| words.says(Topic::States, sense);
    let is_minus = text.starts_with('-') && !text.contains(char::is_alphabetic);
    let plain = match () {
        () if text.chars().all(|c| c == '0' || !c.is_alphanumeric()) => Some(Says::No),
        () if is_minus => None,
        () if said("nothing") => Some(Says::Nothing),
        () if said("no") => Some(Says::No),
        () if said("yes") => Some(Says::Yes),
        () => None,
    };
    // `❌ shipped` is not shipped, and figures alone are a day, or nothing that anybody can tell.
    let is_unclear = text.contains('?') || text.contains(CROSSES);
    match plain {
        _ if is_unclear || text.len() > BYTES_MAX => Says::Unclear,
        Some(plain) => plain,
        None if !text.contains(char::is_alphabetic) => Says::Unclear,
        None => state(text),
    }
}

/// How far an order is by the words of a cell. The day may be one that is still to come, which the reader sees.
fn state(text: &str) -> Says {
    const SENSES: [(&str, Says); 4] =
        [("cancelled", Says::Cancelled), ("sent", Says::Sent), ("at-packing", Says::Ready), ("booked", Says::Booked)];
    let text = day_at_end(text).map_or(text, |(before, _)| before);
    let words = Vocabulary::built_in().text(text);
    let said = |sense: &str| words.says(Topic::States, sense);
    if let Some((_, says)) = SENSES.iter().find(|(sense, _)| said(sense)) {
        return *says;
    }
    let is_paid = || matches!(payment_word(text), Some(Payment::Prepaid | Payment::Cod));
    match () {
        () if said("done") => Says::Done,
        () if said("to-go") || is_paid() => Says::Ready,
        () => Says::Unclear,
    }
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
