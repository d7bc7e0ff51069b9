//! Everything that a user does, through the program itself.

#![expect(clippy::unwrap_used, reason = "a rig that cannot be built fails its test")]

mod architecture;
mod documents;
mod doubts;
mod grouping;
mod import;
mod ledger;
mod kills;
mod locks;
mod odd;
mod orders;
mod profiles;
mod readme;
mod rig;
mod service;
mod shipments;
mod sheets;
mod source;
mod stop;
