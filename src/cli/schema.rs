//! The schemas in `docs/schema`, which are made from the types that commands print.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::notify::Alert;
use crate::report::ProblemEntry;

use super::document::{Failure, Kind};
use super::{
    accept, cancel, completions, conclude, config, desk, dismiss, doctor, doubt, explain, export, fields, label,
    ledger, night, profile, purge, rejects, report, rules, runs, sandbox, selftest, service, show, stations, template,
    track, watch,
};

/// Keys of a schema that come first.
const FIRST: &[&str] = &["$schema", "$id", "title", "description", "type", "properties", "required"];

type Derive = fn(SchemaGenerator) -> Schema;

/// The kinds that commands print, a line for each.
const DERIVED: &[(Kind, Derive)] = &[
    (Kind::Accept, of::<accept::Document<'_>>),
    (Kind::Cancel, of::<cancel::Document<'_>>),
    (Kind::Completions, of::<completions::Document>),
    (Kind::Config, of::<config::Document<'_>>),
    (Kind::CouldNotRun, of::<Failure>),
    (Kind::Desk, of::<desk::Document<'_>>),
    (Kind::Dismiss, of::<dismiss::Document<'_>>),
    (Kind::Doctor, of::<doctor::Document<'_>>),
    (Kind::DoctorBundle, of::<doctor::BundleDocument>),
    (Kind::DoubtList, of::<doubt::listing::Document>),
    (Kind::DoubtLookUp, of::<doubt::look_up::Document<'_>>),
    (Kind::DoubtMatch, of::<doubt::reconcile::Document<'_>>),
    (Kind::DoubtSettled, of::<doubt::word::Document<'_>>),
    (Kind::DoubtShow, of::<doubt::listing::ShowDocument<'_>>),
    (Kind::DoubtsSettled, of::<doubt::word::SeveralDocument<'_>>),
    (Kind::Explain, of::<explain::Document>),
    (Kind::Export, of::<export::Document<'_>>),
    (Kind::Fields, of::<fields::Document>),
    (Kind::Label, of::<label::Document<'_>>),
    (Kind::LedgerAccept, of::<ledger::AcceptDocument<'_>>),
    (Kind::LedgerBackup, of::<ledger::BackupDocument>),
    (Kind::LedgerCheck, of::<ledger::CheckDocument>),
    (Kind::LedgerMove, of::<ledger::MoveDocument>),
    (Kind::LedgerPurge, of::<purge::Document<'_>>),
    (Kind::LedgerStations, of::<stations::Document<'_>>),
    (Kind::LedgerUpgrade, of::<ledger::UpgradeDocument>),
    (Kind::NightInstall, of::<night::Document>),
    (Kind::ProfileCheck, of::<profile::CheckDocument<'_>>),
    (Kind::ProfileGuess, of::<profile::GuessDocument<'_>>),
    (Kind::ProfileList, of::<profile::ListDocument<'_>>),
    (Kind::ProfileShow, of::<profile::ShowDocument<'_>>),
    (Kind::Rejects, of::<rejects::Document<'_>>),
    (Kind::Report, of::<report::Document<'_>>),
    (Kind::Rules, of::<rules::Document<'_>>),
    (Kind::Run, of::<conclude::Document<'_>>),
    (Kind::Runs, of::<runs::Document<'_>>),
    (Kind::Sandbox, of::<sandbox::Document<'_>>),
    (Kind::Selftest, of::<selftest::Document<'_>>),
    (Kind::ServiceAddresses, of::<service::addresses::ListDocument>),
    (Kind::ServiceCall, of::<service::call::Answered<'_>>),
    (Kind::ServiceCouriers, of::<service::couriers::Document>),
    (Kind::ServiceDetails, of::<service::details::Document<'_>>),
    (Kind::ServiceInvoice, of::<service::invoice::Document<'_>>),
    (Kind::ServiceLogin, of::<service::login::Document>),
    (Kind::ServiceNdr, of::<service::ndr::Document<'_>>),
    (Kind::ServiceOperations, of::<service::call::ListDocument<'_>>),
    (Kind::ServiceProbe, of::<service::probe::Document<'_>>),
    (Kind::ServiceQuote, of::<service::quote::Document>),
    (Kind::ServiceServiceability, of::<service::serviceability::Document<'_>>),
    (Kind::ServiceWarehouse, of::<service::call::Answered<'_>>),
    (Kind::ServiceWarehouseImport, of::<service::warehouse_import::ImportDocument<'_>>),
    (Kind::ServiceWarehousePlan, of::<service::warehouse_import::PlanDocument<'_>>),
    (Kind::ServiceWebhookEvent, of::<service::webhook::Event<'_>>),
    (Kind::ServiceWebhookList, of::<service::webhook::ListDocument>),
    (Kind::ServiceWebhookRegister, of::<service::webhook::RegisterDocument>),
    (Kind::ServiceWord, of::<service::addresses::Document>),
    (Kind::Show, of::<show::Document>),
    (Kind::ShowEvidence, of::<show::EvidenceDocument<'_>>),
    (Kind::Template, of::<template::Document>),
    (Kind::Track, of::<track::Document<'_>>),
    (Kind::TrackSummary, of::<track::Summary<'_>>),
    (Kind::Watch, of::<watch::Document<'_>>),
];

/// Schemas beside these: of alerts, which are told and not printed, and of problems, which are parts of documents;
/// with the version of the kind where it has one.
const BESIDE: &[(&str, Option<u32>, Derive)] =
    &[(Alert::NAMED.0, Some(Alert::NAMED.1), of::<Alert<'_>>), ("finding", None, of::<ProblemEntry>)];

fn of<T: JsonSchema>(generator: SchemaGenerator) -> Schema {
    generator.into_root_schema_for::<T>()
}

/// The schemas that are made from what commands print under `--format json`: the name of each kind, and its text.
///
/// # Errors
/// A schema that has no text, which never happens.
pub fn schemas() -> serde_json::Result<Vec<(&'static str, String)>> {
    let text = |name: &'static str, version: Option<u32>, derive: Derive| {
        let settings = SchemaSettings::draft2020_12().for_serialize().with(|own| own.inline_subschemas = true);
        let mut schema = derive(settings.with_transform(RecursiveTransform(close)).into_generator());
        schema.insert("$id".to_owned(), format!("https://shipsheet.invalid/schema/{name}.json").into());
        if let Some(version) = version {
            begin(&mut schema, name, version);
        }
        Ok((name, serde_json::to_string_pretty(&InOrder { value: schema.as_value(), first: FIRST })? + "\n"))
    };
    let documents = DERIVED.iter().map(|(kind, derive)| {
        let (name, version) = kind.named();
        text(name, Some(version), *derive)
    });
    documents.chain(BESIDE.iter().map(|(name, version, derive)| text(name, *version, *derive))).collect()
}

/// Every document begins with its kind and version.
fn begin(schema: &mut Schema, name: &str, version: u32) {
    let rises = "The version of this kind. It rises when a key goes or changes its meaning, not when one is added.";
    let keys = [
        ("version", json!({"description": rises, "const": version})),
        ("document", json!({"description": "The kind of this document.", "const": name})),
    ];
    for (key, value) in keys {
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            properties.insert(key.to_owned(), value);
        }
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.insert(0, key.into());
        }
    }
}

/// Allows no other keys, drops the widths of integers, joins the lines of comments, and describes the words that tell
/// the variants of an enum apart.
fn close(schema: &mut Schema) {
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
    schema.remove("format");
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(|own| own.values_mut()).filter_map(Value::as_object_mut) {
        if property.contains_key("const") {
            property.entry("description").or_insert_with(|| "The kind.".into());
        }
    }
    if schema.get("properties").is_some() && schema.get("additionalProperties").is_none() {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
}

/// A schema with its title and description before the rest, and properties as they are printed.
struct InOrder<'v> {
    value: &'v Value,
    first: &'v [&'v str],
}

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Object(keys) => {
                let place = |key: &str| self.first.iter().position(|first| *first == key).unwrap_or(self.first.len());
                let required = keys.get("required").and_then(Value::as_array);
                let required: Vec<&str> = required.into_iter().flatten().filter_map(Value::as_str).collect();
                let mut keys: Vec<_> = keys.iter().collect();
                keys.sort_by_key(|(key, _)| place(key));
                serializer.collect_map(keys.into_iter().map(|(key, value)| {
                    let first = if key == "properties" { &required } else { FIRST };
                    (key, InOrder { value, first })
                }))
            }
            Value::Array(list) => serializer.collect_seq(list.iter().map(|value| InOrder { value, first: FIRST })),
            value => value.serialize(serializer),
        }
    }
}
