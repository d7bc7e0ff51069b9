//! What is said of a sheet as a file, and of its rows.

catalogue! {}
