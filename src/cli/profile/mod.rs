//! Which column of a sheet feeds which field: proposed, asked about, kept; and how a sheet is to be read.
//!
//! [`read_sheets`] is how `import` and `check` open theirs: where somebody sits at a terminal, an unknown layout is
//! walked through there ([`walk`] has the questions); elsewhere it ends with a proposal.

mod amounts;
mod commands;
mod missing;
mod place;
mod question;
mod reading;
mod review;
mod several;
mod talk;
mod units;
mod unknown;
mod values;
mod walk;

pub(super) use commands::{CheckDocument, GuessDocument, ListDocument, Profile, ShowDocument, profile};
pub(super) use missing::joined;
pub(super) use reading::Reading;
pub(super) use unknown::{LAYOUT_LEFT, read_sheets};
