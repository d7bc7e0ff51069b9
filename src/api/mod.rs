//! The shipping service as a Rust API: bodies, client, tokens, and what an answer means.
//!
//! It knows neither sheets nor ledger. One call of [`outcome::judge`] turns whatever came of one POST into one meaning.

mod amount;
pub mod answer;
mod booking;
mod caller;
mod cancel;
mod client;
mod connection;
mod dial;
mod document;
mod doubt;
mod endpoint;
mod evidence;
pub mod json;
mod judge;
mod keeper;
mod keys;
mod login;
mod ndr;
pub mod operation;
pub mod outcome;
mod pace;
mod said;
mod secret;
pub mod service;
mod tls;
mod token;
mod watched;
mod web;
pub mod wire;

#[cfg(test)]
mod tests;

pub use amount::{Amount, AmountError, Decimal};
pub use answer::ShipmentRef;
pub use booking::{Attempt, BookingRequest};
pub use caller::{CallError, Caller};
pub use cancel::{CancelError, Cancelled};
pub use client::{Call, Client, ClientError, ClientOptions};
pub use endpoint::{Endpoint, EndpointError};
pub use json::Json;
pub use keeper::TokenKeeper;
pub use keys::RequestKeys;
pub use login::Login;
pub use pace::{Pace, Stopped};
pub use secret::{DATABASE_PASSWORD, SecretError, SecretSource, SecretString, without_secrets};
pub use tls::verified_tls;
pub use token::{Timestamp, Token, TokenError, TokenSource};
pub use web::{Web, WebError};
