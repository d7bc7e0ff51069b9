-- The two roles of a ledger, with the least rights that do: a station books, a reader looks. Run by the owner of the ledger's
-- database, once, after the ledger was made; then GRANT shipsheet_station or shipsheet_reader to the people's own logins.
-- No role but the owner changes tables or guards, and nobody deletes: the guards stand against that even for the owner.

DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'shipsheet_station') THEN
        CREATE ROLE shipsheet_station NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'shipsheet_reader') THEN
        CREATE ROLE shipsheet_reader NOLOGIN;
    END IF;
END $$;

REVOKE ALL ON SCHEMA shipsheet FROM PUBLIC;
GRANT USAGE ON SCHEMA shipsheet TO shipsheet_station, shipsheet_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA shipsheet TO shipsheet_station, shipsheet_reader;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA shipsheet TO shipsheet_station, shipsheet_reader;

-- What only grows, and what a station also changes as it goes on.
GRANT INSERT ON ALL TABLES IN SCHEMA shipsheet TO shipsheet_station;
GRANT UPDATE ON shipsheet.orders, shipsheet.attempts, shipsheet.runs, shipsheet.run_tallies, shipsheet.cancel_requests,
    shipsheet.warehouses, shipsheet.routes, shipsheet.stations, shipsheet.shares TO shipsheet_station;
GRANT DELETE ON shipsheet.routes, shipsheet.shipments TO shipsheet_station;
-- Which ledger it is, and which layout it has, is the owner's.
REVOKE INSERT ON shipsheet.identity, shipsheet.layouts FROM shipsheet_station;
