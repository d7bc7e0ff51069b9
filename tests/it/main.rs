//! Everything that a user does, through the program itself.

#![expect(clippy::unwrap_used, reason = "a rig that cannot be built fails its test")]

mod architecture;
mod documents;
mod import;
mod odd;
mod readme;
mod profiles;
mod rig;
mod service;
mod kills;
mod orders;
mod rig;
mod sheets;
mod source;
