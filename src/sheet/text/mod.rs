//! Text files: the encoding, the delimiter, quotes, and the line on which each record starts.

mod cut;
mod delimiter;
mod dos;
mod edited;
mod encoding;
mod evidence;
mod lines;
mod records;

pub(super) use cut::packed_rows;
pub(super) use records::TextFile;
