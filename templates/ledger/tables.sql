-- The tables of a ledger, for both engines, in the words of SQLite. What a bug in the program must never do meets an aborted
-- transaction here, or at the guards. Where a rule is asked for every order, `a = 'x' OR a = 'y' OR …` stands instead of `IN`: for
-- three words and more SQLite would build a small table each time.

-- Which ledger this is, wherever it is moved to.
CREATE TABLE identity (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id  TEXT NOT NULL
) STRICT;

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
    held           INTEGER NOT NULL DEFAULT 0,
    left_out       INTEGER NOT NULL DEFAULT 0,
    abandoned      INTEGER NOT NULL DEFAULT 0,
    dismissed      INTEGER NOT NULL DEFAULT 0,
    -- Filled rows that name no order.
    rows_without_order INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What a run came to when it ended. What has become of its orders since is in `run_tallies`.
CREATE TABLE run_ends (
    run_id         INTEGER PRIMARY KEY REFERENCES runs (id),
    booked         INTEGER NOT NULL,
    already_booked INTEGER NOT NULL,
    invalid        INTEGER NOT NULL,
    rejected       INTEGER NOT NULL,
    refused        INTEGER NOT NULL,
    in_doubt       INTEGER NOT NULL,
    outstanding    INTEGER NOT NULL,
    held           INTEGER NOT NULL,
    left_out       INTEGER NOT NULL,
    abandoned      INTEGER NOT NULL,
    dismissed      INTEGER NOT NULL
) STRICT;

-- Where the sheets of a run lay.
CREATE TABLE run_sheets (
    run_id    INTEGER NOT NULL REFERENCES runs (id),
    n         INTEGER NOT NULL,
    path      TEXT NOT NULL,
    sha256    BLOB NOT NULL CHECK (length(sha256) = 32),
    PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE orders (
    id            INTEGER PRIMARY KEY,
    service_id    INTEGER NOT NULL REFERENCES services (id),
    number        TEXT NOT NULL CHECK (number <> ''),
    state         TEXT NOT NULL CHECK (state = 'staged' OR state = 'sending' OR state = 'waiting' OR state = 'booked'
        OR state = 'rejected' OR state = 'refused' OR state = 'in_doubt' OR state = 'abandoned'),
    -- The request that is sent, or was; none before a source first lets the order go. No foreign key: the two tables point at each
    -- other, and a guard checks it.
    request_id    INTEGER,
    -- The time that stands in for a blank `orderCreatedAt`, kept for good from the first request on: the same row gives the same
    -- request again.
    created_ms    INTEGER,
    attempts      INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    awb           TEXT CHECK (trim(awb) <> ''),
    order_id      TEXT CHECK (trim(order_id) <> ''),
    carrier       TEXT,
    service_level TEXT,
    old_answer    INTEGER NOT NULL DEFAULT 0 CHECK (old_answer IN (0, 1)),
    -- What a person should read about it.
    error         TEXT,
    -- The current revision, and its verdict. No foreign key: the two tables point at each other, and a guard checks it.
    revision_id   INTEGER NOT NULL,
    verdict       TEXT NOT NULL DEFAULT 'go' CHECK (verdict = 'go' OR verdict = 'held' OR verdict = 'left-out'
        OR verdict = 'invalid' OR verdict = 'cancelled' OR verdict = 'dismissed')
        -- Without a request it does not go.
        CHECK (request_id IS NOT NULL OR (verdict <> 'go' AND state = 'staged')),
    -- The rule whose question waits for a person's answer.
    hold          TEXT CHECK (hold <> ''),
    -- Whether an open sheet keeps it back, as `draft_holds` has it; whatever sources say of it stands beside that.
    draft_hold    INTEGER NOT NULL DEFAULT 0 CHECK (draft_hold = 0 OR draft_hold = 1),
    -- Where it stands by what the service and sources said: an order that could be sent and shall not be is held or left out, and one
    -- that never could be is invalid.
    source_standing TEXT NOT NULL GENERATED ALWAYS AS (CASE
        WHEN state <> 'staged' AND state <> 'waiting' AND state <> 'rejected' AND state <> 'refused' THEN state
        WHEN hold IS NOT NULL THEN 'held'
        WHEN verdict = 'go' THEN state
        WHEN verdict = 'held' OR verdict = 'invalid' THEN CASE WHEN request_id IS NULL THEN 'invalid' ELSE 'held' END
        WHEN verdict = 'dismissed' THEN 'dismissed' ELSE 'left_out' END) VIRTUAL,
    -- Where it stands for everybody who reads: what an open sheet keeps back is held, whatever else was said.
    standing      TEXT NOT NULL GENERATED ALWAYS AS (CASE
        WHEN state <> 'staged' AND state <> 'waiting' AND state <> 'rejected' AND state <> 'refused' THEN state
        WHEN hold IS NOT NULL OR (verdict = 'go' AND draft_hold = 1) THEN 'held'
        WHEN verdict = 'go' THEN state
        WHEN verdict = 'held' OR verdict = 'invalid' THEN CASE WHEN request_id IS NULL THEN 'invalid' ELSE 'held' END
        WHEN verdict = 'dismissed' THEN 'dismissed' ELSE 'left_out' END) VIRTUAL,
    UNIQUE (service_id, number),
    CONSTRAINT created_with_a_request CHECK ((created_ms IS NULL) = (request_id IS NULL)),
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
CREATE UNIQUE INDEX orders_by_order_id ON orders (service_id, order_id) WHERE state = 'booked' AND order_id IS NOT NULL;
CREATE INDEX orders_in_doubt ON orders (id) WHERE state = 'in_doubt';
CREATE INDEX orders_kept_back ON orders (id) WHERE hold IS NOT NULL OR draft_hold = 1 OR verdict = 'held' OR verdict = 'invalid';
CREATE INDEX orders_failed ON orders (id) WHERE state = 'rejected' OR state = 'refused';
-- AWBs that are written with something between their characters, in small letters or with zeros in front, as others may write them.
CREATE INDEX orders_by_bare_awb ON orders (service_id,
    ltrim(upper(replace(replace(replace(replace(replace(awb, '-', ''), '/', ''), '_', ''), '.', ''), '#', '')), '0'))
WHERE awb <> ltrim(upper(replace(replace(replace(replace(replace(awb, '-', ''), '/', ''), '_', ''), '.', ''), '#', '')), '0');

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

-- Everything that said something of orders, in the order in which it was said: the sheets of an import, or a person's answer.
CREATE TABLE sources (
    id         INTEGER PRIMARY KEY,
    kind       TEXT NOT NULL CHECK (kind IN ('sheets', 'statement', 'draft', 'decision')),
    -- The run that its orders were staged with; none where nothing was.
    run_id     INTEGER REFERENCES runs (id),
    service_id INTEGER NOT NULL REFERENCES services (id),
    at_ms      INTEGER NOT NULL,
    user       TEXT NOT NULL,
    host       TEXT NOT NULL,
    -- How many revisions it gave, and a hash of them all.
    revisions  INTEGER NOT NULL CHECK (revisions >= 0),
    digest     BLOB NOT NULL CHECK (length(digest) = 32),
    -- None where a layout without sources had it.
    evidence_n INTEGER
) STRICT;

-- What a source changed of an order. Nothing is written where nothing changed.
CREATE TABLE revisions (
    id         INTEGER PRIMARY KEY,
    order_id   INTEGER NOT NULL REFERENCES orders (id),
    source_id  INTEGER NOT NULL REFERENCES sources (id) DEFERRABLE INITIALLY DEFERRED,
    verdict    TEXT NOT NULL CHECK (verdict IN ('go', 'held', 'left-out', 'invalid', 'cancelled', 'dismissed')),
    -- The rule that asks a person.
    hold       TEXT,
    -- What would be sent by it; none where its source gave nothing that could be.
    request_id INTEGER REFERENCES requests (id),
    -- Where the source has the order, if no request says so, and the rule that decided there.
    rows       TEXT,
    rule       TEXT,
    -- The SHA-256 of the sheet's file; none where it came through standard input.
    sheet      BLOB CHECK (length(sheet) = 32),
    CONSTRAINT what_goes_has_a_request CHECK (verdict <> 'go' OR request_id IS NOT NULL)
) STRICT;
CREATE INDEX revisions_of_order ON revisions (order_id);
CREATE INDEX revisions_of_source ON revisions (source_id);

-- Courier's statements with what was read of them: what one names is not sent, until a person says that it goes or forgets the statement.
CREATE TABLE statements (
    source_id INTEGER PRIMARY KEY REFERENCES sources (id),
    name      TEXT NOT NULL CHECK (name <> ''),
    sha256    BLOB NOT NULL CHECK (length(sha256) = 32),
    content   TEXT NOT NULL
) STRICT;

-- Sheets that people dropped at the desk, as they came, until they are cleared: the bytes in pieces, and behind them a note of each
-- answer, of each one that was taken back, of each run that was staged from it, and of the rest that it left.
CREATE TABLE drafts (
    id       TEXT PRIMARY KEY,
    -- By it one is newer than another.
    n        INTEGER NOT NULL,
    name     TEXT NOT NULL CHECK (name <> ''),
    sha256   BLOB NOT NULL CHECK (length(sha256) = 32),
    bytes    INTEGER NOT NULL,
    added_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE draft_pieces (
    draft_id TEXT NOT NULL REFERENCES drafts (id),
    n        INTEGER NOT NULL,
    content  BLOB NOT NULL,
    PRIMARY KEY (draft_id, n)
) STRICT;
CREATE TABLE draft_notes (
    draft_id TEXT NOT NULL REFERENCES drafts (id),
    n        INTEGER NOT NULL,
    at_ms    INTEGER NOT NULL,
    kind     TEXT NOT NULL CHECK (kind IN ('answer', 'undo', 'run', 'couriers', 'layout', 'rest')),
    -- The answer, the layout that was made of the sheet, or what is left to do with it, as JSON.
    said     TEXT,
    run_id   INTEGER REFERENCES runs (id),
    PRIMARY KEY (draft_id, n),
    CONSTRAINT said_or_run CHECK ((said IS NOT NULL) = (kind IN ('answer', 'layout', 'rest')) AND (run_id IS NOT NULL) = (kind = 'run'))
) STRICT;
-- Orders that an open sheet keeps back: what somebody said of them there is not booked yet. They go with the sheet.
CREATE TABLE draft_holds (
    draft_id TEXT NOT NULL REFERENCES drafts (id),
    -- The order's number in the sheet, now or when that was said.
    entry    TEXT NOT NULL,
    -- A number under which the ledger has the order, or may get it: that one, or another one that is the same.
    number   TEXT NOT NULL,
    -- Held or left out there; typed over; otherwise changed since it was staged.
    kind     TEXT NOT NULL CHECK (kind IN ('word', 'typed', 'changed')),
    -- What a person accepts who sends it all the same.
    basis    TEXT NOT NULL,
    -- The content of the request by which it would go from there.
    content  BLOB CHECK (length(content) = 32),
    -- Booked from there just so: only a sheet with other content is asked about it.
    booked   INTEGER NOT NULL CHECK (booked IN (0, 1)),
    PRIMARY KEY (number, draft_id, entry)
) STRICT, WITHOUT ROWID;
CREATE INDEX draft_holds_of_draft ON draft_holds (draft_id, entry);

-- Every decision of a person, be it on an order, this ledger, two addresses, a finding, an order that stayed behind, or what is
-- personal. It is final, and a link of the evidence binds it. Columns that only some verbs have are null for all others.
CREATE TABLE decisions (
    id         INTEGER PRIMARY KEY,
    at_ms      INTEGER NOT NULL,
    user       TEXT NOT NULL,
    host       TEXT NOT NULL,
    verb       TEXT NOT NULL CHECK (verb IN ('booked', 'not-booked', 'abandoned', 'retry', 'accept-ledger', 'same-service',
        'other-service', 'accept-finding', 'dismiss', 'forget-statement', 'remove')),
    because    TEXT,
    evidence_n INTEGER NOT NULL,
    -- `booked`, `not-booked`, `abandoned`, `retry`: the order, and its last attempt when it was decided; none where nothing was ever
    -- sent. No foreign key for that one: attempts point here as well, and a guard checks it.
    order_id   INTEGER REFERENCES orders (id),
    attempt_id INTEGER,
    awb        TEXT,
    -- `accept-ledger`: this ledger is right although another one was noted in its place.
    attempts_noted INTEGER,
    attempts_found INTEGER,
    -- `same-service`, `other-service`: whether one and the same service answers at two addresses. The latest word on a pair holds.
    service_id INTEGER REFERENCES services (id),
    other_id   INTEGER REFERENCES services (id),
    -- `accept-finding`: what a rule holds of an order or a sheet goes as it is, for these cells, by their headers and hashes.
    rule       TEXT CHECK (rule <> ''),
    number     TEXT,
    sheet      TEXT,
    basis      TEXT,
    -- `dismiss`: nobody will mend an order that stayed behind. It holds for this run, and wherever the order has the very same cells.
    run_id     INTEGER REFERENCES runs (id),
    cells      BLOB CHECK (length(cells) = 32),
    -- `remove`: what is personal is removed of what was over before this.
    before_ms  INTEGER,
    orders     INTEGER,
    requests   INTEGER,
    digest     BLOB CHECK (length(digest) = 32),
    -- `forget-statement`: what a courier's statement names may go.
    statement_id INTEGER REFERENCES statements (source_id),
    CONSTRAINT decision_because
        CHECK ((because IS NULL) = (verb = 'remove') AND (because IS NULL OR verb = 'accept-finding' OR trim(because) <> '')),
    CONSTRAINT decision_of_order CHECK ((order_id IS NOT NULL) = (verb IN ('booked', 'not-booked', 'abandoned', 'retry'))
        AND (order_id IS NOT NULL OR attempt_id IS NULL)),
    -- The AWB of `booked`; of `abandoned`, the one that the courier has, where it was booked elsewhere.
    CONSTRAINT decision_awb CHECK (verb = 'abandoned' OR (awb IS NOT NULL) = (verb = 'booked')),
    CONSTRAINT decision_on_ledger
        CHECK ((attempts_noted IS NOT NULL) = (verb = 'accept-ledger') AND (attempts_found IS NOT NULL) = (verb = 'accept-ledger')),
    CONSTRAINT decision_at_service
        CHECK ((service_id IS NOT NULL) = (verb IN ('same-service', 'other-service', 'accept-finding', 'dismiss'))),
    CONSTRAINT two_addresses CHECK ((other_id IS NOT NULL) = (verb IN ('same-service', 'other-service'))
        AND (other_id IS NULL OR service_id < other_id)),
    CONSTRAINT accepted_of_one CHECK ((rule IS NOT NULL) = (verb = 'accept-finding') AND (basis IS NOT NULL) = (verb = 'accept-finding')
        AND (sheet IS NULL OR verb = 'accept-finding')
        AND (number IS NOT NULL) = (verb = 'dismiss' OR (verb = 'accept-finding' AND sheet IS NULL))),
    CONSTRAINT dismissed_in_a_run CHECK ((run_id IS NOT NULL) = (verb = 'dismiss') AND (cells IS NULL OR verb = 'dismiss')
        AND (verb <> 'dismiss' OR number <> '')),
    CONSTRAINT forgotten_statement CHECK ((statement_id IS NOT NULL) = (verb = 'forget-statement')),
    CONSTRAINT removal_with_digest CHECK ((digest IS NOT NULL) = (verb = 'remove') AND (before_ms IS NOT NULL) = (verb = 'remove')
        AND (orders IS NOT NULL) = (verb = 'remove') AND (requests IS NOT NULL) = (verb = 'remove'))
) STRICT;
CREATE INDEX decisions_of_order ON decisions (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX decisions_by_number ON decisions (number, service_id) WHERE number IS NOT NULL;
CREATE INDEX decisions_on_findings ON decisions (service_id) WHERE rule IS NOT NULL;
CREATE INDEX decisions_on_addresses ON decisions (service_id, other_id) WHERE other_id IS NOT NULL;
CREATE INDEX decisions_on_statements ON decisions (statement_id) WHERE statement_id IS NOT NULL;
CREATE INDEX decisions_on_ledger ON decisions (id) WHERE verb = 'accept-ledger';

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
    -- What is left of an answer that a removal took.
    answer_sha256 BLOB CHECK (length(answer_sha256) = 32),
    purge_id    INTEGER REFERENCES decisions (id) DEFERRABLE INITIALLY DEFERRED,
    UNIQUE (order_id, n),
    CONSTRAINT answered_with_outcome CHECK ((answered_ms IS NULL) = (outcome IS NULL)),
    CONSTRAINT answered_with_evidence CHECK ((answered_ms IS NULL) = (evidence_n IS NULL)),
    CONSTRAINT open_is_empty CHECK (answered_ms IS NOT NULL OR
        (status IS NULL AND awb IS NULL AND service_order_id IS NULL AND reason IS NULL AND answer IS NULL
        AND answer_bytes IS NULL)),
    CONSTRAINT attempt_booked_with_awb CHECK (outcome IS DISTINCT FROM 'booked' OR awb IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX attempts_open ON attempts (order_id) WHERE answered_ms IS NULL;

-- Answers that came when their attempt was in doubt already.
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
    answer_sha256 BLOB CHECK (length(answer_sha256) = 32),
    purge_id    INTEGER REFERENCES decisions (id) DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT late_booking_has_awb CHECK (outcome <> 'booked' OR trim(awb) <> '')
) STRICT;

-- Every answered attempt, late answer and decision in their order, each bound by its hash to the one before.
CREATE TABLE evidence (
    n       INTEGER PRIMARY KEY CHECK (n > 0),
    -- What it binds: the kind tells the table, the subject the row, which names this link (`evidence_n`).
    kind    TEXT NOT NULL,
    subject INTEGER NOT NULL,
    hash    BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- The orders of a run, in the sheet's order, and its filled rows that name none: these have places of their own, below 0.
CREATE TABLE run_orders (
    run_id      INTEGER NOT NULL REFERENCES runs (id),
    seq         INTEGER NOT NULL,
    order_id    INTEGER REFERENCES orders (id),
    -- Booked before it came with this run.
    already     INTEGER NOT NULL CHECK (already = 0 OR already = 1),
    -- Problems kept it back: this run does not send it.
    behind      INTEGER NOT NULL DEFAULT 0 CHECK (behind = 0 OR behind = 1),
    -- Where this run's sheet has it, if that is not where the request has it; without the name of the run's first sheet where it
    -- begins with a colon.
    rows        TEXT,
    -- A hash of the cells of an order that was kept back.
    cells       BLOB CHECK (length(cells) = 32),
    PRIMARY KEY (run_id, seq),
    CONSTRAINT without_order_behind CHECK (order_id IS NOT NULL OR (seq < 0 AND already = 0 AND behind = 1)),
    CONSTRAINT behind_with_rows CHECK (behind = 0 OR rows IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX run_orders_once ON run_orders (order_id, run_id);
CREATE INDEX run_orders_behind ON run_orders (order_id) WHERE behind = 1;

CREATE TABLE problems (
    run_id       INTEGER NOT NULL REFERENCES runs (id),
    n            INTEGER NOT NULL,
    -- The order or row that it kept back; none where it kept nothing back.
    seq          INTEGER,
    code         TEXT NOT NULL,
    severity     TEXT NOT NULL CHECK (severity = 'error' OR severity = 'warning'),
    place        TEXT,
    order_number TEXT,
    field        TEXT,
    found        TEXT,
    message      TEXT NOT NULL,
    hint         TEXT NOT NULL,
    -- What it says and what can be done about it, as data: JSON of its case, its parameters, its remedies and what else is said of
    -- the same value.
    detail       TEXT,
    PRIMARY KEY (run_id, n),
    FOREIGN KEY (run_id, seq) REFERENCES run_orders (run_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX problems_of_order ON problems (run_id, seq) WHERE seq IS NOT NULL;

-- Which rows of which sheets stand for which order: a row whose number changes later is no second order.
CREATE TABLE row_sheets (
    id        INTEGER PRIMARY KEY,
    -- Of the file, whatever its name.
    sha256    BLOB NOT NULL CHECK (length(sha256) = 32),
    -- The name of the worksheet; empty where the file has none.
    worksheet TEXT NOT NULL,
    UNIQUE (sha256, worksheet)
) STRICT;
CREATE TABLE sheet_rows (
    sheet_id INTEGER NOT NULL REFERENCES row_sheets (id),
    row      INTEGER NOT NULL CHECK (row > 0),
    order_id INTEGER NOT NULL REFERENCES orders (id),
    PRIMARY KEY (sheet_id, row, order_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sheet_rows_of_order ON sheet_rows (order_id);

-- The numbers that orders had before a person typed another one: what goes under one of them may be the same parcel.
CREATE TABLE former_numbers (
    order_id INTEGER NOT NULL REFERENCES orders (id),
    -- As it came; never the number that the order has.
    number   TEXT NOT NULL CHECK (number <> ''),
    PRIMARY KEY (order_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX former_numbers_by_number ON former_numbers (number);

-- The forms of order numbers by which orders are recognised under another number, as hashes; `ledger::aliases` makes them.
CREATE TABLE aliases (
    value    INTEGER NOT NULL,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    PRIMARY KEY (value, order_id)
) STRICT, WITHOUT ROWID;

-- Sheets that a watcher took out of its folder, the runs that it made, and where it filed the sheets. All are kept.
CREATE TABLE taken_sheets (
    id         INTEGER PRIMARY KEY,
    at_ms      INTEGER NOT NULL,
    user       TEXT NOT NULL,
    host       TEXT NOT NULL,
    service_id INTEGER NOT NULL REFERENCES services (id),
    folder     TEXT NOT NULL,
    name       TEXT NOT NULL CHECK (name <> ''),
    bytes      INTEGER NOT NULL CHECK (bytes >= 0),
    sha256     BLOB NOT NULL CHECK (length(sha256) = 32)
) STRICT;
CREATE INDEX taken_sheets_by_hash ON taken_sheets (sha256);
-- The runs of watchers: of one sheet each, or of what several left outstanding.
CREATE TABLE taken_runs (
    run_id   INTEGER PRIMARY KEY REFERENCES runs (id),
    sheet_id INTEGER REFERENCES taken_sheets (id)
) STRICT;
CREATE INDEX taken_runs_of_sheet ON taken_runs (sheet_id);
-- Where a sheet was put, and under which name; its last row counts. `working` takes it up once more, `inbox` gives it back.
CREATE TABLE filed_sheets (
    id          INTEGER PRIMARY KEY,
    sheet_id    INTEGER NOT NULL REFERENCES taken_sheets (id),
    at_ms       INTEGER NOT NULL,
    tray        TEXT NOT NULL CHECK (tray IN ('done', 'attention', 'failed', 'inbox', 'working', 'gone')),
    name        TEXT NOT NULL CHECK (name <> ''),
    outstanding INTEGER NOT NULL CHECK (outstanding >= 0),
    -- What was said of it, in one line without anything about people.
    said        TEXT
) STRICT;
CREATE INDEX filed_sheets_of_sheet ON filed_sheets (sheet_id);

-- Cancellations that were asked for, each noted before its request leaves. What has no end was sent, or about to be, and never
-- answered: the shipment may be cancelled.
CREATE TABLE cancel_requests (
    id       INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    asked_ms INTEGER NOT NULL,
    user     TEXT NOT NULL,
    host     TEXT NOT NULL,
    ended_ms INTEGER,
    outcome  TEXT CHECK (outcome IN ('cancelled', 'refused', 'unsent', 'unknown')),
    -- What the service said, or why nobody knows.
    said     TEXT,
    CHECK ((ended_ms IS NULL) = (outcome IS NULL))
) STRICT;
CREATE INDEX cancel_requests_of_order ON cancel_requests (order_id);
CREATE TABLE cancellations (
    id            INTEGER PRIMARY KEY,
    order_id      INTEGER NOT NULL REFERENCES orders (id),
    at_ms         INTEGER NOT NULL,
    user          TEXT NOT NULL,
    host          TEXT NOT NULL,
    refund_status TEXT,
    answer        TEXT NOT NULL
) STRICT;
CREATE INDEX cancellations_of_order ON cancellations (order_id);

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
-- Who carries a shipment by a courier's statement, where no answer of the service named anybody. It holds for this AWB of the order;
-- the latest statement counts.
CREATE TABLE statement_carriers (
    id        INTEGER PRIMARY KEY,
    order_id  INTEGER NOT NULL REFERENCES orders (id),
    at_ms     INTEGER NOT NULL,
    user      TEXT NOT NULL,
    host      TEXT NOT NULL,
    awb       TEXT NOT NULL,
    carrier   TEXT NOT NULL CHECK (carrier <> ''),
    statement TEXT NOT NULL,
    sha256    BLOB NOT NULL CHECK (length(sha256) = 32),
    UNIQUE (order_id, awb, sha256)
) STRICT;

-- What was created at the service from here. A warehouse that was sent and never answered stays in `sending`: it may exist.
CREATE TABLE warehouses (
    id           INTEGER PRIMARY KEY,
    service      TEXT NOT NULL,
    name         TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('sending', 'created', 'refused')),
    warehouse_id TEXT,
    body         BLOB NOT NULL,
    answer       TEXT,
    begun_ms     INTEGER NOT NULL,
    user         TEXT NOT NULL,
    host         TEXT NOT NULL,
    CHECK ((state = 'created') = (warehouse_id IS NOT NULL)),
    UNIQUE (service, name)
) STRICT;
CREATE TABLE webhooks (
    id            INTEGER PRIMARY KEY,
    service       TEXT NOT NULL,
    endpoint_id   TEXT NOT NULL,
    url           TEXT NOT NULL,
    enabled       INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    content_type  TEXT NOT NULL,
    registered_ms INTEGER NOT NULL,
    user          TEXT NOT NULL,
    host          TEXT NOT NULL
) STRICT;
-- Events of the service as they came. A repeat has the hash of an earlier one.
CREATE TABLE deliveries (
    id           INTEGER PRIMARY KEY,
    sha256       BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
    received_ms  INTEGER NOT NULL,
    content_type TEXT,
    body         BLOB NOT NULL,
    order_id     INTEGER REFERENCES orders (id)
) STRICT;
CREATE INDEX deliveries_of_order ON deliveries (order_id);
-- Which couriers go between two PIN codes, each with what it takes. Kept for a day.
CREATE TABLE routes (
    service     TEXT NOT NULL,
    origin      TEXT NOT NULL,
    destination TEXT NOT NULL,
    couriers    TEXT NOT NULL CHECK (json_valid(couriers)),
    asked_ms    INTEGER NOT NULL,
    PRIMARY KEY (service, origin, destination)
) STRICT, WITHOUT ROWID;

-- Each place to which the ledger was moved by copying it. Until a home answers a move, this ledger books nothing: the one at the new
-- place does.
CREATE TABLE moves (
    id    INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    user  TEXT NOT NULL,
    host  TEXT NOT NULL,
    path  TEXT NOT NULL CHECK (path <> '')
) STRICT;
-- Where the ledger lives, so that a copy knows that it is one.
CREATE TABLE homes (
    id            INTEGER PRIMARY KEY,
    at_ms         INTEGER NOT NULL,
    user          TEXT NOT NULL,
    host          TEXT NOT NULL,
    path          TEXT NOT NULL CHECK (path <> ''),
    -- Of the file; 0 where the system does not tell.
    inode         INTEGER NOT NULL,
    born_ns       INTEGER NOT NULL,
    -- The person's word that made it the home; none for the first and for those that were noticed.
    acceptance_id INTEGER REFERENCES decisions (id),
    -- The move that it answers.
    move_id       INTEGER UNIQUE REFERENCES moves (id)
) STRICT;
CREATE INDEX homes_of_acceptance ON homes (acceptance_id) WHERE acceptance_id IS NOT NULL;

-- The word that holds for each pair of addresses.
CREATE VIEW address_pairs AS
SELECT w.service_id AS one, w.other_id AS other, CASE w.verb WHEN 'same-service' THEN 1 ELSE 0 END AS is_same FROM decisions w
WHERE w.other_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM decisions l WHERE l.service_id = w.service_id AND l.other_id = w.other_id AND l.id > w.id);

-- All addresses of one service, for each address (`origin`, with the id `asked`): itself, and those that were said to be the same,
-- also by way of others. Whatever looks orders up by their service's address looks here.
CREATE VIEW same_service AS
WITH RECURSIVE reached (asked, id) AS (
    SELECT id, id FROM services
    UNION
    SELECT r.asked, CASE WHEN p.one = r.id THEN p.other ELSE p.one END
    FROM reached r JOIN address_pairs p ON r.id = p.one OR r.id = p.other
    WHERE p.is_same = 1)
SELECT s.origin, r.asked, r.id, r.asked = r.id AS is_own FROM reached r JOIN services s ON s.id = r.asked;

-- Addresses of which nobody has said that they are different services.
CREATE VIEW may_be_same_service AS
SELECT a.id AS asked, b.id AS id FROM services a CROSS JOIN services b
WHERE a.id = b.id OR (a.origin <> 'sandbox' AND b.origin <> 'sandbox' AND NOT EXISTS (
    SELECT 1 FROM address_pairs p CROSS JOIN same_service ours CROSS JOIN same_service theirs
    WHERE p.is_same = 0 AND ours.asked = a.id AND theirs.asked = b.id
        AND p.one = CASE WHEN ours.id < theirs.id THEN ours.id ELSE theirs.id END
        AND p.other = CASE WHEN ours.id < theirs.id THEN theirs.id ELSE ours.id END));

-- Revisions by which an order does not go, each with its reason as people read it.
CREATE VIEW refusals AS
SELECT v.id, v.order_id, v.source_id, v.verdict, v.hold, v.rows, v.sheet,
    CASE WHEN v.verdict = 'dismissed' AND v.hold IS NULL THEN 'dismissed' || coalesce(': ' || (
        SELECT d.because FROM decisions d JOIN orders w ON w.number = d.number
        WHERE w.id = v.order_id AND d.verb = 'dismiss' AND d.service_id IN (SELECT id FROM same_service WHERE asked = w.service_id)
        ORDER BY d.id DESC LIMIT 1), '')
    ELSE CASE WHEN v.hold IS NOT NULL THEN 'held' WHEN v.verdict = 'left-out' THEN 'left out' WHEN v.verdict = 'invalid' THEN 'not valid'
        ELSE v.verdict END || ' in ' || coalesce(v.rows, 'an earlier sheet')
        || CASE WHEN coalesce(v.hold, v.rule) IS NULL THEN '' ELSE ' (' || coalesce(v.hold, v.rule) || ')' END END AS because
FROM revisions v WHERE v.verdict <> 'go' OR v.hold IS NOT NULL;

-- The reason why an order does not go, and the file that gives it. Where a newer source says that it does not, an older one only asks.
CREATE VIEW reasons AS
SELECT o.id AS order_id, v.sheet, v.because
FROM orders o JOIN refusals v ON v.id = CASE WHEN o.verdict = 'go' THEN o.revision_id
    ELSE (SELECT max(w.id) FROM revisions w WHERE w.order_id = o.id AND w.hold IS NULL) END
UNION ALL
SELECT o.id, NULL, 'held, left out or changed in ' || (SELECT min(d.name) FROM draft_holds h JOIN drafts d ON d.id = h.draft_id
    WHERE h.number = o.number AND h.booked = 0) || ', which is open on the local page'
FROM orders o WHERE o.draft_hold = 1 AND o.verdict = 'go' AND o.hold IS NULL;

-- Taken sheets with an order, and nothing but booked ones.
CREATE VIEW taken_and_booked AS
SELECT r.sheet_id FROM taken_runs r JOIN run_tallies t ON t.run_id = r.run_id
WHERE t.booked + t.already_booked > 0 AND t.rows_without_order = 0
    AND t.invalid + t.rejected + t.refused + t.in_doubt + t.outstanding + t.held + t.left_out + t.abandoned = 0;

-- Orders that were kept back although they are booked, because their sheet says something else of them, and that a person dismissed.
CREATE VIEW dismissed_differences AS
SELECT r.run_id, r.seq FROM run_orders r CROSS JOIN orders o ON o.id = r.order_id
WHERE r.behind = 1 AND r.already = 1 AND EXISTS (
    SELECT 1 FROM decisions d CROSS JOIN same_service s ON s.asked = d.service_id AND s.id = o.service_id
    WHERE d.number = o.number AND d.verb = 'dismiss' AND (d.run_id = r.run_id OR d.cells = r.cells));

-- The class in which a run counts each of its orders: the standing, but an order that the run keeps back counts as held by it as long
-- as another run may send it, or where it is booked and its sheet says something else of it.
CREATE VIEW run_classes AS
SELECT r.run_id, r.seq, r.order_id, r.already, r.behind, CASE WHEN r.behind = 0 AND substr(r.rows, 1, 1) = ':'
    THEN coalesce((SELECT n.value FROM runs u CROSS JOIN json_each(u.sheets) n WHERE u.id = r.run_id AND n.key = 0), '') || r.rows
    ELSE r.rows END AS rows, CASE
    WHEN o.id IS NULL THEN 'rows_without_order'
    WHEN r.already = 1 AND o.standing = 'booked' THEN CASE
        WHEN r.behind = 0 THEN 'already_booked'
        WHEN EXISTS (SELECT 1 FROM dismissed_differences d WHERE d.run_id = r.run_id AND d.seq = r.seq) THEN 'dismissed'
        ELSE 'held' END
    WHEN o.standing = 'staged' OR o.standing = 'sending' OR o.standing = 'waiting'
        THEN CASE r.behind WHEN 0 THEN 'outstanding' ELSE 'held' END
    ELSE o.standing END AS class
FROM run_orders r LEFT JOIN orders o ON o.id = r.order_id;

-- Orders with which nothing more will happen: what is personal of them may be removed.
CREATE VIEW orders_over AS
SELECT o.id FROM orders o WHERE o.standing IN ('booked', 'left_out', 'dismissed', 'abandoned') AND NOT EXISTS (
    SELECT 1 FROM cancel_requests c WHERE c.order_id = o.id AND (c.outcome IS NULL OR c.outcome = 'unknown')
        AND NOT EXISTS (SELECT 1 FROM cancellations d WHERE d.order_id = o.id));

-- Orders that were sent and may be booked, or are still to be sent.
CREATE VIEW orders_that_count AS
SELECT o.id, o.service_id, o.number, o.source_standing AS standing, o.awb FROM orders o
WHERE o.source_standing NOT IN ('invalid', 'rejected', 'refused', 'held', 'left_out', 'dismissed', 'abandoned')
    OR o.source_standing IN ('held', 'left_out', 'dismissed', 'abandoned') AND EXISTS (
        SELECT 1 FROM attempts a WHERE a.order_id = o.id
            AND (a.outcome IS NULL OR a.outcome NOT IN ('rejected', 'refused', 'waiting')));
