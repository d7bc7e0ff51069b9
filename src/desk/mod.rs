//! The desk: a local page on which a clerk sees what is open, books, prints, and settles what is in doubt.
//!
//! A face beside the command line: it calls `app`, and its pages are the words. It listens on this machine only.
//!
//! A GET shows, a POST does and answers with 303, so that Back and Reload repeat nothing. Book, Resume and Retry carry a stamp of
//! the orders that the page showed; anything else is refused.
//!
//! - `serve`: from the port to the end; `connections` bounds what others can take up, `guard` says who may ask
//! - `routes`: each address with the function behind it; `answer` is what such a function gives
//! - `said`: what was done, for the window that did it
//! - `work`: the one long job at a time, which goes on whoever looks
//! - `state`: what the desk knows and keeps; `files` is its folder beside the ledger, `upload` what is dropped
//! - `drafts`: sheets that are open, `sheet` their screens from the drop to the booking
//! - `page`, `words`, `constant`: what pages share; `agree` is what is seen before orders are sent; then one file for each screen

mod account;
mod agree;
mod answer;
mod answers;
mod awb;
mod booking;
mod cancel;
mod connections;
mod constant;
mod doubts;
mod drafts;
mod files;
mod guard;
mod home;
mod labels;
mod layouts;
mod order;
mod orders;
mod packing;
mod page;
mod progress;
mod report;
mod rerun;
mod results;
mod routes;
mod rules;
mod run_list;
mod said;
mod serve;
mod settings;
mod sheet;
mod shipments;
mod standings;
mod state;
mod statement;
mod ticked;
mod tracked;
mod trouble;
mod upload;
mod words;
mod work;

pub(crate) use serve::{Entry, Options, serve};
