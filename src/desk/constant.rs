//! A box for one value that every order gets.

use maud::{Markup, html};

use crate::app::{App, TRY_ONE_ORDER};
use crate::config::Service;
use crate::field::{Field, Id, Kind};

/// A field in which one value for all orders is entered.
pub(super) fn value_for_all(app: &App, field: &Field, name: &str, value: &str) -> Markup {
    html! {
        label {
            (field.header) (unit(field.id))
            @match field.kind {
                Kind::Payment => select name=(name) {
                    @for (own, label) in [("", "Choose"), ("PREPAID", "Paid already"), ("COD", "Cash on delivery")] {
                        option value=(own) selected[own == value] { (label) }
                    }
                },
                Kind::Warehouse => (warehouse(app, name, value)),
                Kind::CountryCode => input name=(name) value=(value) maxlength="60" autocomplete="off";,
                Kind::Measure => input name=(name) value=(value) inputmode="decimal" autocomplete="off";,
                _ => input name=(name) value=(value) maxlength="200" autocomplete="off";,
            }
        }
    }
}

/// What is said beside a box for a warehouse where nobody knows which ones the service has.
pub(super) fn of_warehouses(app: &App) -> Markup {
    // Before there is an address, there is no service of which that could be said.
    let is_known = matches!(app.config().service(), Service::At(Some(_)));
    let is_typed = is_known && app.config().warehouses().is_empty() && app.account_warehouses().is_empty();
    html! { @if is_typed { p.soft { "Warehouse: " (TRY_ONE_ORDER) } } }
}

/// A warehouse: one of those that the account has, or what is typed where nobody knows them.
fn warehouse(app: &App, name: &str, value: &str) -> Markup {
    let named = app.config().warehouses();
    // Names of the settings are what sheets have; then no id is accepted in their place.
    let listed = if named.is_empty() { app.account_warehouses() } else { Vec::new() };
    html! {
        @if listed.is_empty() {
            input name=(name) value=(value) list="warehouses" autocomplete="off";
            datalist #warehouses { @for own in named.keys() { option value=(own) {} } }
        } @else {
            select name=(name) {
                option value="" selected[value.is_empty()] { "Choose" }
                @if !value.is_empty() && !listed.iter().any(|own| own.id == value) { option value=(value) selected { (value) } }
                @for own in &listed {
                    option value=(own.id) selected[own.id == value] { @if let Some(name) = &own.name { (name) " · " } (own.id) }
                }
            }
        }
    }
}

/// What a bare number is counted in.
const fn unit(id: Id) -> &'static str {
    match id {
        Id::Length | Id::Width | Id::Height => " (cm)",
        Id::Weight => " (kg)",
        _ => "",
    }
}
