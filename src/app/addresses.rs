//! Whether one service answers at several addresses.

use jiff::Timestamp;

use crate::api::Endpoint;
use crate::ledger::{AddressWord, NewAddressWord, SANDBOX};

use super::connect::App;
use super::error::{Misuse, Result};
use super::session::Session;
use super::who::{host, user};

/// A person's word on another address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceWord {
    /// The other address's origin.
    pub other: String,
    /// Whether the configured service answers there as well.
    pub is_same: bool,
    /// How the person knows; kept for good.
    pub because: String,
}

/// What the ledger knows of addresses.
#[derive(Debug, Clone)]
pub struct Addresses {
    /// Each with how many orders it has.
    pub addresses: Vec<(String, u64)>,
    /// What was said of them.
    pub words: Vec<AddressWord>,
}

impl App {
    /// The addresses that the ledger knows.
    ///
    /// # Errors
    /// There is no ledger, or it cannot be read.
    pub fn addresses(&self) -> Result<Addresses> {
        let ledger = self.read_ledger()?;
        Ok(Addresses { addresses: ledger.known_addresses()?, words: ledger.address_words()? })
    }

    /// What a person says of another address of the configured service, checked.
    ///
    /// # Errors
    /// The sandbox is no service; the address is none, or the configured one; no reason was given.
    pub fn service_word(&self, url: &str, is_same: bool, because: &str) -> Result<ServiceWord> {
        let own = self.config.service_key()?;
        if own == SANDBOX {
            return Err(Misuse::NotForTheSandbox("the sandbox never stands in the way of a service").into());
        }
        let other = Endpoint::parse(url)?.origin().to_owned();
        if other == own {
            return Err(Misuse::OwnAddress(other).into());
        }
        if because.trim().is_empty() {
            return Err(Misuse::NoReason(", for instance who told you of the new address").into());
        }
        Ok(ServiceWord { other, is_same, because: because.to_owned() })
    }

    /// Keeps a person's word on another address, in a ledger that is there. Gives how many orders it has there.
    ///
    /// # Errors
    /// There is no ledger, or it does not take the word.
    pub fn say_of_service(&self, word: &ServiceWord) -> Result<u64> {
        let mut session = self.session_there("service")?;
        let known = session.ledger.known_addresses()?.into_iter().find(|(address, _)| *address == word.other);
        session.say_of_service(word)?;
        Ok(known.map_or(0, |(_, orders)| orders))
    }
}

impl Session<'_> {
    /// Keeps a person's word on another address for good.
    ///
    /// # Errors
    /// The ledger does not take it.
    pub fn say_of_service(&mut self, word: &ServiceWord) -> Result<()> {
        Ok(self.ledger.say_of_addresses(&NewAddressWord {
            one: self.service.clone(),
            other: word.other.clone(),
            is_same: word.is_same,
            because: word.because.clone(),
            user: user(),
            host: host(),
            at_ms: Timestamp::now().as_millisecond(),
        })?)
    }
}
