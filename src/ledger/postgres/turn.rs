//! One turn of a run over a server, in two flights: what it is about is looked up, then all of it is written and committed.
//!
//! What is out of the ordinary (an answer to an attempt that somebody gave up on, a shipment that another order may have) goes
//! the way of a ledger in a file, one by one, in the same transaction.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use crate::ledger::chain::{AttemptWords, Chain, hex};
use crate::ledger::commit::{Applied, Change};
use crate::ledger::crash::fail_point;
use crate::ledger::db::{Around, Column, Connection, Error, Row, Server, Step, params};
use crate::ledger::error::LedgerError;
use crate::ledger::late::{self, Late};
use crate::ledger::record::{OrderId, State};
use crate::ledger::share::BrakeElsewhere;
use crate::ledger::sql::bare_awb_of;
use crate::ledger::step::{self, ANSWER_BYTES_MAX, Answer, Landing};
use crate::text::bare_awb;

use super::share::pulled;

/// How often a turn waits anew for whoever writes, each time for half a minute.
const WAITS: u32 = 20;

const NEWEST_LINK: &str = "SELECT n, hash FROM evidence ORDER BY n DESC LIMIT 1";

/// Open attempts of this very session, whose answers meet nothing else. `OFFSET 0` has each question asked of its index for each
/// row: as a join, planned while the ledger is new, it would be asked of all orders of the service for years.
const OPEN: &str = concat!(
    "SELECT o.id, a.id, a.n, s.origin, o.number, q.sha256, a.run_id, a.intent_ms
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS x (id, awb, given, bare)
    JOIN orders o ON o.id = x.id JOIN attempts a ON a.order_id = o.id AND a.answered_ms IS NULL
    JOIN services s ON s.id = o.service_id JOIN requests q ON q.id = a.request_id
    WHERE o.state = 'sending' AND a.epoch = own_epoch() AND NOT EXISTS (SELECT 1 FROM services OFFSET 1)
        AND NOT EXISTS (SELECT 1 FROM orders p WHERE p.service_id = o.service_id AND p.awb IN (x.awb, x.bare) AND p.awb IS NOT NULL
            AND p.id <> o.id OFFSET 0)
        AND NOT EXISTS (SELECT 1 FROM orders p WHERE p.service_id = o.service_id AND p.id <> o.id AND p.awb <> ",
    bare_awb_of!("p.awb"),
    " AND ",
    bare_awb_of!("p.awb"),
    " = x.bare OFFSET 0)
        AND NOT EXISTS (SELECT 1 FROM orders p WHERE p.service_id = o.service_id AND p.order_id = x.given
            AND p.order_id IS NOT NULL AND p.state = 'booked' AND p.id <> o.id OFFSET 0)"
);

/// Orders that may be sent and that nobody else holds just now.
const FREE: &str = "SELECT id, attempts + 1, request_id FROM orders
    WHERE id = ANY ($1::bigint[]) AND (state = 'staged' OR state = 'waiting') FOR UPDATE SKIP LOCKED";

/// What another station says of the services of these orders.
const BRAKE: &str = "SELECT b.stopped_by, b.why, b.epoch, b.host FROM brakes_held b
    JOIN orders o ON o.service_id = b.service_id WHERE o.id = ANY ($1::bigint[]) ORDER BY b.id LIMIT 1";

const CLOSE: &str = "UPDATE attempts a SET answered_ms = x.answered_ms, outcome = x.outcome, status = x.status, awb = x.awb,
        service_order_id = x.given, reason = x.reason, answer = x.answer, answer_bytes = x.answer_bytes, evidence_n = x.n
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::bytea[],
        $9::bigint[], $10::bigint[]) AS x (id, answered_ms, outcome, status, awb, given, reason, answer, answer_bytes, n)
    WHERE a.id = x.id";

const LAND: &str = "UPDATE orders o SET state = x.state, awb = x.awb, order_id = coalesce(x.given, o.order_id),
        carrier = x.carrier, service_level = x.service_level, old_answer = x.old_answer, error = x.error
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[])
        AS x (id, state, awb, given, carrier, service_level, old_answer, error)
    WHERE o.id = x.id AND o.state = 'sending'";

const BIND: &str = "INSERT INTO evidence (n, attempt_id, hash)
    SELECT n, id, hash FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) AS x (n, id, hash) ORDER BY n";

const CLAIM: &str = "UPDATE orders SET state = 'sending', attempts = attempts + 1, error = NULL
    WHERE id = ANY ($1::bigint[]) AND (state = 'staged' OR state = 'waiting')";

const INTEND: &str = "INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])";

const COUNT: &str = "UPDATE runs r SET requests = requests + x.sent
    FROM unnest($1::bigint[], $2::bigint[]) AS x (id, sent) WHERE r.id = x.id";

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
    Looked { chain, open, free, brake }: &mut Looked,
    planned: &mut Option<Turn>,
) -> Result<(), LedgerError> {
    let server = connection.server().ok_or(Error::NoRows)?;
    let before = chain.n;
    let closed = closed(changes, open, chain, now_ms);
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
                _ => (Applied::Elsewhere, 0),
            },
            Change::Answer { .. } => (Applied::Done, 0),
        };
        turn.applied.push(applied);
        turn.attempts.push(attempt);
    }
    turn.claimed = claims.first().copied();
    let is_ordinary = closed.iter().all(Option::is_some);
    let steps = steps(&closed, &claims, now_ms);
    if is_ordinary {
        turn.link = (chain.n > before).then_some((chain.n, chain.hash));
        fail_point("commit")?;
        *planned = Some(turn);
        server.together(Around::Commits, &steps)?;
        return Ok(());
    }
    if !steps.is_empty() {
        server.together(Around::Nothing, &steps)?;
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
    let looks = [
        Step { sql: NEWEST_LINK, columns: Vec::new() },
        Step {
            sql: OPEN,
            columns: vec![Column::Ints(ids), Column::Texts(awbs), Column::Texts(given), Column::Texts(bare)],
        },
        Step { sql: FREE, columns: vec![Column::Ints(intents.clone())] },
        Step { sql: BRAKE, columns: vec![Column::Ints(intents)] },
    ];
    let mut found = server.together(Around::Begins, &looks)?.into_iter();
    let mut next = || found.next().unwrap_or_default();
    let mut read = || -> Result<_, LedgerError> {
        let chain = match next().first() {
            Some(row) => Chain { n: row.get(0)?, hash: row.get(1)? },
            None => Chain::EMPTY,
        };
        let open = next().iter().map(|row| Ok((row.get(0)?, open(row)?))).collect::<Result<_, Error>>()?;
        let free = next().iter().map(|row| Ok((row.get(0)?, free(row)?))).collect::<Result<_, Error>>()?;
        let brake = next().first().map(pulled).transpose()?.map(Box::new);
        Ok(Looked { chain, open, free, brake })
    };
    let found = read();
    if found.is_err() {
        let _ = server.roll_back();
    }
    found
}

fn open(row: &Row<'_>) -> Result<Open, Error> {
    Ok(Open {
        id: row.get(1)?,
        n: row.get(2)?,
        origin: row.get(3)?,
        number: row.get(4)?,
        request: row.get(5)?,
        run: row.get(6)?,
        intent_ms: row.get(7)?,
    })
}

fn free(row: &Row<'_>) -> Result<Claimed, Error> {
    Ok(Claimed { order: row.get(0)?, n: row.get(1)?, request: row.get(2)?, run: 0 })
}

/// Each answer with its attempt and its link; none for one that is out of the ordinary.
fn closed<'a>(
    changes: &'a [Change],
    open: &'a HashMap<i64, Open>,
    chain: &mut Chain,
    now_ms: i64,
) -> Vec<Option<Closed<'a>>> {
    let (mut met, mut awbs, mut given) = (HashSet::new(), HashSet::new(), HashSet::new());
    let mut one = |change: &'a Change| {
        let Change::Answer { order, outcome, status, raw } = change else { return None };
        let landing = Landing::of(outcome);
        let is_booking = landing.state == State::Booked;
        // The first of two that name one shipment has it.
        let is_alone = !is_booking
            || (landing.awb.is_none_or(|awb| awbs.insert(bare_awb(awb)))
                & landing.order_id.is_none_or(|id| given.insert(id)));
        let Some(open) = open.get(&order.0).filter(|_| is_alone && met.insert(order.0)) else { return Some(None) };
        let kept = raw.as_deref().map(|raw| &raw[..raw.len().min(ANSWER_BYTES_MAX)]);
        let raw_bytes = raw.as_deref().map(|raw| i64::try_from(raw.len()).unwrap_or(i64::MAX));
        let reason = landing.reason.as_deref().map(clean);
        let (awb, service_order_id) = (landing.awb.map(clean), landing.order_id.map(clean));
        chain.linked(&AttemptWords {
            origin: &open.origin,
            number: &open.number,
            n: open.n,
            request: open.request,
            run: open.run,
            intent_ms: open.intent_ms,
            answered_ms: Some(now_ms),
            outcome: Some(landing.state.as_str()),
            status: status.map(i64::from),
            awb: awb.as_deref(),
            service_order_id: service_order_id.as_deref(),
            reason: reason.as_deref(),
            answer_bytes: raw_bytes,
            answer: kept.map(|kept| hex(&Sha256::digest(kept).into())),
        });
        let link = (chain.n, chain.hash);
        Some(Some(Closed { order: *order, open, landing, status: *status, raw: kept, raw_bytes, link }))
    };
    changes.iter().filter_map(&mut one).collect()
}

/// What is written, in the order in which the guards want it.
fn steps<'a>(closed: &'a [Option<Closed<'a>>], claims: &[Claimed], now_ms: i64) -> Vec<Step<'a>> {
    let closed: Vec<&Closed<'a>> = closed.iter().flatten().collect();
    let ints = |of: &dyn Fn(&Closed<'a>) -> Option<i64>| Column::Ints(closed.iter().map(|one| of(one)).collect());
    let mut steps = Vec::new();
    if !closed.is_empty() {
        steps.push(close(&closed, now_ms));
        steps.push(land(&closed));
        let hashes = closed.iter().map(|one| Some(one.link.1.as_slice())).collect();
        let columns = vec![ints(&|one| Some(one.link.0)), ints(&|one| Some(one.open.id)), Column::Blobs(hashes)];
        steps.push(Step { sql: BIND, columns });
    }
    if !claims.is_empty() {
        let of = |of: &dyn Fn(&Claimed) -> i64| Column::Ints(claims.iter().map(|claim| Some(of(claim))).collect());
        steps.push(Step { sql: CLAIM, columns: vec![of(&|claim| claim.order)] });
        let columns = vec![
            of(&|claim| claim.order),
            of(&|claim| claim.n),
            of(&|claim| claim.request),
            of(&|claim| claim.run),
            of(&|_| now_ms),
        ];
        steps.push(Step { sql: INTEND, columns });
        let mut runs = HashMap::<i64, i64>::new();
        for claim in claims {
            *runs.entry(claim.run).or_default() += 1;
        }
        let (runs, sent) = runs.into_iter().map(|(run, sent)| (Some(run), Some(sent))).unzip();
        steps.push(Step { sql: COUNT, columns: vec![Column::Ints(runs), Column::Ints(sent)] });
    }
    steps
}

fn close<'a>(closed: &[&'a Closed<'a>], now_ms: i64) -> Step<'a> {
    let ints = |of: &dyn Fn(&Closed<'a>) -> Option<i64>| Column::Ints(closed.iter().map(|one| of(one)).collect());
    let columns = vec![
        ints(&|one| Some(one.open.id)),
        ints(&|_| Some(now_ms)),
        Column::Texts(closed.iter().map(|one| Some(one.landing.state.as_str().into())).collect()),
        ints(&|one| one.status.map(i64::from)),
        Column::Texts(closed.iter().map(|one| one.landing.awb.map(clean)).collect()),
        Column::Texts(closed.iter().map(|one| one.landing.order_id.map(clean)).collect()),
        Column::Texts(closed.iter().map(|one| one.landing.reason.as_deref().map(clean)).collect()),
        Column::Blobs(closed.iter().map(|one| one.raw).collect()),
        ints(&|one| one.raw_bytes),
        ints(&|one| Some(one.link.0)),
    ];
    Step { sql: CLOSE, columns }
}

fn land<'a>(closed: &[&'a Closed<'a>]) -> Step<'a> {
    let booked = |one: &&'a Closed<'a>| one.landing.state == State::Booked;
    let texts =
        |of: &dyn Fn(&'a Closed<'a>) -> Option<Cow<'a, str>>| Column::Texts(closed.iter().map(|one| of(one)).collect());
    let columns = vec![
        Column::Ints(closed.iter().map(|one| Some(one.order.0)).collect()),
        texts(&|one| Some(one.landing.state.as_str().into())),
        texts(&|one| one.landing.awb.filter(|_| booked(&one)).map(clean)),
        texts(&|one| one.landing.order_id.filter(|_| booked(&one) || one.landing.state == State::Rejected).map(clean)),
        texts(&|one| one.landing.carrier.filter(|_| booked(&one)).map(clean)),
        texts(&|one| one.landing.service_level.filter(|_| booked(&one)).map(clean)),
        Column::Ints(closed.iter().map(|one| Some(i64::from(booked(one) && one.landing.old_answer))).collect()),
        texts(&|one| one.landing.error().map(|error| clean(&error).into_owned().into())),
    ];
    Step { sql: LAND, columns }
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
