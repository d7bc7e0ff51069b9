//! Whether a text that a person typed may be an order's AWB, by what the courier's other AWBs look like. Pure.

use crate::text::bare_awb;

/// Hardly any courier has shorter ones.
pub(super) const AWB_USUAL_MIN: usize = 6;

/// Digits of a phone without its country's code, and of that code.
const PHONE_DIGITS: usize = 10;
const COUNTRY_DIGITS: usize = 3;

/// Why a text is hardly the AWB of an order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OddAwb {
    /// It is another number of the order.
    #[error("{awb} is the {what} of the order, not its AWB")]
    Own {
        /// As it was typed.
        awb: String,
        /// What it is.
        what: &'static str,
    },
    /// No AWB of this courier looks like it.
    #[error("{awb} does not look like this courier's AWBs, such as {example}")]
    Unlike {
        /// As it was typed.
        awb: String,
        /// One that the service gave.
        example: String,
    },
    /// Hardly any courier has so short ones.
    #[error("{0} is short for an AWB: most have eight characters or more")]
    Short(String),
}

/// The other numbers of an order; empty where one is not known.
#[derive(Debug, Clone, Default)]
pub struct OwnNumbers {
    /// The order number.
    pub number: String,
    /// The receiver's phone.
    pub phone: String,
    /// The receiver's PIN code.
    pub pin_code: String,
    /// The service's own id of the order.
    pub order_id: String,
}

impl OddAwb {
    /// What speaks against an AWB; `known` are AWBs that the service gave to other orders.
    pub fn of(awb: &str, own: &OwnNumbers, known: &[String]) -> Option<Self> {
        let bare = bare_awb(awb);
        let is = |number: &str| !number.is_empty() && bare_awb(number) == bare;
        let numbers = [
            (is(&own.number), "number"),
            (is(&own.order_id), "service's own id"),
            (is(&own.pin_code), "PIN code"),
            (is_phone(awb, &own.phone), "phone number"),
        ];
        if let Some((_, what)) = numbers.into_iter().find(|(is_it, _)| *is_it) {
            return Some(Self::Own { awb: awb.to_owned(), what });
        }
        match known.first() {
            Some(_) if is_like(awb, known) => None,
            Some(example) => Some(Self::Unlike { awb: awb.to_owned(), example: example.clone() }),
            None => (awb.len() < AWB_USUAL_MIN).then(|| Self::Short(awb.to_owned())),
        }
    }
}

/// Whether it is that phone, with or without the country's code.
fn is_phone(awb: &str, phone: &str) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let (typed, phone) = (digits(awb), digits(phone));
    let own = &phone[phone.len().saturating_sub(PHONE_DIGITS)..];
    own.len() == PHONE_DIGITS && typed.len() <= PHONE_DIGITS + COUNTRY_DIGITS && typed.ends_with(own)
}

/// Whether one of them is as long, and has letters or has none, as this one.
fn is_like(awb: &str, known: &[String]) -> bool {
    let shape = |text: &str| {
        let own = || text.chars().filter(|c| c.is_alphanumeric());
        (own().count(), own().all(|c| c.is_ascii_digit()))
    };
    known.iter().any(|known| shape(known) == shape(awb))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(awb: &str, known: &[&str]) -> Option<String> {
        let own = OwnNumbers {
            number: "QS-10012345".to_owned(),
            phone: "+91 99200 11122".to_owned(),
            pin_code: "560001".to_owned(),
            order_id: "88123456".to_owned(),
        };
        let known: Vec<String> = known.iter().map(|awb| (*awb).to_owned()).collect();
        OddAwb::of(awb, &own, &known).map(|odd| odd.to_string())
    }

    #[test]
    fn an_awb_looks_like_those_that_the_courier_gave() {
        let (digits, letters) = (&["14134010123456"][..], &["SBX000000001"][..]);
        for (awb, known) in [
            ("14134010999999", digits),
            ("1413-4010-9999-99", digits),
            ("SBX000000002", letters),
            ("S1B2X3000002", letters),
            ("SBX000000002", &["14134010123456", "SBX000000001"][..]),
        ] {
            assert_eq!(said(awb, known), None, "{awb} beside {known:?}");
        }
        for (awb, known) in [
            ("1", digits),
            ("1413401012345", digits),
            ("141340101234567", digits),
            ("1413401012345X", digits),
            ("000000000001", letters),
            ("SBX00000001", letters),
            ("QS-10012346", letters),
        ] {
            let odd = said(awb, known).unwrap();
            assert_eq!(odd, format!("{awb} does not look like this courier's AWBs, such as {}", known[0]));
        }
    }

    #[test]
    fn a_number_of_the_order_itself_is_no_awb_whatever_others_look_like() {
        for (awb, what) in [
            ("QS-10012345", "number"),
            ("qs10012345", "number"),
            ("560001", "PIN code"),
            ("9920011122", "phone number"),
            ("919920011122", "phone number"),
            ("99200-11122", "phone number"),
            ("88123456", "service's own id"),
        ] {
            for known in [&[][..], &["77000001", "9920011100", "560002", "QS10012300", "919920011100"][..]] {
                assert_eq!(said(awb, known), Some(format!("{awb} is the {what} of the order, not its AWB")));
            }
        }
    }

    #[test]
    fn where_no_other_awb_is_known_a_short_one_is_odd() {
        assert!(said("1", &[]).unwrap().contains("short"));
        assert!(said("12345", &[]).unwrap().contains("short"));
        assert_eq!((said("123456", &[]), said("AWB-4711", &[])), (None, None));
        assert_eq!(said("77001", &["77002"]), None, "this courier has such");
    }
}
