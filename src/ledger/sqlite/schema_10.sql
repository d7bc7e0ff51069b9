-- Answers that came to light after their attempt had been closed as in doubt: kept beside the ledger when it could not take
-- them, or given to a process whose lock was lost. Each belongs to one attempt, and is bound into the evidence.
CREATE TABLE late_answers (
    id          INTEGER PRIMARY KEY,
    attempt_id  INTEGER NOT NULL UNIQUE REFERENCES attempts (id),
    -- When the answer came, and when it was taken up.
    answered_ms INTEGER NOT NULL,
    at_ms       INTEGER NOT NULL,
    outcome     TEXT NOT NULL CHECK (outcome IN ('booked', 'rejected', 'refused', 'waiting', 'in_doubt')),
    status      INTEGER,
    awb         TEXT,
    service_order_id TEXT,
    carrier     TEXT,
    service_level TEXT,
    old_answer  INTEGER NOT NULL CHECK (old_answer IN (0, 1)),
    reason      TEXT,
    answer      BLOB CHECK (length(answer) <= 65536),
    answer_bytes INTEGER,
    evidence_n  INTEGER NOT NULL,
    CONSTRAINT late_booking_has_awb CHECK (outcome <> 'booked' OR trim(awb) <> '')
) STRICT;

CREATE TRIGGER late_answers_begin BEFORE INSERT ON late_answers
WHEN NOT EXISTS (SELECT 1 FROM attempts WHERE id = NEW.attempt_id AND outcome = 'in_doubt')
    OR EXISTS (SELECT 1 FROM late_answers WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'a late answer belongs to an attempt that is in doubt'); END;
CREATE TRIGGER late_answers_frozen BEFORE UPDATE ON late_answers
BEGIN SELECT RAISE(ABORT, 'late answers are final'); END;
CREATE TRIGGER late_answers_stay BEFORE DELETE ON late_answers
BEGIN SELECT RAISE(ABORT, 'late answers are never deleted'); END;

-- What a link speaks of takes in another kind: a table's CHECKs change only with the table.
DROP TRIGGER evidence_grows;
DROP TRIGGER evidence_frozen;
DROP TRIGGER evidence_stay;
ALTER TABLE evidence RENAME TO evidence_before;
CREATE TABLE evidence (
    n             INTEGER PRIMARY KEY CHECK (n > 0),
    attempt_id    INTEGER REFERENCES attempts (id),
    decision_id   INTEGER REFERENCES decisions (id),
    acceptance_id INTEGER REFERENCES acceptances (id),
    address_word_id INTEGER REFERENCES address_words (id),
    late_answer_id INTEGER REFERENCES late_answers (id),
    hash          BLOB NOT NULL CHECK (length(hash) = 32),
    CONSTRAINT evidence_of_one CHECK ((attempt_id IS NOT NULL) + (decision_id IS NOT NULL)
        + (acceptance_id IS NOT NULL) + (address_word_id IS NOT NULL) + (late_answer_id IS NOT NULL) = 1)
) STRICT;
INSERT INTO evidence (n, attempt_id, decision_id, acceptance_id, address_word_id, hash)
    SELECT n, attempt_id, decision_id, acceptance_id, address_word_id, hash FROM evidence_before ORDER BY n;
DROP TABLE evidence_before;

CREATE TRIGGER evidence_grows BEFORE INSERT ON evidence
WHEN NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM evidence)
    OR NEW.n IS NOT CASE
        WHEN NEW.attempt_id IS NOT NULL THEN (SELECT evidence_n FROM attempts WHERE id = NEW.attempt_id)
        WHEN NEW.decision_id IS NOT NULL THEN (SELECT evidence_n FROM decisions WHERE id = NEW.decision_id)
        WHEN NEW.address_word_id IS NOT NULL THEN (SELECT evidence_n FROM address_words WHERE id = NEW.address_word_id)
        WHEN NEW.late_answer_id IS NOT NULL THEN (SELECT evidence_n FROM late_answers WHERE id = NEW.late_answer_id)
        ELSE (SELECT evidence_n FROM acceptances WHERE id = NEW.acceptance_id) END
BEGIN SELECT RAISE(ABORT, 'evidence only grows, one by one'); END;
CREATE TRIGGER evidence_frozen BEFORE UPDATE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
CREATE TRIGGER evidence_stay BEFORE DELETE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;

-- The guards of an order's steps, with the ways that a late answer opens: out of `in_doubt` wherever it leads, and to
-- `booked` from wherever the order was taken meanwhile, because an answer proves it; or to `in_doubt`, where it says that
-- there may be a booking.
DROP TRIGGER orders_step;
CREATE TRIGGER orders_step BEFORE UPDATE ON orders
BEGIN
    SELECT CASE
    WHEN NEW.id IS NOT OLD.id OR NEW.service_id IS NOT OLD.service_id OR NEW.number IS NOT OLD.number
        OR NEW.created_ms IS NOT OLD.created_ms
    THEN RAISE(ABORT, 'the identity of an order never changes')

    -- What leaves `sending` leaves with an answer that says so.
    WHEN OLD.state = 'sending' AND NEW.state <> OLD.state AND NOT EXISTS (
        SELECT 1 FROM attempts
        WHERE order_id = OLD.id AND n = OLD.attempts AND outcome = NEW.state
            AND (NEW.state <> 'booked' OR awb = NEW.awb))
    THEN RAISE(ABORT, 'the attempt has no such answer')

    -- What leaves `in_doubt` leaves by a person's word on this very attempt, or by its answer, however late.
    WHEN OLD.state = 'in_doubt' AND NEW.state <> OLD.state AND NOT EXISTS (
        SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
        WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts
            AND d.verb = CASE NEW.state WHEN 'staged' THEN 'not-booked' ELSE NEW.state END
            AND (NEW.state <> 'booked' OR d.awb = NEW.awb))
        AND NOT EXISTS (
        SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
        WHERE a.order_id = OLD.id AND l.outcome = NEW.state
            AND ((NEW.state = 'booked' AND l.awb = NEW.awb) OR (NEW.state <> 'booked' AND a.n = OLD.attempts)))
    THEN RAISE(ABORT, 'an order in doubt needs a decision')

    WHEN NEW.state <> OLD.state AND NOT CASE OLD.state
        WHEN 'staged'    THEN NEW.state = 'sending' OR NEW.state = 'abandoned' OR NEW.state = 'booked'
            OR NEW.state = 'in_doubt'
        WHEN 'waiting'   THEN NEW.state = 'sending' OR NEW.state = 'staged' OR NEW.state = 'abandoned'
            OR NEW.state = 'booked' OR NEW.state = 'in_doubt'
        WHEN 'sending'   THEN NEW.state = 'booked' OR NEW.state = 'rejected' OR NEW.state = 'refused'
            OR NEW.state = 'waiting' OR NEW.state = 'in_doubt'
        WHEN 'in_doubt'  THEN NEW.state = 'booked' OR NEW.state = 'staged' OR NEW.state = 'abandoned'
            OR NEW.state = 'rejected' OR NEW.state = 'refused' OR NEW.state = 'waiting'
        WHEN 'rejected'  THEN NEW.state = 'staged' OR NEW.state = 'abandoned' OR NEW.state = 'booked'
            OR NEW.state = 'in_doubt'
        WHEN 'refused'   THEN NEW.state = 'staged' OR NEW.state = 'abandoned' OR NEW.state = 'booked'
            OR NEW.state = 'in_doubt'
        WHEN 'abandoned' THEN NEW.state = 'staged' OR NEW.state = 'booked'
        ELSE 0 END
    THEN RAISE(ABORT, 'no way leads from this state to that one')

    WHEN OLD.state = 'booked' THEN RAISE(ABORT, 'a booked order never changes')

    -- Beside its own answer and a person's word, only an answer that came late books an order.
    WHEN NEW.state = 'booked' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt' AND NOT EXISTS (
        SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
        WHERE a.order_id = OLD.id AND l.outcome = 'booked' AND l.awb = NEW.awb)
    THEN RAISE(ABORT, 'no late answer books this order')

    -- The same answer with a shipment that another order has: what could be sent is in doubt.
    WHEN NEW.state = 'in_doubt' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt' AND NOT EXISTS (
        SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
        WHERE a.order_id = OLD.id AND (l.outcome = 'booked' OR l.outcome = 'in_doubt'))
    THEN RAISE(ABORT, 'no late answer puts this order in doubt')

    WHEN NEW.attempts IS NOT OLD.attempts + (NEW.state = 'sending' AND OLD.state <> 'sending')
    THEN RAISE(ABORT, 'each sending is one attempt more')

    -- What failed is sent again because a person asked, or with a corrected request.
    WHEN (OLD.state = 'rejected' OR OLD.state = 'refused') AND NEW.state = 'staged'
        AND NEW.request_id = OLD.request_id
        AND NOT EXISTS (
            SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'retry')
    THEN RAISE(ABORT, 'a retry needs a decision or a corrected request')

    -- What was given up may have been booked: only a later word brings it back, never a corrected row.
    WHEN OLD.state = 'abandoned' AND NEW.state = 'staged' AND NOT EXISTS (
        SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'not-booked' AND d.id > (
            SELECT max(id) FROM decisions WHERE order_id = OLD.id AND verb = 'abandoned'))
    THEN RAISE(ABORT, 'only a decision brings an abandoned order back')

    WHEN NEW.state = 'abandoned'
        AND (OLD.state = 'staged' OR OLD.state = 'waiting' OR OLD.state = 'rejected' OR OLD.state = 'refused')
        AND NOT EXISTS (
            SELECT 1 FROM decisions d LEFT JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND d.verb = 'abandoned' AND coalesce(a.n, 0) = OLD.attempts)
    THEN RAISE(ABORT, 'only a decision gives an order up')

    WHEN NEW.request_id <> OLD.request_id AND (
        NOT (NEW.state = 'staged' OR NEW.state = 'waiting') OR OLD.state = 'sending' OR OLD.state = 'in_doubt'
        OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request_id AND order_id = OLD.id))
    THEN RAISE(ABORT, 'only an order that may be sent takes another request of its own')
    END;
END;

-- Addresses at which one service may answer, for each address (`asked`): all but those that were said to be another
-- service, and the stand-in. An AWB is one shipment at all of them.
CREATE VIEW may_be_same_service AS
SELECT a.id AS asked, b.id AS id FROM services a CROSS JOIN services b
WHERE a.id = b.id OR (a.origin <> 'sandbox' AND b.origin <> 'sandbox' AND NOT EXISTS (
    SELECT 1 FROM address_pairs p CROSS JOIN same_service ours CROSS JOIN same_service theirs
    WHERE p.is_same = 0 AND ours.asked = a.id AND theirs.asked = b.id
        AND p.one = min(ours.id, theirs.id) AND p.other = max(ours.id, theirs.id)));
