-- What happens to shipments after they were booked. Nothing here moves an order's state.

CREATE TABLE cancellations (
    id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    at_ms INTEGER NOT NULL,
    user TEXT NOT NULL,
    host TEXT NOT NULL,
    refund_status TEXT,
    answer TEXT NOT NULL
) STRICT;
CREATE INDEX cancellations_of_order ON cancellations (order_id);

CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY,
    service TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    url TEXT NOT NULL,
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    content_type TEXT NOT NULL,
    registered_ms INTEGER NOT NULL,
    user TEXT NOT NULL,
    host TEXT NOT NULL
) STRICT;

-- Deliveries as they came. A repeat has the hash of an earlier one.
CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY,
    sha256 BLOB NOT NULL UNIQUE CHECK (length(sha256) = 32),
    received_ms INTEGER NOT NULL,
    content_type TEXT,
    body BLOB NOT NULL,
    order_id INTEGER REFERENCES orders (id)
) STRICT;
CREATE INDEX deliveries_of_order ON deliveries (order_id);

CREATE TRIGGER cancellations_stay BEFORE DELETE ON cancellations
BEGIN
    SELECT raise(ABORT, 'cancellations are never deleted');
END;

CREATE TRIGGER cancellations_frozen BEFORE UPDATE ON cancellations
BEGIN
    SELECT raise(ABORT, 'cancellations never change');
END;
