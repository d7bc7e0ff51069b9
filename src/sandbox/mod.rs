//! The stand-in shipping service: what newcomers try and what tests book against.
//!
//! It serves both forward shipments and webhook registration strictly by the contract, keeps a [`Book`] of everything
//! that it booked, and takes [`Faults`] from a seed. A second POST of one order number **is booked again**: that is the
//! worst that the real service may do, and only so does a double booking show.
//!
//! Destination PIN codes from 999000 to 999999 are answered with a `shipmentPurchaseError`: 999001 with a text, 999002
//! with an object, 999003 with an array, the others with a text.
//!
//! `GET /sandbox/book` is its own and not the contract's: the book as JSON, for tests in another process. So is `GET /sandbox/orders/{order_number}`:
//! the first shipment of an order as `orderNumber`, `trackingCode` and `orderId`, or 404.

mod book;
mod contract;
mod faults;
mod server;
mod service;

pub use book::{Book, Booking};
pub use faults::{Answer, Faults, FaultsError};
pub use server::{DEFAULT_TOKEN, Options, Sandbox};
