//! The service's operations and how surely each is known.

/// How surely an operation's path is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The contract.
    Documented,
    /// The vendor's public reference.
    Vendor,
    /// Public integrations of the same service.
    Seen,
    /// Nobody knows: it takes configuration.
    Unknown,
}

/// One operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// What it is called here.
    pub name: &'static str,
    /// The HTTP method.
    pub method: &'static str,
    /// The path below the base address, with `{placeholders}`.
    pub path: Option<&'static str>,
    /// How surely it is known.
    pub standing: Standing,
}

/// Books a forward shipment, version 2.
pub const FORWARD_SHIPMENT: Operation = Operation {
    name: "forward_shipment",
    method: "POST",
    path: Some("/v2/external/shipments/forward-shipment"),
    standing: Standing::Documented,
};

/// Books a forward shipment, version 1; deprecated by the service.
pub const FORWARD_SHIPMENT_V1: Operation = Operation {
    name: "forward_shipment_v1",
    method: "POST",
    path: Some("/v1/external/shipments/forward-shipment"),
    standing: Standing::Documented,
};

/// Registers an endpoint for tracking events.
pub const REGISTER_WEBHOOK: Operation = Operation {
    name: "register_webhook",
    method: "POST",
    path: Some("/v1/external/shipments/track/webhook"),
    standing: Standing::Documented,
};
