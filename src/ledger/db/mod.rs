//! The seam between the ledger and its database: statements in SQL that every engine understands, our own values in and out.
//!
//! Nothing above this folder names a library. What only one engine has (a file's pragmas, a server's roles) stands in that
//! engine's own folder.

#[cfg(feature = "postgres")]
mod address;
mod connection;
#[cfg(feature = "postgres")]
mod dialect;
mod error;
mod file;
#[cfg(feature = "postgres")]
mod password;
#[cfg(feature = "postgres")]
mod server;
mod statement;
#[cfg(feature = "postgres")]
mod tls;
#[cfg(feature = "postgres")]
mod together;
mod value;
#[cfg(feature = "postgres")]
mod waiting;
#[cfg(feature = "postgres")]
mod wire;

#[cfg(feature = "postgres")]
pub use address::{Address, AddressError};
pub(in crate::ledger) use connection::{Connection, Transaction};
#[cfg(feature = "postgres")]
pub(in crate::ledger) use dialect::{definition, translated as server_dialect};
pub(in crate::ledger) use error::{Error, Failure, OptionalExtension, Result};
#[cfg(feature = "postgres")]
pub(in crate::ledger) use server::Server;
pub(in crate::ledger) use statement::{Row, Statement};
#[cfg(feature = "postgres")]
pub(in crate::ledger) use together::{Around, Column, Step};
pub(in crate::ledger) use value::{ToValue, Value, params};
#[cfg(feature = "postgres")]
pub(in crate::ledger) use waiting::shorter;
