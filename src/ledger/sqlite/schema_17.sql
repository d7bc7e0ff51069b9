-- What was said of a sheet when it was put there, in one line without anything about people. Rows from before have none.
ALTER TABLE filed_sheets ADD COLUMN said TEXT;

-- Who carries a shipment by a courier's statement, where no answer of the service named anybody. It holds for this AWB of the
-- order; the latest statement counts.
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
CREATE TRIGGER statement_carriers_frozen BEFORE UPDATE ON statement_carriers
BEGIN SELECT RAISE(ABORT, 'what a statement said is final'); END;
CREATE TRIGGER statement_carriers_stay BEFORE DELETE ON statement_carriers
BEGIN SELECT RAISE(ABORT, 'what a statement said is final'); END;
