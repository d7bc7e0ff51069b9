//! `service warehouse import`: creates the warehouses of a sheet, each once, and shows their names and ids.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::app::{Exit, Warehouse, WarehouseColumns, WarehouseOutcome, WarehousePlan};
use crate::cli::connect::settle_service;
use crate::cli::console::{note, print};
use crate::cli::couriers::Counted;
use crate::cli::document::{Failure, Kind, print_document, print_failure};
use crate::cli::global::Format;
use crate::cli::plan::{causes, say_causes};
use crate::cli::profile::Reading;
use crate::cli::session::agreed_to;
use crate::cli::settings::Settings;
use crate::cli::typed::rate;
use crate::text::count;

#[derive(Debug, Args)]
pub(in crate::cli) struct WarehouseImport {
    /// The sheet: a row for each warehouse; each header names a field of the request, as the service calls it
    /// (address.city is city in address)
    #[arg(value_name = "SHEET")]
    sheet: PathBuf,
    /// The column of the name that your order sheets use [default: the one that is called name]
    #[arg(long, value_name = "HEADER")]
    name_column: Option<String>,
    /// A column whose cells are numbers, true or false in the request, and not texts; may be repeated
    #[arg(long, value_name = "HEADER")]
    json_column: Vec<String>,
    #[command(flatten)]
    reading: Reading,
    /// Show the requests, and send nothing
    #[arg(long)]
    dry_run: bool,
    /// Create this one once more, though its first creation had no clear answer: you have looked, and it is not there
    #[arg(long, value_name = "NAME")]
    again: Vec<String>,
    /// Add names and ids to [warehouses] of the configuration file in use
    #[arg(long)]
    write: bool,
    /// Requests a second at most, for instance 5 or 5/s [default: as [booking] has it]
    #[arg(long, value_name = "N/s", value_parser = rate)]
    rate: Option<f64>,
    /// Do not ask before creating
    #[arg(long, short)]
    yes: bool,
}

/// The document of `service warehouse import --dry-run`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Warehouses that would be created")]
pub(in crate::cli) struct PlanDocument<'p> {
    /// Every warehouse of the sheet.
    warehouses: Vec<Planned<'p>>,
    exit: Exit,
}

/// One warehouse.
#[derive(Serialize, JsonSchema)]
struct Planned<'p> {
    /// Its name in the sheets.
    name: &'p str,
    /// Its state: `would be created`, `known` or `unclear`.
    state: &'static str,
    /// The request as it would be sent, with the fields that the service has.
    #[schemars(extend("type" = "object"))]
    body: &'p Value,
}

/// The document of `service warehouse import`.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Warehouses that were created")]
pub(in crate::cli) struct ImportDocument<'p> {
    /// Every warehouse of the sheet.
    warehouses: Vec<Created<'p>>,
    /// Lines for `[warehouses]` of the configuration.
    configuration: &'p [String],
    /// The configuration file that they were added to; null where they were not.
    written: Option<String>,
    exit: Exit,
}

/// One warehouse.
#[derive(Serialize, JsonSchema)]
struct Created<'p> {
    /// Its name in the sheets.
    name: &'p str,
    /// Its result.
    #[schemars(extend("enum" = ["known", "created", "refused", "unclear", "not sent"]))]
    state: &'static str,
    /// The service's own id; null where it has none.
    id: Option<&'p str>,
    /// Why it has no id; null where it has one.
    error: Option<String>,
}

impl<'p> Created<'p> {
    fn of(own: &'p Warehouse, outcome: &'p WarehouseOutcome) -> Self {
        Self { name: &own.name, state: outcome.word(), id: outcome.id(), error: why(outcome) }
    }
}

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
        agreed_to(settings, arguments.yes, &question)?;
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
        print_failure(&Failure::of(causes.into_all(), Exit::SheetProblems.code()))?;
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
        let planned = together().map(|(own, known)| Planned { name: &own.name, state: word(known), body: &own.body });
        let warehouses = planned.collect();
        print_document(Kind::ServiceWarehousePlan, &PlanDocument { warehouses, exit: Exit::Done })?;
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
        let warehouses = together().map(|(own, outcome)| Created::of(own, outcome)).collect();
        let document = ImportDocument { warehouses, configuration: &lines, written, exit };
        print_document(Kind::ServiceWarehouseImport, &document)?;
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
