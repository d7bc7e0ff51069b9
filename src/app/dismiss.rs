//! Dismissing orders that nobody will correct.

use jiff::Timestamp;

use crate::ledger::NewDismissal;

use super::connect::App;
use super::error::{Misuse, Result};
use super::who::{host, user};

impl App {
    /// Dismisses orders that were kept back, for good: they are no longer to be fixed, in whatever run they come, as
    /// long as their cells stay as they are.
    ///
    /// # Errors
    /// No reason was given; an order that no run keeps back; a ledger that fails. Nothing is recorded then.
    pub fn dismiss(&self, orders: &[String], because: &str) -> Result<()> {
        if because.trim().is_empty() {
            return Err(Misuse::NoReason(", for instance who said that it is not needed any more").into());
        }
        let mut session = self.session_there("dismiss")?;
        let mut numbers: Vec<String> = Vec::new();
        for order in orders {
            if !numbers.contains(order) {
                numbers.push(order.clone());
            }
        }
        Ok(session.ledger.dismiss(&NewDismissal {
            service: session.service.clone(),
            numbers,
            user: user(),
            host: host(),
            because: because.to_owned(),
            at_ms: Timestamp::now().as_millisecond(),
        })?)
    }
}
