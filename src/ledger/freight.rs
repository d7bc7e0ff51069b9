//! What couriers charge for shipments, and who carries them, by statements.

use crate::text::Decimal;

use super::db::params;
use super::error::LedgerError;
use super::open::Ledger;

/// What a statement charges for one shipment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Freight {
    /// The shipment.
    pub awb: String,
    /// All that the statement charges for it, in the statement's currency.
    pub amount: Decimal,
    /// Its first row, counted from 1.
    pub row: u32,
}

/// The charges of a statement.
#[derive(Debug, Clone)]
pub struct NewFreights<'f> {
    /// The service.
    pub service: &'f str,
    /// The statement's name.
    pub statement: &'f str,
    /// The SHA-256 of the statement.
    pub sha256: [u8; 32],
    /// The charges.
    pub freights: &'f [Freight],
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// Who carries shipments, by a statement.
#[derive(Debug, Clone)]
pub struct NewCarriers<'c> {
    /// The service.
    pub service: &'c str,
    /// The statement's name.
    pub statement: &'c str,
    /// The SHA-256 of the statement.
    pub sha256: [u8; 32],
    /// AWBs, each with the carrier's name.
    pub carriers: &'c [(String, String)],
    /// Who.
    pub user: String,
    /// On which machine.
    pub host: String,
    /// When, epoch milliseconds.
    pub at_ms: i64,
}

/// The carrier of the order `o`: as the service's answer names it, else as the latest statement does for its AWB.
macro_rules! carrier {
    () => {
        "coalesce(o.carrier, (SELECT c.carrier FROM statement_carriers c WHERE c.order_id = o.id AND c.awb = o.awb
            ORDER BY c.id DESC LIMIT 1))"
    };
}

pub(super) use carrier;

/// What the latest statement charges for the order `o`.
macro_rules! freight {
    () => {
        "(SELECT f.amount FROM freights f WHERE f.order_id = o.id ORDER BY f.id DESC LIMIT 1)"
    };
}

pub(super) use freight;

impl Ledger {
    /// Keeps who carries shipments of this ledger of which no answer said so.
    pub fn keep_carriers(&mut self, new: &NewCarriers<'_>) -> Result<(), LedgerError> {
        let NewCarriers { service, statement, sha256, carriers, user, host, at_ms } = new;
        let transaction = self.begin()?;
        for (awb, carrier) in *carriers {
            transaction
                .prepare_cached(
                    "INSERT INTO statement_carriers (order_id, at_ms, user, host, awb, carrier, statement, sha256)
                     SELECT o.id, ?3, ?4, ?5, o.awb, ?6, ?7, ?8 FROM same_service s CROSS JOIN orders o ON o.service_id = s.id
                     WHERE s.origin = ?1 AND o.awb = ?2 AND o.awb IS NOT NULL AND o.state = 'booked' AND o.carrier IS NULL
                     ON CONFLICT DO NOTHING",
                )?
                .execute(params![service, awb, at_ms, user, host, carrier, statement, sha256])?;
        }
        Ok(transaction.commit()?)
    }

    /// Keeps what a statement charges for shipments of this ledger. Gives how many of them have a charge that was not kept
    /// of this statement before.
    pub fn keep_freights(&mut self, new: &NewFreights<'_>) -> Result<u64, LedgerError> {
        let NewFreights { service, statement, sha256, freights, user, host, at_ms } = new;
        let transaction = self.begin()?;
        let mut kept = 0;
        for Freight { awb, amount, row } in *freights {
            kept += transaction
                .prepare_cached(
                    "INSERT INTO freights (order_id, at_ms, user, host, amount, statement, sha256, row)
                     SELECT o.id, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM same_service s CROSS JOIN orders o ON o.service_id = s.id
                     WHERE s.origin = ?1 AND o.awb = ?2 AND o.awb IS NOT NULL
                        AND NOT EXISTS (SELECT 1 FROM freights f WHERE f.order_id = o.id AND f.sha256 = ?8)",
                )?
                .execute(params![service, awb, at_ms, user, host, amount.to_string(), statement, sha256, row])?;
        }
        transaction.commit()?;
        Ok(kept as u64)
    }
}
