//! Notes and cells of unknown columns: words in them that nobody mistakes, whatever the column is called.

/// A longer cell is a letter.
const BYTES_MAX: usize = 400;

/// What may stand before the word that counts.
const LEAD: &str = "order orders pls please kindly customer cust party note notes urgent imp important this is the has been was \
    already plz sir dear now status item";

/// Words that say, alone, that an order is not to go.
const ALONE: &str = "cancelled canceled cancel cancled cnl hold onhold rto returned refunded refund shipped dispatched \
    despatched duplicate fraud fake outofstock nostock stockout donotship donotsend donotdispatch dontship dontsend \
    dontdispatch donotdeliver notinstock alreadysent alreadyshipped alreadydispatched alreadydelivered alreadybooked cancelorder \
    ordercancel cancelit cancelthis cancelthisorder holdorder holdthis holdit putonhold keeponhold stoporder stopshipment stopdispatch \
    testorder fakeorder duplicateorder sent delivered cxl dup \
    notinterested refused notconfirmed unconfirmed skip skipthis skiporder exclude donotpack dontpack notserviceable";

/// What `hold` may be followed by where the order is meant.
const HELD: &str = "order orders this it till until shipment dispatch despatch delivery as by due on";

/// What follows `do not ship` where nothing else is meant: not `do not send the bill`.
const MEANT: &str = "this it order orders until till before today tomorrow now yet as customer cust cancelled please pls till \
    without payment";

/// What makes it hang on something else.
const IF: &str = "if unless else otherwise when incase";

/// Beside these, what is `sent` or `delivered` is no parcel: `Invoice sent`, `Last order`.
const OF_OTHERS: &[&str] = &[
    "mail",
    "sms",
    "whatsapp",
    "msg",
    "message",
    "invoice",
    "bill",
    "link",
    "otp",
    "reminder",
    "feedback",
    "review",
    "survey",
    "notification",
    "notify",
    "payment",
    "type",
    "segment",
    "category",
    "variant",
    "colour",
    "color",
    "model",
    "last",
    "previous",
    "prev",
    "past",
    "history",
    "policy",
    "catalog",
    "sample",
    "quote",
    "proof",
    "photo",
    "picture",
    "image",
    "design",
    "artwork",
    "mockup",
    "card",
    "gift",
    "video",
    "brochure",
    "customer type",
];

/// Whether a cell may hold such words at all: what nearly every cell is told by, at once.
#[must_use]
pub fn may_speak(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 2 || bytes.len() > BYTES_MAX || !bytes.iter().any(u8::is_ascii_alphabetic) {
        return false;
    }
    if bytes.len() <= 8 {
        return true;
    }
    bytes.windows(4).any(|window| {
        let mut stem = [window[0], window[1], window[2], window[3]];
        stem.make_ascii_lowercase();
        matches!(
            &stem,
            b"canc"
                | b"hold"
                | b"retu"
                | b"refu"
                | b"ship"
                | b"sent"
                | b"send"
                | b"disp"
                | b"desp"
                | b"deli"
                | b"dupl"
                | b"frau"
                | b"fake"
                | b"stoc"
                | b"stop"
                | b"cash"
                | b"prep"
                | b"pre-"
                | b"pre "
                | b"cod "
                | b"book"
                | b"rto "
                | b"rto-"
                | b"test"
                | b"proc"
                | b"conf"
                | b"inte"
                | b"skip"
                | b"pack"
                | b"paym"
                | b"paid"
                | b"unpa"
        )
    })
}

fn among(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

/// Whether a cell says that its order is not to go, or is gone: as a whole, by what it begins with, or in a phrase that
/// means nothing else. `Hold the door`, `do not fold` and `call before delivery` do not.
#[must_use]
pub fn says_stop(text: &str, header: &str) -> bool {
    if !may_speak(text) || text.contains('?') {
        return false;
    }
    let text = text.to_lowercase().replace(['\'', '’', '`'], "");
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() || words.iter().any(|word| among(IF, word)) {
        return false;
    }
    let header = header.to_lowercase();
    let of_others = OF_OTHERS.iter().any(|word| header.contains(word));
    let bare = words.concat();
    let at = |index: usize| words.get(index).copied().unwrap_or_default();
    let lead = words.iter().take_while(|word| among(LEAD, word)).count();
    let core = words[lead..].concat();
    if among(ALONE, &bare) || (words.len() <= 6 && among(ALONE, &core)) {
        return !of_others;
    }
    let first = at(lead);
    let next = at(lead + 1);
    // `Hold - out of town`, and not `Hold the door`.
    let behind = text.find(first).map_or("", |start| text[start + first.len()..].trim_start());
    let cut = behind.starts_with(['-', ':', ',', '.', '!', ';', '/', '(', '–', '—', '\n']);
    let begins = match first {
        "cancelled" | "canceled" => !among("cheque check cheques stamp stamps", next),
        "rto" => true,
        "cancel" => cut || among("order this it the by due as", next),
        "hold" | "onhold" if next == "for" => {
            among("payment now today confirmation stock approval address", at(lead + 2))
        }
        "hold" | "onhold" => cut || (among(HELD, next) && at(lead + 2) != "at"),
        "refund" => among("issued done given initiated processed", next),
        "shipped" | "dispatched" | "despatched" => {
            among("on via through already yesterday today", next) || next.starts_with(|c: char| c.is_ascii_digit())
        }
        "refunded" | "returned" => {
            next.starts_with(|c: char| c.is_ascii_digit())
                || cut
                || among("by to on as due in full amount customer", next)
        }
        "duplicate" => cut || next == "order",
        "on" => next == "hold",
        _ => false,
    };
    if begins && !of_others {
        return true;
    }
    // `Customer said cancel`.
    let ends = words
        .iter()
        .rev()
        .find(|word| !among(LEAD, word))
        .is_some_and(|last| among("cancel cancelled canceled cxl", last));
    let denied = words.iter().any(|word| among("not no never dont donot free isnt wont", word));
    if ends && words.len() <= 5 && !denied {
        return true;
    }
    (0..words.len()).any(|index| is_phrase(&words[index..]))
}

/// Whether a phrase begins here that speaks of the order and of nothing else.
fn is_phrase(words: &[&str]) -> bool {
    let at = |index: usize| words.get(index).copied().unwrap_or_default();
    let task = |word: &str| among("ship send dispatch despatch process book pack", word);
    let done = |word: &str| among("shipped sent dispatched despatched processed booked delivered", word);
    let meant = |index: usize| words.len() == index || among(MEANT, at(index));
    match at(0) {
        "do" if at(1) == "not" => task(at(2)) && meant(3),
        "dont" | "donot" => task(at(1)) && meant(2),
        "not" if at(1) == "to" && at(2) == "be" => done(at(3)),
        "not" if at(1) == "to" => task(at(2)) && meant(3),
        "already" => done(at(1)) && words.len() <= 8,
        "order" | "orders" => {
            let rest = words.iter().skip(1).find(|word| !among("is has been was got already", word));
            rest.is_some_and(|word| among("cancelled canceled", word))
        }
        "cancelled" | "canceled" => at(1) == "by" && at(2) == "customer",
        "put" | "keep" | "kept" | "is" => (at(1) == "on" && at(2) == "hold") || (at(2) == "on" && at(3) == "hold"),
        "hold" => among("order shipment dispatch", at(1)) && at(2) != "at" || among("till until", at(1)),
        "stop" => among("shipment dispatch delivery order", at(1)) || (at(1) == "this" && at(2) == "order"),
        "out" => at(1) == "of" && at(2) == "stock" && words.len() == 3,
        "wants" | "want" | "asked" => at(1) == "to" && at(2) == "cancel",
        _ => false,
    }
}

/// Whether a note says that nobody has paid yet.
#[must_use]
pub fn says_unpaid(text: &str) -> bool {
    const WORDS: &str = "paymentpending pendingpayment awaitingpayment paymentawaited paymentnotreceived paymentdue unpaid notpaid \
        notyetpaid tobepaid paymentnotdone paymentlinksent waitingforpayment notreceived paymentyettoreceive paymentawaiting";
    may_speak(text) && !text.contains('?') && among(WORDS, &super::matching::normalised(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_that_stop_an_order() {
        const STOP: &str = "CANCELLED|cancel order|do not ship|Don't send|DO NOT DISPATCH|HOLD - customer out of town|Hold|On \
            hold|refunded|Returned|RTO|already sent|Already shipped by Ravi|Cancelled by customer|Customer cancelled|Order \
            cancelled|order has been cancelled|Please cancel this order|Hold till Monday|hold order|do not ship till \
            payment|Refunded 20/11|not to be shipped|Duplicate order|Out of stock|customer wants to cancel|RTO \
            received|keep on hold|do not send before 25 Nov|Shipped|CANCELLED - refund done|please do not dispatch|dont ship \
            now|test order|Cancel|stop shipment|fake order|cust said cancel|CXL|cancel pls|dont pack|Not interested|dup|shipped on \
            20|refund issued|skip|Hold for payment|not confirmed";
        for text in STOP.split('|') {
            assert!(says_stop(text, "Remarks"), "{text}");
        }
        const GO: &str = "please hold the door|do not fold|call before delivery|Leave at the gate|Gift - do not send \
            bill|do not ship with invoice|hold at counter|Handle with care|ship fast|Do not deliver on Sunday|fragile|Replacement for \
            a returned item|Return gift|Holding hands print|If not home cancel order|cancel anytime|Hold my beer mug|send \
            soon|shipped in box|Happy birthday, hold on to this|deliver after 6 pm|Door on hold road|COD|Regular|not \
            fragile|no returns accepted|Stock 5|shipping paid|Order for Cancelled Stamps Museum|hold shipment at FedEx \
            office|Return address inside|do not send plastic bag|sent by my sister|Delivered?|cancelled cheque enclosed|hold for pickup at gate|not \
            cancelled|do not cancel|New customer|refused gift wrap earlier, wants it now";
        for text in GO.split('|') {
            assert!(!says_stop(text, "Remarks"), "{text}");
        }
        assert!(
            !says_stop("Sent", "Invoice Mail") && says_stop("Sent", "Remark") && !says_stop("Delivered", "Last order")
        );
    }
}
