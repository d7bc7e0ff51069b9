//! A turn of a run, and what is done where nobody says whether it stands: it is read again, over a new connection.

use crate::ledger::commit::{Applied, Change};
use crate::ledger::error::LedgerError;
use crate::ledger::open::Ledger;

use super::turn::{self, Turn};

impl Ledger {
    /// Writes the changes of a turn, all or none; gives what became of each, and the attempts of the intents.
    ///
    /// Where the server did not say whether they stand, they are looked for. While that cannot be done nothing is sent.
    pub(in crate::ledger) fn turn(
        &mut self,
        changes: &[Change],
        now_ms: i64,
    ) -> Result<(Vec<Applied>, Vec<u32>), LedgerError> {
        let mut planned = None;
        let written = turn::write(&self.connection, (changes, &self.under_way, now_ms), &mut planned);
        let Some(turn) = planned else {
            written?;
            return Ok((Vec::new(), Vec::new()));
        };
        if let Err(error) = written
            && !(matches!(error, LedgerError::Away(_)) && self.stands(&turn)?)
        {
            return Err(error);
        }
        Ok((turn.applied, turn.attempts))
    }

    /// Whether a turn stands, of which the server did not say so.
    fn stands(&mut self, turn: &Turn) -> Result<bool, LedgerError> {
        let Some(session) = &self.session else { return Ok(false) };
        self.connection = session.connect()?;
        let transaction = self.connection.begin()?;
        turn::stands(&transaction, turn)
    }
}
