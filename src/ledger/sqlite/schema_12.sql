-- What people accepted of what rules held: a rule, an order or a sheet, and the cells that it was given for, by their headers
-- and hashes. All are kept, and bound into the evidence.
CREATE TABLE accepted_findings (
    id         INTEGER PRIMARY KEY,
    at_ms      INTEGER NOT NULL,
    user       TEXT NOT NULL,
    host       TEXT NOT NULL,
    service_id INTEGER NOT NULL REFERENCES services (id),
    rule       TEXT NOT NULL CHECK (rule <> ''),
    number     TEXT,
    sheet      TEXT,
    basis      TEXT NOT NULL,
    because    TEXT NOT NULL,
    evidence_n INTEGER NOT NULL,
    CONSTRAINT accepted_of_one CHECK ((number IS NOT NULL) + (sheet IS NOT NULL) = 1)
) STRICT;

CREATE INDEX accepted_findings_by_number ON accepted_findings (number);

CREATE TRIGGER accepted_findings_frozen BEFORE UPDATE ON accepted_findings
BEGIN SELECT RAISE(ABORT, 'what was accepted is final'); END;
CREATE TRIGGER accepted_findings_stay BEFORE DELETE ON accepted_findings
BEGIN SELECT RAISE(ABORT, 'what was accepted is never deleted'); END;
CREATE TRIGGER accepted_findings_once BEFORE INSERT ON accepted_findings
WHEN EXISTS (SELECT 1 FROM accepted_findings WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'what was accepted is final'); END;

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
    accepted_finding_id INTEGER REFERENCES accepted_findings (id),
    hash          BLOB NOT NULL CHECK (length(hash) = 32),
    CONSTRAINT evidence_of_one CHECK ((attempt_id IS NOT NULL) + (decision_id IS NOT NULL)
        + (acceptance_id IS NOT NULL) + (address_word_id IS NOT NULL) + (late_answer_id IS NOT NULL)
        + (accepted_finding_id IS NOT NULL) = 1)
) STRICT;
INSERT INTO evidence (n, attempt_id, decision_id, acceptance_id, address_word_id, late_answer_id, hash)
    SELECT n, attempt_id, decision_id, acceptance_id, address_word_id, late_answer_id, hash FROM evidence_before ORDER BY n;
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
        ELSE (SELECT evidence_n FROM acceptances WHERE id = NEW.acceptance_id) END
BEGIN SELECT RAISE(ABORT, 'evidence only grows, one by one'); END;
CREATE TRIGGER evidence_frozen BEFORE UPDATE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
CREATE TRIGGER evidence_stay BEFORE DELETE ON evidence
BEGIN SELECT RAISE(ABORT, 'evidence never changes'); END;
