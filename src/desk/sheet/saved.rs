//! The sheet as a file again, in the clerk's own layout: with what was typed, or with what became of its orders.

use std::path::Path;

use maud::{Markup, html};

use crate::app::draft::{self, DraftEntry, Saved};
use crate::app::{self, App};
use crate::event::Stream;
use crate::ledger::Ledger;
use crate::text::shortened;

use super::super::answer::{Download, Result, Shown};
use super::super::files;
use super::super::page;
use super::super::state::Desk;
use super::super::trouble::Trouble;
use super::frame::{HEADER_MAX, Of, opened, place};
use super::said;

pub(in super::super) fn corrected(desk: &Desk, of: &Of) -> Result<Shown> {
    let mut taken = match opened(desk, &of.id, "check")? {
        Ok(taken) => taken,
        Err(waiting) => return Ok(waiting),
    };
    let app = desk.app();
    let draft = taken.draft_mut()?;
    let name = draft.name_with(&app, "corrected", &mut Stream::silent())?;
    Ok(Shown::File(written(desk, name, |path| draft.save(&app, path, &mut Stream::silent()))?))
}

/// A file that is written for this one answer.
fn written(desk: &Desk, name: String, write: impl FnOnce(&Path) -> app::Result<Saved>) -> Result<Download> {
    let path = files::scratch(&desk.folder(), ending(&name))?;
    let file = write(&path).map_err(Trouble::from).and_then(|_| download(&path, name));
    let _ = std::fs::remove_file(&path);
    file
}

fn ending(name: &str) -> &str {
    Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or("csv")
}

fn download(path: &Path, name: String) -> Result<Download> {
    let kind = match ending(&name).to_ascii_lowercase().as_str() {
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xlsm" => "application/vnd.ms-excel.sheet.macroEnabled.12",
        _ => "text/csv; charset=utf-8",
    };
    Ok(Download { name, kind, is_opened: false, bytes: std::fs::read(path)? })
}

/// Those of the runs of a file that were made of the same worksheet as this one.
fn alike(app: &App, ledger: &Ledger, runs: Vec<i64>, run: i64) -> Vec<i64> {
    let sheets = |run: i64| app.run_status(ledger, Some(run)).ok().map(|status| status.record.sheets);
    let own = sheets(run);
    runs.into_iter().filter(|other| *other == run || sheets(*other) == own).collect()
}

/// Buttons for the worksheets of a draft of which no run was made yet; nothing as long as it was not booked.
pub(in super::super) fn other_worksheets(desk: &Desk, draft: &DraftEntry) -> Markup {
    let names = &draft.rest.worksheets;
    html! {
        @if !names.is_empty() {
            (page::form(desk, &place(&draft.id, "columns"), &html! {
                input type="hidden" name="revision" value=(draft.revision);
                div.row {
                    span { "Not read yet:" }
                    @for name in names { button name="worksheet" value=(name) { "Read “" (shortened(name, HEADER_MAX)) "”" } }
                }
            }))
        }
    }
}

/// The sheet of a run in the clerk's own layout, with AWBs as of now; nothing where the run came from no draft.
pub(in super::super) fn with_awbs(desk: &Desk, run: i64) -> Result<Option<Download>> {
    let app = desk.app();
    let ledger = app.read_ledger()?;
    let Some(DraftEntry { id, runs, .. }) = draft::of_run(&ledger, run)? else { return Ok(None) };
    let mut draft = app.draft(&id)?;
    let sheets = app.run_status(&ledger, Some(run))?.record.sheets;
    let is_of_run = |name: &str| sheets.iter().any(|own| own.ends_with(&format!("[{name}]")));
    if !draft.worksheet().is_none_or(is_of_run) {
        // Another worksheet is read by now.
        let latest = alike(&app, &ledger, runs, run).pop().unwrap_or(run);
        draft = app.draft_as_booked(&ledger, &id, latest)?;
    }
    let name = draft.name_with(&app, "with AWBs", &mut Stream::silent())?;
    written(desk, name, |path| draft.save_results(&app, path, &mut Stream::silent())).map(Some)
}

/// All runs that were booked from the sheet of a run, the latest last.
pub(in super::super) fn runs_of_sheet(desk: &Desk, ledger: &Ledger, run: i64) -> Result<Vec<i64>> {
    let draft = draft::of_run(ledger, run)?;
    Ok(draft.map_or_else(|| vec![run], |draft| alike(&desk.app(), ledger, draft.runs, run)))
}

/// The rows of a run that must be corrected, in the clerk's own layout: of the latest run of the sheet, which looked at all of it.
/// Nothing where the run came from no draft.
pub(in super::super) fn to_fix(desk: &Desk, run: i64) -> Result<Option<Download>> {
    let app = desk.app();
    let ledger = app.read_ledger()?;
    let run = runs_of_sheet(desk, &ledger, run)?.last().copied().unwrap_or(run);
    let Some(DraftEntry { id, .. }) = draft::of_run(&ledger, run)? else { return Ok(None) };
    let Ok(mut draft) = app.draft_as_booked(&ledger, &id, run) else { return Ok(None) };
    let path = files::scratch(&desk.folder(), "xlsx")?;
    // Without them, there are the rows as the ledger knows them.
    let written = draft.save_to_fix(&app, run, &path, &said::in_a_file()).ok().flatten();
    let file = written.map(|_| download(&path, format!("run-{run}-fix.xlsx"))).transpose();
    let _ = std::fs::remove_file(&path);
    file
}
