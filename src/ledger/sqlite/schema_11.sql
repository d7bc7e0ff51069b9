-- What a problem says and what can be done about it, as data: JSON of its case, its parameters, its remedies and what else is
-- said of the same value. Rows from before have their words instead.
ALTER TABLE problems ADD COLUMN detail TEXT;

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
    abandoned      INTEGER NOT NULL
) STRICT;

CREATE TRIGGER run_ends_are_for_good BEFORE UPDATE ON run_ends
BEGIN
    SELECT raise(ABORT, 'what a run came to is for good');
END;
