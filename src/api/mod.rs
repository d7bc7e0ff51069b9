//! The shipping service as a Rust API: bodies, client, tokens, and what an answer means.
//!
//! It knows neither sheets nor ledger. One call of [`outcome::judge`] turns whatever came of one POST into one meaning.

pub mod outcome;
