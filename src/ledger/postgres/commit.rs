//! A turn of a run with what its station has together with the others, and what is done where nobody says whether it stands: it is read again, over a new connection.

use crate::ledger::commit::{Applied, Change};
use crate::ledger::db::params;
use crate::ledger::error::LedgerError;
use crate::ledger::open::Ledger;
use crate::ledger::record::RunId;
use crate::ledger::share::{Allowance, Share};

use super::share::Sharing;
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
        // What a guard refuses is a fault of ours, but for this.
        if matches!(written, Err(LedgerError::Guard(_))) && self.is_over()? {
            return Err(LedgerError::Fenced);
        }
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

    /// Takes a share of what the service of a run takes; what was declared is the most that it may be.
    pub(in crate::ledger) fn take_share(
        &mut self,
        run: RunId,
        declared: Allowance,
    ) -> Result<Option<Share>, LedgerError> {
        let Some(session) = &mut self.session else { return Ok(None) };
        let service = "SELECT service_id FROM runs WHERE id = ?1";
        let service = self.connection.query_row(service, [run.0], |row| row.get(0))?;
        let sharing = Sharing { share: Share::of(declared), service };
        sharing.exchange(&self.connection)?;
        let share = sharing.share.clone();
        session.keep_share(sharing);
        Ok(Some(share))
    }

    /// Stops all stations of a run's service.
    pub(in crate::ledger) fn pull(&mut self, run: RunId, by: &str, why: &str) -> Result<(), LedgerError> {
        let transaction = self.connection.begin()?;
        transaction.execute(
            "INSERT INTO brakes (epoch, service_id, run_id, stopped_by, why)
             SELECT own_epoch(), service_id, id, ?2, ?3 FROM runs WHERE id = ?1",
            params![run.0, by, why.replace('\0', "\u{fffd}")],
        )?;
        Ok(transaction.commit()?)
    }

    /// Whether another station has fenced this one, or may.
    fn is_over(&self) -> Result<bool, LedgerError> {
        let live =
            "SELECT NOT EXISTS (SELECT 1 FROM stations WHERE epoch = own_epoch() AND ended IS NULL AND fenced IS NULL
            AND lease_until > clock_timestamp())";
        Ok(self.connection.query_row(live, (), |row| row.get(0))?)
    }

    /// Whether a turn stands, of which the server did not say so.
    fn stands(&mut self, turn: &Turn) -> Result<bool, LedgerError> {
        let Some(session) = &self.session else { return Ok(false) };
        self.connection = session.connect()?;
        let transaction = self.connection.begin()?;
        turn::stands(&transaction, turn)
    }
}
