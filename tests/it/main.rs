//! Everything that a user does, through the program itself.

#![expect(clippy::unwrap_used, reason = "a rig that cannot be built fails its test")]

mod architecture;
mod corpus;
mod count;
mod brakes;
mod documents;
mod doubts;
mod grouping;
mod home;
mod hostile;
mod import;
mod ledger;
mod kills;
mod layouts;
mod locks;
mod mapping;
mod measure;
mod odd;
mod orders;
mod planning;
mod planted;
mod profiles;
mod readme;
mod rejects;
mod rig;
mod secrets;
mod served;
mod service;
mod services;
mod shipments;
mod sheets;
mod selftest;
mod source;
mod stop;
#[cfg(unix)]
mod terminal;
#[cfg(unix)]
mod walk;
