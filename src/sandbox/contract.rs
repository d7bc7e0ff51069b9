//! The contract, held strictly: what is wrong with a request body.

use serde_json::{Map, Value};

/// The version of a forward shipment request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    V1,
    V2,
}

/// The type that the contract gives a field.
#[derive(Debug, Clone, Copy)]
enum Type {
    Text,
    /// A string, or nothing at all.
    TextIfAny,
    /// A number, or a numeric string, which is also sent in practice.
    Number,
    StrictNumber,
    Flag,
    TextOrNull,
}

const CONTACT: &[(&str, Type)] = &[
    ("firstName", Type::Text),
    ("lastName", Type::TextIfAny),
    ("email", Type::TextIfAny),
    ("phoneNumber", Type::Text),
    ("companyName", Type::TextIfAny),
];

const ADDRESS: &[(&str, Type)] = &[
    ("addressLine1", Type::Text),
    ("city", Type::Text),
    ("state", Type::Text),
    ("country", Type::Text),
    ("countryCode", Type::Text),
    ("pinCode", Type::Text),
    ("type", Type::Text),
];

const LINE: &[(&str, Type)] = &[
    ("productName", Type::Text),
    ("price", Type::Number),
    ("quantity", Type::StrictNumber),
    ("category", Type::TextOrNull),
    ("currencyCode", Type::Text),
    ("sku", Type::Text),
    ("taxRate", Type::Text),
    ("discount", Type::Text),
    ("taxesIncluded", Type::Flag),
    ("description", Type::TextOrNull),
    ("hs_code", Type::TextOrNull),
];

const SHIPPING: &[(&str, Type)] = &[
    ("orderType", Type::Text),
    ("subTotal", Type::StrictNumber),
    ("shippingCharges", Type::StrictNumber),
    ("otherCharges", Type::StrictNumber),
    ("discount", Type::StrictNumber),
];

const TOP: &[(&str, Type)] = &[
    ("orderNumber", Type::Text),
    ("orderCreatedAt", Type::Text),
    ("channelId", Type::Text),
    ("type", Type::Text),
    ("sellerNote", Type::TextIfAny),
    ("tags", Type::TextIfAny),
    ("carrier", Type::TextIfAny),
    ("service", Type::TextIfAny),
];

/// Everything that is wrong with a forward shipment request; nothing where it is as the contract has it.
pub(super) fn faults_of_shipment(body: &Value, version: Version) -> Vec<String> {
    let Some(body) = body.as_object() else { return vec!["the body must be an object".to_owned()] };
    let mut faults = Vec::new();
    let mut checker = Checker { faults: &mut faults };
    checker.fields(body, "", TOP);
    checker.not_blank(body, "orderNumber");
    let created = body.get("orderCreatedAt").and_then(Value::as_str).unwrap_or_default();
    if !created.bytes().all(|byte| byte.is_ascii_digit()) || created.len() != 13 {
        checker.faults.push("orderCreatedAt must be epoch milliseconds in a string".to_owned());
    }
    checker.object(body, "receiver", CONTACT);
    checker.object(body, "destination", ADDRESS);
    if let Some(parcel) = checker.object(body, "parcelAttributes", &[]) {
        let sides: Vec<(&str, Type)> = ["length", "width", "height"].map(|side| (side, Type::StrictNumber)).to_vec();
        checker.nested(parcel, "parcelAttributes.", "dimension", &[sides.as_slice(), &[("unit", Type::Text)]].concat());
        checker.nested(parcel, "parcelAttributes.", "weight", &[("weight", Type::StrictNumber), ("unit", Type::Text)]);
    }
    checker.lines(body);
    checker.object(body, "shippingProperties", SHIPPING);
    match version {
        Version::V2 => {
            checker.fields(body, "", &[("warehouseId", Type::Text), ("returnAddressId", Type::TextIfAny)]);
            checker.not_blank(body, "warehouseId");
            for foreign in ["sender", "origin", "returnAddress"] {
                if body.contains_key(foreign) {
                    checker.faults.push(format!("property {foreign} should not exist"));
                }
            }
        }
        Version::V1 => {
            checker.object(body, "sender", CONTACT);
            checker.object(body, "origin", ADDRESS);
            checker.object(body, "returnAddress", ADDRESS);
        }
    }
    faults
}

/// Everything that is wrong with a webhook registration.
pub(super) fn faults_of_webhook(body: &Value) -> Vec<String> {
    let Some(body) = body.as_object() else { return vec!["the body must be an object".to_owned()] };
    let mut faults = Vec::new();
    let mut checker = Checker { faults: &mut faults };
    checker.fields(body, "", &[("url", Type::Text), ("enabled", Type::Flag), ("contentType", Type::Text)]);
    let url = body.get("url").and_then(Value::as_str).unwrap_or_default();
    if !url.starts_with("https://") && !url.starts_with("http://") {
        faults.push("url must be an absolute URL".to_owned());
    }
    faults
}

struct Checker<'f> {
    faults: &'f mut Vec<String>,
}

impl Checker<'_> {
    fn fields(&mut self, object: &Map<String, Value>, prefix: &str, fields: &[(&str, Type)]) {
        for (name, kind) in fields {
            let value = object.get(*name);
            let (fits, wanted) = match kind {
                Type::Text => (value.is_some_and(Value::is_string), "a string"),
                Type::TextIfAny => (value.is_none_or(Value::is_string), "a string"),
                Type::Number => (value.is_some_and(is_number_or_numeric), "a number"),
                Type::StrictNumber => (value.is_some_and(Value::is_number), "a number"),
                Type::Flag => (value.is_some_and(Value::is_boolean), "a boolean"),
                Type::TextOrNull => {
                    (value.is_none_or(|value| value.is_string() || value.is_null()), "a string or null")
                }
            };
            if !fits {
                self.faults.push(format!("{prefix}{name} must be {wanted}"));
            }
        }
    }

    fn not_blank(&mut self, object: &Map<String, Value>, name: &str) {
        if object.get(name).and_then(Value::as_str).is_some_and(|text| text.trim().is_empty()) {
            self.faults.push(format!("{name} should not be empty"));
        }
    }

    fn object<'v>(
        &mut self,
        parent: &'v Map<String, Value>,
        name: &str,
        fields: &[(&str, Type)],
    ) -> Option<&'v Map<String, Value>> {
        self.nested(parent, "", name, fields)
    }

    fn nested<'v>(
        &mut self,
        parent: &'v Map<String, Value>,
        prefix: &str,
        name: &str,
        fields: &[(&str, Type)],
    ) -> Option<&'v Map<String, Value>> {
        let object = parent.get(name).and_then(Value::as_object);
        match object {
            Some(object) => self.fields(object, &format!("{prefix}{name}."), fields),
            None => self.faults.push(format!("{prefix}{name} must be an object")),
        }
        object
    }

    fn lines(&mut self, body: &Map<String, Value>) {
        let lines = body.get("productRequestsList").and_then(Value::as_array).filter(|lines| !lines.is_empty());
        let Some(lines) = lines else {
            self.faults.push("productRequestsList must contain at least 1 element".to_owned());
            return;
        };
        for (index, line) in lines.iter().enumerate() {
            match line.as_object() {
                Some(line) => self.fields(line, &format!("productRequestsList.{index}."), LINE),
                None => self.faults.push(format!("productRequestsList.{index} must be an object")),
            }
        }
    }
}

fn is_number_or_numeric(value: &Value) -> bool {
    value.is_number() || value.as_str().is_some_and(|text| text.parse::<f64>().is_ok_and(f64::is_finite))
}
