//! The sheet as a file again, in the clerk's own layout: with what was typed, or with what became of its orders.

use std::path::Path;

use maud::{Markup, html};

use crate::app;
use crate::app::draft::{Draft, DraftEntry, DraftState, Saved};
use crate::event::Stream;
use crate::ledger::create_private_folder;
use crate::text::shortened;

use super::super::answer::{Download, Result, Shown};
use super::super::files;
use super::super::page;
use super::super::state::Desk;
use super::super::trouble::Trouble;
use super::frame::{HEADER_MAX, Of, opened, place};
use super::said;

/// The folder of the clerk's own sheet, in that of the run.
const OWN: &str = "own";
/// The runs of its sheet, one on each line, in the folder of the run.
const RUNS: &str = "runs";
/// The worksheets of its sheet that were not read yet, one on each line, in the folder of the run.
const WORKSHEETS: &str = "worksheets";
/// The rows that stayed behind, in the folder of the run.
const TO_FIX: &str = "to-fix.xlsx";
/// Which draft, as it was said last, has nothing left to do.
const OVER: &str = "over";

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

/// Keeps beside its runs what a draft came to, and clears it, where nothing is left to do. It stays as long as it keeps
/// orders from being sent.
pub(super) fn close(desk: &Desk, draft: &mut Draft) -> Result<()> {
    let app = desk.app();
    let checked = draft.check(&app, &mut Stream::silent())?;
    // Of a sheet that cannot be understood, or beside a ledger that cannot be read, nobody knows what is left to do.
    if !checked.is_usable() || checked.unread_ledger().is_some() {
        return Ok(());
    }
    let open = [DraftState::Ready, DraftState::Fix, DraftState::Hold, DraftState::InDoubt];
    let has_open = open.into_iter().any(|state| checked.count(state) > 0);
    let runs = draft.runs().to_vec();
    let has_others = note_worksheets(desk, draft, &runs)?;
    if has_others {
        // Once another worksheet is read, nothing else has the AWBs of this one.
        keep_own(desk, draft, &runs)?;
    }
    if has_others || has_open {
        return Ok(());
    }
    let kept_back = draft.keeps_back(&app)?;
    // Nothing else would know what keeps its orders back, or that somebody left them out.
    if kept_back.iter().any(|own| !own.went || own.in_doubt) || draft.leaves_out(&app)? {
        let is_over = !kept_back.iter().any(|own| own.in_doubt);
        return if is_over { note_over(desk, draft, &runs) } else { Ok(()) };
    }
    let went: Vec<String> = kept_back.into_iter().map(|own| own.number).collect();
    app.give_up(&went, &format!("sent under another number, from {}", draft.file()))?;
    keep_own(desk, draft, &runs)?;
    Ok(app.clear_draft(draft.id(), Some(draft.revision()))?)
}

/// Notes beside its latest run that nothing is left to do with a draft as it is now.
fn note_over(desk: &Desk, draft: &Draft, runs: &[i64]) -> Result<()> {
    let Some(latest) = runs.last() else { return Ok(()) };
    let folder = files::of_run(&desk.folder(), *latest);
    create_private_folder(&folder)?;
    Ok(files::write(&folder.join(OVER), &format!("{} {}", draft.id(), draft.revision()))?)
}

/// Whether every order of a sheet is booked or left out, so that it only keeps these words.
pub(super) fn is_over(desk: &Desk, draft: &DraftEntry) -> bool {
    let noted = |run: &i64| std::fs::read_to_string(files::of_run(&desk.folder(), *run).join(OVER)).ok();
    draft.runs.last().and_then(noted).is_some_and(|noted| noted == format!("{} {}", draft.id, draft.revision))
}

/// Keeps beside the runs of the worksheet that is read the clerk's own sheet, and which runs these are.
fn keep_own(desk: &Desk, draft: &mut Draft, runs: &[i64]) -> Result<()> {
    let Some(latest) = runs.last() else { return Ok(()) };
    let (app, runs) = (desk.app(), alike(desk, runs.to_vec(), *latest));
    let name = draft.name_with(&app, "with AWBs", &mut Stream::silent())?;
    let all: Vec<String> = runs.iter().map(i64::to_string).collect();
    for run in runs {
        files::write(&files::of_run(&desk.folder(), run).join(RUNS), &all.join("\n"))?;
        let own = files::of_run(&desk.folder(), run).join(OWN);
        create_private_folder(&own)?;
        draft.save_results(&app, &own.join(&name), &mut Stream::silent())?;
        // Another name was that of what was kept before.
        for older in std::fs::read_dir(&own)?.flatten().filter(|entry| entry.file_name() != *name) {
            std::fs::remove_file(older.path())?;
        }
    }
    Ok(())
}

/// Those of the runs of a file that were made of the same worksheet as this one.
fn alike(desk: &Desk, runs: Vec<i64>, run: i64) -> Vec<i64> {
    let app = desk.app();
    let Ok(ledger) = app.read_ledger() else { return runs };
    let sheets = |run: i64| app.run_status(&ledger, Some(run)).ok().map(|status| status.record.sheets);
    let own = sheets(run);
    runs.into_iter().filter(|other| *other == run || sheets(*other) == own).collect()
}

/// Notes beside its latest run the worksheets of a draft that have rows and of which no run was made. Gives whether there are some.
fn note_worksheets(desk: &Desk, draft: &Draft, runs: &[i64]) -> Result<bool> {
    let app = desk.app();
    let (Some(latest), Some(checked)) = (runs.last(), draft.checked()) else { return Ok(false) };
    let ledger = app.read_ledger()?;
    let mut read = Vec::new();
    for run in runs {
        read.extend(app.run_status(&ledger, Some(*run))?.record.sheets);
    }
    let names = said::other_worksheets(checked.sheet_findings());
    let is_unread = |name: &&String| !read.iter().any(|sheet| sheet.ends_with(&format!("[{name}]")));
    let unread: Vec<&str> = names.filter(is_unread).map(String::as_str).collect();
    files::write(&files::of_run(&desk.folder(), *latest).join(WORKSHEETS), &unread.join("\n"))?;
    Ok(!unread.is_empty())
}

/// Buttons for the worksheets of a draft of which no run was made yet; nothing as long as it was not booked.
pub(in super::super) fn other_worksheets(desk: &Desk, draft: &DraftEntry) -> Markup {
    let noted = draft.runs.last().map(|run| files::of_run(&desk.folder(), *run).join(WORKSHEETS));
    let names = noted.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    html! {
        @if !names.is_empty() {
            (page::form(desk, &place(&draft.id, "columns"), &html! {
                input type="hidden" name="revision" value=(draft.revision);
                div.row {
                    span { "Not read yet:" }
                    @for name in names.lines() { button name="worksheet" value=(name) { "Read “" (shortened(name, HEADER_MAX)) "”" } }
                }
            }))
        }
    }
}

/// The sheet of a run in the clerk's own layout, with AWBs as of now; nothing where the run came from no draft.
pub(in super::super) fn with_awbs(desk: &Desk, run: i64) -> Result<Option<Download>> {
    let app = desk.app();
    if let Some(id) = app.draft_of_run(run) {
        let mut draft = app.draft(&id)?;
        let sheets = app.run_status(&app.read_ledger()?, Some(run))?.record.sheets;
        // Of a worksheet that is no longer read its own sheet was kept.
        let is_read = draft.worksheet().is_none_or(|name| sheets.iter().any(|own| own.ends_with(&format!("[{name}]"))));
        if !is_read {
            return kept(desk, run);
        }
        let name = draft.name_with(&app, "with AWBs", &mut Stream::silent())?;
        return written(desk, name, |path| draft.save_results(&app, path, &mut Stream::silent())).map(Some);
    }
    kept(desk, run)
}

/// The sheet that was kept beside a run, with what was cancelled since.
fn kept(desk: &Desk, run: i64) -> Result<Option<Download>> {
    let folder = files::of_run(&desk.folder(), run).join(OWN);
    let Some(file) = std::fs::read_dir(folder).into_iter().flatten().flatten().next() else { return Ok(None) };
    let (path, name) = (file.path(), file.file_name().to_string_lossy().into_owned());
    let (app, now) = (desk.app(), files::scratch(&desk.folder(), ending(&name))?);
    let is_written = app.save_kept(&app.read_ledger()?, &runs_of_sheet(desk, run), (&path, &now));
    let shown = match is_written {
        Ok(true) => download(&now, name),
        Ok(false) => download(&path, name),
        Err(error) => Err(error.into()),
    };
    let _ = std::fs::remove_file(&now);
    shown.map(Some)
}

/// All runs that were booked from the sheet of a run, the latest last.
pub(in super::super) fn runs_of_sheet(desk: &Desk, run: i64) -> Vec<i64> {
    let drafts = desk.app().drafts();
    if let Some(draft) = drafts.into_iter().find(|draft| draft.runs.contains(&run)) {
        return alike(desk, draft.runs, run);
    }
    let kept = std::fs::read_to_string(files::of_run(&desk.folder(), run).join(RUNS)).unwrap_or_default();
    let kept: Vec<i64> = kept.lines().filter_map(|line| line.parse().ok()).collect();
    if kept.contains(&run) { kept } else { vec![run] }
}

/// Whether a run has such a sheet.
pub(in super::super) fn has_own(desk: &Desk, run: i64) -> bool {
    let is_kept = || files::of_run(&desk.folder(), run).join(OWN).is_dir();
    desk.app().draft_of_run(run).is_some() || is_kept()
}

/// Puts the rows that stayed behind when a run was booked beside its other files.
pub(super) fn keep_to_fix(desk: &Desk, run: i64, written: &Path) -> Result<()> {
    if written.is_file() {
        let folder = files::of_run(&desk.folder(), run);
        create_private_folder(&folder)?;
        std::fs::rename(written, folder.join(TO_FIX))?;
    }
    Ok(())
}

/// The same rows, in the clerk's own layout, where they were kept: of the latest run of the sheet, which looked at all of it.
pub(in super::super) fn to_fix(desk: &Desk, run: i64) -> Result<Option<Download>> {
    let run = runs_of_sheet(desk, run).last().copied().unwrap_or(run);
    let path = files::of_run(&desk.folder(), run).join(TO_FIX);
    if path.is_file() { download(&path, format!("run-{run}-fix.xlsx")).map(Some) } else { Ok(None) }
}
