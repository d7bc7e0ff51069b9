-- Where the ledger lives, so that a copy knows that it is one; and where it went.

-- Each place to which the ledger was moved by copying it. Until a home answers a move, this file books nothing: the one
-- at the new place does.
CREATE TABLE moves (
    id    INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    user  TEXT NOT NULL,
    host  TEXT NOT NULL,
    path  TEXT NOT NULL CHECK (path <> '')
) STRICT;

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
    acceptance_id INTEGER REFERENCES acceptances (id),
    -- The move that it answers.
    move_id       INTEGER UNIQUE REFERENCES moves (id)
) STRICT;
CREATE INDEX homes_of_acceptance ON homes (acceptance_id) WHERE acceptance_id IS NOT NULL;

CREATE TRIGGER moves_frozen BEFORE UPDATE ON moves
BEGIN SELECT RAISE(ABORT, 'moves are final'); END;
CREATE TRIGGER moves_stay BEFORE DELETE ON moves
BEGIN SELECT RAISE(ABORT, 'moves are never deleted'); END;
CREATE TRIGGER moves_once BEFORE INSERT ON moves WHEN EXISTS (SELECT 1 FROM moves WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'moves are final'); END;
CREATE TRIGGER homes_frozen BEFORE UPDATE ON homes
BEGIN SELECT RAISE(ABORT, 'homes are final'); END;
CREATE TRIGGER homes_stay BEFORE DELETE ON homes
BEGIN SELECT RAISE(ABORT, 'homes are never deleted'); END;
CREATE TRIGGER homes_once BEFORE INSERT ON homes WHEN EXISTS (SELECT 1 FROM homes WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'homes are final'); END;

-- The guard of attempts, which now keeps a ledger that was moved away from sending.
DROP TRIGGER attempts_begin;
CREATE TRIGGER attempts_begin BEFORE INSERT ON attempts
WHEN NEW.answered_ms IS NOT NULL
    OR NOT EXISTS (
        SELECT 1 FROM orders
        WHERE id = NEW.order_id AND state = 'sending' AND attempts = NEW.n AND request_id = NEW.request_id)
    OR EXISTS (SELECT 1 FROM attempts WHERE order_id = NEW.order_id AND n = NEW.n)
    OR EXISTS (SELECT 1 FROM attempts WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM moves m WHERE NOT EXISTS (SELECT 1 FROM homes h WHERE h.move_id = m.id))
BEGIN SELECT RAISE(ABORT, 'an attempt begins once, open, with its order sending, in a ledger that is at home'); END;
