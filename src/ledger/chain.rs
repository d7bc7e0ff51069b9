//! Evidence: every answered attempt, decision, acceptance, word on addresses, accepted finding, dismissal and removal of what is
//! personal, each bound to the one before by its hash.
//!
//! A link's hash is the SHA-256 of the link before (64 hexadecimal digits), a line end, and the link's text: a JSON
//! array of everything that is known of it. Whoever alters one record later breaks every link
//! behind it; and the newest link is also noted outside the ledger, so that the end cannot be cut off unseen.
//!
//! A removal takes the words of answers away, so that the text of their links is another one than was bound. Its own link binds
//! a digest of all of these: number, hash and remaining text of each. They hold as long as that digest does.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::db::{self, Connection, OptionalExtension, Row, params};
use super::error::LedgerError;
use super::open::Ledger;
use crate::text::hex;

/// The end of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chain {
    pub(super) n: i64,
    pub(super) hash: [u8; 32],
}

/// What a link speaks of, by its id.
#[derive(Debug, Clone, Copy)]
pub(super) enum Evidence {
    Attempt(i64),
    Decision(i64),
    Acceptance(i64),
    LateAnswer(i64),
    AddressWord(i64),
    AcceptedFinding(i64),
    Dismissal(i64),
    Purge(i64),
}

/// One link, with all that is needed to compute its hash again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EvidenceRecord {
    /// Its place in the ledger's chain, from 1.
    pub n: i64,
    /// The hash of the link before, in hexadecimal digits.
    pub after: String,
    /// What it binds, as JSON.
    pub text: String,
    /// The SHA-256 of `after`, a line end and `text`, in hexadecimal digits.
    pub hash: String,
    /// The answer as it came, as far as it is text; its own hash is in `text`.
    pub answer: Option<String>,
}

impl Chain {
    pub(super) const EMPTY: Self = Self { n: 0, hash: [0; 32] };

    /// The newest link.
    pub(super) fn read(connection: &Connection) -> Result<Self, LedgerError> {
        let mut statement = connection.prepare_cached("SELECT n, hash FROM evidence ORDER BY n DESC LIMIT 1")?;
        let newest = statement.query_row((), |row| Ok(Self { n: row.get(0)?, hash: row.get(1)? }));
        Ok(newest.optional()?.unwrap_or(Self::EMPTY))
    }

    /// The number of the link to come.
    pub(super) const fn next(&self) -> i64 {
        self.n + 1
    }

    /// Binds a record that is written already and names [`Chain::next`].
    pub(super) fn bind(&mut self, connection: &Connection, evidence: Evidence) -> Result<(), LedgerError> {
        let text = text(connection, evidence)?;
        let column = match evidence {
            Evidence::Attempt(_) => "attempt_id",
            Evidence::Decision(_) => "decision_id",
            Evidence::Acceptance(_) => "acceptance_id",
            Evidence::LateAnswer(_) => "late_answer_id",
            Evidence::AddressWord(_) => "address_word_id",
            Evidence::AcceptedFinding(_) => "accepted_finding_id",
            Evidence::Dismissal(_) => "dismissal_id",
            Evidence::Purge(_) => "purge_id",
        };
        let (Evidence::Attempt(id)
        | Evidence::Decision(id)
        | Evidence::Acceptance(id)
        | Evidence::LateAnswer(id)
        | Evidence::AddressWord(id)
        | Evidence::AcceptedFinding(id)
        | Evidence::Dismissal(id)
        | Evidence::Purge(id)) = evidence;
        *self = Self { n: self.next(), hash: link(&self.hash, &text) };
        connection
            .prepare_cached(&format!("INSERT INTO evidence (n, {column}, hash) VALUES (?1, ?2, ?3)"))?
            .execute(params![self.n, id, self.hash])?;
        Ok(())
    }

    /// The first link that does not hold, if there is one; and how many were read.
    pub(super) fn verify(connection: &Connection) -> Result<(Option<i64>, u64), LedgerError> {
        let mut statement = connection.prepare(&format!("SELECT n, hash, {SUBJECT} FROM evidence ORDER BY n"))?;
        let mut rows = statement.query(())?;
        let mut chain = Self::EMPTY;
        let (mut links, mut vouched) = (0, BTreeMap::<i64, (i64, Sha256)>::new());
        while let Some(row) = &rows.next()? {
            let (n, hash): (i64, [u8; 32]) = (row.get(0)?, row.get(1)?);
            let evidence = evidence(row, 2)?;
            let text = text(connection, evidence)?;
            let purge = purged_by(connection, evidence)?;
            if let Some(purge) = purge {
                vouch(&mut vouched.entry(purge).or_insert_with(|| (n, Sha256::new())).1, n, &hash, &text);
            }
            let mut holds = n == chain.next() && (purge.is_some() || hash == link(&chain.hash, &text));
            if let Evidence::Purge(purge) = evidence {
                let (_, digest) = vouched.remove(&purge).unwrap_or_default();
                holds &= digest_of(connection, purge)? == <[u8; 32]>::from(digest.finalize());
            }
            if !holds {
                return Ok((Some(n), links));
            }
            chain = Self { n, hash };
            links += 1;
        }
        // What says that it was removed, and no removal vouches for.
        let unvouched = vouched.into_values().map(|(n, _)| n).min();
        Ok((unvouched, links))
    }

    /// The digest of all links whose text a removal took words from.
    pub(super) fn digest(connection: &Connection, purge: i64) -> Result<[u8; 32], LedgerError> {
        let mut statement = connection.prepare(&format!(
            "SELECT n, hash, {SUBJECT} FROM evidence WHERE n IN (SELECT evidence_n FROM attempts WHERE purge_id = ?1
                UNION ALL SELECT evidence_n FROM late_answers WHERE purge_id = ?1) ORDER BY n"
        ))?;
        let mut rows = statement.query([purge])?;
        let mut digest = Sha256::new();
        while let Some(row) = &rows.next()? {
            let hash: [u8; 32] = row.get(1)?;
            vouch(&mut digest, row.get(0)?, &hash, &text(connection, evidence(row, 2)?)?);
        }
        Ok(digest.finalize().into())
    }
}

/// Takes a link into the digest of a removal.
fn vouch(digest: &mut Sha256, n: i64, hash: &[u8; 32], text: &str) {
    digest.update(format!("{n} {} {text}\n", hex(hash)));
}

/// The removal that took the words of an answer away, if one did.
fn purged_by(connection: &Connection, evidence: Evidence) -> Result<Option<i64>, LedgerError> {
    let (sql, id) = match evidence {
        Evidence::Attempt(id) => ("SELECT purge_id FROM attempts WHERE id = ?1", id),
        Evidence::LateAnswer(id) => ("SELECT purge_id FROM late_answers WHERE id = ?1", id),
        _ => return Ok(None),
    };
    Ok(connection.prepare_cached(sql)?.query_row([id], |row| row.get(0))?)
}

fn digest_of(connection: &Connection, purge: i64) -> Result<[u8; 32], LedgerError> {
    Ok(connection.query_row("SELECT digest FROM purges WHERE id = ?1", [purge], |row| row.get(0))?)
}

impl Ledger {
    /// The links of an order number, oldest first: what a billing dispute needs.
    pub fn evidence(&self, number: &str) -> Result<Vec<EvidenceRecord>, LedgerError> {
        let mut statement = self.connection.prepare(&format!(
            "SELECT e.n, e.hash, coalesce((SELECT hash FROM evidence WHERE n = e.n - 1), zeroblob(32)),
                coalesce((SELECT answer FROM attempts WHERE id = e.attempt_id),
                    (SELECT answer FROM late_answers WHERE id = e.late_answer_id)), {SUBJECT}
             FROM evidence e WHERE e.n IN (
                SELECT a.evidence_n FROM services s CROSS JOIN orders o ON o.service_id = s.id
                JOIN attempts a ON a.order_id = o.id WHERE o.number = ?1
                UNION ALL
                SELECT d.evidence_n FROM services s CROSS JOIN orders o ON o.service_id = s.id
                JOIN decisions d ON d.order_id = o.id WHERE o.number = ?1
                UNION ALL
                SELECT l.evidence_n FROM services s CROSS JOIN orders o ON o.service_id = s.id
                JOIN attempts a ON a.order_id = o.id JOIN late_answers l ON l.attempt_id = a.id WHERE o.number = ?1
                UNION ALL
                SELECT evidence_n FROM accepted_findings WHERE number = ?1
                UNION ALL
                SELECT evidence_n FROM dismissals WHERE number = ?1)
             ORDER BY e.n"
        ))?;
        let mut rows = statement.query([number])?;
        let mut links = Vec::new();
        while let Some(row) = &rows.next()? {
            let answer: Option<Vec<u8>> = row.get(3)?;
            links.push(EvidenceRecord {
                n: row.get(0)?,
                after: hex(&row.get::<[u8; 32]>(2)?),
                text: text(&self.connection, evidence(row, 4)?)?,
                hash: hex(&row.get::<[u8; 32]>(1)?),
                answer: answer.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            });
        }
        Ok(links)
    }
}

/// The columns that say what a link speaks of, in the order in which [`evidence`] reads them.
const SUBJECT: &str = "attempt_id, decision_id, late_answer_id, address_word_id, acceptance_id, accepted_finding_id,
    dismissal_id, purge_id";

fn evidence(row: &Row<'_>, at: usize) -> db::Result<Evidence> {
    Ok(match (row.get(at)?, row.get(at + 1)?, row.get(at + 2)?, row.get(at + 3)?) {
        (Some(id), ..) => Evidence::Attempt(id),
        (_, Some(id), ..) => Evidence::Decision(id),
        (_, _, Some(id), _) => Evidence::LateAnswer(id),
        (_, _, _, Some(id)) => Evidence::AddressWord(id),
        (None, None, None, None) => match (row.get(at + 4)?, row.get(at + 5)?, row.get(at + 6)?) {
            (Some(id), ..) => Evidence::Acceptance(id),
            (_, Some(id), _) => Evidence::AcceptedFinding(id),
            (_, _, Some(id)) => Evidence::Dismissal(id),
            (None, None, None) => Evidence::Purge(row.get(at + 7)?),
        },
    })
}

fn link(after: &[u8; 32], text: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(hex(after));
    hash.update(b"\n");
    hash.update(text);
    hash.finalize().into()
}

fn text(connection: &Connection, evidence: Evidence) -> Result<String, LedgerError> {
    match evidence {
        Evidence::Attempt(id) => attempt_text(connection, id),
        Evidence::Decision(id) => decision_text(connection, id),
        Evidence::Acceptance(id) => acceptance_text(connection, id),
        Evidence::LateAnswer(id) => late_answer_text(connection, id),
        Evidence::AddressWord(id) => address_text(connection, id),
        Evidence::AcceptedFinding(id) => accepted_finding_text(connection, id),
        Evidence::Dismissal(id) => dismissal_text(connection, id),
        Evidence::Purge(id) => purge_text(connection, id),
    }
}

fn attempt_text(connection: &Connection, id: i64) -> Result<String, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT s.origin, o.number, a.n, q.sha256, a.run_id, a.intent_ms, a.answered_ms, a.outcome, a.status, a.awb,
            a.service_order_id, a.reason, a.answer_bytes, a.answer, a.answer_sha256
         FROM attempts a CROSS JOIN orders o ON o.id = a.order_id CROSS JOIN services s ON s.id = o.service_id
         CROSS JOIN requests q ON q.id = a.request_id WHERE a.id = ?1",
    )?;
    let text = statement.query_row([id], |row| {
        let text = |index: usize| row.get_ref(index)?.as_str_or_null();
        let words = AttemptWords {
            origin: row.get_ref(0)?.as_str()?,
            number: row.get_ref(1)?.as_str()?,
            n: row.get(2)?,
            request: row.get(3)?,
            run: row.get(4)?,
            intent_ms: row.get(5)?,
            answered_ms: row.get(6)?,
            outcome: text(7)?,
            status: row.get(8)?,
            awb: text(9)?,
            service_order_id: text(10)?,
            reason: text(11)?,
            answer_bytes: row.get(12)?,
            answer: answer_hash(row, 13)?,
        };
        Ok(words.text())
    });
    Ok(text?)
}

/// All that a link says of an attempt.
pub(super) struct AttemptWords<'a> {
    pub(super) origin: &'a str,
    pub(super) number: &'a str,
    pub(super) n: i64,
    /// The hash of its request.
    pub(super) request: [u8; 32],
    pub(super) run: i64,
    pub(super) intent_ms: i64,
    pub(super) answered_ms: Option<i64>,
    pub(super) outcome: Option<&'a str>,
    pub(super) status: Option<i64>,
    pub(super) awb: Option<&'a str>,
    pub(super) service_order_id: Option<&'a str>,
    pub(super) reason: Option<&'a str>,
    pub(super) answer_bytes: Option<i64>,
    /// The hash of what is kept of the answer.
    pub(super) answer: Option<String>,
}

impl AttemptWords<'_> {
    fn text(&self) -> String {
        json!([
            "attempt",
            self.origin,
            self.number,
            self.n,
            hex(&self.request),
            self.run,
            self.intent_ms,
            self.answered_ms,
            self.outcome,
            self.status,
            self.awb,
            self.service_order_id,
            self.reason,
            self.answer_bytes,
            self.answer
        ])
        .to_string()
    }
}

#[cfg(feature = "postgres")]
impl Chain {
    /// The next link, of an attempt; written by whoever asks.
    pub(super) fn linked(&mut self, words: &AttemptWords<'_>) {
        *self = Self { n: self.next(), hash: link(&self.hash, &words.text()) };
    }
}

fn decision_text(connection: &Connection, id: i64) -> Result<String, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT s.origin, o.number, a.n, d.at_ms, d.user, d.host, d.verb, d.awb, d.because
         FROM decisions d CROSS JOIN orders o ON o.id = d.order_id CROSS JOIN services s ON s.id = o.service_id
         LEFT JOIN attempts a ON a.id = d.attempt_id WHERE d.id = ?1",
    )?;
    let text = statement.query_row([id], |row| {
        let text = |index: usize| row.get::<Option<String>>(index);
        let number = |index: usize| row.get::<Option<i64>>(index);
        Ok(json!([
            "decision",
            text(0)?,
            text(1)?,
            number(2)?,
            number(3)?,
            text(4)?,
            text(5)?,
            text(6)?,
            text(7)?,
            text(8)?
        ])
        .to_string())
    });
    Ok(text?)
}

fn acceptance_text(connection: &Connection, id: i64) -> Result<String, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT c.at_ms, c.user, c.host, c.because, c.attempts_noted, c.attempts_found, h.path, h.inode, h.born_ns
         FROM acceptances c LEFT JOIN homes h ON h.acceptance_id = c.id WHERE c.id = ?1 ORDER BY h.id LIMIT 1",
    )?;
    let text = statement.query_row([id], |row| {
        let text = |index: usize| row.get::<String>(index);
        let number = |index: usize| row.get::<i64>(index);
        let (at, noted, found) = (number(0)?, number(4)?, number(5)?);
        let word = json!(["acceptance", at, text(1)?, text(2)?, text(3)?, noted, found]);
        // What was accepted before homes were noted has none, and keeps its link.
        let Some(path) = row.get::<Option<String>>(6)? else { return Ok(word.to_string()) };
        let home = json!([path, number(7)?, number(8)?]);
        Ok(Value::from([word, home].iter().filter_map(Value::as_array).flatten().cloned().collect::<Vec<_>>())
            .to_string())
    });
    Ok(text?)
}

fn late_answer_text(connection: &Connection, id: i64) -> Result<String, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT s.origin, o.number, a.n, l.answered_ms, l.at_ms, l.outcome, l.status, l.awb, l.service_order_id, l.carrier,
            l.service_level, l.old_answer, l.reason, l.answer_bytes, l.answer, l.answer_sha256
         FROM late_answers l CROSS JOIN attempts a ON a.id = l.attempt_id CROSS JOIN orders o ON o.id = a.order_id
         CROSS JOIN services s ON s.id = o.service_id WHERE l.id = ?1",
    )?;
    let text = statement.query_row([id], |row| {
        let text = |index: usize| row.get::<Option<String>>(index);
        let number = |index: usize| row.get::<Option<i64>>(index);
        let answer = answer_hash(row, 14)?;
        Ok(json!([
            "late answer",
            text(0)?,
            text(1)?,
            number(2)?,
            number(3)?,
            number(4)?,
            text(5)?,
            number(6)?,
            text(7)?,
            text(8)?,
            text(9)?,
            text(10)?,
            number(11)?,
            text(12)?,
            number(13)?,
            answer
        ])
        .to_string())
    });
    Ok(text?)
}

fn address_text(connection: &Connection, id: i64) -> Result<String, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT w.at_ms, w.user, w.host, w.because, a.origin, b.origin, w.is_same FROM address_words w
         CROSS JOIN services a ON a.id = w.one CROSS JOIN services b ON b.id = w.other WHERE w.id = ?1",
    )?;
    let text = statement.query_row([id], |row| {
        let text = |index: usize| row.get::<String>(index);
        let (at_ms, is_same): (i64, bool) = (row.get(0)?, row.get(6)?);
        Ok(json!(["addresses", at_ms, text(1)?, text(2)?, text(3)?, text(4)?, text(5)?, is_same]).to_string())
    });
    Ok(text?)
}

fn accepted_finding_text(connection: &Connection, id: i64) -> Result<String, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT s.origin, a.rule, a.number, a.sheet, a.basis, a.at_ms, a.user, a.host, a.because FROM accepted_findings a
         CROSS JOIN services s ON s.id = a.service_id WHERE a.id = ?1",
    )?;
    let text = statement.query_row([id], |row| {
        let text = |index: usize| row.get::<Option<String>>(index);
        let at_ms: i64 = row.get(5)?;
        let of = [text(0)?, text(1)?, text(2)?, text(3)?, text(4)?];
        Ok(json!(["accepted finding", of, at_ms, text(6)?, text(7)?, text(8)?]).to_string())
    });
    Ok(text?)
}

fn dismissal_text(connection: &Connection, id: i64) -> Result<String, LedgerError> {
    let mut statement = connection.prepare_cached(
        "SELECT s.origin, d.number, d.run_id, d.cells, d.at_ms, d.user, d.host, d.because FROM dismissals d
         CROSS JOIN services s ON s.id = d.service_id WHERE d.id = ?1",
    )?;
    let text = statement.query_row([id], |row| {
        let text = |index: usize| row.get::<String>(index);
        let (run, at_ms): (i64, i64) = (row.get(2)?, row.get(4)?);
        let cells = row.get::<Option<[u8; 32]>>(3)?.map(|cells| hex(&cells));
        Ok(json!(["dismissed", text(0)?, text(1)?, run, cells, at_ms, text(5)?, text(6)?, text(7)?]).to_string())
    });
    Ok(text?)
}

fn purge_text(connection: &Connection, id: i64) -> Result<String, LedgerError> {
    let mut statement = connection
        .prepare_cached("SELECT at_ms, user, host, before_ms, orders, requests, digest FROM purges WHERE id = ?1")?;
    let text = statement.query_row([id], |row| {
        let number = |index: usize| row.get::<i64>(index);
        let (user, host): (String, String) = (row.get(1)?, row.get(2)?);
        let digest = hex(&row.get::<[u8; 32]>(6)?);
        Ok(json!(["removed", number(0)?, user, host, number(3)?, number(4)?, number(5)?, digest]).to_string())
    });
    Ok(text?)
}

/// The hash of an answer, or what is left of it: the hash that was kept when it was removed.
fn answer_hash(row: &Row<'_>, at: usize) -> db::Result<Option<String>> {
    let answer = row.get_ref(at)?.as_blob_or_null()?.map(|bytes| hex(&Sha256::digest(bytes).into()));
    Ok(answer.or(row.get::<Option<[u8; 32]>>(at + 1)?.map(|hash| hex(&hash))))
}
