//! Results of runs as a file.

use std::path::Path;

use crate::ledger::{Ledger, RunId, Wanted};
use crate::report::ResultFile;

use super::connect::App;
use super::error::{Error, Misuse, Result};
use super::own::result_file;
use super::runs_meant::{Covered, RunsMeant};
use super::status::STATES;

/// Which results to write.
#[derive(Debug, Clone, Copy)]
pub struct ExportOptions<'o> {
    /// The runs.
    pub runs: RunsMeant,
    /// Only orders in these [states](STATES).
    pub states: &'o [String],
}

/// A file that results can be written to.
pub struct Export<'o> {
    file: ResultFile,
    which: ExportOptions<'o>,
    running: bool,
}

impl Export<'_> {
    /// Writes the results of the runs that are meant, each order once. Gives how many orders were written, and the runs.
    ///
    /// # Errors
    /// No such run, or a file that cannot be written.
    pub fn write(self, ledger: &Ledger) -> Result<(u64, Covered)> {
        let covered = self.which.runs.find(ledger)?;
        let all: Vec<RunId> = covered.runs.iter().copied().map(RunId::from_number).collect();
        if all.is_empty() && self.which.runs != RunsMeant::All {
            return Err(Error::NoRunSince);
        }
        let (run, runs) = match (self.which.runs, &*all) {
            (RunsMeant::All, _) => (None, &[][..]),
            (_, [run]) => (Some(*run), &[][..]),
            (_, runs) => (None, runs),
        };
        let wanted = Wanted { run, runs, states: self.which.states, running: self.running };
        Ok((self.file.write(ledger, &wanted)?, covered))
    }
}

impl App {
    /// Makes sure of a file for results.
    ///
    /// # Errors
    /// A format or state that does not exist, or a file that cannot be made.
    pub fn prepare_export<'o>(&self, to: &Path, which: ExportOptions<'o>) -> Result<Export<'o>> {
        let file = result_file(to)?;
        for state in which.states {
            if !STATES.contains(&state.as_str()) {
                let near = crate::text::nearest(state, STATES);
                return Err(Misuse::NoState { state: state.clone(), near }.into());
            }
        }
        Ok(Export { file, which, running: self.is_running() })
    }
}
