-- A person's word that this ledger is right although another one was noted in its place; bound into the evidence.
CREATE TABLE acceptances (
    id             INTEGER PRIMARY KEY,
    at_ms          INTEGER NOT NULL,
    user           TEXT NOT NULL,
    host           TEXT NOT NULL,
    because        TEXT NOT NULL CHECK (trim(because) <> ''),
    attempts_noted INTEGER NOT NULL,
    attempts_found INTEGER NOT NULL,
    evidence_n     INTEGER NOT NULL
) STRICT;

CREATE TRIGGER acceptances_frozen BEFORE UPDATE ON acceptances
BEGIN SELECT RAISE(ABORT, 'acceptances are final'); END;
CREATE TRIGGER acceptances_stay BEFORE DELETE ON acceptances
BEGIN SELECT RAISE(ABORT, 'acceptances are never deleted'); END;
CREATE TRIGGER acceptances_once BEFORE INSERT ON acceptances WHEN EXISTS (SELECT 1 FROM acceptances WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'acceptances are final'); END;

-- The rule of what a link speaks of takes in a third kind: a table's CHECKs change only with the table.
DROP TRIGGER evidence_grows;
DROP TRIGGER evidence_frozen;
DROP TRIGGER evidence_stay;
ALTER TABLE evidence RENAME TO evidence_before;
CREATE TABLE evidence (
    n             INTEGER PRIMARY KEY CHECK (n > 0),
    attempt_id    INTEGER REFERENCES attempts (id),
    decision_id   INTEGER REFERENCES decisions (id),
    acceptance_id INTEGER REFERENCES acceptances (id),
    hash          BLOB NOT NULL CHECK (length(hash) = 32),
    CONSTRAINT evidence_of_one
        CHECK ((attempt_id IS NOT NULL) + (decision_id IS NOT NULL) + (acceptance_id IS NOT NULL) = 1)
) STRICT;
INSERT INTO evidence (n, attempt_id, decision_id, hash)
    SELECT n, attempt_id, decision_id, hash FROM evidence_before ORDER BY n;
DROP TABLE evidence_before;

CREATE TRIGGER evidence_grows BEFORE INSERT ON evidence
WHEN NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM evidence)
    OR NEW.n IS NOT CASE
        WHEN NEW.attempt_id IS NOT NULL THEN (SELECT evidence_n FROM attempts WHERE id = NEW.attempt_id)
        WHEN NEW.decision_id IS NOT NULL THEN (SELECT evidence_n FROM decisions WHERE id = NEW.decision_id)
        ELSE (SELECT evidence_n FROM acceptances WHERE id = NEW.acceptance_id) END
BEGIN SELECT RAISE(ABORT, 'evidence only grows, one by one'); END;
CREATE TRIGGER evidence_frozen BEFORE UPDATE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
CREATE TRIGGER evidence_stay BEFORE DELETE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
