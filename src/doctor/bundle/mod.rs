//! What somebody who helps needs to see, as one text: everything that says how the program stands, and nothing of anybody.
//!
//! Names, phones, addresses, order numbers and secrets are masked. Who is to send it reads it before.
//!
//! - `mask`: which words of a text are told
//! - `settings`: the configuration
//! - `files`: where files lie
//! - `state`: the ledger, what is open in it, and its runs
//! - `about`: all sections, one behind the other

mod about;
mod files;
mod mask;
mod settings;
mod state;

pub(crate) use about::bundle;
