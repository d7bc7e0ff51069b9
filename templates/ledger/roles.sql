-- The two roles of a ledger, with the least rights that do: a station books, a reader looks. Run by the owner of the ledger's
-- database, once the ledger was made, and again after each upgrade. The administrator of the server makes the roles before that
-- (createuser --no-login), for an owner may not, and grants them to the people's own logins after it.
-- No role but the owner changes tables or guards. Nobody deletes but sheets that are open at the desk, and routes: the guards stand
-- against that even for the owner.

DO $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['shipsheet_station', 'shipsheet_reader'] LOOP
        IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = role) THEN
            CONTINUE;
        END IF;
        IF NOT (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user) THEN
            RAISE EXCEPTION 'the role % is not there, and % may not make it', role, current_user
                USING HINT = format('have the administrator of the server run CREATE ROLE %s NOLOGIN, then run this file again', role);
        END IF;
        EXECUTE format('CREATE ROLE %I NOLOGIN', role);
    END LOOP;
END $$;

REVOKE ALL ON SCHEMA shipsheet FROM PUBLIC;
GRANT USAGE ON SCHEMA shipsheet TO shipsheet_station, shipsheet_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA shipsheet TO shipsheet_station, shipsheet_reader;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA shipsheet TO shipsheet_station, shipsheet_reader;

-- What only grows, and what a station also changes as it goes on.
GRANT INSERT ON ALL TABLES IN SCHEMA shipsheet TO shipsheet_station;
GRANT UPDATE ON shipsheet.orders, shipsheet.attempts, shipsheet.runs, shipsheet.run_tallies, shipsheet.cancel_requests,
    shipsheet.warehouses, shipsheet.routes, shipsheet.draft_holds, shipsheet.stations, shipsheet.shares TO shipsheet_station;
GRANT DELETE ON shipsheet.routes, shipsheet.drafts, shipsheet.draft_pieces, shipsheet.draft_notes,
    shipsheet.draft_holds TO shipsheet_station;
-- Which ledger it is, and which layout it has, is the owner's.
REVOKE INSERT ON shipsheet.identity, shipsheet.layouts FROM shipsheet_station;
