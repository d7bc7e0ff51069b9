//! `warehouse import`: creates the warehouses of a sheet, each once, and shows their names and ids.

use std::io::Write;

use anyhow::Result;
use serde_json::{Value, json};

use crate::app::{Exit, Warehouse, WarehouseColumns, WarehouseOutcome, WarehousePlan};
use crate::report::Document;
use crate::text::count;

use super::call::agreed;
use super::connect::settle_service;
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
    let outcomes = if open.is_empty() {
        plan.known.iter().flatten().cloned().collect()
    } else {
        note(format!("to create at {}: {}", settings.service_key()?, names(&open)));
        let question = format!("Create {} at the service?", count(open.len() as u64, "warehouse"));
        agreed(settings, arguments.yes, &question)?;
        settle_service(settings)?;
        let mut steps = Counted::new(settings);
        let mut told = |place: usize, warehouse: &Warehouse, outcome: &WarehouseOutcome| {
            if !settings.is_quiet() {
                note(format!("{} of {}: {} {}", place + 1, open.len(), warehouse.name, outcome.word()));
            }
        };
        settings.app.create_warehouses(&plan, &arguments.again, arguments.rate, &steps.stop(), &mut steps, &mut told)?
    };
    told(settings, arguments.write, &plan, &outcomes)
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
fn why(outcome: &WarehouseOutcome) -> Option<String> {
    match outcome {
        WarehouseOutcome::UnclearBefore => Some(
            "it was sent before and no clear answer came: look for it in the portal; is it there, write its id into \
             [warehouses] of shipsheet.toml, else say --again with its name"
                .to_owned(),
        ),
        WarehouseOutcome::SameId { id, other } => Some(format!(
            "the service gave it the id {id}, which {other} has: are the two one warehouse? Look in the portal; if they \
             are, write its name with that id into [warehouses] of shipsheet.toml, else say --again with its name"
        )),
        WarehouseOutcome::Refused(why) | WarehouseOutcome::Unclear(why) | WarehouseOutcome::Unsent(why) => {
            Some(why.clone())
        }
        WarehouseOutcome::Known(_) | WarehouseOutcome::Created(_) => None,
    }
}

fn shown(settings: &Settings, plan: &WarehousePlan) -> Result<Exit> {
    let word = |outcome: &Option<WarehouseOutcome>| outcome.as_ref().map_or("would be created", WarehouseOutcome::word);
    let together = || plan.warehouses.iter().zip(&plan.known);
    if settings.format == Format::Json {
        let entry =
            |(own, outcome): (&Warehouse, _)| json!({"name": own.name, "state": word(outcome), "body": own.body});
        let list: Vec<Value> = together().map(entry).collect();
        print_document(Kind::WarehousePlan, &json!({"warehouses": list, "exit": Exit::Done.code()}))?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for (warehouse, outcome) in together() {
        writeln!(text, "{}: {}\n  {}", warehouse.name, word(outcome), warehouse.body)?;
    }
    print(&text)?;
    note("nothing was sent");
    Ok(Exit::Done)
}

fn told(settings: &Settings, write: bool, plan: &WarehousePlan, outcomes: &[WarehouseOutcome]) -> Result<Exit> {
    let has = |like: fn(&WarehouseOutcome) -> bool| outcomes.iter().any(like);
    let exit = match () {
        () if has(|outcome| {
            matches!(
                outcome,
                WarehouseOutcome::Unclear(_) | WarehouseOutcome::UnclearBefore | WarehouseOutcome::SameId { .. }
            )
        }) =>
        {
            Exit::InDoubt
        }
        () if has(|outcome| matches!(outcome, WarehouseOutcome::Unsent(_))) => Exit::Outstanding,
        () if has(|outcome| matches!(outcome, WarehouseOutcome::Refused(_))) => Exit::SomeFailed,
        () => Exit::Done,
    };
    let together = || plan.warehouses.iter().zip(outcomes);
    let lines = settings.app.warehouse_lines(plan, outcomes);
    let written = if write && !lines.is_empty() { Some(settings.app.write_warehouses(&lines)?) } else { None };
    if settings.format == Format::Json {
        let entry = |(own, outcome): (&Warehouse, &WarehouseOutcome)| json!({"name": own.name, "state": outcome.word(), "id": outcome.id(), "error": why(outcome)});
        let list: Vec<Value> = together().map(entry).collect();
        let document = json!({"warehouses": list, "configuration": lines, "written": written, "exit": exit.code()});
        print_document(Kind::WarehouseImport, &document)?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    for (warehouse, outcome) in together() {
        let said = outcome.id().map(str::to_owned).or_else(|| why(outcome)).unwrap_or_default();
        writeln!(text, "{}  {}: {said}", warehouse.name, outcome.word())?;
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
