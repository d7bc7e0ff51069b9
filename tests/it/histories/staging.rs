//! What a session takes into the ledger: a sheet, what is outstanding, or what failed.

use sha2::{Digest, Sha256};
use shipsheet::ledger::{Ledger, LedgerError, NewAddressWord, NewRun, RunFacts, RunId, RunKind, StagedOrder, Staging};
use shipsheet::text::Decimal;

use super::plan::{Address, ORDERS, What};

/// Stages a run; none where its orders are known at another address and nobody can be asked.
pub(super) fn stage(
    ledger: &mut Ledger,
    service: &str,
    what: What,
    address: Address,
) -> Result<Option<(RunId, u64)>, LedgerError> {
    loop {
        let staging = staged(ledger, service, what)?;
        let elsewhere = staging.elsewhere()?;
        let Some(first) = elsewhere.into_iter().next() else {
            let run = staging.commit(&RunFacts::default())?;
            let orders = ledger.tally(run)?.outstanding;
            return Ok(Some((run, orders)));
        };
        drop(staging);
        if address == Address::OtherUnattended {
            return Ok(None);
        }
        ledger.say_of_addresses(&NewAddressWord {
            one: service.to_owned(),
            other: first.service,
            is_same: true,
            because: "one portal shows both".into(),
            user: "asha".into(),
            host: "desk".into(),
            at_ms: 3_000,
        })?;
    }
}

fn staged<'l>(ledger: &'l mut Ledger, service: &str, what: What) -> Result<Staging<'l>, LedgerError> {
    let kind = match what {
        What::Sheet { .. } => RunKind::Import,
        What::Outstanding => RunKind::Resume,
        What::Failed => RunKind::Retry,
    };
    let mut staging = ledger.stage(NewRun {
        kind,
        service: service.to_owned(),
        started_ms: 1_000,
        version: "history".into(),
        user: "asha".into(),
        host: "desk".into(),
    })?;
    match what {
        What::Outstanding => {
            staging.adopt_outstanding(None)?;
        }
        What::Failed => {
            staging.adopt_failed(None, &[])?;
        }
        What::Sheet { orders, version } => {
            for index in (0..ORDERS).filter(|index| orders & (1 << index) != 0) {
                let number = format!("A-{index}");
                let body = format!("{{\"orderNumber\":\"{number}\",\"version\":{version},\"last\":\"end\"}}");
                staging.put(&StagedOrder {
                    number: &number,
                    body: body.as_bytes(),
                    packed: None,
                    sha256: Sha256::digest(&body).into(),
                    created_ms: 1_000,
                    shipment: None,
                    lines: 1,
                    value: Decimal::ONE,
                    cod: Decimal::ZERO,
                    rows: "orders.csv:2",
                    position: i64::from(index),
                })?;
            }
        }
    }
    Ok(staging)
}
