//! `shipment`: details and invoices, and the way to the rest.

use anyhow::Result;
use serde_json::json;

use crate::after::labels::{Document, Folder};
use crate::ledger::Shipped;

use super::bulk::{Failure, for_each, tell};
use super::chosen::chosen;
use super::exit::Exit;
use super::service_args::{Shipment, Which};
use super::settings::Settings;
use super::{cancel, label, track};

pub(super) fn shipment(settings: &Settings, command: &Shipment) -> Result<Exit> {
    match command {
        Shipment::Details(which) => details(settings, which),
        Shipment::Cancel { which, yes } => cancel::cancel(settings, which, *yes),
        Shipment::Label(arguments) => label::label(settings, arguments),
        Shipment::Invoice { which, to } => invoice(settings, which, to),
        Shipment::Track(which) => track::track(settings, which),
    }
}

fn details(settings: &Settings, which: &Which) -> Result<Exit> {
    let chosen = chosen(settings, which)?;
    let ends = for_each(settings, which, &chosen.shipments, |caller, shipment| async move {
        let order_id = known_id(&shipment)?;
        let mut found = caller.details(&[&order_id]).await?;
        let same = found.iter().position(|details| details.order_id.as_deref().is_none_or(|id| id == order_id));
        let place = same.ok_or_else(|| "the service does not know this shipment".to_owned())?;
        Ok::<_, Failure>(found.swap_remove(place))
    })?;
    tell(settings, "details", &chosen, &ends, |details| details.answer.clone(), |details| details.answer.to_string())
}

pub(super) fn known_id(shipment: &Shipped) -> Result<String, String> {
    let unknown = || "the service's own id of this order is not known, for a person settled it".to_owned();
    shipment.order_id.clone().ok_or_else(unknown)
}

fn invoice(settings: &Settings, which: &Which, to: &std::path::Path) -> Result<Exit> {
    let chosen = chosen(settings, which)?;
    let folder = Folder::open(to, Document::Invoice)?;
    let ends = for_each(settings, which, &chosen.shipments, |caller, shipment| {
        let folder = folder.clone();
        async move { folder.get(&caller, &shipment).await }
    })?;
    tell(
        settings,
        "invoice",
        &chosen,
        &ends,
        |kept| json!({"file": kept.path, "pages": kept.pages}),
        |kept| kept.path.display().to_string(),
    )
}
