-- What the service said of pairs of PIN codes. Kept for a day; nothing here moves an order.
CREATE TABLE routes (
    service TEXT NOT NULL,
    origin TEXT NOT NULL,
    destination TEXT NOT NULL,
    prepaid INTEGER NOT NULL CHECK (prepaid IN (0, 1)),
    cod INTEGER NOT NULL CHECK (cod IN (0, 1)),
    asked_ms INTEGER NOT NULL,
    PRIMARY KEY (service, origin, destination)
) STRICT, WITHOUT ROWID;
