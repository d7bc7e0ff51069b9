//! A sheet with AWBs that was kept, as it is by now: what was cancelled since is no longer called booked.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use crate::app::connect::App;
use crate::app::error::Result;
use crate::ledger::{Ledger, RunId, Wanted};
use crate::origin::Added;
use crate::report::state_word;
use crate::sheet::{Options, Overlay, Sheet, SheetError};

use super::save::save;

impl App {
    /// Writes a sheet that was kept beside these runs, with the word for what was cancelled since. Gives whether anything was;
    /// if not, nothing is written.
    ///
    /// # Errors
    /// The ledger or the sheet cannot be read, or the file cannot be written.
    pub fn save_kept(&self, ledger: &Ledger, runs: &[i64], (kept, to): (&Path, &Path)) -> Result<bool> {
        let mut cancelled = HashSet::new();
        for run in runs {
            let wanted = Wanted { run: Some(RunId::from_number(*run)), ..Wanted::default() };
            ledger.for_each_result(&wanted, &mut |row| {
                if row.is_cancelled() {
                    cancelled.extend(row.awb.clone());
                }
            })?;
        }
        if cancelled.is_empty() {
            return Ok(false);
        }
        let reading = self.config.reading(&Options::default());
        let open = |worksheet: &String| {
            let options = Options { worksheet: Some(worksheet.clone()), ..reading.clone() };
            Sheet::open(kept, &options).ok().filter(|sheet| column(sheet, Added::Awb).is_some())
        };
        let sheet = match Sheet::open(kept, &reading) {
            // The one that got the AWBs.
            Err(SheetError::SeveralWorksheets { each, .. }) => each.iter().find_map(open),
            opened => Some(opened?),
        };
        let of = |added| sheet.as_ref().and_then(|sheet| column(sheet, added));
        let (Some(sheet), Some(status), Some(awb)) = (&sheet, of(Added::Status), of(Added::Awb)) else {
            return Ok(false);
        };
        let mut overlay = Overlay::default();
        sheet.read(&mut |row| {
            if cancelled.contains(row.cell(awb).text) {
                overlay.set(row.number(), u32::try_from(status).unwrap_or(u32::MAX), state_word("cancelled"));
            }
            ControlFlow::Continue(())
        })?;
        save(sheet, &overlay, to)?;
        Ok(true)
    }
}

/// The column that was added to a sheet for this.
fn column(sheet: &Sheet, added: Added) -> Option<usize> {
    sheet.header().cells.iter().position(|header| header == added.header())
}
