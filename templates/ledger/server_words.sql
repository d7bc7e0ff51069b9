-- What a server needs before the tables. A ledger lies in the schema `shipsheet` of its database. Truth values that a file keeps as 0
-- and 1 are kept so here too: the statements are the same for both.

-- Where a guard stands in the way.
CREATE FUNCTION refuse_now(what text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING MESSAGE = what, ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
END $$;

-- What statements ask for by the names that SQLite has.
CREATE FUNCTION hex(bytes bytea) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT upper(encode(bytes, 'hex')) $$;
CREATE FUNCTION instr(within text, what text) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT strpos(within, what) $$;
CREATE FUNCTION instr(within bytea, what bytea) RETURNS int LANGUAGE sql IMMUTABLE AS $$ SELECT position(what IN within) $$;
CREATE FUNCTION strftime(form text, seconds bigint, since text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT to_char(to_timestamp(seconds) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;
CREATE FUNCTION json_extract(document text, place text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT document::json ->> substr(place, 3)
$$;
CREATE FUNCTION json_of_parts(VARIADIC parts text[]) RETURNS json LANGUAGE sql IMMUTABLE AS $$
    SELECT pg_catalog.json_object(parts)
$$;
CREATE FUNCTION json_rows(document text) RETURNS TABLE (key bigint, value text) LANGUAGE sql IMMUTABLE AS $$
    SELECT n - 1, element FROM json_array_elements_text(document::json) WITH ORDINALITY AS x (element, n)
$$;
CREATE FUNCTION json_valid(document text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT document::json IS NOT NULL $$;
CREATE FUNCTION unhex(digits text) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT decode(digits, 'hex') $$;
CREATE FUNCTION zeroblob(n int) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$ SELECT decode(repeat('00', n), 'hex') $$;
-- Runs are counted without gaps: people read their numbers. Whoever begins one holds the ledger's lock.
CREATE FUNCTION next_run() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT coalesce(max(id), 0) + 1 FROM runs);
END $$;
