//! What is said of a sheet's columns, and of profiles.

catalogue! {}
