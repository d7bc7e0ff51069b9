//! Words for parcels that come back from the customer.

use super::listed::{among, among_any, has_word, words};

/// A text with more is no kind of a shipment.
const BYTES_MAX: usize = 60;

/// What says that a parcel comes back, be it in exchange.
const BACK: &str = "reverse reversed rvp return returns returned exchange exchanged rto";

const FETCHED: &str = "pickup pickups pick collect";

/// Whether words of a kind of shipment say that it comes back from the customer, be it in exchange: `Reverse`, `RVP`,
/// `Return pickup`.
#[must_use]
pub fn says_backwards(text: &str) -> bool {
    // A return gift is given by guests, what cannot be returned is sent, and an exchange may be a sale.
    const OTHERWISE: &str =
        "forward fwd no not non without gift gifts policy free replacement mela offer offers bonus sale";
    if text.len() > BYTES_MAX {
        return false;
    }
    let from = || {
        let words: Vec<String> = words(text).collect();
        let pick = words.iter().position(|word| among(FETCHED, word));
        pick.is_some_and(|pick| {
            words[pick..].windows(2).any(|pair| pair[0] == "from" && among("customer cust client buyer", &pair[1]))
        })
    };
    ((has_word(text, BACK) || from()) && !has_word(text, OTHERWISE)) || is_return(text)
}

/// Whether a cell says nothing but that a parcel comes back, whatever its column is called: `Return`, `Exchange order`,
/// `Replacement pickup`, `Credit Note`. What replaces another one goes forward, and so does what is bought at an
/// `Exchange mela`.
#[must_use]
pub fn is_return(text: &str) -> bool {
    const AROUND: &str = "order orders request req shipment parcel product item and with up for from customer cust \
        client buyer the type pending initiated requested approved logistics courier";
    const SALES: &str = "sale sales";
    const NOTES: &str = "creditnote creditnotes crnote creditmemo salesreturn salereturn salesreturns";
    let may_be = |window: &[u8]| {
        let stem = [window[0], window[1], window[2]].map(|byte| byte.to_ascii_lowercase());
        matches!(&stem, b"ret" | b"rev" | b"rvp" | b"exc" | b"rto" | b"not" | b"rep" | b"mem")
    };
    if text.len() > BYTES_MAX || !text.as_bytes().windows(3).any(may_be) {
        return false;
    }
    let all: Vec<String> = words(text).collect();
    let is = |list: &str| all.iter().any(|word| among(list, word));
    let replaced = is("replacement") && is(FETCHED);
    among(NOTES, &all.concat())
        || ((is(BACK) || replaced)
            && all.iter().all(|word| among_any(&[BACK, FETCHED, AROUND, SALES, "replacement replace"], word))
            && (!is("replacement replace") || is("and with") || replaced || text.contains(['/', '+', '&'])))
}

/// Whether words under a header say nothing of which way the parcel goes: what the goods, the customers and the offers are.
#[must_use]
pub fn is_of_goods(header: &str) -> bool {
    const OF: &str = "customer client buyer user segment source campaign channel offer coupon promo discount scheme \
        policy brand size colour color fabric material pattern style design print name title model variant last \
        previous prev history past reason eligible eligibility allowed window applicable";
    has_word(header, OF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_shipments_that_come_back() {
        for text in "Reverse|RVP|Return|Return pickup|Exchange|Exchange pickup|reverse shipment|Customer Return|Pickup from customer|RTO"
            .split('|')
        {
            assert!(says_backwards(text), "{text}");
        }
        for text in "Forward|Return gift|Non-returnable|No return|B2C|Surface|Pickup|External|COD|Forward (no exchange)|Replacement"
            .split('|')
        {
            assert!(!says_backwards(text), "{text}");
        }
    }

    #[test]
    fn cells_that_say_nothing_but_that_a_parcel_comes_back() {
        const BACK: &str = "Return|RETURN|Exchange|exchange order|Reverse Pickup|RVP|Reverse|Replacement \
            pickup|Replacement (pickup)|Credit Note|Cr. Note|Sales Return|Return/Exchange|Return request|Return + \
            replacement|Exchange pickup|Return pickup from customer|RTO|Reverse shipment|Returns|Return & Replacement";
        for text in BACK.split('|') {
            assert!(is_return(text) && says_backwards(text), "{text}");
        }
        const GO: &str = "Replacement|Replacement order|Exchange mela|Exchange offer|Return gift|Non-returnable|No \
            return|Forward|Sale|Sales order|Tax invoice|Note|Returning customer|Exchange Road|Reversible \
            jacket|Pickup|Regular|New|Reposition|Exchange Bonus|Replacement for a returned item|Currency exchange \
            counter";
        for text in GO.split('|') {
            assert!(!is_return(text), "{text}");
        }
        assert!(!says_backwards("Exchange mela") && says_backwards("Reverse - B2C") && !says_backwards("Replacement"));
        assert!(is_of_goods("Customer Type") && is_of_goods("Source") && !is_of_goods("Voucher Type"));
    }
}
