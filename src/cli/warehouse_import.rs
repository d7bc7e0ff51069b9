//! `warehouse import`: creates the warehouses of a sheet, each once, and shows their names and ids.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};

use crate::app::{Exit, Warehouse, WarehouseColumns, WarehouseFate, WarehousePlan};
use crate::report::Document;
use crate::text::count;

use super::call::agreed;
use super::connect::settle_host;
use super::console::{note, print};
use super::couriers::Counted;
use super::document::{Kind, print_document, print_failure};
use super::global::Format;
use super::plan::{causes, say_causes};
use super::service_args::WarehouseImport;
use super::settings::Settings;

pub(super) fn import(settings: &Settings, arguments: &WarehouseImport) -> Result<Exit> {
    let columns = WarehouseColumns {
        sheet: arguments.reading.options(),
        name: arguments.name_column.clone(),
        json: arguments.json_column.clone(),
    };
    let plan = settings.app.plan_warehouses(&arguments.sheet, &columns, &arguments.again)?;
    if plan.is_unusable() {
        return wrong(settings, &plan);
    }
    if arguments.dry_run {
        return shown(settings, &plan);
    }
    let open = plan.open();
    let fates = if open.is_empty() {
        plan.known.iter().flatten().cloned().collect()
    } else {
        note(format!("to create at {}: {}", settings.service_key()?, names(&open)));
        let question = format!("Create {} at the service?", count(open.len() as u64, "warehouse"));
        agreed(settings, arguments.yes, &question)?;
        settle_host(settings)?;
        let mut steps = Counted::new(settings);
        let mut told = |place: usize, warehouse: &Warehouse, fate: &WarehouseFate| {
            if !settings.is_quiet() {
                note(format!("{} of {}: {} {}", place + 1, open.len(), warehouse.name, fate.word()));
            }
        };
        settings.app.create_warehouses(&plan, &arguments.again, arguments.rate, &steps.stop(), &mut steps, &mut told)?
    };
    told(settings, arguments.write, &plan, &fates)
}

/// A sheet with something wrong in it creates nothing.
fn wrong(settings: &Settings, plan: &WarehousePlan) -> Result<Exit> {
    let mut causes = causes(settings);
    for problem in &plan.problems {
        causes.add(problem);
    }
    say_causes(&causes);
    note("nothing was sent");
    if settings.format == Format::Json {
        let exit = Exit::SheetProblems.code();
        print_failure(&Document { problems: causes.into_all(), exit, ..Document::default() })?;
    }
    Ok(Exit::SheetProblems)
}

/// The first names, and how many more there are.
fn names(open: &[&Warehouse]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<&str> = open.iter().take(SHOWN).map(|warehouse| warehouse.name.as_str()).collect();
    let more = open.len().saturating_sub(SHOWN);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

/// What is to be said of a warehouse without an id.
fn why(fate: &WarehouseFate) -> Option<String> {
    match fate {
        WarehouseFate::UnclearBefore => Some(
            "it was sent before and no clear answer came: look for it in the portal; is it there, write its id into \
             [warehouses] of shipsheet.toml, else say --again with its name"
                .to_owned(),
        ),
        WarehouseFate::SameId { id, other } => Some(format!(
            "the service gave it the id {id}, which {other} has: are the two one warehouse? Look in the portal; if they \
             are, write its name with that id into [warehouses] of shipsheet.toml, else say --again with its name"
        )),
        WarehouseFate::Refused(why) | WarehouseFate::Unclear(why) | WarehouseFate::Unsent(why) => Some(why.clone()),
        WarehouseFate::Known(_) | WarehouseFate::Created(_) => None,
    }
}

fn shown(settings: &Settings, plan: &WarehousePlan) -> Result<Exit> {
    let word = |fate: &Option<WarehouseFate>| fate.as_ref().map_or("would be created", WarehouseFate::word);
    let together = || plan.warehouses.iter().zip(&plan.known);
    if settings.format == Format::Json {
        let entry = |(own, fate): (&Warehouse, _)| json!({"name": own.name, "state": word(fate), "body": own.body});
        let list: Vec<Value> = together().map(entry).collect();
        print_document(Kind::WarehousePlan, &json!({"warehouses": list, "exit": Exit::Done.code()}))?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for (warehouse, fate) in together() {
        writeln!(text, "{}: {}\n  {}", warehouse.name, word(fate), warehouse.body)?;
    }
    print(&text)?;
    note("nothing was sent");
    Ok(Exit::Done)
}

fn told(settings: &Settings, write: bool, plan: &WarehousePlan, fates: &[WarehouseFate]) -> Result<Exit> {
    let has = |like: fn(&WarehouseFate) -> bool| fates.iter().any(like);
    let exit = match () {
        () if has(|fate| {
            matches!(fate, WarehouseFate::Unclear(_) | WarehouseFate::UnclearBefore | WarehouseFate::SameId { .. })
        }) =>
        {
            Exit::InDoubt
        }
        () if has(|fate| matches!(fate, WarehouseFate::Unsent(_))) => Exit::Outstanding,
        () if has(|fate| matches!(fate, WarehouseFate::Refused(_))) => Exit::SomeFailed,
        () => Exit::Done,
    };
    let together = || plan.warehouses.iter().zip(fates);
    let lines = settings.app.warehouse_lines(plan, fates);
    let written = if write && !lines.is_empty() { Some(settings.app.write_warehouses(&lines)?) } else { None };
    if settings.format == Format::Json {
        let entry = |(own, fate): (&Warehouse, &WarehouseFate)| json!({"name": own.name, "state": fate.word(), "id": fate.id(), "error": why(fate)});
        let list: Vec<Value> = together().map(entry).collect();
        let document = json!({"warehouses": list, "configuration": lines, "written": written, "exit": exit.code()});
        print_document(Kind::WarehouseImport, &document)?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    for (warehouse, fate) in together() {
        let said = fate.id().map(str::to_owned).or_else(|| why(fate)).unwrap_or_default();
        writeln!(text, "{}  {}: {said}", warehouse.name, fate.word())?;
    }
    print(&text)?;
    if let Some(file) = written {
        note(format!("{file} now names {}", count(lines.len() as u64, "warehouse")));
    } else if !lines.is_empty() {
        note("for shipsheet.toml (--write does it); where any warehouse is named there, all others are refused:");
        print(format!("[warehouses]\n{}\n", lines.join("\n")).as_bytes())?;
    }
    Ok(exit)
}
