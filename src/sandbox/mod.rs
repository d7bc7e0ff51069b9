//! The stand-in shipping service: what newcomers try and what tests book against.
//!
//! It serves both forward shipments and webhook registration strictly by the contract, keeps a [`Book`] of everything
//! that it booked, and takes [`Faults`] from a seed. A second POST of one order number **is booked again**: that is the
//! worst that the real service may do, and only so does a double booking show.
//!
//! Destination PIN codes from 999000 to 999999 are answered with a `shipmentPurchaseError`: 999001 with a text, 999002
//! with an object, 999003 with an array, the others with a text.
//!
//! Tracking moves with time, and each tenth shipment comes back. A login takes [`DEFAULT_EMAIL`] and
//! [`DEFAULT_PASSWORD`]; its tokens expire. Registered addresses on this machine are really delivered to.
//!
//! Operations whose paths nobody knows are below `/sandbox/`, so that nobody takes these paths for the service's:
//! `couriers`, `ndr/{orderId}`, `warehouses` and `warehouses/{warehouseId}`. `GET /sandbox/book` is its own as well: the
//! book as JSON, for tests in another process. `GET
//! /sandbox/orders/{order_number}`, or `GET /sandbox/orders?orderNumber=…`, looks up the first shipment of an order:
//! `orderNumber`, `trackingCode` and `orderId`, or 404.

/// Where the sandbox serves what nobody knows the path of: the operation and the path.
pub const OWN_PATHS: &[(&str, &str)] = &[
    ("list_couriers", "/sandbox/couriers"),
    ("ndr", "/sandbox/ndr/{orderId}"),
    ("list_warehouses", "/sandbox/warehouses"),
    ("get_warehouse", "/sandbox/warehouses/{warehouseId}"),
    ("create_warehouse", "/sandbox/warehouses"),
    ("update_warehouse", "/sandbox/warehouses/{warehouseId}"),
];

mod book;
mod contract;
mod faults;
mod identity;
mod operations;
mod server;
mod service;

pub use book::{Book, Booking};
pub use faults::{Answer, Faults, FaultsError};
pub use server::{DEFAULT_EMAIL, DEFAULT_PASSWORD, DEFAULT_TOKEN, Options, Sandbox};
