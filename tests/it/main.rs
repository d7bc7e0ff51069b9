//! Everything that a user does, through the program itself.

#![expect(clippy::unwrap_used, reason = "a rig that cannot be built fails its test")]

mod architecture;
mod import;
mod kills;
mod orders;
mod rig;
mod sheets;
mod source;
