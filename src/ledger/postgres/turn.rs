//! One turn of a run over a server, in two flights: what it is about is looked up, then all of it is written and committed.
//!
//! What is out of the ordinary (an answer to an attempt that somebody gave up on, a shipment that another order may have) goes
//! the way of a ledger in a file, one by one, in the same transaction.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::ledger::chain::Chain;
use crate::ledger::commit::{Applied, Change};
use crate::ledger::crash::fail_point;
use crate::ledger::db::{Around, Column, Connection, Error, Row, Server, Step, params};
use crate::ledger::error::LedgerError;
use crate::ledger::late::{self, Late};
use crate::ledger::record::{OrderId, State};
use crate::ledger::share::BrakeElsewhere;
use crate::ledger::step::{self, ANSWER_BYTES_MAX, Answer, Landing};
use crate::text::bare_awb;

use super::share::pulled;

/// How often a turn waits anew for whoever writes, each time for half a minute.
const WAITS: u32 = 20;

/// What a turn is about, a row each, by the word in the first column; see `templates/ledger/turns.sql`.
const LOOKS: &str = "SELECT what, order_id, attempt_id, n, request_id, run_id, intent_ms, hash, origin, number,
        stopped_by, why, epoch, host
    FROM turn_looks($1, $2, $3, $4, $5)";

const WRITES: &str =
    "SELECT turn_writes($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)";

/// What a turn came to, and how to see whether it stands where nobody said so.
#[derive(Debug, Clone, Default)]
pub(in crate::ledger) struct Turn {
    pub(in crate::ledger) applied: Vec<Applied>,
    /// The attempt of each intent.
    pub(in crate::ledger) attempts: Vec<u32>,
    /// The newest link, where it made one.
    pub(in crate::ledger) link: Option<(i64, [u8; 32])>,
    /// One of its attempts, where it made any.
    pub(in crate::ledger) claimed: Option<Claimed>,
}

/// An order that is to be sent, with its attempt.
#[derive(Debug, Clone, Copy)]
pub(in crate::ledger) struct Claimed {
    pub(in crate::ledger) order: i64,
    pub(in crate::ledger) n: i64,
    request: i64,
    run: i64,
}

/// An open attempt.
struct Open {
    id: i64,
    n: i64,
    origin: String,
    number: String,
    request: [u8; 32],
    run: i64,
    intent_ms: i64,
}

/// An answer as it is written, with its attempt.
struct Closed<'a> {
    order: OrderId,
    open: &'a Open,
    landing: Landing<'a>,
    status: Option<u16>,
    raw: Option<&'a [u8]>,
    raw_bytes: Option<i64>,
    link: (i64, [u8; 32]),
}

/// Writes the changes of a turn. `planned` is what it comes to, from the moment on at which it may stand.
pub(in crate::ledger) fn write(
    connection: &Connection,
    (changes, under_way, now_ms): (&[Change], &HashMap<OrderId, u32>, i64),
    planned: &mut Option<Turn>,
) -> Result<(), LedgerError> {
    let server = connection.server().ok_or(Error::NoRows)?;
    let mut looked = look_patiently(server, changes)?;
    let written = turn(connection, (changes, under_way, now_ms), &mut looked, planned);
    if written.is_err() && server.is_in_transaction() {
        let _ = server.roll_back();
    }
    written
}

fn turn(
    connection: &Connection,
    (changes, under_way, now_ms): (&[Change], &HashMap<OrderId, u32>, i64),
    Looked { chain, open, free, held, brake }: &mut Looked,
    planned: &mut Option<Turn>,
) -> Result<(), LedgerError> {
    let server = connection.server().ok_or(Error::NoRows)?;
    let before = chain.n;
    let closed = closed(changes, open, chain, now_ms)?;
    let mut turn = Turn::default();
    let mut claims: Vec<Claimed> = Vec::new();
    for change in changes {
        let (applied, attempt) = match change {
            Change::Intent { order, request, run } => match (&*brake, free.get(&order.0)) {
                (Some(brake), _) => (Applied::Braked(brake.clone()), 0),
                // What would be sent was read a while ago: another station may have put a corrected request in its place.
                (None, Some(claim))
                    if claim.request == *request && !claims.iter().any(|other| other.order == claim.order) =>
                {
                    claims.push(Claimed { run: run.0, ..*claim });
                    (Applied::Done, u32::try_from(claim.n).unwrap_or(u32::MAX))
                }
                _ if held.contains(&order.0) => (Applied::Held, 0),
                _ => (Applied::Elsewhere, 0),
            },
            Change::Answer { .. } => (Applied::Done, 0),
        };
        turn.applied.push(applied);
        turn.attempts.push(attempt);
    }
    turn.claimed = claims.first().copied();
    let is_ordinary = closed.iter().all(Option::is_some);
    let writes = writes(&closed, &claims, now_ms);
    if is_ordinary {
        turn.link = (chain.n > before).then_some((chain.n, chain.hash));
        fail_point("commit")?;
        *planned = Some(turn);
        server.together(Around::Commits, writes.as_slice())?;
        return Ok(());
    }
    if writes.is_some() {
        server.together(Around::Nothing, writes.as_slice())?;
    }
    let answers = changes.iter().zip(&mut turn.applied).filter(|(change, _)| matches!(change, Change::Answer { .. }));
    for ((change, applied), closed) in answers.zip(&closed) {
        if let (Change::Answer { order, outcome, status, raw }, None) = (change, closed) {
            let answer = Answer { outcome, status: *status, raw: raw.as_deref() };
            let attempt = under_way.get(order).copied();
            *applied = one_by_one(connection, chain, (*order, attempt), &answer, now_ms)?;
        }
    }
    turn.link = (chain.n > before).then_some((chain.n, chain.hash));
    fail_point("commit")?;
    *planned = Some(turn);
    Ok(server.commit()?)
}

/// What a turn is about, as the ledger has it.
struct Looked {
    /// The end of the chain.
    chain: Chain,
    /// Open attempts that are answered.
    open: HashMap<i64, Open>,
    /// Orders that may be sent.
    free: HashMap<i64, Claimed>,
    /// Orders that are held or left out by now.
    held: HashSet<i64>,
    /// What forbids all of them.
    brake: Option<Box<BrakeElsewhere>>,
}

/// Another station holds the ledger for as long as it stages a large sheet. Answers that have come are not given up for that.
fn look_patiently(server: &Server, changes: &[Change]) -> Result<Looked, LedgerError> {
    let mut looked = look(server, changes);
    for _ in 0..WAITS {
        if !matches!(looked, Err(LedgerError::Busy)) {
            break;
        }
        looked = look(server, changes);
    }
    looked
}

/// Looks up, behind the lock of whoever writes, what a turn is about.
fn look(server: &Server, changes: &[Change]) -> Result<Looked, LedgerError> {
    let (mut ids, mut intents) = (Vec::new(), Vec::new());
    let (mut awbs, mut given, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    for change in changes {
        match change {
            Change::Intent { order, .. } => intents.push(Some(order.0)),
            Change::Answer { order, outcome, .. } => {
                let landing = Landing::of(outcome);
                let is_booking = landing.state == State::Booked;
                ids.push(Some(order.0));
                let awb = landing.awb.filter(|_| is_booking);
                awbs.push(awb.map(clean));
                bare.push(awb.map(|awb| Cow::Owned(bare_awb(awb))));
                given.push(landing.order_id.filter(|_| is_booking).map(clean));
            }
        }
    }
    let columns =
        vec![Column::Ints(ids), Column::Texts(awbs), Column::Texts(given), Column::Texts(bare), Column::Ints(intents)];
    let found = server.together(Around::Begins, &[Step { sql: LOOKS, columns }])?;
    let looked = looked(&found[0]);
    if looked.is_err() {
        let _ = server.roll_back();
    }
    Ok(looked?)
}

/// The rows of what was looked up.
fn looked(rows: &[Row<'_>]) -> Result<Looked, Error> {
    let mut looked =
        Looked { chain: Chain::EMPTY, open: HashMap::new(), free: HashMap::new(), held: HashSet::new(), brake: None };
    for row in rows {
        match row.get::<String>(0)?.as_str() {
            "link" => looked.chain = Chain { n: row.get(3)?, hash: row.get(7)? },
            "open" => {
                looked.open.insert(row.get(1)?, open(row)?);
            }
            "free" => {
                let claimed = Claimed { order: row.get(1)?, n: row.get(3)?, request: row.get(4)?, run: 0 };
                looked.free.insert(claimed.order, claimed);
            }
            "held" => drop(looked.held.insert(row.get(1)?)),
            "brake" => looked.brake = Some(Box::new(pulled(row, 10)?)),
            other => return Err(Error::Meaningless(format!("a turn is not about \"{other}\""))),
        }
    }
    Ok(looked)
}

fn open(row: &Row<'_>) -> Result<Open, Error> {
    Ok(Open {
        id: row.get(2)?,
        n: row.get(3)?,
        origin: row.get(8)?,
        number: row.get(9)?,
        request: row.get(7)?,
        run: row.get(5)?,
        intent_ms: row.get(6)?,
    })
}

/// Each answer with its attempt and its link; none for one that is out of the ordinary.
fn closed<'a>(
    changes: &'a [Change],
    open: &'a HashMap<i64, Open>,
    chain: &mut Chain,
    now_ms: i64,
) -> Result<Vec<Option<Closed<'a>>>, LedgerError> {
    let (mut met, mut awbs, mut given) = (HashSet::new(), HashSet::new(), HashSet::new());
    let mut one = |change: &'a Change| {
        let Change::Answer { order, outcome, status, raw } = change else { return Ok(None) };
        let landing = Landing::of(outcome);
        let is_booking = landing.state == State::Booked;
        // The first of two that name one shipment has it.
        let is_alone = !is_booking
            || (landing.awb.is_none_or(|awb| awbs.insert(bare_awb(awb)))
                & landing.order_id.is_none_or(|id| given.insert(id)));
        let Some(open) = open.get(&order.0).filter(|_| is_alone && met.insert(order.0)) else { return Ok(Some(None)) };
        let kept = raw.as_deref().map(|raw| &raw[..raw.len().min(ANSWER_BYTES_MAX)]);
        let raw_bytes = raw.as_deref().map(|raw| i64::try_from(raw.len()).unwrap_or(i64::MAX));
        let reason = landing.reason.as_deref().map(clean);
        let (awb, service_order_id) = (landing.awb.map(clean), landing.order_id.map(clean));
        // As the statement for attempts has them (`chain`), before anything is written.
        chain.linked(params![
            open.origin,
            open.number,
            open.n,
            open.request,
            open.run,
            open.intent_ms,
            now_ms,
            landing.state.as_str(),
            *status,
            awb,
            service_order_id,
            reason,
            raw_bytes,
            kept,
            None::<i64>,
        ])?;
        let link = (chain.n, chain.hash);
        Ok(Some(Some(Closed { order: *order, open, landing, status: *status, raw: kept, raw_bytes, link })))
    };
    changes.iter().filter_map(|change| one(change).transpose()).collect()
}

/// What is written; none where nothing is.
fn writes<'a>(closed: &'a [Option<Closed<'a>>], claims: &[Claimed], now_ms: i64) -> Option<Step<'a>> {
    let closed: Vec<&Closed<'a>> = closed.iter().flatten().collect();
    if closed.is_empty() && claims.is_empty() {
        return None;
    }
    let booked = |one: &Closed<'_>| one.landing.state == State::Booked;
    let ints = |of: &dyn Fn(&Closed<'a>) -> Option<i64>| Column::Ints(closed.iter().map(|one| of(one)).collect());
    let texts =
        |of: &dyn Fn(&'a Closed<'a>) -> Option<Cow<'a, str>>| Column::Texts(closed.iter().map(|one| of(one)).collect());
    let blobs =
        |of: &dyn Fn(&'a Closed<'a>) -> Option<&'a [u8]>| Column::Blobs(closed.iter().map(|one| of(one)).collect());
    let sent = |of: &dyn Fn(&Claimed) -> i64| Column::Ints(claims.iter().map(|claim| Some(of(claim))).collect());
    let columns = vec![
        Column::Int(now_ms),
        ints(&|one| Some(one.order.0)),
        ints(&|one| Some(one.open.id)),
        texts(&|one| Some(one.landing.state.as_str().into())),
        ints(&|one| one.status.map(i64::from)),
        texts(&|one| one.landing.awb.map(clean)),
        texts(&|one| one.landing.order_id.map(clean)),
        texts(&|one| one.landing.carrier.filter(|_| booked(one)).map(clean)),
        texts(&|one| one.landing.service_level.filter(|_| booked(one)).map(clean)),
        ints(&|one| Some(i64::from(booked(one) && one.landing.old_answer))),
        texts(&|one| one.landing.error().map(|error| clean(&error).into_owned().into())),
        texts(&|one| one.landing.reason.as_deref().map(clean)),
        blobs(&|one| one.raw),
        ints(&|one| one.raw_bytes),
        ints(&|one| Some(one.link.0)),
        blobs(&|one| Some(one.link.1.as_slice())),
        sent(&|claim| claim.order),
        sent(&|claim| claim.n),
        sent(&|claim| claim.request),
        sent(&|claim| claim.run),
    ];
    Some(Step { sql: WRITES, columns })
}

/// Takes an answer as a ledger in a file does, also where its attempt was given up by whoever took over.
fn one_by_one(
    connection: &Connection,
    chain: &mut Chain,
    (order, attempt): (OrderId, Option<u32>),
    answer: &Answer<'_>,
    now_ms: i64,
) -> Result<Applied, LedgerError> {
    let late = match attempt {
        Some(attempt) => late::take(connection, chain, (order, attempt), answer, (now_ms, now_ms))?,
        None => Late::Open,
    };
    Ok(match late {
        Late::Open | Late::Unknown => step::answer(connection, chain, order, answer, now_ms)?,
        Late::Settled | Late::Kept => Applied::Done,
        Late::Contradiction(found) => Applied::TwoBookings { awb: found.awb, against: found.against },
    })
}

/// Whether a turn of which nobody said so stands all the same. Behind the lock of whoever writes: whoever was committing it then
/// is done.
pub(in crate::ledger) fn stands(connection: &Connection, turn: &Turn) -> Result<bool, LedgerError> {
    if let Some((n, hash)) = &turn.link {
        let mut bound = connection.prepare("SELECT 1 FROM evidence WHERE n = ?1 AND hash = ?2")?;
        return Ok(bound.exists(params![n, hash])?);
    }
    let Some(claimed) = turn.claimed else { return Ok(true) };
    let mut begun =
        connection.prepare("SELECT 1 FROM attempts WHERE order_id = ?1 AND n = ?2 AND epoch = own_epoch()")?;
    Ok(begun.exists(params![claimed.order, claimed.n])?)
}

/// What a text of the server's can be.
fn clean(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { text.replace('\0', "\u{fffd}").into() } else { text.into() }
}
