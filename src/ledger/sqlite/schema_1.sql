-- The ledger's first schema. What a bug in the program must never do meets an aborted transaction here.
-- Where a rule is asked for every order, `a = 'x' OR a = 'y' OR …` stands instead of `IN`: for three words and more the
-- database would build a small table each time.

-- Which ledger this is, wherever it is moved to.
CREATE TABLE identity (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id  TEXT NOT NULL
) STRICT;
INSERT INTO identity VALUES (1, lower(hex(randomblob(16))));

-- Whom orders are booked with: the origin of a base URL, or "sandbox". Nine million orders share a few of these.
CREATE TABLE services (
    id     INTEGER PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE CHECK (trim(origin) <> '')
) STRICT;

CREATE TABLE runs (
    id             INTEGER PRIMARY KEY,
    kind           TEXT NOT NULL CHECK (kind IN ('import', 'resume', 'retry')),
    service_id     INTEGER NOT NULL REFERENCES services (id),
    parent         INTEGER REFERENCES runs (id),
    started_ms     INTEGER NOT NULL,
    finished_ms    INTEGER,
    version        TEXT NOT NULL,
    user           TEXT NOT NULL,
    host           TEXT NOT NULL,
    sheets         TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(sheets)),
    rows_read      INTEGER NOT NULL DEFAULT 0,
    rows_blank     INTEGER NOT NULL DEFAULT 0,
    rows_skipped   INTEGER NOT NULL DEFAULT 0,
    rows_in_orders INTEGER NOT NULL DEFAULT 0,
    rows_invalid   INTEGER NOT NULL DEFAULT 0,
    lines          INTEGER NOT NULL DEFAULT 0,
    requests       INTEGER NOT NULL DEFAULT 0,
    stopped_by     TEXT,
    stopped_why    TEXT,
    exit_code      INTEGER,
    -- Nothing vanishes.
    CONSTRAINT rows_add_up CHECK (rows_read = rows_blank + rows_skipped + rows_in_orders + rows_invalid),
    CONSTRAINT finished_with_exit_code CHECK ((finished_ms IS NULL) = (exit_code IS NULL))
) STRICT;

-- How a run's orders stand now, kept by a trigger so that `status` need not count a million orders.
CREATE TABLE run_tallies (
    run_id         INTEGER PRIMARY KEY REFERENCES runs (id),
    booked         INTEGER NOT NULL DEFAULT 0,
    already_booked INTEGER NOT NULL DEFAULT 0,
    invalid        INTEGER NOT NULL DEFAULT 0,
    rejected       INTEGER NOT NULL DEFAULT 0,
    refused        INTEGER NOT NULL DEFAULT 0,
    in_doubt       INTEGER NOT NULL DEFAULT 0,
    outstanding    INTEGER NOT NULL DEFAULT 0,
    abandoned      INTEGER NOT NULL DEFAULT 0,
    -- Filled rows that name no order.
    rows_without_order INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE orders (
    id            INTEGER PRIMARY KEY,
    service_id    INTEGER NOT NULL REFERENCES services (id),
    number        TEXT NOT NULL CHECK (number <> ''),
    state         TEXT NOT NULL CHECK (state = 'staged' OR state = 'sending' OR state = 'waiting' OR state = 'booked'
        OR state = 'rejected' OR state = 'refused' OR state = 'in_doubt'
        OR state = 'abandoned'),
    -- The request that is sent, or was. No foreign key: the two tables point at each other, and a trigger checks it.
    request_id    INTEGER NOT NULL,
    -- The time that stands in for a blank `orderCreatedAt`, kept for good: the same row gives the same request again.
    created_ms    INTEGER NOT NULL,
    attempts      INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    awb           TEXT CHECK (trim(awb) <> ''),
    order_id      TEXT CHECK (trim(order_id) <> ''),
    carrier       TEXT,
    service_level TEXT,
    old_answer    INTEGER NOT NULL DEFAULT 0 CHECK (old_answer IN (0, 1)),
    -- What a person should read about it.
    error         TEXT,
    UNIQUE (service_id, number),
    CONSTRAINT booked_with_awb CHECK ((state = 'booked') = (awb IS NOT NULL)),
    CONSTRAINT shipment_only_when_booked
        CHECK (state = 'booked' OR (carrier IS NULL AND service_level IS NULL AND old_answer = 0)),
    CONSTRAINT order_id_from_an_answer CHECK (order_id IS NULL OR state IN ('booked', 'rejected')),
    CONSTRAINT attempted CHECK (attempts > 0 OR state IN ('staged', 'abandoned')),
    CONSTRAINT error_says_why
        CHECK ((error IS NOT NULL) = (state = 'waiting' OR state = 'rejected' OR state = 'refused' OR state = 'in_doubt'
        OR state = 'abandoned'))
) STRICT;

CREATE UNIQUE INDEX orders_by_awb ON orders (service_id, awb) WHERE awb IS NOT NULL;
CREATE UNIQUE INDEX orders_by_order_id ON orders (service_id, order_id)
    WHERE state = 'booked' AND order_id IS NOT NULL;
CREATE INDEX orders_in_doubt ON orders (id) WHERE state = 'in_doubt';

-- Frozen requests. The body stands last: what is asked often is read without it.
CREATE TABLE requests (
    id        INTEGER PRIMARY KEY,
    order_id  INTEGER NOT NULL REFERENCES orders (id),
    sha256    BLOB NOT NULL CHECK (length(sha256) = 32),
    staged_ms INTEGER NOT NULL,
    -- The `orderCreatedAt` that this request carries.
    created_ms INTEGER NOT NULL,
    lines     INTEGER NOT NULL CHECK (lines >= 0),
    value     TEXT NOT NULL,
    cod       TEXT NOT NULL,
    rows      TEXT NOT NULL,
    body      BLOB NOT NULL
) STRICT;
CREATE INDEX requests_of_order ON requests (order_id);

CREATE TABLE attempts (
    id          INTEGER PRIMARY KEY,
    order_id    INTEGER NOT NULL REFERENCES orders (id),
    n           INTEGER NOT NULL CHECK (n > 0),
    request_id  INTEGER NOT NULL REFERENCES requests (id),
    run_id      INTEGER NOT NULL REFERENCES runs (id),
    intent_ms   INTEGER NOT NULL,
    answered_ms INTEGER,
    -- The state that the answer led to.
    outcome     TEXT CHECK (outcome = 'booked' OR outcome = 'rejected' OR outcome = 'refused' OR outcome = 'waiting'
        OR outcome = 'in_doubt'),
    status      INTEGER,
    awb         TEXT,
    service_order_id TEXT,
    reason      TEXT,
    -- What is kept of the answer, and how long it was.
    answer      BLOB CHECK (length(answer) <= 65536),
    answer_bytes INTEGER,
    -- The link that binds it; see `evidence`.
    evidence_n  INTEGER,
    UNIQUE (order_id, n),
    CONSTRAINT answered_with_outcome CHECK ((answered_ms IS NULL) = (outcome IS NULL)),
    CONSTRAINT answered_with_evidence CHECK ((answered_ms IS NULL) = (evidence_n IS NULL)),
    CONSTRAINT open_is_empty CHECK (answered_ms IS NOT NULL OR
        (status IS NULL AND awb IS NULL AND service_order_id IS NULL AND reason IS NULL AND answer IS NULL
        AND answer_bytes IS NULL)),
    CONSTRAINT attempt_booked_with_awb CHECK (outcome IS NOT 'booked' OR awb IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX attempts_open ON attempts (order_id) WHERE answered_ms IS NULL;

CREATE TABLE decisions (
    id         INTEGER PRIMARY KEY,
    at_ms      INTEGER NOT NULL,
    user       TEXT NOT NULL,
    host       TEXT NOT NULL,
    order_id   INTEGER NOT NULL REFERENCES orders (id),
    -- The last attempt when it was decided; none where nothing was ever sent.
    attempt_id INTEGER REFERENCES attempts (id),
    verb       TEXT NOT NULL CHECK (verb IN ('booked', 'not-booked', 'abandoned', 'retry')),
    awb        TEXT,
    because    TEXT NOT NULL CHECK (trim(because) <> ''),
    evidence_n INTEGER NOT NULL,
    CONSTRAINT decision_awb CHECK ((verb = 'booked') = (awb IS NOT NULL))
) STRICT;
CREATE INDEX decisions_of_order ON decisions (order_id);

-- Every answered attempt and every decision in their order, each bound by its hash to the one before.
CREATE TABLE evidence (
    n           INTEGER PRIMARY KEY CHECK (n > 0),
    attempt_id  INTEGER REFERENCES attempts (id),
    decision_id INTEGER REFERENCES decisions (id),
    hash        BLOB NOT NULL CHECK (length(hash) = 32),
    CONSTRAINT evidence_of_one CHECK ((attempt_id IS NULL) <> (decision_id IS NULL))
) STRICT;

-- Which orders a run asked for, in the sheet's order.
CREATE TABLE run_orders (
    run_id      INTEGER NOT NULL REFERENCES runs (id),
    seq         INTEGER NOT NULL,
    order_id    INTEGER NOT NULL REFERENCES orders (id),
    -- Booked before the run asked for it.
    already     INTEGER NOT NULL CHECK (already = 0 OR already = 1),
    -- Where this run's sheet has it, if that is not where the request has it.
    rows        TEXT,
    PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX run_orders_once ON run_orders (order_id, run_id);

-- Orders, and filled rows without one, that problems kept behind.
CREATE TABLE run_invalid (
    run_id INTEGER NOT NULL REFERENCES runs (id),
    n      INTEGER NOT NULL,
    seq    INTEGER NOT NULL,
    number TEXT,
    rows   TEXT NOT NULL,
    PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE problems (
    run_id       INTEGER NOT NULL REFERENCES runs (id),
    n            INTEGER NOT NULL,
    -- What it kept behind; none where it kept nothing.
    invalid_n    INTEGER,
    code         TEXT NOT NULL,
    severity     TEXT NOT NULL CHECK (severity = 'error' OR severity = 'warning'),
    place        TEXT,
    order_number TEXT,
    field        TEXT,
    found        TEXT,
    message      TEXT NOT NULL,
    hint         TEXT NOT NULL,
    PRIMARY KEY (run_id, n),
    FOREIGN KEY (run_id, invalid_n) REFERENCES run_invalid (run_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX problems_of_invalid ON problems (run_id, invalid_n) WHERE invalid_n IS NOT NULL;

-- Orders: how they begin, and the only ways on.

CREATE TRIGGER orders_begin BEFORE INSERT ON orders
WHEN NEW.state <> 'staged' OR NEW.attempts <> 0
    OR EXISTS (SELECT 1 FROM orders WHERE service_id = NEW.service_id AND number = NEW.number)
    OR EXISTS (SELECT 1 FROM orders WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'an order begins once, as staged'); END;

CREATE TRIGGER orders_stay BEFORE DELETE ON orders
BEGIN SELECT RAISE(ABORT, 'orders are never deleted'); END;

CREATE TRIGGER orders_booked_for_good BEFORE UPDATE ON orders WHEN OLD.state = 'booked'
BEGIN SELECT RAISE(ABORT, 'a booked order never changes'); END;

CREATE TRIGGER orders_identity BEFORE UPDATE OF id, service_id, number, created_ms ON orders
BEGIN SELECT RAISE(ABORT, 'the identity of an order never changes'); END;

CREATE TRIGGER orders_legal_state BEFORE UPDATE OF state ON orders
WHEN NEW.state <> OLD.state AND NOT CASE OLD.state
    WHEN 'staged'    THEN NEW.state IN ('sending', 'abandoned')
    WHEN 'waiting'   THEN NEW.state IN ('sending', 'staged', 'abandoned')
    WHEN 'sending'   THEN (NEW.state = 'booked' OR NEW.state = 'rejected' OR NEW.state = 'refused'
        OR NEW.state = 'waiting' OR NEW.state = 'in_doubt')
    WHEN 'in_doubt'  THEN (NEW.state = 'booked' OR NEW.state = 'staged' OR NEW.state = 'abandoned')
    WHEN 'rejected'  THEN NEW.state IN ('staged', 'abandoned')
    WHEN 'refused'   THEN NEW.state IN ('staged', 'abandoned')
    WHEN 'abandoned' THEN NEW.state = 'staged'
    ELSE 0 END
BEGIN SELECT RAISE(ABORT, 'no way leads from this state to that one'); END;

CREATE TRIGGER orders_attempts BEFORE UPDATE OF attempts, state ON orders
WHEN NEW.attempts <> OLD.attempts + (NEW.state = 'sending' AND OLD.state <> 'sending')
BEGIN SELECT RAISE(ABORT, 'each sending is one attempt more'); END;

-- What leaves `sending` leaves with an answer that says so.
CREATE TRIGGER orders_answered BEFORE UPDATE OF state ON orders
WHEN OLD.state = 'sending' AND NOT EXISTS (
    SELECT 1 FROM attempts
    WHERE order_id = OLD.id AND n = OLD.attempts AND outcome = NEW.state
        AND (NEW.state <> 'booked' OR awb = NEW.awb))
BEGIN SELECT RAISE(ABORT, 'the attempt has no such answer'); END;

-- What leaves `in_doubt` leaves by a person's word on this very attempt.
CREATE TRIGGER orders_settled BEFORE UPDATE OF state ON orders
WHEN OLD.state = 'in_doubt' AND NOT EXISTS (
    SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
    WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts
        AND d.verb = CASE NEW.state WHEN 'staged' THEN 'not-booked' ELSE NEW.state END
        AND (NEW.state <> 'booked' OR d.awb = NEW.awb))
BEGIN SELECT RAISE(ABORT, 'an order in doubt needs a decision'); END;

-- What failed is sent again because a person asked, or with a corrected request.
CREATE TRIGGER orders_retried BEFORE UPDATE OF state ON orders
WHEN (OLD.state = 'rejected' OR OLD.state = 'refused') AND NEW.state = 'staged'
    AND NEW.request_id = OLD.request_id
    AND NOT EXISTS (
        SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
        WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'retry')
BEGIN SELECT RAISE(ABORT, 'a retry needs a decision or a corrected request'); END;

-- What was given up may have been booked: only a later word brings it back, never a corrected row.
CREATE TRIGGER orders_brought_back BEFORE UPDATE OF state ON orders
WHEN OLD.state = 'abandoned' AND NEW.state = 'staged' AND NOT EXISTS (
    SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'not-booked' AND d.id > (
        SELECT max(id) FROM decisions WHERE order_id = OLD.id AND verb = 'abandoned'))
BEGIN SELECT RAISE(ABORT, 'only a decision brings an abandoned order back'); END;

CREATE TRIGGER orders_abandoned BEFORE UPDATE OF state ON orders
WHEN NEW.state = 'abandoned' AND OLD.state IN ('staged', 'waiting', 'rejected', 'refused') AND NOT EXISTS (
    SELECT 1 FROM decisions d LEFT JOIN attempts a ON a.id = d.attempt_id
    WHERE d.order_id = OLD.id AND d.verb = 'abandoned' AND coalesce(a.n, 0) = OLD.attempts)
BEGIN SELECT RAISE(ABORT, 'only a decision gives an order up'); END;

CREATE TRIGGER orders_request BEFORE UPDATE OF request_id ON orders
WHEN NEW.request_id <> OLD.request_id AND (
    NEW.state NOT IN ('staged', 'waiting') OR OLD.state IN ('sending', 'in_doubt')
    OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request_id AND order_id = OLD.id))
BEGIN SELECT RAISE(ABORT, 'only an order that may be sent takes another request of its own'); END;

-- Staged, sending and waiting are one class to those who count: only what crosses its border is counted anew.
CREATE TRIGGER orders_tally AFTER UPDATE OF state ON orders
WHEN NOT ((OLD.state = 'staged' OR OLD.state = 'sending' OR OLD.state = 'waiting')
    AND (NEW.state = 'staged' OR NEW.state = 'sending' OR NEW.state = 'waiting'))
BEGIN
    UPDATE run_tallies SET
        outstanding = outstanding - (OLD.state = 'staged' OR OLD.state = 'sending' OR OLD.state = 'waiting')
                                  + (NEW.state = 'staged' OR NEW.state = 'sending' OR NEW.state = 'waiting'),
        booked    = booked                              + (NEW.state = 'booked'),
        rejected  = rejected  - (OLD.state = 'rejected')  + (NEW.state = 'rejected'),
        refused   = refused   - (OLD.state = 'refused')   + (NEW.state = 'refused'),
        in_doubt  = in_doubt  - (OLD.state = 'in_doubt')  + (NEW.state = 'in_doubt'),
        abandoned = abandoned - (OLD.state = 'abandoned') + (NEW.state = 'abandoned')
    WHERE run_id IN (SELECT run_id FROM run_orders WHERE order_id = NEW.id);
END;

-- Attempts: opened by an intent, answered once, kept.

CREATE TRIGGER attempts_begin BEFORE INSERT ON attempts
WHEN NEW.answered_ms IS NOT NULL
    OR NOT EXISTS (
        SELECT 1 FROM orders
        WHERE id = NEW.order_id AND state = 'sending' AND attempts = NEW.n AND request_id = NEW.request_id)
    OR EXISTS (SELECT 1 FROM attempts WHERE order_id = NEW.order_id AND n = NEW.n)
    OR EXISTS (SELECT 1 FROM attempts WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'an attempt begins once, open, with its order sending'); END;

CREATE TRIGGER attempts_stay BEFORE DELETE ON attempts
BEGIN SELECT RAISE(ABORT, 'attempts are never deleted'); END;

CREATE TRIGGER attempts_answered_once BEFORE UPDATE ON attempts
WHEN OLD.answered_ms IS NOT NULL OR NEW.answered_ms IS NULL
    OR NEW.id <> OLD.id OR NEW.order_id <> OLD.order_id OR NEW.n <> OLD.n
    OR NEW.request_id <> OLD.request_id OR NEW.run_id <> OLD.run_id OR NEW.intent_ms <> OLD.intent_ms
BEGIN SELECT RAISE(ABORT, 'an attempt is answered once and keeps what it was'); END;

-- What is only ever added to.

CREATE TRIGGER requests_frozen BEFORE UPDATE ON requests
BEGIN SELECT RAISE(ABORT, 'requests are frozen'); END;
CREATE TRIGGER requests_stay BEFORE DELETE ON requests
BEGIN SELECT RAISE(ABORT, 'requests are never deleted'); END;
CREATE TRIGGER requests_once BEFORE INSERT ON requests WHEN EXISTS (SELECT 1 FROM requests WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'requests are frozen'); END;

CREATE TRIGGER decisions_frozen BEFORE UPDATE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are final'); END;
CREATE TRIGGER decisions_stay BEFORE DELETE ON decisions
BEGIN SELECT RAISE(ABORT, 'decisions are never deleted'); END;
CREATE TRIGGER decisions_once BEFORE INSERT ON decisions WHEN EXISTS (SELECT 1 FROM decisions WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'decisions are final'); END;

CREATE TRIGGER evidence_grows BEFORE INSERT ON evidence
WHEN NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM evidence)
    OR NEW.n IS NOT CASE WHEN NEW.attempt_id IS NULL THEN (SELECT evidence_n FROM decisions WHERE id = NEW.decision_id)
        ELSE (SELECT evidence_n FROM attempts WHERE id = NEW.attempt_id) END
BEGIN SELECT RAISE(ABORT, 'evidence only grows, one by one'); END;
CREATE TRIGGER evidence_frozen BEFORE UPDATE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
CREATE TRIGGER evidence_stay BEFORE DELETE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;

CREATE TRIGGER identity_frozen BEFORE UPDATE ON identity
BEGIN SELECT RAISE(ABORT, 'a ledger stays itself'); END;
CREATE TRIGGER identity_stay BEFORE DELETE ON identity
BEGIN SELECT RAISE(ABORT, 'a ledger stays itself'); END;

CREATE TRIGGER run_orders_frozen BEFORE UPDATE ON run_orders
BEGIN SELECT RAISE(ABORT, 'what a run asked for never changes'); END;
CREATE TRIGGER run_orders_stay BEFORE DELETE ON run_orders
BEGIN SELECT RAISE(ABORT, 'what a run asked for never changes'); END;

CREATE TRIGGER runs_stay BEFORE DELETE ON runs
BEGIN SELECT RAISE(ABORT, 'runs are never deleted'); END;

CREATE TRIGGER run_invalid_frozen BEFORE UPDATE ON run_invalid
BEGIN SELECT RAISE(ABORT, 'what was left behind never changes'); END;
CREATE TRIGGER run_invalid_stay BEFORE DELETE ON run_invalid
BEGIN SELECT RAISE(ABORT, 'what was left behind never changes'); END;
CREATE TRIGGER problems_frozen BEFORE UPDATE ON problems
BEGIN SELECT RAISE(ABORT, 'what was found never changes'); END;
CREATE TRIGGER problems_stay BEFORE DELETE ON problems
BEGIN SELECT RAISE(ABORT, 'what was found never changes'); END;

CREATE TRIGGER services_frozen BEFORE UPDATE ON services
BEGIN SELECT RAISE(ABORT, 'services never change'); END;
CREATE TRIGGER services_stay BEFORE DELETE ON services
BEGIN SELECT RAISE(ABORT, 'services never change'); END;
