//! Settings: the service and its login, what is in use, and what may be entered once.

use std::collections::BTreeMap;
use std::sync::Arc;

use maud::{Markup, html};
use serde::Deserialize;

use crate::api::Endpoint;
use crate::app::{self, App, FirstStep};
use crate::config::{Edit, Service, SetBy};
use crate::field::{FIELDS, Field, Need};

use super::answer::{Result, Shown};
use super::constant::{of_warehouses, value_for_all};
use super::page::{self, Page, Part, Tone};
use super::state::Desk;
use super::trouble::Trouble;
use super::{account, layouts, rules};

/// The setting of the service's address.
const ADDRESS: &str = "base_url";
/// The setting of where parcels are picked up.
const PICKUP_PIN: &str = "serviceability.pickup_pin";
/// What the names of values for every order begin with.
const DEFAULTS: &str = "defaults.";

/// What was typed before and cannot be meant, with what else stood in its form.
#[derive(Default, Deserialize)]
pub(super) struct Typed {
    #[serde(flatten)]
    entered: BTreeMap<String, String>,
}

impl Typed {
    /// What stands in a field: what was typed there, or what holds now.
    fn or<'t>(&'t self, name: &str, now: &'t str) -> &'t str {
        self.entered.get(name).map_or(now, String::as_str)
    }

    /// Why what was typed there cannot be meant.
    fn why(&self, app: &App, name: &str) -> Markup {
        let wrong = self.entered.get(name).and_then(|text| app.fits_setting(name, text.trim()).err());
        html! { @if let Some(error) = wrong { p.said.bad { (Trouble::from(error).sentence()) } } }
    }
}

pub(super) fn settings(desk: &Desk, typed: &Typed) -> Result<Page> {
    let app = desk.app();
    let config = app.config();
    let body = html! {
        h1.unseen { "Settings" }
        @if *config.service() != Service::Sandbox { (first_steps(desk, &app)) }
        (service(desk, typed))
        @if *config.service() != Service::Sandbox { (account::account(desk)?) }
        (of_every_order(&app, typed))
        (warehouses(&app, typed))
        (layouts::section(desk)?)
        section aria-labelledby="use" {
            h2 #use { "Files" }
            dl.facts {
                div { dt { "Ledger" } dd { code { (config.site().named()) } " " span.soft { (origin(&config.set_by("ledger"))) } } }
                div { dt { "Settings file" } dd { @match config.file() { Some(file) => code { (file.display()) }, None => span.soft { "none yet" } } } }
            }
        }
    };
    Ok(Page { title: "Settings".to_owned(), part: Part::Settings, body })
}

fn service(desk: &Desk, typed: &Typed) -> Markup {
    let app = desk.app();
    let set_by = app.config().set_by(ADDRESS);
    let address = match app.config().service() {
        Service::Sandbox => {
            return html! {
                section aria-labelledby="service" {
                    h2 #service { "Service" }
                    p { b { "Practice service" } ", built in. Nothing is booked for real, and no account is needed." }
                    p.soft { "To book for real, end shipsheet (close its window, or Ctrl-C) and start it without practice." }
                }
            };
        }
        Service::At(address) => address.as_ref(),
    };
    // What is said at the start or by the environment takes precedence over the file.
    let is_changeable = matches!(set_by, SetBy::File(_) | SetBy::Default);
    let origin_of = address.map(Endpoint::origin).unwrap_or_default();
    html! {
        section aria-labelledby="service" {
            h2 #service { "Service" }
            @if address.is_none() { (page::notice(Tone::Warn, &html! { p { "No address is set yet. Your courier service tells you the address of its API." } })) }
            @if is_changeable {
                form action="setting" {
                    div.fields {
                        label { "Address of the service" input name=(ADDRESS) value=(typed.or(ADDRESS, app.config().base_url().unwrap_or_default())) placeholder="https://" required autocomplete="off"; }
                        button { "Change the address" }
                    }
                    (typed.why(&app, ADDRESS))
                }
            } @else {
                dl.facts { div { dt { "Address" } dd { code { (origin_of) } " " span.soft { (origin(&set_by)) } } } }
            }
            @if let Some(host) = app.new_host() { (new_host(desk, &host.origin)) }
        }
    }
}

/// What stands in for what no sheet says.
fn of_every_order(app: &App, typed: &Typed) -> Markup {
    let values = app.config().default_values();
    let version = app.config().version(None);
    let may_be_set = FIELDS.iter().filter(|field| field.may_be_constant());
    let first: Vec<&Field> = FirstStep::ALL.into_iter().flat_map(FirstStep::fields).collect();
    let is_asked = |field: &&Field| {
        let is_needed = field.need(version) == Need::Required || values.contains_key(field.path);
        is_needed || first.iter().any(|own| own.id == field.id)
    };
    let (asked, others): (Vec<&Field>, Vec<&Field>) = may_be_set.partition(is_asked);
    let value = |field: &Field| {
        let (name, now) = (format!("{DEFAULTS}{}", field.path), values.get(field.path).map_or("", String::as_str));
        html! { div { (value_for_all(app, field, &name, typed.or(&name, now))) (typed.why(app, &name)) } }
    };
    let is_typed = |field: &&Field| typed.entered.contains_key(&format!("{DEFAULTS}{}", field.path));
    html! {
        section aria-labelledby="every" {
            h2 #every { "Every order gets" }
            p.soft { "Used for orders whose sheet does not say it. Leave a box empty to be asked for each sheet." }
            (of_warehouses(app))
            form action="setting" {
                div.fields.defaults { @for field in &asked { (value(field)) } }
                details open[others.iter().any(is_typed)] {
                    summary { "More values: return address and others" }
                    div.fields.defaults { @for field in &others { (value(field)) } }
                }
                div.row.end { button { "Save these values" } }
            }
        }
    }
}

/// What is still to be said before a first order goes.
fn first_steps(desk: &Desk, app: &App) -> Markup {
    // What sheets mostly say themselves is asked for where one does not.
    let said = |(step, is_taken): (FirstStep, bool)| match step {
        FirstStep::Login if is_taken && desk.login_worked(app).is_some_and(|worked| worked.is_err()) => {
            Some(("account", "an account with which the login works"))
        }
        _ if is_taken => None,
        FirstStep::Address => Some(("service", "the address of the service")),
        FirstStep::Login => Some(("account", "an account")),
        FirstStep::Warehouse => Some(("every", "the warehouse that parcels leave from")),
        FirstStep::Parcel | FirstStep::Country | FirstStep::Currency => None,
    };
    let open: Vec<(&str, &str)> = app.first_steps().into_iter().filter_map(said).collect();
    html! {
        @if !open.is_empty() {
            section aria-label="First steps" {
                (page::notice(Tone::Warn, &html! {
                    p { "Still to say before the first order:" }
                    ol { @for (place, what) in &open { li { a href={ "#" (place) } { (what) } } } }
                }))
            }
        }
    }
}

/// Names that sheets may give to warehouses.
fn warehouses(app: &App, typed: &Typed) -> Markup {
    let (config, listed) = (app.config(), app.account_warehouses());
    html! {
        section aria-labelledby="pickup" {
            h2 #pickup { "Warehouses" }
            @if !listed.is_empty() {
                p.soft { "The courier service knows these warehouses of your account:" }
                dl.facts { @for own in &listed { div { dt { (own.name.as_deref().unwrap_or_default()) } dd { code { (own.id) } } } } }
            }
            @if config.warehouses().is_empty() { p.soft { "No warehouse has a name yet. Until then a sheet has to have the id that the courier service knows." } }
            @else {
                dl.facts { @for (name, id) in config.warehouses() { div { dt { (name) } dd { code { (id) } } } } }
            }
            form action="setting" {
                div.fields {
                    label { "PIN code of pickup" input name=(PICKUP_PIN) value=(typed.or(PICKUP_PIN, config.serviceability().pickup_pin.as_deref().unwrap_or_default())) inputmode="numeric" maxlength="6" autocomplete="off"; }
                    button { "Change the PIN code" }
                }
                (typed.why(app, PICKUP_PIN))
            }
            form action="setting" {
                div.fields {
                    label { "Name in your sheets" input name="warehouse" required maxlength="60" autocomplete="off"; }
                    label { "Id at the courier service" input name="warehouse_id" required maxlength="60" autocomplete="off"; }
                    button { "Name a warehouse" }
                }
            }
        }
    }
}

/// Settings as they were entered, by their names in the file.
#[derive(Deserialize)]
pub(super) struct Settings {
    /// The file as it was when the change was shown.
    #[serde(default)]
    seen: String,
    #[serde(flatten)]
    entered: BTreeMap<String, String>,
}

impl Settings {
    /// Those that are not what they were.
    fn changed(&self, app: &App) -> Result<Vec<(String, String)>> {
        let config = app.config();
        let (mut changed, values) = (Vec::new(), config.default_values());
        for (name, entered) in &self.entered {
            let text = entered.trim().to_owned();
            let field = name.strip_prefix(DEFAULTS).and_then(Field::by_path).filter(|field| field.may_be_constant());
            let now = match (name.as_str(), field) {
                (ADDRESS, _) => Some(config.base_url().unwrap_or_default()),
                (PICKUP_PIN, _) => Some(config.serviceability().pickup_pin.as_deref().unwrap_or_default()),
                (_, Some(field)) => Some(values.get(field.path).map_or("", String::as_str)),
                _ => None,
            };
            if let Some(now) = now {
                if now != text || name == ADDRESS {
                    app.fits_setting(name, &text)?;
                }
                changed.extend((now != text).then(|| (name.clone(), text)));
            } else if let (("warehouse", false), Some(id)) =
                ((name.as_str(), text.is_empty()), self.entered.get("warehouse_id"))
            {
                changed.push((format!("warehouses.{text}"), id.trim().to_owned()));
            }
        }
        Ok(changed)
    }

    /// The change of the file; nothing where all is as it was.
    fn edit(&self, app: &App) -> Result<Option<Edit>> {
        let changed = self.changed(app)?;
        let changed: Vec<(&str, &str)> = changed.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        if changed.is_empty() { Ok(None) } else { Ok(Some(app.config().edit(&changed).map_err(app::Error::from)?)) }
    }
}

/// Shows the change of the file before it is written.
pub(super) fn offer(desk: &Desk, wanted: &Settings) -> Result<Shown> {
    let app = desk.app();
    let changed = match wanted.changed(&app) {
        Err(Trouble::Typed(_) | Trouble::App(app::Error::Misuse(_))) => {
            // It is typed anew where it stands.
            let each =
                wanted.entered.iter().map(|(name, text)| format!("{}={}", page::encoded(name), page::encoded(text)));
            return Ok(Shown::Instead(format!("settings?{}", each.collect::<Vec<_>>().join("&"))));
        }
        changed => changed?,
    };
    let Some(edit) = wanted.edit(&app)? else {
        return Ok(Shown::Instead(desk.say("settings", "Nothing was changed.")));
    };
    let body = html! {
        section {
            h1 { "Change the settings?" }
            dl.facts { @for (name, text) in &changed { div { dt { (called(name)) } dd { (if text.is_empty() { "nothing" } else { text.as_str() }) } } } }
            details { summary { "What is written into the file" } (rules::change(&edit)) }
            (page::form(desk, "setting", &html! {
                (rules::as_seen(&edit))
                @for (name, text) in &wanted.entered { input type="hidden" name=(name) value=(text); }
                div.row.end { a.button href="settings" { "Leave it" } span.grow {} button.main { "Write the change" } }
            }))
        }
    };
    Ok(Page { title: "Change the settings".to_owned(), part: Part::Settings, body }.into())
}

/// What a setting is called on the page.
fn called(name: &str) -> String {
    match (name, name.strip_prefix(DEFAULTS).and_then(Field::by_path), name.strip_prefix("warehouses.")) {
        (ADDRESS, ..) => "Address of the courier service".to_owned(),
        (PICKUP_PIN, ..) => "PIN code of pickup".to_owned(),
        (_, Some(field), _) => field.header.to_owned(),
        (_, _, Some(warehouse)) => format!("Warehouse {warehouse}"),
        _ => name.to_owned(),
    }
}

pub(super) fn change(desk: &Arc<Desk>, wanted: &Settings) -> Result<String> {
    if let Some(edit) = wanted.edit(&desk.app())? {
        rules::is_as_seen(desk, &edit, &wanted.seen)?;
        desk.configure(|_| edit.write())?;
        return Ok(desk.say("settings", "The change is written."));
    }
    Ok(desk.say("settings", "Nothing was changed."))
}

fn origin(set_by: &SetBy) -> String {
    match set_by {
        SetBy::Given => "given at the start".to_owned(),
        SetBy::Environment(name) => format!("from {name}"),
        SetBy::File(_) => "from your settings".to_owned(),
        SetBy::Default => String::new(),
    }
}

fn new_host(desk: &Desk, host: &str) -> Markup {
    page::notice(
        Tone::Warn,
        &html! {
            p { "Your account would be used at " b { (host) } " for the first time. Is that the address of your courier service?" }
            (page::form(desk, "host", &html! { input type="hidden" name="host" value=(host); button { "Yes, allow it" } }))
        },
    )
}

/// A host that a person allows.
#[derive(Deserialize)]
pub(super) struct Allowed {
    host: String,
}

pub(super) fn allow_host(desk: &Arc<Desk>, allowed: &Allowed) -> Result<String> {
    let app = desk.app();
    let Some(host) = app.new_host() else { return Ok("settings".to_owned()) };
    if host.origin != allowed.host {
        return Err(Trouble::Changed("The address has changed".to_owned()));
    }
    app.accept_host(&host)?;
    Ok("settings".to_owned())
}
