//! What is said of orders, and of what rows say together.

catalogue! {}
