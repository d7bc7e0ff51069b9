-- What tells the shipment of a late request from others, so that nobody has to unpack requests to compare with them. It is made
-- of the request, which can be asked again: rows go once they are old.
CREATE TABLE shipments (
    request_id bigint PRIMARY KEY REFERENCES requests (id),
    -- Its order, and when it was staged: what is asked of twenty thousand requests is read without their bodies.
    order_id   bigint NOT NULL REFERENCES orders (id),
    staged_ms  bigint NOT NULL,
    -- How it was made; one that was made in another way says nothing.
    form       bigint NOT NULL,
    -- None where nothing tells it.
    hash       bigint
);

-- AWBs that are written with something between their characters, in small letters or with zeros in front, as others may
-- write them.
CREATE INDEX orders_by_bare_awb ON orders (service_id,
    ltrim(upper(replace(replace(replace(replace(replace(awb, '-', ''), '/', ''), '_', ''), '.', ''), '#', '')), '0'))
WHERE awb <> ltrim(upper(replace(replace(replace(replace(replace(awb, '-', ''), '/', ''), '_', ''), '.', ''), '#', '')), '0');
