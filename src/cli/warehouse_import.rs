//! `warehouse import`: creates the warehouses of a sheet, each once, and keeps their ids.

use std::cell::RefCell;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::after::labels::write_whole;
use crate::api::operation::{CREATE_WAREHOUSE, Entry};
use crate::api::{CallError, Caller};
use crate::book::StoppedBy;
use crate::ledger::{Ledger, NewWarehouse, WarehouseState};
use crate::report::{Causes, Document, write_causes};
use crate::text::count;

use super::args::Format;
use super::bulk::bulk;
use super::call::agreed;
use super::console::{listen_for_signals, note, print, print_json};
use super::exit::Exit;
use super::ledger::lock_ledger;
use super::remedy::words;
use super::room::runtime;
use super::service_args::WarehouseImport;
use super::session::{Line, host, user};
use super::settings::{Settings, Verbosity};
use super::warehouse_sheet::{Reading, Wanted, read};

/// What became of a warehouse.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Fate {
    /// It has an id already.
    Known(String),
    /// It was created now.
    Created(String),
    /// The service said no.
    Refused(String),
    /// Nobody knows whether it exists now.
    Unclear(String),
    /// It was not sent.
    Unsent(String),
}

impl Fate {
    const fn word(&self) -> &'static str {
        match self {
            Self::Known(_) => "known",
            Self::Created(_) => "created",
            Self::Refused(_) => "refused",
            Self::Unclear(_) => "unclear",
            Self::Unsent(_) => "not sent",
        }
    }

    fn id(&self) -> Option<&str> {
        match self {
            Self::Known(id) | Self::Created(id) => Some(id),
            _ => None,
        }
    }

    fn why(&self) -> Option<&str> {
        match self {
            Self::Refused(why) | Self::Unclear(why) | Self::Unsent(why) => Some(why),
            _ => None,
        }
    }
}

pub(super) fn import(settings: &Settings, arguments: &WarehouseImport) -> Result<Exit> {
    let entry = settings.operations()?.of(&CREATE_WAREHOUSE);
    // Fails at once where nobody has said how the service takes it.
    entry.address(&[])?;
    let reading = Reading {
        sheet: arguments.reading.options(settings.config.reading.limits()),
        name_column: arguments.name_column.as_deref(),
        json_columns: &arguments.json_column,
    };
    let (wanted, problems) = read(&arguments.sheet, &reading)?;
    if problems.iter().any(|problem| problem.holds()) {
        let words = words(&settings.command);
        let mut causes = if settings.format == Format::Json { Causes::keeping_all(words) } else { Causes::new(words) };
        for problem in &problems {
            causes.add(problem);
        }
        return wrong(settings, causes);
    }
    let service = settings.service_key()?;
    let ledger = match (arguments.dry_run, settings.ledger.exists()) {
        (true, false) => None,
        (true, true) => Some(settings.read_ledger()?),
        (false, _) => Some(Ledger::open_locked(lock_ledger(settings, "warehouse import")?)?),
    };
    let mut fates = Vec::new();
    for warehouse in &wanted {
        fates.push(known(settings, ledger.as_ref(), &service, warehouse, &arguments.again)?);
    }
    let open: Vec<&Wanted> = wanted.iter().zip(&fates).filter(|(_, fate)| fate.is_none()).map(|(w, _)| w).collect();
    if arguments.dry_run {
        return shown(settings, &wanted, &fates);
    }
    if let (Some(ledger), false) = (ledger, open.is_empty()) {
        let (warehouses, names) = (count(open.len() as u64, "warehouse"), names(&open));
        note(format!("to create at {service}: {names}"));
        agreed(settings, arguments.yes, &format!("Create {warehouses} at the service?"))?;
        let mut ends = create(settings, arguments.rate, &entry, &service, ledger, &open)?.into_iter();
        for fate in fates.iter_mut().filter(|fate| fate.is_none()) {
            *fate = ends.next();
        }
    }
    let fates: Vec<Fate> = fates.into_iter().flatten().collect();
    told(settings, arguments.write, &wanted, &fates)
}

/// A sheet with something wrong in it creates nothing.
fn wrong(settings: &Settings, causes: Causes) -> Result<Exit> {
    let mut text = Vec::new();
    write_causes(&mut text, &causes)?;
    note(String::from_utf8_lossy(&text).trim_end());
    note("nothing was sent");
    if settings.format == Format::Json {
        let exit = Exit::SheetProblems.code();
        print_json(&Document { problems: causes.into_all(), exit, ..Document::default() })?;
    }
    Ok(Exit::SheetProblems)
}

/// What is to be said of a warehouse before anything is sent; none where it is to be created.
fn known(
    settings: &Settings,
    ledger: Option<&Ledger>,
    service: &str,
    warehouse: &Wanted,
    again: &[String],
) -> Result<Option<Fate>> {
    let name = &warehouse.name;
    if let Some(id) = settings.config.warehouses.get(name) {
        return Ok(Some(Fate::Known(id.clone())));
    }
    Ok(match ledger.map(|ledger| ledger.warehouse(service, name)).transpose()?.flatten() {
        Some(WarehouseState::Created(id)) => Some(Fate::Known(id)),
        Some(WarehouseState::Sending) if !again.contains(name) => Some(Fate::Unclear(
            "it was sent before and no clear answer came: look for it in the portal; is it there, write its id into \
             [warehouses] of shipsheet.toml, else say --again with its name"
                .to_owned(),
        )),
        Some(WarehouseState::Sending | WarehouseState::Refused) | None => None,
    })
}

/// The first names, and how many more there are.
fn names(open: &[&Wanted]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<&str> = open.iter().take(SHOWN).map(|warehouse| warehouse.name.as_str()).collect();
    let more = open.len().saturating_sub(SHOWN);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}

/// Creates one after the other, so that one at most is unclear; what is unclear ends it.
fn create(
    settings: &Settings,
    rate: Option<f64>,
    entry: &Entry,
    service: &str,
    ledger: Ledger,
    open: &[&Wanted],
) -> Result<Vec<Fate>> {
    let runtime = runtime()?;
    let line = Line::connect(settings, 1, &runtime)?;
    let bulk = bulk(1, rate.or(settings.config.booking.rate), |line: &str| note(line));
    let caller = line.caller().paced(bulk.pace.clone());
    let (ledger, user, host) = (RefCell::new(ledger), user(), host());
    let quiet = settings.verbosity == Verbosity::Quiet;
    let ends = runtime.block_on(async {
        listen_for_signals(bulk.stop.clone());
        let call = |_, warehouse: &Wanted| {
            let (ledger, user, host, caller) = (&ledger, &user, &host, caller.clone());
            let (name, body) = (warehouse.name.clone(), warehouse.body.to_string().into_bytes());
            async move {
                let begun_ms = Timestamp::now().as_millisecond();
                let new = NewWarehouse { service, name: &name, body: &body, begun_ms, user, host };
                if let Err(error) = ledger.borrow_mut().warehouse_begins(&new) {
                    return Fate::Unsent(format!("it cannot be noted in the ledger: {error}"));
                }
                let (fate, answer) = sent(&caller, entry, body).await;
                let kept = match &fate {
                    Fate::Unclear(_) => Ok(()),
                    fate => ledger.borrow_mut().warehouse_ends((service, &name), fate.id(), &answer),
                };
                match (kept, fate) {
                    (Err(error), Fate::Created(id)) => {
                        Fate::Unclear(format!("it is created with id {id}, but that could not be kept: {error}"))
                    }
                    (_, fate) => fate,
                }
            }
        };
        let done = |place: usize, fate: &Fate| {
            if !quiet {
                note(format!("{} of {}: {} {}", place + 1, open.len(), open[place].name, fate.word()));
            }
            let is_clear = matches!(fate, Fate::Created(_) | Fate::Refused(_));
            (!is_clear).then(|| (StoppedBy::Doubts, fate.word().to_owned()))
        };
        bulk.run(open, call, done).await.results
    });
    let left = || Fate::Unsent("it was not reached; the same command goes on".to_owned());
    Ok(ends.into_iter().map(|end| end.unwrap_or_else(left)).collect())
}

/// Sends one, and gives what is to be kept of the answer.
async fn sent(caller: &Caller, entry: &Entry, body: Vec<u8>) -> (Fate, String) {
    match caller.json(entry, &[], Some(body)).await {
        Ok(answer) => {
            let id = match answer.pointer(entry.field("id")) {
                Some(Value::String(id)) if !id.trim().is_empty() => Some(id.trim().to_owned()),
                Some(Value::Number(id)) => Some(id.to_string()),
                _ => None,
            };
            let missing = || {
                Fate::Unclear(format!(
                    "the answer holds no id at {}; if it is elsewhere, set [operations.create_warehouse] fields id",
                    entry.field("id")
                ))
            };
            (id.map_or_else(missing, Fate::Created), answer.to_string())
        }
        Err(error) => {
            let fate = match &error {
                error if error.may_be_done() => Fate::Unclear,
                CallError::Refused { status, .. } if *status != 429 => Fate::Refused,
                _ => Fate::Unsent,
            };
            (fate(error.to_string()), error.to_string())
        }
    }
}

fn shown(settings: &Settings, wanted: &[Wanted], fates: &[Option<Fate>]) -> Result<Exit> {
    let word = |fate: &Option<Fate>| fate.as_ref().map_or("would be created", Fate::word);
    if settings.format == Format::Json {
        let list: Vec<Value> = wanted
            .iter()
            .zip(fates)
            .map(|(warehouse, fate)| json!({"name": warehouse.name, "state": word(fate), "body": warehouse.body}))
            .collect();
        print_json(&json!({"warehouses": list, "exit": Exit::Done.code()}))?;
        return Ok(Exit::Done);
    }
    let mut text = Vec::new();
    for (warehouse, fate) in wanted.iter().zip(fates) {
        writeln!(text, "{}: {}\n  {}", warehouse.name, word(fate), warehouse.body)?;
    }
    print(&text)?;
    note("nothing was sent");
    Ok(Exit::Done)
}

fn told(settings: &Settings, write: bool, wanted: &[Wanted], fates: &[Fate]) -> Result<Exit> {
    let has = |like: fn(&Fate) -> bool| fates.iter().any(like);
    let exit = match () {
        () if has(|fate| matches!(fate, Fate::Unclear(_))) => Exit::InDoubt,
        () if has(|fate| matches!(fate, Fate::Unsent(_))) => Exit::Outstanding,
        () if has(|fate| matches!(fate, Fate::Refused(_))) => Exit::SomeFailed,
        () => Exit::Done,
    };
    let together = || wanted.iter().zip(fates);
    let new: Vec<(&str, &str)> = together()
        .filter_map(|(warehouse, fate)| Some((warehouse.name.as_str(), fate.id()?)))
        .filter(|(name, _)| !settings.config.warehouses.contains_key(*name))
        .collect();
    let lines: Vec<String> = new.iter().map(|(name, id)| format!("{} = {}", quoted(name), quoted(id))).collect();
    let written = if write && !lines.is_empty() { Some(into_configuration(settings, &lines)?) } else { None };
    if settings.format == Format::Json {
        let list: Vec<Value> = together()
            .map(|(warehouse, fate)| {
                json!({"name": warehouse.name, "state": fate.word(), "id": fate.id(), "error": fate.why()})
            })
            .collect();
        print_json(&json!({"warehouses": list, "configuration": lines, "written": written, "exit": exit.code()}))?;
        return Ok(exit);
    }
    let mut text = Vec::new();
    for (warehouse, fate) in together() {
        let said = fate.id().or(fate.why()).unwrap_or_default();
        writeln!(text, "{}  {}: {said}", warehouse.name, fate.word())?;
    }
    print(&text)?;
    if let Some(file) = written {
        note(format!("{} now names {}", file, count(new.len() as u64, "warehouse")));
    } else if !lines.is_empty() {
        note("for shipsheet.toml (--write does it); where any warehouse is named there, all others are refused:");
        print(format!("[warehouses]\n{}\n", lines.join("\n")).as_bytes())?;
    }
    Ok(exit)
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Adds lines to `[warehouses]` of the configuration in use, and leaves all else in it as it is.
fn into_configuration(settings: &Settings, lines: &[String]) -> Result<String> {
    let path = settings.config.file.as_deref().unwrap_or(Path::new("shipsheet.toml"));
    let before = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let after = with_lines(&before, lines);
    if toml::from_str::<toml::Table>(&after).is_err() {
        bail!(
            "{} is not written, for it would not be valid any more; add to it:\n{}",
            path.display(),
            lines.join("\n")
        );
    }
    write_whole(path, after.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path.display().to_string())
}

fn with_lines(text: &str, lines: &[String]) -> String {
    let added = lines.join("\n");
    let mut all: Vec<&str> = text.lines().collect();
    match all.iter().position(|line| line.split('#').next().is_some_and(|line| line.trim() == "[warehouses]")) {
        Some(section) => all.insert(section + 1, &added),
        None if all.is_empty() => all.extend(["[warehouses]", &added]),
        None => all.extend(["", "[warehouses]", &added]),
    }
    all.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::with_lines;

    #[test]
    fn lines_go_where_they_belong_and_nothing_else_changes() {
        let line = ["\"A\" = \"1\"".to_owned()];
        assert_eq!(with_lines("", &line), "[warehouses]\n\"A\" = \"1\"\n");
        assert_eq!(with_lines("api = \"v2\" # x\n", &line), "api = \"v2\" # x\n\n[warehouses]\n\"A\" = \"1\"\n");
        let text = "[warehouses]  # ours\n\"B\" = \"2\"\n[check]\n";
        assert_eq!(with_lines(text, &line), "[warehouses]  # ours\n\"A\" = \"1\"\n\"B\" = \"2\"\n[check]\n");
    }
}
