//! What the configuration says of the operations: other paths, other names of what is sent and answered.

use std::collections::BTreeMap;

use crate::api::json;

use super::table::{ALL, Method, Operation};

/// What the configuration says of one operation; what it leaves out stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Override {
    /// The HTTP method.
    pub method: Option<Method>,
    /// The path below the base address, with `{placeholders}`.
    pub path: Option<String>,
    /// A value of the answer and its JSON pointer.
    pub fields: BTreeMap<String, String>,
    /// A value of the request and the key that the service takes it by.
    pub request: BTreeMap<String, String>,
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
    /// A value that the operation does not have.
    #[error("[operations.{name}.{table}] knows no \"{field}\"; known are: {known}")]
    Field {
        /// The operation.
        name: &'static str,
        /// `fields` or `request`.
        table: &'static str,
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
    #[error("the path of \"{name}\" needs a value for {{{parameter}}}{}", known_places(.known))]
    Parameter {
        /// The operation.
        name: &'static str,
        /// The placeholder.
        parameter: String,
        /// The placeholders that have values.
        known: Vec<String>,
    },
}

fn known_places(known: &[String]) -> String {
    let places: Vec<String> = known.iter().map(|name| format!("{{{name}}}")).collect();
    if places.is_empty() { String::new() } else { format!("; there are values for {}", places.join(", ")) }
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
    request: BTreeMap<String, String>,
}

/// The table of operations with the configuration's word on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operations(Vec<Entry>);

impl Default for Operations {
    fn default() -> Self {
        Self(ALL.iter().map(|operation| Entry::of(operation)).collect())
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
        let Operation { fields, request, .. } = entry.operation;
        let fields: Vec<&str> = fields.iter().map(|(field, _)| *field).collect();
        let request: Vec<&str> = request.iter().map(|(value, _)| *value).collect();
        add(&mut entry.fields, with.fields, (name, "fields"), &fields)?;
        add(&mut entry.request, with.request, (name, "request"), &request)?;
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
        found.cloned().unwrap_or_else(|| Entry::of(operation))
    }
}

/// Takes over what is written of values that there are.
fn add(
    to: &mut BTreeMap<String, String>,
    written: BTreeMap<String, String>,
    (name, table): (&'static str, &'static str),
    known: &[&str],
) -> Result<(), OperationError> {
    for (field, pointer) in written {
        if !known.contains(&field.as_str()) {
            return Err(OperationError::Field { name, table, field, known: known.join(", ") });
        }
        to.insert(field, json::pointer(&pointer));
    }
    Ok(())
}

impl Entry {
    fn of(operation: &'static Operation) -> Self {
        let (method, path) = (operation.method, operation.path.map(str::to_owned));
        let (fields, request) = (BTreeMap::new(), BTreeMap::new());
        Self { operation, method, path, configured: false, fields, request }
    }

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
        let mut used = Vec::new();
        let (path, query) = template.split_once('?').unwrap_or((template, ""));
        let path = self.filled(path, parameters, &mut used, encode)?;
        // Addresses take dots for a step up, however they are encoded.
        let is_step = |part: &str| matches!(part.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..");
        if path.split('/').any(is_step) {
            return Err(OperationError::Step { name });
        }
        let mut pairs = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            // What goes into the query is encoded when it is sent.
            pairs.push((name.to_owned(), self.filled(value, parameters, &mut used, str::to_owned)?));
        }
        pairs.extend(parameters.iter().filter(|(name, _)| !used.contains(name)).cloned());
        Ok((path, pairs))
    }

    /// A part of the path with its placeholders filled; `used` are the parameters that fill one.
    fn filled(
        &self,
        template: &str,
        parameters: &[(String, String)],
        used: &mut Vec<String>,
        encoded: impl Fn(&str) -> String,
    ) -> Result<String, OperationError> {
        let name = self.operation.name;
        let mut path = String::with_capacity(template.len());
        let mut left = template;
        while let Some((before, after)) = left.split_once('{') {
            let Some((parameter, behind)) = after.split_once('}') else { break };
            let Some((_, value)) = parameters.iter().find(|(known, value)| known == parameter && !value.is_empty())
            else {
                let known =
                    parameters.iter().filter(|(_, value)| !value.is_empty()).map(|(name, _)| name.clone()).collect();
                return Err(OperationError::Parameter { name, parameter: parameter.to_owned(), known });
            };
            used.push(parameter.to_owned());
            path.push_str(before);
            path.push_str(&encoded(value));
            left = behind;
        }
        path.push_str(left);
        Ok(path)
    }

    /// Those of `names` that the path has a place for.
    #[must_use]
    pub fn placed(&self, names: &[(String, String)]) -> Vec<(String, String)> {
        let template = self.path.as_deref().unwrap_or_default();
        names.iter().filter(|(name, _)| template.contains(&format!("{{{name}}}"))).cloned().collect()
    }

    /// The key of a value of the request.
    #[must_use]
    pub fn key(&self, value: &str) -> &str {
        let known = || self.operation.request.iter().find(|(name, _)| *name == value).map(|(_, key)| *key);
        self.request.get(value).map(|key| key.trim_start_matches('/')).or_else(known).unwrap_or_default()
    }

    /// The field that says where the object, or the list of objects, stands that holds the others.
    #[must_use]
    pub fn whole(&self) -> &'static str {
        self.operation.fields.first().map_or("", |(field, _)| field)
    }

    /// Where the configuration says that a value of the answer stands.
    #[must_use]
    pub fn configured_at(&self, field: &str) -> Option<&str> {
        self.fields.get(field).map(String::as_str)
    }

    /// Where a value of the answer may stand when nothing is configured: JSON pointers, the known one first.
    #[must_use]
    pub fn known_at(&self, field: &str) -> &'static [&'static str] {
        self.operation.fields.iter().find(|(known, _)| *known == field).map_or(&[], |(_, pointers)| pointers)
    }

    /// Where all values of the answer are looked for first.
    #[must_use]
    pub fn pointers(&self) -> BTreeMap<&'static str, &str> {
        let first = |field| self.configured_at(field).or_else(|| self.known_at(field).first().copied());
        self.operation.fields.iter().map(|(field, _)| (*field, first(field).unwrap_or_default())).collect()
    }

    /// The keys of all values of the request.
    #[must_use]
    pub fn keys(&self) -> BTreeMap<&'static str, &str> {
        self.operation.request.iter().map(|(value, _)| (*value, self.key(value))).collect()
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
    use crate::api::operation::{LABEL_URL, NDR, QUOTE, Standing};

    #[test]
    fn names_are_distinct_and_paths_go_with_standing() {
        let mut names: Vec<&str> = ALL.iter().map(|operation| operation.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        for operation in ALL {
            assert_eq!(operation.path.is_none(), operation.standing == Standing::Unknown, "{}", operation.name);
            let mut pointers = operation.fields.iter().flat_map(|(_, pointers)| *pointers);
            assert!(pointers.all(|pointer| pointer.is_empty() || pointer.starts_with('/')), "{}", operation.name);
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
        operations.set("label_url", fields("url", "data.href")).unwrap();
        assert_eq!(operations.of(&LABEL_URL).configured_at("url"), Some("/data/href"));
        assert!(matches!(operations.set("label_url", fields("u", "/x")), Err(OperationError::Field { .. })));
        let request = |value: &str, key: &str| Override {
            request: BTreeMap::from([(value.to_owned(), key.to_owned())]),
            ..Override::default()
        };
        operations.set("quote", request("weight", "dead_weight")).unwrap();
        let quote = operations.of(&QUOTE);
        assert_eq!((quote.key("weight"), quote.key("width"), quote.key("x")), ("dead_weight", "breadth", ""));
        assert!(matches!(operations.set("quote", request("wieght", "x")), Err(OperationError::Field { .. })));
    }
}
