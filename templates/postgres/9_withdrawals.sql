-- The orders that a newer sheet took back, and no person: what was given up by it, and by which sheet.
CREATE TABLE withdrawals (
    decision_id bigint PRIMARY KEY REFERENCES decisions (id),
    verdict     text NOT NULL CHECK (verdict IN ('cancelled', 'left-out', 'held', 'invalid')),
    -- The SHA-256 of the sheet's file; of none where it came through standard input.
    sheet       bytea CHECK (octet_length(sheet) = 32)
);
CREATE TRIGGER withdrawals_frozen BEFORE UPDATE ON withdrawals FOR EACH ROW
    EXECUTE FUNCTION refuse('decisions are final');
CREATE TRIGGER withdrawals_stay BEFORE DELETE ON withdrawals FOR EACH ROW
    EXECUTE FUNCTION refuse('decisions are never deleted');
CREATE TRIGGER withdrawals_not_emptied BEFORE TRUNCATE ON withdrawals
    EXECUTE FUNCTION refuse('a ledger is never emptied');
