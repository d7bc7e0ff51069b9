//! What the columns of an unknown layout may be: by their headers, and by what they hold.

mod candidates;
mod fits;
mod seen;

#[cfg(test)]
mod tests;

pub use candidates::{Candidate, LIKELY, candidates};
pub use seen::{Seen, SeenColumn};
