//! The night: a folder is watched, and each sheet that is dropped into it is booked by itself and filed by what came of it.
//!
//! A face beside the command line: it calls `app`, with nobody to ask. Its words go into the report beside each sheet and to
//! whoever started it ([`Around`]).
//!
//! Each step is one transaction of the ledger, or a rename that replaces nothing, so that the next pass goes on from whatever a
//! crash left. A pass reads all waiting sheets, resumes what watchers left outstanding, finishes `working/`, and then takes new sheets.
//!
//! - `night`: one pass over the folder, from what earlier passes left to the exit code
//! - `book`: one sheet, from reading it to what became of its orders
//! - `file`: a sheet goes out of the folder, and with its report to where it belongs
//! - `folder`: what lies where, and that nobody else works on it; `look`: which sheets have come to rest; `probe`: whether it
//!   answers at all
//! - `told`: what a night comes to; `words`: what is said of a sheet

mod book;
mod file;
mod folder;
mod look;
mod night;
mod probe;
mod told;
mod words;

pub use file::REPORT;
pub use folder::{FolderError, FolderSeen, look_into};
pub use night::{Options, Watcher};
pub use told::{Around, FiledSheet, LeftSheet, Night, Told};
