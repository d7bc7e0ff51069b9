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
    outstanding INTEGER NOT NULL CHECK (outstanding >= 0)
) STRICT;
CREATE INDEX filed_sheets_of_sheet ON filed_sheets (sheet_id);

-- Runs of taken sheets with an order, and nothing but booked ones.
CREATE VIEW taken_and_booked AS
    SELECT r.sheet_id FROM taken_runs r JOIN run_tallies t ON t.run_id = r.run_id
    WHERE t.booked + t.already_booked > 0 AND t.rows_without_order = 0
        AND t.invalid + t.rejected + t.refused + t.in_doubt + t.outstanding + t.abandoned = 0;

CREATE TRIGGER filed_sheets_done BEFORE INSERT ON filed_sheets
WHEN NEW.tray = 'done' AND NOT EXISTS (SELECT 1 FROM taken_and_booked WHERE sheet_id = NEW.sheet_id)
BEGIN SELECT RAISE(ABORT, 'a sheet is done once every order of it is booked'); END;

CREATE TRIGGER taken_sheets_frozen BEFORE UPDATE ON taken_sheets
BEGIN SELECT RAISE(ABORT, 'what was taken is final'); END;
CREATE TRIGGER taken_sheets_stay BEFORE DELETE ON taken_sheets
BEGIN SELECT RAISE(ABORT, 'what was taken is never deleted'); END;
CREATE TRIGGER taken_runs_frozen BEFORE UPDATE ON taken_runs
BEGIN SELECT RAISE(ABORT, 'what was taken is final'); END;
CREATE TRIGGER taken_runs_stay BEFORE DELETE ON taken_runs
BEGIN SELECT RAISE(ABORT, 'what was taken is never deleted'); END;
CREATE TRIGGER filed_sheets_frozen BEFORE UPDATE ON filed_sheets
BEGIN SELECT RAISE(ABORT, 'what was filed is final'); END;
CREATE TRIGGER filed_sheets_stay BEFORE DELETE ON filed_sheets
BEGIN SELECT RAISE(ABORT, 'what was filed is never deleted'); END;
