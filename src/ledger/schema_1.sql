CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('import', 'resume', 'retry')),
    service TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    finished_ms INTEGER,
    version TEXT NOT NULL,
    user TEXT NOT NULL,
    host TEXT NOT NULL,
    sheets TEXT NOT NULL DEFAULT '[]',
    rows_read INTEGER NOT NULL DEFAULT 0,
    rows_blank INTEGER NOT NULL DEFAULT 0,
    rows_skipped INTEGER NOT NULL DEFAULT 0,
    rows_in_orders INTEGER NOT NULL DEFAULT 0,
    rows_invalid INTEGER NOT NULL DEFAULT 0,
    lines INTEGER NOT NULL DEFAULT 0,
    requests INTEGER NOT NULL DEFAULT 0,
    stopped_by TEXT,
    exit_code INTEGER,
    CHECK (rows_read = rows_blank + rows_skipped + rows_in_orders + rows_invalid)
) STRICT;

-- One row for each order of each service. Its state only moves as the triggers below allow.
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    service TEXT NOT NULL,
    number TEXT NOT NULL,
    state TEXT NOT NULL CHECK (
        state IN ('staged', 'sending', 'waiting', 'booked', 'rejected', 'refused', 'in_doubt', 'abandoned')),
    request_id INTEGER REFERENCES requests (id),
    created_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    awb TEXT,
    order_id TEXT,
    carrier TEXT,
    service_level TEXT,
    old_answer INTEGER NOT NULL DEFAULT 0 CHECK (old_answer IN (0, 1)),
    error TEXT,
    UNIQUE (service, number),
    CHECK ((state = 'booked') = (awb IS NOT NULL)),
    CHECK (awb IS NULL OR length(trim(awb)) > 0),
    CHECK (state <> 'sending' OR attempts > 0)
) STRICT;

CREATE UNIQUE INDEX orders_by_awb ON orders (service, awb) WHERE awb IS NOT NULL;
CREATE UNIQUE INDEX orders_by_order_id ON orders (service, order_id) WHERE state = 'booked' AND order_id IS NOT NULL;
CREATE INDEX orders_open ON orders (service, state) WHERE state IN ('staged', 'sending', 'waiting', 'in_doubt');

-- Every request that was ever frozen, byte for byte.
CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
    body BLOB NOT NULL,
    staged_ms INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    value TEXT NOT NULL,
    cod TEXT NOT NULL,
    source_rows TEXT NOT NULL
) STRICT;
CREATE INDEX requests_of_order ON requests (order_id);

-- Every POST: the intent is written before its first byte, the answer before anyone is told.
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    n INTEGER NOT NULL CHECK (n > 0),
    request_id INTEGER NOT NULL REFERENCES requests (id),
    run_id INTEGER NOT NULL REFERENCES runs (id),
    intent_ms INTEGER NOT NULL,
    answered_ms INTEGER,
    outcome TEXT CHECK (outcome IN ('booked', 'rejected', 'refused', 'waiting', 'in_doubt')),
    status INTEGER,
    answer BLOB,
    answer_bytes INTEGER,
    reason TEXT,
    awb TEXT,
    UNIQUE (order_id, n),
    CHECK ((answered_ms IS NULL) = (outcome IS NULL))
) STRICT;
CREATE UNIQUE INDEX attempts_open ON attempts (order_id) WHERE answered_ms IS NULL;

-- What people decided, with their words.
CREATE TABLE decisions (
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    user TEXT NOT NULL,
    host TEXT NOT NULL,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    attempt_id INTEGER REFERENCES attempts (id),
    verb TEXT NOT NULL CHECK (verb IN ('booked', 'not-booked', 'abandoned', 'retry')),
    awb TEXT,
    because TEXT,
    CHECK ((verb = 'booked') = (awb IS NOT NULL))
) STRICT;
CREATE INDEX decisions_of_order ON decisions (order_id);

-- Which orders a run asked for, in the order of its sheets. `already` marks what was booked before.
CREATE TABLE run_orders (
    run_id INTEGER NOT NULL REFERENCES runs (id),
    seq INTEGER NOT NULL,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    already INTEGER NOT NULL CHECK (already IN (0, 1)),
    PRIMARY KEY (run_id, seq),
    UNIQUE (run_id, order_id)
) STRICT, WITHOUT ROWID;

-- Orders, and rows without one, that stayed behind.
CREATE TABLE run_invalid (
    run_id INTEGER NOT NULL REFERENCES runs (id),
    n INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    number TEXT,
    source_rows TEXT NOT NULL,
    PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE problems (
    run_id INTEGER NOT NULL REFERENCES runs (id),
    n INTEGER NOT NULL,
    code TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('error', 'warning')),
    place TEXT,
    number TEXT,
    field TEXT,
    found TEXT,
    message TEXT NOT NULL,
    hint TEXT NOT NULL,
    PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX problems_of_order ON problems (run_id, number);

CREATE TRIGGER orders_move BEFORE UPDATE OF state ON orders
WHEN old.state <> new.state AND NOT (
    (old.state = 'staged' AND new.state IN ('sending', 'abandoned'))
    OR (old.state = 'sending' AND new.state IN ('booked', 'rejected', 'refused', 'waiting', 'in_doubt'))
    OR (old.state = 'waiting' AND new.state IN ('sending', 'staged', 'abandoned'))
    OR (old.state = 'in_doubt' AND new.state IN ('booked', 'staged', 'abandoned'))
    OR (old.state IN ('rejected', 'refused') AND new.state IN ('staged', 'abandoned'))
    OR (old.state = 'abandoned' AND new.state = 'staged'))
BEGIN
    SELECT raise(ABORT, 'illegal transition');
END;

CREATE TRIGGER orders_send BEFORE UPDATE OF state ON orders
WHEN new.state = 'sending' AND old.state <> 'sending' AND new.attempts <> old.attempts + 1
BEGIN
    SELECT raise(ABORT, 'an order is sent with an attempt');
END;

CREATE TRIGGER orders_booked_stay BEFORE UPDATE ON orders
WHEN old.state = 'booked'
BEGIN
    SELECT raise(ABORT, 'a booked order never changes');
END;

CREATE TRIGGER orders_key_stays BEFORE UPDATE ON orders
WHEN old.id <> new.id OR old.service <> new.service OR old.number <> new.number OR old.created_ms <> new.created_ms
BEGIN
    SELECT raise(ABORT, 'an order keeps its number');
END;

CREATE TRIGGER orders_request_stays BEFORE UPDATE OF request_id ON orders
WHEN old.request_id IS NOT NULL AND old.state IN ('sending', 'in_doubt', 'booked') AND old.request_id <> new.request_id
BEGIN
    SELECT raise(ABORT, 'the request of an order that was sent stays');
END;

CREATE TRIGGER orders_stay BEFORE DELETE ON orders
BEGIN
    SELECT raise(ABORT, 'orders are never deleted');
END;

CREATE TRIGGER requests_stay BEFORE DELETE ON requests
BEGIN
    SELECT raise(ABORT, 'requests are never deleted');
END;

CREATE TRIGGER requests_frozen BEFORE UPDATE ON requests
BEGIN
    SELECT raise(ABORT, 'requests are frozen');
END;

CREATE TRIGGER attempts_stay BEFORE DELETE ON attempts
BEGIN
    SELECT raise(ABORT, 'attempts are never deleted');
END;

CREATE TRIGGER attempts_answered_once BEFORE UPDATE ON attempts
WHEN old.answered_ms IS NOT NULL OR new.answered_ms IS NULL OR old.id <> new.id OR old.order_id <> new.order_id
    OR old.n <> new.n OR old.request_id <> new.request_id OR old.run_id <> new.run_id OR old.intent_ms <> new.intent_ms
BEGIN
    SELECT raise(ABORT, 'an attempt is answered once and otherwise never changes');
END;

CREATE TRIGGER attempts_of_sent_orders BEFORE INSERT ON attempts
WHEN (SELECT state FROM orders WHERE id = new.order_id) <> 'sending'
BEGIN
    SELECT raise(ABORT, 'only an order that is being sent has an open attempt');
END;

CREATE TRIGGER decisions_stay BEFORE DELETE ON decisions
BEGIN
    SELECT raise(ABORT, 'decisions are never deleted');
END;

CREATE TRIGGER decisions_frozen BEFORE UPDATE ON decisions
BEGIN
    SELECT raise(ABORT, 'decisions never change');
END;
