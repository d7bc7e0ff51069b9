-- The orders that a newer sheet took back, and no person: what was given up by it, and by which sheet.
CREATE TABLE withdrawals (
    decision_id INTEGER PRIMARY KEY REFERENCES decisions (id),
    verdict     TEXT NOT NULL CHECK (verdict IN ('cancelled', 'left-out', 'held', 'invalid')),
    -- The SHA-256 of the sheet's file; of none where it came through standard input.
    sheet       BLOB CHECK (length(sheet) = 32)
) STRICT;
CREATE TRIGGER withdrawals_frozen BEFORE UPDATE ON withdrawals
BEGIN SELECT RAISE(ABORT, 'decisions are final'); END;
CREATE TRIGGER withdrawals_stay BEFORE DELETE ON withdrawals
BEGIN SELECT RAISE(ABORT, 'decisions are never deleted'); END;
