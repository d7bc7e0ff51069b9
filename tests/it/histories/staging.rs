//! What a session takes into the ledger: a sheet, what is outstanding, or what failed.

use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use shipsheet::config::{Config, Overrides, Sheets};
use shipsheet::event::Stream;
use shipsheet::finding::RuleId;
use shipsheet::ledger::{
    AcceptedFinding, Intake, Ledger, LedgerError, NewAddressWord, NewRevision, NewRun, RunFacts, RunId, RunKind,
    RunSheet, SheetIdentity, Staging, State,
};
use shipsheet::parse::ReadingSettings;
use shipsheet::rule::{Acceptances, LevelPlan, Subject};
use shipsheet::stage::{Opened, Recorder, gather, open};

use super::model::Standing;
use super::plan::{Address, ORDERS, Taking};
use super::sheets::number;

/// What is staged.
pub(super) enum Stock {
    Sheet { opened: Box<Opened>, rules: Box<ReadingSettings>, sha256: [u8; 32], taking: Taking },
    Outstanding,
    Failed,
}

/// What staging came to.
pub(super) enum Staged {
    /// A run, and how many of its orders wait.
    Run(RunId, u64),
    /// A sheet was refused as a whole or only looked at.
    Declined,
    /// Orders are known at another address, and nobody could be asked.
    Elsewhere,
    /// The process was killed.
    Killed,
}

/// Opens a sheet as the application does, with what people accepted so far.
pub(super) fn read(sheet: &Path, taking: Taking, ledger: &Ledger, service: &str) -> Stock {
    let folder = sheet.parent().map(|folder| folder.join("own"));
    let config = Config::open(Overrides { sandbox: true, folder, ..Overrides::default() }).unwrap();
    let (sheets, mut accepted) = (Sheets::of([sheet]), Acceptances::default());
    for AcceptedFinding { rule, order, basis, word, .. } in ledger.accepted_findings(service).unwrap() {
        accepted.keep(RuleId::from_word(&rule).unwrap(), Subject::Order(order.unwrap()), basis, word);
    }
    let mut rules = config.rules(jiff::Timestamp::now(), None).unwrap();
    rules.levels = LevelPlan { accepted: Arc::new(accepted), ..config.levels(&sheets) };
    let options = config.open_options(&sheets, &rules).unwrap();
    let opened = open(&options, &mut Stream::silent()).unwrap();
    assert!(!opened.is_unusable(), "{:?}", opened.problems);
    let sha256 = Sha256::digest(std::fs::read(sheet).unwrap()).into();
    Stock::Sheet { opened: Box::new(opened), rules: Box::new(rules), sha256, taking }
}

/// The orders of a ledger: where each stands, and whether it goes by what was said of it.
pub(super) struct Orders {
    of: Vec<Option<(State, bool)>>,
    /// Whether somebody has said that the service's two addresses are one.
    pub(super) is_one_service: bool,
}

impl Orders {
    pub(super) fn read(ledger: &mut Ledger, service: &str) -> Result<Self, LedgerError> {
        let is_one_service = !ledger.address_words()?.is_empty();
        let staging = ledger.stage(new_run(RunKind::Resume, service))?;
        let known = |order| Ok(staging.known(&number(order))?.map(|known| (known.state, known.revision.is_none())));
        Ok(Self { of: (0..ORDERS).map(known).collect::<Result<_, LedgerError>>()?, is_one_service })
    }

    /// Takes those of another address of the service, too.
    pub(super) fn add(&mut self, other: &Self) {
        for (own, theirs) in self.of.iter_mut().zip(&other.of) {
            *own = own.or(*theirs);
        }
    }

    pub(super) fn standing(&self, order: usize) -> Standing {
        match self.of[order] {
            Some((State::Booked | State::Abandoned, _)) => Standing::Over,
            Some((State::InDoubt | State::Sending, _)) => Standing::InDoubt,
            _ => Standing::Open,
        }
    }

    pub(super) fn goes(&self, order: usize) -> bool {
        self.of[order].is_none_or(|(_, goes)| goes)
    }
}

/// The service that a session books at.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) url: &'a str,
    pub(super) address: Address,
    /// Its usual address, where nobody has said yet that it is the same service.
    pub(super) unsaid: Option<&'a str>,
}

/// Stages a run; `kill` is called where the process ends before it is recorded.
pub(super) fn stage(
    ledger: &mut Ledger,
    At { url, address, mut unsaid }: At<'_>,
    stock: &Stock,
    kill: Option<&mut dyn FnMut()>,
) -> Result<Staged, LedgerError> {
    loop {
        let (staging, revisions) = staged(ledger, url, stock)?;
        let other = staging.elsewhere()?.into_iter().next().map(|first| first.service);
        if let Some(other) = other.or(unsaid.take().map(str::to_owned)) {
            drop(staging);
            if address == Address::OtherUnattended {
                return Ok(Staged::Elsewhere);
            }
            say_same(ledger, url, other)?;
            continue;
        }
        if let Stock::Sheet { taking: taking @ (Taking::Refused | Taking::LookedAt), .. } = stock {
            drop(staging);
            if *taking == Taking::Refused {
                ledger.revise(url, ("asha", "desk", 1_000), &revisions)?;
            }
            return Ok(Staged::Declined);
        }
        if let Some(kill) = kill {
            kill();
            return Ok(Staged::Killed);
        }
        let run = staging.commit(&RunFacts::default())?;
        let orders = ledger.tally(run)?.outstanding;
        return Ok(Staged::Run(run, orders));
    }
}

fn say_same(ledger: &mut Ledger, url: &str, other: String) -> Result<(), LedgerError> {
    ledger.say_of_addresses(&NewAddressWord {
        one: url.to_owned(),
        other,
        is_same: true,
        because: "one portal shows both".into(),
        user: "asha".into(),
        host: "desk".into(),
        at_ms: 3_000,
    })
}

fn new_run(kind: RunKind, service: &str) -> NewRun {
    NewRun {
        kind,
        service: service.to_owned(),
        started_ms: jiff::Timestamp::now().as_millisecond(),
        version: "history".into(),
        user: "asha".into(),
        host: "desk".into(),
    }
}

fn staged<'l>(
    ledger: &'l mut Ledger,
    service: &str,
    stock: &Stock,
) -> Result<(Staging<'l>, Vec<NewRevision>), LedgerError> {
    let kind = match stock {
        Stock::Sheet { .. } => RunKind::Import,
        Stock::Outstanding => RunKind::Resume,
        Stock::Failed => RunKind::Retry,
    };
    let mut staging = ledger.stage(new_run(kind, service))?;
    let mut revisions = Vec::new();
    match stock {
        Stock::Outstanding => {
            staging.adopt_outstanding(None)?;
        }
        Stock::Failed => {
            staging.adopt_failed(None, &[])?;
        }
        Stock::Sheet { opened, rules, sha256, .. } => {
            let identity = Some(SheetIdentity { sha256: *sha256, worksheet: String::new() });
            staging.begin_sheets(&[RunSheet { name: "orders.csv".to_owned(), identity }])?;
            let mut recorder = Recorder::new(&mut staging, &opened.columns, rules.now.as_millisecond());
            gather(opened, rules, &mut recorder, &mut |_| {}, &mut Stream::silent()).unwrap();
            revisions = recorder.counts.revisions;
        }
    }
    Ok((staging, revisions))
}
