//! Evidence: every answered attempt, late answer, source of revisions and decision of a person, each bound to the one before by its
//! hash.
//!
//! A link's hash is the SHA-256 of the link before (64 hexadecimal digits), a line end, and the link's text: a JSON
//! array of everything that is known of what it binds, as [`Bound`] says. Whoever alters one record later breaks every link
//! behind it; and the newest link is also noted outside the ledger, so that the end cannot be cut off unseen.
//!
//! A removal takes the words of answers away, so that the text of their links is another one than was bound. Its own link binds
//! a digest of all of these: number, hash and remaining text of each. They hold as long as that digest does.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::db::{self, Connection, OptionalExtension, Row, Value, params};
use super::error::LedgerError;
use super::open::Ledger;
use crate::text::hex;

/// The end of the chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chain {
    pub(super) n: i64,
    pub(super) hash: [u8; 32],
}

/// The kind of row that a link binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Attempt,
    LateAnswer,
    Source,
    Decision,
}

/// How the text of a link is made.
struct Bound {
    /// The first word of the text.
    word: &'static str,
    /// The order of the text's values: `v` a value, `b` a truth value, `a` an answer by its hash (two columns: what is kept of it,
    /// and the hash that a removal left), `[` and `]` a list; behind `?` values that are left out where the first of them is null.
    form: &'static str,
    /// The values of a row.
    values: &'static str,
}

const ATTEMPT: Bound = Bound {
    word: "attempt",
    form: "vvvvvvvvvvvvva",
    values:
        "SELECT s.origin, o.number, a.n, q.sha256, a.run_id, a.intent_ms, a.answered_ms, a.outcome, a.status, a.awb,
        a.service_order_id, a.reason, a.answer_bytes, a.answer, a.answer_sha256
     FROM attempts a CROSS JOIN orders o ON o.id = a.order_id CROSS JOIN services s ON s.id = o.service_id
     CROSS JOIN requests q ON q.id = a.request_id WHERE a.id = ?1",
};

const LATE_ANSWER: Bound = Bound {
    word: "late answer",
    form: "vvvvvvvvvvvvvva",
    values: "SELECT s.origin, o.number, a.n, l.answered_ms, l.at_ms, l.outcome, l.status, l.awb, l.service_order_id,
        l.carrier, l.service_level, l.old_answer, l.reason, l.answer_bytes, l.answer, l.answer_sha256
     FROM late_answers l CROSS JOIN attempts a ON a.id = l.attempt_id CROSS JOIN orders o ON o.id = a.order_id
     CROSS JOIN services s ON s.id = o.service_id WHERE l.id = ?1",
};

const SOURCE: Bound = Bound {
    word: "source",
    form: "vvvvvvvv",
    values: "SELECT s.origin, c.kind, c.run_id, c.at_ms, c.user, c.host, c.revisions, c.digest
     FROM sources c CROSS JOIN services s ON s.id = c.service_id WHERE c.id = ?1",
};

/// The texts of decisions, by what these say. Each is what it was before all of them stood in one table: hashes hold for good.
fn decided(verb: &str) -> Option<Bound> {
    Some(match verb {
        "booked" | "not-booked" | "abandoned" | "retry" => Bound {
            word: "decision",
            form: "vvvvvvvvv",
            values: "SELECT s.origin, o.number, a.n, d.at_ms, d.user, d.host, d.verb,
                CASE d.verb WHEN 'booked' THEN d.awb END, d.because
             FROM decisions d CROSS JOIN orders o ON o.id = d.order_id CROSS JOIN services s ON s.id = o.service_id
             LEFT JOIN attempts a ON a.id = d.attempt_id WHERE d.id = ?1",
        },
        // What was accepted before homes were noted has none.
        "accept-ledger" => Bound {
            word: "acceptance",
            form: "vvvvvv?vvv",
            values: "SELECT d.at_ms, d.user, d.host, d.because, d.attempts_noted, d.attempts_found, h.path, h.inode, h.born_ns
             FROM decisions d LEFT JOIN homes h ON h.acceptance_id = d.id WHERE d.id = ?1 ORDER BY h.id LIMIT 1",
        },
        "same-service" | "other-service" => Bound {
            word: "addresses",
            form: "vvvvvvb",
            values: "SELECT d.at_ms, d.user, d.host, d.because, a.origin, b.origin, d.verb = 'same-service'
             FROM decisions d CROSS JOIN services a ON a.id = d.service_id CROSS JOIN services b ON b.id = d.other_id
             WHERE d.id = ?1",
        },
        "accept-finding" => Bound {
            word: "accepted finding",
            form: "[vvvvv]vvvv",
            values: "SELECT s.origin, d.rule, d.number, d.sheet, d.basis, d.at_ms, d.user, d.host, d.because
             FROM decisions d CROSS JOIN services s ON s.id = d.service_id WHERE d.id = ?1",
        },
        "dismiss" => Bound {
            word: "dismissed",
            form: "vvvvvvvv",
            values: "SELECT s.origin, d.number, d.run_id, d.cells, d.at_ms, d.user, d.host, d.because
             FROM decisions d CROSS JOIN services s ON s.id = d.service_id WHERE d.id = ?1",
        },
        "forget-statement" => Bound {
            word: "forgotten statement",
            form: "vvvvvv",
            values: "SELECT t.name, t.sha256, d.at_ms, d.user, d.host, d.because
             FROM decisions d CROSS JOIN statements t ON t.source_id = d.statement_id WHERE d.id = ?1",
        },
        "remove" => Bound {
            word: "removed",
            form: "vvvvvvv",
            values: "SELECT at_ms, user, host, before_ms, orders, requests, digest FROM decisions WHERE id = ?1",
        },
        _ => return None,
    })
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Attempt, Self::LateAnswer, Self::Source, Self::Decision];

    /// The word of the kind, as links have it, and the table of the rows that they bind.
    pub(super) const fn word_and_table(self) -> (&'static str, &'static str) {
        match self {
            Self::Attempt => (ATTEMPT.word, "attempts"),
            Self::LateAnswer => (LATE_ANSWER.word, "late_answers"),
            Self::Source => (SOURCE.word, "sources"),
            Self::Decision => ("decision", "decisions"),
        }
    }

    fn of_word(word: &str) -> Result<Self, LedgerError> {
        let kind = Self::ALL.into_iter().find(|kind| kind.word_and_table().0 == word);
        kind.ok_or_else(|| LedgerError::Damaged(format!("\"{word}\" is no kind of evidence")))
    }

    /// How the text of a row's link is made.
    fn bound(self, connection: &Connection, id: i64) -> Result<Bound, LedgerError> {
        match self {
            Self::Attempt => Ok(ATTEMPT),
            Self::LateAnswer => Ok(LATE_ANSWER),
            Self::Source => Ok(SOURCE),
            Self::Decision => {
                let mut statement = connection.prepare_cached("SELECT verb FROM decisions WHERE id = ?1")?;
                let verb: String = statement.query_row([id], |row| row.get(0))?;
                decided(&verb).ok_or_else(|| LedgerError::Damaged(format!("\"{verb}\" is no decision")))
            }
        }
    }

    /// The text of a link of a row.
    fn text(self, connection: &Connection, id: i64) -> Result<String, LedgerError> {
        let Bound { word, form, values } = self.bound(connection, id)?;
        let mut statement = connection.prepare_cached(values)?;
        Ok(statement.query_row([id], |row| text(word, form, |at| row.get_ref(at)))?)
    }

    /// The removal that took the words of an answer away, if one did.
    fn purged_by(self, connection: &Connection, id: i64) -> Result<Option<i64>, LedgerError> {
        if matches!(self, Self::Source | Self::Decision) {
            return Ok(None);
        }
        let sql = format!("SELECT purge_id FROM {} WHERE id = ?1", self.word_and_table().1);
        Ok(connection.prepare_cached(&sql)?.query_row([id], |row| row.get(0))?)
    }
}

/// The text of a link: its word, and values by their form.
fn text<'v>(word: &str, form: &str, value: impl Fn(usize) -> db::Result<Value<'v>>) -> db::Result<String> {
    let mut lists = vec![vec![Json::from(word)]];
    let mut at = 0;
    for sign in form.chars() {
        let value_at = |at| value(at).map(json);
        let said = match sign {
            '[' => {
                lists.push(Vec::new());
                continue;
            }
            ']' => lists.pop().map(Json::from).unwrap_or_default(),
            '?' if matches!(value(at)?, Value::Null) => break,
            '?' => continue,
            'b' => Json::from(!matches!(value(at)?, Value::Int(0))),
            'a' => match value(at)?.as_blob_or_null()? {
                Some(answer) => Json::from(hex(&Sha256::digest(answer).into())),
                None => value_at(at + 1)?,
            },
            _ => value_at(at)?,
        };
        at += usize::from(sign != ']');
        if let Some(list) = lists.last_mut() {
            list.push(said);
        }
    }
    Ok(lists.pop().map(Json::from).unwrap_or_default().to_string())
}

/// A value as texts of links have it: bytes in hexadecimal digits.
fn json(value: Value<'_>) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Int(number) => number.into(),
        Value::Real(number) => number.into(),
        Value::Text(text) => text.into(),
        Value::Blob(bytes) => bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}")).into(),
    }
}

/// One link, with all that is needed to compute its hash again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EvidenceRecord {
    /// Its place in the ledger's chain, from 1.
    #[schemars(range(min = 0))]
    pub n: i64,
    /// The hash of the link before, in hexadecimal digits.
    pub after: String,
    /// The statement that it binds: JSON as text.
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

    /// Binds a row that is written already and names [`Chain::next`].
    pub(super) fn bind(&mut self, connection: &Connection, kind: Kind, id: i64) -> Result<(), LedgerError> {
        let text = kind.text(connection, id)?;
        *self = Self { n: self.next(), hash: link(&self.hash, &text) };
        connection
            .prepare_cached("INSERT INTO evidence (n, kind, subject, hash) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![self.n, kind.word_and_table().0, id, self.hash])?;
        Ok(())
    }

    /// The first link that does not hold, if there is one; and how many were read.
    pub(super) fn verify(connection: &Connection) -> Result<(Option<i64>, u64), LedgerError> {
        let mut statement = connection.prepare("SELECT n, hash, kind, subject FROM evidence ORDER BY n")?;
        let mut rows = statement.query(())?;
        let mut chain = Self::EMPTY;
        let (mut links, mut vouched) = (0, BTreeMap::<i64, (i64, Sha256)>::new());
        while let Some(row) = &rows.next()? {
            let (n, hash): (i64, [u8; 32]) = (row.get(0)?, row.get(1)?);
            let (kind, id) = subject(row, 2)?;
            let text = kind.text(connection, id)?;
            let purge = kind.purged_by(connection, id)?;
            if let Some(purge) = purge {
                vouch(&mut vouched.entry(purge).or_insert_with(|| (n, Sha256::new())).1, n, &hash, &text);
            }
            let mut holds = n == chain.next() && (purge.is_some() || hash == link(&chain.hash, &text));
            if kind == Kind::Decision
                && let Some(digest) = digest_of(connection, id)?
            {
                let (_, found) = vouched.remove(&id).unwrap_or_default();
                holds &= digest == <[u8; 32]>::from(found.finalize());
            }
            if kind == Kind::Source {
                holds &= is_vouched_for(connection, id)?;
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
        let mut statement = connection.prepare(
            "SELECT n, hash, kind, subject FROM evidence WHERE n IN (SELECT evidence_n FROM attempts WHERE purge_id = ?1
                UNION ALL SELECT evidence_n FROM late_answers WHERE purge_id = ?1) ORDER BY n",
        )?;
        let mut rows = statement.query([purge])?;
        let mut digest = Sha256::new();
        while let Some(row) = &rows.next()? {
            let (hash, (kind, id)): ([u8; 32], _) = (row.get(1)?, subject(row, 2)?);
            vouch(&mut digest, row.get(0)?, &hash, &kind.text(connection, id)?);
        }
        Ok(digest.finalize().into())
    }
}

#[cfg(test)]
impl Chain {
    /// Binds everything anew but for sources, as a layout did that had none; without guards.
    pub(super) fn bind_without_sources(connection: &Connection) -> Result<(), LedgerError> {
        let mut statement = connection.prepare("SELECT kind, subject FROM evidence ORDER BY n")?;
        let links = statement.query_map((), |row| Ok((row.get::<String>(0)?, row.get(1)?)))?;
        let links: Vec<(String, i64)> = links.collect::<Result<_, _>>()?;
        connection.execute_batch("DELETE FROM evidence; UPDATE sources SET evidence_n = NULL")?;
        let mut chain = Self::EMPTY;
        for (word, id) in links {
            let kind = Kind::of_word(&word)?;
            if kind == Kind::Source {
                continue;
            }
            let numbered =
                format!("UPDATE {} SET evidence_n = {} WHERE id = {id}", kind.word_and_table().1, chain.next());
            connection.execute_batch(&numbered)?;
            if kind == Kind::Decision && digest_of(connection, id)?.is_some() {
                let digest = Self::digest(connection, id)?;
                connection.execute("UPDATE decisions SET digest = ?2 WHERE id = ?1", params![id, digest])?;
            }
            chain.bind(connection, kind, id)?;
        }
        Ok(())
    }
}

#[cfg(feature = "postgres")]
impl Chain {
    /// The next link, of an attempt with these values, as [`ATTEMPT`] has them; written by whoever asks.
    pub(super) fn linked(&mut self, attempt: &[Value<'_>]) -> Result<(), LedgerError> {
        let Bound { word, form, .. } = ATTEMPT;
        let text = text(word, form, |at| Ok(attempt.get(at).copied().unwrap_or(Value::Null)))?;
        *self = Self { n: self.next(), hash: link(&self.hash, &text) };
        Ok(())
    }
}

/// The row that a link binds, by kind and id.
fn subject(row: &Row<'_>, at: usize) -> Result<(Kind, i64), LedgerError> {
    Ok((Kind::of_word(row.get_ref(at)?.as_str()?)?, row.get(at + 1)?))
}

/// Takes a link into the digest of a removal.
fn vouch(digest: &mut Sha256, n: i64, hash: &[u8; 32], text: &str) {
    digest.update(format!("{n} {} {text}\n", hex(hash)));
}

/// Takes a revision into the digest of its source.
pub(super) fn take_revision(
    digest: &mut Sha256,
    number: &str,
    verdict: &str,
    (hold, request): (Option<&str>, Option<[u8; 32]>),
    (rows, rule, sheet): (Option<&str>, Option<&str>, Option<[u8; 32]>),
) {
    let of = |hash: Option<[u8; 32]>| hash.map_or(Json::Null, |hash| hex(&hash).into());
    let line =
        Json::from(vec![number.into(), verdict.into(), hold.into(), of(request), rows.into(), rule.into(), of(sheet)]);
    digest.update(line.to_string());
    digest.update(b"\n");
}

/// Takes a courier's statement into the digest of its source.
pub(super) fn take_statement(digest: &mut Sha256, name: &str, sha256: [u8; 32], content: &str) {
    digest.update(Json::from(vec![name, &hex(&sha256), content]).to_string());
    digest.update(b"\n");
}

/// Takes the orders that an open sheet begins to keep back into the digest of its source.
pub(super) fn take_draft(digest: &mut Sha256, draft: &str, numbers: &BTreeSet<&str>) {
    digest.update(Json::from(vec![Json::from(draft), numbers.iter().copied().collect()]).to_string());
    digest.update(b"\n");
}

/// Whether what a source said is what its row vouches for. What an open sheet said goes with it, and only its row stays.
fn is_vouched_for(connection: &Connection, source: i64) -> Result<bool, LedgerError> {
    let mut of_draft =
        connection.prepare_cached("SELECT 1 FROM sources WHERE id = ?1 AND kind = 'draft' AND revisions = 0")?;
    if of_draft.exists([source])? {
        return Ok(true);
    }
    let mut statement = connection.prepare_cached(
        "SELECT o.number, v.verdict, v.hold, q.sha256, v.rows, v.rule, v.sheet FROM revisions v
         CROSS JOIN orders o ON o.id = v.order_id LEFT JOIN requests q ON q.id = v.request_id
         WHERE v.source_id = ?1 ORDER BY v.id",
    )?;
    let (mut digest, mut revisions) = (Sha256::new(), 0);
    let mut of_courier =
        connection.prepare_cached("SELECT name, sha256, content FROM statements WHERE source_id = ?1")?;
    let of_courier = of_courier
        .query_row([source], |row| Ok((row.get::<String>(0)?, row.get(1)?, row.get::<String>(2)?)))
        .optional()?;
    if let Some((name, sha256, content)) = of_courier {
        take_statement(&mut digest, &name, sha256, &content);
    }
    let mut rows = statement.query([source])?;
    while let Some(row) = &rows.next()? {
        let (number, verdict): (String, String) = (row.get(0)?, row.get(1)?);
        let (hold, at, rule): (Option<String>, Option<String>, Option<String>) =
            (row.get(2)?, row.get(4)?, row.get(5)?);
        let told = (at.as_deref(), rule.as_deref(), row.get(6)?);
        take_revision(&mut digest, &number, &verdict, (hold.as_deref(), row.get(3)?), told);
        revisions += 1;
    }
    let digest: [u8; 32] = digest.finalize().into();
    let mut statement = connection.prepare_cached("SELECT revisions, digest FROM sources WHERE id = ?1")?;
    let vouched: (i64, [u8; 32]) = statement.query_row([source], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(vouched == (revisions, digest))
}

/// The digest of a decision that is a removal.
fn digest_of(connection: &Connection, decision: i64) -> Result<Option<[u8; 32]>, LedgerError> {
    let mut statement = connection.prepare_cached("SELECT digest FROM decisions WHERE id = ?1")?;
    Ok(statement.query_row([decision], |row| row.get(0))?)
}

impl Ledger {
    /// The links of an order number, oldest first: what a billing dispute needs.
    pub fn evidence(&self, number: &str) -> Result<Vec<EvidenceRecord>, LedgerError> {
        let mut statement = self.connection.prepare(
            "SELECT e.n, e.hash, coalesce((SELECT hash FROM evidence WHERE n = e.n - 1), zeroblob(32)),
                CASE e.kind WHEN 'attempt' THEN (SELECT answer FROM attempts WHERE id = e.subject)
                    WHEN 'late answer' THEN (SELECT answer FROM late_answers WHERE id = e.subject) END, e.kind, e.subject
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
                SELECT c.evidence_n FROM services s CROSS JOIN orders o ON o.service_id = s.id
                JOIN revisions v ON v.order_id = o.id JOIN sources c ON c.id = v.source_id WHERE o.number = ?1
                UNION ALL
                SELECT evidence_n FROM decisions WHERE number = ?1)
             ORDER BY e.n",
        )?;
        let mut rows = statement.query([number])?;
        let mut links = Vec::new();
        while let Some(row) = &rows.next()? {
            let answer: Option<Vec<u8>> = row.get(3)?;
            let (kind, id) = subject(row, 4)?;
            links.push(EvidenceRecord {
                n: row.get(0)?,
                after: hex(&row.get::<[u8; 32]>(2)?),
                text: kind.text(&self.connection, id)?,
                hash: hex(&row.get::<[u8; 32]>(1)?),
                answer: answer.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            });
        }
        Ok(links)
    }
}

fn link(after: &[u8; 32], text: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(hex(after));
    hash.update(b"\n");
    hash.update(text);
    hash.finalize().into()
}
