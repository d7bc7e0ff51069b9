-- Cancellations that were asked for, each noted before its request leaves. What has no end was sent, or about to be, and
-- never answered: the shipment may be cancelled.
CREATE TABLE cancel_requests (
    id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    asked_ms INTEGER NOT NULL,
    user TEXT NOT NULL,
    host TEXT NOT NULL,
    ended_ms INTEGER,
    outcome TEXT CHECK (outcome IN ('cancelled', 'refused', 'unsent', 'unknown')),
    -- What the service said, or why nobody knows.
    said TEXT,
    CHECK ((ended_ms IS NULL) = (outcome IS NULL))
) STRICT;
CREATE INDEX cancel_requests_of_order ON cancel_requests (order_id);

CREATE TRIGGER cancel_requests_stay BEFORE DELETE ON cancel_requests
BEGIN
    SELECT raise(ABORT, 'requests for a cancellation are never deleted');
END;

CREATE TRIGGER cancel_requests_end_once BEFORE UPDATE ON cancel_requests WHEN OLD.outcome IS NOT NULL
BEGIN
    SELECT raise(ABORT, 'a request for a cancellation ends once');
END;

-- Which couriers go between two PIN codes, each with what it takes. What was kept without them is asked for again.
DROP TABLE routes;
CREATE TABLE routes (
    service TEXT NOT NULL,
    origin TEXT NOT NULL,
    destination TEXT NOT NULL,
    couriers TEXT NOT NULL CHECK (json_valid(couriers)),
    asked_ms INTEGER NOT NULL,
    PRIMARY KEY (service, origin, destination)
) STRICT, WITHOUT ROWID;
