//! What is said of orders by what the service and the ledger know.

catalogue! {}
