//! Results of runs as a file.

use std::io::Write;
use std::path::Path;

use crate::ledger::{Ledger, RunId, Wanted};
use crate::report::{ResultFile, stream_results};

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

/// Results that can be written.
pub struct Export<'o> {
    place: Place<'o>,
    which: ExportOptions<'o>,
    running: bool,
}

enum Place<'o> {
    File(ResultFile),
    /// A stream, which takes text or JSON lines.
    Stream(&'o mut dyn Write, bool),
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
        let written = match self.place {
            Place::File(file) => file.write(ledger, &wanted)?,
            Place::Stream(out, is_json) => stream_results(ledger, &wanted, is_json, out)?,
        };
        Ok((written, covered))
    }
}

impl App {
    /// Makes sure of a file for results.
    ///
    /// # Errors
    /// A format or state that does not exist, or a file that cannot be made.
    pub fn prepare_export<'o>(&self, to: &Path, which: ExportOptions<'o>) -> Result<Export<'o>> {
        let place = Place::File(result_file(to)?);
        check_states(which.states)?;
        Ok(Export { place, which, running: self.is_running() })
    }

    /// The same for a stream, which takes text: comma-separated, or one JSON object a line.
    ///
    /// # Errors
    /// A state that does not exist.
    pub fn prepare_stream<'o>(
        &self,
        out: &'o mut dyn Write,
        is_json: bool,
        which: ExportOptions<'o>,
    ) -> Result<Export<'o>> {
        check_states(which.states)?;
        Ok(Export { place: Place::Stream(out, is_json), which, running: self.is_running() })
    }
}

fn check_states(states: &[String]) -> Result<()> {
    let Some(state) = states.iter().find(|state| !STATES.contains(&state.as_str())) else { return Ok(()) };
    Err(Misuse::NoState { state: state.clone(), near: crate::text::nearest(state, STATES) }.into())
}
