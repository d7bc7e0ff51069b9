-- The numbers that orders had before a person typed another one: what goes under one of them may be the same parcel.
CREATE TABLE former_numbers (
    order_id INTEGER NOT NULL REFERENCES orders (id),
    -- As it came; never the number that the order has.
    number   TEXT NOT NULL CHECK (number <> ''),
    PRIMARY KEY (order_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX former_numbers_by_number ON former_numbers (number);
CREATE TRIGGER former_numbers_frozen BEFORE UPDATE ON former_numbers
BEGIN SELECT RAISE(ABORT, 'former numbers never change'); END;
CREATE TRIGGER former_numbers_stay BEFORE DELETE ON former_numbers
BEGIN SELECT RAISE(ABORT, 'former numbers are never deleted'); END;
