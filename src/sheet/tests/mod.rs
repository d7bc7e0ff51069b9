//! Whole files in, rows out.

mod looks;
mod text;
mod workbook;

use std::fmt::Write as _;
use std::ops::ControlFlow;

use super::{CellKind, Options, Row, Sheet, SheetError};
use crate::finding::Finding;
use crate::finding::english::message;

/// A file that lives as long as its sheet.
struct Opened {
    sheet: Sheet,
    _folder: tempfile::TempDir,
}

fn open(name: &str, bytes: &[u8], options: &Options) -> Result<Opened, SheetError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    Ok(Opened { sheet: Sheet::open(&path, options)?, _folder: folder })
}

/// The header and the rows as lines, each with what is wrong with it.
fn read(name: &str, bytes: &[u8], options: &Options) -> Vec<String> {
    let opened = match open(name, bytes, options) {
        Ok(opened) => opened,
        Err(error) => return vec![error.to_string()],
    };
    let header = opened.sheet.header();
    let mut lines = vec![format!("{}: {}", header.row, header.cells.join("|"))];
    if let Err(error) = opened.sheet.read(&mut |row| {
        lines.push(show(row));
        ControlFlow::Continue(())
    }) {
        lines.push(error.to_string());
    }
    lines
}

fn show(row: &Row) -> String {
    let cells: Vec<String> = row
        .cells()
        .map(|cell| match cell.kind {
            CellKind::Empty | CellKind::Text => cell.text.to_owned(),
            kind => format!("{}<{kind:?}>", cell.text),
        })
        .collect();
    let skip = row.skip().map_or(String::new(), |reason| format!(" ({reason})"));
    let mut notices = String::new();
    for notice in row.notices() {
        let _ = write!(notices, " {}:{}", notice.level.as_str(), notice.id);
    }
    format!("{}: {}{skip}{notices}", row.number(), cells.join("|"))
}

fn messages(notices: &[Finding]) -> Vec<String> {
    notices.iter().map(message).collect()
}
