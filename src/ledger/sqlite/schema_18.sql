-- What tells the shipment of a late request from others, so that nobody has to unpack requests to compare with them. It is made
-- of the request, which can be asked again: rows go once they are old, or with what is personal.
CREATE TABLE shipments (
    request_id INTEGER PRIMARY KEY REFERENCES requests (id),
    -- Its order, and when it was staged: what is asked of twenty thousand requests is read without their bodies.
    order_id   INTEGER NOT NULL REFERENCES orders (id),
    staged_ms  INTEGER NOT NULL,
    -- How it was made; one that was made in another way says nothing.
    form       INTEGER NOT NULL,
    -- None where nothing tells it.
    hash       INTEGER
) STRICT;

-- Of a backup: what tells the folder with what was open at the desk that was copied along. Nobody books with it where that folder
-- does not lie beside it, unless a person accepts that; the row goes then.
CREATE TABLE desk_copies (name TEXT PRIMARY KEY) STRICT;

-- AWBs that are written with something between their characters, in small letters or with zeros in front, as others may
-- write them.
CREATE INDEX orders_by_bare_awb ON orders (service_id,
    ltrim(upper(replace(replace(replace(replace(replace(awb, '-', ''), '/', ''), '_', ''), '.', ''), '#', '')), '0'))
WHERE awb <> ltrim(upper(replace(replace(replace(replace(replace(awb, '-', ''), '/', ''), '_', ''), '.', ''), '#', '')), '0');
