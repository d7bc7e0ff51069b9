-- A person's word on two addresses: whether one and the same service answers at both. The latest word on a pair holds; all
-- are kept, and bound into the evidence.
CREATE TABLE address_words (
    id         INTEGER PRIMARY KEY,
    at_ms      INTEGER NOT NULL,
    user       TEXT NOT NULL,
    host       TEXT NOT NULL,
    one        INTEGER NOT NULL REFERENCES services (id),
    other      INTEGER NOT NULL REFERENCES services (id),
    is_same    INTEGER NOT NULL CHECK (is_same IN (0, 1)),
    because    TEXT NOT NULL CHECK (trim(because) <> ''),
    evidence_n INTEGER NOT NULL,
    CONSTRAINT two_addresses CHECK (one < other)
) STRICT;

CREATE TRIGGER address_words_frozen BEFORE UPDATE ON address_words
BEGIN SELECT RAISE(ABORT, 'words on addresses are final'); END;
CREATE TRIGGER address_words_stay BEFORE DELETE ON address_words
BEGIN SELECT RAISE(ABORT, 'words on addresses are never deleted'); END;
CREATE TRIGGER address_words_once BEFORE INSERT ON address_words
WHEN EXISTS (SELECT 1 FROM address_words WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'words on addresses are final'); END;

-- The word that holds for each pair of addresses.
CREATE VIEW address_pairs AS
SELECT w.one, w.other, w.is_same FROM address_words w
WHERE NOT EXISTS (SELECT 1 FROM address_words l WHERE l.one = w.one AND l.other = w.other AND l.id > w.id);

-- All addresses of one service, for each address (`origin`, with the id `asked`): itself, and those that were said to be the
-- same, also by way of others. Whatever looks orders up by their service's address looks here.
CREATE VIEW same_service AS
WITH RECURSIVE reached (asked, id) AS (
    SELECT id, id FROM services
    UNION
    SELECT r.asked, iif(p.one = r.id, p.other, p.one) FROM reached r JOIN address_pairs p ON r.id = p.one OR r.id = p.other
    WHERE p.is_same = 1)
SELECT s.origin, r.asked, r.id, r.asked = r.id AS is_own FROM reached r JOIN services s ON s.id = r.asked;

-- What must never be sent under one address is not sent under another either. The first condition costs next to nothing
-- where no two addresses were ever spoken of.
CREATE TRIGGER orders_sent_at_one_address BEFORE UPDATE OF state ON orders
WHEN NEW.state = 'sending' AND OLD.state <> 'sending' AND EXISTS (SELECT 1 FROM address_words) AND EXISTS (
    SELECT 1 FROM same_service s CROSS JOIN orders o ON o.service_id = s.id AND o.number = NEW.number
    WHERE s.asked = NEW.service_id AND o.id <> NEW.id
        AND (o.state = 'booked' OR o.state = 'sending' OR o.state = 'in_doubt' OR o.state = 'abandoned'))
BEGIN SELECT RAISE(ABORT, 'the same service has this order at another address'); END;

-- The rule of what a link speaks of takes in a fourth kind: a table's CHECKs change only with the table.
DROP TRIGGER evidence_grows;
DROP TRIGGER evidence_frozen;
DROP TRIGGER evidence_stay;
ALTER TABLE evidence RENAME TO evidence_before;
CREATE TABLE evidence (
    n               INTEGER PRIMARY KEY CHECK (n > 0),
    attempt_id      INTEGER REFERENCES attempts (id),
    decision_id     INTEGER REFERENCES decisions (id),
    acceptance_id   INTEGER REFERENCES acceptances (id),
    address_word_id INTEGER REFERENCES address_words (id),
    hash            BLOB NOT NULL CHECK (length(hash) = 32),
    CONSTRAINT evidence_of_one CHECK ((attempt_id IS NOT NULL) + (decision_id IS NOT NULL)
        + (acceptance_id IS NOT NULL) + (address_word_id IS NOT NULL) = 1)
) STRICT;
INSERT INTO evidence (n, attempt_id, decision_id, acceptance_id, hash)
    SELECT n, attempt_id, decision_id, acceptance_id, hash FROM evidence_before ORDER BY n;
DROP TABLE evidence_before;

CREATE TRIGGER evidence_grows BEFORE INSERT ON evidence
WHEN NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM evidence)
    OR NEW.n IS NOT CASE
        WHEN NEW.attempt_id IS NOT NULL THEN (SELECT evidence_n FROM attempts WHERE id = NEW.attempt_id)
        WHEN NEW.decision_id IS NOT NULL THEN (SELECT evidence_n FROM decisions WHERE id = NEW.decision_id)
        WHEN NEW.acceptance_id IS NOT NULL THEN (SELECT evidence_n FROM acceptances WHERE id = NEW.acceptance_id)
        ELSE (SELECT evidence_n FROM address_words WHERE id = NEW.address_word_id) END
BEGIN SELECT RAISE(ABORT, 'evidence only grows, one by one'); END;
CREATE TRIGGER evidence_frozen BEFORE UPDATE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
CREATE TRIGGER evidence_stay BEFORE DELETE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
