-- The numbers that orders had before a person typed another one: what goes under one of them may be the same parcel.
CREATE TABLE former_numbers (
    order_id bigint NOT NULL REFERENCES orders (id),
    -- As it came; never the number that the order has.
    number   text COLLATE "C" NOT NULL CHECK (number <> ''),
    PRIMARY KEY (order_id, number)
);
CREATE INDEX former_numbers_by_number ON former_numbers (number);
CREATE TRIGGER former_numbers_frozen BEFORE UPDATE ON former_numbers FOR EACH ROW
    EXECUTE FUNCTION refuse('former numbers never change');
CREATE TRIGGER former_numbers_stay BEFORE DELETE ON former_numbers FOR EACH ROW
    EXECUTE FUNCTION refuse('former numbers are never deleted');
CREATE TRIGGER former_numbers_not_emptied BEFORE TRUNCATE ON former_numbers
    EXECUTE FUNCTION refuse('a ledger is never emptied');
