//! The one table of operations: name, method, path, how surely each is known, and where its answer's fields are.

use std::collections::BTreeMap;

/// How surely an operation's path is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// Where the answer's fields are: a name for each and its JSON pointer.
    pub fields: &'static [(&'static str, &'static str)],
    /// Whether it changes nothing though its method is not GET.
    pub asks: bool,
    /// What its path may look like where nobody knows it, with what the commands put into it.
    pub example: &'static str,
}

/// A path of which nothing is known.
const SOME_PATH: &str = "/v1/external/…";

macro_rules! operations {
    ($($(#[doc = $doc:literal])+ $constant:ident = $name:literal, $method:ident, $path:expr, $standing:ident, $about:literal,
        [$(($field:literal, $pointer:literal)),* $(,)?] $(, $fact:ident: $value:expr)*;)*) => {
        $($(#[doc = $doc])+ pub static $constant: Operation = Operation {
            $($fact: $value,)*
            ..Operation {
                name: $name, about: $about, method: Method::$method, path: $path, standing: Standing::$standing,
                fields: &[$(($field, $pointer)),*], asks: false, example: SOME_PATH,
            }
        };)*
        /// Every operation, in the order in which an order needs them.
        pub static ALL: &[&Operation] = &[$(&$constant),*];
    };
}

operations! {
    /// Gets a token.
    LOGIN = "login", Post, Some("/v1/external/auth/login"), Vendor, "get a token for an e-mail address and a password",
        [("token", "/accessToken")];
    /// Couriers between two PIN codes.
    SERVICEABILITY = "serviceability", Get, Some("/v1/external/carrier/serviceability"), Seen,
        "couriers between two PIN codes",
        [("carriers", ""), ("carrier", "/carrier"), ("zone", "/zone"), ("prepaid", "/prepaidActive"),
         ("cod", "/codActive"), ("replacement", "/replacementActive"), ("reverse", "/reversePickupActive")];
    /// Prices.
    QUOTE = "quote", Post, Some("/v1/external/shipments/rates"), Seen, "prices of couriers for one parcel",
        [("rates", "/rates"), ("carrier", "/carrier"), ("service", "/service"), ("rate", "/rate"),
         ("currency", "/currency"), ("days", "/est_delivery_days"), ("zone", "/zone"), ("charged_weight", "/charged_weight")],
        asks: true;
    /// Couriers.
    LIST_COURIERS = "list_couriers", Get, None, Unknown, "list couriers", [];
    /// Books a forward shipment, version 2.
    FORWARD_SHIPMENT = "forward_shipment", Post, Some("/v2/external/shipments/forward-shipment"), Documented,
        "book a shipment from a warehouse (version 2)", [];
    /// Books a forward shipment, version 1; deprecated by the service.
    FORWARD_SHIPMENT_V1 = "forward_shipment_v1", Post, Some("/v1/external/shipments/forward-shipment"), Documented,
        "book a shipment with a written-out sender (version 1, deprecated)", [];
    /// Details of shipments.
    SHIPMENT_DETAILS = "shipment_details", Get, Some("/v1/external/shipments"), Vendor,
        "details of shipments by the service's order ids",
        [("shipments", ""), ("order_id", "/orderId"), ("order_number", "/orderNumber"), ("awb", "/trackingCode")];
    /// Cancels a shipment.
    CANCEL_SHIPMENT = "cancel_shipment", Put, Some("/v1/external/shipments/{orderId}/cancel"), Vendor,
        "cancel a shipment", [("refund_status", "/refundStatus"), ("awb", "/trackingCode")];
    /// An invoice.
    INVOICE = "invoice", Get, Some("/v1/external/shipments/{orderId}/invoice"), Seen, "a shipment's invoice (PDF)",
        [("url", "/invoiceUrl")];
    /// Where a label lies.
    LABEL_URL = "label_url", Get, Some("/v1/external/shipments/{orderId}/label-url"), Seen,
        "where a shipment's label lies", [("url", "/labelUrl")];
    /// A label.
    LABEL = "label", Get, Some("/v1/external/shipments/{orderId}/label"), Seen,
        "a shipment's label (PDF, or JSON with its address)", [("url", "/labelUrl")];
    /// Where a shipment is.
    TRACK = "track", Get, Some("/v1/external/shipments/track"), Seen, "where a shipment is",
        [("status", "/status/subStatus"), ("checkpoints", "/checkpointList"), ("checkpoint_status", "/status/subStatus"),
         ("checkpoint_message", "/message"), ("checkpoint_time", "/checkpointEventTime"),
         ("checkpoint_place", "/address/rawLocation")];
    /// Registers an endpoint for tracking events.
    REGISTER_WEBHOOK = "register_webhook", Post, Some("/v1/external/shipments/track/webhook"), Documented,
        "register an address for tracking events", [];
    /// Action on a failed delivery.
    NDR = "ndr", Put, None, Unknown, "tell the courier what to do about a failed delivery",
        [("accepted", "/accepted")],
        example: "/v1/external/…/{orderId}";
    /// A warehouse.
    GET_WAREHOUSE = "get_warehouse", Get, None, Unknown, "one warehouse", [], example: "/v1/external/…/{warehouseId}";
    /// Warehouses.
    LIST_WAREHOUSES = "list_warehouses", Get, None, Unknown, "list warehouses", [];
    /// A new warehouse.
    CREATE_WAREHOUSE = "create_warehouse", Post, None, Unknown, "create a warehouse", [("id", "/id")];
    /// A changed warehouse.
    UPDATE_WAREHOUSE = "update_warehouse", Put, None, Unknown, "change a warehouse", [],
        example: "/v1/external/…/{warehouseId}";
    /// Not one of the service's known operations: a look-up by our own order number, where somebody has one.
    FIND_ORDER = "find_order", Get, None, Unknown, "look a shipment up by our own order number",
        [("order_number", "/orderNumber"), ("awb", "/trackingCode")], example: "/v1/external/…?orderNumber={orderNumber}";
}

/// What the configuration says of one operation; what it leaves out stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Override {
    /// The HTTP method.
    pub method: Option<Method>,
    /// The path below the base address, with `{placeholders}`.
    pub path: Option<String>,
    /// A field's name and its JSON pointer.
    pub fields: BTreeMap<String, String>,
}

/// What an override words wrongly.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum OperationError {
    /// No such operation.
    #[error("there is no operation \"{name}\"{}", did_you_mean(name))]
    Unknown {
        /// The word.
        name: String,
    },
    /// A path that leaves the base address.
    #[error(
        "[operations.{name}] path = \"{path}\" is no path: write it from the first / on, for instance \"/v1/external/…\""
    )]
    Path {
        /// The operation.
        name: &'static str,
        /// What was written.
        path: String,
    },
    /// A field that the operation does not have.
    #[error("[operations.{name}.fields] knows no \"{field}\"; known are: {known}")]
    Field {
        /// The operation.
        name: &'static str,
        /// What was written.
        field: String,
        /// What may be.
        known: String,
    },
    /// A value that would make another path of it.
    #[error("{name}: a value of dots alone names nothing at the service, and would lead to another path")]
    Step {
        /// The operation.
        name: &'static str,
    },
    /// A pointer that is none.
    #[error("[operations.{name}.fields] {field} = \"{pointer}\" is no JSON pointer: write it as /outer/inner")]
    Pointer {
        /// The operation.
        name: &'static str,
        /// The field.
        field: String,
        /// What was written.
        pointer: String,
    },
    /// An operation without a path.
    #[error(
        "the service's path of \"{name}\" ({about}) is not known: set it in shipsheet.toml, for instance\n  [operations.{name}]\n  method = \"{method}\"\n  path = \"{example}\""
    )]
    NoPath {
        /// The operation.
        name: &'static str,
        /// What it is for.
        about: &'static str,
        /// The method that it has.
        method: &'static str,
        /// What the path may look like.
        example: &'static str,
    },
    /// A placeholder of the path that got no value.
    #[error("the path of \"{name}\" needs a value for {{{parameter}}}")]
    Parameter {
        /// The operation.
        name: &'static str,
        /// The placeholder.
        parameter: String,
    },
}

fn did_you_mean(name: &str) -> String {
    let wanted = word(name);
    let likeness = |operation: &&Operation| strsim::jaro_winkler(&wanted, operation.name);
    let nearest = ALL.iter().map(|operation| (likeness(operation), operation.name)).max_by(|a, b| a.0.total_cmp(&b.0));
    nearest
        .filter(|(likeness, _)| *likeness >= 0.8)
        .map_or_else(String::new, |(_, near)| format!("; did you mean \"{near}\"?"))
}

/// `Label-URL` is `label_url`.
fn word(name: &str) -> String {
    name.trim().to_lowercase().replace('-', "_")
}

/// An operation as it is to be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// As it was known before.
    pub operation: &'static Operation,
    /// The method.
    pub method: Method,
    /// The path, where one is known or configured.
    pub path: Option<String>,
    /// Whether the configuration says something of it.
    pub configured: bool,
    fields: BTreeMap<String, String>,
}

/// The table of operations with the configuration's word on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operations(Vec<Entry>);

impl Default for Operations {
    fn default() -> Self {
        let entry = |operation: &&'static Operation| Entry {
            operation,
            method: operation.method,
            path: operation.path.map(str::to_owned),
            configured: false,
            fields: BTreeMap::new(),
        };
        Self(ALL.iter().map(entry).collect())
    }
}

impl Operations {
    /// Changes an operation.
    pub fn set(&mut self, name: &str, with: Override) -> Result<(), OperationError> {
        let wanted = word(name);
        let entry = self.0.iter_mut().find(|entry| entry.operation.name == wanted);
        let entry = entry.ok_or_else(|| OperationError::Unknown { name: name.to_owned() })?;
        let name = entry.operation.name;
        if let Some(path) = with.path {
            if !path.starts_with('/') || path.starts_with("//") || path.contains(['#', ' ', '\\']) {
                return Err(OperationError::Path { name, path });
            }
            entry.path = Some(path);
        }
        for (field, pointer) in with.fields {
            let known: Vec<&str> = entry.operation.fields.iter().map(|(field, _)| *field).collect();
            if !known.contains(&field.as_str()) {
                return Err(OperationError::Field { name, field, known: known.join(", ") });
            }
            if !pointer.is_empty() && !pointer.starts_with('/') {
                return Err(OperationError::Pointer { name, field, pointer });
            }
            entry.fields.insert(field, pointer);
        }
        entry.method = with.method.unwrap_or(entry.method);
        entry.configured = true;
        Ok(())
    }

    /// The operation of that name.
    pub fn find(&self, name: &str) -> Result<&Entry, OperationError> {
        let wanted = word(name);
        let found = self.0.iter().find(|entry| entry.operation.name == wanted);
        found.ok_or_else(|| OperationError::Unknown { name: name.to_owned() })
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.0.iter()
    }

    /// An operation of the table.
    #[must_use]
    pub fn of(&self, operation: &'static Operation) -> Entry {
        let found = self.0.iter().find(|entry| entry.operation.name == operation.name);
        found.cloned().unwrap_or(Entry {
            operation,
            method: operation.method,
            path: operation.path.map(str::to_owned),
            configured: false,
            fields: BTreeMap::new(),
        })
    }
}

impl Entry {
    /// Whether calling it changes nothing at the service.
    #[must_use]
    pub fn only_reads(&self) -> bool {
        self.method == Method::Get || self.operation.asks
    }

    /// The path with its placeholders filled, each value percent-encoded, and what of the parameters it did not take:
    /// those go into the query.
    pub fn address(&self, parameters: &[(String, String)]) -> Result<(String, Vec<(String, String)>), OperationError> {
        let Operation { name, about, example, .. } = *self.operation;
        let method = self.method.as_str();
        let template = self.path.as_deref().ok_or(OperationError::NoPath { name, about, method, example })?;
        let mut rest: Vec<(String, String)> = parameters.to_vec();
        let (path, query) = template.split_once('?').unwrap_or((template, ""));
        let path = self.filled(path, &mut rest, encode)?;
        // Addresses take dots for a step up, however they are encoded.
        let is_step = |part: &str| matches!(part.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..");
        if path.split('/').any(is_step) {
            return Err(OperationError::Step { name });
        }
        let mut pairs = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            // What goes into the query is encoded when it is sent.
            pairs.push((name.to_owned(), self.filled(value, &mut rest, str::to_owned)?));
        }
        pairs.append(&mut rest);
        Ok((path, pairs))
    }

    /// A part of the path with its placeholders filled; what it took is taken out of the parameters.
    fn filled(
        &self,
        template: &str,
        rest: &mut Vec<(String, String)>,
        encoded: impl Fn(&str) -> String,
    ) -> Result<String, OperationError> {
        let name = self.operation.name;
        let mut path = String::with_capacity(template.len());
        let mut left = template;
        while let Some((before, after)) = left.split_once('{') {
            let Some((parameter, behind)) = after.split_once('}') else { break };
            let given = rest.iter().position(|(known, value)| known == parameter && !value.is_empty());
            let Some(given) = given else {
                return Err(OperationError::Parameter { name, parameter: parameter.to_owned() });
            };
            path.push_str(before);
            path.push_str(&encoded(&rest.remove(given).1));
            left = behind;
        }
        path.push_str(left);
        Ok(path)
    }

    /// Where a field of the answer is: a JSON pointer.
    #[must_use]
    pub fn field(&self, name: &str) -> &str {
        let known = || self.operation.fields.iter().find(|(field, _)| *field == name).map(|(_, pointer)| *pointer);
        self.fields.get(name).map(String::as_str).or_else(known).unwrap_or_default()
    }

    /// Where all fields of the answer are.
    #[must_use]
    pub fn pointers(&self) -> BTreeMap<&'static str, &str> {
        self.operation.fields.iter().map(|(field, _)| (*field, self.field(field))).collect()
    }
}

/// Percent-encodes all but what needs no encoding anywhere in an address.
#[must_use]
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push('%');
            encoded.extend([byte >> 4, byte & 15].map(|half| char::from(b"0123456789ABCDEF"[usize::from(half)])));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_and_paths_go_with_standing() {
        let mut names: Vec<&str> = ALL.iter().map(|operation| operation.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        for operation in ALL {
            assert_eq!(operation.path.is_none(), operation.standing == Standing::Unknown, "{}", operation.name);
            assert!(operation.fields.iter().all(|(_, pointer)| pointer.is_empty() || pointer.starts_with('/')));
        }
    }

    #[test]
    fn values_stay_in_their_place() {
        let operations = Operations::default();
        let cancel = operations.find("Cancel-Shipment").unwrap();
        let parameters = |value: &str| vec![("orderId".to_owned(), value.to_owned()), ("x".to_owned(), "1".to_owned())];
        let (path, query) = cancel.address(&parameters("a/b?c#d e")).unwrap();
        assert_eq!(path, "/v1/external/shipments/a%2Fb%3Fc%23d%20e/cancel");
        assert_eq!(query, [("x".to_owned(), "1".to_owned())]);
        for dots in ["..", "."] {
            assert!(matches!(cancel.address(&parameters(dots)), Err(OperationError::Step { .. })), "{dots}");
        }
        assert_eq!(cancel.address(&parameters("%2e.")).unwrap().0, "/v1/external/shipments/%252e./cancel");
        assert!(matches!(cancel.address(&parameters("")), Err(OperationError::Parameter { .. })));
        let mut operations = Operations::default();
        let path = Some("/v9/ndr?x=1&id={orderId}&flag".to_owned());
        operations.set("ndr", Override { path, ..Override::default() }).unwrap();
        let (path, query) = operations.of(&NDR).address(&[("orderId".to_owned(), "a&b".to_owned())]).unwrap();
        let query: Vec<(&str, &str)> = query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!((path.as_str(), query), ("/v9/ndr", vec![("x", "1"), ("id", "a&b"), ("flag", "")]));
    }

    #[test]
    fn overrides_are_checked() {
        let mut operations = Operations::default();
        let path = |path: &str| Override { path: Some(path.to_owned()), ..Override::default() };
        assert!(operations.find("ndr").unwrap().address(&[]).unwrap_err().to_string().contains("[operations.ndr]"));
        operations.set("ndr", Override { method: Some(Method::Post), ..path("/v9/ndr") }).unwrap();
        let ndr = operations.of(&NDR);
        assert_eq!((ndr.method, ndr.path.as_deref(), ndr.configured), (Method::Post, Some("/v9/ndr"), true));
        for wrong in ["https://elsewhere.example", "//elsewhere.example/x", "v1/x", "/a b", "/a#b"] {
            assert!(matches!(operations.set("ndr", path(wrong)), Err(OperationError::Path { .. })), "{wrong}");
        }
        let error = operations.set("labl", Override::default()).unwrap_err().to_string();
        assert!(error.contains("did you mean \"label\"?"), "{error}");
        let fields = |field: &str, pointer: &str| Override {
            fields: BTreeMap::from([(field.to_owned(), pointer.to_owned())]),
            ..Override::default()
        };
        operations.set("label_url", fields("url", "/data/href")).unwrap();
        assert_eq!(operations.of(&LABEL_URL).field("url"), "/data/href");
        assert!(matches!(operations.set("label_url", fields("u", "/x")), Err(OperationError::Field { .. })));
        assert!(matches!(operations.set("label_url", fields("url", "x")), Err(OperationError::Pointer { .. })));
    }
}
