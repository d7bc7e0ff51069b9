-- What was created at the service from here. Nothing in it moves an order.

-- Warehouses that were created from here. What was sent and never answered stays in `sending`: it may exist.
CREATE TABLE warehouses (
    id INTEGER PRIMARY KEY,
    service TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('sending', 'created', 'refused')),
    warehouse_id TEXT,
    body BLOB NOT NULL,
    answer TEXT,
    begun_ms INTEGER NOT NULL,
    user TEXT NOT NULL,
    host TEXT NOT NULL,
    CHECK ((state = 'created') = (warehouse_id IS NOT NULL)),
    UNIQUE (service, name)
) STRICT;

CREATE TRIGGER created_warehouses_stay BEFORE UPDATE ON warehouses WHEN OLD.state = 'created'
BEGIN
    SELECT raise(ABORT, 'a created warehouse never changes');
END;

CREATE TRIGGER warehouses_stay BEFORE DELETE ON warehouses
BEGIN
    SELECT raise(ABORT, 'warehouses are never deleted');
END;
