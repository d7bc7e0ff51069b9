//! The first bookings and the causes of failure of a run, for its summary.

use std::io::{self, Write};

use crate::api::outcome::{Outcome, masked, purchase_error_message};
use crate::text::{count, shortened};

/// Bookings that are named.
const BOOKED_SHOWN: usize = 10;
/// Causes that are told apart.
const CAUSES_MAX: usize = 20;
/// Orders named for each cause.
const ORDERS_SHOWN: usize = 4;

/// What is worth naming of a run. Its size does not grow with the run.
#[derive(Debug, Default)]
pub(crate) struct Highlights {
    booked: Vec<(String, String)>,
    booked_count: u64,
    old: Vec<String>,
    causes: Vec<Cause>,
    /// Failures of causes beyond those that are told apart.
    others: u64,
}

#[derive(Debug)]
struct Cause {
    word: &'static str,
    /// Which of our own reasons it is; nothing where the service alone has said one.
    id: &'static str,
    /// What the service said, without what differs from order to order.
    fingerprint: String,
    /// The message as the first order had it.
    text: String,
    /// Whether another order's message differs from it in a digit or a quoted value.
    varies: bool,
    count: u64,
    orders: Vec<String>,
}

impl Highlights {
    /// Notes what came of an order.
    pub(crate) fn note(&mut self, order: &str, outcome: &Outcome) {
        match outcome {
            Outcome::Booked(booking) => {
                self.booked_count += 1;
                if self.booked.len() < BOOKED_SHOWN {
                    self.booked.push((order.to_owned(), booking.awb.clone()));
                }
                if booking.old_answer && self.old.len() < BOOKED_SHOWN {
                    self.old.push(order.to_owned());
                }
            }
            Outcome::Rejected { error, .. } => self.said("rejected", &purchase_error_message(error), order),
            Outcome::Refused { message } => self.said("refused", message, order),
            Outcome::InDoubt { doubt } => {
                self.cause("in doubt", (doubt.id(), doubt.said()), &doubt.to_string(), order);
            }
            Outcome::Waiting { .. } => {}
        }
    }

    /// A reason that is the service's own words alone.
    fn said(&mut self, word: &'static str, text: &str, order: &str) {
        self.cause(word, ("", text), text, order);
    }

    fn cause(&mut self, word: &'static str, (id, said): (&'static str, &str), text: &str, order: &str) {
        let fingerprint = masked(said);
        let is_same = |cause: &Cause| (cause.word, cause.id) == (word, id) && cause.fingerprint == fingerprint;
        let known = self.causes.iter().position(is_same);
        let index = match known {
            Some(index) => index,
            None if self.causes.len() < CAUSES_MAX => {
                self.causes.push(Cause {
                    word,
                    id,
                    fingerprint,
                    text: text.to_owned(),
                    varies: false,
                    count: 0,
                    orders: Vec::new(),
                });
                self.causes.len() - 1
            }
            None => {
                self.others += 1;
                return;
            }
        };
        let cause = &mut self.causes[index];
        cause.count += 1;
        cause.varies |= cause.text != text;
        if cause.orders.len() < ORDERS_SHOWN {
            cause.orders.push(order.to_owned());
        }
    }

    /// Writes them, a line each.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for (order, awb) in &self.booked {
            writeln!(out, "  booked: order {}, AWB {awb}", shortened(order, 60))?;
        }
        let more = self.booked_count - self.booked.len() as u64;
        if more > 0 {
            writeln!(out, "  … and {more} more booked")?;
        }
        for order in &self.old {
            writeln!(
                out,
                "  warning: order {order} was answered with a shipment older than our request: it may be an earlier one"
            )?;
        }
        for cause in &self.causes {
            let alike = if cause.varies { ", with other values in each" } else { "" };
            let orders = count(cause.count, "order");
            writeln!(out, "  {}: {} ({orders}{alike})", cause.word, shortened(&cause.text, 200))?;
            let more = cause.count - cause.orders.len() as u64;
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            let orders = if cause.count == 1 { "order" } else { "orders" };
            writeln!(out, "    {orders} {}{more}", cause.orders.join(", "))?;
        }
        if self.others > 0 {
            let others = count(self.others, "order");
            writeln!(out, "  … and {others} that failed for other causes; `export` has each")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::api::outcome::Doubt;

    use super::*;

    fn told(failures: &[(&str, &str)]) -> String {
        let mut highlights = Highlights::default();
        for (order, message) in failures {
            highlights.note(order, &Outcome::Refused { message: (*message).to_owned() });
        }
        let mut out = Vec::new();
        highlights.write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn messages_that_differ_in_a_number_are_one_cause() {
        let text = told(&[("A-1", "PIN 110001 is unknown"), ("A-2", "PIN 560001 is unknown"), ("A-3", "no such SKU")]);
        assert!(text.contains("refused: PIN 110001 is unknown (2 orders, with other values in each)"), "{text}");
        assert!(text.contains("    orders A-1, A-2\n"), "{text}");
        assert!(text.contains("refused: no such SKU (1 order)\n    order A-3\n"), "{text}");
    }

    #[test]
    fn our_own_reasons_are_told_apart_by_their_ids_and_not_by_their_words() {
        let mut highlights = Highlights::default();
        let other = |status, other: &str| Doubt::OtherOrder { status, other: other.to_owned() };
        let doubts = [
            ("A-1", other(200, "PUNE")),
            ("A-2", other(422, "DELHI")),
            ("A-3", Doubt::Failed("busy".to_owned())),
            ("A-4", Doubt::PerhapsBooked("busy".to_owned())),
            ("A-5", Doubt::Failed("no disk".to_owned())),
        ];
        for (order, doubt) in doubts {
            highlights.note(order, &Outcome::InDoubt { doubt });
        }
        let mut out = Vec::new();
        highlights.write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let first =
            "in doubt: the answer (HTTP 200) is about another order (PUNE) (2 orders, with other values in each)";
        assert!(text.contains(first), "{text}");
        for one in ["the service failed: busy", "it may have been booked: busy", "the service failed: no disk"] {
            assert!(text.contains(&format!("in doubt: {one} (1 order)")), "{text}");
        }
    }

    #[test]
    fn causes_beyond_those_shown_are_counted() {
        let messages: Vec<String> = (0..25_u8).map(|n| format!("cause {}", char::from(b'a' + n))).collect();
        let failures: Vec<(&str, &str)> = messages.iter().map(|message| ("A-1", message.as_str())).collect();
        let text = told(&failures);
        assert_eq!(text.matches("refused:").count(), CAUSES_MAX);
        assert!(text.contains("and 5 orders that failed for other causes"), "{text}");
    }
}
