//! Around booking: whether couriers go there before it; labels, invoices, tracking, cancellations after it.
//!
//! A bulk call goes over shipments of the ledger, within bounds and at a pace, and can be interrupted at any moment: what
//! it has done is done, and calling it again does the rest. [`labels`] keeps each label in a folder by its AWB, and
//! [`merge`] makes one file of them. Nothing here changes an order's state.

pub(crate) mod brake;
pub(crate) mod bulk;
pub(crate) mod labels;
pub(crate) mod merge;
pub(crate) mod paper;
pub(crate) mod pdf;
pub(crate) mod receiver;
pub(crate) mod routes;
pub(crate) mod text;
pub(crate) mod tracking;
