//! What answers mean, as a table, and one call is one POST, on real sockets.

mod adapted;
mod booking;
mod faulty;
mod noes;
mod outcomes;
mod tokens;
mod transport;
