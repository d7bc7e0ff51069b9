//! The sheet that was imported last: what it is, and what its columns are called.

use std::path::Path;

use crate::ledger::{Ledger, RunKind};
use crate::sheet::{Options, Sheet};

use super::connect::App;
use super::error::Result;

/// Runs that are looked at for one with a sheet that is still there.
const RUNS_LOOKED_AT: usize = 20;

/// A sheet, without its rows.
#[derive(Debug, Clone)]
pub struct LastSheet {
    /// The run that had it.
    pub run: i64,
    /// What it was recognised as.
    pub format: String,
    /// The row of the headers.
    pub row: u32,
    /// The headers, as they stand there now.
    pub headers: Vec<String>,
}

impl App {
    /// The sheet of the latest import whose file still lies where it was, or where a watcher filed it.
    ///
    /// # Errors
    /// The ledger or the sheet cannot be read.
    pub fn last_sheet(&self, ledger: &Ledger) -> Result<Option<LastSheet>> {
        for record in ledger.runs(RUNS_LOOKED_AT)?.into_iter().filter(|record| record.kind == RunKind::Import) {
            let places = ledger.sheets_of(record.id)?.into_iter();
            let mut places = places.flat_map(|(source, filed)| filed.into_iter().chain([source.path]));
            if let Some(path) = places.find(|path| path.is_file()) {
                return Ok(Some(self.headers_of(record.id.number(), &path)?));
            }
        }
        Ok(None)
    }

    fn headers_of(&self, run: i64, path: &Path) -> Result<LastSheet> {
        let sheet = Sheet::open(path, &self.config.reading(&Options::default()))?;
        let header = sheet.header();
        Ok(LastSheet { run, format: sheet.format().to_string(), row: header.row, headers: header.cells.clone() })
    }
}
