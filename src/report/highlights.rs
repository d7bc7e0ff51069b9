//! The first bookings and the causes of failure of a run, for its summary.

use std::io::{self, Write};

use crate::api::outcome::{Outcome, purchase_error_message};
use crate::text::{count, shortened};

/// Bookings that are named.
const BOOKED_SHOWN: usize = 10;
/// Causes that are told apart.
const CAUSES_MAX: usize = 20;
/// Orders named for each cause.
const ORDERS_SHOWN: usize = 4;

/// What is worth naming of a run. Its size does not grow with the run.
#[derive(Debug, Default)]
pub struct Highlights {
    booked: Vec<(String, String)>,
    booked_count: u64,
    old: Vec<String>,
    causes: Vec<Cause>,
}

#[derive(Debug)]
struct Cause {
    word: &'static str,
    text: String,
    count: u64,
    orders: Vec<String>,
}

impl Highlights {
    /// Notes what came of an order.
    pub fn note(&mut self, order: &str, outcome: &Outcome) {
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
            Outcome::Rejected { error, .. } => self.cause("rejected", &purchase_error_message(error), order),
            Outcome::Refused { message } => self.cause("refused", message, order),
            Outcome::InDoubt { reason } => self.cause("in doubt", reason, order),
            Outcome::Waiting { .. } => {}
        }
    }

    fn cause(&mut self, word: &'static str, text: &str, order: &str) {
        let known = self.causes.iter().position(|cause| cause.word == word && cause.text == text);
        let index = match known {
            Some(index) => index,
            None if self.causes.len() < CAUSES_MAX => {
                self.causes.push(Cause { word, text: text.to_owned(), count: 0, orders: Vec::new() });
                self.causes.len() - 1
            }
            None => return,
        };
        let cause = &mut self.causes[index];
        cause.count += 1;
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
            writeln!(out, "  {}: {} ({})", cause.word, shortened(&cause.text, 200), count(cause.count, "order"))?;
            let more = cause.count - cause.orders.len() as u64;
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            writeln!(out, "    order {}{more}", cause.orders.join(", "))?;
        }
        Ok(())
    }
}
