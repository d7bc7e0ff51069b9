-- Years of upkeep: invalid rows that nobody will mend, labels that were printed, what couriers charged, where sheets were, and
-- removing what is personal. All is append-only but for that removal, which happens once and is told.

-- Which cells an order that stayed behind was made of: a hash of them. Rows from before have none.
ALTER TABLE run_invalid ADD COLUMN cells BLOB CHECK (length(cells) = 32);
CREATE INDEX run_invalid_by_number ON run_invalid (number) WHERE number IS NOT NULL;

-- Orders of a run that stayed behind and were dismissed. They are not among the invalid ones.
ALTER TABLE run_tallies ADD COLUMN dismissed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run_ends ADD COLUMN dismissed INTEGER NOT NULL DEFAULT 0;

-- A person's word that nobody will mend an order that stayed behind. It holds for the run that it names, and wherever the
-- order has the very same cells. All are kept, and bound into the evidence.
CREATE TABLE dismissals (
    id         INTEGER PRIMARY KEY,
    at_ms      INTEGER NOT NULL,
    user       TEXT NOT NULL,
    host       TEXT NOT NULL,
    service_id INTEGER NOT NULL REFERENCES services (id),
    number     TEXT NOT NULL CHECK (number <> ''),
    run_id     INTEGER NOT NULL REFERENCES runs (id),
    cells      BLOB CHECK (length(cells) = 32),
    because    TEXT NOT NULL CHECK (trim(because) <> ''),
    evidence_n INTEGER NOT NULL
) STRICT;
CREATE INDEX dismissals_by_number ON dismissals (number);

-- What stayed behind and was dismissed.
CREATE VIEW dismissed_rows AS
    SELECT i.run_id, i.n, i.number FROM run_invalid i WHERE EXISTS (
        SELECT 1 FROM dismissals d CROSS JOIN runs u ON u.id = i.run_id
        CROSS JOIN same_service s ON s.asked = d.service_id AND s.id = u.service_id
        WHERE d.number = i.number AND (d.run_id = i.run_id OR d.cells = i.cells));

CREATE TRIGGER dismissals_frozen BEFORE UPDATE ON dismissals
BEGIN SELECT RAISE(ABORT, 'dismissals are final'); END;
CREATE TRIGGER dismissals_stay BEFORE DELETE ON dismissals
BEGIN SELECT RAISE(ABORT, 'dismissals are never deleted'); END;
CREATE TRIGGER dismissals_once BEFORE INSERT ON dismissals WHEN EXISTS (SELECT 1 FROM dismissals WHERE id = NEW.id)
    OR NOT EXISTS (SELECT 1 FROM run_invalid WHERE run_id = NEW.run_id AND number = NEW.number AND cells IS NEW.cells)
BEGIN SELECT RAISE(ABORT, 'a dismissal is final, and of an order that stayed behind'); END;

-- Labels that were handed out as a PDF to be printed.
CREATE TABLE label_prints (
    id       INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    at_ms    INTEGER NOT NULL,
    user     TEXT NOT NULL,
    host     TEXT NOT NULL,
    file     TEXT NOT NULL
) STRICT;
CREATE INDEX label_prints_of_order ON label_prints (order_id);
CREATE TRIGGER label_prints_frozen BEFORE UPDATE ON label_prints
BEGIN SELECT RAISE(ABORT, 'what was printed is final'); END;
CREATE TRIGGER label_prints_stay BEFORE DELETE ON label_prints
BEGIN SELECT RAISE(ABORT, 'what was printed is final'); END;

-- What couriers charge for shipments by their statements. Of each order the latest statement counts.
CREATE TABLE freights (
    id        INTEGER PRIMARY KEY,
    order_id  INTEGER NOT NULL REFERENCES orders (id),
    at_ms     INTEGER NOT NULL,
    user      TEXT NOT NULL,
    host      TEXT NOT NULL,
    amount    TEXT NOT NULL CHECK (amount <> ''),
    -- The statement, and the first of its rows.
    statement TEXT NOT NULL,
    sha256    BLOB NOT NULL CHECK (length(sha256) = 32),
    row       INTEGER NOT NULL,
    UNIQUE (order_id, sha256)
) STRICT;
CREATE TRIGGER freights_of_shipments BEFORE INSERT ON freights
WHEN NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND state = 'booked')
    OR EXISTS (SELECT 1 FROM freights WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'only a booked order has a freight, and a freight is final'); END;
CREATE TRIGGER freights_frozen BEFORE UPDATE ON freights
BEGIN SELECT RAISE(ABORT, 'a freight is final'); END;
CREATE TRIGGER freights_stay BEFORE DELETE ON freights
BEGIN SELECT RAISE(ABORT, 'a freight is final'); END;

-- Where the sheets of a run lay, and what they were.
CREATE TABLE run_sheets (
    run_id    INTEGER NOT NULL REFERENCES runs (id),
    n         INTEGER NOT NULL,
    path      TEXT NOT NULL,
    sha256    BLOB NOT NULL CHECK (length(sha256) = 32),
    PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER run_sheets_frozen BEFORE UPDATE ON run_sheets
BEGIN SELECT RAISE(ABORT, 'where sheets lay never changes'); END;
CREATE TRIGGER run_sheets_stay BEFORE DELETE ON run_sheets
BEGIN SELECT RAISE(ABORT, 'where sheets lay never changes'); END;

-- What is open is found without looking through what is over.
CREATE INDEX orders_failed ON orders (id) WHERE state = 'rejected' OR state = 'refused';

-- Each removal of what is personal. Its digest vouches for the links of evidence whose text it took away; see `chain.rs`.
CREATE TABLE purges (
    id         INTEGER PRIMARY KEY,
    at_ms      INTEGER NOT NULL,
    user       TEXT NOT NULL,
    host       TEXT NOT NULL,
    -- What was over before this.
    before_ms  INTEGER NOT NULL,
    orders     INTEGER NOT NULL,
    requests   INTEGER NOT NULL,
    digest     BLOB NOT NULL CHECK (length(digest) = 32),
    evidence_n INTEGER NOT NULL
) STRICT;
CREATE TRIGGER purges_frozen BEFORE UPDATE ON purges
BEGIN SELECT RAISE(ABORT, 'removals are final'); END;
CREATE TRIGGER purges_stay BEFORE DELETE ON purges
BEGIN SELECT RAISE(ABORT, 'removals are never forgotten'); END;
CREATE TRIGGER purges_once BEFORE INSERT ON purges WHEN EXISTS (SELECT 1 FROM purges WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'removals are final'); END;

-- What is left of an answer: its hash. The removal is noted when all of it is done, and checked then.
ALTER TABLE attempts ADD COLUMN answer_sha256 BLOB CHECK (length(answer_sha256) = 32);
ALTER TABLE attempts ADD COLUMN purge_id INTEGER REFERENCES purges (id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE late_answers ADD COLUMN answer_sha256 BLOB CHECK (length(answer_sha256) = 32);
ALTER TABLE late_answers ADD COLUMN purge_id INTEGER REFERENCES purges (id) DEFERRABLE INITIALLY DEFERRED;

-- Orders that are over: only of these anything is removed.
CREATE VIEW orders_over AS
    SELECT o.id FROM orders o WHERE (o.state = 'booked' OR o.state = 'abandoned') AND NOT EXISTS (
        SELECT 1 FROM cancel_requests c WHERE c.order_id = o.id AND (c.outcome IS NULL OR c.outcome = 'unknown')
            AND NOT EXISTS (SELECT 1 FROM cancellations d WHERE d.order_id = o.id));

DROP TRIGGER IF EXISTS attempts_answered_once;
CREATE TRIGGER attempts_answered_once BEFORE UPDATE ON attempts
WHEN OLD.id IS NOT NEW.id OR OLD.order_id IS NOT NEW.order_id OR OLD.n IS NOT NEW.n
    OR OLD.request_id IS NOT NEW.request_id OR OLD.run_id IS NOT NEW.run_id OR OLD.intent_ms IS NOT NEW.intent_ms
    OR NEW.answered_ms IS NULL
    OR CASE WHEN OLD.answered_ms IS NULL THEN NEW.purge_id IS NOT NULL OR NEW.answer_sha256 IS NOT NULL
        ELSE OLD.purge_id IS NOT NULL OR NEW.purge_id IS NULL OR NEW.reason IS NOT NULL OR NEW.answer IS NOT NULL
            OR (NEW.answer_sha256 IS NULL) IS NOT (OLD.answer IS NULL)
            OR NEW.answered_ms IS NOT OLD.answered_ms OR NEW.outcome IS NOT OLD.outcome OR NEW.status IS NOT OLD.status
            OR NEW.awb IS NOT OLD.awb OR NEW.service_order_id IS NOT OLD.service_order_id
            OR NEW.answer_bytes IS NOT OLD.answer_bytes OR NEW.evidence_n IS NOT OLD.evidence_n
            OR NOT EXISTS (SELECT 1 FROM orders_over WHERE id = OLD.order_id) END
BEGIN SELECT RAISE(ABORT, 'an attempt is answered once and keeps what it was'); END;

DROP TRIGGER IF EXISTS late_answers_frozen;
CREATE TRIGGER late_answers_frozen BEFORE UPDATE ON late_answers
WHEN OLD.purge_id IS NOT NULL OR NEW.purge_id IS NULL OR NEW.reason IS NOT NULL OR NEW.answer IS NOT NULL
    OR (NEW.answer_sha256 IS NULL) IS NOT (OLD.answer IS NULL)
    OR NEW.id IS NOT OLD.id OR NEW.attempt_id IS NOT OLD.attempt_id OR NEW.answered_ms IS NOT OLD.answered_ms
    OR NEW.at_ms IS NOT OLD.at_ms OR NEW.outcome IS NOT OLD.outcome OR NEW.status IS NOT OLD.status
    OR NEW.awb IS NOT OLD.awb OR NEW.service_order_id IS NOT OLD.service_order_id OR NEW.carrier IS NOT OLD.carrier
    OR NEW.service_level IS NOT OLD.service_level OR NEW.old_answer IS NOT OLD.old_answer
    OR NEW.answer_bytes IS NOT OLD.answer_bytes OR NEW.evidence_n IS NOT OLD.evidence_n
    OR NOT EXISTS (SELECT 1 FROM attempts a JOIN orders_over o ON o.id = a.order_id WHERE a.id = OLD.attempt_id)
BEGIN SELECT RAISE(ABORT, 'late answers are final'); END;

-- A request whose body was removed has an empty one.
DROP TRIGGER IF EXISTS requests_frozen;
CREATE TRIGGER requests_frozen BEFORE UPDATE ON requests
WHEN length(NEW.body) > 0 OR length(OLD.body) = 0 OR NEW.id IS NOT OLD.id OR NEW.order_id IS NOT OLD.order_id
    OR NEW.sha256 IS NOT OLD.sha256 OR NEW.staged_ms IS NOT OLD.staged_ms OR NEW.created_ms IS NOT OLD.created_ms
    OR NEW.lines IS NOT OLD.lines OR NEW.value IS NOT OLD.value OR NEW.cod IS NOT OLD.cod OR NEW.rows IS NOT OLD.rows
    OR NOT EXISTS (SELECT 1 FROM orders_over WHERE id = OLD.order_id)
BEGIN SELECT RAISE(ABORT, 'requests are frozen'); END;

-- What was found in a cell goes; what rule it broke, and where, stays.
DROP TRIGGER IF EXISTS problems_frozen;
CREATE TRIGGER problems_frozen BEFORE UPDATE ON problems
WHEN NEW.found IS NOT NULL OR NEW.detail IS NOT NULL OR NEW.message <> 'removed' OR NEW.hint <> ''
    OR NEW.run_id IS NOT OLD.run_id OR NEW.n IS NOT OLD.n OR NEW.invalid_n IS NOT OLD.invalid_n OR NEW.code IS NOT OLD.code
    OR NEW.severity IS NOT OLD.severity OR NEW.place IS NOT OLD.place OR NEW.order_number IS NOT OLD.order_number
    OR NEW.field IS NOT OLD.field
BEGIN SELECT RAISE(ABORT, 'what was found never changes'); END;

DROP TRIGGER IF EXISTS cancellations_frozen;
CREATE TRIGGER cancellations_frozen BEFORE UPDATE ON cancellations
WHEN NEW.answer <> '' OR NEW.id IS NOT OLD.id OR NEW.order_id IS NOT OLD.order_id OR NEW.at_ms IS NOT OLD.at_ms
    OR NEW.user IS NOT OLD.user OR NEW.host IS NOT OLD.host OR NEW.refund_status IS NOT OLD.refund_status
BEGIN SELECT RAISE(ABORT, 'cancellations never change'); END;

DROP TRIGGER IF EXISTS cancel_requests_end_once;
CREATE TRIGGER cancel_requests_end_once BEFORE UPDATE ON cancel_requests
WHEN OLD.outcome IS NOT NULL AND (NEW.said IS NOT NULL OR NEW.id IS NOT OLD.id OR NEW.order_id IS NOT OLD.order_id
    OR NEW.asked_ms IS NOT OLD.asked_ms OR NEW.user IS NOT OLD.user OR NEW.host IS NOT OLD.host
    OR NEW.ended_ms IS NOT OLD.ended_ms OR NEW.outcome IS NOT OLD.outcome)
BEGIN SELECT RAISE(ABORT, 'a request for a cancellation ends once'); END;

-- What a link speaks of takes in two more kinds: a table's CHECKs change only with the table.
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
    accepted_finding_id INTEGER REFERENCES accepted_findings (id),
    dismissal_id  INTEGER REFERENCES dismissals (id),
    purge_id      INTEGER REFERENCES purges (id),
    hash          BLOB NOT NULL CHECK (length(hash) = 32),
    CONSTRAINT evidence_of_one CHECK ((attempt_id IS NOT NULL) + (decision_id IS NOT NULL)
        + (acceptance_id IS NOT NULL) + (address_word_id IS NOT NULL) + (late_answer_id IS NOT NULL)
        + (accepted_finding_id IS NOT NULL) + (dismissal_id IS NOT NULL) + (purge_id IS NOT NULL) = 1)
) STRICT;
INSERT INTO evidence (n, attempt_id, decision_id, acceptance_id, address_word_id, late_answer_id, accepted_finding_id, hash)
    SELECT n, attempt_id, decision_id, acceptance_id, address_word_id, late_answer_id, accepted_finding_id, hash
    FROM evidence_before ORDER BY n;
DROP TABLE evidence_before;

CREATE TRIGGER evidence_grows BEFORE INSERT ON evidence
WHEN NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM evidence)
    OR NEW.n IS NOT CASE
        WHEN NEW.attempt_id IS NOT NULL THEN (SELECT evidence_n FROM attempts WHERE id = NEW.attempt_id)
        WHEN NEW.decision_id IS NOT NULL THEN (SELECT evidence_n FROM decisions WHERE id = NEW.decision_id)
        WHEN NEW.address_word_id IS NOT NULL THEN (SELECT evidence_n FROM address_words WHERE id = NEW.address_word_id)
        WHEN NEW.late_answer_id IS NOT NULL THEN (SELECT evidence_n FROM late_answers WHERE id = NEW.late_answer_id)
        WHEN NEW.accepted_finding_id IS NOT NULL
            THEN (SELECT evidence_n FROM accepted_findings WHERE id = NEW.accepted_finding_id)
        WHEN NEW.dismissal_id IS NOT NULL THEN (SELECT evidence_n FROM dismissals WHERE id = NEW.dismissal_id)
        WHEN NEW.purge_id IS NOT NULL THEN (SELECT evidence_n FROM purges WHERE id = NEW.purge_id)
        ELSE (SELECT evidence_n FROM acceptances WHERE id = NEW.acceptance_id) END
BEGIN SELECT RAISE(ABORT, 'evidence only grows, one by one'); END;
CREATE TRIGGER evidence_frozen BEFORE UPDATE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
CREATE TRIGGER evidence_stay BEFORE DELETE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
