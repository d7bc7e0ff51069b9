//! The one table of operations: name, method, path, how surely each is known, and where the values of its request and its
//! answer stand.

use schemars::JsonSchema;
use serde::Serialize;

/// How surely an operation's path is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The contract.
    Documented,
    /// The vendor's public reference.
    Vendor,
    /// Public integrations of the same service: a working default, never a promise.
    Seen,
    /// Nobody knows: it takes configuration.
    Unknown,
}

impl Standing {
    /// In a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::Vendor => "vendor",
            Self::Seen => "seen",
            Self::Unknown => "unknown",
        }
    }
}

/// An HTTP method that the service takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Creates.
    Post,
    /// Changes.
    Put,
    /// Changes in part.
    Patch,
    /// Takes away.
    Delete,
}

impl Method {
    const ALL: [Self; 5] = [Self::Get, Self::Post, Self::Put, Self::Patch, Self::Delete];

    /// As HTTP writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// From its word, whatever its case.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str().eq_ignore_ascii_case(word.trim()))
    }
}

/// One operation, as it is known before any configuration.
#[derive(Debug, PartialEq, Eq)]
pub struct Operation {
    /// What it is called here.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path below the base address, with `{placeholders}`.
    pub path: Option<&'static str>,
    /// How surely it is known.
    pub standing: Standing,
    /// What the request says: a name for each value and the key that the service takes it by.
    pub request: &'static [(&'static str, &'static str)],
    /// What the answer says: a name for each value and its JSON pointers, the known one first, then others that are in use.
    /// The first is where the object, or the list of objects, stands that holds the rest.
    pub fields: &'static [(&'static str, &'static [&'static str])],
    /// Whether it changes nothing though its method is not GET.
    pub asks: bool,
    /// What its path may look like where nobody knows it, with what the commands put into it.
    pub example: &'static str,
}

/// A path of which nothing is known.
const SOME_PATH: &str = "/v1/external/…";

/// What the request names the shipment by, where its path does not.
const BY_ORDER_ID: &[(&str, &str)] = &[("order_id", "orderId")];

macro_rules! operations {
    ($($(#[doc = $doc:literal])+ $constant:ident = $name:literal, $method:ident, $path:expr, $standing:ident, $about:literal,
        [$(($field:literal, $($pointer:literal)|+)),* $(,)?] $(, $fact:ident: $value:expr)*;)*) => {
        $($(#[doc = $doc])+ pub static $constant: Operation = Operation {
            $($fact: $value,)*
            ..Operation {
                name: $name, about: $about, method: Method::$method, path: $path, standing: Standing::$standing,
                request: &[], fields: &[$(($field, &[$($pointer),+])),*], asks: false, example: SOME_PATH,
            }
        };)*
        /// Every operation, in the order in which an order needs them.
        pub static ALL: &[&Operation] = &[$(&$constant),*];
    };
}

operations! {
    /// Gets a token.
    LOGIN = "login", Post, Some("/v1/external/auth/login"), Vendor, "get a token for an e-mail address and a password",
        [("answer", ""), ("token", "/accessToken" | "/access_token" | "/token")];
    /// Couriers between two PIN codes.
    SERVICEABILITY = "serviceability", Get, Some("/v1/external/carrier/serviceability"), Seen,
        "couriers between two PIN codes",
        [("carriers", "" | "/carriers" | "/couriers"), ("carrier", "/carrier" | "/courier" | "/name"), ("zone", "/zone"),
         ("prepaid", "/prepaidActive" | "/prepaid"), ("cod", "/codActive" | "/cod"),
         ("replacement", "/replacementActive" | "/replacement"), ("reverse", "/reversePickupActive" | "/reverse")],
        request: &[("from", "origin_pin"), ("to", "destination_pin")];
    /// Prices.
    QUOTE = "quote", Post, Some("/v1/external/shipments/rates"), Seen, "prices of couriers for one parcel",
        [("rates", "/rates"), ("carrier", "/carrier" | "/courier"), ("service", "/service"), ("rate", "/rate" | "/price"),
         ("currency", "/currency"), ("days", "/est_delivery_days"), ("zone", "/zone"), ("charged_weight", "/charged_weight")],
        request: &[("length", "length"), ("width", "breadth"), ("height", "height"), ("weight", "weight"),
            ("value", "invoice_value"), ("direction", "delivery_type"), ("payment", "order_type"),
            ("from", "pickup_pincode"), ("to", "drop_pincode")],
        asks: true;
    /// Couriers.
    LIST_COURIERS = "list_couriers", Get, None, Unknown, "list couriers",
        [("couriers", "" | "/couriers" | "/carriers"), ("name", "/name" | "/carrier" | "/courier" | "/carrierName" | "/courierName" | ""),
         ("id", "/id")];
    /// Books a forward shipment, version 2.
    FORWARD_SHIPMENT = "forward_shipment", Post, Some("/v2/external/shipments/forward-shipment"), Documented,
        "book a shipment from a warehouse (version 2)",
        [("answer", ""), ("awb", "/awb"), ("error", "/shipmentPurchaseError"), ("order_id", "/orderId"),
         ("created", "/cratedAt" | "/createdAt"), ("carrier", "/carrier"), ("service", "/service")];
    /// Books a forward shipment, version 1; deprecated by the service.
    FORWARD_SHIPMENT_V1 = "forward_shipment_v1", Post, Some("/v1/external/shipments/forward-shipment"), Documented,
        "book a shipment with a written-out sender (version 1, deprecated)",
        [("answer", ""), ("awb", "/awb"), ("error", "/shipmentPurchaseError"), ("order_id", "/orderId"),
         ("created", "/cratedAt" | "/createdAt"), ("carrier", "/carrier"), ("service", "/service")];
    /// Details of shipments.
    SHIPMENT_DETAILS = "shipment_details", Get, Some("/v1/external/shipments"), Vendor,
        "details of shipments by the service's order ids",
        [("shipments", "" | "/shipments" | "/shipment"), ("order_id", "/orderId"), ("order_number", "/orderNumber"),
         ("awb", "/trackingCode" | "/awb" | "/awbNumber")],
        request: &[("order_id", "orderIds")];
    /// Cancels a shipment.
    CANCEL_SHIPMENT = "cancel_shipment", Put, Some("/v1/external/shipments/{orderId}/cancel"), Vendor,
        "cancel a shipment",
        [("answer", ""), ("refund_status", "/refundStatus"), ("awb", "/trackingCode" | "/awb" | "/awbNumber")],
        request: BY_ORDER_ID;
    /// An invoice.
    INVOICE = "invoice", Get, Some("/v1/external/shipments/{orderId}/invoice"), Seen, "a shipment's invoice (PDF)",
        [("answer", ""), ("url", "/invoiceUrl" | "/url" | "")], request: BY_ORDER_ID;
    /// Where a label lies.
    LABEL_URL = "label_url", Get, Some("/v1/external/shipments/{orderId}/label-url"), Seen,
        "where a shipment's label lies", [("answer", ""), ("url", "/labelUrl" | "/url" | "")], request: BY_ORDER_ID;
    /// A label.
    LABEL = "label", Get, Some("/v1/external/shipments/{orderId}/label"), Seen,
        "a shipment's label (PDF, or JSON with its address)", [("answer", ""), ("url", "/labelUrl" | "/url" | "")],
        request: BY_ORDER_ID;
    /// Where a shipment is.
    TRACK = "track", Get, Some("/v1/external/shipments/track"), Seen, "where a shipment is",
        [("answer", "" | "/tracking" | "/shipment"), ("status", "/status/subStatus" | "/subStatus" | "/status"),
         ("checkpoints", "/checkpointList" | "/checkpoints"),
         ("checkpoint_status", "/status/subStatus" | "/subStatus" | "/status"), ("checkpoint_message", "/message"),
         ("checkpoint_time", "/checkpointEventTime" | "/time" | "/timestamp"),
         ("checkpoint_place", "/address/rawLocation" | "/location"), ("order_id", "/orderId"),
         ("awb", "/trackingCode" | "/awb" | "/awbNumber")],
        request: BY_ORDER_ID;
    /// Registers an endpoint for tracking events.
    REGISTER_WEBHOOK = "register_webhook", Post, Some("/v1/external/shipments/track/webhook"), Documented,
        "register an address for tracking events",
        [("answer", "" | "/endpoint" | "/webhook"), ("id", "/endpointId" | "/id" | "/webhookId"), ("url", "/url"),
         ("enabled", "/enabled"), ("content_type", "/contentType"), ("created", "/createdAt"), ("updated", "/updatedAt")];
    /// Action on a failed delivery.
    NDR = "ndr", Put, None, Unknown, "tell the courier what to do about a failed delivery",
        [("answer", ""), ("accepted", "/accepted")],
        request: &[("action", "action"), ("order_id", "orderId")],
        example: "/v1/external/…/{orderId}";
    /// A warehouse.
    GET_WAREHOUSE = "get_warehouse", Get, None, Unknown, "one warehouse", [("answer", "")],
        example: "/v1/external/…/{warehouseId}";
    /// Warehouses.
    LIST_WAREHOUSES = "list_warehouses", Get, None, Unknown, "list warehouses",
        [("warehouses", "" | "/warehouses"), ("id", "/id" | "/warehouseId" | "/warehouse_id"),
         ("name", "/name" | "/warehouseName" | "/warehouse_name")];
    /// A new warehouse.
    CREATE_WAREHOUSE = "create_warehouse", Post, None, Unknown, "create a warehouse",
        [("answer", "" | "/warehouse"), ("id", "/id" | "/warehouseId" | "/warehouse_id")];
    /// A changed warehouse.
    UPDATE_WAREHOUSE = "update_warehouse", Put, None, Unknown, "change a warehouse", [("answer", "")],
        example: "/v1/external/…/{warehouseId}";
    /// Not one of the service's known operations: a look-up by our own order number, where somebody has one.
    FIND_ORDER = "find_order", Get, None, Unknown, "look a shipment up by our own order number",
        [("answer", ""), ("order_number", "/orderNumber"), ("awb", "/trackingCode" | "/awb" | "/awbNumber")],
        request: &[("order_number", "orderNumber")], example: "/v1/external/…?orderNumber={orderNumber}";
}
