//! Around booking: whether couriers go there before it; labels, invoices, tracking, cancellations after it.
//!
//! A bulk call goes over shipments of the ledger, within bounds and at a pace, and can be interrupted at any moment: what
//! it has done is done, and calling it again does the rest. [`labels`] keeps each label in a folder by its AWB, and
//! [`merge`] makes one file of them. Nothing here changes an order's state.

pub mod brake;
pub mod bulk;
pub mod labels;
pub mod merge;
pub mod paper;
pub mod pdf;
pub mod receiver;
pub mod routes;
pub mod text;
pub mod tracking;
