SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE SCHEMA shipsheet;
CREATE FUNCTION shipsheet.attempts_answered_once() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF OLD.id IS DISTINCT FROM NEW.id OR OLD.order_id IS DISTINCT FROM NEW.order_id OR OLD.n IS DISTINCT FROM NEW.n
        OR OLD.request_id IS DISTINCT FROM NEW.request_id OR OLD.run_id IS DISTINCT FROM NEW.run_id
        OR OLD.intent_ms IS DISTINCT FROM NEW.intent_ms OR NEW.answered_ms IS NULL THEN
        PERFORM refuse_now('an attempt is answered once and keeps what it was');
    ELSIF OLD.answered_ms IS NULL THEN
        IF NEW.purge_id IS NOT NULL OR NEW.answer_sha256 IS NOT NULL THEN
            PERFORM refuse_now('an attempt is answered once and keeps what it was');
        END IF;
    ELSIF OLD.purge_id IS NOT NULL OR NEW.purge_id IS NULL OR NEW.reason IS NOT NULL OR NEW.answer IS NOT NULL
        OR (NEW.answer_sha256 IS NULL) IS DISTINCT FROM (OLD.answer IS NULL)
        OR NEW.answered_ms IS DISTINCT FROM OLD.answered_ms OR NEW.outcome IS DISTINCT FROM OLD.outcome
        OR NEW.status IS DISTINCT FROM OLD.status OR NEW.awb IS DISTINCT FROM OLD.awb
        OR NEW.service_order_id IS DISTINCT FROM OLD.service_order_id
        OR NEW.answer_bytes IS DISTINCT FROM OLD.answer_bytes OR NEW.evidence_n IS DISTINCT FROM OLD.evidence_n
        OR NOT EXISTS (SELECT 1 FROM orders_over WHERE id = OLD.order_id) THEN
        PERFORM refuse_now('an attempt is answered once and keeps what it was');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.attempts_begin() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF (NEW.answered_ms IS NOT NULL
    OR NOT EXISTS (
        SELECT 1 FROM orders
        WHERE id = NEW.order_id AND state = 'sending' AND attempts = NEW.n AND request_id = NEW.request_id)
    OR EXISTS (SELECT 1 FROM attempts WHERE order_id = NEW.order_id AND n = NEW.n)
    OR EXISTS (SELECT 1 FROM attempts WHERE id = NEW.id)) THEN
        PERFORM refuse_now('an attempt begins once, open, with its order sending, in a ledger that is at home');
    END IF;
    -- Hardly ever is there any at all.
    IF EXISTS (SELECT 1 FROM moves) THEN
        IF EXISTS (SELECT 1 FROM moves m WHERE NOT EXISTS (SELECT 1 FROM homes h WHERE h.move_id = m.id)) THEN
            PERFORM refuse_now('an attempt begins once, open, with its order sending, in a ledger that is at home');
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.attempts_closed_by() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.epoch IS DISTINCT FROM OLD.epoch OR NEW.closed_by IS DISTINCT FROM OLD.closed_by THEN
        PERFORM refuse_now('an attempt stays its session''s');
    ELSIF OLD.answered_ms IS NULL AND NEW.answered_ms IS NOT NULL THEN
        IF OLD.epoch IS NOT NULL AND OLD.epoch IS DISTINCT FROM own_epoch() AND NOT EXISTS (
            SELECT 1 FROM stations WHERE epoch = OLD.epoch AND (ended IS NOT NULL OR fenced IS NOT NULL)
                AND (NEW.outcome = 'in_doubt' OR station = own_station())) THEN
            PERFORM refuse_now('an attempt is answered by the session that began it');
        END IF;
        NEW.closed_by := own_epoch();
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.attempts_of_session() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM 1 FROM stations WHERE epoch = own_epoch() AND ended IS NULL AND fenced IS NULL
        AND lease_until > clock_timestamp() FOR SHARE;
    IF NOT FOUND THEN
        PERFORM refuse_now('this station''s session is over: it sends nothing any more');
    ELSIF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
        PERFORM refuse_now('an intent is on the disk before anything is sent');
    END IF;
    NEW.epoch := own_epoch();
    NEW.closed_by := NULL;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.attempts_of_the_unbraked() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    -- Hardly ever is there any at all.
    IF EXISTS (SELECT 1 FROM brakes WHERE at > (SELECT since FROM stations WHERE epoch = own_epoch())) THEN
        IF EXISTS (SELECT 1 FROM brakes_held b JOIN orders o ON o.service_id = b.service_id WHERE o.id = NEW.order_id) THEN
            PERFORM refuse_now('another station has stopped all stations of this service');
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.brakes_begin() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.epoch IS DISTINCT FROM own_epoch() OR EXISTS (SELECT 1 FROM brakes WHERE id = NEW.id) THEN
        PERFORM refuse_now('a brake is pulled by its own station');
    END IF;
    NEW.at := clock_timestamp();
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.decisions_of_the_heard() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.verb = 'not-booked' AND EXISTS (SELECT 1 FROM attempts_unheard WHERE order_id = NEW.order_id) THEN
        PERFORM refuse_now('the station that sent this order was not heard since');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.dismissals_once() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF (EXISTS (SELECT 1 FROM dismissals WHERE id = NEW.id)
    OR NOT EXISTS (SELECT 1 FROM run_invalid WHERE run_id = NEW.run_id AND number = NEW.number AND cells IS NOT DISTINCT FROM NEW.cells)) THEN
        PERFORM refuse_now('a dismissal is final, and of an order that stayed behind');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.evidence_grows() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.n <> (SELECT coalesce(max(n), 0) + 1 FROM evidence) THEN
        PERFORM refuse_now('evidence only grows, one by one');
    END IF;
    -- Nearly all of it is of attempts.
    IF NEW.attempt_id IS NOT NULL THEN
        IF NEW.n IS DISTINCT FROM (SELECT evidence_n FROM attempts WHERE id = NEW.attempt_id) THEN
            PERFORM refuse_now('evidence only grows, one by one');
        END IF;
    ELSIF (NEW.n IS DISTINCT FROM CASE
        WHEN NEW.decision_id IS NOT NULL THEN (SELECT evidence_n FROM decisions WHERE id = NEW.decision_id)
        WHEN NEW.address_word_id IS NOT NULL THEN (SELECT evidence_n FROM address_words WHERE id = NEW.address_word_id)
        WHEN NEW.late_answer_id IS NOT NULL THEN (SELECT evidence_n FROM late_answers WHERE id = NEW.late_answer_id)
        WHEN NEW.accepted_finding_id IS NOT NULL
            THEN (SELECT evidence_n FROM accepted_findings WHERE id = NEW.accepted_finding_id)
        WHEN NEW.dismissal_id IS NOT NULL THEN (SELECT evidence_n FROM dismissals WHERE id = NEW.dismissal_id)
        WHEN NEW.purge_id IS NOT NULL THEN (SELECT evidence_n FROM purges WHERE id = NEW.purge_id)
        ELSE (SELECT evidence_n FROM acceptances WHERE id = NEW.acceptance_id) END) THEN
        PERFORM refuse_now('evidence only grows, one by one');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.filed_sheets_done() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF (NEW.tray = 'done' AND NOT EXISTS (SELECT 1 FROM taken_and_booked WHERE sheet_id = NEW.sheet_id)) THEN
        PERFORM refuse_now('a sheet is done once every order of it is booked');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.freights_of_shipments() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF (NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id AND state = 'booked')
    OR EXISTS (SELECT 1 FROM freights WHERE id = NEW.id)) THEN
        PERFORM refuse_now('only a booked order has a freight, and a freight is final');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.hex(bytes bytea) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT upper(encode(bytes, 'hex')) $$;
CREATE FUNCTION shipsheet.instr(within bytea, what bytea) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT position(what IN within) $$;
CREATE FUNCTION shipsheet.instr(within text, what text) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT strpos(within, what) $$;
CREATE FUNCTION shipsheet.is_open(state text) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT (state = 'staged' OR state = 'sending' OR state = 'waiting')::int::bigint
$$;
CREATE FUNCTION shipsheet.json_extract(document text, place text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT document::json ->> substr(place, 3)
$$;
CREATE FUNCTION shipsheet.json_of_parts(VARIADIC parts text[]) RETURNS json
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT pg_catalog.json_object(parts)
$$;
CREATE FUNCTION shipsheet.late_answers_begin() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF (NOT EXISTS (SELECT 1 FROM attempts WHERE id = NEW.attempt_id AND outcome = 'in_doubt')
    OR EXISTS (SELECT 1 FROM late_answers WHERE id = NEW.id)) THEN
        PERFORM refuse_now('a late answer belongs to an attempt that is in doubt');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.late_answers_frozen() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF (OLD.purge_id IS NOT NULL OR NEW.purge_id IS NULL OR NEW.reason IS NOT NULL OR NEW.answer IS NOT NULL
    OR (NEW.answer_sha256 IS NULL) IS DISTINCT FROM (OLD.answer IS NULL)
    OR NEW.id IS DISTINCT FROM OLD.id OR NEW.attempt_id IS DISTINCT FROM OLD.attempt_id OR NEW.answered_ms IS DISTINCT FROM OLD.answered_ms
    OR NEW.at_ms IS DISTINCT FROM OLD.at_ms OR NEW.outcome IS DISTINCT FROM OLD.outcome OR NEW.status IS DISTINCT FROM OLD.status
    OR NEW.awb IS DISTINCT FROM OLD.awb OR NEW.service_order_id IS DISTINCT FROM OLD.service_order_id OR NEW.carrier IS DISTINCT FROM OLD.carrier
    OR NEW.service_level IS DISTINCT FROM OLD.service_level OR NEW.old_answer IS DISTINCT FROM OLD.old_answer
    OR NEW.answer_bytes IS DISTINCT FROM OLD.answer_bytes OR NEW.evidence_n IS DISTINCT FROM OLD.evidence_n
    OR NOT EXISTS (SELECT 1 FROM attempts a JOIN orders_over o ON o.id = a.order_id WHERE a.id = OLD.attempt_id)) THEN
        PERFORM refuse_now('late answers are final');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.late_answers_of_station() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM attempts a LEFT JOIN stations s ON s.epoch = a.epoch
        WHERE a.id = NEW.attempt_id AND (a.epoch IS NULL OR s.station = own_station())) THEN
        PERFORM refuse_now('a late answer comes from the station that sent');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.next_run() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN (SELECT coalesce(max(id), 0) + 1 FROM runs);
END $$;
CREATE FUNCTION shipsheet.orders_begin() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF (NEW.state <> 'staged' OR NEW.attempts <> 0
    OR EXISTS (SELECT 1 FROM orders WHERE service_id = NEW.service_id AND number = NEW.number)
    OR EXISTS (SELECT 1 FROM orders WHERE id = NEW.id)) THEN
        PERFORM refuse_now('an order begins once, as staged');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.orders_sent_at_one_address() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.state = 'sending' AND OLD.state <> 'sending' THEN
        -- Hardly ever is there any at all.
        IF EXISTS (SELECT 1 FROM address_words) THEN
            IF EXISTS (
                SELECT 1 FROM same_service s JOIN orders o ON o.service_id = s.id AND o.number = NEW.number
                WHERE s.asked = NEW.service_id AND o.id <> NEW.id
                    AND (o.state = 'booked' OR o.state = 'sending' OR o.state = 'in_doubt' OR o.state = 'abandoned')) THEN
                PERFORM refuse_now('the same service has this order at another address');
            END IF;
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.orders_step() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.id IS DISTINCT FROM OLD.id OR NEW.service_id IS DISTINCT FROM OLD.service_id OR NEW.number IS DISTINCT FROM OLD.number
        OR NEW.created_ms IS DISTINCT FROM OLD.created_ms THEN
        PERFORM refuse_now('the identity of an order never changes');
    END IF;
    -- What leaves `sending` leaves with an answer that says so.
    IF OLD.state = 'sending' AND NEW.state <> OLD.state THEN
        IF NOT EXISTS (
            SELECT 1 FROM attempts
            WHERE order_id = OLD.id AND n = OLD.attempts AND outcome = NEW.state
                AND (NEW.state <> 'booked' OR awb = NEW.awb)) THEN
            PERFORM refuse_now('the attempt has no such answer');
        END IF;
    END IF;
    -- What leaves `in_doubt` leaves by a person's word on this very attempt, or by its answer, however late.
    IF OLD.state = 'in_doubt' AND NEW.state <> OLD.state THEN
        IF NOT EXISTS (
            SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts
                AND d.verb = CASE NEW.state WHEN 'staged' THEN 'not-booked' ELSE NEW.state END
                AND (NEW.state <> 'booked' OR d.awb = NEW.awb))
            AND NOT EXISTS (
            SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
            WHERE a.order_id = OLD.id AND l.outcome = NEW.state
                AND ((NEW.state = 'booked' AND l.awb = NEW.awb) OR (NEW.state <> 'booked' AND a.n = OLD.attempts))) THEN
            PERFORM refuse_now('an order in doubt needs a decision');
        END IF;
    END IF;
    IF (NEW.state <> OLD.state AND NOT CASE OLD.state
        WHEN 'staged'    THEN NEW.state = 'sending' OR NEW.state = 'abandoned' OR NEW.state = 'booked'
            OR NEW.state = 'in_doubt'
        WHEN 'waiting'   THEN NEW.state = 'sending' OR NEW.state = 'staged' OR NEW.state = 'abandoned'
            OR NEW.state = 'booked' OR NEW.state = 'in_doubt'
        WHEN 'sending'   THEN NEW.state = 'booked' OR NEW.state = 'rejected' OR NEW.state = 'refused'
            OR NEW.state = 'waiting' OR NEW.state = 'in_doubt'
        WHEN 'in_doubt'  THEN NEW.state = 'booked' OR NEW.state = 'staged' OR NEW.state = 'abandoned'
            OR NEW.state = 'rejected' OR NEW.state = 'refused' OR NEW.state = 'waiting'
        WHEN 'rejected'  THEN NEW.state = 'staged' OR NEW.state = 'abandoned' OR NEW.state = 'booked'
            OR NEW.state = 'in_doubt'
        WHEN 'refused'   THEN NEW.state = 'staged' OR NEW.state = 'abandoned' OR NEW.state = 'booked'
            OR NEW.state = 'in_doubt'
        WHEN 'abandoned' THEN NEW.state = 'staged' OR NEW.state = 'booked'
        ELSE false END) THEN
        PERFORM refuse_now('no way leads from this state to that one');
    END IF;
    -- What is booked stays so. Only an AWB that a person gave is corrected, and only before anything was done with it.
    IF OLD.state = 'booked' THEN
        IF NEW.state <> 'booked' OR NEW.awb IS NOT DISTINCT FROM OLD.awb OR NEW.request_id IS DISTINCT FROM OLD.request_id
            OR NEW.attempts IS DISTINCT FROM OLD.attempts OR NEW.order_id IS DISTINCT FROM OLD.order_id
            OR NEW.carrier IS DISTINCT FROM OLD.carrier OR NEW.service_level IS DISTINCT FROM OLD.service_level
            OR NEW.old_answer IS DISTINCT FROM OLD.old_answer OR NEW.error IS DISTINCT FROM OLD.error
            OR NOT EXISTS (
                SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'booked' AND d.awb = NEW.awb
                    AND d.id = (SELECT max(id) FROM decisions WHERE order_id = OLD.id))
            OR EXISTS (SELECT 1 FROM attempts WHERE order_id = OLD.id AND outcome = 'booked')
            OR EXISTS (
                SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
                WHERE a.order_id = OLD.id AND l.outcome = 'booked')
            OR EXISTS (SELECT 1 FROM cancel_requests WHERE order_id = OLD.id)
            OR EXISTS (SELECT 1 FROM deliveries WHERE order_id = OLD.id) THEN
            PERFORM refuse_now('a booked order never changes');
        END IF;
    END IF;
    -- Beside its own answer, only an answer that came late books an order, or a person's word on its latest attempt.
    IF NEW.state = 'booked' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt' THEN
        IF NOT EXISTS (
            SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
            WHERE a.order_id = OLD.id AND l.outcome = 'booked' AND l.awb = NEW.awb)
            AND NOT EXISTS (
            SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'booked'
                AND d.awb = NEW.awb AND d.id = (SELECT max(id) FROM decisions WHERE order_id = OLD.id)) THEN
            PERFORM refuse_now('neither a late answer nor a decision books this order');
        END IF;
    END IF;
    -- The same answer with a shipment that another order has: what could be sent is in doubt.
    IF NEW.state = 'in_doubt' AND OLD.state <> 'sending' AND OLD.state <> 'in_doubt' THEN
        IF NOT EXISTS (
            SELECT 1 FROM late_answers l JOIN attempts a ON a.id = l.attempt_id
            WHERE a.order_id = OLD.id AND (l.outcome = 'booked' OR l.outcome = 'in_doubt')) THEN
            PERFORM refuse_now('no late answer puts this order in doubt');
        END IF;
    END IF;
    IF NEW.attempts <> OLD.attempts + (NEW.state = 'sending' AND OLD.state <> 'sending')::int THEN
        PERFORM refuse_now('each sending is one attempt more');
    END IF;
    -- What failed is sent again because a person asked, or with a corrected request.
    IF (OLD.state = 'rejected' OR OLD.state = 'refused') AND NEW.state = 'staged' AND NEW.request_id = OLD.request_id THEN
        IF NOT EXISTS (
            SELECT 1 FROM decisions d JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND a.order_id = OLD.id AND a.n = OLD.attempts AND d.verb = 'retry') THEN
            PERFORM refuse_now('a retry needs a decision or a corrected request');
        END IF;
    END IF;
    -- What was given up may have been booked: only a later word brings it back, never a corrected row.
    IF OLD.state = 'abandoned' AND NEW.state = 'staged' THEN
        IF NOT EXISTS (
            SELECT 1 FROM decisions d WHERE d.order_id = OLD.id AND d.verb = 'not-booked' AND d.id > (
                SELECT max(id) FROM decisions WHERE order_id = OLD.id AND verb = 'abandoned')) THEN
            PERFORM refuse_now('only a decision brings an abandoned order back');
        END IF;
    END IF;
    IF NEW.state = 'abandoned'
        AND (OLD.state = 'staged' OR OLD.state = 'waiting' OR OLD.state = 'rejected' OR OLD.state = 'refused') THEN
        IF NOT EXISTS (
            SELECT 1 FROM decisions d LEFT JOIN attempts a ON a.id = d.attempt_id
            WHERE d.order_id = OLD.id AND d.verb = 'abandoned' AND coalesce(a.n, 0) = OLD.attempts) THEN
            PERFORM refuse_now('only a decision gives an order up');
        END IF;
    END IF;
    IF NEW.request_id <> OLD.request_id THEN
        IF NOT (NEW.state = 'staged' OR NEW.state = 'waiting') OR OLD.state = 'sending' OR OLD.state = 'in_doubt'
            OR NOT EXISTS (SELECT 1 FROM requests WHERE id = NEW.request_id AND order_id = OLD.id) THEN
            PERFORM refuse_now('only an order that may be sent takes another request of its own');
        END IF;
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.orders_tally() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE run_tallies t SET
        outstanding = t.outstanding + d.outstanding,
        booked      = t.booked      + d.booked,
        rejected    = t.rejected    + d.rejected,
        refused     = t.refused     + d.refused,
        in_doubt    = t.in_doubt    + d.in_doubt,
        abandoned   = t.abandoned   + d.abandoned
    FROM (
        SELECT r.run_id,
            sum(is_open(n.state) - is_open(o.state))::bigint                           AS outstanding,
            sum((n.state = 'booked')::int    - (o.state = 'booked')::int)::bigint      AS booked,
            sum((n.state = 'rejected')::int  - (o.state = 'rejected')::int)::bigint    AS rejected,
            sum((n.state = 'refused')::int   - (o.state = 'refused')::int)::bigint     AS refused,
            sum((n.state = 'in_doubt')::int  - (o.state = 'in_doubt')::int)::bigint    AS in_doubt,
            sum((n.state = 'abandoned')::int - (o.state = 'abandoned')::int)::bigint   AS abandoned
        FROM were o JOIN are n ON n.id = o.id JOIN run_orders r ON r.order_id = n.id
        WHERE o.state <> n.state
            AND NOT (o.state IN ('staged', 'sending', 'waiting') AND n.state IN ('staged', 'sending', 'waiting'))
        GROUP BY r.run_id
    ) d
    WHERE t.run_id = d.run_id;
    RETURN NULL;
END $$;
CREATE FUNCTION shipsheet.own_epoch() RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT nullif(current_setting('shipsheet.epoch', true), '')::bigint
$$;
CREATE FUNCTION shipsheet.own_station() RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT station FROM stations WHERE epoch = own_epoch()
$$;
CREATE FUNCTION shipsheet.refuse() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION shipsheet.refuse_now(what text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION USING MESSAGE = what, ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE FUNCTION shipsheet.requests_frozen() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF (length(NEW.body) > 0 OR length(OLD.body) = 0 OR NEW.id IS DISTINCT FROM OLD.id OR NEW.order_id IS DISTINCT FROM OLD.order_id
    OR NEW.sha256 IS DISTINCT FROM OLD.sha256 OR NEW.staged_ms IS DISTINCT FROM OLD.staged_ms OR NEW.created_ms IS DISTINCT FROM OLD.created_ms
    OR NEW.lines IS DISTINCT FROM OLD.lines OR NEW.value IS DISTINCT FROM OLD.value OR NEW.cod IS DISTINCT FROM OLD.cod OR NEW.rows IS DISTINCT FROM OLD.rows
    OR NOT EXISTS (SELECT 1 FROM orders_over WHERE id = OLD.order_id)) THEN
        PERFORM refuse_now('requests are frozen');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.shares_within() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    others record;
    is_new boolean := TG_OP = 'INSERT';
BEGIN
    -- One after the other: what two take at once may be too much together.
    PERFORM pg_advisory_xact_lock(7566702);
    IF NEW.epoch IS DISTINCT FROM own_epoch() OR NOT is_new AND NEW.epoch <> OLD.epoch THEN
        PERFORM refuse_now('a share is taken by its own station');
    END IF;
    SELECT coalesce(sum(u.width), 0) AS width, coalesce(sum(u.pace), 0) AS pace, coalesce(bool_or(u.pace IS NULL), false) AS unpaced,
        min(u.width_max) FILTER (WHERE u.is_live) AS width_max, min(u.pace_max) FILTER (WHERE u.is_live) AS pace_max INTO others
    FROM shares_in_use u JOIN same_service s ON s.id = u.service_id
    WHERE s.asked = NEW.service_id AND u.epoch <> NEW.epoch;
    IF (is_new OR NEW.width > OLD.width OR NEW.service_id <> OLD.service_id) AND NEW.width > 0
        AND others.width + NEW.width > least(NEW.width_max, others.width_max) THEN
        PERFORM refuse_now('the stations of a service share its concurrency');
    ELSIF (is_new OR NEW.pace IS DISTINCT FROM OLD.pace OR NEW.service_id <> OLD.service_id)
        AND (is_new OR OLD.pace IS NOT NULL AND (NEW.pace IS NULL OR NEW.pace > OLD.pace) OR NEW.service_id <> OLD.service_id)
        AND NEW.pace IS DISTINCT FROM 0 AND least(NEW.pace_max, others.pace_max) IS NOT NULL
        AND (NEW.pace IS NULL OR others.unpaced OR others.pace + NEW.pace > least(NEW.pace_max, others.pace_max)) THEN
        PERFORM refuse_now('the stations of a service share its rate');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.stations_begin() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.ended IS NOT NULL OR NEW.fenced IS NOT NULL OR NEW.acknowledged IS NOT NULL
        OR NEW.lease_until > clock_timestamp() + interval '10 minutes' THEN
        PERFORM refuse_now('a session begins open, with a short lease');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.stations_step() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.epoch <> OLD.epoch OR NEW.station <> OLD.station OR NEW."user" <> OLD."user" OR NEW.host <> OLD.host
        OR NEW.since <> OLD.since THEN
        PERFORM refuse_now('a session stays whose it is');
    ELSIF OLD.ended IS NOT NULL OR OLD.acknowledged IS NOT NULL THEN
        PERFORM refuse_now('a session that is over stays so');
    ELSIF OLD.fenced IS NOT NULL AND (NEW.fenced IS DISTINCT FROM OLD.fenced OR NEW.fenced_by IS DISTINCT FROM OLD.fenced_by
        OR NEW.lease_until > OLD.lease_until) THEN
        PERFORM refuse_now('a fence is for good');
    ELSIF OLD.fenced IS NULL AND NEW.fenced IS NOT NULL AND OLD.lease_until >= clock_timestamp()
        AND OLD.station IS DISTINCT FROM own_station() THEN
        PERFORM refuse_now('a lease that holds is nobody else''s to end');
    -- That nothing of it is under way any more, a station says of itself.
    ELSIF (NEW.acknowledged IS NOT NULL OR NEW.ended IS NOT NULL) AND OLD.station IS DISTINCT FROM own_station() THEN
        PERFORM refuse_now('only a station itself says that it sends nothing any more');
    ELSIF NEW.ended IS NOT NULL AND EXISTS (SELECT 1 FROM attempts WHERE epoch = OLD.epoch AND answered_ms IS NULL) THEN
        PERFORM refuse_now('a session does not end while an order of it is under way');
    ELSIF NEW.lease_until > clock_timestamp() + interval '10 minutes' THEN
        PERFORM refuse_now('a lease is short');
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION shipsheet.strftime(form text, seconds bigint, since text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT to_char(to_timestamp(seconds) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;
CREATE FUNCTION shipsheet.turn_looks(answered bigint[], awbs text[], given text[], bare text[], intents bigint[]) RETURNS TABLE(what text, order_id bigint, attempt_id bigint, n bigint, request_id bigint, run_id bigint, intent_ms bigint, hash bytea, origin text, number text, epoch bigint, host text, stopped_by text, why text)
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(7566700);
    RETURN QUERY SELECT 'link', NULL::bigint, NULL::bigint, e.n, NULL::bigint, NULL::bigint, NULL::bigint, e.hash,
        NULL, NULL, NULL::bigint, NULL, NULL, NULL
    FROM evidence e ORDER BY e.n DESC LIMIT 1;
    -- Open attempts of this very session, whose answers meet nothing else. `OFFSET 0` has each question asked of its index for
    -- each row: as a join, planned while the ledger is new, it would be asked of all orders of the service for years.
    IF cardinality(answered) > 0 THEN
        RETURN QUERY SELECT 'open', o.id, a.id, a.n, NULL::bigint, a.run_id, a.intent_ms, q.sha256,
            s.origin, o.number, NULL::bigint, NULL, NULL, NULL
        FROM unnest(answered, awbs, given, bare) AS x (id, awb, given, bare)
        JOIN orders o ON o.id = x.id JOIN attempts a ON a.order_id = o.id AND a.answered_ms IS NULL
        JOIN services s ON s.id = o.service_id JOIN requests q ON q.id = a.request_id
        WHERE o.id = ANY (answered) AND o.state = 'sending' AND a.epoch = own_epoch()
            AND NOT EXISTS (SELECT 1 FROM services OFFSET 1)
            AND NOT EXISTS (
                SELECT 1 FROM orders p
                WHERE p.service_id = o.service_id AND p.awb IN (x.awb, x.bare) AND p.awb IS NOT NULL AND p.id <> o.id OFFSET 0)
            AND NOT EXISTS (
                SELECT 1 FROM orders p
                WHERE p.service_id = o.service_id AND p.id <> o.id
                    AND p.awb <> ltrim(upper(replace(replace(replace(replace(replace(p.awb, '-', ''), '/', ''), '_', ''), '.', ''),
                        '#', '')), '0')
                    AND ltrim(upper(replace(replace(replace(replace(replace(p.awb, '-', ''), '/', ''), '_', ''), '.', ''),
                        '#', '')), '0') = x.bare OFFSET 0)
            AND NOT EXISTS (
                SELECT 1 FROM orders p
                WHERE p.service_id = o.service_id AND p.order_id = x.given AND p.order_id IS NOT NULL AND p.state = 'booked'
                    AND p.id <> o.id OFFSET 0);
    END IF;
    IF cardinality(intents) > 0 THEN
        -- Orders that may be sent and that nobody else holds just now.
        RETURN QUERY SELECT 'free', o.id, NULL::bigint, o.attempts + 1, o.request_id, NULL::bigint, NULL::bigint, NULL::bytea,
            NULL, NULL, NULL::bigint, NULL, NULL, NULL
        FROM orders o WHERE o.id = ANY (intents) AND (o.state = 'staged' OR o.state = 'waiting') FOR UPDATE SKIP LOCKED;
        RETURN QUERY SELECT 'brake', NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint, NULL::bigint,
            NULL::bytea, NULL, NULL, b.epoch, b.host, b.stopped_by, b.why
        FROM brakes_held b WHERE b.service_id IN (SELECT o.service_id FROM orders o WHERE o.id = ANY (intents) OFFSET 0)
        ORDER BY b.id LIMIT 1;
    END IF;
END $$;
CREATE FUNCTION shipsheet.turn_writes(at_ms bigint, answered bigint[], closed bigint[], outcomes text[], statuses bigint[], awbs text[], given text[], carriers text[], service_levels text[], old_answers bigint[], errors text[], reasons text[], answers bytea[], answers_bytes bigint[], links bigint[], hashes bytea[], claimed bigint[], ns bigint[], requests_sent bigint[], runs_of bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF cardinality(closed) > 0 THEN
        UPDATE attempts a SET answered_ms = at_ms, outcome = x.outcome, status = x.status, awb = x.awb,
            service_order_id = x.given, reason = x.reason, answer = x.answer, answer_bytes = x.answer_bytes, evidence_n = x.n
        FROM unnest(closed, outcomes, statuses, awbs, given, reasons, answers, answers_bytes, links)
            AS x (id, outcome, status, awb, given, reason, answer, answer_bytes, n)
        WHERE a.id = x.id AND a.id = ANY (closed);
        UPDATE orders o SET state = x.state, awb = CASE WHEN x.state = 'booked' THEN x.awb END,
            order_id = coalesce(CASE WHEN x.state IN ('booked', 'rejected') THEN x.given END, o.order_id),
            carrier = x.carrier, service_level = x.service_level, old_answer = x.old_answer, error = x.error
        FROM unnest(answered, outcomes, awbs, given, carriers, service_levels, old_answers, errors)
            AS x (id, state, awb, given, carrier, service_level, old_answer, error)
        WHERE o.id = x.id AND o.id = ANY (answered) AND o.state = 'sending';
        INSERT INTO evidence (n, attempt_id, hash)
        SELECT x.n, x.id, x.hash FROM unnest(links, closed, hashes) AS x (n, id, hash) ORDER BY x.n;
    END IF;
    IF cardinality(claimed) > 0 THEN
        UPDATE orders SET state = 'sending', attempts = attempts + 1, error = NULL
        WHERE id = ANY (claimed) AND (state = 'staged' OR state = 'waiting');
        INSERT INTO attempts (order_id, n, request_id, run_id, intent_ms)
        SELECT x.id, x.n, x.request, x.run, at_ms FROM unnest(claimed, ns, requests_sent, runs_of) AS x (id, n, request, run);
        UPDATE runs r SET requests = r.requests + c.sent
        FROM (SELECT x.id, count(*) AS sent FROM unnest(runs_of) AS x (id) GROUP BY x.id) c
        WHERE r.id = c.id;
    END IF;
END $$;
CREATE FUNCTION shipsheet.zeroblob(n integer) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$ SELECT decode(repeat('00', n), 'hex') $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE shipsheet.acceptances (
    id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    because text NOT NULL,
    attempts_noted bigint NOT NULL,
    attempts_found bigint NOT NULL,
    evidence_n bigint NOT NULL,
    CONSTRAINT acceptances_because_check CHECK ((TRIM(BOTH FROM because) <> ''::text))
);
ALTER TABLE shipsheet.acceptances ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.acceptances_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.accepted_findings (
    id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    service_id bigint NOT NULL,
    rule text NOT NULL,
    number text,
    sheet text,
    basis text NOT NULL,
    because text NOT NULL,
    evidence_n bigint NOT NULL,
    CONSTRAINT accepted_findings_rule_check CHECK ((rule <> ''::text)),
    CONSTRAINT accepted_of_one CHECK ((num_nonnulls(number, sheet) = 1))
);
ALTER TABLE shipsheet.accepted_findings ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.accepted_findings_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.address_words (
    id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    one bigint NOT NULL,
    other bigint NOT NULL,
    is_same bigint NOT NULL,
    because text NOT NULL,
    evidence_n bigint NOT NULL,
    CONSTRAINT address_words_because_check CHECK ((TRIM(BOTH FROM because) <> ''::text)),
    CONSTRAINT address_words_is_same_check CHECK ((is_same = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT two_addresses CHECK ((one < other))
);
CREATE VIEW shipsheet.address_pairs AS
 SELECT w.one,
    w.other,
    w.is_same
   FROM shipsheet.address_words w
  WHERE (NOT (EXISTS ( SELECT 1
           FROM shipsheet.address_words l
          WHERE ((l.one = w.one) AND (l.other = w.other) AND (l.id > w.id)))));
ALTER TABLE shipsheet.address_words ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.address_words_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.attempts (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    n bigint NOT NULL,
    request_id bigint NOT NULL,
    run_id bigint NOT NULL,
    intent_ms bigint NOT NULL,
    answered_ms bigint,
    outcome text,
    status bigint,
    awb text,
    service_order_id text,
    reason text,
    answer bytea,
    answer_bytes bigint,
    evidence_n bigint,
    answer_sha256 bytea,
    purge_id bigint,
    epoch bigint,
    closed_by bigint,
    CONSTRAINT answered_with_evidence CHECK (((answered_ms IS NULL) = (evidence_n IS NULL))),
    CONSTRAINT answered_with_outcome CHECK (((answered_ms IS NULL) = (outcome IS NULL))),
    CONSTRAINT attempt_booked_with_awb CHECK (((outcome IS DISTINCT FROM 'booked'::text) OR (awb IS NOT NULL))),
    CONSTRAINT attempts_answer_check CHECK ((length(answer) <= 65536)),
    CONSTRAINT attempts_answer_sha256_check CHECK ((length(answer_sha256) = 32)),
    CONSTRAINT attempts_n_check CHECK ((n > 0)),
    CONSTRAINT attempts_outcome_check CHECK (((outcome = 'booked'::text) OR (outcome = 'rejected'::text) OR (outcome = 'refused'::text) OR (outcome = 'waiting'::text) OR (outcome = 'in_doubt'::text))),
    CONSTRAINT open_is_empty CHECK (((answered_ms IS NOT NULL) OR ((status IS NULL) AND (awb IS NULL) AND (service_order_id IS NULL) AND (reason IS NULL) AND (answer IS NULL) AND (answer_bytes IS NULL))))
);
ALTER TABLE shipsheet.attempts ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.attempts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.stations (
    epoch bigint NOT NULL,
    station text NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    heard timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    ended timestamp with time zone,
    fenced timestamp with time zone,
    fenced_by bigint,
    acknowledged timestamp with time zone,
    CONSTRAINT acknowledges_a_fence CHECK (((acknowledged IS NULL) OR (fenced IS NOT NULL))),
    CONSTRAINT ended_or_fenced CHECK (((ended IS NULL) OR (fenced IS NULL))),
    CONSTRAINT fenced_by_somebody CHECK (((fenced IS NULL) = (fenced_by IS NULL))),
    CONSTRAINT stations_station_check CHECK ((station <> ''::text))
);
CREATE TABLE shipsheet.stations_off (
    id bigint NOT NULL,
    epoch bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    because text NOT NULL,
    CONSTRAINT stations_off_because_check CHECK ((TRIM(BOTH FROM because) <> ''::text))
);
CREATE VIEW shipsheet.attempts_unheard AS
 SELECT a.id,
    a.order_id,
    s.epoch,
    s.host
   FROM (shipsheet.attempts a
     JOIN shipsheet.stations s ON ((s.epoch = a.epoch)))
  WHERE ((a.closed_by IS DISTINCT FROM a.epoch) AND (s.ended IS NULL) AND (s.acknowledged IS NULL) AND (NOT (EXISTS ( SELECT 1
           FROM shipsheet.stations_off w
          WHERE (w.epoch = s.epoch)))));
CREATE TABLE shipsheet.brakes (
    id bigint NOT NULL,
    epoch bigint NOT NULL,
    service_id bigint NOT NULL,
    run_id bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    stopped_by text NOT NULL,
    why text NOT NULL,
    CONSTRAINT brakes_stopped_by_check CHECK ((stopped_by <> ''::text)),
    CONSTRAINT brakes_why_check CHECK ((why <> ''::text))
);
CREATE TABLE shipsheet.services (
    id bigint NOT NULL,
    origin text NOT NULL,
    CONSTRAINT services_origin_check CHECK ((TRIM(BOTH FROM origin) <> ''::text))
);
CREATE VIEW shipsheet.same_service AS
 WITH RECURSIVE reached(asked, id) AS (
         SELECT services.id,
            services.id
           FROM shipsheet.services
        UNION
         SELECT r_1.asked,
                CASE
                    WHEN (p.one = r_1.id) THEN p.other
                    ELSE p.one
                END AS one
           FROM (reached r_1
             JOIN shipsheet.address_pairs p ON (((r_1.id = p.one) OR (r_1.id = p.other))))
          WHERE (p.is_same = 1)
        )
 SELECT s.origin,
    r.asked,
    r.id,
    (r.asked = r.id) AS is_own
   FROM (reached r
     JOIN shipsheet.services s ON ((s.id = r.asked)));
CREATE VIEW shipsheet.brakes_held AS
 SELECT b.id,
    r.asked AS service_id,
    b.epoch,
    p.host,
    b.stopped_by,
    b.why
   FROM (((shipsheet.stations s
     JOIN shipsheet.brakes b ON (((b.at > s.since) AND (b.epoch <> s.epoch))))
     JOIN shipsheet.same_service r ON ((r.id = b.service_id)))
     JOIN shipsheet.stations p ON ((p.epoch = b.epoch)))
  WHERE (s.epoch = shipsheet.own_epoch());
ALTER TABLE shipsheet.brakes ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.brakes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.cancel_requests (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    asked_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    ended_ms bigint,
    outcome text,
    said text,
    CONSTRAINT cancel_requests_check CHECK (((ended_ms IS NULL) = (outcome IS NULL))),
    CONSTRAINT cancel_requests_outcome_check CHECK ((outcome = ANY (ARRAY['cancelled'::text, 'refused'::text, 'unsent'::text, 'unknown'::text])))
);
ALTER TABLE shipsheet.cancel_requests ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.cancel_requests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.cancellations (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    refund_status text,
    answer text NOT NULL
);
ALTER TABLE shipsheet.cancellations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.cancellations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.decisions (
    id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    order_id bigint NOT NULL,
    attempt_id bigint,
    verb text NOT NULL,
    awb text,
    because text NOT NULL,
    evidence_n bigint NOT NULL,
    CONSTRAINT decision_awb CHECK (((verb = 'booked'::text) = (awb IS NOT NULL))),
    CONSTRAINT decisions_because_check CHECK ((TRIM(BOTH FROM because) <> ''::text)),
    CONSTRAINT decisions_verb_check CHECK ((verb = ANY (ARRAY['booked'::text, 'not-booked'::text, 'abandoned'::text, 'retry'::text])))
);
ALTER TABLE shipsheet.decisions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.decisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.deliveries (
    id bigint NOT NULL,
    sha256 bytea NOT NULL,
    received_ms bigint NOT NULL,
    content_type text,
    body bytea NOT NULL,
    order_id bigint,
    CONSTRAINT deliveries_sha256_check CHECK ((length(sha256) = 32))
);
ALTER TABLE shipsheet.deliveries ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.dismissals (
    id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    service_id bigint NOT NULL,
    number text NOT NULL,
    run_id bigint NOT NULL,
    cells bytea,
    because text NOT NULL,
    evidence_n bigint NOT NULL,
    CONSTRAINT dismissals_because_check CHECK ((TRIM(BOTH FROM because) <> ''::text)),
    CONSTRAINT dismissals_cells_check CHECK ((length(cells) = 32)),
    CONSTRAINT dismissals_number_check CHECK ((number <> ''::text))
);
ALTER TABLE shipsheet.dismissals ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.dismissals_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.run_invalid (
    run_id bigint NOT NULL,
    n bigint NOT NULL,
    seq bigint NOT NULL,
    number text,
    rows text NOT NULL,
    cells bytea,
    CONSTRAINT run_invalid_cells_check CHECK ((length(cells) = 32))
);
CREATE TABLE shipsheet.runs (
    id bigint DEFAULT shipsheet.next_run() NOT NULL,
    kind text NOT NULL,
    service_id bigint NOT NULL,
    parent bigint,
    started_ms bigint NOT NULL,
    finished_ms bigint,
    version text NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    sheets text DEFAULT '[]'::text NOT NULL,
    rows_read bigint DEFAULT 0 NOT NULL,
    rows_blank bigint DEFAULT 0 NOT NULL,
    rows_skipped bigint DEFAULT 0 NOT NULL,
    rows_in_orders bigint DEFAULT 0 NOT NULL,
    rows_invalid bigint DEFAULT 0 NOT NULL,
    lines bigint DEFAULT 0 NOT NULL,
    requests bigint DEFAULT 0 NOT NULL,
    stopped_by text,
    stopped_why text,
    exit_code bigint,
    CONSTRAINT finished_with_exit_code CHECK (((finished_ms IS NULL) = (exit_code IS NULL))),
    CONSTRAINT rows_add_up CHECK ((rows_read = (((rows_blank + rows_skipped) + rows_in_orders) + rows_invalid))),
    CONSTRAINT runs_kind_check CHECK ((kind = ANY (ARRAY['import'::text, 'resume'::text, 'retry'::text]))),
    CONSTRAINT runs_sheets_check CHECK (((sheets)::json IS NOT NULL))
);
CREATE VIEW shipsheet.dismissed_rows AS
 SELECT i.run_id,
    i.n,
    i.number
   FROM shipsheet.run_invalid i
  WHERE (EXISTS ( SELECT 1
           FROM ((shipsheet.dismissals d
             JOIN shipsheet.runs u ON ((u.id = i.run_id)))
             JOIN shipsheet.same_service s ON (((s.asked = d.service_id) AND (s.id = u.service_id))))
          WHERE ((d.number = i.number) AND ((d.run_id = i.run_id) OR (d.cells = i.cells)))));
CREATE TABLE shipsheet.evidence (
    n bigint NOT NULL,
    attempt_id bigint,
    decision_id bigint,
    acceptance_id bigint,
    address_word_id bigint,
    late_answer_id bigint,
    accepted_finding_id bigint,
    dismissal_id bigint,
    purge_id bigint,
    hash bytea NOT NULL,
    CONSTRAINT evidence_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT evidence_n_check CHECK ((n > 0)),
    CONSTRAINT evidence_of_one CHECK ((num_nonnulls(attempt_id, decision_id, acceptance_id, address_word_id, late_answer_id, accepted_finding_id, dismissal_id, purge_id) = 1))
);
CREATE TABLE shipsheet.filed_sheets (
    id bigint NOT NULL,
    sheet_id bigint NOT NULL,
    at_ms bigint NOT NULL,
    tray text NOT NULL,
    name text NOT NULL,
    outstanding bigint NOT NULL,
    said text,
    CONSTRAINT filed_sheets_name_check CHECK ((name <> ''::text)),
    CONSTRAINT filed_sheets_outstanding_check CHECK ((outstanding >= 0)),
    CONSTRAINT filed_sheets_tray_check CHECK ((tray = ANY (ARRAY['done'::text, 'attention'::text, 'failed'::text, 'inbox'::text, 'working'::text, 'gone'::text])))
);
ALTER TABLE shipsheet.filed_sheets ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.filed_sheets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.former_numbers (
    order_id bigint NOT NULL,
    number text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT former_numbers_number_check CHECK ((number <> ''::text))
);
CREATE TABLE shipsheet.freights (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    amount text NOT NULL,
    statement text NOT NULL,
    sha256 bytea NOT NULL,
    "row" bigint NOT NULL,
    CONSTRAINT freights_amount_check CHECK ((amount <> ''::text)),
    CONSTRAINT freights_sha256_check CHECK ((length(sha256) = 32))
);
ALTER TABLE shipsheet.freights ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.freights_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.homes (
    id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    path text NOT NULL,
    inode bigint NOT NULL,
    born_ns bigint NOT NULL,
    acceptance_id bigint,
    move_id bigint,
    CONSTRAINT homes_path_check CHECK ((path <> ''::text))
);
ALTER TABLE shipsheet.homes ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.homes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.identity (
    one bigint NOT NULL,
    id text NOT NULL,
    CONSTRAINT identity_one_check CHECK ((one = 1))
);
CREATE TABLE shipsheet.label_prints (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    file text NOT NULL
);
ALTER TABLE shipsheet.label_prints ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.label_prints_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.late_answers (
    id bigint NOT NULL,
    attempt_id bigint NOT NULL,
    answered_ms bigint NOT NULL,
    at_ms bigint NOT NULL,
    outcome text NOT NULL,
    status bigint,
    awb text,
    service_order_id text,
    carrier text,
    service_level text,
    old_answer bigint NOT NULL,
    reason text,
    answer bytea,
    answer_bytes bigint,
    evidence_n bigint NOT NULL,
    answer_sha256 bytea,
    purge_id bigint,
    CONSTRAINT late_answers_answer_check CHECK ((length(answer) <= 65536)),
    CONSTRAINT late_answers_answer_sha256_check CHECK ((length(answer_sha256) = 32)),
    CONSTRAINT late_answers_old_answer_check CHECK ((old_answer = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT late_answers_outcome_check CHECK ((outcome = ANY (ARRAY['booked'::text, 'rejected'::text, 'refused'::text, 'waiting'::text, 'in_doubt'::text]))),
    CONSTRAINT late_booking_has_awb CHECK (((outcome <> 'booked'::text) OR (TRIM(BOTH FROM awb) <> ''::text)))
);
ALTER TABLE shipsheet.late_answers ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.late_answers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.layouts (
    number bigint NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL
);
CREATE VIEW shipsheet.may_be_same_service AS
 SELECT a.id AS asked,
    b.id
   FROM (shipsheet.services a
     CROSS JOIN shipsheet.services b)
  WHERE ((a.id = b.id) OR ((a.origin <> 'sandbox'::text) AND (b.origin <> 'sandbox'::text) AND (NOT (EXISTS ( SELECT 1
           FROM ((shipsheet.address_pairs p
             CROSS JOIN shipsheet.same_service ours)
             CROSS JOIN shipsheet.same_service theirs)
          WHERE ((p.is_same = 0) AND (ours.asked = a.id) AND (theirs.asked = b.id) AND (p.one = LEAST(ours.id, theirs.id)) AND (p.other = GREATEST(ours.id, theirs.id))))))));
CREATE TABLE shipsheet.moves (
    id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    path text NOT NULL,
    CONSTRAINT moves_path_check CHECK ((path <> ''::text))
);
ALTER TABLE shipsheet.moves ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.moves_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.orders (
    id bigint NOT NULL,
    service_id bigint NOT NULL,
    number text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    request_id bigint NOT NULL,
    created_ms bigint NOT NULL,
    attempts bigint DEFAULT 0 NOT NULL,
    awb text,
    order_id text,
    carrier text,
    service_level text,
    old_answer bigint DEFAULT 0 NOT NULL,
    error text,
    CONSTRAINT attempted CHECK (((attempts > 0) OR (state = ANY (ARRAY['staged'::text, 'abandoned'::text])))),
    CONSTRAINT booked_with_awb CHECK (((state = 'booked'::text) = (awb IS NOT NULL))),
    CONSTRAINT error_says_why CHECK (((error IS NOT NULL) = ((state = 'waiting'::text) OR (state = 'rejected'::text) OR (state = 'refused'::text) OR (state = 'in_doubt'::text) OR (state = 'abandoned'::text)))),
    CONSTRAINT order_id_from_an_answer CHECK (((order_id IS NULL) OR (state = ANY (ARRAY['booked'::text, 'rejected'::text])))),
    CONSTRAINT orders_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT orders_awb_check CHECK ((TRIM(BOTH FROM awb) <> ''::text)),
    CONSTRAINT orders_number_check CHECK ((number <> ''::text)),
    CONSTRAINT orders_old_answer_check CHECK ((old_answer = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT orders_order_id_check CHECK ((TRIM(BOTH FROM order_id) <> ''::text)),
    CONSTRAINT orders_state_check CHECK (((state = 'staged'::text) OR (state = 'sending'::text) OR (state = 'waiting'::text) OR (state = 'booked'::text) OR (state = 'rejected'::text) OR (state = 'refused'::text) OR (state = 'in_doubt'::text) OR (state = 'abandoned'::text))),
    CONSTRAINT shipment_only_when_booked CHECK (((state = 'booked'::text) OR ((carrier IS NULL) AND (service_level IS NULL) AND (old_answer = 0))))
);
ALTER TABLE shipsheet.orders ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.orders_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE VIEW shipsheet.orders_over AS
 SELECT o.id
   FROM shipsheet.orders o
  WHERE (((o.state = 'booked'::text) OR (o.state = 'abandoned'::text)) AND (NOT (EXISTS ( SELECT 1
           FROM shipsheet.cancel_requests c
          WHERE ((c.order_id = o.id) AND ((c.outcome IS NULL) OR (c.outcome = 'unknown'::text)) AND (NOT (EXISTS ( SELECT 1
                   FROM shipsheet.cancellations d
                  WHERE (d.order_id = o.id)))))))));
CREATE VIEW shipsheet.orders_that_count AS
 SELECT o.id,
    o.service_id,
    o.number,
    o.state,
    o.awb
   FROM shipsheet.orders o
  WHERE ((o.state <> ALL (ARRAY['rejected'::text, 'refused'::text, 'abandoned'::text])) OR ((o.state = 'abandoned'::text) AND (EXISTS ( SELECT 1
           FROM shipsheet.attempts a
          WHERE ((a.order_id = o.id) AND ((a.outcome IS NULL) OR (a.outcome <> ALL (ARRAY['rejected'::text, 'refused'::text, 'waiting'::text]))))))));
CREATE TABLE shipsheet.problems (
    run_id bigint NOT NULL,
    n bigint NOT NULL,
    invalid_n bigint,
    code text NOT NULL,
    severity text NOT NULL,
    place text,
    order_number text,
    field text,
    found text,
    message text NOT NULL,
    hint text NOT NULL,
    detail text,
    CONSTRAINT problems_severity_check CHECK (((severity = 'error'::text) OR (severity = 'warning'::text)))
);
CREATE TABLE shipsheet.purges (
    id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    before_ms bigint NOT NULL,
    orders bigint NOT NULL,
    requests bigint NOT NULL,
    digest bytea NOT NULL,
    evidence_n bigint NOT NULL,
    CONSTRAINT purges_digest_check CHECK ((length(digest) = 32))
);
ALTER TABLE shipsheet.purges ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.purges_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.requests (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    sha256 bytea NOT NULL,
    staged_ms bigint NOT NULL,
    created_ms bigint NOT NULL,
    lines bigint NOT NULL,
    value text NOT NULL,
    cod text NOT NULL,
    rows text NOT NULL,
    body bytea NOT NULL,
    CONSTRAINT requests_lines_check CHECK ((lines >= 0)),
    CONSTRAINT requests_sha256_check CHECK ((length(sha256) = 32))
);
ALTER TABLE shipsheet.requests ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.requests_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.routes (
    service text NOT NULL,
    origin text NOT NULL,
    destination text NOT NULL,
    couriers text NOT NULL,
    asked_ms bigint NOT NULL,
    CONSTRAINT routes_couriers_check CHECK (((couriers)::json IS NOT NULL))
);
CREATE TABLE shipsheet.row_sheets (
    id bigint NOT NULL,
    sha256 bytea NOT NULL,
    worksheet text NOT NULL,
    CONSTRAINT row_sheets_sha256_check CHECK ((length(sha256) = 32))
);
ALTER TABLE shipsheet.row_sheets ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.row_sheets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.run_ends (
    run_id bigint NOT NULL,
    booked bigint NOT NULL,
    already_booked bigint NOT NULL,
    invalid bigint NOT NULL,
    rejected bigint NOT NULL,
    refused bigint NOT NULL,
    in_doubt bigint NOT NULL,
    outstanding bigint NOT NULL,
    abandoned bigint NOT NULL,
    dismissed bigint DEFAULT 0 NOT NULL
);
CREATE TABLE shipsheet.run_orders (
    run_id bigint NOT NULL,
    seq bigint NOT NULL,
    order_id bigint NOT NULL,
    already bigint NOT NULL,
    rows text,
    CONSTRAINT run_orders_already_check CHECK (((already = 0) OR (already = 1)))
);
CREATE TABLE shipsheet.run_sheets (
    run_id bigint NOT NULL,
    n bigint NOT NULL,
    path text NOT NULL,
    sha256 bytea NOT NULL,
    CONSTRAINT run_sheets_sha256_check CHECK ((length(sha256) = 32))
);
CREATE TABLE shipsheet.run_tallies (
    run_id bigint NOT NULL,
    booked bigint DEFAULT 0 NOT NULL,
    already_booked bigint DEFAULT 0 NOT NULL,
    invalid bigint DEFAULT 0 NOT NULL,
    rejected bigint DEFAULT 0 NOT NULL,
    refused bigint DEFAULT 0 NOT NULL,
    in_doubt bigint DEFAULT 0 NOT NULL,
    outstanding bigint DEFAULT 0 NOT NULL,
    abandoned bigint DEFAULT 0 NOT NULL,
    rows_without_order bigint DEFAULT 0 NOT NULL,
    dismissed bigint DEFAULT 0 NOT NULL
);
ALTER TABLE shipsheet.services ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.services_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.shares (
    epoch bigint NOT NULL,
    service_id bigint NOT NULL,
    width_max bigint NOT NULL,
    pace_max bigint,
    width bigint NOT NULL,
    pace bigint,
    given_up timestamp with time zone,
    CONSTRAINT shares_check CHECK (((width >= 0) AND (width <= width_max))),
    CONSTRAINT shares_pace_check CHECK ((pace >= 0)),
    CONSTRAINT shares_pace_max_check CHECK ((pace_max > 0)),
    CONSTRAINT shares_width_max_check CHECK ((width_max > 0)),
    CONSTRAINT within_its_rate CHECK (((pace_max IS NULL) OR ((pace IS NOT NULL) AND (pace <= pace_max))))
);
CREATE VIEW shipsheet.shares_in_use AS
 SELECT used.epoch,
    used.service_id,
    used.width_max,
    used.pace_max,
        CASE
            WHEN used.is_live THEN used.width
            ELSE (0)::bigint
        END AS width,
    used.pace,
    used.is_live
   FROM ( SELECT h.epoch,
            h.service_id,
            h.width_max,
            h.pace_max,
            h.width,
            h.pace,
            h.given_up,
            ((h.given_up IS NULL) AND (s.ended IS NULL) AND (s.fenced IS NULL) AND (s.lease_until > clock_timestamp())) AS is_live,
            LEAST(h.given_up, s.ended, s.fenced, s.lease_until) AS used_until
           FROM (shipsheet.shares h
             JOIN shipsheet.stations s ON ((s.epoch = h.epoch)))
          WHERE (s.lease_until > (clock_timestamp() - '00:10:00'::interval))) used
  WHERE (used.is_live OR (used.used_until > (clock_timestamp() - '00:00:02'::interval)));
CREATE TABLE shipsheet.sheet_rows (
    sheet_id bigint NOT NULL,
    "row" bigint NOT NULL,
    order_id bigint NOT NULL,
    CONSTRAINT sheet_rows_row_check CHECK (("row" > 0))
);
CREATE TABLE shipsheet.shipments (
    request_id bigint NOT NULL,
    order_id bigint NOT NULL,
    staged_ms bigint NOT NULL,
    form bigint NOT NULL,
    hash bigint
);
CREATE TABLE shipsheet.statement_carriers (
    id bigint NOT NULL,
    order_id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    awb text NOT NULL,
    carrier text NOT NULL,
    statement text NOT NULL,
    sha256 bytea NOT NULL,
    CONSTRAINT statement_carriers_carrier_check CHECK ((carrier <> ''::text)),
    CONSTRAINT statement_carriers_sha256_check CHECK ((length(sha256) = 32))
);
ALTER TABLE shipsheet.statement_carriers ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.statement_carriers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE shipsheet.stations ALTER COLUMN epoch ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME shipsheet.stations_epoch_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE shipsheet.stations_off ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.stations_off_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.taken_runs (
    run_id bigint NOT NULL,
    sheet_id bigint
);
CREATE VIEW shipsheet.taken_and_booked AS
 SELECT r.sheet_id
   FROM (shipsheet.taken_runs r
     JOIN shipsheet.run_tallies t ON ((t.run_id = r.run_id)))
  WHERE (((t.booked + t.already_booked) > 0) AND (t.rows_without_order = 0) AND ((((((t.invalid + t.rejected) + t.refused) + t.in_doubt) + t.outstanding) + t.abandoned) = 0));
CREATE TABLE shipsheet.taken_sheets (
    id bigint NOT NULL,
    at_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    service_id bigint NOT NULL,
    folder text NOT NULL,
    name text NOT NULL,
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    CONSTRAINT taken_sheets_bytes_check CHECK ((bytes >= 0)),
    CONSTRAINT taken_sheets_name_check CHECK ((name <> ''::text)),
    CONSTRAINT taken_sheets_sha256_check CHECK ((length(sha256) = 32))
);
ALTER TABLE shipsheet.taken_sheets ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.taken_sheets_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.warehouses (
    id bigint NOT NULL,
    service text NOT NULL,
    name text NOT NULL,
    state text NOT NULL,
    warehouse_id text,
    body bytea NOT NULL,
    answer text,
    begun_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    CONSTRAINT warehouses_check CHECK (((state = 'created'::text) = (warehouse_id IS NOT NULL))),
    CONSTRAINT warehouses_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'created'::text, 'refused'::text])))
);
ALTER TABLE shipsheet.warehouses ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.warehouses_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.webhooks (
    id bigint NOT NULL,
    service text NOT NULL,
    endpoint_id text NOT NULL,
    url text NOT NULL,
    enabled bigint NOT NULL,
    content_type text NOT NULL,
    registered_ms bigint NOT NULL,
    "user" text NOT NULL,
    host text NOT NULL,
    CONSTRAINT webhooks_enabled_check CHECK ((enabled = ANY (ARRAY[(0)::bigint, (1)::bigint])))
);
ALTER TABLE shipsheet.webhooks ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME shipsheet.webhooks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE shipsheet.withdrawals (
    decision_id bigint NOT NULL,
    verdict text NOT NULL,
    sheet bytea,
    CONSTRAINT withdrawals_sheet_check CHECK ((octet_length(sheet) = 32)),
    CONSTRAINT withdrawals_verdict_check CHECK ((verdict = ANY (ARRAY['cancelled'::text, 'left-out'::text, 'held'::text, 'invalid'::text])))
);
INSERT INTO shipsheet.accepted_findings VALUES (1, 1796020227728, 'asha', 'packing-desk', 1, 'phone-form', 'MON-2', NULL, '[["Mobile","226e6b27d04b1212f440c8787b2d30f8"]]', 'that is her number', 5);
INSERT INTO shipsheet.address_words VALUES (1, 1796020248049, 'asha', 'packing-desk', 1, 2, 1, 'one service at two ports', 27);
INSERT INTO shipsheet.attempts VALUES (1, 1, 1, 1, 1, 1796020227448, 1796020227475, 'booked', 201, 'SBXHOMWAUVHJP000001', 'SB-HOMWAUVHJP-1-MX2W2KR6', NULL, '\x7b22617762223a22534258484f4d57415556484a50303030303031222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323237343734222c226f726465724964223a2253422d484f4d57415556484a502d312d4d583257324b5236222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 164, 1, NULL, NULL, 1, 1);
INSERT INTO shipsheet.attempts VALUES (2, 2, 1, 2, 1, 1796020227475, 1796020227500, 'rejected', 200, NULL, 'SB-HOMWAUVHJP-2-MX2W2KRU', '"PIN code 999001 is not serviceable by any courier"', '\x7b22617762223a6e756c6c2c2263617272696572223a6e756c6c2c226372617465644174223a2231373936303230323237343938222c226f726465724964223a2253422d484f4d57415556484a502d322d4d583257324b5255222c2273657276696365223a6e756c6c2c22736869706d656e7450757263686173654572726f72223a2250494e20636f646520393939303031206973206e6f74207365727669636561626c6520627920616e7920636f7572696572227d', 182, 2, NULL, NULL, 1, 1);
INSERT INTO shipsheet.attempts VALUES (3, 3, 1, 3, 1, 1796020227475, 1796020227508, 'booked', 201, 'SBXHOMWAUVHJP000003', 'SB-HOMWAUVHJP-3-MX2W2KRV', NULL, '\x7b22617762223a22534258484f4d57415556484a50303030303033222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323237343939222c226f726465724964223a2253422d484f4d57415556484a502d332d4d583257324b5256222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 164, 3, NULL, NULL, 1, 1);
INSERT INTO shipsheet.attempts VALUES (4, 4, 1, 4, 2, 1796020228102, 1796020228114, 'in_doubt', NULL, NULL, NULL, 'the connection broke before the answer: connection closed before message completed', NULL, NULL, 6, NULL, NULL, 4, 4);
INSERT INTO shipsheet.attempts VALUES (5, 5, 1, 5, 2, 1796020228114, 1796020228127, 'in_doubt', NULL, NULL, NULL, 'the connection broke before the answer: connection closed before message completed', NULL, NULL, 7, NULL, NULL, 4, 4);
INSERT INTO shipsheet.attempts VALUES (6, 6, 1, 6, 2, 1796020228127, 1796020228138, 'in_doubt', NULL, NULL, NULL, 'the connection broke before the answer: connection closed before message completed', NULL, NULL, 8, NULL, NULL, 4, 4);
INSERT INTO shipsheet.attempts VALUES (7, 7, 1, 7, 2, 1796020233139, 1796020233157, 'in_doubt', NULL, NULL, NULL, 'the connection broke before the answer: connection closed before message completed', NULL, NULL, 9, NULL, NULL, 4, 4);
INSERT INTO shipsheet.attempts VALUES (8, 8, 1, 8, 2, 1796020243158, 1796020243174, 'in_doubt', NULL, NULL, NULL, 'the connection broke before the answer: connection closed before message completed', NULL, NULL, 10, NULL, NULL, 4, 4);
INSERT INTO shipsheet.attempts VALUES (9, 9, 1, 9, 3, 1796020244309, 1796020244327, 'booked', 201, 'SBXHOMWB4Y9ZX000001', 'SB-HOMWB4Y9ZX-1-MX2W2XRA', NULL, '\x7b22617762223a22534258484f4d57423459395a58303030303031222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323434333236222c226f726465724964223a2253422d484f4d57423459395a582d312d4d58325732585241222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 164, 14, NULL, NULL, 9, 9);
INSERT INTO shipsheet.attempts VALUES (10, 10, 1, 10, 4, 1796020244856, 1796020244877, 'booked', 201, 'SBXHOMWB4Y9ZX000002', 'SB-HOMWB4Y9ZX-2-MX2W2Y6K', NULL, '\x7b22617762223a22534258484f4d57423459395a58303030303032222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323434383736222c226f726465724964223a2253422d484f4d57423459395a582d322d4d5832573259364b222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 164, 15, NULL, NULL, 10, 10);
INSERT INTO shipsheet.attempts VALUES (11, 13, 1, 13, 5, 1796020245179, 1796020245200, 'booked', 201, 'SBXHOMWB4Y9ZX000003', 'SB-HOMWB4Y9ZX-3-MX2W2YFG', NULL, '\x7b22617762223a22534258484f4d57423459395a58303030303033222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323435313936222c226f726465724964223a2253422d484f4d57423459395a582d332d4d58325732594647222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 164, 16, NULL, NULL, 11, 11);
INSERT INTO shipsheet.attempts VALUES (12, 14, 1, 14, 5, 1796020245200, 1796020245226, 'booked', 201, 'SBXHOMWB4Y9ZX000004', 'SB-HOMWB4Y9ZX-4-MX2W2YG9', NULL, '\x7b22617762223a22534258484f4d57423459395a58303030303034222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323435323235222c226f726465724964223a2253422d484f4d57423459395a582d342d4d58325732594739222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 164, 17, NULL, NULL, 11, 11);
INSERT INTO shipsheet.attempts VALUES (13, 17, 1, 17, 7, 1796020246700, 1796020246728, 'booked', 201, 'SBXHOMWB4Y9ZX000005', 'SB-HOMWB4Y9ZX-5-MX2W2ZLS', NULL, '\x7b22617762223a22534258484f4d57423459395a58303030303035222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323436373230222c226f726465724964223a2253422d484f4d57423459395a582d352d4d583257325a4c53222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 164, 20, NULL, NULL, 15, 15);
INSERT INTO shipsheet.attempts VALUES (15, 19, 1, 19, 7, 1796020246728, 1796020246758, 'booked', 201, 'SBXHOMWB4Y9ZX000006', 'SB-HOMWB4Y9ZX-6-MX2W2ZMT', NULL, '\x7b22617762223a22534258484f4d57423459395a58303030303036222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323436373537222c226f726465724964223a2253422d484f4d57423459395a582d362d4d583257325a4d54222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 164, 21, NULL, NULL, 15, 15);
INSERT INTO shipsheet.attempts VALUES (14, 18, 1, 18, 7, 1796020246728, 1796020246766, 'rejected', 200, NULL, 'SB-HOMWB4Y9ZX-7-MX2W2ZMV', '"PIN code 999001 is not serviceable by any courier"', '\x7b22617762223a6e756c6c2c2263617272696572223a6e756c6c2c226372617465644174223a2231373936303230323436373539222c226f726465724964223a2253422d484f4d57423459395a582d372d4d583257325a4d56222c2273657276696365223a6e756c6c2c22736869706d656e7450757263686173654572726f72223a2250494e20636f646520393939303031206973206e6f74207365727669636561626c6520627920616e7920636f7572696572227d', 182, 22, NULL, NULL, 15, 15);
INSERT INTO shipsheet.attempts VALUES (16, 20, 1, 20, 8, 1796020247348, 1796020247373, 'booked', 201, 'SBXHOMWB4Y9ZX000008', 'SB-HOMWB4Y9ZX-8-MX2W303W', NULL, '\x7b22617762223a22534258484f4d57423459395a58303030303038222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323437333732222c226f726465724964223a2253422d484f4d57423459395a582d382d4d58325733303357222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 164, 23, NULL, NULL, 16, 16);
INSERT INTO shipsheet.attempts VALUES (17, 21, 1, 21, 8, 1796020247373, 1796020247393, 'booked', 201, 'SBXHOMWB4Y9ZX000010', 'SB-HOMWB4Y9ZX-10-MX2W304F', NULL, '\x7b22617762223a22534258484f4d57423459395a58303030303130222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323437333931222c226f726465724964223a2253422d484f4d57423459395a582d31302d4d58325733303446222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 165, 24, NULL, NULL, 16, 16);
INSERT INTO shipsheet.attempts VALUES (18, 22, 1, 22, 8, 1796020247373, 1796020247420, 'booked', 201, 'SBXHOMWB4Y9ZX000009', 'SB-HOMWB4Y9ZX-9-MX2W304C', NULL, '\x7b22617762223a22534258484f4d57423459395a58303030303039222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323437333838222c226f726465724964223a2253422d484f4d57423459395a582d392d4d58325733303443222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 164, 25, NULL, NULL, 16, 16);
INSERT INTO shipsheet.attempts VALUES (19, 23, 1, 23, 8, 1796020247393, 1796020247437, 'booked', 201, 'SBXHOMWB4Y9ZX000011', 'SB-HOMWB4Y9ZX-11-MX2W3058', NULL, '\x7b22617762223a22534258484f4d57423459395a58303030303131222c2263617272696572223a2244656c686976657279222c226372617465644174223a2231373936303230323437343230222c226f726465724964223a2253422d484f4d57423459395a582d31312d4d58325733303538222c2273657276696365223a2253757266616365222c22736869706d656e7450757263686173654572726f72223a6e756c6c7d', 165, 26, NULL, NULL, 16, 16);
INSERT INTO shipsheet.cancel_requests VALUES (1, 1, 1796020247784, 'asha', 'packing-desk', 1796020247813, 'cancelled', '{"createdAt":"1796020227474","id":1,"refundStatus":"REFUND_INITIATED","trackingCode":"SBXHOMWAUVHJP000001","updatedAt":"1796020247798"}');
INSERT INTO shipsheet.cancellations VALUES (1, 1, 1796020247813, 'asha', 'packing-desk', 'REFUND_INITIATED', '{"createdAt":"1796020227474","id":1,"refundStatus":"REFUND_INITIATED","trackingCode":"SBXHOMWAUVHJP000001","updatedAt":"1796020247798"}');
INSERT INTO shipsheet.decisions VALUES (1, 1796020243662, 'asha', 'packing-desk', 4, 4, 'booked', '7788001', 'seen in the portal', 11);
INSERT INTO shipsheet.decisions VALUES (2, 1796020243799, 'asha', 'packing-desk', 5, 5, 'not-booked', NULL, 'not in the portal', 12);
INSERT INTO shipsheet.decisions VALUES (3, 1796020243957, 'asha', 'packing-desk', 6, 6, 'abandoned', NULL, 'the customer cancelled', 13);
INSERT INTO shipsheet.decisions VALUES (4, 1796020245516, 'asha', 'packing-desk', 15, NULL, 'abandoned', NULL, 'cancelled in wed2.csv:5', 18);
INSERT INTO shipsheet.decisions VALUES (5, 1796020245516, 'asha', 'packing-desk', 16, NULL, 'abandoned', NULL, 'cancelled in wed2.csv:6', 19);
INSERT INTO shipsheet.dismissals VALUES (1, 1796020227623, 'asha', 'packing-desk', 1, 'MON-2', 1, '\xb8fbd73b02204464572a6fb278386235dea9b689f2a02eb7853acb79b3552849', 'nobody answers', 4);
INSERT INTO shipsheet.evidence VALUES (1, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x5c55dd6287f192c5214a9a3380774901a099ff02a7f895083acac5f15b24caff');
INSERT INTO shipsheet.evidence VALUES (2, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x1dd1d9ef51502ef7211577abd34c82fceb6beb14f94da8cdc662f6fd9eeb833c');
INSERT INTO shipsheet.evidence VALUES (3, 3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x115c3f3eb7d55547931343554eb55e826f4836609a77304953f4808a0cbce2ed');
INSERT INTO shipsheet.evidence VALUES (4, NULL, NULL, NULL, NULL, NULL, NULL, 1, NULL, '\x8063cba28b8fb9ef0252f7a33951364090bb275abb82ed4c89bc67598b1984fe');
INSERT INTO shipsheet.evidence VALUES (5, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, '\x6d38a0589f6b7f082f51d625b1276eedf96066c279aec4ace847c24bf9565b85');
INSERT INTO shipsheet.evidence VALUES (6, 4, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\xaa57245cd6ef07990842b21894e70b69a4101fbea63e9828a9e17d5c0dc1ef73');
INSERT INTO shipsheet.evidence VALUES (7, 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x3fc0cd3bf529830ccc11ce950b127f5a88ba01fb2b4bbbef5a20c9bd0f5e8843');
INSERT INTO shipsheet.evidence VALUES (8, 6, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x4c12e7c57ba2bc0285bd630cb7f9d162d3d4501be291fdece70027f8577c051b');
INSERT INTO shipsheet.evidence VALUES (9, 7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x81e359cec3a015ae354aa14526cdcbc9d37012dba7fbd9451e7f03416110e9eb');
INSERT INTO shipsheet.evidence VALUES (10, 8, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x23a61f3cda61898664778ce781a1343ff56ebc37e9944db05ccf4f315abc05c9');
INSERT INTO shipsheet.evidence VALUES (11, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, '\xe83379b7218e8ed889e51e2fe043a3dfefaa2f4cb1fdfd53c4a6dba0eefdc1d0');
INSERT INTO shipsheet.evidence VALUES (12, NULL, 2, NULL, NULL, NULL, NULL, NULL, NULL, '\x1283eb249af893adb91015795823da75ff374637833a7287aea21b073242f47f');
INSERT INTO shipsheet.evidence VALUES (13, NULL, 3, NULL, NULL, NULL, NULL, NULL, NULL, '\x7ae70cf32760c8d6e4f7be0e38ba2f3f47d4c83d625c3eb35eb3b076c9b0b2dd');
INSERT INTO shipsheet.evidence VALUES (14, 9, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x6cc78533c675c67b002a2cd4e26bdb9955823456c5435b72679b90dea8c094f3');
INSERT INTO shipsheet.evidence VALUES (15, 10, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\xe695ecac5553a8344a04a9d6e5d5a67d2ca7c233294d5229ae23cbc6b9ec3239');
INSERT INTO shipsheet.evidence VALUES (16, 11, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\xef92bbcfa9c323ca5e154ce68cd921d351f8b5b17bb8a29c29f9db4648f491ae');
INSERT INTO shipsheet.evidence VALUES (17, 12, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x97dea4e4ffbe1ef019b5752fdeba9da351c5fb08f6d4959b7e6b16729415d151');
INSERT INTO shipsheet.evidence VALUES (18, NULL, 4, NULL, NULL, NULL, NULL, NULL, NULL, '\x496c9e148a074ab699f83d3653c36eab4e6b2996e1cac09008d9caf0f17c0a04');
INSERT INTO shipsheet.evidence VALUES (19, NULL, 5, NULL, NULL, NULL, NULL, NULL, NULL, '\xed65c0f2b89164cba5f88f8d07efe677b15212ef27365f31931d0daf3617e070');
INSERT INTO shipsheet.evidence VALUES (20, 13, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\xe7fe54e150b89515bcd0b1dd88fd9a2c08c2a19e18aec9570e6d197625a47935');
INSERT INTO shipsheet.evidence VALUES (21, 15, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\xbcbf5a6f2399567cf2143a12d4744a4eb56af678df12407296ea4653fbf910bf');
INSERT INTO shipsheet.evidence VALUES (22, 14, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x5537705eb0ad76b3f5c0fdf1da402bc573f6943c991a48a430e74423238ebf20');
INSERT INTO shipsheet.evidence VALUES (23, 16, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x1ccc730b1dc2c726503f2da41fc5ccdb5991d41029efff6af3a05ccec4acb763');
INSERT INTO shipsheet.evidence VALUES (24, 17, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x0edf10f560a54e5695c777d7c2a422ba2f01911cdf40c84622bd4d39ca71091f');
INSERT INTO shipsheet.evidence VALUES (25, 18, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x613380bf2a6d44d4e61adb287a49b481557d2f09fba3101ca3425609628f76cc');
INSERT INTO shipsheet.evidence VALUES (26, 19, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '\x70b79c88740e5d8aa5722f5c210ceff752eae1318e848da0a964f2f8e76333a3');
INSERT INTO shipsheet.evidence VALUES (27, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, '\xb47134bef2ff7ae5e7664703d0b92eb272d137945c470c283e36060dbe03359d');
INSERT INTO shipsheet.filed_sheets VALUES (1, 1, 1796020246928, 'attention', '20261130-063046-packing-desk-run7-bad.csv', 0, '2 of 4 orders booked, 1 invalid, 1 rejected');
INSERT INTO shipsheet.filed_sheets VALUES (2, 2, 1796020247606, 'done', '20261130-063047-packing-desk-run8-thu.csv', 0, '4 of 4 orders booked');
INSERT INTO shipsheet.freights VALUES (1, 4, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 4);
INSERT INTO shipsheet.freights VALUES (2, 1, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 2);
INSERT INTO shipsheet.freights VALUES (3, 3, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 3);
INSERT INTO shipsheet.freights VALUES (4, 9, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 5);
INSERT INTO shipsheet.freights VALUES (5, 10, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 6);
INSERT INTO shipsheet.freights VALUES (6, 13, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 7);
INSERT INTO shipsheet.freights VALUES (7, 14, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 8);
INSERT INTO shipsheet.freights VALUES (8, 17, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 9);
INSERT INTO shipsheet.freights VALUES (9, 19, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 10);
INSERT INTO shipsheet.freights VALUES (10, 20, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 11);
INSERT INTO shipsheet.freights VALUES (11, 22, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 13);
INSERT INTO shipsheet.freights VALUES (12, 21, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 12);
INSERT INTO shipsheet.freights VALUES (13, 23, 1796020248522, 'asha', 'packing-desk', '45.50', 'st.csv', '\x9424da3ba480d72b0f5d84b84e8821f5fb954251744eaccd97b3ca743646f7aa', 14);
INSERT INTO shipsheet.homes VALUES (1, 1796020227275, 'asha', 'PostgreSQL 7713848077939484007', 'orders (timeline 1, 16384.16515)', 7713848077939484007, 281749854634115, NULL, NULL);
INSERT INTO shipsheet.identity VALUES (1, 'beeddb3f102f4075a6a108128d07c041');
INSERT INTO shipsheet.label_prints VALUES (1, 3, 1796020247954, 'asha', 'packing-desk', 'labels.pdf');
INSERT INTO shipsheet.layouts VALUES (1, '2026-11-30 06:30:26.633454+00');
INSERT INTO shipsheet.layouts VALUES (2, '2026-11-30 06:30:26.633454+00');
INSERT INTO shipsheet.layouts VALUES (3, '2026-11-30 06:30:26.633454+00');
INSERT INTO shipsheet.layouts VALUES (4, '2026-11-30 06:30:26.633454+00');
INSERT INTO shipsheet.layouts VALUES (5, '2026-11-30 06:30:26.633454+00');
INSERT INTO shipsheet.layouts VALUES (6, '2026-11-30 06:30:26.633454+00');
INSERT INTO shipsheet.layouts VALUES (7, '2026-11-30 06:30:26.633454+00');
INSERT INTO shipsheet.layouts VALUES (8, '2026-11-30 06:30:26.633454+00');
INSERT INTO shipsheet.layouts VALUES (9, '2026-11-30 06:30:26.633454+00');
INSERT INTO shipsheet.orders VALUES (1, 1, 'MON-1', 'booked', 1, 1795113000000, 1, 'SBXHOMWAUVHJP000001', 'SB-HOMWAUVHJP-1-MX2W2KR6', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.orders VALUES (2, 1, 'MON-3', 'rejected', 2, 1795113000000, 1, NULL, 'SB-HOMWAUVHJP-2-MX2W2KRU', NULL, NULL, 0, 'PIN code 999001 is not serviceable by any courier');
INSERT INTO shipsheet.orders VALUES (3, 1, 'MON-4', 'booked', 3, 1795113000000, 1, 'SBXHOMWAUVHJP000003', 'SB-HOMWAUVHJP-3-MX2W2KRV', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.orders VALUES (7, 1, 'QS-1004', 'in_doubt', 7, 1795150800000, 1, NULL, NULL, NULL, NULL, 0, 'the connection broke before the answer: connection closed before message completed');
INSERT INTO shipsheet.orders VALUES (8, 1, 'QS-1005', 'in_doubt', 8, 1795152600000, 1, NULL, NULL, NULL, NULL, 0, 'the connection broke before the answer: connection closed before message completed');
INSERT INTO shipsheet.orders VALUES (4, 1, 'QS-1001', 'booked', 4, 1795146300000, 1, '7788001', NULL, NULL, NULL, 0, NULL);
INSERT INTO shipsheet.orders VALUES (5, 1, 'QS-1002', 'staged', 5, 1795147800000, 1, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO shipsheet.orders VALUES (6, 1, 'QS-1003', 'abandoned', 6, 1795149300000, 1, NULL, NULL, NULL, NULL, 0, 'abandoned: the customer cancelled');
INSERT INTO shipsheet.orders VALUES (11, 1, 'TUE-3', 'staged', 11, 1795113000000, 0, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO shipsheet.orders VALUES (12, 1, 'TUE-4', 'staged', 12, 1795113000000, 0, NULL, NULL, NULL, NULL, 0, NULL);
INSERT INTO shipsheet.orders VALUES (9, 1, 'TUE-1', 'booked', 9, 1795113000000, 1, 'SBXHOMWB4Y9ZX000001', 'SB-HOMWB4Y9ZX-1-MX2W2XRA', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.orders VALUES (10, 1, 'TUE-2', 'booked', 10, 1795113000000, 1, 'SBXHOMWB4Y9ZX000002', 'SB-HOMWB4Y9ZX-2-MX2W2Y6K', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.orders VALUES (13, 1, 'WED-1', 'booked', 13, 1795113000000, 1, 'SBXHOMWB4Y9ZX000003', 'SB-HOMWB4Y9ZX-3-MX2W2YFG', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.orders VALUES (14, 1, 'WED-2', 'booked', 14, 1795113000000, 1, 'SBXHOMWB4Y9ZX000004', 'SB-HOMWB4Y9ZX-4-MX2W2YG9', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.orders VALUES (15, 1, 'WED-3', 'abandoned', 15, 1795113000000, 0, NULL, NULL, NULL, NULL, 0, 'abandoned: cancelled in wed2.csv:5');
INSERT INTO shipsheet.orders VALUES (16, 1, 'WED-4', 'abandoned', 16, 1795113000000, 0, NULL, NULL, NULL, NULL, 0, 'abandoned: cancelled in wed2.csv:6');
INSERT INTO shipsheet.orders VALUES (17, 1, 'FRI-1', 'booked', 17, 1795113000000, 1, 'SBXHOMWB4Y9ZX000005', 'SB-HOMWB4Y9ZX-5-MX2W2ZLS', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.orders VALUES (19, 1, 'FRI-4', 'booked', 19, 1795113000000, 1, 'SBXHOMWB4Y9ZX000006', 'SB-HOMWB4Y9ZX-6-MX2W2ZMT', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.orders VALUES (18, 1, 'FRI-3', 'rejected', 18, 1795113000000, 1, NULL, 'SB-HOMWB4Y9ZX-7-MX2W2ZMV', NULL, NULL, 0, 'PIN code 999001 is not serviceable by any courier');
INSERT INTO shipsheet.orders VALUES (20, 1, 'THU-1', 'booked', 20, 1795113000000, 1, 'SBXHOMWB4Y9ZX000008', 'SB-HOMWB4Y9ZX-8-MX2W303W', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.orders VALUES (21, 1, 'THU-2', 'booked', 21, 1795113000000, 1, 'SBXHOMWB4Y9ZX000010', 'SB-HOMWB4Y9ZX-10-MX2W304F', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.orders VALUES (22, 1, 'THU-3', 'booked', 22, 1795113000000, 1, 'SBXHOMWB4Y9ZX000009', 'SB-HOMWB4Y9ZX-9-MX2W304C', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.orders VALUES (23, 1, 'THU-4', 'booked', 23, 1795113000000, 1, 'SBXHOMWB4Y9ZX000011', 'SB-HOMWB4Y9ZX-11-MX2W3058', 'Delhivery', 'Surface', 0, NULL);
INSERT INTO shipsheet.problems VALUES (1, 1, NULL, 'unknown-column', 'warning', 'monday.csv:1 "Shelf"', NULL, NULL, 'Shelf', '', '', '{"case":"left_out"}');
INSERT INTO shipsheet.problems VALUES (1, 2, 1, 'bad-phone', 'error', 'monday.csv:4 "Mobile"', 'MON-2', 'receiver.phoneNumber', '98111', '', '', '{"case":"wrong_length","parameters":{"digits":5,"accepted":"ten digits that start with 6, 7, 8 or 9, with or without +91"},"remedies":[{"do":"accept","rule":"phone-form","order":"MON-2","sheet":null}],"basis":[["Mobile","226e6b27d04b1212f440c8787b2d30f8"]]}');
INSERT INTO shipsheet.problems VALUES (3, 1, NULL, 'unknown-column', 'warning', 'tue.csv:1 "Shelf"', NULL, NULL, 'Shelf', '', '', '{"case":"left_out"}');
INSERT INTO shipsheet.problems VALUES (3, 2, NULL, 'same-shipment', 'warning', 'tue.csv:2 "Order No"', 'TUE-1', 'orderNumber', 'TUE-1', '', '', '{"case":"again_after","parameters":{"other":"MON-1","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWAUVHJP000001"}}]}}');
INSERT INTO shipsheet.problems VALUES (3, 3, NULL, 'same-shipment', 'warning', 'tue.csv:6 "Order No"', 'TUE-4', 'orderNumber', 'TUE-4', '', '', '{"case":"again_after","parameters":{"other":"MON-4","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWAUVHJP000003"}}]}}');
INSERT INTO shipsheet.problems VALUES (4, 1, NULL, 'unknown-column', 'warning', 'tue.csv:1 "Shelf"', NULL, NULL, 'Shelf', '', '', '{"case":"left_out"}');
INSERT INTO shipsheet.problems VALUES (4, 2, NULL, 'same-shipment', 'warning', 'tue.csv:2 "Order No"', 'TUE-1', 'orderNumber', 'TUE-1', '', '', '{"case":"again_after","parameters":{"other":"MON-1","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWAUVHJP000001"}}]}}');
INSERT INTO shipsheet.problems VALUES (4, 3, NULL, 'same-shipment', 'warning', 'tue.csv:6 "Order No"', 'TUE-4', 'orderNumber', 'TUE-4', '', '', '{"case":"again_after","parameters":{"other":"MON-4","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWAUVHJP000003"}}]}}');
INSERT INTO shipsheet.problems VALUES (5, 1, NULL, 'unknown-column', 'warning', 'wed.csv:1 "Shelf"', NULL, NULL, 'Shelf', '', '', '{"case":"left_out"}');
INSERT INTO shipsheet.problems VALUES (5, 2, NULL, 'same-shipment', 'warning', 'wed.csv:2 "Order No"', 'WED-1', 'orderNumber', 'WED-1', '', '', '{"case":"again_after","parameters":{"other":"MON-1","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWAUVHJP000001"}}]}}');
INSERT INTO shipsheet.problems VALUES (5, 3, NULL, 'same-shipment', 'warning', 'wed.csv:4 "Order No"', 'WED-2', 'orderNumber', 'WED-2', '', '', '{"case":"again_after","parameters":{"other":"TUE-2","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWB4Y9ZX000002"}}]}}');
INSERT INTO shipsheet.problems VALUES (5, 4, NULL, 'same-shipment', 'warning', 'wed.csv:5 "Order No"', 'WED-3', 'orderNumber', 'WED-3', '', '', '{"case":"again_after","parameters":{"other":"TUE-3","standing":[{"id":"same-shipment","case":"outstanding"}]}}');
INSERT INTO shipsheet.problems VALUES (5, 5, NULL, 'same-shipment', 'warning', 'wed.csv:6 "Order No"', 'WED-4', 'orderNumber', 'WED-4', '', '', '{"case":"again_after","parameters":{"other":"MON-4","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWAUVHJP000003"}}]}}');
INSERT INTO shipsheet.problems VALUES (6, 1, NULL, 'unknown-column', 'warning', 'wed2.csv:1 "Shelf"', NULL, NULL, 'Shelf', '', '', '{"case":"left_out"}');
INSERT INTO shipsheet.problems VALUES (6, 2, NULL, 'same-shipment', 'warning', 'wed2.csv:2 "Order No"', 'WED-1', 'orderNumber', 'WED-1', '', '', '{"case":"again_after","parameters":{"other":"MON-1","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWAUVHJP000001"}}]}}');
INSERT INTO shipsheet.problems VALUES (6, 3, NULL, 'same-shipment', 'warning', 'wed2.csv:4 "Order No"', 'WED-2', 'orderNumber', 'WED-2', '', '', '{"case":"again_after","parameters":{"other":"TUE-2","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWB4Y9ZX000002"}}]}}');
INSERT INTO shipsheet.problems VALUES (6, 4, NULL, 'row-left-out', 'warning', 'wed2.csv:5 "Status"', 'WED-3', NULL, 'Cancelled', '', '', '{"case":"over","parameters":{"header":"Status","ready":true,"yes":false},"remedies":[{"do":"edit-cell","to":"ready"}]}');
INSERT INTO shipsheet.problems VALUES (6, 5, NULL, 'row-left-out', 'warning', 'wed2.csv:5 "Order No"', 'WED-3', NULL, NULL, '', '', '{"case":"taken_back","parameters":{"rows":"wed.csv:5"}}');
INSERT INTO shipsheet.problems VALUES (6, 6, NULL, 'row-left-out', 'warning', 'wed2.csv:6 "Status"', 'WED-4', NULL, 'Cancelled', '', '', '{"case":"over","parameters":{"header":"Status","ready":true,"yes":false},"remedies":[{"do":"edit-cell","to":"ready"}]}');
INSERT INTO shipsheet.problems VALUES (6, 7, NULL, 'row-left-out', 'warning', 'wed2.csv:6 "Order No"', 'WED-4', NULL, NULL, '', '', '{"case":"taken_back","parameters":{"rows":"wed.csv:6"}}');
INSERT INTO shipsheet.problems VALUES (7, 1, NULL, 'unknown-column', 'warning', 'bad.csv:1 "Shelf"', NULL, NULL, 'Shelf', '', '', '{"case":"left_out"}');
INSERT INTO shipsheet.problems VALUES (7, 2, NULL, 'same-shipment', 'warning', 'bad.csv:2 "Order No"', 'FRI-1', 'orderNumber', 'FRI-1', '', '', '{"case":"again_after","parameters":{"other":"MON-1","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWAUVHJP000001"}}]}}');
INSERT INTO shipsheet.problems VALUES (7, 3, 1, 'bad-phone', 'error', 'bad.csv:4 "Mobile"', 'FRI-2', 'receiver.phoneNumber', '98111', '', '', '{"case":"wrong_length","parameters":{"digits":5,"accepted":"ten digits that start with 6, 7, 8 or 9, with or without +91"},"remedies":[{"do":"accept","rule":"phone-form","order":"FRI-2","sheet":null}],"basis":[["Mobile","226e6b27d04b1212f440c8787b2d30f8"]]}');
INSERT INTO shipsheet.problems VALUES (7, 4, NULL, 'same-shipment', 'warning', 'bad.csv:6 "Order No"', 'FRI-4', 'orderNumber', 'FRI-4', '', '', '{"case":"again_after","parameters":{"other":"MON-4","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWAUVHJP000003"}}]}}');
INSERT INTO shipsheet.problems VALUES (8, 1, NULL, 'unknown-column', 'warning', 'thu.csv:1 "Shelf"', NULL, NULL, 'Shelf', '', '', '{"case":"left_out"}');
INSERT INTO shipsheet.problems VALUES (8, 2, NULL, 'same-shipment', 'warning', 'thu.csv:2 "Order No"', 'THU-1', 'orderNumber', 'THU-1', '', '', '{"case":"again_after","parameters":{"other":"MON-1","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWAUVHJP000001"}}]}}');
INSERT INTO shipsheet.problems VALUES (8, 3, NULL, 'same-shipment', 'warning', 'thu.csv:4 "Order No"', 'THU-2', 'orderNumber', 'THU-2', '', '', '{"case":"again_after","parameters":{"other":"TUE-2","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWB4Y9ZX000002"}}]}}');
INSERT INTO shipsheet.problems VALUES (8, 4, NULL, 'same-shipment', 'warning', 'thu.csv:5 "Order No"', 'THU-3', 'orderNumber', 'THU-3', '', '', '{"case":"again_after","parameters":{"other":"TUE-3","standing":[{"id":"same-shipment","case":"outstanding"}]}}');
INSERT INTO shipsheet.problems VALUES (8, 5, NULL, 'same-shipment', 'warning', 'thu.csv:6 "Order No"', 'THU-4', 'orderNumber', 'THU-4', '', '', '{"case":"again_after","parameters":{"other":"MON-4","standing":[{"id":"same-shipment","case":"booked","parameters":{"awb":"SBXHOMWAUVHJP000003"}}]}}');
INSERT INTO shipsheet.requests VALUES (1, 1, '\x9e1f0958cc6f9c0eb955fefa43eac779149f0e309998e6762af4bb83aff92a5c', 1796020227317, 1795113000000, 2, '1148.80', '0', 'monday.csv:2-3', '\x01482caa337de1833a129ed07dfdfd740db1e72f4b53434363033000a54bd2b29a7762596609283d236538bfc4cc22a44c970d56a297979859e4905a91985b90930a2a274009002d2f9a9b999a181b1982628cd43c6968a2e0ebae002a75f0e54e449946a56c6a6060000a5568a6a45d563546645523a4ac8ac88534cca9cef92525f9790ad9a545e08846cab59628b9d608946889ceb5dea141218ebabeba90f0a349fed5412f73a03e294e4e2c4a03253f48f9636802c9ade4963fc1ce8e416eba0646907266309543868626167a16742a88c23d740d956a01e6de7106');
INSERT INTO shipsheet.requests VALUES (2, 2, '\xe7d6911ead3df5dac994aa8cd6fac73d0589236569aab5ca00fb21d7a018d5cc', 1796020227317, 1795113000000, 1, '1250.50', '0', 'monday.csv:5', '\x01482caa337de1833a129ed07dfdfd748db1e72f4b53434363033000a54bd2b29a4f6a6a0e283923e537dfd4bcfc3cfc99cec4c0c0d0c8d8c414641f8999cf5cc129353139430154c0e0cb88d0f20d1478d0fc88281dc1d682b31f28291193212d2d2d0d0c0c41290912ebb4cb9426884c698c94298d08674a233d738a73654862524eaa424e626e01227f1a1a991ae8995290417d1c7d03740dc1a137b8f229dc67f4c8a8e11eba864ab500f15825cb');
INSERT INTO shipsheet.requests VALUES (3, 3, '\x5c3495c5b76c1bbb5a9a49c287ea8f5da8435b65c8b7082db8621b5633af5abd', 1796020227317, 1795113000000, 1, '897.00', '897.00', 'monday.csv:6', '\x01482caa337de1833a129ed07dfdfd744db0e72f4b53434363033000a54bd2b29a676e51621e6a7ef3ce008be0ce73e606060686864646c620eb48cc7ba6a60a4e8979a0e253c1233327a7185f5e849775a01084664a78e90ab61b9c0541c989a84c696060600c0a436816a45dc63442ca98a624664c634a336600a88054484e2c4e45645123688246645163500a253a8b3a3b06bbea464032e240655450a5839c492d2ccdc1398f1e9934dc43d750a91600329e25bf');
INSERT INTO shipsheet.requests VALUES (4, 4, '\x4c08efaa7932ae56431f6a97e72f49dc0ee9560cff9cfe45f08a86c55871fbfc', 1796020228048, 1795146300000, 2, '1148.80', '0', 'Orders rows 2-3', '\x01482caa337de1833a129ed00383750d0d0c0cb1e7304b5343133363031000a54cd2329b637106283d2365b8a0c47ca43c97589c91a8579498ef905a91985b90930a2a2340918f960fcdcd4c4d8c8d0c41b1456a7e343451f075570095389839d32f35b148c139b3a452c1373107945ba0f91451ba5129c31a4042179a3d49cbb43ea98965a90a89250a2519a90ae9a0844c422e3646e46223a45c8cc8a034ccc4cef92525f9790ad9a54525a0348094a12d5132b411283d139da1bd4383421c757d75c1c91591b54da998b575d08b23a84f8a93138bd240a9135234199a403232b94553b0b363909bae8111a408821651d4f407d94594a1a189859e059dcaa8700f5d43a55a00fdc079b7');
INSERT INTO shipsheet.requests VALUES (5, 5, '\xef68b6a6a965a05587c1eccceff6a19106549e4853a32a5bae29f485ca418a3b', 1796020228048, 1795147800000, 1, '899.00', '899.00', 'Orders row 4', '\x01482caa337de1833a129ed00383750d0d0c8cb0e7304b534313730b031000a54cd2325b58667651622e6a960bcecc4bcfc09fef0c0d0d8d8c8c8d4d40169298ff8c8c0c157c32f3b233f3d21540e50c667e74cb492c51001b0d4e4f4a90a20d1490d0bc895434821d00ce8ba074454cee343130303005272b4812a05d0e353245e4500b9272a8a19e11a53934b8243535472129bfa4242715915b2da0699bdcdcea14e2a36b0e093d78a6350495c2881c40875c0baa8190732ccc57f4c8b1e11eba864ab500950a29ae');
INSERT INTO shipsheet.requests VALUES (6, 6, '\xd38982b62dd74a3c108fdc2491478641ec92bef2d6c24eb2b6ff90aac60e08d5', 1796020228048, 1795149300000, 1, '1250.50', '0', 'Orders row 5', '\x01482caa337de1833a129ed00383750d0d0c8cb1e7304b5343134b63031000a54cd2329b6f6a6a11284123e538cfcad422a45c970b52e1905a91985b90930a2a2240718f960d4d0c0c0c8d8c4d4c41f693981dcd159c521393331440450ebeac092df140c109cda188f2126c2d38438212173159d40c145a26a0b4054907a46553b7a2c4f4cc9c545040109b5b4d10b9d51829b71a11cead467ae61467d790c4a49c54859cc4dc02909b2119d7d0c8d440cf94829cebe3e81ba06b68080a447806360495c888dc30403918ee357a64e1700f5d43a55a006a312f49');
INSERT INTO shipsheet.requests VALUES (7, 7, '\x0269fb22be9d66f35139e89dd12294062787a59418e5dcdddca4e976307c6d47', 1796020228048, 1795150800000, 1, '897.00', '897.00', 'Orders row 6', '\x01482caa337de1833a129ed00383750d0d0c4cb0e7304b534353030b031000a54cd2329b5b625146621e6a9673ccc9c49bebcc0d0c0c0c0d8d8c8c41d69198fb4c4d159c12f34005a88247664e4e31bedc082fed406108cd96f0f2156c37381382121451d9d2c0c0c0181486d04c48bbac698494354d49cc9ac69466cd005011a9909c589c8ac8a446d0248dc8a4c6a0344a742675760c76d58d8064456856350495bd88744f87bc0aaa7790f3a985a53938f3d1239f867be81a2ad50200384c2639');
INSERT INTO shipsheet.requests VALUES (8, 8, '\x8818235a30da6d6237325cb91601d278d57a01bc3fd0f901d72d1ee896c770be', 1796020228048, 1795152600000, 1, '399.00', '0', 'Orders row 7', '\x01482caa337de1833a129ed00383750d0d0c4cb1e7304b5343532333031000a54cd2329b4f46626e3e6a8e73c9cfc905a571dcd9cec4d0d2c0d0c8d804e42052b39fa1825b7e518902a884c197137d5233402107cd8c3e892989d92001702883d2157139d1d0d2c4d0c010948420d14dbbdc6884941b4d49cc8d2694e6c6f0fcfc1c85e4c40244ae3486a6617273a5b36380ae01a8ec46e44d506423d2f900e54d98bfe89137c33d740d956a0185df214d');
INSERT INTO shipsheet.requests VALUES (9, 9, '\xa2526d392b16a9db2225710c1655d626da339d0fa19a58cd69cf30f135c86535', 1796020244234, 1795113000000, 2, '1148.80', '0', 'tue.csv:2-3', '\x01482caa337de1833a129ed043425d750db1e72f4b53434363033000a54bd2b29a7762596609283d236538bfc4cc22a44c970d56a297979859e4905a91985b90930a2a274009002d2f9a9b999a181b1982628cd43c6968a2e0ebae002a75f0e54e449946a56c6a6060000a5568a6a45d563546645523a4ac8ac88534cca9cef92525f9790ad9a545e08846cab59628b9d608946889ceb5dea141218ebabeba90f0a349fed5412f73a03e294e4e2c4a03253f48f9636802c9ade4963fc1ce8e416eba0646907266309543868626167a16742a88c23d740d956a01f88a710a');
INSERT INTO shipsheet.requests VALUES (10, 10, '\xfc66afc076b6e0a67298f5387913f2d2bbee3f3d99ce39c3d1ecff9e648bfe98', 1796020244234, 1795113000000, 1, '899.00', '899.00', 'tue.csv:4', '\x01482caa337de1833a129ed043425d758db0e72f4b53434363033000a54bd2b25a507e46621e6a7ef34dcd2801a5703c99ced0d0d0c8c8d8d804641f8999cfc8c850c127332f3b332f5d0154c8e0cb8c90120d147ed02c89542282ad06674150722226539a1818189882531324e66997318d4c1119d382a48c69a8674469c60c2e494dcd5148ca2f29c9494564520b68922637933a85f8e89a43426fe0f22aa8de41cea7304fd1239f867be81a2ad50200e2c626c8');
INSERT INTO shipsheet.requests VALUES (11, 11, '\xfa4a189310d597795a6342e677c0c2082f690909d42b408ae46a19e90a6a9f9c', 1796020244234, 1795113000000, 1, '1250.50', '0', 'tue.csv:5', '\x01482caa337de1833a129ed043425d758db1e72f4b53434363033000a54bd2b29a4f6a6a0e283923e537dfd4bcfc3cfc99cec4c0c0d0c8d8c414641f8999cf5cc129353139430154c0e0cb88d0f20d1478d0fc88281dc1d682b31f2829119321cd40c163024a499058a75da63441644a63a44c694438531ae999539c2b4312937252157212730b10f9d3d0c8d440cf94820ceae3e81ba06b68080abdc1954fe13ea347460df7d03554aa0500d66e25bd');
INSERT INTO shipsheet.requests VALUES (12, 12, '\x7dc734bc62653c0437610eea39834fa6b9253fafd41fa1b209798be1ae517a35', 1796020244234, 1795113000000, 1, '897.00', '897.00', 'tue.csv:6', '\x01482caa337de1833a129ed043425d754db0e72f4b53434363033000a54bd2b29a676e51621e6a7ef3ce008be0ce73e606060686864646c620eb48cc7ba6a60a4e8979a0e253c1233327a7185f5e849775a01084664a78e90ab61b9c0541c989a84c696060600c0a436816a45dc63442ca98a624664c634a336600a88054484e2c4e45645123688246645163500a253a8b3a3b06bbea464032e240655450a5839c492d2ccdc1398f1e9934dc43d750a9160040ba25c3');
INSERT INTO shipsheet.requests VALUES (13, 13, '\x3c794ac0d198eee8592ba55de89c5ac1b8e35900e638faa5b0624666454a3c9a', 1796020245128, 1795113000000, 2, '1148.80', '0', 'wed.csv:2-3', '\x01482caa337de1833a129ed0c35d5d740db1e72f4b53434363033000a54bd2b29a7762596609283d236538bfc4cc22a44c970d56a297979859e4905a91985b90930a2a274009002d2f9a9b999a181b1982628cd43c6968a2e0ebae002a75f0e54e449946a56c6a6060000a5568a6a45d563546645523a4ac8ac88534cca9cef92525f9790ad9a545e08846cab59628b9d608946889ceb5dea141218ebabeba90f0a349fed5412f73a03e294e4e2c4a03253f48f9636802c9ade4963fc1ce8e416eba0646907266309543868626167a16742a88c23d740d956a01baec70fc');
INSERT INTO shipsheet.requests VALUES (14, 14, '\xcdd6c61963621c3d89516c48020b3e90686d42e831e9f6ba22455e053d92ce9b', 1796020245128, 1795113000000, 1, '899.00', '899.00', 'wed.csv:4', '\x01482caa337de1833a129ed0c35d5d748db0e72f4b53434363033000a54bd2b25a507e46621e6a7ef34dcd2801a5703c99ced0d0d0c8c8d8d804641f8999cfc8c850c127332f3b332f5d0154c8e0cb8c90120d147ed02c89542282ad06674150722226539a1818189882531324e66997318d4c1119d382a48c69a8674469c60c2e494dcd5148ca2f29c9494564520b68922637933a85f8e89a43426fe0f22aa8de41cea7304fd1239f867be81a2ad50200b17626ba');
INSERT INTO shipsheet.requests VALUES (15, 15, '\x8b5b1448d211695206844faa515131cb2877630689b49b22dd85b8ff418c7f65', 1796020245128, 1795113000000, 1, '1250.50', '0', 'wed.csv:5', '\x01482caa337de1833a129ed0c35d5d748db1e72f4b53434363033000a54bd2b29a4f6a6a0e283923e537dfd4bcfc3cfc99cec4c0c0d0c8d8c414641f8999cf5cc129353139430154c0e0cb88d0f20d1478d0fc88281dc1d682b31f2829119321cd40c163024a499058a75da63441644a63a44c694438531ae999539c2b4312937252157212730b10f9d3d0c8d440cf94820ceae3e81ba06b68080abdc1954fe13ea347460df7d03554aa0500a51025af');
INSERT INTO shipsheet.requests VALUES (16, 16, '\x3e0ff8b8b66be6bbc7fae40480638ef06548c702e7073e260ab74073a8cfb0a6', 1796020245128, 1795113000000, 1, '897.00', '897.00', 'wed.csv:6', '\x01482caa337de1833a129ed0c35d5d744db0e72f4b53434363033000a54bd2b29a676e51621e6a7ef3ce008be0ce73e606060686864646c620eb48cc7ba6a60a4e8979a0e253c1233327a7185f5e849775a01084664a78e90ab61b9c0541c989a84c696060600c0a436816a45dc63442ca98a624664c634a336600a88054484e2c4e45645123688246645163500a253a8b3a3b06bbea464032e240655450a5839c492d2ccdc1398f1e9934dc43d750a916000f9425b5');
INSERT INTO shipsheet.requests VALUES (17, 17, '\x1cd6936de829d2c3683050966abef7ce2988937af2395b40ccd5a6ad05f79549', 1796020246538, 1795113000000, 2, '1148.80', '0', 'bad.csv:2-3', '\x01482caa337de1833a129ed0dd823c750db1e72f4b53434363033000a54bd2b29a7762596609283d236538bfc4cc22a44c970d56a297979859e4905a91985b90930a2a274009002d2f9a9b999a181b1982628cd43c6968a2e0ebae002a75f0e54e449946a56c6a6060000a5568a6a45d563546645523a4ac8ac88534cca9cef92525f9790ad9a545e08846cab59628b9d608946889ceb5dea141218ebabeba90f0a349fed5412f73a03e294e4e2c4a03253f48f9636802c9ade4963fc1ce8e416eba0646907266309543868626167a16742a88c23d740d956a01bf3d70fd');
INSERT INTO shipsheet.requests VALUES (18, 18, '\x70db5f9a7e7184ffb6ae73b3038746c90d50b2d6684a69e00df59927f3f315b4', 1796020246538, 1795113000000, 1, '1250.50', '0', 'bad.csv:5', '\x01482caa337de1833a129ed0dd823c758db1e72f4b53434363033000a54bd2b29a4f6a6a0e283923e537dfd4bcfc3cfc99cec4c0c0d0c8d8c414641f8999cf5cc129353139430154c0e0cb88d0f20d1478d0fc88281dc1d682b31f28291193212d2d2d0d0c0c41290912ebb4cb9426884c698c94298d08674a233d738a73654862524eaa424e626e01227f1a1a991ae8995290417d1c7d03740dc1a137b8f229dc67f4c8a8e11eba864ab500d19725c2');
INSERT INTO shipsheet.requests VALUES (19, 19, '\x14651def9b352981f3598506ebfae5603ae2eea61b32e172aa16f01904806993', 1796020246538, 1795113000000, 1, '897.00', '897.00', 'bad.csv:6', '\x01482caa337de1833a129ed0dd823c754db0e72f4b53434363033000a54bd2b29a676e51621e6a7ef3ce008be0ce73e606060686864646c620eb48cc7ba6a60a4e8979a0e253c1233327a7185f5e849775a01084664a78e90ab61b9c0541c989a84c696060600c0a436816a45dc63442ca98a624664c634a336600a88054484e2c4e45645123688246645163500a253a8b3a3b06bbea464032e240655450a5839c492d2ccdc1398f1e9934dc43d750a91600130125b6');
INSERT INTO shipsheet.requests VALUES (20, 20, '\x7985e8c89099cd857803320e9583945e33ef929d6266b16103671bb7de371873', 1796020247205, 1795113000000, 2, '1148.80', '0', 'thu.csv:2-3', '\x01482caa337de1833a129ed0433c42750db1e72f4b53434363033000a54bd2b29a7762596609283d236538bfc4cc22a44c970d56a297979859e4905a91985b90930a2a274009002d2f9a9b999a181b1982628cd43c6968a2e0ebae002a75f0e54e449946a56c6a6060000a5568a6a45d563546645523a4ac8ac88534cca9cef92525f9790ad9a545e08846cab59628b9d608946889ceb5dea141218ebabeba90f0a349fed5412f73a03e294e4e2c4a03253f48f9636802c9ade4963fc1ce8e416eba0646907266309543868626167a16742a88c23d740d956a0105be710d');
INSERT INTO shipsheet.requests VALUES (21, 21, '\x07791c6e23f1b75a0e109f56dba464ba12c778b07a64629e40b597c16476e53f', 1796020247205, 1795113000000, 1, '899.00', '899.00', 'thu.csv:4', '\x01482caa337de1833a129ed0433c42758db0e72f4b53434363033000a54bd2b25a507e46621e6a7ef34dcd2801a5703c99ced0d0d0c8c8d8d804641f8999cfc8c850c127332f3b332f5d0154c8e0cb8c90120d147ed02c89542282ad06674150722226539a1818189882531324e66997318d4c1119d382a48c69a8674469c60c2e494dcd5148ca2f29c9494564520b68922637933a85f8e89a43426fe0f22aa8de41cea7304fd1239f867be81a2ad50200ed4826cb');
INSERT INTO shipsheet.requests VALUES (22, 22, '\x81be5855582ba2dc66d4fa2d1dcdfca9d642f9b853c23b9bb5595e06aab088e7', 1796020247205, 1795113000000, 1, '1250.50', '0', 'thu.csv:5', '\x01482caa337de1833a129ed0433c42758db1e72f4b53434363033000a54bd2b29a4f6a6a0e283923e537dfd4bcfc3cfc99cec4c0c0d0c8d8c414641f8999cf5cc129353139430154c0e0cb88d0f20d1478d0fc88281dc1d682b31f2829119321cd40c163024a499058a75da63441644a63a44c694438531ae999539c2b4312937252157212730b10f9d3d0c8d440cf94820ceae3e81ba06b68080abdc1954fe13ea347460df7d03554aa0500e0f325c0');
INSERT INTO shipsheet.requests VALUES (23, 23, '\x570bbc43674663aa32f977f77622cd96acc095f2a16294e6abdaa6eb73097481', 1796020247205, 1795113000000, 1, '897.00', '897.00', 'thu.csv:6', '\x01482caa337de1833a129ed0433c42754db0e72f4b53434363033000a54bd2b29a676e51621e6a7ef3ce008be0ce73e606060686864646c620eb48cc7ba6a60a4e8979a0e253c1233327a7185f5e849775a01084664a78e90ab61b9c0541c989a84c696060600c0a436816a45dc63442ca98a624664c634a336600a88054484e2c4e45645123688246645163500a253a8b3a3b06bbea464032e240655450a5839c492d2ccdc1398f1e9934dc43d750a916004b3325c6');
INSERT INTO shipsheet.row_sheets VALUES (1, '\x438cf2734cbc0632e4a403a6ad46066d02dc254d4386ec33b995cb8b71468595', '');
INSERT INTO shipsheet.row_sheets VALUES (2, '\x0000000000000000000000000000000000000000000000000000000000000000', '002078');
INSERT INTO shipsheet.row_sheets VALUES (3, '\x03e19f78cee0a198fca610cad203b224c04e63ecbffbc27d29ba939bc3629f24', 'Orders');
INSERT INTO shipsheet.row_sheets VALUES (4, '\x816559466275dbb6281b54d2e09245871560d20a11ac523e4bb2451503d79e9a', '');
INSERT INTO shipsheet.row_sheets VALUES (5, '\x7d41d58bf1d5a99b6a06dd1baa341fa9300a400ec25cd4ce7dc88439e7182432', '');
INSERT INTO shipsheet.row_sheets VALUES (6, '\x9cee2387d92dcfe9a7e248082fa4a0fb38e2961c8378fa748dbb3b758cc7fb85', '');
INSERT INTO shipsheet.row_sheets VALUES (7, '\x23447edec0f6987bba91745c866d9f81dbffcd902b2baced18d68504ba20702d', '');
INSERT INTO shipsheet.row_sheets VALUES (8, '\xc46a6a973d81d4e2c275a44aeb4e27280b29690517d65e0a0c03113a20b8ae36', '');
INSERT INTO shipsheet.run_ends VALUES (1, 2, 0, 1, 1, 0, 0, 0, 0, 0);
INSERT INTO shipsheet.run_ends VALUES (2, 0, 0, 0, 0, 0, 5, 0, 0, 0);
INSERT INTO shipsheet.run_ends VALUES (3, 1, 0, 0, 0, 0, 0, 3, 0, 0);
INSERT INTO shipsheet.run_ends VALUES (4, 1, 1, 0, 0, 0, 0, 2, 0, 0);
INSERT INTO shipsheet.run_ends VALUES (5, 2, 0, 0, 0, 0, 0, 2, 0, 0);
INSERT INTO shipsheet.run_ends VALUES (6, 0, 2, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO shipsheet.run_ends VALUES (7, 2, 0, 1, 1, 0, 0, 0, 0, 0);
INSERT INTO shipsheet.run_ends VALUES (8, 4, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO shipsheet.run_invalid VALUES (1, 1, 1, 'MON-2', 'monday.csv:4', '\xb8fbd73b02204464572a6fb278386235dea9b689f2a02eb7853acb79b3552849');
INSERT INTO shipsheet.run_invalid VALUES (7, 1, 1, 'FRI-2', 'bad.csv:4', '\x2aeeb34687e86d28d1e58b32c91e43e07b8f1185c39415fd6160118f18ba4b2e');
INSERT INTO shipsheet.run_orders VALUES (1, 0, 1, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (1, 2, 2, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (1, 3, 3, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (2, 0, 4, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (2, 1, 5, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (2, 2, 6, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (2, 3, 7, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (2, 4, 8, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (3, 0, 9, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (3, 1, 10, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (3, 2, 11, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (3, 3, 12, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (4, 0, 9, 1, 'tue.csv:2-3');
INSERT INTO shipsheet.run_orders VALUES (4, 1, 10, 0, 'tue.csv:4');
INSERT INTO shipsheet.run_orders VALUES (4, 2, 11, 0, 'tue.csv:5');
INSERT INTO shipsheet.run_orders VALUES (4, 3, 12, 0, 'tue.csv:6');
INSERT INTO shipsheet.run_orders VALUES (5, 0, 13, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (5, 1, 14, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (5, 2, 15, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (5, 3, 16, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (6, 0, 13, 1, 'wed2.csv:2-3');
INSERT INTO shipsheet.run_orders VALUES (6, 1, 14, 1, 'wed2.csv:4');
INSERT INTO shipsheet.run_orders VALUES (7, 0, 17, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (7, 2, 18, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (7, 3, 19, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (8, 0, 20, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (8, 1, 21, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (8, 2, 22, 0, NULL);
INSERT INTO shipsheet.run_orders VALUES (8, 3, 23, 0, NULL);
INSERT INTO shipsheet.run_sheets VALUES (1, 1, '/home/asha/orders2/monday.csv', '\x438cf2734cbc0632e4a403a6ad46066d02dc254d4386ec33b995cb8b71468595');
INSERT INTO shipsheet.run_sheets VALUES (2, 1, '/home/asha/orders2/orders.xlsx', '\x03e19f78cee0a198fca610cad203b224c04e63ecbffbc27d29ba939bc3629f24');
INSERT INTO shipsheet.run_sheets VALUES (3, 1, '/home/asha/orders2/tue.csv', '\x816559466275dbb6281b54d2e09245871560d20a11ac523e4bb2451503d79e9a');
INSERT INTO shipsheet.run_sheets VALUES (4, 1, '/home/asha/orders2/tue.csv', '\x816559466275dbb6281b54d2e09245871560d20a11ac523e4bb2451503d79e9a');
INSERT INTO shipsheet.run_sheets VALUES (5, 1, '/home/asha/orders2/wed.csv', '\x7d41d58bf1d5a99b6a06dd1baa341fa9300a400ec25cd4ce7dc88439e7182432');
INSERT INTO shipsheet.run_sheets VALUES (6, 1, '/home/asha/orders2/wed2.csv', '\x9cee2387d92dcfe9a7e248082fa4a0fb38e2961c8378fa748dbb3b758cc7fb85');
INSERT INTO shipsheet.run_sheets VALUES (7, 1, '/home/asha/orders2/inbox/working/bad.csv', '\x23447edec0f6987bba91745c866d9f81dbffcd902b2baced18d68504ba20702d');
INSERT INTO shipsheet.run_sheets VALUES (8, 1, '/home/asha/orders2/inbox/working/thu.csv', '\xc46a6a973d81d4e2c275a44aeb4e27280b29690517d65e0a0c03113a20b8ae36');
INSERT INTO shipsheet.run_tallies VALUES (1, 2, 0, 0, 1, 0, 0, 0, 0, 0, 1);
INSERT INTO shipsheet.run_tallies VALUES (2, 1, 0, 0, 0, 0, 2, 1, 1, 0, 0);
INSERT INTO shipsheet.run_tallies VALUES (4, 1, 1, 0, 0, 0, 0, 2, 0, 0, 0);
INSERT INTO shipsheet.run_tallies VALUES (3, 2, 0, 0, 0, 0, 0, 2, 0, 0, 0);
INSERT INTO shipsheet.run_tallies VALUES (5, 2, 0, 0, 0, 0, 0, 0, 2, 0, 0);
INSERT INTO shipsheet.run_tallies VALUES (6, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO shipsheet.run_tallies VALUES (7, 2, 0, 1, 1, 0, 0, 0, 0, 0, 0);
INSERT INTO shipsheet.run_tallies VALUES (8, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO shipsheet.runs VALUES (1, 'import', 1, NULL, 1796020227317, 1796020227516, '0.1.0', 'asha', 'packing-desk', '["monday.csv"]', 5, 0, 0, 4, 1, 4, 3, NULL, NULL, 4);
INSERT INTO shipsheet.runs VALUES (2, 'import', 1, NULL, 1796020228048, 1796020243193, '0.1.0', 'asha', 'packing-desk', '["orders.xlsx [Orders]"]', 6, 0, 0, 6, 0, 6, 5, NULL, NULL, 6);
INSERT INTO shipsheet.runs VALUES (3, 'import', 1, NULL, 1796020244234, 1796020244349, '0.1.0', 'asha', 'packing-desk', '["tue.csv"]', 5, 0, 0, 5, 0, 5, 1, 'limit', '1 orders were sent, which is as many as the limit of orders allows', 5);
INSERT INTO shipsheet.runs VALUES (4, 'import', 1, NULL, 1796020244723, 1796020244897, '0.1.0', 'asha', 'packing-desk', '["tue.csv"]', 5, 0, 0, 5, 0, 5, 1, 'limit', '1 orders were sent, which is as many as the limit of orders allows', 5);
INSERT INTO shipsheet.runs VALUES (5, 'import', 1, NULL, 1796020245128, 1796020245231, '0.1.0', 'asha', 'packing-desk', '["wed.csv"]', 5, 0, 0, 5, 0, 5, 2, 'limit', '2 orders were sent, which is as many as the limit of orders allows', 5);
INSERT INTO shipsheet.runs VALUES (6, 'import', 1, NULL, 1796020245516, 1796020245595, '0.1.0', 'asha', 'packing-desk', '["wed2.csv"]', 5, 0, 2, 3, 0, 3, 0, NULL, NULL, 0);
INSERT INTO shipsheet.runs VALUES (7, 'import', 1, NULL, 1796020246538, 1796020246785, '0.1.0', 'asha', 'packing-desk', '["bad.csv"]', 5, 0, 0, 4, 1, 4, 3, NULL, NULL, 4);
INSERT INTO shipsheet.runs VALUES (8, 'import', 1, NULL, 1796020247205, 1796020247445, '0.1.0', 'asha', 'packing-desk', '["thu.csv"]', 5, 0, 0, 5, 0, 5, 4, NULL, NULL, 0);
INSERT INTO shipsheet.services VALUES (1, 'http://127.0.0.1:18080');
INSERT INTO shipsheet.services VALUES (2, 'http://127.0.0.1:18081');
INSERT INTO shipsheet.shares VALUES (1, 1, 64, NULL, 64, NULL, NULL);
INSERT INTO shipsheet.shares VALUES (4, 1, 1, NULL, 1, NULL, NULL);
INSERT INTO shipsheet.shares VALUES (9, 1, 1, NULL, 0, NULL, '2026-11-30 06:30:44.353474+00');
INSERT INTO shipsheet.shares VALUES (10, 1, 1, NULL, 1, NULL, NULL);
INSERT INTO shipsheet.shares VALUES (11, 1, 1, NULL, 1, NULL, NULL);
INSERT INTO shipsheet.shares VALUES (15, 1, 64, NULL, 64, NULL, NULL);
INSERT INTO shipsheet.shares VALUES (16, 1, 64, NULL, 64, NULL, NULL);
INSERT INTO shipsheet.sheet_rows VALUES (1, 2, 1);
INSERT INTO shipsheet.sheet_rows VALUES (1, 3, 1);
INSERT INTO shipsheet.sheet_rows VALUES (2, 5408988481422460703, 1);
INSERT INTO shipsheet.sheet_rows VALUES (2, 502864188383862846, 1);
INSERT INTO shipsheet.sheet_rows VALUES (1, 5, 2);
INSERT INTO shipsheet.sheet_rows VALUES (2, 939431530248045919, 2);
INSERT INTO shipsheet.sheet_rows VALUES (1, 6, 3);
INSERT INTO shipsheet.sheet_rows VALUES (2, 2578129853151915578, 3);
INSERT INTO shipsheet.sheet_rows VALUES (3, 2, 4);
INSERT INTO shipsheet.sheet_rows VALUES (3, 3, 4);
INSERT INTO shipsheet.sheet_rows VALUES (2, 34533886338728715, 4);
INSERT INTO shipsheet.sheet_rows VALUES (2, 4976798867130817794, 4);
INSERT INTO shipsheet.sheet_rows VALUES (3, 4, 5);
INSERT INTO shipsheet.sheet_rows VALUES (2, 4248912908205507369, 5);
INSERT INTO shipsheet.sheet_rows VALUES (3, 5, 6);
INSERT INTO shipsheet.sheet_rows VALUES (2, 3293680737559653339, 6);
INSERT INTO shipsheet.sheet_rows VALUES (3, 6, 7);
INSERT INTO shipsheet.sheet_rows VALUES (2, 8071860852401681694, 7);
INSERT INTO shipsheet.sheet_rows VALUES (3, 7, 8);
INSERT INTO shipsheet.sheet_rows VALUES (2, 7145638159211503729, 8);
INSERT INTO shipsheet.sheet_rows VALUES (4, 2, 9);
INSERT INTO shipsheet.sheet_rows VALUES (4, 3, 9);
INSERT INTO shipsheet.sheet_rows VALUES (2, 1214126938732696573, 9);
INSERT INTO shipsheet.sheet_rows VALUES (2, 1413267871119099159, 9);
INSERT INTO shipsheet.sheet_rows VALUES (4, 4, 10);
INSERT INTO shipsheet.sheet_rows VALUES (2, 8999949080960196790, 10);
INSERT INTO shipsheet.sheet_rows VALUES (4, 5, 11);
INSERT INTO shipsheet.sheet_rows VALUES (2, 2323559003698723928, 11);
INSERT INTO shipsheet.sheet_rows VALUES (4, 6, 12);
INSERT INTO shipsheet.sheet_rows VALUES (2, 6431999070302935340, 12);
INSERT INTO shipsheet.sheet_rows VALUES (5, 2, 13);
INSERT INTO shipsheet.sheet_rows VALUES (5, 3, 13);
INSERT INTO shipsheet.sheet_rows VALUES (2, 1704961946510768079, 13);
INSERT INTO shipsheet.sheet_rows VALUES (2, 456168292443534440, 13);
INSERT INTO shipsheet.sheet_rows VALUES (5, 4, 14);
INSERT INTO shipsheet.sheet_rows VALUES (2, 1472943549098326172, 14);
INSERT INTO shipsheet.sheet_rows VALUES (5, 5, 15);
INSERT INTO shipsheet.sheet_rows VALUES (2, 4706324230598175081, 15);
INSERT INTO shipsheet.sheet_rows VALUES (5, 6, 16);
INSERT INTO shipsheet.sheet_rows VALUES (2, 4533094349457330585, 16);
INSERT INTO shipsheet.sheet_rows VALUES (6, 2, 13);
INSERT INTO shipsheet.sheet_rows VALUES (6, 3, 13);
INSERT INTO shipsheet.sheet_rows VALUES (6, 4, 14);
INSERT INTO shipsheet.sheet_rows VALUES (7, 2, 17);
INSERT INTO shipsheet.sheet_rows VALUES (7, 3, 17);
INSERT INTO shipsheet.sheet_rows VALUES (2, 2474352568928071790, 17);
INSERT INTO shipsheet.sheet_rows VALUES (2, 3420598150735321410, 17);
INSERT INTO shipsheet.sheet_rows VALUES (7, 5, 18);
INSERT INTO shipsheet.sheet_rows VALUES (2, 367635632302397442, 18);
INSERT INTO shipsheet.sheet_rows VALUES (7, 6, 19);
INSERT INTO shipsheet.sheet_rows VALUES (2, 7912364332599476658, 19);
INSERT INTO shipsheet.sheet_rows VALUES (8, 2, 20);
INSERT INTO shipsheet.sheet_rows VALUES (8, 3, 20);
INSERT INTO shipsheet.sheet_rows VALUES (2, 1074908224654435854, 20);
INSERT INTO shipsheet.sheet_rows VALUES (2, 4234572869336140812, 20);
INSERT INTO shipsheet.sheet_rows VALUES (8, 4, 21);
INSERT INTO shipsheet.sheet_rows VALUES (2, 3090055700572330970, 21);
INSERT INTO shipsheet.sheet_rows VALUES (8, 5, 22);
INSERT INTO shipsheet.sheet_rows VALUES (2, 1139837082948670441, 22);
INSERT INTO shipsheet.sheet_rows VALUES (8, 6, 23);
INSERT INTO shipsheet.sheet_rows VALUES (2, 9205995378419834913, 23);
INSERT INTO shipsheet.shipments VALUES (1, 1, 1796020227317, 2, 6640370994491765895);
INSERT INTO shipsheet.shipments VALUES (2, 2, 1796020227317, 2, 2905667530772474176);
INSERT INTO shipsheet.shipments VALUES (3, 3, 1796020227317, 2, 6191231015697372272);
INSERT INTO shipsheet.shipments VALUES (4, 4, 1796020228048, 2, -6447108946594388970);
INSERT INTO shipsheet.shipments VALUES (5, 5, 1796020228048, 2, 6270463178911484294);
INSERT INTO shipsheet.shipments VALUES (6, 6, 1796020228048, 2, 7468935355199930405);
INSERT INTO shipsheet.shipments VALUES (7, 7, 1796020228048, 2, -1642552694654044351);
INSERT INTO shipsheet.shipments VALUES (8, 8, 1796020228048, 2, 8404030492828775959);
INSERT INTO shipsheet.shipments VALUES (9, 9, 1796020244234, 2, 6640370994491765895);
INSERT INTO shipsheet.shipments VALUES (10, 10, 1796020244234, 2, 3991035430855679167);
INSERT INTO shipsheet.shipments VALUES (11, 11, 1796020244234, 2, -7970685227512404972);
INSERT INTO shipsheet.shipments VALUES (12, 12, 1796020244234, 2, 6191231015697372272);
INSERT INTO shipsheet.shipments VALUES (13, 13, 1796020245128, 2, 6640370994491765895);
INSERT INTO shipsheet.shipments VALUES (14, 14, 1796020245128, 2, 3991035430855679167);
INSERT INTO shipsheet.shipments VALUES (15, 15, 1796020245128, 2, -7970685227512404972);
INSERT INTO shipsheet.shipments VALUES (16, 16, 1796020245128, 2, 6191231015697372272);
INSERT INTO shipsheet.shipments VALUES (17, 17, 1796020246538, 2, 6640370994491765895);
INSERT INTO shipsheet.shipments VALUES (18, 18, 1796020246538, 2, 2905667530772474176);
INSERT INTO shipsheet.shipments VALUES (19, 19, 1796020246538, 2, 6191231015697372272);
INSERT INTO shipsheet.shipments VALUES (20, 20, 1796020247205, 2, 6640370994491765895);
INSERT INTO shipsheet.shipments VALUES (21, 21, 1796020247205, 2, 3991035430855679167);
INSERT INTO shipsheet.shipments VALUES (22, 22, 1796020247205, 2, -7970685227512404972);
INSERT INTO shipsheet.shipments VALUES (23, 23, 1796020247205, 2, 6191231015697372272);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (1, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:27.289242+00', '2026-11-30 06:30:27.470658+00', '2026-11-30 06:30:57.470658+00', '2026-11-30 06:30:27.532237+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (2, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:27.613583+00', '2026-11-30 06:30:27.613583+00', '2026-11-30 06:30:57.613583+00', '2026-11-30 06:30:27.652264+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (3, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:27.717474+00', '2026-11-30 06:30:27.717474+00', '2026-11-30 06:30:57.717474+00', '2026-11-30 06:30:27.752854+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (20, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:48.504958+00', '2026-11-30 06:30:48.504958+00', '2026-11-30 06:31:18.504958+00', '2026-11-30 06:30:48.552677+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (4, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:28.017501+00', '2026-11-30 06:30:42.372767+00', '2026-11-30 06:31:12.372767+00', '2026-11-30 06:30:43.201008+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (5, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:43.492475+00', '2026-11-30 06:30:43.492475+00', '2026-11-30 06:31:13.492475+00', '2026-11-30 06:30:43.518816+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (6, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:43.641752+00', '2026-11-30 06:30:43.641752+00', '2026-11-30 06:31:13.641752+00', '2026-11-30 06:30:43.712064+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (7, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:43.783939+00', '2026-11-30 06:30:43.783939+00', '2026-11-30 06:31:13.783939+00', '2026-11-30 06:30:43.82506+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (8, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:43.925607+00', '2026-11-30 06:30:43.925607+00', '2026-11-30 06:31:13.925607+00', '2026-11-30 06:30:43.991705+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (9, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:44.213977+00', '2026-11-30 06:30:44.332687+00', '2026-11-30 06:31:14.332687+00', '2026-11-30 06:30:44.372344+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (10, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:44.664259+00', '2026-11-30 06:30:44.860259+00', '2026-11-30 06:31:14.860259+00', '2026-11-30 06:30:44.920864+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (11, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:45.107159+00', '2026-11-30 06:30:45.188135+00', '2026-11-30 06:31:15.188135+00', '2026-11-30 06:30:45.233207+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (12, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:45.479776+00', '2026-11-30 06:30:45.479776+00', '2026-11-30 06:31:15.479776+00', '2026-11-30 06:30:45.611882+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (13, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:45.74269+00', '2026-11-30 06:30:45.74269+00', '2026-11-30 06:31:15.74269+00', '2026-11-30 06:30:45.782861+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (14, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:46.078012+00', '2026-11-30 06:30:46.078012+00', '2026-11-30 06:31:16.078012+00', '2026-11-30 06:30:46.16105+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (15, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:46.491116+00', '2026-11-30 06:30:46.698845+00', '2026-11-30 06:31:16.698845+00', '2026-11-30 06:30:46.817105+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (16, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:47.14089+00', '2026-11-30 06:30:47.350997+00', '2026-11-30 06:31:17.350997+00', '2026-11-30 06:30:47.479898+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (17, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:47.770767+00', '2026-11-30 06:30:47.770767+00', '2026-11-30 06:31:17.770767+00', '2026-11-30 06:30:47.846711+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (18, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:48.032614+00', '2026-11-30 06:30:48.032614+00', '2026-11-30 06:31:18.032614+00', '2026-11-30 06:30:48.069242+00', NULL, NULL, NULL);
INSERT INTO shipsheet.stations OVERRIDING SYSTEM VALUE VALUES (19, 'b41cd3abbdf37ff68484ef1a68df94c3', 'asha', 'packing-desk', '2026-11-30 06:30:48.135824+00', '2026-11-30 06:30:48.135824+00', '2026-11-30 06:31:18.135824+00', '2026-11-30 06:30:48.166524+00', NULL, NULL, NULL);
INSERT INTO shipsheet.taken_runs VALUES (7, 1);
INSERT INTO shipsheet.taken_runs VALUES (8, 2);
INSERT INTO shipsheet.taken_sheets VALUES (1, 1796020246228, 'asha', 'packing-desk', 1, '/home/asha/orders2/inbox', 'bad.csv', 792, '\x23447edec0f6987bba91745c866d9f81dbffcd902b2baced18d68504ba20702d');
INSERT INTO shipsheet.taken_sheets VALUES (2, 1796020246968, 'asha', 'packing-desk', 1, '/home/asha/orders2/inbox', 'thu.csv', 797, '\xc46a6a973d81d4e2c275a44aeb4e27280b29690517d65e0a0c03113a20b8ae36');
INSERT INTO shipsheet.webhooks VALUES (1, 'http://127.0.0.1:18080', 'SB-HOMWB4Y9ZX-12-MX2W30PQ', 'https://example.com/hook', 1, 'application/json', 1796020248155, 'asha', 'packing-desk');
INSERT INTO shipsheet.withdrawals VALUES (4, 'cancelled', '\x9cee2387d92dcfe9a7e248082fa4a0fb38e2961c8378fa748dbb3b758cc7fb85');
INSERT INTO shipsheet.withdrawals VALUES (5, 'cancelled', '\x9cee2387d92dcfe9a7e248082fa4a0fb38e2961c8378fa748dbb3b758cc7fb85');
SELECT pg_catalog.setval('shipsheet.acceptances_id_seq', 1, false);
SELECT pg_catalog.setval('shipsheet.accepted_findings_id_seq', 1, true);
SELECT pg_catalog.setval('shipsheet.address_words_id_seq', 1, true);
SELECT pg_catalog.setval('shipsheet.attempts_id_seq', 19, true);
SELECT pg_catalog.setval('shipsheet.brakes_id_seq', 1, false);
SELECT pg_catalog.setval('shipsheet.cancel_requests_id_seq', 1, true);
SELECT pg_catalog.setval('shipsheet.cancellations_id_seq', 1, true);
SELECT pg_catalog.setval('shipsheet.decisions_id_seq', 5, true);
SELECT pg_catalog.setval('shipsheet.deliveries_id_seq', 1, false);
SELECT pg_catalog.setval('shipsheet.dismissals_id_seq', 1, true);
SELECT pg_catalog.setval('shipsheet.filed_sheets_id_seq', 2, true);
SELECT pg_catalog.setval('shipsheet.freights_id_seq', 13, true);
SELECT pg_catalog.setval('shipsheet.homes_id_seq', 1, true);
SELECT pg_catalog.setval('shipsheet.label_prints_id_seq', 1, true);
SELECT pg_catalog.setval('shipsheet.late_answers_id_seq', 1, false);
SELECT pg_catalog.setval('shipsheet.moves_id_seq', 1, false);
SELECT pg_catalog.setval('shipsheet.orders_id_seq', 1, false);
SELECT pg_catalog.setval('shipsheet.purges_id_seq', 1, false);
SELECT pg_catalog.setval('shipsheet.requests_id_seq', 1, false);
SELECT pg_catalog.setval('shipsheet.row_sheets_id_seq', 8, true);
SELECT pg_catalog.setval('shipsheet.services_id_seq', 2, true);
SELECT pg_catalog.setval('shipsheet.statement_carriers_id_seq', 1, false);
SELECT pg_catalog.setval('shipsheet.stations_epoch_seq', 20, true);
SELECT pg_catalog.setval('shipsheet.stations_off_id_seq', 1, false);
SELECT pg_catalog.setval('shipsheet.taken_sheets_id_seq', 2, true);
SELECT pg_catalog.setval('shipsheet.warehouses_id_seq', 1, false);
SELECT pg_catalog.setval('shipsheet.webhooks_id_seq', 1, true);
ALTER TABLE ONLY shipsheet.acceptances
    ADD CONSTRAINT acceptances_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.accepted_findings
    ADD CONSTRAINT accepted_findings_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.address_words
    ADD CONSTRAINT address_words_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.attempts
    ADD CONSTRAINT attempts_order_id_n_key UNIQUE (order_id, n);
ALTER TABLE ONLY shipsheet.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.brakes
    ADD CONSTRAINT brakes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.cancel_requests
    ADD CONSTRAINT cancel_requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.cancellations
    ADD CONSTRAINT cancellations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.decisions
    ADD CONSTRAINT decisions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.deliveries
    ADD CONSTRAINT deliveries_sha256_key UNIQUE (sha256);
ALTER TABLE ONLY shipsheet.dismissals
    ADD CONSTRAINT dismissals_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.evidence
    ADD CONSTRAINT evidence_pkey PRIMARY KEY (n);
ALTER TABLE ONLY shipsheet.filed_sheets
    ADD CONSTRAINT filed_sheets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.former_numbers
    ADD CONSTRAINT former_numbers_pkey PRIMARY KEY (order_id, number);
ALTER TABLE ONLY shipsheet.freights
    ADD CONSTRAINT freights_order_id_sha256_key UNIQUE (order_id, sha256);
ALTER TABLE ONLY shipsheet.freights
    ADD CONSTRAINT freights_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.homes
    ADD CONSTRAINT homes_move_id_key UNIQUE (move_id);
ALTER TABLE ONLY shipsheet.homes
    ADD CONSTRAINT homes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.identity
    ADD CONSTRAINT identity_pkey PRIMARY KEY (one);
ALTER TABLE ONLY shipsheet.label_prints
    ADD CONSTRAINT label_prints_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.late_answers
    ADD CONSTRAINT late_answers_attempt_id_key UNIQUE (attempt_id);
ALTER TABLE ONLY shipsheet.late_answers
    ADD CONSTRAINT late_answers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.layouts
    ADD CONSTRAINT layouts_pkey PRIMARY KEY (number);
ALTER TABLE ONLY shipsheet.moves
    ADD CONSTRAINT moves_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.orders
    ADD CONSTRAINT orders_service_id_number_key UNIQUE (service_id, number);
ALTER TABLE ONLY shipsheet.problems
    ADD CONSTRAINT problems_pkey PRIMARY KEY (run_id, n);
ALTER TABLE ONLY shipsheet.purges
    ADD CONSTRAINT purges_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.requests
    ADD CONSTRAINT requests_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.routes
    ADD CONSTRAINT routes_pkey PRIMARY KEY (service, origin, destination);
ALTER TABLE ONLY shipsheet.row_sheets
    ADD CONSTRAINT row_sheets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.row_sheets
    ADD CONSTRAINT row_sheets_sha256_worksheet_key UNIQUE (sha256, worksheet);
ALTER TABLE ONLY shipsheet.run_ends
    ADD CONSTRAINT run_ends_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY shipsheet.run_invalid
    ADD CONSTRAINT run_invalid_pkey PRIMARY KEY (run_id, n);
ALTER TABLE ONLY shipsheet.run_orders
    ADD CONSTRAINT run_orders_pkey PRIMARY KEY (run_id, seq);
ALTER TABLE ONLY shipsheet.run_sheets
    ADD CONSTRAINT run_sheets_pkey PRIMARY KEY (run_id, n);
ALTER TABLE ONLY shipsheet.run_tallies
    ADD CONSTRAINT run_tallies_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY shipsheet.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.services
    ADD CONSTRAINT services_origin_key UNIQUE (origin);
ALTER TABLE ONLY shipsheet.services
    ADD CONSTRAINT services_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.shares
    ADD CONSTRAINT shares_pkey PRIMARY KEY (epoch);
ALTER TABLE ONLY shipsheet.sheet_rows
    ADD CONSTRAINT sheet_rows_pkey PRIMARY KEY (sheet_id, "row", order_id);
ALTER TABLE ONLY shipsheet.shipments
    ADD CONSTRAINT shipments_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY shipsheet.statement_carriers
    ADD CONSTRAINT statement_carriers_order_id_awb_sha256_key UNIQUE (order_id, awb, sha256);
ALTER TABLE ONLY shipsheet.statement_carriers
    ADD CONSTRAINT statement_carriers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.stations_off
    ADD CONSTRAINT stations_off_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.stations
    ADD CONSTRAINT stations_pkey PRIMARY KEY (epoch);
ALTER TABLE ONLY shipsheet.taken_runs
    ADD CONSTRAINT taken_runs_pkey PRIMARY KEY (run_id);
ALTER TABLE ONLY shipsheet.taken_sheets
    ADD CONSTRAINT taken_sheets_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.warehouses
    ADD CONSTRAINT warehouses_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.warehouses
    ADD CONSTRAINT warehouses_service_name_key UNIQUE (service, name);
ALTER TABLE ONLY shipsheet.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);
ALTER TABLE ONLY shipsheet.withdrawals
    ADD CONSTRAINT withdrawals_pkey PRIMARY KEY (decision_id);
CREATE INDEX accepted_findings_by_number ON shipsheet.accepted_findings USING btree (number);
CREATE UNIQUE INDEX attempts_open ON shipsheet.attempts USING btree (order_id) WHERE (answered_ms IS NULL);
CREATE INDEX brakes_by_time ON shipsheet.brakes USING btree (at);
CREATE INDEX cancel_requests_of_order ON shipsheet.cancel_requests USING btree (order_id);
CREATE INDEX cancellations_of_order ON shipsheet.cancellations USING btree (order_id);
CREATE INDEX decisions_of_order ON shipsheet.decisions USING btree (order_id);
CREATE INDEX deliveries_of_order ON shipsheet.deliveries USING btree (order_id);
CREATE INDEX dismissals_by_number ON shipsheet.dismissals USING btree (number);
CREATE INDEX filed_sheets_of_sheet ON shipsheet.filed_sheets USING btree (sheet_id);
CREATE INDEX former_numbers_by_number ON shipsheet.former_numbers USING btree (number);
CREATE INDEX homes_of_acceptance ON shipsheet.homes USING btree (acceptance_id) WHERE (acceptance_id IS NOT NULL);
CREATE INDEX label_prints_of_order ON shipsheet.label_prints USING btree (order_id);
CREATE UNIQUE INDEX orders_by_awb ON shipsheet.orders USING btree (service_id, awb) WHERE (awb IS NOT NULL);
CREATE INDEX orders_by_bare_awb ON shipsheet.orders USING btree (service_id, ltrim(upper(replace(replace(replace(replace(replace(awb, '-'::text, ''::text), '/'::text, ''::text), '_'::text, ''::text), '.'::text, ''::text), '#'::text, ''::text)), '0'::text)) WHERE (awb <> ltrim(upper(replace(replace(replace(replace(replace(awb, '-'::text, ''::text), '/'::text, ''::text), '_'::text, ''::text), '.'::text, ''::text), '#'::text, ''::text)), '0'::text));
CREATE UNIQUE INDEX orders_by_order_id ON shipsheet.orders USING btree (service_id, order_id) WHERE ((state = 'booked'::text) AND (order_id IS NOT NULL));
CREATE INDEX orders_failed ON shipsheet.orders USING btree (id) WHERE ((state = 'rejected'::text) OR (state = 'refused'::text));
CREATE INDEX orders_in_doubt ON shipsheet.orders USING btree (id) WHERE (state = 'in_doubt'::text);
CREATE INDEX problems_of_invalid ON shipsheet.problems USING btree (run_id, invalid_n) WHERE (invalid_n IS NOT NULL);
CREATE INDEX requests_of_order ON shipsheet.requests USING btree (order_id);
CREATE INDEX run_invalid_by_number ON shipsheet.run_invalid USING btree (number) WHERE (number IS NOT NULL);
CREATE UNIQUE INDEX run_orders_once ON shipsheet.run_orders USING btree (order_id, run_id);
CREATE INDEX sheet_rows_of_order ON shipsheet.sheet_rows USING btree (order_id);
CREATE INDEX stations_open ON shipsheet.stations USING btree (epoch) WHERE ((ended IS NULL) AND (acknowledged IS NULL));
CREATE INDEX taken_runs_of_sheet ON shipsheet.taken_runs USING btree (sheet_id);
CREATE INDEX taken_sheets_by_hash ON shipsheet.taken_sheets USING btree (sha256);
CREATE TRIGGER acceptances_frozen BEFORE UPDATE ON shipsheet.acceptances FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('acceptances are final');
CREATE TRIGGER acceptances_stay BEFORE DELETE ON shipsheet.acceptances FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('acceptances are never deleted');
CREATE TRIGGER accepted_findings_frozen BEFORE UPDATE ON shipsheet.accepted_findings FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was accepted is final');
CREATE TRIGGER accepted_findings_stay BEFORE DELETE ON shipsheet.accepted_findings FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was accepted is never deleted');
CREATE TRIGGER address_words_frozen BEFORE UPDATE ON shipsheet.address_words FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('words on addresses are final');
CREATE TRIGGER address_words_stay BEFORE DELETE ON shipsheet.address_words FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('words on addresses are never deleted');
CREATE TRIGGER attempts_answered_once BEFORE UPDATE ON shipsheet.attempts FOR EACH ROW EXECUTE FUNCTION shipsheet.attempts_answered_once();
CREATE TRIGGER attempts_begin BEFORE INSERT ON shipsheet.attempts FOR EACH ROW EXECUTE FUNCTION shipsheet.attempts_begin();
CREATE TRIGGER attempts_closed_by BEFORE UPDATE ON shipsheet.attempts FOR EACH ROW EXECUTE FUNCTION shipsheet.attempts_closed_by();
CREATE TRIGGER attempts_of_session BEFORE INSERT ON shipsheet.attempts FOR EACH ROW EXECUTE FUNCTION shipsheet.attempts_of_session();
CREATE TRIGGER attempts_of_the_unbraked BEFORE INSERT ON shipsheet.attempts FOR EACH ROW EXECUTE FUNCTION shipsheet.attempts_of_the_unbraked();
CREATE TRIGGER attempts_stay BEFORE DELETE ON shipsheet.attempts FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('attempts are never deleted');
CREATE TRIGGER brakes_begin BEFORE INSERT ON shipsheet.brakes FOR EACH ROW EXECUTE FUNCTION shipsheet.brakes_begin();
CREATE TRIGGER brakes_frozen BEFORE UPDATE ON shipsheet.brakes FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('that a brake was pulled stays so');
CREATE TRIGGER brakes_not_emptied BEFORE TRUNCATE ON shipsheet.brakes FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER brakes_stay BEFORE DELETE ON shipsheet.brakes FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('that a brake was pulled stays so');
CREATE TRIGGER cancel_requests_end_once BEFORE UPDATE ON shipsheet.cancel_requests FOR EACH ROW WHEN (((old.outcome IS NOT NULL) AND ((new.said IS NOT NULL) OR (new.id IS DISTINCT FROM old.id) OR (new.order_id IS DISTINCT FROM old.order_id) OR (new.asked_ms IS DISTINCT FROM old.asked_ms) OR (new."user" IS DISTINCT FROM old."user") OR (new.host IS DISTINCT FROM old.host) OR (new.ended_ms IS DISTINCT FROM old.ended_ms) OR (new.outcome IS DISTINCT FROM old.outcome)))) EXECUTE FUNCTION shipsheet.refuse('a request for a cancellation ends once');
CREATE TRIGGER cancel_requests_stay BEFORE DELETE ON shipsheet.cancel_requests FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('requests for a cancellation are never deleted');
CREATE TRIGGER cancellations_frozen BEFORE UPDATE ON shipsheet.cancellations FOR EACH ROW WHEN (((new.answer <> ''::text) OR (new.id IS DISTINCT FROM old.id) OR (new.order_id IS DISTINCT FROM old.order_id) OR (new.at_ms IS DISTINCT FROM old.at_ms) OR (new."user" IS DISTINCT FROM old."user") OR (new.host IS DISTINCT FROM old.host) OR (new.refund_status IS DISTINCT FROM old.refund_status))) EXECUTE FUNCTION shipsheet.refuse('cancellations never change');
CREATE TRIGGER cancellations_stay BEFORE DELETE ON shipsheet.cancellations FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('cancellations are never deleted');
CREATE TRIGGER created_warehouses_stay BEFORE UPDATE ON shipsheet.warehouses FOR EACH ROW WHEN ((old.state = 'created'::text)) EXECUTE FUNCTION shipsheet.refuse('a created warehouse never changes');
CREATE TRIGGER decisions_frozen BEFORE UPDATE ON shipsheet.decisions FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('decisions are final');
CREATE TRIGGER decisions_of_the_heard BEFORE INSERT ON shipsheet.decisions FOR EACH ROW EXECUTE FUNCTION shipsheet.decisions_of_the_heard();
CREATE TRIGGER decisions_stay BEFORE DELETE ON shipsheet.decisions FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('decisions are never deleted');
CREATE TRIGGER dismissals_frozen BEFORE UPDATE ON shipsheet.dismissals FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('dismissals are final');
CREATE TRIGGER dismissals_once BEFORE INSERT ON shipsheet.dismissals FOR EACH ROW EXECUTE FUNCTION shipsheet.dismissals_once();
CREATE TRIGGER dismissals_stay BEFORE DELETE ON shipsheet.dismissals FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('dismissals are never deleted');
CREATE TRIGGER evidence_frozen BEFORE UPDATE ON shipsheet.evidence FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('evidence never changes');
CREATE TRIGGER evidence_grows BEFORE INSERT ON shipsheet.evidence FOR EACH ROW EXECUTE FUNCTION shipsheet.evidence_grows();
CREATE TRIGGER evidence_stay BEFORE DELETE ON shipsheet.evidence FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('evidence never changes');
CREATE TRIGGER filed_sheets_done BEFORE INSERT ON shipsheet.filed_sheets FOR EACH ROW EXECUTE FUNCTION shipsheet.filed_sheets_done();
CREATE TRIGGER filed_sheets_frozen BEFORE UPDATE ON shipsheet.filed_sheets FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was filed is final');
CREATE TRIGGER filed_sheets_stay BEFORE DELETE ON shipsheet.filed_sheets FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was filed is never deleted');
CREATE TRIGGER former_numbers_frozen BEFORE UPDATE ON shipsheet.former_numbers FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('former numbers never change');
CREATE TRIGGER former_numbers_not_emptied BEFORE TRUNCATE ON shipsheet.former_numbers FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER former_numbers_stay BEFORE DELETE ON shipsheet.former_numbers FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('former numbers are never deleted');
CREATE TRIGGER freights_frozen BEFORE UPDATE ON shipsheet.freights FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('a freight is final');
CREATE TRIGGER freights_of_shipments BEFORE INSERT ON shipsheet.freights FOR EACH ROW EXECUTE FUNCTION shipsheet.freights_of_shipments();
CREATE TRIGGER freights_stay BEFORE DELETE ON shipsheet.freights FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('a freight is final');
CREATE TRIGGER homes_frozen BEFORE UPDATE ON shipsheet.homes FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('homes are final');
CREATE TRIGGER homes_stay BEFORE DELETE ON shipsheet.homes FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('homes are never deleted');
CREATE TRIGGER identity_frozen BEFORE UPDATE ON shipsheet.identity FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('a ledger stays itself');
CREATE TRIGGER identity_stay BEFORE DELETE ON shipsheet.identity FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('a ledger stays itself');
CREATE TRIGGER label_prints_frozen BEFORE UPDATE ON shipsheet.label_prints FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was printed is final');
CREATE TRIGGER label_prints_stay BEFORE DELETE ON shipsheet.label_prints FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was printed is final');
CREATE TRIGGER late_answers_begin BEFORE INSERT ON shipsheet.late_answers FOR EACH ROW EXECUTE FUNCTION shipsheet.late_answers_begin();
CREATE TRIGGER late_answers_frozen BEFORE UPDATE ON shipsheet.late_answers FOR EACH ROW EXECUTE FUNCTION shipsheet.late_answers_frozen();
CREATE TRIGGER late_answers_of_station BEFORE INSERT ON shipsheet.late_answers FOR EACH ROW EXECUTE FUNCTION shipsheet.late_answers_of_station();
CREATE TRIGGER late_answers_stay BEFORE DELETE ON shipsheet.late_answers FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('late answers are never deleted');
CREATE TRIGGER moves_frozen BEFORE UPDATE ON shipsheet.moves FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('moves are final');
CREATE TRIGGER moves_stay BEFORE DELETE ON shipsheet.moves FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('moves are never deleted');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.acceptances FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.accepted_findings FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.address_words FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.attempts FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.cancel_requests FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.cancellations FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.decisions FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.deliveries FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.dismissals FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.evidence FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.filed_sheets FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.freights FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.homes FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.identity FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.label_prints FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.late_answers FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.layouts FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.moves FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.orders FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.problems FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.purges FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.requests FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.routes FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.run_ends FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.run_invalid FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.run_orders FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.run_sheets FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.run_tallies FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.runs FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.services FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.taken_runs FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.taken_sheets FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.warehouses FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON shipsheet.webhooks FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER orders_begin BEFORE INSERT ON shipsheet.orders FOR EACH ROW EXECUTE FUNCTION shipsheet.orders_begin();
CREATE TRIGGER orders_sent_at_one_address BEFORE UPDATE OF state ON shipsheet.orders FOR EACH ROW EXECUTE FUNCTION shipsheet.orders_sent_at_one_address();
CREATE TRIGGER orders_stay BEFORE DELETE ON shipsheet.orders FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('orders are never deleted');
CREATE TRIGGER orders_step BEFORE UPDATE ON shipsheet.orders FOR EACH ROW EXECUTE FUNCTION shipsheet.orders_step();
CREATE TRIGGER orders_tally AFTER UPDATE ON shipsheet.orders REFERENCING OLD TABLE AS were NEW TABLE AS are FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.orders_tally();
CREATE TRIGGER problems_frozen BEFORE UPDATE ON shipsheet.problems FOR EACH ROW WHEN (((new.found IS NOT NULL) OR (new.detail IS NOT NULL) OR (new.message <> 'removed'::text) OR (new.hint <> ''::text) OR (new.run_id IS DISTINCT FROM old.run_id) OR (new.n IS DISTINCT FROM old.n) OR (new.invalid_n IS DISTINCT FROM old.invalid_n) OR (new.code IS DISTINCT FROM old.code) OR (new.severity IS DISTINCT FROM old.severity) OR (new.place IS DISTINCT FROM old.place) OR (new.order_number IS DISTINCT FROM old.order_number) OR (new.field IS DISTINCT FROM old.field))) EXECUTE FUNCTION shipsheet.refuse('what was found never changes');
CREATE TRIGGER problems_stay BEFORE DELETE ON shipsheet.problems FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was found never changes');
CREATE TRIGGER purges_frozen BEFORE UPDATE ON shipsheet.purges FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('removals are final');
CREATE TRIGGER purges_stay BEFORE DELETE ON shipsheet.purges FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('removals are never forgotten');
CREATE TRIGGER requests_frozen BEFORE UPDATE ON shipsheet.requests FOR EACH ROW EXECUTE FUNCTION shipsheet.requests_frozen();
CREATE TRIGGER requests_stay BEFORE DELETE ON shipsheet.requests FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('requests are never deleted');
CREATE TRIGGER row_sheets_frozen BEFORE UPDATE ON shipsheet.row_sheets FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('the sheets of orders never change');
CREATE TRIGGER row_sheets_not_emptied BEFORE TRUNCATE ON shipsheet.row_sheets FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER row_sheets_stay BEFORE DELETE ON shipsheet.row_sheets FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('the sheets of orders are never deleted');
CREATE TRIGGER run_ends_are_for_good BEFORE UPDATE ON shipsheet.run_ends FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what a run came to is for good');
CREATE TRIGGER run_invalid_frozen BEFORE UPDATE ON shipsheet.run_invalid FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was left behind never changes');
CREATE TRIGGER run_invalid_stay BEFORE DELETE ON shipsheet.run_invalid FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was left behind never changes');
CREATE TRIGGER run_orders_frozen BEFORE UPDATE ON shipsheet.run_orders FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what a run asked for never changes');
CREATE TRIGGER run_orders_stay BEFORE DELETE ON shipsheet.run_orders FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what a run asked for never changes');
CREATE TRIGGER run_sheets_frozen BEFORE UPDATE ON shipsheet.run_sheets FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('where sheets lay never changes');
CREATE TRIGGER run_sheets_stay BEFORE DELETE ON shipsheet.run_sheets FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('where sheets lay never changes');
CREATE TRIGGER runs_stay BEFORE DELETE ON shipsheet.runs FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('runs are never deleted');
CREATE TRIGGER services_frozen BEFORE UPDATE ON shipsheet.services FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('services never change');
CREATE TRIGGER services_stay BEFORE DELETE ON shipsheet.services FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('services never change');
CREATE TRIGGER shares_not_emptied BEFORE TRUNCATE ON shipsheet.shares FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER shares_stay BEFORE DELETE ON shipsheet.shares FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('shares are given up and never deleted');
CREATE TRIGGER shares_within BEFORE INSERT OR UPDATE ON shipsheet.shares FOR EACH ROW EXECUTE FUNCTION shipsheet.shares_within();
CREATE TRIGGER sheet_rows_frozen BEFORE UPDATE ON shipsheet.sheet_rows FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('the rows of orders never change');
CREATE TRIGGER sheet_rows_not_emptied BEFORE TRUNCATE ON shipsheet.sheet_rows FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER sheet_rows_stay BEFORE DELETE ON shipsheet.sheet_rows FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('the rows of orders are never deleted');
CREATE TRIGGER statement_carriers_frozen BEFORE UPDATE ON shipsheet.statement_carriers FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what a statement said is final');
CREATE TRIGGER statement_carriers_not_emptied BEFORE TRUNCATE ON shipsheet.statement_carriers FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER statement_carriers_stay BEFORE DELETE ON shipsheet.statement_carriers FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what a statement said is final');
CREATE TRIGGER stations_begin BEFORE INSERT ON shipsheet.stations FOR EACH ROW EXECUTE FUNCTION shipsheet.stations_begin();
CREATE TRIGGER stations_not_emptied BEFORE TRUNCATE ON shipsheet.stations FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER stations_off_frozen BEFORE UPDATE ON shipsheet.stations_off FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was said of a station is final');
CREATE TRIGGER stations_off_not_emptied BEFORE TRUNCATE ON shipsheet.stations_off FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER stations_off_stay BEFORE DELETE ON shipsheet.stations_off FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was said of a station is final');
CREATE TRIGGER stations_stay BEFORE DELETE ON shipsheet.stations FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('sessions are never deleted');
CREATE TRIGGER stations_step BEFORE UPDATE ON shipsheet.stations FOR EACH ROW EXECUTE FUNCTION shipsheet.stations_step();
CREATE TRIGGER taken_runs_frozen BEFORE UPDATE ON shipsheet.taken_runs FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was taken is final');
CREATE TRIGGER taken_runs_stay BEFORE DELETE ON shipsheet.taken_runs FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was taken is never deleted');
CREATE TRIGGER taken_sheets_frozen BEFORE UPDATE ON shipsheet.taken_sheets FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was taken is final');
CREATE TRIGGER taken_sheets_stay BEFORE DELETE ON shipsheet.taken_sheets FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('what was taken is never deleted');
CREATE TRIGGER warehouses_stay BEFORE DELETE ON shipsheet.warehouses FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('warehouses are never deleted');
CREATE TRIGGER withdrawals_frozen BEFORE UPDATE ON shipsheet.withdrawals FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('decisions are final');
CREATE TRIGGER withdrawals_not_emptied BEFORE TRUNCATE ON shipsheet.withdrawals FOR EACH STATEMENT EXECUTE FUNCTION shipsheet.refuse('a ledger is never emptied');
CREATE TRIGGER withdrawals_stay BEFORE DELETE ON shipsheet.withdrawals FOR EACH ROW EXECUTE FUNCTION shipsheet.refuse('decisions are never deleted');
ALTER TABLE ONLY shipsheet.accepted_findings
    ADD CONSTRAINT accepted_findings_service_id_fkey FOREIGN KEY (service_id) REFERENCES shipsheet.services(id);
ALTER TABLE ONLY shipsheet.address_words
    ADD CONSTRAINT address_words_one_fkey FOREIGN KEY (one) REFERENCES shipsheet.services(id);
ALTER TABLE ONLY shipsheet.address_words
    ADD CONSTRAINT address_words_other_fkey FOREIGN KEY (other) REFERENCES shipsheet.services(id);
ALTER TABLE ONLY shipsheet.attempts
    ADD CONSTRAINT attempts_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES shipsheet.stations(epoch);
ALTER TABLE ONLY shipsheet.attempts
    ADD CONSTRAINT attempts_epoch_fkey FOREIGN KEY (epoch) REFERENCES shipsheet.stations(epoch);
ALTER TABLE ONLY shipsheet.attempts
    ADD CONSTRAINT attempts_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.attempts
    ADD CONSTRAINT attempts_purge_id_fkey FOREIGN KEY (purge_id) REFERENCES shipsheet.purges(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY shipsheet.attempts
    ADD CONSTRAINT attempts_request_id_fkey FOREIGN KEY (request_id) REFERENCES shipsheet.requests(id);
ALTER TABLE ONLY shipsheet.attempts
    ADD CONSTRAINT attempts_run_id_fkey FOREIGN KEY (run_id) REFERENCES shipsheet.runs(id);
ALTER TABLE ONLY shipsheet.brakes
    ADD CONSTRAINT brakes_epoch_fkey FOREIGN KEY (epoch) REFERENCES shipsheet.stations(epoch);
ALTER TABLE ONLY shipsheet.brakes
    ADD CONSTRAINT brakes_run_id_fkey FOREIGN KEY (run_id) REFERENCES shipsheet.runs(id);
ALTER TABLE ONLY shipsheet.brakes
    ADD CONSTRAINT brakes_service_id_fkey FOREIGN KEY (service_id) REFERENCES shipsheet.services(id);
ALTER TABLE ONLY shipsheet.cancel_requests
    ADD CONSTRAINT cancel_requests_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.cancellations
    ADD CONSTRAINT cancellations_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.decisions
    ADD CONSTRAINT decisions_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES shipsheet.attempts(id);
ALTER TABLE ONLY shipsheet.decisions
    ADD CONSTRAINT decisions_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.deliveries
    ADD CONSTRAINT deliveries_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.dismissals
    ADD CONSTRAINT dismissals_run_id_fkey FOREIGN KEY (run_id) REFERENCES shipsheet.runs(id);
ALTER TABLE ONLY shipsheet.dismissals
    ADD CONSTRAINT dismissals_service_id_fkey FOREIGN KEY (service_id) REFERENCES shipsheet.services(id);
ALTER TABLE ONLY shipsheet.evidence
    ADD CONSTRAINT evidence_acceptance_id_fkey FOREIGN KEY (acceptance_id) REFERENCES shipsheet.acceptances(id);
ALTER TABLE ONLY shipsheet.evidence
    ADD CONSTRAINT evidence_accepted_finding_id_fkey FOREIGN KEY (accepted_finding_id) REFERENCES shipsheet.accepted_findings(id);
ALTER TABLE ONLY shipsheet.evidence
    ADD CONSTRAINT evidence_address_word_id_fkey FOREIGN KEY (address_word_id) REFERENCES shipsheet.address_words(id);
ALTER TABLE ONLY shipsheet.evidence
    ADD CONSTRAINT evidence_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES shipsheet.attempts(id);
ALTER TABLE ONLY shipsheet.evidence
    ADD CONSTRAINT evidence_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES shipsheet.decisions(id);
ALTER TABLE ONLY shipsheet.evidence
    ADD CONSTRAINT evidence_dismissal_id_fkey FOREIGN KEY (dismissal_id) REFERENCES shipsheet.dismissals(id);
ALTER TABLE ONLY shipsheet.evidence
    ADD CONSTRAINT evidence_late_answer_id_fkey FOREIGN KEY (late_answer_id) REFERENCES shipsheet.late_answers(id);
ALTER TABLE ONLY shipsheet.evidence
    ADD CONSTRAINT evidence_purge_id_fkey FOREIGN KEY (purge_id) REFERENCES shipsheet.purges(id);
ALTER TABLE ONLY shipsheet.filed_sheets
    ADD CONSTRAINT filed_sheets_sheet_id_fkey FOREIGN KEY (sheet_id) REFERENCES shipsheet.taken_sheets(id);
ALTER TABLE ONLY shipsheet.former_numbers
    ADD CONSTRAINT former_numbers_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.freights
    ADD CONSTRAINT freights_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.homes
    ADD CONSTRAINT homes_acceptance_id_fkey FOREIGN KEY (acceptance_id) REFERENCES shipsheet.acceptances(id);
ALTER TABLE ONLY shipsheet.homes
    ADD CONSTRAINT homes_move_id_fkey FOREIGN KEY (move_id) REFERENCES shipsheet.moves(id);
ALTER TABLE ONLY shipsheet.label_prints
    ADD CONSTRAINT label_prints_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.late_answers
    ADD CONSTRAINT late_answers_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES shipsheet.attempts(id);
ALTER TABLE ONLY shipsheet.late_answers
    ADD CONSTRAINT late_answers_purge_id_fkey FOREIGN KEY (purge_id) REFERENCES shipsheet.purges(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY shipsheet.orders
    ADD CONSTRAINT orders_service_id_fkey FOREIGN KEY (service_id) REFERENCES shipsheet.services(id);
ALTER TABLE ONLY shipsheet.problems
    ADD CONSTRAINT problems_run_id_fkey FOREIGN KEY (run_id) REFERENCES shipsheet.runs(id);
ALTER TABLE ONLY shipsheet.problems
    ADD CONSTRAINT problems_run_id_invalid_n_fkey FOREIGN KEY (run_id, invalid_n) REFERENCES shipsheet.run_invalid(run_id, n);
ALTER TABLE ONLY shipsheet.requests
    ADD CONSTRAINT requests_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.run_ends
    ADD CONSTRAINT run_ends_run_id_fkey FOREIGN KEY (run_id) REFERENCES shipsheet.runs(id);
ALTER TABLE ONLY shipsheet.run_invalid
    ADD CONSTRAINT run_invalid_run_id_fkey FOREIGN KEY (run_id) REFERENCES shipsheet.runs(id);
ALTER TABLE ONLY shipsheet.run_orders
    ADD CONSTRAINT run_orders_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.run_orders
    ADD CONSTRAINT run_orders_run_id_fkey FOREIGN KEY (run_id) REFERENCES shipsheet.runs(id);
ALTER TABLE ONLY shipsheet.run_sheets
    ADD CONSTRAINT run_sheets_run_id_fkey FOREIGN KEY (run_id) REFERENCES shipsheet.runs(id);
ALTER TABLE ONLY shipsheet.run_tallies
    ADD CONSTRAINT run_tallies_run_id_fkey FOREIGN KEY (run_id) REFERENCES shipsheet.runs(id);
ALTER TABLE ONLY shipsheet.runs
    ADD CONSTRAINT runs_parent_fkey FOREIGN KEY (parent) REFERENCES shipsheet.runs(id);
ALTER TABLE ONLY shipsheet.runs
    ADD CONSTRAINT runs_service_id_fkey FOREIGN KEY (service_id) REFERENCES shipsheet.services(id);
ALTER TABLE ONLY shipsheet.shares
    ADD CONSTRAINT shares_epoch_fkey FOREIGN KEY (epoch) REFERENCES shipsheet.stations(epoch);
ALTER TABLE ONLY shipsheet.shares
    ADD CONSTRAINT shares_service_id_fkey FOREIGN KEY (service_id) REFERENCES shipsheet.services(id);
ALTER TABLE ONLY shipsheet.sheet_rows
    ADD CONSTRAINT sheet_rows_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.sheet_rows
    ADD CONSTRAINT sheet_rows_sheet_id_fkey FOREIGN KEY (sheet_id) REFERENCES shipsheet.row_sheets(id);
ALTER TABLE ONLY shipsheet.shipments
    ADD CONSTRAINT shipments_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.shipments
    ADD CONSTRAINT shipments_request_id_fkey FOREIGN KEY (request_id) REFERENCES shipsheet.requests(id);
ALTER TABLE ONLY shipsheet.statement_carriers
    ADD CONSTRAINT statement_carriers_order_id_fkey FOREIGN KEY (order_id) REFERENCES shipsheet.orders(id);
ALTER TABLE ONLY shipsheet.stations
    ADD CONSTRAINT stations_fenced_by_fkey FOREIGN KEY (fenced_by) REFERENCES shipsheet.stations(epoch);
ALTER TABLE ONLY shipsheet.stations_off
    ADD CONSTRAINT stations_off_epoch_fkey FOREIGN KEY (epoch) REFERENCES shipsheet.stations(epoch);
ALTER TABLE ONLY shipsheet.taken_runs
    ADD CONSTRAINT taken_runs_run_id_fkey FOREIGN KEY (run_id) REFERENCES shipsheet.runs(id);
ALTER TABLE ONLY shipsheet.taken_runs
    ADD CONSTRAINT taken_runs_sheet_id_fkey FOREIGN KEY (sheet_id) REFERENCES shipsheet.taken_sheets(id);
ALTER TABLE ONLY shipsheet.taken_sheets
    ADD CONSTRAINT taken_sheets_service_id_fkey FOREIGN KEY (service_id) REFERENCES shipsheet.services(id);
ALTER TABLE ONLY shipsheet.withdrawals
    ADD CONSTRAINT withdrawals_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES shipsheet.decisions(id);
