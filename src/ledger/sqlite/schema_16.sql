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
CREATE TRIGGER row_sheets_frozen BEFORE UPDATE ON row_sheets
BEGIN SELECT RAISE(ABORT, 'the sheets of orders never change'); END;
CREATE TRIGGER row_sheets_stay BEFORE DELETE ON row_sheets
BEGIN SELECT RAISE(ABORT, 'the sheets of orders are never deleted'); END;
CREATE TRIGGER sheet_rows_frozen BEFORE UPDATE ON sheet_rows
BEGIN SELECT RAISE(ABORT, 'the rows of orders never change'); END;
CREATE TRIGGER sheet_rows_stay BEFORE DELETE ON sheet_rows
BEGIN SELECT RAISE(ABORT, 'the rows of orders are never deleted'); END;

-- Orders that were sent and may be booked, or are still to be sent.
CREATE VIEW orders_that_count AS
SELECT o.id, o.service_id, o.number, o.state, o.awb FROM orders o
WHERE o.state NOT IN ('rejected', 'refused', 'abandoned') OR o.state = 'abandoned' AND EXISTS (
    SELECT 1 FROM attempts a WHERE a.order_id = o.id
        AND (a.outcome IS NULL OR a.outcome NOT IN ('rejected', 'refused', 'waiting')));
