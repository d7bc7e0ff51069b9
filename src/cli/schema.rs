//! The schemas in `docs/schema` that are made from the types that commands print.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::document::Kind;
use super::{
    accept, completions, config, desk, dismiss, doctor, doubt, export, fields, ledger, night, profile, purge, rejects,
    rules, runs, sandbox, selftest, service, stations, template, watch,
};

/// Keys of a schema that come first.
const FIRST: &[&str] = &[
    "$schema",
    "$id",
    "title",
    "description",
    "type",
    "const",
    "enum",
    "minimum",
    "maximum",
    "items",
    "oneOf",
    "anyOf",
    "properties",
    "required",
];

/// The schemas that are made from what is printed under `--format json`: the names of their kinds, and their texts.
///
/// # Errors
/// None: a schema always has a text.
pub fn schemas() -> serde_json::Result<Vec<(&'static str, String)>> {
    [
        schema::<accept::Document<'_>>(Kind::Accept),
        schema::<completions::Document>(Kind::Completions),
        schema::<config::Document<'_>>(Kind::Config),
        schema::<desk::Document<'_>>(Kind::Desk),
        schema::<dismiss::Document<'_>>(Kind::Dismiss),
        schema::<doctor::Document<'_>>(Kind::Doctor),
        schema::<doctor::BundleDocument>(Kind::DoctorBundle),
        schema::<doubt::listing::Document>(Kind::DoubtList),
        schema::<doubt::look_up::Document<'_>>(Kind::DoubtLookUp),
        schema::<doubt::reconcile::Document<'_>>(Kind::DoubtMatch),
        schema::<doubt::word::Document<'_>>(Kind::DoubtSettled),
        schema::<doubt::word::SeveralDocument<'_>>(Kind::DoubtsSettled),
        schema::<export::Document<'_>>(Kind::Export),
        schema::<fields::Document>(Kind::Fields),
        schema::<ledger::AcceptDocument<'_>>(Kind::LedgerAccept),
        schema::<ledger::BackupDocument>(Kind::LedgerBackup),
        schema::<ledger::CheckDocument>(Kind::LedgerCheck),
        schema::<ledger::MoveDocument>(Kind::LedgerMove),
        schema::<purge::Document<'_>>(Kind::LedgerPurge),
        schema::<stations::Document<'_>>(Kind::LedgerStations),
        schema::<ledger::UpgradeDocument>(Kind::LedgerUpgrade),
        schema::<night::Document>(Kind::NightInstall),
        schema::<profile::CheckDocument<'_>>(Kind::ProfileCheck),
        schema::<profile::GuessDocument<'_>>(Kind::ProfileGuess),
        schema::<profile::ListDocument<'_>>(Kind::ProfileList),
        schema::<profile::ShowDocument<'_>>(Kind::ProfileShow),
        schema::<rejects::Document<'_>>(Kind::Rejects),
        schema::<rules::Document<'_>>(Kind::Rules),
        schema::<runs::Document<'_>>(Kind::Runs),
        schema::<sandbox::Document<'_>>(Kind::Sandbox),
        schema::<selftest::Document<'_>>(Kind::Selftest),
        schema::<service::addresses::ListDocument>(Kind::ServiceAddresses),
        schema::<service::call::Answered<'_>>(Kind::ServiceCall),
        schema::<service::couriers::Document>(Kind::ServiceCouriers),
        schema::<service::login::Document>(Kind::ServiceLogin),
        schema::<service::call::ListDocument<'_>>(Kind::ServiceOperations),
        schema::<service::probe::Document<'_>>(Kind::ServiceProbe),
        schema::<service::quote::Document>(Kind::ServiceQuote),
        schema::<service::serviceability::Document<'_>>(Kind::ServiceServiceability),
        schema::<service::call::Answered<'_>>(Kind::ServiceWarehouse),
        schema::<service::warehouse_import::ImportDocument<'_>>(Kind::ServiceWarehouseImport),
        schema::<service::warehouse_import::PlanDocument<'_>>(Kind::ServiceWarehousePlan),
        schema::<service::webhook::Event<'_>>(Kind::ServiceWebhookEvent),
        schema::<service::webhook::ListDocument>(Kind::ServiceWebhookList),
        schema::<service::webhook::RegisterDocument>(Kind::ServiceWebhookRegister),
        schema::<service::addresses::Document>(Kind::ServiceWord),
        schema::<template::Document>(Kind::Template),
        schema::<watch::Document<'_>>(Kind::Watch),
    ]
    .into_iter()
    .map(|(name, schema)| {
        Ok((name, serde_json::to_string_pretty(&InOrder { value: schema.as_value(), first: &[] })? + "\n"))
    })
    .collect()
}

/// The schema of a kind, of which this is printed.
fn schema<T: JsonSchema>(kind: Kind) -> (&'static str, Schema) {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|own| own.inline_subschemas = true);
    let settings = settings.with_transform(RecursiveTransform(close));
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    let (name, version) = kind.named();
    schema.insert("$id".to_owned(), format!("https://shipsheet.invalid/schema/{name}.json").into());
    let of_all = [
        (
            "version",
            json!({"const": version, "description":
            "The version of this kind. It rises when a key goes or changes its meaning, not when one is added."}),
        ),
        ("document", json!({"const": name, "description": "The kind of this document."})),
    ];
    for (key, value) in of_all {
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            properties.insert(key.to_owned(), value);
        }
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.insert(0, key.into());
        }
    }
    (name, schema)
}

/// What is not described is not printed; widths of integers concern nobody.
fn close(schema: &mut Schema) {
    schema.remove("format");
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
