//! Everything that a user does, through the program itself.

mod import;
mod rig;
